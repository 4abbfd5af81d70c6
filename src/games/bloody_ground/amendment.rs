//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/dark-and-bloody-ground.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment for State {
        Dropping = 2, "9.4.1",
            "A stack may drop slower units on its way; the others go on with their own MPs.";
        SinglingOut = 2, "9.3",
            "An order may say which of like units act: those that have acted or not, with rifles or without, Disrupted or not.";
        Doctrine = 2, "10.5",
            "One order fires with every unit by a list of aims, or attacks wherever the odds are good, each result known to the next.";
    }
}
