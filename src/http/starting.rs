//! What is answered before the store can be used: that the process lives, and is not ready. Bringing a large store up to date takes minutes, and whoever watches
//! over the process is not to end it meanwhile.

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::edge;
use super::health;
use super::request_id::RequestId;
use crate::refusal::{Refusal, shape};

/// All routes of a service that starts.
pub fn app() -> Router {
    Router::new().route("/health/live", get(health::live)).route("/health/ready", get(not_ready)).fallback(refused).layer(from_fn(finished))
}

async fn not_ready() -> impl IntoResponse {
    (StatusCode::SERVICE_UNAVAILABLE, [(CONTENT_TYPE, "application/json")], r#"{"status":"starting"}"#)
}

async fn refused(request: Request) -> Response {
    Refusal::Starting.worded(shape(request.method(), Some(request.uri().path())))
}

/// Gives an answer the headers that every answer has.
async fn finished(request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let mut response = next.run(request).await;
    edge::finish(&mut response, id.header);
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_service_that_starts_lives_and_refuses_all_else() {
        for (method, path, status) in
            [("GET", "/health/live", 200), ("GET", "/health/ready", 503), ("POST", "/graphql", 503), ("GET", "/api/cases/a", 503)]
        {
            let request = http::Request::builder().method(method).uri(path).body(Body::empty()).expect("a request");
            let answer = app().oneshot(request).await.expect("an answer");
            assert_eq!(answer.status().as_u16(), status, "{path}");
            assert!(answer.headers().contains_key("x-request-id"), "{path}");
            assert_eq!(answer.headers().contains_key("retry-after"), !path.starts_with("/health"), "{path}");
        }
    }
}
