//! Settlers and villages (4.2, 6).

use super::{
    Ask, State, T,
    amendment::Amendment,
    asking::{Asking, Place, choose},
    components::{AreaId, Drm, Province, Season, Side},
    lots::{Item, Lots, put},
    order::Lot,
    state::SETTLERS,
};
use crate::table::{chart::Modifiers, refuse};

/// T:settler-generation-chart.
pub fn generation(g: &State) -> Modifiers {
    let mut drm = Modifiers::new();
    let rows = [
        (g.commitment == 5, Drm::SettlersCommitment5),
        (g.season == Season::Spring, Drm::SettlersSpring),
        (g.commitment == 4, Drm::SettlersCommitment4),
        (g.season == Season::Summer, Drm::SettlersSummer),
        (g.commitment == 2, Drm::SettlersCommitment2),
        (g.commitment == 1, Drm::SettlersCommitment1),
    ];
    rows.into_iter().for_each(|(holds, row)| {
        drm.add_if(holds, row.name(), g.c.drm(row));
    });
    drm
}

/// How many of so many settlers must go to Ohio and elsewhere, by the second die (6.0.1): each as least and most in Ohio.
pub fn shares(settlers: u8, die: i64) -> (u8, u8) {
    match die {
        1..=3 => (settlers.div_ceil(2), settlers.div_ceil(2)),
        4..=5 => (settlers * 2 / 3, (settlers * 2).div_ceil(3)),
        _ => (0, settlers),
    }
}

/// 6.0.1: where a settler may be put: not where it is pillaged, where a face-up warrior or an Atrocity marker is, and only in
/// or beside what was settled before.
pub fn may_settle(g: &State, a: AreaId, settled: &[bool]) -> bool {
    let land = g.land(a);
    let warriors = g.units_in(a, Side::Na).any(|u| g.nation_of(u).is_some() && g.is_face_up(u));
    let near = settled[a.index()] || g.beside(a).any(|b| settled[b.index()]);
    !land.pillaged && land.atrocity == [0; 2] && !warriors && near && land.settlers < SETTLERS
}

/// 4.2: exchanges for villages, then new settlers, and those who fled before (6.0.2).
pub async fn phase(t: &T, g: &mut State) {
    villages(t, g).await;
    if g.season == Season::Winter {
        return;
    }
    let drm = generation(g);
    let die = t.roll("settlers", 1, 6);
    let n = (die + i64::from(drm.total())).max(0) as u8;
    let place = t.roll("settlers' places", 1, 6);
    t.tell(|| format!("Settlers: {}; places {place}.", drm.told(die)));
    let settled: Vec<bool> = g.c.area_ids().map(|a| g.is_settled(a)).collect();
    let open: Vec<AreaId> = g.c.area_ids().filter(|&a| may_settle(g, a, &settled)).collect();
    let (least, most) = shares(n, place);
    let id = |g: &State, a: AreaId| g.c[a].id.clone();
    let share = |ohio: bool, n: u8, what: &str| {
        let places = open.iter().filter(|&&a| (g.c[a].state == Province::Ohio) == ohio);
        Item { what: what.to_owned(), n, places: places.map(|&a| (id(g, a), SETTLERS)).collect(), must: false }
    };
    let items = if most == n && least == 0 {
        let places = open.iter().map(|&a| (id(g, a), SETTLERS)).collect();
        vec![Item { what: "settler".to_owned(), n, places, must: false }]
    } else {
        vec![share(true, most, "ohio-settler"), share(false, n - least, "eastern-settler")]
    };
    let mut all = items;
    for a in g.c.area_ids().filter(|&a| g.land(a).fled > 0) {
        let what = format!("refugee-of-{}", g.c[a].id.to_lowercase());
        let places = open.iter().filter(|&&b| b != a).map(|&b| (id(g, b), SETTLERS)).collect();
        all.push(Item { what, n: g.land(a).fled, places, must: false });
    }
    let asking = Asking { kind: Ask::Settlers, rule: "6.0.1", title: "Where settlers go" };
    let mut lots = Lots::new(asking, all).check(move |_, lots: &[Lot]| {
        let new: u8 = lots.iter().filter(|lot| lot.what.ends_with("settler")).map(|lot| lot.n).sum();
        if new > n { refuse("6.0.1", format!("{n} settlers come, not {new}.")) } else { Ok(()) }
    });
    for &a in &open {
        lots = lots.room(id(g, a), SETTLERS - g.land(a).settlers);
    }
    lots =
        lots.line(format!("{n} settlers come; those who are not put are lost. Ohio takes {least} to {most} of them."));
    for lot in put(t, g, g.seat(Side::Us), lots).await {
        let Some(a) = g.area(&lot.at) else { continue };
        if let Some(from) = lot.what.strip_prefix("refugee-of-").and_then(|id| g.area(id)) {
            g.land_mut(from).fled -= lot.n;
        }
        g.land_mut(a).settlers += lot.n;
        t.tell(|| format!("{} {} in {}.", lot.n, if lot.n == 1 { "settler" } else { "settlers" }, g.name(a)));
    }
    award(t, g);
}

