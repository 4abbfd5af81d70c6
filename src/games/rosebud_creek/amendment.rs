//! What later versions of these rules do otherwise: each amendment with the version that brought it and the numbers of its
//! rules. `docs/rosebud-creek.md` gives the reasons.

use super::State;
use crate::amendments;

amendments! {
    /// What a rule asks for before it does as a later version says ([`State::amended`]).
    pub enum Amendment for State {
        OneTarget = 2, "10.B",
            "Units of one hex attack one hex in a Melee Phase, whether they advance or not.";
        RoutedAgain = 2, "10.C, 10.J",
            "A Routed unit that loses a point in melee makes a new Mandatory Rout.";
        RoutedCompany = 2, "16.D",
            "A Rout of one of Van Vliet's companies, not of its own will, frees him and them.";
        VanVlietHeld = 2, "16.D",
            "Van Vliet himself stays near the Eagle's Nest, as his companies do.";
        UnitsOverrun = 2, "12.D",
            "Only combat units go where enemy Leaders stand alone, and kill them; Leaders and Pony Holders do not.";
        HqInRadius = 2, "12.E",
            "No order takes the Column HQ out of Crook's Command Radius; where he goes, it follows.";
        VoluntaryOnce = 2, "10.J",
            "A Voluntary Rout goes its four or eight hexes; a unit that could not move in its Rout may still go on by an order.";
        StopsAtThree = 2, "10.J",
            "The Mandatory Rout of Indians and Scouts ends where every enemy is three hexes away.";
        RallyPlace = 2, "10.J",
            "The US player says toward which kind of Rally Location units Rout (`doctrine rally place`).";
        HolderGoes = 2, "10.H",
            "A mounted US unit that Opportunity Fire dismounts takes its Holder along in a Retreat Before Melee.";
        FiredNoAttack = 2, "10.B",
            "Who has used Opportunity Fire in a Melee Phase does not attack in it.";
        PushedBack = 2, "7.A",
            "A unit that was pushed back in its move may go on with the MPs that it has left.";
        ChargeEnds = 2, "16.A",
            "A charge ends where its unit is dismounted.";
        AllRoll = 2, "9.F, 9.G",
            "All units that were named for a reaction fire, if an earlier one has driven the target away too.";
        AdvanceSupplied = 2, "4.E, 14.C",
            "A unit that has re-supplied uses Advance Fire, and its ammunition comes once, at the end of movement.";
        SevereStack = 2, "12.D",
            "A severely wounded US Leader halves the MPs of all units in his hex.";
        LeadersChoose = 2, "12.A",
            "A Leader goes with his unit or stays when its Retreat begins, not at each hex of it.";
        HoldersReplace = 2, "8.D",
            "A Holder without horses replaces losses at the end of fire phases too.";
        AdvanceAsOrdered = 2, "10.H",
            "Who is told not to advance does not advance after a pursuit either.";
        RoomForPoints = 2, "6.A, 15.B",
            "Personnel give no points that would bring a hex over the stacking limit.";
        StrongestAttack = 2, "10.I",
            "The hex of most strength counts modified strength.";
        BeforeChoices = 3, "10.H",
            "The owner says which units try to Retreat Before Melee, how far each goes, and who stays after all.";
        PursuitFree = 3, "10.H",
            "Pursuers attack again only where their player wants it, and he names who advances.";
        TieBroken = 3, "10.I",
            "Of attacking hexes of equal strength the attacker names the one that the defenders fall back from.";
        PinnedLeaders = 3, "12.A",
            "A Leader whose unit is Pinned may join another unit of the hex at once.";
        WoundedGoStraight = 3, "12.D",
            "A badly wounded US Leader is not left alone, and by himself goes straight to the Column HQ or a Pack Train.";
        AbleLeads = 3, "12.A, 12.D",
            "Of several Leaders the senior counts who is not badly wounded.";
        RoutOnFoot = 3, "9.D, 10.J",
            "Who is dismounted in his Rout goes on at the rate on foot.";
        NoWayOut = 3, "10.I, 10.J",
            "A Routed unit that cannot make a Retreat stays; one that is surrounded in its Rout is eliminated.";
        ExitIsLoss = 3, "7.J, 15.D, 16.F",
            "Units that leave the map of their own will are casualties, a Pack Train is lost.";
        LastHalfBox = 3, "14.D",
            "Half a box is enough for Opportunity and Retreat Fire at half strength; who has no box does not fire at Hit & Run.";
        StaffSearches = 3, "12.E, 16.E",
            "The staff of the Column HQ may lead the search for the village.";
        RoutedAsked = 3, "4.C, 10.J",
            "The Movement Phase is asked for where only Routed units can go on.";
        FireBehind = 3, "4.E",
            "Fire that is ordered behind a move is Advance Fire, unless the unit attacks as Hit & Run.";
        ProneRises = 4, "3.A, 7.C, 8.C, 16.C",
            "Who is Prone, under Breastworks too, gets up before it moves, attacks or leaves the map.";
        RallyOnce = 4, "13.B",
            "A unit tries to Rally once, however often an order names it.";
        AbleLift = 4, "12.D, 13.B",
            "A badly wounded Leader does not lift the penalty of units that Rally in his hex.";
        PursuitNoCharge = 4, "16.A",
            "A pursuit is no charge: who charged has to attack again, without bonus and without being Disrupted by it.";
        NestHolds = 4, "10.H, 16.D",
            "No pursuit or advance takes Van Vliet or his companies away from the Eagle's Nest.";
        PersonnelJoin = 4, "15.B",
            "Personnel whose train is lost may move to a unit and give it their points in the same phase.";
        PersonnelReturn = 4, "15.B",
            "No order takes Personnel farther from their abandoned train, as long as a free way leads there.";
        TrainQuiet = 4, "14.C",
            "A Pack Train that gives ammunition spends its MPs so, and uses no Offensive Fire.";
        ScatterAll = 4, "7.K, 16.D",
            "Who Scatters gets up first; Scatter answers Routs and moves that the rules demand too.";
        PassesThrough = 4, "10.I",
            "Who goes on through a hex without room for it has a unit Disrupted there.";
        RunFails = 4, "16.G",
            "Any failed check Routs who attacks as Hit & Run, also one that is Disrupted; one Leader goes with it.";
        LeadersEitherWay = 4, "8, 12.B",
            "A Leader moves at the rate, mounted or on foot, that is cheaper for a hex.";
        HqRides = 4, "5, 12.E",
            "The Column HQ is mounted for a Retreat Before Melee and a pursuit.";
        DutyWays = 4, "12.D, 12.E, 15.B",
            "A free way begins outside enemy ZOCs; only units need one, wounded Leaders do not.";
        AbandonedTrain = 4, "15.B, 15.C",
            "An abandoned Pack Train has no ZOC, is not fired at, and does not Rout once more.";
        RoutedCalm = 4, "10.F",
            "A Routed unit does not enter an enemy ZOC with the second hex of a Retreat Before Melee either.";
        OwnerAttaches = 4, "12.A",
            "The owner says to which unit a Leader is attached who comes into a hex, and in the set-up.";
        HoldersLeaders = 4, "12.A, 16.B",
            "A Leader whose Holder is mounted, lost or used up joins another unit of the hex at once.";
        DutyKills = 4, "12.D, 12.E, 16.D",
            "Units that the rules move kill enemy Leaders who are alone where they come.";
        SearchFirst = 4, "16.E",
            "The search for the village comes before Leaders move and before Breastworks are begun.";
        WaySeen = 5, "10.I, 10.J",
            "By doctrine a unit falls back where there is room for it, nobody is Disrupted by it and no enemy ZOC reaches, on its side of the enemy.";
        WholeRetreat = 5, "10.I",
            "A Retreat takes a way that has all its hexes, where one does.";
        DiesWithUnit = 5, "12.D",
            "A Leader is killed with his unit too where it cannot fall back from a melee.";
        RoomAtEnd = 5, "6",
            "Of the groups that one order moves one may go where another one leaves: room is looked at when all have moved.";
        BestInTurn = 5, "4.B, 4.D, 4.E",
            "Of `fire all at best` each shot is chosen when its turn comes.";
        HexJustWon = 6, "10.H",
            "Who has pursued advances into the hex of the melee after it, and does not go back into the first one.";
        RollsSettled = 6, "10.J, 13.B",
            "Who has to Rally is settled when the Rally Phase begins: a unit that Routs in it of its own will does not roll.";
        OwnPin = 6, "12.A, 13.B",
            "Pinned is a state of the Leader himself, from which he recovers at the end of his side's Rally Phase.";
        ChargeLapses = 6, "16.A",
            "A charge is over where its target is gone or out of reach: the unit goes elsewhere and may attack another hex.";
        ChargerRecovers = 6, "7.E, 16.A",
            "A unit that charges may recover from Disruption at any point of its move, also at the end.";
        ChargeBinds = 6, "10.B, 16.A",
            "Who stands beside the target of his charge fires at no other hex, and nobody of his hex attacks another one.";
        LostUnasked = 6, "12.D, 16.B",
            "Leaders and Pony Holders without a combat unit are lost when their hex is attacked, before anybody can Retreat.";
        HoldersOnWay = 6, "6.A, 6.E, 8.D",
            "A Holder that is put down on the way counts in that hex.";
        SlowedAtStart = 6, "7.C, 12.D",
            "A severely wounded Leader halves the MPs of units that begin their move in his hex, not of those that pass it.";
        PursuitClosed = 6, "10.H, 16.F",
            "After so many casualties Indian pursuers attack again only where a Leader is with them.";
        NestBeforeMelee = 6, "10.H, 16.D",
            "No Retreat Before Melee takes Van Vliet or his companies away from the Eagle's Nest, unless they are Routed.";
        StaysOnMap = 6, "7.J, 10.H",
            "Nobody leaves the map by a Retreat Before Melee but Routed units.";
        PoniesLeft = 6, "6.E, 10.H",
            "Nobody advances or pursues who would leave more Pony Holders in his hex than may stand there.";
        AmmoSource = 6, "14.C",
            "The US player says whether ammunition comes from a Pack Train or for an Ammo Point.";
        TrainPoints = 6, "15.C, 15.D",
            "The Casualty Points that eliminate a Pack Train cost it ammunition too.";
        AfterRetreatFire = 6, "9.G, 10.J",
            "A unit may Rout of its own will after Retreat Fire too.";
        QuietRoom = 6, "9.G, 10.H, 10.I",
            "Who goes on for want of room in a Retreat Before Melee draws no Retreat Fire.";
        LeavesAgain = 6, "5, 9.F, 10.H",
            "A Retreat Before Melee draws Opportunity Fire each time it leaves an enemy ZOC.";
        GivenAway = 6, "12.A, 15.B",
            "A Leader whose Personnel give their last point joins another unit of the hex at once.";
        RoutedWaits = 7, "9.F, 10.J, 13.B",
            "Who is Routed already does not Rout of its own will in the Rally Phase: it goes on in the Movement Phase.";
        RoutGoesOn = 7, "10.J",
            "Whose Rout has ended before its four or eight hexes were gone may go on by an order, as far as these.";
        ScoutsHome = 7, "10.J",
            "A Scout who Routs of his own will is home at a Rally Location.";
        EntryRoom = 7, "6.E, 18.1",
            "No more Pony Holders than may stand there are left in the hex of an entry.";
        UpForDuty = 7, "12.E, 16.D",
            "Who is Prone and has to go somewhere by the rules gets up; Van Vliet goes back to the Eagle's Nest as his companies do.";
        ScatterUnpins = 7, "7.K, 10.J",
            "Who is Pinned as it Scatters is Routed and no longer Pinned.";
        HoldersJoined = 7, "10.J, 12.A",
            "A Leader whose unit is Pinned or leaves may join a Holder of the hex, where its player is asked.";
        GivesToMany = 7, "14.G",
            "A unit that cross-levels may give to several, as a Pack Train does.";
        HqGoesThere = 7, "12.E",
            "Without Crook no order takes the Column HQ anywhere but nearer to the closest US unit, Leader or Pack Train.";
        StaffActive = 7, "12.E",
            "The staff of the Column HQ is never Pinned: its ratings count until it is killed.";
        EntersUpright = 7, "18.1",
            "Nobody enters the map Prone.";
    }
}
