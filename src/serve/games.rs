//! The pages of the host's games for web browsers. They are read only, and all links between them
//! are relative, so that another web server can show them under any path.

use super::{
    error::ServeError,
    http::{Answer, HTML, PLAIN, Site},
    reader::{Desk, Found, Wanted},
};
use data_encoding::BASE64;
use futures_util::stream::unfold;
use hyper::{HeaderMap, StatusCode, body::Bytes, header::AUTHORIZATION};
use postrider_dice::{Hash, sha256};
use postrider_journal::is_game_id;
use postrider_mail::Token;
use postrider_store::Host;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{Mutex, Semaphore, TryAcquireError, watch},
    time::{sleep, timeout},
};

/// The media types of feeds and calendars.
const ATOM: &str = "application/atom+xml; charset=utf-8";
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Maximum number of streams of events; other connections remain for requests.
const STREAMS: usize = 40;

/// Interval at which a stream without events shows that it is alive.
const ALIVE: Duration = Duration::from_secs(20);

/// Time that each wrong password costs. Others that are wrong wait for it too, at most [`GUESSES`];
/// more passwords are not compared meanwhile.
const WRONG: Duration = Duration::from_millis(500);
const GUESSES: usize = 8;

/// The pages of the games.
pub(super) struct Games {
    desk: Desk,
    /// The hash of the host's password; without one there is no page of the host.
    password: Option<Hash>,
    streams: Arc<Semaphore>,
    guesses: Mutex<()>,
    guessing: Semaphore,
}

impl Games {
    /// Creates the site of a host.
    ///
    /// # Errors
    ///
    /// Returns [`ServeError`] if the password cannot be read, or is empty.
    pub fn of(host: &Host, desk: Desk) -> Result<Games, ServeError> {
        let password = match &host.settings.http_password_file {
            None => None,
            Some(file) => {
                let path = host.root().join(file);
                let text = fs_err::read_to_string(&path)?;
                let word = text.lines().next().unwrap_or_default();
                if word.is_empty() {
                    return Err(ServeError::Password { file: path.display().to_string() });
                }
                Some(sha256(word.as_bytes()))
            }
        };
        let streams = Arc::new(Semaphore::new(STREAMS));
        Ok(Games { desk, password, streams, guesses: Mutex::default(), guessing: Semaphore::new(GUESSES) })
    }

    /// Answers a request for the host's page, if it has the password (RFC 7617), with any name.
    async fn of_host(&self, header: &HeaderMap) -> Answer {
        let Some(said) = header.get(AUTHORIZATION).and_then(|said| said.to_str().ok()) else { return Answer::who() };
        let Ok(_guess) = self.guessing.try_acquire() else { return Answer::later() };
        let coded = said.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
        let pair = coded.and_then(|(_, pair)| BASE64.decode(pair.trim().as_bytes()).ok()).unwrap_or_default();
        let word = pair.iter().position(|&byte| byte == b':').map_or(&[][..], |colon| &pair[colon + 1..]);
        // Hashes are compared, so the time tells nothing of the password.
        if self.password == Some(sha256(word)) {
            return self.found((Wanted::Host, HTML), header).await;
        }
        let _alone = self.guesses.lock().await;
        sleep(WRONG).await;
        Answer::who()
    }

    async fn of_game(&self, game: &str, rest: Option<&str>, header: &HeaderMap) -> Answer {
        let wanted = match rest {
            None => return Answer::elsewhere(&format!("{game}/")),
            Some("") => (Wanted::Page(game.to_owned()), HTML),
            Some("feed.atom") => (Wanted::Feed(game.to_owned()), ATOM),
            Some("events") => return self.events(game).await,
            Some(rest) => {
                let word = rest.strip_prefix("calendar/").and_then(|rest| rest.strip_suffix(".ics"));
                let Some(token) = word.and_then(|word| word.parse::<Token>().ok()) else { return nothing() };
                (Wanted::Calendar(game.to_owned(), token), CALENDAR)
            }
        };
        self.found(wanted, header).await
    }

    async fn found(&self, (wanted, kind): (Wanted, &'static str), header: &HeaderMap) -> Answer {
        match self.desk.ask(wanted).await {
            Found::Content(content, tag) if tag.is_empty() => Answer::text(StatusCode::OK, kind, content),
            Found::Content(content, tag) => Answer::tagged(kind, content, &tag, header),
            Found::Nothing => nothing(),
            Found::Later => Answer::later(),
        }
    }

    /// Answers with the stream of a game's new entries: their numbers.
    async fn events(&self, game: &str) -> Answer {
        match self.desk.ask(Wanted::Events(game.to_owned())).await {
            Found::Content(..) => {}
            Found::Nothing => return nothing(),
            Found::Later => return Answer::later(),
        }
        let permit = match Arc::clone(&self.streams).try_acquire_owned() {
            Ok(permit) => permit,
            Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => return Answer::later(),
        };
        let mut heads = self.desk.watch(game);
        // The number that is known already is an event too.
        heads.mark_changed();
        Answer::stream(unfold((heads, permit), |(mut heads, permit)| async {
            let event = next(&mut heads).await?;
            Some((event, (heads, permit)))
        }))
    }
}

/// Returns the next event of a stream; `None` at the end of the process.
async fn next(heads: &mut watch::Receiver<u64>) -> Option<Bytes> {
    loop {
        match timeout(ALIVE, heads.changed()).await {
            Ok(Ok(())) => {
                let head = *heads.borrow_and_update();
                if head > 0 {
                    return Some(format!("data: {head}\n\n").into());
                }
            }
            Ok(Err(_)) => return None,
            Err(_) => return Some(Bytes::from_static(b": still here\n\n")),
        }
    }
}

fn nothing() -> Answer {
    Answer::nothing("there is no such page\n")
}

impl Site for Games {
    async fn answer(&self, path: &str, header: &HeaderMap) -> Answer {
        match path {
            "/" => self.found((Wanted::List, HTML), header).await,
            "/robots.txt" => Answer::text(StatusCode::OK, PLAIN, "User-agent: *\nDisallow: /\n"),
            "/host" if self.password.is_some() => self.of_host(header).await,
            _ => {
                let Some(rest) = path.strip_prefix("/games/") else { return nothing() };
                let (game, rest) = rest.split_once('/').map_or((rest, None), |(game, rest)| (game, Some(rest)));
                if is_game_id(game) { self.of_game(game, rest, header).await } else { nothing() }
            }
        }
    }
}
