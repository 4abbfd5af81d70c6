//! Expected results of dice (12.1.2), for letters and bots.

use crate::{
    components::{Face, Faction, RegionId},
    state::{Cubes, State},
};

/// Returns the chance that a die of a faction shows a Weapon, from 0 to 1.
pub fn weapon(g: &State, faction: Faction) -> f64 {
    shows(g, faction, Face::Weapon)
}

/// Returns the chance that a die of a faction shows a face.
fn shows(g: &State, faction: Faction, wanted: Face) -> f64 {
    let die = &g.c.pieces[faction.index()].die;
    die.iter().filter(|&&face| face == wanted).count() as f64 / die.len().max(1) as f64
}

/// Returns the dice of a side by faction: one for one cube, two for more (12.1.2).
fn dice(cubes: &Cubes, indian: bool) -> impl Iterator<Item = (Faction, u8)> {
    let cubes = *cubes;
    let fights = move |&f: &Faction| (cubes[f] > 0 && f.is_indian() == indian).then(|| (f, cubes[f].min(2)));
    Faction::FIGHTING.iter().filter_map(fights)
}

/// Returns the expected hits of one roll of a side.
pub fn hits(g: &State, cubes: &Cubes, indian: bool) -> f64 {
    dice(cubes, indian).map(|(f, n)| f64::from(n) * weapon(g, f)).sum()
}

/// Returns the expected hits of one roll of a side in a region, including Treaty faces that count
/// as hits there.
pub fn hits_at(g: &State, r: RegionId, indian: bool) -> f64 {
    let here = g.region(r);
    let fierce = indian && g.fx.fierce.contains(&r);
    let more: f64 = dice(here, indian).filter(|_| fierce).map(|(f, n)| f64::from(n) * shows(g, f, Face::Treaty)).sum();
    hits(g, here, indian) + more
}

/// Returns the number of cubes of a side, and their expected hits in a roll.
pub fn force(g: &State, cubes: &Cubes, indian: bool) -> (f64, f64) {
    match cubes.side(indian) {
        0 => (0.0, 0.0),
        side => (f64::from(side), hits(g, cubes, indian)),
    }
}

/// Returns the approximate chance that the first of two forces survives, from the number of rolls
/// that each needs to eliminate the other.
pub fn wins((cubes, hits): (f64, f64), (others, their_hits): (f64, f64)) -> f64 {
    let (own, their) = (cubes * hits, others * their_hits);
    if own + their <= 0.0 { 0.5 } else { own * own / (own * own + their * their) }
}

/// Returns the approximate chance that the Indians win an engagement of these cubes.
pub fn indians_win(g: &State, cubes: &Cubes) -> f64 {
    wins(force(g, cubes, true), force(g, cubes, false))
}

/// Returns the chance that a roll of these Indian cubes has the two hits that destroy a Wagon
/// (12.1.2.1).
pub fn two_hits(g: &State, cubes: &Cubes) -> f64 {
    let (mut none, mut one) = (1.0, 0.0);
    for (faction, n) in dice(cubes, true) {
        let p = weapon(g, faction);
        for _ in 0..n {
            (none, one) = (none * (1.0 - p), one * (1.0 - p) + none * p);
        }
    }
    1.0 - none - one
}

/// Formats expected hits, such as `0.7`.
pub fn tenths(hits: f64) -> String {
    format!("{hits:.1}")
}

/// Formats a chance, such as `11 %`.
pub fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use Faction::*;

    /// plains-indian-wars 12.1.2, 12.1.2.1
    #[test]
    fn odds_are_chances() {
        let g = bare(2);
        let odds = |npt: u8, blue: u8| {
            let mut cubes = Cubes::of(Npt, npt);
            cubes[Cavalry] = blue;
            indians_win(&g, &cubes)
        };
        assert!(odds(4, 1) > 0.8 && odds(1, 4) < 0.1);
        assert!(odds(2, 2) < 0.5, "Cavalry has the better dice (6.3)");
        assert!((0..8).all(|n| odds(n + 1, 3) >= odds(n, 3)));
        // Two dice with two Weapons on six faces each.
        assert!((two_hits(&g, &Cubes::of(Npt, 5)) - 1.0 / 9.0).abs() < 1e-9);
        assert!(two_hits(&g, &Cubes::of(Npt, 1)).abs() < 1e-9, "one die never brings two hits");
        let mut both = Cubes::of(Npt, 2);
        both[Spt] = 1;
        // Three dice: 1 - (8 + 12) / 27.
        assert!((two_hits(&g, &both) - 7.0 / 27.0).abs() < 1e-9);
        assert_eq!((tenths(hits(&g, &both, true)), percent(two_hits(&g, &both))), ("1.0".into(), "26 %".into()));
    }
}
