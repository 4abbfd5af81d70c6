//! Words by which a writer leaves open what he wants.

use super::Phrase;
use std::sync::LazyLock;

/// Why words are not an order although they may hold the words of one. In doubt nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// `attack?`, `may I attack`
    Question,
    /// `not b`, `don't attack`, `anything but utah`
    Negation,
    /// `b or c`
    Alternative,
    /// `return unless Miles reacts`
    Condition,
    /// `maybe b`, `I am not sure yet`
    Hedge,
    /// `scratch that`, `on second thoughts`
    Retraction,
    /// Another line that nothing reads, and that may be about it
    Remark,
}

/// Rows of words, one a line; lines that begin with `#` say what follows.
type Rows = LazyLock<Vec<&'static str>>;

fn rows(text: &'static str) -> Vec<&'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Rows of words that take back what was said.
static RETRACTIONS: Rows = LazyLock::new(|| rows(include_str!("words/retractions.txt")));

/// Rows of words that leave it open whether what was said is wanted, beside [`UNSETTLED`].
static HEDGES: Rows = LazyLock::new(|| rows(include_str!("words/hedges.txt")));

/// Words that make what was said hang on something.
static CONDITIONS: Rows = LazyLock::new(|| rows(include_str!("words/conditions.txt")));

/// Words between things of which one is meant.
static ALTERNATIVES: Rows = LazyLock::new(|| rows(include_str!("words/alternatives.txt")));

/// Words that say what is not wanted.
static NEGATIONS: Rows = LazyLock::new(|| rows(include_str!("words/negations.txt")));

/// Rows of words that put off what somebody wants to say.
static DEFERRALS: Rows = LazyLock::new(|| rows(include_str!("words/deferrals.txt")));

/// What people say without leaving anything open, although such words may.
static IDIOMS: Rows = LazyLock::new(|| rows(include_str!("words/idioms.txt")));

/// Words that say how much of something is meant.
static LIMITS: Rows = LazyLock::new(|| rows(include_str!("words/limits.txt")));

/// Words that say of what stands beside them that it is not settled yet.
static UNSETTLED: Rows = LazyLock::new(|| rows(include_str!("words/unsettled.txt")));

/// How a condition begins in other languages.
static CONDITIONAL: Rows = LazyLock::new(|| rows(include_str!("words/conditional-openings.txt")));

/// How words begin that put something in the place of what was said before.
static REPLACEMENTS: Rows = LazyLock::new(|| rows(include_str!("words/replacements.txt")));

/// Words of which no order is proposed.
static DENIALS: Rows = LazyLock::new(|| rows(include_str!("words/denials.txt")));

/// First words of a question.
const ASKING: &[&str] = &[
    "may", "can", "could", "should", "shall", "would", "will", "must", "do", "does", "did", "is", "are", "am", "was",
    "were", "have", "has",
];

/// Words that begin a question where one of [`ASKING`] follows: `where should I`. Before one of [`SUBJECTS`] they are mostly none:
/// `when my turn comes`.
const ASKING_FOR: &[&str] = &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];

/// Those who are asked about.
const SUBJECTS: &[&str] =
    &["i", "we", "you", "he", "she", "it", "they", "this", "that", "there", "the", "my", "these", "those"];

/// Words of a question or a remark about what stands before it.
const POINTING: &[&str] = &[
    "that", "this", "it", "ok", "okay", "right", "legal", "allowed", "possible", "correct", "still", "those", "sense",
    "good", "wise", "better",
];

