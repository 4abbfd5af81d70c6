//! The addresses whose mails count for a seat, and the seats that anyone may take.

use crate::{game::Game, services::Services};
use postrider_mail::{Incoming, Token, check_sender};
use postrider_orders::list_and;
use postrider_store::{AddressAsked, Bond, Player, SenderCheck};
use postrider_table::{PromptId, Seat};

/// The number of days that a player who takes an open seat has to answer the invitation.
pub(crate) const DAYS_TO_JOIN: i64 = 7;

/// Returns `true` if the mail's only author is an address of this seat: its player's, or one that
/// the player added.
pub(crate) fn wrote(game: &Game, mail: &Incoming, seat: Seat, other_senders: bool) -> bool {
    game.seats.addresses(seat).any(|address| check_sender(mail, address, other_senders).is_ok())
}

/// Returns the required signatures of mails for a seat.
pub(crate) fn sender_check(game: &Game, services: &Services, seat: Seat) -> SenderCheck {
    game.secrets.checks.get(&seat).copied().unwrap_or(services.host.settings.sender_check)
}

/// Returns the word in the letter that asks whether an address is the player's.
pub(crate) fn address_word(game: &Game, seat: Seat, asked: &AddressAsked) -> Token {
    game.tokens.address_word(seat, game.bond(seat), &asked.address, &asked.mail)
}

/// Returns the new address that this mail confirms or could confirm. It comes from an address that
/// a player asked for, and carries the word sent there. An address of another seat is never
/// confirmed, because only the host may give one address two seats. The player who asked is not
/// told about that, as it would reveal another player's address.
pub(crate) fn confirms(game: &Game, mail: &Incoming, number: PromptId, token: Token) -> Option<(Seat, AddressAsked)> {
    let mut asked = game.secrets.addresses.iter().rev().filter(|_| number == 0);
    let right = |(seat, asked): &&(Seat, AddressAsked)| {
        check_sender(mail, &asked.address, false).is_ok()
            && (address_word(game, *seat, asked) == token || moved_by(game, *seat, asked, token))
            && game.seats.held_by(&asked.address, *seat).is_none()
    };
    asked.find(right).cloned()
}

/// Returns `true` if this word has already moved the seat to the address. That is so if the program
/// ended before it answered the same mail.
fn moved_by(game: &Game, seat: Seat, asked: &AddressAsked, token: Token) -> bool {
    let there = game.seats.player(seat).is_some_and(|player| player.address.eq_ignore_ascii_case(&asked.address));
    let mut before = game.seats.commitments(seat).filter(|_| there && !asked.also);
    before.any(|address| {
        let bond = Bond { address, epoch: game.secrets.epoch(seat, &address) };
        game.tokens.address_word(seat, bond, &asked.address, &asked.mail) == token
    })
}

/// Returns `true` if the seat's player has joined.
pub(crate) fn has_joined(game: &Game, seat: Seat) -> bool {
    game.live.joined.get(seat.index()).is_some_and(Option::is_some)
}

/// Returns the players who took an open seat and have not joined yet.
pub(crate) fn takers(game: &Game) -> impl Iterator<Item = &Player> {
    let waits = game.live.started.is_none() && !game.live.closed;
    let took = move |player: &&Player| {
        waits && player.by_mail() && game.seats.held(player.seat).any(Player::is_open) && !has_joined(game, player.seat)
    };
    game.seats.players.iter().filter(took)
}

/// Returns their seats, each with the time, in seconds since 1970, at which it is open again.
pub(crate) fn held_until(game: &Game) -> impl Iterator<Item = (Seat, i64)> {
    let until = |seat: Seat| Some((seat, game.secrets.written.get(&seat)?.at + DAYS_TO_JOIN * 24 * 60 * 60));
    takers(game).filter_map(move |player| until(player.seat))
}

/// Lists the players who have not joined yet.
pub(crate) fn waiting(game: &Game) -> String {
    let open = |player: &&Player| game.live.joined.get(player.seat.index()).is_some_and(Option::is_none);
    let names: Vec<&str> = game.seats.players.iter().filter(open).map(|player| player.name.as_str()).collect();
    let gone = game.secrets.declined.iter().map(|&seat| game.seats.called(seat));
    let gone: String =
        gone.map(|name| format!(" {name} has declined, and the host can invite somebody else.")).collect();
    if names.is_empty() {
        return gone.trim_start().to_owned();
    }
    format!(
        "The game begins when {} joined too.{gone}",
        match names.as_slice() {
            [one] => format!("{one} has"),
            several => format!("{} have", list_and(several)),
        }
    )
}
