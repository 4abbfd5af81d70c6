//! What a seat may see, and the final ranking. All lies open.

use super::{
    ammo,
    components::{Class, Ground, LeaderId, Side, UnitId},
    doctrine::About,
    leaders,
    state::{Mode, Spot, State, Wound},
};
use crate::table::{Seat, hex::Hex, joined, rows};
use serde_json::{Value, json};

/// Characters from a column to the next. A row of hexes is two lines, of which each has every other column: a hex has twice as many.
const STEP: usize = 4;
/// Characters before the first column.
const MARGIN: usize = 3;
/// Columns of a window: 76 characters.
const COLUMNS: usize = 18;

/// What anybody may see.
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
        "phase": g.phase.name(), "phasing": g.phasing.name(), "vps": g.vps, "losses": g.losses, "seats": seats,
        "stacks": rows(stacks.iter().map(|stack| told(g, stack))), "windows": windows(g, &stacks), "leaders": heads(g),
        "objectives": objectives(g), "ammo": g.ammo_points, "trains": trains(g), "works": works(g),
        "waiting": names(g, Spot::Waiting), "gone": names(g, Spot::Off), "dead": names(g, Spot::Dead),
        "eagle": !g.eagle_free, "finished": g.ending.is_some(),
    });
    joined(view, seat.map_or(json!({}), |seat| json!({ "you": seat.to_string() })))
}

/// The standing orders of a side, each in words.
fn standing(g: &State, side: Side) -> Vec<Value> {
    let doctrine = &g.doctrine[side.index()];
    About::ALL
        .into_iter()
        .map(|about| json!({ "about": about.word().replace('-', " "), "how": doctrine.said(about, &g.charts.grid) }))
        .collect()
}

/// Who stands together, with the letter by which the map shows it.
struct Stack {
    hex: Hex,
    side: Side,
    letter: char,
}

/// All hexes with anybody, the US first; letters by hexes.
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

/// A unit and its state in a few words: `3A 6 mounted Disrupted`.
fn unit(g: &State, u: UnitId) -> String {
    let unit = g.unit(u);
    let class = g.class(u);
    let mut words = vec![g.name(u)];
    if !class.is_holder() {
        words.push(g.cf(u).to_string());
    }
    let ammo = ammo::counted(g, u).then(|| format!("{} boxes", f64::from(ammo::left(g, u)) / 2.0));
    let marks: [(&str, bool); 9] = [
        ("mounted", unit.mode == Mode::Mounted && class != Class::Hq),
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
    words.join(" ")
}

fn told(g: &State, stack: &Stack) -> Value {
    let units: Vec<String> = g.here(stack.hex).filter(|&u| !g.class(u).is_holder()).map(|u| unit(g, u)).collect();
    let holders: Vec<String> = g.here(stack.hex).filter(|&u| g.class(u).is_holder()).map(|u| unit(g, u)).collect();
    let heads: Vec<String> = g
        .leaders_in(stack.hex)
        .map(|l| match g.chief(l).with {
            Some(u) => format!("{} with {}", g.c[l].id, g.name(u)),
            None => g.c[l].id.clone(),
        })
        .collect();
    let (ground, level) = (g.ground(stack.hex), g.charts.level[stack.hex]);
    json!({
        "letter": stack.letter.to_string(), "hex": g.id(stack.hex), "side": stack.side.word(), "units": units,
        "holders": holders, "leaders": heads, "level": level, "ground": ground.name(), "points": g.stacked(stack.hex),
    })
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
        json!({ "name": g.c[u].name, "at": at, "ammo": g.unit(u).ammo, "abandoned": g.unit(u).abandoned })
    })
    .collect()
}

fn works(g: &State) -> Vec<String> {
    g.works.iter().map(|work| format!("{}{}", g.id(work.hex), if work.ready { "" } else { " (being built)" })).collect()
}

fn names(g: &State, spot: Spot) -> Vec<String> {
    let units = g.c.unit_ids().filter(|&u| g.unit(u).spot == spot && !g.class(u).is_holder()).map(|u| g.name(u));
    let heads = g.c.leader_ids().filter(|&l| g.chief(l).spot == spot).map(|l: LeaderId| g.c[l].id.clone());
    units.chain(heads).collect()
}

/// The parts of the map where anybody stands, in windows of at most 76 characters.
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

/// A window in lines: two for a row of hexes, the first with the columns that lie higher.
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
    // Below 777.
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

/// A hex in at most seven characters: level, terrain, and who stands there: side, Combat Factors, letter.
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

/// The end: who won, and how.
pub fn outcome(g: &State) -> Value {
    let ending = g.ending.as_ref();
    let winner = ending.and_then(|ending| ending.winner);
    let ranking = Side::ALL.into_iter().map(|side| {
        let rank = 1 + i32::from(winner.is_some_and(|winner| winner != side));
        json!({
            "seat": g.seat(side).to_string(), "side": side.word(), "rank": rank, "vps": g.vps[side.index()],
            "lost": g.losses[side.index()],
        })
    });
    let left = g.c.unit_ids().filter(|&u| g.hex(u).is_some() && g.class(u).is_combat()).count();
    json!({
        "ranking": rows(ranking), "winner": winner.map_or("nobody", Side::word),
        "level": ending.map_or("none", |e| e.level.word()), "why": ending.map_or("", |e| e.why), "turns": g.turn,
        "units": left,
    })
}
