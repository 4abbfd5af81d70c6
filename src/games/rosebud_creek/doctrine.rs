//! Doctrines: the decisions of a side in reactions, made in advance.
//!
//! Every reaction has a default that needs no question; `ask` asks the player each time.

use postrider_table::hex::{Grid, Hex};

postrider_table::named! {
    /// The subject of a doctrine.
    pub enum About {
        OpportunityFire = "opportunity-fire", "Opportunity Fire (9.F)";
        RetreatFire = "retreat-fire", "Retreat Fire (9.G)";
        Scatter = "scatter", "Scatter (7.K)";
        BeforeMelee = "before-melee", "Retreat Before Melee (10.H)";
        Losses = "losses", "losses of a melee (10.C)";
        FallBack = "fall-back", "ways of Retreats and Routs (10.I)";
        Rout = "rout", "Voluntary Rout (10.J.1)";
        Leaders = "leaders", "Leaders whose unit goes (12.A)";
        Replace = "replace", "Holders without horses (8.D.2)";
        AfterStop = "after-stop", "moves that were stopped (7.A)";
        RallyPlace = "rally-place", "Rally Locations of US Routs (10.J.2.a)";
    }
}

/// The decision to fire in a reaction (9.F, 9.G).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FireWill {
    No,
    Yes,
    /// Fire at cavalry only.
    Cavalry,
    /// Fire with at least this chance of a Casualty Point, in percent.
    Chance(u8),
    Ask,
}

/// The decision to Scatter (7.K).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScatterWill {
    Never,
    /// Scatter if the US strength within two hexes is at least this.
    Strength(u8),
    Ask,
}

/// The decision to Retreat Before Melee (10.H).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeforeWill {
    Stand,
    /// Retreat at odds of at least `at` to 1; `mounted`: mounted units only; `together`: one die
    /// for the stack; `short`: mounted units go one hex.
    Odds {
        at: u8,
        mounted: bool,
        together: bool,
        short: bool,
    },
    Ask,
}

impl BeforeWill {
    /// Retreats at odds of at least `at` to 1, each unit with its own die and as far as possible.
    pub fn odds(at: u8) -> BeforeWill {
        BeforeWill::Odds { at, mounted: false, together: false, short: false }
    }
}

/// The order in which units take melee losses (10.C).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossWill {
    Largest,
    Smallest,
    Ask,
}

/// The choice of path in Retreats and Routs (10.I, 10.J).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayWill {
    /// To hexes with room, the fewest enemy ZOCs, then the nearest friends.
    Nearest,
    Toward(Hex),
    Ask,
}

/// The decision to Rout voluntarily (10.J.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoutWill {
    Never,
    /// Rout with at most this many points left, and no friendly unit in its hex or adjacent.
    Left(u8),
    Ask,
}

postrider_table::named! {
    /// The kind of Rally Location to which US units Rout (10.J.2.a).
    pub enum RallyWill {
        /// The nearest of any kind.
        Nearest = "nearest", "the nearest of all kinds";
        Hq = "hq", "the Column HQ";
        /// A unit that is not Routed, or a Leader.
        Unit = "unit", "a unit or Leader";
        Woods = "woods", "Woods";
        Rocks = "rocks", "Rocks";
        Train = "train", "a Pack Train";
        Ask = "ask", "asked each time";
    }
}

/// A yes or no decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Will {
    Yes,
    No,
    Ask,
}

/// The doctrines of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doctrine {
    pub opportunity: FireWill,
    pub retreat: FireWill,
    pub scatter: ScatterWill,
    pub before: BeforeWill,
    pub losses: LossWill,
    pub way: WayWill,
    pub rout: RoutWill,
    /// `Yes`: a Leader joins the largest unit in the hex.
    pub leaders: Will,
    pub replace: Will,
    /// `Yes`: a unit forced to dismount during a move continues it.
    pub resume: Will,
    pub place: RallyWill,
}

impl Default for Doctrine {
    fn default() -> Doctrine {
        Doctrine {
            opportunity: FireWill::Chance(3),
            retreat: FireWill::Yes,
            scatter: ScatterWill::Never,
            before: BeforeWill::odds(3),
            losses: LossWill::Largest,
            way: WayWill::Nearest,
            rout: RoutWill::Never,
            leaders: Will::Yes,
            replace: Will::Yes,
            resume: Will::No,
            place: RallyWill::Nearest,
        }
    }
}

fn fire(how: &str) -> Option<FireWill> {
    Some(match how {
        "no" => FireWill::No,
        "yes" => FireWill::Yes,
        "cavalry" => FireWill::Cavalry,
        "ask" => FireWill::Ask,
        _ => FireWill::Chance(how.strip_prefix("chance ")?.parse().ok().filter(|n| (1..=100).contains(n))?),
    })
}

fn fire_word(will: FireWill) -> String {
    match will {
        FireWill::No => "no".to_owned(),
        FireWill::Yes => "yes".to_owned(),
        FireWill::Cavalry => "cavalry".to_owned(),
        FireWill::Ask => "ask".to_owned(),
        FireWill::Chance(n) => format!("chance {n}"),
    }
}

