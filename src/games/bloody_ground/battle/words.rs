//! Grammars of the orders on the battle board.

use super::{
    super::{
        Order, State,
        action::words::or,
        order::{Path, Shot},
    },
    doctrine, march,
};
use postrider_orders::{Grammar, Misread, Names, Reader, filler, just, one_of};
use postrider_table::{PickOrder as _, hex::Hex};
use std::cell::OnceCell;

/// Maximum length of the short form of a unit kind before its number.
const MOST_LETTERS: usize = 3;

/// Returns the names of the units and leaders in the battle.
fn names(g: &State) -> Names<u16> {
    let mut names = Names::new("unit or leader");
    let fight = g.battle();
    let mut kinds: Vec<&str> = fight.pieces.iter().filter_map(|piece| Some(piece.label.rsplit_once(' ')?.0)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for (i, piece) in fight.pieces.iter().enumerate() {
        names.add(&piece.label, i as u16);
        let Some((kind, number)) = piece.label.rsplit_once(' ') else { continue };
        names.add(&format!("{kind}s {number}"), i as u16);
        // `R3`, `Sh2`: prefixes that are unique among the kinds in this battle.
        for letters in 1..=kind.len().min(MOST_LETTERS) {
            let short = &kind[..letters];
            if kinds.iter().filter(|other| other.starts_with(short)).count() == 1 {
                names.add(&format!("{short}{number}"), i as u16);
            }
        }
    }
    // A replacement who fell and returned is in the list twice, under one name (10.5.3).
    let first = |h: usize| !fight.heads[..h].iter().any(|other| other.leader == fight.heads[h].leader);
    for (h, head) in fight.heads.iter().enumerate().filter(|(h, _)| first(*h)) {
        names.add(&g.c[head.leader].name, 1000 + h as u16);
    }
    names
}

fn called(g: &State, at: u16) -> String {
    let fight = g.battle();
    match usize::from(at).checked_sub(1000) {
        Some(h) => g.c[fight.heads[h].leader].name.clone(),
        None => fight.pieces[usize::from(at)].label.clone(),
    }
}

/// Grammar of a unit or leader by name. The names are collected once, so readers of several pieces
/// should clone one grammar.
fn piece<'g>(g: &'g State) -> Grammar<'g, String> {
    let list = OnceCell::new();
    Grammar::leaf(
        move |words: &mut Reader<'_>| words.name(list.get_or_init(|| names(g))).map(|at| called(g, at)),
        |name: &String| Some(name.clone()),
    )
}

/// Returns `true` if a word is four digits, for column and row.
fn is_hex(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
}

fn hex(words: &mut Reader<'_>, g: &State) -> Result<Option<String>, Misread> {
    let Some(id) = words.peek().filter(|word| is_hex(word)).map(str::to_owned) else { return Ok(None) };
    if g.field().grid.hex(&id).is_none() {
        return Err(words.fail(format!("{id} is no hex of the board")));
    }
    words.eat(&id);
    Ok(Some(id))
}

/// Grammar of a path: `shawnee 3 0809-0808-0707`, optionally with `off` at its end.
fn path<'g>(g: &'g State, piece: Grammar<'g, String>) -> Grammar<'g, Path> {
    let said = piece.clone();
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let who = piece.read(words)?;
            route(words, g, who)
        },
        move |path: &Path| {
            let who = said.say(&path.who)?;
            Some(format!("{who} {}", path.way.join("-").replace("-off", " off")))
        },
    )
}

/// Reads the path of a piece: hexes, along the trail, or the cheapest path to a hex.
fn route(words: &mut Reader<'_>, g: &State, who: String) -> Result<Path, Misread> {
    let at = words.understood();
    words.skip(&["move", "moves", "go", "goes", "march", "marches"]);
    if words.eat("along") {
        words.skip(&["the"]);
        words.expect_any(&["trail", "road"])?;
        words.skip(&["to", "as", "far"]);
        let Some(to) = hex(words, g)? else {
            return Err(words.fail("a hex of the trail: along the trail to 0707"));
        };
        return match along(g, &who, &to) {
            Ok(way) => Ok(Path { who, way }),
            Err(why) => Err(words.fail_from(at, why)),
        };
    }
    let goal = words.clone().eat("to");
    words.skip(&["to", "via", "from"]);
    let mut way = Vec::new();
    while let Some(id) = hex(words, g)? {
        way.push(id);
        words.skip(&["to"]);
    }
    if words.eat("off") {
        way.push("off".to_owned());
    }
    // `regular 3 to 0707` means the cheapest path.
    if let ([to], true) = (&way[..], goal)
        && let Some(cheapest) = march::cheapest(g, &who, to)
    {
        way = cheapest;
    }
    if way.is_empty() { Err(words.fail("a way of hexes: 0809-0808-0707")) } else { Ok(Path { who, way }) }
}

