//! `postrider status`: lists all or some games of a host.

use super::{
    CliError, Files, Output, bold,
    files::Found,
    look::{Looked, lines_of, look, look_with},
    terminal::{Tone, toned},
};
use chrono::{DateTime, Utc};
use postrider_orders::list_and;
use postrider_replay::{Catalog, Deadline, facts::Facts};
use postrider_store::{GameStatus, Host, Listed, Undelivered, is_host};
use postrider_table::{Outcome, Rejected, Seat, Whom, vps};
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

#[derive(clap::Args, Debug)]
pub struct Status {
    /// A game, for its open questions, rulings and final places, or a journal file; by default all
    /// games are listed
    #[arg(value_name = "GAME|FILE")]
    game: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. The status of a game is taken from the index if that is up to date; otherwise
/// it is rebuilt from the journal, without updating the index. A game that cannot be replayed is
/// listed with the reason, and does not prevent the others from being shown.
pub fn run(args: &Status, files: &Files, verbose: bool) -> Result<Output, CliError> {
    if let Some(file) = args.game.as_deref().filter(|game| Path::new(game).is_file()) {
        return of_file(file, args, files);
    }
    is_host(files.root())?;
    let host = Host::look(files.root())?;
    let opened = files.store(&host)?;
    let store = opened.as_store();
    // Looking must not create folders.
    let filed = !host.keeps_files() || host.root().join("mail").join("refused").is_dir();
    let undelivered = if filed { store.undelivered()? } else { Vec::new() };
    let mut catalog = None;
    let (mut rows, mut text) = (Vec::new(), String::new());
    let mut listed = store.listed()?;
    if let Some(name) = &args.game {
        let exact = listed.iter().any(|one| one.game == *name);
        let begins = name.to_lowercase();
        listed.retain(|one| if exact { one.game == *name } else { one.game.starts_with(&begins) });
    }
    let one = args.game.is_some() && listed.len() == 1;
    for Listed { game, status } in listed {
        let status = match status {
            Some(status) => Ok((status, None)),
            None => rebuilt(&game, files, &mut catalog),
        };
        match status {
            Ok((status, note)) => {
                text += &line(&game, &status);
                text += &note.iter().map(|note| format!("  {note}\n")).collect::<String>();
                let begins = format!("{game}.");
                let mine = undelivered.iter().filter(|one| one.unique.starts_with(&begins));
                let lost: Vec<&Undelivered> = mine.collect();
                text += &not_arrived(&game, &lost);
                let mut row = row(&game, &status, &lost);
                if let Some(note) = note {
                    row["note"] = json!(note);
                }
                if one {
                    let details = Details::of(&game, files)?;
                    text += &details.in_words();
                    row["details"] = json!(details);
                }
                rows.push(row);
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
        text += "There are no games yet.\n";
    }
    Ok(text.into())
}

/// Returns the status of the game of a journal file.
fn of_file(file: &str, args: &Status, files: &Files) -> Result<Output, CliError> {
    let found = files.find(file)?;
    let seen = look(&found, &files.shelf_for(&found)?, None)?;
    let game = seen.live.game.clone();
    let (status, note) = as_far_as_seen(&found, seen)?;
    let said = note.iter().map(|note| format!("  {note}\n")).collect::<String>();
    let mut row = row(&game, &status, &[]);
    if let Some(note) = note {
        row["note"] = json!(note);
    }
    match args.json {
        true => Output::json(&[row]),
        false => Ok((line(&game, &status) + &said).into()),
    }
}

/// Returns the status of a game from its journal, and why it is that of an earlier entry, if it is.
fn rebuilt(game: &str, files: &Files, catalog: &mut Option<Catalog>) -> Result<(GameStatus, Option<String>), CliError> {
    let catalog = match catalog {
        Some(catalog) => catalog,
        none => none.insert(files.catalog()?),
    };
    let found = files.find(game)?;
    let seen = look(&found, catalog, None)?;
    as_far_as_seen(&found, seen)
}

/// Returns the status of a game from its journal. If the journal could not be replayed to its end,
/// also returns the reason; it is then unknown for whom the game waits.
fn as_far_as_seen(found: &Found, seen: Looked) -> Result<(GameStatus, Option<String>), CliError> {
    let mut status = GameStatus::of(&seen.live, &seen.seats).map_err(|why| CliError::Broken(why.to_string()))?;
    status.lines = lines_of(found)?;
    if seen.live.head.n + 1 < status.lines {
        (status.awaited, status.deadlines) = (Vec::new(), Vec::new());
        if seen.live.dyn_game.is_none() {
            status.moment = "no position is proved".to_owned();
        }
    }
    Ok((status, seen.note))
}

/// The output of `status` about a single game.
#[derive(Serialize)]
struct Details {
    /// The open questions of each player that the game waits for.
    asked: Vec<AskedOf>,
    /// The entry and words of each ruling.
    rulings: Vec<(u64, String)>,
    /// The final place of each seat: rank, player, and result.
    places: Vec<(u32, String, String)>,
    /// The entry and player of each concession, and of each loss of the game by a deadline.
    out: Vec<(u64, String)>,
    /// The players for whom a bot plays, and the bot.
    bots: Vec<(String, String)>,
}

/// The open questions of a player.
#[derive(Serialize)]
struct AskedOf {
    player: String,
    questions: Vec<String>,
    /// The time of the oldest question, if the game has deadlines.
    since: Option<DateTime<Utc>>,
    deadline: Option<Deadline>,
}

impl Details {
    fn of(game: &str, files: &Files) -> Result<Details, CliError> {
        let found = files.find(game)?;
        let mut facts = Facts::default();
        let mut seen = look_with(&found, &files.shelf_for(&found)?, None, &mut [&mut facts])?;
        let asked = asked(&mut seen)?;
        let Looked { live, seats, .. } = &seen;
        let ruled = |n: u64| {
            let story = live.story.iter().filter(|line| line.n == n && line.told.whom == Whom::All);
            seats.named_at(n, &story.map(|line| &*line.told.line).collect::<Vec<_>>().join(" "))
        };
        let rulings = facts.rulings.iter().map(|&n| (n, ruled(n))).collect();
        let outcome = live.outcome();
        let counted = outcome.as_ref().and_then(Outcome::counted);
        let places = outcome.iter().flat_map(Outcome::ranking).map(|one| {
            let result = counted.map_or_else(String::new, |counted| {
                if counted.name == "VPs" { vps(one.points) } else { format!("{} {}", one.points, counted.name) }
            });
            (one.rank, seats.called(one.seat), result)
        });
        let all = || (0..).map(Seat).take(live.opened.seats.len());
        let stand_in = |seat: Seat| live.motions.bots().stand_in(live.seat_name(seat));
        let bot = |seat| stand_in(seat).or_else(|| seats.player(seat)?.bot());
        let bots = all().filter_map(|seat| Some((seats.called(seat), bot(seat)?.to_owned()))).collect();
        let out = live.motions.conceded_after(0).filter_map(|(n, seat)| Some((n, seats.called(live.seat(seat)?))));
        Ok(Details { asked, rulings, places: places.collect(), out: out.collect(), bots })
    }

    fn in_words(&self) -> String {
        let mut text = String::new();
        for AskedOf { player, questions, since, deadline } in &self.asked {
            let since = since.map(|since| format!(" since {}", time(since))).unwrap_or_default();
            let late = match deadline {
                Some(Deadline::Expired(until)) => toned(Tone::Bad, &format!(" (overdue since {})", time(*until))),
                _ => String::new(),
            };
            text += &format!("  {player} is asked{since}: {}{late}\n", questions.join("; "));
        }
        for (rank, player, result) in &self.places {
            text += &format!("  {rank}. {player}  {result}\n");
        }
        for (player, bot) in &self.bots {
            text += &format!("  the bot {bot} plays for {player}\n");
        }
        for (n, player) in &self.out {
            text += &format!("  {player} is out of the game since entry {n}\n");
        }
        for (n, ruling) in &self.rulings {
            text += &format!("  ruling, entry {n}: {ruling}\n");
        }
        text
    }
}

/// Returns the required questions by player.
fn asked(seen: &mut Looked) -> Result<Vec<AskedOf>, CliError> {
    let Looked { live, seats, .. } = seen;
    let Some(dyn_game) = live.dyn_game.as_ref().filter(|_| !live.closed) else { return Ok(Vec::new()) };
    let broken = |why: Rejected| CliError::Broken(why.to_string());
    let mut all: Vec<(Seat, AskedOf)> = Vec::new();
    for one in dyn_game.asked().map_err(broken)?.into_iter().filter(|one| one.required) {
        let title =
            dyn_game.listed(one.id).map_err(broken)?.map_or_else(String::new, |listed| listed.text.title.to_string());
        let (since, deadline) = (live.deadlines.asked_since(one.id), live.deadlines.deadline(one.id));
        match all.iter_mut().find(|(seat, _)| *seat == one.seat) {
            Some((_, of)) => of.questions.push(seats.named(&title)),
            None => {
                let (player, questions) = (seats.called(one.seat), vec![seats.named(&title)]);
                all.push((one.seat, AskedOf { player, questions, since, deadline }));
            }
        }
    }
    Ok(all.into_iter().map(|(_, asked)| asked).collect())
}

fn time(at: DateTime<Utc>) -> impl std::fmt::Display {
    at.format("%Y-%m-%d %H:%M UTC")
}

fn line(game: &str, status: &GameStatus) -> String {
    let clock = match status.deadlines.iter().map(|(_, deadline)| *deadline).min() {
        Some(Deadline::Until(until)) => format!(" until {}", time(until)),
        Some(Deadline::Expired(until)) => toned(Tone::Bad, &format!(", overdue since {}", time(until))),
        Some(Deadline::Paused(_)) => ", paused".to_owned(),
        None => String::new(),
    };
    let end = match (status.closed, status.awaited.as_slice()) {
        (true, _) => {
            let outcome = status.outcome.as_ref().map_or("over".to_owned(), |outcome| format!("over: {outcome}"));
            toned(Tone::Good, &outcome)
        }
        (false, []) => String::new(),
        (false, awaited) => {
            let names: Vec<String> = awaited.iter().map(|one| one.called.clone()).collect();
            format!("waiting for {}{clock}", list_and(&names))
        }
    };
    let GameStatus { ruleset, moment, lines, .. } = status;
    let (game, word) = (bold(game), if *lines == 1 { "line" } else { "lines" });
    let text = format!("{game}: {ruleset}, {moment}, {lines} {word}, {end}");
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
                "{game}: {letters} to a watcher did not arrive: {why}; `postrider watch {game}` lists watchers, and removes one with --address and \
                 --end\n"
            ),
            None => format!("{game}: {letters} to the host did not arrive: {why}\n"),
            Some(seat) => format!(
                "{game}: {letters} to seat {seat} did not arrive: {why}; `postrider resend {game} {seat}` writes again\n"
            ),
        }
    };
    seats.into_iter().map(line).map(|line| toned(Tone::Bad, line.trim_end()) + "\n").collect()
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
    if let Some(ended) = &status.ended {
        row["ended"] = json!(ended);
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
