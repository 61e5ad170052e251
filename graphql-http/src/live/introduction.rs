//! Credentials in the payload of `connection_init`: a page in a browser can send no header with a WebSocket.
//!
//! `{"x-api-key": "…"}` or `{"authorization": "Bearer …"}`, in any case of letters. They stand for the headers of the same names, and are read as those are.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::close::Close;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The headers that may carry credentials.
const NAMES: [HeaderName; 2] = [API_KEY, AUTHORIZATION];

/// The headers of a request that may carry credentials, to be kept until the payload is there.
pub fn of_headers(headers: &HeaderMap) -> HeaderMap {
    NAMES.into_iter().filter_map(|name| headers.get(&name).cloned().map(|value| (name, value))).collect()
}

/// The credentials of a payload, as headers; empty where it has none.
pub fn of_payload(payload: Option<&RawValue>) -> Result<HeaderMap, Close> {
    let mut found = HeaderMap::new();
    let Some(payload) = payload else { return Ok(found) };
    let fields: Map<String, Value> =
        serde_json::from_str(payload.get()).map_err(|error| Close::invalid(format!("payload: must be a JSON object: {error}")))?;
    for (name, value) in fields {
        let Some(header) = NAMES.into_iter().find(|known| name.eq_ignore_ascii_case(known.as_str())) else { continue };
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text,
            _ => return Err(Close::invalid(format!("payload.{header}: must be a string"))),
        };
        let value = HeaderValue::from_str(text.trim()).map_err(|_| Close::unauthorized(format!("payload.{header}: must be plain text")))?;
        if found.insert(header.clone(), value).is_some() {
            return Err(Close::invalid(format!("payload.{header}: must be given once")));
        }
    }
    Ok(found)
}

/// Whether the payload has credentials that are not among those of the headers by which somebody was recognised. What the headers have besides, such as the
/// password of a proxy, is no matter of the payload.
pub fn differ(payload: &HeaderMap, headers: &HeaderMap) -> bool {
    payload.iter().any(|(name, value)| headers.get(name).is_none_or(|said| said.as_bytes().trim_ascii() != value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(payload: &str) -> Result<HeaderMap, u16> {
        let payload: Box<RawValue> = serde_json::from_str(payload).expect("JSON");
        of_payload(Some(&payload)).map_err(|close| close.code)
    }

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn credentials_are_found_whatever_the_case() {
        for (payload, found) in [
            (r#"{}"#, Ok(headers(&[]))),
            (r#"{"X-API-Key":" k ","other":[1]}"#, Ok(headers(&[(API_KEY, "k")]))),
            (r#"{"Authorization":"Bearer t"}"#, Ok(headers(&[(AUTHORIZATION, "Bearer t")]))),
            (r#"{"authorization":null,"x-api-key":"k"}"#, Ok(headers(&[(API_KEY, "k")]))),
            (r#"{"authorization":"Bearer t","x-api-key":"k"}"#, Ok(headers(&[(AUTHORIZATION, "Bearer t"), (API_KEY, "k")]))),
            (r#"{"x-api-key":1}"#, Err(4400)),
            (r#"{"x-api-key":"a","X-Api-Key":"a"}"#, Err(4400)),
            (r#"{"x-api-key":"a\nb"}"#, Err(4401)),
        ] {
            assert_eq!(read(payload), found, "{payload}");
        }
        assert_eq!(of_payload(None), Ok(HeaderMap::new()));
    }

    #[test]
    fn a_payload_that_says_what_the_headers_say_is_no_other() {
        let (key, other, token) = (headers(&[(API_KEY, "k")]), headers(&[(API_KEY, "l")]), headers(&[(AUTHORIZATION, "Bearer t")]));
        let by_a_proxy = headers(&[(API_KEY, " k "), (AUTHORIZATION, "Basic dTpw")]);
        for (payload, of_headers, is_other) in [
            (&key, &key, false),
            (&key, &by_a_proxy, false),
            (&other, &key, true),
            (&token, &key, true),
            (&token, &by_a_proxy, true),
            (&token, &token, false),
        ] {
            assert_eq!(differ(payload, of_headers), is_other, "{payload:?} {of_headers:?}");
        }
    }
}
