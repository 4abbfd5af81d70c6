//! What `help <subject>` answers: each action and phase in a few lines, with orders that can be sent and the rule's number.

use super::{
    card::Card,
    cards,
    events::{self, Event},
};
use crate::{
    orders::Phrase,
    table::{Topic, explain, explained},
};

/// Something beside the subjects that has a name.
#[derive(Clone, Copy)]
enum Named {
    Card(Card),
    Event(Event),
}

/// Explains a subject that a player names in his own words: an action, a phase, a Shaman Card. Lines are at most 76
/// columns wide. `None` where no one subject is meant.
pub fn help(subject: &Phrase) -> Option<String> {
    // Where a card and an action share a name ("Raid"), the action is explained, and the card with it.
    let cards = Card::all().flat_map(|card| {
        let short = card.name().strip_prefix("The ");
        std::iter::once(card.name()).chain(short).map(move |name| (name.to_owned(), Named::Card(card)))
    });
    let events = Event::ALL.iter().map(|event| (event.name().to_owned(), Named::Event(*event)));
    explain(subject, TOPICS, "the name of a Shaman Card", cards.chain(events), |thing| match *thing {
        Named::Card(card) => {
            let text: Vec<String> = cards::sentences(card).collect();
            explained(&format!("{} (rule {})", card.name(), card.rule()), &text.join(" "))
        }
        Named::Event(event) => {
            explained(&format!("{}, {} (rule 12.13)", event.name(), events::drs(event)), events::about(event))
        }
    })
}

