//! The words of an Indian player's orders (6.1 to 6.4):
//! `war party of 4 with geronimo attacks mine in arizona`.

use super::{
    Order, State, alliance,
    column_words::small,
    components::{AreaId, ChiefId, VillageId},
    naming::{self, area},
    order::{Contribution, Target},
    raids,
    relocation::Destination,
    state::PartyId,
    target_words::{aimed_at, place, raided, target},
    village_action::{Start, VillageAction, everybody},
    war_party::targets,
};
use postrider_orders::{
    Grammar, Misread, Names, Reader, counted, filler, just, list_or, named, one_of, variant, word_as,
};
use postrider_table::Seat;

/// The acting Village or War Party as far as it is named; both if the name fits both.
#[derive(Clone, Copy, Default)]
struct Who {
    village: Option<VillageId>,
    party: Option<PartyId>,
}

/// The action of an order.
#[derive(Clone, PartialEq)]
enum Deed {
    Mission,
    Relocate { village: Option<String>, to: String },
    Raid { target: Option<Target>, place: Option<String>, by: Option<String> },
    Attack(Attack),
}

/// An attack of a War Party as far as it is stated. Omitted parts follow from the others.
#[derive(Clone, PartialEq)]
struct Attack {
    named: bool,
    bps: Option<i32>,
    chiefs: Vec<ChiefId>,
    villages: Vec<VillageId>,
    moved: Option<String>,
    target: Target,
    place: Option<String>,
}

/// Parses an action: `comanche relocate to utah` ·
/// `comanche war party of 4 with geronimo attacks mine in arizona` · `comanche raid mexico` ·
/// `comanche war party attacks town in texas` · `alliance … attacks …` · `pass`.
pub fn actions(g: &State, seat: Seat) -> Grammar<'_, Order> {
    let deed = who(g, seat).bind(move |who| deeds(g, seat, *who));
    let deed = deed.try_map(move |(who, deed), words| order(g, seat, who, deed, words), move |order| deed_of(g, order));
    one_of()
        .on(&["pass", "nothing", "none", "done"], just(Order::Pass {}))
        .on(&["alliance"], alliance::grammar(g, seat))
        .otherwise(deed)
}

fn own_villages(g: &State, seat: Seat) -> Names<VillageId> {
    naming::villages(g, g.village_ids().filter(move |&v| g.player_of(v) == Some(seat)))
}

/// Parses a Village of this player.
fn own_village(g: &State, seat: Seat) -> Grammar<'_, String> {
    named(move || own_villages(g, seat), |v| g.c[v].name.clone())
}

fn who(g: &State, seat: Seat) -> Grammar<'_, Who> {
    Grammar::leaf(
        move |words| Ok(read_who(g, seat, words)),
        |who| match (who.village, who.party) {
            (Some(v), _) => Some(g.c[v].name.clone()),
            (None, Some(id)) => g.party(id).map(|party| g.party_name(party)),
            (None, None) => Some(String::new()),
        },
    )
}

fn read_who(g: &State, seat: Seat, words: &mut Reader<'_>) -> Who {
    let mut ahead = words.clone();
    ahead.skip(&["the"]);
    let mut party_ahead = ahead.clone();
    let party = party_ahead.try_name(&naming::parties(g));
    if let Some(v) = ahead.try_name(&own_villages(g, seat)) {
        *words = ahead;
        // The name that matches more words is meant: if a War Party of the Teton Sioux 1 is out,
        // "teton sioux 2" does not mean it. Among names that match the same number of words, only
        // the Village's own War Party is meant, so that "southern cheyenne" does not mean one of
        // the Northern Cheyenne.
        let (longer, as_long) =
            (party_ahead.understood() > words.understood(), party_ahead.understood() == words.understood());
        let own = |id: &PartyId| g.party(*id).is_some_and(|p| p.village == v);
        Who { village: Some(v), party: party.filter(|id| longer || as_long && own(id)) }
    } else {
        if party.is_some() {
            *words = party_ahead;
        }
        Who { village: None, party }
    }
}

fn deeds(g: &State, seat: Seat, who: Who) -> Grammar<'_, Deed> {
    let mission = one_of().on(&["war party", "party"], just(())).otherwise(just(())).means(Deed::Mission);
    let whose = match who.village {
        Some(_) => just(None),
        None => own_village(g, seat).map(Some, Clone::clone),
    };
    let relocated = whose.and(filler("to", &["village", "to", "into"]).then(destination(g)));
    let forms = one_of()
        .on(&["mission"], mission)
        .on(&["relocate", "move", "moves"], variant!(relocated => (village, to) => Deed::Relocate { village, to }))
        .on(&["raid"], raid(g, seat));
    let forms = match who.village {
        Some(_) => {
            let back = filler("to", &["to", "into"]).then(destination(g));
            forms.also(&["return"], back.map(|to| Deed::Relocate { village: None, to }, |_| None))
        }
        None => forms,
    };
    forms.otherwise(attack(g, seat, who))
}

