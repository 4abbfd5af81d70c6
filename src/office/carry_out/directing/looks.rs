//! Directors' queries. Directors see only public information.

use crate::{
    carry_out::directing::refused,
    error::{NotDone, OfficeError},
    game::{Game, clock, director_orders, directors, motions, refusals::sentence, story},
    misuse::Misuse,
    reading::directive::Look,
    services::Services,
};
use postrider_analysis::{
    AdjudicateFault, Adjudication, Case, Interventions, LONGEST_ROLLOUT, adjudicate, in_words, interventions_in_words,
};
use postrider_letters::{Block, Section, View};
use postrider_orders::visible;
use postrider_replay::{Checkpoint, Moment, deadlines::span, marks::called, project};
use postrider_store::Contradicting;
use serde_json::Value;

/// Number of rollouts of an adjudication by mail. The service takes in no other mail meanwhile.
const ROLLOUTS: u64 = 20;

/// Maximum number of games in one overview.
const MOST_GAMES: usize = 50;

/// Answers a director's query.
///
/// # Errors
/// A refusal if the point does not exist or the position cannot be played out.
pub(crate) fn look(
    game: &Game,
    services: &mut Services,
    (name, address): (&str, &str),
    look: &Look,
) -> Result<Vec<Section>, NotDone> {
    // They know more than a player may.
    if matches!(look, Look::Docket(_) | Look::Adjudicate(_)) {
        directors::check(game, name).map_err(|why| refused(why.into()))?;
    }
    match look {
        Look::Help => Ok(vec![director_orders::help(game.live.opened.ruleset)]),
        Look::Log(lines) => Ok(vec![story::entries(game, *lines)?]),
        Look::Status => overview(game, services, (name, address)).map_err(NotDone::Error),
        Look::Show(at) => shown(game, services, at.as_ref()).map_err(refused),
        Look::Docket(rows) => Ok(vec![story::docket(game, services, *rows)?]),
        Look::Ledger(rows) => Ok(vec![story::ledger(game, *rows)?]),
        Look::Adjudicate(at) => adjudicated(game, services, at.as_ref()),
    }
}

/// Lists a director's games: the position of each, the awaited players and since when, the appeals
/// without a ruling, and clocks that are low.
fn overview(game: &Game, services: &mut Services, (name, address): (&str, &str)) -> Result<Vec<Section>, OfficeError> {
    let own = game.id.clone();
    let mut blocks = vec![Block::paragraph("The games that you direct:", 0), of_game(game, services)?];
    for other in services.store.games_of(address)?.into_iter().filter(|other| *other != own).take(MOST_GAMES) {
        // A game that cannot be opened does not hide the others.
        match Game::look(services, &other, None) {
            Ok(other) if directors::with_address(&other, address).is_some() => {
                blocks.push(of_game(&other, services)?);
            }
            Ok(_) => {}
            Err(why) if why.is_fatal() => return Err(why),
            Err(why) => {
                tracing::error!(game = other, director = name, %why, "a game cannot be opened");
                let text = format!("{other}: it cannot be opened now; the host can find out why.");
                blocks.push(Block::Entry { text, details: Vec::new() });
            }
        }
    }
    Ok(vec![Section::of(blocks)])
}

