//! One order for each refusal that no other test provokes, with its rule number and words.

use super::super::{
    Order, RosebudCreek, State, breastworks,
    components::{Class, Ground, Side},
    doctrine::About,
    fire::Volley,
    melee,
    order::{Act, Going, Shot},
    setup,
    state::{Mode, Phase, Spot, Volume, Work},
    testing::*,
    variant::Variant,
    volley, zoc,
};
use postrider_table::{hex::Hex, testing::refusals};
use serde_json::json;

type Row = (Order, &'static str, &'static str);

fn refuses(run: &mut Running, rows: impl IntoIterator<Item = Row>) {
    for (order, rule, words) in rows {
        let why = run.order(order.clone()).expect_err(words).to_string();
        assert!(why.contains(rule) && why.contains(words), "{order:?}: {why}");
    }
}

fn all(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn moves(who: &[&str], acts: &[Act]) -> Order {
    Order::Move { moves: vec![Going { who: all(who), acts: acts.to_vec() }] }
}

fn go(hex: &str) -> Act {
    Act::Go { hex: hex.to_owned() }
}

/// Returns the answer to a different question.
fn stray() -> Order {
    Order::Pick { one: "yes".to_owned() }
}

fn pair(g: &State, fits: impl Fn(Hex, Hex) -> bool) -> [String; 2] {
    let grid = &g.charts.grid;
    let pairs = grid.hexes().flat_map(|a| grid.neighbours(a).map(move |b| (a, b)));
    let (a, b) = pairs.into_iter().find(|&(a, b)| fits(a, b)).expect("such neighbours");
    [a, b].map(|hex| g.id(hex))
}

/// rosebud-creek 4.C, 7, 7.A, 7.B, 7.C, 8, 15.B, 16.A, 4
#[test]
fn moves_of_the_us() {
    let mut g = bare();
    quiet(&mut g);
    let a = foot(&mut g, "3A", "1710");
    (g.unit_mut(a).disrupted, g.unit_mut(a).did.spent) = (true, 3);
    let e = ride(&mut g, "3E", "1610");
    g.unit_mut(e).did.charge = Some(hex(&g, "1614"));
    let low = foot(&mut g, "3M", "2010");
    g.unit_mut(low).mode = Mode::Prone;
    for (id, at) in [("H1", "1614"), ("H2", "2009")] {
        foot(&mut g, id, at);
    }
    let [above, below] = pair(&g, |a, b| g.charts.cliff(a, b));
    foot(&mut g, "3I", &above);
    let personnel = |from: &str, to: &str| Order::Personnel { from: from.to_owned(), to: to.to_owned(), points: 1 };
    let doctrine = |about: &str, how: &str| Order::Doctrine { about: about.to_owned(), how: how.to_owned() };
    // Asked directly, because the phase would reset the state.
    let rule = |t, mut g: State| async move {
        super::super::asking::settled(&t, &mut g, Side::Us, super::super::march::March { side: Side::Us }).await;
        g
    };
    g.phasing = Side::Us;
    let crawl = Act::Crawl { hex: "2009".to_owned() };
    foot(&mut g, "HQ", "1710");
    let staff = g.c[g.charts.staff.expect("a staff")].id.clone();
    lead(&mut g, &staff, "1710");
    refuses(
        &mut Trial::new(g, rule).start(),
        [
            (moves(&["NOBODY"], &[go("1711")]), "7", "There is no NOBODY of yours"),
            (moves(&["H1"], &[go("1711")]), "7", "There is no H1 of yours"),
            (moves(&["3I", "3I"], &[go("1711")]), "7", "3I is named twice"),
            (moves(&[], &[go("1711")]), "7", "Name who moves"),
            (moves(&["3I"], &[]), "7", "Say where they go"),
            (moves(&["3A", "3E"], &[go("1711")]), "7.A", "begins in one hex"),
            (moves(&["3I"], &[go("9999")]), "7.A", "9999 is no hex of the map"),
            (moves(&["3I"], &[go("2009")]), "7.A", "hexes may not be skipped"),
            (moves(&["3I"], &[go(&below)]), "7.B", "A cliff lies between"),
            (moves(&["3B"], &[go("1711")]), "7", "3B is not on the map"),
            (moves(&["3A"], &[Act::Recover {}]), "7.C", "recovery takes 2"),
            (moves(&["3E"], &[Act::Dismount {}]), "16.A", "3E charges"),
            (moves(&["3M"], &[crawl]), "7.C", "An enemy unit is in 2009"),
            (personnel("X", "3A"), "15.B", "no such unit of yours"),
            (personnel("PPA", "3A"), "15.B", "."),
            (doctrine("weather", "yes"), "4", "A doctrine is about"),
            (doctrine("rout", "sideways"), "4", "Of Voluntary Rout (10.J.1) can be said"),
            (moves(&[&staff], &[go("1711")]), "12.E", "The staff moves with the Column HQ"),
            (stray(), "4.C", "Here units move"),
        ],
    );
}

/// rosebud-creek 7.K, 6.A
#[test]
fn scatters() {
    let mut g = bare();
    quiet(&mut g);
    ride(&mut g, "3A", "1713");
    let h1 = ride(&mut g, "H1", "1709");
    says(&mut g, Side::Indian, About::Scatter, "ask");
    let full = hex(&g, "1708");
    let others = g.c.unit_ids().filter(|&u| u != h1 && g.class(u) == Class::Warrior);
    for u in others.collect::<Vec<_>>() {
        if zoc::fits(&g, full, h1) {
            g.put(u, Spot::On(full));
            g.unit_mut(u).mode = Mode::Mounted;
        }
    }
    let mut run = moving(&g, Side::Us).start();
    run.say("3a 1712 1711");
    refuses(
        &mut run,
        [
            (moves(&["H1"], &[go("1708")]), "6.A", "there is no room for H1"),
            (moves(&["H2"], &[go("1708")]), "7.K", "It is about"),
            (stray(), "7.K", "`stay`, or how it moves"),
        ],
    );
}

/// rosebud-creek 16.A
#[test]
fn charges() {
    let mut g = bare();
    quiet(&mut g);
    let plain = |g: &State, a: Hex, b: Hex| {
        let clear = [a, b].into_iter().all(|hex| g.ground(hex) == Ground::Clear);
        clear && g.charts.between(a, b).is_none() && g.charts.level[a] == g.charts.level[b]
    };
    let charge = |to: &str, way: &[&str]| {
        let acts: Vec<Act> =
            std::iter::once(Act::Charge { hex: to.to_owned() }).chain(way.iter().map(|hex| go(hex))).collect();
        moves(&["3A"], &acts)
    };
    // A start, a hex adjacent to the target, and the target.
    let three = |g: &State, fits: &dyn Fn(Hex, Hex, Hex) -> bool| {
        let grid = &g.charts.grid;
        let mut ways = grid.hexes().flat_map(|a| {
            let next = grid.neighbours(a).collect::<Vec<_>>();
            next.into_iter().flat_map(move |b| grid.neighbours(b).map(move |c| (a, b, c)).collect::<Vec<_>>())
        });
        let way = ways.find(|&(a, b, c)| grid.distance(a, c) == 2 && fits(a, b, c)).expect("such hexes");
        [way.0, way.1, way.2].map(|hex| g.id(hex))
    };
    let refused = |g: &State, [start, next, target]: &[String; 3], words: &'static str| {
        let mut g = g.clone();
        ride(&mut g, "3A", start);
        foot(&mut g, "H1", target);
        refuses(&mut moving(&g, Side::Us).start(), [(charge(target, &[next]), "16.A", words)]);
    };
    let woods = three(&g, &|a, b, c| plain(&g, a, b) && g.ground(c) == Ground::Woods);
    refused(&g, &woods, "is not Clear");
    let through =
        three(&g, &|a, b, c| g.ground(b) == Ground::Woods && [a, c].map(|x| g.ground(x)) == [Ground::Clear; 2]);
    refused(&g, &through, "A charge does not go into");
    let level = |hex: Hex| g.charts.level[hex];
    let up = three(&g, &|a, b, c| plain(&g, a, b) && g.ground(c) == Ground::Clear && level(c) - level(b) == 2);
    refused(&g, &up, "climbs one level at most");
    let flat = three(&g, &|a, b, c| plain(&g, a, b) && plain(&g, b, c));
    let mut empty = g.clone();
    ride(&mut empty, "3A", &flat[0]);
    ride(&mut empty, "9C", &flat[0]);
    foot(&mut empty, "H1", &flat[2]);
    let infantry = moves(&["9C"], &[Act::Charge { hex: flat[2].clone() }, go(&flat[1])]);
    refuses(
        &mut moving(&empty, Side::Us).start(),
        [(charge(&flat[1], &[&flat[1]]), "16.A", "No enemy unit is in"), (infantry, "16.A", "9C cannot charge")],
    );
}

