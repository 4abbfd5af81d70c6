//! Mail addresses as this layer handles them.

use std::fmt;

/// A mail address as it may stand in a log: the first character of the local part and the domain, `b…@example.net`.
///
/// Anything without an `@` shows as `…` alone, since it may be anything, a name included.
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

/// Whether a mail can be sent to this address at all: what stands in a `From` field may be anything.
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
