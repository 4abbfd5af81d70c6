//! What games share of a director's rulings: reading an effect, finding what it names, setting it
//! and telling it.

use super::{Game, Refusal, Seat, refuse};
use postrider_orders::{Names, Phrase, list_and, list_or};
use serde_json::{Map, Value};
use std::{cell::RefCell, fmt::Display, ops::RangeInclusive};

/// A name in a ruling that was understood, though the thing is called otherwise: cut short,
/// misspelt, or with words beside it.
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
    /// The names that were mended since somebody began to watch. Rules run in the thread of whoever
    /// gives them a ruling, and their answer has no place for it: a journal that holds such a name
    /// must go on to mean what it meant.
    static MENDED: RefCell<Option<Vec<Mended>>> = const { RefCell::new(None) };
}

/// Does something with rulings, and says which names in them were mended.
pub fn mended<R>(work: impl FnOnce() -> R) -> (R, Vec<Mended>) {
    MENDED.set(Some(Vec::new()));
    let done = work();
    (done, MENDED.take().unwrap_or_default())
}

/// The position after a ruling with this effect, and what it did, in words. [`Game::rule`] does it;
/// here it is made sure that the position can stand.
///
/// # Errors
/// [`Refusal`] when the game refuses it, when the position afterwards would have
/// [faults](Game::faults), or when it would be the same as before.
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

/// An effect of rulings: its name, and what does it. That reads the members of the effect, each
/// where it says what the member sets and which values are possible, and gives the name of what was
/// set.
pub type EffectKind<S> = (&'static str, fn(&mut S, &mut Effect<'_>) -> Result<String, Refusal>);

/// Does the effect of a ruling, one of those that a game knows; gives what it did, as a sentence.
///
/// # Errors
/// [`Refusal`] that says which effect or member is not known, and which are, or what else is wrong.
pub fn carry_out<S>(g: &mut S, kinds: &[EffectKind<S>], said: &Value) -> Result<String, Refusal> {
    let one = said.as_object().filter(|all| all.len() == 1).and_then(|all| all.iter().next());
    let found = one.and_then(|(name, members)| {
        let (_, work) = kinds.iter().find(|(known, _)| known == name)?;
        Some((name, members.as_object()?, work))
    });
    let Some((name, members, work)) = found else {
        let all: Vec<String> = kinds.iter().map(|(name, _)| format!("`{name}`")).collect();
        return refuse("-", format!("this game knows no such effect of a ruling, only {}", list_and(&all)));
    };
    let mut effect = Effect { members, known: Vec::new(), told: Vec::new() };
    let of = work(g, &mut effect)?;
    if let Some(member) = members.keys().find(|member| !effect.known.contains(&member.as_str())) {
        let all: Vec<String> = effect.known.iter().map(|known| format!("`{known}`")).collect();
        return refuse("-", format!("`{name}` has no member `{member}`, only {}", list_and(&all)));
    }
    if effect.told.is_empty() {
        return refuse("-", format!("the ruling sets nothing of {of}"));
    }
    Ok(format!("{of}: {}.", list_and(&effect.told)))
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
/// How many markers of a kind can lie in one place where a game has no limit of its own: no box
/// holds more.
pub const MARKERS: RangeInclusive<i64> = 0..=99;

/// The members of an effect. Those that are left out set nothing.
pub struct Effect<'v> {
    members: &'v Map<String, Value>,
    /// The members that the effect can have, as far as they were asked for.
    known: Vec<&'static str>,
    /// What was set, in words.
    told: Vec<String>,
}

