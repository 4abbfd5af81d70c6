//! Set-up (5).

use super::{
    T,
    cards::refill,
    components::{CardId, Components, Event, Faction, Kind, Spot},
    hand::draw,
    movement::near,
    naming,
    placement::place_together,
    scoring::Score,
    state::{Cubes, Effects, HAND, State},
    variant::Variant,
};
use postrider_table::{Hands, Introduction, Seat, Setup};
use std::sync::Arc;

/// Returns the text of an invitation (6.7, 14, 15).
pub fn introduction(setup: &Setup) -> Introduction {
    let sides = Variant::of(setup).map(|variant| {
        let side = |seat: u8| {
            let factions: Vec<&str> = variant.factions_of(Seat(seat)).map(Faction::name).collect();
            let side = if variant.is_indian(Seat(seat)) { "Indians" } else { "US" };
            format!("{side}: {}", factions.join(", "))
        };
        (0..setup.seats).map(side).collect()
    });
    Introduction {
        sides: sides.unwrap_or_default(),
        goal: "Each faction fights for the regions of the Plains. The most victory points at the end win; they come from regions, battles, \
               Wagons and the railroad (6.7)."
            .to_owned(),
        length: "In a turn the disc of every faction is drawn once, in a new order each time. The last turn is the one in which a \
                 faction's cards run out or the railroad is finished (14), mostly after ten to twelve turns."
            .to_owned(),
    }
}

/// Number of cubes that each Indian faction adds in regions of its choice (5).
const ADDED: u8 = 3;
/// Number of Purple cubes in Canada and in Mexico (5).
const BESIDE: u8 = 2;

/// Cubes in the two boxes: faction, box, number (5).
const BOXES: [(Faction, Spot, u8); 5] = [
    (Faction::Cavalry, Spot::StLouis, 1),
    (Faction::Cavalry, Spot::Sacramento, 1),
    (Faction::Settlers, Spot::StLouis, 3),
    (Faction::Wagons, Spot::StLouis, 2),
    (Faction::Settlers, Spot::Sacramento, 3),
];

/// Returns the position before anything is placed.
pub fn position(c: Arc<Components>, variant: Variant) -> State {
    let spots = c.regions.len() + Spot::BESIDE.len();
    let mut ready = Cubes::default();
    for faction in Faction::ALL.into_iter().take(6) {
        ready[faction] = c.pieces[faction.index()].cubes;
    }
    State {
        near: near(&c).into(),
        names: naming::spots(&c).into(),
        variant,
        turn: 0,
        bag: Vec::new(),
        drawn: Vec::new(),
        map: vec![Cubes::default(); spots],
        ready,
        casualties: Cubes::default(),
        east: 0,
        west: 0,
        decks: Default::default(),
        enduring: [None; 4],
        arrived: [0; 2],
        destroyed: 0,
        battle_vps: 0,
        custer_vps: 0,
        fx: Effects::default(),
        moved: vec![Cubes::default(); spots],
        together: Vec::new(),
        told: vec![Score::default(); usize::from(variant.players)],
        moving: false,
        at_rest: false,
        contested: Vec::new(),
        spared: vec![0; c.regions.len()],
        escaped: vec![0; c.regions.len()],
        custer: Vec::new(),
        finished: false,
        stopped: false,
        c,
    }
}

/// Sets up the game (5): decks and hands, then all fixed cubes, then the cubes that the Indians
/// choose.
pub async fn set_up(t: &T, g: &mut State) {
    for faction in Faction::CARDED {
        shuffle(t, g, faction);
        draw(t, g, faction, HAND);
    }
    for r in g.c.region_ids() {
        let faction = match g.c[r].kind {
            Kind::North => Faction::Npt,
            Kind::South => Faction::Spt,
            Kind::PurpleNorth | Kind::PurpleSouth => Faction::Enemies,
        };
        g.muster(faction, Spot::Region(r), 1);
    }
    for spot in [Spot::Canada, Spot::Mexico] {
        g.muster(Faction::Enemies, spot, BESIDE);
    }
    for (faction, spot, n) in BOXES {
        g.muster(faction, spot, n);
    }
    let added = [(Faction::Npt, Kind::North), (Faction::Spt, Kind::South)].map(|(faction, kind)| {
        let regions = g.c.region_ids().filter(|&r| g.c[r].kind == kind).map(Spot::Region).collect();
        (faction, ADDED, regions)
    });
    place_together(t, g, added.to_vec(), "5.0", "Place your additional cubes").await;
    // A Custer drawn in the first hand waits until there are targets (9.2.2).
    for faction in Faction::CARDED {
        refill(t, g, faction).await;
    }
}

fn shuffle(t: &T, g: &mut State, faction: Faction) {
    let cards: Vec<CardId> = g.c.deck(faction).collect();
    // Custer is never held in a hand (9.2.2).
    let at_once = cards.iter().copied().find(|&card| g.c[card].event == Some(Event::Custer));
    let deck = Hands::shuffled(t, faction.deck(), &cards, |card| g.c[card].name.clone());
    *g.deck_mut(faction) = Hands { at_once, ..deck };
}
