//! What version 5 of the rules does otherwise, each rule by version 4 and by version 5; and what is read and told since then.

use super::{
    super::{
        action, activation, atrocity,
        battle::{self},
        components::*,
        homes,
        order::{Aim, Count, Order, Which},
        raid, reaction, setup,
        state::*,
        testing::*,
        victory,
    },
    board::{board, condition, head, set, stand},
};
use crate::table::{Seat, status::Condition};

fn by(version: u32, g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

fn acting(g: State) -> Running {
    Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [1])
    .dice("initiative, NA", [6])
    .any_dice([6; 12])
    .start()
}

/// The Shawnee at war at S5, the first with a rifle, settlers at K2.
fn raiders() -> (State, Vec<UnitId>) {
    let mut g = war();
    g.season = Season::Summer;
    at_war(&mut g, "Shawnee", 3);
    let units = put(&mut g, "Shawnee", 3, "S5");
    g.unit_mut(units[0]).rifle = true;
    lead(&mut g, "Blue Jacket", "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 2;
    (g, units)
}

/// dark-and-bloody-ground 9.3, 12.0.1, 14.0.2
#[test]
fn those_without_rifles_go_first() {
    let (mut g, units) = raiders();
    let s5 = Spot::On(at(&g, "S5"));
    let taken = |version: u32, words: &str| {
        let mut trial = acting(by(version, &g));
        trial.say(words);
        let now = trial.now();
        units.iter().map(|&u| now.unit(u).spot != s5).collect::<Vec<_>>()
    };
    for words in ["raid 1 shawnee and blue jacket from s5 to k2", "move 1 shawnee from s5 to s4"] {
        assert_eq!(taken(4, words), [true, false, false], "{words}");
        assert_eq!(taken(5, words), [false, true, false], "{words}");
    }
    for words in ["raid 1 rifled shawnee from s5 to k2", "raid k2 with a shawnee with a rifle from s5"] {
        assert_eq!(taken(5, words), [true, false, false], "{words}");
    }
    // Who acts on can do less than who is fresh, rifle or not; for a raid a Disrupted one is as good.
    g.unit_mut(units[1]).condition = Condition::Disrupted;
    g.unit_mut(units[2]).condition = Condition::Disrupted;
    let one = [Count::new(1, "Shawnee")];
    let act = activation::force(&g, Side::Na, s5, &one).expect("it is there").units;
    let raid = activation::raiders(&g, s5, &one).expect("it is there").units;
    assert_eq!((act, raid), (vec![units[0]], vec![units[1]]));
    // A preview says so where rifles go along though others could.
    let mut trial = acting(by(4, &g));
    assert!(trial.cautions("raid 1 shawnee from s5 to k2").iter().any(|line| line.contains("unrifled shawnee")));
    assert!(acting(g).cautions("raid 1 shawnee from s5 to k2").is_empty());
}

/// dark-and-bloody-ground 12.0.1, 12.0.2
#[test]
fn a_leader_joins_warriors_who_raid() {
    let (g, _) = raiders();
    let words = "raid blue jacket from s5 to k2";
    let mut trial = acting(g.clone());
    assert!(trial.refused(words).contains("12.0.1"));
    trial.say("raid 2 shawnee from s5 to k2");
    let before = trial.now();
    trial.say("pass").say(words);
    let (now, k2) = (trial.now(), at(&g, "K2"));
    let blue_jacket = leader(&g, "Blue Jacket");
    assert!(now.chief(blue_jacket).raiding && now.chief(blue_jacket).spot == Spot::On(k2));
    // His MPs do not count, his rating does.
    assert_eq!(now.raids[k2.index()].mps, before.raids[k2.index()].mps);
    assert!(raid::modifiers(&now, k2).to_string().contains("Blue Jacket +3"));
    let mut trial = acting(by(4, &g));
    trial.say("raid 2 shawnee from s5 to k2").say("pass");
    assert!(trial.refused(words).contains("7.0.4"));
    // Among the options he is found too.
    let listed = |version: u32| {
        let mut trial = acting(by(version, &g));
        trial.say("raid 2 shawnee from s5 to k2").say("pass");
        trial.words().iter().any(|option| option == words)
    };
    assert_eq!((listed(5), listed(4)), (true, false));
}

/// dark-and-bloody-ground 14.0.3, T:raid-resolution-chart
#[test]
fn tecumseh_takes_no_part_in_a_raid() {
    let (mut g, _) = raiders();
    let k2 = at(&g, "K2");
    let u = put(&mut g, "Shawnee", 1, "K2")[0];
    g.unit_mut(u).raiding = true;
    let blue_jacket = lead(&mut g, "Blue Jacket", "K2");
    g.chief_mut(blue_jacket).raiding = true;
    lead(&mut g, "Tecumseh", "K2");
    let rating = |version: u32| {
        let all = raid::modifiers(&by(version, &g), k2);
        all.parts().find(|part| part.0 == "Blue Jacket").map(|part| part.1)
    };
    assert_eq!((rating(4), rating(5)), (Some(4), Some(3)));
}

/// dark-and-bloody-ground 7.0.4, 9.4.5
#[test]
fn who_is_out_of_supply_acts_once() {
    let (mut g, units) = raiders();
    let blue_jacket = leader(&g, "Blue Jacket");
    let force = Force { units: units.clone(), leaders: vec![blue_jacket] };
    let added = |version: u32, g: &State| reaction::check(&by(version, g), Side::Na, units[0], &force).drm.total();
    let before = added(5, &g);
    g.unit_mut(units[1]).starved = true;
    assert_eq!(added(5, &g), before, "it can still act");
    g.unit_mut(units[1]).acts = 1;
    assert_eq!((added(4, &g), added(5, &g)), (before, before + 1));
    g.unit_mut(units[1]).starved = false;
    assert_eq!(added(5, &g), before, "in supply it may act again");
}

/// dark-and-bloody-ground 9.2.2, 15.1.4
#[test]
fn an_ambush_lowers_no_victory() {
    let mut g = war();
    (g.commitment, g.atrocities) = (3, [2, 2]);
    let u = put(&mut g, "ohio-militia", 1, "S5")[0];
    let lost = |version: u32| {
        let end = Trial::new(by(version, &g), move |t, mut g| async move {
            atrocity::ambush(&t, &mut g, Side::Na, u).await;
            g
        })
        .any_dice([4])
        .start()
        .over();
        (end.lost, end.vps)
    };
    assert_eq!((lost(4), lost(5)), (([1, 0], [0, 2]), ([0, 0], [0, 2])));
}

/// dark-and-bloody-ground 15.1.4
#[test]
fn the_end_says_that_a_level_was_lowered() {
    let mut g = bare("harmar-1790");
    (g.started, g.lost) = ([13, 12], [0, 5]);
    let ending = victory::harmar(&g);
    assert_eq!((ending.winner, ending.level), (Some(Side::Na), "marginal"));
    assert!(
        ending.why.contains("NA is lowered from decisive to marginal: it has lost 5 of 12 units"),
        "{}",
        ending.why
    );
    let before = victory::harmar(&by(4, &g));
    assert_eq!(before.why, "no settlers in Miami and Shawnee land (15.1.4)");
    // A third is not more than a third.
    g.lost = [0, 4];
    let ending = victory::harmar(&g);
    assert_eq!((ending.level, &*ending.why), ("decisive", "no settlers in Miami and Shawnee land (15.1.4)"));
}

/// dark-and-bloody-ground 15.1.2
#[test]
fn nations_at_peace_are_one_letter() {
    let asked = |scenario: &str, version: u32| {
        let mut g = bare(scenario);
        g.turn = 0;
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            setup::campaign(&t, &mut g).await;
            g
        })
        .any_dice([3; 20])
        .start();
        let mut n = 0;
        while let Some(&(seat, _)) = trial.asked().first() {
            n += usize::from(seat == Seat(1));
            trial.check_options(2);
            let first = trial.options().remove(0);
            trial.order(first.order).unwrap_or_else(|why| panic!("{}: {why}", first.words));
        }
        let g = trial.session.over().expect("it is over").clone();
        let on_map = |name: &str| g.of_kind(g.c.warriors(nation(&g, name))).all(|u| g.unit(u).spot.area().is_some());
        assert!(["Delaware", "Ottawa", "Wyandot", "Mingo"].into_iter().all(on_map), "{scenario}");
        assert!(g.chief(leader(&g, "McKee")).spot.area().is_some());
        n
    };
    let counts = [asked("harmar-1790", 4), asked("harmar-1790", 5), asked("st-clair-1791", 5)];
    assert_eq!(counts[1], 2, "the nations at war, and the others: {counts:?}");
    assert!(counts[0] > 4 && counts[2] < counts[0], "{counts:?}");
}

