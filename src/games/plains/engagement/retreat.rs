//! Leaving a region: retreats (12.1.4) and relocation by Treaty (12.1.2).

use super::{
    odds::{hits_at, tenths},
    sides::{fighters, leader},
};
use crate::{
    Ask, Order, Plains, T,
    asking::{Asking, one_spot_told},
    components::{Faction, RegionId, Spot},
    control::Holding,
    facts,
    movement::{may_stand, settle},
    order::lots,
    state::{Cubes, STACK, State, goes, tell_cubes},
    words,
};
use postrider_orders::{Grammar, Misread, Phrase, filler, just, list_and, list_or, one_of, word};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// Returns the number of additional cubes of a side that fit at a spot (4.4).
pub fn room(g: &State, spot: Spot, indian: bool) -> u8 {
    if spot.region().is_some() { STACK.saturating_sub(g.cubes(spot).side(indian)) } else { u8::MAX }
}

/// Returns `true` if cubes of a faction may retreat to a spot at all. Settlers never retreat to
/// Purple regions, even if they may enter them (6.5, 12.1.4.3, 15.3).
pub(super) fn may_retreat(g: &State, faction: Faction, spot: Spot) -> bool {
    let purple = spot.region().is_some_and(|r| g.c[r].kind.is_purple());
    may_stand(g, faction, spot) && !(purple && faction == Faction::Settlers)
}

/// Returns the spots to which a cube of a faction may retreat from a region (6.1 to 6.5, 12.1.4.1
/// to 12.1.4.3).
pub fn retreats(g: &State, faction: Faction, from: RegionId) -> Vec<Spot> {
    let indian = faction.is_indian();
    let open =
        |spot: &Spot| may_retreat(g, faction, *spot) && room(g, *spot, indian) > 0 && !g.keeps_apart(faction, *spot);
    let near: Vec<Spot> = g.c[from].adjacent.iter().map(|&r| Spot::Region(r)).filter(open).collect();
    let beside = |areas: &[Spot]| -> Vec<Spot> {
        areas.iter().copied().filter(|&area| g.c[from].arrows.contains(&(area, faction))).collect()
    };
    let holding = |spot: &Spot| spot.region().map(|r| g.standing(r));
    // With four players Wagons hold a region for the US (15.4).
    let enemy = if indian { Holding::Us } else { Holding::Indians };
    let is_empty = |spot: &Spot| g.cubes(*spot).fighting() == 0 && (!indian || holding(spot) != Some(enemy));
    let purple = |spot: &Spot| spot.region().is_some_and(|r| g.c[r].kind.is_purple());
    let own = if indian { Holding::Indians } else { Holding::Us };
    let friendly = |spot: &&Spot| holding(spot).is_some_and(|now| now == own || now == Holding::Contested);
    match faction {
        Faction::Npt | Faction::Spt | Faction::Enemies => {
            let mut spots: Vec<Spot> = near.iter().filter(|s| is_empty(s) || friendly(s)).copied().collect();
            spots.extend(beside(&[Spot::Canada, Spot::Mexico, Spot::Rockies]));
            spots
        }
        _ => {
            let first: Vec<Spot> = near.iter().filter(friendly).copied().collect();
            if !first.is_empty() {
                return first;
            }
            let mut second = beside(&[Spot::Rockies]);
            if g.c[from].st_louis {
                second.push(Spot::StLouis);
            }
            if !second.is_empty() {
                return second;
            }
            near.into_iter().filter(|s| is_empty(s) && !purple(s)).collect()
        }
    }
}

/// The retreat of one cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight {
    pub faction: Faction,
    pub to: Spot,
}

/// Lets each player of a side retreat one cube for each Blank, of the faction that rolled it or of
/// one that arrived in a group with it (11.2.2, 12.1.4).
pub async fn retreat(t: &T, g: &mut State, r: RegionId, indian: bool, blanks: &Cubes, out: Option<Faction>) {
    for seat in g.variant.seats_of(indian) {
        let prompt = Retreat { region: r, seat, indian, blanks: *blanks, out };
        if prompt.flights(g).is_empty() {
            continue;
        }
        let Some(flights) = t.ask(g, seat, prompt).await else { continue };
        for &flight in &flights {
            leave(g, r, flight);
        }
        t.tell(|| format!("Retreat from {}: {}.", g.name(r), tell_flights(g, &flights)));
    }
}

