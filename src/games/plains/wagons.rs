//! Wagons: their way west (6.6.1, 12.1.4.4) and attacks on them (12.1.2.1).

use super::{
    Ask, Order, Plains, T,
    components::{Faction, RegionId, Route, Spot},
    engagement::{Dice, black_kettle, leader, lose, roll_both},
    odds::{percent, two_hits},
    retreat::{Flight, Retreat, flee, retreat},
    state::{Cubes, State, tell_cubes},
};
use crate::{
    orders::{Grammar, Misread, Phrase, filler, nothing, one_of},
    table::{Choice, Description, Pick, PickOrder, Prompt, Refusal, Seat, refuse},
};

/// Hits in one roll that destroy a Wagon (12.1.2.1).
const HITS: u8 = 2;
const ATTACK: &str = "attack";
const CALL_OFF: &str = "call off";

/// 12.1.2.1: Wagons that nobody protects, one at a time, as long as the Indians like.
pub async fn attack_wagons(t: &T, g: &mut State, r: RegionId) {
    let at = usize::from(r.0);
    // Blanks of the last roll, for the player who says whether to go on: he answers both in one.
    let mut open = Cubes::default();
    while g.targets(r) > 0 && g.region(r).indian() > 0 {
        let seat = leader(g, r, true);
        match t.ask(g, seat, Assault(Retreat { region: r, seat, indian: true, blanks: open, out: None })).await {
            Say::CallOff => {
                t.tell(|| format!("The attack on the Wagons in {} is called off.", g.name(r)));
                return;
            }
            Say::Flee(flights) => {
                flee(t, g, r, &flights);
                open = Cubes::default();
                continue;
            }
            Say::Attack => open = Cubes::default(),
        }
        let [indian, wagon] = roll_both(t, g, r, Dice { out: None, winter: false, wagon: true });
        if indian.treaties > 0 && wagon.treaties > 0 || black_kettle(t, g, r).await {
            t.tell(|| format!("A Treaty: this Wagon stays in {} and is left alone.", g.name(r)));
            g.spared[at] += 1;
            continue;
        }
        lose(t, g, r, true, wagon.hits, None).await;
        if indian.hits >= HITS {
            g.region_mut(r)[Faction::Wagons] -= 1;
            g.destroyed += 1;
            t.tell(|| format!("A Wagon in {} is destroyed: 1 VP for the Indians.", g.name(r)));
        } else if wagon.blanks[Faction::Wagons] > 0 {
            advance(t, g, r, 1, !g.variant.wagons_again).await;
        }
        // 12.1.7: where no Wagon is left to attack the engagement is over.
        if g.targets(r) > 0 && g.region(r).indian() > 0 {
            let goes_on = leader(g, r, true);
            let mut now = indian.blanks;
            for (f, n) in indian.blanks.each().filter(|&(f, _)| g.owner(f) == goes_on) {
                (open[f], now[f]) = (n, 0);
            }
            retreat(t, g, r, true, &now, None).await;
        }
    }
}

/// What the Indian player says before each roll against a Wagon.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Say {
    Attack,
    CallOff,
    /// First cubes retreat by the Blanks of the roll before.
    Flee(Vec<Flight>),
}

/// Whether the next Wagon is attacked; and who retreats by the Blanks of the last roll.
struct Assault(Retreat);

impl Assault {
    /// `attack` · `call off` · `retreat …`, where Blanks allow it.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let attack = filler("", &["the", "next", "wagon", "wagons", "again"]);
        let flight = match self.0.flights(g).is_empty() {
            true => nothing("attack the next Wagon, or call off?"),
            false => self.0.grammar(g),
        };
        one_of()
            .on(&[ATTACK], attack.means(Order::pick(ATTACK.to_owned())))
            .on(&[CALL_OFF, "stop"], filler("", &["the", "attack"]).means(Order::pick(CALL_OFF.to_owned())))
            .otherwise(flight)
    }
}

