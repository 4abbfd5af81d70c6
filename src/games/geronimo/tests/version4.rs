//! What version 4 amends, each rule on both versions: what it was, and what it is (docs/geronimo.md, "Amendments").

use super::{amendments::under, *};
use crate::games::geronimo::{
    Order,
    card::Card,
    events::card_and_event,
    order::Target,
    state::{Alliance, ColumnId, Place},
    testing::column,
};

/// Custer, Terry and Miles in Wyoming, and the Arapaho of B.
fn wyoming() -> (State, [ColumnId; 3]) {
    let mut g = field();
    let ids = ["Custer", "Terry", "Miles"].map(|name| column(&mut g, name, "WY", 5));
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    (g, ids)
}

/// Who stays together with whom.
fn groups(g: &State, ids: &[ColumnId]) -> Vec<Option<u16>> {
    ids.iter().map(|&id| g.column(id).and_then(|k| k.group)).collect()
}

/// The Arapaho attack the Mine in Wyoming; two Columns that react succeed, and coordinate.
fn attacked(g: &State, version: u32) -> Running {
    let mut trial = b_round(under(g, version))
        .dice("resource attack", [9])
        .dice("reaction", [0, 0])
        .dice("coordination", [0])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say("arapaho war party of 4 attacks mine in wyoming");
    trial
}

/// geronimo 5.723, 5.33, 5.724
#[test]
fn united_columns_may_separate_to_attack() {
    let (mut g, ids) = wyoming();
    g.columns.iter_mut().for_each(|k| k.group = Some(99));
    party(&mut g, "Arapaho", 4, &[], "WY");
    let alone = "custer alone attacks arapaho war party";
    let mut third = us_round(under(&g, 3)).start();
    assert!(third.read(alone).is_err(), "version 3 does not know the word");
    assert!(third.words().iter().all(|words| !words.contains("alone")));
    let target = Target::Party { name: "Arapaho".into() };
    assert!(third.order(Order::ColumnAttack { columns: vec!["Custer".into()], target, alone: true }).is_err());
    // One play: two more are left, for one that stayed together with Custer too.
    let battle = |g: State| us_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]);
    let mut fourth = battle(under(&g, 4)).start();
    fourth.check_options(60);
    assert!(fourth.words().contains(&alone.to_owned()), "{:?}", fourth.words());
    assert_eq!(fourth.read("attack arapaho war party with custer alone"), fourth.read(alone));
    fourth.say(alone).say("stand");
    assert!(fourth.story().iter().any(|line| line.starts_with("Battle in Wyoming: Custer, 5 BPs")));
    assert_eq!(groups(&fourth.now(), &ids), [None, Some(99), Some(99)], "the others stay together");
    refused_by(&mut fourth, "5.33", "custer attacks arapaho village");
    refused_by(&mut fourth, "5.724", "terry attacks arapaho village");
    fourth.say("terry moves to montana").say("done");
    let end = fourth.over();
    assert_eq!(ids.map(|id| end.column(id).is_some_and(|k| k.played_in == 5)), [true, true, false]);
    // Without the word it is all of them, as before, and the whole Round.
    for version in [3, 4] {
        let mut trial = battle(under(&g, version)).start();
        trial.say("custer attacks arapaho war party").say("stand");
        assert!(trial.story().iter().any(|line| line.contains("15 BPs")));
        assert_eq!(groups(&trial.over(), &ids), [Some(99); 3]);
    }
    // Who has combined with nobody is alone anyway.
    g.columns.iter_mut().for_each(|k| k.group = None);
    let mut trial = us_round(under(&g, 4)).start();
    refused_by(&mut trial, "5.723", alone);
    assert!(trial.words().iter().all(|words| !words.contains("alone")));
}

/// geronimo 5.723, 5.71, 5.72
#[test]
fn columns_that_separate_may_try_to_coordinate_anew() {
    let (mut g, ids) = wyoming();
    for &id in &ids[..2] {
        g.column_mut(id).expect("just placed").group = Some(99);
    }
    let trial = |version: u32| us_round(under(&g, version)).dice("coordination", [9, 0]).any_dice([0; 2]).start();
    refused_by(&mut trial(3), "5.723", "custer with miles attacks arapaho village");
    refused_by(&mut trial(4), "5.723", "custer with miles attacks arapaho village");
    let mut trial = trial(4);
    trial.say("custer with terry and miles alone attacks arapaho village");
    trial.say("wait").say("wait").say("stand").say("stay together");
    let end = trial.over();
    let now = groups(&end, &ids);
    assert!(now[0].is_some() && now[0] == now[2] && now[1].is_none(), "Terry did not join: {now:?}");
    assert!(end.columns.iter().all(|k| k.played_in == 5));
}

