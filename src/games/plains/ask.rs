//! The kinds of questions in the game.

postrider_table::kinds! {
    /// A kind of question. Its name is used in journals and standing orders.
    pub enum Ask {
        ahead {
            Ambush = "ambush",
            BlackKettle = "black-kettle",
            BuffaloHunters = "buffalo-hunters",
            Card = "card",
            CrazyHorse = "crazy-horse",
            Custer = "custer",
            Engagement = "engagement",
            EventRegion = "event-region",
            Geronimo = "geronimo",
            Loss = "loss",
            MedicineLine = "medicine-line",
            Movement = "movement",
            OverLimit = "over-limit",
            Placement = "placement",
            PonyExpress = "pony-express",
            Recover = "recover",
            Retreat = "retreat",
            StaysOut = "stays-out",
            ToSacramento = "to-sacramento",
            Trail = "trail",
            Treaty = "treaty",
            Wagons = "wagons",
            WagonsNorth = "wagons-north",
            WinterCampaign = "winter-campaign",
            Withdraw = "withdraw",
        }
        repeats { Card, Engagement, EventRegion, Loss, Movement, OverLimit, Placement, Recover, Withdraw }
    }
}
