//! Grammars of groups of units: ranges, tribes with numbers, Holders of companies, a Leader with
//! his men, all eligible units.

use super::{
    State,
    components::{LeaderId, Side, UnitId},
    naming,
    state::Spot,
    words::{Known, is_hex, names_and_tribes},
};
use postrider_orders::{Misread, Names, Reader, list_and};

/// Ranks that may precede a Leader's name.
pub(super) const RANKS: &[&str] =
    &["major", "maj", "captain", "capt", "colonel", "col", "ltc", "general", "gen", "brigadier", "bg", "chief"];
/// Words for the Holders of the companies named before.
const HOLDERS: &[&str] = &["holders", "holder", "horses", "mules", "ponies"];
/// Words for the units with a Leader.
const MEN: &[&str] = &["companies", "company", "men", "units", "battalion", "warriors", "braves", "soldiers", "troops"];

/// Returns `Some` if a dash or dots precede the next word, with `true` if there are no spaces
/// around it.
fn dash(words: &Reader<'_>) -> Option<bool> {
    let all = words.phrase().words();
    let at = words.understood();
    let (before, next) = (all.get(at.checked_sub(1)?)?, all.get(at)?);
    let gap: Vec<char> =
        words.phrase().line().chars().skip(before.end).take(next.start.saturating_sub(before.end)).collect();
    let dots = gap.contains(&'…') || gap.windows(2).any(|pair| pair == ['.', '.']);
    (dots || gap.iter().any(|c| "-–—".contains(*c))).then(|| !gap.iter().any(|c| c.is_whitespace()))
}

/// Returns the prefix of the ids of a regiment or tribe: `3` of 3A, `H` of H1.
fn stem(id: &str) -> &str {
    let digit = id.starts_with(|c: char| c.is_ascii_digit());
    let end = id.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(id.len());
    &id[..end]
}

/// Returns the units from one to another of the same class, and the same tribe or regiment. Units
/// between them that are not on the map are left out. `None` if the order of the counters differs
/// from that of their ids, so that the range is ambiguous.
fn between(g: &State, first: UnitId, last: UnitId) -> Option<Vec<UnitId>> {
    let kin = |u: UnitId| {
        (g.class(u), &*g.c[u].tribe, stem(&g.c[u].id)) == (g.class(first), &*g.c[first].tribe, stem(&g.c[first].id))
    };
    let of = || g.c.unit_ids().filter(|&u| kin(u));
    let counters: Vec<UnitId> = of().filter(|&u| (first..=last).contains(&u)).collect();
    let ids: Vec<UnitId> = of().filter(|&u| (&g.c[first].id..=&g.c[last].id).contains(&&g.c[u].id)).collect();
    let there = |&u: &UnitId| u == first || u == last || matches!(g.unit(u).spot, Spot::On(_) | Spot::Waiting);
    (kin(last) && counters == ids && !counters.is_empty()).then(|| counters.into_iter().filter(there).collect())
}

/// Reads a unit, a Leader with or without rank, a tribe, or a range of units: `h1-h3`, `h1-3`,
/// `2ah-2ih`. An ambiguous range is an error.
pub(super) fn known(words: &mut Reader<'_>, g: &State, list: &Names<Known>) -> Result<Vec<Known>, Misread> {
    let mark = words.understood();
    words.skip(RANKS);
    let one = words.name(list)?;
    let (Known::Unit(first), Some(tight)) = (one, dash(words)) else { return Ok(vec![one]) };
    let Some(next) = words.peek().map(str::to_uppercase).filter(|_| !is_hex(words)) else { return Ok(vec![one]) };
    let own = |u: &UnitId| g.side(*u) == g.side(first);
    let id = g.c.unit(&next);
    if id.is_some_and(|u| !own(&u)) {
        return Ok(vec![one]);
    }
    let mut ahead = words.clone();
    let last = match id.or_else(|| g.c.unit(&format!("{}{next}", stem(&g.c[first].id)))).filter(own) {
        Some(u) => {
            ahead.eat(&next.to_lowercase());
            Some(u)
        }
        // A dash with spaces may be mere punctuation.
        None if !tight => return Ok(vec![one]),
        None => match ahead.try_name(list) {
            Some(Known::Unit(u)) => Some(u),
            Some(_) => None,
            None if next.len() > 2 => return Ok(vec![one]),
            None => {
                _ = ahead.eat(&next.to_lowercase()) || ahead.number().is_some();
                None
            }
        },
    };
    *words = ahead;
    match last.and_then(|last| between(g, first, last)) {
        Some(all) => Ok(all.into_iter().map(Known::Unit).collect()),
        None => {
            let to = last.map_or(next, |last| g.name(last));
            Err(words.fail_from(mark, format!("from {} to {to} is no clear range: name each unit", g.name(first))))
        }
    }
}

