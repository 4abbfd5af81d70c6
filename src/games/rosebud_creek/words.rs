//! Grammars of orders: pieces, hexes and actions.

use super::{
    Order, State,
    components::{Class, LeaderId, Side, UnitId},
    doctrine::About,
    melee::Assault,
    order::Shot,
    rally,
    rout::Willing,
    state::Mode,
    volley::Fires,
    who,
};
use postrider_orders::{Grammar, Misread, Names, Reader, filler, flag, just, one_of, variant};
use postrider_table::hex::Hex;
use std::cell::OnceCell;

/// A unit or Leader in a list of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Unit(UnitId),
    Leader(LeaderId),
    /// All units of this unit's tribe.
    Tribe(UnitId),
}

/// Returns the ids and names of the units and Leaders of some sides.
pub(super) fn names(g: &State, sides: &[Side]) -> Names<Known> {
    let mut names = Names::new("unit or Leader");
    for u in g.c.unit_ids().filter(|&u| sides.contains(&g.side(u))) {
        for name in g.names_of(u) {
            names.add(name, Known::Unit(u));
        }
    }
    for l in g.c.leader_ids().filter(|&l| sides.contains(&g.c[l].side)) {
        names.add(&g.c[l].id, Known::Leader(l));
    }
    names
}

/// Returns the ids and names of a side's units, Leaders and tribes.
pub(super) fn names_and_tribes(g: &State, side: Side) -> Names<Known> {
    let mut names = names(g, &[side]);
    let mut last = "";
    for u in g.c.unit_ids().filter(|&u| g.side(u) == side && !g.c[u].tribe.is_empty()) {
        if g.c[u].tribe != last {
            last = &g.c[u].tribe;
            names.add(last, Known::Tribe(u));
        }
    }
    names
}

pub(super) fn name(g: &State, known: Known) -> String {
    match known {
        Known::Unit(u) | Known::Tribe(u) => g.c[u].id.clone(),
        Known::Leader(l) => g.c[l].id.clone(),
    }
}

/// Grammar of one unit or Leader.
pub(super) fn one<'g>(g: &'g State, sides: &'g [Side]) -> Grammar<'g, String> {
    let list = OnceCell::new();
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mark = words.clone();
            match ranked(words, list.get_or_init(|| names(g, sides))) {
                Ok(known) => Ok(name(g, known)),
                Err(why) => Err(of_others(&mark, g, sides).unwrap_or(why)),
            }
        },
        |name: &String| Some(name.clone()),
    )
}

/// Reads a name; a Leader's rank may precede it.
fn ranked(words: &mut Reader<'_>, list: &Names<Known>) -> Result<Known, Misread> {
    words.skip(who::RANKS);
    words.name(list)
}

/// Returns the error for a name that belongs to the other side.
pub(super) fn of_others(words: &Reader<'_>, g: &State, sides: &[Side]) -> Option<Misread> {
    let others: &[Side] = match sides {
        [Side::Us] => &[Side::Indian],
        [Side::Indian] => &[Side::Us],
        _ => return None,
    };
    let mut after = words.clone();
    let known = after.try_name(&names(g, others))?;
    let (called, whose) = (name(g, known), if others == [Side::Us] { "the US" } else { "the Indians" });
    Some(after.fail_from(words.understood(), format!("{called} belongs to {whose}")))
}

/// Returns `true` if a four-digit number comes next, even if it is not a hex of the map.
pub(super) fn is_hex(words: &Reader<'_>) -> bool {
    words.peek().is_some_and(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a hex if one comes next.
pub(super) fn try_hex(words: &mut Reader<'_>, g: &State) -> Result<Option<Hex>, Misread> {
    let four = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let Some(id) = words.peek().filter(|word| four(word)).map(str::to_owned) else { return Ok(None) };
    let mark = words.understood();
    // The number is consumed as a hex even if it is not on the map, so that it belongs to the words
    // before it.
    words.eat(&id);
    g.charts.grid.hex(&id).map(Some).ok_or_else(|| words.fail_from(mark, format!("{id} is no hex of the map")))
}

fn hex<'g>(g: &'g State) -> Grammar<'g, String> {
    Grammar::leaf(
        move |words: &mut Reader<'_>| {
            words.skip(&["hex", "in", "at", "to", "the"]);
            let at = try_hex(words, g)?;
            at.map(|hex| g.id(hex)).ok_or_else(|| words.fail("a hex: 2707"))
        },
        |id: &String| Some(id.clone()),
    )
}

