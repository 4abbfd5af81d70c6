//! Drafts: orders that a player keeps over several mails, and sends when he is content.
//!
//! A mail with `draft` does nothing but change the draft, and its answer shows how each line is read as things stand. `send` means
//! the lines of the draft: they are read and carried out as if they had been written there, and the journal names that mail and its
//! line. What was not carried out stays in the draft.

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
