//! The terms on time that a game is opened with.

use postrider_orders::spelt;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

const HOUR: i64 = 3_600;
pub(super) const DAY: i64 = 24 * HOUR;
/// The maximum time for an answer, a bank or leave, in seconds: 365 days.
pub const LONGEST: i64 = 365 * DAY;
/// The time from a missed deadline to the forfeit if the terms do not name it, in seconds.
const GRACE: i64 = 2 * DAY;

/// The terms on time of a game: `clock` in its first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The time that a seat has.
    #[serde(flatten)]
    pub allowance: Allowance,
    /// The consequence of a missed deadline.
    #[serde(default)]
    pub at_flag: AtFlag,
    /// The leave of each seat in the whole game, in seconds. Its clock is stopped meanwhile.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub leave: i64,
    /// `true` if the clock of a seat is stopped on the Saturdays and Sundays of its time zone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub weekends_off: bool,
}

fn is_false(it: &bool) -> bool {
    !it
}

fn is_zero(seconds: &i64) -> bool {
    *seconds == 0
}

/// The time that a seat has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allowance {
    /// For each answer, in seconds: from 1 hour to 365 days.
    Answer(i64),
    /// For all answers together.
    Bank(Bank),
}

/// A time for all answers of a seat, which runs while the game waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bank {
    /// The time at the start, in seconds: from 1 hour to 365 days.
    pub start: i64,
    /// The time that is added when a Round begins, in seconds.
    pub round: i64,
    /// The most that can be in the bank, in seconds; at least `start`.
    pub cap: i64,
}

/// The consequence of a missed deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AtFlag {
    /// All players are told, and the game continues to wait.
    #[default]
    Remind,
    /// All players are told, and the question is answered as the rules provide for this case.
    Play,
    /// All players are told, and the seat loses the game after this number of further seconds.
    Forfeit(i64),
}

/// An error in the terms on time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// They cannot be read.
    #[error(
        "\"{text}\" is not a time limit; write a time for each answer, such as 36h or 3d, or a bank, such as \
         \"bank 20d + 12h a round, at most 30d\"; \"no weekends\" can follow"
    )]
    Unclear {
        /// The given text.
        text: String,
    },
    /// A duration cannot be read.
    #[error("\"{text}\" is not a duration; write hours or days, such as 36h or 3d")]
    Duration {
        /// The given text.
        text: String,
    },
    /// A time is shorter than an hour or longer than 365 days.
    #[error("a time is 1h to 365d, not {text}")]
    OutOfRange {
        /// The given text.
        text: String,
    },
    /// A bank can hold less than it starts with.
    #[error("a bank that starts with {start} cannot be at most {cap}")]
    Cap {
        /// The time at the start.
        start: String,
        /// The most that it can hold.
        cap: String,
    },
    /// The consequence of a missed deadline cannot be read.
    #[error(
        "\"{text}\" is not a consequence of a missed deadline; write remind, play, forfeit, or forfeit with a grace: forfeit 2d"
    )]
    AtFlag {
        /// The given text.
        text: String,
    },
}

impl Terms {
    /// Parses a time for each answer such as `3d`, or a bank such as
    /// `bank 20d + 12h a round, at most 30d`; `no weekends` can follow either after a comma.
    ///
    /// # Errors
    /// Returns a [`TermsError`] if it cannot be parsed or a time is out of range.
    pub fn new(text: &str) -> Result<Terms, TermsError> {
        let unclear = || TermsError::Unclear { text: text.to_owned() };
        let mut parts = text.split(',').map(str::trim);
        let (first, mut cap, mut weekends_off) = (parts.next().unwrap_or_default(), None, false);
        for part in parts {
            match (part.strip_prefix("at most "), part) {
                (Some(most), _) if cap.is_none() => cap = Some(duration(most)?),
                (None, "no weekends") => weekends_off = true,
                _ => return Err(unclear()),
            }
        }
        let allowance = match (first.strip_prefix("bank "), cap) {
            (Some(bank), cap) => Allowance::Bank(Bank::new(bank, cap)?),
            (None, None) => Allowance::Answer(duration(first).map_err(|why| match why {
                TermsError::Duration { .. } => unclear(),
                other => other,
            })?),
            (None, Some(_)) => return Err(unclear()),
        };
        Ok(Terms { allowance, at_flag: AtFlag::default(), leave: 0, weekends_off })
    }

