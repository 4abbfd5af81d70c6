//! `postrider init`: asks for the settings that are missing, tests all of them, and writes them.

use super::{CliError, Output, working::office};
use clap::ValueEnum;
use fs_err as fs;
use postrider_replay::Zone;
use postrider_serve::{ServeError, did_not_come, mail_to_oneself, try_mailbox, try_sending};
use postrider_store::{
    DEFAULT_SETTINGS, Host, MailOut, SETTINGS, Settings,
    settings_file::{is_set, set},
};
use postrider_table::Seat;
use std::{
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::Duration,
};
use toml::Value;

/// Timeout for a mail to oneself with an address extension, and again for one to the plain address.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(clap::Args, Debug)]
pub struct Init {
    /// The address that players write to
    #[arg(long)]
    address: Option<String>,
    /// The time zone of players who name none, such as America/Denver
    #[arg(long)]
    zone: Option<String>,
    /// The mailbox's server, HOST or HOST:PORT; "none" if mail arrives in another way
    #[arg(long, value_name = "SERVER")]
    imap: Option<String>,
    /// The encryption of the connection to the mailbox
    #[arg(long, value_name = "HOW")]
    imap_security: Option<Security>,
    /// The mailbox's user
    #[arg(long, value_name = "USER")]
    imap_user: Option<String>,
    /// A file whose first line is the mailbox's password
    #[arg(long, value_name = "FILE")]
    imap_password_file: Option<PathBuf>,
    /// The mailbox; INBOX by default
    #[arg(long)]
    mailbox: Option<String>,
    /// The server that sends, HOST or HOST:PORT; "none" if a mail system fetches letters from
    /// mail/out
    #[arg(long, value_name = "SERVER")]
    smtp: Option<String>,
    /// The encryption of the connection to the server that sends
    #[arg(long, value_name = "HOW")]
    smtp_security: Option<Security>,
    /// The user for sending; by default that of the mailbox
    #[arg(long, value_name = "USER")]
    smtp_user: Option<String>,
    /// A file whose first line is the password for sending; by default that of the mailbox
    #[arg(long, value_name = "FILE")]
    smtp_password_file: Option<PathBuf>,
    /// A file with a certificate to trust in addition to the system's (PEM)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Write the settings without testing them
    #[arg(long)]
    no_trial: bool,
}

/// The encryption of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Security {
    /// TLS from the first byte
    Tls,
    /// TLS by STARTTLS
    Starttls,
    /// None; only for a server on this machine
    None,
}

impl Security {
    fn name(self) -> &'static str {
        match self {
            Security::Tls => "tls",
            Security::Starttls => "starttls",
            Security::None => "none",
        }
    }
}

/// The answers about a server; its port determines the encryption.
struct Server {
    host: String,
    port: u16,
    security: Security,
    user: Option<String>,
    password: Option<Password>,
}

/// The password for a server.
#[derive(Clone)]
enum Password {
    /// A file that the settings name already.
    File(PathBuf),
    /// A new one, which gets a file.
    New(String),
}

/// Runs the command.
pub fn run(args: &Init, root: &Path) -> Result<Output, CliError> {
    let path = root.join(SETTINGS);
    let old = if path.try_exists()? { fs::read_to_string(&path)? } else { DEFAULT_SETTINGS.to_owned() };
    let host = Host::with_settings(root, &old)?;
    let asker = Asker { terminal: io::stdin().is_terminal() };
    let answers = Answers::to(&asker, args, &old, &host.settings)?;
    fs::create_dir_all(root)?;
    // Until the trials have succeeded, nothing outside of this folder is written.
    let beside = tempfile::Builder::new().prefix(".init.").tempdir_in(root)?;
    answers.write_passwords(beside.path())?;
    let place = std::path::absolute(beside.path())?;
    let mut text = answers.set_in(&old, &place)?;
    let mut plain = false;
    if !args.no_trial {
        plain = trial(&Host::with_settings(root, &text)?)?;
    }
    text = answers.set_in(&old, Path::new(""))?;
    if plain {
        text = set(&text, "", "separator", &text_value(""))?;
    }
    Host::with_settings(root, &text)?;
    // The settings come last, because the other files have no effect without them.
    answers.write_passwords(root)?;
    postrider_disk::put(&path, text.as_bytes())?;
    let mut said = format!("{} is written.\n", path.display());
    if plain {
        said +=
            "Mail to extensions of your address does not arrive, so tokens are in the subject (separator = \"\").\n";
    }
    let root = root.display();
    let games = host.games()?;
    if games.is_empty() {
        said += &format!(
            "Next:\n  postrider --root {root} new --player \"Anna <anna@example.net>\" --player \"Ben <ben@example.net>\"\n  \
             postrider --root {root} serve\n"
        );
    } else if answers.address.is_some() {
        let letters = write_again(host.root())?;
        said += &format!("Letters that waited in the outbox and named the old address: {letters}, written again.\n");
    }
    Ok(said.into())
}

