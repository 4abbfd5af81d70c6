//! The Sand Creek Massacre: a Tribe from the Inactive Tribal deck is destroyed, and the Indian
//! players draw cards.
//!
//! The Inactive Tribal deck has the cards that nobody was dealt this Turn. Its order was fixed by
//! the shuffle, so its next card is random. Cards of Tribes that have become extinct since are
//! skipped.

use crate::{
    Ask, State, T,
    components::{TribeId, VillageId},
    deal::{fewest_first, is_divided_at_start, keep_to_division},
    losses::village_loses,
    reservation::ask,
};
use postrider_table::{Pick, Seat, Word};

pub const DRAW: Word = Word::new("draw").or(&["take a card", "draw a card"]);
pub const DECLINE: Word = Word::new("no card").or(&["no", "decline", "none"]);

/// Returns the undealt Tribal Cards of Tribes in play, with their positions in the deck; the next
/// to be drawn comes first.
fn undealt(g: &State) -> impl Iterator<Item = (usize, TribeId)> {
    let lies = |tribe: TribeId| {
        let state = &g.tribes[tribe.index()];
        state.pos.filter(|_| state.holder.is_none() && !state.revealed && g.tribe_in_play(tribe))
    };
    let mut cards: Vec<_> = g.c.tribe_ids().filter_map(|tribe| Some((lies(tribe)?, tribe))).collect();
    cards.sort_unstable();
    cards.into_iter()
}

/// Returns the Tribes in play that are not among this Turn's eighteen in the Solitaire Game
/// (11.34). They are public.
fn left_out(g: &State) -> Vec<TribeId> {
    let drawn = |tribe: &TribeId| g.solo.tribal.iter().any(|card| card.tribe == *tribe);
    let out = |tribe: &TribeId| g.tribe_in_play(*tribe) && g.tribes[tribe.index()].holder.is_none() && !drawn(tribe);
    g.c.tribe_ids().filter(out).collect()
}

/// Returns `true` if the Inactive Tribal deck has any card.
pub fn any_inactive(g: &State) -> bool {
    if g.variant.solitaire { !left_out(g).is_empty() } else { undealt(g).next().is_some() }
}

/// Sand Creek Massacre (DR 6): a Village of a publicly drawn Tribe becomes extinct, its Area may
/// not become a State this Turn, and each Indian player may draw a Tribal Card, those with the
/// fewest VPs first. Nobody earns VPs, and it does not count as a Massacre (8.21).
pub async fn sand_creek_massacre(t: &T, g: &mut State) {
    let Some(tribe) = victim(t, g) else { return };
    g.events.sand_creek_over = true;
    let villages: Vec<VillageId> = g.c[tribe].villages.iter().copied().filter(|&v| g.in_play(v)).collect();
    let v = match villages[..] {
        [only] => only,
        _ => villages[t.draw("sand creek", villages.len())],
    };
    g.events.sand_creek = g.area_of(v);
    t.tell(|| {
        let place = g.area_of(v).map_or("abroad", |a| g.c[a].name.as_str());
        format!("The Sand Creek Massacre strikes the {} in {place}. Nobody earns VPs for it.", g.c[v].name)
    });
    let bps = g.village(v).bps;
    village_loses(t, g, v, bps);
    // In the Solitaire Game the Tribal Deck already has more cards than Rounds (11.35), so none is
    // added (house reading).
    if !g.variant.solitaire {
        let indians: Vec<Seat> = g.indian_seats().collect();
        for seat in fewest_first(t, g, indians) {
            draws(t, g, seat).await;
        }
    }
}

/// Draws a Tribe from the Inactive Tribal deck. Its card is then revealed and cannot be drawn again
/// this Turn, even if another Village of the Tribe survives.
fn victim(t: &T, g: &mut State) -> Option<TribeId> {
    if g.variant.solitaire {
        let tribes = left_out(g);
        return if tribes.is_empty() { None } else { Some(tribes[t.draw("sand creek tribe", tribes.len())]) };
    }
    let (pos, tribe) = undealt(g).next()?;
    t.deal("tribal", g.tribal_epoch, None, pos, 1);
    t.show("tribal", g.tribal_epoch, pos, &g.c[tribe].name, None);
    g.tribes[tribe.index()].revealed = true;
    Some(tribe)
}

/// Lets an Indian player take one more Tribal Card, hidden from the others.
async fn draws(t: &T, g: &mut State, seat: Seat) {
    if undealt(g).next().is_none() {
        return;
    }
    let pick = Pick::new(Ask::SandCreek, "12.13", "One more Tribal Card, or none", vec![DRAW, DECLINE])
        .telling(|_, d| d.line("Drawn at random from the Inactive Tribal deck; only you see it."));
    if ask(t, g, seat, pick).await == DECLINE {
        t.tell(|| format!("{} takes no Tribal Card.", g.who(seat)));
        return;
    }
    let Some((pos, tribe)) = undealt(g).next() else { return };
    t.deal("tribal", g.tribal_epoch, Some(seat), pos, 1);
    g.tribes[tribe.index()].holder = Some(seat);
    if g.c.tribe_by_name("Sioux") == Some(tribe) && is_divided_at_start(g) {
        // This player has already given a division, like all Indian players (6.51).
        keep_to_division(g, tribe);
    }
    t.tell(|| format!("{} draws a Tribal Card.", g.who(seat)));
}