/// Grammar of groups with one destination, which applies to each piece named before it: `regulars 9
/// and 10 to 0105`, `regular 9, 10: 0107-0106-0105`.
fn groups<'g>(g: &'g State, piece: Grammar<'g, String>) -> Grammar<'g, Order> {
    let who = several(g, piece);
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mut ways = Vec::new();
            loop {
                let group = who.read(words)?;
                words.skip(&["each", "all", "both"]);
                let before = words.clone();
                for who in group {
                    *words = before.clone();
                    ways.push(route(words, g, who)?);
                }
                words.skip(&["and", "then"]);
                if words.at_end() {
                    return Ok(Order::March { ways });
                }
            }
        },
        |_| None,
    )
}

/// Returns the path along the trail to one of its hexes, from a piece's hex on the trail or
/// adjacent to it.
fn along(g: &State, who: &str, to: &str) -> Result<Vec<String>, String> {
    let (field, start) = (g.field(), march::stands(g, who));
    let (grid, trail) = (&field.grid, &field.trail);
    let place = |hex: Hex| trail.iter().position(|&on| on == hex);
    let Some(start) = start else { return Err(format!("{who} is not on the board")) };
    let Some(end) = grid.hex(to).and_then(place) else { return Err(format!("the trail does not lead through {to}")) };
    let beside = || {
        let near = grid.neighbours(start).filter_map(place);
        near.min_by_key(|&at| at.abs_diff(end))
    };
    let Some(first) = place(start).or_else(beside) else {
        return Err(format!("{who} stands neither on the trail nor beside it"));
    };
    let stretch: Vec<Hex> = match first <= end {
        true => trail[first..=end].to_vec(),
        false => trail[end..=first].iter().rev().copied().collect(),
    };
    let before = (place(start).is_none()).then_some(start);
    Ok(before.into_iter().chain(stretch).map(|hex| grid.id(hex)).collect())
}

fn more(words: &mut Reader<'_>) -> bool {
    words.skip(&["and"]);
    !words.at_end()
}

/// Grammar of movement: paths, or `done`.
pub fn march<'g>(g: &'g State) -> Grammar<'g, Order> {
    let piece = piece(g);
    let ways = postrider_orders::variant!(path(g, piece.clone()).many(",", more) => ways => Order::March { ways });
    let ways = or(ways, groups(g, piece));
    one_of().on(&["done", "stay"], just(Order::Pass {})).on(&["move", "march"], ways.clone()).otherwise(ways)
}

/// Grammar of several pieces: `miami 2, 3 and 4, little turtle`. A bare number is another unit of
/// the kind before it.
fn several<'g>(g: &'g State, piece: Grammar<'g, String>) -> Grammar<'g, Vec<String>> {
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mut all: Vec<String> = Vec::new();
            loop {
                words.skip(&["the"]);
                let mark = words.understood();
                let kind = all.last().and_then(|last| last.rsplit_once(' ')).map(|(kind, _)| kind.to_owned());
                let mut ahead = words.clone();
                let next = match (ahead.number(), kind) {
                    (Some(n), Some(kind)) => {
                        *words = ahead;
                        let label = format!("{kind} {n}");
                        if !g.battle().pieces.iter().any(|piece| piece.label == label) {
                            return Err(words.fail_from(mark, format!("there is no {label} in this battle")));
                        }
                        label
                    }
                    _ => piece.read(words)?,
                };
                all.push(next);
                let mut ahead = words.clone();
                ahead.skip(&["and", "with"]);
                let joined = ahead.understood() > words.understood();
                let comma = words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma);
                let behind = |word: &str| VERBS.contains(&word) || is_hex(word);
                if ahead.at_end() || !(joined || comma) || ahead.peek().is_some_and(behind) {
                    return Ok(all);
                }
                *words = ahead;
            }
        },
        |all: &Vec<String>| (!all.is_empty()).then(|| all.join(", ")),
    )
}

/// Words between the acting pieces and their target or path.
const VERBS: &[&str] = &[
    "at", "on", "fires", "fire", "shoots", "shoot", "attacks", "attack", "melees", "melee", "to", "via", "from",
    "along", "move", "moves", "go", "goes", "march", "marches", "each", "all", "both",
];

