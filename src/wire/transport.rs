//! Transports, which hand a mail over for delivery.

use super::{
    Login, LoginFault,
    login::without_login,
    stream::{Bounded, Wire, read_line},
    tls::tls_config,
};
use lettre::{
    Address,
    transport::smtp::{
        self,
        authentication::{Credentials, DEFAULT_MECHANISMS, Mechanism},
        client::{AsyncSmtpConnection, AsyncTokioStream},
        commands::{Data, Ehlo, Mail, Rcpt, Rset, Starttls},
        extension::{ClientId, Extension, MailBodyParameter, MailParameter, ServerInfo},
        response::{
            Response,
            Severity::{self, PositiveCompletion, PositiveIntermediate},
        },
    },
};

use postrider_mail::{DkimKey, Envelope};
use std::{
    borrow::Cow,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, ToSocketAddrs as _},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    runtime::{Builder, Runtime},
    time::timeout,
};
use tokio_rustls::{TlsConnector, rustls::pki_types::ServerName};

/// The reason a mail was not handed over. A message contains a recipient's address only if the
/// server's reply did.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendFault {
    /// Trying again later may help: the server replied 4xx. The mail stays in the outbox.
    #[error("not sent for now: {0}")]
    Temporary(String),
    /// Trying again cannot help: the server replied 5xx to this mail or its recipient, or an
    /// address is invalid.
    #[error("refused for good: {0}")]
    Permanent(String),
    /// The connection broke or timed out during this mail. If the text was already sent, the server
    /// may have accepted it; the next attempt then has the same Message-ID.
    #[error("not sent for now: {0}")]
    Broken(String),
    /// The server could not be reached or did not greet, which concerns all mails, not only this
    /// one.
    #[error("the mail server cannot be reached: {0}")]
    Unreachable(String),
    /// The host's settings do not work (login, TLS, host name). The mail stays in the outbox until
    /// they do.
    #[error("the mail settings do not work: {0}")]
    Setup(String),
}

/// A way to send mails.
pub trait Transport {
    /// Hands over one message. After `Ok` the receiver is responsible for it.
    ///
    /// # Errors
    /// [`SendFault`], which tells whether a new attempt can help.
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault>;
}

/// The encryption of a connection to a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte (RFC 8314), usually port 465.
    Implicit,
    /// TLS by STARTTLS, an error if the server does not offer it; usually port 587.
    StartTls,
    /// None. Only for a server on this machine (`localhost` or a loopback address).
    None,
}

/// The settings for the mail server that sends for this host.
#[derive(Clone)]
pub struct SmtpConfig {
    /// The server's name, which must match its certificate.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The encryption of the connection.
    pub security: Security,
    /// The user and the password or token, if the server requires a login.
    pub credentials: Option<(String, Login)>,
    /// The name in EHLO, or the system's host name if `None`.
    pub hello_name: Option<String>,
    /// A certificate (PEM) trusted in addition to the system's, for a server with its own
    /// authority.
    pub ca: Option<Vec<u8>>,
    /// Timeout for each reply of the server.
    pub timeout: Duration,
    /// The key that signs mails as they are handed over (DKIM), if the server does not sign them.
    pub dkim: Option<Arc<DkimKey>>,
}

/// Omits the password.
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

/// Sends mails through a mail server by SMTP (RFC 5321). The connection is opened for the first
/// mail and reused.
pub struct SmtpTransport {
    config: SmtpConfig,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    hello: ClientId,
    connection: Option<AsyncSmtpConnection>,
    /// The last password or token sent.
    secret: String,
    runtime: Runtime,
}

