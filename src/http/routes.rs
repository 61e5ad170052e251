//! All routes, put together: the documented API, the routes of administration, and what the service says about itself.

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures::FutureExt;
use graphql_http::{GraphqlLimits, LiveStop, LiveSurroundings, Surroundings, Switch};
use metrics_exporter_prometheus::PrometheusHandle;
use resolvers::Resolvers;
use rest_compat::ErrorBody;

use super::edge::{Edge, Shared};
use super::health::{self, Readiness};
use super::{docs, graphiql};
use crate::config::Settings;
use crate::credentials::TokenOnly;
use crate::refusal::{ErrorFormat, Refusal};

/// What `/` says to whoever looks.
const WELCOME: &str = "amlgraph\n\n\
    /api           the documented API (see /docs)\n\
    /docs          its operations, to read and to try\n\
    /openapi.json  its operations, for programs\n\
    /graphql       the graph\n\
    /graphql/ws    what changes in it, by WebSocket; /graphql/stream by SSE\n\
    /events        what has happened, for programs that ask\n\
    /auth/token    access tokens for clients\n\
    /health/live   whether the process answers\n\
    /health/ready  whether the database answers\n\
    /metrics       measurements, for Prometheus\n";

/// What the routes are made of.
pub struct Faces {
    pub resolvers: Resolvers,
    /// The kind of database, by name.
    pub engine: &'static str,
    pub metrics: PrometheusHandle,
    /// Ends the connections that stay open.
    pub live: LiveStop,
}

/// The whole application, each route behind the [`Edge`]. Fails when a setting names an operation that does not exist.
pub fn app(faces: Faces, settings: &Settings) -> anyhow::Result<Router> {
    let token_only = TokenOnly::of(&settings.token.jwt_only)?;
    let shared = Arc::new(Shared::new(faces.resolvers.clone(), settings.limits.clone(), token_only));
    let router = Router::new()
        .merge(for_clients(&faces.resolvers))
        .merge(graphql(&faces, &shared, settings))
        .merge(about_the_service(faces))
        .fallback(rest_compat::not_found)
        .method_not_allowed_fallback(rest_compat::method_not_allowed);
    Ok(router.layer(tower::layer::layer_fn(move |route| Edge::new(route, Arc::clone(&shared)))))
}

/// The faces that clients talk to. A new face is merged here; which of its routes need no credentials is said in [`crate::credentials`].
fn for_clients(resolvers: &Resolvers) -> Router {
    let state = rest_compat::State { resolvers: resolvers.clone() };
    Router::new().merge(rest_compat::routes()).merge(rest_compat::admin_routes()).with_state(state)
}

/// GraphQL, with its page for browsers and the page's files where a setting lets them be seen.
fn graphql(faces: &Faces, shared: &Arc<Shared>, settings: &Settings) -> Router {
    let limits: &GraphqlLimits = &settings.graphql;
    let page = (limits.graphiql == Switch::On).then_some(graphiql::page as fn() -> Response);
    let shared = Arc::clone(shared);
    let live = LiveSurroundings {
        recognise: Box::new(move |headers, origin| {
            let shared = Arc::clone(&shared);
            async move { shared.opener(&headers, origin).await.map_err(Refusal::of_stranger) }.boxed()
        }),
        limits: settings.live.clone(),
        stop: faces.live.clone(),
    };
    let surroundings = Surroundings { page, header_faults: rest_compat::repeated_headers, no_caller, live: Arc::new(live) };
    let routes = graphql_mutations::routes(&faces.resolvers, limits, surroundings);
    if page.is_some() { routes.route("/graphiql/{file}", get(graphiql::file)) } else { routes }
}

fn no_caller() -> Response {
    let text = "credentials are missing: send an API key as x-api-key, or a bearer token";
    Refusal::Unauthenticated(text.into()).worded(ErrorFormat::Graphql)
}

fn about_the_service(faces: Faces) -> Router {
    let readiness = Arc::new(Readiness::new(faces.resolvers, faces.engine));
    let metrics = faces.metrics;
    Router::new()
        .route("/", get(|| async { ([(CONTENT_TYPE, "text/plain; charset=utf-8")], WELCOME) }))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(move || async move { readiness.answer().await }))
        .route("/metrics", get(move || async move { health::metrics(&metrics) }))
        .route("/openapi.json", get(|| async { page(openapi_json, "application/json") }))
        .route("/docs", get(docs::page))
        .route("/docs/{file}", get(docs::file))
}

/// A page that is made at the first request, not at the start: the start is to be quick, and many a process is never asked.
fn page(text: fn() -> anyhow::Result<&'static Bytes>, kind: &'static str) -> Response {
    match text() {
        Ok(text) => ([(CONTENT_TYPE, kind)], text.clone()).into_response(),
        Err(error) => Refusal::Defect(format!("{error:#}")).worded(ErrorFormat::Operation(ErrorBody::Errors)),
    }
}

fn openapi_json() -> anyhow::Result<&'static Bytes> {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    made_once(&TEXT, || rest_compat::openapi().to_json().context("the OpenAPI document"))
}

fn made_once(place: &'static OnceLock<Bytes>, make: impl FnOnce() -> anyhow::Result<String>) -> anyhow::Result<&'static Bytes> {
    if let Some(text) = place.get() {
        return Ok(text);
    }
    let text = Bytes::from(make()?);
    Ok(place.get_or_init(|| text))
}
