//! The directors of a game: who they are, and who may direct it now.

use crate::{error::OfficeError, game::Game, misuse::Misuse};
use postrider_dice::Hash;
use postrider_journal::{DirectorFault, Via, words_digest};
use postrider_mail::Incoming;
use postrider_orders::{list_and, list_or};
use postrider_store::Watcher;
use postrider_table::Seat;

/// The maximum length of a reason or a ruling, in characters.
const LONGEST: usize = 1_000;

/// Who directs, and how he said so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct By<'b> {
    /// His name as the journal has it.
    pub name: &'b str,
    /// The digest of the line of his mail; `None` if the host enters it.
    pub words: Option<Hash>,
}

/// The service itself.
pub(crate) const SERVICE: By<'static> = By { name: postrider_journal::SERVICE, words: None };

impl By<'_> {
    /// The `via` and `words` of an entry by him; both are `None` unless the game names him.
    pub fn said(&self, game: &Game) -> (Option<Via>, Option<Hash>) {
        let named = game.live.motions.directors().names().iter().any(|name| name == self.name);
        let via = Some(Via::Cli).filter(|_| named && self.words.is_none());
        (via, self.words.filter(|_| named))
    }
}

/// Checks that somebody may direct a game now: a director whom it names and who does not play in
/// it. A game that names none leaves open who directs it.
///
/// # Errors
/// [`Misuse::NoDirector`], [`Misuse::DirectorPlays`].
pub(crate) fn check(game: &Game, by: &str) -> Result<(), Misuse> {
    let directors = game.live.motions.directors();
    if directors.names().is_empty() {
        return Ok(());
    }
    let plays = |seat: String| Misuse::DirectorPlays { by: by.to_owned(), seat, game: game.id.clone() };
    match directors.may(by) {
        // The journal knows of a seat once its player has joined.
        Ok(()) => plays_seat(game, by).map_or(Ok(()), |seat| Err(plays(seat.to_string()))),
        Err(DirectorFault::Plays { seat, .. }) => Err(plays(seat)),
        Err(_) => {
            let known = list_or(directors.names());
            Err(Misuse::NoDirector { by: by.to_owned(), game: game.id.clone(), known })
        }
    }
}

/// The seat that a director plays, going by his address.
fn plays_seat(game: &Game, name: &str) -> Option<Seat> {
    let director = all(game).find(|one| one.name == name)?;
    let mut seats = game.seats.players.iter().map(|player| player.seat);
    seats.find(|seat| game.seats.addresses(*seat).any(|one| one.eq_ignore_ascii_case(&director.address)))
}

/// The directors, as they are kept next to the journal.
pub(crate) fn all(game: &Game) -> impl Iterator<Item = &Watcher> {
    game.secrets.watchers.iter().filter(|one| one.director)
}

/// The director with this address, as the journal names him.
pub(crate) fn with_address(game: &Game, address: &str) -> Option<String> {
    game.watcher(address).filter(|one| one.director).map(|one| one.name.clone())
}

/// Names the directors in a sentence for the players; `None` if the game has none.
pub(crate) fn in_words(game: &Game) -> Option<String> {
    let names = game.live.motions.directors().names();
    let direct = if names.len() == 1 { "directs" } else { "direct" };
    (!names.is_empty()).then(|| format!("{} {direct} this game; `appeal: …` asks for a decision.", list_and(names)))
}

/// The digest of a line of a director's mail.
pub(crate) fn words(game: &Game, name: &str, mail: &Incoming, line: &str) -> Hash {
    words_digest(&game.id, name, mail.message_id.as_deref().unwrap_or_default(), [line])
}

/// A text of somebody's for the journal: one line, not empty, not too long.
pub(crate) fn one_line(what: &'static str, text: &str) -> Result<String, OfficeError> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > LONGEST {
        return Err(Misuse::NotOneLine { what, longest: LONGEST }.into());
    }
    Ok(text.to_owned())
}
