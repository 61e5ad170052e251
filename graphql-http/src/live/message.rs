//! Messages of the subprotocol `graphql-transport-ws`, by the document PROTOCOL.md of npm graphql-ws 6.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::graphql_request::names_a_document;

/// The most bytes of an operation's id: it is kept, and comes with each of its results.
const ID: usize = 256;

/// What a client says.
#[derive(Debug)]
pub enum Asked<'a> {
    Init(Option<&'a RawValue>),
    Ping(Option<&'a RawValue>),
    Pong,
    Subscribe { id: String, payload: &'a RawValue },
    Complete { id: String },
}

/// A message's fields; null stands for none.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

/// What the payload of `subscribe` must be, as far as the protocol says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload<'a> {
    #[serde(borrow)]
    query: Option<&'a RawValue>,
    #[serde(borrow)]
    document_id: Option<&'a RawValue>,
    #[serde(borrow)]
    operation_name: Option<&'a RawValue>,
    #[serde(borrow)]
    variables: Option<&'a RawValue>,
    #[serde(borrow)]
    extensions: Option<&'a RawValue>,
}

/// Reads a message. The error says what is wrong with it.
pub fn read(text: &str) -> Result<Asked<'_>, String> {
    if !begins_with(text, '{') {
        return Err("a message must be a JSON object".into());
    }
    let Fields { kind, id, payload } = serde_json::from_str(text).map_err(|error| described(&error, "type, id and payload"))?;
    let kind = kind.and_then(text_of).ok_or("type: must be a string")?;
    match kind.as_str() {
        "connection_init" => Ok(Asked::Init(object(payload)?)),
        "ping" => Ok(Asked::Ping(object(payload)?)),
        "pong" => object(payload).map(|_| Asked::Pong),
        "complete" => Ok(Asked::Complete { id: operation_id(id)? }),
        "subscribe" => {
            let id = operation_id(id)?;
            let payload = object(payload)?.ok_or("payload: must be an object with a query")?;
            check_payload(payload)?;
            Ok(Asked::Subscribe { id, payload })
        }
        "connection_ack" | "next" | "error" => Err(format!("type: {kind} is sent by the server alone")),
        _ => Err("type: must be connection_init, ping, pong, subscribe or complete".into()),
    }
}

fn check_payload(payload: &RawValue) -> Result<(), String> {
    let Payload { query, document_id, operation_name, variables, extensions } =
        serde_json::from_str(payload.get()).map_err(|error| described(&error, "query, documentId, operationName, variables and extensions"))?;
    let is = |value: Option<&RawValue>, sign: char| value.is_none_or(|value| begins_with(value.get(), sign));
    // The protocol wants a query; a client that names a document by its id has none, or an empty one.
    if (query.is_none() && !names_a_document(payload.get())) || !is(query, '"') {
        return Err("payload.query: must be a string".into());
    }
    if !is(document_id, '"') {
        return Err("payload.documentId: must be a string".into());
    }
    if !is(operation_name, '"') {
        return Err("payload.operationName: must be a string".into());
    }
    for (name, value) in [("variables", variables), ("extensions", extensions)] {
        if !is(value, '{') {
            return Err(format!("payload.{name}: must be an object"));
        }
    }
    Ok(())
}

/// What serde has found, in words without the names of our types.
fn described(error: &serde_json::Error, fields: &str) -> String {
    match error.classify() {
        serde_json::error::Category::Data => format!("{fields}: must be given once"),
        _ => format!("a message must be JSON: {error}"),
    }
}

fn operation_id(id: Option<&RawValue>) -> Result<String, String> {
    let id = id.and_then(text_of).filter(|id| !id.is_empty()).ok_or("id: must be a string that is not empty")?;
    if id.len() > ID { Err(format!("id: must be at most {ID} bytes")) } else { Ok(id) }
}

