//! The kinds of questions of the game.

crate::kinds! {
    /// What is asked. Its names stand in journals and in standing orders.
    pub enum Ask {
        ahead {
            SetUp = "set-up",
            Rally = "rally",
            OffensiveFire = "offensive-fire",
            Movement = "movement",
            DefensiveFire = "defensive-fire",
            AdvanceFire = "advance-fire",
            Melee = "melee",
            OpportunityFire = "opportunity-fire",
            RetreatFire = "retreat-fire",
            HitAndRun = "hit-and-run",
            Scatter = "scatter",
            BeforeMelee = "before-melee",
            Losses = "losses",
            FallBack = "fall-back",
            Rout = "rout",
            Leader = "leader",
            Replace = "replace",
            Village = "village",
        }
    }
}
