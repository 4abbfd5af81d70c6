//! What a bot would write in a player's place.

use crate::{
    dice::DiceStream,
    office::{Office, OfficeError, session::bot_called},
    orders::{Phrase, looks_back},
    table::{AnyOrder, Asked, Below, Bot, DynGame, PromptId, Ruleset, Seat},
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

/// So many orders are written ahead at most, behind the one that is asked for.
const AHEAD: usize = 3;

impl Office {
    /// What a bot would order for its seat now, in words: something for which nothing waits, else what the game waits for; with `ahead`
    /// also what it would answer next, as long as no die, no card and nobody else comes between. Empty where it has no words for what it
    /// would do.
    pub(crate) fn advised(
        &mut self,
        game: &str,
        adviser: &mut Adviser,
        ahead: bool,
        chance: &mut DiceStream,
    ) -> Result<Vec<String>, OfficeError> {
        self.with_session(game, |_, session| {
            let Some(dyn_game) = &mut session.live.dyn_game else { return Ok(Vec::new()) };
            let mut mine: Vec<_> = dyn_game.asked()?.into_iter().filter(|asked| asked.seat == adviser.seat).collect();
            let waits = mine.iter().find(|asked| asked.required).map(|asked| asked.id);
            let fresh = waits.is_none_or(|id| adviser.heard.insert(id));
            mine.retain(|asked| asked.required || asked.urgent || fresh);
            mine.sort_by_key(|asked| asked.required);
            for asked in mine {
                let mut below = |n: u32| chance.below(n);
                let Some(order) = adviser.bot.answer(&mut **dyn_game, &asked, &mut below) else { continue };
                // What it does unasked may change what it is asked.
                let mut orders: Vec<String> = dyn_game.say(asked.id, &order).into_iter().collect();
                if ahead && asked.required && !orders.is_empty() {
                    let then = session.live.then(session.live.head.n)?.and_then(|then| then.dyn_game);
                    if let Some(mut then) = then {
                        adviser.ahead(&mut *then, &asked, &order, &mut orders, &mut below);
                    }
                }
                return Ok(orders);
            }
            Ok(Vec::new())
        })
    }
}

impl Adviser {
    /// What it would order behind this answer: tried in a game of its own, which has no dice and cards beyond those that have fallen.
    fn ahead(
        &mut self,
        then: &mut dyn DynGame,
        asked: &Asked,
        order: &AnyOrder,
        orders: &mut Vec<String>,
        below: &mut Below<'_>,
    ) {
        let (mut prompt, mut order) = (asked.id, order.clone());
        for _ in 0..AHEAD {
            if then.decide(self.seat, prompt, &order).is_err() {
                return;
            }
            let Ok(next) = then.asked() else { return };
            let waits = |asked: &Asked| asked.required && asked.seat == self.seat;
            let Some(next) = next.into_iter().find(waits) else { return };
            let Some(answer) = self.bot.answer(then, &next, below) else { return };
            let Some(words) = then.say(next.id, &answer) else { return };
            // What could be taken for words about the orders before it is left for its question.
            if looks_back(&Phrase::new(&words)) {
                return;
            }
            orders.push(words);
            (prompt, order) = (next.id, answer);
        }
    }
}
