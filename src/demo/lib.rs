//! A whole game by players who know only their mail.
//!
//! A postman carries the mails of the outbox to each player's Maildir. A player reads his newest
//! letter as text, picks one of the listed answers, and writes a reply as a mail program would; the
//! office receives it. So the demonstration takes every step that a real mail takes, in one
//! process. If a bot is set, the player writes the order that the bot would give in his place. The
//! bot sees only what the seat may see.

mod advice;
mod error;
mod player;

pub use self::{error::DemoError, player::Puppet};

use self::{
    advice::{Adviser, waits_for},
    player::MailPath,
};
use chrono::{DateTime, Utc};
use postrider_dice::{DiceStream, h};
use postrider_mail::Composed;
use postrider_mailbox::Maildir;
use postrider_office::{Environment, Invitee, NewGame, Office, Outcome};
use postrider_replay::{Catalog, Checkpoint, Terms};
use postrider_store::{Host, MailFolder, Pictures};
use postrider_table::Seat;
use std::{collections::BTreeMap, path::PathBuf};

/// The players' names, in seat order.
const NAMES: [&str; 6] = ["Anna", "Ben", "Carl", "Dora", "Emil", "Frieda"];

/// The maximum number of mails in a row that carry out no order; more are a fault.
const MOST_FAILURES: usize = 400;

/// The parameters of a demonstration.
#[derive(Clone, Debug, Default)]
pub struct Demo {
    /// The folder, which becomes a host's folder.
    pub folder: PathBuf,
    /// The ruleset's name.
    pub ruleset: String,
    /// The game's id; random if there is none.
    pub id: Option<String>,
    /// The number of players.
    pub seats: u8,
    /// The seed of dice, cards and players; without one they are different each time.
    pub seed: Option<u64>,
    /// The scenario; the ruleset's first if there is none.
    pub scenario: Option<String>,
    /// Options of the ruleset.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The deadlines, if any. No player is late: the players answer within hours.
    pub clock: Option<Terms>,
    /// The number of mails after which to stop.
    pub most: Option<usize>,
    /// The name of the bot that chooses the players' answers. Without one they pick randomly from
    /// those listed in their letters.
    pub bot: Option<String>,
    /// `true` to add a picture of the map to letters.
    pub pictures: bool,
    /// `true` if the players leave the game's standing orders with their first orders, and add
    /// orders that are certain to follow to the same mail.
    pub standing: bool,
    /// `true` if the players accept each standing order that a letter offers.
    pub offered: bool,
}

/// The result of a demonstration.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The game's id.
    pub game: String,
    /// The number of mails that players wrote.
    pub written: usize,
    /// The number of mails that players received.
    pub delivered: usize,
    /// The number of orders carried out by mail.
    pub done: usize,
    /// The number of mails of which at least one order was not carried out.
    pub failed: usize,
    /// The number of mails that were not understood at once, by seat.
    pub held: Vec<usize>,
    /// `true` if the game was played to its end.
    pub over: bool,
    /// The path of the journal.
    pub journal: PathBuf,
    /// The folder of the players' mails.
    pub mailboxes: PathBuf,
    /// The final ranking in words; empty while the game is not over.
    pub outcome: String,
    /// The number of Rounds begun.
    pub rounds: usize,
    /// The length of the longest chain of dependent mails, and the maximum number of times that one
    /// player waited for another on such a chain: one pair at the beginning of each Round, and one
    /// at the end. In a chain, each mail answers a letter that the mail before caused.
    pub exchanges: Vec<(usize, usize)>,
    /// The mails that lengthened the longest chain.
    pub steps: Vec<PathStep>,
    /// A Round in the middle of the game.
    pub halfway: Option<Checkpoint>,
}

/// A mail that lengthened the longest chain of dependent mails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The mail's position in the chain, from 1.
    pub place: usize,
    /// The kind of required question that the writer had to answer; "" for none.
    pub answers: String,
}

