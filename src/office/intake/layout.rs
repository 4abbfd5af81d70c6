//! What the layout of a mail says of its lines: tick boxes and crosses, numbers that only count, rows of options, remarks in brackets.

use super::{
    clause::{Clause, Label, Plan, What},
    sheet::{Picked, Sheet},
};
use crate::orders::{Phrase, corrects, doubt_beside, is_struck, limits, option_ref};

/// Marks before or behind a line that say that it is not wanted: a box without a tick, a cross.
const UNTICKED: &[&str] = &["[ ]", "[]", "( )", "()", "☐", "⬜", "◻", "□", "✗", "✘", "✕", "❌", "👎", "🚫"];

/// Marks that say that it is: a ticked box.
const TICKED: &[&str] = &["[v]", "[✓]", "[✔]", "☑", "✅", "✓", "✔", "👍"];

/// Marks that may tick a box or cross a line out: beside an empty box they tick.
const CROSSED: &[&str] = &["[x]", "[X]", "(x)", "(X)", "☒"];

/// A line without the tick before or behind it; `None` where it is not ticked, or struck through.
pub(super) fn ticked(line: &str, boxes: bool) -> Option<&str> {
    let whole = line.trim();
    let line = whole.trim_start_matches(['-', '*', '•']).trim_start();
    let marked = |marks: &[&str]| {
        let cut = |mark: &&str| line.strip_prefix(*mark).or_else(|| line.strip_suffix(*mark));
        marks.iter().find_map(cut).map(str::trim).filter(|rest| !rest.is_empty())
    };
    match marked(UNTICKED) {
        Some(_) => None,
        None if is_struck(whole) => None,
        None => Some(marked(TICKED).or_else(|| marked(CROSSED).filter(|_| boxes)).unwrap_or(whole)),
    }
}

/// Whether a line is not read since it is struck through, or has a box without a tick.
pub(super) fn is_passed_over(line: &str) -> bool {
    ticked(line, false).is_none()
}

/// Numbers or letters that only count the lines of a mail are no labels: `1. raid utah`, `2. stay` where the letter asks one thing,
/// `a) raid utah`, `b) stay` where these are not the words of its options.
pub(super) fn renumber(plan: &mut Plan<'_>, sheet: &Sheet) {
    let first = |what: &What| match what {
        What::Orders(all) => all.first().and_then(|clause| clause.label.clone()),
        _ => None,
    };
    let labels: Vec<Label> = plan.iter().filter_map(|(_, what)| first(what)).collect();
    let counts = labels.len() > 1
        && (1..).zip(&labels).all(|(n, label)| match label {
            Label::Number(number) => *number == n,
            Label::Letter(None, letter) => letter.len() == 1 && letter.bytes().map(u32::from).sum::<u32>() == 96 + n,
            Label::Letter(Some(_), _) | Label::Kind(_) => false,
        });
    let unasked = |number: usize| u32::try_from(number).is_ok_and(|number| sheet.numbered(number).is_none());
    let is_option = |clause: &Clause| {
        let Some(Label::Letter(number, letters)) = &clause.label else { return false };
        let index = option_ref(&Phrase::new(&format!("option {letters}"))).and_then(|option| option.index());
        match sheet.pick(*number, index, letters) {
            Picked::One(_, words) => Phrase::new(&words).plain() == clause.phrase.plain(),
            Picked::Several(_) | Picked::None(_) => false,
        }
    };
    let own = plan.iter().filter_map(|(_, what)| match what {
        What::Orders(all) => all.first().filter(|clause| clause.label.is_some()),
        _ => None,
    });
    let lettered = matches!(labels.first(), Some(Label::Letter(..)));
    if !counts || lettered && own.clone().any(is_option) || !lettered && !unasked(labels.len()) {
        return;
    }
    for (_, what) in plan {
        if let What::Orders(all) = what {
            all.iter_mut().for_each(|clause| clause.label = None);
        }
    }
}

/// A sentence without the remark between brackets at its end, where that is a sentence of everyday words that limits nothing: `(we need
/// points there)`. Anything else between brackets may be part of the order: `(3 BPs)`, `(no advance)`.
pub(super) fn without_remark(sentence: &str, terms: &[&str]) -> Option<String> {
    const SPEAKING: &[&str] = &[
        "i", "im", "ive", "we", "you", "youre", "it", "its", "that", "thats", "this", "there", "my", "your", "he",
        "she",
    ];
    let trimmed = sentence.trim_end().trim_end_matches(['.', '!', ' ']);
    let (order, remark) = trimmed.strip_suffix(')')?.rsplit_once('(')?;
    let remark = Phrase::new(remark);
    let words = remark.words();
    let strange = words.iter().filter(|word| !word.everyday).count();
    let speaks = words.iter().any(|word| SPEAKING.contains(&word.text.as_str()));
    let plain = words.len() > 2
        && speaks
        && 3 * strange <= words.len()
        && !limits(&remark)
        && doubt_beside(&remark, terms).is_none()
        && !corrects(&remark);
    (plain && !order.trim().is_empty()).then(|| order.trim().to_owned())
}

/// The options of a row of them, each with its question's number, that nothing else stands between; none where it is no such row.
pub(super) fn several_options(phrase: &Phrase) -> Vec<Phrase> {
    let words = phrase.words();
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let part = phrase.part(at..at + 1);
        match option_ref(&part) {
            Some(option) if option.prompt.is_some() => all.push(part),
            _ if matches!(word.text.as_str(), "and" | "then" | "also") => {}
            _ => return Vec::new(),
        }
    }
    if all.len() > 1 { all } else { Vec::new() }
}
