//! Orders with their types erased.

use serde::Serialize;
use serde_json::Value;
use std::{any::Any, fmt, rc::Rc};

/// An order of any game, from any source (words, a list, a bot) until it reaches the rules. It is
/// converted to [JSON](AnyOrder::json) once, for its journal line; only replays parse orders from
/// JSON.
#[derive(Clone)]
pub struct AnyOrder(Rc<dyn Ordered>);

trait Ordered: Any {
    fn value(&self) -> Value;
}

impl<O: Serialize + 'static> Ordered for O {
    fn value(&self) -> Value {
        // The conversion fails only for a faulty order type, which the first test reveals.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl AnyOrder {
    /// Erases the type of an order.
    pub fn new<O: Serialize + 'static>(order: O) -> Self {
        AnyOrder(Rc::new(order))
    }
    /// Returns the order as recorded in the journal.
    #[must_use]
    pub fn value(&self) -> Value {
        (*self.0).value()
    }
    /// Returns the order as canonical JSON: sorted keys, no white space.
    #[must_use]
    pub fn json(&self) -> String {
        // `serde_json` sorts the members of objects.
        self.value().to_string()
    }
    /// Returns the typed order; `None` if its type is not `O`, for example because it belongs to
    /// another game.
    #[must_use]
    pub fn of<O: 'static>(&self) -> Option<&O> {
        let order: &dyn Any = &*self.0;
        order.downcast_ref()
    }
}

/// Orders are equal if they are recorded in the same way in the journal.
impl PartialEq for AnyOrder {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Eq for AnyOrder {}

impl fmt::Display for AnyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json())
    }
}

impl fmt::Debug for AnyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