/// Moves a cube out of a region, together with its mark of having moved. Where it comes among
/// enemies it fights again (12.1.4).
pub(super) fn leave(g: &mut State, r: RegionId, flight: Flight) {
    g.shift(Spot::Region(r), flight.to, Cubes::of(flight.faction, 1));
    settle(g, flight.faction, flight.to);
}

/// Orders the flights of one answer so that each is possible when its turn comes.
///
/// Returns them in that order, or the first one that is impossible together with those that were
/// possible in its place.
pub(super) fn in_turn(
    g: &State,
    r: RegionId,
    mut left: Vec<Flight>,
    next: impl Fn(&State) -> Vec<Flight>,
) -> Result<Vec<Flight>, (Flight, Vec<Flight>)> {
    let (mut after, mut gone) = (g.clone(), Vec::new());
    while !left.is_empty() {
        let next = next(&after);
        let Some(at) = left.iter().position(|flight| next.contains(flight)) else { return Err((left[0], next)) };
        let flight = left.remove(at);
        leave(&mut after, r, flight);
        gone.push(flight);
    }
    Ok(gone)
}

/// Returns the destinations of a cube after other cubes of the same order: the original ones that
/// still have room, and those that are now allowed because nearer or better ones are full.
pub(super) fn ways_after(start: &State, after: &State, faction: Faction, from: RegionId) -> Vec<Spot> {
    let mut ways = retreats(start, faction, from);
    ways.retain(|&to| room(after, to, faction.is_indian()) > 0 && !after.keeps_apart(faction, to));
    for to in retreats(after, faction, from) {
        if !ways.contains(&to) {
            ways.push(to);
        }
    }
    ways
}

/// Counts equal flights.
pub(super) fn groups(flights: &[Flight]) -> Vec<(u8, Flight)> {
    let mut groups: Vec<(u8, Flight)> = Vec::new();
    for &flight in flights {
        match groups.iter_mut().find(|(_, same)| *same == flight) {
            Some((n, _)) => *n += 1,
            None => groups.push((1, flight)),
        }
    }
    groups
}

/// Formats flights, such as `2 Blue to Council Bluffs and 1 Brown to St. Louis`.
pub(super) fn tell_flights(g: &State, flights: &[Flight]) -> String {
    let told = groups(flights).into_iter().map(|(n, x)| format!("{n} {} to {}", x.faction.cubes(), g.c.told(x.to)));
    list_and(&told.collect::<Vec<_>>())
}

/// The question of which cubes of a seat retreat from a region (12.1.4).
pub struct Retreat {
    pub region: RegionId,
    pub seat: Seat,
    pub indian: bool,
    /// Blanks by the faction that rolled them. Those of other seats do not count.
    pub blanks: Cubes,
    /// The faction that stays out of the fight, and therefore does not retreat (13).
    pub out: Option<Faction>,
}

