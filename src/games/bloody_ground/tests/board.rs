//! The battle boards (10, 16).

use super::super::{
    battle::{self, Fight, Head, Piece, Stand},
    components::*,
    state::*,
    testing::*,
};
use crate::{Order, order::Path};
use postrider_table::{Seat, hex::Hex, status::Condition};

/// Returns a battle on an empty board, in summer.
pub fn board(terrain: Terrain) -> State {
    let mut g = bare("harmars-defeat");
    (g.season, g.commitment) = (Season::Summer, 3);
    for name in ["Shawnee", "Miami"] {
        at_war(&mut g, name, 3);
    }
    g.fight = Some(Fight {
        board: terrain,
        area: None,
        round: 1,
        first: Side::Na,
        surprise: false,
        primary: [None; 2],
        start: [0; 2],
        lost: [0; 2],
        headless: [false; 2],
        walked: [false; 2],
        pieces: Vec::new(),
        heads: Vec::new(),
        attacked: Vec::new(),
    });
    g
}

fn hex(g: &State, id: &str) -> Hex {
    g.field().grid.hex(id).unwrap_or_else(|| panic!("no hex {id}"))
}

pub fn stand(g: &mut State, kind: &str, id: &str) -> usize {
    let of = g.c.kind(kind).unwrap_or_else(|| panic!("no kind {kind}"));
    let unit = g.of_kind(of).find(|&u| g.unit(u).spot == Spot::Pool).expect("a counter");
    g.unit_mut(unit).spot = Spot::Edge;
    let at = hex(g, id);
    let nth = 1 + g.battle().pieces.iter().filter(|p| g.unit(p.unit).kind == of).count();
    g.battle_mut().pieces.push(Piece { unit, label: format!("{kind} {nth}"), stand: Stand::On(at), used: false });
    g.battle().pieces.len() - 1
}

pub fn head(g: &mut State, name: &str, id: &str) {
    let (leader, at) = (leader(g, name), hex(g, id));
    g.chief_mut(leader).spot = Spot::Edge;
    g.battle_mut().heads.push(Head { leader, stand: Stand::On(at), left: None, endangered: false });
}

pub fn condition(g: &State, i: usize) -> Condition {
    g.unit(g.battle().pieces[i].unit).condition
}

pub fn set(g: &mut State, i: usize, condition: Condition) {
    let u = g.battle().pieces[i].unit;
    g.unit_mut(u).condition = condition;
}

/// dark-and-bloody-ground 10.4, T:battle-board-terrain-effects-chart
#[test]
fn steps_cost_by_ground_and_side() {
    let mut g = board(Terrain::Rough);
    let walker = |regular, warrior| battle::walker_of(Side::Us, regular, warrior, 4, Season::Summer);
    let cost = |g: &State, from: &str, to: &str, regular, warrior| {
        battle::march::cost(g, walker(regular, warrior), hex(g, from), hex(g, to)).map(|step| step.cost)
    };
    // Clear, woods, up a slope into clear.
    assert_eq!(cost(&g, "0904", "0905", true, false), Some(1));
    assert_eq!([cost(&g, "1204", "1205", true, false), cost(&g, "1204", "1205", false, true)], [Some(2), Some(1)]);
    assert_eq!(cost(&g, "0707", "0706", true, false), Some(2), "a slope");
    assert_eq!(cost(&g, "0803", "0804", true, false), Some(2), "the trail over a stream");
    let foe = stand(&mut g, "Shawnee", "0905");
    assert_eq!(cost(&g, "0904", "0905", true, false), None, "an enemy");
    for (condition, ends) in [(Condition::Normal, true), (Condition::Disrupted, true), (Condition::Routed, false)] {
        set(&mut g, foe, condition);
        let step = battle::march::cost(&g, walker(true, false), hex(&g, "0805"), hex(&g, "0904")).expect("a step");
        assert_eq!(step.ends, ends, "beside an enemy, {condition:?}");
    }
}

/// dark-and-bloody-ground T:fire-combat-summary, T:mcrt-results, 10.6
#[test]
fn terrain_protects_who_is_in_order() {
    let mut g = board(Terrain::Rough);
    let target = stand(&mut g, "Shawnee", "0705");
    for (condition, drms) in
        [(Condition::Normal, [1, 1]), (Condition::Disrupted, [-1; 2]), (Condition::Routed, [-2; 2])]
    {
        set(&mut g, target, condition);
        // Clear and high ground from below, and woods from afar.
        let shots = [("0708", "0706"), ("0510", "0508")].map(|(from, to)| (hex(&g, from), hex(&g, to)));
        let drm = shots.map(|(from, to)| battle::modifiers(&g, from, to, target).total());
        assert_eq!(drm, drms, "{condition:?}");
    }
}