/// Writes the letters in the outbox again, because they name the address that was set before.
/// Returns their number.
fn write_again(root: &Path) -> Result<usize, CliError> {
    let mut office = office(root)?;
    let mut waiting: BTreeMap<(String, Seat), Vec<String>> = BTreeMap::new();
    for unique in office.store().waiting()? {
        let mut parts = unique.split('.');
        if let (Some(game), Some(seat)) = (parts.next(), parts.next().and_then(Seat::from_letter)) {
            waiting.entry((game.to_owned(), seat)).or_default().push(unique.clone());
        }
    }
    for ((game, seat), letters) in &waiting {
        letters.iter().try_for_each(|letter| office.store().forget_letter(letter))?;
        office.resend(game, *seat)?;
    }
    Ok(waiting.values().map(Vec::len).sum())
}

fn text_value(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// Tests both logins and a mail to oneself; returns `true` if mail to an extension of the address
/// does not arrive.
fn trial(host: &Host) -> Result<bool, ServeError> {
    let idle = try_mailbox(host)?;
    if let Some(idle) = idle {
        eprintln!(
            "The mailbox can be read; {}.",
            if idle { "the server announces new mails" } else { "it is polled for new mails" }
        );
    }
    let sends = try_sending(host)?;
    if sends {
        eprintln!("The server that sends accepts the login.");
    }
    if idle.is_none() || !sends {
        return Ok(false);
    }
    eprintln!("A mail to oneself was sent; waiting up to a minute for it to arrive.");
    let separated = !host.settings.separator.is_empty();
    if separated && let Ok(Some(took)) = mail_to_oneself(host, true, PATIENCE) {
        eprintln!("It arrived after {:.0} s, at an address with an extension.", took.as_secs_f64().ceil());
        return Ok(false);
    }
    if separated {
        eprintln!("It did not arrive at an address with an extension; trying the plain address.");
    }
    match mail_to_oneself(host, false, PATIENCE)? {
        Some(took) => {
            eprintln!("It arrived after {:.0} s.", took.as_secs_f64().ceil());
            Ok(true)
        }
        None => Err(did_not_come()),
    }
}

/// The values to set; `None` keeps the present setting.
struct Answers {
    address: Option<String>,
    zone: Option<String>,
    imap: Option<Server>,
    smtp: Option<Server>,
    mailbox: Option<String>,
    ca: Option<PathBuf>,
}

impl Answers {
    /// Asks for everything that is neither set nor given by an option.
    fn to(asker: &Asker, args: &Init, old: &str, settings: &Settings) -> Result<Answers, CliError> {
        let keeps = |table: &str, key: &str, given: bool| -> Result<bool, CliError> {
            let kept = !given && is_set(old, table, key)?;
            if kept {
                eprintln!("Kept: {}{key}", if table.is_empty() { String::new() } else { format!("{table}.") });
            }
            Ok(kept)
        };
        let address = match keeps("", "address", args.address.is_some())? {
            true => None,
            false => {
                Some(asker.ask("The address that players write to", args.address.as_deref(), "--address", None)?)
            }
        };
        let own = address.as_deref().unwrap_or(&settings.address);
        let Some((_, domain)) = own.rsplit_once('@') else {
            return Err(CliError::Usage(format!("\"{own}\" is not a mail address; write it as name@domain")));
        };
        let (imap_host, smtp_host) = servers_of(domain);
        let given = Given::of([&args.imap, &args.imap_user], args.imap_security, &args.imap_password_file);
        let imap = match keeps("mail_in", "imap", given.is_some())? {
            true => None,
            false => {
                let old = settings.mail_in.imap.as_ref();
                let login = old.map(|old| (Some(old.user.clone()), old.password_file.clone().map(Password::File)));
                let usual = old.map_or(imap_host, |old| given.kept(&old.host, old.port()));
                asker.server(&IMAP, &given, (&usual, own), login)?
            }
        };
        let given = Given::of([&args.smtp, &args.smtp_user], args.smtp_security, &args.smtp_password_file);
        let smtp = match keeps("mail_out", "smtp", given.is_some())? {
            true => None,
            false => {
                // The mailbox's login usually works for sending too.
                let new = imap.as_ref().map(|imap| (imap.user.clone(), imap.password.clone()));
                let kept = settings.mail_in.imap.as_ref();
                let kept = kept.map(|kept| (Some(kept.user.clone()), kept.password_file.clone().map(Password::File)));
                let usual = match &settings.mail_out {
                    MailOut::Smtp(old) => given.kept(&old.host, old.port),
                    MailOut::Maildir => smtp_host,
                };
                asker.server(&SMTP, &given, (&usual, own), new.or(kept))?
            }
        };
        let zone = match keeps("", "time_zone", args.zone.is_some())? {
            true => None,
            false => {
                let usual = own_zone();
                Some(asker.ask(
                    "The time zone of players who name none",
                    args.zone.as_deref(),
                    "--zone",
                    Some(&usual),
                )?)
            }
        };
        let ca = args.ca.as_ref().map(std::path::absolute).transpose()?;
        Ok(Answers { address, zone, imap, smtp, mailbox: args.mailbox.clone(), ca })
    }

    /// Returns the servers, each with its table and the file of its password.
    fn servers(&self) -> impl Iterator<Item = (&'static Kind, &Server)> {
        [(&IMAP, &self.imap), (&SMTP, &self.smtp)]
            .into_iter()
            .filter_map(|(kind, server)| Some((kind, server.as_ref()?)))
    }

    /// Writes the files of new passwords into a folder.
    fn write_passwords(&self, folder: &Path) -> Result<(), CliError> {
        for (kind, server) in self.servers() {
            if let Some(Password::New(password)) = &server.password {
                postrider_disk::put(&folder.join(kind.password_file), format!("{password}\n").as_bytes())?;
            }
        }
        Ok(())
    }

    /// Returns the settings with the answers; new passwords are in files of the folder `passwords`.
    fn set_in(&self, old: &str, passwords: &Path) -> Result<String, CliError> {
        let mut text = old.to_owned();
        let mut put = |table: &str, key: &str, value: Option<Value>| -> Result<(), CliError> {
            if let Some(value) = value {
                text = set(&text, table, key, &value)?;
            }
            Ok(())
        };
        put("", "address", self.address.as_deref().map(text_value))?;
        put("", "time_zone", self.zone.as_deref().map(text_value))?;
        for (kind, Server { host, port, security, user, password }) in self.servers() {
            let file = password.as_ref().map(|password| match password {
                Password::File(path) => path.clone(),
                Password::New(_) => passwords.join(kind.password_file),
            });
            let ca = self.ca.as_ref().filter(|_| *security != Security::None);
            put(kind.table, "host", Some(text_value(host)))?;
            put(kind.table, "port", Some(Value::Integer(i64::from(*port))))?;
            put(kind.table, "security", Some(text_value(security.name())))?;
            put(kind.table, "user", user.as_deref().map(text_value))?;
            put(kind.table, "password_file", file.map(|file| text_value(&file.to_string_lossy())))?;
            put(kind.table, "ca", ca.map(|ca| text_value(&ca.to_string_lossy())))?;
        }
        put(IMAP.table, "mailbox", self.mailbox.as_deref().map(text_value))?;
        Ok(text)
    }
}

/// The differences between the questions about the two servers.
struct Kind {
    table: &'static str,
    password_file: &'static str,
    question: &'static str,
    /// The names of the options, with their prefix.
    option: &'static str,
    /// The usual ports for TLS from the first byte and for STARTTLS.
    ports: (u16, u16),
}

const IMAP: Kind = Kind {
    table: "mail_in.imap",
    password_file: "imap-password",
    question: "The server of its mailbox (IMAP), or none",
    option: "--imap",
    ports: (993, 143),
};
const SMTP: Kind = Kind {
    table: "mail_out.smtp",
    password_file: "smtp-password",
    question: "The server that sends (SMTP), or none",
    option: "--smtp",
    ports: (465, 587),
};

/// The options about a server.
struct Given<'a> {
    server: Option<&'a str>,
    user: Option<&'a str>,
    security: Option<Security>,
    password_file: Option<&'a Path>,
}

