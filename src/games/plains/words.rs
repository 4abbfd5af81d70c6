//! The words of orders: places, cubes and where they go.

use super::{
    Order,
    components::Faction,
    order::{Count, Lot, counts},
    state::{Cubes, State},
};
use crate::{
    orders::{Grammar, Reader, filler, named, number},
    variant,
};

/// A spot by its name, as orders keep it.
pub fn place(g: &State) -> Grammar<'_, String> {
    named(|| &*g.names, |spot| g.c.spot_name(spot).to_owned())
}

/// `3 green`, or `3` for cubes of this faction.
fn coloured<'g>(missing: &'g str, plain: Faction) -> Grammar<'g, (u8, Faction)> {
    let faction = Grammar::leaf(
        move |words| Ok(colour(words).unwrap_or(plain)),
        |faction: &Faction| Some(faction.word().to_owned()),
    );
    // More than any box holds: the question refuses it.
    number(missing)
        .and(faction)
        .map(|(n, colour)| (n.clamp(0, 255) as u8, colour), |&(n, colour)| Some((n.into(), colour)))
}

/// `3 green and 1 orange`; cubes without a colour are those of `active`.
pub fn cubes<'g>(active: Faction) -> Grammar<'g, Vec<Count>> {
    let missing = "here groups move, so many cubes from a place to another: move 3 from cheyenne to denver, or done";
    let lot = coloured(missing, active).before(filler("", &["cube", "cubes"])).try_map(
        |(n, colour), words| match colour {
            Faction::Railroad => Err(words.fail("Black cubes lie on the railroad and never move (6.7)")),
            _ => Ok((n, colour)),
        },
        |lot| Some(*lot),
    );
    let more = |words: &mut Reader<'_>| {
        words.eat("and") || words.peek().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
    };
    lot.many("and", more).map(
        |lots| {
            let mut sum = Cubes::default();
            for (n, colour) in lots {
                sum[colour] = sum[colour].saturating_add(n);
            }
            counts(&sum)
        },
        |counts| Some(counts.iter().map(|count| (count.n, count.colour)).collect()),
    )
}

/// `2 green in cheyenne, 1 in denver`; cubes without a colour are of `default`. `link` is said before a place; where no
/// number begins the cubes, `missing` says what is asked for.
pub fn lots<'g>(g: &'g State, default: Faction, link: &'g str, missing: &'g str) -> Grammar<'g, Order> {
    let to = filler(link, &["cube", "cubes", "in", "into", "to", "at", "the"]).then(place(g));
    let lot = coloured(missing, default)
        .and(to)
        .map(|((n, colour), to)| Lot { colour, n, to }, |lot| Some(((lot.n, lot.colour), lot.to.clone())));
    let more = |words: &mut Reader<'_>| {
        words.skip(&["and"]);
        !words.at_end()
    };
    variant!(lot.many(",", more) => lots => Order::Put { lots })
}

/// `recover casualties`.
pub fn recover<'g>() -> Grammar<'g, Order> {
    filler("casualties", &["the", "casualties", "casualty", "box"]).means(Order::Recover {})
}

/// Reads a colour, or a faction by its name.
fn colour(words: &mut Reader<'_>) -> Option<Faction> {
    Faction::ALL.into_iter().find(|f| words.eat(f.word()) || words.eat(&f.name().to_lowercase()))
}