impl Prompt<Plains> for Assault {
    type Answer = Say;
    fn kind(&self) -> Ask {
        Ask::Wagons
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Say, Refusal> {
        match (order.picked(), order) {
            (Some(ATTACK), _) => Ok(Say::Attack),
            (Some(CALL_OFF), _) => Ok(Say::CallOff),
            (_, Order::Put { .. }) if !self.0.flights(g).is_empty() => match self.0.accept(g, seat, order)? {
                Some(flights) => Ok(Say::Flee(flights)),
                None => refuse("12.1.2.1", "Attack, or call off."),
            },
            _ => refuse("12.1.2.1", "The question is whether the next Wagon is attacked: attack, or call off."),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let (r, flights) = (self.0.region, self.0.flights(g));
        let d = Description::new(format!("Whether Wagons are attacked in {}", g.name(r)), "12.1.2.1").line(format!(
            "In {} stand {}; {} White can be attacked, one at a time. {HITS} hits in one roll destroy one: {} for your cubes. \
             It rolls two Settlers dice: its hits count, and a Blank lets it escape west.",
            g.name(r),
            tell_cubes(g.region(r)),
            g.targets(r),
            percent(two_hits(g, g.region(r)))
        ));
        let Some(first) = flights.first() else { return d };
        let most = self.0.most().min(g.region(r).indian());
        let cubes = if most == 1 { "a cube".to_owned() } else { format!("up to {most} cubes") };
        d.line(format!(
            "By the Blanks of the last roll {cubes} may retreat before you go on or call off, in one order: `{}`.",
            self.0.choice(g, &[*first]).words
        ))
        .few(8)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let mut options: Vec<Choice<Order>> =
            [ATTACK, CALL_OFF].map(|word| Choice::said(Order::pick(word.to_owned()), &self.grammar(g))).to_vec();
        options.extend(self.0.flights(g).iter().map(|&flight| self.0.choice(g, &[flight])));
        options
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::pick(CALL_OFF.to_owned()))
    }
}

/// Moves Wagons one region west along their trails (6.6.1, 12.1.4.4); where trails part the Settlers player divides them.
pub async fn advance(t: &T, g: &mut State, r: RegionId, n: u8, spare: bool) {
    let mut ways: Vec<Spot> = Vec::new();
    for trail in &g.c.trails {
        let Some(at) = trail.regions.iter().position(|&x| x == r) else { continue };
        let next = trail.regions.get(at + 1).map_or(Spot::Rockies, |&x| Spot::Region(x));
        if !ways.contains(&next) {
            ways.push(next);
        }
    }
    let mut left = n;
    while let Some(to) = ways.pop().filter(|_| left > 0) {
        let going =
            if ways.is_empty() { left } else { t.ask(g, g.owner(Faction::Wagons), trail(g, r, left, to)).await };
        left -= going;
        one_region_west(t, g, r, going, to, spare);
    }
}

/// How many Wagons take a trail; the others take the other one.
fn trail(g: &State, r: RegionId, n: u8, to: Spot) -> Pick<Plains, u8> {
    let line = format!(
        "{} in {} may part: how many go to {}? The others take the other trail.",
        wagons(n),
        g.name(r),
        g.c.told(to)
    );
    Pick::new(Ask::Trail, "6.6.1", "How the Wagons divide where the trails part", (0..=n).collect())
        .telling(move |_, d| d.line(line.clone()))
}

fn one_region_west(t: &T, g: &mut State, r: RegionId, n: u8, to: Spot, spare: bool) {
    if n == 0 {
        return;
    }
    g.region_mut(r)[Faction::Wagons] -= n;
    // Those that nothing spares go first.
    let at = usize::from(r.0);
    let left = g.region(r)[Faction::Wagons];
    let spared = g.spared[at].saturating_sub(left);
    g.spared[at] -= spared;
    g.escaped[at] = g.escaped[at].min(left);
    let going = if n == 1 { "A Wagon goes".to_owned() } else { format!("{n} Wagons go") };
    if let Spot::Region(next) = to {
        g.region_mut(next)[Faction::Wagons] += n;
        g.spared[usize::from(next.0)] += spared;
        if spare {
            g.escaped[usize::from(next.0)] += n;
        }
        t.tell(|| format!("{going} from {} to {}.", g.name(r), g.name(next)));
    } else {
        g.arrived[usize::from(route_of(g, r) == Route::South)] += n;
        t.tell(|| format!("{going} from {} into the Rockies.", g.name(r)));
    }
}

/// `1 Wagon`, `3 Wagons`.
pub fn wagons(n: u8) -> String {
    format!("{n} Wagon{}", if n == 1 { "" } else { "s" })
}

/// The route on which a region lies (15.4).
pub fn route_of(g: &State, r: RegionId) -> Route {
    g.c.trails.iter().find(|trail| trail.regions.contains(&r)).map_or(Route::North, |trail| trail.route)
}
