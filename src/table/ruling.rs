//! Common functions for directors' rulings: parsing an effect, resolving names, applying the effect
//! and describing it.

use super::{Game, Refusal, Seat, refuse};
use postrider_orders::{Names, list_and, list_or};
use serde_json::{Map, Value};
use std::{cell::RefCell, fmt::Display, ops::RangeInclusive};

/// A name in a ruling that was resolved although it was abbreviated, misspelt, or surrounded by
/// other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The singular noun for what is named.
    pub what: String,
    /// The name as given.
    pub said: String,
    /// The full name that it was resolved to.
    pub meant: String,
}

thread_local! {
    /// The corrected names since watching began. The rules run in the thread of the caller and
    /// cannot return corrections in their result, because a journal with such a name must keep its
    /// meaning.
    static MENDED: RefCell<Option<Vec<Mended>>> = const { RefCell::new(None) };
}

/// Runs a function that applies rulings, and returns the names that were corrected meanwhile.
pub fn mended<R>(work: impl FnOnce() -> R) -> (R, Vec<Mended>) {
    MENDED.set(Some(Vec::new()));
    let done = work();
    (done, MENDED.take().unwrap_or_default())
}

/// Returns the position after a ruling with this effect, one of [`Game::EFFECTS`], and a
/// description of what it did.
///
/// # Errors
///
/// Returns a [`Refusal`] if [no ruling is possible now](Game::may_rule), if the effect is refused,
/// if the resulting position would have [faults](Game::faults), or if it would be unchanged.
pub fn ruled<G: Game>(state: &G::State, effect: &Value) -> Result<(G::State, String), Refusal> {
    G::may_rule(state)?;
    // Applied to a copy, so that a refused ruling changes nothing.
    let mut changed = state.clone();
    let words = carry_out(&mut changed, G::EFFECTS, effect)?;
    match G::faults(&changed).as_slice() {
        // `Debug` output is complete, so it can be used to compare states.
        [] if format!("{changed:?}") == format!("{state:?}") => {
            refuse("-", format!("it would change nothing, since this is already so: {words}"))
        }
        [] => {
            G::after_ruling(&mut changed);
            Ok((changed, words))
        }
        faults => refuse("-", format!("the position would not be legal: {}", faults.join("; "))),
    }
}

