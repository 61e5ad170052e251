//! Looking into the store by Cypher: what is there of the payments of a load.

use std::collections::BTreeMap;

use super::Server;
use super::fixtures::Payment;
use super::ledger::{self, Known};
use super::load::Load;

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
