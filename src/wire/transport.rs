//! Ways out: a mail handed over to whoever delivers it.

use std::{borrow::Cow, net::IpAddr, sync::Arc, time::Duration};

use lettre::{
    Address,
    transport::smtp::{
        self,
        authentication::{Credentials, DEFAULT_MECHANISMS, Mechanism},
        client::{Certificate, CertificateStore, SmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt, Rset},
        extension::{ClientId, Extension, MailBodyParameter, MailParameter},
    },
};

use super::{Login, LoginFault};
use postrider_mail::{DkimKey, Envelope};

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
    /// The connection broke, or nothing was heard for too long, in the middle of this mail.
    #[error("not sent for now: {0}")]
    Broken(String),
    /// No server could be reached, or it did not greet: what goes for this mail goes for all.
    #[error("the mail server cannot be reached: {0}")]
    Unreachable(String),
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
    /// User and password or token, if the server wants them.
    pub credentials: Option<(String, Login)>,
    /// The name this host gives itself; the system's if `None`.
    pub hello_name: Option<String>,
    /// A certificate that is trusted beside the system's, as PEM: that of a server with an authority of its own.
    pub ca: Option<Vec<u8>>,
    /// How long to wait for each answer of the server.
    pub timeout: Duration,
    /// The key with which mails are signed as they are handed over (DKIM), where that is not the server's work.
    pub dkim: Option<Arc<DkimKey>>,
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
            .field("dkim", &self.dkim)
            .finish()
    }
}

/// Sends mails through a mail server by SMTP (RFC 5321): many over one connection, which is opened when the first is sent.
pub struct SmtpTransport {
    config: SmtpConfig,
    tls: Option<TlsParameters>,
    hello: ClientId,
    connection: Option<SmtpConnection>,
}

impl SmtpTransport {
    /// Prepares the way to the server; nothing is sent yet.
    ///
    /// # Errors
    /// [`SendFault::Setup`] for a name that no certificate can carry, a `ca` that is no certificate, or an open connection to
    /// another machine.
    pub fn new(config: &SmtpConfig) -> Result<SmtpTransport, SendFault> {
        let tls = match config.security {
            Security::None if is_this_machine(&config.host) => None,
            Security::None => {
                return Err(SendFault::Setup(format!("{} is not this machine: it needs TLS", config.host)));
            }
            Security::StartTls | Security::Implicit => Some(tls_parameters(config)?),
        };
        let hello = config.hello_name.clone().map_or_else(ClientId::default, ClientId::Domain);
        Ok(SmtpTransport { config: config.clone(), tls, hello, connection: None })
    }

    /// Connects and logs in, and sends nothing.
    ///
    /// # Errors
    /// [`SendFault`].
    pub fn check(&mut self) -> Result<(), SendFault> {
        self.connection().map(drop)
    }

    /// The connection, opened if there is none that works.
    fn connection(&mut self) -> Result<&mut SmtpConnection, SendFault> {
        if self.connection.as_ref().is_none_or(SmtpConnection::has_broken) {
            self.connection = None;
            let login = self.config.credentials.as_ref().map(|(user, login)| Ok((user, login.secret()?)));
            let login = login.transpose().map_err(|why: LoginFault| SendFault::Setup(why.to_string()))?;
            let login = login.map(|(user, secret)| Credentials::new(user.clone(), secret));
            let opened = self.open(login.as_ref()).map_err(|fault| match classify(&fault) {
                // A server that does not greet will not take the next mail either.
                SendFault::Temporary(why) | SendFault::Permanent(why) | SendFault::Broken(why) => {
                    SendFault::Unreachable(why)
                }
                other => other,
            })?;
            self.connection = Some(opened);
        }
        // It was put there above.
        self.connection.as_mut().ok_or_else(|| SendFault::Unreachable("no connection".to_owned()))
    }

    fn open(&self, login: Option<&Credentials>) -> Result<SmtpConnection, smtp::Error> {
        let SmtpConfig { host, port, security, credentials, timeout, .. } = &self.config;
        let at_once = self.tls.as_ref().filter(|_| *security == Security::Implicit);
        let server = (host.as_str(), *port);
        let mut connection = SmtpConnection::connect(server, Some(*timeout), &self.hello, at_once, None)?;
        if let Some(tls) = self.tls.as_ref().filter(|_| *security == Security::StartTls) {
            connection.starttls(tls, &self.hello)?;
        }
        if let Some(login) = login {
            let token = credentials.as_ref().is_some_and(|(_, login)| login.is_token());
            connection.auth(if token { &[Mechanism::Xoauth2] } else { DEFAULT_MECHANISMS }, login)?;
        }
        Ok(connection)
    }
}

