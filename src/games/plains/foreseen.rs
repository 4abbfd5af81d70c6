//! The widest form of each question, used to read orders before they are asked for.

use super::{
    Ask, Plains,
    asking::{Colour, Place},
    cards::CardPlay,
    components::{Faction, Spot},
    engagement::{limit::Crowded, retreat::Retreat, wagons::Assault, withdraw::Leaving},
    events::{CROSSING, Camp, Crossing, InHand, NO_MORE},
    march::MarchPrompt,
    movement::March,
    placement::{GO_ON, Placing, RECOVER},
    state::{Cubes, State},
};
use postrider_table::{AnyPrompt, Candidate, NO, OneOr, Pick, Seat, YES, foresee};

type Foreseen = Box<dyn AnyPrompt<Plains>>;

/// More cubes than are ever in one place.
const MOST: u8 = 40;

/// Returns one question of each kind, with every candidate that it could list.
pub fn foreseen(g: &State, seat: Seat) -> Vec<Foreseen> {
    let mut all = everybodys(g, seat);
    for faction in g.variant.factions_of(seat) {
        all.extend(factions(g, faction));
    }
    all
}

/// Returns the questions for a faction.
fn factions(g: &State, faction: Faction) -> Vec<Foreseen> {
    let mut all: Vec<Foreseen> = vec![
        foresee(MarchPrompt(March { rail: true, recover: true, ..March::new(faction, MOST, MOST) })),
        foresee(Placing {
            faction,
            n: MOST,
            among: g.c.spots().collect(),
            recover: true,
            rule: "10.1.1",
            title: "Place your new cubes",
        }),
    ];
    if faction != Faction::Wagons {
        all.push(foresee(CardPlay { faction, events: 0, moved: true }));
    }
    let regions = g.c.region_ids();
    all.extend(regions.map(|region| foresee(Leaving { region, faction })).take(1));
    all
}

fn everybodys(g: &State, seat: Seat) -> Vec<Foreseen> {
    let places = || g.c.spots().map(Place).collect::<Vec<_>>();
    let colours = || Faction::ALL.into_iter().map(Colour).collect::<Vec<_>>();
    let numbers = || (0..=MOST).collect::<Vec<u8>>();
    let camps = g.c.region_ids().map(Camp).collect();
    let cards = OneOr::among(NO_MORE, g.c.card_ids().map(InHand));
    let crossings = g.c.region_ids().map(Spot::Region).flat_map(|r| {
        let ways = [(r, Spot::Canada), (Spot::Canada, r)];
        ways.into_iter().flat_map(|(from, to)| (1..=CROSSING).map(move |n| Crossing { from, to, n }))
    });
    let mut all: Vec<Foreseen> = vec![
        pick(Ask::Ambush, "12.1.1", &["ambush"], colours()),
        pick(Ask::BlackKettle, "9.2", &[], vec![NO, YES]),
        pick(Ask::BuffaloHunters, "9.2", &["to"], places()),
        pick(Ask::BuffaloHunters, "9.2", &[], colours()),
        pick(Ask::CrazyHorse, "9.2", &["to"], places()),
        pick(Ask::Custer, "9.2.2", &["to"], places()),
        pick(Ask::Engagement, "12.1.8", &["engage"], places()),
        pick(Ask::EventRegion, "9.2", &["to"], places()),
        pick(Ask::Geronimo, "9.2", &["to"], camps),
        pick(Ask::Loss, "12.1.6", &["lose"], colours()),
        pick(Ask::MedicineLine, "9.2", &["move"], crossings.collect()),
        pick(Ask::OverLimit, "4.4", &[], colours()),
        pick(Ask::PonyExpress, "9.2", &["discard"], cards),
        pick(Ask::Recover, "11.4", &[], vec![GO_ON, RECOVER]),
        pick(Ask::StaysOut, "13.0", &["leave out"], colours()),
        pick(Ask::ToSacramento, "10.2.1", &[], numbers()),
        pick(Ask::Trail, "6.6.1", &[], numbers()),
        pick(Ask::Treaty, "12.1.2", &["to"], places()),
        pick(Ask::WagonsNorth, "6.6", &[], numbers()),
        pick(Ask::WinterCampaign, "9.2", &[], vec![NO, YES]),
    ];
    // The place does not affect the words.
    if let Some(region) = g.c.region_ids().next() {
        for indian in [true, false] {
            all.push(foresee(Retreat { region, seat, indian, blanks: Cubes::default(), out: None }));
            all.push(foresee(Crowded { region, indian }));
        }
        all.push(foresee(Assault { region }));
    }
    all
}

fn pick<C: Candidate<Plains>>(
    kind: Ask,
    rule: &'static str,
    verbs: &'static [&'static str],
    among: Vec<C>,
) -> Foreseen {
    foresee(Pick::new(kind, rule, "", among).verbs(verbs))
}
