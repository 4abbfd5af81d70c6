//! Invariants of all positions.

use super::{
    battle::{Fight, Stand},
    components::{Class, LeaderId, Post, Side, Special, Stance},
    leaders,
    state::*,
};
use postrider_table::Law;

/// Returns the faults of a position between two decisions; empty for a legal one.
pub fn faults(g: &State) -> Vec<String> {
    let mut law = Law::default();
    counters(g, &mut law);
    markers(g, &mut law);
    units(g, &mut law);
    nations(g, &mut law);
    if let Some(fight) = &g.fight {
        battle(g, fight, &mut law);
    }
    if g.at_rest {
        resting(g, &mut law);
    }
    law.faults()
}

/// Checks the counter mix and the ranges of tracks.
fn counters(g: &State, law: &mut Law) {
    for kind in g.c.kind_ids() {
        let n = g.of_kind(kind).count();
        law.holds(n == usize::from(g.c[kind].count), || format!("{n} counters of {} (8.4.3)", g.c[kind].id));
    }
    law.holds((1..=COMMITMENTS).contains(&g.commitment), || format!("Commitment {} (8.2)", g.commitment));
    law.holds(g.vps.iter().all(|&vps| vps >= 0), || format!("VPs {:?} (15.4.5)", g.vps));
    for n in g.c.nation_ids() {
        law.holds(g.tribe(n).ml <= LEVELS, || format!("level {} of the {} (8.1.1)", g.tribe(n).ml, g.c[n].name));
    }
    for a in g.c.area_ids() {
        let land = g.land(a);
        law.holds(land.settlers <= SETTLERS, || format!("{} settlers in {} (6.0.1)", land.settlers, g.name(a)));
        let inside: Vec<UnitId> = g.units_at(Spot::On(a)).filter(|&u| g.unit(u).inside).collect();
        let fits = inside.is_empty()
            || land.fort.as_ref().is_some_and(|fort| inside.iter().all(|&u| g.side_of(u) == fort.side));
        law.holds(fits && inside.len() <= GARRISON, || {
            format!("{} units in a fort at {} (11.2.2)", inside.len(), g.name(a))
        });
    }
    let rifles = g.units.iter().filter(|unit| unit.rifle).count();
    law.holds(rifles <= usize::from(g.c.markers("rifle")), || format!("{rifles} rifles (14.0.2)"));
    for u in g.unit_ids() {
        let unit = g.unit(u);
        let off = unit.spot.area().is_none() && unit.spot != Spot::Edge;
        law.holds(!off || *unit == Unit { spot: unit.spot, ..Unit::new(unit.kind) }, || {
            format!("{unit:?} is not in play")
        });
    }
}

/// Checks the number and places of markers.
fn markers(g: &State, law: &mut Law) {
    for (side, id) in [(Side::Us, "atrocity_us"), (Side::Na, "atrocity_na")] {
        let lie: u8 = g.land.iter().map(|land| land.atrocity[side.index()]).sum();
        let all = lie + g.spent_atrocities[side.index()];
        law.holds(all <= g.c.markers(id), || format!("{all} Atrocity markers of the {} (9.2)", side.name()));
    }
    let british = g.c.area_ids().filter(|&a| g.fort_of(a, Side::Na)).count() as u8;
    law.holds(british + g.forts_destroyed <= g.c.markers("british_fort"), || {
        format!("{british} British forts, and {} were destroyed (11.2.1)", g.forts_destroyed)
    });
    for a in g.c.area_ids() {
        let Some(fort) = &g.land(a).fort else { continue };
        let british = fort.side == Side::Na;
        law.holds(!british || g.c[a].is(Special::BritishFort), || format!("a British fort at {} (2.1)", g.name(a)));
        law.holds(!(british && fort.work.is_some()), || format!("the British build at {} (11.2.1)", g.name(a)));
        law.holds(fort.is_ready() || fort.siege == 0, || {
            format!("a siege of a fort that is not ready at {} (11.3.1)", g.name(a))
        });
    }
    law.holds(g.groups <= 2, || format!("{} groups of reinforcements (8.5.2)", g.groups));
    law.holds(g.streaks.iter().all(|&n| n <= 4), || format!("{:?} checks running (15.4.3)", g.streaks));
}

