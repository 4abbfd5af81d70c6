//! The status page: `/` for people, `/health` for supervisors, `/metrics` for Prometheus.

use super::{
    http::{Answer, PLAIN, Site},
    state::{Health, State},
};
use hyper::{HeaderMap, StatusCode};
use std::sync::Arc;

/// The media type of metrics.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The status page.
pub(super) struct StatusPage(pub Arc<State>);

impl Site for StatusPage {
    async fn answer(&self, path: &str, _: &HeaderMap) -> Answer {
        let StatusPage(state) = self;
        match path {
            "/" => Answer::text(StatusCode::OK, PLAIN, state.page()),
            "/metrics" => Answer::text(StatusCode::OK, METRICS, state.metrics()),
            "/health" => match state.health() {
                Health::Well => Answer::text(StatusCode::OK, PLAIN, "well\n"),
                Health::Worried(why) => Answer::text(StatusCode::OK, PLAIN, why + "\n"),
                Health::Ill(why) => Answer::text(StatusCode::SERVICE_UNAVAILABLE, PLAIN, why + "\n"),
            },
            _ => Answer::nothing("there are /, /health and /metrics\n"),
        }
    }
}
