//! What a director's ruling can do: whatever an owner of the box could set right with his own hands on the map.
//!
//! It comes while a side chooses its action (9.3): nothing is counted for it then. The position afterwards must be one that the
//! rules can reach, as [`super::legal`] judges it; otherwise the table refuses.

use super::{
    State,
    components::{AreaId, KindId, NationId, Side, Stance},
    state::{COMMITMENTS, Fort, LEVELS, SETTLERS, Spot, Unit, UnitId},
};
use postrider_table::{Amount, MARKERS, Markers, Refusal, SCORE, effect, named, refuse, status::Condition};
use serde::Deserialize;
use serde_json::Value;

/// What a ruling does. Members that are left out stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// Units of a kind in an area: more come out of the box, fewer go back to it.
    Units {
        /// The area, by its id or name.
        area: String,
        /// The kind, `regular`.
        unit: String,
        /// How many stand there from now on.
        n: Amount,
    },
    /// The state of the units of a kind in an area.
    State {
        /// The area, by its id or name.
        area: String,
        /// The kind, `regular`.
        unit: String,
        /// The number of them that are Disrupted.
        disrupted: Option<Amount>,
        /// The number of them that have acted in this turn (9.3).
        acted: Option<Amount>,
    },
    /// Where a leader is.
    Leader {
        /// His name.
        leader: String,
        /// The area; out of play where it is left out.
        area: Option<String>,
    },
    /// What lies in an area.
    #[serde(rename_all = "kebab-case")]
    Area {
        /// The area, by its id or name.
        area: String,
        /// Settlers.
        settlers: Option<Amount>,
        /// Whether there is a village (6.0.3).
        village: Option<bool>,
        /// Whether it is pillaged (9.5).
        pillaged: Option<bool>,
        /// A fort, ready, or none.
        fort: Option<Walls>,
        /// Siege markers on it (11.3.1).
        siege: Option<Amount>,
        /// Atrocity markers of the US (9.2).
        us_atrocities: Option<Amount>,
        /// Those of the nations (9.2).
        na_atrocities: Option<Amount>,
    },
    /// How a nation stands (8.1).
    Nation {
        /// Its name.
        nation: String,
        /// Its Mobilization Level.
        level: Option<Amount>,
        /// Peaceful, on the warpath or surrendered.
        stance: Option<Stance>,
    },
    /// What is counted beside the map.
    Track {
        /// US Commitment (8.2).
        commitment: Option<Amount>,
        /// VPs of the US.
        us: Option<Amount>,
        /// VPs of the nations.
        na: Option<Amount>,
    },
}

/// A fort of a side, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Walls {
    /// A fort of the US.
    Us,
    /// A British fort.
    British,
    /// None.
    None,
}

fn kind_of(g: &State, name: &str) -> Result<KindId, Refusal> {
    named(&KindId::names(&g.c, "unit"), "kind of unit", name)
}

/// Puts so many units of a kind in an area into a state, and the others out of it; those first that
/// are in it already.
fn share(
    g: &mut State,
    a: AreaId,
    kind: KindId,
    what: &str,
    n: Option<Amount>,
    is: impl Fn(&Unit) -> bool,
    put: impl Fn(&mut Unit, bool),
) -> Result<Option<usize>, Refusal> {
    let Some(n) = n else { return Ok(None) };
    let mut here: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(a)).collect();
    let n: usize = n.within(what, 0..=here.len() as i64)?;
    here.sort_by_key(|&u| !is(g.unit(u)));
    for (k, u) in here.into_iter().enumerate().filter(|&(k, u)| (k < n) != is(g.unit(u))).collect::<Vec<_>>() {
        put(g.unit_mut(u), k < n);
    }
    Ok(Some(n))
}

fn area(g: &State, name: &str) -> Result<AreaId, Refusal> {
    named(&g.charts.called.areas, "area", name)
}

