//! Tests of every Event card (9.2).

use super::super::{
    State,
    components::*,
    engagement::engagements,
    events,
    march::march,
    movement::March,
    state::{Cubes, tell_cubes},
    testing::*,
};
use Faction::*;
use postrider_table::{Hands, Held, Seat};

fn event(g: State, faction: Faction, name: &str) -> Running {
    event_with(g, faction, name, &[])
}

fn event_with(g: State, faction: Faction, name: &str, dice: &[(Faction, &str)]) -> Running {
    let card = g.c.card_named(name).expect(name);
    let rule = move |t, mut g: State| async move {
        let (event, cubes) = (g.c[card].event.expect("an Event card"), g.c[card].cubes);
        events::play(&t, &mut g, faction, event, cubes).await;
        g
    };
    let mut trial = Trial::new(g, rule);
    for &(faction, letters) in dice {
        trial = trial.rolls(faction, letters);
    }
    trial.start()
}

fn why_not(g: &State, name: &str) -> Option<String> {
    let card = g.c.card_named(name).expect(name);
    events::why_not(g, g.c[card].deck, g.c[card].event.expect("an Event card"))
}

/// plains-indian-wars 9.2, 12.1.2
#[test]
fn crazy_horse_makes_treaties_hits() {
    let mut g = bare(2);
    assert!(why_not(&g, "Crazy Horse").is_some());
    set(&mut g, "N7", &[(Npt, 2), (Cavalry, 2)]);
    set(&mut g, "N8", &[(Npt, 1)]);
    let mut trial = event(g, Npt, "Crazy Horse");
    trial.check_options(3);
    trial.say("to white river");
    let mut g = trial.over();
    g.contested = vec![at(&g, "N7")];
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Npt).await;
        g
    };
    let g = Trial::new(g, rule).rolls(Npt, "tw").rolls(Cavalry, "tt").start().over();
    assert_eq!((here(&g, "N7").0, g.battle_vps), ([2, 0, 0, 0, 0, 0], 1));
}

/// plains-indian-wars 9.2, 10.1.2
#[test]
fn bozeman_trail_and_medicine_line() {
    let mut g = bare(2);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let mut trial = event(g.clone(), Npt, "Bozeman Trail");
    assert_eq!(trial.options().len(), 17);
    trial.say("to powder river");
    let end = trial.over();
    assert_eq!((here(&end, "PN1").0, end.contested.len()), ([2, 0, 0, 0, 1, 0], 1));

    assert!(why_not(&g, "Medicine Line").is_some());
    set(&mut g, "N7", &[(Npt, 6)]);
    set(&mut g, "Canada", &[(Npt, 1)]);
    set(&mut g, "N10", &[(Settlers, 1)]);
    let mut trial = event(g.clone(), Npt, "Medicine Line");
    trial.check_options(9);
    // Up to four to Canada, or one out of it to three regions.
    assert_eq!(trial.options().len(), 4 + 3);
    trial.say("move 4 from white river to canada");
    assert_eq!(here(&trial.over(), "Canada")[Npt], 5);
    let mut trial = event(g, Npt, "Medicine Line");
    trial.say("move 1 from canada to james river");
    assert_eq!(trial.over().contested.len(), 1);
}

