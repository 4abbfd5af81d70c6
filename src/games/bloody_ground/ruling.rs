//! Effects of a director's ruling: everything that players could correct by hand on the map.
//!
//! A ruling is possible while a side chooses its action (9.3), when nothing is in progress. Units
//! of both sides may share an area at that time, because combat comes later (4.5). The resulting
//! position must be legal according to [`super::legal`]; otherwise the table refuses the ruling.

use super::{
    State,
    components::{AreaId, KindId, LeaderId, NationId, Season, Side, Stance},
    state::{COMMITMENTS, Chief, Force, Fort, LEVELS, SETTLERS, Spot, Unit, UnitId},
};
use postrider_orders::Names;
use postrider_table::{Effect, EffectKind, Refusal, SCORE, named, refuse, status::Condition};

/// The effects of rulings.
pub const EFFECTS: &[EffectKind<State>] = &[
    ("units", "area, unit (a kind), n: the new number of units there, exchanged with the box", units),
    (
        "state",
        "area, unit (a kind), and any of disrupted, acted: how many of the units there are Disrupted, or have acted this turn",
        state,
    ),
    ("leader", "leader, and any of area (area=off: out of play), acted", leader),
    (
        "area",
        "area, and any of settlers, village, pillaged, fort (us, british, none), siege, us-atrocities, na-atrocities",
        area,
    ),
    ("nation", "nation, and any of level, stance (peaceful, warpath, surrendered)", nation),
    ("track", "any of commitment, us, na (VPs), initiative (us, na)", track),
    ("turn", "turn, or season for another turn of this year; the year follows", turn),
];

/// Returns an error while no effect of a ruling is possible.
///
/// # Errors
///
/// [`Refusal`] that says when one is.
pub fn may_rule(g: &State) -> Result<(), Refusal> {
    if !g.at_rest {
        return refuse("9.3", "this is set right while a side chooses its next action on the map: rule then");
    }
    Ok(())
}

fn area_of(g: &State, e: &mut Effect<'_>) -> Result<AreaId, Refusal> {
    e.named("area", &g.charts.called.areas)
}

/// Reads the area and the kind of unit, such as `regular`, of an effect.
fn kind_there(g: &State, e: &mut Effect<'_>) -> Result<(AreaId, KindId), Refusal> {
    let kinds: Names<KindId> = Names::from_iter("kind of unit", g.c.kind_ids().map(|k| (g.c[k].id.clone(), k)));
    Ok((area_of(g, e)?, e.named("unit", &kinds)?))
}

/// Sets the number of units of a kind in an area; units come from the box and return to it.
fn units(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let (a, kind) = kind_there(g, e)?;
    let name = g.c[kind].id.clone();
    if let Some(n) = e.number("n", &name, 0..=g.c[kind].count.into())? {
        let met = |g: &State| Side::ALL.into_iter().all(|side| g.fighters(a, side).any(|u| !g.unit(u).inside));
        let before = met(g);
        stand(g, a, kind, n)?;
        if met(g) && !before {
            return refuse("4.5", format!("the enemy is at {}, and units meet only by moving", g.name(a)));
        }
        e.told(format!("{name} {n}"));
    }
    Ok(g.name(a))
}

/// Sets how many units of a kind in an area are Disrupted, and how many have acted this turn (9.3).
fn state(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let (a, kind) = kind_there(g, e)?;
    let all = 0..=g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(a)).count() as i64;
    if let Some(n) = e.number("disrupted", "Disrupted", all.clone())? {
        share(
            g,
            a,
            kind,
            n,
            |unit| unit.condition != Condition::Normal,
            |unit, is| {
                unit.condition = if is { Condition::Disrupted } else { Condition::Normal };
            },
        );
        e.told(format!("{n} Disrupted"));
    }
    if let Some(n) = e.number("acted", "acted", all)? {
        share(
            g,
            a,
            kind,
            n,
            |unit| unit.acts > 0 || unit.done,
            |unit, is| {
                (unit.acts, unit.done) = (u8::from(is), false);
            },
        );
        e.told(format!("{n} that have acted"));
    }
    Ok(format!("{} at {}", g.c[kind].id, g.name(a)))
}