fn begins(plain: &str, rows: &[&str]) -> bool {
    rows.iter().any(|row| plain.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

fn holds(plain: &str, rows: &[&str]) -> bool {
    let bounded = |at: usize, row: &str| {
        (at == 0 || plain[..at].ends_with(' ')) && matches!(plain.as_bytes().get(at + row.len()), None | Some(b' '))
    };
    rows.iter().any(|row| plain.match_indices(row).any(|(at, _)| bounded(at, row)))
}

/// Whether the words put off what their writer wants to say: `I will answer tomorrow`, `orders follow`.
#[must_use]
pub fn puts_off(phrase: &Phrase) -> bool {
    holds(&phrase.plain(), &DEFERRALS)
}

/// Whether the words are one of those remarks that order nothing and leave nothing open: `if only I had more`, `no choice here`.
#[must_use]
pub fn is_idiom(phrase: &Phrase) -> bool {
    holds(&phrase.plain(), &IDIOMS)
}

/// Whether the words are struck through, as plain text shows it: `~~1a~~`, `~1a~`, `--1a--`.
#[must_use]
pub fn is_struck(line: &str) -> bool {
    let line = line.trim().trim_end_matches(['.', ',', ';', '!']);
    let within = |mark: &str| line.len() > 2 * mark.len() && line.starts_with(mark) && line.ends_with(mark);
    line.matches("~~").count() >= 2 || within("~") || within("--")
}

/// The gravest doubt that the words leave, if they leave any. Where a game reads all of these words as an order there is none:
/// `do not pursue` may be one.
///
/// ```
/// use postrider::orders::{Doubt, Phrase, doubt};
/// let of = |line| doubt(&Phrase::new(line));
/// assert_eq!(of("attack?"), Some(Doubt::Question));
/// assert_eq!(of("return unless Miles reacts"), Some(Doubt::Condition));
/// assert_eq!((of("b or c"), of("not b"), of("maybe b")), (Some(Doubt::Alternative), Some(Doubt::Negation), Some(Doubt::Hedge)));
/// assert_eq!(of("attack utah"), None);
/// ```
#[must_use]
pub fn doubt(phrase: &Phrase) -> Option<Doubt> {
    doubt_beside(phrase, &[])
}

/// The same where a game has terms of its own that hold such words ([`Ruleset::terms`](crate::table::Ruleset::terms)): these leave
/// nothing open.
///
/// ```
/// use postrider::orders::{Doubt, Phrase, doubt_beside};
/// let of = |line| doubt_beside(&Phrase::new(line), &["before melee"]);
/// assert_eq!(of("doctrine before melee: sometimes"), None);
/// assert_eq!(of("doctrine before melee: ask if he attacks"), Some(Doubt::Condition));
/// assert_eq!(of("attack before he does"), Some(Doubt::Condition));
/// ```
#[must_use]
pub fn doubt_beside(phrase: &Phrase, terms: &[&str]) -> Option<Doubt> {
    let without =
        |plain: String, term: &&str| format!(" {plain} ").replace(&format!(" {term} "), " ").trim().to_owned();
    let plain = terms.iter().chain(IDIOMS.iter()).fold(phrase.plain(), without);
    let mut words = plain.split(' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let asks = ASKING.contains(&first) && SUBJECTS.contains(&second)
        || ASKING_FOR.contains(&first) && ASKING.contains(&second)
        || plain.starts_with("a question")
        || plain.starts_with("i wonder");
    let asked = phrase.line().contains(['?', '？', '¿']);
    if is_struck(phrase.line()) {
        return Some(Doubt::Negation);
    }
    [
        (asked || asks, Doubt::Question),
        (holds(&plain, &RETRACTIONS), Doubt::Retraction),
        (holds(&plain, &CONDITIONS), Doubt::Condition),
        (holds(&plain, &ALTERNATIVES), Doubt::Alternative),
        (holds(&plain, &HEDGES) || holds(&plain, &UNSETTLED), Doubt::Hedge),
        (holds(&plain, &NEGATIONS), Doubt::Negation),
    ]
    .into_iter()
    .find_map(|(found, doubt)| found.then_some(doubt))
}

/// Whether an order that stands behind another one takes that one's place: `Actually, stay`, `No, Kansas`.
#[must_use]
pub fn corrects(phrase: &Phrase) -> bool {
    const OPENINGS: &[&str] =
        &["actually", "sorry", "rather", "instead", "correction", "wait", "nope", "nah", "better"];
    let words = phrase.words();
    let first = words.first().map_or("", |word| word.text.as_str());
    let comma = words.get(1).is_some_and(|next| next.after_comma);
    words.len() > 1
        && (OPENINGS.contains(&first) || first == "no" && comma || holds(&phrase.plain(), &["i mean", "i meant"]))
}

/// Whether a line puts something in the place of what was said before it: `make it 4`, `correction: 10`.
#[must_use]
pub fn replaces(phrase: &Phrase) -> bool {
    let plain = phrase.plain();
    plain != "make it so" && begins(&plain, &REPLACEMENTS)
}

/// Whether somebody says what he does not want, so that no order may be proposed of his words.
#[must_use]
pub fn denies(phrase: &Phrase) -> bool {
    phrase.words().iter().any(|word| DENIALS.contains(&word.text.as_str()))
}

/// Whether words may say how much of an order is meant, or of whom: `3 BPs only`, `the Chiefs stay`. Every number does.
///
/// ```
/// use postrider::orders::{Phrase, limits};
/// assert!(limits(&Phrase::new("keep two at home")) && limits(&Phrase::new("only Satanta")));
/// assert!(!limits(&Phrase::new("we need points there")));
/// ```
#[must_use]
pub fn limits(phrase: &Phrase) -> bool {
    let numbered = |at: usize| phrase.part(at..at + 1).reader().number().is_some();
    phrase.words().iter().enumerate().any(|(at, word)| {
        LIMITS.contains(&word.text.as_str()) || word.text.contains(|c: char| c.is_ascii_digit()) || numbered(at)
    })
}

/// So few words that leave something open are about what stands beside them: `should I?`, `don't`, `not final`.
const SHORT: usize = 3;

/// Whether words that are no order say something about the orders before them: `unless he evades`, `or the other one`, `scratch
/// that`, `is that legal?`.
#[must_use]
pub fn looks_back(phrase: &Phrase) -> bool {
    const OPENINGS: &[&str] = &[
        "unless",
        "if",
        "but",
        "or",
        "only",
        "except",
        "otherwise",
        "instead",
        "provided",
        "assuming",
        "when",
        "once",
        "until",
        "not",
        "though",
        "although",
        "as",
        "while",
        "without",
        "after",
        "before",
        "and",
        "even",
        "wait",
        "no",
        "nope",
        "nah",
        "sorry",
        "actually",
        "hm",
        "hmm",
        "rather",
        "either",
        "then",
    ];
    let plain = phrase.plain();
    if is_idiom(phrase) {
        return false;
    }
    let first = plain.split(' ').next().unwrap_or_default();
    let denies = phrase.words().len() <= 3
        && plain
            .split(' ')
            .any(|word| matches!(word, "no" | "nope" | "nah" | "nein" | "non" | "nee" | "cancel" | "void"));
    if corrects(phrase) || denies {
        return true;
    }
    // `I want to see the odds first.`, `I would like to talk to Carl before.`
    let words = phrase.words();
    let waits = words.iter().skip(2).any(|word| word.text == "first")
        && !holds(&plain, &["first of all", "first time", "at first"])
        || words.len() > 3 && words.last().is_some_and(|word| word.text == "before");
    if waits {
        return true;
    }
    // A word or two beside an order that leave something open leave that order open.
    let found = doubt(phrase);
    if found.is_some() && (phrase.words().len() <= SHORT || holds(&plain, &UNSETTLED)) {
        return true;
    }
    match found {
        None => {
            plain.is_empty() && phrase.line().contains('?')
                || matches!(first, "wait" | "stop" | "undo" | "nope" | "nah" | "but" | "only")
        }
        Some(Doubt::Retraction) => true,
        Some(Doubt::Question) => {
            let short = phrase.words().len() <= 8;
            plain.is_empty()
                || OPENINGS.contains(&first)
                || short && plain.split(' ').any(|word| POINTING.contains(&word))
        }
        Some(Doubt::Hedge) => {
            OPENINGS.contains(&first)
                || holds(
                    &plain,
                    &[
                        "not sure",
                        "undecided",
                        "maybe not",
                        "perhaps not",
                        "let me think",
                        "that",
                        "it",
                        "this",
                        "dont know",
                        "do not know",
                    ],
                )
        }
        Some(_) => {
            OPENINGS.contains(&first) || begins(&plain, &CONDITIONAL) || holds(&plain, &["that", "this", "above"])
        }
    }
}