fn of_game(game: &Game, services: &Services) -> Result<Block, OfficeError> {
    let zone = services.host.settings.time_zone.clone();
    let all = game.asked()?;
    let awaited = clock::awaited(game, services, None, &zone, &all);
    let state = match (game.live.outcome(), game.live.started.is_some()) {
        (Some(outcome), _) => outcome.in_words(|seat| game.seats.called(seat)),
        _ if game.live.closed => "The game is over.".to_owned(),
        (None, false) => "The game has not begun.".to_owned(),
        (None, true) if awaited.is_empty() => "The game waits for nobody.".to_owned(),
        (None, true) => awaited,
    };
    let paused = if game.live.deadlines.paused() { " All deadlines are stopped." } else { "" };
    let text = format!("{}: {}. {state}{paused}", game.id, called(&game.live.marks));
    let appeals = game.live.motions.directors().open_appeals().map(|(n, seat)| {
        let who = game.live.seat(seat).map_or_else(|| seat.to_owned(), |seat| game.seats.called(seat));
        format!("Open appeal: entry {n}, by {}.", visible(&who))
    });
    let low = { all.iter().filter(|asked| asked.required) }.filter_map(|asked| {
        let left = game.live.deadlines.low(asked.seat, services.now().timestamp())?;
        Some(format!("The clock of {} is low: {} are left.", game.seats.called(asked.seat), span(left)))
    });
    let receipts = game.secrets.contradicting.iter().map(|Contradicting { seat, n, hash, .. }| {
        format!(
            "A letter that {} answered has a signed head that contradicts the journal: entry {n} with the hash {hash}. Entries \
             were lost or rewritten; `postrider compare` shows which journal the players' letters support.",
            game.seats.called(*seat)
        )
    });
    let gone = motions::gone(game).into_iter();
    Ok(Block::Entry { text, details: appeals.chain(low).chain(gone).chain(receipts).collect() })
}

/// Shows the public position, now or at a point in the past.
fn shown(game: &Game, services: &Services, at: Option<&Checkpoint>) -> Result<Vec<Section>, OfficeError> {
    let (view, heading) = match at {
        None => (game.live.dyn_game.as_ref().map(|game| game.view(None)).transpose()?, "NOW".to_owned()),
        Some(at) => (view_at(game, services, at)?, at.to_string().to_uppercase()),
    };
    let Some(view) = view else { return Ok(vec![Section::paragraph("There is no position yet.")]) };
    let heading = Section::paragraph(format!("THE POSITION, {heading}"));
    let sections = services.letters.view(game.live.opened.ruleset, &View::of(view, &game.seats))?;
    let mut interventions = Interventions::default();
    let n = at.map_or(Ok(game.head().n), |at| game.live.find(at))?;
    project(&game.source, n, &mut [&mut interventions])?;
    let told = interventions_in_words(&interventions.among(&game.seats));
    Ok(std::iter::once(heading).chain(sections).chain([told]).collect())
}

fn view_at(game: &Game, services: &Services, at: &Checkpoint) -> Result<Option<Value>, OfficeError> {
    let Moment { n, begins, .. } = found(game, at)?;
    if let Some(view) = begins.map(|mark| game.live.view_at(&mark, None)).transpose()?.flatten() {
        return Ok(Some(view));
    }
    Ok(game.as_of(services, n)?.map(|then| then.view(None)).transpose()?)
}

/// Finds a moment.
fn found(game: &Game, at: &Checkpoint) -> Result<Moment, OfficeError> {
    match (game.live.moment(at)?, game.head().n) {
        (Moment { n, .. }, last) if n > last => Err(Misuse::NoEntry { n, last }.into()),
        (moment, _) => Ok(moment),
    }
}

/// Shows how bots would play on, in a few rollouts.
fn adjudicated(game: &Game, services: &Services, at: Option<&Checkpoint>) -> Result<Vec<Section>, NotDone> {
    let at = at.map(|at| found(game, at)).transpose().map_err(refused)?;
    match rollouts(game, services, at) {
        Ok(found) => Ok(in_words(&found)),
        Err(AdjudicateFault::Replay(why)) => Err(OfficeError::from(why).into()),
        Err(why) => Err(NotDone::why(sentence(&why.to_string()))),
    }
}

/// Lets bots play the game out from a moment, by default the present.
pub(super) fn rollouts(game: &Game, services: &Services, at: Option<Moment>) -> Result<Adjudication, AdjudicateFault> {
    let case = Case {
        source: &game.source,
        catalog: &services.catalog,
        chains: Some(game.secrets.chains.clone()),
        at,
        now: Some(services.now()),
        rollouts: ROLLOUTS,
        bot: None,
        seed: 1,
        limit: LONGEST_ROLLOUT,
    };
    adjudicate(&case, &game.seats, &|| ())
}
