//! The worker, the one thread that processes mails in sequence and handles deadlines.

use super::{
    Common,
    error::ServeError,
    inbox::{FolderWatch, Watch, Woken},
    resting::{FAULT, MOST_UNREAD, Reason, Resting},
    state::{State, name},
};
use postrider_mail::Incoming;
use postrider_office::{Held, Office, OfficeError, Outcome, Passing};
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

/// The time for which deadlines of a game are held for mails that rest, so that nobody can stop
/// them for good.
const LONGEST_HOLD: Duration = Duration::from_secs(24 * 3_600);

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
    /// The games in which a due deadline does not pass because a mail waits to be tried again, each
    /// with the time since when.
    held: BTreeMap<String, Instant>,
    /// The time of the last check for undelivered letters to report to the host.
    told_host: Option<Instant>,
    /// The time of the last look at all games; `None` after an error, so that the next turn looks
    /// at everything again. The worker counts as working only after that has succeeded.
    ticked: Option<Instant>,
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
    let mut worker = Worker::of(office, kept, state, sender);
    let mut look = true;
    while !worker.state.stops() {
        worker.state.alive();
        match worker.turn(look) {
            Ok(()) if worker.resting.by_system() => {}
            Ok(()) => worker.state.works("worker"),
            Err(why) if why.is_fatal() => return Err(why.into()),
            // The operation is tried again: nothing is lost, and the disk may have space again.
            Err(why) => {
                worker.state.fails("worker", &why.to_string());
                // Old measurements would say that all is well.
                worker.state.feels(None);
                worker.office.close_games();
                std::thread::sleep(FAULT);
            }
        }
        // A mail never waits for more than one due game.
        let wait = if worker.due.is_empty() || worker.resting.by_system() { LOOK } else { Duration::ZERO };
        let told = woken.recv_timeout(wait).is_ok();
        while woken.try_recv().is_ok() {}
        let local = folder.as_mut().is_some_and(FolderWatch::changed) && worker.bring_in();
        look = watch.changed() || told || local || worker.resting.is_over(Instant::now());
    }
    Ok(())
}

impl Worker {
    fn of(office: Office, kept: HostStore, state: Arc<State>, sender: Sender<Woken>) -> Worker {
        let (resting, due, faults, held, told_host, ticked) = Default::default();
        Worker { office, kept, state, sender, resting, due, faults, held, told_host, ticked }
    }

    /// Processes new mails, and one game that is due.
    fn turn(&mut self, look: bool) -> Result<(), OfficeError> {
        let ticked = self.ticked.take();
        if look || ticked.is_none() {
            self.take_in()?;
        }
        let ticked = match ticked.filter(|at| at.elapsed() < TICK || !self.due.is_empty()) {
            Some(at) => at,
            None => self.look_at_all()?,
        };
        // A mail that came in time is not overtaken by its deadline.
        if !self.resting.by_system()
            && let Some(game) = self.due.pop_front()
        {
            self.tick(game)?;
        }
        self.ticked = Some(ticked);
        Ok(())
    }

    /// Checks the clock, finds the games that are due, and reports its state. Returns the time.
    fn look_at_all(&mut self) -> Result<Instant, OfficeError> {
        let now = Instant::now();
        // Some may have failed before.
        self.bring_in();
        match self.office.check_clock(false)? {
            Some(doubt) => self.state.fails("clock", &doubt.to_string()),
            None => self.state.works("clock"),
        }
        self.due = self.office.due()?.into();
        self.office.sweep()?;
        if self.told_host.is_none_or(|at| at.elapsed() >= TELL_HOST) {
            self.told_host = Some(now);
            self.office.tell_host()?;
        }
        let known: BTreeSet<_> = self.due.iter().collect();
        // A game that cannot be opened stays due.
        self.faults.retain(|game, _| known.contains(game));
        let (store, letters) = (self.office.store(), self.office.store().waiting()?.len());
        self.state.ticked(store.games()?.len(), self.faults.len(), letters);
        self.state.feels(self.kept.pulse()?);
        Ok(now)
    }

