//! Exceptions and limits that no other test would catch.

use super::{
    super::{
        atrocity, battle, commitment, components::*, end, leaders, mobilization, movement, raid, reaction, state::*,
        testing::*, victory,
    },
    activation::acting,
    board::{board, condition, head, set, stand},
    raids::came,
};
use postrider_table::{Seat, chart::Ratio, status::Condition};

/// dark-and-bloody-ground 9.2.2
#[test]
fn regulars_in_a_settled_area_are_ambushed_without_the_modifier() {
    let mut g = war();
    let total = |g: &State, u: UnitId| atrocity::ambush_check(g, u).drm.total();
    let (wild, settled) = (put(&mut g, "regular", 1, "S5")[0], put(&mut g, "regular", 1, "U1")[0]);
    assert_eq!((total(&g, wild), total(&g, settled)), (1, 0));
    let s5 = at(&g, "S5");
    g.land_mut(s5).settlers = 1;
    assert_eq!(total(&g, wild), 0, "settlers settle it as well");
    // Warriors protect British regulars as Canadian militia does.
    let british = put(&mut g, "british-regular", 1, "O2")[0];
    assert_eq!(total(&g, british), 1);
    put(&mut g, "Ottawa", 1, "O2");
    assert_eq!(total(&g, british), 0);
}

/// dark-and-bloody-ground 9.2.2
#[test]
fn militia_in_the_fort_is_no_company_for_regulars_outside() {
    for (inside, drm) in [(false, 0), (true, 1)] {
        let mut g = war();
        us_fort(&mut g, "S5");
        let regular = put(&mut g, "regular", 1, "S5")[0];
        let militia = put(&mut g, "kentucky-militia", 1, "S5")[0];
        g.unit_mut(militia).inside = inside;
        assert_eq!(atrocity::ambush_check(&g, regular).drm.total(), drm, "{inside}");
    }
}

/// dark-and-bloody-ground 9.4.5
#[test]
fn who_has_completed_his_actions_reacts_worse() {
    let mut g = war();
    at_war(&mut g, "Shawnee", 1);
    let units = put(&mut g, "Shawnee", 2, "S5");
    let leader = lead(&mut g, "Black Hoof", "S5");
    let force = Force { units: units.clone(), leaders: vec![leader] };
    let passing = |g: &State| reaction::check(g, Side::Na, units[0], &force).passing(6);
    assert_eq!(passing(&g), 3);
    g.unit_mut(units[1]).done = true;
    assert_eq!(passing(&g), 2, "any of them");
}

/// dark-and-bloody-ground 10.5.2
#[test]
fn a_natural_six_misses_whatever_is_taken_off() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    let target = stand(&mut g, "Shawnee", "0809");
    set(&mut g, target, Condition::Routed);
    let fired = |die: i64| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::fire_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .any_dice([die])
        .start();
        trial.say("fire regular 1 at shawnee 1");
        condition(&trial.over(), target) == Condition::Routed && trial.over().vps == [0, 0]
    };
    // -2 against the Routed: a 6 would become 4, below the strength of 6, but always misses.
    assert!(fired(6) && !fired(5));
}

/// dark-and-bloody-ground T:melee-combat-modifiers
#[test]
fn streams_halve_troops_and_not_warriors() {
    let mut g = board(Terrain::Settled);
    let (warrior, regular) = (stand(&mut g, "Shawnee", "0406"), stand(&mut g, "regular", "0706"));
    stand(&mut g, "regular", "0405");
    stand(&mut g, "Miami", "0705");
    let attack = |i: usize, id: &str| battle::odds(&g, &[i], g.field().grid.hex(id).expect("a hex")).attack;
    assert_eq!(attack(warrior, "0405"), Ratio::whole(1));
    assert_eq!(attack(regular, "0705"), Ratio::whole(1).half());
}