/// rosebud-creek 16.C
#[test]
fn breastworks_that_cannot_be() {
    let mut g = bare();
    g.phasing = Side::Us;
    let a = foot(&mut g, "3A", "1710");
    let build = |g: &State, words: &str| {
        let why = breastworks::may_build(g, Side::Us, "3A").expect_err(words);
        assert!(why.rule == "16.C" && why.why.contains(words), "{why}");
    };
    let load = |g: &State, who: &str, words: &str| {
        let why = breastworks::may_load(g, Side::Us, who).expect_err(words);
        assert!(why.rule == "16.C" && why.why.contains(words), "{why}");
    };
    build(&g, "No Pack Train with boxes left");
    let train = foot(&mut g, "PTA", "1711");
    assert!(breastworks::may_build(&g, Side::Us, "3A").is_ok());
    let at = hex(&g, "2010");
    g.works = vec![Work { hex: at, train, unit: None, ready: true }; 3];
    build(&g, "No Pack Train with boxes left");
    g.works = vec![Work { hex: at, train, unit: None, ready: true }; 40];
    build(&g, "All Breastworks are on the map");
    let mounted = {
        let mut g = g.clone();
        g.works.clear();
        g.unit_mut(a).mode = Mode::Mounted;
        g
    };
    build(&mounted, "3A cannot build now");
    load(&g, "H1", "There is no H1 of yours");
    load(&g, "3A", "no Breastworks in its hex");
    g.unit_mut(a).did.halted = true;
    load(&g, "3A", "needs its entire Movement Phase");
}