/// Reads `holders` after units or a Leader's name. Returns `true` if it was there.
pub(super) fn holders(words: &mut Reader<'_>) -> bool {
    let mut ahead = words.clone();
    ahead.skip(&["and", "with", "their", "his"]);
    let met = ahead.peek().is_some_and(|word| HOLDERS.contains(&word));
    if met {
        ahead.skip(HOLDERS);
        *words = ahead;
    }
    met
}

/// Returns the Holders on the map of these companies and of the battalions of these Leaders.
pub(super) fn holders_of(g: &State, units: &[UnitId], leaders: &[LeaderId]) -> Vec<UnitId> {
    let led = leaders.iter().flat_map(|&l| battalion(g, l));
    let of = units
        .iter()
        .copied()
        .chain(led)
        .map(|u| if g.class(u).is_holder() { Some(u) } else { g.charts.helper[u.index()] });
    let mut all: Vec<UnitId> = of.flatten().filter(|&h| g.hex(h).is_some()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the infantry companies of a side.
pub(super) fn infantry(g: &State, side: Side) -> Vec<UnitId> {
    g.c.unit_ids().filter(|&u| g.side(u) == side && g.c.class(g.class(u)).infantry).collect()
}

/// Returns the units of a Leader's battalion on the map; Chambers has the infantry.
fn battalion(g: &State, l: LeaderId) -> Vec<UnitId> {
    let name = if g.c[l].id == "Chambers" { "Infantry".to_owned() } else { format!("{}'s battalion", g.c[l].id) };
    let of = naming::formations(g, g.c[l].side).into_iter().find(|known| known.0 == name);
    of.map(|(_, units)| units).unwrap_or_default().into_iter().filter(|&u| g.hex(u).is_some()).collect()
}

/// Reads `with all his companies`, `and his men` and the like after a Leader's name. Returns `true`
/// if it was there.
pub(super) fn his_men(words: &mut Reader<'_>) -> bool {
    let mut ahead = words.clone();
    ahead.skip(&["with", "and", "all", "of"]);
    let met = ahead.peek() == Some("his") && {
        ahead.skip(&["his"]);
        ahead.skip(&["whole"]);
        ahead.peek().is_some_and(|word| MEN.contains(&word))
    };
    if met {
        ahead.skip(MEN);
        *words = ahead;
    }
    met
}

/// Returns the men of a Leader: the units in his hex, which must be those of his battalion if he
/// has one; otherwise they are ambiguous.
///
/// # Errors
/// Both groups in words, or a message that there are none.
pub(super) fn men(g: &State, l: LeaderId, fit: impl Fn(UnitId) -> bool) -> Result<Vec<UnitId>, String> {
    let here: Vec<UnitId> = g
        .chief(l)
        .spot
        .hex()
        .map(|hex| g.of_side(hex, g.c[l].side).filter(|&u| !g.class(u).is_holder() && fit(u)).collect())
        .unwrap_or_default();
    let own: Vec<UnitId> = battalion(g, l).into_iter().filter(|&u| fit(u)).collect();
    let (mut one, mut other) = (here.clone(), own.clone());
    one.sort_unstable();
    other.sort_unstable();
    let said = |units: &[UnitId]| list_and(&units.iter().map(|&u| g.name(u)).collect::<Vec<_>>());
    match (battalion(g, l).is_empty(), here.is_empty() && own.is_empty()) {
        (_, true) => Err(format!("nobody with {} can do that", g.c[l].id)),
        (false, _) if one != other => {
            let hex =
                if here.is_empty() { "nobody in his hex".to_owned() } else { format!("in his hex {}", said(&here)) };
            let of = if own.is_empty() {
                "nobody of his battalion".to_owned()
            } else {
                format!("of his battalion {}", said(&own))
            };
            Err(format!("it is not clear whom {} means: {hex}, {of}; name the units", g.c[l].id))
        }
        _ => Ok(here),
    }
}

/// Reads the units of a shot or a melee: names, ranges, tribes, `all`, or a Leader for his men. A
/// Leader named with units is just attached to one of them. `ends` are the words that may follow.
pub(super) fn units(
    words: &mut Reader<'_>,
    g: &State,
    side: Side,
    ends: &[&str],
    fit: &dyn Fn(UnitId) -> bool,
) -> Result<Vec<UnitId>, Misread> {
    let list = names_and_tribes(g, side);
    let mut all: Vec<UnitId> = Vec::new();
    let mut led: Vec<(LeaderId, bool)> = Vec::new();
    let start = words.understood();
    if words.eat_any(&["all", "everybody"]).is_some() {
        all = g.on_map(side).filter(|&u| fit(u)).collect();
        if words.eat_any(&["but", "except", "without"]).is_some() {
            let but = units(words, g, side, ends, &|_| true)?;
            all.retain(|u| !but.contains(u));
        }
        return if all.is_empty() { Err(words.fail_from(start, "nobody can")) } else { Ok(all) };
    }
    loop {
        let mut ahead = words.clone();
        ahead.skip(&["and"]);
        if ahead.at_end() || ahead.peek().is_some_and(|word| ends.contains(&word)) {
            break;
        }
        *words = ahead;
        let mark = words.understood();
        for one in known(words, g, &list)? {
            match one {
                Known::Unit(u) if !all.contains(&u) => all.push(u),
                Known::Unit(u) => return Err(words.fail_from(mark, format!("{} is named twice", g.name(u)))),
                Known::Leader(l) => led.push((l, his_men(words))),
                Known::Tribe(u) => {
                    let before = words.understood();
                    let of = super::ways::tribe(words, g, u)?;
                    let numbered = words.understood() > before;
                    all.extend(of.into_iter().filter(|&u| numbered || fit(u)));
                }
            }
        }
    }
    let named = !all.is_empty();
    for (l, men_too) in led {
        if named && !men_too {
            if g.chief(l).with.is_none_or(|u| !all.contains(&u)) {
                let why = format!("{} is attached to none of those who are named", g.c[l].id);
                return Err(words.fail_from(start, why));
            }
            continue;
        }
        let men = men(g, l, fit).map_err(|why| words.fail_from(start, why))?;
        let new: Vec<UnitId> = men.into_iter().filter(|u| !all.contains(u)).collect();
        all.extend(new);
    }
    Ok(all)
}

/// Reads the firers before `at`: one, or several of one side if `at` or `half` follows; a single
/// one may be followed directly by the name of its target.
pub(super) fn firers(words: &mut Reader<'_>, g: &State, side: Side) -> Result<Vec<UnitId>, Misread> {
    const ENDS: &[&str] = &["at", "on", "half", "fires", "fire", "with"];
    let mut ahead = words.clone();
    let many = units(&mut ahead, g, side, ENDS, &|_| true);
    if let (Ok(all), true) = (&many, ahead.peek().is_some_and(|word| ENDS.contains(&word))) {
        *words = ahead;
        return Ok(all.clone());
    }
    let first = words.clone();
    let own: &[Side] = if side == Side::Us { &[Side::Us] } else { &[Side::Indian] };
    let list = names_and_tribes(g, side);
    match words.name(&list) {
        // A unit that begins a range does not stand for the whole range.
        Ok(Known::Unit(u)) => known(&mut first.clone(), g, &list).map(|_| vec![u]),
        // An ambiguous Leader or tribe.
        Ok(_) => many.and_then(|all| if all.is_empty() { Err(first.fail("who fires")) } else { Ok(all) }),
        Err(why) => Err(super::words::of_others(&first, g, own).unwrap_or(why)),
    }
}