impl SmtpTransport {
    /// Prepares the transport without connecting.
    ///
    /// # Errors
    /// [`SendFault::Setup`] if the server's name is invalid in a certificate, `ca` is not a
    /// certificate, or an unencrypted connection would leave this machine.
    /// [`SendFault::Unreachable`] if the system cannot create the runtime.
    pub fn new(config: &SmtpConfig) -> Result<SmtpTransport, SendFault> {
        let tls = match config.security {
            Security::None if is_this_machine(&config.host) => None,
            Security::None => {
                return Err(SendFault::Setup(format!("{} is not this machine: it needs TLS", config.host)));
            }
            Security::StartTls | Security::Implicit => {
                let setup = |why: String| SendFault::Setup(format!("TLS: {why}"));
                let name = ServerName::try_from(config.host.clone()).map_err(|why| setup(why.to_string()))?;
                let tls = tls_config(config.ca.as_deref()).map_err(setup)?;
                Some((TlsConnector::from(Arc::new(tls)), name))
            }
        };
        let hello = config.hello_name.clone().map_or_else(ClientId::default, ClientId::Domain);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|why| SendFault::Unreachable(why.to_string()))?;
        Ok(SmtpTransport { config: config.clone(), tls, hello, connection: None, secret: String::new(), runtime })
    }

    /// Connects and logs in without sending a mail.
    ///
    /// # Errors
    /// [`SendFault`] if that fails.
    pub fn check(&mut self) -> Result<(), SendFault> {
        self.connect().map_err(|fault| self.without_login(fault))
    }

    /// Returns the fault with any part of the login removed, for the log.
    fn without_login(&self, fault: SendFault) -> SendFault {
        let hide = |why| without_login(why, &self.secret);
        match fault {
            SendFault::Temporary(why) => SendFault::Temporary(hide(why)),
            SendFault::Permanent(why) => SendFault::Permanent(hide(why)),
            SendFault::Broken(why) => SendFault::Broken(hide(why)),
            SendFault::Unreachable(why) => SendFault::Unreachable(hide(why)),
            SendFault::Setup(why) => SendFault::Setup(hide(why)),
        }
    }

    /// Connects and logs in, unless there is a working connection.
    fn connect(&mut self) -> Result<(), SendFault> {
        if self.connection.as_ref().is_some_and(|connection| !connection.has_broken()) {
            return Ok(());
        }
        self.connection = None;
        let login = self.config.credentials.as_ref().map(|(user, login)| Ok((user, login.secret()?)));
        let login = login.transpose().map_err(|why: LoginFault| SendFault::Setup(why.to_string()))?;
        let login = login.map(|(user, secret)| {
            self.secret.clone_from(&secret);
            Credentials::new(user.clone(), secret)
        });
        let stream = self.reach().map_err(|why| SendFault::Unreachable(why.to_string()))?;
        let opened = self.runtime.block_on(self.open(stream, login.as_ref())).map_err(|fault| match fault {
            // A server that does not greet will not accept the next mail either.
            SendFault::Temporary(why) | SendFault::Permanent(why) | SendFault::Broken(why) => {
                SendFault::Unreachable(why)
            }
            other => other,
        })?;
        self.connection = Some(opened);
        Ok(())
    }

    /// Connects to the first of the server's addresses that answers.
    fn reach(&self) -> io::Result<TcpStream> {
        let SmtpConfig { host, port, timeout, .. } = &self.config;
        let mut fault = io::Error::other(format!("no address of {host} is known"));
        for address in (host.as_str(), *port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, *timeout) {
                Ok(stream) => {
                    stream.set_nonblocking(true)?;
                    // The text and its final dot are separate writes.
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
                Err(why) => fault = why,
            }
        }
        Err(fault)
    }

    /// Starts a session. Unencrypted replies are read line by line, and none of them counts after
    /// TLS has started.
    async fn open(&self, stream: TcpStream, login: Option<&Credentials>) -> Result<AsyncSmtpConnection, SendFault> {
        let SmtpConfig { security, credentials, timeout: patience, .. } = &self.config;
        let stream = tokio::net::TcpStream::from_std(stream).map_err(|why| broken(&why))?;
        let mut wire = bounded(Box::new(stream));
        if *security == Security::Implicit {
            wire = self.private(wire).await?;
        }
        self.answer(&mut wire).await?;
        if *security == Security::StartTls {
            let greeted = self.ask(&mut wire, &Ehlo::new(self.hello.clone()).to_string()).await?;
            let server = ServerInfo::from_response(&greeted).map_err(|fault| classify(&fault))?;
            if !server.supports_feature(Extension::StartTls) {
                return Err(SendFault::Setup("the server does not offer STARTTLS".to_owned()));
            }
            self.ask(&mut wire, &Starttls.to_string()).await?;
            wire = self.private(wire).await?;
        }
        let greeted = Box::new(Greeted { greeting: b"220 greeted\r\n", wire });
        let mut connection =
            within(*patience, AsyncSmtpConnection::connect_with_transport(greeted, &self.hello)).await?;
        if let Some(login) = login {
            let token = credentials.as_ref().is_some_and(|(_, login)| login.is_token());
            let mechanisms = if token { &[Mechanism::Xoauth2] } else { DEFAULT_MECHANISMS };
            within(*patience, connection.auth(mechanisms, login)).await?;
        }
        Ok(connection)
    }

    /// Starts TLS.
    async fn private(&self, wire: Bounded) -> Result<Bounded, SendFault> {
        let fault = |why: String| SendFault::Unreachable(format!("no private connection (TLS): {why}"));
        let Some((connector, name)) = &self.tls else { return Err(fault("no settings".to_owned())) };
        let private = timeout(self.config.timeout, connector.connect(name.clone(), wire)).await;
        let private = private.map_err(|_| fault("no answer".to_owned()))?.map_err(|why| fault(why.to_string()))?;
        Ok(bounded(Box::new(private)))
    }

    /// Sends a command and reads the reply, before the SMTP library takes over the connection.
    async fn ask(&self, wire: &mut Bounded, command: &str) -> Result<Response, SendFault> {
        let written = timeout(self.config.timeout, wire.write_all(command.as_bytes())).await;
        written.map_err(|_| silent(self.config.timeout))?.map_err(|why| broken(&why))?;
        self.answer(wire).await
    }

    /// Reads a reply, before the SMTP library takes over the connection.
    async fn answer(&self, wire: &mut Bounded) -> Result<Response, SendFault> {
        let whole = async {
            let mut lines = String::new();
            loop {
                let line = read_line(wire).await?;
                lines.push_str(&line);
                if line.as_bytes().get(3) != Some(&b'-') {
                    return Ok(lines);
                }
            }
        };
        let lines = timeout(self.config.timeout, whole).await.map_err(|_| silent(self.config.timeout))?;
        let lines = lines.map_err(|why: io::Error| broken(&why))?;
        let answer: Response = lines.parse().map_err(|fault| classify(&fault))?;
        match answer.is_positive() {
            true => Ok(answer),
            false => Err(SendFault::Temporary(lines.trim().to_owned())),
        }
    }
}