/// dark-and-bloody-ground 10.5.1
#[test]
fn woods_units_slopes_and_crops_block() {
    let mut g = board(Terrain::Settled);
    let sees = |g: &State, season, a: &str, b: &str| battle::sees(g, season, hex(g, a), hex(g, b));
    assert!(sees(&g, Season::Summer, "0706", "0711") == sees(&g, Season::Summer, "0711", "0706"));
    // Through cultivated hexes only in winter and spring; into them always.
    assert!(!sees(&g, Season::Summer, "0307", "0310") && sees(&g, Season::Winter, "0307", "0310"));
    assert!(sees(&g, Season::Summer, "0307", "0308"));
    assert!(sees(&g, Season::Summer, "0806", "0808"));
    stand(&mut g, "regular", "0807");
    assert!(!sees(&g, Season::Summer, "0806", "0808"), "a unit between");
    let g = board(Terrain::Wilderness);
    assert!(!battle::sees(&g, Season::Winter, hex(&g, "0106"), hex(&g, "0109")), "woods between");
    let g = board(Terrain::Rough);
    // From high ground down over its own slope, but not across the hill.
    assert!(battle::sees(&g, Season::Summer, hex(&g, "0706"), hex(&g, "0707")));
    assert!(!battle::sees(&g, Season::Summer, hex(&g, "0703"), hex(&g, "0707")));
}

fn fired(g: State, side: Side, words: &[&str], dice: &[i64]) -> State {
    let mut trial = Trial::new(g, move |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, side).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.check_options(2);
    for said in words {
        trial.say(said);
    }
    trial.over()
}

/// dark-and-bloody-ground T:fire-combat-summary
#[test]
fn fire_up_a_slope_is_harder() {
    let g = board(Terrain::Rough);
    let (field, top) = (g.field(), hex(&g, "0706"));
    let open = |to: &Hex| field.ground[*to] != Ground::Woods;
    let near = |high: bool| field.grid.neighbours(top).filter(open).find(|&to| field.high.has(to) == high);
    for (high, end) in [(false, Condition::Normal), (true, Condition::Disrupted)] {
        let (mut g, from) = (g.clone(), field.grid.id(near(high).expect("an open hex")));
        let s = stand(&mut g, "Shawnee", "0706");
        stand(&mut g, "regular", &from);
        // FCF 2, tripled outside woods: a 5 hits, but not with 1 more.
        let g = fired(g, Side::Us, &["fire regular 1 at shawnee 1"], &[5]);
        assert_eq!(condition(&g, s), end, "from {from}");
    }
}

/// dark-and-bloody-ground 10.5, 10.5.2, T:fire-combat-summary, 14.0.2
#[test]
fn fire_disrupts_routs_and_kills() {
    let mut g = board(Terrain::Settled);
    let r = stand(&mut g, "regular", "0806");
    let s = stand(&mut g, "Shawnee", "0809");
    let _ = r;
    // FCF 2, tripled outside woods: the die must be below 6.
    let end = fired(g.clone(), Side::Us, &["fire regular 1 at shawnee 1"], &[5]);
    assert_eq!(condition(&end, s), Condition::Disrupted);
    assert_eq!(
        condition(&fired(g.clone(), Side::Us, &["fire regular 1 at shawnee 1"], &[6]), s),
        Condition::Normal,
        "6 misses"
    );
    set(&mut g, s, Condition::Disrupted);
    assert_eq!(
        condition(&fired(g.clone(), Side::Us, &["fire regular 1 at shawnee 1"], &[5, 3]), s),
        Condition::Disrupted
    );
    assert_eq!(condition(&fired(g.clone(), Side::Us, &["fire regular 1 at shawnee 1"], &[5, 4]), s), Condition::Routed);
    set(&mut g, s, Condition::Routed);
    let end = fired(g.clone(), Side::Us, &["fire regular 1 at shawnee 1"], &[5]);
    assert_eq!((end.battle().pieces[s].stand, end.vps), (Stand::Dead, [1, 0]));
    // Warriors have a range of one hex, with rifles three; Disrupted units do not fire.
    let mut near = board(Terrain::Settled);
    let s = stand(&mut near, "Shawnee", "0806");
    stand(&mut near, "regular", "0808");
    let shots = |g: &State| battle::shots_for_tests(g, Side::Na, Season::Summer);
    assert_eq!(shots(&near), 0);
    let u = near.battle().pieces[s].unit;
    near.unit_mut(u).rifle = true;
    assert_eq!(shots(&near), 1);
    set(&mut near, s, Condition::Disrupted);
    assert_eq!(shots(&near), 0);
}

/// dark-and-bloody-ground 10.5.3
#[test]
fn leaders_under_fire_may_fall() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0806");
    stand(&mut g, "regular", "0807");
    head(&mut g, "Hamtramck", "0807");
    let end = fired(g.clone(), Side::Na, &["fire shawnee 1 at regular 1"], &[1, 6]);
    assert_eq!(end.vps, [0, 2]);
    assert!(end.battle().heads.iter().any(|h| end.c[h.leader].name.contains("replacement")), "his replacement");
    assert_eq!(fired(g, Side::Na, &["fire shawnee 1 at regular 1"], &[1, 5]).vps, [0, 0]);
}

