//! Orders from the command line.

use crate::{
    carry_out,
    error::OfficeError,
    misuse::Misuse,
    reading::{
        Access, Origin,
        request::{Request, said},
        value::Line,
    },
    service::Office,
    services::Services,
    transaction::Transaction,
};
use postrider_letters::{Letter, View, text};
use postrider_table::Seat;

/// Returns `true` if a line of these orders gives the game up.
#[must_use]
pub fn concedes(text: &str) -> bool {
    text.lines().any(|line| said(line.trim()) == Some(Request::Concede))
}

impl Office {
    /// Takes in orders from the command line, one per line. Returns the answer as text, and `true`
    /// if all of them were carried out.
    ///
    /// # Errors
    /// [`OfficeError`]; orders carried out before it are in the journal.
    pub fn order(&mut self, game: &str, seat: Seat, text: &str) -> Result<(String, bool), OfficeError> {
        let line = |(no, text): (usize, &str)| Line { text: text.trim().to_owned(), no, marked: None };
        let mut lines: Vec<Line> = (1..).zip(text.lines()).map(line).collect();
        lines.retain(|line| !line.text.is_empty());
        let requests: Vec<Option<Request>> = lines.iter().map(|line| said(&line.text)).collect();
        let looks = requests.contains(&Some(Request::Preview))
            || requests.iter().all(|request| request.as_ref().is_some_and(Request::only_looks));
        let work = |services: &mut Services, tx: &mut Transaction| {
            if seat.index() >= tx.live.opened.seats.len() {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            }
            let reply = carry_out::take_in_lines(tx, services, seat, &lines, &Origin::Cli, Access::Host)?;
            if !looks {
                tx.follow(services)?;
            }
            let (done, total) = reply.counts();
            let all = looks || reply.refused.is_none() && done == total;
            let view = match &tx.live.dyn_game {
                Some(dyn_game) if reply.status => {
                    let view = View::of(dyn_game.view(Some(seat))?, &tx.seats);
                    services.letters.view(tx.live.opened.ruleset, &view)?
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
