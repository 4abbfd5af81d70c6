//! Conversion of bodies to lines.

use super::{
    body::{Body, BodyFault},
    entry::{MAX_LINE, entry_hash},
    receipt::Head,
    spelling::{is_game_id, is_timestamp},
};
use postrider_dice::Hash;

/// Creates the next lines of a journal. It does not write them, so that several lines can be
/// created and then appended at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer {
    game: String,
    n: u64,
    prev: Hash,
}

/// The reason a line could not be created. The writer is then unchanged.
#[derive(Debug, thiserror::Error)]
pub enum WriteFault {
    /// Not an id of the form `[a-z0-9-]{3,40}`.
    #[error("{0:?} cannot be the id of a game: 3 to 40 letters a-z, digits and hyphens")]
    Game(String),
    /// An `opened` body that names another game.
    #[error("opened names the game {0:?}, and the journal is that of {1:?}")]
    OtherGame(String, String),
    /// Not a time of the form `YYYY-MM-DDTHH:MM:SSZ`.
    #[error("{0:?} is not a time of the form YYYY-MM-DDTHH:MM:SSZ")]
    At(String),
    /// A body that section 4 does not allow.
    #[error("the body of {kind} cannot be written: {fault}")]
    Body {
        /// The kind.
        kind: String,
        /// The error.
        fault: BodyFault,
    },
    /// A line longer than 64 KiB.
    #[error("the line of {kind} would have {length} bytes; {MAX_LINE} are allowed")]
    TooLong {
        /// The kind.
        kind: String,
        /// The length of the line with its newline.
        length: usize,
    },
}

impl Writer {
    /// Creates a writer for a new journal.
    ///
    /// # Errors
    /// [`WriteFault::Game`] if `game` is not a valid id.
    pub fn new(game: &str) -> Result<Writer, WriteFault> {
        if !is_game_id(game) {
            return Err(WriteFault::Game(game.to_owned()));
        }
        Ok(Writer { game: game.to_owned(), n: 0, prev: Hash::ZERO })
    }

    /// Creates a writer for the lines after `head`.
    #[must_use]
    pub fn after(head: &Head) -> Writer {
        Writer { game: head.game.clone(), n: head.n + 1, prev: head.hash }
    }

    /// Returns the `n` of the next line.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the last line created, or `None` before the first.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        let n = self.n.checked_sub(1)?;
        Some(Head { game: self.game.clone(), n, hash: self.prev })
    }

    /// Creates the next line, including its newline. `at` is the time, `YYYY-MM-DDTHH:MM:SSZ`.
    ///
    /// # Errors
    /// [`WriteFault`]. The writer is then unchanged.
    pub fn line(&mut self, at: &str, body: &Body<'_>) -> Result<String, WriteFault> {
        if !is_timestamp(at) {
            return Err(WriteFault::At(at.to_owned()));
        }
        if let Body::Opened(opened) = body
            && *opened.game != *self.game
        {
            return Err(WriteFault::OtherGame(opened.game.to_string(), self.game.clone()));
        }
        let kind = body.kind();
        let text = body.to_text().map_err(|fault| WriteFault::Body { kind: kind.to_owned(), fault })?;
        let before = format!("{{\"at\":\"{at}\",\"body\":{text},");
        let (n, prev) = (self.n, self.prev);
        let after = format!("\"kind\":\"{kind}\",\"n\":{n},\"prev\":\"{prev}\"}}");
        let hash = entry_hash(&before, &after);
        let line = format!("{before}\"hash\":\"{hash}\",{after}\n");
        if line.len() > MAX_LINE {
            return Err(WriteFault::TooLong { kind: kind.to_owned(), length: line.len() });
        }
        self.n += 1;
        self.prev = hash;
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Json, Line, Ruling, testing::opened};

    const AT: &str = "2026-01-02T03:04:05Z";

    fn ruling(text: &str) -> Body<'_> {
        Body::Ruling(Ruling::new("host", text, Json::empty()))
    }

    #[test]
    fn lines_chain() {
        let mut writer = Writer::new("my-game").unwrap();
        let mut prev = Hash::ZERO;
        for n in 0..3 {
            let text = writer.line(AT, &ruling("so be it:\n\"é\"")).unwrap();
            let line = Line::parse(text.strip_suffix('\n').unwrap().as_bytes()).unwrap();
            assert_eq!((line.n, line.prev, line.at), (n, prev, AT));
            assert_eq!(line.hash, line.entry_hash());
            prev = line.hash;
        }
        let head = writer.head().unwrap();
        assert_eq!((&*head.game, head.n, head.hash), ("my-game", 2, prev));
        assert_eq!(Writer::after(&head), writer);
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let mut writer = Writer::new("my-game").unwrap();
        let fits = |length: usize| "x".repeat(length);
        let spare = MAX_LINE - writer.clone().line(AT, &ruling("")).unwrap().len();
        assert_eq!(writer.clone().line(AT, &ruling(&fits(spare))).unwrap().len(), MAX_LINE);
        assert!(matches!(writer.line(AT, &ruling(&fits(spare + 1))), Err(WriteFault::TooLong { .. })));
        assert!(matches!(writer.line("2026-01-02", &ruling("")), Err(WriteFault::At(_))));
        let float = Body::Other { kind: "odd".into(), body: Json::new(&serde_json::json!({"a": 0.5})).unwrap() };
        assert!(matches!(writer.line(AT, &float), Err(WriteFault::Body { .. })));
        assert_eq!(writer, Writer::new("my-game").unwrap());
        assert!(matches!(Writer::new("My Game"), Err(WriteFault::Game(_))));
        assert!(matches!(writer.line(AT, &opened("your-game")), Err(WriteFault::OtherGame(..))));
    }
}
