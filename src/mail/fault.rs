//! Why bytes are no message.

/// Why bytes are no message that could be answered at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailFault {
    /// No header section in the sense of RFC 5322.
    #[error("this is not a mail message: it has no header")]
    NoHeader,
    /// The MIME parser gave up on it.
    #[error("the message is malformed beyond reading")]
    Malformed,
    /// A defect of ours: the message may be sound. It was caught so that one mail cannot end the service.
    #[error("the message could not be read, by a fault of this program")]
    Defect,
}
