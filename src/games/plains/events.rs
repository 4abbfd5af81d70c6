//! The Event cards (9.2), one function for each card.

use super::{
    Ask, Plains, T,
    asking::{Asking, Colour, Place, one_spot, one_spot_told},
    components::{CardId, Components, Event, Faction, Kind, RegionId, Spot},
    control::Holding,
    discs::{all_advance, enemy_places, set_out},
    engagement::{
        engage, engagements,
        limit::keep_to_the_limit,
        losses::{CUSTER_VPS, strike},
    },
    hand::{discard, draw},
    march::march,
    movement::{March, arrive, may_stand, recover, settle},
    placement::place,
    state::{Cubes, HAND, State, goes, tell_cubes},
};
use postrider_orders::list_and;
use postrider_table::{Candidate, OneOr, Pick, Word};
use std::borrow::Cow;

/// Maximum number of casualties that Great Hunt and Comanchero Trade return.
const BROUGHT_BACK: u8 = 4;
/// Maximum number of cubes that cross the Medicine Line.
pub const CROSSING: u8 = 4;
/// Number of regions that Allied Scouts may move.
const SCOUT_MOVES: u8 = 2;

/// Returns the text of a card in one line.
pub fn card_line(c: &Components, card: CardId) -> String {
    let k = &c[card];
    let Some(event) = k.event else {
        return format!("{} cubes; {}", k.cubes, marching_line(k.groups, k.moves));
    };
    let n = k.cubes;
    match event {
        Event::CrazyHorse => {
            "name a region with Green cubes: Treaty faces on Indian dice are hits there this round".into()
        }
        Event::BozemanTrail => format!("{n} Green in one NPT or Northern Purple region"),
        Event::MedicineLine => {
            format!("up to {CROSSING} Green from a region to Canada, or from Canada to a region with a green arrow")
        }
        Event::TornUpTrack => "enduring: the Union Pacific is not extended".into(),
        Event::GreatHunt => {
            format!("up to {BROUGHT_BACK} Green casualties become ready, then {n} Green in a controlled green region")
        }
        Event::Geronimo => {
            "a region with Orange strikes each adjacent one that the US holds, unanswered; then its Orange go to Mexico"
                .into()
        }
        Event::Lozen => format!("{n} Orange in one controlled orange region; its Treaty faces are hits this round"),
        Event::BlackKettle => format!("{n} Orange; once this round an engagement may be ended as by Treaty"),
        Event::SantaFeTrailClosed => "enduring: Wagons on the southern route do not move on the White disc".into(),
        Event::ComancheroTrade => format!(
            "up to {BROUGHT_BACK} Orange casualties become ready, then {n} Orange in a controlled orange region"
        ),
        Event::Custer => format!("played at once: {n} Blue in an NPT region with Green cubes, and an engagement"),
        Event::BuffaloSoldiers => format!("{n} Blue in one region that holds Blue or Brown cubes"),
        Event::AlliedScouts => {
            format!("{n} Purple as by its disc, then the Purple of one spot move up to {SCOUT_MOVES} regions")
        }
        Event::WinterCampaign => "in one engagement this round Blue rolls one more die".into(),
        Event::RecruitingDepot => format!("all Blue casualties become ready, then {n} Blue in St. Louis or Sacramento"),
        Event::UnionPacificRailroad => {
            "enduring: the Union Pacific builds up to 4 and counts Brown one region back".into()
        }
        Event::PonyExpress => {
            "change any other cards in hand; one group of Brown may move up to 3 regions this round".into()
        }
        Event::BuffaloHunters => {
            "1 Green or Orange is lost in a region of the railroad or beside one, with Brown in one of the two".into()
        }
        Event::BlackHillsGold => format!("{n} Brown in the Black Hills"),
        Event::PrairieSchooners => "every Wagon goes one region west".into(),
    }
}

