//! The places that cubes may enter, and movement (4.4, 11): spots in reach, the railroad,
//! influenced movement of allies.

use super::{
    T,
    components::{Components, Faction, Kind, RegionId, Spot},
    state::{Cubes, State, goes, tell_cubes},
};
use postrider_table::{Refusal, refuse};

/// The moves that a card or disc gives to a faction.
#[derive(Clone, Debug)]
pub struct March {
    pub active: Faction,
    /// Number of groups that may still be moved.
    pub groups: u8,
    /// Number of regions that a group may move.
    pub moves: u8,
    /// `true` if one group from each box may go by railroad, as with Engagement and Migration cards
    /// (11.1).
    pub rail: bool,
    /// `true` if a group move may be spent to empty the Casualty Box (11.4).
    pub recover: bool,
    /// `true` if groups may start only in regions that the faction controls or areas next to the
    /// map, as with the Purple disc (6.4, 10.4).
    pub controlled: bool,
    /// Spots whose group has begun to move. More of its cubes can go without another group move.
    pub begun: Vec<Spot>,
    /// Groups with allies that can still move on as part of the same group move.
    pub under_way: Vec<UnderWay>,
    /// Boxes whose group has gone by railroad.
    pub railed: Vec<Spot>,
    /// The start of the group that moves by Pony Express.
    pub pony: Option<Spot>,
}

/// A group with allies that has not used up its range. It may leave some of them here and move on
/// (11.0).
#[derive(Clone, PartialEq, Debug)]
pub struct UnderWay {
    /// The spot where the group started.
    pub start: Spot,
    pub at: Spot,
    pub cubes: Cubes,
    /// Number of regions that the group has moved so far.
    pub gone: u8,
}

/// Number of regions that a Pony Express group may move.
pub const PONY_MOVES: u8 = 3;

impl March {
    pub fn new(active: Faction, groups: u8, moves: u8) -> March {
        March {
            active,
            groups,
            moves,
            rail: false,
            recover: false,
            controlled: false,
            begun: Vec::new(),
            under_way: Vec::new(),
            railed: Vec::new(),
            pony: None,
        }
    }
    fn by_card(active: Faction, groups: u8, moves: u8) -> March {
        let rail = matches!(active, Faction::Cavalry | Faction::Settlers);
        March { rail, recover: true, ..March::new(active, groups, moves) }
    }
    /// Returns the march of a movement card (9.1).
    pub fn of_card(active: Faction, groups: u8, moves: u8) -> March {
        March::by_card(active, groups, moves)
    }
    /// Returns the number of regions that cubes from a spot may move now.
    pub fn range(&self, g: &State, from: Spot) -> u8 {
        if self.pony == Some(from) || (g.fx.pony && self.active == Faction::Settlers) {
            self.moves.max(PONY_MOVES)
        } else {
            self.moves
        }
    }
    /// Returns `true` if a group may move from a spot: it has begun, or a group move is left (11).
    pub fn may_move_from(&self, from: Spot) -> bool {
        self.groups > 0 || self.begun.contains(&from)
    }
    /// Returns `true` if a group may start at a spot at all (6.4, 10.4).
    pub fn may_activate(&self, g: &State, from: Spot) -> bool {
        let has_begun = self.begun.contains(&from);
        !self.controlled || has_begun || from.region().is_none_or(|r| g.is_purple_controlled(r))
    }
    /// Returns the number of regions that a group under way can still move.
    pub fn left(&self, g: &State, group: &UnderWay) -> u8 {
        self.range(g, group.start).saturating_sub(group.gone)
    }
    /// Returns the index of the group under way that contains these cubes, if they can still reach
    /// the spot.
    pub fn goes_on(&self, g: &State, from: Spot, to: Spot, cubes: &Cubes) -> Option<usize> {
        self.under_way.iter().position(|group| {
            let part = group.at == from && group.cubes.has(cubes);
            part && distance(g, self.active, from, to, cubes, self.left(g, group)).is_some()
        })
    }
}

/// Returns `true` if cubes of a faction may be at a spot (4.4, 6.1 to 6.5, 15.3, 15.4).
pub fn may_stand(g: &State, faction: Faction, spot: Spot) -> bool {
    let Spot::Region(r) = spot else {
        return match spot {
            Spot::Canada => matches!(faction, Faction::Npt | Faction::Enemies),
            Spot::Mexico => matches!(faction, Faction::Spt | Faction::Enemies),
            Spot::Rockies => faction != Faction::Railroad,
            _ => matches!(faction, Faction::Cavalry | Faction::Settlers),
        };
    };
    let region = &g.c[r];
    match faction {
        Faction::Npt => region.kind != Kind::PurpleSouth,
        Faction::Spt => region.kind != Kind::PurpleNorth,
        Faction::Cavalry => true,
        Faction::Settlers => !region.kind.is_purple() || g.variant.players > 2,
        Faction::Enemies => region.kind.is_purple() || region.adjacent.iter().any(|&b| g.c[b].kind.is_purple()),
        Faction::Wagons | Faction::Railroad => false,
    }
}

