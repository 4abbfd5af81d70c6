//! The limit of a region (4.4, 10.5): at the end of movement, the opponent sends excess cubes away.

use super::{
    retreat::{Flight, groups, in_turn, leave, may_retreat, nearest, room, tell_flights},
    sides::leader,
};
use crate::{
    Ask, Order, Plains, T,
    asking::Colour,
    components::{Faction, RegionId, Spot},
    control::Holding,
    order::Lot,
    state::{STACK, State, tell_cubes},
    words,
};
use postrider_orders::{Grammar, Misread, Phrase, filler, list_or};
use postrider_table::{Choice, Description, Pick, Prompt, Refusal, Seat, refuse};

/// Lets the opponent send cubes over the limit to the nearest empty or friendly region at the end
/// of movement (4.4, 10.5). If there is none, they go to the Casualty Box, like all cubes that are
/// removed (12.1.3).
pub async fn keep_to_the_limit(t: &T, g: &mut State) {
    for r in g.c.region_ids() {
        for indian in [true, false] {
            while g.region(r).side(indian) > STACK {
                send_away(t, g, r, indian).await;
            }
        }
    }
    g.moving = false;
}

/// Returns the factions of a side in a region.
fn factions(g: &State, r: RegionId, indian: bool) -> Vec<Faction> {
    Faction::FIGHTING.into_iter().filter(|&f| f.is_indian() == indian && g.region(r)[f] > 0).collect()
}

/// Returns the number of a side's cubes over the limit in a region.
fn surplus(g: &State, r: RegionId, indian: bool) -> u8 {
    g.region(r).side(indian).saturating_sub(STACK)
}

/// Returns the destinations of a cube over the limit: the nearest regions that are empty or
/// friendly, and have room. A region that the enemy holds with Wagons is neither (15.4).
fn ways(g: &State, r: RegionId, faction: Faction) -> Vec<Spot> {
    let indian = faction.is_indian();
    let held = |b: RegionId| indian && g.standing(b) == Holding::Us;
    nearest(g, r, |b| {
        let spot = Spot::Region(b);
        let friendly = g.region(b).fighting() == 0 && !held(b) || g.is_controlled_by(b, indian);
        friendly && may_retreat(g, faction, spot) && room(g, spot, indian) > 0 && !g.keeps_apart(faction, spot)
    })
}

/// Removes a cube without a destination (12.1.3). The opponent chooses among several colours.
async fn remove_one(t: &T, g: &mut State, r: RegionId, indian: bool) {
    let faction = match factions(g, r, indian)[..] {
        [only] => only,
        ref here => {
            let among = here.iter().copied().map(Colour).collect();
            let pick = Pick::new(Ask::OverLimit, "4.4", "Which cube goes, over the limit of eight", among)
                .telling(move |g, d| d.line(crowd(g, r, indian)));
            t.ask(g, leader(g, r, !indian), pick).await.0
        }
    };
    g.send_back(r, faction, 1);
    g.ready[faction] -= 1;
    g.casualties[faction] += 1;
    t.tell(|| format!("1 {} too many in {} goes to the Casualty Box.", faction.cubes(), g.name(r)));
}

/// Sends away all cubes over the limit that find room, in one order. If none finds room, one cube
/// is removed.
async fn send_away(t: &T, g: &mut State, r: RegionId, indian: bool) {
    let prompt = Crowded { region: r, indian };
    let lists = prompt.lists(g);
    let going = match &lists[..] {
        [] => return remove_one(t, g, r, indian).await,
        // This cube goes whatever the answer would be; the rest may have a choice.
        [only] => only[..1].to_vec(),
        _ => t.ask(g, leader(g, r, !indian), prompt).await,
    };
    for &flight in &going {
        leave(g, r, flight);
    }
    t.tell(|| format!("Too many in {}: {}.", g.name(r), tell_flights(g, &going)));
}

/// The question of which cubes over the limit go, and where.
pub struct Crowded {
    pub region: RegionId,
    pub indian: bool,
}

