//! Settlers and villages (4.2, 6).

use super::{
    Ask, State, T,
    asking::{Asking, Place, choose},
    components::{AreaId, Drm, Province, Season, Side},
    events::{Asked, ForUs, ForUsAnswer},
    order::Lot,
    placing::{Item, Lots},
    state::SETTLERS,
};
use postrider_orders::counted;
use postrider_table::{chart::Modifiers, refuse};

/// Returns the modifiers of T:settler-generation-chart.
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

/// Returns the least and most settlers that go to Ohio, by the second die (6.0.1).
pub fn shares(settlers: u8, die: i64) -> (u8, u8) {
    match die {
        1..=3 => (settlers.div_ceil(2), settlers.div_ceil(2)),
        4..=5 => (settlers * 2 / 3, (settlers * 2).div_ceil(3)),
        _ => (0, settlers),
    }
}

/// Returns `true` if a settler may be placed in an area: not pillaged, no face-up warriors, no
/// Atrocity marker, and settled before this phase or adjacent to such an area (6.0.1).
pub fn may_settle(g: &State, a: AreaId, settled: &[bool]) -> bool {
    let land = g.land(a);
    let warriors = g.units_in(a, Side::Na).any(|u| g.nation_of(u).is_some() && g.is_face_up(u));
    let near = settled[a.index()] || g.beside(a).any(|b| settled[b.index()]);
    !land.pillaged && land.atrocity == [0; 2] && !warriors && near
}

/// Runs the Settler Phase: exchanges for villages, new settlers, and those who fled before (4.2,
/// 6.0.2). The question of the turn's event for the US is asked at the same time.
pub async fn phase(t: &T, g: &mut State, event: Option<ForUs>) {
    enum Answer {
        Event(ForUsAnswer),
        Settlers(Vec<Lot>),
    }
    let seat = g.seat(Side::Us);
    let mut answers = Vec::new();
    let mut open = Vec::new();
    match event.map(|event| event.ask(t, seat, g)) {
        Some(Asked::Open(ticket)) => open.push(ticket.map(Answer::Event)),
        Some(Asked::Known(answer)) => answers.push(Answer::Event(answer)),
        None => {}
    }
    let lots = match g.season {
        Season::Winter => exchanges(g, Vec::new()),
        _ => new_settlers(t, g),
    };
    match lots.only_answer(g) {
        Some(only) => answers.push(Answer::Settlers(only)),
        None => open.push(t.open(seat, lots).map(Answer::Settlers)),
    }
    answers.extend(t.all(g, open).await);
    for answer in answers {
        match answer {
            Answer::Event(answer) => answer.done(t, g),
            Answer::Settlers(lots) => settle(t, g, lots),
        }
    }
    if g.season != Season::Winter {
        award(t, g);
    }
}

/// Returns `true` if three settlers of an area can be exchanged for a village (6.0.3).
fn may_be_village(g: &State, a: AreaId) -> bool {
    g.people(a) >= VILLAGE && !g.land(a).village
}

/// Returns the number of settlers that still fit in an area, with or without an exchange for a
/// village.
fn room(g: &State, a: AreaId, village: bool) -> u8 {
    let gone = if village { VILLAGE.min(g.land(a).settlers) } else { 0 };
    (SETTLERS + gone).saturating_sub(g.land(a).settlers)
}

/// Number of settlers exchanged for a village.
const VILLAGE: u8 = 3;

/// Returns an area that lacks settlers for its exchange because some who fled there leave in the
/// same order.
fn deserted(g: &State, lots: &[Lot]) -> Option<AreaId> {
    let leave = |a: AreaId| {
        let what = refugee(g, a);
        lots.iter().filter(|lot| lot.what == what).map(|lot| lot.n).sum::<u8>()
    };
    let mut villages = lots.iter().filter(|lot| lot.what == "village").filter_map(|lot| g.area(&lot.at));
    // Settlers who live there do not leave.
    villages.find(|&a| g.land(a).settlers.max(g.people(a).saturating_sub(leave(a))) < VILLAGE)
}