/// Parses an Area, Mexico or Canada.
fn destination(g: &State) -> Grammar<'_, String> {
    let places = || {
        let mut places = Names::new("place");
        for a in g.area_ids() {
            places.add(&g.c[a].name, Destination::Area(a)).add(&g.c[a].code, Destination::Area(a));
        }
        places.add("Mexico", Destination::Mexico).add("Canada", Destination::Canada);
        places
    };
    named(places, |to: Destination| to.name(g).to_owned())
}

/// Fails for a misspelt `mexico`, so that it is not taken for New Mexico.
fn no_slip_of_mexico<'g>() -> Grammar<'g, ()> {
    Grammar::leaf(
        |words: &mut Reader<'_>| {
            let slip = |word: &str| {
                let plain = word.replace('é', "e");
                !"mexico".starts_with(&plain) && strsim::damerau_levenshtein(&plain, "mexico") <= 2
            };
            match words.peek().is_some_and(slip) {
                true => Err(words.fail("Mexico or New Mexico, in full")),
                false => Ok(()),
            }
        },
        |()| Some(String::new()),
    )
}

/// Parses `mexico` · `town in texas` · `texas`, optionally followed by the raiding Village.
fn raid(g: &State, seat: Seat) -> Grammar<'_, Deed> {
    let inland = raided().and(filler("in", &["in", "the"]).then(area(g)));
    let inland =
        inland.map(|(target, area)| (target, Some(area)), |(target, area)| Some((target.clone(), area.clone()?)));
    let what = one_of().on(&["mexico"], just((Some(Target::Mexico {}), None))).otherwise(inland);
    let by = filler("", &["the"]).then(own_village(g, seat)).after(&["with", "by"]);
    let raid = filler("", &["into", "the", "a", "an", "on"]).then(no_slip_of_mexico()).then(what).and(by);
    variant!(raid => ((target, place), by) => Deed::Raid { target, place, by })
}

/// Parses `war party of 4 with geronimo attacks mine in arizona`, of which only the target is
/// required.
fn attack(g: &State, seat: Seat, who: Who) -> Grammar<'_, Deed> {
    let begins = Grammar::leaf(move |words| begins(g, seat, who, words), |()| Some(String::new()));
    let party = Grammar::leaf(
        |words| Ok(words.eat("party") || words.eat("war") && words.expect("party").map(|()| true)?),
        |named| Some(if *named { "war party" } else { "" }.to_owned()),
    );
    let bps = Grammar::leaf(
        |words| {
            words.skip(&["of"]);
            let bps = words.number().map(small);
            words.skip(&["bp", "bps"]);
            Ok(bps)
        },
        |bps: &Option<i32>| Some(bps.map_or_else(String::new, |bps| format!("of {bps}"))),
    );
    let led = Grammar::leaf(
        move |words| Ok(read_led_by(g, seat, words, Led::default())),
        |led: &Led| {
            let names: Vec<&str> = led.chiefs.iter().map(|&h| g.c[h].name.as_str()).collect();
            Some(if names.is_empty() { String::new() } else { format!("with {}", names.join(", ")) })
        },
    );
    let led = led.bind(move |led| aimed(g, seat, led.clone()));
    begins.then(party).and(bps).and(led).map(
        |((named, bps), (_, ((moved, target), (place, Led { chiefs, villages }))))| {
            Deed::Attack(Attack { named, bps, chiefs, villages, moved, target, place })
        },
        |deed| match deed.clone() {
            Deed::Attack(Attack { named, bps, chiefs, villages, moved: None, target, place })
                if villages.is_empty() =>
            {
                let led = Led { chiefs, villages };
                Some(((named, bps), (led.clone(), ((None, target), (place, led)))))
            }
            _ => None,
        },
    )
}

