#![doc = include_str!("README.md")]

mod error;
mod games;
mod http;
mod imap;
mod inbox;
mod listen;
mod lmtp;
mod reader;
mod resting;
mod room;
mod sender;
mod state;
mod status;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tls;
mod trial;
mod worker;

pub use self::{
    error::ServeError,
    trial::{did_not_come, mail_to_oneself, try_mailbox, try_sending},
};

use self::{
    games::Games,
    imap::{Mailbox, Turn},
    inbox::Inbox,
    listen::Listener,
    lmtp::Taker,
    reader::Desk,
    sender::Way,
    state::State,
    status::StatusPage,
    worker::Work,
};
use postrider_office::{Environment, OfficeError, open_store};
use postrider_replay::Catalog;
use postrider_store::{Host, HostStore, Sending, StoreError};
use std::{
    sync::{Arc, Mutex, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

/// Maximum time to finish the current mail and game at shutdown.
const END: Duration = Duration::from_secs(8);

/// Interval at which a database that cannot be used at the start is tried again.
const DATABASE: Duration = Duration::from_secs(2);

/// Maximum time to finish the current letter at shutdown; an unresponsive mail server is not waited
/// for.
const LAST_LETTER: Duration = Duration::from_secs(3);

/// Maximum number of simultaneous connections to the status page and to the pages of the games.
const STATUS_CONNECTIONS: usize = 16;
const GAMES_CONNECTIONS: usize = 64;

/// Serves a host's folder until the process is told to end (SIGTERM, SIGINT) or cannot continue.
///
/// # Errors
///
/// Returns [`ServeError`]. The most severe errors state that nothing more may be done with the
/// folder before the next start.
pub fn serve(host: &Host, catalog: Catalog, environment: Environment) -> Result<(), ServeError> {
    // The message of a panic may repeat what a mail or a server said.
    std::panic::set_hook(Box::new(|panicked| {
        let place = panicked.location().map(ToString::to_string);
        tracing::error!(place, "a thread met a bug");
    }));
    let _serving = host.lock_serving()?;
    let mut environment = environment;
    // The store must outlive the runtime, in which a database connection cannot be closed.
    let store = open_when_there(host, &mut environment)?;
    let turn: Option<Turn> = store.turn("imap").map(|turn| Arc::new(Mutex::new(turn)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(run(host, &store, turn.clone(), catalog, environment));
    // Gives a thread that is writing a mail to the inbox time to finish.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Opens the store. Waits for a database that cannot be reached or used now, as during a failover.
fn open_when_there(host: &Host, environment: &mut Environment) -> Result<HostStore, ServeError> {
    let mut said = String::new();
    loop {
        match open_store(host, environment) {
            Err(OfficeError::Store(why @ (StoreError::Database { .. } | StoreError::Unsafe { .. }))) => {
                let why = why.to_string();
                if why != said {
                    tracing::error!(why, "waiting for the database");
                    said = why;
                }
                thread::sleep(DATABASE);
            }
            opened => return Ok(opened?),
        }
    }
}

/// The data given to a thread that opens games.
struct Common {
    host: Host,
    store: HostStore,
    catalog: Catalog,
    environment: Environment,
    state: Arc<State>,
}

async fn run(
    host: &Host,
    store: &HostStore,
    turn: Option<Turn>,
    catalog: Catalog,
    environment: Environment,
) -> Result<(), ServeError> {
    // Registered first, so that a signal during startup also leads to an orderly shutdown.
    let mut signals = Signals::registered()?;
    let state = Arc::new(State::new());
    let (wake_worker, worker_woken) = mpsc::channel();
    let (wake_sender, sender_woken) = mpsc::channel();
    let inbox = Inbox::of(store.clone(), Arc::clone(&state), wake_worker);
    // All settings are checked before anything starts.
    let settings = &host.settings;
    let sending = Sending::of(host)?;
    let status = match &settings.status_page {
        Some(address) => Some(Listener::bind(host.root(), address).await?),
        None => None,
    };
    let (desk, asked, watched) = Desk::new();
    let games = match &settings.http_page {
        Some(address) => Some((Listener::bind(host.root(), address).await?, Games::of(host, desk)?)),
        None => None,
    };
    let lmtp = match &settings.mail_in.lmtp {
        Some(lmtp) => Some((Listener::bind(host.root(), &lmtp.listen).await?, lmtp.protocol)),
        None => None,
    };
    let mailbox = match &settings.mail_in.imap {
        Some(imap) => Some(Mailbox::of(host, imap, inbox.clone(), Arc::clone(&state), turn)?),
        None => None,
    };
    let (gone, mut ended) = watch::channel(());
    let mut threads = Vec::new();
    if let Some((listener, games)) = games {
        let (catalog, environment) = (catalog.clone(), environment.clock());
        let common =
            Common { host: host.clone(), store: store.clone(), catalog, environment, state: Arc::clone(&state) };
        let reading = reader::Work { common, asked, watched };
        threads.push(begin("reader", &gone, move || reader::read(reading))?);
        tokio::spawn(http::serve(listener, Arc::new(games), GAMES_CONNECTIONS));
    }
    let common = Common { host: host.clone(), store: store.clone(), catalog, environment, state: Arc::clone(&state) };
    let work = Work { common, woken: worker_woken, sender: wake_sender };
    threads.push(begin("worker", &gone, move || worker::work(work))?);
    let way = match sending {
        Some(sending) => {
            sending.begin_anew();
            Some(Way::Server(Box::new(sending)))
        }
        None => (!host.keeps_files()).then_some(Way::Folder),
    };
    if let Some(way) = way {
        let (host, store, state) = (host.clone(), store.clone(), Arc::clone(&state));
        state.works("sender");
        threads.push(begin("sender", &gone, move || Ok(sender::send(&host, &store, way, &state, &sender_woken)?))?);
    }
    drop(gone);
    if let Some((listener, protocol)) = lmtp {
        state.works("lmtp");
        let taker = Taker { inbox, addresses: Arc::new(host.addresses.clone()), protocol };
        tokio::spawn(lmtp::listen(listener, taker));
    }
    if let Some(mailbox) = mailbox {
        tokio::spawn(mailbox.watch());
    }
    if let Some(listener) = status {
        tokio::spawn(http::serve(listener, Arc::new(StatusPage(Arc::clone(&state))), STATUS_CONNECTIONS));
    }
    tracing::info!(process = std::process::id(), "serving");
    tokio::select! {
        () = signals.ends() => {}
        // A thread ended on its own.
        _ = ended.changed() => {}
    }
    tracing::info!("ending");
    state.stop();
    finish(threads, &mut signals).await
}

/// The signals that end the process.
struct Signals {
    term: Signal,
    int: Signal,
}

impl Signals {
    fn registered() -> std::io::Result<Signals> {
        Ok(Signals { term: signal(SignalKind::terminate())?, int: signal(SignalKind::interrupt())? })
    }

    /// Waits for one of them.
    async fn ends(&mut self) {
        tokio::select! {
            _ = self.term.recv() => {}
            _ = self.int.recv() => {}
        }
    }
}

/// Waits for the threads to finish their current work, for a limited time.
///
/// # Errors
///
/// Returns the error with which one of them ended.
async fn finish(threads: Vec<Running>, signals: &mut Signals) -> Result<(), ServeError> {
    let asked = Instant::now();
    let waits = |name: &str| asked.elapsed() < if name == "sender" { LAST_LETTER } else { END };
    while threads.iter().any(|(name, thread)| !thread.is_finished() && waits(name)) {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
            // A second signal ends the process at once.
            () = signals.ends() => break,
        }
    }
    for (name, thread) in threads {
        if thread.is_finished() {
            thread.join().map_err(|_| ServeError::Broken(name))??;
        } else {
            tracing::warn!(name, "is left in the middle of its work; it is taken up at the next start");
        }
    }
    tracing::info!("ended");
    Ok(())
}

/// A named thread.
type Running = (&'static str, JoinHandle<Result<(), ServeError>>);

/// Starts a named thread; `gone` is notified when it ends.
fn begin(
    name: &'static str,
    gone: &watch::Sender<()>,
    work: impl FnOnce() -> Result<(), ServeError> + Send + 'static,
) -> Result<Running, ServeError> {
    /// Sends the notification even if the thread panics.
    struct Tell(watch::Sender<()>);
    impl Drop for Tell {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let tell = Tell(gone.clone());
    let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
        let _tell = tell;
        work()
    })?;
    Ok((name, thread))
}