/// dark-and-bloody-ground T:melee-combat-modifiers
#[test]
fn slopes_halve_who_attacks_up_them() {
    for (kind, foe) in [("Shawnee", "regular"), ("regular", "Shawnee")] {
        for (from, to, factor) in [("0707", "0706", Ratio::whole(1).half()), ("0706", "0707", Ratio::whole(1))] {
            let mut g = board(Terrain::Rough);
            let attacker = stand(&mut g, kind, from);
            stand(&mut g, foe, to);
            let target = g.field().grid.hex(to).expect("a hex");
            assert_eq!(battle::odds(&g, &[attacker], target).attack, factor, "{kind} {from}");
        }
    }
}

/// dark-and-bloody-ground 15.4.3, 15.4.4
#[test]
fn three_checks_are_not_two_years() {
    let ended = |commitment: u8, before: u8| {
        let mut g = war();
        (g.season, g.commitment, g.streaks) = (Season::Fall, commitment, [before; 2]);
        let end = Trial::new(g, |t, mut g| async move {
            victory::end_of_turn(&t, &mut g);
            g
        })
        .start()
        .over();
        (end.ending.map(|ending| ending.winner), end.streaks)
    };
    assert_eq!([ended(1, 2), ended(1, 3)], [(None, [0, 3]), (Some(Some(Side::Na)), [0, 4])]);
    assert_eq!([ended(5, 2), ended(5, 3)], [(None, [3, 0]), (Some(Some(Side::Us)), [4, 0])]);
    // Another level breaks the row.
    assert_eq!(ended(4, 3), (None, [0, 0]));
}

/// Without a nation at war the die is 2 lower. 1 or less lowers Commitment, 6 or more raises it,
/// between 1 and 5.
///
/// dark-and-bloody-ground 8.2
#[test]
fn commitment_moves_by_the_modified_die() {
    let rolled = |nations: &[&str], before: u8, die: i64| {
        let mut g = war();
        for nation in nations {
            at_war(&mut g, nation, 3);
        }
        g.commitment = before;
        let rule = |t, mut g| async move {
            commitment::roll(&t, &mut g);
            g
        };
        Trial::new(g, rule).dice("commitment", [die]).start().over().commitment
    };
    assert_eq!([1, 3, 4, 6].map(|die| rolled(&[], 3, die)), [2, 2, 3, 3]);
    let three = ["Shawnee", "Miami", "Delaware"];
    assert_eq!([1, 2, 5, 6].map(|die| rolled(&three, 3, die)), [2, 3, 3, 4]);
    assert_eq!((rolled(&three, 1, 1), rolled(&three, 5, 6)), (1, 5));
}

/// dark-and-bloody-ground 15.4.3
#[test]
fn the_war_is_not_over_before_it_begins() {
    let ended = |turn: u32, nation: Option<&str>| {
        let mut g = war();
        g.turn = turn;
        nation.into_iter().for_each(|nation| _ = at_war(&mut g, nation, 3));
        let rule = |t, mut g| async move {
            victory::end_of_mobilization(&t, &mut g);
            g
        };
        Trial::new(g, rule).start().over().ending.map(|ending| (ending.winner, ending.level))
    };
    assert_eq!([ended(1, None), ended(2, Some("Miami"))], [None, None]);
    assert_eq!(ended(2, None), Some((Some(Side::Us), Some("decisive"))));
}