/// plains-indian-wars 4.3, 11.0, 9.2
#[test]
fn what_an_event_card_moves_has_moved() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 6)]);
    set(&mut g, "Canada", &[(Npt, 1)]);
    let crossed = |g: State| {
        let mut trial = event(g, Npt, "Medicine Line");
        trial.say("move 4 from white river to canada");
        let g = trial.over();
        (g.fresh(Spot::Canada)[Npt], g.fresh(Spot::Region(at(&g, "N7")))[Npt])
    };
    assert_eq!(crossed(g.clone()), (1, 2));
    // Three of the six have moved by a movement card, so only the other three can cross.
    let n7 = usize::from(at(&g, "N7").0);
    g.moved[n7][Npt] = 3;
    let ways = |g: State| event(g, Npt, "Medicine Line").words();
    let four = "move 4 from white river to canada".to_owned();
    assert!(!ways(g.clone()).contains(&four));
    assert_eq!(ways(g.clone()).iter().filter(|way| way.contains("white river to canada")).count(), 3);
    let n7 = usize::from(at(&g, "N7").0);
    g.moved[n7][Npt] = 6;
    g.moved[g.c.place(Spot::Canada)][Npt] = 1;
    assert!(why_not(&g, "Medicine Line").is_some());
    // Geronimo takes his whole force along, and it stays in Mexico for the round.
    let mut g = bare(2);
    set(&mut g, "S7", &[(Spt, 3)]);
    set(&mut g, "Mexico", &[(Spt, 1)]);
    let s7 = usize::from(at(&g, "S7").0);
    g.moved[s7][Spt] = 2;
    let g = event(g, Spt, "Geronimo").over();
    assert_eq!((here(&g, "Mexico")[Spt], g.fresh(Spot::Mexico)[Spt], g.moved[s7][Spt]), (4, 1, 0));
}

/// plains-indian-wars 9.2, 11.4
#[test]
fn casualties_come_back() {
    let mut g = bare(2);
    (g.casualties[Npt], g.ready[Npt]) = (6, 0);
    let mut trial = event(g.clone(), Npt, "Great Hunt");
    assert_eq!(trial.story()[0], "4 Green go from the Casualty Box to the Ready Box.");
    trial.say("1 in cheyenne");
    let end = trial.over();
    assert_eq!((end.casualties[Npt], end.ready[Npt], here(&end, "N4")[Npt]), (2, 3, 1));
    let mut without = event(bare(2), Npt, "Great Hunt");
    assert!(without.story().iter().all(|line| !line.contains("Ready Box")), "none is lost");
    (g.casualties[Spt], g.ready[Spt]) = (3, 0);
    let mut trial = event(g.clone(), Spt, "Comanchero Trade");
    trial.say("1 in denver");
    let end = trial.over();
    assert_eq!((end.casualties[Spt], end.ready[Spt]), (0, 2));
    (g.casualties[Cavalry], g.ready[Cavalry]) = (7, 1);
    let mut trial = event(g, Cavalry, "Recruiting Depot");
    trial.say("1 in sacramento");
    let end = trial.over();
    assert_eq!((end.casualties[Cavalry], end.ready[Cavalry], here(&end, "Sacramento")[Cavalry]), (0, 7, 1));
}

/// plains-indian-wars 9.2
#[test]
fn geronimo_strikes_all_around_and_goes_to_mexico() {
    let mut g = bare(2);
    set(&mut g, "S7", &[(Spt, 3), (Npt, 1)]);
    set(&mut g, "S2", &[(Settlers, 1), (Cavalry, 2)]);
    set(&mut g, "S6", &[(Settlers, 1)]);
    set(&mut g, "S8", &[(Spt, 1), (Settlers, 1)]);
    set(&mut g, "PS2", &[(Enemies, 2)]);
    // The lone Green cube rolls a die of its own. Contested regions are hit; Purple cubes alone are
    // not.
    let mut trial = event_with(g.clone(), Spt, "Geronimo", &[(Npt, "wbt"), (Spt, "wtbtbb")]);
    trial.check_options(3);
    // The option for each region that he can strike from lists the cubes that he would hit.
    let hit = |id: &str| format!("{} ({})", g.name(at(&g, id)), tell_cubes(&here(&g, id)));
    let note = trial.options().swap_remove(0).note;
    assert!(["S2", "S6", "S8"].iter().all(|id| note.contains(&hit(id))) && !note.contains(&hit("PS2")), "{note}");
    trial.say("to upper arkansas");
    let end = trial.over();
    assert_eq!((here(&end, "S2").0, here(&end, "S6").0, end.battle_vps), ([0; 6], [0; 6], 1));
    assert_eq!((here(&end, "S8").0, here(&end, "PS2")[Enemies]), ([0, 1, 0, 0, 0, 0], 2));
    assert_eq!((here(&end, "S7").0, here(&end, "Mexico")[Spt]), ([1, 0, 0, 0, 0, 0], 3), "Green stays (4.4)");
}

