//! Native American mobilization, treaties and surrender (8.1, 8.6).

use super::{
    Ask, State, T, activation,
    asking::{Asking, choose},
    components::{AreaId, Drm, LeaderId, NationId, Side, Stance},
    facts, leaders,
    order::Lot,
    placing::{Item, Lots, item, put},
    ranking::Ranking,
    state::{Spot, UnitId},
};
use postrider_table::{NO, YES, chart::Modifiers};

/// VPs for each treaty; `MOST_TREATIES` is the maximum per nation (8.6.3).
const TREATY: i32 = 2;
const MOST_TREATIES: u8 = 2;

/// Rolls for every nation that is neither at war nor surrendered, in the order that NA names (8.1,
/// 15.4.2). The order and the treaties (8.6.3) are asked for before the first die.
pub async fn phase(t: &T, g: &mut State) {
    enum Plan {
        Order(Vec<NationId>),
        Treaties(Vec<Lot>),
    }
    let nations: Vec<NationId> = g.c.nation_ids().filter(|&n| rolls(g, n)).collect();
    let leaders = nations.iter().filter_map(|&n| g.nation_leader(n)).collect();
    activation::raise(t, g, leaders, "One leader, for the mobilization of his nation.".to_owned()).await;
    let mut open = Vec::new();
    if nations.len() > 1 {
        open.push(t.open(g.seat(Side::Na), Ranking { among: nations.clone() }).map(Plan::Order));
    }
    let treaties = treaty_plan(g, &nations);
    if treaties.only_answer(g).is_none() {
        open.push(t.open(g.seat(Side::Us), treaties).map(Plan::Treaties));
    }
    let (mut order, mut treaties) = (nations, Vec::new());
    for plan in t.all(g, open).await {
        match plan {
            Plan::Order(said) => order = said,
            Plan::Treaties(lots) => treaties = lots,
        }
    }
    for n in order {
        let name = &g.c[n].name;
        let wanted: u8 = treaties.iter().filter(|lot| lot.at == *name).map(|lot| lot.n).sum();
        // Treaties are limited by the VPs left when the nation rolls.
        let offered = i32::from(wanted.min(offers(g, n)));
        pay(t, g, n, offered);
        mobilize(t, g, n, offered).await;
    }
    g.raised = None;
    g.tribes.iter_mut().for_each(|tribe| tribe.omens = 0);
}

/// Returns the question of how many treaties to offer to each nation; it has a single answer if
/// none can be paid.
fn treaty_plan(g: &State, nations: &[NationId]) -> Lots {
    let open: Vec<NationId> = nations.iter().copied().filter(|&n| offers(g, n) > 0).collect();
    let places = open.iter().map(|&n| (g.c[n].name.clone(), MOST_TREATIES)).collect();
    let treaty = Item { what: "treaty".to_owned(), n: MOST_TREATIES * open.len() as u8, places, must: false };
    let asking =
        Asking { kind: Ask::Treaties, rule: "8.6.3", title: "How many peace treaties you offer to each nation" };
    let mut lots = Lots::new(asking, vec![treaty]).line(format!(
        "A treaty costs {TREATY} VPs and is -1; it is paid when the nation rolls, as far as your VPs reach then."
    ));
    for &n in nations {
        let (drm, base) = (modifiers(g, n, 0), g.c[n].base);
        let barred = if open.contains(&n) { "" } else { "; no treaty (8.6.3)" };
        lots = lots.line(format!("The {} roll with {drm}; war at {base} or more{barred}.", g.c[n].name));
    }
    lots.knowing(move |g, lots| {
        let named = |n: &NationId| lots.is_none_or(|lots| lots.iter().any(|lot| lot.at == g.c[*n].name));
        facts::nations(g, &open.iter().copied().filter(named).collect::<Vec<_>>())
    })
}

/// Returns `true` if a nation rolls this turn (8.0, 8.1.3).
pub fn rolls(g: &State, n: NationId) -> bool {
    g.c[n].fixed == 0 && g.tribe(n).stance == Stance::Peaceful
}

/// Returns the number of treaties that the US may offer a nation: 0 if it is barred or VPs are
/// short (8.6.3).
pub fn offers(g: &State, n: NationId) -> u8 {
    let here = |name: &str| g.c.leader(name).and_then(|l| g.chief(l).spot.area());
    let barred = !g.c[n].no_treaty_while.is_empty() && here(&g.c[n].no_treaty_while).is_some();
    let tecumseh = tecumseh_with(g, n);
    if barred || tecumseh { 0 } else { (g.vps[Side::Us.index()] / TREATY).clamp(0, MOST_TREATIES.into()) as u8 }
}

/// Returns `true` if Tecumseh is in an area of the nation (14.0.3).
fn tecumseh_with(g: &State, n: NationId) -> bool {
    g.chief(g.named("Tecumseh")).spot.area().is_some_and(|a| g.c[a].nation == Some(n))
}

