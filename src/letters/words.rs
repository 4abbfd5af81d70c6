//! JSON in plain words.

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
