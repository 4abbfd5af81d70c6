//! Letters that wait to be sent: composed, stored under a name that stays the same when the work is done twice, then sent.

use super::{LetterId, StoreError, contract::OutboxRow, folder::Host, player::Player};
use chrono::{DateTime, Utc};
use postrider_journal::{Head, ReceiptKey};
use postrider_mail::{Attached, AutoSubmitted, Incoming, Outgoing, Token};
use postrider_orders::visible;

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
    /// What its Message-ID says it is.
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

impl OutgoingLetter {
    /// A letter of plain words to which no order is an answer.
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

/// What a letter to a player bears of its seat beside what it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfSeat {
    /// The id, of no mail, with which the References of every letter to this seat begin: mail programs put them into one thread
    /// (RFC 5322 section 3.6.4).
    pub root: Option<String>,
    /// The address to which mail servers report that it did not arrive, if it is one of the seat's own.
    pub returns: Option<String>,
    /// Where a mail goes that ends such letters (RFC 2369 section 3.2): a player's go on as long as he plays, and have none.
    pub unsubscribe: Option<String>,
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
    // An id that some mail program made up may be none: then the thread breaks, but the mail is written.
    let mail =
        mail.compose().or_else(|_| Outgoing { in_reply_to: None, references: Vec::new(), ..mail.clone() }.compose())?;
    Ok(OutboxRow { unique: letter.unique.clone(), mail })
}

/// A signature as words, between which a field can be folded: a line of a header has 78 characters at most (RFC 5322 section 2.1.1).
fn in_words(text: &str) -> String {
    text.as_bytes().chunks(GROUP).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

/// The number of characters that fit behind the longest name of a field of ours.
const GROUP: usize = 48;

/// A subject is one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
