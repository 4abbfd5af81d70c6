//! The lines that give a seat to an address.

use postrider_dice::Hash;
use postrider_journal::Body;
use postrider_table::Seat;

/// A line that gives a seat to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The `n` of the line.
    pub n: u64,
    /// The seat.
    pub seat: Seat,
    /// The commitment to the address.
    pub address: Hash,
}

/// All seatings of a journal, oldest first. No rewind undoes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seatings(Vec<Seating>);

impl Seatings {
    /// Processes a line; returns `true` if it gives a seat to an address.
    pub fn hear(&mut self, n: u64, body: &Body<'_>) -> bool {
        let (seat, address) = match body {
            Body::Joined(joined) => (&joined.seat, joined.address),
            Body::Reseated(reseated) => (&reseated.seat, reseated.address),
            _ => return false,
        };
        let seating = Seat::from_letter(seat).map(|seat| Seating { n, seat, address });
        self.0.extend(seating);
        seating.is_some()
    }
    /// Returns the seatings, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = Seating> {
        self.0.iter().copied()
    }
}
