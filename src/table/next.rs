//! What is mostly asked after an order, as a look at whole games found it: a preview says it.
//!
//! What will be asked in the game at hand can hang on cards that only others know, so a preview must not try the order out. What
//! is mostly asked after orders of its kind hangs on nothing but the rules. Each game keeps it in a file of its own, which
//! `tests/games/follow_ups.rs` writes and holds to what happens: a line for each kind of question and of order, with a card's name if the order
//! names one; then the kinds that follow for who gave the order, and those that follow for others.

use super::AnyOrder;
use postrider_orders::list_or;

/// What an order is, for the table of a game: the name of its kind and the card that it plays, if any.
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

/// The kinds of questions that mostly follow, in words: `evasion or reaction of another player, or post action`. `None` where the
/// table of a game (`next`) knows nothing of such orders.
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
