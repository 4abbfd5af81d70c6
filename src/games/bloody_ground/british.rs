//! British intervention (8.5.3).

use super::{
    Ask, State, T,
    asking::Asking,
    components::{AreaId, Class, Season, Side, Special},
    events, leaders,
    placing::{Lots, item, put},
    state::Spot,
};

/// Returns the number that the intervention die must be below.
pub fn number(g: &State) -> i32 {
    let besieged = g.c.area_ids().filter(|&a| g.fort_of(a, Side::Na) && g.besieged(a)).count();
    let n = |count: usize| i32::try_from(count).unwrap_or(0);
    n(g.at_war()) + i32::from(g.forts_destroyed) + n(besieged) - i32::from(g.commitment) - n(g.surrendered())
}

/// Returns the areas where the British may enter: un-besieged British forts at the north edge west
/// of Lake Erie. With the option, any un-besieged British fort, and any area of that edge without a
/// US fort or units.
fn entries(g: &State) -> Vec<AreaId> {
    let opens = |a: &AreaId| {
        let (fort, edge) = (g.open_fort(*a, Side::Na), g.c[*a].is(Special::BritishEnter));
        if g.variant.british_edge { fort || edge && !g.enemy_in(*a, Side::Na) } else { fort && edge }
    };
    g.bounded(g.c.area_ids().filter(opens).collect())
}

/// Rolls for intervention in every turn that allows it, until it succeeds (8.5.3).
pub async fn phase(t: &T, g: &mut State) {
    if g.british || g.season == Season::Winter || !(2..=4).contains(&g.commitment) {
        return;
    }
    let number = number(g);
    let places = entries(g);
    if number <= 1 || places.is_empty() {
        return;
    }
    let die = t.d6("British intervention");
    t.tell(|| format!("British intervention: {die}, below {number} needed."));
    if die >= i64::from(number) {
        return;
    }
    g.british = true;
    let die = t.d6("Canadian militia");
    let canadians = 2 + die as usize;
    t.tell(|| {
        format!("Great Britain intervenes: Dorchester, regulars and {canadians} Canadians (2 and a die of {die}).")
    });
    let places: Vec<String> = places.into_iter().map(|a| g.c[a].id.clone()).collect();
    let mut items = Vec::new();
    for (class, n) in [(Class::British, usize::MAX), (Class::Canadian, canadians)] {
        let kind = g.c.of_class(class);
        let waiting = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).count();
        items.push(item(g.c[kind].id.clone(), waiting.min(n) as u8, places.clone(), true));
    }
    let dorchester = g.named("Dorchester");
    items.push(item(g.c[dorchester].name.clone(), 1, places, true));
    let asking = Asking { kind: Ask::BritishEntry, rule: "8.5.3", title: "Where the British enter" };
    let lots = put(t, g, g.seat(Side::Na), Lots::new(asking, items)).await;
    events::muster(t, g, &lots);
    let led = lots.iter().filter(|lot| g.c.leader(&lot.what) == Some(dorchester)).find_map(|lot| g.area(&lot.at));
    if let Some(a) = led {
        g.chief_mut(dorchester).spot = Spot::On(a);
        g.take_in_leader(dorchester);
        t.tell(|| format!("Dorchester is at {}.", g.name(a)));
    }
}

/// Removes Dorchester when no British or Canadian unit is left (8.5.3).
pub fn dorchester_leaves(t: &T, g: &mut State) {
    let dorchester = g.named("Dorchester");
    let left = g.unit_ids().any(|u| g.class(u).is_british() && g.unit(u).spot.area().is_some());
    if g.chief(dorchester).spot.area().is_some() && !left {
        g.retire(dorchester);
        t.tell(|| "Dorchester leaves with the last of his units.".to_owned());
        leaders::native_primary(g);
    }
}