/// plains-indian-wars 9.2, 12.1.2, 12.1.2.1, 4.6
#[test]
fn geronimo_strikes_lone_wagons_with_two_of_the_dice() {
    let mut g = bare(2);
    set(&mut g, "S7", &[(Spt, 1), (Npt, 2)]);
    set(&mut g, "S2", &[(Wagons, 2)]);
    set(&mut g, "PS2", &[(Wagons, 1), (Enemies, 1)]);
    // Three dice. Two that count destroy a Wagon of Dodge City; one at Raton removes the Purple
    // cube that protects the other.
    let dice = [(Npt, "tbwb"), (Spt, "wb")];
    let end = event_with(g.clone(), Spt, "Geronimo", &dice).over();
    assert_eq!((here(&end, "S2")[Wagons], end.destroyed, here(&end, "PS2").0), (1, 1, [0, 0, 0, 0, 0, 1]));
    // A single one that counts is ignored, and a Wagon spared by a Treaty is no target.
    set(&mut g, "PS2", &[]);
    let end = event_with(g.clone(), Spt, "Geronimo", &[(Npt, "tb"), (Spt, "b")]).over();
    assert_eq!((here(&end, "S2")[Wagons], end.destroyed), (2, 0));
    let mut spared = g.clone();
    spared.spared[usize::from(at(&g, "S2").0)] = 2;
    assert_eq!(event_with(spared, Spt, "Geronimo", &[]).over().destroyed, 0);
    // A region with more Indians than US cubes is neither held by the US nor contested; with four
    // players Wagons count as US cubes.
    let mut four = bare(4);
    set(&mut four, "S7", &[(Spt, 2)]);
    set(&mut four, "S2", &[(Npt, 2), (Wagons, 1)]);
    set(&mut four, "S6", &[(Npt, 1), (Wagons, 1)]);
    let end = event_with(four, Spt, "Geronimo", &[(Spt, "wt")]).over();
    assert_eq!((here(&end, "S2")[Wagons], here(&end, "S6")[Wagons]), (1, 0));
}

/// plains-indian-wars 9.2, 12.1.2
#[test]
fn lozen_and_black_kettle() {
    let mut g = bare(2);
    set(&mut g, "S7", &[(Spt, 2)]);
    let mut trial = event(g.clone(), Spt, "Lozen");
    trial.say("to upper arkansas");
    let end = trial.over();
    assert_eq!((here(&end, "S7")[Spt], end.fx.fierce.clone()), (4, vec![at(&end, "S7")]));
    // She moves with her force: Treaties of the two that march count as hits at their destination.
    let mut march_on = end;
    set(&mut march_on, "S6", &[(Settlers, 2)]);
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::new(Spt, 1, 1)).await;
        engagements(&t, &mut g, Spt).await;
        g
    };
    let mut trial = Trial::new(march_on, rule).rolls(Spt, "tt").rolls(Settlers, "tt").start();
    trial.say("move 2 from upper arkansas to cimarron").say("done");
    assert_eq!(here(&trial.over(), "S6").0, [0, 2, 0, 0, 0, 0]);

    let mut trial = event(g.clone(), Spt, "Black Kettle");
    trial.say("1 in upper arkansas");
    let mut g = trial.over();
    assert!(g.fx.black_kettle);
    g.region_mut(at(&bare(2), "S7"))[Cavalry] = 2;
    g.ready[Cavalry] -= 2;
    set(&mut g, "S6", &[(Settlers, 1)]);
    g.contested = vec![at(&g, "S7")];
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Spt).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Spt, "bb").rolls(Cavalry, "ww").start();
    assert_eq!(trial.asked(), [(Seat(0), "black-kettle")]);
    trial.check_options(3);
    trial.say("yes").say("to cimarron");
    let g = trial.over();
    assert_eq!((here(&g, "S7").0, here(&g, "S6")[Cavalry], g.fx.black_kettle), ([0, 3, 0, 0, 0, 0], 2, false));
}