/// 6.0.3: three settlers of an area that had as many in the last End Phase make room for a village.
async fn villages(t: &T, g: &mut State) {
    loop {
        let can = |a: &AreaId| g.land(*a).settlers >= 3 && !g.land(*a).village;
        let areas: Vec<AreaId> = g.c.area_ids().filter(can).collect();
        if areas.is_empty() {
            return;
        }
        use crate::table::{NO, OneOr};
        let among = OneOr::among(NO, areas.into_iter().map(Place));
        let asking = Asking { kind: Ask::Settlers, rule: "6.0.3", title: "Whether three settlers become a village" };
        match choose(t, g, g.seat(Side::Us), asking, among, |_| "A village stays for ever.".to_owned()).await {
            OneOr::Word(_) => return,
            OneOr::One(Place(a)) => {
                let land = g.land_mut(a);
                land.settlers -= 3;
                land.village = true;
                t.tell(|| format!("A village in {}.", g.name(a)));
            }
        }
    }
}

/// 15.4.5: 1 VP when an area becomes settled, and again when it was emptied between.
pub fn award(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let now = g.scores(a);
        let before = std::mem::replace(&mut g.settled[a.index()], now);
        if now && !before && !g.variant.settled_at_end {
            g.score(Side::Us, 1);
            t.tell(|| format!("{} is settled: US +1 VP.", g.name(a)));
        }
    }
    kekionga(t, g);
}

/// 15.4.5: once, 2 VPs for a settler or a US fort at Kekionga.
pub fn kekionga(t: &T, g: &mut State) {
    let k = g.kekionga();
    if !g.kekionga_vps && (g.is_settled(k) || g.fort_of(k, Side::Us)) {
        g.kekionga_vps = true;
        g.score(Side::Us, 2);
        t.tell(|| "Kekionga is settled or fortified: US +2 VPs.".to_owned());
    }
}

/// 6.0.2: a settler who is raided or pillaged: a die above Commitment removes him, else he flees to the nearest town.
pub async fn strike(t: &T, g: &mut State, a: AreaId) {
    if g.people(a) == 0 {
        return;
    }
    g.take_settler(a);
    let die = t.roll("settler", 1, 6);
    if die > i64::from(g.commitment) {
        g.score(Side::Us, -1);
        g.score(Side::Na, 1);
        t.tell(|| format!("A settler of {} is lost ({die}): US -1 VP, NA +1.", g.name(a)));
    } else {
        flee(t, g, a).await;
    }
}

/// A settler flees to the nearest town; of several as near the US chooses.
pub async fn flee(t: &T, g: &mut State, a: AreaId) {
    let near = |place: usize| g.beside(AreaId(place as u8)).map(AreaId::index);
    let far = crate::table::steps(g.land.len(), [a.index()], near);
    // 9.5.2: no settler may be in a pillaged area.
    let open = |b: AreaId| g.town(b) && !(g.land(b).pillaged && g.amended(Amendment::RefugeSafe));
    let towns: Vec<AreaId> = g.c.area_ids().filter(|&b| b != a && open(b) && far[b.index()].is_some()).collect();
    let nearest = towns.iter().filter_map(|b| far[b.index()]).min();
    let among: Vec<Place> = towns.into_iter().filter(|b| far[b.index()] == nearest).map(Place).collect();
    if among.is_empty() {
        return;
    }
    let asking = Asking { kind: Ask::Settlers, rule: "6.0.2", title: "Where a settler flees" };
    let to = choose(t, g, g.seat(Side::Us), asking, among, |_| String::new()).await.0;
    g.land_mut(to).fled += 1;
    t.tell(|| format!("A settler of {} flees to {}.", g.name(a), g.name(to)));
}

/// 6.0.2: an Atrocity marker takes a settler off without a die.
pub fn massacre(t: &T, g: &mut State, a: AreaId) {
    if g.people(a) == 0 {
        return;
    }
    g.take_settler(a);
    g.score(Side::Na, 1);
    t.tell(|| format!("A settler of {} is lost: NA +1 VP.", g.name(a)));
}
