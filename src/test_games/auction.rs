//! A small game for tests: sealed bids for coins, gifts, and thanks.

use postrider_orders::{Misread, Names, Phrase};

use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::RangeInclusive;

pub struct Auction;

#[derive(Clone, Debug)]
pub struct Purses {
    turns: u32,
    turn: u32,
    worth: i64,
    purses: Vec<i64>,
    hands: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Bid { coins: i64 },
    Give { to: u8 },
    Thank {},
}

postrider_table::kinds! {
    pub enum Ask {
        ahead { Bid = "bid", Gift = "gift" }
        later { Thanks = "thanks" }
    }
}

struct HowMuch;
impl Prompt<Auction> for HowMuch {
    type Answer = i64;
    fn kind(&self) -> Ask {
        Ask::Bid
    }
    fn accept(&self, _: &Purses, _: Seat, order: &Order) -> Result<i64, Refusal> {
        match order {
            Order::Bid { coins: 13 } => panic!("nobody bids thirteen"),
            Order::Bid { coins } if (0..=9).contains(coins) => Ok(*coins),
            _ => refuse("2.1", "A bid is 0 to 9 coins."),
        }
    }
    fn describe(&self, g: &Purses, _: Seat) -> Description {
        Description::new("Your bid", "2.1").line(format!("The coin is worth {} or less.", g.worth + 2)).examples()
    }
    fn read(&self, _: &Purses, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        words.eat("bid");
        let coins = words.number().ok_or_else(|| words.fail("a bid is a number of coins"))?;
        // `bid 2 of my coins` says no more than `bid 2`.
        for more in ["of", "my", "coins"] {
            words.eat(more);
        }
        words.end().map(|()| Order::Bid { coins })
    }
    fn facts(&self, _: &Purses, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        match order {
            Some(Order::Bid { coins }) => vec![Fact::number("stake", *coins)],
            _ => Vec::new(),
        }
    }
    fn options(&self, _: &Purses, _: Seat) -> Vec<Choice<Order>> {
        (0..=9)
            .map(|coins| {
                Choice::new(Order::Bid { coins }, format!("bid {coins}")).note(if coins == 0 {
                    "costs nothing"
                } else {
                    ""
                })
            })
            .collect()
    }
}

/// A gift of a coin to another player.
struct ToWhom;
impl Prompt<Auction> for ToWhom {
    type Answer = Option<u8>;
    fn kind(&self) -> Ask {
        Ask::Gift
    }
    fn accept(&self, g: &Purses, seat: Seat, order: &Order) -> Result<Option<u8>, Refusal> {
        match order {
            Order::Give { to } if *to != seat.0 && usize::from(*to) < g.purses.len() => Ok(Some(*to)),
            _ => refuse("3.2", "The winner gives a coin to somebody else."),
        }
    }
    fn describe(&self, _: &Purses, _: Seat) -> Description {
        Description::new("Who gets a coin from you", "3.2")
    }
    fn read(&self, g: &Purses, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        words.eat("give");
        let names = Names::from_iter("player", (0..g.purses.len() as u8).map(|to| (Seat(to).to_string(), to)));
        let to = words.name(&names)?;
        words.end().map(|()| Order::Give { to })
    }
    fn options(&self, g: &Purses, seat: Seat) -> Vec<Choice<Order>> {
        let others = (0..g.purses.len() as u8).filter(|to| *to != seat.0);
        others.map(|to| Choice::new(Order::Give { to }, format!("give @{}", Seat(to)))).collect()
    }
}

struct Thanks;
impl Prompt<Auction> for Thanks {
    type Answer = Option<u8>;
    fn kind(&self) -> Ask {
        Ask::Thanks
    }
    fn accept(&self, _: &Purses, _: Seat, order: &Order) -> Result<Option<u8>, Refusal> {
        if *order == (Order::Thank {}) { Ok(None) } else { refuse("3.3", "You can only say thanks.") }
    }
    fn describe(&self, _: &Purses, _: Seat) -> Description {
        Description::new("Say thanks for the last coin", "3.3")
    }
    fn read(&self, _: &Purses, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        // `enough` also means thanks.
        if !words.eat("enough") {
            words.expect("thank")?;
            words.eat("you");
        }
        words.end().map(|()| Order::Thank {})
    }
    fn options(&self, _: &Purses, _: Seat) -> Vec<Choice<Order>> {
        vec![Choice::new(Order::Thank {}, "thank you")]
    }
    fn urgent(&self, _: &Purses, _: Seat) -> bool {
        true
    }
}

