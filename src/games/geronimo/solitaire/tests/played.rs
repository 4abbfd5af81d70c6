//! Tests of the Shaman Cards in the Solitaire Game (11.36).

use super::*;

/// geronimo 11.36, 9.2T, 9.2B, 11.31
#[test]
fn raids_are_against_missions_alone() {
    let mut g = field(&[Card::Raid], &["Comanche"]);
    let v = at(&mut g, "Comanche", "TX", 10);
    let mut trial = round_of(g.clone(), INDIANS).start();
    tells(&mut trial, "No Event: none of your Raider Tribes can raid.");
    assert_eq!(trial.asked(), [(Seat(0), "village-action")], "the card was for nothing, and the Tribe may act");
    let nm = area(&g, "NM");
    g.area_mut(nm).mission = true;
    let mut trial = round_of(g, INDIANS).dice("raid", [0]).start();
    trial.check_options(5);
    refused_by(&mut trial, "11.36", "comanche raid settlement in texas");
    refused_by(&mut trial, "11.36", "comanche raid mexico");
    trial.say("comanche raid mission in new mexico");
    let g = trial.over();
    assert!(!g.area(nm).mission && g.village(v).actions == 1 && g.village(v).finished);
}

/// geronimo 11.36, 9.2Z, 9.2D, 9.2F, 9.2V, 9.2Q, 9.2AA, 9.2Y
#[test]
fn cards_for_a_tribe_are_ignored_in_us_rounds() {
    use Card::{BadBlood, BloodLust, PeaceChief, Rampage, Scouts, ShamanMedicine, Smallpox};
    for card in [ShamanMedicine, BadBlood, BloodLust, Rampage, PeaceChief, Smallpox, Scouts] {
        let mut g = field(&[card], &[]);
        drawn_before(&mut g, "Apache");
        assert!(matches!(cards::standing(&g, US, card), Standing::Ignored(_)), "{}", card.name());
        let trial = round_of(g, US).start();
        assert_eq!(trial.asked(), [(Seat(0), "column-play")], "{}", card.name());
    }
}

/// geronimo 11.36, 9.2Z, 9.2F, 9.2Q, 9.2AA, 9.2Y
#[test]
fn cards_for_a_tribe_are_for_the_one_drawn() {
    // The Kiowa were drawn earlier; the card affects the Comanche without a question.
    let after = |card: Card, dice: &[i64]| {
        let mut g = field(&[card], &["Comanche"]);
        at(&mut g, "Comanche", "TX", 10);
        drawn_before(&mut g, "Kiowa");
        let trial = round_of(g, INDIANS).dice("smallpox", dice.iter().copied()).start();
        let g = trial.now();
        (g.village(village(&g, "Comanche")).clone(), g.village(village(&g, "Kiowa")).clone())
    };
    let (comanche, kiowa) = after(Card::ShamanMedicine, &[]);
    assert!(comanche.shaman_medicine && !kiowa.shaman_medicine);
    let (comanche, kiowa) = after(Card::BloodLust, &[]);
    assert!(comanche.blood_lust && !kiowa.blood_lust);
    let (comanche, kiowa) = after(Card::PeaceChief, &[]);
    assert!(comanche.peace_chief && !kiowa.peace_chief);
    let (comanche, kiowa) = after(Card::Smallpox, &[6]);
    assert_eq!((comanche.bps, comanche.finished, kiowa.bps), (9, true, 7));
    // The Comanche may not Scout; the Crow may.
    let mut g = field(&[Card::Scouts, Card::Scouts], &["Comanche", "Crow"]);
    let mut trial = round_of(g.clone(), INDIANS).start();
    tells(&mut trial, "Scouts is Ignored");
    g.solo.tribal.pop();
    let mut trial = round_of(g, INDIANS).start();
    assert_eq!(trial.asked(), [(Seat(0), "scouts")]);
    trial.check_options(3);
    trial.say("scout crow");
    let g = trial.now();
    assert!(g.village(village(&g, "Crow")).scouting);
}

