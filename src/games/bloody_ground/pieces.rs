//! Pieces on the map, and who stands where.

use super::{components::AreaId, state::Spot};
use std::{
    fmt,
    ops::{Deref, DerefMut},
    slice,
    sync::OnceLock,
};

/// A unit or a leader.
pub trait Piece {
    /// Where it is.
    fn spot(&self) -> Spot;
}

/// Pieces by their ids, at most 255. Who is in a spot is found when somebody asks, and found anew after any piece was lent out to
/// be changed: so it is never out of date, and no part of the position.
#[derive(Clone)]
pub struct Pieces<P> {
    list: Vec<P>,
    standing: OnceLock<Standing>,
}

// Positions are compared by what they print: what was looked up in one of them is no part of it.
impl<P: fmt::Debug> fmt::Debug for Pieces<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.fmt(f)
    }
}

/// The pieces of each spot, in their order, as a chain: its first, and by piece the one after it.
#[derive(Clone, Debug)]
struct Standing {
    first: [u8; SPOTS],
    next: Vec<u8>,
}

/// Beside and on the map.
const SPOTS: usize = 3 + 256;
/// The end of a chain.
const NOBODY: u8 = u8::MAX;

impl Standing {
    fn of<P: Piece>(list: &[P]) -> Standing {
        let mut standing = Standing { first: [NOBODY; SPOTS], next: vec![NOBODY; list.len()] };
        for (id, (piece, next)) in (0..NOBODY).zip(list.iter().zip(&mut standing.next)).rev() {
            *next = std::mem::replace(&mut standing.first[place(piece.spot())], id);
        }
        standing
    }
    fn at(&self, spot: Spot) -> impl Iterator<Item = u8> + '_ {
        let some = |id: u8| (id != NOBODY).then_some(id);
        std::iter::successors(some(self.first[place(spot)]), move |&id| some(self.next[usize::from(id)]))
    }
}

/// The spots from 0 on.
fn place(spot: Spot) -> usize {
    match spot {
        Spot::Pool => 0,
        Spot::Gone => 1,
        Spot::Edge => 2,
        Spot::On(AreaId(area)) => 3 + usize::from(area),
    }
}

impl<P: Piece> Pieces<P> {
    /// The ids of the pieces in a spot, in their order.
    pub fn at(&self, spot: Spot) -> impl Iterator<Item = u8> + '_ {
        self.standing.get_or_init(|| Standing::of(&self.list)).at(spot)
    }
}

impl<P> From<Vec<P>> for Pieces<P> {
    fn from(list: Vec<P>) -> Pieces<P> {
        Pieces { list, standing: OnceLock::new() }
    }
}

impl<P> Deref for Pieces<P> {
    type Target = [P];
    fn deref(&self) -> &[P] {
        &self.list
    }
}

impl<P> DerefMut for Pieces<P> {
    fn deref_mut(&mut self) -> &mut [P] {
        self.standing.take();
        &mut self.list
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
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pieces[(drawn >> 24) as usize % 255] = spots[(drawn >> 16) as usize % spots.len()];
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
