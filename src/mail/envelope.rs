//! What a mail is handed over with, apart from what it says itself.

use serde::{Deserialize, Serialize};

/// Who hands a mail over and who is to get it, apart from what its header says (RFC 5321 section 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// Where failures are reported; `None` is the null path, which an automatic answer should use (RFC 3834 section 3.3).
    pub sender: Option<String>,
    /// The recipients; at least one.
    pub recipients: Vec<String>,
}

/// A message with its envelope: all that is needed to send it. Nobody has to read the message to find its recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// What it is handed over with.
    pub envelope: Envelope,
    /// The message, with CRLF line ends.
    pub raw: Vec<u8>,
}
