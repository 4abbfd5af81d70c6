//! Names of a game's pieces and places, found even if they are abbreviated or misspelled.

use super::{
    Misread, Phrase, Word,
    phrase::plain_words,
    text::{LONGEST_COMPARED, begin_alike, list_or, slips, with_article},
};

/// The closed class of English function words, in alphabetical order. They are never an abbreviated
/// or misspelled name or keyword ("in" is not Indian Territory, "for" is not fort, "not" is not
/// nothing).
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "after", "against", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "before", "but", "by", "can", "could", "did", "do", "does", "dont", "for", "from", "had", "has", "have", "he",
    "her", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "more", "my", "never", "no", "none",
    "nor", "not", "of", "off", "on", "once", "one", "only", "or", "our", "out", "over", "she", "so", "some", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "under", "until",
    "up", "us", "via", "vs", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "without",
    "would", "you", "your",
];

/// Returns `true` if the word is an English function word.
pub fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// Minimum number of letters in a word that may be misspelled.
const SHORTEST_MISSPELT: usize = 5;

/// Negations, which are never omitted from an abbreviated name.
const DENYING: &[&str] = &["not", "no", "dont", "never", "without", "but"];

/// Returns `true` if the word is a negation.
pub fn denies(word: &str) -> bool {
    DENYING.contains(&word)
}

/// Number of words tried for a name even if all names of the list are shorter, as in "coeur d
/// alene".
const SHORTEST_LOOK_AHEAD: usize = 4;

/// Maximum number of candidates listed for an ambiguous name.
const MOST_LISTED: usize = 6;

/// Maximum number of suggestions for an unknown name.
const MOST_OFFERED: usize = 3;

/// A list of names and their values. A value may have several names (aliases, codes).
///
/// A name is found by its own words. Otherwise it is found by abbreviated words that occur in the
/// name in the same order ("crook" for George Crook, "teton 2" for Teton Sioux 2). Otherwise it is
/// found by the whole name with at most one typo in each word of five letters or more: a letter too
/// many, missing or wrong, or two letters exchanged; the first letter must be right, or exchanged
/// with the second. The result must be exactly one value. Function words ("the", "not") are never
/// abbreviated or misspelled names.
///
/// ```
/// use postrider_orders::Names;
/// let villages = Names::from_iter("village", [("Teton Sioux 1", 1), ("Teton Sioux 2", 2), ("Northern Cheyenne", 3)]);
/// assert_eq!(villages.find("teton 2").unwrap(), 2);
/// assert_eq!(villages.find("n cheyenne").unwrap(), 3);
/// assert_eq!(villages.find("teton").unwrap_err().to_string(), "“teton” could be Teton Sioux 1 or Teton Sioux 2");
/// ```
#[derive(Debug, Clone)]
pub struct Names<T> {
    what: &'static str,
    names: Vec<Name<T>>,
    /// Number of words in the longest name.
    longest: usize,
}

#[derive(Debug, Clone)]
struct Name<T> {
    text: String,
    words: Vec<String>,
    squeezed: String,
    value: T,
}

/// The ways to compare words with names, strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The same words.
    Exact,
    /// The same letters with different spacing: "newmexico".
    Squeezed,
    /// Words of the name, or their beginnings, in order.
    Cut,
    /// All words of the name, each with at most one typo.
    Near,
}

const LEVELS: [Level; 4] = [Level::Exact, Level::Squeezed, Level::Cut, Level::Near];

/// The values that a sequence of words names, and the number of words used.
#[derive(Debug)]
pub(super) enum Found<T> {
    One(T, usize),
    Several(Vec<T>, usize),
    Nothing,
}

impl<T: Copy + PartialEq> Names<T> {
    /// Creates an empty list. `what` describes a value in error messages, in the singular: "place",
    /// "village", "card".
    pub fn new(what: &'static str) -> Self {
        Names { what, names: Vec::new(), longest: 0 }
    }

    /// Creates a list of these names.
    pub fn from_iter<S: AsRef<str>>(what: &'static str, names: impl IntoIterator<Item = (S, T)>) -> Self {
        let mut list = Names::new(what);
        for (name, value) in names {
            list.add(name.as_ref(), value);
        }
        list
    }

    /// Adds a name. Error messages show the first name of each value. A name without letters or
    /// digits could never be read and is not added.
    pub fn add(&mut self, name: &str, value: T) -> &mut Self {
        let words = plain_words(name);
        if !words.is_empty() {
            self.longest = self.longest.max(words.len());
            self.names.push(Name { text: name.trim().to_owned(), squeezed: words.concat(), words, value });
        }
        self
    }

    /// Returns the description of a value, in the singular.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the first name of a value, as it was added.
    pub fn name_of(&self, value: T) -> Option<&str> {
        self.names.iter().find(|name| name.value == value).map(|name| name.text.as_str())
    }

