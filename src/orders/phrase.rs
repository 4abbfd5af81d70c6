//! The words of an order, with where they stand in its line.

use std::{ops::Range, sync::Arc};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// One word of a [`Phrase`], made comparable, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Lower case, without accents, apostrophes and punctuation; never empty.
    pub text: String,
    /// Column of its first character, in characters from the start of the whole line.
    pub start: usize,
    /// The column after its last character.
    pub end: usize,
    /// A comma, or a full stop at the end of a word of several letters, stands before it: a name that is cut short or
    /// misspelt does not reach across.
    pub after_comma: bool,
}

/// One clause of a line: its words, each remembering its columns in the whole line.
///
/// Hyphens split words; apostrophes and the dots of initials are dropped: `Coeur d'Alene` is `coeur dalene`, `N.M.` is
/// `nm`. A sign stays with a number that follows white space (`-1`). `&` reads as `and`; `please` is no word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    line: Arc<str>,
    /// Bytes of `line` from the first word to the last.
    bytes: Range<usize>,
    /// The column where the clause's last word ends; for a phrase without words, where it starts.
    end: usize,
    words: Vec<Word>,
}

impl Phrase {
    /// The whole line as one phrase: `:`, `;` and "then" do not split it (see [`clauses`]).
    pub fn new(line: &str) -> Phrase {
        let line: Arc<str> = line.into();
        let marked: Vec<Marked> = line.char_indices().enumerate().map(Marked::new).collect();
        cut(&line, &marked, read_words(&marked))
    }

    /// The whole line that the clause was cut from; the columns of words and misreadings count in it.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// This clause as it was written, from its first word to its last: without the blanks and marks around it, but for the bracket that
    /// closes one within.
    pub fn text(&self) -> &str {
        let text = &self.line[self.bytes.clone()];
        let opened = text.matches('(').count() > text.matches(')').count();
        match opened && self.line[self.bytes.end..].starts_with(')') {
            true => &self.line[self.bytes.start..=self.bytes.end],
            false => text,
        }
    }

    /// The words, in order.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Some of its words as a phrase of their own, which remembers the same line; a range beyond the last word ends there.
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

    /// Its words as they are compared, with single blanks.
    #[must_use]
    pub fn plain(&self) -> String {
        self.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Whether a full stop stands right behind this word.
    #[must_use]
    pub fn is_dotted(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| self.line.chars().nth(word.end) == Some('.'))
    }

    /// Whether there is no word in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The column just after the last word: where something missing is missing.
    pub(super) fn end_column(&self) -> usize {
        self.end
    }
}

/// The words of a text as [`Phrase::new`] makes them, which is quick for the plain texts that most names are.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ') {
        let words = text.split(' ').map(str::to_ascii_lowercase);
        return words.filter(|word| !word.is_empty() && word != "please").collect();
    }
    Phrase::new(text).words.into_iter().map(|word| word.text).collect()
}

/// The clauses of one line of a mail, split at `:`, `;` and the word "then"; each is one order. Clauses without words
/// are left out.
///
/// A colon between digits is part of a time of day, and one between a number and a lone letter only sets off the
/// option: neither splits.
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
            // "and then" is one joint, not a word left over at the end of the clause before it.
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

/// Whether the mark at this column ends a clause.
fn splits(marked: &[Marked], column: usize) -> bool {
    let digit = |column: Option<usize>| column.and_then(|c| marked.get(c)).is_some_and(|m| m.char.is_ascii_digit());
    match marked[column].char {
        ';' => true,
        ':' => !(digit(column.checked_sub(1)) && digit(Some(column + 1))),
        _ => false,
    }
}

/// "2" and "b" with nothing but a colon between them.
fn sets_off_option(marked: &[Marked], number: &[Word], letter: &[Word]) -> bool {
    let ([number], [letter]) = (number, letter) else { return false };
    number.text.bytes().all(|b| b.is_ascii_digit())
        && letter.text.len() == 1
        && letter.text.bytes().all(|b| b.is_ascii_lowercase())
        && marked[number.end..letter.start].iter().all(|m| m.char == ':' || m.char.is_whitespace())
}

/// The phrase of these words of the line.
fn cut(line: &Arc<str>, marked: &[Marked], words: Vec<Word>) -> Phrase {
    let byte = |column: usize| marked.get(column).map_or(line.len(), |m| m.byte);
    let (bytes, end) = match (words.first(), words.last()) {
        (Some(first), Some(last)) => (byte(first.start)..byte(last.end), last.end),
        _ => (0..0, 0),
    };
    Phrase { line: Arc::clone(line), bytes, end, words }
}

/// One character of a line, and what it is to a word.
struct Marked {
    char: char,
    byte: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of a word.
    Letter,
    /// Of no account: neither part of a word nor its end (apostrophes, combining accents, soft hyphens).
    Nothing,
    Dot,
    Comma,
    Minus,
    Ampersand,
    /// Ends a word.
    Other,
}

/// A letter or digit of another form as orders are written with it: `１`, `①`, `۱`.
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

/// All the words of a line. Columns are indices into `marked`.
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
        // Letters since the last dot: initials have one each.
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
        // The dot of an initial or an abbreviation ("N. Cheyenne", "St. Louis") parts nothing.
        if kind(column) == Kind::Dot && end - start <= 3 {
            column += 1;
        }
        // Politeness orders nothing.
        if !text.is_empty() && text != "please" {
            words.push(Word { text, start, end, after_comma });
            after_comma = false;
        }
    }
    words
}

/// Whether the minus at this column is the sign of a whole number: white space before it, and digits alone after it.
fn is_sign(marked: &[Marked], column: usize) -> bool {
    let alone = column == 0 || marked[column - 1].char.is_whitespace() || marked[column - 1].char == '(';
    let mut digits = marked[column + 1..].iter().take_while(|m| m.kind == Kind::Letter).peekable();
    alone && digits.peek().is_some() && digits.all(|m| m.char.is_ascii_digit())
}

/// Appends the character in lower case and without its accent.
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
