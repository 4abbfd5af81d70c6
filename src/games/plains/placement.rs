//! Placing cubes (5, 10).

use super::{
    Ask, Order, Plains, T,
    components::{Faction, RegionId, Spot},
    movement::{March, recover, settle},
    order::{Lot, lots},
    state::{State, tell_cubes},
    words,
};
use postrider_orders::{Grammar, Misread, Phrase, Reader, just, one_of};
use postrider_table::{Choice, Description, Pick, Prompt, Refusal, Seat, Word, refuse};

/// Returns the spots for cubes of a War Party card: controlled regions of the faction's colour, or
/// else the areas next to the map with an arrow (10.1.1).
pub fn homes(g: &State, faction: Faction) -> Vec<Spot> {
    let homes: Vec<Spot> = g.own_regions(faction).map(Spot::Region).collect();
    if !homes.is_empty() {
        return homes;
    }
    let beside = [Spot::Rockies, Spot::Canada, Spot::Mexico];
    let marked = |s: &Spot| g.c.regions.iter().any(|r| r.arrows.contains(&(*s, faction)));
    beside.into_iter().filter(marked).collect()
}

/// Places the cubes of a movement card (10.1 to 10.3).
pub async fn reinforce(t: &T, g: &mut State, faction: Faction, cubes: u8, march: &mut March) {
    if faction.is_indian() {
        tribes(t, g, faction, cubes, march).await;
        return;
    }
    // Recovered casualties can be placed immediately (11.4).
    while g.ready[faction] < cubes && g.casualties[faction] > 0 && march.groups > 0 {
        let (ready, lost) = (g.ready[faction], g.casualties[faction]);
        let pick = Pick::new(
            Ask::Recover,
            "11.4",
            "Whether a group move empties the Casualty Box first",
            vec![GO_ON, RECOVER],
        )
        .telling(move |_, d| {
            d.line(format!("The card places {cubes}; the Ready Box has {ready}, the Casualty Box {lost}."))
        });
        if t.ask(g, g.owner(faction), pick).await == GO_ON {
            break;
        }
        march.groups -= 1;
        recover(t, g, faction);
    }
    let placed = g.muster(faction, Spot::StLouis, cubes);
    let most = if faction == Faction::Cavalry { 1 } else { 4 }.min(placed);
    let west = if most == 0 {
        0
    } else {
        let pick = Pick::new(
            Ask::ToSacramento,
            "10.2.1, 10.3.1",
            "How many of the new cubes go to Sacramento",
            (0..=most).collect(),
        )
        .telling(move |g: &State, d| {
            let way = if g.through_mountains() {
                "From there groups go by railroad, which the M spaces no longer stop.".to_owned()
            } else {
                let mountains = g.c.rail.iter().filter(|s| s.mountain).count();
                let filled = match g.west {
                    0 => "none is".to_owned(),
                    1 => "1 is".to_owned(),
                    n => format!("{n} are"),
                };
                format!("Nobody leaves it before the {mountains} M spaces are filled; {filled}.")
            };
            d.line(format!(
                "{placed} new {} are in St. Louis; up to {most} may go to Sacramento. {way}",
                faction.cubes()
            ))
        });
        t.ask(g, g.owner(faction), pick).await
    };
    g.shift(Spot::StLouis, Spot::Sacramento, super::state::Cubes::of(faction, west));
    t.tell(|| {
        let name = faction.cubes();
        match (placed, west) {
            (0, _) => format!("No {name} is ready."),
            (n, 0) => format!("{n} {name} placed in St. Louis."),
            (n, w) if n == w => format!("{n} {name} placed in Sacramento."),
            (n, w) => format!("{n} {name} placed: {} in St. Louis, {w} in Sacramento.", n - w),
        }
    });
}

pub const GO_ON: Word = Word::new("go on");
pub const RECOVER: Word = Word::new("recover");

/// Places the cubes of a War Party card (10.1.1).
async fn tribes(t: &T, g: &mut State, faction: Faction, cubes: u8, march: &mut March) {
    let seat = g.owner(faction);
    loop {
        let n = cubes.min(g.ready[faction]);
        let may_recover = n < cubes && g.casualties[faction] > 0 && march.groups > 0;
        let among = homes(g, faction);
        if n == 0 && !may_recover || among.is_empty() {
            t.tell(|| format!("No {} can be placed.", faction.cubes()));
            return;
        }
        if let ([only], false) = (&among[..], may_recover) {
            put(t, g, faction, &[(n, *only)]);
            return;
        }
        let prompt = Placing { faction, n, among, recover: may_recover, rule: "10.1.1", title: "Place your new cubes" };
        match t.ask(g, seat, prompt).await {
            Some(lots) => {
                put(t, g, faction, &lots);
                return;
            }
            None => {
                march.groups -= 1;
                recover(t, g, faction);
            }
        }
    }
}

