//! Cases that an older program has made get what queues go by, as far as the audit log knows of them.

use cypher::{Engine, Params, Statement, Value, map};

use crate::LONG;

const MAKE: Statement = Statement::new(
    "test/case_queues/make",
    "UNWIND $rows AS row MERGE (c:`Case` {id: row.id}) SET c += row.props
FOREACH (e IN row.entries | MERGE (a:AuditEntry {id: e.id}) SET a += e.props)
FOREACH (q IN row.requests | MERGE (r:RequestForData {id: q.id}) SET r += q.props MERGE (r)-[:ABOUT]->(c))
FOREACH (f IN row.focal | MERGE (x:Actor {id: f.id}) SET x += f.props MERGE (c)-[:FOCUSES_ON]->(x))",
);
const FORGET: Statement = Statement::new("test/case_queues/forget", "MATCH (m:Migration {id: '0033_case_queues'}) DETACH DELETE m");
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
    for label in ["Case", "AuditEntry", "RequestForData", "Actor"] {
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
