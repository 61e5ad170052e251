//! What of a case goes into nodes and links: custom properties, communications.

use std::collections::HashMap;

use cypher::statements::rows::LockedCommunication;
use cypher::{Key, Value, map};
use graph_schema::bulk::BulkCommunication;
use graph_schema::case::{CaseCommunicationRequest, EarlierCommunication};
use graph_schema::custom_property::CustomProperties;
use graph_schema::date::Timestamp;
use graph_schema::given::{self, Given, Input};
use graph_schema::id::CaseId;
use graph_schema::identity::visible;
use graph_schema::json_text::{JsonText, compact};
use serde::Serialize;
use serde_json::Value as Json;

use crate::derived_id::digest_id;
use crate::{Error, Result};

/// A request that did not come as JSON, checked by all rules that hold for one that does.
pub fn checked<T: Input + Serialize>(request: T) -> Result<Given<T>> {
    let text = serde_json::to_string(&request).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(given::read(text.as_bytes())?)
}

/// The properties of a node or link with these custom properties: all of them as they were given, and those that are scalars under their own names,
/// for whoever looks at the graph. `named` are those that may have to go: what is no scalar now may have been one, and what is not there any more.
pub fn custom_props<'a>(all: &CustomProperties, named: impl IntoIterator<Item = &'a str>) -> Vec<(Key, Value)> {
    let text = (!all.is_empty()).then(|| all.to_text());
    let mut props: Vec<(Key, Value)> = vec![("customProperties".into(), text.into())];
    let shown = |name: &str| all.get(name).map_or(Value::Null, |value| scalar(&value.value()));
    props.extend(named.into_iter().map(|name| (name.to_owned().into(), shown(name))));
    props
}

fn scalar(value: &Json) -> Value {
    match value {
        Json::String(text) => text.as_str().into(),
        Json::Bool(said) => (*said).into(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(float)) => float.into(),
            (None, None) => Value::Null,
        },
        Json::Null | Json::Array(_) | Json::Object(_) => Value::Null,
    }
}

/// The ids of communications that came with a case. One without an id is the case's own: said again in the same words, it is the same.
pub fn communication_ids(case: &CaseId, given: &[CaseCommunicationRequest]) -> Vec<String> {
    let mut own: HashMap<String, usize> = HashMap::new();
    let mut id = |given: &CaseCommunicationRequest| match &given.communication_id {
        Some(id) => id.to_string(),
        None => {
            let words = serde_json::to_string(given).unwrap_or_default();
            // Who says the same twice means two.
            let nth = own.get(&words).copied().unwrap_or_default();
            let id = digest_id("communication", &[case.as_str(), &words, &nth.to_string()]);
            own.insert(words, nth + 1);
            id
        }
    };
    given.iter().map(&mut id).collect()
}

/// What a communication that came with a case says of itself. `id` is one of [`communication_ids`].
pub(super) fn communication(given: &CaseCommunicationRequest, id: &str, stored: Option<&LockedCommunication>) -> Vec<(Key, Value)> {
    let text = |text: &Option<String>| Value::from(text.as_deref());
    said([
        ("name", caption_beside(given.subject.as_deref(), id, stored)),
        ("communicationType", text(&given.communication_type)),
        ("subject", text(&given.subject)),
        ("content", text(&given.content)),
        ("metadata", given.metadata.as_ref().map(|data| data.as_str()).into()),
        ("customData", given.custom_data.as_ref().map(|data| data.as_str()).into()),
    ])
}

/// What a communication in the earlier form says of itself.
pub(super) fn earlier_communication(given: &EarlierCommunication, stored: Option<&LockedCommunication>) -> Vec<(Key, Value)> {
    let at = |at: Option<Timestamp>| Value::from(at.map(Timestamp::millis));
    said([
        ("name", caption_beside(given.subject.as_deref(), given.id.as_str(), stored)),
        ("subject", given.subject.as_deref().into()),
        ("senderId", given.sender_id.as_deref().into()),
        ("createdAt", at(given.created_at)),
        ("sentAt", at(given.sent_at)),
    ])
}

/// The row that describes a communication. Without a time it is for a statement that finds it out.
pub(super) fn described_row(id: &str, fields: Vec<(Key, Value)>, time: Option<i64>) -> Value {
    map([("id", id.into()), ("logicalTime", time.into()), ("props", Value::Map(fields))])
}

/// What a communication has in a field that says something; none for those that follow from others, or say when and how it was told.
fn stored_value(stored: &LockedCommunication, field: &str) -> Option<Value> {
    let value: Value = match field {
        "communicationType" => stored.communication_type.as_deref().into(),
        "subject" => stored.subject.as_deref().into(),
        "content" => stored.content.as_deref().into(),
        "metadata" => stored.metadata.as_deref().into(),
        "customData" => stored.custom_data.as_deref().into(),
        "senderId" => stored.sender_id.as_deref().into(),
        "receiverId" => stored.receiver_id.as_deref().into(),
        "createdAt" => stored.created_at.into(),
        "sentAt" => stored.sent_at.into(),
        _ => return None,
    };
    Some(value)
}

/// Whether a communication has nothing in a field, so that what comes late may say it. It is named by its subject.
pub(super) fn lacks(stored: &LockedCommunication, field: &str) -> bool {
    let field = if field == "name" { "subject" } else { field };
    stored_value(stored, field) == Some(Value::Null)
}

/// Whether two texts are the same JSON, however they are laid out.
fn is_same_json(stored: Option<&str>, given: &Value) -> bool {
    stored.map(compact) == given.as_text().map(compact)
}

/// The same of two values, each of which may be absent.
pub(super) fn says_the_same(one: Option<&JsonText>, other: Option<&JsonText>) -> bool {
    one == other || one.map(|one| compact(one.as_str())) == other.map(|other| compact(other.as_str()))
}

/// Whether a communication says all that already. What the service notes itself does not count.
pub(super) fn says_already(stored: &LockedCommunication, fields: &[(Key, Value)]) -> bool {
    let is = |(name, value): &(Key, Value)| match (&**name, stored_value(stored, name)) {
        (_, None) => true,
        ("metadata" | "customData", Some(found)) => is_same_json(found.as_text(), value),
        (_, Some(found)) => found == *value,
    };
    stored.known && fields.iter().all(is)
}

/// The fields of a communication as it is described, whoever wrote it.
pub(super) fn described(given: &BulkCommunication, record: &str, now: Timestamp) -> Vec<(Key, Value)> {
    let fields = [
        ("name", caption(Some(&given.subject), given.id.as_str())),
        ("communicationType", given.kind.as_str().into()),
        ("subject", given.subject.as_str().into()),
        ("content", given.content.as_deref().into()),
        ("metadata", given.metadata.as_ref().map(|data| data.as_str()).into()),
        ("customData", given.custom_data.as_ref().map(|data| data.as_str()).into()),
        ("recordedAt", now.millis().into()),
        ("record", record.into()),
    ];
    fields.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

fn caption(subject: Option<&str>, id: &str) -> Value {
    subject.and_then(visible).unwrap_or(id).into()
}

/// The same for one of which somebody else may have said more.
fn caption_beside(subject: Option<&str>, id: &str, stored: Option<&LockedCommunication>) -> Value {
    caption(subject.or(stored.and_then(|stored| stored.subject.as_deref())), id)
}

/// What was said: what another request has said of the same thing stays.
fn said<const N: usize>(fields: [(&'static str, Value); N]) -> Vec<(Key, Value)> {
    fields.into_iter().filter(|(_, value)| *value != Value::Null).map(|(name, value)| (name.into(), value)).collect()
}
