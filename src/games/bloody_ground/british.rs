//! British intervention (8.5.3).

use super::{
    Ask, State, T,
    asking::{Asking, Place, choose},
    components::{AreaId, Class, Season, Side, Special},
    state::{Spot, UnitId},
};

/// The number that a die must fall below.
pub fn number(g: &State) -> i32 {
    let besieged = g.c.area_ids().filter(|&a| g.fort_of(a, Side::Na) && g.besieged(a)).count();
    let n = |count: usize| i32::try_from(count).unwrap_or(0);
    n(g.at_war()) + i32::from(g.forts_destroyed) + n(besieged) - i32::from(g.commitment) - n(g.surrendered())
}

/// Where the British enter: an un-besieged fort on the north edge west of Lake Erie; by an option the edge too.
fn entries(g: &State) -> Vec<AreaId> {
    let opens = |a: &AreaId| {
        let north = g.c[*a].is(Special::BritishEnter);
        let free = !g.fort_of(*a, Side::Us) && g.fighters(*a, Side::Us).next().is_none();
        north && (g.open_fort(*a, Side::Na) || g.variant.british_edge && free)
    };
    g.c.area_ids().filter(opens).collect()
}

/// 8.5.3: the die, in every turn that allows it until it succeeds.
pub async fn phase(t: &T, g: &mut State) {
    if g.british || g.season == Season::Winter || !(2..=4).contains(&g.commitment) {
        return;
    }
    let number = number(g);
    let places = entries(g);
    if number <= 1 || places.is_empty() {
        return;
    }
    let die = t.roll("British intervention", 1, 6);
    t.tell(|| format!("British intervention: {die}, below {number} needed."));
    if die >= i64::from(number) {
        return;
    }
    g.british = true;
    let asking = Asking { kind: Ask::BritishEntry, rule: "8.5.3", title: "Where the British enter" };
    let at = choose(t, g, g.seat(Side::Na), asking, places.into_iter().map(Place).collect(), |_| String::new()).await.0;
    let canadians = 2 + t.roll("Canadian militia", 1, 6) as usize;
    for (class, n) in [(Class::British, usize::MAX), (Class::Canadian, canadians)] {
        let kind = g.c.of_class(class);
        let units: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).take(n).collect();
        for u in units {
            g.unit_mut(u).spot = Spot::On(at);
            g.take_in(u);
        }
    }
    let dorchester = g.named("Dorchester");
    g.chief_mut(dorchester).spot = Spot::On(at);
    g.take_in_leader(dorchester);
    t.tell(|| format!("Great Britain intervenes: Dorchester, regulars and {canadians} Canadians at {}.", g.name(at)));
}

/// 8.5.3: Dorchester leaves when no British or Canadian unit is left.
pub fn dorchester_leaves(t: &T, g: &mut State) {
    let dorchester = g.named("Dorchester");
    let left = g.unit_ids().any(|u| g.class(u).is_british() && g.unit(u).spot.area().is_some());
    if g.chief(dorchester).spot.area().is_some() && !left {
        g.chief_mut(dorchester).spot = Spot::Gone;
        t.tell(|| "Dorchester leaves with the last of his units.".to_owned());
    }
}
