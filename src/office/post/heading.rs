//! A letter's subject, names and thread, and the mail that it answers.

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

/// Returns the subject of a letter. Each Round has one, so that mail programs show it as a thread;
/// events outside the game's course have their own.
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

/// Returns the mail that a letter answers, which may have been carried out before the program
/// ended.
pub(crate) fn answered_mail(game: &Game, seat: Seat, reply: Option<&Reply>) -> Option<Hash> {
    let last_mail = game.facts.last_mailed.and_then(|(seat, n)| Some((seat, game.secrets.mail_of(n)?)));
    let last_mail = last_mail.or_else(|| game.secrets.last_append_by(game.head().n));
    let last_mail = last_mail.filter(|(whose, mail)| *whose == seat && !game.secrets.handled.contains(mail));
    reply.map(|reply| reply.mail).or(last_mail.map(|(_, mail)| mail))
}

/// Returns a letter's unique name, and the part of its Message-ID that describes it.
pub(crate) fn named_letter(game: &Game, seat: Seat, answers: Option<Hash>) -> (String, String) {
    match answers {
        Some(mail) => {
            let mail = mail.to_string();
            (format!("{}.{seat}.re.{}", game.id, &mail[..16]), format!("re-{}", &mail[..8]))
        }
        // The hash is needed because a journal restored from an older copy reaches the same number
        // again.
        None => {
            let head = game.head();
            let unique = format!("{}.{seat}.{}.{}.letter", game.id, head.n, &head.hash.text().as_str()[..8]);
            (unique, "letter".to_owned())
        }
    }
}

/// Returns the thread of a stored raw mail.
pub(crate) fn thread_of(game: &Game, services: &Services, mail: &Hash) -> Result<Option<Thread>, OfficeError> {
    let raw = services.store.read_taken(&game.id, mail)?;
    Ok(raw.and_then(|raw| Incoming::parse(&raw).ok()).map(|mail| Thread::of(&mail)))
}

/// Removes reply marks and our own tag from a subject.
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
