//! The addresses from which mails for a seat count.

use crate::{game::Game, services::Services};
use postrider_mail::{Incoming, Token, check_sender};
use postrider_store::{AddressAsked, Bond, SenderCheck};
use postrider_table::{PromptId, Seat};

/// Whether a mail names an address of this seat as its one author: its player's, or one that he added.
pub(crate) fn wrote(game: &Game, mail: &Incoming, seat: Seat, other_senders: bool) -> bool {
    game.seats.addresses(seat).any(|address| check_sender(mail, address, other_senders).is_ok())
}

/// What is asked of the signatures of mails for a seat.
pub(crate) fn sender_check(game: &Game, services: &Services, seat: Seat) -> SenderCheck {
    game.secrets.checks.get(&seat).copied().unwrap_or(services.host.settings.sender_check)
}

/// The word in the letter that asks whether an address is the player's.
pub(crate) fn address_word(game: &Game, seat: Seat, asked: &AddressAsked) -> Token {
    game.tokens.address_word(seat, game.bond(seat), &asked.address, &asked.mail)
}

/// What this mail confirms or could confirm: it comes from an address that a player asked for and carries the word that was sent there. The
/// address of another seat confirms nothing, whoever reads there: only the host gives one address two seats. Nobody is told so who asks for
/// it, since he could find out by that where others write from.
pub(crate) fn confirms(game: &Game, mail: &Incoming, number: PromptId, token: Token) -> Option<(Seat, AddressAsked)> {
    let mut asked = game.secrets.addresses.iter().rev().filter(|_| number == 0);
    let right = |(seat, asked): &&(Seat, AddressAsked)| {
        check_sender(mail, &asked.address, false).is_ok()
            && (address_word(game, *seat, asked) == token || moved_by(game, *seat, asked, token))
            && game.seats.held_by(&asked.address, *seat).is_none()
    };
    asked.find(right).cloned()
}

/// Whether this word has moved the seat to where it is: the same mail comes again when the program ended over its answer.
fn moved_by(game: &Game, seat: Seat, asked: &AddressAsked, token: Token) -> bool {
    let there = game.seats.player(seat).is_some_and(|player| player.address.eq_ignore_ascii_case(&asked.address));
    let mut before = game.seats.commitments(seat).filter(|_| there && !asked.also);
    before.any(|address| {
        let bond = Bond { address, epoch: game.secrets.epoch(seat, &address) };
        game.tokens.address_word(seat, bond, &asked.address, &asked.mail) == token
    })
}

/// Whether somebody has joined for a seat.
pub(crate) fn has_joined(game: &Game, seat: Seat) -> bool {
    game.live.joined.get(seat.index()).is_some_and(Option::is_some)
}
