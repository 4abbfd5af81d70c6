//! The delivery of the outbox to a mail server, over one connection, with pauses after failures.

use super::{
    StoreError,
    contract::{HandedOver, Mails},
    folder::Host,
    opened::put_out,
};
use chrono::{DateTime, Utc};
use postrider_disk as disk;
use postrider_wire::{SendFault, SmtpConfig, SmtpTransport, Transport};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The result of handing over the mails in the outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The number of mails handed over.
    pub sent: usize,
    /// The number of mails that stay in the outbox for now, and the last reason.
    pub waiting: (usize, String),
    /// The names of mails that will never be accepted, with the reasons; they are in
    /// `mail/refused`.
    pub refused: Vec<(String, String)>,
    /// The reason why the mail server accepts no mail now, if it does not.
    pub trouble: Option<String>,
}

/// Hands over the mails in the outbox if a mail server is set. Otherwise they stay for, or go to,
/// the host's own mail system.
///
/// # Errors
/// Returns a [`StoreError`] if the outbox cannot be read or the settings are invalid.
pub fn send(host: &Host, store: &dyn Mails) -> Result<Sent, StoreError> {
    match Sending::of(host)? {
        Some(mut sending) => sending.run(store),
        None if host.keeps_files() => Ok(Sent::default()),
        None => put_out(host, store).map(|sent| Sent { sent, ..Sent::default() }),
    }
}

/// A sender that hands over the outbox repeatedly and keeps its connection in between.
pub struct Sending {
    host: Host,
    config: SmtpConfig,
    server: Option<SmtpTransport>,
    /// The time at which the connection was last used.
    used: DateTime<Utc>,
    later: Later,
}

impl Sending {
    /// Creates a sender for the mail server in the settings; `None` if there is none.
    ///
    /// # Errors
    /// Returns a [`StoreError`] if the settings are invalid.
    pub fn of(host: &Host) -> Result<Option<Sending>, StoreError> {
        let Some(config) = host.smtp()? else { return Ok(None) };
        let used = Utc::now();
        Ok(Some(Sending { host: host.clone(), config, server: None, used, later: Later::default() }))
    }

    /// Hands over the mails in the outbox. Letters that the server deferred are not offered for a
    /// while, nor is a server used that failed.
    ///
    /// # Errors
    /// Returns a [`StoreError`] if the outbox cannot be read or the settings are invalid.
    pub fn run(&mut self, store: &dyn Mails) -> Result<Sent, StoreError> {
        let mut report = Sent::default();
        let now = Utc::now();
        let rest = Rest::of(&self.host);
        if let Some(rest) = rest.as_ref().filter(|rest| now < rest.until) {
            let waiting = store.waiting()?.len();
            report.trouble = Some(rest.why.clone());
            report.waiting =
                (waiting, format!("{}; it is tried again at {}", rest.why, rest.until.format("%F %T UTC")));
            return Ok(report);
        }
        let mut server = match self.server.take() {
            Some(server) => server,
            None => SmtpTransport::new(&self.config)?,
        };
        self.later.now = now;
        let stopped = hand_over_by(store, &mut server, &mut self.later, &mut report)?;
        report.trouble.clone_from(&stopped);
        match stopped {
            Some(why) => Rest::after(rest.as_ref(), why, now).keep(&self.host),
            None => {
                (self.server, self.used) = (Some(server), Utc::now());
                if rest.is_some() {
                    Rest::end(&self.host);
                }
            }
        }
        if report.waiting.0 > 0 {
            report.waiting.0 = store.waiting()?.len();
        }
        Ok(report)
    }

    /// Clears earlier failures of the server: the settings may have been fixed before the process
    /// was restarted.
    pub fn begin_anew(&self) {
        if Rest::of(&self.host).is_some() {
            Rest::end(&self.host);
        }
    }

    /// Closes a connection that has been idle for a while, before the server does.
    pub fn rest(&mut self) {
        if (Utc::now() - self.used).num_seconds() >= IDLE_CONNECTION {
            self.server = None;
        }
    }
}

/// The maximum idle time of a connection, in seconds: less than any server waits (RFC 5321 section
/// 4.5.3.2.7).
const IDLE_CONNECTION: i64 = 15;

/// The letters that the server deferred, by name: the number of deferrals in a row, and the end of
/// the pause.
#[derive(Debug, Default)]
struct Later {
    now: DateTime<Utc>,
    letters: BTreeMap<String, (u32, DateTime<Utc>)>,
}

