//! Ways out: a mail handed over to whoever delivers it.

use std::{net::IpAddr, time::Duration};

use data_encoding::HEXLOWER;
use lettre::{
    Address, Transport as _,
    transport::smtp::{
        self,
        authentication::Credentials,
        client::{Tls, TlsParameters},
        extension::ClientId,
    },
};
use sha2::{Digest, Sha256};

use super::{Envelope, Maildir, MaildirFault};

/// Why a mail was not handed over. No text holds a recipient's address unless the server's own words do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendFault {
    /// It may pass later: the server is away, busy, or said 4xx. The mail stays in the outbox. If the connection broke after
    /// the text was sent, the server may have taken it all the same; the Message-ID is then the same.
    #[error("not sent for now: {0}")]
    Temporary(String),
    /// It never will: the server said 5xx to this mail or its recipient, or an address is none.
    #[error("refused for good: {0}")]
    Permanent(String),
    /// The host's own settings do not work (login, TLS, host name). The mail stays in the outbox until they do.
    #[error("the mail settings do not work: {0}")]
    Setup(String),
}

impl SendFault {
    /// Whether the mail is still to be sent, later.
    pub fn stays_owed(&self) -> bool {
        !matches!(self, SendFault::Permanent(_))
    }
}

/// A way out for mails.
pub trait Transport {
    /// Hands one message over. After `Ok` it is the receiver's.
    ///
    /// # Errors
    /// [`SendFault`], which says whether trying again can help.
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault>;
}

/// Puts mails into a Maildir instead of sending them: for trials, demonstrations and tests.
///
/// Each is named by the SHA-256 of its bytes, so that sending the same mail again changes nothing.
#[derive(Clone, Debug)]
pub struct MaildirTransport {
    maildir: Maildir,
}

impl MaildirTransport {
    /// Mails go to this Maildir.
    pub fn new(maildir: Maildir) -> MaildirTransport {
        MaildirTransport { maildir }
    }
}

impl Transport for MaildirTransport {
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        smtp_envelope(envelope)?;
        let unique = HEXLOWER.encode(&Sha256::digest(raw));
        match self.maildir.deliver(&unique, raw) {
            Ok(_) => Ok(()),
            Err(fault @ MaildirFault::Io(_)) => Err(SendFault::Temporary(fault.to_string())),
            Err(fault) => Err(SendFault::Permanent(fault.to_string())),
        }
    }
}

/// How a connection to a mail server is kept private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte (RFC 8314), usually port 465.
    Implicit,
    /// TLS by STARTTLS, refused if the server does not offer it; usually port 587.
    StartTls,
    /// None. Only for a server on this machine (`localhost` or a loopback address).
    None,
}

/// How to reach the mail server that sends for this host.
#[derive(Clone)]
pub struct SmtpConfig {
    /// The server's name, which its certificate must carry.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is kept private.
    pub security: Security,
    /// User and password, if the server wants them.
    pub credentials: Option<(String, String)>,
    /// The name this host gives itself; the system's if `None`.
    pub hello_name: Option<String>,
    /// How long to wait for each answer of the server.
    pub timeout: Duration,
}

/// Without the password.
impl std::fmt::Debug for SmtpConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpConfig")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .field("user", &self.credentials.as_ref().map(|(user, _)| user))
            .field("hello_name", &self.hello_name)
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// Sends mails through a mail server by SMTP (RFC 5321), one connection a mail.
#[derive(Debug)]
pub struct SmtpTransport {
    inner: smtp::SmtpTransport,
}

impl SmtpTransport {
    /// Prepares the way to the server; nothing is sent yet.
    ///
    /// # Errors
    /// [`SendFault::Setup`] for a name that no certificate can carry, or an open connection to another machine.
    pub fn new(config: &SmtpConfig) -> Result<SmtpTransport, SendFault> {
        let tls = match config.security {
            Security::None if is_this_machine(&config.host) => Tls::None,
            Security::None => {
                return Err(SendFault::Setup(format!("{} is not this machine: it needs TLS", config.host)));
            }
            Security::StartTls => Tls::Required(tls_parameters(&config.host)?),
            Security::Implicit => Tls::Wrapper(tls_parameters(&config.host)?),
        };
        let mut builder = smtp::SmtpTransport::builder_dangerous(config.host.as_str())
            .port(config.port)
            .tls(tls)
            .timeout(Some(config.timeout));
        if let Some((user, password)) = &config.credentials {
            builder = builder.credentials(Credentials::new(user.clone(), password.clone()));
        }
        if let Some(name) = &config.hello_name {
            builder = builder.hello_name(ClientId::Domain(name.clone()));
        }
        Ok(SmtpTransport { inner: builder.build() })
    }
}

impl Transport for SmtpTransport {
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        let envelope = smtp_envelope(envelope)?;
        // The library ends the text with a line break of its own before the final dot.
        let raw = raw.strip_suffix(b"\r\n").unwrap_or(raw);
        self.inner.send_raw(&envelope, raw).map(drop).map_err(|fault| classify(&fault))
    }
}

/// What a failure means for the mail.
fn classify(fault: &smtp::Error) -> SendFault {
    let reason = match std::error::Error::source(fault) {
        Some(source) => format!("{fault} ({source})"),
        None => fault.to_string(),
    };
    // RFC 4954 section 6: the login was refused, which says nothing about the mail.
    let login = fault.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538));
    // A client error means that server and settings do not fit: no STARTTLS, no common way to log in.
    if login || fault.is_tls() || fault.is_client() {
        SendFault::Setup(reason)
    } else if fault.is_permanent() {
        SendFault::Permanent(reason)
    } else {
        SendFault::Temporary(reason)
    }
}

