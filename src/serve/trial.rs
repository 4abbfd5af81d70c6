//! Trials of the settings before anything depends on them: both logins, and a mail to oneself.

use super::{
    error::{ServeError, TrialFault},
    imap::{ImapFault, Server},
};
use async_imap::error::Error;
use chrono::Utc;
use data_encoding::HEXLOWER;
use futures_util::TryStreamExt as _;
use postrider_mail::{AutoSubmitted, Outgoing};
use postrider_store::{Host, StoreError};
use postrider_wire::{SendFault, SmtpTransport, Transport};
use std::{
    future::Future,
    net::ToSocketAddrs,
    time::{Duration, Instant},
};

/// Interval at which the mailbox is checked for a mail to oneself.
const LOOK: Duration = Duration::from_secs(2);

const NAME: &str = "Check how the server's name is spelt, and that this machine has a network and a name server.";
const REACH: &str = "Check name and port (IMAP 993, or 143 with starttls; SMTP 465, or 587 with starttls), and that no firewall \
                     blocks the connection.";
const TLS: &str = "The server's certificate must be for this very name, and from an authority that this machine knows; name one of your \
                   own with --ca. If the port wants STARTTLS, say so.";
const LOGIN: &str = "Check user (often the whole address) and password. Many providers want a password made for programs (an app password), \
                     and IMAP to be switched on in their settings; some allow no passwords at all.";
const MAILBOX: &str = "Check the mailbox's name; the first is INBOX at every provider.";
const SENDING: &str = "The server must allow this user to send from this address.";
const ARRIVAL: &str = "Look into the mailbox, its spam folder too: a filter may have put it elsewhere, or mails to this address go to \
                       another mailbox.";

impl TrialFault {
    fn of_imap(what: &'static str, why: &ImapFault) -> TrialFault {
        let help = match why {
            ImapFault::Name { .. } => NAME,
            ImapFault::Tls { .. } | ImapFault::Open { .. } => TLS,
            ImapFault::Login { .. } => LOGIN,
            ImapFault::Refused { what: "SELECT", .. } => MAILBOX,
            _ => REACH,
        };
        TrialFault { what, why: why.to_string(), help }
    }

    fn of_smtp(what: &'static str, why: &SendFault) -> TrialFault {
        let text = why.to_string();
        let help = match why {
            SendFault::Setup(why) if why.contains("535") || why.contains("534") || why.contains("530") => LOGIN,
            SendFault::Setup(why) if why.contains("55") => SENDING,
            SendFault::Setup(_) => TLS,
            SendFault::Unreachable(why) if why.contains("TLS") => TLS,
            SendFault::Unreachable(_) | SendFault::Broken(_) => REACH,
            SendFault::Permanent(_) | SendFault::Temporary(_) => SENDING,
        };
        TrialFault { what, why: text, help }
    }
}

/// Runs a future to its end.
fn block_on<T>(work: impl Future<Output = Result<T, TrialFault>>) -> Result<T, ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(work)?)
}

/// Logs in to the mailbox of the settings and selects it. Returns whether the server reports new
/// mails (IDLE), or `None` if there is no mailbox.
///
/// # Errors
///
/// Returns [`ServeError::Trial`] with the step that failed and advice.
pub fn try_mailbox(host: &Host) -> Result<Option<bool>, ServeError> {
    let Some(imap) = &host.settings.mail_in.imap else { return Ok(None) };
    let server = Server::of(host, imap)?;
    let fault = |why: ImapFault| TrialFault::of_imap("the mailbox cannot be read", &why);
    block_on(async {
        let mut session = server.log_in().await.map_err(fault)?;
        let can = server.wait("CAPABILITY", session.capabilities()).await.map_err(fault)?;
        server.wait("SELECT", session.select(&imap.mailbox)).await.map_err(fault)?;
        let _ = server.wait("LOGOUT", session.logout()).await;
        Ok(Some(can.has_str("IDLE")))
    })
}

