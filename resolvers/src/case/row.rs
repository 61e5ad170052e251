//! What of a case goes into nodes and links: custom properties, communications.

use cypher::{Key, Value, map};
use graph_schema::bulk::BulkCommunication;
use graph_schema::case::{CaseCommunicationRequest, EarlierCommunication};
use graph_schema::custom_property::CustomProperties;
use graph_schema::date::Timestamp;
use graph_schema::id::CaseId;
use serde_json::Value as Json;

use crate::derived_id::digest_id;

/// The properties of a node or link with these custom properties: all of them as they were given, and those that are scalars under their own
/// names, for whoever looks at the graph. `named` are those that may have to go: what is no scalar now may have been one.
pub(super) fn custom_props(all: &CustomProperties, named: &CustomProperties) -> Vec<(Key, Value)> {
    let text = (!all.is_empty()).then(|| all.to_text());
    let mut props: Vec<(Key, Value)> = vec![("customProperties".into(), text.into())];
    props.extend(named.iter().filter_map(|(name, _)| Some((name.to_owned().into(), scalar(&all.get(name)?.value())))));
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

/// The id of a communication that came with a new case. One without an id is the case's own.
pub(super) fn communication_id(case: &CaseId, at: usize, given: &CaseCommunicationRequest) -> String {
    match &given.communication_id {
        Some(id) => id.to_string(),
        None => digest_id("communication", &[case.as_str(), &at.to_string()]),
    }
}

/// A communication that came with a new case.
pub(super) fn communication(case: &CaseId, at: usize, given: &CaseCommunicationRequest) -> Value {
    let id = communication_id(case, at, given);
    let text = |text: &Option<String>| Value::from(text.as_deref());
    let props = said([
        ("name", caption(given.subject.as_deref(), &id)),
        ("communicationType", text(&given.communication_type)),
        ("subject", text(&given.subject)),
        ("content", text(&given.content)),
        ("metadata", given.metadata.as_ref().map(|data| data.as_str()).into()),
        ("customData", given.custom_data.as_ref().map(|data| data.as_str()).into()),
    ]);
    map([("id", id.into()), ("props", props)])
}

/// A communication in the earlier form.
pub(super) fn earlier_communication(given: &EarlierCommunication) -> Value {
    let at = |at: Option<Timestamp>| Value::from(at.map(Timestamp::millis));
    let props = said([
        ("name", caption(given.subject.as_deref(), given.id.as_str())),
        ("subject", given.subject.as_deref().into()),
        ("senderId", given.sender_id.as_deref().into()),
        ("createdAt", at(given.created_at)),
        ("sentAt", at(given.sent_at)),
    ]);
    map([("id", given.id.as_str().into()), ("props", props)])
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
    subject.map(str::trim).filter(|subject| !subject.is_empty()).unwrap_or(id).into()
}

/// What was said: what another request has said of the same thing stays.
fn said<const N: usize>(fields: [(&'static str, Value); N]) -> Value {
    Value::Map(fields.into_iter().filter(|(_, value)| *value != Value::Null).map(|(name, value)| (name.into(), value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_show_and_what_was_one_goes() {
        let all = CustomProperties::of_text(r#"{"c__a":1,"c__b":1.50,"c__c":"x","c__d":true,"c__e":[1],"c__f":{}}"#);
        let named = CustomProperties::of_text(r#"{"c__a":1,"c__b":1.50,"c__c":"x","c__e":[1]}"#);
        let props = custom_props(&all, &named);
        assert_eq!(props[0], ("customProperties".into(), all.to_text().into()));
        let shown: Vec<(&str, &Value)> = props[1..].iter().map(|(name, value)| (&**name, value)).collect();
        let wanted = [("c__a", 1i64.into()), ("c__b", 1.5.into()), ("c__c", "x".into()), ("c__e", Value::Null)];
        assert_eq!(shown, wanted.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>());
        assert_eq!(custom_props(&CustomProperties::default(), &CustomProperties::default()), [("customProperties".into(), Value::Null)]);
    }
}
