//! Victory conditions (15.1.4, 15.2.4, 15.4.3, 15.4.4).

use super::{
    State, T,
    components::{AreaId, Province, Season, Side},
    supply,
};
use postrider_table::tell_vps;
use std::borrow::Cow;

/// The result of a game: the winner (`None` for a draw), the level of victory, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub winner: Option<Side>,
    pub level: Option<&'static str>,
    pub why: Cow<'static, str>,
}

impl Ending {
    fn of(winner: Side, level: &'static str, why: impl Into<Cow<'static, str>>) -> Ending {
        Ending { level: Some(level), ..Ending::without_level(winner, why) }
    }
    fn without_level(winner: Side, why: impl Into<Cow<'static, str>>) -> Ending {
        Ending { winner: Some(winner), level: None, why: why.into() }
    }
    fn draw(why: impl Into<Cow<'static, str>>) -> Ending {
        Ending { winner: None, level: None, why: why.into() }
    }
}

/// Tells the VPs that have changed since they were last told.
pub fn tell_points(t: &T, g: &mut State) {
    tell_vps(t, ["US", "NA"], &mut g.told, g.vps);
}

/// Returns `true` if the scenario uses the victory conditions of 15.4.3 to 15.4.5.
fn long_war(g: &State) -> bool {
    g.c.scenarios[g.scenario].turns > 3
}

/// Ends the game for the US if no nation is at war at the end of a Mobilization Phase (15.4.3).
pub fn end_of_mobilization(t: &T, g: &mut State) {
    if long_war(g) && g.turn > 1 && g.at_war() == 0 && g.ending.is_none() {
        end(t, g, Ending::of(Side::Us, "decisive", "all nations have surrendered or failed to mobilize (15.4.3)"));
    }
}

fn end(t: &T, g: &mut State, ending: Ending) {
    tell_points(t, g);
    t.tell(|| match (ending.winner, ending.level) {
        (Some(side), Some(level)) => format!("{} wins, {level}: {}.", g.who(side), ending.why),
        (Some(side), None) => format!("{} wins: {}.", g.who(side), ending.why),
        (None, _) => format!("A draw: {}.", ending.why),
    });
    g.ending = Some(ending);
}

/// Checks for victory in the End Phase: Commitment for two years, and all other conditions in the
/// last turn.
pub fn end_of_turn(t: &T, g: &mut State) {
    if g.ending.is_some() {
        return;
    }
    if long_war(g) && matches!(g.season, Season::Fall | Season::Winter) {
        for (streak, level) in g.streaks.iter_mut().zip([5, 1]) {
            *streak = if g.commitment == level { *streak + 1 } else { 0 };
        }
        if g.streaks[0] >= 4 {
            return end(t, g, Ending::of(Side::Us, "strategic", "US Commitment at 5 for two years (15.4.3)"));
        }
        if g.streaks[1] >= 4 {
            return end(t, g, Ending::of(Side::Na, "strategic", "US Commitment at 1 for two years (15.4.4)"));
        }
    }
    if g.turn < u32::from(g.c.scenarios[g.scenario].turns) {
        return;
    }
    if g.variant.settled_at_end {
        let settled = g.c.area_ids().filter(|&a| g.scores(a)).count();
        g.score(Side::Us, i32::try_from(settled).unwrap_or(0), "15.4.5");
    }
    let ending = match &*g.c.scenarios[g.scenario].id {
        "harmar-1790" => harmar(g),
        "st-clair-1791" => st_clair(g),
        _ => campaign(g),
    };
    end(t, g, ending);
}

/// Returns `true` if only US combat units are at Kekionga, with a line of supply from there to
/// Cincinnati (15.1.4, 15.2.4).
fn holds_kekionga(g: &State) -> bool {
    let k = g.kekionga();
    let alone = g.fighters(k, Side::Us).next().is_some() && g.fighters(k, Side::Na).next().is_none();
    let cincinnati = g.c.area("U1");
    alone && cincinnati.is_some_and(|to| supply::linked(g, k, to))
}

fn settlers_among(g: &State, of: impl Fn(AreaId) -> bool) -> bool {
    g.c.area_ids().any(|a| of(a) && g.people(a) > 0)
}

/// Returns the level that each side has reached, before it is lowered for losses (15.1.4).
fn reached(g: &State) -> [i32; 2] {
    let k = g.kekionga();
    let pillaged = if g.variant.pillage_at_end { g.land(k).pillaged } else { g.kekionga_pillaged };
    let us = match (holds_kekionga(g), pillaged) {
        (true, _) => 2,
        (_, true) => 1,
        _ => 0,
    };
    let of = |a: AreaId| g.c[a].nation.is_some_and(|n| matches!(&*g.c[n].name, "Miami" | "Shawnee"));
    let free = !settlers_among(g, of);
    let na_holds = g.fighters(k, Side::Us).next().is_none() && !g.fort_of(k, Side::Us) && !g.is_settled(k);
    let na = match (free, free && !pillaged && na_holds) {
        (_, true) => 2,
        (true, _) => 1,
        _ => 0,
    };
    [us, na]
}

