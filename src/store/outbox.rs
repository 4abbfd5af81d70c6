//! Mails that are owed: composed, stored under a name that stays the same when the work is done twice, then sent.

use super::StoreError;
use super::{
    folder::{Host, MailFolder},
    seats::Player,
};
use crate::{
    journal::{Head, ReceiptKey},
    mail::{
        AutoSubmitted, Delivery, Envelope, Incoming, Maildir, Outgoing, SendFault, SmtpTransport, Token, Transport,
    },
};
use chrono::{DateTime, Utc};

/// The mail that an answer answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its Message-ID.
    pub message_id: Option<String>,
    /// Its references, oldest first.
    pub references: Vec<String>,
}

impl Thread {
    /// The thread in which an incoming mail stands.
    pub fn of(mail: &Incoming) -> Thread {
        let mut references =
            if mail.references.is_empty() { mail.in_reply_to.clone() } else { mail.references.clone() };
        // Mail programs need the first and the last few; a game may go on for hundreds.
        if references.len() > 12 {
            references.drain(1..references.len() - 11);
        }
        Thread { message_id: mail.message_id.clone(), references }
    }
}

/// A mail that is owed to a player.
#[derive(Clone, Debug)]
pub struct OutgoingLetter {
    /// Its name in the outbox, in which nothing changes when it is owed again: `lone-pine.B.412.letter`.
    pub unique: String,
    /// The last part of its Message-ID.
    pub kind: String,
    /// The subject, without the game's tag.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The number and token that an answer must carry.
    pub token: (u32, Token),
    /// The mail that it answers.
    pub thread: Option<Thread>,
    /// Its date.
    pub date: DateTime<Utc>,
}

/// Where mails wait, and what they are signed with.
pub struct Outbox {
    out: Maildir,
    sent: Maildir,
}

impl Outbox {
    /// The outbox of a host.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    pub fn open(host: &Host) -> Result<Outbox, StoreError> {
        Ok(Outbox { out: host.mail(MailFolder::Out)?, sent: host.mail(MailFolder::Sent)? })
    }

    /// Stores a mail; it is safe on disk when this returns. One of the same name that is there already, sent or not,
    /// is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Compose`].
    pub fn put(
        &self,
        host: &Host,
        key: &ReceiptKey,
        head: &Head,
        to: &Player,
        letter: &OutgoingLetter,
    ) -> Result<Delivery, StoreError> {
        if self.sent.find(&letter.unique)?.is_some() {
            return Ok(Delivery::AlreadyThere);
        }
        if self.out.find(&letter.unique)?.is_some() {
            // Only to make it safe: it need not be composed again.
            return Ok(self.out.deliver(&letter.unique, &[])?);
        }
        let addresses = &host.addresses;
        let (number, token) = letter.token;
        let plain = addresses.plain();
        let reply_to = addresses.reply_address(&head.game, number, &token);
        // Without sub-addressing the subject must carry the token.
        let tag = if reply_to == plain {
            addresses.subject_tag(&head.game, number, &token)
        } else {
            format!("[{}]", head.game)
        };
        let subject = match letter.subject.strip_prefix("Re: ") {
            Some(subject) => format!("Re: {tag} {subject}"),
            None => format!("{tag} {}", letter.subject),
        };
        let domain = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        let hash = head.hash.hex();
        let message_id =
            format!("<{}.{}.{}.{}.{}@{domain}>", head.game, to.seat, head.n, &hash.as_str()[..8], letter.kind);
        let thread = letter.thread.clone().unwrap_or_default();
        let references = thread.references.into_iter().chain(thread.message_id.clone()).collect();
        let mail = Outgoing {
            to_name: to.name.clone(),
            to_address: to.address.clone(),
            from_name: host.settings.name.clone(),
            from_address: plain,
            reply_to: Some(reply_to),
            subject: one_line(&subject),
            text: letter.text.clone(),
            html: None,
            message_id,
            in_reply_to: thread.message_id,
            references,
            headers: vec![
                ("X-Postrider-Head".to_owned(), format!("{} {} {}", head.game, head.n, head.hash)),
                ("X-Postrider-Signature".to_owned(), key.sign(head)),
                ("X-Postrider-Key".to_owned(), key.public().to_string()),
            ],
            date: letter.date,
            auto_submitted: if letter.thread.is_some() { AutoSubmitted::Replied } else { AutoSubmitted::Generated },
        };
        // An id that some mail program made up may be none: then the thread breaks, but the mail is written.
        let composed = mail
            .compose()
            .or_else(|_| Outgoing { in_reply_to: None, references: Vec::new(), ..mail.clone() }.compose())?;
        Ok(self.out.deliver_composed(&letter.unique, &composed)?)
    }
}

