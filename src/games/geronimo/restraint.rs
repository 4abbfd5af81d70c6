//! Restrictions on Columns: the Civil War (9.2A), Bloody Kansas (9.2DD), the Mormons (9.2O).
//!
//! House readings: during the Civil War no Column reacts out of or into Texas or New Mexico by
//! Telegraph. A reaction from an adjacent Area is a move, so it is impossible into Kansas during
//! Bloody Kansas.

use super::{
    State,
    components::AreaId,
    state::{CivilWar, Column},
};
use postrider_table::{Refusal, refuse};

/// The codes of the Areas in which no Column is played during the Civil War (9.2A).
pub const AT_WAR: [&str; 2] = ["TX", "NM"];

/// Returns `true` if any restriction is in force, so that ordinary Rounds can skip the checks.
pub fn any(g: &State) -> bool {
    g.fx.civil_war == CivilWar::Now || g.fx.bloody_kansas || g.fx.mormon_column.is_some()
}

/// Returns `true` if the Civil War forbids Column plays in an Area (9.2A).
pub fn is_at_war(g: &State, a: AreaId) -> bool {
    g.fx.civil_war == CivilWar::Now && AT_WAR.contains(&g.c[a].code.as_str())
}

/// Returns `true` if Bloody Kansas applies to an Area (9.2DD).
pub fn is_bleeding(g: &State, a: AreaId) -> bool {
    g.fx.bloody_kansas && g.c[a].code == "KS"
}

/// Returns `true` for the Mormon Column (9.2O).
pub fn is_mormon(g: &State, column: &Column) -> bool {
    g.fx.mormon_column == Some(column.id)
}

/// Checks that a Column may be played at all (9.2A).
///
/// # Errors
///
/// The reason why it may not.
pub fn may_play(g: &State, column: &Column) -> Result<(), Refusal> {
    let area = &g.c[column.area].name;
    match is_at_war(g, column.area) {
        true => refuse("9.2A", format!("During the Civil War no Column is played in {area}; it may React there.")),
        false => Ok(()),
    }
}

/// Checks that a new or moving Column may enter an Area (9.2A, 9.2DD).
///
/// # Errors
///
/// The reason why it may not.
pub fn may_enter(g: &State, a: AreaId) -> Result<(), Refusal> {
    let area = &g.c[a].name;
    if is_at_war(g, a) {
        return refuse("9.2A", format!("During the Civil War no Column is played in {area}."));
    }
    if is_bleeding(g, a) {
        return refuse("9.2DD", format!("Bloody Kansas: no more Columns may come into {area} this Turn."));
    }
    Ok(())
}

/// Checks that a Column may leave its Area (9.2O).
///
/// # Errors
///
/// The reason why it may not.
pub fn may_leave(g: &State, column: &Column) -> Result<(), Refusal> {
    match is_mormon(g, column) {
        true => refuse("9.2O", "The Mormon Column may not leave Utah this Turn."),
        false => Ok(()),
    }
}

/// Checks that a Column, or part of it, may leave its Fort (9.2DD).
///
/// # Errors
///
/// The reason why it may not.
pub fn may_leave_fort(g: &State, column: &Column) -> Result<(), Refusal> {
    match is_bleeding(g, column.area) {
        true => refuse("9.2DD", "Bloody Kansas: Columns In Fort in Kansas must remain there this Turn."),
        false => Ok(()),
    }
}

/// Checks that a Column may attack in a US Round (9.2O).
///
/// # Errors
///
/// The reason why it may not.
pub fn may_attack(g: &State, column: &Column) -> Result<(), Refusal> {
    match is_mormon(g, column) {
        true => refuse("9.2O", "The Mormon Column attacks no Indians this Turn."),
        false => Ok(()),
    }
}

/// Returns `true` if a Column may react in an Area: its own, or with the Telegraph an adjacent one
/// (5.351, 9.2A, 9.2DD, 9.2O). The Mormon Column reacts only in a Round in which it has been
/// attacked.
pub fn may_react(g: &State, column: &Column, area: AreaId) -> bool {
    let at_home = column.area == area;
    if is_mormon(g, column) {
        return at_home && column.attacked_in == g.round && g.round > 0;
    }
    let held = || is_at_war(g, column.area) || is_at_war(g, area) || is_bleeding(g, area);
    at_home
        || g.fx.telegraph
            && g.c.adjacent(column.area, area)
            && !g.events.lines_cut_between(column.area, area)
            && !held()
}