/// Parses the destination of a War Party, the target and its place. The leaders may also come last,
/// unless `first` are Chiefs.
#[allow(clippy::type_complexity, reason = "the parts of a sentence, in their order")]
fn aimed(g: &State, seat: Seat, first: Led) -> Grammar<'_, ((Option<String>, Target), (Option<String>, Led))> {
    let moved = Grammar::leaf(
        |words| {
            words.skip(&["moves", "goes", "in", "into", "to"]);
            Ok(words.try_name(&naming::areas(g)).map(|a| g.c[a].name.clone()))
        },
        |_| Some(String::new()),
    );
    let attacks = filler("", &["and"]).then(word_as("attacks", &["attack"])).then(filler("", &["the", "a", "an"]));
    let end = Grammar::leaf(
        move |words| {
            let here = place(g).read(words)?;
            if !first.chiefs.is_empty() || !words.peek().is_some_and(|word| matches!(word, "with" | "under" | "led")) {
                return Ok((here, first.clone()));
            }
            let led = read_led_by(g, seat, words, first.clone());
            let here = if here.is_none() { place(g).read(words)? } else { here };
            Ok((here, led))
        },
        |(here, _): &(Option<String>, Led)| Some(here.as_ref().map_or_else(String::new, |area| format!("in {area}"))),
    );
    moved.and(attacks.then(target(g))).and(end)
}

/// Fails if the words do not begin an order, with an error about the Tribe that they probably mean.
fn begins(g: &State, seat: Seat, who: Who, words: &mut Reader<'_>) -> Result<(), Misread> {
    let mut ahead = words.clone();
    let started = ahead.number().is_some() || ahead.eat_any(&["war", "party", "attack"]).is_some();
    if who.village.is_some() || who.party.is_some() || started {
        return Ok(());
    }
    let villages = own_villages(g, seat);
    let foreign = naming::villages(g, g.village_ids());
    if let (None, Some(v)) = (words.clone().try_name(&villages), words.clone().try_name(&foreign)) {
        return Err(words.fail(format!("the {} are no Tribe of yours this Turn", g.c[v].name)));
    }
    words.name(&villages).map(drop)
}

/// The Chiefs of a War Party, and the Villages named with them.
#[derive(Clone, Default)]
struct Led {
    chiefs: Vec<ChiefId>,
    villages: Vec<VillageId>,
}

/// Parses `with geronimo and cochise` or `from the southern cheyenne`.
fn read_led_by(g: &State, seat: Seat, words: &mut Reader<'_>, mut led: Led) -> Led {
    loop {
        words.skip(&["with", "and", "under", "led", "by", "from", "the"]);
        // Chiefs first, because "black" is also the beginning of "Blackfoot".
        if let Some(h) = words.try_name(&naming::chiefs(g)) {
            led.chiefs.push(h);
        } else if let Some(v) = words.try_name(&own_villages(g, seat)) {
            led.villages.push(v);
        } else {
            return led;
        }
    }
}

/// Returns the order for a deed. Omitted parts follow from the position.
fn order(g: &State, seat: Seat, who: Who, deed: Deed, words: &Reader<'_>) -> Result<Order, Misread> {
    let named = |v: VillageId| g.c[v].name.clone();
    let need = |village: Option<VillageId>| {
        village.ok_or_else(|| words.fail("say which Tribe or Village first: `comanche …`"))
    };
    if let (Who { village: None, party: Some(id) }, false) = (who, matches!(deed, Deed::Attack(_))) {
        let party = g.party(id).map(|party| g.party_name(party)).unwrap_or_default();
        return Err(words.fail(format!("the War Party of the {party} can attack, and nothing else")));
    }
    match deed {
        Deed::Mission => Ok(Order::MissionParty { village: named(need(who.village)?) }),
        Deed::Relocate { village: Some(village), to } => Ok(Order::Relocate { village, to }),
        Deed::Relocate { village: None, to } => Ok(Order::Relocate { village: named(need(who.village)?), to }),
        Deed::Raid { target, place, by } => {
            // Both `raid mexico with the apache` and `apache raid mexico` are accepted.
            let village = match (who.village.map(named), by) {
                (Some(first), Some(other)) if first != other => {
                    return Err(words.fail(format!("who raids, the {first} or the {other}? Each Raid is one Tribe's")));
                }
                (Some(village), _) | (None, Some(village)) => village,
                (None, None) => {
                    let able: Vec<VillageId> = g.village_ids().filter(|&v| raids::able(g, seat, v, false)).collect();
                    match able.as_slice() {
                        [only] => named(*only),
                        _ => return Err(words.fail("which Tribe raids? `apache raid mexico`")),
                    }
                }
            };
            let target = place
                .as_ref()
                .and_then(|area| g.c.area_by_name(area))
                .map_or(target.clone(), |a| Some(prey(g, target, a)));
            let area = place.unwrap_or_else(|| "Mexico".to_owned());
            Ok(Order::Raid { village, area, target: target.unwrap_or(Target::Settlement {}) })
        }
        Deed::Attack(attack) => war_party(g, who, attack, words),
    }
}

