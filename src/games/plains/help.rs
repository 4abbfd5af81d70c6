//! What `help <subject>` answers: each action in a few lines, with orders that can be sent and the rule's number.

use super::components::Components;
use crate::{
    orders::Phrase,
    table::{Topic, explain, explained},
};

const TOPICS: [Topic; 12] = [
    Topic {
        names: &["cards", "card", "round", "playing cards"],
        rules: "7, 9",
        says: "When your disc is drawn you play one movement card (War Party, Engagement or Migration) and up to two Event cards \
               before or after it, then your hand is filled to three. Without a movement card in hand one Event card moves \
               two groups up to two regions in place of its text.",
        orders: &["play sitting bull", "use great hunt to move", "end the round"],
    },
    Topic {
        names: &["placement", "placing", "cubes", "reinforcements"],
        rules: "10",
        says: "A War Party card places its cubes in controlled regions of its colour, or beside the map where there is none. \
               Engagement and Migration cards place theirs in St. Louis, one Blue or up to four Brown of them in Sacramento.",
        orders: &["place 2 in black hills, 1 in cheyenne", "recover"],
    },
    Topic {
        names: &["movement", "moving", "groups", "move"],
        rules: "11",
        says: "A card moves so many groups up to so many regions. A group starts in one region; its parts may go to different \
               places. Entering a region that the enemy controls or contests ends the move; for the US an empty green or \
               orange region is one. Cubes that have moved do not move again in the round.",
        orders: &["move 3 green from cheyenne to denver", "move 2 from n4 to n9", "done"],
    },
    Topic {
        names: &["influence", "allies"],
        rules: "11.2",
        says: "Cubes of your other factions go along: two Brown or one Purple with each Blue, one Blue with two Brown or two \
               Purple, one Orange with two Green and the other way round.",
        orders: &["move 2 green and 1 orange from denver to cheyenne"],
    },
    Topic {
        names: &["railroad", "rail", "railway"],
        rules: "6.7, 11.1",
        says: "The Black disc builds at both ends: a space for each Brown cube beside the railhead, three at the most; through \
               the mountains by two Brown dice, a space for each symbol. With an Engagement or Migration card one group of \
               each box may go by rail to a region beside the line. A joined railroad is worth three VPs to the US.",
        orders: &["rail 2 blue from st. louis to fort kearny"],
    },
    Topic {
        names: &["engagements", "engagement", "battle", "dice"],
        rules: "12",
        says: "One die for one cube of a faction, two for more. A Weapon removes an enemy cube, from its largest faction. A \
               Blank lets one cube retreat. A Treaty on both sides ends the fight, and the stronger side sends the weaker \
               away. The attacker takes losses and retreats first.",
        orders: &["lose brown", "retreat 1 blue to council bluffs", "stay"],
    },
    Topic {
        names: &["ambush"],
        rules: "12.1.1",
        says: "Where the US attacks a single Indian cube, that cube rolls one die first against the largest enemy faction.",
        orders: &["ambush brown"],
    },
    Topic {
        names: &["wagons", "wagon"],
        rules: "6.6, 12.1.2.1",
        says: "Wagons go west with the White disc. Indians may attack them where no other US cube stands: two hits in one roll \
               destroy one; a Blank of its own lets it escape west. Each in the Rockies or still on its trail is worth one VP \
               to the US, each destroyed one to the Indians.",
        orders: &["attack wagons in north platte", "attack", "call off"],
    },
    Topic {
        names: &["enemies", "purple"],
        rules: "6.4, 13",
        says: "The Purple disc places one Purple cube in a Purple region, Canada or Mexico, and moves the Purple cubes of one \
               spot up to two regions. Enemies and Settlers do not fight together, and do not stay together without Cavalry.",
        orders: &["place 1 in powder river", "move 2 purple from bighorn to black hills"],
    },
    Topic {
        names: &["casualties", "recover"],
        rules: "11.4",
        says: "A group move of a movement card brings all your casualties of its faction back to the Ready Box.",
        orders: &["recover casualties"],
    },
    Topic {
        names: &["control", "regions"],
        rules: "4.5, 4.6, 15.4.1",
        says: "A region is the Indians' when they have more cubes there than the US and the Enemies; an empty green or orange \
               one is theirs, unless a Wagon stands there. Purple cubes control nothing and deny control where they \
               outnumber the others.",
        orders: &[],
    },
    Topic {
        names: &["scoring", "victory", "points", "end of the game"],
        rules: "14.1",
        says: "The game ends with the last disc of the turn in which a faction plays its last card or the railroad is joined. \
               One VP for each controlled green or orange region; Indians: three for an unfinished railroad, one a Wagon, one \
               for every two Cavalry lost in a battle, two for Custer, Purple regions from three in an area on, three less \
               where the US holds most of an area; US: three for the railroad, one a Wagon.",
        orders: &[],
    },
];

/// Explains a subject that a player names in his own words. Lines are at most 76 columns wide. `None` where no one subject
/// is meant.
pub fn help(subject: &Phrase) -> Option<String> {
    let c = Components::builtin();
    let cards = c.card_ids().map(|card| (c[card].name.clone(), card));
    explain(subject, &TOPICS, "the name of a card", cards, |&card| {
        let variant = super::variant::Variant { version: 1, players: 2, indian_allies: false, wagons_again: false };
        let position = super::setup::position(std::sync::Arc::new(c.clone()), variant);
        let title = format!("{} ({}, rule 9)", c[card].name, c[card].deck.name());
        explained(&title, &super::events::card_line(&position, card))
    })
}
