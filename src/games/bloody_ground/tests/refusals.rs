//! One order for each refusal that no other test provokes, with its rule number and words.

use super::{
    super::{
        Order, battle,
        components::*,
        foreseen, mobilization, movement,
        order::{Aim, Count, Dropped, Lot, Path, Shot},
        raid, reaction, settlers, setup, skirmish,
        state::*,
        supply,
        testing::*,
    },
    activation::{acting, raiders},
    board::{board, head, set, stand},
    trotter_is_put_out,
};
use postrider_table::{PickOrder as _, Rejected, Seat, status::Condition, testing::refusals as provoked};

/// An answer: words, or an order that no words produce.
enum Said {
    Words(&'static str),
    Order(Order),
}

/// A question, an answer, the rule that refuses it, and words of the refusal.
type Row = (fn() -> Running, Said, &'static str, &'static str);

fn words(said: &'static str) -> Said {
    Said::Words(said)
}

fn refusals(rows: Vec<Row>) {
    for (start, said, rule, why) in rows {
        let mut trial = start();
        let order = match said {
            Said::Words(said) => trial.read(said).unwrap_or_else(|why| panic!("{said}: {why}")),
            Said::Order(order) => order,
        };
        match trial.order(order.clone()) {
            Err(Rejected::Refused(refusal)) => {
                assert_eq!(refusal.rule, rule, "{order:?}: {refusal}");
                assert!(refusal.why.contains(why), "{order:?}: {refusal}, not {why}");
            }
            other => panic!("{order:?}: not refused, but {other:?}"),
        }
    }
}

/// Returns three regulars and a Kentucky militia at Cincinnati with Harmar and Trotter, and
/// warriors at Chillicothe.
fn at_cincinnati() -> State {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "regular", 3, "U1");
    put(&mut g, "kentucky-militia", 1, "U1");
    lead(&mut g, "Harmar", "U1");
    lead(&mut g, "Trotter", "U1");
    put(&mut g, "Shawnee", 1, "S5");
    g
}

fn us() -> Running {
    acting(at_cincinnati(), Side::Us, 1)
}

/// Starts that position with a change.
fn us_but(change: impl Fn(&mut State)) -> Running {
    let mut g = at_cincinnati();
    change(&mut g);
    acting(g, Side::Us, 1)
}

fn pillaged() -> Running {
    us_but(|g| {
        let u1 = at(g, "U1");
        g.land_mut(u1).pillaged = true;
    })
}

fn severe() -> Running {
    us_but(|g| g.severe = true)
}

/// Starts that position with a starved regular, which is slower.
fn us_hungry() -> Running {
    us_but(|g| {
        let u = g.unit_ids().find(|&u| g.class(u) == Class::Regular && g.unit(u).spot == Spot::On(at(g, "U1")));
        g.unit_mut(u.expect("a regular")).starved = true;
    })
}

fn without_markers() -> Running {
    us_but(|g| g.spent_atrocities = [u8::MAX; 2])
}

fn with_crew() -> State {
    let mut g = at_cincinnati();
    lead(&mut g, "Hamtramck", "S3");
    put(&mut g, "regular", 3, "S3");
    g
}

fn with_fort() -> Running {
    let mut g = with_crew();
    us_fort(&mut g, "S3");
    acting(g, Side::Us, 1)
}

fn with_waste() -> Running {
    let mut g = with_crew();
    let s3 = at(&g, "S3");
    g.land_mut(s3).pillaged = true;
    acting(g, Side::Us, 1)
}

fn count(n: u8, what: &str) -> Count {
    Count::new(n, what)
}

fn dropped(n: u8, what: &str, at: &str) -> Dropped {
    Dropped { n, what: what.to_owned(), at: at.to_owned(), fort: false }
}

