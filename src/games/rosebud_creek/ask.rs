//! The kinds of questions in the game.

postrider_table::kinds! {
    /// The kind of a question. Its names appear in journals and standing orders, and must differ
    /// from those of doctrines ([`About`](super::doctrine::About)).
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
            Pursue = "pursuit",
            PursuitAttack = "pursuit-attack",
            Advance = "advance-to",
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
            Losses, FallBack, Pursue, Advance,
        }
    }
}
