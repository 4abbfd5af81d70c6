//! Helpers for games that implement a [`GameMap`](super::GameMap): members of views, and pairs of
//! areas.

use serde_json::Value;

/// Returns the items of a list in a view; none if it is not a list.
pub fn rows<'v>(view: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    view[name].as_array().into_iter().flatten()
}

/// Returns a text member; empty if it is not a text.
pub fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_default()
}

/// Returns an integer member; 0 if it is not an integer.
pub fn number(row: &Value, name: &str) -> i64 {
    row[name].as_i64().unwrap_or(0)
}

/// Returns the sorted pairs of adjacent areas, each once, from the ids of areas with those of their
/// neighbours.
pub fn pairs<'a, B: IntoIterator<Item = &'a str>>(areas: impl IntoIterator<Item = (&'a str, B)>) -> Vec<[String; 2]> {
    let both = areas.into_iter().flat_map(|(id, beside)| beside.into_iter().map(move |other| [id, other]));
    let mut pairs: Vec<[String; 2]> = both.filter(|[a, b]| a < b).map(|pair| pair.map(str::to_owned)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