fn more(words: &mut Reader<'_>) -> bool {
    let comma = words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma);
    words.eat("and") || comma && !words.at_end()
}

/// Grammar of a doctrine: `doctrine opportunity fire: chance 3`, `doctrine before melee odds 3
/// mounted`.
pub(super) fn doctrine<'g>(g: &'g State) -> Grammar<'g, Order> {
    let about = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let all = About::ALL.map(|about| about.word().replace('-', " "));
            let at = words.expect_any(&all.each_ref().map(String::as_str))?;
            Ok(About::ALL[at].word().to_owned())
        },
        |about: &String| Some(about.replace('-', " ")),
    );
    let how = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let mut said = Vec::new();
            while let Some(next) = words.peek().map(str::to_owned) {
                let exact =
                    words.clone().number().is_some() || try_hex(&mut words.clone(), g).is_ok_and(|hex| hex.is_some());
                if exact {
                    words.number();
                    said.push(next);
                    continue;
                }
                const HOW: &[&str] = &[
                    "yes", "no", "ask", "chance", "cavalry", "never", "strength", "stand", "odds", "mounted",
                    "together", "short", "largest", "smallest", "nearest", "left", "hq", "unit", "woods", "rocks",
                    "train",
                ];
                match words.eat_any(HOW) {
                    Some(at) => said.push(HOW[at].to_owned()),
                    None => break,
                }
            }
            // `odds 3-1` means `odds 3`.
            if said.first().is_some_and(|first| first == "odds") && said.get(2).is_some_and(|one| one == "1") {
                said.remove(2);
            }
            if said.is_empty() {
                let (mark, next) = (words.understood(), words.peek().map(str::to_owned));
                // The next word belongs to the doctrine, whatever it is.
                next.iter().for_each(|next| _ = words.eat(next));
                Err(words.fail_from(mark, "yes, no, ask, or what else is to be done"))
            } else {
                Ok(said.join(" "))
            }
        },
        |how: &String| Some(how.clone()),
    );
    variant!(about.and(how) => (about, how) => Order::Doctrine { about, how })
}

pub(super) const DOCTRINE: &[&str] = &["doctrine"];
pub(super) const DONE: &[&str] = &["done", "end"];