/// An effect of rulings: its name, its members for directors, and the function that applies it. The
/// function reads the members of the effect, defines the valid values of each, and returns the name
/// of the thing changed.
pub type EffectKind<S> = (&'static str, &'static str, fn(&mut S, &mut Effect<'_>) -> Result<String, Refusal>);

/// Applies the effect of a ruling, one of those that a game defines, and describes it in a
/// sentence.
///
/// # Errors
///
/// Returns a [`Refusal`] with the valid effects or members if one is unknown, or with another
/// reason.
fn carry_out<S>(g: &mut S, kinds: &[EffectKind<S>], said: &Value) -> Result<String, Refusal> {
    if kinds.is_empty() {
        return refuse("-", "this game has no rulings with an effect; give one in words alone");
    }
    let all = said.as_object();
    if all.is_some_and(|all| all.len() > 1) {
        return refuse("-", "a ruling has one effect; give each its own");
    }
    let one = all.and_then(|all| all.iter().next());
    let found = one.and_then(|(name, members)| {
        let (_, form, work) = kinds.iter().find(|(known, ..)| known == name)?;
        Some((name, form, members.as_object()?, work))
    });
    let Some((name, form, members, work)) = found else {
        let all: Vec<String> = kinds.iter().map(|(name, ..)| format!("`{name}`")).collect();
        return refuse("-", format!("this game has no such effect of a ruling, only {}", list_and(&all)));
    };
    let mut effect = Effect { form, members, known: Vec::new(), told: Vec::new() };
    let of = work(g, &mut effect)?;
    if let Some(member) = members.keys().find(|member| !effect.known.contains(&member.as_str())) {
        let all: Vec<String> = effect.known.iter().map(|known| format!("`{known}`")).collect();
        return refuse("-", format!("`{name}` has no member `{member}`, only {}", list_and(&all)));
    }
    if effect.told.is_empty() {
        return refuse("-", format!("the ruling changes nothing of {of}"));
    }
    Ok(format!("{of}: {}.", list_and(&effect.told)))
}

/// Resolves a name.
///
/// # Errors
///
/// Returns a [`Refusal`] if the name matches nothing in the list, or more than one entry.
pub fn named<T: Copy + PartialEq>(names: &Names<T>, name: &str) -> Result<T, Refusal> {
    let value = names.find(name).or_else(|why| refuse("-", why.to_string()))?;
    if !names.is_spelt_out(name, value) {
        let meant = names.name_of(value).unwrap_or_default().to_owned();
        let one = Mended { what: names.what().to_owned(), said: name.to_owned(), meant };
        MENDED.with_borrow_mut(|all| all.iter_mut().for_each(|all| all.push(one.clone())));
    }
    Ok(value)
}

/// Returns the seat with this letter, in either case.
///
/// # Errors
///
/// Returns a [`Refusal`] that lists the seats.
pub fn seat_named(seats: impl IntoIterator<Item = Seat>, letter: &str) -> Result<Seat, Refusal> {
    let seats: Vec<Seat> = seats.into_iter().collect();
    let found = Seat::from_letter(&letter.to_ascii_uppercase()).filter(|seat| seats.contains(seat));
    found.ok_or_else(|| {
        let all: Vec<String> = seats.iter().map(Seat::to_string).collect();
        Refusal { rule: "-", why: format!("there is no seat \"{letter}\"; choose {}", list_or(&all)) }
    })
}

/// The range of a score; no game comes close to its limits.
pub const SCORE: RangeInclusive<i64> = -999..=999;

/// The members of an effect. Omitted members change nothing.
pub struct Effect<'v> {
    /// The members of the effect in words.
    form: &'static str,
    members: &'v Map<String, Value>,
    /// The members of the effect that have been asked for, that is, the valid ones.
    known: Vec<&'static str>,
    /// The changes made so far, in words.
    told: Vec<String>,
}

impl Effect<'_> {
    fn member(&mut self, member: &'static str) -> Option<&Value> {
        debug_assert!(self.form.contains(member), "`{member}` is missing from `{}`", self.form);
        if !self.known.contains(&member) {
            self.known.push(member);
        }
        self.members.get(member)
    }
    /// Reads a word; a number is accepted as a word, for example the hex 2808.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the member is neither.
    pub fn word(&mut self, member: &'static str) -> Result<Option<String>, Refusal> {
        match self.member(member) {
            None => Ok(None),
            Some(Value::String(word)) => Ok(Some(word.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => refuse("-", format!("`{member}` must be a word, not {other}")),
        }
    }
    /// Reads a required word.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the member is missing.
    pub fn needed(&mut self, member: &'static str) -> Result<String, Refusal> {
        self.word(member)?.map_or_else(|| refuse("-", format!("`{member}` is missing")), Ok)
    }
    /// Reads and resolves a required name.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`named`], or a [`Refusal`] if the member is missing.
    pub fn named<T: Copy + PartialEq>(&mut self, member: &'static str, names: &Names<T>) -> Result<T, Refusal> {
        let name = self.needed(member)?;
        named(names, &name)
    }
    /// Reads `true` or `false`.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the member is anything else.
    pub fn truth(&mut self, member: &'static str) -> Result<Option<bool>, Refusal> {
        match self.member(member) {
            None => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(*truth)),
            Some(other) => refuse("-", format!("`{member}` must be true or false, not {other}")),
        }
    }
    /// Reads one of these words.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] that lists them.
    pub fn choice<T: Copy>(&mut self, member: &'static str, words: &[(&str, T)]) -> Result<Option<T>, Refusal> {
        let Some(word) = self.word(member)? else { return Ok(None) };
        let found = words.iter().find(|(name, _)| name.eq_ignore_ascii_case(&word));
        let all: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
        let Some((_, value)) = found else {
            return refuse("-", format!("`{member}` must be {}, not \"{word}\"", list_or(&all)));
        };
        Ok(Some(*value))
    }
    /// Reads a number within the range that the game allows; `what` is its name in messages.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] if the number is out of range or not a whole number.
    pub fn number<T: TryFrom<i64>>(
        &mut self,
        member: &'static str,
        what: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.member(member) else { return Ok(None) };
        // A number too large for an integer is read as a fraction.
        let is_huge = value.as_f64().is_some_and(|number| number.abs() >= i64::MAX as f64);
        if !value.is_i64() && !is_huge {
            return refuse("-", format!("`{member}` must be a whole number, not {value}"));
        }
        let right = value.as_i64().filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        right.map(Some).ok_or_else(|| {
            let possible = match range.into_inner() {
                (only, same) if only == same => format!("only {only} is possible"),
                (least, most) => format!("{least} to {most} is possible"),
            };
            Refusal { rule: "-", why: format!("{what}: {value} is out of range; {possible}") }
        })
    }
    /// Sets a number and records the change in words.
    ///
    /// # Errors
    ///
    /// See [`Effect::number`].
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
    /// Adds or removes what `what` names, and records the change: `a Mission`, `no Mission`.
    /// Returns `true` if the ruling has the member.
    ///
    /// # Errors
    ///
    /// See [`Effect::truth`].
    pub fn flag(&mut self, member: &'static str, what: &str, place: &mut bool) -> Result<bool, Refusal> {
        let bare = what.strip_prefix("a ").or_else(|| what.strip_prefix("an ")).unwrap_or(what);
        self.set(member, what, &format!("no {bare}"), place)
    }
    /// Sets a boolean state and records the change: `Pinned`, `not Pinned`. Returns `true` if the
    /// ruling has the member.
    ///
    /// # Errors
    ///
    /// See [`Effect::truth`].
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
    /// Records a change, in words.
    pub fn told(&mut self, words: impl Into<String>) {
        self.told.push(words.into());
    }
}
