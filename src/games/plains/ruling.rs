//! Effects of a director's rulings: corrections of visible pieces, as an owner of the game could
//! make by hand.
//!
//! Hidden cards in hands and decks cannot be corrected, because the shuffles prove them. The
//! control of a region follows from its cubes (4.5). The resulting position must be legal according
//! to [`super::legal`]; otherwise the table refuses the ruling.

use super::{
    State,
    components::{CardId, Faction},
    engagement::losses::{CAVALRY_FOR_A_VP, CUSTER_VPS},
    state::HAND,
};
use postrider_orders::Names;
use postrider_table::{Effect, EffectKind, Refusal, refuse};
use std::collections::BTreeSet;

/// The effects of rulings.
pub const EFFECTS: &[EffectKind<State>] = &[
    (
        "cubes",
        "place (a region or a box beside the map), colour, n; pile=casualties exchanges them with the Casualties instead of the Ready Box",
        cubes,
    ),
    ("casualties", "colour, n; the rest go to the Ready Box", casualties),
    ("railroad", "any of east, west: spaces built from St. Louis and from Sacramento", railroad),
    ("wagons", "any of north, south (through to the Rockies), destroyed", wagons),
    ("vps", "any of battles, custer: the Indians' VPs for lost Cavalry and for Custer's force", vps),
    ("disc", "colour, place: its place on the Disc Track, before the disc of this round, or 0 for the bag", disc),
    ("card", "colour, card, to (hand, top): a face-up card goes to its hand, or to the top of its discards", card),
    ("enduring", "colour, lasts: true if the instruction of its top discard is in force", enduring),
];

/// Returns an error while no effect of a ruling is possible.
///
/// # Errors
///
/// [`Refusal`] that says when one is.
pub fn may_rule(g: &State) -> Result<(), Refusal> {
    if !g.at_rest {
        return refuse(
            "9",
            "this is set right while a player chooses a card, not while cubes are placed, moved or fought over: rule then",
        );
    }
    Ok(())
}

/// Returns the faction of an effect, given by its colour.
fn faction(e: &mut Effect<'_>) -> Result<Faction, Refusal> {
    let colours = Faction::ALL.map(|faction| (faction.word(), faction));
    e.choice("colour", &colours)?.map_or_else(|| refuse("-", "`colour` is missing"), Ok)
}

/// Returns the faction of an effect, which must have cubes on the map.
fn with_cubes(e: &mut Effect<'_>) -> Result<Faction, Refusal> {
    match faction(e)? {
        Faction::Railroad => refuse("6.7", "Black cubes lie on the railroad: its effect is `railroad`"),
        other => Ok(other),
    }
}

/// Returns the faction of an effect, which must have a deck.
fn with_deck(e: &mut Effect<'_>) -> Result<Faction, Refusal> {
    let faction = faction(e)?;
    if !Faction::CARDED.contains(&faction) {
        return refuse("4.2", format!("the {} have no deck", faction.name()));
    }
    Ok(faction)
}

/// Returns the new size of a pile if `n` cubes replace the `stand` cubes at a place.
fn change(pile: u8, stand: u8, n: u8, faction: Faction) -> Result<u8, Refusal> {
    let left = (u16::from(pile) + u16::from(stand)).checked_sub(u16::from(n)).and_then(|left| u8::try_from(left).ok());
    left.map_or_else(
        || refuse("3.0", format!("there are {pile} more {} to take, not {}", faction.cubes(), n.saturating_sub(stand))),
        Ok,
    )
}

/// Reads the new number of cubes at a place. [`change`] checks that enough are there.
fn so_many(g: &State, e: &mut Effect<'_>, faction: Faction) -> Result<Option<u8>, Refusal> {
    let n = e.number("n", faction.cubes(), 0..=g.c.pieces[faction.index()].cubes.into())?;
    n.into_iter().for_each(|n: u8| e.told(format!("{n} {}", faction.cubes())));
    Ok(n)
}