/// Returns the part of a card's text that has no effect after all movement, if any.
pub fn too_late(event: Event) -> Option<&'static str> {
    match event {
        Event::CrazyHorse | Event::WinterCampaign => {
            Some("too late for the engagements of this round, unless another Event card brings one")
        }
        Event::PonyExpress => Some("too late for its group; only cards are changed"),
        _ => None,
    }
}

/// Formats movement, such as `2 groups move up to 3 regions`.
pub fn marching_line(groups: u8, moves: u8) -> String {
    let far = if moves == 1 { "1 region".to_owned() } else { format!("up to {moves} regions") };
    format!("{groups} groups move {far}")
}

/// Returns the reason why an event has nothing to act on (9.2, 10.1.2), or `None` if it has
/// something. Cubes that are not ready are none: a player makes do with what there is (10.0).
pub fn why_not(g: &State, faction: Faction, event: Event) -> Option<String> {
    let unless = |can: bool, why: &str| (!can).then(|| why.to_owned());
    match event {
        Event::CrazyHorse => unless(!with(g, Faction::Npt).is_empty(), "no region holds Green cubes"),
        Event::MedicineLine => unless(!crossings(g).is_empty(), "no Green cube can cross"),
        Event::GreatHunt => unless(!own_regions(g, Faction::Npt).is_empty(), "no green region is controlled"),
        Event::ComancheroTrade | Event::BlackKettle | Event::Lozen => {
            unless(!own_regions(g, Faction::Spt).is_empty(), "no orange region is controlled")
        }
        Event::Geronimo => unless(!with(g, Faction::Spt).is_empty(), "no region holds Orange cubes"),
        Event::Custer => Some("Custer is only played when he is drawn (9.2.2)".to_owned()),
        Event::BuffaloSoldiers => unless(!garrisons(g).is_empty(), "no region holds Blue or Brown"),
        Event::BuffaloHunters => {
            unless(!hunted(g).is_empty(), "no Indian cube stands near the railroad and Brown ones")
        }
        Event::BlackHillsGold => unless(black_hills(g).is_some(), "Settlers cannot enter them"),
        Event::PrairieSchooners => {
            unless(g.c.spots().any(|spot| g.cubes(spot)[Faction::Wagons] > 0), "there is no Wagon on the map")
        }
        Event::PonyExpress => unless(faction == Faction::Settlers, "it is the Settlers' card"),
        Event::BozemanTrail
        | Event::AlliedScouts
        | Event::RecruitingDepot
        | Event::WinterCampaign
        | Event::TornUpTrack
        | Event::SantaFeTrailClosed
        | Event::UnionPacificRailroad => None,
    }
}

/// Carries out the text of a card that was just discarded (9.2). `cubes` is the number on the card.
pub async fn play(t: &T, g: &mut State, faction: Faction, event: Event, cubes: u8) {
    match event {
        Event::CrazyHorse => crazy_horse(t, g).await,
        Event::BozemanTrail => bozeman_trail(t, g, cubes).await,
        Event::MedicineLine => medicine_line(t, g).await,
        Event::GreatHunt => hunt_and_trade(t, g, Faction::Npt, cubes).await,
        Event::ComancheroTrade => hunt_and_trade(t, g, Faction::Spt, cubes).await,
        Event::Geronimo => geronimo(t, g).await,
        Event::Lozen => lozen(t, g, cubes).await,
        Event::BlackKettle => black_kettle(t, g, cubes).await,
        Event::Custer => custers_column(t, g, cubes).await,
        Event::BuffaloSoldiers => buffalo_soldiers(t, g, cubes).await,
        Event::AlliedScouts => allied_scouts(t, g, cubes).await,
        Event::WinterCampaign => g.fx.winter = true,
        Event::RecruitingDepot => recruiting_depot(t, g, cubes).await,
        Event::PonyExpress => pony_express(t, g, faction).await,
        Event::BuffaloHunters => buffalo_hunters(t, g).await,
        Event::BlackHillsGold => black_hills_gold(t, g, cubes).await,
        Event::PrairieSchooners => {
            all_advance(t, g, false).await;
            set_out(t, g).await;
        }
        // These have no immediate effect; the discs check whether they are visible on the discard
        // pile.
        Event::TornUpTrack | Event::SantaFeTrailClosed | Event::UnionPacificRailroad => {}
    }
}

