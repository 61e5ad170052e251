//! Who asks: credentials are looked at here, once, before anything else of a request is.
//!
//! An API key comes in `x-api-key`, a token in `authorization: Bearer`. Good ones become the [`Caller`] that every operation wants; wrong
//! ones are refused on any route but [`TOKEN_REQUEST`]; none at all are refused unless the route is in [`OPEN`]. So a route that forgets to ask is
//! shut, not open. What the caller may do is decided in `resolvers`, not here.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

use anyhow::bail;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, Method};
use resolvers::{Caller, CredentialType, Origin, Resolvers};
use rest_compat::{ADMIN_OPERATIONS, OPERATIONS, Operation};

use crate::refusal::Refusal;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Routes that answer without credentials. This list may only shrink.
const OPEN: &[(Method, &str)] = &[
    (Method::GET, "/"),
    (Method::GET, "/openapi.json"),
    // The console asks for a key itself; what it tries is refused without one.
    (Method::GET, "/docs"),
    (Method::GET, "/docs/{file}"),
    // A browser gets GraphiQL, which asks for a key itself; a query without credentials is refused by the route.
    (Method::GET, "/graphql"),
    (Method::GET, "/graphiql/{file}"),
    // A page can send no header with a WebSocket. Credentials come in the first message, and until then nothing else is answered.
    (Method::GET, SOCKET),
];

/// Where a WebSocket is opened.
const SOCKET: &str = "/graphql/ws";

/// Gives a token for a client's id and secret, which it reads itself. Whoever renews a token may still send the one that has expired. It is
/// by POST alone; whoever tries another method is told so, whoever he is.
const TOKEN_REQUEST: &str = "/auth/token";

/// Routes for those who watch over the service: they answer even when it is overloaded and its database is gone.
const OPERATIONAL: &[&str] = &["/health/live", "/health/ready", "/metrics"];

/// Who may reach a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone, at any time; credentials are not even looked at.
    Operational,
    /// Anyone; wrong credentials are refused all the same.
    Open,
    /// Anyone; the route has credentials of its own, and those of other routes are passed over.
    Apart,
    /// Callers with credentials.
    Closed,
}

impl Access {
    /// The access to a route by its template; a path without a route has nothing to protect.
    pub fn to(method: &Method, template: Option<&str>) -> Self {
        let Some(template) = template else { return Access::Open };
        if OPERATIONAL.contains(&template) {
            return Access::Operational;
        }
        if template == TOKEN_REQUEST {
            return Access::Apart;
        }
        let asked = answered_as(method);
        if OPEN.iter().any(|(method, open)| method == asked && *open == template) { Access::Open } else { Access::Closed }
    }
}

/// The method whose route answers: `HEAD` is `GET` without the body of its answer.
fn answered_as(method: &Method) -> &Method {
    if method == Method::HEAD { &Method::GET } else { method }
}

/// Operations that take a token and no API key.
#[derive(Debug, Default)]
pub struct TokenOnly(HashSet<(String, String)>);

/// Routes beside the documented operations that a setting may keep to tokens.
const ELSEWHERE: &[(&str, &str)] =
    &[("GET", "/graphql"), ("POST", "/graphql"), ("GET", SOCKET), ("GET", "/graphql/stream"), ("POST", "/graphql/stream")];

/// What answers all that `POST /graphql` does: kept to tokens where that is.
const LIKE_GRAPHQL: &[&str] = &[SOCKET, "/graphql/stream"];

impl TokenOnly {
    /// The operations that a setting names: by the document's name, or as `METHOD /path`. An unknown one is an error: it would leave open
    /// what was meant to be shut.
    pub fn of(names: &[String]) -> anyhow::Result<Self> {
        let mut chosen = HashSet::new();
        for name in names {
            let routes = routes_of(name);
            if routes.is_empty() {
                bail!("settings: token.jwt_only: there is no operation \"{name}\"; e.g. Add Actor, or POST /api/actors");
            }
            chosen.extend(routes.into_iter().map(|(method, path)| (method.to_owned(), path.to_owned())));
        }
        Ok(Self(chosen))
    }

    fn includes(&self, method: &Method, template: &str) -> bool {
        // Nearly always empty, and then no text is made to ask.
        if self.0.is_empty() {
            return false;
        }
        let has = |method: &str, template: &str| self.0.contains(&(method.to_owned(), template.to_owned()));
        has(answered_as(method).as_str(), template) || (LIKE_GRAPHQL.contains(&template) && has("POST", "/graphql"))
    }
}

