//! The Sequence of Play (4).

use super::{
    State, T, breastworks,
    components::{Num, Side},
    eagle, fire, march, melee, rally, setup,
    state::{Phase, Volume},
    victory, volley,
};

/// Plays the game from set-up to the end.
pub async fn play(t: T, mut g: State) -> State {
    let (t, g_) = (&t, &mut g);
    t.round(g_, 0, 0, "Set-up");
    setup::phase(t, g_).await;
    let turns = g_.c.n(Num::Turns);
    while g_.ending.is_none() {
        g_.turn += 1;
        turn(t, g_).await;
        // 18.1: first checked at the end of turn 1.
        if victory::is_swept(g_) {
            victory::finish(t, g_, "no unit of a side is left on the map");
        } else if i32::from(g_.turn) >= turns {
            victory::finish(t, g_, "the last turn is over");
        }
    }
    g
}

/// Plays a Game Turn: first the Indians, then the US (4).
pub async fn turn(t: &T, g: &mut State) {
    for side in [Side::Indian, Side::Us] {
        player_turn(t, g, side).await;
        if g.turn > 1 && victory::is_swept(g) {
            return;
        }
    }
}

/// Plays a Player Turn (4.A to 4.G); each of the two of a turn has a mark.
pub async fn player_turn(t: &T, g: &mut State, side: Side) {
    (g.phasing, g.phase) = (side, Phase::Rally);
    g.fresh_turn();
    head(t, g);
    for phase in Phase::ALL {
        // A director's ruling may have skipped this phase.
        if phase == Phase::SetUp || g.next_phase.is_some_and(|next| next != phase) {
            continue;
        }
        g.next_phase = None;
        match phase {
            Phase::SetUp => {}
            Phase::Rally => {
                rally::phase(t, g).await;
            }
            Phase::Offensive => {
                volley::phase(t, g, side, phase, fire::Volley::Offensive(Volume::Full)).await;
            }
            Phase::Movement => march::phase(t, g).await,
            Phase::Defensive => {
                volley::phase(t, g, side.enemy(), phase, fire::Volley::Defensive(Volume::Full)).await;
            }
            Phase::Advance => volley::phase(t, g, side, phase, fire::Volley::Advance).await,
            Phase::Melee => melee::phase(t, g).await,
        }
    }
    if side == Side::Us {
        breastworks::settle(t, g);
    }
}

/// Puts the rest of a Player Turn under the heading of its turn: at its beginning, and after a
/// ruling that has changed the turn (16.D).
pub fn head(t: &T, g: &mut State) {
    let label = format!("Turn {}, {}: {} Player Turn", g.turn, g.clock(), g.phasing.of());
    t.round(g, g.turn.into(), if g.phasing == Side::Indian { 1 } else { 2 }, &label);
    eagle::watch(t, g);
}
