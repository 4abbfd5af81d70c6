//! An order whose type is forgotten.

use serde::Serialize;
use serde_json::Value;
use std::{any::Any, fmt, rc::Rc};

/// An order of any game: what is read from words, listed, drawn or thought of by a bot, on its way to the rules. It becomes
/// [JSON](AnyOrder::json) once, where the line of the journal is made; only replays make an order of JSON.
#[derive(Clone)]
pub struct AnyOrder(Rc<dyn Ordered>);

trait Ordered: Any {
    fn value(&self) -> Value;
}

impl<O: Serialize + 'static> Ordered for O {
    fn value(&self) -> Value {
        // An order type that cannot be JSON is a mistake that the first test shows.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl AnyOrder {
    /// Forgets the type of an order.
    pub fn new<O: Serialize + 'static>(order: O) -> Self {
        AnyOrder(Rc::new(order))
    }
    /// The order as the journal keeps it.
    #[must_use]
    pub fn value(&self) -> Value {
        (*self.0).value()
    }
    /// The same as text: canonical JSON, keys sorted, without white space.
    #[must_use]
    pub fn json(&self) -> String {
        // The objects of a Value are sorted.
        self.value().to_string()
    }
    /// The order itself; `None` where it is one of another game.
    #[must_use]
    pub fn of<O: 'static>(&self) -> Option<&O> {
        let order: &dyn Any = &*self.0;
        order.downcast_ref()
    }
}

/// Orders are the same when the journal would say the same.
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