/// Grammar of fire: `fire 9c at o3, 4d half at c2`, `fire all at best`, `done`.
pub fn fire<'g>(g: &'g State, fires: &'g Fires) -> Grammar<'g, Order> {
    let enemy: &'static [Side] = match fires.side() {
        Side::Us => &[Side::Indian],
        Side::Indian => &[Side::Us],
    };
    let half = || flag(&["half", "at half strength", "with half"]);
    let side = fires.side();
    let firers = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            Ok(who::firers(words, g, side)?.into_iter().map(|u| g.name(u)).collect::<Vec<String>>())
        },
        |who: &Vec<String>| Some(who.join(" ")),
    );
    let aimed = filler("at", &["at", "on", "fires", "fire"]).then(one(g, enemy));
    let shot = firers.and(half()).and(aimed).and(half()).map(
        |(((who, before), at), behind)| {
            who.into_iter().map(|who| Shot { who, at: at.clone(), half: before || behind }).collect::<Vec<Shot>>()
        },
        |shots| match &shots[..] {
            [shot] => Some((((vec![shot.who.clone()], shot.half), shot.at.clone()), false)),
            _ => None,
        },
    );
    let another = |words: &mut Reader<'_>| {
        let mut ahead = words.clone();
        // Words that leave shots open do not begin another shot.
        let goes_on = more(&mut ahead) && ahead.clone().eat_any(ALL).is_none();
        if goes_on {
            *words = ahead;
        }
        goes_on
    };
    let shots = shot.many(",", another).map(
        |all| all.into_iter().flatten().collect::<Vec<Shot>>(),
        |shots| Some(shots.iter().map(|shot| vec![shot.clone()]).collect()),
    );
    let shots = variant!(shots.and(rest()) => (shots, best) => Order::Fire { shots, best })
        .map(move |order| whole_volley(g, fires, order), |order: &Order| Some(order.clone()));
    let best = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let order = Order::Fire { shots: Vec::new(), best: Some(least_chance(words)?) };
            Ok(whole_volley(g, fires, order))
        },
        |order: &Order| match order {
            Order::Fire { shots, best: Some(least) } if shots.is_empty() => Some(said_chance(*least)),
            _ => None,
        },
    );
    let fire = one_of().on(ALL, best).otherwise(shots.clone());
    one_of()
        .on(DONE, just(Order::Done {}))
        .also(&["hold", "hold fire"], just(Order::Done {}))
        .on(DOCTRINE, doctrine(g))
        .on(&["fire", "shoot"], fire)
        .or_fail("fire 3a at h1, fire all at best, or done; orders for later phases stand behind done")
}

/// Words for all units that are not named.
const ALL: &[&str] = &["all", "rest", "everybody", "the rest", "others", "the others"];

/// Grammar of open shots after named ones: `rest at best 8`.
fn rest<'g>() -> Grammar<'g, Option<u8>> {
    let read = |words: &mut Reader<'_>| {
        let mut ahead = words.clone();
        ahead.skip(&["and"]);
        if ahead.eat_any(ALL).is_none() {
            return Ok(None);
        }
        *words = ahead;
        least_chance(words).map(Some)
    };
    Grammar::leaf(read, |best: &Option<u8>| {
        Some(best.map_or_else(String::new, |least| format!(", rest {}", said_chance(least))))
    })
}

/// Reads the minimum chance of a Casualty Point for a shot, in percent: `at best`, `at best 8`.
fn least_chance(words: &mut Reader<'_>) -> Result<u8, Misread> {
    words.skip(&["at", "with", "from"]);
    if !words.eat("best") && !words.at_end() && words.peek().is_none_or(|word| word.parse::<u32>().is_err()) {
        return Err(words.fail("`best` stands where a target is left open"));
    }
    let mark = words.understood();
    let least = words.number().unwrap_or(0);
    words.skip(&["percent", "or", "more", "at", "least"]);
    let Ok(least @ 0..=100) = u8::try_from(least) else { return Err(words.fail_from(mark, "a chance in percent: 8")) };
    Ok(least)
}

fn said_chance(least: u8) -> String {
    if least == 0 { "at best".to_owned() } else { format!("at best {least}") }
}

/// Fills in the open shots of an order if the rules do not choose them one by one.
fn whole_volley(g: &State, fires: &Fires, order: Order) -> Order {
    match order {
        Order::Fire { mut shots, best: Some(least) } if !fires.chooses() => {
            let others = fires.rest(g, &shots, least.into());
            shots.extend(others);
            Order::fire(shots)
        }
        order => order,
    }
}

