//! The Sequence of Play (7, 8, 14).

use super::{
    State, T,
    cards::{refill, round},
    components::Faction,
    discs,
    scoring::tell_points,
    setup,
    state::{Cubes, Effects},
};

/// Plays turns of seven discs until a deck is exhausted or the railroad is complete (7, 14).
pub async fn play(t: T, mut g: State) -> State {
    let (t, g_) = (&t, &mut g);
    t.round(g_, 0, 0, "Set-up");
    setup::set_up(t, g_).await;
    while !g_.ending() {
        turn(t, g_).await;
    }
    finish(t, g_);
    g
}

/// Plays one turn, until the bag is empty (8).
async fn turn(t: &T, g: &mut State) {
    g.turn += 1;
    g.custer.clear();
    g.bag = Faction::ALL.to_vec();
    g.drawn.clear();
    while !g.bag.is_empty() {
        let faction = g.bag.remove(t.draw("disc", g.bag.len()));
        g.drawn.push(faction);
        let place = g.drawn.len() as u32;
        t.round(g, g.turn, place, &format!("Turn {}, disc {place}: {}", g.turn, faction.name()));
        disc(t, g, faction).await;
    }
    // At the end of the turn, enduring instructions and the protection by Treaties end (9.2.1,
    // 12.1.2.1).
    g.enduring = [None; 4];
    g.spared.fill(0);
}

/// Resolves a disc (7).
pub(super) async fn disc(t: &T, g: &mut State, faction: Faction) {
    match faction {
        Faction::Wagons => discs::wagons(t, g).await,
        Faction::Railroad => discs::railroad(t, g),
        Faction::Enemies => discs::enemies(t, g).await,
        _ => round(t, g, faction).await,
    }
    // Effects end with the round; cards drawn now belong to the next one.
    g.fx = Effects::default();
    g.moved.fill(Cubes::default());
    g.together.clear();
    g.escaped.fill(0);
    g.contested.clear();
    if Faction::CARDED.contains(&faction) {
        refill(t, g, faction).await;
        g.moved.fill(Cubes::default());
    }
}

/// Ends the game after the last disc, and reveals the decks (14).
pub(super) fn finish(t: &T, g: &mut State) {
    tell_points(t, g);
    g.finished = true;
    for faction in Faction::CARDED {
        t.reveal(faction.deck(), g.deck(faction).epoch);
    }
    let best = g.ranking().first().copied();
    t.tell(|| {
        let end = if g.joined_in_time() { "the Transcontinental Railroad is joined" } else { "a deck is at its end" };
        let winner = best.map_or_else(String::new, |seat| format!(" {} wins.", g.who(seat)));
        format!("The game is over: {end}.{winner}")
    });
    // The tables show the points of each player. The winning side is determined with common points
    // counted once.
    if let Some([indian, us]) = g.sides() {
        t.tell(|| format!("By sides, what is scored once counted once: Indians {indian}, US {us}."));
    }
}
