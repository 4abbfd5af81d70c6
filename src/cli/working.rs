//! Common functions of commands that change a game.

use super::CliError;
use chrono::DateTime;
use postrider_journal::is_game_id;
use postrider_office::{Environment, Misuse, Office, OfficeError};
use postrider_orders::{list_and, near};
use postrider_store::{Host, MailOut, Players, SenderCheck, send};
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

/// Opens the office of the host with this folder, and returns it with the id of the game that
/// `name` refers to.
pub(super) fn at(root: &Path, name: &str) -> Result<(Office, String), CliError> {
    let office = office(root)?;
    let exists = is_game_id(name) && office.store().journal(name)?.is_some();
    let none = |like: Vec<String>| {
        let place = journal_place(office.host(), name);
        CliError::NoGame { game: name.to_owned(), path: place.into(), like }
    };
    let game = if exists { name.to_owned() } else { full_id(name, &office.store().games()?).map_err(none)? };
    Ok((office, game))
}

/// Finds the only game whose id begins with `name`, ignoring case.
///
/// # Errors
///
/// Returns the games that could be meant if there is no such game or more than one.
pub(super) fn full_id(name: &str, games: &[String]) -> Result<String, Vec<String>> {
    let name = &name.to_lowercase();
    let begin: Vec<&String> = games.iter().filter(|id| !name.is_empty() && id.starts_with(name)).collect();
    match begin[..] {
        [one] => Ok(one.clone()),
        [] => Err(near(name, games.iter().map(String::as_str), 3)),
        _ => Err(begin.into_iter().cloned().collect()),
    }
}

/// Finds a seat of a game by its letter or its player's name.
pub(super) fn seat_of(office: &Office, game: &str, name: &str) -> Result<Seat, CliError> {
    seat_in(&Players::of(&office.store().kept(game)?.kept), name)
}

/// Finds a seat among these players by its letter or its player's name.
pub(super) fn seat_in(players: &Players, name: &str) -> Result<Seat, CliError> {
    let letter = Seat::from_letter(&name.to_ascii_uppercase());
    let known = |seat: &Seat| players.players.is_empty() || players.player(*seat).is_some();
    match (letter.filter(known), &players.seats_named(name)[..]) {
        (Some(seat), _) | (None, &[seat]) => Ok(seat),
        _ => Err(no_seat(name, players)),
    }
}

/// Returns the error for a name that is not one seat, with all seats.
pub(super) fn no_seat(name: &str, players: &Players) -> CliError {
    let called: Vec<String> = players.players.iter().map(|player| players.called(player.seat)).collect();
    let seats = list_and(&called);
    CliError::Usage(format!("\"{name}\" is not a seat or the name of one player; the seats are {seats}"))
}

/// Parses the name of a signature check.
pub(super) fn sender_check(text: &str) -> Result<SenderCheck, OfficeError> {
    text.parse().map_err(|()| Misuse::SenderCheck { text: text.to_owned() }.into())
}

/// Describes the delivery of a new game's invitations, or its beginning.
pub(super) fn invited(host: &Host, begun: bool) -> String {
    match (&host.settings.mail_out, begun) {
        (_, true) => "The game has begun".to_owned(),
        (MailOut::Smtp(_), false) => "The players are invited".to_owned(),
        (_, false) => {
            "The invitations wait in the outbox: no way to send is set (`postrider init` sets one)".to_owned()
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
            tracing::warn!(%why, "`postrider send` could not be started");
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

/// Asks at the terminal for confirmation; `yes` skips the question.
///
/// # Errors
///
/// Returns [`CliError::Usage`] if the answer is no, or if there is no terminal.
pub(super) fn sure(yes: bool, what: &str, question: &str) -> Result<(), CliError> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        return Err(CliError::Usage(format!("{what}\nThere is no terminal for the question; add --yes to confirm")));
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
