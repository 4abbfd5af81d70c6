//! Errors of writing letters.

use postrider_table::Rejected;
use std::io;

/// The reasons why a letter cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LetterError {
    /// A template of the host or a built-in one is malformed or fails.
    #[error("the template {name}: {error:#}")]
    Template {
        /// The name.
        name: String,
        /// The error, with its location.
        error: minijinja::Error,
    },
    /// A template of the host cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content of the letter cannot be converted for its template.
    #[error("a letter cannot be handed to its template: {0}")]
    Json(#[from] serde_json::Error),
    /// The rules cannot list their questions.
    #[error(transparent)]
    Rules(#[from] Rejected),
}
