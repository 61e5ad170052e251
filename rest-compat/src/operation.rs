//! What the document says of one operation: where it is, which statuses it lists, how it words its errors.
//!
//! Handlers and extractors know nothing of that. They refuse with a [`Failure`], which travels as an extension of
//! the response to the layer put round every route here; only that layer knows the operation, and words the refusal
//! as the document lists it.

use axum::{
    extract::Request,
    handler::Handler,
    middleware::{self, Next},
    response::Response,
    routing::{MethodFilter, MethodRouter, on},
};

use crate::{answer, fault::Failure, request_id::RequestId, rest_request::repeated_headers};

/// One documented operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The document's name for it.
    pub name: &'static str,
    pub method: Method,
    /// Path with its placeholders in braces.
    pub path: &'static str,
    /// The status of success.
    pub success: u16,
    /// The error statuses that are listed for it. Those that any operation may answer with (401, 403, 405, 408, 409, 413,
    /// 415, 503) need not be.
    pub errors: &'static [u16],
    pub error_body: ErrorBody,
    pub credentials: Credentials,
}

/// The methods that operations use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

/// How an operation words what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorBody {
    /// `{"errors": ["<where>: <what>"]}`
    Errors,
    /// `{"error": "…"}`
    Error,
    /// `{"error": "<code>", "error_description": "…"}` (RFC 6749, section 5.2)
    OAuth,
}

/// Whether an operation is only for callers who have shown who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credentials {
    Required,
    /// The operation is itself the way to credentials.
    None,
}

impl Method {
    /// As HTTP writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Patch => MethodFilter::PATCH,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}

impl Operation {
    /// Whether the document lists `status` as one of its errors.
    pub fn lists(&self, status: u16) -> bool {
        self.errors.contains(&status)
    }

    /// Whether it takes header `idempotency-key`: every documented write does. Credentials do not: their secrets must not be kept as answers.
    pub(crate) fn takes_idempotency_key(&self) -> bool {
        // The document has one path that is not below the others.
        self.method != Method::Get && (self.path.starts_with("/api/") || self.path.starts_with("/request_for_data/"))
    }

    /// The route's methods: `handler`, with the layer round it that words its refusals.
    pub(crate) fn served_by<H, T, S>(&'static self, handler: H) -> MethodRouter<S>
    where
        H: Handler<T, S>,
        T: 'static,
        S: Clone + Send + Sync + 'static,
    {
        on(self.method.filter(), handler).route_layer(middleware::from_fn(move |request: Request, next: Next| self.worded(request, next)))
    }

    async fn worded(&'static self, request: Request, next: Next) -> Response {
        let request_id = RequestId::of(request.extensions());
        let repeated = repeated_headers(request.headers());
        if !repeated.is_empty() {
            return answer::refusal(self, &Failure::Unreadable(repeated), &request_id);
        }
        let mut response = next.run(request).await;
        match response.extensions_mut().remove::<Failure>() {
            Some(failure) => answer::refusal(self, &failure, &request_id),
            None => response,
        }
    }
}

/// Gathers the operations of an area, whose modules are declared beside it: what they are, their routes, their part of
/// the OpenAPI document. Each module has an `OPERATION` and a `handle`.
macro_rules! operations {
    ($($operation:ident),+ $(,)?) => {
        /// The operations of this area, in the document's order.
        pub(crate) const OPERATIONS: &[crate::Operation] = &[$($operation::OPERATION),+];

        /// Their routes.
        pub(crate) fn routes() -> axum::Router<crate::State> {
            axum::Router::new()
                $(.route($operation::OPERATION.path, (&$operation::OPERATION).served_by($operation::handle)))+
        }

        /// Their part of the OpenAPI document.
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($operation::handle),+))]
        pub(crate) struct Documented;
    };
}
pub(crate) use operations;

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::{
        Router,
        body::{Body, to_bytes},
        http::{StatusCode, header},
    };
    use resolvers::Identified;
    use tower::ServiceExt;

    use super::*;
    use crate::{OPERATIONS, fault::Failure, request_id::RequestId, rest_request::Authenticated};

    async fn only_with_credentials(Authenticated(caller): Authenticated) -> Result<String, Failure> {
        match caller.ip {
            Some(_) => Ok(caller.name),
            None => Err(Failure::Internal("MATCH".to_owned())),
        }
    }

    fn router() -> Router {
        let operation: &'static Operation = &OPERATIONS[0];
        let route = operation.served_by(only_with_credentials);
        Router::new().route(operation.path, route).method_not_allowed_fallback(crate::method_not_allowed).fallback(crate::not_found)
    }

    async fn answered(request: Request) -> (StatusCode, String, Option<String>) {
        let response = router().oneshot(request).await.unwrap();
        let allow = response.headers().get(header::ALLOW).cloned();
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let allow = allow.map(|value| value.to_str().unwrap().to_owned());
        (status, String::from_utf8(body.to_vec()).unwrap(), allow)
    }

    fn request(method: &str, path: &str) -> Request {
        Request::builder().method(method).uri(path).body(Body::empty()).unwrap()
    }

    fn caller(ip: Option<IpAddr>) -> resolvers::Caller {
        let somebody = Identified {
            id: "1".to_owned(),
            name: "somebody".to_owned(),
            roles: resolvers::Role::Ingest.into(),
            means: resolvers::CredentialType::ApiKey,
            expires_at: None,
            follows_groups: false,
            user: None,
        };
        resolvers::Caller::new(somebody, ip, "r2".into())
    }

    #[tokio::test]
    async fn without_a_caller_there_is_401() {
        let (status, body, _) = answered(request("POST", "/api/actors")).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert!(body.starts_with(r#"{"errors":["credentials: needed are header x-api-key"#), "{body}");
    }

    #[tokio::test]
    async fn a_caller_is_let_in_and_a_failure_carries_the_request_id() {
        let mut known = request("POST", "/api/actors");
        known.extensions_mut().insert(caller(Some([127, 0, 0, 1].into())));
        assert_eq!(answered(known).await.1, "somebody");

        let mut failing = request("POST", "/api/actors");
        failing.extensions_mut().insert(caller(None));
        let (status, body, _) = answered(failing).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(body.contains("r2") && !body.contains("MATCH"), "{body}");

        let mut failing = request("POST", "/api/actors");
        failing.extensions_mut().insert(caller(None));
        failing.extensions_mut().insert(RequestId("r3".into()));
        assert!(answered(failing).await.1.contains("r3"));
    }

    #[tokio::test]
    async fn other_methods_and_paths_are_answered_in_the_same_shape() {
        let (status, body, allow) = answered(request("PUT", "/api/actors")).await;
        assert_eq!((status, allow.as_deref()), (StatusCode::METHOD_NOT_ALLOWED, Some("POST")));
        assert!(body.starts_with(r#"{"errors":["path: PUT is not allowed"#), "{body}");
        let (status, body, _) = answered(request("GET", "/api/nothing")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert_eq!(body, r#"{"errors":["path: there is nothing at /api/nothing"]}"#);
    }
}
