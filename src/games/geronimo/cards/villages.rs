//! Shaman Cards that affect a Village (9.2N, Y, Z, AA, EE).

use super::{
    super::{
        Ask, State, T,
        card::Card,
        components::{AreaId, VillageId},
        indian, losses,
        losses::Defender,
        ratings::Force,
        reaction::Action,
        reservation::{ask, reveal},
        solitaire::concerns,
        state::{MISSIONS, Vain},
    },
    among::{InArea, Indians, NOBODY, OneVillage, choose},
    help::told,
};
use postrider_table::{OneOr, Pick, Seat};

fn missions(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| g.area(a).mission)
}

/// Returns the Areas with a Village and without a Mission (9.2N).
pub fn parishes(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| !g.area(a).mission && g.villages_in(a).next().is_some())
}

/// Places a new Mission, or moves one if all are on the map (9.2N).
pub async fn missionaries(t: &T, g: &mut State, seat: Seat) {
    let mut from = None;
    if missions(g).count() >= MISSIONS {
        let among = missions(g).map(InArea).collect();
        let question = |among| {
            Pick::new(Ask::MissionFrom, "9.2N", "Which Mission moves away", among).verbs(&["move from", "from"])
        };
        from = choose(t, g, seat, among, question).await;
    }
    let among = parishes(g).map(InArea).collect();
    let question =
        |among| Pick::new(Ask::Mission, "9.2N", "Where the Mission stands", among).verbs(&["mission", "mission in"]);
    let Some(InArea(to)) = choose(t, g, seat, among, question).await else { return };
    if let Some(InArea(from)) = from {
        g.area_mut(from).mission = false;
        t.tell(|| format!("The Mission in {} moves away.", g.c[from].name));
    }
    g.area_mut(to).mission = true;
    t.tell(|| {
        format!(
            "A Mission in {}: Survival Points double, but no War Parties and no Relocation from there.",
            g.c[to].name
        )
    });
}

/// Returns `true` if, as far as the other players know, this seat may hold a Tribe that can Scout
/// (9.2Y). It is asked even if it holds none, so that the question reveals nothing.
pub fn may_hold_scouts(g: &State, seat: Seat) -> bool {
    g.village_ids().any(|v| {
        let known = g.known_player_of(v);
        scout_village(g, v) && !g.village(v).dormant && (known.is_none() || known == Some(seat))
    })
}

fn scout_village(g: &State, v: VillageId) -> bool {
    g.c[v].scouts && g.area_of(v).is_some() && !g.village(v).scouting && concerns(g, v)
}

/// Lets a Village Scout for the US (9.2Y). Its War Parties return without Reaction, which makes it
/// Finished. A player without such a Village must Ignore the card (9.14).
pub async fn scouts(t: &T, g: &mut State, seat: Seat) {
    let mine: Vec<VillageId> =
        g.village_ids().filter(|&v| scout_village(g, v) && g.player_of(v) == Some(seat)).collect();
    let has_scouts = !mine.is_empty();
    // The option for nobody is first, because it is the default at the deadline.
    let among = OneOr::among(NOBODY, mine.into_iter().map(OneVillage));
    let pick = Pick::new(Ask::Scouts, "9.2Y", "Which Village Scouts for the US", among).verbs(&["scout"]).telling(
        |g: &State, d| {
            let vp = g.scoring(|| "earns you 1 VP, but ".to_owned());
            d.line(format!("It {vp}may not attack or Relocate this Turn."))
        },
    );
    let OneOr::One(OneVillage(v)) = ask(t, g, seat, pick).await else {
        t.tell(|| "Nobody Scouts for the US.".to_owned());
        g.fx.vain = if has_scouts { Vain::ByChoice } else { Vain::Yes };
        return;
    };
    reveal(t, g, g.c[v].tribe);
    g.village_mut(v).scouting = true;
    g.score(seat, 1, "9.2Y");
    t.tell(|| {
        let vp = g.scoring(|| format!(": 1 VP for {}", g.who(seat)));
        format!("The {} Scout for the US{vp}.", g.c[v].name)
    });
    let parties: Vec<_> = g.parties_of(v).map(|p| p.id).collect();
    if !parties.is_empty() {
        for id in parties {
            g.bring_home(id);
        }
        g.village_mut(v).finished = true;
        t.tell(|| format!("The War Parties of the {} go home: the Village is Finished.", g.c[v].name));
    }
}

/// Returns the Villages in play without Shaman Medicine, also those in Mexico and Canada (6.23,
/// 9.2Z).
pub fn unblessed(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(|&v| g.in_play(v) && !g.village(v).shaman_medicine && concerns(g, v))
}