/// Grammar of a melee: `melee 2707 with 3a, 3e if 2-1 pursue no advance`, `done`.
pub fn melee<'g>(g: &'g State, side: Side) -> Grammar<'g, Order> {
    let sides: &'static [Side] = match side {
        Side::Us => &[Side::Us],
        Side::Indian => &[Side::Indian],
    };
    let with = move |at: &String| {
        let at = g.charts.grid.hex(at);
        let fit = move |u: UnitId| at.is_some_and(|at| Assault { side }.may(g, u, at).is_ok());
        Grammar::leaf(
            move |words: &mut Reader<'_>| {
                words.skip(&["with", "by"]);
                let all: Vec<String> =
                    who::units(words, g, side, BEHIND, &fit)?.into_iter().map(|u| g.name(u)).collect();
                if all.is_empty() { Err(words.fail("who attacks: with 3a 3e")) } else { Ok(all) }
            },
            |units: &Vec<String>| Some(format!("with {}", units.join(" "))),
        )
    };
    let odds = Grammar::leaf(
        // Standing orders use `if` for their own conditions, so `at` may also precede the odds.
        |words: &mut Reader<'_>| if words.eat_any(&["if", "at"]).is_some() { least(words) } else { Ok(String::new()) },
        |odds: &String| Some(if odds.is_empty() { String::new() } else { format!("if {odds}") }),
    );
    let will = Grammar::leaf(move |words: &mut Reader<'_>| will(words, g, sides), |will: &Will| Some(will.said()));
    let attack = variant!(hex(g).bind(with).and(odds).and(will) => (((at, with), odds), Will { pursue, pursuing, again, advance, advancing, from }) => Order::Melee { at, with, odds, pursue, advance, pursuing, again, advancing, from });
    one_of()
        .on(DONE, just(Order::Done {}))
        .also(&["hold"], just(Order::Done {}))
        .on(DOCTRINE, doctrine(g))
        .on(&["melee", "attack"], attack)
        .or_fail("melee 2707 with 3a 3e, or done")
}

/// Words that may follow the attackers.
const BEHIND: &[&str] = &["if", "at", "pursue", "pursuit", "advance", "no", "but", "from"];

/// Reads the minimum odds after `if`.
fn least(words: &mut Reader<'_>) -> Result<String, Misread> {
    words.skip(&["odds", "at", "least", "are"]);
    let (a, b) = (words.number(), words.number());
    match a.zip(b) {
        Some((a, b)) => Ok(format!("{a}-{}", b.abs())),
        None => Err(words.fail("odds: if 2-1")),
    }
}

/// The words after an attack: pursuit and advance (10.H), and the hex that the defenders retreat
/// from (10.I).
#[derive(Clone)]
struct Will {
    pursue: bool,
    pursuing: Vec<String>,
    again: String,
    advance: bool,
    advancing: Vec<String>,
    from: String,
}

impl Will {
    fn said(&self) -> String {
        let again = match &*self.again {
            "" => String::new(),
            Order::NEVER => "only".to_owned(),
            Order::ASK => "ask".to_owned(),
            odds => format!("if {odds}"),
        };
        let pursue = if self.pursue {
            let all = ["pursue".to_owned(), self.pursuing.join(" "), again];
            all.into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" ")
        } else {
            String::new()
        };
        let advance = match (self.advance, &self.advancing[..]) {
            (false, _) => "no advance".to_owned(),
            (true, []) => String::new(),
            (true, some) => format!("advance {}", some.join(" ")),
        };
        let from = if self.from.is_empty() { String::new() } else { format!("from {}", self.from) };
        let all = [pursue, advance, from].into_iter().filter(|said| !said.is_empty());
        all.collect::<Vec<_>>().join(" ")
    }
}

/// Returns `true` if `no advance` comes next without advancing units, so that the `no` does not
/// refer to pursuit.
fn is_no_advance(words: &Reader<'_>) -> bool {
    let mut ahead = words.clone();
    let said = ahead.eat("no") && ahead.eat("advance");
    ahead.skip(&["and", "but"]);
    said && (ahead.at_end() || ahead.peek().is_some_and(|word| BEHIND.contains(&word)))
}

/// Reads the units that pursue or advance, if any are named.
fn who_does(words: &mut Reader<'_>, g: &State, sides: &[Side], what: &'static str) -> Result<Vec<String>, Misread> {
    let (list, mut all) = (names(g, sides), Vec::new());
    words.skip(&["with", "by"]);
    while !words.at_end() && words.peek().is_none_or(|word| !BEHIND.contains(&word)) {
        let mut ahead = words.clone();
        let Ok(some) = who::known(&mut ahead, g, &list) else { break };
        for one in some {
            let Known::Unit(u) = one else { return Err(words.fail(what)) };
            all.push(g.name(u));
        }
        *words = ahead;
        words.skip(&["and"]);
    }
    Ok(all)
}

