//! Grammars of moves: the movers, their paths and acts.

use super::{
    Order, State,
    components::{LeaderId, Num, Side, UnitId},
    leaders,
    march::March,
    movement::{self, Gait, Mover},
    order::{Act, Going},
    state::{Mode, Spot},
    who as whom,
    words::{DOCTRINE, DONE, Known, doctrine, is_hex, name, names, names_and_tribes, of_others, one, rout, try_hex},
    zoc,
};
use postrider_orders::{Grammar, Misread, Reader, filler, just, list_and, list_or, one_of, variant};
use postrider_table::hex::Hex;

/// Grammar of the Movement Phase.
pub fn march<'g>(g: &'g State, side: Side) -> Grammar<'g, Order> {
    let sides: &'static [Side] = match side {
        Side::Us => &[Side::Us],
        Side::Indian => &[Side::Indian],
    };
    let moves = Grammar::leaf(move |words: &mut Reader<'_>| moves(words, g, side), |order: &Order| said(order, g));
    let small = |n: Option<i64>| n.and_then(|n| u8::try_from(n).ok());
    let points = Grammar::leaf(
        move |words: &mut Reader<'_>| small(words.number()).ok_or_else(|| words.fail("how many points")),
        |n: &u8| Some(n.to_string()),
    );
    let personnel = points
        .and(filler("from", &["from", "points", "of"]).then(one(g, sides)))
        .and(filler("to", &["to"]).then(one(g, sides)));
    one_of()
        .on(DONE, just(Order::Done {}))
        .on(DOCTRINE, doctrine(g))
        .on(
            &["build"],
            variant!(filler("", &["breastworks", "with"]).then(one(g, sides)) => who => Order::Build { who }),
        )
        .on(&["load"], variant!(filler("", &["breastworks", "with"]).then(one(g, sides)) => who => Order::Load { who }))
        .on(&["abandon"], variant!(filler("", &["horses", "of"]).then(one(g, sides)) => who => Order::Abandon { who }))
        .on(&["search village", "search"], filler("", &["for", "the", "village"]).then(just(Order::Search {})))
        .on(&["personnel"], variant!(personnel => ((points, from), to) => Order::Personnel { from, to, points }))
        .on(&["rout"], rout(g, sides))
        .on(&["line"], Grammar::leaf(move |words: &mut Reader<'_>| line(words, g, side), |_: &Order| None))
        .also(&["move", "march", "enter"], moves.clone())
        .otherwise(moves)
}

/// Grammar of a Scatter: one word to stay, or the acts of a unit, with its name or without (7.K).
pub fn flight<'g>(g: &'g State, u: UnitId, stay: &'static str) -> Grammar<'g, Order> {
    let read = move |words: &mut Reader<'_>| {
        words.eat(&g.name(u).to_lowercase());
        match acts(words, g, &[Mover::Unit(u)])? {
            Done::Acts(acts) => Ok(Order::Move { moves: vec![Going { who: vec![g.name(u)], acts }] }),
            Done::There(hex) => Err(words.fail(format!("it is in {} already: `{stay}`", g.id(hex)))),
        }
    };
    one_of()
        .on(&["stay"], just(Order::Pick { one: stay.to_owned() }))
        .otherwise(Grammar::leaf(read, |order: &Order| said(order, g)?.strip_prefix("move ").map(str::to_owned)))
}

/// Returns the full words of a move: `move h1 h2: 2306 > 2307, dismount also h3: 2305`.
fn said(order: &Order, g: &State) -> Option<String> {
    let Order::Move { moves } = order else { return None };
    let one = |going: &Going| {
        let mut text = going.who.join(" ");
        // Leaders who go along with their units are named, and read back that way.
        for l in going.who.iter().filter_map(|name| g.c.unit(name)).flat_map(|u| leaders::attached(g, u)) {
            let id = &g.c[l].id;
            if !leaders::is_staff(g, l) && !going.who.contains(id) {
                text += &format!(" {id}");
            }
        }
        // A Leader's name without `alone` would include his units.
        if going.who.iter().all(|name| g.c.leader(name).is_some()) {
            text += " alone";
        }
        let mut hex = false;
        for (at, act) in going.acts.iter().enumerate() {
            let (goes, word) = match act {
                Act::Go { hex } => (true, hex.clone()),
                Act::Mount {} => (false, "mount".to_owned()),
                Act::Dismount {} => (false, "dismount".to_owned()),
                Act::Prone {} => (false, "prone".to_owned()),
                Act::Recover {} => (false, "recover".to_owned()),
                Act::Crawl { hex } => (false, format!("crawl {hex}")),
                Act::Charge { hex } => (false, format!("charge {hex}")),
                Act::Exit {} => (false, "exit".to_owned()),
                Act::Attach { unit } => (false, format!("attach {unit}")),
                Act::Fire { at } => (false, format!("fire {at}")),
            };
            text += match at {
                0 => ": ",
                _ if goes && hex => " > ",
                _ => ", ",
            };
            text += &word;
            hex = goes;
        }
        text
    };
    Some(format!("move {}", moves.iter().map(one).collect::<Vec<_>>().join(" also ")))
}

/// Words that begin the acts of a group.
const VERBS: &[&str] = &[
    "move", "moves", "go", "goes", "to", "via", "enter", "mount", "dismount", "prone", "recover", "crawl", "charge",
    "exit", "fire", "hold", "attach",
];

/// Reads the moves of one or several groups, joined by `also`.
fn moves(words: &mut Reader<'_>, g: &State, side: Side) -> Result<Order, Misread> {
    let mut all = Vec::new();
    // Later groups start from the position after earlier ones.
    let mut now = g.clone();
    loop {
        for going in group(words, &now, side)? {
            for act in &going.acts {
                for name in &going.who {
                    let Some(who) = Mover::named(&now, name) else { continue };
                    let _ = movement::act(&mut now, who, act);
                }
            }
            all.push(going);
        }
        if !words.eat("also") {
            break;
        }
    }
    Ok(Order::Move { moves: all })
}

/// Reads one group and its acts. Units in different hexes each get their own path.
fn group(words: &mut Reader<'_>, g: &State, side: Side) -> Result<Vec<Going>, Misread> {
    let mark = words.understood();
    let who = who(words, g, side)?;
    if who.is_empty() && words.understood() == mark && is_hex(words) {
        return Err(words.fail("name who goes there: `3a: 2808`, `all in 2909 to 2808`, `rest to 2808`"));
    }
    if who.is_empty() {
        return Err(words.fail_from(mark, "nobody there can move"));
    }
    let from = words.clone();
    let mut made: Vec<Going> = Vec::new();
    let mut rest = words.clone();
    let first = who[0].spot(g);
    let apart = who.iter().any(|mover| mover.spot(g) != first);
    let groups: Vec<Vec<Mover>> = if apart { who.iter().map(|&one| vec![one]).collect() } else { vec![who] };
    let mut there = None;
    for movers in groups {
        rest = from.clone();
        match acts(&mut rest, g, &movers)? {
            Done::Acts(acts) => {
                made.push(Going { who: movers.iter().map(|mover| mover.name(g)).collect(), acts });
            }
            // One of several units that gather in a hex may already be there.
            Done::There(hex) => {
                let (names, is) = (
                    list_and(&movers.iter().map(|mover| mover.called(g)).collect::<Vec<_>>()),
                    if movers.len() > 1 { "are" } else { "is" },
                );
                there = Some(format!("{names} {is} in {} already", g.id(hex)));
            }
        }
    }
    *words = rest;
    match there.filter(|_| made.is_empty()) {
        Some(why) => Err(words.fail_from(mark, why)),
        None => Ok(made),
    }
}

/// Reads the movers: ids, tribes with numbers, a Leader with all units in his hex, `all in 2909`,
/// `rest`; `alone` takes Leaders without units, and units to which no Leader is attached.
fn who(words: &mut Reader<'_>, g: &State, side: Side) -> Result<Vec<Mover>, Misread> {
    let list = names_and_tribes(g, side);
    let march = March { side };
    let mut all: Vec<Mover> = Vec::new();
    let mut led: Vec<(LeaderId, usize)> = Vec::new();
    let mut read = 0;
    let add = |mover: Mover, all: &mut Vec<Mover>| {
        if !all.contains(&mover) {
            all.push(mover);
        }
    };
    loop {
        words.skip(&["and", "with", "the"]);
        let mut ahead = words.clone();
        if words.at_end() || ahead.eat_any(VERBS).is_some() || is_hex(&ahead) {
            break;
        }
        // `enter h1 at 2900`; for a unit on the map, `at` may give its own hex.
        if all.first().is_some_and(|mover| mover.spot(g) == Spot::Waiting) {
            let mut ahead = words.clone();
            ahead.skip(&["at", "in", "on", "by"]);
            if is_hex(&ahead) {
                *words = ahead;
                break;
            }
        }
        let at = words.understood();
        if words.eat("alone") {
            led.clear();
            let units = all.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None });
            let mut along = units.flat_map(|u| leaders::attached(g, u).map(move |l| (l, u)));
            if let Some((l, u)) = along.find(|(l, _)| !leaders::is_staff(g, *l)) {
                let (leader, unit, he) = (&g.c[l].id, g.name(u), g.c[l].id.to_lowercase());
                let why = format!("{leader} goes along with {unit}: he is moved from it by `{he} alone: to 2808`");
                return Err(words.fail_from(at, why));
            }
            break;
        }
        if words.eat("all") {
            words.skip(&["in", "at", "from", "units"]);
            let Some(at) = try_hex(words, g)? else { return Err(words.fail("all in which hex: all in 2909")) };
            for u in g.of_side(at, side) {
                add(Mover::Unit(u), &mut all);
            }
            continue;
        }
        if words.eat_any(&["rest", "others"]).is_some() {
            for mover in march.movers(g) {
                if matches!(mover, Mover::Unit(u) if g.unit(u).did.spent == 0 && !g.class(u).is_holder()) {
                    add(mover, &mut all);
                }
            }
            continue;
        }
        let mark = words.clone();
        // The words after an enemy unit belong to the error, so that they are not read as a
        // separate order.
        let whole = words.phrase().words().len();
        let others = |why| of_others(&mark, g, &[side]).map_or(why, |why| Misread { understood: whole, ..why });
        for one in whom::known(words, g, &list).map_err(others)? {
            match one {
                Known::Unit(u) => add(Mover::Unit(u), &mut all),
                Known::Tribe(u) => tribe(words, g, u)?.into_iter().for_each(|u| add(Mover::Unit(u), &mut all)),
                Known::Leader(l) => {
                    led.push((l, all.len()));
                    add(Mover::Leader(l), &mut all);
                    let at = words.understood();
                    if whom::his_men(words) {
                        let men = whom::men(g, l, |_| true).map_err(|why| words.fail_from(at, why))?;
                        men.into_iter().for_each(|u| add(Mover::Unit(u), &mut all));
                    }
                }
            }
        }
        read += 1;
        let at = words.understood();
        if whom::holders(words) {
            if read > 1 {
                return Err(words.fail_from(at, "it is not clear whose Holders: name each, as 3ah"));
            }
            let units: Vec<UnitId> =
                all.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None }).collect();
            let heads: Vec<LeaderId> = led.iter().map(|(l, _)| *l).collect();
            all = whom::holders_of(g, &units, &heads).into_iter().map(Mover::Unit).collect();
            led.clear();
        }
    }
    // A Leader's name includes all units that can go with him, unless he is named with units or
    // `alone`.
    if all.len() == led.len() {
        for (l, _) in led {
            let Some(at) = g.chief(l).spot.hex() else { continue };
            for u in g.of_side(at, side).filter(|&u| !g.class(u).is_holder()) {
                if movement::barred(g, Mover::Unit(u)).is_ok() {
                    add(Mover::Unit(u), &mut all);
                }
            }
        }
    }
    // Attached Leaders go with their units anyway.
    let with = |mover: &Mover| matches!(*mover, Mover::Leader(l) if g.chief(l).with.is_some_and(|u| all.contains(&Mover::Unit(u))));
    let kept: Vec<Mover> = all.iter().copied().filter(|mover| !with(mover)).collect();
    Ok(kept)
}