/// Puts `n` units of a kind in an area into a state and the others out of it, with as few changes
/// as possible.
fn share(g: &mut State, a: AreaId, kind: KindId, n: usize, is: impl Fn(&Unit) -> bool, put: impl Fn(&mut Unit, bool)) {
    let mut here: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(a)).collect();
    here.sort_by_key(|&u| !is(g.unit(u)));
    for (k, u) in here.into_iter().enumerate().filter(|&(k, u)| (k < n) != is(g.unit(u))).collect::<Vec<_>>() {
        put(g.unit_mut(u), k < n);
    }
}

/// Sets a leader's area, and if he has acted this turn (9.3).
fn leader(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let l: LeaderId = e.named("leader", &g.charts.called.leaders)?;
    if let Some(at) = e.word("area")? {
        let spot = match &*at {
            "off" => Spot::Gone,
            name => Spot::On(named(&g.charts.called.areas, name)?),
        };
        if let Spot::On(a) = spot
            && g.fighters(a, g.c[l].side.enemy()).any(|u| !g.unit(u).inside)
            && g.fighters(a, g.c[l].side).next().is_none()
        {
            return refuse("4.5", format!("the enemy is at {}, and {} would be alone there", g.name(a), g.c[l].name));
        }
        super::fort::abandon(g, &Force { units: Vec::new(), leaders: vec![l] });
        *g.chief_mut(l) = Chief { spot, ..Default::default() };
        e.told(spot.area().map_or("out of play".to_owned(), |a| format!("at {}", g.name(a))));
    }
    let chief = g.chief_mut(l);
    let gone = chief.spot.area().is_none();
    let mut acted = chief.acts > 0 || chief.done;
    if e.state("acted", "active this turn", &mut acted)? {
        if gone {
            return refuse("-", format!("{} is not on the map: leave out `acted`", g.c[l].name));
        }
        (chief.acts, chief.done) = (u8::from(acted), false);
    }
    Ok(g.c[l].name.clone())
}

/// Sets the markers of an area (6.0, 9.2, 9.5, 11.2, 11.3.1).
fn area(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let a = area_of(g, e)?;
    let forts =
        [("us", Some((Side::Us, "a US fort"))), ("british", Some((Side::Na, "a British fort"))), ("none", None)];
    if let Some(fort) = e.choice("fort", &forts)? {
        walls(g, a, fort.map(|(side, _)| side));
        e.told(fort.map_or("no fort", |(_, words)| words));
    }
    let [us_most, na_most] = ["atrocity_us", "atrocity_na"].map(|id| 0..=i64::from(g.c.markers(id)));
    let (name, turns) = (g.name(a), g.c.scenarios[g.scenario].turns);
    let land = g.land_mut(a);
    let [us, na] = &mut land.atrocity;
    e.count("us-atrocities", "Atrocities of the US", us, us_most)?;
    e.count("na-atrocities", "Atrocities of the nations", na, na_most)?;
    e.count("settlers", "settlers", &mut land.settlers, 0..=SETTLERS.into())?;
    e.flag("village", "a village", &mut land.village)?;
    e.state("pillaged", "pillaged", &mut land.pillaged)?;
    // A siege adds one a turn (11.3.1).
    if let Some(siege) = e.number("siege", "Siege markers", 0..=i64::from(turns))? {
        let Some(fort) = land.fort.as_mut().filter(|fort| fort.is_ready()) else {
            return refuse("11.3.1", format!("no fort stands ready at {name}"));
        };
        fort.siege = siege;
        e.told(format!("Siege markers {siege}"));
    }
    Ok(name)
}

/// Sets a nation's level and attitude (8.1).
fn nation(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let nations: Names<NationId> = Names::from_iter("nation", g.c.nation_ids().map(|n| (g.c[n].name.clone(), n)));
    let n = e.named("nation", &nations)?;
    let tribe = g.tribe_mut(n);
    e.count("level", "level", &mut tribe.ml, 0..=LEVELS.into())?;
    if let Some(stance) = e.choice("stance", &Stance::ALL.map(|stance| (stance.word(), stance)))? {
        tribe.stance = stance;
        e.told(stance.name());
    }
    Ok(g.c[n].name.clone())
}