fn will(words: &mut Reader<'_>, g: &State, sides: &[Side]) -> Result<Will, Misread> {
    let (pursuing, again, advancing, from) = Default::default();
    let mut will = Will { pursue: false, pursuing, again, advance: true, advancing, from };
    let (mut pursuit, mut advance) = (false, false);
    while !words.at_end() {
        words.skip(&["and", "but"]);
        let mark = words.understood();
        let twice = |words: &Reader<'_>| Err(words.fail_from(mark, "that is said before: once is enough"));
        let mut no = words.eat("no");
        if words.eat_any(&["pursue", "pursuit"]).is_some() {
            if std::mem::replace(&mut pursuit, true) {
                return twice(words);
            }
            no |= !is_no_advance(words) && words.eat("no");
            words.eat("yes");
            will.pursue = !no;
            if no {
                continue;
            }
            will.pursuing = who_does(words, g, sides, "which units pursue: pursue 3e")?;
            if words.eat("if") {
                will.again = least(words)?;
            } else if words.eat("only") {
                will.again = Order::NEVER.to_owned();
            } else if words.eat("ask") {
                will.again = Order::ASK.to_owned();
            }
        } else if words.eat("advance") {
            if std::mem::replace(&mut advance, true) {
                return twice(words);
            }
            no |= words.eat("no");
            words.eat("yes");
            will.advance = !no;
            if no {
                continue;
            }
            will.advancing = who_does(words, g, sides, "which units advance: advance 3e")?;
        } else if words.eat("from") {
            if !will.from.is_empty() {
                return twice(words);
            }
            let at = try_hex(words, g)?;
            will.from = g.id(at.ok_or_else(|| words.fail("the hex that they fall back from: from 2706"))?);
        } else {
            break;
        }
    }
    Ok(will)
}

/// Grammar of the Rally Phase: `rally all`, `rally 3a, 3e`, `rout 3l`, `re-supply 3a 7`, `attach
/// mills 3a`, `lieutenant 3213`.
pub fn rally<'g>(g: &'g State, side: Side) -> Grammar<'g, Order> {
    let sides: &'static [Side] = match side {
        Side::Us => &[Side::Us],
        Side::Indian => &[Side::Indian],
    };
    let shaken = move || -> Vec<String> { rally::shaken(g, side).into_iter().map(|u| g.name(u)).collect() };
    let who = Grammar::leaf(
        move |words: &mut Reader<'_>| {
            let list = names(g, sides);
            if words.eat_any(&["none", "nobody"]).is_some() {
                return Ok(Vec::new());
            }
            if words.eat_any(&["all", "everybody"]).is_some() {
                let mut all = shaken();
                if words.eat_any(&["but", "except", "without"]).is_some() {
                    while !words.at_end() {
                        words.skip(&["and"]);
                        for but in who::known(words, g, &list)? {
                            let but = name(g, but);
                            all.retain(|name| *name != but);
                        }
                    }
                }
                return Ok(all);
            }
            let mut all = Vec::new();
            while !words.at_end() {
                words.skip(&["and"]);
                all.extend(who::known(words, g, &list)?.into_iter().map(|one| name(g, one)));
            }
            Ok(all)
        },
        |who: &Vec<String>| Some(if who.is_empty() { "none".to_owned() } else { who.join(" ") }),
    );
    let boxes = filler("", &["boxes", "of", "for"]).then(Grammar::leaf(
        |words: &mut Reader<'_>| {
            words.number().and_then(|n| u8::try_from(n).ok()).ok_or_else(|| words.fail("how many boxes"))
        },
        |n: &u8| Some(n.to_string()),
    ));
    let level = boxes
        .and(filler("from", &["from", "boxes"]).then(one(g, sides)))
        .and(filler("to", &["to"]).then(one(g, sides)));
    let supply = one(g, sides).and(taken()).and(source(g, sides));
    one_of()
        .on(DONE, just(Order::Done {}))
        .on(DOCTRINE, doctrine(g))
        .on(&["rally"], variant!(who => who => Order::Rally { who }))
        .on(&["rout"], rout(g, sides))
        .said(
            "resupply",
            &["re supply"],
            variant!(supply => ((unit, boxes), from) => Order::Resupply { unit, from, boxes }),
        )
        .on(&["attach"], variant!(attach(g, sides) => (leader, unit) => Order::Attach { leader, unit }))
        .on(
            &["cross level", "crosslevel"],
            variant!(level => ((boxes, from), to) => Order::CrossLevel { from, to, boxes }),
        )
        .on(&["lieutenant"], variant!(hex(g) => hex => Order::Lieutenant { hex }))
        .or_fail("rally all, rout 3a, re-supply 3a, attach mills to 3a, or done")
}

