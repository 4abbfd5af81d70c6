//! A mail as it was read: one value, made in one pass before anything happens.
//!
//! A mail is carried out if, and only if, every line of its writer's own text is read. No code knows
//! what people may say besides orders, commands and courtesies: whatever is none of these is not read.

use crate::{game::refusals::sentence, reading::request::Request};
use postrider_mail::Marked;
use postrider_orders::{Misread, Phrase, option_ref};
use postrider_store::Party;
use postrider_table::{PromptId, Understood};

/// A line of its writer's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The line without white space around it.
    pub text: String,
    /// Its number. A number is left out for an empty line.
    pub no: usize,
    /// Why it cannot be an order, if that is so.
    pub marked: Option<Marked>,
}

/// A mail as it was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// Its lines, in order.
    pub lines: Vec<ReadLine>,
}

/// A line and what it is.
#[derive(Clone, Debug)]
pub(crate) struct ReadLine {
    /// The line as it was written. A line that was broken by a mail program is joined again.
    pub text: String,
    /// What it is.
    pub is: Is,
}

/// What a line is.
#[derive(Clone, Debug)]
pub(crate) enum Is {
    /// One or more orders, each read whole.
    Orders(Vec<Order>),
    /// A command to the service.
    Command(Request),
    /// A message to other people, with all its lines.
    Message(Told),
    /// `send`: the lines of the draft, as they were read.
    Draft(Vec<ReadLine>),
    /// `yes` to a proposal: the proposed lines, as they were read.
    Confirmed(Vec<ReadLine>),
    /// It says nothing: a courtesy, a name, a copy of the letter, the number of a question above its answer, a line that its
    /// writer has confirmed to mean nothing.
    Nothing,
    /// It is not read.
    Unread(Unread),
}

/// A message to other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The readers, and whether it goes without its writer's name; or why nobody can be told.
    pub to: Result<(Vec<Party>, bool), String>,
    /// The words.
    pub text: String,
    /// All its lines, as they were written.
    pub whole: String,
    /// Whether its first line is text, and not the names of its readers alone.
    pub begins_with_text: bool,
    /// Whether `end` on a line of its own ends it, so that nothing in it can be an order.
    pub ended: bool,
}

/// Why a line is not read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread {
    /// The line, perhaps with a line of marks below it.
    pub pointed: Vec<String>,
    /// The reason, as a sentence.
    pub why: String,
    /// Whether no part of it is to be proposed.
    pub whole: bool,
    /// Its orders, if they may be meant as a sequence with those of other lines.
    pub sequence: Vec<Order>,
}

/// An order that was read whole.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Its words, without courtesies.
    pub phrase: Phrase,
    /// The question that it says it answers.
    pub label: Option<Label>,
    /// How it was read.
    pub by: By,
    /// Whether its words say what is done. A bare name, number or letter does not; it answers listed questions only.
    pub named: bool,
}

/// How an order was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum By {
    /// As an option that the answered letter lists, with the words of that option.
    Listed(Understood, String),
    /// By the grammar of an open question.
    Open(Understood),
    /// By the grammar of a kind of question that is not open now.
    Kind(&'static str),
}

/// The question that an order says it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// By its number in the letter.
    Number(u32),
    /// By its kind.
    Kind(String),
}

impl Reading {
    /// The lines that are not read.
    pub fn unread(&self) -> impl Iterator<Item = (&ReadLine, &Unread)> {
        self.lines.iter().filter_map(|line| match &line.is {
            Is::Unread(unread) => Some((line, unread)),
            _ => None,
        })
    }

    /// Every order, in the sequence in which they are carried out.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.lines.iter().flat_map(ReadLine::orders)
    }

    /// Every command, in order.
    pub fn commands(&self) -> impl Iterator<Item = &Request> {
        self.lines.iter().filter_map(|line| match &line.is {
            Is::Command(request) => Some(request),
            _ => None,
        })
    }

    /// Returns true if a command fits.
    pub fn has(&self, wanted: impl Fn(&Request) -> bool) -> bool {
        self.commands().any(wanted)
    }
}

impl ReadLine {
    /// The orders of the line.
    pub fn orders(&self) -> Box<dyn Iterator<Item = &Order> + '_> {
        match &self.is {
            Is::Orders(all) => Box::new(all.iter()),
            Is::Draft(lines) | Is::Confirmed(lines) => Box::new(lines.iter().flat_map(ReadLine::orders)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns true if the line changes anything: the game, what is left for later, what others are told.
    pub fn acts(&self) -> bool {
        match &self.is {
            Is::Orders(_) | Is::Message(_) | Is::Draft(_) | Is::Confirmed(_) => true,
            Is::Command(request) => !request.only_looks(),
            Is::Nothing | Is::Unread(_) => false,
        }
    }
}

impl Order {
    /// An option of the answered letter, with the words of that option.
    pub fn listed(phrase: &Phrase, option: Understood, words: String) -> Order {
        Order { phrase: phrase.clone(), label: None, by: By::Listed(option, words), named: true }
    }

    /// The open question that it answers, as it was read.
    pub fn prompt(&self) -> Option<PromptId> {
        self.understood().map(|understood| understood.prompt)
    }

    /// The order as a typed value, if its question is open.
    pub fn understood(&self) -> Option<&Understood> {
        match &self.by {
            By::Listed(understood, _) | By::Open(understood) => Some(understood),
            By::Kind(_) => None,
        }
    }

    /// Returns true if it is nothing but the letter, or the two letters, of a listed option.
    pub fn is_letter(&self) -> bool {
        let bare = matches!(self.phrase.words(), [word] if word.text.len() <= 2 && word.text.bytes().all(|b| b.is_ascii_lowercase()));
        let option = option_ref(&self.phrase).is_some_and(|one| one.prompt.is_none());
        matches!(self.by, By::Listed(..)) && (bare || option)
    }

    /// The kind of question that it answers, as it was read.
    pub fn kind(&self) -> &'static str {
        match &self.by {
            By::Listed(understood, _) | By::Open(understood) => understood.kind,
            By::Kind(kind) => kind,
        }
    }

    /// The order as a report shows it, with the kind of question that it names.
    pub fn shown(&self) -> String {
        let words = self.phrase.text();
        match &self.label {
            Some(Label::Kind(kind)) => format!("{}: {words}", kind.replace('-', " ")),
            _ => words.to_owned(),
        }
    }
}

/// A line of which nothing is proposed.
pub(crate) fn refused(text: &str, why: &str) -> Is {
    let first = text.lines().next().unwrap_or_default();
    Is::Unread(Unread { pointed: vec![first.to_owned()], why: why.to_owned(), whole: true, ..Unread::default() })
}

pub(crate) fn unread(text: &str, why: &str) -> Is {
    Is::Unread(Unread { pointed: vec![text.to_owned()], why: why.to_owned(), ..Unread::default() })
}

pub(crate) fn misread(text: &str, why: &Misread) -> Is {
    let line = if why.end <= text.chars().count() { why.point(text) } else { text.to_owned() };
    Is::Unread(Unread {
        pointed: line.lines().map(str::to_owned).collect(),
        why: sentence(&why.to_string()),
        ..Unread::default()
    })
}
