//! The pages of a host: the list of its games, and what only the host may see.

use super::{PageFault, Waits, html::environment};
use minijinja::{Value, context, value::Serde};
use postrider_letters::capital;
use postrider_orders::visible;
use postrider_store::{GameStatus, Undelivered};
use serde::Serialize;

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The game's id.
    pub game: String,
    /// The ruleset's title.
    pub title: String,
    /// The label of the current moment, or the outcome.
    pub moment: String,
    /// `true` if the game is over.
    pub over: bool,
    /// The players that the game waits for.
    pub awaited: Vec<Waits>,
    /// The number of seats that anyone may take by mail.
    pub open_seats: usize,
    /// The reason why the game cannot be opened; "" if it can.
    pub fault: String,
}

impl Row {
    /// Returns the row of a game. Players are called by their names if `named`, else by their
    /// seats.
    #[must_use]
    pub fn of(game: &str, title: &str, status: &GameStatus, named: bool) -> Row {
        // An outcome is a sentence with names.
        let outcome = status.outcome.clone().filter(|_| named && status.closed);
        Row {
            game: game.to_owned(),
            title: title.to_owned(),
            moment: outcome.unwrap_or_else(|| capital(&status.moment)),
            over: status.closed,
            awaited: Waits::of(status, named),
            open_seats: status.open_seats,
            fault: String::new(),
        }
    }

    /// Returns the row of a game that cannot be opened.
    #[must_use]
    pub fn unopened(game: &str, fault: String) -> Row {
        let (title, moment) = Default::default();
        Row { game: game.to_owned(), title, moment, over: false, awaited: Vec::new(), open_seats: 0, fault }
    }
}

/// The information that only the host may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostView {
    /// The state of the process, as text.
    pub state: String,
    /// The letters that did not arrive.
    pub undelivered: Vec<Undelivered>,
    /// The mails that could not be handled.
    pub poisoned: Vec<Undelivered>,
}

/// Returns the page with the games of a host of this name and address, those that are under way
/// first; with `view` the host's own.
///
/// # Errors
/// Returns a [`PageFault`] if the built-in template is faulty.
pub fn list((name, address): (&str, &str), rows: &[Row], view: Option<&HostView>) -> Result<String, PageFault> {
    let mut env = environment()?;
    env.add_template("site.html", include_str!("site.html"))?;
    let (over, open): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.over);
    let failed = |all: &[Undelivered]| -> Vec<_> {
        all.iter().map(|one| (visible(&one.unique).into_owned(), visible(&one.why).into_owned())).collect()
    };
    Ok(env.get_template("site.html")?.render(context! {
        name,
        address,
        open => Value::from(Serde(serde_json::to_value(open)?)),
        over => Value::from(Serde(serde_json::to_value(over)?)),
        host => view.map(|view| context! {
            state => visible(&view.state),
            undelivered => failed(&view.undelivered),
            poisoned => failed(&view.poisoned),
        }),
        style => include_str!("page.css"),
    })?)
}