/// Reads what follows the name of a tribe: nothing for all of it, `1-3`, or `1, 3`.
pub(super) fn tribe(words: &mut Reader<'_>, g: &State, one: UnitId) -> Result<Vec<UnitId>, Misread> {
    let name = &g.c[one].tribe;
    let of: Vec<UnitId> = g.c.unit_ids().filter(|&u| g.c[u].tribe == *name).collect();
    let sides = [g.side(one)];
    let list = names(g, &sides);
    let mut some = Vec::new();
    let mark = words.understood();
    loop {
        let four = words.peek().is_some_and(|word| word.len() == 4);
        // `cheyenne two moon` is the tribe and a Leader.
        if matches!(words.clone().try_name(&list), Some(Known::Leader(_))) {
            break;
        }
        let mut ahead = words.clone();
        let Some(n) = ahead.number().filter(|_| !four) else { break };
        let from = words.phrase().words().get(words.understood()).map(|word| word.end);
        *words = ahead;
        let to = words.phrase().words().get(words.understood()).map(|word| word.start);
        let dashed = from.zip(to).is_some_and(|(a, b)| {
            words.phrase().line().chars().skip(a).take(b.saturating_sub(a)).any(|c| "-–—".contains(c))
        });
        let last = if dashed { words.number().map_or(n, i64::abs) } else { n.abs() };
        for n in n.abs()..=last {
            match usize::try_from(n).ok().and_then(|n| of.get(n.wrapping_sub(1))) {
                Some(&u) => some.push(u),
                None => {
                    return Err(words
                        .fail_from(mark, format!("the {name} have {}", postrider_orders::counted(of.len(), "unit"))));
                }
            }
        }
        if !words.eat("and") && !words.phrase().words().get(words.understood()).is_some_and(|word| word.after_comma) {
            break;
        }
    }
    if some.is_empty() {
        some = of.into_iter().filter(|&u| matches!(g.unit(u).spot, Spot::On(_) | Spot::Waiting)).collect();
    }
    Ok(some)
}

