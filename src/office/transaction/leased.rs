//! A game with the right to change it.

use crate::{
    error::OfficeError,
    game::{Game, threads::of_seat},
    services::Services,
    transaction::news::Notices,
};
use postrider_journal::Head;
use postrider_store::{InHand, Kept, Lease, OutgoingLetter, Player, StoreError, compose};
use std::sync::Arc;

/// A game and its lease. While the lease is held nobody else can change the game. In a dry run
/// there is none, and nothing can be stored.
pub(crate) struct Leased {
    pub game: Game,
    pub lease: Option<Box<dyn Lease>>,
    /// The mail that causes the change.
    pub in_hand: Option<Arc<InHand>>,
}

impl Leased {
    pub fn new(game: Game, lease: Option<Box<dyn Lease>>) -> Leased {
        Leased { game, lease, in_hand: None }
    }

    /// Uses the lease. If the process ends meanwhile, no mail is blamed.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] for a dry run.
    pub fn on_disk<T>(&mut self, work: impl FnOnce(&mut dyn Lease) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let lease = self.lease.as_deref_mut().ok_or(StoreError::ReadOnly)?;
        let blame = |blamed| self.in_hand.iter().for_each(|mail| mail.blame(blamed));
        blame(false);
        let done = work(lease)?;
        blame(true);
        Ok(done)
    }

    /// Stores several items next to the journal, which are safe together.
    pub fn keep_all(&mut self, all: Vec<Kept>) -> Result<(), StoreError> {
        if !all.is_empty() {
            self.on_disk(|lease| lease.keep_all(&all))?;
        }
        for kept in all {
            self.game.seats.learn(&kept);
            self.game.secrets.learn(kept);
        }
        Ok(())
    }

    /// Puts letters into the outbox, signed for the journal's last line, and records that.
    pub fn deliver(&mut self, services: &Services, notices: Notices) -> Result<(), OfficeError> {
        let head = self.game.head();
        for (to, letter) in &notices.letters {
            self.put(services, &head, to, letter)?;
        }
        Ok(self.keep_all(notices.kept)?)
    }

    fn put(
        &mut self,
        services: &Services,
        head: &Head,
        to: &Player,
        letter: &OutgoingLetter,
    ) -> Result<(), StoreError> {
        let row = compose(&services.host, &services.key, head, to, letter, of_seat(&self.game, services, to))?;
        self.on_disk(|lease| lease.put(&row)).map(drop)
    }
}