/// Does what a ruling says; gives what it did, in words.
///
/// # Errors
/// [`Refusal`] when the effect names nothing of this game, or comes while no side chooses an action.
pub fn rule(g: &mut State, said: &Value) -> Result<String, Refusal> {
    let effect: Effect = effect(said)?;
    if !g.at_rest {
        return refuse("9.3", "this is set right while a side chooses its next action on the map: rule then");
    }
    let mut told = Markers::default();
    match effect {
        Effect::Units { area: at, unit, n } => {
            let (a, kind) = (area(g, &at)?, kind_of(g, &unit)?);
            let n = n.within(&g.c[kind].id, 0..=g.c[kind].count.into())?;
            units(g, a, kind, n)?;
            told.told(format!("{n} {}", g.c[kind].id));
            told.words(&g.name(a))
        }
        Effect::State { area: at, unit, disrupted, acted } => {
            let (a, kind) = (area(g, &at)?, kind_of(g, &unit)?);
            let is_disrupted = |unit: &Unit| unit.condition != Condition::Normal;
            if let Some(n) = share(g, a, kind, "Disrupted", disrupted, is_disrupted, |unit, is| {
                unit.condition = if is { Condition::Disrupted } else { Condition::Normal };
            })? {
                told.told(format!("{n} Disrupted"));
            }
            let has_acted = |unit: &Unit| unit.acts > 0 || unit.done;
            if let Some(n) = share(g, a, kind, "acted", acted, has_acted, |unit, is| {
                (unit.acts, unit.done) = (u8::from(is), false);
            })? {
                told.told(format!("{n} that have acted"));
            }
            told.words(&format!("{} at {}", g.c[kind].id, g.name(a)))
        }
        Effect::Leader { leader, area: at } => {
            let l = named(&g.charts.called.leaders, "leader", &leader)?;
            let spot = at.map(|at| area(g, &at)).transpose()?.map_or(Spot::Gone, Spot::On);
            super::fort::abandon(g, l);
            *g.chief_mut(l) = super::state::Chief { spot, ..Default::default() };
            told.told(spot.area().map_or("out of play".to_owned(), |a| format!("at {}", g.name(a))));
            told.words(&g.c[l].name.clone())
        }
        Effect::Area { area: at, settlers, village, pillaged, fort, siege, us_atrocities, na_atrocities } => {
            let a = area(g, &at)?;
            if let Some(fort) = fort {
                walls(g, a, fort);
                let words = match fort {
                    Walls::Us => "a US fort",
                    Walls::British => "a British fort",
                    Walls::None => "no fort",
                };
                told.told(words.to_owned());
            }
            if siege.is_some() && g.fort(a).is_none() {
                return refuse("11.3.1", format!("no fort stands ready at {}", g.name(a)));
            }
            let [us_most, na_most] = ["atrocity_us", "atrocity_na"].map(|id| 0..=i64::from(g.c.markers(id)));
            let land = g.land_mut(a);
            let [us, na] = &mut land.atrocity;
            told.count("Atrocities of the US", us, us_atrocities, us_most)?;
            told.count("Atrocities of the nations", na, na_atrocities, na_most)?;
            told.count("settlers", &mut land.settlers, settlers, 0..=SETTLERS.into())?;
            told.flag("a village", &mut land.village, village);
            told.state("pillaged", &mut land.pillaged, pillaged);
            if let Some(fort) = &mut land.fort {
                told.count("Siege markers", &mut fort.siege, siege, MARKERS)?;
            }
            told.words(&g.name(a))
        }
        Effect::Nation { nation, level, stance } => {
            let n = named(&NationId::names(&g.c, "nation"), "nation", &nation)?;
            let tribe = g.tribe_mut(n);
            told.count("level", &mut tribe.ml, level, 0..=LEVELS.into())?;
            if let Some(stance) = stance {
                tribe.stance = stance;
                told.told(stance.name().to_owned());
            }
            told.words(&g.c[n].name.clone())
        }
        Effect::Track { commitment, us, na } => {
            told.count("US Commitment", &mut g.commitment, commitment, 1..=COMMITMENTS.into())?;
            let [of_us, of_na] = &mut g.vps;
            told.count("VPs of the US", of_us, us, 0..=*SCORE.end())?;
            told.count("VPs of the nations", of_na, na, 0..=*SCORE.end())?;
            told.words("The tracks")
        }
    }
}

