//! What happens to every request, in one place: [`Edge`] stands between the router's choice of a route and the route.
//!
//! In this order: an id; who asks; the body, within its bounds; a place among the requests under way, or 503 at once; then the route, within
//! its time. Whatever comes of it gets the id and the headers every answer has, is counted and is logged. It is one layer and one future,
//! because each layer of its own would cost every request an allocation or two.
//!
//! A request that may wait for events has a place among those alone, and goes on for as long as it may wait, too. When it has waited, its credentials are
//! looked at again.
//!
//! A connection that stays open (`graphql_http`, `live`) takes no place but while it is asked for; it has places of its own, and its end is its own.
//!
//! A place is given to a caller that was recognised and whose body is there, so that nobody holds one for as long as he likes: neither who
//! sends slowly nor who has no key. Until then a request costs its connection, a head, and as much of a body as [`memory`](super::memory) grants.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use futures::FutureExt;
use futures::future::BoxFuture;
use resolvers::{Caller, Origin, Resolvers};
use tower::{Service, ServiceExt};
use tracing::Instrument;

use super::body::{self, Bounds};
use super::coding;
use super::measures::{Measures, NO_ROUTE};
use super::memory::{self, Memory};
use super::places::Places;
use super::position;
use super::request_id::{self, RequestId};
use crate::config::Limits;
use crate::credentials::{self, Access, RequestHead, TokenOnly};
use crate::refusal::{self, Refusal};

/// The address at the other end of the connection.
#[derive(Clone, Copy)]
pub struct Peer(pub IpAddr);

/// How long a request may wait at least until the audit log has taken what it has read.
const TO_NOTE: Duration = Duration::from_millis(500);

/// How long an answer is kept back that tells somebody to wait.
const TO_WAIT: Duration = Duration::from_millis(200);

/// About what of a body is in memory that a route reads while it comes: a part for the store, and the next one.
const STREAMED: usize = 6 << 20;

/// What all requests share.
pub struct Shared {
    pub resolvers: Resolvers,
    pub limits: Limits,
    pub token_only: TokenOnly,
    places: Places,
    /// For requests that may wait for events.
    polls: Places,
    memory: Memory,
    measures: Measures,
}

impl Shared {
    pub fn new(resolvers: Resolvers, limits: Limits, token_only: TokenOnly) -> Self {
        let places = Places::new(limits.in_flight);
        let polls = Places::new(limits.event_polls);
        let memory = Memory::new(limits.bodies);
        Self { resolvers, limits, token_only, places, polls, memory, measures: Measures::new() }
    }
}

/// A route with everything around it.
#[derive(Clone)]
pub struct Edge<S> {
    route: S,
    shared: Arc<Shared>,
}

impl<S> Edge<S> {
    pub fn new(route: S, shared: Arc<Shared>) -> Self {
        Self { route, shared }
    }
}

impl<S> Service<Request> for Edge<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.route.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        // The clone has not been polled for readiness; the one that has goes along with the request.
        let unready = self.route.clone();
        let route = std::mem::replace(&mut self.route, unready);
        Box::pin(async move { Ok(shared.answer(route, request).await) })
    }
}

impl Shared {
    /// Finds out who opens a connection that stays open, by what its first message says in the place of headers.
    pub async fn opener(&self, headers: &HeaderMap, origin: Origin) -> Result<Caller, Refusal> {
        let limit = self.limits.request_time;
        let looked_up = tokio::time::timeout(limit, credentials::opener(&self.resolvers, &self.token_only, headers, origin)).await;
        looked_up.unwrap_or(Err(Refusal::OutOfTime(limit)))
    }

