//! The context in which a mail's orders are read: the answered letter and the people of the game.

use crate::{
    error::OfficeError,
    game::{Game, motions},
    reading::{Access, Origin, hints::Situation, sheet::Sheet},
    services::Services,
};
use postrider_letters::questions;
use postrider_orders::{People, Phrase};
use postrider_store::LetterId;
use postrider_table::{Listed, PromptId, Seat};
use std::{cell::Cell, collections::BTreeSet};

/// The context in which one mail's orders are read.
pub(crate) struct Context {
    /// The questions and options listed by the answered letter.
    pub sheet: Sheet,
    /// The players, whose names may be in courtesies.
    pub people: People,
    /// `true` if a bare name or number may answer any open question. At the command line the player
    /// sees all of them.
    pub all_known: bool,
    /// The state of the game for the author, for hints.
    pub situation: Situation,
    /// The last entry that the author can know: that of the answered letter, or of the command line
    /// the present one.
    pub seen: u64,
    /// The open questions that the author may not have seen: those that came after the answered
    /// letter, if that is not the newest.
    pub unseen: BTreeSet<PromptId>,
    /// The proposals that the answered letter shows, on which a bare `agree` may vote.
    pub proposals: Vec<u64>,
    /// The number of words that may still be read in attempts to read phrases as orders.
    pub words_left: Cell<usize>,
}

/// Maximum number of words of a mail that are read as orders, each as often as it is tried. A mail
/// of 200 orders takes fewer.
const MOST_WORDS: usize = 100_000;

/// Returns the context in which a mail's orders are read.
pub(crate) fn context(
    game: &Game,
    services: &Services,
    seat: Seat,
    from: &Origin<'_>,
    access: Access,
) -> Result<Context, OfficeError> {
    let asked = match access {
        Access::Question(id) => Some(id),
        _ => None,
    };
    let sheet = match game.live.started.is_some() && !game.live.closed {
        true => sheet(game, services, seat, from, asked)?,
        false => Sheet::default(),
    };
    let players = &game.seats.players;
    let local = |address: &str| address.split('@').next().unwrap_or_default().replace(['.', '_', '+'], " ");
    let own = players.iter().filter(|player| player.seat == seat);
    let own = own.flat_map(|player| [player.name.clone(), local(&player.address)]);
    let names = players.iter().map(|player| &player.name).chain([&services.host.settings.name]);
    let people = People::new(names).written_by(own);
    let situation = Situation::of(game, services, seat);
    let seen = match from {
        Origin::Mail { mail, .. } => LetterId::answered_in(mail, &game.id, seat).map(|id| id.n).max().unwrap_or(0),
        Origin::Cli => game.head().n,
    };
    let mut unseen = BTreeSet::new();
    if matches!(from, Origin::Mail { .. }) && !answers_newest(game, seat, from, access) {
        let mine = game.asked()?.into_iter().filter(|asked| asked.seat == seat && !sheet.asks(asked.id));
        unseen.extend(mine.map(|asked| asked.id));
    }
    let proposals = motions::shown_at(game, services, seat, seen);
    let (all_known, words_left) = (matches!(from, Origin::Cli), Cell::new(MOST_WORDS));
    Ok(Context { sheet, people, all_known, situation, seen, unseen, proposals, words_left })
}

/// Returns `true` if a mail answers the newest letter to its sender.
pub(crate) fn answers_newest(game: &Game, seat: Seat, from: &Origin<'_>, access: Access) -> bool {
    let Origin::Mail { mail, .. } = from else { return access == Access::Host };
    let newest = game.secrets.written.get(&seat).map_or(0, |written| written.n);
    access != Access::Undone && LetterId::answered_in(mail, &game.id, seat).next().is_some_and(|id| id.n >= newest)
}

/// Returns the lists of the answered letter. If no letter is named, only the token's question
/// counts, and only options that are the same now as in the last letter.
fn sheet(
    game: &Game,
    services: &Services,
    seat: Seat,
    from: &Origin<'_>,
    asked: Option<PromptId>,
) -> Result<Sheet, OfficeError> {
    let Origin::Mail { mail, .. } = from else {
        let now = game.questions(seat)?;
        return Ok(Sheet::new(&now, &game.seats));
    };
    let written = |id: &LetterId<'_>| {
        let hash = usize::try_from(id.n).ok().and_then(|n| game.facts.hashes.get(n));
        hash.is_some_and(|hash| hash.text().as_str().starts_with(id.hash))
    };
    let answered = LetterId::answered_in(mail, &game.id, seat).find(written).map(|id| id.n);
    if let Some(n) = answered {
        let listed = listed_at(game, services, seat, n)?;
        return Ok(Sheet::new(&listed, &game.seats));
    }
    let last = game.secrets.written.get(&seat).map_or(0, |written| written.n);
    let then = listed_at(game, services, seat, last)?;
    let now = game.questions(seat)?;
    let same = |listed: &Listed| {
        now.iter().any(|other| {
            other.asked.id == listed.asked.id && other.text == listed.text && other.choices == listed.choices
        })
    };
    let kept: Vec<_> =
        then.into_iter().take(1).filter(|listed| Some(listed.asked.id) == asked && same(listed)).collect();
    Ok(Sheet::new(&kept, &game.seats))
}

/// Returns the questions of a seat as they were after line `n`.
fn listed_at(game: &Game, services: &Services, seat: Seat, n: u64) -> Result<Vec<Listed>, OfficeError> {
    if n >= game.head().n {
        return game.questions(seat);
    }
    match game.as_of(services, n)? {
        Some(dyn_game) => Ok(questions(game.live.opened.ruleset, &*dyn_game, seat)?),
        None => Ok(Vec::new()),
    }
}

/// Returns the words with which the game's orders begin.
pub(crate) fn verbs(game: &Game) -> BTreeSet<String> {
    let opened = &game.live.opened;
    let subjects = opened.ruleset.subjects(&opened.setup.components);
    let verbs = opened.ruleset.next().lines().filter_map(|row| row.split('\t').nth(1)).map(str::to_owned);
    let examples = subjects.all().iter().flat_map(|one| one.explained.orders.clone());
    let kinds = opened.ruleset.kinds().into_iter().map(str::to_owned);
    let first = |text: String| Some(Phrase::new(&text).words().first()?.text.clone());
    verbs.chain(examples).chain(kinds).filter_map(first).collect()
}

/// Returns the kinds of questions that the rules can ask, or have asked so far.
pub(crate) fn kinds(game: &Game) -> Result<Vec<String>, OfficeError> {
    let mut kinds = game.facts.kinds.clone();
    kinds.extend(game.live.opened.ruleset.kinds().into_iter().map(str::to_owned));
    kinds.extend(game.asked()?.into_iter().map(|asked| asked.kind.to_owned()));
    Ok(kinds.into_iter().collect())
}