/// Returns the question about villages and these settlers.
fn exchanges(g: &State, settlers: Vec<Item>) -> Lots {
    let villages: Vec<AreaId> = g.c.area_ids().filter(|&a| may_be_village(g, a)).collect();
    let places = villages.iter().map(|&a| (g.c[a].id.clone(), 1)).collect();
    let village = Item { what: "village".to_owned(), n: villages.len() as u8, places, must: false };
    let asking = Asking {
        kind: Ask::Settlers,
        rule: "6.0.1, 6.0.3",
        title: "Which settlers become villages, and where new ones go",
    };
    let winter = g.season == Season::Winter;
    let asking = match (winter, villages.is_empty()) {
        (true, _) => Asking { title: "Which settlers become villages", rule: "6.0.3", ..asking },
        (_, true) => Asking { title: "Where settlers go", rule: "6.0.1", ..asking },
        _ => asking,
    };
    let fits = |g: &State, lots: &[Lot], at: &str| {
        let Some(a) = g.c.area(at) else { return true };
        let here = |village: bool| lots.iter().filter(move |lot| lot.at == at && (lot.what == "village") == village);
        here(false).map(|lot| lot.n).sum::<u8>() <= room(g, a, here(true).next().is_some())
    };
    let mut lots = Lots::new(asking, [village].into_iter().chain(settlers).collect())
        .check(move |g, lots: &[Lot]| match lots.iter().find(|lot| !fits(g, lots, &lot.at)) {
            Some(lot) => {
                refuse("6.0.1", format!("An area holds {SETTLERS} settlers: {} has no room for so many.", lot.at))
            }
            None => Ok(()),
        })
        .and_check(|g, lots: &[Lot]| match deserted(g, lots) {
            Some(a) => refuse("6.0.3", format!("Settlers who leave {} are no part of a village there.", g.name(a))),
            None => Ok(()),
        })
        .apt(move |g, lots, what, at| {
            let one = Lot { n: 1, what: what.to_owned(), at: at.to_owned() };
            let all: Vec<Lot> = lots.iter().cloned().chain([one]).collect();
            fits(g, &all, at) && deserted(g, &all).is_none()
        });
    if !villages.is_empty() {
        lots = lots.line(format!("A village takes {VILLAGE} settlers off its area and stays for ever."));
    }
    lots
}

/// Returns the name in orders of settlers who fled to an area.
pub fn refugee(g: &State, a: AreaId) -> String {
    format!("refugee-of-{}", g.c[a].id.to_lowercase())
}

/// Rolls for new settlers, and returns the question of where they and villages go.
fn new_settlers(t: &T, g: &State) -> Lots {
    let drm = generation(g);
    let die = t.d6("settlers");
    let n = (die + i64::from(drm.total())).max(0) as u8;
    let place = t.d6("settlers' places");
    t.tell(|| {
        let (least, most) = shares(n, place);
        let ohio = if least == most { most.to_string() } else { format!("{least} to {most}") };
        format!("Settlers: {}; a second die of {place}: {ohio} of them for Ohio.", drm.told(die))
    });
    let settled: Vec<bool> = g.c.area_ids().map(|a| g.is_settled(a)).collect();
    let has_room = |a: AreaId| room(g, a, may_be_village(g, a)) > 0;
    let open: Vec<AreaId> = g.c.area_ids().filter(|&a| may_settle(g, a, &settled) && has_room(a)).collect();
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
        let what = refugee(g, a);
        let places = open.iter().filter(|&&b| b != a).map(|&b| (id(g, b), SETTLERS)).collect();
        all.push(Item { what, n: g.land(a).fled, places, must: false });
    }
    let come = move |_: &State, lots: &[Lot]| {
        let new: u8 = lots.iter().filter(|lot| lot.what.ends_with("settler")).map(|lot| lot.n).sum();
        if new > n {
            refuse(
                "6.0.1",
                format!(
                    "{}, not {new}.",
                    if n == 1 { "1 settler comes".to_owned() } else { format!("{n} settlers come") }
                ),
            )
        } else {
            Ok(())
        }
    };
    let ohio = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let come_to = match n {
        1 => format!("1 settler comes and is lost if not put. Ohio takes {ohio}."),
        _ => format!("{n} settlers come; those who are not put are lost. Ohio takes {ohio} of them."),
    };
    exchanges(g, all).and_check(come).line(come_to)
}