    /// Returns the value named by the whole text.
    ///
    /// # Errors
    /// A [`Misread`] with columns in `text` if the text names nothing or could name several values.
    pub fn find(&self, text: &str) -> Result<T, Misread> {
        let phrase = Phrase::new(text);
        let words = phrase.words();
        let found = LEVELS
            .iter()
            .map(|&level| self.matching(level, words, false))
            .find(|values| !values.is_empty())
            .map_or(Found::Nothing, |values| Found::of(values, words.len()));
        let (start, end) = (words.first().map_or(0, |word| word.start), phrase.end_column());
        match found {
            Found::One(value, _) => Ok(value),
            Found::Several(values, _) => Err(self.ambiguous(phrase.text(), (start, end), &values, words.len())),
            Found::Nothing if words.is_empty() => Err(self.missing(end, 0)),
            Found::Nothing => Err(self.unknown(phrase.text(), (start, end), words, 0)),
        }
    }

    /// Returns `true` if the whole text is a name of this value, ignoring case and spacing, but
    /// neither abbreviated nor misspelled.
    pub fn is_spelt_out(&self, text: &str, value: T) -> bool {
        let phrase = Phrase::new(text);
        let spelt = |level: Level| self.matching(level, phrase.words(), false) == [value];
        spelt(Level::Exact) || spelt(Level::Squeezed)
    }

    /// Returns the value named by the first of these words.
    ///
    /// The longest sequence that matches at the strictest level is the name. More words belong to
    /// it if a less strict reading of them confirms or narrows down the result: in "mimbres
    /// apahce", both words name the Mimbres Apache. They never change the result: in "texas r", the
    /// name is Texas and "r" is left over, even if other names begin with Texas.
    ///
    /// `bare` is `true` if no word that announces a name was read before it.
    pub(super) fn read(&self, words: &[Word], bare: bool) -> Found<T> {
        let most = words.len().min(self.longest.max(SHORTEST_LOOK_AHEAD));
        let best = LEVELS.iter().enumerate().find_map(|(rank, &level)| {
            (1..=most).rev().find_map(|count| {
                let values = self.matching(level, &words[..count], bare);
                (!values.is_empty()).then_some((rank, count, values))
            })
        });
        let Some((rank, count, values)) = best else { return Found::Nothing };
        // More words may confirm or narrow down the result, but never change it.
        for longer in (count + 1..=most).rev() {
            for &level in &LEVELS[rank + 1..] {
                let narrowed = self.matching(level, &words[..longer], bare);
                if !narrowed.is_empty() && narrowed.iter().all(|value| values.contains(value)) {
                    return Found::of(narrowed, longer);
                }
            }
        }
        Found::of(values, count)
    }

    /// Returns the distinct values whose names match all of these words at this level.
    fn matching(&self, level: Level, words: &[Word], bare: bool) -> Vec<T> {
        let loose = matches!(level, Level::Cut | Level::Near);
        if words.is_empty() || (loose && !may_be_cut(words, bare)) {
            return Vec::new();
        }
        let squeezed: String = if level == Level::Squeezed {
            words.iter().map(|word| word.text.as_str()).collect()
        } else {
            String::new()
        };
        // At these levels, each word needs its own word in the name.
        let fewest = if loose { words.len() } else { 0 };
        let collect = |matches: &dyn Fn(&Name<T>) -> bool| {
            let mut values = Vec::new();
            for name in self.names.iter().filter(|name| name.words.len() >= fewest && matches(name)) {
                if !values.contains(&name.value) {
                    values.push(name.value);
                }
            }
            values
        };
        match level {
            Level::Exact => collect(&|name| name.words.iter().eq(words.iter().map(|word| &word.text))),
            Level::Squeezed => collect(&|name| name.squeezed == squeezed),
            Level::Cut => {
                // Whole words win over beginnings: "crook" is George Crook even if Crooked Lance is
                // in the list.
                let whole = collect(&|name| in_order(words, &name.words, |given, full| given.text == full));
                if whole.is_empty() { collect(&|name| in_order(words, &name.words, is_cut)) } else { whole }
            }
            // A name may not be both abbreviated and misspelled: "back" is not the Black Hills.
            Level::Near => collect(&|name| {
                name.words.len() == words.len()
                    && words.iter().zip(&name.words).all(|(given, full)| given.text == *full || is_near(given, full))
            }),
        }
    }

    /// Returns the error for several possible values.
    pub(super) fn ambiguous(&self, said: &str, at: (usize, usize), values: &[T], understood: usize) -> Misread {
        let names: Vec<String> = values.iter().filter_map(|&value| self.name_of(value)).map(str::to_owned).collect();
        let mut listed: Vec<String> = names.iter().take(MOST_LISTED).cloned().collect();
        let nearest = listed.clone();
        if names.len() > MOST_LISTED {
            listed.push(format!("{} more", names.len() - MOST_LISTED));
        }
        let why = format!("“{said}” could be {}", list_or(&listed));
        Misread { start: at.0, end: at.1, why, nearest, understood }
    }

