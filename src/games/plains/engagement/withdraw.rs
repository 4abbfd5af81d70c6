//! The withdrawal of Settlers and Enemies who cannot stay together (13).

use super::retreat::{Flight, groups, in_turn, leave, retreats, room, to_the_box, ways_after};
use crate::{
    Ask, Order, Plains, T,
    asking::Place,
    components::{Faction, RegionId, Spot},
    order::Lot,
    state::{State, tell_cubes},
    words,
};
use postrider_orders::{Grammar, Misread, Phrase, Reader, list_or};
use postrider_table::{Candidate, Choice, Description, PickOrder, Prompt, Refusal, Seat, refuse};

/// Moves all cubes of a faction out of a region where they cannot stay (13), to places where they
/// may retreat, or else to its Ready Box.
pub async fn withdraw(t: &T, g: &mut State, r: RegionId, faction: Faction) {
    while g.region(r)[faction] > 0 {
        let ways = retreats(g, faction, r);
        if ways.is_empty() {
            let n = to_the_box(g, r, faction);
            t.tell(|| format!("{n} {} cannot stay in {} and go back to the Ready Box.", faction.cubes(), g.name(r)));
            return;
        }
        let leaving = Leaving { region: r, faction };
        let flights = match ways[..] {
            [only] => leaving.all_to(g, only),
            _ => t.ask(g, g.owner(faction), leaving).await,
        };
        for &flight in &flights {
            leave(g, r, flight);
        }
        t.tell(|| {
            let from = g.name(r);
            let told = groups(&flights)
                .into_iter()
                .map(|(n, x)| format!("{n} {} withdraw from {from} to {}.", x.faction.cubes(), g.c.told(x.to)));
            told.collect::<Vec<_>>().join(" ")
        });
    }
}

/// The question of where withdrawing cubes go (13), to one place or to several (12.1.4). If the
/// answer names only some of them, the player is asked again.
pub struct Leaving {
    pub region: RegionId,
    pub faction: Faction,
}

impl Leaving {
    fn all(&self, g: &State) -> u8 {
        g.region(self.region)[self.faction]
    }
    fn ways(&self, g: &State) -> Vec<Spot> {
        retreats(g, self.faction, self.region)
    }
    /// Returns flights of `n` cubes to a place.
    fn flights(&self, n: u8, to: Spot) -> Vec<Flight> {
        vec![Flight { faction: self.faction, to }; usize::from(n)]
    }
    /// Returns flights of all cubes to a place, or of as many as fit there.
    fn all_to(&self, g: &State, to: Spot) -> Vec<Flight> {
        self.flights(self.all(g).min(room(g, to, self.faction.is_indian())), to)
    }
    /// Returns all possible flights of one cube after others of the same order.
    fn next(&self, start: &State, after: &State) -> Vec<Flight> {
        let ways = match self.all(after) {
            0 => Vec::new(),
            _ => ways_after(start, after, self.faction, self.region),
        };
        ways.into_iter().map(|to| Flight { faction: self.faction, to }).collect()
    }
    /// `to powder river`, for all of them · `send 2 to powder river, 1 to bighorn`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let own = self.faction.word();
        let lots = words::lots(g, self.faction, "to", "here cubes withdraw: say where to, or how many where");
        let parts = lots.clone();
        let read = move |words: &mut Reader<'_>| {
            words.skip(&["withdraw", "retreat", "send", "move", "go"]);
            if words.clone().number().is_some() {
                return lots.read(words);
            }
            words.skip(&["all", "of", "them", "the", own, "cubes", "to", "into", "in"]);
            Ok(Order::pick(g.c.spot_name(words.name(&g.names)?).to_owned()))
        };
        let say = move |order: &Order| match order.picked() {
            Some(one) => Some(format!("to {}", one.to_lowercase())),
            None => Some(format!("send {}", parts.say(order)?)),
        };
        Grammar::leaf(read, say)
    }
    fn put(&self, g: &State, flights: &[Flight]) -> Order {
        let lot = |(n, x): (u8, Flight)| Lot { colour: x.faction, n, to: g.c.spot_name(x.to).to_owned() };
        Order::Put { lots: groups(flights).into_iter().map(lot).collect() }
    }
}

impl Prompt<Plains> for Leaving {
    type Answer = Vec<Flight>;
    fn kind(&self) -> Ask {
        Ask::Withdraw
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<Flight>, Refusal> {
        let ways = self.ways(g);
        let no_way = |ways: &[Spot]| {
            let names: Vec<String> = ways.iter().map(|&s| g.c.told(s)).collect();
            refuse("13.0", format!("{} cubes withdraw to {}.", self.faction.cubes(), list_or(&names)))
        };
        let lots = match (order.picked(), order) {
            (Some(one), _) => {
                return match g.c.spot(one).filter(|to| ways.contains(to)) {
                    Some(to) => Ok(self.all_to(g, to)),
                    None => no_way(&ways),
                };
            }
            (_, Order::Put { lots }) => lots,
            _ => return no_way(&ways),
        };
        let (mut flights, mut sum) = (Vec::new(), 0_u32);
        for lot in lots {
            if lot.colour != self.faction {
                let (own, others) = (self.faction.cubes(), lot.colour.cubes());
                return refuse("13.0", format!("{own} cubes withdraw here, not {others}."));
            }
            let Some(to) = g.c.spot(&lot.to) else {
                return refuse("4.4", format!("There is no region called {}.", lot.to));
            };
            sum += u32::from(lot.n);
            flights.extend(self.flights(lot.n, to));
        }
        let all = self.all(g);
        if sum == 0 || sum > u32::from(all) {
            return refuse("13.0", format!("{all} {} withdraw here, not {sum}.", self.faction.cubes()));
        }
        match in_turn(g, self.region, flights, |after| self.next(g, after)) {
            Ok(gone) => Ok(gone),
            Err((_, next)) => no_way(&next.iter().map(|x| x.to).collect::<Vec<_>>()),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let (all, ways) = (self.all(g), self.ways(g));
        let mut others = *g.region(self.region);
        others[self.faction] = 0;
        let d = Description::new("Where cubes withdraw to", "13.0").examples().line(format!(
            "{all} {} cannot stay in {} with {}: Settlers and Enemies neither fight together nor stay without Cavalry.",
            self.faction.cubes(),
            g.name(self.region),
            tell_cubes(&others)
        ));
        let (Some(&first), Some(&last), 2..) = (ways.first(), ways.last(), all) else { return d };
        let parts = [self.flights(all - 1, first), self.flights(1, last)].concat();
        let order = self.put(g, &parts);
        if self.accept(g, Seat(0), &order).is_err() {
            return d;
        }
        let words = Choice::said(order, &self.grammar(g)).words;
        d.line(format!("All go to one place, or some here and some there: `{words}`."))
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = self.grammar(g);
        let choice = |to: Spot| {
            let place = Place(to);
            Choice::said(Order::pick(place.key(g).into_owned()), &grammar).note(place.note(g))
        };
        self.ways(g).into_iter().map(choice).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let (mut after, mut flights) = (g.clone(), Vec::new());
        for _ in 0..self.all(g) {
            let next = self.next(g, &after);
            let Some(&flight) = next.get(below(next.len().max(1) as u32) as usize) else { break };
            leave(&mut after, self.region, flight);
            flights.push(flight);
        }
        Some(self.put(g, &flights))
    }
}
