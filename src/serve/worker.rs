//! The worker, the one thread that processes mails in sequence and handles deadlines.

use super::{
    Common,
    error::ServeError,
    inbox::{FolderWatch, Watch, Woken},
    resting::{FAULT, Reason, Resting},
    state::{State, name},
};
use postrider_mail::Incoming;
use postrider_office::{Office, OfficeError, Outcome};
use postrider_store::{HostStore, MailFolder, Queue, StoreError, bring_in};
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

/// Interval at which the inbox is checked without a notification.
const LOOK: Duration = Duration::from_millis(100);

/// Interval at which due games are looked up.
const TICK: Duration = Duration::from_secs(30);

/// Interval at which the office checks for undelivered letters to report to the host, which it does
/// at most once a day.
const TELL_HOST: Duration = Duration::from_secs(600);

/// Time that a mail waits for the DNS lookup of its signatures before other mails are processed
/// first. The lookup continues meanwhile.
const LOOKUP: Duration = Duration::from_millis(500);

/// The parameters of the worker.
pub(super) struct Work {
    pub common: Common,
    pub woken: Receiver<Woken>,
    /// Wakes the sender of letters.
    pub sender: Sender<Woken>,
}

/// The worker with its state.
struct Worker {
    office: Office,
    /// The same store as the office's, with more methods.
    kept: HostStore,
    state: Arc<State>,
    sender: Sender<Woken>,
    /// Mails that failed.
    resting: Resting,
    /// Games that are due but not processed yet.
    due: VecDeque<String>,
    /// Games that cannot be opened, each with the reason.
    faults: BTreeMap<String, String>,
    /// The time of the last check for undelivered letters to report to the host.
    told_host: Option<Instant>,
}

/// Processes mails and due games until the process ends.
///
/// # Errors
///
/// Returns [`ServeError`] if the office cannot be opened, or if the contents of the disk are
/// uncertain after an error.
pub(super) fn work(work: Work) -> Result<(), ServeError> {
    let Work { common: Common { host, store, catalog, environment, state }, woken, sender } = work;
    let mut watch = Watch::of(&host, &store, Queue::In)?;
    // With a database, the local mail system still delivers to this folder, from which mails are
    // moved to the database.
    let mut folder =
        (!host.keeps_files()).then(|| host.mail(MailFolder::In)).transpose()?.map(|folder| FolderWatch::of(&folder));
    let resolver = host.settings.resolver;
    let kept = store.clone();
    let mut office = Office::with_store(store.clone().boxed(), host, store.shelf(catalog), environment)?;
    // Without a name server, the first mail that needs one reports it.
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
            Ok(()) if worker.resting.by_system() => {}
            Ok(()) => worker.state.works("worker"),
            Err(why) if why.is_fatal() => return Err(why.into()),
            // The operation is tried again: nothing is lost, and the disk may have space again.
            Err(why) => {
                worker.state.fails("worker", &why.to_string());
                worker.office.close_games();
                std::thread::sleep(FAULT);
            }
        }
        // A mail never waits for more than one due game.
        let wait = if worker.due.is_empty() || worker.resting.by_system() { LOOK } else { Duration::ZERO };
        let told = woken.recv_timeout(wait).is_ok();
        while woken.try_recv().is_ok() {}
        let brought = folder.as_mut().is_some_and(FolderWatch::changed) && worker.bring_in();
        look = watch.changed() || told || brought || worker.resting.is_over(Instant::now());
    }
    Ok(())
}