/// Returns `true` if a cube of a faction may move from one spot to the next (4.4, 6.3, 11.3). No
/// cube moves into St. Louis or Sacramento.
pub fn may_step(g: &State, faction: Faction, from: Spot, to: Spot) -> bool {
    let joined = match (from, to) {
        (Spot::Region(a), Spot::Region(b)) => g.c[a].adjacent.contains(&b),
        (Spot::StLouis, Spot::Region(b)) => g.c[b].st_louis,
        (Spot::Region(r), beside @ (Spot::Canada | Spot::Mexico | Spot::Rockies))
        | (beside @ (Spot::Canada | Spot::Mexico | Spot::Rockies), Spot::Region(r)) => {
            g.c[r].arrows.contains(&(beside, faction))
        }
        _ => false,
    };
    joined && may_stand(g, faction, to)
}

/// Returns, for each spot, those to which some faction can step; both in the order of
/// [`Components::spots`].
pub fn near(c: &Components) -> Vec<Vec<Spot>> {
    let leads = |from: Spot, to: Spot| match (from, to) {
        (Spot::Region(a), Spot::Region(b)) => c[a].adjacent.contains(&b),
        (Spot::StLouis, Spot::Region(b)) => c[b].st_louis,
        (Spot::Region(r), beside) | (beside, Spot::Region(r)) => c[r].arrows.iter().any(|arrow| arrow.0 == beside),
        _ => false,
    };
    c.spots().map(|from| c.spots().filter(|&to| leads(from, to)).collect()).collect()
}

/// Returns the spots that cubes can reach together within `moves` steps (11). An enemy or contested
/// region ends the path.
pub fn reach(g: &State, active: Faction, from: Spot, cubes: &Cubes, moves: u8) -> Vec<Spot> {
    let factions: Vec<Faction> = cubes.each().map(|(f, _)| f).collect();
    let mut seen = vec![from];
    let mut edge = vec![from];
    for _ in 0..moves {
        let mut next = Vec::new();
        for &spot in &edge {
            if spot != from && g.stops(spot, active.is_indian()) {
                continue;
            }
            for &to in g.near(spot) {
                if !seen.contains(&to) && factions.iter().all(|&f| may_step(g, f, spot, to)) {
                    seen.push(to);
                    next.push(to);
                }
            }
        }
        edge = next;
    }
    seen.remove(0);
    seen
}

/// Returns the minimum number of steps, up to `most`, in which cubes reach a spot together.
pub fn distance(g: &State, active: Faction, from: Spot, to: Spot, cubes: &Cubes, most: u8) -> Option<u8> {
    (1..=most).find(|&n| reach(g, active, from, cubes, n).contains(&to))
}

/// Returns the regions next to the filled spaces of the railroad that starts at a box (11.1).
pub fn rail_reach(g: &State, from: Spot) -> Vec<RegionId> {
    let spaces: Vec<usize> = match from {
        Spot::StLouis => (0..g.east).collect(),
        Spot::Sacramento if g.through_mountains() => (g.c.rail.len() - g.west..g.c.rail.len()).collect(),
        _ => Vec::new(),
    };
    let mut regions: Vec<RegionId> = spaces.iter().flat_map(|&s| g.c.rail[s].regions.clone()).collect();
    regions.sort();
    regions.dedup();
    regions
}

/// Checks the number of allies in a group (11.2.1): two Brown or one Purple with each Blue, one
/// Blue with two Brown or two Purple, one Indian cube with two of the other Plains Tribes. Only
/// cubes of the same player.
pub fn influence(g: &State, active: Faction, cubes: &Cubes) -> Result<(), Refusal> {
    let own = cubes[active];
    let mut wanted = 0;
    for (f, n) in cubes.each().filter(|&(f, _)| f != active) {
        if g.owner(f) != g.owner(active) {
            return refuse("11.2", format!("{} cubes are not yours to move.", f.cubes()));
        }
        wanted += match (active, f) {
            (Faction::Cavalry, Faction::Settlers) => n.div_ceil(2),
            (Faction::Cavalry, Faction::Enemies) => n,
            (Faction::Settlers | Faction::Enemies, Faction::Cavalry)
            | (Faction::Npt, Faction::Spt)
            | (Faction::Spt, Faction::Npt) => n.saturating_mul(2),
            _ => return refuse("11.2.1", format!("{} cubes do not move with {} ones.", f.cubes(), active.cubes())),
        };
    }
    if wanted > own {
        let why = format!("{own} {} cubes cannot take {} along.", active.cubes(), allies(active, cubes));
        return refuse("11.2.1", format!("{why} {}.", ratios(active)));
    }
    Ok(())
}