/// The result of reading a group's acts.
enum Done {
    /// Its acts.
    Acts(Vec<Act>),
    /// Nothing: it is already in the hex to which it is sent.
    There(Hex),
}

/// Returns sample acts for a group whose order has none.
fn examples(g: &State, lead: Mover) -> String {
    let Some(at) = lead.spot(g).hex() else {
        let open = |hex: &&Hex| !g.holds(**hex, lead.side(g).enemy());
        let hex = g.charts.entries[0].iter().filter(open).nth(g.charts.entries[0].len() / 2);
        return hex.map_or_else(String::new, |&hex| format!("to {}", g.id(hex)));
    };
    let near = movement::reach(g, lead).and_then(|reach| {
        let mut near = reach.each().map(|(hex, _)| hex).filter(|&hex| g.charts.grid.adjacent(at, hex));
        near.find(|&hex| lead_fits(g, lead, hex))
    });
    let mut all: Vec<String> = near.map(|hex| g.id(hex)).into_iter().collect();
    if let Mover::Unit(u) = lead {
        let unit = g.unit(u);
        match unit.mode {
            _ if unit.disrupted => all.push("recover".to_owned()),
            _ if g.class(u).walks() => {}
            Mode::Mounted => all.push("dismount".to_owned()),
            _ => all.push("mount".to_owned()),
        }
    }
    list_or(&all)
}

