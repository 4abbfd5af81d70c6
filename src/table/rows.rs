//! Helpers for building views as JSON.

use serde_json::Value;

/// Creates a list.
pub fn rows<T: Into<Value>>(rows: impl IntoIterator<Item = T>) -> Value {
    Value::Array(rows.into_iter().map(Into::into).collect())
}

/// Adds the members of another object to an object.
pub fn joined(mut row: Value, more: Value) -> Value {
    if let (Value::Object(row), Value::Object(more)) = (&mut row, more) {
        row.extend(more);
    }
    row
}
