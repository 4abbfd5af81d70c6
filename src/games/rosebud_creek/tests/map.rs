//! The map, zones of control, stacking, lines of sight, and the components.

use super::super::{
    components::{Class, Components, Kit as _, Num, Outcome, Score, Side},
    sight,
    state::{Mode, Spot, Volume},
    testing::*,
    zoc,
};
use postrider_table::chart::Ratio;

/// rosebud-creek 3, 17
#[test]
fn hexes_lie_as_on_the_map() {
    let g = bare();
    let grid = &g.charts.grid;
    let near: Vec<String> = grid.neighbours(hex(&g, "4213")).map(|near| g.id(near)).collect();
    assert_eq!(near, ["4212", "4312", "4313", "4214", "4113", "4112"]);
    assert_eq!(grid.distance(hex(&g, "3314"), hex(&g, "2815")), 5);
    assert_eq!(grid.len(), 777);
    use postrider_table::hex::Edge;
    assert_eq!(["2603", "2607"].map(|id| grid.to_edge(hex(&g, id), Edge::North)), [4, 8]);
    assert!(g.charts.scout_band.has(hex(&g, "2603")) && g.charts.scout_band.has(hex(&g, "2607")));
    assert!(!g.charts.scout_band.has(hex(&g, "2602")) && !g.charts.scout_band.has(hex(&g, "2608")));
    assert!(!g.charts.scout_band.has(hex(&g, "3815")), "behind the Rosebud");
    assert_eq!([g.charts.level[hex(&g, "4213")], g.charts.level[hex(&g, "4312")]], [4, 2]);
    assert_eq!(g.c.n(Num::Turns), 19);
}

/// All counters and charts exist: fifteen companies, five of infantry, Miners, five Scouts, the HQ,
/// 24 warriors, and their Holders.
///
/// rosebud-creek 3.I, 3.J
#[test]
fn the_box_is_complete() {
    let c = Components::builtin();
    let count = |class: Class| c.units.iter().filter(|unit| unit.class == class).count();
    assert_eq!(
        [Class::Cavalry, Class::Infantry, Class::Miners, Class::Scout, Class::Hq, Class::Warrior].map(count),
        [15, 5, 1, 5, 1, 24]
    );
    assert_eq!([Class::HorseHolder, Class::MuleHolder, Class::HqHolder, Class::PonyHolder].map(count), [15, 6, 1, 24]);
    assert_eq!([Class::Train, Class::Personnel].map(count), [2, 2]);
    // 3.I, 3.J: all units except Pony Holders are combat units.
    assert!(Class::HorseHolder.is_combat() && Class::Train.is_combat() && !Class::PonyHolder.is_combat());
    // 8.D.2, 11: cavalry, infantry and Miners are one lower on foot; the HQ, Scouts and Indians are
    // not.
    for unit in &c.units {
        let lower = matches!(unit.class, Class::Cavalry | Class::Infantry | Class::Miners);
        assert_eq!(unit.cf[0] - unit.cf[1], u8::from(lower), "{}", unit.id);
    }
    let broken = Components::FILE.replacen("dismounted = \"A\"", "dismounted = \"Q\"", 1);
    let why = Components::parse(&broken, "test").expect_err("no column Q");
    assert!(why.to_string().contains("there is no column Q"), "{why}");
}

