//! Statement, header and struct say the same columns, and what the engines answer with can be read.

use std::collections::BTreeSet;

use cypher::{Engine, Error, KnownReading, Params, Row, Statement, Value, map, statements};

use crate::LONG;

/// One of everything, all of it under one id.
const ONE_OF_EVERYTHING: Statement = Statement::new("test/one_of_everything", include_str!("one_of_everything.cypher"));
const ID: &str = "typed-rows";

/// Those that answer with no row here, as they need a payment that has not come. What they answer with is read from their text.
const WITHOUT_ROWS: [&str; 1] = ["transaction/lock_awaited"];

type Columns = BTreeSet<String>;

/// The columns that a header names. What else it says of one is in brackets or behind a colon.
fn of_header(statement: Statement) -> Columns {
    let mut lines = statement.text.lines().skip_while(|line| !line.starts_with("// returns: "));
    let first = lines.next().unwrap_or_default().trim_start_matches("// returns: ").to_owned();
    let said = lines.map_while(|line| line.strip_prefix("//   ")).fold(first, |said, line| said + " " + line);
    if said == "nothing" { Columns::new() } else { parts(&said).iter().map(|part| first_word(part)).collect() }
}

/// The columns that the last RETURN of a text names.
fn of_text(statement: Statement) -> Columns {
    let (_, returned) = statement.text.rsplit_once("RETURN ").expect("it answers");
    let returned = returned.split("\nORDER BY ").next().unwrap_or_default();
    let name = |part: &String| part.rsplit_once(" AS ").map_or_else(|| first_word(part), |(_, name)| first_word(name));
    parts(returned).iter().map(name).collect()
}

/// The parts of a list, whose own parts in brackets are none.
fn parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for char in list.chars() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("one").push(char);
    }
    parts
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}

fn of_struct(reading: &KnownReading) -> Columns {
    reading.columns().iter().map(|column| (*column).to_owned()).collect()
}

pub fn headers_say_what_rows_are_read_as() {
    for statement in statements::ALL {
        let reading = statements::READINGS.iter().find(|reading| reading.statement == *statement);
        assert_eq!(reading.map(of_struct).unwrap_or_default(), of_header(*statement), "{}", statement.label);
    }
    for reading in statements::READINGS {
        assert!(statements::ALL.contains(&reading.statement), "{}", reading.statement.label);
        assert_eq!(of_text(reading.statement), of_header(reading.statement), "{}", reading.statement.label);
    }
}

