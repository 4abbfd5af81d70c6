//! The values that conditions of standing orders can compare.

use super::{
    State,
    components::{Faction, RegionId},
    engagement::odds::{force, wins},
};
use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::{LEADS, SCORES, Seat, VPS};

const CUBES: Measure = Measure::Number(0, 99);
const FIGHTS: &[&str] = &["retreat", "winter-campaign", "black-kettle"];

/// All facts.
pub static FACTS: &[FactKind] = &[
    FactKind::new("turn", Measure::Number(0, 99), &[], "the turn of seven discs"),
    FactKind::new(VPS, SCORES, &[], "your VPs as the map stands").or(&["victory points", "my vps"]),
    FactKind::new("lead", LEADS, &[], "your VPs less those of the best of the others"),
    FactKind::new("region", Measure::Name("region"), FIGHTS, "where it is fought").or(&["in", "area"]),
    FactKind::new("cubes", CUBES, FIGHTS, "fighting cubes of your side there").of(&["region"]),
    FactKind::new("enemy cubes", CUBES, FIGHTS, "fighting cubes of the other side there"),
    FactKind::new("outnumbered", Measure::Ratio, FIGHTS, "cubes of the other side against those of yours"),
    FactKind::new("outnumbering", Measure::Ratio, FIGHTS, "cubes of your side against those of the other"),
    FactKind::new("chance", Measure::Percent, FIGHTS, "about that your side wins if all fight on (12.1.2)"),
    FactKind::new("blanks", Measure::Number(1, 99), &["retreat"], "cubes that may retreat"),
];

/// Returns the facts that are known at every question.
pub fn everywhere(g: &State, seat: Seat) -> Vec<Fact> {
    let mine = g.score(seat).total();
    let others = (0..g.variant.players).map(Seat).filter(|&other| other != seat);
    let best = others.map(|other| g.score(other).total()).max().unwrap_or(0);
    vec![Fact::number("turn", g.turn), Fact::number(VPS, mine), Fact::number("lead", mine - best)]
}

/// Returns the possible names of a fact.
pub fn names(g: &State, fact: &str) -> Vec<String> {
    match fact {
        "region" => (0..g.c.regions.len()).map(|r| g.name(RegionId(r as u8)).to_owned()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the facts of an engagement from one side's view.
pub fn fight(g: &State, r: RegionId, indian: bool) -> Vec<Fact> {
    let here = g.region(r);
    let (own, other) = (force(g, here, indian), force(g, here, !indian));
    let cubes = |of_indians: bool| {
        i64::from(Faction::FIGHTING.into_iter().filter(|f| f.is_indian() == of_indians).map(|f| here[f]).sum::<u8>())
    };
    let (mine, theirs) = (cubes(indian), cubes(!indian));
    vec![
        Fact::is("region", g.name(r)),
        Fact::number("cubes", mine),
        Fact::number("enemy cubes", theirs),
        Fact::ratio("outnumbered", theirs, mine),
        Fact::ratio("outnumbering", mine, theirs),
        Fact::share("chance", (1000.0 * wins(own, other)) as i64, 1000),
    ]
}