    /// Returns `true` if all times are in range.
    pub(super) fn is_valid(&self) -> bool {
        let range = 0..=LONGEST;
        let allowance = match self.allowance {
            Allowance::Answer(answer) => (HOUR..=LONGEST).contains(&answer),
            Allowance::Bank(Bank { start, round, cap }) => {
                (HOUR..=LONGEST).contains(&start) && range.contains(&round) && (start..=LONGEST).contains(&cap)
            }
        };
        let grace = match self.at_flag {
            AtFlag::Forfeit(grace) => range.contains(&grace),
            AtFlag::Remind | AtFlag::Play => true,
        };
        allowance && grace && range.contains(&self.leave)
    }

    /// Returns the time for a question that is asked when this much is in the seat's bank.
    pub(super) fn for_question(&self, bank: i64) -> i64 {
        match self.allowance {
            Allowance::Answer(answer) => answer,
            Allowance::Bank(_) => bank,
        }
    }

    /// Returns the terms of the bank, if there is one.
    pub(super) fn bank(&self) -> Option<Bank> {
        match self.allowance {
            Allowance::Answer(_) => None,
            Allowance::Bank(bank) => Some(bank),
        }
    }

    /// Describes the terms in one line.
    pub fn words(&self) -> String {
        let time = match self.allowance {
            Allowance::Answer(answer) => format!("{} for every answer", span(answer)),
            Allowance::Bank(Bank { start, round, cap }) => {
                let more = if round > 0 { format!(" and {} more each Round", span(round)) } else { String::new() };
                let most = if round > 0 { format!(", at most {}", span(cap)) } else { String::new() };
                format!("{} for all your answers together{more}{most}", span(start))
            }
        };
        let then = match self.at_flag {
            AtFlag::Remind => "everyone is told, and the game keeps waiting".to_owned(),
            AtFlag::Play => "it is answered for you as the rules prescribe".to_owned(),
            AtFlag::Forfeit(grace) => format!("everyone is told, and you lose the game {} later", span(grace)),
        };
        let weekends = match self.weekends_off {
            true => " Your clock is stopped on Saturdays and Sundays of your time zone, which the journal shows.",
            false => "",
        };
        let leave = match self.leave {
            0 => String::new(),
            leave => format!(" Each player has {} of leave, during which the clock is stopped.", span(leave)),
        };
        format!("Deadline: {time}; when it has passed, {then}.{weekends}{leave}")
    }
}

impl Bank {
    /// Parses `20d`, `20d + 12h` or `20d + 12h a round`.
    fn new(text: &str, cap: Option<i64>) -> Result<Bank, TermsError> {
        let (start, round) = match text.split_once('+') {
            Some((start, round)) => (start, duration(round.trim().trim_end_matches("a round").trim_end())?),
            None => (text, 0),
        };
        let start = duration(start)?;
        // A bank that grows by itself would make its clock meaningless without an end.
        let cap = cap.unwrap_or(if round == 0 { start } else { (2 * start).min(LONGEST) });
        if cap < start {
            return Err(TermsError::Cap { start: span(start), cap: span(cap) });
        }
        Ok(Bank { start, round, cap })
    }
}

impl FromStr for AtFlag {
    type Err = TermsError;

    fn from_str(text: &str) -> Result<AtFlag, TermsError> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("remind", "") => Ok(AtFlag::Remind),
            ("play", "") => Ok(AtFlag::Play),
            ("forfeit", "") => Ok(AtFlag::Forfeit(GRACE)),
            ("forfeit", grace) => Ok(AtFlag::Forfeit(duration(grace)?)),
            _ => Err(TermsError::AtFlag { text: text.to_owned() }),
        }
    }
}