/// Returns the target of a Raid in an Area. An Area alone means any Resource there.
fn prey(g: &State, target: Option<Target>, a: AreaId) -> Target {
    let any = || {
        let lifeless = |t: &Target| !matches!(t, Target::Village { .. } | Target::Party { .. } | Target::Column { .. });
        targets(g, a).into_iter().find(lifeless)
    };
    match target.or_else(any) {
        // Any Mine will do, even one that was hit (7.26).
        Some(Target::Mine { value: 0 }) => {
            Target::Mine { value: g.area(a).mines.first().map_or(0, |m| g.c[m.id].value) }
        }
        target => target.unwrap_or(Target::Settlement {}),
    }
}

/// Returns the order for an attack by a War Party that is out, or by a new one.
fn war_party(g: &State, who: Who, attack: Attack, words: &Reader<'_>) -> Result<Order, Misread> {
    words.end()?;
    let Attack { named, bps, mut chiefs, villages, moved, target, place } = attack;
    let first = who.village.or_else(|| who.party.and_then(|id| g.party(id)).map(|party| party.village));
    let mut village = first.or(villages.first().copied());
    if let (Some(first), Some(&other)) = (village, villages.iter().find(|&&other| village != Some(other))) {
        return Err(words.fail(format!(
            "the {} and the {} each send a War Party of their own, in a Round of its own; together they go in an Alliance (6.7)",
            g.c[first].name, g.c[other].name
        )));
    }
    if let (Some(moved), Some(place)) = (&moved, &place)
        && moved != place
    {
        return Err(words.fail(format!("a War Party attacks in the Area to which it moves: {moved} or {place}?")));
    }
    // The Chiefs identify the War Party.
    if let (None, Some(&h)) = (village, chiefs.first()) {
        village = g.chief_village(h);
    }
    let area = place.or(moved).and_then(|area| g.c.area_by_name(&area)).or_else(|| place_of(g, &target));
    if bps.is_none() && chiefs.is_empty() {
        if let Some(id) = who.party.or_else(|| village.and_then(|v| g.parties_of(v).next().map(|p| p.id)))
            && let Some(p) = g.party(id)
        {
            let (area, target) = definite(g, target, area, &[(p.area, p.village, p.on_foot)], words)?;
            return Ok(Order::PartyAttack { party: g.party_name(p), area, target });
        }
        if named && village.is_none() {
            return Err(words.fail("whose War Party?"));
        }
    }
    let v = village.ok_or_else(|| words.fail("say which Tribe or Village first: `comanche …`"))?;
    let from = g.area_of(v).map(|home| (home, v, g.events.no_horses.contains(&v)));
    let (area, target) = definite(g, target, area, from.as_slice(), words)?;
    // If neither a strength nor a Chief is named, all available go.
    if bps.is_none() && chiefs.is_empty() {
        chiefs = everybody(g, v);
    }
    Ok(Order::WarParty {
        village: g.c[v].name.clone(),
        bps: bps.unwrap_or(g.village(v).bps),
        chiefs: chiefs.iter().map(|&h| g.c[h].name.clone()).collect(),
        area,
        target,
    })
}

/// Returns the deed from which [`order`] makes this order.
fn deed_of(g: &State, order: &Order) -> Option<(Who, Deed)> {
    let of = |village: &str| Some(Who { village: Some(g.c.village_by_name(village)?), party: None });
    let attack = |target: &Target, area: &str| Attack {
        named: true,
        bps: None,
        chiefs: Vec::new(),
        villages: Vec::new(),
        moved: None,
        target: target.clone(),
        place: Some(area.to_owned()),
    };
    Some(match order {
        Order::MissionParty { village } => (of(village)?, Deed::Mission),
        Order::Relocate { village, to } => (of(village)?, Deed::Relocate { village: None, to: to.clone() }),
        Order::Raid { village, area, target } => {
            let place = (*target != Target::Mexico {}).then(|| area.clone());
            (of(village)?, Deed::Raid { target: Some(target.clone()), place, by: None })
        }
        Order::WarParty { village, bps, chiefs, area, target } => {
            let v = g.c.village_by_name(village)?;
            let chiefs: Vec<ChiefId> = chiefs.iter().map(|name| g.c.chief_by_name(name)).collect::<Option<_>>()?;
            // If a War Party of the Village is out, the bare name of the Village means that one.
            let bare = g.parties_of(v).next().is_none() && *bps == g.village(v).bps && chiefs == everybody(g, v);
            let all = attack(target, area);
            let attack = if bare { Attack { named: false, ..all } } else { Attack { bps: Some(*bps), chiefs, ..all } };
            (of(village)?, Deed::Attack(attack))
        }
        Order::PartyAttack { party, area, target } => {
            let id = g.parties.iter().find(|p| g.party_name(p) == *party)?.id;
            (Who { village: None, party: Some(id) }, Deed::Attack(attack(target, area)))
        }
        _ => return None,
    })
}