/// rosebud-creek 16.G, 9.A, 6.E, 15.B
#[test]
fn moves_of_the_indians() {
    let fire = |at: &str| Act::Fire { at: at.to_owned() };
    let mut g = bare_with(Variant { hit_and_run: true, ..Variant::default() });
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    for id in ["H1", "H2"] {
        ride(&mut g, id, "1709");
    }
    let h = ride(&mut g, "H3", "1709");
    g.unit_mut(h).did.fired = Some(Volume::Half);
    foot(&mut g, "3E", "2010");
    let train = foot(&mut g, "PTA", "1710");
    g.unit_mut(train).abandoned = true;
    refuses(
        &mut moving(&g, Side::Indian).start(),
        [
            (moves(&["H1", "H2"], &[fire("3A")]), "16.G", "One unit by itself attacks"),
            (moves(&["H3"], &[fire("3A")]), "16.G", "H3 cannot: mounted Indians do it, once a phase"),
            (moves(&["H1"], &[fire("3E")]), "16.G", "3E is no target beside H1"),
            (moves(&["H1"], &[fire("PTA")]), "16.G", "PTA is no target beside H1"),
        ],
    );
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    ride(&mut g, "H1", "1709");
    for id in ["H1H", "H2H", "H3H", "H4H"] {
        foot(&mut g, id, "1709");
    }
    lead(&mut g, "Gall", "1709");
    refuses(
        &mut moving(&g, Side::Indian).start(),
        [
            (moves(&["Gall"], &[fire("3A")]), "9.A", "Leaders do not fire"),
            (moves(&["H1"], &[fire("H2")]), "9.A", "H2 is no enemy unit on the map"),
            (moves(&["H1H"], &[fire("3A")]), "4.E", "H1H cannot fire now"),
            (moves(&["H1"], &[Act::Dismount {}]), "6.E", "has no room for more Pony Holders"),
        ],
    );
}

