//! Step 3: the order of entries, the seats, and the luck of the game.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
    known::Seat,
    track::Track,
};
use crate::{
    body::{Joined, Opened, Reseated, Started, Via},
    commit::luck_of_hashes,
    leave::Leaves,
};
use postrider_dice::{Hash, deck_chain, sha256};

impl Checker {
    pub(super) fn opened(&mut self, opened: &Opened<'_>) -> Result<(), Found> {
        if let Some(key) = self.expected_key
            && key != opened.key
        {
            return Err(Found::new(Step::Frame, Wrong::Key(opened.key)).right(key));
        }
        self.game = opened.game.to_string();
        let no_luck = sha256(b"");
        let seat = |name: &&str| Seat { name: (*name).to_owned(), joined: false, luck: no_luck, said: None };
        self.seats = opened.seats.iter().map(|name| seat(&&**name)).collect();
        self.leaves = Leaves::of(opened);
        self.operator_seats = opened.operator_seats.iter().map(ToString::to_string).collect();
        let tips = opened.chains.iter();
        self.tracks = tips.map(|(label, tip)| (label.to_string(), Track::new(label, *tip, 0))).collect();
        // A fork continues the count of its parent's shuffles.
        for (deck, count) in opened.parent.iter().flat_map(|parent| &parent.epochs) {
            self.track(&deck_chain(deck))?.epochs = *count;
        }
        Ok(())
    }

    pub(super) fn seat(&mut self, name: &str) -> Result<&mut Seat, Found> {
        let seat = self.seats.iter_mut().find(|seat| seat.name == name);
        seat.ok_or_else(|| Found::new(Step::Frame, Wrong::Seat(name.to_owned())).against(0))
    }

    /// Checks that `name` is a seat or "".
    pub(super) fn seat_or_nobody(&mut self, name: &str) -> Result<(), Found> {
        if name.is_empty() { Ok(()) } else { self.seat(name).map(|_| ()) }
    }

    /// Returns the luck of the game and the `n` of `started`, which `what` requires.
    pub(super) fn luck(&self, what: &'static str) -> Result<(Hash, u64), Found> {
        self.started.ok_or_else(|| Found::new(Step::Frame, Wrong::BeforeStart(what)))
    }

    fn not_started(&self, what: &'static str) -> Result<(), Found> {
        match self.started {
            Some((_, n)) => Err(Found::new(Step::Frame, Wrong::AfterStart(what)).against(n)),
            None => Ok(()),
        }
    }

    pub(super) fn joined(&mut self, joined: &Joined<'_>) -> Result<(), Found> {
        self.not_started("joined")?;
        let n = self.n;
        let seat = self.seat(&joined.seat)?;
        if seat.joined {
            return Err(Found::new(Step::Frame, Wrong::JoinedAgain(seat.name.clone())));
        }
        seat.joined = true;
        seat.say(&joined.luck, n, joined.via);
        self.counts.joined += 1;
        Ok(())
    }

    pub(super) fn reseated(&mut self, reseated: &Reseated<'_>) -> Result<(), Found> {
        // After `started`, a new player's phrase is ignored; the seat keeps the old one.
        let (n, fixed) = (self.n, self.started.is_some());
        let seat = self.seat(&reseated.seat)?;
        if !fixed {
            seat.say(&reseated.luck, n, Via::Cli);
        }
        Ok(())
    }

    pub(super) fn started(&mut self, started: &Started) -> Result<(), Found> {
        self.not_started("started")?;
        let right = luck_of_hashes(self.seats.iter().map(|seat| seat.luck));
        if started.luck != right {
            return Err(Found::new(Step::Frame, Wrong::Luck(started.luck)).right(right));
        }
        self.started = Some((right, self.n));
        Ok(())
    }
}
