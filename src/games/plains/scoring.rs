//! Victory (2, 14.1, 15.3, 15.4, the Victory Point Schedule).

use super::{
    T,
    components::{Faction, Kind, RegionId},
    state::State,
    trails::route_of,
};
use postrider_table::{Seat, story_of_vps};
use serde::Serialize;

/// For joining the two railroads, or for keeping them apart.
const RAILROAD_VPS: i32 = 3;
/// 4.6: Purple regions of an area that score for the Indians from this number on; and the fine where the US has more.
const PURPLE_FROM: i32 = 3;
const PURPLE_FINE: i32 = 3;

/// What one player's points are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub railroad: i32,
    /// Wagons destroyed, or brought through.
    pub wagons: i32,
    /// Cavalry in pairs, and Custer.
    pub battles: i32,
    /// Green and orange regions.
    pub plains: i32,
    /// Purple regions, fines taken off.
    pub purple: i32,
}

impl Score {
    pub fn total(&self) -> i32 {
        self.parts().iter().map(|part| part.1).sum()
    }
    /// The parts by their names.
    pub fn parts(&self) -> [(&'static str, i32); 5] {
        [
            ("Plains", self.plains),
            ("Purple", self.purple),
            ("Wagons", self.wagons),
            ("Battles", self.battles),
            ("Railroad", self.railroad),
        ]
    }
    /// The common points of allies: all but their regions, and but the Wagons of the US, which go
    /// by routes.
    fn common(&self, indian: bool) -> i32 {
        self.railroad + self.battles + if indian { self.wagons } else { 0 }
    }
}

/// Tells the points that have changed since they were told last: `VPs: Indians 26 (-1 Plains), US 9 (+1 Plains).`
pub fn tell_points(t: &T, g: &mut State) {
    let now: Vec<Score> = g.seats().map(|seat| g.score(seat)).collect();
    let told = std::mem::replace(&mut g.told, now);
    if told == g.told {
        return;
    }
    t.tell(|| {
        let seats = g.seats().zip(told.iter().zip(&g.told)).filter(|(_, (old, new))| old != new);
        let each = seats.map(|(seat, (old, new))| {
            let parts = old.parts().into_iter().zip(new.parts()).filter(|((_, old), (_, new))| old != new);
            let parts: Vec<String> = parts.map(|((_, old), (name, new))| format!("{:+} {name}", new - old)).collect();
            format!("{} {} ({})", g.part(seat), new.total(), parts.join(", "))
        });
        story_of_vps(&each.collect::<Vec<_>>())
    });
}

/// What places a seat at the end; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    side: [i32; 3],
    own: [i32; 3],
}

