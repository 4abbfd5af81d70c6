//! Standing orders held against a question: their words are read, their conditions compared with the facts.

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

/// What has changed is held against so many earlier questions at most.
const COMPARED: usize = 5;

/// Words that stand for the answer which the steady bot would give.
const AS_ADVISED: &[&str] = &["as advised", "advice", "by advice", "the advice", "as the steady bot"];

/// What a clause has to say at a question.
#[derive(Debug)]
pub(crate) enum Fitting {
    /// This answer; whether it is legal, the rules say.
    Order(Understood),
    /// Nothing: its condition does not hold here, or hangs on what is not known here.
    NotNow,
    /// Its words are no answer to this question; why.
    Misread(String),
    /// Its words begin an answer and do not end it, and nothing says that it is not meant here: what stands behind it is not meant either.
    Incomplete,
}

/// A question at which clauses are tried, now or as it once stood.
pub(crate) struct Moment<'m> {
    /// The game as it stands there.
    pub dyn_game: &'m mut dyn DynGame,
    /// What the game lets conditions compare.
    pub facts: &'static [FactKind],
    /// The players, who may be called by their names.
    pub players: &'m Players,
    /// Who says what `as advised` means; nobody where there is no advice.
    pub advisor: Option<Advisor>,
}

impl Moment<'_> {
    /// Holds a clause against a question.
    pub fn fitting(&mut self, asked: &Asked, clause: &str) -> Fitting {
        let clauses = Clause::read(clause);
        let Some(Clause::Order { order, condition }) = clauses.into_iter().next() else { return Fitting::NotNow };
        if is_as_advised(&order) && self.advised(asked).is_none() {
            return Fitting::NotNow;
        }
        let (understood, tail) = match self.read(asked, &order) {
            Ok(read) => read,
            // `react`, where it must be said who does.
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

    /// What is known at a question; with an order also what is known of that answer.
    pub fn known(&mut self, asked: &Asked, order: Option<&AnyOrder>) -> Vec<Fact> {
        let dyn_game = &mut *self.dyn_game;
        // Looking changes nothing, so whatever a breakdown leaves behind is as it was.
        catch_unwind(AssertUnwindSafe(|| dyn_game.facts(asked.id, order))).unwrap_or_default()
    }

    /// Whether the rules would take this answer.
    pub fn takes(&mut self, asked: &Asked, understood: &Understood) -> bool {
        let dyn_game = &mut *self.dyn_game;
        let check = || dyn_game.check(asked.seat, understood.prompt, &understood.order).is_ok();
        catch_unwind(AssertUnwindSafe(check)).unwrap_or(false)
    }

    /// The first of these facts that is so for one of some orders, if it is given as an answer to a question.
    pub fn is_so(&mut self, asked: &Asked, orders: &[String], facts: &[&'static str]) -> Option<&'static str> {
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

    /// Reads a condition by the facts that are known at questions of this kind.
    ///
    /// # Errors
    /// A [`Misread`]; also where the condition can never hold, or always does. `changes`: it may say that a number becomes less or more.
    pub fn condition(&mut self, kind: Option<&str>, words: &str, changes: bool) -> Result<Condition, Misread> {
        let facts: Vec<&FactKind> = self.facts.iter().filter(|fact| fact.known_at(kind)).collect();
        let names = facts.iter().filter(|fact| matches!(fact.measure, Measure::Name(_)));
        let names: BTreeMap<_, _> = names.map(|fact| (fact.name, self.dyn_game.fact_names(fact.name))).collect();
        Vocabulary { facts, names, changes }.read(words)
    }

    /// What is advised at a question, if anything is.
    fn advised(&mut self, asked: &Asked) -> Option<AnyOrder> {
        self.advisor.as_ref().and_then(|advisor| advisor.advise(self.dyn_game, asked))
    }

    /// Reads the words of an order. Where they are none as they stand, what stands behind the name of a fact in them is a condition:
    /// `react with crook in colorado or wyoming`.
    fn read(&mut self, asked: &Asked, order: &str) -> Result<(Understood, Option<String>), Misread> {
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

    /// Reads the words of an order for a question of this kind that may come, perhaps with a condition behind them.
    ///
    /// # Errors
    /// A [`Misread`] if no question of this kind reads them.
    pub fn reads_ahead(&mut self, seat: Seat, kind: &str, order: &str) -> Result<(), Misread> {
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

    fn words_ahead(&mut self, seat: Seat, kind: &str, words: &Phrase) -> Result<(), Misread> {
        let first = match self.dyn_game.reads_ahead(seat, kind, words) {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        match self.players.lettered(words.text()) {
            Some(text) => self.dyn_game.reads_ahead(seat, kind, &Phrase::new(&text)).map_err(|why| first.best(why)),
            None => Err(first),
        }
    }

    /// Returns true if the word is the name of a fact.
    fn begins_condition(&self, word: &str) -> bool {
        self.facts.iter().any(|fact| fact.name == word || fact.also.contains(&word))
    }

    fn read_words(&mut self, asked: &Asked, words: &Phrase) -> Result<Understood, Misread> {
        let dyn_game = &mut *self.dyn_game;
        let mut attempt = |words: &Phrase| {
            catch_unwind(AssertUnwindSafe(|| dyn_game.read_at(asked.seat, asked.id, words)))
                .unwrap_or_else(|_| Err(words.reader().fail("the rules broke down over this order")))
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

/// Whether these words leave an answer to the steady bot.
pub(crate) fn is_as_advised(order: &str) -> bool {
    AS_ADVISED.contains(&Phrase::new(order).plain().as_str())
}

/// The game as it stands, for clauses to be tried.
pub(crate) fn moment<'m>(game: &'m mut Game, services: &Services) -> Option<Moment<'m>> {
    let advisor = advice::advisor(game, services);
    let dyn_game = game.live.dyn_game.as_deref_mut()?;
    Some(Moment { dyn_game, facts: game.live.opened.ruleset.facts(), players: &game.seats, advisor })
}

/// Holds a clause against an open question.
pub(crate) fn fitting(game: &mut Game, services: &Services, asked: &Asked, clause: &str) -> Fitting {
    moment(game, services).map_or(Fitting::NotNow, |mut moment| moment.fitting(asked, clause))
}

/// Whether what ends the standing order of line `n` holds at an open question; `None` where it cannot be told.
pub(crate) fn ends(
    game: &mut Game,
    services: &Services,
    asked: &Asked,
    (n, stop): (u64, &str),
) -> Result<Option<bool>, OfficeError> {
    let Some(mut moment) = moment(game, services) else { return Ok(None) };
    let Ok(condition) = moment.condition(Some(asked.kind), stop, true) else { return Ok(None) };
    let now = moment.known(asked, None);
    let before = if condition.looks_back() { known_before(game, services, asked, n)? } else { Vec::new() };
    Ok(condition.holds_since(&now, &before))
}

/// What ends orders that were left for further turns, if it is so at an open question: a fact that breaks them off.
pub(crate) fn breaks(game: &mut Game, services: &Services, asked: &Asked, queue: &Queue) -> Option<&'static FactKind> {
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

/// The facts of the last questions of the same kind that this seat has answered since line `n`, the newest first.
fn known_before(game: &mut Game, services: &Services, asked: &Asked, n: u64) -> Result<Vec<Vec<Fact>>, OfficeError> {
    let kept = game.live.head.n;
    let alike = |decided: &&Decided| {
        decided.seat == asked.seat && decided.kind == asked.kind && decided.n > n && decided.n <= kept
    };
    let came: Vec<Decided> = game.facts.decided.iter().rev().filter(alike).take(COMPARED).cloned().collect();
    let mut all = Vec::new();
    for decided in came {
        let Some(mut dyn_game) = game.as_of(services, decided.n - 1)? else { continue };
        let then = dyn_game.asked().unwrap_or_default();
        let Some(then) = then.into_iter().find(|then| u64::from(then.id) == decided.prompt) else { continue };
        let facts = game.live.opened.ruleset.facts();
        let mut moment = Moment { dyn_game: &mut *dyn_game, facts, players: &game.seats, advisor: None };
        all.push(moment.known(&then, None));
    }
    Ok(all)
}
