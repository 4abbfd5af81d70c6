//! The words of an Indian player's orders (6.1 to 6.4): `war party of 4 with geronimo attacks mine in arizona`.

use super::{
    Order, State, alliance,
    columns::{read_indians, small},
    components::{AreaId, ChiefId, VillageId},
    naming,
    order::{Contribution, Target},
    raids,
    relocation::Destination,
    state::{ColumnId, PartyId},
    village_action::everybody,
    war_party::targets,
};
use crate::{
    orders::{Misread, Names, Phrase, Reader},
    table::Seat,
};

fn own_villages(g: &State, seat: Seat) -> Names<VillageId> {
    naming::villages(g, g.village_ids().filter(move |&v| g.player_of(v) == Some(seat)))
}

/// `comanche relocate to utah` · `war party of 4 with geronimo attacks mine in arizona` · `comanche raid mexico` ·
/// `comanche war party attacks town in texas` · `alliance … attacks …` · `pass`.
pub fn read(g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
    let mut words = said.reader();
    if words.eat_any(&["pass", "nothing", "none", "done"]).is_some() {
        return words.end().map(|()| Order::Pass {});
    }
    if words.eat("alliance") {
        return alliance::read(g, seat, words);
    }
    let villages = own_villages(g, seat);
    let mut village = None;
    let mut party = None;
    let mut ahead = words.clone();
    ahead.skip(&["the"]);
    let mut party_ahead = ahead.clone();
    if let Some(id) = party_ahead.try_name(&naming::parties(g)) {
        party = Some(id);
    }
    if let Some(v) = ahead.try_name(&villages) {
        // The name that explains more words is meant: with a War Party of the Teton Sioux 1 out, "teton sioux 2" is not it. Nor
        // is a War Party of the Southern Cheyenne nearly one of the Northern: what names as much is the Village's own.
        party = party.filter(|&id| {
            let own = g.party(id).is_some_and(|p| p.village == v);
            party_ahead.understood() > ahead.understood() || own && party_ahead.understood() == ahead.understood()
        });
        village = Some(v);
        words = ahead;
    } else if party.is_some() {
        let _ = ahead.try_name(&naming::parties(g));
        words = ahead;
    }
    if words.eat("mission") {
        let _ = words.eat_phrase("war party") || words.eat("party");
        let v = need(village, &words)?;
        return words.end().map(|()| Order::MissionParty { village: g.c[v].name.clone() });
    }
    if words.eat_any(&["relocate", "move", "moves"]).is_some() {
        let v = match village {
            Some(v) => v,
            None => words.name(&villages)?,
        };
        words.skip(&["village", "to", "into"]);
        let to = read_destination(g, &mut words)?;
        return words.end().map(|()| Order::Relocate { village: g.c[v].name.clone(), to });
    }
    if words.eat("return") && village.is_some() {
        words.skip(&["to", "into"]);
        let to = read_destination(g, &mut words)?;
        let v = need(village, &words)?;
        return words.end().map(|()| Order::Relocate { village: g.c[v].name.clone(), to });
    }
    if words.eat("raid") {
        return read_raid(g, seat, village, words);
    }
    if village.is_none() && party.is_none() {
        // Words that begin no order must be meant for a Tribe; which one is what the answer should speak of.
        let mut begins = words.clone();
        if begins.number().is_none() && begins.eat_any(&["war", "party", "attack"]).is_none() {
            let foreign = naming::villages(g, g.village_ids());
            if let (None, Some(v)) = (words.clone().try_name(&villages), words.clone().try_name(&foreign)) {
                return Err(words.fail(format!("the {} are no Tribe of yours this Turn", g.c[v].name)));
            }
            words.name(&villages)?;
        }
    }
    read_war_party(g, seat, village, party, words)
}

fn need(village: Option<VillageId>, words: &Reader<'_>) -> Result<VillageId, Misread> {
    village.ok_or_else(|| words.fail("say which Tribe or Village first: `comanche …`"))
}

fn read_destination(g: &State, words: &mut Reader<'_>) -> Result<String, Misread> {
    let mut places = Names::new("place");
    for a in g.area_ids() {
        places.add(&g.c[a].name, Destination::Area(a)).add(&g.c[a].code, Destination::Area(a));
    }
    places.add("Mexico", Destination::Mexico).add("Canada", Destination::Canada);
    words.name(&places).map(|to| to.name(g).to_owned())
}

