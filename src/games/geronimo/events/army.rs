//! Random events of the US: Horse Killers and Hostages.

use crate::{Ask, State, T, components::AreaId, ratings::Force, reservation::ask, survival::taken_by_force};
use postrider_table::{Pick, Word};

pub const KILL: Word = Word::new("kill the horses").or(&["kill horses", "kill"]);
pub const SPARE: Word = Word::new("spare the horses").or(&["spare horses", "spare"]);
pub const TAKE: Word = Word::new("take hostages").or(&["hostages", "take"]);
pub const NONE: Word = Word::new("no hostages").or(&["no", "massacre"]);

/// Horse Killers (DR 7): once this Turn the US may kill the horses of a Village that its attack
/// Devastates.
pub fn horse_killers(t: &T, g: &mut State) {
    g.events.horse_killers = true;
    t.tell(|| "Once this Turn the US may kill the horses of a Village that it Devastates.".to_owned());
}

/// Hostages (DR 8 or 9): once this Turn the US may take hostages instead of causing a Massacre.
pub fn hostages(t: &T, g: &mut State) {
    g.events.hostages = true;
    t.tell(|| "Once this Turn the US may take hostages in a Village in place of a Massacre.".to_owned());
}

/// Offers to kill a Village's horses after a US attack, if its Devastation has increased.
pub async fn horses_killed(t: &T, g: &mut State, force: &Force, before: i32) {
    let Force::Village(v) = *force else { return };
    let devastated = g.village(v).devastation > before;
    if !g.events.horse_killers || !devastated || g.area_of(v).is_none() || g.events.no_horses.contains(&v) {
        return;
    }
    let pick = Pick::new(Ask::HorseKillers, "12.13", "Kill the horses of the Village, or not", vec![SPARE, KILL])
        .telling(move |g: &State, d| {
            d.line(format!("The {} Village is Devastated. You may do this once this Turn.", g.c[v].name))
                .line("Its Evasion total has -2, and its new War Parties and Raids stay in its own Area this Turn.")
        });
    let us = g.us;
    if ask(t, g, us, pick).await == KILL {
        g.events.horse_killers = false;
        g.events.no_horses.push(v);
        t.tell(|| format!("The US kills the horses of the {}: Evasion -2, and no War Party goes far.", g.c[v].name));
    }
}

/// Offers to take hostages after a US Massacre in a Village, and returns the answer. This cancels
/// the Massacre, and the Village goes On Reservation as if forced there (8.14).
pub async fn takes_hostages(t: &T, g: &mut State, force: &Force, area: AreaId) -> bool {
    let Force::Village(v) = *force else { return false };
    if !g.events.hostages || g.area_of(v).is_none() {
        return false;
    }
    let pick = Pick::new(Ask::Hostages, "12.13", "Take hostages in place of the Massacre, or not", vec![NONE, TAKE])
        .telling(move |g: &State, d| {
            d.line(format!("The {} would go On Reservation at once, and the Massacre marker comes off.", g.c[v].name))
                .line("You may do this once this Turn.")
        });
    let us = g.us;
    if ask(t, g, us, pick).await == NONE {
        return false;
    }
    g.events.hostages = false;
    g.area_mut(area).massacres -= 1;
    t.tell(|| format!("The US takes the families of the {} as hostages: no Massacre.", g.c[v].name));
    taken_by_force(t, g, v);
    true
}
