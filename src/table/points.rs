//! Victory Points, in words and as facts.

use super::{Game, SCORE, Table};
use postrider_standing::Measure;
use std::borrow::Borrow;

/// VPs by the rules that gave or took them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earned<Who>(Vec<(Who, &'static str, i32)>);

impl<Who> Default for Earned<Who> {
    fn default() -> Self {
        Earned(Vec::new())
    }
}

impl<Who: Copy + PartialEq> Earned<Who> {
    /// Adds VPs of a player or side by a rule; negative ones are taken.
    pub fn add(&mut self, who: Who, rule: &'static str, vps: i32) {
        match self.0.iter_mut().find(|one| (one.0, one.1) == (who, rule)) {
            Some((.., sum)) => *sum += vps,
            None => self.0.push((who, rule, vps)),
        }
    }
    /// Returns the rules and sums of a player or side, in the order in which they first counted.
    pub fn of(&self, who: Who) -> Vec<(&'static str, i64)> {
        let mine = self.0.iter().filter(|one| one.0 == who);
        mine.map(|&(_, rule, vps)| (rule, vps.into())).collect()
    }
}

/// The name of the fact for a seat's VPs, in every game that counts them.
pub const VPS: &str = "vps";
/// The range of VPs in facts; the same as in rulings.
pub const SCORES: Measure = Measure::Number(*SCORE.start(), *SCORE.end());
/// The range of a difference of VPs.
pub const LEADS: Measure = Measure::Number(*SCORE.start() - *SCORE.end(), *SCORE.end() - *SCORE.start());

/// Formats Victory Points.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::vps), ["1 VP", "-1 VP", "3 VPs"]);
/// ```
#[must_use]
pub fn vps(n: impl Into<i64>) -> String {
    let n: i64 = n.into();
    postrider_orders::counted(n, "VP")
}

/// Formats the line of the story that lists the VPs of players or sides.
///
/// ```
/// assert_eq!(postrider_table::story_of_vps(&["US 3 (+1)", "Indians 2"]), "VPs: US 3 (+1), Indians 2.");
/// ```
#[must_use]
pub fn story_of_vps<S: Borrow<str>>(players: &[S]) -> String {
    format!("VPs: {}.", players.join(", "))
}

/// Tells the VPs of two sides if they have changed since the story last told them:
/// `VPs: US 3 (+1), Indians 2.`
pub fn tell_vps<G: Game>(t: &Table<G>, names: [&str; 2], told: &mut [i32; 2], vps: [i32; 2]) {
    let old = std::mem::replace(told, vps);
    if old == vps {
        return;
    }
    t.tell(|| {
        let one = |side: usize| {
            let change = if old[side] == vps[side] { String::new() } else { format!(" ({:+})", vps[side] - old[side]) };
            format!("{} {}{change}", names[side], vps[side])
        };
        story_of_vps(&[one(0), one(1)])
    });
}

/// Formats a gain or loss of Victory Points, with its sign.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::change_of_vps), ["+1 VP", "-1 VP", "+3 VPs"]);
/// ```
#[must_use]
pub fn change_of_vps(n: i32) -> String {
    if n < 0 { vps(n) } else { format!("+{}", vps(n)) }
}
