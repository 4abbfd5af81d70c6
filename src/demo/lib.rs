//! A whole game played by players who know nothing but their mail.
//!
//! A postman carries the mails of the outbox to each player's Maildir. A player reads his newest letter as text, picks one of
//! the answers that it lists, and writes a reply as his mail program would; the office receives it. So the demonstration
//! walks the whole way that a mail walks, in one process. With a bot he writes what that would order in his place, in
//! words: it looks at what his seat may see, and answers what his letter asks.

mod advice;
mod error;
mod manners;
mod player;

pub use self::{error::DemoError, manners::Manners, player::Puppet};

use self::{
    advice::{Adviser, waits_for},
    player::MailPath,
};
use chrono::{DateTime, Utc};
use postrider_dice::{DiceStream, h};
use postrider_mail::{Composed, Maildir};
use postrider_office::{Environment, Invitee, NewGame, Office, Outcome};
use postrider_replay::{Catalog, Checkpoint, Terms};
use postrider_store::{Host, MailFolder, Pictures};
use postrider_table::Seat;
use std::{collections::BTreeMap, path::PathBuf};

/// Who plays, in the order of the seats.
const NAMES: [&str; 6] = ["Anna", "Ben", "Carl", "Dora", "Emil", "Frieda"];

/// After so many mails without one order carried out the game stands still by a fault.
const MOST_FAILURES: usize = 400;

/// What to demonstrate.
#[derive(Clone, Debug, Default)]
pub struct Demo {
    /// The folder, which becomes that of a host.
    pub folder: PathBuf,
    /// The ruleset's name.
    pub ruleset: String,
    /// The game's id; made up if none is given.
    pub id: Option<String>,
    /// How many play.
    pub seats: u8,
    /// Dice, cards and players follow from it; without one they are different each time.
    pub seed: Option<u64>,
    /// The scenario; the ruleset's first if none is given.
    pub scenario: Option<String>,
    /// Options of the ruleset.
    pub options: BTreeMap<String, serde_json::Value>,
    /// How deadlines are counted, if they are. Nobody is late: the players answer within hours.
    pub clock: Option<Terms>,
    /// Stop after so many mails.
    pub most: Option<usize>,
    /// The bot whose answers the players write; without one they pick among those that their letter lists, by chance.
    pub bot: Option<String>,
    /// Whether a picture of the map goes along with letters.
    pub pictures: bool,
    /// Whether the players leave the game's standing orders with their first orders, and write what is sure to follow into one mail.
    pub standing: bool,
    /// What the players write besides orders.
    pub manners: Manners,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The game's id.
    pub game: String,
    /// The mails that players wrote.
    pub written: usize,
    /// The mails that they got.
    pub delivered: usize,
    /// The orders that were carried out by mail.
    pub done: usize,
    /// The mails of which some order was not.
    pub failed: usize,
    /// How many mails of each player were not understood at once, by seat.
    pub held: Vec<usize>,
    /// Whether the game was played to its end.
    pub over: bool,
    /// The journal.
    pub journal: PathBuf,
    /// The players' mails.
    pub mailboxes: PathBuf,
    /// The final ranking, in plain words; empty while the game is not over.
    pub outcome: String,
    /// How many Rounds were begun.
    pub rounds: usize,
    /// How many mails had to be written one after the other, each of them after a letter that the one before brought about, and how often
    /// somebody waited there for another: on the longest such paths, as they had grown when each Round began, and at the end.
    pub exchanges: Vec<(usize, usize)>,
    /// The mails that made such a path longer.
    pub steps: Vec<PathStep>,
    /// A Round in the middle of what was played.
    pub halfway: Option<Checkpoint>,
}

/// A mail on the longest path of mails that had to be written one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Its place on that path, from 1.
    pub place: usize,
    /// The kind of question that the game waited for its writer to answer; "" for none.
    pub answers: String,
}