fn go(who: &[Count], way: &[&str], drops: &[(u8, &str, &str)]) -> Said {
    let drops = drops.iter().map(|&(n, what, at)| dropped(n, what, at)).collect();
    let way = way.iter().map(|&id| id.to_owned()).collect();
    Said::Order(Order::Move { from: "U1".to_owned(), who: who.to_vec(), way, fort: false, drops })
}

/// dark-and-bloody-ground 9.3, 9.2.3, 9.4.1, 9.5.2, 11.2.1, 11.2.2, 14.0.7
#[test]
fn actions_are_refused() {
    let raid =
        Order::Raid { from: "U1".to_owned(), who: vec![count(1, "regular")], to: "S5".to_owned(), more: Vec::new() };
    let fresh = Count { which: Some(super::super::order::Which::Fresh), ..count(1, "Harmar") };
    let all = [count(3, "regular"), count(1, "Harmar")];
    refusals(vec![
        (us, words("move 1 regular from u1 to u3 into the fort"), "11.2.2", "You have no fort there."),
        (us, words("move 1 regular from u1 to u1 into the fort"), "11.2.2", "no fort there to go into or out of"),
        (us, Said::Order(Order::Assassinate { leader: "Nobody".to_owned() }), "9.2.3", "no such leader"),
        (us, words("assassinate wayne"), "9.2.3", "not on the map"),
        (without_markers, words("assassinate blue jacket"), "9.2.3", "no Atrocity marker left"),
        (without_markers, words("atrocity s5"), "9.2", "no Atrocity marker left"),
        (us, Said::Order(raid), "9.3", "no action of yours here"),
        (us, Said::Order(Order::Atrocity { at: "X9".to_owned() }), "2.1", "no area X9"),
        (pillaged, words("pillage u1 with 3 regular, harmar"), "9.5.2", "pillaged already"),
        (with_crew_and_no_fort, words("dismantle s3"), "11.2.1", "no fort there that could be taken down"),
        (with_fort, words("fort s3"), "11.2.1", "A fort stands there"),
        (with_waste, words("fort s3"), "9.5.2", "No fort is built in a pillaged area"),
        (us, go(&[fresh], &["U3"], &[]), "9.3", "There is one Harmar only"),
        (us, go(&[count(1, "Wayne")], &["U3"], &[]), "9.3", "Wayne is not there, or can act no more"),
        (us, go(&[count(1, "Tarhe")], &["U3"], &[]), "9.3", "Tarhe is none of yours"),
        (us, go(&[count(1, "Harmar"), count(1, "Harmar")], &["U3"], &[]), "9.3", "Name each unit and leader once"),
        (us, go(&all, &[], &[]), "9.4.1", "Say where the force goes"),
        (us, words("move 1 regular from u1 to m1"), "9.4.1", "No step leads to"),
        (us, go(&all, &["S4", "S5", "D3"], &[]), "9.4.1", "The move ends at Chillicothe"),
        (us, go(&all, &["S4", "S7", "S6"], &[]), "9.4.1", "That takes 5 MPs; the force has 4"),
        (us, go(&[count(1, "regular"), count(1, "Trotter")], &["U3"], &[]), "14.0.7", "Trotter stays with militia"),
        (severe, words("move 1 regular from u1 to k1"), "9.4.4", "In severe weather the US does not cross the Ohio"),
    ]);
}

fn with_crew_and_no_fort() -> Running {
    acting(with_crew(), Side::Us, 1)
}

