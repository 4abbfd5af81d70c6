//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/plains.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment for State {
        CountedOnce = 2, "15.4.1",
            "Of four players the side wins that has more points with Wagons destroyed, battles and the railroad counted once.";
        GeronimosForce = 2, "9.2, 12.1.2, 4.6",
            "Each faction of Geronimo's force rolls its own dice; he strikes what the US holds or contests with Blue, Brown or White.";
        PlacedBesideWagons = 2, "4.3, 12.0",
            "Cubes that are placed beside Wagons attack nothing: a group that moves in does, or one that stays for a group move.";
        StayingIsMoving = 2, "4.3",
            "A group that stays to attack Wagons has moved.";
        OneControl = 2, "12.1.4.3, 6.3, 4.7",
            "Where an engagement waits the region is contested for cubes that retreat, are placed or are sent away, too.";
        SparedWagons = 2, "12.1.2.1",
            "Wagons that a Treaty spares bring no engagement.";
        WagonsHold = 2, "10.5, 15.4",
            "Of four players no Indian cube over the limit is sent to a region that Wagons hold.";
        OwnRegions = 2, "15.4.1, 10.1",
            "Where allies are different players, a player's cubes are placed in regions that he controls himself.";
        BuffaloHunters = 2, "9.2",
            "Buffalo Hunters act in a region of the railroad or beside one, with Brown in one of the two.";
        OverLimitAtOnce = 2, "4.4, 10.5",
            "All cubes over the limit of a region go in one order.";
        AskedWhileCardsAreLeft = 3, "9.0",
            "Once the movement card is played the next card is asked for as long as another Event card may follow and cards are left, whatever they are.";
        SparedOnTheWay = 4, "12.1.2.1, 6.6.1",
            "Wagons go west from the far end of each trail on, so that a Treaty spares the Wagon that it was struck over, and no other.";
        ApartWithoutCavalry = 4, "13.0, 12.1.4, 12.1.2, 10.5, 4.4",
            "Settlers do not retreat to Enemies without Cavalry, nor are they sent there; nor Enemies to Settlers.";
        DrawnTribeAttacks = 4, "12.1.2.1, 12.0, 15.3, 15.4",
            "Where the tribes have a player each, the one whose disc was drawn says whether Wagons are attacked, while cubes of his are there.";
        CubeByCube = 4, "12.1.4, 12.1.4.3",
            "Cubes that retreat in one order go one after the other: where one takes the last free place the next goes where it then can.";
        WithdrawApart = 4, "13.0, 12.1.4",
            "Cubes that withdraw may go to several places.";
        MovedByEvent = 4, "4.3, 11.0, 9.2",
            "Cubes that Medicine Line or Geronimo moves have moved, and cubes that have moved do not cross the Medicine Line.";
    }
}
