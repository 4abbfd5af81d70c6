//! What a bot would write in a player's place.

use crate::{
    dice::DiceStream,
    office::{Office, OfficeError, session::bot_called},
    table::{Bot, PromptId, Ruleset, Seat},
};
use std::collections::BTreeSet;

/// A bot that tells a player what to order.
pub(crate) struct Adviser {
    seat: Seat,
    bot: Box<dyn Bot>,
    /// Questions beside which it has had its say about what nobody waits for: once is enough, or two of them could offer
    /// and refuse for ever.
    heard: BTreeSet<PromptId>,
}

impl Adviser {
    /// For one seat of a game.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when no such bot plays the game.
    pub fn new(ruleset: &dyn Ruleset, name: &str, seat: Seat) -> Result<Adviser, OfficeError> {
        Ok(Adviser { seat, bot: bot_called(ruleset, name)?, heard: BTreeSet::new() })
    }
}

impl Office {
    /// What a bot would order for its seat now, in words: something for which nothing waits, else what the game waits for. None
    /// where it has no words for what it would do.
    pub(crate) fn advised(
        &mut self,
        game: &str,
        adviser: &mut Adviser,
        chance: &mut DiceStream,
    ) -> Result<Option<String>, OfficeError> {
        self.with_session(game, |_, session| {
            let Some(dyn_game) = &mut session.live.dyn_game else { return Ok(None) };
            let mut mine: Vec<_> = dyn_game.asked()?.into_iter().filter(|asked| asked.seat == adviser.seat).collect();
            let waits = mine.iter().find(|asked| asked.required).map(|asked| asked.id);
            let fresh = waits.is_none_or(|id| adviser.heard.insert(id));
            mine.retain(|asked| asked.required || asked.urgent || fresh);
            mine.sort_by_key(|asked| asked.required);
            for asked in mine {
                let mut below = |n: u32| chance.below(n);
                let Some(order) = adviser.bot.answer(&mut **dyn_game, &asked, &mut below) else { continue };
                // What it does unasked may change what it is asked: one order a mail.
                return Ok(dyn_game.say(asked.id, &order));
            }
            Ok(None)
        })
    }
}
