//! Taking mails and orders in: whose they are, what they say, what becomes of them.

mod addresses;
mod admission;
mod answered;
mod barred;
mod carry_out;
mod context;
mod draft;
mod fulfil;
mod help;
mod hold;
mod inbox;
mod join;
mod press;
mod preview;
mod read;
mod reading;
mod request;
mod sheet;
mod standing;
mod trial;
mod turns;
mod waiting;
mod watchers;
mod work;

use self::{
    reading::Line,
    request::{Request, said},
};
use crate::{error::OfficeError, misuse::Misuse, service::Office, services::Services, session::Transaction};
use postrider_dice::Hash;
use postrider_letters::{Letter, View, text};
use postrider_mail::Incoming;
use postrider_table::{PromptId, Seat};

/// What became of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was filed in `mail/refused` and is not answered; the reason is for the host's log.
    Filed(String),
    /// It has been answered before; nothing was done.
    Again,
    /// It reports on a letter of ours: that it did not arrive, or not yet.
    Report {
        /// The letter.
        letter: String,
        /// Whether the mail server has given up.
        failed: bool,
        /// What it says.
        why: String,
    },
    /// It could not be handled, twice, and lies in `mail/poison` with the reason.
    Poison(String),
    /// It could not be taken in for now, and lies where it lay to be tried again; the reason is for the host's log.
    Kept(String),
    /// It was answered: how many of its orders were carried out, and how many there were.
    Answered {
        /// Carried out.
        done: usize,
        /// In all.
        total: usize,
    },
}

/// A mail that was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processed {
    /// The game it was for, where that could be told.
    pub game: Option<String>,
    /// Who wrote it.
    pub seat: Option<Seat>,
    /// What became of it.
    pub outcome: Outcome,
}

/// Where words come from.
pub(crate) enum From<'m> {
    Mail { mail: &'m Incoming, hash: Hash },
    Cli,
}

/// What the token of a mail opens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// A question with this number; orders count as long as it is open.
    Question(PromptId),
    /// A question of play that a rewind has undone, or a letter from before it.
    Undone,
    /// A letter that asked nothing: everything but orders.
    Letterbox,
    /// The host himself.
    Host,
}

impl Office {
    /// Takes orders from the command line, a line each; gives the answer as text, and whether all of them were carried out.
    ///
    /// # Errors
    /// [`OfficeError`]; what was carried out before it is in the journal.
    pub fn order(&mut self, game: &str, seat: Seat, text: &str) -> Result<(String, bool), OfficeError> {
        let line = |(no, text): (usize, &str)| Line { text: text.trim().to_owned(), no, marked: None };
        let mut lines: Vec<Line> = (1..).zip(text.lines()).map(line).collect();
        lines.retain(|line| !line.text.is_empty());
        let requests: Vec<Option<Request>> = lines.iter().map(|line| said(&line.text)).collect();
        let looks = requests.contains(&Some(Request::Preview))
            || requests.iter().all(|request| request.as_ref().is_some_and(Request::only_looks));
        let work = |services: &mut Services, session: &mut Transaction| {
            if seat.index() >= session.live.opened.seats.len() {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            let reply = session.work(services, seat, &lines, &From::Cli, Access::Host)?;
            if !looks {
                session.run_pending(services, None)?;
            }
            let (done, total) = reply.counts();
            let all = looks || reply.refused.is_none() && done == total;
            let view = match &mut session.live.dyn_game {
                Some(dyn_game) if reply.status => {
                    let view = View::of(dyn_game.view(Some(seat))?, &session.seats);
                    services.letters.view(session.live.opened.ruleset, &view)?
                }
                _ => Vec::new(),
            };
            let letter = Letter {
                game: game.to_owned(),
                order_report: reply.order_report,
                notes: reply.notes,
                told: reply.extra,
                view,
                in_full: true,
                ..Letter::default()
            };
            Ok((text::render(&services.letters.spoken(&letter)?), all))
        };
        if looks { self.dry_run(game, work) } else { self.change(game, work) }
    }
}
