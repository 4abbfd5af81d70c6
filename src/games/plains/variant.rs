//! The number of players, and their factions (15).

use super::components::Faction;
use postrider_table::{Seat, settings};

settings! {
    /// The settings that `opened` fixes for the whole game.
    pub struct Variant {
        /// From 2 to 4.
        players: u8 = |setup| setup.seats;
    }
    options {
        indian_allies = "indian-allies", "15.3: of three players two are Indian allies, not two US allies",
            no use for "a game that is not for three players", "15.3" if |game| game.players != 3;
        wagons_again = "wagons-again", "12.1.2.1: Wagons that advance may be attacked again in the same round";
    }
}

impl Variant {
    /// Returns the player of a faction (6, 15.2 to 15.4). The Settlers player also has the Wagons
    /// and the Railroad, the Cavalry player the Enemies.
    pub fn owner(self, faction: Faction) -> Seat {
        let us = match faction {
            Faction::Npt => return Seat(0),
            Faction::Spt => return Seat(u8::from(self.separate_indians())),
            Faction::Cavalry | Faction::Enemies => u8::from(self.separate_us()),
            Faction::Settlers | Faction::Wagons | Faction::Railroad => 0,
        };
        Seat(1 + u8::from(self.separate_indians()) + us)
    }
    /// Returns `true` if the Indian factions have separate players.
    pub fn separate_indians(self) -> bool {
        self.players == 4 || (self.players == 3 && self.indian_allies)
    }
    /// Returns `true` if the US factions have separate players.
    pub fn separate_us(self) -> bool {
        self.players == 4 || (self.players == 3 && !self.indian_allies)
    }
    /// Returns `true` if Settlers and Enemies may share a region without Cavalry (13), as with four
    /// players (15.4).
    pub fn may_mingle(self) -> bool {
        self.players == 4
    }
    /// Returns the seats of a side, allies in order.
    pub fn seats_of(self, indian: bool) -> Vec<Seat> {
        let factions = if indian { [Faction::Npt, Faction::Spt] } else { [Faction::Settlers, Faction::Cavalry] };
        let mut seats = factions.map(|f| self.owner(f)).to_vec();
        seats.dedup();
        seats
    }
    /// Returns the factions of a seat.
    pub fn factions_of(self, seat: Seat) -> impl Iterator<Item = Faction> {
        Faction::ALL.into_iter().filter(move |&f| self.owner(f) == seat)
    }
    /// Returns `true` if a seat plays Indians.
    pub fn is_indian(self, seat: Seat) -> bool {
        seat == self.owner(Faction::Npt) || seat == self.owner(Faction::Spt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::RULES;
    use postrider_table::{Ruleset, Setup, SetupFault};
    use std::collections::BTreeMap;

    fn of(seats: u8, options: &[(&str, bool)]) -> Result<Variant, SetupFault> {
        let setup = Setup {
            seats,
            scenario: "standard".into(),
            options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).into())).collect::<BTreeMap<_, _>>(),
            components: "".into(),
        };
        RULES.fits(&setup, "15").and_then(|()| Variant::of(&setup))
    }

    /// plains-indian-wars 1.1, 1.2, 1.3, 15.0, 15.2, 15.3, 15.4
    #[test]
    fn every_faction_has_its_player() {
        use Faction::*;
        let order = [Npt, Spt, Settlers, Wagons, Railroad, Cavalry, Enemies];
        for (seats, options, owners) in [
            (2, vec![], [0, 0, 1, 1, 1, 1, 1]),
            (3, vec![], [0, 0, 1, 1, 1, 2, 2]),
            (3, vec![("indian-allies", true)], [0, 1, 2, 2, 2, 2, 2]),
            (4, vec![], [0, 1, 2, 2, 2, 3, 3]),
        ] {
            let v = of(seats, &options).expect("a game");
            assert_eq!(order.map(|f| v.owner(f).0), owners, "{seats} {options:?}");
        }
        assert!(of(5, &[]).is_err() && of(1, &[]).is_err());
        assert!(of(4, &[("indian-allies", true)]).expect_err("three only").to_string().contains("15.3"));
        assert!(of(2, &[("beads", true)]).expect_err("unknown").to_string().contains("wagons-again"));
    }
}