/// geronimo 11.36, 9.2D, 11.37
#[test]
fn bad_blood_makes_the_tribe_drawn_attack_and_leaves_its_other_villages_free() {
    let mut g = field(&[Card::BadBlood], &["Cheyenne"]);
    let (north, south) = (at(&mut g, "Northern", "WY", 5), at(&mut g, "Southern", "CO", 5));
    at(&mut g, "Ute", "CO", 4);
    let mut trial = round_of(g, INDIANS).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
    assert_eq!(trial.asked(), [(Seat(0), "compelled-attack")]);
    trial.say("southern cheyenne war party of 5 attacks ute village in colorado");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    assert_eq!(trial.asked(), [(Seat(0), "village-action")]);
    refused_by(&mut trial, "6.8", "southern cheyenne relocate to kansas");
    trial.say("northern cheyenne relocate to montana");
    let g = trial.over();
    assert_eq!((g.village(north).actions, g.village(south).actions), (1, 1));
    assert!(g.parties.is_empty());
}

/// geronimo 11.36, 9.2K
#[test]
fn ghost_towns_are_the_lowest_mines_of_the_us_and_the_highest_of_the_indians() {
    let ghost = |hat: Seat| {
        let mut g = field(&[Card::GhostTowns], &["Ute"]);
        for code in ["MT", "CO", "AZ"] {
            let a = area(&g, code);
            while let Some(at) = g.mine_cup.iter().position(|&id| g.c[id].area == a) {
                let id = g.mine_cup.remove(at);
                g.area_mut(a).mines.push(state::MineState { id, hit: false });
            }
        }
        let values: Vec<i32> = g
            .areas
            .iter()
            .flat_map(|a| &a.mines)
            .map(|mine| &g.c[mine.id])
            .filter(|mine| !mine.lode)
            .map(|mine| mine.value)
            .collect();
        let trial = round_of(g.clone(), hat).start();
        assert_eq!(trial.asked(), [(Seat(0), "ghost-towns")]);
        let listed = trial.options();
        let wanted = if hat == US { values.iter().min() } else { values.iter().max() };
        let wanted = format!("value {}", wanted.expect("a Mine"));
        assert!(listed.len() > 1 && listed.iter().all(|choice| choice.note.contains(&wanted)), "{listed:?}");
    };
    ghost(US);
    ghost(INDIANS);
}

/// geronimo 11.36, 9.2H, 8.22, 9.2W
#[test]
fn agency_corruption_ends_the_peace_policy_or_empties_the_reservation() {
    let mut g = field(&[Card::AgencyCorruption], &["Ute"]);
    let here: Vec<_> = g.village_ids().filter(|&v| !g.in_play(v)).collect();
    let flathead = village(&g, "Flathead");
    assert_eq!(here.len(), 10);
    // For the US the card ends the Peace Policy; otherwise it has no effect.
    assert!(matches!(cards::standing(&g, US, Card::AgencyCorruption), Standing::NoEvent(_)));
    g.fx.peace_policy = true;
    let mut trial = round_of(g.clone(), US).start();
    trial.say("done");
    assert!(!trial.over().fx.peace_policy);
    // For the Indians there is a DR for each Village; on a 9 the Village leaves.
    let dice = here.iter().map(|&v| if v == flathead { 9 } else { 8 });
    let mut trial = round_of(g.clone(), INDIANS).dice("agency corruption", dice).start();
    trial.say("pass");
    let end = trial.over();
    assert!(end.in_play(flathead) && end.village(flathead).dormant && end.fx.peace_policy);
    assert_eq!(end.village_ids().filter(|&v| !end.in_play(v)).count(), 9);
    // A Reform Movement replaces the dice and is then over.
    g.fx.reform_movement = true;
    let mut trial = round_of(g, INDIANS).start();
    trial.say("pass");
    let end = trial.over();
    assert!(!end.in_play(flathead) && !end.fx.reform_movement);
}