impl Worker {
    /// Processes new mails, and one game that is due.
    fn turn(&mut self, look: bool, ticked: &mut Option<Instant>) -> Result<(), OfficeError> {
        if look {
            self.take_in()?;
        }
        if ticked.is_none_or(|at| at.elapsed() >= TICK) && self.due.is_empty() {
            *ticked = Some(Instant::now());
            match self.office.check_clock(false)? {
                Some(why) => {
                    self.state.fails("clock", &format!("{why}; `postrider tick --clock-is-right` confirms it"));
                }
                None => self.state.works("clock"),
            }
            self.due = self.office.due()?.into();
            self.office.sweep()?;
            if self.told_host.is_none_or(|at| at.elapsed() >= TELL_HOST) {
                self.told_host = Some(Instant::now());
                self.office.tell_host()?;
            }
            let known: BTreeSet<_> = self.due.iter().collect();
            // A game that cannot be opened stays due.
            self.faults.retain(|game, _| known.contains(game));
            let (store, letters) = (self.office.store(), self.office.store().waiting()?.len());
            self.state.ticked(store.games()?.len(), self.faults.len(), letters);
            if let Some(pulse) = self.kept.pulse()? {
                self.state.feels(pulse);
            }
        }
        // A mail that came in time is not overtaken by its deadline.
        if self.resting.by_system() {
            return Ok(());
        }
        match self.due.pop_front() {
            Some(game) => self.tick(game),
            None => Ok(()),
        }
    }

    fn tick(&mut self, game: String) -> Result<(), OfficeError> {
        let seen = self.office.tick_due(&game)?;
        // Letters may have been written even if no deadline was due.
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

    /// Processes all waiting mails, oldest first, until none is left or the process is to end. A
    /// mail does not overtake an earlier one of its author that rests.
    fn take_in(&mut self) -> Result<(), OfficeError> {
        let mails = self.office.store().inbox()?;
        let still: BTreeSet<_> = mails.iter().collect();
        self.resting.retain(|mail| still.contains(mail));
        let (mut left, mut fault) = (mails.len(), Ok(()));
        let mut held = BTreeSet::new();
        self.state.waiting(left);
        for mail in &mails {
            if self.state.stops() {
                break;
            }
            self.state.alive();
            let behind = !held.is_empty() && self.author(mail).is_some_and(|author| held.contains(&author));
            if !behind && !self.resting.rests(mail, Instant::now()) {
                match self.take(mail) {
                    Ok(true) => {
                        left -= 1;
                        self.resting.retain(|other| other != mail);
                    }
                    Ok(false) => {}
                    Err(why) if self.resting.holds(mail) => fault = fault.and(Err(why)),
                    Err(why) => return Err(why),
                }
                self.state.waiting(left);
                let _ = self.sender.send(Woken);
            }
            if self.resting.holds(mail) {
                held.extend(self.author(mail));
            }
        }
        fault
    }

    /// Returns the author of a waiting mail.
    fn author(&self, mail: &str) -> Option<String> {
        let raw = self.office.store().read(mail).ok()?;
        Incoming::parse(&raw).ok()?.author().map(str::to_ascii_lowercase)
    }

    /// Processes a mail; returns `true` if it has left the inbox.
    fn take(&mut self, mail: &str) -> Result<bool, OfficeError> {
        let began = Instant::now();
        // No mail may end the service, whatever errors it causes.
        let taken = catch_unwind(AssertUnwindSafe(|| self.office.receive_waiting(mail)));
        let processed = match taken {
            Ok(Ok(Some(processed))) => processed,
            Ok(Ok(None)) => return Ok(true),
            Ok(Err(why)) if why.is_fatal() => return Err(why),
            // An unavailable database is not the fault of the mail.
            Ok(Err(why @ OfficeError::Store(StoreError::Database { .. } | StoreError::Unsafe { .. }))) => {
                return Err(why);
            }
            Ok(Err(why)) => {
                self.office.close_games();
                self.resting.failed(mail, Reason::System, Instant::now());
                return Err(why);
            }
            Err(_) => {
                self.office.close_games();
                self.resting.failed(mail, Reason::Mail, Instant::now());
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
            self.resting.failed(mail, Reason::Game, Instant::now());
        }
        Ok(!kept)
    }

    /// Moves mails from the folder's own inbox to the store; returns `true` if there were any.
    fn bring_in(&self) -> bool {
        match bring_in(self.office.host(), self.office.store()) {
            Ok(count) => count > 0,
            Err(why) => {
                self.state.fails("worker", &why.to_string());
                false
            }
        }
    }
}