const TOPICS: &[Topic] = &[
    Topic {
        names: &["campaign game", "campaign", "first columns"],
        rules: "11.1, 11.11, 11.12",
        says: "All eight Turns and all cards. In Turn 1 the US draws six Commanders and places three Columns out of 35 BPs, \
               each with a Commander of its choice; the rest stays in Reserve, and no dice bring new BPs. Nobody has the \
               US for three Turns running. No RR comes before Turn 3 or during the Civil War; the first two go to Kansas \
               and California, one each, later ones in or next to Areas with RRs.",
        orders: &["new column crook with 8 1 gun in texas on patrol"],
    },
    Topic {
        names: &["american civil war", "civil war", "deployment"],
        rules: "9.2A, 5.44",
        says: "Once a game, as a player's first card played in a Turn; in Turn 6 at the latest it comes by itself. Half of \
               the Commanders, BPs and Artillery go, from the Reserve first, and the US places its Columns anew. For this \
               Turn no RR is built, no Column is played in Texas and New Mexico, New Mexico and Arizona become no States, \
               Peace Policy and Reform Movement end. Before it new BPs are four dice, after it six.",
        orders: &["new column crook with 8 1 gun in kansas on patrol", "done"],
    },
    Topic {
        names: &["mormons", "mormon column"],
        rules: "9.2O",
        says: "In its next Round with a card played the US names the Mormon Column: 3 BPs or more, in Utah, On Patrol next to \
               it, or new; the nearest one if there is none of these. It counts as a Column play. For this Turn it stays \
               in Utah, attacks nobody, and reacts only in a Round in which it is attacked.",
        orders: &["crook", "new column miles with 4 in utah on patrol"],
    },
    Topic {
        names: &["territorial problems", "bloody kansas", "land rush", "oklahoma land rush"],
        rules: "9.2DD",
        says: "Before the Civil War it is Bloody Kansas: this Turn no Column comes into Kansas, by Telegraph either, and none \
               out of its Fort there. After the war it is the Oklahoma Land Rush, once: Indian Territory is open to \
               Resources and Buffalo Skulls. During the war it is No Event.",
        orders: &[],
    },
    Topic {
        names: &["raid", "raids", "raider"],
        rules: "6.4, 9.2T",
        says: "After playing Raid, one unfinished Raider Village raids a Resource or Mission in its own or an adjacent \
               Area, or Mexico where its card allows it and it stands at the border. A natural DR of its Raid rating or \
               less succeeds: 1 VP, in Mexico 2, and the target is unharmed; a Mission is destroyed without VPs. Any \
               Tribe May Raid lets every Tribe try; those who are no Raiders have rating 2. Columns cannot react.",
        orders: &["play raid: comanche raid mexico", "chiricahua raid mine in arizona"],
    },
    Topic {
        names: &["war party", "war parties", "attack", "party attack"],
        rules: "6.3, 7.2, 7.3",
        says: "A Village sends out some or all of its BPs and any of its Chiefs to its own or an adjacent Area and \
               attacks one target: a Resource, a Column On Patrol, an enemy Village, or a War Party of no friendly \
               Tribe. Against a Resource a DR of BPs plus Chiefs' Combat or less succeeds (add 5 to the DR for a Town): \
               Settlement or RR 2 VPs, Town 5, Mine its worth. Afterwards the Party may stay for its second action or go \
               home, which finishes the Village.",
        orders: &[
            "war party of 4 with geronimo attacks mine in arizona",
            "war party kiowa attacks column terry in texas",
        ],
    },
    Topic {
        names: &["range", "reach"],
        rules: "6.36",
        says: "A War Party attacks where it stands, or in an adjacent Area (corners count) that is no more than two Areas from \
               its Village. In a game with the historical range it goes no farther than the Areas adjacent to its Village. \
               It never enters Mexico or Canada. A Raid reaches the Village's own Area and those adjacent to it.",
        orders: &[],
    },
    Topic {
        names: &["second war party", "multiple war parties"],
        rules: "6.32",
        says: "A Village sends one War Party a Turn. With two or more Chiefs available it may send a second one in a later \
               Round, if each Party has a Chief of its own and the first has not gone home.",
        orders: &["southern cheyenne war party of 2 with roman nose attacks rr in kansas"],
    },
    Topic {
        names: &["go home", "return", "remain", "stay", "finished"],
        rules: "6.35, 6.8",
        says: "After its action a War Party may stay on the map or go home; going home makes the Village Finished for the \
               Turn. After the second action of the Village it must go home. Columns On Patrol may react to a Party that \
               goes home in a Round, not at the end of the Turn.",
        orders: &["return", "stay"],
    },
    Topic {
        names: &["evade", "evasion"],
        rules: "7.51, 7.52",
        says: "Indians attacked by a Column may evade before the battle, unless they have Blood Lust or their Tribe is \
               inactive. A DR up to their Evasion succeeds: the Tribe's rating, the best Chief's, +1 with G in a Mountain \
               Area, +3 for a War Party, -1 under Winter Campaigning. A natural 0 also costs a BP, and so does every \
               success under Winter Campaigning. The US may then pursue.",
        orders: &["evade", "stand"],
    },
    Topic {
        names: &["pursue", "pursuit"],
        rules: "7.53",
        says: "When the Indians have evaded, the Column may pursue. A DR up to its Speed (+1 with Crook in a Mountain Area, \
               -2 under Winter Campaigning, which also costs the Column a BP) catches them; otherwise there is no \
               battle. Indians who are caught may try an Ambush.",
        orders: &["pursue", "let go"],
    },
    Topic {
        names: &["ambush", "stand"],
        rules: "7.54",
        says: "Indians with BPs who are caught by a pursuit may stand, or try an Ambush. A DR up to the Tribe's Aggression \
               plus the best Chief's, +1 with G in a Mountain Area, succeeds: +3 to their battle DR, and odds are rounded \
               in their favour. A 9 lets them escape at the cost of a BP; any other failure is an ordinary battle.",
        orders: &["ambush", "stand"],
    },
    Topic {
        names: &["battle", "odds", "losses"],
        rules: "7.3, 7.4",
        says: "Each side adds to its DR the odds DRM, leaders' Combat, Field Guns, Gatlings that work, +3 for an Ambush and \
               what cards give, at most 8 either way; the Battle Table tells what the other side loses. A Tribe's Battle \
               rating counts against Indians and in defence. The US gets 1 VP for beating a War Party it attacked; \
               Indians get 1 VP for each BP the Column loses beyond their own. In a Village, losses after the first BP \
               become a Devastated marker.",
        orders: &[],
    },
    Topic {
        names: &["massacre", "massacres"],
        rules: "7.25, 7.6",
        says: "A War Party that hits a Resource with a natural 0 to 2 rolls again: its Aggression or less is a Massacre. A \
               Column that attacks a Village causes one where the Battle Table shows M and the Commander's Aggression is \
               that number or more. Each takes 1 from the Area's points for Statehood; after one by the US, Tribes On \
               Reservation from that Area may leave it, at 1 VP each from the US. One led by Indians ends Peace Policy \
               and Reform Movement.",
        orders: &[],
    },
    Topic {
        names: &["treaty", "treaties", "offer", "accept", "refuse", "withdraw"],
        rules: "8.11, 8.12",
        says: "At any time of the Card Play Rounds the US may offer a Treaty for any Village on the map, and an Indian \
               player for his own. When both agree it goes On Reservation, the US gets 2 VPs and the Indian player what \
               was agreed. The first 5 VPs cost nobody anything; more comes from what the US had when the Turn began.",
        orders: &["offer comanche 5", "accept treaty comanche", "refuse treaty comanche", "withdraw treaty comanche"],
    },
    Topic {
        names: &["reservation", "on reservation", "forced on reservation", "prison"],
        rules: "8.1, 8.14, 7.81",
        says: "A Village goes On Reservation by Treaty, or in the Survival Phase when it is active, has half of its printed \
               BPs or less and rolls below its Survival rating. The US gets 2 VPs. Chiefs of a Tribe that is forced go In \
               Prison; after a Treaty the US may imprison one. A Tribe that leaves the Reservation stands on the map at \
               once but acts only when its card is dealt again.",
        orders: &["imprison satanta"],
    },
    Topic {
        names: &["settle", "settlement", "settlements", "town", "resource allotment"],
        rules: "4.4A, 5.21, 5.22",
        says: "In every Round, whoever's it is, the US places a Settlement in any Area but Indian Territory (open after the \
               Oklahoma Land Rush), then rolls for Resources: 0 draws a Mine, 7 to 9 builds a Railroad. When an Area has \
               more than five Settlements, five become a Town.",
        orders: &["settle nebraska"],
    },
    Topic {
        names: &["railroad", "railroads", "rr", "transcontinental"],
        rules: "5.24, 5.241",
        says: "A Resource DR of 7 to 9 lets the US place an RR in an Area with a Settlement or Town that is adjacent to an \
               RR; an Area never holds more RRs than it has Settlement and Town points. Unbroken RR Areas in a line \
               from the eastern to the western edge at the end of a Round earn 2 VPs, once a game.",
        orders: &["railroad nebraska"],
    },
    Topic {
        names: &["mine", "mines"],
        rules: "5.23, 7.26",
        says: "A Resource DR of 0 draws a Mine, which comes with a Settlement. Attacked with success it is Hit and cannot \
               be attacked again this Turn, but goes on counting. Only Ghost Towns remove Mines, and never Lodes.",
        orders: &[],
    },
    Topic {
        names: &["column", "columns", "operations", "operation"],
        rules: "5.3",
        says: "After playing a card the US plays as many Columns as there are Indian players, none of them in two US Rounds \
               running. On Patrol: move to an adjacent Area, or attack, or enter the Fort. In Fort: leave it, be \
               reinforced, or divide. Or a new Column comes from the Reserve. Speed is 3, less 1 for each five BPs \
               begun beyond five and for each Field Gun, plus the Commander's Pursuit, never below 0.",
        orders: &["crook moves to montana", "column crook attacks crow village", "pass"],
    },
    Topic {
        names: &["move", "column move"],
        rules: "5.341",
        says: "A Column On Patrol moves to one adjacent Area (corners count) and stays On Patrol. It cannot attack in that \
               Round, but it can react later.",
        orders: &["crook moves to montana"],
    },
    Topic {
        names: &["column attack", "attack with column"],
        rules: "5.341, 7.3, 7.4",
        says: "A Column On Patrol attacks one Village or War Party in its Area. The Indians may evade first. Villages with a \
               Peace Chief or Scouts cannot be attacked; under the Peace Policy only Commanders of Aggression 3 or more \
               attack Villages, under the Reform Movement those of 2 or more. No VPs are won against Villages.",
        orders: &["column crook attacks crow village", "crook attacks kiowa war party"],
    },
    Topic {
        names: &["fort", "enter fort", "leave fort", "patrol", "on patrol"],
        rules: "5.34, 5.6",
        says: "Entering or leaving the Fort of its Area is all that a Column does with that play. In Fort it cannot be \
               attacked, nor can it attack, move or react; it can be reinforced or divided.",
        orders: &["crook enters fort", "crook leaves fort"],
    },
    Topic {
        names: &["reinforce", "reinforcements"],
        rules: "5.342",
        says: "A Column In Fort takes BPs from the Reserve, up to 20 in all. That is its play for the Round.",
        orders: &["reinforce crook with 5"],
    },
    Topic {
        names: &["new column", "new"],
        rules: "5.343, 5.31",
        says: "A new Column from the Reserve: a Commander of your choice, 1 to 20 BPs, at most 3 Artillery markers, in any \
               Area, On Patrol or In Fort. It cannot attack in that Round, but it can react.",
        orders: &["new column miles 6 bps in montana on patrol", "new column terry 8 bps 1 gun in texas in fort"],
    },
    Topic {
        names: &["divide", "dividing"],
        rules: "5.45",
        says: "A Column In Fort gives some of its BPs and Artillery to a Commander from the Reserve, who moves out On Patrol \
               in the same Area. What is left of it may go on dividing in that Round; each new Column is one play.",
        orders: &["divide terry into miles with 4"],
    },
    Topic {
        names: &["reserve"],
        rules: "5.344",
        says: "BPs, Artillery and Commanders not on the map. BPs and Artillery stay in it from Turn to Turn; Commanders go \
               back to the cup at the end of each Turn.",
        orders: &[],
    },
    Topic {
        names: &["react", "reaction"],
        rules: "5.35",
        says: "In an Indian Round, Columns On Patrol (played or not) may react to a War Party that has attacked a Resource or \
               Column, or goes home, and to a Village that relocates, in their Area; with the Telegraph also from an \
               adjacent Area, with 1 added to the DR. A DR up to Speed lets the Column attack. Raids cannot be answered.",
        orders: &["react crook", "react crook, miles together", "pass"],
    },
    Topic {
        names: &["coordinate", "coordination", "together"],
        rules: "5.7",
        says: "Up to three Columns On Patrol in one Area try one attack; the fastest attacks in any case. Each other one \
               joins on a DR up to its own Speed, or stays behind and still counts as played. BPs are added; Combat is \
               the best plus 1 for each further Commander of 2; Pursuit the best; Aggression the sum. It is the only \
               operation of that Round, and with three players only two Columns can be played in it. With two players \
               see `help two players`.",
        orders: &["crook with miles attacks crow village"],
    },
    Topic {
        names: &["attrition"],
        rules: "5.38",
        says: "In the Survival Phase the US rolls a DR: so many Columns lose one BP each, which ones the US says. An \
               Artillery marker may go instead of a BP.",
        orders: &["crook, terry"],
    },
    Topic {
        names: &["relocate", "relocation", "mexico", "canada"],
        rules: "6.2, 5.36",
        says: "As one of its two actions a Village moves to an adjacent Area, or across the border to Mexico or Canada where \
               it stands at it; not from an Area with a Mission. Columns may react; only if the Village then loses more \
               than the Column is it stopped. Abroad it cannot be attacked, can only come back, and rolls each Turn: 6 to \
               8 drives it out with half its BPs, 9 destroys it.",
        orders: &["relocate ute to colorado", "relocate apache to mexico"],
    },
    Topic {
        names: &["alliance", "alliances", "tribal alliance", "tribal alliances", "volunteer"],
        rules: "6.7, 9.2FF",
        says: "After playing Tribal Alliances, own Tribes in or adjacent to one Area join in one War Party if each is the \
               friend of another in it and nobody's enemy. BPs and card bonuses add up, the best Tribal ratings count. It \
               is one action for each of them. Other players' Tribes may volunteer; whoever played the card commands and \
               gets the VPs.",
        orders: &["alliance in montana with teton 1 6 bps, arapaho 5 attacks crook"],
    },
    Topic {
        names: &["mission", "mission party", "mission war party", "missions"],
        rules: "7.7, 6.45",
        says: "A Mission doubles the SPs of every Village in its Area, but keeps them from War Parties and Relocation. A \
               Raid destroys it; where no Raid is possible, a Mission War Party may, on a DR up to the Aggression of the \
               Tribe and all its available Chiefs. If it fails the Village is Finished. Not with a Peace Chief. A \
               destroyed Mission is always a Massacre.",
        orders: &["nez perce mission war party"],
    },
    Topic {
        names: &["survival", "survival phase", "sps", "survival points"],
        rules: "6.6, 4.5",
        says: "An Area's SPs, less Resource Points, skulls and bad weather, are divided among all Villages in it, leftovers \
               to the largest. A Village subtracts its Devastated marker, doubles if it did nothing this Turn, and doubles \
               again with a Mission. An active Village with fewer than its Survival rating loses a BP. The last BP lost \
               makes it extinct, at 3 VPs for its player.",
        orders: &[],
    },
    Topic {
        names: &["statehood", "state", "states", "state maintenance", "statehood phase"],
        rules: "10.2, 10.3",
        says: "At the end of the Turn each State with fewer Resource Points than its level costs the US 1 VP. A Territory \
               whose points, less Massacres, exceed its level becomes a State: 7 VPs with three Indian players, 6 with \
               four, 10 with two, 15 with one. If any State has failed, each Territory needs a DR of 8 or less, adding 1 for each \
               State that failed. Broke RRs do not count, Hit Mines do.",
        orders: &[],
    },
    Topic {
        names: &["discard", "shaman card", "shaman cards", "play"],
        rules: "4.4B, 9.1",
        says: "In your Round you play or discard one Shaman Card. Played, its event happens and you go on to your \
               Operation; a card that your side ignores, or that can change nothing, is played without event. Discarded, \
               your Round is over at once. In the last Turn, Reservation Unrest has to go first.",
        orders: &["play raid", "discard raid"],
    },
    Topic {
        names: &["two players", "two player game"],
        rules: "11.2",
        says: "Of two players one is the US, the other all Indians, 18 Tribes with the two groups of Initial Tribes that he \
               chooses; each has 15 Shaman Cards. In the Basic Game sides are drawn once and change every Turn; in the \
               Campaign Game they are drawn each Turn, but nobody is the US three times running. Settlements and Resource \
               DRs come in the first 20 Rounds of a Turn. The US plays one Column a Round, or up to three that \
               coordinate on one DR up to their highest Speed: if it fails none moves. War Parties attack no Indians but \
               Inactive Villages of Enemies.",
        orders: &["crook with miles attacks crow village"],
    },
    Topic {
        names: &["solitaire", "solitaire game", "one player"],
        rules: "11.3",
        says: "You wear two hats and nobody scores. Each Round draws a Shaman Card, played or Ignored as it must be; then the \
               US plays one Column, or the Indians activate the next of 18 Tribes, with one action for each Village. Sides \
               alternate for 30 Rounds a Turn; the first 20 bring Settlements and Resource DRs. No Treaties, no Raids but \
               on Missions, no attacks on Mines. 14 States at the end better history; without the Transcontinental \
               Railroad by the end of Turn 6 all is lost.",
        orders: &["done"],
    },
    Topic {
        names: &["set up", "setup"],
        rules: "3.4, 3.45",
        says: "Before Turn 4 the US puts 30 BPs and two Field Guns on the map as Columns, On Patrol or In Fort, 1 to 20 BPs \
               and at most 3 guns each, or leaves them in the Reserve. Commanders are then drawn by lot.",
        orders: &["10 bps 1 gun in kansas in fort", "8 bps in texas on patrol", "pass"],
    },
    Topic {
        names: &["tribes", "initial tribe", "initial tribes", "tribal card", "tribal cards"],
        rules: "3.32, 3.5",
        says: "Each Indian player chooses the Sioux, the Apache, or any two other Tribes, the one with the fewest VPs first; \
               the rest of the Tribal Cards are dealt. A Tribe stays hidden until it is first used.",
        orders: &["choose apache"],
    },
    Topic {
        names: &["round", "turn", "sequence of play", "phases"],
        rules: "4.1",
        says: "A Turn: sides are drawn; Commanders, troops and cards are handed out; Rounds are played clockwise until all \
               Shaman Cards are gone; Survival; Statehood; End of Turn. A Round: the US settles and rolls for Resources; \
               the player plays or discards a card; if he played, his Operation.",
        orders: &[],
    },
    Topic {
        names: &["vps", "victory points", "winning"],
        rules: "10.1",
        says: "Most VPs at the end win, whatever side they were won on. US: States, 1 for a battle won against a War Party it \
               attacked, 2 for each Village On Reservation, 2 for the Transcontinental Railroad; -1 for each Village that \
               leaves the Reservation and each State below its level. Indians: Raids 1 (Mexico 2), Settlement or RR 2, \
               Town 5, a Mine its worth, Columns' losses beyond their own, Treaties, Scouts 1; -3 for a Village extinct.",
        orders: &[],
    },
    Topic {
        names: &["chief", "chiefs", "teton chiefs"],
        rules: "6.5",
        says: "Three ratings: Combat, Evasion, Aggression. With several in a War Party: the best Combat plus 1 for each \
               further Chief of 2 or 3, the best Evasion, the sum of Aggression. Each goes out with one War Party a Turn. \
               The Teton Chiefs are divided between the two Teton Villages when the Sioux are shown.",
        orders: &["crazy horse, gall"],
    },
    Topic {
        names: &["random events", "random event"],
        rules: "12.1",
        says: "An option of the game. When your Shaman Card was No Event or Ignored you may, once a Turn and before your \
               Operation, roll for a random event: DR 0-1 Gunrunners, 2 Buffalo Hunter Campaign, 3 Telegraph Lines Cut, \
               4 Siege, 5 Stronghold, 6 Sand Creek Massacre, 7 Horse Killers, 8-9 Hostages. You play it or discard it \
               (which ends your Round); one that is not for your side, or finds nothing to act on, passes. Markers come \
               off at the End of Turn.",
        orders: &["roll", "no roll"],
    },
];

