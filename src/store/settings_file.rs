//! The text of a settings file: changing values in it, and explaining what is wrong with it.

use super::{SETTINGS, StoreError};
use postrider_orders::near;
use std::ops::Range;
use toml::{
    Spanned, Value,
    de::{DeTable, DeValue, Error},
};

/// Sets a value in the text of a settings file and leaves everything else as it is, comments
/// included. `table` is the path of its table, `mail_out.smtp`; empty for settings outside of
/// tables. A setting or table that exists only as a comment is set there.
///
/// # Errors
///
/// Returns [`StoreError::Settings`] if the text, before or after the change, is not valid TOML.
pub fn set(text: &str, table: &str, key: &str, value: &Value) -> Result<String, StoreError> {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // A value such as `mail_out = "maildir"` where a table is needed.
    if let Some(Found::Word(span)) = found(&text, table, None)? {
        text.replace_range(line_of(&text, span.start), "");
    }
    if let Some(Found::Value(span)) = found(&text, table, Some(key))? {
        text.replace_range(span, &value.to_string());
        return Ok(text);
    }
    let begin = begin_table(&mut text, table);
    let lines = || lines_of(&text).skip_while(|(at, _)| *at < begin).take_while(|(_, line)| !is_header(line));
    let commented = format!("#{key} = ");
    let place = lines().find(|(_, line)| line.starts_with(&commented)).map(|(at, line)| at..at + line.len());
    // Comments at the end of a table usually belong to the next one.
    let settings = lines().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("# "));
    let end = settings.last().map_or(begin, |(at, line)| at + line.len());
    text.replace_range(place.unwrap_or(end..end), &format!("{key} = {value}\n"));
    parsed(&text)?;
    Ok(text)
}

/// Returns `true` if the text sets this setting, or has a table of this name.
///
/// # Errors
///
/// Returns [`StoreError::Settings`] if the text is not valid TOML.
pub fn is_set(text: &str, table: &str, key: &str) -> Result<bool, StoreError> {
    Ok(matches!(found(text, table, Some(key))?, Some(Found::Value(_))))
}

/// Part of a settings file.
enum Found {
    /// The value of a setting.
    Value(Range<usize>),
    /// A value in the place of a table.
    Word(Range<usize>),
}

fn parsed(text: &str) -> Result<Spanned<DeTable<'_>>, StoreError> {
    let fault = |why: Error| StoreError::Settings { path: SETTINGS.into(), why: explained(text, &why) };
    DeTable::parse(text).map_err(fault)
}

/// Finds the value of a setting, or a value that is in the place of its table.
fn found(text: &str, table: &str, key: Option<&str>) -> Result<Option<Found>, StoreError> {
    let parsed = parsed(text)?;
    let mut inner = parsed.get_ref();
    for part in table.split('.').filter(|part| !part.is_empty()) {
        let Some(value) = inner.get(part) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(table) => inner = table,
            _ => return Ok(Some(Found::Word(value.span()))),
        }
    }
    Ok(key.and_then(|key| inner.get(key)).map(|value| Found::Value(value.span())))
}

/// Returns the offset after the header of a table, which is added if the text does not have it.
fn begin_table(text: &mut String, table: &str) -> usize {
    if table.is_empty() {
        return 0;
    }
    let header = format!("[{table}]");
    for prefix in ["", "#"] {
        let wanted = format!("{prefix}{header}");
        let found = lines_of(text).find(|(_, line)| line.starts_with(&wanted)).map(|(at, line)| (at, line.len()));
        if let Some((at, length)) = found {
            text.replace_range(at..at + prefix.len(), "");
            return at + length - prefix.len();
        }
    }
    text.push_str(&format!("\n{header}\n"));
    text.len()
}

/// Returns the lines of a text, with their ends, and where they begin.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let at = *next;
        *next += line.len();
        Some((at, line))
    })
}

