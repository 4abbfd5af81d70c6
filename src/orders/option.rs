//! Answers that name an option by its letter: `1b`, `option b`.

use super::Phrase;

/// Words that may precede the number of a question.
const QUESTIONS: &[&str] = &["question", "prompt", "number", "nr", "item", "q"];

/// Words that may precede the letter of an option.
const OPTIONS: &[&str] = &["option", "choice", "answer", "letter", "alternative"];

/// The letters of options: all but those that people write as a word (I, okay, no, yes).
const LETTERS: &[u8; 22] = b"abcdefghjlmopqrstuvwxz";

/// Returns the letter of an option, counted from 0: `a` to `z` without i, k, n and y, then `aa`,
/// `ab` and so on.
///
/// ```
/// assert_eq!([0, 8, 21, 22, 505].map(postrider_orders::option_letter), ["a", "j", "z", "aa", "zz"]);
/// ```
#[must_use]
pub fn option_letter(index: usize) -> String {
    let (mut left, mut letters) = (index + 1, Vec::new());
    while left > 0 {
        left -= 1;
        letters.push(char::from(LETTERS[left % LETTERS.len()]));
        left /= LETTERS.len();
    }
    letters.iter().rev().collect()
}

/// A reference to an option. Prompts are numbered from 1, and their options are
/// [lettered](option_letter).
///
/// The caller must check that the prompt and the option exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionRef {
    /// The prompt's number, from 1. `None` if only a letter was given, which means the only prompt
    /// that has a list.
    pub prompt: Option<u32>,
    /// The option, in lower-case letters.
    pub choice: String,
}

impl OptionRef {
    /// Returns the index of the option: `a` is 0, `z` is 21, `aa` is 22. Returns `None` for a letter
    /// that no option has, and if it overflows.
    pub fn index(&self) -> Option<usize> {
        let mut count = 0_usize;
        for letter in self.choice.bytes() {
            let digit = LETTERS.iter().position(|other| *other == letter)?;
            count = count.checked_mul(LETTERS.len())?.checked_add(digit + 1)?;
        }
        count.checked_sub(1)
    }
}

/// Returns the option that the phrase refers to, if it contains nothing else.
///
/// A number alone is not a reference, because it may be an amount, a date or a label. An option of
/// two letters must be attached to its prompt (`2ab`) or labeled (`option ab`), because "no" or
/// "ok" alone is a word.
///
/// ```
/// use postrider_orders::{OptionRef, Phrase, option_ref};
/// let read = |text| option_ref(&Phrase::new(text)).map(|option| (option.prompt, option.choice));
/// assert_eq!(read("1a"), Some((Some(1), "a".to_owned())));
/// assert_eq!(read("option 2 B."), Some((Some(2), "b".to_owned())));
/// assert_eq!(read("3"), None);
/// assert_eq!(read("option b for 1"), Some((Some(1), "b".to_owned())));
/// assert_eq!(read("5 vp"), None);
/// ```
pub fn option_ref(phrase: &Phrase) -> Option<OptionRef> {
    let mut words: &[_] = phrase.words();
    let mut labelled = false;
    // `b for 1`, `option b for question 1`
    if let [before @ .., last] = words
        && let Some(at) = before.iter().rposition(|word| word.text == "for")
        && at > 0
        && before[at + 1..].iter().all(|word| QUESTIONS.contains(&word.text.as_str()))
    {
        let number = last.text.parse::<u32>().ok().filter(|n| *n > 0)?;
        let option = option_ref(&phrase.part(0..at)).filter(|option| option.prompt.is_none())?;
        return Some(OptionRef { prompt: Some(number), ..option });
    }
    let takes = |words: &mut &[super::Word], labels: &[&str]| {
        let label =
            words.split_first().filter(|(first, rest)| labels.contains(&first.text.as_str()) && !rest.is_empty());
        label.map(|(_, rest)| *words = rest).is_some()
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // `no. 2 b` is an abbreviation of "number"; `no b` and `no 2b` are refusals.
    let numbered = words.get(1).is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
    if numbered && phrase.is_dotted(0) && takes(&mut words, &["no"]) {
        labelled = true;
    }
    while takes(&mut words, OPTIONS) || numbered && takes(&mut words, QUESTIONS) {
        labelled = true;
    }
    let first = words.first()?.text.as_str();
    let letters = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &first[..first.len() - letters.len()];
    let mut choice = letters;
    if letters.is_empty() && digits(number) {
        words = &words[1..];
        labelled |= takes(&mut words, OPTIONS);
        choice = words.first()?.text.as_str();
    }
    let lettered = !choice.is_empty() && choice.len() <= 2 && choice.bytes().all(|b| b.is_ascii_lowercase());
    let glued = !letters.is_empty() && !number.is_empty();
    let bare = !labelled && !glued;
    if words.len() != 1 || !lettered || bare && (choice.len() > 1 || !LETTERS.contains(&choice.as_bytes()[0])) {
        return None;
    }
    // 0 and numbers that overflow are not prompts.
    let prompt = match number {
        "" => None,
        number => Some(number.parse::<u32>().ok().filter(|n| *n > 0)?),
    };
    Some(OptionRef { prompt, choice: choice.to_owned() })
}
