//! Display names of units, and the formations by which letters list them.

use super::{
    components::{Class, Side, UnitId},
    movement::Mover,
    state::State,
};
use postrider_orders::{capital, list_and};

impl State {
    /// Returns the names of a unit in orders and rulings: its id and, unless it is a Holder, its
    /// name.
    pub fn names_of(&self, u: UnitId) -> impl Iterator<Item = &str> {
        let counter = &self.c[u];
        std::iter::once(&*counter.id).chain((!counter.class.is_holder()).then_some(&*counter.name))
    }
    /// Returns the display name of a unit: a company's captain, a warrior unit's chief, `horses of
    /// Lawson`.
    pub fn short(&self, u: UnitId) -> String {
        let counter = &self.c[u];
        let captain = |u: UnitId| self.c[u].name.rsplit(' ').next().unwrap_or_default().to_owned();
        match counter.class {
            Class::Cavalry | Class::Infantry => captain(u),
            class if class.is_holder() => {
                let what = counter.name.split(" of ").next().unwrap_or_default();
                let of = self.c.unit(&counter.of).map(|of| self.short(of)).unwrap_or_default();
                format!("{what} of {of}")
            }
            _ => counter.name.clone(),
        }
    }
    /// Returns the display name with the id used in orders: `Lawson (3A)`.
    pub fn called(&self, u: UnitId) -> String {
        match self.class(u) {
            Class::Hq => self.c[u].name.clone(),
            _ => format!("{} ({})", self.short(u), self.c[u].id),
        }
    }
    /// Returns the names of several units: `Lawson (3A), Andrews (3I) and Paul (3M)`.
    pub fn all_called(&self, units: &[UnitId]) -> String {
        let names: Vec<String> = units.iter().map(|&u| self.called(u)).collect();
        list_and(&names)
    }
    /// Returns a unit's name for use within a sentence: `Lawson (3A)`, `the horses of Lawson
    /// (3AH)`.
    pub fn the(&self, u: UnitId) -> String {
        let called = self.called(u);
        if is_many(self.class(u)) { format!("the {called}") } else { called }
    }
    /// Returns the beginning of a sentence about a unit, with a verb given in the singular: `Lawson
    /// (3A) moves`, `The horses of Lawson (3AH) move`.
    pub fn does(&self, u: UnitId, verb: &str) -> String {
        Mover::Unit(u).does(self, verb)
    }
    /// Returns the beginning of a sentence about several units, as [`State::does`].
    pub fn all_do(&self, units: &[UnitId], verb: &str) -> String {
        let who: Vec<Mover> = units.iter().map(|&u| Mover::Unit(u)).collect();
        format!("{} {}", capital(&all(self, &who)), agreeing(self, &who, verb))
    }
}

/// Returns `true` for units that are called in the plural: Holders, by their horses, and Miners.
fn is_many(class: Class) -> bool {
    class.is_holder() || class == Class::Miners
}

/// Returns pieces as they are called within a sentence.
pub fn all(g: &State, who: &[Mover]) -> String {
    list_and(&who.iter().map(|mover| mover.the(g)).collect::<Vec<_>>())
}

/// Returns a verb, given in the singular, as it follows these pieces: `moves`, `move`.
pub fn agreeing(g: &State, who: &[Mover], verb: &str) -> String {
    let many = |mover: &Mover| matches!(*mover, Mover::Unit(u) if is_many(g.class(u)));
    if who.len() > 1 || who.iter().any(many) { plural(verb) } else { verb.to_owned() }
}

/// Returns the plural of a verb that is given in the singular.
fn plural(verb: &str) -> String {
    match verb {
        "is" => "are".to_owned(),
        "has" => "have".to_owned(),
        _ => {
            let ends = [("ies", "y"), ("oes", "o"), ("s", "")];
            let cut = ends.iter().find_map(|&(one, many)| Some(format!("{}{many}", verb.strip_suffix(one)?)));
            cut.unwrap_or_else(|| verb.to_owned())
        }
    }
}

impl Mover {
    /// Returns the display name of a unit with its id, or a Leader's name.
    pub fn called(self, g: &State) -> String {
        match self {
            Mover::Unit(u) => g.called(u),
            Mover::Leader(_) => self.name(g),
        }
    }
    /// Returns the piece as it is called within a sentence.
    pub fn the(self, g: &State) -> String {
        match self {
            Mover::Unit(u) => g.the(u),
            Mover::Leader(_) => self.name(g),
        }
    }
    /// Returns the beginning of a sentence about the piece, as [`State::does`].
    pub fn does(self, g: &State, verb: &str) -> String {
        format!("{} {}", capital(&self.the(g)), agreeing(g, &[self], verb))
    }
}

/// Returns the formations of a side with their units, without Holders: battalions by Leader, tribes
/// by name, other units by class.
pub fn formations(g: &State, side: Side) -> Vec<(String, Vec<UnitId>)> {
    let mut all: Vec<(String, Vec<UnitId>)> = Vec::new();
    for u in g.c.unit_ids().filter(|&u| g.side(u) == side && !g.class(u).is_holder()) {
        let name = formation(g, u);
        match all.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1.push(u),
            None => all.push((name, vec![u])),
        }
    }
    all
}

/// Returns the formation of a unit.
pub fn formation(g: &State, u: UnitId) -> String {
    let counter = &g.c[u];
    match counter.class {
        Class::Warrior => counter.tribe.clone(),
        Class::Cavalry => {
            let group = g.c.groups.iter().find(|group| group.units.contains(&counter.id));
            group
                .and_then(|group| group.leaders.first())
                .map_or_else(|| "Cavalry".to_owned(), |l| format!("{l}'s battalion"))
        }
        Class::Infantry => "Infantry".to_owned(),
        Class::Train | Class::Personnel => "Pack Trains".to_owned(),
        class => class.name().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::*, *};

    #[test]
    fn verbs_agree_with_units() {
        let g = bare();
        let does = |ids: &[&str], verb: &str| {
            let units: Vec<UnitId> = ids.iter().map(|id| unit(&g, id)).collect();
            g.all_do(&units, verb)
        };
        assert_eq!(does(&["3A"], "tries"), "Lawson (3A) tries");
        for (verb, said) in [
            ("moves", "move"),
            ("tries", "try"),
            ("goes", "go"),
            ("does", "do"),
            ("loses", "lose"),
            ("is", "are"),
            ("has", "have"),
            ("may", "may"),
        ] {
            assert_eq!(does(&["3AH"], verb), format!("The horses of Lawson (3AH) {said}"));
        }
        assert_eq!(does(&["3E", "3AH"], "moves"), "Sutorious (3E) and the horses of Lawson (3AH) move");
        assert_eq!(does(&["MIN"], "Routs"), "The Miners (MIN) Rout");
        assert_eq!(g.the(unit(&g, "3AH")), "the horses of Lawson (3AH)");
    }
}
