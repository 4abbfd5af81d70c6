//! Mails that could not be taken in, and rest until they are tried again.

use postrider_office::Held;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Delay after a fault of the system, such as a full disk.
pub(super) const FAULT: Duration = Duration::from_secs(2);

/// Delay after any other failure; it doubles with every failure up to `LONGEST_REST`.
const FIRST_REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_secs(3_600);

/// The number of times that a mail is tried whose file cannot be read; the last is after a quarter
/// of an hour. It holds no deadline afterwards.
pub(super) const MOST_UNREAD: u32 = 6;

/// The reason why a mail rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A fault of the system, such as a full disk.
    System,
    /// This game cannot be opened; without a name, it is not known which.
    Game(Option<String>),
    /// Its signature cannot be checked for now. It is for this game, and may answer for these
    /// seats.
    Lookup(Option<String>, Held),
    /// Its file cannot be read. It may be for any game.
    Unread,
    /// It breaks the program.
    Mail,
}

/// The mails that rest.
#[derive(Default)]
pub(super) struct Resting(BTreeMap<String, Rest>);

struct Rest {
    reason: Reason,
    /// The number of failures that the system did not cause.
    failures: u32,
    until: Instant,
}

impl Resting {
    /// Records that a mail failed, and returns how often it has by now, if not through the system.
    pub fn failed(&mut self, mail: &str, reason: Reason, now: Instant) -> u32 {
        let failures = self.0.get(mail).map_or(0, |rest| rest.failures);
        let (delay, failures) = match reason {
            Reason::System => (FAULT, failures),
            _ => (FIRST_REST.saturating_mul(1 << failures.min(10)).min(LONGEST_REST), failures + 1),
        };
        self.0.insert(mail.to_owned(), Rest { reason, failures, until: now + delay });
        failures
    }

    /// Forgets the mails that are not in the inbox any more.
    pub fn retain(&mut self, still: impl Fn(&String) -> bool) {
        self.0.retain(|mail, _| still(mail));
    }

    /// Returns `true` if a mail is not to be tried yet.
    pub fn rests(&self, mail: &str, now: Instant) -> bool {
        self.0.get(mail).is_some_and(|rest| now < rest.until)
    }

    /// Returns `true` if later mails of the same author wait for this one. They do not wait for one
    /// that breaks the program, because that does not pass.
    pub fn holds(&self, mail: &str) -> bool {
        self.0.get(mail).is_some_and(|rest| rest.reason != Reason::Mail)
    }

    /// Returns `true` if the delay of a mail has passed.
    pub fn is_over(&self, now: Instant) -> bool {
        self.0.values().any(|rest| rest.until <= now)
    }

    /// Returns `true` if a mail rests because of a fault of the system. It may be for any game, so
    /// no deadline passes meanwhile.
    pub fn by_system(&self) -> bool {
        self.0.values().any(|rest| rest.reason == Reason::System)
    }

    /// Returns the seats of a game whose deadlines do not pass while mails rest that may answer.
    /// Only a mail that bears a token of its author's letters is held back by name servers, so
    /// nobody else can stop a deadline in this way.
    pub fn holds_in(&self, game: &str) -> Held {
        let may_be = |of: &Option<String>| of.as_ref().is_none_or(|of| of == game);
        let held = self.0.values().map(|rest| match &rest.reason {
            Reason::System => Held::All,
            Reason::Unread if rest.failures < MOST_UNREAD => Held::All,
            Reason::Game(of) if may_be(of) => Held::All,
            Reason::Lookup(of, held) if may_be(of) => held.clone(),
            Reason::Game(_) | Reason::Lookup(..) | Reason::Unread | Reason::Mail => Held::Nobody,
        });
        held.fold(Held::Nobody, Held::and)
    }

    /// Returns `true` if there is a mail whose file cannot be read.
    pub fn has_unread(&self) -> bool {
        self.0.values().any(|rest| rest.reason == Reason::Unread)
    }

    /// Ends the rest of the mails that wait until a game can be opened, because it was opened.
    pub fn wake(&mut self, game: &str, now: Instant) {
        let for_it = |rest: &&mut Rest| rest.reason == Reason::Game(Some(game.to_owned()));
        self.0.values_mut().filter(for_it).for_each(|rest| rest.until = now);
    }

    /// Ends the rest of all mails.
    #[cfg(test)]
    pub fn end_rests(&mut self, now: Instant) {
        self.0.values_mut().for_each(|rest| rest.until = now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_faults_of_the_system_are_tried_again_at_short_intervals() {
        let (now, mut resting) = (Instant::now(), Resting::default());
        for _ in 0..20 {
            resting.failed("a", Reason::System, now);
            assert!(resting.rests("a", now) && !resting.rests("a", now + FAULT));
        }
        for delay in [FIRST_REST, FIRST_REST * 2, FIRST_REST * 4] {
            resting.failed("a", Reason::Game(None), now);
            assert!(resting.rests("a", now + delay - FAULT) && !resting.rests("a", now + delay));
        }
        for _ in 0..20 {
            resting.failed("a", Reason::Game(None), now);
        }
        assert!(!resting.is_over(now + LONGEST_REST - FAULT) && resting.is_over(now + LONGEST_REST));
    }

    #[test]
    fn what_waits_depends_on_the_reason() {
        let (now, mut resting) = (Instant::now(), Resting::default());
        let of = |game: &str| Some(game.to_owned());
        for (reason, holds, here, elsewhere) in [
            (Reason::System, true, Held::All, Held::All),
            (Reason::Game(None), true, Held::All, Held::All),
            (Reason::Game(of("here")), true, Held::All, Held::Nobody),
            (Reason::Lookup(of("here"), Held::Seats([].into())), true, Held::Seats([].into()), Held::Nobody),
            (Reason::Unread, true, Held::All, Held::All),
            (Reason::Mail, false, Held::Nobody, Held::Nobody),
        ] {
            resting = Resting::default();
            resting.failed("a", reason.clone(), now);
            assert_eq!((resting.holds("a"), resting.by_system()), (holds, reason == Reason::System), "{reason:?}");
            assert_eq!((resting.holds_in("here"), resting.holds_in("elsewhere")), (here, elsewhere), "{reason:?}");
            assert!(!resting.holds("b") && !resting.rests("b", now));
        }
        while resting.failed("a", Reason::Unread, now) < MOST_UNREAD {
            assert_eq!(resting.holds_in("here"), Held::All);
        }
        assert_eq!(resting.holds_in("here"), Held::Nobody, "what can never be read holds nothing for good");
        resting.retain(|mail| mail != "a");
        assert!(!resting.rests("a", now) && !resting.is_over(now + LONGEST_REST));
    }
}
