//! The order that unclear words may be meant as: searched for in them, in the names near theirs, and in the options of the letter.

use super::{
    clause::Clause,
    context::{Context, names_it},
    sheet::Picked,
};
use crate::{
    office::session::GameSession,
    orders::{Doubt, Phrase, denies, is_everyday, limits, option_ref},
    table::{PromptId, Seat, Understood},
};

/// An order that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    /// The question.
    pub prompt: PromptId,
    /// Words that the question reads as the order.
    pub words: String,
}

/// Longer clauses are not searched for orders.
const LONGEST: usize = 14;

/// More words of a clause than these are not looked at anew with a name put in for one of them.
const MOST_REPAIRS: usize = 3;

impl GameSession {
    /// An order as it can be proposed: in the words of its question, or else in those that were read.
    pub(super) fn proposal(&mut self, seat: Seat, understood: &Understood, said: &Phrase) -> Option<Proposal> {
        let prompt = understood.prompt;
        let own = self.live.dyn_game.as_mut().and_then(|dyn_game| dyn_game.say(prompt, &understood.order));
        let same = |session: &mut GameSession, words: &str| {
            session.read_at(seat, prompt, &Phrase::new(words)).is_ok_and(|read| read.order == understood.order)
        };
        let words = own.filter(|words| same(self, words)).or_else(|| {
            let said = said.text().to_owned();
            same(self, &said).then_some(said)
        })?;
        self.live.dyn_game.as_mut()?.check(seat, prompt, &understood.order).ok()?;
        Some(Proposal { prompt, words })
    }
}

/// The order that unclear words come nearest to: that of a part of them, that with the nearest name in place of one that is not
/// known, or the option of the letter that shares most words with them.
pub(super) fn reads_as(
    session: &mut GameSession,
    seat: Seat,
    clause: &Clause,
    context: &Context,
    doubt: Option<Doubt>,
) -> Option<Proposal> {
    let mut phrase = clause.phrase.clone();
    if doubt == Some(Doubt::Condition) {
        // What stands before the condition is what is wanted.
        let hangs = |at: &usize| crate::orders::doubt(&phrase.part(*at..at + 1)) == Some(Doubt::Condition);
        let at = (0..phrase.words().len()).find(hangs)?;
        phrase = phrase.part(0..at);
    }
    // `no custer`, `pursue: never`: what is not wanted is not proposed.
    // `stay/return` names two.
    let torn = phrase.line().split_whitespace().any(|word| word.trim_matches('/').contains('/'));
    if phrase.words().len() > LONGEST || phrase.is_empty() || denies(&phrase) || torn {
        return None;
    }
    part(session, seat, &phrase, context, doubt)
        .or_else(|| doubt.is_none().then(|| repaired(session, seat, &phrase))?)
        .or_else(|| doubt.is_none().then(|| alike(session, seat, &phrase, context))?)
}

/// The longest part of the words that is an order.
fn part(
    session: &mut GameSession,
    seat: Seat,
    phrase: &Phrase,
    context: &Context,
    doubt: Option<Doubt>,
) -> Option<Proposal> {
    let all = phrase.words().len();
    for length in (1..=all).rev() {
        for start in 0..=all - length {
            let said = phrase.part(start..start + length);
            let ends = phrase.words().get(length).is_some_and(|next| next.after_comma);
            // A word or two of a sentence are no order that was nearly written, unless a comma sets them off at its beginning.
            if doubt != Some(Doubt::Hedge) && 2 * telling(&said) < telling(phrase) && !(start == 0 && ends) {
                continue;
            }
            let letter = option_ref(&said);
            let last = start + length == all || start == 0 && ends;
            let understood = match (&letter, context.sheet.copied(&said)) {
                (_, Some(understood)) => Some(understood),
                (Some(choice), None) if last => match context.sheet.pick(choice.prompt, choice.index(), &choice.choice)
                {
                    Picked::One(understood, _) => Some(understood),
                    _ => None,
                },
                (Some(_), None) => None,
                (None, None) => {
                    let named = names_it(&said);
                    let read = session.read(seat, &said).ok();
                    read.filter(|read| named || doubt == Some(Doubt::Hedge) && context.sheet.asks(read.prompt))
                }
            };
            // What is an order and cannot be given now is not made another one by leaving out more of its words.
            if let Some(understood) = understood {
                // An order without a piece that was named is another order.
                let kept: Vec<usize> = said.words().iter().map(|word| word.start).collect();
                let whole = !leaves_out(session, phrase, &kept);
                return whole.then(|| session.proposal(seat, &understood, &said))?;
            }
        }
    }
    None
}

