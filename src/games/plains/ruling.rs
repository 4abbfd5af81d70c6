//! What a director's ruling can do: whatever an owner of the box could set right with his own hands and everybody can see.
//!
//! Hands and decks are nobody's to set right: the shuffles prove them. Who controls a region follows from its cubes (4.5). The
//! position afterwards must be one that the rules can reach, as [`super::legal`] judges it; otherwise the table refuses.

use super::{State, components::Faction, engagement::losses::CUSTER_VPS};
use postrider_table::{Amount, MARKERS, Markers, Refusal, effect, named, refuse};
use serde::Deserialize;
use serde_json::Value;

/// What a ruling does. Members that are left out stay as they are. Factions go by their colours.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// Cubes of a colour in a region, or in a box beside the map.
    Cubes {
        /// The region or box, by its name or id.
        place: String,
        /// Which cubes.
        colour: Faction,
        /// How many stand there from now on.
        n: Amount,
        /// Where those come from that are more, and go that are fewer; the Ready Box unless it says otherwise.
        #[serde(default)]
        pile: Pile,
    },
    /// Cubes in a Casualty Box (12.1.3): more come from the Ready Box, fewer go there.
    Casualties {
        /// Whose.
        colour: Faction,
        /// How many.
        n: Amount,
    },
    /// Spaces of the railroad that are built (6.7).
    Railroad {
        /// From St. Louis.
        east: Option<Amount>,
        /// From Sacramento.
        west: Option<Amount>,
    },
    /// Wagons that have left the map; more come from the Ready Box, fewer go there.
    Wagons {
        /// In the Rockies by the northern route (6.6.2).
        north: Option<Amount>,
        /// By the southern one.
        south: Option<Amount>,
        /// Destroyed by the Indians (12.1.2.1).
        destroyed: Option<Amount>,
    },
    /// VPs that the Indians have written down; all others are counted on the map.
    Vps {
        /// For Cavalry lost in battles.
        battles: Option<Amount>,
        /// For Custer's force: 2, or 0.
        custer: Option<Amount>,
    },
    /// The enduring instruction of a faction (9.2.1).
    Enduring {
        /// Whose.
        colour: Faction,
        /// Whether that of the card on top of its discards lasts.
        lasts: bool,
    },
}

/// Where cubes lie that are not on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pile {
    /// The Ready Box.
    #[default]
    Ready,
    /// The Casualty Box.
    Casualties,
}

/// Does what a ruling says; gives what it did, in words.
///
/// # Errors
/// [`Refusal`] when the effect names nothing of this game, or comes while cubes are being moved or fought over.
pub fn rule(g: &mut State, said: &Value) -> Result<String, Refusal> {
    let effect: Effect = effect(said)?;
    if !g.at_rest {
        return refuse(
            "9",
            "this is set right while a player chooses a card, not while cubes are placed, moved or fought over: rule then",
        );
    }
    let mut told = Markers::default();
    match effect {
        Effect::Cubes { place, colour, n, pile } => {
            let (faction, n) = (with_cubes(colour)?, cubes(n)?);
            let spot = named(&g.names, "region or box", &place)?;
            let stand = g.cubes(spot)[faction];
            let spare = match pile {
                Pile::Ready => &mut g.ready[faction],
                Pile::Casualties => &mut g.casualties[faction],
            };
            *spare = change(*spare, stand, n, faction)?;
            g.cubes_mut(spot)[faction] = n;
            if faction == Faction::Cavalry {
                g.limit_custer(spot);
            }
            told.told(format!("{n} {}", faction.cubes()));
            let from = if pile == Pile::Casualties { ", by the Casualty Box" } else { "" };
            told.words(&format!("{}{from}", g.c.told(spot)))
        }
        Effect::Casualties { colour, n } => {
            let (faction, n) = (with_cubes(colour)?, cubes(n)?);
            g.ready[faction] = change(g.ready[faction], g.casualties[faction], n, faction)?;
            g.casualties[faction] = n;
            told.told(format!("{n} {}", faction.cubes()));
            told.words("The Casualty Box")
        }
        Effect::Railroad { east, west } => {
            let track = 0..=g.c.rail.len() as i64;
            told.count("spaces from St. Louis", &mut g.east, east, track.clone())?;
            told.count("spaces from Sacramento", &mut g.west, west, track)?;
            told.words("The railroad")
        }
        Effect::Wagons { north, south, destroyed } => {
            let left = |g: &State| g.arrived.iter().sum::<u8>() + g.destroyed;
            let (was, ready) = (left(g), g.ready[Faction::Wagons]);
            let all = 0..=i64::from(was + ready);
            let [by_north, by_south] = &mut g.arrived;
            told.count("through by the north", by_north, north, all.clone())?;
            told.count("through by the south", by_south, south, all.clone())?;
            told.count("destroyed", &mut g.destroyed, destroyed, all)?;
            g.ready[Faction::Wagons] = change(ready, was, left(g), Faction::Wagons)?;
            told.words("Wagons")
        }
        Effect::Vps { battles, custer } => {
            told.count("for Cavalry lost in battles", &mut g.battle_vps, battles, MARKERS)?;
            told.count("for Custer's force", &mut g.custer_vps, custer, 0..=CUSTER_VPS.into())?;
            told.words("VPs of the Indians")
        }
        Effect::Enduring { colour, lasts } => enduring(g, colour, lasts),
    }
}

