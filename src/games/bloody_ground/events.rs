//! Random events (4.1, 5.0).

use super::{
    Ask, BloodyGround, State, T,
    asking::{Asking, Named, choose},
    components::{Class, Event, KindId, NationId, Season, Side, Special, Stance},
    mobilization,
    order::Lot,
    placing::{Item, Lots, item, place_name, put, said, tally},
    state::{Spot, UnitId},
};
use postrider_orders::list_and;
use postrider_table::{Pick, Seat, Ticket};

/// A question that an event puts to the US, asked together with the settlers (4.1, 4.2).
pub enum ForUs {
    /// Bad Omens: one of these nations.
    Omens(Vec<Named<NationId>>),
    /// More Funds: the places of this militia.
    Funds(Lots),
}

/// The answer of the US.
pub enum ForUsAnswer {
    Omens(Named<NationId>),
    Funds(Vec<Lot>),
}

/// An open question, or the only possible answer.
pub enum Asked {
    Open(Ticket<BloodyGround, ForUsAnswer>),
    Known(ForUsAnswer),
}

impl ForUs {
    /// Asks the question unless only one answer is possible.
    pub fn ask(self, t: &T, seat: Seat, g: &State) -> Asked {
        match self {
            ForUs::Omens(among) => match &among[..] {
                [only] => Asked::Known(ForUsAnswer::Omens(only.clone())),
                _ => {
                    let pick = Pick::new(OMENS.kind, OMENS.rule, OMENS.title, among);
                    let pick = pick.telling(|_, d| d.line("-1 to its mobilization die."));
                    Asked::Open(t.open(seat, pick).map(ForUsAnswer::Omens))
                }
            },
            ForUs::Funds(lots) => match lots.only_answer(g) {
                Some(only) => Asked::Known(ForUsAnswer::Funds(only)),
                None => Asked::Open(t.open(seat, lots).map(ForUsAnswer::Funds)),
            },
        }
    }
}

impl ForUsAnswer {
    /// Applies the answer.
    pub fn done(self, t: &T, g: &mut State) {
        match self {
            ForUsAnswer::Omens(nation) => concern(t, g, &nation, -1),
            ForUsAnswer::Funds(lots) => muster(t, g, &lots),
        }
    }
}

const OMENS: Asking = Asking { kind: Ask::Event, rule: "5.0", title: "Which nation the omens concern" };

/// Rolls a die for each player and resolves the event of the sum (4.1, 5.0). Returns the question
/// that the US must still answer, if any.
pub async fn phase(t: &T, g: &mut State) -> Option<ForUs> {
    let (us, na) = (t.d6("event, US"), t.d6("event, NA"));
    let sum = us + na;
    // Sums are 2 to 12; the file has a row for each.
    let event = g.c.events[(sum - 2) as usize].event;
    let spring = g.season == Season::Spring;
    t.tell(|| format!("Random event {us} + {na} = {sum}: {}.", event.name()));
    match event {
        Event::None => {}
        Event::GoodOmens if spring => good_omens(t, g).await,
        Event::BadOmens if spring => {
            return Some(omened(g)).filter(|among| !among.is_empty()).map(ForUs::Omens);
        }
        Event::GoodOmens | Event::BadOmens => t.tell(|| "It counts in spring alone.".to_owned()),
        Event::Funds => return Some(ForUs::Funds(funds(t, g))),
        Event::SevereWeather => g.severe = true,
        Event::Rifles => {
            let n = t.d6("rifles") as u8;
            t.tell(|| format!("Rifle markers: a die of {n}."));
            rifles(t, g, n, "T:random-events-table").await;
        }
        Event::Iroquois => iroquois(t, g).await,
        Event::Girty => girty(t, g).await,
    }
    None
}

/// Returns the nations that will roll for mobilization.
fn omened(g: &State) -> Vec<Named<NationId>> {
    g.c.nation_ids().filter(|&n| mobilization::rolls(g, n)).map(|n| Named::new(g.c[n].name.clone(), n)).collect()
}

/// Resolves Good Omens: NA chooses a nation that will roll.
async fn good_omens(t: &T, g: &mut State) {
    let among = omened(g);
    if among.is_empty() {
        return;
    }
    let line = |_: &State| "+1 to its mobilization die.".to_owned();
    let nation = choose(t, g, g.seat(Side::Na), OMENS, among, line).await;
    concern(t, g, &nation, 1);
}

fn concern(t: &T, g: &mut State, nation: &Named<NationId>, by: i8) {
    g.tribe_mut(nation.value).omens += by;
    t.tell(|| format!("The omens concern the {}.", nation.name));
}

/// Draws `n` militia from the unused counters by public dice (8.4.1).
pub fn draw_militia(t: &T, g: &State, n: u8) -> Vec<UnitId> {
    draw_others(t, g, n, &[])
}

