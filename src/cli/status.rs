//! `postrider status`: lists all or some games of a host.

use super::{CliError, Files, Output, look::look};
use chrono::{DateTime, Utc};
use postrider_orders::list_and;
use postrider_replay::{Catalog, Deadline};
use postrider_store::{GameStatus, Host, Listed, Undelivered, is_host};
use postrider_table::Seat;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The arguments of `status`.
#[derive(clap::Args, Debug)]
pub struct Status {
    /// A game's id, or its beginning; without it all games are listed
    game: Option<String>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. The status of a game is taken from the index if that is up to date; otherwise
/// it is rebuilt from the journal, without updating the index. A game that cannot be replayed is
/// listed with the reason, and does not prevent the others from being shown.
pub fn run(args: &Status, files: &Files, verbose: bool) -> Result<Output, CliError> {
    is_host(files.root())?;
    let host = Host::look(files.root())?;
    let opened = files.store(&host)?;
    let store = opened.as_store();
    // Looking must not create folders.
    let filed = !host.keeps_files() || host.root().join("mail").join("refused").is_dir();
    let undelivered = if filed { store.undelivered()? } else { Vec::new() };
    let mut catalog = None;
    let (mut rows, mut text) = (Vec::new(), String::new());
    let wanted = |game: &str| args.game.as_ref().is_none_or(|begins| game.starts_with(begins.as_str()));
    for Listed { game, status } in store.listed()?.into_iter().filter(|one| wanted(&one.game)) {
        let status = match status {
            Some(status) => Ok(status),
            None => rebuilt(&game, files, &mut catalog),
        };
        match status {
            Ok(status) => {
                text += &line(&game, &status);
                let begins = format!("{game}.");
                let mine = undelivered.iter().filter(|one| one.unique.starts_with(&begins));
                let lost: Vec<&Undelivered> = mine.collect();
                text += &not_arrived(&game, &lost);
                rows.push(row(&game, &status, &lost));
            }
            Err(why) => {
                text += &format!("{game}: {why}\n");
                rows.push(json!({ "game": game, "fault": why.to_string() }));
            }
        }
    }
    if let Some(game) = args.game.as_ref().filter(|_| rows.is_empty()) {
        // Fails with the reason why there is no such game.
        files.find(game)?;
    }
    if args.json {
        return Output::json(&rows);
    }
    if text.is_empty() && verbose {
        text += "There is no game here yet.\n";
    }
    Ok(text.into())
}

/// Returns the status of a game from its journal.
fn rebuilt(game: &str, files: &Files, catalog: &mut Option<Catalog>) -> Result<GameStatus, CliError> {
    let catalog = match catalog {
        Some(catalog) => catalog,
        none => none.insert(files.catalog()?),
    };
    let mut seen = look(&files.find(game)?, catalog, None)?;
    GameStatus::of(&mut seen.live, &seen.seats).map_err(|why| CliError::Broken(why.to_string()))
}

fn line(game: &str, status: &GameStatus) -> String {
    let time = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M UTC");
    let clock = match status.deadlines.iter().map(|(_, deadline)| *deadline).min() {
        Some(Deadline::Until(until)) => format!(" until {}", time(until)),
        Some(Deadline::Expired(until)) => format!(", overdue since {}", time(until)),
        Some(Deadline::Paused(_)) => ", paused".to_owned(),
        None => String::new(),
    };
    let end = match (status.closed, status.awaited.as_slice()) {
        (true, _) => status.outcome.as_ref().map_or("over".to_owned(), |outcome| format!("over: {outcome}")),
        (false, []) => String::new(),
        (false, awaited) => {
            let names: Vec<String> = awaited.iter().map(|one| one.called.clone()).collect();
            format!("waiting for {}{clock}", list_and(&names))
        }
    };
    let GameStatus { ruleset, moment, lines, .. } = status;
    let text = format!("{game}: {ruleset}, {moment}, {lines} {}, {end}", if *lines == 1 { "line" } else { "lines" });
    format!("{}\n", text.trim_end_matches([' ', ',']))
}

/// Formats a line for each seat with undelivered letters.
fn not_arrived(game: &str, lost: &[&Undelivered]) -> String {
    let mut seats: BTreeMap<&str, Vec<&Undelivered>> = BTreeMap::new();
    for one in lost {
        let seat = one.unique.split('.').nth(1).unwrap_or_default();
        seats.entry(seat).or_default().push(one);
    }
    let line = |(seat, lost): (&str, Vec<&Undelivered>)| {
        let letters = if lost.len() == 1 { "a letter".to_owned() } else { format!("{} letters", lost.len()) };
        let why = lost.last().map(|one| one.why.as_str()).unwrap_or_default();
        // Letters to the host do not have a seat.
        match Seat::from_letter(seat) {
            None if seat == "watch" => format!(
                "{game}: {letters} to somebody who watches did not arrive: {why}; `postrider watch {game}` lists who does, with \
                 --address and --end it ends\n"
            ),
            None => format!("{game}: {letters} to the host did not arrive: {why}\n"),
            Some(seat) => format!(
                "{game}: {letters} to seat {seat} did not arrive: {why}; `postrider resend {game} {seat}` writes again\n"
            ),
        }
    };
    seats.into_iter().map(line).collect()
}

fn row(game: &str, status: &GameStatus, lost: &[&Undelivered]) -> Value {
    let waits: Vec<&str> = status.awaited.iter().map(|one| one.seat.as_str()).collect();
    let mut row = json!({
        "game": game, "ruleset": status.ruleset, "moment": status.moment, "lines": status.lines,
        "closed": status.closed, "waits_for": waits,
    });
    if let Some(outcome) = &status.outcome {
        row["outcome"] = outcome.clone().into();
    }
    if !lost.is_empty() {
        row["undelivered"] = lost.iter().map(|one| json!({ "letter": one.unique, "why": one.why })).collect();
    }
    if let Some(paused) = status.paused {
        let one = |(seat, deadline): &(String, Deadline)| json!({ "seat": seat, "deadline": deadline });
        row["paused"] = paused.into();
        row["deadlines"] = status.deadlines.iter().map(one).collect();
    }
    row
}
