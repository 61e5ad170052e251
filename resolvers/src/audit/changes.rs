//! The fields in which two values of an object differ.

use std::collections::BTreeMap;

use graph_schema::json_text::{JsonText, compact};

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// Where it is: a JSON Pointer (RFC 6901), empty for the value as a whole.
    pub path: String,
    /// Nothing where the field was not there.
    pub before: Option<JsonText>,
    /// Nothing where it is not there any more.
    pub after: Option<JsonText>,
}

/// Objects within one another are compared by their fields as far as this; what lies deeper is one value.
pub const DEEPEST: usize = 8;
/// The fields of an object whose pointer is longer, in bytes, are not told apart.
pub const LONGEST_PATH: usize = 1_024;
/// Values that differ in more fields are one change.
pub const MOST: usize = 1_000;

/// What differs between two values: put in its place, each `after` makes of the old value the new one.
///
/// Objects are compared field by field. Arrays are compared as a whole: their items have no names, and senders put items at the front or in another
/// order, so that by index each item behind would seem to have changed. Numbers are compared as they are written, as a float would take two amounts for one.
pub fn field_changes(old: &str, new: &str) -> Vec<FieldChange> {
    let Some((old, new)) = value(old).zip(value(new)) else { return Vec::new() };
    let mut changes = Vec::new();
    compare(String::new(), Some(&old), Some(&new), DEEPEST, &mut changes);
    if changes.len() > MOST { vec![FieldChange { path: String::new(), before: Some(old), after: Some(new) }] } else { changes }
}

/// A text that is no JSON, such as an id, stands for itself.
fn value(text: &str) -> Option<JsonText> {
    JsonText::parse(text).or_else(|| JsonText::parse(&serde_json::Value::from(text).to_string()))
}

fn compare(path: String, old: Option<&JsonText>, new: Option<&JsonText>, depth: usize, changes: &mut Vec<FieldChange>) {
    if changes.len() > MOST || old.zip(new).is_some_and(|(old, new)| are_alike(old, new)) {
        return;
    }
    let may_go_on = depth > 0 && path.len() <= LONGEST_PATH;
    match old.zip(new).filter(|_| may_go_on).and_then(|(old, new)| fields(old).zip(fields(new))) {
        Some((old, new)) => {
            for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(path, old.get(name), new.get(name), depth - 1, changes);
            }
        }
        None => changes.push(FieldChange { path, before: old.cloned(), after: new.cloned() }),
    }
}

/// Whether two values are written alike, but for blanks between their parts. A text may be written in several ways.
fn are_alike(old: &JsonText, new: &JsonText) -> bool {
    let are_texts = [old, new].iter().all(|value| value.as_str().starts_with('"'));
    old == new || (are_texts && old.value() == new.value()) || compact(old.as_str()) == compact(new.as_str())
}

/// The fields of an object.
fn fields(value: &JsonText) -> Option<BTreeMap<String, JsonText>> {
    serde_json::from_str(value.as_str()).ok()
}
