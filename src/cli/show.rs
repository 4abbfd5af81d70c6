//! `postrider show`: prints a position as seen by a seat or a spectator.

use super::{
    CliError, Files, Output, bold,
    look::{At, Looked, look_with, undone},
};
use postrider_analysis::{Interventions, interventions_in_words};
use postrider_letters::{Letters, View, text};
use postrider_orders::capital;
use postrider_replay::LiveGame;
use postrider_store::{Host, Players};
use postrider_table::{Rejected, Seat};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(clap::Args, Debug)]
pub struct Show {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// As this seat sees it; by default as a spectator
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    #[command(flatten)]
    at: At,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Show, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    let catalog = files.shelf_for(&found)?;
    let moment = args.at.moment(&found, &catalog)?;
    let n = moment.as_ref().map(|moment| moment.n);
    let undone = n.map(|n| undone(&found, n)).transpose()?.flatten();
    let mut interventions = Interventions::default();
    let mut seen = look_with(&found, &catalog, n, &mut [&mut interventions])?;
    let interventions = interventions.among(&seen.seats);
    let passed = moment.as_ref().is_some_and(|moment| moment.within.is_some());
    let begins = moment.and_then(|moment| moment.begins);
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let moment = begins.as_ref().map_or_else(|| seen.moment().to_owned(), |mark| mark.label.clone());
    let Looked { live, seats, note } = &mut seen;
    let n = begins.as_ref().map_or(live.head.n, |mark| mark.n);
    let at_its_beginning = begins.map(|mark| live.view_at(&mark, seat)).transpose()?.flatten();
    let broken = |why: Rejected| CliError::Broken(why.to_string());
    let (mut view, asked) = match &live.dyn_game {
        Some(dyn_game) => (dyn_game.view(seat).map_err(broken)?, dyn_game.asked().map_err(broken)?),
        None => (json!({}), Vec::new()),
    };
    view = at_its_beginning.unwrap_or(view);
    // Nobody is waited for before the dice of a Round have fallen, or when a motion has ended the game.
    let asked = if passed || live.closed { Vec::new() } else { asked };
    let title = live.opened.ruleset.title();
    let awaited: BTreeSet<Seat> = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat).collect();
    let waits: Vec<&str> = awaited.iter().map(|&seat| live.seat_name(seat)).collect();
    if args.json {
        let seat = seat.map_or("", |seat| live.seat_name(seat));
        seats.name_all(&mut view);
        let mut shown = json!({
            "game": live.game, "line": n + 1, "entry": n, "moment": moment, "seat": seat, "waits_for": waits,
            "closed": live.closed, "view": view, "interventions": interventions,
        });
        if let Some(ended) = live.motions.ended() {
            shown["ended"] = json!(ended);
        }
        if let Some(undone) = undone {
            shown["undone"] = undone.into();
        }
        if let Some(note) = note {
            shown["note"] = note.as_str().into();
        }
        return Output::json(&shown);
    }
    let whose = seat.map(|seat| format!(", as {} sees it", seats.called(seat))).unwrap_or_default();
    let mut text = format!("{}\n\n", bold(&format!("{title} {}: {moment} (entry {n}){whose}", live.game)));
    if let Some(undone) = undone {
        text += &format!("{}; what is shown here no longer counts.\n\n", capital(&undone));
    }
    if live.dyn_game.is_none() {
        if let Some(note) = note {
            return Ok((text + &format!("({note})\n")).into());
        }
        let missing = live.joined.iter().zip((0..).map(Seat)).filter(|(joined, _)| joined.is_none());
        text += "There is no position yet: the game begins when all have joined.\n";
        let missing: BTreeSet<Seat> = missing.map(|(_, seat)| seat).collect();
        if !missing.is_empty() {
            text += &format!("Waiting for {}.\n", called(seats, &missing));
        }
        return Ok(text.into());
    }
    text += &in_words(files, live, seats, view)?;
    text += &standing(live, seats, &awaited);
    if !interventions.is_empty() {
        text += &format!("\n{}", text::render(&[interventions_in_words(&interventions)]));
    }
    if let Some(note) = note {
        text += &format!("\n({note})\n");
    }
    Ok(text.into())
}

/// Describes the end of the game, or names the players for whom it waits.
fn standing(live: &LiveGame, seats: &Players, awaited: &BTreeSet<Seat>) -> String {
    match (live.closed, live.outcome()) {
        (true, Some(outcome)) => format!("\nThe game is over. {}\n", outcome.in_words(|seat| seats.called(seat))),
        (true, None) => "\nThe game is over.\n".to_owned(),
        (false, _) if awaited.is_empty() => String::new(),
        (false, _) => format!("\nWaiting for {}.\n", called(seats, awaited)),
    }
}

/// Lists the names of seats.
pub(super) fn called(seats: &Players, some: &BTreeSet<Seat>) -> String {
    let names: Vec<String> = some.iter().map(|&seat| seats.called(seat)).collect();
    postrider_orders::list_and(&names)
}

/// Renders the view as in mails, with the host's own templates if any. A game without a template is
/// shown as JSON.
fn in_words(files: &Files, live: &LiveGame, seats: &Players, mut view: Value) -> Result<String, CliError> {
    let host = Host::look(files.root())?;
    let mut letters = Letters::load(&host)?;
    letters.add_view(&host, live.opened.ruleset)?;
    let blocks = letters.view(live.opened.ruleset, &View::of(view.clone(), seats))?;
    seats.name_all(&mut view);
    match blocks.is_empty() {
        true => Output::json(&view).map(|said| said.text),
        false => Ok(text::render(&blocks)),
    }
}
