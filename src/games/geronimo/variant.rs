//! The variant of the game: scenario, number of players, optional rules (3.4, 11, 12).

use postrider_table::settings;

/// The two set-ups of the rulebook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scenario {
    /// Turns 4 to 7 (3.4).
    #[default]
    Basic,
    /// All eight Turns (11.1).
    Campaign,
}

impl Scenario {
    /// The names in journals and on the command line, the default first.
    pub const NAMES: [&'static str; 2] = ["basic", "campaign"];

    /// Returns the scenario with this name.
    pub fn named(name: &str) -> Option<Scenario> {
        match name {
            "basic" => Some(Scenario::Basic),
            "campaign" => Some(Scenario::Campaign),
            _ => None,
        }
    }
    /// Returns a description for an invitation.
    pub fn about(self) -> &'static str {
        match self {
            Scenario::Basic => "Turns 4 to 7, 1866 to 1885",
            Scenario::Campaign => "Turns 1 to 8, 1850 to 1890, with the Civil War",
        }
    }
    /// Returns the first and last Turn (3.41, 11.1).
    pub fn turns(self) -> (u8, u8) {
        match self {
            Scenario::Basic => (4, 7),
            Scenario::Campaign => (1, 8),
        }
    }
}

settings! {
    /// The settings that `opened` fixes for the whole game.
    pub struct Variant {
        scenario: Scenario = |setup| Scenario::named(&setup.scenario).unwrap_or_default();
        /// `true` if one player has both hats (11.3). The rules then have two seats, as with two
        /// players.
        solitaire: bool = |setup| setup.seats == 1;
    }
    options {
        random_events = "random-events", "12.1: a card played for no effect may bring a random event";
        alternate_sides = "alternate-sides", "12.2: sides are drawn every Turn, whoever had the US before",
            no use for "the Solitaire Game", "11.35, 11.39, 12.2" if |game| game.solitaire;
        historical_range = "historical-range", "6.36: War Parties reach one Area from their Village, not two";
        treaty_cap = "treaty-cap", "8.11: the tournament cap, ten VPs a Treaty at the most",
            no use for "the Solitaire Game", "11.35, 11.39, 8.11" if |game| game.solitaire;
    }
}

/// Maximum VPs of a Treaty suggested for tournaments (8.11).
const TREATY_CAP: i32 = 10;

impl Variant {
    /// Returns the number of players in the rules: two for the hats of a single seat (11.3).
    pub fn players(self, seats: u8) -> u8 {
        if self.solitaire { 2 } else { seats }
    }
    /// Returns the number of Areas that a War Party may move from its Village (6.36).
    pub fn range(self) -> u8 {
        if self.historical_range { 1 } else { 2 }
    }
    /// Returns the maximum VPs of a Treaty, if there is a cap (8.11).
    pub fn treaty_most(self) -> Option<i32> {
        self.treaty_cap.then_some(TREATY_CAP)
    }
    /// Returns `true` in the Two Player Game (11.2), but not in the Solitaire Game.
    pub fn two_players(self, players: u8) -> bool {
        players == 2 && !self.solitaire
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::RULES;
    use postrider_table::{Ruleset, Setup, SetupFault};

    fn setup(seats: u8, scenario: &str, options: &[(&str, serde_json::Value)]) -> Setup {
        Setup {
            seats,
            scenario: scenario.into(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            components: "".into(),
        }
    }

    fn opened(setup: &Setup) -> Result<Variant, SetupFault> {
        RULES.fits(setup, "3.2").and_then(|()| Variant::of(setup))
    }

    /// geronimo 11.1, 11.3, 12.1, 12.2
    #[test]
    fn options_are_read_and_unknown_ones_named() {
        let all = opened(&setup(4, "campaign", &[("random-events", true.into()), ("treaty-cap", false.into())]));
        let all = all.expect("known options");
        assert_eq!((all.scenario, all.random_events, all.treaty_cap), (Scenario::Campaign, true, false));
        assert_eq!(all.scenario.turns(), (1, 8));
        let alone = opened(&setup(1, "campaign", &[])).expect("one seat");
        assert!(alone.solitaire && alone.players(1) == 2 && !alone.two_players(2));
        for (wrong, word) in [
            (setup(4, "grand", &[]), "basic or campaign"),
            (setup(4, "basic", &[("weather", true.into())]), "random-events"),
            (setup(4, "basic", &[("treaty-cap", 10.into())]), "true or false"),
            (setup(1, "basic", &[("treaty-cap", true.into())]), "11.39"),
        ] {
            let why = opened(&wrong).expect_err("no such game").to_string();
            assert!(why.contains(word), "{why}");
        }
        for option in OPTIONS {
            let game = opened(&setup(3, "basic", &[(option.name, true.into())])).expect(option.name);
            assert_eq!(game.optional_rules().map(|on| on.name).collect::<Vec<_>>(), [option.name]);
        }
    }
}