/// Maximum number of bytes that the server may send between two commands.
const MAX_ANSWER: usize = 100_000;

fn bounded(wire: Box<dyn Wire>) -> Bounded {
    Bounded::new(wire, MAX_ANSWER, Box::new(|_| Ok(())))
}

fn broken(why: &io::Error) -> SendFault {
    SendFault::Broken(why.to_string())
}

fn silent(patience: Duration) -> SendFault {
    SendFault::Broken(format!("the server said nothing for {} s", patience.as_secs_f32()))
}

/// Runs one step of the session with a timeout.
async fn within<T>(patience: Duration, step: impl Future<Output = Result<T, smtp::Error>>) -> Result<T, SendFault> {
    timeout(patience, step).await.map_err(|_| silent(patience))?.map_err(|fault| classify(&fault))
}

/// Runs one step of the session and checks the kind of its reply (RFC 5321 section 4.2.1): the
/// library takes any 2yz or 3yz for success, also "354 go on" after the text.
async fn reply(
    kind: Severity,
    patience: Duration,
    step: impl Future<Output = Result<Response, smtp::Error>>,
) -> Result<(), SendFault> {
    let reply = within(patience, step).await?;
    match reply.code().severity == kind {
        true => Ok(()),
        false => Err(SendFault::Broken(format!("the server answers \"{}\" out of turn", reply.code()))),
    }
}

/// A connection whose greeting was already read. It repeats a greeting for the SMTP library, which
/// waits for one.
#[derive(Debug)]
struct Greeted {
    greeting: &'static [u8],
    wire: Bounded,
}

impl AsyncTokioStream for Greeted {
    /// Never called.
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok((Ipv4Addr::UNSPECIFIED, 0).into())
    }
}

impl AsyncRead for Greeted {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.greeting.is_empty() {
            return Pin::new(&mut this.wire).poll_read(context, buffer);
        }
        let (now, later) = this.greeting.split_at(this.greeting.len().min(buffer.remaining()));
        buffer.put_slice(now);
        this.greeting = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Greeted {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().wire).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_shutdown(context)
    }
}

