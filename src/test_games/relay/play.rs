//! The rules: the state, its questions, and the course of the game.

use super::components::{HorseId, StationId};
use super::{Components, Relay, T, Variant};
use postrider_orders::{Grammar, Misread, Phrase, filler, named as one_named, variant, word};
use postrider_standing::Fact;
use postrider_table::{
    AnyPrompt, Choice, Description, Earned, Effect, EffectKind, Hands, Law, Pick, Prompt, Refusal, Seat, Word, foresee,
    named, refuse, seat_named, steps,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// 3: the number of horses that a rider has ready.
pub const HAND: usize = 3;
/// 5: the mail that robbers are paid, and that they take from a rider who fails to escape.
const TOLL: u8 = 1;
const LOOT: u8 = 3;
/// 5: the lowest roll with which a rider escapes.
const AWAY: i64 = 4;
/// 6: the highest roll that means a storm.
const STORM: i64 = 2;

/// A position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    pub variant: Variant,
    pub round: u32,
    pub storm: bool,
    /// The riders, by seat.
    pub riders: Vec<Rider>,
    /// The mail waiting at each station.
    pub waiting: Vec<u8>,
    pub horses: Hands<HorseId>,
    /// The mail of each rider by the rules that gave or took it.
    pub earned: Earned<Seat>,
}

/// The position of a rider, and the mail fetched.
#[derive(Clone, Debug)]
pub struct Rider {
    pub at: StationId,
    pub mail: u8,
}

impl State {
    /// 2: all begin at the first station.
    pub fn new(c: Arc<Components>, variant: Variant) -> State {
        let (riders, horses) = (vec![Rider { at: StationId(0), mail: 0 }; variant.players.into()], Hands::default());
        let (waiting, earned) = (c.stations.iter().map(|station| station.mail).collect(), Earned::default());
        State { c, variant, round: 0, storm: false, riders, waiting, horses, earned }
    }
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.variant.players).map(Seat)
    }
    pub fn rider(&self, seat: Seat) -> &Rider {
        &self.riders[seat.index()]
    }
    /// 4, 6: the stations that a rider can reach on this horse.
    fn reach(&self, seat: Seat, horse: HorseId) -> impl Iterator<Item = StationId> + use<> {
        let beside = |at: usize| self.c.stations[at].roads.iter().map(|to| to.index());
        let far = steps(self.c.stations.len(), [self.rider(seat).at.index()], beside);
        let paces = if self.storm { 1 } else { self.c[horse].paces };
        self.c.station_ids().filter(move |to| far[to.index()].is_some_and(|far| (1..=paces).contains(&far)))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    Ride { horse: String, to: String },
    Pick { one: String },
}

postrider_table::picks!(Order::Pick { one });

postrider_table::kinds! {
    pub enum Ask {
        ahead { Ride = "ride", Robbers = "robbers" }
    }
}

/// 7: rides until no horse is left.
pub async fn play(t: T, mut g: State) -> State {
    let c = g.c.clone();
    let cards: Vec<HorseId> = c.horse_ids().flat_map(|horse| vec![horse; c[horse].count.into()]).collect();
    g.horses = Hands::shuffled(&t, "horses", &cards, |horse| c[horse].name.clone());
    for seat in g.seats() {
        g.horses.fill(&t, seat, HAND);
    }
    while g.horses.held() > 0 {
        g.round += 1;
        let round = g.round;
        // There are no Turns.
        t.round(&mut g, 0, round, &format!("Round {round}"));
        if g.variant.storms {
            let die = t.roll("weather", 1, 6);
            g.storm = die <= STORM;
            t.tell(|| format!("The weather: {die}, {}.", if g.storm { "a storm" } else { "fair" }));
        }
        for seat in g.seats() {
            if g.horses.hand(seat).len() > 0 {
                ride(&t, &mut g, seat).await;
            }
        }
    }
    g
}

/// 4: the ride of a player on a horse.
async fn ride(t: &T, g: &mut State, seat: Seat) {
    let (horse, to) = t.ask(g, seat, Ride).await;
    let (name, place) = (g.c[horse].name.clone(), g.c[to].name.clone());
    g.horses.play(t, seat, horse, &name);
    g.riders[seat.index()].at = to;
    t.tell(|| format!("@{seat} rides {name} to {place}."));
    // A rider without mail has nothing to lose.
    if g.c[to].wild && g.rider(seat).mail > 0 {
        robbers(t, g, seat).await;
    }
    let fetched = std::mem::take(&mut g.waiting[g.riders[seat.index()].at.index()]);
    if fetched > 0 {
        g.riders[seat.index()].mail += fetched;
        g.earned.add(seat, "4", fetched.into());
        t.tell(|| format!("@{seat} fetches {fetched} mail."));
    }
    g.horses.fill(t, seat, HAND);
}