impl Effect<'_> {
    fn member(&mut self, member: &'static str) -> Option<&Value> {
        if !self.known.contains(&member) {
            self.known.push(member);
        }
        self.members.get(member)
    }
    /// A member in words; a number may be one, such as the hex 2808.
    ///
    /// # Errors
    /// [`Refusal`] when it is neither.
    pub fn word(&mut self, member: &'static str) -> Result<Option<String>, Refusal> {
        match self.member(member) {
            None => Ok(None),
            Some(Value::String(word)) => Ok(Some(word.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => refuse("-", format!("`{member}` is a word, not {other}")),
        }
    }
    /// A member in words that the effect cannot do without.
    ///
    /// # Errors
    /// [`Refusal`] when it is missing.
    pub fn needed(&mut self, member: &'static str) -> Result<String, Refusal> {
        self.word(member)?.map_or_else(|| refuse("-", format!("`{member}` is missing")), Ok)
    }
    /// What a member names that the effect cannot do without.
    ///
    /// # Errors
    /// As [`named`], and when it is missing.
    pub fn named<T: Copy + PartialEq>(
        &mut self,
        member: &'static str,
        what: &str,
        names: &Names<T>,
    ) -> Result<T, Refusal> {
        let name = self.needed(member)?;
        named(names, what, &name)
    }
    /// Yes or no.
    ///
    /// # Errors
    /// [`Refusal`] when it is anything else.
    pub fn truth(&mut self, member: &'static str) -> Result<Option<bool>, Refusal> {
        match self.member(member) {
            None => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(*truth)),
            Some(other) => refuse("-", format!("`{member}` is true or false, not {other}")),
        }
    }
    /// One of these words.
    ///
    /// # Errors
    /// [`Refusal`] that lists them.
    pub fn choice<T: Copy>(&mut self, member: &'static str, words: &[(&str, T)]) -> Result<Option<T>, Refusal> {
        let Some(word) = self.word(member)? else { return Ok(None) };
        let found = words.iter().find(|(name, _)| name.eq_ignore_ascii_case(&word));
        let all: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
        let Some((_, value)) = found else {
            return refuse("-", format!("`{member}` is {}, not \"{word}\"", list_or(&all)));
        };
        Ok(Some(*value))
    }
    /// A number of something, within the range that the game allows for it.
    ///
    /// # Errors
    /// [`Refusal`] when it is out of the range, or no whole number.
    pub fn number<T: TryFrom<i64>>(
        &mut self,
        member: &'static str,
        what: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.member(member) else { return Ok(None) };
        if !value.is_i64() && !value.is_u64() {
            return refuse("-", format!("`{member}` is a whole number, not {value}"));
        }
        let right = value.as_i64().filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        right.map(Some).ok_or_else(|| Refusal {
            rule: "-",
            why: format!("{what}: {value} is out of range; {} to {} is possible", range.start(), range.end()),
        })
    }
    /// Sets a number of something, and tells it.
    ///
    /// # Errors
    /// As [`Effect::number`].
    pub fn count<T: TryFrom<i64> + Copy + Display>(
        &mut self,
        member: &'static str,
        what: &str,
        place: &mut T,
        range: RangeInclusive<i64>,
    ) -> Result<(), Refusal> {
        if let Some(value) = self.number(member, what, range)? {
            *place = value;
            self.told(format!("{what} {value}"));
        }
        Ok(())
    }
    /// Sets whether something is there, and tells it: `a Mission`, `no Mission`. Gives whether it
    /// was set.
    ///
    /// # Errors
    /// As [`Effect::truth`].
    pub fn flag(&mut self, member: &'static str, what: &str, place: &mut bool) -> Result<bool, Refusal> {
        let bare = what.strip_prefix("a ").or_else(|| what.strip_prefix("an ")).unwrap_or(what);
        self.set(member, what, &format!("no {bare}"), place)
    }
    /// Sets whether something is in a state, and tells it: `Pinned`, `not Pinned`. Gives whether it
    /// was set.
    ///
    /// # Errors
    /// As [`Effect::truth`].
    pub fn state(&mut self, member: &'static str, what: &str, place: &mut bool) -> Result<bool, Refusal> {
        self.set(member, what, &format!("not {what}"), place)
    }
    fn set(&mut self, member: &'static str, is: &str, is_not: &str, place: &mut bool) -> Result<bool, Refusal> {
        let value = self.truth(member)?;
        if let Some(value) = value {
            *place = value;
            self.told(if value { is } else { is_not });
        }
        Ok(value.is_some())
    }
    /// Something was set, in words.
    pub fn told(&mut self, words: impl Into<String>) {
        self.told.push(words.into());
    }
}
