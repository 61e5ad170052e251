//! Statements that come as data: what is taken answers alike on both engines, and what is refused is refused for its reason.

mod engines;
mod loaded_statements {
    pub mod arbitrary;
    pub mod network;
    pub mod refused;
}

use std::path::{Path, PathBuf};
use std::time::Duration;

use cypher::{Engine, Error, LoadedRows, LoadedStatement, Params, Value, check_folder, map};
use engines::{embedded, neo4j, on_neo4j, run};
use libtest_mimic::{Arguments, Trial};
use loaded_statements::{arbitrary, network, refused};

fn main() {
    let trials = vec![
        plain("each_fault_is_told_with_its_reason", refused::each_fault_is_told_with_its_reason),
        plain("all_faults_are_told_at_once", refused::all_faults_are_told_at_once),
        plain("what_is_given_is_what_is_declared", refused::what_is_given_is_what_is_declared),
        plain("a_folder_is_read_within_its_bounds", refused::a_folder_is_read_within_its_bounds),
        plain("whatever_the_text_there_is_an_answer", arbitrary::whatever_the_text_there_is_an_answer),
        plain("what_is_taken_finds_something_on_the_embedded_engine", || {
            run(async {
                let (engine, _folder) = embedded().await;
                network::make(&engine).await;
                for statement in taken() {
                    let answer = answer(&engine, &statement).await;
                    assert!(!answer.is_empty(), "{} finds nothing", statement.label());
                }
                limits_are_kept(&engine).await;
            });
        }),
        on_neo4j("what_is_taken_answers_alike", || {
            run(async {
                let (embedded, _folder) = embedded().await;
                let neo4j = neo4j().await;
                network::make(&embedded).await;
                network::make(&neo4j).await;
                let mut other = Vec::new();
                for statement in taken().into_iter().chain([functions()]) {
                    let (ours, theirs) = (answer(&embedded, &statement).await, answer(&neo4j, &statement).await);
                    if ours != theirs {
                        other.push(format!("{}:\nembedded {ours:#?}\nneo4j {theirs:#?}", statement.label()));
                    }
                }
                assert!(other.is_empty(), "{}", other.join("\n"));
                limits_are_kept(&neo4j).await;
            });
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn plain(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loaded_statements/taken")
}

/// All statements of the folder.
fn taken() -> Vec<LoadedStatement> {
    let files = check_folder(&folder()).expect("a folder");
    assert!(files.len() >= 20, "{} statements", files.len());
    files.into_iter().map(|file| file.outcome.unwrap_or_else(|faults| panic!("{}: {faults:#?}", file.name))).collect()
}

/// One that calls every function that is known to be the same.
fn functions() -> LoadedStatement {
    let calls = [
        "abs(-2)",
        "ceil(1.2)",
        "floor(1.8)",
        "round(1.4)",
        "sign(-3)",
        "sqrt(9.0)",
        "coalesce(null, 'x')",
        "head([1, 2])",
        "last([1, 2])",
        "tail([1, 2, 3])",
        "reverse([1, 2])",
        "size('abc')",
        "range(1, 3)",
        "left('abc', 2)",
        "right('abc', 2)",
        "ltrim('  a ')",
        "rtrim(' a  ')",
        "trim(' a ')",
        "replace('aba', 'a', 'c')",
        "reverse('abc')",
        "split('a,b', ',')",
        "substring('abcd', 1, 2)",
        "toLower('AbC')",
        "toUpper('aBc')",
        "toBoolean('true')",
        "toFloat('1.5')",
        "toInteger('12')",
        "toString(12)",
        "type(r)",
        "startNode(r).id",
        "endNode(r).id",
        "length(way)",
        "size(nodes(way))",
        "size(relationships(way))",
        "[n IN nodes(way) | n.id]",
        "toString(true)",
        "toInteger(2.9)",
        "toFloat(3)",
    ];
    let columns: Vec<String> = (0..calls.len()).map(|number| format!("c{number}")).collect();
    let items: Vec<String> = calls.iter().zip(&columns).map(|(call, column)| format!("{call} AS {column}")).collect();
    let text = format!(
        "// Every function.\n// $actors: LIST<STRING>\n// returns: {}, least, most, mean\nUNWIND $actors AS id\n\
        MATCH way = (p:Actor {{id: id}})-[r:HAS_ROLE]->(a:Account)-[:SENT]->(t:Transaction)\n\
        WITH way, r, min(t.amount) AS least, max(t.amount) AS most, avg(t.amount) AS mean\nRETURN {}, least, most, mean",
        columns.join(", "),
        items.join(", ")
    );
    LoadedStatement::read("functions", &text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// A value for each parameter that a statement declares.
fn given(statement: &LoadedStatement) -> Params {
    let value = |name: &str| -> Value {
        match name {
            "actors" => network::actors().into(),
            "countries" => vec!["IR", "KP"].into(),
            "rows" => Value::List(vec![map([("id", "r".into()), ("amount", 1.5.into())])]),
            "shape" => map([("x", vec![1i64, 2].into())]),
            "one" => network::account(1).into(),
            "other" => network::account(3).into(),
            "from" => 100i64.into(),
            "to" => 2_000i64.into(),
            "within" => 1_000i64.into(),
            "silence" => 50i64.into(),
            "unit" => 100i64.into(),
            "most" => 3i64.into(),
            // A whole number for a fraction.
            "floor" => 900i64.into(),
            "below" => 1_000.0.into(),
            "share" => 0.9.into(),
            "turnover" | "above" => 100.0.into(),
            "currency" => "EUR".into(),
            "since" => "2024-01-01".into(),
            "flag" => true.into(),
            "note" => Value::Null,
            "least" => 2i64.into(),
            other => panic!("no value for ${other}"),
        }
    };
    Params(statement.parameters().iter().map(|parameter| (parameter.name.clone().into(), value(&parameter.name))).collect())
}

async fn read(engine: &Engine, statement: &LoadedStatement, params: Params) -> Result<LoadedRows, Error> {
    engine.read_loaded(statement.given(params).unwrap_or_else(|faults| panic!("{}: {faults:?}", statement.label()))).await
}

/// The rows as texts, in one order; their columns as the header has them.
async fn answer(engine: &Engine, statement: &LoadedStatement) -> Vec<String> {
    let answer =
        read(engine, statement, given(statement)).await.unwrap_or_else(|error| panic!("{} on {}: {error}", statement.label(), engine.name()));
    assert!(!answer.truncated, "{}", statement.label());
    let text = |row: &cypher::Row| {
        assert_eq!(row.0.len(), statement.columns().len(), "{}", statement.label());
        format!("{:?}", statement.columns().iter().map(|column| in_one_order(row.get(column).clone())).collect::<Vec<_>>())
    };
    let mut rows: Vec<String> = answer.rows.iter().map(text).collect();
    rows.sort_unstable();
    rows
}

/// Maps come in any order of their keys.
fn in_one_order(value: Value) -> Value {
    match value {
        Value::Map(mut entries) => {
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Map(entries.into_iter().map(|(key, value)| (key, in_one_order(value))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(in_one_order).collect()),
        value => value,
    }
}

/// Rows and time end where the header says.
async fn limits_are_kept(engine: &Engine) {
    let numbers = |rows: usize, last: i64| {
        let text = format!("// Numbers.\n// returns: n\n// rows: {rows}\nUNWIND range(1, {last}) AS n RETURN n ORDER BY n");
        LoadedStatement::read("numbers", &text).unwrap_or_else(|faults| panic!("{faults:?}"))
    };
    for (rows, last, truncated) in [(5, 4, false), (5, 5, false), (5, 6, true), (5, 5_000, true)] {
        let answer = read(engine, &numbers(rows, last), Params::none()).await.expect("an answer");
        let found: Vec<i64> = answer.rows.iter().filter_map(|row| row.get("n").as_int()).collect();
        assert_eq!((found, answer.truncated), ((1..=last.min(5)).collect(), truncated));
    }
    let slow = "// Slow.\n// returns: n\n// limit: 300ms\nUNWIND range(1, 9999) AS x UNWIND range(1, 9999) AS y UNWIND range(1, 9999) AS z\n\
        WITH x, y, z WHERE x * y * z % 7 = 3 RETURN count(*) AS n";
    let slow = LoadedStatement::read("slow", slow).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(slow.limit(), Duration::from_millis(300));
    let error = read(engine, &slow, Params::none()).await.expect_err("it takes too long");
    assert!(error.to_string().starts_with("data/slow: "), "{error}");
    match engine {
        Engine::Bolt(_) => assert!(matches!(error, Error::TimeLimit { .. }), "{error}"),
        // It may end before, by what it may hold of rows.
        Engine::Embedded(_) => assert!(matches!(error, Error::TimeLimit { .. } | Error::Rejected { .. }), "{error}"),
    }
}
