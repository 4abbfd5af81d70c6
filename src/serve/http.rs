//! The one HTTP server of the process: limits on connections, sizes and times, and the headers of
//! all answers. The answers come from a [`Site`].

use super::{
    listen::Listener,
    room::{Place, Room},
};
use futures_util::Stream;
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode,
    body::{Bytes, Frame, Incoming},
    header::{
        ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH,
        LOCATION, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
    },
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use postrider_page::script_source;
use std::{
    convert::Infallible,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::time::sleep;

/// Time after which a connection whose client neither sends its request nor has read its answer may
/// be closed in favour of others.
const SILENCE: Duration = Duration::from_secs(2);

/// Timeout of a request's header.
const REQUEST: Duration = Duration::from_secs(10);

/// Maximum size of a request's header in bytes, and its maximum number of fields. The body of a
/// request is not read.
const HEADER: usize = 16 * 1024;
const FIELDS: usize = 64;

/// Timeout of a whole connection.
const PATIENCE: Duration = Duration::from_secs(60);

/// Timeout of a connection with a stream of events. Browsers then connect again.
const STREAM: Duration = Duration::from_secs(600);

/// The media types of answers.
pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const PLAIN: &str = "text/plain; charset=utf-8";

/// The content security policy: pages may load and run only their own style and the one script of a
/// game's page.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let script = script_source();
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src {script}; connect-src 'self'; base-uri 'none'; form-action \
         'none'; frame-ancestors 'none'"
    );
    // A hash in base64 has no control characters.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
});

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// The answers to the requests at one address.
pub(super) trait Site: Send + Sync + 'static {
    /// Answers a GET or HEAD request for a path.
    fn answer(&self, path: &str, header: &HeaderMap) -> impl Future<Output = Answer> + Send;
}

/// An answer, before it gets its headers.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Body,
    /// `true` if no cache may store it.
    private: bool,
    streams: bool,
}

impl Answer {
    fn new(status: StatusCode, kind: &'static str, body: Bytes) -> Answer {
        let headers = vec![(CONTENT_TYPE, HeaderValue::from_static(kind))];
        Answer { status, headers, body: Full::new(body).boxed_unsync(), private: true, streams: false }
    }

    /// Answers with a text that must not be cached.
    pub fn text(status: StatusCode, kind: &'static str, text: impl Into<Bytes>) -> Answer {
        Answer::new(status, kind, text.into())
    }

    /// Answers with content that anyone may cache as long as its tag is the same.
    pub fn tagged(kind: &'static str, content: Bytes, tag: &str, header: &HeaderMap) -> Answer {
        let tag = format!("\"{tag}\"");
        // A proxy that compresses makes a tag weak (RFC 9110, 13.1.2).
        let tags = header.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
        let known = tags.split(',').map(str::trim).any(|one| one.strip_prefix("W/").unwrap_or(one) == tag);
        let (status, content) =
            if known { (StatusCode::NOT_MODIFIED, Bytes::new()) } else { (StatusCode::OK, content) };
        Answer { private: false, ..Answer::new(status, kind, content) }.with(ETAG, &tag)
    }

    /// Answers that there is nothing at this path.
    pub fn nothing(text: &'static str) -> Answer {
        Answer::text(StatusCode::NOT_FOUND, PLAIN, text)
    }

    /// Redirects to another path, relative to that of the request.
    pub fn elsewhere(path: &str) -> Answer {
        Answer::text(StatusCode::PERMANENT_REDIRECT, PLAIN, "").with(LOCATION, path)
    }

    /// Answers that the request should be repeated later.
    pub fn later() -> Answer {
        Answer::text(StatusCode::SERVICE_UNAVAILABLE, PLAIN, "too much at once, try again\n").with(RETRY_AFTER, "5")
    }

    /// Asks for a password.
    pub fn who() -> Answer {
        let answer = Answer::text(StatusCode::UNAUTHORIZED, PLAIN, "a password, please\n");
        answer.with(WWW_AUTHENTICATE, "Basic realm=\"Postrider\", charset=\"UTF-8\"")
    }

    /// Answers with a stream of events (`text/event-stream`).
    pub fn stream(events: impl Stream<Item = Bytes> + Send + 'static) -> Answer {
        let frames = futures_util::StreamExt::map(events, |event| Ok(Frame::data(event)));
        let body = StreamBody::new(frames).boxed_unsync();
        let answer = Answer { body, streams: true, ..Answer::new(StatusCode::OK, "text/event-stream", Bytes::new()) };
        // nginx would collect the events.
        answer.with(HeaderName::from_static("x-accel-buffering"), "no")
    }

    fn with(mut self, name: HeaderName, value: &str) -> Answer {
        // Values are made here, from names of files and games: they have no control characters.
        self.headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
        self
    }

    #[cfg(test)]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    fn response(self) -> Response<Body> {
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.extend(self.headers);
        headers.insert(CONTENT_SECURITY_POLICY, POLICY.clone());
        for (name, value) in [
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
            (CACHE_CONTROL, if self.private { "no-store" } else { "no-cache" }),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// Serves a site forever, on at most `most` simultaneous connections. Others wait until one ends,
/// or has been silent for [`SILENCE`].
pub(super) async fn serve(listener: Listener, site: Arc<impl Site>, most: usize) {
    let room = Room::new(most, SILENCE);
    loop {
        let place = room.enter().await;
        match listener.accept().await {
            Ok(stream) => _ = tokio::spawn(connection(stream, place, Arc::clone(&site))),
            Err(why) => {
                tracing::warn!(%why, "a web browser could not be let in");
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

pub(super) async fn connection(stream: Box<dyn super::listen::Stream>, place: Place, site: Arc<impl Site>) {
    let streams = AtomicBool::new(false);
    let answer = service_fn(|request: Request<Incoming>| {
        place.serves();
        let (site, streams, place) = (&site, &streams, &place);
        async move {
            let answer = match *request.method() {
                Method::GET | Method::HEAD => site.answer(request.uri().path(), request.headers()).await,
                _ => Answer::text(StatusCode::METHOD_NOT_ALLOWED, PLAIN, "only GET\n").with(ALLOW, "GET, HEAD"),
            };
            streams.store(answer.streams, Ordering::Relaxed);
            if !answer.streams {
                place.listens();
            }
            Ok::<_, Infallible>(answer.response())
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(REQUEST).keep_alive(false);
    server.max_buf_size(HEADER).max_headers(FIELDS);
    let served = server.serve_connection(TokioIo::new(stream), answer);
    let patience = async {
        sleep(PATIENCE).await;
        if streams.load(Ordering::Relaxed) {
            sleep(STREAM - PATIENCE).await;
        }
    };
    tokio::select! {
        // It does not matter whether the client reads the answer.
        _ = served => {}
        () = patience => {}
        () = place.ends() => {}
    }
}
