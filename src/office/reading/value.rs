//! The result of reading a mail: one value, made in one pass before anything is carried out.
//!
//! A mail is carried out if and only if every line of the author's own text is understood. The code
//! contains no list of what people may write apart from orders, commands and courtesies: everything
//! else is not understood.

use crate::{game::refusals::sentence, reading::request::Request};
use postrider_mail::Marked;
use postrider_orders::{Misread, Phrase, option_ref};
use postrider_store::Party;
use postrider_table::{PromptId, Understood};

/// A line of the author's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The line without white space around it.
    pub text: String,
    /// Its number. A number is skipped for an empty line.
    pub no: usize,
    /// The reason why it cannot be an order, if any.
    pub marked: Option<Marked>,
}

/// A mail that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// Its lines, in order.
    pub lines: Vec<ReadLine>,
}

/// A line and its meaning.
#[derive(Clone, Debug)]
pub(crate) struct ReadLine {
    /// The line as written. A line broken by a mail program is joined again.
    pub text: String,
    /// The meaning.
    pub is: Is,
}

/// The meaning of a line.
#[derive(Clone, Debug)]
pub(crate) enum Is {
    /// One or more orders, each read completely.
    Orders(Vec<Order>),
    /// A command to the service.
    Command(Request),
    /// A message to other people, with all its lines.
    Message(Told),
    /// `send`: the lines of the draft with their meanings.
    Draft(Vec<ReadLine>),
    /// `yes` to a proposal: the proposed lines with their meanings.
    Confirmed(Vec<ReadLine>),
    /// `no` to a proposal: it can no longer be confirmed.
    Withdrawn,
    /// Nothing: a courtesy, a name, a copy of the letter, a question's number above its answer, or
    /// a line confirmed earlier as meaningless.
    Nothing,
    /// Not understood.
    Unread(Unread),
}

/// A message to other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The readers, with `true` for an anonymous message, or the reason why it cannot be sent.
    pub to: Result<(Vec<Party>, bool), String>,
    /// `true` if it asks the directors for a decision.
    pub appeals: bool,
    /// The text.
    pub text: String,
    /// All its lines as written.
    pub whole: String,
    /// `true` if its first line contains text, not only the readers' names.
    pub begins_with_text: bool,
    /// `true` if `end` on a line of its own ends it. Then nothing in it can be an order.
    pub ended: bool,
}

/// The reason why a line was not understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread {
    /// The line, perhaps with a line of marks below it.
    pub pointed: Vec<String>,
    /// The reason, as a sentence.
    pub why: String,
    /// `true` if no part of it may be proposed.
    pub whole: bool,
    /// `true` if the reason contains instructions.
    pub hint: bool,
    /// Its orders, if they may be meant as a sequence with those of other lines.
    pub sequence: Vec<Order>,
}

/// An order that was read completely.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Its words, without courtesies.
    pub phrase: Phrase,
    /// The question that its label names.
    pub label: Option<Label>,
    /// The way in which it was read.
    pub by: By,
    /// `true` if its words name an action. A bare name, number or letter does not, and answers
    /// listed questions only.
    pub named: bool,
}

/// The way in which an order was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum By {
    /// As an option listed in the answered letter, with that option's words.
    Listed(Understood, String),
    /// By the grammar of an open question.
    Open(Understood),
    /// By the grammar of a kind of question that is not open now.
    Kind(&'static str),
}

/// The question named by an order's label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// By its number in the letter.
    Number(u32),
    /// By its kind.
    Kind(String),
}

impl Reading {
    /// Returns the lines that were not understood.
    pub fn unread(&self) -> impl Iterator<Item = (&ReadLine, &Unread)> {
        self.lines.iter().filter_map(|line| match &line.is {
            Is::Unread(unread) => Some((line, unread)),
            _ => None,
        })
    }

