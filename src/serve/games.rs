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
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::{Semaphore, TryAcquireError, watch},
    time::{sleep, timeout},
};

/// The media types of feeds and calendars.
const ATOM: &str = "application/atom+xml; charset=utf-8";
const CALENDAR: &str = "text/calendar; charset=utf-8";

/// Maximum number of streams of events; other connections remain for requests.
const STREAMS: usize = 40;

/// Interval at which a stream without events shows that it is alive.
const ALIVE: Duration = Duration::from_secs(20);

/// Time that each wrong password costs. Others from the same client that are wrong wait for it too,
/// at most [`GUESSES`]; more passwords from there are not compared meanwhile. So nobody else is
/// kept out.
const WRONG: Duration = Duration::from_millis(500);
const GUESSES: usize = 8;

/// The field by which a web server says who asks; the last address is its own word.
const FORWARDED: &str = "x-forwarded-for";

/// The pages of the games.
pub(super) struct Games {
    desk: Desk,
    /// The hash of the host's password; without one there is no page of the host.
    password: Option<Hash>,
    streams: Arc<Semaphore>,
    guessers: Mutex<BTreeMap<String, Weak<Guesser>>>,
}

/// A client that gives passwords now.
struct Guesser {
    alone: tokio::sync::Mutex<()>,
    waiting: Semaphore,
}

impl Games {
    /// Creates the site of a host.
    ///
    /// # Errors
    ///
    /// Returns [`ServeError`] if the password cannot be read, or is empty.
    pub fn of(host: &Host, desk: Desk) -> Result<Games, ServeError> {
        let password = host.password("http_password_file", host.settings.http_password_file.as_deref())?;
        let password = password.map(|word| sha256(word.as_bytes()));
        let streams = Arc::new(Semaphore::new(STREAMS));
        Ok(Games { desk, password, streams, guessers: Mutex::default() })
    }

    /// Creates a site with this password.
    #[cfg(any(test, feature = "testing"))]
    pub fn testing(desk: Desk, password: &[u8]) -> Games {
        let streams = Arc::new(Semaphore::new(1));
        Games { desk, password: Some(sha256(password)), streams, guessers: Mutex::default() }
    }

    /// Answers a request for the host's page, if it has the password (RFC 7617), with any name.
    async fn of_host(&self, header: &HeaderMap) -> Answer {
        let Some(said) = header.get(AUTHORIZATION).and_then(|said| said.to_str().ok()) else { return Answer::who() };
        let guesser = self.guesser(header);
        let Ok(_guess) = guesser.waiting.try_acquire() else { return Answer::later() };
        let coded = said.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
        let pair = coded.and_then(|(_, pair)| BASE64.decode(pair.trim().as_bytes()).ok()).unwrap_or_default();
        let word = pair.iter().position(|&byte| byte == b':').map_or(&[][..], |colon| &pair[colon + 1..]);
        // Hashes are compared, so that the time reveals nothing about the password.
        if self.password == Some(sha256(word)) {
            return self.found((Wanted::Host, HTML), header).await;
        }
        let _alone = guesser.alone.lock().await;
        sleep(WRONG).await;
        Answer::who()
    }

    /// Returns the client that sends a request, as named by the web server in `X-Forwarded-For`.
    /// Requests without that field count as those of one client.
    fn guesser(&self, header: &HeaderMap) -> Arc<Guesser> {
        let said = header.get_all(FORWARDED).iter().next_back().and_then(|said| said.to_str().ok());
        let client = said.and_then(|said| said.rsplit(',').next()).unwrap_or_default().trim().to_owned();
        let mut guessers = self.guessers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = guessers.get(&client).and_then(Weak::upgrade) {
            return known;
        }
        guessers.retain(|_, guesser| guesser.strong_count() > 0);
        let new = Arc::new(Guesser { alone: tokio::sync::Mutex::default(), waiting: Semaphore::new(GUESSES) });
        guessers.insert(client, Arc::downgrade(&new));
        new
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

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(client: Option<&str>, password: &str) -> HeaderMap {
        let mut header = HeaderMap::new();
        let coded = BASE64.encode(format!("host:{password}").as_bytes());
        header.insert(AUTHORIZATION, format!("Basic {coded}").parse().unwrap());
        if let Some(client) = client {
            header.insert(FORWARDED, client.parse().unwrap());
        }
        header
    }

    #[test]
    fn the_host_gets_in_while_a_stranger_guesses() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (desk, asked, _watched) = Desk::new();
            let games = Arc::new(Games::testing(desk, b"right"));
            let mut guesses = tokio::task::JoinSet::new();
            for n in 0..40 {
                let games = Arc::clone(&games);
                // The stranger may write the field too, in front of what the web server adds.
                let header = asks(Some(&format!("10.0.0.{n}, 192.0.2.1")), "wrong");
                guesses.spawn(async move { games.of_host(&header).await.status() });
            }
            tokio::task::yield_now().await;
            let of = |client, password| {
                let (games, header) = (Arc::clone(&games), asks(client, password));
                async move { games.of_host(&header).await.status() }
            };
            let began = tokio::time::Instant::now();
            tokio::spawn(of(Some("198.51.100.7"), "right"));
            tokio::task::yield_now().await;
            assert!(asked.try_recv().is_ok(), "the host's page is asked for at once");
            assert_eq!(of(Some("198.51.100.7"), "wrong").await, StatusCode::UNAUTHORIZED);
            let answers: Vec<StatusCode> = guesses.join_all().await;
            let compared = answers.iter().filter(|status| **status == StatusCode::UNAUTHORIZED).count();
            assert_eq!(compared, GUESSES);
            assert!(began.elapsed() >= WRONG * GUESSES as u32, "two a second");
        });
    }
}
