//! A mail in parts: its lines, what each of them is, and the orders in it with what they say of questions.

use super::request::Request;
use crate::orders::{Doubt, Phrase};

/// The word that ends a phase in every game.
pub(super) const END: &str = "done";

/// A line that its writer's program sent, and its number in the mail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'m> {
    pub text: &'m str,
    /// Its number; one is left out where an empty line stands.
    pub no: usize,
}

/// What a line is.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// It orders nothing: a greeting, a closing and what stands below it, a name, a quoted line of the letter, a label.
    Nothing,
    /// It orders nothing, since it stands below a closing or a name, and could be an order, or is a postscript: its writer is told.
    Below,
    /// A word to the office.
    Office(Request),
    /// Orders, or what may be some.
    Orders(Vec<Clause>),
    /// `send`: the lines of the draft, with their orders.
    Sent(Vec<(String, Vec<Clause>)>),
}

/// The question that an order says it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// By its number in the letter.
    Number(u32),
    /// By the letter of one of its options, before the option's words: both must say the same.
    Letter(Option<u32>, String),
    /// By its kind.
    Kind(String),
}

/// One order, or what may be one.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// Its words.
    pub phrase: Phrase,
    /// Which question it says that it answers.
    pub label: Option<Label>,
    /// Why it is not carried out although it may be read: something else in the mail leaves it open, or it is asked.
    pub doubt: Option<Doubt>,
}

/// Lines with what each of them is.
pub(super) type Plan<'m> = Vec<(&'m str, What)>;

/// Leaves open what a line orders.
pub(super) fn mark(what: &mut What, doubt: Doubt) {
    if let What::Orders(all) = what {
        all.iter_mut().for_each(|clause| _ = clause.doubt.get_or_insert(doubt));
    }
}
