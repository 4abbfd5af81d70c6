//! `postrider status`: the games of a host.

use super::{CliError, Files, Output, look::look, show::called};
use crate::{replay::Deadline, table::Seat};
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
pub fn run(args: &Status, files: &Files) -> Result<Output, CliError> {
    let catalog = files.catalog()?;
    let (mut rows, mut text) = (Vec::new(), String::new());
    for game in files.games()? {
        let seen = files.find(&game).and_then(|found| look(&found, &catalog, None));
        let mut seen = match seen {
            Ok(seen) => seen,
            Err(why) => {
                text += &format!("{game}: {why}\n");
                rows.push(json!({ "game": game, "fault": why.to_string() }));
                continue;
            }
        };
        let moment = seen.moment().to_owned();
        let live = &mut seen.live;
        let asked = live.hosted.as_mut().and_then(|hosted| hosted.asked().ok()).unwrap_or_default();
        // Before the game begins it waits for those who have not joined.
        let awaited: BTreeSet<Seat> = match live.started.is_some() {
            true => asked.iter().filter(|asked| asked.required).map(|asked| asked.seat).collect(),
            false => (0..).map(Seat).zip(&live.joined).filter(|(_, joined)| joined.is_none()).map(|(s, _)| s).collect(),
        };
        let deadlines = || {
            asked
                .iter()
                .filter(|asked| asked.required)
                .filter_map(|asked| Some((asked.seat, live.deadlines.deadline(asked.id)?)))
        };
        let clock = match deadlines().map(|(_, deadline)| deadline).min() {
            Some(Deadline::Until(until)) => format!(" until {}", until.format("%Y-%m-%d %H:%M UTC")),
            Some(Deadline::Expired(until)) => format!(", overdue since {}", until.format("%Y-%m-%d %H:%M UTC")),
            Some(Deadline::Paused(_)) => ", paused".to_owned(),
            None => String::new(),
        };
        let waits: Vec<&str> = awaited.iter().map(|&seat| live.seat_name(seat)).collect();
        let end = match (live.closed, waits.as_slice()) {
            (true, _) => "over".to_owned(),
            (false, []) => String::new(),
            (false, _) => format!("waiting for {}{clock}", called(&seen.seats, &awaited)),
        };
        let (name, lines) = (live.opened.ruleset.name(), live.head.n + 1);
        text += format!("{game}: {name}, {moment}, {lines} {}, {end}", if lines == 1 { "line" } else { "lines" })
            .trim_end_matches([' ', ',']);
        text.push('\n');
        let mut row = json!({
            "game": game, "ruleset": name, "moment": moment, "lines": lines, "closed": live.closed,
            "waits_for": waits,
        });
        if live.deadlines.terms().is_some() {
            let one = |(seat, deadline)| json!({ "seat": live.seat_name(seat), "deadline": deadline });
            row["paused"] = live.deadlines.paused().into();
            row["deadlines"] = deadlines().map(one).collect();
        }
        rows.push(row);
    }
    if args.json {
        return Output::json(&rows);
    }
    if text.is_empty() {
        text += "There is no game here yet.\n";
    }
    Ok(text.into())
}