fn object(payload: Option<&RawValue>) -> Result<Option<&RawValue>, String> {
    match payload {
        Some(payload) if !begins_with(payload.get(), '{') => Err("payload: must be an object".into()),
        payload => Ok(payload),
    }
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

fn begins_with(json: &str, sign: char) -> bool {
    json.trim_start().starts_with(sign)
}

/// What the server says; results and errors are JSON already.
pub mod told {
    use serde_json::value::RawValue;

    pub const ACK: &str = r#"{"type":"connection_ack"}"#;

    pub fn pong(payload: Option<&RawValue>) -> String {
        match payload {
            Some(payload) => format!(r#"{{"type":"pong","payload":{}}}"#, payload.get()),
            None => r#"{"type":"pong"}"#.to_owned(),
        }
    }

    pub fn next(id: &str, result: &[u8]) -> Vec<u8> {
        with_payload("next", id, result)
    }

    pub fn error(id: &str, errors: &[u8]) -> Vec<u8> {
        with_payload("error", id, errors)
    }

    pub fn complete(id: &str) -> Vec<u8> {
        format!(r#"{{"id":{},"type":"complete"}}"#, quoted(id)).into_bytes()
    }

    fn with_payload(kind: &str, id: &str, payload: &[u8]) -> Vec<u8> {
        let head = format!(r#"{{"id":{},"type":"{kind}","payload":"#, quoted(id));
        [head.as_bytes(), payload, b"}".as_slice()].concat()
    }

    fn quoted(text: &str) -> String {
        serde_json::Value::from(text).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a message was read as, in short.
    fn shown(text: &str) -> String {
        match read(text) {
            Ok(Asked::Init(payload)) => format!("init {}", payload.map_or("-", RawValue::get)),
            Ok(Asked::Ping(payload)) => format!("ping {}", payload.map_or("-", RawValue::get)),
            Ok(Asked::Pong) => "pong".to_owned(),
            Ok(Asked::Subscribe { id, payload }) => format!("subscribe {id} {}", payload.get()),
            Ok(Asked::Complete { id }) => format!("complete {id}"),
            Err(problem) => problem,
        }
    }

    #[test]
    fn messages_are_read_to_the_letter() {
        let long_id = format!(r#"{{"type":"complete","id":"{}"}}"#, "x".repeat(ID + 1));
        for (text, read) in [
            (r#"{"type":"connection_init"}"#, "init -"),
            (r#"{"type":"connection_init","payload":null}"#, "init -"),
            (r#" {"payload":{"a":1},"type":"connection_init","more":1} "#, r#"init {"a":1}"#),
            (r#"{"type":"connection_init","payload":[]}"#, "payload: must be an object"),
            (r#"{"type":"ping"}"#, "ping -"),
            (r#"{"type":"ping","payload":{"at": 1.50}}"#, r#"ping {"at": 1.50}"#),
            (r#"{"type":"ping","payload":"x"}"#, "payload: must be an object"),
            (r#"{"type":"pong","payload":{}}"#, "pong"),
            (r#"{"type":"pong","payload":0}"#, "payload: must be an object"),
            (r#"{"type":"complete","id":"1"}"#, "complete 1"),
            (r#"{"type":"complete","id":"\u00e9\n"}"#, "complete é\n"),
            (r#"{"type":"complete"}"#, "id: must be a string that is not empty"),
            (r#"{"type":"complete","id":1}"#, "id: must be a string that is not empty"),
            (r#"{"type":"complete","id":""}"#, "id: must be a string that is not empty"),
            (long_id.as_str(), "id: must be at most 256 bytes"),
            (r#"{"type":"subscribe","id":"1","payload":{"query":"{a}"}}"#, r#"subscribe 1 {"query":"{a}"}"#),
            (
                r#"{"type":"subscribe","id":"1","payload":{"query":"","operationName":null,"variables":null,"extensions":null}}"#,
                r#"subscribe 1 {"query":"","operationName":null,"variables":null,"extensions":null}"#,
            ),
            (r#"{"type":"subscribe","payload":{"query":"{a}"}}"#, "id: must be a string that is not empty"),
            (r#"{"type":"subscribe","id":"1"}"#, "payload: must be an object with a query"),
            (r#"{"type":"subscribe","id":"1","payload":{}}"#, "payload.query: must be a string"),
            (r#"{"type":"subscribe","id":"1","payload":{"documentId":"a"}}"#, r#"subscribe 1 {"documentId":"a"}"#),
            (r#"{"type":"subscribe","id":"1","payload":{"documentId":1}}"#, "payload.documentId: must be a string"),
            (r#"{"type":"subscribe","id":"1","payload":{"documentId":"","extensions":{"cost":true}}}"#, "payload.query: must be a string"),
            (
                r#"{"type":"subscribe","id":"1","payload":{"documentId":"","extensions":{"persistedQuery":{"sha256Hash":"a"}}}}"#,
                r#"subscribe 1 {"documentId":"","extensions":{"persistedQuery":{"sha256Hash":"a"}}}"#,
            ),
            (r#"{"type":"subscribe","id":"1","payload":{"query":null}}"#, "payload.query: must be a string"),
            (r#"{"type":"subscribe","id":"1","payload":{"query":"","operationName":1}}"#, "payload.operationName: must be a string"),
            (r#"{"type":"subscribe","id":"1","payload":{"query":"","variables":[]}}"#, "payload.variables: must be an object"),
            (r#"{"type":"subscribe","id":"1","payload":{"query":"","extensions":""}}"#, "payload.extensions: must be an object"),
            (
                r#"{"type":"subscribe","id":"1","payload":{"query":"","query":""}}"#,
                "query, documentId, operationName, variables and extensions: must be given once",
            ),
            (r#"{"type":"ping","type":"pong"}"#, "type, id and payload: must be given once"),
            (r#"{"type":"next","id":"1","payload":{}}"#, "type: next is sent by the server alone"),
            (r#"{"type":"start","id":"1"}"#, "type: must be connection_init, ping, pong, subscribe or complete"),
            (r#"{"type":null}"#, "type: must be a string"),
            (r#"{"type":7}"#, "type: must be a string"),
            ("{}", "type: must be a string"),
            ("[]", "a message must be a JSON object"),
            ("", "a message must be a JSON object"),
            ("ping", "a message must be a JSON object"),
        ] {
            assert_eq!(shown(text), read, "{text}");
        }
        for broken in ["{", r#"{"type":"ping"} {}"#, r#"{"type":"ping",}"#] {
            assert!(shown(broken).starts_with("a message must be JSON: "), "{broken}");
        }
    }

    #[test]
    fn what_is_told_is_json_whatever_the_id() {
        let id = "a\"\\\n";
        let texts = [told::next(id, br#"{"data":null}"#), told::error(id, b"[]"), told::complete(id)];
        let read = texts.map(|text| serde_json::from_slice::<serde_json::Value>(&text).expect("JSON"));
        assert!(read.iter().all(|message| message["id"] == id));
        assert_eq!(read.map(|message| message["type"].as_str().map(str::to_owned)), ["next", "error", "complete"].map(|kind| Some(kind.to_owned())));
        assert_eq!(told::pong(None), r#"{"type":"pong"}"#);
    }
}
