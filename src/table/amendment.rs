//! What a later version of a game's rules does otherwise than the one before.

/// A correction of the rules that came with a version. Games of an older version are played without it for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amended {
    /// The first version that has it, from 2.
    pub version: u32,
    /// The numbers of the rules that it concerns.
    pub rules: &'static str,
    /// What holds from that version on, in a few words.
    pub about: &'static str,
}

/// Declares the amendments of a game, each with the version that brought it, the numbers of its rules and what it says. From it follow the
/// enum that the rules ask by, as `g.amended(Amendment::…)` of a position whose `variant` has the version, and the list for
/// [`Ruleset::amendments`](crate::table::Ruleset::amendments).
#[macro_export]
macro_rules! amendments {
    (
        $(#[$meta:meta])*
        pub enum $Amendment:ident for $State:ty { $($name:ident = $version:literal, $rules:literal, $about:literal;)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $Amendment {
            $(#[doc = $about] $name,)*
        }

        impl $Amendment {
            /// All of them, in the order of their versions.
            pub const ALL: &'static [$crate::table::Amended] =
                &[$($crate::table::Amended { version: $version, rules: $rules, about: $about }),*];

            /// Whether it holds in a game of this version.
            pub const fn holds_in(self, version: u32) -> bool {
                match self {
                    $($Amendment::$name => version >= $version,)*
                }
            }
        }

        impl $State {
            /// Whether this game is played by this amendment: its journal names a version that has it.
            pub fn amended(&self, amendment: $Amendment) -> bool {
                amendment.holds_in(self.variant.version)
            }
        }
    };
}
