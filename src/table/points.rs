//! Victory Points: in words, and as facts.

use super::SCORE;
use postrider_standing::Measure;
use std::borrow::Borrow;

/// The name of the fact of a seat's VPs, in every game that counts them.
pub const VPS: &str = "vps";
/// The bounds of VPs in facts: those of rulings.
pub const SCORES: Measure = Measure::Number(*SCORE.start(), *SCORE.end());
/// The bounds of a difference of VPs.
pub const LEADS: Measure = Measure::Number(*SCORE.start() - *SCORE.end(), *SCORE.end() - *SCORE.start());

/// Victory Points as stories tell them.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::vps), ["1 VP", "-1 VP", "3 VPs"]);
/// ```
#[must_use]
pub fn vps(n: i32) -> String {
    format!("{n} VP{}", if n.abs() == 1 { "" } else { "s" })
}

/// The line of a story that tells the VPs of players or sides.
///
/// ```
/// assert_eq!(postrider_table::story_of_vps(&["US 3 (+1)", "Indians 2"]), "VPs: US 3 (+1), Indians 2.");
/// ```
#[must_use]
pub fn story_of_vps<S: Borrow<str>>(players: &[S]) -> String {
    format!("VPs: {}.", players.join(", "))
}

/// Victory Points won or lost: with their sign.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::change_of_vps), ["+1 VP", "-1 VP", "+3 VPs"]);
/// ```
#[must_use]
pub fn change_of_vps(n: i32) -> String {
    if n < 0 { vps(n) } else { format!("+{}", vps(n)) }
}
