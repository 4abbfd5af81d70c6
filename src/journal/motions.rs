//! Motions: what a seat or a director proposes, who agrees, and how a game ends by agreement.

use crate::{
    body::{Ballot, Body, ClockEvent, Closed, Consent, Motion, Opened, Rewound, RolledOut, Via, Vote, What},
    bots::{BotFault, Bots},
    directors::{ALL_PLAYERS, DirectorFault, Directors},
    spelling::unix,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Time for which a motion can be voted on, in seconds: 7 days.
const MOTION_LASTS: i64 = 7 * 24 * 60 * 60;

/// The motions of a journal: those that are open, those that were carried, and who has conceded.
///
/// A seat's motion is carried when every voter has agreed, or, if the game says so and the motion
/// does not end it, the majority of those who can vote, the proposer among them. Voters are the
/// other seats that are played by a person and have not conceded. A concession, a forfeit and a
/// director's motion need no votes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Motions {
    seats: Vec<String>,
    consent: Option<Consent>,
    started: bool,
    directors: Directors,
    bots: Bots,
    open: Vec<OpenMotion>,
    /// By the number of the entry.
    carried: BTreeMap<u64, CarriedMotion>,
    /// Motions that ended without effect, and how, oldest first.
    failed: Vec<(u64, Failed)>,
    /// The concessions and forfeits that count, oldest first.
    gone: Vec<Gone>,
    /// The `n` of each rewind that annulled a concession or forfeit, the `n` of that entry, and its
    /// seat.
    annulled: Vec<(u64, u64, String)>,
    /// The seats whose deadline has passed since they last answered.
    flagged: BTreeSet<String>,
    /// The `n` of the last decision of each seat.
    decided: BTreeMap<String, u64>,
    /// The `n` of the last ruling.
    ruled: Option<u64>,
    /// The `n` of the entry that ended the game and that of its motion; no motion if the rules
    /// ended the game.
    closed: Option<(u64, Option<u64>)>,
    /// The `n` of the motion that the last entry carried, if the next one must be the end of the
    /// game or the rewind that it brings.
    brings: Option<u64>,
}

/// A seat that has given the game up.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gone {
    /// The `n` of its concession or forfeit.
    n: u64,
    seat: String,
    /// The time of a forfeit, in seconds since 1970; `None` if it conceded.
    forfeit: Option<i64>,
}

impl Gone {
    /// Returns `true` if the seats share a place: both missed their deadlines, and neither entry
    /// is earlier than the other.
    fn ties(&self, other: &Gone) -> bool {
        self.forfeit.is_some() && self.forfeit == other.forfeit
    }
}

/// A motion on which votes are awaited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenMotion {
    /// The number of its entry.
    pub n: u64,
    /// The seat that proposes.
    pub by: String,
    /// The proposal.
    pub what: What,
    /// The reason; "" if none is given.
    pub reason: String,
    /// The time from which it can no longer be voted on, in seconds since 1970.
    pub until: i64,
    /// The seats that have not voted yet, in the order of `opened.seats`.
    pub awaits: Vec<String>,
    /// The number of them that must agree.
    pub needs: usize,
}

impl OpenMotion {
    /// Returns `true` if the vote of a seat is awaited.
    pub fn awaits(&self, seat: &str) -> bool {
        self.awaits.iter().any(|one| one == seat)
    }
}

/// A motion that takes effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedMotion {
    /// The seat or the director that proposed it.
    pub by: String,
    /// Its effect.
    pub what: What,
    /// The reason; "" if none is given.
    pub reason: String,
    /// The rollouts on which a director's result rests.
    pub rollouts: Option<RolledOut>,
    /// The `n` of the entry that carried it: the last vote, or its own.
    pub at: u64,
}

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By its rules.
    Rules,
    /// The last player but one conceded.
    Conceded,
    /// The last player but one had not answered in time.
    Forfeit,
    /// All players agreed on the result.
    Agreed,
    /// A director gave the result.
    Adjudicated,
    /// A director ended the game without a result.
    Abandoned,
}

/// The end of a game and its basis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The way in which it ended.
    pub by: Ending,
    /// The `n` of the motion that ended it; `None` if the rules did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The rollouts on which a director's result rests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollouts: Option<RolledOut>,
}