/// Returns `true` for the header of a table, also of one that is only a comment.
fn is_header(line: &str) -> bool {
    line.trim_start_matches('#').starts_with('[')
}

/// Returns the range of the line with this offset.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    begin..text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Explains an error in a settings file: the line, what is wrong, and what would be right.
pub(crate) fn explained(text: &str, why: &Error) -> String {
    let Some(span) = why.span() else { return in_words(text, 0, why.message()) };
    let line = text[line_of(text, span.start)].trim();
    let number = text[..span.start].matches('\n').count() + 1;
    format!("line {number} (`{line}`): {}", in_words(text, span.start, why.message()))
}

/// Returns the message of the parser in the terms of a person who edits the file.
fn in_words(text: &str, at: usize, message: &str) -> String {
    if message == "duplicate key" || message.starts_with("cannot extend value") {
        let line = line_of(text, at);
        let name = |line: &str| {
            let name = line.trim_start_matches('[').split(['=', '.', ']']).next().unwrap_or_default();
            name.trim().to_owned()
        };
        let key = name(&text[line.clone()]);
        let other = lines_of(&text[..line.start]).filter(|(_, other)| name(other) == key).last();
        let first = other.map(|(before, _)| format!(", first in line {}", text[..before].matches('\n').count() + 1));
        return format!("`{key}` is set twice{}; delete one of the two", first.unwrap_or_default());
    }
    // Serde names what it expects between grave accents.
    let named: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.split(' ').next(), named.as_slice()) {
        (Some("unknown"), [wrong, known @ ..]) => {
            let like = near(wrong, known.iter().copied(), 1);
            let right = match like.first() {
                Some(like) => format!("did you mean `{like}`?"),
                None => format!("possible are {}", known.join(", ")),
            };
            let what = if message.starts_with("unknown field") { "there is no setting" } else { "there is no value" };
            format!("{what} `{wrong}`; {right}")
        }
        (Some("missing"), [missing]) => format!("the setting `{missing}` is missing from this table"),
        _ if DeTable::parse(text).is_err() => format!("this is not valid TOML: {message}"),
        _ => match message.strip_prefix("invalid ").and_then(|rest| rest.split_once(", expected ")) {
            Some((given, wanted)) => {
                let given = given.split_once(": ").map_or(given, |(_, given)| given);
                let not = if given == "unit variant" { String::new() } else { format!(", not {given}") };
                format!("the value must be {}{not}", wanted_in_words(wanted))
            }
            None => match message.strip_prefix("wanted ").or(message.strip_suffix(" syntax")) {
                Some(wanted) => format!("the value must be {}", wanted_in_words(wanted)),
                None => message.to_owned(),
            },
        },
    }
}

