//! Reading requests: out of a body of JSON, or out of an address. What can't be read is told in words, by the name of what is wrong.
//!
//! async-graphql-axum 7.2 would read and answer, too, and is left alone because it is laxer than GraphQL over HTTP, and than our limits:
//!
//! - It takes a body of any content type, or of none, for JSON, and files by `multipart/form-data`. So a form of another site could send requests
//!   without asking first.
//! - It takes lists for objects and batches of any size, copies variables of any size, and passes over `extensions` that are no object.
//! - What can't be read it answers in plain text with names of Rust types, without `errors`; and GET it answers whatever comes with it,
//!   mutations included.
//! - It answers as `application/graphql-response+json` whatever is accepted, with status 200 and `"data": null` for documents that were refused.
//! - It hands a request on as a text to be parsed; ours go by the limits first, and most are parsed already.
//!
//! Nothing would be left of it but serde's derive. Its WebSocket checks messages as loosely, has neither limits nor an end of credentials, and collects the
//! root field of a subscription wrongly; `live` has the protocol itself.

use async_graphql::{Request, Value as GraphValue, Variables};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::cost::COST;
use super::refusal::Refusal;
use super::trusted::DOCUMENT_ID;

/// The most bytes of a request's variables: each is copied wherever the document uses it.
pub const VARIABLES: usize = 256 << 10;

/// The most bytes of a document's id.
const LONGEST_ID: usize = 256;

const GIVEN_TWICE: &str = "query, documentId, operationName, variables and extensions: must be given once";

/// What one HTTP request asks.
pub enum GraphqlRequest {
    One(Box<Request>),
    Several(Vec<Request>),
}

/// Headers with which a query may come in an address. A form can't send any of them, nor can a script of another site without asking first, and
/// nobody gets an answer to that here. Those that GraphQL clients and servers know for it, and the oldest.
///
/// Our credentials are headers, too, so that no page of somebody else asks anything in the name of whoever looks at it. But a proxy may well put
/// them in; so this does not rest on them.
const BY_NO_FORM: [&str; 4] = ["graphql-require-preflight", "apollo-require-preflight", "x-apollo-operation-name", "x-requested-with"];

/// A request as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given<'a> {
    query: Option<String>,
    document_id: Option<String>,
    operation_name: Option<String>,
    #[serde(borrow)]
    variables: Option<&'a RawValue>,
    #[serde(borrow)]
    extensions: Option<&'a RawValue>,
}

impl Given<'_> {
    /// `place`: what stands before the names of its fields in messages.
    fn request(self, place: &str) -> Result<Request, Refusal> {
        let extensions = self.extensions(place)?;
        let id = named_document(self.document_id, extensions.persisted_query);
        if id.as_ref().is_some_and(|id| id.len() > LONGEST_ID) {
            return Err(Refusal::Malformed(format!("{place}documentId: must be at most {LONGEST_ID} bytes")));
        }
        let query = match (self.query.filter(|query| !query.trim().is_empty()), &id) {
            (Some(query), _) => query,
            (None, Some(_)) => String::new(),
            (None, None) => return Err(Refusal::Malformed(format!("{place}query: is missing"))),
        };
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
        request.extensions.extend(id.map(|id| (DOCUMENT_ID.to_owned(), GraphValue::String(id))));
        request.extensions.extend(extensions.cost.map(|cost| (COST.to_owned(), GraphValue::Boolean(cost))));
        Ok(request)
    }

    fn extensions(&self, place: &str) -> Result<Extensions, Refusal> {
        let Some(text) = self.extensions.map(RawValue::get) else { return Ok(Extensions::default()) };
        if first_sign(text.as_bytes()) != Some(b'{') {
            return Err(Refusal::Malformed(format!("{place}extensions: must be an object")));
        }
        serde_json::from_str(text).map_err(|_| {
            let wanted = "cost must be true or false, persistedQuery an object with the text sha256Hash, and each be given once";
            Refusal::Malformed(format!("{place}extensions: {wanted}"))
        })
    }
}

/// What is heeded of a request's `extensions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    /// Whether the answer is to say what it costs.
    cost: Option<bool>,
    /// How Apollo's clients name a document.
    persisted_query: Option<PersistedQuery>,
}

#[derive(Deserialize)]
struct PersistedQuery {
    #[serde(rename = "sha256Hash")]
    sha256_hash: Option<String>,
}

/// The id by which a request names its document: its `documentId`, or else the hash of its persisted query. An empty one names none.
fn named_document(document_id: Option<String>, persisted: Option<PersistedQuery>) -> Option<String> {
    let hash = persisted.and_then(|persisted| persisted.sha256_hash);
    [document_id, hash].into_iter().flatten().find(|id| !id.is_empty())
}

