//! The kinds of questions in the game.

postrider_table::kinds! {
    /// The kind of a question. Its names appear in journals and standing orders.
    pub enum Ask {
        ahead {
            Action = "action",
            Assault = "assault",
            BattleFire = "battle-fire",
            BattleHex = "battle-hex",
            BattleLeader = "battle-leader",
            BattleLoss = "battle-loss",
            BattleMelee = "battle-melee",
            BattleMove = "battle-move",
            BattlePrimary = "battle-primary",
            BattleRally = "battle-rally",
            BattleRelocate = "battle-relocate",
            BattleRetreat = "battle-retreat",
            BattleSetUp = "battle-set-up",
            BattleStack = "battle-stack",
            BritishEntry = "british-entry",
            Combat = "combat",
            CombatKind = "combat-kind",
            Event = "event",
            Gather = "gather",
            Group = "group",
            Home = "home",
            Loss = "loss",
            MilitiaLeader = "militia-leader",
            Muster = "muster",
            NextNation = "next-nation",
            Pairing = "pairing",
            PairOrder = "pair-order",
            Pledge = "pledge",
            Primary = "primary",
            RaidOrder = "raid-order",
            Rating = "rating",
            Reaction = "reaction",
            Removal = "removal",
            Retreat = "retreat",
            SetUp = "set-up",
            Settlers = "settlers",
            Shelter = "shelter",
            Supply = "supply",
            Treaties = "treaties",
        }
        repeats {
            Action, BattleFire, BattleLoss, BattleMelee, BattleMove, BattleRelocate, BattleSetUp, BattleStack, Combat,
            Gather, Home, Loss, MilitiaLeader, Muster, PairOrder, Pairing, RaidOrder, Reaction, Removal, SetUp, Settlers, Supply,
        }
    }
}
