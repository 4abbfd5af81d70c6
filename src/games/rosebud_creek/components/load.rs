//! Readers of special texts in the component file, and checks of what the rules assume.

use super::{Charts, Class, Components, Crossing, Drm, Factor, Ground, Level, Num, Vp};
use postrider_table::components::{FaultKind, File, Row};

/// Records a fault for each assumption of the rules that the components violate.
pub(super) fn check(c: &Components, file: &mut File<'_, '_>) {
    file.count("number", "numbers", c.numbers.len(), Num::ALL.len(), "3.L");
    file.count("terrain", "terrains", c.terrains.len(), Ground::ALL.len(), "7.B");
    file.count("hexside", "hexsides", c.hexsides.len(), Crossing::ALL.len(), "7.B");
    file.count("factor", "factors", c.factors.len(), Factor::ALL.len(), "9.B");
    file.count("modifier", "modifiers", c.modifiers.len(), Drm::ALL.len(), "9.B");
    file.count("vp", "rows", c.vps.len(), Vp::ALL.len(), "17");
    file.count("level", "rows", c.levels.len(), Level::ALL.len(), "17");
    file.count("class", "classes", c.classes.len(), Class::ALL.len(), "8");
    if !file.is_sound() {
        return;
    }
    let mut wrong = |table, row, why: String| file.fault_at(table, row, "", FaultKind::Other(why));
    for (at, unit) in c.units.iter().enumerate() {
        if !unit.of.is_empty() && c.unit(&unit.of).is_none() {
            wrong("unit", at, format!("there is no {}", unit.of));
        }
        let holder = &c.class(unit.class).holder;
        let of = |other: &super::Counter| other.of == unit.id && other.class.word().starts_with(&**holder);
        if !unit.class.is_holder() && unit.class != Class::Scout && !unit.class.walks() && !c.units.iter().any(of) {
            wrong("unit", at, format!("{} has no holder (8.D)", unit.id));
        }
    }
    let one = |class: Class| c.units.iter().filter(|unit| unit.class == class).count() == 1;
    if !one(Class::Hq) || !one(Class::Miners) {
        wrong("unit", 0, "there is one Column HQ and one unit of Miners (18.1)".to_owned());
    }
    for id in ["Crook", "Staff", "Van Vliet"] {
        if c.leader(id).is_none() {
            wrong("leader", 0, format!("{id} is missing (12.D.6, 12.E, 16.D)"));
        }
    }
    for id in ["3C", "3G"] {
        if c.unit(id).is_none() {
            wrong("unit", 0, format!("{id} is missing (16.D)"));
        }
    }
    let groups = c.groups.iter().map(|g| ("group", &g.units, &g.leaders));
    let scouts = c.scouts.iter().map(|g| ("scouts", &g.units, &g.leaders));
    for (table, units, leaders) in groups.chain(scouts) {
        let unit = units.iter().find(|id| c.unit(id).is_none());
        if let Some(id) = unit.or(leaders.iter().find(|id| c.leader(id).is_none())) {
            wrong(table, 0, format!("there is no {id}"));
        }
    }
    if let Err((table, row, why)) = Charts::of(c) {
        wrong(table, row, why);
    }
}

/// Reads an optional list of texts.
pub(super) fn texts(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<String> {
    row.words_if(key).into_iter().map(|word| word.text).collect()
}