/// geronimo 11.36, 9.2C
#[test]
fn atrocity_and_reprisal_makes_the_us_attack_a_leader_of_aggression_2() {
    let mut g = field(&[Card::AtrocityAndReprisal], &[]);
    drawn_before(&mut g, "Apache");
    drawn_before(&mut g, "Ute");
    let chiricahua = at(&mut g, "Chiricahua", "AZ", 6);
    at(&mut g, "Ute", "AZ", 4);
    column(&mut g, "Miles", "UT", 8);
    assert!(matches!(cards::standing(&g, US, Card::AtrocityAndReprisal), Standing::Ignored(_)), "nobody is near");
    column(&mut g, "Crook", "AZ", 8);
    let mut trial = round_of(g.clone(), US).any_dice([9, 4, 0]).start();
    trial.check_options(10);
    for words in ["done", "miles moves to nevada", "crook attacks ute village"] {
        refused_by(&mut trial, "9.2C", words);
    }
    trial.say("crook attacks chiricahua village").say("stand");
    while trial.asked() == [(Seat(0), "column-loss")] {
        let first = trial.options()[0].words.clone();
        trial.say(&first);
    }
    let end = trial.now();
    assert_eq!((end.village(chiricahua).attacked_in, end.tally[0].vps), (21, 0));
    // Without Cochise there is no leader to attack.
    let cochise = chief(&g, "Cochise");
    g.chiefs[cochise.index()].killed = true;
    let mut trial = round_of(g, US).start();
    tells(&mut trial, "Atrocity and Reprisal is Ignored");
    trial.say("done");
    trial.over();
}

/// geronimo 11.36, 9.2C
#[test]
fn atrocity_and_reprisal_makes_the_tribe_drawn_attack_a_leader_of_aggression_2() {
    let mut g = field(&[Card::AtrocityAndReprisal], &["Arapaho"]);
    let v = at(&mut g, "Arapaho", "CO", 9);
    let mild = column(&mut g, "Howard", "CO", 5);
    let aggression = |g: &State, surname: &str| g.c[testing::commander(g, surname)].aggression;
    assert!(aggression(&g, "Howard") < 2 && aggression(&g, "Harney") == 2);
    let mut trial = round_of(g.clone(), INDIANS).start();
    tells(&mut trial, "Atrocity and Reprisal is Ignored");
    column(&mut g, "Harney", "WY", 3);
    // A Tribe of an earlier Round is Finished, and one that was not drawn does nothing.
    drawn_before(&mut g, "Comanche");
    for name in ["Comanche", "Ute"] {
        at(&mut g, name, "CO", 5);
    }
    let mut trial = round_of(g, INDIANS).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    assert_eq!(trial.asked(), [(Seat(0), "compelled-attack")]);
    assert!(trial.words().iter().all(|words| words.starts_with("arapaho ")), "{:?}", trial.words());
    trial.check_options(5);
    refused_by(&mut trial, "9.2C", "arapaho war party of 5 attacks column howard in colorado");
    refused_by(&mut trial, "9.2C", "arapaho war party of 5 attacks settlement in colorado");
    refused_by(&mut trial, "9.2C", "pass");
    trial.say("arapaho war party of 5 attacks column harney in wyoming");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    let g = trial.over();
    assert!(g.village(v).finished && g.parties.is_empty());
    assert!(g.column(mild).is_some_and(|k| k.attacked_in == 0));
}

