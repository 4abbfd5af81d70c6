//! Retreats from melee (T:mcrt-results).

use super::{
    super::{
        Ask, State, T,
        asking::{Asking, Named, choose_knowing},
        components::{Ground, Side},
        facts,
    },
    Stand, doctrine, rally,
};
use postrider_table::{
    hex::{Hex, Retreat, Way},
    status::Condition,
};

/// A retreat of two hexes, which may leave the board.
const TWO: Retreat = Retreat { steps: 2, straight: true, leaves: true };

/// Returns the paths by which a unit may retreat. They pass through no enemy; each non-woods hex
/// adjacent to an enemy counts as a penalty.
pub fn ways(g: &State, side: Side, from: Hex) -> Vec<Way> {
    let field = g.field();
    field.grid.retreats(from, TWO, |_, to| {
        let past = g.threatened(to, side, false) && field.ground[to] != Ground::Woods;
        (!g.holds(to, side.enemy())).then_some(u16::from(past))
    })
}

/// Retreats units two hexes and Disrupts them. Disrupted units rout if they fail a check; Routed
/// units move as in a rout. Leaders whose units have left their hex go with the last that got away.
pub async fn retreat(t: &T, g: &mut State, side: Side, units: &[usize]) {
    let mut left: Vec<(Hex, usize)> = Vec::new();
    for &i in units {
        let piece = g.battle().pieces[i].clone();
        let Some(from) = piece.stand.hex() else { continue };
        left.push((from, i));
        g.battle_mut().pieces[i].used = true;
        if g.unit(piece.unit).condition == Condition::Routed {
            rally::run(t, g, i, true).await;
            continue;
        }
        let ways = ways(g, side, from);
        if ways.is_empty() {
            t.tell(|| format!("{} has no way to retreat and is eliminated.", piece.label));
            g.slay(i);
            continue;
        }
        let grid = g.field().grid.clone();
        let among = ways.into_iter().map(|way| {
            let name = way.end(from).map_or("off".to_owned(), |hex| grid.id(hex));
            let note = if way.penalty > 0 { "past an enemy" } else { "" };
            Named::new(name, way).note(note)
        });
        let asking = Asking { kind: Ask::BattleRetreat, rule: "10.6", title: "Where a unit retreats" };
        let (label, id) = (piece.label.clone(), grid.id(from));
        let line = move |_: &State| format!("{label} retreats two hexes from {id}.");
        let among = doctrine::ways_called(g, side, among.collect(), |way: &Way| way.end(from));
        let known = move |g: &State| facts::battle(g, side);
        let way = choose_knowing(t, g, side, asking, among, line, known).await.value;
        g.battle_mut().pieces[i].stand = way.end(from).map_or(Stand::Off, Stand::On);
        t.tell(|| {
            let to = way.end(from).map_or("off the board".to_owned(), |hex| format!("to {}", grid.id(hex)));
            let sound = g.unit(piece.unit).condition == Condition::Normal && way.penalty == 0;
            format!("{} retreats {to}{}.", piece.label, if sound { " and is Disrupted" } else { "" })
        });
        if way.penalty > 0 {
            let check = g.check_alone(i);
            let die = t.d6("retreat past an enemy");
            let end = if check.passes(die) { "it is not Routed" } else { "it is Routed" };
            t.tell(|| format!("Past an enemy, {}: {}: {end}.", piece.label, check.told(die)));
            if !check.passes(die) {
                g.unit_mut(piece.unit).condition = Condition::Routed;
            }
        }
        match g.unit(piece.unit).condition {
            Condition::Normal => g.unit_mut(piece.unit).condition = Condition::Disrupted,
            Condition::Disrupted => {
                let check = g.check_alone(i);
                let die = t.d6("morale");
                let end = if check.passes(die) { "it stays Disrupted" } else { "it is Routed" };
                t.tell(|| format!("{}, Disrupted before, retreats: {}: {end}.", piece.label, check.told(die)));
                if !check.passes(die) {
                    g.unit_mut(piece.unit).condition = Condition::Routed;
                }
            }
            Condition::Routed => {}
        }
    }
    for (from, i) in left.into_iter().rev() {
        let stand = g.battle().pieces[i].stand;
        if stand != Stand::Dead && !g.holds(from, side) {
            for h in g.heads_in(from).collect::<Vec<_>>() {
                g.battle_mut().heads[h].stand = stand;
            }
        }
    }
}
