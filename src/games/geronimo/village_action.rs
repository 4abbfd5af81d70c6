//! The choice of an Indian player's action (6.1 to 6.4, 6.31, 6.32, 6.36).

use super::{
    Ask, Geronimo, Order, State,
    alliance::{self, Plan},
    battle::{attacker_waits, tribal_odds, us_odds},
    cards::After,
    columns::allied,
    components::{AreaId, ChiefId, Odds, VillageId},
    order::Target,
    raids::{self, RaidTarget},
    ratings::{Force, highest_and_seconds},
    relocation::{self, Destination},
    state::{PartyId, WarParty},
    village_words,
    war_party::{self, Aim, Compelled, TOWN_DRM, targets},
};
use postrider_orders::{Misread, Phrase, counted, list_or};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// A checked action.
pub enum Act {
    Pass,
    Relocate(VillageId, Destination),
    Raid(VillageId, RaidTarget),
    MissionParty(VillageId),
    NewParty { village: VillageId, bps: i32, chiefs: Vec<ChiefId>, area: AreaId, aim: Aim },
    PartyAttack { parties: Vec<PartyId>, area: AreaId, aim: Aim },
    Alliance(Plan),
}

/// The question for the action of this Round (6.1), or for an attack that a card compels (9.2D,
/// 9.2F).
pub struct VillageAction {
    pub after: After,
    /// The reason for a compelled attack, and the Villages that may make it.
    pub compelled: Option<(Compelled, Vec<VillageId>)>,
}

/// The Area in which a War Party of a Village may attack or from which it moves, and `true` if it has
/// no horses (12.13).
pub type Start = (AreaId, VillageId, bool);

