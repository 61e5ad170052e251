//! The server is killed, again and again, while it processes bulk requests: each item is there once, or in the dead letters.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![both: killed_twenty_times_every_item_is_there_once_or_in_the_dead_letters];

const KILLS: usize = 20;
const PAYMENTS: usize = 400;
const CASES: usize = 10;

/// A request of payments between ten accounts, and cases: each second one about an actor that nobody sends.
fn request(ids: &Ids, round: usize) -> (Value, Vec<String>, Vec<String>) {
    let payment = |number: usize| {
        json!({"id": ids.of(&format!("t-{round}-{number}")), "account_id": ids.of(&format!("k{}", number % 10)), "account_owner_id": ids.of("owner"),
            "amount": {"value": 1.01, "currency": "EUR"}, "standardized_amount": 1.01,
            "counterparty": {"type": "ACCOUNT_INFO", "id": ids.of(&format!("k{}", (number + 1) % 10))},
            "created_at": "2024-06-13T12:00:00Z", "direction": "OUTBOUND", "status": "COMPLETED"})
    };
    let cases: Vec<String> = (0..CASES).map(|_| case_id()).collect();
    let case = |(at, id): (usize, &String)| {
        let actor = if at % 2 == 0 { ids.of("owner") } else { ids.of("nobody") };
        json!({"id": id, "actors": [{"id": actor}], "c__notes": [round]})
    };
    let body = json!({
        "actors": [{"id": ids.of("owner"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01"}],
        "transactions": (0..PAYMENTS).map(payment).collect::<Vec<_>>(),
        "cases": cases.iter().enumerate().map(case).collect::<Vec<_>>(),
    });
    let (made, failed) = cases.into_iter().enumerate().partition::<Vec<_>, _>(|(at, _)| at % 2 == 0);
    let only = |cases: Vec<(usize, String)>| cases.into_iter().map(|(_, id)| id).collect();
    (body, only(made), only(failed))
}

async fn killed_twenty_times_every_item_is_there_once_or_in_the_dead_letters(engine: Engine) {
    // Of its own: the worker of another test would go on with what this one leaves.
    let ids = Ids::new();
    let mut server = Server::with(Store::private(engine), &[("AMLGRAPH_BULK__DEFER_FOR", "20s")]);
    let (mut made, mut failed) = (Vec::new(), Vec::new());
    for round in 0..KILLS {
        let (body, to_make, to_fail) = request(&ids, round);
        let sent = server.posting("/api/bulk", body.to_string()).header("x-request-id", ids.of(&format!("r{round}")));
        server.send(sent).await.expect(202);
        made.extend(to_make);
        failed.extend(to_fail);
        let first = format!("/api/v2/transactions/{}", ids.of(&format!("t-{round}-0")));
        // The lease of who was killed has to run out, and what he has left comes first.
        eventually("it is being processed", Duration::from_secs(240), async || server.get(&first).await.status == 200).await;
        // Some batches further each time, and never at the same moment of one.
        tokio::time::sleep(Duration::from_millis(round as u64 * 83 % 400)).await;
        server.kill();
        server.start_again();
    }
    let last = made.iter().chain(&failed);
    for case in last {
        let path = format!("/api/bulk/cases/{case}/status");
        eventually(&format!("case {case} is done"), Duration::from_secs(240), async || {
            let status = server.get(&path).await;
            status.status == 200 && matches!(status.json()["status"].as_str(), Some("COMPLETED" | "FAILED"))
        })
        .await;
    }
    check(&mut server, &ids, &made, &failed);
}

fn check(server: &mut Server, ids: &Ids, made: &[String], failed: &[String]) {
    let payments = (KILLS * PAYMENTS) as i64;
    let left = server.cypher("MATCH (p:BulkPart) RETURN count(p) AS parts");
    assert_eq!(left[0]["parts"], 0);
    let stored =
        server.cypher(&format!("MATCH (t:Transaction) WHERE t.id STARTS WITH 't-' AND t.id ENDS WITH '{}' RETURN count(t) AS payments", ids.0));
    assert_eq!(stored[0]["payments"], payments);
    let entries = server.cypher("MATCH (e:AuditEntry) WHERE e.action = 'transaction.recorded' RETURN count(e) AS entries");
    assert_eq!(entries[0]["entries"], payments, "each was written once");
    let rolled_up = server.cypher("MATCH (:Account)-[r:TRANSFERRED_TO]->(:Account) RETURN sum(r.count) AS payments");
    assert_eq!(rolled_up[0]["payments"], payments);
    let cases: HashMap<String, i64> = counted(server, "MATCH (c:`Case`) RETURN c.id AS id, c.version AS number");
    assert_eq!(cases.len(), made.len());
    assert!(made.iter().all(|id| cases.get(id) == Some(&1)), "made once, and not changed again");
    let letters = counted(server, "MATCH (i:DeadLetter) RETURN i.subject AS id, count(i) AS number");
    assert_eq!(letters.len(), failed.len());
    assert!(failed.iter().all(|id| letters.get(id) == Some(&1)));
    let told = counted(server, "MATCH (e:Event) RETURN e.caseId AS id, count(e) AS number");
    assert!(told.len() == made.len() + failed.len() && told.values().all(|events| *events == 1), "{told:?}");
}

fn counted(server: &mut Server, query: &str) -> HashMap<String, i64> {
    let rows = server.cypher(query);
    rows.iter().map(|row| (row["id"].as_str().expect("an id").to_owned(), row["number"].as_i64().expect("a number"))).collect()
}
