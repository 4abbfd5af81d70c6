#![doc = include_str!("README.md")]

mod calendar;
mod feed;
mod html;
mod moments;
mod record;
mod site;
mod story;
#[cfg(test)]
mod tests;
mod waits;

pub use self::{
    calendar::calendar,
    html::{PageFault, script_source},
    moments::Moment,
    record::{Record, Thrown},
    site::{HostView, Row, list},
    story::{Chapter, Entry, Turn},
    waits::Waits,
};
use postrider_letters::{self as letters, Letters, View, capital, html::fragment};
use postrider_replay::{Deadline, LiveGame};
use postrider_store::{GameStatus, Players};
use postrider_table::{Listed, Ruleset, Seat};
use serde::Serialize;
use std::collections::BTreeMap;

/// The destination of an answer, as needed for a `mailto:` link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The address.
    pub to: String,
    /// The subject.
    pub subject: String,
}

/// The reader of a page, and everything else from which the page is made.
#[derive(Clone)]
pub struct Reader<'r> {
    /// The seat; `None` for spectators.
    pub seat: Option<Seat>,
    /// The players, with the names that the reader may know.
    pub players: &'r Players,
    /// The templates, with those of the game's ruleset.
    pub letters: &'r Letters,
    /// The dice and times of the game's journal.
    pub record: &'r Record,
    /// The destination of an answer; `None` if the reader cannot answer.
    pub answer: Option<Answer>,
    /// The deadlines by seat, as the service keeps them; by default those of the journal.
    pub deadlines: Option<Vec<(String, Deadline)>>,
    /// The proposals on which the reader can vote.
    pub proposals: Vec<Question>,
    /// The reason why the page does not show the whole journal, if it does not.
    pub note: Option<String>,
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
    /// The players that the game waits for.
    pub awaited: Vec<Waits>,
    /// The number of the last journal entry that this page shows.
    pub head: u64,
    /// The reason why that is not the journal's last, if it is not.
    pub note: Option<String>,
    /// The scoreboard, as HTML; "" before play has begun.
    #[serde(skip)]
    pub score: String,
    /// The whole position, as HTML; "" before play has begun.
    #[serde(skip)]
    pub position: String,
    /// The drawing of the last moment; "" for games without a map.
    #[serde(skip)]
    pub map: String,
    /// The last moment's drawing in words.
    pub words: Vec<String>,
    /// The parts of all drawings, without duplicates.
    pub pieces: Vec<String>,
    /// The moments, in order.
    pub moments: Vec<Moment>,
    /// The story by Turns, the newest first.
    pub story: Vec<Turn>,
    /// The dice by the entry that caused them.
    pub dice: BTreeMap<u64, Vec<Thrown>>,
    /// The luck phrases of the game, which are part of every seed.
    pub luck: String,
    /// The open questions to the reader.
    pub questions: Vec<Question>,
    /// The destination of an answer; `None` if the reader cannot answer.
    pub answer: Option<Answer>,
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
    /// `true` if one mail may answer it several times.
    pub several: bool,
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
    /// `true` if it ends an action, so that no other answer to the question can follow it.
    pub ends: bool,
}

/// The maximum number of options shown for a question whose options are not complete.
const MOST_OPTIONS: usize = 400;

impl Page {
    /// Returns the page of a game.
    ///
    /// # Errors
    /// Returns a [`PageFault`] if the game cannot be replayed, or if its views or questions cannot
    /// be produced.
    pub fn of(live: &LiveGame, reader: Reader<'_>) -> Result<Page, PageFault> {
        let Reader { seat, players, letters, record, answer, deadlines, proposals, note } = reader;
        let named = seat.map(|seat| format!("{}, seat {}", players.called(seat), live.seat_name(seat)));
        let mut status = GameStatus::of(live, players)?;
        status.deadlines = deadlines.unwrap_or(status.deadlines);
        let mut page = Page {
            title: live.opened.ruleset.title().to_owned(),
            game: live.game.clone(),
            reader: named.unwrap_or_default(),
            moment: capital(&status.moment),
            over: live.closed,
            outcome: status.outcome.clone().unwrap_or_default(),
            note,
            awaited: Waits::of(&status, true),
            head: live.head.n,
            luck: live.started.map(|begun| begun.luck.to_string()).unwrap_or_default(),
            story: story::turns(live, players, seat, record),
            answer: answer.filter(|_| seat.is_some() && !live.closed),
            ..Page::default()
        };
        let told = page.entries();
        page.dice = record.of_entries(|n| told.contains(&n));
        moments::fill(&mut page, live, seat)?;
        let ruleset = live.opened.ruleset;
        if let Some(dyn_game) = &live.dyn_game {
            let view = View::of(dyn_game.view(seat)?, players);
            page.score = fragment(&letters.brief(ruleset, &view)?);
            page.position = fragment(&letters.view(ruleset, &view)?);
            if let Some(seat) = seat.filter(|_| !live.closed) {
                let listed = letters::questions(ruleset, &**dyn_game, seat)?;
                let asked = listed.iter().map(|listed| question(listed, ruleset, players));
                page.questions = asked.chain(proposals).collect();
            }
        }
        Ok(page)
    }
}

fn question(listed: &Listed, ruleset: &dyn Ruleset, players: &Players) -> Question {
    let most = if listed.text.complete { usize::MAX } else { MOST_OPTIONS };
    let choice = |choice: &postrider_table::Choice<postrider_table::AnyOrder>| Choice {
        words: players.named(&choice.words),
        note: players.named(&choice.note),
        ends: letters::ends_action(ruleset, &choice.words),
    };
    Question {
        title: players.named(&listed.text.title),
        lines: listed.text.lines.iter().map(|line| players.named(line)).collect(),
        required: listed.asked.required,
        complete: listed.text.complete,
        several: ruleset.repeats().contains(&listed.asked.kind),
        options: listed.choices.iter().take(most).map(choice).collect(),
    }
}
