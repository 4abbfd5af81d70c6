//! What games share of a director's rulings: reading an effect, finding what it names, setting markers and telling it.

use super::{Game, Refusal, Seat, refuse};
use postrider_orders::{Names, Phrase, list_and, list_or};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use std::{
    cell::RefCell,
    fmt::{self, Display},
    ops::RangeInclusive,
};

/// A name in a ruling that was understood, though the thing is called otherwise: cut short, misspelt, or with words beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// What it is the name of, in the singular.
    pub what: String,
    /// The name as it was given.
    pub said: String,
    /// The name of what it was taken for.
    pub meant: String,
}

thread_local! {
    /// The names that were mended since somebody began to watch. Rules run in the thread of whoever gives them a ruling, and their
    /// answer has no place for it: a journal that holds such a name must go on to mean what it meant.
    static MENDED: RefCell<Option<Vec<Mended>>> = const { RefCell::new(None) };
}

/// Does something with rulings, and says which names in them were mended.
pub fn mended<R>(work: impl FnOnce() -> R) -> (R, Vec<Mended>) {
    MENDED.set(Some(Vec::new()));
    let done = work();
    (done, MENDED.take().unwrap_or_default())
}

/// The position after a ruling with this effect, and what it did, in words. [`Game::rule`] does it; here it is made sure that
/// the position can stand.
///
/// # Errors
/// [`Refusal`] when the game refuses it, when the position afterwards would have [faults](Game::faults), or when it would be the
/// same as before.
pub fn ruled<G: Game>(state: &G::State, effect: &Value) -> Result<(G::State, String), Refusal> {
    // On a copy, so that what is refused has changed nothing.
    let mut changed = state.clone();
    let words = G::rule(&mut changed, effect)?;
    match G::faults(&changed).as_slice() {
        // A state says all of itself to whoever debugs it.
        [] if format!("{changed:?}") == format!("{state:?}") => {
            refuse("-", format!("it would change nothing, as it is so already: {words}"))
        }
        [] => Ok((changed, words)),
        faults => refuse("-", format!("the position would not be legal: {}", faults.join("; "))),
    }
}

/// Makes an effect of a game's own type, an enum whose variants have named members, of what a ruling says.
///
/// # Errors
/// [`Refusal`] that says which effect or member is not known, and which are.
pub fn effect<E: DeserializeOwned>(effect: &Value) -> Result<E, Refusal> {
    E::deserialize(effect).or_else(|why| refuse("-", format!("this game knows no such effect of a ruling: {why}")))
}

/// The one thing that a name means.
///
/// # Errors
/// [`Refusal`] when it names nothing of the list or several things.
pub fn named<T: Copy + PartialEq>(names: &Names<T>, what: &str, name: &str) -> Result<T, Refusal> {
    let said = Phrase::new(name);
    let mut words = said.reader();
    let value = words.name(names).or_else(|why| refuse("-", format!("\"{name}\" is no {what} here: {why}")))?;
    if !names.is_spelt_out(name, value) {
        let meant = names.name_of(value).unwrap_or_default().to_owned();
        let one = Mended { what: what.to_owned(), said: name.to_owned(), meant };
        MENDED.with_borrow_mut(|all| all.iter_mut().for_each(|all| all.push(one.clone())));
    }
    Ok(value)
}

/// The seat of this letter.
///
/// # Errors
/// [`Refusal`] that lists the seats.
pub fn seat_named(seats: impl IntoIterator<Item = Seat>, letter: &str) -> Result<Seat, Refusal> {
    let seats: Vec<Seat> = seats.into_iter().collect();
    let found = Seat::from_letter(&letter.to_ascii_uppercase()).filter(|seat| seats.contains(seat));
    found.ok_or_else(|| {
        let all: Vec<String> = seats.iter().map(Seat::to_string).collect();
        Refusal { rule: "-", why: format!("there is no seat \"{letter}\"; there is {}", list_or(&all)) }
    })
}

/// The points of a score sheet. No game comes near its ends.
pub const SCORE: RangeInclusive<i64> = -999..=999;
/// How many markers of a kind can lie in one place where a game has no limit of its own: no box holds more.
pub const MARKERS: RangeInclusive<i64> = 0..=99;

/// A whole number that a ruling sets. Which ones can be meant its game says where it uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(i64);

impl Amount {
    /// The number as the game counts it.
    ///
    /// # Errors
    /// [`Refusal`] when it is out of this range.
    pub fn within<T: TryFrom<i64>>(self, what: &str, range: RangeInclusive<i64>) -> Result<T, Refusal> {
        let right = Some(self.0).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        right.ok_or_else(|| Refusal {
            rule: "-",
            why: format!("{what}: {} is out of range; {} to {} is possible", self.0, range.start(), range.end()),
        })
    }
    /// What it makes of a number to which it is added.
    ///
    /// # Errors
    /// [`Refusal`] when the sum is out of this range.
    pub fn added_to<T>(self, to: T, what: &str, range: RangeInclusive<i64>) -> Result<T, Refusal>
    where
        T: Into<i64> + TryFrom<i64>,
    {
        Amount(to.into().saturating_add(self.0)).within(what, range)
    }
}

impl Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Amount, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Amount;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }
            fn visit_i64<E>(self, number: i64) -> Result<Amount, E> {
                Ok(Amount(number))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Amount, E> {
                // What is greater is out of every range just the same.
                Ok(Amount(i64::try_from(number).unwrap_or(i64::MAX)))
            }
        }
        from.deserialize_any(Whole)
    }
}

/// Markers that a ruling sets, for telling. What it leaves out stays as it is.
#[derive(Default)]
pub struct Markers(Vec<String>);

impl Markers {
    /// A number of something is set.
    ///
    /// # Errors
    /// [`Refusal`] when it is out of the range that the game allows for it.
    pub fn count<T: TryFrom<i64>>(
        &mut self,
        what: &str,
        place: &mut T,
        value: Option<Amount>,
        range: RangeInclusive<i64>,
    ) -> Result<(), Refusal> {
        if let Some(value) = value {
            *place = value.within(what, range)?;
            self.told(format!("{what} {value}"));
        }
        Ok(())
    }
    /// Something is there from now on, or not: `a Mission`, `no Mission`.
    pub fn flag(&mut self, what: &str, place: &mut bool, value: Option<bool>) {
        let bare = what.strip_prefix("a ").or_else(|| what.strip_prefix("an ")).unwrap_or(what);
        self.set(what.to_owned(), format!("no {bare}"), place, value);
    }
    /// Something is in a state from now on, or not: `Pinned`, `not Pinned`.
    pub fn state(&mut self, what: &str, place: &mut bool, value: Option<bool>) {
        self.set(what.to_owned(), format!("not {what}"), place, value);
    }
    fn set(&mut self, is: String, is_not: String, place: &mut bool, value: Option<bool>) {
        if let Some(value) = value {
            *place = value;
            self.told(if value { is } else { is_not });
        }
    }
    /// Something else was set, in words.
    pub fn told(&mut self, words: String) {
        self.0.push(words);
    }
    /// What was set of this thing, as a sentence.
    ///
    /// # Errors
    /// [`Refusal`] when nothing was set.
    pub fn words(self, of: &str) -> Result<String, Refusal> {
        if self.0.is_empty() {
            return refuse("-", format!("the ruling sets nothing of {of}"));
        }
        Ok(format!("{of}: {}.", list_and(&self.0)))
    }
}
