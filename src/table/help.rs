//! Answers to `help SUBJECT`: the subjects of a game, each explained in a few lines.
//!
//! They are the sections of a page in the game's folder: a heading `## name, other name (rules)`,
//! the explanation, and then example orders, `> order`. Sections below `# Words` only explain a
//! word of a question.

use postrider_orders::{Names, Phrase, is_function_word, list_or};
use std::{collections::HashSet, ops::Range};

/// The explanation of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The title: its name and rule.
    pub title: String,
    /// The explanation, a single paragraph; may be empty.
    pub text: String,
    /// Complete orders, ready to be sent.
    pub orders: Vec<String>,
    /// A chart, as lines of at most 76 characters that are not reformatted.
    pub chart: Vec<String>,
}

impl Explained {
    /// Creates an explanation with a title and a text.
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Explained {
        Explained { title: title.into(), text: text.into(), ..Explained::default() }
    }
    /// Sets the chart.
    #[must_use]
    pub fn chart(self, chart: Vec<String>) -> Explained {
        Explained { chart, ..self }
    }
}

/// A subject with its explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// Its names; the first is its title.
    pub names: Vec<String>,
    /// The explanation.
    pub explained: Explained,
    /// `true` if a bare `help` lists it.
    pub listed: bool,
}

impl Subject {
    /// Creates a subject for a named item, such as a card; it is not listed.
    pub fn thing(name: impl Into<String>, explained: Explained) -> Subject {
        Subject { names: vec![name.into()], explained, listed: false }
    }
    /// Adds another name.
    pub fn or(mut self, name: impl Into<String>) -> Subject {
        self.names.push(name.into());
        self
    }
}

/// Parses the subjects of a page: sections with a heading `## name, other name (rules)`, an
/// explanation, and orders. Subjects above a line `# Words` are listed by a bare `help`; those
/// below are not.
pub fn topics(page: &str) -> Vec<Subject> {
    let (listed, words) = page.split_once("# Words\n").unwrap_or((page, ""));
    let of = |page: &str, listed: bool| -> Vec<Subject> {
        page.split("## ").skip(1).filter_map(|section| topic(section, listed)).collect()
    };
    [of(listed, true), of(words, false)].concat()
}

fn topic(section: &str, listed: bool) -> Option<Subject> {
    let (head, text) = section.split_once('\n')?;
    let (names, rules) = match head.strip_suffix(')').and_then(|head| head.rsplit_once(" (")) {
        Some((names, rules)) => (names, format!(" (rule {rules})")),
        None => (head, String::new()),
    };
    let (orders, says): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with("> "));
    let orders = orders.into_iter().map(|line| line[2..].to_owned()).collect();
    let names: Vec<String> = names.split(", ").map(str::to_owned).collect();
    let title = format!("{}{rules}", names[0]);
    let explained = Explained { orders, ..Explained::new(title, says.join(" ")) };
    Some(Subject { names, explained, listed })
}

/// The subjects about orders that all games share.
const COMMON: &str = include_str!("help.md");

/// Words to skip before the subject, such as `help` and articles.
const FILLERS: [&str; 8] = ["help", "on", "about", "with", "the", "a", "an", "to"];

/// Maximum number of names listed if a word occurs in several.
const MOST: usize = 12;

/// All subjects that a game explains.
#[derive(Clone, Default, Debug)]
pub struct Subjects {
    all: Vec<Subject>,
    /// Other things a player can ask about that are not listed by name, such as `the name of a
    /// card`.
    hints: Vec<&'static str>,
}

/// There is no subject with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("There is no help on “{said}”{}", offer(.nearest))]
pub struct NoHelp {
    /// The subject asked for.
    pub said: String,
    /// The subjects with the most similar names, nearest first.
    pub nearest: Vec<String>,
}

fn offer(nearest: &[String]) -> String {
    let each: Vec<String> = nearest.iter().map(|name| format!("`help {}`", name.to_lowercase())).collect();
    match each.as_slice() {
        [] => "; `help` lists the subjects.".to_owned(),
        each => format!(". The nearest: {}. `help` lists all subjects.", list_or(each)),
    }
}

