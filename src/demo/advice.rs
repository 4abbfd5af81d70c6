//! What a bot would write in a player's place.

use postrider_dice::{DiceStream, h};
use postrider_office::{Office, OfficeError, bot_called};
use postrider_orders::Phrase;
use postrider_replay::LiveGame;
use postrider_table::{AnyOrder, Asked, Below, Bot, DynGame, PromptId, Ruleset, Seat};
use std::collections::BTreeSet;

/// A bot that tells a player what to order.
pub struct Adviser {
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

/// So many orders are written ahead at most, behind the one that is asked for: what a person writes in one sitting.
const AHEAD: usize = 24;

/// It looks ahead so many answers, its own and those that others have left.
const MOST_TRIED: usize = 120;

/// It is tried with so many kinds of luck what comes next; what is the same with all of them is written.
const LUCKS: u64 = 3;

/// The kind of the first question of a seat for which the game waits; "join" before there is one.
pub fn waits_for(office: &mut Office, game: &str, seat: Seat) -> Result<String, OfficeError> {
    office.terminal(game).live(|live| {
        let Some(dyn_game) = &mut live.dyn_game else { return Ok("join".to_owned()) };
        let asked = dyn_game.asked()?.into_iter().find(|asked| asked.required && asked.seat == seat);
        Ok(asked.map_or_else(String::new, |asked| asked.kind.to_owned()))
    })
}

impl Adviser {
    /// The orders of the bot for its seat, in words: an answer for which nothing waits, else one for which
    /// the game waits; with `ahead` also its next answers, as long as no other player, card or die comes
    /// between. Empty if the bot's decision has no words.
    pub fn advise(
        &mut self,
        office: &mut Office,
        game: &str,
        ahead: bool,
        chance: &mut DiceStream,
    ) -> Result<Vec<String>, OfficeError> {
        office.terminal(game).live(|live| {
            let Some(dyn_game) = &mut live.dyn_game else { return Ok(Vec::new()) };
            let mut mine: Vec<_> = dyn_game.asked()?.into_iter().filter(|asked| asked.seat == self.seat).collect();
            let waits = mine.iter().find(|asked| asked.required).map(|asked| asked.id);
            let fresh = waits.is_none_or(|id| self.heard.insert(id));
            mine.retain(|asked| asked.required || asked.urgent || fresh);
            mine.sort_by_key(|asked| asked.required);
            for asked in mine {
                let Some(dyn_game) = &mut live.dyn_game else { break };
                let mut below = |n: u32| chance.below(n);
                let Some(order) = self.bot.answer(&mut **dyn_game, &asked, &mut below) else { continue };
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
    /// What it would order behind this answer, whatever the dice bring. It is tried in games in which what its seat does not see is made
    /// up, so that nothing is written that only the service can know.
    fn ahead(
        &mut self,
        live: &LiveGame,
        asked: &Asked,
        order: &AnyOrder,
        below: &mut Below<'_>,
    ) -> Result<Vec<String>, OfficeError> {
        let mut common: Option<Vec<String>> = None;
        // Where it is of two minds it is so in the same way every time.
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

    /// What it orders in a game of its own until somebody else is asked who has not left standing orders of these for it.
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
        // Where turns are taken, what it does in its own if the others let theirs go by is a list for these turns.
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
            // What somebody has left is given for him: it is no line of the mail.
            if !left {
                let Some(mut words) = then.say(next.id, &answer) else { break };
                // A bare `done` ends what was asked, never what comes then.
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
