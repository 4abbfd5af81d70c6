//! What `help SUBJECT` answers: the subjects of a game, each in a few lines.
//!
//! They stand in a page of the game's folder, a section each: `## name, other name (rules)`, the explanation, and below it
//! orders that can be sent as they stand, `> order`.

use crate::orders::{Names, Phrase};

/// A subject that a game explains: its names (the first is its title), the rules it comes from, what there is to say, and
/// orders that can be sent as they stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topic {
    /// What it is called; the first is its title.
    pub names: Vec<&'static str>,
    /// The numbers of its rules.
    pub rules: &'static str,
    /// The explanation, of any length.
    pub says: String,
    /// Examples of orders.
    pub orders: Vec<&'static str>,
}

/// The subjects of a page.
pub fn topics(page: &'static str) -> Vec<Topic> {
    let section = |text: &'static str| {
        let (head, text) = text.split_once('\n')?;
        let (names, rules) = head.strip_suffix(')')?.rsplit_once(" (")?;
        let (orders, says): (Vec<&str>, Vec<&str>) =
            text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with("> "));
        let orders = orders.into_iter().map(|line| &line[2..]).collect();
        Some(Topic { names: names.split(", ").collect(), rules, says: says.join(" "), orders })
    };
    page.split("## ").skip(1).filter_map(section).collect()
}

impl Topic {
    /// The subject explained.
    pub fn explained(&self) -> Explained {
        Explained {
            title: format!("{} (rule {})", self.names[0], self.rules),
            text: self.says.clone(),
            orders: self.orders.iter().map(ToString::to_string).collect(),
        }
    }
    fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// What there is to say of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// What it is called, and its rule.
    pub title: String,
    /// The explanation, a paragraph of any length; may be empty.
    pub text: String,
    /// Orders that can be sent as they stand.
    pub orders: Vec<String>,
}

impl Explained {
    /// A title and an explanation.
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Explained {
        Explained { title: title.into(), text: text.into(), orders: Vec::new() }
    }
}

/// Explains a subject that a player names in his own words: one of the topics of a game's page, or one of the `others`, things
/// that have a name, cards say. Where one of these shares its name with a topic the topic is explained. Without a subject the
/// topics are listed, with a hint at the others (`the name of a card`). `None` where no one subject is meant.
pub fn explain(
    subject: &Phrase,
    page: &'static str,
    hint: &str,
    others: impl IntoIterator<Item = (String, Explained)>,
) -> Option<Explained> {
    let topics = topics(page);
    let mut words = subject.reader();
    words.skip(&["help", "on", "about", "with", "the", "a", "an"]);
    if words.at_end() {
        let names: Vec<&str> = topics.iter().map(|topic| topic.names[0]).collect();
        return Some(Explained::new(format!("Ask for `help` and one of these, or {hint}:"), names.join(", ")));
    }
    let mut names = Names::new("subject");
    for (at, topic) in topics.iter().enumerate() {
        for name in &topic.names {
            names.add(name, at);
        }
    }
    let mut explained: Vec<Explained> = topics.iter().map(Topic::explained).collect();
    for (name, other) in others {
        if !topics.iter().any(|topic| topic.is_called(&name)) {
            names.add(&name, explained.len());
        }
        explained.push(other);
    }
    let found = names.find(words.rest()).ok()?;
    Some(explained.swap_remove(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_section_by_section() {
        let topics = topics(
            "## to bid, bids (2.1, 2.2)\nA bid is a number\nof coins.\n> bid 4\n> pass\n\n## end (3)\nAll is over.\n",
        );
        assert_eq!(topics.len(), 2);
        assert_eq!((topics[0].names.as_slice(), topics[0].rules), (["to bid", "bids"].as_slice(), "2.1, 2.2"));
        let mut bid = Explained::new("to bid (rule 2.1, 2.2)", "A bid is a number of coins.");
        bid.orders = vec!["bid 4".to_owned(), "pass".to_owned()];
        assert_eq!(topics[0].explained(), bid);
        assert_eq!((topics[1].says.as_str(), topics[1].orders.len()), ("All is over.", 0));
    }
}