impl Retreat {
    /// Returns the factions of the seat that fight here.
    fn own(&self, g: &State) -> impl Iterator<Item = Faction> {
        let fights = |f: &Faction| f.is_indian() == self.indian && g.owner(*f) == self.seat && Some(*f) != self.out;
        Faction::FIGHTING.into_iter().filter(fights)
    }
    /// Returns the Blanks that the seat's factions rolled.
    fn rolled(&self, g: &State) -> Cubes {
        let mut rolled = Cubes::default();
        for f in self.own(g) {
            rolled[f] = self.blanks[f];
        }
        rolled
    }
    /// Returns how many of the wanted cubes may retreat: for each Blank one of its own faction, or
    /// one that arrived here in a group with it (11.2.2, 12.1.2).
    fn allowed(&self, g: &State, wanted: &Cubes) -> u8 {
        let moved = &g.moved[usize::from(self.region.0)];
        let (mut spare, mut more, mut sum) = (self.rolled(g), Cubes::default(), 0);
        for f in self.own(g) {
            let n = wanted[f].min(spare[f]);
            spare[f] -= n;
            sum += n;
            more[f] = (wanted[f] - n).min(moved[f]);
        }
        let together = g.together.iter().filter(|group| group.0 == self.region);
        for (f, other) in together.flat_map(|&(_, [a, b])| [(a, b), (b, a)]) {
            let n = more[f].min(spare[other]);
            spare[other] -= n;
            more[f] -= n;
            sum += n;
        }
        sum
    }
    /// Returns the maximum number of retreating cubes.
    fn most(&self, g: &State) -> u8 {
        self.allowed(g, g.region(self.region))
    }
    /// Returns the factions of which a cube may retreat.
    fn factions(&self, g: &State) -> Vec<Faction> {
        let here = g.region(self.region);
        self.own(g).filter(|&f| here[f] > 0 && self.allowed(g, &Cubes::of(f, 1)) > 0).collect()
    }
    /// Returns `true` for Indians who attack unprotected Wagons (12.1.2.1), and who need not roll
    /// again.
    fn attacks_wagon(&self, g: &State) -> bool {
        self.indian && g.region(self.region).us() == 0
    }
    /// Returns all possible flights of one cube.
    fn flights(&self, g: &State) -> Vec<Flight> {
        let to = |f: Faction| retreats(g, f, self.region).into_iter().map(move |to| Flight { faction: f, to });
        self.factions(g).into_iter().flat_map(to).collect()
    }
    /// Returns all possible flights of one cube after others of the same order.
    fn next(&self, start: &State, after: &State) -> Vec<Flight> {
        let to = |faction| {
            let ways = ways_after(start, after, faction, self.region);
            ways.into_iter().map(move |to| Flight { faction, to })
        };
        let here = after.region(self.region);
        self.factions(start).into_iter().filter(|&f| here[f] > 0).flat_map(to).collect()
    }
    /// Returns an example of two cubes that can retreat in one order, if any can.
    fn two(&self, g: &State) -> Option<[Flight; 2]> {
        let singles = self.flights(g);
        let legal = |two: &[Flight; 2]| self.accept(g, self.seat, &self.choice(g, two).order).is_ok();
        let apart = [*singles.first()?, *singles.last()?];
        let pairs = singles.iter().flat_map(|&one| {
            let mut after = g.clone();
            leave(&mut after, self.region, one);
            self.next(g, &after).into_iter().map(move |other| [one, other])
        });
        std::iter::once(apart).chain(pairs).find(legal)
    }
    /// `stay` · `retreat 1 blue to council bluffs, 1 brown to denver`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let missing = "here cubes retreat or stay: how many of which colour retreat where, or stay";
        let default = self.factions(g).first().copied().unwrap_or(Faction::Cavalry);
        let lots = words::lots(g, default, "to", missing);
        let stay = || just(Order::Done {});
        one_of()
            .on(&["stay", "hold"], stay())
            .also(&["all"], word(&["stay"]).then(stay()))
            .otherwise(filler("retreat", &["retreat"]).then(lots))
    }
    fn choice(&self, g: &State, flights: &[Flight]) -> Choice<Order> {
        let lots = lots(&g.c, flights.iter().map(|flight| (flight.faction, flight.to)));
        Choice::said(Order::Put { lots }, &self.grammar(g))
    }
}

