//! What a director's ruling can do: whatever an owner of the box could set right with his own hands on the map.
//!
//! It comes while a side gives its orders in a phase; under fire, in a melee or a Retreat results are counted at once, and nothing is
//! ruled. The position afterwards must be one that the rules can reach, as [`super::legal`] judges it; otherwise the table refuses.

use super::{
    State,
    components::{Class, LeaderId, Num, Side, UnitId},
    leaders, mode,
    state::{Chief, Mode, Spot, Unit, Wound},
};
use postrider_orders::Names;
use postrider_table::{Amount, Markers, Refusal, SCORE, effect, hex::Hex, named, refuse};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What a ruling does. Members that are left out stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// A unit.
    #[serde(rename_all = "kebab-case")]
    Unit {
        /// Its id or name.
        unit: String,
        /// Where it is: a hex, `off` the map, or `lost`.
        #[serde(default, deserialize_with = "place")]
        at: Option<String>,
        /// How it moves and fights (8).
        mode: Option<ModeWord>,
        /// Casualty Points on it; no VPs are counted for them.
        losses: Option<Amount>,
        /// Disrupted (3.B).
        disrupted: Option<bool>,
        /// Pinned (3.B).
        pinned: Option<bool>,
        /// Routed (3.B).
        routed: Option<bool>,
        /// Low on ammunition (14.A).
        low_ammo: Option<bool>,
        /// Ammunition of a Pack Train: points, or boxes (15, 14.F).
        ammo: Option<Amount>,
    },
    /// A Leader.
    Leader {
        /// His name.
        leader: String,
        /// Where he is: a hex, `off` the map, or `lost`.
        #[serde(default, deserialize_with = "place")]
        at: Option<String>,
        /// How badly he is hurt (12.D.1); no VPs are counted for it.
        wound: Option<WoundWord>,
    },
    /// An objective (17), with its VPs.
    Objective {
        /// Its name.
        objective: String,
        /// Whether the US has entered it.
        entered: bool,
    },
    /// What is counted beside the map.
    #[serde(rename_all = "kebab-case")]
    Track {
        /// VPs of the US.
        us: Option<Amount>,
        /// VPs of the Indians.
        indians: Option<Amount>,
        /// Casualty Points of the US.
        us_losses: Option<Amount>,
        /// Casualty Points of the Indians (16.F).
        indian_losses: Option<Amount>,
        /// Ammo Points left (14.C).
        ammo: Option<Amount>,
    },
}

/// A Unit Mode in a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModeWord {
    Mounted,
    Dismounted,
    Prone,
}

/// A wound in a ruling. A mortal one needs a die and is not ruled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WoundWord {
    None,
    Moderate,
    Severe,
}

/// A hex may stand there as a number too.
fn place<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a hex, `off` or `lost`")]
    enum Place {
        Word(String),
        Hex(u16),
    }
    let place = Option::<Place>::deserialize(from)?;
    Ok(place.map(|place| match place {
        Place::Word(word) => word,
        Place::Hex(hex) => format!("{hex:04}"),
    }))
}

/// Where something is by a word: a hex, `off` or `lost`.
fn spot(g: &State, word: &str) -> Result<Spot, Refusal> {
    match word {
        "off" => Ok(Spot::Off),
        "lost" => Ok(Spot::Dead),
        id => match g.charts.grid.hex(id) {
            Some(hex) => Ok(Spot::On(hex)),
            None => refuse("2.B", format!("{id} is no hex of the map; there is also `off` and `lost`")),
        },
    }
}

/// A place in words.
fn told(g: &State, spot: Spot) -> String {
    match spot {
        Spot::On(hex) => format!("in {}", g.id(hex)),
        Spot::Off => "off the map".to_owned(),
        _ => "out of play".to_owned(),
    }
}

