//! What commands that change a game have in common.

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

/// The system's clock and randomness; POSTRIDER_NOW (RFC 3339) holds the clock, so that transcripts can be compared.
pub(super) fn environment() -> Result<Environment, OfficeError> {
    let Some(now) = env::var_os("POSTRIDER_NOW").filter(|now| !now.is_empty()) else { return Ok(Environment::System) };
    let now = now.to_string_lossy();
    match DateTime::parse_from_rfc3339(&now) {
        Ok(now) => Ok(Environment::Held(now.to_utc())),
        Err(_) => Err(Misuse::NoTime { text: now.into_owned() }.into()),
    }
}

/// The office of the host whose folder this is.
pub(super) fn office(root: &Path) -> Result<Office, OfficeError> {
    Office::open(Host::open(root)?, crate::released(), environment()?)
}

/// Where the journal of a game is, for people.
pub(super) fn journal_place(host: &Host, game: &str) -> String {
    match host.keeps_files() {
        true => host.journal(game).display().to_string(),
        false => format!("{game} in the database"),
    }
}

/// A seat by its letter, in any case.
pub(super) fn seat(letter: &str) -> Result<Seat, OfficeError> {
    let unknown = || Misuse::NotASeat { letter: letter.to_owned() }.into();
    Seat::from_letter(&letter.to_ascii_uppercase()).ok_or_else(unknown)
}

/// A seat of a game by its letter or its player's name.
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

/// What is asked of signatures, by its name.
pub(super) fn sender_check(text: &str) -> Result<SenderCheck, OfficeError> {
    text.parse().map_err(|()| Misuse::SenderCheck { text: text.to_owned() }.into())
}

/// Has `postrider send` hand over what the command put into the outbox, where mails leave by a mail server: nobody waits for that
/// server, and a server that is away keeps no command from being done. The letters stay there until the next `postrider tick`.
pub(super) fn send_waiting(office: &Office) {
    if office.host().is_served() {
        return;
    }
    if !matches!(office.host().settings.mail_out, MailOut::Smtp(_)) {
        // What a database keeps is put where the host's own mail system fetches it.
        if !office.host().keeps_files() {
            send_now(office);
        }
        return;
    }
    let begun = env::current_exe().and_then(|program| {
        let mut sending = Command::new(program);
        sending.arg("--root").arg(std::path::absolute(office.host().root())?).arg("send");
        sending.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Whoever ends this program, as some mail systems do with what they pipe mails into, does not end the sending.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut sending, 0);
        sending.spawn()
    });
    match begun {
        // A program that goes on, as `play` does, takes note of its end.
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

/// Asks at the terminal whether something is meant that cannot be undone in silence; `yes` answers for whoever cannot be asked.
///
/// # Errors
/// [`CliError::Usage`] when it is not meant or nobody can be asked.
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

/// From where a game is to go on: the arguments that `rewind` and `fork` share.
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
    /// The moment that is meant.
    pub fn moment(&self) -> Result<Checkpoint, CliError> {
        match (&self.at, self.entry, self.line) {
            (Some(at), _, _) => Ok(at.parse()?),
            (None, Some(n), _) => Ok(Checkpoint::Line(n)),
            (None, None, line) => Ok(Checkpoint::Line(line.map_or(0, |line| line - 1))),
        }
    }
}
