//! What a request brings: who asks, and the parts of it that handlers read.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, RawPathParams, Request},
    http::{HeaderMap, HeaderName, header, request::Parts},
};
use graph_schema::{
    fault::Fault,
    given::{self, Given, GivenList, Input},
    id::{Id, IdKind, RequestForDataId},
};
use resolvers::{Caller, IdempotencyKey, OffsetPage, Origin, Resolvers};

use crate::{
    State,
    fault::{Failure, Together},
    query::Query,
    request_id::RequestId,
};

/// The caller; 401 when there is none. Every handler takes it, except that of the token request.
///
/// Who the caller is was found out before: the HTTP assembly puts [`Caller`] into the request's extensions.
pub(crate) struct Authenticated(pub(crate) Caller);

/// A request that has come in whole, and the resolvers to answer it with.
pub(crate) struct RestRequest {
    pub(crate) resolvers: Resolvers,
    parts: Parts,
    path: Result<RawPathParams, Failure>,
    body: Bytes,
}

impl<S: Send + Sync> FromRequestParts<S> for Authenticated {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.map(Self).ok_or_else(|| {
            let text = "credentials: needed are header x-api-key with an API key, or authorization: Bearer with a token";
            Failure::Unauthenticated(text.to_owned())
        })
    }
}

impl FromRequest<State> for RestRequest {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &State) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let path = path_of(&mut parts, state).await;
        // The size limit is an extension of the request, so that the body is read with its parts.
        let whole = Request::from_parts(parts.clone(), body);
        let body = Bytes::from_request(whole, state).await;
        let body = body.map_err(|rejection| match rejection.status().as_u16() {
            413 => Failure::TooLarge("body: is larger than the service takes".to_owned()),
            _ => Failure::unreadable("body", "broke off before it was complete"),
        })?;
        let resolvers = state.resolvers.clone();
        Ok(Self { resolvers, parts, path, body })
    }
}

/// A request whose body is still coming in.
pub(crate) struct Streamed {
    /// What is known of it already; a body it has not.
    pub(crate) asked: RestRequest,
    pub(crate) request: Request,
}

impl FromRequest<State> for Streamed {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &State) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let path = path_of(&mut parts, state).await;
        let request = Request::from_parts(parts.clone(), body);
        Ok(Self { asked: RestRequest { resolvers: state.resolvers.clone(), parts, path, body: Bytes::new() }, request })
    }
}

async fn path_of(parts: &mut Parts, state: &State) -> Result<RawPathParams, Failure> {
    let path = RawPathParams::from_request_parts(parts, state).await;
    path.map_err(|_| Failure::unreadable("path", "must be UTF-8, percent-encoded"))
}

impl RestRequest {
    /// The id that stands in the path where `{name}` does.
    pub(crate) fn id<K: IdKind>(&self, name: &str) -> Result<Id<K>, Failure> {
        let path = self.path.as_ref().map_err(Clone::clone)?;
        let text = path.iter().find(|(key, _)| *key == name);
        // A route without `{name}` has no id to read: an empty one, which is refused.
        let text = text.map_or("", |(_, value)| value);
        Id::parse(text).map_err(|problem| Failure::unreadable(name, problem))
    }

    /// The UUID that stands in the path where `{name}` does, as it is usually written.
    pub(crate) fn uuid<K: IdKind>(&self, name: &str) -> Result<Id<K>, Failure> {
        let id: Id<K> = self.id(name)?;
        let wrong = || Failure::unreadable(name, "must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37");
        uuid::Uuid::parse_str(id.as_str()).map(|id| Id::new(id.to_string())).map_err(|_| wrong())
    }

    /// The query, to be taken apart.
    pub(crate) fn query(&self) -> Query {
        Query::read(self.parts.uri.query().unwrap_or_default())
    }

    /// That there is no query, where none is documented.
    pub(crate) fn no_query(&self) -> Result<(), Failure> {
        self.query().finish(Some(()))
    }

    /// The page that the query wants, where nothing else is documented for it.
    pub(crate) fn page(&self, default_limit: i64) -> Result<OffsetPage, Failure> {
        let mut query = self.query();
        let page = query.page(default_limit);
        query.finish(Some(page))
    }

    /// The key under which a write can be sent again, where no query is documented for it.
    pub(crate) fn key_without_query(&self) -> Result<Option<IdempotencyKey>, Failure> {
        let (key, ()) = (self.idempotency_key(), self.no_query()).together()?;
        Ok(key)
    }

    /// The key under which a write can be sent again: header `idempotency-key`.
    pub(crate) fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Failure> {
        key_in(&self.parts.headers)
    }

