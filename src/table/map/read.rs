//! What games need to make a [`GameMap`](super::GameMap): members of views, and pairs of areas.

use serde_json::Value;

/// The items of a list of a view; none where it is no list.
pub fn rows<'v>(view: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    view[name].as_array().into_iter().flatten()
}

/// A member that is a text; empty where it is none.
pub fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_default()
}

/// A member that is an integer; 0 where it is none.
pub fn number(row: &Value, name: &str) -> i64 {
    row[name].as_i64().unwrap_or(0)
}

/// Pairs of areas that are adjacent, each once and in order, of the areas with those beside them, by their ids.
pub fn pairs<'a, B: IntoIterator<Item = &'a str>>(areas: impl IntoIterator<Item = (&'a str, B)>) -> Vec<[String; 2]> {
    let both = areas.into_iter().flat_map(|(id, beside)| beside.into_iter().map(move |other| [id, other]));
    let mut pairs: Vec<[String; 2]> = both.filter(|[a, b]| a < b).map(|pair| pair.map(str::to_owned)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