/// Sets the cubes of a colour in a region, or in a box or area next to the map. Differences come
/// from and go to the Ready Box, or the Casualty Box if `pile` says so.
fn cubes(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let (faction, spot) = (with_cubes(e)?, e.named("place", &g.names)?);
    let of_casualties = e.choice("pile", &[("ready", false), ("casualties", true)])? == Some(true);
    if let Some(n) = so_many(g, e, faction)? {
        let stand = g.cubes(spot)[faction];
        let spare = if of_casualties { &mut g.casualties[faction] } else { &mut g.ready[faction] };
        *spare = change(*spare, stand, n, faction)?;
        g.cubes_mut(spot)[faction] = n;
        if faction == Faction::Cavalry {
            g.limit_custer(spot);
        }
    }
    Ok(format!("{}{}", g.c.told(spot), if of_casualties { ", by the Casualty Box" } else { "" }))
}

/// Sets the cubes in a Casualty Box (12.1.3). Differences come from and go to the Ready Box.
fn casualties(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let faction = with_cubes(e)?;
    if let Some(n) = so_many(g, e, faction)? {
        g.ready[faction] = change(g.ready[faction], g.casualties[faction], n, faction)?;
        g.casualties[faction] = n;
    }
    Ok("The Casualty Box".to_owned())
}

/// Sets the built spaces of the railroad (6.7).
fn railroad(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let track = 0..=g.c.rail.len() as i64;
    e.count("east", "spaces from St. Louis", &mut g.east, track.clone())?;
    e.count("west", "spaces from Sacramento", &mut g.west, track)?;
    Ok("The railroad".to_owned())
}

/// Sets the Wagons that have left the map (6.6.2, 12.1.2.1). Differences come from and go to the
/// Ready Box.
fn wagons(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let left = |g: &State| g.arrived.iter().sum::<u8>() + g.destroyed;
    let (was, ready) = (left(g), g.ready[Faction::Wagons]);
    let all = 0..=i64::from(was + ready);
    let [by_north, by_south] = &mut g.arrived;
    e.count("north", "through by the north", by_north, all.clone())?;
    e.count("south", "through by the south", by_south, all.clone())?;
    e.count("destroyed", "destroyed", &mut g.destroyed, all)?;
    g.ready[Faction::Wagons] = change(ready, was, left(g), Faction::Wagons)?;
    Ok("Wagons".to_owned())
}

/// Sets the recorded VPs of the Indians; all others follow from the map.
fn vps(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    // An upper limit: all Cavalry are lost once a turn, at a VP for two (Victory Point Schedule).
    let lost = g.turn.max(1) * u32::from(g.c.pieces[Faction::Cavalry.index()].cubes / CAVALRY_FOR_A_VP);
    e.count("battles", "for Cavalry lost in battles", &mut g.battle_vps, 0..=lost.into())?;
    e.count("custer", "for Custer's force", &mut g.custer_vps, 0..=CUSTER_VPS.into())?;
    Ok("VPs of the Indians".to_owned())
}

/// Puts a disc on the Disc Track, before the one whose round it is, or back in the bag to be drawn
/// again this turn (8).
fn disc(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let faction = faction(e)?;
    let Some((&now, _)) = g.drawn.split_last().filter(|&(&now, _)| now != faction) else {
        return refuse("8", format!("it is the round of the {}", faction.name()));
    };
    let was = g.drawn.iter().position(|&other| other == faction);
    // The disc of this round stays last.
    let places = g.drawn.len() as i64 - i64::from(was.is_some());
    if let Some(place) = e.number::<usize>("place", "place on the Disc Track", 0..=places)? {
        g.drawn.retain(|&other| other != faction);
        g.bag.retain(|&other| other != faction);
        match place.checked_sub(1) {
            Some(at) => {
                g.drawn.insert(at, faction);
                e.told(format!("place {place}, before the {}", now.name()));
            }
            None => {
                g.bag.push(faction);
                g.bag.sort_by_key(|faction| faction.index());
                e.told("back in the bag");
            }
        }
    }
    Ok(format!("The {} disc", faction.cubes()))
}