fn read_raid(g: &State, seat: Seat, village: Option<VillageId>, mut words: Reader<'_>) -> Result<Order, Misread> {
    // `raid mexico with the apache` and `apache raid mexico` both say it.
    let mut raider = village;
    words.skip(&["into", "the", "a", "an", "on"]);
    let (area, target) = if words.eat("mexico") {
        ("Mexico".to_owned(), Target::Mexico {})
    } else {
        let target = match read_resource(g, &mut words) {
            Some(target) => Some(target),
            None if words.eat("mission") => Some(Target::Mission {}),
            None => None,
        };
        words.skip(&["in", "the"]);
        let a = words.name(&naming::areas(g))?;
        // A bare Area means any Resource there.
        let target = target.or_else(|| {
            targets(g, a)
                .into_iter()
                .map(|(t, _)| t)
                .find(|t| !matches!(t, Target::Village { .. } | Target::Party { .. } | Target::Column { .. }))
        });
        let target = match target {
            // Any Mine does, also one that was hit (7.26).
            Some(Target::Mine { value: 0 }) => {
                Target::Mine { value: g.area(a).mines.first().map_or(0, |m| g.c[m.id].value) }
            }
            target => target.unwrap_or(Target::Settlement {}),
        };
        (g.c[a].name.clone(), target)
    };
    if words.eat("with") || words.eat("by") {
        words.skip(&["the"]);
        raider = Some(words.name(&own_villages(g, seat))?);
    }
    let v = match raider {
        Some(v) => v,
        None => {
            let able: Vec<VillageId> = g.village_ids().filter(|&v| raids::able(g, seat, v, false)).collect();
            match able.as_slice() {
                [only] => *only,
                _ => return Err(words.fail("which Tribe raids? `apache raid mexico`")),
            }
        }
    };
    words.end().map(|()| Order::Raid { village: g.c[v].name.clone(), area, target })
}

/// A Resource, or nothing when the next words name none.
fn read_resource(g: &State, words: &mut Reader<'_>) -> Option<Target> {
    let mut ahead = words.clone();
    ahead.skip(&["a", "the", "an"]);
    let worth = ahead.number();
    ahead.skip(&["point"]);
    let kinds = ["settlement", "town", "rr", "railroad", "mine"];
    let kind = ahead.eat_any(&kinds)?;
    let target = match kinds[kind] {
        "settlement" => Target::Settlement {},
        "town" => Target::Town {},
        "mine" => Target::Mine { value: worth.map_or(0, small) },
        _ => Target::Railroad {},
    };
    let _ = g;
    *words = ahead;
    Some(target)
}

fn read_war_party(
    g: &State,
    seat: Seat,
    village: Option<VillageId>,
    party: Option<PartyId>,
    mut words: Reader<'_>,
) -> Result<Order, Misread> {
    let mut village = village;
    let named_party = words.eat("party") || (words.eat("war") && words.expect("party").map(|()| true)?);
    words.skip(&["of"]);
    let bps = words.number();
    words.skip(&["bp", "bps"]);
    let mut chiefs = Vec::new();
    read_led_by(g, seat, &mut words, &mut village, &mut chiefs);
    words.skip(&["moves", "goes", "in", "into", "to"]);
    let moved = words.try_name(&naming::areas(g));
    words.skip(&["and"]);
    words.expect("attack")?;
    words.skip(&["the", "a", "an"]);
    let (target, mut place) = read_target(g, &mut words)?;
    // Who leads may also be said last.
    if chiefs.is_empty() && words.peek().is_some_and(|word| matches!(word, "with" | "under" | "led")) {
        read_led_by(g, seat, &mut words, &mut village, &mut chiefs);
        place = place.or(read_place(g, &mut words)?);
    }
    words.end()?;
    // Chiefs tell whose War Party it is.
    if let (None, Some(&h)) = (village, chiefs.first()) {
        village = g.chief_village(h);
    }
    // Columns and Indians stand in one place; a Resource is meant where the War Party is.
    let area = place.or(moved).or_else(|| place_of(g, &target));
    let area_of_party = |id: PartyId| g.party(id).map(|p| p.area);
    if bps.is_none() && chiefs.is_empty() {
        if let Some(id) = party.or_else(|| village.and_then(|v| g.parties_of(v).next().map(|p| p.id)))
            && let Some(p) = g.party(id)
        {
            let there = area.or_else(|| area_of_party(id)).map(|a| g.c[a].name.clone()).unwrap_or_default();
            return Ok(Order::PartyAttack { party: g.party_name(p), area: there, target: worth(g, target, area) });
        }
        if named_party && village.is_none() {
            return Err(words.fail("whose War Party?"));
        }
    }
    let v = need(village, &words)?;
    let area = area.or_else(|| g.area_of(v));
    // Where neither a strength nor a Chief is named, everybody goes.
    if bps.is_none() && chiefs.is_empty() {
        chiefs = everybody(g, v);
    }
    Ok(Order::WarParty {
        village: g.c[v].name.clone(),
        bps: bps.map_or(g.village(v).bps, small),
        chiefs: chiefs.iter().map(|&h| g.c[h].name.clone()).collect(),
        area: area.map(|a| g.c[a].name.clone()).unwrap_or_default(),
        target: worth(g, target, area),
    })
}

