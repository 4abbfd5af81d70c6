//! The view of a seat, and the result of a game. All information is open.

use super::{
    ammo,
    components::{Class, Ground, LeaderId, Side, UnitId},
    doctrine::About,
    leaders, naming,
    state::{Mode, Spot, State, Wound},
};
use postrider_table::{Counted, Figure, Outcome, Seat, Standing, hex::Hex, joined, rows};
use serde_json::{Value, json};

/// Characters between adjacent columns of the text map. A row of hexes takes two lines, each with
/// every other column, so a hex is twice as wide.
const STEP: usize = 4;
/// Characters before the first column.
const MARGIN: usize = 3;
/// Columns of a window; with seven characters in the last one, a line has at most 76.
const COLUMNS: usize = 17;
/// Rows of the window in a letter without the whole position.
const ROWS: usize = 5;
/// Maximum number of characters in a line.
const WIDTH: usize = 76;
/// Distance at which enemies may meet in this turn.
const CONTACT: u16 = 3;
/// Maximum number of lines that list the pieces in the small window; the whole position lists all.
const LISTED: usize = 7;

/// Returns the view, which is the same for every seat except for `you`.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let scenario = &g.c.scenarios[g.scenario];
    let seats = Side::ALL.map(|side| {
        json!({
            "seat": g.seat(side).to_string(), "side": side.word(), "part": side.name(), "vps": g.vps[side.index()],
            "lost": g.losses[side.index()], "standing": standing(g, side),
        })
    });
    let stacks = stacks(g);
    let view = json!({
        "scenario": scenario.name, "turn": g.turn, "turns": g.c.n(super::components::Num::Turns), "clock": g.clock(),
        "phase": g.phase.name(), "phasing": g.phasing.of(), "vps": g.vps, "losses": g.losses, "seats": seats,
        "stacks": rows(stacks.iter().map(|stack| told(g, stack))), "formations": formations(g, &stacks),
        "windows": windows(g, &stacks), "focus": focus(g, &stacks), "leaders": heads(g),
        "objectives": objectives(g), "ammo": g.ammo_points, "trains": trains(g), "works": works(g),
        "waiting": names(g, Spot::Waiting), "gone": names(g, Spot::Off), "dead": names(g, Spot::Dead),
        "eagle": !g.eagle_free, "finished": g.ending.is_some(),
    });
    joined(view, seat.map_or(json!({}), |seat| json!({ "you": seat.to_string() })))
}

/// Returns the doctrines of a side in words.
fn standing(g: &State, side: Side) -> Vec<Value> {
    let doctrine = &g.doctrine[side.index()];
    About::ALL
        .into_iter()
        .map(|about| json!({ "about": about.word().replace('-', " "), "how": doctrine.said(about, &g.charts.grid) }))
        .collect()
}

/// The pieces in a hex, with their letter on the text map.
struct Stack {
    hex: Hex,
    side: Side,
    letter: char,
}

/// Returns all occupied hexes, the US first, with letters in order of hexes.
fn stacks(g: &State) -> Vec<Stack> {
    let letters = ('a'..='z').chain('A'..='Z').chain(std::iter::repeat('*'));
    let side_of = |hex: Hex| {
        let unit = g.here(hex).next().map(|u| g.side(u));
        unit.or_else(|| g.leaders_in(hex).next().map(|l| g.c[l].side))
    };
    let of =
        |side: Side| g.charts.grid.hexes().filter(move |&hex| side_of(hex) == Some(side)).map(move |hex| (hex, side));
    let all: Vec<(Hex, Side)> = Side::ALL.into_iter().flat_map(of).collect();
    all.into_iter().zip(letters).map(|((hex, side), letter)| Stack { hex, side, letter }).collect()
}