/// Moves a face-up card to the top of its discards, or back to the hand from which it was played
/// (9).
fn card(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let faction = with_deck(e)?;
    let (mut names, mut faces) = (Names::<CardId>::new("card face up"), BTreeSet::new());
    for &card in g.deck(faction).discards.iter().rev() {
        // Of two cards with the same name, the one nearer to the top is meant.
        if faces.insert(&g.c[card].name) {
            names.add(&g.c[card].name, card);
        }
    }
    let card = e.named("card", &names)?;
    if let Some(in_hand) = e.choice("to", &[("top", false), ("hand", true)])? {
        if in_hand && g.hand(faction).len() >= HAND {
            let whose = faction.name();
            let why = format!("the {whose} hold {HAND} cards already: a card returns only to a hand that lacks one");
            return refuse("9", why);
        }
        if g.enduring(faction) == g.c[card].event {
            g.set_enduring(faction, None);
        }
        let owner = g.owner(faction);
        let deck = g.deck_mut(faction);
        if in_hand {
            deck.take_back(owner, card);
        } else {
            deck.discards.retain(|&other| other != card);
            deck.discards.push(card);
        }
        e.told(if in_hand { "back in hand" } else { "on top of the discards" });
    }
    Ok(format!("{} of the {}", g.c[card].name, faction.name()))
}

