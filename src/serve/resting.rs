//! Mails that could not be taken in, and rest until they are tried again.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Delay after a fault of the system, such as a full disk.
pub(super) const FAULT: Duration = Duration::from_secs(2);

/// Delay after any other failure; it doubles with every failure up to `LONGEST_REST`.
const FIRST_REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_secs(3_600);

/// The reason why a mail rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A fault of the system, such as a full disk.
    System,
    /// Its game cannot be opened, or its signature cannot be checked for now.
    Game,
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
    /// Records that a mail failed.
    pub fn failed(&mut self, mail: &str, reason: Reason, now: Instant) {
        let failures = self.0.get(mail).map_or(0, |rest| rest.failures);
        let (delay, failures) = match reason {
            Reason::System => (FAULT, failures),
            _ => (FIRST_REST.saturating_mul(1 << failures.min(10)).min(LONGEST_REST), failures + 1),
        };
        self.0.insert(mail.to_owned(), Rest { reason, failures, until: now + delay });
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

    /// Returns `true` if a mail rests because of a fault of the system. It may be for any game, so no
    /// deadline passes meanwhile.
    pub fn by_system(&self) -> bool {
        self.0.values().any(|rest| rest.reason == Reason::System)
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
            resting.failed("a", Reason::Game, now);
            assert!(resting.rests("a", now + delay - FAULT) && !resting.rests("a", now + delay));
        }
        for _ in 0..20 {
            resting.failed("a", Reason::Game, now);
        }
        assert!(!resting.is_over(now + LONGEST_REST - FAULT) && resting.is_over(now + LONGEST_REST));
    }

    #[test]
    fn what_waits_depends_on_the_reason() {
        let (now, mut resting) = (Instant::now(), Resting::default());
        for (reason, holds, by_system) in
            [(Reason::System, true, true), (Reason::Game, true, false), (Reason::Mail, false, false)]
        {
            resting.failed("a", reason, now);
            assert_eq!((resting.holds("a"), resting.by_system()), (holds, by_system), "{reason:?}");
            assert!(!resting.holds("b") && !resting.rests("b", now));
        }
        resting.retain(|mail| mail != "a");
        assert!(!resting.rests("a", now) && !resting.is_over(now + LONGEST_REST));
    }
}
