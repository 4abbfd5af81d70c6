//! The answers to `help <subject>`: each action and phase in a few lines, with valid orders and the
//! rule's number.

use super::{
    card::Card,
    cards,
    components::{Components, Kit as _},
    events::{self, Event},
    piece_help::pieces,
};
use postrider_table::{Explained, Subject, Subjects};

/// Returns all subjects of the game with these components: those of its page, its cards and events,
/// and all named pieces.
pub fn help(components: &str) -> Subjects {
    let c = Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    // If a card and an action share a name ("Raid"), the action is explained.
    let cards = Card::all().map(|card| {
        let text: Vec<String> = cards::sentences(card).collect();
        let explained = Explained::new(format!("{} (rule {})", card.name(), card.rule()), text.join(" "));
        let named = Subject::thing(card.name(), explained);
        match card.name().strip_prefix("The ") {
            Some(short) => named.or(short),
            None => named,
        }
    });
    let events = Event::ALL.iter().map(|&event| {
        let title = format!("{}, {} (rule 12.13)", event.name(), events::drs(event));
        Subject::thing(event.name(), Explained::new(title, events::about(event)))
    });
    Subjects::of(PAGE)
        .and("the name of a Shaman Card", cards.chain(events))
        .and("that of a Tribe, a Chief or a Commander", pieces(&c))
}

/// The page with the subjects.
const PAGE: &str = include_str!("help.md");

/// Returns the effect of a Shaman Card in one line of at most 60 columns.
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
    use postrider_orders::Phrase;
    use postrider_table::NoHelp;

    fn all() -> Subjects {
        help(Components::FILE)
    }

    fn said(subject: &str) -> Result<Explained, NoHelp> {
        all().find(&Phrase::new(subject))
    }

    #[test]
    fn cards_have_a_line_each_and_are_explained() {
        for card in Card::all() {
            assert!(card_line(card).len() <= 60, "{}: {}", card.name(), card_line(card).len());
            assert!(said(card.name()).is_ok(), "{}", card.name());
        }
        let policy = said("help peace policy").expect("a card");
        assert_eq!(policy.title, "Peace Policy (rule 9.2R)");
        // More than the few words shown in a hand.
        assert!(policy.text.len() > 100 && policy.text.ends_with('.'), "{policy:?}");
    }

    #[test]
    fn whatever_has_a_name_is_explained_by_its_ratings() {
        let c = Components::builtin();
        let all = all();
        let about = |name: &str| all.find(&Phrase::new(&format!("help {name}"))).unwrap_or_else(|why| panic!("{why}"));
        for v in &c.villages {
            let text = about(&v.name).text;
            assert!(
                text.contains(&format!(
                    "A Village of {} in {}.",
                    postrider_orders::counted(v.size, "BP"),
                    c[v.area].name
                )),
                "{}: {text}",
                v.name
            );
        }
        for tribe in &c.tribes {
            assert!(
                tribe
                    .villages
                    .iter()
                    .all(|&v| tribe.villages.len() == 1 || about(&tribe.name).text.contains(&c[v].name))
            );
        }
        for chief in &c.chiefs {
            assert!(about(&chief.name).text.contains(&format!("Combat {:+}", chief.combat)), "{}", chief.name);
        }
        for commander in &c.commanders {
            let text = about(&commander.surname).text;
            assert!(text.contains(&format!("Pursuit {:+}", commander.pursuit)), "{}: {text}", commander.name);
        }
    }

    #[test]
    fn nonsense_is_not_explained() {
        assert!(said("help xyzzy").is_err());
        assert!(said("help").is_ok_and(|all| all.text.contains("war party")));
    }
}
