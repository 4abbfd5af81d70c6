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

/// The destination of an answer, as needed for a `mailto:` link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
}

/// A game as seen by one seat or by a spectator.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Page {
    /// The ruleset's title.
    pub title: String,
    /// The game's id.
    pub game: String,
    /// The reader, such as `Anna, seat A`; "" for spectators.
    pub reader: String,
    /// The label of the current moment.
    pub moment: String,
    /// `true` if the game is over.
    pub over: bool,
    /// The outcome in a sentence; "" until the rules have ended the game.
    pub outcome: String,
    /// The last journal line of the story on this page, counted from 0.
    pub head: u64,
    /// The drawing of the last moment; "" for games without a map.
    #[serde(skip)]
    pub map: String,
    /// The last moment's drawing in words.
    pub words: Vec<String>,
    /// The parts of all drawings, without duplicates.
    pub pieces: Vec<String>,
    /// The moments, in order.
    pub moments: Vec<Moment>,
    /// The story, under the headings of its Rounds.
    pub story: Vec<Chapter>,
    /// The dice by the line that caused them.
    pub dice: BTreeMap<u64, Vec<Thrown>>,
    /// The luck phrases of the game, which are part of every seed.
    pub luck: String,
    /// The open questions to the reader.
    pub questions: Vec<Question>,
    /// The destination of an answer; `None` if the reader cannot answer.
    pub answer: Option<Answer>,
}

/// A part of the story under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chapter {
    /// The heading: a Round or phase.
    pub under: String,
    /// The journal lines with their texts.
    pub entries: Vec<Entry>,
}

/// The part of the story that one journal line told under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The journal line, counted from 0.
    pub n: u64,
    /// `true` if it is the first entry of this line: the text of one line may continue under the
    /// next heading.
    pub first: bool,
    /// The text.
    pub lines: Vec<String>,
}

/// A question with its options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Question {
    /// The heading.
    pub title: String,
    /// The information that the reader needs.
    pub lines: Vec<String>,
    /// `true` if the game waits for the answer.
    pub required: bool,
    /// `true` if the options are complete.
    pub complete: bool,
    /// The options.
    pub options: Vec<Choice>,
}

/// One option of a [`Question`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The words of the order.
    pub words: String,
    /// An explanation; may be empty.
    pub note: String,
}

/// The maximum number of options shown for a question whose options are not complete.
const MOST_OPTIONS: usize = 400;

impl Page {
    /// Returns the page of a game for a seat or, with `None`, for spectators. `dice` must be those
    /// of the game's journal.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the game cannot be replayed, or if its views or questions cannot
    /// be produced.
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

/// Returns the story as told to a seat, by headings and journal lines.
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
