//! Where in a game somebody wants to be: a Turn, a Round, a line.

use super::marks::RoundMark;

use std::{fmt, str::FromStr};

/// A place in the history of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checkpoint {
    /// The beginning of a Turn or, with its second number, of a Round.
    Turn(u64, Option<u64>),
    /// After the step to which the line with this n belongs.
    Line(u64),
}

/// Why a checkpoint cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The words name none.
    #[error("\"{text}\" is no moment; say \"turn 5\", \"turn 5 round 3\" or \"entry 384\"")]
    Unclear {
        /// The words.
        text: String,
    },
    /// The game has not come to it.
    #[error("there is no \"{wanted}\" in this game{span}")]
    NotReached {
        /// What was wanted.
        wanted: Checkpoint,
        /// How far it goes, in words.
        span: String,
    },
}

impl FromStr for Checkpoint {
    type Err = CheckpointError;

    /// Reads `entry 384`, `turn 5` or `turn 5 round 3`; as in mails, `Turn 5, Round 3`, and as people hurry, `turn5 round3`.
    fn from_str(text: &str) -> Result<Checkpoint, CheckpointError> {
        let wrong = || CheckpointError::Unclear { text: text.to_owned() };
        let spaced = text.to_lowercase().replace(',', " ").replace("turn", " turn ").replace("round", " round ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        match words.as_slice() {
            ["entry", n] => Ok(Checkpoint::Line(number(n)?)),
            ["turn", turn] => Ok(Checkpoint::Turn(number(turn)?, None)),
            ["turn", turn, "round", round] => Ok(Checkpoint::Turn(number(turn)?, Some(number(round)?))),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checkpoint::Turn(turn, None) => write!(f, "turn {turn}"),
            Checkpoint::Turn(turn, Some(round)) => write!(f, "turn {turn} round {round}"),
            Checkpoint::Line(n) => write!(f, "entry {n}"),
        }
    }
}

impl Checkpoint {
    /// n of the line that marks it, among the Rounds of a history.
    ///
    /// # Errors
    /// [`CheckpointError::NotReached`] when the game has not come to it.
    pub fn find(self, marks: &[RoundMark]) -> Result<u64, CheckpointError> {
        let (turn, round) = match self {
            Checkpoint::Line(n) => return Ok(n),
            Checkpoint::Turn(turn, round) => (turn, round),
        };
        let mark = marks.iter().find(|mark| mark.turn == turn && round.is_none_or(|round| mark.round == round));
        mark.map(|mark| mark.n).ok_or_else(|| {
            let span = match (marks.first(), marks.last()) {
                (Some(first), Some(last)) => format!("; it goes from {} to {}", first.label, last.label),
                _ => "; it has not begun".to_owned(),
            };
            CheckpointError::NotReached { wanted: self, span }
        })
    }
}
