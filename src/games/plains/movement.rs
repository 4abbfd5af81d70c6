//! Where cubes may stand and go (4.4, 11): regions in reach, the railroad, the influence of allies.

use super::{
    T,
    components::{Components, Faction, Kind, RegionId, Spot},
    state::{Cubes, State, goes, tell_cubes},
};
use postrider_table::{Refusal, refuse};

/// What a card or a disc lets one faction do.
#[derive(Clone, Debug)]
pub struct March {
    pub active: Faction,
    /// Groups that may still be moved.
    pub groups: u8,
    /// How many regions far.
    pub moves: u8,
    /// `true` if one group of each box may go by railroad: with Engagement and Migration cards only
    /// (11.1).
    pub rail: bool,
    /// `true` if a group move may empty the Casualty Box (11.4).
    pub recover: bool,
    /// `true` if groups start only in regions that the faction controls, or next to the map: with
    /// the Purple disc (6.4, 10.4).
    pub controlled: bool,
    /// Spots whose group has begun to move: more of its cubes go without another group move.
    pub begun: Vec<Spot>,
    /// Groups with allies that can still go on, for the same group move.
    pub under_way: Vec<UnderWay>,
    /// Boxes whose group has gone by railroad.
    pub railed: Vec<Spot>,
    /// The group that moves by Pony Express.
    pub pony: Option<Spot>,
}

/// A group with allies that has not used up its range: it may drop some of them off here and go on
/// (11.0).
#[derive(Clone, PartialEq, Debug)]
pub struct UnderWay {
    /// Where the group started.
    pub start: Spot,
    pub at: Spot,
    pub cubes: Cubes,
    /// Regions that the group has moved so far.
    pub gone: u8,
}

/// How far a Pony Express group goes.
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
    /// A movement card (9.1).
    pub fn of_card(active: Faction, groups: u8, moves: u8) -> March {
        March::by_card(active, groups, moves)
    }
    /// How far cubes from this spot may go now.
    pub fn range(&self, g: &State, from: Spot) -> u8 {
        if self.pony == Some(from) || (g.fx.pony && self.active == Faction::Settlers) {
            self.moves.max(PONY_MOVES)
        } else {
            self.moves
        }
    }
    /// 11: a group that has begun may go on; a new one needs a group move.
    pub fn may_move_from(&self, from: Spot) -> bool {
        self.groups > 0 || self.begun.contains(&from)
    }
    /// 6.4, 10.4: `true` if a group may start here at all.
    pub fn may_activate(&self, g: &State, from: Spot) -> bool {
        let has_begun = self.begun.contains(&from);
        !self.controlled || has_begun || from.region().is_none_or(|r| g.is_purple_controlled(r))
    }
    /// How many regions a group under way can still move.
    pub fn left(&self, g: &State, group: &UnderWay) -> u8 {
        self.range(g, group.start).saturating_sub(group.gone)
    }
    /// The group under way of which these cubes are a part that can go on to a spot.
    pub fn goes_on(&self, g: &State, from: Spot, to: Spot, cubes: &Cubes) -> Option<usize> {
        self.under_way.iter().position(|group| {
            let part = group.at == from && group.cubes.has(cubes);
            part && distance(g, self.active, from, to, cubes, self.left(g, group)).is_some()
        })
    }
}

/// Where cubes of a faction may stand (4.4, 6.1 to 6.5, 15.3, 15.4).
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

/// `true` if a cube of a faction may go from one spot to the next (4.4, 6.3, 11.3). Nobody moves
/// into St. Louis or Sacramento.
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

/// The spots to which some faction can step: for each spot in the order of [`Components::spots`],
/// in that order too.
pub fn near(c: &Components) -> Vec<Vec<Spot>> {
    let leads = |from: Spot, to: Spot| match (from, to) {
        (Spot::Region(a), Spot::Region(b)) => c[a].adjacent.contains(&b),
        (Spot::StLouis, Spot::Region(b)) => c[b].st_louis,
        (Spot::Region(r), beside) | (beside, Spot::Region(r)) => c[r].arrows.iter().any(|arrow| arrow.0 == beside),
        _ => false,
    };
    c.spots().map(|from| c.spots().filter(|&to| leads(from, to)).collect()).collect()
}

/// Spots that cubes can reach together within so many steps; entering an enemy or contested region ends the way (11).
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

/// The fewest steps, up to `most`, in which cubes reach a spot together.
pub fn distance(g: &State, active: Faction, from: Spot, to: Spot, cubes: &Cubes, most: u8) -> Option<u8> {
    (1..=most).find(|&n| reach(g, active, from, cubes, n).contains(&to))
}

/// 11.1: regions beside the filled spaces of the railroad that starts at this box.
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

/// 11.2.1: how many cubes of allies go with cubes of the faction that moves. Two Brown or one Purple with each Blue; one Blue
/// with two Brown or two Purple; one Indian cube with two of the other Plains Tribes. Only cubes of the same player.
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

/// Who can go along with a faction (11.2.1).
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

/// All cubes of the active faction among these, alone and with the most allies that can go along (11.2.1).
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

/// 11.4.
pub fn recover(t: &T, g: &mut State, faction: Faction) {
    let n = std::mem::take(&mut g.casualties[faction]);
    g.ready[faction] += n;
    t.tell(|| format!("{n} {} {} from the Casualty Box back to the Ready Box.", faction.cubes(), goes(n)));
}

/// `true` if a side finds somebody to attack in a region (12): for Indians Wagons, too, but none
/// that is spared (12.1.2.1).
pub fn has_enemies(g: &State, r: RegionId, indian: bool) -> bool {
    let cubes = g.region(r);
    if indian { cubes.us() + g.targets(r) > 0 } else { cubes.indian() > 0 }
}

/// 11.2.2: notes the factions of a group that has come to a spot.
pub fn join(g: &mut State, active: Faction, to: Spot, cubes: &Cubes) {
    let Spot::Region(r) = to else { return };
    g.together.extend(cubes.each().filter(|&(f, _)| f != active).map(|(ally, _)| (r, [active, ally])));
}

/// Cubes have come to a spot: where enemies are there will be an engagement (12).
pub fn arrive(g: &mut State, active: Faction, to: Spot) {
    let Spot::Region(r) = to else { return };
    if has_enemies(g, r, active.is_indian()) {
        contest(g, r);
    }
}

/// Cubes have been placed in a spot: where enemies are there will be an engagement, with Wagons alone there will be none (4.3,
/// 12.0).
pub fn settle(g: &mut State, faction: Faction, to: Spot) {
    let Spot::Region(r) = to else { return };
    if g.region(r).us() > 0 || !faction.is_indian() {
        arrive(g, faction, to);
    }
}

/// An engagement waits in a region.
pub fn contest(g: &mut State, r: RegionId) {
    if !g.contested.contains(&r) {
        g.contested.push(r);
    }
}