/// plains-indian-wars 9.2, 10.3.2
#[test]
fn buffalo_soldiers_join_a_garrison() {
    let mut g = bare(2);
    assert!(why_not(&g, "Buffalo Soldiers").is_some());
    set(&mut g, "N2", &[(Settlers, 1)]);
    set(&mut g, "N3", &[(Enemies, 1)]);
    let g = event(g, Cavalry, "Buffalo Soldiers").over();
    assert_eq!(here(&g, "N2").0, [0, 0, 2, 1, 0, 0]);
}

/// plains-indian-wars 9.2, 10.4
#[test]
fn scouts_and_winter() {
    let mut g = bare(2);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let mut trial = event(g.clone(), Cavalry, "Allied Scouts");
    trial.say("place 1 in powder river").say("move 2 from powder river to black hills");
    assert_eq!(here(&trial.over(), "N8")[Enemies], 2);

    let mut g = event(g, Cavalry, "Winter Campaign").over();
    set(&mut g, "N7", &[(Npt, 3), (Cavalry, 2)]);
    g.contested = vec![at(&g, "N7")];
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Cavalry).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Cavalry, "www").rolls(Npt, "tt").start();
    assert_eq!(trial.asked(), [(Seat(1), "winter-campaign")]);
    trial.check_options(3);
    trial.say("yes");
    let g = trial.over();
    assert_eq!((here(&g, "N7").0, g.fx.winter), ([0, 0, 2, 0, 0, 0], false));
    // One Blue cube rolls two dice, and none when it has fallen.
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 3), (Cavalry, 1), (Settlers, 1)]);
    (g.fx.winter, g.contested) = (true, vec![at(&g, "N7")]);
    let dice = Trial::new(g, rule).rolls(Cavalry, "tt").rolls(Settlers, "tb").rolls(Npt, "wbbb");
    let mut trial = dice.start();
    trial.say("yes").say("lose blue").say("stay");
    assert_eq!(here(&trial.now(), "N7").0, [3, 0, 0, 1, 0, 0]);
}

/// plains-indian-wars 9.2, 10.2.2
#[test]
fn the_settlers_events() {
    // Black Hills Gold.
    let mut g = bare(2);
    set(&mut g, "N8", &[(Npt, 1)]);
    let end = event(g.clone(), Settlers, "Black Hills Gold").over();
    assert_eq!((here(&end, "N8").0, end.contested.len()), ([1, 0, 0, 2, 0, 0], 1));
    // If only Enemies hold the Black Hills, they must leave (13).
    let mut held = bare(2);
    set(&mut held, "N8", &[(Enemies, 2)]);
    set(&mut held, "PN1", &[(Enemies, 1)]);
    let rule = |t, mut g: State| async move {
        events::play(&t, &mut g, Settlers, Event::BlackHillsGold, 2).await;
        engagements(&t, &mut g, Settlers).await;
        g
    };
    let mut trial = Trial::new(held, rule).start();
    trial.say("to powder river");
    assert_eq!(here(&trial.over(), "N8").0, [0, 0, 0, 2, 0, 0]);
    // Prairie Schooners.
    assert!(why_not(&g, "Prairie Schooners").is_some());
    set(&mut g, "S1", &[(Wagons, 2)]);
    let end = event(g.clone(), Settlers, "Prairie Schooners").over();
    assert_eq!(here(&end, "S2")[Wagons], 2);
    // Those in St. Louis are Wagons too.
    set(&mut g, "S1", &[]);
    set(&mut g, "St. Louis", &[(Wagons, 2)]);
    let mut trial = event(g.clone(), Settlers, "Prairie Schooners");
    trial.say("1");
    let end = trial.over();
    assert_eq!((here(&end, "N1")[Wagons], here(&end, "S1")[Wagons], here(&end, "St. Louis")[Wagons]), (1, 1, 0));
}

