//! What queues of cases go by: of cases that an older program has made as far as the audit log knows it, and the risk of a case while its actors are scored.

use std::time::Duration;

use cypher::{Engine, Params, Statement, Value, map, statements};

use crate::{LONG, without_a_trace};

const MAKE: Statement = Statement::new(
    "test/case_queues/make",
    "UNWIND $rows AS row MERGE (c:`Case` {id: row.id}) SET c += row.props
FOREACH (e IN row.entries | MERGE (a:AuditEntry {id: e.id}) SET a += e.props)
FOREACH (q IN row.requests | MERGE (r:RequestForData {id: q.id}) SET r += q.props MERGE (r)-[:ABOUT]->(c))
FOREACH (f IN row.focal | MERGE (x:Actor {id: f.id}) SET x += f.props MERGE (c)-[:FOCUSES_ON]->(x))",
);
const FORGET: Statement = Statement::new(
    "test/case_queues/forget",
    // With the one that stands for those of a newer program.
    "MATCH (m:Migration) WHERE m.id IN ['0033_case_queues', 'statements-test'] DETACH DELETE m",
);
const READ: Statement = Statement::new(
    "test/case_queues/read",
    "UNWIND $ids AS id MATCH (c:`Case` {id: id}) RETURN c.createdBy AS createdBy, c.stepSince AS stepSince, c.closedAt AS closedAt,
  c.closedOrder AS closedOrder, c.dueOrder AS dueOrder, c.queue AS queue, c.riskOrder AS riskOrder",
);
const COLUMNS: [&str; 7] = ["createdBy", "stepSince", "closedAt", "closedOrder", "dueOrder", "queue", "riskOrder"];
const NEVER_DUE: i64 = 9_007_199_254_740_991;
const MOVED: &str = "case-queues-moved";
const CLOSED: &str = "case-queues-closed";
const UNKNOWN: &str = "case-queues-unknown";

fn entry(case: &str, action: &str, at: i64, result: &str, user: &str) -> Value {
    let props = map([
        ("name", "Entry".into()),
        ("action", action.into()),
        ("objectId", case.into()),
        ("timestamp", at.into()),
        ("userId", user.into()),
        ("actionResult", result.into()),
    ]);
    map([("id", format!("{case}/{at}").into()), ("props", props)])
}

/// A request for data that is open still, or was until a time.
fn request(at: i64, until: Option<i64>) -> Value {
    let until = until.map_or(Value::Null, Value::from);
    let props = map([("name", "Request".into()), ("caseId", MOVED.into()), ("createdAt", at.into()), ("endedAt", until)]);
    map([("id", format!("{MOVED}/{at}").into()), ("props", props)])
}

fn focal(band: &str) -> Value {
    map([("id", format!("case-queues-{band}").into()), ("props", map([("name", "Actor".into()), ("riskBand", band.into())]))])
}

fn case(id: &str, state: &str, assignee: Value, [entries, requests, focal]: [Vec<Value>; 3]) -> Value {
    let props =
        map([("name", "Case".into()), ("state", state.into()), ("assigneeId", assignee), ("createdAt", 5_i64.into()), ("recordedAt", 6_i64.into())]);
    let [entries, requests, focal] = [entries, requests, focal].map(Value::List);
    map([("id", id.into()), ("props", props), ("entries", entries), ("requests", requests), ("focal", focal)])
}

