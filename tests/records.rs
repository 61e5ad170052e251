//! What holds for records of every kind: what may not be said of them, and that nothing is lost or doubled when they are sent again, whatever
//! they look alike in.

use serde_json::{Value, json};

use crate::support::fixtures::{Payment, account, actor, with};
use crate::support::{Engine, Ids, Server, tests};

tests![both: every_write_takes_an_idempotency_key, a_key_is_of_one_request, the_same_record_again_changes_nothing, roles_that_read_alike_are_two,
    a_sign_in_from_each_address_is_kept, the_later_of_two_lines_about_an_associate_wins, a_channel_location_that_is_moved_leaves_its_old_place;
    embedded: nothing_is_dated_after_tomorrow, ids_of_the_service_are_refused];

/// Path and body of a write of each kind that has no identity of its own, or is not simply put in the place of what was there.
fn writes(ids: &Ids) -> Vec<(String, String)> {
    let actor_path = |what: &str| format!("/api/actors/{}/{what}", ids.of("actor"));
    let account_path = |what: &str| format!("/api/accounts/{}/{what}", ids.of("account"));
    vec![
        ("/api/actors".into(), actor(&ids.of("actor")).to_string()),
        ("/api/accounts".into(), account(&ids.of("account")).to_string()),
        (actor_path("exclusions"), r#"{"exclusion_type":"MONITORED"}"#.into()),
        (actor_path("risk_scores"), r#"{"as_of_date":"2024-01-01","final_score":1,"risk_rule_id":"r"}"#.into()),
        (actor_path("riskAssessments"), r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"v"}]"#.into()),
        (actor_path("extendedInfo"), r#"{"numberOfLoans":1}"#.into()),
        (actor_path("associates"), json!({"actorAssociates": [{"id": ids.of("other"), "type": "SPOUSE"}]}).to_string()),
        (account_path("balances"), r#"{"currency":"EUR","current":1}"#.into()),
        (account_path("actors"), json!({"actors": [{"id": ids.of("actor"), "role": "OWNER"}]}).to_string()),
        ("/api/v2/transactions".into(), Payment::new(ids.of("payment"), ids.of("account"), ids.of("payee")).text()),
        ("/api/channel_locations".into(), json!({"id": ids.of("place"), "type": "ATM", "address": {}}).to_string()),
        (
            "/api/observations".into(),
            json!({"id": ids.of("observation"), "type": "ALERT_AML", "behaviorId": "b", "behaviorName": "B", "date": 1}).to_string(),
        ),
        (format!("/api/observations/{}/actors", ids.of("observation")), json!([{"actorId": ids.of("actor")}]).to_string()),
    ]
}

async fn every_write_takes_an_idempotency_key(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    for (number, (path, body)) in writes(&ids).into_iter().enumerate() {
        let send = || server.send(server.posting(&path, body.clone()).header("idempotency-key", ids.of(&format!("key-{number}"))));
        let first = send().await.expect(200);
        assert_eq!(first.header("idempotent-replayed"), "", "{path}");
        let again = send().await.expect(200);
        assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"), "{path}");
    }
    let own = [("ActorExclusion", "HAS_EXCLUSION"), ("RiskScore", "HAS_RISK_SCORE")];
    for (label, link) in own {
        let query = format!("MATCH (n:Actor {{id: '{}'}})-[:{link}]->(x:{label}) RETURN count(x) AS times", ids.of("actor"));
        assert_eq!(server.cypher(&query)[0]["times"], json!(1), "{label}");
    }
    let path = format!("/api/accounts/{}/actors/{}", ids.of("account"), ids.of("actor"));
    for replayed in ["", "true"] {
        let removed = server.send(server.request("DELETE", &path).header("idempotency-key", ids.of("removal"))).await.expect(200);
        assert_eq!(removed.header("idempotent-replayed"), replayed);
    }
    server.delete(&path).await.expect(404);
}

/// The same body to another address is another request.
async fn a_key_is_of_one_request(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let send = |actor: String| {
        let request = server.posting(&format!("/api/actors/{actor}/exclusions"), r#"{"exclusion_type":"SUPPRESSED"}"#);
        server.send(request.header("idempotency-key", ids.of("key")))
    };
    send(ids.of("one")).await.expect(200);
    assert_eq!(send(ids.of("other")).await.expect(422).places(), ["idempotency-key"]);
    send(ids.of("one")).await.expect(200);
}

async fn the_same_record_again_changes_nothing(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let record = with(actor(&ids.of("actor")), json!({"phones": [{"number": "+46 8 123 456 78"}]})).to_string();
    let query = format!("MATCH (n:Actor {{id: '{}'}}) RETURN n.recordedAt AS at", ids.of("actor"));
    server.post("/api/actors", record.clone()).await.expect(200);
    let first = server.cypher(&query)[0]["at"].clone();
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    assert_eq!(server.post("/api/actors", record.clone()).await.expect(200).text, record);
    assert_eq!(server.cypher(&query)[0]["at"], first, "what is stored word for word is not written again");
    server.post("/api/actors", record.replace("+46 8", "+46  8")).await.expect(200);
    assert_ne!(server.cypher(&query)[0]["at"], first, "another text is another record");

    let record = with(account(&ids.of("account")), json!({"iban": "SE45 5000 0000 0583 9825 7466"})).to_string();
    let query = format!("MATCH (n:Account {{id: '{}'}}) RETURN n.recordedAt AS at", ids.of("account"));
    server.post("/api/accounts", record.clone()).await.expect(200);
    let first = server.cypher(&query)[0]["at"].clone();
    assert!(first.is_i64(), "{first}");
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    server.post("/api/accounts", record.clone()).await.expect(200);
    assert_eq!(server.cypher(&query)[0]["at"], first);
    server.post("/api/accounts", record.replace("SE45 5000", "SE45  5000")).await.expect(200);
    assert_ne!(server.cypher(&query)[0]["at"], first);
}

/// Role `c` of the actor `a b`, and role `b c` of the actor `a`.
async fn roles_that_read_alike_are_two(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (short, long) = (ids.of("a"), format!("{} b", ids.of("a")));
    let body = json!({"actors": [{"id": long, "role": "c"}, {"id": short, "role": "b c"}]});
    server.post(&format!("/api/accounts/{}/actors", ids.of("account")), body.to_string()).await.expect(200);
    let query = "query($id: ID!, $after: String) { account(id: $id) { actors(first: 1, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { role node { id } } } } }";
    let first = server.graphql(query, json!({"id": ids.of("account")})).await["account"]["actors"].clone();
    assert_eq!((&first["totalCount"], &first["pageInfo"]["hasNextPage"]), (&json!(2), &json!(true)), "{first}");
    let second = server.graphql(query, json!({"id": ids.of("account"), "after": first["pageInfo"]["endCursor"]})).await["account"]["actors"].clone();
    let mut found = [&first["edges"][0], &second["edges"][0]].map(|edge| (edge["node"]["id"].clone(), edge["role"].clone()));
    found.sort_by_key(|(id, _)| id.to_string().len());
    assert_eq!(found, [(json!(short), json!("b c")), (json!(long), json!("c"))]);
}

async fn a_sign_in_from_each_address_is_kept(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let mutation = "mutation($signIns: [SignInInput!]!) { recordSignIns(signIns: $signIns) }";
    let sign_in =
        |ip: Option<&str>| json!({"deviceId": ids.of("phone"), "accountId": ids.of("account"), "at": "2024-06-01T12:00:00Z", "ipAddress": ip});
    for ip in [Some("10.0.0.1"), Some("10.0.0.2"), Some("10.0.0.1")] {
        server.graphql(mutation, json!({"signIns": [sign_in(ip)]})).await;
    }
    let query = format!("MATCH (:Device {{id: '{}'}})-[r:SIGNED_IN]->(:Account) RETURN r.ipAddress AS ip", ids.of("phone"));
    let mut found: Vec<Value> = server.cypher(&query).into_iter().map(|row| row["ip"].clone()).collect();
    found.sort_by_key(Value::to_string);
    assert_eq!(found, [json!("10.0.0.1"), json!("10.0.0.2")]);
}

/// What a system sends in its order comes to be in this order.
async fn the_later_of_two_lines_about_an_associate_wins(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let said = |ratio: f64, name: &str| {
        let associate = json!({"id": ids.of("owner"), "type": "INVESTOR", "ratio": ratio, "dataSource": name});
        (format!("/api/actors/{}/associates", ids.of("company")), json!({"actorAssociates": [associate], "asOfDate": "2024-01-01"}).to_string())
    };
    // Together in one batch or not, sorted by their texts or not.
    for (number, ratios) in [[0.9, 0.1], [0.1, 0.9], [0.5, 0.4]].into_iter().enumerate() {
        for ratio in ratios {
            let (path, body) = said(ratio, &format!("source {number}"));
            server.post(&path, body).await.expect(200);
        }
        let query = format!("MATCH (:Actor {{id: '{}'}})-[r:ASSOCIATED_WITH]->(:Actor) RETURN r.ratio AS ratio", ids.of("owner"));
        assert_eq!(server.cypher(&query)[0]["ratio"], json!(ratios[1]));
    }
}

async fn a_channel_location_that_is_moved_leaves_its_old_place(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let place = |city: &str| json!({"id": ids.of("place"), "type": "BRANCH", "address": {"city": city}}).to_string();
    for city in ["Malmö", "Lund"] {
        server.post("/api/channel_locations", place(city)).await.expect(200);
    }
    let query = format!(
        "MATCH (a:AuditEntry) WHERE a.objectId = '{}' RETURN a.oldValue AS old, a.newValue AS new ORDER BY a.timestamp, a.id",
        ids.of("place")
    );
    let found: Vec<(Value, Value)> = server.cypher(&query).into_iter().map(|row| (row["old"].clone(), row["new"].clone())).collect();
    assert_eq!(found, [(Value::Null, json!(place("Malmö"))), (json!(place("Malmö")), json!(place("Lund")))]);
}

async fn nothing_is_dated_after_tomorrow(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let day = |days: i64| (chrono::Utc::now() + chrono::Duration::days(days)).format("%Y-%m-%d").to_string();
    let actor_path = |what: &str| format!("/api/actors/{}/{what}", ids.of("actor"));
    let account_path = |what: &str| format!("/api/accounts/{}/{what}", ids.of("account"));
    let dated = |date: &str| {
        [
            ("/api/actors".to_owned(), with(actor(&ids.of("actor")), json!({"asOfDate": date})), "asOfDate"),
            ("/api/accounts".into(), with(account(&ids.of("account")), json!({"asOfDate": date})), "asOfDate"),
            (actor_path("associates"), json!({"actorAssociates": [{"id": ids.of("x")}], "asOfDate": date}), "asOfDate"),
            (actor_path("extendedInfo"), json!({"asOfDate": date}), "asOfDate"),
            (actor_path("riskAssessments"), json!([{"asOfDate": date, "type": "PEP", "value": "v"}]), "[0].asOfDate"),
            (actor_path("risk_scores"), json!({"as_of_date": date, "final_score": 1, "risk_rule_id": "r"}), "as_of_date"),
            (account_path("balances"), json!({"currency": "EUR", "current": 1, "asOfDate": date}), "asOfDate"),
            (account_path("actors"), json!({"actors": [{"id": ids.of("actor"), "role": "OWNER"}], "asOfDate": date}), "asOfDate"),
        ]
    };
    // Two days from now, so that midnight while this runs makes no difference.
    for (path, body, place) in dated("2204-01-01").into_iter().chain(dated(&day(3))) {
        let refused = server.post(&path, body.to_string()).await;
        assert!([400, 422].contains(&refused.status), "{path}: {refused:?}");
        assert_eq!(refused.places(), [place], "{path}");
    }
    for (path, body, _) in dated(&day(1)) {
        server.post(&path, body.to_string()).await.expect(200);
    }
}

async fn ids_of_the_service_are_refused(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = "external:iban:DE89370400440532013000";
    assert_eq!(server.post("/api/accounts", account(id).to_string()).await.expect(422).places(), ["id"]);
    let payment = Payment::new(ids.of("payment"), id, ids.of("payee"));
    assert_eq!(server.post("/api/v2/transactions", payment.text()).await.expect(400).places(), ["account_id"]);
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), id);
    assert_eq!(server.post("/api/v2/transactions", payment.text()).await.expect(400).places(), ["counterparty.id"]);
    assert_eq!(server.post(&format!("/api/accounts/{id}/balances"), r#"{"currency":"EUR","current":1}"#).await.expect(422).places(), ["id"]);
    // An actor may be called so.
    server.post("/api/actors", actor(&format!("external:{}", ids.of("actor"))).to_string()).await.expect(200);
}
