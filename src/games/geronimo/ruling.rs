//! Effects of a director's rulings: corrections of visible pieces, as an owner of the game could
//! make by hand.
//!
//! A ruling sets markers to their correct values. The resulting position must be legal according to
//! [`super::legal`]; otherwise the table refuses the ruling with the reason. Hands and decks cannot
//! be corrected, because the shuffles prove them.

use super::{
    State,
    card::Card,
    columns::separate,
    components::{AreaId, ChiefId, VillageId},
    deal::army::MOST_TROOP_DICE,
    naming,
    state::{
        ACTIONS, COLUMN_ARTILLERY, COLUMN_BPS, CommanderPlace, Effects, MineState, Place, SETTLEMENTS, SKULLS, Weather,
    },
    tally::TURNS,
};
use postrider_orders::Names;
use postrider_table::{Effect, EffectKind, Refusal, SCORE, named, refuse, seat_named};

/// The effects of rulings.
pub const EFFECTS: &[EffectKind<State>] = &[
    ("vps", "seat, change", vps),
    (
        "area",
        "area, and any of settlements, towns, rrs, broke, massacres, skulls, mission, state, weather (good, bad, none)",
        area,
    ),
    ("mine", "area, mine, and any of placed (drawn from the cup, or returned to it), hit", mine),
    (
        "village",
        "village, and any of area, off (reservation, mexico, canada, extinct), bps, devastation, actions, finished, peace_chief, blood_lust, shaman_medicine, scouting",
        village,
    ),
    ("war-party", "party, and any of area, bps, actions, home", war_party),
    ("chief", "chief, and any of killed, prison, used, with (a War Party, or home)", chief),
    ("column", "commander, and any of area, bps, guns, gatlings, in_fort, led_by (another Commander)", column),
    ("commander", "commander, at (cup, reserve, dead)", commander),
    ("reserve", "any of bps, guns, gatlings", reserve),
    ("card", "card, and any of removed (out of the game), in_effect (lasting cards only)", card),
];

/// Returns an error while no effect of a ruling is possible.
///
/// # Errors
///
/// [`Refusal`] that says when one is.
pub fn may_rule(g: &State) -> Result<(), Refusal> {
    if !g.at_rest {
        return refuse(
            "4.4",
            "this is set right while a player chooses his card or his action, not while one is carried out: rule then",
        );
    }
    Ok(())
}

/// Corrects a Tally Sheet (10.1).
fn vps(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let seat = seat_named(g.seats(), &e.needed("seat")?)?;
    let vps = &mut g.tally[seat.index()].vps;
    let Some(change) = e.number::<i32>("change", "VPs", SCORE)? else { return Ok(g.who(seat)) };
    *vps += change;
    if !SCORE.contains(&i64::from(*vps)) {
        return refuse("10.1", format!("{vps} VPs is out of range; {} to {} is possible", SCORE.start(), SCORE.end()));
    }
    let sign = if change < 0 { "" } else { "+" };
    e.told(format!("{sign}{}, {vps} in all", postrider_table::vps(change)));
    Ok(g.who(seat))
}

/// Sets the markers of an Area.
fn area(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let a = e.named("area", &naming::areas(g))?;
    let weather = [("good", Some(Weather::Good)), ("bad", Some(Weather::Bad)), ("none", None)];
    let rounds = i64::from(g.most_rounds());
    let points = rounds * TURNS as i64 + g.c.mines.len() as i64;
    let area = g.area_mut(a);
    e.count("settlements", "Settlements", &mut area.settlements, 0..=SETTLEMENTS.into())?;
    // No more Settlements come than one in each Round and one with each Mine (5.21, 5.23).
    e.count("towns", "Towns", &mut area.towns, 0..=points / i64::from(SETTLEMENTS))?;
    let rails = 0..=i64::from(area.town_points());
    e.count("rrs", "RRs", &mut area.rrs, rails.clone())?;
    e.count("broke", "Broke RRs", &mut area.broke, rails)?;
    e.count("massacres", "Massacres", &mut area.massacres, 0..=rounds)?;
    e.count("skulls", "Buffalo Skulls", &mut area.skulls, 0..=SKULLS.into())?;
    e.flag("mission", "a Mission", &mut area.mission)?;
    e.flag("state", "a State", &mut area.state)?;
    if let Some(now) = e.choice("weather", &weather)? {
        area.weather = now;
        e.told(now.map_or("no Weather", |now| if now == Weather::Good { "Good Weather" } else { "Bad Weather" }));
    }
    Ok(g.c[a].name.clone())
}

