//! A key lookup for tests.

use crate::{KeyLookup, LookupFault};
use std::{cell::Cell, collections::BTreeMap};

/// Records supplied by a test, and the number of lookups.
#[derive(Default)]
pub struct Keys {
    texts: BTreeMap<String, String>,
    fails: bool,
    pub asked: Cell<usize>,
}

impl Keys {
    pub fn of(records: &[(&str, &str)]) -> Keys {
        let text = |(name, text): &(&str, &str)| (format!("{name}."), (*text).to_owned());
        Keys { texts: records.iter().map(text).collect(), ..Keys::default() }
    }

    pub fn silent() -> Keys {
        Keys { fails: true, ..Keys::default() }
    }
}

impl KeyLookup for Keys {
    fn txt(&self, name: &str) -> Result<Vec<Vec<u8>>, LookupFault> {
        self.asked.set(self.asked.get() + 1);
        match self.fails {
            true => Err(LookupFault { name: name.to_owned(), why: "nobody answers".to_owned() }),
            false => Ok(self.texts.get(name).map(|text| text.clone().into_bytes()).into_iter().collect()),
        }
    }
}
