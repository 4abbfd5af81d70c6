//! Handing over what waits in the outbox: over one connection, and not to a server that fails.

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

/// What became of the mails in the outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many were handed over.
    pub sent: usize,
    /// How many stay in the outbox for now, with the last reason.
    pub waiting: (usize, String),
    /// Names of those that will never be taken, with the reason; they lie in `mail/refused`.
    pub refused: Vec<(String, String)>,
    /// Why the mail server takes nothing at all now, if so.
    pub trouble: Option<String>,
}

/// Hands over what lies in the outbox, if mails leave by a mail server; otherwise they stay for the host's own mail system.
///
/// # Errors
/// [`StoreError`] when the outbox cannot be read or the settings make no sense.
pub fn send(host: &Host, store: &dyn Mails) -> Result<Sent, StoreError> {
    match Sending::of(host)? {
        Some(mut sending) => sending.run(store),
        None if host.keeps_files() => Ok(Sent::default()),
        None => put_out(host, store).map(|sent| Sent { sent, ..Sent::default() }),
    }
}

/// Hands over what lies in the outbox, time and again, over a connection that is kept in between.
pub struct Sending {
    host: Host,
    config: SmtpConfig,
    server: Option<SmtpTransport>,
    /// When the connection was last of use.
    used: DateTime<Utc>,
    later: Later,
}

impl Sending {
    /// Sending by the mail server of the settings; `None` where mails leave by none.
    ///
    /// # Errors
    /// [`StoreError`] when the settings make no sense.
    pub fn of(host: &Host) -> Result<Option<Sending>, StoreError> {
        let Some(config) = host.smtp()? else { return Ok(None) };
        let used = Utc::now();
        Ok(Some(Sending { host: host.clone(), config, server: None, used, later: Later::default() }))
    }

    /// Hands over what waits. A letter that the server put off is left alone for a while, and so is a server that fails.
    ///
    /// # Errors
    /// [`StoreError`] when the outbox cannot be read or the settings make no sense.
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

    /// Forgets that the server failed before: whoever starts the process anew may have mended the settings.
    pub fn begin_anew(&self) {
        if Rest::of(&self.host).is_some() {
            Rest::end(&self.host);
        }
    }

    /// Closes a connection that has been of no use for a while, before the server does.
    pub fn rest(&mut self) {
        if (Utc::now() - self.used).num_seconds() >= IDLE_CONNECTION {
            self.server = None;
        }
    }
}

/// So many seconds a connection is kept that carries nothing: fewer than any server waits (RFC 5321 section 4.5.3.2.7).
const IDLE_CONNECTION: i64 = 15;

/// Letters that the server put off, by name: how often in a row, and until when they are left alone.
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

/// How long something is left alone that failed so often in a row before, in seconds.
fn rest_after(failures: u32) -> i64 {
    let whole = FIRST_REST.saturating_mul(1 << failures.min(10)).min(LONGEST_REST);
    // Up to a quarter less, so that many hosts of one server do not all come back at the same moment.
    whole - getrandom::u32().map_or(0, |random| i64::from(random) % (whole / 4 + 1))
}

/// A mail server that could not be reached, or refuses this host, is left alone for a while, longer each time.
#[derive(Debug, Serialize, Deserialize)]
struct Rest {
    /// How often in a row it failed.
    failures: u32,
    /// Until when.
    until: DateTime<Utc>,
    /// Why.
    why: String,
}

/// The first rest, in seconds; each one after it is twice as long.
const FIRST_REST: i64 = 60;

/// No rest is longer, in seconds.
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

    /// What cannot be kept is no more than a rest that is too short.
    fn keep(&self, host: &Host) {
        let path = Rest::path(host);
        let kept = fs_err::create_dir_all(path.parent().unwrap_or(host.root()))
            .and_then(|()| disk::put_helper(&path, &serde_json::to_vec(self).unwrap_or_default()));
        if let Err(why) = kept {
            tracing::warn!(%why, "that the mail server failed cannot be kept in mind");
        }
    }

    fn end(host: &Host) {
        if let Err(why) = disk::remove(&Rest::path(host)) {
            tracing::warn!(%why, "that the mail server works again cannot be kept in mind");
        }
    }
}

/// So many mails are handed over in one run; what is left waits for the next.
const MOST_IN_A_RUN: usize = 1_000;

/// After so many mails in a row in whose middle the connection broke, the others wait too.
const MOST_BROKEN: usize = 2;

/// Hands over what waits in the outbox by this way out. A mail that was handed over and is noted down as sent is not handed over
/// again; only a crash between the two does that, and then the reader's mail program knows it by its Message-ID. Gives the reason
/// where the way out does not work for any mail.
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
        // What fails for this mail fails for every mail alike.
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

/// As a first run hands them over.
#[cfg(any(test, feature = "testing"))]
pub fn send_by(store: &dyn Mails, way: &mut dyn Transport, report: &mut Sent) -> Result<Option<String>, StoreError> {
    hand_over_by(store, way, &mut Later::default(), report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileStore, MailFolder};
    use postrider_mail::{Composed, Envelope};

    /// Takes the first mail, puts off the second, refuses the third.
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
        // No letter of ours: it has none.
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
