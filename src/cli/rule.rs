//! `postrider rule`: gives a director's ruling.

use super::{
    CliError, Output,
    number::any,
    working::{at, send_waiting},
};
use postrider_office::{OfficeError, Ruled, RulingGiven, RulingTried, effect};
use serde_json::{Map, Value};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct Rule {
    /// The game's id, or the beginning of it
    game: String,
    /// The ruling in words and its reason, for all players
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// A change of the position, "NAME: MEMBER=VALUE, MEMBER=VALUE" or JSON; by default none
    #[arg(long, value_name = "EFFECT")]
    effect: Option<String>,
    /// The entry of the appeal that this ruling answers
    #[arg(long, value_name = "N", value_parser = any)]
    answers: Option<u64>,
    /// The director who decided this; the host, in a game without directors
    #[arg(long, value_name = "NAME", default_value = "host")]
    by: String,
    /// Only say what would change
    #[arg(long)]
    dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Rule, root: &Path) -> Result<Output, CliError> {
    let effect = match &args.effect {
        Some(text) => effect(text).map_err(OfficeError::from)?,
        None => Value::Object(Map::new()),
    };
    let (mut office, game) = at(root, &args.game)?;
    let given = RulingGiven { by: args.by.clone(), text: args.reason.clone(), effect, of: args.answers };
    if args.dry_run {
        let tried = office.directing(&game).try_ruling(&given)?;
        return if args.json { Output::json(&tried) } else { Ok(would_be(&tried).into()) };
    }
    let ruled = office.directing(&game).rule(&given)?;
    send_waiting(&office);
    if args.json {
        return Output::json(&ruled);
    }
    Ok(format!("{}\nAll players are told by mail.\n", told(&ruled)).into())
}

/// Formats a ruling as told to everyone, with its entry.
pub(super) fn told(ruled: &Ruled) -> String {
    format!("entry {}: {}", ruled.n, ruled.told.join(" "))
}

/// Formats a ruling that was only tried, with the changes it would make.
fn would_be(tried: &RulingTried) -> String {
    let mut text = format!("would be entry {}: {}\n", tried.n, tried.told.join(" "));
    text += match tried.changes.is_empty() {
        true => "\nThe position, as everybody sees it, would stay as it is.\n",
        false => "\nThe position, as everybody sees it, would change in these lines (- now, + then):\n",
    };
    for line in &tried.changes {
        text += &format!("{}\n", line.trim_end());
    }
    text + "\nNothing was done.\n"
}
