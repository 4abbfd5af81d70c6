//! Random replacements for hidden information. The numbers of cards held, the deck positions that
//! they came from, the seat's own cards, and everything revealed stay the same.

use crate::{
    State,
    card::Card,
    components::TribeId,
    deal::{is_divided_at_start, keep_to_division},
};
use postrider_table::{Below, Seat, make_up};

/// Replaces the order of the decks and the Shaman Cards in them, in the Solitaire Game.
pub(super) fn decks(g: &mut State, _: Option<Seat>, below: &mut Below<'_>) {
    if !g.variant.solitaire {
        return;
    }
    // The remaining cards count as undealt there.
    let mut pool = undealt(g);
    make_up(&mut pool, below);
    for held in &mut g.solo.shaman {
        held.card = pool.pop().unwrap_or(held.card);
    }
    let unseen = g.solo.tribal.len().saturating_sub(g.solo.seen);
    let mut tribes: Vec<TribeId> = g.solo.tribal[..unseen].iter().map(|card| card.tribe).collect();
    make_up(&mut tribes, below);
    for (card, tribe) in g.solo.tribal.iter_mut().zip(tribes) {
        card.tribe = tribe;
    }
}

/// Replaces the Shaman Cards in the other hands, using also those that nobody was dealt.
pub(super) fn hands(g: &mut State, seat: Option<Seat>, below: &mut Below<'_>) {
    let mut pool = undealt(g);
    let others: Vec<usize> = g.seats().filter(|&s| Some(s) != seat).map(Seat::index).collect();
    pool.extend(others.iter().flat_map(|&s| g.hands[s].iter().map(|h| h.card)));
    make_up(&mut pool, below);
    // The pool has at least as many cards as these hands.
    for s in others {
        for held in &mut g.hands[s] {
            held.card = pool.pop().unwrap_or(held.card);
        }
    }
}

/// Returns the Shaman Cards of this Turn's deck that nobody was dealt: all except those removed,
/// played or held.
fn undealt(g: &State) -> Vec<Card> {
    let basic = g.turns.0 >= 4;
    let gone = |card: Card| {
        // A single-use card may be both in the pile and removed, but is gone only once.
        let used = g.pile.iter().filter(|p| p.1 == card).count().max(g.removed.iter().filter(|&&c| c == card).count());
        used + g.hands.iter().flatten().filter(|h| h.card == card).count()
    };
    Card::all()
        .filter(|c| !basic || c.in_basic_game())
        .flat_map(|card| std::iter::repeat_n(card, card.count().saturating_sub(gone(card))))
        .collect()
}

/// Redistributes unrevealed Tribal Cards among the other holders and the undealt ones, and divides
/// the Teton Chiefs of an unrevealed Tribe again.
pub(super) fn tribes(g: &mut State, seat: Option<Seat>, below: &mut Below<'_>) {
    let hidden: Vec<TribeId> = g.c.tribe_ids().filter(|&t| is_hidden(g, t, seat)).collect();
    let mut slots: Vec<_> = hidden.iter().map(|t| (g.tribes[t.index()].holder, g.tribes[t.index()].pos)).collect();
    make_up(&mut slots, below);
    for (&tribe, (holder, pos)) in hidden.iter().zip(slots) {
        let state = &mut g.tribes[tribe.index()];
        state.holder = holder;
        state.pos = pos;
    }
    if let Some(&sioux) = hidden.iter().find(|&&t| Some(t) == g.c.tribe_by_name("Sioux"))
        && is_divided_at_start(g)
    {
        // All players have given a division.
        return keep_to_division(g, sioux);
    }
    for chief in g.c.clone().chief_ids() {
        if g.c[chief].village.is_none() && hidden.contains(&g.c[chief].tribe) {
            let villages = g.c.villages_of_chief(chief);
            let at = below(villages.len() as u32 + 1) as usize;
            g.chiefs[chief.index()].assigned = villages.get(at).copied();
        }
    }
}

/// Returns `true` if this seat cannot know the holder of a Tribal Card, if any: it is not revealed,
/// not the seat's own, and could be held.
fn is_hidden(g: &State, tribe: TribeId, seat: Option<Seat>) -> bool {
    let state = &g.tribes[tribe.index()];
    let own = state.holder.is_some() && state.holder == seat;
    let in_deck = g.c[tribe].villages.iter().any(|&v| g.in_play(v) && !g.village(v).dormant);
    // A player who offers to sign for a Tribe has revealed that they hold it.
    let said = g.desk.offers.iter().any(|o| g.c[o.village].tribe == tribe && Some(o.by) == state.holder);
    !state.revealed && !own && in_deck && !said
}
