//! The most common question: a choice among named candidates.

use super::{Choice, Description, Game, Prompt, Refusal, Seat};
use postrider_orders::{Misread, Names, Phrase, Reader};
use postrider_standing::Fact;
use std::{borrow::Cow, marker::PhantomData};

/// A candidate that can be chosen by name.
pub trait Candidate<G: Game>: Clone + 'static {
    /// Returns the name, unique among the candidates of one question; it is recorded in the
    /// journal.
    fn key<'g>(&self, g: &'g G::State) -> Cow<'g, str>;
    /// Returns other names that a player may use for it.
    fn aliases(&self, _g: &G::State) -> Vec<String> {
        Vec::new()
    }
    /// Returns a remark for the reader.
    fn note(&self, _g: &G::State) -> String {
        String::new()
    }
    /// Returns the facts about it that conditions of standing orders can compare.
    fn facts(&self, _g: &G::State) -> Vec<Fact> {
        Vec::new()
    }
}

/// A candidate that is only a word: an answer such as `evade`, `stay` or [`NO`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    word: &'static str,
    others: &'static [&'static str],
}

/// The answer `yes` to a yes-or-no question.
pub const YES: Word = Word::new("yes").or(&["yep", "yeah"]);
/// The answer `no` to a yes-or-no question.
pub const NO: Word = Word::new("no").or(&["nope"]);

impl Word {
    /// Creates a word, which is recorded in the journal.
    pub const fn new(word: &'static str) -> Word {
        Word { word, others: &[] }
    }
    /// Sets the synonyms that players may use.
    pub const fn or(self, others: &'static [&'static str]) -> Word {
        Word { others, ..self }
    }
}

impl<G: Game> Candidate<G> for Word {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.word.into()
    }
    fn aliases(&self, _: &G::State) -> Vec<String> {
        self.others.iter().map(|&word| word.to_owned()).collect()
    }
}

/// A small number, the answer to a question for a count.
impl<G: Game> Candidate<G> for u8 {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.to_string().into()
    }
}

/// A player, by seat letter.
impl<G: Game> Candidate<G> for Seat {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.to_string().into()
    }
}

/// One of several candidates, or a word that rejects them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OneOr<T> {
    /// One of the candidates.
    One(T),
    /// None of them.
    Word(Word),
}

impl<T> OneOr<T> {
    /// Returns the word followed by all candidates. The word comes first, so it is also the answer
    /// at the deadline.
    pub fn among(word: Word, things: impl IntoIterator<Item = T>) -> Vec<OneOr<T>> {
        std::iter::once(OneOr::Word(word)).chain(things.into_iter().map(OneOr::One)).collect()
    }
}

impl<G: Game, T: Candidate<G>> Candidate<G> for OneOr<T> {
    fn key<'g>(&self, g: &'g G::State) -> Cow<'g, str> {
        match self {
            OneOr::One(one) => one.key(g),
            OneOr::Word(word) => Candidate::<G>::key(word, g),
        }
    }
    fn aliases(&self, g: &G::State) -> Vec<String> {
        match self {
            OneOr::One(one) => one.aliases(g),
            OneOr::Word(word) => Candidate::<G>::aliases(word, g),
        }
    }
    fn note(&self, g: &G::State) -> String {
        match self {
            OneOr::One(one) => one.note(g),
            OneOr::Word(_) => String::new(),
        }
    }
    fn facts(&self, g: &G::State) -> Vec<Fact> {
        match self {
            OneOr::One(one) => one.facts(g),
            OneOr::Word(_) => Vec::new(),
        }
    }
}

/// An order type that can contain the name of a chosen candidate.
pub trait PickOrder: Sized {
    /// Creates the order that chooses this name.
    fn pick(key: String) -> Self;
    /// Returns the chosen name, if this is such an order.
    fn picked(&self) -> Option<&str>;
}

/// Implements [`PickOrder`] with the variant of a game's orders that contains the
/// name of a chosen candidate: `picks!(Order::Pick { one })`.
#[macro_export]
macro_rules! picks {
    ($Order:ident::$Pick:ident { $name:ident }) => {
        impl $crate::PickOrder for $Order {
            fn pick($name: String) -> Self {
                $Order::$Pick { $name }
            }
            fn picked(&self) -> Option<&str> {
                match self {
                    $Order::$Pick { $name } => Some($name),
                    _ => None,
                }
            }
        }
    };
}

/// Computes the facts known at a question.
type Knowing<G> = Box<dyn Fn(&<G as Game>::State) -> Vec<Fact>>;

type Telling<G> = Box<dyn Fn(&<G as Game>::State, Description) -> Description>;

/// Words to skip between a verb and a name.
const FILLERS: &[&str] = &["the", "in", "to", "on", "at"];

/// Maximum number of possible answers for which an error message lists them all.
const FEW: usize = 4;