/// Sets how many units of a kind stand in an area: those go first that are out of the fort.
fn units(g: &mut State, a: AreaId, kind: KindId, n: u8) -> Result<(), Refusal> {
    let mut here: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(a)).collect();
    here.sort_by_key(|&u| g.unit(u).inside);
    let (n, stand) = (usize::from(n), here.len());
    let mut free: Vec<UnitId> =
        g.of_kind(kind).filter(|&u| matches!(g.unit(u).spot, Spot::Pool | Spot::Gone)).collect();
    free.sort_by_key(|&u| g.unit(u).spot);
    if n > stand + free.len() {
        return refuse("3.0", format!("there are {} more {} to take, not {}", free.len(), g.c[kind].id, n - stand));
    }
    for &u in free.iter().take(n.saturating_sub(stand)) {
        *g.unit_mut(u) = Unit { spot: Spot::On(a), ..Unit::new(kind) };
    }
    for &u in here.iter().take(stand.saturating_sub(n)) {
        g.remove(u, Spot::Pool);
    }
    Ok(())
}

/// Puts a fort into an area, or takes it away; who was in one of the other side, or of none, stands outside.
fn walls(g: &mut State, a: AreaId, fort: Walls) {
    let side = match fort {
        Walls::Us => Some(Side::Us),
        Walls::British => Some(Side::Na),
        Walls::None => None,
    };
    g.land_mut(a).fort = side.map(|side| Fort { side, siege: 0, builder: None, razer: None });
    for other in Side::ALL.into_iter().filter(|&other| Some(other) != side) {
        g.units_in(a, other).collect::<Vec<_>>().into_iter().for_each(|u| g.unit_mut(u).inside = false);
        g.leaders_in(a, other).collect::<Vec<_>>().into_iter().for_each(|l| g.chief_mut(l).inside = false);
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{BloodyGround, components::Class, testing::*},
        *,
    };
    use postrider_table::ruled;
    use serde_json::json;

    /// Rules as the table does.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<BloodyGround>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// A position in which an action is chosen.
    fn at_rest() -> State {
        let mut g = war();
        g.at_rest = true;
        g
    }

    /// dark-and-bloody-ground 9.3, 8.2, 11.2.1
    #[test]
    fn things_are_set_as_ruled() {
        let mut g = at_rest();
        put(&mut g, "regular", 3, "U1");
        let said = rule(&mut g, &json!({ "units": { "area": "cincinnati", "unit": "regular", "n": 5 } })).unwrap();
        assert_eq!((said.as_str(), count(&g, "regular", "U1")), ("Cincinnati (U1): 5 regular.", 5));
        let set = json!({ "state": { "area": "U1", "unit": "regular", "disrupted": 2, "acted": 3 } });
        assert_eq!(rule(&mut g, &set).unwrap(), "regular at Cincinnati (U1): 2 Disrupted and 3 that have acted.");
        let here: Vec<Unit> = g.units_in(at(&g, "U1"), Side::Us).map(|u| *g.unit(u)).collect();
        let disrupted = here.iter().filter(|unit| unit.condition == Condition::Disrupted).count();
        assert_eq!((disrupted, here.iter().filter(|unit| unit.acts == 1).count()), (2, 3));
        rule(&mut g, &json!({ "state": { "area": "U1", "unit": "regular", "disrupted": 0 } })).unwrap();
        assert!(g.units_in(at(&g, "U1"), Side::Us).all(|u| g.unit(u).condition == Condition::Normal));
        rule(&mut g, &json!({ "units": { "area": "U1", "unit": "regular", "n": 1 } })).unwrap();
        assert_eq!(count(&g, "regular", "U1"), 1);
        let said = rule(&mut g, &json!({ "leader": { "leader": "harmar", "area": "U1" } })).unwrap();
        assert_eq!(
            (said.as_str(), g.chief(leader(&g, "Harmar")).spot),
            ("Harmar: at Cincinnati (U1).", Spot::On(at(&g, "U1")))
        );
        rule(&mut g, &json!({ "leader": { "leader": "harmar" } })).unwrap();
        assert_eq!(g.chief(leader(&g, "Harmar")).spot, Spot::Gone);
        // No settlers are left in a pillaged area, and no siege without besiegers.
        let set = json!({ "area": { "area": "U1", "settlers": 2, "pillaged": true, "fort": "us", "siege": 1 } });
        let refused = rule(&mut g, &set).unwrap_err().why;
        assert!(refused.contains("9.5.2") && refused.contains("11.3.1"), "{refused}");
        let said = rule(&mut g, &json!({ "area": { "area": "U1", "settlers": 2 } })).unwrap();
        assert_eq!((said.as_str(), g.land(at(&g, "U1")).settlers), ("Cincinnati (U1): settlers 2.", 2));
        at_war(&mut g, "Shawnee", 3);
        put(&mut g, "Shawnee", 1, "S5");
        let set = json!({ "area": { "area": "S5", "pillaged": true, "fort": "us", "siege": 1 } });
        let said = rule(&mut g, &set).unwrap();
        assert!(said.ends_with("(S5): a US fort, pillaged and Siege markers 1."), "{said}");
        let land = *g.land(at(&g, "S5"));
        assert_eq!((land.pillaged, land.fort.map(|fort| fort.siege)), (true, Some(1)));
        let said = rule(&mut g, &json!({ "nation": { "nation": "miami", "level": 4, "stance": "warpath" } })).unwrap();
        assert_eq!(said, "Miami: level 4 and on the warpath.");
        assert_eq!((g.tribe(nation(&g, "Miami")).ml, g.tribe(nation(&g, "Miami")).stance), (4, Stance::Warpath));
        let said = rule(&mut g, &json!({ "track": { "commitment": 5, "us": 7 } })).unwrap();
        assert_eq!(
            (said.as_str(), g.commitment, g.vps),
            ("The tracks: US Commitment 5 and VPs of the US 7.", 5, [7, 0])
        );
    }

    /// dark-and-bloody-ground 9.3, 6.0.1, 15.4.5
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = at_rest();
        let kind = g.c.of_class(Class::Regular);
        let regulars = g.c[kind].count;
        put(&mut g, "regular", 1, "U2");
        let cases = [
            (json!({ "units": { "area": "U1", "unit": "regular", "n": 99 } }), "regular: 99 is out of range"),
            (json!({ "units": { "area": "U1", "unit": "regular", "n": regulars } }), "more regular to take"),
            (json!({ "units": { "area": "atlantis", "unit": "regular", "n": 1 } }), "is no area here"),
            (json!({ "units": { "area": "U1", "unit": "dragoons", "n": 1 } }), "is no kind of unit here"),
            (json!({ "state": { "area": "U1", "unit": "regular", "acted": 40 } }), "acted: 40 is out of range"),
            (json!({ "leader": { "leader": "custer" } }), "is no leader here"),
            (json!({ "area": { "area": "U1", "settlers": 9 } }), "settlers: 9 is out of range; 0 to 4"),
            (json!({ "area": { "area": "U3", "siege": 2 } }), "no fort stands ready"),
            (json!({ "area": { "area": "U1" } }), "sets nothing of"),
            (json!({ "nation": { "nation": "miami", "level": 6 } }), "is out of range"),
            (json!({ "track": { "commitment": 0 } }), "is out of range"),
            (json!({ "track": { "us": -1 } }), "is out of range"),
            (json!({ "cards": {} }), "knows no such effect"),
        ];
        for (effect, why) in &cases {
            let told = rule(&mut g, effect).unwrap_err().why;
            assert!(told.contains(why), "{effect}: {told}");
        }
        g.at_rest = false;
        let told = rule(&mut g, &json!({ "track": { "us": 3 } })).unwrap_err();
        assert!(told.why.contains("chooses its next action"), "{told}");
    }
}
