//! Changes not caused by a player's decision: rulings, rewinds, changes of players, and stand-ins.

use postrider_journal::{Body, Checked, StandIn};
use postrider_letters::{Block, Section};
use postrider_replay::Projection;
use postrider_store::Players;
use serde::Serialize;
use serde_json::{Map, Value};

/// An event that no player's decision caused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Intervention {
    /// Its line, counted from 1.
    pub line: u64,
    /// Its time by the operator's clock (RFC 3339).
    pub at: String,
    /// `ruling`, `rewind`, `player` or `stand-in`.
    pub kind: &'static str,
    /// The author; "" if the journal does not name one.
    pub by: String,
    /// The text of the ruling, or the reason.
    pub text: String,
    /// The effect of a ruling as a director writes it, or the entry to which the game was rewound;
    /// "" for a ruling without an effect.
    pub effect: String,
    /// `true` if a later rewind undid it.
    pub undone: bool,
}

/// The interventions of a journal, collected as its lines are read.
#[derive(Debug, Default)]
pub struct Interventions(Vec<Intervention>);

impl Projection for Interventions {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        let none = String::new;
        let (kind, by, text, effect) = match &checked.body {
            // If a game cannot be replayed to its end, all lines are read again.
            Body::Opened(_) => return self.0.clear(),
            Body::Ruling(ruling) => ("ruling", &*ruling.by, ruling.text.to_string(), as_written(ruling.effect.get())),
            Body::Rewound(rewound) => {
                ("rewind", &*rewound.by, rewound.reason.to_string(), format!("back to entry {}", rewound.to))
            }
            Body::StandIn(StandIn { seat, bot: Some(bot), by, .. }) => {
                ("stand-in", &**by, format!("the bot {bot} plays for @{seat}"), none())
            }
            Body::StandIn(StandIn { seat, by, .. }) => ("stand-in", &**by, format!("@{seat} plays again"), none()),
            // Only the list of players shows which of these are changes of players.
            Body::Reseated(_) => ("player", "", none(), none()),
            _ => return,
        };
        let (by, at) = (by.to_owned(), checked.line.at.to_owned());
        let undone = undone && kind == "ruling";
        self.0.push(Intervention { line: checked.line.n + 1, at, kind, by, text, effect, undone });
    }
}

impl Interventions {
    /// Returns the interventions, oldest first.
    #[must_use]
    pub fn among(self, players: &Players) -> Vec<Intervention> {
        let known = |mut one: Intervention| {
            match one.kind {
                "player" => one.text = players.changes().find(|change| change.n + 1 == one.line)?.words(),
                "stand-in" => one.text = players.named_at(one.line - 1, &one.text),
                _ => {}
            }
            Some(one)
        };
        self.0.into_iter().filter_map(known).collect()
    }
}

/// Returns the effect of a ruling as a director writes it: `vps: change=-3, seat=B`.
fn as_written(effect: &str) -> String {
    let effects: Map<String, Value> = serde_json::from_str(effect).unwrap_or_default();
    let one = |(name, members): (&String, &Value)| {
        let members = members.as_object().into_iter().flatten().map(|(member, value)| match value {
            Value::String(word) => format!("{member}={word}"),
            other => format!("{member}={other}"),
        });
        format!("{name}: {}", members.collect::<Vec<_>>().join(", "))
    };
    effects.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Lists interventions.
#[must_use]
pub fn interventions_in_words(found: &[Intervention]) -> Section {
    let line = |one: &Intervention| {
        let effect = if one.effect.is_empty() { String::new() } else { format!(" [{}]", one.effect) };
        let by = if one.by.is_empty() { String::new() } else { format!(" by {}", one.by) };
        let undone = if one.undone { " (undone by a later rewind)" } else { "" };
        let Intervention { line, at, kind, text, .. } = one;
        Block::item(format!("entry {}, {at}: {kind}{by}: {text}{effect}{undone}", line.saturating_sub(1)), 1)
    };
    let blocks = match found {
        [] => vec![Block::paragraph("There are none.", 1)],
        some => some.iter().map(line).collect(),
    };
    Section::headed("RULINGS, REWINDS AND CHANGES OF PLAYERS", blocks)
}
