//! The office at work: one thread that takes mails in, one after the other, and sees to deadlines.

use super::{
    error::ServeError,
    inbox::{FolderWatch, Watch, Woken},
    state::{State, name},
};
use postrider_office::{Environment, Office, OfficeError, Outcome};
use postrider_replay::Catalog;
use postrider_store::{Host, HostStore, MailFolder, Queue, StoreError, bring_in};
use postrider_wire::Dns;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender},
    },
    time::{Duration, Instant},
};

/// So often the inbox is looked at without being told.
const LOOK: Duration = Duration::from_millis(100);

/// After a fault of the system, such as a full disk, so long nothing is tried.
const FAULT: Duration = Duration::from_secs(2);

/// So often it is asked which games are due.
const TICK: Duration = Duration::from_secs(30);

/// So often it is looked whether the host is to be told of letters that did not arrive; he is told once a day.
const TELL_HOST: Duration = Duration::from_secs(600);

/// So long a mail waits for what the DNS says of its signatures before others come first. The question goes on meanwhile.
const LOOKUP: Duration = Duration::from_millis(500);

/// A mail that could not be taken in is left alone for so long, and each time for twice as long.
const FIRST_REST: Duration = Duration::from_secs(30);
const LONGEST_REST: Duration = Duration::from_secs(3_600);

/// What the worker needs.
pub(super) struct Work {
    pub host: Host,
    pub store: HostStore,
    pub catalog: Catalog,
    pub environment: Environment,
    pub state: Arc<State>,
    pub woken: Receiver<Woken>,
    /// Wakes whoever sends letters.
    pub sender: Sender<Woken>,
}

/// The worker with what it remembers.
struct Worker {
    office: Office,
    /// The same store as the office's, of which more can be asked.
    kept: HostStore,
    state: Arc<State>,
    sender: Sender<Woken>,
    /// Mails that are left alone: how often they failed, and until when.
    resting: BTreeMap<String, (u32, Instant)>,
    /// Games that are due and were not seen to yet.
    due: VecDeque<String>,
    /// Games that cannot be opened, and why.
    faults: BTreeMap<String, String>,
    /// When it was last looked whether the host is to be told of letters that did not arrive.
    told_host: Option<Instant>,
}

/// Works until it is stopped.
///
/// # Errors
/// [`ServeError`] when the office cannot be opened, or nobody knows any more what is on disk.
pub(super) fn work(work: Work) -> Result<(), ServeError> {
    let Work { host, store, catalog, environment, state, woken, sender } = work;
    let mut watch = Watch::of(&host, &store, Queue::In)?;
    // Where games are kept elsewhere, mails of this machine's own mail system go there.
    let mut folder =
        (!host.keeps_files()).then(|| host.mail(MailFolder::In)).transpose()?.map(|folder| FolderWatch::of(&folder));
    let resolver = host.settings.resolver;
    let kept = store.clone();
    let mut office = Office::with_store(store.clone().boxed(), host, store.shelf(catalog), environment)?;
    // Where there is no name server to ask, the first mail that needs one says so.
    if let Ok(dns) = Dns::new(resolver, LOOKUP) {
        office.look_up_by(Box::new(dns));
    }
    let (resting, due, faults, told_host) = Default::default();
    let mut worker = Worker { office, kept, state, sender, resting, due, faults, told_host };
    let mut ticked: Option<Instant> = None;
    let mut look = true;
    while !worker.state.stops() {
        worker.state.alive();
        let done = worker.turn(look, &mut ticked);
        match done {
            Ok(()) => worker.state.works("worker"),
            Err(why) if why.is_fatal() => return Err(why.into()),
            // It is tried again: nothing is lost, and the disk may have room again.
            Err(why) => {
                worker.state.fails("worker", &why.to_string());
                worker.office.close_games();
                std::thread::sleep(FAULT);
            }
        }
        // A mail never waits for more than one game that is due.
        let wait = if worker.due.is_empty() { LOOK } else { Duration::ZERO };
        let told = woken.recv_timeout(wait).is_ok();
        while woken.try_recv().is_ok() {}
        let brought = folder.as_mut().is_some_and(FolderWatch::changed) && worker.bring_in();
        look = watch.changed() || told || brought || worker.rested();
    }
    Ok(())
}

