//! `postrider export`: writes a game as one file, to play from or to look back with.

use super::{CliError, Files, Output, look::look_with, working::office};
use fs_err as fs;
use postrider_letters::Letters;
use postrider_page::{Page, PageFault, Reader, Record};
use postrider_store::Host;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct Export {
    /// The id of a game of this host, or the beginning of it; or a journal file
    #[arg(value_name = "GAME|FILE")]
    game: String,
    /// As this seat sees it, with its possible orders; by default as a spectator
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The file to write: one HTML page that needs no server and no network
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: &Export, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.game)?;
    let mut record = Record::default();
    let seen = look_with(&found, &files.shelf_for(&found)?, None, &mut [&mut record])?;
    let seat = args.seat.as_deref().map(|name| seen.seat(name)).transpose()?;
    let answer = match seat {
        // A journal alone does not contain the players.
        Some(seat) if found.secrets.is_some() && !seen.live.closed => {
            office(files.root())?.terminal(&seen.live.game).answer_to(seat)?
        }
        _ => None,
    };
    let broken = |why: PageFault| CliError::Broken(why.to_string());
    let host = Host::look(files.root())?;
    let mut letters = Letters::load(&host)?;
    letters.add_view(&host, seen.live.opened.ruleset)?;
    let reader = Reader {
        seat,
        players: &seen.seats,
        letters: &letters,
        record: &record,
        answer,
        deadlines: None,
        proposals: Vec::new(),
        note: seen.note.clone(),
    };
    let page = Page::of(&seen.live, reader).map_err(broken)?;
    let html = page.html().map_err(broken)?;
    fs::write(&args.output, &html)?;
    let mut text = format!("{} has {} bytes.\n", args.output.display(), html.len());
    if let Some(note) = &seen.note {
        text += &format!("({note})\n");
    }
    Ok(text.into())
}
