//! The Mormons (9.2O): a Column must guard Utah.

use super::super::{
    State, T,
    card::Card,
    columns::{reserve_commanders, strength},
    components::AreaId,
    muster::{MORMON_BPS, MormonColumn, Watch, muster},
    reservation::ask,
    restraint,
    state::{Column, ColumnId},
};

/// Requires the US to designate a Mormon Column in its next Round with a played card, or in this
/// Round if the US played this one (9.2O).
pub fn mormons(t: &T, g: &mut State) {
    g.fx.mormons_due = true;
    g.removed.push(Card::Mormons);
    t.tell(|| "The Mormons: in its next Round with a card played the US must send a Column to watch Utah.".to_owned());
}

/// Lets the US designate the Mormon Column if it must, and returns the Column if this counts as a
/// Column play (9.2O). A Column that was played in the last Round is allowed, since the card leaves
/// no choice (house reading). If no Column is strong enough and no new one is possible, there is no
/// Mormon Column.
pub async fn designate(t: &T, g: &mut State) -> Option<ColumnId> {
    if !std::mem::take(&mut g.fx.mormons_due) {
        return None;
    }
    let utah = g.c.area_by_code("UT")?;
    let fresh = g.reserve.bps >= MORMON_BPS && reserve_commanders(g).next().is_some();
    let mut standing: Vec<ColumnId> = g.columns.iter().filter(|k| is_at_hand(g, k, utah)).map(|k| k.id).collect();
    if standing.is_empty() && !fresh {
        standing = nearest(g, utah);
    }
    let us = g.us;
    let watch = match (standing[..].as_ref(), fresh) {
        ([], false) => {
            t.tell(|| format!("No Column of {MORMON_BPS} BPs can watch the Mormons."));
            return None;
        }
        (&[only], false) => Watch::Standing(only),
        _ => ask(t, g, us, MormonColumn { utah, standing, fresh }).await,
    };
    let id = match watch {
        Watch::New(new) => muster(t, g, &new),
        Watch::Standing(id) => {
            if let Some(column) = g.column_mut(id) {
                // A Column from another Area moves instantly and is On Patrol there (house
                // reading).
                column.in_fort &= column.area == utah;
                column.area = utah;
                column.group = None;
            }
            id
        }
    };
    g.fx.mormon_column = Some(id);
    t.tell(|| {
        let k = g.column(id).map_or_else(String::new, |k| strength(k.bps, k.guns, k.gatlings));
        format!("{}, {k}, is the Mormon Column and stays in Utah this Turn.", g.column_name(id))
    });
    Some(id)
}

/// Returns `true` for a Column in Utah, or On Patrol in an adjacent Area.
fn is_at_hand(g: &State, k: &Column, utah: AreaId) -> bool {
    let near = k.area == utah || !k.in_fort && g.c.adjacent(k.area, utah) && can_march(g, k);
    near && k.bps >= MORMON_BPS && k.commander.is_some()
}

/// Returns `true` if a Column could leave its place. It cannot leave Texas or New Mexico in the
/// Civil War (9.2A), or a Fort in Bloody Kansas (9.2DD) or under siege (12.13).
fn can_march(g: &State, k: &Column) -> bool {
    let shut_in = k.in_fort && (restraint::may_leave_fort(g, k).is_err() || g.events.sieges.contains(&k.id));
    restraint::may_play(g, k).is_ok() && !shut_in
}

/// Returns the nearest Columns that are strong enough and can leave.
fn nearest(g: &State, utah: AreaId) -> Vec<ColumnId> {
    let strong = |k: &&Column| k.bps >= MORMON_BPS && k.commander.is_some() && can_march(g, k);
    let far: Vec<(u8, ColumnId)> =
        g.columns.iter().filter(strong).filter_map(|k| Some((g.c.distance(k.area, utah)?, k.id))).collect();
    let least = far.iter().map(|&(steps, _)| steps).min();
    far.into_iter().filter(|&(steps, _)| Some(steps) == least).map(|(_, id)| id).collect()
}
