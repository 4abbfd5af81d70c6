//! Mail addresses.

use std::fmt;

/// A mail address shortened for logs: the first character of the local part, and the domain, as in
/// `b…@example.net`.
///
/// A text without an `@` is shown only as `…`, because it may be anything, including a name.
#[derive(Clone, Copy)]
pub struct Redacted<'a>(pub &'a str);

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.rsplit_once('@') {
            Some((local, domain)) => {
                if let Some(first) = local.chars().next() {
                    write!(f, "{first}")?;
                }
                write!(f, "…@{domain}")
            }
            None => f.write_str("…"),
        }
    }
}

impl fmt::Debug for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns `true` if mails can be sent to this address. A `From` field may contain anything.
#[must_use]
pub fn is_address(address: &str) -> bool {
    address.trim().parse::<lettre::Address>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::Redacted;

    #[test]
    fn shows_one_letter_and_the_domain() {
        assert_eq!(Redacted("ben@example.net").to_string(), "b…@example.net");
        assert_eq!(Redacted("@example.net").to_string(), "…@example.net");
        assert_eq!(Redacted("Ben Miller").to_string(), "…");
        assert_eq!(format!("{:?}", Redacted("élan@x.org")), "é…@x.org");
    }
}