impl Later {
    fn rests(&self, unique: &str) -> bool {
        self.letters.get(unique).is_some_and(|(_, until)| self.now < *until)
    }

    fn put_off(&mut self, unique: &str) {
        let (failures, until) = self.letters.entry(unique.to_owned()).or_default();
        *until = self.now + chrono::Duration::seconds(rest_after(*failures));
        *failures = failures.saturating_add(1);
    }
}

/// Returns the length of the pause, in seconds, after this number of earlier failures in a row.
fn rest_after(failures: u32) -> i64 {
    let whole = FIRST_REST.saturating_mul(1 << failures.min(10)).min(LONGEST_REST);
    // Subtract up to a quarter, so that the hosts of one server do not all return at the same
    // moment.
    whole - getrandom::u32().map_or(0, |random| i64::from(random) % (whole / 4 + 1))
}

/// A pause after a mail server could not be reached or refused this host; it grows with each
/// failure.
#[derive(Debug, Serialize, Deserialize)]
struct Rest {
    /// The number of failures in a row.
    failures: u32,
    /// The end of the pause.
    until: DateTime<Utc>,
    /// The reason.
    why: String,
}

/// The first pause, in seconds; each further one is twice as long.
const FIRST_REST: i64 = 60;

/// The longest pause, in seconds.
const LONGEST_REST: i64 = 3_600;

impl Rest {
    fn path(host: &Host) -> PathBuf {
        host.root().join("index").join("mail-server.json")
    }

    fn of(host: &Host) -> Option<Rest> {
        serde_json::from_slice(&fs_err::read(Rest::path(host)).ok()?).ok()
    }

    fn after(before: Option<&Rest>, why: String, now: DateTime<Utc>) -> Rest {
        let failures = before.map_or(0, |before| before.failures).saturating_add(1);
        Rest { failures, until: now + chrono::Duration::seconds(rest_after(failures - 1)), why }
    }

    /// Stores the pause. If that fails, the only consequence is a shorter pause.
    fn keep(&self, host: &Host) {
        let path = Rest::path(host);
        let kept = fs_err::create_dir_all(path.parent().unwrap_or(host.root()))
            .and_then(|()| disk::put_helper(&path, &serde_json::to_vec(self).unwrap_or_default()));
        if let Err(why) = kept {
            tracing::warn!(%why, "cannot record that the mail server failed");
        }
    }

    fn end(host: &Host) {
        if let Err(why) = disk::remove(&Rest::path(host)) {
            tracing::warn!(%why, "cannot record that the mail server works again");
        }
    }
}

/// The maximum number of mails handed over in one run; the rest waits for the next.
const MOST_IN_A_RUN: usize = 1_000;

/// The number of mails in a row during which the connection broke, after which the others wait too.
const MOST_BROKEN: usize = 2;

/// Hands over the mails in the outbox by this transport. A mail recorded as sent is not handed over
/// again. After a crash before the record it is, and the reader's mail program recognizes it by its
/// Message-ID. Returns the reason if the transport does not work for any mail.
fn hand_over_by(
    store: &dyn Mails,
    way: &mut dyn Transport,
    later: &mut Later,
    report: &mut Sent,
) -> Result<Option<String>, StoreError> {
    let (mut broken, mut stopped) = (0, None);
    store.hand_over(&mut |mail| {
        if report.sent >= MOST_IN_A_RUN {
            report.waiting.0 += 1;
            return HandedOver::Stop;
        }
        if later.rests(&mail.unique) {
            report.waiting = (report.waiting.0 + 1, "the mail server put it off".to_owned());
            return HandedOver::Later;
        }
        let why = match way.send(&mail.mail.envelope, &mail.mail.raw) {
            Ok(()) => {
                report.sent += 1;
                later.letters.remove(&mail.unique);
                broken = 0;
                return HandedOver::Taken;
            }
            Err(SendFault::Permanent(why)) => {
                report.refused.push((mail.unique.clone(), why.clone()));
                later.letters.remove(&mail.unique);
                return HandedOver::Never(why);
            }
            Err(why) => why,
        };
        report.waiting = (report.waiting.0 + 1, why.to_string());
        broken = if matches!(why, SendFault::Broken(_)) { broken + 1 } else { 0 };
        // Such a failure would occur for every mail.
        if broken >= MOST_BROKEN || matches!(why, SendFault::Setup(_) | SendFault::Unreachable(_)) {
            stopped = Some(why.to_string());
            return HandedOver::Stop;
        }
        if broken == 0 {
            later.put_off(&mail.unique);
        }
        HandedOver::Later
    })?;
    Ok(stopped)
}

