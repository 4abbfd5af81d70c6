//! The Mormons (9.2O): a Column must watch Utah.

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

/// 9.2O: the US owes a Mormon Column in its next Round with a card played: in this one, if it played the card itself.
pub fn mormons(t: &T, g: &mut State) {
    g.fx.mormons_due = true;
    g.removed.push(Card::Mormons);
    t.tell(|| "The Mormons: in its next Round with a card played the US must send a Column to watch Utah.".to_owned());
}

/// 9.2O: the US designates the Mormon Column, if it owes one; says whether that was a Column play. A Column that rests may
/// be designated too, since the card leaves no choice (house reading); where no Column is strong enough and none can be
/// raised, nobody watches Utah.
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
                // One from another Area marches at once, and stands On Patrol there (house reading).
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

/// In Utah, or On Patrol next to it.
fn is_at_hand(g: &State, k: &Column, utah: AreaId) -> bool {
    let near = k.area == utah || !k.in_fort && g.c.adjacent(k.area, utah) && can_march(g, k);
    near && k.bps >= MORMON_BPS && k.commander.is_some()
}

/// `true` if a Column could leave where it stands: not from Texas or New Mexico in the Civil War
/// (9.2A), nor out of a Fort in bleeding Kansas (9.2DD) or under siege (12.13).
fn can_march(g: &State, k: &Column) -> bool {
    let shut_in = k.in_fort && (restraint::may_leave_fort(g, k).is_err() || g.events.sieges.contains(&k.id));
    restraint::may_play(g, k).is_ok() && !shut_in
}

/// The nearest Columns that are strong enough; those that are held in place do not count.
fn nearest(g: &State, utah: AreaId) -> Vec<ColumnId> {
    let strong = |k: &&Column| k.bps >= MORMON_BPS && k.commander.is_some() && can_march(g, k);
    let far: Vec<(u8, ColumnId)> =
        g.columns.iter().filter(strong).filter_map(|k| Some((g.c.distance(k.area, utah)?, k.id))).collect();
    let least = far.iter().map(|&(steps, _)| steps).min();
    far.into_iter().filter(|&(steps, _)| Some(steps) == least).map(|(_, id)| id).collect()
}
