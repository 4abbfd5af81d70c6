//! Entry of the Indians in turn 1 (18.1).

use super::{
    State,
    components::{Class, LeaderId, Side, UnitId},
    movement::{self, Mover, terrain_cost},
    order::{Act, Going, Order},
    state::{Mode, Spot},
    zoc,
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// The edges where Indians enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    North,
    West,
    East,
}

/// Returns the entry edge of a hex; a corner counts as the north, where any unit may enter.
pub fn edge(g: &State, hex: Hex) -> Option<Entry> {
    let [north, west, east] = &g.charts.entries;
    [(north, Entry::North), (west, Entry::West), (east, Entry::East)]
        .into_iter()
        .find(|(hexes, _)| hexes.contains(&hex))
        .map(|(_, entry)| entry)
}

/// Returns the units that entered by an edge this turn, including those that have moved on. Entries
/// are not recorded separately but derived from the first hex of each unit.
fn come_by(g: &State, entry: Entry) -> impl Iterator<Item = UnitId> + '_ {
    g.c.unit_ids().filter(move |&u| g.class(u) == Class::Warrior && came(g, u) == Some(entry))
}

/// Returns the edge by which a warrior unit entered.
fn came(g: &State, u: UnitId) -> Option<Entry> {
    g.unit(u).did.from.filter(|_| g.turn == 1 && g.unit(u).spot != Spot::Waiting).and_then(|hex| edge(g, hex))
}

/// Checks the limits of an edge: one Hunkpapa or Oglala unit in the east, and in the west two
/// tribes other than those and the Cheyenne (18.1).
fn may_come(g: &State, u: UnitId, entry: Entry) -> Result<(), Refusal> {
    let tribe = |u: UnitId| &*g.c[u].tribe;
    match entry {
        Entry::North => Ok(()),
        Entry::East if come_by(g, Entry::East).next().is_some() || !matches!(tribe(u), "Hunkpapa" | "Oglala") => {
            refuse("18.1", "In the east one unit of the Hunkpapa or Oglala may enter.")
        }
        Entry::East => Ok(()),
        Entry::West => {
            let mut tribes: Vec<&str> = come_by(g, Entry::West).map(tribe).collect();
            tribes.push(tribe(u));
            tribes.sort_unstable();
            tribes.dedup();
            let closed = matches!(tribe(u), "Hunkpapa" | "Oglala" | "Cheyenne");
            if closed || tribes.len() > 2 {
                return refuse("18.1", "In the west two tribes may enter, not the Hunkpapa, Oglala or Cheyenne.");
            }
            Ok(())
        }
    }
}

/// Brings a unit on at an edge hex, for the MPs of its terrain, or a Leader with a unit that has come
/// there (18.1).
pub fn enter(g: &mut State, mover: Mover, id: &str) -> Result<(), Refusal> {
    if g.turn != 1 || mover.side(g) != Side::Indian {
        return refuse("18.1", "Units enter in turn 1.");
    }
    let place = g.charts.grid.hex(id).and_then(|hex| Some((hex, edge(g, hex)?)));
    let Some((hex, entry)) = place else {
        return refuse("18.1", format!("{id} is not where Indians enter: the north edge, 1100 to 1106, 4700 to 4714."));
    };
    if g.holds(hex, Side::Us) {
        return refuse("7.C", format!("An enemy unit is in {id}."));
    }
    let cost = terrain_cost(g, hex, mover.gait(g));
    match mover {
        Mover::Unit(u) if g.class(u) == Class::Warrior => {
            may_come(g, u, entry)?;
            let on_foot = g.unit(u).mode != Mode::Mounted;
            let all = movement::allowance(g, u, g.unit(u).mode);
            g.put(u, Spot::On(hex));
            let did = &mut g.unit_mut(u).did;
            (did.spent, did.from) = (cost.min(all), Some(hex));
            if on_foot {
                with_ponies(g, u, hex);
            }
        }
        Mover::Unit(u) => return refuse("18.1", format!("{} comes with its unit.", g.name(u))),
        Mover::Leader(l) if !g.of_side(hex, Side::Indian).any(|u| g.class(u) == Class::Warrior) => {
            return refuse("18.1", format!("{} comes with a unit, and none is in {id}.", g.c[l].id));
        }
        Mover::Leader(l) => {
            let chief = g.chief_mut(l);
            (chief.spot, chief.spent) = (Spot::On(hex), cost);
        }
    }
    Ok(())
}

