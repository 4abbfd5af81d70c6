//! The setup of a game.

use super::{Ruleset, SeededChance, Watch, components::ComponentFault};
use postrider_orders::list_or;
use std::{collections::BTreeMap, ops::RangeInclusive, sync::Arc};

/// The setup of a game; all of it is in the journal's first line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The number of seats.
    pub seats: u8,
    /// The scenario.
    pub scenario: String,
    /// The optional rules and other options.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The text of the component file.
    pub components: Arc<str>,
}

impl Setup {
    /// Returns `true` if an optional rule is on.
    pub fn has(&self, option: &str) -> bool {
        self.options.get(option).and_then(serde_json::Value::as_bool).unwrap_or(false)
    }
}

/// Maximum number of optional rules that are tried in every combination.
const ALL_COMBINATIONS: usize = 6;

/// Returns every setup of a game: all scenarios and numbers of players, with every combination of
/// optional rules that can be opened. If there are many optional rules, only these combinations are
/// tried: none, each alone, and all.
#[must_use]
pub fn every_setup(rules: &dyn Ruleset) -> Vec<Setup> {
    let options = rules.options().len();
    let everything = (1_u64 << options) - 1;
    let combinations: Vec<u64> = match options <= ALL_COMBINATIONS {
        true => (0..=everything).collect(),
        false => std::iter::once(0).chain((0..options).map(|one| 1 << one)).chain([everything]).collect(),
    };
    let ways = rules.seats().flat_map(|seats| rules.scenarios().iter().map(move |&scenario| (seats, scenario)));
    let mut all = Vec::new();
    for (seats, scenario) in ways {
        for &on in &combinations {
            let chosen = rules.options().iter().enumerate().filter(|(at, _)| on >> at & 1 == 1);
            let setup = Setup {
                seats,
                scenario: scenario.to_owned(),
                options: chosen.map(|(_, option)| (option.name.to_owned(), true.into())).collect(),
                components: rules.components().into(),
            };
            // Excludes options that do not go together.
            if rules.open(&setup, Box::new(SeededChance::new(0)), Watch::NONE).is_ok() {
                all.push(setup);
            }
        }
    }
    all
}

/// Describes the possible numbers of players: `2 players`, `2 to 4 players`.
pub fn players(allowed: &RangeInclusive<u8>) -> String {
    match (allowed.start(), allowed.end()) {
        (1, 1) => "1 player".to_owned(),
        (least, most) if least == most => format!("{most} players"),
        (least, most) => format!("{least} to {most} players"),
    }
}

/// The reasons why a game cannot be opened with a setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// Too few or too many players.
    #[error("{title} is for {}, not {found} ({rule})", players(.allowed))]
    Players {
        /// The game's name.
        title: &'static str,
        /// The possible numbers of players.
        allowed: RangeInclusive<u8>,
        /// The number given.
        found: u8,
        /// The rule that gives the numbers.
        rule: &'static str,
    },
    /// More seats than are possible; contains their number.
    #[error("{0} seats are too many")]
    Seats(usize),
    /// A scenario that the game does not have.
    #[error("there is no scenario \"{found}\"; choose {}", list_or(known))]
    Scenario {
        /// The scenario given.
        found: String,
        /// The scenarios of the game.
        known: &'static [&'static str],
    },
    /// A scenario of the rulebook that this program cannot play.
    #[error("the scenario \"{found}\" cannot be played here: {why}")]
    Absent {
        /// The scenario given.
        found: String,
        /// The reason.
        why: &'static str,
    },
    /// An option that the game does not have.
    #[error("there is no option \"{name}\"; choose {}", list_or(known))]
    NoOption {
        /// The option given.
        name: String,
        /// The options of the game.
        known: Vec<&'static str>,
    },
    /// An invalid value of an option.
    #[error("the option \"{name}\" is {wanted}, not {found}")]
    OptionValue {
        /// The option.
        name: String,
        /// The valid values.
        wanted: &'static str,
        /// The value given.
        found: serde_json::Value,
    },
    /// An option that has no effect in combination with another choice.
    #[error("option \"{option}\" has no effect in {game} ({rule})")]
    NoUse {
        /// The other choice, as a noun phrase: `the Solitaire Game`.
        game: &'static str,
        /// The option.
        option: &'static str,
        /// The rules that exclude it.
        rule: &'static str,
    },
    /// The component file cannot be used.
    #[error(transparent)]
    Components(#[from] ComponentFault),
}

/// A scenario of a rulebook that its ruleset omits; a host who asks for it is told the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent {
    /// Its possible names.
    pub names: &'static [&'static str],
    /// The reason, without a period at the end.
    pub why: &'static str,
}

impl Absent {
    /// Returns `true` if `name` refers to this scenario, ignoring case and with spaces or hyphens.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = name.trim().to_lowercase().replace([' ', '_'], "-");
        let plain = plain.strip_prefix("scenario-").unwrap_or(&plain);
        self.names.contains(&plain)
    }
}

/// An optional rule of a game: on or off for the whole game; off by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionalRule {
    /// The name on the command line and in `opened`.
    pub name: &'static str,
    /// Its effect in a few words, and its rule.
    pub about: &'static str,
}

/// Declares the settings that the first line of a journal fixes for a whole game: values read from
/// the [`Setup`], and optional rules. Each optional rule has a name and an effect. It can also have
/// a case in which it is refused because it would have no effect: the name of that case, the rules
/// that say so, and a condition. Generates the struct, `OPTIONS` and the parser.
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        pub struct $Variant:ident {
            $($(#[$about:meta])* $setting:ident: $Type:ty = $read:expr;)*
        }
        options {
            $($option:ident = $name:literal, $does:literal $(, no use for $game:literal, $rule:literal if $when:expr)?;)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $Variant {
            $($(#[$about])* pub $setting: $Type,)*
            $(#[doc = $does] pub $option: bool,)*
        }

        /// The optional rules, each off by default.
        pub const OPTIONS: [$crate::OptionalRule; [$($name),*].len()] =
            [$($crate::OptionalRule { name: $name, about: $does }),*];

        impl $Variant {
            /// Reads a setup that [fits](crate::Ruleset::fits) the ruleset.
            ///
            /// # Errors
            ///
            /// Returns [`SetupFault::NoUse`](crate::SetupFault::NoUse) for options that do not go
            /// together.
            pub fn of(setup: &$crate::Setup) -> Result<$Variant, $crate::SetupFault> {
                $(let $setting: fn(&$crate::Setup) -> $Type = $read;)*
                let settled = $Variant {
                    $($setting: $setting(setup),)*
                    $($option: setup.has($name),)*
                };
                $($(
                    let useless: fn($Variant) -> bool = $when;
                    if settled.$option && useless(settled) {
                        return Err($crate::SetupFault::NoUse { game: $game, option: $name, rule: $rule });
                    }
                )?)*
                Ok(settled)
            }
            /// Returns the optional rules that are on in this game.
            pub fn optional_rules(self) -> impl Iterator<Item = $crate::OptionalRule> {
                let on = [$(self.$option),*];
                OPTIONS.into_iter().zip(on).filter_map(|(option, on)| on.then_some(option))
            }
        }
    };
}
