//! Declarations of a game's pieces, and the small ids that name them.

use super::Row;

/// A table of a component file: its name (`region` for `[[region]]`) and the keys of its rows.
/// Other tables refer to a row by the value of its first key.
pub type Table = (&'static str, &'static [&'static str]);

/// A kind of piece: a row of one table of the component file. Declared with
/// [`pieces!`](crate::pieces).
pub trait Piece: Sized {
    /// Its table.
    const TABLE: Table;
    /// Creates a piece from a row.
    fn read(row: &mut Row<'_, '_, '_>) -> Self;
}

/// The index of a piece in its list, which is its position in the file. Declared with
/// [`ids!`](crate::ids).
pub trait Id: Copy {
    /// Creates the id for an index below 256.
    fn at(place: usize) -> Self;
    /// Returns the index in the list.
    fn index(self) -> usize;
}

/// Declares kinds of pieces: structs whose fields are the keys of a table of the component file.
/// Each field is followed by the method of [`Row`] that reads it, with its
/// arguments other than the key. Fields computed from the others are listed under `also`.
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

/// Declares the ids of pieces and the list that each refers to. Generates the type, its [`Id`],
/// indexing by it, an iterator over all ids, lookup by a name (the form in which orders store it),
/// and all its names, for parsing.
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
            /// Returns the index in the list of its kind.
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }

        $crate::numbers! { $Id: |id| id.0.into() }

        impl $crate::components::Id for $Id {
            fn at(place: usize) -> Self {
                // The reader limits lists to fewer than 256 pieces.
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
            /// Returns all ids of this kind, in the order of the file.
            pub fn $all(&self) -> impl Iterator<Item = $Id> + Clone + use<> {
                (0..self.$list.len() as u8).map($Id)
            }
            $(
                /// Returns the id with this name, ignoring ASCII case.
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
            /// Returns all names; `what` is the singular noun for what they name.
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

/// Declares an enum of named values: each has a word used in files, orders and rulings, and a name
/// for people. The first value is the default if a file has no valid one.
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
            /// All values, in order.
            pub const ALL: [$Enum; [$($word),*].len()] = [$($Enum::$Value),*];

            /// Returns its index in [`ALL`](Self::ALL).
            pub fn index(self) -> usize {
                self as usize
            }
            /// Returns the word for it in files, orders and rulings.
            pub fn word(self) -> &'static str {
                const WORDS: &[&str] = &[$($word),*];
                WORDS[self.index()]
            }
            /// Returns its name for people.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name),*];
                NAMES[self.index()]
            }
            /// Returns the value with this word.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.word() == word)
            }
        }

        impl Default for $Enum {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        // Such enums have few values.
        $crate::numbers! { $Enum: |one| one.index() as i64 }
    )*};
}
