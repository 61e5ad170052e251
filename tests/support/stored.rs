//! The store by Cypher: what is there of the payments of a load, and putting there what no operation does.

use std::collections::BTreeMap;

use cypher::{Bolt, BoltAddress, Embedded, Engine, Params, Statement};
use test_support::neo4j::{self, Neo4j};

use super::fixtures::Payment;
use super::ledger::{self, Known};
use super::load::Load;
use super::{Server, Store};

/// Every acknowledged payment is there, as it was sent; each that is there has one audit entry and one event, and nothing else has; the
/// roll-ups are the sums of what is there.
pub async fn check(server: &mut Server, load: &Load) {
    let prefix = load.prefix();
    let records = server.cypher(&format!("MATCH (t:Transaction) WHERE t.id STARTS WITH '{prefix}' RETURN t.id AS id, t.record AS record"));
    let mut stored: BTreeMap<String, Payment> = BTreeMap::new();
    for row in &records {
        let id = row["id"].as_str().expect("an id");
        let payment = load.sent(id);
        assert_eq!(row["record"].as_str(), Some(payment.text().as_str()), "the record is what was sent");
        assert!(stored.insert(id.to_owned(), payment).is_none(), "{id} is there twice");
    }
    let acknowledged = load.acknowledged();
    let lost: Vec<&String> = acknowledged.iter().filter(|id| !stored.contains_key(*id)).collect();
    assert!(lost.is_empty(), "acknowledged and not there: {lost:?}");
    println!("{} acknowledged, {} stored", acknowledged.len(), stored.len());

    let wanted: BTreeMap<String, i64> = stored.keys().map(|id| (id.clone(), 1)).collect();
    let query = format!("MATCH (n:AuditEntry) WHERE n.objectId STARTS WITH '{prefix}' RETURN n.objectId AS id, count(n) AS times");
    let found: BTreeMap<String, i64> =
        server.cypher(&query).iter().map(|row| (row["id"].as_str().expect("an id").to_owned(), row["times"].as_i64().expect("a count"))).collect();
    let wrong: Vec<_> =
        wanted.iter().filter(|(id, _)| found.get(*id) != Some(&1)).chain(found.iter().filter(|(id, times)| wanted.get(*id) != Some(times))).collect();
    assert!(wrong.is_empty(), "each payment has one audit entry: {wrong:?}");
    ledger::check(server, stored.values(), &Known::default()).await;
}

/// Writes to the store by Cypher. The embedded store can be open in one process only, so its server is stopped and started around it.
pub async fn write(server: &mut Server, text: &'static str, params: Params) {
    let engine = match server.store.clone() {
        Store::Folder(folder) => {
            server.stop();
            Engine::Embedded(Embedded::open(&folder.path().join("store")).await.expect("it opens"))
        }
        Store::Shared => of_neo4j(neo4j::shared()),
        Store::Private(own) => of_neo4j(&own),
    };
    engine.write(Statement::new("test/write", text), params).await.expect("it is written");
    engine.close().await.expect("it closes");
    drop(engine);
    if matches!(server.store, Store::Folder(_)) {
        server.start_again();
    }
}

/// A Neo4j, by somebody else than the service.
pub fn of_neo4j(neo4j: &Neo4j) -> Engine {
    let [url, user, password] = [neo4j.bolt_url(), neo4j.user(), neo4j.password()].map(str::to_owned);
    Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections: 1 }).expect("it opens"))
}