/// What statements take so that they find what is there.
fn parameters() -> Params {
    let row = map([
        ("id", ID.into()),
        ("key", ID.into()),
        ("name", "Typed rows".into()),
        ("versionId", ID.into()),
        ("writeId", ID.into()),
        ("workflow", ID.into()),
        ("actor", ID.into()),
        ("observation", ID.into()),
        ("dismissal", ID.into()),
        ("observations", vec![ID].into()),
        ("transaction", ID.into()),
        ("transactions", vec![ID].into()),
        ("actors", vec![ID].into()),
        ("users", vec![ID].into()),
        ("communications", vec![ID].into()),
        ("properties", vec![ID].into()),
        ("answers", vec![ID].into()),
        ("caseType", "ANALYSIS".into()),
        ("category", ID.into()),
        ("group", ID.into()),
        ("user", ID.into()),
        ("names", vec![ID].into()),
        ("since", 0.into()),
        ("from", 0.into()),
        ("to", 1.into()),
        ("sender", ID.into()),
        ("receiver", "typed-rows-other".into()),
        ("currency", "EUR".into()),
        ("caseId", ID.into()),
        ("sequence", 2.into()),
        ("laneId", ID.into()),
        ("props", map([("failures", 1.into())])),
        ("deliveryId", ID.into()),
        ("holder", "".into()),
        ("kind", ID.into()),
        ("place", 1.into()),
        ("attempt", "{}".into()),
        ("dueAt", Value::Null),
        ("released", Value::List(Vec::new())),
        ("ended", Value::List(Vec::new())),
        ("given", Value::List(Vec::new())),
        ("behavior", ID.into()),
        ("payments", vec![ID].into()),
        ("replaces", Value::List(Vec::new())),
    ]);
    let nothing = || Value::List(Vec::new());
    Params::none()
        .with("rows", vec![row.clone()])
        .with("numbers", vec![row])
        .with("batch", map([("rows", nothing()), ("numbers", nothing()), ("pairs", nothing()), ("changeSet", Value::Null)]))
        .with("ids", vec![ID])
        .with("keys", vec![ID])
        .with("tokens", vec![ID])
        .with("users", vec![ID])
        .with("case", ID)
        .with("actors", vec![ID])
        .with("locations", vec![ID])
        .with("subjects", vec![ID])
        .with("groups", vec![ID])
        .with("communications", vec![ID])
        .with("observations", vec![ID])
        .with("workflows", vec![ID])
        .with("id", ID)
        .with("hash", ID)
        .with("prefix", ID)
        .with("after", "")
        .with("end", "\u{10FFFF}")
        .with("name", "Typed rows")
        .with("names", vec![ID])
        .with("full", nothing())
        .with("passedOver", nothing())
        .with("wakingId", "")
        .with("holder", ID)
        .with("renewal", 2)
        .with("last", 1)
        .with("standing", "1 2 1 0 quiet 0 0")
        .with("note", ID)
        .with("content", "1|1||||")
        .with("account", ID)
        .with("writeId", ID)
        .with("props", map([("failures", 1.into())]))
        .with("transactions", vec!["typed-rows-missing"])
        .with("actors", vec!["typed-rows-missing"])
        .with("entities", vec!["typed-rows-missing"])
        .with("runs", 0)
        .with("tick", 1)
        .with("now", 1)
        .with("from", 1)
        .with("to", 1)
        .with("until", 1)
        .with("untilId", Value::Null)
        .with("caseId", Value::Null)
        .with("logType", Value::Null)
        .with("skip", 0)
        .with("kind", ID)
        .with("kinds", vec![ID])
        .with("perKind", vec![map([("kind", ID.into()), ("most", 2.into())])])
        .with("statuses", Value::Null)
        .with("createdBy", Value::Null)
        .with("ended", nothing())
        .with("checkpoint", "{}")
        .with("further", true)
        .with("done", 1)
        .with("total", 2)
        .with("position", 0)
        .with("version", ID)
        .with("values", true)
        .with("limit", 5)
        .with("most", 5)
        .with("number", 0)
        .with("grain", "ALL")
        .with("places", 5)
        .with("before", 0)
        .with("createdAt", 1)
        .with("begin", 0)
        .with("behind", 2)
        .with("knownUpTo", 1)
        .with("asOf", "2020-01-01")
        .with("actorId", ID)
        .with("ruleId", ID)
        .with("line", Value::Null)
        .with("days", vec!["2020-01-01"])
        .with("truePositive", vec!["TRUE_POSITIVE"])
        .with("falsePositive", vec!["FALSE_POSITIVE"])
        .with("activeAt", Value::Null)
        .with("pastAt", 1)
}

fn needed(text: &str) -> Params {
    Params(parameters().0.into_iter().filter(|(name, _)| text.contains(&format!("${name}"))).collect())
}

/// Runs a statement where there is one of everything; nothing of it stays.
async fn rows_of(engine: &Engine, statement: Statement) -> Result<Vec<Row>, Error> {
    let mut transaction = engine.begin_within(LONG).await?;
    transaction.run(ONE_OF_EVERYTHING, Params::none().with("id", ID)).await?;
    let rows = transaction.run(statement, needed(statement.text)).await?;
    transaction.rollback().await;
    Ok(rows)
}

pub async fn both_are_what_the_header_says(engine: Engine) {
    let mut wrong = Vec::new();
    for reading in statements::READINGS {
        let label = reading.statement.label;
        let rows = rows_of(&engine, reading.statement).await.unwrap_or_else(|error| panic!("{}: {error}", engine.name()));
        if rows.is_empty() != WITHOUT_ROWS.contains(&label) {
            wrong.push(format!("{label}: {} rows", rows.len()));
        }
        for row in &rows {
            let columns: Columns = row.0.iter().map(|(name, _)| name.clone()).collect();
            if columns != of_header(reading.statement) {
                wrong.push(format!("{label}: answers with {columns:?}"));
            }
        }
        wrong.extend(reading.check(rows).err().map(|error| error.to_string()));
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", engine.name());
}
