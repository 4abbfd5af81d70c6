//! The Shaman Deck (2.23, 9.2): the kinds of cards, and their numbers.

/// A kind of Shaman Card. `cards` implements their effects, with one function for
/// each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Card {
    AmericanCivilWar,
    AnyTribeMayRaid,
    AtrocityAndReprisal,
    BadBlood,
    BadWeather,
    BloodLust,
    BuffaloHunters,
    AgencyCorruption,
    Federales,
    GatlingGuns,
    GhostTowns,
    GoodWeather,
    MassiveWinterStorm,
    Missionaries,
    Mormons,
    Parole,
    PeaceChief,
    PeacePolicy,
    PublicOutrage,
    Raid,
    RailroadSkimmingScandal,
    Rampage,
    ReformMovement,
    ReservationUnrest,
    Scouts,
    ShamanMedicine,
    Smallpox,
    SpringfieldRifle,
    Telegraph,
    TerritorialProblems,
    TexasRangers,
    TribalAlliances,
    TribalUnrest,
    WinterCampaigning,
}

impl Card {
    /// Every kind with its name, its rule, its number in the deck, and whether it is in the Basic
    /// Game (3.42).
    const TABLE: [(Card, &'static str, &'static str, usize, bool); 34] = [
        (Card::AmericanCivilWar, "American Civil War", "9.2A", 1, false),
        (Card::AnyTribeMayRaid, "Any Tribe May Raid", "9.2B", 1, true),
        (Card::AtrocityAndReprisal, "Atrocity and Reprisal", "9.2C", 1, true),
        (Card::BadBlood, "Bad Blood", "9.2D", 1, true),
        (Card::BadWeather, "Bad Weather", "9.2E", 2, true),
        (Card::BloodLust, "Blood Lust", "9.2F", 1, true),
        (Card::BuffaloHunters, "Buffalo Hunters", "9.2G", 3, true),
        (Card::AgencyCorruption, "Agency Corruption", "9.2H", 2, true),
        (Card::Federales, "Federales", "9.2I", 1, true),
        (Card::GatlingGuns, "Gatling Guns", "9.2J", 1, true),
        (Card::GhostTowns, "Ghost Towns", "9.2K", 1, true),
        (Card::GoodWeather, "Good Weather", "9.2L", 2, true),
        (Card::MassiveWinterStorm, "Massive Winter Storm", "9.2M", 1, true),
        (Card::Missionaries, "Missionaries", "9.2N", 1, true),
        (Card::Mormons, "Mormons", "9.2O", 1, false),
        (Card::Parole, "Parole", "9.2P", 1, true),
        (Card::PeaceChief, "Peace Chief", "9.2Q", 2, true),
        (Card::PeacePolicy, "Peace Policy", "9.2R", 1, true),
        (Card::PublicOutrage, "Public Outrage", "9.2S", 1, true),
        (Card::Raid, "Raid", "9.2T", 5, true),
        (Card::RailroadSkimmingScandal, "Railroad Skimming Scandal", "9.2U", 1, true),
        (Card::Rampage, "Rampage", "9.2V", 2, true),
        (Card::ReformMovement, "Reform Movement", "9.2W", 1, true),
        (Card::ReservationUnrest, "Reservation Unrest", "9.2X", 2, true),
        (Card::Scouts, "Scouts", "9.2Y", 1, true),
        (Card::ShamanMedicine, "Shaman Medicine", "9.2Z", 1, true),
        (Card::Smallpox, "Smallpox", "9.2AA", 1, true),
        (Card::SpringfieldRifle, "Springfield Rifle", "9.2BB", 1, true),
        (Card::Telegraph, "The Telegraph", "9.2CC", 1, false),
        (Card::TerritorialProblems, "Territorial Problems", "9.2DD", 1, true),
        (Card::TexasRangers, "Texas Rangers", "9.2EE", 2, true),
        (Card::TribalAlliances, "Tribal Alliances", "9.2FF", 2, true),
        (Card::TribalUnrest, "Tribal Unrest", "9.2GG", 2, true),
        (Card::WinterCampaigning, "Winter Campaigning", "9.2HH", 1, true),
    ];
    /// Returns every kind in the order of 9.2.
    pub fn all() -> impl Iterator<Item = Card> {
        Self::TABLE.iter().map(|row| row.0)
    }
    /// Returns the name as printed in the rulebook.
    pub fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }
    /// Returns the rule number.
    pub fn rule(self) -> &'static str {
        Self::TABLE[self as usize].2
    }
    /// Returns the number of these cards in the full deck.
    pub fn count(self) -> usize {
        Self::TABLE[self as usize].3
    }
    /// Returns `true` if the card is in the Basic Game (3.42).
    pub fn in_basic_game(self) -> bool {
        Self::TABLE[self as usize].4
    }
    /// Returns the card with this name.
    pub fn named(name: &str) -> Option<Card> {
        Self::TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Card;

    /// geronimo 2.23, 3.42, 9.2
    #[test]
    fn the_deck_has_49_cards_and_46_of_them_in_the_basic_game() {
        for (i, card) in Card::all().enumerate() {
            assert_eq!(card as usize, i, "{card:?} stands in its place");
        }
        assert_eq!(Card::all().map(Card::count).sum::<usize>(), 49);
        assert_eq!(Card::all().filter(|c| c.in_basic_game()).map(Card::count).sum::<usize>(), 46);
    }
}