impl<'a> Given<'a> {
    fn of(
        [server, user]: [&'a Option<String>; 2],
        security: Option<Security>,
        password_file: &'a Option<PathBuf>,
    ) -> Given<'a> {
        Given { server: server.as_deref(), user: user.as_deref(), security, password_file: password_file.as_deref() }
    }

    /// Returns the server that the settings have. Its port belongs to its encryption.
    fn kept(&self, host: &str, port: u16) -> String {
        if self.security.is_some() { host.to_owned() } else { format!("{host}:{port}") }
    }

    fn is_some(&self) -> bool {
        self.server.is_some() || self.user.is_some() || self.security.is_some() || self.password_file.is_some()
    }
}

/// Asks at the terminal for everything not given by an option.
struct Asker {
    terminal: bool,
}

impl Asker {
    /// Asks for a server and its login; `None` for no server. A known login is not asked for.
    fn server(
        &self,
        kind: &Kind,
        given: &Given<'_>,
        (usual, address): (&str, &str),
        login: Option<(Option<String>, Option<Password>)>,
    ) -> Result<Option<Server>, CliError> {
        let option = |part: &str| format!("{}{part}", kind.option);
        let name = self.ask(kind.question, given.server, kind.option, Some(usual))?;
        if name == "none" {
            return Ok(None);
        }
        let (host, port, security) = server(&name, given.security, kind.ports)?;
        // A server on this machine may send without a login.
        if kind.table == SMTP.table && security == Security::None && given.user.is_none() {
            return Ok(Some(Server { host, port, security, user: None, password: None }));
        }
        let (known_user, known_password) = login.unwrap_or_default();
        let user = match (given.user, known_user) {
            (None, Some(user)) => user,
            (given, _) => self.ask("Its user", given, &option("-user"), Some(address))?,
        };
        let password = match (given.password_file, known_password) {
            (None, Some(password)) => password,
            (file, _) => Password::New(self.password("Its password", file, &option("-password-file"))?),
        };
        Ok(Some(Server { host, port, security, user: Some(user), password: Some(password) }))
    }