impl VillageAction {
    fn why(&self) -> Option<Compelled> {
        self.compelled.as_ref().map(|c| c.0)
    }
    /// Returns the rule that requires this action.
    fn rule(&self) -> &'static str {
        match self.why() {
            Some(Compelled::BadBlood) => "9.2D",
            Some(Compelled::BloodLust) => "9.2F",
            Some(Compelled::Revenge) => "9.2C",
            None => "6.1",
        }
    }
    /// Returns a Village of this player that may still act.
    fn own(&self, g: &State, seat: Seat, name: &str) -> Result<VillageId, Refusal> {
        let Some(v) = g.c.village_by_name(name) else {
            return refuse("6.1", format!("There is no Village called {name}."));
        };
        self.may_act(g, seat, v)?;
        Ok(v)
    }
    fn may_act(&self, g: &State, seat: Seat, v: VillageId) -> Result<(), Refusal> {
        let name = &g.c[v].name;
        if g.player_of(v) != Some(seat) {
            return refuse("6.1", format!("The {name} are not an Active Tribe of yours this Turn."));
        }
        if self.compelled.as_ref().is_some_and(|(_, villages)| !villages.contains(&v)) {
            return refuse(self.rule(), format!("It is not the {name} who must attack."));
        }
        let state = g.village(v);
        if state.finished || state.actions >= g.most_actions(v) {
            return refuse("6.8", format!("The {name} Village is Finished for this Turn."));
        }
        Ok(())
    }
    /// Checks the target of an attack (6.33), including the conditions of a card that compels it.
    fn aim(&self, g: &State, villages: &[VillageId], area: AreaId, target: &Target) -> Result<Aim, Refusal> {
        let aim = war_party::aim(g, villages, area, target, self.why())?;
        if self.why() == Some(Compelled::Revenge) && !war_party::is_revenge(g, &aim) {
            return refuse(
                "9.2C",
                "Revenge is taken on a Tribe or a Column whose leader has an Aggression of 2 or more.",
            );
        }
        Ok(aim)
    }
    fn no_attack(g: &State, v: VillageId) -> Result<(), Refusal> {
        if g.village(v).scouting {
            return refuse("9.2Y", format!("The {} scout for the US this Turn and do not attack.", g.c[v].name));
        }
        Ok(())
    }
    /// Checks that a new War Party can leave a Village, and returns the Village's Area (6.31, 6.32,
    /// 7.7).
    pub fn launch(g: &State, v: VillageId, bps: i32, chiefs: &[ChiefId]) -> Result<AreaId, Refusal> {
        let name = &g.c[v].name;
        let state = g.village(v);
        let Some(home) = g.area_of(v) else {
            return refuse("6.23", format!("The {name} are across the border: they can only come back."));
        };
        Self::no_attack(g, v)?;
        if g.area(home).mission {
            return refuse("7.7", format!("The Mission in {} keeps War Parties from leaving.", g.c[home].name));
        }
        if bps < 1 || bps > state.bps {
            return refuse("6.31", format!("The {name} Village has {}.", counted(state.bps, "BP")));
        }
        for &chief in chiefs {
            if g.chief_village(chief) != Some(v) || !g.chief_available(chief) {
                return refuse("6.51", format!("{} is not a Chief of the {name} Village this Turn.", g.c[chief].name));
            }
            if g.chiefs[chief.index()].used || g.chiefs[chief.index()].with.is_some() {
                return refuse("6.53", format!("{} has already gone out with a War Party this Turn.", g.c[chief].name));
            }
        }
        match state.parties_sent {
            0 => {}
            1 => {
                // A Chief who was killed with the first War Party counts, because 6.32 says "during
                // that Turn".
                let fallen = |h: ChiefId| {
                    g.chiefs[h.index()].killed && g.chiefs[h.index()].used && g.chief_village(h) == Some(v)
                };
                let fell = (0..g.chiefs.len() as u8).map(ChiefId).filter(|&h| fallen(h)).count();
                if g.chiefs_of(v).count() + fell < 2 {
                    return refuse(
                        "6.32",
                        format!("A second War Party needs a second Chief; the {name} have not two available."),
                    );
                }
                if state.party_returned {
                    return refuse("6.32", format!("The first War Party of the {name} has gone home."));
                }
                // The first one was sent with a Chief, who may have been killed.
                let went = |h: ChiefId| g.chiefs[h.index()].used && g.chief_village(h) == Some(v);
                if chiefs.is_empty() || !(0..g.chiefs.len() as u8).map(ChiefId).any(went) {
                    return refuse("6.32", "Two War Parties of one Village each need a Chief of their own.");
                }
            }
            _ => return refuse("6.32", format!("The {name} have sent out two War Parties already.")),
        }
        Ok(home)
    }
    fn named_chiefs(g: &State, names: &[String]) -> Result<Vec<ChiefId>, Refusal> {
        let mut chiefs = Vec::new();
        for name in names {
            match g.c.chief_by_name(name) {
                Some(h) if !chiefs.contains(&h) => chiefs.push(h),
                Some(_) => return refuse("6.53", format!("{name} is named twice.")),
                None => return refuse("6.51", format!("There is no Chief called {name}.")),
            }
        }
        Ok(chiefs)
    }
    fn area(g: &State, name: &str) -> Result<AreaId, Refusal> {
        g.c.area_by_name(name).ok_or_else(|| Refusal { rule: "6.36", why: format!("There is no Area called {name}.") })
    }
    /// Checks that a War Party attacks in its own Area, or moves to an adjacent Area that is near
    /// enough to its Village (6.36).
    pub fn reach(g: &State, from: AreaId, home: AreaId, to: AreaId) -> Result<(), Refusal> {
        if from != to && !g.c.adjacent(from, to) {
            return refuse(
                "6.36",
                format!(
                    "{} is out of reach: a War Party attacks where it is or in an adjacent Area, here {}.",
                    g.c[to].name,
                    g.near(from)
                ),
            );
        }
        let range = g.variant.range();
        if from != to && g.c.distance(home, to).is_none_or(|d| d > range) {
            let (to, home) = (&g.c[to].name, &g.c[home].name);
            let why = match range {
                1 => format!("{to} is not adjacent to the Village in {home}: no farther by the historical range."),
                _ => format!("{to} is more than {range} Areas from the Village in {home}."),
            };
            return refuse("6.36", why);
        }
        Ok(())
    }
    /// Returns `true` if a War Party of a Village attacks from one Area in another (6.36, 12.13).
    pub fn in_reach(g: &State, (from, v, on_foot): Start, to: AreaId) -> bool {
        let home = g.area_of(v).unwrap_or(from);
        Self::reach(g, from, home, to).is_ok() && Self::on_foot(g, v, on_foot, home, to).is_ok()
    }
    /// Checks that War Parties sent out after the Village lost its horses act only in its Area
    /// (12.13).
    pub fn on_foot(g: &State, v: VillageId, on_foot: bool, home: AreaId, to: AreaId) -> Result<(), Refusal> {
        if on_foot && to != home {
            let (name, home) = (&g.c[v].name, &g.c[home].name);
            return refuse("12.13", format!("The {name} have no horses: they attack in {home} only."));
        }
        Ok(())
    }
    fn party_attack(&self, g: &State, seat: Seat, name: &str, area: &str, target: &Target) -> Result<Act, Refusal> {
        let to = Self::area(g, area)?;
        if name.starts_with(alliance::NAME) {
            return self.alliance_attack(g, seat, name, to, target);
        }
        let own = |p: &&WarParty| g.party_name(p) == name && g.player_of(p.village) == Some(seat);
        let Some(party) = g.parties.iter().find(own) else {
            return refuse("6.35", format!("You have no War Party of the {name} on the map."));
        };
        self.may_act(g, seat, party.village)?;
        // A card compels the Tribe outside of its leader's Round (9.2D, 9.2F).
        if self.compelled.is_none() && alliance::mover(g, party.id).is_some_and(|leader| leader != seat) {
            let why = format!("The {name} are in another player's Alliance, who moves their War Party.");
            return refuse("6.76", why);
        }
        let aim = self.party_aim(g, party, to, target)?;
        Ok(Act::PartyAttack { parties: vec![party.id], area: to, aim })
    }
    /// Checks an attack of a War Party that is already out, and returns its target.
    fn party_aim(&self, g: &State, party: &WarParty, to: AreaId, target: &Target) -> Result<Aim, Refusal> {
        Self::no_attack(g, party.village)?;
        // A Village that crosses the border has acted twice, so its War Parties have already
        // returned.
        let home = g.area_of(party.village).unwrap_or(party.area);
        Self::reach(g, party.area, home, to)?;
        Self::on_foot(g, party.village, party.on_foot, home, to)?;
        self.aim(g, &[party.village], to, target)
    }
    /// Returns the attack of the group with this name, or of the only one that can make it (6.75).
    fn alliance_attack(&self, g: &State, seat: Seat, name: &str, to: AreaId, target: &Target) -> Result<Act, Refusal> {
        let mut groups = alliance::groups(g, seat);
        groups.retain(|(other, _)| name == alliance::NAME || other == name);
        let attacks = groups.iter().map(|(name, parties)| (name, self.group_attack(g, parties, to, target)));
        let (mut able, mut barred): (Vec<_>, Vec<_>) = attacks.partition(|(_, attack)| attack.is_ok());
        match (able.len(), barred.len()) {
            (0, 0) => refuse("6.75", "You have no such Alliance War Party on the map."),
            (0, _) => barred.swap_remove(0).1,
            (1, _) => able.swap_remove(0).1,
            _ => {
                let names: Vec<String> = able.iter().map(|(name, _)| format!("`{name} …`")).collect();
                refuse("6.75", format!("Several War Parties can make this attack: say {}.", list_or(&names)))
            }
        }
    }
    /// Returns the attack of all combined War Parties that can make it (6.75). The others stay
    /// where they are.
    fn group_attack(&self, g: &State, group: &[PartyId], to: AreaId, target: &Target) -> Result<Act, Refusal> {
        let (mut parties, mut villages, mut barred) = (Vec::new(), Vec::new(), None);
        for party in group.iter().filter_map(|&id| g.party(id)) {
            match self.party_aim(g, party, to, target) {
                Ok(_) => {
                    parties.push(party.id);
                    villages.push(party.village);
                }
                Err(why) => barred = barred.or(Some(why)),
            }
        }
        match barred {
            Some(why) if parties.is_empty() => return Err(why),
            _ => {}
        }
        if self.compelled.as_ref().is_some_and(|(_, compelled)| !villages.iter().any(|v| compelled.contains(v))) {
            return refuse(self.rule(), "The Tribe that must attack is not among those of the Alliance that can.");
        }
        let aim = self.aim(g, &villages, to, target)?;
        Ok(Act::PartyAttack { parties, area: to, aim })
    }
}

