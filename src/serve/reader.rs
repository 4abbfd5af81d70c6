//! The reader: the one thread that makes the pages of games, so that neither mails nor other
//! connections wait for them. It only reads, as any command may do at any time.

use super::{Common, GAMES_CONNECTIONS, error::ServeError, state::State};
use chrono::{DateTime, Utc};
use hyper::body::Bytes;
use postrider_dice::{Hash, sha256};
use postrider_mail::Token;
use postrider_office::{Office, OfficeError};
use postrider_page::{HostView, Row, calendar, list};
use postrider_replay::Catalog;
use postrider_store::{GameStatus, Listed, Mark, StoreError, Watching};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    time::{Duration, Instant},
};
use tokio::sync::{oneshot, watch};

/// Maximum number of requests that wait for the reader: as many as there are connections.
const QUEUE: usize = GAMES_CONNECTIONS;

/// Interval at which journals are checked for new entries while a client watches.
const LOOK: Duration = Duration::from_secs(1);

/// Time for which the list of games counts as current.
const LIST: Duration = Duration::from_secs(2);

/// Maximum size of all pages kept, in bytes.
const KEPT: usize = 64 * 1024 * 1024;

/// Something to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The list of the games.
    List,
    /// The host's own page.
    Host,
    /// The page of a game for spectators.
    Page(String),
    /// The feed of a game.
    Feed(String),
    /// A check that there is a game whose events can be streamed.
    Events(String),
    /// The calendar of the seat to which the token belongs.
    Calendar(String, Token),
}

/// The result of a request to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The content, and a tag that changes with it.
    Content(Bytes, String),
    /// It does not exist.
    Nothing,
    /// It cannot be read now.
    Later,
}

/// A request with the place for its result.
pub(super) struct Ask {
    wanted: Wanted,
    found: oneshot::Sender<Found>,
}

/// The handle through which others use the reader.
#[derive(Clone)]
pub(super) struct Desk {
    asks: SyncSender<Ask>,
    watched: Arc<Watched>,
}

/// The games that clients watch, each with the number of its newest entry; 0 until it is known.
#[derive(Debug, Default)]
pub(super) struct Watched(Mutex<BTreeMap<String, watch::Sender<u64>>>);

