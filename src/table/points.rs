//! Victory Points in words.

/// Victory Points as stories tell them.
///
/// ```
/// assert_eq!([1, -1, 3].map(postrider_table::vps), ["1 VP", "-1 VP", "3 VPs"]);
/// ```
#[must_use]
pub fn vps(n: i32) -> String {
    format!("{n} VP{}", if n.abs() == 1 { "" } else { "s" })
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
