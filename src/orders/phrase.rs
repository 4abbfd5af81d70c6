//! The words of an order and their columns in the line.

use std::{ops::Range, sync::Arc};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word of a [`Phrase`], normalized for comparison, with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word in lower case, without accents, apostrophes and punctuation. Never empty.
    pub text: String,
    /// Column of the first character, in characters from the start of the whole line.
    pub start: usize,
    /// Column after the last character.
    pub end: usize,
    /// `true` if a comma precedes the word, or a full stop that ends a word of several letters. An
    /// abbreviated or misspelled name does not extend across it.
    pub after_comma: bool,
}

/// A clause of a line, as words with their columns in the whole line.
///
/// Hyphens split words. Apostrophes and the dots of initials are removed: `Coeur d'Alene` becomes
/// `coeur dalene`, and `N.M.` becomes `nm`. A minus sign after white space belongs to its number
/// (`-1`). `&` becomes `and`, and `please` is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    line: Arc<str>,
    /// Byte range in `line` from the first word to the last.
    bytes: Range<usize>,
    /// Column after the last word; 0 for a phrase without words.
    end: usize,
    words: Vec<Word>,
}

impl Phrase {
    /// Creates one phrase from the whole line. `:`, `;` and "then" do not split it (see
    /// [`clauses`]).
    pub fn new(line: &str) -> Phrase {
        let line: Arc<str> = line.into();
        let marked: Vec<Marked> = line.char_indices().enumerate().map(Marked::new).collect();
        cut(&line, &marked, read_words(&marked))
    }

    /// Returns the whole line that the clause was cut from. Columns of words and misreadings refer
    /// to it.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Returns the clause as written, from its first word to its last, including a final `)` if its
    /// `(` is in the clause. Other punctuation around it is omitted.
    pub fn text(&self) -> &str {
        let text = &self.line[self.bytes.clone()];
        let opened = text.matches('(').count() > text.matches(')').count();
        match opened && self.line[self.bytes.end..].starts_with(')') {
            true => &self.line[self.bytes.start..=self.bytes.end],
            false => text,
        }
    }

    /// Returns the words in order.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns a range of the words as a phrase of the same line. The range is cut off at the last
    /// word.
    #[must_use]
    pub fn part(&self, words: Range<usize>) -> Phrase {
        let end = words.end.min(self.words.len());
        let words = self.words[words.start.min(end)..end].to_vec();
        let byte = |column: usize| self.line.char_indices().nth(column).map_or(self.line.len(), |(byte, _)| byte);
        let (bytes, end) = match (words.first(), words.last()) {
            (Some(first), Some(last)) => (byte(first.start)..byte(last.end), last.end),
            _ => (0..0, 0),
        };
        Phrase { line: Arc::clone(&self.line), bytes, end, words }
    }

    /// Returns the normalized words, separated by single spaces.
    #[must_use]
    pub fn plain(&self) -> String {
        self.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Returns `true` if a full stop directly follows this word.
    #[must_use]
    pub fn is_dotted(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| self.line.chars().nth(word.end) == Some('.'))
    }

    /// Returns `true` if the phrase has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns the column after the last word, where a missing word is reported.
    pub(super) fn end_column(&self) -> usize {
        self.end
    }
}

/// Returns the words of a text as [`Phrase::new`] does, with a fast path for plain ASCII, which
/// most names are.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
        let words = text.split(' ').map(str::to_ascii_lowercase);
        return words.filter(|word| !word.is_empty() && word != "please").collect();
    }
    Phrase::new(text).words.into_iter().map(|word| word.text).collect()
}

