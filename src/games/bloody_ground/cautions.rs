//! Warnings shown before a move is confirmed: what may end it early, and its consequences.

use super::{
    State, activation,
    components::{AreaId, Side},
    mobilization,
    movement::{self, Leg},
    order::{Count, Which},
    state::{Force, Spot, UnitId},
    supply::{self, Network},
};

/// Returns the warnings for a move or a reaction: a second activation (9.4.2), St. Clair's gout
/// (14.0.1), trespasses (8.1.2), an enemy where it ends (9.4.1), and supply there (7.0.4).
pub fn of_move(g: &State, side: Side, force: &Force, way: &[Leg], activated: bool) -> Vec<String> {
    let mut all = Vec::new();
    if activated && activation::is_second(g, force) {
        let helpers = activation::helpers(g, force);
        let pass = force.units.iter().map(|&u| activation::check(g, u, &helpers).passing(6)).min();
        if let Some(pass) = pass.filter(|&pass| pass < 6) {
            all.push(format!(
                "It is a second activation: on {} of 6 some of them do nothing more this turn.",
                6 - pass
            ));
        }
    }
    let far = way.len() > 1
        || way.first().is_some_and(|leg| {
            let from = movement::standing(g, force);
            movement::first_area(g, movement::Mover::of(g, side, force), from, leg).to != leg.to
        });
    if activated && far && force.leaders.iter().any(|&l| g.c[l].name == "St. Clair") {
        all.push("St. Clair's gout: on 3 and 4 the force has half its MPs, on 5 and 6 it goes one area.".to_owned());
    }
    let mut after = g.clone();
    if side == Side::Us && !force.units.is_empty() {
        for a in way.iter().flat_map(|leg| leg.via.iter().chain([&leg.to])).copied() {
            movement::put(&mut after, force, Spot::On(a));
            all.extend(trespass(&after, a));
        }
    }
    let Some(end) = way.last().map(|leg| leg.to) else { return all };
    movement::put(&mut after, force, Spot::On(end));
    if g.enemy_in(end, side) {
        all.push(format!("At {} the enemy stands: the move ends there whatever MPs are left.", g.name(end)));
    }
    let network = Network::of(&after);
    if force.units.iter().any(|&u| network.feeds_nobody(&after, u)) {
        all.push(format!("At {} they are Out of Supply, as things stand.", g.name(end)));
    }
    all
}

/// Returns the warnings for a raid: rifle-armed units that go along although unarmed ones of the
/// kind could go instead (14.0.2).
pub fn of_raid(g: &State, force: &Force, who: &[Count]) -> Vec<String> {
    let Some(spot) = force.units.first().map(|&u| g.unit(u).spot) else { return Vec::new() };
    let kinds = super::events::by_kind(g, &force.units).into_iter().map(|(kind, _)| kind);
    let told = kinds.filter_map(|kind| {
        let of = |u: &UnitId| g.unit(*u).kind == kind;
        let id = g.c[kind].id.clone();
        let asked = who.iter().any(|count| count.what == id && count.which == Some(Which::Rifled));
        let armed = force.units.iter().filter(|u| of(u) && g.unit(**u).rifle).count();
        let others = |u: &UnitId| of(u) && !g.unit(*u).rifle && !force.units.contains(u);
        let spare = g.units_at(spot).filter(others).any(|u| activation::can_act(g, u) && supply::may_raid(g, u));
        (armed > 0 && spare && !asked).then(|| {
            let id = id.to_lowercase();
            format!("{armed} of the {id} have rifles: `unrifled {id}` takes others, `rifled {id}` says that these are meant.")
        })
    });
    told.collect()
}

/// Returns the chance that a nation goes to war because of the trespass, in words.
fn trespass(after: &State, a: AreaId) -> Option<String> {
    let n = after.c[a].nation.filter(|&n| mobilization::rolls(after, n))?;
    let (drm, base) = (mobilization::trespassing(after, n).total(), i64::from(after.c[n].base));
    let war = (1..=6).filter(|die| (die + i64::from(drm)).clamp(0, 5) >= base).count();
    let name = &after.c[n].name;
    Some(format!(
        "{}: the {name} roll for trespass; on {war} of 6 they go to war, and the move ends there.",
        after.name(a)
    ))
}