/// Says goodbye.
impl Drop for SmtpTransport {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.as_mut().filter(|connection| !connection.has_broken()) {
            // Whether it is heard makes no difference any more.
            let _ = connection.set_timeout(Some(GOODBYE));
            let _ = connection.quit();
        }
    }
}

/// So long a server may take to hear the goodbye.
const GOODBYE: Duration = Duration::from_millis(500);

impl Transport for SmtpTransport {
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        let envelope = smtp_envelope(envelope)?;
        // The library ends the text with a line break of its own before the final dot.
        let raw = raw.strip_suffix(b"\r\n").unwrap_or(raw);
        let raw = match &self.config.dkim {
            Some(key) => Cow::Owned(key.sign(raw).map_err(|why| SendFault::Setup(why.to_string()))?),
            None => Cow::Borrowed(raw),
        };
        let connection = self.connection()?;
        let handed = hand_over(connection, &envelope, &raw);
        if let Err(fault) = &handed {
            // What was said for this mail counts for no other; a connection on which nothing is heard is good for nothing.
            let heard = !matches!(fault, SendFault::Broken(_)) && connection.command(Rset).is_ok();
            if !heard {
                connection.abort();
                self.connection = None;
            }
        }
        handed
    }
}

/// Hands one mail over (RFC 5321 section 3.3). A refusal of the sender is the host's affair, one of a recipient or of the text is the
/// mail's.
fn hand_over(
    connection: &mut SmtpConnection,
    envelope: &lettre::address::Envelope,
    raw: &[u8],
) -> Result<(), SendFault> {
    let mut parameters = Vec::new();
    if envelope.from().into_iter().chain(envelope.to()).any(|address| !address.to_string().is_ascii()) {
        if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
            return Err(SendFault::Permanent("the server knows no addresses beyond ASCII (SMTPUTF8)".to_owned()));
        }
        parameters.push(MailParameter::SmtpUtfEight);
    }
    if !raw.is_ascii() && connection.server_info().supports_feature(Extension::EightBitMime) {
        parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
    }
    connection.command(Mail::new(envelope.from().cloned(), parameters)).map_err(|fault| of_the_sender(&fault))?;
    for to in envelope.to() {
        connection.command(Rcpt::new(to.clone(), Vec::new())).map_err(|fault| match classify(&fault) {
            // RFC 5321 section 7.9: a server that relays nothing for this host refuses every recipient.
            SendFault::Permanent(why) if why.to_ascii_lowercase().contains("relay") => SendFault::Setup(why),
            other => other,
        })?;
    }
    connection.command(Data).map_err(|fault| classify(&fault))?;
    connection.message(raw).map(drop).map_err(|fault| classify(&fault))
}

fn of_the_sender(fault: &smtp::Error) -> SendFault {
    match classify(fault) {
        SendFault::Permanent(why) => SendFault::Setup(why),
        other => other,
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
    } else if fault.status().is_some() {
        SendFault::Temporary(reason)
    } else {
        SendFault::Broken(reason)
    }
}

