//! The answers to `help <subject>`: each question and action in a few lines, with sample orders and
//! rule numbers, and the pieces of the box.

use super::{
    components::{AreaId, Components, Kit as _},
    sheets,
};
use postrider_table::{Explained, Subject, Subjects};

/// The text of the help subjects.
const PAGE: &str = include_str!("help.md");

/// Returns the help subjects for these components: those of the text, the pieces and the charts.
pub fn help(components: &str) -> Subjects {
    let c = &*Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    Subjects::of(PAGE)
        .and("the name of a leader, a nation, an area or a kind of unit", pieces(c))
        .and("the name of a chart", sheets::subjects(c))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ask, ruleset::RULES};
    use postrider_letters::{Block, Section, text};
    use postrider_orders::Phrase;
    use postrider_table::{Kind as _, Ruleset as _, topics};

    fn explained(subject: &str) -> Option<Explained> {
        RULES.subjects(RULES.components).find(&Phrase::new(subject)).ok()
    }

    #[test]
    fn every_subject_is_found_by_all_its_names_and_is_short() {
        for topic in topics(PAGE) {
            for name in &topic.names {
                assert_eq!(explained(&format!("help {name}")).as_ref(), Some(&topic.explained), "help {name}");
            }
            let Explained { title, text, orders, .. } = topic.explained;
            let text = text::render(&[Section::of([Block::Explanation { title, text, orders }])]);
            assert!((3..=11).contains(&text.lines().count()), "{} lines:\n{text}", text.lines().count());
        }
        assert_eq!(topics(PAGE).len(), PAGE.matches("## ").count());
    }

    #[test]
    fn every_question_and_every_piece_is_explained() {
        for kind in Ask::ALL {
            let subject = kind.name().replace('-', " ");
            assert!(explained(&subject).is_some(), "help {subject}");
        }
        let c = Components::builtin();
        let names = c.leader_ids().map(|l| &c[l].name).chain(c.nation_ids().map(|n| &c[n].name));
        let names =
            names.chain(c.kind_ids().map(|k| &c[k].id)).chain(c.area_ids().flat_map(|a| [&c[a].id, &c[a].name]));
        for name in names {
            assert!(explained(&format!("help {name}")).is_some_and(|all| !all.text.is_empty()), "help {name}");
        }
        assert_eq!(explained("help xyzzy"), None);
    }

    #[test]
    fn rule_numbers_are_those_of_the_rulebook() {
        let known: Vec<&str> = include_str!("rules.tsv").lines().filter_map(|l| l.split('\t').next()).collect();
        for topic in topics(PAGE) {
            let (_, rules) = topic.explained.title.split_once(" (rule ").expect("a rule");
            for rule in rules.trim_end_matches(')').split(", ") {
                let part = |k: &&str| *k == rule || k.strip_prefix(rule).is_some_and(|rest| rest.starts_with('.'));
                let zero = format!("{rule}.0");
                assert!(known.iter().any(|k| part(k) || *k == zero), "{}: {rule}", topic.names[0]);
            }
        }
    }
}
