//! Matching standing orders with questions: parses their words and compares their conditions with
//! the facts.

use crate::{
    error::OfficeError,
    game::{
        Game,
        advice::{self, Advisor},
        queue::Queue,
        refusals::sentence,
    },
    services::Services,
};
use postrider_orders::{Misread, Phrase};
use postrider_replay::Decided;
use postrider_standing::{Clause, Condition, Fact, FactKind, Measure, Vocabulary};
use postrider_store::Players;
use postrider_table::{AnyOrder, Asked, DynGame, Seat, Understood};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The maximum number of earlier questions with which facts are compared to find changes.
const COMPARED: usize = 5;

/// Words that leave an answer to the steady bot.
const AS_ADVISED: &[&str] = &["as advised", "advice", "by advice", "the advice", "as the steady bot"];

/// The result of matching a clause with a question.
#[derive(Debug)]
pub(crate) enum Fitting {
    /// An answer, which the rules may still refuse.
    Order(Understood),
    /// No answer: a condition does not hold, or cannot be evaluated here.
    NotNow,
    /// The words are not an answer to this question, with the reason.
    Misread(String),
    /// The words begin an answer but do not complete it, and no condition excludes it. Later
    /// clauses must not be used either.
    Incomplete,
}

/// A question with which clauses are matched, now or at a point in the past.
pub(crate) struct Moment<'m> {
    /// The game at that point.
    pub dyn_game: &'m dyn DynGame,
    /// The facts that conditions can compare.
    pub facts: &'static [FactKind],
    /// The players, because orders may name them.
    pub players: &'m Players,
    /// The source of `as advised`, if the game has advice.
    pub advisor: Option<Advisor>,
}

