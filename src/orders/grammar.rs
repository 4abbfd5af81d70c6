//! Grammars: one description of an order's words, used both to read and to write the order.

use super::{Misread, Names, Phrase, Reader};
use std::{borrow::Borrow, rc::Rc};

type Read<'g, T> = Rc<dyn Fn(&mut Reader<'_>) -> Result<T, Misread> + 'g>;
type Say<'g, T> = Rc<dyn Fn(&T, &mut String) -> bool + 'g>;

#[doc = include_str!("grammar.md")]
pub struct Grammar<'g, T> {
    read: Read<'g, T>,
    say: Say<'g, T>,
}

impl<T> Clone for Grammar<'_, T> {
    fn clone(&self) -> Self {
        Grammar { read: self.read.clone(), say: self.say.clone() }
    }
}

/// Appends words, separated by a space unless they begin with a comma.
fn push(said: &mut String, words: &str) {
    if !said.is_empty() && !words.is_empty() && !words.starts_with(',') {
        said.push(' ');
    }
    said.push_str(words);
}

impl<'g, T: 'g> Grammar<'g, T> {
    /// Creates a part like [`leaf`](Grammar::leaf). `say` appends to the words so far, and returns
    /// `false` if this part has no words for the value.
    fn new(
        read: impl Fn(&mut Reader<'_>) -> Result<T, Misread> + 'g,
        say: impl Fn(&T, &mut String) -> bool + 'g,
    ) -> Self {
        Grammar { read: Rc::new(read), say: Rc::new(say) }
    }
    /// Creates a part that is read and said by custom functions, where the other parts do not
    /// suffice.
    ///
    /// `read` must accept the words that `say` returns. `say` returns `None` if this part has no
    /// words for the value.
    pub fn leaf(
        read: impl Fn(&mut Reader<'_>) -> Result<T, Misread> + 'g,
        say: impl Fn(&T) -> Option<String> + 'g,
    ) -> Self {
        Grammar::new(read, move |value, said| say(value).map(|words| push(said, &words)).is_some())
    }
    /// Reads the next words. Words after them stay unread.
    ///
    /// # Errors
    /// A [`Misread`] that points at the words that do not match.
    pub fn read(&self, words: &mut Reader<'_>) -> Result<T, Misread> {
        (self.read)(words)
    }
    /// Reads a whole clause.
    ///
    /// # Errors
    /// A [`Misread`] if the words do not match, or some are left over.
    pub fn whole(&self, said: &Phrase) -> Result<T, Misread> {
        let mut words = said.reader();
        let value = self.read(&mut words)?;
        words.end().map(|()| value)
    }
    /// Returns the value in words, in lower case. Returns `None` if this grammar has no words for
    /// it, for example because it is the order for another question.
    pub fn say(&self, value: &T) -> Option<String> {
        let mut said = String::new();
        (self.say)(value, &mut said).then(|| said.to_lowercase())
    }
    /// Appends another part. The value is the pair of both values.
    pub fn and<U: 'g>(self, next: Grammar<'g, U>) -> Grammar<'g, (T, U)> {
        let (first, second) = (self.clone(), next.clone());
        Grammar::new(
            move |words| Ok((self.read(words)?, next.read(words)?)),
            move |(value, other), said| (first.say)(value, said) && (second.say)(other, said),
        )
    }
    /// Appends words that have no value.
    pub fn before(self, next: Grammar<'g, ()>) -> Grammar<'g, T> {
        let (first, second) = (self.clone(), next.clone());
        Grammar::new(
            move |words| {
                let value = self.read(words)?;
                next.read(words).map(|()| value)
            },
            move |value, said| (first.say)(value, said) && (second.say)(&(), said),
        )
    }
    /// Appends a part that depends on the value of this one. The value is the pair of both values.
    pub fn bind<U: 'g>(self, next: impl Fn(&T) -> Grammar<'g, U> + 'g) -> Grammar<'g, (T, U)> {
        let next = Rc::new(next);
        let (first, second) = (self.clone(), next.clone());
        Grammar::new(
            move |words| {
                let value = self.read(words)?;
                let other = next(&value).read(words)?;
                Ok((value, other))
            },
            move |(value, other), said| (first.say)(value, said) && (second(value).say)(other, said),
        )
    }
    /// Converts the value: `build` makes the new value from this one, and `take` returns this one
    /// from the new value, or `None` if it was not made by `build`. See
    /// [`variant!`](crate::variant).
    pub fn map<U: 'g>(self, build: impl Fn(T) -> U + 'g, take: impl Fn(&U) -> Option<T> + 'g) -> Grammar<'g, U> {
        self.try_map(move |value, _| Ok(build(value)), take)
    }
    /// Converts the value like [`map`](Grammar::map), but `build` may fail. Its [`Reader`] is
    /// positioned after the words of this part.
    pub fn try_map<U: 'g>(
        self,
        build: impl Fn(T, &Reader<'_>) -> Result<U, Misread> + 'g,
        take: impl Fn(&U) -> Option<T> + 'g,
    ) -> Grammar<'g, U> {
        let first = self.clone();
        Grammar::new(
            move |words| {
                let value = self.read(words)?;
                build(value, words)
            },
            move |value, said| take(value).is_some_and(|value| (first.say)(&value, said)),
        )
    }
    /// Repeats this part one or more times.
    ///
    /// `more` reads the words between two items and returns `true` if another item follows. `joint`
    /// is said between two items; it is a comma or a word.
    pub fn many(self, joint: &'static str, more: impl Fn(&mut Reader<'_>) -> bool + 'g) -> Grammar<'g, Vec<T>> {
        let first = self.clone();
        Grammar::new(
            move |words| {
                let mut all = vec![self.read(words)?];
                while more(words) {
                    all.push(self.read(words)?);
                }
                Ok(all)
            },
            move |all, said| {
                let mut each = all.iter().enumerate();
                each.all(|(at, value)| {
                    if at > 0 {
                        push(said, joint);
                    }
                    (first.say)(value, said)
                }) && !all.is_empty()
            },
        )
    }
    /// Makes this part optional: it is read only after one of the words in `opening`, of which the
    /// first is said.
    pub fn after(self, opening: &'g [&'g str]) -> Grammar<'g, Option<T>> {
        let first = self.clone();
        Grammar::new(
            move |words| match words.eat_any(opening) {
                Some(_) => self.read(words).map(Some),
                None => Ok(None),
            },
            move |value, said| match value {
                Some(value) => {
                    push(said, opening[0]);
                    (first.say)(value, said)
                }
                None => true,
            },
        )
    }
}