/// rosebud-creek 18.1, 7.C
#[test]
fn entering() {
    let mut g = bare();
    quiet(&mut g);
    for id in ["H1", "H1H"] {
        let u = unit(&g, id);
        g.unit_mut(u).spot = Spot::Waiting;
    }
    foot(&mut g, "3A", "2400");
    let enters = |turn: u8, rows: &[(Order, &'static str, &'static str)]| {
        let g = State { turn, ..g.clone() };
        refuses(&mut moving(&g, Side::Indian).start(), rows.to_vec());
    };
    enters(2, &[(moves(&["H1"], &[go("2600")]), "18.1", "Units enter in turn 1")]);
    enters(
        1,
        &[
            (moves(&["H1"], &[go("2400")]), "7.C", "An enemy unit is in 2400"),
            (moves(&["H1H"], &[go("2600")]), "18.1", "H1H comes with its unit"),
        ],
    );
}

/// rosebud-creek 13.B
#[test]
fn units_try_to_rally_once_a_phase() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    g.unit_mut(a).routed = true;
    let mut run = rallying(&g, Side::Us).dice("rally", [1]).start();
    run.say("rally 3a");
    refuses(&mut run, [(Order::Rally { who: all(&["3A"]) }, "13.B", "Units have tried to Rally in this phase")]);
}

/// rosebud-creek 4.A, 12.D.6, 13.B, 15.B
#[test]
fn the_rally_phase() {
    let mut g = bare();
    foot(&mut g, "3A", "1710");
    let train = foot(&mut g, "PTA", "1710");
    g.unit_mut(train).abandoned = true;
    lead(&mut g, "Mills", "1710");
    let attach = Order::Attach { leader: "Mills".to_owned(), unit: "PTA".to_owned() };
    g.lieutenants_due = 1;
    let rally = |who: &str| Order::Rally { who: all(&[who]) };
    refuses(
        &mut rallying(&g, Side::Us).start(),
        [
            (rally("H1"), "4.A", "There is no H1 of yours on the map"),
            (rally("3A"), "13.B", "3A is neither Routed nor Pinned"),
            (Order::Lieutenant { hex: "2010".to_owned() }, "12.D.6", "Neither a US unit nor a Leader is in 2010"),
            (attach, "15.B", "PTA is abandoned"),
            (stray(), "4.A", "This is the Rally Phase"),
        ],
    );
}

/// rosebud-creek 9.A, 4.B, 9.B, 14.D, 16.A
#[test]
fn fire_phases() {
    let mut g = bare_with(Variant { ammo_roster: true, ..Variant::default() });
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1711");
    foot(&mut g, "H1", "1709");
    foot(&mut g, "H2", "1810");
    let i = foot(&mut g, "3I", "1710");
    g.unit_mut(i).routed = true;
    let spent = foot(&mut g, "3M", "1710");
    g.unit_mut(spent).used = g.c[spent].boxes * 2;
    foot(&mut g, "H3", "4010");
    g.phasing = Side::Us;
    let fires = |g: &State, side: Side, phase: Phase, volley: Volley| {
        let rule = move |t, mut g: State| async move {
            volley::phase(&t, &mut g, side, phase, volley).await;
            g
        };
        Trial::new(g.clone(), rule).start()
    };
    let shot = |who: &str, at: &str| Shot { who: who.to_owned(), at: at.to_owned(), half: false };
    refuses(
        &mut fires(&g, Side::Us, Phase::Offensive, Volley::Offensive(Volume::Full)),
        [
            (Order::fire(vec![shot("3A", "H9")]), "9.A", "There is no 3A or no H9 on the map"),
            (Order::fire(vec![shot("3A", "H1"), shot("3A", "H1")]), "9.A", "3A fires once"),
            (Order::fire(vec![shot("3A", "3E")]), "9.A", "3E is no target"),
            (Order::fire(vec![shot("3I", "H1")]), "4.B", "3I cannot fire now"),
            (Order::fire(vec![shot("3M", "H1")]), "14.D", "3M has no boxes for that"),
            (Order::fire(vec![shot("3A", "H3")]), "9.B.3", "3A does not reach 4010"),
            (stray(), "4.B", "Here units fire"),
        ],
    );
    let half = Order::fire(vec![Shot { half: true, ..shot("H1", "3A") }]);
    let row = (half, "4.B", "Half strength is chosen in the Offensive Fire Phase");
    refuses(&mut fires(&g, Side::Indian, Phase::Defensive, Volley::Defensive(Volume::Full)), [row]);
    let target = hex(&g, "1709");
    (g.unit_mut(a).mode, g.unit_mut(a).did.charge) = (Mode::Mounted, Some(target));
    let row = (Order::fire(vec![shot("3A", "H2")]), "16.A", "3A charges another hex");
    refuses(&mut fires(&g, Side::Us, Phase::Advance, Volley::Advance), [row]);
}

