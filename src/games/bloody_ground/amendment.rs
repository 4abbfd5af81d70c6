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
        FortsShared = 4, "7.0.1, 7.0.2",
            "Forts supply as many units as they can between them; where that is too few the owner says who goes without, in all areas together.";
        GroundSettled = 4, "15.4.5",
            "Printed settlements and settled ground are settled from the start: a settler who comes there scores nothing.";
        TownsCounted = 4, "6.0.3, 8.2, 8.4, 15.4.4",
            "A village beside a permanent settlement counts as well as it.";
        RefugeSafe = 4, "6.0.2, 9.5.2",
            "No settler flees into a pillaged town.";
        AtOneFort = 4, "T:native-american-mobilization-chart",
            "Two warriors at one British fort count, not one at each of two.";
        GatherOutside = 4, "8.1",
            "Warriors in the area of a British fort but not inside it may gather with their leader.";
        ArmyLed = 4, "8.3.2",
            "New regulars come to leaders of the US Army, not to those of militia.";
        PledgeKept = 4, "8.4.2",
            "Militia that cancels a removal is not itself removed, and does not react this turn.";
        GroupByEdge = 4, "8.5.2",
            "Leaders of reinforcements may enter by the east edge too.";
        DorchesterStays = 4, "8.5.3",
            "Dorchester is not eliminated, so his fall does not lose a battle.";
        TecumsehCounts = 4, "9.2.3, 14.0.3",
            "Tecumseh beside a leader adds 1 to his rating against assassins too.";
        ReactionLed = 4, "9.4.5, 14.0.3",
            "The primary leader's rating is used where he stands, named or not; warriors and British with Tecumseh react without another leader.";
        RoutChosen = 4, "10.4",
            "The owner of a Routed unit chooses between ways that lead away on the board and off it.";
        PrimaryRallies = 4, "10.7",
            "After a battle the rating of the side's primary leader alone helps the Routed.";
        HavensOpen = 4, "10.7.1",
            "Who leaves after a battle goes to an un-pillaged area of any nation; settlers go to a fort or a permanent settlement that the US names.";
        OddsRounded = 4, "10.6.2",
            "A leader is at more risk where the odds as rounded are more than 3-1: 7 to 2 are 3-1.";
        ReplacementStays = 4, "10.5.3, 10.6.2",
            "A replacement leader who is hit scores, and stays where he is.";
        LoneLeaderLeaves = 4, "11.1",
            "A leader without units leaves before an enemy, whether or not there was a skirmish.";
        FaceDown = 4, "8.1, 10.0",
            "A leader of a peaceful nation takes no part in battles.";
        SiegeLifted = 4, "11.3.1",
            "Siege markers go when a siege is lifted, not only when the next ones are placed.";
        FortEntered = 4, "11.2.2",
            "Who is placed at a fort is inside as long as there is room, and an action takes units in and out.";
        RaidersFit = 4, "12.0.1",
            "Leaders who raid are in supply too, their nations are at war, and a raid may go to US units or a US fort anywhere.";
        RaidersHome = 4, "12.0.4, 9.5.2",
            "Leaders who went through pillaged land are checked as well, and nobody returns to a pillaged area, with a fort or not.";
        LossesCounted = 4, "15.1.4",
            "Units lost by a force march or by McKee's death are not among those that lower a level of victory.";
        WayneSetUp = 4, "14.0.7, 15.3.1, 15.3.2",
            "Rifles go to any nation that is set up, the Delaware and Iroquois too; Trotter has left the war.";
        TecumsehStacked = 4, "14.0.3",
            "Tecumseh is set up and ends his moves with other units or leaders of his side.";
        McKeeBound = 4, "14.0.5",
            "McKee is not made to leave into Pennsylvania or over the Ohio either.";
        LawWhole = 4, "9.5.2, 14.0.7, 14.0.8",
            "A director's ruling leaves no settlers in a pillaged area, no leader of militia without militia of his state, and no more leaders than may be in play.";
        RiflesPlaced = 4, "14.0.2, 15.2.2, 16.2.2",
            "NA names the warriors who get rifles, by area or hex, not their nations alone.";
        DesertersNamed = 4, "14.0.5",
            "NA names the areas from which warriors desert at McKee's death.";
        ShawneeFollow = 4, "14.0.6",
            "The replacement whom Blue Jacket relieves can replace him.";
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
        LeastTaken = 5, "9.3, 12.0.1",
            "Of like units that can do as much an order takes those without rifles, for a raid whatever else they could do.";
        NearestOf = 5, "10.5",
            "An order for fire may aim at the nearest of some: `nearest sound`.";
        AmbushUncounted = 5, "9.2.2, 15.1.4",
            "A unit lost to an ambush is not among those that lower a level of victory; the last letter says when one was lowered.";
        LeadersJoin = 5, "12.0.1",
            "A leader alone may join a raid on an area where warriors raid in this turn.";
        TecumsehStaysOut = 5, "14.0.3",
            "Tecumseh in an area that is raided adds nothing to the rating of a leader who raids it.";
        StarvedCompleted = 5, "7.0.4, 9.4.5",
            "A unit Out of Supply that has acted once has completed its actions when it reacts.";
        PeaceAtOnce = 5, "15.1.2",
            "Nations that begin at peace are set up in one letter, with McKee.";
        ChecksAlone = 5, "10.4, T:mcrt-results",
            "No leader helps in the checks of a retreat or a rout, which no chart gives him.";
        CaughtStay = 5, "10.2",
            "In the round of a surprise the Routed units of who is caught do not run: only the other side moves.";
        NearestOnly = 5, "10.4",
            "A Routed unit runs away from the nearest enemies, however near that brings it to others.";
        FallenStay = 5, "12.0.3, 12.0.4",
            "A leader who has fallen on a raid does not return from it.";
        SiegesEnd = 5, "11.3.1, 14.0.5",
            "Siege markers go where the warriors who desert at McKee's death end a siege.";
        IroquoisInPlay = 6, "8.2, 8.5.3, T:random-events-table",
            "The Iroquois are at war as long as warriors of theirs are on the map or wait beside it, and no longer.";
        LeadersReturn = 6, "14.0.7, 10.6.2",
            "A leader of militia, a replacement too, who finds no unit of his state waits and comes back with the next.";
        LeaderInside = 6, "11.2.2, 14.0.6",
            "A leader who comes to units in a fort is inside with them, and Blue Jacket takes Black Hoof's place there.";
        InsideCounted = 6, "8.1, 13.0, 11.1.3",
            "Warriors at peace inside a besieged fort roll for attrition, and its walls stand as long as any unit is inside.";
        WallsAlone = 6, "11.1.3, T:skirmish-combat-results",
            "A retreat of a unit and of walls that fight together eliminates the unit; the fort falls by it only where walls are alone.";
        WinterForAll = 6, "13.0",
            "At the end of winter warriors leave besieged forts too, as their leaders do; only militia stays there.";
        RoomInside = 6, "13.0, 11.2.2",
            "In winter a fort has room for ten units inside, whoever stands outside.";
        IroquoisHome = 6, "13.0",
            "The Iroquois may spend the time to spring in their own areas.";
        McKeeThrough = 6, "14.0.5",
            "McKee may relocate from a besieged fort, and to any British fort, besieged or not.";
        FirstActs = 6, "7.0.4, 9.4.2",
            "Units Out of Supply or Disrupted that have not acted may go with a leader who acts a second time.";
        LeaderStacked = 6, "9.3.1, 9.3.2, 9.4.2",
            "Who acts a second time may do so with a leader beside him who does not go along.";
        RaidersLeft = 6, "12.0.1, 12.0.2, T:raid-resolution-chart",
            "A raid is resolved only where warriors are left, and the ways of those who have fallen before it do not count.";
        RefugeesSettle = 6, "6.0.2, 6.0.3",
            "Settlers who fled to an area count for its exchange to a village.";
        FortsPassed = 7, "11.2.2, 12.0.2",
            "A fort that raiders pass along a river counts against their raid; they pass it by where the river leads another way.";
        RiverChosen = 7, "9.4.3, 9.5.2",
            "Along a river the way goes round pillaged areas where it can, and areas that are named on it are one leg.";
        OthersReact = 7, "9.4.5, 14.0.7",
            "A militia leader whose militia cannot react keeps nobody else of his area from it.";
        SurrenderedReact = 7, "8.6.2, 9.4.5",
            "Leaders of a nation that has surrendered lead a Reaction as they lead an action.";
        RetreatedIdle = 7, "10.4.1",
            "Units that have retreated into a hex do not count when it is attacked in the same impulse, but suffer what comes of it.";
        WoodsShelter = 7, "10.4, T:melee-combat-results-table",
            "A Routed unit that is forced past an enemy in woods makes its check; only in the open it is eliminated at once.";
        SafeAtHome = 7, "9.2.3",
            "US towns are safe for US leaders alone.";
        LeadersStarve = 7, "7.0.4",
            "A leader who is Out of Supply has one MP less on the board too.";
    }
}
