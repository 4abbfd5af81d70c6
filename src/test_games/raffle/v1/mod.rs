//! Version 1 of the rules of the raffle, frozen: six tickets, none of which is shown, and a bonus
//! of one die.

use postrider_orders::{Misread, Phrase};
use postrider_table::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

pub struct Raffle;

#[derive(Clone, Debug, Default)]
pub struct Draw {
    turns: u32,
    turn: u32,
    hands: [Vec<(usize, u32)>; 2],
    points: [i64; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Play { card: u32 },
    Access {},
}

postrider_table::kinds! {
    pub enum Ask {
        ahead {}
        later { Ticket = "ticket" }
    }
}

/// Asks a seat to play one of its tickets, or none.
struct WhichTicket;
impl Prompt<Raffle> for WhichTicket {
    type Answer = Option<u32>;
    fn kind(&self) -> Ask {
        Ask::Ticket
    }
    fn accept(&self, g: &Draw, seat: Seat, order: &Order) -> Result<Option<u32>, Refusal> {
        match order {
            Order::Access {} => Ok(None),
            Order::Play { card } if g.hands[seat.index()].iter().any(|(_, held)| held == card) => Ok(Some(*card)),
            Order::Play { .. } => refuse("1.1", "play a ticket that you hold"),
        }
    }
    fn describe(&self, _: &Draw, _: Seat) -> Description {
        Description::new("Which ticket do you play", "1.1")
    }
    fn read(&self, _: &Draw, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        words.expect("pass")?;
        words.end().map(|()| Order::Access {})
    }
    fn options(&self, g: &Draw, seat: Seat) -> Vec<Choice<Order>> {
        let play = |&(_, card): &(usize, u32)| Choice::new(Order::Play { card }, format!("play {card}"));
        let access = Choice::new(Order::Access {}, "pass");
        g.hands[seat.index()].iter().map(play).chain([access]).collect()
    }
}

impl Game for Raffle {
    type State = Draw;
    type Order = Order;
    type Kind = Ask;
    fn play(t: Table<Self>, mut g: Draw) -> Rules<Self> {
        Box::pin(async move {
            for turn in 1..=g.turns {
                g.turn = turn;
                let deck = t.shuffle("tickets", (0..6).map(|n| format!("ticket {n}")).collect());
                for seat in 0..2 {
                    t.deal("tickets", deck.epoch, Some(Seat(seat)), usize::from(seat) * 3, 3);
                    g.hands[usize::from(seat)] =
                        (0..3).map(|k| usize::from(seat) * 3 + k).map(|pos| (pos, deck.order[pos])).collect();
                }
                for round in 1..=2 {
                    t.round(&g, turn, round, &format!("Turn {turn}, Round {round}"));
                    if round == 2 {
                        let bonus = t.roll("bonus", 1, 6);
                        t.tell(|| format!("The bonus is {bonus}."));
                        g.points[0] += bonus;
                    }
                    for seat in [Seat(0), Seat(1)] {
                        let Some(card) = t.ask(&mut g, seat, WhichTicket).await else { continue };
                        let hand = &mut g.hands[seat.index()];
                        let at = hand.iter().position(|(_, held)| *held == card).expect("accepted because it is held");
                        let (pos, _) = hand.remove(at);
                        t.show("tickets", deck.epoch, pos, &format!("ticket {card}"), Some(seat));
                        let won = t.roll("prize", 0, 9) + i64::from(card);
                        g.points[seat.index()] += won;
                        t.tell(|| format!("{seat} wins {won}."));
                    }
                }
                t.reveal("tickets", deck.epoch);
            }
            g
        })
    }
    fn view(g: &Draw, seat: Option<Seat>) -> Value {
        let hand = seat.map_or(json!([]), |seat| json!(g.hands[seat.index()].iter().map(|c| c.1).collect::<Vec<_>>()));
        json!({ "turn": g.turn, "points": g.points, "hand": hand })
    }
    fn outcome(g: &Draw) -> Outcome {
        let seats = (0..).map(Seat).zip(g.points).map(|(seat, points)| Standing::new(seat, points));
        Outcome::by_points(Counted::more("points"), seats, "most points (1)")
    }
}

pub struct RaffleRules {
    /// The bots, which the first release had, but the frozen copy does not.
    pub bots: &'static [NamedBot],
}

impl Ruleset for RaffleRules {
    fn name(&self) -> &'static str {
        "raffle"
    }
    fn title(&self) -> &'static str {
        "Raffle!"
    }
    fn version(&self) -> u32 {
        1
    }
    fn seats(&self) -> RangeInclusive<u8> {
        2..=2
    }
    fn scenarios(&self) -> &'static [&'static str] {
        &["fair"]
    }
    fn decks(&self) -> &'static [&'static str] {
        &["tickets"]
    }
    fn components(&self) -> &'static str {
        "tickets = 6\n"
    }
    fn print_components(&self, text: &str, _: &str) -> Result<String, SetupFault> {
        Ok(text.to_owned())
    }
    fn view_template(&self) -> &'static str {
        ""
    }
    fn bots(&self) -> &'static [NamedBot] {
        self.bots
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        let turns = setup.options.get("turns").and_then(Value::as_u64).unwrap_or(2);
        let too_many =
            |_| SetupFault::OptionValue { name: "turns".into(), wanted: "a small number", found: turns.into() };
        let turns = u32::try_from(turns).map_err(too_many)?;
        Ok(Box::new(Session::<Raffle>::start(Draw { turns, ..Draw::default() }, chance, watch)))
    }
}