/// What became of the mails in the outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many were handed over.
    pub sent: usize,
    /// How many stay owed for now, with the last reason.
    pub waiting: (usize, String),
    /// Names of those that will never be taken, with the reason; they lie in `mail/refused`.
    pub refused: Vec<(String, String)>,
}

/// Hands over what lies in the outbox, if mails leave by a mail server; otherwise they stay for the host's own mail system.
///
/// # Errors
/// [`StoreError`] when the outbox cannot be read or the settings make no sense.
pub fn send(host: &Host) -> Result<Sent, StoreError> {
    let mut report = Sent::default();
    let Some(config) = host.smtp()? else { return Ok(report) };
    let mut server = SmtpTransport::new(&config)?;
    let _sending = host.lock_outbox()?;
    send_by(host, &mut server, &mut report)?;
    Ok(report)
}

/// Hands over what lies in the outbox by this way out. A mail that was handed over and is noted down as sent is not handed
/// over again; only a crash between the two does that, and then the reader's mail program knows it by its Message-ID.
pub(crate) fn send_by(host: &Host, way: &mut dyn Transport, report: &mut Sent) -> Result<(), StoreError> {
    let (out, sent) = (host.mail(MailFolder::Out)?, host.mail(MailFolder::Sent)?);
    let refused = host.mail(MailFolder::Refused)?;
    for folder in [&sent, &refused, &out] {
        folder.settle()?;
    }
    for entry in out.list()? {
        if sent.find(&entry.unique)?.is_some() {
            out.move_to(&entry.unique, &sent)?;
            continue;
        }
        let raw = fs_err::read(&entry.path)?;
        let to = Incoming::parse(&raw).map(|mail| mail.recipients).unwrap_or_default();
        let own_account = !raw.windows(27).any(|bytes| bytes == b"Auto-Submitted: auto-replie");
        // RFC 3834 section 3.3: nobody is to report the failure of an automatic answer.
        let envelope = Envelope { sender: own_account.then(|| host.addresses.plain()), recipients: to };
        match way.send(&envelope, &raw) {
            Ok(()) => {
                out.move_to(&entry.unique, &sent)?;
                report.sent += 1;
            }
            Err(why) if why.stays_owed() => {
                report.waiting = (report.waiting.0 + 1, why.to_string());
                // Settings that do not work fail for every mail alike.
                if matches!(why, SendFault::Setup(_)) {
                    return Ok(());
                }
            }
            Err(why) => {
                out.move_to(&entry.unique, &refused)?;
                report.refused.push((entry.unique, why.to_string()));
            }
        }
    }
    Ok(())
}

/// A subject is one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_mail_leaves_the_outbox_when_it_is_taken_or_refused_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let out = host.mail(MailFolder::Out).unwrap();
        for name in ["one", "three", "two"] {
            out.deliver(name, b"From: a@b.example\r\nTo: Ben <ben@example.net>\r\n\r\nhello\r\n").unwrap();
        }
        let mut report = Sent::default();
        send_by(&host, &mut Moody(0), &mut report).unwrap();
        assert_eq!((report.sent, report.waiting.0, report.refused.len()), (1, 1, 1));
        let names =
            |folder| host.mail(folder).unwrap().list().unwrap().into_iter().map(|e| e.unique).collect::<Vec<_>>();
        assert_eq!(names(MailFolder::Sent), ["one"]);
        assert_eq!(names(MailFolder::Out), ["three"]);
        assert_eq!(names(MailFolder::Refused), ["two"]);
    }
}