/// dark-and-bloody-ground 9.4.1, 11.2.2, 14.0.7
#[test]
fn drops_are_refused() {
    let led = [count(3, "regular"), count(1, "kentucky-militia"), count(1, "Harmar"), count(1, "Trotter")];
    refusals(vec![
        (us, go(&[count(1, "regular")], &["U3", "S3"], &[(1, "regular", "U3")]), "9.4.1", "Somebody goes on"),
        (
            us,
            go(&[led[1].clone(), led[3].clone()], &["U3", "S3"], &[(1, "kentucky-militia", "U3")]),
            "14.0.7",
            "Trotter stays",
        ),
        (us, go(&led, &["U3", "S3"], &[(1, "kentucky-militia", "U3")]), "9.4.1", "is not slower than those who go on"),
        (us_hungry, go(&led, &["S4", "S5", "D3"], &[(1, "regular", "S5")]), "9.4.1", "The move ends at Chillicothe"),
        (us_hungry, go(&led, &["S4", "S7", "S6"], &[(1, "regular", "S7")]), "9.4.1", "That takes 5 MPs"),
        (
            us_hungry,
            words("move 3 regular, harmar from u1 to u3, s3 dropping 1 regular at u3 into the fort"),
            "11.2.2",
            "You have no fort at Fort Hamilton (U3)",
        ),
    ]);
}

/// Starts a reaction question for Shawnee at war at S5 with Blue Jacket, after a move to S4.
fn reacting() -> Running {
    let mut g = raiders().0;
    put(&mut g, "Miami", 1, "S5");
    at_war(&mut g, "Miami", 3);
    let s4 = at(&g, "S4");
    Trial::new(g, move |t, mut g| async move {
        reaction::offer(&t, &mut g, Side::Na, &[s4]).await;
        g
    })
    .any_dice([1, 1])
    .start()
}

/// dark-and-bloody-ground 9.4.5, 11.2.2
#[test]
fn reactions_are_refused() {
    let to = |from: &str, who: Vec<Count>, drops: Vec<Dropped>| {
        Said::Order(Order::Move { from: from.to_owned(), who, way: vec!["S4".to_owned()], fort: false, drops })
    };
    let drop = dropped(1, "Shawnee", "S4");
    refusals(vec![
        (reacting, to("S5", vec![count(1, "Shawnee")], vec![drop]), "9.4.5", "Nobody is dropped in a reaction"),
        (reacting, Said::Order(Order::pick("yes".to_owned())), "9.4.5", "Stay, or move a stack"),
        (reacting, words("move 1 shawnee, blue jacket from s1 to s4"), "9.4.5", "No stack with a leader"),
        (reacting, words("move 9 shawnee, blue jacket from s5 to s4"), "9.4.5", "9 Shawnee cannot react there"),
        (reacting, words("move 1 miami, blue jacket from s5 to s4"), "9.4.5", "1 Miami cannot react there"),
        (reacting, words("move blue jacket from s5 to s4"), "9.4.5", "Units react; leaders go with them or stay"),
        (reacting, words("move 1 shawnee, blue jacket from s5 to s4 into the fort"), "11.2.2", "no fort there"),
    ]);
}

fn ranking() -> Running {
    let mut g = war();
    (g.season, g.vps) = (Season::Summer, [0, 0]);
    Trial::new(g, |t, mut g| async move {
        mobilization::phase(&t, &mut g).await;
        g
    })
    .start()
}

/// Starts the placement of four settlers, two or three of them in Ohio.
fn settling() -> Running {
    let mut g = war();
    (g.season, g.commitment) = (Season::Fall, 3);
    Trial::new(g, |t, mut g| async move {
        settlers::phase(&t, &mut g, None).await;
        g
    })
    .any_dice([4, 4])
    .start()
}

/// Starts a question with twelve units that depend on a fort for ten; those at M1 can use another
/// one.
fn hungry() -> Running {
    let mut g = war();
    g.season = Season::Winter;
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    us_fort(&mut g, "O2");
    put(&mut g, "regular", 6, "M1");
    put(&mut g, "kentucky-militia", 6, "W3");
    Trial::new(g, |t, mut g| async move {
        supply::phase(&t, &mut g).await;
        g
    })
    .start()
}

/// Adds two regulars who have a fort of their own.
fn hungry_apart() -> Running {
    let mut g = hungry().now().clone();
    us_fort(&mut g, "S6");
    put(&mut g, "regular", 2, "D4");
    Trial::new(g, |t, mut g| async move {
        supply::phase(&t, &mut g).await;
        g
    })
    .start()
}

