//! `postrider tick`: makes good what a crash left undone and sends what lies in the outbox. For a timer.

use super::working::office;
use crate::office::{Trouble, send};
use std::path::Path;

/// The arguments of `tick`.
#[derive(clap::Args, Debug)]
pub struct Tick {}

/// Runs the command.
pub fn run(_: &Tick, root: &Path) -> Result<String, Trouble> {
    let mut office = office(root)?;
    let mut said = String::new();
    for game in office.host().games()? {
        // One game that cannot be opened must not keep the others waiting.
        if let Err(why) = office.open_game(&game) {
            said.push_str(&format!("{game}: {why}\n"));
        }
    }
    office.clear_desk();
    let sent = send(office.host())?;
    said.push_str(&format!("{} mails sent\n", sent.sent));
    if sent.waiting.0 > 0 {
        said.push_str(&format!("{} mails wait: {}\n", sent.waiting.0, sent.waiting.1));
    }
    for (mail, why) in &sent.refused {
        said.push_str(&format!("{mail} was refused for good and lies in mail/refused: {why}\n"));
    }
    Ok(said)
}