impl Moment<'_> {
    /// Matches a clause with a question.
    pub fn fitting(&self, asked: &Asked, clause: &str) -> Fitting {
        let clauses = Clause::read(clause);
        let Some(Clause::Order { order, condition }) = clauses.into_iter().next() else { return Fitting::NotNow };
        if is_as_advised(&order) && self.advised(asked).is_none() {
            return Fitting::NotNow;
        }
        let (understood, tail) = match self.read(asked, &order) {
            Ok(read) => read,
            // An incomplete order, such as `react` without the piece that reacts.
            Err(why) if why.understood > 0 && why.start >= Phrase::new(&order).text().chars().count() => {
                let Some((words, unless)) = &condition else { return Fitting::Incomplete };
                let condition = self.condition(Some(asked.kind), words, false).ok();
                let holds = condition.and_then(|condition| condition.holds(&self.known(asked, None)));
                return if holds == Some(*unless) { Fitting::NotNow } else { Fitting::Incomplete };
            }
            Err(why) => return Fitting::Misread(sentence(&why.to_string())),
        };
        let says = condition.as_ref().map(|(words, unless)| (words.as_str(), *unless));
        for (words, unless) in tail.as_deref().map(|words| (words, false)).into_iter().chain(says) {
            let Ok(condition) = self.condition(Some(asked.kind), words, false) else { return Fitting::NotNow };
            if condition.holds(&self.known(asked, Some(&understood.order))) != Some(!unless) {
                return Fitting::NotNow;
            }
        }
        Fitting::Order(understood)
    }

    /// Returns the facts known at a question, and with an order also those about that answer.
    pub fn known(&self, asked: &Asked, order: Option<&AnyOrder>) -> Vec<Fact> {
        let dyn_game = self.dyn_game;
        // A query changes nothing, so the game is intact even after a panic.
        catch_unwind(AssertUnwindSafe(|| dyn_game.facts(asked.id, order))).unwrap_or_default()
    }

    /// Returns `true` if the rules would accept this answer.
    pub fn takes(&self, asked: &Asked, understood: &Understood) -> bool {
        let dyn_game = self.dyn_game;
        let check = || dyn_game.check(asked.seat, understood.prompt, &understood.order).is_ok();
        catch_unwind(AssertUnwindSafe(check)).unwrap_or(false)
    }

    /// Returns the first of the given facts that is true if one of the orders answers the question.
    pub fn is_so(&self, asked: &Asked, orders: &[String], facts: &[&'static str]) -> Option<&'static str> {
        let mut found = None;
        for order in orders {
            let clauses = Clause::read(order);
            let Some(Clause::Order { order, .. }) = clauses.into_iter().next() else { continue };
            let Ok((understood, _)) = self.read(asked, &order) else { continue };
            let known = self.known(asked, Some(&understood.order));
            let so = |name: &&&'static str| known.contains(&Fact::whether(name, true));
            found = found.or_else(|| facts.iter().find(so).copied());
        }
        found
    }

    /// Parses a condition on the facts that are known at questions of this kind. If `changes`, it
    /// may say that a number increases or decreases.
    ///
    /// # Errors
    /// A [`Misread`], also if the condition can never or always holds.
    pub fn condition(&self, kind: Option<&str>, words: &str, changes: bool) -> Result<Condition, Misread> {
        let facts: Vec<&FactKind> = self.facts.iter().filter(|fact| fact.known_at(kind)).collect();
        let names = facts.iter().filter(|fact| matches!(fact.measure, Measure::Name(_)));
        let names: BTreeMap<_, _> = names.map(|fact| (fact.name, self.dyn_game.fact_names(fact.name))).collect();
        Vocabulary { facts, names, changes }.read(words)
    }

    /// Returns the advice on a question, if there is any.
    fn advised(&self, asked: &Asked) -> Option<AnyOrder> {
        self.advisor.as_ref().and_then(|advisor| advisor.advise(self.dyn_game, asked))
    }

    /// Parses an order. If that fails, tries to read the words from a fact's name on as a
    /// condition: `react with crook in colorado or wyoming`.
    fn read(&self, asked: &Asked, order: &str) -> Result<(Understood, Option<String>), Misread> {
        let phrase = Phrase::new(order);
        if is_as_advised(order) {
            let advised = self.advised(asked);
            let none = || phrase.reader().fail("nothing is advised here");
            return Ok((Understood::answer(asked, advised.ok_or_else(none)?), None));
        }
        let whole = match self.read_words(asked, &phrase) {
            Ok(understood) => return Ok((understood, None)),
            Err(why) => why,
        };
        let words = phrase.words();
        for at in (1..words.len()).rev() {
            let tail = phrase.part(at..words.len());
            if self.begins_condition(&words[at].text)
                && self.condition(Some(asked.kind), tail.text(), false).is_ok()
                && let Ok(understood) = self.read_words(asked, &phrase.part(0..at))
            {
                return Ok((understood, Some(tail.text().to_owned())));
            }
        }
        Err(whole)
    }

    /// Parses an order for a future question of this kind, perhaps followed by a condition.
    ///
    /// # Errors
    /// A [`Misread`] if it answers no question of this kind.
    pub fn reads_ahead(&self, seat: Seat, kind: &str, order: &str) -> Result<(), Misread> {
        let phrase = Phrase::new(order);
        let whole = match self.words_ahead(seat, kind, &phrase) {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        let words = phrase.words().len();
        for at in (1..words).rev() {
            if self.begins_condition(&phrase.words()[at].text)
                && self.condition(Some(kind), phrase.part(at..words).text(), false).is_ok()
                && self.words_ahead(seat, kind, &phrase.part(0..at)).is_ok()
            {
                return Ok(());
            }
        }
        Err(whole)
    }

    fn words_ahead(&self, seat: Seat, kind: &str, words: &Phrase) -> Result<(), Misread> {
        let first = match self.dyn_game.reads_ahead(seat, kind, words) {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        match self.players.lettered(words.text()) {
            Some(text) => self.dyn_game.reads_ahead(seat, kind, &Phrase::new(&text)).map_err(|why| first.best(why)),
            None => Err(first),
        }
    }

    /// Returns `true` if the word is the name of a fact.
    fn begins_condition(&self, word: &str) -> bool {
        self.facts.iter().any(|fact| fact.name == word || fact.also.contains(&word))
    }

    fn read_words(&self, asked: &Asked, words: &Phrase) -> Result<Understood, Misread> {
        let dyn_game = self.dyn_game;
        let attempt = |words: &Phrase| {
            catch_unwind(AssertUnwindSafe(|| dyn_game.read_at(asked.seat, asked.id, words)))
                .unwrap_or_else(|_| Err(words.reader().fail("the rules failed on this order")))
        };
        let first = match attempt(words) {
            Ok(understood) => return Ok(understood),
            Err(why) => why,
        };
        match self.players.lettered(words.text()) {
            Some(text) => attempt(&Phrase::new(&text)).map_err(|_| first),
            None => Err(first),
        }
    }
}

/// Returns `true` if the words leave an answer to the steady bot.
pub(crate) fn is_as_advised(order: &str) -> bool {
    AS_ADVISED.contains(&Phrase::new(order).plain().as_str())
}

/// Returns the present position, for matching clauses.
pub(crate) fn moment<'m>(game: &'m Game, services: &Services) -> Option<Moment<'m>> {
    let advisor = advice::advisor(game, services);
    let dyn_game = game.live.dyn_game.as_deref()?;
    Some(Moment { dyn_game, facts: game.live.opened.ruleset.facts(), players: &game.seats, advisor })
}

/// Matches a clause with an open question.
pub(crate) fn fitting(game: &Game, services: &Services, asked: &Asked, clause: &str) -> Fitting {
    moment(game, services).map_or(Fitting::NotNow, |moment| moment.fitting(asked, clause))
}

/// Returns whether the condition that ends the standing order of line `n` holds at an open
/// question; `None` if that cannot be determined.
pub(crate) fn ends(
    game: &Game,
    services: &Services,
    asked: &Asked,
    (n, stop): (u64, &str),
) -> Result<Option<bool>, OfficeError> {
    let Some(moment) = moment(game, services) else { return Ok(None) };
    let Ok(condition) = moment.condition(Some(asked.kind), stop, true) else { return Ok(None) };
    let now = moment.known(asked, None);
    let before = if condition.looks_back() { known_before(game, services, asked, n)? } else { Vec::new() };
    Ok(condition.holds_since(&now, &before))
}

/// Returns the fact, if any, that breaks off orders for further turns at an open question.
pub(crate) fn breaks(game: &Game, services: &Services, asked: &Asked, queue: &Queue) -> Option<&'static FactKind> {
    let rules = game.live.opened.ruleset;
    let by_turns = rules.by_turns().iter().find(|by_turns| by_turns.kind == asked.kind)?;
    if queue.always || queue.once.is_some() || queue.kind != asked.kind {
        return None;
    }
    let breaks: Vec<&str> =
        by_turns.breaks.iter().copied().filter(|name| !queue.even_if.iter().any(|even| even == name)).collect();
    let name = moment(game, services)?.is_so(asked, &queue.orders, &breaks)?;
    rules.facts().iter().find(|fact| fact.name == name)
}

/// Returns the facts at the last questions of the same kind that this seat has answered since line
/// `n`, the newest first.
fn known_before(game: &Game, services: &Services, asked: &Asked, n: u64) -> Result<Vec<Vec<Fact>>, OfficeError> {
    let kept = game.live.head.n;
    let alike = |decided: &&Decided| {
        decided.seat == asked.seat && decided.kind == asked.kind && decided.n > n && decided.n <= kept
    };
    let came: Vec<Decided> = game.facts.decided.iter().rev().filter(alike).take(COMPARED).cloned().collect();
    let mut all = Vec::new();
    for decided in came {
        let Some(dyn_game) = game.as_of(services, decided.n - 1)? else { continue };
        let then = dyn_game.asked().unwrap_or_default();
        let Some(then) = then.into_iter().find(|then| u64::from(then.id) == decided.prompt) else { continue };
        let facts = game.live.opened.ruleset.facts();
        let moment = Moment { dyn_game: &*dyn_game, facts, players: &game.seats, advisor: None };
        all.push(moment.known(&then, None));
    }
    Ok(all)
}
