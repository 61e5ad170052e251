//! The documented endpoints, and nothing but the way into the resolvers and out again.
//!
//! One file for each operation, `<area>/<operation>.rs`: its route and statuses ([`Operation`]), its OpenAPI text, its
//! handler, which reads the request (`asked`, `query`), calls one resolver and shapes the documented answer
//! (`answer`). Refusals (`fault`) are worded by a layer that knows the operation (`operation`). To add an
//! operation: write its file, and name it in its area's `mod.rs`.
//!
//! Who the caller is, the size limit of bodies and the request id are the business of the HTTP assembly, which puts
//! [`resolvers::Caller`], or for an operation without one [`RequestId`], into the request's extensions.

// The type of a handler's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

// Modules, the lowest first: request_id wording fault answer form query rest_request operation accounts actors audit bulk cases channel_locations
// credentials detection events files lists observations reporting requests_for_data segmentation transactions users webhooks documented.

mod accounts;
mod actors;
mod answer;
mod audit;
mod bulk;
mod cases;
mod channel_locations;
mod credentials;
mod detection;
mod documented;
mod events;
mod fault;
mod files;
mod form;
mod lists;
mod observations;
mod operation;
mod query;
mod reporting;
mod request_id;
mod requests_for_data;
mod rest_request;
mod segmentation;
#[cfg(test)]
mod tests;
mod transactions;
mod users;
mod webhooks;
mod wording;

use axum::{
    Router,
    http::{Method as HttpMethod, StatusCode, Uri},
    response::Response,
};

pub use answer::CHALLENGES;
pub use bulk::{BULK_BYTES, BULK_PATH};
pub use documented::openapi;
pub use events::LONGEST_WAIT;
pub use fault::BodyFault;
pub use operation::{Credentials, ErrorBody, Method, Operation};
pub use request_id::RequestId;
pub use rest_request::repeated_headers;

/// What the routes need to answer.
#[derive(Clone)]
pub struct State {
    pub resolvers: resolvers::Resolvers,
}

/// The operations of the document, area by area.
const AREAS: [&[Operation]; 15] = [
    actors::OPERATIONS,
    accounts::OPERATIONS,
    transactions::OPERATIONS,
    channel_locations::OPERATIONS,
    detection::OPERATIONS,
    observations::OPERATIONS,
    cases::OPERATIONS,
    bulk::OPERATIONS,
    reporting::OPERATIONS,
    webhooks::OPERATIONS,
    audit::OPERATIONS,
    segmentation::OPERATIONS,
    users::OPERATIONS,
    requests_for_data::OPERATIONS,
    credentials::OPERATIONS,
];

/// What is not of the document.
const BESIDE: [&[Operation]; 4] = [credentials::admin::OPERATIONS, files::OPERATIONS, lists::OPERATIONS, events::OPERATIONS];

/// Every operation that [`routes`] serves, in the document's order.
pub const OPERATIONS: &[Operation] = &joined::<{ count(&AREAS) }>(&AREAS);

/// Every operation that [`admin_routes`] serves.
pub const ADMIN_OPERATIONS: &[Operation] = &joined::<{ count(&BESIDE) }>(&BESIDE);

/// Those that take in their bodies themselves, while they come: bodies that must not be held.
pub const STREAMED: &[Operation] = &[cases::UPLOAD, lists::UPLOAD];

/// Those that may wait before they answer, up to [`LONGEST_WAIT`].
pub const WAITING: &[Operation] = &[events::FOLLOW];

/// The documented operations. A method that a path does not have is answered with 405 and `Allow`.
pub fn routes() -> Router<State> {
    Router::new()
        .merge(actors::routes())
        .merge(accounts::routes())
        .merge(transactions::routes())
        .merge(channel_locations::routes())
        .merge(detection::routes())
        .merge(observations::routes())
        .merge(cases::routes())
        .merge(bulk::routes())
        .merge(reporting::routes())
        .merge(webhooks::routes())
        .merge(audit::routes())
        .merge(segmentation::routes())
        .merge(users::routes())
        .merge(requests_for_data::routes())
        .merge(credentials::routes())
        .method_not_allowed_fallback(method_not_allowed)
}

/// Making, listing and revoking credentials, files, uploads of lists, and events: not of the document, and outside `/api`.
pub fn admin_routes() -> Router<State> {
    let routes = credentials::admin::routes().merge(files::routes()).merge(lists::routes()).merge(events::routes());
    routes.method_not_allowed_fallback(method_not_allowed)
}

/// The answer to a path that nothing is at: 404 in the shape of all other errors.
pub async fn not_found(uri: Uri) -> Response {
    let line = format!("path: there is nothing at {}", uri.path());
    answer::errors(StatusCode::NOT_FOUND, &[line])
}

/// The answer to a method that a path does not have: 405; the router adds `Allow`.
pub async fn method_not_allowed(method: HttpMethod, uri: Uri) -> Response {
    let line = format!("path: {method} is not allowed at {}; see header allow", uri.path());
    answer::errors(StatusCode::METHOD_NOT_ALLOWED, &[line])
}

const fn count(areas: &[&[Operation]]) -> usize {
    let mut count = 0;
    let mut area = 0;
    while area < areas.len() {
        count += areas[area].len();
        area += 1;
    }
    count
}

/// The areas' operations in one row. Iterators can't run in a constant.
const fn joined<const COUNT: usize>(areas: &[&[Operation]]) -> [Operation; COUNT] {
    let mut all = [areas[0][0]; COUNT];
    let (mut at, mut area) = (0, 0);
    while area < areas.len() {
        let mut index = 0;
        while index < areas[area].len() {
            all[at] = areas[area][index];
            at += 1;
            index += 1;
        }
        area += 1;
    }
    all
}
