//! Words that people write in any mail.

use std::{collections::HashSet, sync::LazyLock};

/// One a line, as [`Word::text`](super::Word::text) spells words.
const LIST: &str = include_str!("words/everyday.txt");

static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| LIST.lines().collect());

/// Whether this is a word of everyday mails, in English or in the greetings and closings of other languages. Such a word means
/// only itself: `me` is no Mexico, `can` no Canby and `organ` no Oregon. `word` is lower case and without accents.
///
/// ```
/// use postrider::orders::is_everyday;
/// assert!(is_everyday("tomorrow") && !is_everyday("nebraska"));
/// ```
#[must_use]
pub fn is_everyday(word: &str) -> bool {
    WORDS.contains(word)
}
