//! Who watches a game: letters to somebody without a seat, of what everybody may see.
//!
//! What is told comes from the spectator's view and from the public story alone, so nothing hangs on who reads it. A watcher has no seat in
//! the journal; that he is there stands beside it.

use super::{Game, Transaction, heading::bare_subject, local_time::next_at_hour};
use crate::{error::OfficeError, services::Services};
use postrider_dice::{Hash, sha256};
use postrider_journal::Head;
use postrider_letters::{self as letters, HeadShown, Letter, View, html, html::AnswerTo, text};
use postrider_mail::Token;
use postrider_orders::{list_and, visible};
use postrider_replay::marks::called;
use postrider_store::{Digest, Kept, OutgoingLetter, Player, Thread, Watcher, Written, answered_by, check_zone};
use postrider_table::Seat;

/// At this hour of his day somebody who reads once a day is written to.
const MORNING: u32 = 7;

/// So many people watch one game, those among them who have not said yes yet.
pub(crate) const MOST_WATCHERS: usize = 200;

/// What somebody who watches is answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToWatcher {
    /// The mail that is answered.
    pub mail: Hash,
    /// Its subject.
    pub subject: String,
    /// Its place in the thread.
    pub thread: Thread,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
    /// Whether the position is wanted.
    pub status: bool,
}

impl Game {
    /// Who watches from this address.
    pub(crate) fn watcher(&self, address: &str) -> Option<&Watcher> {
        self.secrets.watchers.iter().find(|one| one.address.eq_ignore_ascii_case(address))
    }

    /// Whether somebody plays in this game from this address.
    pub(crate) fn is_player(&self, address: &str) -> bool {
        let mut seats = self.seats.players.iter().map(|player| player.seat);
        seats.any(|seat| self.seats.addresses(seat).any(|one| one.eq_ignore_ascii_case(address)))
    }

    /// The word in letters to a watcher.
    pub(crate) fn watch_word(&self, address: &str) -> Token {
        self.tokens.watch_word(address)
    }

    /// Who watches, in a sentence for the players; `None` if nobody does.
    pub(crate) fn watched_in_words(&self) -> Option<String> {
        let watchers = self.secrets.watchers.iter().filter(|one| one.confirmed);
        let names: Vec<String> = watchers.map(|one| visible(&one.name).into_owned()).collect();
        let watch = if names.len() == 1 { "watches" } else { "watch" };
        (!names.is_empty()).then(|| format!("{} {watch} this game and see what everybody may see.", list_and(&names)))
    }

    /// When somebody who watches is next to be written to, in seconds since 1970.
    pub(crate) fn next_digest(&self, services: &Services) -> Option<i64> {
        let waits = |one: &&Watcher| {
            let news = one.n.is_some_and(|n| n < self.live.head.n);
            one.confirmed && !one.over && one.digest == Digest::Daily && news
        };
        let when = |one: &Watcher| next_at_hour(self.zone_of_watcher(services, one), one.at, MORNING);
        let players = self.seats.players.iter().filter_map(|player| self.next_digest_of(services, player.seat));
        self.secrets.watchers.iter().filter(waits).map(when).chain(players).min()
    }

    /// When a player who collects what happens day by day is next to be written to.
    fn next_digest_of(&self, services: &Services, seat: Seat) -> Option<i64> {
        let old = self.secrets.written.get(&seat)?;
        let daily = self.pace(seat).digest == Some(Digest::Daily);
        let waits = daily && !self.live.closed && self.live.started.is_some() && self.has_news(seat, old.n);
        waits.then(|| next_at_hour(self.zone(services, seat), old.at, MORNING))
    }

    /// Whether something happened since a line that a seat is to be told: in the game, or words of others.
    fn has_news(&self, seat: Seat, n: u64) -> bool {
        n < self.live.head.n && (!self.told_since(n).is_empty() || !self.messages_to(seat, n).is_empty())
    }

