//! Leaders on the board who are endangered by fire, are left alone, or replace a fallen leader
//! (10.5.3, 10.6.2).

use super::{
    super::{
        Ask, State, T,
        asking::{Asking, Named, choose_knowing},
        components::{LeaderId, Side},
        events, facts, leaders,
        state::UnitId,
    },
    Head, Stand, doctrine, fall,
};
use postrider_table::hex::Hex;

/// Rolls a die for each leader in a hex that was hit, at the end of the impulse: he falls on a 6
/// (10.5.3). Surviving leaders who are now alone may move.
pub async fn leader_losses(t: &T, g: &mut State) {
    let mut hit: Vec<usize> = Vec::new();
    for h in 0..g.battle().heads.len() {
        if !std::mem::take(&mut g.battle_mut().heads[h].endangered) {
            continue;
        }
        hit.push(h);
        let die = t.d6("leader under fire");
        let end = if die == 6 { "he is hit" } else { "he is unhurt" };
        t.tell(|| format!("{} under fire: {die}: {end}.", g.c[g.battle().heads[h].leader].name));
        if die == 6 {
            fall(t, g, h).await;
        }
    }
    lone_leaders(t, g, &hit).await;
}

/// Relocates leaders without a friendly unit in their hex (10.5.3). A leader must move if an enemy
/// has entered his hex, and may move if he is in `hit`, the leaders just hit by fire. His owner
/// chooses a hex with friendly units; an overrun leader leaves the board if there is none.
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

/// Returns the new place of a lone leader: his owner's choice, which includes staying unless an
/// enemy is in his hex.
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

/// Places a replacement with a unit of his nation, state or army on the board (10.6.2). The owner
/// chooses among several hexes. Returns `false` if there is no such unit.
pub async fn join(t: &T, g: &mut State, l: LeaderId) -> bool {
    let side = g.c[l].side;
    let Some(host) = g.on_board(side).find(|&i| leaders::joins(g, l, g.battle().pieces[i].unit)) else { return false };
    let mut stand = g.battle().pieces[host].stand;
    if let Some(hex) = stand.hex() {
        let among = called(g, side, hexes(g, side, hex, |u| leaders::joins(g, l, u)));
        let line = format!("{} takes the place of a leader who fell.", g.c[l].name);
        let title = "With whom a replacement leader stands";
        stand = Stand::On(asked(t, g, side, ("10.6.2", title), line, among).await);
    }
    g.battle_mut().heads.push(Head { leader: l, stand, left: Some(Stand::Off), endangered: false });
    t.tell(|| format!("{} takes his place.", g.c[l].name));
    true
}

/// Returns the hexes with units of a side that fit, nearest to `from` first.
fn hexes(g: &State, side: Side, from: Hex, fits: impl Fn(UnitId) -> bool) -> Vec<Hex> {
    let fight = g.battle();
    let own = g.on_board(side).filter(|&i| fits(fight.pieces[i].unit));
    let mut hexes: Vec<Hex> = own.filter_map(|i| fight.pieces[i].stand.hex()).collect();
    hexes.sort_by_key(|&to| (g.field().grid.distance(from, to), to));
    hexes.dedup();
    hexes
}

/// Returns hexes as choices with the pieces in them as notes. They also have the names of retreat
/// paths, and the first is also called `nearest`.
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