fn tls_parameters(host: &str) -> Result<TlsParameters, SendFault> {
    TlsParameters::new(host.to_string()).map_err(|fault| SendFault::Setup(fault.to_string()))
}

fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn smtp_envelope(envelope: &Envelope) -> Result<lettre::address::Envelope, SendFault> {
    let parse = |what: &str, address: &String| {
        address.parse::<Address>().map_err(|_| SendFault::Permanent(format!("the {what}'s address is not one")))
    };
    let sender = envelope.sender.as_ref().map(|address| parse("sender", address)).transpose()?;
    let recipients =
        envelope.recipients.iter().map(|address| parse("recipient", address)).collect::<Result<Vec<_>, _>>()?;
    lettre::address::Envelope::new(sender, recipients)
        .map_err(|_| SendFault::Permanent("there is no recipient".to_string()))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpListener,
        thread::{self, JoinHandle},
    };

    use super::*;

    /// A mail server that takes one connection, answers by a script (command beginning, answer), and returns what it
    /// was told. A command that the script does not name gets 250.
    fn server(script: &'static [(&'static str, &'static str)]) -> (u16, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            let mut writer = stream.try_clone().unwrap();
            writer.write_all(b"220 test ESMTP\r\n").unwrap();
            let (mut heard, mut in_data) = (Vec::new(), false);
            for line in BufReader::new(stream).lines() {
                let Ok(line) = line else { break };
                heard.push(line.clone());
                if in_data && line != "." {
                    continue;
                }
                let scripted = script.iter().find(|(command, _)| line.starts_with(command)).map(|(_, answer)| *answer);
                let default = if line == "DATA" { "354 go on" } else { "250 fine" };
                let answer = scripted.unwrap_or(default);
                in_data = line == "DATA" && answer.starts_with("354");
                if writer.write_all(format!("{answer}\r\n").as_bytes()).is_err() || line == "QUIT" {
                    break;
                }
            }
            heard
        });
        (port, handle)
    }

    fn config(port: u16) -> SmtpConfig {
        SmtpConfig {
            host: "127.0.0.1".into(),
            port,
            security: Security::None,
            credentials: None,
            hello_name: Some("play.example.org".into()),
            timeout: Duration::from_secs(10),
        }
    }

    fn send(config: &SmtpConfig) -> Result<(), SendFault> {
        let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        SmtpTransport::new(config)?.send(&envelope, b"Subject: x\r\n\r\n.dot\r\nText\r\n")
    }

    #[test]
    fn a_mail_arrives_whole() {
        let (port, handle) = server(&[]);
        assert_eq!(send(&config(port)), Ok(()));
        let heard = handle.join().unwrap();
        assert_eq!(heard[0], "EHLO play.example.org");
        assert_eq!(heard[1], "MAIL FROM:<>");
        assert_eq!(heard[2], "RCPT TO:<ben@example.net>");
        // RFC 5321 section 4.5.2: a dot at the beginning of a line is doubled.
        assert_eq!(heard[3..9], ["DATA", "Subject: x", "", "..dot", "Text", "."]);
    }

    #[test]
    fn refusals_are_told_apart() {
        let (port, handle) = server(&[("RCPT", "550 no such user")]);
        assert!(matches!(send(&config(port)), Err(SendFault::Permanent(why)) if why.contains("no such user")));
        handle.join().unwrap();
        let (port, handle) = server(&[("RCPT", "451 greylisted")]);
        let fault = send(&config(port)).unwrap_err();
        assert!(matches!(&fault, SendFault::Temporary(why) if why.contains("greylisted")) && fault.stays_owed());
        handle.join().unwrap();
        let (port, handle) = server(&[(".", "452 disk full")]);
        assert!(matches!(send(&config(port)), Err(SendFault::Temporary(_))));
        handle.join().unwrap();
    }

    #[test]
    fn a_refused_login_or_missing_starttls_is_the_hosts_affair() {
        let (port, handle) = server(&[("EHLO", "250-test\r\n250 AUTH PLAIN"), ("AUTH", "535 wrong password")]);
        let with_login = SmtpConfig { credentials: Some(("postrider".into(), "secret".into())), ..config(port) };
        assert!(matches!(send(&with_login), Err(SendFault::Setup(_))));
        assert!(handle.join().unwrap()[1].starts_with("AUTH PLAIN "));
        assert!(!format!("{with_login:?}").contains("secret"));
        let (port, handle) = server(&[]);
        let starttls = SmtpConfig { security: Security::StartTls, host: "localhost".into(), ..config(port) };
        assert!(matches!(send(&starttls), Err(SendFault::Setup(_))));
        // Nothing of the mail was said in the open.
        assert!(!handle.join().unwrap().iter().any(|line| line.starts_with("MAIL")));
    }

    #[test]
    fn nobody_there_is_temporary() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        assert!(matches!(send(&config(port)), Err(SendFault::Temporary(_))));
    }

    #[test]
    fn open_connections_stay_on_this_machine() {
        let away = SmtpConfig { host: "mail.example.org".into(), ..config(25) };
        assert!(matches!(SmtpTransport::new(&away), Err(SendFault::Setup(_))));
    }

    #[test]
    fn the_maildir_keeps_each_mail_once() {
        let dir = tempfile::tempdir().unwrap();
        let maildir = Maildir::open(dir.path()).unwrap();
        let mut transport = MaildirTransport::new(maildir.clone());
        let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        for _ in 0..2 {
            transport.send(&envelope, b"mail").unwrap();
        }
        assert_eq!(maildir.list().unwrap().len(), 1);
        let nobody = Envelope { sender: None, recipients: vec![] };
        assert!(matches!(transport.send(&nobody, b"mail"), Err(SendFault::Permanent(_))));
    }
}
