//! Effects of a director's ruling: everything that players could correct by hand on the map.
//!
//! A ruling is possible while a side gives its orders in a phase, but not during fire, a melee or a
//! Retreat, when results are being applied. The resulting position must be legal according to
//! [`super::legal`]; otherwise the table refuses the ruling.

use super::{
    State,
    components::{Class, LeaderId, Num, Side, UnitId, Vp},
    leaders, mode, pack,
    state::{Chief, Mode, Phase, Spot, Unit, Wound},
};
use postrider_orders::Names;
use postrider_table::{Effect, EffectKind, Refusal, SCORE, hex::Hex, named, refuse};

/// The effects of rulings.
pub const EFFECTS: &[EffectKind<State>] = &[
    (
        "unit",
        "unit, and any of at (a hex, off, lost), mode (mounted, dismounted, prone), losses, used (halves of boxes, with `ammo-roster`), disrupted, pinned, routed, low-ammo; of a Pack Train ammo, abandoned",
        unit,
    ),
    ("leader", "leader, and any of at (a hex, off, lost), wound (none, moderate, severe)", leader),
    ("objective", "objective, entered: true if the US has entered it; its VPs are added or removed", objective),
    ("track", "any of us, indians (VPs), us-losses, indian-losses (Casualty Points), ammo", track),
    ("turn", "any of turn, next-phase (a later phase of this Player Turn, to follow the current one)", turn),
];

/// Returns an error while no effect of a ruling is possible.
///
/// # Errors
///
/// [`Refusal`] that says when one is.
pub fn may_rule(g: &State) -> Result<(), Refusal> {
    if g.resolving {
        return refuse("4", "this is set right while a side gives its orders in a phase: rule then");
    }
    Ok(())
}

/// Reads the destination of a piece: a hex, `off` the map, or `lost`.
fn spot(g: &State, e: &mut Effect<'_>) -> Result<Option<Spot>, Refusal> {
    let Some(word) = e.word("at")? else { return Ok(None) };
    let (spot, words) = match &*word {
        "off" => (Spot::Off, "off the map".to_owned()),
        "lost" => (Spot::Dead, "out of play".to_owned()),
        // A hex id sent as a number has lost its leading zeros.
        id => match g.charts.grid.hex(&format!("{id:0>4}")) {
            Some(hex) => (Spot::On(hex), format!("in {}", g.id(hex))),
            None => return refuse("2.B", format!("{id} is no hex of the map; there is also `off` and `lost`")),
        },
    };
    e.told(words);
    Ok(Some(spot))
}

/// The number that a ruling sets on the Ammo Roster (14.D).
const USED: &str = "halves of boxes used";

/// Sets a unit's place, mode, strength (8) and markers (3.B). No VPs are scored for its losses.
fn unit(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let units = g.c.unit_ids().flat_map(|u| g.names_of(u).map(move |name| (name.to_owned(), u)));
    let units: Names<UnitId> = Names::from_iter("unit", units);
    let said = e.needed("unit")?;
    let printed = g.c.unit_ids().find(|&u| g.called(u).eq_ignore_ascii_case(said.trim()));
    let u = printed.map_or_else(|| named(&units, &said), Ok)?;
    if let Some(to) = spot(g, e)?.filter(|&to| g.unit(u).spot != to) {
        moved(g, u, to);
    }
    let before = *g.unit(u);
    let modes = [Mode::Mounted, Mode::Dismounted, Mode::Prone].map(|mode| (mode.word(), mode));
    if let Some(to) = e.choice("mode", &modes)? {
        set_mode(g, u, to)?;
        e.told(to.name());
    }
    if g.class(u) == Class::Train {
        train(g, u, e)?;
    }
    if !g.variant.ammo_roster && e.number::<u8>("used", USED, 0..=u8::MAX.into())?.is_some() {
        return refuse("14.D", "boxes of ammunition are used only with the option `ammo-roster`");
    }
    let boxes = i64::from(g.c[u].boxes) * 2;
    let strength = 0..=i64::from(g.full(u));
    let state = g.unit_mut(u);
    e.count("losses", "Casualty Points", &mut state.losses, strength)?;
    e.count("used", USED, &mut state.used, 0..=boxes)?;
    e.state("disrupted", "Disrupted", &mut state.disrupted)?;
    let pins = e.state("pinned", "Pinned", &mut state.pinned)?;
    e.state("routed", "Routed", &mut state.routed)?;
    e.state("low-ammo", "Low Ammo", &mut state.low_ammo)?;
    if state.spot.hex().is_none() && *state != before {
        return refuse("3.B", format!("{} is not on the map", g.called(u)));
    }
    state.rout_from = state.spot.hex().filter(|_| state.routed);
    let pinned = state.pinned;
    if pins {
        leaders::pin(g, u, pinned);
    }
    Ok(g.called(u))
}

