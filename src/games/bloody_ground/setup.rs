//! Set-up of the campaigns (15).

use super::{
    Ask, State, T,
    asking::Asking,
    components::{
        AreaId, Class, Components, KindId, LeaderId, Muster, NationId, Post, Province, Side, SiteKind, Special, Stance,
        Where, Without,
    },
    events, leaders, mobilization,
    order::Lot,
    placing::{Item, Lots, item, put, said},
    state::{Chief, Fort, Land, Spot, Tribe, Unit, UnitId},
    variant::Variant,
};
use postrider_table::{Earned, Introduction, Setup, refuse};
use std::sync::Arc;

/// Returns the text of an invitation about a scenario (1.0, 15, 16).
pub fn introduction(setup: &Setup) -> Introduction {
    let (goal, length) = match &*setup.scenario {
        "harmar-1790" => (
            "The US must pillage Kekionga, or better hold it in supply; the nations must keep settlers out of the land of the \
             Miami and Shawnee, and Kekionga whole (15.1.4). Heavy losses lower what a side has reached.",
            "Two turns: fall 1790 and winter 1791.",
        ),
        "st-clair-1791" => (
            "The US must occupy Kekionga and keep it in supply; otherwise the nations win (15.2.4).",
            "Three turns, from summer 1791.",
        ),
        "wayne-1793" => (WAR, "At most eleven turns, from spring 1793 to fall 1795."),
        "ohio-1790" => (WAR, "At most twenty-one turns, from fall 1790 to fall 1795: a long game."),
        "fallen-timbers" | "st-clairs-surprise" | "harmars-defeat" => (
            "A battle: most victory points win, for units and leaders eliminated and for a board without un-routed enemies (16.1.3).",
            "At most ten rounds instead of turns; in each both sides move, fire and attack.",
        ),
        _ => ("", ""),
    };
    Introduction {
        sides: vec!["the US".to_owned(), "the Native American nations, British and Canadians".to_owned()],
        goal: goal.to_owned(),
        length: length.to_owned(),
    }
}

/// The goals of the long war.
const WAR: &str = "US Commitment at 5 for two years or no nation at war wins for the US, Commitment at 1 for two years or fewer \
                   than ten towns in Ohio at the end for the nations; else victory points (15.4.3, 15.4.4).";

/// Returns the position before anything is placed.
pub fn position(c: Arc<Components>, scenario: &str, variant: Variant) -> State {
    let charts = super::components::Charts::shared(&c);
    let at = c.scenarios.iter().position(|s| s.id == scenario).unwrap_or(0);
    let s = &c.scenarios[at];
    let units = c.kind_ids().flat_map(|kind| vec![Unit::new(kind); usize::from(c[kind].count)]).collect::<Vec<_>>();
    let tribe = |n| {
        let found = s.nations.iter().find(|(name, ..)| c.nation(name) == Some(n));
        let (stance, ml) =
            found.map_or((Stance::Peaceful, c[n].base.max(c[n].fixed)), |(_, stance, ml)| (*stance, *ml));
        Tribe { ml, stance, omens: 0, rose: 0, gave_up: 0 }
    };
    State {
        charts,
        variant,
        scenario: at,
        turn: 0,
        season: s.season,
        year: s.year,
        severe: s.severe,
        commitment: s.commitment,
        vps: [0; 2],
        tribes: c.nation_ids().map(tribe).collect(),
        units: units.into(),
        chiefs: vec![Chief::default(); c.leaders.len()].into(),
        land: vec![Land::default(); c.areas.len()],
        primary: [None; 2],
        raids: vec![Vec::new(); c.areas.len()],
        initiative: s.first_player.unwrap_or_default(),
        rolled: false,
        atrocities: [0; 2],
        spent_atrocities: [0; 2],
        ambushed: [false; 2],
        raid_total: 0,
        general_lost: [false; 2],
        forts_destroyed: 0,
        british: false,
        groups: 0,
        kekionga_vps: false,
        kekionga_pillaged: false,
        settled: vec![false; c.areas.len()],
        raised: None,
        girty_gone: false,
        streaks: [0; 2],
        started: [0; 2],
        earned: Earned::default(),
        told: [0; 2],
        lost: [0; 2],
        lost_at_start: [0; 2],
        fight: None,
        at_rest: false,
        since: Default::default(),
        ending: None,
        c,
    }
}

