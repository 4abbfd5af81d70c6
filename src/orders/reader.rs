//! A cursor that reads an order word by word: numbers, names and keywords.

use std::{cmp::Reverse, ops::Range};

use super::{
    Misread, Names, Phrase, Word,
    names::{Found, is_function_word},
    text::list_or,
};

/// Minimum number of letters in an abbreviated keyword.
const SHORTEST_CUT: usize = 3;

/// A cursor over the words of a [`Phrase`]. A failed match does not move it. Clone it to try a
/// reading and go back.
///
/// Keywords are given in lower case and match in all their forms: "attack" matches attacks,
/// attacked and attacking, "party" matches parties. A keyword of four letters or more also matches
/// its beginning of at least three letters ("att"). If two keywords begin alike, try both at once
/// with [`eat_any`](Reader::eat_any), so that an ambiguous beginning matches neither.
#[derive(Debug, Clone)]
pub struct Reader<'p> {
    phrase: &'p Phrase,
    next: usize,
}

/// The way a word matches a keyword, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    Same,
    Form,
    Cut,
    /// With a typo. Only accepted where nothing but a keyword may occur.
    Slip,
}

impl Phrase {
    /// Returns a cursor at the first word.
    pub fn reader(&self) -> Reader<'_> {
        Reader { phrase: self, next: 0 }
    }
}