fn pay(t: &T, g: &mut State, n: NationId, offered: i32) {
    if offered > 0 {
        g.score(Side::Us, -TREATY * offered, "8.6.3");
        let treaties = if offered == 1 { "treaty" } else { "treaties" };
        t.tell(|| format!("The US offers the {} {offered} {treaties}: -{} VPs.", g.c[n].name, TREATY * offered));
    }
}

/// Returns the modifiers of a mobilization die (T:native-american-mobilization-chart, 14.0.3, 5.0).
/// The leader's rating is a separate entry because he may hold it back (8.1.1).
pub fn modifiers(g: &State, n: NationId, treaties: i32) -> Modifiers {
    let mut drm = Modifiers::new();
    let own = || g.c.area_ids().filter(move |&a| g.c[a].nation == Some(n));
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    add(Drm::MobilizationVpsBehind, i32::from(g.lead() >= 10));
    let at_forts: Vec<AreaId> =
        g.of_kind(g.c.warriors(n)).filter_map(|u| g.unit(u).spot.area()).filter(|&a| g.fort_of(a, Side::Na)).collect();
    let here = |a: &AreaId| at_forts.iter().filter(|&b| b == a).count();
    add(Drm::MobilizationAtBritishFort, i32::from(at_forts.iter().any(|a| here(a) >= 2)));
    let atrocities: u8 = own().filter(|&a| !g.is_settled(a)).map(|a| g.land(a).atrocity.iter().sum::<u8>()).sum();
    add(Drm::MobilizationAtrocity, atrocities.into());
    add(Drm::MobilizationVillage, count(own().filter(|&a| g.land(a).village).count()));
    add(Drm::MobilizationPillaged, count(own().filter(|&a| g.land(a).pillaged).count()));
    add(Drm::MobilizationTreaty, treaties);
    let k = g.kekionga();
    add(Drm::MobilizationKekionga, i32::from(g.land(k).pillaged || g.is_settled(k) || g.fort_of(k, Side::Us)));
    add(Drm::MobilizationVpsAhead, i32::from(g.lead() <= -10));
    add(Drm::MobilizationTecumseh, i32::from(tecumseh_with(g, n)));
    let omens = g.tribe(n).omens;
    add(Drm::MobilizationGoodOmens, i32::from(omens.max(0)));
    add(Drm::MobilizationBadOmens, i32::from((-omens).max(0)));
    if let Some(l) = g.nation_leader(n) {
        drm.add(g.c[l].name.clone(), g.rating(l));
    }
    drm
}

/// Rolls for one nation (8.1).
async fn mobilize(t: &T, g: &mut State, n: NationId, treaties: i32) {
    let mut drm = modifiers(g, n, treaties);
    let die = t.d6("mobilization");
    let leader = g.nation_leader(n).filter(|_| g.variant.rating_after_roll);
    if let Some(l) = leader.filter(|&l| g.rating(l) > 0) {
        let asking = Asking { kind: Ask::Rating, rule: "8.1.1", title: "Whether the leader's rating is added" };
        let by = g.rating(l);
        let line = {
            let drm = drm.clone();
            move |g: &State| format!("{}: {}; war at {} or more.", g.c[n].name, drm.told(die), g.c[n].base)
        };
        if choose(t, g, g.seat(Side::Na), asking, vec![YES, NO], line).await == NO {
            drm.add("held back", -by);
        }
    }
    let mut level = die + i64::from(drm.total());
    if g.tribe(n).omens > 0 {
        level = level.max(1);
    }
    let base = i64::from(g.c[n].base);
    g.tribe_mut(n).ml = level.clamp(0, 5) as u8;
    t.tell(|| format!("The {} roll {}; war at {base}.", g.c[n].name, drm.told(die)));
    if level <= 0 {
        surrender(t, g, n);
    } else if level >= base {
        to_war(t, g, n).await;
    }
}

/// Puts a nation on the warpath; its warriors outside British forts may gather with their leader
/// (8.1).
pub async fn to_war(t: &T, g: &mut State, n: NationId) {
    let rose = g.tribes.iter().map(|tribe| tribe.rose).max().unwrap_or(0) + 1;
    let tribe = g.tribe_mut(n);
    tribe.stance = Stance::Warpath;
    tribe.rose = rose;
    leaders::native_primary(g);
    t.tell(|| format!("The {} are on the warpath.", g.c[n].name));
    let Some(at) = g.nation_leader(n).and_then(|l| g.chief(l).spot.area()) else { return };
    let kind = g.c.warriors(n);
    let of_kind = |g: &State, a: AreaId| -> Vec<UnitId> {
        g.units_at(Spot::On(a)).filter(|&u| g.unit(u).kind == kind && !g.unit(u).inside).collect()
    };
    let count = |a: AreaId| of_kind(g, a).len() as u8;
    let places: Vec<(String, u8)> =
        g.c.area_ids().filter(|&a| a != at).map(|a| (g.c[a].id.clone(), count(a))).filter(|&(_, n)| n > 0).collect();
    if places.is_empty() {
        return;
    }
    let all = places.iter().map(|place| place.1).sum();
    let gathered = Item { what: "warrior".to_owned(), n: all, places: places.into(), must: false };
    let asking = Asking { kind: Ask::Gather, rule: "8.1", title: "Which warriors gather with their leader" };
    let lots = Lots::new(asking, vec![gathered]).line(format!(
        "The {} go to war; their leader is at {}. Say from where warriors come.",
        g.c[n].name,
        g.name(at)
    ));
    for lot in put(t, g, g.seat(Side::Na), lots).await {
        let Some(from) = g.area(&lot.at) else { continue };
        for u in of_kind(g, from).into_iter().take(usize::from(lot.n)) {
            g.unit_mut(u).spot = Spot::On(at);
            g.take_in(u);
        }
        let gather = if lot.n == 1 { "gathers" } else { "gather" };
        t.tell(|| format!("{} {} {gather} from {}.", lot.n, g.c[n].name, g.name(from)));
    }
}

