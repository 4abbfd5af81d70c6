//! Leaders: who comes, who falls, who follows (8.5.4, 9.1, 14).

use super::{
    Ask, BloodyGround, State, T,
    asking::{Asking, Named, choose},
    components::{AreaId, LeaderId, Post, Province, Side, Stance},
    mobilization,
    state::{Chief, Spot, UnitId},
};
use postrider_table::{Candidate, NO, OneOr};
use std::borrow::Cow;

/// 14.0.7: militia leaders in play, at most, by the year.
fn militia_limit(year: u16) -> usize {
    match year {
        ..=1790 => 1,
        1791 => 2,
        _ => 3,
    }
}

/// 14.0.7: the year in which a militia leader becomes available, by name; `None` for the others.
fn available(name: &str) -> Option<u16> {
    match name {
        "Trotter" => Some(1790),
        "Darke" => Some(1791),
        "Kenton" | "Truby" => Some(1792),
        _ => None,
    }
}

/// Where a leader can come: an area, or beside the map.
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

/// `true` if a leader is in play.
pub fn in_play(g: &State, l: LeaderId) -> bool {
    matches!(g.chief(l).spot, Spot::On(_) | Spot::Edge)
}

/// The units of his nation, state or army whom a leader finds in an area.
fn units_of(g: &State, l: LeaderId, a: AreaId) -> impl Iterator<Item = UnitId> + '_ {
    let leader = &g.c[l];
    g.units_in(a, leader.side).filter(move |&u| match leader.kind {
        Post::Militia => g.c[g.unit(u).kind].state == leader.state && leader.state.is_some(),
        Post::Nation => g.nation_of(u) == leader.nation,
        Post::Regular => true,
        Post::British => g.class(u).is_british(),
        Post::Agent => g.nation_of(u).is_some(),
    })
}

/// `true` if he finds any.
fn is_host(g: &State, l: LeaderId, a: AreaId) -> bool {
    units_of(g, l, a).next().is_some()
}

/// 11.2.2: `true` if he finds them in a fort, and none outside.
fn are_inside(g: &State, l: LeaderId, a: AreaId) -> bool {
    is_host(g, l, a) && units_of(g, l, a).all(|u| g.unit(u).inside)
}

/// 12.0.4: `true` if all whom he finds are raiders, with whom he goes home.
fn are_raiding(g: &State, l: LeaderId, a: AreaId) -> bool {
    is_host(g, l, a) && units_of(g, l, a).all(|u| g.unit(u).raiding)
}

/// The other leaders of militia of his state.
fn of_his_state(g: &State, l: LeaderId) -> impl Iterator<Item = LeaderId> + '_ {
    let of = move |o: &LeaderId| *o != l && g.c[*o].kind == Post::Militia && g.c[*o].state == g.c[l].state;
    g.c.leader_ids().filter(of)
}

/// 14.0.7: a leader of militia waits off the map.
pub fn wait(g: &mut State, l: LeaderId) {
    *g.chief_mut(l) = Chief { waits: true, ..Default::default() };
}

/// The areas with units that a leader can join.
fn hosts(g: &State, l: LeaderId) -> Vec<AreaId> {
    g.c.area_ids().filter(|&a| is_host(g, l, a)).collect()
}

/// A leader comes where units of his are; where there are none he waits (14.0.7). `places` are tried first.
pub async fn arrive(t: &T, g: &mut State, l: LeaderId, places: &[String]) {
    let militia = g.c[l].kind == Post::Militia;
    // 14.0.7: one leader of a state at a time; room is made for named leaders who come new.
    if militia && !g.c[l].replacement {
        let others: Vec<LeaderId> = of_his_state(g, l).filter(|&o| in_play(g, o) || g.chief(o).waits).collect();
        for other in others {
            let spot = if g.c[other].replacement { Spot::Pool } else { Spot::Gone };
            let chief = g.chief_mut(other);
            (chief.spot, chief.waits) = (spot, false);
        }
    }
    come(t, g, l, places).await;
}

/// The same, where nobody makes room for him.
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
    // 8.5.2: reinforcements may enter by the edge in the Action Phase, their leaders too.
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