/// Returns the state of a unit in words: `6 mounted, Disrupted`.
fn state(g: &State, u: UnitId) -> String {
    let unit = g.unit(u);
    let class = g.class(u);
    let mut words = Vec::new();
    let ammo = ammo::counted(g, u).then(|| format!("{} boxes", f64::from(ammo::left(g, u)) / 2.0));
    let mounted = if unit.mode == Mode::Mounted && class != Class::Hq { " mounted" } else { "" };
    if !class.is_holder() {
        words.push(format!("{}{mounted}", g.cf(u)));
    }
    let marks: [(&str, bool); 8] = [
        ("Prone", unit.mode == Mode::Prone),
        ("in Breastworks", unit.works),
        ("Disrupted", unit.disrupted),
        ("Pinned", unit.pinned),
        ("Routed", unit.routed),
        ("Low Ammo", unit.low_ammo),
        ("without mounts", unit.mountless),
        ("abandoned", unit.abandoned),
    ];
    words.extend(marks.into_iter().filter(|(_, holds)| *holds).map(|(word, _)| word.to_owned()));
    words.extend(ammo);
    words.join(", ")
}

/// Returns a unit with its id and state: `Lawson (3A) 6 mounted, Disrupted`.
fn unit(g: &State, u: UnitId) -> String {
    format!("{} {}", g.called(u), state(g, u)).trim_end().to_owned()
}

/// Returns units with their states, grouped by state: `Dewees (2A), Wells (2E): each 5`.
fn together(g: &State, units: &[UnitId]) -> Vec<String> {
    let mut groups: Vec<(String, Vec<UnitId>)> = Vec::new();
    for &u in units {
        let state = state(g, u);
        match groups.iter_mut().find(|known| known.0 == state) {
            Some(known) => known.1.push(u),
            None => groups.push((state, vec![u])),
        }
    }
    let said = |(state, units): (String, Vec<UnitId>)| {
        let each = if units.len() > 1 { ": each" } else { "" };
        let names: Vec<String> = units.iter().map(|&u| g.called(u)).collect();
        format!("{}{each} {state}", names.join(", ")).trim_end().to_owned()
    };
    groups.into_iter().map(said).collect()
}

/// Returns the Leaders in a hex, each with the unit to which he is attached if there are several
/// units.
fn heads_in(g: &State, hex: Hex) -> Vec<String> {
    let units = g.here(hex).filter(|&u| !g.class(u).is_holder()).count();
    // A Leader recovers from being Pinned independently of his unit (13.B).
    let pinned = |l: LeaderId| {
        let with = g.chief(l).with.is_some_and(|u| g.unit(u).pinned);
        match (g.chief(l).pinned, with) {
            (true, false) => " (Pinned)",
            (false, true) => " (not Pinned)",
            _ => "",
        }
    };
    let heads = g.leaders_in(hex).map(|l| match g.chief(l).with.filter(|_| units > 1) {
        Some(u) => format!("{} with {}{}", g.c[l].id, g.short(u), pinned(l)),
        None => format!("{}{}", g.c[l].id, pinned(l)),
    });
    heads.collect()
}

/// Returns the Holders in a hex by class: `Horse Holders (2AH 2BH)`; those without mounts are
/// listed singly.
fn holders_in(g: &State, hex: Hex) -> Vec<String> {
    let holders: Vec<UnitId> = g.here(hex).filter(|&u| g.class(u).is_holder()).collect();
    let is_plain = |u: UnitId| state(g, u).is_empty();
    let mut said: Vec<String> = Vec::new();
    for class in Class::ALL.into_iter().filter(|class| class.is_holder()) {
        let of: Vec<&str> =
            holders.iter().filter(|&&u| g.class(u) == class && is_plain(u)).map(|&u| &*g.c[u].id).collect();
        if !of.is_empty() {
            said.push(format!("{}{} ({})", class.name(), if of.len() > 1 { "s" } else { "" }, of.join(" ")));
        }
    }
    said.extend(holders.iter().filter(|&&u| !is_plain(u)).map(|&u| unit(g, u)));
    said
}

