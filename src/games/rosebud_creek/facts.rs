//! The facts that conditions of standing orders can compare.

use super::{
    State,
    components::{Side, UnitId},
    fire, leaders, melee, naming,
    order::Order,
    state::Mode,
    volley::Fires,
    zoc,
};
use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::{LEADS, SCORES, Seat, VPS, hex::Hex};

const STRENGTH: Measure = Measure::Number(0, 999);
const FIRE: &[&str] =
    &["offensive-fire", "defensive-fire", "advance-fire", "opportunity-shots", "retreat-shots", "hit-and-run"];
/// Questions about units in a place.
const UNITS: &[&str] = &["stand-or-go", "how-far", "scattering", "rout-or-stay", "retreat-way"];
const MELEE: &[&str] = &["stand-or-go"];

/// All facts of the game.
pub static FACTS: &[FactKind] = &[
    FactKind::new("turn", Measure::Number(0, 99), &[], "the turn of twenty minutes, 1 at 08:00 (18.1)"),
    FactKind::new(VPS, SCORES, &[], "your VPs").or(&["victory points", "my vps"]),
    FactKind::new("lead", LEADS, &[], "your VPs less those of the other side"),
    FactKind::new("losses", STRENGTH, &[], "Casualty Points of your side (17)").or(&["casualty points"]),
    FactKind::new("enemy losses", STRENGTH, &[], "Casualty Points of the other side (17)"),
    FactKind::new("chance", Measure::Percent, FIRE, "that the best of these shots brings a Casualty Point (9)"),
    FactKind::new("check", Measure::Percent, FIRE, "that the best of these shots brings a Morale Check at least (9)"),
    FactKind::new("shots", STRENGTH, FIRE, "how many units fire, or could"),
    FactKind::new("unit", Measure::Name("unit"), UNITS, "a unit that it is about, by its id"),
    FactKind::new("formation", Measure::Name("formation"), UNITS, "its battalion or tribe"),
    FactKind::new("cf", STRENGTH, UNITS, "combat factors of these units").or(&["combat factors"]).of(&["unit"]),
    FactKind::new("stack", STRENGTH, UNITS, "units of your side in that hex, holders not counted"),
    FactKind::new("mounted", Measure::YesNo, UNITS, "all of these units are mounted"),
    FactKind::new("disrupted", Measure::YesNo, UNITS, "one of these units is Disrupted"),
    FactKind::new("led", Measure::YesNo, UNITS, "a Leader is with them"),
    FactKind::new("zocs", STRENGTH, UNITS, "enemy units whose ZOC reaches that hex (5)"),
    FactKind::new("alone", Measure::YesNo, UNITS, "no other unit of your side is within a hex, holders not counted"),
    FactKind::new("odds", Measure::Ratio, MELEE, "the attackers' strength against that of all defenders (10.A)")
        .or(&["outnumbered"]),
];

/// Returns the side of a seat.
fn side(g: &State, seat: Seat) -> Option<Side> {
    [Side::Us, Side::Indian].into_iter().find(|&side| g.seat(side) == seat)
}

/// Returns the VPs of a seat by the rules that gave or took them.
pub fn earned(g: &State, seat: Seat) -> Vec<(&'static str, i64)> {
    side(g, seat).map(|side| g.earned.of(side)).unwrap_or_default()
}

/// Returns the facts known at every question.
pub fn everywhere(g: &State, seat: Seat) -> Vec<Fact> {
    let Some(side) = side(g, seat) else { return Vec::new() };
    let (mine, theirs) = (side.index(), side.enemy().index());
    vec![
        Fact::number("turn", g.turn),
        Fact::number(VPS, g.vps[mine]),
        Fact::number("lead", g.vps[mine] - g.vps[theirs]),
        Fact::number("losses", g.losses[mine]),
        Fact::number("enemy losses", g.losses[theirs]),
    ]
}

/// Returns the possible names of a fact's value.
pub fn names(g: &State, fact: &str) -> Vec<String> {
    let sides = [Side::Us, Side::Indian];
    match fact {
        "unit" => g.c.unit_ids().map(|u| g.name(u)).collect(),
        "formation" => sides.iter().flat_map(|&side| naming::formations(g, side)).map(|(name, _)| name).collect(),
        _ => Vec::new(),
    }
}

/// The units of one side in a hex that a question is about, and their attackers.
#[derive(Clone, Debug)]
pub struct Scene {
    pub at: Option<Hex>,
    pub units: Vec<UnitId>,
    pub attackers: Vec<UnitId>,
}

impl Scene {
    pub fn facts(&self, g: &State) -> Vec<Fact> {
        let (Some(&first), Some(at)) = (self.units.first(), self.at) else { return Vec::new() };
        let side = g.side(first);
        let friends = |hex: Hex| g.of_side(hex, side).filter(|&u| !g.class(u).is_holder());
        let mut near = g.charts.grid.within(at, 1).flat_map(friends);
        let all = || self.units.iter().copied();
        let mut facts = vec![
            Fact::among("unit", all().map(|u| g.name(u))),
            Fact::among("formation", all().map(|u| naming::formation(g, u))),
            Fact::number("cf", all().map(|u| i64::from(g.cf(u))).sum::<i64>()),
            Fact::number("stack", friends(at).count() as i64),
            Fact::whether("mounted", all().all(|u| g.posture(u) == Mode::Mounted)),
            Fact::whether("disrupted", all().any(|u| g.unit(u).disrupted)),
            Fact::whether("led", all().any(|u| leaders::attached(g, u).next().is_some())),
            Fact::number("zocs", zoc::exerting(g, at, side.enemy()).count() as i64),
            Fact::whether("alone", !near.any(|u| !self.units.contains(&u))),
        ];
        if !self.attackers.is_empty() {
            let battle = melee::reckon(g, &self.attackers, at);
            let odds = battle.attack.to(battle.defence).map_or((1, 0), postrider_table::chart::Ratio::parts);
            facts.push(Fact::ratio("odds", odds.0, odds.1));
        }
        facts
    }
}

/// Returns the facts about the shots of an answer, or about all possible shots without one.
pub fn shots(g: &State, fires: &Fires, order: Option<&Order>) -> Vec<Fact> {
    let chosen: Vec<_> = match order {
        Some(Order::Fire { shots, best }) => {
            let others = best.map(|least| fires.rest(g, shots, least.into())).unwrap_or_default();
            let shot = |shot: &super::order::Shot| {
                let (u, at) = g.c.unit(&shot.who).zip(fire::target_named(g, &shot.at))?;
                let fair = fires.may(g, u, at, shot.half).ok()?;
                Some((u, fire::chances(g, u, at, fair.volley)))
            };
            shots.iter().chain(&others).filter_map(shot).collect()
        }
        Some(_) => Vec::new(),
        None => fires.apt(g).into_iter().map(|(u, _, chances)| (u, chances)).collect(),
    };
    let best = |of: fn((u8, u8)) -> u8| chosen.iter().map(|&(_, chances)| of(chances)).max().unwrap_or(0);
    let mut firers: Vec<UnitId> = chosen.iter().map(|&(u, _)| u).collect();
    firers.sort_unstable();
    firers.dedup();
    vec![
        Fact::share("chance", best(|(_, losses)| losses).into(), 36),
        Fact::share("check", best(|(checks, _)| checks).into(), 36),
        Fact::number("shots", firers.len() as i64),
    ]
}