impl Game for Auction {
    type State = Purses;
    type Order = Order;
    const EFFECTS: &'static [EffectKind<Purses>] = &[("coins", "seat, coins", coins)];
    type Kind = Ask;
    fn foreseen(_: &Purses, _: Seat) -> Vec<Box<dyn AnyPrompt<Self>>> {
        vec![foresee(HowMuch), foresee(ToWhom), foresee(Thanks)]
    }
    fn play(t: Table<Self>, mut g: Purses) -> Rules<Self> {
        Box::pin(async move {
            let mut thankful: Option<u8> = None;
            let players = g.purses.len() as u8;
            for turn in 1..=g.turns {
                g.turn = turn;
                let list: Vec<String> = (1..=9).map(|n| format!("card {n}")).collect();
                let shuffle = t.shuffle("luck", list);
                for seat in 0..players {
                    t.deal("luck", shuffle.epoch, Some(Seat(seat)), usize::from(seat), 1);
                    g.hands[usize::from(seat)] = shuffle.order[usize::from(seat)] + 1;
                    let card = g.hands[usize::from(seat)];
                    t.tell_to(Whom::Seat(Seat(seat)), || format!("You draw card {card}."));
                }
                for round in 1..=2 {
                    t.round(&mut g, turn, round, &format!("Turn {turn}, Round {round}"));
                    g.worth = t.roll("worth", 0, 9);
                    let tickets = (0..players).map(|seat| t.open(Seat(seat), HowMuch)).collect();
                    let bids = t.all(&mut g, tickets).await;
                    let winner = (0..players).max_by_key(|seat| (bids[usize::from(*seat)], std::cmp::Reverse(*seat)));
                    let winner = winner.expect("there are players");
                    let bid = bids[usize::from(winner)];
                    g.purses[usize::from(winner)] += g.worth - bid;
                    let worth = g.worth;
                    t.tell(|| format!("@{} pays {bid} for a coin that is worth {worth}.", Seat(winner)));
                    let gift = t.open(Seat(winner), ToWhom);
                    let to = match thankful.take().filter(|seat| *seat != winner) {
                        None => t.any(&mut g, &[&gift]).await,
                        Some(seat) => {
                            let thanks = t.open(Seat(seat), Thanks).optional();
                            match t.any(&mut g, &[&gift, &thanks]).await {
                                Some(to) => Some(to),
                                None => {
                                    t.tell(|| format!("@{} says thanks.", Seat(seat)));
                                    t.any(&mut g, &[&gift]).await
                                }
                            }
                        }
                    };
                    if let Some(to) = to {
                        g.purses[usize::from(to)] += 1;
                        t.tell(|| format!("@{} gives a coin to @{}.", Seat(winner), Seat(to)));
                        thankful = Some(to);
                    }
                }
                t.reveal("luck", shuffle.epoch);
            }
            g
        })
    }
    fn view(g: &Purses, seat: Option<Seat>) -> serde_json::Value {
        let purse = |(i, coins): (usize, &i64)| json!({ "name": format!("@{}", Seat(i as u8)), "coins": coins });
        let purses: Vec<_> = g.purses.iter().enumerate().map(purse).collect();
        match seat {
            Some(seat) => json!({ "turn": g.turn, "purses": purses, "hand": g.hands[seat.index()] }),
            None => json!({ "turn": g.turn, "purses": purses }),
        }
    }
    fn facts(g: &Purses, seat: Seat) -> Vec<Fact> {
        vec![Fact::number("turn", g.turn), Fact::number("purse", g.purses[seat.index()])]
    }
    fn outcome(g: &Purses) -> Outcome {
        let seats = (0..).map(Seat).zip(&g.purses).map(|(seat, &coins)| Standing::new(seat, coins));
        Outcome::by_points(Counted::more("coins"), seats, "most coins (1.2)")
    }
}

fn coins(g: &mut Purses, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let seats = (0..).map(Seat).zip(&g.purses).map(|(seat, _)| seat);
    let seat = seat_named(seats, &e.needed("seat")?)?;
    e.count("coins", "coins", &mut g.purses[seat.index()], 0..=99)?;
    Ok(format!("@{seat}"))
}

pub struct AuctionRules;

impl Ruleset for AuctionRules {
    fn name(&self) -> &'static str {
        "auction"
    }
    fn title(&self) -> &'static str {
        "Auction!"
    }
    fn version(&self) -> u32 {
        1
    }
    fn seats(&self) -> RangeInclusive<u8> {
        2..=4
    }
    fn scenarios(&self) -> &'static [&'static str] {
        &["short"]
    }
    fn decks(&self) -> &'static [&'static str] {
        &["luck"]
    }
    fn standing(&self) -> &'static str {
        "standing bid always: as advised\n"
    }
    fn enough(&self) -> &'static [&'static str] {
        &["enough"]
    }
    fn facts(&self) -> &'static [FactKind] {
        const FACTS: &[FactKind] = &[
            FactKind::new("turn", Measure::Number(1, 9), &[], "the Turn"),
            FactKind::new("purse", Measure::Number(-99, 99), &[], "your coins").or(&["coins"]),
            FactKind::new("stake", Measure::Number(0, 99), &["bid"], "what this answer bids"),
        ];
        FACTS
    }
    fn attacked(&self) -> &'static [&'static str] {
        &["gift"]
    }
    fn components(&self) -> &'static str {
        "coins = 9\n"
    }
    fn print_components(&self, text: &str, _: &str) -> Result<String, SetupFault> {
        Ok(text.to_owned())
    }
    fn view_template(&self) -> &'static str {
        "{% for p in view.purses %}\n  {{ p.name }}: {{ p.coins }} coins\n{% endfor %}\n{% if view.hand %}\n  Your card: {{ view.hand }}\n{% endif %}\n"
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        let seats = usize::from(setup.seats);
        let turns = setup.options.get("turns").and_then(serde_json::Value::as_u64).unwrap_or(2);
        let too_many =
            |_| SetupFault::OptionValue { name: "turns".into(), wanted: "a small number", found: turns.into() };
        let turns = u32::try_from(turns).map_err(too_many)?;
        let g = Purses { turns, turn: 0, worth: 0, purses: vec![10; seats], hands: vec![0; seats] };
        Ok(Box::new(Session::<Auction>::start(g, chance, watch)))
    }
    fn kinds(&self) -> Vec<&'static str> {
        ahead::<Ask>()
    }
    fn help(&self, _: &str) -> Subjects {
        Subjects::of(
            "## bid (2.1)\nThe highest bid wins the coin.\n> bid 4\n\n## gift (3.2)\nThe winner gives a coin away.\n> give anna\n",
        )
    }
}

/// The rulesets for tests.
pub static TOYS: &[&dyn Ruleset] = &[&AuctionRules];