/// Returns the Area of a target that is a piece with a definite place.
pub fn place_of(g: &State, target: &Target) -> Option<AreaId> {
    match target {
        Target::Column { name } => g.column_named(name).map(|k| k.area),
        Target::Village { name } => g.c.village_by_name(name).and_then(|v| g.area_of(v)),
        Target::Party { name } => g.parties.iter().find(|p| g.party_name(p) == *name).map(|p| p.area),
        _ => None,
    }
}

/// Returns the Area and the target of an attack whose words may leave out the Area, or the value of
/// a Mine. `from` are the War Parties that may attack. A Resource without
/// an Area is one where they start, if there is no other in reach.
///
/// # Errors
/// A [`Misread`] that lists the targets that may be meant, if it is not clear which.
pub fn definite(
    g: &State,
    target: Target,
    area: Option<AreaId>,
    from: &[Start],
    words: &Reader<'_>,
) -> Result<(String, Target), Misread> {
    let any_mine = target == Target::Mine { value: 0 };
    let meant = |one: &Target| *one == target || any_mine && matches!(one, Target::Mine { .. });
    let near = |a: AreaId| from.iter().any(|&start| VillageAction::in_reach(g, start, a));
    let areas = g.area_ids().filter(|&a| area.map_or_else(|| near(a), |area| a == area));
    let able: Vec<(AreaId, Target)> =
        areas.flat_map(|a| targets(g, a).into_iter().filter(meant).map(move |one| (a, one))).collect();
    let starts = |a: AreaId| from.iter().any(|start| start.0 == a);
    match able.as_slice() {
        [(a, one)] if area.is_some() || starts(*a) => Ok((g.c[*a].name.clone(), one.clone())),
        [] => {
            let area = area.or(from.first().map(|start| start.0));
            Ok((area.map(|a| g.c[a].name.clone()).unwrap_or_default(), target))
        }
        able => {
            let said = |(a, one): &(AreaId, Target)| format!("`{} in {}`", aimed_at(one), g.c[*a].name);
            let all: Vec<String> = able.iter().map(said).collect();
            Err(words.fail(format!("say which: {}", list_or(&all))))
        }
    }
}

/// Parses `teton sioux 1 6 bps with crazy horse`, the contribution of a Village of `own` to an
/// Alliance. Without BPs it is the War Party that is out.
pub fn contribution<'g>(g: &'g State, own: impl Fn() -> Names<VillageId> + 'g) -> Grammar<'g, Contribution> {
    Grammar::leaf(
        move |words| read_contribution(g, words, &own()),
        |what| {
            let mut words = what.village.clone();
            if what.bps > 0 {
                words += &format!(" {}", counted(what.bps, "bp"));
            }
            if !what.chiefs.is_empty() {
                words += &format!(" with {}", what.chiefs.join(" and "));
            }
            Some(words)
        },
    )
}

fn read_contribution(g: &State, words: &mut Reader<'_>, own: &Names<VillageId>) -> Result<Contribution, Misread> {
    let v = words.name(own)?;
    words.skip(&["with", "of", "sends", "gives"]);
    let bps = words.number();
    words.skip(&["bp", "bps"]);
    let mut chiefs = Vec::new();
    let mut led = words.eat("with") || words.eat("under");
    loop {
        // `and` before the next Chief is skipped, but not before the next Village.
        let mut ahead = words.clone();
        if !chiefs.is_empty() {
            ahead.skip(&["and"]);
        }
        let mut village = ahead.clone();
        let Some(h) = ahead.try_name(&naming::chiefs(g)) else { break };
        // `nez perce 7 bps, crow 6 bps` does not mean the Chief Little Crow.
        if !led && village.try_name(own).is_some() && village.understood() >= ahead.understood() {
            break;
        }
        chiefs.push(g.c[h].name.clone());
        *words = ahead;
        led = false;
    }
    let out = g.parties_of(v).next().is_some();
    let bps = bps.map_or(if out { 0 } else { g.village(v).bps }, small);
    Ok(Contribution { village: g.c[v].name.clone(), bps, chiefs })
}