impl State {
    /// The points of a player as the map stands: until the railroads are joined theirs are the Indians'.
    pub fn score(&self, seat: Seat) -> Score {
        let indian = self.variant.is_indian(seat);
        let mut score = Score { plains: self.plains(seat), purple: self.purple(seat, indian), ..Score::default() };
        if self.joined() != indian {
            score.railroad = RAILROAD_VPS;
        }
        if indian {
            score.wagons = i32::from(self.destroyed);
            score.battles = self.battle_vps + self.custer_vps;
        } else {
            score.wagons = self.wagons_of(seat);
        }
        // 15.3: the regions of two allies against one player count double.
        if self.variant.players == 3 && self.variant.seats_of(indian).len() == 2 {
            score.plains *= 2;
            score.purple *= 2;
        }
        score
    }
    fn controlled(&self, seat: Seat, wanted: impl Fn(Kind) -> bool) -> i32 {
        let held = |r: &RegionId| wanted(self.c[*r].kind) && self.controller(*r) == Some(seat);
        self.c.region_ids().filter(held).count() as i32
    }
    fn plains(&self, seat: Seat) -> i32 {
        self.controlled(seat, |kind| !kind.is_purple())
    }
    /// 4.6 with two players; 15.3, 15.4 with more: a point each, whoever holds it.
    fn purple(&self, seat: Seat, indian: bool) -> i32 {
        if self.variant.players > 2 {
            return self.controlled(seat, Kind::is_purple);
        }
        if !indian {
            return 0;
        }
        let mut sum = 0;
        for area in [Kind::PurpleNorth, Kind::PurpleSouth] {
            let held = self.controlled(seat, |kind| kind == area);
            if held >= PURPLE_FROM {
                sum += held;
            }
            let regions = self.c.region_ids().filter(|&r| self.c[r].kind == area);
            let (all, us) = regions.fold((0, 0), |(all, us), r| {
                let here = self.region(r);
                (all + 1, us + usize::from(here.us() > here.indian()))
            });
            if 2 * us > all {
                sum -= PURPLE_FINE;
            }
        }
        sum
    }
    /// Wagons in the Rockies and on the trails: for each US player, with four players by route (15.4).
    fn wagons_of(&self, seat: Seat) -> i32 {
        let routes = if self.variant.players < 4 {
            [true, true]
        } else {
            let north = seat == self.owner(Faction::Cavalry);
            [north, !north]
        };
        let mut sum = 0;
        for (route, _) in routes.into_iter().enumerate().filter(|&(_, counts)| counts) {
            sum += i32::from(self.arrived[route]);
            let on_it = |r: &RegionId| usize::from(route_of(self, *r) == super::components::Route::South) == route;
            sum += self.c.region_ids().filter(on_it).map(|r| i32::from(self.region(r)[Faction::Wagons])).sum::<i32>();
        }
        sum
    }
    /// 15.4.1: the points of a side. Against one player those of two allies are halved: each has the common ones in full, and the
    /// regions double. Of two sides of two the common ones count once.
    pub fn side_total(&self, indian: bool) -> i32 {
        let seats = self.variant.seats_of(indian);
        let sum: i32 = seats.iter().map(|&seat| self.score(seat).total()).sum();
        if self.variant.players < 4 {
            return sum;
        }
        let allies = seats.iter().skip(1).map(|&seat| self.score(seat).common(indian));
        sum - allies.sum::<i32>()
    }
    /// 14.1, 15.4.1: what places a seat, the best first: the VPs of its side, the side's Purple
    /// regions and lost cubes, then its own.
    pub fn place(&self, seat: Seat) -> Place {
        let indian = self.variant.is_indian(seat);
        let size = |indian: bool| self.variant.seats_of(indian).len() as i32;
        let purple = |seat: Seat| self.controlled(seat, Kind::is_purple);
        let of_side = |of: &dyn Fn(Seat) -> i32| -> i32 { self.variant.seats_of(indian).into_iter().map(of).sum() };
        // Sums of one and of two players are compared as means.
        let total = self.side_total(indian) * size(!indian);
        let side = [-total, -of_side(&purple), of_side(&|seat| self.casualties_of(seat))];
        Place { side, own: [-self.score(seat).total(), -purple(seat), self.casualties_of(seat)] }
    }
    /// 14.1: the seats from first to last.
    pub fn ranking(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.seats().collect();
        seats.sort_by_key(|&seat| self.place(seat));
        seats
    }
    /// 14.1, 15.4.1: by what the side that has won is ahead of the other one.
    pub fn decided_by(&self) -> String {
        let mut sides = self.seats().map(|seat| self.place(seat).side);
        let first = sides.next().unwrap_or_default();
        let other = sides.find(|side| *side != first).unwrap_or(first);
        let what = match first.iter().zip(other).position(|(one, other)| *one != other) {
            Some(0) => "more VPs",
            Some(1) => "as many VPs, more Purple regions",
            Some(_) => "as many VPs and Purple regions, fewer cubes lost",
            None => "as many VPs, Purple regions and lost cubes",
        };
        match self.variant.players {
            2 => format!("{what} (14.1)"),
            _ => format!("{what} for the side, then for the player (15.4.1)"),
        }
    }
    /// Cubes in the Casualty Boxes of a player.
    pub fn casualties_of(&self, seat: Seat) -> i32 {
        let own = self.variant.factions_of(seat).filter(|&f| f != Faction::Railroad);
        own.map(|f| i32::from(self.casualties[f])).sum()
    }
}
