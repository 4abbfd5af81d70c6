//! The meaning of a journal, as far as it follows from its own lines.
//!
//! It excludes everything that only letters can prove according to `docs/trust.md`: times, the
//! channel and words of orders, addresses, remarks, deadlines, the players of seats, the key. The
//! meaning of a proved mutant is a beginning of that of the original journal. Orders are excluded
//! as well, because the rules may read different spellings in the same way; where they differ, the
//! story of the game must be the same.

use super::change::Lines;
use serde_json::{Value, json};

/// Members that nothing else depends on, by kind.
const ADVICE: [(&str, &[&str]); 7] = [
    ("opened", &["operator_seats", "key", "clock"]),
    ("joined", &["address", "via", "mail"]),
    ("decision", &["via", "words", "order"]),
    ("rewound", &["by", "reason"]),
    ("ruling", &["by", "text"]),
    ("reseated", &["address"]),
    // A chain that is not revealed is one that its owner did not ask to see.
    ("closed", &["secrets"]),
];

/// Returns the meaning of each line that has one; `None` if a line is not an entry.
pub fn of(lines: &Lines) -> Option<Vec<Value>> {
    let read = |line: &Vec<u8>| serde_json::from_slice::<Value>(line).ok().filter(Value::is_object);
    let mut all = lines.iter().map(read).collect::<Option<Vec<Value>>>()?;
    // Lines without effect may be added or removed, so references to lines are converted to
    // positions among the others.
    let started = all.iter().position(|line| line["kind"] == "started").unwrap_or(all.len());
    let says = |(n, line): (usize, &Value)| match line["kind"].as_str() {
        Some("clock") => false,
        Some("ruling") => line["body"]["effect"] != json!({}),
        Some("reseated") => n < started,
        _ => true,
    };
    let kept: Vec<bool> = all.iter().enumerate().map(says).collect();
    let place = |n: u64| kept.iter().take(n as usize).filter(|kept| **kept).count();
    for line in &mut all {
        let kind = line["kind"].as_str()?.to_owned();
        let body = line["body"].as_object_mut()?;
        for (_, advice) in ADVICE.iter().filter(|(of, _)| *of == kind) {
            body.retain(|member, _| !advice.contains(&member.as_str()));
        }
        if let Some(Value::Object(parent)) = body.get_mut("parent") {
            parent.remove("reason");
        }
        for member in ["of", "to"] {
            if let Some(n) = body.get(member).and_then(Value::as_u64) {
                body.insert(member.to_owned(), json!(place(n)));
            }
        }
        let body = Value::Object(std::mem::take(body));
        *line = json!({ "body": body, "kind": kind });
    }
    let mut said: Vec<Value> = all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(line, _)| line).collect();
    // Players join in any order.
    let from = said.iter().position(|line| line["kind"] == "joined").unwrap_or(0);
    let to = from + said[from..].iter().take_while(|line| line["kind"] == "joined").count();
    said[from..to].sort_by_key(|line| line["body"]["seat"].to_string());
    Some(said)
}

/// Returns the orders of all decisions, as spelt.
pub fn orders(lines: &Lines) -> Vec<Value> {
    let all = lines.iter().filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    all.filter(|line| line["kind"] == "decision").map(|line| line["body"]["order"].clone()).collect()
}
