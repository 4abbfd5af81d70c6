//! Players who are away: what their table has agreed on happens, and the others are told.
//!
//! Days are the player's own, by his time zone. Nothing hangs on a timer alone: every command that works on a game, `tick` among
//! them, first looks who is away now. An order of somebody who is away counts all the same.

use super::{
    Game, Transaction,
    local_time::{begins, local_day},
};
use crate::{error::OfficeError, services::Services};
use chrono::{DateTime, NaiveDate};
use postrider_journal::{Body, ClockEvent, Json, Ruling};
use postrider_orders::Absence;
use postrider_replay::deadlines::brief_moment;
use postrider_store::{Away, Kept, WhenAway, check_zone};
use postrider_table::{Asked, Seat};

impl Game {
    /// For whom of those that are asked the deadlines are to stand still, as the table has agreed.
    pub(crate) fn rests_for(&self, services: &Services, waiting: &[Asked]) -> Option<Seat> {
        let agreed = self.secrets.when_away == WhenAway::Pause;
        waiting.iter().map(|asked| asked.seat).find(|seat| agreed && self.is_away(services, *seat))
    }

    fn is_away(&self, services: &Services, seat: Seat) -> bool {
        let now = services.environment.now().timestamp();
        self.secrets.away.get(&seat).is_some_and(|away| away.from <= now && now < away.until)
    }

    /// Until when a player is away, if he is now, as a reader in this zone is told it.
    pub(crate) fn away_until(&self, services: &Services, seat: Seat, zone: &str) -> Option<String> {
        let away = self.secrets.away.get(&seat).filter(|_| self.is_away(services, seat))?;
        Some(brief_moment(DateTime::from_timestamp(away.until, 0)?, zone))
    }

    /// When somebody next goes away or is back, in seconds since 1970.
    pub(crate) fn next_absence(&self, services: &Services) -> Option<i64> {
        let now = services.environment.now().timestamp();
        let times = self.secrets.away.values().flat_map(|away| [away.from, away.until]);
        times.filter(|time| *time > now && !self.live.closed).min()
    }

