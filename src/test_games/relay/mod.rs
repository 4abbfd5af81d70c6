//! Relay: riders of the express fetch the mail of stations with horses from a common stable. A
//! small complete game, the example in docs/adding-a-game.md.

mod bot;
mod components;
mod play;
#[cfg(test)]
mod tests;
mod view;

pub use self::components::Components;
pub use self::play::{Ask, Order, State};
use postrider_table::{Entry, Introduction, Setup, SetupFault, components::Kit, settings};

postrider_table::game! {
    /// The game of Relay.
    pub struct Relay of State, Order, Ask, at T;
    play = play::play,
    foreseen = play::foreseen,
    view = view::view,
    public = view::public,
    masked = view::masked,
    faults = play::faults,
    effects = play::EFFECTS,
    outcome = view::outcome,
    facts = view::facts,
    earned = |g, seat| g.earned.of(seat),
}

settings! {
    /// The settings in `opened`.
    pub struct Variant {
        /// The number of players, 2 to 4.
        players: u8 = |setup| setup.seats;
    }
    options {
        storms = "storms", "6: in a storm nobody rides farther than one station";
    }
}

/// The registry's entry for Relay.
pub static RULES: Entry<Relay> = Entry {
    seats_rule: "1",
    options: &OPTIONS,
    rules: include_str!("rules.tsv"),
    decks: &["horses"],
    introduction: |_| Introduction {
        goal: "Each rider fetches mail from the stations of the express. Who has most at the end wins (7).".to_owned(),
        length: "A Round is one ride for each. The game ends with the last horse, after some six to nine Rounds."
            .to_owned(),
        ..Introduction::default()
    },
    view_template: include_str!("view.txt"),
    facts: view::FACTS,
    standing: "standing robbers always: as advised\n",
    next: include_str!("next.tsv"),
    bots: bot::BOTS,
    map: Some(&view::MAP),
    help: view::help,
    ..Entry::new::<Components>("relay", "Relay", 2..=4, position)
};

fn position(setup: &Setup) -> Result<State, SetupFault> {
    Ok(State::new(Components::of(&setup.components)?, Variant::of(setup)?))
}
