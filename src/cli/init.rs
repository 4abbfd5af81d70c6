//! `postrider init`: asks for a host's settings, tests them, and writes them.

use super::{CliError, Output};
use clap::ValueEnum;
use fs_err as fs;
use postrider_serve::{ServeError, did_not_come, mail_to_oneself, try_mailbox, try_sending};
use postrider_store::{Host, SETTINGS};
use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// Timeout for a mail to oneself with an address extension, and again for one to the plain address.
const PATIENCE: Duration = Duration::from_secs(60);

/// The arguments of `init`.
#[derive(clap::Args, Debug)]
pub struct Init {
    /// The address that players write to
    #[arg(long)]
    address: Option<String>,
    /// The time zone of players who name none, as America/Denver
    #[arg(long)]
    zone: Option<String>,
    /// The server of the mailbox, HOST or HOST:PORT; "none" where mail comes in otherwise
    #[arg(long, value_name = "SERVER")]
    imap: Option<String>,
    /// How that connection is kept private
    #[arg(long, value_name = "HOW")]
    imap_security: Option<Security>,
    /// The user of the mailbox
    #[arg(long, value_name = "USER")]
    imap_user: Option<String>,
    /// A file whose first line is the password of the mailbox
    #[arg(long, value_name = "FILE")]
    imap_password_file: Option<PathBuf>,
    /// The mailbox
    #[arg(long, default_value = "INBOX")]
    mailbox: String,
    /// The server that sends, HOST or HOST:PORT; "none" where your own mail system fetches letters from mail/out
    #[arg(long, value_name = "SERVER")]
    smtp: Option<String>,
    /// How that connection is kept private
    #[arg(long, value_name = "HOW")]
    smtp_security: Option<Security>,
    /// The user who sends; that of the mailbox unless told
    #[arg(long, value_name = "USER")]
    smtp_user: Option<String>,
    /// A file whose first line is the password for sending; that of the mailbox unless told
    #[arg(long, value_name = "FILE")]
    smtp_password_file: Option<PathBuf>,
    /// A file with a certificate that is trusted beside the system's (PEM)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Write the settings without trying them out
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
    /// Nothing; for a server on this machine
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
    password: Option<String>,
}

/// Runs the command.
pub fn run(args: &Init, root: &Path) -> Result<Output, CliError> {
    let path = root.join(SETTINGS);
    if path.try_exists()? {
        let there = format!(
            "{} is there already: change it with an editor, or name another folder with --root",
            path.display()
        );
        return Err(CliError::Usage(there));
    }
    let asker = Asker { terminal: io::stdin().is_terminal() };
    let address = asker.ask("The address that players write to", args.address.as_deref(), "--address", None)?;
    let Some((_, domain)) = address.rsplit_once('@') else {
        return Err(CliError::Usage(format!("{address} is no mail address")));
    };
    let (imap_host, smtp_host) = servers_of(domain);
    let imap =
        asker.ask("The server of its mailbox (IMAP), or none", args.imap.as_deref(), "--imap", Some(&imap_host))?;
    let imap = match imap.as_str() {
        "none" => None,
        name => {
            let (host, port, security) = server(name, args.imap_security, (993, 143))?;
            let user = asker.ask("Its user", args.imap_user.as_deref(), "--imap-user", Some(&address))?;
            let password =
                asker.password("Its password", args.imap_password_file.as_deref(), "--imap-password-file")?;
            Some(Server { host, port, security, user: Some(user), password: Some(password) })
        }
    };
    let smtp = asker.ask("The server that sends (SMTP), or none", args.smtp.as_deref(), "--smtp", Some(&smtp_host))?;
    let smtp = match smtp.as_str() {
        "none" => None,
        name => {
            let (host, port, security) = server(name, args.smtp_security, (465, 587))?;
            let of_imap = |wanted: fn(&Server) -> &Option<String>| imap.as_ref().and_then(|imap| wanted(imap).clone());
            let user = match (&args.smtp_user, of_imap(|imap| &imap.user)) {
                (None, Some(user)) => user,
                (given, _) => asker.ask("Its user", given.as_deref(), "--smtp-user", Some(&address))?,
            };
            // A server on this machine may need no login.
            let open = security == Security::None && args.smtp_user.is_none();
            let password = match (&args.smtp_password_file, of_imap(|imap| &imap.password)) {
                (None, _) if open => None,
                (None, Some(password)) => Some(password),
                (given, _) => Some(asker.password("Its password", given.as_deref(), "--smtp-password-file")?),
            };
            Some(Server { host, port, security, user: (!open).then_some(user), password })
        }
    };
    let zone =
        asker.ask("The time zone of players who name none", args.zone.as_deref(), "--zone", Some(&own_zone()))?;
    let ca = args.ca.as_ref().map(std::path::absolute).transpose()?;
    let answers = Answers { address, zone, imap, smtp, mailbox: args.mailbox.clone(), ca };

    // Everything is first written and tested in a separate folder, then moved into place.
    fs::create_dir_all(root)?;
    let beside = tempfile::Builder::new().prefix(".init.").tempdir_in(root)?;
    let mut separator = "+";
    answers.write(beside.path(), separator)?;
    let mut host = Host::open(beside.path())?;
    if !args.no_trial {
        separator = trial(&mut host)?;
        answers.write(beside.path(), separator)?;
    }
    // The settings come last, because the other files have no effect without them.
    for file in [IMAP_PASSWORD, SMTP_PASSWORD, SETTINGS] {
        let from = beside.path().join(file);
        if from.try_exists()? {
            postrider_disk::put(&root.join(file), &fs::read(from)?)?;
        }
    }
    let mut text = format!("{} is written.\n", path.display());
    if separator.is_empty() {
        text += "Mails to extensions of your address do not arrive: tokens stand in the subject (separator = \"\").\n";
    }
    let root = root.display();
    text += &format!(
        "Next:\n  postrider --root {root} new --player \"Anna <anna@example.net>\" --player \"Ben <ben@example.net>\"\n  postrider \
         --root {root} serve\n"
    );
    Ok(text.into())
}

