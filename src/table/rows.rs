//! Views as JSON: small words for putting them together.

use serde_json::Value;

/// A list.
pub fn rows<T: Into<Value>>(rows: impl IntoIterator<Item = T>) -> Value {
    Value::Array(rows.into_iter().map(Into::into).collect())
}

/// An object with the members of another one added.
pub fn joined(mut row: Value, more: Value) -> Value {
    if let (Value::Object(row), Value::Object(more)) = (&mut row, more) {
        row.extend(more);
    }
    row
}
