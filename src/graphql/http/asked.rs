//! Reading requests: out of a body of JSON, or out of an address. What can't be read is told in words, by the name of what is wrong.
//!
//! async-graphql has readers of its own; theirs take lists for objects, files for JSON, and explain with names of Rust types.

use async_graphql::{Request, Variables};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::refusal::Refusal;

/// The most bytes of a request's variables: each is copied wherever the document uses it.
const VARIABLES: usize = 256 << 10;

/// What one HTTP request asks.
pub enum Asked {
    One(Box<Request>),
    Several(Vec<Request>),
}

/// A request as it is written. Its `extensions` mean nothing here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given<'a> {
    query: Option<String>,
    operation_name: Option<String>,
    #[serde(borrow)]
    variables: Option<&'a RawValue>,
}

impl Given<'_> {
    /// `place`: what stands before the names of its fields in messages.
    fn request(self, place: &str) -> Result<Request, Refusal> {
        let query = self.query.filter(|query| !query.trim().is_empty());
        let query = query.ok_or_else(|| Refusal::Malformed(format!("{place}query: is missing")))?;
        let variables = match self.variables.map(RawValue::get) {
            Some(text) if text.len() > VARIABLES => {
                return Err(Refusal::Malformed(format!("{place}variables: must be at most {VARIABLES} bytes")));
            }
            Some(text) => serde_json::from_str(text).map_err(|error| match error.classify() {
                Category::Data => Refusal::Malformed(format!("{place}variables: must be an object")),
                // What is only read here, such as how deep it goes.
                _ => not_json(&error),
            })?,
            None => Variables::default(),
        };
        let mut request = Request::new(query).variables(variables);
        request.operation_name = self.operation_name;
        Ok(request)
    }
}

/// What a body asks: an object is one request, a list is a batch of at most `most`.
pub fn posted(headers: &HeaderMap, body: &[u8], most: usize) -> Result<Asked, Refusal> {
    if !is_json(headers) {
        return Err(Refusal::NotJson);
    }
    if first_sign(body) != Some(b'[') {
        return read(body, "").map(|request| Asked::One(Box::new(request)));
    }
    let items: Vec<&RawValue> = serde_json::from_slice(body).map_err(|error| not_json(&error))?;
    if items.is_empty() {
        return Err(Refusal::Malformed("the batch is empty".into()));
    }
    if items.len() > most {
        return Err(Refusal::Malformed(format!("at most {most} requests in a batch")));
    }
    let requests = items.iter().enumerate().map(|(number, item)| read(item.get().as_bytes(), &format!("[{number}].")));
    requests.collect::<Result<_, _>>().map(Asked::Several)
}

/// Whether the body is said to be JSON. A form on a page of somebody else can't say that.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn first_sign(json: &[u8]) -> Option<u8> {
    json.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn read(json: &[u8], place: &str) -> Result<Request, Refusal> {
    // Serde would take a list for an object, its items for the fields in their order.
    if first_sign(json) == Some(b'{')
        && let Ok(given) = serde_json::from_slice::<Given>(json)
    {
        return given.request(place);
    }
    Err(fault(json, place))
}

/// What is wrong with a request that can't be read.
fn fault(json: &[u8], place: &str) -> Refusal {
    let value: Value = match serde_json::from_slice(json) {
        Ok(value) => value,
        Err(error) => return not_json(&error),
    };
    let Some(fields) = value.as_object() else {
        let whole = if place.is_empty() { "body" } else { place.trim_end_matches('.') };
        return Refusal::Malformed(format!("{whole}: must be an object with a query"));
    };
    let wrong = |name: &str, right: fn(&Value) -> bool| fields.get(name).is_some_and(|field| !field.is_null() && !right(field));
    let what = match ["query", "operationName"].into_iter().find(|name| wrong(name, Value::is_string)) {
        Some(name) => format!("{name}: must be a string"),
        None => "query, operationName and variables: must be given once".into(),
    };
    Refusal::Malformed(format!("{place}{what}"))
}

fn not_json(error: &serde_json::Error) -> Refusal {
    Refusal::Malformed(format!("body: must be JSON: {error}"))
}

/// A request as an address has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InAddress {
    query: Option<String>,
    operation_name: Option<String>,
    variables: Option<String>,
}

/// What the part of an address behind the question mark asks.
pub fn in_address(text: &str) -> Result<Request, Refusal> {
    let InAddress { query, operation_name, variables } =
        serde_urlencoded::from_str(text).map_err(|_| Refusal::Malformed("query, operationName and variables: must be given once".into()))?;
    let variables = match variables.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => Some(serde_json::from_str(text).map_err(|error| Refusal::Malformed(format!("variables: must be JSON: {error}")))?),
        None => None,
    };
    Given { query, operation_name: operation_name.filter(|name| !name.is_empty()), variables }.request("")
}