fn firing(g: &State) -> Running {
    Trial::new(g.clone(), |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .any_dice([1, 6])
    .start()
}

/// dark-and-bloody-ground 10.5, 10.5.2
#[test]
fn the_nearest_of_some_is_aimed_at() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "regular", "0806");
    let (far, near) = (stand(&mut g, "Shawnee", "0809"), stand(&mut g, "Shawnee", "0805"));
    set(&mut g, near, Condition::Disrupted);
    let words = "fire at routed, else nearest sound, else disrupted";
    let mut trial = firing(&g);
    let aim = |at: &str| Aim { at: at.to_owned(), until: None };
    let order = Order::Volley { aims: vec![aim("routed"), aim("nearest sound"), aim("disrupted")], least: 1 };
    assert_eq!(trial.read(words), Ok(order.clone()));
    assert_eq!(battle::said_for_tests(&g, &order).as_deref(), Some(words));
    trial.order(order.clone()).expect("it can be followed");
    let end = trial.session.over().expect("it is over").clone();
    assert_eq!(condition(&end, far), Condition::Disrupted, "the sound one, though he is farther");
    // Two aims are parted; by versions before there is no nearest of some.
    for (words, version) in
        [("fire at routed sound", 5), ("fire at disrupted nearest", 5), (words, 4), ("fire at nearest sound", 4)]
    {
        let why = firing(&by(version, &g)).read(words).expect_err(words).to_string();
        assert!(why.contains("else"), "{words}: {why}");
    }
    assert!(firing(&by(4, &g)).order(order).is_err());
    for words in
        ["fire at nearest militia", "fire at closest shawnee, else the nearest regulars", "fire at nearest, sound"]
    {
        assert!(firing(&g).read(words).is_ok(), "{words}");
    }
}

