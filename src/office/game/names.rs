//! Names that can be told apart visually.

use crate::misuse::Misuse;
use unicode_security::{GeneralSecurityProfile as _, MixedScript as _, confusable_detection::skeleton};

/// The meaning of a name that is not a player's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    /// The host.
    Host,
    /// The directors; the host in a game that names none.
    Directors,
    /// All players.
    Everybody,
}

/// Returns the party meant by a name that is not a player's; `None` if there is none.
pub(crate) fn meant(name: &str) -> Option<Meant> {
    let name = name.to_lowercase();
    match name.trim_start_matches("the ").trim() {
        "host" | "operator" => Some(Meant::Host),
        "director" | "directors" => Some(Meant::Directors),
        "all" | "everybody" | "everyone" | "all players" => Some(Meant::Everybody),
        _ => None,
    }
}

/// Returns a name, numbered if it is taken: `Steady 2`.
pub(crate) fn first_free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (1_u32..).map(|n| if n == 1 { name.to_owned() } else { format!("{name} {n}") });
    { numbered }.find(|name| !taken(name)).unwrap_or_default()
}

/// Checks that a name contains only visible characters, that no word mixes scripts, and that it is
/// neither a seat's letter nor begins with a word for another party.
///
/// # Errors
/// [`Misuse::StrangeName`].
pub(crate) fn check_name(name: &str) -> Result<(), Misuse> {
    let strange = |why| Err(Misuse::StrangeName { name: name.escape_default().to_string(), why });
    let is_seen = |c: char| match c.is_ascii() {
        true => !c.is_ascii_control(),
        false => c.identifier_allowed() && !matches!(c, '\u{200c}' | '\u{200d}'),
    };
    if let Some(c) = name.chars().find(|&c| !is_seen(c)) {
        return strange(format!("U+{:04X} is not allowed in names", u32::from(c)));
    }
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let first = words.iter().find(|word| !word.eq_ignore_ascii_case("the"));
    let reserved = |word: &&str| meant(word).is_some() || ["postrider", "seat"].contains(&&*word.to_lowercase());
    let letter = |word: &&str| matches!(word.as_bytes(), [byte] if byte.is_ascii_alphabetic());
    if first.is_some_and(reserved)
        || matches!(&words[..], [only] if letter(only))
        || name.trim_end().ends_with(')') && words.last().is_some_and(letter)
    {
        return strange("it means a seat, the host, or everybody".to_owned());
    }
    match name.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_single_script()) {
        Some(_) => {
            strange("it mixes letters of different scripts in a word; write it in those of one alphabet".to_owned())
        }
        None => Ok(()),
    }
}

/// Returns `true` if two names look the same (Unicode Technical Standard 39), ignoring case.
pub(crate) fn look_the_same(one: &str, other: &str) -> bool {
    // Blanks and dots are easily overlooked.
    let bare = |name: &str| name.replace(|c: char| c.is_whitespace() || c.is_ascii_punctuation(), "");
    let look = |name: &str| -> String { skeleton(&bare(name)).collect() };
    look(one).to_lowercase() == look(other).to_lowercase() || look(&one.to_lowercase()) == look(&other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_the_same() {
        for (one, other) in [
            ("Ben", "B\u{435}n"),
            ("Ben", "\u{412}\u{415}n"),
            ("Ben", "BEN"),
            ("Ian", "lan"),
            ("Jos\u{e9}", "Jose\u{301}"),
            ("Anna B", "Anna  B"),
            ("Ben", "Ben."),
            ("\u{410}\u{43d}\u{43d}\u{430}", "\u{430}\u{43d}\u{43d}\u{430}"),
        ] {
            assert!(look_the_same(one, other), "{one} {other}");
        }
        for (one, other) in [("Ben", "Bea"), ("Anna", "Anne"), ("Jos\u{e9}", "Jose"), ("Ben 1", "Ben 2")] {
            assert!(!look_the_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn names_hide_nothing() {
        for name in [
            "Ben",
            "Mary O'Neill-Smith, Jr.",
            "Jos\u{e9}",
            "\u{410}\u{43d}\u{43d}\u{430} (Anna)",
            "\u{6c5f}\u{53e3}",
            "Ben 2",
        ] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["A", "seat B", "the host", "All", "Everybody else", "Ben (A)", "Postrider"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        for name in
            ["B\u{435}n", "Ben\u{200b}", "Be\u{200d}n", "Ben\u{202e}", "Be\u{ad}n", "Ben\u{2060}", "Ben\u{feff}"]
        {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