/// geronimo 5.723, 5.35, 5.71
#[test]
fn columns_that_coordinated_a_reaction_may_stay_together() {
    let (g, ids) = wyoming();
    let reacted = |version: u32| {
        let mut trial = attacked(&g, version);
        trial.say("react custer, terry together").say("wait").say("stand");
        trial
    };
    let mut third = reacted(3);
    assert_eq!(third.asked(), [(B, "post-action")]);
    third.say("stay");
    assert_eq!(groups(&third.over(), &ids), [None; 3]);
    let mut fourth = reacted(4);
    assert_eq!(fourth.asked(), [(US, "group")]);
    fourth.check_options(5);
    fourth.say("stay together").say("stay");
    let united = fourth.over();
    let now = groups(&united, &ids);
    assert!(now[0].is_some() && now[0] == now[1] && now[2].is_none(), "{now:?}");
    assert_eq!(groups(&reacted(4).say("separate").say("stay").over(), &ids), [None; 3]);

    // Two that have combined are two of the three that can coordinate; with a third they all stay or all separate.
    let mut g = united;
    let fourth_column = column(&mut g, "Crook", "WY", 5);
    for party in g.parties.iter().map(|p| p.id).collect::<Vec<_>>() {
        g.bring_home(party);
    }
    for v in g.village_ids().collect::<Vec<_>>() {
        (g.village_mut(v).actions, g.village_mut(v).finished) = (0, false);
        (g.village_mut(v).party_returned, g.village_mut(v).parties_sent) = (false, 0);
    }
    g.round += 1;
    let start = |version: u32| {
        let mut trial = attacked(&g, version);
        trial.check_options(10);
        trial
    };
    assert!(start(3).read("react custer, miles, crook together").is_ok());
    refused_by(&mut start(4), "5.71", "react custer, miles, crook together");
    let mut trial = start(4);
    trial.say("react custer, miles together").say("wait").say("stand");
    assert_eq!(trial.asked(), [(US, "group")]);
    trial.say("separate").say("stay");
    let end = trial.over();
    assert_eq!(groups(&end, &ids), [None; 3]);
    assert_eq!(groups(&end, &[fourth_column]), [None]);
}

/// geronimo 6.32
#[test]
fn the_first_war_party_must_have_been_sent_with_a_chief() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    mine(&mut g, "CO", 3);
    let v = village(&g, "Southern");
    let second = "southern cheyenne war party of 2 with roman nose attacks mine in colorado";
    let may =
        |g: &State| [3, 4].map(|version| b_round(under(g, version)).any_dice([9]).start().try_say(second).is_ok());
    // Its Chief has fallen, the War Party stands.
    let mut fell = g.clone();
    party(&mut fell, "Southern", 2, &["Bull Bear"], "CO");
    fell.village_mut(v).actions = 1;
    assert_eq!(may(&fell), [true, true]);
    let bear = chief(&fell, "Bull Bear").index();
    (fell.chiefs[bear].killed, fell.chiefs[bear].with) = (true, None);
    fell.parties[0].chiefs.clear();
    assert_eq!(may(&fell), [false, true]);
    // It was sent without one, and is wiped out.
    party(&mut g, "Southern", 2, &[], "CO");
    g.village_mut(v).actions = 1;
    assert_eq!(may(&g), [false, false]);
    g.parties.clear();
    assert_eq!(may(&g), [true, false]);
}

