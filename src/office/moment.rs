//! Where in a game somebody wants to be: a Turn, a Round, a line.

use super::{Mark, Trouble};
use std::{fmt, str::FromStr};

/// A place in the history of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The beginning of a Turn or, with its second number, of a Round.
    Turn(u64, Option<u64>),
    /// After the step to which the line with this n belongs.
    Line(u64),
}

impl FromStr for Moment {
    type Err = Trouble;

    /// Reads `turn 5` or `turn 5 round 3`; as in mails, `Turn 5, Round 3`, and as people hurry, `turn5 round3`.
    fn from_str(text: &str) -> Result<Moment, Trouble> {
        let wrong = || Trouble::Use(format!("\"{text}\" is no moment; say \"turn 5\" or \"turn 5 round 3\""));
        let spaced = text.to_lowercase().replace(',', " ").replace("turn", " turn ").replace("round", " round ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        match words.as_slice() {
            ["turn", turn] => Ok(Moment::Turn(number(turn)?, None)),
            ["turn", turn, "round", round] => Ok(Moment::Turn(number(turn)?, Some(number(round)?))),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Turn(turn, None) => write!(f, "turn {turn}"),
            Moment::Turn(turn, Some(round)) => write!(f, "turn {turn} round {round}"),
            Moment::Line(n) => write!(f, "line {}", n + 1),
        }
    }
}

impl Moment {
    /// n of the line that marks it, among the Rounds of a history.
    ///
    /// # Errors
    /// [`Trouble::Use`] when the game has not come to it.
    pub fn find(self, marks: &[Mark]) -> Result<u64, Trouble> {
        let (turn, round) = match self {
            Moment::Line(n) => return Ok(n),
            Moment::Turn(turn, round) => (turn, round),
        };
        let mark = marks.iter().find(|mark| mark.turn == turn && round.is_none_or(|round| mark.round == round));
        mark.map(|mark| mark.n).ok_or_else(|| {
            let span = match (marks.first(), marks.last()) {
                (Some(first), Some(last)) => format!("; it goes from {} to {}", first.label, last.label),
                _ => "; it has not begun".to_owned(),
            };
            Trouble::Use(format!("there is no \"{self}\" in this game{span}"))
        })
    }
}