/// Sets a Mine: drawn from the cup or returned to it (5.23), successfully attacked this Turn or not
/// (7.26).
fn mine(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let a = e.named("area", &naming::areas(g))?;
    let (said, placed) = (e.needed("mine")?, e.truth("placed")?);
    let there = naming::mines(g, a, true);
    if there.find(&said).is_err()
        && let Ok(other) = naming::mines(g, a, false).find(&said)
    {
        return refuse("5.23", format!("{} belongs to {}", naming::mine(g, other), g.c[g.c[other].area].name));
    }
    let id = named(&there, &said)?;
    let name = naming::mine(g, id);
    let in_cup = g.mine_cup.contains(&id);
    if placed == Some(true) {
        if !in_cup {
            return refuse("5.23", format!("{name} is not in the cup"));
        }
        g.mine_cup.retain(|&other| other != id);
        g.area_mut(a).mines.push(MineState { id, hit: false });
        e.told("placed");
    }
    let Some(at) = g.area(a).mines.iter().position(|mine| mine.id == id) else {
        let at = if in_cup { "in the cup: `placed=true` places it" } else { "out of the game" };
        return refuse("5.23", format!("{name} is {at}"));
    };
    e.state("hit", "attacked this Turn", &mut g.area_mut(a).mines[at].hit)?;
    if placed == Some(false) {
        g.area_mut(a).mines.remove(at);
        g.mine_cup.push(id);
        g.mine_cup.sort_unstable();
        e.told("back in the cup");
    }
    Ok(format!("{name} in {}", g.c[a].name))
}

/// Sets the place and values of a Village.
fn village(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let v = e.named("village", &naming::villages(g, g.village_ids()))?;
    let to = moved(g, e)?;
    if let Some(a) = to {
        g.village_mut(v).place = Place::Area(a);
    }
    let from = match g.village(v).place {
        Place::Area(from) | Place::Mexico { from } | Place::Canada { from } | Place::Reservation { from } => from,
        Place::Extinct => g.c[v].area,
    };
    let off = [
        ("reservation", (Place::Reservation { from }, "On Reservation")),
        ("mexico", (Place::Mexico { from }, "in Mexico")),
        ("canada", (Place::Canada { from }, "in Canada")),
        ("extinct", (Place::Extinct, "extinct")),
    ];
    if let Some((place, words)) = e.choice("off", &off)? {
        let leaves = match place {
            Place::Mexico { from } => g.c[from].mexico,
            Place::Canada { from } => g.c[from].canada,
            _ => true,
        };
        if !leaves {
            return refuse("6.23", format!("{} does not border it", g.c[from].name));
        }
        if place == Place::Extinct && to.is_some() {
            return refuse("-", "an extinct Village is in no Area: leave out `area` or `off`");
        }
        // Nothing changes for a Village that has left so already.
        if g.village(v).place != place {
            leave_the_map(g, v, place);
        }
        e.told(words);
    }
    let size = 0..=i64::from(g.c[v].size);
    let devastations = 0..=g.devastations().into();
    let village = g.village_mut(v);
    e.count("bps", "BPs", &mut village.bps, size)?;
    e.count("devastation", "Devastated", &mut village.devastation, devastations)?;
    e.count("actions", "actions", &mut village.actions, 0..=ACTIONS.into())?;
    e.state("finished", "Finished", &mut village.finished)?;
    village.smallpox &= village.finished;
    e.flag("peace_chief", "a Peace Chief", &mut village.peace_chief)?;
    e.flag("blood_lust", "Blood Lust", &mut village.blood_lust)?;
    e.flag("shaman_medicine", "Shaman Medicine", &mut village.shaman_medicine)?;
    e.flag("scouting", "Scouting", &mut village.scouting)?;
    Ok(g.c[v].name.clone())
}

/// Takes a Village off the map, together with pieces that depend on it there. No VPs are scored.
fn leave_the_map(g: &mut State, v: VillageId, place: Place) {
    for id in g.parties_of(v).map(|party| party.id).collect::<Vec<_>>() {
        g.bring_home(id);
    }
    g.desk.offers.retain(|offer| offer.village != v);
    if place == Place::Extinct {
        g.village_mut(v).bps = 0;
        for chief in g.chiefs_at(v).collect::<Vec<_>>() {
            g.chiefs[chief.index()].killed = true;
        }
    }
    let village = g.village_mut(v);
    (village.place, village.treaty) = (place, None);
}

