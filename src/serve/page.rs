//! The status page: `/` for people, `/health` for supervisors, `/metrics` for Prometheus.

use super::{
    listen::Listener,
    room::Room,
    state::{Health, State},
};
use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::time::timeout;

/// Maximum number of simultaneous connections. Others wait until one ends, or has been silent for
/// [`SILENCE`].
const MAX_CONNECTIONS: usize = 16;

/// Time after which a silent connection may be closed in favour of others; clients normally send
/// their request at once.
const SILENCE: Duration = Duration::from_secs(2);

/// Timeout of a request's header.
const REQUEST: Duration = Duration::from_secs(10);

/// Timeout of a whole connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves the status page forever.
pub(super) async fn show(listener: Listener, state: Arc<State>) {
    let room = Room::new(MAX_CONNECTIONS, SILENCE);
    loop {
        let place = room.enter().await;
        let stream = match listener.accept().await {
            Ok(stream) => stream,
            Err(why) => {
                tracing::warn!(%why, "nobody could look at the status page");
                tokio::time::sleep(Duration::from_secs(1)).await;
                continue;
            }
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let answer = service_fn(|request: Request<Incoming>| {
                place.serves();
                let answer = answer(&state, request.method(), request.uri().path());
                async { Ok::<_, Infallible>(answer) }
            });
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(REQUEST).keep_alive(false);
            tokio::select! {
                // It does not matter whether the client reads the answer.
                _ = timeout(PATIENCE, server.serve_connection(TokioIo::new(stream), answer)) => {}
                () = place.ends() => {}
            }
        });
    }
}

fn answer(state: &State, method: &Method, path: &str) -> Response<Full<Bytes>> {
    let health = state.health();
    let ill = matches!(health, Health::Ill(_));
    let (status, text) = match (method, path) {
        (&Method::GET | &Method::HEAD, "/") => (StatusCode::OK, state.page()),
        (&Method::GET | &Method::HEAD, "/metrics") => (StatusCode::OK, state.metrics()),
        (&Method::GET | &Method::HEAD, "/health") => {
            let status = if ill { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
            let said = match health {
                Health::Well => "well".to_owned(),
                Health::Worried(why) | Health::Ill(why) => why,
            };
            (status, said + "\n")
        }
        (&Method::GET | &Method::HEAD, _) => (StatusCode::NOT_FOUND, "there are /, /health and /metrics\n".to_owned()),
        _ => (StatusCode::METHOD_NOT_ALLOWED, "only GET\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
