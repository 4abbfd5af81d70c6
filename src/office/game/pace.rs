//! Descriptions of a player's settings for orders and letters.

use crate::game::Game;
use postrider_store::{Boilerplate, LetterLength, Messages, Pace};
use postrider_table::Seat;

/// Describes a player's settings and waiting mails.
pub(crate) fn pace_in_words(game: &Game, seat: Seat) -> String {
    let Pace { confirm, delay, letters, messages, digest, advice } = game.pace(seat);
    let confirms = match confirm {
        true => "Every order of yours is confirmed first (`confirm never` ends that).",
        false => "Clear orders are carried out without a `yes` (`confirm always` changes that).",
    };
    let delays = match delay {
        0 => String::new(),
        1 => " They wait a minute (`delay off` ends that).".to_owned(),
        minutes => format!(" They wait {minutes} minutes (`delay off` ends that)."),
    };
    let letters = match letters {
        LetterLength::Usual => "",
        LetterLength::Short => " Your letters are short (`letters usual` ends that).",
        LetterLength::Long => " Your letters are long (`letters usual` ends that).",
    };
    let words = match messages {
        Messages::Now => "",
        Messages::Later => " Messages from others come with your next letter (`messages now` ends that).",
    };
    let collected = match digest {
        None => String::new(),
        Some(digest) => {
            format!(" When nothing is asked of you, you are written to {} (`digest off` ends that).", digest.words())
        }
    };
    let advised = match advice {
        None => "",
        Some(true) => " Letters list what the steady bot would answer (`advice off` ends that).",
        Some(false) => " Your letters contain no advice (`advice on` changes that).",
    };
    let waiting = game.secrets.waiting.iter().filter(|(whose, _)| *whose == seat).count();
    let waits = match waiting {
        0 => String::new(),
        1 => " A mail of yours waits; `stop` takes it back.".to_owned(),
        mails => format!(" {mails} mails of yours wait; `stop` takes them back."),
    };
    format!("{confirms}{delays}{waits}{letters}{words}{collected}{advised}")
}

/// Lists a player's boilerplate lines.
pub(crate) fn boilerplate_in_words(game: &Game, seat: Seat) -> Vec<String> {
    let known = game.secrets.boilerplate(seat);
    if known.is_empty() {
        return vec!["No lines of yours are passed over.".to_owned()];
    }
    let title = "These lines of yours are passed over, because you have confirmed that they mean nothing. `boilerplate forget` ends that.";
    let one = |one: &Boilerplate| {
        let place = if one.above { "above your orders" } else { "below your orders" };
        format!("{place}: {}", postrider_orders::visible(&one.line))
    };
    std::iter::once(title.to_owned()).chain(known.iter().map(one)).collect()
}