    /// Returns all orders in sequence.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.lines.iter().flat_map(ReadLine::orders)
    }

    /// Returns all commands in sequence.
    pub fn commands(&self) -> impl Iterator<Item = &Request> {
        self.lines.iter().filter_map(|line| match &line.is {
            Is::Command(request) => Some(request),
            _ => None,
        })
    }

    /// Returns `true` if a command satisfies `wanted`.
    pub fn has(&self, wanted: impl Fn(&Request) -> bool) -> bool {
        self.commands().any(wanted)
    }
}

impl ReadLine {
    /// Returns the line's orders.
    pub fn orders(&self) -> Box<dyn Iterator<Item = &Order> + '_> {
        match &self.is {
            Is::Orders(all) => Box::new(all.iter()),
            Is::Draft(lines) | Is::Confirmed(lines) => Box::new(lines.iter().flat_map(ReadLine::orders)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns `true` if the line changes anything: the game, orders left for later, or messages.
    pub fn acts(&self) -> bool {
        match &self.is {
            Is::Orders(_) | Is::Message(_) | Is::Draft(_) | Is::Confirmed(_) => true,
            Is::Command(request) => !request.only_looks(),
            Is::Withdrawn | Is::Nothing | Is::Unread(_) => false,
        }
    }
}

impl Order {
    /// Returns the order for an option of the answered letter, with that option's words.
    pub fn listed(phrase: &Phrase, option: Understood, words: String) -> Order {
        Order { phrase: phrase.clone(), label: None, by: By::Listed(option, words), named: true }
    }

    /// Returns the open question that it answers.
    pub fn prompt(&self) -> Option<PromptId> {
        self.understood().map(|understood| understood.prompt)
    }

    /// Returns the order as a typed value, if its question is open.
    pub fn understood(&self) -> Option<&Understood> {
        match &self.by {
            By::Listed(understood, _) | By::Open(understood) => Some(understood),
            By::Kind(_) => None,
        }
    }

    /// Returns `true` if it is only the one or two letters of a listed option.
    pub fn is_letter(&self) -> bool {
        let bare = matches!(self.phrase.words(), [word] if word.text.len() <= 2 && word.text.bytes().all(|b| b.is_ascii_lowercase()));
        let option = option_ref(&self.phrase).is_some_and(|one| one.prompt.is_none());
        matches!(self.by, By::Listed(..)) && (bare || option)
    }

    /// Returns the kind of question that it answers.
    pub fn kind(&self) -> &'static str {
        match &self.by {
            By::Listed(understood, _) | By::Open(understood) => understood.kind,
            By::Kind(kind) => kind,
        }
    }

    /// Returns the order as shown in a report, with the kind of question in its label.
    pub fn shown(&self) -> String {
        let words = self.phrase.text();
        match &self.label {
            Some(Label::Kind(kind)) => format!("{}: {words}", kind.replace('-', " ")),
            _ => words.to_owned(),
        }
    }
}

/// Returns the meaning of a line of which nothing may be proposed.
pub(crate) fn refused(text: &str, why: &str) -> Is {
    let first = text.lines().next().unwrap_or_default();
    Is::Unread(Unread { pointed: vec![first.to_owned()], why: why.to_owned(), whole: true, ..Unread::default() })
}

pub(crate) fn unread(text: &str, why: &str) -> Is {
    Is::Unread(Unread { pointed: vec![text.to_owned()], why: why.to_owned(), ..Unread::default() })
}

/// Returns the meaning of a line in everyday words, with the sentence that names the right command.
pub(crate) fn hinted(text: &str, hint: String) -> Is {
    Is::Unread(Unread { pointed: vec![text.to_owned()], why: hint, hint: true, ..Unread::default() })
}

pub(crate) fn misread(text: &str, why: &Misread) -> Is {
    let line = if why.end <= text.chars().count() { why.point(text) } else { text.to_owned() };
    Is::Unread(Unread {
        pointed: line.lines().map(str::to_owned).collect(),
        why: sentence(&why.to_string()),
        ..Unread::default()
    })
}