    /// Whether a player who collects what happens is to be told it now.
    pub(super) fn digest_due(&self, services: &Services, seat: Seat, old: &Written, since: u64) -> bool {
        let Some(digest) = self.pace(seat).digest.filter(|_| self.live.started.is_some()) else { return false };
        let due = match digest {
            Digest::Daily => {
                next_at_hour(self.zone(services, seat), old.at, MORNING) <= services.environment.now().timestamp()
            }
            Digest::Round => self.live.marks.last().is_some_and(|mark| mark.n > since),
            Digest::Turn => self.turn() > old.turn,
        };
        due && self.has_news(seat, since)
    }

    fn is_due_for(&self, services: &Services, watcher: &Watcher) -> bool {
        let Some(n) = watcher.n.filter(|_| watcher.confirmed) else { return watcher.confirmed };
        let now = services.environment.now().timestamp();
        let last = self.live.marks.last();
        match watcher.digest {
            _ if watcher.over => false,
            _ if self.live.closed => true,
            Digest::Daily => {
                n < self.live.head.n
                    && next_at_hour(self.zone_of_watcher(services, watcher), watcher.at, MORNING) <= now
            }
            Digest::Round => last.is_some_and(|mark| mark.n > n),
            Digest::Turn => self.turn() > watcher.turn,
        }
    }

    /// The beginning of the names of letters to a watcher, and the last part of their Message-IDs.
    pub(crate) fn watch_names(&self, watcher: &Watcher) -> (String, String) {
        let mark = sha256(watcher.address.to_ascii_lowercase().as_bytes()).to_string();
        (format!("{}.watch.{}", self.id, &mark[..16]), format!("watch-{}", &mark[..16]))
    }

    fn told_since(&self, n: u64) -> Vec<letters::Part> {
        let reader = letters::Reader { seat: None, pieces: &[], decided: &|_| false };
        letters::story(&self.live.story, reader, Some(n).filter(|&n| n > 0), &self.seats)
    }

    fn letter_to_watcher(
        &mut self,
        services: &Services,
        head: &Head,
        watcher: &Watcher,
        reply: Option<&ToWatcher>,
    ) -> Result<OutgoingLetter, OfficeError> {
        let closed = self.live.closed;
        let position = reply.is_none_or(|reply| reply.status);
        let ruleset = self.live.opened.ruleset;
        let (mut view, mut outcome) = (Vec::new(), Vec::new());
        if let Some(dyn_game) = self.live.dyn_game.as_mut().filter(|_| position) {
            view = services.letters.view(ruleset, &View::of(dyn_game.view(None)?, &self.seats))?;
            if closed {
                outcome = services.letters.ending(ruleset, &**dyn_game, &self.seats)?;
            }
        }
        let picture = match services.host.settings.draws() && position {
            true => self.picture(None, watcher.n)?,
            false => None,
        };
        let zone = self.zone_of_watcher(services, watcher).to_owned();
        let all = self.asked()?;
        let rewound = self.facts.rewinds.iter().any(|rewind| watcher.n.is_some_and(|n| rewind.n > n));
        let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
        if rewound && position {
            notes.push("The game was rewound since your last letter: what that told may be undone.".to_owned());
        }
        let signed = self.head_shown(services, Seat(0));
        let letter = Letter {
            game: self.id.clone(),
            picture: picture.as_ref().map(|picture| picture.words().join(". ")).unwrap_or_default(),
            opening: self.opening_for_watcher(watcher, reply),
            notes,
            notes_first: !position,
            first_mail: watcher.n.is_none(),
            since: if position { self.told_since(watcher.n.unwrap_or_else(|| self.turn_began())) } else { Vec::new() },
            outcome,
            view,
            in_full: true,
            html_in_full: reply.is_some_and(|reply| reply.status),
            awaited: match closed || self.live.started.is_none() || !position {
                true => String::new(),
                false => self.awaited(services, None, &zone, &all),
            },
            over: closed,
            watches: true,
            head: HeadShown { seat: String::new(), ..signed },
            ..Letter::default()
        };
        let tree = services.letters.letter(&letter)?;
        let subject = match reply {
            Some(reply) => format!("Re: {}", bare_subject(&reply.subject)),
            None if closed => "the game is over".to_owned(),
            None => called(&self.live.marks),
        };
        let (begins, kind) = self.watch_names(watcher);
        let (unique, kind) = match reply {
            Some(reply) => {
                let mail = reply.mail.to_string();
                (format!("{begins}.re.{}", &mail[..16]), format!("{kind}-{}", &mail[..8]))
            }
            None => (format!("{begins}.{}.{}", head.n, &head.hash.text().as_str()[..8]), kind),
        };
        let token = (0, self.watch_word(&watcher.address));
        let (address, whole) = answered_by(&services.host, &self.id, token, &subject);
        let answer = AnswerTo { address, subject: format!("Re: {}", whole.strip_prefix("Re: ").unwrap_or(&whole)) };
        Ok(OutgoingLetter {
            html: services.host.settings.html.then(|| html::render(&tree, &whole, &answer)),
            picture: picture.and_then(|picture| self.as_inline(&picture)),
            token,
            thread: reply.map(|reply| reply.thread.clone()),
            ..OutgoingLetter::plain(unique, kind, subject, text::render(&tree), services.environment.now())
        })
    }