/// rosebud-creek 3.K, 6.A
#[test]
fn markers_are_kept_and_shown() {
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "3E", "1710");
    let (at, points) = (hex(&g, "1710"), g.stacked(hex(&g, "1710")));
    type Mark = fn(&mut super::super::state::Unit);
    let marks: [(&str, Mark); 6] = [
        ("Prone", |unit| unit.mode = Mode::Prone),
        ("in Breastworks", |unit| unit.works = true),
        ("Disrupted", |unit| unit.disrupted = true),
        ("Pinned", |unit| unit.pinned = true),
        ("Routed", |unit| unit.routed = true),
        ("Low Ammo", |unit| unit.low_ammo = true),
    ];
    let shown = |g: &super::super::State| {
        let seen = super::super::view::view(g, None);
        let units = seen["stacks"][0]["units"].as_array().expect("units").clone();
        units.iter().filter_map(|unit| unit.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(shown(&g), ["Lawson (3A) 5", "Sutorious (3E) 5"]);
    for (word, mark) in marks {
        let mut g = g.clone();
        mark(g.unit_mut(a));
        assert_eq!(shown(&g), [format!("Lawson (3A) 5, {word}"), "Sutorious (3E) 5".to_owned()]);
        assert_eq!(g.stacked(at), points, "{word}");
    }
    marks.into_iter().for_each(|(_, mark)| mark(g.unit_mut(a)));
    let all: Vec<&str> = marks.iter().map(|(word, _)| *word).collect();
    assert_eq!((shown(&g)[0].as_str(), g.stacked(at)), (&*format!("Lawson (3A) 5, {}", all.join(", ")), points));
    // Losses also have a marker, and lower the factor.
    g.unit_mut(a).losses = 2;
    assert!(shown(&g)[0].starts_with("Lawson (3A) 3,") && g.stacked(at) == points - 2);
    // A unit that has fired cannot fire again or move until the end of the Player Turn.
    let mut g = bare();
    let a = foot(&mut g, "3A", "1710");
    foot(&mut g, "H1", "1709");
    let fires = |g: &super::super::State| {
        let fires = super::super::volley::Fires::phase(Side::Us, super::super::fire::Volley::Offensive(Volume::Full));
        !fires.apt(g).is_empty()
    };
    let moves =
        |g: &super::super::State| super::super::movement::barred(g, super::super::movement::Mover::Unit(a)).is_ok();
    g.unit_mut(a).did.fired = Some(Volume::Full);
    assert!(!fires(&g) && !moves(&g));
    g.fresh_turn();
    assert!(fires(&g) && moves(&g));
}

/// Every cell of the Fire Combat Matrix, the Fire Combat Results Table and the Melee Combat Results
/// Table, compared with a second reading of the file.
///
/// rosebud-creek 9.D, 10.C
#[test]
fn every_cell_of_the_tables() {
    let g = bare();
    let file: toml::Table = Components::FILE.parse().expect("TOML");
    let rows = |name: &str| file[name].as_array().expect("rows").clone();
    let result = |letter: &str, dice: i64| {
        let row = rows("fire_result").into_iter().find(|row| row["id"].as_str() == Some(letter));
        let least = row.expect("a letter")["least"].as_array().expect("numbers").clone();
        least.iter().filter(|n| n.as_integer().is_some_and(|n| dice >= n)).count()
    };
    for (at, row) in rows("fire_column").iter().enumerate() {
        for (mode, key) in ["mounted", "dismounted", "prone"].into_iter().enumerate() {
            for dice in -5..=20 {
                let letter = row[key].as_str().expect("a letter");
                let wanted = if letter == "-" { 0 } else { result(letter, dice) };
                let got = super::super::fire::result(g.charts.fire[at][mode], dice as i32, false);
                assert_eq!(got as usize, wanted, "column {at} {key} {dice}");
            }
        }
        // 9.A: a column extends from its own number to the next one.
        for side in Side::ALL {
            let least = row[if side == Side::Us { "us" } else { "indian" }].as_integer().expect("a number");
            if least < 99 {
                let least = u32::try_from(least).expect("no sign");
                assert_eq!(g.charts.column(side, Ratio::whole(least)), Some(at), "{side:?} {least}");
            }
        }
    }
    for row in rows("melee") {
        let score: i32 = row["id"].as_str().and_then(|id| id.parse().ok()).expect("a number");
        let words = g.charts.melee_at(score).map(|score| score.to_string());
        assert_eq!(words, ["attacker", "defender"].map(|key| row[key].as_str().expect("a result").to_owned()));
    }
    assert_eq!(g.charts.melee_at(99)[1], Score { lost: 3, retreat: 0, rout: true });
    assert_eq!(g.charts.melee_at(-99)[0], Score { lost: 2, retreat: 0, rout: true });
    assert_eq!(Outcome::Two.casualties(), 2);
}

/// Combat units except Holders have a ZOC in all adjacent hexes, Routed units and Holders only in
/// their own, Leaders none; cliffs block it.
///
/// rosebud-creek 5
#[test]
fn zones_of_control_have_three_sizes() {
    let mut g = bare();
    let h1 = ride(&mut g, "H1", "2605");
    let beside = hex(&g, "2606");
    assert!(zoc::reaches(&g, beside, Side::Indian) && zoc::reaches(&g, hex(&g, "2605"), Side::Indian));
    assert!(!zoc::reaches(&g, hex(&g, "2607"), Side::Indian));
    for (pinned, disrupted, mode) in
        [(true, false, Mode::Mounted), (false, true, Mode::Mounted), (false, false, Mode::Prone)]
    {
        let unit = g.unit_mut(h1);
        (unit.pinned, unit.disrupted, unit.mode) = (pinned, disrupted, mode);
        assert!(zoc::reaches(&g, beside, Side::Indian), "Pinned, Disrupted and Prone units keep theirs");
    }
    g.unit_mut(h1).routed = true;
    assert!(!zoc::reaches(&g, beside, Side::Indian) && zoc::reaches(&g, hex(&g, "2605"), Side::Indian));
    foot(&mut g, "H2H", "3005");
    assert!(zoc::reaches(&g, hex(&g, "3005"), Side::Indian) && !zoc::reaches(&g, hex(&g, "3006"), Side::Indian));
    lead(&mut g, "Gall", "3405");
    assert!(!zoc::reaches(&g, hex(&g, "3405"), Side::Indian));
    // Across the cliff of the Eagle's Nest.
    foot(&mut g, "H3", "2815");
    assert!(!zoc::reaches(&g, hex(&g, "2814"), Side::Indian) && zoc::reaches(&g, hex(&g, "2816"), Side::Indian));
    // Another unit in the hex negates it for Retreats; a Leader does not.
    let a = foot(&mut g, "3A", "2816");
    assert!(zoc::threatens(&g, hex(&g, "2816"), a));
    foot(&mut g, "3E", "2816");
    assert!(!zoc::threatens(&g, hex(&g, "2816"), a));
}

/// Twenty-five Combat Factors per hex: trains count their strength, Holders one each, Leaders
/// nothing.
///
/// rosebud-creek 6, 6.A, 6.B, 6.D
#[test]
fn stacks_hold_twenty_five() {
    let mut g = bare();
    let at = hex(&g, "2912");
    for id in ["3A", "3E", "3I", "3M"] {
        foot(&mut g, id, "2912");
    }
    lead(&mut g, "Mills", "2912");
    assert_eq!(g.stacked(at), 20);
    for id in ["3AH", "3EH", "3IH", "3MH"] {
        foot(&mut g, id, "2912");
    }
    assert_eq!((g.stacked(at), zoc::crowded(&g, at)), (24, None));
    let train = foot(&mut g, "PTA", "3012");
    assert_eq!(g.stacked(hex(&g, "3012")), 6);
    g.unit_mut(train).losses = 2;
    assert_eq!(g.stacked(hex(&g, "3012")), 4, "Casualty Points reduce it");
    let b = unit(&g, "3B");
    assert!(!zoc::fits(&g, at, b) && zoc::fits(&g, hex(&g, "3012"), b));
    foot(&mut g, "3B", "2912");
    assert!(zoc::crowded(&g, at).is_some_and(|(over, why)| over == 3 && why.contains("28")));
}

/// 0, 5 and 3 Indian units in the hex: 4, 5 and 4 Pony Holders.
///
/// rosebud-creek 6.E
#[test]
fn pony_holders_are_limited_by_the_units_with_them() {
    let mut g = bare();
    assert_eq!([0, 5, 3].map(|units| zoc::pony_limit(&g, units)), [4, 5, 4]);
    let at = hex(&g, "2605");
    for n in 1..=5 {
        foot(&mut g, &format!("H{n}H"), "2605");
        assert_eq!(zoc::crowded(&g, at).is_some(), n > 4, "{n}");
    }
    assert_eq!(g.stacked(at), 0, "they count nothing themselves");
    for (n, id) in ["C1", "C2", "C3", "C4", "C5"].into_iter().enumerate() {
        foot(&mut g, id, "2605");
        assert_eq!(zoc::crowded(&g, at).is_some(), n < 4, "{id}");
    }
}

/// rosebud-creek 9.C
#[test]
fn sight_is_blocked_by_woods_heights_and_units() {
    let mut g = bare();
    let sees = |g: &super::super::State, a: &str, b: &str| sight::sees(g, hex(g, a), hex(g, b));
    // Three clear hexes of one level in a column.
    let flat = |g: &super::super::State, mid| {
        use postrider_table::hex::Direction::{North, South};
        let (a, b) = (g.charts.grid.step(mid, North)?, g.charts.grid.step(mid, South)?);
        let plain = [a, mid, b]
            .iter()
            .all(|&hex| g.charts.level[hex] == g.charts.level[mid] && g.ground(hex).name() == "Clear");
        plain.then(|| [g.id(a), g.id(mid), g.id(b)])
    };
    let [a, mid, b] = g.charts.grid.hexes().find_map(|mid| flat(&g, mid)).expect("level ground");
    assert!(sees(&g, &a, &b));
    let e = foot(&mut g, "3E", &mid);
    assert!(!sees(&g, &a, &b), "a unit stands between");
    g.unit_mut(e).mode = Mode::Prone;
    assert!(sees(&g, &a, &b), "it lies down");
    g.unit_mut(e).mode = Mode::Dismounted;
    g.unit_mut(e).losses = 4;
    assert!(sees(&g, &a, &b), "a unit of one point");
    g.put(e, Spot::Pool);
    // Higher ground between two lower hexes.
    let grid = &g.charts.grid;
    let level = &g.charts.level;
    let hill = grid.hexes().find(|&mid| {
        let ends = grid
            .step(mid, postrider_table::hex::Direction::North)
            .zip(grid.step(mid, postrider_table::hex::Direction::South));
        ends.is_some_and(|(a, b)| {
            level[mid] > level[a] && level[mid] > level[b] && g.c.terrains[g.ground(mid).index()].name == "Clear"
        })
    });
    let hill = hill.expect("a hill");
    let north = grid.step(hill, postrider_table::hex::Direction::North).expect("beside");
    let south = grid.step(hill, postrider_table::hex::Direction::South).expect("beside");
    assert!(!sight::sees(&g, north, south) && sight::sees(&g, north, hill));
    let woods = grid
        .hexes()
        .find(|&mid| g.c.terrains[g.ground(mid).index()].blocks && grid.row(mid) > 2 && grid.row(mid) < 18)
        .expect("woods");
    let a = grid.step(woods, postrider_table::hex::Direction::North).expect("beside");
    let b = grid.step(woods, postrider_table::hex::Direction::South).expect("beside");
    assert!(!sight::sees(&g, a, b) && sight::sees(&g, a, woods));
}

/// rosebud-creek 6.E
#[test]
fn an_abandoned_train_makes_no_room_for_ponies() {
    let mut g = bare();
    let at = hex(&g, "1710");
    for id in ["H1", "H2", "H3", "H4"] {
        let h = foot(&mut g, id, "1710");
        g.unit_mut(h).losses = 2;
    }
    let train = foot(&mut g, "PTA", "1710");
    g.unit_mut(train).abandoned = true;
    for id in ["H1H", "H2H", "H3H", "H4H", "H5H"] {
        foot(&mut g, id, "1710");
    }
    let (_, why) = zoc::crowded(&g, at).expect("too many");
    assert!(why.contains("more than 4"), "{why}");
}

/// A Retreat may leave too many Pony Holders in a hex; an order must not add to them.
///
/// rosebud-creek 6.E
#[test]
fn an_order_must_not_crowd_a_hex_further() {
    let mut g = bare();
    for n in 1..=6 {
        foot(&mut g, &format!("H{n}H"), "2605");
    }
    let h = foot(&mut g, "H1", "2605");
    g.unit_mut(h).disrupted = true;
    foot(&mut g, "C1H", "2606");
    let mut run = moving(&g, Side::Indian).start();
    assert!(run.refused("c1h 2605").contains("more than 4"));
    run.say("h1: recover").say("h2h 2604").say("h3h 2604");
    assert_eq!(run.now().here(hex(&g, "2605")).count(), 5);
}