/// Sets a War Party, given by its Village and, if there are two, its number: `Comanche 2`.
fn war_party(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let id = e.named("party", &naming::parties(g))?;
    let name = g.party(id).map(|party| g.party_name(party)).unwrap_or_default();
    let size = g.party(id).map_or(0, |party| i64::from(g.c[party.village].size));
    let to = moved(g, e)?;
    if to.is_some() {
        g.leave_alliance(id);
    }
    if let Some(party) = g.party_mut(id) {
        party.area = to.unwrap_or(party.area);
        e.count("bps", "BPs", &mut party.bps, 1..=size)?;
        e.count("actions", "actions", &mut party.actions, 0..=ACTIONS.into())?;
    }
    if e.truth("home")? == Some(true) {
        if to.is_some() {
            return refuse("-", "a War Party that is brought home is in no other Area: leave out `area` or `home`");
        }
        g.bring_home(id);
        e.told("at home");
    }
    Ok(format!("War Party of the {name}"))
}

/// Sets a Chief: killed or in prison, sent out this Turn, and with which War Party (6.5).
fn chief(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let h = e.named("chief", &naming::chiefs(g))?;
    let name = g.c[h].name.clone();
    let chief = &mut g.chiefs[h.index()];
    e.state("killed", "killed", &mut chief.killed)?;
    e.state("prison", "In Prison", &mut chief.prison)?;
    e.state("used", "sent out this Turn", &mut chief.used)?;
    if chief.killed && chief.prison {
        return refuse("6.5", format!("{name} is killed or In Prison, not both"));
    }
    if chief.killed || chief.prison {
        stay_home(g, h);
    }
    match e.word("with")?.as_deref() {
        None => {}
        Some("home") => {
            stay_home(g, h);
            e.told("at home");
        }
        Some(party) => {
            let id = named(&naming::parties(g), party)?;
            let village = g.party(id).map(|party| party.village);
            if !g.chief_available(h) || g.chief_village(h) != village {
                return refuse("6.53", format!("{name} cannot be with that War Party"));
            }
            stay_home(g, h);
            let chief = &mut g.chiefs[h.index()];
            (chief.with, chief.used) = (Some(id), true);
            g.party_mut(id).into_iter().for_each(|party| party.chiefs.push(h));
            let with = g.party(id).map(|party| g.party_name(party)).unwrap_or_default();
            e.told(format!("with the War Party of the {with}"));
        }
    }
    Ok(name)
}

/// Removes a Chief from the War Party.
fn stay_home(g: &mut State, h: ChiefId) {
    if let Some(party) = g.chiefs[h.index()].with.take().and_then(|id| g.party_mut(id)) {
        party.chiefs.retain(|&other| other != h);
    }
}

/// Sets a Column, given by its Commander.
fn column(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let (said, columns) = (e.needed("commander")?, naming::columns(g));
    if columns.find(&said).is_err()
        && let Ok(m) = naming::commanders(g).find(&said)
    {
        return refuse("5.31", format!("{} leads no Column", g.c[m].surname));
    }
    let id = named(&columns, &said)?;
    let name = g.column_name(id).to_owned();
    let (to, leads) = (moved(g, e)?, e.word("led_by")?);
    let leads = leads.map(|name| named(&naming::commanders(g), &name)).transpose()?;
    if to.is_some() || e.truth("in_fort")? == Some(true) {
        separate(g, id);
    }
    if let Some(m) = leads {
        if let CommanderPlace::Column(_) = g.commanders[m.index()] {
            return refuse("5.31", format!("{} has a Column", g.c[m].surname));
        }
        if let Some(before) = g.column_mut(id).and_then(|column| column.commander.replace(m)) {
            g.commanders[before.index()] = CommanderPlace::Reserve;
        }
        g.commanders[m.index()] = CommanderPlace::Column(id);
        e.told(format!("led by {}", g.c[m].surname));
    }
    if let Some(column) = g.columns.iter_mut().find(|column| column.id == id) {
        column.area = to.unwrap_or(column.area);
        e.count("bps", "BPs", &mut column.bps, 1..=COLUMN_BPS.into())?;
        e.count("guns", "Field Guns", &mut column.guns, 0..=COLUMN_ARTILLERY.into())?;
        e.count("gatlings", "Gatling Guns", &mut column.gatlings, 0..=COLUMN_ARTILLERY.into())?;
        e.state("in_fort", "in Fort", &mut column.in_fort)?;
    }
    Ok(format!("The Column of {name}"))
}

