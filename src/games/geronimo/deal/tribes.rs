//! Initial Tribes and the Tribal Deck (3.32, 3.5, 4.21).

use super::{
    super::{
        Ask, Geronimo, State, T,
        components::{TribeId, VillageId},
        reservation::ask_at_rest,
    },
    fewest_first, high_roller, is_first_turn,
};
use postrider_orders::counted;
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// Tribes that are chosen alone (3.32).
const ALONE: [&str; 2] = ["Sioux", "Apache"];

/// Returns the Indian players in the order in which they choose (3.32). On the first Turn the high
/// roller begins and the others follow clockwise; later those with the fewest VPs come first.
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

/// A Tribe as a candidate.
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
            format!("{area}, {}", counted(g.village(v).bps, "BP"))
        };
        let count = |chiefs: usize| match chiefs {
            0 => String::new(),
            1 => ", 1 Chief".to_owned(),
            several => format!(", {several} Chiefs"),
        };
        // The division of the Teton Chiefs is up to their player, and hidden until the Tribe is
        // revealed (6.51).
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

/// Lets each player publicly choose the Sioux or the Apache, or two other Tribes (3.32). A single
/// Indian player chooses two such groups (11.2B).
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

/// Returns the Tribes in play that nobody holds, with or without those that are chosen alone.
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
                if g.two_players() { d.line("As the only Indian player you choose two groups (11.2B).") } else { d }
            });
            ask_at_rest(t, g, seat, pick).await
        }
    };
    let state = &mut g.tribes[tribe.index()];
    (state.holder, state.revealed, state.pos) = (Some(seat), true, None);
    t.tell(|| format!("{} chooses the {}.", g.who(seat), g.c[tribe].name));
    Some(tribe)
}

/// Returns the number of Tribal Cards of each Indian player, including Initial Tribes (3.5B).
pub(super) fn tribal_hand(indians: usize) -> usize {
    match indians {
        ..=1 => 18,
        2 => 9,
        3 => 6,
        _ => 5,
    }
}

/// Returns the number of cards that each player is dealt from a deck (3.5B, 4.21). `initial` is the
/// number of Tribes that each already has, and `full` the number that each should have. A deck that
/// is too small is shared as evenly as possible; players later in the list get fewer.
pub fn tribal_cards(initial: &[usize], deck: usize, full: usize) -> Vec<usize> {
    let mut dealt = vec![0; initial.len()];
    for _ in 0..deck {
        let has = |i: usize| initial[i] + dealt[i];
        // The first of those with the fewest cards.
        match (0..initial.len()).min_by_key(|&i| has(i)) {
            Some(i) if has(i) < full => dealt[i] += 1,
            _ => break,
        }
    }
    dealt
}

/// Shuffles the Tribes in play that were not chosen, and deals them (3.5B, 4.21). If there are too
/// few, the first to choose gets fewer on the first Turn; later those with the most VPs, who choose
/// last, do (house ruling 13).
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
