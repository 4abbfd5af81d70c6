//! Named points in the history of a game: a Turn, a Round, or an entry.

use super::marks::{RoundMark, called};
use postrider_orders::list_or;
use std::{fmt, str::FromStr};

/// A point in the history of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkpoint {
    /// The beginning of a Turn or, with the second number, of a Round.
    Turn(u64, Option<u64>),
    /// The end of the step to which the line with this n belongs.
    Line(u64),
    /// The beginning of the Round or phase with this label, such as `Turn 8, disc 4: Enemies`; if
    /// several have it, the one whose entry follows it, as in `Round 1 (entry 31)`.
    Label(String),
}

/// An error in finding a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The text matches no point.
    #[error(
        "\"{text}\" is not a moment of this game; write \"turn 5\", \"turn 5 round 3\", \"entry 384\" or a heading as `log` prints it"
    )]
    Unclear {
        /// The text.
        text: String,
    },
    /// Several points have this name.
    #[error("\"{text}\" is the name of {} moments of this game; write which: {}", .all.len(), spelt_out(.all))]
    Ambiguous {
        /// The text.
        text: String,
        /// The points.
        all: Vec<RoundMark>,
    },
    /// The game has not reached the point.
    #[error("there is no \"{wanted}\" in this game{span}")]
    NotReached {
        /// The requested point.
        wanted: Checkpoint,
        /// The range of the game so far, in words.
        span: String,
    },
}

impl FromStr for Checkpoint {
    type Err = CheckpointError;

    /// Parses `entry 384`, `turn 5` or `turn 5 round 3`; also `Turn 5, Round 3` as in mails, and
    /// the careless `turn5 round3`. Any other text is taken for a label.
    fn from_str(text: &str) -> Result<Checkpoint, CheckpointError> {
        let wrong = || CheckpointError::Unclear { text: text.to_owned() };
        let spaced = text.to_lowercase().replace(',', " ").replace("turn", " turn ").replace("round", " round ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let number = |text: &str| text.parse::<u64>().ok();
        let read = match words.as_slice() {
            [] => return Err(wrong()),
            ["entry", n] => number(n).map(Checkpoint::Line),
            ["turn", turn] => number(turn).map(|turn| Checkpoint::Turn(turn, None)),
            ["turn", turn, "round", round] => {
                number(turn).zip(number(round)).map(|(turn, round)| Checkpoint::Turn(turn, Some(round)))
            }
            _ => None,
        };
        Ok(read.unwrap_or_else(|| Checkpoint::Label(text.trim().to_owned())))
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checkpoint::Turn(turn, None) => write!(f, "turn {turn}"),
            Checkpoint::Turn(turn, Some(round)) => write!(f, "turn {turn} round {round}"),
            Checkpoint::Line(n) => write!(f, "entry {n}"),
            Checkpoint::Label(label) => f.write_str(label),
        }
    }
}

impl Checkpoint {
    /// Returns `true` for the beginning of a Turn, Round or phase.
    #[must_use]
    pub fn is_round(&self) -> bool {
        !matches!(self, Checkpoint::Line(_))
    }

    /// Returns the `n` of the line that marks this point, given the Rounds of a history.
    ///
    /// # Errors
    /// Returns [`CheckpointError::NotReached`] if the game has not reached it,
    /// [`CheckpointError::Unclear`] if no point has this label, and [`CheckpointError::Ambiguous`]
    /// if several have.
    pub fn find(&self, marks: &[RoundMark]) -> Result<u64, CheckpointError> {
        let marked = match self {
            Checkpoint::Line(n) => return Ok(*n),
            Checkpoint::Turn(turn, None) => marks.iter().find(|mark| mark.turn == *turn).into_iter().collect(),
            // The Rounds of several battles of a Turn have the same numbers.
            Checkpoint::Turn(turn, Some(round)) => {
                marks.iter().filter(|mark| mark.turn == *turn && mark.round == *round).collect::<Vec<_>>()
            }
            Checkpoint::Label(label) => {
                let (label, entry) = with_entry(label);
                let says = |mark: &RoundMark, whole: bool| {
                    let name = called(std::slice::from_ref(mark));
                    // The part after a colon may be omitted: `Turn 4, disc 7`.
                    let short = mark.label.split(':').next().unwrap_or_default();
                    let names = if whole { vec![&*mark.label, &*name] } else { vec![short] };
                    names.into_iter().any(|name| plain(name) == plain(label))
                };
                let named: Vec<_> = marks.iter().filter(|mark| entry.is_none_or(|n| mark.n == n)).collect();
                let of = |whole| named.iter().copied().filter(|mark| says(mark, whole)).collect::<Vec<_>>();
                [of(true), of(false)].into_iter().find(|all| !all.is_empty()).unwrap_or_default()
            }
        };
        match (marked.as_slice(), self) {
            ([one], _) => Ok(one.n),
            ([], Checkpoint::Label(text)) => Err(CheckpointError::Unclear { text: text.clone() }),
            ([], _) => {
                let span = match (marks.first(), marks.last()) {
                    (Some(first), Some(last)) => format!("; it goes from {} to {}", first.label, last.label),
                    _ => "; it has not begun".to_owned(),
                };
                Err(CheckpointError::NotReached { wanted: self.clone(), span })
            }
            _ => Err(CheckpointError::Ambiguous { text: self.to_string(), all: marked.into_iter().cloned().collect() }),
        }
    }
}

