//! The arrival, fall and replacement of leaders (8.5.4, 9.1, 14).

use super::{
    Ask, BloodyGround, State, T,
    asking::{Asking, Named, choose},
    components::{AreaId, LeaderId, Post, Province, Side, Stance},
    mobilization,
    state::{Chief, Spot, UnitId},
};
use postrider_table::{Candidate, NO, OneOr};
use std::borrow::Cow;

/// Returns the maximum number of militia leaders in play in a year (14.0.7).
fn militia_limit(year: u16) -> usize {
    match year {
        ..=1790 => 1,
        1791 => 2,
        _ => 3,
    }
}

/// Returns the year in which a militia leader becomes available; `None` for other leaders (14.0.7).
fn available(name: &str) -> Option<u16> {
    match name {
        "Trotter" => Some(1790),
        "Darke" => Some(1791),
        "Kenton" | "Truby" => Some(1792),
        _ => None,
    }
}

/// An entry place of a leader: an area, or off the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(pub Spot);

impl Candidate<BloodyGround> for Entry {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        self.0.area().map_or("edge".into(), |a| (&*g.c[a].id).into())
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        self.0.area().map(|a| g.c[a].name.clone()).into_iter().collect()
    }
    fn note(&self, g: &State) -> String {
        self.0.area().map_or("enters by the east edge".to_owned(), |a| g.c[a].name.clone())
    }
}

/// Returns `true` if a leader is in play.
pub fn in_play(g: &State, l: LeaderId) -> bool {
    g.chief(l).spot.is_in_play()
}

/// Returns `true` if a leader can join a unit of his side: one of his nation, state or army.
pub fn joins(g: &State, l: LeaderId, u: UnitId) -> bool {
    let leader = &g.c[l];
    match leader.kind {
        Post::Militia => g.c[g.unit(u).kind].state == leader.state && leader.state.is_some(),
        Post::Nation => g.nation_of(u) == leader.nation,
        Post::Regular => true,
        Post::British => g.class(u).is_british(),
        Post::Agent => g.nation_of(u).is_some(),
    }
}

/// Returns `true` if a replacement can take the place of a leader: they are of one nation, state, or
/// army and rank (10.5.3, 10.6.2).
pub fn replaces(g: &State, next: LeaderId, l: LeaderId) -> bool {
    let (next, leader) = (&g.c[next], &g.c[l]);
    next.replacement
        && (next.kind, next.nation, next.state) == (leader.kind, leader.nation, leader.state)
        && (leader.kind != Post::Regular || next.rank == leader.rank)
}

/// Returns the units in an area that a leader can join.
fn units_of(g: &State, l: LeaderId, a: AreaId) -> impl Iterator<Item = UnitId> + '_ {
    g.units_in(a, g.c[l].side).filter(move |&u| joins(g, l, u))
}

/// Returns `true` if a leader can join a unit in an area.
fn is_host(g: &State, l: LeaderId, a: AreaId) -> bool {
    units_of(g, l, a).next().is_some()
}

/// Returns `true` if all units that he can join are inside a fort (11.2.2).
fn are_inside(g: &State, l: LeaderId, a: AreaId) -> bool {
    is_host(g, l, a) && units_of(g, l, a).all(|u| g.unit(u).inside)
}

/// Returns `true` if all units that he can join are raiders, with whom he returns (12.0.4).
fn are_raiding(g: &State, l: LeaderId, a: AreaId) -> bool {
    is_host(g, l, a) && units_of(g, l, a).all(|u| g.unit(u).raiding)
}

/// Returns the other militia leaders of his state.
fn of_his_state(g: &State, l: LeaderId) -> impl Iterator<Item = LeaderId> + '_ {
    let of = move |o: &LeaderId| *o != l && g.c[*o].kind == Post::Militia && g.c[*o].state == g.c[l].state;
    g.c.leader_ids().filter(of)
}

/// Moves a militia leader off the map, where he waits for units (14.0.7).
pub fn wait(g: &mut State, l: LeaderId) {
    *g.chief_mut(l) = Chief { waits: true, ..Default::default() };
}

/// Returns the areas with units that a leader can join.
fn hosts(g: &State, l: LeaderId) -> Vec<AreaId> {
    g.c.area_ids().filter(|&a| is_host(g, l, a)).collect()
}