/// Places villages and settlers.
fn settle(t: &T, g: &mut State, lots: Vec<Lot>) {
    let (villages, settlers): (Vec<Lot>, Vec<Lot>) = lots.into_iter().partition(|lot| lot.what == "village");
    for lot in villages {
        if let Some(a) = g.area(&lot.at) {
            found_village(t, g, a);
        }
    }
    for lot in settlers {
        let Some(a) = g.area(&lot.at) else { continue };
        if let Some(from) = lot.what.strip_prefix("refugee-of-").and_then(|id| g.area(id)) {
            g.land_mut(from).fled -= lot.n;
        }
        g.land_mut(a).settlers += lot.n;
        t.tell(|| format!("{} in {}.", counted(lot.n, "settler"), g.name(a)));
    }
}

fn found_village(t: &T, g: &mut State, a: AreaId) {
    let land = g.land_mut(a);
    // Settlers who fled there are used last, because they may still move on.
    let residents = VILLAGE.min(land.settlers);
    land.settlers -= residents;
    land.fled -= VILLAGE - residents;
    land.village = true;
    t.tell(|| format!("A village in {}.", g.name(a)));
}

/// Awards 1 VP for each area that becomes settled, even if it was settled earlier and emptied
/// (15.4.5).
pub fn award(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let now = g.scores(a);
        let before = std::mem::replace(&mut g.settled[a.index()], now);
        if now && !before && !g.variant.settled_at_end {
            g.score(Side::Us, 1, "15.4.5");
            t.tell(|| format!("{} is settled: US +1 VP.", g.name(a)));
        }
    }
    kekionga(t, g);
}

/// Awards 2 VPs, once, for a settler or a US fort at Kekionga (15.4.5).
pub fn kekionga(t: &T, g: &mut State) {
    let k = g.kekionga();
    if !g.kekionga_vps && (g.is_settled(k) || g.fort_of(k, Side::Us)) {
        g.kekionga_vps = true;
        g.score(Side::Us, 2, "15.4.5");
        t.tell(|| "Kekionga is settled or fortified: US +2 VPs.".to_owned());
    }
}

/// Rolls for a settler hit by a raid or pillage: a die above Commitment removes him, otherwise he
/// flees to the nearest town (6.0.2).
pub async fn strike(t: &T, g: &mut State, a: AreaId) {
    if g.people(a) == 0 {
        return;
    }
    g.take_settler(a);
    let die = t.d6("settler");
    if die > i64::from(g.commitment) {
        g.score(Side::Us, -1, "6.0.2");
        g.score(Side::Na, 1, "6.0.2");
        t.tell(|| format!("A settler of {} is lost ({die}, Commitment {}): US -1 VP, NA +1.", g.name(a), g.commitment));
    } else {
        t.tell(|| format!("A settler of {} escapes ({die}, Commitment {}).", g.name(a), g.commitment));
        flee(t, g, a).await;
    }
}

/// Moves a settler to the nearest town; the US chooses among equally near ones.
pub async fn flee(t: &T, g: &mut State, a: AreaId) {
    let near = |place: usize| g.beside(AreaId(place as u8)).map(AreaId::index);
    let far = postrider_table::steps(g.land.len(), [a.index()], near);
    // 9.5.2: settlers may not be in a pillaged area.
    let open = |b: AreaId| g.town(b) && !g.land(b).pillaged;
    let towns: Vec<AreaId> = g.c.area_ids().filter(|&b| b != a && open(b) && far[b.index()].is_some()).collect();
    let nearest = towns.iter().filter_map(|b| far[b.index()]).min();
    let among: Vec<Place> = towns.into_iter().filter(|b| far[b.index()] == nearest).map(Place).collect();
    if among.is_empty() {
        t.tell(|| "No village or town is left to flee to: the settler is gone.".to_owned());
        return;
    }
    let asking = Asking { kind: Ask::Settlers, rule: "6.0.2", title: "Where a settler flees" };
    let to = choose(t, g, g.seat(Side::Us), asking, among, |_| String::new()).await.0;
    g.land_mut(to).fled += 1;
    t.tell(|| format!("A settler of {} flees to {}.", g.name(a), g.name(to)));
}

/// Removes a settler for an Atrocity marker, without a die (6.0.2).
pub fn massacre(t: &T, g: &mut State, a: AreaId) {
    if g.people(a) == 0 {
        return;
    }
    g.take_settler(a);
    g.score(Side::Na, 1, "6.0.2");
    t.tell(|| format!("A settler of {} is lost: NA +1 VP.", g.name(a)));
}
