//! The lists in the answered letter.

use postrider_letters::shown;
use postrider_orders::{OptionRef, Phrase, denies, is_function_word, list_or, option_letter, option_ref, sentences};
use postrider_store::Players;
use postrider_table::{AnyOrder, Listed, PromptId, Understood};

/// The maximum number of words of a line that is compared with the options, and of letters of each
/// word. A line may be hostile.
const LONGEST_LINE: usize = 32;

/// The minimum length of a word that may match the beginning of a longer one.
const SHORTEST_CUT: usize = 4;

/// The questions and options in the letter that a mail answers. A number or a letter means one of
/// these or nothing.
#[derive(Default)]
pub(crate) struct Sheet {
    questions: Vec<Asked>,
}

/// A question in the letter.
pub(crate) struct Asked {
    listed: Listed,
    /// Its options as printed.
    options: Vec<Printed>,
    /// The words of its title.
    title: String,
    /// The rest of its text by paragraphs, in comparable words.
    says: Vec<String>,
}

/// An option in the letter, in comparable words.
struct Printed {
    words: String,
    note: String,
}

impl Sheet {
    /// Makes the sheet of a letter that lists these questions in this order.
    pub fn new(questions: &[Listed], seats: &Players) -> Sheet {
        let (asked, open) = shown(questions, seats);
        let printed = asked.into_iter().chain(open);
        let mut all: Vec<(usize, Asked)> = Vec::new();
        for question in printed {
            let Some(listed) = questions.get(question.no - 1) else { continue };
            let option = |option: &postrider_letters::QuestionOption| Printed {
                words: plain(&option.words),
                note: plain(&option.note),
            };
            let asked = Asked {
                listed: listed.clone(),
                options: question.options.iter().map(option).collect(),
                title: plain(&question.title),
                says: question.lines.iter().chain(&question.drawing).flat_map(|line| parts(line)).collect(),
            };
            all.push((question.no, asked));
        }
        all.sort_by_key(|(no, _)| *no);
        Sheet { questions: all.into_iter().map(|(_, asked)| asked).collect() }
    }

    /// Returns `true` if this question is in the letter.
    pub fn asks(&self, prompt: PromptId) -> bool {
        self.questions.iter().any(|asked| asked.listed.asked.id == prompt)
    }

    /// Returns `true` if a question of this kind is in the letter.
    pub fn asks_kind(&self, kind: &str) -> bool {
        self.questions.iter().any(|asked| asked.listed.asked.kind == kind)
    }

    /// Returns the index of the question with this number, or the reason why there is none.
    fn place(&self, number: u32) -> Result<usize, String> {
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        at.filter(|&at| at < self.len()).ok_or_else(|| match self.len() {
            0 => "that letter listed no question".to_owned(),
            listed => format!("there is no question {number}; the letter you answer lists {listed}"),
        })
    }