impl Worker {
    /// Takes in what came, and sees to one game that is due.
    fn turn(&mut self, look: bool, ticked: &mut Option<Instant>) -> Result<(), OfficeError> {
        if look {
            self.take_in()?;
        }
        if ticked.is_none_or(|at| at.elapsed() >= TICK) && self.due.is_empty() {
            *ticked = Some(Instant::now());
            self.due = self.office.due()?.into();
            self.office.sweep()?;
            if self.told_host.is_none_or(|at| at.elapsed() >= TELL_HOST) {
                self.told_host = Some(Instant::now());
                self.office.tell_host()?;
            }
            let known: BTreeSet<_> = self.due.iter().collect();
            // What could not be opened is due for ever.
            self.faults.retain(|game, _| known.contains(game));
            let (store, letters) = (self.office.store(), self.office.store().waiting()?.len());
            self.state.ticked(store.games()?.len(), self.faults.len(), letters);
            if let Some(pulse) = self.kept.pulse()? {
                self.state.feels(pulse);
            }
        }
        match self.due.pop_front() {
            Some(game) => self.tick(game),
            None => Ok(()),
        }
    }

    fn tick(&mut self, game: String) -> Result<(), OfficeError> {
        let seen = self.office.tick_due(&game)?;
        // Letters may have been written even where no deadline was due.
        let _ = self.sender.send(Woken);
        let Some(why) = seen.fault else {
            self.faults.remove(&game);
            return Ok(());
        };
        let why = why.to_string();
        if self.faults.get(&game) != Some(&why) {
            tracing::error!(game, why, "a game cannot be opened");
        }
        self.faults.insert(game, why);
        Ok(())
    }

    /// Takes in every mail that waits, oldest first, until there is none or the process is to end.
    fn take_in(&mut self) -> Result<(), OfficeError> {
        let mails = self.office.store().inbox()?;
        let still: BTreeSet<_> = mails.iter().collect();
        self.resting.retain(|mail, _| still.contains(mail));
        let mut left = mails.len();
        self.state.waiting(left);
        for mail in &mails {
            if self.state.stops() {
                break;
            }
            if self.resting.get(mail).is_some_and(|(_, until)| Instant::now() < *until) {
                continue;
            }
            self.state.alive();
            if self.take(mail)? {
                left -= 1;
            }
            self.state.waiting(left);
            let _ = self.sender.send(Woken);
        }
        Ok(())
    }

    /// Takes one mail in; says whether it is gone from the inbox.
    fn take(&mut self, mail: &str) -> Result<bool, OfficeError> {
        let began = Instant::now();
        // A mail from anywhere must not end the service, whatever it provokes.
        let taken = catch_unwind(AssertUnwindSafe(|| self.office.receive_waiting(mail)));
        let processed = match taken {
            Ok(Ok(Some(processed))) => processed,
            Ok(Ok(None)) => return Ok(true),
            Ok(Err(why)) if why.is_fatal() => return Err(why),
            // A database that is away is to blame for no mail.
            Ok(Err(why @ OfficeError::Store(StoreError::Database { .. } | StoreError::Unsafe { .. }))) => {
                return Err(why);
            }
            Ok(Err(why)) => {
                self.leave_alone(mail);
                return Err(why);
            }
            Err(_) => {
                self.office.close_games();
                self.leave_alone(mail);
                tracing::error!(mail, "a mail broke the program and is left alone");
                return Ok(false);
            }
        };
        let time = began.elapsed();
        self.state.taken(&processed.outcome, time);
        let seat = processed.seat.map(|seat| seat.to_string());
        let (became, millis) = (name(&processed.outcome), time.as_millis() as u64);
        tracing::info!(game = processed.game, seat, became, millis, "a mail was taken in");
        let kept = matches!(processed.outcome, Outcome::Kept(_));
        if kept {
            self.leave_alone(mail);
        }
        Ok(!kept)
    }

    /// Brings in what lies in the folder's own inbox; says whether there was anything.
    fn bring_in(&self) -> bool {
        match bring_in(self.office.host(), self.office.store()) {
            Ok(count) => count > 0,
            Err(why) => {
                self.state.fails("worker", &why.to_string());
                false
            }
        }
    }

    fn leave_alone(&mut self, mail: &str) {
        let (failures, until) = self.resting.entry(mail.to_owned()).or_insert((0, Instant::now()));
        *until = Instant::now() + FIRST_REST.saturating_mul(1 << (*failures).min(10)).min(LONGEST_REST);
        *failures += 1;
    }

    /// Whether a mail has been left alone long enough.
    fn rested(&self) -> bool {
        let now = Instant::now();
        self.resting.values().any(|(_, until)| *until <= now)
    }
}
