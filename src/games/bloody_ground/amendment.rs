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
        LeadersPlaced = 3, "10.5.3, 10.6.2",
            "A leader whose last unit fire has taken stays or goes to any friendly unit, and his owner says where a replacement comes.";
        DroppedSeen = 3, "9.4.5",
            "Stacks in or beside an area where a move has dropped units may react to it as well.";
        AgentsLeft = 3, "10.7.1",
            "Tecumseh, Girty or McKee alone after a battle goes to a fort or to warriors, and falls only where there is neither.";
        CrewNamed = 3, "11.2.1",
            "An order for a fort may say who builds it or takes it down; the others can still act.";
        FortOnce = 3, "12.0.2",
            "A fortified area that several raiding forces have entered counts once for their raid.";
        RelievedChosen = 4, "14.0.8",
            "Of the generals in play before reinforcements came those are relieved whom the US names.";
        SettledAtOnce = 4, "4.1, 4.2, 5.0",
            "Villages, new settlers and what an event asks of the US are one letter, after all dice of the step.";
        Planned = 4, "8.1, 8.6.3",
            "The order of the nations and the treaties are said at once, before the first die; treaties are paid as far as VPs reach.";
        HomesAtOnce = 4, "12.0.4, 13.0, 14.0.5",
            "Where raiders return, McKee goes and warriors spend the time to spring is asked in one letter, in the End Phase.";
        PlacedAtOnce = 4, "8.3, 8.4, 8.5.2",
            "New regulars, militia and reinforcements are placed in one letter, after all dice.";
        LikeUnasked = 4, "10.4.1, 11.1",
            "Which of like units in like state is eliminated or fights whom is not asked.";
    }
}
