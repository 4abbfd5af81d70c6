//! US Commitment (8.2).

use super::{
    State, T,
    components::{Drm, Province, Side},
};
use postrider_table::chart::Modifiers;

/// Returns the modifiers of T:us-commitment-level-chart.
pub fn modifiers(g: &State) -> Modifiers {
    let mut drm = Modifiers::new();
    let by = |row: Drm, n: i32| g.c.drm(row) * n;
    let lead = g.lead();
    drm.add_if(lead < 0, Drm::CommitmentVpsBehind.name(), by(Drm::CommitmentVpsBehind, 1));
    let towns = g.towns(|a| g.c[a].state == Province::Ohio);
    drm.add(Drm::CommitmentTowns.name(), by(Drm::CommitmentTowns, towns / 15));
    let hit = g.c.area_ids().filter(|&a| matches!(g.c[a].state, Province::Pennsylvania | Province::Kentucky));
    let atrocities: u8 = hit.map(|a| g.land(a).atrocity.iter().sum::<u8>()).sum();
    drm.add(Drm::CommitmentAtrocity.name(), by(Drm::CommitmentAtrocity, atrocities.into()));
    drm.add_if(general_in_need(g), Drm::CommitmentLeader.name(), by(Drm::CommitmentLeader, 1));
    drm.add(Drm::CommitmentFortDestroyed.name(), by(Drm::CommitmentFortDestroyed, g.forts_destroyed.into()));
    // Warriors waiting off the map are in play, too.
    let iroquois = g.c.nation_ids().any(|n| g.c[n].fixed > 0 && g.has_warriors(n));
    drm.add_if(iroquois, Drm::CommitmentIroquois.name(), by(Drm::CommitmentIroquois, 1));
    let war = g.at_war();
    drm.add_if(war == 2, Drm::CommitmentTwoAtWar.name(), by(Drm::CommitmentTwoAtWar, 1));
    drm.add_if(lead > 0, Drm::CommitmentVpsAhead.name(), by(Drm::CommitmentVpsAhead, 1));
    drm.add_if(g.british, Drm::CommitmentBritish.name(), by(Drm::CommitmentBritish, 1));
    drm.add_if(war <= 1, Drm::CommitmentPeace.name(), by(Drm::CommitmentPeace, 1));
    drm
}

/// Returns `true` if a US Army leader of rank 3 is besieged, or was eliminated in the previous
/// turn.
fn general_in_need(g: &State) -> bool {
    let besieged = |l: super::components::LeaderId| {
        let leader = &g.c[l];
        leader.side == Side::Us
            && leader.kind == super::components::Post::Regular
            && leader.rank == 3
            && g.chief(l).inside
            && g.chief(l).spot.area().is_some_and(|a| g.besieged(a))
    };
    g.general_lost[0] || g.c.leader_ids().any(besieged)
}

/// Rolls for Commitment: a result of 1 or less lowers it by one level, 6 or more raises it, within
/// 1 to 5 (8.2).
pub fn roll(t: &T, g: &mut State) {
    let drm = modifiers(g);
    let die = t.d6("commitment");
    let before = g.commitment;
    match die + i64::from(drm.total()) {
        ..=1 => g.commitment = before.saturating_sub(1).max(1),
        2..=5 => {}
        _ => g.commitment = (before + 1).min(5),
    }
    t.tell(|| format!("US Commitment {before}, die {}: {}.", drm.told(die), g.commitment));
}
