//! Whether a message counts as written by a registered address.

use super::{Incoming, Redacted};

/// A check that a message has passed. What is not named here was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// There is exactly one `From` address.
    SingleFrom,
    /// `Sender` is absent or names the same address.
    SenderAgrees,
    /// The `From` address is the registered one, upper and lower case apart.
    FromIsRegistered,
}

/// Why a message does not count as from the registered address. Addresses in the text are redacted, fit for a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SenderFault {
    /// No usable `From` address (RFC 5322 section 3.6.2 demands one).
    #[error("the message has no From address")]
    NoFrom,
    /// More than one author: it would be open whose order it is.
    #[error("the message has {0} From addresses")]
    SeveralFrom(usize),
    /// Somebody else says he sent it for the author.
    #[error("the message is from {} but was sent by {}", Redacted(.from), Redacted(.sender))]
    SenderDiffers {
        /// The `From` address.
        from: String,
        /// The first `Sender` address that is not the same.
        sender: String,
    },
    /// The author is not the registered address.
    #[error("{} is not the registered address", Redacted(.from))]
    NotRegistered {
        /// The `From` address.
        from: String,
    },
}

/// Checks that `mail` names `registered` (ASCII letters in any case) as its one author. With `other_senders` the `Sender` may be
/// somebody else, as it is in mails that one account sends for another.
///
/// # Errors
/// The first fault found, in the order of [`SenderFault`].
pub fn check_sender(mail: &Incoming, registered: &str, other_senders: bool) -> Result<Vec<Check>, SenderFault> {
    let from = match mail.from.as_slice() {
        [] => return Err(SenderFault::NoFrom),
        [one] => one,
        several => return Err(SenderFault::SeveralFrom(several.len())),
    };
    let mut checks = vec![Check::SingleFrom];
    let other = mail.sender.iter().find(|sender| *sender != from);
    if other.is_none() {
        checks.push(Check::SenderAgrees);
    }
    if let Some(sender) = other.filter(|_| !other_senders) {
        return Err(SenderFault::SenderDiffers { from: from.clone(), sender: sender.clone() });
    }
    if !from.eq_ignore_ascii_case(registered.trim()) {
        return Err(SenderFault::NotRegistered { from: from.clone() });
    }
    checks.push(Check::FromIsRegistered);
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(headers: &str) -> Incoming {
        Incoming::parse(format!("{headers}Subject: x\r\n\r\npass\r\n").as_bytes()).unwrap()
    }

    #[test]
    fn one_registered_author_passes() {
        let passed = check_sender(&mail("From: Ben <Ben@Example.NET>\r\n"), "ben@example.net", false).unwrap();
        assert_eq!(passed, [Check::SingleFrom, Check::SenderAgrees, Check::FromIsRegistered]);
        let same = mail("From: ben@example.net\r\nSender: BEN@example.net\r\n");
        assert!(check_sender(&same, "Ben@example.net", false).is_ok());
    }

    #[test]
    fn a_name_that_looks_like_an_address_does_not_count() {
        let spoof = mail("From: \"ben@example.net\" <mallory@example.com>\r\n");
        assert_eq!(
            check_sender(&spoof, "ben@example.net", false),
            Err(SenderFault::NotRegistered { from: "mallory@example.com".into() })
        );
    }

    #[test]
    fn several_authors_or_another_sender_are_refused() {
        let two = mail("From: ben@example.net, anna@example.net\r\n");
        assert_eq!(check_sender(&two, "ben@example.net", false), Err(SenderFault::SeveralFrom(2)));
        let twice = mail("From: ben@example.net\r\nFrom: ben@example.net\r\n");
        assert_eq!(check_sender(&twice, "ben@example.net", false), Err(SenderFault::SeveralFrom(2)));
        let sent = mail("From: ben@example.net\r\nSender: mallory@example.com\r\n");
        let fault = check_sender(&sent, "ben@example.net", false).unwrap_err();
        assert_eq!(check_sender(&sent, "ben@example.net", true).unwrap(), [Check::SingleFrom, Check::FromIsRegistered]);
        assert_eq!(fault.to_string(), "the message is from b…@example.net but was sent by m…@example.com");
        assert_eq!(check_sender(&mail("To: x@y.org\r\n"), "ben@example.net", false), Err(SenderFault::NoFrom));
    }
}