impl<'p> Reader<'p> {
    fn words(&self) -> &'p [Word] {
        &self.phrase.words()[self.next..]
    }

    /// Returns the next word without reading it.
    pub fn peek(&self) -> Option<&'p str> {
        self.words().first().map(|word| word.text.as_str())
    }

    /// Returns `true` if all words have been read.
    pub fn at_end(&self) -> bool {
        self.words().is_empty()
    }

    /// Returns the number of words read so far. It also serves as the mark for
    /// [`fail_from`](Reader::fail_from).
    pub fn understood(&self) -> usize {
        self.next
    }

    /// Returns the clause.
    pub fn phrase(&self) -> &'p Phrase {
        self.phrase
    }

    /// Returns the unread text as written, from the next word to the end of the last.
    pub fn rest(&self) -> &'p str {
        self.said(self.next..self.phrase.words().len())
    }

    /// Reads the keyword (one word or several) if it comes next.
    pub fn eat(&mut self, keyword: &str) -> bool {
        self.eat_phrase(keyword)
    }

    /// Reads one of these keywords if it comes next, and returns the index of the best match: the
    /// same word, otherwise another form, otherwise a beginning. Returns `None` also if a beginning
    /// is ambiguous.
    pub fn eat_any(&mut self, keywords: &[&str]) -> Option<usize> {
        let (index, count) = self.meet_any(keywords, Meeting::Cut)?;
        self.next += count;
        Some(index)
    }

    /// Reads a keyword of several words if all of them come next. "warparty" also matches "war
    /// party".
    pub fn eat_phrase(&mut self, keywords: &str) -> bool {
        self.eat_any(&[keywords]).is_some()
    }

    /// Reads a required keyword. One typo is accepted in a keyword of five letters or more, because
    /// nothing else may occur here.
    ///
    /// # Errors
    /// A [`Misread`] that points at the word found instead, or at the end.
    pub fn expect(&mut self, keyword: &str) -> Result<(), Misread> {
        self.expect_any(&[keyword]).map(|_| ())
    }

    /// Reads one of these keywords, one of which is required, and returns its index. It accepts
    /// typos like [`expect`](Reader::expect).
    ///
    /// # Errors
    /// A [`Misread`] like that of `expect`, which lists all keywords.
    pub fn expect_any(&mut self, keywords: &[&str]) -> Result<usize, Misread> {
        if let Some((index, count)) = self.meet_any(keywords, Meeting::Slip) {
            self.next += count;
            return Ok(index);
        }
        let quoted: Vec<String> = keywords.iter().map(|keyword| format!("“{keyword}”")).collect();
        let Some(word) = self.peek() else {
            return Err(self.fail(format!("{} is missing at the end", list_or(&quoted))));
        };
        let mut misread = self.fail(format!("{} is expected here, not “{}”", list_or(&quoted), self.said_next()));
        misread.nearest = super::near(word, keywords.iter().copied(), 3);
        Err(misread)
    }

    /// Skips any of these words ("the", "of", "with") that come next.
    pub fn skip(&mut self, fillers: &[&str]) {
        while self.peek().is_some_and(|word| fillers.contains(&word)) {
            self.next += 1;
        }
    }

    /// Skips the next word.
    pub fn skip_one(&mut self) {
        self.next = (self.next + 1).min(self.phrase.words().len());
    }

    /// Reads an integer: `3`, `-1`, `x3`, `3x`, or a number word up to twenty or for a multiple of
    /// ten up to a hundred. "minus" may precede it.
    pub fn number(&mut self) -> Option<i64> {
        let words = self.words();
        let (number, count) = match words {
            [minus, number, ..] if minus.text == "minus" => (-number_of(&number.text)?, 2),
            [number, ..] => (number_of(&number.text)?, 1),
            [] => return None,
        };
        self.next += count;
        Some(number)
    }

    /// Reads a name of the list, as many words as match (see [`Names`]).
    ///
    /// # Errors
    /// A [`Misread`] if the words name nothing in the list or could name several values, or if no
    /// words are left.
    pub fn name<T: Copy + PartialEq>(&mut self, names: &Names<T>) -> Result<T, Misread> {
        match names.read(self.words(), self.next == 0) {
            Found::One(value, count) => {
                self.next += count;
                Ok(value)
            }
            Found::Several(values, count) => {
                let after = self.next + count;
                Err(names.ambiguous(self.said(self.next..after), self.columns(self.next..after), &values, after))
            }
            Found::Nothing if self.at_end() => Err(names.missing(self.phrase.end_column(), self.next)),
            Found::Nothing => {
                let at = self.columns(self.next..self.next + 1);
                Err(names.unknown(self.said_next(), at, self.words(), self.next))
            }
        }
    }

    /// Reads a name of the list if one comes next that names exactly one value.
    pub fn try_name<T: Copy + PartialEq>(&mut self, names: &Names<T>) -> Option<T> {
        match names.read(self.words(), self.next == 0) {
            Found::One(value, count) => {
                self.next += count;
                Some(value)
            }
            _ => None,
        }
    }

    /// Checks that no words are left.
    ///
    /// # Errors
    /// A [`Misread`] that points at all remaining words.
    pub fn end(&self) -> Result<(), Misread> {
        if self.at_end() {
            return Ok(());
        }
        let all = self.next..self.phrase.words().len();
        let (start, end) = self.columns(all);
        let why = format!("“{}” is left over", self.rest());
        Err(Misread { start, end, why, nearest: Vec::new(), understood: self.next })
    }

    /// Returns a misreading for this reason that points at the next word, or at the end.
    pub fn fail(&self, why: impl Into<String>) -> Misread {
        let (start, end) = self.columns(self.next..self.phrase.words().len().min(self.next + 1));
        Misread { start, end, why: why.into(), nearest: Vec::new(), understood: self.next }
    }

    /// Returns a misreading that points at the words read since `mark`, an earlier result of
    /// [`understood`](Reader::understood): for words that were understood but cannot be carried
    /// out.
    pub fn fail_from(&self, mark: usize, why: impl Into<String>) -> Misread {
        let (start, end) = self.columns(mark.min(self.next)..self.next);
        Misread { start, end, why: why.into(), nearest: Vec::new(), understood: self.next }
    }

    /// Returns the columns of these words; for an empty range, the column where the next word would
    /// start.
    fn columns(&self, range: Range<usize>) -> (usize, usize) {
        match &self.phrase.words()[range.clone()] {
            [first, .., last] => (first.start, last.end),
            [only] => (only.start, only.end),
            [] => {
                let column = self.phrase.words().get(range.start).map_or(self.phrase.end_column(), |word| word.start);
                (column, column)
            }
        }
    }

    /// Returns these words as written.
    fn said(&self, range: Range<usize>) -> &'p str {
        let (start, end) = self.columns(range);
        let line = self.phrase.line();
        let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
        &line[byte(start)..byte(end)]
    }

    fn said_next(&self) -> &'p str {
        self.said(self.next..self.phrase.words().len().min(self.next + 1))
    }

    /// Returns the index and the number of words of the best matching keyword, if the match is
    /// unambiguous and no worse than `worst`.
    fn meet_any(&self, keywords: &[&str], worst: Meeting) -> Option<(usize, usize)> {
        // A whole word wins over a beginning. Among keywords that begin alike ("raid", "raid
        // camp"), the one that matches more words wins.
        let order = |(met, count): (Meeting, usize)| (met.max(Meeting::Form), Reverse(count), met);
        // A typo is accepted only in a clause of several words.
        let worst = if self.phrase.words().len() == 1 { worst.min(Meeting::Cut) } else { worst };
        let met = || {
            let met = keywords.iter().enumerate().filter_map(|(index, keyword)| Some((index, self.meet(keyword)?)));
            met.filter(|(_, met)| met.0 <= worst)
        };
        let (index, best) = met().min_by_key(|(_, met)| order(*met))?;
        // The same keyword may be listed twice.
        let rival = met().any(|(other, met)| order(met) == order(best) && keywords[other] != keywords[index]);
        (!rival).then_some((index, best.1))
    }

    /// Returns the worst match among all words of the keyword, and the number of words.
    fn meet(&self, keyword: &str) -> Option<(Meeting, usize)> {
        let words = self.words();
        let parts: Vec<&str> = keyword.split_whitespace().collect();
        if parts.is_empty() {
            return None;
        }
        let apart = (parts.len() <= words.len())
            .then(|| {
                parts.iter().zip(words).try_fold(Meeting::Same, |worst, (part, word)| {
                    let met = meeting(word, part)?;
                    Some(worst.max(met))
                })
            })
            .flatten();
        match apart {
            Some(met) => Some((met, parts.len())),
            None if parts.len() > 1 => {
                let together = meeting(words.first()?, &parts.concat())?;
                // A beginning of the joined words only matches the first of them: "war" is not "war
                // party".
                matches!(together, Meeting::Same | Meeting::Form).then_some((together, 1))
            }
            None => None,
        }
    }
}

