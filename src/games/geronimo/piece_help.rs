//! The named pieces for `help NAME`: Tribes and their Villages, Chiefs, Commanders.

use super::components::{Chief, ChiefId, Commander, Components, Tribe, TribeId, TribeSet, Village};
use postrider_orders::list_and;
use postrider_table::{Explained, Subject};

/// Returns all of them.
pub fn pieces(c: &Components) -> Vec<Subject> {
    let tribes = c.tribes.iter().map(|tribe| of_tribe(c, tribe));
    let villages = c.tribes.iter().filter(|tribe| tribe.villages.len() > 1).flat_map(|tribe| &tribe.villages);
    let villages = villages.map(|&v| {
        let village = &c[v];
        Subject::thing(&village.name, Explained::new(format!("{} (rule 2.21)", village.name), of_village(c, village)))
            .or(&village.short)
    });
    let chiefs = c.chiefs.iter().map(|chief| of_chief(c, chief));
    tribes.chain(villages).chain(chiefs).chain(c.commanders.iter().map(of_commander)).collect()
}

fn of_tribe(c: &Components, tribe: &Tribe) -> Subject {
    let mut says = match tribe.villages.as_slice() {
        [only] => of_village(c, &c[*only]),
        several => {
            let names: Vec<&str> = several.iter().map(|&v| c[v].name.as_str()).collect();
            format!("A Tribe of {} Villages: {}.", names.len(), list_and(&names))
        }
    };
    let own = c.tribe_by_name(&tribe.name);
    let chiefs: Vec<String> = (0..c.chiefs.len() as u8)
        .map(|at| &c[ChiefId(at)])
        .filter(|chief| Some(chief.tribe) == own)
        .map(|chief| format!("{} (Turns {} to {})", chief.name, chief.turns.0, chief.turns.1))
        .collect();
    if !chiefs.is_empty() {
        says.push_str(&format!(" Chiefs: {}.", list_and(&chiefs)));
    }
    let named = |set: TribeSet| -> Vec<&str> {
        set.iter().filter(|&other| Some(other) != own).map(|other: TribeId| c[other].name.as_str()).collect()
    };
    for (what, others) in [("Friends", named(tribe.friends)), ("Enemies", named(tribe.enemies))] {
        if !others.is_empty() {
            says.push_str(&format!(" {what}: {}.", list_and(&others)));
        }
    }
    Subject::thing(&tribe.name, Explained::new(format!("{} (rule 2.21)", tribe.name), says))
}

/// Returns the ratings of a Village, as on its Tribal Card.
fn of_village(c: &Components, village: &Village) -> String {
    let mut says = format!(
        "A Village of {} in {}. Battle {:+}, Evasion {}{}, Aggression {}, Survival {}.",
        postrider_orders::counted(village.size, "BP"),
        c[village.area].name,
        village.battle,
        village.evasion,
        if village.guerilla { " with G" } else { "" },
        village.aggression,
        village.survival
    );
    if village.raid > 0 {
        let abroad = if village.mexico_raids { ", in Mexico too" } else { "" };
        says.push_str(&format!(" It raids on {} or less{abroad}.", village.raid));
    }
    if village.poison_arrows != 0 {
        says.push_str(&format!(" Poison Arrows: {:+} in Battles.", village.poison_arrows));
    }
    if village.scouts {
        says.push_str(" It can provide Scouts.");
    }
    says
}

fn of_chief(c: &Components, chief: &Chief) -> Subject {
    let Chief { name, combat, evasion, aggression, turns: (first, last), .. } = chief;
    let of = chief.village.map_or_else(|| c[chief.tribe].name.as_str(), |v| c[v].name.as_str());
    let says = format!(
        "A Chief of the {of}, Turns {first} to {last}. Combat {combat:+}, Evasion {evasion:+}, Aggression {aggression:+}."
    );
    Subject::thing(name, Explained::new(format!("{name} (rule 6.5)"), says))
}

fn of_commander(commander: &Commander) -> Subject {
    let Commander { name, surname, combat, pursuit, guerilla, aggression, .. } = commander;
    let mountains = if *guerilla { " (+1 in Mountain Areas)" } else { "" };
    let says = format!("A Commander. Combat {combat:+}, Pursuit {pursuit:+}{mountains}, Aggression {aggression:+}.");
    Subject::thing(name, Explained::new(format!("{name} (rule 5.4)"), says)).or(surname)
}
