//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/geronimo.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment for State {
        VpsByBps = 2, "7.33, 7.41, 10.12",
            "VPs for a Battle are counted from BPs alone: what a Village lost as Devastation is none.";
        MarkersAddUp = 2, "6.64, 7.41",
            "Each Devastated marker is -3 at the most, and all markers of a Turn count together.";
        ReservationCards = 2, "2.22, 8.18, 8.23, 9.2X",
            "Reservation Unrest draws a card, of which a Tribe has one for each of its Villages On Reservation.";
        GunsPlaced = 2, "3.45",
            "Both Field Artillery markers are placed on the map with the first BPs.";
        ReactAlone = 2, "5.723",
            "Columns that have combined may separate and react each by itself.";
        SplitDissolved = 2, "5.46",
            "The BPs of a dissolved Column may go to several Columns In Fort, and to the Reserve.";
        EachPartyDecides = 2, "6.35, 6.75",
            "Each War Party of an Alliance may stay or return by itself.";
        SmallpoxFlips = 2, "6.64, 9.2AA",
            "A Village that Smallpox has Finished does not double its Survival Points.";
        ScoutsRaid = 2, "9.2Y",
            "A Village that Scouts may raid: it may not relocate, attack or be attacked by the US.";
        TurnedBackLeaving = 2, "5.36",
            "Only a Village that leaves the Column's Area is turned back, not one that enters it.";
        UnrestMayPass = 2, "9.2GG",
            "Who plays Tribal Unrest may leave every Peace Chief where he is.";
        DividedAtStart = 3, "6.51",
            "The Teton Chiefs are divided at the start of the Turn: every Indian player says how, and the division of whoever holds the Sioux counts.";
        AskedAlike = 3, "9.2Q, 12.13",
            "Who chooses among Tribes by the cards in his hand is asked where one choice is left, too.";
        DrawnMayRest = 4, "6.64, 11.37",
            "In the Solitaire Game a Village that was drawn and did nothing doubles its Survival Points, unless Smallpox has Finished it.";
        AttackAlone = 4, "5.33, 5.723",
            "Columns that have combined may separate to attack, each by itself.";
        ReactTogether = 4, "5.35, 5.71, 5.723",
            "Columns that have coordinated a Reaction may stay together; with those who had combined before they are three at the most.";
        ReservedChiefs = 4, "6.51, 7.4, 8.21",
            "While both Teton Villages are On Reservation their Chiefs are with them.";
        ScoutsIgnored = 4, "9.14, 9.2Y, 12.1",
            "Scouts played by who holds no Scout Tribe is Ignored, and allows a random event.";
        CameToNothing = 4, "9.13, 9.2D, 9.2F, 9.2Q, 12.1",
            "Bad Blood, Blood Lust and Peace Chief that find nobody are No Event, and allow a random event.";
        SentWithChief = 4, "6.32",
            "For a second War Party it counts whether the first was sent with a Chief, not whether it still has one.";
        AlliancesLast = 4, "6.75",
            "An Alliance whose War Parties are gone lasts all the same, whatever other Alliances are formed.";
    }
}
