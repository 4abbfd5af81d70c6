//! Parsing of spectators' commands: `watch lone-pine`, `digest daily`.

use postrider_journal::is_game_id;
use postrider_mail::Incoming;
use postrider_orders::{People, Phrase, is_confirmation, is_courtesy};
use postrider_store::Digest;

/// A spectator's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// `watch`, `watch lone-pine`, `yes`: with the game's id, if given.
    Watch(Option<String>),
    /// `stop watching`, perhaps with the game's id.
    Stop(Option<String>),
    Status,
    Digest(Digest),
    Zone(String),
    Help,
}

impl Wish {
    /// Parses a line.
    pub fn of(line: &str) -> Option<Wish> {
        const MARKS: &[char] = &['"', '`', '\'', '.', '!', '<', '>', '[', ']', ':'];
        let bare = line.split_whitespace().map(|word| word.trim_matches(MARKS));
        let lower: Vec<String> = bare.clone().map(str::to_ascii_lowercase).collect();
        let id = |game: &str| is_game_id(game).then(|| Some(game.to_owned()));
        Some(match lower.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            _ if is_confirmation(&Phrase::new(line), &People::default()) => Wish::Watch(None),
            ["watch"] => Wish::Watch(None),
            ["watch", game] | ["watch", "game", game] => Wish::Watch(id(game)?),
            ["stop" | "unwatch" | "unsubscribe"] | ["stop", "watching"] => Wish::Stop(None),
            ["stop", "watching", game] | ["unwatch", game] => Wish::Stop(id(game)?),
            ["status" | "map"] => Wish::Status,
            ["help", ..] => Wish::Help,
            ["digest", often] => Wish::Digest(often.parse().ok()?),
            ["zone", ..] => Wish::Zone(bare.skip(1).collect::<Vec<_>>().join(" ")),
            _ => return None,
        })
    }

    /// Returns `true` if it names a game.
    pub fn names_game(&self) -> bool {
        matches!(self, Wish::Watch(Some(_)) | Wish::Stop(Some(_)))
    }

    /// Returns the command of a mail that names a game and contains nothing else.
    pub fn of_mail(mail: &Incoming) -> Option<Wish> {
        Wish::of(only_line(mail)?).filter(Wish::names_game)
    }
}

/// Returns the only line of a mail, apart from courtesies.
pub(crate) fn only_line(mail: &Incoming) -> Option<&str> {
    let lines = mail.orders.as_ref().ok()?.lines.iter().map(|line| line.text.as_str());
    let said = lines.filter(|line| !is_courtesy(&Phrase::new(line), &People::default()));
    match said.collect::<Vec<_>>()[..] {
        [line] => Some(line),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_game_that_is_to_be_watched() {
        let watch = || Some(Wish::Watch(Some("lone-pine".to_owned())));
        assert_eq!(Wish::of("Watch lone-pine."), watch());
        assert_eq!(Wish::of("watch game `Lone-Pine`"), watch());
        assert_eq!(Wish::of("stop watching lone-pine!"), Some(Wish::Stop(Some("lone-pine".to_owned()))));
        assert_eq!(Wish::of("Zone: America/Denver."), Some(Wish::Zone("America/Denver".to_owned())));
        for line in ["watch lone-pine closely", "watch a", "I watch lone-pine", "stop lone-pine"] {
            assert_eq!(Wish::of(line), None, "{line}");
        }
    }
}
