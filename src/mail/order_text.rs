//! The lines that the sender of a mail wrote, or why they cannot be told.

/// More lines than anybody writes as orders; a mail with more is something else.
pub const MAX_ORDER_LINES: usize = 400;

/// The largest text that is searched for orders, in bytes once decoded. A reply that quotes a long thread in Outlook's
/// HTML stays well below.
pub const MAX_BODY_BYTES: usize = 768 * 1024;

/// One line that the sender wrote, not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// The line without white space around it.
    pub text: String,
    /// Its number in the text as sent, from 1; in HTML, among the lines that are not blank.
    pub line_no: usize,
    /// Whether an empty line stands before it.
    pub after_blank: bool,
    /// Why it may not be what the writer orders, if that is so.
    pub marked: Option<Marked>,
}

/// Why a line may not be what its writer orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Marked {
    /// Struck out.
    #[error("It is struck out.")]
    Struck,
    /// Not displayed, transparent, too small to see or off the page.
    #[error("Your mail hides it from sight.")]
    Hidden,
    /// Marked as quoted, and the letter that is answered lacks it.
    #[error("It is marked as quoted, and the letter that you answer lacks it.")]
    Quoted,
    /// In a signature.
    #[error("It stands in your signature.")]
    Signature,
}

/// A remark on how the lines were found, for use in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The text is not in the character set that the mail names. It was read as UTF-8 or Windows-1252.
    OtherCharset,
    /// A letter of ours was copied without quote marks, and it is not at hand: lines of it may count
    /// as the sender's.
    UnquotedCopy,
    /// Nothing but quoted text was found.
    OnlyQuoted,
}

/// The lines that the sender wrote; none if the mail holds only quotes and a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderText {
    /// The lines in the order of the mail: above, inside and below what it quotes.
    pub lines: Vec<OrderLine>,
    /// The signature: lines below `-- ` (RFC 3676, 4.3), or marked as such in HTML. They never order anything, but a postscript among
    /// them may take an order back.
    pub signature: Vec<OrderLine>,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// Why the order text cannot be told for certain. The sender is to be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyDoubt {
    /// No part of the message is text.
    #[error("the message holds no text")]
    NoText,
    /// The text is encrypted.
    #[error("the message is encrypted")]
    Encrypted,
    /// The text cannot be decoded: damaged transfer encoding, damaged UTF-8 or unknown character set.
    #[error("the text cannot be decoded{}", .charset.as_ref().map(|name| format!(" from {name}")).unwrap_or_default())]
    Undecodable {
        /// The character set that the message names, if it does.
        charset: Option<String>,
    },
    /// The plain text and the HTML of the message say different things.
    #[error("the plain text and the formatted text of the message differ")]
    Differ {
        /// The order lines of the plain text.
        plain: Vec<String>,
        /// The order lines of the HTML.
        html: Vec<String>,
    },
    /// The message as a whole is larger than any that is read.
    #[error("the message is larger than {} MiB", super::MAX_MESSAGE_BYTES / (1024 * 1024))]
    MessageTooLarge,
    /// More text than [`MAX_BODY_BYTES`]; holds its size in bytes.
    #[error("the message has {0} bytes of text")]
    TooLarge(usize),
    /// More than [`MAX_ORDER_LINES`]; holds their number.
    #[error("the message has {0} lines that could be orders")]
    TooLong(usize),
}
