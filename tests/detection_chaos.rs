//! The service is killed, again and again, while a batch is under way: what is found is what an undisturbed batch finds, and nothing is there twice.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::bulk::taken;
use crate::support::killed_runs::{kill_at_random, kills, until_done};
use crate::support::{Api, Engine, Server, Store, jobs, tests};

tests![both: killed_at_random_a_run_finds_what_an_undisturbed_run_finds];

const DAY: &str = "2024-06-13";
/// Noon of that day, in seconds.
const NOON: i64 = 1_718_280_000;
const A_DAY: i64 = 86_400;
/// Accounts that gather on that day.
const HUBS: usize = 40;

/// Payments to hubs that were quiet for two months: on one day fifteen strangers pay each of them.
fn payments() -> Vec<Value> {
    let payment = |id: String, from: String, hub: usize, amount: String, at: i64| {
        let written = chrono::DateTime::from_timestamp(at, 0).expect("a time").to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        json!({"id": id, "account_id": format!("hub-{hub}"), "account_owner_id": format!("owner-{hub}"), "direction": "INBOUND", "status": "COMPLETED",
            "amount": {"value": amount.parse::<f64>().expect("a number"), "currency": "EUR"}, "standardized_amount": amount.parse::<f64>().expect("a number"),
            "created_at": written, "counterparty": {"type": "ACCOUNT_INFO", "id": from}})
    };
    let of_hub = |hub: usize| {
        let quiet = (1..=8).map(move |n| payment(format!("quiet-{hub}-{n}"), format!("old-{hub}"), hub, "25.00".into(), NOON - 8 * n * A_DAY));
        let sent = (0..15_i64).map(move |n| {
            let amount = format!("{}.{:02}", 2_400 + 13 * n, 11 + n);
            payment(format!("sent-{hub}-{n:02}"), format!("sender-{hub}-{n}"), hub, amount, NOON - 20_000 + n * 900)
        });
        quiet.chain(sent)
    };
    (0..HUBS).flat_map(of_hub).collect()
}

async fn fill(api: &Api) {
    let owners: Vec<Value> =
        (0..HUBS).map(|hub| json!({"id": format!("owner-{hub}"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": "Owner"})).collect();
    taken(api, "owners", &json!({"actors": owners})).await;
    for (at, some) in payments().chunks(500).enumerate() {
        taken(api, &format!("payments-{at}"), &json!({"transactions": some})).await;
    }
    jobs::none_left(api).await;
}

async fn start(api: &Api) {
    let batch = json!({"closeOfBusinessDate": DAY, "lineOfBusiness": "INDIVIDUAL", "processType": "AML"});
    api.post("/api/detection/initialize", batch.to_string()).await.expect(200);
}

/// What was found, by id: whom it is about, by which rule, and how many payments it cites.
fn found(server: &mut Server) -> BTreeMap<String, String> {
    let text = "MATCH (o:Observation)-[r:ABOUT]->(a:Actor) WHERE r.primary OPTIONAL MATCH (o)-[:CITES]->(t:Transaction)
        WITH o, a, count(t) AS cited RETURN o.id AS id, o.behaviorId AS rule, a.id AS actor, cited AS cited, o.score AS score";
    let rows = server.cypher(text);
    rows.iter()
        .map(|row| (row["id"].as_str().expect("an id").to_owned(), format!("{} {} {} {}", row["rule"], row["actor"], row["cited"], row["score"])))
        .collect()
}

async fn killed_at_random_a_run_finds_what_an_undisturbed_run_finds(engine: Engine) {
    let mut undisturbed = Server::on(Store::private(engine));
    fill(&undisturbed).await;
    start(&undisturbed).await;
    until_done(&undisturbed).await;
    let expected = found(&mut undisturbed);
    assert!(expected.len() >= HUBS, "each hub gathers: {expected:#?}");
    drop(undisturbed);
    let mut server = Server::on(Store::private(engine));
    fill(&server).await;
    start(&server).await;
    let hit = kill_at_random(&mut server, 38).await;
    assert!(hit > 0, "no kill has hit a run");
    println!("{hit} of {} kills have hit the run", kills());
    let done = until_done(&server).await;
    assert_eq!(found(&mut server), expected, "{done}");
    assert_eq!(done["result"]["findings"]["new"], json!(expected.len()), "{done}");
}