/// Does what a ruling says; gives what it did, in words.
///
/// # Errors
/// [`Refusal`] when the effect names nothing of this game, or comes while an order is carried out.
pub fn rule(g: &mut State, said: &Value) -> Result<String, Refusal> {
    let effect: Effect = effect(said)?;
    if g.resolving {
        return refuse("4", "this is set right while a side gives its orders in a phase: rule then");
    }
    let mut markers = Markers::default();
    match effect {
        Effect::Unit { unit, at, mode, losses, disrupted, pinned, routed, low_ammo, ammo } => {
            let units = g.c.unit_ids().flat_map(|u| g.names_of(u).map(move |name| (name.to_owned(), u)));
            let units: Names<UnitId> = Names::from_iter("unit", units);
            let u = named(&units, "unit", &unit)?;
            if let Some(at) = at {
                let to = spot(g, &at)?;
                if g.unit(u).spot != to {
                    moved(g, u, to);
                }
                markers.told(told(g, to));
            }
            let on_map = g.hex(u).is_some();
            if !on_map && (mode.is_some() || losses.is_some() || pinned.or(routed).or(disrupted).or(low_ammo).is_some())
            {
                return refuse("3.B", format!("{} is not on the map", g.called(u)));
            }
            if let Some(word) = mode {
                let to = [Mode::Mounted, Mode::Dismounted, Mode::Prone][word as usize];
                set_mode(g, u, to)?;
                markers.told(to.name().to_owned());
            }
            if ammo.is_some() && g.class(u) != Class::Train {
                return refuse("15", format!("{} is no Pack Train", g.called(u)));
            }
            let load = g.c.n(if g.variant.ammo_roster { Num::TrainBoxes } else { Num::TrainPoints });
            let strength = 0..=i64::from(g.full(u));
            let state = g.unit_mut(u);
            markers.count("Casualty Points", &mut state.losses, losses, strength)?;
            markers.state("Disrupted", &mut state.disrupted, disrupted);
            markers.state("Pinned", &mut state.pinned, pinned);
            markers.state("Routed", &mut state.routed, routed);
            markers.state("Low Ammo", &mut state.low_ammo, low_ammo);
            markers.count("ammunition", &mut state.ammo, ammo, 0..=load.into())?;
            state.rout_from = state.spot.hex().filter(|_| state.routed);
            pinned.into_iter().for_each(|pinned| leaders::pin(g, u, pinned));
            markers.words(&g.called(u))
        }
        Effect::Leader { leader, at, wound } => {
            let l = named(&LeaderId::names(&g.c, "leader"), "leader", &leader)?;
            if leaders::is_staff(g, l) {
                return refuse("12.E", "the staff goes with the Column HQ");
            }
            if let Some(at) = at {
                let to = spot(g, &at)?;
                *g.chief_mut(l) = Chief { spot: to, with: None, ..*g.chief(l) };
                to.hex().into_iter().for_each(|hex| leaders::settle(g, hex));
                markers.told(told(g, to));
            }
            if let Some(word) = wound {
                let wound = [Wound::None, Wound::Moderate, Wound::Severe][word as usize];
                let chief = g.chief_mut(l);
                (chief.wound, chief.dies, chief.safe) = (wound, None, false);
                markers.told(wound.name().to_owned());
            }
            markers.words(&g.c[l].id.clone())
        }
        Effect::Objective { objective, entered } => {
            use super::components::Vp;
            let all = [Vp::CrooksHill, Vp::ConicalHill, Vp::AndrewsPoint];
            let names =
                Names::from_iter("objective", all.iter().enumerate().map(|(at, vp)| (vp.name().to_owned(), at)));
            let at = named(&names, "objective", &objective)?;
            let points = if entered { g.c.vp(all[at]) } else { -g.c.vp(all[at]) };
            let is_new = g.entered[at] != entered;
            markers.state("entered by the US", &mut g.entered[at], Some(entered));
            if is_new {
                g.score(Side::Us, points);
                let sum = g.vps[Side::Us.index()];
                if !(0..=*SCORE.end()).contains(&sum.into()) {
                    return refuse("17", format!("the VPs of the US would be {sum}"));
                }
                markers.told(format!("VPs of the US {sum}"));
            }
            markers.words(all[at].name())
        }
        Effect::Track { us, indians, us_losses, indian_losses, ammo } => {
            let [of_us, of_indians] = &mut g.vps;
            markers.count("VPs of the US", of_us, us, 0..=*SCORE.end())?;
            markers.count("VPs of the Indians", of_indians, indians, 0..=*SCORE.end())?;
            let strength = |side: Side| {
                let of_side = g.c.unit_ids().filter(|&u| g.side(u) == side);
                0..=of_side.map(|u| i64::from(g.full(u))).sum::<i64>()
            };
            let [all_us, all_indians] = [Side::Us, Side::Indian].map(strength);
            let [of_us, of_indians] = &mut g.losses;
            markers.count("Casualty Points of the US", of_us, us_losses, all_us)?;
            markers.count("Casualty Points of the Indians", of_indians, indian_losses, all_indians)?;
            markers.count("Ammo Points", &mut g.ammo_points, ammo, 0..=g.c.n(Num::AmmoPoints).into())?;
            markers.words("The tracks")
        }
    }
}