/// Returns `true` if a hex has room for the lead mover of a group.
fn lead_fits(g: &State, lead: Mover, hex: Hex) -> bool {
    matches!(lead, Mover::Leader(_)) || matches!(lead, Mover::Unit(u) if zoc::fits(g, hex, u))
}

/// Reads the acts of a group in sequence. Missing steps are filled in if there is a single cheapest
/// path.
fn acts(words: &mut Reader<'_>, g: &State, movers: &[Mover]) -> Result<Done, Misread> {
    let Some(&lead) = movers.first() else { return Err(words.fail("who moves")) };
    let mut acts: Vec<Act> = Vec::new();
    let mut there = None;
    let mut at = lead.spot(g).hex();
    let mut rides = lead.rides(g);
    loop {
        words.skip(&["move", "moves", "go", "goes", "and", "hex", "hexes", "they", "it"]);
        if words.at_end() {
            break;
        }
        if words.eat("from") {
            words.skip(&["hex", "the"]);
            let from = words.understood();
            let hex = try_hex(words, g)?;
            if hex.is_none() || hex != lead.spot(g).hex() {
                return Err(words.fail_from(from, "behind `from` stands the hex where the move begins"));
            }
            continue;
        }
        if words.eat_any(&["via", "over", "through"]).is_some() {
            if !acts.is_empty() {
                return Err(words.fail("the hexes of a way stand in its order, the last one last: h2: 2902 > 2903"));
            }
            continue;
        }
        let open = words.eat_any(&["to", "enter"]).is_some();
        if open {
            words.skip(&["at", "in", "on", "by", "hex", "the"]);
        }
        if let Some(to) = try_hex(words, g)? {
            there = Some(to).filter(|_| at == Some(to));
            go(words, g, lead, &mut acts, &mut at, rides, to, open)?;
            continue;
        }
        const DO: &[&str] =
            &["mount", "dismount", "prone", "recover", "crawl", "charge", "exit", "fire", "hold", "attach"];
        let Some(verb) = words.eat_any(DO) else { break };
        words.skip(&["off", "down", "at", "to", "the", "map", "with"]);
        let target = |words: &mut Reader<'_>| try_hex(words, g)?.ok_or_else(|| words.fail("which hex"));
        match DO[verb] {
            "mount" => {
                acts.push(Act::Mount {});
                rides = true;
            }
            "dismount" => {
                acts.push(Act::Dismount {});
                rides = false;
            }
            "prone" => {
                acts.push(Act::Prone {});
                rides = false;
            }
            "recover" => acts.push(Act::Recover {}),
            "crawl" => {
                let to = target(words)?;
                acts.push(Act::Crawl { hex: g.id(to) });
                at = Some(to);
            }
            "charge" => {
                let to = target(words)?;
                acts.push(Act::Charge { hex: g.id(to) });
            }
            "exit" => acts.push(Act::Exit {}),
            "fire" => {
                let enemy = [lead.side(g).enemy()];
                let list = names(g, &enemy);
                acts.push(Act::Fire { at: name(g, words.name(&list)?) });
            }
            "attach" => {
                let own = [lead.side(g)];
                let list = names(g, &own);
                acts.push(Act::Attach { unit: name(g, words.name(&list)?) });
            }
            // A unit that holds does nothing else.
            _ => {}
        }
    }
    match there {
        _ if !acts.is_empty() => Ok(Done::Acts(acts)),
        Some(hex) => Ok(Done::There(hex)),
        None => {
            let examples = examples(g, lead);
            let examples = if examples.is_empty() { String::new() } else { format!(": {examples}") };
            Err(words.fail(format!("where they go, or what they do{examples}")))
        }
    }
}

