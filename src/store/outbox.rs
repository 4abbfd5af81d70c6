//! Letters that wait to be sent: composed, stored under a name that stays the same when the work is done twice, then sent.

use super::{
    StoreError,
    contract::{HandedOver, Mails, OutboxRow},
    folder::Host,
    players::Player,
};
use crate::{
    journal::{Head, ReceiptKey},
    mail::{Attached, AutoSubmitted, Incoming, Outgoing, SendFault, SmtpTransport, Token, Transport},
    orders::visible,
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

/// A letter to a player.
#[derive(Clone, Debug)]
pub struct OutgoingLetter {
    /// Its name in the outbox, in which nothing changes when it is written again: `lone-pine.B.412.letter`.
    pub unique: String,
    /// The last part of its Message-ID.
    pub kind: String,
    /// The subject, without the game's tag.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as HTML, if it is wanted.
    pub html: Option<String>,
    /// The picture that the HTML shows, as PNG.
    pub picture: Option<Vec<u8>>,
    /// Files that go along.
    pub attached: Vec<Attached>,
    /// The number and token that an answer must carry.
    pub token: (u32, Token),
    /// The mail that it answers.
    pub thread: Option<Thread>,
    /// Its date.
    pub date: DateTime<Utc>,
}

/// To which address a letter has its answer sent, and its whole subject.
pub fn answered_by(host: &Host, game: &str, (number, token): (u32, Token), subject: &str) -> (String, String) {
    let addresses = &host.addresses;
    let reply_to = addresses.reply_address(game, number, &token);
    // Without sub-addressing the subject must carry the token.
    let tag = match reply_to == addresses.plain() {
        true => addresses.subject_tag(game, number, &token),
        false => format!("[{game}]"),
    };
    let subject = match subject.strip_prefix("Re: ") {
        Some(subject) => format!("Re: {tag} {subject}"),
        None => format!("{tag} {subject}"),
    };
    (reply_to, visible(&one_line(&subject)).into_owned())
}

/// Writes a letter as the mail that goes out, with its envelope. The same values make the same bytes.
///
/// # Errors
/// [`StoreError::Compose`].
pub fn compose(
    host: &Host,
    key: &ReceiptKey,
    head: &Head,
    to: &Player,
    letter: &OutgoingLetter,
) -> Result<OutboxRow, StoreError> {
    let plain = host.addresses.plain();
    let (reply_to, subject) = answered_by(host, &head.game, letter.token, &letter.subject);
    let domain = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    let hash = head.hash.hex();
    let message_id = format!("<{}.{}.{}.{}.{}@{domain}>", head.game, to.seat, head.n, &hash.as_str()[..8], letter.kind);
    let thread = letter.thread.clone().unwrap_or_default();
    let references = thread.references.into_iter().chain(thread.message_id.clone()).collect();
    let mail = Outgoing {
        to_name: to.name.clone(),
        to_address: to.address.clone(),
        from_name: host.settings.name.clone(),
        from_address: plain,
        reply_to: Some(reply_to),
        subject,
        text: letter.text.clone(),
        html: letter.html.clone(),
        picture: letter.picture.clone(),
        attached: letter.attached.clone(),
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
    let mail =
        mail.compose().or_else(|_| Outgoing { in_reply_to: None, references: Vec::new(), ..mail.clone() }.compose())?;
    Ok(OutboxRow { unique: letter.unique.clone(), mail })
}

/// What became of the mails in the outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many were handed over.
    pub sent: usize,
    /// How many stay in the outbox for now, with the last reason.
    pub waiting: (usize, String),
    /// Names of those that will never be taken, with the reason; they lie in `mail/refused`.
    pub refused: Vec<(String, String)>,
}

/// Hands over what lies in the outbox, if mails leave by a mail server; otherwise they stay for the host's own mail system.
///
/// # Errors
/// [`StoreError`] when the outbox cannot be read or the settings make no sense.
pub fn send(host: &Host, store: &dyn Mails) -> Result<Sent, StoreError> {
    let mut report = Sent::default();
    let Some(config) = host.smtp()? else { return Ok(report) };
    let mut server = SmtpTransport::new(&config)?;
    send_by(store, &mut server, &mut report)?;
    Ok(report)
}

/// Hands over what waits in the outbox by this way out. A mail that was handed over and is noted down as sent is not handed over
/// again; only a crash between the two does that, and then the reader's mail program knows it by its Message-ID.
pub(crate) fn send_by(store: &dyn Mails, way: &mut dyn Transport, report: &mut Sent) -> Result<(), StoreError> {
    store.hand_over(&mut |mail| match way.send(&mail.mail.envelope, &mail.mail.raw) {
        Ok(()) => {
            report.sent += 1;
            HandedOver::Taken
        }
        Err(why) if why.stays_owed() => {
            report.waiting = (report.waiting.0 + 1, why.to_string());
            // Settings that do not work fail for every mail alike.
            if matches!(why, SendFault::Setup(_)) { HandedOver::Stop } else { HandedOver::Later }
        }
        Err(why) => {
            report.refused.push((mail.unique.clone(), why.to_string()));
            HandedOver::Never
        }
    })
}

/// A subject is one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mail::{Composed, Envelope},
        store::{FileStore, MailFolder},
    };

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
        out.deliver_composed("1", &Composed { envelope: row.clone(), raw: raw.to_vec() }).unwrap();
        // As an earlier release has left it.
        out.deliver("2", raw).unwrap();
        let mut seen = Seen(Vec::new());
        send_by(&FileStore::new(&host), &mut seen, &mut Sent::default()).unwrap();
        let read = Envelope { sender: None, recipients: vec!["ben@example.net".into()] };
        assert_eq!(seen.0, [row, read]);
        assert_eq!(std::fs::read_dir(out.root().join("envelopes")).unwrap().count(), 0, "none is left over");
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
        send_by(&FileStore::new(&host), &mut Moody(0), &mut report).unwrap();
        assert_eq!((report.sent, report.waiting.0, report.refused.len()), (1, 1, 1));
        let names =
            |folder| host.mail(folder).unwrap().list().unwrap().into_iter().map(|e| e.unique).collect::<Vec<_>>();
        assert_eq!(names(MailFolder::Sent), ["one"]);
        assert_eq!(names(MailFolder::Out), ["three"]);
        assert_eq!(names(MailFolder::Refused), ["two"]);
    }
}