fn allies(active: Faction, cubes: &Cubes) -> String {
    let mut others = *cubes;
    others[active] = 0;
    tell_cubes(&others)
}

/// Returns the factions that can accompany a faction (11.2.1).
pub fn allies_of(active: Faction) -> &'static [Faction] {
    match active {
        Faction::Cavalry => &[Faction::Settlers, Faction::Enemies],
        Faction::Settlers | Faction::Enemies => &[Faction::Cavalry],
        Faction::Npt => &[Faction::Spt],
        _ => &[Faction::Npt],
    }
}

pub fn ratios(active: Faction) -> &'static str {
    match active {
        Faction::Cavalry => "Each Blue takes two Brown or one Purple",
        Faction::Settlers => "Two Brown take one Blue",
        Faction::Enemies => "Two Purple take one Blue",
        Faction::Npt => "Two Green take one Orange",
        _ => "Two Orange take one Green",
    }
}

/// Returns all cubes of the active faction, alone and with the maximum number of each possible ally
/// (11.2.1).
pub fn whole_groups(g: &State, active: Faction, fresh: &Cubes) -> Vec<Cubes> {
    let own = fresh[active];
    if own == 0 {
        return Vec::new();
    }
    let mut groups = vec![Cubes::of(active, own)];
    let allies: &[(Faction, u8)] = match active {
        Faction::Cavalry => &[(Faction::Settlers, own.saturating_mul(2)), (Faction::Enemies, own)],
        Faction::Settlers | Faction::Enemies => &[(Faction::Cavalry, own / 2)],
        Faction::Npt => &[(Faction::Spt, own / 2)],
        _ => &[(Faction::Npt, own / 2)],
    };
    for &(ally, most) in allies {
        let n = fresh[ally].min(most);
        if n > 0 && g.owner(ally) == g.owner(active) {
            let mut cubes = Cubes::of(active, own);
            cubes[ally] = n;
            groups.push(cubes);
        }
    }
    groups
}

/// One step of a march.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    Move { from: Spot, to: Spot, cubes: Cubes },
    Rail { from: Spot, to: Spot, cubes: Cubes },
    Stay(RegionId),
    Recover,
    Done,
}

/// Returns casualties to the Ready Box (11.4).
pub fn recover(t: &T, g: &mut State, faction: Faction) {
    let n = std::mem::take(&mut g.casualties[faction]);
    g.ready[faction] += n;
    t.tell(|| format!("{n} {} {} from the Casualty Box back to the Ready Box.", faction.cubes(), goes(n)));
}

/// Returns `true` if a side has enemies in a region (12). For Indians these include Wagons, except
/// those that are spared (12.1.2.1).
pub fn has_enemies(g: &State, r: RegionId, indian: bool) -> bool {
    let cubes = g.region(r);
    if indian { cubes.us() + g.targets(r) > 0 } else { cubes.indian() > 0 }
}

/// Records the factions of a group that has arrived at a spot (11.2.2).
pub fn join(g: &mut State, active: Faction, to: Spot, cubes: &Cubes) {
    let Spot::Region(r) = to else { return };
    g.together.extend(cubes.each().filter(|&(f, _)| f != active).map(|(ally, _)| (r, [active, ally])));
}

/// Starts an engagement if cubes have moved to a spot with enemies (12).
pub fn arrive(g: &mut State, active: Faction, to: Spot) {
    let Spot::Region(r) = to else { return };
    if has_enemies(g, r, active.is_indian()) {
        contest(g, r);
    }
}

/// Starts an engagement if cubes have been placed at a spot with enemies. Wagons alone do not cause
/// one (4.3, 12.0).
pub fn settle(g: &mut State, faction: Faction, to: Spot) {
    let Spot::Region(r) = to else { return };
    if g.region(r).us() > 0 || !faction.is_indian() {
        arrive(g, faction, to);
    }
}

/// Adds a region to those with waiting engagements.
pub fn contest(g: &mut State, r: RegionId) {
    if !g.contested.contains(&r) {
        g.contested.push(r);
    }
}