/// Sets up a campaign: the first seat, then the second (15).
pub async fn campaign(t: &T, g: &mut State) {
    for a in g.c.area_ids().filter(|&a| g.c[a].is(Special::BritishFort)).collect::<Vec<_>>() {
        g.land_mut(a).fort = Some(Fort::of(Side::Na));
    }
    let c = g.c.clone();
    let scenario = &c.scenarios[g.scenario];
    let setup = c.setup_of(scenario).to_owned();
    for &side in &scenario.setup_order {
        if side == Side::Us {
            sites(t, g, &setup).await;
        }
        let forces: Vec<&Muster> =
            c.forces.iter().filter(|force| force.scenario == setup && force.side == side).collect();
        // Leaders who do not belong to a force with units are placed together with the nations at
        // peace.
        let at_once = side == Side::Na && !peaceful(g).is_empty();
        let (agents, forces): (Vec<&Muster>, Vec<&Muster>) = forces
            .into_iter()
            .partition(|force| at_once && force.units.is_empty() && force.dice_units.is_empty() && force.rifles == 0);
        for force in forces {
            place(t, g, force).await;
        }
        if at_once {
            at_peace(t, g, &agents).await;
        }
    }
    // 15.3.2: rifles for any of the warriors on the map.
    for _ in c.forces.iter().filter(|force| force.scenario == setup && force.rifle_die) {
        let n = t.d6("rifles") as u8;
        t.tell(|| format!("Rifle markers: a die of {n}."));
        events::rifles(t, g, n, "15.3.2").await;
    }
    // Units that must begin in a fort get room before those that may.
    let at_forts =
        || c.forces.iter().filter(|force| force.scenario == setup && force.place.contains(&Where::BritishForts));
    for may in [false, true] {
        at_forts().filter(|force| force.place.contains(&Where::Own) == may).for_each(|force| within_forts(g, force));
    }
    if scenario.season == super::components::Season::Spring {
        // 15.3.2: warriors that are not listed are dead.
        for u in g.unit_ids() {
            let iroquois = g.nation_of(u).is_some_and(|n| g.c[n].fixed > 0);
            if g.class(u) == Class::Warrior && !iroquois && g.unit(u).spot == Spot::Pool {
                g.unit_mut(u).spot = Spot::Gone;
            }
        }
        for l in g.c.leader_ids().filter(|&l| g.c[l].kind == Post::Nation && !g.c[l].replacement).collect::<Vec<_>>() {
            if g.chief(l).spot == Spot::Pool {
                g.chief_mut(l).spot = Spot::Gone;
            }
        }
        g.groups = 2;
    }
    if scenario.id == "st-clair-1791" || g.c.scenarios[g.scenario].year > 1791 {
        g.groups = g.groups.max(1);
        // 14.0.7: Kenton has replaced Trotter permanently.
        let trotter = leaders::in_play(g, g.named("Kenton"));
        for name in ["Black Hoof", "Harmar"].into_iter().chain(trotter.then_some("Trotter")) {
            let l = g.named(name);
            if g.chief(l).spot == Spot::Pool {
                g.chief_mut(l).spot = Spot::Gone;
            }
        }
    }
    for name in &scenario.roll_at_setup {
        if let Some(n) = g.c.nation(name) {
            mobilization::roll_at_setup(t, g, n).await;
        }
    }
    for a in g.c.area_ids() {
        g.settled[a.index()] = g.scores(a);
    }
    for side in Side::ALL {
        let on_map = |u: &UnitId| g.side_of(*u) == side && g.unit(*u).spot.area().is_some() && g.is_face_up(*u);
        let first: Vec<UnitId> = g.unit_ids().filter(on_map).collect();
        g.started[side.index()] = first.len() as u8;
        first.into_iter().for_each(|u| g.unit_mut(u).at_start = true);
    }
    leaders::settle_militia(t, g).await;
}

