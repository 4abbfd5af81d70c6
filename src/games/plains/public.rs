//! The public form of a position: all that lies open, as terse canonical JSON, for the digest of every disc.
//!
//! Pieces go by their places in the component file that the journal names. Seats hold factions by the variant, which the
//! journal names too.

use super::{components::Faction, state::State};
use std::fmt::Write as _;

/// Adds the public form of a position to `out`.
pub fn public(g: &State, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{{\"boxes\":[{:?},{:?}]", g.ready.0, g.casualties.0);
    let _ = write!(out, ",\"contested\":{:?}", g.contested.iter().map(|r| r.0).collect::<Vec<_>>());
    let decks = g.decks.iter().map(|deck| {
        let discards: Vec<u8> = deck.discards.iter().map(|k| k.0).collect();
        format!("[{},{},{discards:?},{}]", deck.drawn, deck.hand.len(), u8::from(deck.enduring.is_some()))
    });
    let _ = write!(out, ",\"decks\":[{}]", decks.collect::<Vec<_>>().join(","));
    let discs = |list: &[Faction]| list.iter().map(|f| f.index()).collect::<Vec<_>>();
    let _ = write!(out, ",\"discs\":[{:?},{:?}]", discs(&g.bag), discs(&g.drawn));
    let rows: Vec<String> = g.map.iter().map(|cubes| format!("{:?}", cubes.0)).collect();
    let _ = write!(out, ",\"map\":[{}]", rows.join(","));
    let flags = u8::from(g.ending) + 2 * u8::from(g.finished);
    let [north, south] = g.arrived;
    let _ = write!(
        out,
        ",\"track\":[{},{},{},{},{north},{south},{},{},{},{flags}]}}",
        g.turn, g.east, g.west, g.black, g.destroyed, g.battle_vps, g.custer_vps
    );
    // Lists are printed with spaces; the form has none.
    out.retain(|letter| letter != ' ');
}
