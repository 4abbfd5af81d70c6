//! Initial Tribes and the Tribal Deck (3.32, 3.5, 4.21).

use super::{
    super::{
        Ask, Geronimo, State, T,
        components::{TribeId, VillageId},
        reservation::ask,
    },
    fewest_first, high_roller, is_first_turn,
};
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// 3.32: Tribes that are chosen alone.
const ALONE: [&str; 2] = ["Sioux", "Apache"];

/// 3.32: the Indian players in the order in which they choose. On the first Turn the high roller begins and the others
/// follow clockwise; later those with the least VPs come first.
pub(super) fn choosing_order(t: &T, g: &State) -> Vec<Seat> {
    let indians: Vec<Seat> = g.indian_seats().collect();
    if !is_first_turn(g) {
        return fewest_first(t, g, indians);
    }
    let mut order = indians.clone();
    let first = high_roller(t, g, "initial tribes", "The first choice of a Tribe", indians);
    let at = order.iter().position(|&s| s == first).unwrap_or(0);
    order.rotate_left(at);
    order
}

/// A Tribe as a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Free(TribeId);

impl Candidate<Geronimo> for Free {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
    fn note(&self, g: &State) -> String {
        let villages: Vec<VillageId> = g.c[self.0].villages.iter().copied().filter(|&v| g.in_play(v)).collect();
        let place = |v: VillageId| {
            let area = g.area_of(v).map_or("abroad", |a| g.c[a].name.as_str());
            format!("{area}, {} BPs", g.village(v).bps)
        };
        let count = |chiefs: usize| match chiefs {
            0 => String::new(),
            1 => ", 1 Chief".to_owned(),
            several => format!(", {several} Chiefs"),
        };
        // Where the Teton Chiefs are is for their player to say, and hidden until his Tribe is shown (6.51).
        let chiefs = |v: VillageId| count(g.chiefs_of(v).filter(|&h| g.c[h].village == Some(v)).count());
        let to_divide =
            g.c.chief_ids().filter(|&h| g.c[h].tribe == self.0 && g.c[h].village.is_none() && g.chief_available(h));
        match villages.as_slice() {
            [only] => {
                let raids = match g.c[*only].raid {
                    0 => String::new(),
                    most => format!(", raids on {most}"),
                };
                format!("{}{}{raids}", place(*only), chiefs(*only))
            }
            several => {
                let each: Vec<String> =
                    several.iter().map(|&v| format!("{} in {}{}", g.c[v].short, place(v), chiefs(v))).collect();
                format!("{}{}", each.join("; "), count(to_divide.count()).replacen(',', ";", 1))
            }
        }
    }
}

/// 3.32, 11.2B: everybody chooses openly: the Sioux or the Apache, or two other Tribes. A single Indian player chooses two
/// such groups.
pub(super) async fn initial_tribes(t: &T, g: &mut State, choosing: &[Seat]) {
    let groups: &[[&str; 2]] = if g.two_players() {
        &[
            ["Your first group: an Initial Tribe", "Your first group: the other Tribe"],
            ["Your second group: an Initial Tribe", "Your second group: the other Tribe"],
        ]
    } else {
        &[["Your Initial Tribe", "Your second Initial Tribe"]]
    };
    for &seat in choosing {
        for &[title, other] in groups {
            let Some(first) = choose(t, g, seat, free(g, true), title).await else { continue };
            if !ALONE.contains(&g.c[first].name.as_str()) {
                choose(t, g, seat, free(g, false), other).await;
            }
        }
    }
}

/// Tribes in play that nobody has; with or without those that are chosen alone.
fn free(g: &State, alone: bool) -> Vec<Free> {
    let fits = |tribe: &TribeId| {
        g.tribe_in_play(*tribe)
            && g.tribes[tribe.index()].holder.is_none()
            && (alone || !ALONE.contains(&g.c[*tribe].name.as_str()))
    };
    g.c.tribe_ids().filter(fits).map(Free).collect()
}

async fn choose(t: &T, g: &mut State, seat: Seat, free: Vec<Free>, title: &'static str) -> Option<TribeId> {
    let Free(tribe) = match free[..] {
        [] => return None,
        [only] => only,
        _ => {
            let pick = Pick::new(Ask::InitialTribe, "3.32", title, free).verbs(&["choose"]).telling(|g: &State, d| {
                let d = d.line("The Sioux or the Apache are chosen alone; of all others you choose two.");
                if g.two_players() { d.line("As the only Indian player you choose twice so (11.2B).") } else { d }
            });
            ask(t, g, seat, pick).await
        }
    };
    let state = &mut g.tribes[tribe.index()];
    (state.holder, state.revealed, state.pos) = (Some(seat), true, None);
    t.tell(|| format!("{} chooses the {}.", g.who(seat), g.c[tribe].name));
    Some(tribe)
}

/// 3.5B: Tribal Cards of each Indian player, Initial Tribes among them.
fn tribal_hand(indians: usize) -> usize {
    match indians {
        ..=1 => 18,
        2 => 9,
        3 => 6,
        _ => 5,
    }
}

/// 3.5B, 4.21: how many cards each player is dealt from a deck of so many, if `initial` says how many Tribes each has
/// already and `full` how many he should have in the end. A deck that is too small goes round as evenly as it can;
/// players further back in the list get the short end.
pub fn tribal_cards(initial: &[usize], deck: usize, full: usize) -> Vec<usize> {
    let mut dealt = vec![0; initial.len()];
    for _ in 0..deck {
        let has = |i: usize| initial[i] + dealt[i];
        // The first of those who have least.
        match (0..initial.len()).min_by_key(|&i| has(i)) {
            Some(i) if has(i) < full => dealt[i] += 1,
            _ => break,
        }
    }
    dealt
}

/// 3.5B, 4.21: shuffles the Tribes in play that were not chosen, and deals them. Where they are too few, the first to choose
/// gets the short end on the first Turn, and later those with the most VPs, who choose last (house ruling 13).
pub(super) fn deal(t: &T, g: &mut State, choosing: &[Seat]) {
    let mut favoured = choosing.to_vec();
    if is_first_turn(g) {
        favoured.reverse();
    }
    let deck: Vec<TribeId> =
        g.c.tribe_ids().filter(|&id| g.tribe_in_play(id) && g.tribes[id.index()].holder.is_none()).collect();
    let has = |seat: Seat| g.tribes.iter().filter(|s| s.holder == Some(seat)).count();
    let initial: Vec<usize> = favoured.iter().map(|&s| has(s)).collect();
    let counts = tribal_cards(&initial, deck.len(), tribal_hand(favoured.len()));
    let shuffle = t.shuffle("tribal", deck.iter().map(|&id| g.c[id].name.clone()).collect());
    g.tribal_epoch = shuffle.epoch;
    let mut from = 0;
    for seat in g.indian_seats() {
        let count = favoured.iter().position(|&s| s == seat).map_or(0, |i| counts[i]);
        t.deal("tribal", shuffle.epoch, Some(seat), from, count);
        for pos in from..from + count {
            let state = &mut g.tribes[deck[shuffle.order[pos] as usize].index()];
            (state.holder, state.pos) = (Some(seat), Some(pos));
        }
        from += count;
        t.tell(|| format!("{} is dealt {count} Tribal Cards.", g.who(seat)));
    }
    // The Inactive Tribal deck, from which Sand Creek draws (12.13).
    for pos in from..deck.len() {
        g.tribes[deck[shuffle.order[pos] as usize].index()].pos = Some(pos);
    }
}
