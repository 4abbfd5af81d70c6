//! The outcome of a finished game, as used by the journal, letters, adjudications and statistics.

use super::Seat;
use postrider_orders::list_and;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The outcome of a finished game according to its rules. Each game computes it
/// ([`Game::outcome`](super::Game::outcome)), and the journal stores it as JSON with texts and
/// whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The ranking, or the verdict if the game does not rank players.
    #[serde(flatten)]
    pub finish: Finish,
    /// The level of victory in the rulebook's words, if the game has levels and there is a winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// The deciding criterion: a clause with the number of the rule, such as `most VPs (10.1)`.
    pub why: Cow<'static, str>,
    /// The side that won each Turn, in a game whose players change sides between Turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<&'static str>,
}

/// The final result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Finish {
    /// A ranking of the seats.
    Ranked {
        /// The count that decides.
        counted: Counted,
        /// All seats, best first.
        ranking: Vec<Standing>,
    },
    /// A verdict without a ranking, as in a solitaire game.
    Verdict {
        /// The verdict in the words of the rules.
        verdict: &'static str,
        /// The side that won, if one did.
        #[serde(skip_serializing_if = "Option::is_none")]
        winner: Option<&'static str>,
    },
}

/// A count that a game keeps, such as points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// The name for people: `VPs`.
    pub name: &'static str,
    /// The better direction.
    pub better: Better,
}

/// The better direction of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// More points are better.
    More,
    /// Fewer points are better.
    Fewer,
}

/// The result of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The seat.
    #[serde(serialize_with = "as_text")]
    pub seat: Seat,
    /// The rank, from 1; equal seats share a rank.
    pub rank: u32,
    /// The side it played, in a game without changes of sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    /// The faction it played, if allies share a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faction: Option<&'static str>,
    /// The value of the [`Counted`] count.
    pub points: i64,
    /// Further figures by name: the components of the points, or other criteria.
    #[serde(serialize_with = "by_name", skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<(&'static str, i64)>,
}

fn as_text<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seat)
}

fn by_name<S: Serializer>(figures: &[(&'static str, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().copied())
}

impl Counted {
    /// Creates a count in which more is better.
    pub const fn more(name: &'static str) -> Counted {
        Counted { name, better: Better::More }
    }
    /// Creates a count in which less is better.
    pub const fn fewer(name: &'static str) -> Counted {
        Counted { name, better: Better::Fewer }
    }
    /// Converts points to a number that is greater for better results.
    pub fn worth(self, points: f64) -> f64 {
        match self.better {
            Better::More => points,
            Better::Fewer => -points,
        }
    }
}

impl Standing {
    /// Creates the result of a seat with its points, not ranked yet.
    pub fn new(seat: Seat, points: impl Into<i64>) -> Standing {
        Standing { seat, rank: 0, side: None, faction: None, points: points.into(), figures: Vec::new() }
    }
    /// Sets the side that the seat played.
    #[must_use]
    pub fn of(self, side: &'static str) -> Standing {
        Standing { side: Some(side), ..self }
    }
    /// Sets the faction that the seat played, unless it is the same as the side.
    #[must_use]
    pub fn playing(self, faction: &'static str) -> Standing {
        Standing { faction: Some(faction).filter(|faction| self.side != Some(faction)), ..self }
    }
    /// Returns the faction that the seat played, or else its side.
    pub fn part(&self) -> Option<&'static str> {
        self.faction.or(self.side)
    }
    /// Adds a figure.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<i64>) -> Standing {
        self.figures.push((name, value.into()));
        self
    }
}

