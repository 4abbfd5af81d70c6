//! Ratings of fighting forces: Columns alone or coordinated, Villages, War Parties alone or allied
//! (5.32, 5.42, 5.722, 6.52, 6.53, 6.73, 6.74, 7.52 to 7.54).

use super::{
    State,
    components::{AreaId, ChiefId, CommanderId, Terrain, VillageId},
    state::{Column, ColumnId, PartyId},
};
use postrider_table::Seat;

/// Indians in a fight: a Village, or War Parties that act as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Force {
    Village(VillageId),
    Parties(Vec<PartyId>),
}

impl Force {
    /// Returns a force of a single War Party.
    pub fn party(id: PartyId) -> Force {
        Force::Parties(vec![id])
    }
    pub fn is_village(&self) -> bool {
        matches!(self, Force::Village(_))
    }
    /// Returns `true` if any part of it is left on the map.
    pub fn stands(&self, g: &State) -> bool {
        match self {
            Force::Village(v) => g.in_play(*v),
            Force::Parties(ids) => ids.iter().any(|&id| g.party(id).is_some()),
        }
    }
    /// Returns its Area.
    pub fn area(&self, g: &State) -> Option<AreaId> {
        match self {
            Force::Village(v) => g.area_of(*v),
            Force::Parties(ids) => ids.iter().find_map(|&id| g.party(id)).map(|p| p.area),
        }
    }
    /// Returns its Villages.
    pub fn villages(&self, g: &State) -> Vec<VillageId> {
        match self {
            Force::Village(v) => vec![*v],
            Force::Parties(ids) => ids.iter().filter_map(|&id| g.party(id)).map(|p| p.village).collect(),
        }
    }
    /// Returns the BPs present.
    pub fn bps(&self, g: &State) -> i32 {
        match self {
            Force::Village(v) => g.village(*v).bps,
            Force::Parties(ids) => ids.iter().filter_map(|&id| g.party(id)).map(|p| p.bps).sum(),
        }
    }
    /// Returns the Chiefs present.
    pub fn chiefs(&self, g: &State) -> Vec<ChiefId> {
        match self {
            Force::Village(v) => g.chiefs_at(*v).collect(),
            Force::Parties(ids) => {
                ids.iter().filter_map(|&id| g.party(id)).flat_map(|p| p.chiefs.iter().copied()).collect()
            }
        }
    }
    /// Returns its commanding player: the Alliance's leader (6.76), otherwise the player of the
    /// Village, or `None` for an Inactive Tribe.
    pub fn player(&self, g: &State) -> Option<Seat> {
        if let Force::Parties(ids) = self
            && let Some(alliance) = g.alliances.iter().find(|a| ids.iter().any(|id| a.parties.contains(id)))
            && ids.len() > 1
        {
            return Some(alliance.leader);
        }
        self.villages(g).first().and_then(|&v| g.player_of(v))
    }
    /// Returns the highest Combat rating of its Chiefs, plus one for each other Chief with 2 or 3
    /// (6.53).
    pub fn chief_combat(&self, g: &State) -> i32 {
        highest_and_seconds(self.chiefs(g).iter().map(|&h| g.c[h].combat))
    }
    /// Returns the Battle rating of the Tribe, or the highest of allied Tribes (6.73).
    pub fn battle_rating(&self, g: &State) -> i32 {
        self.villages(g).iter().map(|&v| g.c[v].battle).max().unwrap_or(0)
    }
    /// Returns the sum of each Tribe's Battle DRMs: Poison Arrows, Blood Lust, Shaman Medicine,
    /// Gunrunners (6.73, 7.31, 9.2F, 9.2Z, 12.13).
    pub fn tribal_drms(&self, g: &State) -> i32 {
        let of = |v: &VillageId| {
            let state = g.village(*v);
            g.c[*v].poison_arrows + 2 * i32::from(state.blood_lust) + 2 * i32::from(state.shaman_medicine)
        };
        let villages = self.villages(g);
        villages.iter().map(of).sum::<i32>() + g.gunrunner_drm(&villages)
    }
    /// Returns the strength of its Devastated markers; 0 for War Parties (7.41).
    pub fn devastation(&self, g: &State) -> i32 {
        match self {
            Force::Village(v) => g.village(*v).devastation,
            Force::Parties(_) => 0,
        }
    }
    /// Returns the DRM on its attackers' Battle DRs: -3 against a Stronghold (12.13).
    pub fn shelter_drm(&self, g: &State) -> i32 {
        match self {
            Force::Village(v) => g.stronghold_drm(*v),
            Force::Parties(_) => 0,
        }
    }
    /// Returns the Tribe's Aggression including card effects, or the highest of allied Tribes
    /// (6.73, ruling 3).
    pub fn tribal_aggression(&self, g: &State) -> i32 {
        self.villages(g).iter().map(|&v| aggression(g, v)).max().unwrap_or(0)
    }
    /// Returns the Tribe's Aggression plus that of all Chiefs present (6.53, 7.25).
    pub fn massacre_aggression(&self, g: &State) -> i32 {
        self.tribal_aggression(g) + self.chiefs(g).iter().map(|&h| g.c[h].aggression).sum::<i32>()
    }
    fn guerilla(&self, g: &State) -> i32 {
        let mountain = self.area(g).is_some_and(|a| g.c[a].terrain == Terrain::Mountain);
        i32::from(mountain && self.villages(g).iter().any(|&v| g.c[v].guerilla))
    }
    /// Returns the Evasion Capability (7.52, 12.13).
    pub fn evasion_capability(&self, g: &State) -> i32 {
        let tribe = self.villages(g).iter().map(|&v| g.c[v].evasion).max().unwrap_or(0);
        let chief = self.chiefs(g).iter().map(|&h| g.c[h].evasion).max().unwrap_or(0).max(0);
        let party = match self {
            Force::Village(v) => g.no_horses_drm(*v),
            Force::Parties(_) => 3,
        };
        tribe + chief + self.guerilla(g) + party - i32::from(g.fx.winter_campaigning)
    }
    /// Returns the Ambush Capability (7.54).
    pub fn ambush_capability(&self, g: &State) -> i32 {
        let chief = self.chiefs(g).iter().map(|&h| g.c[h].aggression).max().unwrap_or(0).max(0);
        self.tribal_aggression(g) + chief + self.guerilla(g)
    }
    /// Returns `true` if it may evade: only an Active Tribe (7.4), and not under Blood Lust (9.2F).
    pub fn may_evade(&self, g: &State) -> bool {
        self.player(g).is_some() && !self.villages(g).iter().any(|&v| g.village(v).blood_lust)
    }
    /// Returns its name, such as `the Comanche Village` or `the War Party of the Comanche`.
    pub fn name(&self, g: &State) -> String {
        match self {
            Force::Village(v) => format!("the {} Village", g.c[*v].name),
            Force::Parties(ids) => {
                let names: Vec<String> = ids.iter().filter_map(|&id| g.party(id)).map(|p| g.party_name(p)).collect();
                format!("the War Party of the {}", postrider_orders::list_and(&names))
            }
        }
    }
    /// Marks it as attacked in this Round (7.34).
    pub fn mark_attacked(&self, g: &mut State) {
        let round = g.round;
        match self {
            Force::Village(v) => g.village_mut(*v).attacked_in = round,
            Force::Parties(ids) => {
                for &id in ids {
                    if let Some(party) = g.party_mut(id) {
                        party.attacked_in = round;
                    }
                }
            }
        }
    }
    /// Returns `true` if it has already been attacked in this Round (7.34).
    pub fn attacked_this_round(&self, g: &State) -> bool {
        match self {
            Force::Village(v) => g.village(*v).attacked_in == g.round,
            Force::Parties(ids) => ids.iter().filter_map(|&id| g.party(id)).any(|p| p.attacked_in == g.round),
        }
    }
}

