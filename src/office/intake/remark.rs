//! Lines that nothing reads, beside orders: they may say something of the orders above them, and then these wait for a yes.
//!
//! The words with which somebody takes an order back or limits it are not to be counted (`belay that`, `wrong game`, `the Chiefs stay`), so
//! it is the other way round: what is no greeting, no sentence of everyday words and no attempt at an order leaves open what stands above it.

use super::{
    clause::{Clause, Label, Line, Plan, What, mark},
    context::{Context, GameWords},
    understand::{Reading, Unclear},
};
use crate::{
    office::session::GameSession,
    orders::{Doubt, Phrase, doubt, is_closing, is_greeting, is_idiom, is_silent, is_telling},
    table::Seat,
};

/// So many words a name has at most.
const MOST_NAMES: usize = 4;

/// So many words a part of an order has at most that stands apart from it.
const LONGEST_FRAGMENT: usize = 5;

/// So many letters stand for a name at most.
const MOST_INITIALS: usize = 3;

/// Words that say how an order is changed, where they stand beside a number or a name of the game.
const AMENDING: &[&str] = &[
    "only", "just", "except", "leave", "leaves", "leaving", "keep", "keeps", "keeping", "stay", "stays", "staying",
    "remain", "remains", "hold", "holds", "holding", "without", "half", "rest", "alone", "instead", "back",
];

/// Words by which a part of an order hangs on the rest of it: `war party of 3`, `crook with 4`.
const JOINING: &[&str] = &["of", "with", "via", "through", "along", "by"];

/// Whether the last line of a mail may be a name: a few words, each with a capital letter, none of everyday mails.
fn is_signature(line: &str) -> bool {
    let phrase = Phrase::new(line);
    let capital = |word: &str| {
        word.starts_with(char::is_uppercase)
            && (word.chars().skip(1).all(|c| !c.is_uppercase()) || word.chars().count() <= MOST_INITIALS)
    };
    phrase.words().len() <= MOST_NAMES
        && line.split_whitespace().all(|word| capital(word) && !word.ends_with(['!', '?']))
        && phrase.words().iter().all(|word| !word.everyday)
}

/// What somebody has written before the subject of the letter that he answers, where it leaves his orders open: `NOT YET: Re: …`.
pub(super) fn held_by_subject(subject: &str) -> Option<String> {
    const OPEN: &[&str] = &["draft", "test", "wip", "unfinished", "incomplete", "provisional"];
    let end = subject.find('[').unwrap_or(subject.len());
    let own =
        subject[..end].split(':').filter(|part| !ANSWERS.iter().any(|mark| part.trim().eq_ignore_ascii_case(mark)));
    let own = own.collect::<Vec<_>>().join(":").trim().to_owned();
    let phrase = Phrase::new(&own);
    let opens = phrase.words().iter().any(|word| OPEN.contains(&word.text.as_str()));
    (opens || doubt(&phrase).is_some()).then_some(own)
}

/// What mail programs write before a subject that is answered or passed on.
const ANSWERS: &[&str] = &["re", "aw", "sv", "antw", "rv", "r", "fwd", "fw", "wg", "tr", "ref", "odp", "vs", ""];

impl GameSession {
    /// Marks the orders above a line that nothing reads and that may be about them.
    pub(super) fn mark_remarked(&mut self, seat: Seat, plan: &mut Plan<'_>, lines: &[Line<'_>], context: &Context) {
        let orders = |(_, what): &(&str, What)| matches!(what, What::Orders(_));
        let Some(first) = plan.iter().position(orders) else { return };
        let mut words: Option<GameWords> = None;
        for at in (first..plan.len()).rev() {
            let What::Orders(all) = &plan[at].1 else { continue };
            let all = all.clone();
            if at + 1 == plan.len() && is_signature(lines[at].text) {
                continue;
            }
            // A number before another line may be the question's.
            let numbers = lines[at].text.trim_matches(['.', ')', ':', ' ']).bytes().all(|byte| byte.is_ascii_digit());
            if numbers && at + 1 < plan.len() {
                continue;
            }
            let beside = at > 0 && lines[at].no == lines[at - 1].no + 1;
            let Some(place) = all.iter().enumerate().rposition(|(place, clause)| {
                (at > first || place > 0)
                    && clause.doubt.is_none()
                    && self.remarks(seat, clause, context, beside || place > 0, &mut words)
            }) else {
                continue;
            };
            plan[..at].iter_mut().for_each(|(_, what)| mark(what, Doubt::Remark));
            if let What::Orders(all) = &mut plan[at].1 {
                all[..place].iter_mut().for_each(|clause| _ = clause.doubt.get_or_insert(Doubt::Remark));
            }
            return;
        }
    }

    /// Whether a clause is no order and may say something of those above it; `beside` where it stands in their paragraph.
    fn remarks(
        &mut self,
        seat: Seat,
        clause: &Clause,
        context: &Context,
        beside: bool,
        words: &mut Option<GameWords>,
    ) -> bool {
        let phrase = &clause.phrase;
        let nowhere = match &clause.label {
            None => false,
            Some(Label::Number(number)) => context.sheet.numbered(*number).is_none(),
            Some(Label::Letter(..) | Label::Kind(_)) => return false,
        };
        let Reading::Unclear(Unclear { chatter, unread, ends_early, proposal: None, .. }) =
            self.reading(seat, clause, context)
        else {
            return false;
        };
        let players: Vec<String> =
            context.names.iter().flat_map(|name| Phrase::new(name).words().to_vec()).map(|word| word.text).collect();
        let known = |text: &String| players.contains(text);
        let named = phrase.words().iter().any(|word| known(&word.text))
            && phrase.words().iter().all(|word| known(&word.text) || word.text.chars().count() == 1);
        if named
            || self.says_enough(phrase)
            || is_idiom(phrase)
            || is_greeting(phrase)
            || is_closing(phrase)
            || is_telling(phrase)
            || is_silent(phrase)
        {
            return false;
        }
        let words = words.get_or_insert_with(|| self.game_words());
        let digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let about = phrase.words().iter().any(|word| words.all.contains(&word.text) || digit(&word.text));
        let begins = phrase.words().first().is_some_and(|word| words.begins(&word.text));
        let amends = phrase.words().iter().any(|word| AMENDING.contains(&word.text.as_str()));
        // `war party of 3`, `via knife river`: what does not begin as an order does may say more of the one above it.
        let acts = phrase.words().iter().any(|word| words.orders(&word.text));
        // The end of a row that a program broke closes a bracket that it does not open.
        let rest = phrase.line().contains(')') && !phrase.line().contains('(');
        // `3i: 9909` and what begins with a piece and goes on is an order of its own, though a wrong one.
        let piece = |text: &String| words.all.contains(text) && !text.bytes().all(|byte| byte.is_ascii_digit());
        let joins = phrase.words().iter().any(|word| JOINING.contains(&word.text.as_str()));
        let own = phrase.line().contains([':', '>'])
            || phrase.words().len() > 1 && !joins && phrase.words().first().is_some_and(|word| piece(&word.text));
        let part = !begins && !acts || joins && ends_early;
        let fragment = about && part && !rest && !own && phrase.words().len() <= LONGEST_FRAGMENT;
        if nowhere || about || begins {
            return beside && (amends || fragment);
        }
        unread && !chatter
    }
}