/// plains-indian-wars 9.2, 12.1.3
#[test]
fn buffalo_hunters_act_beside_the_railroad_or_next_to_that() {
    let mut g = bare(2);
    assert!(why_not(&g, "Buffalo Hunters").is_some());
    g.east = 1;
    set(&mut g, "N1", &[(Npt, 2), (Spt, 1), (Settlers, 1)]);
    let mut trial = event(g.clone(), Settlers, "Buffalo Hunters");
    trial.check_options(3);
    trial.say("orange");
    let end = trial.over();
    assert_eq!((here(&end, "N1").0, end.casualties[Spt]), ([2, 0, 0, 1, 0, 0], 1));
    // The first space is between Council Bluffs and Kansas River; Brown is in the former.
    set(&mut g, "N1", &[(Settlers, 1)]);
    for id in ["N2", "N6", "N3", "S5", "S1"] {
        set(&mut g, id, &[(Npt, 1)]);
    }
    let mut trial = event(g.clone(), Settlers, "Buffalo Hunters");
    trial.check_options(5);
    // North Platte is two regions away; Indian Territory is next to Kansas River, which has no
    // Brown cube.
    assert_eq!(trial.words(), ["to fort kearny", "to fort randall", "to kansas river"]);
    trial.say("to kansas river");
    let end = trial.over();
    assert_eq!((here(&end, "S1")[Npt], end.casualties[Npt]), (0, 1));
    // Without a filled space there is no railroad.
    g.east = 0;
    assert!(why_not(&g, "Buffalo Hunters").is_some());
}