impl Crowded {
    /// Returns every possible flight of the next cube.
    fn next(&self, g: &State) -> Vec<Flight> {
        let to = |faction| ways(g, self.region, faction).into_iter().map(move |to| Flight { faction, to });
        factions(g, self.region, self.indian).into_iter().flat_map(to).collect()
    }
    /// Returns, for each possible first flight, the list that repeats it as long as possible. Lists
    /// of the same flights are included once.
    fn lists(&self, g: &State) -> Vec<Vec<Flight>> {
        let mut lists: Vec<Vec<(u8, Flight)>> = Vec::new();
        for first in self.next(g) {
            let (mut after, mut list) = (g.clone(), Vec::new());
            for _ in 0..surplus(g, self.region, self.indian) {
                let next = self.next(&after);
                let same = next.iter().find(|&&x| x == first);
                let like = next.iter().find(|x| x.faction == first.faction);
                let Some(&flight) = same.or(like).or(next.first()) else { break };
                leave(&mut after, self.region, flight);
                list.push(flight);
            }
            let list = groups(&list);
            let is_new = |other: &Vec<(u8, Flight)>| list.iter().any(|lot| !other.contains(lot));
            if lists.iter().all(is_new) {
                lists.push(list);
            }
        }
        let cubes = |list: Vec<(u8, Flight)>| {
            list.into_iter().flat_map(|(n, flight)| std::iter::repeat_n(flight, usize::from(n))).collect::<Vec<_>>()
        };
        lists.into_iter().map(cubes).collect()
    }
    /// Returns the number of cubes in this order: all that are over the limit, or as many as find
    /// room.
    fn most(&self, g: &State) -> usize {
        self.lists(g).iter().map(Vec::len).min().unwrap_or(0)
    }
    /// `send 1 orange to james river, 1 green to black hills`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let default = factions(g, self.region, self.indian).first().copied().unwrap_or(Faction::Npt);
        let missing = "here cubes are sent away: send 1 orange to james river, 1 green to black hills";
        filler("send", &["send", "move"]).then(words::lots(g, default, "to", missing))
    }
    fn choice(&self, g: &State, flights: &[Flight]) -> Choice<Order> {
        let lot = |(n, x): (u8, Flight)| Lot { colour: x.faction, n, to: g.c.spot_name(x.to).to_owned() };
        let lots = groups(flights).into_iter().map(lot).collect();
        Choice::said(Order::Put { lots }, &self.grammar(g))
    }
}

impl Prompt<Plains> for Crowded {
    type Answer = Vec<Flight>;
    fn kind(&self) -> Ask {
        Ask::OverLimit
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<Flight>, Refusal> {
        let most = self.most(g);
        let Order::Put { lots } = order else {
            let one = self.lists(g).first().map_or_else(String::new, |list| self.choice(g, list).words);
            return refuse("4.4", format!("Say which cubes go, and where to: `{one}`."));
        };
        let sum: usize = lots.iter().map(|lot| usize::from(lot.n)).sum();
        if sum != most {
            return refuse("4.4", format!("{most} must go, not {sum}."));
        }
        let mut left = Vec::new();
        for lot in lots {
            let Some(to) = g.c.spot(&lot.to) else {
                return refuse("4.4", format!("There is no region called {}.", lot.to));
            };
            left.extend((0..lot.n).map(|_| Flight { faction: lot.colour, to }));
        }
        // Nearest regions may fill up; each cube goes as soon as it can, in whatever order the
        // cubes are named.
        in_turn(g, self.region, left, |after| self.next(after)).or_else(|(stuck, next)| {
            let can = groups(&next).into_iter().map(|(_, x)| format!("{} to {}", x.faction.cubes(), g.c.told(x.to)));
            let can = list_or(&can.collect::<Vec<_>>());
            let (colour, to) = (stuck.faction.cubes(), g.c.told(stuck.to));
            refuse("10.5", format!("1 {colour} cannot go to {to}. The nearest places are: {can}."))
        })
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let most = self.most(g);
        let title = match most {
            1 => "Which cube goes, over the limit of eight".to_owned(),
            n => format!("Which {n} cubes go, over the limit of eight"),
        };
        let d = Description::new(title, "4.4").line(crowd(g, self.region, self.indian));
        let lists = self.lists(g);
        match (most, &lists[..]) {
            (2.., [first, .., last]) => {
                let two: Vec<Flight> = [&first[..most - 1], &last[..1]].concat();
                let two = self.choice(g, &two);
                let legal = self.accept(g, Seat(0), &two.order).is_ok();
                let words = if legal { two.words } else { self.choice(g, first).words };
                d.line(format!("All {most} in one order: `{words}`.")).few(8)
            }
            _ => d,
        }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let most = self.most(g);
        let lists = self.lists(g).into_iter().filter(|list| list.len() == most);
        lists.map(|list| self.choice(g, &list)).collect()
    }
}

/// Describes the excess in a region, for the opponent who sends it away.
fn crowd(g: &State, r: RegionId, indian: bool) -> String {
    let mut own = *g.region(r);
    for f in Faction::ALL.into_iter().take(6).filter(|&f| f.is_indian() != indian || f == Faction::Wagons) {
        own[f] = 0;
    }
    format!(
        "In {} stand {}: {} more than the {STACK} that a region holds. Their enemy sends them to the nearest empty or friendly \
         region.",
        g.name(r),
        tell_cubes(&own),
        own.side(indian) - STACK
    )
}
