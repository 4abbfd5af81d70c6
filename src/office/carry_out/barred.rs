//! Determines whether a mail's orders count now, from the letter that it answers and the open
//! questions.

use crate::{
    error::OfficeError,
    game::{Game, motions, seats, undoing},
    reading::{Access, Origin, context::answers_newest},
};
use postrider_orders::list_and;
use postrider_table::Seat;
use std::collections::BTreeSet;

/// Returns `true` if answers can be left in advance even if orders do not count now. That is so
/// while the game is in progress, if the letter is not void, and if the seat has no open question
/// or the mail answers its newest letter.
pub(crate) fn may_leave(game: &Game, seat: Seat, from: &Origin<'_>, access: Access) -> Result<bool, OfficeError> {
    let goes_on = !game.live.closed && game.live.started.is_some() && !motions::is_out(game, seat);
    let asked = game.asked()?.iter().any(|asked| asked.seat == seat);
    Ok(goes_on && access != Access::Undone && (!asked || answers_newest(game, seat, from, access)))
}

/// Returns the reason why orders do not count now, if they do not.
pub(crate) fn barred(
    game: &Game,
    seat: Seat,
    from: &Origin<'_>,
    access: Access,
) -> Result<Option<String>, OfficeError> {
    if game.abandoned().is_some() {
        return Ok(Some("The game is abandoned: no order was carried out.".to_owned()));
    }
    if game.live.closed {
        return Ok(Some("The game is over: no order was carried out.".to_owned()));
    }
    if game.live.started.is_none() {
        let what = "The game has not begun: no order was carried out.";
        return Ok(Some(match seats::has_joined(game, seat) {
            true => format!("{what} {}", seats::waiting(game)),
            false => format!("{what} To take your seat, answer with the one word `join` on a line of its own."),
        }));
    }
    if motions::is_out(game, seat) {
        let bot = motions::conceded_bot(game);
        return Ok(Some(format!(
            "No order was carried out: your seat is out of the game, and the bot {bot} plays it."
        )));
    }
    let stale = match access {
        Access::Host => false,
        Access::Undone => {
            return Ok(Some(format!(
                "No order was carried out: that letter is void, since {}. Please answer the newest letter, which may be \
                 this one.",
                undoing::last_rewind(game)
            )));
        }
        Access::Letterbox => true,
        Access::Question(id) => !game.asked()?.iter().any(|asked| asked.seat == seat && asked.id == id),
    };
    // A mail that was partly carried out before a crash has closed its own question.
    let begun = matches!(from, Origin::Mail { hash, .. } if game.facts.mails.contains_key(hash));
    if !stale || begun {
        return Ok(None);
    }
    let asked = game.asked()?;
    if asked.iter().any(|asked| asked.seat == seat) {
        let why = "No order was carried out: what that letter asked is no longer open. Please answer the newest letter, \
                   which may be this one.";
        return Ok(Some(why.to_owned()));
    }
    let awaited = asked.iter().filter(|asked| asked.required).map(|asked| asked.seat);
    let awaited: BTreeSet<Seat> = awaited.collect();
    let names: Vec<&str> = awaited.iter().filter_map(|&seat| Some(game.seats.player(seat)?.name.as_str())).collect();
    Ok(Some(format!("No order was carried out: nothing is asked of you now. The game waits for {}.", list_and(&names))))
}

/// Returns the reason why proposals, votes and concessions do not count now, if they do not. They
/// count in answer to any letter that is not void, even if the seat has no open question.
pub(crate) fn from_motions(
    game: &Game,
    seat: Seat,
    from: &Origin<'_>,
    access: Access,
) -> Result<Option<String>, OfficeError> {
    barred(game, seat, from, if access == Access::Undone { access } else { Access::Host })
}
