//! Random events of the Indian players: Gunrunners, Buffalo Hunter Campaign, Telegraph Lines Cut,
//! Siege, Stronghold.
//!
//! A marker on a Tribe, or in an Area because of a Tribe, shows that the Tribe is Active, so its
//! card is revealed.

use crate::{
    Ask, Geronimo, State, T,
    campaign::unmask_village,
    cards::{Indians, OneTribe, OneVillage, choose, choose_by_hand},
    components::{AreaId, TribeId, VillageId},
    losses::Defender,
    state::ColumnId,
};
use postrider_orders::counted;
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// Returns the Villages that this seat knows to be Active: its own, and those whose cards are
/// revealed.
fn known_active(g: &State, seat: Seat) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(move |&v| g.player_of(v) == Some(seat) || g.known_player_of(v).is_some())
}

/// Returns this seat's Villages and War Parties on the map, with their Areas.
fn own_on_map(g: &State, seat: Seat) -> impl Iterator<Item = (Indians, AreaId)> + '_ {
    let villages = g.village_ids().filter(move |&v| g.player_of(v) == Some(seat));
    let villages = villages.filter_map(|v| g.area_of(v).map(|a| (Indians(Defender::Village(v)), a)));
    let parties = g.parties.iter().filter(move |p| g.player_of(p.village) == Some(seat));
    villages.chain(parties.map(|p| (Indians(Defender::Party(p.id)), p.area)))
}

/// Returns the Village and the Area of a candidate, which its choice reveals.
fn ground(g: &State, who: Defender) -> Option<(VillageId, AreaId)> {
    match who {
        Defender::Village(v) => g.area_of(v).map(|a| (v, a)),
        Defender::Party(id) => g.party(id).map(|p| (p.village, p.area)),
    }
}

/// Returns the Active Tribes without a Gunrunner counter.
pub fn buyers(g: &State, seat: Seat) -> Vec<OneTribe> {
    let mut tribes: Vec<TribeId> = known_active(g, seat).map(|v| g.c[v].tribe).collect();
    tribes.dedup();
    tribes.retain(|tribe| !g.events.gunrunners.contains(tribe));
    tribes.into_iter().map(OneTribe).collect()
}

/// Gunrunners (DR 0 or 1): a Tribe and War Parties allied with it have +1 on their Battle DRs for
/// the rest of the Turn.
pub async fn gunrunners(t: &T, g: &mut State, seat: Seat) {
    let question = |among| {
        Pick::new(Ask::Gunrunners, "12.13", "Which Tribe buys guns", among)
            .verbs(&["gunrunners for", "gunrunners", "guns for"])
            .telling(|_, d| d.line("It has +1 on all its Battle DRs this Turn."))
    };
    let Some(OneTribe(tribe)) = choose_by_hand(t, g, seat, buyers(g, seat), question).await else { return };
    if let Some(v) = g.c[tribe].villages.iter().copied().find(|&v| g.player_of(v).is_some()) {
        unmask_village(t, g, v).await;
    }
    g.events.gunrunners.push(tribe);
    t.tell(|| format!("Gunrunners arm the {}: +1 on their Battle DRs this Turn.", g.c[tribe].name));
}

/// Returns the Villages and War Parties that can keep hunters out of a Buffalo Area.
pub fn hunters(g: &State, seat: Seat) -> Vec<Indians> {
    let open = |a: AreaId| g.c[a].buffalo && !g.events.buffalo_campaigns.contains(&a);
    own_on_map(g, seat).filter(|&(_, a)| open(a)).map(|(who, _)| who).collect()
}

/// Buffalo Hunter Campaign (DR 2): no new Buffalo Skulls in an Area for the rest of the Turn.
/// Existing ones stay.
pub async fn buffalo_hunter_campaign(t: &T, g: &mut State, seat: Seat) {
    let question = |among| {
        Pick::new(Ask::BuffaloCampaign, "12.13", "Who drives the Buffalo Hunters out of its Area", among)
            .verbs(&["campaign of", "campaign"])
            .telling(|_, d| d.line("No Buffalo Skull is placed there this Turn. The card of the Tribe is shown."))
    };
    let Some(Indians(who)) = choose_by_hand(t, g, seat, hunters(g, seat), question).await else { return };
    let Some((v, a)) = ground(g, who) else { return };
    unmask_village(t, g, v).await;
    g.events.buffalo_campaigns.push(a);
    t.tell(|| {
        let (name, area) = (&g.c[v].name, &g.c[a].name);
        format!("The {name} hunt the Buffalo Hunters in {area}: no Buffalo Skull is placed there this Turn.")
    });
}

