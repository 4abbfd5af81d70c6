//! The post office: what stands between the mails of a game and its journal.
//!
//! A decision comes in by mail or on the command line, is read and given to the rules, and appended to the journal with all
//! that follows from it; only then are the mails owed that tell of it. One command is one append; mails have names that
//! stay the same when the same work is done twice. So a crash at any point neither loses nor repeats anything: opening a
//! game again makes good what was left undone.
//!
//! An [`Office`] is a host's folder with its settings, secrets and open games. [`Office::new_game`] invites players,
//! [`Office::receive`] takes a mail in, [`Office::order`] an order from the command line.

pub mod adjudicate;
mod bots;
mod bundle;
#[cfg(test)]
mod by_mail;
mod clock;
mod compare;
#[cfg(test)]
mod crashes;
#[cfg(test)]
mod deadlines;
mod demo;
mod desk;
pub mod evidence;
mod facts;
mod fork;
#[cfg(test)]
mod forking;
mod host;
mod house;
mod intake;
mod layout;
mod learned;
mod letters;
mod moment;
mod opening;
mod outbox;
#[cfg(test)]
pub(crate) mod raffle;
mod receipts;
pub mod replay;
mod report;
mod rewind;
#[cfg(test)]
mod rewinding;
mod ruling;
mod running;
mod said;
mod seats;
mod shelf;
mod source;
mod step;
mod tape;
mod terminal;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
mod trouble;
pub mod verify;
mod world;

#[cfg(test)]
pub(crate) use self::letters::{environment, jinja};
pub use self::{
    bundle::{Ancestor, Bundle},
    clock::{AtDeadline, Deadline, Deadlines, Terms, Ticked},
    compare::{Comparison, Relation, Side, Signed, compare},
    demo::{Demo, Finished, play_demo},
    desk::Queue,
    evidence::{Evidence, Hand, HeldCard, Receipt},
    fork::{ForkGame, Forked},
    host::{DEFAULT_SETTINGS, Host, MailFolder, MailOut, SETTINGS, Settings},
    house::HouseChance,
    intake::{Outcome, Processed},
    layout::{WIDTH, fill, letter},
    learned::Learned,
    letters::{Letters, Part, questions},
    moment::Moment,
    opening::{Invitee, NewGame},
    outbox::{Sent, send},
    receipts::{CardStanding, Judged, JudgedCard, JudgedReceipt, Standing},
    replay::{Replay, ReplayFault, Replayed, rebuild},
    report::{Claim, Contradiction, Grade, Report},
    rewind::{RewindGame, Rewinding},
    ruling::{Ruled, RulingGiven},
    running::{Begun, Mark, Running, StoryLine, Then},
    seats::{Player, Seats},
    shelf::{Opened, Shelf, ShelfFault},
    source::Source,
    step::{Difference, LiveFault, Step},
    terminal::{Glance, TERMINAL},
    trouble::Trouble,
    verify::{verify, verify_with},
    world::World,
};
use self::{desk::Desk, outbox::Outbox};
use crate::{
    dice::Hash,
    journal::{ReceiptKey, Secret, SecretsFile},
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What every game on the desk is worked with.
pub struct Tools {
    host: Host,
    shelf: Shelf,
    key_seed: Hash,
    key: ReceiptKey,
    letters: Letters,
    outbox: Outbox,
    world: World,
}

/// A host's post office.
pub struct Office {
    tools: Tools,
    /// Games that are open, and so locked, until the office is dropped.
    desks: BTreeMap<String, Desk>,
}

impl Office {
    /// Opens the office of a host. `shelf` holds the rules that it knows; the owners' component files of the host's folder
    /// are added.
    ///
    /// # Errors
    /// [`Trouble`] when settings, templates or the service's key cannot be read or made.
    pub fn open(host: Host, mut shelf: Shelf, mut world: World) -> Result<Office, Trouble> {
        host.make_folders()?;
        for text in host.own_components()? {
            shelf = shelf.with_components(text);
        }
        shelf = shelf.with_folder(host.journals());
        let key_seed = service_key(&host, &mut world)?;
        let letters = Letters::load(&host)?;
        let outbox = Outbox::open(&host)?;
        let key = ReceiptKey::from_seed(&key_seed.0);
        let tools = Tools { host, shelf, key_seed, key, letters, outbox, world };
        Ok(Office { tools, desks: BTreeMap::new() })
    }

    /// The host's folder.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.tools.host
    }

    /// The clock and the randomness in use.
    pub fn world(&mut self) -> &mut World {
        &mut self.tools.world
    }

    /// Puts a game on the desk, which makes good what a crash left undone.
    ///
    /// # Errors
    /// [`Trouble`] when it cannot be opened.
    pub fn open_game(&mut self, game: &str) -> Result<&Running, Trouble> {
        self.with_desk(game, |_, _| Ok(()))?;
        self.desks.get(game).map(|desk| &desk.running).ok_or_else(|| Trouble::NoGame(game.to_owned()))
    }

    /// How a game has ended, as the last letters tell it; empty while it is not over.
    ///
    /// # Errors
    /// [`Trouble`] when it cannot be opened.
    pub fn outcome(&mut self, game: &str) -> Result<String, Trouble> {
        self.with_desk(game, |tools, desk| match &desk.running.hosted {
            Some(hosted) if desk.running.closed => {
                tools.letters.ending(desk.running.opened.ruleset, &**hosted, &desk.seats)
            }
            _ => Ok(String::new()),
        })
    }

    /// Closes all games, so that other processes can have them.
    pub fn clear_desk(&mut self) {
        self.desks.clear();
    }

    /// Works on a game. After any trouble the game is taken off the desk: the next one to open it reads what is really in
    /// the journal.
    fn with_desk<T>(
        &mut self,
        game: &str,
        work: impl FnOnce(&mut Tools, &mut Desk) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut desk = match self.desks.remove(game) {
            Some(desk) => desk,
            None => Desk::open(&mut self.tools, game)?,
        };
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut self.tools, &mut desk))).map_err(|_| {
            Trouble::Defect(format!("the rules of {game} broke down; it is rebuilt when it is next opened"))
        })??;
        self.desks.insert(game.to_owned(), desk);
        Ok(done)
    }
}

/// The seed of the service's signing key, made when it is first wanted.
fn service_key(host: &Host, world: &mut World) -> Result<Hash, Trouble> {
    let path = host.service_secrets();
    let mut file = if path.try_exists()? { SecretsFile::open(&path)? } else { SecretsFile::create(&path)? };
    let known = file.read()?.into_iter().find_map(|value| match serde_json::from_value(value) {
        Ok(Secret::Key { seed }) => Some(seed),
        _ => None,
    });
    if let Some(seed) = known {
        return Ok(seed);
    }
    let seed = world.secret()?;
    file.keep(&Secret::Key { seed })?;
    Ok(seed)
}