/// Appends the steps to a hex: an adjacent one, or along the cheapest path.
#[allow(clippy::too_many_arguments)] // Each argument is a separate part of the path's state.
fn go(
    words: &Reader<'_>,
    g: &State,
    lead: Mover,
    acts: &mut Vec<Act>,
    at: &mut Option<Hex>,
    rides: bool,
    to: Hex,
    open: bool,
) -> Result<(), Misread> {
    let Some(from) = *at else {
        acts.push(Act::Go { hex: g.id(to) });
        *at = Some(to);
        return Ok(());
    };
    if from == to {
        return Ok(());
    }
    if g.charts.grid.adjacent(from, to) {
        acts.push(Act::Go { hex: g.id(to) });
        *at = Some(to);
        return Ok(());
    }
    let side = lead.side(g);
    // 40 MPs are more than any unit has; the rules check the actual MPs.
    let gait = if matches!(lead, Mover::Leader(_)) { lead.gait(g) } else { Gait::of(rides) };
    let reach = g.charts.grid.reach(from, 40, movement::steps(g, side, gait));
    let (id, here) = (g.id(to), g.id(from));
    let Some(way) = reach.way(to) else {
        return Err(words.fail_from(words.understood() - 1, format!("no way leads from {here} to {id}")));
    };
    if !open && !reach.is_plain(to) {
        return Err(words.fail_from(
            words.understood() - 1,
            format!("from {here} to {id} several ways cost the same: name the hexes, or say `to {id}`"),
        ));
    }
    acts.extend(way.into_iter().skip(1).map(|hex| Act::Go { hex: g.id(hex) }));
    *at = Some(to);
    Ok(())
}

