//! Formatting helpers: the letters of options, and JSON in plain words.

/// Returns the letter of an option, counted from 0: `a` to `z`, then `aa`, `ab` and so on.
pub fn letter(index: usize) -> String {
    let mut left = index + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        // The remainder is at most 25.
        letters.push(char::from(b'a' + (left % 26) as u8));
        left /= 26;
    }
    letters.iter().rev().collect()
}

/// Formats a JSON value in plain words, for data without a template: members one below the other,
/// lists with commas.
pub fn plain(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().map(inline).collect::<Vec<_>>().join("\n")
        }
        Value::Object(members) => {
            let line = |(key, item): (&String, &Value)| {
                let (key, text) = (key.replace('_', " "), plain(item));
                if text.contains('\n') {
                    format!("{key}:\n  {}", text.replace('\n', "\n  "))
                } else {
                    format!("{key}: {text}")
                }
            };
            members.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        other => inline(other),
    }
}

fn inline(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            members.iter().map(|(key, item)| format!("{key} {}", inline(item))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 27, 701].map(letter), ["a", "z", "aa", "ab", "zz"]);
    }
}