/// What a body asks: an object is one request, a list is a batch of at most `most`; there are none when that is 0.
pub fn posted(headers: &HeaderMap, body: &[u8], most: usize) -> Result<GraphqlRequest, Refusal> {
    if !is_json(headers) {
        return Err(Refusal::NotJson);
    }
    if first_sign(body) != Some(b'[') {
        return read(body, "").map(|request| GraphqlRequest::One(Box::new(request)));
    }
    if most == 0 {
        let message = "there are no batches here, unless the setting graphql.batch says how many requests may be in one: send one request at a time";
        return Err(Refusal::Malformed(message.into()));
    }
    let items: Vec<&RawValue> = serde_json::from_slice(body).map_err(|error| not_json(&error))?;
    if items.is_empty() {
        return Err(Refusal::Malformed("the batch is empty".into()));
    }
    if items.len() > most {
        return Err(Refusal::Malformed(format!("at most {most} requests in a batch")));
    }
    let requests = items.iter().enumerate().map(|(number, item)| read(item.get().as_bytes(), &format!("[{number}].")));
    requests.collect::<Result<_, _>>().map(GraphqlRequest::Several)
}

/// What the payload of a message asks.
pub fn in_message(payload: &str) -> Result<Request, Refusal> {
    read(payload.as_bytes(), "payload.")
}

/// Whether the payload of a message names its document, so that it needs no query. One that can't be read is told of where the request is read.
pub fn names_a_document(payload: &str) -> bool {
    let Ok(given) = serde_json::from_str::<Given>(payload) else { return true };
    match given.extensions("payload.") {
        Ok(extensions) => named_document(given.document_id, extensions.persisted_query).is_some(),
        Err(_) => true,
    }
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
    let what = match ["query", "documentId", "operationName"].into_iter().find(|name| wrong(name, Value::is_string)) {
        Some(name) => format!("{name}: must be a string"),
        None => GIVEN_TWICE.into(),
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
    document_id: Option<String>,
    operation_name: Option<String>,
    variables: Option<String>,
    extensions: Option<String>,
}

/// What the part of an address behind the question mark asks, where one of [`BY_NO_FORM`] comes with it, or a script of no other site sent it.
pub fn in_address(headers: &HeaderMap, text: &str) -> Result<Request, Refusal> {
    if !BY_NO_FORM.iter().any(|name| headers.contains_key(*name)) && !is_of_own_script(headers) {
        let names = BY_NO_FORM.join(", ");
        return Err(Refusal::Malformed(format!("a query in the address needs a header that no form can send, one of {names}; or send it by POST")));
    }
    let InAddress { query, document_id, operation_name, variables, extensions } =
        serde_urlencoded::from_str(text).map_err(|_| Refusal::Malformed(GIVEN_TWICE.into()))?;
    let (variables, extensions) = (in_json("variables", variables.as_deref())?, in_json("extensions", extensions.as_deref())?);
    Given { query, document_id, operation_name: operation_name.filter(|name| !name.is_empty()), variables, extensions }.request("")
}

/// Whether a script sent this, and none of another site. Browsers say so themselves, and no page can say otherwise: a form has the mode `navigate`,
/// an image `no-cors`, and with each mode they say from which site. Without one it is a program that has `fetch` as browsers do.
fn is_of_own_script(headers: &HeaderMap) -> bool {
    let is = |name, value: &str| headers.get(name).is_some_and(|given| given == value);
    is("sec-fetch-mode", "cors") && (is("sec-fetch-site", "same-origin") || !headers.contains_key("sec-fetch-site"))
}

/// What an address has as JSON under a name.
fn in_json<'a>(name: &str, text: Option<&'a str>) -> Result<Option<&'a RawValue>, Refusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    serde_json::from_str(text).map_err(|error| Refusal::Malformed(format!("{name}: must be JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use async_graphql::Name;

    use super::*;

    /// serde_json's `arbitrary_precision`, switched on by whatever dependency, makes numbers maps of a text on their way into other types, and variables
    /// would come out empty or wrong.
    #[test]
    fn numbers_among_the_variables_are_numbers() {
        let body = br#"{"query": "{ a }", "variables": {"f": 1.5, "n": 12345678901234567890123, "i": -3, "in": {"l": [2.5]}}}"#;
        let request = read(body, "").expect("a request");
        let variable = |name: &str| request.variables.get(&Name::new(name)).cloned().and_then(|value| value.into_json().ok());
        assert_eq!(request.variables.len(), 4);
        assert_eq!(variable("f"), Some(serde_json::json!(1.5)));
        assert_eq!(variable("n"), Some(serde_json::json!(12_345_678_901_234_567_890_123.0)));
        assert_eq!(variable("i"), Some(serde_json::json!(-3)));
        assert_eq!(variable("in"), Some(serde_json::json!({"l": [2.5]})));
        assert!(variable("n").is_some_and(|number| number.is_f64()), "a number of 23 digits is the nearest there is");
        let whole: Request = serde_json::from_slice(body).expect("a request as async-graphql reads one");
        assert_eq!(whole.variables, request.variables);
    }
}
