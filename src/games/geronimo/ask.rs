//! The kinds of questions in the game.

postrider_table::kinds! {
    /// A kind of question. Its name is used in journals and standing orders.
    pub enum Ask {
        ahead {
            SetUp = "set-up",
            Deployment = "deployment",
            InitialTribe = "initial-tribe",
            Settlement = "settlement",
            Railroad = "railroad",
            ShamanCard = "shaman-card",
            ColumnPlay = "column-play",
            VillageAction = "village-action",
            Reaction = "reaction",
            Evasion = "evasion",
            Pursuit = "pursuit",
            Ambush = "ambush",
            PostAction = "post-action",
            ColumnLoss = "column-loss",
            Attrition = "attrition",
            Group = "group",
            Prison = "prison",
            RandomEvent = "random-event",
            HorseKillers = "horse-killers",
            Hostages = "hostages",
            JoinAlliance = "join-alliance",
            Share = "share",
        }
        later {
            AgencyCorruption = "agency-corruption",
            AllianceLoss = "alliance-loss",
            BadBlood = "bad-blood",
            BadWeather = "bad-weather",
            BloodLust = "blood-lust",
            BuffaloCampaign = "buffalo-campaign",
            BuffaloHunters = "buffalo-hunters",
            CompelledAttack = "compelled-attack",
            Dissolve = "dissolve",
            DissolveBps = "dissolve-bps",
            DissolveInto = "dissolve-into",
            DrivenOut = "driven-out",
            Event = "event",
            Gatling = "gatling",
            GhostTown = "ghost-town",
            GhostTowns = "ghost-towns",
            GoodWeather = "good-weather",
            Gunrunners = "gunrunners",
            LinesCut = "lines-cut",
            Mission = "mission",
            MissionFrom = "mission-from",
            MormonColumn = "mormon-column",
            PeaceChief = "peace-chief",
            PeaceVillage = "peace-village",
            PursuitLoss = "pursuit-loss",
            Rampage = "rampage",
            ReservationUnrest = "reservation-unrest",
            RrSkimming = "rr-skimming",
            SandCreek = "sand-creek",
            Scouts = "scouts",
            ShamanMedicine = "shaman-medicine",
            Siege = "siege",
            Smallpox = "smallpox",
            StormLoss = "storm-loss",
            Stronghold = "stronghold",
            TetonChiefs = "teton-chiefs",
            TexasRangers = "texas-rangers",
            TribalUnrest = "tribal-unrest",
            WinterStorm = "winter-storm",
        }
        binding {
            /// Treaties at any time (8.11). The player of a Village may be hidden, and only that
            /// player is asked.
            Desk = "desk",
        }
        repeats {
            AllianceLoss, BloodLust, ColumnLoss, ColumnPlay, Deployment, Desk, Dissolve, PeaceChief, ReservationUnrest, SetUp,
            Share, StormLoss,
        }
    }
}
