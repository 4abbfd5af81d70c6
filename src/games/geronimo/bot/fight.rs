//! Expected results of a Battle (7.3, 7.4).

use super::sight::Sight;
use crate::{
    State,
    battle::{tribal_odds, us_odds},
    components::Loss,
    ratings::{Force, Troops},
};

/// Expected values of a Battle between Columns and Indians, or between Tribes. The first side is
/// the US, or the attacker between Tribes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Means {
    /// Losses of the first side.
    pub ours: f64,
    /// Losses of the other side.
    pub theirs: f64,
    /// Chance that the other side is eliminated.
    pub wiped: f64,
    /// Chance that the first side is eliminated.
    pub lost: f64,
    /// Chance that the other side loses more (7.33).
    pub won: f64,
    /// Expected excess of the first side's losses, which is the VPs of the Indians against Columns
    /// (7.33).
    pub excess: f64,
}

/// Returns the averages over all results of both dice, with these modifiers and BPs. `most` is the
/// maximum loss of the other side that counts as BPs, unless it is eliminated (7.41).
fn means(g: &State, our_bps: i32, our_drm: i32, their_bps: i32, their_drm: Option<i32>, most: Option<i32>) -> Means {
    let mut means = Means::default();
    let (our_drm, their_drm) = (our_drm.clamp(-8, 8), their_drm.map(|drm| drm.clamp(-8, 8)));
    let bps = |loss: Loss, there: i32| match loss {
        Loss::Bps(n) => n,
        Loss::All => there.max(3),
    };
    for us in 0..10 {
        let loss = g.c.battle.at(us + our_drm).loss;
        let theirs = bps(loss, their_bps);
        let counted = match (most, loss) {
            (None, _) => theirs,
            (Some(_), Loss::All) => their_bps,
            (Some(most), Loss::Bps(n)) => n.min(most).min(their_bps),
        };
        for them in 0..10 {
            let ours = their_drm.map_or(0, |drm| bps(g.c.battle.at(them + drm).loss, our_bps)).min(our_bps);
            means.ours += f64::from(ours);
            means.theirs += f64::from(theirs);
            means.wiped += f64::from(u8::from(theirs >= their_bps));
            means.lost += f64::from(u8::from(ours >= our_bps));
            means.won += f64::from(u8::from(counted > ours));
            means.excess += f64::from((ours - counted).max(0));
        }
    }
    for sum in
        [&mut means.ours, &mut means.theirs, &mut means.wiped, &mut means.lost, &mut means.won, &mut means.excess]
    {
        *sum /= 100.0;
    }
    means
}

/// Returns the expected values for troops against Indians (7.3).
pub(super) fn against(sight: &Sight<'_>, troops: &Troops, force: &Force, us_attacks: bool) -> Means {
    let g = sight.g;
    let extra = if us_attacks { force.battle_rating(g) } else { 0 };
    let drm = force.chief_combat(g) + force.tribal_drms(g) + extra;
    against_bps(sight, troops, force.bps(g), drm, force.is_village())
}

/// Returns the expected values for troops against a number of BPs, with the Indians' modifiers
/// except odds.
pub(super) fn against_bps(sight: &Sight<'_>, troops: &Troops, indians: i32, drm: i32, village: bool) -> Means {
    let g = sight.g;
    // Devastation earns no VPs (7.33).
    let most = village.then_some(1);
    let own = troops.combat(g) + troops.guns(g) + troops.gatlings(g) / 2 + i32::from(g.fx.springfield);
    let bps = troops.bps(g);
    let mut means = match indians {
        0 => means(g, bps, 6 + own, 0, None, most),
        _ => {
            let odds = us_odds(bps, indians, false);
            means(g, bps, g.c.odds.drm(odds) + own, indians, Some(g.c.odds.drm(odds.inverse()) + drm), most)
        }
    };
    if village {
        // Except for "all" it loses one BP, and the rest is Devastation (7.41).
        let all = (0..10).filter(|dr| matches!(g.c.battle.at(dr + own).loss, Loss::All)).count() as f64 / 10.0;
        means.wiped = if indians <= 1 { means.wiped } else { all };
    }
    means
}

/// Returns the expected values between Tribes (7.4). `a` and `b` are BPs; the modifiers exclude
/// odds.
pub(super) fn tribal(g: &State, a: i32, a_drm: i32, b: i32, b_drm: i32) -> Means {
    if b == 0 {
        return means(g, a, 6 + a_drm, 0, None, None);
    }
    let odds = tribal_odds(a, b, false);
    means(g, a, g.c.odds.drm(odds) + a_drm, b, Some(g.c.odds.drm(odds.inverse()) + b_drm), None)
}
