//! Geronimo! under the sentences: every scenario, number of players and option that can be opened.

use super::{Bytes, Tried};
use postrider::{
    games::geronimo::{
        Geronimo, Order, State, components::Components, legal, ruleset::GeronimoRules, setup, variant::Variant, view,
    },
    table::{Ruleset, Seat, Setup},
};
use std::sync::Arc;

impl Tried for Geronimo {
    fn first(bytes: &mut Bytes<'_>) -> State {
        let rules = GeronimoRules;
        // 11.3: one seat is a Solitaire Game.
        let (least, most) = (1, *rules.seats().end());
        let seats = least + bytes.below(u32::from(most - least) + 1) as u8;
        let scenario = bytes.pick(rules.scenarios()).copied().unwrap_or_default().to_owned();
        let options = rules.options().iter().map(|option| (option.name.to_owned(), (bytes.below(2) == 1).into()));
        let mut setup =
            Setup { seats, version: rules.version(), scenario, options: options.collect(), components: "".into() };
        let variant = Variant::of(&setup).or_else(|_| {
            // The Solitaire Game has no use for some of the options.
            setup.options.retain(|name, _| ["random-events", "historical-range"].contains(&name.as_str()));
            Variant::of(&setup)
        });
        let variant = variant.expect("a game that can be opened");
        setup::position(Arc::new(Components::builtin().clone()), seats, variant)
    }
    fn faults(state: &State) -> Vec<String> {
        legal::faults(state)
    }
    fn seats(state: &State) -> Vec<Seat> {
        if state.variant.solitaire { vec![Seat(0)] } else { state.seats().collect() }
    }
    fn disguised(state: &State, seat: Option<Seat>, below: &mut dyn FnMut(u32) -> u32) -> State {
        view::shuffle_hidden(state, seat, below)
    }
    fn venture(state: &State, bytes: &mut Bytes<'_>) -> Order {
        let v = bytes.below(state.villages.len() as u32) as usize;
        Order::Offer { village: state.c.villages[v].name.clone(), vps: bytes.below(12) as i32 }
    }
}