/// Grammar of a Voluntary Rout and its change of mode (10.J.1): `3l`, `3l mounted`, `3l dismounted
/// after 3`.
pub(super) fn rout<'g>(g: &'g State, sides: &'g [Side]) -> Grammar<'g, Order> {
    const MODES: [(Mode, &[&str]); 2] =
        [(Mode::Mounted, &["mounted", "mount"]), (Mode::Dismounted, &["dismounted", "dismount"])];
    let read = |words: &mut Reader<'_>| {
        let mode = MODES.iter().find(|(_, said)| words.eat_any(said).is_some()).map(|(mode, _)| *mode);
        if mode.is_none() || !words.eat("after") {
            return Ok(Willing { mode, after: None });
        }
        let after = words.number().and_then(|n| u16::try_from(n).ok());
        words.skip(&["hexes", "hex"]);
        let after = after.ok_or_else(|| words.fail("after how many hexes: after 3"))?;
        Ok(Willing { mode, after: Some(after) })
    };
    let say = |will: &Willing| {
        let mode = will.mode.map_or_else(String::new, |mode| mode.word().to_owned());
        Some(will.after.map_or(mode.clone(), |after| format!("{mode} after {after}")))
    };
    one(g, sides).and(Grammar::leaf(read, say)).map(
        |(who, will)| Order::rout(who, will),
        |order| match order {
            Order::Rout { who, mode, after } => Some((who.clone(), Willing { mode: *mode, after: *after })),
            _ => None,
        },
    )
}

/// Grammar of the boxes that a unit takes, if any are named (14.F): `7`, `with 7 boxes`.
fn taken<'g>() -> Grammar<'g, Option<u8>> {
    let read = |words: &mut Reader<'_>| {
        let mut ahead = words.clone();
        ahead.skip(&["with", "by", "for", "takes"]);
        let Some(n) = ahead.number() else { return Ok(None) };
        let n = u8::try_from(n).map_err(|_| words.fail("how many boxes"))?;
        ahead.skip(&["boxes", "box"]);
        *words = ahead;
        Ok(Some(n))
    };
    Grammar::leaf(read, |boxes: &Option<u8>| Some(boxes.map_or_else(String::new, |n| n.to_string())))
}