    /// Returns the error for an unknown name, which was to be read from `words`.
    pub(super) fn unknown(&self, said: &str, at: (usize, usize), words: &[Word], understood: usize) -> Misread {
        let why = format!("no {} is called “{said}”", self.what);
        Misread { start: at.0, end: at.1, why, nearest: self.nearest(words), understood }
    }

    /// Returns the error for a clause that ends before a name.
    pub(super) fn missing(&self, column: usize, understood: usize) -> Misread {
        let why = format!("{} is missing at the end", with_article(self.what));
        Misread { start: column, end: column, why, nearest: Vec::new(), understood }
    }

    /// Returns the names that the first words may misspell, one per value: at most three of eight
    /// letters differ.
    fn nearest(&self, words: &[Word]) -> Vec<String> {
        let mut said = Vec::new();
        for word in words.iter().take(3) {
            let longer = said.last().map_or_else(|| word.text.clone(), |before| format!("{before} {}", word.text));
            said.push(longer);
        }
        said.retain(|said| !is_function_word(said));
        let mut found: Vec<(usize, &str)> = Vec::new();
        for name in &self.names {
            let full = name.words.join(" ");
            let all = std::iter::once(full.as_str()).chain(name.words.iter().map(|word| &**word));
            let Some(least) = all.flat_map(|name| said.iter().filter_map(move |said| slips(said, name))).min() else {
                continue;
            };
            let Some(shown) = self.name_of(name.value) else { continue };
            match found.iter_mut().find(|(_, other)| *other == shown) {
                Some(known) => known.0 = known.0.min(least),
                None => found.push((least, shown)),
            }
        }
        found.sort_by_key(|(slips, _)| *slips);
        found.into_iter().take(MOST_OFFERED).map(|(_, name)| name.to_owned()).collect()
    }
}

impl<T: Copy> Found<T> {
    fn of(values: Vec<T>, count: usize) -> Self {
        match values[..] {
            [] => Found::Nothing,
            [value] => Found::One(value, count),
            _ => Found::Several(values, count),
        }
    }
}

/// Returns `true` if these words may be an abbreviated or misspelled name: there is no comma
/// between them, and at least one is long enough and not a function word.
fn may_be_cut(words: &[Word], bare: bool) -> bool {
    let telling = |word: &Word| {
        word.text.chars().filter(|c| c.is_alphabetic()).count() >= if bare { 3 } else { 2 }
            && !is_function_word(&word.text)
    };
    words.iter().skip(1).all(|word| !word.after_comma) && words.iter().any(telling)
}

/// Returns `true` if the given words match words of the name in order. Other words of the name may
/// be omitted, except negations: `do evade` does not abbreviate `do not evade`.
fn in_order(given: &[Word], name: &[String], matches: impl Fn(&Word, &str) -> bool) -> bool {
    let denies = |word: &String| DENYING.contains(&word.as_str());
    let mut name = name.iter();
    given
        .iter()
        .all(|given| name.find(|full| matches(given, full) || denies(full)).is_some_and(|full| matches(given, full)))
        && !name.any(denies)
}

/// Returns `true` if `given` is `full`, its beginning, or its plural. A number is never
/// abbreviated: 1 is not 10, but 7 may be 7th.
fn is_cut(given: &Word, full: &str) -> bool {
    let given = given.text.as_str();
    if given.strip_suffix('s') == Some(full) && full.chars().count() >= SHORTEST_MISSPELT {
        return true;
    }
    let Some(rest) = full.strip_prefix(given) else { return false };
    let splits_number = given.ends_with(|c: char| c.is_numeric()) && rest.starts_with(|c: char| c.is_numeric());
    rest.is_empty() || (!splits_number && !is_function_word(given))
}

/// Returns `true` if `given` is `full` with at most one typo. Numbers and function words are never
/// misspelled, and the first letter must be right or exchanged with the second.
fn is_near(given: &Word, full: &str) -> bool {
    let given = given.text.as_str();
    // A quick check, because most names differ in their first letters.
    if !begin_alike(given, full) {
        return false;
    }
    let numeric = |word: &str| word.contains(|c: char| c.is_numeric());
    if numeric(given) || numeric(full) || is_function_word(given) {
        return false;
    }
    let (given_length, full_length) = (given.chars().count(), full.chars().count());
    let comparable =
        (SHORTEST_MISSPELT..=LONGEST_COMPARED).contains(&full_length) && given_length.abs_diff(full_length) <= 1;
    comparable && strsim::damerau_levenshtein(given, full) <= 1
}
