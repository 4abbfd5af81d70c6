//! The draft of a player.

use crate::game::Game;
use postrider_dice::Hash;
use postrider_table::Seat;

/// The lines that a mail finds in the draft of its seat: those of before, if it has sent them before a crash.
pub(crate) fn draft_for(game: &Game, seat: Seat, mail: Option<Hash>) -> Vec<String> {
    match game.secrets.drafts.get(&seat) {
        Some(draft) if draft.left.is_some() && mail.is_some() && draft.by == mail => draft.lines.clone(),
        _ => game.draft(seat).to_vec(),
    }
}
