//! The host's daily notice: undelivered letters, mails that could not be handled, and players who
//! are late.

use crate::{error::OfficeError, service::Office};
use postrider_dice::{Hash, sha256};
use postrider_journal::Head;
use postrider_letters::{Block, Section, text};
use postrider_orders::visible;
use postrider_replay::{Deadline, deadlines::moment};
use postrider_store::{GameStatus, OfSeat, OutgoingLetter, Player, Undelivered, compose};
use postrider_table::Seat;

/// The maximum number of items listed of each kind; the others are counted.
const MOST_LISTED: usize = 40;

impl Office {
    /// Writes a notice to the host's address, if the settings have one, at most once a day. It
    /// lists letters that were not delivered, mails that could not be handled, and late players.
    /// Items in an earlier notice are not repeated. Returns `true` if a notice was written.
    ///
    /// # Errors
    /// [`OfficeError::Store`] if the items cannot be read or the notice cannot be written.
    pub fn tell_host(&mut self) -> Result<bool, OfficeError> {
        let services = &self.services;
        let Some(address) = services.host.settings.host_mail.clone() else { return Ok(false) };
        let (store, now) = (&services.store, services.environment.now());
        // An undelivered notice is never reported, because that report would not arrive either.
        let is_notice = |one: &Undelivered| one.unique.starts_with(NOTICE);
        let lost: Vec<Undelivered> = store.undelivered()?.into_iter().filter(|one| !is_notice(one)).collect();
        let poison = store.poisoned()?;
        let late: Vec<String> = store
            .listed()?
            .iter()
            .flat_map(|one| one.status.iter().flat_map(|status| late(&one.game, status)))
            .collect();
        if lost.is_empty() && poison.is_empty() && late.is_empty() {
            return Ok(false);
        }
        let named = lost.iter().chain(&poison).map(|one| one.unique.as_str());
        let what: Vec<&str> = named.chain(late.iter().map(String::as_str)).collect();
        // The same items are reported once, and at most one notice is sent per day.
        let mark = sha256(what.join("\n").as_bytes()).to_string();
        let told = |begins: &str| store.letters(&format!("{NOTICE}.{begins}"));
        let day = now.format("%Y%m%d").to_string();
        if !told(&day)?.is_empty() || store.letters(NOTICE)?.iter().any(|name| name.ends_with(&mark[..16])) {
            return Ok(false);
        }
        let with_why = |all: &[Undelivered]| -> Vec<String> {
            all.iter().map(|one| format!("{}: {}", one.unique, visible(&one.why))).collect()
        };
        let list = |heading: &str, all: &[String]| {
            let mut items: Vec<Block> = all.iter().take(MOST_LISTED).map(|one| Block::item(one.as_str(), 1)).collect();
            let more = all.len().saturating_sub(MOST_LISTED);
            items.extend((more > 0).then(|| Block::item(format!("and {more} more; `postrider status` has all"), 1)));
            (!all.is_empty()).then(|| Section::headed(heading, items))
        };
        let resend = "`postrider resend GAME SEAT` writes again; `postrider reseat` corrects an address.";
        let sections: Vec<Section> = [
            list("LETTERS THAT DID NOT ARRIVE", &with_why(&lost)),
            (!lost.is_empty()).then(|| Section::paragraph(resend)),
            list("MAILS THAT COULD NOT BE HANDLED (in mail/poison)", &with_why(&poison)),
            list("PLAYERS WHO HAVE NOT ANSWERED IN TIME", &late),
        ]
        .into_iter()
        .flatten()
        .collect();
        let counted = |count: usize, one: &str, several: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {several}")),
        };
        let parts = [
            counted(lost.len(), "letter did not arrive", "letters did not arrive"),
            counted(poison.len(), "mail could not be handled", "mails could not be handled"),
            counted(late.len(), "player is late", "players are late"),
        ];
        let subject: Vec<String> = parts.into_iter().flatten().collect();
        let unique = format!("{NOTICE}.{day}.{}", &mark[..16]);
        let letter = OutgoingLetter::plain(
            unique.clone(),
            format!("notice-{}", &mark[..8]),
            subject.join(", "),
            text::render(&sections),
            now,
        );
        let to = Player { seat: Seat(0), name: String::new(), address, salt: Hash::ZERO, zone: None };
        // The notice belongs to no game, so its receipt names the notice itself.
        let head = Head { game: NOTICE.to_owned(), n: 0, hash: sha256(unique.as_bytes()) };
        let row = compose(&services.host, &services.key, &head, &to, &letter, OfSeat::default())?;
        services.store.put_notice(&row)?;
        Ok(true)
    }
}

/// Lists a game's players whose deadline has passed.
fn late(game: &str, status: &GameStatus) -> Vec<String> {
    let of = |(seat, deadline): &(String, Deadline)| match deadline {
        Deadline::Expired(at) => {
            let called = status.awaited.iter().find(|one| one.seat == *seat).map_or(seat, |one| &one.called);
            Some(format!("{game}: {called}, since {}", moment(*at, "UTC")))
        }
        Deadline::Until(_) | Deadline::Paused(_) => None,
    };
    let mut all: Vec<String> = status.deadlines.iter().filter_map(of).collect();
    all.dedup();
    all
}

/// The prefix of notices' names. A game's id contains no underscore, so no game's letter has it.
const NOTICE: &str = "_notice";
