//! Plains Indian Wars under the sentences: every number of players and option that can be opened.

use super::{Bytes, Tried};
use postrider::{
    games::plains::{
        Order, Plains, State, components::Components, legal, ruleset::PlainsRules, setup, variant::Variant, view,
    },
    table::{Ruleset, Seat, Setup},
};
use std::sync::Arc;

impl Tried for Plains {
    fn first(bytes: &mut Bytes<'_>) -> State {
        let rules = PlainsRules;
        let (least, most) = (*rules.seats().start(), *rules.seats().end());
        let seats = least + bytes.below(u32::from(most - least) + 1) as u8;
        let scenario = bytes.pick(rules.scenarios()).copied().unwrap_or_default().to_owned();
        let options = rules.options().iter().map(|option| (option.name.to_owned(), (bytes.below(2) == 1).into()));
        let mut setup =
            Setup { seats, version: rules.version(), scenario, options: options.collect(), components: "".into() };
        let variant = Variant::of(&setup).or_else(|_| {
            // 15.3: Indian allies are for three players.
            setup.options.remove("indian-allies");
            Variant::of(&setup)
        });
        setup::position(Arc::new(Components::builtin().clone()), variant.expect("a game that can be opened"))
    }
    fn faults(state: &State) -> Vec<String> {
        legal::faults(state)
    }
    fn seats(state: &State) -> Vec<Seat> {
        state.seats().collect()
    }
    fn disguised(state: &State, seat: Option<Seat>, below: &mut dyn FnMut(u32) -> u32) -> State {
        view::shuffle_hidden(state, seat, below)
    }
    fn venture(_: &State, _: &mut Bytes<'_>) -> Order {
        // Every question of this game has a sample.
        Order::Done {}
    }
}
