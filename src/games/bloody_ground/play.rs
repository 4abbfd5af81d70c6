//! The Sequence of Play (4).

use super::{
    State, T, action, army, battle, british, combat, commitment,
    components::{Season, Side, Stance},
    end, events, leaders, mobilization, raid, settlers, setup,
    state::{Spot, UnitId},
    supply, victory,
};

/// Plays a campaign or a battle scenario from set-up to the end.
pub async fn play(t: T, mut g: State) -> State {
    let (t, g_) = (&t, &mut g);
    t.round(g_, 0, 0, "Set-up");
    if g_.c.scenarios[g_.scenario].turns == 0 {
        battle::scenario(t, g_).await;
        victory::battle(t, g_);
        return g;
    }
    setup::campaign(t, g_).await;
    while g_.ending.is_none() {
        g_.turn += 1;
        turn(t, g_).await;
        if g_.ending.is_none() {
            g_.season = g_.season.next();
            g_.year += u16::from(g_.season == Season::Winter);
        }
    }
    g
}

/// Returns `true` if the first turn omits a step that the set-up has settled (15).
fn skips(g: &State, step: &str) -> bool {
    g.turn == 1 && g.c.scenarios[g.scenario].skips.iter().any(|skipped| skipped == step)
}

/// Plays one turn (4.1 to 4.7).
pub async fn turn(t: &T, g: &mut State) {
    let label = |g: &State, phase: &str| format!("{} {}: {phase}", g.season.name(), g.year);
    g.rolled = false;
    let old: Vec<UnitId> = g.unit_ids().filter(|&u| g.unit(u).spot != Spot::Pool).collect();
    t.round(g, g.turn, 1, &label(g, "events and settlers"));
    if g.season == Season::Spring {
        for n in g.c.nation_ids().filter(|&n| g.tribe(n).stance == Stance::Peaceful).collect::<Vec<_>>() {
            g.tribe_mut(n).ml = g.c[n].base;
        }
    }
    let event = events::phase(t, g).await;
    settlers::phase(t, g, event).await;
    supply::phase(t, g).await;
    t.round(g, g.turn, 2, &label(g, "mobilization"));
    mobilize(t, g, &old).await;
    if g.ending.is_some() {
        return;
    }
    t.round(g, g.turn, 3, &label(g, "actions"));
    combat::lift(g);
    action::phase(t, g).await;
    combat::phase(t, g).await;
    t.round(g, g.turn, 4, &label(g, "raids and end"));
    raid::phase(t, g).await;
    end::phase(t, g).await;
}

/// Runs the Mobilization Phase: Commitment, nations, Army, militia, reinforcements and the British;
/// Atrocity markers are removed last (4.4, 8). `old` is the units that began the turn in play.
pub async fn mobilize(t: &T, g: &mut State, old: &[UnitId]) {
    if g.season == Season::Spring && g.year == 1791 {
        mobilization::reserves(t, g).await;
        leaders::blue_jacket(t, g).await;
    }
    if !g.variant.late_commitment {
        commitment::roll(t, g);
    }
    if !skips(g, "na_mobilization") {
        mobilization::phase(t, g).await;
    }
    if g.variant.late_commitment {
        commitment::roll(t, g);
    }
    let spring = g.season == Season::Spring;
    let (regulars, group) = (spring && !skips(g, "us_army"), spring && !skips(g, "us_reinforcements"));
    army::phase(t, g, regulars, g.season != Season::Winter, group).await;
    if spring {
        // Leaders who wait come before new ones, if militia of their states has arrived.
        leaders::settle_militia(t, g).await;
        leaders::militia_leaders(t, g, old).await;
    }
    leaders::settle_militia(t, g).await;
    british::phase(t, g).await;
    events::iroquois_leave(t, g);
    for land in &mut g.land {
        land.atrocity = [0; 2];
    }
    g.atrocities = [0; 2];
    victory::end_of_mobilization(t, g);
    debug_assert!(g.vps[Side::Us.index()] >= 0);
}
