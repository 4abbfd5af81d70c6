//! Addresses of a player's own choice: `my address is now …`, `also write from …`. A letter goes there, and only its answer makes it count.

use super::{From, Outcome, admission::copies};
use crate::{
    error::OfficeError,
    services::Services,
    session::{Reply, Transaction},
};
use postrider_dice::{Hash, sha256};
use postrider_letters::{Section, text};
use postrider_mail::{Incoming, is_address};
use postrider_orders::{People, Phrase, is_confirmation, visible};
use postrider_store::{AddressAsked, DAY, Kept, OutgoingLetter, Player};
use postrider_table::Seat;

/// So many letters that ask whether an address is right are sent for a seat in a day: they go to whomever a player names.
const MOST_A_DAY: usize = 3;

/// So many addresses a player can add.
const MOST_ADDED: usize = 5;

/// What a player wants of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressWanted {
    /// It is to take the place of the one that he has.
    Now(String),
    /// Orders are to count from it too.
    Also(String),
    /// They are to count from it no longer.
    NoLonger(String),
}

/// How lines begin that say so.
const NOW: [&str; 3] = ["my address is now", "my new address is", "change my address to"];
const ALSO: [&str; 3] = ["also write from", "i also write from", "i will also write from"];
const NO_LONGER: [&str; 3] = ["no longer write from", "i no longer write from", "never write from"];

impl AddressWanted {
    /// Reads a line; `None` for any other.
    pub fn of(line: &str) -> Option<AddressWanted> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (last, start) = words.split_last()?;
        let start = start.join(" ").to_ascii_lowercase();
        let start = start.trim_end_matches(':');
        // A mail program may write a link beside it.
        let bare = match last.trim_start_matches('<').split_once(['<', '>']) {
            Some((before, _)) => before,
            None => last,
        };
        let address = bare.trim_start_matches("mailto:").trim_matches(['<', '>', '"', '\'', ',', ';', '!', '.']);
        if !address.contains('@') {
            return None;
        }
        let address = address.to_ascii_lowercase();
        match () {
            () if NOW.contains(&start) => Some(AddressWanted::Now(address)),
            () if ALSO.contains(&start) => Some(AddressWanted::Also(address)),
            () if NO_LONGER.contains(&start) => Some(AddressWanted::NoLonger(address)),
            () => None,
        }
    }
}

impl Transaction {
    /// Sends a letter to an address that a player wants to write from; says what has to be done there.
    pub(super) fn want_address(
        &mut self,
        services: &Services,
        seat: Seat,
        wanted: &AddressWanted,
        from: &From<'_>,
    ) -> Result<String, OfficeError> {
        let Some(player) = self.seats.player(seat).filter(|player| player.by_mail()).cloned() else {
            return Ok("Nobody is written to at this seat: it has no address.".to_owned());
        };
        let From::Mail { hash, .. } = from else {
            return Ok(
                "Addresses are changed by the player's own mail, or by the host with `postrider reseat`.".to_owned()
            );
        };
        let (address, also) = match wanted {
            AddressWanted::Now(address) => (address, false),
            AddressWanted::Also(address) => (address, true),
            AddressWanted::NoLonger(address) => return self.no_longer(seat, address),
        };
        let shown = visible(address);
        if !is_address(address) || services.host.addresses.is_own(address) {
            return Ok(format!("Your address was not changed: {shown} cannot be one."));
        }
        if player.address.eq_ignore_ascii_case(address) {
            return Ok(format!("{shown} is your address already."));
        }
        if also && self.seats.added(seat).contains(address) {
            return Ok(format!("Orders count from {shown} already."));
        }
        if also && self.seats.added(seat).len() >= MOST_ADDED {
            return Ok(format!(
                "{shown} was not added: {MOST_ADDED} addresses is the most; `no longer write from …` takes one away."
            ));
        }
        if self.live.closed {
            return Ok("Your address was not changed: the game is over.".to_owned());
        }
        let now = services.environment.now().timestamp();
        let known = self.secrets.addresses.iter().find(|(_, one)| one.mail == *hash && one.address == *address);
        let asked = match known {
            // The same mail, taken in again.
            Some((_, asked)) => asked.clone(),
            None => {
                let today = |(whose, one): &&(Seat, AddressAsked)| *whose == seat && one.at > now - DAY;
                if self.secrets.addresses.iter().filter(today).count() >= MOST_A_DAY {
                    return Ok(format!(
                        "Nothing was sent to {shown}: {MOST_A_DAY} such letters a day is the most. Please try again tomorrow."
                    ));
                }
                let asked = AddressAsked { address: address.clone(), also, mail: *hash, at: now };
                self.keep(Kept::AddressAsked(seat, asked.clone()))?;
                asked
            }
        };
        self.ask_there(services, &player, &asked)?;
        let then = match also {
            true => "Orders count from there when that letter is answered with `yes`; letters go on to this address.",
            false => "That address takes the place of this one when that letter is answered with `yes`.",
        };
        Ok(format!(
            "A letter was sent to {shown}. {then} If you did not want this, reply `new token`: then it cannot count."
        ))
    }