/// Returns the regions with cubes of a faction.
fn with(g: &State, faction: Faction) -> Vec<Spot> {
    g.c.region_ids().filter(|&r| g.region(r)[faction] > 0).map(Spot::Region).collect()
}

/// Returns the controlled regions of an Indian faction's own colour (10.1).
fn own_regions(g: &State, faction: Faction) -> Vec<Spot> {
    g.own_regions(faction).map(Spot::Region).collect()
}

async fn crazy_horse(t: &T, g: &mut State) {
    let seat = g.owner(Faction::Npt);
    let line =
        "In its engagements of this round the Treaty faces of Indian dice are hits, attacks on Wagons among them.";
    let title = "The region in which Crazy Horse fights";
    let ways = with(g, Faction::Npt);
    let asking = Asking { kind: Ask::CrazyHorse, rule: "9.2", title };
    let spot = one_spot_told(t, g, seat, asking, ways, |_| line.to_owned()).await;
    g.fx.fierce.extend(spot.region());
    t.tell(|| format!("Crazy Horse fights in {}.", g.c.told(spot)));
}

async fn bozeman_trail(t: &T, g: &mut State, n: u8) {
    let kinds = [Kind::North, Kind::PurpleNorth];
    let spots = g.c.region_ids().filter(|&r| kinds.contains(&g.c[r].kind)).map(Spot::Region).collect();
    in_one(t, g, Faction::Npt, n, spots, "Where the Green cubes go").await;
}

/// Places all cubes of a card in one region, and returns it.
async fn in_one(t: &T, g: &mut State, faction: Faction, n: u8, spots: Vec<Spot>, title: &'static str) -> Option<Spot> {
    if spots.is_empty() {
        return None;
    }
    let spot = one_spot(t, g, g.owner(faction), Ask::EventRegion, "9.2", title, spots).await;
    let placed = g.muster(faction, spot, n);
    t.tell(|| format!("{placed} {} in {}.", faction.cubes(), g.c.told(spot)));
    settle(g, faction, spot);
    Some(spot)
}

/// Returns the number of Green cubes at a spot that can cross the Medicine Line: those that have
/// not moved (4.3).
fn can_cross(g: &State, from: Spot) -> u8 {
    g.fresh(from)[Faction::Npt].min(CROSSING)
}

/// Returns the ways across the Medicine Line: from a region to Canada, or from Canada to a region
/// with a green arrow.
fn crossings(g: &State) -> Vec<(Spot, Spot)> {
    let start = with(g, Faction::Npt).into_iter().filter(|&spot| can_cross(g, spot) > 0);
    let north = start.map(|spot| (spot, Spot::Canada));
    let arrows = g.c.region_ids().filter(|&r| g.c[r].arrows.contains(&(Spot::Canada, Faction::Npt)));
    let has = can_cross(g, Spot::Canada) > 0;
    north.chain(arrows.filter(move |_| has).map(|r| (Spot::Canada, Spot::Region(r)))).collect()
}

/// A move of cubes across the Medicine Line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    pub from: Spot,
    pub to: Spot,
    pub n: u8,
}

impl Candidate<Plains> for Crossing {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        format!("{} from {} to {}", self.n, g.c.spot_name(self.from), g.c.spot_name(self.to)).into()
    }
}