/// Sets a Commander without a Column (5.39).
fn commander(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let m = e.named("commander", &naming::commanders(g))?;
    let name = g.c[m].surname.clone();
    let at = [
        ("cup", (CommanderPlace::Cup, "in the cup")),
        ("reserve", (CommanderPlace::Reserve, "in the US Reserve")),
        ("dead", (CommanderPlace::Dead, "dead")),
    ];
    if let Some((place, words)) = e.choice("at", &at)? {
        if let CommanderPlace::Column(_) = g.commanders[m.index()] {
            return refuse("5.31", format!("{name} leads a Column: first give it to another, `column` with `led_by`"));
        }
        g.commanders[m.index()] = place;
        e.told(words);
    }
    Ok(name)
}

/// Sets the US Reserve (5.344).
fn reserve(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    // The troops of all Turns together are an upper limit (4.23, 4.24).
    let bps = (TURNS * MOST_TROOP_DICE) as i64 * 9;
    let artillery = 0..=g.c.turns.iter().map(|turn| i64::from(turn.artillery)).sum();
    e.count("bps", "BPs", &mut g.reserve.bps, 0..=bps)?;
    e.count("guns", "Field Guns", &mut g.reserve.guns, artillery.clone())?;
    e.count("gatlings", "Gatling Guns", &mut g.reserve.gatlings, artillery)?;
    Ok("The US Reserve".to_owned())
}

/// Sets a Shaman Card: in effect for the Turn or the game (9.2), or out of the game (9.12).
fn card(g: &mut State, e: &mut Effect<'_>) -> Result<String, Refusal> {
    let cards: Names<Card> = Names::from_iter("Shaman Card", Card::all().map(|card| (card.name().to_owned(), card)));
    let card = e.named("card", &cards)?;
    let mut removed = g.removed.contains(&card);
    e.state("removed", "out of the game", &mut removed)?;
    match g.removed.iter().position(|&other| other == card) {
        Some(at) if !removed => _ = g.removed.remove(at),
        None if removed => g.removed.push(card),
        _ => {}
    }
    if let Some(lasting) = lasting(&mut g.fx, card) {
        e.state("in_effect", "in effect", lasting)?;
    }
    Ok(card.name().to_owned())
}

/// Returns the flag of a card with a lasting effect.
fn lasting(fx: &mut Effects, card: Card) -> Option<&mut bool> {
    match card {
        Card::PeacePolicy => Some(&mut fx.peace_policy),
        Card::ReformMovement => Some(&mut fx.reform_movement),
        Card::WinterCampaigning => Some(&mut fx.winter_campaigning),
        Card::Federales => Some(&mut fx.mexico_closed),
        Card::Rampage => Some(&mut fx.rampage),
        Card::SpringfieldRifle => Some(&mut fx.springfield),
        Card::GatlingGuns => Some(&mut fx.gatlings),
        Card::Telegraph => Some(&mut fx.telegraph),
        Card::TerritorialProblems => Some(&mut fx.land_rush),
        _ => None,
    }
}

/// Returns the Area to which a piece is moved, if any, and tells it.
fn moved(g: &State, e: &mut Effect<'_>) -> Result<Option<AreaId>, Refusal> {
    let Some(name) = e.word("area")? else { return Ok(None) };
    let a = named(&naming::areas(g), &name)?;
    e.told(format!("in {}", g.c[a].name));
    Ok(Some(a))
}

#[cfg(test)]
mod tests {
    use super::super::{
        Geronimo, State,
        card::Card,
        state::{Alliance, Place, SKULLS, Treaty},
        testing::*,
    };
    use postrider_table::{Refusal, Seat, ruled};
    use serde_json::{Value, json};

    /// Carries out a ruling like the table, between actions.
    fn rule(g: &mut State, effect: &Value) -> Result<String, Refusal> {
        g.at_rest = true;
        let (after, words) = ruled::<Geronimo>(g, effect)?;
        *g = after;
        Ok(words)
    }

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

    /// geronimo 5.31, 5.39
    #[test]
    fn another_commander_takes_a_column() {
        let mut g = basic(4);
        column(&mut g, "Crook", "KS", 4);
        let why = rule(&mut g.clone(), &json!({ "column": { "commander": "crook", "led_by": "crook" } })).unwrap_err();
        assert_eq!((why.rule, why.why.as_str()), ("5.31", "Crook has a Column"));
        let said = rule(&mut g, &json!({ "column": { "commander": "crook", "led_by": "miles" } })).unwrap();
        assert_eq!((said.as_str(), g.column_name(g.columns[0].id)), ("The Column of Crook: led by Miles.", "Miles"));
        let said = rule(&mut g, &json!({ "commander": { "commander": "crook", "at": "dead" } })).unwrap();
        assert_eq!(said, "Crook: dead.");
        for (name, why) in [("crook", "Crook leads no Column"), ("nobody", "no Column is called “nobody”")] {
            let told = rule(&mut g, &json!({ "column": { "commander": name, "bps": 2 } })).unwrap_err().why;
            assert!(told.starts_with(why), "{told}");
        }
    }

