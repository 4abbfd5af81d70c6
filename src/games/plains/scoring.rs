//! Victory (2, 14.1, 15.3, 15.4, the Victory Point Schedule).

use super::{
    T,
    components::{Faction, Kind, RegionId},
    state::State,
    trails::route_of,
};
use postrider_table::{Seat, story_of_vps};
use serde::Serialize;

/// VPs for joining the two railroads, or for keeping them apart.
const RAILROAD_VPS: i32 = 3;
/// Number of Purple regions in an area from which they score for the Indians, and the penalty if
/// the US has the majority (4.6).
const PURPLE_FROM: i32 = 3;
const PURPLE_FINE: i32 = 3;

/// The points of a player by source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub railroad: i32,
    /// Wagons destroyed, or brought through.
    pub wagons: i32,
    /// Cavalry in pairs, and Custer.
    pub battles: i32,
    /// Green and orange regions.
    pub plains: i32,
    /// Purple regions, less penalties.
    pub purple: i32,
}

impl Score {
    pub fn total(&self) -> i32 {
        self.parts().iter().map(|part| part.1).sum()
    }
    /// Returns the parts with their names.
    pub fn parts(&self) -> [(&'static str, i32); 5] {
        [
            ("Plains", self.plains),
            ("Purple", self.purple),
            ("Wagons", self.wagons),
            ("Battles", self.battles),
            ("Railroad", self.railroad),
        ]
    }
    /// Returns the common points of allies: all except regions, and except Wagons of the US, which
    /// count by route.
    fn common(&self, indian: bool) -> i32 {
        self.railroad + self.battles + if indian { self.wagons } else { 0 }
    }
}

/// Returns the points of a player by the rules that give them: those for Purple regions, and the
/// rest.
pub fn earned(g: &State, seat: Seat) -> Vec<(&'static str, i64)> {
    let score = g.score(seat);
    let purple = match g.variant.players {
        3 => "15.3",
        4 => "15.4",
        _ => "4.6",
    };
    vec![(purple, score.purple.into()), ("VP", (score.total() - score.purple).into())]
}

/// Tells the points that have changed since the last time:
/// `VPs: Indians 26 (-1 Plains), US 9 (+1 Plains).`
pub fn tell_points(t: &T, g: &mut State) {
    let told = std::mem::take(&mut g.told);
    set_told(g);
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

/// Marks the current points as already told in the story.
pub fn set_told(g: &mut State) {
    g.told = g.seats().map(|seat| g.score(seat)).collect();
}

/// The sort key of a seat's final rank; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    side: [i32; 3],
    own: [i32; 3],
}

impl State {
    /// Returns the points of a player for the current map. Unless the railroads were joined in
    /// time, the Indians get the railroad points.
    pub fn score(&self, seat: Seat) -> Score {
        let indian = self.variant.is_indian(seat);
        let mut score = Score { plains: self.plains(seat), purple: self.purple(seat, indian), ..Score::default() };
        if self.joined_in_time() != indian {
            score.railroad = RAILROAD_VPS;
        }
        if indian {
            score.wagons = i32::from(self.destroyed);
            score.battles = self.battle_vps + self.custer_vps;
        } else {
            score.wagons = self.wagons_of(seat);
        }
        // The regions of two allies against one player count double (15.3).
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
    /// Returns the points for Purple regions: by area with two players (4.6), one each with more
    /// (15.3, 15.4).
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
    /// Returns the Wagons in the Rockies and on the trails. Each US player scores all of them; with
    /// four players they count by route (15.4).
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
    /// Returns the points of a side (15.4.1): the sum of its players' points. With four players
    /// common points count once. With three players the sum has the common points of allies twice
    /// and their regions double; [`State::place`] adjusts for that.
    pub fn side_total(&self, indian: bool) -> i32 {
        let seats = self.variant.seats_of(indian);
        let sum: i32 = seats.iter().map(|&seat| self.score(seat).total()).sum();
        if self.variant.players < 4 {
            return sum;
        }
        let allies = seats.iter().skip(1).map(|&seat| self.score(seat).common(indian));
        sum - allies.sum::<i32>()
    }
    /// Returns the points of the Indians and of the US with four players, who win as sides.
    pub fn sides(&self) -> Option<[i32; 2]> {
        (self.variant.players == 4).then(|| [true, false].map(|indian| self.side_total(indian)))
    }
    /// Returns the sort key of a seat (14.1, 15.4.1): the side's VPs, Purple regions and
    /// casualties, then the player's own.
    pub fn place(&self, seat: Seat) -> Place {
        let indian = self.variant.is_indian(seat);
        let size = |indian: bool| self.variant.seats_of(indian).len() as i32;
        let purple = |seat: Seat| self.controlled(seat, Kind::is_purple);
        let of_side = |of: &dyn Fn(Seat) -> i32| -> i32 { self.variant.seats_of(indian).into_iter().map(of).sum() };
        // Sums of one and of two players are compared as averages.
        let total = self.side_total(indian) * size(!indian);
        let side = [-total, -of_side(&purple), of_side(&|seat| self.casualties_of(seat))];
        Place { side, own: [-self.score(seat).total(), -purple(seat), self.casualties_of(seat)] }
    }
    /// Returns the seats from first to last (14.1).
    pub fn ranking(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.seats().collect();
        seats.sort_by_key(|&seat| self.place(seat));
        seats
    }
    /// Returns the criterion by which the winning side is ahead (14.1, 15.4.1).
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
            _ => {
                // With four players the sums; with three the VPs of one and the mean of the two.
                let half = |twice: i32| format!("{}{}", twice / 2, if twice % 2 == 0 { "" } else { "½" });
                let [most, least] = [first[0].min(other[0]), first[0].max(other[0])].map(|total| half(-total));
                format!("{what} for the side ({most} to {least}), then for the player (15.4.1)")
            }
        }
    }
    /// Returns the number of cubes in a player's Casualty Boxes.
    pub fn casualties_of(&self, seat: Seat) -> i32 {
        let own = self.variant.factions_of(seat).filter(|&f| f != Faction::Railroad);
        own.map(|f| i32::from(self.casualties[f])).sum()
    }
}