/// Parses a duration such as `36h` or `3d` in seconds.
///
/// # Errors
/// Returns a [`TermsError`] if it cannot be parsed, is shorter than an hour, or is longer than 365
/// days.
pub fn duration(text: &str) -> Result<i64, TermsError> {
    let text = text.trim();
    let unclear = || TermsError::Duration { text: text.to_owned() };
    let unit = match text.chars().last() {
        Some('h') => HOUR,
        Some('d') => DAY,
        _ => return Err(unclear()),
    };
    let count = i64::from(u16::from_str(&text[..text.len() - 1]).map_err(|_| unclear())?);
    match count * unit {
        seconds @ HOUR..=LONGEST => Ok(seconds),
        _ => Err(TermsError::OutOfRange { text: text.to_owned() }),
    }
}

/// Formats a duration in whole days or hours, or in minutes if it is short.
pub fn span(seconds: i64) -> String {
    let (count, unit) = match seconds {
        s if s >= 2 * DAY && s % DAY == 0 => (s / DAY, "day"),
        s if s >= 2 * HOUR || s == HOUR => (s / HOUR, "hour"),
        s => (s / 60, "minute"),
    };
    let words = usize::try_from(count).map_or_else(|_| count.to_string(), spelt);
    format!("{words} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_and_told() {
        let words = |text: &str| Terms::new(text).unwrap().words();
        assert_eq!(
            words("3d"),
            "Deadline: three days for every answer; when it has passed, everyone is told, and the game keeps waiting."
        );
        assert_eq!(
            words("bank 20d + 12h a round, at most 30d, no weekends"),
            "Deadline: 20 days for all your answers together and twelve hours more each Round, at most 30 days; when it has passed, \
             everyone is told, and the game keeps waiting. Your clock is stopped on Saturdays and Sundays of your time \
             zone, which the journal shows."
        );
        let bank = Terms::new("bank 20d+12h").unwrap().bank();
        assert_eq!(bank, Some(Bank { start: 20 * DAY, round: 12 * HOUR, cap: 40 * DAY }));
        assert_eq!("forfeit 3d".parse(), Ok(AtFlag::Forfeit(3 * DAY)));
        assert_eq!("forfeit".parse(), Ok(AtFlag::Forfeit(2 * DAY)));
    }

    #[test]
    fn terms_are_kept_in_the_first_line_as_they_were() {
        let terms = Terms { leave: DAY, at_flag: AtFlag::Forfeit(HOUR), ..Terms::new("bank 2d, no weekends").unwrap() };
        let json = serde_json::to_string(&terms).unwrap();
        assert_eq!(
            json,
            r#"{"bank":{"start":172800,"round":0,"cap":172800},"at_flag":{"forfeit":3600},"leave":86400,"weekends_off":true}"#
        );
        assert_eq!(serde_json::from_str::<Terms>(&json).unwrap(), terms);
        assert!(terms.is_valid());
        assert!(!Terms { leave: -1, ..terms }.is_valid());
    }

    #[test]
    fn what_is_no_time_says_so() {
        for text in ["", "3", "3 days", "3d, at most 4d", "bank", "3d, weekends", "bank 3d, at most 4d, at most 5d"] {
            assert!(matches!(Terms::new(text), Err(TermsError::Unclear { .. })), "{text}");
        }
        assert!(matches!(Terms::new("bank 3"), Err(TermsError::Duration { text }) if text == "3"));
        assert!(matches!(Terms::new("0h"), Err(TermsError::OutOfRange { .. })));
        assert!(matches!(Terms::new("bank 366d"), Err(TermsError::OutOfRange { .. })));
        assert!(matches!(Terms::new("bank 3d + 1h, at most 2d"), Err(TermsError::Cap { .. })));
        assert!(matches!("loses".parse::<AtFlag>(), Err(TermsError::AtFlag { .. })));
    }
}
