//! Common functions of commands that change a game.

use super::CliError;
use chrono::DateTime;
use postrider_office::{Environment, Misuse, Office, OfficeError};
use postrider_replay::Checkpoint;
use postrider_store::{Host, HostStore, MailOut, Players, SenderCheck, send};
use postrider_table::Seat;
use std::{
    env,
    io::{self, IsTerminal, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// Returns the system's clock and randomness. POSTRIDER_NOW (RFC 3339) fixes the clock, so that
/// transcripts can be compared.
pub(super) fn environment() -> Result<Environment, OfficeError> {
    let Some(now) = env::var_os("POSTRIDER_NOW").filter(|now| !now.is_empty()) else { return Ok(Environment::System) };
    let now = now.to_string_lossy();
    match DateTime::parse_from_rfc3339(&now) {
        Ok(now) => Ok(Environment::Held(now.to_utc())),
        Err(_) => Err(Misuse::NoTime { text: now.into_owned() }.into()),
    }
}

/// Opens the office of the host with this folder.
pub(super) fn office(root: &Path) -> Result<Office, OfficeError> {
    Office::open(Host::open(root)?, crate::released(), environment()?)
}

/// Returns the location of a game's journal, for people.
pub(super) fn journal_place(host: &Host, game: &str) -> String {
    match host.keeps_files() {
        true => host.journal(game).display().to_string(),
        false => format!("{game} in the database"),
    }
}

/// Parses a seat letter, in either case.
pub(super) fn seat(letter: &str) -> Result<Seat, OfficeError> {
    let unknown = || Misuse::NotASeat { letter: letter.to_owned() }.into();
    Seat::from_letter(&letter.to_ascii_uppercase()).ok_or_else(unknown)
}

/// Finds a seat of a game by its letter or its player's name.
pub(super) fn seat_of(root: &Path, game: &str, name: &str) -> Result<Seat, OfficeError> {
    if let Some(seat) = Seat::from_letter(&name.to_ascii_uppercase()) {
        return Ok(seat);
    }
    let kept = HostStore::open(&Host::look(root)?)?.as_store().kept(game)?.kept;
    match Players::of(&kept).seats_named(name)[..] {
        [seat] => Ok(seat),
        _ => Err(Misuse::NotASeat { letter: name.to_owned() }.into()),
    }
}

/// Parses the name of a signature check.
pub(super) fn sender_check(text: &str) -> Result<SenderCheck, OfficeError> {
    text.parse().map_err(|()| Misuse::SenderCheck { text: text.to_owned() }.into())
}

/// Returns what became of the invitations of a new game, or that it has begun.
pub(super) fn invited(host: &Host, begun: bool) -> String {
    match (&host.settings.mail_out, begun) {
        (_, true) => "The game has begun".to_owned(),
        (MailOut::Smtp(_), false) => "The players are invited".to_owned(),
        (_, false) => {
            "The invitations wait in the outbox, as no way to send is set (`postrider init` sets one up)".to_owned()
        }
    }
}

/// Starts `postrider send` for letters in the outbox, if they leave by a mail server. The command
/// does not wait for that server and does not fail if it is unavailable; the letters then stay in
/// the outbox until the next `postrider tick`.
pub(super) fn send_waiting(office: &Office) {
    if office.host().is_served() {
        return;
    }
    if !matches!(office.host().settings.mail_out, MailOut::Smtp(_)) {
        // With a database, letters are moved to the folder from which the host's own mail system
        // fetches them.
        if !office.host().keeps_files() {
            send_now(office);
        }
        return;
    }
    let begun = env::current_exe().and_then(|program| {
        let mut sending = Command::new(program);
        sending.arg("--root").arg(std::path::absolute(office.host().root())?).arg("send");
        sending.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A process group of its own: some mail systems kill the process group of the program that
        // they pipe a mail into.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut sending, 0);
        sending.spawn()
    });
    match begun {
        // A program that continues, such as `play`, must wait for the child.
        Ok(mut sending) => drop(thread::spawn(move || drop(sending.wait()))),
        Err(why) => {
            tracing::warn!(%why, "no program of its own can be begun for sending");
            send_now(office);
        }
    }
}

fn send_now(office: &Office) {
    match send(office.host(), office.store()) {
        Ok(sent) if sent.waiting.0 > 0 => {
            tracing::warn!(mails = sent.waiting.0, why = sent.waiting.1, "mails wait in the outbox");
        }
        Ok(_) => {}
        Err(why) => tracing::warn!(%why, "mails wait in the outbox"),
    }
}

/// Asks at the terminal for confirmation of an action that cannot be undone silently; `yes` skips
/// the question.
///
/// # Errors
///
/// Returns [`CliError::Usage`] if the answer is no, or if there is no terminal.
pub(super) fn sure(yes: bool, what: &str, question: &str) -> Result<(), CliError> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        return Err(CliError::Usage(
            "nobody can be asked whether this is meant: say --yes, or --dry-run to look".to_owned(),
        ));
    }
    let mut err = io::stderr().lock();
    write!(err, "{what}\n{question} [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::Usage("nothing was done".to_owned())),
    }
}

/// The point from which a game is to continue: the common arguments of `rewind` and `fork`.
#[derive(clap::Args, Debug)]
pub(super) struct Point {
    /// The beginning of a Turn or Round from which play goes on: "turn 5 round 3"
    #[arg(long, alias = "to", value_name = "WHEN", required_unless_present_any = ["line", "entry"], conflicts_with_all = ["line", "entry"])]
    at: Option<String>,
    /// Or: play goes on after the step to which this entry of the journal belongs, as `log` and letters number them; the first is
    /// entry 0
    #[arg(long, value_name = "N", conflicts_with = "line")]
    entry: Option<u64>,
    /// The same by the line of the journal's file, as editors count: line 1 is entry 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
}

impl Point {
    /// Returns the moment.
    pub fn moment(&self) -> Result<Checkpoint, CliError> {
        match (&self.at, self.entry, self.line) {
            (Some(at), _, _) => Ok(at.parse()?),
            (None, Some(n), _) => Ok(Checkpoint::Line(n)),
            (None, None, line) => Ok(Checkpoint::Line(line.map_or(0, |line| line - 1))),
        }
    }
}