/// Like [`draw_militia`], but leaves out the counters in `taken`.
pub fn draw_others(t: &T, g: &State, n: u8, taken: &[UnitId]) -> Vec<UnitId> {
    let mut drawn: Vec<UnitId> = Vec::new();
    for _ in 0..n {
        let in_pool = |u: &UnitId| g.class(*u) == Class::Militia && g.unit(*u).spot == Spot::Pool;
        let free = |u: &UnitId| in_pool(u) && !drawn.contains(u) && !taken.contains(u);
        let pool: Vec<UnitId> = g.unit_ids().filter(free).collect();
        if pool.is_empty() {
            break;
        }
        drawn.push(pool[t.draw("militia", pool.len())]);
    }
    let kinds = || by_kind(g, &drawn).into_iter().map(|(kind, n)| format!("{n} {}", g.c[kind].id)).collect::<Vec<_>>();
    if !drawn.is_empty() {
        t.tell(|| format!("Militia drawn: {}.", list_and(&kinds())));
    }
    drawn
}

/// Returns the number of units of each kind.
pub fn by_kind(g: &State, units: &[UnitId]) -> Vec<(KindId, u8)> {
    let count = |kind: KindId| units.iter().filter(|&&u| g.unit(u).kind == kind).count() as u8;
    g.c.kind_ids().map(|kind| (kind, count(kind))).filter(|&(_, n)| n > 0).collect()
}

/// Places units from the pool according to the lots; `edge` means off the map.
pub fn muster(t: &T, g: &mut State, lots: &[Lot]) {
    for lot in lots {
        let Some(kind) = g.c.kind(&lot.what) else { continue };
        let spot = g.area(&lot.at).map_or(Spot::Edge, Spot::On);
        let units: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).collect();
        for &u in units.iter().take(usize::from(lot.n)) {
            g.unit_mut(u).spot = spot;
            // Set-ups place their forces explicitly, and face-down units are not put into forts.
            if g.turn > 0 && g.is_face_up(u) {
                g.take_in(u);
            }
        }
        t.tell(|| format!("{} at {}.", said(g, lot.n, &lot.what), place_name(g, &lot.at)));
    }
}

/// Rolls Congress Appropriates More Funds: a die of militia at un-besieged forts or permanent
/// settlements.
fn funds(t: &T, g: &State) -> Lots {
    let n = t.d6("militia for funds") as u8;
    t.tell(|| format!("Militia for the funds: a die of {n}."));
    let drawn = draw_militia(t, g, n);
    let at = |a: &super::components::AreaId| g.c[*a].is(Special::Town) || g.open_fort(*a, Side::Us);
    let places: Vec<String> = g.c.area_ids().filter(at).map(|a| g.c[a].id.clone()).collect();
    let kinds = by_kind(g, &drawn);
    let items = kinds.into_iter().map(|(kind, n)| item(g.c[kind].id.clone(), n, places.clone(), true)).collect();
    let asking = Asking { kind: Ask::Muster, rule: "5.0", title: "Where the militia comes" };
    Lots::new(asking, items)
}

/// Hands out free Rifle markers, at most two per nation and event (14.0.2).
pub async fn rifles(t: &T, g: &mut State, n: u8, rule: &'static str) {
    let nations: Vec<NationId> = g.c.nation_ids().collect();
    arm(t, g, n, &nations, rule, |g, u| g.unit(u).spot.area().map(|a| g.c[a].id.clone())).await;
}

/// Gives rifles to `n` warriors of some nations, at most two of each (14.0.2). `at` returns the
/// place of a warrior that NA can name, if any.
pub async fn arm(
    t: &T,
    g: &mut State,
    n: u8,
    nations: &[NationId],
    rule: &'static str,
    at: impl Fn(&State, UnitId) -> Option<String>,
) {
    let used = g.units.iter().filter(|unit| unit.rifle).count() as u8;
    let n = n.min(g.c.markers("rifle").saturating_sub(used));
    let bare = |g: &State, nation: NationId| -> Vec<(UnitId, String)> {
        let own = g.of_kind(g.c.warriors(nation)).filter(|&u| !g.unit(u).rifle);
        own.filter_map(|u| Some((u, at(g, u)?))).collect()
    };
    let item = |nation: NationId| {
        let own = bare(g, nation);
        let n = own.len().min(2) as u8;
        let places = tally(own.into_iter().map(|(_, place)| place)).into_iter().map(|(at, n)| (at, n.min(2)));
        Item { what: g.c[g.c.warriors(nation)].id.clone(), n, places: places.collect(), must: false }
    };
    let all: Vec<Vec<(UnitId, String)>> = nations.iter().map(|&nation| bare(g, nation)).collect();
    // If there are enough rifles and the choice of warriors makes no difference, nothing is asked.
    let alike = |own: &[(UnitId, String)]| own.len() <= 2 || own.iter().all(|(_, place)| *place == own[0].1);
    let most: usize = all.iter().map(|own| own.len().min(2)).sum();
    if most <= usize::from(n) && all.iter().all(|own| alike(own)) {
        for (u, place) in all.into_iter().flat_map(|own| own.into_iter().take(2)) {
            g.unit_mut(u).rifle = true;
            t.tell(|| format!("1 {} at {} gets a rifle.", g.c[g.unit(u).kind].id, place_name(g, &place)));
        }
        return;
    }
    let items = nations.iter().map(|&nation| item(nation)).collect();
    let asking = Asking { kind: Ask::Event, rule, title: "Which warriors get rifles" };
    let placed = most.min(usize::from(n));
    let line = format!("{placed} in all get rifles, all in one answer; of a nation two at most.");
    let lots = Lots::new(asking, items).exactly(n).line(line);
    for lot in put(t, g, g.seat(Side::Na), lots).await {
        let Some(nation) = nations.iter().copied().find(|&nation| g.c[g.c.warriors(nation)].id == lot.what) else {
            continue;
        };
        let here = bare(g, nation).into_iter().filter(|(_, place)| *place == lot.at);
        let armed: Vec<UnitId> = here.map(|(u, _)| u).take(usize::from(lot.n)).collect();
        armed.into_iter().for_each(|u| g.unit_mut(u).rifle = true);
        t.tell(|| format!("{} {} at {} {} rifles.", lot.n, lot.what, place_name(g, &lot.at), gets(lot.n)));
    }
}