/// Grammar of shots by several units at one target: `miami 2 fires at regular 2`, `miami 2, 3 and 4
/// at regular 2`.
fn volleys<'g>(g: &'g State, at: Grammar<'g, String>) -> Grammar<'g, Order> {
    let who = several(g, at.clone());
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mut shots = Vec::new();
            loop {
                let firers = who.read(words)?;
                words.skip(&["fires", "fire", "shoots", "shoot", "each"]);
                words.expect_any(&["at", "on"])?;
                words.skip(&["the"]);
                let target = at.read(words)?;
                shots.extend(firers.into_iter().map(|who| Shot { who, at: target.clone() }));
                words.skip(&["and", "then"]);
                if words.at_end() {
                    return Ok(Order::Fire { shots });
                }
            }
        },
        |_| None,
    )
}

/// Grammar of a rally: all units, none, or those named.
pub fn rally<'g>(g: &'g State) -> Grammar<'g, Order> {
    let named = postrider_orders::variant!(several(g, piece(g)) => who => Order::Rally { who });
    let pick = |word: &str| just(Order::pick(word.to_owned()));
    one_of()
        .on(&["yes", "all"], pick("yes"))
        .on(&["no", "none"], pick("no"))
        .on(&["rally"], named)
        .or_fail("yes for all, no, or rally and the units")
}

/// Grammar of fire: shots, a doctrine, or `done`.
pub fn fire<'g>(g: &'g State) -> Grammar<'g, Order> {
    let piece = piece(g);
    let shot = piece
        .clone()
        .and(filler("at", &["at", "on"]).then(piece.clone()))
        .map(|(who, at)| Shot { who, at }, |shot| Some((shot.who.clone(), shot.at.clone())));
    let shots = postrider_orders::variant!(shot.many(",", more) => shots => Order::Fire { shots });
    let shots = one_of().on(&["at"], doctrine::fire(g)).otherwise(or(shots, volleys(g, piece.clone())));
    let usual = one_of()
        .on(&["done", "hold"], just(Order::Pass {}))
        .on(&["fire"], shots)
        .or_fail("fire a unit at another, fire at will, or done");
    or(usual, volleys(g, piece))
}

/// Grammar of attackers. Leaders take part with the units of their hex and are left out of the
/// order. A leader who is in the hex of none of the units is refused.
fn attackers<'g>(g: &'g State, piece: Grammar<'g, String>) -> Grammar<'g, Vec<String>> {
    let named = several(g, piece);
    let said = named.clone();
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mark = words.understood();
            let all = named.read(words)?;
            let leads = |name: &String| g.battle().heads.iter().any(|head| g.c[head.leader].name == *name);
            let (leaders, units): (Vec<String>, Vec<String>) = all.into_iter().partition(leads);
            let hexes: Vec<Option<Hex>> = units.iter().map(|unit| march::stands(g, unit)).collect();
            let apart = leaders.iter().find(|name| {
                let stand = march::stands(g, name);
                stand.is_none() || !hexes.contains(&stand)
            });
            match apart {
                Some(name) if !units.is_empty() => Err(words.fail_from(
                    mark,
                    format!("{name} stands with none of these units: a leader attacks with those of his hex"),
                )),
                None if !units.is_empty() => Ok(units),
                _ => Err(words.fail_from(mark, "a leader attacks with units of his hex: name these")),
            }
        },
        move |all: &Vec<String>| said.say(all),
    )
}

/// Grammar of an attack with the attackers first: `miami 2, 3 and little turtle attack 1310`.
fn attacks<'g>(g: &'g State, piece: Grammar<'g, String>) -> Grammar<'g, Order> {
    let who = attackers(g, piece);
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let with = who.read(words)?;
            words.expect_any(&["attacks", "attack", "melees", "melee"])?;
            words.skip(&["at", "on", "the", "hex"]);
            let at = hex(words, g)?.ok_or_else(|| words.fail("a hex to attack: 0707"))?;
            Ok(Order::Melee { at, with })
        },
        |_| None,
    )
}

/// Grammar of melee: a hex and its attackers, attacks by odds, or `done`.
pub fn melee<'g>(g: &'g State) -> Grammar<'g, Order> {
    let at = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            words.skip(&["at", "hex"]);
            hex(words, g)?.ok_or_else(|| words.fail("a hex to attack: 0707"))
        },
        |id: &String| Some(id.clone()),
    );
    let piece = piece(g);
    let with = postrider_orders::word(&["with", "by"]).then(attackers(g, piece.clone()));
    let attack = postrider_orders::variant!(at.and(with) => (at, with) => Order::Melee { at, with });
    let usual = one_of()
        .on(&["done", "hold"], just(Order::Pass {}))
        .on(&["melee", "attack"], one_of().on(&["wherever", "anywhere"], doctrine::melee(g)).otherwise(attack))
        .or_fail("melee against a hex, or done");
    or(usual, attacks(g, piece))
}