impl Subjects {
    /// Parses the subjects of a game's [page](topics).
    pub fn of(page: &str) -> Subjects {
        Subjects { all: topics(page), hints: Vec::new() }
    }
    /// Adds subjects, described to players by `hint`. A name that an earlier subject already has
    /// still refers to the earlier one.
    #[must_use]
    pub fn and(mut self, hint: &'static str, more: impl IntoIterator<Item = Subject>) -> Subjects {
        self.hints.push(hint);
        self.all.extend(more);
        self
    }
    /// Adds one subject.
    #[must_use]
    pub(super) fn with(mut self, subject: Subject) -> Subjects {
        self.all.push(subject);
        self
    }
    /// Adds the subjects that all games share.
    #[must_use]
    pub(super) fn with_common(mut self) -> Subjects {
        self.all.extend(topics(COMMON));
        self
    }
    /// Returns all subjects.
    pub fn all(&self) -> &[Subject] {
        &self.all
    }
    /// Returns the answer to a bare `help`.
    pub fn list(&self) -> Explained {
        let names: Vec<&str> =
            self.all.iter().filter(|subject| subject.listed).map(|subject| subject.names[0].as_str()).collect();
        let hints = [&["any word of a question"], self.hints.as_slice()].concat();
        Explained::new(format!("Ask for `help` and one of these, or {}:", list_or(&hints)), names.join(", "))
    }
    /// Explains the subject that a player names, with or without a leading `help`. Without a
    /// subject, all are listed. If a word occurs in the names of several subjects, these are
    /// listed.
    ///
    /// # Errors
    ///
    /// Returns [`NoHelp`] with the nearest names.
    pub fn find(&self, subject: &Phrase) -> Result<Explained, NoHelp> {
        let mut words = subject.reader();
        words.skip(&FILLERS);
        // A filler word can itself be the subject.
        let said = match (words.rest(), subject.words().last()) {
            ("", Some(last)) if last.text != FILLERS[0] => last.text.as_str(),
            (rest, _) => rest,
        };
        let asked = Phrase::new(said);
        if asked.is_empty() {
            return Ok(self.list());
        }
        let plain = asked.plain();
        let numeric = plain.chars().all(|c| c.is_ascii_digit() || c == ' ');
        let wanted = if numeric { "number" } else { plain.as_str() };
        let (names, spelt) = self.names();
        if let Some((_, at)) = spelt.iter().find(|(name, _)| name == wanted) {
            return Ok(self.all[*at].explained.clone());
        }
        let within = |name: &str| {
            let mut name = name.split(' ');
            wanted.split(' ').all(|word| name.any(|other| other == word))
        };
        let mut several: Vec<usize> = Vec::new();
        for (_, at) in spelt.iter().filter(|(name, _)| within(name)) {
            if !several.contains(at) {
                several.push(*at);
            }
        }
        match several.as_slice() {
            [one] => return Ok(self.all[*one].explained.clone()),
            [] => {}
            several => {
                let asks =
                    several.iter().take(MOST).map(|&at| format!("help {}", self.all[at].names[0].to_lowercase()));
                let text = if several.len() > MOST {
                    format!("{} in all; the first of them:", several.len())
                } else {
                    String::new()
                };
                let title = format!("“{said}” is in several names");
                return Ok(Explained { orders: asks.collect(), ..Explained::new(title, text) });
            }
        }
        match names.find(said) {
            Ok(at) => Ok(self.all[at].explained.clone()),
            Err(why) => Err(NoHelp { said: said.to_owned(), nearest: why.nearest }),
        }
    }
    /// Returns the subject with the longest name that occurs in a question. Names that consist only
    /// of function words do not count.
    pub fn named_in(&self, question: &Phrase) -> Option<&Explained> {
        let (words, (_, spelt)) = (question.words().len(), self.names());
        let longest = spelt.iter().map(|(name, _)| name.split(' ').count()).max()?.min(words);
        let runs = (1..=longest).rev().flat_map(|length| (0..=words - length).map(move |from| from..from + length));
        let tells = |run: &Range<usize>| !question.words()[run.clone()].iter().all(|word| is_function_word(&word.text));
        let at = runs.filter(tells).map(|run| question.part(run).plain()).find_map(|run| {
            let (_, at) = spelt.iter().find(|(name, _)| *name == run)?;
            Some(*at)
        });
        Some(&self.all[at?].explained)
    }
    /// Returns all names in normalized form, each with the first subject that has it.
    fn names(&self) -> (Names<usize>, Vec<(String, usize)>) {
        let (mut names, mut spelt, mut known) = (Names::new("subject"), Vec::new(), HashSet::new());
        for (at, name) in self.all.iter().enumerate().flat_map(|(at, one)| one.names.iter().map(move |name| (at, name)))
        {
            let plain = Phrase::new(name).plain();
            if known.insert(plain.clone()) {
                names.add(name, at);
                spelt.push((plain, at));
            }
        }
        (names, spelt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "## to bid, bids (2.1, 2.2)\nA bid is a number\nof coins.\n> bid 4\n> pass\n\n## end of the game (3)\nAll is over.\n\n\
                        # Words\n\n## coin, gold coin\nMoney.\n\n## silver coin\nLess money.\n\n## small words, what, is, a\nNo more.\n";

    fn asked(subject: &str) -> Result<Explained, NoHelp> {
        Subjects::of(PAGE)
            .and("the name of a card", [Subject::thing("Bids", Explained::new("a card", ""))])
            .find(&Phrase::new(subject))
    }

    #[test]
    fn a_question_is_about_the_longest_name_in_it() {
        let about = |text: &str| Some(Subjects::of(PAGE).named_in(&Phrase::new(text))?.title.clone());
        assert_eq!(about("What is a silver coin worth?").as_deref(), Some("silver coin"));
        assert_eq!(about("who BIDS first").as_deref(), Some("to bid (rule 2.1, 2.2)"));
        assert_eq!(about("is silver worth it?"), None);
    }

    #[test]
    fn a_page_is_read_section_by_section() {
        let topics = topics(PAGE);
        assert_eq!(topics.iter().map(|topic| topic.listed).collect::<Vec<_>>(), [true, true, false, false, false]);
        assert_eq!(topics[0].names, ["to bid", "bids"]);
        let mut bid = Explained::new("to bid (rule 2.1, 2.2)", "A bid is a number of coins.");
        bid.orders = vec!["bid 4".to_owned(), "pass".to_owned()];
        assert_eq!(topics[0].explained, bid);
        assert_eq!(topics[2].explained, Explained::new("coin", "Money."));
    }

    #[test]
    fn a_subject_is_found_by_each_of_its_names_and_by_a_word_of_them() {
        for name in ["help to bid", "bids", "help on the bids", "bid"] {
            assert_eq!(asked(name).expect(name).title, "to bid (rule 2.1, 2.2)", "{name}");
        }
        assert_eq!(asked("help game").expect("a word").title, "end of the game (rule 3)");
        assert_eq!(asked("coin").expect("a whole name").title, "coin");
        assert_eq!(asked("sliver coin").expect("one slip").title, "silver coin");
        let list = asked("help").expect("the list");
        assert_eq!(list.text, "to bid, end of the game");
        assert!(list.title.ends_with("or any word of a question or the name of a card:"), "{}", list.title);
    }

    #[test]
    fn a_word_in_several_names_lists_them_and_nothing_else_is_explained() {
        let several = Subjects::of("## red die (1)\nOne.\n\n## blue die (2)\nOther.\n").find(&Phrase::new("die"));
        assert_eq!(several.expect("two").orders, ["help red die", "help blue die"]);
        let missed = asked("help slivver").expect_err("no such subject").to_string();
        assert!(missed.contains("`help silver coin`"), "{missed}");
        let missed = asked("help qqq").expect_err("nothing like it").to_string();
        assert_eq!(missed, "There is no help on “qqq”; `help` lists the subjects.");
    }

    #[test]
    fn words_between_and_numbers_are_explained_in_every_game() {
        let subjects = Subjects::default().with_common();
        for word in ["of", "in", "to", "the", "and", "17", "yes", "no"] {
            assert!(
                subjects.find(&Phrase::new(&format!("help {word}"))).is_ok_and(|said| !said.text.is_empty()),
                "{word}"
            );
        }
    }
}