    fn ask(&self, what: &str, given: Option<&str>, option: &str, usual: Option<&str>) -> Result<String, CliError> {
        if let Some(given) = given {
            return Ok(given.trim().to_owned());
        }
        if !self.terminal {
            return usual.map(str::to_owned).ok_or_else(|| no_terminal(option));
        }
        loop {
            let mut err = io::stderr().lock();
            match usual {
                Some(usual) => write!(err, "{what} [{usual}]: ")?,
                None => write!(err, "{what}: ")?,
            }
            err.flush()?;
            let mut line = String::new();
            if io::stdin().read_line(&mut line)? == 0 {
                return Err(CliError::Usage("the input ended before the last answer; nothing was written".to_owned()));
            }
            match (line.trim(), usual) {
                ("", Some(usual)) => return Ok(usual.to_owned()),
                ("", None) => {}
                (line, _) => return Ok(line.to_owned()),
            }
        }
    }

    fn password(&self, what: &str, file: Option<&Path>, option: &str) -> Result<String, CliError> {
        if let Some(file) = file {
            return Ok(fs::read_to_string(file)?.lines().next().unwrap_or_default().to_owned());
        }
        if !self.terminal {
            return Err(no_terminal(option));
        }
        Ok(rpassword::prompt_password(format!("{what} (not shown): "))?)
    }
}

fn no_terminal(option: &str) -> CliError {
    CliError::Usage(format!("there is no terminal for the question; give {option}"))
}

/// Parses a server: its name, optionally with a port. The port determines the encryption, unless
/// `told` does.
fn server(
    text: &str,
    told: Option<Security>,
    (tls, starttls): (u16, u16),
) -> Result<(String, u16, Security), CliError> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => {
            let wrong = |_| CliError::Usage(format!("\"{port}\" in \"{text}\" is not a port; ports are 1 to 65535"));
            let port = port.parse().map_err(wrong)?;
            (host, Some(port))
        }
        None => (text, None),
    };
    let security = told.unwrap_or(if port == Some(starttls) { Security::Starttls } else { Security::Tls });
    let usual = if security == Security::Tls { tls } else { starttls };
    Ok((host.to_owned(), port.unwrap_or(usual), security))
}

/// Returns the servers of a mail provider; a table lists those with unusual names.
fn servers_of(domain: &str) -> (String, String) {
    let domain = domain.to_ascii_lowercase();
    let (imap, smtp) = match domain.as_str() {
        "gmail.com" | "googlemail.com" => ("imap.gmail.com", "smtp.gmail.com"),
        "fastmail.com" | "fastmail.fm" => ("imap.fastmail.com", "smtp.fastmail.com"),
        "gmx.net" | "gmx.de" => ("imap.gmx.net", "mail.gmx.net"),
        "icloud.com" | "me.com" => ("imap.mail.me.com", "smtp.mail.me.com:587"),
        "yahoo.com" => ("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
        _ => return (format!("imap.{domain}"), format!("smtp.{domain}")),
    };
    (imap.to_owned(), smtp.to_owned())
}

/// Returns the time zone of this machine, or UTC if it is unknown.
fn own_zone() -> String {
    let named = std::env::var("TZ").ok().or_else(|| fs::read_to_string("/etc/timezone").ok());
    let zone = named.map(|zone| zone.trim().to_owned()).filter(|zone| Zone::named(zone).is_some());
    zone.unwrap_or_else(|| "UTC".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_says_how_a_connection_is_kept_private() {
        let read = |text: &str, told| server(text, told, (465, 587)).unwrap();
        assert_eq!(read("smtp.example.org", None), ("smtp.example.org".to_owned(), 465, Security::Tls));
        assert_eq!(read("smtp.example.org:587", None).2, Security::Starttls);
        assert_eq!(read("localhost", Some(Security::None)).1, 587);
        assert_eq!(read("smtp.example.org:2465", None), ("smtp.example.org".to_owned(), 2465, Security::Tls));
        assert!(server("smtp.example.org:x", None, (465, 587)).is_err());
    }
}
