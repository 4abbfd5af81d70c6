//! What a director's ruling can do: whatever an owner of the box could set right with his own hands and everybody can see.
//!
//! A ruling sets markers to what they should be. The position afterwards must be one that the rules can reach, as
//! [`super::legal`] judges it; otherwise the table refuses the ruling with what would be wrong.

use super::{
    State,
    columns::separate,
    components::AreaId,
    naming,
    state::{ACTIONS, COLUMN_ARTILLERY, COLUMN_BPS, DEVASTATIONS, Place, RESERVE_BPS, SETTLEMENTS, SKULLS},
};
use postrider_orders::Names;
use postrider_table::{Amount, MARKERS, Markers, Refusal, SCORE, effect, named, refuse, seat_named};
use serde::Deserialize;
use serde_json::Value;

/// What a ruling does. Members that are left out stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// A Tally Sheet is corrected (10.1).
    Vps {
        /// The seat, `A`.
        seat: String,
        /// VPs more, or less below 0.
        change: Amount,
    },
    /// The markers of an Area.
    Area {
        /// Its name or code.
        area: String,
        /// 5.22.
        settlements: Option<Amount>,
        /// 5.22.
        towns: Option<Amount>,
        /// Unbroken RR markers (5.24).
        rrs: Option<Amount>,
        /// Broke RR markers (7.24).
        broke: Option<Amount>,
        /// Massacre markers of this Turn (7.6).
        massacres: Option<Amount>,
        /// Buffalo Skulls (9.2G); the rest lie in the box.
        skulls: Option<Amount>,
        /// A Mission (9.2N).
        mission: Option<bool>,
        /// The State marker (10.2).
        state: Option<bool>,
    },
    /// A Mine on the map, attacked with success this Turn or not (7.26).
    Mine {
        /// Its Area.
        area: String,
        /// Its name.
        mine: String,
        /// Whether its marker shows the attack.
        hit: bool,
    },
    /// A Village.
    Village {
        /// Its name.
        village: String,
        /// The Area in which it stands, of one that is on the map.
        area: Option<String>,
        /// BPs in the Village itself; those of War Parties stand with them.
        bps: Option<Amount>,
        /// Its Devastated marker, 0 to 3 (7.41).
        devastation: Option<Amount>,
        /// Actions taken this Turn (6.8).
        actions: Option<Amount>,
        /// On its "Finished" side.
        finished: Option<bool>,
        /// Markers of Shaman Cards (9.2).
        peace_chief: Option<bool>,
        /// See above.
        blood_lust: Option<bool>,
        /// See above.
        shaman_medicine: Option<bool>,
        /// See above.
        scouting: Option<bool>,
    },
    /// A War Party.
    WarParty {
        /// As players name it, by its Village and, of two, its number: `Comanche 2`.
        party: String,
        /// The Area in which it stands.
        area: Option<String>,
        /// Its BPs, 1 at least.
        bps: Option<Amount>,
    },
    /// A Column.
    Column {
        /// Its Commander.
        commander: String,
        /// The Area in which it stands.
        area: Option<String>,
        /// Its BPs (5.31).
        bps: Option<Amount>,
        /// Field Guns (5.52).
        guns: Option<Amount>,
        /// Gatling Guns (5.52).
        gatlings: Option<Amount>,
        /// Whether it stands in a Fort.
        in_fort: Option<bool>,
    },
    /// The US Reserve (5.344).
    Reserve {
        /// BPs.
        bps: Option<Amount>,
        /// Field Guns.
        guns: Option<Amount>,
        /// Gatling Guns.
        gatlings: Option<Amount>,
    },
}