/// plains-indian-wars 9.2, 7.0
#[test]
fn what_is_too_late_is_said() {
    use super::super::cards::round;
    for (name, faction, late) in [
        ("Crazy Horse", Npt, "too late for the engagements"),
        ("Winter Campaign", Cavalry, "too late for the engagements"),
        ("Pony Express", Settlers, "too late for its group"),
        ("Great Hunt", Npt, ""),
    ] {
        let mut g = bare(2);
        set(&mut g, "N4", &[(Npt, 1)]);
        let c = g.c.clone();
        let event = c.card_named(name).expect(name);
        let movement = c.deck(faction).find(|&k| c[k].is_movement()).expect("a movement card");
        let order = vec![event, movement];
        let hand = [0, 1].map(|pos| Held { card: order[pos], pos }).to_vec();
        let hands = [(g.owner(faction), hand)].into();
        *g.deck_mut(faction) = Hands { drawn: 2, hands, order, ..Hands::default() };
        let rule = move |t, mut g: State| async move {
            round(&t, &mut g, faction).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        let noted = |trial: &mut Running| {
            let played = format!("play {}", name.to_lowercase());
            trial.options().into_iter().find(|choice| choice.words == played).expect("it can be played").note
        };
        assert!(!noted(&mut trial).contains("too late"), "{name} before movement");
        trial.say(&format!("play {}", c[movement].name.to_lowercase()));
        while trial.asked()[0].1 != "card" {
            let words = trial.words();
            let last = if words.iter().any(|w| w == "done") { "done".to_owned() } else { words[0].clone() };
            trial.say(&last);
        }
        let note = noted(&mut trial);
        assert!(note.contains(late) && note.contains("too late") != late.is_empty(), "{name}: {note}");
    }
}

/// plains-indian-wars 9.2
#[test]
fn the_pony_express_changes_cards_and_carries_a_group() {
    let mut g = bare(2);
    let order: Vec<CardId> = g.c.deck(Settlers).collect();
    let hand = [0, 1].map(|pos| Held { card: order[pos], pos }).to_vec();
    let pony = g.c.card_named("Pony Express").expect("a card");
    let hands = [(g.owner(Settlers), hand)].into();
    *g.deck_mut(Settlers) = Hands { drawn: 2, hands, order, discards: vec![pony], ..Hands::default() };
    let mut trial = event(g, Settlers, "Pony Express");
    trial.check_options(5);
    trial.say("discard homestead act").say("no more");
    let mut g = trial.over();
    let names: Vec<&str> = g.hand(Settlers).map(|card| g.c[card].name.as_str()).collect();
    assert_eq!(names, ["Civil War Vets", "Exodusters"]);
    assert_eq!(g.deck(Settlers).discards.last(), Some(&pony));
    // One group may go three regions, the next one only the number on the card.
    for id in ["N1", "N2", "S1", "S2"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    set(&mut g, "St. Louis", &[(Settlers, 2)]);
    let rule = |t, mut g| async move {
        march(&t, &mut g, March::of_card(Settlers, 2, 2)).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    trial.say("move 2 from st louis to north platte");
    assert!(trial.refused("move 1 from n1 to n9").contains("farther than the 2 regions"));
    assert_eq!(here(&trial.now(), "N3")[Settlers], 2);
}

/// plains-indian-wars 9.2, 4.3
#[test]
fn the_pony_express_carries_all_of_one_group() {
    let mut g = bare(2);
    for id in ["N1", "N2", "S1", "S2"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    set(&mut g, "St. Louis", &[(Settlers, 4)]);
    g.fx.pony = true;
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        march(&t, &mut g, March::of_card(Settlers, 2, 2)).await;
        g
    })
    .start();
    trial.say("move 2 from st louis to north platte").say("move 2 from st louis to denver");
    assert!(trial.refused("move 1 from n1 to n9").contains("farther than the 2 regions"));
    let now = trial.now();
    assert_eq!([here(&now, "N3"), here(&now, "S3")].map(|cubes| cubes[Settlers]), [2, 2]);
    // With one card in the deck, only one is changed.
    let order: Vec<CardId> = g.c.deck(Settlers).take(3).collect();
    let hand = [0, 1].map(|pos| Held { card: order[pos], pos }).to_vec();
    let hands = [(g.owner(Settlers), hand)].into();
    *g.deck_mut(Settlers) = Hands { drawn: 2, hands, order, ..Hands::default() };
    let mut trial = event(g, Settlers, "Pony Express");
    trial.say("discard homestead act");
    assert_eq!((trial.asked(), trial.over().hand(Settlers).len()), (vec![], 2));
}

/// plains-indian-wars 9.2, 9.2.2, 10.0, 10.1.2, 10.2.2
#[test]
fn cards_are_played_with_few_ready_cubes_or_none() {
    for (faction, name, id) in [
        (Npt, "Bozeman Trail", "N7"),
        (Spt, "Lozen", "S7"),
        (Cavalry, "Buffalo Soldiers", "N2"),
        (Settlers, "Black Hills Gold", "N2"),
    ] {
        let mut g = bare(2);
        set(&mut g, id, &[(faction, 1)]);
        for ready in [0, 1] {
            g.ready[faction] = ready;
            assert!(why_not(&g, name).is_none(), "{name} {ready}");
        }
    }
    // Comanchero Trade and Black Kettle need a controlled orange region.
    let mut g = bare(2);
    for r in g.c.region_ids().filter(|&r| g.c[r].kind == Kind::South).collect::<Vec<_>>() {
        *g.region_mut(r) = Cubes::of(Settlers, 1);
    }
    let able = |g: &State| ["Comanchero Trade", "Black Kettle"].map(|name| why_not(g, name).is_none());
    assert_eq!(able(&g), [false; 2]);
    set(&mut g, "S7", &[(Spt, 1)]);
    assert_eq!(able(&g), [true; 2]);
    // A single Green cube crosses the Medicine Line.
    let mut g = bare(2);
    set(&mut g, "N10", &[(Npt, 1)]);
    let mut trial = event(g, Npt, "Medicine Line");
    trial.say("move 1 from james river to canada");
    assert_eq!(here(&trial.over(), "Canada")[Npt], 1);
    for (camp, ready) in [(true, 0), (false, 4)] {
        let mut g = bare(2);
        set(&mut g, "N7", &[(Npt, u8::from(camp))]);
        g.ready[Cavalry] = ready;
        let trial = event(g, Cavalry, "Custer");
        assert_eq!(trial.asked(), []);
        let end = trial.over();
        assert_eq!((here(&end, "N7")[Cavalry], end.custer.len()), (0, 0), "{camp} {ready}");
    }
}

/// plains-indian-wars 9.2.1
#[test]
fn enduring_cards_have_no_other_effect() {
    let g = bare(2);
    for name in ["Torn-up Track", "Santa Fe Trail Closed", "Union Pacific Railroad"] {
        let card = g.c.card_named(name).expect(name);
        assert!(g.c[card].event.expect("an event").endures());
        assert_eq!(format!("{:?}", event(g.clone(), g.c[card].deck, name).over().map), format!("{:?}", g.map));
    }
}

/// plains-indian-wars 9.2
#[test]
fn cubes_with_a_single_place_go_there() {
    // Two cubes hold one region of their colour, and Settlers all others.
    for (name, faction, kind, id) in [("Great Hunt", Npt, Kind::North, "N7"), ("Black Kettle", Spt, Kind::South, "S6")]
    {
        let mut g = bare(2);
        for r in g.c.region_ids().filter(|&r| g.c[r].kind == kind).collect::<Vec<_>>() {
            let other = g.c[r].id.clone();
            set(&mut g, &other, &[(Settlers, 1)]);
        }
        set(&mut g, id, &[(faction, 2)]);
        let ready = g.ready[faction];
        let new = g.c[g.c.card_named(name).expect(name)].cubes;
        let end = event(g, faction, name).over();
        assert_eq!((here(&end, id)[faction], end.ready[faction]), (2 + new, ready - new), "{name}");
    }
}

/// plains-indian-wars 9.2, 12.0
#[test]
fn who_leaves_the_black_hills_does_not_fight_there() {
    let mut g = bare(2);
    set(&mut g, "N8", &[(Npt, 2)]);
    let rule = |t, mut g: State| async move {
        events::play(&t, &mut g, Settlers, Event::BlackHillsGold, 2).await;
        march(&t, &mut g, March::new(Settlers, 1, 1)).await;
        engagements(&t, &mut g, Settlers).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    assert_eq!(trial.now().contested, [at(&trial.now(), "N8")]);
    trial.say("move 2 from black hills to north platte");
    let end = trial.over();
    assert_eq!((here(&end, "N8").0, here(&end, "N3").0), ([2, 0, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0]));
    assert!(!trial.story().iter().any(|line| line.contains("Engagement")), "{:?}", trial.story());
}

/// A cube more in each roll is one of Blue, so where no Blue is Winter Campaign waits for another engagement.
///
/// plains-indian-wars 9.2, 12.1.2
#[test]
fn winter_campaign_is_for_engagements_with_cavalry() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 2), (Settlers, 2)]);
    (g.fx.winter, g.contested) = (true, vec![at(&g, "N7")]);
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Settlers).await;
        g
    };
    let trial = Trial::new(g, rule).rolls(Settlers, "ww").rolls(Npt, "bb").start();
    assert_eq!(trial.asked(), []);
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, end.fx.winter), ([0, 0, 0, 2, 0, 0], true));
}