/// The certificates that are trusted: the system's, or those built in where the system has none, and that of `ca`.
fn tls_parameters(config: &SmtpConfig) -> Result<TlsParameters, SendFault> {
    let setup = |fault: smtp::Error| SendFault::Setup(fault.to_string());
    let mut builder = TlsParameters::builder(config.host.clone());
    if rustls_native_certs::load_native_certs().certs.is_empty() {
        builder = builder.certificate_store(CertificateStore::WebpkiRoots);
    }
    if let Some(pem) = &config.ca {
        builder = builder.add_root_certificate(Certificate::from_pem(pem).map_err(setup)?);
    }
    builder.build().map_err(setup)
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
    use crate::xoauth2;
    use data_encoding::BASE64;

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
            ca: None,
            timeout: Duration::from_secs(10),
            dkim: None,
        }
    }

    fn send(config: &SmtpConfig) -> Result<(), SendFault> {
        let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        SmtpTransport::new(config)?.send(&envelope, b"Subject: x\r\n\r\n.dot\r\nText\r\n")
    }

    #[test]
    fn a_mail_is_signed_as_it_is_handed_over() {
        use postrider_mail::{Keys, Signed, check_signatures};
        let (port, handle) = server(&[]);
        let key = DkimKey::new("play.example", "s", DkimKey::new_pem().unwrap().as_bytes()).unwrap();
        let keys = Keys::of(&[(&key.name(), key.record())]);
        let config = SmtpConfig { dkim: Some(Arc::new(key)), ..config(port) };
        let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        let raw = b"From: postrider@play.example\r\nSubject: x\r\n\r\n.dot\r\nText\r\n";
        assert_eq!(SmtpTransport::new(&config).unwrap().send(&envelope, raw), Ok(()));
        let heard = handle.join().unwrap();
        let from = heard.iter().position(|line| line == "DATA").unwrap() + 1;
        let lines = heard[from..].iter().take_while(|line| *line != ".");
        let came: String = lines.map(|line| format!("{}\r\n", line.strip_prefix('.').unwrap_or(line))).collect();
        let by = Signed::Dkim { domain: "play.example".into() };
        assert_eq!(check_signatures(came.as_bytes(), "postrider@play.example", &[], &keys), Ok(by), "{came}");
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
        let with_login =
            SmtpConfig { credentials: Some(("postrider".into(), Login::Password("secret".into()))), ..config(port) };
        assert!(matches!(send(&with_login), Err(SendFault::Setup(_))));
        assert!(handle.join().unwrap()[1].starts_with("AUTH PLAIN "));
        assert!(!format!("{with_login:?}").contains("secret"));
        let (port, handle) =
            server(&[("EHLO", "250-test\r\n250 AUTH PLAIN XOAUTH2"), ("AUTH", "535 the token is old")]);
        let token = Login::Token(["echo", "ya29.token"].map(str::to_owned).to_vec());
        let with_token = SmtpConfig { credentials: Some(("host@example.net".into(), token)), ..config(port) };
        assert!(matches!(send(&with_token), Err(SendFault::Setup(why)) if why.contains("the token is old")));
        let said =
            handle.join().unwrap()[1].strip_prefix("AUTH XOAUTH2 ").map(|text| BASE64.decode(text.as_bytes()).unwrap());
        assert_eq!(said.unwrap(), xoauth2("host@example.net", "ya29.token").as_bytes());
        let (port, handle) = server(&[]);
        let starttls = SmtpConfig { security: Security::StartTls, host: "localhost".into(), ..config(port) };
        assert!(matches!(send(&starttls), Err(SendFault::Setup(_))));
        // Nothing of the mail was said in the open.
        assert!(!handle.join().unwrap().iter().any(|line| line.starts_with("MAIL")));
    }

    #[test]
    fn nobody_there_is_temporary() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        assert!(matches!(send(&config(port)), Err(SendFault::Unreachable(why)) if !why.is_empty()));
    }

    #[test]
    fn one_connection_carries_many_mails_and_outlives_a_refusal() {
        let (port, handle) = server(&[("RCPT TO:<carl", "550 no such user")]);
        let mut transport = SmtpTransport::new(&config(port)).unwrap();
        let to = |name: &str| Envelope { sender: None, recipients: vec![format!("{name}@example.net")] };
        assert_eq!(transport.send(&to("anna"), b"Subject: a\r\n\r\na\r\n"), Ok(()));
        assert!(matches!(transport.send(&to("carl"), b"Subject: b\r\n\r\nb\r\n"), Err(SendFault::Permanent(_))));
        assert_eq!(transport.send(&to("dora"), b"Subject: c\r\n\r\nc\r\n"), Ok(()));
        drop(transport);
        let heard = handle.join().unwrap();
        assert_eq!(heard.iter().filter(|line| line.starts_with("EHLO")).count(), 1);
        assert_eq!(heard.iter().filter(|line| *line == "RSET").count(), 1);
        assert_eq!(heard.last().map(String::as_str), Some("QUIT"));
    }

    #[test]
    fn a_silent_server_is_given_up_and_a_sender_that_is_refused_is_the_hosts_affair() {
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let short = SmtpConfig { timeout: Duration::from_millis(200), ..config(port) };
        assert!(matches!(send(&short), Err(SendFault::Unreachable(_))));
        for script in [("MAIL", "553 not your address"), ("RCPT", "554 relay access denied")] {
            let (port, handle) = server(match script.0 {
                "MAIL" => &[("MAIL", "553 not your address")],
                _ => &[("RCPT", "554 relay access denied")],
            });
            assert!(matches!(send(&config(port)), Err(SendFault::Setup(_))), "{script:?}");
            handle.join().unwrap();
        }
    }

    #[test]
    fn open_connections_stay_on_this_machine() {
        let away = SmtpConfig { host: "mail.example.org".into(), ..config(25) };
        assert!(matches!(SmtpTransport::new(&away), Err(SendFault::Setup(_))));
    }

    #[test]
    fn a_mail_to_nobody_is_refused_for_good() {
        let nobody = Envelope { sender: None, recipients: vec![] };
        assert!(matches!(smtp_envelope(&nobody), Err(SendFault::Permanent(_))));
    }
}