/// Places an arriving leader with his units, preferably in one of `places`. If there are none, a
/// militia leader waits (14.0.7).
pub async fn arrive(t: &T, g: &mut State, l: LeaderId, places: &[String]) {
    let militia = g.c[l].kind == Post::Militia;
    // 14.0.7: only one leader per state is in play; the others make room for a newly arrived named
    // leader.
    if militia && !g.c[l].replacement {
        let others: Vec<LeaderId> = of_his_state(g, l).filter(|&o| in_play(g, o) || g.chief(o).waits).collect();
        others.into_iter().for_each(|other| g.retire(other));
    }
    come(t, g, l, places).await;
}

/// Like [`arrive`], but no other leader makes room for him.
async fn come(t: &T, g: &mut State, l: LeaderId, places: &[String]) {
    let militia = g.c[l].kind == Post::Militia;
    let mut at: Vec<AreaId> = hosts(g, l);
    let named: Vec<AreaId> = places.iter().filter_map(|id| g.area(id)).collect();
    if !militia && !named.is_empty() {
        at = named;
    } else if at.iter().any(|a| named.contains(a)) {
        at.retain(|a| named.contains(a));
    }
    if at.is_empty() {
        if militia {
            wait(g, l);
            t.tell(|| format!("{} waits until militia of his state is on the map.", g.c[l].name));
        }
        return;
    }
    let asking = Asking { kind: Ask::MilitiaLeader, rule: "14.0.7", title: "Where a leader joins his units" };
    let name = g.c[l].name.clone();
    let seat = g.seat(g.c[l].side);
    // 8.5.2: reinforcements and their leaders may enter by the edge in the Action Phase.
    let edge = !militia && places.iter().any(|id| id == "edge");
    let mut among: Vec<Entry> = at.into_iter().map(|a| Entry(Spot::On(a))).collect();
    among.extend(edge.then_some(Entry(Spot::Edge)));
    let to = choose(t, g, seat, asking, among, move |_| format!("{name} comes.")).await.0;
    let inside = to.area().is_some_and(|a| are_inside(g, l, a));
    let raiding = to.area().is_some_and(|a| are_raiding(g, l, a));
    *g.chief_mut(l) = Chief { spot: to, inside, raiding, done: raiding, ..Default::default() };
    t.tell(|| {
        format!(
            "{} is {}.",
            g.c[l].name,
            to.area().map_or("beside the map".to_owned(), |a| format!("at {}", g.name(a)))
        )
    });
}

/// Enforces the limit of one US Army leader of rank 3 and two of rank 2 (14.0.8). The US chooses
/// which of the leaders already in play are relieved.
pub async fn limit(t: &T, g: &mut State, before: &[LeaderId]) {
    for (rank, most) in [(3, 1), (2, 2)] {
        let of = |g: &State, l: &LeaderId| {
            g.c[*l].kind == Post::Regular && g.c[*l].side == Side::Us && g.c[*l].rank == rank && in_play(g, *l)
        };
        let generals: Vec<LeaderId> = g.c.leader_ids().filter(|l| of(g, l)).collect();
        // Only earlier leaders are relieved. Replacements, who may return, are listed first.
        let mut old: Vec<LeaderId> = generals.iter().copied().filter(|l| before.contains(l)).collect();
        old.sort_by_key(|&l| (!g.c[l].replacement, l));
        let mut too_many = generals.len().saturating_sub(most);
        while too_many > 0 && !old.is_empty() {
            // If all of them must go, there is nothing to ask.
            if old.len() <= too_many {
                old.drain(..).for_each(|l| relieve(t, g, l));
                break;
            }
            too_many -= 1;
            let among = old.iter().map(|&l| {
                let note = if g.c[l].replacement { "may come again" } else { "for good" };
                Named::new(g.c[l].name.clone(), l).note(note)
            });
            let asking = Asking { kind: Ask::Removal, rule: "14.0.8", title: "Which general is relieved" };
            let seat = g.seat(Side::Us);
            let line = move |_: &State| format!("{most} of rank {rank} may be in play.");
            let l = choose(t, g, seat, asking, among.collect(), line).await.value;
            old.retain(|&other| other != l);
            relieve(t, g, l);
        }
    }
}

fn relieve(t: &T, g: &mut State, l: LeaderId) {
    g.retire(l);
    t.tell(|| format!("{} is relieved.", g.c[l].name));
}