/// Sets a Pack Train's ammunition, in points or boxes (15, 14.F), and its abandoned state (15.B).
fn train(g: &mut State, u: UnitId, e: &mut Effect<'_>) -> Result<(), Refusal> {
    let load = g.c.n(if g.variant.ammo_roster { Num::TrainBoxes } else { Num::TrainPoints });
    e.count("ammo", "ammunition", &mut g.unit_mut(u).ammo, 0..=load.into())?;
    let mut abandoned = g.unit(u).abandoned;
    let was = abandoned;
    e.state("abandoned", "abandoned", &mut abandoned)?;
    if abandoned && !was && pack::leave(g, u).is_none() {
        return refuse("15.B", format!("{} is not on the map", g.called(u)));
    } else if was && !abandoned {
        pack::man(g, u);
    }
    Ok(())
}

/// Sets a Leader's place and wound (12.D.1). A mortal wound needs a die and cannot be set; no VPs
/// are scored.
fn leader(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let heads: Names<LeaderId> = Names::from_iter("leader", g.c.leader_ids().map(|l| (g.c[l].id.clone(), l)));
    let l = e.named("leader", &heads)?;
    if leaders::is_staff(g, l) {
        return refuse("12.E", "the staff goes with the Column HQ");
    }
    if let Some(to) = spot(g, e)? {
        *g.chief_mut(l) = Chief { spot: to, with: None, ..*g.chief(l) };
        to.hex().into_iter().for_each(|hex| leaders::settle(g, hex));
    }
    let wounds = [Wound::None, Wound::Moderate, Wound::Severe].map(|wound| (wound.word(), wound));
    if let Some(wound) = e.choice("wound", &wounds)? {
        let chief = g.chief_mut(l);
        (chief.wound, chief.dies, chief.safe) = (wound, None, false);
        e.told(wound.name());
    }
    Ok(g.c[l].id.clone())
}

/// Sets if the US has entered an objective (17), and adds or subtracts its VPs.
fn objective(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let all = [Vp::CrooksHill, Vp::ConicalHill, Vp::AndrewsPoint];
    let names = all.iter().enumerate().map(|(at, vp)| (vp.name().to_owned(), at));
    let at = e.named("objective", &Names::from_iter("objective", names))?;
    let was = g.entered[at];
    if e.state("entered", "entered by the US", &mut g.entered[at])? && g.entered[at] != was {
        let points = g.c.vp(all[at]);
        g.vps[Side::Us.index()] += if was { -points } else { points };
        let sum = g.vps[Side::Us.index()];
        if !(0..=*SCORE.end()).contains(&sum.into()) {
            return refuse("17", format!("the VPs of the US would be {sum}"));
        }
        e.told(format!("VPs of the US {sum}"));
    }
    Ok(all[at].name().to_owned())
}

/// Sets the tracks: VPs, Casualty Points (16.F), and Ammo Points left (14.C).
fn track(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let [of_us, of_indians] = &mut g.vps;
    e.count("us", "VPs of the US", of_us, 0..=*SCORE.end())?;
    e.count("indians", "VPs of the Indians", of_indians, 0..=*SCORE.end())?;
    let strength = |side: Side| {
        let of_side = g.c.unit_ids().filter(|&u| g.side(u) == side);
        0..=of_side.map(|u| i64::from(g.full(u))).sum::<i64>()
    };
    let [all_us, all_indians] = [Side::Us, Side::Indian].map(strength);
    let [of_us, of_indians] = &mut g.losses;
    e.count("us-losses", "Casualty Points of the US", of_us, all_us)?;
    e.count("indian-losses", "Casualty Points of the Indians", of_indians, all_indians)?;
    e.count("ammo", "Ammo Points", &mut g.ammo_points, 0..=g.c.n(Num::AmmoPoints).into())?;
    Ok("The tracks".to_owned())
}

/// Sets the turn, and the next phase of this Player Turn (4); phases in between are skipped. The
/// set-up comes before the first turn, and no phase follows it in its turn.
fn turn(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    if g.phase == Phase::SetUp {
        return refuse("4", "turn 1 follows the set-up: rule on the turn when it has begun");
    }
    e.count("turn", "turn", &mut g.turn, 1..=g.c.n(Num::Turns).into())?;
    let to_come: Vec<(&str, Phase)> =
        Phase::ALL.into_iter().filter(|&phase| phase > g.phase).map(|phase| (phase.word(), phase)).collect();
    if to_come.is_empty() && e.word("next-phase")?.is_some() {
        return refuse("4", format!("no phase comes after the {}", g.phase.name()));
    }
    if let Some(phase) = e.choice("next-phase", &to_come)? {
        g.next_phase = Some(phase);
        e.told(format!("the {} comes next", phase.name()));
    }
    Ok("The turn".to_owned())
}

