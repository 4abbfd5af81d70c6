//! `postrider games`: what can be played.

use super::{CliError, Output};
use crate::games::{ruleset, rulesets};
use serde_json::json;

/// The arguments of `games`.
#[derive(clap::Args, Debug)]
pub struct Games {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<About>,
}

#[derive(clap::Subcommand, Debug)]
enum About {
    /// Print a game's built-in components: map, cards, counters
    Components {
        /// The game, as `postrider games` names it
        name: String,
        /// As the component file itself, to be changed and given to `new`
        #[arg(long)]
        toml: bool,
    },
}

/// Runs the command.
pub fn run(args: &Games) -> Result<Output, CliError> {
    if let Some(About::Components { name, toml }) = &args.command {
        let found = ruleset(name).ok_or_else(|| CliError::Usage(format!("there is no game called \"{name}\"")))?;
        let text = found.components();
        return match toml {
            true => Ok(text.to_owned().into()),
            false => {
                found.print_components(text, name).map(Output::from).map_err(|why| CliError::Broken(why.to_string()))
            }
        };
    }
    if args.json {
        let row = |r: &&dyn crate::table::Ruleset| {
            json!({
                "name": r.name(), "title": r.title(), "version": r.version(), "scenarios": r.scenarios(),
                "seats": [r.seats().start(), r.seats().end()], "decks": r.decks(),
                "options": r.options().iter().map(|o| json!({ "name": o.name, "about": o.about })).collect::<Vec<_>>(),
            })
        };
        return Output::json(&rulesets().iter().map(row).collect::<Vec<_>>());
    }
    let row = |r: &&dyn crate::table::Ruleset| {
        let (seats, scenarios) = (r.seats(), r.scenarios().join(", "));
        let players = format!("{} to {} players", seats.start(), seats.end());
        let options: String =
            r.options().iter().map(|o| format!("  --option {}=true  {}\n", o.name, o.about)).collect();
        let line =
            format!("{}: {}, {players}; scenarios: {scenarios}; rules version {}\n", r.name(), r.title(), r.version());
        line + &options
    };
    Ok(rulesets().iter().map(row).collect::<String>().into())
}