/// Moves cubes from the Ready Box to their ordered places.
fn put(t: &T, g: &mut State, faction: Faction, lots: &[(u8, Spot)]) {
    for &(n, spot) in lots {
        g.muster(faction, spot, n);
        settle(g, faction, spot);
    }
    if lots.is_empty() {
        t.tell(|| format!("No {} can be placed.", faction.cubes()));
        return;
    }
    t.tell(|| {
        let parts: Vec<String> = lots.iter().map(|&(n, spot)| format!("{n} in {}", g.c.told(spot))).collect();
        format!("{} placed: {}.", faction.cubes(), postrider_orders::list_and(&parts))
    });
}

/// Asks for the places of `n` cubes, all of which must be placed. With only one possible place,
/// nothing is asked.
pub async fn place(
    t: &T,
    g: &mut State,
    faction: Faction,
    n: u8,
    among: Vec<Spot>,
    rule: &'static str,
    title: &'static str,
) {
    if n > 0 && g.ready[faction] == 0 {
        t.tell(|| format!("No {} cube is ready.", faction.cubes()));
    }
    let n = n.min(g.ready[faction]);
    if n == 0 || among.is_empty() {
        return;
    }
    if let [only] = among[..] {
        put(t, g, faction, &[(n, only)]);
        return;
    }
    let seat = g.owner(faction);
    let prompt = Placing { faction, n, among, recover: false, rule, title };
    if let Some(lots) = t.ask(g, seat, prompt).await {
        put(t, g, faction, &lots);
    }
}

/// Asks several factions at the same time where their cubes go (5), so that none waits for another.
pub async fn place_together(
    t: &T,
    g: &mut State,
    lots: Vec<(Faction, u8, Vec<Spot>)>,
    rule: &'static str,
    title: &'static str,
) {
    let open = |(faction, n, among): (Faction, u8, Vec<Spot>)| {
        t.open(g.owner(faction), Placing { faction, n, among, recover: false, rule, title })
    };
    let factions: Vec<Faction> = lots.iter().map(|lot| lot.0).collect();
    let tickets = lots.into_iter().map(open).collect();
    let answers = t.all(g, tickets).await;
    for (faction, answer) in factions.into_iter().zip(answers) {
        put(t, g, faction, &answer.unwrap_or_default());
    }
}

/// The question where new cubes go, all in one order.
pub struct Placing {
    pub faction: Faction,
    pub n: u8,
    pub among: Vec<Spot>,
    /// `true` if `recover` is possible first (11.4).
    pub recover: bool,
    pub rule: &'static str,
    pub title: &'static str,
}

/// Number of places that a letter lists.
const FEW: usize = 5;

impl Placing {
    /// Returns the number of enemies at a spot and in adjacent regions.
    fn enemies_near(&self, g: &State, spot: Spot) -> u32 {
        let indian = self.faction.is_indian();
        let Some(r) = spot.region() else { return 0 };
        let there =
            |r: RegionId| u32::from(g.region(r).side(!indian) + if indian { g.region(r)[Faction::Wagons] } else { 0 });
        there(r) + g.c[r].adjacent.iter().map(|&b| there(b)).sum::<u32>()
    }
    /// `recover casualties` · `place none` · `place 2 green in cheyenne, 1 in denver` ·
    /// `green: 2 cheyenne 1 denver` · `all in denver`, and for a single cube `it in powder river`
    /// or `powder river`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let lots = words::lots(g, self.faction, "in", "here cubes are placed: say how many, and where, for each place");
        // `orange: 2 in denver, 1 in brazos`.
        let own = self.faction.word();
        let place = Grammar::leaf(
            move |words| {
                words.skip(&["place", "put", own]);
                Ok(())
            },
            |()| Some("place".to_owned()),
        );
        let (n, faction) = (self.n, self.faction);
        let counted = lots.clone();
        // Without a number all cubes go to one place. For several cubes the order must say so; for
        // a single cube the place is enough.
        let whole = move |words: &mut Reader<'_>| {
            let mut ahead = words.clone();
            ahead.skip(&["all", "of", "it", "them", "the", "new", own, "cube", "cubes", "in", "into", "to", "on"]);
            let Some(spot) = ahead.try_name(&g.names) else { return counted.read(words) };
            *words = ahead;
            Ok(Order::Put { lots: vec![Lot { colour: faction, n, to: g.c.spot_name(spot).to_owned() }] })
        };
        let whole = Grammar::leaf(whole, |_: &Order| None);
        let (all, rest): (&[&str], _) = match n {
            1 => {
                let either = whole.clone();
                (&["it", "all", "them"], Grammar::leaf(move |words| either.read(words), move |order| lots.say(order)))
            }
            _ => (&["all", "them", "everything"], lots),
        };
        let none = just(Order::Put { lots: Vec::new() });
        let placed = one_of().on(&["none", "nothing"], none).also(all, whole).otherwise(rest);
        one_of().on(&["recover"], words::recover()).otherwise(place.then(placed))
    }
    fn choice(&self, g: &State, lots: &[(u8, Spot)]) -> Choice<Order> {
        let lot = |&(n, to): &(u8, Spot)| Lot { colour: self.faction, n, to: g.c.spot_name(to).to_owned() };
        Choice::said(Order::Put { lots: lots.iter().map(lot).collect() }, &self.grammar(g))
    }
}

