//! Grammars of the action orders.

use super::super::{
    Order, State, activation, atrocity,
    components::{AreaId, Class, KindId, Known, LeaderId, Side},
    order::{Band, Count, Dropped, Which},
    state::Spot,
};
use postrider_orders::{Grammar, Names, Reader, filler, just, named, one_of, variant, word};
use postrider_table::{Refusal, refuse};

/// Returns the name of a spot in orders.
pub fn spot(g: &State, spot: Spot) -> String {
    spot.area().map_or("edge".to_owned(), |a| g.c[a].id.clone())
}
/// Returns the spot named in an order.
///
/// # Errors
/// A [`Refusal`] if there is no such place.
pub fn from(g: &State, name: &str) -> Result<Spot, Refusal> {
    if name == "edge" { Ok(Spot::Edge) } else { area(g, name).map(Spot::On) }
}
/// Returns the area with this id.
///
/// # Errors
/// A [`Refusal`] if there is no such area.
pub fn area(g: &State, id: &str) -> Result<AreaId, Refusal> {
    g.area(id).map_or_else(|| refuse("2.1", format!("There is no area {id}.")), Ok)
}
/// Returns the areas with these ids.
///
/// # Errors
/// A [`Refusal`] if one of them does not exist.
pub fn areas(g: &State, ids: &[String]) -> Result<Vec<AreaId>, Refusal> {
    ids.iter().map(|id| area(g, id)).collect()
}
/// Grammar of an area, by id or name.
pub fn place(g: &State) -> Grammar<'_, String> {
    filler("", &["the", "at", "in", "on"]).then(named(|| &g.charts.called.areas, |a: AreaId| g.c[a].id.clone()))
}
/// Grammar of a kind of unit of a side.
pub fn kind(g: &State, side: Side) -> Grammar<'_, String> {
    let names = move || &g.charts.called.kinds[side.index()];
    filler("", &["the", "a", "an"]).then(named(names, |kind: KindId| g.c[kind].id.clone()))
}
/// Grammar of the victim of an assassination: a leader's name, or `leader` if only one is in danger.
pub fn victim(g: &State, side: Side) -> Grammar<'_, String> {
    let names = move || {
        let mut names = g.charts.called.leaders.clone();
        for l in g.c.leader_ids().filter(|&l| atrocity::may_assassinate(g, side, l).is_ok()) {
            names.add("leader", l);
        }
        names
    };
    filler("", &["the", "a"]).then(named(names, |l: LeaderId| g.c[l].name.clone()))
}
/// Grammar of a list of pieces: `3 regular, harmar`.
pub fn who(g: &State, side: Side) -> Grammar<'_, Vec<Count>> {
    who_of(g, &g.charts.called.pieces[side.index()], |words| {
        words.skip(&["and", "with"]);
        let ends = |word: &str| matches!(word, "from" | "to" | "at" | "of") || GOES.contains(&word);
        !words.at_end() && !words.peek().is_some_and(ends)
    })
}
/// Grammar of an optional crew: `with 3 regular, harmar`, or nothing.
pub fn crew(g: &State) -> Grammar<'_, Vec<Count>> {
    let named = who(g, Side::Us).after(&["with", "by"]);
    named.map(Option::unwrap_or_default, |who| Some((!who.is_empty()).then(|| who.clone())))
}
/// Reads the number before a name, with the small words around it: `the 5`, `two of the`.
pub fn how_many(words: &mut Reader<'_>, articles: &[&str]) -> Option<i64> {
    words.skip(articles);
    let number = words.number();
    words.skip(&["of"]);
    words.skip(articles);
    number
}
/// Grammar of a list of pieces; `more` returns `true` if another piece follows.
fn who_of<'g>(
    g: &'g State,
    names: &'g Names<Known>,
    more: impl Fn(&mut Reader<'_>) -> bool + 'g,
) -> Grammar<'g, Vec<Count>> {
    let one = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let begin = words.understood();
            let before = words.clone();
            let number = how_many(words, ARTICLES);
            let n = number.unwrap_or(1).clamp(0, 255) as u8;
            let which = Which::ALL.into_iter().find(|which| words.peek() == Some(which.word()));
            if let Some(which) = which {
                words.skip(&[which.word()]);
            }
            let known = words.name(names)?;
            let (what, counted) = match known {
                Known::Kind(kind) => (g.c[kind].id.clone(), true),
                Known::Leader(l) => (g.c[l].name.clone(), false),
            };
            // A nation without a number, as in `wyandot and tarhe`, means all of its units.
            let nation = matches!(known, Known::Kind(kind) if g.c[kind].class == Class::Warrior);
            let several =
                nation && before.clone().eat_any(&["a", "an"]).is_none() || means_several(&before, words, &what);
            if counted && number.is_none() && several {
                return Err(words.fail_from(begin, format!("how many: `3 {}`, or `all`", what.to_lowercase())));
            }
            Ok(Count { n, what, which: which.or_else(|| if counted { armed(words) } else { None }) })
        },
        move |count: &Count| match g.c.leader(&count.what) {
            Some(_) => (count.n == 1 && count.which.is_none()).then(|| count.what.clone()),
            None => {
                let which = count.which.map_or(String::new(), |which| format!("{} ", which.word()));
                Some(format!("{} {which}{}", count.n, count.what))
            }
        },
    );
    one.many(",", more)
}
/// Returns `true` if words without a number are plural, and so cannot mean one unit: `his
/// regulars`, `the shawnee`.
pub fn means_several(before: &Reader<'_>, after: &Reader<'_>, what: &str) -> bool {
    let said = &before.phrase().words()[before.understood()..after.understood()];
    let the = said.first().is_some_and(|word| matches!(word.text.as_str(), "the" | "his" | "their"));
    let plural = |text: &str| text.ends_with('s') && !what.ends_with('s');
    the || said.last().is_some_and(|word| plural(&word.text))
}
/// Words that may precede a piece or its number.
const ARTICLES: &[&str] = &["the", "a", "an", "his", "their"];
/// Reads `with a rifle` or `without rifles` after a kind of unit.
fn armed(words: &mut Reader<'_>) -> Option<Which> {
    let mut ahead = words.clone();
    let which = match ahead.peek() {
        Some("with") => Which::Rifled,
        Some("without") => Which::Unrifled,
        _ => return None,
    };
    ahead.skip(&["with", "without"]);
    ahead.skip(ARTICLES);
    let rifles = matches!(ahead.peek(), Some("rifle" | "rifles"));
    ahead.skip(&["rifle", "rifles"]);
    rifles.then(|| *words = ahead)?;
    Some(which)
}
fn origin(g: &State) -> Grammar<'_, String> {
    let called = |at: Option<AreaId>| at.map_or("edge".to_owned(), |a| g.c[a].id.clone());
    word(&["from", "at", "of"]).then(filler("", &["the"]).then(named(|| &g.charts.called.origins, called)))
}
/// Returns the meaning of `all`: everything that the leaders of a place can take along and that has
/// not acted, or, if all of it has acted, everything they can take along.
fn everybody(g: &State, side: Side, place: &str) -> Vec<Count> {
    let Ok(spot) = from(g, place) else { return Vec::new() };
    activation::first_stack(g, side, spot).map(|force| activation::counts(g, &force)).unwrap_or_default()
}
/// Words before the units that a stack drops on its way.
const DROPPING: &[&str] = &["dropping", "drop", "leaving", "leave"];
/// Grammar of the words that take a force into a fort; the value is `true` if they are present.
fn inside<'g>() -> Grammar<'g, bool> {
    let fort = filler("the fort", &["the", "fort"]).after(&["into"]);
    fort.map(|found| found.is_some(), |on| Some(on.then_some(())))
}
/// Grammar of dropped units, separated by commas: `2 kentucky-militia at U3 into the fort`.
fn dropped(g: &State, side: Side) -> Grammar<'_, Vec<Dropped>> {
    let names = move || &g.charts.called.kinds[side.index()];
    let kind = named(names, |kind: KindId| g.c[kind].id.clone());
    let n = postrider_orders::number("how many are dropped");
    let lot = n.and(kind).and(word(&["at", "in"]).then(place(g))).and(inside()).map(
        |(((n, what), at), fort)| Dropped { n: n.clamp(0, 255) as u8, what, at, fort },
        |lot: &Dropped| Some((((i64::from(lot.n), lot.what.clone()), lot.at.clone()), lot.fort)),
    );
    lot.many(",", |words: &mut Reader<'_>| {
        words.skip(&["and"]);
        !words.at_end()
    })
}
/// Grammar of a move: `3 regular, harmar from U1 to U3, S2 into the fort`, `all from U1 to U3`,
/// `3 regular, harmar from U1 to U3, S2 dropping 2 regular at U3 into the fort`.
pub fn movement(g: &State, side: Side) -> Grammar<'_, Order> {
    let more = |words: &mut Reader<'_>| {
        words.skip(&["and", "to", "via", "through", "then"]);
        !words.at_end() && !words.peek().is_some_and(|word| word == "into" || DROPPING.contains(&word))
    };
    let way = word(&["to", "via", "through"]).then(place(g).many(",", more));
    // An empty list means `all`.
    let who = one_of().on(&["all", "everybody", "everyone"], just(Vec::new())).otherwise(who(g, side));
    let drops = dropped(g, side).after(DROPPING);
    let origin = filler("", GOES).then(origin(g));
    who.and(origin).and(way).and(inside()).and(drops).map(
        move |((((who, from), way), fort), drops)| {
            let who = if who.is_empty() { everybody(g, side, &from) } else { who };
            Order::Move { from, who, way, fort, drops: drops.unwrap_or_default() }
        },
        move |order| {
            let Order::Move { from, who, way, fort, drops } = order else { return None };
            let all = who.len() > 2 && *who == everybody(g, side, from);
            let said = if all { Vec::new() } else { who.clone() };
            let drops = (!drops.is_empty()).then(|| drops.clone());
            Some(((((said, from.clone()), way.clone()), *fort), drops))
        },
    )
}
/// Verbs that may follow the moving pieces: `trotter goes from K1 to U2`.
const GOES: &[&str] = &["goes", "go", "moves", "move", "marches", "march", "force", "forces"];
/// Grammar that extends `usual` with moves that name only pieces and places: `harmar with 3
/// regular: U1 > U3 > S2`.
pub fn or_bare_move<'g>(g: &'g State, side: Side, usual: Grammar<'g, Order>) -> Grammar<'g, Order> {
    let names = &g.charts.called.pieces[side.index()];
    let origins = &g.charts.called.origins;
    let one = who_of(g, names, move |words| {
        words.skip(&["and", "with"]);
        words.clone().name(origins).is_err()
    });
    let called = |at: Option<AreaId>| at.map_or("edge".to_owned(), |a| g.c[a].id.clone());
    let way = place(g).many(",", |words: &mut Reader<'_>| !words.at_end());
    let bare = one.and(named(move || origins, called)).and(way);
    let bare = bare.map(|((who, from), way)| Order::Move { from, who, way, fort: false, drops: Vec::new() }, |_| None);
    // `trotter goes from K1 to U2`: the verb shows that this is a move.
    let goes = movement(g, side);
    let goes = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let verb = words.phrase().words().iter().any(|word| GOES.contains(&word.text.as_str()));
            if verb { goes.read(words) } else { Err(words.fail("who moves, and from where to where")) }
        },
        |_| None,
    );
    or(usual, or(bare, goes))
}
/// Grammar that tries `usual` on the whole phrase, and then `other`. Orders are written by `usual`.
/// The error is that of `usual`, unless `other` got further.
pub fn or<'g, V: 'g>(usual: Grammar<'g, V>, other: Grammar<'g, V>) -> Grammar<'g, V> {
    let said = usual.clone();
    Grammar::leaf(
        move |words| {
            let (mut first, mut second) = (words.clone(), words.clone());
            let why = match usual.read(&mut first).and_then(|value| first.end().map(|()| value)) {
                Ok(value) => {
                    *words = first;
                    return Ok(value);
                }
                Err(why) => why,
            };
            let value = other.read(&mut second).and_then(|value| second.end().map(|()| value));
            let value = value.map_err(|other| why.best(other))?;
            *words = second;
            Ok(value)
        },
        move |value| said.say(value),
    )
}
/// Grammar of a raid: `2 shawnee, blue jacket from S5, 1 miami from M5 to K2`, `K2 with 2 shawnee,
/// blue jacket from S5`.
pub fn raid(g: &State) -> Grammar<'_, Order> {
    let to = word(&["to", "into"]).then(place(g));
    let band = variant!(who(g, Side::Na).and(origin(g)) => (who, from) => Band { from, who });
    let next = |words: &mut Reader<'_>| {
        words.skip(&["and"]);
        words.peek().is_some_and(|word| !matches!(word, "to" | "into"))
    };
    let usual = band.many(",", next).and(to).map(
        |(mut more, to)| {
            let Band { from, who } = more.remove(0);
            Order::Raid { from, who, to, more }
        },
        |order| {
            let Order::Raid { from, who, to, more } = order else { return None };
            let first = Band { from: from.clone(), who: who.clone() };
            Some(([first].into_iter().chain(more.iter().cloned()).collect(), to.clone()))
        },
    );
    let with = word(&["with", "by"]).then(who(g, Side::Na));
    let target = place(g).and(with).and(origin(g));
    or(usual, target.map(|((to, who), from)| Order::Raid { from, who, to, more: Vec::new() }, |_| None))
}