/// Splits a line of a mail into clauses at `:`, `;` and the word "then". Each is one order. Clauses
/// without words are omitted.
///
/// A colon does not split between digits, where it is part of a time of day, and between a number
/// and a single letter, where it precedes an option.
///
/// ```
/// use postrider_orders::clauses;
/// let texts = |line| clauses(line).iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
/// assert_eq!(texts("play raid: apache raid mexico"), ["play raid", "apache raid mexico"]);
/// assert_eq!(texts("evade, then pursue; accept"), ["evade", "pursue", "accept"]);
/// assert_eq!(texts("2: b"), ["2: b"]);
/// ```
pub fn clauses(line: &str) -> Vec<Phrase> {
    let line: Arc<str> = line.into();
    let marked: Vec<Marked> = line.char_indices().enumerate().map(Marked::new).collect();
    let mut groups: Vec<Vec<Word>> = vec![Vec::new()];
    let mut read_to = 0;
    for word in read_words(&marked) {
        let split = (read_to..word.start).any(|column| splits(&marked, column));
        read_to = word.end;
        if word.text == "then" {
            // "and then" is one separator, so "and" does not end the clause before it.
            if let Some(before) = groups.last_mut() {
                before.pop_if(|last| last.text == "and");
            }
            groups.push(Vec::new());
            continue;
        }
        if split {
            groups.push(Vec::new());
        }
        if let Some(group) = groups.last_mut() {
            group.push(word);
        }
    }
    groups.retain(|words| !words.is_empty());

    let mut joined: Vec<Vec<Word>> = Vec::new();
    for words in groups {
        match joined.last_mut() {
            Some(last) if sets_off_option(&marked, last, &words) => last.extend(words),
            _ => joined.push(words),
        }
    }
    joined.into_iter().map(|words| cut(&line, &marked, words)).collect()
}

/// Returns `true` if the character at this column ends a clause.
fn splits(marked: &[Marked], column: usize) -> bool {
    let digit = |column: Option<usize>| column.and_then(|c| marked.get(c)).is_some_and(|m| m.char.is_ascii_digit());
    match marked[column].char {
        ';' => true,
        ':' => !(digit(column.checked_sub(1)) && digit(Some(column + 1))),
        _ => false,
    }
}

/// Returns `true` for a number and a letter with only a colon between them: "2: b".
fn sets_off_option(marked: &[Marked], number: &[Word], letter: &[Word]) -> bool {
    let ([number], [letter]) = (number, letter) else { return false };
    number.text.bytes().all(|b| b.is_ascii_digit())
        && letter.text.len() == 1
        && letter.text.bytes().all(|b| b.is_ascii_lowercase())
        && marked[number.end..letter.start].iter().all(|m| m.char == ':' || m.char.is_whitespace())
}

/// Creates the phrase of these words of the line.
fn cut(line: &Arc<str>, marked: &[Marked], words: Vec<Word>) -> Phrase {
    let byte = |column: usize| marked.get(column).map_or(line.len(), |m| m.byte);
    let (bytes, end) = match (words.first(), words.last()) {
        (Some(first), Some(last)) => (byte(first.start)..byte(last.end), last.end),
        _ => (0..0, 0),
    };
    Phrase { line: Arc::clone(line), bytes, end, words }
}

/// A character of a line and its role in words.
struct Marked {
    char: char,
    byte: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of a word.
    Letter,
    /// Ignored: neither part of a word nor the end of one (apostrophes, combining accents, soft
    /// hyphens).
    Nothing,
    Dot,
    Comma,
    Minus,
    Ampersand,
    /// Ends a word.
    Other,
}

/// Returns the plain form of a letter or digit written in another way: `１`, `①`, `۱`.
fn plain_form(char: char) -> char {
    let digit = |first: u32| char::from_digit(u32::from(char) - first, 10).unwrap_or(char);
    match u32::from(char) {
        0..0x80 => char,
        0x660..=0x669 => digit(0x660),
        0x6f0..=0x6f9 => digit(0x6f0),
        0x966..=0x96f => digit(0x966),
        _ => {
            let mut form = std::iter::once(char).nfkc();
            form.next().filter(|plain| plain.is_ascii() && form.next().is_none()).unwrap_or(char)
        }
    }
}

