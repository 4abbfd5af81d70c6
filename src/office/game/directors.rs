//! A game's directors, and who may direct it now.

use crate::{error::OfficeError, game::Game, misuse::Misuse, transaction::Transaction};
use postrider_dice::Hash;
use postrider_journal::{DirectorFault, Via, words_digest};
use postrider_mail::Incoming;
use postrider_orders::{list_and, list_or};
use postrider_store::{Kept, Watcher};
use postrider_table::Seat;

/// The maximum length of a reason or a ruling, in characters.
const LONGEST: usize = 1_000;

/// A person who directs, and the source of the action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By<'b> {
    /// The name, as in the journal.
    pub name: &'b str,
    /// The digest of the line of the director's mail; `None` if the host enters the action.
    pub words: Option<Hash>,
}

/// The service itself.
pub(crate) const SERVICE: By<'static> = By { name: postrider_journal::SERVICE, words: None };

impl By<'_> {
    /// Returns the `via` and `words` of this person's entry; both are `None` unless the game names
    /// its directors.
    pub fn said(&self, game: &Game) -> (Option<Via>, Option<Hash>) {
        let named = game.live.motions.directors().names().iter().any(|name| name == self.name);
        let via = Some(Via::Cli).filter(|_| named && self.words.is_none());
        (via, self.words.filter(|_| named))
    }
}

/// Checks that a person may direct a game now: a director named by the game who does not play in
/// it, or the host if it names none.
///
/// # Errors
/// [`Misuse::NoDirector`], [`Misuse::DirectorPlays`].
pub(crate) fn check(game: &Game, by: &str) -> Result<(), Misuse> {
    let directors = game.live.motions.directors();
    let plays = |seat: String| Misuse::DirectorPlays { by: by.to_owned(), seat, game: game.id.clone() };
    match directors.may(by) {
        // The journal does not show the director's seat until the player joins.
        Ok(()) => plays_seat(game, by).map_or(Ok(()), |seat| Err(plays(seat.to_string()))),
        Err(DirectorFault::Plays { seat, .. }) => Err(plays(seat)),
        Err(_) => Err(nobody(game, by)),
    }
}

/// Makes all earlier letters to a director void, and the first one due again.
///
/// # Errors
/// [`Misuse::NoDirector`].
pub(crate) fn renew(tx: &mut Transaction, name: &str) -> Result<(), OfficeError> {
    let director = all(tx).find(|one| one.name.eq_ignore_ascii_case(name)).cloned();
    let director = director.ok_or_else(|| nobody(tx, name))?;
    Ok(tx.keep(Kept::Watcher(Watcher { renewed: director.renewed + 1, n: None, ..director }))?)
}

/// Returns the refusal of a name that no director has.
pub(crate) fn nobody(game: &Game, by: &str) -> Misuse {
    let known = match game.live.motions.directors().names() {
        [] => SERVICE.name.to_owned(),
        names => list_or(names),
    };
    Misuse::NoDirector { by: by.to_owned(), game: game.id.clone(), known }
}

/// Returns the seat that a director plays, found by the address.
fn plays_seat(game: &Game, name: &str) -> Option<Seat> {
    let director = all(game).find(|one| one.name == name)?;
    let mut seats = game.seats.players.iter().map(|player| player.seat);
    seats.find(|seat| game.seats.addresses(*seat).any(|one| one.eq_ignore_ascii_case(&director.address)))
}

/// Returns the directors, as stored next to the journal.
pub(crate) fn all(game: &Game) -> impl Iterator<Item = &Watcher> {
    game.secrets.watchers.iter().filter(|one| one.director)
}

/// Returns the name, as in the journal, of the director with this address.
pub(crate) fn with_address(game: &Game, address: &str) -> Option<String> {
    game.watcher(address).filter(|one| one.director).map(|one| one.name.clone())
}

/// Names the directors in a sentence for the players; `None` if the game has none.
pub(crate) fn in_words(game: &Game) -> Option<String> {
    let names = game.live.motions.directors().names();
    let direct = if names.len() == 1 { "directs" } else { "direct" };
    (!names.is_empty()).then(|| format!("{} {direct} this game; `appeal: …` asks for a decision.", list_and(names)))
}

/// Returns the digest of a line of a director's mail.
pub(crate) fn words(game: &Game, name: &str, mail: &Incoming, line: &str) -> Hash {
    words_digest(&game.id, name, mail.message_id.as_deref().unwrap_or_default(), [line])
}

/// Checks a text for the journal: one line, not empty, not too long.
pub(crate) fn one_line(what: &'static str, text: &str) -> Result<String, OfficeError> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > LONGEST {
        return Err(Misuse::NotOneLine { what, longest: LONGEST }.into());
    }
    Ok(text.to_owned())
}
