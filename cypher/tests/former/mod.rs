//! Links that end or say something else are kept as they were, once, and payments whose records are replaced.

use cypher::{Engine, Params, Row, Statement, Value, WriteStatement, map, statements};

use crate::{LONG, without_a_trace};

const MAKE: Statement = Statement::new(
    "test/former",
    "UNWIND $rows AS row MERGE (n:Actor {id: row.id}) SET n.name = 'Actor' MERGE (a:Account {id: row.id}) SET a.name = 'Account' \
     MERGE (g:SegmentationGroup {id: row.id}) SET g.name = 'Group' \
     MERGE (t:Transaction {id: row.id}) SET t.name = '1 EUR', t.record = '{}', t.recordedAt = 10, t.amount = 1.0, t.accountId = row.id, t.status = 'PENDING'",
);
/// What another run has left.
const CLEAN: [Statement; 2] = [
    Statement::new("test/former/clean", "UNWIND $rows AS row MATCH (n:Actor {id: row.id})-[r]->(b) DELETE r"),
    Statement::new("test/former/clean", "UNWIND $rows AS row MATCH (t:Transaction {id: row.id})-[r]->(b) DELETE r"),
];
const ID: &str = "former-test";
const OTHER: &str = "former-test-other";

/// What is left by writes: each type of link with when it was there and what it said, in order.
async fn links(engine: &Engine, kind: &str, said: &str) -> Vec<(i64, Option<i64>, Value)> {
    let text = format!(
        "UNWIND $ids AS id MATCH (a:Actor {{id: id}})-[r:{kind}]->(b) RETURN r.since AS since, r.until AS ended, r.{said} AS said ORDER BY since"
    );
    let rows = read(engine, text).await;
    rows.iter().map(|row| (row.get("since").as_int().expect("a time"), row.get("ended").as_int(), row.get("said").clone())).collect()
}

async fn read(engine: &Engine, text: String) -> Vec<Row> {
    engine.read(Statement::new("test/former/read", text.leak()), Params::none().with("ids", vec![ID]), LONG).await.expect("it is read")
}

async fn write(engine: &Engine, statement: WriteStatement, row: Value) {
    engine.write_within(statement.statement(), without_a_trace(Params::rows(vec![row])), LONG).await.expect("it is written");
}

pub async fn is_kept(engine: Engine) {
    let rows = || Params::rows([ID, OTHER].map(|id| map([("id", id.into())])).into());
    for statement in [MAKE, CLEAN[0], CLEAN[1]] {
        engine.write_within(statement, rows(), LONG).await.expect("it is written");
    }
    memberships(&engine).await;
    owners(&engine).await;
    associates(&engine).await;
    roles(&engine).await;
    versions(&engine).await;
}

async fn memberships(engine: &Engine) {
    let added = |at: i64| map([("id", ID.into()), ("actors", vec![ID].into()), ("at", at.into()), ("by", "me".into())]);
    let removed = |at: i64| {
        let removals = vec![map([("id", "former-test-removal".into()), ("actor", ID.into())])];
        map([("id", ID.into()), ("removals", removals.into()), ("at", at.into()), ("by", "you".into())])
    };
    // Added again at 2 is no other membership; what another instance's clock puts at 8 follows the one that ended at 9.
    for (statement, row) in [
        (statements::segmentation::ADD_MEMBERS, added(1)),
        (statements::segmentation::ADD_MEMBERS, added(2)),
        (statements::segmentation::REMOVE_MEMBERS, removed(5)),
        (statements::segmentation::REMOVE_MEMBERS, removed(6)),
        (statements::segmentation::ADD_MEMBERS, added(7)),
        (statements::segmentation::REMOVE_MEMBERS, removed(9)),
        (statements::segmentation::ADD_MEMBERS, added(8)),
    ] {
        write(engine, statement, row).await;
    }
    assert_eq!(links(engine, "WAS_MEMBER_OF", "endedBy").await, [(1, Some(5), "you".into()), (7, Some(9), "you".into())], "{}", engine.name());
    assert_eq!(links(engine, "MEMBER_OF", "by").await, [(9, None, "me".into())], "{}", engine.name());
}

async fn owners(engine: &Engine) {
    let row = |at: i64, by: &str| map([("actor", ID.into()), ("group", ID.into()), ("at", at.into()), ("by", by.into())]);
    for (statement, row) in [
        (statements::segmentation::PUT_OWNER, row(1, "me")),
        (statements::segmentation::REMOVE_OWNER, row(4, "you")),
        (statements::segmentation::REMOVE_OWNER, row(5, "you")),
        (statements::segmentation::PUT_OWNER, row(3, "me")),
    ] {
        write(engine, statement, row).await;
    }
    assert_eq!(links(engine, "OWNED_GROUP", "by").await, [(1, Some(4), "me".into())], "{}", engine.name());
    assert_eq!(links(engine, "OWNS_GROUP", "by").await, [(4, None, "me".into())], "{}", engine.name());
}

