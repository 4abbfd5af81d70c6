//! The parts of a letter to keep if space is short: sentences of its story, and options of a
//! question.

use crate::{About, Part, QuestionOption};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Words in sentences that tell the final result for a unit or player, as opposed to its causes.
const OUTCOMES: &[&str] = &[
    "eliminat",
    "kill",
    "dies",
    "destroy",
    "surrender",
    "extinct",
    "captur",
    "routed",
    "is lost",
    "are lost",
    "interven",
    "goes to war",
    "go to war",
    "wins",
    "overrun",
    "engagement in",
    "lost: ",
];

/// Returns the sentences of a story to keep, as (part, line): those about the reader, at most the
/// latest `most_own`, and others up to a total of `most`. Of the others, outcomes come first, then
/// the first sentence of each part that names a player, then the rest; within each class the latest
/// come first.
pub(super) fn kept_sentences(parts: &[Part], most: usize, most_own: usize) -> BTreeSet<(usize, usize)> {
    let each = parts.iter().enumerate().flat_map(|(at, part)| (0..part.lines.len()).map(move |line| (at, line)));
    let mut all: Vec<(usize, usize)> = each.collect();
    let leads: Vec<usize> = { parts.iter() }
        .map(|part| part.lines.iter().position(|line| line.about == About::Player).unwrap_or_default())
        .collect();
    let rank = |&(at, line): &(usize, usize)| match parts[at].lines[line].about {
        About::Reader => 0,
        _ if tells_outcome(&parts[at].lines[line].text) => 1,
        _ if line == leads[at] => 2,
        _ => 3,
    };
    let own = all.iter().filter(|place| rank(place) == 0).count();
    all.sort_by_key(|place| (rank(place), Reverse(*place)));
    all.into_iter().take(most.max(own.min(most_own))).collect()
}

fn tells_outcome(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    OUTCOMES.iter().any(|word| sentence.contains(word))
}

/// Returns the options to keep, at most `most`: the last one, which is usually to pass, and options
/// with as many different first words as possible, since options with the same first word concern
/// the same piece.
pub(super) fn kept_options(options: &[QuestionOption], most: usize) -> Vec<&QuestionOption> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(options.len());
    for (at, option) in options.iter().enumerate() {
        let first = option.words.split_whitespace().next().unwrap_or_default();
        let alike = seen.entry(first).or_default();
        *alike += 1;
        ranked.push((if at + 1 == options.len() { 0 } else { *alike }, at));
    }
    ranked.sort_unstable();
    let mut kept: Vec<usize> = ranked.into_iter().take(most).map(|(_, at)| at).collect();
    kept.sort_unstable();
    kept.into_iter().map(|at| &options[at]).collect()
}