/// dark-and-bloody-ground T:random-events-table, 8.1.3
#[test]
fn the_iroquois_do_not_come_to_those_who_have_surrendered() {
    let mut g = war();
    let others: Vec<_> = g.c.nation_ids().filter(|&n| g.c[n].fixed == 0).collect();
    for &n in &others[1..] {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    let come = |g: &State| {
        let rule = |t, mut g| async move {
            super::super::events::iroquois(&t, &mut g).await;
            g
        };
        let mut run = Trial::new(g.clone(), rule).any_dice([3]).start();
        run.all_first();
        run.now().tribe(nation(g, "Iroquois")).stance
    };
    assert_eq!(come(&g), Stance::Warpath);
    g.tribe_mut(others[0]).stance = Stance::Surrendered;
    assert_eq!(come(&g), Stance::Peaceful);
}

/// dark-and-bloody-ground 7.0.3
#[test]
fn each_obstacle_bars_a_british_line() {
    let starved = |bar: fn(&mut State, AreaId)| {
        let mut g = war();
        g.season = Season::Winter;
        let fort = g.c.area_ids().find(|&a| g.fort_of(a, Side::Na)).expect("a British fort");
        for a in g.c.area_ids().filter(|&a| a != fort).collect::<Vec<_>>() {
            g.land_mut(a).fort = None;
        }
        // A unit two areas from the fort, with all areas between them barred.
        let beside: Vec<AreaId> = g.beside(fort).collect();
        let far = |a: &AreaId| *a != fort && !beside.contains(a) && g.beside(*a).any(|b| beside.contains(&b));
        let id = g.c.area_ids().find(far).map(|a| g.c[a].id.clone()).expect("an area two steps away");
        let u = put(&mut g, "british-regular", 1, &id)[0];
        beside.iter().for_each(|&b| bar(&mut g, b));
        let rule = |t, mut g| async move {
            super::super::supply::phase(&t, &mut g).await;
            g
        };
        Trial::new(g, rule).start().over().unit(u).starved
    };
    assert!(!starved(|_, _| ()));
    assert!(starved(|g, b| g.land_mut(b).pillaged = true), "pillaged");
    assert!(starved(|g, b| {
        let id = g.c[b].id.clone();
        put(g, "regular", 1, &id);
    }));
    assert!(starved(|g, b| {
        let id = g.c[b].id.clone();
        us_fort(g, &id);
    }));
}

/// dark-and-bloody-ground 15.4.4, 15.4.3
#[test]
fn ten_towns_in_ohio_are_enough() {
    let ended = |wanted: i32| {
        let mut g = war();
        let towns = |g: &State| g.towns(|a| g.c[a].state == Province::Ohio);
        for a in g.c.area_ids().filter(|&a| g.c[a].state == Province::Ohio && !g.town(a)).collect::<Vec<_>>() {
            if towns(&g) < wanted {
                g.land_mut(a).village = true;
            }
        }
        assert_eq!(towns(&g), wanted);
        let ending = victory::campaign(&g);
        (ending.winner, ending.level)
    };
    assert_eq!([ended(9), ended(10)], [(Some(Side::Na), Some("decisive")), (None, None)]);
}

/// dark-and-bloody-ground 9.5.1, T:pillaging-table
#[test]
fn land_and_militia_move_the_die_of_pillage() {
    use super::super::pillage;
    let mut g = war();
    (g.season, g.severe) = (Season::Summer, false);
    let rough = g.c.area_ids().find(|&a| g.terrain(a) == Terrain::Rough).expect("rough land");
    let id = g.c[rough].id.clone();
    let two = |units: &[UnitId]| Force { units: units[..2].to_vec(), leaders: Vec::new() };
    let regulars = put(&mut g, "regular", 2, "S4");
    let militia = put(&mut g, "kentucky-militia", 2, "S4");
    let warriors = put(&mut g, "Shawnee", 2, &id);
    let s4 = at(&g, "S4");
    assert_ne!(g.terrain(s4), Terrain::Rough);
    let total = |side: Side, a: AreaId, units: &[UnitId]| pillage::modifiers(&g, side, a, &two(units)).total();
    assert_eq!([total(Side::Us, s4, &regulars), total(Side::Us, s4, &militia)], [-1, -2]);
    assert_eq!([total(Side::Na, rough, &warriors), total(Side::Na, s4, &warriors)], [0, -1]);
    assert!(pillage::may_pillage(&g, s4, &two(&regulars)).is_ok());
    g.unit_mut(regulars[1]).acts = 1;
    assert!(pillage::may_pillage(&g, s4, &two(&regulars)).is_err(), "one has acted");
}

/// dark-and-bloody-ground 9.3, 7.0.4, 9.4.2
#[test]
fn when_a_leader_can_be_activated() {
    use super::super::activation::can_lead;
    let mut g = war();
    let l = lead(&mut g, "Harmar", "U1");
    for (acts, starved, done, raiding, can) in [
        (0, false, false, false, true),
        (0, true, false, false, true),
        (1, false, false, false, true),
        (1, true, false, false, false),
        (2, false, false, false, false),
        (0, false, true, false, false),
        (0, false, false, true, false),
    ] {
        let chief = g.chief_mut(l);
        (chief.acts, chief.starved, chief.done, chief.raiding) = (acts, starved, done, raiding);
        assert_eq!(can_lead(&g, l), can, "{acts} {starved} {done} {raiding}");
    }
    let hoof = lead(&mut g, "Black Hoof", "S5");
    assert!(!can_lead(&g, hoof), "his nation is at peace");
    at_war(&mut g, "Shawnee", 3);
    assert!(can_lead(&g, hoof));
}

/// dark-and-bloody-ground 8.2, T:us-commitment-level-chart
#[test]
fn the_loss_of_a_general_is_remembered() {
    let lost = |name: &str| {
        let mut g = war();
        let l = lead(&mut g, name, "U1");
        let rule = move |t, mut g| async move {
            leaders::fall_on_map(&t, &mut g, l).await;
            g
        };
        let mut run = Trial::new(g, rule).any_dice([4; 4]).start();
        run.all_first();
        run.now().general_lost
    };
    assert_eq!(["Wayne", "Hamtramck", "Trotter"].map(lost), [[false, true], [false; 2], [false; 2]]);
}

/// dark-and-bloody-ground 14.0.3
#[test]
fn raiders_are_no_company_for_tecumseh() {
    let mut g = war();
    let tecumseh = lead(&mut g, "Tecumseh", "S5");
    let u = put(&mut g, "Shawnee", 1, "S4")[0];
    let s4 = at(&g, "S4");
    let alone = Force { units: Vec::new(), leaders: vec![tecumseh] };
    assert!(movement::keeps_tecumseh(&g, &alone, &[], s4).is_ok());
    g.unit_mut(u).raiding = true;
    assert!(movement::keeps_tecumseh(&g, &alone, &[], s4).is_err_and(|why| why.rule == "14.0.3"));
    let hoof = lead(&mut g, "Black Hoof", "S4");
    assert!(movement::keeps_tecumseh(&g, &alone, &[], s4).is_ok());
    g.chief_mut(hoof).raiding = true;
    assert!(movement::keeps_tecumseh(&g, &alone, &[], s4).is_err());
}

/// dark-and-bloody-ground 9.4.1
#[test]
fn the_second_step_must_be_paid_for() {
    let mut g = war();
    (g.season, g.severe) = (Season::Winter, false);
    let u = put(&mut g, "regular", 1, "S5")[0];
    let force = Force { units: vec![u], leaders: Vec::new() };
    let mover = movement::Mover::of(&g, Side::Us, &force);
    let s5 = Spot::On(at(&g, "S5"));
    let one = g.c[at(&g, "S5")].adjacent[0];
    let two = *g.c[one].adjacent.iter().find(|&&b| Spot::On(b) != s5).expect("a second area");
    let cost = |a| movement::entering(&g, Side::Us, a);
    let both = cost(one) + cost(two);
    let walk = |way: &[AreaId], mps: u16| {
        movement::walk(&g, mover, s5, way, mps).map(|legs| legs.len()).map_err(|why| why.rule)
    };
    assert_eq!([walk(&[one], 1), walk(&[one, two], both)], [Ok(1), Ok(2)]);
    assert_eq!([walk(&[one, two], both - 1), walk(&[one, two], 1)], [Err("9.4.1"); 2]);
}

/// dark-and-bloody-ground 11.3.1, 4.5
#[test]
fn the_combat_phase_places_siege_markers() {
    use super::super::combat;
    let mut g = war();
    at_war(&mut g, "Wyandot", 3);
    put(&mut g, "regular", 2, "W2");
    let u = put(&mut g, "Wyandot", 1, "W2")[0];
    g.unit_mut(u).inside = true;
    let w2 = at(&g, "W2");
    let rule = |t, mut g| async move {
        combat::phase(&t, &mut g).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    assert_eq!(run.now().fort(w2).map(|fort| fort.siege), Some(1));
    run.say("siege");
    assert_eq!(run.over().fort(w2).map(|fort| fort.siege), Some(1));
}

/// dark-and-bloody-ground 9.2.3
#[test]
fn where_a_leader_is_safe() {
    let mut g = war();
    g.atrocities = [1, 1];
    let (harmar, hoof) = (lead(&mut g, "Harmar", "S4"), lead(&mut g, "Black Hoof", "S5"));
    let may = |g: &State, side: Side, l| atrocity::may_assassinate(g, side, l).is_ok();
    assert_eq!([may(&g, Side::Na, harmar), may(&g, Side::Us, harmar)], [true, false]);
    assert_eq!([may(&g, Side::Us, hoof), may(&g, Side::Na, hoof)], [true, false]);
    us_fort(&mut g, "S4");
    assert!(!may(&g, Side::Na, harmar), "in his fort");
    lead(&mut g, "Harmar", "U1");
    assert!(!may(&g, Side::Na, harmar), "in a town");
}

/// dark-and-bloody-ground T:main-map-terrain-effects-chart, 5.0
#[test]
fn severe_weather_is_winter_on_the_map() {
    let mut g = war();
    let mut cost = |season: Season, severe: bool, side: Side| -> Vec<u16> {
        (g.season, g.severe) = (season, severe);
        g.c.area_ids().map(|a| movement::entering(&g, side, a)).collect()
    };
    for side in Side::ALL {
        let winter = cost(Season::Winter, false, side);
        for season in [Season::Spring, Season::Summer, Season::Fall] {
            assert_eq!(cost(season, true, side), winter, "{season:?} {side:?}");
        }
        assert_ne!(cost(Season::Summer, false, side), winter);
    }
}

/// A unit that moves a second time wears out: in winter 2 are added to its die, and Wayne takes 3
/// off.
///
/// dark-and-bloody-ground 9.4.2
#[test]
fn a_second_move_wears_out_whoever_makes_it() {
    let condition = |commitment: u8| {
        let mut g = war();
        (g.commitment, g.season) = (commitment, Season::Winter);
        for n in g.c.nation_ids() {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
        let u = put(&mut g, "regular", 1, "U1")[0];
        let wayne = lead(&mut g, "Wayne", "U1");
        (g.unit_mut(u).acts, g.chief_mut(wayne).acts) = (1, 1);
        let to = g.c[g.c[at(&g, "U1")].adjacent[0]].id.clone();
        // 6 - 3 passes the check of the second activation against 3, and 6 + 2 - 3 the other only
        // against 5.
        let mut run = acting(g, Side::Us, 6);
        run.say(&format!("move 1 regular, wayne from u1 to {to}"));
        let now = run.now();
        assert_eq!(now.unit(u).spot, Spot::On(at(&now, &to)));
        now.unit(u).condition
    };
    assert_eq!([condition(3), condition(5)], [Condition::Disrupted, Condition::Normal]);
}

/// dark-and-bloody-ground 9.4.5
#[test]
fn the_primary_leader_rates_a_reaction_if_he_is_there() {
    let mut g = war();
    g.commitment = 3;
    let u = put(&mut g, "regular", 1, "U1")[0];
    let (hamtramck, wayne) = (lead(&mut g, "Hamtramck", "U1"), lead(&mut g, "Wayne", "U1"));
    g.primary[Side::Us.index()] = Some(wayne);
    let force = Force { units: vec![u], leaders: vec![hamtramck] };
    let passing = |g: &State| reaction::check(g, Side::Us, u, &force).passing(6);
    // Against 3: 3 off, or Hamtramck's 2.
    assert_eq!(passing(&g), 6);
    lead(&mut g, "Wayne", "U3");
    assert_eq!(passing(&g), 5);
    lead(&mut g, "Wayne", "U1");
    g.chief_mut(wayne).raiding = true;
    assert_eq!(passing(&g), 5);
}

/// dark-and-bloody-ground 9.4.4, T:main-map-terrain-effects-chart
#[test]
fn the_ohio_costs_the_nations_an_mp() {
    let mut g = war();
    let a = g.c.area_ids().find(|&a| !g.c[a].across.is_empty()).expect("a bank");
    let to = *g.c[a].across.iter().find(|b| !g.c[a].adjacent.contains(b)).expect("the other bank");
    let mover = movement::Mover::of(&g, Side::Na, &Force::default());
    let mut more = |season: Season| {
        (g.season, g.severe) = (season, false);
        let leg = movement::leg(&g, mover, Spot::On(a), to).expect("a step");
        (leg.cost - movement::entering(&g, Side::Na, to), leg.crosses)
    };
    let all = [Season::Spring, Season::Summer, Season::Fall, Season::Winter].map(&mut more);
    assert_eq!(all, [(1, true), (1, true), (1, true), (0, true)]);
}

/// dark-and-bloody-ground 12.0.4
#[test]
fn raiders_return_to_quiet_land() {
    let mut g = war();
    let n = at_war(&mut g, "Shawnee", 3);
    let open = |g: &State| raid::homes(g, Some(n));
    let home = *open(&g).iter().find(|&&a| g.fort(a).is_none() && !g.town(a)).expect("an open home");
    let bars: [fn(&mut State, AreaId); 3] = [
        |g, a| g.land_mut(a).pillaged = true,
        |g, a| g.land_mut(a).village = true,
        |g, a| {
            let id = g.c[a].id.clone();
            put(g, "regular", 1, &id);
        },
    ];
    for (nth, bar) in bars.into_iter().enumerate() {
        let mut g = g.clone();
        bar(&mut g, home);
        assert!(!open(&g).contains(&home), "{nth}");
    }
}

/// dark-and-bloody-ground 14.0.7
#[test]
fn two_leaders_of_militia_in_1791_and_three_from_1792() {
    let mut g = war();
    (g.year, g.season) = (1791, Season::Spring);
    for (kind, id, name) in
        [("kentucky-militia", "K2", "Trotter"), ("pennsylvania-militia", "P1", "Pennsylvania replacement")]
    {
        put(&mut g, kind, 1, id);
        lead(&mut g, name, id);
    }
    put(&mut g, "virginia-militia", 1, "V1");
    let asked = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            leaders::militia_leaders(&t, &mut g, &[]).await;
            g
        })
        .start();
        if trial.asked().is_empty() { Vec::new() } else { trial.words() }
    };
    assert!(asked(&g).is_empty(), "two are in play");
    g.year = 1792;
    assert!(asked(&g).iter().any(|name| name.to_lowercase().contains("darke")), "a third may be");
}

