//! The kinds of questions that a game asks.

use std::fmt::{Debug, Display};

/// The kinds of questions of one game: an enum that [`kinds!`](crate::kinds) makes, so that rules, bots and the list in
/// [`Ruleset::kinds`](super::Ruleset::kinds) name the same things. `Display` shows its [name](Kind::name).
pub trait Kind: Copy + Eq + Debug + Display + 'static {
    /// Every kind, in the order of the enum.
    const ALL: &'static [Self];
    /// The name in journals, in standing orders and in help: lower case, words joined by hyphens. It never changes.
    fn name(self) -> &'static str;
    /// Whether orders may be left for it before it was first asked. The others become known when they are asked.
    fn ahead(self) -> bool;
    /// Whether what is answered binds at once: no order to it can be taken back. That goes for whatever leads to a question that
    /// only the holder of something hidden is asked, such as an offer.
    fn binding(self) -> bool;
    /// Whether one mail may answer several questions of this kind, one after the other, such as moves and cards. Two different
    /// answers to a kind that does not repeat contradict each other.
    fn repeats(self) -> bool;
}

/// The names of the kinds for which orders may be left before they were first asked: what
/// [`Ruleset::kinds`](super::Ruleset::kinds) lists.
pub fn ahead<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.ahead()).map(|kind| kind.name()).collect()
}

/// The names of the kinds whose orders cannot be taken back.
pub fn binding<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.binding()).map(|kind| kind.name()).collect()
}

/// The names of the kinds that repeat.
pub fn repeats<K: Kind>() -> Vec<&'static str> {
    K::ALL.iter().filter(|kind| kind.repeats()).map(|kind| kind.name()).collect()
}

/// Makes the enum of a game's kinds of questions. Orders can be left for those under `ahead` before
/// they are asked; orders to those under `binding` cannot be taken back; those under `repeats` may come
/// several times in a row. Only `ahead` is required.
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
