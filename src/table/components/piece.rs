//! How a game declares its pieces, and the small ids by which it names them.

use super::Row;

/// A table of a component file: its name (`region` for `[[region]]`) and the keys of its rows; the first key names a row
/// where others refer to it.
pub type Table = (&'static str, &'static [&'static str]);

/// A kind of piece: a row of one table of the component file. [`pieces!`](crate::pieces) declares it.
pub trait Piece: Sized {
    /// Its table.
    const TABLE: Table;
    /// Makes a piece of a row.
    fn read(row: &mut Row<'_, '_, '_>) -> Self;
}

/// The place of a piece in its list, which is its place in the file. [`ids!`](crate::ids) declares it.
pub trait Id: Copy {
    /// The id of this place; places are below 256.
    fn at(place: usize) -> Self;
    /// The place in the list.
    fn index(self) -> usize;
}

/// Declares kinds of pieces: structs whose fields are the keys of a table of the component file. Behind each field stands
/// the method of [`Row`](crate::components::Row) that reads it, with what it needs beside the key. Under `also` stand
/// fields that follow from the others.
#[macro_export]
macro_rules! pieces {
    ($(
        $(#[$meta:meta])*
        pub struct $Piece:ident in $table:literal {
            $($(#[$about:meta])* $field:ident: $Type:ty = $read:ident $(($($with:expr),*))?),* $(,)?
        }
        $(also { $($(#[$too:meta])* $more:ident: $More:ty = $value:expr),* $(,)? })?
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $Piece {
            $($(#[$about])* pub $field: $Type,)*
            $($($(#[$too])* pub $more: $More,)*)?
        }

        impl $crate::components::Piece for $Piece {
            const TABLE: $crate::components::Table = ($table, &[$(stringify!($field)),*]);

            fn read(row: &mut $crate::components::Row<'_, '_, '_>) -> Self {
                $(let $field: $Type = row.$read(stringify!($field) $($(, $with)*)?);)*
                $($(let $more: $More = $value;)*)?
                $Piece { $($field,)* $($($more,)*)? }
            }
        }
    )*};
}

/// Declares the ids of pieces and where each list of them is: the type, its [`Id`], looking up by
/// it, all ids in order, finding one by a name, by which orders keep it, and all its names, for
/// reading.
#[macro_export]
macro_rules! ids {
    ($Box:ty; $(
        $(#[$meta:meta])*
        $Id:ident, $all:ident $(, $find:ident by $label:ident)* => $list:ident: $Piece:ty;
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $Id(pub u8);

        impl $Id {
            /// The place in the list of its kind.
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        $crate::numbers! { $Id: |id| id.0.into() }

        impl $crate::components::Id for $Id {
            fn at(place: usize) -> Self {
                // Lists are shorter: the reader sees to it.
                $Id(place as u8)
            }
            fn index(self) -> usize {
                self.index()
            }
        }

        impl std::ops::Index<$Id> for $Box {
            type Output = $Piece;
            fn index(&self, id: $Id) -> &$Piece {
                &self.$list[id.index()]
            }
        }

        impl $Box {
            /// All ids of this kind, in the order of the file.
            pub fn $all(&self) -> impl Iterator<Item = $Id> + Clone + use<> {
                (0..self.$list.len() as u8).map($Id)
            }
            $(
                /// The one of this name, in either case.
                pub fn $find(&self, name: &str) -> Option<$Id> {
                    let called = |id: &$Id| {
                        let label = &self[*id].$label;
                        label.len() == name.len() && label.eq_ignore_ascii_case(name)
                    };
                    self.$all().find(called)
                }
            )*
        }

        $crate::ids! { @names $Box, $Id, $all, $($label)* }
    )*};
    (@names $Box:ty, $Id:ident, $all:ident,) => {};
    (@names $Box:ty, $Id:ident, $all:ident, $($label:ident)+) => {
        impl $Id {
            /// The names of all; `what` says what they are the names of, in the singular.
            pub fn names(of: &$Box, what: &'static str) -> $crate::Names<$Id> {
                let mut names = $crate::Names::new(what);
                for id in of.$all() {
                    $(names.add(&of[id].$label, id);)+
                }
                names
            }
        }
    };
}

/// Declares an enum of things that have names: the word by which files, orders and rulings know each, and its name for people. The
/// first is the default where a file has none that fits.
#[macro_export]
macro_rules! named {
    ($(
        $(#[$meta:meta])*
        pub enum $Enum:ident {
            $($(#[$about:meta])* $Value:ident = $word:literal, $name:literal;)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub enum $Enum {
            $($(#[$about])* #[doc = concat!("`", $word, "`, ", $name)] #[serde(rename = $word)] $Value,)*
        }

        impl $Enum {
            /// All of them, in order.
            pub const ALL: [$Enum; [$($word),*].len()] = [$($Enum::$Value),*];

            /// Its place in [`ALL`](Self::ALL).
            pub fn index(self) -> usize {
                self as usize
            }
            /// The word by which files, orders and rulings know it.
            pub fn word(self) -> &'static str {
                const WORDS: &[&str] = &[$($word),*];
                WORDS[self.index()]
            }
            /// Its name for people.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name),*];
                NAMES[self.index()]
            }
            /// The one that this word means.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.word() == word)
            }
        }

        impl Default for $Enum {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        // Enums of names have few values.
        $crate::numbers! { $Enum: |one| one.index() as i64 }
    )*};
}
