//! Answers to queries: the end of the story, a player's games, and open seats at this host.

use crate::{error::OfficeError, game::Game, services::Services};
use postrider_analysis::{self as analysis, Course, Docket, Row};
use postrider_letters as letters;
use postrider_letters::{Block, Part, Section};
use postrider_orders::{list_and, spelt, visible};
use postrider_replay::{Chronicle, StoryLine, project};
use postrider_store::Player;
use postrider_table::Seat;

/// Returns the last lines of the story that a seat may read.
pub(crate) fn last_lines(game: &Game, seat: Seat, count: usize) -> Section {
    told(last(letters::story(&game.live.story, letters::Reader::at(Some(seat)), None, &game.seats), count))
}

/// Returns the last entries that everybody may know, each with its number, including those outside
/// the story.
///
/// # Errors
/// [`OfficeError`] if the journal cannot be read.
pub(crate) fn entries(game: &Game, count: usize) -> Result<Section, OfficeError> {
    let mut chronicle = Chronicle::default();
    project(&game.source, game.head().n, &mut [&mut chronicle])?;
    let changes = game.seats.changes().map(|change| (change.n, change.words()));
    let mut all = chronicle.with(&game.live, None, changes);
    for StoryLine { n, told } in &mut all {
        told.line = format!("{n}: {}", told.line);
    }
    Ok(told(last(letters::story(&all, letters::Reader::at(None), None, &game.seats), count)))
}

/// Returns the last decisions, each with its time, way, player and result.
///
/// # Errors
/// [`OfficeError`] if the journal cannot be read.
pub(crate) fn docket(game: &Game, services: &Services, count: usize) -> Result<Section, OfficeError> {
    let mut docket = Docket::default();
    project(&game.source, game.head().n, &mut [&mut docket])?;
    let (source, catalog, chains) = (&game.source, &services.catalog, game.secrets.chains.as_slice());
    let course = Course { source, catalog, chains, at: None, now: None, players: &game.seats };
    Ok(rows(&docket.rows(&game.live, &course, &game.secrets, &services.host.taken())?, count))
}

/// Returns the last changes of VPs, each with its rule.
///
/// # Errors
/// [`OfficeError`] if the rules break down.
pub(crate) fn ledger(game: &Game, count: usize) -> Result<Section, OfficeError> {
    Ok(rows(&analysis::ledger(&game.live, &game.seats)?, count))
}

/// Returns the last `count` rows of a table.
fn rows<R: Row>(all: &[R], count: usize) -> Section {
    let last = all.iter().skip(all.len().saturating_sub(count)).map(|row| {
        let line = row.line();
        let mut lines = line.lines().map(|line| visible(line.trim()).into_owned());
        Block::Entry { text: lines.next().unwrap_or_default(), details: lines.collect() }
    });
    match all.is_empty() {
        true => Section::paragraph("There is nothing to tell yet."),
        false => Section::of(last),
    }
}

/// Returns the last `count` lines of a story.
fn last(mut parts: Vec<Part>, count: usize) -> Vec<Part> {
    let mut left = parts.iter().map(|part| part.lines.len()).sum::<usize>().saturating_sub(count);
    for part in &mut parts {
        let gone = left.min(part.lines.len());
        part.lines.drain(..gone);
        left -= gone;
    }
    parts.retain(|part| !part.lines.is_empty());
    parts
}

fn told(parts: Vec<Part>) -> Section {
    match parts.is_empty() {
        true => Section::paragraph("There is nothing to tell yet."),
        false => Section::of([Block::Story { parts, level: 0, whole: true }]),
    }
}

/// Lists a player's games at this host, each with its position and awaited players.
///
/// # Errors
/// [`OfficeError`] if the store cannot be read.
pub(crate) fn games_of(game: &Game, services: &Services, seat: Seat) -> Result<Section, OfficeError> {
    let address = game.seats.player(seat).map_or("", |player: &Player| player.address.as_str());
    let mine = services.store.games_of(address)?;
    let mut blocks = vec![Block::paragraph("Your games at this host:", 0)];
    for listed in services.store.listed()?.into_iter().filter(|listed| mine.contains(&listed.game)) {
        let Some(status) = listed.status else { continue };
        let awaited: Vec<String> = status.awaited.iter().map(|one| one.called.clone()).collect();
        let state = match (status.closed, awaited.is_empty()) {
            (true, _) => status.outcome.unwrap_or_else(|| "over".to_owned()),
            (false, true) => "waits for nobody".to_owned(),
            (false, false) => format!("waits for {}", list_and(&awaited)),
        };
        let text = format!("{}: {}, {state}", listed.game, status.moment);
        blocks.push(Block::Entry { text, details: Vec::new() });
    }
    Ok(Section::of(blocks))
}

/// Lists the games at this host that have an open seat.
///
/// # Errors
/// [`OfficeError`] if the store cannot be read.
pub(crate) fn open_games(services: &Services) -> Result<Section, OfficeError> {
    let listed = services.store.listed()?;
    let open =
        listed.iter().filter_map(|one| Some((&one.game, one.status.as_ref().filter(|status| status.open_seats > 0)?)));
    let mut blocks: Vec<Block> = open
        .map(|(game, status)| {
            let title =
                services.catalog.ruleset(&status.ruleset).map_or(status.ruleset.as_str(), |rules| rules.title());
            let seats = if status.open_seats == 1 {
                "one open seat".to_owned()
            } else {
                format!("{} open seats", spelt(status.open_seats))
            };
            Block::Entry {
                text: format!("{game}: {title}, {seats}; `join {game}` in a mail of its own takes one"),
                details: Vec::new(),
            }
        })
        .collect();
    if blocks.is_empty() {
        blocks.push(Block::paragraph("No game at this host has an open seat.", 0));
    }
    Ok(Section::of(blocks))
}
