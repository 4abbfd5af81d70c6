//! Tests of the Sand Creek Massacre (12.13).

use super::*;

/// Returns a position in which Ute, Crow and Modoc are undealt, in this order; B, C and D hold one
/// Tribe each and have 5, 0 and 2 VPs.
pub fn undealt() -> State {
    let mut g = prairie();
    for (name, seat) in [("Comanche", B), ("Apache", C), ("Kiowa", D)] {
        hold(&mut g, name, seat);
    }
    for (pos, name) in ["Ute", "Crow", "Modoc"].iter().enumerate() {
        let tribe = tribe(&g, name);
        g.tribes[tribe.index()].pos = Some(12 + pos);
    }
    (g.tally[B.index()].vps, g.tally[D.index()].vps, g.tribal_epoch) = (5, 2, 3);
    g
}

/// geronimo 12.13, 4.21
#[test]
fn sand_creek_destroys_an_inactive_tribe_and_rouses_others() {
    let g = undealt();
    let v = village(&g, "Ute");
    let home = g.area_of(v).expect("on the map");
    let mut trial = rolled(g, US, 6).0.start();
    trial.say("roll");
    // The event can be neither discarded nor Ignored, even by the US; players with the fewest VPs
    // draw first.
    assert_eq!(trial.asked(), [(C, "sand-creek")]);
    trial.check_options(2);
    trial.say("draw");
    assert_eq!(trial.asked(), [(D, "sand-creek")]);
    trial.say("no card");
    assert_eq!(trial.asked(), [(B, "sand-creek")]);
    trial.say("draw");
    let end = trial.over();
    sound(&end);
    assert_eq!((end.village(v).place, end.events.sand_creek), (Place::Extinct, Some(home)));
    assert_eq!([US, B, C, D].map(|s| vps(&end, s)), [0, 5, 0, 2], "nobody scores");
    assert_eq!((end.area(home).massacres, end.fx.indian_massacre), (0, false), "it is no Massacre");
    let held = |name: &str| {
        let state = &end.tribes[tribe(&end, name).index()];
        (state.holder, state.revealed)
    };
    assert_eq!([held("Crow"), held("Modoc"), held("Ute")], [(Some(C), false), (Some(B), false), (None, true)]);
    let dealt = |seat, from| Done::Dealt { deck: "tribal", epoch: 3, seat, from, count: 1 };
    let shown = Done::Shown { deck: "tribal", epoch: 3, pos: 12, card: "Ute".into(), seat: None };
    let events = trial.events();
    let cards: Vec<_> = events.iter().filter(|e| !matches!(e, Done::Rolled { .. })).cloned().collect();
    assert_eq!(cards, [dealt(None, 12), shown, dealt(Some(C), 13), dealt(Some(B), 14)]);
    // Once a game, even if a Tribe is left in the Inactive Tribal deck.
    let mut again = end;
    let pawnee = tribe(&again, "Pawnee");
    again.tribes[pawnee.index()].pos = Some(20);
    again.tally[US.index()].event_rolled = false;
    let (trial, goes_on) = rolled(again, US, 6);
    let mut trial = trial.start();
    trial.say("roll");
    assert_eq!((trial.over().events.sand_creek, goes_on.get()), (Some(home), Some(true)));
    assert!(trial.story().iter().any(|line| line == "No Event: it happens once in a game."));
}

/// geronimo 12.13
#[test]
fn sand_creek_takes_one_of_several_villages_and_passes_over_the_dead() {
    let mut g = undealt();
    for (name, pos) in [("Ute", None), ("Crow", None), ("Modoc", Some(12)), ("Cheyenne", Some(13))] {
        let tribe = tribe(&g, name);
        g.tribes[tribe.index()].pos = pos;
    }
    let modoc = village(&g, "Modoc");
    g.village_mut(modoc).place = Place::Extinct;
    g.village_mut(modoc).bps = 0;
    let cheyenne = tribe(&g, "Cheyenne");
    let villages = g.c[cheyenne].villages.clone();
    let mut trial = rolled(g, B, 6).0.dice("sand creek", [1]).start();
    trial.say("roll");
    let end = trial.over();
    sound(&end);
    assert_eq!(villages.iter().map(|&v| end.in_play(v)).collect::<Vec<_>>(), [true, false]);
    assert!(end.tribes[cheyenne.index()].holder.is_none(), "there was no card left to draw");
    // With no Tribe left in the deck, it does not count as having happened.
    let mut g = undealt();
    g.tribes.iter_mut().filter(|state| state.holder.is_none()).for_each(|state| state.pos = None);
    let mut trial = rolled(g, B, 6).0.start();
    trial.say("roll");
    assert!(!trial.over().events.sand_creek_over);
}

/// geronimo 12.13, 10.2
#[test]
fn the_area_of_sand_creek_becomes_no_state_this_turn() {
    let mut g = prairie();
    let co = area(&g, "CO");
    let level = g.c[co].statehood;
    for a in g.area_ids() {
        let there = g.area_mut(a);
        (there.settlements, there.towns, there.rrs) = (0, 0, 0);
        there.mines.clear();
        there.state = false;
    }
    g.area_mut(co).settlements = level + 1;
    let after = |g: State| {
        let rule = |t: T, mut g| async move {
            statehood_phase(&t, &mut g);
            g
        };
        let end = Trial::new(g, rule).start().over();
        (end.area(co).state, vps(&end, US))
    };
    assert_eq!(after(g.clone()), (true, 7));
    (g.events.sand_creek, g.events.sand_creek_over) = (Some(co), true);
    assert_eq!(after(g.clone()), (false, 0));
    // An Area that is a State already stays one, and in the next Turn the Area may become one.
    g.area_mut(co).state = true;
    assert_eq!(after(g.clone()), (true, 0));
}
