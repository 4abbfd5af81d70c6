//! What a game is opened with.

use super::{Ruleset, SeededChance, Watch, components::ComponentFault};
use postrider_orders::list_or;
use std::{collections::BTreeMap, sync::Arc};

/// What a game is opened with; all of it stands in the journal's first line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many seats play.
    pub seats: u8,
    /// Which of the game's scenarios.
    pub scenario: String,
    /// Optional rules and the like.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The text of the component file in use.
    pub components: Arc<str>,
}

impl Setup {
    /// Whether an optional rule is on.
    pub fn has(&self, option: &str) -> bool {
        self.options.get(option).and_then(serde_json::Value::as_bool).unwrap_or(false)
    }
}

/// More optional rules than these are not tried in every combination.
const ALL_COMBINATIONS: usize = 6;

/// Every game of the box: all scenarios and numbers of players, with the optional rules in every combination that can be opened;
/// where there are many rules: none, each alone, and all.
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
            // What does not go together is no game.
            if rules.open(&setup, Box::new(SeededChance::new(0)), Watch::NONE).is_ok() {
                all.push(setup);
            }
        }
    }
    all
}

/// Why a game cannot be opened so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// Too few or too many players.
    #[error("{title} is for {least} to {most} players, not {found} ({rule})")]
    Players {
        /// The game's name.
        title: &'static str,
        /// How many it needs.
        least: u8,
        /// How many it takes.
        most: u8,
        /// How many there are.
        found: u8,
        /// The rule that says so.
        rule: &'static str,
    },
    /// More seats than can be counted; holds their number.
    #[error("{0} seats are too many")]
    Seats(usize),
    /// No scenario of the game.
    #[error("there is no scenario \"{found}\"; there is {}", list_or(known))]
    Scenario {
        /// What is asked for.
        found: String,
        /// What there is.
        known: &'static [&'static str],
    },
    /// A scenario of the rulebook that this program cannot play.
    #[error("the scenario \"{found}\" cannot be played here: {why}")]
    Absent {
        /// What is asked for.
        found: String,
        /// Why not.
        why: &'static str,
    },
    /// No option of the game.
    #[error("there is no option \"{name}\"; there is {}", list_or(known))]
    NoOption {
        /// What is asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A value that an option cannot have.
    #[error("the option \"{name}\" is {wanted}, not {found}")]
    OptionValue {
        /// The option.
        name: String,
        /// What it can be.
        wanted: &'static str,
        /// What it is.
        found: serde_json::Value,
    },
    /// An option that is of no use with what else was chosen.
    #[error("{game} has no use for \"{option}\" ({rule})")]
    NoUse {
        /// What else was chosen, to begin a sentence with: `the Solitaire Game`.
        game: &'static str,
        /// The option.
        option: &'static str,
        /// The rules that say so.
        rule: &'static str,
    },
    /// The component file cannot be used.
    #[error(transparent)]
    Components(#[from] ComponentFault),
}

/// A scenario of a rulebook that its ruleset leaves out: whoever asks for it is told why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent {
    /// What it may be called.
    pub names: &'static [&'static str],
    /// Why it cannot be played, without a full stop.
    pub why: &'static str,
}

impl Absent {
    /// Returns true if a host means this scenario: names match in any case, with spaces or hyphens.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = name.trim().to_lowercase().replace([' ', '_'], "-");
        let plain = plain.strip_prefix("scenario-").unwrap_or(&plain);
        self.names.contains(&plain)
    }
}

/// An optional rule of a game: on or off for the whole game, off unless the host turns it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionalRule {
    /// Its name on the command line and in `opened`.
    pub name: &'static str,
    /// What it does, in a few words, with its rule.
    pub about: &'static str,
}

/// Declares what the first line of a journal settles for a whole game: settings, each read from the [`Setup`], and optional
/// rules, each with its name, what it does and, where there is one, the case in which it has no use: how such a game is called,
/// the rules that say so, and when it is played. From it follow the struct, `OPTIONS` and the reading.
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

        /// The optional rules, each off unless the host turns it on.
        pub const OPTIONS: [$crate::OptionalRule; [$($name),*].len()] =
            [$($crate::OptionalRule { name: $name, about: $does }),*];

        impl $Variant {
            /// Reads what a game is opened with, once that [fits](crate::Ruleset::fits) the ruleset.
            ///
            /// # Errors
            /// [`SetupFault::NoUse`](crate::SetupFault::NoUse) for options that do not go together.
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
            /// The optional rules that this game is played by.
            pub fn optional_rules(self) -> impl Iterator<Item = $crate::OptionalRule> {
                let on = [$(self.$option),*];
                OPTIONS.into_iter().zip(on).filter_map(|(option, on)| on.then_some(option))
            }
        }
    };
}