/// geronimo 11.36, 9.2FF, 6.7
#[test]
fn an_alliance_takes_friends_out_of_the_next_five_cards_and_acts_twice() {
    let deck = ["Arapaho", "Crow", "Kiowa", "Sioux", "Ute", "Navajo", "Comanche"];
    let mut g = field(&[Card::TribalAlliances], &deck);
    let arapaho = at(&mut g, "Arapaho", "CO", 9);
    let kiowa = at(&mut g, "Kiowa", "KS", 7);
    at(&mut g, "Comanche", "KS", 9);
    at(&mut g, "Crow", "KS", 2);
    let a = area(&g, "KS");
    let before = (g.area(a).settlements, g.area(a).rrs);
    let mut trial = round_of(g, INDIANS).dice("resource attack", [5, 5]).start();
    tells(&mut trial, "The next Tribal Cards: Crow, Kiowa, Sioux, Ute and Navajo.");
    trial.check_options(20);
    let sixth = trial.read("alliance in kansas with arapaho 4 and comanche 5 attacks settlement");
    assert!(sixth.is_err(), "the sixth card has not been looked at: {sixth:?}");
    refused_by(&mut trial, "6.71", "alliance in kansas with arapaho 4 and crow 2 attacks settlement");
    refused_by(&mut trial, "6.71", "alliance in kansas with arapaho 4 attacks settlement");
    trial.say("alliance in kansas with arapaho 4 and kiowa 5 attacks settlement");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    assert_eq!(trial.asked(), [(Seat(0), "village-action")], "Allied Tribes take two actions");
    assert_eq!(trial.now().parties.len(), 2);
    trial.say("alliance attacks rr in kansas");
    while trial.asked() == [(Seat(0), "reaction")] {
        trial.say("no reaction");
    }
    let g = trial.over();
    assert!(g.parties.is_empty() && g.alliances.is_empty());
    assert_eq!((g.area(a).settlements, g.area(a).rrs), (before.0 - 1, before.1 - 1));
    for v in [arapaho, kiowa] {
        assert_eq!((g.village(v).actions, g.village(v).finished), (2, true));
    }
    // The other cards keep their places; four of them are known.
    let left: Vec<&str> = g.solo.tribal.iter().rev().map(|card| g.c[card.tribe].name.as_str()).collect();
    assert_eq!(left, ["Crow", "Sioux", "Ute", "Navajo", "Comanche"]);
    assert_eq!(g.solo.looked_at().count(), 4);
    assert_eq!(view::view(&g, None)["solitaire"]["next"][3], "Navajo");
}

/// geronimo 11.36, 11.37, 5.35
#[test]
fn a_column_that_tried_against_an_alliance_lets_it_go_home() {
    let mut g = field(&[Card::TribalAlliances], &["Arapaho", "Kiowa"]);
    for name in ["Arapaho", "Kiowa"] {
        at(&mut g, name, "KS", 5);
    }
    g.columns.clear();
    column(&mut g, "Miles", "KS", 5);
    let attack = "alliance in kansas with arapaho 4 and kiowa 5 attacks settlement";
    let tried = |reaction: &str, dice: &[i64]| {
        let mut trial = round_of(g.clone(), INDIANS).any_dice([9]).any_dice(dice.iter().copied()).start();
        trial.say(attack).say(reaction).say("pass");
        trial
    };
    assert!(tried("react miles", &[9]).over().parties.is_empty());
    assert_eq!(tried("no reaction", &[]).asked(), [(Seat(0), "reaction")], "he may still try when it goes home");
}

/// geronimo 11.36
#[test]
fn an_alliance_is_one_of_the_tribe_drawn() {
    let mut g = field(&[Card::TribalAlliances], &["Ute", "Arapaho", "Kiowa"]);
    for name in ["Arapaho", "Kiowa"] {
        at(&mut g, name, "KS", 5);
    }
    let mut trial = round_of(g, INDIANS).start();
    refused_by(&mut trial, "11.36", "alliance in kansas with arapaho 4 and kiowa 5 attacks settlement");
    trial.say("pass");
    let g = trial.over();
    assert_eq!((g.solo.tribal.len(), g.solo.seen), (2, 2), "nobody was taken out");
}

/// geronimo 11.36, 9.2A
#[test]
fn the_civil_war_is_ignored_after_twenty_cards() {
    let mut g = alone(Scenario::Campaign);
    g.round = 21;
    assert!(matches!(cards::standing(&g, US, Card::AmericanCivilWar), Standing::Ignored(_)));
    assert!(matches!(cards::standing(&g, INDIANS, Card::AmericanCivilWar), Standing::Ignored(_)));
    g.round = 20;
    assert!(!matches!(cards::standing(&g, US, Card::AmericanCivilWar), Standing::Ignored(_)));
}

/// geronimo 11.36, 9.2X, 9.13
#[test]
fn the_card_drawn_is_played_and_nobody_may_discard_it() {
    let mut g = field(&[Card::ReservationUnrest], &[]);
    g.turn = g.turns.1;
    let mut trial = round_of(g, US).dice("reservation unrest", [0]).start();
    // Even in the last Turn the card comes up by chance; there is no choice of cards.
    assert_eq!(trial.asked(), [(Seat(0), "column-play")]);
    tells(&mut trial, "Reservation Unrest among the");
    trial.say("done");
    assert_eq!(trial.over().pile.len(), 1);
}
