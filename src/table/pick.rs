//! The commonest question: choose one of these.

use super::{Choice, Description, Game, Prompt, Refusal, Seat};
use postrider_orders::{Misread, Names, Phrase, Reader};
use postrider_standing::Fact;
use std::{borrow::Cow, marker::PhantomData};

/// Something that can be chosen by its name.
pub trait Candidate<G: Game>: Clone + 'static {
    /// The name, unique among the candidates of one question; it goes into the journal.
    fn key<'g>(&self, g: &'g G::State) -> Cow<'g, str>;
    /// Other names under which a player may know it.
    fn aliases(&self, _g: &G::State) -> Vec<String> {
        Vec::new()
    }
    /// What the reader may want to know of it.
    fn note(&self, _g: &G::State) -> String {
        String::new()
    }
    /// What conditions of standing orders can compare of it.
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

/// The answers to a question that is answered with yes or no.
pub const YES: Word = Word::new("yes").or(&["yep", "yeah"]);
/// See [`YES`].
pub const NO: Word = Word::new("no").or(&["nope"]);

impl Word {
    /// This word, which goes into the journal.
    pub const fn new(word: &'static str) -> Word {
        Word { word, others: &[] }
    }
    /// Other words for the same, as players may put it.
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

/// A small number, as the answer to how many.
impl<G: Game> Candidate<G> for u8 {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.to_string().into()
    }
}

/// A player, by the letter of his seat.
impl<G: Game> Candidate<G> for Seat {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.to_string().into()
    }
}

/// One of several things, or a word for none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OneOr<T> {
    /// The thing.
    One(T),
    /// None of them.
    Word(Word),
}

impl<T> OneOr<T> {
    /// The word first, then all of these things: what may be chosen, and what silence means.
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

/// An order type that can carry the name of a chosen candidate.
pub trait PickOrder: Sized {
    /// The order that chooses this name.
    fn pick(key: String) -> Self;
    /// The chosen name, if this is such an order.
    fn picked(&self) -> Option<&str>;
}

/// Says which variant of a game's orders carries the name of a chosen candidate:
/// `picks!(Order::Pick { one })`.
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

/// What is known at a question.
type Knowing<G> = Box<dyn Fn(&<G as Game>::State) -> Vec<Fact>>;

type Telling<G> = Box<dyn Fn(&<G as Game>::State, Description) -> Description>;

/// Words between a verb and a name.
const FILLERS: &[&str] = &["the", "in", "to", "on", "at"];

/// So many answers are named where none was understood.
const FEW: usize = 4;

/// Choose one of several candidates by name. The words may begin with one of the question's own verbs (`settle utah`) or
/// be the bare name (`utah`).
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
    /// A question of this kind, by this rule.
    pub fn new(kind: G::Kind, rule: &'static str, title: &'static str, among: Vec<T>) -> Self {
        Pick { kind, rule, title, verbs: &[], among, telling: None, knowing: None, game: PhantomData }
    }
    /// Words with which an answer may begin; the first one is shown in the options.
    pub fn verbs(mut self, verbs: &'static [&'static str]) -> Self {
        self.verbs = verbs;
        self
    }
    /// How the question reads, beyond its title. Only called when somebody reads it.
    pub fn telling(mut self, telling: impl Fn(&G::State, Description) -> Description + 'static) -> Self {
        self.telling = Some(Box::new(telling));
        self
    }
    /// What conditions of standing orders can compare here, whatever is chosen. Only called where there are any.
    pub fn knowing(mut self, knowing: impl Fn(&G::State) -> Vec<Fact> + 'static) -> Self {
        self.knowing = Some(Box::new(knowing));
        self
    }
    /// The candidate that is a number, said in words: `two`.
    fn spelt(&self, g: &G::State, words: &Reader<'_>) -> Option<usize> {
        let mut ahead = words.clone();
        let number = ahead.number().filter(|_| ahead.at_end())?.to_string();
        self.among.iter().position(|candidate| candidate.key(g) == number.as_str())
    }
    /// The candidate after a verb with a slip in it.
    fn slipped<'p>(&self, said: &'p Phrase, names: &Names<usize>, words: &mut Reader<'p>) -> Option<usize> {
        let mut again = said.reader();
        again.expect_any(self.verbs).ok()?;
        again.skip(FILLERS);
        let i = again.try_name(names)?;
        *words = again;
        Some(i)
    }
    /// A number written out and nothing else: `zero`, `two`. Not an alias, which could be cut short or misspelt.
    fn in_words(&self, g: &G::State, words: &Reader<'_>) -> Option<usize> {
        let mut ahead = words.clone();
        ahead.peek().filter(|word| word.chars().all(char::is_alphabetic))?;
        let number = ahead.number().filter(|_| ahead.at_end())?.to_string();
        self.among.iter().position(|candidate| candidate.key(g) == number)
    }
    /// Where few answers are possible a misreading names them.
    fn listing(&self, g: &G::State, why: Misread) -> Misread {
        if self.among.len() > FEW {
            return why;
        }
        let all: Vec<String> = self.among.iter().map(|c| format!("`{}`", self.words(g, c))).collect();
        let all = postrider_orders::list_or(&all);
        Misread { why: format!("{}; what is asked is answered by {all}", why.why), nearest: Vec::new(), ..why }
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
                Err(Refusal { rule: self.rule, why: format!("{key} cannot be chosen here; what can: {can}.") })
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
                // A slip in the verb: `coose comanche`.
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
