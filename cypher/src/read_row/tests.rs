use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::*;
use crate::{Key, map};

const STATEMENT: Statement = Statement::new("test/read", "");

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Read {
    id: Arc<str>,
    created_at: i64,
    share: f64,
    is_new: Option<bool>,
    kind: Kind,
    names: Vec<String>,
    ends: (String, i64),
    links: Vec<Link>,
    fields: Within,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Kind {
    OneSided,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Link {
    to: String,
    source: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Within {
    text: Option<String>,
}

fn list<const N: usize>(values: [Value; N]) -> Value {
    Value::List(values.into())
}

fn row() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("id", "a".into()),
        ("createdAt", Value::Float(3.0)),
        ("share", 1.into()),
        ("isNew", Value::Null),
        ("kind", "ONE_SIDED".into()),
        ("names", vec!["x", "y"].into()),
        ("ends", list(["e".into(), 5.into()])),
        ("links", list([list(["t".into(), Value::Null]), map([("source", "s".into()), ("to", "u".into())])])),
        ("fields", map([("text", Value::Null)])),
    ])
}

fn read(row: BTreeMap<&'static str, Value>) -> Result<Read, String> {
    let row = Row(row.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    read_row(STATEMENT, row).map_err(|error| error.to_string())
}

#[test]
fn a_row_is_read_by_the_names_of_its_columns() {
    let expected = Read {
        id: "a".into(),
        created_at: 3,
        share: 1.0,
        is_new: None,
        kind: Kind::OneSided,
        names: vec!["x".into(), "y".into()],
        ends: ("e".into(), 5),
        links: vec![Link { to: "t".into(), source: None }, Link { to: "u".into(), source: Some("s".into()) }],
        fields: Within { text: None },
    };
    assert_eq!(read(row()), Ok(expected));
    assert_eq!(columns::<Read>(), ["id", "createdAt", "share", "isNew", "kind", "names", "ends", "links", "fields"]);
}

#[test]
fn a_column_that_is_renamed_missing_or_one_too_many_is_named() {
    let refused = |problem: &str| Err(format!("test/read: rejected: {problem}"));
    for column in columns::<Read>() {
        let mut missing = row();
        let value = missing.remove(column).expect("a column");
        assert_eq!(read(missing.clone()), refused(&format!("column {column} is missing")));
        missing.insert("other", value);
        assert_eq!(read(missing), refused(&format!("column {column} is missing")));
    }
    let mut more = row();
    more.insert("more", Value::Null);
    assert_eq!(read(more), refused("column more is one too many"));
}

#[test]
fn a_value_of_another_type_is_named_and_not_shown() {
    for (column, value, problem) in [
        ("id", Value::Int(1), "column id is an integer, not a string"),
        ("id", Value::Null, "column id is null, not a string"),
        ("createdAt", "secret".into(), "column createdAt is a text, not i64"),
        ("createdAt", Value::Float(1.5), "column createdAt is a float, not i64"),
        ("share", Value::Bool(true), "column share is a boolean, not f64"),
        ("isNew", 1.into(), "column isNew is an integer, not a boolean"),
        ("kind", "secret".into(), "column kind is none of ONE_SIDED"),
        ("kind", Value::Null, "column kind is null, not enum Kind"),
        ("names", "secret".into(), "column names is a text, not a sequence"),
        ("names", list(["x".into(), 1.into()]), "column names[1] is an integer, not a string"),
        ("ends", list(["e".into()]), "column ends is a list of 1, not of 2"),
        ("links", list([list(["t".into(), 1.into()])]), "column links[0][1] is an integer, not a string"),
        ("links", list([list(["t".into()])]), "column links[0] is a list of 1, not of 2"),
        ("fields", map([]), "column fields.text is missing"),
        ("fields", map([("text", 1.into())]), "column fields.text is an integer, not a string"),
        ("fields", Value::Map(vec![(Key::from("text"), Value::Null), (Key::from("more"), Value::Null)]), "column fields.more is one too many"),
        ("fields", "secret".into(), "column fields is a text, not struct Within"),
    ] {
        let mut row = row();
        row.insert(column, value);
        assert_eq!(read(row), Err(format!("test/read: rejected: {problem}")), "{column}");
    }
}