/// A motion that ended without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The seat that proposed it.
    pub by: String,
    /// The proposal.
    pub what: What,
    /// The `n` of the vote that ended it; a concession, a director's rewind or the end of the game
    /// where there is none.
    pub at: u64,
    /// The seat that voted against it; `None` if it was withdrawn or lapsed.
    pub against: Option<String>,
}

/// The reason an entry about motions contradicts those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum MotionFault {
    #[error("{0} comes before started")]
    BeforeStart(&'static str),
    #[error("{0} comes after the game has ended in entry {1}")]
    AfterEnd(&'static str, u64),
    #[error("only a seat can propose this, and {0:?} is not a seat")]
    NoSeat(String),
    #[error(transparent)]
    Director(#[from] DirectorFault),
    #[error(transparent)]
    Bot(#[from] BotFault),
    #[error("only a director can give the game these places")]
    NotAgreed,
    #[error("seat {0} has conceded")]
    Conceded(String),
    #[error("seat {seat} has proposed entry {n}, which is still open")]
    Second { seat: String, n: u64 },
    #[error("nobody is left to vote on it")]
    NoVoters,
    #[error("seat {0} forfeits the game without a missed deadline")]
    NotFlagged(String),
    #[error("only the loss of the game follows from a deadline")]
    ByDeadline,
    #[error("the motion of entry {0} was carried just before, and this is not its effect")]
    Ignored(u64),
    #[error("the places name {0:?}, which is not a seat")]
    Place(String),
    #[error("seat {0} has no place")]
    Unplaced(String),
    #[error("every seat needs a place, 1 more than the number of seats above it, and seats that conceded come last")]
    Places,
    #[error("it rests on rollouts that no director's result can rest on")]
    Rollouts,
    #[error("it would go back to entry {0}, which is not an earlier one")]
    Back(u64),
    #[error("a seat takes back its own orders alone, and entry {0} is no order of it")]
    OfOthers(u64),
    #[error("entry {0} is not an open motion")]
    NotOpen(u64),
    #[error("the time to vote on entry {0} is over")]
    Late(u64),
    #[error("seat {seat} has no vote on entry {n}")]
    NoVote { seat: String, n: u64 },
    #[error("entry {0} is not a carried motion to do this")]
    NotCarried(u64),
    #[error("seat {seat} ends in place {wrong}")]
    Rank { seat: String, wrong: String },
}

impl Motions {
    /// Creates the state before the first entry after `opened`.
    #[must_use]
    pub fn of(opened: &Opened<'_>) -> Motions {
        Motions {
            seats: opened.seats.iter().map(ToString::to_string).collect(),
            directors: Directors::of(opened),
            consent: opened.consent,
            ..Motions::default()
        }
    }

    /// Records an entry of the journal and checks it against those before it. `at` is the time that
    /// the entry gives.
    ///
    /// # Errors
    /// [`MotionFault`] when the entry cannot follow; the state is then as it was.
    pub fn hear(&mut self, n: u64, at: &str, body: &Body<'_>) -> Result<(), MotionFault> {
        self.is_brought(body)?;
        match body {
            Body::Opened(opened) => *self = Motions::of(opened),
            Body::Joined(joined) => {
                self.directors.seated(&joined.seat, joined.director.as_deref())?;
                self.bots.seated(&joined.seat, joined.via == Via::Bot);
            }
            Body::Started(_) => self.started = true,
            Body::Reseated(reseated) => {
                self.directors.seated(&reseated.seat, reseated.director.as_deref())?;
                self.bots.seated(&reseated.seat, reseated.via == Some(Via::Bot));
            }
            Body::StandIn(one) => {
                self.directors.stands_in(one)?;
                self.bots.stands_in(one)?;
            }
            Body::Decision(decision) => {
                self.goes_on("a decision")?;
                match decision.via {
                    Via::Deadline => {}
                    Via::Bot if self.has_conceded(&decision.seat) => {}
                    Via::Bot => self.bots.play(&decision.seat)?,
                    _ if self.has_conceded(&decision.seat) => {
                        return Err(MotionFault::Conceded(decision.seat.to_string()));
                    }
                    _ => {}
                }
                self.flagged.remove(&*decision.seat);
                self.decided.insert(decision.seat.to_string(), n);
            }
            Body::Clock(clock) if clock.event == ClockEvent::Expired => _ = self.flagged.insert(clock.seat.to_string()),
            Body::Ruling(ruling) => {
                self.goes_on("a ruling")?;
                let carried = ruling.of.and_then(|of| self.carried.get(&of));
                self.directors.ruled(ruling, carried)?;
                self.ruled = Some(n);
            }
            Body::Appeal(appeal) => self.directors.appealed(n, appeal),
            Body::Motion(motion) => {
                self.goes_on("a motion")?;
                self.propose(n, unix(at).unwrap_or(0), motion)?;
            }
            Body::Vote(vote) => {
                self.goes_on("a vote")?;
                self.vote(n, unix(at).unwrap_or(0), vote)?;
            }
            Body::Rewound(rewound) => self.rewind(n, rewound)?,
            Body::Closed(closed) => self.close(n, closed)?,
            _ => {}
        }
        self.brings = self.carried_by(n, body);
        Ok(())
    }

    /// Checks that an entry carries out the motion, if the previous entry carried one. Several
    /// seats may lose on time before the game ends.
    fn is_brought(&self, body: &Body<'_>) -> Result<(), MotionFault> {
        let Some(n) = self.brings else { return Ok(()) };
        let right = match body {
            Body::Closed(closed) => closed.of.is_some(),
            Body::Rewound(rewound) => rewound.of == Some(n),
            Body::Motion(motion) => motion.what == What::Forfeit {},
            _ => false,
        };
        if right { Ok(()) } else { Err(MotionFault::Ignored(n)) }
    }

    /// Returns the `n` of the motion that entry `n` carried, if it ends the game or goes back.
    fn carried_by(&self, n: u64, body: &Body<'_>) -> Option<u64> {
        let of = match body {
            Body::Motion(_) => n,
            Body::Vote(vote) => vote.of,
            _ => return None,
        };
        let carried = self.carried.get(&of).filter(|carried| carried.at == n)?;
        (matches!(carried.what, What::Back { .. }) || self.places(of).is_some()).then_some(of)
    }

    /// Returns the directors of the game, and the appeals to them.
    pub fn directors(&self) -> &Directors {
        &self.directors
    }

    /// Returns the seats that are played by bots.
    pub fn bots(&self) -> &Bots {
        &self.bots
    }

    /// Returns the motions on which votes are awaited at a time, in seconds since 1970, oldest
    /// first.
    pub fn open_at(&self, now: i64) -> impl Iterator<Item = &OpenMotion> {
        self.open.iter().filter(move |open| now < open.until)
    }

    /// Returns the motions that have lapsed by a time, in seconds since 1970, and that nothing has
    /// replaced.
    pub fn lapsed(&self, now: i64) -> impl Iterator<Item = &OpenMotion> {
        self.open.iter().filter(move |open| open.until <= now)
    }

    /// Returns who must agree to a motion that does not end the game, if not everybody.
    pub fn consent(&self) -> Option<Consent> {
        self.consent
    }

    /// Returns `true` if a motion was carried or failed after entry `after`.
    pub fn is_decided_after(&self, after: u64) -> bool {
        self.carried.values().any(|one| one.at > after) || self.failed.iter().any(|(_, one)| one.at > after)
    }

    /// Returns the number of the entry that ended the game, if it is over.
    pub fn closed(&self) -> Option<u64> {
        self.closed.map(|(n, _)| n)
    }

    /// Returns the number of the motion that ended the game, if one did.
    pub fn ended_by(&self) -> Option<u64> {
        self.closed?.1
    }

    /// Returns the way in which the game ended, and the basis for it.
    pub fn ended(&self) -> Option<Ended> {
        let (_, of) = self.closed?;
        let motion = of.and_then(|of| self.carried.get(&of));
        let by = match motion.map(|motion| (&motion.what, self.seats.contains(&motion.by))) {
            None => Ending::Rules,
            Some((What::Concede {}, _)) => Ending::Conceded,
            Some((What::Forfeit {}, _)) => Ending::Forfeit,
            Some((What::Result(places), _)) if places.is_empty() => Ending::Abandoned,
            Some((_, true)) => Ending::Agreed,
            Some((_, false)) => Ending::Adjudicated,
        };
        Some(Ended { by, of, rollouts: motion.and_then(|motion| motion.rollouts.clone()) })
    }

    /// Returns the motion of entry `n`, if it was carried.
    pub fn carried(&self, n: u64) -> Option<&CarriedMotion> {
        self.carried.get(&n)
    }

    /// Returns the motions that were carried, by the numbers of their entries.
    pub fn all_carried(&self) -> impl Iterator<Item = (u64, &CarriedMotion)> {
        self.carried.iter().map(|(&n, motion)| (n, motion))
    }

    /// Returns the motions that ended without effect, by the numbers of their entries.
    pub fn all_failed(&self) -> impl Iterator<Item = (u64, &Failed)> {
        self.failed.iter().map(|(n, failed)| (*n, failed))
    }

    /// Returns `true` if any seat has conceded.
    pub fn has_concessions(&self) -> bool {
        !self.gone.is_empty()
    }

    /// Returns `true` if a seat has conceded.
    pub fn has_conceded(&self, seat: &str) -> bool {
        self.gone.iter().any(|one| one.seat == seat)
    }

    /// Returns the concessions and forfeits after entry `to` that count, oldest first: n and the
    /// seat of each.
    pub fn conceded_after(&self, to: u64) -> impl Iterator<Item = (u64, &str)> {
        self.gone.iter().filter(move |one| one.n > to).map(|one| (one.n, one.seat.as_str()))
    }

    /// Returns the seats that forfeited at the same time as the motion of entry `n`, if that is a
    /// forfeit; otherwise its own.
    pub fn gone_with(&self, n: u64) -> impl Iterator<Item = &str> {
        let one = self.gone.iter().find(|one| one.n == n);
        let with = move |other: &&Gone| one.is_some_and(|one| one.n == other.n || one.ties(other));
        self.gone.iter().filter(with).map(|one| one.seat.as_str())
    }

    /// Returns the concessions and forfeits that the rewind of entry `n` annulled: n and the seat
    /// of each.
    pub fn annulled_by(&self, n: u64) -> impl Iterator<Item = (u64, &str)> {
        self.annulled.iter().filter(move |(at, ..)| *at == n).map(|(_, of, seat)| (*of, seat.as_str()))
    }

    /// Returns the seats that vote on a motion of `by`.
    pub(crate) fn voters(&self, by: &str) -> Vec<String> {
        let votes = |seat: &&String| **seat != by && !self.bots.have(seat) && !self.has_conceded(seat);
        self.seats.iter().filter(votes).cloned().collect()
    }

    /// Returns the place of every seat, from 1, if motion `n` ends the game; none at all if the
    /// game is abandoned. A concession ends it once no two seats are left that have not conceded,
    /// or no person is.
    pub fn places(&self, n: u64) -> Option<BTreeMap<String, u64>> {
        match &self.carried.get(&n)?.what {
            What::Result(places) => Some(places.clone()),
            // Nobody else can win.
            What::Concede {} | What::Forfeit {} if self.seats.len() == 1 => Some(BTreeMap::new()),
            What::Concede {} | What::Forfeit {} => {
                let left = self.seats.iter().filter(|seat| !self.has_conceded(seat));
                let people = left.clone().filter(|seat| !self.bots.have(seat)).count();
                (left.count() < 2 || people == 0).then(|| self.ranked(&|_| 1))
            }
            What::Back { .. } | What::Extend { .. } | What::Pause { .. } => None,
        }
    }

    /// Returns the places of all seats: those of the seats that have not conceded as given, and
    /// then the others, the last to concede first. Seats that forfeit at the same time share a
    /// place.
    pub fn ranked(&self, place: &dyn Fn(&str) -> u64) -> BTreeMap<String, u64> {
        let stays = self.seats.iter().filter(|seat| !self.has_conceded(seat)).map(|seat| (seat.clone(), place(seat)));
        let mut places: BTreeMap<String, u64> = stays.collect();
        for tied in self.gone.chunk_by(Gone::ties).rev() {
            let place = places.len() as u64 + 1;
            places.extend(tied.iter().map(|one| (one.seat.clone(), place)));
        }
        places
    }

    /// Returns `true` if every seat has a place, ties included, and those that conceded have the
    /// last.
    fn are_places(&self, places: &BTreeMap<String, u64>) -> bool {
        let before = |place: u64| places.values().filter(|&&other| other < place).count() as u64;
        let stay: Vec<u64> =
            { places.iter() }.filter(|(seat, _)| !self.has_conceded(seat)).map(|(_, place)| *place).collect();
        places.len() == self.seats.len() && places.values().all(|&place| place == 1 + before(place)) && {
            places.iter()
        }
        .all(|(seat, place)| !self.has_conceded(seat) || stay.iter().all(|other| other < place))
    }

    fn goes_on(&self, what: &'static str) -> Result<(), MotionFault> {
        self.closed().map_or(Ok(()), |n| Err(MotionFault::AfterEnd(what, n)))
    }

    /// Checks that a motion is one that its proposer can make in entry `n`.
    fn may(&self, n: u64, motion: &Motion<'_>) -> Result<(), MotionFault> {
        let by = motion.by.to_string();
        let seat = self.seats.contains(&by);
        let abandons = !seat && motion.what == What::Result(BTreeMap::new());
        if !self.started && !abandons {
            return Err(MotionFault::BeforeStart("a motion"));
        }
        if self.has_conceded(&by) {
            return Err(MotionFault::Conceded(by));
        }
        if !seat {
            self.directors.moved(motion)?;
        }
        let is_seat = |name: &String| self.seats.contains(name);
        match &motion.what {
            What::Result(places) => {
                if let Some(name) = places.keys().find(|name| !is_seat(name)) {
                    return Err(MotionFault::Place(name.clone()));
                }
                let unplaced = self.seats.iter().find(|name| !places.contains_key(*name));
                if let Some(name) = unplaced.filter(|_| !places.is_empty()) {
                    return Err(MotionFault::Unplaced(name.clone()));
                }
                if !places.is_empty() && !self.are_places(places) {
                    return Err(MotionFault::Places);
                }
                if seat && places.is_empty() {
                    return Err(MotionFault::NotAgreed);
                }
            }
            _ if !seat => return Err(MotionFault::NoSeat(by)),
            what if motion.via == Via::Deadline && *what != (What::Forfeit {}) => return Err(MotionFault::ByDeadline),
            What::Forfeit {} if motion.via != Via::Deadline || !self.flagged.contains(&by) => {
                return Err(MotionFault::NotFlagged(by));
            }
            What::Back { to, .. } if *to >= n => return Err(MotionFault::Back(*to)),
            _ => {}
        }
        match &motion.rollouts {
            Some(of) if seat || abandons || of.entry >= n || !of.wins.keys().all(is_seat) => Err(MotionFault::Rollouts),
            _ => Ok(()),
        }
    }

    fn propose(&mut self, n: u64, at: i64, motion: &Motion<'_>) -> Result<(), MotionFault> {
        self.may(n, motion)?;
        let by = motion.by.to_string();
        let seat = self.seats.contains(&by);
        if matches!(motion.what, What::Concede {} | What::Forfeit {}) {
            let forfeit = Some(at).filter(|_| motion.what == What::Forfeit {});
            self.gone.push(Gone { n, seat: by.clone(), forfeit });
            // Places agreed on before do not have the seat last, and other votes were cast among
            // other voters.
            self.drop_open(n, &|_| true);
        } else if seat {
            if let Some(open) = self.open.iter().find(|open| open.by == by && open.until > at) {
                return Err(MotionFault::Second { seat: by, n: open.n });
            }
            let awaits = self.voters(&by);
            if awaits.is_empty() {
                return Err(MotionFault::NoVoters);
            }
            self.drop_open(n, &|open| open.by == by);
            let (what, reason) = (motion.what.clone(), motion.reason.to_string());
            let needs = match (self.consent, &what) {
                (Some(Consent::Majority), What::Back { .. } | What::Extend { .. } | What::Pause { .. }) => {
                    awaits.len().div_ceil(2)
                }
                _ => awaits.len(),
            };
            // A pause that is over by then would stop nothing.
            let end = if let What::Pause { until } = &what { unix(until) } else { None };
            let until = end.unwrap_or(i64::MAX).min(at + MOTION_LASTS);
            self.open.push(OpenMotion { n, by, what, reason, until, awaits, needs });
            return Ok(());
        }
        let (what, reason, rollouts) = (motion.what.clone(), motion.reason.to_string(), motion.rollouts.clone());
        self.carried.insert(n, CarriedMotion { by, what, reason, rollouts, at: n });
        Ok(())
    }

    fn vote(&mut self, n: u64, at: i64, vote: &Vote<'_>) -> Result<(), MotionFault> {
        let open = self.open.iter_mut().find(|open| open.n == vote.of).ok_or(MotionFault::NotOpen(vote.of))?;
        if at >= open.until {
            return Err(MotionFault::Late(vote.of));
        }
        if vote.via == Via::Deadline {
            return Err(MotionFault::ByDeadline);
        }
        let withdraws = vote.vote == Ballot::Withdraw;
        let may = if withdraws { vote.seat == open.by.as_str() } else { open.awaits(&vote.seat) };
        if !may {
            return Err(MotionFault::NoVote { seat: vote.seat.to_string(), n: vote.of });
        }
        open.awaits.retain(|seat| vote.seat != **seat);
        match vote.vote {
            Ballot::Agree => open.needs -= 1,
            Ballot::Disagree if open.needs <= open.awaits.len() => return Ok(()),
            Ballot::Disagree | Ballot::Withdraw => {
                let against = Some(vote.seat.to_string()).filter(|_| !withdraws);
                let of = vote.of;
                self.drop_open(n, &|open| open.n == of);
                if let Some((_, failed)) = self.failed.last_mut() {
                    failed.against = against;
                }
                return Ok(());
            }
        }
        if open.needs == 0 {
            let (by, what, reason) = (open.by.clone(), open.what.clone(), open.reason.clone());
            self.open.retain(|open| open.n != vote.of);
            self.carried.insert(vote.of, CarriedMotion { by, what, reason, rollouts: None, at: n });
        }
        Ok(())
    }

    /// Open motions that come to nothing in entry `at`.
    fn drop_open(&mut self, at: u64, goes: &dyn Fn(&OpenMotion) -> bool) {
        let gone = self.open.extract_if(.., |open| goes(open));
        self.failed.extend(gone.map(|open| (open.n, Failed { by: open.by, what: open.what, at, against: None })));
    }

    fn rewind(&mut self, n: u64, rewound: &Rewound<'_>) -> Result<(), MotionFault> {
        if let Some(of) = rewound.of {
            let back = What::Back { to: rewound.to, within: rewound.within };
            let agreed = self.carried.get(&of).is_some_and(|motion| motion.what == back);
            if !agreed {
                return Err(MotionFault::NotCarried(of));
            }
        }
        let seat = self.seats.iter().any(|seat| rewound.by == seat.as_str());
        if seat {
            let by = rewound.by.to_string();
            if self.has_conceded(&by) {
                return Err(MotionFault::Conceded(by));
            }
            let others = self.decided.iter().filter(|(other, _)| **other != by).map(|(_, n)| *n);
            if let Some(n) = others.chain(self.ruled).find(|n| *n > rewound.to) {
                return Err(MotionFault::OfOthers(n));
            }
        }
        match seat || rewound.of.is_some() {
            true => {
                let right = if seat { &*rewound.by } else { ALL_PLAYERS };
                self.directors.of_no_director(&rewound.by, right, (rewound.via, rewound.words))?;
            }
            false => self.directors.rewound(n, rewound)?,
        }
        // A rewind by a seat does not affect motions, and an agreement of the others does not bring
        // back a seat that has conceded.
        if !seat {
            self.drop_open(n, &|open| open.n > rewound.to);
        }
        if !seat && rewound.of.is_none() {
            let annulled = self.gone.extract_if(.., |one| one.n > rewound.to);
            self.annulled.extend(annulled.map(|one| (n, one.n, one.seat)));
        }
        self.closed = self.closed.filter(|(at, _)| *at <= rewound.to);
        Ok(())
    }

    fn close(&mut self, n: u64, closed: &Closed<'_>) -> Result<(), MotionFault> {
        if let Some(of) = closed.of {
            self.goes_on("closed")?;
            let places = self.places(of).ok_or(MotionFault::NotCarried(of))?;
            let outcome: serde_json::Value = closed.outcome.parse().unwrap_or_default();
            let ranking = outcome["ranking"].as_array().map(Vec::as_slice).unwrap_or_default();
            let rank = |seat: &str| {
                let ranks: Vec<_> =
                    ranking.iter().filter(|row| row["seat"] == *seat).map(|row| row["rank"].to_string()).collect();
                if ranks.is_empty() { "none".to_owned() } else { ranks.join(" and ") }
            };
            let wrong = places.iter().find(|(seat, place)| rank(seat) != place.to_string());
            if let Some((seat, _)) = wrong {
                return Err(MotionFault::Rank { seat: seat.clone(), wrong: rank(seat) });
            }
        }
        self.closed = Some((n, closed.of));
        self.drop_open(n, &|_| true);
        Ok(())
    }
}
