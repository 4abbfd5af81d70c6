//! Errors of parsing a message.

/// The reason bytes are not a message that can be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailFault {
    /// There is no header section as defined by RFC 5322.
    #[error("this is not a mail message: it has no header")]
    NoHeader,
    /// The MIME parser failed.
    #[error("the message is malformed beyond reading")]
    Malformed,
    /// This program has a bug; the message may be valid. It is caught so that one mail cannot end
    /// the service.
    #[error("the message could not be read, by a fault of this program")]
    Defect,
}