async fn medicine_line(t: &T, g: &mut State) {
    let mut among = Vec::new();
    for (from, to) in crossings(g) {
        among.extend((1..=can_cross(g, from)).rev().map(|n| Crossing { from, to, n }));
    }
    // The largest possible numbers first, then the smaller ones.
    among.sort_by_key(|x| can_cross(g, x.from) - x.n);
    let ways = crossings(g).len();
    let pick = Pick::new(Ask::MedicineLine, "9.2", "Which Green cubes cross the Medicine Line", among)
        .verbs(&["move"])
        .telling(move |_, d| d.line(format!("Up to {CROSSING} from one place; fewer can go too.")).few(ways));
    let Crossing { from, to, n } = t.ask(g, g.owner(Faction::Npt), pick).await;
    g.advance(from, to, Cubes::of(Faction::Npt, n));
    t.tell(|| format!("{n} Green from {} to {}.", g.c.told(from), g.c.told(to)));
    arrive(g, Faction::Npt, to);
}

/// Resolves Great Hunt or Comanchero Trade.
async fn hunt_and_trade(t: &T, g: &mut State, faction: Faction, n: u8) {
    let back = g.casualties[faction].min(BROUGHT_BACK);
    g.casualties[faction] -= back;
    g.ready[faction] += back;
    if back > 0 {
        t.tell(|| format!("{back} {} {} from the Casualty Box to the Ready Box.", faction.cubes(), goes(back)));
    }
    place(t, g, faction, n, own_regions(g, faction), "9.2", "Where the cubes of the card go").await;
}

/// Returns `true` if Geronimo strikes a region: the US holds or contests it with Blue, Brown or
/// White cubes. Purple cubes alone hold nothing (4.6).
fn is_struck(g: &State, r: RegionId) -> bool {
    let here = g.region(r);
    let settled = here[Faction::Cavalry] + here[Faction::Settlers] > 0;
    // Purple cubes protect Wagons and take the hits. Without them, at least one Wagon must not be
    // spared by a Treaty (12.1.2.1).
    let wagons = here[Faction::Wagons] > 0 && (here[Faction::Enemies] > 0 || g.targets(r) > 0);
    (settled || wagons) && g.holding(r) != Holding::Indians
}

/// Returns the regions that Geronimo strikes from a region.
pub fn struck_from(g: &State, from: RegionId) -> Vec<RegionId> {
    g.c[from].adjacent.iter().copied().filter(|&r| is_struck(g, r)).collect()
}

/// A region from which Geronimo can strike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Camp(pub RegionId);

impl Candidate<Plains> for Camp {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        Place(Spot::Region(self.0)).key(g)
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        Place(Spot::Region(self.0)).aliases(g)
    }
    /// Returns the cubes in the region and the regions struck from it.
    fn note(&self, g: &State) -> String {
        let hit: Vec<String> = struck_from(g, self.0)
            .into_iter()
            .map(|r| format!("{} ({})", g.name(r), tell_cubes(g.region(r))))
            .collect();
        let strikes = if hit.is_empty() { "no region".to_owned() } else { list_and(&hit) };
        format!("{}; strikes {strikes}", tell_cubes(g.region(self.0)))
    }
}

/// Strikes every adjacent region that the US holds or contests. Hits and Treaties remove cubes, and
/// nobody rolls back. Then the Orange cubes go to Mexico.
async fn geronimo(t: &T, g: &mut State) {
    let seat = g.owner(Faction::Spt);
    let line = "He strikes each adjacent region that the US holds or contests with Blue, Brown or White: each faction of his \
                region rolls its dice once for each of them, one for a lone cube, two for more. Weapons and Treaties remove a \
                cube each, two of them a Wagon that stands alone, and nobody strikes back. Then all Orange cubes of his \
                region go to Mexico.";
    let title = "The region from which Geronimo strikes";
    let ways: Vec<Camp> = with(g, Faction::Spt).into_iter().filter_map(Spot::region).map(Camp).collect();
    let Camp(from) = match ways[..] {
        [only] => only,
        _ => {
            let pick = Pick::new(Ask::Geronimo, "9.2", title, ways).verbs(&["to"]).telling(move |_, d| d.line(line));
            t.ask(g, seat, pick).await
        }
    };
    let force = *g.region(from);
    let dice: Vec<(Faction, u8)> = force.each().filter(|(f, _)| f.is_indian()).map(|(f, n)| (f, n.min(2))).collect();
    for r in struck_from(g, from) {
        strike(t, g, r, &dice).await;
    }
    let n = g.region(from)[Faction::Spt];
    g.hold(Spot::Region(from), Faction::Spt);
    g.shift(Spot::Region(from), Spot::Mexico, Cubes::of(Faction::Spt, n));
    t.tell(|| format!("Geronimo's {n} Orange go from {} to Mexico.", g.name(from)));
}