    /// geronimo 8.12, 6.36
    #[test]
    fn a_village_goes_off_the_map_with_its_war_parties() {
        let mut g = basic(4);
        deal_to(&mut g, "Comanche", Seat(1));
        let (v, texas) = (village(&g, "Comanche"), area(&g, "TX"));
        let bps = g.village(v).bps;
        g.send_party(v, 2, &[], texas);
        let said = rule(&mut g, &json!({ "village": { "village": "comanche", "off": "reservation" } })).unwrap();
        assert_eq!(
            (said.as_str(), g.village(v).place),
            ("Comanche: On Reservation.", Place::Reservation { from: texas })
        );
        assert_eq!((g.parties.len(), g.village(v).bps), (0, bps));
        rule(&mut g, &json!({ "village": { "village": "comanche", "area": "texas", "actions": 1 } })).unwrap();
        assert_eq!((g.area_of(v), g.village(v).actions), (Some(texas), 1));
        rule(&mut g, &json!({ "village": { "village": "comanche", "off": "extinct" } })).unwrap();
        assert_eq!((g.village(v).place, g.village(v).bps), (Place::Extinct, 0));
    }

    /// geronimo 6.53
    #[test]
    fn a_chief_goes_with_a_war_party_of_his_village() {
        let mut g = basic(4);
        deal_to(&mut g, "Nez Perce", Seat(1));
        let (v, home) = (village(&g, "Nez Perce"), area(&g, "ID"));
        g.turn = 6;
        let id = g.send_party(v, 2, &[], home);
        let joseph = json!({ "chief": { "chief": "chief joseph", "with": "nez perce" } });
        let said = rule(&mut g, &joseph).unwrap();
        assert_eq!(
            (said.as_str(), g.parties[0].chiefs.len()),
            ("Chief Joseph: with the War Party of the Nez Perce.", 1)
        );
        let said = rule(&mut g, &json!({ "chief": { "chief": "chief joseph", "killed": true } })).unwrap();
        assert_eq!((said.as_str(), g.party(id).unwrap().chiefs.len()), ("Chief Joseph: killed.", 0));
        assert!(rule(&mut g, &joseph).is_err());
    }

    /// geronimo 5.23, 9.2R, 9.12
    #[test]
    fn mines_and_cards_are_set_as_ruled() {
        let mut g = basic(4);
        let (id, all) = (g.mine_cup[0], g.mine_cup.len());
        let (name, place) = (g.c[id].name.clone(), g.c[g.c[id].area].name.clone());
        let mut mine = json!({ "mine": { "area": place, "mine": name, "placed": true, "hit": true } });
        let said = rule(&mut g, &mine).unwrap();
        assert_eq!(said, format!("{name} in {place}: placed and attacked this Turn."));
        assert_eq!(g.mine_cup.len(), all - 1);
        mine["mine"] = json!({ "area": place, "mine": name, "placed": false });
        rule(&mut g, &mine).unwrap();
        assert_eq!((g.mine_cup.len(), g.mine_cup[0]), (all, id));
        let before = g.fx.peace_policy;
        let said = rule(&mut g, &json!({ "card": { "card": "peace policy", "in_effect": !before, "removed": true } }));
        assert!(said.unwrap().starts_with("Peace Policy: out of the game and "));
        assert_eq!((g.fx.peace_policy, g.removed.contains(&Card::PeacePolicy)), (!before, true));
    }

    /// geronimo 5.23
    #[test]
    fn mines_are_told_apart() {
        let mut g = basic(4);
        let mine = |g: &mut State, area: &str, mine: &str, member: &str| {
            let mut effect = json!({ "mine": { "area": area, "mine": mine } });
            effect["mine"][member] = true.into();
            rule(g, &effect).unwrap_or_else(|why| why.why)
        };
        let said = mine(&mut g, "california", "mother lode 2", "hit");
        let hit: Vec<bool> = g.area(area(&g, "CA")).mines.iter().map(|mine| mine.hit).collect();
        assert_eq!((said.as_str(), hit), ("Mother Lode 2 in California: attacked this Turn.", vec![false, true]));
        let cases = [
            ("california", "mother lode", "hit", "“mother lode” could be Mother Lode 1 or Mother Lode 2"),
            ("california", "mother lode 1", "placed", "Mother Lode 1 is not in the cup"),
            ("colorado", "colorado 2", "hit", "Colorado 2 is in the cup: `placed=true` places it"),
            ("utah", "idaho 1", "placed", "Idaho 1 belongs to Idaho"),
            ("utah", "atlantis", "placed", "no Mine is called “atlantis”"),
        ];
        for (area, name, member, why) in cases {
            assert_eq!(mine(&mut g, area, name, member), why);
        }
        g.mine_cup.clear();
        assert_eq!(mine(&mut g, "colorado", "colorado 2", "hit"), "Colorado 2 is out of the game");
    }