fn one_slip(word: &str, keyword: &str) -> bool {
    word.chars().count() <= keyword.chars().count() + 1 && strsim::damerau_levenshtein(word, keyword) <= 1
}

/// Compares a word with a keyword of one word. A function word is never an abbreviated or
/// misspelled keyword: "for" is not fort.
fn meeting(word: &Word, keyword: &str) -> Option<Meeting> {
    let word = word.text.as_str();
    let letters = |text: &str| text.chars().count();
    if word == keyword {
        Some(Meeting::Same)
    } else if is_form(word, keyword) {
        Some(Meeting::Form)
    } else if is_function_word(word) {
        None
    } else if letters(keyword) >= 4 && letters(word) >= SHORTEST_CUT && keyword.starts_with(word) {
        Some(Meeting::Cut)
    } else if letters(keyword) >= 5
        && letters(word) >= 4
        && (one_slip(word, keyword) || word.strip_suffix('s').is_some_and(|word| one_slip(word, keyword)))
    {
        // Includes "atacks": a typo in the third person.
        Some(Meeting::Slip)
    } else {
        None
    }
}

/// Returns `true` if the word is the plural, third person, past or present participle of the
/// keyword. Keywords of one or two letters ("a", "in") have no forms.
fn is_form(word: &str, keyword: &str) -> bool {
    if keyword.len() < 3 {
        return false;
    }
    if let Some(ending) = word.strip_prefix(keyword) {
        let doubled = keyword.chars().next_back().is_some_and(|last| {
            ending.strip_prefix(last).is_some_and(|ending| !"aeiouy".contains(last) && matches!(ending, "ed" | "ing"))
        });
        return match ending {
            "s" | "es" | "ed" | "ing" => true,
            "d" => keyword.ends_with('e'),
            _ => doubled,
        };
    }
    let stem_and = |last: char, endings: &[&str]| {
        keyword
            .strip_suffix(last)
            .and_then(|stem| word.strip_prefix(stem))
            .is_some_and(|ending| endings.contains(&ending))
    };
    stem_and('y', &["ies", "ied"]) || stem_and('e', &["ing"])
}

/// The largest number that is read, which is the largest integer of a journal.
const LARGEST: i64 = (1 << 53) - 1;

/// Returns the number that a word denotes, from −[`LARGEST`] to [`LARGEST`].
fn number_of(word: &str) -> Option<i64> {
    const ONES: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const TENS: [&str; 9] = ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let spelt = |list: &[&str]| list.iter().position(|name| *name == word).and_then(|at| i64::try_from(at).ok());
    if let Some(number) = spelt(&ONES) {
        return Some(number);
    }
    if let Some(tens) = spelt(&TENS) {
        return Some((tens + 1) * 10);
    }
    if word == "hundred" {
        return Some(100);
    }
    let digits = word.strip_prefix('x').or_else(|| word.strip_suffix('x')).unwrap_or(word);
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    // Excludes a plus sign, which `parse` would accept.
    let number = unsigned.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    number.filter(|number| (-LARGEST..=LARGEST).contains(number))
}