    async fn answer<S>(&self, route: S, request: Request) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let started = Instant::now();
        let id = RequestId::of(request.headers());
        let matched = request.extensions().get::<MatchedPath>().cloned();
        let template = matched.as_ref().map(MatchedPath::as_str);
        let method = request.method().clone();
        let span = tracing::info_span!("request", request_id = &*id.text);
        let under_way = self.measures.begin();
        let outcome = AssertUnwindSafe(self.carry_out(route, request, template, &id)).catch_unwind().instrument(span.clone()).await;
        let mut response = span.in_scope(|| match outcome {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => refusal.worded(refusal::shape(&method, template)),
            // The panic itself was logged where it happened.
            Err(_) => Refusal::Defect("a panic".into()).worded(refusal::shape(&method, template)),
        });
        drop(under_way);
        finish(&mut response, id.header);
        let took = started.elapsed();
        let template = template.unwrap_or(NO_ROUTE);
        self.measures.record(&method, template, response.status(), took);
        log(&method, template, response.status(), took, &id.text);
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            // Who goes on all the same does so no faster than this; it costs nobody else anything but his connection.
            tokio::time::sleep(TO_WAIT).await;
        }
        response
    }

    async fn carry_out<S>(&self, route: S, request: Request, template: Option<&str>, id: &RequestId) -> Result<Response, Refusal>
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let access = Access::to(request.method(), template);
        if access == Access::Operational || template.is_none() {
            return self.in_time(route, request, self.limits.request_time, self.limits.request_time).await;
        }
        let (mut parts, body) = request.into_parts();
        let limit = self.limits.request_time;
        let asked = Instant::now();
        let asking = RequestHead {
            method: &parts.method,
            template,
            headers: &parts.headers,
            ip: parts.extensions.get::<Peer>().map(|peer| peer.0),
            request_id: Arc::clone(&id.text),
        };
        let looked_up = tokio::time::timeout(limit, credentials::caller(&self.resolvers, &self.token_only, access, asking)).await;
        // Whoever waits for a database that does not answer waits once: looking up the key and the route share their time.
        let left = limit.saturating_sub(asked.elapsed());
        let mut caller = match looked_up.unwrap_or(Err(Refusal::OutOfTime(limit))) {
            Ok(caller) => caller,
            Err(refusal) => {
                body::discard(body).await;
                return Err(refusal);
            }
        };
        if let Some(caller) = &mut caller {
            caller.past_cache = goes_past_cache(&parts.headers) || !self.resolvers.knows_positions(position::named(&parts.headers));
        }
        let written = self.resolvers.written();
        match &caller {
            Some(caller) => drop(parts.extensions.insert(caller.clone())),
            None => drop(parts.extensions.insert(Origin { ip: parts.extensions.get::<Peer>().map(|peer| peer.0), request_id: Arc::clone(&id.text) })),
        }
        let request = coding::decoded(Request::from_parts(parts, body)).await?;
        let mut response = match &caller {
            Some(caller) if is_streamed(request.method(), template) => self.pass_on(route, request, caller).await,
            Some(caller) if is_waiting(request.method(), template) => self.let_wait(route, request, (caller, access)).await,
            caller => self.hold(route, request, caller.as_ref(), left).await,
        };
        if let Ok(response) = &mut response {
            position::tell(response, self.resolvers.position_since(written));
        }
        if let Some(caller) = caller {
            // What can't be noted is not shown: the audit log has all reads, or there are none.
            let left = limit.saturating_sub(asked.elapsed()).max(TO_NOTE);
            tokio::time::timeout(left, self.resolvers.request_ended(&caller)).await.map_err(|_| Refusal::OutOfTime(limit))?;
        }
        response
    }

    /// Reads the body whole, then asks the route, among the requests under way.
    async fn hold<S>(&self, route: S, request: Request, caller: Option<&Caller>, left: Duration) -> Result<Response, Refusal>
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let (parts, body) = request.into_parts();
        // What the body takes counts until the answer is there, wherever it is then.
        let mut share = self.memory.share(caller.map(|caller| caller.id.as_str()));
        let template = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
        let bounds = self.bounds(caller, template);
        let bytes = body::read(&parts.headers, body, bounds, &mut share).await?;
        let _place = self.places.take(caller.map(|caller| caller.id.as_str()))?;
        let mut request = Request::from_parts(parts, Body::from(bytes));
        // The body is bounded already, and by a setting: axum's own bound of 2 MB must not come on top.
        DefaultBodyLimit::disable().apply(&mut request);
        self.in_time(route, request, left, self.limits.request_time).await
    }

    /// Leaves the body to the route, which reads it while it comes and bounds it itself. Such a request takes no place among those under way, as
    /// nobody is to hold one while he sends; what bounds their number is the memory that each is counted with.
    async fn pass_on<S>(&self, route: S, request: Request, caller: &Caller) -> Result<Response, Refusal>
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let (parts, body) = request.into_parts();
        let body = body::Shared::of(body);
        let mut share = self.memory.share(Some(&caller.id));
        let outcome = match share.grow_to(memory::FREE + STREAMED) {
            Ok(()) => {
                let mut request = Request::from_parts(parts, Body::new(body.clone()));
                DefaultBodyLimit::disable().apply(&mut request);
                let limit = self.limits.upload_time;
                self.in_time(route, request, limit, limit).await
            }
            Err(refusal) => Err(refusal),
        };
        if !outcome.as_ref().is_ok_and(|response| response.status().is_success()) {
            body.discard().await;
        }
        outcome
    }

    /// Lets a request wait. It has a place among those that may, as it would keep one from others for longer than it works.
    async fn let_wait<S>(&self, route: S, request: Request, (caller, access): (&Caller, Access)) -> Result<Response, Refusal>
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let (parts, body) = request.into_parts();
        // It needs no body; one that is sent all the same may be as large as a stranger's.
        let mut share = self.memory.share(Some(&caller.id));
        let bytes = body::read(&parts.headers, body, self.bounds(None, None), &mut share).await?;
        let _place = self.polls.take(Some(&caller.id)).map_err(|_| Refusal::TooManyPolls)?;
        let head = parts.clone();
        let limit = self.limits.request_time + rest_compat::LONGEST_WAIT;
        let response = self.in_time(route, Request::from_parts(parts, Body::from(bytes)), limit, limit).await?;
        // Where it has not waited, the credentials are still remembered.
        self.recognise_again(&head, (caller, access)).await?;
        Ok(response)
    }

    /// Sees that a caller's credentials are still good, and give what they gave: a key that was revoked meanwhile is told nothing more.
    async fn recognise_again(&self, head: &Parts, (caller, access): (&Caller, Access)) -> Result<(), Refusal> {
        let limit = self.limits.request_time;
        let asking = RequestHead {
            method: &head.method,
            template: head.extensions.get::<MatchedPath>().map(MatchedPath::as_str),
            headers: &head.headers,
            ip: caller.ip,
            request_id: Arc::clone(&caller.request_id),
        };
        let looked_up = tokio::time::timeout(limit, credentials::caller(&self.resolvers, &self.token_only, access, asking)).await;
        match looked_up.unwrap_or(Err(Refusal::OutOfTime(limit)))? {
            Some(again) if again.id == caller.id && again.roles == caller.roles => Ok(()),
            _ => Err(Refusal::CredentialsChanged),
        }
    }

    /// Nobody needs to say much before he has said who he is: what is wanted of him is a short form.
    fn bounds(&self, caller: Option<&Caller>, template: Option<&str>) -> Bounds {
        let bounds = Bounds::of(&self.limits);
        match caller {
            Some(_) if template == Some(rest_compat::BULK_PATH) => Bounds { bytes: bounds.bytes.min(rest_compat::BULK_BYTES), ..bounds },
            Some(_) => bounds,
            None => Bounds { bytes: bounds.bytes.min(memory::FREE), ..bounds },
        }
    }

    async fn in_time<S>(&self, route: S, request: Request, left: Duration, limit: Duration) -> Result<Response, Refusal>
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        match tokio::time::timeout(left, route.oneshot(request)).await {
            Ok(Ok(response)) => Ok(response),
            Err(_) => Err(Refusal::OutOfTime(limit)),
        }
    }
}

