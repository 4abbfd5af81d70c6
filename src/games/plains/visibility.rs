//! The visibility of a position, and its public form for the digest of every disc.

use super::state::State;
use postrider_table::{each, flags, list, visibility};

visibility! {
    State;
    given { c, near, names, variant }
    open {
        turn, bag, drawn, map, ready, casualties, east, west, enduring, arrived, destroyed, battle_vps, custer_vps,
        contested, finished, stopped,
    }
    hidden {
        /// The order of the decks, and the hands of other players (9.0).
        decks => |g, seat, below| {
            g.decks.iter_mut().for_each(|deck| deck.make_up(seat, below));
        },
    }
    passing { fx, moved, together, told, moving, at_rest, spared, escaped, custer }
    form(form, g) {
        form.member("boxes", list![ready.0, casualties.0]);
        form.member("contested", contested);
        let decks = decks.iter().zip(enduring);
        form.member("decks", each(decks, |(deck, lasts)| {
            list![deck.drawn, deck.held(), deck.discards, lasts.is_some()]
        }));
        form.member("discs", list![bag, drawn]);
        form.member("map", each(map, |cubes| cubes.0));
        let [north, south] = arrived;
        let flags = flags([g.ending(), *finished, *stopped]);
        form.member(
            "track",
            list![turn, east, west, g.black(), north, south, destroyed, battle_vps, custer_vps, flags],
        );
    }
}