fn told(g: &State, stack: &Stack) -> Value {
    let units: Vec<UnitId> = g.here(stack.hex).filter(|&u| !g.class(u).is_holder()).collect();
    let (ground, level) = (g.ground(stack.hex), g.charts.level[stack.hex]);
    let cf: u32 = units.iter().map(|&u| u32::from(g.cf(u))).sum();
    json!({
        "letter": stack.letter.to_string(), "hex": g.id(stack.hex), "side": stack.side.word(),
        "units": units.iter().map(|&u| unit(g, u)).collect::<Vec<_>>(), "who": together(g, &units),
        "holders": holders_in(g, stack.hex), "leaders": heads_in(g, stack.hex), "level": level, "ground": ground.name(),
        "points": g.stacked(stack.hex), "cf": cf,
    })
}

/// Returns the places of all units on the map, by formation.
fn formations(g: &State, stacks: &[Stack]) -> Vec<Value> {
    let of_side = |side: Side| {
        naming::formations(g, side).into_iter().filter_map(move |(name, units)| {
            let here: Vec<Value> = stacks
                .iter()
                .filter_map(|stack| {
                    let some: Vec<UnitId> = units.iter().copied().filter(|&u| g.hex(u) == Some(stack.hex)).collect();
                    let letter = stack.letter.to_string();
                    (!some.is_empty())
                        .then(|| json!({ "letter": letter, "hex": g.id(stack.hex), "who": together(g, &some) }))
                })
                .collect();
            (!here.is_empty()).then(|| json!({ "name": name, "side": side.word(), "here": here }))
        })
    };
    Side::ALL.into_iter().flat_map(of_side).collect()
}

/// Returns the stacks close enough to enemies to meet them this turn, or else the closest ones.
fn in_contact<'s>(g: &State, stacks: &'s [Stack]) -> Vec<&'s Stack> {
    let of = |side: Side| stacks.iter().filter(move |stack| stack.side == side);
    let far = |stack: &Stack| g.charts.grid.nearest(stack.hex, of(stack.side.enemy()).map(|other| other.hex));
    let nearest = stacks.iter().filter_map(far).min().unwrap_or(0).max(CONTACT);
    stacks.iter().filter(|stack| far(stack).is_some_and(|far| far <= nearest)).collect()
}

/// Returns the corner of the small window, as column and row from 0, that contains most of these
/// hexes and is best centred on them.
fn corner(g: &State, hexes: &[Hex]) -> (usize, usize) {
    let (wide, high) = g.charts.grid.size();
    let (wide, high) = (usize::from(wide), usize::from(high));
    let place = |hex: &Hex| (usize::from(hex.0) / high, usize::from(hex.0) % high);
    let near: Vec<(usize, usize)> = hexes.iter().map(place).collect();
    let (across, down) = (wide.min(COLUMNS), high.min(ROWS));
    let corners = (0..=wide - across).flat_map(|left| (0..=high - down).map(move |top| (left, top)));
    let inside = |&(left, top): &(usize, usize)| {
        let is_in =
            |(column, row): &&(usize, usize)| (left..left + across).contains(column) && (top..top + down).contains(row);
        near.iter().filter(is_in).count()
    };
    let off = |&(left, top): &(usize, usize)| -> usize {
        near.iter().map(|(column, row)| (left + across / 2).abs_diff(*column) + (top + down / 2).abs_diff(*row)).sum()
    };
    corners.max_by_key(|corner| (inside(corner), std::cmp::Reverse(off(corner)))).unwrap_or_default()
}