impl Outcome {
    /// Ranks seats by keys, the smallest key first. Equal keys share a rank: 1, 1, 3.
    pub fn ranked<K: Ord>(
        counted: Counted,
        seats: impl IntoIterator<Item = (K, Standing)>,
        why: impl Into<Cow<'static, str>>,
    ) -> Outcome {
        let mut seats: Vec<(K, Standing)> = seats.into_iter().collect();
        seats.sort_by(|(a, one), (b, other)| (a, one.seat).cmp(&(b, other.seat)));
        let places: Vec<u32> =
            seats.iter().map(|(key, _)| seats.iter().filter(|(other, _)| other < key).count() as u32 + 1).collect();
        let ranking = seats.into_iter().zip(places).map(|((_, one), rank)| Standing { rank, ..one }).collect();
        Outcome { finish: Finish::Ranked { counted, ranking }, level: None, why: why.into(), turns: Vec::new() }
    }
    /// Ranks seats by their points alone.
    pub fn by_points(
        counted: Counted,
        seats: impl IntoIterator<Item = Standing>,
        why: impl Into<Cow<'static, str>>,
    ) -> Outcome {
        let key = |one: &Standing| match counted.better {
            Better::More => -i128::from(one.points),
            Better::Fewer => i128::from(one.points),
        };
        Outcome::ranked(counted, seats.into_iter().map(|one| (key(&one), one)), why)
    }
    /// Creates the outcome of a game without a ranking.
    pub fn verdict(verdict: &'static str, winner: &'static str, why: impl Into<Cow<'static, str>>) -> Outcome {
        let finish = Finish::Verdict { verdict, winner: Some(winner) };
        Outcome { finish, level: None, why: why.into(), turns: Vec::new() }
    }
    /// Creates the outcome of a game that ended without a result.
    pub fn abandoned(why: String) -> Outcome {
        let finish = Finish::Verdict { verdict: "abandoned", winner: None };
        Outcome { finish, level: None, why: why.into(), turns: Vec::new() }
    }
    /// Replaces the places of the rules. The counts of the seats stay as they are, and no level is
    /// reached.
    #[must_use]
    pub fn placed(self, places: &dyn Fn(Seat) -> Option<u32>, why: String) -> Outcome {
        let finish = match self.finish {
            Finish::Ranked { counted, ranking } => {
                let placed = |one: Standing| Standing { rank: places(one.seat).unwrap_or(one.rank), ..one };
                let mut ranking: Vec<Standing> = ranking.into_iter().map(placed).collect();
                ranking.sort_by_key(|one| (one.rank, one.seat));
                Finish::Ranked { counted, ranking }
            }
            verdict @ Finish::Verdict { .. } => verdict,
        };
        Outcome { finish, level: None, why: why.into(), turns: Vec::new() }
    }
    /// Sets the level of victory.
    #[must_use]
    pub fn at_level(self, level: Option<&'static str>) -> Outcome {
        Outcome { level, ..self }
    }
    /// Sets the side that won each Turn.
    #[must_use]
    pub fn with_turns(self, turns: Vec<&'static str>) -> Outcome {
        Outcome { turns, ..self }
    }

