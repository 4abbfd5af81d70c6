//! How players write the pieces: regions, boxes, cubes.

use super::{
    components::{Components, Faction, Spot},
    state::Cubes,
};
use crate::orders::{Misread, Names, Reader};

/// Every spot by its name and, for regions, by its id on the map.
pub fn spots(c: &Components) -> Names<Spot> {
    let mut names = Names::new("region");
    for spot in c.spots() {
        names.add(c.spot_name(spot), spot);
        if let Spot::Region(r) = spot {
            names.add(&c[r].id, spot);
        }
    }
    names.add("Saint Louis", Spot::StLouis);
    names
}

/// Reads `3`, `3 green`, `3 green and 1 orange`; cubes without a colour are those of `active`.
pub fn cubes(words: &mut Reader<'_>, active: Faction) -> Result<Cubes, Misread> {
    let mut sum = Cubes::default();
    loop {
        let n = words.number().ok_or_else(|| {
            words.fail(
                "here groups move, so many cubes from a place to another: move 3 from cheyenne to denver, or done",
            )
        })?;
        let faction = colour(words).unwrap_or(active);
        words.skip(&["cube", "cubes"]);
        if faction == Faction::Railroad {
            return Err(words.fail("Black cubes lie on the railroad and never move (6.7)"));
        }
        // More than any box holds: the question refuses it.
        sum[faction] = sum[faction].saturating_add(n.clamp(0, 255) as u8);
        let more = words.eat("and") || words.peek().is_some_and(|w| w.chars().all(|c| c.is_ascii_digit()));
        if !more {
            return Ok(sum);
        }
    }
}

/// Reads a colour, or a faction by its name.
pub fn colour(words: &mut Reader<'_>) -> Option<Faction> {
    Faction::ALL.into_iter().find(|f| words.eat(f.colour()) || words.eat(&f.name().to_lowercase()))
}
