//! The facts that conditions of standing orders can compare.

use super::{
    Order, State,
    components::{AreaId, NationId, Season, Side},
    order::Count,
};
use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::{LEADS, SCORES, Seat, VPS, status::Condition};

const UNITS: Measure = Measure::Number(0, 99);
const BATTLE: &[&str] = &[
    "battle-move",
    "battle-fire",
    "battle-melee",
    "battle-loss",
    "battle-stack",
    "battle-retreat",
    "battle-rally",
    "battle-leader",
];
/// Questions about an area of the map with both sides in it or adjacent.
const MEETING: &[&str] = &["reaction", "combat-kind", "assault"];
/// Questions that compare the forces of both sides.
const AGAINST: &[&str] = &[
    "battle-move",
    "battle-fire",
    "battle-melee",
    "battle-loss",
    "battle-stack",
    "battle-retreat",
    "battle-rally",
    "battle-leader",
    "reaction",
    "combat-kind",
    "assault",
];
const TREATIES: &[&str] = &["treaties"];

/// All facts of the game.
pub static FACTS: &[FactKind] = &[
    FactKind::new("turn", Measure::Number(0, 21), &[], "the game turn, 0 in a battle scenario"),
    FactKind::new("round", Measure::Number(0, 10), &[], "the round of the battle, 0 outside one").or(&["battle round"]),
    FactKind::new("season", Measure::Name("season"), &[], "spring, summer, fall or winter"),
    FactKind::new("severe weather", Measure::YesNo, &[], "the weather of this turn is severe (5.0)").or(&["severe"]),
    FactKind::new("commitment", Measure::Number(1, 5), &[], "US Commitment (8.2)").or(&["us commitment"]),
    FactKind::new("nations at war", Measure::Number(0, 7), &[], "nations on the warpath (8.1)").or(&["at war"]),
    FactKind::new("british", Measure::YesNo, &[], "the British have intervened (8.5.3)").or(&["british intervention"]),
    FactKind::new(VPS, SCORES, &[], "your VPs").or(&["victory points", "my vps"]),
    FactKind::new("lead", LEADS, &[], "your VPs less those of the other side"),
    FactKind::new("area", Measure::Name("area"), &["reaction", "combat-kind", "assault"], "where it happens")
        .or(&["in"]),
    FactKind::new("units", UNITS, AGAINST, "your units: on the board and not Routed, or there on the map"),
    FactKind::new("enemy units", UNITS, AGAINST, "the same of the enemy").or(&["enemies"]),
    FactKind::new("outnumbered", Measure::Ratio, AGAINST, "units of the enemy against yours"),
    FactKind::new("outnumbering", Measure::Ratio, AGAINST, "your units against those of the enemy"),
    FactKind::new("lost", UNITS, BATTLE, "units that you have lost in this battle (10.7.1)"),
    FactKind::new("enemy lost", UNITS, BATTLE, "units that the enemy has lost in it"),
    FactKind::new(
        "until defeat",
        UNITS,
        BATTLE,
        "units that you can lose before a third is gone, the last one counted (10.7.1)",
    ),
    FactKind::new("enemy until defeat", UNITS, BATTLE, "the same of the enemy"),
    FactKind::new("primary leader", Measure::YesNo, BATTLE, "your primary leader is on the board"),
    FactKind::new("moving first", Measure::YesNo, BATTLE, "you move first in this battle (10.2)"),
    FactKind::new("defensive", Measure::YesNo, &["battle-fire"], "the fire answers the enemy's movement (10.1)"),
    FactKind::new(
        "chance",
        Measure::Percent,
        &["battle-fire", "reaction"],
        "that the worst shot of this answer hits, or that the unit of it with the lowest level reacts",
    ),
    FactKind::new("best chance", Measure::Percent, &["battle-fire"], "that the best shot of all that you have hits"),
    FactKind::new("odds", Measure::Ratio, &["battle-melee"], "the odds column of the melee, after the shifts (10.6.1)"),
    FactKind::new("modifier", Measure::Number(-9, 9), &["battle-melee"], "what is added to the die of the melee"),
    FactKind::new("leader", Measure::YesNo, &["battle-melee"], "an enemy leader stands in the hex"),
    FactKind::new("routed", UNITS, &["battle-rally"], "Routed units with or beside a leader of theirs (10.3)"),
    FactKind::new("led", Measure::YesNo, MEETING, "the enemy there has a leader"),
    FactKind::new("siege markers", Measure::Number(0, 20), MEETING, "Siege markers on a fort there (11.3.1)")
        .or(&["sieges"]),
    FactKind::new("garrison", UNITS, MEETING, "units inside a fort there"),
    FactKind::new(
        "enemies near",
        UNITS,
        &["action"],
        "enemy units in or beside areas where units of yours can still act",
    )
    .or(&["enemy near"]),
    FactKind::new(
        "atrocity markers",
        Measure::Number(0, 20),
        &["action"],
        "Atrocity markers that you can still place (9.2)",
    ),
    FactKind::new(
        "enemy beside",
        Measure::YesNo,
        &["action"],
        "since your last action an enemy has ended a move in or beside an area where a force stands that the orders name; raiders are none",
    ),
    FactKind::new(
        "trespass",
        Measure::YesNo,
        &["action"],
        "since your last action, or by it, a trespass has brought a nation to war (8.1.2)",
    ),
    FactKind::new(
        "failed activation",
        Measure::YesNo,
        &["action"],
        "your last action was a second activation, and some of the force failed (9.3.1)",
    )
    .or(&["second activation failed"]),
    FactKind::new(
        "ambush",
        Measure::YesNo,
        &["action"],
        "since your last action the enemy has laid an ambush, or tried to assassinate a leader (9.2.2, 9.2.3)",
    )
    .or(&["assassination"]),
    FactKind::new("nation", Measure::Name("nation"), TREATIES, "which nations roll, or are offered treaties (8.1)"),
    FactKind::new("level", Measure::Number(0, 5), TREATIES, "its Mobilization Level, the lowest of several"),
    FactKind::new("war", Measure::Percent, TREATIES, "that it goes to war without a treaty, the least of several")
        .or(&["war chance"]),
];