async fn lozen(t: &T, g: &mut State, n: u8) {
    let spots = own_regions(g, Faction::Spt);
    if let Some(Spot::Region(r)) = in_one(t, g, Faction::Spt, n, spots, "Where Lozen's Orange cubes go").await {
        g.fx.fierce.push(r);
        g.fx.lozen = Some(r);
    }
}

async fn black_kettle(t: &T, g: &mut State, n: u8) {
    place(t, g, Faction::Spt, n, own_regions(g, Faction::Spt), "9.2", "Where the Orange cube goes").await;
    g.fx.black_kettle = true;
}

/// Resolves Custer (9.2.2).
async fn custers_column(t: &T, g: &mut State, n: u8) {
    let camps = g.c.region_ids().filter(|&r| g.c[r].kind == Kind::North && g.region(r)[Faction::Npt] > 0);
    let camps: Vec<Spot> = camps.map(Spot::Region).collect();
    if camps.is_empty() || g.ready[Faction::Cavalry] == 0 {
        t.tell(|| "Custer finds nobody, or no Blue cube is ready.".to_owned());
        return;
    }
    let title = "Where Custer's column attacks";
    let asking = Asking { kind: Ask::Custer, rule: "9.2.2", title };
    let line = move |g: &State| {
        format!(
            "{} Blue are placed in an NPT region with Green cubes and fight at once. If they all fall in this turn, the \
             Indians have {} VPs more.",
            n.min(g.ready[Faction::Cavalry]),
            CUSTER_VPS
        )
    };
    let spot = one_spot_told(t, g, g.owner(Faction::Cavalry), asking, camps, line).await;
    let Some(r) = spot.region() else { return };
    // After a director's ruling there may be US cubes next to the Green ones, and so too many for a
    // moment.
    g.moving = true;
    let placed = g.muster(Faction::Cavalry, spot, n);
    t.tell(|| format!("Custer's {placed} Blue are in {}.", g.name(r)));
    keep_to_the_limit(t, g).await;
    g.send_custer(r, placed);
    engage(t, g, r, Faction::Cavalry).await;
    // Blue cubes may have retreated to another one (12.1.4).
    engagements(t, g, Faction::Cavalry).await;
}

/// Returns the regions with Blue or Brown cubes.
fn garrisons(g: &State) -> Vec<Spot> {
    let held = |r: &RegionId| g.region(*r)[Faction::Cavalry] + g.region(*r)[Faction::Settlers] > 0;
    g.c.region_ids().filter(held).map(Spot::Region).collect()
}

async fn buffalo_soldiers(t: &T, g: &mut State, n: u8) {
    let spots = garrisons(g);
    in_one(t, g, Faction::Cavalry, n, spots, "Where the Buffalo Soldiers go").await;
}

async fn allied_scouts(t: &T, g: &mut State, n: u8) {
    place(t, g, Faction::Enemies, n, enemy_places(g), "10.4", "Where the new Purple cube goes").await;
    march(t, g, March::new(Faction::Enemies, 1, SCOUT_MOVES)).await;
}

async fn recruiting_depot(t: &T, g: &mut State, n: u8) {
    recover(t, g, Faction::Cavalry);
    let boxes = vec![Spot::StLouis, Spot::Sacramento];
    place(t, g, Faction::Cavalry, n, boxes, "9.2", "Where the Blue cube goes").await;
}

