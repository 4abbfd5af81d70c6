//! The public form of a position as terse canonical JSON, for the digests of a journal: numbers, names, and lists of them.
//!
//! Pieces go by their ids, which are their places in the component file that the journal names; nobody and nothing are 0, and
//! what may be nothing counts from 1. [`list!`](crate::list) and [`row!`](crate::row) put parts together.

use super::Seat;

/// Writes canonical JSON from front to back. Members of an object must come sorted.
pub struct Form<'o> {
    out: &'o mut String,
    /// Nothing stands yet in the innermost array or object, so that no comma is due.
    first: bool,
}

impl<'o> Form<'o> {
    /// An object whose members are what `fill` writes, at the end of a text.
    pub fn object(out: &'o mut String, fill: impl FnOnce(&mut Self)) {
        out.reserve(4096);
        out.push('{');
        let mut form = Form { out, first: true };
        fill(&mut form);
        form.out.push('}');
    }
    /// A member of the object.
    pub fn member(&mut self, key: &str, value: impl Terse) {
        self.comma();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push_str("\":");
        self.first = true;
        value.write(self);
    }
    /// An array of whatever `fill` writes.
    pub fn list(&mut self, fill: impl FnOnce(&mut Self)) {
        self.comma();
        self.out.push('[');
        self.first = true;
        fill(self);
        self.out.push(']');
        self.first = false;
    }
    /// An integer. By hand, since formatting would cost more than everything else here.
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
    /// A string that needs no escapes, as the names of cards do not.
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

/// What can stand in the public form.
pub trait Terse {
    /// Writes it at the end.
    fn write(&self, form: &mut Form<'_>);
}

/// What stands in the public form as an integer; of magnitudes far below 2^53.
pub trait Number {
    /// The integer.
    fn number(&self) -> i64;
}

/// Makes types numbers of the public form, each by a function.
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
    // Counts of pieces.
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

/// A list of whatever the function writes; [`list!`](crate::list) makes it.
pub struct List<F>(pub F);

impl<F: Fn(&mut Form<'_>)> Terse for List<F> {
    fn write(&self, form: &mut Form<'_>) {
        form.list(&self.0);
    }
}

/// A list of numbers without the zeros at its end; [`row!`](crate::row) makes it.
pub struct Numbers<const N: usize>(pub [i64; N]);

impl<const N: usize> Terse for Numbers<N> {
    fn write(&self, form: &mut Form<'_>) {
        let end = self.0.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        form.list(|form| self.0[..end].iter().for_each(|&number| form.number(number)));
    }
}

/// A list with something for each item.
pub fn each<I, T>(items: I, part: impl Fn(I::Item) -> T) -> impl Terse
where
    I: IntoIterator + Clone,
    T: Terse,
{
    List(move |form: &mut Form<'_>| items.clone().into_iter().for_each(|item| part(item).write(form)))
}

/// One bit a flag, the first the lowest.
pub fn flags<const N: usize>(flags: [bool; N]) -> i64 {
    flags.iter().rev().fold(0, |all, &flag| 2 * all + i64::from(flag))
}

/// A list of these parts.
#[macro_export]
macro_rules! list {
    ($($part:expr),* $(,)?) => {
        $crate::List(move |form: &mut $crate::Form<'_>| {
            $($crate::Terse::write(&$part, form);)*
        })
    };
}

/// A list of these numbers, without the zeros at its end.
#[macro_export]
macro_rules! row {
    ($($number:expr),* $(,)?) => { $crate::Numbers([$($crate::Number::number(&$number)),*]) };
}
