//! Letters on their way to the outbox: composed, and stored under a name that is the same if the
//! work is repeated.

use super::{LetterId, StoreError, contract::OutboxRow, folder::Host, player::Player};
use chrono::{DateTime, Utc};
use postrider_journal::{Head, ReceiptKey};
use postrider_mail::{Attached, AutoSubmitted, Incoming, Outgoing, Token};
use postrider_orders::visible;
use serde::{Deserialize, Serialize};

/// The mail that a letter answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its Message-ID.
    pub message_id: Option<String>,
    /// Its references, oldest first.
    pub references: Vec<String>,
}

impl Thread {
    /// Returns the thread of an incoming mail.
    pub fn of(mail: &Incoming) -> Thread {
        let mut references =
            if mail.references.is_empty() { mail.in_reply_to.clone() } else { mail.references.clone() };
        // Mail programs need the first and the last few references; a game may have hundreds.
        if references.len() > 12 {
            references.drain(1..references.len() - 11);
        }
        Thread { message_id: mail.message_id.clone(), references }
    }
}

/// A letter to a player.
#[derive(Clone, Debug)]
pub struct OutgoingLetter {
    /// Its name in the outbox, which is the same if the letter is written again, such as
    /// `lone-pine.B.412.letter`.
    pub unique: String,
    /// The kind, as in its Message-ID.
    pub kind: String,
    /// The subject, without the game's tag.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as HTML, if required.
    pub html: Option<String>,
    /// The picture in the HTML, as PNG.
    pub picture: Option<Vec<u8>>,
    /// Attached files.
    pub attached: Vec<Attached>,
    /// The question's number and the token that an answer must contain.
    pub token: (u32, Token),
    /// The mail that it answers.
    pub thread: Option<Thread>,
    /// Its date.
    pub date: DateTime<Utc>,
}

impl OutgoingLetter {
    /// Creates a letter of plain text that does not ask for orders.
    pub fn plain(unique: String, kind: String, subject: String, text: String, date: DateTime<Utc>) -> OutgoingLetter {
        OutgoingLetter {
            unique,
            kind,
            subject,
            text,
            html: None,
            picture: None,
            attached: Vec::new(),
            token: (0, Token::new([0; 16])),
            thread: None,
            date,
        }
    }
}

/// The data in a letter's header that depend on its seat only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfSeat {
    /// An id, of no mail, with which the References of every letter to this seat begin, so that
    /// mail programs show them as one thread (RFC 5322 section 3.6.4).
    pub root: Option<String>,
    /// The address for bounces, if the seat has its own.
    pub returns: Option<String>,
    /// The address for ending such letters (RFC 2369 section 3.2); none for players, whose letters
    /// continue as long as they play.
    pub unsubscribe: Option<String>,
}

/// Returns the address for answers to a letter, and the letter's whole subject.
pub fn answered_by(host: &Host, game: &str, (number, token): (u32, Token), subject: &str) -> (String, String) {
    let addresses = &host.addresses;
    let reply_to = addresses.reply_address(game, number, &token);
    // Without sub-addressing, the subject must contain the token.
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

/// Composes a letter as an outgoing mail with its envelope. The same values give the same bytes.
///
/// # Errors
/// Returns [`StoreError::Compose`].
pub fn compose(
    host: &Host,
    key: &ReceiptKey,
    head: &Head,
    to: &Player,
    letter: &OutgoingLetter,
    of_seat: OfSeat,
) -> Result<OutboxRow, StoreError> {
    let plain = host.addresses.plain();
    let (reply_to, subject) = answered_by(host, &head.game, letter.token, &letter.subject);
    let hash = head.hash.text();
    let name = LetterId { game: &head.game, seat: to.seat, n: head.n, hash: &hash.as_str()[..8], kind: &letter.kind };
    let message_id = host.addresses.letter_id(&name.to_string(), letter.token.0, &letter.token.1);
    let thread = letter.thread.clone().unwrap_or_default();
    let of_letter = thread.references.into_iter().chain(thread.message_id.clone());
    let mut references: Vec<String> = of_letter.collect();
    if let Some(root) = of_seat.root {
        references.retain(|id| *id != root);
        references.insert(0, root);
    }
    let mut headers = vec![
        ("X-Postrider-Head".to_owned(), format!("{} {} {}", head.game, head.n, head.hash)),
        ("X-Postrider-Signature".to_owned(), in_words(&key.sign(head))),
        ("X-Postrider-Key".to_owned(), key.public().to_string()),
    ];
    headers.extend(of_seat.unsubscribe.map(|link| ("List-Unsubscribe".to_owned(), format!("<{link}>"))));
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
        headers,
        returns: of_seat.returns,
        date: letter.date,
        auto_submitted: if letter.thread.is_some() { AutoSubmitted::Replied } else { AutoSubmitted::Generated },
    };
    // A mail program's Message-ID may be invalid; then the mail is written without its thread.
    let mail =
        mail.compose().or_else(|_| Outgoing { in_reply_to: None, references: Vec::new(), ..mail.clone() }.compose())?;
    Ok(OutboxRow { unique: letter.unique.clone(), mail })
}

/// Splits a signature into words, so that the field can be folded: a header line has at most 78
/// characters (RFC 5322 section 2.1.1).
fn in_words(text: &str) -> String {
    text.as_bytes().chunks(GROUP).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

/// The number of characters that fit on a line after the longest field name.
const GROUP: usize = 48;

/// Replaces control characters, because a subject is one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