impl Prompt<Plains> for Placing {
    /// `None` if the Casualty Box is emptied first.
    type Answer = Option<Vec<(u8, Spot)>>;
    fn kind(&self) -> Ask {
        Ask::Placement
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let lots = match order {
            Order::Recover {} if self.recover => return Ok(None),
            Order::Recover {} => return refuse("11.4", "The Casualty Box cannot be emptied now."),
            Order::Put { lots } => lots,
            _ => return refuse(self.rule, "Say where the cubes go: place 2 in cheyenne, 1 in black hills."),
        };
        let mut list = Vec::new();
        let mut sum = 0_u32;
        for lot in lots {
            if lot.colour != self.faction {
                return refuse(
                    self.rule,
                    format!("{} cubes are placed here, not {}.", self.faction.cubes(), lot.colour.cubes()),
                );
            }
            let spot = g.c.spot(&lot.to).filter(|s| self.among.contains(s));
            let Some(spot) = spot else {
                let names: Vec<String> = self.among.iter().map(|&s| g.c.told(s)).collect();
                return refuse(
                    self.rule,
                    format!("{} is no place for them; they go to {}.", lot.to, postrider_orders::list_or(&names)),
                );
            };
            sum += u32::from(lot.n);
            list.push((lot.n, spot));
        }
        if sum != u32::from(self.n) {
            return refuse(self.rule, format!("{} cubes are to be placed, not {sum}.", self.n));
        }
        list.retain(|&(n, _)| n > 0);
        Ok(Some(list))
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let f = self.faction;
        let title = match self.n {
            0 => format!("No {} cube is ready: whether the Casualty Box is emptied", f.cubes()),
            n => format!("{}: {n} {}", self.title, f.cubes()),
        };
        let mut d = Description::new(title, self.rule);
        if self.n > 1 {
            let names: Vec<String> = self.among.iter().map(|&s| g.c.told(s)).collect();
            let two: Vec<(u8, Spot)> = [(self.n - 1, self.among[0]), (1, self.among[self.among.len() - 1])].to_vec();
            d = d
                .line(format!(
                    "All {} in one order, in one place or several: `{}`.",
                    self.n,
                    self.choice(g, &two).words
                ))
                .line(format!("Places: {}.", postrider_orders::list_and(&names)))
                .few(FEW + usize::from(self.recover));
        }
        if self.recover {
            let lost = g.casualties[f];
            d = d.line(format!(
                "`recover` spends a group move to bring {lost} casualties to the Ready Box first (11.4)."
            ));
        }
        d
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut options: Vec<Choice<Order>> = Vec::new();
        if self.n > 0 {
            // Places near enemies first.
            let mut places = self.among.clone();
            places.sort_by_key(|&spot| std::cmp::Reverse(self.enemies_near(g, spot)));
            options.extend(places.into_iter().map(|spot| {
                let here = g.cubes(spot);
                let note = if here.is_empty() { String::new() } else { format!("there: {}", tell_cubes(here)) };
                self.choice(g, &[(self.n, spot)]).note(note)
            }));
        } else {
            options.push(self.choice(g, &[]));
        }
        if self.recover {
            // Among the options that a letter lists.
            let at = if self.n > 1 { options.len().min(FEW) } else { options.len() };
            options.insert(at, Choice::said(Order::Recover {}, &self.grammar(g)));
        }
        options
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        if self.recover && below(2) == 0 {
            return Some(Order::Recover {});
        }
        let any = |_| self.among[below(self.among.len() as u32) as usize];
        let spots: Vec<Spot> = (0..self.n).map(any).collect();
        Some(Order::Put { lots: lots(&g.c, spots.into_iter().map(|spot| (self.faction, spot))) })
    }
}
