//! Players' drafts.

use crate::game::Game;
use postrider_dice::Hash;
use postrider_table::Seat;

/// Returns the draft that a mail works on. If the mail already sent it before a crash, these are
/// the lines from before.
pub(crate) fn draft_for(game: &Game, seat: Seat, mail: Option<Hash>) -> Vec<String> {
    match game.secrets.drafts.get(&seat) {
        Some(draft) if draft.left.is_some() && mail.is_some() && draft.by == mail => draft.lines.clone(),
        _ => game.draft(seat).to_vec(),
    }
}
