//! The content of a standing order.

use postrider_journal::MAX_LINE;
use postrider_standing::Clause;

/// The kind of standing orders that answer all questions arising from attacks
/// ([`postrider_table::Ruleset::attacked`]).
pub(crate) const ATTACKED: &str = "attacked";

/// The kind that stands for a seat's `standing pause`: nothing answers for the seat until it writes
/// again.
pub(crate) const PAUSE: &str = "pause";

/// The maximum length of a standing order's content, in bytes, which leaves room for the other
/// members of an `unsealed` line.
pub(crate) const LONGEST_CONTENT: usize = MAX_LINE - 1_024;

/// An order's position in a plan.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Planned {
    /// The position, from 0.
    pub place: u32,
    /// The Round in which it was left; it applies to a later one.
    pub left_in: String,
    /// The Turn of that Round.
    pub turn: u64,
}

/// The content of a standing order, which is sealed in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Queue {
    /// The kind of question that it answers.
    #[serde(rename = "for")]
    pub kind: String,
    /// The orders as written, perhaps with conditions, to be used in this order.
    pub orders: Vec<String>,
    /// `true` if the first order that fits answers every such question until the standing order
    /// ends.
    pub always: bool,
    /// SHA-256 of the mail that left it, and its position in that mail; "" for the command line.
    pub from: String,
    /// The Turn and Round in which an order given before its question is valid. It answers at most
    /// one such question there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<String>,
    /// The name that distinguishes several of the same kind; "" for the one without a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `true` if it is tried before the others of its kind.
    #[serde(default, skip_serializing_if = "is_false")]
    pub first: bool,
    /// The Turn at whose beginning it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
    /// The condition that ends it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// The Turn and Round of orders that a mail left for further turns. They end with that Round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// `true` if the last order, a pass, answers all further questions of that Round.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goes_on: bool,
    /// The facts that usually end orders for further turns but do not end this one
    /// ([`postrider_table::ByTurns`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub even_if: Vec<String>,
    /// The position of an order in a plan for a later Round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Planned>,
}

impl Queue {
    /// Returns its name in letters: `"evasion"`, `"evasion" named brave`.
    pub(crate) fn title(&self) -> String {
        match self.name.as_str() {
            "" => format!("\"{}\"", self.kind),
            name => format!("\"{}\" named {name}", self.kind),
        }
    }

    /// Returns the orders that may answer the next question: all of them, or only the next one of a
    /// list in which each is used once.
    pub(crate) fn due(&self, used: usize) -> &[String] {
        match self.always {
            true => &self.orders,
            false => self.due_from(used).get(..1).unwrap_or_default(),
        }
    }

    /// Returns the orders left after `used` of them.
    pub(crate) fn due_from(&self, used: usize) -> &[String] {
        let most = if self.goes_on { self.orders.len().saturating_sub(1) } else { self.orders.len() };
        self.orders.get(used.min(most)..).unwrap_or_default()
    }

    /// Returns `true` if no order is left after `used` of them.
    pub(crate) fn is_used_up(&self, used: usize) -> bool {
        !self.always && !self.goes_on && used >= self.orders.len()
    }

    /// Lists the unused orders of a list in which each is used once, for a letter that reports its
    /// early end.
    pub(crate) fn rest(&self, used: usize) -> String {
        let rest = self.orders.get(used.min(self.orders.len())..).unwrap_or_default();
        match (self.always || rest.is_empty(), rest) {
            (true, _) => String::new(),
            (false, rest) => format!(" Not used: {}.", rest.join("; ")),
        }
    }

    /// Returns `true` if an order that does not fit leaves the question to others: it has
    /// conditions, or is one of several alternatives.
    pub(crate) fn chooses(&self) -> bool {
        let conditional = |text: &String| {
            Clause::read(text).iter().any(|clause| matches!(clause, Clause::Order { condition: Some(_), .. }))
        };
        self.kind == ATTACKED || self.always && self.orders.len() > 1 || self.orders.iter().any(conditional)
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