/// Tests both logins and a mail to oneself; returns the separator between the address and an
/// extension.
fn trial(host: &mut Host) -> Result<&'static str, ServeError> {
    let idle = try_mailbox(host)?;
    if let Some(idle) = idle {
        eprintln!(
            "The mailbox can be read; {}.",
            if idle { "it tells of new mails" } else { "it is asked for new mails" }
        );
    }
    let sends = try_sending(host)?;
    if sends {
        eprintln!("The server that sends takes the login.");
    }
    if idle.is_none() || !sends {
        return Ok("+");
    }
    eprintln!("A mail to oneself is on its way; it is waited for up to a minute.");
    let extended = mail_to_oneself(host, true, PATIENCE);
    if let Ok(Some(took)) = extended {
        eprintln!("It came after {:.0} s, to an address with an extension.", took.as_secs_f64().ceil());
        return Ok("+");
    }
    eprintln!("It does not come to an address with an extension; one to the plain address is on its way.");
    match mail_to_oneself(host, false, PATIENCE)? {
        Some(took) => {
            eprintln!("It came after {:.0} s.", took.as_secs_f64().ceil());
            Ok("")
        }
        None => Err(did_not_come()),
    }
}

const IMAP_PASSWORD: &str = "imap-password";
const SMTP_PASSWORD: &str = "smtp-password";

/// All answers.
struct Answers {
    address: String,
    zone: String,
    imap: Option<Server>,
    smtp: Option<Server>,
    mailbox: String,
    ca: Option<PathBuf>,
}

impl Answers {
    /// Writes the settings and the password files into a folder.
    fn write(&self, folder: &Path, separator: &str) -> Result<(), CliError> {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!(
            "# Written by `postrider init`. docs/host.md says what else can be set.\naddress = {}\nseparator = {}\ntime_zone = {}\n",
            quoted(&self.address),
            quoted(separator),
            quoted(&self.zone)
        );
        let ways = [("mail_in.imap", &self.imap, IMAP_PASSWORD), ("mail_out.smtp", &self.smtp, SMTP_PASSWORD)];
        for (table, server, file) in ways {
            let Some(Server { host, port, security, user, password }) = server else { continue };
            text += &format!(
                "\n[{table}]\nhost = {}\nport = {port}\nsecurity = {}\n",
                quoted(host),
                quoted(security.name())
            );
            if let Some(user) = user {
                text += &format!("user = {}\n", quoted(user));
            }
            if let Some(password) = password {
                text += &format!("password_file = {}\n", quoted(file));
                postrider_disk::put(&folder.join(file), format!("{password}\n").as_bytes())?;
            }
            if table == "mail_in.imap" && self.mailbox != "INBOX" {
                text += &format!("mailbox = {}\n", quoted(&self.mailbox));
            }
            if let Some(ca) = self.ca.as_ref().filter(|_| *security != Security::None) {
                text += &format!("ca = {}\n", quoted(&ca.to_string_lossy()));
            }
        }
        Ok(postrider_disk::put(&folder.join(SETTINGS), text.as_bytes())?)
    }
}

/// Asks at the terminal for everything not given by an option.
struct Asker {
    terminal: bool,
}

impl Asker {
    fn ask(&self, what: &str, given: Option<&str>, option: &str, usual: Option<&str>) -> Result<String, CliError> {
        if let Some(given) = given {
            return Ok(given.trim().to_owned());
        }
        if !self.terminal {
            let missing = || CliError::Usage(format!("nobody can be asked at a terminal: say {option}"));
            return usual.map(str::to_owned).ok_or_else(missing);
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
                return Err(CliError::Usage("nothing was written".to_owned()));
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
            return Err(CliError::Usage(format!("nobody can be asked at a terminal: say {option}")));
        }
        Ok(rpassword::prompt_password(format!("{what} (it is not shown): "))?)
    }
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
            let port = port.parse().map_err(|_| CliError::Usage(format!("{port} is no port")))?;
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
    let zone = named.map(|zone| zone.trim().to_owned()).filter(|zone| zone.parse::<chrono_tz::Tz>().is_ok());
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