/// The note about the parts of an order that are optional.
const WHO_GOES: &str = "A War Party is everybody at home with all Chiefs, unless you say who goes: `… war party of 3 with \
                        (a Chief) attacks …`; a number alone takes no Chief.";

impl Prompt<Geronimo> for VillageAction {
    type Answer = Act;
    fn kind(&self) -> Ask {
        match self.why() {
            None => Ask::VillageAction,
            Some(_) => Ask::CompelledAttack,
        }
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Act, Refusal> {
        let raiding = self.after == After::Raid { any_tribe: false };
        if raiding && !matches!(order, Order::Raid { .. } | Order::Pass {}) {
            return refuse("6.41", "The Raid card is for a Raid: that is the only Operation of this Round.");
        }
        if self.compelled.is_some() && !matches!(order, Order::WarParty { .. } | Order::PartyAttack { .. }) {
            return refuse(self.rule(), "An attack must be made now.");
        }
        match order {
            Order::Pass {} => Ok(Act::Pass),
            Order::Relocate { village, to } => {
                let v = self.own(g, seat, village)?;
                Ok(Act::Relocate(v, relocation::destination(g, v, to)?))
            }
            Order::Raid { village, area, target } => {
                let After::Raid { any_tribe } = self.after else {
                    return refuse("6.41", "A Raid needs a Raid card: play `raid` or `any tribe may raid` first.");
                };
                let v = self.own(g, seat, village)?;
                if !raids::able(g, seat, v, any_tribe) {
                    return refuse(
                        "6.41",
                        format!("The {village} cannot raid: only Raiders do, with a Village in the country."),
                    );
                }
                Ok(Act::Raid(v, raids::raid_target(g, v, area, target)?))
            }
            Order::MissionParty { village } => {
                let v = self.own(g, seat, village)?;
                Self::no_attack(g, v)?;
                match raids::mission_party_barred(g, seat, v) {
                    Some((rule, why)) => refuse(rule, why),
                    None => Ok(Act::MissionParty(v)),
                }
            }
            Order::WarParty { village, bps, chiefs, area, target } => {
                let v = self.own(g, seat, village)?;
                let chiefs = Self::named_chiefs(g, chiefs)?;
                let home = Self::launch(g, v, *bps, &chiefs)?;
                let to = Self::area(g, area)?;
                Self::reach(g, home, home, to)?;
                Self::on_foot(g, v, g.events.no_horses.contains(&v), home, to)?;
                let aim = self.aim(g, &[v], to, target)?;
                Ok(Act::NewParty { village: v, bps: *bps, chiefs, area: to, aim })
            }
            Order::PartyAttack { party, area, target } => self.party_attack(g, seat, party, area, target),
            Order::Alliance { area, with, target } => {
                let to = Self::area(g, area)?;
                Ok(Act::Alliance(alliance::plan(g, seat, to, with, target, self.after)?))
            }
            _ => refuse("6.1", "An action is a Relocation, a War Party or a Raid; or say `pass`."),
        }
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        match (self.why(), self.after) {
            (Some(Compelled::BadBlood), _) => {
                Description::new("Bad Blood: your Tribe must attack Indians who are no Friends", "9.2D").examples()
            }
            (Some(Compelled::BloodLust), _) => {
                Description::new("Blood Lust: your Tribe must attack", "9.2F").examples()
            }
            (Some(Compelled::Revenge), _) => {
                Description::new("Atrocity and Reprisal: a leader of Aggression 2 or more must be attacked", "9.2C")
                    .examples()
            }
            (None, After::Raid { any_tribe }) => {
                let mut d = match any_tribe {
                    true => Description::new("A Raid, or another action of one Village", "9.2B").line(WHO_GOES),
                    false => Description::new("Raid with one Village", "6.43"),
                }
                .examples();
                for v in g.village_ids() {
                    if raids::able(g, seat, v, any_tribe)
                        && let Some(rating) = raids::rating(g, v, any_tribe)
                    {
                        d = d.line(format!("{}: succeeds on {rating} or less.", g.c[v].name));
                    }
                }
                d
            }
            (None, After::Alliance) => {
                let d = Description::new("An Alliance, or an action of one Village", "6.7")
                    .line("Friendly Villages in reach of an Area go out as one War Party there; the first form says who gives what.")
                    .line(WHO_GOES)
                    .examples();
                match g.indians() {
                    1 => d,
                    _ => {
                        d.line("The other Indian players are asked whether they join; so one Village is enough (6.76).")
                    }
                }
            }
            (None, _) if g.variant.solitaire => {
                let d = Description::new("An action of one Village", "11.37").examples();
                d.line("Every Village of the Tribe drawn has one action; `pass` ends the Round.").line(WHO_GOES)
            }
            (None, _) => Description::new("An action of one Village", "6.1").line(WHO_GOES).examples(),
        }
    }
    fn read(&self, g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
        village_words::actions(g, seat).whole(said)
    }
    fn say(&self, g: &State, seat: Seat, order: &Order) -> Option<String> {
        village_words::actions(g, seat).say(order)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        // Hopeless actions come last, and only a few attacks and moves of each Village are listed
        // to keep letters short. All can be ordered.
        let mut listed: Vec<(String, bool)> = Vec::new();
        let mut acts = self.acts(g, seat);
        acts.sort_by_key(|(_, note)| note.ends_with(HOPELESS));
        acts.retain(|(order, _)| {
            let moves = matches!(order, Order::Relocate { .. });
            let key = (whose(order).to_owned(), moves);
            let before = listed.iter().filter(|&other| *other == key).count();
            listed.push(key);
            before < if moves { 2 } else { 5 }
        });
        acts.truncate(36);
        if self.compelled.is_none() {
            acts.push((Order::Pass {}, "no action; unused Villages double their SPs".to_owned()));
        }
        let grammar = village_words::actions(g, seat);
        acts.into_iter().map(|(order, note)| Choice::said(order, &grammar).note(note)).collect()
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let mut acts = self.acts(g, seat);
        if self.compelled.is_none() && (acts.is_empty() || below(10) == 0) {
            return Some(Order::Pass {});
        }
        if acts.is_empty() {
            return None;
        }
        let (mut order, _) = acts.swap_remove(below(acts.len() as u32) as usize);
        if let Order::WarParty { bps, chiefs, .. } = &mut order {
            let second = chiefs.len() == 1;
            *bps = 1 + below(*bps as u32) as i32;
            if !second && below(3) == 0 {
                chiefs.truncate(1);
            }
        }
        Some(order)
    }
    fn at_deadline(&self, g: &State, seat: Seat) -> Option<Order> {
        match self.compelled {
            None => Some(Order::Pass {}),
            Some(_) => self.acts(g, seat).into_iter().next().map(|(order, _)| order),
        }
    }
}

impl VillageAction {
    /// Returns the legal actions with notes, attacks first. New War Parties have all available BPs
    /// and Chiefs.
    pub fn acts(&self, g: &State, seat: Seat) -> Vec<(Order, String)> {
        let mut acts = Vec::new();
        let mine: Vec<VillageId> = g.village_ids().filter(|&v| self.may_act(g, seat, v).is_ok()).collect();
        let legal = |order: &Order| self.accept(g, seat, order).is_ok();
        if let After::Raid { any_tribe } = self.after
            && self.compelled.is_none()
        {
            acts.extend(mine.iter().flat_map(|&v| Self::raids(g, v)));
            if !any_tribe {
                acts.retain(|(order, _)| legal(order));
                return acts;
            }
        }
        if self.after == After::Alliance && self.compelled.is_none() {
            acts.extend(alliance::examples(g, seat).into_iter().map(|order| (order, String::new())));
        }
        for party in &g.parties {
            let combat = Force::party(party.id).chief_combat(g);
            for area in within(g, party.area) {
                for target in targets(g, area) {
                    let note = prospect(g, seat, party.bps, combat, area, &target);
                    acts.push((
                        Order::PartyAttack { party: g.party_name(party), area: g.c[area].name.clone(), target },
                        note,
                    ));
                }
            }
        }
        for (name, parties) in alliance::groups(g, seat) {
            for area in g.party(parties[0]).map(|p| within(g, p.area)).unwrap_or_default() {
                let attack = |target| Order::PartyAttack { party: name.clone(), area: g.c[area].name.clone(), target };
                acts.extend(targets(g, area).into_iter().map(|target| (attack(target), String::new())));
            }
        }
        for &v in &mine {
            Self::new_parties(g, seat, v, &mut acts);
        }
        if self.compelled.is_none() {
            acts.extend(mine.iter().flat_map(|&v| Self::moves(g, v)).map(|order| (order, String::new())));
        }
        acts.retain(|(order, _)| legal(order));
        acts
    }
    /// Returns the Raids of a Village, with their VPs.
    fn raids(g: &State, v: VillageId) -> Vec<(Order, String)> {
        let Some(home) = g.area_of(v) else { return Vec::new() };
        let raid =
            |area: &str, target: Target| Order::Raid { village: g.c[v].name.clone(), area: area.to_owned(), target };
        let mut raids = vec![(raid("Mexico", Target::Mexico {}), g.scoring(|| "2 VPs".to_owned()))];
        for area in within(g, home) {
            let name = &g.c[area].name;
            if g.area(area).mission {
                raids.push((raid(name, Target::Mission {}), "destroys it".to_owned()));
            }
            // All Resources are equivalent targets (6.44), one that was attacked too (7.26).
            let built = [Target::Settlement {}, Target::Town {}, Target::Railroad {}];
            let mines = g.area(area).mines.iter().map(|m| Target::Mine { value: g.c[m.id].value });
            let there = |target: &Target| raids::raid_target(g, v, name, target).is_ok();
            if let Some(target) = built.into_iter().chain(mines).find(there) {
                raids.push((raid(name, target), g.scoring(|| "1 VP".to_owned())));
            }
        }
        raids
    }
    fn new_parties(g: &State, seat: Seat, v: VillageId, acts: &mut Vec<(Order, String)>) {
        let state = g.village(v);
        let Some(home) = g.area_of(v) else { return };
        if state.bps < 1 {
            return;
        }
        let free = everybody(g, v);
        if Self::launch(g, v, state.bps, &free).is_err() {
            return;
        }
        let chiefs: Vec<String> = free.iter().map(|&h| g.c[h].name.clone()).collect();
        let combat = highest_and_seconds(free.iter().map(|&h| g.c[h].combat));
        for area in within(g, home) {
            for target in targets(g, area) {
                let note = prospect(g, seat, state.bps, combat, area, &target);
                let (village, chiefs, area) = (g.c[v].name.clone(), chiefs.clone(), g.c[area].name.clone());
                acts.push((Order::WarParty { village, bps: state.bps, chiefs, area, target }, note));
            }
        }
    }
    fn moves(g: &State, v: VillageId) -> Vec<Order> {
        let village = || g.c[v].name.clone();
        let near = g.area_of(v).map(|a| g.c[a].adjacent.clone()).unwrap_or_else(|| relocation::returns(g, v));
        let places = near.into_iter().map(|a| g.c[a].name.clone()).chain(["Mexico".into(), "Canada".into()]);
        let relocations = places.map(|to| Order::Relocate { village: village(), to });
        std::iter::once(Order::MissionParty { village: village() }).chain(relocations).collect()
    }
}

/// Returns the Chiefs of a War Party by default: all in the Village who have not been out (6.53).
pub fn everybody(g: &State, v: VillageId) -> Vec<ChiefId> {
    g.chiefs_at(v).filter(|h| !g.chiefs[h.index()].used).collect()
}

/// The end of the note for an attack that cannot succeed with any DR.
const HOPELESS: &str = "it cannot succeed";

/// Returns the Village or War Party of an action, as named in the order.
fn whose(order: &Order) -> &str {
    match order {
        Order::Relocate { village, .. }
        | Order::Raid { village, .. }
        | Order::WarParty { village, .. }
        | Order::MissionParty { village } => village,
        Order::PartyAttack { party, .. } => party,
        _ => alliance::NAME,
    }
}

/// Returns the prospects of an attack with these BPs and this Combat rating of Chiefs: the needed
/// DR or the odds.
fn prospect(g: &State, seat: Seat, bps: i32, combat: i32, area: AreaId, target: &Target) -> String {
    let on = |vps: i32, most: i32| {
        let vps = |then: &str| g.scoring(|| format!("{}{then}", postrider_table::vps(vps)));
        match most {
            ..0 => format!("{}{HOPELESS}", vps(", but ")),
            0 => format!("{}on 0", vps(" ")),
            1..9 => format!("{}on {most} or less", vps(" ")),
            _ => format!("{}certain", vps(", ")),
        }
    };
    let against = |their: i32, odds: Odds| format!("odds {odds} v {}", counted(their, "BP"));
    // The holder of a Tribe counts only if it is public.
    let waits = |v: VillageId| attacker_waits(g, Some(seat), g.known_player_of(v));
    match target {
        Target::Settlement {} | Target::Railroad {} => on(2, bps + combat),
        Target::Town {} => on(5, bps + combat - TOWN_DRM),
        Target::Mine { value } => on(*value, bps + combat),
        Target::Column { name } => {
            g.column_named(name).map_or_else(String::new, |k| against(k.bps, us_odds(k.bps, bps, false).inverse()))
        }
        Target::Village { name } => match g.c.village_by_name(name).map(|v| (v, g.village(v).bps)) {
            None | Some((_, 0)) => "undefended: DRM +6".into(),
            Some((v, their)) => against(their, tribal_odds(bps, their, waits(v))),
        },
        Target::Party { name } => {
            let party = g.parties.iter().find(|p| p.area == area && g.party_name(p) == *name);
            let Some(party) = party else { return String::new() };
            let their = allied(g, party.id).bps(g);
            against(their, tribal_odds(bps, their, waits(party.village)))
        }
        Target::Mission {} | Target::Mexico {} => String::new(),
    }
}

/// Returns an Area and its adjacent Areas.
fn within(g: &State, area: AreaId) -> Vec<AreaId> {
    std::iter::once(area).chain(g.c[area].adjacent.iter().copied()).collect()
}
