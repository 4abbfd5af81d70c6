#![doc = include_str!("README.md")]

mod body;
mod bots;
mod canon;
mod check;
mod commit;
mod directors;
mod entry;
mod file;
mod leave;
mod lines;
mod motions;
mod receipt;
mod secrets;
mod spelling;
mod writer;

pub use body::{
    Appeal, Ballot, Body, BodyFault, Clock, ClockEvent, Closed, Consent, Dealt, Decision, FORMAT, Joined, Json, Leave,
    Motion, Opened, Parent, Press, Reseated, Revealed, Rewound, Roll, Rolled, RolledOut, Round, Ruleset, Ruling,
    Sealed, ShapeFault, Shown, Shuffled, StandIn, Started, Text, Unsealed, Via, Vote, What, Zone,
};
pub use bots::{BotFault, Bots};
pub use canon::{CanonFault, CanonWrong, MAX_DEPTH, MAX_INTEGER, check, to_canon};
pub use check::{Checked, Checker, Claim, Claims, Drawn, Fault, Note, PhraseDoubt, Step, Unproved, Wrong, can_answer};
pub use commit::{address_commitment, luck_digest, press_commitment, sealed_commitment, state_digest, words_digest};
pub use directors::{ALL_PLAYERS, DirectorFault, Directors, SERVICE};
pub use entry::{Line, LineFault, MAX_LINE};
pub use file::{FileFault, JournalFile, PATIENCE};
pub use leave::{LeaveFault, Leaves};
pub use lines::{Lines, LinesFault, can_be_journal};
pub use motions::{CarriedMotion, Ended, Ending, Failed, MotionFault, Motions, OpenMotion};
pub use receipt::{Head, ReceiptFault, ReceiptKey, verify_receipt};
pub use secrets::{Secret, SecretsFault, SecretsFile};
pub use spelling::{entry_in_file, is_game_id, is_name, is_timestamp, unix};
pub use writer::{WriteFault, Writer};

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    //! A minimal journal for tests, and journals that are hashed again.

    use super::{Body, FORMAT, Json, Opened, Ruleset, entry::entry_hash, to_canon};
    use postrider_dice::Hash;
    use serde_json::{Value, json};

    /// Returns the lines with numbers and hashes that fit their content, as an operator who holds
    /// the journal could write them. A value without a canonical spelling gets an arbitrary one.
    pub fn rehashed(lines: &[Value]) -> String {
        let (mut text, mut prev) = (String::new(), Hash::ZERO.to_string());
        let spelt = |line: &Value| to_canon(line).unwrap_or_else(|_| line.to_string());
        for (n, line) in lines.iter().enumerate() {
            let mut line = line.clone();
            (line["n"], line["prev"]) = (json!(n), json!(prev));
            line.as_object_mut().expect("an entry").remove("hash");
            prev = entry_hash(&spelt(&line), "").to_string();
            line["hash"] = json!(prev);
            text += &(spelt(&line) + "\n");
        }
        text
    }

    /// Returns the first line of a journal without chains.
    pub fn opened(game: &str) -> Body<'_> {
        Body::Opened(Opened {
            format: FORMAT,
            game: game.into(),
            ruleset: Ruleset { name: "x".into(), version: 1, components: Hash::ZERO },
            scenario: "s".into(),
            options: Json::empty(),
            seats: vec!["a".into()],
            operator_seats: vec![],
            chains: [].into(),
            clock: Json::empty(),
            key: Hash::ZERO,
            directors: vec![],
            consent: None,
            parent: None,
        })
    }
}