/// Starts the US set-up of 1790, after its villages and settlers.
fn setting_up() -> Running {
    let g = setup::position(Components::builtin().clone(), "harmar-1790", Default::default());
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        g
    })
    .start();
    while !trial.reads().lines.concat().to_lowercase().contains("black hoof") {
        let first = trial.options().remove(0);
        trial.order(first.order).expect("an option");
    }
    trial
}

fn lots(n: u8, what: &str, at: &str) -> Said {
    Said::Order(Order::Put { lots: vec![Lot { n, what: what.to_owned(), at: at.to_owned() }] })
}

/// dark-and-bloody-ground 6.0.1
#[test]
fn settlers_may_stay_out() {
    let mut trial = settling();
    trial.say("1 ohio-settler at u1");
    assert_eq!(trial.over().land.iter().map(|land| land.settlers).sum::<u8>(), 1);
}

/// dark-and-bloody-ground 8.1, 6.0.1, 7.0.1, 14.0.3, 15.0
#[test]
fn what_is_placed_or_listed_is_refused() {
    let apart = "5 shawnee, black hoof, 7 miami and little turtle at m1, tecumseh at s1";
    refusals(vec![
        (ranking, Said::Order(Order::Pass {}), "8.1", "Say in which order the nations roll"),
        (ranking, words("shawnee, shawnee"), "8.1", "is named twice"),
        (settling, words("3 ohio-settler at u1, 2 eastern-settler at p1"), "6.0.1", "4 settlers come, not 5"),
        (settling, Said::Order(Order::Pass {}), "6.0.1", "The question is"),
        (settling, lots(1, "regular", "U1"), "6.0.1", "There is no regular to be put"),
        (settling, lots(1, "ohio-settler", "M1"), "6.0.1", "ohio-settler cannot go to"),
        (settling, lots(9, "ohio-settler", "U1"), "6.0.1", "There are 3 of ohio-settler, not 9"),
        (hungry, lots(2, "regular", "W3"), "7.0.1", "regular cannot go to"),
        (hungry_apart, lots(2, "regular", "D4"), "7.0.1", "Forts cannot supply 2 of the others"),
        (hungry_apart, lots(3, "regular", "D4"), "7.0.1", "has room for 2"),
        (setting_up, words("5 shawnee at m1"), "15", "All 7 of Miami must be put somewhere"),
        (setting_up, words(apart), "14.0.3", "Tecumseh stands with a unit or leader"),
    ]);
}

/// Returns a battle with regulars at 0806 and 0101, and a Shawnee two hexes from the first.
fn on_board() -> State {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "regular", "0101");
    stand(&mut g, "Shawnee", "0808");
    head(&mut g, "Wayne", "0806");
    g
}