/// A choice of one of several candidates by name. The words may begin with one of the question's
/// own verbs (`settle utah`) or be just the name (`utah`).
pub struct Pick<G: Game, T> {
    kind: G::Kind,
    rule: &'static str,
    title: &'static str,
    verbs: &'static [&'static str],
    among: Vec<T>,
    telling: Option<Telling<G>>,
    knowing: Option<Knowing<G>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, T: Candidate<G>> Pick<G, T> {
    /// Creates a question of this kind, asked by this rule.
    pub fn new(kind: G::Kind, rule: &'static str, title: &'static str, among: Vec<T>) -> Self {
        Pick { kind, rule, title, verbs: &[], among, telling: None, knowing: None, game: PhantomData }
    }
    /// Sets the verbs with which an answer may begin; the options use the first.
    pub fn verbs(mut self, verbs: &'static [&'static str]) -> Self {
        self.verbs = verbs;
        self
    }
    /// Sets the function that completes the description of the question. It is called only if the
    /// question is shown.
    pub fn telling(mut self, telling: impl Fn(&G::State, Description) -> Description + 'static) -> Self {
        self.telling = Some(Box::new(telling));
        self
    }
    /// Sets the function that returns the facts for conditions of standing orders that do not
    /// depend on the choice. It is called only if there are such conditions.
    pub fn knowing(mut self, knowing: impl Fn(&G::State) -> Vec<Fact> + 'static) -> Self {
        self.knowing = Some(Box::new(knowing));
        self
    }
    /// Returns the candidate whose name is this number, in words or digits.
    fn spelt(&self, g: &G::State, words: &Reader<'_>) -> Option<usize> {
        let mut ahead = words.clone();
        let number = ahead.number().filter(|_| ahead.at_end())?.to_string();
        self.among.iter().position(|candidate| candidate.key(g) == number.as_str())
    }
    /// Returns the candidate named after a misspelt verb.
    fn slipped<'p>(&self, said: &'p Phrase, names: &Names<usize>, words: &mut Reader<'p>) -> Option<usize> {
        let mut again = said.reader();
        again.expect_any(self.verbs).ok()?;
        again.skip(FILLERS);
        let i = again.try_name(names)?;
        *words = again;
        Some(i)
    }
    /// Returns the candidate that is a number written as a word: `zero`, `two`. Numbers are not
    /// aliases, because those may be abbreviated or misspelt.
    fn in_words(&self, g: &G::State, words: &Reader<'_>) -> Option<usize> {
        let mut ahead = words.clone();
        ahead.peek().filter(|word| word.chars().all(char::is_alphabetic))?;
        let number = ahead.number().filter(|_| ahead.at_end())?.to_string();
        self.among.iter().position(|candidate| candidate.key(g) == number)
    }
    /// Adds the possible answers to the error, if there are only a few.
    fn listing(&self, g: &G::State, why: Misread) -> Misread {
        if self.among.len() > FEW {
            return why;
        }
        let all: Vec<String> = self.among.iter().map(|c| format!("`{}`", self.words(g, c))).collect();
        let all = postrider_orders::list_or(&all);
        Misread { why: format!("{}; answer {all}", why.why), nearest: Vec::new(), ..why }
    }
    fn words(&self, g: &G::State, candidate: &T) -> String {
        let key = candidate.key(g).to_lowercase();
        match self.verbs.first() {
            Some(verb) => format!("{verb} {key}"),
            None => key,
        }
    }
}

impl<G: Game, T: Candidate<G>> Prompt<G> for Pick<G, T>
where
    G::Order: PickOrder,
{
    type Answer = T;
    fn kind(&self) -> G::Kind {
        self.kind
    }
    fn accept(&self, g: &G::State, _: Seat, order: &G::Order) -> Result<T, Refusal> {
        let Some(key) = order.picked() else {
            return Err(Refusal { rule: self.rule, why: format!("The question is: {}.", self.title) });
        };
        match self.among.iter().find(|c| c.key(g) == key) {
            Some(candidate) => Ok(candidate.clone()),
            None => {
                let names: Vec<String> = self.among.iter().map(|c| c.key(g).into_owned()).collect();
                let can = postrider_orders::list_or(&names);
                Err(Refusal { rule: self.rule, why: format!("{key} cannot be chosen here; choose {can}.") })
            }
        }
    }
    fn describe(&self, g: &G::State, _: Seat) -> Description {
        let plain = Description::new(self.title, self.rule);
        match &self.telling {
            Some(telling) => telling(g, plain),
            None => plain,
        }
    }
    fn facts(&self, g: &G::State, _: Seat, order: Option<&G::Order>) -> Vec<Fact> {
        let mut facts = self.knowing.as_ref().map(|knowing| knowing(g)).unwrap_or_default();
        let chosen = order.and_then(PickOrder::picked).and_then(|key| self.among.iter().find(|c| c.key(g) == key));
        facts.extend(chosen.into_iter().flat_map(|candidate| candidate.facts(g)));
        facts
    }
    fn read(&self, g: &G::State, _: Seat, said: &Phrase) -> Result<G::Order, Misread> {
        let mut names = Names::new("such choice");
        for (i, candidate) in self.among.iter().enumerate() {
            names.add(&candidate.key(g), i);
            for alias in candidate.aliases(g) {
                names.add(&alias, i);
            }
        }
        let mut words = said.reader();
        for verb in self.verbs {
            if words.eat_phrase(verb) {
                break;
            }
        }
        words.skip(FILLERS);
        if let Some(i) = self.in_words(g, &words) {
            return Ok(G::Order::pick(self.among[i].key(g).into_owned()));
        }
        let i = match words.name(&names) {
            Ok(i) => i,
            Err(why) => match self.slipped(said, &names, &mut words) {
                // A misspelt verb: `coose comanche`.
                Some(i) => i,
                None if let Some(i) = self.spelt(g, &words) => {
                    return Ok(G::Order::pick(self.among[i].key(g).into_owned()));
                }
                None => return Err(self.listing(g, why)),
            },
        };
        words.end()?;
        Ok(G::Order::pick(self.among[i].key(g).into_owned()))
    }
    fn options(&self, g: &G::State, _: Seat) -> Vec<Choice<G::Order>> {
        let choice = |c: &T| Choice::new(G::Order::pick(c.key(g).into_owned()), self.words(g, c)).note(c.note(g));
        self.among.iter().map(choice).collect()
    }
}