/// Sets the tracks (8.2), VPs and initiative (9.1).
fn track(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    e.count("commitment", "US Commitment", &mut g.commitment, 1..=COMMITMENTS.into())?;
    let [of_us, of_na] = &mut g.vps;
    e.count("us", "VPs of the US", of_us, 0..=*SCORE.end())?;
    e.count("na", "VPs of the nations", of_na, 0..=*SCORE.end())?;
    if let Some(side) = e.choice("initiative", &[("us", Side::Us), ("na", Side::Na)])? {
        g.initiative = side;
        e.told(format!("the initiative with the {}", side.name()));
    }
    Ok("The tracks".to_owned())
}

/// Sets the turn, or the season of this year; the year follows.
fn turn(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let turns = 1..=i64::from(g.c.scenarios[g.scenario].turns);
    let of_season = e.choice("season", &Season::ALL.map(|season| (season.word(), season.index() as i64)))?;
    let now = g.season.index() as i64;
    let to = match (of_season, e.number("turn", "turn", turns.clone())?) {
        (None, to) => to,
        (Some(season), None) => Some(i64::from(g.turn) + season - now).filter(|to| turns.contains(to)),
        (Some(season), to) => to.filter(|to| (now + to - i64::from(g.turn)).rem_euclid(4) == season),
    };
    let Some(to) = to else {
        return match of_season {
            Some(_) => refuse("4.7", "that season is in no such turn of the scenario"),
            None => Ok("The turn".to_owned()),
        };
    };
    let since = i64::from(g.year) * 4 + now + to - i64::from(g.turn);
    // The number of turns is small, so year and season stay in range.
    g.turn = to as u32;
    (g.year, g.season) = ((since / 4) as u16, Season::ALL[(since % 4) as usize]);
    e.told(format!("turn {to}, {} {}", g.season.name(), g.year));
    Ok("The turn".to_owned())
}

