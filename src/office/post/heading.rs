//! Subject, names and thread of a letter, and the mail that it answers.

use crate::{
    error::OfficeError,
    game::Game,
    post::{due::Due, reply::Reply},
    services::Services,
};
use postrider_dice::Hash;
use postrider_mail::Incoming;
use postrider_replay::marks::called;
use postrider_store::Thread;
use postrider_table::Seat;

/// The subject of a letter: one a Round, so that mail programs show a thread a Round. Events apart from
/// the game's course have their own.
pub(crate) fn subject(game: &Game, seat: Seat, due: &Due, reply: Option<&Reply>) -> String {
    let place = called(&game.live.marks);
    match reply {
        Some(reply) if !due.any() => format!("Re: {}", bare_subject(&reply.subject)),
        _ if game.abandoned().is_some() => "the game is abandoned".to_owned(),
        _ if game.live.closed => "the game is over".to_owned(),
        _ if due.taken => format!("{place}: seat {seat} is yours"),
        _ if due.rewound => format!("{place}: the game was rewound"),
        _ if due.ruled => format!("{place}: a ruling"),
        _ if due.proposed => format!("{place}: a proposal"),
        _ if due.only_words() => format!("{place}: words to you"),
        _ => place,
    }
}

/// The mail that a letter answers: also one that was done before the program ended.
pub(crate) fn answered_mail(game: &Game, seat: Seat, reply: Option<&Reply>) -> Option<Hash> {
    let last_mail = game.facts.last_mailed.and_then(|(seat, n)| Some((seat, game.secrets.mail_of(n)?)));
    let last_mail = last_mail.or_else(|| game.secrets.last_append_by(game.head().n));
    let last_mail = last_mail.filter(|(whose, mail)| *whose == seat && !game.secrets.handled.contains(mail));
    reply.map(|reply| reply.mail).or(last_mail.map(|(_, mail)| mail))
}

/// The names of a letter: the one that it alone has, and what its Message-ID says of it.
pub(crate) fn named_letter(game: &Game, seat: Seat, answers: Option<Hash>) -> (String, String) {
    match answers {
        Some(mail) => {
            let mail = mail.to_string();
            (format!("{}.{seat}.re.{}", game.id, &mail[..16]), format!("re-{}", &mail[..8]))
        }
        // With the hash: a journal that was brought back from an older copy comes to the same number again.
        None => {
            let head = game.head();
            let unique = format!("{}.{seat}.{}.{}.letter", game.id, head.n, &head.hash.text().as_str()[..8]);
            (unique, "letter".to_owned())
        }
    }
}

/// The thread of a mail that is kept as it came in.
pub(crate) fn thread_of(game: &Game, services: &Services, mail: &Hash) -> Result<Option<Thread>, OfficeError> {
    let raw = services.store.read_taken(&game.id, mail)?;
    Ok(raw.and_then(|raw| Incoming::parse(&raw).ok()).map(|mail| Thread::of(&mail)))
}

/// A subject without the marks of answers and without our own tag.
pub(crate) fn bare_subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let answer = ["re:", "aw:", "sv:", "antw:", "fwd:", "fw:"].iter().find_map(|mark| {
            rest.get(..mark.len()).filter(|start| start.eq_ignore_ascii_case(mark)).map(|_| mark.len())
        });
        let tag = rest.starts_with('[').then(|| rest.find(']').map(|at| at + 1)).flatten();
        match answer.or(tag) {
            Some(length) => rest = rest[length..].trim_start(),
            None => return rest,
        }
    }
}
