//! The kinds of questions of a game.

use std::fmt::{Debug, Display};

/// The kinds of questions of one game, as an enum created by [`kinds!`](crate::kinds), so that
/// rules, bots and the list in [`Ruleset::kinds`](super::Ruleset::kinds) use the same names.
/// `Display` writes its [name](Kind::name).
pub trait Kind: Copy + Eq + Debug + Display + 'static {
    /// All kinds, in the order of the enum.
    const ALL: &'static [Self];
    /// Returns the name used in journals, standing orders and help: lower case, words joined by
    /// hyphens. It never changes.
    fn name(self) -> &'static str;
    /// Returns `true` if orders may be left for it before it is first asked. Players learn of the
    /// other kinds only when they are asked.
    fn ahead(self) -> bool;
    /// Returns `true` if an answer is final at once: no order to it can be taken back. This is
    /// needed for every answer that leads to a question asked only of the holder of something
    /// hidden, such as an offer.
    fn binding(self) -> bool;
    /// Returns `true` if one mail may answer several questions of this kind in sequence, such as
    /// moves and cards. Two different answers to a kind that does not repeat contradict each other.
    fn repeats(self) -> bool;
}

/// Returns the names of the kinds for which orders may be left before they are first asked, as
/// listed by [`Ruleset::kinds`](super::Ruleset::kinds).
pub fn ahead<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.ahead()).map(|kind| kind.name()).collect()
}

/// Returns the names of the kinds whose orders cannot be taken back.
pub fn binding<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.binding()).map(|kind| kind.name()).collect()
}

/// Returns the names of the kinds that repeat.
pub fn repeats<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.repeats()).map(|kind| kind.name()).collect()
}

/// Declares the enum of a game's kinds of questions. Orders can be left for the kinds under `ahead`
/// before they are asked; orders to those under `binding` cannot be taken back; those under
/// `repeats` may be asked several times in a row. Only `ahead` is required.
///
/// ```
/// use postrider_table::{Kind, ahead};
/// postrider_table::kinds! {
///     pub enum Ask {
///         ahead { Bid = "bid", Gift = "gift" }
///         later { Thanks = "thank-you" }
///     }
/// }
/// assert_eq!((Ask::Thanks.name(), ahead::<Ask>()), ("thank-you", vec!["bid", "gift"]));
/// ```
#[macro_export]
macro_rules! kinds {
    (
        $(#[$about:meta])*
        $vis:vis enum $Ask:ident {
            ahead { $($(#[$doc:meta])* $Ahead:ident = $ahead:literal),* $(,)? }
            $(later { $($(#[$more:meta])* $Later:ident = $later:literal),* $(,)? })?
            $(binding { $($(#[$bound:meta])* $Binding:ident = $binding:literal),* $(,)? })?
            $(repeats { $($Repeats:ident),* $(,)? })?
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $Ask {
            $($(#[$doc])* #[doc = concat!("`", $ahead, "`")] $Ahead,)*
            $($($(#[$more])* #[doc = concat!("`", $later, "`")] $Later,)*)?
            $($($(#[$bound])* #[doc = concat!("`", $binding, "`")] $Binding,)*)?
        }

        impl $crate::Kind for $Ask {
            const ALL: &'static [Self] = &[$($Ask::$Ahead,)* $($($Ask::$Later,)*)? $($($Ask::$Binding,)*)?];
            fn name(self) -> &'static str {
                match self {
                    $($Ask::$Ahead => $ahead,)*
                    $($($Ask::$Later => $later,)*)?
                    $($($Ask::$Binding => $binding,)*)?
                }
            }
            fn ahead(self) -> bool {
                match self {
                    $($Ask::$Ahead => true,)*
                    $($($Ask::$Later => false,)*)?
                    $($($Ask::$Binding => false,)*)?
                }
            }
            fn repeats(self) -> bool {
                const ALL: &[$Ask] = &[$($($Ask::$Repeats),*)?];
                ALL.contains(&self)
            }
            fn binding(self) -> bool {
                match self {
                    $($Ask::$Ahead => false,)*
                    $($($Ask::$Later => false,)*)?
                    $($($Ask::$Binding => true,)*)?
                }
            }
        }

        impl ::std::fmt::Display for $Ask {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str($crate::Kind::name(*self))
            }
        }
    };
}