/// dark-and-bloody-ground 10.3
#[test]
fn units_recover_and_rally() {
    let mut g = board(Terrain::Settled);
    let (free, held, routed) =
        (stand(&mut g, "regular", "0306"), stand(&mut g, "regular", "0806"), stand(&mut g, "regular", "1206"));
    stand(&mut g, "Shawnee", "0807");
    head(&mut g, "Wayne", "1206");
    for i in [free, held] {
        set(&mut g, i, Condition::Disrupted);
    }
    set(&mut g, routed, Condition::Routed);
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .dice("recovery", [4])
    .dice("rally", [6])
    .start();
    trial.check_options(2);
    trial.say("yes");
    let end = trial.over();
    // A unit away from enemies needs no die; 4 against 3 fails; 6 less Wayne's 3 passes.
    assert_eq!(
        [free, held, routed].map(|i| condition(&end, i)),
        [Condition::Normal, Condition::Disrupted, Condition::Disrupted]
    );
}

/// dark-and-bloody-ground 10.6, T:melee-combat-modifiers
#[test]
fn what_moves_a_melee() {
    let mut g = board(Terrain::Wilderness);
    let a: Vec<usize> = ["0405", "0405"].map(|id| stand(&mut g, "Shawnee", id)).to_vec();
    stand(&mut g, "regular", "0504");
    let at = hex(&g, "0504");
    g.commitment = 1;
    let odds = battle::odds(&g, &a, at);
    // Two warriors in woods are 4 against 1; level 3 against Commitment 1 is +2.
    assert_eq!((g.charts.odds.label(odds.plain), odds.drm.total()), ("4-1", 2));
    head(&mut g, "Blue Jacket", "0405");
    head(&mut g, "Hamtramck", "0504");
    let odds = battle::odds(&g, &a, at);
    assert_eq!((odds.shifts.total(), g.charts.odds.label(odds.column)), (1, "5-1"));
    set(&mut g, a[0], Condition::Disrupted);
    let odds = battle::odds(&g, &a, at);
    // Disrupted: a factor of 1 without woods, and one column left.
    assert_eq!((g.charts.odds.label(odds.plain), odds.shifts.total()), ("3-1", 0));
}

fn fought(g: State, words: &str, dice: &[i64]) -> State {
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::melee_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.check_options(2);
    trial.say(words);
    if trial.asked().first().is_some_and(|asked| asked.1 == "battle-retreat") {
        trial.say("1007");
    }
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 10.6.1, 10.6.2, T:mcrt-results
#[test]
fn melee_takes_units_and_leaders() {
    let mut g = board(Terrain::Settled);
    let s: Vec<usize> = ["0706", "0706", "0805"].map(|id| stand(&mut g, "Shawnee", id)).to_vec();
    let r = stand(&mut g, "regular", "0806");
    head(&mut g, "Hamtramck", "0806");
    let _ = s;
    // 3 to 1, shifted two left by Hamtramck, is 1-1; on a 6 the attacker loses one unit.
    let end = fought(g.clone(), "melee 0806 with shawnee 1, shawnee 2, shawnee 3", &[6]);
    assert_eq!((end.battle().lost, end.battle().pieces[r].stand), ([0, 1], Stand::On(hex(&end, "0806"))));
    g.commitment = 1;
    // A level difference of 2 makes the die 8: the defender retreats, and his leader is checked.
    let end = fought(g, "melee 0806 with shawnee 1, shawnee 2, shawnee 3", &[6, 1]);
    assert_eq!(condition(&end, r), Condition::Disrupted);
    let grid = &end.field().grid;
    let far = end.battle().pieces[r].stand.hex().map(|to| grid.distance(to, hex(&end, "0806")));
    assert!(far.is_none_or(|far| far == 2));
}

/// dark-and-bloody-ground 10.7, 10.7.1
#[test]
fn a_third_is_rounded_down() {
    assert_eq!([1, 2, 3, 5, 6, 11, 12].map(battle::third), [1, 1, 1, 1, 2, 3, 4]);
}

/// dark-and-bloody-ground 10.2, 10.4.1, 16.1, 16.1.1, 16.1.2
#[test]
fn harmars_defeat_is_set_up() {
    let g = bare("harmars-defeat");
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::scenario_for_tests(&t, &mut g).await;
        g
    })
    .start();
    trial.check_options(2);
    trial.all_first();
    let g = trial.over();
    let fight = g.battle();
    let near = |i: usize| {
        fight.pieces[i]
            .stand
            .hex()
            .is_some_and(|at| g.field().letters.iter().any(|&(_, letter)| g.field().grid.distance(at, letter) <= 4))
    };
    assert!(g.on_board(Side::Us).count() == 4 && g.on_board(Side::Us).all(near));
    assert!(g.on_board(Side::Na).count() == 10);
    for i in g.on_board(Side::Na) {
        let at = fight.pieces[i].stand.hex().expect("on the board");
        assert!(matches!(g.field().ground[at], Ground::Woods | Ground::Swamp) && !g.threatened(at, Side::Na, false));
    }
    assert_eq!(fight.pieces.iter().filter(|p| p.stand == Stand::Waiting(2)).count(), 6);
    assert_eq!((fight.first, fight.surprise, fight.start), (Side::Na, false, [10, 10]));
    // Each leader comes once: two of the US, of whom Harmar comes later, and four of the Native
    // Americans.
    let mut heads: Vec<&str> = fight.heads.iter().map(|head| &*g.c[head.leader].name).collect();
    heads.sort_unstable();
    assert_eq!(heads, ["Black Hoof", "Hamtramck", "Harmar", "Little Turtle", "McKee", "Tecumseh"]);
    // Units of one kind are numbered through, those who come later too.
    let mut labels: Vec<&str> = fight.pieces.iter().map(|piece| &*piece.label).collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), 20);
    assert!(["regular 1", "regular 2", "regular 3"].iter().all(|label| labels.contains(label)));
}

