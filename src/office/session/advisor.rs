//! What the steady bot would answer in a player's place: `as advised` in standing orders, and the advice in letters.

use super::GameSession;
use crate::{
    dice::{DiceStream, h},
    office::services::Services,
    table::{AnyOrder, Asked, DynGame, NamedBot},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Gives advice in one game. The same question has the same advice however often it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Advisor {
    bot: NamedBot,
    game: String,
    /// What nobody but the host knows: else everybody could reckon what others are advised.
    key: String,
}

impl Advisor {
    /// What the bot would answer, by what the seat that is asked may see; `None` where it has no opinion, or breaks down.
    pub fn advise(&self, dyn_game: &mut dyn DynGame, asked: &Asked) -> Option<AnyOrder> {
        let place = [asked.seat.to_string(), asked.id.to_string()];
        let mut stream = DiceStream::new(h("postrider/advice/v1", &[&self.game, &place[0], &place[1], &self.key]));
        let mut bot = (self.bot.make)();
        catch_unwind(AssertUnwindSafe(|| bot.answer(dyn_game, asked, &mut |n| stream.below(n)))).ok()?
    }
}

impl GameSession {
    /// Who gives advice in this game: the first bot of the game that does not play at random.
    pub(crate) fn advisor(&self, services: &Services) -> Option<Advisor> {
        let bot = *self.live.opened.ruleset.bots().first()?;
        let key = services.key_seed.hex().as_str().to_owned();
        Some(Advisor { bot, game: self.game.clone(), key })
    }
}
