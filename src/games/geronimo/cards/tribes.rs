//! Shaman Cards that incite or pacify a Tribe (9.2D, F, Q, GG).

use super::{
    super::{
        Ask, State, T,
        card::Card,
        components::{ChiefId, TribeId, TribeSet, VillageId},
        deal::is_unsure,
        indian::{Compelled, compelled_attack},
        reservation::{ask, reveal},
        solitaire::concerns,
        state::Vain,
    },
    After,
    among::{NOBODY, OneTribe, OneVillage, choose, choose_by_hand},
    help::told,
};
use postrider_table::{OneOr, Pick, Seat};

/// Returns the Tribes with a Village in play, held by any player.
fn in_play(g: &State) -> impl Iterator<Item = TribeId> + '_ {
    let concerned = |tribe: TribeId| g.c[tribe].villages.iter().any(|&v| concerns(g, v));
    g.c.tribe_ids().filter(move |&tribe| g.tribe_in_play(tribe) && concerned(tribe))
}

pub fn any_in_play(g: &State) -> bool {
    in_play(g).next().is_some()
}

/// Returns the player of any of a Tribe's Villages this Turn.
fn player_of_tribe(g: &State, tribe: TribeId) -> Option<Seat> {
    g.c[tribe].villages.iter().find_map(|&v| g.player_of(v))
}

/// Forces a Tribe to attack immediately, if it is Active and not Finished (9.2D).
pub async fn bad_blood(t: &T, g: &mut State, seat: Seat) -> After {
    let among = in_play(g).map(OneTribe).collect();
    let question = |among| {
        Pick::new(Ask::BadBlood, "9.2D", "Which Tribe has Bad Blood", among)
            .verbs(&["bad blood"])
            .telling(told(Card::BadBlood))
    };
    let Some(OneTribe(tribe)) = choose(t, g, seat, among, question).await else { return After::Operation };
    t.tell(|| format!("{} names the {}.", g.who(seat), g.c[tribe].name));
    let Some(player) = player_of_tribe(g, tribe) else {
        t.tell(|| format!("The {} are not Active: no effect.", g.c[tribe].name));
        g.fx.vain = Vain::Yes;
        return After::Operation;
    };
    reveal(t, g, tribe);
    let ready = |&v: &VillageId| g.player_of(v).is_some() && !g.village(v).finished;
    let villages: Vec<VillageId> = g.c[tribe].villages.iter().copied().filter(ready).collect();
    if villages.is_empty() {
        t.tell(|| format!("The {} are Finished: no effect.", g.c[tribe].name));
        g.fx.vain = Vain::Yes;
        return After::Operation;
    }
    let attacked = compelled_attack(t, g, &villages, Compelled::BadBlood).await;
    match (attacked, player == seat) {
        (true, true) => After::Nothing,
        (true, false) => {
            g.tally[player.index()].operation_used = true;
            After::Operation
        }
        (false, _) => {
            g.fx.vain = Vain::Yes;
            After::Operation
        }
    }
}

/// Returns `true` if a Village may have a Chief: one of its own or, until their division is known,
/// a Teton Chief (6.51).
fn may_have_chief(g: &State, v: VillageId) -> bool {
    let tribe = g.c[v].tribe;
    // The Teton Village of such a Chief depends on the holder of the Sioux, whom the others must
    // not learn.
    let teton = |h: ChiefId| g.c[h].village.is_none() && g.chief_available(h);
    let undivided = |h: ChiefId| teton(h) && g.c.villages_of_chief(h).contains(&v);
    g.chiefs_of(v).next().is_some() || is_unsure(g, tribe) && g.c.chiefs_of(tribe).any(undivided)
}

/// Returns the Villages in play that may be designated for Blood Lust, also those in Mexico and
/// Canada (6.23): with a Chief, and not just back from the Reservation (8.24, 9.2F).
pub fn with_chief(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(|&v| {
        let state = g.village(v);
        g.in_play(v) && !state.dormant && !state.blood_lust && concerns(g, v) && may_have_chief(g, v)
    })
}

