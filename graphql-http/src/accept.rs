//! What a client would like to get, by its `Accept`.

use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};

const JSON: &str = "application/json";
const GRAPHQL: &str = "application/graphql-response+json";
const HTML: &str = "text/html";
const EVENTS: &str = "text/event-stream";

/// The two forms in which GraphQL is answered; the body is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The older: whatever came of a request, the status is 200.
    Json,
    /// The one of GraphQL over HTTP: the status tells a document that was refused from one that was carried out.
    Graphql,
}

impl Form {
    /// The newer one where it is asked for by its name, and the older one is not liked better.
    pub fn of(headers: &HeaderMap) -> Self {
        match named(headers, GRAPHQL) {
            Some(quality) if quality > 0.0 && quality >= any(headers, JSON) => Self::Graphql,
            _ => Self::Json,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Graphql => GRAPHQL,
        }
    }

    /// The status of an answer; `is_refused`: its document was not carried out.
    pub fn status(self, is_refused: bool) -> StatusCode {
        if self == Self::Graphql && is_refused { StatusCode::BAD_REQUEST } else { StatusCode::OK }
    }
}

/// Whether a page is wanted: it is asked for by its name, and JSON is not liked better.
pub fn prefers_a_page(headers: &HeaderMap) -> bool {
    named(headers, HTML).is_some_and(|quality| quality > 0.0 && quality >= any(headers, JSON).max(any(headers, GRAPHQL)))
}

/// Whether a stream of events is taken: by its name, by a range that it is in, or because nothing is said.
pub fn takes_events(headers: &HeaderMap) -> bool {
    let quality = [EVENTS, "text/*", "*/*"].into_iter().find_map(|range| named(headers, range));
    quality.map_or(!headers.contains_key(ACCEPT), |quality| quality > 0.0)
}

/// How well a type is liked that is named.
fn named(headers: &HeaderMap, name: &str) -> Option<f32> {
    ranges(headers).filter(|(range, _)| range.eq_ignore_ascii_case(name)).map(|(_, quality)| quality).reduce(f32::max)
}

/// How well a type of `application` is liked, by its name or by a range that it is in.
fn any(headers: &HeaderMap, name: &str) -> f32 {
    [name, "application/*", "*/*"].into_iter().find_map(|range| named(headers, range)).unwrap_or_default()
}

/// What is accepted, and how well it is liked.
fn ranges(headers: &HeaderMap) -> impl Iterator<Item = (&str, f32)> {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        (name, quality.map_or(1.0, |quality| quality.parse().unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_liked_best_is_given() {
        for (accept, page, form) in [
            ("", false, Form::Json),
            ("*/*", false, Form::Json),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true, Form::Json),
            ("application/json, text/html;q=0.1", false, Form::Json),
            ("application/json, text/html", true, Form::Json),
            ("text/html;q=0", false, Form::Json),
            ("text/*", false, Form::Json),
            ("application/graphql-response+json", false, Form::Graphql),
            ("application/graphql-response+json; charset=utf-8, application/json; charset=utf-8", false, Form::Graphql),
            ("Application/GraphQL-Response+JSON;q=0.9, application/*;q=0.8", false, Form::Graphql),
            ("application/json, application/graphql-response+json;q=0.5", false, Form::Json),
            ("application/graphql-response+json;q=none", false, Form::Json),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, accept.parse().expect("a header value"))]);
            assert_eq!((prefers_a_page(&headers), Form::of(&headers)), (page, form), "{accept}");
        }
    }

    #[test]
    fn a_stream_of_events_is_taken_by_its_name_or_by_a_range() {
        for (accept, taken) in [
            (None, true),
            (Some("text/event-stream"), true),
            (Some("*/*"), true),
            (Some("application/json, text/*;q=0.1"), true),
            (Some("text/event-stream;q=0, */*"), false),
            (Some("application/json"), false),
            (Some(""), false),
        ] {
            let headers: HeaderMap = accept.map(|accept: &str| (ACCEPT, accept.parse().expect("a header value"))).into_iter().collect();
            assert_eq!(takes_events(&headers), taken, "{accept:?}");
        }
    }
}