    #[test]
    fn each_member_of_an_effect_sets_its_piece() {
        use super::super::state::{CommanderPlace, Weather};
        type Read = fn(&State) -> String;
        fn kansas(g: &State) -> &super::super::state::AreaState {
            g.area(area(g, "KS"))
        }
        fn comanche(g: &State) -> &super::super::state::VillageState {
            g.village(village(g, "Comanche"))
        }
        let cases: &[(Value, &str, Read, &str)] = &[
            (json!({ "area": { "towns": 2 } }), "Kansas: Towns 2.", |g| kansas(g).towns.to_string(), "2"),
            (json!({ "area": { "rrs": 3 } }), "Kansas: RRs 3.", |g| kansas(g).rrs.to_string(), "3"),
            (json!({ "area": { "broke": 1 } }), "Kansas: Broke RRs 1.", |g| kansas(g).broke.to_string(), "1"),
            (json!({ "area": { "massacres": 2 } }), "Kansas: Massacres 2.", |g| kansas(g).massacres.to_string(), "2"),
            (json!({ "area": { "state": false } }), "Kansas: no State.", |g| kansas(g).state.to_string(), "false"),
            (
                json!({ "area": { "weather": "bad" } }),
                "Kansas: Bad Weather.",
                |g| (kansas(g).weather == Some(Weather::Bad)).to_string(),
                "true",
            ),
            (
                json!({ "area": { "weather": "good" } }),
                "Kansas: Good Weather.",
                |g| (kansas(g).weather == Some(Weather::Good)).to_string(),
                "true",
            ),
            (
                json!({ "area": { "weather": "none" } }),
                "Kansas: no Weather.",
                |g| kansas(g).weather.is_none().to_string(),
                "true",
            ),
            (json!({ "village": { "bps": 3 } }), "Comanche: BPs 3.", |g| comanche(g).bps.to_string(), "3"),
            (json!({ "village": { "actions": 1 } }), "Comanche: actions 1.", |g| comanche(g).actions.to_string(), "1"),
            (
                json!({ "village": { "peace_chief": true } }),
                "Comanche: a Peace Chief.",
                |g| comanche(g).peace_chief.to_string(),
                "true",
            ),
            (
                json!({ "village": { "blood_lust": true } }),
                "Comanche: Blood Lust.",
                |g| comanche(g).blood_lust.to_string(),
                "true",
            ),
            (
                json!({ "village": { "shaman_medicine": true } }),
                "Comanche: Shaman Medicine.",
                |g| comanche(g).shaman_medicine.to_string(),
                "true",
            ),
            (
                json!({ "village": { "scouting": true } }),
                "Comanche: Scouting.",
                |g| comanche(g).scouting.to_string(),
                "true",
            ),
            (
                json!({ "village": { "off": "mexico" } }),
                "Comanche: in Mexico.",
                |g| format!("{:?}", comanche(g).place == Place::Mexico { from: area(g, "TX") }),
                "true",
            ),
            (
                json!({ "village": { "area": "montana", "off": "canada" } }),
                "Comanche: in Montana and in Canada.",
                |g| format!("{:?}", comanche(g).place == Place::Canada { from: area(g, "MT") }),
                "true",
            ),
            (
                json!({ "war-party": { "bps": 1 } }),
                "War Party of the Comanche: BPs 1.",
                |g| g.parties[0].bps.to_string(),
                "1",
            ),
            (
                json!({ "war-party": { "actions": 1 } }),
                "War Party of the Comanche: actions 1.",
                |g| g.parties[0].actions.to_string(),
                "1",
            ),
            (
                json!({ "war-party": { "home": true } }),
                "War Party of the Comanche: at home.",
                |g| format!("{} {}", g.parties.len(), comanche(g).bps == comanche(&basic(4)).bps),
                "0 true",
            ),
            (
                json!({ "chief": { "prison": true } }),
                "Quanah Parker: In Prison.",
                |g| format!("{} {}", g.chiefs[chief(g, "Quanah Parker").index()].prison, g.parties[0].chiefs.len()),
                "true 0",
            ),
            (
                json!({ "chief": { "with": "home" } }),
                "Quanah Parker: at home.",
                |g| format!("{:?} {}", g.chiefs[chief(g, "Quanah Parker").index()].with, g.parties[0].chiefs.len()),
                "None 0",
            ),
            (
                json!({ "chief": { "with": "home", "used": false } }),
                "Quanah Parker: not sent out this Turn and at home.",
                |g| g.chiefs[chief(g, "Quanah Parker").index()].used.to_string(),
                "false",
            ),
            (
                json!({ "column": { "guns": 2 } }),
                "The Column of Crook: Field Guns 2.",
                |g| g.columns[0].guns.to_string(),
                "2",
            ),
            (
                json!({ "column": { "gatlings": 1 } }),
                "The Column of Crook: Gatling Guns 1.",
                |g| g.columns[0].gatlings.to_string(),
                "1",
            ),
            (
                json!({ "column": { "in_fort": true } }),
                "The Column of Crook: in Fort.",
                |g| g.columns[0].in_fort.to_string(),
                "true",
            ),
            (
                json!({ "commander": { "at": "reserve" } }),
                "Miles: in the US Reserve.",
                |g| (g.commanders[commander(g, "Miles").index()] == CommanderPlace::Reserve).to_string(),
                "true",
            ),
            (
                json!({ "commander": { "at": "dead" } }),
                "Miles: dead.",
                |g| (g.commanders[commander(g, "Miles").index()] == CommanderPlace::Dead).to_string(),
                "true",
            ),
            (
                json!({ "reserve": { "guns": 2, "gatlings": 1 } }),
                "The US Reserve: Field Guns 2 and Gatling Guns 1.",
                |g| format!("{} {} {}", g.reserve.bps, g.reserve.guns, g.reserve.gatlings),
                "0 2 1",
            ),
        ];
        let named = [
            ("area", "area", "KS"),
            ("village", "village", "comanche"),
            ("war-party", "party", "comanche"),
            ("chief", "chief", "quanah parker"),
            ("column", "commander", "crook"),
            ("commander", "commander", "miles"),
        ];
        for (effect, words, read, after) in cases {
            let mut g = basic(4);
            g.turn = 5;
            deal_to(&mut g, "Comanche", Seat(1));
            let (v, texas, quanah) = (village(&g, "Comanche"), area(&g, "TX"), chief(&g, "Quanah Parker"));
            g.send_party(v, 2, &[quanah], texas);
            column(&mut g, "Crook", "KS", 4);
            let ks = area(&g, "KS");
            (g.area_mut(ks).state, g.reserve.bps) = (true, 0);
            let is_bad = effect.pointer("/area/weather") == Some(&json!("bad"));
            g.area_mut(ks).weather = Some(if is_bad { Weather::Good } else { Weather::Bad });
            let mut said = effect.clone();
            for (kind, member, name) in named {
                if let Some(effect) = said.get_mut(kind) {
                    effect[member] = name.into();
                }
            }
            let told = rule(&mut g, &said);
            assert_eq!(
                (told.as_deref().map_err(|why| why.why.as_str()), read(&g).as_str()),
                (Ok(*words), *after),
                "{effect}"
            );
        }
    }

