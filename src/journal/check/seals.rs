//! Step 7: sealed entries are opened with the content that was sealed, and each answer by a
//! standing order has a standing order that was sealed for its kind of question.

use super::{
    Checker, Step,
    fault::{Found, Wrong},
    known::Seal,
};
use crate::{
    body::{Decision, Sealed, Unsealed, Via},
    commit::sealed_commitment,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The type of a sealed entry that is a standing order.
const STANDING: &str = "standing";

/// Answers that have not been matched with a standing order yet: the `n` of the first answer, by
/// the kind of question and the still sealed orders that may have given it.
pub(super) type Unexplained = BTreeMap<(String, BTreeSet<u64>), u64>;

/// A standing order that was opened.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// The `n` of the entry that opened it.
    n: u64,
    seat: String,
    content: String,
}

/// The members of a standing order that say which questions it answers.
#[derive(Deserialize)]
struct StandingOrder {
    r#for: String,
    orders: Vec<String>,
}

/// Returns `true` if a standing order with this content can answer a question of this kind. Only
/// the rules know which kinds are answered by a plan or by an order for any attack.
#[must_use]
pub fn can_answer(content: &str, ask: &str) -> bool {
    let Ok(StandingOrder { r#for: kind, orders }) = serde_json::from_str(content) else { return false };
    !orders.is_empty() && ["", "attacked", ask].contains(&&*kind)
}

impl Checker {
    pub(super) fn sealed(&mut self, sealed: &Sealed<'_>) -> Result<(), Found> {
        let seat = self.seat(&sealed.seat)?.name.clone();
        self.seals.insert(self.n, Seal { seat, what: sealed.what.to_string(), commit: sealed.commit });
        Ok(())
    }

    /// Checks that an answer by a standing order can come from one that the seat left for this
    /// question: one opened in the entry before, or one that is still sealed.
    pub(super) fn decided(&mut self, decision: &Decision<'_>) -> Result<(), Found> {
        let seat = self.seat(&decision.seat)?.name.clone();
        let just_opened = self.opened.iter().filter(|opened| opened.n + 1 == self.n && opened.seat == seat);
        let explains = |opened: &Opened| can_answer(&opened.content, &decision.ask);
        if decision.via != Via::Standing || just_opened.into_iter().any(explains) {
            return Ok(());
        }
        let left = self.seals.iter().filter(|(_, seal)| seal.seat == seat && seal.what == STANDING);
        let left: BTreeSet<u64> = left.map(|(n, _)| *n).collect();
        if left.is_empty() {
            return Err(Found::new(Step::Seals, Wrong::NoStanding(seat)));
        }
        self.unexplained.entry((decision.ask.to_string(), left)).or_insert(self.n);
        Ok(())
    }

    pub(super) fn unsealed(&mut self, unsealed: &Unsealed<'_>) -> Result<(), Found> {
        let missing = || Found::new(Step::Seals, Wrong::NoSeal(unsealed.of));
        let seal = self.seals.remove(&unsealed.of).ok_or_else(missing)?;
        // Part of a canonical line is itself canonical.
        let content = unsealed.content.get();
        let right = sealed_commitment(&self.game, &seal.seat, &unsealed.salt, content);
        if right != seal.commit {
            return Err(Found::new(Step::Seals, Wrong::Content(seal.commit)).against(unsealed.of));
        }
        let of_it = self.unexplained.extract_if(.., |(_, orders), _| orders.contains(&unsealed.of));
        let others: Vec<_> = of_it.filter(|((ask, _), _)| !can_answer(content, ask)).collect();
        for ((ask, mut orders), n) in others {
            orders.remove(&unsealed.of);
            if orders.is_empty() {
                return Err(Found::new(Step::Seals, Wrong::OtherStanding { n, ask }).against(n));
            }
            self.unexplained.entry((ask, orders)).and_modify(|first| *first = n.min(*first)).or_insert(n);
        }
        self.counts.unsealed += 1;
        self.opened = Some(Opened { n: self.n, seat: seal.seat, content: content.to_owned() });
        Ok(())
    }
}