/// Returns the reason why a unit cannot reach its hex of a line, with the hexes of the line that it
/// can reach.
fn out_of_reach(g: &State, u: UnitId, to: Hex, gets_down: bool, line: &[Hex]) -> Option<String> {
    let mover = Mover::Unit(u);
    let (reach, left) = (movement::reach(g, mover)?, movement::left(g, mover));
    let more = if gets_down { g.c.steps(Num::ChangeMode) } else { 0 };
    let start = g.hex(u);
    let comes = |hex: Hex| {
        Some(hex) == start && more <= left || reach.cost(hex).is_some_and(|cost| more == 0 || cost + more <= left)
    };
    if comes(to) {
        return None;
    }
    let near: Vec<String> = line.iter().filter(|&&hex| comes(hex)).map(|&hex| g.id(hex)).collect();
    let near = if near.is_empty() { String::new() } else { format!(", but {}", postrider_orders::list_or(&near)) };
    let down = if gets_down { " and get down" } else { "" };
    Some(format!("{} does not reach {}{down} with {left} MPs{near}", g.called(u), g.id(to)))
}

/// Reads `line henry: 3014 3114 2913`: the units in a Leader's hex each go to one of the hexes, and
/// he goes to the first.
fn line(words: &mut Reader<'_>, g: &State, side: Side) -> Result<Order, Misread> {
    let sides = [side];
    let list = names(g, &sides);
    let mark = words.understood();
    let at = match words.name(&list)? {
        Known::Leader(l) => g.chief(l).spot.hex(),
        Known::Unit(u) | Known::Tribe(u) => g.hex(u),
    };
    let Some(at) = at else { return Err(words.fail_from(mark, "he is not on the map")) };
    words.skip(&["to", "in", "along"]);
    let mut hexes = Vec::new();
    while let Some(hex) = try_hex(words, g)? {
        hexes.push(hex);
    }
    if hexes.is_empty() {
        return Err(words.fail("the hexes of the line: line henry 3014 3114 3214"));
    }
    let dismount = words.eat("dismount");
    let fit = |u: &UnitId| !g.class(*u).is_holder() && movement::barred(g, Mover::Unit(*u)).is_ok();
    let units: Vec<UnitId> = g.of_side(at, side).filter(fit).collect();
    let mut moves = Vec::new();
    let mut short: Vec<String> = Vec::new();
    // If there are more units than hexes, the hexes are used in rotation.
    for (i, &u) in units.iter().enumerate() {
        let to = hexes[i % hexes.len()];
        let gets_down = dismount && g.unit(u).mode == Mode::Mounted;
        if let Some(why) = out_of_reach(g, u, to, gets_down, &hexes) {
            short.push(why);
            continue;
        }
        let mut acts = Vec::new();
        let mut from = Some(at);
        go(words, g, Mover::Unit(u), &mut acts, &mut from, g.unit(u).mode == Mode::Mounted, to, true)?;
        if gets_down {
            acts.push(Act::Dismount {});
        }
        if !acts.is_empty() {
            moves.push(Going { who: vec![g.name(u)], acts });
        }
    }
    let order = Order::Move { moves };
    let Order::Move { moves } = &order else { return Ok(order) };
    if !short.is_empty() {
        // If any unit cannot go, nothing moves.
        let others = said(&order, g).filter(|_| !moves.is_empty()).map(|said| format!("; the others go with `{said}`"));
        let others = others.unwrap_or_default().to_lowercase();
        return Err(words.fail_from(mark, format!("nobody moves: {}{others}", short.join(", "))));
    }
    if moves.is_empty() { Err(words.fail_from(mark, "nobody there has to move")) } else { Ok(order) }
}