/// Resolves Iroquois Intervention: a die of warriors at un-besieged British forts or off the map.
pub(super) async fn iroquois(t: &T, g: &mut State) {
    let Some(nation) = g.c.nation_ids().find(|&n| g.c[n].fixed > 0) else { return };
    if g.surrendered() + 1 >= g.tribes.len() {
        return;
    }
    let kind = g.c.warriors(nation);
    let rolled = t.d6("iroquois") as u8;
    t.tell(|| format!("Iroquois warriors: a die of {rolled}."));
    let free = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).count() as u8;
    let forts = g.bounded(g.c.area_ids().filter(|&a| g.open_fort(a, Side::Na)).collect());
    let forts = forts.into_iter().map(|a| g.c[a].id.clone());
    let places: Vec<String> = forts.chain(["edge".to_owned()]).collect();
    let items = vec![item(g.c[kind].id.clone(), rolled.min(free), places, true)];
    let asking = Asking { kind: Ask::Event, rule: "5.0", title: "Where the Iroquois come" };
    let lots =
        Lots::new(asking, items).line("`edge`: they enter Pennsylvania in an Action Phase, by the north or east edge.");
    let lots = put(t, g, g.seat(Side::Na), lots).await;
    // If no counter is left, nobody comes.
    if !lots.is_empty() || g.has_warriors(nation) {
        let fixed = g.c[nation].fixed;
        let tribe = g.tribe_mut(nation);
        (tribe.stance, tribe.ml) = (Stance::Warpath, fixed);
    }
    muster(t, g, &lots);
}

/// Removes the Iroquois if no nation is at war at the end of a Mobilization Phase (event 8).
pub fn iroquois_leave(t: &T, g: &mut State) {
    for n in g.c.nation_ids().filter(|&n| g.c[n].fixed > 0).collect::<Vec<_>>() {
        let others = g.c.nation_ids().any(|other| other != n && g.tribe(other).stance == Stance::Warpath);
        if !g.has_warriors(n) {
            // The last of them is dead, so nobody leaves.
            g.tribe_mut(n).stance = Stance::Peaceful;
        } else if g.tribe(n).stance == Stance::Warpath && !others {
            g.warriors(n).collect::<Vec<_>>().into_iter().for_each(|u| g.remove(u, Spot::Pool));
            g.tribe_mut(n).stance = Stance::Peaceful;
            t.tell(|| format!("No nation is at war: the {} leave.", g.c[n].name));
        }
    }
}

/// Resolves Simon Girty: he enters play, or is hunted down if he is already in play (14.0.4).
async fn girty(t: &T, g: &mut State) {
    let girty = g.named("Girty");
    if g.girty_gone {
        return;
    }
    let spot = g.chief(girty).spot;
    if spot != Spot::Pool {
        g.girty_gone = true;
        g.retire(girty);
        let dead = spot == Spot::Gone;
        t.tell(|| if dead { "Simon Girty is dead.".to_owned() } else { "Simon Girty is hunted down.".to_owned() });
        return;
    }
    let with = |a: &super::components::AreaId| {
        g.open_fort(*a, Side::Na) || g.fighters(*a, Side::Na).any(|u| g.class(u) == Class::Warrior)
    };
    let among: Vec<_> =
        g.bounded(g.c.area_ids().filter(with).collect()).into_iter().map(super::asking::Place).collect();
    if among.is_empty() {
        return;
    }
    let asking = Asking { kind: Ask::Event, rule: "14.0.4", title: "Where Simon Girty comes" };
    let at = choose(t, g, g.seat(Side::Na), asking, among, |_| String::new()).await.0;
    g.chief_mut(girty).spot = Spot::On(at);
    g.take_in_leader(girty);
    t.tell(|| format!("Simon Girty is at {}.", g.name(at)));
}

fn gets(n: u8) -> &'static str {
    if n == 1 { "gets" } else { "get" }
}
