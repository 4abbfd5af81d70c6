//! Standing orders offered to players who have often answered the same kind of question.

use crate::{
    error::OfficeError,
    game::{
        Game, advice,
        fitting::{self, Fitting, is_as_advised},
    },
    services::Services,
};
use postrider_letters::{Block, Section};
use postrider_orders::{Phrase, option_ref};
use postrider_replay::{facts::Decided, step_log::Cause};
use postrider_standing::Clause;
use postrider_store::Written;
use postrider_table::{Asked, Listed, Seat};
use serde_json::Value;

/// Number of answers to a kind of question after which a standing order is offered.
const ANSWERS: usize = 3;

/// Number of a seat's latest answers among which its usual answer is looked for.
const LOOKED_BACK: usize = 10;

/// Maximum length of an offered line, which must fit on one line of the text part.
const LONGEST: usize = 71;

/// A standing order offered to a player.
pub(crate) struct Offer {
    /// The kind of question.
    pub kind: String,
    /// The words of the letter.
    pub section: Section,
}

/// Returns the standing order for the first question of a seat that the game waits for, if it is of
/// a kind for which the game suggests one, the seat has answered it several times and has left
/// nothing for it. It is the answer that the player usually gives, or, if there is none, the
/// suggestion. A player who has declined it or has ignored it several times is not offered it
/// again.
pub(crate) fn offered(
    game: &Game,
    services: &Services,
    seat: Seat,
    old: &Written,
) -> Result<Option<Offer>, OfficeError> {
    let first = game.questions(seat)?.into_iter().next().filter(|listed| listed.asked.required);
    let Some(listed) = first else { return Ok(None) };
    let kind = listed.asked.kind;
    let answers = own_answers(game, seat, kind).count();
    let declined = old.offered.get(kind).is_some_and(|&times| times >= Written::DECLINED);
    if answers < ANSWERS || declined || !game.standing_for(seat, kind).is_empty() {
        return Ok(None);
    }
    let advised = advice::advisor(game, services).is_some();
    let suggested = game.live.opened.ruleset.standing().lines().find_map(|line| {
        line.strip_prefix("standing ").and_then(|rest| rest.strip_prefix(kind)?.strip_prefix(" always: "))
    });
    let Some(suggested) = suggested else { return Ok(None) };
    let order = match usual(game, seat, kind) {
        Some(usual) => in_words(game, services, &listed, &usual),
        None => Some(suggested.to_owned()).filter(|order| advised || !is_as_advised(order)),
    };
    let line = order.map(|order| format!("standing {kind} always: {order}"));
    let Some(line) = line.filter(|line| line.len() <= LONGEST) else { return Ok(None) };
    let who = if line.ends_with(": as advised") { "has the steady bot answer" } else { "answers" };
    let no = format!("standing {kind} end");
    let about = format!(
        "You have answered {answers} such questions. The first line {who} them for you from now on, this one included; the \
         second ends that, or keeps it from being offered again:"
    );
    let section = Section::of([Block::paragraph(about, 0), Block::Orders(vec![line, no])]);
    Ok(Some(Offer { kind: kind.to_owned(), section }))
}

/// Returns the answers of a seat's present player to questions of a kind, oldest first.
fn own_answers<'g>(game: &'g Game, seat: Seat, kind: &str) -> impl DoubleEndedIterator<Item = &'g Decided> {
    let since = game.seats.since(seat, game.head().n);
    game.facts.decided.iter().filter(move |one| one.n >= since && one.seat == seat && one.kind == kind)
}

/// Returns the order that a seat gave to most of the latest questions of a kind.
fn usual(game: &Game, seat: Seat, kind: &str) -> Option<Value> {
    let alike = own_answers(game, seat, kind).rev();
    let order = |n: u64| match &game.live.step_log.step(n)?.cause {
        Cause::Decision { order, .. } => serde_json::from_str(order).ok(),
        _ => None,
    };
    let last: Vec<Value> = alike.take(LOOKED_BACK).filter_map(|decided| order(decided.n)).collect();
    let often = |order: &&Value| 2 * last.iter().filter(|other| other == order).count() > last.len();
    last.iter().find(often).cloned()
}

/// Returns the words of an order, if it can be given to this question and left for others like it.
fn in_words(game: &Game, services: &Services, listed: &Listed, order: &Value) -> Option<String> {
    let choice = listed.choices.iter().find(|choice| choice.order.value() == *order)?;
    let words = game.seats.named(&choice.words);
    let whole = matches!(Clause::read(&words).as_slice(), [Clause::Order { condition: None, .. }]);
    let asked: &Asked = &listed.asked;
    let means = |fitting| matches!(fitting, Fitting::Order(read) if read.order.value() == *order);
    let is_read = whole && option_ref(&Phrase::new(&words)).is_none();
    (is_read && means(fitting::fitting(game, services, asked, &words))).then_some(words)
}
