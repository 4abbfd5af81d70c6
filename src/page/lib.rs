#![doc = include_str!("README.md")]

mod dice;
mod html;
mod moments;
#[cfg(test)]
mod tests;

pub use self::{
    dice::{Dice, Thrown},
    html::PageFault,
    moments::Moment,
};
use postrider_letters::{self as letters, Part};
use postrider_replay::LiveGame;
use postrider_store::Players;
use postrider_table::{Listed, Seat};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Where an answer goes: what a `mailto:` link needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
}

/// A game as one seat, or a spectator, may see it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    /// The ruleset's title.
    pub title: String,
    /// The game's id.
    pub game: String,
    /// Whose page it is: `Anna, seat A`; "" for spectators.
    pub reader: String,
    /// Where the game stands.
    pub moment: String,
    /// Whether it is over.
    pub over: bool,
    /// How it ended by its rules, in a sentence; "" while it is not over.
    pub outcome: String,
    /// What is new at the end of the story that this page tells, by journal line; the last line, counted from 0.
    pub head: u64,
    /// The drawing at the last moment; "" for games without one.
    #[serde(skip)]
    pub map: String,
    /// What lay where, in words, at the last moment.
    pub words: Vec<String>,
    /// What the drawings of all moments are made of.
    pub pieces: Vec<String>,
    /// The moments, in order.
    pub moments: Vec<Moment>,
    /// What happened, under the headings of its Rounds.
    pub story: Vec<Chapter>,
    /// The dice by the line that they belong to.
    pub dice: BTreeMap<u64, Vec<Thrown>>,
    /// The luck of the game, which goes into every seed.
    pub luck: String,
    /// What is asked of the reader.
    pub questions: Vec<Question>,
    /// Where an answer goes, if there is somewhere.
    pub answer: Option<Answer>,
}

/// A part of the story under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chapter {
    /// The Round or phase.
    pub under: String,
    /// Journal lines, counted from 0, each with what it told.
    pub entries: Vec<Entry>,
}

/// What one journal line told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The journal line, counted from 0.
    pub n: u64,
    /// Whether it is the first with this line: what one step told may go on under the next heading.
    pub first: bool,
    /// What it told.
    pub lines: Vec<String>,
}

/// A question with all that can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Question {
    /// What is asked.
    pub title: String,
    /// What the reader needs to know.
    pub lines: Vec<String>,
    /// Whether the game waits for the answer.
    pub required: bool,
    /// Whether the options are all there are.
    pub complete: bool,
    /// The options: the words that order them, and what they mean.
    pub options: Vec<Choice>,
}

/// One option of a [`Question`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The words that order it.
    pub words: String,
    /// What it means; may be empty.
    pub note: String,
}

/// Of a question whose options are not all there are, no more than these are shown.
const MOST_OPTIONS: usize = 400;

impl Page {
    /// The page of a game for a seat or, with `None`, for spectators. `dice` are those of the game's journal.
    ///
    /// # Errors
    /// [`PageFault`] when the rules do not do again what they did.
    pub fn of(
        live: &mut LiveGame,
        players: &Players,
        seat: Option<Seat>,
        dice: &Dice,
        answer: Option<Answer>,
    ) -> Result<Page, PageFault> {
        let reader = seat.map(|seat| format!("{}, seat {}", players.called(seat), live.seat_name(seat)));
        let mut page = Page {
            title: live.opened.ruleset.title().to_owned(),
            game: live.game.clone(),
            reader: reader.unwrap_or_default(),
            over: live.closed,
            outcome: live.outcome().map(|outcome| outcome.in_words(|seat| players.called(seat))).unwrap_or_default(),
            head: live.head.n,
            luck: live.started.map(|begun| begun.luck.to_string()).unwrap_or_default(),
            story: chapters(live, players, seat),
            answer: answer.filter(|_| seat.is_some() && !live.closed),
            ..Page::default()
        };
        let told: BTreeSet<u64> = page.story.iter().flat_map(|chapter| &chapter.entries).map(|entry| entry.n).collect();
        page.dice = dice.of_lines(|n| told.contains(&n));
        moments::fill(&mut page, live, seat)?;
        if let Some((seat, dyn_game)) = seat.zip(live.dyn_game.as_mut()).filter(|_| !live.closed) {
            page.questions = letters::questions(live.opened.ruleset, &mut **dyn_game, seat)?
                .iter()
                .map(|listed| question(listed, players))
                .collect();
        }
        Ok(page)
    }
}

fn question(listed: &Listed, players: &Players) -> Question {
    let most = if listed.text.complete { usize::MAX } else { MOST_OPTIONS };
    let choice = |choice: &postrider_table::Choice<postrider_table::AnyOrder>| Choice {
        words: players.named(&choice.words),
        note: players.named(&choice.note),
    };
    Question {
        title: players.named(&listed.text.title),
        lines: listed.text.lines.iter().map(|line| players.named(line)).collect(),
        required: listed.asked.required,
        complete: listed.text.complete,
        options: listed.choices.iter().take(most).map(choice).collect(),
    }
}

/// The story as a seat was told it, by chapters and journal lines.
fn chapters(live: &LiveGame, players: &Players, seat: Option<Seat>) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut seen = BTreeSet::new();
    for line in &live.story {
        // One line at a time, so that each keeps its number.
        for Part { under, lines } in
            letters::story(std::slice::from_ref(line), letters::Reader::at(seat), None, players)
        {
            if chapters.last().is_none_or(|last| last.under != under) {
                chapters.push(Chapter { under, entries: Vec::new() });
            }
            let Some(chapter) = chapters.last_mut() else { continue };
            let lines = lines.into_iter().map(|line| line.text);
            match chapter.entries.last_mut() {
                Some(entry) if entry.n == line.n => entry.lines.extend(lines),
                _ => chapter.entries.push(Entry { n: line.n, first: seen.insert(line.n), lines: lines.collect() }),
            }
        }
    }
    chapters
}