/// Checks the states of units and leaders: raids, actions, rifles, places off the map and in forts.
fn units(g: &State, law: &mut Law) {
    let campaign = g.c.scenarios[g.scenario].turns > 0;
    for u in g.unit_ids() {
        let (unit, class) = (g.unit(u), g.class(u));
        let told = || g.c[unit.kind].id.clone();
        law.holds(!unit.rifle || class == Class::Warrior, || format!("a rifle with {} (14.0.2)", told()));
        // In the End Phase, when raiders are asked to return, their actions are already reset.
        let rested = unit.acts == 0;
        law.holds(!unit.raiding || (class == Class::Warrior && (unit.done || rested) && !unit.inside), || {
            format!("{} raids (12.0)", told())
        });
        law.holds(unit.acts <= 2 && (unit.acts < 2 || unit.done), || format!("{} acts {} (9.3)", told(), unit.acts));
        law.holds(!(unit.starved && unit.acts > 1), || format!("{} acts again Out of Supply (7.0.4)", told()));
        let enters =
            matches!(class, Class::Regular | Class::Militia) || g.nation_of(u).is_some_and(|n| g.c[n].fixed > 0);
        law.holds(!campaign || unit.spot != Spot::Edge || enters, || format!("{} beside the map (8.3.2)", told()));
    }
    for l in g.c.leader_ids() {
        let (chief, leader) = (g.chief(l), &g.c[l]);
        let Spot::On(a) = chief.spot else { continue };
        let barred =
            leader.side == Side::Us || leader.kind == Post::British || matches!(&*leader.name, "Tecumseh" | "McKee");
        law.holds(!chief.raiding || (!barred && (chief.done || chief.acts == 0)), || {
            format!("{} raids (12.0, 14.0.3)", leader.name)
        });
        law.holds(!chief.inside || g.fort_of(a, leader.side), || {
            format!("{} in no fort of his at {} (11.2.2)", leader.name, g.name(a))
        });
        law.holds(chief.acts <= 2 && (chief.acts < 2 || chief.done), || {
            format!("{} acts too often (9.3)", leader.name)
        });
        law.holds(leader.kind != Post::British || g.british, || format!("{} without the British (8.5.3)", leader.name));
    }
    for (side, l) in Side::ALL.into_iter().filter_map(|side| Some((side, g.primary[side.index()]?))) {
        law.holds(g.c[l].side == side, || format!("{} leads the {} (9.1)", g.c[l].name, side.name()));
    }
}

/// Checks the levels and attitudes of nations.
fn nations(g: &State, law: &mut Law) {
    let campaign = g.c.scenarios[g.scenario].turns > 0;
    for n in g.c.nation_ids() {
        let tribe = g.tribe(n);
        law.holds(tribe.stance != Stance::Surrendered || tribe.ml == 0, || {
            format!("level {} of the {}, who have surrendered (8.6.2)", tribe.ml, g.c[n].name)
        });
        let fixed = g.c[n].fixed;
        if fixed > 0 && g.turn > 0 && campaign {
            law.holds(!g.has_warriors(n) || (tribe.stance == Stance::Warpath && tribe.ml == fixed), || {
                format!("the {} are in play, {} at level {} (8.1.3)", g.c[n].name, tribe.stance.name(), tribe.ml)
            });
        }
    }
    let mut rose: Vec<u8> = g.tribes.iter().map(|tribe| tribe.rose).filter(|&nth| nth > 0).collect();
    let all = rose.len();
    rose.sort_unstable();
    rose.dedup();
    law.holds(rose.len() == all, || "two nations went to war at once (9.1.2)".to_owned());
}

/// Checks a battle: units of one side per hex, and the loss counts.
fn battle(g: &State, fight: &Fight, law: &mut Law) {
    for side in Side::ALL {
        let own = || fight.pieces.iter().filter(|p| g.side_of(p.unit) == side);
        let dead = own().filter(|p| p.stand == Stand::Dead).count();
        law.holds(dead == usize::from(fight.lost[side.index()]), || {
            format!("{dead} units of the {} are gone, {} are counted (10.7.1)", side.name(), fight.lost[side.index()])
        });
        let n = own().count();
        law.holds(n == usize::from(fight.start[side.index()]), || {
            format!("{n} units of the {} fight, {} began (10.7.1)", side.name(), fight.start[side.index()])
        });
        for hex in own().filter_map(|p| p.stand.hex()) {
            law.holds(side == Side::Na || !g.holds(hex, Side::Na), || {
                format!("both sides in {} (10.4)", g.field().grid.id(hex))
            });
        }
    }
    law.holds(fight.round <= 10, || format!("round {} (10.1)", fight.round));
}

/// Checks the rules that hold while a side chooses its action.
fn resting(g: &State, law: &mut Law) {
    for a in g.c.area_ids() {
        law.holds(!g.land(a).pillaged || g.people(a) == 0, || format!("settlers in pillaged {} (9.5.2)", g.name(a)));
        let siege = g.land(a).fort.as_ref().map_or(0, |fort| fort.siege);
        law.holds(siege == 0 || g.besieged(a), || format!("Siege markers at {}, which is free (11.3.1)", g.name(a)));
    }
    let out: Vec<LeaderId> = g.c.leader_ids().filter(|&l| leaders::in_play(g, l)).collect();
    for (rank, most) in [(3, 1), (2, 2)] {
        let of = |l: &&LeaderId| g.c[**l].kind == Post::Regular && g.c[**l].side == Side::Us && g.c[**l].rank == rank;
        let n = out.iter().filter(of).count();
        law.holds(n <= most, || format!("{n} leaders of rank {rank} (14.0.8)"));
    }
    let militia = out.iter().filter(|&&l| g.c[l].kind == Post::Militia).count();
    law.holds(militia <= 3, || format!("{militia} leaders of militia (14.0.7)"));
    for &l in &out {
        let Some(state) = g.c[l].state.filter(|_| g.c[l].kind == Post::Militia) else { continue };
        let with = g.units_at(g.chief(l).spot).any(|u| g.c[g.unit(u).kind].state == Some(state));
        law.holds(with, || format!("{} without militia of {} (14.0.7)", g.c[l].name, state.name()));
    }
    for n in g.c.nation_ids() {
        let led = out.iter().filter(|&&l| g.c[l].kind == Post::Nation && g.c[l].nation == Some(n)).count();
        law.holds(led <= 1, || format!("{led} leaders of the {} (3.0)", g.c[n].name));
    }
}