/// Asks which of the available militia leaders enter with new militia of their states, in spring
/// (14.0.7); `old` is the militia that was there before.
pub async fn militia_leaders(t: &T, g: &mut State, old: &[UnitId]) {
    let new = |g: &State, l: LeaderId| -> Vec<String> {
        let comes = |&a: &AreaId| units_of(g, l, a).any(|u| !old.contains(&u));
        g.c.area_ids().filter(comes).map(|a| g.c[a].id.clone()).collect()
    };
    loop {
        let count = militia_leaders_out(g);
        let may = |l: &LeaderId| {
            available(&g.c[*l].name).is_some_and(|year| year <= g.year)
                && g.chief(*l).spot == Spot::Pool
                && !new(g, *l).is_empty()
        };
        let replaces = |l: LeaderId| of_his_state(g, l).any(|o| in_play(g, o));
        let fits = |l: &LeaderId| count < militia_limit(g.year) || replaces(*l);
        let among: Vec<LeaderId> = g.c.leader_ids().filter(may).filter(fits).collect();
        if among.is_empty() {
            return;
        }
        let among = OneOr::among(NO, among.into_iter().map(|l| Named::new(g.c[l].name.clone(), l)));
        let asking = Asking { kind: Ask::MilitiaLeader, rule: "14.0.7", title: "Which militia leader comes" };
        let line = |_: &State| "One leader of a state may be in play: he who was there leaves for good.".to_owned();
        match choose(t, g, g.seat(Side::Us), asking, among, line).await {
            OneOr::Word(_) => return,
            OneOr::One(chosen) => arrive(t, g, chosen.value, &new(g, chosen.value)).await,
        }
    }
}

/// Moves each militia leader without a unit of his state to another unit of it, or off the map
/// (14.0.7).
pub async fn settle_militia(t: &T, g: &mut State) {
    for l in g.c.leader_ids() {
        let Spot::On(at) = g.chief(l).spot else { continue };
        if g.c[l].kind != Post::Militia || is_host(g, l, at) {
            continue;
        }
        *g.chief_mut(l) = Chief::default();
        let name = g.c[l].name.clone();
        t.tell(|| format!("{name} has no unit of his state left."));
        come(t, g, l, &[]).await;
    }
    for l in g.c.leader_ids().filter(|&l| g.chief(l).waits).collect::<Vec<_>>() {
        let alone = !of_his_state(g, l).any(|o| in_play(g, o));
        if alone && militia_leaders_out(g) < militia_limit(g.year) && !hosts(g, l).is_empty() {
            come(t, g, l, &[]).await;
        }
    }
}

/// Returns the number of militia leaders in play.
fn militia_leaders_out(g: &State) -> usize {
    g.c.leader_ids().filter(|&l| g.c[l].kind == Post::Militia && in_play(g, l)).count()
}

/// Returns `true` if a leader may be in an area: McKee never goes south of the Ohio or into
/// Pennsylvania (14.0.5).
pub fn may_go(g: &State, l: LeaderId, a: AreaId) -> bool {
    g.c[l].name != "McKee" || g.c[a].state == Province::Ohio
}

/// Returns `true` if Tecumseh finds a unit or leader of his side in an area; raiders are no company
/// (14.0.3).
pub fn has_company(g: &State, a: AreaId) -> bool {
    let other = |l: LeaderId| l != g.named("Tecumseh") && !g.chief(l).raiding;
    g.units_in(a, Side::Na).any(|u| !g.unit(u).raiding) || g.leaders_in(a, Side::Na).any(other)
}

/// Eliminates a leader for VPs equal to his rank, or to a die for Tecumseh (15.4.5, 10.5.3).
/// Returns his replacement, if there is one.
pub fn fall(t: &T, g: &mut State, l: LeaderId) -> Option<LeaderId> {
    let leader = &g.c[l];
    let (side, kind, rank) = (leader.side, leader.kind, leader.rank);
    let name = leader.name.clone();
    let vps = if name == "Tecumseh" { t.d6("Tecumseh") as i32 } else { i32::from(rank) };
    g.score(side.enemy(), vps, "15.4.5");
    t.tell(|| match name.as_str() {
        "Tecumseh" => format!("{name} is eliminated: a die of {vps}, {}.", postrider_table::vps(vps)),
        _ => format!("{name} is eliminated: {}.", postrider_table::vps(vps)),
    });
    if kind == Post::British {
        // 8.5.3: Dorchester is not eliminated.
        return None;
    }
    g.retire(l);
    if side == Side::Us && kind == Post::Regular && rank == 3 {
        g.general_lost[1] = true;
    }
    if kind == Post::Agent {
        return None;
    }
    let next = g.c.leader_ids().find(|&o| replaces(g, o, l) && g.chief(o).spot == Spot::Pool);
    // 9.1.2: the replacement of a primary leader becomes the primary leader.
    let primary = &mut g.primary[side.index()];
    if *primary == Some(l) {
        *primary = next;
    }
    next
}

