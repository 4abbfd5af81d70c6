//! Losses (12.1.6), and the VPs for them.

use super::{
    dice::roll,
    sides::fighters,
    wagons::{HITS, destroy},
};
use crate::{
    Ask, T,
    asking::Colour,
    components::{Face, Faction, RegionId, Spot},
    state::{Cubes, State, tell_cubes},
};
use postrider_orders::list_and;
use postrider_table::Pick;

/// Number of Cavalry cubes eliminated in one battle for 1 VP (Victory Point Schedule).
pub const CAVALRY_FOR_A_VP: u8 = 2;
/// VPs of the Indians for eliminating all of Custer's force (9.2.2).
pub const CUSTER_VPS: i32 = 2;

/// The losses of a battle, by faction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses(pub Cubes);

impl Losses {
    pub fn add(&mut self, cubes: Cubes) {
        self.0 += cubes;
    }
}

/// Scores a battle for the Indians: a VP for every two Cavalry cubes, and two when the last of
/// Custer's force is eliminated (9.2.2).
pub fn score(t: &T, g: &mut State, losses: Losses) {
    let vps = i32::from(losses.0[Faction::Cavalry] / CAVALRY_FOR_A_VP);
    if vps > 0 {
        g.battle_vps += vps;
        t.tell(|| {
            let told = postrider_table::vps(vps);
            format!("{told} for the Indians: {} Cavalry eliminated in one battle.", losses.0[Faction::Cavalry])
        });
    }
    if !g.custer.is_empty() && g.custer.iter().all(|&n| n == 0) {
        g.custer.clear();
        g.custer_vps += CUSTER_VPS;
        t.tell(|| format!("Custer's force is eliminated: {CUSTER_VPS} VPs for the Indians."));
    }
}

/// Removes a side's losses from its largest factions (12.1.6). Of equal factions the player
/// chooses; between allies a coin decides.
pub async fn lose(t: &T, g: &mut State, r: RegionId, indian: bool, hits: u8, out: Option<Faction>) -> Cubes {
    let mut lost = Cubes::default();
    // If all are lost, there is nothing to choose.
    if hits >= fighters(g, r, indian, out) {
        for faction in Faction::FIGHTING.into_iter().filter(|&f| f.is_indian() == indian && Some(f) != out) {
            while g.region(r)[faction] > 0 {
                g.kill(Spot::Region(r), faction);
                lost[faction] += 1;
            }
        }
    }
    for _ in lost.fighting()..hits {
        let here = *g.region(r);
        let fights = |f: &Faction| f.is_indian() == indian && Some(*f) != out && here[*f] > 0;
        let most = Faction::FIGHTING.into_iter().filter(fights).map(|f| here[f]).max();
        let Some(most) = most else { break };
        let largest: Vec<Faction> = Faction::FIGHTING.into_iter().filter(|f| fights(f) && here[*f] == most).collect();
        let one_player = largest.windows(2).all(|w| g.owner(w[0]) == g.owner(w[1]));
        let faction = match largest[..] {
            [only] => only,
            _ if one_player => {
                let seat = g.owner(largest[0]);
                let among = largest.into_iter().map(Colour).collect();
                let still = hits - lost.fighting();
                let pick = Pick::new(Ask::Loss, "12.1.6", "Which cube is lost", among).verbs(&["lose"]).telling(
                    move |g, d| {
                        let still = if still == 1 { "1 hit is".to_owned() } else { format!("{still} hits are") };
                        d.line(format!(
                            "In {} stand {}; {still} still to be taken.",
                            g.name(r),
                            tell_cubes(g.region(r))
                        ))
                    },
                );
                t.ask(g, seat, pick).await.0
            }
            _ => {
                let drawn = largest[t.draw("coin", largest.len())];
                let names: Vec<&str> = largest.iter().map(|f| f.cubes()).collect();
                t.tell(|| format!("A coin between {}: {}.", list_and(&names), drawn.cubes()));
                drawn
            }
        };
        g.kill(Spot::Region(r), faction);
        lost[faction] += 1;
    }
    if !lost.is_empty() {
        t.tell(|| format!("Lost: {}.", tell_cubes(&lost)));
    }
    lost
}

/// Rolls the dice of Geronimo's force against a region. Hits and Treaties remove cubes, and nobody
/// rolls back. If only Wagons are there, two hits destroy one (12.1.2.1).
pub async fn strike(t: &T, g: &mut State, r: RegionId, dice: &[(Faction, u8)]) {
    let (mut hits, mut told) = (0, Vec::new());
    for &(faction, n) in dice {
        let faces: Vec<Face> = (0..n).map(|_| roll(t, g, faction)).collect();
        hits += faces.iter().filter(|&&f| f != Face::Blank).count() as u8;
        let names: Vec<&str> = faces.iter().map(|f| f.name()).collect();
        told.push(format!("{} {}", faction.cubes(), names.join(", ")));
    }
    t.tell(|| format!("Geronimo strikes {}: {}.", g.name(r), told.join("; ")));
    if g.region(r).us() == 0 {
        if hits >= HITS {
            destroy(t, g, r);
        }
        return;
    }
    let lost = lose(t, g, r, false, hits, None).await;
    score(t, g, Losses(lost));
}
