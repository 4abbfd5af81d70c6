//! Orders that nobody would send: words in any order, and orders of any question with changed
//! parts.

use super::{Bytes, whole::Tried};
use postrider::table::Snapshot;
use serde_json::Value;

/// Numbers that commonly cause overflows and other errors.
const NUMBERS: [i64; 10] = [-1, 0, 1, 2, 20, 999, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];
/// Texts that no option contains.
const ODD: [&str; 8] = ["", " ", "0", "-1", "99999999999999999999", "and", "\u{301}", "a, b; c\u{2028}d"];

/// Returns a text made of words of all open options, with random changes.
pub fn words<G: Tried>(seen: &Snapshot<G>, bytes: &mut Bytes<'_>) -> String {
    let options: Vec<String> =
        orders(seen, bytes).into_iter().map(|(words, _)| words).chain(ODD.map(str::to_owned)).collect();
    let pool: Vec<&str> = options.iter().flat_map(|words| words.split(' ')).collect();
    let mut line = Vec::new();
    for _ in 0..bytes.below(16) {
        line.push(match bytes.below(8) {
            0 => bytes.text(),
            1 => NUMBERS[bytes.below(NUMBERS.len() as u32) as usize].to_string(),
            2 => bytes.pick(&options).cloned().unwrap_or_default(),
            3 => bytes.pick(&pool).map(|word| word.chars().rev().collect()).unwrap_or_default(),
            _ => bytes.pick(&pool).map(|&word| word.to_owned()).unwrap_or_default(),
        });
    }
    line.join(if bytes.below(8) == 0 { "" } else { " " })
}

/// Returns an order of any open question, or one parsed from bytes, with some of its parts
/// replaced; `None` if the result is not an order.
pub fn changed<G: Tried>(seen: &Snapshot<G>, bytes: &mut Bytes<'_>) -> Option<G::Order> {
    if bytes.below(8) == 0 {
        return serde_json::from_str(&bytes.text()).ok();
    }
    let orders: Vec<G::Order> = orders(seen, bytes).into_iter().map(|(_, order)| order).collect();
    let mut order = serde_json::to_value(bytes.pick(&orders)?).ok()?;
    let others: Vec<Value> = orders.iter().filter_map(|order| serde_json::to_value(order).ok()).collect();
    let mut names = Vec::new();
    others.iter().for_each(|other| collect(other, &mut names));
    change(&mut order, &names, bytes);
    serde_json::from_value(order).ok()
}

/// Returns all listed orders and a sample of each question, with their words.
fn orders<G: Tried>(seen: &Snapshot<G>, bytes: &mut Bytes<'_>) -> Vec<(String, G::Order)> {
    let mut all = Vec::new();
    for ticket in &seen.tickets {
        let listed = ticket.prompt.options(&seen.state, ticket.seat);
        all.extend(listed.into_iter().map(|choice| (choice.words, choice.order)));
        all.extend(ticket.prompt.sample(&seen.state, ticket.seat, &mut |n| bytes.below(n)).map(|o| (String::new(), o)));
    }
    all.extend(G::venture(&seen.state, &mut |n| bytes.below(n)).map(|order| (String::new(), order)));
    all
}

fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(name) => names.push(name.clone()),
        Value::Array(list) => list.iter().for_each(|one| collect(one, names)),
        Value::Object(map) => map.values().for_each(|one| collect(one, names)),
        _ => {}
    }
}

/// Randomly replaces numbers and names, and duplicates or removes list items.
fn change(value: &mut Value, names: &[String], bytes: &mut Bytes<'_>) {
    match value {
        Value::Number(_) if bytes.below(3) == 0 => {
            *value = NUMBERS[bytes.below(NUMBERS.len() as u32) as usize].into();
        }
        Value::Bool(on) => *on ^= bytes.below(4) == 0,
        Value::String(name) => match bytes.below(8) {
            0 => *name = ODD[bytes.below(ODD.len() as u32) as usize].to_owned(),
            1 | 2 => *name = bytes.pick(names).cloned().unwrap_or_default(),
            3 => *name = name.to_lowercase(),
            _ => {}
        },
        Value::Array(list) => {
            match (bytes.below(6), list.first().cloned()) {
                (0, Some(first)) => list.push(first),
                (1, _) => drop(list.pop()),
                (2, Some(Value::String(_))) => list.push(bytes.pick(names).cloned().unwrap_or_default().into()),
                _ => {}
            }
            list.iter_mut().for_each(|one| change(one, names, bytes));
        }
        Value::Object(map) => map.values_mut().for_each(|one| change(one, names, bytes)),
        _ => {}
    }
}