/// Returns a small window of the map around these hexes and the pieces in them, in lines of at most
/// 76 characters, for a question about them. Empty without hexes.
pub fn around(g: &State, hexes: &[Hex]) -> Vec<String> {
    if hexes.is_empty() {
        return Vec::new();
    }
    let stacks = stacks(g);
    let (wide, high) = g.charts.grid.size();
    let (across, down) = (usize::from(wide).min(COLUMNS), usize::from(high).min(ROWS));
    let (left, top) = corner(g, hexes);
    let mut lines = window(g, &stacks, (left, left + across - 1), (top, top + down - 1));
    lines.push(String::new());
    let shown = |stack: &&Stack| {
        let (column, row) = (usize::from(stack.hex.0 / high), usize::from(stack.hex.0 % high));
        (left..left + across).contains(&column) && (top..top + down).contains(&row) && hexes.contains(&stack.hex)
    };
    let mut shown: Vec<&Stack> = stacks.iter().filter(shown).collect();
    // Stacks closest to an enemy come first.
    let far = |stack: &Stack| {
        let enemies = stacks.iter().filter(|other| other.side != stack.side);
        g.charts.grid.nearest(stack.hex, enemies.map(|other| other.hex))
    };
    shown.sort_by_key(|stack| far(stack).unwrap_or(u16::MAX));
    let (mut said, mut left): (Vec<(char, Vec<String>)>, usize) = (Vec::new(), 0);
    for stack in shown {
        let rows = listed(g, stack);
        if left > 0 || said.iter().map(|(_, rows)| rows.len()).sum::<usize>() + rows.len() > LISTED {
            left += 1;
        } else {
            said.push((stack.letter, rows));
        }
    }
    said.sort_by_key(|(letter, _)| (letter.is_ascii_uppercase(), *letter));
    lines.extend(said.into_iter().flat_map(|(_, rows)| rows));
    if left > 0 {
        lines.push(format!("... and {left} more: `status` has all."));
    }
    lines
}

/// Returns the small window around the stacks in contact; empty if a side is not on the map.
pub fn contact(g: &State) -> Vec<String> {
    let hexes: Vec<Hex> = in_contact(g, &stacks(g)).into_iter().map(|stack| stack.hex).collect();
    around(g, &hexes)
}

/// Returns a stack in lines of at most 76 characters: `c 2707 US Mills; Lawson (3A) 5`.
fn listed(g: &State, stack: &Stack) -> Vec<String> {
    let units: Vec<UnitId> = g.here(stack.hex).filter(|&u| !g.class(u).is_holder()).collect();
    let mut parts = heads_in(g, stack.hex);
    parts.extend(together(g, &units));
    if units.is_empty() {
        parts.extend(holders_in(g, stack.hex));
    }
    let side = if stack.side == Side::Us { "US  " } else { "Ind." };
    let mut line = format!("{} {} {side}", stack.letter, g.id(stack.hex));
    let mut lines = Vec::new();
    for word in parts.join("; ").split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(11)));
        }
        line += &format!(" {word}");
    }
    lines.push(line);
    lines
}

/// Returns the part of the map where the sides are closest, as a small window, and the stacks
/// there.
fn focus(g: &State, stacks: &[Stack]) -> Value {
    let near = in_contact(g, stacks);
    let hexes: Vec<Hex> = near.iter().map(|stack| stack.hex).collect();
    if hexes.is_empty() {
        return Value::Null;
    }
    let lines = around(g, &hexes);
    let stacks: Vec<Value> = near.into_iter().map(|stack| told(g, stack)).collect();
    json!({ "lines": lines, "stacks": stacks })
}

fn heads(g: &State) -> Value {
    rows(g.c.leader_ids().filter(|&l| !leaders::is_staff(g, l)).filter_map(|l| {
        let (chief, leader) = (g.chief(l), &g.c[l]);
        let at = match chief.spot {
            Spot::On(hex) => g.id(hex),
            Spot::Waiting => "to enter".to_owned(),
            Spot::Off => "off the map".to_owned(),
            Spot::Dead => "killed".to_owned(),
            Spot::Pool => return None,
        };
        let wound = if chief.wound == Wound::None { "" } else { chief.wound.name() };
        Some(json!({
            "name": leader.id, "title": leader.title, "side": leader.side.word(), "at": at, "rating": leaders::rating(g, l),
            "radius": leaders::radius(g, l), "wound": wound, "dies": chief.dies,
        }))
    }))
}

