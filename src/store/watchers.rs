//! The watchers of a game, who do not play in it.

use postrider_dice::Hash;
use serde::{Deserialize, Serialize};

/// A person who gets letters about a game, sees what is public, and gives no orders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watcher {
    /// The mail address, its ASCII letters in lower case; each address has one watcher.
    pub address: String,
    /// The name; the address if none was given.
    pub name: String,
    /// `true` if the watcher, or the host on the watcher's behalf, has confirmed. Only then are
    /// letters sent.
    pub confirmed: bool,
    /// The frequency of letters.
    #[serde(default)]
    pub digest: Digest,
    /// The watcher's time zone, if named (IANA name).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The `n` of the head at the last letter; `None` before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<u64>,
    /// The hash of that line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash>,
    /// The Turn of the last letter.
    #[serde(default)]
    pub turn: u32,
    /// The time of the last letter, in seconds since 1970.
    #[serde(default)]
    pub at: i64,
    /// `true` if the journal names the watcher as a director. The name is then that in the journal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub director: bool,
    /// The number of times that the host has voided all letters to the watcher.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub renewed: u32,
    /// `true` if the watcher was told that the game is over.
    #[serde(default)]
    pub over: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The frequency of letters to a watcher. The end of a game is reported at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    /// Each morning, if something has happened.
    #[default]
    Daily,
    /// At the beginning of a Round.
    Round,
    /// At the beginning of a Turn.
    Turn,
}

impl Digest {
    /// Describes the frequency within a sentence.
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