/// dark-and-bloody-ground 16.1.3, 16.3.3
#[test]
fn battles_score_their_own_way() {
    let mut g = board(Terrain::Settled);
    let (r, m, s) =
        (stand(&mut g, "regular", "0306"), stand(&mut g, "ohio-militia", "0406"), stand(&mut g, "Shawnee", "0806"));
    for i in [r, m, s] {
        g.slay(i);
    }
    assert_eq!(g.vps, [1, 3]);
    assert!(g.battle().pieces.iter().all(|piece| piece.stand == Stand::Dead && g.unit(piece.unit).spot == Spot::Gone));
    assert_eq!(g.battle().lost, [2, 1]);
    let mut g = board(Terrain::Settled);
    g.scenario = g.c.scenarios.iter().position(|s| s.id == "fallen-timbers").expect("a scenario");
    let (s, w) = (stand(&mut g, "Shawnee", "0806"), stand(&mut g, "Wyandot", "0807"));
    g.slay(s);
    g.slay(w);
    assert_eq!(g.vps, [3, 0]);
}

/// dark-and-bloody-ground 10.5.3, 10.6.2
#[test]
fn a_replacement_who_fell_and_came_again_is_named_as_before() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Miami", "0806");
    head(&mut g, "Miami replacement", "0806");
    g.battle_mut().heads[0].stand = Stand::Dead;
    head(&mut g, "Miami replacement", "0806");
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .start();
    trial.check_options(2);
    trial.say("miami replacement 0806-0805");
    let now = trial.now();
    let stands: Vec<Stand> = now.battle().heads.iter().map(|head| head.stand).collect();
    assert_eq!(stands, [Stand::Dead, Stand::On(hex(&now, "0805"))]);
}

/// dark-and-bloody-ground 10.4, 10.4.1
#[test]
fn ways_are_read_by_short_names_goals_and_the_trail() {
    let mut g = board(Terrain::Wilderness);
    let trail = g.field().trail.clone();
    let id = |hex: Hex| g.field().grid.id(hex);
    let (start, next, far) = (id(trail[4]), id(trail[5]), id(trail[6]));
    let beside = g.field().grid.neighbours(trail[4]).find(|hex| !trail.contains(hex)).map(id).expect("a hex beside it");
    stand(&mut g, "regular", &start);
    stand(&mut g, "Shawnee", "0101");
    head(&mut g, "Harmar", &beside);
    let trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    let long = trial.read(&format!("regular 1 {start}-{next}-{far}")).expect("a way");
    for words in [
        format!("r1 {start}-{next}-{far}"),
        format!("regulars 1 along the trail to {far}"),
        format!("reg1 goes along the road to {far}"),
        format!("R1 {start} to {next} to {far}"),
    ] {
        assert_eq!(trial.read(&words).as_ref(), Ok(&long), "{words}");
    }
    let goal = trial.read(&format!("regular 1 to {next}")).expect("the cheapest way");
    assert_eq!(goal, trial.read(&format!("regular 1 {start}-{next}")).expect("a way"));
    // From an adjacent hex the path begins with a step onto the trail; to a hex off the trail there
    // is no such path.
    let joined = trial.read(&format!("harmar along the trail to {far}")).expect("a way");
    assert!(format!("{joined:?}").contains(&beside), "{joined:?}");
    assert!(trial.read(&format!("regular 1 along the trail to {beside}")).is_err());
    assert!(trial.read("r2 to 0101").is_err(), "there is one regular");
}