/// Moves a unit with its Leaders; a unit off the map returns to good order.
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

/// Changes a unit's mode, with its Holder (8.D.2).
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
    use super::super::{RosebudCreek, State, components::Vp, state::Phase, testing::*, victory::tell_points};
    use postrider_table::{Refusal, ruled};
    use serde_json::{Value, json};

    /// Applies a ruling as the table does.
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
        let said = rule(&mut g, &json!({ "unit": { "unit": "3A", "at": "2808", "disrupted": true } })).unwrap();
        assert_eq!((said.as_str(), at(&g, "3A").as_str()), ("Lawson (3A): in 2808 and Disrupted.", "2808"));
        let mills = leader(&g, "Mills");
        let said =
            rule(&mut g, &json!({ "unit": { "unit": "lawson", "mode": "dismounted", "disrupted": false } })).unwrap();
        assert_eq!((said.as_str(), at(&g, "3AH").as_str()), ("Lawson (3A): dismounted and not Disrupted.", "2808"));
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
        let vps = 7 + g.c.vp(Vp::ConicalHill);
        let right = format!("Conical Hill: entered by the US and VPs of the US {vps}.");
        assert_eq!((said, g.entered, g.vps), (right, [false, true, false], [vps, 0]));
        rule(&mut g, &json!({ "objective": { "objective": "conical hill", "entered": false } })).unwrap();
        assert_eq!((g.entered, g.vps), ([false; 3], [7, 0]));
        let said = rule(&mut g, &json!({ "turn": { "turn": 5, "next-phase": "melee" } })).unwrap();
        assert_eq!(
            (said.as_str(), g.turn, g.next_phase),
            ("The turn: turn 5 and the Melee Phase comes next.", 5, Some(Phase::Melee))
        );
        ride(&mut g, "PTA", "2710");
        rule(&mut g, &json!({ "unit": { "unit": "PTA", "ammo": 2 } })).unwrap();
        assert_eq!(g.unit(unit(&g, "PTA")).ammo, 2);
        rule(&mut g, &json!({ "unit": { "unit": "PTA", "abandoned": true } })).unwrap();
        let personnel = g.charts.helper[unit(&g, "PTA").index()].expect("its Personnel");
        assert!(g.unit(unit(&g, "PTA")).abandoned && g.hex(personnel).is_some());
        rule(&mut g, &json!({ "unit": { "unit": "PTA", "abandoned": false } })).unwrap();
        assert!(!g.unit(unit(&g, "PTA")).abandoned && g.hex(personnel).is_none());
    }

    #[test]
    fn units_are_named_as_they_are_printed() {
        for id in ["3A", "3AH", "H1"] {
            let mut g = bare();
            let u = foot(&mut g, id, "2707");
            let printed = g.called(u);
            for (name, on) in [(printed.to_lowercase(), true), (id.to_owned(), false)] {
                let effect = json!({ "unit": { "unit": name, "disrupted": on } });
                let right = format!("{printed}: {}.", if on { "Disrupted" } else { "not Disrupted" });
                assert_eq!(rule(&mut g, &effect).unwrap(), right);
            }
        }
    }

    /// rosebud-creek 14.D
    #[test]
    fn boxes_are_ruled_with_their_option() {
        let mut g = bare();
        ride(&mut g, "3A", "2707");
        let used = json!({ "unit": { "unit": "3A", "used": 1 } });
        let why = rule(&mut g, &used).unwrap_err();
        let only = "boxes of ammunition are used only with the option `ammo-roster`";
        assert_eq!((why.rule, why.why.as_str()), ("14.D", only));
        g.variant.ammo_roster = true;
        let many = json!({ "unit": { "unit": "3A", "used": 99 } });
        let why = rule(&mut g, &many).unwrap_err().why;
        assert!(why.contains("halves of boxes used: 99 is out of range"), "{why}");
        assert_eq!(rule(&mut g, &used).unwrap(), "Lawson (3A): halves of boxes used 1.");
    }

    /// rosebud-creek 3.B, 12.A, 12.D, 17
    #[test]
    fn each_member_of_an_effect_sets_its_piece() {
        type Read = fn(&State) -> String;
        let cases: &[(Value, &str, Read, &str)] = &[
            (
                json!({ "unit": { "unit": "3A", "disrupted": true } }),
                "Lawson (3A): Disrupted.",
                |g| g.unit(unit(g, "3A")).disrupted.to_string(),
                "true",
            ),
            (
                json!({ "unit": { "unit": "3A", "routed": true } }),
                "Lawson (3A): Routed.",
                |g| {
                    format!(
                        "{} {:?}",
                        g.unit(unit(g, "3A")).routed,
                        g.unit(unit(g, "3A")).rout_from == g.hex(unit(g, "3A"))
                    )
                },
                "true true",
            ),
            (
                json!({ "unit": { "unit": "3A", "low-ammo": true } }),
                "Lawson (3A): Low Ammo.",
                |g| g.unit(unit(g, "3A")).low_ammo.to_string(),
                "true",
            ),
            // Mills is Pinned with his unit, and recovers with it; other markers leave him as he
            // is.
            (
                json!({ "unit": { "unit": "3A", "pinned": true } }),
                "Lawson (3A): Pinned.",
                |g| format!("{} {}", g.unit(unit(g, "3A")).pinned, g.chief(leader(g, "Mills")).pinned),
                "true true",
            ),
            (
                json!({ "unit": { "unit": "3E", "pinned": true } }),
                "Sutorious (3E): Pinned.",
                |g| format!("{} {}", g.unit(unit(g, "3E")).pinned, g.chief(leader(g, "Mills")).pinned),
                "true false",
            ),
            (
                json!({ "unit": { "unit": "3A", "losses": 1 } }),
                "Lawson (3A): Casualty Points 1.",
                |g| g.unit(unit(g, "3A")).losses.to_string(),
                "1",
            ),
            (
                json!({ "leader": { "leader": "mills", "wound": "severe" } }),
                "Mills: severely wounded.",
                |g| g.chief(leader(g, "Mills")).wound.word().to_owned(),
                "severe",
            ),
            (
                json!({ "track": { "indians": 4 } }),
                "The tracks: VPs of the Indians 4.",
                |g| format!("{:?}", g.vps),
                "[0, 4]",
            ),
            (
                json!({ "track": { "us-losses": 5 } }),
                "The tracks: Casualty Points of the US 5.",
                |g| format!("{:?}", g.losses),
                "[5, 0]",
            ),
        ];
        for (effect, words, read, after) in cases {
            let mut g = bare();
            foot(&mut g, "3A", "2707");
            foot(&mut g, "3E", "2707");
            let mills = lead(&mut g, "Mills", "2707");
            g.chief_mut(mills).with = Some(unit(&g, "3A"));
            let told = rule(&mut g, effect);
            let told = told.as_deref().map_err(|why| why.why.as_str());
            assert_eq!((told, read(&g).as_str()), (Ok(*words), *after), "{effect}");
        }
    }

    /// rosebud-creek 17
    #[test]
    fn what_a_ruling_scores_is_not_told_with_the_next_order() {
        let mut g = bare();
        rule(&mut g, &json!({ "track": { "us": 7 } })).unwrap();
        let quiet = |t, mut g| async move {
            tell_points(&t, &mut g);
            g
        };
        assert_eq!(Trial::new(g, quiet).start().story(), [""; 0]);
    }

    /// rosebud-creek 8.A
    #[test]
    fn a_mounted_unit_is_never_pinned_by_a_ruling() {
        let mut g = bare();
        ride(&mut g, "3A", "2707");
        let told = rule(&mut g, &json!({ "unit": { "unit": "3A", "pinned": true } })).unwrap_err().why;
        assert!(told.contains("is mounted and Pinned"), "{told}");
        rule(&mut g, &json!({ "unit": { "unit": "3A", "mode": "dismounted", "pinned": true } })).unwrap();
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
            (json!({ "unit": { "unit": "3A" } }), "changes nothing of"),
            (json!({ "unit": { "unit": "3A", "ammo": 2 } }), "`unit` has no member `ammo`"),
            (json!({ "unit": { "unit": "3A", "mode": "flying" } }), "`mode` must be mounted, dismounted or prone"),
            (json!({ "turn": { "turn": 99 } }), "turn: 99 is out of range"),
            (json!({ "turn": { "next-phase": "rally" } }), "`next-phase` must be defensive, advance or melee"),
            (json!({ "unit": { "unit": "custer", "at": "2707" } }), "no unit is called “custer”"),
            (json!({ "leader": { "leader": "custer" } }), "no leader is called “custer”"),
            (json!({ "leader": { "leader": "staff", "at": "2707" } }), "goes with the Column HQ"),
            (json!({ "track": { "ammo": 5 } }), "is out of range"),
            (json!({ "objective": { "objective": "the moon", "entered": true } }), "no objective is called “the moon”"),
            (json!({ "cards": {} }), "has no such effect"),
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
