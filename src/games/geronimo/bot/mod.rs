//! The `steady` bot, which has simple and consistent aims.
//!
//! It looks one action ahead and values each action in VPs: immediate earnings, later savings and
//! costs at estimated prices, and losses of other players at lower ones. [`sight`](Sight) has these
//! prices, and [`fight`] the expected results of Battles. There is one file for each aim: [`us`]
//! builds and guards States, [`columns`] chase, [`indians`] attack and survive, and [`cards`],
//! [`events`] and [`treaties`] handle what their names say. In the Solitaire Game the bot plays
//! each side in turn as well as it can, and prices depend on the gain or prevention of States
//! (11.31).
//!
//! It sees only what its seat can see (see [`Game::masked`](postrider_table::Game::masked)).

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

/// The bots of Geronimo!, except the one that plays at random.
pub const BOTS: &[NamedBot] = &[NamedBot {
    name: "steady",
    about: "builds and guards States, attacks at good odds, looks after its Villages",
    make: || Box::new(Thinking::<Geronimo, _>::new(Steady)),
}];

/// A bot without memory, which decides by the position alone.
pub struct Steady;

impl Mind<Geronimo> for Steady {
    fn answer(&mut self, question: &Question<'_, Geronimo>, below: &mut Below<'_>) -> Option<Order> {
        let hat = hat(question.state, question.seat, question.prompt.kind());
        let sight = Sight::new(question.state, hat);
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
            // The first option of these questions, usually the strongest, is good enough.
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

/// Returns the seat from whose point of view a question is judged. In the Solitaire Game, where one
/// seat answers for both sides, this is the side that is asked (11.3).
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
        // Questions of a card are put to the side whose Round it is.
        _ => g.active.unwrap_or(US),
    }
}

/// Returns the first option of a question.
fn first(question: &Question<'_, Geronimo>) -> Option<Order> {
    question.prompt.options(question.state, question.seat).into_iter().next().map(|choice| choice.order)
}

/// Returns the most valuable choice, at random among equals; `None` if the value of every choice is
/// unknown.
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

/// Returns the chance that a ten-sided DR is at most `most`.
fn on(most: i32) -> f64 {
    f64::from((most + 1).clamp(0, 10)) / 10.0
}