/// Returns the side of a seat; the US if it plays none.
pub fn side(g: &State, seat: Seat) -> Side {
    Side::ALL.into_iter().find(|&side| g.seat(side) == seat).unwrap_or(Side::Us)
}

/// Returns the facts known at every question.
pub fn everywhere(g: &State, seat: Seat) -> Vec<Fact> {
    let (mine, theirs) = (g.vps[side(g, seat).index()], g.vps[side(g, seat).enemy().index()]);
    vec![
        Fact::number("turn", g.turn),
        Fact::number("round", g.fight.as_ref().map_or(0, |fight| fight.round)),
        Fact::is("season", g.season.name()),
        Fact::whether("severe weather", g.severe),
        Fact::number("commitment", g.commitment),
        Fact::number("nations at war", g.at_war() as i64),
        Fact::whether("british", g.british),
        Fact::number(VPS, mine),
        Fact::number("lead", mine - theirs),
    ]
}

/// Returns the possible names of a fact's value.
pub fn names(g: &State, fact: &str) -> Vec<String> {
    match fact {
        "season" => Season::ALL.map(|season| season.name().to_owned()).into(),
        "area" => g.c.area_ids().flat_map(|a| [g.c[a].name.clone(), g.c[a].id.clone()]).collect(),
        "nation" => g.c.nations.iter().map(|nation| nation.name.clone()).collect(),
        _ => Vec::new(),
    }
}

fn against(mine: usize, theirs: usize) -> [Fact; 4] {
    let (mine, theirs) = (mine as i64, theirs as i64);
    [
        Fact::number("units", mine),
        Fact::number("enemy units", theirs),
        Fact::ratio("outnumbered", theirs, mine),
        Fact::ratio("outnumbering", mine, theirs),
    ]
}

/// Returns the facts about the battle on the board from a side's point of view; empty if there is
/// none.
pub fn battle(g: &State, side: Side) -> Vec<Fact> {
    let Some(fight) = &g.fight else { return Vec::new() };
    let sound =
        |side: Side| g.on_board(side).filter(|&i| g.unit(fight.pieces[i].unit).condition != Condition::Routed).count();
    let left = |side: Side| {
        let (start, lost) = (fight.start[side.index()], fight.lost[side.index()]);
        super::battle::third(start).saturating_sub(lost)
    };
    let primary = fight.primary[side.index()];
    let stands = fight.heads.iter().any(|head| Some(head.leader) == primary && head.stand.hex().is_some());
    let mut facts: Vec<Fact> = against(sound(side), sound(side.enemy())).into();
    facts.extend([
        Fact::number("lost", fight.lost[side.index()]),
        Fact::number("enemy lost", fight.lost[side.enemy().index()]),
        Fact::number("until defeat", left(side)),
        Fact::number("enemy until defeat", left(side.enemy())),
        Fact::whether("primary leader", stands),
        Fact::whether("moving first", fight.first == side),
    ]);
    facts
}