/// Returns what the parser wants, in the terms of a person who edits the file.
fn wanted_in_words(wanted: &str) -> &str {
    match wanted {
        "a boolean" => "true or false",
        "a string" | "string or table" => "a text in quotation marks",
        "a sequence" => "a list in square brackets",
        "newtype variant" => "a table, with settings of its own",
        "socket address" | "invalid socket address" => "an address with a port, such as \"192.0.2.53:53\"",
        wanted if wanted.starts_with(['u', 'i']) => "a whole number without quotation marks",
        wanted => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{DEFAULT_SETTINGS, Settings};

    fn text(value: &str) -> Value {
        Value::String(value.to_owned())
    }

    #[test]
    fn values_are_set_in_place_and_the_rest_stays() {
        let mut all = DEFAULT_SETTINGS.to_owned();
        for (table, key, value) in [
            ("", "address", "postrider@play.example"),
            ("mail_out.smtp", "host", "mail.example"),
            ("mail_out.smtp", "ca", "ca.pem"),
            ("mail_in.imap", "host", "imap.example"),
            ("mail_in.imap", "user", "postrider"),
            ("", "address", "games@play.example"),
        ] {
            all = set(&all, table, key, &text(value)).unwrap();
        }
        let changed: Vec<&str> = all.lines().filter(|line| !DEFAULT_SETTINGS.lines().any(|old| old == *line)).collect();
        assert_eq!(
            changed,
            [
                "address = \"games@play.example\"",
                "[mail_out.smtp]",
                "host = \"mail.example\"",
                "ca = \"ca.pem\"",
                "[mail_in.imap]",
                "host = \"imap.example\"",
                "user = \"postrider\"",
            ]
        );
        assert_eq!(all.lines().count(), DEFAULT_SETTINGS.lines().count() + 1);
        let own = "# mine\nmail_out = \"maildir\"\nname = \"Us\"";
        let own = set(own, "mail_out.smtp", "host", &text("mail.example")).unwrap();
        assert_eq!(own, "# mine\nname = \"Us\"\n\n[mail_out.smtp]\nhost = \"mail.example\"\n");
        assert_eq!(set("", "", "name", &text("Us")).unwrap(), "name = \"Us\"\n");
        let inline = "[mail_out]\nsmtp = { host = \"a\" }\n";
        let why = set(inline, "mail_out.smtp", "user", &text("x")).unwrap_err().to_string();
        assert!(why.contains("set twice"), "{why}");
    }

    #[test]
    fn errors_say_where_what_is_wrong_and_what_would_be_right() {
        for (settings, said) in [
            (
                "name = \"a\"\nadress = \"b\"\n",
                "line 2 (`adress = \"b\"`): there is no setting `adress`; did you mean `address`?",
            ),
            ("html = \"yes\"\n", "line 1 (`html = \"yes\"`): the value must be true or false, not string \"yes\""),
            ("name = 7\n", "line 1 (`name = 7`): the value must be a text in quotation marks, not integer `7`"),
            (
                "answers_per_hour = \"7\"\n",
                "line 1 (`answers_per_hour = \"7\"`): the value must be a whole number without quotation marks, not string \"7\"",
            ),
            ("press = \"nmaed\"\n", "line 1 (`press = \"nmaed\"`): there is no value `nmaed`; did you mean `named`?"),
            ("press = \"x\"\n", "line 1 (`press = \"x\"`): there is no value `x`; possible are named, anonymous, none"),
            (
                "keep_mails = \"forever\"\n",
                "line 1 (`keep_mails = \"forever\"`): the value must be \"game\", \"always\", \"never\" or a whole number of days",
            ),
            (
                "mail_out = \"smtp\"\n",
                "line 1 (`mail_out = \"smtp\"`): the value must be a table, with settings of its own",
            ),
            ("pictures = true\n", "line 1 (`pictures = true`): the value must be a text in quotation marks"),
            (
                "resolver = \"localhost\"\n",
                "line 1 (`resolver = \"localhost\"`): the value must be an address with a port, such as \"192.0.2.53:53\"",
            ),
            (
                "answers_per_hour = -1\n",
                "line 1 (`answers_per_hour = -1`): the value must be a whole number without quotation marks, not integer `-1`",
            ),
            (
                "[mail_in.imap]\nuser = \"a\"\n",
                "line 1 (`[mail_in.imap]`): the setting `host` is missing from this table",
            ),
            (
                "name = \"a\"\nmail_out = \"maildir\"\n[mail_out.smtp]\nhost = \"a\"\n",
                "line 3 (`[mail_out.smtp]`): `mail_out` is set twice, first in line 2; delete one of the two",
            ),
            (
                "name = \"a\"\nname = \"b\"\n",
                "line 2 (`name = \"b\"`): `name` is set twice, first in line 1; delete one of the two",
            ),
        ] {
            let why = toml::from_str::<Settings>(settings).unwrap_err();
            assert_eq!(explained(settings, &why), said);
        }
        let why = toml::from_str::<Settings>("name = \"a\nhtml = true\n").unwrap_err();
        assert!(
            explained("name = \"a\nhtml = true\n", &why).starts_with("line 1 (`name = \"a`): this is not valid TOML")
        );
    }
}