impl Prompt<Plains> for Retreat {
    type Answer = Option<Vec<Flight>>;
    fn kind(&self) -> Ask {
        Ask::Retreat
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let lots = match order {
            Order::Done {} => return Ok(None),
            Order::Put { lots } => lots,
            _ => {
                let one = self.flights(g).first().map_or_else(String::new, |&x| self.choice(g, &[x]).words);
                return refuse("12.1.4", format!("Cubes may retreat, or stay: `{one}`, or `stay`."));
            }
        };
        let mut flights = Vec::new();
        for lot in lots {
            let Some(to) = g.c.spot(&lot.to) else {
                return refuse("4.4", format!("There is no region called {}.", lot.to));
            };
            if !self.factions(g).contains(&lot.colour) {
                return refuse(
                    "12.1.4",
                    format!(
                        "No {} cube of yours may retreat by these Blanks: each is for its own faction, or for cubes that came in \
                         one group with it (11.2.2).",
                        lot.colour.cubes()
                    ),
                );
            }
            flights.extend((0..lot.n).map(|_| Flight { faction: lot.colour, to }));
        }
        for f in Faction::FIGHTING {
            let n = flights.iter().filter(|x| x.faction == f).count();
            if n > usize::from(g.region(self.region)[f]) {
                return refuse("12.1.4", format!("There are not {n} {} cubes here.", f.cubes()));
            }
        }
        let mut wanted = Cubes::default();
        flights.iter().for_each(|x| wanted[x.faction] += 1);
        if usize::from(self.allowed(g, &wanted)) < flights.len() {
            let blanks = tell_cubes(&self.rolled(g));
            return refuse(
                "12.1.4",
                format!(
                    "One cube for each Blank, {} at the most, of the faction that rolled it or of cubes that came in one group \
                     with it (11.2.2). Blanks: {blanks}.",
                    self.most(g)
                ),
            );
        }
        if flights.is_empty() {
            return refuse("12.1.4", "Say which cubes retreat and where to, or stay.");
        }
        let too_many = |to: Spot| {
            let n = flights.iter().filter(|y| y.to == to).count();
            (n > usize::from(room(g, to, self.indian))).then(|| Refusal {
                rule: "4.4",
                why: format!("A region holds {STACK} friendly cubes: {n} more are too many there."),
            })
        };
        match in_turn(g, self.region, flights.clone(), |after| self.next(g, after)) {
            Ok(gone) => Ok(Some(gone)),
            Err((stuck, next)) => match too_many(stuck.to).filter(|_| self.flights(g).contains(&stuck)) {
                Some(why) => Err(why),
                None => {
                    let ways: Vec<Spot> = next.iter().filter(|x| x.faction == stuck.faction).map(|x| x.to).collect();
                    cannot(g, stuck.faction, &ways)
                }
            },
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let (place, here) = (g.name(self.region), g.region(self.region));
        let rolled: Vec<String> = self.rolled(g).each().map(|(f, n)| format!("{n} of {}", f.cubes())).collect();
        // The enemy; in an attack on Wagons, the Wagons only.
        let mut enemy = Cubes::default();
        for (f, n) in here.each().filter(|&(f, _)| f.is_indian() != self.indian && Some(f) != self.out) {
            enemy[f] = n;
        }
        let mut against: Vec<String> = Vec::new();
        for (f, _) in enemy.each() {
            let who = g.who(g.owner(f));
            if !against.contains(&who) {
                against.push(who);
            }
        }
        let title = format!("Whether cubes retreat from {} in {place}", tell_cubes(&enemy));
        let d = Description::new(title, "12.1.4").line(format!(
            "In {place} are {}. The enemy is {}. Blanks: {}; one cube may retreat for each.",
            tell_cubes(here),
            list_and(&against),
            list_and(&rolled)
        ));
        let d = if self.attacks_wagon(g) {
            d
        } else {
            let (own, theirs) = (hits_at(g, self.region, self.indian), hits_at(g, self.region, !self.indian));
            d.line(format!(
                "If all stay, a roll brings your side {} hits on average and the enemy {}.",
                tenths(own),
                tenths(theirs)
            ))
        };
        let most = self.most(g);
        match self.two(g).filter(|_| most > 1) {
            Some(two) => d.line(format!("Up to {most} cubes in one order: `{}`.", self.choice(g, &two).words)).few(8),
            None => d,
        }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn facts(&self, g: &State, _: Seat, _: Option<&Order>) -> Vec<Fact> {
        let mut facts = facts::fight(g, self.region, self.indian);
        facts.push(Fact::number("blanks", self.most(g)));
        facts
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut options = vec![Choice::said(Order::Done {}, &self.grammar(g))];
        options.extend(self.flights(g).iter().map(|&x| self.choice(g, &[x])));
        options
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// Returns the refusal of an impossible retreat.
fn cannot<T>(g: &State, faction: Faction, ways: &[Spot]) -> Result<T, Refusal> {
    let names: Vec<String> = ways.iter().map(|&s| g.c.told(s)).collect();
    let can = if names.is_empty() { "nowhere".to_owned() } else { format!("to {}", list_or(&names)) };
    refuse("12.1.4", format!("{} cubes can retreat {can} from here.", faction.cubes()))
}

/// Returns all cubes of a faction in a region to its Ready Box, and returns their number.
pub(super) fn to_the_box(g: &mut State, r: RegionId, faction: Faction) -> u8 {
    let n = g.region(r)[faction];
    g.send_back(r, faction, n);
    n
}

/// Carries out a Treaty (12.1.2). The stronger side moves the weaker one to an adjacent region that
/// no enemy holds, or else to the nearest friendly region, or else to the Ready Boxes. If both are
/// equal, the defender moves the attacker.
pub async fn treaty(t: &T, g: &mut State, r: RegionId, attacker_indian: bool, sitting_out: Option<Faction>) {
    // A faction that stays out of the fight is not part of the force (13).
    let (indian, us) = (fighters(g, r, true, sitting_out), fighters(g, r, false, sitting_out));
    let goes_indian = if indian == us { attacker_indian } else { indian < us };
    let seat = leader(g, r, !goes_indian);
    for faction in Faction::FIGHTING.into_iter().filter(|f| f.is_indian() == goes_indian) {
        if Some(faction) == sitting_out {
            continue;
        }
        while g.region(r)[faction] > 0 {
            let ways = relocations(g, faction, r);
            if ways.is_empty() {
                let n = to_the_box(g, r, faction);
                t.tell(|| format!("{n} {} have nowhere to go and return to the Ready Box.", faction.cubes()));
                break;
            }
            let line = move |g: &State| {
                let why = if indian == us { "Both sides are equal, and you defend" } else { "You are stronger" };
                let n = g.region(r)[faction];
                format!(
                    "In {} stand {}. {why}: you say where {n} {} must go.",
                    g.name(r),
                    tell_cubes(g.region(r)),
                    faction.cubes()
                )
            };
            let title = "Where the weaker side goes under the Treaty";
            let to = one_spot_told(t, g, seat, Asking { kind: Ask::Treaty, rule: "12.1.2", title }, ways, line).await;
            let n = g.region(r)[faction].min(room(g, to, goes_indian));
            g.shift(Spot::Region(r), to, Cubes::of(faction, n));
            t.tell(|| format!("By the Treaty {n} {} {} to {}.", faction.cubes(), goes(n), g.c.told(to)));
        }
    }
}

/// Returns the destinations of the weaker side of a Treaty.
fn relocations(g: &State, faction: Faction, from: RegionId) -> Vec<Spot> {
    let indian = faction.is_indian();
    let fits = |r: &RegionId| {
        let spot = Spot::Region(*r);
        may_stand(g, faction, spot) && room(g, spot, indian) > 0 && !g.keeps_apart(faction, spot)
    };
    let hostile = |r: RegionId| match g.standing(r) {
        Holding::Contested => true,
        Holding::Indians => !indian,
        Holding::Us => indian,
        Holding::Nobody => false,
    };
    let near: Vec<Spot> =
        g.c[from].adjacent.iter().filter(|&r| fits(r) && !hostile(*r)).map(|&r| Spot::Region(r)).collect();
    if !near.is_empty() {
        return near;
    }
    nearest(g, from, |r| fits(&r) && g.is_controlled_by(r, indian))
}

/// Returns the nearest regions that are wanted, by number of adjacent regions.
pub(super) fn nearest(g: &State, from: RegionId, wanted: impl Fn(RegionId) -> bool) -> Vec<Spot> {
    let mut seen = vec![from];
    let mut edge = vec![from];
    while !edge.is_empty() {
        let mut next: Vec<RegionId> = edge.iter().flat_map(|&r| g.c[r].adjacent.clone()).collect();
        next.sort();
        next.dedup();
        next.retain(|r| !seen.contains(r));
        let found: Vec<Spot> = next.iter().filter(|&&r| wanted(r)).map(|&r| Spot::Region(r)).collect();
        if !found.is_empty() {
            return found;
        }
        seen.extend(&next);
        edge = next;
    }
    Vec::new()
}