    /// Returns the question with this number.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn numbered(&self, number: u32) -> Result<PromptId, String> {
        Ok(self.questions[self.place(number)?].listed.asked.id)
    }

    /// Returns the number of questions in the letter.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Returns the questions with lists to which a letter without a number may refer: the required
    /// ones, if there are any.
    fn lettered(&self) -> Vec<usize> {
        let listed = |required: bool| {
            let all = self.questions.iter().enumerate();
            all.filter(move |(_, asked)| !asked.options.is_empty() && asked.listed.asked.required == required)
                .map(|(at, _)| at)
        };
        let required: Vec<usize> = listed(true).collect();
        if required.is_empty() { listed(false).collect() } else { required }
    }

    /// Returns the option that a reference means, with its words.
    ///
    /// # Errors
    /// The reason why it means none.
    pub fn pick(&self, option: &OptionRef) -> Result<(Understood, String), String> {
        let choice = &option.choice;
        let at = match (option.prompt, &self.lettered()[..]) {
            (Some(number), _) => self.place(number)?,
            (None, []) => return Err("the letter you answer lists no options; please answer it in words".to_owned()),
            (None, [at]) => *at,
            (None, several) => {
                let all: Vec<String> = several.iter().map(|at| format!("`{}{choice}`", at + 1)).collect();
                return Err(format!("the letter you answer lists several questions; please write {}", list_or(&all)));
            }
        };
        let asked = &self.questions[at];
        let found = option.index().filter(|&index| index < asked.options.len());
        match (found.and_then(|index| asked.listed.choices.get(index)), asked.options.len()) {
            (Some(choice), _) => {
                Ok((Understood::answer(&asked.listed.asked, choice.order.clone()), choice.words.clone()))
            }
            (None, 0) => Err(format!("question {} lists no options; please answer it in words", at + 1)),
            (None, options) => {
                let (from, to) = (option_letter(0), option_letter(options - 1));
                Err(format!("question {} has no option {choice}; its options go from {from} to {to}", at + 1))
            }
        }
    }

    /// Returns the option of which the phrase is a copy: its words, perhaps with its letter before
    /// them and its note after them.
    pub fn copied(&self, phrase: &Phrase) -> Option<Understood> {
        let said = phrase.plain();
        if said.is_empty() {
            return None;
        }
        let mut found: Option<Understood> = None;
        for (at, asked) in self.questions.iter().enumerate() {
            for (index, option) in asked.options.iter().enumerate() {
                let letters = option_letter(index);
                let bare =
                    [&format!("{letters} "), &format!("{} {letters} ", at + 1), &format!("{}{letters} ", at + 1)]
                        .iter()
                        .find_map(|label| said.strip_prefix(label.as_str()));
                let is_this = |text: &str| {
                    let rest = text.strip_prefix(option.words.as_str());
                    rest.is_some_and(|rest| match rest.strip_prefix(' ') {
                        None => rest.is_empty(),
                        // The note, complete or as far as it fits on a line of the letter.
                        Some(note) => option.note == note || option.note.starts_with(&format!("{note} ")),
                    })
                };
                if option.words.is_empty() || !(is_this(&said) || bare.is_some_and(is_this)) {
                    continue;
                }
                let order: &AnyOrder = &asked.listed.choices[index].order;
                let this = Understood::answer(&asked.listed.asked, order.clone());
                match &found {
                    // Two questions list the same words. Without a number, the one asked first is
                    // meant.
                    Some(other) if other.prompt != this.prompt => {}
                    _ => found = Some(this),
                }
            }
        }
        found
    }

    /// Returns the option that a line misspells or cuts short, with its words. Returns `None` if
    /// two options are equally likely.
    pub fn nearest(&self, phrase: &Phrase) -> Option<(Understood, String)> {
        let alike = |word: &str, other: &str| {
            let cut =
                word.len().min(other.len()) >= SHORTEST_CUT && (word.starts_with(other) || other.starts_with(word));
            word == other
                || !denies(word)
                    && !denies(other)
                    && (cut || word.len() >= SHORTEST_CUT && 3 * strsim::damerau_levenshtein(word, other) <= word.len())
        };
        let words: Vec<&str> = phrase.words().iter().map(|word| word.text.as_str()).collect();
        if words.len() > LONGEST_LINE || words.iter().any(|word| word.len() > LONGEST_LINE) {
            return None;
        }
        let has = |option: &Printed, word: &str| option.words.split(' ').any(|other| alike(word, other));
        let (mut best, mut most, mut again) = (None, 0, false);
        for asked in &self.questions {
            let in_option = |option: &&Printed, word: &str| option.words.split(' ').any(|other| other == word);
            let rare = |word: &str| {
                2 * asked.options.iter().filter(|option| in_option(option, word)).count() <= asked.options.len()
            };
            for (option, choice) in asked.options.iter().zip(&asked.listed.choices) {
                let shared = words.iter().filter(|word| tells(word) && has(option, word)).count();
                // The line must have every word that distinguishes this option, and every negation:
                // `react all` does not mean `no reaction`.
                let apart = |word: &str| tells(word) && rare(word) && !words.iter().any(|said| alike(said, word));
                let denied = |word: &str| denies(word) && !words.contains(&word);
                // The order of a list's items may matter.
                let mut in_turn = option.words.split(' ');
                let ordered = words.iter().filter(|word| tells(word) && has(option, word));
                let mixed =
                    choice.words.contains(',') && !{ ordered }.all(|word| in_turn.any(|other| alike(word, other)));
                // Any other word may limit or replace the answer.
                if shared == 0
                    || mixed
                    || words.iter().any(|word| !has(option, word))
                    || option.words.split(' ').any(|word| apart(word) || denied(word))
                {
                    continue;
                }
                again = shared == most || shared < most && again;
                if shared > most {
                    let answer = Understood::answer(&asked.listed.asked, choice.order.clone());
                    (best, most) = (Some((answer, choice.words.clone())), shared);
                }
            }
        }
        best.filter(|_| !again)
    }

    /// Returns `true` if a text speaks of another answer than the order with these words: by the
    /// number and letter of an option, or by a word of an option that the order lacks.
    pub fn may_change(&self, text: &str, order: &str) -> bool {
        let (order, phrase) = (plain(order), Phrase::new(text));
        let listed = |word: &str| {
            let mut options = self.questions.iter().flat_map(|asked| &asked.options);
            options.any(|option| option.words.split(' ').any(|other| other == word))
        };
        let refers = |word: &str| {
            let option = option_ref(&Phrase::new(word)).and_then(|option| self.pick(&option).ok());
            option.is_some_and(|(_, words)| plain(&words) != order)
        };
        let mut words = phrase.words().iter().map(|word| word.text.as_str()).filter(|word| tells(word));
        words.any(|word| refers(word) || listed(word) && !order.split(' ').any(|own| own == word))
    }

    /// Returns `true` if the line is an exact copy of an option as printed, perhaps after its
    /// letter and without the end of its note. The note may be in parentheses, but not the whole
    /// line.
    pub fn prints(&self, phrase: &Phrase) -> bool {
        let Some(copied) = self.copied(phrase) else { return false };
        // `b)`, `1b.`, `12:`
        let label = |word: &str| {
            let word = word.trim_matches(['(', ')', '.', ':']);
            let most = if word.starts_with(|c: char| c.is_ascii_digit()) { 3 } else { 2 };
            (1..=most).contains(&word.chars().count()) && word.chars().all(char::is_alphanumeric)
        };
        let squeezed =
            |text: &str| text.replace(['(', ')'], " ").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let bracketed = phrase.line().trim_start().starts_with('(');
        if bracketed && !phrase.line().split_whitespace().next().is_some_and(label) {
            return false;
        }
        let line = squeezed(phrase.line());
        let line = line.trim_end_matches(['.', '!', ',', ';']);
        let choices = self.questions.iter().flat_map(|asked| &asked.listed.choices);
        choices.filter(|choice| choice.order == copied.order).any(|choice| {
            let (words, row) = (squeezed(&choice.words), squeezed(&format!("{} {}", choice.words, choice.note)));
            let mut rest = line;
            loop {
                if rest.len() >= words.len() && row.starts_with(rest) {
                    return true;
                }
                match rest.split_once(' ') {
                    Some((word, more)) if label(word) => rest = more,
                    _ => return false,
                }
            }
        })
    }

    /// Returns the number of the question with this title, perhaps with its number or rule next to
    /// it.
    pub fn titled(&self, phrase: &Phrase) -> Option<u32> {
        let said = phrase.plain();
        let is_title = |(at, asked): &(usize, &Asked)| {
            let bare = said.strip_prefix(&format!("{} ", at + 1)).unwrap_or(&said);
            let bare = bare.split(" rule ").next().unwrap_or(bare);
            asked.title.split(' ').count() > 1 && bare == asked.title
        };
        let (at, _) = self.questions.iter().enumerate().find(is_title)?;
        u32::try_from(at + 1).ok()
    }

    /// Returns `true` if the words are a whole line of the letter's text about its questions.
    pub fn quotes(&self, phrase: &Phrase) -> bool {
        const HEADINGS: &[&str] = &["what is asked", "where you stand", "since your last mail"];
        let said = phrase.plain();
        let whole = |text: &String| phrase.words().len() >= 2 && *text == said;
        HEADINGS.contains(&said.as_str())
            || self
                .questions
                .iter()
                .any(|asked| asked.says.iter().any(whole) || asked.options.iter().any(|option| whole(&option.note)))
    }
}

/// Returns `true` for a word that can tell one option from another.
fn tells(word: &str) -> bool {
    (word.len() > 2 || word.bytes().any(|b| b.is_ascii_digit())) && !is_function_word(word)
}

pub(crate) fn plain(text: &str) -> String {
    Phrase::new(text).plain()
}

/// Returns a paragraph and its sentences, in comparable words.
fn parts(text: &str) -> Vec<String> {
    std::iter::once(text.to_owned()).chain(sentences(text)).map(|text| plain(&text)).collect()
}
