//! The questions that usually follow an order, measured over whole games and shown in previews.
//!
//! The actual next question can depend on cards that only other players know, so a preview must not
//! try the order out. The usual next question depends only on the rules. Each game keeps a table of
//! them in its own file, which `tests/games/follow_ups.rs` writes and checks. It has a line for
//! each kind of question and of order (with the card's name, if the order names one), followed by
//! the kinds of questions that follow for the player who gave the order, and by those that follow
//! for others.

use super::AnyOrder;
use postrider_orders::list_or;

/// Returns the name of an order in a game's table: the name of its kind and the card that it plays,
/// if any.
pub fn order_kind(order: &AnyOrder) -> String {
    let order: serde_json::Value = serde_json::from_str(&order.json()).unwrap_or_default();
    let Some((kind, what)) = order.as_object().and_then(|order| order.iter().next()) else {
        return order.as_str().unwrap_or_default().to_owned();
    };
    match what.get("card").and_then(|card| card.as_str()) {
        Some(card) => format!("{kind} {card}"),
        None => kind.clone(),
    }
}

/// Describes the kinds of questions that usually follow: `post action (you); evasion or reaction
/// (another player)`. Returns `None` if the game's table (`next`) does not list such orders.
pub fn follows(next: &str, kind: &str, order: &AnyOrder) -> Option<String> {
    let wanted = order_kind(order);
    let line = next.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let line = line.into_iter().find(|cells| cells.first() == Some(&kind) && cells.get(1) == Some(&wanted.as_str()))?;
    let kinds = |cell: Option<&&str>| -> Vec<String> {
        let kinds = cell.copied().unwrap_or_default().split(',').filter(|kind| !kind.is_empty());
        kinds.map(|kind| kind.replace('-', " ")).collect()
    };
    let (own, others) = (kinds(line.get(2)), kinds(line.get(3)));
    let others = (!others.is_empty()).then(|| format!("{} (another player)", list_or(&others)));
    let own = (!own.is_empty()).then(|| format!("{} (you)", list_or(&own)));
    let all: Vec<String> = own.into_iter().chain(others).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_by_kind_and_order() {
        let table = "shaman-card\tplay Raid\tvillage-action\t\nshaman-card\tdiscard Raid\t\tshaman-card,evasion\n";
        let order = |json: &str| AnyOrder::new(serde_json::from_str::<serde_json::Value>(json).expect("JSON"));
        let say = |json| follows(table, "shaman-card", &order(json));
        assert_eq!(say(r#"{"play":{"card":"Raid"}}"#).as_deref(), Some("village action (you)"));
        assert_eq!(say(r#"{"discard":{"card":"Raid"}}"#).as_deref(), Some("shaman card or evasion (another player)"));
        assert_eq!(say(r#"{"pass":{}}"#), None);
        assert_eq!(order_kind(&order(r#""pass""#)), "pass");
    }
}