/// Gives Shaman Medicine to a Village (9.2Z). The US may Ignore the card.
pub async fn shaman_medicine(t: &T, g: &mut State, seat: Seat) {
    let ignoring = (seat == g.us).then_some(OneOr::Word(NOBODY));
    let among = ignoring.into_iter().chain(unblessed(g).map(|v| OneOr::One(OneVillage(v)))).collect();
    let question = |among| {
        Pick::new(Ask::ShamanMedicine, "9.2Z", "Which Village gets Shaman Medicine", among)
            .verbs(&["medicine for", "medicine"])
            .telling(told(Card::ShamanMedicine))
    };
    match choose(t, g, seat, among, question).await {
        Some(OneOr::One(OneVillage(v))) => {
            g.village_mut(v).shaman_medicine = true;
            t.tell(|| {
                format!(
                    "Shaman Medicine for the {}: Battle DRs +2, Aggression +1 until a Battle costs BPs.",
                    g.c[v].name
                )
            });
        }
        Some(OneOr::Word(_)) | None => {
            g.fx.vain = Vain::Yes;
            t.tell(|| "The US Ignores Shaman Medicine.".to_owned());
        }
    }
}

/// Returns the Villages that Smallpox may strike: any in play (8.16).
fn exposed(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(|&v| g.in_play(v) && concerns(g, v))
}

pub fn any_in_play(g: &State) -> bool {
    exposed(g).next().is_some()
}

/// Returns the BPs lost for a DR, from the Smallpox table.
fn smallpox_loss(dr: i32) -> i32 {
    match dr {
        ..=4 => 0,
        5..=8 => 1,
        _ => 2,
    }
}

/// Makes a Village Finished, possibly with a loss of BPs, and recalls its War Parties (9.2AA).
pub async fn smallpox(t: &T, g: &mut State, seat: Seat) {
    let among = exposed(g).map(OneVillage).collect();
    let question = |among| {
        Pick::new(Ask::Smallpox, "9.2AA", "Which Village Smallpox strikes", among)
            .verbs(&["smallpox"])
            .telling(told(Card::Smallpox))
    };
    let Some(OneVillage(v)) = choose(t, g, seat, among, question).await else { return };
    let dr = t.d10("smallpox") as i32;
    g.village_mut(v).finished = true;
    g.village_mut(v).smallpox = true;
    t.tell(|| {
        let name = &g.c[v].name;
        let lost = smallpox_loss(dr).min(g.village(v).bps);
        format!("Smallpox among the {name}: DR {dr}, the Village is Finished; BPs lost: {lost}.")
    });
    losses::village_loses(t, g, v, smallpox_loss(dr));
    if g.parties_of(v).next().is_some() {
        indian::finish(t, g, &mut Action::default(), v).await;
    }
}

/// Returns the possible targets of the Texas Rangers (9.2EE): those with BPs or, if there are none,
/// Villages without BPs.
pub fn in_texas(g: &State) -> Vec<Indians> {
    let Some(texas) = g.c.area_by_code("TX") else { return Vec::new() };
    let with_bps = g.villages_in(texas).filter(|&v| g.village(v).bps > 0).map(Defender::Village);
    let parties = g.parties.iter().filter(|p| p.area == texas).map(|p| Defender::Party(p.id));
    let mut hunted: Vec<_> = with_bps.chain(parties).map(Indians).collect();
    if hunted.is_empty() {
        hunted.extend(g.villages_in(texas).map(Defender::Village).map(Indians));
    }
    hunted
}

/// Rolls for an attack in Texas (9.2EE). An odd DR costs a BP, or Devastates a Village without BPs.
pub async fn texas_rangers(t: &T, g: &mut State, seat: Seat) {
    let among = in_texas(g);
    let question = |among| {
        Pick::new(Ask::TexasRangers, "9.2EE", "Whom the Texas Rangers attack", among)
            .verbs(&["attack", "rangers"])
            .telling(told(Card::TexasRangers))
    };
    let Some(Indians(target)) = choose(t, g, seat, among, question).await else { return };
    let dr = t.d10("texas rangers");
    t.tell(|| {
        let fate = if dr % 2 == 1 { "hit" } else { "missed" };
        let hunted = match target {
            Defender::Village(v) => Force::Village(v),
            Defender::Party(id) => Force::party(id),
        };
        format!("Texas Rangers DR against {} in Texas: {dr}, needed an odd one: {fate}.", hunted.name(g))
    });
    if dr % 2 == 1 {
        // Like Evasion Attrition: one BP, or a Devastated -1 marker if there is none.
        losses::attrition(t, g, target);
    }
}
