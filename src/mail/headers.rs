//! The header of a message as text.

use mail_parser::Message;

/// The header fields of a message as text, including those that the parser does not interpret.
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    pub(super) fn of(message: &Message<'_>) -> Headers {
        let text = |start: u32, end: u32| {
            let bytes = message.raw_message.get(start as usize..end as usize).unwrap_or_default();
            String::from_utf8_lossy(bytes).trim().to_string()
        };
        Headers(
            message
                .headers()
                .iter()
                .map(|header| (header.name.as_str().to_string(), text(header.offset_start, header.offset_end)))
                .collect(),
        )
    }

    /// Returns the names and values of all fields in order.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (String, String)> {
        self.0.into_iter()
    }

    /// Returns the values of all fields with this name, ignoring case.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the first of these names that is a field of the message.
    pub(super) fn first_present<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        names.iter().copied().find(|name| self.all(name).next().is_some())
    }
}