    fn opening_for_watcher(&self, watcher: &Watcher, reply: Option<&ToWatcher>) -> String {
        let place = called(&self.live.marks);
        match reply {
            Some(reply) if !reply.status => String::new(),
            _ if self.live.closed => format!("{}, the game is over.", watcher.name),
            _ if self.live.started.is_none() => {
                format!("{}, you watch this game. It has not begun.", watcher.name)
            }
            _ if watcher.n.is_none() => format!(
                "{}, you watch this game of {} ({place}). You are written to {}.",
                watcher.name,
                self.live.opened.ruleset.title(),
                watcher.digest.words()
            ),
            _ => format!("{}, this is how the game that you watch stands ({place}).", watcher.name),
        }
    }

    /// The zone in which a watcher reads times.
    pub(crate) fn zone_of_watcher<'a>(&self, services: &'a Services, watcher: &'a Watcher) -> &'a str {
        let own = watcher.zone.as_deref().filter(|zone| check_zone(zone).is_ok());
        own.unwrap_or(&services.host.settings.time_zone)
    }
}

impl Transaction {
    /// Writes to those who watch what they are to be told by now.
    pub(super) fn write_to_watchers(&mut self, services: &Services, head: &Head) -> Result<(), OfficeError> {
        for watcher in self.secrets.watchers.clone() {
            if self.is_due_for(services, &watcher) {
                self.write_to_watcher(services, head, &watcher, None)?;
            }
        }
        Ok(())
    }

    /// Writes a letter to a watcher, in answer to a mail of his or of itself, and keeps in mind that it was done.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be written or kept.
    pub(crate) fn write_to_watcher(
        &mut self,
        services: &Services,
        head: &Head,
        watcher: &Watcher,
        reply: Option<&ToWatcher>,
    ) -> Result<(), OfficeError> {
        let told = reply.is_none_or(|reply| reply.status);
        // A morning after which nothing was to be told is over, too.
        let silent = reply.is_none() && watcher.n.is_some_and(|n| self.told_since(n).is_empty()) && !self.live.closed;
        if !silent {
            let letter = self.letter_to_watcher(services, head, watcher, reply)?;
            self.send_to_watcher(services, head, watcher, &letter)?;
        }
        if told {
            let new = Watcher {
                n: Some(head.n),
                hash: Some(head.hash),
                turn: self.turn(),
                at: services.environment.now().timestamp(),
                over: self.live.closed,
                ..watcher.clone()
            };
            self.keep(Kept::Watcher(new))?;
        }
        Ok(())
    }

    /// Puts a letter to a watcher into the outbox.
    pub(crate) fn send_to_watcher(
        &mut self,
        services: &Services,
        head: &Head,
        watcher: &Watcher,
        letter: &OutgoingLetter,
    ) -> Result<(), OfficeError> {
        let Watcher { address, name, zone, .. } = watcher;
        let (name, address, zone) = (name.clone(), address.clone(), zone.clone());
        Ok(self.send(services, head, &Player { seat: Seat(0), name, address, salt: Hash::ZERO, zone }, letter)?)
    }
}

/// What somebody is called who has not said it: the part of his address before the @.
pub(crate) fn name_of(address: &str) -> String {
    visible(address.split('@').next().unwrap_or(address)).chars().take(60).collect()
}