    /// geronimo 9.2I, 9.2J, 9.2R, 9.2V, 9.2W, 9.2BB, 9.2CC, 9.2DD, 9.2HH, 9.12
    #[test]
    fn each_lasting_card_is_put_in_effect() {
        type Read = fn(&State) -> bool;
        let cards: [(Card, Read); 9] = [
            (Card::PeacePolicy, |g| g.fx.peace_policy),
            (Card::ReformMovement, |g| g.fx.reform_movement),
            (Card::WinterCampaigning, |g| g.fx.winter_campaigning),
            (Card::Federales, |g| g.fx.mexico_closed),
            (Card::Rampage, |g| g.fx.rampage),
            (Card::SpringfieldRifle, |g| g.fx.springfield),
            (Card::GatlingGuns, |g| g.fx.gatlings),
            (Card::Telegraph, |g| g.fx.telegraph),
            (Card::TerritorialProblems, |g| g.fx.land_rush),
        ];
        for (at, (card, _)) in cards.iter().enumerate() {
            let mut g = campaign(4);
            for (_, read) in cards {
                assert!(!read(&g), "{}", card.name());
            }
            rule(&mut g, &json!({ "card": { "card": card.name(), "in_effect": true } })).unwrap();
            let on: Vec<usize> = (0..cards.len()).filter(|&k| cards[k].1(&g)).collect();
            assert_eq!(on, [at], "{}", card.name());
            rule(&mut g, &json!({ "card": { "card": card.name(), "removed": true } })).unwrap();
            assert_eq!(g.removed, [*card]);
            let said = rule(&mut g, &json!({ "card": { "card": card.name(), "removed": false } })).unwrap();
            assert_eq!((said, g.removed.len()), (format!("{}: not out of the game.", card.name()), 0));
        }
    }

