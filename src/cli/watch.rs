//! `postrider watch`: lets a spectator follow a game by mail.

use super::{
    CliError, Output,
    working::{at, send_waiting},
};
use postrider_office::NewWatcher;
use postrider_orders::visible;
use postrider_store::{Digest, Watcher};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Watch {
    /// The game's id, or the beginning of it
    game: String,
    /// The watcher's mail address; without it, the watchers are listed
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// The watcher's name
    #[arg(long, value_name = "NAME", requires = "address")]
    name: Option<String>,
    /// How often the watcher gets a mail: daily, round or turn
    #[arg(long, value_name = "WHEN", requires = "address", value_parser = digest)]
    digest: Option<Digest>,
    /// The watcher's time zone, such as America/Denver
    #[arg(long, value_name = "ZONE", requires = "address")]
    zone: Option<String>,
    /// Remove the watcher
    #[arg(long, requires = "address", conflicts_with_all = ["name", "digest", "zone"])]
    end: bool,
}

fn digest(text: &str) -> Result<Digest, String> {
    text.parse().map_err(|()| "it must be daily, round or turn".to_owned())
}

/// Runs the command.
pub fn run(args: &Watch, root: &Path) -> Result<Output, CliError> {
    let (mut office, game) = at(root, &args.game)?;
    let Some(address) = &args.address else {
        let line = |one: &Watcher| {
            let asked = if one.confirmed { "" } else { ", asked and not answered yet" };
            format!("{} <{}>: {}{asked}\n", visible(&one.name), one.address, one.digest.words())
        };
        return Ok(office.terminal(&game).watchers()?.iter().map(line).collect::<String>().into());
    };
    if args.end {
        office.unwatch(&game, address)?;
        return Ok(Output::default());
    }
    let watcher =
        NewWatcher { address: address.clone(), name: args.name.clone(), digest: args.digest, zone: args.zone.clone() };
    office.watch(&game, &watcher)?;
    send_waiting(&office);
    Ok(Output::default())
}
