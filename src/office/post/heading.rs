//! A letter's subject, names and thread, and the mail that it answers.

use crate::{game::Game, post::due::Due, transaction::reply::Reply};
use postrider_dice::Hash;
use postrider_mail::bare_subject;
use postrider_replay::marks::called;
use postrider_table::Seat;

/// Returns the subject of a letter. Each Round has one, so that mail programs show it as a thread;
/// events outside the game's course have their own.
pub(crate) fn subject(game: &Game, seat: Seat, due: &Due, reply: Option<&Reply>) -> String {
    let place = called(&game.live.marks);
    match reply {
        Some(reply) if !due.any() => format!("Re: {}", bare_subject(&reply.subject).0),
        _ if game.abandoned().is_some() => "the game is abandoned".to_owned(),
        _ if game.live.closed => "the game is over".to_owned(),
        _ if due.taken => format!("{place}: seat {seat} is yours"),
        _ if due.rewound => format!("{place}: the game was rewound"),
        _ if due.ruled => format!("{place}: a ruling"),
        _ if due.proposed => format!("{place}: a proposal"),
        _ if due.only_words() => format!("{place}: a message for you"),
        _ => place,
    }
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