impl<'g> Grammar<'g, ()> {
    /// Appends a part that has a value, which becomes the value of both.
    pub fn then<U: 'g>(self, next: Grammar<'g, U>) -> Grammar<'g, U> {
        let (first, second) = (self.clone(), next.clone());
        Grammar::new(
            move |words| {
                self.read(words)?;
                next.read(words)
            },
            move |value, said| (first.say)(&(), said) && (second.say)(value, said),
        )
    }
    /// Gives these words a value.
    pub fn means<U: Clone + PartialEq + 'g>(self, value: U) -> Grammar<'g, U> {
        let same = value.clone();
        self.map(move |()| value.clone(), move |other| (*other == same).then_some(()))
    }
}

/// Matches a required word. Any of these is read, and the first is said.
pub fn word<'g>(any: &'g [&'g str]) -> Grammar<'g, ()> {
    word_as(any[0], any)
}

/// Matches a required word like [`word`], but says `says`, a form of one of these ("attacks").
pub fn word_as<'g>(says: &'g str, any: &'g [&'g str]) -> Grammar<'g, ()> {
    Grammar::leaf(move |words| words.expect_any(any).map(drop), move |()| Some(says.to_owned()))
}

/// Matches optional words, each any number of times. `says` is said in their place and may be
/// empty.
pub fn filler<'g>(says: &'g str, any: &'g [&'g str]) -> Grammar<'g, ()> {
    let read = move |words: &mut Reader<'_>| {
        words.skip(any);
        Ok(())
    };
    Grammar::leaf(read, move |()| Some(says.to_owned()))
}

/// Matches no words and has this value.
pub fn just<'g, T: Clone + PartialEq + 'g>(value: T) -> Grammar<'g, T> {
    filler("", &[]).means(value)
}

/// Matches an optional word; the value is `true` if it is present. Any of these is read, and the
/// first is said.
pub fn flag<'g>(any: &'g [&'g str]) -> Grammar<'g, bool> {
    just(()).after(any).map(|found| found.is_some(), |on| Some(on.then_some(())))
}

/// Matches an integer. `missing` is the error message if there is none.
pub fn number<'g>(missing: &'g str) -> Grammar<'g, i64> {
    let read = move |words: &mut Reader<'_>| words.number().ok_or_else(|| words.fail(missing));
    Grammar::leaf(read, |n| Some(n.to_string()))
}

