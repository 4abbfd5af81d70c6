//! The host's daily mail: undelivered letters, mails that could not be handled, late players,
//! declined invitations and open appeals.

use crate::{error::OfficeError, service::Office};
use postrider_dice::{Hash, sha256};
use postrider_journal::Head;
use postrider_letters::{Block, Section, text};
use postrider_orders::visible;
use postrider_replay::{Deadline, deadlines::moment};
use postrider_store::{GameStatus, OfSeat, OutgoingLetter, Player, Undelivered, compose};
use postrider_table::Seat;

/// The maximum number of listed items of one kind; the others are counted.
const MOST_LISTED: usize = 40;

/// The beginning of the names of such letters. No game's id contains an underscore.
const NOTICE: &str = "_notice";

/// One kind of news for the host.
struct Kind {
    /// The words of the subject after 1, and after other numbers.
    counted: (&'static str, &'static str),
    heading: &'static str,
    /// The remedy available to the host.
    remedy: &'static str,
    items: Vec<String>,
}

impl Office {
    /// Writes to the host, at most once a day and if the settings have an address for it. News that
    /// was told before is not repeated. Returns `true` if a letter was written.
    ///
    /// # Errors
    /// [`OfficeError::Store`] if the news cannot be read or written.
    pub fn tell_host(&self) -> Result<bool, OfficeError> {
        let Some(address) = self.services.host.settings.host_mail.clone() else { return Ok(false) };
        let news: Vec<Kind> = self.news_for_host()?.into_iter().filter(|kind| !kind.items.is_empty()).collect();
        let (services, now) = (&self.services, self.services.now());
        let items: Vec<&str> = news.iter().flat_map(|kind| &kind.items).map(String::as_str).collect();
        let mark = sha256(items.join("\n").as_bytes()).to_string();
        let day = now.format("%Y%m%d").to_string();
        let told = services.store.letters(NOTICE)?;
        let today = format!("{NOTICE}.{day}");
        if news.is_empty() || told.iter().any(|name| name.starts_with(&today) || name.ends_with(&mark[..16])) {
            return Ok(false);
        }
        let subject: Vec<String> = news.iter().map(Kind::in_subject).collect();
        let sections: Vec<Section> = news.iter().map(Kind::section).collect();
        let unique = format!("{today}.{}", &mark[..16]);
        let (kind, subject) = (format!("notice-{}", &mark[..8]), subject.join(", "));
        let letter = OutgoingLetter::plain(unique.clone(), kind, subject, text::render(&sections), now);
        let to = Player { seat: Seat(0), name: String::new(), address, salt: Hash::ZERO, zone: None };
        // The letter belongs to no game, so its signature covers the notice itself.
        let head = Head { game: NOTICE.to_owned(), n: 0, hash: sha256(unique.as_bytes()) };
        let row = compose(&services.host, &services.key, &head, &to, &letter, OfSeat::default())?;
        services.store.put_notice(&row)?;
        Ok(true)
    }

    fn news_for_host(&self) -> Result<[Kind; 5], OfficeError> {
        let store = &self.services.store;
        let with_why = |one: &Undelivered| format!("{}: {}", one.unique, visible(&one.why));
        // A letter about an undelivered letter to the host would not arrive either.
        let lost = store.undelivered()?.into_iter().filter(|one| !one.unique.starts_with(NOTICE));
        let games = store.listed()?;
        let of_games = |items: fn(&str, &GameStatus) -> Vec<String>| {
            let known = games.iter().filter_map(|one| Some((&one.game, one.status.as_ref()?)));
            known.flat_map(|(game, status)| items(game, status)).collect()
        };
        Ok([
            Kind {
                counted: ("letter did not arrive", "letters did not arrive"),
                heading: "LETTERS THAT DID NOT ARRIVE",
                remedy: "`postrider resend GAME SEAT` writes again; `postrider reseat` corrects an address.",
                items: lost.map(|one| with_why(&one)).collect(),
            },
            Kind {
                counted: ("mail could not be handled", "mails could not be handled"),
                heading: "MAILS THAT COULD NOT BE HANDLED (in mail/poison)",
                remedy: "",
                items: store.poisoned()?.iter().map(with_why).collect(),
            },
            Kind {
                counted: ("player is late", "players are late"),
                heading: "PLAYERS WHO HAVE NOT ANSWERED IN TIME",
                remedy: "",
                items: of_games(late),
            },
            Kind {
                counted: ("invitation was declined", "invitations were declined"),
                heading: "DECLINED INVITATIONS",
                remedy: "`postrider reseat GAME --seat SEAT --player \"NAME <ADDRESS>\"` invites somebody else.",
                items: of_games(|game, status| {
                    status.declined.iter().map(|one| format!("{game}: {}", one.called)).collect()
                }),
            },
            Kind {
                counted: ("appeal is open", "appeals are open"),
                heading: "APPEALS WITHOUT A RULING",
                remedy: "`postrider log GAME --docket` lists the decisions; `postrider rule GAME --answers ENTRY --reason TEXT` rules.",
                items: of_games(|game, status| {
                    status.appeals.iter().map(|(n, by)| format!("{game}, entry {n}: {by}")).collect()
                }),
            },
        ])
    }
}

impl Kind {
    fn in_subject(&self) -> String {
        let (one, several) = self.counted;
        format!("{} {}", self.items.len(), if self.items.len() == 1 { one } else { several })
    }

    fn section(&self) -> Section {
        let mut items: Vec<Block> =
            { self.items.iter().take(MOST_LISTED) }.map(|one| Block::item(one.as_str(), 1)).collect();
        let more = self.items.len().saturating_sub(MOST_LISTED);
        items.extend((more > 0).then(|| Block::item(format!("and {more} more; `postrider status` has all"), 1)));
        items.extend((!self.remedy.is_empty()).then(|| Block::paragraph(self.remedy, 0)));
        Section::headed(self.heading, items)
    }
}

/// The players of a game whose deadline has passed.
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