/// dark-and-bloody-ground 10.4
#[test]
fn several_units_go_one_way() {
    let mut g = board(Terrain::Settled);
    for id in ["0809", "0809", "0909"] {
        stand(&mut g, "regular", id);
    }
    stand(&mut g, "Shawnee", "0101");
    head(&mut g, "Harmar", "0809");
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    let way = |words: &str| trial.read(words);
    let both = way("regular 1 0809-0808-0807, regular 2 0809-0808-0807").expect("two ways");
    for words in [
        "regulars 1 and 2 0809-0808-0807",
        "regular 1, 2: 0809-0808-0807",
        "regular 1, regular 2 0809-0808-0807",
        "move the regulars 1 and 2 from 0809 to 0808 to 0807",
        "regular 1 and 2 each go 0809-0808-0807",
    ] {
        assert_eq!(way(words).as_ref(), Ok(&both), "{words}");
    }
    // Each unit takes its own cheapest path to the hex; a leader goes along, and other units have
    // paths of their own.
    let goal = way("regulars 1 and 3 to 0808").expect("two ways");
    assert_eq!(way("regular 1 to 0808, regular 3 to 0808"), Ok(goal));
    let all = way("regular 1 0809-0808, regular 2 0809-0808, harmar 0809-0808, regular 3 0909-0908").expect("ways");
    assert_eq!(way("regular 1, 2 and harmar 0809-0808, regular 3 0909-0908"), Ok(all));
    // Unknown units and missing paths are errors.
    for words in ["regular 1 and 7 0809-0808", "regular 1, 2", "regular 1-3 to 0808", "regulars to 0808"] {
        assert!(way(words).is_err(), "{words}: {:?}", way(words));
    }
    trial.say("regulars 1 and 2 to 0808");
    let now = trial.now();
    let stands: Vec<Stand> = now.battle().pieces[..3].iter().map(|piece| piece.stand).collect();
    assert_eq!(stands, ["0808", "0808", "0909"].map(|id| Stand::On(hex(&now, id))));
}

/// dark-and-bloody-ground 7.0.4
#[test]
fn a_leader_out_of_supply_is_slower_on_the_board() {
    let mut g = board(Terrain::Settled);
    head(&mut g, "Harmar", "0806");
    let harmar = leader(&g, "Harmar");
    let reached = |g: &State| {
        let grid = &g.field().grid;
        grid.hexes().filter(|&hex| battle::cheapest(g, "Harmar", &grid.id(hex)).is_some()).count()
    };
    let all = reached(&g);
    g.chief_mut(harmar).starved = true;
    assert!(reached(&g) < all);
}

/// Four MPs lead four hexes over clear ground, a fifth one those who began the impulse with a leader: also if he goes
/// before them, but not if he comes to them.
///
/// dark-and-bloody-ground 10.4
#[test]
fn who_begins_with_a_leader_goes_farther() {
    for (at, first, goes) in
        [("0706", None, true), ("0706", Some("0705"), true), ("0705", Some("0706"), false), ("0705", None, false)]
    {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "kentucky-militia", "0706");
        stand(&mut g, "Shawnee", "0101");
        head(&mut g, "Harmar", at);
        let mut run = marching_in(&g);
        first.into_iter().for_each(|to| _ = run.say(&format!("harmar to {to}")));
        assert_eq!(run.try_say("kentucky-militia 1 0706-0806-0906-1006-1106-1206").is_ok(), goes, "{at}, {first:?}");
    }
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn done_warns_of_units_that_are_too_many() {
    let mut g = board(Terrain::Settled);
    for _ in 0..4 {
        stand(&mut g, "regular", "0806");
    }
    let trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    assert!(trial.dangers("done").join(" ").contains("1 unit is too many in 0806"), "{:?}", trial.dangers("done"));
    assert!(trial.dangers("regular 1 to 0805").is_empty());
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn a_state_or_kind_means_a_unit_only_if_no_other_fits() {
    let mut g = board(Terrain::Settled);
    let units = ["regular", "regular", "kentucky-militia", "kentucky-militia"].map(|kind| stand(&mut g, kind, "0806"));
    set(&mut g, units[1], Condition::Disrupted);
    set(&mut g, units[2], Condition::Disrupted);
    let trial = Trial::new(g, |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    });
    let mut trial = trial.start();
    trial.say("done");
    let which = [
        ("disrupted", ["regular 2", "kentucky-militia 1"]),
        ("militia", ["kentucky-militia 1", "kentucky-militia 2"]),
        ("the kentucky militia", ["kentucky-militia 1", "kentucky-militia 2"]),
        ("regulars", ["regular 1", "regular 2"]),
    ];
    for (words, names) in which {
        let why = trial.read(words).expect_err(words);
        assert!(names.iter().all(|name| why.why.contains(name)), "{words}: {why}");
        assert!(why.understood > 0 && why.start == words.len(), "a standing order does not go on to `any`");
        let first = trial.read(&format!("any {}", words.trim_start_matches("the ")));
        assert_eq!(first, trial.read(names[0]), "{words}");
    }
    trial.say("kentucky-militia 2");
    let end = trial.over();
    let left = units.map(|i| end.battle().pieces[i].stand.hex().is_some());
    assert_eq!(left, [true, true, true, false]);
}

/// The British stack with one unit of warriors, but not with two.
///
/// dark-and-bloody-ground 10.4.1
#[test]
fn one_unit_of_warriors_stands_with_the_british() {
    for (warriors, dangers) in [(1, 0), (2, 1)] {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "british-regular", "0806");
        for _ in 0..warriors {
            stand(&mut g, "Shawnee", "0806");
        }
        let trial = Trial::new(g, |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        assert_eq!(trial.cautions("done").len(), dangers, "{warriors}: {:?}", trial.cautions("done"));
    }
}

