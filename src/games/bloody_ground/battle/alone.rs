//! Leaders on the board whom fire endangers, who are left alone, or who take the place of one who fell (10.5.3, 10.6.2).

use super::{
    super::{
        Ask, State, T,
        asking::{Asking, Named, choose_knowing},
        components::{LeaderId, Post, Side},
        events, facts,
        state::UnitId,
    },
    Head, Stand, doctrine, fall,
};
use postrider_table::hex::Hex;

/// 10.5.3: a die for each leader in a hex that was hit, at the end of the impulse: at 6 he falls. Who is left alone may go.
pub async fn leader_losses(t: &T, g: &mut State) {
    let mut hit: Vec<usize> = Vec::new();
    for h in 0..g.battle().heads.len() {
        let head = g.battle().heads[h];
        if !std::mem::take(&mut g.battle_mut().heads[h].endangered) || head.stand.hex().is_none() {
            continue;
        }
        hit.push(h);
        let die = t.roll("leader under fire", 1, 6);
        let end = if die == 6 { "he is hit" } else { "he is unhurt" };
        t.tell(|| format!("{} under fire: {die}: {end}.", g.c[head.leader].name));
        if die == 6 {
            fall(t, g, h).await;
        }
    }
    lone_leaders(t, g, &hit).await;
}

/// 10.5.3: a leader without a unit in his hex goes to a friendly one where an enemy has come there, and may go where he is one of
/// those whom fire has just hit. His owner says where. With no unit of his side on the board he leaves it.
pub async fn lone_leaders(t: &T, g: &mut State, hit: &[usize]) {
    for h in 0..g.battle().heads.len() {
        let head = g.battle().heads[h];
        let Some(hex) = head.stand.hex() else { continue };
        let side = g.c[head.leader].side;
        let overrun = g.holds(hex, side.enemy());
        if g.holds(hex, side) || !(overrun || hit.contains(&h)) {
            continue;
        }
        let stand = leaves(t, g, h, hex, overrun).await;
        g.battle_mut().heads[h].stand = stand;
    }
}

/// The place to which a lone leader goes: his owner's choice, or to stay unless an enemy is there.
async fn leaves(t: &T, g: &mut State, h: usize, hex: Hex, overrun: bool) -> Stand {
    let leader = g.battle().heads[h].leader;
    let side = g.c[leader].side;
    let among = hexes(g, side, hex, |_| true);
    if among.is_empty() {
        return if overrun { Stand::Off } else { Stand::On(hex) };
    }
    let mut among = called(g, side, among);
    if !overrun {
        among.push(Named::new("stay", hex).note("alone"));
    }
    let line = format!("{} is alone at {}.", g.c[leader].name, g.field().grid.id(hex));
    let title = "Where a leader goes whose units are gone";
    let to = asked(t, g, side, ("10.5.3", title), line, among).await;
    if to != hex {
        t.tell(|| format!("{} goes to {}.", g.c[leader].name, g.field().grid.id(to)));
    }
    Stand::On(to)
}

/// 10.6.2: a replacement joins a unit of his nation, state or army on the board, of those in several hexes one that his owner
/// names; says whether there is one.
pub async fn join(t: &T, g: &mut State, l: LeaderId) -> bool {
    let (side, kind, state, nation) = (g.c[l].side, g.c[l].kind, g.c[l].state, g.c[l].nation);
    let fits = |g: &State, u: UnitId| match kind {
        Post::Militia => g.c[g.unit(u).kind].state == state,
        Post::Nation => g.nation_of(u) == nation,
        _ => true,
    };
    let Some(host) = g.on_board(side).find(|&i| fits(g, g.battle().pieces[i].unit)) else { return false };
    let mut stand = g.battle().pieces[host].stand;
    if let Some(hex) = stand.hex() {
        let among = called(g, side, hexes(g, side, hex, |u| fits(g, u)));
        let line = format!("{} takes the place of a leader who fell.", g.c[l].name);
        let title = "With whom a replacement leader stands";
        stand = Stand::On(asked(t, g, side, ("10.6.2", title), line, among).await);
    }
    g.battle_mut().heads.push(Head { leader: l, stand, moved: true, endangered: false });
    t.tell(|| format!("{} takes his place.", g.c[l].name));
    true
}

/// The hexes with units of a side that fit, the nearest to one first.
fn hexes(g: &State, side: Side, from: Hex, fits: impl Fn(UnitId) -> bool) -> Vec<Hex> {
    let fight = g.battle();
    let own = g.on_board(side).filter(|&i| fits(fight.pieces[i].unit));
    let mut hexes: Vec<Hex> = own.filter_map(|i| fight.pieces[i].stand.hex()).collect();
    hexes.sort_by_key(|&to| (g.field().grid.distance(from, to), to));
    hexes.dedup();
    hexes
}

/// Hexes that can be chosen, with who stands there; known also as ways of a retreat are, and the first as `nearest`.
fn called(g: &State, side: Side, hexes: Vec<Hex>) -> Vec<Named<Hex>> {
    let named = hexes.into_iter().enumerate().map(|(at, hex)| {
        let units: Vec<UnitId> = g.in_hex(hex).map(|i| g.battle().pieces[i].unit).collect();
        let units = events::by_kind(g, &units).into_iter().map(|(kind, n)| format!("{n} {}", g.c[kind].id));
        let heads = g.heads_in(hex).map(|h| g.c[g.battle().heads[h].leader].name.clone());
        let mut named = Named::new(g.field().grid.id(hex), hex).note(units.chain(heads).collect::<Vec<_>>().join(", "));
        if at == 0 {
            named.aliases.push("nearest".to_owned());
        }
        named
    });
    doctrine::ways_called(g, side, named.collect(), |hex: &Hex| Some(*hex))
}

async fn asked(
    t: &T,
    g: &mut State,
    side: Side,
    (rule, title): (&'static str, &'static str),
    line: String,
    among: Vec<Named<Hex>>,
) -> Hex {
    let asking = Asking { kind: Ask::BattleLeader, rule, title };
    let known = move |g: &State| facts::battle(g, side);
    choose_knowing(t, g, side, asking, among, move |_| line.clone(), known).await.value
}