/// Sets whether the enduring instruction on top of a faction's discards is in force (9.2.1).
fn enduring(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let faction = with_deck(e)?;
    let whose = format!("The {}", faction.name());
    let Some(lasts) = e.truth("lasts")? else { return Ok(whose) };
    if !lasts {
        g.set_enduring(faction, None);
        e.told("no instruction endures");
        return Ok(whose);
    }
    let Some(&top) = g.deck(faction).discards.last() else {
        return refuse("9.2.1", format!("the {} have no card face up", faction.name()));
    };
    let Some(event) = g.c[top].event.filter(|event| event.endures()) else {
        return refuse("9.2.1", format!("{} lies on top and does not endure", g.c[top].name));
    };
    g.set_enduring(faction, Some(event));
    e.told(format!("{} endures", g.c[top].name));
    Ok(whose)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Plains, State,
        components::{CardId, Event, Faction::*},
        scoring::tell_points,
        testing::*,
    };
    use postrider_table::{Refusal, ruled};
    use serde_json::{Value, json};

    /// Carries out a ruling like the table.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<Plains>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// Returns a position in which a card is being chosen.
    fn at_rest() -> State {
        let mut g = bare(2);
        g.at_rest = true;
        g
    }

    /// plains-indian-wars 6.7, 12.1.3
    #[test]
    fn pieces_are_set_as_ruled() {
        let mut g = at_rest();
        set(&mut g, "N4", &[(Npt, 3)]);
        let ready = g.ready;
        let n4 = g.name(at(&g, "N4")).to_owned();
        let said = rule(&mut g, &json!({ "cubes": { "place": "n4", "colour": "green", "n": 5 } })).unwrap();
        assert_eq!((said, here(&g, "N4")[Npt], g.ready[Npt]), (format!("{n4}: 5 Green."), 5, ready[Npt] - 2));
        let lost = json!({ "cubes": { "place": "N4", "colour": "green", "n": 1, "pile": "casualties" } });
        assert_eq!(rule(&mut g, &lost).unwrap(), format!("{n4}, by the Casualty Box: 1 Green."));
        assert_eq!((here(&g, "N4")[Npt], g.casualties[Npt], g.ready[Npt]), (1, 4, ready[Npt] - 2));
        let said = rule(&mut g, &json!({ "casualties": { "colour": "green", "n": 0 } })).unwrap();
        assert_eq!((said.as_str(), g.ready[Npt]), ("The Casualty Box: 0 Green.", ready[Npt] + 2));
        let said = rule(&mut g, &json!({ "railroad": { "east": 4, "west": 1 } })).unwrap();
        assert_eq!(said, "The railroad: spaces from St. Louis 4 and spaces from Sacramento 1.");
        assert_eq!((g.east, g.west), (4, 1));
        let wagons = g.ready[Wagons];
        rule(&mut g, &json!({ "wagons": { "south": 2, "destroyed": 1 } })).unwrap();
        assert_eq!((g.arrived, g.destroyed, g.ready[Wagons]), ([0, 2], 1, wagons - 3));
        rule(&mut g, &json!({ "wagons": { "south": 0, "destroyed": 0 } })).unwrap();
        assert_eq!((g.arrived, g.destroyed, g.ready[Wagons]), ([0, 0], 0, wagons));
        let custer = g.c.deck(Cavalry).find(|&k| g.c[k].event == Some(Event::Custer)).expect("his card");
        let deck = g.deck_mut(Cavalry);
        (deck.order, deck.drawn, deck.discards) = (vec![custer], 1, vec![custer]);
        let said = rule(&mut g, &json!({ "vps": { "battles": 3, "custer": 2 } })).unwrap();
        assert_eq!(said, "VPs of the Indians: for Cavalry lost in battles 3 and for Custer's force 2.");
        assert_eq!((g.battle_vps, g.custer_vps), (3, 2));
    }

    /// plains-indian-wars 9.2.2
    #[test]
    fn a_ruling_on_blue_cubes_lowers_custers_force() {
        let mut g = at_rest();
        set(&mut g, "N7", &[(Cavalry, 5)]);
        g.send_custer(at(&g, "N7"), 4);
        let led = |g: &State| g.custer.iter().sum::<u8>();
        let mut blue = |n: u8| {
            rule(&mut g, &json!({ "cubes": { "place": "N7", "colour": "blue", "n": n } })).unwrap();
            (led(&g), g.custer.is_empty())
        };
        assert_eq!([blue(4), blue(3), blue(6), blue(0)], [(4, false), (3, false), (3, false), (0, true)]);
    }

    /// plains-indian-wars 9.2.1
    #[test]
    fn an_instruction_endures_or_not_as_ruled() {
        let mut g = at_rest();
        let (colour, c) = (json!(Settlers), g.c.clone());
        let endures = c.deck(Settlers).find(|&k| c[k].event.is_some_and(Event::endures)).expect("a card that endures");
        let other = c.deck(Settlers).find(|&k| !c[k].event.is_some_and(Event::endures)).expect("one that does not");
        let mut lasts = |discards: &[CardId], lasts: bool| {
            let deck = g.deck_mut(Settlers);
            (deck.order, deck.drawn, deck.discards) = (discards.to_vec(), discards.len(), discards.to_vec());
            let said = rule(&mut g, &json!({ "enduring": { "colour": colour, "lasts": lasts } }));
            (said.unwrap_or_else(|why| why.why), g.enduring(Settlers))
        };
        let said = format!("The Settlers: {} endures.", c[endures].name);
        assert_eq!(lasts(&[other, endures], true), (said, c[endures].event));
        assert_eq!(lasts(&[other, endures], false), ("The Settlers: no instruction endures.".to_owned(), None));
        assert!(lasts(&[endures, other], true).0.contains("does not endure"));
        assert!(lasts(&[], true).0.contains("no card face up"));
    }

    /// plains-indian-wars 8.0
    #[test]
    fn discs_before_that_of_the_round_are_set_as_ruled() {
        let mut g = at_rest();
        (g.drawn, g.bag) = (vec![Wagons, Npt, Cavalry], vec![Spt, Settlers, Enemies, Railroad]);
        let mut place = |colour: &str, place: u8| {
            let said = rule(&mut g, &json!({ "disc": { "colour": colour, "place": place } }));
            (said.unwrap_or_else(|why| why.why), g.drawn.clone())
        };
        assert_eq!(
            place("green", 1),
            ("The Green disc: place 1, before the Cavalry.".to_owned(), vec![Npt, Wagons, Cavalry])
        );
        assert_eq!(place("white", 0), ("The White disc: back in the bag.".to_owned(), vec![Npt, Cavalry]));
        assert_eq!(place("purple", 2).1, [Npt, Enemies, Cavalry]);
        assert_eq!(g.bag, [Spt, Settlers, Wagons, Railroad]);
    }

    /// plains-indian-wars 9.0
    #[test]
    fn a_card_goes_back_to_the_hand_from_which_it_was_played() {
        let mut g = at_rest();
        let c = g.c.clone();
        let cards: Vec<CardId> = c.deck(Settlers).take(3).collect();
        let deck = g.deck_mut(Settlers);
        (deck.order, deck.drawn, deck.discards) = (cards.clone(), 3, cards.clone());
        let name = &c[cards[2]].name;
        let mut to = |to: &str| {
            let said = rule(&mut g, &json!({ "card": { "colour": "brown", "card": name, "to": to } })).unwrap();
            (said, g.deck(Settlers).discards.clone(), g.hand(Settlers).collect::<Vec<_>>())
        };
        let said = format!("{name} of the Settlers: back in hand.");
        assert_eq!(to("hand"), (said, cards[..2].to_vec(), vec![cards[2]]));
    }

    /// plains-indian-wars 9.0
    #[test]
    fn a_card_goes_back_only_to_a_hand_that_lacks_one() {
        let mut g = at_rest();
        let c = g.c.clone();
        let cards: Vec<CardId> = c.deck(Settlers).take(4).collect();
        let deck = g.deck_mut(Settlers);
        (deck.order, deck.drawn, deck.discards) = (cards.clone(), 4, cards.clone());
        let mut back = |card: CardId| {
            let said = rule(&mut g, &json!({ "card": { "colour": "brown", "card": c[card].name, "to": "hand" } }));
            said.map_err(|why| (why.rule, why.why))
        };
        assert!(cards[1..].iter().rev().all(|&card| back(card).is_ok()));
        let why = "the Settlers hold 3 cards already: a card returns only to a hand that lacks one";
        assert_eq!(back(cards[0]), Err(("9", why.to_owned())));
    }

    /// plains-indian-wars 9.0, 9.2.1
    #[test]
    fn a_card_is_put_on_top_of_the_discards() {
        let mut g = at_rest();
        let c = g.c.clone();
        let endures = c.deck(Settlers).find(|&k| c[k].event.is_some_and(Event::endures)).expect("a card that endures");
        let others = c.deck(Settlers).filter(|&k| c[k].event.is_none()).take(2);
        let cards: Vec<CardId> = others.chain([endures]).collect();
        let deck = g.deck_mut(Settlers);
        (deck.order, deck.drawn, deck.discards) = (cards.clone(), 3, cards.clone());
        g.set_enduring(Settlers, c[endures].event);
        let mut top = |card: CardId| {
            let said = rule(&mut g, &json!({ "card": { "colour": "brown", "card": c[card].name, "to": "top" } }));
            (said.unwrap_or_else(|why| why.why), g.deck(Settlers).discards.clone(), g.enduring(Settlers))
        };
        let said = format!("{} of the Settlers: on top of the discards.", c[endures].name);
        assert_eq!(top(endures), (said, cards.clone(), None));
        assert_eq!(top(cards[0]).1, [cards[1], endures, cards[0]]);
    }

    /// plains-indian-wars 2.0, 14.0
    #[test]
    fn a_ruling_changes_when_the_game_ends() {
        let mut g = at_rest();
        let card = g.c.deck(Settlers).next().expect("a card");
        let mut ends = |effect: &Value| {
            rule(&mut g, effect).unwrap();
            g.ending()
        };
        assert!(ends(&json!({ "railroad": { "east": 20, "west": 5 } })));
        assert!(!ends(&json!({ "railroad": { "east": 19 } })));
        let deck = g.deck_mut(Settlers);
        (deck.order, deck.drawn, deck.discards) = (vec![card], 1, vec![card]);
        assert!(g.ending());
        let back = json!({ "card": { "colour": "brown", "card": g.c[card].name, "to": "hand" } });
        rule(&mut g, &back).unwrap();
        assert!(!g.ending());
    }

    /// plains-indian-wars VP
    #[test]
    fn what_a_ruling_scores_is_not_told_with_the_next_order() {
        let mut g = at_rest();
        rule(&mut g, &json!({ "vps": { "battles": 3 } })).unwrap();
        let quiet = |t, mut g| async move {
            tell_points(&t, &mut g);
            g
        };
        assert_eq!(Trial::new(g, quiet).start().story(), [""; 0]);
    }

    /// plains-indian-wars 4.4, 6.7.2
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = at_rest();
        g.drawn = vec![Npt];
        set(&mut g, "N4", &[(Npt, 7)]);
        let cases = [
            (json!({ "cubes": { "place": "N4", "colour": "green", "n": 9 } }), "9 friendly cubes"),
            (
                json!({ "cubes": { "place": "N4", "colour": "green", "n": 9, "pile": "casualties" } }),
                "more Green to take",
            ),
            (json!({ "cubes": { "place": "Canada", "colour": "white", "n": 1 } }), "would not be legal"),
            (json!({ "cubes": { "place": "N4", "colour": "black", "n": 1 } }), "its effect is `railroad`"),
            (json!({ "cubes": { "place": "atlantis", "colour": "green", "n": 1 } }), "no region is called “atlantis”"),
            (json!({ "cubes": { "place": "N4", "colour": "pink", "n": 1 } }), "white or black, not \"pink\""),
            (json!({ "cubes": { "place": "N4", "colour": "green", "n": 1, "of": 2 } }), "has no member `of`"),
            (json!({ "cubes": { "place": "N4", "n": 1 } }), "`colour` is missing"),
            (json!({ "disc": { "colour": "green", "place": 0 } }), "it is the round of the NPT"),
            (json!({ "disc": { "colour": "blue", "place": 2 } }), "2 is out of range; 0 to 1"),
            (
                json!({ "card": { "colour": "green", "card": "custer", "to": "hand" } }),
                "no card face up is called “custer”",
            ),
            (json!({ "railroad": { "east": 21 } }), "would not be legal"),
            (json!({ "railroad": { "east": 99 } }), "is out of range"),
            (json!({ "railroad": { "east": 20, "west": 20 } }), "20 and 20 on the track (6.7)"),
            (json!({ "railroad": {} }), "changes nothing of The railroad"),
            (json!({ "wagons": { "north": 21 } }), "is out of range"),
            (json!({ "wagons": { "north": 15, "south": 15 } }), "more White to take"),
            (json!({ "vps": { "custer": 3 } }), "is out of range; 0 to 2"),
            (json!({ "vps": { "custer": 1 } }), "1 VP for Custer (9.2.2)"),
            (json!({ "vps": { "custer": 2 } }), "2 VPs for Custer (9.2.2)"),
            (json!({ "enduring": { "colour": "white", "lasts": true } }), "have no deck"),
            (json!({ "hand": { "colour": "green" } }), "has no such effect"),
        ];
        for (effect, why) in &cases {
            let told = rule(&mut g.clone(), effect).unwrap_err().why;
            assert!(told.contains(why), "{effect}: {told}");
        }
        g.at_rest = false;
        let told = rule(&mut g, &json!({ "casualties": { "colour": "green", "n": 1 } })).unwrap_err();
        assert!(told.why.contains("while a player chooses a card"), "{told}");
    }
}
