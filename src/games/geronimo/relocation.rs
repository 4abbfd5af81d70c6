//! Relocation of Villages (6.2).

use super::{
    State, T,
    components::{AreaId, VillageId},
    events::lose_stronghold,
    indian::stopped,
    ratings::Force,
    reaction::{Action, react},
    reservation::offers_lapse,
    state::Place,
};
use postrider_table::{Refusal, refuse};

/// The destination of a Village.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    Area(AreaId),
    Mexico,
    Canada,
}

impl Destination {
    pub fn name(self, g: &State) -> &str {
        match self {
            Destination::Area(a) => &g.c[a].name,
            Destination::Mexico => "Mexico",
            Destination::Canada => "Canada",
        }
    }
    /// Returns the destination with this name.
    pub fn named(g: &State, name: &str) -> Option<Destination> {
        match name {
            "Mexico" => Some(Destination::Mexico),
            "Canada" => Some(Destination::Canada),
            _ => g.c.area_by_name(name).map(Destination::Area),
        }
    }
}

/// Returns the Areas to which a Village in Mexico or Canada can return: the one that it left, and
/// adjacent ones along that border (6.24).
pub fn returns(g: &State, v: VillageId) -> Vec<AreaId> {
    let (from, mexico) = match g.village(v).place {
        Place::Mexico { from } => (from, true),
        Place::Canada { from } => (from, false),
        _ => return Vec::new(),
    };
    let along = |a: AreaId| if mexico { g.c[a].mexico } else { g.c[a].canada };
    g.area_ids().filter(|&a| a == from || (g.c.adjacent(from, a) && along(a))).collect()
}

/// Checks the destination of a Relocation (6.21 to 6.24, 7.7).
pub fn destination(g: &State, v: VillageId, to: &str) -> Result<Destination, Refusal> {
    let name = &g.c[v].name;
    let Some(dest) = Destination::named(g, to) else {
        return refuse("6.21", format!("There is no place called {to}."));
    };
    if g.village(v).scouting {
        return refuse("9.2Y", format!("The {name} scout for the US this Turn and stay where they are."));
    }
    let Some(home) = g.area_of(v) else {
        return match dest {
            Destination::Area(a) if returns(g, v).contains(&a) => Ok(dest),
            _ => {
                let back: Vec<&str> = returns(g, v).into_iter().map(|a| g.c[a].name.as_str()).collect();
                refuse("6.24", format!("The {name} can return to {}.", postrider_orders::list_or(&back)))
            }
        };
    };
    if g.area(home).mission {
        return refuse("7.7", format!("The Mission in {} keeps its Villages there.", g.c[home].name));
    }
    let borders = match dest {
        Destination::Area(a) => g.c.adjacent(home, a),
        Destination::Mexico => {
            if g.fx.mexico_closed {
                return refuse("9.2I", "Federales have closed the border for this Turn.");
            }
            g.c[home].mexico
        }
        Destination::Canada => g.c[home].canada,
    };
    if borders { Ok(dest) } else { refuse("6.21", format!("{to} is not adjacent to {}.", g.c[home].name)) }
}

/// Moves a Village, unless a Column reacting in the Area that it leaves costs it more BPs than the
/// Column loses (5.36, 6.2).
pub async fn relocate(t: &T, g: &mut State, action: &mut Action, v: VillageId, to: Destination) {
    let was = g.village(v).place;
    let home = g.area_of(v);
    t.tell(|| format!("The {} relocate to {}.", g.c[v].name, to.name(g)));
    let mut areas: Vec<AreaId> = home.into_iter().collect();
    if let Destination::Area(a) = to {
        areas.push(a);
        // A Village returning across the border is met where it enters.
        if home.is_none() {
            g.village_mut(v).place = Place::Area(a);
        }
    }
    let what = format!(
        "The {} relocate{} to {}.",
        g.c[v].name,
        home.map_or_else(String::new, |a| format!(" from {}", g.c[a].name)),
        to.name(g)
    );
    let occasion = action.occasion(Force::Village(v), areas, what);
    let cost = react(t, g, action, occasion).await;
    if !g.in_play(v) {
        return;
    }
    let leaving = home.is_some() && g.area_of(v) == home;
    if stopped(cost) && leaving {
        g.village_mut(v).place = was;
        t.tell(|| format!("The {} are turned back.", g.c[v].name));
        return;
    }
    lose_stronghold(t, g, v);
    g.village_mut(v).place = match (to, home) {
        (Destination::Area(a), _) => Place::Area(a),
        (Destination::Mexico, Some(from)) => Place::Mexico { from },
        (Destination::Canada, Some(from)) => Place::Canada { from },
        // Accepted only from an Area.
        (_, None) => was,
    };
    if g.area_of(v).is_none() {
        offers_lapse(t, g, v);
    }
}
