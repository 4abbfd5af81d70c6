//! The `steady` bot: simple sound aims, the same every time.
//!
//! It looks one action ahead. What it can do is appraised in VPs: what it earns at once, what it saves or costs later at a
//! rough price, what it takes from others at a lower one. [`sight`](Sight) holds those prices, [`fight`] what a Battle
//! costs on the average; then one file for each aim: [`us`] builds States and guards them, [`columns`] chase, [`indians`]
//! attack and survive, [`cards`], [`events`] and [`treaties`] say themselves what they are about. In the Solitaire Game it
//! does its best for each side in turn, and prices go by what makes or prevents a State (11.31).
//!
//! It is shown nothing that its seat cannot see (see [`Game::masked`](postrider_table::Game::masked)).

mod cards;
mod columns;
mod events;
mod fight;
mod indians;
mod sight;
#[cfg(test)]
mod tests;
mod treaties;
mod us;

use self::sight::Sight;
use super::{
    Ask, Geronimo, Order, State,
    solitaire::{INDIANS, US},
};
use postrider_table::{Below, Mind, NamedBot, PickOrder, Question, Seat, Thinking};

/// The bots of Geronimo! beside the one that plays at random.
pub const BOTS: &[NamedBot] = &[
    NamedBot {
        name: "steady",
        about: "builds and guards States, attacks at good odds, looks after its Villages",
        make: || Box::new(Thinking::<Geronimo, _>::new(Steady { version: NEWEST })),
    },
    NamedBot {
        name: "steady-1",
        about: "steady as it was before it used Forts and kept War Parties out; to measure by",
        make: || Box::new(Thinking::<Geronimo, _>::new(Steady { version: 1 })),
    },
];

/// The version of the bot that is called by its name alone.
const NEWEST: u8 = 2;

/// A bot without memory: it decides by the position alone.
///
/// Version 1 is there to measure by. Version 2 also goes into Forts and out of them, reinforces and
/// divides Columns there, coordinates reactions, pursues where it expects to gain by it, keeps War
/// Parties out, joins Alliances, knows that Devastation is no BP, and offers no Treaty that the US
/// would refuse.
pub struct Steady {
    version: u8,
}

impl Default for Steady {
    fn default() -> Self {
        Steady { version: NEWEST }
    }
}

impl Mind<Geronimo> for Steady {
    fn answer(&mut self, question: &Question<'_, Geronimo>, below: &mut Below<'_>) -> Option<Order> {
        let hat = hat(question.state, question.seat, question.prompt.kind());
        let sight = Sight::of(question.state, hat, self.version);
        let legal = |order: &Order| question.prompt.check(question.state, question.seat, order).is_ok();
        match question.prompt.kind() {
            Ask::SetUp => us::set_up(&sight, &legal),
            Ask::Deployment => us::deployment(&sight, &legal).or_else(|| first(question)),
            Ask::ColumnPlay => columns::play(&sight, &legal),
            Ask::Reaction => columns::reaction(&sight, question),
            Ask::VillageAction | Ask::CompelledAttack => indians::action(&sight, question),
            Ask::ShamanCard => cards::shaman(&sight, &legal),
            Ask::Desk => treaties::desk(&sight, &legal, question.prompt.urgent(question.state, question.seat)),
            Ask::JoinAlliance => Some(indians::join(&sight, question)),
            // What these questions list first is sound: as they stand, the strongest.
            Ask::TetonChiefs
            | Ask::Attrition
            | Ask::Dissolve
            | Ask::DissolveInto
            | Ask::DissolveBps
            | Ask::MormonColumn => first(question),
            kind => pick(question, below, |key| {
                us::pick(&sight, kind, key)
                    .or_else(|| indians::pick(&sight, kind, key))
                    .or_else(|| events::pick(&sight, kind, key))
                    .or_else(|| cards::pick(&sight, kind, key))
            }),
        }
    }
}

/// For whom a question is to be judged: in the Solitaire Game, where one seat answers for both sides, for the side that it
/// is put to (11.3); in all others for the seat.
fn hat(g: &State, seat: Seat, kind: Ask) -> Seat {
    if !g.variant.solitaire {
        return seat;
    }
    match kind {
        Ask::SetUp
        | Ask::Deployment
        | Ask::Gatling
        | Ask::Settlement
        | Ask::Railroad
        | Ask::ColumnPlay
        | Ask::Reaction
        | Ask::Pursuit
        | Ask::Group
        | Ask::ColumnLoss
        | Ask::PursuitLoss
        | Ask::Prison
        | Ask::Attrition
        | Ask::Dissolve
        | Ask::DissolveInto
        | Ask::DissolveBps
        | Ask::MormonColumn
        | Ask::GhostTown
        | Ask::HorseKillers
        | Ask::Hostages => US,
        Ask::VillageAction
        | Ask::CompelledAttack
        | Ask::TetonChiefs
        | Ask::Evasion
        | Ask::Ambush
        | Ask::PostAction
        | Ask::Rampage
        | Ask::AllianceLoss => INDIANS,
        // What a card asks is asked of whose Round it is.
        _ => g.active.unwrap_or(US),
    }
}

/// What a question lists first.
fn first(question: &Question<'_, Geronimo>) -> Option<Order> {
    question.prompt.options(question.state, question.seat).into_iter().next().map(|choice| choice.order)
}

/// The choice that is worth most, chance deciding among equals; `None` where nothing is known of any.
fn pick(
    question: &Question<'_, Geronimo>,
    below: &mut Below<'_>,
    worth: impl Fn(&str) -> Option<f64>,
) -> Option<Order> {
    let options = question.prompt.options(question.state, question.seat);
    let appraised = options.into_iter().filter_map(|choice| {
        let worth = worth(choice.order.picked()?)?;
        Some((choice.order, worth))
    });
    let appraised: Vec<(Order, f64)> = appraised.collect();
    let most = appraised.iter().map(|(_, worth)| *worth).max_by(f64::total_cmp)?;
    let mut best: Vec<Order> =
        appraised.into_iter().filter(|(_, worth)| *worth >= most).map(|(order, _)| order).collect();
    let at = below(u32::try_from(best.len()).unwrap_or(1)) as usize;
    Some(best.swap_remove(at))
}

/// The chance that a ten-sided DR is this or less.
fn on(most: i32) -> f64 {
    f64::from((most + 1).clamp(0, 10)) / 10.0
}
