//! Short trial games that compare the answers to a question, using only what the asked seat knows.
//!
//! Each trial begins at the current position, with everything that is hidden from the seat replaced
//! by random values ([`LiveGame::imagined_by`]). So it reveals nothing that the seat does not know.
//! Dice and shuffles are random too, and no seed chain of the game is used. The trial gives the
//! answer, and bots play on. All answers are tried against the same futures, so only the answer
//! makes the difference.

use postrider_dice::{DiceStream, Hash, h};
use postrider_replay::LiveGame;
use postrider_standing::Value;
use postrider_table::{AnyOrder, Asked, BotDecision, Bots, DynGame, NamedBot, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of short games per answer.
pub const TRIES: u32 = 8;

/// The maximum number of bot decisions in each game.
pub const LENGTH: usize = 120;

/// The name of the fact that holds a seat's lead: its points minus those of the best other seat.
const LEAD: &str = "lead";

/// The results of trying one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// The number of games in which the seat was ahead at the end.
    pub ahead: u32,
    /// The number of games in which the seat tied with the best other seat.
    pub level: u32,
    /// The number of games played.
    pub games: u32,
    /// The sum of its leads at the end of all games.
    pub lead: i64,
}

/// Tries answers to a question. Returns `None` for an answer that cannot be tried, and for all
/// answers in a game that does not provide the fact `lead`. For the same question, `key` determines
/// the trials.
pub fn tried(live: &LiveGame, asked: &Asked, orders: &[AnyOrder], bot: &NamedBot, key: Hash) -> Vec<Option<Tried>> {
    let each = |order: &AnyOrder| {
        let mut sum = Tried::default();
        for number in 0..TRIES {
            // A panic can leave only this trial's own game in an inconsistent state.
            let lead = catch_unwind(AssertUnwindSafe(|| play(live, asked, order, bot, (key, number)))).ok().flatten();
            let Some(lead) = lead else { continue };
            sum.games += 1;
            sum.ahead += u32::from(lead > 0);
            sum.level += u32::from(lead == 0);
            sum.lead += lead;
        }
        (sum.games > 0).then_some(sum)
    };
    orders.iter().map(each).collect()
}

/// Plays one short game after an answer. Returns the seat's lead at its end.
fn play(live: &LiveGame, asked: &Asked, order: &AnyOrder, bot: &NamedBot, (key, number): (Hash, u32)) -> Option<i64> {
    let place = [asked.seat.to_string(), asked.id.to_string(), number.to_string()];
    let seed = h("postrider/try/v1", &[&live.game, &place[0], &place[1], &place[2], key.text().as_str()]);
    let luck = u64::from_le_bytes(seed.0[..8].try_into().ok()?);
    let mut game = live.imagined_by(asked.seat, luck).ok().flatten()?;
    let mut stream = DiceStream::new(seed);
    game.decide(asked.seat, asked.id, order).ok()?;
    let mut bots = Bots::new(live.opened.seats.iter().map(|_| Some((bot.make)())).collect());
    for _ in 0..LENGTH {
        if game.outcome().is_some() {
            break;
        }
        let BotDecision { asked, order } = bots.decide(&*game, &mut |n| stream.below(n)).ok().flatten()?;
        game.decide(asked.seat, asked.id, &order).ok()?;
    }
    lead(&*game, asked.seat)
}

fn lead(game: &dyn DynGame, seat: Seat) -> Option<i64> {
    game.known(seat).into_iter().find(|fact| fact.name == LEAD).and_then(|fact| match fact.value {
        Value::Number(lead) => Some(lead),
        _ => None,
    })
}