/// Puts a unit somewhere with its Leaders; who leaves the map is in good order there.
fn moved(g: &mut State, u: UnitId, to: Spot) {
    let from = g.hex(u);
    let along: Vec<LeaderId> = leaders::attached(g, u).collect();
    g.put(u, to);
    if to.hex().is_none() {
        *g.unit_mut(u) = Unit { spot: to, losses: g.unit(u).losses, used: g.unit(u).used, ..Unit::new() };
    } else {
        g.unit_mut(u).did.from = to.hex();
        along.into_iter().for_each(|l| g.chief_mut(l).spot = to);
    }
    for l in g.c.leader_ids().filter(|&l| g.chief(l).with == Some(u) && g.chief(l).spot != to).collect::<Vec<_>>() {
        g.chief_mut(l).with = None;
    }
    let hexes: Vec<Hex> = from.into_iter().chain(to.hex()).collect();
    hexes.into_iter().for_each(|hex| leaders::settle(g, hex));
}

/// Puts a unit into a mode: its Holder comes and goes with it (8.D.2).
fn set_mode(g: &mut State, u: UnitId, to: Mode) -> Result<(), Refusal> {
    if g.unit(u).mode == to {
        return Ok(());
    }
    match to {
        Mode::Mounted if g.class(u).walks() => return refuse("8", format!("{} is always on foot", g.called(u))),
        Mode::Mounted => {
            if let Some(h) = g.charts.helper[u.index()].filter(|&h| g.class(h).is_holder() && g.hex(h).is_some()) {
                g.put(h, Spot::Pool);
                *g.unit_mut(h) = Unit::new();
            }
        }
        _ => _ = mode::put_down(g, u),
    }
    g.unit_mut(u).mode = to;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{RosebudCreek, testing::*},
        *,
    };
    use postrider_table::ruled;
    use serde_json::json;

    /// Rules as the table does.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<RosebudCreek>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// rosebud-creek 3.B, 8.D, 12.A, 17
    #[test]
    fn things_are_set_as_ruled() {
        let mut g = bare();
        ride(&mut g, "3A", "2707");
        foot(&mut g, "3E", "2707");
        lead(&mut g, "Mills", "2707");
        let said = rule(&mut g, &json!({ "unit": { "unit": "3A", "at": "2808", "pinned": true } })).unwrap();
        assert_eq!((said.as_str(), at(&g, "3A").as_str()), ("Lawson (3A): in 2808 and Pinned.", "2808"));
        let mills = leader(&g, "Mills");
        let said =
            rule(&mut g, &json!({ "unit": { "unit": "lawson", "mode": "dismounted", "pinned": false } })).unwrap();
        assert_eq!((said.as_str(), at(&g, "3AH").as_str()), ("Lawson (3A): dismounted and not Pinned.", "2808"));
        rule(&mut g, &json!({ "unit": { "unit": "3A", "mode": "mounted", "losses": 2 } })).unwrap();
        assert_eq!((at(&g, "3AH").as_str(), g.cf(unit(&g, "3A"))), ("-", 4));
        let said = rule(&mut g, &json!({ "leader": { "leader": "mills", "at": 2808, "wound": "moderate" } })).unwrap();
        assert_eq!((said.as_str(), g.chief(mills).with), ("Mills: in 2808 and wounded.", Some(unit(&g, "3A"))));
        rule(&mut g, &json!({ "unit": { "unit": "3A", "at": "lost" } })).unwrap();
        assert_eq!((at(&g, "3A").as_str(), g.chief(mills).with), ("-", None));
        let said = rule(&mut g, &json!({ "track": { "us": 7, "indian-losses": 13, "ammo": 1 } })).unwrap();
        assert_eq!(said, "The tracks: VPs of the US 7, Casualty Points of the Indians 13 and Ammo Points 1.");
        assert_eq!((g.vps, g.losses, g.ammo_points), ([7, 0], [0, 13], 1));
        let said = rule(&mut g, &json!({ "objective": { "objective": "conical hill", "entered": true } })).unwrap();
        let vps = 7 + g.c.vp(super::super::components::Vp::ConicalHill);
        let right = format!("Conical Hill: entered by the US and VPs of the US {vps}.");
        assert_eq!((said, g.entered, g.vps), (right, [false, true, false], [vps, 0]));
        rule(&mut g, &json!({ "objective": { "objective": "conical hill", "entered": false } })).unwrap();
        assert_eq!((g.entered, g.vps), ([false; 3], [7, 0]));
        ride(&mut g, "PTA", "2710");
        rule(&mut g, &json!({ "unit": { "unit": "PTA", "ammo": 2 } })).unwrap();
        assert_eq!(g.unit(unit(&g, "PTA")).ammo, 2);
    }

    /// rosebud-creek 6.A, 7.C, 8, 11
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = bare();
        foot(&mut g, "3A", "2707");
        foot(&mut g, "H1", "2808");
        let all = g.full(unit(&g, "3A"));
        let cases = [
            (json!({ "unit": { "unit": "3A", "at": "2808" } }), "would not be legal"),
            (json!({ "unit": { "unit": "3A", "at": "9999" } }), "is no hex"),
            (json!({ "unit": { "unit": "3A", "losses": 99 } }), "is out of range"),
            (json!({ "unit": { "unit": "3A", "losses": all } }), "would not be legal"),
            (json!({ "unit": { "unit": "3E", "pinned": true } }), "is not on the map"),
            (json!({ "unit": { "unit": "3A" } }), "sets nothing of"),
            (json!({ "unit": { "unit": "3A", "ammo": 2 } }), "is no Pack Train"),
            (json!({ "unit": { "unit": "custer", "at": "2707" } }), "is no unit here"),
            (json!({ "leader": { "leader": "custer" } }), "is no leader here"),
            (json!({ "leader": { "leader": "staff", "at": "2707" } }), "goes with the Column HQ"),
            (json!({ "track": { "ammo": 5 } }), "is out of range"),
            (json!({ "objective": { "objective": "the moon", "entered": true } }), "is no objective here"),
            (json!({ "cards": {} }), "knows no such effect"),
        ];
        for (effect, why) in &cases {
            let told = rule(&mut g, effect).unwrap_err().why;
            assert!(told.contains(why), "{effect}: {told}");
        }
        g.resolving = true;
        let told = rule(&mut g, &json!({ "track": { "us": 3 } })).unwrap_err();
        assert!(told.why.contains("gives its orders"), "{told}");
    }
}