/// Returns the areas of a set-up; `own` is the nation meant by [`Where::Own`]. A bar on an area
/// does not apply to the British fort in it (15.3.2).
fn areas(g: &State, places: &[Where], without: &[Without], own: Option<super::components::NationId>) -> Vec<AreaId> {
    let near = |a: usize| g.beside(AreaId(a as u8)).map(AreaId::index).collect::<Vec<_>>();
    let fits = |a: AreaId, place: &Where| match place {
        Where::Area(id) => g.c[a].id == *id,
        Where::Nation(name) => g.c[a].nation.is_some() && g.c[a].nation == g.c.nation(name),
        Where::Own => g.c[a].nation.is_some() && (own.is_none() || g.c[a].nation == own),
        Where::Towns => g.town(a),
        Where::BesideTowns => g.beside(a).any(|b| g.town(b)),
        Where::Province(province) => g.c[a].state == *province,
        Where::BritishForts => g.fort_of(a, Side::Na),
        Where::Within(n, id) => {
            let far = g.c.area(id).map(|from| postrider_table::steps(g.land.len(), [from.index()], near));
            far.is_some_and(|far| far[a.index()].is_some_and(|d| d <= *n))
        }
        Where::Anywhere => true,
        Where::OfLetter(..) | Where::OfTrail(_) | Where::Hex(_) | Where::Ground(_) => false,
    };
    let barred = |a: AreaId| {
        without.iter().any(|without| match without {
            Without::Settler => g.people(a) > 0,
            Without::Village => g.town(a),
            Without::Fort => g.fort_of(a, Side::Us),
            Without::SouthBank => g.c[a].state != Province::Ohio,
            Without::EnemyBeside => false,
        })
    };
    let open = |a: AreaId, place: &Where| fits(a, place) && (*place == Where::BritishForts || !barred(a));
    g.c.area_ids().filter(|&a| places.iter().any(|place| open(a, place))).collect()
}

fn ids(g: &State, areas: Vec<AreaId>) -> Vec<String> {
    areas.into_iter().map(|a| g.c[a].id.clone()).collect()
}

/// Places villages and a fort, then settlers.
async fn sites(t: &T, g: &mut State, setup: &str) {
    let c = g.c.clone();
    for settlers in [false, true] {
        for site in c.sites.iter().filter(|site| site.scenario == setup && (site.kind == SiteKind::Settler) == settlers)
        {
            let mut n = site.count;
            if site.die {
                let die = t.d6("settlers of the set-up") as u8;
                n += die;
                t.tell(|| format!("Settlers of the set-up: {} and a die of {die}.", site.count));
            }
            let free = |a: &AreaId| match site.kind {
                SiteKind::Village => !g.town(*a),
                SiteKind::Fort => g.land(*a).fort.is_none(),
                SiteKind::Settler => true,
            };
            let places: Vec<AreaId> = areas(g, &site.place, &site.without, None).into_iter().filter(free).collect();
            let most = match site.kind {
                SiteKind::Settler => site.most.unwrap_or(super::state::SETTLERS),
                _ => 1,
            };
            let places = ids(g, places).into_iter().map(|id| (id, most)).collect();
            let what = site.kind.word().replace("us_", "");
            let item = Item { what, n, places, must: !site.optional };
            let title = match site.kind {
                SiteKind::Village => "Where the US sets up villages",
                SiteKind::Fort => "Where the US sets up forts",
                SiteKind::Settler => "Where the US sets up settlers",
            };
            let asking = Asking { kind: Ask::SetUp, rule: "15", title };
            for lot in put(t, g, g.seat(Side::Us), Lots::new(asking, vec![item])).await {
                let Some(a) = g.c.area(&lot.at) else { continue };
                let land = g.land_mut(a);
                match site.kind {
                    SiteKind::Village => land.village = true,
                    SiteKind::Settler => land.settlers += lot.n,
                    SiteKind::Fort => land.fort = Some(Fort::of(Side::Us)),
                }
                t.tell(|| format!("{} at {}.", said(g, lot.n, site.kind.name()), g.name(a)));
            }
        }
    }
}

