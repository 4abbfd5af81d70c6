//! War Parties: their targets, and attacks on Resources (6.3, 7.2).

use super::{
    Geronimo, State, T,
    alliance::{partners, share},
    battle::{Fight, avengeable, fight, indian_massacre, tribal_fight},
    campaign::unmask,
    columns::together,
    components::{AreaId, VillageId},
    order::Target,
    ratings::{Force, Troops},
    resources::settle_up,
    state::{ColumnId, PartyId},
    target_words::aimed_at,
};
use postrider_table::{Candidate, Refusal, Seat, refuse};
use std::borrow::Cow;

/// A checked target of a War Party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    Indians(Force),
    Column(ColumnId),
    Resource(AreaId, Resource),
}

/// A kind of Resource (7.22).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    Settlement,
    Town,
    Railroad,
    /// By value.
    Mine(i32),
}

impl Resource {
    pub fn name(self) -> String {
        match self {
            Resource::Settlement => "a Settlement".into(),
            Resource::Town => "a Town".into(),
            Resource::Railroad => "an RR".into(),
            // An order need not state the value if there is no Mine.
            Resource::Mine(0) => "a Mine".into(),
            Resource::Mine(value) => format!("a {value}-point Mine"),
        }
    }
    /// Returns how many of it can be attacked in an Area now, without Broke RRs and Mines hit this
    /// Turn (7.22).
    pub fn count(self, g: &State, area: AreaId) -> i32 {
        let there = g.area(area);
        match self {
            Resource::Settlement => there.settlements,
            Resource::Town => there.towns,
            Resource::Railroad => there.rrs,
            Resource::Mine(value) => there.mines.iter().filter(|m| !m.hit && g.c[m.id].value == value).count() as i32,
        }
    }
}

/// The reason why a Tribe must attack immediately (9.2D, 9.2F).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compelled {
    /// Any Village or War Party that is not a Friend; VPs double.
    BadBlood,
    /// Anything that a War Party may attack.
    BloodLust,
    /// In the Solitaire Game, a leader of Aggression 2 or more (9.2C).
    Revenge,
}

/// Checks that War Parties of these Villages may attack a target in an Area (6.33).
pub fn aim(
    g: &State,
    villages: &[VillageId],
    area: AreaId,
    target: &Target,
    compelled: Option<Compelled>,
) -> Result<Aim, Refusal> {
    let place = &g.c[area].name;
    let indians = matches!(target, Target::Village { .. } | Target::Party { .. });
    if compelled == Some(Compelled::BadBlood) && !indians {
        return refuse("9.2D", "Bad Blood is against Villages and War Parties.");
    }
    if !indians && let Some(&v) = villages.iter().find(|&&v| g.village(v).peace_chief) {
        return refuse(
            "9.2Q",
            format!("The {} have a Peace Chief: they attack neither Resources nor Columns.", g.c[v].name),
        );
    }
    match target {
        Target::Village { name } => {
            let Some(v) = g.c.village_by_name(name).filter(|&v| g.area_of(v) == Some(area)) else {
                return refuse("6.33", format!("There is no {name} Village in {place}."));
            };
            if g.two_players() && g.player_of(v).is_some() {
                let why = format!("The {name} are Active and your own: War Parties attack Inactive Villages only.");
                return refuse("11.2", why);
            }
            let theirs = g.c[v].tribe;
            let hostile = |mine: &VillageId| {
                let tribe = g.c[*mine].tribe;
                match compelled {
                    Some(Compelled::BadBlood) => !g.c[tribe].friends.contains(theirs),
                    _ => g.c[tribe].enemies.contains(theirs) || g.village(*mine).attacked_by.contains(theirs),
                }
            };
            if !villages.iter().all(hostile) {
                return refuse(
                    "6.33",
                    format!("The {name} are no Enemies of yours, and have not attacked you this Turn."),
                );
            }
            fresh(g, Force::Village(v))
        }
        Target::Party { name } => {
            let Some(party) = g.parties.iter().find(|p| p.area == area && g.party_name(p) == *name) else {
                return refuse("6.33", format!("There is no War Party of the {name} in {place}."));
            };
            if g.two_players() {
                return refuse(
                    "11.2",
                    "All War Parties are your own: they attack no other Indians but Inactive Villages.",
                );
            }
            // Combined War Parties are one target (6.73). A Friend among them, or the attacker's
            // own Tribe, protects them all.
            let force = super::columns::allied(g, party.id);
            let friend =
                |v: &VillageId| villages.iter().any(|&own| g.c[g.c[own].tribe].friends.contains(g.c[*v].tribe));
            if let Some(v) = force.villages(g).into_iter().find(friend) {
                let friend = &g.c[v].name;
                return match v == party.village {
                    true => refuse("6.33", format!("The {name} are Friends.")),
                    false => refuse("6.33", format!("The {friend}, with whom the {name} are combined, are Friends.")),
                };
            }
            fresh(g, force)
        }
        Target::Column { name } => match g.column_named(name).filter(|k| k.area == area) {
            Some(k) if k.in_fort => refuse("5.62", format!("{name} is In Fort and cannot be attacked.")),
            Some(k) if k.attacked_in == g.round => {
                refuse("7.34", format!("{name} has already been attacked in this Round."))
            }
            Some(k) => Ok(Aim::Column(k.id)),
            None => refuse("6.33", format!("{name} has no Column On Patrol in {place}.")),
        },
        Target::Mission {} => {
            refuse("7.71", "A Mission is raided, or destroyed by a Mission War Party from its own Area.")
        }
        Target::Mexico {} => refuse("6.36", "War Parties do not enter Mexico; only Raids reach it."),
        Target::Mine { .. } if g.variant.solitaire => {
            refuse("11.39", "In the Solitaire Game Indians do not attack Mines, but all other Resources.")
        }
        Target::Settlement {} | Target::Town {} | Target::Railroad {} | Target::Mine { .. } => {
            let resource = match target {
                Target::Settlement {} => Resource::Settlement,
                Target::Town {} => Resource::Town,
                Target::Mine { value } => Resource::Mine(*value),
                _ => Resource::Railroad,
            };
            if resource.count(g, area) < 1 {
                return refuse("7.22", format!("There is not {} to attack in {place} now.", resource.name()));
            }
            Ok(Aim::Resource(area, resource))
        }
    }
}

