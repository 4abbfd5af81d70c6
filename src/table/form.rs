//! The public form of a position as compact canonical JSON, for the digests of a journal: numbers,
//! names, and lists of them.
//!
//! Pieces are represented by their ids, which are their indexes in the component file named by the
//! journal. The absence of a piece or value is 0; optional values are shifted by 1.
//! [`list!`](crate::list) and [`row!`](crate::row) combine parts.

use super::Seat;

/// A writer for canonical JSON. The members of an object must be written in sorted order.
pub struct Form<'o> {
    out: &'o mut String,
    /// `true` if the innermost array or object is still empty, so that no comma is needed.
    first: bool,
}

impl<'o> Form<'o> {
    /// Appends an object with the members that `fill` writes to a text.
    pub fn object(out: &'o mut String, fill: impl FnOnce(&mut Self)) {
        out.reserve(4096);
        out.push('{');
        let mut form = Form { out, first: true };
        fill(&mut form);
        form.out.push('}');
    }
    /// Writes a member of the object. The key must need no escapes.
    pub fn member(&mut self, key: &str, value: impl Terse) {
        self.comma();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        self.first = true;
        value.write(self);
    }
    /// Writes an array with the items that `fill` writes.
    pub fn list(&mut self, fill: impl FnOnce(&mut Self)) {
        self.comma();
        self.out.push('[');
        self.first = true;
        fill(self);
        self.out.push(']');
        self.first = false;
    }
    /// Writes an integer. Does not use `format!`, which would take more time than everything else
    /// here.
    pub fn number(&mut self, number: i64) {
        self.comma();
        if number < 0 {
            self.out.push('-');
        }
        let mut left = number.unsigned_abs();
        let mut digits = [b'0'; 20];
        let mut from = digits.len();
        loop {
            from -= 1;
            digits[from] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        digits[from..].iter().for_each(|&digit| self.out.push(char::from(digit)));
    }
    /// Writes a string that needs no escapes, such as the name of a card.
    pub fn name(&mut self, name: &str) {
        self.comma();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push('"');
    }
    fn comma(&mut self) {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
    }
}

/// A value that can be part of the public form.
pub trait Terse {
    /// Appends the value.
    fn write(&self, form: &mut Form<'_>);
}

/// A value represented by an integer in the public form, of a magnitude far below 2^53.
pub trait Number {
    /// Returns the integer.
    fn number(&self) -> i64;
}

/// Implements [`Number`] and [`Terse`] for types, each with an
/// expression for its integer.
#[macro_export]
macro_rules! numbers {
    ($($Type:ty: |$value:pat_param| $number:expr),* $(,)?) => {$(
        impl $crate::Number for $Type {
            fn number(&self) -> i64 {
                let $value = *self;
                $number
            }
        }
        impl $crate::Terse for $Type {
            fn write(&self, form: &mut $crate::Form<'_>) {
                form.number($crate::Number::number(self));
            }
        }
    )*};
}

numbers! {
    u8: |n| n.into(),
    u16: |n| n.into(),
    u32: |n| n.into(),
    i32: |n| n.into(),
    i64: |n| n,
    // A count of pieces.
    usize: |n| n as i64,
    bool: |flag| flag.into(),
    Seat: |seat| seat.0.into(),
}

impl<T: Number> Number for Option<T> {
    fn number(&self) -> i64 {
        self.as_ref().map_or(0, |some| some.number() + 1)
    }
}

impl<T: Number> Terse for Option<T> {
    fn write(&self, form: &mut Form<'_>) {
        form.number(self.number());
    }
}

impl<T: Number> Number for &T {
    fn number(&self) -> i64 {
        (*self).number()
    }
}

impl<T: Terse + ?Sized> Terse for &T {
    fn write(&self, form: &mut Form<'_>) {
        (*self).write(form);
    }
}

impl Terse for str {
    fn write(&self, form: &mut Form<'_>) {
        form.name(self);
    }
}

impl<T: Terse> Terse for [T] {
    fn write(&self, form: &mut Form<'_>) {
        form.list(|form| self.iter().for_each(|one| one.write(form)));
    }
}

impl<T: Terse, const N: usize> Terse for [T; N] {
    fn write(&self, form: &mut Form<'_>) {
        self.as_slice().write(form);
    }
}

impl<T: Terse> Terse for Vec<T> {
    fn write(&self, form: &mut Form<'_>) {
        self.as_slice().write(form);
    }
}

/// A list of the items that the function writes; created by [`list!`](crate::list).
pub struct List<F>(pub F);

impl<F: Fn(&mut Form<'_>)> Terse for List<F> {
    fn write(&self, form: &mut Form<'_>) {
        form.list(&self.0);
    }
}

/// A list of numbers without trailing zeros; created by [`row!`](crate::row).
pub struct Numbers<const N: usize>(pub [i64; N]);

impl<const N: usize> Terse for Numbers<N> {
    fn write(&self, form: &mut Form<'_>) {
        let end = self.0.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        form.list(|form| self.0[..end].iter().for_each(|&number| form.number(number)));
    }
}

/// Creates a list with a part for each item.
pub fn each<I, T>(items: I, part: impl Fn(I::Item) -> T) -> impl Terse
where
    I: IntoIterator + Clone,
    T: Terse,
{
    List(move |form: &mut Form<'_>| items.clone().into_iter().for_each(|item| part(item).write(form)))
}

/// Packs flags into bits, the first flag into the lowest bit.
pub fn flags<const N: usize>(flags: [bool; N]) -> i64 {
    flags.iter().rev().fold(0, |all, &flag| 2 * all + i64::from(flag))
}

/// Creates a list of these parts.
#[macro_export]
macro_rules! list {
    ($($part:expr),* $(,)?) => {
        $crate::List(move |form: &mut $crate::Form<'_>| {
            $($crate::Terse::write(&$part, form);)*
        })
    };
}

/// Creates a list of these numbers, without trailing zeros.
#[macro_export]
macro_rules! row {
    ($($number:expr),* $(,)?) => { $crate::Numbers([$($crate::Number::number(&$number)),*]) };
}