/// Makes a nation surrender: its pieces leave, except those at a British fort, whose warriors stay
/// until the end of the next fall turn (8.6.2).
pub fn surrender(t: &T, g: &mut State, n: NationId) {
    let turn = g.turn;
    let tribe = g.tribe_mut(n);
    tribe.stance = Stance::Surrendered;
    tribe.ml = 0;
    tribe.gave_up = turn;
    g.score(Side::Us, 5, "8.6.2");
    t.tell(|| format!("The {} surrender: US +5 VPs.", g.c[n].name));
    let goes = |g: &State, spot: Spot| spot.area().is_none_or(|a| !g.fort_of(a, Side::Na));
    let units: Vec<UnitId> = g.of_kind(g.c.warriors(n)).filter(|&u| goes(g, g.unit(u).spot)).collect();
    units.into_iter().for_each(|u| g.remove(u, Spot::Gone));
    let leaders: Vec<LeaderId> = g.c.leader_ids().filter(|&l| g.c[l].nation == Some(n)).collect();
    leaders.into_iter().filter(|&l| goes(g, g.chief(l).spot)).collect::<Vec<_>>().into_iter().for_each(|l| {
        g.chief_mut(l).spot = Spot::Gone;
    });
}

/// Returns the modifier of a trespass roll: 1 for each area of the nation with US units (8.1.2).
pub fn trespassing(g: &State, n: NationId) -> Modifiers {
    let forces =
        g.c.area_ids().filter(|&a| g.c[a].nation == Some(n) && g.units_in(a, Side::Us).next().is_some()).count();
    let mut drm = Modifiers::new();
    drm.add(Drm::MobilizationTrespass.name(), g.c.drm(Drm::MobilizationTrespass) * i32::try_from(forces).unwrap_or(0));
    drm
}

/// Rolls for a peaceful nation whose area the US has entered (8.1.2). Returns `true` if it goes to
/// war, which ends the move.
pub async fn trespass(t: &T, g: &mut State, n: NationId) -> bool {
    if !rolls(g, n) {
        return false;
    }
    let drm = trespassing(g, n);
    let die = t.d6("trespass");
    let level = (die + i64::from(drm.total())).clamp(0, 5) as u8;
    t.tell(|| format!("The {} roll for trespass: {}; war at {}.", g.c[n].name, drm.told(die), g.c[n].base));
    g.tribe_mut(n).ml = level;
    let war = level >= g.c[n].base;
    if war {
        g.since.iter_mut().for_each(|since| since.trespass = true);
        to_war(t, g, n).await;
    }
    war
}

/// Returns the areas where new warriors of a nation may be placed: its own, neither pillaged nor
/// settled (8.1).
pub fn homes(g: &State, n: NationId) -> Vec<AreaId> {
    let home = |a: &AreaId| g.c[*a].nation == Some(n) && !g.land(*a).pillaged && !g.is_settled(*a);
    g.c.area_ids().filter(home).collect()
}

/// Places the warriors that were not in the set-up, in spring 1791, in their own areas that are
/// neither pillaged nor settled (15.1.2).
pub async fn reserves(t: &T, g: &mut State) {
    for n in g.c.nation_ids().filter(|&n| g.c[n].fixed == 0).collect::<Vec<_>>() {
        let kind = g.c.warriors(n);
        let waiting = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).count() as u8;
        let places: Vec<String> = homes(g, n).into_iter().map(|a| g.c[a].id.clone()).collect();
        if waiting == 0 || g.tribe(n).stance == Stance::Surrendered {
            continue;
        }
        let asking = Asking { kind: Ask::Muster, rule: "15.1.2", title: "Where the other warriors come" };
        let lots = Lots::new(asking, vec![item(g.c[kind].id.clone(), waiting, places, true)]);
        let lots = put(t, g, g.seat(Side::Na), lots).await;
        super::events::muster(t, g, &lots);
    }
}

/// Rolls for a nation whose attitude is determined at set-up (15.2.2).
pub async fn roll_at_setup(t: &T, g: &mut State, n: NationId) {
    mobilize(t, g, n, 0).await;
}
