//! What the sender of a mail wrote: the lines that may be orders, or why they cannot be told.

/// More lines than anybody writes as orders; a mail with more is something else.
pub const MAX_ORDER_LINES: usize = 400;

/// The largest text that is searched for orders, in bytes once decoded. A reply that quotes a long thread in Outlook's
/// HTML stays well below.
pub const MAX_BODY_BYTES: usize = 768 * 1024;

/// One line that the sender wrote, not blank and no comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// The line without white space around it.
    pub text: String,
    /// Its number in the body as sent, from 1 (in an HTML-only mail, among the lines that are not blank).
    pub line_no: usize,
    /// Whether an empty line stands before it.
    pub after_blank: bool,
    /// The lines of the mail of which it was joined; empty where it stood so. Whoever knows what they say may know that they are several.
    pub pieces: Vec<String>,
}

/// What was seen on the way to the order lines and may help in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The mail had no plain text; the lines come from its HTML.
    FromHtml,
    /// Lines that the sender's program had wrapped were joined again, as the HTML beside them or their length shows.
    Unwrapped,
    /// Comment lines (`//` or `#`) were left out.
    Comments,
    /// A signature was left out.
    SignatureIgnored,
    /// The orders stood between quoted lines.
    InsideQuote,
    /// Lines below the quoted message were left out, since orders stood above it.
    BelowQuoteIgnored,
    /// A stray line that ends a wrapped quoted one was left out.
    WrappedQuote,
    /// Our mail was copied without quote marks; lines of it above the mark may count as orders.
    UnquotedCopy,
    /// Nothing but quoted text was found.
    OnlyQuoted,
}

/// The lines that the sender wrote. They may be none: then nothing but quotes, signatures and comments was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderText {
    /// The order lines, in the order in which they stand.
    pub lines: Vec<OrderLine>,
    /// Lines that may be the sender's and are no orders, since they stand below the quoted message or inside it: he is to be
    /// told that they were not read.
    pub unread: Vec<OrderLine>,
    /// What was seen on the way.
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
    /// The text cannot be decoded: a damaged transfer encoding, or a character set that is not known or not kept to.
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
    /// Lines stand above the quoted message and inside it, or it is open whether those inside are quoted.
    #[error("it is not clear which lines of the message are orders and which are quoted")]
    QuoteUnclear,
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
