//! Display names of units, and the formations by which letters list them.

use super::{
    components::{Class, Side, UnitId},
    movement::Mover,
    state::State,
};

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
        postrider_orders::list_and(&names)
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
