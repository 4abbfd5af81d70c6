//! The lines that the sender of a mail wrote, or the reason they cannot be determined.

/// Maximum number of lines of orders. A longer mail is not an answer.
pub const MAX_ORDER_LINES: usize = 400;

/// Maximum size of the decoded text searched for orders, in bytes. A reply that quotes a long
/// thread in Outlook's HTML is much smaller.
pub const MAX_BODY_BYTES: usize = 768 * 1024;

/// A line that the sender wrote; not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// The line without surrounding white space.
    pub text: String,
    /// `true` if a blank line precedes it.
    pub after_blank: bool,
    /// The reason it may not be intended as an order, if any.
    pub marked: Option<Marked>,
}

/// The reason a line may not be intended as an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Marked {
    /// It is struck out.
    #[error("It is struck out.")]
    Struck,
    /// It is not displayed, transparent, too small to see or off the page.
    #[error("It is hidden in your mail.")]
    Hidden,
    /// It is marked as quoted, but is not in the letter that the mail answers.
    #[error("It is marked as quoted, but is not in the letter that you answer.")]
    Quoted,
    /// It is in a signature.
    #[error("It is in your signature.")]
    Signature,
}

/// A note on how the lines were found, for use in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The text is not in the stated character set. It was read as UTF-8 or Windows-1252.
    OtherCharset,
    /// A letter of this service was copied without quote marks and is not available. Lines of it
    /// may count as the sender's.
    UnquotedCopy,
    /// The mail contains only quoted text.
    OnlyQuoted,
}

/// The lines that the sender wrote; empty if the mail contains only quotes and a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderText {
    /// The lines in the order of the mail, including those between and below quotes.
    pub lines: Vec<OrderLine>,
    /// The signature: lines after `-- ` (RFC 3676 section 4.3), or marked as such in HTML. They are
    /// never read as orders, but a postscript among them may withdraw an order.
    pub signature: Vec<OrderLine>,
    /// Notes on how the lines were found.
    pub notes: Vec<Note>,
}

/// The reason the order text cannot be determined, so that the sender must be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyDoubt {
    /// The message has no text part.
    #[error("the message holds no text")]
    NoText,
    /// The text is encrypted.
    #[error("the message is encrypted")]
    Encrypted,
    /// The text cannot be decoded because of an invalid transfer encoding, invalid UTF-8 or an
    /// unknown character set.
    #[error("the text cannot be decoded{}", .charset.as_ref().map(|name| format!(" from {name}")).unwrap_or_default())]
    Undecodable {
        /// The character set stated by the message, if any.
        charset: Option<String>,
    },
    /// The plain text and the HTML of the message differ.
    #[error("the plain text and the formatted text of the message differ")]
    Differ {
        /// The order lines of the plain text.
        plain: Vec<String>,
        /// The order lines of the HTML.
        html: Vec<String>,
    },
    /// The message is larger than the maximum size.
    #[error("the message is larger than {} MiB", super::MAX_MESSAGE_BYTES / (1024 * 1024))]
    MessageTooLarge,
    /// The text is larger than `MAX_BODY_BYTES`; contains its size in bytes.
    #[error("the message has {0} bytes of text")]
    TooLarge(usize),
    /// There are more lines than `MAX_ORDER_LINES`; contains their number.
    #[error("the message has {0} lines that could be orders")]
    TooLong(usize),
}
