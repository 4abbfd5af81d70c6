//! `postrider verify`: checks a journal.

use super::{
    CliError, Files, Output,
    files::{Found, journal_at},
    log::senders,
    look::look,
    terminal::{Tone, toned},
    working::{environment, seat_in},
};
use fs_err as fs;
use indicatif::{ProgressBar, ProgressStyle};
use postrider_analysis::{Case, Clocks, LONGEST_ROLLOUT, adjudicate, clocks, clocks_in_words};
use postrider_audit::{Ancestor, Bundle, Evidence, Report, Sent, verify_with};
use postrider_dice::Hash;
use postrider_journal::{Checker, RolledOut};
use postrider_letters::text;
use postrider_office::OfficeError;
use postrider_replay::{Catalog, Moment, Source, rollouts_in_words};
use postrider_store::{Kept, Players, read_components};
use serde_json::json;
use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

#[derive(clap::Args, Debug)]
pub struct Verify {
    /// A journal file, or the id of a game of this host
    #[arg(value_name = "FILE|GAME")]
    file: String,
    #[command(flatten)]
    mails: Mails,
    /// Your own sent mails: says of each action of your seat whether you wrote it
    #[arg(long, value_name = "PATH")]
    sent: Option<PathBuf>,
    /// The seat whose sent mails these are, if they do not say so themselves
    #[arg(long, value_name = "SEAT", requires = "sent")]
    seat: Option<String>,
    /// Print how long the game waited for each player, recomputed from the journal
    #[arg(long)]
    clocks: bool,
    /// Play out again the rollouts on which a director's result rests
    #[arg(long)]
    rollouts: bool,
    /// A mail whose hand of cards is checked, signed or not; can be repeated
    #[arg(long, value_name = "MAIL")]
    hand: Vec<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// The component file, unless it is the built-in one
    #[arg(long, value_name = "FILE")]
    components: Option<PathBuf>,
    /// The journal of the game that a fork continues, if not in the same folder; can be repeated
    #[arg(long, value_name = "FILE")]
    parent: Vec<PathBuf>,
    /// Also write the evidence into one file, with instructions
    #[arg(long, value_name = "OUT.zip")]
    bundle: Option<PathBuf>,
    /// Include the mails in the bundle; they show hands and reply addresses
    #[arg(long, requires = "bundle")]
    with_mails: bool,
}

// The mails to compare with a journal.
#[derive(clap::Args, Debug)]
pub struct Mails {
    /// Saved mails: a folder, Maildir, mbox file, archive or single mail, or receipts.json from a
    /// bundle; can be repeated
    #[arg(long, value_name = "PATH")]
    mailbox: Vec<PathBuf>,
    /// The service's public key (43 characters), or a mail that you know to be genuine
    #[arg(long, value_name = "KEY|MAIL")]
    key: Option<String>,
}

/// Returns a path of mails.
fn there(path: &Path) -> io::Result<&Path> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("there is no file or folder {}", path.display()));
    path.try_exists()?.then_some(path).ok_or_else(missing)
}

impl Mails {
    /// Reads the mailboxes.
    pub(super) fn read(&self, mut evidence: Evidence) -> Result<Evidence, CliError> {
        for path in &self.mailbox {
            evidence.add_mailbox(there(path)?)?;
        }
        Ok(evidence)
    }

    /// Returns the key, if one is given.
    pub(super) fn key(&self) -> Result<Option<Hash>, CliError> {
        let Some(key) = &self.key else { return Ok(None) };
        let hex = key.parse::<Hash>().is_ok();
        if !hex && !Path::new(key).is_file() {
            return Err(CliError::Usage(format!("\"{key}\" is neither a key of 43 characters nor the file of a mail")));
        }
        key.parse().or_else(|_| Evidence::key_of(Path::new(key))).map(Some).map_err(CliError::from)
    }

    /// Creates a checker that expects this key.
    pub(super) fn checker(key: Option<Hash>) -> Checker {
        key.map_or_else(Checker::new, Checker::expecting_key)
    }
}

/// Returns the rules for reading the journal, with the component file and the parents given.
fn catalog_of(args: &Verify, files: &Files, found: &Found) -> Result<Catalog, CliError> {
    let mut catalog = files.shelf_for(found)?;
    if let Some(path) = &args.components {
        catalog = catalog.with_components(read_components(path)?);
    }
    for path in &args.parent {
        // The file is read when needed, but a wrong name should be reported at once.
        journal_at(there(path)?)?;
        catalog = catalog.with_parent(Source::from(path.as_path()));
    }
    Ok(catalog)
}

