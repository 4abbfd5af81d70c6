//! `my address is now …`, `also write from …`: the words that change a player's addresses.

/// How lines begin that say so.
const NOW: [&str; 3] = ["my address is now", "my new address is", "change my address to"];

const ALSO: [&str; 3] = ["also write from", "i also write from", "i will also write from"];

const NO_LONGER: [&str; 3] = ["no longer write from", "i no longer write from", "never write from"];

/// What a player wants of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressWanted {
    /// It is to take the place of the one that he has.
    Now(String),
    /// Orders are to count from it too.
    Also(String),
    /// They are to count from it no longer.
    NoLonger(String),
}

impl AddressWanted {
    /// Reads a line; `None` for any other.
    pub fn of(line: &str) -> Option<AddressWanted> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (last, start) = words.split_last()?;
        let start = start.join(" ").to_ascii_lowercase();
        let start = start.trim_end_matches(':');
        // A mail program may write a link beside it.
        let bare = match last.trim_start_matches('<').split_once(['<', '>']) {
            Some((before, _)) => before,
            None => last,
        };
        let address = bare.trim_start_matches("mailto:").trim_matches(['<', '>', '"', '\'', ',', ';', '!', '.']);
        if !address.contains('@') {
            return None;
        }
        let address = address.to_ascii_lowercase();
        match () {
            () if NOW.contains(&start) => Some(AddressWanted::Now(address)),
            () if ALSO.contains(&start) => Some(AddressWanted::Also(address)),
            () if NO_LONGER.contains(&start) => Some(AddressWanted::NoLonger(address)),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_an_address_as_mail_programs_write_it() {
        let now = |address: &str| Some(AddressWanted::Now(address.to_owned()));
        assert_eq!(AddressWanted::of("My address is now Ben@New.example."), now("ben@new.example"));
        assert_eq!(AddressWanted::of("my address is now: <ben@new.example>"), now("ben@new.example"));
        assert_eq!(
            AddressWanted::of("my new address is ben@new.example<mailto:ben@new.example>"),
            now("ben@new.example")
        );
        assert_eq!(AddressWanted::of("Also write from b@x.example!"), Some(AddressWanted::Also("b@x.example".into())));
        let gone = Some(AddressWanted::NoLonger("b@x.example".into()));
        assert_eq!(AddressWanted::of("no longer write from b@x.example"), gone);
        for line in ["my address is now", "my address is now here", "write to ben@new.example", "ben@new.example", ""] {
            assert_eq!(AddressWanted::of(line), None, "{line}");
        }
    }
}