/// Marks an Active Village with a Chief (9.2F). Another player's Village must attack immediately.
/// If a Village turns out to be inactive, this is announced, and another one is named (as in 9.2Q;
/// house reading).
pub async fn blood_lust(t: &T, g: &mut State, seat: Seat) {
    let mut out = TribeSet::new();
    let mut tried: Vec<VillageId> = Vec::new();
    loop {
        let open = |&v: &VillageId| !tried.contains(&v) && !out.contains(g.c[v].tribe);
        let among = with_chief(g).filter(open).map(OneVillage).collect();
        let question = |among| {
            Pick::new(Ask::BloodLust, "9.2F", "Which Village is seized by Blood Lust", among)
                .verbs(&["blood lust"])
                .telling(told(Card::BloodLust))
        };
        let Some(OneVillage(v)) = choose(t, g, seat, among, question).await else {
            t.tell(|| "No Active Village has a Chief: no effect.".to_owned());
            g.fx.vain = Vain::Yes;
            return;
        };
        let tribe = g.c[v].tribe;
        let Some(player) = g.player_of(v) else {
            t.tell(|| format!("{} names the {}; they are not Active.", g.who(seat), g.c[v].name));
            out.insert(tribe);
            continue;
        };
        reveal(t, g, tribe);
        if g.chiefs_of(v).next().is_none() {
            t.tell(|| format!("The {} have no Chief.", g.c[v].name));
            tried.push(v);
            continue;
        }
        g.village_mut(v).blood_lust = true;
        t.tell(|| {
            format!("Blood Lust among the {}: Battle DRs and Aggression +2, no Evasion, this Turn.", g.c[v].name)
        });
        if player != seat && !g.village(v).finished && compelled_attack(t, g, &[v], Compelled::BloodLust).await {
            g.tally[player.index()].operation_used = true;
        }
        return;
    }
}

/// Returns the Tribes that a seat may ask for (9.2Q): in play, held by others, with a Village
/// without a Peace Chief. With two players these are the Indian player's own Tribes.
pub fn to_ask_for(g: &State, seat: Seat) -> impl Iterator<Item = TribeId> + '_ {
    g.c.tribe_ids().filter(move |&tribe| {
        let own = g.tribes[tribe.index()].holder == Some(seat);
        own == (g.indians() == 1) && g.c[tribe].villages.iter().any(|&v| peaceable(g, v))
    })
}

fn peaceable(g: &State, v: VillageId) -> bool {
    g.in_play(v) && !g.village(v).dormant && !g.village(v).peace_chief && concerns(g, v)
}

/// Gives a Peace Chief to the first Active Tribe of another Indian player that is asked for; with
/// two players to one of the player's own (9.2Q).
pub async fn peace_chief(t: &T, g: &mut State, seat: Seat) {
    let mut asked = TribeSet::new();
    loop {
        let among = to_ask_for(g, seat).filter(|&tribe| !asked.contains(tribe)).map(OneTribe).collect();
        let question = |among| {
            Pick::new(Ask::PeaceChief, "9.2Q", "Which Tribe you ask for", among)
                .verbs(&["ask for", "ask", "peace chief"])
                .telling(told(Card::PeaceChief))
        };
        let Some(OneTribe(tribe)) = choose_by_hand(t, g, seat, among, question).await else {
            t.tell(|| "No Tribe is left to ask for: no effect.".to_owned());
            g.fx.vain = Vain::Yes;
            return;
        };
        asked.insert(tribe);
        if player_of_tribe(g, tribe).is_none() {
            t.tell(|| format!("{} asks for the {}: nobody plays them.", g.who(seat), g.c[tribe].name));
            continue;
        }
        t.tell(|| format!("{} asks for the {}.", g.who(seat), g.c[tribe].name));
        reveal(t, g, tribe);
        let among = g.c[tribe].villages.iter().copied().filter(|&v| peaceable(g, v)).map(OneVillage).collect();
        let question = |among| {
            Pick::new(Ask::PeaceVillage, "9.2Q", "Which Village gets a Peace Chief", among)
                .verbs(&["peace chief"])
                .telling(told(Card::PeaceChief))
        };
        if let Some(OneVillage(v)) = choose(t, g, seat, among, question).await {
            g.village_mut(v).peace_chief = true;
            t.tell(|| format!("The {} have a Peace Chief.", g.c[v].name));
        }
        return;
    }
}

/// Returns the Villages with a Peace Chief.
pub fn with_peace_chief(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(|&v| g.village(v).peace_chief && g.in_play(v))
}

/// Removes a Peace Chief, or none (9.2GG).
pub async fn tribal_unrest(t: &T, g: &mut State, seat: Seat) {
    let among = OneOr::among(NOBODY, with_peace_chief(g).map(OneVillage));
    let pick = Pick::new(Ask::TribalUnrest, "9.2GG", "Which Peace Chief loses his hold", among).verbs(&["unrest"]);
    let OneOr::One(OneVillage(v)) = ask(t, g, seat, pick).await else {
        t.tell(|| "Every Peace Chief keeps his hold.".to_owned());
        return;
    };
    g.village_mut(v).peace_chief = false;
    t.tell(|| format!("The {} no longer have a Peace Chief.", g.c[v].name));
}
