//! The dice of an engagement (12.1.2).

use crate::{
    T,
    components::{Face, Faction, RegionId},
    state::{Cubes, State},
};

/// Conditions of a roll.
#[derive(Clone, Copy)]
pub struct Dice {
    pub out: Option<Faction>,
    pub winter: bool,
    /// `true` if only the attacked Wagon rolls for the US.
    pub wagon: bool,
}

/// The result of one side's roll.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rolled {
    pub hits: u8,
    pub treaties: u8,
    /// The number of Blanks that each faction rolled.
    pub blanks: Cubes,
}

/// Rolls for the Indians and for the US, in this order.
pub fn roll_both(t: &T, g: &State, r: RegionId, dice: Dice) -> [Rolled; 2] {
    let mut told = Vec::new();
    let rolled = [true, false].map(|indian| roll_side(t, g, r, indian, dice, &mut told));
    t.tell(|| format!("Dice: {}.", told.join("; ")));
    rolled
}

/// Rolls for one side: one die for each faction with one cube, two for each with more (12.1.2).
fn roll_side(t: &T, g: &State, r: RegionId, indian: bool, dice: Dice, told: &mut Vec<String>) -> Rolled {
    let here = *g.region(r);
    let fierce = indian && g.fx.fierce.contains(&r);
    let mut rolled = Rolled::default();
    for faction in Faction::ALL {
        let counts = match faction {
            Faction::Railroad => 0,
            Faction::Wagons => {
                if dice.wagon && !indian {
                    2
                } else {
                    0
                }
            }
            f if f.is_indian() != indian || Some(f) == dice.out || dice.wagon && !indian => 0,
            f => here[f].min(2) + u8::from(dice.winter && f == Faction::Cavalry && here[f] > 0),
        };
        if counts == 0 {
            continue;
        }
        let faces: Vec<Face> = (0..counts).map(|_| roll(t, g, faction)).collect();
        for face in &faces {
            match face {
                Face::Weapon => rolled.hits += 1,
                Face::Treaty if fierce => rolled.hits += 1,
                Face::Treaty => rolled.treaties += 1,
                Face::Blank => rolled.blanks[faction] += 1,
            }
        }
        let name = |face: &Face| match face {
            Face::Treaty if fierce => format!("{} (a hit)", face.name()),
            face => face.name().to_owned(),
        };
        let names: Vec<String> = faces.iter().map(name).collect();
        told.push(format!("{} {}", faction.cubes(), names.join(", ")));
    }
    rolled
}

/// Rolls one die of a faction. Wagons use their own row of the component file, which repeats the
/// Settlers' die.
pub fn roll(t: &T, g: &State, faction: Faction) -> Face {
    const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
    let at = t.d6(LABELS[faction.index().min(5)]);
    g.c.pieces[faction.index()].die[(at - 1) as usize]
}