    /// geronimo 5.344
    #[test]
    fn the_reserve_holds_the_bps_of_a_whole_game() {
        let mut g = basic(4);
        rule(&mut g, &json!({ "reserve": { "bps": 150 } })).unwrap();
        assert_eq!(g.reserve.bps, 150);
        assert!(rule(&mut g, &json!({ "reserve": { "bps": 1000 } })).is_err());
    }

    /// geronimo 5.22, 5.31, 6.23, 9.2G
    #[test]
    fn a_ruling_must_leave_a_legal_position() {
        let mut g = basic(4);
        column(&mut g, "Crook", "KS", 4);
        let montana = area(&g, "MT");
        g.area_mut(montana).skulls = 14;
        deal_to(&mut g, "Comanche", Seat(1));
        let (comanche, texas) = (village(&g, "Comanche"), area(&g, "TX"));
        g.send_party(comanche, 2, &[], texas);
        rule(&mut g, &json!({ "village": { "village": "nez perce", "off": "extinct" } })).unwrap();
        // It was On Reservation under a Treaty.
        let nez_perce = village(&g, "Nez Perce");
        g.village_mut(nez_perce).treaty = Some(Treaty { with: Seat(1), vps: 1, lost: 0 });
        let cases = [
            (json!({ "area": { "area": "KS", "settlements": 6 } }), "Settlements: 6 is out of range; 0 to 5"),
            (json!({ "area": { "area": "KS", "skulls": 99 } }), "is out of range"),
            (json!({ "area": { "area": "KS", "skulls": 3 } }), "17 Buffalo Skulls placed (9.2G)"),
            (json!({ "column": { "commander": "crook", "bps": 99 } }), "is out of range"),
            (json!({ "reserve": { "bps": -1 } }), "is out of range"),
            (json!({ "village": { "village": "comanche", "actions": 3 } }), "actions: 3 is out of range; 0 to 2"),
            (json!({ "village": { "village": "comanche", "bps": 99 } }), "is out of range"),
            (json!({ "village": { "village": "comanche", "off": "canada" } }), "does not border it"),
            (
                json!({ "village": { "village": "comanche", "area": "KS", "off": "extinct" } }),
                "leave out `area` or `off`",
            ),
            (json!({ "village": { "village": "nez perce", "off": "extinct" } }), "already so"),
            (json!({ "war-party": { "party": "comanche", "area": "KS", "home": true } }), "leave out `area` or `home`"),
            (json!({ "area": { "area": "atlantis", "towns": 1 } }), "no Area is called “atlantis”"),
            (json!({ "area": { "area": "KS" } }), "changes nothing of Kansas"),
            (json!({ "area": { "area": "KS", "casinos": 1 } }), "`area` has no member `casinos`"),
            (json!({ "area": { "towns": 1 } }), "`area` is missing"),
            (json!({ "area": { "area": "KS", "towns": "two" } }), "`towns` must be a whole number, not \"two\""),
            (json!({ "area": { "area": "KS", "weather": "fog" } }), "`weather` must be good, bad or none, not \"fog\""),
            (json!({ "commander": { "commander": "crook", "at": "dead" } }), "leads a Column"),
            (json!({ "chief": { "chief": "quanah parker", "with": "sioux" } }), "no War Party is called “sioux”"),
            (
                json!({ "chief": { "chief": "quanah parker", "killed": true, "prison": true } }),
                "is killed or In Prison, not both",
            ),
            (json!({ "card": { "card": "raid", "in_effect": true } }), "has no member `in_effect`"),
            (json!({ "vps": { "seat": "Q", "change": 1 } }), "no seat \"Q\""),
            (json!({ "weather": { "rain": true } }), "has no such effect"),
            (json!({ "area": { "area": "KS", "towns": 1 }, "vps": { "seat": "B", "change": 1 } }), "has one effect"),
            (json!({ "area": { "area": "KS", "towns": 1e23 } }), "is out of range; 0 to"),
            (json!({ "area": { "area": "KS", "towns": u64::MAX } }), "is out of range; 0 to"),
            (json!({ "area": { "area": "KS", "towns": 1.5 } }), "`towns` must be a whole number, not 1.5"),
        ];
        for (effect, why) in cases {
            let told = rule(&mut g.clone(), &effect).unwrap_err().why;
            assert!(told.contains(why), "{effect}: {told}");
        }
    }
}
