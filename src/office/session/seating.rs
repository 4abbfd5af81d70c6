//! Who sits at a seat: from which addresses his mails count, and how a seat is given to somebody or to another address of the same player.

use super::{Game, Reply, Transaction};
use crate::{error::OfficeError, services::Services};
use postrider_journal::{Body, Reseated};
use postrider_mail::{Incoming, Token, check_sender};
use postrider_store::{AddressAsked, Bond, Kept, Player, Renewed, SenderCheck, WhyRenewed};
use postrider_table::{PromptId, Seat};

impl Game {
    /// Whether a mail names an address of this seat as its one author: its player's, or one that he added.
    pub(crate) fn wrote(&self, mail: &Incoming, seat: Seat, other_senders: bool) -> bool {
        self.seats.addresses(seat).any(|address| check_sender(mail, address, other_senders).is_ok())
    }

    /// What is asked of the signatures of mails for a seat.
    pub(crate) fn sender_check(&self, services: &Services, seat: Seat) -> SenderCheck {
        self.secrets.checks.get(&seat).copied().unwrap_or(services.host.settings.sender_check)
    }

    /// The word in the letter that asks whether an address is the player's.
    pub(crate) fn address_word(&self, seat: Seat, asked: &AddressAsked) -> Token {
        self.tokens.address_word(seat, self.bond(seat), &asked.address, &asked.mail)
    }

    /// What this mail confirms or could confirm: it comes from an address that a player asked for and carries the word that was sent there. The
    /// address of another seat confirms nothing, whoever reads there: only the host gives one address two seats. Nobody is told so who asks for
    /// it, since he could find out by that where others write from.
    pub(crate) fn confirms(&self, mail: &Incoming, number: PromptId, token: Token) -> Option<(Seat, AddressAsked)> {
        let mut asked = self.secrets.addresses.iter().rev().filter(|_| number == 0);
        let right = |(seat, asked): &&(Seat, AddressAsked)| {
            check_sender(mail, &asked.address, false).is_ok()
                && (self.address_word(*seat, asked) == token || self.moved_by(*seat, asked, token))
                && self.seats.held_by(&asked.address, *seat).is_none()
        };
        asked.find(right).cloned()
    }

    /// Whether this word has moved the seat to where it is: the same mail comes again when the program ended over its answer.
    fn moved_by(&self, seat: Seat, asked: &AddressAsked, token: Token) -> bool {
        let there = self.seats.player(seat).is_some_and(|player| player.address.eq_ignore_ascii_case(&asked.address));
        let mut before = self.seats.commitments(seat).filter(|_| there && !asked.also);
        before.any(|address| {
            let bond = Bond { address, epoch: self.secrets.epoch(seat, &address) };
            self.tokens.address_word(seat, bond, &asked.address, &asked.mail) == token
        })
    }

    /// Whether somebody has joined for a seat.
    pub(crate) fn has_joined(&self, seat: Seat) -> bool {
        self.live.joined.get(seat.index()).is_some_and(Option::is_some)
    }
}

impl Transaction {
    /// Invites somebody else, or at another address, to a seat that nobody has joined for yet. No journal line names him before he
    /// joins. `with` is what else is to be kept of him.
    pub(crate) fn correct(
        &mut self,
        services: &mut Services,
        player: (Seat, &str, &str, Option<String>),
        with: Vec<Kept>,
    ) -> Result<(), OfficeError> {
        let (seat, name, address, zone) = player;
        let salt = services.environment.secret()?;
        let player = Player { seat, name: name.to_owned(), address: address.to_owned(), salt, zone };
        let address = player.commitment();
        self.keep(Kept::Player(player))?;
        for kept in with {
            self.keep(kept)?;
        }
        self.keep(Kept::Renewed(Renewed { seat, address, why: WhyRenewed::Reseated, mail: None }))?;
        services.store.forgive(&format!("{}.{seat}.", self.id))?;
        let at = services.environment.at();
        self.invite_again(services, seat, &at)
    }

    /// Gives a seat to a player, or its player another address: he is written to as if he had read nothing yet, and letters from before are
    /// good for nothing. Before the game has begun the words for luck that were said for the seat stay, so that nobody chooses dice by
    /// choosing players. `with` is what else is to be kept of him.
    pub(crate) fn reseat(
        &mut self,
        services: &mut Services,
        player: (Seat, &str, &str, Option<String>),
        with: Vec<Kept>,
        reply: Option<(Seat, Reply)>,
    ) -> Result<(), OfficeError> {
        let (seat, name, address, zone) = player;
        let salt = services.environment.secret()?;
        let player = Player { seat, name: name.to_owned(), address: address.to_owned(), salt, zone };
        let address = player.commitment();
        self.keep(Kept::Player(player))?;
        for kept in with {
            self.keep(kept)?;
        }
        // Nor do those tokens count that were bound to no address.
        if self.secrets.epoch(seat, &address) == 0 {
            self.keep(Kept::Renewed(Renewed { seat, address, why: WhyRenewed::Reseated, mail: None }))?;
        }
        let joined = self.live.joined.get(seat.index()).cloned().flatten();
        let luck = joined.filter(|_| self.live.started.is_none()).unwrap_or_default().into();
        self.line(services, &Body::Reseated(Reseated { seat: seat.to_string().into(), address, luck }))?;
        self.run_pending(services, reply)
    }
}
