//! Pieces on the map, indexed by spot.

use super::{components::AreaId, state::Spot};
use std::{
    fmt,
    ops::{Deref, DerefMut, Index, IndexMut},
    slice,
    sync::OnceLock,
};

/// A unit or a leader.
pub trait Piece {
    /// Returns its spot.
    fn spot(&self) -> Spot;
}

/// Pieces by id, at most 255. Lookup by spot uses a table that is built on demand and kept up to
/// date while pieces are changed one at a time. The table is not part of the position.
#[derive(Clone)]
pub struct Pieces<P> {
    list: Vec<P>,
    standing: OnceLock<Standing>,
    /// The piece last lent out for a change; its entry in the table may be outdated.
    lent: Option<u8>,
}

// Positions are compared by their debug output, so the lookup table must not appear in it.
impl<P: fmt::Debug> fmt::Debug for Pieces<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.fmt(f)
    }
}

/// A set of at most 256 pieces, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Ids([u64; 4]);

impl Ids {
    fn set(&mut self, id: u8, is_in: bool) {
        let (word, bit) = (&mut self.0[usize::from(id / 64)], 1 << (id % 64));
        *word = if is_in { *word | bit } else { *word & !bit };
    }
    /// Returns the pieces in ascending order.
    fn iter(self) -> impl Iterator<Item = u8> {
        let (mut words, mut at) = (self.0, 0);
        std::iter::from_fn(move || {
            while words[at] == 0 {
                at = if at < 3 { at + 1 } else { return None };
            }
            let bit = words[at].trailing_zeros();
            words[at] &= words[at] - 1;
            Some(64 * at as u8 + bit as u8)
        })
    }
}

/// The lookup table of pieces by spot.
#[derive(Clone, Debug)]
struct Standing {
    /// The pieces by spot index; missing entries are empty.
    at: Vec<Ids>,
    /// The spot index of each piece.
    of: Vec<u16>,
}

impl Standing {
    fn of<P: Piece>(list: &[P]) -> Standing {
        let of: Vec<u16> = list.iter().map(|piece| place(piece.spot()) as u16).collect();
        let spots = of.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut standing = Standing { at: vec![Ids::default(); spots], of: Vec::new() };
        for (id, &spot) in (0..=u8::MAX).zip(&of) {
            standing.at[usize::from(spot)].set(id, true);
        }
        Standing { of, ..standing }
    }
    /// Updates the entry of a piece that may have moved.
    fn note<P: Piece>(&mut self, id: u8, piece: &P) {
        let (known, now) = (&mut self.of[usize::from(id)], place(piece.spot()));
        if usize::from(*known) == now {
            return;
        }
        self.at[usize::from(*known)].set(id, false);
        *known = now as u16;
        if self.at.len() <= now {
            self.at.resize(now + 1, Ids::default());
        }
        self.at[now].set(id, true);
    }
}

/// Returns the index of a spot.
fn place(spot: Spot) -> usize {
    match spot {
        Spot::Pool => 0,
        Spot::Gone => 1,
        Spot::Edge => 2,
        Spot::On(AreaId(area)) => 3 + usize::from(area),
    }
}

impl<P: Piece> Pieces<P> {
    /// Returns the ids of the pieces in a spot, in ascending order.
    pub fn at(&self, spot: Spot) -> impl Iterator<Item = u8> + use<P> {
        let standing = self.standing.get_or_init(|| Standing::of(&self.list));
        let mut here = standing.at.get(place(spot)).copied().unwrap_or_default();
        if let Some(id) = self.lent {
            here.set(id, self.list[usize::from(id)].spot() == spot);
        }
        here.iter()
    }
}

impl<P> From<Vec<P>> for Pieces<P> {
    fn from(list: Vec<P>) -> Pieces<P> {
        Pieces { list, standing: OnceLock::new(), lent: None }
    }
}

impl<P> Deref for Pieces<P> {
    type Target = [P];
    fn deref(&self) -> &[P] {
        &self.list
    }
}

/// Mutable access to all pieces discards the table.
impl<P> DerefMut for Pieces<P> {
    fn deref_mut(&mut self) -> &mut [P] {
        self.standing.take();
        self.lent = None;
        &mut self.list
    }
}

impl<P> Index<usize> for Pieces<P> {
    type Output = P;
    fn index(&self, id: usize) -> &P {
        &self.list[id]
    }
}

/// Mutable access to one piece keeps the table.
impl<P: Piece> IndexMut<usize> for Pieces<P> {
    fn index_mut(&mut self, id: usize) -> &mut P {
        if let Some(standing) = self.standing.get_mut() {
            if let Some(id) = self.lent {
                standing.note(id, &self.list[usize::from(id)]);
            }
            // There are at most 255.
            self.lent = Some(id as u8);
        }
        &mut self.list[id]
    }
}

impl<'p, P> IntoIterator for &'p Pieces<P> {
    type Item = &'p P;
    type IntoIter = slice::Iter<'p, P>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'p, P> IntoIterator for &'p mut Pieces<P> {
    type Item = &'p mut P;
    type IntoIter = slice::IterMut<'p, P>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Piece for Spot {
        fn spot(&self) -> Spot {
            *self
        }
    }

    #[test]
    fn who_stands_in_a_spot_is_known_after_every_change() {
        let area = |a| Spot::On(AreaId(a));
        let spots = [Spot::Pool, Spot::Gone, Spot::Edge, area(0), area(1), area(7), area(54), area(255)];
        let mut pieces = Pieces::from(vec![Spot::Pool; 255]);
        let mut drawn = 1_u32;
        for _ in 0..2000 {
            // A few changes in a row before the next lookup, and now and then all pieces at once.
            for _ in 0..1 + (drawn >> 20) % 3 {
                drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                pieces[(drawn >> 24) as usize % 255] = spots[(drawn >> 16) as usize % spots.len()];
            }
            if drawn.is_multiple_of(97) {
                pieces.iter_mut().take(20).for_each(|piece| *piece = spots[(drawn >> 12) as usize % spots.len()]);
            }
            let pieces = if drawn.is_multiple_of(5) { &pieces.clone() } else { &pieces };
            for spot in spots {
                let looked_up: Vec<u8> = pieces.at(spot).collect();
                let counted: Vec<u8> = (0..255).filter(|&id| pieces[usize::from(id)] == spot).collect();
                assert_eq!(looked_up, counted, "{spot:?}");
            }
            assert_eq!(pieces.at(area(9)).count(), 0);
        }
    }

    #[test]
    fn a_copy_knows_its_own_pieces_only() {
        let pieces = Pieces::from(vec![Spot::Pool, Spot::Edge]);
        assert_eq!(pieces.at(Spot::Pool).collect::<Vec<_>>(), [0]);
        let mut copy = pieces.clone();
        copy[1] = Spot::Pool;
        assert_eq!(copy.at(Spot::Pool).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(pieces.at(Spot::Pool).collect::<Vec<_>>(), [0]);
    }
}