/// Returns the units of a force: its listed kinds, random militia, and those rolled by a die.
pub fn muster(t: &T, g: &mut State, force: &Muster) -> Vec<(KindId, u8)> {
    let mut kinds: Vec<(KindId, u8)> = force.units.iter().filter_map(|(unit, n)| Some((g.c.kind(unit)?, *n))).collect();
    let random = match force.random_militia {
        2 if g.variant.fourteen_militia => 0,
        n => n,
    };
    if random > 0 {
        // Units of the listed kinds, and one for each militia leader, are not in the pool for the
        // draw.
        let mut set: Vec<UnitId> = Vec::new();
        for &(kind, n) in &kinds {
            set.extend(
                g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).take(usize::from(n)).collect::<Vec<_>>(),
            );
        }
        let mut led: Vec<UnitId> = Vec::new();
        for l in force.leaders.iter().filter_map(|name| g.c.leader(name)).filter(|&l| g.c[l].kind == Post::Militia) {
            let home = |u: &UnitId| g.c[g.unit(*u).kind].state == g.c[l].state && !set.contains(u) && !led.contains(u);
            let listed = kinds.iter().any(|&(kind, _)| g.c[kind].state == g.c[l].state);
            if !listed && !led.iter().any(|&u| g.c[g.unit(u).kind].state == g.c[l].state) {
                led.extend(g.unit_ids().find(home));
            }
        }
        set.iter().chain(&led).for_each(|&u| g.unit_mut(u).spot = Spot::Edge);
        let drawn = events::draw_militia(t, g, random - led.len().min(usize::from(random)) as u8);
        set.iter().chain(&led).for_each(|&u| g.unit_mut(u).spot = Spot::Pool);
        led.extend(drawn);
        for (kind, n) in events::by_kind(g, &led) {
            match kinds.iter_mut().find(|known| known.0 == kind) {
                Some(known) => known.1 += n,
                None => kinds.push((kind, n)),
            }
        }
    }
    if let Some(kind) = g.c.kind(&force.dice_units) {
        let die = t.d6("warriors of the set-up") as u8;
        t.tell(|| format!("{} of the set-up: {} by a die of {die}.", g.c[kind].id, die.div_ceil(2)));
        kinds.push((kind, die.div_ceil(2)));
    }
    kinds
}

