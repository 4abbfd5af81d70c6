//! Attacks on unprotected Wagons (12.1.2.1).

use super::{
    dice::{Dice, roll_both},
    losses::lose,
    odds::{percent, two_hits},
    offers::black_kettle,
    retreat::retreat,
    sides::speaker,
};
use crate::{
    Ask, Order, Plains, T,
    components::{Faction, RegionId},
    state::{State, tell_cubes},
    trails::advance,
};
use postrider_orders::{Grammar, Misread, Phrase, Reader, filler, one_of};
use postrider_table::{Choice, Description, PickOrder, Prompt, Refusal, Seat, refuse};

/// Number of hits in one roll that destroy a Wagon (12.1.2.1).
pub const HITS: u8 = 2;
const ATTACK: &str = "attack";
const CALL_OFF: &str = "call off";

/// Attacks unprotected Wagons one at a time, until the Indians call it off (12.1.2.1).
pub async fn attack_wagons(t: &T, g: &mut State, r: RegionId, active: Faction) {
    let at = usize::from(r.0);
    // The engagement ends when no Wagon is left to attack (12.1.7).
    while g.targets(r) > 0 && g.region(r).indian() > 0 {
        if !t.ask(g, speaker(g, r, active), Assault { region: r }).await {
            t.tell(|| format!("The attack on the Wagons in {} is called off.", g.name(r)));
            return;
        }
        let [indian, wagon] = roll_both(t, g, r, Dice { out: None, winter: false, wagon: true });
        if indian.treaties > 0 && wagon.treaties > 0 || black_kettle(t, g, r).await {
            t.tell(|| format!("A Treaty: this Wagon stays in {} and is left alone.", g.name(r)));
            g.spared[at] += 1;
            continue;
        }
        lose(t, g, r, true, wagon.hits, None).await;
        // The attacker retreats first, whatever happens to the Wagon (12.1.4).
        retreat(t, g, r, true, &indian.blanks, None).await;
        if indian.hits >= HITS {
            destroy(t, g, r);
        } else if wagon.blanks[Faction::Wagons] > 0 {
            advance(t, g, r, 1, !g.variant.wagons_again).await;
        }
    }
}

/// Moves a Wagon to the Indian Victory Point Box.
pub fn destroy(t: &T, g: &mut State, r: RegionId) {
    g.region_mut(r)[Faction::Wagons] -= 1;
    g.destroyed += 1;
    t.tell(|| format!("A Wagon in {} is destroyed: 1 VP for the Indians.", g.name(r)));
}

/// The question whether the next Wagon is attacked.
pub struct Assault {
    pub region: RegionId,
}

/// `attack` · `call off`.
fn grammar() -> Grammar<'static, Order> {
    let attack = filler("", &["the", "next", "wagon", "wagons", "again"]);
    one_of()
        .on(&[ATTACK], attack.means(Order::pick(ATTACK.to_owned())))
        .on(&[CALL_OFF, "stop"], filler("", &["the", "attack"]).means(Order::pick(CALL_OFF.to_owned())))
        .otherwise(Grammar::leaf(
            |words: &mut Reader<'_>| Err(words.fail("attack the next Wagon, or call off?")),
            |_: &Order| None,
        ))
}

impl Prompt<Plains> for Assault {
    type Answer = bool;
    fn kind(&self) -> Ask {
        Ask::Wagons
    }
    fn accept(&self, _: &State, _: Seat, order: &Order) -> Result<bool, Refusal> {
        match order.picked() {
            Some(ATTACK) => Ok(true),
            Some(CALL_OFF) => Ok(false),
            _ => refuse("12.1.2.1", "The question is whether the next Wagon is attacked: attack, or call off."),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let r = self.region;
        Description::new(format!("Whether Wagons are attacked in {}", g.name(r)), "12.1.2.1").line(format!(
            "In {} are {}; {} White can be attacked, one at a time. {HITS} hits in one roll destroy one: {} for your cubes. \
             It rolls two Settlers dice: its hits count, and a Blank lets it escape west.",
            g.name(r),
            tell_cubes(g.region(r)),
            g.targets(r),
            percent(two_hits(g, g.region(r)))
        ))
    }
    fn read(&self, _: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        grammar().whole(said)
    }
    fn say(&self, _: &State, _: Seat, order: &Order) -> Option<String> {
        grammar().say(order)
    }
    fn options(&self, _: &State, _: Seat) -> Vec<Choice<Order>> {
        [ATTACK, CALL_OFF].map(|word| Choice::said(Order::pick(word.to_owned()), &grammar())).to_vec()
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::pick(CALL_OFF.to_owned()))
    }
}
