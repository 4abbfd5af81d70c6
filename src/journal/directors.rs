//! The directors named by a game, their exclusive powers, and the appeals to them.

use crate::{
    body::{Appeal, Motion, Opened, Rewound, Ruling, StandIn, Via, What},
    motions::CarriedMotion,
};
use postrider_dice::Hash;
use std::collections::{BTreeMap, BTreeSet};

/// Author of the service's own entries, such as a stand-in or the recovery from a copy of a
/// journal.
pub const SERVICE: &str = "host";

/// Author of the entries on which all players have agreed.
pub const ALL_PLAYERS: &str = "all players";

/// The directors of a game, the seats that they play, and the appeals.
///
/// In a game that names directors, nobody else gives a ruling, rewinds the game or ends it, except
/// by a motion of the players; and a director who plays a seat may not. In a game that names none,
/// the host decides ([`SERVICE`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directors {
    names: Vec<String>,
    /// The directors who play a seat, by that seat.
    playing: BTreeMap<String, String>,
    /// The `n` of each appeal and its seat.
    appeals: BTreeMap<u64, String>,
    /// The appeals that a ruling names.
    answered: BTreeSet<u64>,
}

/// The reason an entry is not a director's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum DirectorFault {
    #[error("{0:?} is not one of the game's directors")]
    None(String),
    #[error("{by} plays seat {seat}, and players cannot direct their own game")]
    Plays { by: String, seat: String },
    #[error("a director's entry needs either words or via: cli, and no other entry has them")]
    Words,
    #[error("entry {0} is neither an appeal nor an agreement on more time")]
    NotNamed(u64),
    #[error("an agreement on more time may only move a deadline")]
    NotADeadline,
}

impl Directors {
    /// Creates the state after `opened`.
    #[must_use]
    pub fn of(opened: &Opened<'_>) -> Directors {
        Directors { names: opened.directors.iter().map(ToString::to_string).collect(), ..Directors::default() }
    }

    /// Returns the names, in the order of `opened.directors`; none if the game names no directors.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the seat that a director plays, according to the journal.
    #[must_use]
    pub fn seat_of(&self, name: &str) -> Option<&str> {
        self.playing.iter().find(|(_, director)| *director == name).map(|(seat, _)| seat.as_str())
    }

    /// Returns the appeals that no ruling names, by the numbers of their entries, with their seats.
    pub fn open_appeals(&self) -> impl Iterator<Item = (u64, &str)> {
        self.appeals.iter().filter(|(n, _)| !self.answered.contains(n)).map(|(&n, seat)| (n, seat.as_str()))
    }

    /// Returns `true` if entry `n` is an appeal.
    #[must_use]
    pub fn is_appeal(&self, n: u64) -> bool {
        self.appeals.contains_key(&n)
    }

    /// Records the player of a seat: a director, if named by the game.
    pub(crate) fn seated(&mut self, seat: &str, director: Option<&str>) -> Result<(), DirectorFault> {
        match director {
            Some(name) if !self.names.iter().any(|one| one == name) => {
                return Err(DirectorFault::None(name.to_owned()));
            }
            Some(name) => _ = self.playing.insert(seat.to_owned(), name.to_owned()),
            None => _ = self.playing.remove(seat),
        }
        Ok(())
    }

    /// Records an appeal.
    pub(crate) fn appealed(&mut self, n: u64, appeal: &Appeal<'_>) {
        self.appeals.insert(n, appeal.seat.to_string());
    }

    /// Records a ruling; `carried` is the motion that it names, if that was carried.
    pub(crate) fn ruled(&mut self, ruling: &Ruling<'_>, carried: Option<&CarriedMotion>) -> Result<(), DirectorFault> {
        let extends = carried.is_some_and(|motion| matches!(motion.what, What::Extend { .. }));
        match ruling.of {
            Some(_) if extends => {
                let effect: BTreeMap<String, serde_json::Value> = ruling.effect.parse().unwrap_or_default();
                if effect.keys().map(String::as_str).ne(["deadline"]) {
                    return Err(DirectorFault::NotADeadline);
                }
                self.of_no_director(&ruling.by, ALL_PLAYERS, (ruling.via, ruling.words))
            }
            Some(of) if !self.is_appeal(of) => Err(DirectorFault::NotNamed(of)),
            None if ruling.by == SERVICE && ruling.effect.get() == "{}" => {
                self.of_no_director(&ruling.by, SERVICE, (ruling.via, ruling.words))
            }
            of => {
                self.directs(&ruling.by, (ruling.via, ruling.words))?;
                self.answered.extend(of);
                Ok(())
            }
        }
    }

    /// Checks who rewinds at entry `n`, if it is neither a seat nor a motion.
    pub(crate) fn rewound(&self, n: u64, rewound: &Rewound<'_>) -> Result<(), DirectorFault> {
        let (by, said) = (&*rewound.by, (rewound.via, rewound.words));
        // Nothing is undone: the newer lines of the journal were lost.
        match by == SERVICE && rewound.to + 1 == n && rewound.within.is_none() {
            true => self.of_no_director(by, SERVICE, said),
            false => self.directs(by, said),
        }
    }

    /// Checks the author of a stand-in.
    pub(crate) fn stands_in(&self, entry: &StandIn<'_>) -> Result<(), DirectorFault> {
        let (by, said) = (&*entry.by, (entry.via, entry.words));
        if by == SERVICE { self.of_no_director(by, SERVICE, said) } else { self.directs(by, said) }
    }

    /// Checks the author of a motion, if it is not a seat.
    pub(crate) fn moved(&self, motion: &Motion<'_>) -> Result<(), DirectorFault> {
        self.may(&motion.by)
    }

    /// Checks an entry that no director writes.
    pub(crate) fn of_no_director(
        &self,
        by: &str,
        right: &str,
        said: (Option<Via>, Option<Hash>),
    ) -> Result<(), DirectorFault> {
        match said {
            (None, None) if by == right => Ok(()),
            (None, None) => Err(DirectorFault::None(by.to_owned())),
            _ => Err(DirectorFault::Words),
        }
    }

    fn directs(&self, by: &str, (via, words): (Option<Via>, Option<Hash>)) -> Result<(), DirectorFault> {
        if self.names.is_empty() {
            return self.of_no_director(by, SERVICE, (via, words));
        }
        self.may(by)?;
        if via.is_some() == words.is_some() { Err(DirectorFault::Words) } else { Ok(()) }
    }

    /// Checks that this author may direct the game: one of its directors, or the host if there are
    /// none.
    ///
    /// # Errors
    /// [`DirectorFault::None`] and [`DirectorFault::Plays`].
    pub fn may(&self, by: &str) -> Result<(), DirectorFault> {
        if self.names.is_empty() && by == SERVICE {
            return Ok(());
        }
        if !self.names.iter().any(|name| name == by) {
            return Err(DirectorFault::None(by.to_owned()));
        }
        match self.seat_of(by) {
            Some(seat) => Err(DirectorFault::Plays { by: by.to_owned(), seat: seat.to_owned() }),
            None => Ok(()),
        }
    }
}
