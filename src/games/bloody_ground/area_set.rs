//! Sets of areas as bit sets.

use super::components::AreaId;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of areas of the map, which has at most 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AreaSet([u64; 4]);

impl AreaSet {
    /// The empty set.
    pub const NONE: AreaSet = AreaSet([0; 4]);

    /// Returns `true` if the set contains an area.
    pub fn has(self, a: AreaId) -> bool {
        self.0[a.index() / 64] >> (a.index() % 64) & 1 == 1
    }
    /// Adds an area. Returns `true` if it was not in the set before.
    pub fn add(&mut self, a: AreaId) -> bool {
        let fresh = !self.has(a);
        self.0[a.index() / 64] |= 1 << (a.index() % 64);
        fresh
    }
    /// Returns `true` if the set is empty.
    pub fn is_empty(self) -> bool {
        self == AreaSet::NONE
    }
    /// Returns `true` if two sets have an area in common.
    pub fn meets(self, other: AreaSet) -> bool {
        !(self & other).is_empty()
    }
    /// Returns the areas in ascending order.
    pub fn iter(self) -> impl Iterator<Item = AreaId> {
        [0_u8, 64, 128, 192].into_iter().zip(self.0).flat_map(|(first, mut bits)| {
            std::iter::from_fn(move || {
                let next = (bits != 0).then(|| AreaId(first + bits.trailing_zeros() as u8));
                bits &= bits.wrapping_sub(1);
                next
            })
        })
    }
}

impl FromIterator<AreaId> for AreaSet {
    fn from_iter<I: IntoIterator<Item = AreaId>>(areas: I) -> AreaSet {
        let mut set = AreaSet::NONE;
        for a in areas {
            set.add(a);
        }
        set
    }
}

impl BitOr for AreaSet {
    type Output = AreaSet;
    fn bitor(self, other: AreaSet) -> AreaSet {
        AreaSet([0, 1, 2, 3].map(|at| self.0[at] | other.0[at]))
    }
}

impl BitOrAssign for AreaSet {
    fn bitor_assign(&mut self, other: AreaSet) {
        *self = *self | other;
    }
}

impl BitAnd for AreaSet {
    type Output = AreaSet;
    fn bitand(self, other: AreaSet) -> AreaSet {
        AreaSet([0, 1, 2, 3].map(|at| self.0[at] & other.0[at]))
    }
}

impl Not for AreaSet {
    type Output = AreaSet;
    fn not(self) -> AreaSet {
        AreaSet(self.0.map(|bits| !bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_into_them() {
        let areas = [0, 1, 54, 63, 64, 127, 128, 200, 255].map(AreaId);
        let set: AreaSet = areas.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), areas);
        assert!((0..=255).map(AreaId).all(|a| set.has(a) == areas.contains(&a)));
        let mut more = set;
        assert!(more.add(AreaId(9)) && !more.add(AreaId(9)) && !more.is_empty());
        assert_eq!((more & !set).iter().collect::<Vec<_>>(), [AreaId(9)]);
        assert_eq!((set | more, set & more), (more, set));
        assert!(set.meets(more) && !set.meets(more & !set));
    }
}
