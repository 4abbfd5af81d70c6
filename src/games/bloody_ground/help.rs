//! The answers to `help <subject>`: each question and action in a few lines, with sample orders and
//! rule numbers, and the pieces of the box.

use super::{
    chart_help,
    components::{AreaId, Components, Kit as _},
};
use postrider_table::{Explained, Subject, Subjects};

/// The text of the help subjects.
const PAGE: &str = include_str!("help.md");

/// Returns the help subjects for these components: those of the text, the pieces and the charts.
pub fn help(components: &str) -> Subjects {
    let c = &*Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    Subjects::of(PAGE)
        .and("the name of a leader, a nation, an area or a kind of unit", pieces(c))
        .and("the name of a chart", chart_help::subjects(c))
}

/// Returns a subject for each leader, nation, kind of unit and area.
fn pieces(c: &Components) -> impl Iterator<Item = Subject> {
    let of_nation = |nation| c.nation_ids().find(|&n| Some(n) == nation).map_or("", |n| &*c[n].name);
    let leaders = c.leader_ids().map(move |l| {
        let leader = &c[l];
        let home = leader.state.map_or(of_nation(leader.nation), |state| state.name());
        let home = if home.is_empty() { String::new() } else { format!(", {home}") };
        let text = format!(
            "{}{home}: rank {}, rating {}. What leaders do: `help leaders`.",
            leader.kind.name(),
            leader.rank,
            leader.command
        );
        Subject::thing(&leader.name, Explained::new(format!("{} (rule 14.0)", leader.name), text))
    });
    let nations = c.nation_ids().map(move |n| {
        let (nation, kind) = (&c[n], &c[c.warriors(n)]);
        let land: Vec<String> =
            c.area_ids().filter(|&a| c[a].nation == Some(n)).map(|a| format!("{} ({})", c[a].name, c[a].id)).collect();
        let land = if land.is_empty() { "no land on the map".to_owned() } else { land.join(", ") };
        let war = match nation.fixed {
            0 => format!("goes to war at a level of {} or more", nation.base),
            level => format!("always has level {level}"),
        };
        let text = format!("{} warriors: Fire Combat Factor {}, {} MPs; {war}; {land}.", kind.count, kind.fcf, kind.ma);
        Subject::thing(&nation.name, Explained::new(format!("{} (rule 8.1)", nation.name), text))
    });
    let kinds = c.kind_ids().filter(|&kind| c[kind].nation.is_none()).map(move |kind| {
        let kind = &c[kind];
        let text =
            format!("{}: {} units, Fire Combat Factor {}, {} MPs.", kind.class.name(), kind.count, kind.fcf, kind.ma);
        Subject::thing(&kind.id, Explained::new(format!("{} (rule 2.2.2)", kind.id), text))
    });
    let areas = c.area_ids().map(move |a| {
        let area = &c[a];
        let named = |list: &[AreaId]| {
            list.iter().map(|&b| format!("{} ({})", c[b].name, c[b].id)).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!("{}, {}", area.terrain.name(), area.state.name());
        if let Some(n) = area.nation {
            text += &format!(", land of the {}", c[n].name);
        }
        for special in &area.special {
            text += &format!(", {}", special.name());
        }
        text += &format!(". Beside it: {}.", named(&area.adjacent));
        if !area.across.is_empty() {
            text += &format!(" Over the Ohio: {}.", named(&area.across));
        }
        if !area.rivers.is_empty() {
            text += &format!(" Rivers: {}.", area.rivers.join(", "));
        }
        let explained = Explained::new(format!("{}, {} (rule 2.1.1)", area.id, area.name), text);
        Subject::thing(&area.id, explained).or(&area.name)
    });
    leaders.chain(nations).chain(kinds).chain(areas)
}