    fn no_longer(&mut self, seat: Seat, address: &str) -> Result<String, OfficeError> {
        let shown = visible(address).into_owned();
        if !self.seats.added(seat).iter().any(|one| one == address) {
            return Ok(format!("{shown} is none of the addresses that you added."));
        }
        self.keep(Kept::Address { seat, address: address.to_owned(), counts: false })?;
        Ok(format!("Orders no longer count from {shown}."))
    }

    fn ask_there(&mut self, services: &Services, player: &Player, asked: &AddressAsked) -> Result<(), OfficeError> {
        let AddressAsked { address, also, mail, .. } = asked;
        let (seat, game) = (player.seat, &self.id);
        let what = match also {
            true => "orders of his count that come from this address too",
            false => "his letters go to this address, and his orders count that come from it",
        };
        let told = [
            format!(
                "{}, who plays seat {seat} of the game {game} here, wants that {what}. If that is you, reply `yes` to this mail.",
                visible(&player.name)
            ),
            "If it is not, do nothing: nothing comes of it, and nothing more is sent here.".to_owned(),
        ];
        let told: Vec<Section> = told.into_iter().map(Section::paragraph).collect();
        let mark = sha256(format!("{mail} {address}").as_bytes()).to_string();
        let letter = OutgoingLetter {
            token: (0, self.address_word(seat, asked)),
            ..OutgoingLetter::plain(
                format!("{game}.{seat}.address.{}", &mark[..16]),
                format!("address-{}", &mark[..8]),
                "is this your address?".to_owned(),
                text::render(&told),
                services.environment.now(),
            )
        };
        let to = Player { address: address.clone(), ..player.clone() };
        let head = self.head();
        Ok(self.send(services, &head, &to, &letter)?)
    }