/// Whether those of the words that begin at `kept` leave out a number, a word that limits, or the name of a piece or place of the game.
fn leaves_out(session: &GameSession, phrase: &Phrase, kept: &[usize]) -> bool {
    let outside = |word: &&crate::orders::Word| !kept.contains(&word.start);
    let left: Vec<&str> = phrase.words().iter().filter(outside).map(|word| word.text.as_str()).collect();
    if left.iter().any(|word| limits(&Phrase::new(word))) {
        return true;
    }
    let strange: Vec<&str> = left.into_iter().filter(|word| !is_everyday(word)).collect();
    // A name that nobody knows is a name all the same: `New York` is not New Mexico.
    let named = |word: &&crate::orders::Word| {
        let begins: String = phrase.line().chars().skip(word.start).take(1).collect();
        outside(word)
            && word.start > 0
            && begins.starts_with(char::is_uppercase)
            && strange.contains(&word.text.as_str())
    };
    if phrase.words().iter().any(|word| named(&word)) {
        return true;
    }
    let opened = &session.live.opened;
    !strange.is_empty()
        && opened.ruleset.subjects(&opened.setup.components).all().iter().filter(|one| !one.listed).any(|one| {
            let mut words = one.names.iter().flat_map(|name| Phrase::new(name).words().to_vec());
            words.any(|word| strange.contains(&word.text.as_str()))
        })
}

/// How many words say something: prepositions, articles and initials do not.
fn telling(phrase: &Phrase) -> usize {
    phrase
        .words()
        .iter()
        .filter(|word| word.text.chars().count() > 3 || !word.everyday && word.text.chars().count() > 2)
        .count()
}

/// The words with the nearest names in place of those that are not known.
fn repaired(session: &mut GameSession, seat: Seat, phrase: &Phrase) -> Option<Proposal> {
    let mut text = phrase.text().to_owned();
    for _ in 0..MOST_REPAIRS {
        let said = Phrase::new(&text);
        match session.read(seat, &said) {
            Ok(understood) => return session.proposal(seat, &understood, &said),
            Err(why) => {
                // Of several that it could be nobody knows which is meant.
                if why.why.contains(" could be ") {
                    return None;
                }
                let nearest = why.nearest.first().filter(|_| why.start < why.end)?;
                let chars: Vec<char> = text.chars().collect();
                // Short words and those of everyday mails look like many a name.
                let wrong = Phrase::new(
                    &chars[why.start.min(chars.len())..why.end.min(chars.len())].iter().collect::<String>(),
                );
                if wrong.words().iter().any(|word| word.everyday || word.text.chars().count() < 4) {
                    return None;
                }
                // A number is no slip of another, and hardly anybody mistakes a name's first letter: Arkansas is not Kansas.
                let first = |phrase: &Phrase| phrase.words().first().and_then(|word| word.text.chars().next());
                let digits = wrong.plain().contains(|c: char| c.is_ascii_digit());
                let near = Phrase::new(nearest);
                if digits || !near.words().iter().any(|word| word.text.chars().next() == first(&wrong)) {
                    return None;
                }
                // `resign` is not Oregon with slips.
                let slips = |one: &str| strsim::damerau_levenshtein(&wrong.plain(), one);
                let fewest = near.words().iter().map(|word| slips(&word.text)).chain([slips(&near.plain())]).min();
                if fewest.is_none_or(|slips| 3 * slips > wrong.plain().chars().count()) {
                    return None;
                }
                let before: String = chars[..why.start.min(chars.len())].iter().collect();
                let after: String = chars[why.end.min(chars.len())..].iter().collect();
                text = format!("{before}{nearest}{after}");
            }
        }
    }
    None
}

/// The option of the letter that shares most words with these, if one does more than all others.
fn alike(session: &mut GameSession, seat: Seat, phrase: &Phrase, context: &Context) -> Option<Proposal> {
    let open: Vec<PromptId> =
        session.asked().ok()?.into_iter().filter(|asked| asked.seat == seat).map(|asked| asked.id).collect();
    let said: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let shares = |word: &str, other: &str| {
        word == other || word.len() > 3 && (other.starts_with(word) || strsim::jaro_winkler(word, other) >= 0.9)
    };
    let mut best: Vec<(usize, Understood)> = Vec::new();
    for (understood, words) in context.sheet.options().filter(|(understood, _)| open.contains(&understood.prompt)) {
        let words: Vec<&str> = words.split(' ').collect();
        let count = said.iter().filter(|word| word.len() > 2 && words.iter().any(|other| shares(word, other))).count();
        if best.first().is_none_or(|(most, _)| count > *most) {
            best.clear();
        }
        if best.first().is_none_or(|(most, _)| count == *most) {
            best.push((count, understood));
        }
    }
    let [(count, understood)] = &best[..] else { return None };
    let enough = *count > 0 && 2 * count >= said.len();
    let proposal = enough.then(|| session.proposal(seat, understood, phrase))??;
    // An option without a number or a piece that was named is another order.
    let option = Phrase::new(&proposal.words);
    let kept = |word: &&crate::orders::Word| option.words().iter().any(|other| shares(&word.text, &other.text));
    let at = |word: &&crate::orders::Word| word.start;
    let shared: Vec<usize> = phrase.words().iter().filter(kept).map(|word| at(&word)).collect();
    (!leaves_out(session, phrase, &shared)).then_some(proposal)
}