/// dark-and-bloody-ground 10.5, 10.6
#[test]
fn orders_of_a_battle_name_several_units() {
    let mut g = board(Terrain::Settled);
    for id in ["0807", "0807"] {
        stand(&mut g, "regular", id);
    }
    for id in ["0806", "0806", "0806", "0906"] {
        stand(&mut g, "Miami", id);
    }
    head(&mut g, "Little Turtle", "0806");
    head(&mut g, "Black Hoof", "0305");
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .start();
    let with = ["Miami 1", "Miami 2", "Miami 3"].map(str::to_owned).to_vec();
    let melee = Order::Melee { at: "0807".to_owned(), with };
    for words in [
        "attack 0807 with miami 1, 2 and 3 and little turtle",
        "attack 0807 with the miami 1, the miami 2 and miami 3",
        "melee 0807 with miami 1, miami 2, miami 3",
        "miami 1, 2 and 3 attack hex 0807",
    ] {
        assert_eq!(trial.read(words), Ok(melee.clone()), "{words}");
    }
    // A leader elsewhere is no part of it, a number needs a comma or an `and`, and who is not there is not named.
    for words in [
        "attack 0807 with miami 1 and black hoof",
        "attack 0807 with little turtle",
        "attack 0807 with miami 1-3",
        "attack 0807 with miami 1, 2 and 7",
    ] {
        assert!(trial.read(words).is_err(), "{words}");
    }
    let mut trial = firing(&g);
    let shots = |list: &[(&str, &str)]| Order::Fire {
        shots: list
            .iter()
            .map(|&(who, at)| super::super::order::Shot { who: who.to_owned(), at: at.to_owned() })
            .collect(),
    };
    for (words, order) in [
        ("regular 2 fires at miami 2", shots(&[("regular 2", "Miami 2")])),
        (
            "fire regular 1 at miami 2, regular 2 at miami 2",
            shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 2")]),
        ),
        ("regular 1 and 2 fire at the miami 2", shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 2")])),
        (
            "regular 1 fires at miami 2 and regular 2 at miami 4",
            shots(&[("regular 1", "Miami 2"), ("regular 2", "Miami 4")]),
        ),
    ] {
        assert_eq!(trial.read(words), Ok(order), "{words}");
    }
    assert!(trial.read("regular 1, regular 2").is_err());
}

/// dark-and-bloody-ground 9.4.1, 9.4.2
#[test]
fn moves_are_read_as_people_write_them() {
    let mut g = war();
    put(&mut g, "kentucky-militia", 5, "U1");
    put(&mut g, "regular", 3, "U1");
    lead(&mut g, "Harmar", "U1");
    lead(&mut g, "Trotter", "U1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [6])
    .dice("initiative, NA", [1])
    .start();
    let usual = trial.read("move 5 kentucky-militia, trotter from u1 to u3, s4").expect("a move");
    for words in [
        "march the 5 kentucky militia and trotter from u1 through u3 to s4",
        "force march 5 kentucky-militia, trotter from u1 via u3 to s4",
        "5 kentucky-militia and trotter go from u1 through u3 to s4",
        "the 5 kentucky militia with trotter march from u1 to u3, then s4",
    ] {
        assert_eq!(trial.read(words), Ok(usual.clone()), "{words}");
    }
    let alone = trial.read("move harmar from u1 to u3");
    assert_eq!(trial.read("harmar goes from u1 to u3"), alone);
    assert!(trial.read("harmar goes to u3").is_err(), "from where is not said");
    for words in [
        "move harmar and his regulars from u1 to u3",
        "move the regular, harmar from u1 to u3",
        "move regulars from u1 to u3",
    ] {
        let why = trial.read(words).expect_err(words).to_string();
        assert!(why.contains("how many"), "{why}");
    }
    assert!(trial.read("move harmar and his 3 regulars from u1 to u3").is_ok());
    assert!(trial.read("5 kentucky-militia and trotter from u1 to u3").is_err(), "what they do is not said");
    let which = |words: &str| match trial.read(words) {
        Ok(Order::Move { who, .. }) => who[0].which,
        other => panic!("{words}: {other:?}"),
    };
    let mut which = which;
    assert_eq!(which("move 2 regular without rifles from u1 to u3"), Some(Which::Unrifled));
}

/// dark-and-bloody-ground 9.3, 9.5.1
#[test]
fn refusals_say_why_units_are_done() {
    let (mut g, units) = raiders();
    for &u in &units {
        (g.unit_mut(u).acts, g.unit_mut(u).done) = (1, true);
    }
    let why = acting(g).refused("raid 2 shawnee from s5 to k2");
    assert!(why.contains("3 are done") && why.contains("9.5.1"), "{why}");
    // Outside the area of the scenario no way is looked for.
    let mut g = bare("harmar-1790");
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S5");
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 1;
    let force = activation::raiders(&g, Spot::On(at(&g, "S5")), &[Count::new(1, "Shawnee")]).expect("it is there");
    assert_eq!(raid::may_raid(&g, Spot::On(at(&g, "S5")), &force, k2).expect_err("not in 1790").rule, "15.1.3");
    // It is not kept for a later turn either.
    let mut trial = acting(g);
    for words in ["raid 1 shawnee from s5 to k2", "move 1 shawnee from s5 to k2"] {
        let why = trial.read(words).expect_err(words).to_string();
        assert!(why.contains("15.1.3"), "{why}");
    }
    assert!(trial.read("raid 1 shawnee from s5 to s4").is_ok());
}

/// dark-and-bloody-ground 9.2.1, 9.5.1
#[test]
fn harm_to_ones_own_is_no_example() {
    let mut g = war();
    put(&mut g, "regular", 3, "U1");
    put(&mut g, "regular", 2, "S5");
    lead(&mut g, "Harmar", "S5");
    let s4 = at(&g, "S4");
    g.land_mut(s4).settlers = 2;
    let mut trial = Trial::new(g, |t, mut g| async move {
        action::phase(&t, &mut g).await;
        g
    })
    .dice("initiative, US", [6])
    .dice("initiative, NA", [1])
    .start();
    trial.check_options(2);
    let words = trial.words();
    let at =
        |begin: &str| words.iter().position(|option| option.starts_with(begin)).unwrap_or_else(|| panic!("{begin}"));
    assert!(at("pillage s5") < 12);
    assert!(at("pillage u1") > words.len() - 4 && at("atrocity s4") > words.len() - 4);
}

/// Names of places and of leaders are alike; the longer reading counts, and where none is longer nothing is done.
///
/// dark-and-bloody-ground 15.0, 15.1.2
#[test]
fn little_turtle_is_not_the_little_miami() {
    let mut g = bare("harmar-1790");
    g.turn = 0;
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .start();
    while trial.asked()[0].0 == Seat(0) {
        let first = trial.options().remove(0);
        trial.order(first.order).unwrap_or_else(|why| panic!("{}: {why}", first.words));
    }
    let places = |trial: &mut Running, words: &str| match trial.read(words) {
        Ok(Order::Put { lots }) => {
            lots.into_iter().map(|lot| format!("{} {} {}", lot.n, lot.what, lot.at)).collect::<Vec<_>>().join(", ")
        }
        other => panic!("{words}: {other:?}"),
    };
    for words in [
        "the 7 miami, 5 shawnee, little turtle at kekionga",
        "7 miami and the 5 shawnee and little turtle at m1",
        "7 miami with 5 shawnee, little turtle stay at kekionga",
        "7 miami m1, 5 shawnee m1, little turtle m1",
    ] {
        assert_eq!(places(&mut trial, words), "7 Miami M1, 5 Shawnee M1, 1 Little Turtle M1", "{words}");
    }
    assert_eq!(places(&mut trial, "5 shawnee, little miami"), "5 Shawnee S4");
    assert_eq!(places(&mut trial, "2 shawnee each at m1, little miami"), "2 Shawnee M1, 2 Shawnee S4");
    for words in ["5 shawnee little turtle at m1", "3 shawnee, miami, 2 miami at m1", "5 shawnee, black hoof"] {
        assert!(trial.read(words).is_err(), "{words}: {:?}", trial.read(words));
    }
}

/// dark-and-bloody-ground 15.0, 6.0.1
#[test]
fn several_things_share_a_place_and_several_places_a_number() {
    use super::super::{
        Ask,
        asking::Asking,
        lots::{Lots, item, put},
        order::Lot,
    };
    let places = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>();
    let mut trial = Trial::new(war(), move |t, mut g| async move {
        let asking = Asking { kind: Ask::Settlers, rule: "6.0.1", title: "Where settlers go" };
        let items = vec![
            item("ohio-settler", 4, places(&["M2", "S4", "S5"]), false),
            item("eastern-settler", 4, places(&["K1", "K2"]), false),
            item("Harmar", 1, places(&["K1", "S4"]), false),
        ];
        put(&t, &mut g, Seat(0), Lots::new(asking, items)).await;
        g
    })
    .start();
    let lot = |n: u8, what: &str, at: &str| Lot { n, what: what.to_owned(), at: at.to_owned() };
    let read = |trial: &mut Running, words: &str| match trial.read(words) {
        Ok(Order::Put { lots }) => lots,
        other => panic!("{words}: {other:?}"),
    };
    for (words, lots) in [
        ("1 settler to m2", vec![lot(1, "ohio-settler", "M2")]),
        ("2 settlers at k1, harmar at s4", vec![lot(2, "eastern-settler", "K1"), lot(1, "Harmar", "S4")]),
        ("2 ohio-settler and harmar at s4", vec![lot(2, "ohio-settler", "S4"), lot(1, "Harmar", "S4")]),
        ("the 2 settlers each at s4, s5", vec![lot(2, "ohio-settler", "S4"), lot(2, "ohio-settler", "S5")]),
        (
            "1 settler at s4 and k1 each, harmar stays at s4",
            vec![lot(1, "ohio-settler", "S4"), lot(1, "eastern-settler", "K1"), lot(1, "Harmar", "S4")],
        ),
    ] {
        assert_eq!(read(&mut trial, words), lots, "{words}");
    }
    for words in [
        "2 settlers at s4 and s5",
        "2 settlers, harmar",
        "the settlers at s4",
        "ohio settlers at s4",
        "1 settler at w1",
        "2 settlers each",
    ] {
        assert!(trial.read(words).is_err(), "{words}");
    }
    for words in ["2 settlers s4", "2 settlers, harmar stays at s4", "the 2 ohio settlers with harmar at s4"] {
        assert!(trial.read(words).is_ok(), "{words}");
    }
    // To leave them out is no example.
    trial.check_options(3);
    assert!(trial.words()[0] != "none" && trial.words().iter().any(|option| option == "none"), "{:?}", trial.words());
}

/// A Routed regular at 0806 with a Shawnee two hexes off and another three off.
fn running(version: u32, change: impl Fn(&mut State)) -> (Running, usize) {
    let mut g = board(Terrain::Settled);
    let routed = stand(&mut g, "regular", "0806");
    set(&mut g, routed, Condition::Routed);
    for id in ["0804", "0809"] {
        stand(&mut g, "Shawnee", id);
    }
    change(&mut g);
    let trial = Trial::new(by(version, &g), |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    });
    (trial.any_dice([4, 4, 4]).start(), routed)
}

/// dark-and-bloody-ground 10.4
#[test]
fn the_routed_run_from_the_nearest_alone() {
    // 0807 is further from the nearest, and nearer to the other.
    let listed = |version: u32| running(version, |_| ()).0.words().iter().any(|way| way.contains("0807"));
    assert_eq!([4, 5].map(listed), [false, true]);
}

/// dark-and-bloody-ground 10.2
#[test]
fn who_is_caught_by_surprise_does_not_run() {
    let stays = |version: u32, surprise: bool| {
        let (mut trial, routed) = running(version, |g| g.battle_mut().surprise = surprise);
        let at = trial.now().battle().pieces[routed].stand;
        trial.asked().is_empty() && at == trial.now().battle().pieces[routed].stand
    };
    assert_eq!([stays(4, true), stays(5, true), stays(5, false)], [false, true, false]);
}

/// dark-and-bloody-ground T:mcrt-results, 10.4
#[test]
fn no_leader_helps_in_the_check_of_a_retreat() {
    let mut g = board(Terrain::Settled);
    let i = stand(&mut g, "regular", "0806");
    head(&mut g, "Wayne", "0806");
    let passes = |version: u32| by(version, &g).check_alone(i).passes(5);
    // Commitment 3, and Wayne's rating.
    assert_eq!([4, 5].map(passes), [true, false]);
    assert!(by(5, &g).battle_check(i).passes(5), "recovery is as it was");
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn done_warns_of_units_that_are_too_many() {
    let mut g = board(Terrain::Settled);
    for _ in 0..4 {
        stand(&mut g, "regular", "0806");
    }
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    assert!(trial.dangers("done").join(" ").contains("1 unit is too many in 0806"), "{:?}", trial.dangers("done"));
    assert!(trial.dangers("regular 1 to 0805").is_empty());
}

/// dark-and-bloody-ground 12.0.3, 12.0.4
#[test]
fn who_has_fallen_on_a_raid_does_not_return() {
    let mut g = raiders().0;
    let fallen = leader(&g, "Blue Jacket");
    (g.chief_mut(fallen).spot, g.chief_mut(fallen).raiding) = (Spot::Gone, true);
    let after = |version: u32| {
        let mut trial = Trial::new(by(version, &g), |t, mut g| async move {
            homes::asked(&t, &mut g).await;
            g
        })
        .start();
        trial.all_first();
        trial.over().chief(fallen).spot
    };
    assert_ne!(after(4), Spot::Gone);
    assert_eq!(after(5), Spot::Gone);
}

/// dark-and-bloody-ground 11.3.1, 14.0.5
#[test]
fn deserters_end_a_siege() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 2, "S5");
    lead(&mut g, "McKee", "S1");
    let s5 = at(&g, "S5");
    g.land_mut(s5).fort = Some(Fort { side: Side::Us, siege: 2, builder: None, razer: None });
    assert!(g.besieged(s5));
    let after = |version: u32| {
        let trial = Trial::new(by(version, &g), |t, mut g| async move {
            raid::mckee(&t, &mut g, 4).await;
            g
        });
        let end = trial.any_dice([4, 4]).start().over();
        (end.besieged(s5), end.fort(s5).map(|fort| fort.siege))
    };
    // A die of four against a level of two: both go.
    assert_eq!([after(4), after(5)], [(false, Some(2)), (false, Some(0))]);
}
