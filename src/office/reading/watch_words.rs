//! `watch lone-pine`: the words with which somebody asks to watch a game.

use postrider_journal::is_game_id;
use postrider_mail::Incoming;
use postrider_orders::{People, Phrase, is_courtesy};

/// What a mail says that names the game that its writer watches or wants to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// `watch lone-pine`.
    Watch(String),
    /// `stop watching lone-pine`.
    Stop(String),
}

impl Named {
    /// What a mail says, if it says nothing else.
    pub(crate) fn of(mail: &Incoming) -> Option<Named> {
        let orders = mail.orders.as_ref().ok()?;
        let lines = || orders.lines.iter().map(|line| line.text.trim());
        // Hardly any mail has such a line: only of one that has are the others looked at.
        lines().find_map(Named::of_line)?;
        let said = lines().filter(|line| !is_courtesy(&Phrase::new(line), &People::default()));
        let [line] = said.collect::<Vec<_>>()[..] else { return None };
        Named::of_line(line)
    }

    /// What a line says.
    pub(crate) fn of_line(line: &str) -> Option<Named> {
        let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (stops, game) = match words[..] {
            ["watch", game] | ["watch", "game", game] => (false, game),
            ["stop", "watching", game] | ["unwatch", game] => (true, game),
            _ => return None,
        };
        let game = game.trim_matches(['"', '`', '\'', '.', '!', '<', '>', '[', ']']).to_owned();
        is_game_id(&game).then_some(if stops { Named::Stop(game) } else { Named::Watch(game) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_game_that_is_to_be_watched() {
        let watch = |game: &str| Some(Named::Watch(game.to_owned()));
        assert_eq!(Named::of_line("Watch lone-pine."), watch("lone-pine"));
        assert_eq!(Named::of_line("watch game `Lone-Pine`"), watch("lone-pine"));
        assert_eq!(Named::of_line("stop watching lone-pine!"), Some(Named::Stop("lone-pine".to_owned())));
        for line in ["watch", "watch lone-pine closely", "watch a", "I watch lone-pine", "stop lone-pine"] {
            assert_eq!(Named::of_line(line), None, "{line}");
        }
    }
}