fn marching() -> Running {
    Trial::new(on_board(), |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start()
}

fn firing() -> Running {
    Trial::new(on_board(), |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .any_dice([6, 6])
    .start()
}

/// Starts a melee of the regular at 0807, with a Routed one adjacent to the Shawnee.
fn fighting() -> Running {
    let mut g = on_board();
    stand(&mut g, "regular", "0807");
    let routed = stand(&mut g, "regular", "0809");
    set(&mut g, routed, Condition::Routed);
    Trial::new(g, |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .any_dice([6, 6])
    .start()
}

/// dark-and-bloody-ground 10.4
#[test]
fn marches_are_refused() {
    let path = |who: &str, way: &[&str]| {
        let way = way.iter().map(|&id| id.to_owned()).collect();
        Said::Order(Order::March { ways: vec![Path { who: who.to_owned(), way }] })
    };
    refusals(vec![
        (marching, path("shawnee 1", &["0808"]), "10.4", "shawnee 1 cannot move now"),
        (marching, path("regular 1", &["9999"]), "10.4", "A way is hexes of the board"),
        (marching, path("regular 1", &["0805", "0804"]), "10.4", "regular 1 begins at 0806"),
        (marching, path("regular 1", &["0806", "0809"]), "10.4", "regular 1 comes as far as 0806: no step leads on"),
        (marching, path("regular 1", &["0806", "0807", "0706"]), "10.4", "comes as far as 0807: movement ends there"),
        (marching, path("regular 1", &["0806", "off"]), "10.4", "A unit leaves from a hex at the edge"),
        (marching, path("regular 1", &["0806"]), "10.4", "Who stays needs no way"),
        (marching, Said::Order(Order::March { ways: Vec::new() }), "10.4", "Name a unit and its way"),
        (marching, Said::Order(Order::pick("yes".to_owned())), "10.4", "Here units move on the board"),
    ]);
}

/// dark-and-bloody-ground 10.5
#[test]
fn fire_is_refused() {
    let at = |at: &str| vec![Aim { at: at.to_owned(), until: None }];
    let shots =
        |who: &str, at: &str| Said::Order(Order::Fire { shots: vec![Shot { who: who.to_owned(), at: at.to_owned() }] });
    refusals(vec![
        (firing, Said::Order(Order::Volley { aims: Vec::new(), least: 1 }), "10.5", "Say at whom your units fire"),
        (firing, Said::Order(Order::Volley { aims: at("best"), least: 6 }), "10.5", "on 1 to 5 faces of six"),
        (firing, Said::Order(Order::Volley { aims: at("moose"), least: 1 }), "10.5", "Nobody here is called moose"),
        (firing, Said::Order(Order::Fire { shots: Vec::new() }), "10.5", "Here units fire"),
        (firing, shots("regular 1", "Shawnee 9"), "10.5", "There is no regular 1 or no Shawnee 9"),
        (firing, shots("regular 2", "Shawnee 1"), "10.5", "regular 2 cannot fire at Shawnee 1 now"),
        (firing, words("fire regular 1 at shawnee 1, regular 1 at shawnee 1"), "10.5", "cannot fire at"),
    ]);
}

/// dark-and-bloody-ground 10.6
#[test]
fn melee_is_refused() {
    let melee = |at: &str, with: &[&str]| {
        Said::Order(Order::Melee { at: at.to_owned(), with: with.iter().map(|&who| who.to_owned()).collect() })
    };
    refusals(vec![
        (fighting, Said::Order(Order::Attack { odds: "9-7".to_owned() }), "10.6", "no column 9-7"),
        (fighting, Said::Order(Order::pick("yes".to_owned())), "10.6", "Here units fight hand to hand"),
        (fighting, melee("0101", &["regular 1"]), "10.6", "No enemy stands there"),
        (fighting, melee("0808", &["regular 1"]), "10.6", "regular 1 cannot attack that hex now"),
        (fighting, melee("0808", &["regular 4"]), "10.6", "regular 4 cannot attack that hex now"),
        (fighting, melee("0808", &["regular 3", "regular 3"]), "10.6", "regular 3 cannot attack that hex now"),
        (fighting, melee("0808", &[]), "10.6", "Say who attacks"),
    ]);
}

/// Starts a rally of a Routed regular in Wayne's hex.
fn rallying() -> Running {
    let mut g = board(Terrain::Settled);
    let routed = stand(&mut g, "regular", "1206");
    stand(&mut g, "Shawnee", "0807");
    head(&mut g, "Wayne", "1206");
    set(&mut g, routed, Condition::Routed);
    Trial::new(g, |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start()
}

/// Starts a skirmish of two militia and a regular against two warriors.
fn skirmishing() -> Running {
    let mut g = war();
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "kentucky-militia", 2, "S5");
    put(&mut g, "regular", 1, "S5");
    put(&mut g, "Shawnee", 2, "S5");
    let s5 = at(&g, "S5");
    Trial::new(g, move |t, mut g| async move {
        skirmish::open(&t, &mut g, s5).await;
        g
    })
    .start()
}

/// dark-and-bloody-ground 10.3, 11.1
#[test]
fn rallies_and_pairings_are_refused() {
    let pick = || Said::Order(Order::pick("perhaps".to_owned()));
    refusals(vec![
        (rallying, pick(), "10.3", "Say `yes` for all"),
        (skirmishing, lots(2, "kentucky-militia", "Shawnee 1"), "11.1", "Nobody fights Shawnee 2"),
    ]);
}

/// dark-and-bloody-ground 10.1
#[test]
fn what_is_asked_in_a_battle_is_answered_in_none_without_one() {
    let g = war();
    let all = foreseen::foreseen(&g, Seat(0));
    let order = Order::March { ways: Vec::new() };
    let answers = all.iter().filter_map(|prompt| prompt.check(&g, Seat(0), &order).err());
    let words = answers.filter(|why| why.rule == "10.1").map(|why| why.why).collect::<Vec<_>>();
    assert!(words.contains(&"This is asked in a battle.".to_owned()), "{words:?}");
}

/// dark-and-bloody-ground 12.0.1
#[test]
fn nobody_raids_where_no_way_leads() {
    let (g, units) = raiders();
    let force = Force { units, leaders: Vec::new() };
    let (from, to) = (Spot::On(at(&g, "S5")), at(&g, "K2"));
    assert!(raid::may_raid(&g, from, &force, to).is_ok());
    let why = raid::may_go(&g, from, &force, to, || None).expect_err("no way");
    assert_eq!((why.rule, why.why), ("12.0.1", format!("No way leads to {}.", g.name(to))));
}

/// dark-and-bloody-ground 9.4.1
#[test]
fn a_first_step_beyond_the_mps_is_the_last() {
    let g = at_cincinnati();
    let from = Spot::On(at(&g, "U1"));
    let units: Vec<UnitId> = g.units_at(from).filter(|&u| g.class(u) == Class::Regular).collect();
    let mover = movement::Mover::of(&g, Side::Us, &Force { units, leaders: Vec::new() });
    let walk = |way: &[&str]| {
        let way: Vec<AreaId> = way.iter().map(|id| at(&g, id)).collect();
        movement::walk(&g, mover, from, &way, 0)
    };
    assert!(walk(&["S4"]).is_ok_and(|legs| legs[0].cost > 0));
    let why = walk(&["S4", "S7"]).expect_err("a second step");
    assert_eq!((why.rule, why.why.as_str()), ("9.4.1", "The first step takes all 0 MPs."));
}

/// dark-and-bloody-ground 14.0.7
#[test]
fn a_leader_of_militia_begins_with_militia_of_his_state() {
    let (mut trial, lots) = trotter_is_put_out();
    let g = trial.now().clone();
    let has_own = |at: &String| lots.iter().any(|lot| lot.at == *at && lot.what == "kentucky-militia");
    let apart = g.c.area_ids().map(|a| g.c[a].id.clone()).filter(|at| !has_own(at)).find_map(|at| {
        let mut lots = lots.clone();
        lots.iter_mut().filter(|lot| lot.what == "Trotter").for_each(|lot| lot.at.clone_from(&at));
        match trial.order(Order::Put { lots }) {
            Err(Rejected::Refused(why)) if why.rule == "14.0.7" => Some(why.why),
            _ => None,
        }
    });
    assert_eq!(apart.as_deref(), Some("Trotter stands with militia of Kentucky."));
}

#[test]
fn every_refusal_is_provoked() {
    let table = provoked::table(env!("CARGO_MANIFEST_DIR"), "every_refusal_is_provoked");
    assert!(!table.contains(provoked::UNPROVOKED), "{table}");
    insta::assert_snapshot!(table);
}