/// Returns the result of Harmar's Expedition: each side's level, less one if it lost more than a
/// third of its units; the higher level wins (15.1.4).
pub fn harmar(g: &State) -> Ending {
    let drop = |side: Side| (reached(g)[side.index()] - i32::from(heavy(g, side))).max(0);
    let (us, na) = (drop(Side::Us), drop(Side::Na));
    let [of_us, of_na] = reached(g);
    let held = match of_us {
        2.. => "US units alone hold Kekionga, in supply",
        1 => "Kekionga is pillaged",
        _ => "the US player has not got Kekionga",
    };
    let free = match of_na {
        2.. => "no settlers are in Miami and Shawnee land, and Kekionga is unpillaged and in Native American hands",
        1 => "no settlers are in Miami and Shawnee land",
        _ => "settlers are in Miami and Shawnee land",
    };
    // The text of the outcome is recorded in the journal.
    let why = |reasons: &[&str]| {
        let lowered = lowered(g);
        let all: Vec<&str> = reasons.iter().copied().chain(lowered.iter().map(String::as_str)).collect();
        format!("{} (15.1.4)", all.join("; "))
    };
    match us.cmp(&na) {
        std::cmp::Ordering::Greater => Ending::of(Side::Us, level(us), why(&[held])),
        std::cmp::Ordering::Less => Ending::of(Side::Na, level(na), why(&[free])),
        std::cmp::Ordering::Equal => Ending::draw(why(&[held, free])),
    }
}

/// Returns `true` if a side lost more than a third of its starting units by combat, raids or lack
/// of supply (15.1.4).
fn heavy(g: &State, side: Side) -> bool {
    u32::from(g.lost_at_start[side.index()]) * 3 > u32::from(g.started[side.index()])
}

fn level(n: i32) -> &'static str {
    match n {
        2.. => "decisive",
        1 => "marginal",
        _ => "none",
    }
}

/// Returns the levels that were lowered, with the reasons.
fn lowered(g: &State) -> Vec<String> {
    let told = |side: Side| {
        let (lost, started) = (g.lost_at_start[side.index()], g.started[side.index()]);
        let reached = reached(g)[side.index()];
        let (from, to) = (level(reached), level(reached - 1));
        let who = side.short();
        let told = || {
            let lost = postrider_orders::counted(lost, "unit");
            format!(
                "{who} is lowered from {from} to {to}: it has lost {lost}, more than a third of the {started} it had at the start"
            )
        };
        (reached > 0 && heavy(g, side)).then(told)
    };
    Side::ALL.into_iter().filter_map(told).collect()
}

/// Returns the result of St. Clair's Campaign (15.2.4).
pub fn st_clair(g: &State) -> Ending {
    if holds_kekionga(g) {
        return match g.people(g.kekionga()) > 0 {
            true => {
                Ending::of(Side::Us, "major", "US units alone hold Kekionga, in supply, with settlers there (15.2.4)")
            }
            false => Ending::of(Side::Us, "marginal", "US units alone hold Kekionga, in supply (15.2.4)"),
        };
    }
    let at_war = |a: AreaId| g.c[a].nation.is_some_and(|n| g.is_at_war(n));
    match settlers_among(g, at_war) {
        true => {
            Ending::of(Side::Na, "minor", "Kekionga is not lost; settlers are in the land of nations at war (15.2.4)")
        }
        false => Ending::of(
            Side::Na,
            "major",
            "Kekionga is not lost; no settlers are in the land of nations at war (15.2.4)",
        ),
    }
}

/// Returns the result after the last turn; decisive beats minor (15.4.3, 15.4.4).
pub fn campaign(g: &State) -> Ending {
    let towns = g.towns(|a| g.c[a].state == Province::Ohio);
    if towns < 10 {
        return Ending::of(Side::Na, "decisive", "fewer than ten towns in Ohio (15.4.4)");
    }
    match g.lead() {
        1.. => Ending::of(Side::Us, "minor", "more VPs (15.4.3)"),
        0 => Ending::draw("as many VPs (15.4.3)"),
        _ => Ending::of(Side::Na, "minor", "more VPs (15.4.4)"),
    }
}

/// Ends a battle scenario: more VPs win (16.1.3).
pub fn battle(t: &T, g: &mut State) {
    let ending = match g.lead() {
        1.. => Ending::without_level(Side::Us, "more VPs (16.1.3)"),
        0 => Ending::draw("as many VPs (16.1.3)"),
        _ => Ending::without_level(Side::Na, "more VPs (16.1.3)"),
    };
    end(t, g, ending);
}