    /// The request for data that a request answers: header `service-rfd-id`, a UUID.
    pub(crate) fn request_for_data(&self) -> Result<Option<RequestForDataId>, Failure> {
        let Some(value) = self.parts.headers.get(REQUEST_FOR_DATA) else { return Ok(None) };
        let id = value.to_str().ok().and_then(|text| uuid::Uuid::parse_str(text).ok());
        let wrong = || Failure::unreadable(REQUEST_FOR_DATA, "must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37");
        id.map(|id| Some(RequestForDataId::new(id.to_string()))).ok_or_else(wrong)
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Where the request comes from, for an operation whose sender nobody knows yet.
    pub(crate) fn origin(&self) -> Origin {
        let unknown = || Origin { ip: None, request_id: RequestId::of(&self.parts.extensions).0 };
        self.parts.extensions.get::<Origin>().cloned().unwrap_or_else(unknown)
    }

    /// The body as it came.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// The body: one JSON object.
    pub(crate) fn object<T: Input>(&self) -> Result<Given<T>, Failure> {
        self.must_be_json()?;
        Ok(given::read(&self.body)?)
    }

    /// The body: a webhook, or a change of one, whose address is looked at too.
    pub(crate) fn webhook<T: Input>(&self) -> Result<Given<T>, Failure> {
        self.must_be_json()?;
        Ok(self.resolvers.read_webhook(&self.body)?)
    }

    /// The body: a JSON array of objects.
    pub(crate) fn array<T: Input>(&self) -> Result<GivenList<T>, Failure> {
        self.must_be_json()?;
        Ok(given::read_list(&self.body)?)
    }

    /// A body that says it is something else is refused; one that says nothing is taken for JSON.
    pub(crate) fn must_be_json(&self) -> Result<(), Failure> {
        match self.media_type()? {
            Some(media_type) if !is_json(&media_type) => Err(Failure::MediaType("application/json")),
            _ => Ok(()),
        }
    }

    /// The media type that the body says it has, in small letters, without parameters.
    pub(crate) fn media_type(&self) -> Result<Option<String>, Failure> {
        let Some(value) = self.parts.headers.get(header::CONTENT_TYPE) else {
            return Ok(None);
        };
        let Ok(text) = value.to_str() else {
            return Err(Failure::Unreadable(vec![Fault::new("content-type", "must be ASCII")]));
        };
        let essence = text.split(';').next().unwrap_or_default();
        Ok(Some(essence.trim().to_ascii_lowercase()))
    }
}

/// By this header the answer to a request for data is known.
const REQUEST_FOR_DATA: &str = "service-rfd-id";
/// By this header a retry is known.
pub(crate) const KEY: &str = "idempotency-key";

/// Headers that say one thing: of two it is not clear which is meant.
const GIVEN_ONCE: [HeaderName; 7] = [
    header::HOST,
    header::CONTENT_TYPE,
    header::AUTHORIZATION,
    HeaderName::from_static("x-api-key"),
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static(KEY),
    HeaderName::from_static(REQUEST_FOR_DATA),
];

/// A fault for each header that says one thing and was given more than once.
pub fn repeated_headers(headers: &HeaderMap) -> Vec<Fault> {
    let is_repeated = |name: &&HeaderName| headers.get_all(*name).iter().nth(1).is_some();
    GIVEN_ONCE.iter().filter(is_repeated).map(|name| Fault::new(name.as_str(), "must be given once")).collect()
}

fn key_in(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Failure> {
    let Some(key) = headers.get(KEY) else { return Ok(None) };
    // What is no text is no ASCII either.
    let key = IdempotencyKey::parse(key.to_str().unwrap_or_default());
    key.map(Some).map_err(|problem| Failure::unreadable(KEY, problem))
}

/// `application/json`, or a type whose syntax is JSON (`application/merge-patch+json`).
fn is_json(media_type: &str) -> bool {
    media_type == "application/json" || media_type.strip_suffix("+json").is_some_and(|kind| kind.contains('/'))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn keys_are_1_to_255_visible_characters() {
        let key = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
            key_in(&headers)
        };
        assert_eq!(key_in(&HeaderMap::new()), Ok(None));
        for right in ["a", "!~", &"k".repeat(255)] {
            assert_eq!(key(right), Ok(Some(IdempotencyKey::parse(right).unwrap())));
        }
        for wrong in ["", "a b", "é", &"k".repeat(256)] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_header_that_says_one_thing_is_given_once() {
        for name in GIVEN_ONCE {
            let mut headers = HeaderMap::new();
            headers.append(header::ACCEPT, HeaderValue::from_static("text/html"));
            headers.append(header::ACCEPT, HeaderValue::from_static("application/json"));
            headers.append(&name, HeaderValue::from_static("a"));
            assert!(repeated_headers(&headers).is_empty());
            headers.append(&name, HeaderValue::from_static("a"));
            assert_eq!(repeated_headers(&headers), [Fault::new(name.as_str(), "must be given once")]);
        }
    }

    #[test]
    fn what_is_json() {
        for right in ["application/json", "application/merge-patch+json"] {
            assert!(is_json(right), "{right}");
        }
        for wrong in ["", "text/plain", "+json", "application/x-www-form-urlencoded", "application/jsonp"] {
            assert!(!is_json(wrong), "{wrong}");
        }
    }
}
