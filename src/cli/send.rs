//! `postrider send`: sends the letters in the outbox, and does nothing else.

use super::{CliError, Output, exit::TRY_AGAIN, working::office};
use postrider_store::send;
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Send {}

/// Runs the command.
pub fn run(_: &Send, root: &Path) -> Result<Output, CliError> {
    let office = office(root)?;
    let sent = send(office.host(), office.store())?;
    let (waiting, why) = &sent.waiting;
    let mut text = String::new();
    if *waiting > 0 {
        text += &format!("{waiting} {} waiting: {why}\n", if *waiting == 1 { "mail is" } else { "mails are" });
    }
    for (mail, why) in &sent.refused {
        text += &format!("{mail} was refused for good and is in mail/refused: {why}\n");
    }
    Ok(Output { text, status: if *waiting > 0 { TRY_AGAIN } else { 0 }, ..Output::default() })
}
