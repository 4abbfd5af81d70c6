//! `postrider games`: lists the games that can be played.

use super::{CliError, Output};
use postrider_games::{ruleset, rulesets};
use postrider_orders::list_and;
use postrider_table::{Ruleset, players};
use serde_json::json;

#[derive(clap::Args, Debug)]
pub struct Games {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print the charts and tables of each rulebook, as `help CHART` does in a game
    #[arg(long, conflicts_with = "json")]
    charts: bool,
    #[command(subcommand)]
    command: Option<About>,
}

#[derive(clap::Subcommand, Debug)]
enum About {
    /// Print a game's built-in components: map, cards, counters
    Components {
        /// The game, as listed by `postrider games`
        name: String,
        /// Print the component file itself, to edit and pass to `new --components`
        #[arg(long)]
        toml: bool,
    },
}

/// Runs the command.
pub fn run(args: &Games) -> Result<Output, CliError> {
    if let Some(About::Components { name, toml }) = &args.command {
        let found = known_rules(name)?;
        let text = found.components();
        return match toml {
            true => Ok(text.to_owned().into()),
            false => {
                found.print_components(text, name).map(Output::from).map_err(|why| CliError::Broken(why.to_string()))
            }
        };
    }
    if args.charts {
        return Ok(rulesets().iter().map(|rules| charts(*rules)).collect::<String>().into());
    }
    if args.json {
        let row = |r: &&dyn Ruleset| {
            json!({
                "name": r.name(), "title": r.title(), "version": r.version(), "scenarios": r.scenarios(),
                "seats": [r.seats().start(), r.seats().end()], "decks": r.decks(),
                "options": r.options().iter().map(|o| json!({ "name": o.name, "about": o.about })).collect::<Vec<_>>(),
            })
        };
        return Output::json(&rulesets().iter().map(row).collect::<Vec<_>>());
    }
    let row = |r: &&dyn Ruleset| {
        let (players, scenarios) = (players(&r.seats()), r.scenarios().join(", "));
        let options: String =
            r.options().iter().map(|o| format!("  --option {}=true  {}\n", o.name, o.about)).collect();
        let line =
            format!("{}: {}, {players}; scenarios: {scenarios}; rules version {}\n", r.name(), r.title(), r.version());
        let absent: String = r.absent().iter().map(|absent| format!("  not here: {}\n", absent.why)).collect();
        line + &options + &absent
    };
    Ok(rulesets().iter().map(row).collect::<String>().into())
}

/// Returns the rules of this name.
pub(super) fn known_rules(name: &str) -> Result<&'static dyn Ruleset, CliError> {
    ruleset(name).ok_or_else(|| {
        let names: Vec<&str> = rulesets().iter().map(|rules| rules.name()).collect();
        CliError::Usage(format!("there are no rules called \"{name}\"; there are {}", list_and(&names)))
    })
}

/// Formats the charts in a game's help; empty if there are none.
fn charts(rules: &dyn Ruleset) -> String {
    let subjects = rules.subjects(rules.components());
    let with_charts = subjects.all().iter().map(|subject| &subject.explained).filter(|all| !all.chart.is_empty());
    with_charts
        .map(|all| format!("{}: {}\n{}\n{}\n\n", rules.title(), all.title, all.text, all.chart.join("\n")))
        .collect()
}
