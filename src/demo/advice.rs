//! The orders that a bot would write in a player's place.

use postrider_dice::{DiceStream, h};
use postrider_office::{Office, OfficeError, bot_called};
use postrider_orders::Phrase;
use postrider_replay::LiveGame;
use postrider_table::{AnyOrder, Asked, Below, Bot, DynGame, PromptId, Ruleset, Seat};
use std::collections::BTreeSet;

/// A bot that suggests orders to a player.
pub struct Adviser {
    seat: Seat,
    bot: Box<dyn Bot>,
    /// The required questions during which the bot has already commented on optional ones. Once is
    /// enough; otherwise two bots could offer and refuse forever.
    heard: BTreeSet<PromptId>,
}

impl Adviser {
    /// Creates the adviser of one seat.
    ///
    /// # Errors
    /// Returns [`OfficeError::Use`] if the game has no bot of this name.
    pub fn new(ruleset: &dyn Ruleset, name: &str, seat: Seat) -> Result<Adviser, OfficeError> {
        Ok(Adviser { seat, bot: bot_called(ruleset, name)?, heard: BTreeSet::new() })
    }
}

/// The maximum number of orders written ahead after the one that was asked for: about what a person
/// writes in one sitting.
const AHEAD: usize = 24;

/// The maximum number of answers tried when looking ahead, including those given by standing
/// orders.
const MOST_TRIED: usize = 120;

/// The number of random futures used to look ahead. Only orders that are the same in all of them
/// are written.
const LUCKS: u64 = 3;

/// Returns the kind of the first required question of a seat; "join" before the game has begun, ""
/// if there is no such question.
pub fn waits_for(office: &mut Office, game: &str, seat: Seat) -> Result<String, OfficeError> {
    office.terminal(game).live(|live| {
        let Some(dyn_game) = &live.dyn_game else { return Ok("join".to_owned()) };
        let asked = dyn_game.asked()?.into_iter().find(|asked| asked.required && asked.seat == seat);
        Ok(asked.map_or_else(String::new, |asked| asked.kind.to_owned()))
    })
}

impl Adviser {
    /// Returns the bot's orders for its seat, in words. An answer to an optional question takes
    /// precedence over one to a required question. With `ahead` the bot's next answers follow, up
    /// to the first decision of another player or the first random result that matters. Returns
    /// nothing if the bot's decision has no words.
    pub fn advise(
        &mut self,
        office: &mut Office,
        game: &str,
        ahead: bool,
        chance: &mut DiceStream,
    ) -> Result<Vec<String>, OfficeError> {
        office.terminal(game).live(|live| {
            let Some(dyn_game) = &live.dyn_game else { return Ok(Vec::new()) };
            let mut mine: Vec<_> = dyn_game.asked()?.into_iter().filter(|asked| asked.seat == self.seat).collect();
            let waits = mine.iter().find(|asked| asked.required).map(|asked| asked.id);
            let fresh = waits.is_none_or(|id| self.heard.insert(id));
            mine.retain(|asked| asked.required || asked.urgent || fresh);
            mine.sort_by_key(|asked| asked.required);
            for asked in mine {
                let Some(dyn_game) = &live.dyn_game else { break };
                let mut below = |n: u32| chance.below(n);
                let Some(order) = self.bot.answer(&**dyn_game, &asked, &mut below) else { continue };
                let mut orders: Vec<String> = dyn_game.say(asked.id, &order).into_iter().collect();
                if ahead && !orders.is_empty() {
                    orders.extend(self.ahead(live, &asked, &order, &mut below)?);
                }
                return Ok(orders);
            }
            Ok(Vec::new())
        })
    }
}

impl Adviser {
    /// Returns the orders that follow this answer in every future tried. Everything hidden from the
    /// seat is random in these futures, so the orders reveal nothing that only the service can
    /// know.
    fn ahead(
        &mut self,
        live: &LiveGame,
        asked: &Asked,
        order: &AnyOrder,
        below: &mut Below<'_>,
    ) -> Result<Vec<String>, OfficeError> {
        let mut common: Option<Vec<String>> = None;
        // The bot must make the same random choices in every future.
        let mind = below(u32::MAX).to_string();
        for luck in 1..=LUCKS {
            let mut stream = DiceStream::new(h("postrider/ahead/v1", &[&mind]));
            let below = &mut |n: u32| stream.below(n);
            let Some(mut then) = live.imagined_by(self.seat, luck)? else { return Ok(Vec::new()) };
            let orders = self.go_on(&mut *then, asked, order, live.opened.ruleset, below);
            let kept = match common {
                None => orders,
                Some(known) => known.into_iter().zip(orders).take_while(|(a, b)| a == b).map(|(a, _)| a).collect(),
            };
            common = Some(kept);
        }
        Ok(common.unwrap_or_default())
    }

    /// Returns the bot's orders in a trial game, up to the first question to another player that no
    /// standing order of the game's list answers.
    fn go_on(
        &mut self,
        then: &mut dyn DynGame,
        asked: &Asked,
        order: &AnyOrder,
        rules: &dyn Ruleset,
        below: &mut Below<'_>,
    ) -> Vec<String> {
        let standing = rules.standing();
        let mut kind = asked.kind;
        let (mut seat, mut prompt, mut order) = (self.seat, asked.id, order.clone());
        let (mut orders, mut tried) = (Vec::new(), 0);
        // If players take turns, the bot's orders for its own turns, assuming that the others pass,
        // form a list.
        let mut turns: Option<&str> = None;
        while orders.len() < AHEAD && tried < MOST_TRIED && then.decide(seat, prompt, &order).is_ok() {
            tried += 1;
            let Ok(asked) = then.asked() else { break };
            let Some(next) = asked.into_iter().find(|asked| asked.required) else { break };
            let left = standing.lines().any(|line| line.split(' ').nth(1) == Some(next.kind));
            let by_turns = rules.by_turns().iter().find(|by_turns| by_turns.kind == next.kind);
            if next.seat != self.seat
                && !left
                && let Some(by_turns) = by_turns
                && let Ok(pass) = then.read_at(next.seat, next.id, &Phrase::new(by_turns.pass))
            {
                turns = Some(by_turns.kind);
                (seat, prompt, order) = (next.seat, next.id, pass.order);
                continue;
            }
            if next.seat != self.seat && !left || turns.is_some_and(|kind| kind != next.kind && !left) {
                break;
            }
            let Some(answer) = self.bot.answer(then, &next, below) else { break };
            // A standing order answers such a question, so the mail needs no line for it.
            if !left {
                let Some(mut words) = then.say(next.id, &answer) else { break };
                // A bare `done` ends the question that was asked, never a later one.
                if next.kind != kind && rules.enough().contains(&words.as_str()) {
                    words = format!("{}: {words}", next.kind.replace('-', " "));
                }
                kind = next.kind;
                orders.push(words);
            }
            (seat, prompt, order) = (next.seat, next.id, answer);
        }
        orders
    }
}
