//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/plains.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment {
        CountedOnce = 2, "15.4.1",
            "Of four players the side wins that has more points with Wagons destroyed, battles and the railroad counted once.";
    }
}

impl State {
    /// Whether this game is played by this amendment: its journal names a version that has it.
    pub fn amended(&self, amendment: Amendment) -> bool {
        amendment.holds_in(self.variant.version)
    }
}
