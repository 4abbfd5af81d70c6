//! The story as a page shows it: by Turns and headings, the newest first.

use super::{Page, Record};
use postrider_letters::{self as letters, Part};
use postrider_replay::LiveGame;
use postrider_store::Players;
use postrider_table::Seat;
use serde::Serialize;
use std::collections::BTreeSet;

/// The story of one Turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The title, such as `Turn 3`.
    pub title: String,
    /// The parts of the story, the newest first.
    pub chapters: Vec<Chapter>,
}

/// A part of the story under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chapter {
    /// The heading: a Round or phase.
    pub under: String,
    /// The journal entries with their texts, the newest first.
    pub entries: Vec<Entry>,
}

/// The part of the story that one journal entry told under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The number of the journal entry, counted from 0.
    pub n: u64,
    /// `true` if this is the first part of what the entry told: its text may continue under the
    /// next heading.
    pub first: bool,
    /// The time, in the journal's format.
    pub at: String,
    /// The text.
    pub lines: Vec<String>,
}

impl Page {
    /// Returns the numbers of the journal entries in the story.
    pub(super) fn entries(&self) -> BTreeSet<u64> {
        let chapters = self.story.iter().flat_map(|turn| &turn.chapters);
        chapters.flat_map(|chapter| &chapter.entries).map(|entry| entry.n).collect()
    }
}

/// Returns the story as told to a seat or a spectator.
pub(super) fn turns(live: &LiveGame, players: &Players, seat: Option<Seat>, record: &Record) -> Vec<Turn> {
    let mut turns: Vec<(u64, Turn)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut now = 0;
    let changes = players.changes().map(|change| (change.n, change.words()));
    let story = record.chronicle.with(live, seat, changes);
    for (at, line) in story.iter().enumerate() {
        let next = story[at..].iter().find(|later| later.n > line.n).map_or(u64::MAX, |later| later.n);
        // One line at a time, so that each keeps its number.
        for Part { under, lines } in
            letters::story(std::slice::from_ref(line), letters::Reader::at(seat), None, players)
        {
            let same = turns.last().and_then(|(_, turn)| turn.chapters.last()).is_some_and(|last| last.under == under);
            if !same {
                // A heading is the label of a Round or phase that has begun by now.
                let begun = live.marks.iter().rev().skip_while(|mark| mark.n > next);
                now = { begun }.find(|mark| *mark.label == *line.told.under).map_or(now, |mark| mark.turn);
                if turns.last().is_none_or(|(turn, _)| *turn != now) {
                    turns.push((now, Turn::default()));
                }
            }
            let Some((_, turn)) = turns.last_mut() else { continue };
            if !same {
                turn.chapters.push(Chapter { under, entries: Vec::new() });
            }
            let Some(chapter) = turn.chapters.last_mut() else { continue };
            let lines = lines.into_iter().map(|line| line.text);
            match chapter.entries.last_mut() {
                Some(entry) if entry.n == line.n => entry.lines.extend(lines),
                _ => chapter.entries.push(Entry {
                    n: line.n,
                    first: seen.insert(line.n),
                    at: record.time(line.n).to_owned(),
                    lines: lines.collect(),
                }),
            }
        }
    }
    let only = turns.len() == 1;
    let newest_first = |(number, mut turn): (u64, Turn)| {
        turn.title = match number {
            0 if only => "The game".to_owned(),
            0 => "Before the first Turn".to_owned(),
            number => format!("Turn {number}"),
        };
        turn.chapters.reverse();
        turn.chapters.iter_mut().for_each(|chapter| chapter.entries.reverse());
        turn
    };
    turns.into_iter().rev().map(newest_first).collect()
}