/// Plays a game. After each mail, calls `progress` with the number of mails written and the label
/// of the current moment.
///
/// # Errors
/// Returns a [`DemoError`] if the office fails or if the game stops before its end.
pub fn play_demo(demo: &Demo, catalog: Catalog, progress: &mut dyn FnMut(usize, &str)) -> Result<Finished, DemoError> {
    let mut played = Played::begin(demo, catalog)?;
    loop {
        let written = played.finished.written;
        played.finished.delivered += carry(&played.host, &mut played.players, played.finished.delivered, played.path)?;
        if demo.most.is_some_and(|most| written >= most) {
            break;
        }
        // Any player with an unanswered letter may write next.
        let ready: Vec<usize> = (0..played.players.len()).filter(|&i| played.players[i].wants_to_write()).collect();
        if ready.is_empty() {
            break;
        }
        let who = ready[played.chance.below(u32::try_from(ready.len()).unwrap_or(1)) as usize];
        if let Some(raw) = played.write(who, demo.standing)? {
            played.receive(&raw)?;
            let place = played.count_rounds()?;
            progress(played.finished.written, &place);
            // Closing the games now and then forces the office to read everything from its files
            // again.
            if played.finished.written.is_multiple_of(64) {
                played.office.close_games();
            }
        }
    }
    played.finish(demo.most.is_none())
}

/// A demonstration in progress.
struct Played {
    host: Host,
    office: Office,
    players: Vec<Puppet>,
    /// The bots that advise the players, by seat; empty without a bot.
    advisers: Vec<Adviser>,
    chance: DiceStream,
    finished: Finished,
    /// The chain of mails that led to the newest one.
    path: MailPath,
    /// The maximum length of a chain, and the maximum number of waits on one.
    longest: (usize, usize),
    /// The number of mails since the last order that was carried out.
    fruitless: usize,
}

impl Played {
    /// Creates the host folder and the game, and invites the players.
    fn begin(demo: &Demo, catalog: Catalog) -> Result<Played, DemoError> {
        let start: DateTime<Utc> = DateTime::UNIX_EPOCH + chrono::Duration::days(20_000);
        let (environment, seed) = match demo.seed {
            Some(seed) => (Environment::fixed(seed, start), h("postrider/demo/v1", &[&seed.to_string()])),
            None => (Environment::System, Environment::System.secret()?),
        };
        let mut host = Host::open_or_create(&demo.folder)?;
        // The players write as fast as they can.
        host.settings.answers_per_hour = 0;
        host.settings.pictures = if demo.pictures { Pictures::Always } else { Pictures::Never };
        let mailboxes = demo.folder.join("players");
        let mut office = Office::open(host.clone(), catalog, environment)?;
        let mut players: Vec<Puppet> = Vec::new();
        for (i, name) in NAMES.iter().take(usize::from(demo.seats)).enumerate() {
            let folder = Maildir::open(mailboxes.join(name.to_lowercase()))?;
            let mut player = Puppet::new(name, i, folder);
            player.accepts = demo.offered;
            players.push(player);
        }
        let game = office.new_game(&new_game(demo, &players))?;
        let rules = office.open_game(&game)?.opened.ruleset;
        let mut advisers: Vec<Adviser> = Vec::new();
        if let Some(name) = &demo.bot {
            for seat in 0..demo.seats {
                advisers.push(Adviser::new(rules, name, Seat(seat))?);
            }
        }
        if demo.standing {
            for player in &mut players {
                player.first_words = rules.standing().lines().map(str::to_owned).collect();
            }
        }
        let finished = Finished { journal: host.journal(&game), game, mailboxes, ..Finished::default() };
        let chance = DiceStream::new(seed);
        let (path, longest, fruitless) = (MailPath::default(), (0, 0), 0);
        Ok(Played { host, office, players, advisers, chance, finished, path, longest, fruitless })
    }

    /// Writes the next mail of a player; returns `None` if the player has no letter to answer.
    fn write(&mut self, who: usize, standing: bool) -> Result<Option<Vec<u8>>, DemoError> {
        let now = self.office.environment().now();
        let game = &self.finished.game;
        let advice = match self.advisers.get_mut(who) {
            // After a mail that carried out no order, the player writes a single order.
            Some(adviser) => {
                adviser.advise(&mut self.office, game, standing && self.fruitless == 0, &mut self.chance)?
            }
            None => Vec::new(),
        };
        let answers = waits_for(&mut self.office, game, Seat(u8::try_from(who).unwrap_or_default()))?;
        let Some(raw) = self.players[who].write(advice, &mut self.chance, now) else { return Ok(None) };
        self.office.environment().advance(60 * (1 + i64::from(self.chance.below(240))));
        self.finished.written += 1;
        self.path = self.players[who].path.and(who);
        if self.path.mails > self.longest.0 {
            self.finished.steps.push(PathStep { place: self.path.mails, answers });
        }
        self.longest = (self.longest.0.max(self.path.mails), self.longest.1.max(self.path.waits));
        Ok(Some(raw))
    }