/// `with geronimo and cochise`, `from the southern cheyenne`: Chiefs, and the Village if it is named here.
fn read_led_by(
    g: &State,
    seat: Seat,
    words: &mut Reader<'_>,
    village: &mut Option<VillageId>,
    chiefs: &mut Vec<ChiefId>,
) {
    loop {
        words.skip(&["with", "and", "under", "led", "by", "from", "the"]);
        // Chiefs first: "black" is also the beginning of the Blackfoot.
        if let Some(h) = words.try_name(&naming::chiefs(g)) {
            chiefs.push(h);
        } else if let Some(v) = words.try_name(&own_villages(g, seat)) {
            *village = Some(v);
        } else {
            break;
        }
    }
}

/// Where the target stands, if it is a piece that stands in one place.
fn place_of(g: &State, target: &Target) -> Option<AreaId> {
    match target {
        Target::Column { name } => g.column_named(name).map(|k| k.area),
        Target::Village { name } => g.c.village_by_name(name).and_then(|v| g.area_of(v)),
        Target::Party { name } => g.parties.iter().find(|p| g.party_name(p) == *name).map(|p| p.area),
        _ => None,
    }
}

/// `mine` without a number means the most valuable one there.
pub fn worth(g: &State, target: Target, area: Option<AreaId>) -> Target {
    match (target, area) {
        (Target::Mine { value: 0 }, Some(a)) => {
            let best = g.area(a).mines.iter().filter(|m| !m.hit).map(|m| g.c[m.id].value).max();
            Target::Mine { value: best.unwrap_or(0) }
        }
        (target, _) => target,
    }
}

/// What is attacked, and where if that is said.
pub fn read_target(g: &State, words: &mut Reader<'_>) -> Result<(Target, Option<AreaId>), Misread> {
    let target = if let Some(target) = read_resource(g, words) {
        target
    } else if words.eat("mission") {
        Target::Mission {}
    } else {
        match read_column_target(g, words)? {
            Some(target) => target,
            None => read_indians(g, words)?,
        }
    };
    Ok((target, read_place(g, words)?))
}

/// A Column by its Commander, unless the words fit Indians better. One list holds them all, so that a misspelt Tribe is not
/// taken for a Commander whose name is nearly the same.
fn read_column_target(g: &State, words: &mut Reader<'_>) -> Result<Option<Target>, Misread> {
    let column = |g: &State, id| Target::Column { name: g.column_name(id).to_owned() };
    if words.eat("column") {
        words.skip(&["of", "under"]);
        return words.name(&naming::columns(g)).map(|id| Some(column(g, id)));
    }
    let mut all: Names<Option<ColumnId>> = Names::new("target");
    for v in g.village_ids() {
        all.add(&g.c[v].name, None).add(&g.c[v].short, None);
    }
    for k in &g.columns {
        all.add(g.column_name(k.id), Some(k.id));
    }
    let mut ahead = words.clone();
    match ahead.try_name(&all).flatten() {
        Some(id) => {
            *words = ahead;
            Ok(Some(column(g, id)))
        }
        None => Ok(None),
    }
}

fn read_place(g: &State, words: &mut Reader<'_>) -> Result<Option<AreaId>, Misread> {
    if words.eat("in") {
        words.skip(&["the"]);
        return words.name(&naming::areas(g)).map(Some);
    }
    Ok(None)
}

/// `teton sioux 1 6 with crazy horse`: what a Village gives to an Alliance.
pub fn read_contribution(g: &State, words: &mut Reader<'_>, own: &Names<VillageId>) -> Result<Contribution, Misread> {
    let v = words.name(own)?;
    words.skip(&["with", "of", "sends", "gives"]);
    let bps = words.number();
    words.skip(&["bp", "bps", "with", "under"]);
    let mut chiefs = Vec::new();
    while let Some(h) = words.try_name(&naming::chiefs(g)) {
        chiefs.push(g.c[h].name.clone());
        // `and` before the next Chief; before the next Village it stays.
        let mut ahead = words.clone();
        ahead.skip(&["and"]);
        if ahead.clone().try_name(&naming::chiefs(g)).is_some() {
            *words = ahead;
        } else {
            break;
        }
    }
    let out = g.parties_of(v).next().is_some();
    let bps = bps.map_or(if out { 0 } else { g.village(v).bps }, small);
    Ok(Contribution { village: g.c[v].name.clone(), bps, chiefs })
}