    /// What an invitation says about players who are away.
    pub(crate) fn agreed_for_the_away(&self) -> Option<String> {
        match (&self.secrets.when_away, self.live.deadlines.terms()) {
            (WhenAway::Bot(bot), _) => Some(format!(
                "Who writes `away until Monday`, or the like, is away until then: the bot {bot} plays for him."
            )),
            (WhenAway::Pause, Some(_)) => Some(
                "Who writes `away until Monday`, or the like, is away until then: while the game waits for him, deadlines stand still."
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

impl Transaction {
    /// Notes what a player writes about his absence; says it.
    pub(crate) fn absence(&mut self, services: &Services, seat: Seat, words: &[String]) -> Result<String, OfficeError> {
        let zone = self.zone(services, seat).to_owned();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (from, until) = match Absence::read(&words, local_day(&zone, services.environment.now())) {
            Err(why) => return Ok(format!("Your absence was not noted: {why}.")),
            Ok(Absence::Over) => return self.back_again(services, seat),
            Ok(Absence::Days(from, until)) => (from, until),
        };
        let after = until.succ_opt().unwrap_or(until);
        let noted = Away {
            from: begins(&zone, from),
            until: begins(&zone, after),
            // A bot that stands in goes on, or ends, as the new days say.
            stands_in: self.secrets.away.get(&seat).is_some_and(|away| away.stands_in),
        };
        self.keep(Kept::Away(seat, Some(noted)))?;
        let day = |day: NaiveDate| day.format("%a %-d %b %Y").to_string();
        let then = match (&self.secrets.when_away, self.live.deadlines.terms()) {
            (WhenAway::Bot(bot), _) => format!("The bot {bot} plays for you then, as this table has agreed."),
            (WhenAway::Pause, Some(_)) => {
                "While the game waits for you then, all deadlines stand still, as this table has agreed.".to_owned()
            }
            _ => "While the game waits for you then, the others read it in their letters.".to_owned(),
        };
        Ok(format!(
            "You are away from {} to the end of {} ({zone}). {then} What you order meanwhile counts all the same; `away off` says that \
             you are back.",
            day(from),
            day(until)
        ))
    }

    fn back_again(&mut self, services: &Services, seat: Seat) -> Result<String, OfficeError> {
        let Some(away) = self.secrets.away.get(&seat).copied() else {
            return Ok("You were not away: nothing was changed.".to_owned());
        };
        if away.stands_in {
            self.replaced(services, seat, None)?;
        }
        self.keep(Kept::Away(seat, None))?;
        Ok("You are back.".to_owned())
    }

    /// Settles in which time zone a player reads times; says it.
    pub(crate) fn set_zone(&mut self, seat: Seat, zone: String) -> Result<String, OfficeError> {
        if check_zone(&zone).is_err() {
            return Ok(format!(
                "\"{zone}\" is no time zone: nothing was changed. Write its name in the IANA database, such as `zone America/Denver` \
                 or `zone Europe/Berlin`."
            ));
        }
        let said = format!("Times in your letters are in the zone {zone} from now on.");
        self.keep(Kept::Zone(seat, zone))?;
        Ok(said)
    }

    /// Lets a bot play for a player, or no longer, and makes the journal's line that says so.
    pub(crate) fn replaced(
        &mut self,
        services: &Services,
        seat: Seat,
        bot: Option<&str>,
    ) -> Result<String, OfficeError> {
        let text = match bot {
            Some(name) => format!("The bot {name} plays seat {seat} while its player is away."),
            None => format!("The player of seat {seat} plays again himself; no bot stands in for him."),
        };
        self.keep(Kept::StandIn { seat, bot: bot.map(str::to_owned) })?;
        let ruling = Ruling { by: "host".to_owned().into(), text: text.clone().into(), effect: Json::empty() };
        match self.live.dyn_game.is_some() {
            true => _ = self.rule(services, ruling)?,
            false => _ = self.line(services, &Body::Ruling(ruling))?,
        }
        Ok(text)
    }

    /// Has bots play for players who are away, and no longer for those who are back, where the table has agreed on that.
    pub(crate) fn seat_stand_ins(&mut self, services: &Services) -> Result<(), OfficeError> {
        if self.live.started.is_none() || self.live.closed {
            return Ok(());
        }
        let now = services.environment.now().timestamp();
        for (seat, away) in self.secrets.away.clone() {
            let is_away = away.from <= now && now < away.until;
            match &self.secrets.when_away {
                WhenAway::Bot(bot) if is_away && self.seats.bot(seat).is_none() => {
                    let bot = bot.clone();
                    self.keep(Kept::Away(seat, Some(Away { stands_in: true, ..away })))?;
                    self.replaced(services, seat, Some(&bot))?;
                }
                _ if !is_away && away.stands_in => {
                    if self.seats.stand_ins.contains_key(&seat) {
                        self.replaced(services, seat, None)?;
                    }
                    self.keep(Kept::Away(seat, Some(Away { stands_in: false, ..away })))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Has the deadlines stand still while the game waits for somebody who is away, and go on when it does no longer, where the
    /// table has agreed on that. The lines are not yet appended. True when they say that it goes on: that is to be kept in mind
    /// once they are.
    pub(crate) fn rest_for_the_away(&mut self, services: &Services) -> Result<bool, OfficeError> {
        let nobody = self.secrets.away.is_empty() && !self.secrets.rests;
        if nobody || self.live.deadlines.terms().is_none() || self.live.started.is_none() || self.live.closed {
            return Ok(false);
        }
        let waiting: Vec<_> = self.asked()?.into_iter().filter(|asked| asked.required).collect();
        let waits = self.rests_for(services, &waiting).is_some();
        let event = match (waits, self.live.deadlines.paused()) {
            (true, false) => {
                self.keep(Kept::Rests(true))?;
                ClockEvent::Paused
            }
            (false, true) if self.secrets.rests => ClockEvent::Resumed,
            // The host had it go on by himself.
            (false, false) => return Ok(self.secrets.rests),
            _ => return Ok(false),
        };
        for asked in &waiting {
            self.clock_line(services, asked, event)?;
        }
        Ok(event == ClockEvent::Resumed)
    }
}