fn objectives(g: &State) -> Vec<Value> {
    use super::components::Vp;
    let rows = [Vp::CrooksHill, Vp::ConicalHill, Vp::AndrewsPoint];
    let one = |(i, row): (usize, Vp)| json!({ "name": row.name(), "hex": g.id(g.charts.objectives[i]), "vps": g.c.vp(row), "entered": g.entered[i] });
    rows.into_iter().enumerate().map(one).collect()
}

fn trains(g: &State) -> Vec<Value> {
    let all = g.c.unit_ids().filter(|&u| g.class(u) == Class::Train && g.unit(u).spot != Spot::Pool);
    all.map(|u| {
        let at = g.hex(u).map_or_else(|| "lost".to_owned(), |hex| g.id(hex));
        json!({ "name": g.called(u), "at": at, "ammo": g.unit(u).ammo, "abandoned": g.unit(u).abandoned })
    })
    .collect()
}

fn works(g: &State) -> Vec<String> {
    g.works.iter().map(|work| format!("{}{}", g.id(work.hex), if work.ready { "" } else { " (being built)" })).collect()
}

fn names(g: &State, spot: Spot) -> Vec<String> {
    let units = g.c.unit_ids().filter(|&u| g.unit(u).spot == spot && !g.class(u).is_holder()).map(|u| g.called(u));
    let heads = g.c.leader_ids().filter(|&l| g.chief(l).spot == spot).map(|l: LeaderId| g.c[l].id.clone());
    units.chain(heads).collect()
}

/// Returns the occupied parts of the map, in windows of at most 76 characters.
fn windows(g: &State, stacks: &[Stack]) -> Vec<Value> {
    let grid = &g.charts.grid;
    let (wide, high) = grid.size();
    let place = |hex: Hex| (usize::from(hex.0 / high), usize::from(hex.0 % high));
    let columns = stacks.iter().map(|stack| place(stack.hex).0);
    let rows = stacks.iter().map(|stack| place(stack.hex).1);
    let (Some(left), Some(right)) = (columns.clone().min(), columns.max()) else { return Vec::new() };
    let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
    let (top, bottom) = (top.saturating_sub(1), (bottom + 1).min(usize::from(high) - 1));
    let (left, right) = (left.saturating_sub(1), (right + 1).min(usize::from(wide) - 1));
    // Parts of equal width.
    let parts = (right - left + 1).div_ceil(COLUMNS);
    let width = (right - left + 1).div_ceil(parts);
    (0..parts)
        .map(|part| {
            let from = left + part * width;
            json!({ "lines": window(g, stacks, (from, (from + width - 1).min(right)), (top, bottom)) })
        })
        .collect()
}

/// Returns a window as text. Each row of hexes takes two lines, the upper one for the columns drawn
/// higher.
fn window(g: &State, stacks: &[Stack], columns: (usize, usize), rows: (usize, usize)) -> Vec<String> {
    let grid = &g.charts.grid;
    let line = |begin: String, cells: Vec<(usize, String)>| {
        cells.into_iter().fold(begin, |mut line, (column, text)| {
            let at = MARGIN + STEP * (column - columns.0);
            line.extend(std::iter::repeat_n(' ', at.saturating_sub(line.len())));
            line + &text
        })
    };
    let high = usize::from(grid.size().1);
    // Less than 777.
    let hex = |column: usize, row: usize| Hex((column * high + row) as u16);
    let named = (columns.0..=columns.1).map(|column| (column, format!("{:02}", grid.column(hex(column, 0))))).collect();
    let mut lines = vec![line(String::new(), named)];
    for row in rows.0..=rows.1 {
        let cells = |even: bool| {
            let of =
                (columns.0..=columns.1).filter(move |&column| grid.column(hex(column, row)).is_multiple_of(2) == even);
            of.map(|column| (column, cell(g, stacks, hex(column, row)))).collect::<Vec<_>>()
        };
        lines.push(line(format!("{:02}", grid.row(hex(0, row))), cells(true)));
        lines.push(line(String::new(), cells(false)));
    }
    lines
}

