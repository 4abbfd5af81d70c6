//! Mails that take an open seat: `join lone-pine`.

use crate::{
    admission::{
        answer_stranger,
        outcome::{Outcome, Processed},
    },
    carry_out::directing::people,
    error::OfficeError,
    game::{
        handled::{self, copies},
        invitee::Invitee,
        seats, watching,
    },
    post::{invitation, reseating},
    service::Office,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_journal::is_game_id;
use postrider_letters::capital;
use postrider_mail::{Incoming, Redacted, check_sender, is_address};
use postrider_orders::{People, Phrase, is_courtesy, without_courtesies};
use postrider_store::Player;
use postrider_table::Seat;

/// The maximum number of seats that one address takes per hour.
const MOST_TAKEN: usize = 3;

/// The maximum number of seats that are taken per hour by all addresses.
const MOST_TAKEN_IN_ALL: usize = 30;

/// Takes in a mail whose first line says `join` and the name of a game that was opened with open
/// seats. An author who has no part in it gets an open seat and an invitation. An author who
/// already holds such a seat gets the invitation again, unless the mail answers it. Only an answer
/// to the invitation joins the game, so a forged mail makes nobody a player.
pub(crate) fn take_seat(
    office: &mut Office,
    (mail, hash, author): (&Incoming, Hash, &str),
    without_token: bool,
) -> Result<Option<Processed>, OfficeError> {
    let Some(game) = wanted(mail) else { return Ok(None) };
    if !is_address(author) || check_sender(mail, author, false).is_err() {
        return Ok(None);
    }
    if office.services.on_disk(|store| store.journal(&game))?.is_none() {
        return Ok(None);
    }
    let outcome = office.change(&game, |services, tx| take(tx, services, (mail, hash, author), without_token))?;
    Ok(outcome.map(|(seat, outcome)| Processed { game: Some(game), seat, outcome }))
}

/// Returns the game that the first line of a mail names after `join`, apart from courtesies.
fn wanted(mail: &Incoming) -> Option<String> {
    let named = |said: &Phrase| {
        let plain = said.text().to_ascii_lowercase();
        let words = plain.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()));
        match words.filter(|word| !word.is_empty()).collect::<Vec<_>>()[..] {
            ["join", game] | ["join", "game", game] if is_game_id(game) => Some(game.to_owned()),
            _ => None,
        }
    };
    let says = |phrase: &Phrase| !phrase.is_empty() && !is_courtesy(phrase, &People::default());
    let mut lines = mail.orders.as_ref().ok()?.lines.iter().map(|line| Phrase::new(&line.text));
    without_courtesies(&lines.find(says)?, &People::default()).iter().find_map(named)
}

type Taken = (Option<Seat>, Outcome);

fn take(
    tx: &mut Transaction,
    services: &mut Services,
    (mail, hash, author): (&Incoming, Hash, &str),
    without_token: bool,
) -> Result<Option<Taken>, OfficeError> {
    if handled::is_handled(tx, mail, hash) {
        return Ok(Some((None, Outcome::Again)));
    }
    let address = author.to_ascii_lowercase();
    let is_mine = |seat: &Seat| tx.seats.addresses(*seat).any(|one| one == address);
    let mine = seats::takers(tx).map(|player| player.seat).find(is_mine);
    let was_open = |player: &Player| tx.seats.held(player.seat).any(Player::is_open);
    if !tx.seats.players.iter().any(was_open) || (mine.is_none() || !without_token) && watching::is_player(tx, author) {
        return Ok(None);
    }
    let often = services.count_answer(&format!("seat {address}"), MOST_TAKEN)?.is_some();
    if often || services.count_answer("seats", MOST_TAKEN_IN_ALL)?.is_some() {
        let why = "beyond the number of open seats that are given away in an hour";
        return Ok(Some((None, Outcome::Filed(why.to_owned()))));
    }
    tx.news.beside.kept.push(handled::of(hash, copies(mail)));
    if let Some(seat) = mine {
        // The invitation may have been lost.
        invitation::invite_again(tx, services, seat)?;
        return Ok(Some((Some(seat), Outcome::Answered { done: 1, total: 1 })));
    }
    let open = tx.seats.players.iter().find(|player| player.is_open()).map(|player| player.seat);
    let Some(seat) = open.filter(|_| tx.live.started.is_none() && !tx.live.closed) else {
        let told = format!("Nothing was done: no seat of the game {} is open now.", tx.id);
        return Ok(Some((None, answer_stranger(tx, services, (mail, hash, author), &told))));
    };
    let Some(who) = named(tx, seat, &address) else {
        return Ok(Some((None, Outcome::Filed("from an address that makes no player's name".to_owned()))));
    };
    reseating::correct(tx, services, (seat, &who.name, &who.address, None), Vec::new())?;
    tracing::info!(game = tx.id, author = %Redacted(author), "somebody takes an open seat");
    Ok(Some((Some(seat), Outcome::Answered { done: 1, total: 1 })))
}

/// Returns a player of this address, with the first name that nobody else in the game has.
fn named(tx: &Transaction, seat: Seat, address: &str) -> Option<Invitee> {
    let own = capital(&watching::name_of(address));
    let numbered = (2..=9).map(|n| format!("{own} {n}"));
    let mut names = std::iter::once(own.clone()).chain(numbered).chain([format!("Player {seat}")]);
    let invitee = |name: String| Invitee { name, address: address.to_owned(), zone: None, sender_check: None };
    names.find_map(|name| {
        let who = invitee(name);
        people::check_reseat(tx, seat, &who, false).is_ok().then_some(who)
    })
}
