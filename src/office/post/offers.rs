//! Standing orders offered to players who have often answered the same kind of question.

use crate::{
    error::OfficeError,
    game::{Game, advice, fitting::is_as_advised},
    services::Services,
};
use postrider_letters::{Block, Section};
use postrider_table::Seat;

/// Number of answers to a kind of question after which a standing order is offered.
const ANSWERS: usize = 3;

/// Maximum length of an offered line, which stands on one line of the text part.
const LONGEST: usize = 71;

/// Returns the standing order that the game suggests for the first question of a seat that the game
/// waits for, if the seat has answered its kind several times and has left nothing for it.
pub(crate) fn offered(game: &mut Game, services: &Services, seat: Seat) -> Result<Vec<Section>, OfficeError> {
    let asked = game.asked()?.into_iter().find(|asked| asked.seat == seat && asked.required);
    let Some(kind) = asked.map(|asked| asked.kind) else { return Ok(Vec::new()) };
    let answers = game.facts.decided.iter().filter(|decided| decided.seat == seat && decided.kind == kind).count();
    if answers < ANSWERS || !game.standing_for(seat, kind).is_empty() {
        return Ok(Vec::new());
    }
    let advised = advice::advisor(game, services).is_some();
    let suits = |line: &&str| {
        let order = line.strip_prefix("standing ").and_then(|rest| rest.strip_prefix(kind)?.strip_prefix(" always: "));
        order.is_some_and(|order| line.len() <= LONGEST && (advised || !is_as_advised(order)))
    };
    let Some(line) = game.live.opened.ruleset.standing().lines().find(suits) else { return Ok(Vec::new()) };
    let who = if line.ends_with(": as advised") { "has the steady bot answer" } else { "answers" };
    let about = format!(
        "You have answered {answers} such questions. This line {who} them for you from now on, this one included, until you \
         write `standing {kind} end`:"
    );
    Ok(vec![Section::of([Block::paragraph(about, 0), Block::Orders(vec![line.to_owned()])])])
}
