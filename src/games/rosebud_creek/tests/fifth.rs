//! What version 5 of the rules does otherwise: each amendment, beside what version 4 did.

use super::{
    super::{
        Order, State,
        components::{Outcome, Side, UnitId},
        doctrine::{About, BeforeWill, Doctrine, FireWill},
        fire::{self, Volley},
        march, melee, retreat,
        state::{Mode, Phase, Spot, Volume},
        testing::*,
        volley,
    },
    third::quiet,
};
use crate::table::Seat;

/// The same position in a game of version 4.
fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 4;
    g
}

/// A Retreat of so many hexes from a unit.
fn falling(g: &State, who: &str, foe: &str, hexes: u16) -> Trial {
    let (u, foe) = (unit(g, who), unit(g, foe));
    let cause = fire::Cause { from: g.hex(foe).expect("on the map"), foe, volley: Some(Volley::Advance) };
    let mut g = g.clone();
    g.phase = Phase::Defensive;
    Trial::new(g, move |t, mut g| async move {
        retreat::fall_back(&t, &mut g, u, hexes, cause).await;
        g
    })
}

/// The hexes to which a unit can fall back next from where it stands, or from there on.
fn open(g: &State, who: &str, foe: &str, from: &str) -> Vec<String> {
    let (u, foe) = (unit(g, who), unit(g, foe));
    let enemy = g.hex(foe).expect("on the map");
    let steps = retreat::steps(g, u, hex(g, from), enemy, &[foe]);
    steps
        .into_iter()
        .filter_map(|step| if let retreat::Step::To(hex) = step { Some(g.id(hex)) } else { None })
        .collect()
}

/// Fills a hex with companies.
fn fill(g: &mut State, ids: [&str; 5], at: &str) {
    for id in ids {
        foot(g, id, at);
    }
    assert!(g.stacked(hex(g, at)) > 20);
}

/// By doctrine a unit does not fall back into a full hex, where it would Disrupt a unit and go on, as long as another one is as good.
///
/// rosebud-creek 10.I, 6
#[test]
fn who_falls_back_looks_for_room() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    let [first, second, third] = &ways[..] else { panic!("{ways:?}") };
    for (one, other, free) in [(first, second, third), (second, third, first), (first, third, second)] {
        let mut g = g.clone();
        fill(&mut g, ["2A", "2B", "2D", "2E", "2I"], one);
        fill(&mut g, ["3E", "3I", "3M", "3C", "3G"], other);
        let end = falling(&g, "3A", "H1", 1).start().over();
        assert_eq!((&at(&end, "3A"), end.units.iter().any(|unit| unit.disrupted)), (free, false));
        let before = falling(&old(&g), "3A", "H1", 1).start().over();
        assert!(at(&before, "3A") != *free && before.units.iter().any(|unit| unit.disrupted), "toward friends");
        // Two hexes: not through one of them either.
        let end = falling(&g, "3A", "H1", 2).start().over();
        assert!(!end.units.iter().any(|unit| unit.disrupted), "{}", at(&end, "3A"));
    }
}

/// A position of a game that was played: the US on Crook's Hill and before it, the Indians in the gap.
fn at_the_gap() -> State {
    let mut g = bare();
    quiet(&mut g);
    let us = [
        ("3107", "2A 2B 2D 2AH 2BH 2DH"),
        ("3108", "3A 3E 3I 3M 3AH 3EH 3IH 3MH"),
        ("3109", "9C 9G 4D 4F 9CH 9GH 4DH 4FH"),
        ("3208", "2E 2I 2EH 2IH"),
        ("3009", "3F 3L 3FH 3LH"),
        ("3010", "3B 3D 3BH 3DH"),
        ("2910", "MIN OLD MINH"),
    ];
    let indians = [
        ("2706", "C2 O4 M1 M2"),
        ("2707", "S2 S3"),
        ("2807", "T1"),
        ("2808", "H5 C1 O3"),
        ("2906", "H4"),
        ("2907", "H6 O2 B1"),
        ("2908", "Y1"),
        ("3007", "H1 H3 C3 C5 O1"),
        ("3807", "O5"),
    ];
    for (at, units) in us.into_iter().chain(indians) {
        units.split(' ').for_each(|id| _ = foot(&mut g, id, at));
    }
    // Their losses left room; who was hit does not matter here.
    let crowded = |g: &State, u: UnitId| g.class(u).is_combat() && g.hex(u).is_some_and(|at| g.stacked(at) > 25);
    for u in g.c.unit_ids().filter(|&u| crowded(&g, u)).collect::<Vec<_>>() {
        g.unit_mut(u).losses += 1;
    }
    g
}