/// Does what a ruling says; gives what it did, in words.
///
/// # Errors
/// [`Refusal`] when the effect names nothing of this game.
pub fn rule(g: &mut State, said: &Value) -> Result<String, Refusal> {
    let mut told = Markers::default();
    match &effect(said)? {
        Effect::Vps { seat, change } => {
            let seat = seat_named(g.seats(), seat)?;
            let vps = &mut g.tally[seat.index()].vps;
            let sum = change.added_to(*vps, "VPs", SCORE)?;
            let (more, sign) = (*change, if sum < *vps { "" } else { "+" });
            *vps = sum;
            Ok(format!("{}: {sign}{more} VPs, {sum} in all.", g.who(seat)))
        }
        Effect::Area { area, settlements, towns, rrs, broke, massacres, skulls, mission, state } => {
            let a = area_named(g, area)?;
            let name = g.c[a].name.clone();
            let area = g.area_mut(a);
            told.count("Settlements", &mut area.settlements, *settlements, 0..=SETTLEMENTS.into())?;
            told.count("Towns", &mut area.towns, *towns, MARKERS)?;
            told.count("RRs", &mut area.rrs, *rrs, MARKERS)?;
            told.count("Broke RRs", &mut area.broke, *broke, MARKERS)?;
            told.count("Massacres", &mut area.massacres, *massacres, MARKERS)?;
            told.count("Buffalo Skulls", &mut area.skulls, *skulls, 0..=SKULLS.into())?;
            told.flag("a Mission", &mut area.mission, *mission);
            told.flag("a State", &mut area.state, *state);
            told.words(&name)
        }
        Effect::Mine { area, mine, hit } => {
            let a = area_named(g, area)?;
            let mut names = Names::new("Mine");
            for (at, placed) in g.area(a).mines.iter().enumerate() {
                names.add(&g.c[placed.id].name, at);
            }
            let at = named(&names, "Mine", mine)?;
            let (name, place) = (g.c[g.area(a).mines[at].id].name.clone(), g.c[a].name.clone());
            g.area_mut(a).mines[at].hit = *hit;
            Ok(format!("{name} in {place}: {}.", if *hit { "attacked this Turn" } else { "not attacked this Turn" }))
        }
        Effect::Village {
            village,
            area,
            bps,
            devastation,
            actions,
            finished,
            peace_chief,
            blood_lust,
            shaman_medicine,
            scouting,
        } => {
            let v = named(&naming::villages(g, g.village_ids()), "Village", village)?;
            let name = g.c[v].name.clone();
            if let Some(to) = moved(g, area.as_deref(), &mut told)? {
                let Place::Area(_) = g.village(v).place else {
                    return refuse("6.2", format!("{name} is not on the map"));
                };
                g.village_mut(v).place = Place::Area(to);
            }
            let size = 0..=i64::from(g.c[v].size);
            let village = g.village_mut(v);
            told.count("BPs", &mut village.bps, *bps, size)?;
            told.count("Devastated", &mut village.devastation, *devastation, 0..=DEVASTATIONS.into())?;
            told.count("actions", &mut village.actions, *actions, 0..=ACTIONS.into())?;
            told.state("Finished", &mut village.finished, *finished);
            village.smallpox &= village.finished;
            told.flag("a Peace Chief", &mut village.peace_chief, *peace_chief);
            told.flag("Blood Lust", &mut village.blood_lust, *blood_lust);
            told.flag("Shaman Medicine", &mut village.shaman_medicine, *shaman_medicine);
            told.flag("Scouting", &mut village.scouting, *scouting);
            told.words(&name)
        }
        Effect::WarParty { party, area, bps } => {
            let id = named(&naming::parties(g), "War Party", party)?;
            let name = g.party(id).map(|party| g.party_name(party)).unwrap_or_default();
            let size = g.party(id).map_or(0, |party| i64::from(g.c[party.village].size));
            let to = moved(g, area.as_deref(), &mut told)?;
            if to.is_some() {
                g.leave_alliance(id);
            }
            if let Some(party) = g.party_mut(id) {
                party.area = to.unwrap_or(party.area);
                told.count("BPs", &mut party.bps, *bps, 1..=size)?;
            }
            told.words(&format!("War Party of the {name}"))
        }
        Effect::Column { commander, area, bps, guns, gatlings, in_fort } => {
            let id = named(&naming::columns(g), "Column", commander)?;
            let name = g.column_name(id).to_owned();
            let to = moved(g, area.as_deref(), &mut told)?;
            if to.is_some() || *in_fort == Some(true) {
                separate(g, id);
            }
            if let Some(column) = g.columns.iter_mut().find(|column| column.id == id) {
                column.area = to.unwrap_or(column.area);
                told.count("BPs", &mut column.bps, *bps, 1..=COLUMN_BPS.into())?;
                told.count("Field Guns", &mut column.guns, *guns, 0..=COLUMN_ARTILLERY.into())?;
                told.count("Gatling Guns", &mut column.gatlings, *gatlings, 0..=COLUMN_ARTILLERY.into())?;
                told.state("in Fort", &mut column.in_fort, *in_fort);
            }
            told.words(&format!("The Column of {name}"))
        }
        Effect::Reserve { bps, guns, gatlings } => {
            told.count("BPs", &mut g.reserve.bps, *bps, 0..=RESERVE_BPS.into())?;
            told.count("Field Guns", &mut g.reserve.guns, *guns, MARKERS)?;
            told.count("Gatling Guns", &mut g.reserve.gatlings, *gatlings, MARKERS)?;
            told.words("The US Reserve")
        }
    }
}

/// The Area to which something is moved, if it is, and that it is told.
fn moved(g: &State, area: Option<&str>, told: &mut Markers) -> Result<Option<AreaId>, Refusal> {
    let Some(a) = area.map(|area| area_named(g, area)).transpose()? else { return Ok(None) };
    told.told(format!("in {}", g.c[a].name));
    Ok(Some(a))
}