/// Sends QUIT.
impl Drop for SmtpTransport {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take().filter(|connection| !connection.has_broken()) {
            // The result does not matter anymore.
            let _ = self.runtime.block_on(within(GOODBYE, connection.quit()));
        }
    }
}

/// Timeout for the reply to QUIT.
const GOODBYE: Duration = Duration::from_millis(500);

/// Minimum speed in bytes per second that is assumed for the timeout of a mail's text.
const SLOWEST: u64 = 8_192;

impl Transport for SmtpTransport {
    fn send(&mut self, envelope: &Envelope, raw: &[u8]) -> Result<(), SendFault> {
        let envelope = smtp_envelope(envelope)?;
        // The library adds a line break before the final dot.
        let raw = raw.strip_suffix(b"\r\n").unwrap_or(raw);
        let raw = match &self.config.dkim {
            Some(key) => Cow::Owned(key.sign(raw).map_err(|why| SendFault::Setup(why.to_string()))?),
            None => Cow::Borrowed(raw),
        };
        self.check()?;
        // Always present, because `check` opened it.
        let Some(mut connection) = self.connection.take() else { return Err(silent(Duration::ZERO)) };
        let patience = self.config.timeout;
        let (handed, heard) = self.runtime.block_on(async {
            let handed = hand_over(&mut connection, patience, &envelope, &raw).await;
            // RSET discards the state of a refused mail. A connection without a reply cannot be
            // used again.
            let heard = match &handed {
                Ok(()) => true,
                Err(SendFault::Broken(_)) => false,
                Err(_) => within(patience, connection.command(Rset)).await.is_ok(),
            };
            (handed, heard)
        });
        self.connection = heard.then_some(connection);
        handed.map_err(|fault| self.without_login(fault))
    }
}

/// Hands over one mail (RFC 5321 section 3.3).
///
/// A refused sender is a fault of the host's settings. A refused recipient or text is a fault of
/// the mail.
async fn hand_over(
    connection: &mut AsyncSmtpConnection,
    patience: Duration,
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
    let sender = Mail::new(envelope.from().cloned(), parameters);
    reply(PositiveCompletion, patience, connection.command(sender)).await.map_err(of_the_sender)?;
    for to in envelope.to() {
        let recipient = Rcpt::new(to.clone(), Vec::new());
        reply(PositiveCompletion, patience, connection.command(recipient)).await.map_err(|fault| match fault {
            // RFC 5321 section 7.9: a server that does not relay for this host refuses every
            // recipient.
            SendFault::Permanent(why) if why.to_ascii_lowercase().contains("relay") => SendFault::Setup(why),
            other => other,
        })?;
    }
    reply(PositiveIntermediate, patience, connection.command(Data)).await?;
    let for_the_text = Duration::from_secs(raw.len() as u64 / SLOWEST);
    reply(PositiveCompletion, patience + for_the_text, connection.message(raw)).await
}

fn of_the_sender(fault: SendFault) -> SendFault {
    match fault {
        SendFault::Permanent(why) => SendFault::Setup(why),
        other => other,
    }
}

