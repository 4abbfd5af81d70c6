//! Connections to an IMAP server: connecting, TLS, login, and the errors of each.

use super::limits::{Limits, MAX_ANSWER};
use crate::{error::ServeError, tls};
use async_imap::{Authenticator, Client, Session, error::Error};
use postrider_store::{Host, Imap, SmtpSecurity};
use postrider_wire::{Bounded, Login, Wire, read_line, without_login, xoauth2};
use std::{
    future::Future,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    io::AsyncWriteExt as _,
    net::{TcpStream, lookup_host},
    task::spawn_blocking,
    time::timeout,
};
use tokio_rustls::{TlsConnector, rustls::pki_types::ServerName};

pub(super) type Connection = Bounded;

/// The reasons why a mailbox cannot be read for now.
#[derive(Debug, thiserror::Error)]
pub enum ImapFault {
    /// The host name cannot be resolved.
    #[error("no address of {host} is known (DNS): {why}")]
    Name { host: String, why: String },
    /// The server does not accept connections.
    #[error("{host} cannot be reached at port {port}: {why}")]
    Unreachable { host: String, port: u16, why: String },
    /// TLS cannot be established.
    #[error("no private connection to {host} (TLS): {why}")]
    Tls { host: String, why: String },
    /// The settings ask for an unencrypted connection to another machine.
    #[error("{host} is not this machine: it needs TLS")]
    Open { host: String },
    /// The user or password is wrong.
    #[error("{host} refuses the login: {why}")]
    Login { host: String, why: String },
    /// The server refuses a command.
    #[error("the server refuses {what}: {why}")]
    Refused { what: &'static str, why: String },
    /// The server's answer cannot be parsed.
    #[error("what the server answers to {what} cannot be read")]
    Nonsense { what: &'static str },
    /// The connection was lost.
    #[error("the connection broke: {why}")]
    Broken { why: String },
    /// The server did not answer in time.
    #[error("the server said nothing to {what} for {seconds} seconds")]
    Silent { what: &'static str, seconds: u64 },
    /// A mail cannot be stored.
    #[error("a mail cannot be kept now: {why}")]
    NotKept { why: String },
}

impl ImapFault {
    /// Returns `true` if the server answered, so that a retry is likely to fail in the same way.
    pub fn is_an_answer(&self) -> bool {
        matches!(self, ImapFault::Refused { .. } | ImapFault::Nonsense { .. })
    }
}

/// The address and login of a mailbox's server.
#[derive(Clone)]
pub struct Server {
    host: String,
    port: u16,
    user: String,
    login: Login,
    /// The TLS connector; `None` without TLS.
    connector: Option<TlsConnector>,
    starttls: bool,
    /// The password or token used last.
    secret: Arc<Mutex<String>>,
    /// The timeout for each answer.
    pub patience: Duration,
}

/// The client side of XOAUTH2: sends the token once, then empty responses to the server's
/// explanation of a failure.
struct SaidOnce(Option<String>);

impl Authenticator for SaidOnce {
    type Response = String;

    fn process(&mut self, _: &[u8]) -> String {
        self.0.take().unwrap_or_default()
    }
}

impl Server {
    /// Creates a server from the settings.
    ///
    /// # Errors
    ///
    /// Returns [`ServeError`] if the password or the certificates cannot be read.
    pub fn of(host: &Host, imap: &Imap) -> Result<Server, ServeError> {
        let ca = imap.ca.as_ref().map(|ca| host.root().join(ca));
        let connector = match imap.security {
            SmtpSecurity::None => None,
            SmtpSecurity::Tls | SmtpSecurity::Starttls => Some(tls::connector(ca.as_deref())?),
        };
        Ok(Server {
            host: imap.host.clone(),
            port: imap.port(),
            user: imap.user.clone(),
            login: host.login("mail_in.imap", imap.password_file.as_deref(), imap.token_command.as_ref())?,
            connector,
            starttls: matches!(imap.security, SmtpSecurity::Starttls),
            secret: Arc::default(),
            patience: Duration::from_secs(imap.timeout.clamp(1, 600)),
        })
    }

    /// Converts the error of a command. The result contains neither the contents of mails nor the
    /// login.
    pub fn fault(&self, what: &'static str, why: Error) -> ImapFault {
        let secret = self.secret.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let hide = |why: String| without_login(why, &secret);
        match why {
            Error::No(why) | Error::Bad(why) => ImapFault::Refused { what, why: hide(answer(&why)) },
            // The library's message contains the text that it could not parse.
            Error::Parse(_) => ImapFault::Nonsense { what },
            Error::Io(why) if matches!(why.kind(), io::ErrorKind::Other | io::ErrorKind::InvalidData) => {
                ImapFault::Nonsense { what }
            }
            why => ImapFault::Broken { why: hide(why.to_string()) },
        }
    }

    /// Waits for an answer, with a timeout.
    pub async fn wait<T>(
        &self,
        what: &'static str,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, ImapFault> {
        let silent = || ImapFault::Silent { what, seconds: self.patience.as_secs() };
        timeout(self.patience, answer).await.map_err(|_| silent())?.map_err(|why| self.fault(what, why))
    }

    /// Connects and logs in.
    ///
    /// # Errors
    ///
    /// Returns [`ImapFault`] for the step that failed.
    pub async fn log_in(&self) -> Result<Session<Connection>, ImapFault> {
        let mut stream = self.connect().await?;
        if self.starttls {
            self.ask_for_tls(&mut stream).await?;
        }
        let wire: Box<dyn Wire> = match &self.connector {
            None => Box::new(stream),
            Some(tls) => self.private(tls, stream).await?,
        };
        let mut client = client(wire);
        if !self.starttls {
            self.greeting(&mut client).await?;
        }
        let login = self.login.clone();
        let refused = |why: String| ImapFault::Login { host: self.host.clone(), why };
        // Fetching a token may take some time, and must not block other tasks.
        let secret = spawn_blocking(move || login.secret()).await.map_err(|why| refused(why.to_string()))?;
        let secret = secret.map_err(|why| refused(why.to_string()))?;
        self.secret.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&secret);
        let logged_in = match self.login.is_token() {
            false => timeout(self.patience, client.login(&self.user, &secret)).await,
            true => {
                let said = SaidOnce(Some(xoauth2(&self.user, &secret)));
                timeout(self.patience, client.authenticate("XOAUTH2", said)).await
            }
        };
        let silent = |_| ImapFault::Silent { what: "LOGIN", seconds: self.patience.as_secs() };
        logged_in.map_err(silent)?.map_err(|(why, _)| match self.fault("LOGIN", why) {
            ImapFault::Refused { why, .. } => ImapFault::Login { host: self.host.clone(), why },
            other => other,
        })
    }

    /// Sends STARTTLS. Unencrypted text is read line by line, so that anything the server sends
    /// after its answer is treated as part of the TLS handshake, which then fails.
    async fn ask_for_tls(&self, stream: &mut TcpStream) -> Result<(), ImapFault> {
        let asked = async {
            let greeting = read_line(stream).await?;
            // A connection that needs no login (PREAUTH) cannot use STARTTLS (RFC 9051, section
            // 7.1.4).
            if !greeting.starts_with("* OK") {
                return Err(Error::No(greeting.trim().to_owned()));
            }
            stream.write_all(b"tls STARTTLS\r\n").await?;
            loop {
                let line = read_line(stream).await?;
                match line.strip_prefix("tls ") {
                    Some(answer) if answer.starts_with("OK") => return Ok(()),
                    Some(answer) => return Err(Error::No(answer.trim().to_owned())),
                    None => {}
                }
            }
        };
        self.wait("STARTTLS", asked).await
    }

    async fn greeting(&self, client: &mut Client<Connection>) -> Result<(), ImapFault> {
        let greeting = async { client.read_response().await.map_err(Error::Io) };
        match self.wait("the connection", greeting).await? {
            Some(_) => Ok(()),
            None => Err(ImapFault::Broken { why: "the server closed it at once".to_owned() }),
        }
    }

    async fn connect(&self) -> Result<TcpStream, ImapFault> {
        let (host, port) = (self.host.clone(), self.port);
        let name = |why: String| ImapFault::Name { host: self.host.clone(), why };
        let found = timeout(self.patience, lookup_host((host.as_str(), port))).await;
        let found = found.map_err(|_| name("no answer".to_owned()))?.map_err(|why| name(why.to_string()))?;
        let addresses: Vec<_> = found.collect();
        if self.connector.is_none() && addresses.iter().any(|address| !address.ip().is_loopback()) {
            return Err(ImapFault::Open { host });
        }
        let unreachable = |why: String| ImapFault::Unreachable { host: host.clone(), port, why };
        let stream = timeout(self.patience, TcpStream::connect(&addresses[..])).await;
        let stream = stream.map_err(|_| unreachable("no answer".to_owned()))?;
        // Commands are written in parts, and the server waits for the end of each.
        let quick = stream.and_then(|stream| stream.set_nodelay(true).map(|()| stream));
        quick.map_err(|why| unreachable(why.to_string()))
    }

    async fn private(&self, tls: &TlsConnector, stream: TcpStream) -> Result<Box<dyn Wire>, ImapFault> {
        let fault = |why: String| ImapFault::Tls { host: self.host.clone(), why };
        let name = ServerName::try_from(self.host.clone()).map_err(|why| fault(why.to_string()))?;
        let private = timeout(self.patience, tls.connect(name, stream)).await;
        let private = private.map_err(|_| fault("no answer".to_owned()))?.map_err(|why| fault(why.to_string()))?;
        Ok(Box::new(private))
    }
}

/// Returns a client on a connection whose server is not trusted.
pub(crate) fn client(wire: Box<dyn Wire>) -> Client<Connection> {
    let mut limits = Limits::default();
    Client::new(Bounded::new(wire, MAX_ANSWER, Box::new(move |came| limits.check(came))))
}

/// Returns the server's words from an error of the library, which has them as
/// `code: None, info: Some("[AUTHENTICATIONFAILED] Wrong password.")`.
fn answer(why: &str) -> String {
    let info = why.split_once("info: ").map_or(why, |(_, info)| info);
    let words = match info.strip_prefix("Some(\"").and_then(|info| info.strip_suffix("\")")) {
        Some(quoted) => quoted.replace("\\\"", "\"").replace("\\\\", "\\"),
        None if info == "None" => return "the server gives no reason".to_owned(),
        None => info.to_owned(),
    };
    // A response code is for programs.
    let words = words.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(&*words, |(_, words)| words);
    format!("the server answers \"{}\"", words.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_wire::{CA, tls_config, tls_server};
    use std::{
        io::{BufRead as _, BufReader, Write as _},
        net, thread,
    };
    use tokio_rustls::rustls::{ServerConnection, StreamOwned};

    /// Starts a local server that handles one connection with this function.
    fn server(talk: impl FnOnce(net::TcpStream) + Send + 'static) -> Server {
        let listener = net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || talk(listener.accept().unwrap().0));
        Server {
            host: "localhost".into(),
            port,
            user: "post".into(),
            login: Login::Password("s3cret-w0rd".into()),
            connector: None,
            starttls: false,
            secret: Arc::default(),
            patience: Duration::from_secs(10),
        }
    }

    fn fault(server: &Server) -> ImapFault {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(server.log_in()).unwrap_err()
    }

    /// Logs in to a server that sends `injected` after its answer to STARTTLS and refuses every
    /// command after the handshake.
    fn log_in_by_starttls(greeting: &'static str, injected: &'static str) -> ImapFault {
        let server = server(move |mut stream| {
            stream.write_all(greeting.as_bytes()).unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let Some(Ok(line)) = lines.next() else { return };
            let (tag, _) = line.split_once(' ').unwrap();
            stream.write_all(format!("{tag} OK begin\r\n{injected}").as_bytes()).unwrap();
            let tls = ServerConnection::new(tls_server()).unwrap();
            let mut private = BufReader::new(StreamOwned::new(tls, stream));
            let mut line = String::new();
            while private.read_line(&mut line).is_ok_and(|read| read > 0) {
                let tag = line.split(' ').next().unwrap().to_owned();
                if private.get_mut().write_all(format!("{tag} NO you?\r\n").as_bytes()).is_err() {
                    break;
                }
                line.clear();
            }
        });
        let connector = Some(TlsConnector::from(Arc::new(tls_config(Some(CA)).unwrap())));
        fault(&Server { connector, starttls: true, ..server })
    }

    #[test]
    fn an_answer_ahead_of_tls_is_never_believed() {
        let greeting = "* OK hello\r\n";
        assert!(matches!(log_in_by_starttls(greeting, ""), ImapFault::Login { why, .. } if why.contains("you?")));
        for injected in ["A0001 OK logged in\r\n", "* OK x\r\n", "\r\n"] {
            let fault = log_in_by_starttls(greeting, injected);
            assert!(matches!(fault, ImapFault::Tls { .. }), "{fault:?}");
        }
        let fault = log_in_by_starttls("* PREAUTH hello\r\n", "");
        assert!(matches!(fault, ImapFault::Refused { what: "STARTTLS", .. }), "{fault:?}");
    }

    #[test]
    fn a_rogue_server_ends_its_connection_and_nothing_else() {
        let nested = "(".repeat(300_000);
        let mail = |rest: String| format!("* OK hello\r\n* 1 FETCH ({rest}");
        for words in [
            mail(format!("BODYSTRUCTURE {nested}")),
            mail(format!("X (\r\n* 1 FETCH (BODY[] {{350000}}\r\n) BODYSTRUCTURE {nested}")),
            mail(format!("X foo{{350000}}\r\n BODYSTRUCTURE {nested}")),
            mail(format!("BODYSTRUCTURE {}", "({3}\r\nabc ".repeat(100_000))),
            format!("* OK {{350000}}\r\n* 1 FETCH (BODYSTRUCTURE {nested}"),
            format!("* LIST () \"/\" {{29}}\r\n* 1 FETCH (BODY[] {{350000}}\r\n\r\n* 1 FETCH (BODYSTRUCTURE {nested}"),
        ] {
            let rogue = server(move |mut stream| {
                // The client may close the connection before everything is written.
                let _ = stream.write_all(words.as_bytes());
                let _ = stream.shutdown(net::Shutdown::Write);
                let _ = BufReader::new(stream).lines().count();
            });
            let fault = fault(&rogue);
            assert!(matches!(fault, ImapFault::Nonsense { .. }), "{fault:?}");
        }
        for start in ["", "* OK ", "* OK hello\r\n* SEARCH "] {
            let (counts, counted) = std::sync::mpsc::channel();
            let rogue = server(move |mut stream| {
                let _ = stream.write_all(start.as_bytes());
                counts.send((0..1_024).take_while(|_| stream.write_all(&[b'2'; 65_536]).is_ok()).count()).unwrap();
            });
            let fault = fault(&rogue);
            assert!(matches!(fault, ImapFault::Nonsense { .. }), "{fault:?}");
            assert!(counted.recv().unwrap() < 1_024, "nobody reads on");
        }
    }

    #[test]
    fn a_login_that_the_server_repeats_is_not_told() {
        let echo = server(|mut stream| {
            stream.write_all(b"* OK hello\r\n").unwrap();
            let line = BufReader::new(stream.try_clone().unwrap()).lines().next().unwrap().unwrap();
            let (tag, words) = line.split_once(' ').unwrap();
            assert!(words.contains("s3cret-w0rd"));
            stream.write_all(format!("{tag} NO {words}\r\n").as_bytes()).unwrap();
        });
        let fault = fault(&echo);
        assert!(matches!(&fault, ImapFault::Login { why, .. } if !why.contains("s3cret")), "{fault:?}");
    }
}