async fn place(t: &T, g: &mut State, force: &Muster) {
    let kinds = muster(t, g, force);
    let mut items: Vec<Item> = Vec::new();
    for &(kind, n) in &kinds {
        let places = ids(g, areas(g, &force.place, &force.without, g.c[kind].nation));
        items.push(item(g.c[kind].id.clone(), n, places, true));
    }
    let leaders: Vec<LeaderId> = force.leaders.iter().filter_map(|name| g.c.leader(name)).collect();
    for &l in &leaders {
        let places = ids(g, areas(g, &force.place, &force.without, g.c[l].nation));
        items.push(item(g.c[l].name.clone(), 1, places, true));
    }
    // If half of the units must be in one place, that place comes first.
    for item in &mut items {
        let mut places = item.places.to_vec();
        places.sort_by_key(|place| place.0 != force.half_in);
        item.places = places.into();
    }
    let half = force.half_in.clone();
    let asking = Asking { kind: Ask::SetUp, rule: "15", title: "Your set-up" };
    let mut lots = Lots::new(asking, items).check(move |g, lots: &[Lot]| set_up_holds(g, lots, &half)).apt(hosts);
    if !force.half_in.is_empty() {
        lots = lots.line(format!("At least half of the units and leaders at {}.", force.half_in));
    }
    let lots = put(t, g, g.seat(force.side), lots).await;
    for lot in &lots {
        let Some(a) = g.c.area(&lot.at) else { continue };
        if let Some(l) = g.c.leader(&lot.what) {
            g.chief_mut(l).spot = Spot::On(a);
            t.tell(|| format!("{} at {}.", lot.what, g.name(a)));
        }
    }
    let units: Vec<Lot> = lots.into_iter().filter(|lot| g.c.kind(&lot.what).is_some()).collect();
    events::muster(t, g, &units);
    if let Some(l) = g.c.leader(&force.primary) {
        g.primary[force.side.index()] = Some(l);
        if let Some(n) = g.c[l].nation {
            g.tribe_mut(n).rose = 1;
        }
    }
    for n in g.c.nation_ids() {
        let rises = kinds.iter().any(|&(kind, _)| g.c[kind].nation == Some(n)) && g.tribe(n).rose == 0;
        if rises && g.tribe(n).stance == Stance::Warpath {
            let rose = g.tribes.iter().map(|tribe| tribe.rose).max().unwrap_or(0) + 1;
            g.tribe_mut(n).rose = rose;
        }
    }
    if force.rifles > 0 {
        let nations: Vec<_> = kinds.iter().filter_map(|&(kind, _)| g.c[kind].nation).collect();
        let at = |g: &State, u: UnitId| g.unit(u).spot.area().map(|a| g.c[a].id.clone());
        events::arm(t, g, force.rifles, &nations, "15.2.2", at).await;
    }
}

/// Puts units inside the British fort where they set up, unless they may stand in its area without
/// it (15.3.2).
fn within_forts(g: &mut State, force: &Muster) {
    let kinds: Vec<KindId> = force.units.iter().filter_map(|(unit, _)| g.c.kind(unit)).collect();
    let without: Vec<Where> = force.place.iter().filter(|place| **place != Where::BritishForts).cloned().collect();
    for kind in kinds.into_iter().chain(g.c.kind(&force.dice_units)) {
        let open = areas(g, &without, &force.without, g.c[kind].nation);
        let away = |a: AreaId| !open.contains(&a);
        let units: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot.area().is_some_and(away)).collect();
        units.into_iter().for_each(|u| g.take_in(u));
    }
}

/// Returns `true` if a leader may be placed: a militia leader with militia of his state, Tecumseh
/// with any piece of his side (14.0.7, 14.0.3).
pub fn hosts(g: &State, lots: &[Lot], what: &str, at: &str) -> bool {
    if what == "Tecumseh" {
        let with = lots.iter().any(|lot| lot.at == at && lot.n > 0 && lot.what != what);
        return with || g.c.area(at).is_some_and(|a| leaders::has_company(g, a));
    }
    let Some(state) = g.c.leader(what).and_then(|l| g.c[l].state) else { return true };
    let own =
        |lot: &Lot| lot.at == at && lot.n > 0 && g.c.kind(&lot.what).is_some_and(|kind| g.c[kind].state == Some(state));
    lots.iter().any(own)
}

/// Checks that Tecumseh is put with a unit or leader of his side (14.0.3).
///
/// # Errors
/// A [`postrider_table::Refusal`] if he would be alone.
pub fn keeps_tecumseh(g: &State, lots: &[Lot]) -> Result<(), postrider_table::Refusal> {
    match lots.iter().any(|lot| lot.what == "Tecumseh" && !hosts(g, lots, &lot.what, &lot.at)) {
        true => refuse("14.0.3", "Tecumseh stands with a unit or leader of your side."),
        false => Ok(()),
    }
}