/// A battle goes on while each side has a unit that is not Routed.
///
/// dark-and-bloody-ground 10.7
#[test]
fn a_battle_is_over_when_all_units_of_a_side_are_routed() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0801");
    let regulars = [(); 2].map(|()| stand(&mut g, "regular", "0806"));
    for (n, &i) in regulars.iter().enumerate() {
        assert!(!battle::over_for_tests(&g), "{n} Routed");
        set(&mut g, i, Condition::Routed);
    }
    assert!(battle::over_for_tests(&g));
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn of_like_units_too_many_in_a_hex_one_goes_unasked() {
    let crowded = |shaken: bool| {
        let mut g = board(Terrain::Wilderness);
        let woods = g.field().grid.hexes().find(|&hex| g.field().ground[hex] == Ground::Woods).expect("woods");
        let id = g.field().grid.id(woods);
        let units: Vec<usize> = (0..3).map(|_| stand(&mut g, "Shawnee", &id)).collect();
        if shaken {
            set(&mut g, units[2], Condition::Disrupted);
        }
        let mut trial = Trial::new(g, |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        let told = trial.cautions("done").join(" ");
        assert!(told.contains(&format!("1 unit is too many in {id}")), "{told}");
        trial.say("done");
        trial.asked()
    };
    assert_eq!(crowded(false), []);
    assert_eq!(crowded(true), [(Seat(1), "battle-stack")], "they differ");
}

/// A side that moves second fires in defence, then fires and fights; who is surprised does not move
/// or fight in round 1.
///
/// dark-and-bloody-ground 10.1, 10.2, 16.1.3
#[test]
fn ten_rounds_in_the_order_of_play() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    let shawnee = stand(&mut g, "Shawnee", "0808");
    let u = g.battle().pieces[shawnee].unit;
    g.unit_mut(u).rifle = true;
    // Both are in range of the other, and neither fires nor moves.
    let (us, na) = (Seat(0), Seat(1));
    let (moves, fires) = ("battle-move", "battle-fire");
    let round = [(na, moves), (us, fires), (na, fires), (us, moves), (na, fires), (us, fires)];
    let caught = [(na, moves), (na, fires), (na, fires)];
    for surprise in [false, true] {
        g.battle_mut().surprise = surprise;
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::rounds_for_tests(&t, &mut g).await;
            g
        })
        .start();
        let mut asked = Vec::new();
        while let Some(&now) = trial.asked().first() {
            asked.push(now);
            trial.say("done");
        }
        let first = if surprise { &caught[..] } else { &round };
        assert_eq!(asked, [first, &round.repeat(9)].concat(), "surprise: {surprise}");
        assert_eq!((trial.over().battle().round, trial.over().vps), (10, [0, 0]));
    }
    // A piece that is still to come keeps a battle going in which its side has none on the board.
    let mut late = g.clone();
    late.battle_mut().surprise = false;
    late.battle_mut().pieces[0].stand = Stand::Waiting(3);
    let mut trial = Trial::new(late, |t, mut g| async move {
        battle::rounds_for_tests(&t, &mut g).await;
        g
    })
    .start();
    while trial.now().battle().round < 4 && !trial.asked().is_empty() {
        trial.say("done");
    }
    assert_eq!(trial.now().battle().round, 4);
    // At the end of a round no un-routed enemy is left: the battle is over, for 5 VPs.
    set(&mut g, shawnee, Condition::Routed);
    g.battle_mut().surprise = true;
    g.battle_mut().first = Side::Us;
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::rounds_for_tests(&t, &mut g).await;
        g
    })
    .start();
    while !trial.asked().is_empty() {
        trial.say("done");
    }
    assert_eq!((trial.over().battle().round, trial.over().vps), (1, [5, 0]));
}