fn area_named(g: &State, name: &str) -> Result<AreaId, Refusal> {
    named(&naming::areas(g), "Area", name)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Geronimo, state::Alliance, testing::*},
        *,
    };
    use postrider_table::{Seat, ruled};
    use serde_json::json;

    /// Rules as the table does.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        let (after, words) = ruled::<Geronimo>(g, effect)?;
        *g = after;
        Ok(words)
    }

    /// What an owner of the box can set right.
    #[test]
    fn markers_are_set_as_ruled() {
        let mut g = basic(4);
        let said = rule(&mut g, &json!({ "vps": { "seat": "b", "change": -3 } })).unwrap();
        assert_eq!((g.tally[1].vps, said.contains("-3 VPs, -3 in all")), (-3, true), "{said}");
        let said = rule(&mut g, &json!({ "area": { "area": "kansas", "settlements": 4, "mission": true } })).unwrap();
        assert_eq!(said, "Kansas: Settlements 4 and a Mission.");
        let kansas = g.area(area(&g, "KS"));
        assert_eq!((kansas.settlements, kansas.mission), (4, true));
        column(&mut g, "Crook", "KS", 4);
        assert_eq!(
            rule(&mut g, &json!({ "column": { "commander": "crook", "bps": 5 } })).unwrap(),
            "The Column of Crook: BPs 5."
        );
        assert_eq!(g.columns[0].bps, 5);
        let said = rule(&mut g, &json!({ "column": { "commander": "crook", "area": "texas" } })).unwrap();
        assert_eq!((said.as_str(), g.columns[0].area), ("The Column of Crook: in Texas.", area(&g, "TX")));
        let said = rule(&mut g, &json!({ "village": { "village": "comanche", "area": "kansas" } })).unwrap();
        assert_eq!(said, "Comanche: in Kansas.");
        let village = village(&g, "Comanche");
        let said = rule(&mut g, &json!({ "village": { "village": "comanche", "devastation": 2, "finished": true } }));
        assert_eq!(said.unwrap(), "Comanche: Devastated 2 and Finished.");
        assert_eq!((g.village(village).devastation, g.village(village).finished), (2, true));
        rule(&mut g, &json!({ "area": { "area": "KS", "skulls": 1 } })).unwrap();
        assert_eq!(g.skulls_left(), SKULLS - 1);
    }

    /// geronimo 5.723
    #[test]
    fn a_column_that_is_moved_leaves_its_group() {
        for effect in [json!({ "area": "texas" }), json!({ "in_fort": true })] {
            let mut g = basic(4);
            for name in ["Crook", "Miles"] {
                column(&mut g, name, "KS", 4);
            }
            g.columns.iter_mut().for_each(|column| column.group = Some(1));
            let mut said = effect.clone();
            said["commander"] = "crook".into();
            rule(&mut g, &json!({ "column": said })).unwrap();
            assert!(g.columns.iter().all(|column| column.group.is_none()), "{effect}");
        }
    }

    /// geronimo 6.75
    #[test]
    fn a_war_party_that_is_moved_leaves_its_alliance() {
        let mut g = basic(4);
        deal_to(&mut g, "Sioux", Seat(1));
        let (mt, wy) = (area(&g, "MT"), area(&g, "WY"));
        let villages = ["Teton 1", "Teton 2"].map(|name| village(&g, name));
        let parties = villages.map(|v| {
            g.village_mut(v).place = Place::Area(mt);
            g.send_party(v, 2, &[], mt)
        });
        g.alliances.push(Alliance { leader: Seat(1), villages: villages.into(), parties: parties.into() });
        rule(&mut g, &json!({ "war-party": { "party": "teton sioux 1", "area": "wyoming" } })).unwrap();
        assert_eq!((g.parties[0].area, g.alliances[0].parties.len()), (wy, 1));
    }

    /// geronimo 5.344
    #[test]
    fn the_reserve_holds_the_bps_of_a_whole_game() {
        let mut g = basic(4);
        rule(&mut g, &json!({ "reserve": { "bps": 150 } })).unwrap();
        assert_eq!(g.reserve.bps, 150);
        assert!(rule(&mut g, &json!({ "reserve": { "bps": 1000 } })).is_err());
    }

    /// geronimo 5.22, 5.31, 9.2G
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = basic(4);
        column(&mut g, "Crook", "KS", 4);
        let montana = area(&g, "MT");
        g.area_mut(montana).skulls = 14;
        let cases = [
            (json!({ "area": { "area": "KS", "settlements": 6 } }), "Settlements: 6 is out of range; 0 to 5"),
            (json!({ "area": { "area": "KS", "skulls": 99 } }), "is out of range"),
            (json!({ "area": { "area": "KS", "skulls": 3 } }), "17 Buffalo Skulls placed (9.2G)"),
            (json!({ "column": { "commander": "crook", "bps": 99 } }), "is out of range"),
            (json!({ "reserve": { "bps": -1 } }), "is out of range"),
            (json!({ "area": { "area": "atlantis", "towns": 1 } }), "\"atlantis\" is no Area here"),
            (json!({ "area": { "area": "KS" } }), "sets nothing of Kansas"),
            (json!({ "area": { "area": "KS", "casinos": 1 } }), "knows no such effect"),
            (json!({ "vps": { "seat": "Q", "change": 1 } }), "no seat \"Q\""),
            (json!({ "weather": { "rain": true } }), "knows no such effect"),
        ];
        for (effect, why) in cases {
            let told = rule(&mut g.clone(), &effect).unwrap_err().why;
            assert!(told.contains(why), "{effect}: {told}");
        }
    }
}