/// Returns `true` if the attack would be one of revenge (9.2C): on an Active Tribe with a Chief of
/// Aggression 2 or more, or a Column with such a Commander.
pub fn is_revenge(g: &State, aim: &Aim) -> bool {
    match aim {
        Aim::Indians(force) => avengeable(g, force),
        Aim::Column(id) => Troops(together(g, *id)).has_aggression(g, 2),
        Aim::Resource(..) => false,
    }
}

/// Checks that a target has not been attacked in this Round (7.34).
fn fresh(g: &State, force: Force) -> Result<Aim, Refusal> {
    if g.round > 0 && force.attacked_this_round(g) {
        return refuse("7.34", "That target has already been attacked in this Round.");
    }
    Ok(Aim::Indians(force))
}

/// Returns everything in an Area that could be named as a target.
pub fn targets(g: &State, area: AreaId) -> Vec<Target> {
    let mut all: Vec<Target> = super::columns::indian_targets(g, area).into_iter().map(|(target, _)| target).collect();
    let columns = g.columns_in(area).filter(|k| !k.in_fort && k.commander.is_some());
    all.extend(columns.map(|k| Target::Column { name: g.column_name(k.id).to_owned() }));
    let there = g.area(area);
    all.extend((there.settlements > 0).then_some(Target::Settlement {}));
    all.extend((there.towns > 0).then_some(Target::Town {}));
    all.extend((there.rrs > 0).then_some(Target::Railroad {}));
    if g.variant.solitaire {
        return all;
    }
    let mut values: Vec<i32> = there.mines.iter().filter(|m| !m.hit).map(|m| g.c[m.id].value).collect();
    values.sort_unstable();
    values.dedup();
    all.extend(values.into_iter().map(|value| Target::Mine { value }));
    all
}

/// Carries out an attack of War Parties that are in the target's Area. `double` is for Bad Blood
/// (9.2D).
pub async fn strike(t: &T, g: &mut State, seat: Seat, parties: &[PartyId], aim: &Aim, double: bool) {
    let force = Force::Parties(parties.to_vec());
    match aim {
        Aim::Resource(area, resource) => attack_resource(t, g, seat, &force, *area, *resource).await,
        Aim::Column(id) => {
            let round = g.round;
            let mut troops = Troops(together(g, *id));
            // Combined Columns are one target (7.34).
            for &id in &troops.0 {
                if let Some(column) = g.column_mut(id) {
                    column.attacked_in = round;
                }
            }
            t.tell(|| format!("{} attacks {}.", super::campaign::capitalised(&force.name(g)), troops.name(g)));
            fight(t, g, Fight { troops: &mut troops, force: &force, attacker: Some(seat), ambush: false }).await;
        }
        Aim::Indians(target) => {
            unmask(t, g, target).await;
            tribal_fight(t, g, (seat, &force), target, double).await;
        }
    }
}