/// Plays a game. `progress` hears after each mail how many were written and where the game stands.
///
/// # Errors
/// [`DemoError`]; also when the game stands still although it is not over.
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
            // The office closes its games now and then, so that it must find everything again in its files.
            if played.finished.written.is_multiple_of(64) {
                played.office.close_games();
            }
        }
    }
    played.finish(demo.most.is_none())
}

/// A demonstration under way.
struct Played {
    host: Host,
    office: Office,
    players: Vec<Puppet>,
    /// The bots that advise the players, by seat; none without a bot.
    advisers: Vec<Adviser>,
    chance: DiceStream,
    finished: Finished,
    /// The path of mails that led to the newest one.
    path: MailPath,
    /// The longest path so far: its mails, and how often somebody waited there for another.
    longest: (usize, usize),
    /// The number of mails since an order was carried out.
    fruitless: usize,
}

impl Played {
    /// Invites the players.
    fn begin(demo: &Demo, catalog: Catalog) -> Result<Played, DemoError> {
        let start: DateTime<Utc> = DateTime::UNIX_EPOCH + chrono::Duration::days(20_000);
        let (environment, seed) = match demo.seed {
            Some(seed) => (Environment::fixed(seed, start), h("postrider/demo/v1", &[&seed.to_string()])),
            None => (Environment::System, Environment::System.secret()?),
        };
        let mut host = Host::open_or_create(&demo.folder)?;
        // Its players write as fast as they can.
        host.settings.answers_per_hour = 0;
        host.settings.pictures = if demo.pictures { Pictures::Always } else { Pictures::Never };
        let mailboxes = demo.folder.join("players");
        let mut office = Office::open(host.clone(), catalog, environment)?;
        let mut players: Vec<Puppet> = Vec::new();
        for (i, name) in NAMES.iter().take(usize::from(demo.seats)).enumerate() {
            let folder = Maildir::open(mailboxes.join(name.to_lowercase()))?;
            players.push(Puppet::new(name, i, folder, demo.manners));
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

    /// The next mail of a player; `None` if he has nothing to say.
    fn write(&mut self, who: usize, standing: bool) -> Result<Option<Vec<u8>>, DemoError> {
        let now = self.office.environment().now();
        let game = &self.finished.game;
        let advice = match self.advisers.get_mut(who) {
            // After a mail that brought nothing about he writes one order alone.
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

    /// Gives a mail to the office.
    fn receive(&mut self, raw: &[u8]) -> Result<(), DemoError> {
        let mails = self.finished.written;
        match self.office.receive(raw)?.outcome {
            Outcome::Answered { done, total } => {
                self.finished.done += done;
                self.finished.failed += usize::from(done < total);
                self.fruitless = if done > 0 || total == 0 { 0 } else { self.fruitless + 1 };
            }
            Outcome::Kept(why) | Outcome::Filed(why) | Outcome::Poison(why) | Outcome::Report { why, .. } => {
                return Err(DemoError::Filed { mails, why });
            }
            Outcome::Again => return Err(DemoError::SeenBefore { mails }),
        }
        if self.fruitless > MOST_FAILURES {
            return Err(DemoError::Fruitless { game: self.finished.game.clone(), mails: self.fruitless });
        }
        Ok(())
    }

    /// Counts the mails that the Rounds so far took; returns where the game stands.
    fn count_rounds(&mut self) -> Result<String, DemoError> {
        let live = self.office.open_game(&self.finished.game)?;
        let begun = live.marks.iter().filter(|mark| mark.round > 0).count();
        // What it took to come here counts for the Round before.
        self.finished.exchanges.resize(begun, self.longest);
        Ok(live.marks.last().map_or("", |mark| mark.label.as_str()).to_owned())
    }

    /// What came of it. A game that was to be played to its end must have come there.
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

/// The game that a demonstration opens.
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
        clock: demo.clock,
        ..NewGame::default()
    }
}

/// Carries every mail of the outbox to its reader; gives their number. `path`: what had to be written for these.
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
        // Kept as a host keeps it: an answer is read beside its letter.
        out.move_to(&entry.unique, &sent)?;
    }
    Ok(carried)
}