/// Whether a request is to be answered by the store, and not with what was read for another.
fn goes_past_cache(headers: &HeaderMap) -> bool {
    let values = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|directive| directive.trim().eq_ignore_ascii_case("no-cache"))
}

/// Whether what is behind a route reads its body while it comes.
fn is_streamed(method: &Method, template: Option<&str>) -> bool {
    is_one_of(rest_compat::STREAMED, method, template)
}

/// Whether what is behind a route may wait before it answers.
fn is_waiting(method: &Method, template: Option<&str>) -> bool {
    is_one_of(rest_compat::WAITING, method, template)
}

/// Whether a route is that of one of some operations. `HEAD` is `GET` without the body of its answer.
fn is_one_of(operations: &[rest_compat::Operation], method: &Method, template: Option<&str>) -> bool {
    let asked = if method == Method::HEAD { "GET" } else { method.as_str() };
    operations.iter().any(|operation| Some(operation.path) == template && operation.method.as_str() == asked)
}

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What every answer says to browsers: it is what it says it is, no other site may show or load it, and no address of here is told elsewhere.
const TO_BROWSERS: [(HeaderName, &str); 3] =
    [(X_CONTENT_TYPE_OPTIONS, "nosniff"), (REFERRER_POLICY, "no-referrer"), (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")];

/// What an answer says besides, unless it says otherwise. Answers are about people: only pages and scripts may be kept by anyone on the way; and they
/// are data, of which a browser is to run nothing. Pages say what they need.
const UNLESS_SAID: [(HeaderName, &str); 2] =
    [(CACHE_CONTROL, "no-store"), (CONTENT_SECURITY_POLICY, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")];

/// The headers that every answer has.
pub(super) fn finish(response: &mut Response, id: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(request_id::HEADER, id);
    for (name, value) in TO_BROWSERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in UNLESS_SAID {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// The access log. No path, no query, no body: ids in them are personal data.
fn log(method: &Method, route: &str, status: StatusCode, took: Duration, request_id: &str) {
    let millis = took.as_micros() as f64 / 1000.0;
    tracing::info!(target: "amlgraph::access", %method, route, status = status.as_u16(), millis, request_id, "answered");
}