const PAY: Word = Word::new("pay");
const RUN: Word = Word::new("run").or(&["flee"]);

fn what_to_do() -> Pick<Relay, Word> {
    Pick::new(Ask::Robbers, "5", "Robbers: pay them or run", vec![PAY, RUN]).telling(|_, told| {
        told.line(format!("Paying costs {TOLL}; who runs gets away on {AWAY} to 6, or loses {LOOT}."))
    })
}

/// 5: robbers demand some of the mail.
async fn robbers(t: &T, g: &mut State, seat: Seat) {
    let does = t.ask(g, seat, what_to_do()).await;
    let die = (does == RUN).then(|| t.roll("robbers", 1, 6));
    let lost = match die {
        Some(AWAY..) => 0,
        Some(_) => LOOT.min(g.rider(seat).mail),
        None => TOLL.min(g.rider(seat).mail),
    };
    g.riders[seat.index()].mail -= lost;
    g.earned.add(seat, "5", -i32::from(lost));
    t.tell(|| match die {
        Some(die) => format!("@{seat} runs from robbers: {die}, {lost} mail lost."),
        None => format!("@{seat} pays robbers {lost} mail."),
    });
}

/// 4: the choice of a horse and a destination.
struct Ride;

impl Ride {
    /// Reads and writes `ride mustang to denver`.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let horse = one_named(|| HorseId::names(&g.c, "horse"), |horse| g.c[horse].name.clone());
        let place = one_named(|| StationId::names(&g.c, "station"), |to| g.c[to].name.clone());
        let way = filler("ride", &["ride", "the"]).then(horse).and(word(&["to"]).then(place));
        variant!(way => (horse, to) => Order::Ride { horse, to })
    }
}

impl Prompt<Relay> for Ride {
    type Answer = (HorseId, StationId);
    fn kind(&self) -> Ask {
        Ask::Ride
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<(HorseId, StationId), Refusal> {
        let Order::Ride { horse, to } = order else { return refuse("4", "A ride is asked for.") };
        let held = g.horses.hand(seat).find(|&held| g.c[held].name == *horse);
        let Some(held) = held else { return refuse("3", format!("You have no {horse} ready.")) };
        match g.reach(seat, held).find(|&at| g.c[at].name == *to) {
            Some(to) => Ok((held, to)),
            None => refuse("4", format!("{horse} does not run to {to} from {}.", g.c[g.rider(seat).at].name)),
        }
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        let told = Description::new("Which horse you ride, and where to", "4");
        let told = told.line(format!("You are at {}.", g.c[g.rider(seat).at].name));
        if g.storm { told.line("In the storm every horse runs one step only.") } else { told }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        let mut horses: Vec<HorseId> = g.horses.hand(seat).collect();
        horses.sort_unstable();
        horses.dedup();
        let each = horses.into_iter().flat_map(|horse| g.reach(seat, horse).map(move |to| (horse, to)));
        let choice = |(horse, to): (HorseId, StationId)| {
            let wild = if g.c[to].wild { ", robbers" } else { "" };
            let order = Order::Ride { horse: g.c[horse].name.clone(), to: g.c[to].name.clone() };
            Choice::said(order, &self.grammar(g)).note(format!("{} mail{wild}", g.waiting[to.index()]))
        };
        each.map(choice).collect()
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        let Some(Order::Ride { to, .. }) = order else { return Vec::new() };
        g.c.station(to).map(|to| Fact::number("gain", g.waiting[to.index()])).into_iter().collect()
    }
}

pub fn foreseen(_: &State, _: Seat) -> Vec<Box<dyn AnyPrompt<Relay>>> {
    vec![foresee(Ride), foresee(what_to_do())]
}

/// Returns the faults that make a position illegal.
pub fn faults(g: &State) -> Vec<String> {
    let mut law = Law::default();
    law.holds(g.horses.is_sound(HAND), || format!("{} horses are ready (3)", g.horses.held()));
    law.faults()
}

/// The effects of a director's rulings.
pub const EFFECTS: &[EffectKind<State>] = &[("rider", "rider, and any of mail, at (a station)", rider)];

/// Changes a rider: the mail carried, and the station.
fn rider(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let seat = seat_named(g.seats(), &e.needed("rider")?)?;
    e.count("mail", "mail", &mut g.riders[seat.index()].mail, 0..=99)?;
    if let Some(at) = e.word("at")? {
        let at = named(&StationId::names(&g.c, "station"), &at)?;
        g.riders[seat.index()].at = at;
        e.told(format!("at {}", g.c[at].name));
    }
    Ok(format!("@{seat}"))
}
