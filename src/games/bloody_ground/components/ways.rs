//! The connections of areas, computed once per game.

use super::{super::area_set::AreaSet, AreaId, Components};

/// The neighbours of an area, by type of connection.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Areas adjacent by land or across the Ohio.
    pub beside: AreaSet,
    /// Areas one step away along a shared river; the Ohio connects its banks (9.4.3).
    pub along: AreaSet,
    /// For each of its rivers except the Ohio, the areas one step away.
    pub rivers: Vec<Bend>,
}

/// A river in an area.
#[derive(Clone, Debug)]
pub struct Bend {
    /// Index of the river among all rivers of the map.
    pub river: usize,
    /// The adjacent areas on the same river, in file order.
    pub near: Vec<AreaId>,
}

impl Ways {
    /// Returns the connections of all areas.
    pub fn of(c: &Components) -> Vec<Ways> {
        let mut names: Vec<&String> = c.areas.iter().flat_map(|area| &area.rivers).collect();
        names.sort();
        names.dedup();
        let of = |a: AreaId| Ways {
            beside: c[a].adjacent.iter().chain(&c[a].across).copied().collect(),
            along: along(c, a),
            rivers: c[a]
                .rivers
                .iter()
                .map(|name| bend(c, a, name, names.partition_point(|other| other < &name)))
                .collect(),
        };
        c.area_ids().map(of).collect()
    }
    /// Returns the areas one step away along a river.
    pub fn near(&self, river: usize) -> &[AreaId] {
        self.rivers.iter().find(|bend| bend.river == river).map_or(&[], |bend| &bend.near)
    }
}

fn bend(c: &Components, a: AreaId, name: &String, river: usize) -> Bend {
    let near = c[a].adjacent.iter().copied().filter(|&b| c[b].rivers.contains(name));
    Bend { river, near: near.collect() }
}

/// Returns the areas one step away along any river of this one (9.4.3). The Ohio connects its
/// banks.
fn along(c: &Components, a: AreaId) -> AreaSet {
    let shares = |b: &AreaId| c[*b].rivers.iter().any(|river| c[a].rivers.contains(river));
    let mut found: AreaSet = c[a].adjacent.iter().copied().filter(shares).collect();
    let lies = |i: &usize| c.reaches[*i].north == a || c.reaches[*i].south == a;
    for i in (0..c.reaches.len()).filter(lies) {
        for near in [i.checked_sub(1), Some(i), Some(i + 1)].into_iter().flatten() {
            for bank in c.reaches.get(near).into_iter().flat_map(|reach| [reach.north, reach.south]) {
                if bank != a && !c[a].across.contains(&bank) {
                    found.add(bank);
                }
            }
        }
    }
    found
}