/// Returns a Village's Aggression rating, with Blood Lust (+2) and Shaman Medicine (+1).
pub fn aggression(g: &State, v: VillageId) -> i32 {
    let state = g.village(v);
    g.c[v].aggression + 2 * i32::from(state.blood_lust) + i32::from(state.shaman_medicine)
}

/// Returns the highest rating, plus one for each other rating of 2 or more (5.722, 6.53).
pub fn highest_and_seconds(ratings: impl Iterator<Item = i32> + Clone) -> i32 {
    let Some(highest) = ratings.clone().max() else { return 0 };
    let twos = ratings.filter(|&r| r >= 2).count() as i32;
    highest + twos - i32::from(highest >= 2)
}

/// Returns the Speed for BPs, Field Guns and the Commander's Pursuit rating, at least zero (5.32).
/// Gatlings have no effect (5.54).
pub fn speed_of(bps: i32, guns: i32, pursuit: i32) -> i32 {
    let over = bps.saturating_sub(5).max(0).unsigned_abs().div_ceil(5) as i32;
    (3 - over - guns + pursuit).max(0)
}

/// One Column, or several that have coordinated (5.722).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Troops(pub Vec<ColumnId>);

impl Troops {
    fn columns<'g>(&'g self, g: &'g State) -> impl Iterator<Item = &'g Column> + Clone {
        self.0.iter().filter_map(|&id| g.column(id))
    }
    fn commanders<'g>(&'g self, g: &'g State) -> impl Iterator<Item = CommanderId> + Clone {
        self.columns(g).filter_map(|k| k.commander)
    }
    pub fn bps(&self, g: &State) -> i32 {
        self.columns(g).map(|k| k.bps).sum()
    }
    pub fn guns(&self, g: &State) -> i32 {
        self.columns(g).map(|k| k.guns).sum()
    }
    pub fn gatlings(&self, g: &State) -> i32 {
        self.columns(g).map(|k| k.gatlings).sum()
    }
    /// Returns the highest Combat rating, plus one for each other Commander with at least 2
    /// (5.722).
    pub fn combat(&self, g: &State) -> i32 {
        highest_and_seconds(self.commanders(g).map(|m| g.c[m].combat))
    }
    /// Returns the sum of the Aggression ratings (5.722).
    pub fn aggression(&self, g: &State) -> i32 {
        self.commanders(g).map(|m| g.c[m].aggression).sum()
    }
    /// Returns `true` if any Commander has an Aggression rating of at least `least` (9.2C).
    pub fn has_aggression(&self, g: &State, least: i32) -> bool {
        self.commanders(g).any(|m| g.c[m].aggression >= least)
    }
    /// Returns the Speed (5.32, 5.722), plus 1 for Scouts in or next to their Village's Area
    /// (9.2Y).
    pub fn speed(&self, g: &State) -> i32 {
        let pursuit = self.commanders(g).map(|m| g.c[m].pursuit).max().unwrap_or(0);
        speed_of(self.bps(g), self.guns(g), pursuit) + self.scouts(g)
    }
    fn scouts(&self, g: &State) -> i32 {
        let Some(area) = self.columns(g).next().map(|k| k.area) else { return 0 };
        let near = |v: VillageId| g.area_of(v).is_some_and(|a| a == area || g.c.adjacent(a, area));
        i32::from(g.village_ids().any(|v| g.village(v).scouting && near(v)))
    }
    /// Returns the Pursuit Capability (7.53), including the -2 of Winter Campaigning (9.2HH).
    pub fn pursuit_capability(&self, g: &State) -> i32 {
        let mountain = self.columns(g).next().is_some_and(|k| g.c[k.area].terrain == Terrain::Mountain);
        let guerilla = i32::from(mountain && self.commanders(g).any(|m| g.c[m].guerilla));
        self.speed(g) + guerilla - 2 * i32::from(g.fx.winter_campaigning)
    }
    /// Returns the name, such as `Crook` or `Crook, Miles and Terry`.
    pub fn name(&self, g: &State) -> String {
        let names: Vec<&str> = self.0.iter().map(|&id| g.column_name(id)).collect();
        postrider_orders::list_and(&names)
    }
    pub fn stands(&self, g: &State) -> bool {
        self.columns(g).next().is_some()
    }
    /// Removes Columns that no longer exist.
    pub fn muster(&mut self, g: &State) {
        self.0.retain(|&id| g.column(id).is_some());
    }
}

/// Returns the Speed of one Column (5.32).
pub fn speed(g: &State, column: &Column) -> i32 {
    Troops(vec![column.id]).speed(g)
}