fn will(how: &str) -> Option<Will> {
    match how {
        "yes" => Some(Will::Yes),
        "no" => Some(Will::No),
        "ask" => Some(Will::Ask),
        _ => None,
    }
}

fn will_word(will: Will) -> &'static str {
    match will {
        Will::Yes => "yes",
        Will::No => "no",
        Will::Ask => "ask",
    }
}

impl Doctrine {
    /// Sets a doctrine from words; returns `None` if they are not valid for it.
    pub fn with(mut self, about: About, how: &str, grid: &Grid) -> Option<Doctrine> {
        match about {
            About::OpportunityFire => self.opportunity = fire(how)?,
            About::RetreatFire => self.retreat = fire(how)?,
            About::Scatter => {
                self.scatter = match how {
                    "never" => ScatterWill::Never,
                    "ask" => ScatterWill::Ask,
                    _ => ScatterWill::Strength(how.strip_prefix("strength ")?.parse().ok()?),
                }
            }
            About::BeforeMelee => {
                self.before = match how {
                    "stand" => BeforeWill::Stand,
                    "ask" => BeforeWill::Ask,
                    _ => {
                        let mut words = how.strip_prefix("odds ")?.split(' ');
                        let at = words.next()?.parse().ok().filter(|n| (1..=5).contains(n))?;
                        let (mut mounted, mut together, mut short) = (false, false, false);
                        for word in words {
                            match word {
                                "mounted" => mounted = true,
                                "together" => together = true,
                                "short" => short = true,
                                _ => return None,
                            }
                        }
                        BeforeWill::Odds { at, mounted, together, short }
                    }
                }
            }
            About::Losses => {
                self.losses = match how {
                    "largest" => LossWill::Largest,
                    "smallest" => LossWill::Smallest,
                    "ask" => LossWill::Ask,
                    _ => return None,
                }
            }
            About::FallBack => {
                self.way = match how {
                    "nearest" => WayWill::Nearest,
                    "ask" => WayWill::Ask,
                    id => WayWill::Toward(grid.hex(id)?),
                }
            }
            About::Rout => {
                self.rout = match how {
                    "never" => RoutWill::Never,
                    "ask" => RoutWill::Ask,
                    _ => RoutWill::Left(how.strip_prefix("left ")?.parse().ok()?),
                }
            }
            About::Leaders => self.leaders = will(how)?,
            About::Replace => self.replace = will(how)?,
            About::AfterStop => self.resume = will(how).filter(|&will| will != Will::Ask)?,
            About::RallyPlace => self.place = RallyWill::of_word(how)?,
        }
        Some(self)
    }
    /// Returns the words of a doctrine, as read by [`with`](Doctrine::with).
    pub fn said(&self, about: About, grid: &Grid) -> String {
        match about {
            About::OpportunityFire => fire_word(self.opportunity),
            About::RetreatFire => fire_word(self.retreat),
            About::Scatter => match self.scatter {
                ScatterWill::Never => "never".to_owned(),
                ScatterWill::Strength(n) => format!("strength {n}"),
                ScatterWill::Ask => "ask".to_owned(),
            },
            About::BeforeMelee => match self.before {
                BeforeWill::Stand => "stand".to_owned(),
                BeforeWill::Ask => "ask".to_owned(),
                BeforeWill::Odds { at, mounted, together, short } => {
                    let words = [(mounted, " mounted"), (together, " together"), (short, " short")];
                    let said: String = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
                    format!("odds {at}{said}")
                }
            },
            About::Losses => match self.losses {
                LossWill::Largest => "largest".to_owned(),
                LossWill::Smallest => "smallest".to_owned(),
                LossWill::Ask => "ask".to_owned(),
            },
            About::FallBack => match self.way {
                WayWill::Nearest => "nearest".to_owned(),
                WayWill::Toward(hex) => grid.id(hex),
                WayWill::Ask => "ask".to_owned(),
            },
            About::Rout => match self.rout {
                RoutWill::Never => "never".to_owned(),
                RoutWill::Left(n) => format!("left {n}"),
                RoutWill::Ask => "ask".to_owned(),
            },
            About::Leaders => will_word(self.leaders).to_owned(),
            About::Replace => will_word(self.replace).to_owned(),
            About::AfterStop => will_word(self.resume).to_owned(),
            About::RallyPlace => self.place.word().to_owned(),
        }
    }
}

/// Returns example words for a doctrine, for lists.
pub fn ways(about: About) -> &'static [&'static str] {
    match about {
        About::OpportunityFire | About::RetreatFire => &["yes", "no", "cavalry", "chance 3", "ask"],
        About::Scatter => &["never", "strength 8", "ask"],
        About::BeforeMelee => &["stand", "odds 3", "odds 3 mounted", "odds 2 together", "odds 3 short", "ask"],
        About::Losses => &["largest", "smallest", "ask"],
        About::FallBack => &["nearest", "ask"],
        About::Rout => &["never", "left 1", "ask"],
        About::Leaders | About::Replace => &["yes", "no", "ask"],
        About::AfterStop => &["yes", "no"],
        About::RallyPlace => &["nearest", "hq", "unit", "woods", "rocks", "train", "ask"],
    }
}