/// Splits the number of an entry from the end of a label.
fn with_entry(label: &str) -> (&str, Option<u64>) {
    let split = label.strip_suffix(')').and_then(|rest| rest.rsplit_once("(entry "));
    let entry = split.and_then(|(label, n)| Some((label.trim_end(), n.trim().parse().ok()?)));
    entry.map_or((label, None), |(label, n)| (label, Some(n)))
}

/// Normalizes case, commas and white space.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(',', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lists moments with the entries that begin them, such as `"Turn 4, Round 7 (entry 9)"`.
fn spelt_out(all: &[RoundMark]) -> String {
    let one = |mark: &RoundMark| format!("\"{} (entry {})\"", called(std::slice::from_ref(mark)), mark.n);
    list_or(&all.iter().map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_label_is_a_moment() {
        let mark = |n, turn, round, label: &str| RoundMark { n, turn, round, label: label.to_owned() };
        let marks = [
            mark(4, 1, 0, "Turn 1, Card Distribution"),
            mark(9, 4, 7, "Turn 4, disc 7: Cavalry"),
            mark(12, 4, 11, "Battle at Kekionga, round 1"),
            mark(20, 0, 3, "Round 3"),
        ];
        let find = |text: &str| text.parse::<Checkpoint>()?.find(&marks);
        for (text, n) in [
            ("Turn 1, Card Distribution", 4),
            ("turn 4, DISC 7:  cavalry", 9),
            ("turn 4 disc 7", 9),
            ("turn 4 round 7", 9),
            ("Turn 4, Round 7", 9),
            ("Battle at Kekionga, round 1", 12),
            ("Turn 4, Battle at Kekionga, round 1", 12),
            ("entry 7", 7),
            // A game without Turns.
            ("round 3", 20),
        ] {
            assert_eq!(find(text), Ok(n), "{text}");
        }
        // Another battle at the same place also has a first round.
        let twice = [&marks[..], &[mark(31, 6, 2, "Battle at Kekionga, round 1")]].concat();
        let found = "battle at kekionga, round 1".parse::<Checkpoint>().unwrap().find(&twice);
        assert_eq!(
            found.unwrap_err().to_string(),
            "\"battle at kekionga, round 1\" is the name of 2 moments of this game; write which: \"Turn 4, Battle at Kekionga, round 1 \
             (entry 12)\" or \"Turn 6, Battle at Kekionga, round 1 (entry 31)\""
        );
        for (text, n) in
            [("Turn 4, Battle at Kekionga, round 1 (entry 12)", 12), ("Battle at Kekionga, round 1 (entry 31)", 31)]
        {
            assert_eq!(text.parse::<Checkpoint>().unwrap().find(&twice), Ok(n), "{text}");
        }
        assert!(find("Round 3 (entry 12)").is_err(), "another Round begins there");
        let other = [&marks[..], &[mark(15, 4, 11, "Battle at Fort Hamilton, round 1")]].concat();
        let found = "turn 4 round 11".parse::<Checkpoint>().unwrap().find(&other);
        assert!(matches!(found, Err(CheckpointError::Ambiguous { all, .. }) if all.len() == 2));
        assert_eq!("Turn 6, Battle at Kekionga, round 1".parse::<Checkpoint>().unwrap().find(&twice), Ok(31));
        assert!(find("turn 5").unwrap_err().to_string().contains("there is no \"turn 5\" in this game; it goes from"));
        assert!(find("next week").unwrap_err().to_string().contains("\"next week\" is not a moment of this game"));
    }
}
