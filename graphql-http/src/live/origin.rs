//! Whose pages may open a WebSocket. A browser asks no server before it opens one to another site, but says with it whose page wants it.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};

/// Whether a request comes from no page, from one of this server, or from one whose origin is listed.
pub fn is_welcome(headers: &HeaderMap, listed: &[String]) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter();
    let (Some(origin), None) = (origins.next(), origins.next()) else { return !headers.contains_key(ORIGIN) };
    let Ok(origin) = origin.to_str() else { return false };
    is_own(origin, headers) || listed.iter().any(|listed| listed.eq_ignore_ascii_case(origin))
}

/// Whether the page's host and port are those that were asked. The scheme is not compared: a proxy may speak TLS in front of this server.
fn is_own(origin: &str, headers: &HeaderMap) -> bool {
    let Ok(origin) = origin.parse::<Uri>() else { return false };
    let Some(asked) = headers.get(HOST).and_then(|host| host.to_str().ok()) else { return false };
    let usual = match origin.scheme_str() {
        Some("http") => ":80",
        Some("https") => ":443",
        _ => return false,
    };
    // Neither says the port that is usual.
    let without_usual = |host: &str| host.strip_suffix(usual).unwrap_or(host).to_ascii_lowercase();
    origin.authority().is_some_and(|own| without_usual(own.as_str()) == without_usual(asked))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn pages_of_this_server_and_of_listed_origins_are_welcome() {
        let listed = ["https://desk.example".to_owned()];
        for (origin, host, welcome) in [
            (None, "aml.example", true),
            (Some("https://aml.example"), "aml.example", true),
            (Some("https://AML.example"), "aml.example:443", true),
            (Some("http://127.0.0.1:8080"), "127.0.0.1:8080", true),
            (Some("http://[::1]:8080"), "[::1]:8080", true),
            (Some("http://127.0.0.1:3000"), "127.0.0.1:8080", false),
            (Some("https://desk.example"), "aml.example", true),
            (Some("http://desk.example"), "aml.example", false),
            (Some("https://desk.example.evil.example"), "aml.example", false),
            (Some("https://aml.example.evil.example"), "aml.example", false),
            (Some("https://evil.example"), "aml.example", false),
            (Some("null"), "null", false),
            (Some("file://"), "aml.example", false),
            (Some(""), "aml.example", false),
        ] {
            let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
            if let Some(origin) = origin {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(is_welcome(&headers, &listed), welcome, "{origin:?} {host}");
        }
        let mut twice = HeaderMap::from_iter([(HOST, HeaderValue::from_static("a")), (ORIGIN, HeaderValue::from_static("http://a"))]);
        twice.append(ORIGIN, HeaderValue::from_static("http://b"));
        assert!(!is_welcome(&twice, &[]));
    }
}
