//! `postrider games`: what can be played.

use super::{CliError, Output};
use crate::{
    dice::{Hash, sha256},
    games::{ruleset, rulesets},
    table::{Amended, Ruleset},
};
use serde::Serialize;
use serde_json::json;
use std::fmt;

/// The arguments of `games`.
#[derive(clap::Args, Debug)]
pub struct Games {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    /// List the versions of each game's rules: what each does otherwise, and the component files that journals can name
    #[arg(long)]
    versions: bool,
    /// Print the charts and tables of each game's rulebook, as `help CHART` has them in a game
    #[arg(long, conflicts_with_all = ["json", "versions"])]
    charts: bool,
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
    if args.charts {
        return Ok(rulesets().iter().map(|rules| charts(*rules)).collect::<String>().into());
    }
    if args.versions {
        let of = |r: &&'static dyn Ruleset| Versions::of(*r);
        return match args.json {
            true => Output::json(&rulesets().iter().map(of).collect::<Vec<_>>()),
            false => Ok(rulesets().iter().map(of).map(|all| all.to_string()).collect::<String>().into()),
        };
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
        let (seats, scenarios) = (r.seats(), r.scenarios().join(", "));
        let players = match seats.into_inner() {
            (least, most) if least == most => format!("{most} players"),
            (least, most) => format!("{least} to {most} players"),
        };
        let options: String =
            r.options().iter().map(|o| format!("  --option {}=true  {}\n", o.name, o.about)).collect();
        let line =
            format!("{}: {}, {players}; scenarios: {scenarios}; rules version {}\n", r.name(), r.title(), r.version());
        line + &options
    };
    Ok(rulesets().iter().map(row).collect::<String>().into())
}

/// The charts of a game that its help prints; nothing of a game without any.
fn charts(rules: &dyn Ruleset) -> String {
    let subjects = rules.subjects(rules.components());
    let with_charts = subjects.all().iter().map(|subject| &subject.explained).filter(|all| !all.chart.is_empty());
    with_charts
        .map(|all| format!("{}: {}\n{}\n{}\n\n", rules.title(), all.title, all.text, all.chart.join("\n")))
        .collect()
}

/// The versions of a game's rules that journals can name.
#[derive(Serialize)]
struct Versions {
    name: &'static str,
    /// That of new games.
    opens: u32,
    versions: Vec<Version>,
    /// SHA-256 of the component files, that of new games first.
    components: Vec<Hash>,
}

#[derive(Serialize)]
struct Version {
    version: u32,
    amendments: Vec<Amendment>,
}

#[derive(Serialize)]
struct Amendment {
    rules: &'static str,
    about: &'static str,
}

impl Versions {
    fn of(rules: &'static dyn Ruleset) -> Versions {
        let amended = |version: u32| rules.amendments().iter().filter(move |amended| amended.version == version);
        let row = |&Amended { rules, about, .. }: &Amended| Amendment { rules, about };
        let version = |version: u32| Version { version, amendments: amended(version).map(row).collect() };
        let files = std::iter::once(rules.components()).chain(rules.older_components().iter().copied());
        Versions {
            name: rules.name(),
            opens: rules.version(),
            versions: (1..=rules.newest()).map(version).collect(),
            components: files.map(|text| sha256(text.as_bytes())).collect(),
        }
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: new games open with version {} of the rules", self.name, self.opens)?;
        for Version { version, amendments } in &self.versions {
            match amendments.as_slice() {
                [] => writeln!(f, "  version {version}")?,
                _ => writeln!(f, "  version {version} amends version {}:", version - 1)?,
            }
            for Amendment { rules, about } in amendments {
                writeln!(f, "    {rules}: {about}")?;
            }
        }
        self.components.iter().try_for_each(|hash| writeln!(f, "  component file {hash}"))
    }
}