/// dark-and-bloody-ground 10.4, 16.1.1
#[test]
fn reinforcements_enter_by_the_trail() {
    let mut g = board(Terrain::Wilderness);
    stand(&mut g, "Shawnee", "0101");
    let waits = stand(&mut g, "regular", "0102");
    g.battle_mut().pieces[waits].stand = Stand::Waiting(2);
    let field = g.field().clone();
    let c = field.letters.iter().find(|(letter, _)| *letter == 'C').expect("a letter").1;
    let ends = [field.trail[0], *field.trail.last().expect("a trail")];
    let entry = ends.into_iter().min_by_key(|&end| field.grid.distance(end, c)).expect("an end");
    let march = |g: &State| {
        Trial::new(g.clone(), |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .start()
    };
    assert!(march(&g).asked().is_empty(), "it comes in round 2");
    g.battle_mut().round = 2;
    let id = field.grid.id(entry);
    let mut run = march(&g);
    run.say(&format!("regular 1 {id}"));
    assert_eq!(run.now().battle().pieces[waits].stand, Stand::On(entry));
    // Its 4 MPs less 1 for the trail leave three hexes along it.
    let steps = |g: &State| {
        let ways = march(g).options().into_iter().filter_map(|choice| match choice.order {
            super::super::Order::March { ways } => ways.first().map(|path| path.way.len() as u16 - 1),
            _ => None,
        });
        ways.max()
    };
    assert_eq!(steps(&g), Some(3));
    // An enemy stands there: the next hex of the edge.
    stand(&mut g, "Shawnee", &id);
    let mut run = march(&g);
    assert!(run.try_say(&format!("regular 1 {id}")).is_err());
    // 1409 and 1410 are as near, but not at the edge.
    assert_eq!(id, "1510");
    for (to, may) in [("1509", true), ("1511", true), ("1508", false), ("1410", false)] {
        let mut run = march(&g);
        assert_eq!(run.try_say(&format!("regular 1 {to}")).is_ok(), may, "{to}");
        assert!(!may || run.now().battle().pieces[waits].stand == Stand::On(hex(&run.now(), to)), "{to}");
    }
}

/// Three regulars are due in round 2, and two have room in the woods where the trail begins.
///
/// dark-and-bloody-ground 16.1.1, 10.4
#[test]
fn reinforcements_are_withheld_only_where_an_enemy_stands() {
    for (round, enemy, entered) in [(1, None, 0), (2, None, 2), (2, Some("1511"), 2), (2, Some("1510"), 0)] {
        let mut g = board(Terrain::Wilderness);
        stand(&mut g, "regular", "0303");
        stand(&mut g, "Shawnee", enemy.unwrap_or("0101"));
        for _ in 0..3 {
            let waits = stand(&mut g, "regular", "0102");
            g.battle_mut().pieces[waits].stand = Stand::Waiting(2);
        }
        g.battle_mut().round = round;
        let mut run = marching_in(&g);
        run.say("done");
        let end = run.over();
        let entry = hex(&end, "1510");
        let there = end.on_board(Side::Us).filter(|&i| end.battle().pieces[i].stand == Stand::On(entry)).count();
        assert_eq!((there, end.on_board(Side::Us).count()), (entered, entered + 1), "round {round}, enemy {enemy:?}");
    }
}

/// dark-and-bloody-ground 10.4, 10.7.1
#[test]
fn who_walks_off_the_board_concedes() {
    for (others, walked) in [(None, true), (Some(Stand::Waiting(3)), false), (Some(Stand::Dead), true)] {
        let mut g = board(Terrain::Settled);
        let u = stand(&mut g, "regular", "0106");
        stand(&mut g, "Shawnee", "1206");
        if let Some(other) = others {
            let i = stand(&mut g, "regular", "0306");
            g.battle_mut().pieces[i].stand = other;
        }
        let mut run = Trial::new(g, |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .start();
        run.say("regular 1 0106-off");
        let end = run.over();
        assert_eq!((end.battle().pieces[u].stand, end.battle().walked), (Stand::Off, [walked, false]), "{others:?}");
    }
}

/// dark-and-bloody-ground 5.0, 16.3.3, T:battle-board-terrain-effects-chart
#[test]
fn severe_weather_doubles_the_steps() {
    let mut g = board(Terrain::Rough);
    let walker = battle::walker_of(Side::Us, true, false, 9, Season::Summer);
    let cost = |g: &State, from: &str, to: &str| {
        battle::march::cost(g, walker, hex(g, from), hex(g, to)).map(|step| step.cost)
    };
    let steps = [("0904", "0905"), ("1204", "1205"), ("0803", "0804")];
    let costs = |g: &State| steps.map(|(from, to)| cost(g, from, to).expect("a step"));
    assert_eq!(costs(&g), [1, 2, 2]);
    g.severe = true;
    // The trail crosses a stream.
    assert_eq!(costs(&g), [2, 4, 9]);
}

/// Leaders of nations and agents go through woods like warriors, Dorchester like the British.
///
/// dark-and-bloody-ground 10.4, T:battle-board-terrain-effects-chart
#[test]
fn woods_slow_dorchester() {
    let reached = |name: &str| {
        let mut g = board(Terrain::Wilderness);
        head(&mut g, name, "0810");
        let ids = g.field().grid.hexes().map(|hex| g.field().grid.id(hex));
        ids.filter(|id| battle::cheapest(&g, name, id).is_some()).count()
    };
    assert!(reached("Dorchester") < reached("McKee"));
    assert_eq!([reached("Little Turtle"), reached("Dorchester")], [reached("McKee"), reached("Harmar")]);
}

/// Woods cost warriors 1 MP and all others 2: three of them are too far for militia.
///
/// dark-and-bloody-ground 10.4, T:battle-board-terrain-effects-chart
#[test]
fn woods_slow_all_but_warriors() {
    let empty = board(Terrain::Wilderness);
    let field = empty.field();
    let plain = |from: Hex, to: Hex| {
        field.ground[to] == Ground::Woods
            && !field.stream.between(&field.grid, from, to)
            && !field.on_trail(from, to)
            && field.high.has(from) == field.high.has(to)
    };
    let next = |from: Hex| field.grid.neighbours(from).filter(move |&to| plain(from, to)).collect::<Vec<_>>();
    let ways = field
        .grid
        .hexes()
        .flat_map(|a| next(a).into_iter().flat_map(move |b| next(b).into_iter().map(move |c| (a, b, c))));
    let ways = ways.flat_map(|(a, b, c)| next(c).into_iter().map(move |d| [a, b, c, d]));
    let way = ways.into_iter().find(|way| field.grid.distance(way[0], way[3]) == 3).expect("three hexes of woods");
    let said = way.map(|hex| field.grid.id(hex)).join("-");
    for (kind, side, may) in
        [("Shawnee", Side::Na, true), ("kentucky-militia", Side::Us, false), ("regular", Side::Us, false)]
    {
        let mut g = empty.clone();
        stand(&mut g, kind, &field.grid.id(way[0]));
        let mut run = Trial::new(g, move |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, side).await;
            g
        })
        .start();
        assert_eq!(run.try_say(&format!("{kind} 1 {said}")).is_ok(), may, "{kind} {said}");
    }
}