/// Grammar of a source of ammunition (14.C): `from the train`, `from pta`, `own point`.
fn source<'g>(g: &'g State, sides: &'g [Side]) -> Grammar<'g, String> {
    const TRAIN: &[&str] = &["train", "pack train"];
    const OWN: &[&str] = &["own", "ammo point", "point", "saddle bags"];
    let read = move |words: &mut Reader<'_>| {
        words.skip(&["from", "by", "with", "for", "out", "of", "the", "a", "an", "its", "their"]);
        if words.at_end() {
            return Ok(String::new());
        }
        if words.eat_any(TRAIN).is_some() {
            return Ok(Order::TRAIN.to_owned());
        }
        if words.eat_any(OWN).is_some() {
            words.skip(&["ammo", "point", "saddle", "bags"]);
            return Ok(Order::OWN.to_owned());
        }
        let mut ahead = words.clone();
        match ahead.try_name(&names(g, sides)) {
            Some(Known::Unit(u)) if g.class(u) == Class::Train => {
                *words = ahead;
                Ok(g.name(u))
            }
            _ => Ok(String::new()),
        }
    };
    let say = |from: &String| match &**from {
        "" => Some(String::new()),
        Order::TRAIN => Some("from the train".to_owned()),
        Order::OWN => Some("own point".to_owned()),
        train => Some(format!("from {train}")),
    };
    Grammar::leaf(read, say)
}

/// Grammar of a Leader and the unit to attach him to: `mills to 3a`.
fn attach<'g>(g: &'g State, sides: &'static [Side]) -> Grammar<'g, (String, String)> {
    one(g, sides).and(filler("to", &["to", "with"]).then(one(g, sides)))
}

/// Reads the pieces to place: Scouts, Holders, or companies and Leaders whose Holders are meant.
fn placed(words: &mut Reader<'_>, g: &State, side: Side, sides: &[Side]) -> Result<Vec<String>, Misread> {
    let list = names(g, sides);
    let (mut all, mut units, mut leaders) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        words.skip(&["and", "the"]);
        if who::holders(words) {
            let without = |u: &&UnitId| !g.class(**u).is_holder() && g.charts.helper[u.index()].is_none();
            if let Some(&u) = units.iter().find(without) {
                return Err(words.fail(format!("{} has no Holders: place it by itself", g.name(u))));
            }
            let of = who::holders_of(g, &units, &leaders);
            if of.is_empty() {
                return Err(words.fail("whose Holders: 2a-2i holders, mills holders"));
            }
            all = of.into_iter().map(|h| g.name(h)).collect();
        }
        if words.at_end() || is_hex(words) || matches!(words.peek(), Some("in" | "at" | "to")) {
            break;
        }
        let mut ahead = words.clone();
        if ahead.eat("infantry") && who::holders(&mut ahead.clone()) {
            units.extend(who::infantry(g, side));
            *words = ahead;
            continue;
        }
        let mark = words.clone();
        let some = who::known(words, g, &list).map_err(|why| of_others(&mark, g, sides).unwrap_or(why))?;
        for one in some {
            match one {
                Known::Unit(u) | Known::Tribe(u) => units.push(u),
                Known::Leader(l) => leaders.push(l),
            }
            all.push(name(g, one));
        }
    }
    if all.is_empty() { Err(words.fail("who is placed: place 2ah 3414")) } else { Ok(all) }
}

/// Grammar of the set-up: `place old, med 2806 mounted`, `place 2ah 3414`.
pub fn place<'g>(g: &'g State, side: Side) -> Grammar<'g, Order> {
    let sides: &'static [Side] = match side {
        Side::Us => &[Side::Us],
        Side::Indian => &[Side::Indian],
    };
    let mode = Grammar::leaf(
        |words: &mut Reader<'_>| {
            let all = ["mounted", "dismounted", "prone"];
            Ok(words.eat_any(&all).map_or_else(String::new, |at| all[at].to_owned()))
        },
        |mode: &String| Some(mode.clone()),
    );
    let place = Grammar::leaf(
        move |words: &mut Reader<'_>| placed(words, g, side, sides),
        |who: &Vec<String>| Some(who.join(" ")),
    );
    let place = variant!(place.and(hex(g)).and(mode) => ((who, hex), mode) => Order::Place { who, hex, mode });
    one_of()
        .on(DONE, just(Order::Done {}))
        .on(DOCTRINE, doctrine(g))
        .on(&["place", "put"], place)
        .on(&["attach"], variant!(attach(g, sides) => (leader, unit) => Order::Attach { leader, unit }))
        .or_fail("place old in 2806 mounted, place 2ah in 3414, or done")
}
