//! The id that ties an answer to its lines in the log: the caller's own, when it is well-formed, or a new one.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header, in both directions.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// A request's id.
#[derive(Clone)]
pub struct RequestId {
    pub text: Arc<str>,
    pub header: HeaderValue,
}

impl RequestId {
    /// The id a request brought along, or a new one that sorts by time. Of a request that brought two none is meant.
    pub fn of(headers: &HeaderMap) -> Self {
        let mut given = headers.get_all(HEADER).iter();
        if let (Some(header), None) = (given.next(), given.next())
            && let Some(text) = well_formed(header)
        {
            return Self { text: text.into(), header: header.clone() };
        }
        let mut buffer = Uuid::encode_buffer();
        let text: &str = Uuid::now_v7().hyphenated().encode_lower(&mut buffer);
        // Hexadecimal digits and hyphens are always a header's value.
        let header = HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("-"));
        Self { text: text.into(), header }
    }
}

/// Ids end up in logs and in the audit trail, so what may be in one is narrow.
fn well_formed(header: &HeaderValue) -> Option<&str> {
    let bytes = header.as_bytes();
    let good = (1..=128).contains(&bytes.len()) && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b));
    if good { header.to_str().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &'static str) -> RequestId {
        RequestId::of(&HeaderMap::from_iter([(HEADER, HeaderValue::from_static(given))]))
    }

    #[test]
    fn a_good_id_is_kept_and_a_bad_one_replaced() {
        assert_eq!(&*of("run-7_a.b:c").text, "run-7_a.b:c");
        for bad in ["", "two words", "a\"b", "<id>"] {
            let id = of(bad);
            assert!(Uuid::parse_str(&id.text).is_ok_and(|id| id.get_version_num() == 7), "{bad}");
            assert_eq!(id.header.as_bytes(), id.text.as_bytes());
        }
    }
}
