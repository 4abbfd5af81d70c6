//! The kinds of questions of the game.

crate::kinds! {
    /// What is asked. Its names stand in journals and in standing orders; none is what a doctrine is about
    /// ([`About`](super::doctrine::About)), so that `standing scatter: ask` can mean one thing only.
    pub enum Ask {
        ahead {
            SetUp = "set-up",
            Rally = "rally",
            OffensiveFire = "offensive-fire",
            Movement = "movement",
            DefensiveFire = "defensive-fire",
            AdvanceFire = "advance-fire",
            Melee = "melee",
            OpportunityFire = "opportunity-shots",
            RetreatFire = "retreat-shots",
            HitAndRun = "hit-and-run",
            Scatter = "scattering",
            BeforeMelee = "stand-or-go",
            HowFar = "how-far",
            Pursuit = "pursuit-attack",
            Losses = "loss",
            Ammunition = "ammunition",
            FallBack = "retreat-way",
            Rout = "rout-or-stay",
            Leader = "leader",
            RallyPlace = "rally-location",
            Replace = "replacement",
            Village = "village",
        }
        repeats {
            SetUp, Rally, OffensiveFire, Movement, DefensiveFire, AdvanceFire, Melee, OpportunityFire, RetreatFire, HitAndRun,
            Losses, Ammunition, Scatter, FallBack, Leader, Replace,
        }
    }
}
