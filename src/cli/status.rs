//! `postrider status`: the games of a host.

use super::{CliError, Files, Said, look::look, show::called};
use crate::{office::Deadline, table::Seat};
use serde_json::json;
use std::collections::BTreeSet;

/// The arguments of `status`.
#[derive(clap::Args, Debug)]
pub struct Status {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. A game that cannot be replayed is listed with the reason; it keeps no other from being shown.
pub fn run(args: &Status, files: &Files) -> Result<Said, CliError> {
    let shelf = files.shelf()?;
    let (mut rows, mut text) = (Vec::new(), String::new());
    for game in files.games()? {
        let seen = files.find(&game).and_then(|found| look(&found, &shelf, None));
        let mut seen = match seen {
            Ok(seen) => seen,
            Err(why) => {
                text += &format!("{game}: {why}\n");
                rows.push(json!({ "game": game, "fault": why.to_string() }));
                continue;
            }
        };
        let moment = seen.moment().to_owned();
        let running = &mut seen.running;
        let asked = running.hosted.as_mut().and_then(|hosted| hosted.asked().ok()).unwrap_or_default();
        // Before the game begins it waits for those who have not joined.
        let awaited: BTreeSet<Seat> = match running.started.is_some() {
            true => asked.iter().filter(|asked| asked.required).map(|asked| asked.seat).collect(),
            false => {
                (0..).map(Seat).zip(&running.joined).filter(|(_, joined)| joined.is_none()).map(|(s, _)| s).collect()
            }
        };
        let deadlines = || {
            asked
                .iter()
                .filter(|asked| asked.required)
                .filter_map(|asked| Some((asked.seat, running.deadlines.deadline(asked.id)?)))
        };
        let clock = match deadlines().map(|(_, deadline)| deadline).min() {
            Some(Deadline::Until(until)) => format!(" until {}", until.format("%Y-%m-%d %H:%M UTC")),
            Some(Deadline::Expired(until)) => format!(", overdue since {}", until.format("%Y-%m-%d %H:%M UTC")),
            Some(Deadline::Paused(_)) => ", paused".to_owned(),
            None => String::new(),
        };
        let waits: Vec<&str> = awaited.iter().map(|&seat| running.seat_name(seat)).collect();
        let end = match (running.closed, waits.as_slice()) {
            (true, _) => "over".to_owned(),
            (false, []) => String::new(),
            (false, _) => format!("waiting for {}{clock}", called(&seen.seats, &awaited)),
        };
        let (name, lines) = (running.opened.ruleset.name(), running.head.n + 1);
        text += format!("{game}: {name}, {moment}, {lines} {}, {end}", if lines == 1 { "line" } else { "lines" })
            .trim_end_matches([' ', ',']);
        text.push('\n');
        let mut row = json!({
            "game": game, "ruleset": name, "moment": moment, "lines": lines, "closed": running.closed,
            "waits_for": waits,
        });
        if running.deadlines.terms().is_some() {
            let one = |(seat, deadline)| json!({ "seat": running.seat_name(seat), "deadline": deadline });
            row["paused"] = running.deadlines.paused().into();
            row["deadlines"] = deadlines().map(one).collect();
        }
        rows.push(row);
    }
    if args.json {
        return Said::json(&rows);
    }
    if text.is_empty() {
        text += "There is no game here yet.\n";
    }
    Ok(text.into())
}
