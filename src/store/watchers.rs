//! Who watches a game without playing in it.

use postrider_dice::Hash;
use serde::{Deserialize, Serialize};

/// Somebody who is written to about a game, sees what everybody may see, and orders nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watcher {
    /// His mail address, its ASCII letters in lower case; there is one watcher of an address.
    pub address: String,
    /// What he is called; his address where he gave no name.
    pub name: String,
    /// Whether he has said himself that he wants to watch, or the host has said so for him. Nobody else is written to.
    pub confirmed: bool,
    /// How often he is written to.
    #[serde(default)]
    pub digest: Digest,
    /// The time zone in which he reads times, if he named one (IANA name).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// n of the head at his last letter; `None` before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// The hash of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash>,
    /// The Turn of his last letter.
    #[serde(default)]
    pub turn: u32,
    /// When it was written, in seconds since 1970.
    #[serde(default)]
    pub at: i64,
    /// Whether he was told that the game is over.
    #[serde(default)]
    pub over: bool,
}

/// How often somebody who watches is written to. That a game is over he is told at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    /// In the morning, if something has happened.
    #[default]
    Daily,
    /// When a Round begins.
    Round,
    /// When a Turn begins.
    Turn,
}

impl Digest {
    /// How it reads in a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Digest::Daily => "once a day, in the morning, if something has happened",
            Digest::Round => "whenever a Round begins",
            Digest::Turn => "whenever a Turn begins",
        }
    }
}

impl std::str::FromStr for Digest {
    type Err = ();

    fn from_str(text: &str) -> Result<Digest, ()> {
        match text {
            "daily" | "day" => Ok(Digest::Daily),
            "round" => Ok(Digest::Round),
            "turn" => Ok(Digest::Turn),
            _ => Err(()),
        }
    }
}