/// What a Shaman Card does, in one line of at most 60 columns.
pub fn card_line(card: Card) -> &'static str {
    match card {
        Card::AmericanCivilWar => "half the US troops and Commanders go; no RRs this Turn",
        Card::AnyTribeMayRaid => "Indians: any Village raids; non-Raiders with rating 2",
        Card::AtrocityAndReprisal => "attacks on leaders of Aggression 2+ pay double, or cost 1",
        Card::BadBlood => "Indians: a Tribe must at once attack other Indians",
        Card::BadWeather => "an Area has 2 SPs less this Turn",
        Card::BloodLust => "Indians: a Village with a Chief +2 combat, no evasion",
        Card::BuffaloHunters => "a Buffalo Skull: an Area has 2 SPs less for good",
        Card::AgencyCorruption => "ends the Peace Policy, or this Turn's Treaties lose VPs",
        Card::Federales => "out of turn: undoes a Raid into Mexico, shuts the border",
        Card::GatlingGuns => "from now on one Gatling a Turn may be taken",
        Card::GhostTowns => "a Mine (no Lode) may play out, with a Settlement",
        Card::GoodWeather => "an Area has 2 SPs more this Turn",
        Card::MassiveWinterStorm => "Tribes and Columns in a Mountain Area lose 1 BP each",
        Card::Missionaries => "a Mission in an Area with a Village",
        Card::Mormons => "a Column must watch Utah",
        Card::Parole => "all Chiefs In Prison go free",
        Card::PeaceChief => "Indians: a Village that may attack no Resource or Column",
        Card::PeacePolicy => "only Commanders of Aggression 3+ attack Villages",
        Card::PublicOutrage => "US: a DR of BPs after a Massacre led by Indians",
        Card::Raid => "Indians: one Raider Village raids",
        Card::RailroadSkimmingScandal => "removes an RR",
        Card::Rampage => "Indians: one War Party attacks twice in an Area",
        Card::ReformMovement => "only Commanders of Aggression 2+ attack Villages",
        Card::ReservationUnrest => "a Tribe, by lot, leaves the Reservation",
        Card::Scouts => "1 VP for a Scout Village; Columns near it gain Speed",
        Card::ShamanMedicine => "a Village +2 in battle, +1 Aggression, until it loses BPs",
        Card::Smallpox => "a Village is Finished and may lose BPs",
        Card::SpringfieldRifle => "+1 to all US battle DRs from now on",
        Card::Telegraph => "Columns react into adjacent Areas, DR +1",
        Card::TerritorialProblems => "Bloody Kansas; after the Civil War Indian Territory opens",
        Card::TexasRangers => "one Village or War Party in Texas may lose 1 BP",
        Card::TribalAlliances => "Indians: friendly Tribes join in one War Party",
        Card::TribalUnrest => "removes a Peace Chief",
        Card::WinterCampaigning => "evasion and pursuit are harder, and cost BPs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_found_by_all_its_names_and_is_short() {
        for topic in TOPICS {
            for name in topic.names {
                let said = help(&Phrase::new(&format!("help {name}")));
                assert_eq!(said, Some(topic.text()), "help {name}");
            }
            let text = topic.text();
            assert!(text.lines().all(|l| l.chars().count() <= 76), "{text}");
            assert!((3..=10).contains(&text.lines().count()), "{} lines:\n{text}", text.lines().count());
        }
        let contents = help(&Phrase::new("help")).unwrap();
        assert!(contents.lines().all(|l| l.chars().count() <= 76), "{contents}");
    }

    #[test]
    fn rule_numbers_are_those_of_the_rulebook() {
        let known: Vec<&str> =
            include_str!("rules.tsv").lines().filter_map(|l| l.split('\t').next()).map(str::trim).collect();
        // 4.4A and the like are parts of a rule that the list has as a whole; 7.3 heads 7.31 and its neighbours.
        let printed = |rule: &str| {
            let whole = if rule.starts_with("9.2") { rule } else { rule.trim_end_matches(|c: char| c.is_alphabetic()) };
            known.iter().any(|k| *k == whole || k.strip_prefix(whole).is_some_and(|rest| rest.len() == 1))
        };
        for topic in TOPICS {
            assert!(topic.rules.split(", ").all(printed), "{}: {}", topic.names[0], topic.rules);
        }
    }

    #[test]
    fn cards_have_a_line_each_and_are_explained() {
        for card in Card::all() {
            assert!(card_line(card).len() <= 60, "{}: {}", card.name(), card_line(card).len());
            assert!(help(&Phrase::new(card.name())).is_some(), "{}", card.name());
        }
        let policy = help(&Phrase::new("help peace policy")).expect("a card");
        assert!(policy.starts_with("Peace Policy (rule 9.2R)\n  "), "{policy}");
        // More than the few words of a hand.
        assert!(policy.len() > 100 && policy.ends_with('.'), "{policy}");
    }

    #[test]
    fn nonsense_is_not_explained() {
        assert_eq!(help(&Phrase::new("help xyzzy")), None);
        assert!(help(&Phrase::new("help")).is_some_and(|text| text.contains("war party")));
    }
}