/// Between full hexes and the enemy a way out with room is found, in one hex and in two, and nobody is Disrupted.
///
/// rosebud-creek 10.I, 6
#[test]
fn a_way_out_is_found_in_a_crowd() {
    let g = at_the_gap();
    let end = |g: &State, who: &str, foe: &str, hexes: u16| {
        let end = falling(g, who, foe, hexes).start().over();
        let us = |u: &UnitId| end.side(*u) == Side::Us;
        (at(&end, who), end.c.unit_ids().filter(us).filter(|&u| end.unit(u).disrupted).count())
    };
    assert_eq!(end(&g, "2A", "C3", 1), ("3208".to_owned(), 0));
    let (to, disrupted) = end(&g, "2B", "C3", 2);
    assert!(["3209", "3308"].contains(&&*to) && disrupted == 0, "{to}");
    assert!(end(&old(&g), "2A", "C3", 1).1 + end(&old(&g), "2B", "C3", 2).1 > 0);
    // Where nobody is to the east it does not go round the enemy to the north either.
    let mut g = g;
    for id in ["2I", "2IH", "2EH"] {
        let u = unit(&g, id);
        g.put(u, Spot::On(hex(&g, "3209")));
    }
    let e = unit(&g, "2E");
    g.put(e, Spot::On(hex(&g, "3107")));
    for (id, to) in [("C2", "3008"), ("B1", "3008")] {
        let u = unit(&g, id);
        g.put(u, Spot::On(hex(&g, to)));
    }
    let (to, disrupted) = end(&g, "2E", "C2", 2);
    assert!(["3209", "3308"].contains(&&*to) && disrupted == 0, "{to}");
}

/// Of ways that are as good it takes one that does not come nearer to the enemy as a whole, whatever friends are there.
///
/// rosebud-creek 10.I
#[test]
fn who_falls_back_stays_on_his_side() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    // Many enemies far in the west; a friend there draws nobody to them.
    for id in ["H2", "H3", "O1", "O2", "O3", "C1"] {
        foot(&mut g, id, "1210");
    }
    foot(&mut g, "3E", "1511");
    let west = ways.iter().min().expect("a way");
    let end = falling(&g, "3A", "H1", 1).start().over();
    assert!(at(&end, "3A") != *west, "{ways:?}");
    assert_eq!(&at(&falling(&old(&g), "3A", "H1", 1).start().over(), "3A"), west);
}

/// A Retreat of two hexes goes two where a way has them; who is asked is offered no other.
///
/// rosebud-creek 10.I
#[test]
fn a_retreat_goes_all_its_hexes() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ways = open(&g, "3A", "H1", "1710");
    let shut = ways.iter().min().expect("a way").clone();
    // Routed enemies bar the hexes behind it, without ZOCs.
    let behind = open(&g, "3A", "H1", &shut);
    for (id, to) in ["H2", "H3", "H4"].into_iter().zip(&behind) {
        let u = foot(&mut g, id, to);
        g.unit_mut(u).routed = true;
    }
    assert!(open(&g, "3A", "H1", &shut).is_empty());
    let rest: Vec<&String> = ways.iter().filter(|way| **way != shut).collect();
    assert!(rest.iter().any(|way| !open(&g, "3A", "H1", way).is_empty()));
    let far = |g: &State| g.charts.grid.distance(g.hex(unit(g, "3A")).expect("there"), hex(g, "1709"));
    // Toward that hex, it would not come on.
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, &shut, &g.charts.grid).expect("a doctrine");
    assert_eq!(far(&falling(&g, "3A", "H1", 2).start().over()), 3);
    assert_eq!(far(&falling(&old(&g), "3A", "H1", 2).start().over()), 2);
    assert_eq!(at(&falling(&g, "3A", "H1", 1).start().over(), "3A"), shut);
    g.doctrine[0] = g.doctrine[0].with(About::FallBack, "ask", &g.charts.grid).expect("a doctrine");
    let offered = |g: &State| {
        let mut run = falling(g, "3A", "H1", 2).start();
        assert_eq!(run.asked(), [(Seat(0), "retreat-way")]);
        run.words()
    };
    assert!(!offered(&g).contains(&shut) && offered(&old(&g)).contains(&shut));
}

/// A unit that cannot fall back from a melee is eliminated in it, and its Leader is killed.
///
/// rosebud-creek 12.D, 10.I
#[test]
fn a_leader_dies_with_a_unit_that_cannot_fall_back() {
    let mut g = bare();
    quiet(&mut g);
    for side in [0, 1] {
        g.doctrine[side] = Doctrine { before: BeforeWill::Stand, ..g.doctrine[side] };
    }
    g.phasing = Side::Indian;
    foot(&mut g, "3A", "1710");
    lead(&mut g, "Mills", "1710");
    for (id, at) in
        ["H1", "H2", "H3", "H4", "H5", "H6"].into_iter().zip(["1709", "1810", "1811", "1711", "1611", "1610"])
    {
        foot(&mut g, id, at);
    }
    // So many attackers, and a die, that bring a Retreat of the defender and nothing else.
    let all = ["H1", "H2", "H3", "H4", "H5", "H6"];
    let found = (1..=all.len()).find_map(|n| {
        let attackers: Vec<UnitId> = all[..n].iter().map(|id| unit(&g, id)).collect();
        let battle = melee::reckon(&g, &attackers, hex(&g, "1710"));
        let alone = |&die: &i64| {
            let [own, theirs] = battle.result(&g, die);
            theirs.retreat > 0 && theirs.lost == 0 && !theirs.rout && own.lost == 0 && own.retreat == 0 && !own.rout
        };
        (1..=6).find(alone).map(|die| (all[..n].join(" "), die))
    });
    let (with, die) = found.expect("a Retreat alone");
    let fought = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            melee::phase(&t, &mut g).await;
            g
        });
        let mut run = trial.dice("melee", [die]).start();
        run.say(&format!("melee 1710 with {with} no advance"));
        let g = run.now();
        assert_eq!(g.unit(unit(&g, "3A")).spot, Spot::Dead);
        g.chief(leader(&g, "Mills")).spot
    };
    assert_eq!((fought(&g), fought(&old(&g))), (Spot::Dead, Spot::On(hex(&g, "1710"))));
}

