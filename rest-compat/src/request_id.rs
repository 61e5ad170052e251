//! The id under which a request is known, outside (header `x-request-id`) and in the log.

use std::{fmt, sync::Arc};

use axum::http::Extensions;
use resolvers::{Caller, Origin};

/// The request's id. The HTTP assembly puts it into the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(pub Arc<str>);

impl RequestId {
    /// The id that is among the extensions: by itself, or with the caller.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        if let Some(id) = extensions.get::<Self>() {
            return id.clone();
        }
        let origin = extensions.get::<Origin>().map(|origin| &origin.request_id);
        let known = origin.or_else(|| extensions.get::<Caller>().map(|caller| &caller.request_id));
        known.map_or_else(|| Self(Arc::from("unknown")), |id| Self(Arc::clone(id)))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
