//! Shaman Cards about weather, Buffalo and winter (9.2E, G, L, M, HH).

use super::{
    super::{
        Ask, State, T,
        card::Card,
        components::{AreaId, Terrain},
        losses,
        state::Weather,
    },
    among::{InArea, OneParty, choose},
    help::told,
};
use postrider_table::{Pick, Seat};

/// Returns the Areas without a Weather marker (9.2E, 9.2L).
pub fn clear(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| g.area(a).weather.is_none())
}

/// Reduces the Survival Points of an Area by two (9.2E).
pub async fn bad_weather(t: &T, g: &mut State, seat: Seat) {
    let among = clear(g).map(InArea).collect();
    let question =
        |among| Pick::new(Ask::BadWeather, "9.2E", "Which Area gets Bad Weather", among).verbs(&["bad weather"]);
    if let Some(InArea(a)) = choose(t, g, seat, among, question).await {
        g.area_mut(a).weather = Some(Weather::Bad);
        t.tell(|| format!("Bad Weather in {}: {} Survival Points less.", g.c[a].name, -Weather::Bad.points()));
    }
}

/// Increases the Survival Points of an Area by two (9.2L).
pub async fn good_weather(t: &T, g: &mut State, seat: Seat) {
    let among = clear(g).map(InArea).collect();
    let question =
        |among| Pick::new(Ask::GoodWeather, "9.2L", "Which Area gets Good Weather", among).verbs(&["good weather"]);
    if let Some(InArea(a)) = choose(t, g, seat, among, question).await {
        g.area_mut(a).weather = Some(Weather::Good);
        t.tell(|| format!("Good Weather in {}: {} Survival Points more.", g.c[a].name, Weather::Good.points()));
    }
}

/// Returns `true` if Buffalo Skull markers may be placed in an Area: it has Buffalo, and Indian
/// Territory requires the Land Rush (9.2G).
pub fn takes_skulls(g: &State, a: AreaId) -> bool {
    g.c[a].buffalo && (g.fx.land_rush || g.c[a].code != "IT")
}

/// Returns the Buffalo Areas that still have Survival Points (9.2G), except those with a Buffalo
/// Hunter Campaign (12.13).
fn with_buffalo(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    let open = |a: AreaId| takes_skulls(g, a) && !g.events.buffalo_campaigns.contains(&a);
    g.area_ids().filter(move |&a| open(a) && g.raw_survival_points(a) > 0)
}

pub fn any_buffalo(g: &State) -> bool {
    g.skulls_left() > 0 && with_buffalo(g).next().is_some()
}

/// Places a permanent Buffalo Skull marker (9.2G).
pub async fn buffalo_hunters(t: &T, g: &mut State, seat: Seat) {
    let among = with_buffalo(g).map(InArea).collect();
    let question = |among| {
        Pick::new(Ask::BuffaloHunters, "9.2G", "Where the Buffalo Hunters kill the herds", among).verbs(&[
            "skull",
            "buffalo skull",
            "hunt",
        ])
    };
    if let Some(InArea(a)) = choose(t, g, seat, among, question).await {
        g.area_mut(a).skulls += 1;
        t.tell(|| format!("A Buffalo Skull marker in {}: 2 Survival Points less for good.", g.c[a].name));
    }
}

/// Returns the Mountain Areas without Good Weather (9.2M).
pub fn stormy(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| g.c[a].terrain == Terrain::Mountain && g.area(a).weather != Some(Weather::Good))
}

/// Removes one BP of every Village and every Column in a Mountain Area (9.2M). A "Tribe" is read as
/// each Village (house reading).
pub async fn massive_winter_storm(t: &T, g: &mut State, seat: Seat) {
    let among = stormy(g).map(InArea).collect();
    let question = |among| {
        Pick::new(Ask::WinterStorm, "9.2M", "Which Mountain Area the storm hits", among)
            .verbs(&["storm"])
            .telling(told(Card::MassiveWinterStorm))
    };
    let Some(InArea(a)) = choose(t, g, seat, among, question).await else { return };
    t.tell(|| format!("A Massive Winter Storm hits {}: everybody there loses 1 BP.", g.c[a].name));
    for v in g.village_ids() {
        let parties: Vec<_> = g.parties_of(v).filter(|p| p.area == a).map(|p| OneParty(p.id)).collect();
        if !parties.is_empty() {
            // Only players send out War Parties.
            let Some(player) = g.player_of(v) else { continue };
            let question = |among| {
                Pick::new(Ask::StormLoss, "9.2M", "Which War Party loses 1 BP to the storm", among).verbs(&["lose"])
            };
            if let Some(OneParty(id)) = choose(t, g, player, parties, question).await {
                t.tell(|| format!("The War Party of the {} loses 1 BP.", g.c[v].name));
                losses::party_loses(t, g, id, 1);
            }
        } else if g.area_of(v) == Some(a) {
            if g.village(v).bps > 0 {
                t.tell(|| format!("The Village of the {} loses 1 BP.", g.c[v].name));
                losses::village_loses(t, g, v, 1);
            } else {
                losses::devastate(t, g, v, 1);
            }
        }
    }
    for id in g.columns_in(a).map(|k| k.id).collect::<Vec<_>>() {
        t.tell(|| format!("The Column of {} loses 1 BP.", g.column_name(id)));
        // Artillery can replace BPs only in Combat and Attrition (5.55).
        losses::column_gives(t, g, id, losses::Gives::Bp);
    }
}

/// Puts Winter Campaigning into effect (9.2HH). The rules of Evasion and Pursuit (7.5) check it.
pub fn winter_campaigning(t: &T, g: &mut State) {
    g.fx.winter_campaigning = true;
    t.tell(|| {
        "Winter Campaigning for the rest of the Turn: Evasion -1 and Pursuit -2; a successful Evasion costs the Tribe 1 BP, \
         a Pursuit the US 1 BP."
            .to_owned()
    });
}
