//! Attacks on Wagons that nobody protects (12.1.2.1).

use super::{
    dice::{Dice, roll_both},
    losses::lose,
    odds::{percent, two_hits},
    offers::black_kettle,
    retreat::{Flight, Retreat, flee, retreat},
    sides::speaker,
};
use crate::{
    games::plains::{
        Ask, Order, Plains, T,
        components::{Faction, RegionId},
        state::{Cubes, State, tell_cubes},
        trails::advance,
    },
    orders::{Grammar, Misread, Phrase, filler, one_of},
    table::{Choice, Description, PickOrder, Prompt, Refusal, Seat, refuse},
};

/// Hits in one roll that destroy a Wagon (12.1.2.1).
pub const HITS: u8 = 2;
const ATTACK: &str = "attack";
const CALL_OFF: &str = "call off";

/// 12.1.2.1: Wagons that nobody protects, one at a time, as long as the Indians like.
pub async fn attack_wagons(t: &T, g: &mut State, r: RegionId, active: Faction) {
    let at = usize::from(r.0);
    // Blanks of the last roll, for the player who says whether to go on: he answers both in one.
    let mut open = Cubes::default();
    while g.targets(r) > 0 && g.region(r).indian() > 0 {
        let seat = speaker(g, r, active);
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
            destroy(t, g, r);
        } else if wagon.blanks[Faction::Wagons] > 0 {
            advance(t, g, r, 1, !g.variant.wagons_again).await;
        }
        // 12.1.7: where no Wagon is left to attack the engagement is over.
        if g.targets(r) > 0 && g.region(r).indian() > 0 {
            let goes_on = speaker(g, r, active);
            let mut now = indian.blanks;
            for (f, n) in indian.blanks.each().filter(|&(f, _)| g.owner(f) == goes_on) {
                (open[f], now[f]) = (n, 0);
            }
            retreat(t, g, r, true, &now, None).await;
        }
    }
}

/// Takes a Wagon to the Indian Victory Point Box.
pub fn destroy(t: &T, g: &mut State, r: RegionId) {
    g.region_mut(r)[Faction::Wagons] -= 1;
    g.destroyed += 1;
    t.tell(|| format!("A Wagon in {} is destroyed: 1 VP for the Indians.", g.name(r)));
}

/// What the Indian player says before each roll against a Wagon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Say {
    Attack,
    CallOff,
    /// First cubes retreat by the Blanks of the roll before.
    Flee(Vec<Flight>),
}

/// Whether the next Wagon is attacked; and who retreats by the Blanks of the last roll.
pub struct Assault(pub Retreat);

impl Assault {
    /// `attack` · `call off` · `retreat …`, where Blanks allow it.
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let attack = filler("", &["the", "next", "wagon", "wagons", "again"]);
        let flight = self.0.grammar_or(g, "attack the next Wagon, or call off?");
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
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
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