/// Matches a name from a list that is created at each reading. The value is `called` of the name's
/// value: the name that orders store, which must itself be in the list.
pub fn named<'g, T: Copy + PartialEq + 'g, N: Borrow<Names<T>>>(
    list: impl Fn() -> N + 'g,
    called: impl Fn(T) -> String + 'g,
) -> Grammar<'g, String> {
    let read = move |words: &mut Reader<'_>| words.name(list().borrow()).map(&called);
    Grammar::leaf(read, |name| Some(name.clone()))
}

/// Matches nothing, and always fails with the message `why`.
pub fn nothing<'g, T: 'g>(why: &'g str) -> Grammar<'g, T> {
    Grammar::new(move |words| Err(words.fail(why)), |_, _| false)
}

/// Starts a choice between several forms that differ in their first words. See [`OneOf::on`].
pub fn one_of<'g, T: 'g>() -> OneOf<'g, T> {
    OneOf { forms: Vec::new() }
}

/// A builder for a choice between forms.
pub struct OneOf<'g, T> {
    forms: Vec<Form<'g, T>>,
}

struct Form<'g, T> {
    /// The first word to say, or `None` if this form is only read.
    says: Option<&'g str>,
    keywords: &'g [&'g str],
    grammar: Grammar<'g, T>,
}

impl<'g, T: 'g> OneOf<'g, T> {
    /// Adds a form that begins with one of these words, of which the first is said.
    pub fn on(self, keywords: &'g [&'g str], grammar: Grammar<'g, T>) -> Self {
        self.said(keywords[0], keywords, grammar)
    }
    /// Adds a form that begins with one of these words. `says` is a form of one of them ("moves").
    pub fn said(mut self, says: &'g str, keywords: &'g [&'g str], grammar: Grammar<'g, T>) -> Self {
        self.forms.push(Form { says: Some(says), keywords, grammar });
        self
    }
    /// Adds a form that is read but never said, because another form says the same.
    pub fn also(mut self, keywords: &'g [&'g str], grammar: Grammar<'g, T>) -> Self {
        self.forms.push(Form { says: None, keywords, grammar });
        self
    }
    /// Adds the form to use if none of the words comes next, and builds the grammar. It is the last
    /// to be tried for saying.
    pub fn otherwise(self, last: Grammar<'g, T>) -> Grammar<'g, T> {
        self.build(false, last)
    }
    /// Builds the grammar without another form. If none of the words comes next, even with a typo,
    /// reading fails with the message `why`.
    pub fn or_fail(self, why: &'g str) -> Grammar<'g, T> {
        self.build(true, nothing(why))
    }
    fn build(self, slips: bool, last: Grammar<'g, T>) -> Grammar<'g, T> {
        let forms = Rc::new(self.forms);
        let keywords: Vec<&str> = forms.iter().flat_map(|form| form.keywords.iter().copied()).collect();
        let owners: Vec<usize> =
            forms.iter().enumerate().flat_map(|(at, form)| form.keywords.iter().map(move |_| at)).collect();
        let (again, end) = (forms.clone(), last.clone());
        Grammar::new(
            move |words| {
                let met = if slips { words.expect_any(&keywords).ok() } else { words.eat_any(&keywords) };
                match met {
                    Some(met) => forms[owners[met]].grammar.read(words),
                    None => last.read(words),
                }
            },
            move |value, said| {
                let so_far = said.len();
                let mut tried = |says: &str, grammar: &Grammar<'g, T>| {
                    said.truncate(so_far);
                    push(said, says);
                    (grammar.say)(value, said)
                };
                again.iter().any(|form| form.says.is_some_and(|says| tried(says, &form.grammar))) || tried("", &end)
            },
        )
    }
}

/// Converts a grammar's value to a variant of an enum.
///
/// In `variant!(parts => (n, to) => Order::Move { n, to })`, the pattern in the middle names the
/// values of the parts in their order (nested pairs if there are more than two), and the last
/// expression uses them as fields.
#[macro_export]
macro_rules! variant {
    ($grammar:expr => $parts:tt => $($variant:tt)+) => {
        $grammar.map(
            move |$parts| $($variant)+,
            move |value| match ::std::clone::Clone::clone(value) {
                $($variant)+ => ::std::option::Option::Some($parts),
                #[allow(unreachable_patterns)]
                _ => ::std::option::Option::None,
            },
        )
    };
}
