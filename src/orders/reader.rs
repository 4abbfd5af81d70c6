//! Reading an order word by word: numbers, names, fixed words.

use std::{cmp::Reverse, ops::Range};

use super::{
    Misread, Names, Phrase, Word,
    names::{Found, is_function_word},
    text::list_or,
};

/// Beginnings of a keyword count from this length on.
const SHORTEST_CUT: usize = 3;

/// A cursor over the words of a [`Phrase`]. What does not match leaves it where it was; clone it to try a reading and
/// go back.
///
/// Keywords are given in lower case and are met in all their forms: "attack" by attacks, attacked and attacking, "party"
/// by parties, and, from four letters on, by a beginning of at least three ("att"). Where two keywords begin alike, ask
/// for both at once with [`eat_any`](Reader::eat_any), so that a beginning of both is neither.
#[derive(Debug, Clone)]
pub struct Reader<'p> {
    phrase: &'p Phrase,
    next: usize,
}

/// How a word meets a keyword, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    Same,
    Form,
    Cut,
    /// Only where nothing but a keyword can stand.
    Slip,
}

impl Phrase {
    /// A cursor at the first word.
    pub fn reader(&self) -> Reader<'_> {
        Reader { phrase: self, next: 0 }
    }
}

impl<'p> Reader<'p> {
    fn words(&self) -> &'p [Word] {
        &self.phrase.words()[self.next..]
    }

    /// The next word, not yet read.
    pub fn peek(&self) -> Option<&'p str> {
        self.words().first().map(|word| word.text.as_str())
    }

    /// Whether all words are read.
    pub fn at_end(&self) -> bool {
        self.words().is_empty()
    }

    /// Words read so far. Also a mark for [`fail_from`](Reader::fail_from).
    pub fn understood(&self) -> usize {
        self.next
    }

    /// The clause that is read.
    pub fn phrase(&self) -> &'p Phrase {
        self.phrase
    }

    /// What is left, as it was written, from the next word to the end of the last.
    pub fn rest(&self) -> &'p str {
        self.said(self.next..self.phrase.words().len())
    }

    /// Reads the keyword (of one or several words) if it comes next.
    pub fn eat(&mut self, keyword: &str) -> bool {
        self.eat_phrase(keyword)
    }

    /// Reads the one of these keywords that comes next: the index of the one met best (as it stands, then in another
    /// form, then by its beginning). None also where a beginning is that of several.
    pub fn eat_any(&mut self, keywords: &[&str]) -> Option<usize> {
        let (index, count) = self.meet_any(keywords, Meeting::Cut)?;
        self.next += count;
        Some(index)
    }

    /// Reads a keyword of several words if they come next, all or none; "warparty" is "war party" too.
    pub fn eat_phrase(&mut self, keywords: &str) -> bool {
        self.eat_any(&[keywords]).is_some()
    }

    /// Reads a keyword that must come next. Since nothing else can stand here, one slip in a word of five letters or
    /// more is forgiven.
    ///
    /// # Errors
    /// A [`Misread`] that points at the word that stands there instead, or past the end.
    pub fn expect(&mut self, keyword: &str) -> Result<(), Misread> {
        self.expect_any(&[keyword]).map(|_| ())
    }

    /// Reads one of these keywords, one of which must come next, and says which; forgiving as [`expect`](Reader::expect).
    ///
    /// # Errors
    /// A [`Misread`] as with `expect`, naming all of them.
    pub fn expect_any(&mut self, keywords: &[&str]) -> Result<usize, Misread> {
        if let Some((index, count)) = self.meet_any(keywords, Meeting::Slip) {
            self.next += count;
            return Ok(index);
        }
        let quoted: Vec<String> = keywords.iter().map(|keyword| format!("“{keyword}”")).collect();
        let Some(word) = self.peek() else {
            return Err(self.fail(format!("{} is missing at the end", list_or(&quoted))));
        };
        let mut misread = self.fail(format!("“{}” stands where {} should", self.said_next(), list_or(&quoted)));
        misread.nearest = super::near(word, keywords.iter().copied(), 3);
        Err(misread)
    }

    /// Reads over any of these words ("the", "of", "with") that come next.
    pub fn skip(&mut self, fillers: &[&str]) {
        while self.peek().is_some_and(|word| fillers.contains(&word)) {
            self.next += 1;
        }
    }

    /// Reads over the next word, whatever it is.
    pub fn skip_one(&mut self) {
        self.next = (self.next + 1).min(self.phrase.words().len());
    }

    /// Reads a whole number: `3`, `-1`, `x3`, `3x`, or in words up to twenty and by tens up to a hundred; "minus" may go
    /// before it.
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

    /// Reads a name of the list: the longest row of words that matches (see [`Names`]).
    ///
    /// # Errors
    /// A [`Misread`] when the words name nothing in the list, could name several values, or there are none left.
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

    /// Reads a name of the list if one comes next that stands for exactly one value.
    pub fn try_name<T: Copy + PartialEq>(&mut self, names: &Names<T>) -> Option<T> {
        match names.read(self.words(), self.next == 0) {
            Found::One(value, count) => {
                self.next += count;
                Some(value)
            }
            _ => None,
        }
    }

    /// Makes sure that nothing is left over.
    ///
    /// # Errors
    /// A [`Misread`] that points at all that is left.
    pub fn end(&self) -> Result<(), Misread> {
        if self.at_end() {
            return Ok(());
        }
        let all = self.next..self.phrase.words().len();
        let (start, end) = self.columns(all);
        let why = format!("“{}” is left over", self.rest());
        Err(Misread { start, end, why, nearest: Vec::new(), understood: self.next })
    }

    /// A misreading for this reason that points at the next word, or past the end.
    pub fn fail(&self, why: impl Into<String>) -> Misread {
        let (start, end) = self.columns(self.next..self.phrase.words().len().min(self.next + 1));
        Misread { start, end, why: why.into(), nearest: Vec::new(), understood: self.next }
    }

    /// A misreading that points at the words already read since `mark` (what [`understood`](Reader::understood) said
    /// there): for words that were understood but cannot be done.
    pub fn fail_from(&self, mark: usize, why: impl Into<String>) -> Misread {
        let (start, end) = self.columns(mark.min(self.next)..self.next);
        Misread { start, end, why: why.into(), nearest: Vec::new(), understood: self.next }
    }

    /// Columns of these words; for no words, the column where the next one should stand.
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

    /// These words as they were written.
    fn said(&self, range: Range<usize>) -> &'p str {
        let (start, end) = self.columns(range);
        let line = self.phrase.line();
        let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
        &line[byte(start)..byte(end)]
    }

    fn said_next(&self) -> &'p str {
        self.said(self.next..self.phrase.words().len().min(self.next + 1))
    }

    /// The index of the keyword that comes next and its count of words, if one is met best, and no worse than `worst`.
    fn meet_any(&self, keywords: &[&str], worst: Meeting) -> Option<(usize, usize)> {
        // A whole word beats a beginning; then of keywords that begin alike ("raid", "raid camp") the one that explains
        // more words is meant.
        let order = |(met, count): (Meeting, usize)| (met.max(Meeting::Form), Reverse(count), met);
        // A slip is forgiven in an order that is otherwise read, not in a word that stands alone.
        let worst = if self.phrase.words().len() == 1 { worst.min(Meeting::Cut) } else { worst };
        let met = || {
            let met = keywords.iter().enumerate().filter_map(|(index, keyword)| Some((index, self.meet(keyword)?)));
            met.filter(|(_, met)| met.0 <= worst)
        };
        let (index, best) = met().min_by_key(|(_, met)| order(*met))?;
        // The same keyword listed twice is no riddle.
        let rival = met().any(|(other, met)| order(met) == order(best) && keywords[other] != keywords[index]);
        (!rival).then_some((index, best.1))
    }

    /// How the next words meet all the words of the keyword (the worst of them counts), and how many they are.
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
                // A beginning of the words run together is a beginning of the first of them only: "war" is no war party.
                matches!(together, Meeting::Same | Meeting::Form).then_some((together, 1))
            }
            None => None,
        }
    }
}

fn one_slip(word: &str, keyword: &str) -> bool {
    word.chars().count() <= keyword.chars().count() + 1 && strsim::damerau_levenshtein(word, keyword) <= 1
}

/// How a word meets a keyword of one word. A function word is never another word cut short or misspelt: "for" is not fort.
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
        // "atacks" too: the slip may be in the third person.
        Some(Meeting::Slip)
    } else {
        None
    }
}

/// Whether the word is the keyword's plural, its third person, its past or its present participle. Short keywords ("a",
/// "in") have no forms.
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

/// The number that one word writes.
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
    // The check refuses what `parse` would take beyond a minus: a plus sign.
    unsigned.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