/// Checks the conditions of a set-up other than its places: half of the units and leaders where the
/// scenario requires it (15.2.1, 15.3.1), and the company of leaders (14.0.7, 14.0.3).
fn set_up_holds(g: &State, lots: &[Lot], half: &str) -> Result<(), postrider_table::Refusal> {
    let all: u8 = lots.iter().map(|lot| lot.n).sum();
    let there: u8 = lots.iter().filter(|lot| lot.at == half).map(|lot| lot.n).sum();
    if !half.is_empty() && there * 2 < all {
        return refuse("15", format!("At least half of {all} units and leaders begin at {half}, not {there}."));
    }
    keeps_tecumseh(g, lots)?;
    for lot in lots {
        if !hosts(g, lots, &lot.what, &lot.at) {
            let state = g.c.leader(&lot.what).and_then(|l| g.c[l].state).unwrap_or_default();
            return refuse("14.0.7", format!("{} stands with militia of {}.", lot.what, state.name()));
        }
    }
    Ok(())
}

/// Returns the nations with land of their own that the scenario does not mention (15.1.2).
fn peaceful(g: &State) -> Vec<NationId> {
    let named = |n: NationId| g.c.scenarios[g.scenario].nations.iter().any(|(name, ..)| g.c.nation(name) == Some(n));
    let landed = |n: NationId| g.c.area_ids().any(|a| g.c[a].nation == Some(n));
    g.c.nation_ids().filter(|&n| !named(n) && g.c[n].fixed == 0 && landed(n)).collect()
}

/// Returns the warriors and leader of a nation that begins in its own areas.
fn at_home(g: &State, n: NationId) -> Vec<Item> {
    let kind = g.c.warriors(n);
    let places = ids(g, g.c.area_ids().filter(|&a| g.c[a].nation == Some(n)).collect());
    let mut items = vec![item(g.c[kind].id.clone(), g.c[kind].count, places.clone(), true)];
    let leader = |l: &LeaderId| g.c[*l].nation == Some(n) && !g.c[*l].replacement && g.chief(*l).spot == Spot::Pool;
    for l in g.c.leader_ids().filter(leader) {
        items.push(item(g.c[l].name.clone(), 1, places.clone(), true));
    }
    items
}

/// Places the nations that the scenario does not mention in their own areas, and the leaders
/// without a force, in one question (15.1.2). Pieces with only one possible place are not asked
/// for.
async fn at_peace(t: &T, g: &mut State, agents: &[&Muster]) {
    let mut items: Vec<Item> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for force in agents {
        for l in force.leaders.iter().filter_map(|name| g.c.leader(name)) {
            let places = ids(g, areas(g, &force.place, &force.without, g.c[l].nation));
            items.push(item(g.c[l].name.clone(), 1, places, true));
            names.push(g.c[l].name.clone());
        }
    }
    items.extend(peaceful(g).into_iter().flat_map(|n| at_home(g, n)));
    let (fixed, open): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.places.len() == 1);
    let mut lots: Vec<Lot> =
        fixed.into_iter().map(|item| Lot { n: item.n, what: item.what, at: item.places[0].0.clone() }).collect();
    let asking = Asking { kind: Ask::SetUp, rule: "15.1.2", title: "Your set-up of the nations at peace" };
    let mut asked = Lots::new(asking, open).check(|g, lots: &[Lot]| set_up_holds(g, lots, "")).apt(hosts);
    if !names.is_empty() {
        asked = asked.line(format!("With them: {}.", postrider_orders::list_and(&names)));
    }
    lots.extend(put(t, g, g.seat(Side::Na), asked).await);
    for lot in &lots {
        let (Some(l), Some(a)) = (g.c.leader(&lot.what), g.c.area(&lot.at)) else { continue };
        g.chief_mut(l).spot = Spot::On(a);
        if names.contains(&lot.what) {
            t.tell(|| format!("{} at {}.", lot.what, g.name(a)));
        }
    }
    let units: Vec<Lot> = lots.into_iter().filter(|lot| g.c.kind(&lot.what).is_some()).collect();
    events::muster(t, g, &units);
}
