//! Checks that a message was written by a registered address.

use super::{Incoming, Redacted};

/// A check that a message passed. Checks that are not listed were not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// There is exactly one `From` address.
    SingleFrom,
    /// `Sender` is absent or the same address.
    SenderAgrees,
    /// The `From` address is the registered one, ignoring case.
    FromIsRegistered,
}

/// The reason a message does not count as written by the registered address. Addresses in the error
/// text are shortened for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SenderFault {
    /// There is no usable `From` address (required by RFC 5322 section 3.6.2).
    #[error("the message has no From address")]
    NoFrom,
    /// There are several authors, so that the owner of an order would be ambiguous.
    #[error("the message has {0} From addresses")]
    SeveralFrom(usize),
    /// The `Sender` differs from the author's address.
    #[error("the message is from {} but was sent by {}", Redacted(.from), Redacted(.sender))]
    SenderDiffers {
        /// The `From` address.
        from: String,
        /// The first `Sender` address that differs.
        sender: String,
    },
    /// The author is not the registered address.
    #[error("{} is not the registered address", Redacted(.from))]
    NotRegistered {
        /// The `From` address.
        from: String,
    },
}

/// Checks that `mail` has `registered` (ignoring ASCII case) as its only author. With
/// `other_senders`, the `Sender` may be another address, as in mails that one account sends for
/// another.
///
/// # Errors
/// The first fault found, in the order of `SenderFault`.
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