/// Returns a hex in at most seven characters: level and terrain, then side, Combat Factors and
/// letter of a stack.
fn cell(g: &State, stacks: &[Stack], hex: Hex) -> String {
    let ground = match g.ground(hex) {
        Ground::Clear => "",
        other => other.word(),
    };
    let mut cell = format!("{}{ground}", g.charts.level[hex]);
    if let Some(stack) = stacks.iter().find(|stack| stack.hex == hex) {
        let side = if stack.side == Side::Us { 'U' } else { 'I' };
        let points: u32 = g.here(hex).filter(|&u| !g.class(u).is_holder()).map(|u| u32::from(g.cf(u))).sum();
        let points = if points == 0 { String::new() } else { points.to_string() };
        cell += &format!("{side}{points}{}", stack.letter);
    }
    cell
}

/// Returns the result of the battle: the ratio of the VPs gives the level of victory and the winner
/// (17).
pub fn outcome(g: &State) -> Outcome {
    let ending = g.ending.as_ref();
    let winner = ending.and_then(|ending| ending.winner);
    let standing = |side: Side| {
        Standing::new(g.seat(side), g.vps[side.index()])
            .of(side.name())
            .with("Casualty Points taken", g.losses[side.index()])
    };
    let seats = Side::ALL.map(|side| (winner.is_some_and(|winner| winner != side), standing(side)));
    let over = ending.map_or("", |ending| ending.why);
    let level = ending.filter(|_| winner.is_some()).map(|ending| ending.level.word());
    Outcome::ranked(Counted::more("VPs"), seats, format!("{over}, and the ratio of the VPs counts (17)"))
        .at_level(level)
}

/// The figures of a balance report. A Casualty Point is ten men (2.C). In the battle 31 to 38 US
/// soldiers were killed or wounded; 13 to 36 Indians were killed, and the number of wounded is
/// unknown.
pub const FIGURES: [Figure; 7] = [
    figure("turns", "game turns", None),
    figure("vps_us", "VPs of the US", None),
    figure("vps_indian", "VPs of the Indians", None),
    figure("lost_us", "Casualty Points of the US", Some(3)),
    figure("lost_indian", "Casualty Points of the Indians", None),
    figure("hills", "hills that the US entered (17)", None),
    figure("units", "units left on the map", None),
];

const fn figure(name: &'static str, title: &'static str, history: Option<i64>) -> Figure {
    Figure { name, title, history }
}

/// Returns the statistics of a finished game.
pub fn figures(g: &State) -> Vec<(&'static str, i64)> {
    let entered = g.entered.iter().filter(|entered| **entered).count() as i64;
    let left = g.c.unit_ids().filter(|&u| g.hex(u).is_some() && g.class(u).is_combat()).count() as i64;
    vec![
        ("turns", g.turn.into()),
        ("vps_us", g.vps[0].into()),
        ("vps_indian", g.vps[1].into()),
        ("lost_us", g.losses[0].into()),
        ("lost_indian", g.losses[1].into()),
        ("hills", entered),
        ("units", left),
    ]
}

/// Returns the names of a seat's units and Leaders in the story.
pub fn pieces(g: &State, seat: Seat) -> Vec<String> {
    let units = g.c.unit_ids().filter(|&u| g.seat(g.side(u)) == seat && g.hex(u).is_some()).map(|u| g.called(u));
    let heads = g.c.leader_ids().filter(|&l| g.seat(g.c[l].side) == seat).map(|l| g.c[l].id.clone());
    units.chain(heads).collect()
}
