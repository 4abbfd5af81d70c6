//! A game at the terminal: what somebody who sits there needs to see, on the same journal as by mail.

use super::{
    Office, Trouble,
    layout::{WIDTH, capital, fill},
    letters::{self, Question},
};
use crate::{orders::list_and, table::Seat};
use std::collections::BTreeSet;

/// The address of a player who sits at the host's terminal: nobody is written to there.
pub const TERMINAL: &str = "terminal";

/// Where a game stands, for whoever sits at the terminal.
#[derive(Clone, Debug, Default)]
pub struct Glance {
    /// The last line of the journal.
    pub head: u64,
    /// Turn and Round in words.
    pub place: String,
    /// Whether the game is over.
    pub over: bool,
    /// Who has to answer something.
    pub awaited: BTreeSet<Seat>,
    /// Who may want to answer something that has come in.
    pub urgent: BTreeSet<Seat>,
    /// The same people as `awaited`, by their names.
    pub names: String,
}

impl Office {
    /// Where a game stands.
    ///
    /// # Errors
    /// [`Trouble`] when it cannot be opened.
    pub fn glance(&mut self, game: &str) -> Result<Glance, Trouble> {
        self.with_desk(game, |_, desk| {
            let asked = desk.asked()?;
            let required = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
            let mut awaited: BTreeSet<Seat> = required.collect();
            if desk.running.started.is_none() {
                let open = desk.running.joined.iter().zip(0..).filter(|(joined, _)| joined.is_none());
                awaited = open.map(|(_, seat)| Seat(seat)).collect();
            }
            let names: Vec<String> = awaited.iter().map(|&seat| desk.seats.called(seat)).collect();
            Ok(Glance {
                head: desk.head().n,
                place: desk.place(),
                over: desk.running.closed,
                urgent: asked.iter().filter(|asked| asked.urgent && !asked.required).map(|asked| asked.seat).collect(),
                awaited,
                names: list_and(&names),
            })
        })
    }

    /// The seats that people hold at the terminal of the host: those without a mail address that no bot keeps.
    ///
    /// # Errors
    /// [`Trouble`] when the game cannot be opened.
    pub fn seats_here(&mut self, game: &str) -> Result<Vec<Seat>, Trouble> {
        self.with_desk(game, |_, desk| {
            let here = desk.seats.players.iter().filter(|player| player.address == TERMINAL);
            Ok(here.map(|player| player.seat).collect())
        })
    }

    /// Whether there is such a seat.
    ///
    /// # Errors
    /// [`Trouble`] when there is not, or when the game cannot be opened.
    pub fn check_seat(&mut self, game: &str, seat: Seat) -> Result<(), Trouble> {
        self.with_desk(game, |_, desk| match desk.seats.player(seat) {
            Some(_) => Ok(()),
            None => Err(Trouble::Use(format!("there is no seat {seat} in {game}"))),
        })
    }

    /// What has happened since line `after` (from the beginning without one) as a seat was told it.
    ///
    /// # Errors
    /// [`Trouble`] when the game cannot be opened.
    pub fn told(&mut self, game: &str, seat: Seat, after: Option<u64>) -> Result<String, Trouble> {
        self.with_desk(game, |_, desk| {
            let mut text = String::new();
            for part in letters::story(&desk.running.story, Some(seat), after, &desk.seats) {
                if !part.under.is_empty() {
                    text += &format!("{}\n", fill(&part.under, "  ", "  "));
                }
                part.lines.iter().for_each(|line| text += &format!("{}\n", fill(line, "    ", "      ")));
            }
            Ok(text)
        })
    }

    /// What is asked of a seat, as in its letters; with the questions that nothing waits for if `all`.
    ///
    /// # Errors
    /// [`Trouble`] when the game cannot be opened.
    pub fn asks(&mut self, game: &str, seat: Seat, all: bool) -> Result<String, Trouble> {
        self.with_desk(game, |_, desk| {
            let listed = desk.questions(seat)?;
            let urgent = listed.iter().any(|listed| listed.asked.urgent && !listed.asked.required);
            let (asked, open) = letters::shown(&listed, &desk.seats);
            let more = open.iter().filter(|question| all || urgent && !question.rows.is_empty());
            Ok(asked.iter().chain(more).map(in_words).collect())
        })
    }

    /// The words of all that a seat could answer now, for completion.
    ///
    /// # Errors
    /// [`Trouble`] when the game cannot be opened.
    pub fn answers(&mut self, game: &str, seat: Seat) -> Result<Vec<String>, Trouble> {
        self.with_desk(game, |_, desk| {
            let listed = desk.questions(seat)?;
            Ok(listed.iter().flat_map(|q| &q.choices).map(|choice| desk.seats.named(&choice.words)).collect())
        })
    }

    /// What a seat is called.
    ///
    /// # Errors
    /// [`Trouble`] when the game cannot be opened.
    pub fn called(&mut self, game: &str, seat: Seat) -> Result<String, Trouble> {
        self.with_desk(game, |_, desk| Ok(desk.seats.called(seat)))
    }
}

/// A question with its options; `1a` orders the first option of the first question.
fn in_words(question: &Question) -> String {
    let rule = if question.rule == "-" { String::new() } else { format!(" (rule {})", question.rule) };
    let mut text = fill(&capital(&format!("{}. {}{rule}", question.no, question.title)), "  ", "     ") + "\n";
    for line in &question.lines {
        text += &format!("{}\n", fill(line, "     ", "     "));
    }
    let width = question.rows.iter().map(|row| row.words.chars().count()).max().unwrap_or(0).min(WIDTH / 2);
    for row in &question.rows {
        let note = if row.note.is_empty() { String::new() } else { format!("  ({})", row.note) };
        let line = format!("{:width$}{note}", row.words);
        text += &format!("{}\n", fill(line.trim_end(), &format!("     {:<3}", row.letter), "          "));
    }
    if question.more > 0 || !question.complete {
        text += "     … and more can be ordered than is listed\n";
    }
    text
}
