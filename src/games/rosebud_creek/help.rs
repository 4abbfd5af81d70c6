//! The answers to `help <subject>`: each question and action in a few lines, with sample orders and
//! rule numbers, and the pieces of the box.

use super::{
    components::{Class, Components, Kit as _, Side},
    ruleset::RULES,
};
use postrider_table::{Explained, Subject, Subjects};

/// The text of the help subjects.
const PAGE: &str = include_str!("help.md");

/// Returns the help subjects for these components: those of the text and the pieces.
pub fn help(components: &str) -> Subjects {
    let c = &*Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    Subjects::of(PAGE).and("the name or id of a unit, a tribe, a Leader, a place or a table", pieces(c))
}

/// Returns a subject for each unit, tribe, Leader, named place and chart.
fn pieces(c: &Components) -> impl Iterator<Item = Subject> {
    let units = c.unit_ids().map(move |u| {
        let (unit, row) = (&c[u], c.class(c[u].class));
        let strength = match (unit.cf[0], unit.cf[1]) {
            (0, 0) => "no strength".to_owned(),
            (a, b) if a == b => format!("Combat Factor {a}"),
            (a, b) => format!("Combat Factor {a} mounted, {b} on foot"),
        };
        let mps = match (unit.class.walks(), &row.mas[..]) {
            (false, [ride, walk]) => format!("{ride} MPs mounted, {walk} on foot"),
            (_, all) => format!("{} MPs", all.last().copied().unwrap_or_default()),
        };
        let tribe = if unit.tribe.is_empty() { String::new() } else { format!(", {}", unit.tribe) };
        let scenario = match RULES.absent.iter().any(|absent| absent.is_called(&unit.id)) {
            true => format!(" Scenario {}: `help scenarios`.", unit.id),
            false => String::new(),
        };
        let text = format!("{}{tribe}: {strength}, {mps}.{scenario}", unit.class.name());
        let thing = Subject::thing(&unit.id, Explained::new(format!("{}, {} (rule 3.C)", unit.id, unit.name), text));
        // The names of Holders are explained under `holders`.
        if unit.class.is_holder() { thing } else { thing.or(&unit.name) }
    });
    let mut tribes: Vec<&str> = c.unit_ids().map(|u| &*c[u].tribe).filter(|tribe| !tribe.is_empty()).collect();
    tribes.dedup();
    let tribes = tribes.into_iter().map(move |tribe| {
        let of: Vec<String> =
            c.unit_ids().filter(|&u| c[u].tribe == tribe).map(|u| format!("{} {}", c[u].id, c[u].name)).collect();
        Subject::thing(tribe, Explained::new(format!("{tribe} (rule 17)"), format!("Warriors: {}.", of.join(", "))))
    });
    let leaders = c.leader_ids().map(move |l| {
        let leader = &c[l];
        let rank = if leader.rank > 0 { format!(", rank {}", leader.rank) } else { String::new() };
        let text = format!(
            "{}{rank}: rating {}, Command Radius {}, {} MPs; wounded, rating {} and radius {}. What Leaders do: `help leaders`.",
            if leader.side == Side::Us { "US" } else { "Indians" },
            leader.rating,
            leader.radius,
            leader.ma,
            leader.wounded[0],
            leader.wounded[1],
        );
        Subject::thing(&leader.id, Explained::new(format!("{} (rule 12.A)", leader.title), text))
    });
    let places = c.places.iter().map(|place| {
        Subject::thing(&place.name, Explained::new(format!("{} (rule 17)", place.name), format!("Hex {}.", place.hex)))
    });
    let classes = Class::ALL.into_iter().filter(|class| class.is_holder()).map(move |class| {
        let row = c.class(class);
        let text = format!("{}: {} MPs. See `help holders`.", class.name(), row.mas[1]);
        Subject::thing(class.name(), Explained::new(format!("{} (rule 8.D.2)", class.name()), text))
    });
    units.chain(tribes).chain(leaders).chain(places).chain(classes)
}