/// dark-and-bloody-ground 9.4.3, T:main-map-terrain-effects-chart
#[test]
fn warriors_do_not_go_by_water_through_pillaged_land() {
    let mut g = war();
    g.season = Season::Summer;
    let leg = |g: &State, side: Side| {
        let mover = movement::Mover::of(g, side, &Force::default());
        let legs = movement::legs(g, mover, Spot::On(at(g, "M1")));
        legs.into_iter().find(|leg| leg.to == at(g, "O1")).map(|leg| leg.cost)
    };
    assert_eq!((leg(&g, Side::Na), leg(&g, Side::Us)), (Some(1), Some(1)));
    let o1 = at(&g, "O1");
    g.land_mut(o1).pillaged = true;
    assert_eq!((leg(&g, Side::Na), leg(&g, Side::Us)), (None, Some(2)));
    let m1 = at(&g, "M1");
    (g.land_mut(o1).pillaged, g.land_mut(m1).pillaged) = (false, true);
    assert_eq!((leg(&g, Side::Na), leg(&g, Side::Us)), (None, Some(1)), "where it begins");
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn nations_do_not_share_a_hex_without_tecumseh_or_girty() {
    let over = |heads: &[&str], second: &str| {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "Shawnee", "0806");
        stand(&mut g, "Shawnee", "0806");
        stand(&mut g, second, "0806");
        heads.iter().for_each(|name| head(&mut g, name, "0806"));
        let mut trial = Trial::new(g, |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        trial.say("done");
        let asked = trial.asked().first().is_some_and(|asked| asked.1 == "battle-stack");
        trial.all_first();
        (asked, trial.over().battle().pieces.iter().filter(|p| p.stand == battle::Stand::Dead).count())
    };
    assert_eq!([over(&[], "Shawnee"), over(&["Tecumseh"], "Miami"), over(&["Girty"], "Miami")], [(false, 0); 3]);
    assert!(over(&[], "Miami").0 && over(&["Blue Jacket"], "Miami").1 >= 1);
    // One warrior with the British, even with Tecumseh.
    assert!(over(&["Tecumseh"], "british-regular").0);
}

/// dark-and-bloody-ground 13.0, 8.4.3, 4.7
#[test]
fn militia_in_a_besieged_fort_stays_over_the_winter() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Winter, 3);
    us_fort(&mut g, "S2");
    let inside = put(&mut g, "kentucky-militia", 1, "S2")[0];
    g.unit_mut(inside).inside = true;
    let home = put(&mut g, "kentucky-militia", 1, "U1")[0];
    at_war(&mut g, "Shawnee", 3);
    put(&mut g, "Shawnee", 1, "S2");
    let mut trial = Trial::new(g, |t, mut g| async move {
        end::phase(&t, &mut g).await;
        g
    })
    .dice("attrition", [1])
    .start();
    trial.all_first();
    let end = trial.over();
    assert_eq!((end.unit(inside).spot, end.unit(home).spot), (Spot::On(at(&end, "S2")), Spot::Pool));
}