/// Sets the number of units of a kind in an area; units outside the fort are removed first.
fn stand(g: &mut State, a: AreaId, kind: KindId, n: u8) -> Result<(), Refusal> {
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

/// Places or removes a fort. Units that were in a fort of the other side, or of none now, are
/// outside.
fn walls(g: &mut State, a: AreaId, side: Option<Side>) {
    g.land_mut(a).fort = side.map(Fort::of);
    for other in Side::ALL.into_iter().filter(|&other| Some(other) != side) {
        g.units_in(a, other).collect::<Vec<_>>().into_iter().for_each(|u| g.unit_mut(u).inside = false);
        g.leaders_in(a, other).collect::<Vec<_>>().into_iter().for_each(|l| g.chief_mut(l).inside = false);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        BloodyGround, State,
        components::{Class, Season, Side, Stance},
        state::{Spot, Unit},
        testing::*,
    };
    use postrider_table::{Refusal, ruled, status::Condition};
    use serde_json::{Value, json};

    /// Applies a ruling as the table does.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<BloodyGround>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// Returns a position in which a side chooses an action.
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
        assert_eq!((said.as_str(), count(&g, "regular", "U1")), ("Cincinnati (U1): regular 5.", 5));
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
        let said = rule(&mut g, &json!({ "leader": { "leader": "harmar", "acted": true } })).unwrap();
        assert_eq!((said.as_str(), g.chief(leader(&g, "Harmar")).acts), ("Harmar: active this turn.", 1));
        rule(&mut g, &json!({ "leader": { "leader": "harmar", "area": "off" } })).unwrap();
        assert_eq!(g.chief(leader(&g, "Harmar")).spot, Spot::Gone);
        // Units that have completed their actions without acting have acted, too.
        let kind = g.c.of_class(Class::Regular);
        let here: Vec<_> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(at(&g, "U1"))).collect();
        g.unit_mut(here[0]).done = true;
        rule(&mut g, &json!({ "state": { "area": "U1", "unit": "regular", "acted": 0 } })).unwrap();
        assert!(here.iter().all(|&u| !g.unit(u).done && g.unit(u).acts == 0));
        at_war(&mut g, "Miami", 3);
        let met = rule(&mut g, &json!({ "units": { "area": "U1", "unit": "Miami", "n": 1 } })).unwrap_err();
        assert_eq!(met.rule, "4.5", "{met:?}");
        // Settlers cannot be in a pillaged area, and a siege needs besiegers.
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
        let land = g.land(at(&g, "S5"));
        assert_eq!((land.pillaged, land.fort.as_ref().map(|fort| fort.siege)), (true, Some(1)));
        let said = rule(&mut g, &json!({ "nation": { "nation": "miami", "level": 4, "stance": "warpath" } })).unwrap();
        assert_eq!(said, "Miami: level 4 and on the warpath.");
        assert_eq!((g.tribe(nation(&g, "Miami")).ml, g.tribe(nation(&g, "Miami")).stance), (4, Stance::Warpath));
        let said = rule(&mut g, &json!({ "track": { "commitment": 5, "us": 7 } })).unwrap();
        assert_eq!(
            (said.as_str(), g.commitment, g.vps),
            ("The tracks: US Commitment 5 and VPs of the US 7.", 5, [7, 0])
        );
    }

    /// dark-and-bloody-ground 4.7, 9.1
    #[test]
    fn turn_and_initiative_are_set_as_ruled() {
        let mut g = at_rest();
        let (turn, year, season) = (g.turn, g.year, g.season);
        let said = rule(&mut g, &json!({ "turn": { "turn": turn + 5 } })).unwrap();
        let next = season.next();
        assert_eq!(said, format!("The turn: turn {}, {} {}.", turn + 5, next.name(), g.year));
        assert_eq!((g.season, g.year), (next, year + 1 + u16::from(next == Season::Winter)));
        rule(&mut g, &json!({ "turn": { "season": season.word(), "turn": turn } })).unwrap();
        assert_eq!((g.turn, g.year, g.season), (turn, year, season));
        let other = g.initiative.enemy();
        let word = if other == Side::Us { "us" } else { "na" };
        rule(&mut g, &json!({ "track": { "initiative": word } })).unwrap();
        assert_eq!(g.initiative, other);
    }

    /// dark-and-bloody-ground 9.3, 6.0.1, 15.4.5
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = at_rest();
        let kind = g.c.of_class(Class::Regular);
        let regulars = g.c[kind].count;
        put(&mut g, "regular", 1, "U2");
        at_war(&mut g, "Shawnee", 3);
        put(&mut g, "Shawnee", 1, "S5");
        let cases = [
            (json!({ "units": { "area": "U1", "unit": "regular", "n": 99 } }), "regular: 99 is out of range"),
            (json!({ "units": { "area": "U1", "unit": "regular", "n": regulars } }), "more regular to take"),
            (json!({ "units": { "area": "atlantis", "unit": "regular", "n": 1 } }), "is called “atlantis”"),
            (json!({ "units": { "area": "U1", "unit": "dragoons", "n": 1 } }), "no kind of unit is called “dragoons”"),
            (json!({ "state": { "area": "U1", "unit": "regular", "acted": 40 } }), "acted: 40 is out of range"),
            (json!({ "state": { "area": "U2", "unit": "regular", "disrupted": 2 } }), "2 is out of range; 0 to 1"),
            (json!({ "leader": { "leader": "harmar", "area": "S5" } }), "Harmar would be alone there"),
            (json!({ "leader": { "leader": "custer" } }), "no leader is called “custer”"),
            (json!({ "leader": { "leader": "harmar", "area": "off", "acted": true } }), "leave out `acted`"),
            (json!({ "area": { "area": "U1", "settlers": 9 } }), "settlers: 9 is out of range; 0 to 4"),
            (json!({ "area": { "area": "U3", "siege": 2 } }), "no fort stands ready"),
            (json!({ "area": { "area": "U1" } }), "changes nothing of"),
            (json!({ "nation": { "nation": "miami", "level": 6 } }), "is out of range"),
            (json!({ "track": { "commitment": 0 } }), "is out of range"),
            (json!({ "track": { "us": -1 } }), "is out of range"),
            (json!({ "track": { "initiative": "spain" } }), "`initiative` must be us or na"),
            (json!({ "turn": { "turn": 99 } }), "is out of range"),
            (json!({ "turn": { "turn": g.turn + 1, "season": g.season.word() } }), "in no such turn"),
            (json!({ "nation": { "nation": "miami", "stance": "asleep" } }), "`stance` must be peaceful, warpath or"),
            (json!({ "cards": {} }), "has no such effect"),
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