/// What is left of a pile when so many cubes stand somewhere instead of so many.
fn change(pile: u8, stand: u8, n: u8, faction: Faction) -> Result<u8, Refusal> {
    let left = (u16::from(pile) + u16::from(stand)).checked_sub(u16::from(n)).and_then(|left| u8::try_from(left).ok());
    left.map_or_else(
        || refuse("3.0", format!("there are {pile} more {} to take, not {}", faction.cubes(), n.saturating_sub(stand))),
        Ok,
    )
}

/// A number of cubes; how many there are, [`change`] knows.
fn cubes(n: Amount) -> Result<u8, Refusal> {
    n.within("cubes", 0..=u8::MAX.into())
}

/// A faction whose cubes stand on the map.
fn with_cubes(faction: Faction) -> Result<Faction, Refusal> {
    match faction {
        Faction::Railroad => refuse("6.7", "Black cubes lie on the railroad: its effect is `railroad`"),
        other => Ok(other),
    }
}

/// 9.2.1: what endures is the card on top.
fn enduring(g: &mut State, faction: Faction, lasts: bool) -> Result<String, Refusal> {
    if !Faction::CARDED.contains(&faction) {
        return refuse("4.2", format!("the {} have no deck", faction.name()));
    }
    let whose = faction.name();
    if !lasts {
        g.set_enduring(faction, None);
        return Ok(format!("No instruction of the {whose} endures."));
    }
    let Some(&top) = g.deck(faction).discards.last() else {
        return refuse("9.2.1", format!("the {whose} have no card face up"));
    };
    let Some(event) = g.c[top].event.filter(|event| event.endures()) else {
        return refuse("9.2.1", format!("{} lies on top and does not endure", g.c[top].name));
    };
    g.set_enduring(faction, Some(event));
    Ok(format!("{} of the {whose} endures.", g.c[top].name))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Plains,
            components::{CardId, Event},
            testing::*,
        },
        *,
    };
    use Faction::*;
    use postrider_table::ruled;
    use serde_json::json;

    /// Rules as the table does.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<Plains>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// A position in which a card is chosen.
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
        let custer = g.c.deck(Cavalry).find(|&k| g.c[k].event == Some(Event::Custer)).expect("his card");
        let deck = g.deck_mut(Cavalry);
        (deck.order, deck.drawn, deck.discards) = (vec![custer], 1, vec![custer]);
        let said = rule(&mut g, &json!({ "vps": { "battles": 3, "custer": 2 } })).unwrap();
        assert_eq!(said, "VPs of the Indians: for Cavalry lost in battles 3 and for Custer's force 2.");
        assert_eq!((g.battle_vps, g.custer_vps), (3, 2));
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
        let said = format!("{} of the Settlers endures.", c[endures].name);
        assert_eq!(lasts(&[other, endures], true), (said, c[endures].event));
        assert_eq!(lasts(&[other, endures], false), ("No instruction of the Settlers endures.".to_owned(), None));
        assert!(lasts(&[endures, other], true).0.contains("does not endure"));
        assert!(lasts(&[], true).0.contains("no card face up"));
    }

    /// plains-indian-wars 4.4, 6.7.2
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = at_rest();
        set(&mut g, "N4", &[(Npt, 7)]);
        let cases = [
            (json!({ "cubes": { "place": "N4", "colour": "green", "n": 9 } }), "9 friendly cubes"),
            (json!({ "cubes": { "place": "N4", "colour": "green", "n": 99 } }), "more Green to take"),
            (json!({ "cubes": { "place": "Canada", "colour": "white", "n": 1 } }), "would not be legal"),
            (json!({ "cubes": { "place": "N4", "colour": "black", "n": 1 } }), "its effect is `railroad`"),
            (json!({ "cubes": { "place": "atlantis", "colour": "green", "n": 1 } }), "is no region or box here"),
            (json!({ "cubes": { "place": "N4", "colour": "pink", "n": 1 } }), "knows no such effect"),
            (json!({ "cubes": { "place": "N4", "colour": "green", "n": 1, "of": 2 } }), "knows no such effect"),
            (json!({ "railroad": { "east": 21 } }), "would not be legal"),
            (json!({ "railroad": { "east": 99 } }), "is out of range"),
            (json!({ "railroad": { "east": 20, "west": 20 } }), "20 and 20 on the track (6.7)"),
            (json!({ "railroad": {} }), "sets nothing of The railroad"),
            (json!({ "wagons": { "north": 21 } }), "is out of range"),
            (json!({ "wagons": { "north": 15, "south": 15 } }), "more White to take"),
            (json!({ "vps": { "custer": 3 } }), "is out of range; 0 to 2"),
            (json!({ "vps": { "custer": 1 } }), "1 VP for Custer (9.2.2)"),
            (json!({ "vps": { "custer": 2 } }), "2 VPs for Custer (9.2.2)"),
            (json!({ "enduring": { "colour": "white", "lasts": true } }), "have no deck"),
            (json!({ "hand": { "colour": "green" } }), "knows no such effect"),
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
