//! Orders that set doctrines, and their checks.

use super::{
    Order, State, T,
    components::Side,
    doctrine::{About, ways},
};
use postrider_table::{Refusal, refuse};

/// Checks that a doctrine is valid.
///
/// # Errors
/// A [`Refusal`] that lists the valid words.
pub fn check(g: &State, side: Side, about: &str, how: &str) -> Result<(), Refusal> {
    let Some(of) = About::of_word(about) else {
        let all = About::ALL.map(About::word);
        return refuse("4", format!("A doctrine is about {}.", postrider_orders::list_or(&all)));
    };
    match g.doctrine[side.index()].with(of, how, &g.charts.grid) {
        Some(_) => Ok(()),
        None => refuse("4", format!("Of {} can be said: {}.", of.name(), postrider_orders::list_or(ways(of)))),
    }
}

/// Sets a doctrine, which both sides can see.
pub fn set(t: &T, g: &mut State, side: Side, order: &Order) {
    let Order::Doctrine { about, how } = order else { return };
    let new = About::of_word(about).and_then(|about| g.doctrine[side.index()].with(about, how, &g.charts.grid));
    if let Some(new) = new {
        g.doctrine[side.index()] = new;
        t.tell(|| format!("{} doctrine, {}: {how}.", side.of(), about.replace('-', " ")));
    }
}

/// Returns a random doctrine.
pub fn sample(below: &mut dyn FnMut(u32) -> u32) -> Order {
    let about = About::ALL[below(About::ALL.len() as u32) as usize];
    let ways = ways(about);
    Order::Doctrine { about: about.word().to_owned(), how: ways[below(ways.len() as u32) as usize].to_owned() }
}
