//! Lost horses and ponies (16.B), and Holders who replace losses (8.D.2).

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose},
    components::{Class, Num, Side, UnitId, Vp},
    doctrine::Will,
    leaders,
    state::{Spot, Unit},
};
use postrider_orders::{capital, list_or};

/// Rolls to see if lost US horses are captured (16.B).
pub fn captured(t: &T, g: &mut State, of: UnitId) {
    if g.side(of) == Side::Indian {
        return;
    }
    let die = t.d6("lost horses");
    let taken = die <= i64::from(g.c.n(Num::LostHorsesYes));
    t.tell(|| {
        let horses = if g.class(of).is_holder() { g.the(of) } else { format!("the horses of {}", g.the(of)) };
        format!("{}: {die}: {}.", capital(&horses), if taken { "captured" } else { "not captured" })
    });
    if taken {
        let points = g.c.vp(Vp::Horses);
        g.score(Side::Indian, points, "16.B");
    }
}

/// Removes the mounts of a unit if it is a Holder: Pony and HQ Holders are removed, the others
/// remain without horses (16.B).
pub async fn lose(t: &T, g: &mut State, h: UnitId) {
    match g.class(h) {
        Class::PonyHolder => {
            t.tell(|| format!("{} lost.", g.does(h, "is")));
            super::fire::remove(g, h, Spot::Dead);
            leaders::bereft(t, g, h, false).await;
        }
        Class::HqHolder => {
            captured(t, g, h);
            super::fire::remove(g, h, Spot::Dead);
            leaders::bereft(t, g, h, false).await;
        }
        Class::HorseHolder | Class::MuleHolder if !g.unit(h).mountless => {
            g.unit_mut(h).mountless = true;
            t.tell(|| format!("{} lost; the Holder remains.", g.does(h, "is")));
            captured(t, g, h);
        }
        _ => {}
    }
}

/// Lets Holders without horses replace losses of units in their hexes, at the beginning and end of
/// a phase (8.D.2).
pub async fn replacements(t: &T, g: &mut State) {
    for h in g.on_map(Side::Us).filter(|&h| g.class(h).is_holder() && g.unit(h).mountless).collect::<Vec<_>>() {
        let Some(hex) = g.hex(h) else { continue };
        let hurt = |u: &UnitId| g.unit(*u).losses > 0 && g.class(*u).has_us_holders();
        let mut hurt: Vec<UnitId> = g.of_side(hex, Side::Us).filter(hurt).collect();
        hurt.sort_by_key(|&u| (std::cmp::Reverse(g.unit(u).losses), u));
        let Some(&most) = hurt.first() else { continue };
        let u = match g.doctrine[Side::Us.index()].replace {
            Will::No => None,
            Will::Ask => {
                let asking = Asking { kind: Ask::Replace, rule: "8.D.2", title: "Whether a Holder replaces a loss" };
                let names: Vec<String> = hurt.iter().map(|&u| g.name(u)).collect();
                let line =
                    format!("{} in {} may become a strength point of {}.", g.name(h), g.id(hex), list_or(&names));
                let yes = |(u, name): (UnitId, String)| {
                    Named::new(if hurt.len() == 1 { "yes".to_owned() } else { name }, Some(u))
                };
                let mut all: Vec<_> = hurt.iter().copied().zip(names).map(yes).collect();
                all.push(Named::new("no", None));
                choose(t, g, g.seat(Side::Us), asking, all, move |_| line.clone()).await.value
            }
            _ => Some(most),
        };
        let Some(u) = u else { continue };
        replace(t, g, h, u).await;
    }
}

async fn replace(t: &T, g: &mut State, h: UnitId, u: UnitId) {
    t.tell(|| format!("{} {}.", g.does(h, "joins"), g.the(u)));
    g.put(h, Spot::Dead);
    *g.unit_mut(h) = Unit { spot: Spot::Dead, ..Unit::new() };
    g.unit_mut(u).losses -= 1;
    leaders::bereft(t, g, h, false).await;
}
