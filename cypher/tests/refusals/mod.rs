//! What is locked before it is decided is committed also where it is refused: so nothing is made of what is not to be.

use cypher::{Engine, Params, Statement, Transaction, Value, map, statements};

/// A workflow for filings, an analysis, a filing that reports on it, an observation, a user.
const PREPARE: Statement = Statement::new(
    "test/refusals/prepare",
    "CREATE (w:Workflow {id: $flow}) SET w.name = $flow, w.type = 'FILING'
     CREATE (s:WorkflowStep {id: $flow}) SET s.name = $flow, s.position = 0, s.stepId = 'new', s.status = 'NEW', s.state = 'OPEN'
     CREATE (w)-[:HAS_STEP]->(s)
     CREATE (a:`Case` {id: $analysis}) SET a.name = $analysis, a.version = 1, a.type = 'ANALYSIS', a.record = '{}'
     CREATE (f:`Case` {id: $filing}) SET f.name = $filing, f.version = 1, f.type = 'FILING', f.record = '{}'
     CREATE (f)-[:REPORTS_ON]->(a)
     CREATE (o:Observation {id: $observation}) SET o.name = $observation
     CREATE (u:User {id: $user}) SET u.name = $user",
);
const CASES: Statement = Statement::new("test/refusals/cases", "UNWIND $ids AS id MATCH (c:`Case` {id: id}) RETURN c.id AS id ORDER BY id");
const NAMES: Statement = Statement::new("test/refusals/names", "UNWIND $ids AS id MATCH (k:UniqueName {id: id}) RETURN k.id AS id ORDER BY id");

/// An id of this test's own.
fn of(name: &str) -> String {
    format!("refusals-{name}")
}

/// All ids of this test.
fn ids() -> Vec<String> {
    ["flow", "analysis", "filing", "observation", "user", "a", "b", "c", "d", "e"].map(of).to_vec()
}

fn filing(name: &str, analysis: &str) -> Value {
    map([
        ("id", of(name).into()),
        ("writeId", "w".into()),
        ("workflow", of("flow").into()),
        ("caseType", "FILING".into()),
        ("communications", Value::List(Vec::new())),
        ("analyses", Value::List(vec![of(analysis).into()])),
    ])
}

/// In one transaction, of which nothing stays.
pub async fn leave_nothing(engine: Engine) {
    let mut transaction = engine.begin_within(crate::LONG).await.expect("it begins");
    let named = ["flow", "analysis", "filing", "observation", "user"];
    let params = named.into_iter().fold(Params::none(), |params, name| params.with(name, of(name)));
    transaction.run(PREPARE, params).await.expect("they are there");

    // A filing on what is not there, on what is no analysis, on itself; and one that may be. One that is there may say what it likes.
    let rows = vec![filing("a", "nothing"), filing("b", "filing"), filing("c", "c"), filing("d", "analysis"), filing("filing", "nothing")];
    let mut prepared = transaction.run_as(statements::case::PREPARE, Params::rows(rows)).await.expect("they are locked");
    prepared.sort_by_key(|row| row.id.clone());
    let told: Vec<_> = prepared.into_iter().map(|row| (row.id, row.record, row.analyses, row.reported)).collect();
    let wanted = |name: &str, record: Option<&str>, analyses: &[&str], reported: &[&str]| {
        let all = |names: &[&str]| names.iter().map(|name| of(name)).collect::<Vec<String>>();
        (of(name), record.map(str::to_owned), all(analyses), all(reported))
    };
    let all = [
        wanted("a", None, &[], &[]),
        wanted("b", None, &[], &[]),
        wanted("c", None, &[], &[]),
        wanted("d", None, &["analysis"], &[]),
        wanted("filing", Some("{}"), &[], &["analysis"]),
    ];
    assert_eq!(told, all);
    assert_eq!(there(&mut transaction, CASES).await, ["analysis", "d", "filing"].map(of));

    // A case to be raised from what is not there.
    let raised = |name: &str, observation: &str| {
        map([("id", of(name).into()), ("writeId", "w".into()), ("workflow", of("flow").into()), ("observation", of(observation).into())])
    };
    let rows = Params::rows(vec![raised("a", "nothing"), raised("e", "observation")]);
    let prepared = transaction.run_as(statements::case::PREPARE_RAISED, rows).await.expect("they are locked");
    assert_eq!(prepared.into_iter().map(|row| row.id).collect::<Vec<_>>(), [of("e")]);
    assert_eq!(there(&mut transaction, CASES).await, ["analysis", "d", "e", "filing"].map(of));

    // A user who is there, by another name.
    let user = |name: &str, user: &str| map([("id", of(name).into()), ("user", of(user).into()), ("writeId", "w".into())]);
    let rows = Params::rows(vec![user("a", "user"), user("b", "nobody")]);
    let mut prepared = transaction.run_as(statements::user::PREPARE, rows).await.expect("they are locked");
    prepared.sort_by_key(|row| row.id.clone());
    let told: Vec<_> = prepared.into_iter().map(|row| (row.id, row.holder, row.user)).collect();
    assert_eq!(told, [(of("a"), None, Some(of("user"))), (of("b"), None, None)]);
    assert_eq!(there(&mut transaction, NAMES).await, [of("b")]);
    transaction.rollback().await;
}

/// Which of the ids there are, in their order.
async fn there(transaction: &mut Transaction, statement: Statement) -> Vec<String> {
    let rows = transaction.run(statement, Params::none().with("ids", ids())).await.expect("it is read");
    rows.iter().filter_map(|row| row.get("id").as_text()).map(str::to_owned).collect()
}