async fn associates(engine: &Engine) {
    let associate = |ratio: Option<f64>, as_of: &str, is_last: bool| {
        map([
            ("id", ID.into()),
            ("name", "Associate".into()),
            ("isNamed", true.into()),
            ("type", "INVESTOR".into()),
            ("isLast", is_last.into()),
            ("ratio", ratio.into()),
            ("dataSource", Value::Null),
            ("isCustomer", Value::Null),
            ("references", vec!["R 1"].into()),
            ("ownReferences", Value::List(Vec::new())),
            ("asOfDate", as_of.into()),
        ])
    };
    let row = |at: i64, associates: Vec<Value>| map([("id", OTHER.into()), ("at", at.into()), ("associates", associates.into())]);
    for row in [
        // What stands first in one request is not what it says.
        row(1, vec![associate(Some(0.75), "2024-01-01", false), associate(Some(0.25), "2024-01-01", true)]),
        // The same as of another date.
        row(2, vec![associate(Some(0.25), "2024-02-01", true)]),
        row(3, vec![associate(Some(0.5), "2024-02-01", true)]),
        // Of an older date.
        row(4, vec![associate(Some(0.75), "2024-01-31", true)]),
        row(5, vec![associate(None, "2024-02-01", true)]),
        row(6, vec![associate(None, "2024-02-02", true)]),
        row(7, vec![associate(Some(0.5), "2024-02-02", true)]),
    ] {
        write(engine, statements::associate::RECORD, row).await;
    }
    let former = [(1, Some(3), Value::Float(0.25)), (3, Some(5), Value::Float(0.5)), (5, Some(7), Value::Null)];
    assert_eq!(links(engine, "WAS_ASSOCIATED_WITH", "ratio").await, former, "{}", engine.name());
    assert_eq!(links(engine, "WAS_ASSOCIATED_WITH", "asOfDate").await[2].2, "2024-02-02".into(), "{}", engine.name());
    assert_eq!(links(engine, "ASSOCIATED_WITH", "ratio").await, [(7, None, Value::Float(0.5))], "{}", engine.name());
}

async fn roles(engine: &Engine) {
    let held = |since: i64| map([("asOfDate", "2024-01-01".into()), ("logicalTime", 1.into()), ("since", since.into())]);
    let former = |since: i64, until: i64| {
        map([
            ("asOfDate", "2024-01-01".into()),
            ("logicalTime", 1.into()),
            ("removedTime", 2.into()),
            ("since", since.into()),
            ("until", until.into()),
        ])
    };
    let row = |held: Vec<Value>, former: Vec<Value>| {
        map([("id", ID.into()), ("actor", ID.into()), ("role", "OWNER".into()), ("held", held.into()), ("former", former.into())])
    };
    for row in [row(vec![held(1)], vec![]), row(vec![], vec![former(1, 4)]), row(vec![held(5)], vec![]), row(vec![held(8)], vec![former(5, 8)])] {
        write(engine, statements::account::PUT_ROLES, row).await;
    }
    let owner = || Value::from("OWNER");
    assert_eq!(links(engine, "HAD_ROLE", "role").await, [(1, Some(4), owner()), (5, Some(8), owner())], "{}", engine.name());
    assert_eq!(links(engine, "HAS_ROLE", "role").await, [(8, None, owner())], "{}", engine.name());
}

async fn versions(engine: &Engine) {
    // A version is never made twice.
    let version = format!("former-test-{}", rand::random::<u64>());
    let (from, ids) = (("from", ID.into()), ("id", ID.into()));
    let row = map([
        ids,
        ("versionId", version.as_str().into()),
        from,
        ("to", Value::Null),
        ("device", "d".into()),
        ("ip", Value::Null),
        ("knownUntil", 20.into()),
    ]);
    write(engine, statements::transaction::KEEP_VERSION, row).await;
    let text = "UNWIND $ids AS id MATCH (t:Transaction {id: id})-[:HAD_VERSION]->(v:TransactionVersion) RETURN v.id AS id, v.name AS name, \
        v.record AS record, v.knownFrom AS since, v.knownUntil AS ended, v.senderId AS sender, v.receiverId AS receiver, v.partyId AS party, \
        v.deviceId AS device, v.status AS status, v.channel AS channel, v.amount AS amount";
    let rows = read(engine, text.to_owned()).await;
    assert_eq!(rows.len(), 1, "{}: {rows:?}", engine.name());
    for (name, wanted) in [
        ("id", Value::from(version)),
        ("name", "1 EUR".into()),
        ("record", "{}".into()),
        ("since", 10.into()),
        ("ended", 20.into()),
        ("sender", ID.into()),
        ("receiver", Value::Null),
        ("party", Value::Null),
        ("device", "d".into()),
        ("status", "PENDING".into()),
        ("channel", Value::Null),
        ("amount", Value::Float(1.0)),
    ] {
        assert_eq!(rows[0].get(name), &wanted, "{}: {name}", engine.name());
    }
}
