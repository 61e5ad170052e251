//! What is sent: texts with the options and hints that only Neo4j knows, and our values as the driver's.

use neo4rs::{BoltList, BoltMap, BoltNull, BoltString, BoltType, Query};

use crate::graph::FROM_IDS;
use crate::hints::{LISTS, for_neo4j};
use crate::statements::keeps_plan;
use crate::{Params, Statement, Value};

/// A statement as a write runs it.
pub(super) fn write_query(statement: Statement, params: Params) -> Query {
    kept_query(statement, if keeps_plan(statement) { "CYPHER replan=skip\n" } else { "" }, params)
}

/// A statement of the catalogue, headed by options, with its lists in a map and its rows as the text asks for them; any other as it is.
pub(super) fn kept_query(statement: Statement, options: &str, params: Params) -> Query {
    match for_neo4j(statement) {
        Some(sent) => {
            let params = in_a_map(&sent.lists, params);
            let params = match &sent.packing {
                Some(packing) => packing.pack(params),
                None => params,
            };
            query(format!("{options}{}", sent.text), params)
        }
        None => query(format!("{options}{}", statement.text), params),
    }
}

/// A walk from many nodes, with these in a map.
pub(super) fn composed_query(text: &str, params: Params) -> Query {
    match text.strip_prefix(FROM_IDS) {
        Some(rest) => query(format!("UNWIND ${LISTS}.ids AS id{rest}"), in_a_map(&["ids"], params)),
        None => query(text.to_owned(), params),
    }
}

/// The parameters, with these lists in one. Where one is missing all stay as they are, for the server to say so: what a map has not is null to it.
fn in_a_map(lists: &[impl AsRef<str>], params: Params) -> Params {
    let (moved, mut others): (Vec<_>, Vec<_>) = params.0.into_iter().partition(|(name, _)| lists.iter().any(|list| list.as_ref() == name));
    if !lists.iter().all(|list| moved.iter().any(|(name, _)| name == list.as_ref())) {
        others.extend(moved);
    } else if !moved.is_empty() {
        others.push((LISTS.into(), Value::Map(moved)));
    }
    Params(others)
}

pub(super) fn query(text: String, params: Params) -> Query {
    let mut map = BoltMap::with_capacity(params.0.len());
    for (name, value) in params.0 {
        map.put(BoltString { value: name.into_owned() }, value.into());
    }
    Query::new(text).with_params(map)
}

impl From<Value> for BoltType {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => BoltType::Null(BoltNull),
            Value::Bool(bool) => bool.into(),
            Value::Int(int) => int.into(),
            Value::Float(float) => float.into(),
            Value::Text(text) => BoltType::String(BoltString { value: text }),
            Value::List(items) => BoltType::List(BoltList { value: items.into_iter().map(BoltType::from).collect() }),
            Value::Map(entries) => {
                let mut map = BoltMap::with_capacity(entries.len());
                for (key, value) in entries {
                    map.put(BoltString { value: key.into_owned() }, value.into());
                }
                BoltType::Map(map)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Visit, nodes};

    #[test]
    fn lists_go_in_a_map_once_all_are_there() {
        let params = || Params::none().with("rows", vec![1i64]).with("keys", vec![2i64]).with("now", 3i64);
        let (rows, keys) = (|| ("rows".into(), vec![1i64].into()), || ("keys".into(), vec![2i64].into()));
        let now = || ("now".into(), 3i64.into());
        for (lists, wanted) in [
            (vec!["rows", "keys"], vec![now(), (LISTS.into(), Value::Map(vec![rows(), keys()]))]),
            (vec!["rows"], vec![keys(), now(), (LISTS.into(), Value::Map(vec![rows()]))]),
            (vec!["rows", "events"], vec![keys(), now(), rows()]),
            (vec![], vec![rows(), keys(), now()]),
        ] {
            assert_eq!(in_a_map(&lists, params()).0, wanted);
        }
    }

    #[test]
    fn a_walk_begins_at_ids_in_a_map() {
        let composed = Visit::of(&nodes::ACCOUNT).compose();
        let params = composed.params.with("ids", vec!["a"]);
        let sent = format!("{:?}", composed_query(&composed.text, params));
        assert!(sent.contains("UNWIND $lists.ids AS id") && !sent.contains("$ids"), "{sent}");
    }
}