/// Returns the Villages and War Parties in Areas where Telegraph lines are not cut.
pub fn cutters(g: &State, seat: Seat) -> Vec<Indians> {
    own_on_map(g, seat).filter(|(_, a)| !g.events.lines_cut.contains(a)).map(|(who, _)| who).collect()
}

/// Telegraph Lines Cut (DR 3): for the rest of the Turn no Column reacts into an Area, or from it
/// into another.
pub async fn telegraph_lines_cut(t: &T, g: &mut State, seat: Seat) {
    let question = |among| {
        Pick::new(Ask::LinesCut, "12.13", "Who cuts the Telegraph lines of its Area", among)
            .verbs(&["lines cut by", "cut by", "cut"])
            .telling(|_, d| {
                d.line("Columns react neither into it nor out of it this Turn. The card of the Tribe is shown.")
            })
    };
    let Some(Indians(who)) = choose_by_hand(t, g, seat, cutters(g, seat), question).await else { return };
    let Some((v, a)) = ground(g, who) else { return };
    unmask_village(t, g, v).await;
    g.events.lines_cut.push(a);
    t.tell(|| {
        let (name, area) = (&g.c[v].name, &g.c[a].name);
        format!("The {name} cut the Telegraph lines in {area}: Columns react neither into it nor out of it this Turn.")
    });
}

/// A Column, by its Commander.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Besieged(pub ColumnId);

impl Candidate<Geronimo> for Besieged {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.column_name(self.0).into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![format!("column {}", g.column_name(self.0))]
    }
    fn note(&self, g: &State) -> String {
        g.column(self.0)
            .map_or_else(String::new, |k| format!("{}, In Fort in {}", counted(k.bps, "BP"), g.c[k.area].name))
    }
}

/// Returns the Columns In Fort in Areas where this seat has a War Party of a Village that is not
/// Finished.
pub fn besiegable(g: &State, seat: Seat) -> Vec<Besieged> {
    let party = |a: AreaId| {
        g.parties.iter().any(|p| p.area == a && g.player_of(p.village) == Some(seat) && !g.village(p.village).finished)
    };
    let open = |id: ColumnId| !g.events.sieges.contains(&id);
    let columns = g.columns.iter().filter(|k| k.in_fort && k.commander.is_some() && open(k.id) && party(k.area));
    columns.map(|k| Besieged(k.id)).collect()
}

/// Siege (DR 4): a Column stays In Fort without reinforcements, and suffers Attrition whatever the
/// DR. It is not an action of the War Party, and lasts for the Turn whatever happens to that.
pub async fn siege(t: &T, g: &mut State, seat: Seat) {
    let question = |among| {
        Pick::new(Ask::Siege, "12.13", "Which Column is besieged in its Fort", among)
            .verbs(&["besiege", "siege of", "siege"])
            .telling(|_, d| d.line("It cannot go On Patrol or be reinforced this Turn, and loses a BP to Attrition."))
    };
    let Some(Besieged(id)) = choose(t, g, seat, besiegable(g, seat), question).await else { return };
    g.events.sieges.push(id);
    t.tell(|| {
        let area = g.column(id).map_or("", |k| g.c[k.area].name.as_str());
        format!("{} is besieged in the Fort of {area} for the rest of the Turn.", g.column_name(id))
    });
}

/// Returns the Active Villages on the map that have BPs and are not Strongholds.
pub fn fortifiable(g: &State, seat: Seat) -> Vec<OneVillage> {
    let fits = |&v: &VillageId| g.area_of(v).is_some() && g.village(v).bps > 0 && !g.events.strongholds.contains(&v);
    known_active(g, seat).filter(fits).map(OneVillage).collect()
}

/// Stronghold (DR 5): attackers of a Village have -3 on their Battle DRs, until it relocates, tries
/// to evade, is Devastated by an attack, or has no BP at home.
pub async fn stronghold(t: &T, g: &mut State, seat: Seat) {
    let question = |among| {
        Pick::new(Ask::Stronghold, "12.13", "Which Village is a Stronghold", among)
            .verbs(&["stronghold for", "stronghold of", "stronghold"])
            .telling(|_, d| d.line("Its attackers have -3 on their Battle DRs while it stays, stands and keeps a BP."))
    };
    let Some(OneVillage(v)) = choose_by_hand(t, g, seat, fortifiable(g, seat), question).await else { return };
    unmask_village(t, g, v).await;
    g.events.strongholds.push(v);
    t.tell(|| format!("The {} Village is a Stronghold: -3 on the Battle DRs of its attackers.", g.c[v].name));
}