/// One order moves a group into a hex that another one leaves; who stays makes it impossible.
///
/// rosebud-creek 6, 7.A
#[test]
fn room_is_looked_at_when_all_have_moved() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["3A", "3E", "3I", "3M"] {
        ride(&mut g, id, "1710");
    }
    ride(&mut g, "3B", "1711");
    let said = |g: &State, words: &str| {
        let mut g = g.clone();
        g.phasing = Side::Us;
        let trial = Trial::new(g, |t, mut g| async move {
            march::phase(&t, &mut g).await;
            g
        });
        let mut run = trial.start();
        let done = run.try_say(words);
        let now = run.now();
        done.map(|()| ["3A", "3B", "3E"].map(|id| at(&now, id)))
    };
    let both = "3b: 1710 also 3a: 1611";
    assert_eq!(said(&g, both), Ok(["1611", "1710", "1710"].map(str::to_owned)));
    assert!(said(&old(&g), both).is_err_and(|why| why.contains("1710 would hold 29")));
    assert_eq!(said(&g, "3a: 1611 also 3b: 1710"), Ok(["1611", "1710", "1710"].map(str::to_owned)));
    assert!(said(&g, "3b: 1710").is_err_and(|why| why.contains("`also`")));
    assert!(said(&g, "3b: 1710 also 3a: 1611 > 1710").is_err());
    // Nobody may end over the limit, in a later group neither.
    assert!(said(&g, "3a: 1611 also 3b: 1710 also 3a: 1710").is_err());
}

/// `fire all at best` chooses each shot when its turn comes: who has lost his target takes another.
///
/// rosebud-creek 4.B, 4.D, 4.E
#[test]
fn the_best_shot_is_chosen_in_its_turn() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["H1", "H2"] {
        foot(&mut g, id, "1709");
    }
    // The rider is hit more easily than the company on foot.
    let rider = ride(&mut g, "OLD", "1710");
    g.unit_mut(rider).losses = 5;
    foot(&mut g, "3A", "1710");
    g.phasing = Side::Us;
    let hit = dice_for(&g, "H1", "OLD", Volley::Defensive(Volume::Full), Outcome::One);
    let fired = |g: &State, said: &str| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            volley::phase(&t, &mut g, Side::Indian, Phase::Defensive, Volley::Defensive(Volume::Full)).await;
            g
        });
        let mut run = trial.dice("fire", hit.into_iter().chain([1, 2])).any_dice([3; 20]).start();
        run.say(said);
        (run.asked().is_empty(), run.story().into_iter().filter(|line| line.starts_with("Defensive Fire")).count())
    };
    assert_eq!(fired(&g, "fire all at best"), (true, 2));
    assert_eq!(fired(&old(&g), "fire all at best"), (false, 1), "the target is gone");
    assert_eq!(fired(&g, "fire h1 at old, rest at best"), (true, 2));
    // A game of an older version knows no such order.
    let trial = Trial::new(old(&g), |t, mut g| async move {
        volley::phase(&t, &mut g, Side::Indian, Phase::Defensive, Volley::Defensive(Volume::Full)).await;
        g
    });
    assert!(trial.start().order(Order::Fire { shots: Vec::new(), best: Some(0) }).is_err());
    // No such shot is no order, and what can be had is told.
    let trial = Trial::new(g.clone(), |t, mut g| async move {
        volley::phase(&t, &mut g, Side::Indian, Phase::Defensive, Volley::Defensive(Volume::Full)).await;
        g
    });
    let mut run = trial.start();
    assert!(run.refused("fire all at best 99").contains("the best, "), "{}", run.refused("fire all at best 99"));
    for said in ["fire all at best", "fire all at best 8", "fire h1 at old, rest at best 3"] {
        let order = run.read(said).unwrap_or_else(|why| panic!("{said}: {why}"));
        let seen = run.session.look().expect("it runs");
        let ticket = &seen.tickets[0];
        let again = ticket.prompt.say(&seen.state, ticket.seat, &order).unwrap_or_else(|| panic!("{said}: no words"));
        assert_eq!(run.read(&again).as_ref(), Ok(&order), "{said}: {again}");
    }
    run.check_options(20);
    assert_eq!(run.now().unit(rider).mode, Mode::Mounted);
    assert!(matches!(run.now().doctrine[1].opportunity, FireWill::No | FireWill::Chance(_) | FireWill::Yes));
}
