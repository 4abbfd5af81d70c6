//! What is kept of a person: all of it handed out, or forgotten.
//!
//! The journal holds no address, no name and no mail, only hashes of them, so nothing of it has to change: what is forgotten lies
//! beside it.

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

/// What was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// People who held the seat.
    pub people: usize,
    /// Letters to them.
    pub letters: usize,
    /// Mails of theirs.
    pub mails: usize,
    /// Messages that they wrote.
    pub messages: usize,
}

impl Office {
    /// Forgets whoever held a seat: addresses, names, letters, mails as they came in, messages. In a game that is over all of them, else
    /// those who held it before its present player. The journal stays as it is and proves what it did.
    ///
    /// # Errors
    /// [`Misuse::StillPlays`] where nobody but the present player of a game that goes on is known; nothing was changed then.
    pub fn forget_seat(&mut self, game: &str, seat: Seat) -> Result<Forgotten, OfficeError> {
        let done = self.change(game, |services, tx| {
            if seat.index() >= tx.live.opened.seats.len() {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            forget_seat(tx, services, seat)
        });
        // What is in memory still knows them.
        self.close_games();
        done
    }
}

fn forget_seat(tx: &mut Transaction, services: &Services, seat: Seat) -> Result<Forgotten, OfficeError> {
    let present = tx.seats.player(seat).map(Player::commitment);
    let stays = present.filter(|_| !tx.live.closed);
    let gone: Vec<Player> = tx.seats.held(seat).filter(|player| Some(player.commitment()) != stays).cloned().collect();
    // Who holds the seat now may have held it before.
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
    // Elsewhere in this game somebody may have the same address.
    let elsewhere = |address: &str| {
        let mut seats = tx.seats.players.iter().map(|player| player.seat).filter(|other| *other != seat);
        seats.any(|other| tx.seats.addresses(other).any(|one| one.eq_ignore_ascii_case(address)))
    };
    let known: BTreeSet<&str> = addresses.iter().map(String::as_str).collect();
    let mut done = Forgotten { people: gone.len(), ..Forgotten::default() };
    for unique in services.store.letters(&format!("{}.{seat}.", tx.id))? {
        let raw = services.store.letter(&unique)?;
        // An envelope without its mail is of no use to anybody.
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
    // Mails that were filed belong to no game; who plays elsewhere here can write again.
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
        Kept::Proposed(proposed) => all && proposed.whose == Whose::Seat(seat),
        Kept::Boilerplate(whose, _) | Kept::NoBoilerplate(whose) => *whose == seat,
        _ => false,
    })?;
    Ok(done)
}

/// Whether a letter goes to one of them.
fn is_to(raw: &[u8], addresses: &BTreeSet<&str>) -> bool {
    let to = |mail: &Incoming| mail.recipients.iter().any(|one| addresses.contains(one.to_ascii_lowercase().as_str()));
    Incoming::parse(raw).is_ok_and(|mail| to(&mail))
}
