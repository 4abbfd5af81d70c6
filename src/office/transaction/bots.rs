//! Seats played by bots. Their answers are decisions like any other, recorded with `via: bot`.

use crate::{
    error::OfficeError,
    game::{Game, motions},
    misuse::Misuse,
    services::Services,
    transaction::Transaction,
};
use postrider_dice::{DiceStream, h};
use postrider_journal::Via;
use postrider_orders::list_and;
use postrider_replay::LiveFault;
use postrider_store::Player;
use postrider_table::{Bot, Bots, RANDOM, Ruleset, Seat, Understood};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum number of bots' decisions after a person's. A game that asks more questions would
/// never stop.
const MOST: usize = 10_000;

/// Returns the bot with this name for the game.
///
/// # Errors
/// [`OfficeError::Use`] with the existing names.
pub fn bot_called(ruleset: &dyn Ruleset, name: &str) -> Result<Box<dyn Bot>, OfficeError> {
    let unknown = || {
        let known: Vec<&str> = std::iter::once(&RANDOM).chain(ruleset.bots()).map(|bot| bot.name).collect();
        Misuse::NoBot { name: name.to_owned(), title: ruleset.title().to_owned(), known: list_and(&known) }
    };
    Ok(ruleset.bot(name).ok_or_else(unknown)?)
}

/// Returns the bot that plays a seat: its own, a stand-in, or the one for a seat that has conceded.
pub(crate) fn played_by(game: &Game, seat: Seat) -> Option<&str> {
    let own = || game.seats.player(seat).and_then(Player::bot);
    let conceded = || motions::is_out(game, seat).then(|| motions::conceded_bot(game));
    game.stand_in(seat).or_else(own).or_else(conceded)
}

/// Lets the bots answer their questions. Returns `true` if any did. The random bot replaces a bot
/// that these rules do not have, for example in a frozen version, or that panics. It does so until
/// the game is next opened, so that nobody has to wait.
pub(crate) fn answer(tx: &mut Transaction, services: &Services) -> Result<bool, OfficeError> {
    let ruleset = tx.live.opened.ruleset;
    let count = u8::try_from(tx.live.opened.seats.len()).unwrap_or(u8::MAX);
    let names: Vec<Option<&str>> = (0..count).map(|seat| played_by(tx, Seat(seat))).collect();
    if names.iter().all(Option::is_none) || tx.live.closed {
        return Ok(false);
    }
    let named = |name: &str| ruleset.bot(name).unwrap_or_else(RANDOM.make);
    let mut bots = Bots::new(names.iter().map(|name| name.map(named)).collect());
    let mut at_random = Bots::new(names.iter().map(|name| name.map(|_| (RANDOM.make)())).collect());
    for made in 0..MOST {
        let (n, key) = (tx.next_line().to_string(), services.key_seed.text());
        let mut stream = DiceStream::new(h("postrider/bot/v1", &[&tx.id, &n, key.as_str()]));
        let id = tx.id.clone();
        let Some(dyn_game) = &tx.live.dyn_game else { return Ok(made > 0) };
        let mut below = |n: u32| stream.below(n);
        let decided = catch_unwind(AssertUnwindSafe(|| bots.decide(&**dyn_game, &mut below)));
        let decided = match decided {
            Ok(decided) => decided?,
            Err(_) => {
                tracing::error!(game = id, "a bot failed; for now it plays at random");
                at_random.decide(&**dyn_game, &mut below)?
            }
        };
        let Some(decision) = decided else { return Ok(made > 0) };
        let asked = decision.asked;
        let understood = Understood::answer(&asked, decision.order);
        match tx.decide(services, asked.seat, &understood, Via::Bot, None) {
            Ok(()) => {}
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                tracing::error!(game = tx.id, kind = asked.kind, %why, "a bot's order was refused");
                return Ok(made > 0);
            }
            Err(other) => return Err(other),
        }
    }
    Ok(true)
}