impl Marked {
    fn new((_, (byte, char)): (usize, (usize, char))) -> Marked {
        let char = plain_form(char);
        let kind = match char {
            '\'' | '’' | '‘' | '‛' | 'ʼ' | '`' | '´' | '′' => Kind::Nothing,
            '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => Kind::Nothing,
            '.' => Kind::Dot,
            ',' => Kind::Comma,
            '-' | '\u{2212}' => Kind::Minus,
            '&' => Kind::Ampersand,
            c if c.is_alphanumeric() => Kind::Letter,
            _ => Kind::Other,
        };
        Marked { char, byte, kind }
    }
}

/// Returns all words of a line. Columns are indices into `marked`.
fn read_words(marked: &[Marked]) -> Vec<Word> {
    let kind = |column: usize| marked.get(column).map_or(Kind::Other, |m| m.kind);
    let mut words = Vec::new();
    let mut after_comma = false;
    let mut column = 0;
    while column < marked.len() {
        let start = column;
        match kind(column) {
            Kind::Letter => {}
            Kind::Minus if is_sign(marked, column) => {}
            Kind::Ampersand => {
                column += 1;
                words.push(Word { text: "and".to_owned(), start, end: column, after_comma });
                after_comma = false;
                continue;
            }
            other => {
                after_comma |= matches!(other, Kind::Comma | Kind::Dot);
                column += 1;
                continue;
            }
        }
        let mut text = String::new();
        if kind(column) == Kind::Minus {
            text.push('-');
            column += 1;
        }
        let mut end = column;
        // Number of letters since the last dot. In initials it is 1.
        let mut run = 0;
        loop {
            match kind(column) {
                Kind::Letter => {
                    fold(marked[column].char, &mut text);
                    run += 1;
                    end = column + 1;
                }
                Kind::Nothing => {}
                Kind::Dot if run == 1 && marked[end - 1].char.is_alphabetic() && kind(column + 1) == Kind::Letter => {
                    run = 0;
                }
                _ => break,
            }
            column += 1;
        }
        // `w/ crook`, `w/o`
        if text == "w" && marked.get(column).is_some_and(|next| next.char == '/') {
            let without =
                marked.get(column + 1).is_some_and(|next| next.char == 'o') && kind(column + 2) != Kind::Letter;
            text = if without { "without" } else { "with" }.to_owned();
            column += 1 + usize::from(without);
            end = column;
        }
        // The dot of an initial or an abbreviation ("N. Cheyenne", "St. Louis") does not separate
        // words.
        if kind(column) == Kind::Dot && end - start <= 3 {
            column += 1;
        }
        // "please" has no meaning.
        if !text.is_empty() && text != "please" {
            words.push(Word { text, start, end, after_comma });
            after_comma = false;
        }
    }
    words
}

/// Returns `true` if the minus at `column` is the sign of an integer: it follows white space, a
/// parenthesis or nothing, and precedes digits only.
fn is_sign(marked: &[Marked], column: usize) -> bool {
    let alone = column == 0 || marked[column - 1].char.is_whitespace() || marked[column - 1].char == '(';
    let mut digits = marked[column + 1..].iter().take_while(|m| m.kind == Kind::Letter).peekable();
    alone && digits.peek().is_some() && digits.all(|m| m.char.is_ascii_digit())
}

/// Appends the character in lower case without its accent.
fn fold(char: char, text: &mut String) {
    match char {
        _ if char.is_ascii() => text.push(char.to_ascii_lowercase()),
        'Æ' | 'æ' => text.push_str("ae"),
        'Œ' | 'œ' => text.push_str("oe"),
        'ß' => text.push_str("ss"),
        'Þ' | 'þ' => text.push_str("th"),
        'Ø' | 'ø' => text.push('o'),
        'Ð' | 'ð' | 'Đ' | 'đ' => text.push('d'),
        'Ł' | 'ł' => text.push('l'),
        'ı' => text.push('i'),
        _ => text.extend(char.to_lowercase().nfd().filter(|char| !is_combining_mark(*char))),
    }
}
