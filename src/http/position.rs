//! Positions: what an instance has written, for the others. Who has changed something is told one, and sends it along when he reads, to whichever instance.
//!
//! An answer has one where this instance has written something since its request came, be it for another. One too many costs nothing but its header.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

/// In requests one or several, between commas.
pub const HEADER: HeaderName = HeaderName::from_static("x-amlgraph-position");
/// Stands for one that can't be read, which no instance has.
const UNREADABLE: &str = "";

/// The positions that a request names.
pub fn named(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers.get_all(HEADER).iter().flat_map(|value| value.to_str().unwrap_or(UNREADABLE).split(','))
}

/// Tells one.
pub fn tell(response: &mut Response, position: Option<String>) {
    if let Some(value) = position.and_then(|position| HeaderValue::try_from(position).ok()) {
        response.headers_mut().insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_may_name_several_positions() {
        let mut headers = HeaderMap::new();
        assert_eq!(named(&headers).count(), 0);
        headers.append(HEADER, HeaderValue::from_static("a.1,b.2"));
        headers.append(HEADER, HeaderValue::from_bytes(b"\xff").expect("a value"));
        assert_eq!(named(&headers).collect::<Vec<_>>(), ["a.1", "b.2", ""]);
    }
}