/// plains-indian-wars 9.2.2, 12.1.8, 12.1.4, 15.4
#[test]
fn custers_cubes_that_retreat_among_enemies_fight_again() {
    let mut g = bare(4);
    set(&mut g, "N7", &[(Npt, 2)]);
    set(&mut g, "N2", &[(Spt, 1), (Wagons, 1)]);
    let mut trial = event_with(g, Cavalry, "Custer", &[(Npt, "bbbb"), (Cavalry, "bbwwww"), (Spt, "bb")]);
    trial.say("retreat 2 blue to fort kearny").say("stay");
    let end = trial.over();
    assert_eq!(["N7", "N2"].map(|id| here(&end, id).0), [[0, 0, 2, 0, 0, 0], [0, 0, 2, 0, 0, 1]]);
    assert!(end.contested.is_empty());
}

/// plains-indian-wars 9.2.2
#[test]
fn custer_attacks_green_cubes_in_a_region_of_the_north() {
    let mut g = bare(2);
    for id in ["N7", "S7", "PN1"] {
        set(&mut g, id, &[(Npt, 2)]);
    }
    let trial = event_with(g, Cavalry, "Custer", &[(Npt, "bb"), (Cavalry, "ww")]);
    assert_eq!(trial.asked(), [], "only one of the three is in the north");
    let end = trial.over();
    assert_eq!(["N7", "S7", "PN1"].map(|id| here(&end, id).0[..3].to_vec()), [[0, 0, 4], [2, 0, 0], [2, 0, 0]]);
}