/// Each case with what it is to have.
fn cases() -> [(&'static str, Value, [Value; 7]); 3] {
    let entries = vec![
        entry(MOVED, "case.created", 10, "REFUSED", "eve"),
        entry(MOVED, "case.created", 11, "SUCCESS", "ada"),
        entry(MOVED, "case.workflow.actioned", 20, "SUCCESS", "ada"),
        entry(MOVED, "case.data.requested", 30, "SUCCESS", "ada"),
        // It waits for the data already.
        entry(MOVED, "case.data.requested", 40, "SUCCESS", "ada"),
        entry(MOVED, "case.workflow.actioned", 50, "REFUSED", "eve"),
        entry(MOVED, "case.data.requested", 60, "FAILED", "ada"),
    ];
    let requests = vec![request(15, Some(25)), request(31, None), request(41, None)];
    let moved = case(MOVED, "OPEN", "ada".into(), [entries, requests, vec![focal("low_risk"), focal("medium_risk")]]);
    let entries = vec![
        entry(CLOSED, "case.created", 11, "SUCCESS", "bob"),
        entry(CLOSED, "case.workflow.actioned", 20, "SUCCESS", "bob"),
        entry(CLOSED, "case.workflow.actioned", 30, "REFUSED", "eve"),
    ];
    let closed = case(CLOSED, "CLOSED", Value::Null, [entries, Vec::new(), Vec::new()]);
    let unknown = case(UNKNOWN, "CLOSED", Value::Null, [Vec::new(), Vec::new(), Vec::new()]);
    let int = |number: i64| Value::from(number);
    [
        (MOVED, moved, ["ada".into(), int(30), Value::Null, int(0), int(NEVER_DUE), "OPEN/ada".into(), int(2)]),
        (CLOSED, closed, ["bob".into(), int(20), int(20), int(20), int(NEVER_DUE), "CLOSED/".into(), int(0)]),
        // Since it was recorded, and nobody knows when it was closed.
        (UNKNOWN, unknown, [Value::Null, int(6), Value::Null, int(0), int(NEVER_DUE), "CLOSED/".into(), int(0)]),
    ]
}

/// What another run has left, or this one.
async fn clean(engine: &Engine) {
    for label in ["Case", "AuditEntry", "RequestForData", "Actor", "RiskScore", "WorkflowStep"] {
        let text = format!("MATCH (n:`{label}`) WHERE n.id STARTS WITH 'case-queues-' DETACH DELETE n");
        engine.write_within(Statement::new("test/case_queues/clean", text.leak()), Params::none(), LONG).await.expect("clean");
    }
}

pub async fn are_made_of_what_the_log_knows(engine: Engine) {
    clean(&engine).await;
    let rows = cases().map(|(_, row, _)| row).into();
    engine.write_within(MAKE, Params::rows(rows), LONG).await.expect("they are written");
    engine.write_within(FORGET, Params::none(), LONG).await.expect("it is forgotten");
    assert_eq!(cypher::migrate(&engine).await.expect("migrates"), ["0033_case_queues"]);
    for (id, _, wanted) in cases() {
        let rows = engine.read(READ, Params::none().with("ids", vec![id]), LONG).await.expect("it is read");
        assert_eq!(COLUMNS.map(|column| rows[0].get(column).clone()), wanted, "{id} on {}", engine.name());
    }
    clean(&engine).await;
}

/// The row by which a case comes to focus on an actor, whichever statement does it.
fn focusing(case: &str, link: Value, actor: &str) -> Value {
    let nothing = || Value::List(Vec::new());
    map([
        ("id", case.into()),
        ("props", map([("version", 2_i64.into())])),
        ("step", "case-queues-step".into()),
        ("actor", actor.into()),
        ("focal", vec![link].into()),
        ("connected", nothing()),
        ("relinked", nothing()),
        ("observations", nothing()),
        ("linkedAt", 1_i64.into()),
        ("linkedBy", "me".into()),
        ("by", "me".into()),
        ("logicalTime", Value::Null),
        ("named", nothing()),
        ("described", nothing()),
        ("answered", nothing()),
    ])
}

/// The row of a high score.
fn scoring(actor: &str) -> Value {
    let score = map([
        ("name", "desk".into()),
        ("riskRuleId", "desk".into()),
        ("riskRuleVersion", Value::Null),
        ("asOfDate", "2026-01-01".into()),
        ("finalScore", 99.0_f64.into()),
        ("calculatedScore", Value::Null),
        ("override", Value::Null),
        ("overrideReason", Value::Null),
        ("dataSource", Value::Null),
        ("riskBand", "high_risk".into()),
        ("ingestedAt", 1_i64.into()),
        ("ingestedBy", "me".into()),
        ("record", "{}".into()),
    ]);
    map([
        ("id", actor.into()),
        ("scoreId", format!("{actor}-score").into()),
        ("key", "2026-01-01/000000000000001/desk".into()),
        ("mediumFrom", 50.0_f64.into()),
        ("highFrom", 80.0_f64.into()),
        ("score", score),
    ])
}

fn params(row: Value) -> Params {
    without_a_trace(Params::rows(vec![row]))
}

/// Of a case that comes to focus on an actor, and a score of that actor, the second waits for the first, and sees it. On Neo4j, where two transactions go side
/// by side.
pub async fn a_case_and_a_score_see_each_other(engine: Engine) {
    const STEP: &str = "MERGE (s:WorkflowStep {id: 'case-queues-step'}) SET s.name = 'Step', s.label = 'Step', s.state = 'OPEN'";
    const CASE: &str = "UNWIND $ids AS id MERGE (c:`Case` {id: id}) SET c.name = 'Case', c.state = 'OPEN'";
    clean(&engine).await;
    engine.write_within(Statement::new("test/case_queues/step", STEP), Params::none(), LONG).await.expect("it is written");
    let writers = [statements::case::CREATE.statement(), statements::case::EXTEND.statement(), statements::case::PUT_ACTOR.statement()];
    for (number, writer) in writers.into_iter().enumerate() {
        for comes_first in [true, false] {
            let (case, actor) = (format!("case-queues-{number}-{comes_first}"), format!("case-queues-actor-{number}-{comes_first}"));
            let ids = || Params::none().with("ids", vec![case.as_str()]);
            engine.write_within(Statement::new("test/case_queues/case", CASE), ids(), LONG).await.expect("it is written");
            let nothing = || Value::Map(Vec::new());
            let link = if number == 2 { nothing() } else { map([("id", actor.as_str().into()), ("props", nothing())]) };
            let mut writes = [(writer, focusing(&case, link, &actor)), (statements::risk::ADD_SCORE.statement(), scoring(&actor))];
            if !comes_first {
                writes.reverse();
            }
            let [(first, of_first), (second, of_second)] = writes;
            let mut transaction = engine.begin_within(LONG).await.expect("begins");
            transaction.run(first, params(of_first)).await.expect("the first is written");
            let committed = async {
                tokio::time::sleep(Duration::from_millis(300)).await;
                transaction.commit().await
            };
            let (committed, written) = tokio::join!(committed, engine.write_within(second, params(of_second), LONG));
            committed.expect("the first is committed");
            written.expect("the second is written");
            let rows = engine.read(READ, ids(), LONG).await.expect("it is read");
            assert_eq!(rows[0].get("riskOrder").as_int(), Some(3), "{} behind {}", second.label, first.label);
        }
    }
    clean(&engine).await;
}