/// Returns the facts about an area where both sides meet or may meet; `mine` units of this side
/// take part.
pub fn meeting(g: &State, a: AreaId, side: Side, mine: usize) -> Vec<Fact> {
    let mut facts: Vec<Fact> = against(mine, g.fighters(a, side.enemy()).count()).into();
    facts.push(Fact::among("area", [g.c[a].name.clone(), g.c[a].id.clone()]));
    let inside = |u: &super::state::UnitId| g.unit(*u).inside;
    let garrison = Side::ALL.into_iter().flat_map(|side| g.fighters(a, side)).filter(inside).count();
    facts.push(Fact::number("siege markers", g.fort(a).map_or(0, |fort| fort.siege)));
    facts.push(Fact::number("garrison", garrison as i64));
    facts.push(Fact::whether("led", g.leaders_in(a, side.enemy()).any(|l| !g.chief(l).raiding)));
    facts
}

/// Returns the facts about a besieged fort from a side's point of view.
pub fn siege(g: &State, a: AreaId, side: Side) -> Vec<Fact> {
    meeting(g, a, side, g.fighters(a, side).count())
}

/// Returns the start and end areas of an action in which the named pieces of the side are.
fn acted_at(g: &State, side: Side, order: &Order) -> Vec<AreaId> {
    let (places, who): (Vec<&String>, &[Count]) = match order {
        Order::Move { from, who, way, .. } => ([from].into_iter().chain(way.last()).collect(), who),
        Order::Raid { from, who, .. } => (vec![from], who),
        Order::Pillage { at, who } | Order::Build { at, who } | Order::Dismantle { at, who } => (vec![at], who),
        _ => return Vec::new(),
    };
    let meant = |what: &str| who.is_empty() || who.iter().any(|count| count.what == what);
    let here = |a: &AreaId| {
        g.fighters(*a, side).any(|u| meant(&g.c[g.unit(u).kind].id))
            || g.leaders_in(*a, side).any(|l| !g.chief(l).raiding && meant(&g.c[l].name))
    };
    places.into_iter().filter_map(|id| g.c.area(id)).filter(here).collect()
}

/// Returns the facts for a side's next action (4.5), or for a given order.
pub fn acting(g: &State, side: Side, order: Option<&Order>) -> Vec<Fact> {
    let mut own: Vec<AreaId> = g
        .unit_ids()
        .filter(|&u| g.side_of(u) == side && super::activation::can_act(g, u))
        .filter_map(|u| g.unit(u).spot.area())
        .collect();
    own.sort_unstable();
    own.dedup();
    let near = |a: &AreaId| own.contains(a) || g.beside(*a).any(|b| own.contains(&b));
    let enemies: usize = g.c.area_ids().filter(near).map(|a| g.fighters(a, side.enemy()).count()).sum();
    let since = &g.since[side.index()];
    let named = order.map_or_else(|| own.clone(), |order| acted_at(g, side, order));
    let met = |a: &AreaId| since.ends.has(*a) || g.beside(*a).any(|b| since.ends.has(b));
    vec![
        Fact::number("enemies near", enemies as i64),
        Fact::number("atrocity markers", super::atrocity::left(g, side)),
        Fact::whether("enemy beside", named.iter().any(met)),
        Fact::whether("trespass", since.trespass),
        Fact::whether("failed activation", since.failed),
        Fact::whether("ambush", since.ambush),
    ]
}

/// Returns the number of die faces, 0 to 6, on which a nation goes to war.
fn war(g: &State, n: NationId) -> i64 {
    let drm = super::mobilization::modifiers(g, n, 0).total();
    let base = i32::from(g.c[n].base);
    (1..=6).filter(|die| die + drm >= base && die + drm > 0).count() as i64
}

/// Returns the facts about nations that roll or are offered treaties; the one least likely to go to
/// war counts.
pub fn nations(g: &State, nations: &[NationId]) -> Vec<Fact> {
    let least = nations.iter().map(|&n| war(g, n)).min().unwrap_or(0);
    let level = nations.iter().map(|&n| g.tribe(n).ml).min().unwrap_or(0);
    let names = nations.iter().map(|&n| g.c[n].name.clone());
    vec![Fact::among("nation", names), Fact::number("level", level), Fact::share("war", least, 6)]
}