/// geronimo 6.75
#[test]
fn an_alliance_without_war_parties_lasts() {
    let mut g = field();
    for (tribe, seat) in [("Sioux", B), ("Cheyenne", C)] {
        hold(&mut g, tribe, seat);
    }
    let [one, two] = ["Northern", "Southern"].map(|name| village(&g, name));
    let wy = area(&g, "WY");
    for name in ["Northern", "Southern", "Teton 1", "Teton 2"] {
        let v = village(&g, name);
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(wy), 5);
    }
    column(&mut g, "Miles", "WY", 10);
    // C's Alliance has lost its War Parties; each of its Villages has one action and Chiefs left.
    g.alliances.push(Alliance { leader: C, villages: vec![one, two], parties: Vec::new() });
    for (v, name) in [(one, "Little Wolf"), (two, "Bull Bear")] {
        (g.village_mut(v).actions, g.village_mut(v).parties_sent) = (1, 1);
        let fallen = chief(&g, name).index();
        (g.chiefs[fallen].used, g.chiefs[fallen].killed) = (true, true);
    }
    let dice = |trial: Trial| trial.any_dice([0; 2]);
    let call = "alliance in wyoming with teton sioux 1 2 bps, teton sioux 2 2 attacks column miles";
    let again = "alliance in wyoming with northern cheyenne 2 bps with dull knife, southern cheyenne 2 bps with roman nose \
                 attacks column miles";
    let after = |version: u32| {
        let mut trial = dice(b_after(under(&g, version), After::Alliance)).start();
        trial.say(call);
        while let Some(&(_, kind)) = trial.asked().first() {
            let words = trial.words();
            trial.say(match kind {
                "post-action" => "stay",
                "reaction" => "no reaction",
                _ => &words[0],
            });
        }
        let mut now = trial.over();
        now.round += 1;
        Trial::new(now, |t: T, mut g: State| async move {
            operation(&t, &mut g, C, After::Operation).await;
            g
        })
    };
    refused_by(&mut after(3).start(), "6.71", again);
    let mut trial = dice(after(4)).start();
    trial.say(again);
    let end = trial.now();
    assert_eq!(end.alliances.iter().filter(|a| a.leader == C).count(), 1, "it is the same Alliance");
    assert_eq!(end.alliances.iter().filter(|a| a.leader == B).count(), 1);
    assert!(legal::faults(&end).is_empty());
}

/// A card of B's, and the random event that it may bring, by version.
fn played(g: &State, version: u32, card: Card) -> Running {
    let mut g = under(g, version);
    g.variant.random_events = true;
    let rule = move |t: T, mut g: State| async move {
        card_and_event(&t, &mut g, B, card).await;
        g
    };
    Trial::new(g, rule).start()
}

const ROLL: [(Seat, &str); 1] = [(B, "random-event")];

/// Who holds no Scout Tribe must Ignore the card, and may roll; who has one and keeps it back is asked too, or it would show, but has no
/// more than one answer.
/// geronimo 9.2Y, 9.14, 12.1, 12.12
#[test]
fn scouts_that_nobody_can_give_bring_a_random_event() {
    let answers = |version: u32, held: &str| {
        let mut g = field();
        deal_to(&mut g, held, B);
        let mut trial = played(&g, version, Card::Scouts);
        trial.say("nobody");
        let story = trial.story();
        let asked = trial.asked();
        (if asked == ROLL { trial.words() } else { Vec::new() }, asked, story)
    };
    assert_eq!(answers(3, "Ute").1, []);
    assert_eq!(answers(3, "Crow").1, []);
    let (without, with) = (answers(4, "Ute"), answers(4, "Crow"));
    assert_eq!((&without.1, &without.2), (&with.1, &with.2), "nobody can tell one from the other");
    assert_eq!(without.0, ["no roll", "roll"]);
    assert_eq!(with.0, ["no roll"]);
    // Whoever gives Scouts has played the card.
    let mut g = field();
    deal_to(&mut g, "Crow", B);
    assert_eq!(played(&g, 4, Card::Scouts).say("crow").asked(), []);
}

/// geronimo 9.2D, 9.13, 12.1
#[test]
fn bad_blood_without_effect_is_no_event() {
    let mut g = field();
    hold(&mut g, "Crow", C);
    let named = |g: &State, version: u32, tribe: &str| played(g, version, Card::BadBlood).say(tribe).asked();
    assert_eq!((named(&g, 3, "ute"), named(&g, 4, "ute")), (vec![], ROLL.to_vec()), "nobody plays the Ute");
    let crow = village(&g, "Crow");
    assert_eq!(named(&g, 4, "crow"), [(C, "compelled-attack")]);
    g.village_mut(crow).finished = true;
    assert_eq!((named(&g, 3, "crow"), named(&g, 4, "crow")), (vec![], ROLL.to_vec()), "the Crow are Finished");
}

/// geronimo 9.2F, 9.2Q, 9.13, 12.1
#[test]
fn blood_lust_and_peace_chief_that_find_nobody_are_no_event() {
    // Nobody holds any Tribe: B asks for them all.
    let g = field();
    for card in [Card::BloodLust, Card::PeaceChief] {
        for (version, asked) in [(3, vec![]), (4, ROLL.to_vec())] {
            let mut trial = played(&g, version, card);
            while trial.asked().first().is_some_and(|asked| asked.1 != "random-event") {
                let words = trial.words();
                trial.say(&words[0]);
            }
            assert_eq!(trial.asked(), asked, "{card:?}, version {version}");
        }
    }
    // One that is found has had its effect.
    let mut g = field();
    hold(&mut g, "Crow", C);
    assert_eq!(played(&g, 4, Card::PeaceChief).say("crow").asked(), []);
}
