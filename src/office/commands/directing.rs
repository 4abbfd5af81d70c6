//! Decisions by the host and directors outside a game's rules: rulings, players, rewinds, and
//! results.

use crate::{
    carry_out::directing::{
        clock, people,
        result::{self, Given},
        rewinding::{self, RewindGame, Rewinding, reopening},
        ruling::{RulingGiven, RulingTried, take_ruling, try_ruling},
    },
    error::OfficeError,
    game::{
        directors::{self, By, SERVICE},
        invitee::Invitee,
    },
    misuse::Misuse,
    service::Office,
};
use postrider_journal::What;
use postrider_store::{Kept, Player, SenderCheck};
use postrider_table::Seat;
use serde::Serialize;
use std::collections::BTreeMap;

/// A ruling that was given.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The game.
    pub game: String,
    /// The `n` of its line.
    pub n: u64,
    /// Its text in letters.
    pub told: Vec<String>,
}

/// The decisions about one game.
pub struct Directing<'o> {
    office: &'o mut Office,
    game: &'o str,
}

impl Office {
    /// Returns the means to direct a game.
    pub fn directing<'o>(&'o mut self, game: &'o str) -> Directing<'o> {
        Directing { office: self, game }
    }
}

impl Directing<'_> {
    /// Records a ruling and applies its effect; all players get a letter. The effect `{"deadline":
    /// {"seat": …, "until": …}}` moves the deadline of all open questions of a seat, in any game
    /// with deadlines. Any other effect is the game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the effect is refused, with the reason, or if a name in it is
    /// abbreviated; nothing has changed then.
    pub fn rule(&mut self, given: &RulingGiven) -> Result<Ruled, OfficeError> {
        self.office.change(self.game, |services, tx| {
            let (n, told) = take_ruling(tx, services, given, None)?;
            Ok(Ruled { game: tx.id.clone(), n, told })
        })
    }

    /// Describes the effect of a ruling. Writes nothing and sends no letters.
    ///
    /// # Errors
    /// As for [`Directing::rule`].
    pub fn try_ruling(&mut self, given: &RulingGiven) -> Result<RulingTried, OfficeError> {
        self.office.dry_run(self.game, |services, tx| try_ruling(tx, services, given, None))
    }

    /// Gives a seat to another player, or gives its player another address. The letter tells the
    /// whole story, and letters to the former player become void, because orders count only from
    /// the new address. Before the game begins this corrects an invitation; if that was already
    /// accepted, the seat stays joined and its luck phrase remains. If `shared`, the player may
    /// have the address of another seat.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the request is invalid; nothing has been written then.
    pub fn reseat(&mut self, seat: Seat, who: &Invitee, shared: bool) -> Result<(), OfficeError> {
        self.office.change(self.game, |services, tx| people::reseat(tx, services, seat, who, shared))
    }

    /// Returns a warning if bots play all seats but this one.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn last_person(&mut self, seat: Seat) -> Result<Option<&'static str>, OfficeError> {
        self.office.look(self.game, |_, game| Ok(people::last_person(game, seat)))
    }

    /// Has a bot stand in for a player, or stop doing so (`None`). The journal records a ruling,
    /// and all players are told by mail. Returns a report of one sentence.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if there is no such seat or bot, or if nothing would change.
    pub fn stand_in(&mut self, seat: Seat, bot: Option<&str>) -> Result<String, OfficeError> {
        self.office.change(self.game, |services, tx| {
            people::check_stand_in(tx, seat, bot)?;
            people::replace(tx, services, seat, bot, &SERVICE)
        })
    }

    /// Sets the check for a seat, from the next mail on.
    ///
    /// # Errors
    /// [`Misuse::NoSeat`], also for a seat not played by mail.
    pub fn check_senders(&mut self, seat: Seat, check: SenderCheck) -> Result<(), OfficeError> {
        self.office.change(self.game, |_, tx| {
            if !tx.seats.player(seat).is_some_and(Player::by_mail) {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: tx.id.clone() }.into());
            }
            Ok(tx.keep(Kept::SenderCheck(seat, check))?)
        })
    }

    /// Issues a new token for a director and writes to her. All earlier letters to her become void.
    ///
    /// # Errors
    /// [`Misuse::NoDirector`]; [`OfficeError`] if the game cannot be opened.
    pub fn new_token_for_director(&mut self, name: &str) -> Result<(), OfficeError> {
        self.office.change(self.game, |_, tx| directors::renew(tx, name))
    }

    /// Pauses the clock of a game for all its questions, or resumes it if `pause` is `false`. All
    /// players are told. Returns a report of one sentence.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if nothing would change; nothing has been written then.
    pub fn pause(&mut self, pause: bool) -> Result<String, OfficeError> {
        self.office.change(self.game, |services, tx| {
            clock::set(tx, services, pause)?;
            let game = &tx.id;
            Ok(match pause {
                true => format!("{game} is paused: its deadlines are stopped."),
                false => format!("{game} is resumed: its deadlines run again."),
            })
        })
    }

    /// Rewinds a game: writes the line, and a letter to all players with the reason, the
    /// information revealed and the open questions.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the request is invalid; nothing has been written then.
    pub fn rewind(&mut self, wanted: &RewindGame) -> Result<Rewinding, OfficeError> {
        if wanted.dry_run {
            return self.office.dry_run(self.game, |services, tx| rewinding::rewind(tx, services, wanted, None));
        }
        self.office.change(self.game, |services, tx| rewinding::rewind(tx, services, wanted, None))
    }

    /// Ends a game, begun or not. Everyone who was invited gets a letter, and no questions remain.
    /// Hidden information stays hidden: standing orders are the only secrets revealed.
    ///
    /// # Errors
    /// [`Misuse::Over`] if the game is over; [`Misuse::NotOneLine`] if the reason is invalid.
    pub fn abandon(&mut self, by: &str, reason: &str) -> Result<(), OfficeError> {
        self.decide_result(by, BTreeMap::new(), (reason, false)).map(drop)
    }

    /// Ends a game with the given places, from 1, for all seats, for a reason; with `true` the
    /// entry has the results of rollouts from the last entry. Returns a report of one sentence.
    ///
    /// # Errors
    /// [`Misuse::Over`] if the game is over, [`Misuse::NotBegun`] if it has not begun,
    /// [`Misuse::NotOneLine`] if the reason is invalid, [`Misuse::Motion`] if the places are
    /// impossible.
    pub fn decide_result(
        &mut self,
        by: &str,
        places: BTreeMap<String, u64>,
        (reason, adjudicated): (&str, bool),
    ) -> Result<String, OfficeError> {
        self.office.change(self.game, |services, tx| {
            let given = Given { what: What::Result(places), reason, adjudicated };
            result::decide(tx, services, &By { name: by, words: None }, given)
        })
    }

    /// Checks a result with places in words. Writes nothing.
    ///
    /// # Errors
    /// As for [`Directing::give_result`].
    pub fn try_result(&mut self, by: &str, places: &str, reason: &str) -> Result<(), OfficeError> {
        let places = self.office.look(self.game, |_, game| Ok(result::places(game, places)?))?;
        self.office.dry_run(self.game, |services, tx| {
            let given = Given { what: What::Result(places), reason, adjudicated: false };
            result::check(tx, services, &By { name: by, words: None }, given).map(drop)
        })
    }

    /// Ends a game with places in words, such as `anna 1, ben 2` or `draw`.
    ///
    /// # Errors
    /// As for [`Directing::decide_result`], and [`Misuse::Place`].
    pub fn give_result(&mut self, by: &str, places: &str, reason: (&str, bool)) -> Result<String, OfficeError> {
        let places = self.office.look(self.game, |_, game| Ok(result::places(game, places)?))?;
        self.decide_result(by, places, reason)
    }

    /// Reopens a game that a motion ended: rewinds it to just before that motion.
    ///
    /// # Errors
    /// [`Misuse::NotEnded`] if no motion has ended the game; otherwise as for
    /// [`Directing::rewind`].
    pub fn reopen(&mut self, by: &str, reason: &str) -> Result<Rewinding, OfficeError> {
        let wanted = self.office.look(self.game, |_, game| Ok(reopening(game, by, reason, false)?))?;
        self.rewind(&wanted)
    }
}