/// Returns the hex of the north edge closest to the enemy.
pub fn middle(g: &State) -> Vec<Hex> {
    let north = &g.charts.entries[0];
    let enemies: Vec<Hex> = g.on_map(Side::Us).filter_map(|u| g.hex(u)).collect();
    let near = north.iter().copied().min_by_key(|&hex| (g.charts.grid.nearest(hex, enemies.iter().copied()), hex));
    near.into_iter().collect()
}

/// Returns an order that brings on as much of the first waiting tribe as fits in that hex.
pub fn example(g: &State) -> Option<Order> {
    let waits = waiting(g);
    let &first = waits.iter().find(|&&u| g.class(u) == Class::Warrior)?;
    let hex = *middle(g).first()?;
    let mut after = g.clone();
    let mut who = Vec::new();
    for &u in waits.iter().filter(|&&u| g.c[u].tribe == g.c[first].tribe) {
        if !zoc::fits(&after, hex, u) || enter(&mut after, Mover::Unit(u), &g.id(hex)).is_err() {
            break;
        }
        who.push(g.name(u));
    }
    let going = Going { who, acts: vec![Act::Go { hex: g.id(hex) }] };
    (!going.who.is_empty()).then(|| Order::Move { moves: vec![going] })
}

/// Places the Pony Holder of a unit that enters on foot.
fn with_ponies(g: &mut State, u: UnitId, hex: Hex) {
    if let Some(h) = g.charts.helper[u.index()] {
        g.put(h, Spot::On(hex));
    }
}

/// Returns the Indian units that have not entered.
pub fn waiting(g: &State) -> Vec<UnitId> {
    g.c.unit_ids().filter(|&u| g.unit(u).spot == Spot::Waiting && g.side(u) == Side::Indian).collect()
}

/// Returns the Indian Leaders who have not entered.
pub fn waiting_leaders(g: &State) -> Vec<LeaderId> {
    g.c.leader_ids().filter(|&l| g.chief(l).spot == Spot::Waiting && g.c[l].side == Side::Indian).collect()
}

/// Brings on all Indian units that were not ordered to enter, by the north edge, from its middle
/// outward (18.1).
pub fn rest(g: &mut State) -> Vec<UnitId> {
    let mut hexes = g.charts.entries[0].clone();
    let middle = hexes.len() / 2;
    let place = |hex: &Hex| g.charts.grid.column(*hex);
    let center = hexes.get(middle).map_or(0, place);
    hexes.sort_by_key(|hex| (place(hex).abs_diff(center), place(hex)));
    let come = waiting(g);
    for &u in &come {
        let hex = hexes.iter().copied().find(|&hex| !g.holds(hex, Side::Us) && zoc::fits(g, hex, u));
        if let Some(hex) = hex {
            let id = g.id(hex);
            // Cannot fail: the hex is on the edge, has room, and holds no enemy.
            let _ = movement::act(g, Mover::Unit(u), &Act::Go { hex: id });
        }
    }
    for l in waiting_leaders(g) {
        let with = come.first().copied().or_else(|| g.on_map(Side::Indian).find(|&u| g.class(u) == Class::Warrior));
        if let Some((u, hex)) = with.and_then(|u| Some((u, g.hex(u)?))) {
            let chief = g.chief_mut(l);
            (chief.spot, chief.with) = (Spot::On(hex), Some(u));
        }
    }
    come
}