/// rosebud-creek 10.A, 10.B, 16.G, 4.F
#[test]
fn melees() {
    let mut g = bare();
    quiet(&mut g);
    foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let ran = foot(&mut g, "H2", "1709");
    g.unit_mut(ran).did.ran = true;
    foot(&mut g, "H3", "2010");
    let attack = |at: &str, with: &[&str]| Order::melee(at.to_owned(), all(with), false, true);
    let rule = |t, mut g: State| async move {
        melee::phase(&t, &mut g).await;
        g
    };
    refuses(
        &mut Trial::new(g, rule).start(),
        [
            (attack("9999", &["H1"]), "10.A", "9999 is no hex"),
            (attack("2010", &["H1"]), "10.A", "Nobody can attack 2010 now"),
            (attack("1710", &["X"]), "10.A", "There is no X"),
            (attack("1710", &["H1", "H1"]), "10.B", "H1 is named twice"),
            (attack("1710", &["3A"]), "10.A", "3A is no unit of yours on the map"),
            (attack("1710", &["H2"]), "16.G", "H2 has fired as Hit & Run"),
            (stray(), "4.F", "Here units attack"),
        ],
    );
}

/// rosebud-creek 18.1, 17, 6, 12.A
#[test]
fn the_set_up() {
    let g = game(Variant::default());
    let rule = |t, mut g: State| async move {
        setup::phase(&t, &mut g).await;
        g
    };
    let place = |who: &[&str], hex: &str| Order::Place { who: all(who), hex: hex.to_owned(), mode: String::new() };
    let scouts: Vec<&str> =
        g.c.unit_ids().filter(|&u| g.class(u) == Class::Scout).map(|u| g.c[u].id.as_str()).collect();
    let attach = Order::Attach { leader: "Mills".to_owned(), unit: "2A".to_owned() };
    refuses(
        &mut Trial::new(g.clone(), rule).start(),
        [
            (place(&["3AH"], "9999"), "18.1", "9999 is no hex of the map"),
            (place(&["H1"], "2806"), "18.1", "H1 is not to be placed"),
            (place(&["Randall"], "3213"), "17", "Randall begins with the Scouts"),
            (place(&[], "2806"), "18.1", "Name who is placed"),
            (place(&scouts, "2806"), "6", "Combat Factors"),
            (attach, "12.A", "Mills is not in the hex of 2A"),
            (stray(), "18.1", "This is the set-up"),
        ],
    );
}

/// rosebud-creek 8, 17
#[test]
fn rulings() {
    let mut g = bare();
    foot(&mut g, "PTA", "1710");
    let ruled = |g: &State, effect| postrider_table::ruled::<RosebudCreek>(g, &effect);
    let (lost, _) = ruled(&g, json!({ "unit": { "unit": "PTA", "at": "lost" } })).unwrap();
    let why = ruled(&lost, json!({ "unit": { "unit": "PTA", "abandoned": true } })).expect_err("a lost train");
    assert_eq!(why.rule, "15.B");
    let why = ruled(&g, json!({ "unit": { "unit": "PTA", "mode": "mounted" } })).expect_err("a train");
    assert!(why.rule == "8" && why.why.contains("is always on foot"), "{why}");
    g.entered = [true; 3];
    let left = json!({ "objective": { "objective": "conical hill", "entered": false } });
    let why = ruled(&g, left).expect_err("fewer than no VPs");
    assert!(why.rule == "17" && why.why.contains("the VPs of the US would be -"), "{why}");
}

#[test]
fn every_refusal_is_provoked() {
    let table = refusals::table(env!("CARGO_MANIFEST_DIR"), "every_refusal_is_provoked");
    assert!(!table.contains(refusals::UNPROVOKED), "{table}");
    insta::assert_snapshot!(table);
}