/// Eliminates a leader on the map. His replacement joins units of his at once: the raiders that he
/// led if any are left (12.0.4).
pub async fn fall_on_map(t: &T, g: &mut State, l: LeaderId) {
    let raided = g.chief(l).spot.area().filter(|_| g.chief(l).raiding);
    if let Some(next) = fall(t, g, l) {
        match raided.filter(|&a| units_of(g, next, a).any(|u| g.unit(u).raiding)) {
            Some(a) => {
                *g.chief_mut(next) = Chief { spot: Spot::On(a), raiding: true, done: true, ..Default::default() };
                t.tell(|| format!("{} leads the raiders at {}.", g.c[next].name, g.name(a)));
            }
            None => arrive(t, g, next, &[]).await,
        }
    }
    native_primary(g);
}

/// Replaces Black Hoof, or his replacement, by Blue Jacket in spring 1791 (14.0.6). If no such
/// leader is in play, he joins Shawnee warriors, including those that enter that spring, or else
/// enters in a Shawnee area.
pub async fn blue_jacket(t: &T, g: &mut State) {
    let blue_jacket = g.named("Blue Jacket");
    if g.chief(blue_jacket).spot != Spot::Pool {
        return;
    }
    let Some(nation) = g.c[blue_jacket].nation else { return };
    if g.tribe(nation).stance == Stance::Surrendered {
        return;
    }
    let before = g.c.leader_ids().find(|&l| l != blue_jacket && g.c[l].nation == Some(nation) && in_play(g, l));
    let Some(l) = before else {
        let land = match hosts(g, blue_jacket).is_empty() {
            true => mobilization::homes(g, nation),
            false => Vec::new(),
        };
        let land: Vec<String> = land.into_iter().map(|a| g.c[a].id.clone()).collect();
        return arrive(t, g, blue_jacket, &land).await;
    };
    let Chief { spot, inside, starved, .. } = *g.chief(l);
    g.retire(l);
    if g.primary[Side::Na.index()] == Some(l) {
        g.primary[Side::Na.index()] = Some(blue_jacket);
    }
    let chief = g.chief_mut(blue_jacket);
    (chief.spot, chief.inside, chief.starved) = (spot, inside, starved);
    t.tell(|| "Blue Jacket leads the Shawnee.".to_owned());
}

/// Sets the primary leaders of the turn (9.1.1, 9.1.2).
pub async fn primaries(t: &T, g: &mut State) {
    let generals = g.c.leader_ids().filter(|&l| g.c[l].side == Side::Us && in_play(g, l));
    let generals: Vec<LeaderId> = generals.collect();
    let best = generals.iter().map(|&l| g.c[l].rank).max();
    let among: Vec<_> = generals
        .into_iter()
        .filter(|&l| Some(g.c[l].rank) == best)
        .map(|l| Named::new(g.c[l].name.clone(), l).note(format!("rating {}", g.c[l].command)))
        .collect();
    g.primary[Side::Us.index()] = if among.is_empty() {
        None
    } else {
        let asking = Asking { kind: Ask::Primary, rule: "9.1.1", title: "Who is your primary leader this turn" };
        Some(choose(t, g, g.seat(Side::Us), asking, among, |_| String::new()).await.value)
    };
    native_primary(g);
}

/// Sets the primary leader of the Native American player if he is not in play: Dorchester, or the
/// leader of the first nation that went to war this year (9.1.2).
pub fn native_primary(g: &mut State) {
    let dorchester = g.named("Dorchester");
    if g.british && in_play(g, dorchester) {
        g.primary[Side::Na.index()] = Some(dorchester);
        return;
    }
    let sound = |l: LeaderId| in_play(g, l);
    if g.primary[Side::Na.index()].is_some_and(sound) {
        return;
    }
    let mut rose: Vec<_> = g.c.nation_ids().filter(|&n| g.tribe(n).rose > 0).collect();
    rose.sort_by_key(|&n| g.tribe(n).rose);
    g.primary[Side::Na.index()] = rose.into_iter().find_map(|n| g.nation_leader(n));
}
