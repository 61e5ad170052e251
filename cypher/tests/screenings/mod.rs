//! Of a screening that was done twice what says more is kept, in whichever order it comes; and an actor that is to be screened again, while it is taken from
//! those that wait, waits.

use std::time::Duration;

use cypher::{Engine, Params, Statement, Value, map, statements};

const PREPARE: Statement =
    Statement::new("test/screenings/prepare", "MERGE (a:Actor {id: $id}) SET a.name = $id MERGE (t:Transaction {id: $id}) SET t.name = $id");
const CLEAN: Statement = Statement::new(
    "test/screenings/clean",
    "OPTIONAL MATCH (a:Actor {id: $id}) OPTIONAL MATCH (t:Transaction {id: $id}) OPTIONAL MATCH (p:PendingScreening {id: $id}) DETACH DELETE a, t, p",
);
const CLEAN_SCREENINGS: Statement =
    Statement::new("test/screenings/clean_screenings", "UNWIND $ids AS id MATCH (s:Screening {id: id}) DETACH DELETE s");
const NAMES: Statement = Statement::new("test/screenings/names", "UNWIND $ids AS id MATCH (s:Screening {id: id}) RETURN s.id AS id, s.name AS name");
const WAITING: Statement = Statement::new("test/screenings/waiting", "MATCH (p:PendingScreening {id: $id}) RETURN p.submission AS submission");

const ID: &str = "screenings-test";
const LIMIT: Duration = crate::LONG;
/// Nobody screens it meanwhile.
const NEVER: i64 = 253_402_300_799_999;

/// What is said first, what is said then with the responses in whose place it comes, and what is kept.
const TWICE: [(&str, &str, &[&str], &str); 6] = [
    ("MISS", "HIT", &["MISS", "ERROR", "TIMEOUT"], "HIT"),
    ("HIT", "MISS", &["ERROR", "TIMEOUT"], "HIT"),
    ("ERROR", "MISS", &["ERROR", "TIMEOUT"], "MISS"),
    ("TIMEOUT", "ERROR", &[], "TIMEOUT"),
    ("HIT", "HIT", &["MISS", "ERROR", "TIMEOUT"], "HIT"),
    ("MISS", "TIMEOUT", &[], "MISS"),
];

/// A row for `screening/record` and `screening/record_actors`.
fn row(id: &str, name: &str, response: &str, replaces: &[&str]) -> Value {
    let replaces = replaces.iter().map(|text| Value::from(*text)).collect();
    map([
        ("id", id.into()),
        ("transaction", ID.into()),
        ("actor", ID.into()),
        ("replaces", Value::List(replaces)),
        ("props", map([("name", name.into()), ("response", response.into())])),
        ("observations", Value::List(Vec::new())),
    ])
}

pub async fn keep_what_says_more(engine: Engine) {
    let id_of = |of: &str, at: usize| format!("{ID}-{of}-{at}");
    let ids: Vec<String> = ["payment", "actor"].iter().flat_map(|of| (0..TWICE.len()).map(|at| id_of(of, at))).collect();
    clean(&engine, &ids).await;
    engine.write(PREPARE, Params::none().with("id", ID)).await.expect("they are there");
    for (at, (first, second, replaces, kept)) in TWICE.into_iter().enumerate() {
        let (payment, actor) = (id_of("payment", at), id_of("actor", at));
        // What comes first takes no other's place, whatever it is.
        for (name, response, replaces, expected) in [("first", first, &["MISS", "ERROR", "TIMEOUT"][..], first), ("second", second, replaces, kept)] {
            let params = Params::rows(vec![row(&payment, name, response, replaces)]);
            let rows = engine.write_as(statements::screening::RECORD, params).await.expect("it is kept");
            assert_eq!(rows.iter().map(|row| (row.id.as_str(), row.response.as_str())).collect::<Vec<_>>(), [(payment.as_str(), expected)]);
            let params = Params::rows(vec![row(&actor, name, response, replaces)]);
            engine.write(statements::screening::RECORD_ACTORS, params).await.expect("it is kept");
        }
        let both = Params::none().with("ids", vec![payment, actor]);
        let known = engine.read_as(statements::screening::RESULTS, both.clone(), LIMIT).await.expect("it is read");
        assert_eq!(known.iter().map(|row| row.response.as_str()).collect::<Vec<_>>(), [kept, kept], "{first}, {second}");
        // All that was said goes with the response.
        let expected = if kept == second && first != second { "second" } else { "first" };
        let names = engine.read(NAMES, both, LIMIT).await.expect("it is read");
        assert_eq!(names.iter().filter_map(|row| row.get("name").as_text()).collect::<Vec<_>>(), [expected, expected], "{first}, {second}");
    }
    clean(&engine, &ids).await;
}

/// Neo4j forgets without a word what is set of a node that is deleted by the time its lock is had: so whoever deletes it, and whoever lets it wait, lock the
/// actor first.
pub async fn an_actor_that_waits_again_is_not_taken_away(engine: Engine) {
    let awaiting = |submission: &str| {
        Params::rows(vec![map([
            ("id", ID.into()),
            ("name", ID.into()),
            ("submission", submission.into()),
            ("tries", 0.into()),
            ("dueAt", NEVER.into()),
        ])])
    };
    clean(&engine, &[]).await;
    engine.write(statements::screening::AWAIT_ACTORS, awaiting("first")).await.expect("it waits");
    let drop = Params::rows(vec![map([("id", ID.into()), ("actor", ID.into()), ("submission", "first".into())])]);
    let mut transaction = engine.begin().await.expect("it begins");
    transaction.run(statements::screening::DROP_PENDING, drop).await.expect("it runs");
    let (other, again) = (engine.clone(), awaiting("second"));
    let waits = tokio::spawn({
        let again = again.clone();
        async move { other.write(statements::screening::AWAIT_ACTORS, again).await }
    });
    // Long enough that it waits for the lock.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let dropped = transaction.commit().await;
    // One of two that conflict is told so, and does it again.
    assert!(dropped.as_ref().err().is_none_or(cypher::Error::is_conflict), "{dropped:?}");
    match waits.await.expect("it ends") {
        Err(error) if error.is_conflict() => expect_no_rows(engine.write(statements::screening::AWAIT_ACTORS, again).await.expect("it waits")),
        outcome => expect_no_rows(outcome.expect("it waits")),
    }
    let waiting = engine.read(WAITING, Params::none().with("id", ID), LIMIT).await.expect("it is read");
    let submissions: Vec<&str> = waiting.iter().filter_map(|row| row.get("submission").as_text()).collect();
    // Where nothing was dropped it waits as it did before.
    assert_eq!(submissions, [if dropped.is_ok() { "second" } else { "first" }]);
    clean(&engine, &[]).await;
}

/// The statement answers with none.
fn expect_no_rows(rows: Vec<cypher::Row>) {
    assert_eq!(rows, Vec::new());
}

async fn clean(engine: &Engine, screenings: &[String]) {
    engine.write(CLEAN, Params::none().with("id", ID)).await.expect("clean");
    engine.write(CLEAN_SCREENINGS, Params::none().with("ids", screenings.to_vec())).await.expect("clean");
}