    /// Takes in a mail from an address that a player asked for: with `yes` it counts.
    pub(super) fn take_address(
        &mut self,
        services: &mut Services,
        (mail, hash): (&Incoming, Hash),
        (seat, asked): (Seat, AddressAsked),
    ) -> Result<Outcome, OfficeError> {
        let yes = mail.orders.as_ref().is_ok_and(|orders| {
            orders.lines.iter().any(|line| is_confirmation(&Phrase::new(&line.text), &People::default()))
        });
        if !yes {
            return Ok(Outcome::Filed("from an address that is still to be confirmed, without a yes".to_owned()));
        }
        let Some(player) = self.seats.player(seat).cloned() else {
            return Ok(Outcome::Filed("for a seat that nobody holds".to_owned()));
        };
        let address = asked.address;
        let mut reply =
            Reply { mail: hash, copies: copies(mail), subject: "your addresses".to_owned(), ..Reply::default() };
        if asked.also {
            self.keep(Kept::Address { seat, address: address.clone(), counts: true })?;
            let note = format!(
                "Orders count from {} too, from now on; letters go on to this address. `no longer write from …` ends it.",
                visible(&address)
            );
            reply.notes.push(note);
            self.run_pending(services, Some((seat, reply)))?;
            return Ok(Outcome::Answered { done: 0, total: 0 });
        }
        if self.live.closed {
            return Ok(Outcome::Filed("the game is over: no address is changed any more".to_owned()));
        }
        reply.notes.push(
            "Your letters come to this address from now on, and orders count that are sent from it. Letters from before are void."
                .to_owned(),
        );
        reply.status = true;
        if player.address.eq_ignore_ascii_case(&address) {
            self.run_pending(services, Some((seat, reply)))?;
            return Ok(Outcome::Answered { done: 0, total: 0 });
        }
        // Whoever had the old one is told, before he is nobody.
        self.say_farewell(services, &player, hash)?;
        let added = self.seats.added(seat).iter().filter(|one| **one != address).cloned();
        let with: Vec<Kept> = added
            .map(|address| Kept::Address { seat, address, counts: true })
            .chain(self.secrets.paces.get(&seat).map(|pace| Kept::Pace(seat, *pace)))
            .chain(self.secrets.drafts.get(&seat).map(|draft| Kept::Draft(seat, draft.clone())))
            .chain(self.secrets.away.get(&seat).map(|away| Kept::Away(seat, Some(*away))))
            .chain(self.secrets.zones.get(&seat).map(|zone| Kept::Zone(seat, zone.clone())))
            .chain(self.secrets.checks.get(&seat).map(|check| Kept::SenderCheck(seat, *check)))
            .collect();
        let there = (seat, player.name.as_str(), address.as_str(), player.zone);
        if self.live.started.is_none() && !self.has_joined(seat) {
            self.correct(services, there, with)?;
            return Ok(Outcome::Answered { done: 0, total: 0 });
        }
        self.reseat(services, there, with, Some((seat, reply)))?;
        Ok(Outcome::Answered { done: 0, total: 0 })
    }

    fn say_farewell(&mut self, services: &Services, player: &Player, mail: Hash) -> Result<(), OfficeError> {
        let (seat, game, mark) = (player.seat, &self.id, mail.to_string());
        let told = Section::paragraph(format!(
            "From now on seat {seat} of the game {game} is played from another address, as a mail from this one asked and a mail from \
             the other one confirmed. Letters go there, and mails from here do nothing any more. If you did not want this, tell the \
             host at once: he can give the seat back to this address."
        ));
        let letter = OutgoingLetter::plain(
            format!("{game}.{seat}.moved.{}", &mark[..16]),
            format!("moved-{}", &mark[..8]),
            "your seat is played from another address".to_owned(),
            text::render(&[told]),
            services.environment.now(),
        );
        let head = self.head();
        Ok(self.send(services, &head, player, &letter)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_an_address_as_mail_programs_write_it() {
        let now = |address: &str| Some(AddressWanted::Now(address.to_owned()));
        assert_eq!(AddressWanted::of("My address is now Ben@New.example."), now("ben@new.example"));
        assert_eq!(AddressWanted::of("my address is now: <ben@new.example>"), now("ben@new.example"));
        assert_eq!(
            AddressWanted::of("my new address is ben@new.example<mailto:ben@new.example>"),
            now("ben@new.example")
        );
        assert_eq!(AddressWanted::of("Also write from b@x.example!"), Some(AddressWanted::Also("b@x.example".into())));
        let gone = Some(AddressWanted::NoLonger("b@x.example".into()));
        assert_eq!(AddressWanted::of("no longer write from b@x.example"), gone);
        for line in ["my address is now", "my address is now here", "write to ben@new.example", "ben@new.example", ""] {
            assert_eq!(AddressWanted::of(line), None, "{line}");
        }
    }
}