/// Hands over mails as a first run does.
#[cfg(any(test, feature = "testing"))]
pub fn send_by(store: &dyn Mails, way: &mut dyn Transport, report: &mut Sent) -> Result<Option<String>, StoreError> {
    hand_over_by(store, way, &mut Later::default(), report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileStore, MailFolder};
    use postrider_mail::{Composed, Envelope};

    /// A transport that accepts the first mail, defers the second, and refuses the others.
    struct Moody(u32);

    impl Transport for Moody {
        fn send(&mut self, envelope: &Envelope, _: &[u8]) -> Result<(), SendFault> {
            assert_eq!(envelope.recipients, ["ben@example.net"]);
            self.0 += 1;
            match self.0 {
                1 => Ok(()),
                2 => Err(SendFault::Temporary("busy".into())),
                _ => Err(SendFault::Permanent("no such user".into())),
            }
        }
    }

    #[test]
    fn the_envelope_is_what_was_written_and_not_what_the_header_says() {
        struct Seen(Vec<Envelope>);
        impl Transport for Seen {
            fn send(&mut self, envelope: &Envelope, _: &[u8]) -> Result<(), SendFault> {
                self.0.push(envelope.clone());
                Ok(())
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let out = host.mail(MailFolder::Out).unwrap();
        let raw = b"From: a@b.example\r\nTo: Ben <ben@example.net>\r\nAuto-Submitted: auto-replied\r\n\r\nhello\r\n";
        let row = Envelope { sender: None, recipients: vec!["carl@example.net".into()] };
        out.deliver("1", &Composed { envelope: row.clone(), raw: raw.to_vec() }.filed()).unwrap();
        // Not one of our letters: it has no envelope.
        out.deliver("2", raw).unwrap();
        let (mut seen, store) = (Seen(Vec::new()), FileStore::new(&host));
        send_by(&store, &mut seen, &mut Sent::default()).unwrap();
        assert_eq!(seen.0, [row]);
        assert_eq!(store.undelivered().unwrap()[0].unique, "2");
    }

    #[test]
    fn a_mail_leaves_the_outbox_when_it_is_taken_or_refused_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let out = host.mail(MailFolder::Out).unwrap();
        for name in ["one", "three", "two"] {
            let envelope = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
            out.deliver(name, &Composed { envelope, raw: b"hello\r\n".to_vec() }.filed()).unwrap();
        }
        let mut report = Sent::default();
        send_by(&FileStore::new(&host), &mut Moody(0), &mut report).unwrap();
        assert_eq!((report.sent, report.waiting.0, report.refused.len()), (1, 1, 1));
        let names =
            |folder| host.mail(folder).unwrap().list().unwrap().into_iter().map(|e| e.unique).collect::<Vec<_>>();
        assert_eq!(names(MailFolder::Sent), ["one"]);
        assert_eq!(names(MailFolder::Out), ["three"]);
        assert_eq!(names(MailFolder::Refused), ["two"]);
    }

    #[test]
    fn what_the_server_put_off_is_left_alone_for_a_while_and_keeps_nothing_waiting() {
        struct Grey(Vec<String>);
        impl Transport for Grey {
            fn send(&mut self, envelope: &Envelope, _: &[u8]) -> Result<(), SendFault> {
                self.0.push(envelope.recipients[0].clone());
                match self.0.len() {
                    1 => Err(SendFault::Temporary("greylisted".into())),
                    _ => Ok(()),
                }
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let out = host.mail(MailFolder::Out).unwrap();
        for name in ["anna", "ben"] {
            let envelope = Envelope { sender: None, recipients: vec![format!("{name}@example.net")] };
            out.deliver(name, &Composed { envelope, raw: b"x".to_vec() }.filed()).unwrap();
        }
        let (store, mut way, mut later) = (FileStore::new(&host), Grey(Vec::new()), Later::default());
        later.now = Utc::now();
        for minutes in [0, 0, 2] {
            later.now += chrono::Duration::minutes(minutes);
            hand_over_by(&store, &mut way, &mut later, &mut Sent::default()).unwrap();
        }
        assert_eq!(way.0, ["anna@example.net", "ben@example.net", "anna@example.net"]);
    }
}