    fn tick(&mut self, game: String) -> Result<(), OfficeError> {
        let now = Instant::now();
        let waited = self.held.get(&game).is_some_and(|since| now.duration_since(*since) >= LONGEST_HOLD);
        let held = if waited { Held::Nobody } else { self.resting.holds_in(&game) };
        let seen = self.office.tick_due(&game, &held)?;
        // Letters may have been written even if no deadline was due.
        let _ = self.sender.send(Woken);
        let Some(why) = seen.fault else {
            self.faults.remove(&game);
            self.resting.wake(&game, now);
            match seen.waits {
                true => _ = self.held.entry(game).or_insert(now),
                false => _ = self.held.remove(&game),
            }
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
        let unread = self.resting.has_unread();
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
        if unread && !self.resting.has_unread() {
            self.state.works("inbox");
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
        let Outcome::Kept { fault, why } = processed.outcome else { return Ok(true) };
        let reason = match fault {
            Passing::Mail => {
                self.state.fails("inbox", &why);
                if self.resting.failed(mail, Reason::Unread, Instant::now()) < MOST_UNREAD {
                    return Ok(false);
                }
                // If it cannot be moved either, it stays, and is tried every hour.
                return Ok(self.office.set_aside(mail, &why).unwrap_or_else(|why| {
                    tracing::error!(mail, %why, "a mail that cannot be read cannot be put aside");
                    false
                }));
            }
            Passing::Game => Reason::Game(processed.game),
            // A director's mail may concern every seat.
            Passing::Lookup => {
                let held = processed.seat.map_or(Held::All, |seat| Held::Seats([seat].into()));
                Reason::Lookup(processed.game, held)
            }
        };
        self.resting.failed(mail, reason, Instant::now());
        Ok(false)
    }

    /// Moves mails from the folder's own inbox to a database; returns `true` if there were any.
    fn bring_in(&self) -> bool {
        if self.office.host().keeps_files() {
            return false;
        }
        match bring_in(self.office.host(), self.office.store()) {
            Ok(count) => {
                self.state.works("mail/in");
                count > 0
            }
            Err(why) => {
                self.state.fails("mail/in", &why.to_string());
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};
    use postrider_mail::{DkimKey, Keys};
    use postrider_office::{Environment, Invitee, NewGame};
    use postrider_replay::{AtFlag, Catalog, Terms};
    use postrider_store::Host;
    use postrider_test_games::auction::TOYS;
    use std::{fs, sync::mpsc};
    use tempfile::TempDir;

    const GAME: &str = "lone-pine";

    /// A worker that takes its turns when the test says so.
    struct Table {
        _folder: TempDir,
        worker: Worker,
        key: DkimKey,
        /// The letters with the first question, by seat.
        asked: [String; 2],
        mails: u32,
        _woken: mpsc::Receiver<Woken>,
    }

    /// Opens a game in which Anna and Ben have 72 hours, of which 71 have passed.
    fn table(settings: &str) -> Table {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("postrider.toml"), settings).unwrap();
        let host = Host::open_or_create(folder.path()).unwrap();
        let store = HostStore::open(&host).unwrap();
        let start = Utc.with_ymd_and_hms(2026, 11, 20, 18, 30, 0).unwrap();
        let (catalog, environment) = (store.shelf(Catalog::new(TOYS)), Environment::fixed(7, start));
        let mut office = Office::with_store(store.clone().boxed(), host, catalog, environment).unwrap();
        let player = |text: &str| text.parse::<Invitee>().unwrap();
        let new = NewGame {
            ruleset: "auction".into(),
            id: Some(GAME.into()),
            players: vec![player("Anna <anna@example.net>"), player("Ben <ben@example.net>")],
            join_all: true,
            clock: Some(Terms { at_flag: AtFlag::Play, ..Terms::new("72h").unwrap() }),
            ..NewGame::default()
        };
        office.new_game(&new).unwrap();
        let letters = office.host().mail(MailFolder::Out).unwrap().list().unwrap();
        let asked = ["A", "B"].map(|seat| {
            let letter = letters.iter().find(|letter| letter.unique.starts_with(&format!("{GAME}.{seat}.")));
            fs::read_to_string(&letter.unwrap().path).unwrap().replace("\r\n", "\n").replace("\n ", " ")
        });
        let key = DkimKey::new("example.net", "s", DkimKey::new_pem().unwrap().as_bytes()).unwrap();
        let (sender, woken) = mpsc::channel();
        let mut worker = Worker::of(office, store, Arc::new(State::new()), sender);
        worker.turn(true).unwrap();
        worker.office.environment().advance(71 * 3_600);
        Table { _folder: folder, worker, key, asked, mails: 0, _woken: woken }
    }

    impl Table {
        /// Puts an answer into the inbox, by the seat with this number and signed by its domain.
        fn answers(&mut self, seat: usize, text: &str) {
            let letter = &self.asked[seat];
            let field = |name: &str| letter.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            let author = ["anna", "ben"][seat];
            let raw = format!(
                "From: {author}@example.net\r\nTo:{}\r\nSubject: Re: x\r\nMessage-ID: <{}@x.example>\r\n\r\n{text}\r\n",
                field("Reply-To:"),
                self.mails
            );
            let unique = format!("{}.M{}", self.worker.office.environment().now().timestamp(), self.mails);
            self.mails += 1;
            self.worker.office.store().comes_in(&unique, &self.key.sign(raw.as_bytes()).unwrap()).unwrap();
        }

        /// Lets name servers answer, or not.
        fn name_servers(&mut self, answer: bool) {
            let keys = if answer { Keys::of(&[(&self.key.name(), self.key.record())]) } else { Keys::silent() };
            self.worker.office.look_up_by(Box::new(keys));
        }

        /// Lets hours pass, looks at the inbox, and sees to the game if it is due.
        fn turn(&mut self, hours: i64) {
            self.worker.office.environment().advance(hours * 3_600);
            self.worker.ticked = None;
            self.worker.turn(true).unwrap();
        }

        fn inbox(&self) -> usize {
            self.worker.office.store().inbox().unwrap().len()
        }

        /// Returns the seats whose deadline has passed, and those that answered by mail.
        fn passed_and_answered(&self) -> [Vec<&'static str>; 2] {
            let journal = fs::read_to_string(self.worker.office.host().journal(GAME)).unwrap();
            [r#""event":"expired""#, r#""words":""#].map(|what| {
                let lines = || journal.lines().filter(|line| line.contains(what));
                { ["A", "B"].into_iter() }
                    .filter(|seat| lines().any(|line| line.contains(&format!(r#""seat":"{seat}""#))))
                    .collect()
            })
        }
    }

    const REQUIRED: &str = "sender_check = \"required\"\n";

    #[test]
    fn mails_that_wait_for_name_servers_hold_their_seats_deadline_and_their_order() {
        let mut table = table(REQUIRED);
        table.name_servers(false);
        table.answers(0, "bid 1");
        table.turn(0);
        table.answers(0, "tell ben: later");
        table.name_servers(true);
        table.turn(2);
        assert_eq!(table.inbox(), 2, "the second mail, which could be taken in, waits for the first");
        assert_eq!(table.passed_and_answered(), [vec!["B"], vec![]]);
        table.worker.resting.end_rests(Instant::now());
        table.turn(0);
        assert_eq!((table.inbox(), table.passed_and_answered()), (0, [vec!["B"], vec!["A"]]));
    }

    #[test]
    fn mails_for_a_game_that_could_not_be_opened_are_before_its_deadlines() {
        let mut table = table("");
        let path = table.worker.office.host().journal(GAME);
        let whole = fs::read_to_string(&path).unwrap();
        let (first, _) = whole.split_once('\n').unwrap();
        fs::write(&path, format!("{first}\n")).unwrap();
        table.worker.office.close_games();
        table.answers(0, "bid 1");
        table.turn(0);
        assert!(table.worker.resting.holds_in("red-mesa") == Held::Nobody);
        fs::write(&path, whole).unwrap();
        table.turn(2);
        assert_eq!((table.inbox(), table.passed_and_answered()), (1, [vec![], vec![]]));
        table.turn(0);
        assert_eq!((table.inbox(), table.passed_and_answered()), (0, [vec!["B"], vec!["A"]]));
    }

    #[test]
    fn a_silent_name_server_stops_a_deadline_for_a_day_and_no_longer() {
        let mut table = table(REQUIRED);
        table.name_servers(false);
        table.answers(0, "bid 1");
        table.turn(2);
        assert_eq!(table.passed_and_answered(), [vec!["B"], vec![]]);
        // A player with such a server could write again and again.
        *table.worker.held.get_mut(GAME).unwrap() -= LONGEST_HOLD;
        table.turn(0);
        assert_eq!((table.inbox(), table.passed_and_answered()), (1, [vec!["A", "B"], vec![]]));
        // After a day in the inbox the mail counts as unsigned.
        table.worker.resting.end_rests(Instant::now());
        table.turn(24);
        assert_eq!((table.inbox(), table.passed_and_answered()), (0, [vec!["A", "B"], vec![]]));
    }

    /// A file that cannot be read holds deadlines for a quarter of an hour, and is then put aside.
    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_be_read_stops_no_deadline_for_good() {
        let mut table = table("");
        let inbox = table.worker.office.host().mail(MailFolder::In).unwrap();
        // Even root cannot read a folder as a file.
        std::os::unix::fs::symlink(inbox.root(), inbox.root().join("new/1")).unwrap();
        table.answers(1, "bid 2");
        table.turn(2);
        assert_eq!((table.inbox(), table.passed_and_answered()), (1, [vec![], vec!["B"]]), "others do not wait");
        assert_ne!(table.worker.state.health(), crate::state::Health::Well);
        for tries in 2..=MOST_UNREAD {
            assert_eq!((table.inbox(), table.passed_and_answered()[0].len()), (1, 0), "{tries}");
            table.worker.resting.end_rests(Instant::now());
            table.turn(0);
        }
        assert_eq!((table.inbox(), table.passed_and_answered()), (0, [vec!["A"], vec!["B"]]));
        assert_eq!(table.worker.state.health(), crate::state::Health::Well);
        let told = table.worker.office.store().poisoned().unwrap();
        assert!(told.len() == 1 && told[0].unique == "1" && told[0].why.contains("directory"), "{told:?}");
    }

    /// While the store fails every turn fails, not only those that look at all games.
    #[test]
    fn a_store_that_fails_is_not_forgotten_until_it_works() {
        let mut table = table("");
        let journals = table.worker.office.host().root().join("journal");
        let aside = journals.with_extension("aside");
        fs::rename(&journals, &aside).unwrap();
        fs::write(&journals, "").unwrap();
        table.worker.ticked = None;
        for _ in 0..3 {
            assert!(table.worker.turn(false).is_err());
        }
        fs::remove_file(&journals).unwrap();
        fs::rename(&aside, &journals).unwrap();
        table.worker.turn(false).unwrap();
        assert!(table.worker.ticked.is_some());
    }

    /// A sender without a token, or with another address, holds nothing up.
    #[test]
    fn strangers_hold_no_deadline() {
        let mut table = table(REQUIRED);
        table.name_servers(false);
        let bens = table.asked[1].clone();
        for letter in [bens, "Reply-To: postrider@localhost\n".to_owned()] {
            table.asked[0] = letter;
            table.answers(0, "bid 1");
        }
        table.turn(2);
        assert_eq!((table.inbox(), table.passed_and_answered()), (0, [vec!["A", "B"], vec![]]));
    }
}