    /// Returns all seats, best first; empty in a game without a ranking.
    pub fn ranking(&self) -> &[Standing] {
        match &self.finish {
            Finish::Ranked { ranking, .. } => ranking,
            Finish::Verdict { .. } => &[],
        }
    }
    /// Returns the deciding count; `None` in a game without a ranking.
    pub fn counted(&self) -> Option<Counted> {
        match &self.finish {
            Finish::Ranked { counted, .. } => Some(*counted),
            Finish::Verdict { .. } => None,
        }
    }
    /// Returns the result of a seat.
    pub fn of(&self, seat: Seat) -> Option<&Standing> {
        self.ranking().iter().find(|one| one.seat == seat)
    }
    /// Returns the seats that share the first place.
    pub fn winners(&self) -> Vec<Seat> {
        self.ranking().iter().filter(|one| one.rank == 1).map(|one| one.seat).collect()
    }
    /// Returns the seat's share of the win: winners share it equally.
    pub fn share_of_win(&self, seat: Seat) -> f64 {
        let winners = self.winners();
        if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 }
    }
    /// Returns `true` if there are at least two seats and all of them share the first place.
    pub fn is_draw(&self) -> bool {
        let winners = self.winners().len();
        winners > 1 && winners == self.ranking().len()
    }
    /// Returns the sides that won: one for the game, or one for each Turn if players change sides.
    /// Returns `draw` if the winners played different sides, and nothing for a game without sides.
    pub fn sides(&self) -> Vec<&'static str> {
        if !self.turns.is_empty() {
            return self.turns.clone();
        }
        if let Finish::Verdict { winner, .. } = self.finish {
            return winner.into_iter().collect();
        }
        let mut sides: Vec<_> = self.ranking().iter().filter(|one| one.rank == 1).filter_map(|one| one.side).collect();
        sides.dedup();
        match sides.as_slice() {
            [_, _, ..] => vec!["draw"],
            _ => sides,
        }
    }
    /// Summarizes the outcome in a few words without names: the verdict, or the side and level of
    /// the victory. Returns `None` if the rules only rank the seats.
    pub fn in_short(&self) -> Option<String> {
        match (&self.finish, self.level, self.sides().as_slice()) {
            (Finish::Verdict { verdict, .. }, ..) => Some((*verdict).to_owned()),
            (_, Some(level), [side]) => Some(format!("{side}: {level}")),
            (_, Some(level), _) => Some(level.to_owned()),
            (_, None, ["draw"]) => Some("draw".to_owned()),
            _ => None,
        }
    }
    /// The reason, with the names of players for `@A`, `@B` and so on.
    fn why_named(&self, named: &impl Fn(Seat) -> String) -> String {
        let seats = (0..26).map(Seat).filter(|seat| self.why.contains(&format!("@{seat}")));
        seats.fold(self.why.to_string(), |why, seat| why.replace(&format!("@{seat}"), &named(seat)))
    }
    /// Describes the outcome in a sentence: the winner, the level, and the reason.
    pub fn in_words(&self, named: impl Fn(Seat) -> String) -> String {
        let why = &self.why_named(&named);
        if let Finish::Verdict { verdict, .. } = self.finish {
            return format!("{verdict}: {why}.");
        }
        if self.is_draw() {
            return format!("A draw: {why}.");
        }
        let level = self.level.map(|level| format!(" ({level})")).unwrap_or_default();
        match self.winners().as_slice() {
            [one] => {
                let part = self.of(*one).and_then(Standing::part);
                let part = part.map(|part| format!(" with the {part}")).unwrap_or_default();
                format!("{} wins{part}{level}: {why}.", named(*one))
            }
            several => {
                let names: Vec<String> = several.iter().map(|seat| named(*seat)).collect();
                format!("{} share the first place{level}: {why}.", list_and(&names))
            }
        }
    }
    /// Returns the outcome as recorded in the journal.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default() // cannot fail: only texts, whole numbers and string keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(seat: Seat) -> String {
        ["Anna", "Ben", "Carl"][seat.index()].to_owned()
    }

    fn coins(points: [i64; 3], better: fn(&'static str) -> Counted) -> Outcome {
        let seats = (0..3).map(|at| Standing::new(Seat(at), points[usize::from(at)]));
        Outcome::by_points(better("coins"), seats, "it has the most (1)")
    }

    #[test]
    fn equal_points_share_a_place_and_a_win() {
        let places = |outcome: &Outcome| outcome.ranking().iter().map(|one| (one.rank, one.seat.0)).collect::<Vec<_>>();
        let most = coins([4, 9, 9], Counted::more);
        assert_eq!(places(&most), [(1, 1), (1, 2), (3, 0)]);
        assert_eq!([0, 1, 2].map(|at| most.share_of_win(Seat(at))), [0.0, 0.5, 0.5]);
        assert_eq!(most.in_words(names), "Ben and Carl share the first place: it has the most (1).");
        let least = coins([4, 9, 9], Counted::fewer);
        assert_eq!(places(&least), [(1, 0), (2, 1), (2, 2)]);
        assert_eq!(least.winners(), [Seat(0)]);
        assert!(least.counted().is_some_and(|counted| counted.worth(4.0) > counted.worth(9.0)));
        let all = coins([7, 7, 7], Counted::more);
        assert!(all.is_draw() && !most.is_draw());
        assert_eq!(all.in_words(names), "A draw: it has the most (1).");
    }

    #[test]
    fn a_key_ranks_whatever_the_points_are() {
        let seats = [("US", 3, 1), ("Indians", 12, 0)];
        let seats = seats.into_iter().zip(0..).map(|((side, points, key), at)| {
            (key, Standing::new(Seat(at), points).of(side).with("lost", 5 * i64::from(at)))
        });
        let outcome =
            Outcome::ranked(Counted::more("VPs"), seats, "the village stands (17)").at_level(Some("marginal"));
        assert_eq!((outcome.winners(), outcome.sides()), (vec![Seat(1)], vec!["Indians"]));
        assert_eq!(outcome.in_short().as_deref(), Some("Indians: marginal"));
        assert_eq!(outcome.in_words(names), "Ben wins with the Indians (marginal): the village stands (17).");
        let row = |at: usize| outcome.json()["ranking"][at].to_string();
        assert_eq!(row(0), r#"{"figures":{"lost":5},"points":12,"rank":1,"seat":"B","side":"Indians"}"#);
        assert_eq!(row(1), r#"{"figures":{"lost":0},"points":3,"rank":2,"seat":"A","side":"US"}"#);
    }

    #[test]
    fn a_verdict_ranks_nobody() {
        let outcome = Outcome::verdict("History is bettered", "US", "14 States (11.31)");
        assert_eq!((outcome.winners(), outcome.sides(), outcome.counted()), (vec![], vec!["US"], None));
        assert_eq!(outcome.in_words(names), "History is bettered: 14 States (11.31).");
        let json = json!({ "verdict": "History is bettered", "winner": "US", "why": "14 States (11.31)" });
        assert_eq!(outcome.json(), json);
    }

    #[test]
    fn the_sides_of_a_draw_have_not_won() {
        let seats = |turns| {
            let seats = [("US", 0), ("Indians", 1)].map(|(side, at)| Standing::new(Seat(at), 5).of(side));
            Outcome::by_points(Counted::more("VPs"), seats, "equal VPs (17)").with_turns(turns)
        };
        assert_eq!(seats(vec![]).sides(), ["draw"]);
        assert_eq!(seats(vec![]).in_short().as_deref(), Some("draw"));
        assert_eq!(seats(vec!["US", "US", "Indians"]).sides(), ["US", "US", "Indians"]);
    }
}
