//! What two builds answer to one document: where it differs, and where it is empty.

use std::collections::BTreeMap;

use serde_json::Value;

/// What may differ where nothing is wrong: opaque places in lists, and what goes by the clock.
const OTHERWISE: [&str; 5] = ["cursor", "startCursor", "endCursor", "asOf", "medianAgeSeconds"];

/// The first place at which two answers differ, with what each has there.
pub fn difference(one: &Value, other: &Value) -> Option<String> {
    differing(one, other, &mut String::new())
}

fn differing(one: &Value, other: &Value, place: &mut String) -> Option<String> {
    let length = place.len();
    let mut below = |name: &str, one: &Value, other: &Value| {
        place.push('/');
        place.push_str(name);
        let found = differing(one, other, place);
        place.truncate(length);
        found
    };
    match (one, other) {
        (Value::Object(fields), Value::Object(others)) if fields.keys().eq(others.keys()) => {
            fields.iter().filter(|(name, _)| !OTHERWISE.contains(&name.as_str())).find_map(|(name, value)| below(name, value, &others[name]))
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            items.iter().zip(others).enumerate().find_map(|(at, (item, other))| below(&at.to_string(), item, other))
        }
        (Value::Array(items), Value::Array(others)) => Some(format!("{place}: {} items and {}", items.len(), others.len())),
        _ if one == other => None,
        _ => Some(format!("{place}: {one} and {other}")),
    }
}

/// The lists of all answers, by their places; whether any of them has an item.
#[derive(Default)]
pub struct Lists(BTreeMap<String, bool>);

impl Lists {
    /// Those of one more answer.
    pub fn take_in(&mut self, answer: &Value) {
        self.below(answer, "");
    }

    fn below(&mut self, value: &Value, place: &str) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| self.below(value, &format!("{place}/{name}"))),
            Value::Array(items) => {
                *self.0.entry(place.to_owned()).or_default() |= !items.is_empty();
                items.iter().for_each(|item| self.below(item, place));
            }
            _ => {}
        }
    }

    /// The places of those that have nothing in any answer.
    pub fn empty(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, has)| !**has).map(|(place, _)| place.as_str())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_told_with_its_place() {
        let answer = json!({"cases": {"pageInfo": {"endCursor": "a"}, "nodes": [{"id": "1"}, {"id": "2"}]}});
        let with = |place: &str, value: Value| {
            let mut other = answer.clone();
            *other.pointer_mut(place).expect("a place") = value;
            difference(&answer, &other)
        };
        assert_eq!(difference(&answer, &answer), None);
        assert_eq!(with("/cases/pageInfo/endCursor", json!("b")), None, "cursors are the business of their build");
        assert_eq!(with("/cases/nodes/1/id", json!("3")).as_deref(), Some("/cases/nodes/1/id: \"2\" and \"3\""));
        assert_eq!(with("/cases/nodes", json!([])).as_deref(), Some("/cases/nodes: 2 items and 0"));
        assert_eq!(with("/cases/nodes/0", json!({"nodeId": "1"})).as_deref(), Some("/cases/nodes/0: {\"id\":\"1\"} and {\"nodeId\":\"1\"}"));
    }

    #[test]
    fn lists_that_are_empty_in_all_answers_are_named() {
        let mut lists = Lists::default();
        lists.take_in(&json!({"cases": [{"tags": [], "files": []}]}));
        lists.take_in(&json!({"cases": [{"tags": ["a"], "files": []}], "users": []}));
        assert_eq!(lists.empty().collect::<Vec<_>>(), ["/cases/files", "/users"]);
    }
}