/// Added to the DR against a Town (7.23).
pub const TOWN_DRM: i32 = 5;

/// Returns the strength with which a DR against a Resource is compared (7.23).
pub fn resource_strength(g: &State, force: &Force) -> i32 {
    force.bps(g) + force.chief_combat(g)
}

/// Carries out an attack on a Resource (7.23 to 7.25).
async fn attack_resource(t: &T, g: &mut State, seat: Seat, force: &Force, area: AreaId, resource: Resource) {
    let strength = resource_strength(g, force);
    let natural = t.d10("resource attack") as i32;
    let dr = natural + if resource == Resource::Town { TOWN_DRM } else { 0 };
    let success = dr <= strength;
    let vps = match resource {
        Resource::Settlement | Resource::Railroad => 2,
        Resource::Town => 5,
        Resource::Mine(value) => value,
    };
    t.tell(|| {
        let end = match (success, g.variant.solitaire) {
            (false, _) => "it fails".into(),
            (true, false) => format!("{} for {}", postrider_table::vps(vps), g.who(seat)),
            (true, true) => "it succeeds".to_owned(),
        };
        let modified = if dr == natural { format!("{dr}") } else { format!("{natural} + 5 = {dr}") };
        let place = &g.c[area].name;
        format!(
            "{} attacks {} in {place}: DR {modified}, needed {strength} or less: {end}.",
            super::campaign::capitalised(&force.name(g)),
            resource.name()
        )
    });
    if !success {
        return;
    }
    g.score(seat, vps, "7.23");
    let c = g.c.clone();
    let there = g.area_mut(area);
    match resource {
        Resource::Settlement => there.settlements -= 1,
        Resource::Town => {
            there.towns -= 1;
            there.settlements += 3;
            t.tell(|| format!("Three Settlements are left of the Town in {}.", c[area].name));
        }
        Resource::Railroad => {
            there.rrs -= 1;
            there.broke += 1;
        }
        Resource::Mine(value) => {
            if let Some(mine) = there.mines.iter_mut().find(|m| !m.hit && c[m.id].value == value) {
                mine.hit = true;
            }
        }
    }
    settle_up(t, g, area);
    // Only a natural 0 to 2 can be a Massacre (7.25).
    if natural <= 2 {
        let aggression = force.massacre_aggression(g);
        let dr = t.d10("massacre") as i32;
        t.tell(|| format!("Massacre DR {dr}: a Massacre on {aggression} or less."));
        if dr <= aggression {
            indian_massacre(t, g, area);
        }
    }
    let allies = partners(g, seat, force);
    share(t, g, seat, &allies, vps).await;
}

/// A second target for a Rampage, or none (9.2V).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Second {
    words: String,
    aim: Option<Aim>,
}

impl Second {
    /// Returns the target, if any.
    pub fn aim(self) -> Option<Aim> {
        self.aim
    }
}

impl Candidate<Geronimo> for Second {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        self.words.clone().into()
    }
}

/// Returns the possible second targets of a Rampage, which must differ from the first but be in the
/// same Area (9.2V). Another Resource of the same kind is possible only if there was more than one
/// before the first attack, given by `alike`.
pub fn second_targets(g: &State, parties: &[PartyId], area: AreaId, first: &Aim, alike: i32) -> Vec<Second> {
    let villages = Force::Parties(parties.to_vec()).villages(g);
    let mut among = Vec::new();
    for target in targets(g, area) {
        let words = aimed_at(&target).to_lowercase();
        let Ok(next) = aim(g, &villages, area, &target, None) else { continue };
        let other = match (&next, first) {
            (Aim::Resource(_, r), Aim::Resource(_, s)) if r == s => alike > 1,
            _ => next != *first,
        };
        if other {
            among.push(Second { words, aim: Some(next) });
        }
    }
    if !among.is_empty() {
        among.push(Second { words: "none".into(), aim: None });
    }
    among
}