/// Returns the fault for an error of the SMTP library.
fn classify(fault: &smtp::Error) -> SendFault {
    let source = std::error::Error::source(fault).map(ToString::to_string);
    let reason = match (fault.status(), source) {
        (Some(code), answer) => format!("the server answers \"{code} {}\"", answer.unwrap_or_default().trim()),
        (None, Some(source)) => source,
        (None, None) => fault.to_string(),
    };
    // RFC 4954 section 6: the login was refused, which is not a fault of the mail.
    let login = fault.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538));
    // A client error means that the server and the settings do not match: no STARTTLS, or no common
    // login mechanism.
    if login || fault.is_client() {
        SendFault::Setup(reason)
    } else if fault.is_permanent() {
        SendFault::Permanent(reason)
    } else if fault.status().is_some() {
        SendFault::Temporary(reason)
    } else {
        SendFault::Broken(reason)
    }
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
    use crate::{CA, tls_server, xoauth2};
    use data_encoding::BASE64;
    use tokio_rustls::rustls::{ServerConnection, StreamOwned};

    /// Starts a mail server that accepts one connection and returns the lines that it received. The
    /// script maps the beginning of a command to a reply; other commands get 250.
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
        assert_eq!(check_signatures(came.as_bytes(), ("postrider@play.example", &[]), &[], &keys), Ok(by), "{came}");
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
        assert!(matches!(&fault, SendFault::Temporary(why) if why.contains("greylisted")));
        handle.join().unwrap();
        let (port, handle) = server(&[(".", "452 disk full")]);
        assert!(matches!(send(&config(port)), Err(SendFault::Temporary(_))));
        handle.join().unwrap();
    }

    /// RFC 5321 section 4.2.1
    #[test]
    fn a_reply_of_the_wrong_kind_accepts_nothing() {
        for script in [&[(".", "354 go on")], &[("DATA", "250 fine")], &[("MAIL", "354 go on")], &[("RCPT", "334 ")]] {
            let (port, handle) = server(script);
            let fault = send(&config(port)).unwrap_err();
            assert!(matches!(&fault, SendFault::Broken(why) if why.contains("out of turn")), "{fault:?}");
            handle.join().unwrap();
        }
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
        // No part of the mail was sent unencrypted.
        assert!(!handle.join().unwrap().iter().any(|line| line.starts_with("MAIL")));
    }

    #[test]
    fn a_login_that_the_server_repeats_is_not_told() {
        let (port, handle) =
            server(&[("EHLO", "250-test\r\n250 AUTH PLAIN"), ("MAIL", "451 s3cret-w0rd is not welcome")]);
        let login = Login::Password("s3cret-w0rd".into());
        let fault = send(&SmtpConfig { credentials: Some(("postrider".into(), login)), ..config(port) }).unwrap_err();
        assert!(matches!(&fault, SendFault::Temporary(why) if !why.contains("s3cret")), "{fault:?}");
        handle.join().unwrap();
    }

    #[test]
    fn a_server_that_never_ends_its_line_takes_no_memory() {
        for greeted in [false, true] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let handle = thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                if greeted {
                    stream.write_all(b"220 test\r\n").unwrap();
                }
                // More than the socket buffers of both sides can hold.
                (0..1_024).take_while(|_| stream.write_all(&[b'2'; 65_536]).is_ok()).count()
            });
            let fault = send(&config(port)).unwrap_err();
            assert!(matches!(&fault, SendFault::Unreachable(_)), "{fault:?}");
            assert!(handle.join().unwrap() < 1_024, "nobody reads on");
        }
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

    /// Starts a server that sends `injected` before TLS begins, and replies 451 to every command
    /// after EHLO over TLS.
    fn injecting(injected: &'static str) -> (u16, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            stream.write_all(b"220 test ESMTP\r\n").unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            assert!(lines.next().unwrap().unwrap().starts_with("EHLO"));
            stream.write_all(b"250-test\r\n250 STARTTLS\r\n").unwrap();
            assert_eq!(lines.next().unwrap().unwrap(), "STARTTLS");
            stream.write_all(format!("220 go ahead\r\n{injected}").as_bytes()).unwrap();
            let tls = ServerConnection::new(tls_server()).unwrap();
            let mut private = BufReader::new(StreamOwned::new(tls, stream));
            let mut line = String::new();
            while private.read_line(&mut line).is_ok_and(|read| read > 0) {
                let answer = if line.starts_with("EHLO") { "250 test\r\n" } else { "451 not now\r\n" };
                if private.get_mut().write_all(answer.as_bytes()).is_err() {
                    break;
                }
                line.clear();
            }
        });
        (port, handle)
    }

    #[test]
    fn an_answer_ahead_of_tls_is_never_believed() {
        let starttls = |port| SmtpConfig {
            security: Security::StartTls,
            host: "localhost".into(),
            ca: Some(CA.to_vec()),
            ..config(port)
        };
        let (port, handle) = injecting("");
        let fault = send(&starttls(port)).unwrap_err();
        assert!(matches!(&fault, SendFault::Temporary(why) if why.contains("not now")), "{fault:?}");
        handle.join().unwrap();
        for injected in
            ["250 test\r\n250 sender\r\n250 recipient\r\n354 go on\r\n250 taken\r\n", "250 test\r\n", "\r\n", "2"]
        {
            let (port, handle) = injecting(injected);
            let fault = send(&starttls(port)).unwrap_err();
            assert!(matches!(&fault, SendFault::Unreachable(why) if why.contains("TLS")), "{fault:?}");
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