/// Logs in to the mail server of the settings. Returns `false` if the settings name none.
///
/// # Errors
///
/// Returns [`ServeError::Trial`] with the step that failed and advice.
pub fn try_sending(host: &Host) -> Result<bool, ServeError> {
    let Some(config) = host.smtp()? else { return Ok(false) };
    let fault = |why: SendFault| TrialFault::of_smtp("no mail can be sent", &why);
    if let Err(why) = (config.host.as_str(), config.port).to_socket_addrs() {
        let why = format!("no address of {} is known (DNS): {why}", config.host);
        return Err(TrialFault { what: "no mail can be sent", why, help: NAME }.into());
    }
    let mut server = SmtpTransport::new(&config).map_err(fault)?;
    server.check().map_err(fault)?;
    Ok(true)
}

/// Sends a mail from the service to itself and waits for it in the mailbox, where it is deleted.
/// The recipient is the plain address or, if `extended` is true, one with an extension as used for
/// answers to letters. Returns the time it took, or `None` if it did not arrive.
///
/// # Errors
///
/// Returns [`ServeError::Trial`] if the mail cannot be sent, or the mailbox cannot be read.
pub fn mail_to_oneself(host: &Host, extended: bool, patience: Duration) -> Result<Option<Duration>, ServeError> {
    let (Some(config), Some(imap)) = (host.smtp()?, &host.settings.mail_in.imap) else { return Ok(None) };
    let mut random = [0; 8];
    let _ = getrandom::fill(&mut random);
    let mark = HEXLOWER.encode(&random);
    let plain = host.addresses.plain();
    let to_address = match plain.split_once('@') {
        Some((local, domain)) if extended => format!("{local}{}trial-{mark}@{domain}", host.settings.separator),
        _ => plain.clone(),
    };
    let mail = Outgoing {
        to_name: String::new(),
        to_address,
        from_name: host.settings.name.clone(),
        from_address: plain.clone(),
        reply_to: None,
        subject: format!("Postrider trial {mark}"),
        text: "This mail tests whether mails arrive here. It is deleted automatically.\n".to_owned(),
        html: None,
        picture: None,
        attached: Vec::new(),
        message_id: format!("<trial.{mark}@{}>", plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain)),
        in_reply_to: None,
        references: Vec::new(),
        headers: Vec::new(),
        date: Utc::now(),
        returns: None,
        auto_submitted: AutoSubmitted::Generated,
    };
    let mail = mail.compose().map_err(StoreError::from)?;
    let sending = |why: SendFault| TrialFault::of_smtp("the mail to oneself cannot be sent", &why);
    SmtpTransport::new(&config).map_err(sending)?.send(&mail.envelope, &mail.raw).map_err(sending)?;
    let sent = Instant::now();
    let server = Server::of(host, imap)?;
    let fault = |why: ImapFault| TrialFault::of_imap("the mailbox cannot be read", &why);
    block_on(async {
        let mut session = server.log_in().await.map_err(fault)?;
        server.wait("SELECT", session.select(&imap.mailbox)).await.map_err(fault)?;
        loop {
            let query = format!("SUBJECT \"Postrider trial {mark}\" UNDELETED");
            let found = server.wait("SEARCH", session.uid_search(query)).await.map_err(fault)?;
            if let Some(uid) = found.into_iter().max() {
                let took = sent.elapsed();
                let gone = async {
                    let set = uid.to_string();
                    session
                        .uid_store(&set, "+FLAGS.SILENT (\\Seen \\Deleted)")
                        .await?
                        .try_for_each(|_| async { Ok(()) })
                        .await?;
                    session.uid_expunge(&set).await?.try_for_each(|_| async { Ok(()) }).await?;
                    session.logout().await?;
                    Ok::<_, Error>(())
                };
                // If deletion fails, only a mail that nobody answers remains.
                let _ = server.wait("STORE", gone).await;
                return Ok(Some(took));
            }
            if sent.elapsed() >= patience {
                return Ok(None);
            }
            tokio::time::sleep(LOOK).await;
            server.wait("NOOP", session.noop()).await.map_err(fault)?;
        }
    })
}

/// Returns the error for a mail to oneself that did not arrive.
#[must_use]
pub fn did_not_come() -> ServeError {
    let why = "it was sent, and is not in the mailbox".to_owned();
    TrialFault { what: "the mail to oneself does not come", why, help: ARRIVAL }.into()
}
