//! Victory Points, in words and as facts.

use super::SCORE;
use postrider_standing::Measure;
use std::borrow::Borrow;

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
pub fn vps(n: i32) -> String {
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

/// Formats a gain or loss of Victory Points, with its sign.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::change_of_vps), ["+1 VP", "-1 VP", "+3 VPs"]);
/// ```
#[must_use]
pub fn change_of_vps(n: i32) -> String {
    if n < 0 { vps(n) } else { format!("+{}", vps(n)) }
}
