//! Deletion of all data about a person.
//!
//! The journal contains no address, name or mail, only hashes of them, so it need not change. The
//! data is deleted from the files next to it.

use crate::{
    error::OfficeError, game::data::is_by, misuse::Misuse, service::Office, services::Services,
    transaction::Transaction,
};
use postrider_dice::Hash;
use postrider_mail::Incoming;
use postrider_store::{Kept, Party, Player, Whose};
use postrider_table::Seat;
use serde::Serialize;
use std::collections::BTreeSet;

/// The amount of data deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// The number of people who held the seat.
    pub people: usize,
    /// The number of letters to them.
    pub letters: usize,
    /// The number of their mails.
    pub mails: usize,
    /// The number of messages that they wrote.
    pub messages: usize,
}

impl Office {
    /// Deletes all data about former players of a seat: addresses, names, letters, raw mails,
    /// messages. If the game is over, this includes the last player. The journal stays as it is and
    /// proves the same as before.
    ///
    /// # Errors
    /// [`Misuse::StillPlays`] if only data about the present player of a game in progress is
    /// stored; nothing was changed then.
    pub fn forget_seat(&mut self, game: &str, seat: Seat) -> Result<Forgotten, OfficeError> {
        let done = self.change(game, |services, tx| {
            if seat.index() >= tx.live.opened.seats.len() {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            forget_seat(tx, services, seat)
        });
        // Open games in memory still contain the data.
        self.close_games();
        done
    }
}

fn forget_seat(tx: &mut Transaction, services: &Services, seat: Seat) -> Result<Forgotten, OfficeError> {
    let present = tx.seats.player(seat).map(Player::commitment);
    let stays = present.filter(|_| !tx.live.closed);
    let gone: Vec<Player> = tx.seats.held(seat).filter(|player| Some(player.commitment()) != stays).cloned().collect();
    // The present player may have held the seat before.
    let stay: BTreeSet<&str> = if stays.is_some() { tx.seats.addresses(seat).collect() } else { BTreeSet::new() };
    let mut addresses: BTreeSet<String> =
        gone.iter().filter(|player| player.by_mail()).map(|player| player.address.clone()).collect();
    if stays.is_none() {
        addresses.extend(tx.seats.added(seat).iter().cloned());
        addresses.extend(tx.secrets.addresses.iter().filter(|(of, _)| *of == seat).map(|(_, one)| one.address.clone()));
    }
    addresses.retain(|address| !stay.contains(address.as_str()));
    if gone.is_empty() {
        let game = tx.id.clone();
        return Err(match stays {
            Some(_) => Misuse::StillPlays { seat, game },
            None => Misuse::NothingToForget { seat, game },
        }
        .into());
    }
    // A player of another seat in this game may have the same address.
    let elsewhere = |address: &str| {
        let mut seats = tx.seats.players.iter().map(|player| player.seat).filter(|other| *other != seat);
        seats.any(|other| tx.seats.addresses(other).any(|one| one.eq_ignore_ascii_case(address)))
    };
    let known: BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
    let mut done = Forgotten { people: gone.len(), ..Forgotten::default() };
    for unique in services.store.letters(&format!("{}.{seat}.", tx.id))? {
        let raw = services.store.letter(&unique)?;
        // An envelope without its mail is useless.
        if stays.is_none() || raw.is_none_or(|raw| is_to(&raw, &known)) {
            services.store.forget_letter(&unique)?;
            done.letters += 1;
        }
    }
    for mail in services.store.taken(&tx.id)? {
        let raw = services.store.read_taken(&tx.id, &mail.hash)?;
        if raw.is_some_and(|raw| is_by(&raw, &known)) {
            services.store.forget_taken(&tx.id, &mail.hash)?;
            done.mails += 1;
        }
    }
    // Filed mails belong to no game. A person who plays elsewhere here can write again.
    done.mails += services.store.forget_filed(&|raw| is_by(raw, &known))?;
    for address in addresses.iter().filter(|address| !elsewhere(address)) {
        services.store.leave(&tx.id, address)?;
    }
    let since = tx.facts.reseated.get(&seat).copied().unwrap_or(0);
    let of_them = |n: u64| stays.is_none() || n < since;
    let commits: BTreeSet<Hash> = tx
        .messages()
        .filter(|(n, message)| message.by == Party::Seat(seat) && of_them(*n))
        .map(|(_, message)| message.commit)
        .collect();
    done.messages = commits.len();
    let gone: BTreeSet<Hash> = gone.iter().map(Player::commitment).collect();
    let all = stays.is_none();
    tx.forget(&|kept| match kept {
        Kept::Player(player) => player.seat == seat && gone.contains(&player.commitment()),
        Kept::Message(message) => commits.contains(&message.commit),
        Kept::AddressAsked(of, asked) => *of == seat && (all || known.contains(asked.address.as_str())),
        Kept::Address { seat: of, address, .. } => *of == seat && (all || known.contains(address.as_str())),
        Kept::Waiting(of, waiting) => *of == seat && known.contains(waiting.author.as_str()),
        Kept::Pace(of, _) | Kept::Draft(of, _) | Kept::Away(of, _) | Kept::Zone(of, _) | Kept::Hours(of, _) => {
            all && *of == seat
        }
        Kept::Told(_) => true,
        Kept::Proposed(proposed) => all && proposed.whose == Whose::Seat(seat),
        Kept::Boilerplate(whose, _) | Kept::NoBoilerplate(whose) => *whose == seat,
        _ => false,
    })?;
    Ok(done)
}

/// Returns `true` if a letter is addressed to one of the addresses.
fn is_to(raw: &[u8], addresses: &BTreeSet<&str>) -> bool {
    let to = |mail: &Incoming| mail.recipients.iter().any(|one| addresses.contains(one.address.as_str()));
    Incoming::parse(raw).is_ok_and(|mail| to(&mail))
}