/// dark-and-bloody-ground 10.4
#[test]
fn a_unit_moves_once_in_an_order() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "Shawnee", "0101");
    let rule = |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    let path = || Path { who: "regular 1".to_owned(), way: ["0806", "0807"].map(str::to_owned).to_vec() };
    assert!(run.order(Order::March { ways: vec![path(), path()] }).is_err());
    assert!(run.order(Order::March { ways: vec![path()] }).is_ok());
}

/// dark-and-bloody-ground 10.1, 10.5, 10.6
#[test]
fn each_impulse_begins_afresh() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "regular", "0806");
    stand(&mut g, "Shawnee", "0807");
    let fire = |t, mut g| async move {
        for _ in 0..2 {
            battle::fire_for_tests(&t, &mut g, Side::Us).await;
        }
        g
    };
    // Only the first shot hits.
    let mut run = Trial::new(g.clone(), fire).any_dice([6, 6]).start();
    run.say("fire regular 1 at shawnee 1").say("fire regular 1 at shawnee 1");
    assert!(run.asked().is_empty());
    let melee = |t, mut g| async move {
        for _ in 0..2 {
            battle::melee_for_tests(&t, &mut g, Side::Us).await;
        }
        g
    };
    // 1 to 1 and a 3 at equal levels: no effect.
    let mut run = Trial::new(g, melee).any_dice([3, 3]).start();
    run.say("melee 0807 with regular 1").say("melee 0807 with regular 1");
    assert!(run.asked().is_empty());
}

/// dark-and-bloody-ground 10.4
#[test]
fn who_has_no_unit_on_the_board_concedes_nothing() {
    let mut g = board(Terrain::Settled);
    let i = stand(&mut g, "regular", "0106");
    g.battle_mut().pieces[i].stand = Stand::Off;
    let rule = |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    };
    assert_eq!(Trial::new(g, rule).start().over().battle().walked, [false; 2]);
}

fn marching_in(g: &State) -> Running {
    let rule = |t, mut g| async move {
        battle::march_for_tests(&t, &mut g, Side::Us).await;
        g
    };
    Trial::new(g.clone(), rule).start()
}

/// dark-and-bloody-ground 10.4, 16.1.1, T:battle-board-terrain-effects-chart
#[test]
fn who_enters_beside_an_enemy_goes_no_further_and_a_full_trail_is_none() {
    let mut g = board(Terrain::Wilderness);
    let waits = stand(&mut g, "regular", "0102");
    g.battle_mut().pieces[waits].stand = Stand::Waiting(2);
    g.battle_mut().round = 2;
    assert_eq!(marching_in(&g).try_say("regular 1 1510-1410-1309-1209"), Ok(()), "1 and 3 of 4 MPs");
    let mut full = g.clone();
    for _ in 0..2 {
        stand(&mut full, "regular", "1510");
    }
    assert!(marching_in(&full).try_say("regular 1 1510-1410-1309-1209").is_err(), "2 for the woods");
    assert_eq!(marching_in(&full).try_say("regular 1 1510-1410-1309"), Ok(()));
    stand(&mut g, "Shawnee", "1511");
    assert!(marching_in(&g).refused("regular 1 1510-1410").contains("movement ends there"));
    assert_eq!(marching_in(&g).try_say("regular 1 1510"), Ok(()));
}

/// Leaving takes 1 MP after the way to the edge: a unit of 4 MPs leaves after three steps and not after four.
///
/// dark-and-bloody-ground 10.4, 10.7
#[test]
fn who_leaves_the_board_has_an_mp_for_it() {
    for (from, way, leaves) in [("0202", "0202-0203-0204-0104", true), ("0402", "0402-0403-0303-0204-0104", false)] {
        let mut g = board(Terrain::Settled);
        stand(&mut g, "regular", from);
        stand(&mut g, "Shawnee", "1206");
        let march = |said: &str| {
            let mut run = Trial::new(g.clone(), |t, mut g| async move {
                battle::march_for_tests(&t, &mut g, Side::Us).await;
                g
            })
            .start();
            run.try_say(said).is_ok()
        };
        assert!(march(&format!("regular 1 {way}")), "as far as the edge");
        assert_eq!(march(&format!("regular 1 {way}-off")), leaves, "{way}");
    }
}
