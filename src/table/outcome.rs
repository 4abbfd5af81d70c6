//! How a finished game ended: the one description that the journal, letters, adjudications and
//! statistics use.

use super::Seat;
use postrider_orders::list_and;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// How a finished game ended, by its rules. Each game declares it
/// ([`Game::outcome`](super::Game::outcome)), and the journal keeps it as JSON of texts and whole
/// numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The ranking, or the verdict of a game that ranks nobody.
    #[serde(flatten)]
    pub finish: Finish,
    /// The level of victory in the rulebook's words, where the game has levels and somebody has
    /// won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// What decided the game: a clause with the number of the rule, such as `most VPs (10.1)`.
    pub why: Cow<'static, str>,
    /// Which side won each Turn, in a game whose players change sides from Turn to Turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<&'static str>,
}

/// What a game ends with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Finish {
    /// The seats are ranked.
    Ranked {
        /// What the game counts.
        counted: Counted,
        /// Every seat, best first.
        ranking: Vec<Standing>,
    },
    /// Nobody is ranked, as in a solitaire game.
    Verdict {
        /// What the rules say of it.
        verdict: &'static str,
        /// The side that has won.
        winner: &'static str,
    },
}

/// What a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Its name as people read it: `VPs`.
    pub name: &'static str,
    /// Which direction is better.
    pub better: Better,
}

/// Which direction of a count is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Many points are good.
    More,
    /// Few points are good.
    Fewer,
}

/// Where a seat finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The seat.
    #[serde(serialize_with = "as_text")]
    pub seat: Seat,
    /// Its place, from 1; equal seats share one.
    pub rank: u32,
    /// The side that it played, in a game with sides that stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<&'static str>,
    /// The faction that it played, where allies share a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faction: Option<&'static str>,
    /// What [`Counted`] names.
    pub points: i64,
    /// Other figures by their names: what the points consist of, or what else the sides compare.
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
    /// A count of which the most is best.
    pub const fn more(name: &'static str) -> Counted {
        Counted { name, better: Better::More }
    }
    /// A count of which the least is best.
    pub const fn fewer(name: &'static str) -> Counted {
        Counted { name, better: Better::Fewer }
    }
    /// Points as a number that is greater the better they are.
    pub fn worth(self, points: f64) -> f64 {
        match self.better {
            Better::More => points,
            Better::Fewer => -points,
        }
    }
}

impl Standing {
    /// A seat with its points, not ranked yet.
    pub fn new(seat: Seat, points: impl Into<i64>) -> Standing {
        Standing { seat, rank: 0, side: None, faction: None, points: points.into(), figures: Vec::new() }
    }
    /// With the side that the seat played.
    #[must_use]
    pub fn of(self, side: &'static str) -> Standing {
        Standing { side: Some(side), ..self }
    }
    /// With the faction that the seat played, where allies share the side.
    #[must_use]
    pub fn playing(self, faction: &'static str) -> Standing {
        Standing { faction: Some(faction).filter(|faction| self.side != Some(faction)), ..self }
    }
    /// What the seat played: its faction, or else its side.
    pub fn part(&self) -> Option<&'static str> {
        self.faction.or(self.side)
    }
    /// With another figure.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<i64>) -> Standing {
        self.figures.push((name, value.into()));
        self
    }
}

impl Outcome {
    /// Ranks seats by keys, the least key first. Equal keys share a place: 1, 1, 3.
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
    /// The end of a game that ranks nobody.
    pub fn verdict(verdict: &'static str, winner: &'static str, why: impl Into<Cow<'static, str>>) -> Outcome {
        Outcome { finish: Finish::Verdict { verdict, winner }, level: None, why: why.into(), turns: Vec::new() }
    }
    /// With a level of victory.
    #[must_use]
    pub fn at_level(self, level: Option<&'static str>) -> Outcome {
        Outcome { level, ..self }
    }
    /// With the side that won each Turn.
    #[must_use]
    pub fn with_turns(self, turns: Vec<&'static str>) -> Outcome {
        Outcome { turns, ..self }
    }

    /// Every seat, best first; none in a game that ranks nobody.
    pub fn ranking(&self) -> &[Standing] {
        match &self.finish {
            Finish::Ranked { ranking, .. } => ranking,
            Finish::Verdict { .. } => &[],
        }
    }
    /// What is counted, in a game that ranks its seats.
    pub fn counted(&self) -> Option<Counted> {
        match &self.finish {
            Finish::Ranked { counted, .. } => Some(*counted),
            Finish::Verdict { .. } => None,
        }
    }
    /// Where a seat finished.
    pub fn of(&self, seat: Seat) -> Option<&Standing> {
        self.ranking().iter().find(|one| one.seat == seat)
    }
    /// The seats that share the first place.
    pub fn winners(&self) -> Vec<Seat> {
        self.ranking().iter().filter(|one| one.rank == 1).map(|one| one.seat).collect()
    }
    /// The part of a win that a seat has: several winners share one win.
    pub fn share_of_win(&self, seat: Seat) -> f64 {
        let winners = self.winners();
        if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 }
    }
    /// Whether all seats of a game for several share the first place.
    pub fn is_draw(&self) -> bool {
        let winners = self.winners().len();
        winners > 1 && winners == self.ranking().len()
    }
    /// The sides that have won: one for the game, or one for each Turn where players change sides.
    /// `draw` where the winners played different sides; none in a game without sides.
    pub fn sides(&self) -> Vec<&'static str> {
        if !self.turns.is_empty() {
            return self.turns.clone();
        }
        if let Finish::Verdict { winner, .. } = self.finish {
            return vec![winner];
        }
        let mut sides: Vec<_> = self.ranking().iter().filter(|one| one.rank == 1).filter_map(|one| one.side).collect();
        sides.dedup();
        match sides.as_slice() {
            [_, _, ..] => vec!["draw"],
            _ => sides,
        }
    }
    /// How the game ended in a few words without names: the verdict, or the side and level of the
    /// victory. `None` where the rules know nothing but places.
    pub fn in_short(&self) -> Option<String> {
        match (&self.finish, self.level, self.sides().as_slice()) {
            (Finish::Verdict { verdict, .. }, ..) => Some((*verdict).to_owned()),
            (_, Some(level), [side]) => Some(format!("{side}: {level}")),
            (_, Some(level), _) => Some(level.to_owned()),
            (_, None, ["draw"]) => Some("draw".to_owned()),
            _ => None,
        }
    }
    /// The end in one sentence: who has won, at which level, and why.
    pub fn in_words(&self, named: impl Fn(Seat) -> String) -> String {
        let why = &self.why;
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
    /// As the journal keeps it.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default() // texts, whole numbers and keys that are texts
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