/// dark-and-bloody-ground T:random-events-table, 8.1
#[test]
fn good_omens_keep_a_nation_from_surrender() {
    let mut g = war();
    let ottawa = nation(&g, "Ottawa");
    for n in g.c.nation_ids().filter(|&n| n != ottawa) {
        g.tribe_mut(n).stance = Stance::Surrendered;
        g.tribe_mut(n).ml = 0;
    }
    for id in ["O2", "O3", "O4", "M1"] {
        let a = at(&g, id);
        g.land_mut(a).pillaged = true;
    }
    let rolled = |omens: i8| {
        let mut g = g.clone();
        g.tribe_mut(ottawa).omens = omens;
        let mut trial = Trial::new(g, |t, mut g| async move {
            mobilization::phase(&t, &mut g).await;
            g
        })
        .any_dice([2])
        .start();
        trial.all_first();
        let tribe = *trial.over().tribe(ottawa);
        (tribe.stance, tribe.ml)
    };
    // 2 less 4, and +1 for the omens.
    assert_eq!((rolled(1), rolled(0)), ((Stance::Peaceful, 1), (Stance::Surrendered, 0)));
}

/// dark-and-bloody-ground T:raid-resolution-results, 12.0.3
#[test]
fn a_fiasco_against_one_militia_takes_one_warrior() {
    let lost = |militia: usize| {
        let mut g = war();
        (g.commitment, g.season, g.severe) = (3, Season::Summer, true);
        at_war(&mut g, "Shawnee", 3);
        let u1 = at(&g, "U1");
        put(&mut g, "kentucky-militia", militia, "U1");
        for u in put(&mut g, "Shawnee", 3, "U1") {
            g.unit_mut(u).raiding = true;
        }
        came(&mut g, u1, raid::Journey { to: u1, mps: 24, forts: 0, fortified: 0, ohio: true, waste: false });
        let second = if militia > 1 { vec![6, 6] } else { Vec::new() };
        let mut trial = Trial::new(g, |t, mut g| async move {
            raid::phase(&t, &mut g).await;
            g
        })
        .dice("raid", [1])
        .dice("second loss", second)
        .start();
        assert!(trial.asked().iter().all(|asked| asked.0 == Seat(1)));
        trial.all_first();
        let end = trial.over();
        let shawnee = nation(&end, "Shawnee");
        end.of_kind(end.c.warriors(shawnee)).filter(|&u| end.unit(u).spot == Spot::Gone).count()
    };
    assert_eq!((lost(1), lost(2)), (1, 2));
}