impl Watched {
    fn games(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, watch::Sender<u64>>> {
        // The map is valid after any panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    /// Returns the handle of a reader, and the parameters with which that reader works.
    pub fn new() -> (Desk, Receiver<Ask>, Arc<Watched>) {
        let (asks, asked) = sync_channel(QUEUE);
        let watched = Arc::new(Watched::default());
        (Desk { asks, watched: Arc::clone(&watched) }, asked, watched)
    }

    /// Reads something. If too many wait already, it cannot be read now.
    pub async fn ask(&self, wanted: Wanted) -> Found {
        let (found, answer) = oneshot::channel();
        match self.asks.try_send(Ask { wanted, found }) {
            Ok(()) => answer.await.unwrap_or(Found::Later),
            Err(_) => Found::Later,
        }
    }

    /// Watches a game for new entries.
    pub fn watch(&self, game: &str) -> watch::Receiver<u64> {
        self.watched.games().entry(game.to_owned()).or_insert_with(|| watch::channel(0).0).subscribe()
    }
}

/// The parameters of the reader.
pub(super) struct Work {
    pub common: Common,
    pub asked: Receiver<Ask>,
    pub watched: Arc<Watched>,
}

/// The pages of a game at some mark. Requests that find it unchanged do not open the game, not even
/// those with a wrong token.
struct Kept {
    mark: Mark,
    page: (Bytes, String),
    feed: (Bytes, String),
    status: GameStatus,
    /// The seats by the hashes of their calendars' tokens. Hashes are compared, so that the time
    /// reveals nothing about a token.
    calendars: BTreeMap<Hash, String>,
}

fn of_token(token: Token) -> Hash {
    sha256(token.to_string().as_bytes())
}

/// Returns a content with its tag: its hash. Nothing but the content may change the tag, because a
/// mark changes with secrets too.
fn tagged(content: String) -> (Bytes, String) {
    let hash = sha256(content.as_bytes());
    (content.into(), hash.to_string())
}

/// The reader with its state.
struct Reader {
    office: Office,
    catalog: Catalog,
    state: Arc<State>,
    /// `true` if anyone may watch games and know the players' names.
    named: bool,
    kept: BTreeMap<String, Kept>,
    listed: Option<(Instant, Bytes)>,
    /// The last known status of each game, shown while the game is being changed.
    known: RefCell<BTreeMap<String, GameStatus>>,
    watched: Arc<Watched>,
    /// The watched games as they were when they were last looked at.
    seen: BTreeMap<String, Mark>,
}

/// Answers requests until the process ends.
///
/// # Errors
///
/// Returns [`ServeError`] if the office cannot be opened.
pub(super) fn read(work: Work) -> Result<(), ServeError> {
    let Work { common: Common { host, store, catalog, environment, state }, asked, watched } = work;
    let catalog = store.shelf(catalog);
    let named = host.settings.watching == Watching::Anyone;
    let office = Office::with_store(store.boxed(), host, catalog.clone(), environment)?;
    let (kept, listed, seen) = Default::default();
    let known = RefCell::default();
    let mut reader = Reader { office, catalog, state, named, kept, listed, known, watched, seen };
    let mut looked = Instant::now();
    while !reader.state.stops() {
        match asked.recv_timeout(LOOK) {
            Ok(Ask { wanted, found }) => {
                let answer = reader.careful(&format!("{wanted:?}"), |reader| reader.find(&wanted));
                // The client may have disconnected meanwhile.
                let _ = found.send(answer.unwrap_or(Found::Later));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if looked.elapsed() >= LOOK {
            reader.look();
            looked = Instant::now();
        }
    }
    Ok(())
}

impl Reader {
    /// Does something that must not end the process, whatever errors it causes. Games that were
    /// opened for it are closed: their pages are kept instead.
    fn careful<T>(&mut self, what: &str, work: impl FnOnce(&mut Reader) -> Result<T, OfficeError>) -> Option<T> {
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        self.office.close_games();
        match done {
            Ok(Ok(done)) => Some(done),
            Ok(Err(why)) => {
                tracing::warn!(what, %why, "cannot be shown");
                None
            }
            Err(_) => {
                tracing::error!(what, "broke the program and is not shown");
                None
            }
        }
    }

    fn find(&mut self, wanted: &Wanted) -> Result<Found, OfficeError> {
        let found = |content: &Bytes, tag: &str| Found::Content(content.clone(), tag.to_owned());
        let untagged = |content: String| Found::Content(content.into(), String::new());
        Ok(match wanted {
            Wanted::List => {
                let fresh = self.listed.take().filter(|(at, _)| at.elapsed() < LIST);
                let (at, bytes) = match fresh {
                    Some(fresh) => fresh,
                    None => (Instant::now(), self.list(None)?.into()),
                };
                self.listed = Some((at, bytes.clone()));
                Found::Content(bytes, String::new())
            }
            Wanted::Host => {
                let store = self.office.store();
                let (undelivered, poisoned) = (store.undelivered()?, store.poisoned()?);
                untagged(self.list(Some(&HostView { state: self.state.page(), undelivered, poisoned }))?)
            }
            Wanted::Page(game) => {
                self.kept(game)?.map_or(Found::Nothing, |Kept { page: (page, tag), .. }| found(page, tag))
            }
            Wanted::Feed(game) => {
                self.kept(game)?.map_or(Found::Nothing, |Kept { feed: (feed, tag), .. }| found(feed, tag))
            }
            Wanted::Events(game) if self.is_there(game)? => untagged(String::new()),
            Wanted::Events(_) => Found::Nothing,
            Wanted::Calendar(game, token) => {
                let (domain, now) = (self.domain(), self.now());
                let Some(Kept { status, calendars, .. }) = self.kept(game)? else { return Ok(Found::Nothing) };
                match calendars.get(&of_token(*token)) {
                    Some(seat) => untagged(calendar(game, seat, status, &domain, now)),
                    None => Found::Nothing,
                }
            }
        })
    }

    fn now(&mut self) -> DateTime<Utc> {
        self.office.environment().now()
    }

    fn domain(&self) -> String {
        let address = &self.office.host().settings.address;
        address.rsplit_once('@').map_or(address.as_str(), |(_, domain)| domain).to_owned()
    }

    fn is_there(&self, game: &str) -> Result<bool, StoreError> {
        Ok(self.kept.contains_key(game) || self.office.store().journal(game)?.is_some())
    }

    /// Returns the current pages of a game; `None` if there is no such game.
    fn kept(&mut self, game: &str) -> Result<Option<&Kept>, OfficeError> {
        if !self.is_there(game)? {
            return Ok(None);
        }
        let mark = self.office.store().mark(game)?;
        if mark.head.is_none() {
            return Ok(None);
        }
        if self.kept.get(game).is_none_or(|kept| kept.mark != mark) {
            let domain = self.domain();
            let mut terminal = self.office.terminal(game);
            let page = terminal.page(None, self.named)?;
            let (page, feed) = (tagged(page.live_html()?), tagged(page.feed(&domain)?));
            let calendars = terminal.calendars()?.into_iter().map(|(token, seat)| (of_token(token), seat)).collect();
            let kept = Kept { mark, page, feed, status: terminal.status()?, calendars };
            let size = |kept: &Kept| kept.page.0.len() + kept.feed.0.len();
            if self.kept.values().map(size).sum::<usize>() + size(&kept) > KEPT {
                self.kept.clear();
            }
            self.kept.insert(game.to_owned(), kept);
        }
        Ok(self.kept.get(game))
    }

    /// Returns the list of all games, with `view` as the host sees it. No game is opened for it.
    fn list(&self, view: Option<&HostView>) -> Result<String, OfficeError> {
        let mut known = self.known.borrow_mut();
        let row = |Listed { game, status }: Listed| match status.or_else(|| known.get(&game).cloned()) {
            Some(status) => {
                known.insert(game.clone(), status.clone());
                let title =
                    self.catalog.ruleset(&status.ruleset).map_or(status.ruleset.as_str(), |rules| rules.title());
                Row::of(&game, title, &status, self.named || view.is_some())
            }
            None => Row::unopened(&game, "it cannot be read at the moment".to_owned()),
        };
        let rows: Vec<Row> = self.office.store().listed()?.into_iter().map(row).collect();
        let settings = &self.office.host().settings;
        Ok(list((&settings.name, &settings.address), &rows, view)?)
    }

    /// Notifies the clients that watch games of new entries.
    fn look(&mut self) {
        let watched = Arc::clone(&self.watched);
        let games: Vec<String> = {
            let mut games = watched.games();
            games.retain(|_, sender| sender.receiver_count() > 0);
            games.keys().cloned().collect()
        };
        self.seen.retain(|game, _| games.contains(game));
        for game in games {
            let head = self.careful(&game, |reader| {
                let mark = reader.office.store().mark(&game)?;
                if reader.seen.get(&game) == Some(&mark) {
                    return Ok(None);
                }
                let head = reader.office.terminal(&game).glance()?.head;
                reader.seen.insert(game.clone(), mark);
                Ok(Some(head))
            });
            if let (Some(Some(head)), Some(sender)) = (head, watched.games().get(&game)) {
                sender.send_if_modified(|known| std::mem::replace(known, head) != head);
            }
        }
    }
}