/// Runs the command.
pub fn run(args: &Verify, files: &Files) -> Result<Output, CliError> {
    let found = files.find(&args.file)?;
    let catalog = catalog_of(args, files, &found)?;
    let mut evidence =
        args.mails.read(if args.with_mails { Evidence::keeping_mails() } else { Evidence::default() })?;
    for path in &args.hand {
        evidence.add_hand(path)?;
    }
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(fs::metadata(&found.journal)?.len()),
        false => ProgressBar::hidden(),
    };
    bar.set_style(
        ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}")
            .map_err(|why| CliError::Broken(why.to_string()))?,
    );
    let key = args.mails.key()?;
    let checker = || Mails::checker(key);
    let source = Source::from(found.journal.as_path());
    let report = verify_with(checker(), &evidence, &source, &catalog, |bytes| bar.set_position(bytes))?;
    bar.finish_and_clear();
    let chains = found.chains().unwrap_or_default();
    let players = Players::named_in(&found.kept().kept, 26);
    let seat = args.seat.as_deref().map(|name| seat_in(&players, name)).transpose()?.map(|seat| seat.to_string());
    let read = |path: &Path| Sent::of(&source, path, seat.as_deref())?.carried_out(&source, &catalog, &chains);
    let sent = args.sent.as_deref().map(there).transpose()?;
    let sent = sent.map(read).transpose()?;
    let with = |report: Report, sent: Option<Sent>| match sent {
        Some(sent) => report.with_sent(sent),
        None => report,
    };
    let report = with(report, sent.clone());
    if let Some(path) = &args.bundle {
        // The paths of mails on this machine are private.
        let evidence = evidence.numbered();
        let report = verify_with(checker(), &evidence, &source, &catalog, |_| ())?;
        let report = with(report, sent.clone().map(Sent::numbered));
        // A fork's parent may belong to another service, so the given key is not checked there.
        let judge = |journal: &Source| verify_with(Checker::new(), &evidence, journal, &catalog, |_| ());
        let ancestors = Ancestor::all(&report.game, &source, &catalog, judge)?;
        let (ancestors, with_mails) = (&ancestors[..], args.with_mails);
        let bundle = Bundle { report: &report, ancestors, evidence: &evidence, with_mails };
        bundle.write(&source, &catalog, fs::File::create(path)?)?;
    }
    let clocks = args.clocks.then(|| clocks_of(&found, &source, &catalog)).transpose()?;
    let rollouts = args.rollouts.then(|| rollouts_of(&found, &source, &catalog)).transpose()?;
    // Rollouts that are not found again leave the result unproved.
    let unfound = rollouts.as_ref().is_some_and(|(recorded, again)| recorded != again);
    let status = if unfound && report.status == 0 { 2 } else { report.status };
    if args.json {
        let mut all = serde_json::to_value(&report).map_err(|why| CliError::Broken(why.to_string()))?;
        if let Some(clocks) = &clocks {
            all["clocks"] = serde_json::to_value(clocks).map_err(|why| CliError::Broken(why.to_string()))?;
        }
        if let Some((recorded, again)) = &rollouts {
            all["rollouts"] = json!({ "recorded": recorded, "again": again });
        }
        return Ok(Output { status, ..Output::json(&all)? });
    }
    // The records on incoming mails, which only the host has.
    let kept = found.kept().kept.iter().any(|kept| matches!(kept, Kept::Signed { .. }));
    let senders = match sent.is_some() && kept {
        true => {
            format!("\nMAILS THAT CAME IN: entry, seat, who vouches for the sender\n{}", senders(&found, |_| true)?)
        }
        false => String::new(),
    };
    let clocks = clocks.map(|clocks| format!("\n{}", text::render(&clocks_in_words(&clocks)))).unwrap_or_default();
    let rollouts = rollouts.map(|(recorded, again)| compared(&players, &recorded, &again)).unwrap_or_default();
    let tone = match status {
        0 => Tone::Good,
        1 => Tone::Bad,
        _ => Tone::Open,
    };
    let text = report.to_string().replacen(&report.quote, &toned(tone, &report.quote), 1);
    let but = if unfound { "The rollouts on which the result rests are not found again (see ROLLOUTS).\n" } else { "" };
    Ok(Output { status, ..Output::from(format!("{but}{text}{senders}{clocks}{rollouts}")) })
}

/// Compares the rollouts on which a result is based with a repetition of them.
fn compared(players: &Players, recorded: &RolledOut, again: &RolledOut) -> String {
    let said = if recorded == again { "the same is found again" } else { "THE SAME IS NOT FOUND AGAIN" };
    let [recorded, again] = [recorded, again].map(|one| players.named(&rollouts_in_words(one)));
    let other = if recorded == again { String::new() } else { format!("; this release finds {again}") };
    format!("\nROLLOUTS: {said}. The result rests on {recorded}{other}.\n")
}

/// Recomputes the times of a game for which it waited for its players.
fn clocks_of(found: &Found, source: &Source, catalog: &Catalog) -> Result<Clocks, CliError> {
    let case = Case {
        source,
        catalog,
        chains: found.chains().filter(|chains| !chains.is_empty()),
        at: None,
        now: found.secrets.as_ref().map(|_| Ok::<_, OfficeError>(environment()?.now())).transpose()?,
        rollouts: 0,
        bot: None,
        seed: 0,
        limit: 0,
    };
    Ok(clocks(&case, &Players::named_in(&found.kept().kept, 26))?)
}

/// Plays out again the rollouts on which the result of a game rests. Returns them as recorded, and
/// as they are found now. Other bots of another release may play otherwise.
fn rollouts_of(found: &Found, source: &Source, catalog: &Catalog) -> Result<(RolledOut, RolledOut), CliError> {
    let ended = look(found, catalog, None)?.live.motions.ended();
    let none = || CliError::Usage("the game did not end by a director's result that rests on rollouts".to_owned());
    let recorded = ended.and_then(|ended| ended.rollouts).ok_or_else(none)?;
    let case = Case {
        source,
        catalog,
        chains: found.chains().filter(|chains| !chains.is_empty()),
        at: Some(Moment::after(recorded.entry)),
        now: None,
        rollouts: recorded.count,
        bot: Some(recorded.bot.clone()),
        seed: recorded.seed,
        limit: LONGEST_ROLLOUT,
    };
    let again = adjudicate(&case, &Players::default(), &|| ()).map_err(|why| CliError::Data(why.to_string()))?;
    let again = again.rollouts.recorded(recorded.entry);
    Ok((recorded, again))
}
