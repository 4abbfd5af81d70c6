//! `postrider store`: keeps a host's games in a PostgreSQL database.

use super::{CliError, Files, Output};
use clap::Subcommand;
use postrider_audit::verify;
use postrider_replay::rebuild;
use postrider_store::{Copied, GameSecrets, Host, HostStore, Progress, Store as Kept, copy, prepare};
use postrider_table::Watch;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub struct Store {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Create or update the tables in a database, and grant access to the role in the settings
    Prepare {
        /// The database, with the role that owns the tables: postgres://owner@host/name
        address: String,
        /// The role that uses the tables; by default that in the setting `store`
        #[arg(long, value_name = "NAME")]
        role: Option<String>,
    },
    /// Copy all of the host's data from one store to another, and verify every journal there
    Copy {
        /// "files", or the address of a database
        from: String,
        /// The destination: "files", or the address of a database
        to: String,
    },
}

/// Runs the command.
pub fn run(args: &Store, files: &Files, verbose: bool) -> Result<Output, CliError> {
    let host = Host::open(files.root())?;
    match &args.what {
        What::Prepare { address, role } => {
            let role = role.clone().or_else(|| role_of(&host.settings.store)).ok_or_else(|| {
                CliError::Usage(
                    "the setting `store` names no role; name the role that uses the tables with --role".to_owned(),
                )
            })?;
            let made = prepare(&host, address, &role)?;
            Ok(match (made.is_empty(), verbose) {
                (false, _) => format!("created: {}\n", made.join(", ")).into(),
                (true, true) => "The tables are up to date.\n".to_owned().into(),
                (true, false) => Output::default(),
            })
        }
        What::Copy { from, to } => {
            // No process of this folder receives mails or sends letters meanwhile.
            let _serving = host.lock_serving()?;
            host.make_folders()?;
            let (from, to) = (HostStore::at(&host, from)?, HostStore::at(&host, to)?);
            let (began, mut told) = (Instant::now(), Instant::now());
            let copied = copy(from.as_store(), to.as_store(), &mut |progress| {
                if told.elapsed() >= TELL {
                    told = Instant::now();
                    eprintln!("{}", under_way(progress, began.elapsed()));
                }
            })?;
            eprintln!("Every journal is verified where it was copied to.");
            prove(&to, files, &copied)?;
            Ok(said(&copied).into())
        }
    }
}

/// The interval at which the progress of a copy is told.
const TELL: Duration = Duration::from_secs(5);

/// Tells how far a copy is, and how long the rest will take.
fn under_way(Progress { done, of }: Progress, took: Duration) -> String {
    let left = took.mul_f64((of - done) as f64 / done.max(1) as f64).as_secs();
    let left = if left < 90 { format!("{left} seconds") } else { format!("{} minutes", left.div_ceil(60)) };
    format!("{done} of {of} games are copied; about {left} are left")
}

/// Returns the role in an address.
fn role_of(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let (user, _) = rest.split_once('@')?;
    let user = user.split(':').next().unwrap_or(user);
    percent_encoding::percent_decode_str(user).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// Verifies every journal in its new place, by itself and with the copied secrets.
fn prove(to: &HostStore, files: &Files, copied: &Copied) -> Result<(), CliError> {
    let catalog = to.shelf(files.catalog()?);
    let store: &dyn Kept = to.as_store();
    for (game, _) in &copied.games {
        let source = store.journal(game)?.ok_or_else(|| CliError::Data(format!("the copy of {game} is missing")))?;
        let report = verify(&source, &catalog, |_| ())?;
        if report.status == 1 {
            return Err(CliError::Data(format!("the copy of {game} is contradicted:\n{report}")));
        }
        let chains = GameSecrets::of(store.kept(game)?.kept).chains;
        rebuild(&source, &catalog, Some(chains), None, Watch { tell: true, digests: true, ..Watch::NONE })?;
    }
    Ok(())
}

fn said(copied: &Copied) -> String {
    let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let there = match copied.there {
        0 => String::new(),
        some => format!(" ({some} of them were copied before)"),
    };
    format!(
        "{}{there}, {} and {} were copied; every journal is identical to its source, and proved.\n\
         Set `store` to the destination, and start `serve` again.\n",
        count(copied.games.len(), "game"),
        count(copied.letters, "letter"),
        count(copied.mails, "mail"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_copy_is_estimated() {
        let told = |done, took| under_way(Progress { done, of: 64 }, Duration::from_secs(took));
        assert_eq!(told(16, 10), "16 of 64 games are copied; about 30 seconds are left");
        assert_eq!(told(16, 60), "16 of 64 games are copied; about 3 minutes are left");
    }

    #[test]
    fn the_role_stands_in_the_address() {
        assert_eq!(role_of("postgres://postrider@db.example/games").as_deref(), Some("postrider"));
        assert_eq!(role_of("postgres://post%40rider:secret@db.example/games").as_deref(), Some("post@rider"));
        assert_eq!((role_of("files"), role_of("postgres://db.example/games")), (None, None));
    }
}
