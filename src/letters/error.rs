//! What can go wrong when a letter is written.

use postrider_table::Rejected;
use std::io;

/// Why a letter could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LetterError {
    /// A template, the host's own or a built-in one, is malformed or breaks down.
    #[error("the template {name}: {error:#}")]
    Template {
        /// Its name.
        name: String,
        /// What is wrong, and where.
        error: minijinja::Error,
    },
    /// A template of the host's cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What the letter says cannot be handed to its template.
    #[error("a letter cannot be handed to its template: {0}")]
    Json(#[from] serde_json::Error),
    /// The rules cannot be asked what they ask.
    #[error(transparent)]
    Rules(#[from] Rejected),
}
