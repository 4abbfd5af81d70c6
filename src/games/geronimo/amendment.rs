//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/geronimo.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment {
        VpsByBps = 2, "7.33, 7.41, 10.12",
            "VPs for a Battle are counted from BPs alone: what a Village lost as Devastation is none.";
    }
}

impl State {
    /// Whether this game is played by this amendment: its journal names a version that has it.
    pub fn amended(&self, amendment: Amendment) -> bool {
        amendment.holds_in(self.variant.version)
    }
}
