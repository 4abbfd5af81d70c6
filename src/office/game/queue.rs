//! The content of a standing order.

use postrider_journal::MAX_LINE;
use postrider_standing::Clause;
use postrider_store::SealedContent;

/// The kind of question of a standing order that answers all that come of attacks ([`postrider_table::Ruleset::attacked`]).
pub(crate) const ATTACKED: &str = "attacked";

/// What stands in the place of a kind for a word that has nothing answer for its seat until it writes again.
pub(crate) const PAUSE: &str = "pause";

/// The content of a standing order has no more bytes than these: with what else an `unsealed` line holds it fits into a line.
pub(crate) const LONGEST_CONTENT: usize = MAX_LINE - 1_024;

/// The place of an order in a plan.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Planned {
    /// From 0.
    pub place: u32,
    /// The Round in which it was left: it begins in a later one.
    pub left_in: String,
    /// The Turn of that Round.
    pub turn: u64,
}

/// What a standing order says; this is sealed in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Queue {
    /// The kind of question that it answers.
    #[serde(rename = "for")]
    pub kind: String,
    /// The orders, as written, perhaps with conditions; the first is used first.
    pub orders: Vec<String>,
    /// Whether the first order that fits answers every such question until it is ended.
    pub always: bool,
    /// SHA-256 of the mail that left it and its place in that mail; "" for the command line.
    pub from: String,
    /// For an order that was given before its question came: the Turn and Round in which it is good. It answers one such question
    /// there, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<String>,
    /// What it is called among several for the same kind; "" for the one without a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Whether it goes before the others of its kind.
    #[serde(default, skip_serializing_if = "is_false")]
    pub first: bool,
    /// The Turn with whose beginning it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
    /// What ends it, as a condition in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// The Turn and Round of which it is, for what was left for further turns in a mail: it ends with that Round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Whether the last of its orders answers all further questions of that Round: one that lets turns go by.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goes_on: bool,
    /// The facts that do not end it although they end orders for further turns ([`postrider_table::ByTurns`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub even_if: Vec<String>,
    /// For an order of a plan for a later Round: its place in that plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Planned>,
}

impl Queue {
    /// How a letter names it: `"evasion"`, `"evasion" named brave`.
    pub(crate) fn title(&self) -> String {
        match self.name.as_str() {
            "" => format!("\"{}\"", self.kind),
            name => format!("\"{}\" named {name}", self.kind),
        }
    }

    /// The orders that may answer the next question: of a list of which each is used once, the next of them alone.
    pub(crate) fn due(&self, used: usize) -> &[String] {
        match self.always {
            true => &self.orders,
            false => self.due_from(used).get(..1).unwrap_or_default(),
        }
    }

    /// The orders that are left when so many are used.
    pub(crate) fn due_from(&self, used: usize) -> &[String] {
        let most = if self.goes_on { self.orders.len().saturating_sub(1) } else { self.orders.len() };
        self.orders.get(used.min(most)..).unwrap_or_default()
    }

    /// Whether nothing is left of it when so many of its orders are used.
    pub(crate) fn is_used_up(&self, used: usize) -> bool {
        !self.always && !self.goes_on && used >= self.orders.len()
    }

    /// The orders that are not used, of a list whose orders are used one by one: what letters tell when it ends before its time.
    pub(crate) fn rest(&self, used: usize) -> String {
        let rest = self.orders.get(used.min(self.orders.len())..).unwrap_or_default();
        match (self.always || rest.is_empty(), rest) {
            (true, _) => String::new(),
            (false, rest) => format!(" Not used: {}.", rest.join("; ")),
        }
    }

    /// Whether an order of it that does not fit leaves the question to the others: it has conditions, or others stand beside it.
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

pub(crate) fn can_be_opened(sealed: &SealedContent) -> bool {
    sealed.content.len() <= LONGEST_CONTENT
}