    /// Passes a mail to the office.
    fn receive(&mut self, raw: &[u8]) -> Result<(), DemoError> {
        let mails = self.finished.written;
        match self.office.receive(raw)?.outcome {
            Outcome::Answered { done, total } => {
                self.finished.done += done;
                self.finished.failed += usize::from(done < total);
                self.fruitless = if done > 0 { 0 } else { self.fruitless + 1 };
            }
            Outcome::Kept { why, .. } | Outcome::Filed(why) | Outcome::Poison(why) | Outcome::Report { why, .. } => {
                return Err(DemoError::Filed { mails, why });
            }
            Outcome::Again => return Err(DemoError::SeenBefore { mails }),
        }
        if self.fruitless > MOST_FAILURES {
            return Err(DemoError::Fruitless { game: self.finished.game.clone(), mails: self.fruitless });
        }
        Ok(())
    }

    /// Records the chain length at the beginning of each Round; returns the label of the current
    /// moment.
    fn count_rounds(&mut self) -> Result<String, DemoError> {
        let live = self.office.open_game(&self.finished.game)?;
        let begun = live.marks.iter().filter(|mark| mark.round > 0).count();
        // The mails that led to the beginning of a Round count for the Round before.
        self.finished.exchanges.resize(begun, self.longest);
        Ok(live.marks.last().map_or("", |mark| mark.label.as_str()).to_owned())
    }

    /// Returns the result. With `to_the_end`, a game that is not over is an error.
    fn finish(mut self, to_the_end: bool) -> Result<Finished, DemoError> {
        let live = self.office.open_game(&self.finished.game)?;
        let mut finished = self.finished;
        finished.over = live.closed;
        if !live.closed && to_the_end {
            return Err(DemoError::Standstill { game: finished.game, mails: finished.written });
        }
        let rounds: Vec<_> = live.marks.iter().filter(|mark| mark.round > 0).collect();
        finished.rounds = rounds.len();
        finished.exchanges.push(self.longest);
        finished.halfway = rounds.get(rounds.len() / 2).map(|mark| match mark.turn {
            0 => Checkpoint::Label(mark.label.clone()),
            turn => Checkpoint::Turn(turn, Some(mark.round)),
        });
        finished.held = self.players.iter().map(|player| player.held).collect();
        finished.outcome = self.office.terminal(&finished.game).outcome()?;
        Ok(finished)
    }
}

/// Returns the parameters of the game that a demonstration opens.
fn new_game(demo: &Demo, players: &[Puppet]) -> NewGame {
    let invited = |player: &Puppet| Invitee {
        name: player.name.clone(),
        address: player.address.clone(),
        zone: None,
        sender_check: None,
    };
    NewGame {
        ruleset: demo.ruleset.clone(),
        id: demo.id.clone(),
        scenario: demo.scenario.clone(),
        options: demo.options.clone(),
        players: players.iter().map(invited).collect(),
        clock: demo.clock.clone(),
        ..NewGame::default()
    }
}

/// Delivers every mail of the outbox to its player and returns their number. `path` is the chain of
/// mails that caused them.
fn carry(host: &Host, players: &mut [Puppet], before: usize, path: MailPath) -> Result<usize, DemoError> {
    let (out, sent) = (host.mail(MailFolder::Out)?, host.mail(MailFolder::Sent)?);
    let mut carried = 0;
    for entry in out.list()? {
        let mail = Composed::of_file(&fs_err::read(&entry.path)?);
        let reader = mail
            .as_ref()
            .and_then(|mail| { players.iter_mut() }.find(|player| mail.envelope.recipients.contains(&player.address)));
        if let (Some(mail), Some(player)) = (&mail, reader) {
            carried += 1;
            player.path = path;
            player.get(before + carried, &mail.raw)?;
        }
        // Keep the letter as a host does: answers are compared with it.
        out.move_to(&entry.unique, &sent)?;
    }
    Ok(carried)
}