/// A card in the hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InHand(pub CardId);

impl Candidate<Plains> for InHand {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
}

pub const NO_MORE: Word = Word::new("no more");

async fn pony_express(t: &T, g: &mut State, faction: Faction) {
    let seat = g.owner(faction);
    let mut changed = 0;
    loop {
        let left = g.deck(faction).left();
        // A card that cannot be replaced stays in the hand, because the round needs one.
        if g.hand(faction).len() == 0 || changed >= left {
            break;
        }
        let among = OneOr::among(NO_MORE, g.hand(faction).map(InHand));
        let pick =
            Pick::new(Ask::PonyExpress, "9.2", "Which card is discarded for another one", among).verbs(&["discard"]);
        let OneOr::One(InHand(card)) = t.ask(g, seat, pick).await else { break };
        let top = g.enduring(faction);
        discard(t, g, faction, card);
        // Pony Express remains on top of the cards that it discards.
        g.set_enduring(faction, top);
        let deck = g.deck_mut(faction);
        if let Some(at) = deck.discards.len().checked_sub(2) {
            deck.discards.swap(at, at + 1);
        }
        changed += 1;
        t.tell(|| format!("{} discards {}.", g.who(seat), g.c[card].name));
    }
    let full = (g.hand(faction).len() + changed).min(HAND);
    draw(t, g, faction, full);
    g.fx.pony = true;
}

/// Returns the Indian cubes in, or adjacent to, a region with a filled railroad space, if a Brown
/// cube is in one of the two.
pub fn hunted(g: &State) -> Vec<(RegionId, Faction)> {
    let railed = |r: RegionId| (0..g.c.rail.len()).any(|s| g.is_railed(s) && g.c.rail[s].regions.contains(&r));
    let brown = |r: RegionId| g.region(r)[Faction::Settlers] > 0;
    let beside =
        |r: RegionId| railed(r) && brown(r) || g.c[r].adjacent.iter().any(|&b| railed(b) && (brown(b) || brown(r)));
    let hunted = g.c.region_ids().filter(|&r| g.region(r).indian() > 0 && beside(r));
    hunted.flat_map(|r| [Faction::Npt, Faction::Spt].map(|f| (r, f))).filter(|&(r, f)| g.region(r)[f] > 0).collect()
}

async fn buffalo_hunters(t: &T, g: &mut State) {
    let mut places: Vec<Spot> = hunted(g).into_iter().map(|(r, _)| Spot::Region(r)).collect();
    places.dedup();
    if places.is_empty() {
        return;
    }
    let seat = g.owner(Faction::Settlers);
    let spot = one_spot(t, g, seat, Ask::BuffaloHunters, "9.2", "Where an Indian cube is removed", places).await;
    let colours: Vec<Faction> =
        hunted(g).into_iter().filter(|&(r, _)| Spot::Region(r) == spot).map(|(_, f)| f).collect();
    let faction = match colours[..] {
        [only] => only,
        _ => {
            let pick = Pick::new(
                Ask::BuffaloHunters,
                "9.2",
                "Which cube is removed",
                colours.into_iter().map(Colour).collect(),
            );
            t.ask(g, seat, pick).await.0
        }
    };
    g.kill(spot, faction);
    t.tell(|| format!("1 {} in {} goes to the Casualty Box.", faction.cubes(), g.c.told(spot)));
}

/// Returns the region that the card names (house value), found by its name on the map.
fn black_hills(g: &State) -> Option<Spot> {
    g.c.spot("Black Hills").filter(|&spot| may_stand(g, Faction::Settlers, spot))
}

async fn black_hills_gold(t: &T, g: &mut State, n: u8) {
    if let Some(spot) = black_hills(g) {
        in_one(t, g, Faction::Settlers, n, vec![spot], "Where the Brown cubes go").await;
        g.fx.settled = spot.region();
    }
}
