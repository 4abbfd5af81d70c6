//! Control of regions (4.5, 4.6, 15.4.1).

use super::{
    components::{Faction, Kind, RegionId, Spot},
    state::State,
};
use postrider_table::{Seat, named};

named! {
    /// The control of a region by the two sides.
    pub enum Holding {
        Indians = "indians", "Indians";
        Us = "us", "US";
        /// At least as many cubes of the US and the Enemies as Indian cubes (4.5).
        Contested = "contested", "contested";
        /// An empty Purple region, or a region that a Wagon denies to the Indians (12.1.2.1).
        Nobody = "nobody", "nobody";
    }
}

impl State {
    /// Returns the control of a region by the cubes of both sides (4.5). The Enemies count with the
    /// US. Empty green and orange regions are held by the Indians.
    pub fn holding(&self, r: RegionId) -> Holding {
        let cubes = self.region(r);
        let (indian, mut us) = (cubes.indian(), cubes.us());
        if self.variant.players == 4 {
            // Wagons count as Settlers cubes (15.4).
            us += cubes[Faction::Wagons];
        }
        match (indian, us) {
            (0, 0) if self.c[r].kind.is_purple() || cubes[Faction::Wagons] > 0 => Holding::Nobody,
            (0, 0) => Holding::Indians,
            (0, _) => Holding::Us,
            (i, u) if i > u => Holding::Indians,
            _ => Holding::Contested,
        }
    }
    /// Returns the control that matters to arriving cubes: [`State::holding`], but contested while
    /// an engagement waits, whichever side has more cubes. An attack on Wagons alone does not
    /// contest a region (12.0).
    pub fn standing(&self, r: RegionId) -> Holding {
        let waits = self.contested.contains(&r) && self.region(r).both_sides();
        if waits { Holding::Contested } else { self.holding(r) }
    }
    /// Returns `true` if a side controls a region, so that its cubes may be placed there (10.1).
    pub fn is_controlled_by(&self, r: RegionId, indian: bool) -> bool {
        self.standing(r) == if indian { Holding::Indians } else { Holding::Us }
    }
    /// Returns the controlled regions of an Indian faction's own colour (10.1). Cubes of an ally
    /// who is a separate player do not control regions for it (15.4.1).
    pub fn own_regions(&self, faction: Faction) -> impl Iterator<Item = RegionId> {
        let colour = if faction == Faction::Npt { Kind::North } else { Kind::South };
        let of_its_own = move |r: RegionId| self.controller(r) == Some(self.owner(faction));
        self.c
            .region_ids()
            .filter(move |&r| self.c[r].kind == colour && self.is_controlled_by(r, true) && of_its_own(r))
    }
    /// Returns `true` if cubes of a faction cannot stay at a spot: Settlers with Enemies, or
    /// Enemies with Settlers, in a region without Cavalry (13). Cubes do not retreat to such a
    /// region, and neither a Treaty nor the limit sends them there, because one of the two would
    /// have to leave immediately.
    pub fn keeps_apart(&self, faction: Faction, spot: Spot) -> bool {
        let cubes = self.cubes(spot);
        let others = match faction {
            Faction::Settlers => Faction::Enemies,
            Faction::Enemies => Faction::Settlers,
            _ => return false,
        };
        spot.region().is_some() && cubes[others] > 0 && cubes[Faction::Cavalry] == 0 && !self.variant.may_mingle()
    }
    /// Returns `true` if a spot ends the movement of a side, as regions that the enemy controls or
    /// contests do (4.7, 11.0). A region with a waiting engagement is contested, whatever the
    /// numbers of cubes (12.0).
    pub fn stops(&self, spot: Spot, indian: bool) -> bool {
        let Some(r) = spot.region() else { return false };
        if self.region(r).side(!indian) > 0 {
            return true;
        }
        match self.standing(r) {
            Holding::Contested => true,
            Holding::Indians => !indian,
            Holding::Us => indian,
            Holding::Nobody => false,
        }
    }
    /// Returns the Brown and Blue cubes of a region. With four players Wagons count as Brown
    /// (15.4).
    fn brown_and_blue(&self, r: RegionId) -> [u8; 2] {
        let cubes = self.region(r);
        let wagons = if self.variant.players == 4 { cubes[Faction::Wagons] } else { 0 };
        [cubes[Faction::Settlers] + wagons, cubes[Faction::Cavalry]]
    }
    /// Returns `true` if Purple cubes are the majority on the US side of a region that the Indians
    /// neither control nor contest (6.4, 15.4.1.4). The Purple disc can activate such a region
    /// (10.4), and it scores for nobody.
    pub fn is_purple_controlled(&self, r: RegionId) -> bool {
        let [brown, blue] = self.brown_and_blue(r);
        let strongest = if self.variant.separate_us() { brown.max(blue) } else { brown + blue };
        self.holding(r) == Holding::Us && self.region(r)[Faction::Enemies] > strongest
    }
    /// Returns the player who scores a region (4.5 and 4.6 with two players, 15.4.1 with more).
    /// Purple cubes control nothing; if they outnumber the other US cubes, nobody scores.
    pub fn controller(&self, r: RegionId) -> Option<Seat> {
        let (cubes, v) = (self.region(r), self.variant);
        let claims: Vec<(Seat, u8)> = match self.holding(r) {
            Holding::Contested | Holding::Nobody => return None,
            Holding::Indians if cubes.indian() == 0 => {
                return match self.c[r].kind {
                    Kind::North => Some(v.owner(Faction::Npt)),
                    _ => Some(v.owner(Faction::Spt)),
                };
            }
            Holding::Indians => [Faction::Npt, Faction::Spt].map(|f| (v.owner(f), cubes[f])).to_vec(),
            Holding::Us => {
                if self.is_purple_controlled(r) {
                    return None;
                }
                let us = [Faction::Settlers, Faction::Cavalry];
                us.into_iter().zip(self.brown_and_blue(r)).map(|(f, n)| (v.owner(f), n)).collect()
            }
        };
        match claims[..] {
            [(a, n), (b, m)] if a == b => (n + m > 0).then_some(a),
            [(a, n), (_, m)] if n > m => Some(a),
            [(_, n), (b, m)] if m > n => Some(b),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::*, *};

    /// plains-indian-wars 4.5, 15.4.1, 15.4.1.1, 15.4.1.2, 15.4.1.3, 15.4.1.4
    #[test]
    fn the_examples_of_control() {
        let with = |players: u8, id: &str, cubes: &[(Faction, u8)]| {
            let mut g = bare(players);
            set(&mut g, id, cubes);
            g.controller(at(&g, id)).map(|s| s.0)
        };
        use Faction::*;
        assert_eq!(with(2, "S1", &[(Wagons, 1), (Spt, 1)]), Some(0));
        assert_eq!(with(3, "S1", &[(Wagons, 1), (Spt, 1)]), Some(0));
        assert_eq!(with(4, "S1", &[(Wagons, 1), (Spt, 1)]), None);
        for us in [Wagons, Settlers] {
            // Equal or greater numbers contest it; the US controls a region only if it has no
            // Indian cubes.
            assert_eq!(with(4, "S1", &[(us, 2), (Spt, 1)]), None);
        }
        assert_eq!(with(4, "S1", &[(Wagons, 1), (Spt, 2)]), Some(1));
        assert_eq!(with(4, "S1", &[(Npt, 2), (Spt, 2)]), None);
        assert_eq!(with(2, "S1", &[(Npt, 2), (Spt, 2)]), Some(0));
        for players in 2..=4 {
            assert_eq!(with(players, "N7", &[(Enemies, 2), (Cavalry, 1)]), None);
        }
        assert_eq!(with(4, "N7", &[(Settlers, 3), (Cavalry, 2), (Enemies, 1)]), Some(2));
        assert_eq!(with(4, "N7", &[(Settlers, 3), (Cavalry, 3), (Enemies, 1)]), None);
        assert_eq!(with(4, "N7", &[(Settlers, 3), (Cavalry, 4), (Enemies, 1)]), Some(3));
        assert_eq!(with(3, "N7", &[(Settlers, 3), (Cavalry, 4)]), Some(2));
        // Purple cubes outnumber each ally, or both together if one player has them.
        let three = [(Settlers, 2), (Cavalry, 1), (Enemies, 3)];
        assert_eq!((with(2, "N7", &three), with(4, "N7", &three)), (Some(1), None));
        let two = [(Settlers, 2), (Cavalry, 1), (Enemies, 2)];
        assert_eq!((with(2, "N7", &two), with(4, "N7", &two)), (Some(1), Some(2)));
    }

    /// plains-indian-wars 4.4, 4.5, 4.6, 12.1.2.1, 15.4
    #[test]
    fn empty_and_contested_regions() {
        let mut g = bare(2);
        assert_eq!(
            [at(&g, "N4"), at(&g, "S4"), at(&g, "PN1")].map(|r| g.holding(r)),
            [Holding::Indians, Holding::Indians, Holding::Nobody]
        );
        set(&mut g, "N4", &[(Faction::Wagons, 1)]);
        assert_eq!((g.holding(at(&g, "N4")), g.controller(at(&g, "N4"))), (Holding::Nobody, None));
        set(&mut g, "N4", &[(Faction::Npt, 2), (Faction::Enemies, 2)]);
        assert_eq!(g.holding(at(&g, "N4")), Holding::Contested);
        assert_eq!(g.controller(at(&g, "N4")), None);
        set(&mut g, "N4", &[(Faction::Npt, 3), (Faction::Enemies, 2)]);
        assert_eq!(g.controller(at(&g, "N4")), Some(g.owner(Faction::Npt)));
        set(&mut g, "PN1", &[(Faction::Enemies, 2)]);
        assert_eq!((g.holding(at(&g, "PN1")), g.controller(at(&g, "PN1"))), (Holding::Us, None));
        // With four players Wagons count like other cubes.
        let mut four = bare(4);
        set(&mut four, "N4", &[(Faction::Wagons, 1)]);
        assert_eq!(four.controller(at(&four, "N4")), Some(four.owner(Faction::Settlers)));
        assert_eq!(four.controller(at(&four, "S4")), Some(four.owner(Faction::Spt)));
    }
}
