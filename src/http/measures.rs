//! Counting and timing requests by route template, method and status.
//!
//! Finding a metric by its labels costs more than recording it, so the handles are kept.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Counter, Gauge, Histogram};

/// The template under which paths without a route are counted: their text is the sender's choice and would be endless.
pub const NO_ROUTE: &str = "none";

/// The handles of all metrics about requests.
pub struct Measures {
    by_status: RwLock<HashMap<(Method, StatusCode), HashMap<String, Handles>>>,
    in_flight: Gauge,
}

#[derive(Clone)]
struct Handles {
    count: Counter,
    seconds: Histogram,
}

/// A request under way; it counts as such until this is dropped.
pub struct UnderWay<'a>(&'a Gauge);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl Measures {
    pub fn new() -> Self {
        Self { by_status: RwLock::default(), in_flight: metrics::gauge!("amlgraph_http_requests_in_flight") }
    }

    /// Counts a request as under way.
    pub fn begin(&self) -> UnderWay<'_> {
        self.in_flight.increment(1.0);
        UnderWay(&self.in_flight)
    }

    /// Counts an answered request.
    pub fn record(&self, method: &Method, template: &str, status: StatusCode, took: Duration) {
        let key = (standard(method), status);
        let known = {
            let by_status = self.by_status.read().unwrap_or_else(PoisonError::into_inner);
            by_status.get(&key).and_then(|by_route| by_route.get(template)).cloned()
        };
        let handles = known.unwrap_or_else(|| self.add(key, template));
        handles.count.increment(1);
        handles.seconds.record(took.as_secs_f64());
    }

    fn add(&self, key: (Method, StatusCode), template: &str) -> Handles {
        let method = key.0.as_str().to_owned();
        let route = template.to_owned();
        let handles = Handles {
            count: metrics::counter!("amlgraph_http_requests_total", "method" => method.clone(), "route" => route.clone(), "status" => key.1.as_u16().to_string()),
            seconds: metrics::histogram!("amlgraph_http_request_seconds", "method" => method, "route" => route.clone()),
        };
        let mut by_status = self.by_status.write().unwrap_or_else(PoisonError::into_inner);
        by_status.entry(key).or_default().insert(route, handles.clone());
        handles
    }
}

/// A method somebody made up counts as `TRACE`, which nothing here answers either: labels must not grow with what is sent.
fn standard(method: &Method) -> Method {
    match *method {
        Method::GET | Method::POST | Method::PUT | Method::PATCH | Method::DELETE | Method::HEAD | Method::OPTIONS => method.clone(),
        _ => Method::TRACE,
    }
}
