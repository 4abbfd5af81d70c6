//! Answers to a question tried out in short games, by what the seat that is asked may know.
//!
//! Each try begins at the position as it stands, with everything hidden from the seat made up anew ([`LiveGame::imagined_by`]), so it
//! tells nothing that the seat does not know; dice and shuffles are made up too, and no chain of the game is used. The answer is given,
//! and bots play on. Of every answer the same futures are tried: what differs is the answer.

use postrider_dice::{DiceStream, Hash, h};
use postrider_replay::LiveGame;
use postrider_standing::Value;
use postrider_table::{AnyOrder, Asked, BotDecision, Bots, DynGame, NamedBot, Seat};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// So many short games are played for each answer.
pub const TRIES: u32 = 8;

/// So many answers of bots are given in each at most.
pub const LENGTH: usize = 120;

/// The fact by which games are told how a seat stands: its points less those of the best of the others.
const LEAD: &str = "lead";

/// What came of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// In how many games the seat was ahead at the end.
    pub ahead: u32,
    /// In how many it was level with another.
    pub level: u32,
    /// How many were played.
    pub games: u32,
    /// Its lead at the end, all games together.
    pub lead: i64,
}

/// Tries answers to a question; `None` for one that cannot be tried, and for all in a game that does not tell who leads. The same question
/// has the same tries for the same `key`.
pub fn tried(live: &LiveGame, asked: &Asked, orders: &[AnyOrder], bot: &NamedBot, key: Hash) -> Vec<Option<Tried>> {
    let each = |order: &AnyOrder| {
        let mut sum = Tried::default();
        for number in 0..TRIES {
            // Whatever a breakdown leaves behind is a game of its own.
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

/// One short game behind an answer; gives the lead of the seat at its end.
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
        let BotDecision { asked, order } = bots.decide(&mut *game, &mut |n| stream.below(n)).ok().flatten()?;
        game.decide(asked.seat, asked.id, &order).ok()?;
    }
    lead(&mut *game, asked.seat)
}

fn lead(game: &mut dyn DynGame, seat: Seat) -> Option<i64> {
    game.known(seat).into_iter().find(|fact| fact.name == LEAD).and_then(|fact| match fact.value {
        Value::Number(lead) => Some(lead),
        _ => None,
    })
}