/// 14.0.8: one general of rank 3 and two of rank 2: of those who were in play before others came some are relieved, as the US says.
pub async fn limit(t: &T, g: &mut State, before: &[LeaderId]) {
    for (rank, most) in [(3, 1), (2, 2)] {
        let of = |g: &State, l: &LeaderId| {
            g.c[*l].kind == Post::Regular && g.c[*l].side == Side::Us && g.c[*l].rank == rank && in_play(g, *l)
        };
        let generals: Vec<LeaderId> = g.c.leader_ids().filter(|l| of(g, l)).collect();
        // Room is made by those who were there before. Replacements, who may come again, are named
        // first.
        let mut old: Vec<LeaderId> = generals.iter().copied().filter(|l| before.contains(l)).collect();
        old.sort_by_key(|&l| (!g.c[l].replacement, l));
        let mut too_many = generals.len().saturating_sub(most);
        while too_many > 0 && !old.is_empty() {
            // Where all of them must go nobody is asked.
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
    let replacement = g.c[l].replacement;
    g.chief_mut(l).spot = if replacement { Spot::Pool } else { Spot::Gone };
    t.tell(|| format!("{} is relieved.", g.c[l].name));
}

/// 14.0.7: in spring militia leaders who have become available may come with their state's militia.
pub async fn militia_leaders(t: &T, g: &mut State) {
    loop {
        let count = militia_leaders_out(g);
        let may = |l: &LeaderId| {
            available(&g.c[*l].name).is_some_and(|year| year <= g.year)
                && g.chief(*l).spot == Spot::Pool
                && !hosts(g, *l).is_empty()
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
            OneOr::One(chosen) => arrive(t, g, chosen.value, &[]).await,
        }
    }
}

/// 14.0.7: a militia leader without a unit of his state joins one anywhere, or waits off the map.
pub async fn settle_militia(t: &T, g: &mut State) {
    for l in g.c.leader_ids() {
        let Spot::On(at) = g.chief(l).spot else { continue };
        if g.c[l].kind != Post::Militia || is_host(g, l, at) {
            continue;
        }
        g.chief_mut(l).spot = Spot::Pool;
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

/// How many leaders of militia are in play.
fn militia_leaders_out(g: &State) -> usize {
    g.c.leader_ids().filter(|&l| g.c[l].kind == Post::Militia && in_play(g, l)).count()
}

/// 14.0.5: McKee goes neither south of the Ohio nor into Pennsylvania, whatever makes him go.
pub fn may_go(g: &State, l: LeaderId, a: AreaId) -> bool {
    g.c[l].name != "McKee" || g.c[a].state == Province::Ohio
}

/// 15.4.5, 10.5.3: a leader is eliminated: VPs by his rank, or for Tecumseh by a die. Gives the leader who replaces him.
pub fn fall(t: &T, g: &mut State, l: LeaderId) -> Option<LeaderId> {
    let leader = &g.c[l];
    let (side, kind, rank, nation, state) = (leader.side, leader.kind, leader.rank, leader.nation, leader.state);
    let name = leader.name.clone();
    let vps = if name == "Tecumseh" { t.roll("Tecumseh", 1, 6) as i32 } else { i32::from(rank) };
    g.score(side.enemy(), vps);
    t.tell(|| match name.as_str() {
        "Tecumseh" => format!("{name} is eliminated: a die of {vps}, {}.", postrider_table::vps(vps)),
        _ => format!("{name} is eliminated: {}.", postrider_table::vps(vps)),
    });
    if kind == Post::British {
        // 8.5.3: his staff carries on.
        return None;
    }
    let replacement = g.c[l].replacement;
    g.chief_mut(l).spot = if replacement { Spot::Pool } else { Spot::Gone };
    if side == Side::Us && kind == Post::Regular && rank == 3 {
        g.general_lost[1] = true;
    }
    if kind == Post::Agent {
        return None;
    }
    let same = |o: &LeaderId| {
        let other = &g.c[*o];
        other.replacement
            && g.chief(*o).spot == Spot::Pool
            && other.kind == kind
            && other.nation == nation
            && other.state == state
            && (kind != Post::Regular || other.rank == rank)
    };
    let next = g.c.leader_ids().find(same);
    // 9.1.2: the replacement leads on where the fallen was primary.
    let primary = &mut g.primary[side.index()];
    if *primary == Some(l) {
        *primary = next;
    }
    next
}

/// A leader falls on the map; his replacement joins units of his at once: the raiders whom he led, where any are left (12.0.4).
pub async fn fall_on_map(t: &T, g: &mut State, l: LeaderId) {
    let raided = g.chief(l).spot.area().filter(|_| g.chief(l).raiding);
    let Some(next) = fall(t, g, l) else { return };
    match raided.filter(|&a| units_of(g, next, a).any(|u| g.unit(u).raiding)) {
        Some(a) => {
            *g.chief_mut(next) = Chief { spot: Spot::On(a), raiding: true, done: true, ..Default::default() };
            t.tell(|| format!("{} leads the raiders at {}.", g.c[next].name, g.name(a)));
        }
        None => arrive(t, g, next, &[]).await,
    }
}

/// 14.0.6: in spring 1791 Blue Jacket takes the place of Black Hoof, or of who replaced him. Where no such leader is in play he joins
/// Shawnee warriors, those of the spring included, and where there are none he comes to land of theirs.
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
    let Chief { spot, inside, .. } = *g.chief(l);
    // A replacement can come again (10.5.3).
    g.chief_mut(l).spot = if g.c[l].replacement { Spot::Pool } else { Spot::Gone };
    if g.primary[Side::Na.index()] == Some(l) {
        g.primary[Side::Na.index()] = Some(blue_jacket);
    }
    let chief = g.chief_mut(blue_jacket);
    (chief.spot, chief.inside) = (spot, inside);
    t.tell(|| "Blue Jacket leads the Shawnee.".to_owned());
}

/// 9.1.1, 9.1.2: the primary leaders of the turn.
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
