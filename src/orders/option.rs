use super::Phrase;

/// Words that may be written before an option's number.
const LABELS: &[&str] = &["answer", "choice", "no", "nr", "number", "option", "prompt", "question"];

/// An answer by number: prompts are numbered from 1, their choices lettered a to z, then aa, ab and so on.
///
/// Whether such a prompt and such a choice exist is for the asker to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionRef {
    /// The prompt's number, from 1; none where only the choice was written: then the first prompt is meant for a letter,
    /// the only prompt for a number.
    pub prompt: Option<u32>,
    /// The choice, as lower-case letters or as digits.
    pub choice: String,
}

impl OptionRef {
    /// The choice counted from 0: `a` and `1` are 0, `z` is 25, `aa` is 26. None where no count is that long.
    pub fn index(&self) -> Option<usize> {
        if self.choice.bytes().all(|b| b.is_ascii_digit()) {
            return self.choice.parse::<usize>().ok()?.checked_sub(1);
        }
        let mut count = 0_usize;
        for letter in self.choice.bytes() {
            let digit = letter.checked_sub(b'a').filter(|digit| *digit < 26)?;
            count = count.checked_mul(26)?.checked_add(usize::from(digit) + 1)?;
        }
        count.checked_sub(1)
    }
}

/// The option that the phrase refers to, if it is nothing else than such a reference.
///
/// A choice of several letters must be written together with its prompt (`2ab`) or labelled (`option ab`): a lone "no"
/// or "ok" is a word.
///
/// ```
/// use postrider::orders::{OptionRef, Phrase, option_ref};
/// let read = |text| option_ref(&Phrase::new(text)).map(|option| (option.prompt, option.choice));
/// assert_eq!(read("1a"), Some((Some(1), "a".to_owned())));
/// assert_eq!(read("option 2 B."), Some((Some(2), "b".to_owned())));
/// assert_eq!(read("(b)"), Some((None, "b".to_owned())));
/// assert_eq!(read("3"), Some((None, "3".to_owned())));
/// assert_eq!(read("5 vp"), None);
/// ```
pub fn option_ref(phrase: &Phrase) -> Option<OptionRef> {
    let all: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
    let words: Vec<&str> = all.iter().copied().filter(|word| !LABELS.contains(word)).collect();
    let labelled = words.len() < all.len();
    let (number, letters) = match words[..] {
        [word] => {
            let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
            (&word[..word.len() - letters.len()], letters)
        }
        [number, letters] if letters.len() == 1 || labelled => (number, letters),
        _ => return None,
    };
    let alone = words.len() == 1 && number.is_empty();
    // 0 is no prompt and no choice; nor is a number that fits no list.
    let number = match number {
        "" if words.len() == 1 => None,
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => Some(digits.parse::<u32>().ok().filter(|n| *n > 0)?),
        _ => return None,
    };
    let lettered = !letters.is_empty() && letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_lowercase());
    match number {
        Some(number) if letters.is_empty() => Some(OptionRef { prompt: None, choice: number.to_string() }),
        Some(number) if lettered => Some(OptionRef { prompt: Some(number), choice: letters.to_owned() }),
        None if lettered && alone && (letters.len() == 1 || labelled) => {
            Some(OptionRef { prompt: None, choice: letters.to_owned() })
        }
        _ => None,
    }
}