/// Method and path of all that a name stands for: an operation may be served at two paths.
fn routes_of(name: &str) -> Vec<(&'static str, &'static str)> {
    let operations = OPERATIONS.iter().chain(ADMIN_OPERATIONS);
    let route = |operation: &'static Operation| (operation.method.as_str(), operation.path);
    let by_name: Vec<_> = operations.clone().filter(|operation| operation.name.eq_ignore_ascii_case(name)).map(route).collect();
    let (method, path) = name.split_once(' ').unwrap_or_default();
    let by_route = operations.map(route).chain(ELSEWHERE.iter().copied());
    if by_name.is_empty() { by_route.filter(|known| known.0.eq_ignore_ascii_case(method) && known.1 == path.trim()).collect() } else { by_name }
}

/// What identifies a caller in a request.
#[derive(Debug, PartialEq, Eq)]
enum Credential<'a> {
    Key(&'a str),
    Token(&'a str),
}

/// The one credential of a request. Two are refused, because it is not clear as whom to act.
fn presented(headers: &HeaderMap) -> Result<Option<Credential<'_>>, Refusal> {
    let key = single(headers, &API_KEY)?.map(|key| Credential::Key(key.trim()));
    // Other schemes are for the token request, which reads them itself; elsewhere they are no credentials.
    let bearer = single(headers, &AUTHORIZATION)?.and_then(|text| text.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    match (key, bearer) {
        (Some(_), Some(_)) => Err(Refusal::Unauthenticated("credentials: must be one, in x-api-key or in authorization".into())),
        (key, bearer) => Ok(key.or(bearer.map(|(_, token)| Credential::Token(token.trim())))),
    }
}

/// The text of a header that may be given once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Refusal::Unauthenticated("credentials: must be plain text".into())),
        (Some(_), Some(_)) => Err(Refusal::Unauthenticated(format!("{name}: must be given once"))),
    }
}

/// What has to be known of a request to say who asks.
pub struct RequestHead<'a> {
    pub method: &'a Method,
    pub template: Option<&'a str>,
    pub headers: &'a HeaderMap,
    pub ip: Option<IpAddr>,
    pub request_id: Arc<str>,
}

/// Finds out who asks. `None`: no credentials, and the route needs none.
pub async fn caller(resolvers: &Resolvers, token_only: &TokenOnly, access: Access, asking: RequestHead<'_>) -> Result<Option<Caller>, Refusal> {
    if access == Access::Apart {
        return Ok(None);
    }
    let (means, identified) = match presented(asking.headers)? {
        Some(Credential::Key(key)) => (CredentialType::ApiKey, resolvers.authenticate_key(key, asking.ip).await),
        Some(Credential::Token(token)) => (CredentialType::Token, resolvers.authenticate_token(token, asking.ip).await),
        None if access == Access::Closed => {
            return Err(Refusal::Unauthenticated(
                "credentials: needed: header x-api-key with an API key, or authorization: Bearer with a token".into(),
            ));
        }
        None => return Ok(None),
    };
    let identified = match identified {
        Ok(identified) => identified,
        Err(error) => {
            if let Some(reason) = error.refusal_of_a_stranger() {
                resolvers.sign_in_refused(means, asking.ip, reason);
            }
            return Err(error.into());
        }
    };
    if identified.means == CredentialType::ApiKey && asking.template.is_some_and(|template| token_only.includes(asking.method, template)) {
        return Err(Refusal::Forbidden("x-api-key: this operation takes a token (POST /auth/token) and no API key".into()));
    }
    Ok(Some(Caller::new(identified, asking.ip, asking.request_id)))
}

/// Finds out who opens a connection, by the credentials of its first message, which are written as a request's headers.
pub async fn opener(resolvers: &Resolvers, token_only: &TokenOnly, headers: &HeaderMap, origin: Origin) -> Result<Caller, Refusal> {
    let asking = RequestHead { method: &Method::GET, template: Some(SOCKET), headers, ip: origin.ip, request_id: origin.request_id };
    let caller = caller(resolvers, token_only, Access::Closed, asking).await?;
    caller.ok_or_else(|| Refusal::Unauthenticated("credentials: needed: x-api-key with an API key, or authorization: Bearer with a token".into()))
}

#[cfg(test)]
mod tests;
