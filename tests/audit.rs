//! The audit log: each change leaves one entry, and so do reads, refusals and sign-ins; filters and pages.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::fixtures::{Payment, account, actor, case_id, with};
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![both: each_change_leaves_one_entry, an_entry_says_what_was_replaced, an_entry_says_what_was_said, an_older_version_that_is_corrected_is_kept, an_entry_has_the_fields_of_the_document,
    reads_and_refusals_leave_entries, sign_ins_leave_entries, which_reads_leave_entries_is_a_setting, pages_do_not_overlap,
    pages_depend_on_their_reader_alone; embedded: faults];

/// The most entries of a page.
const PAGE: usize = 1000;
/// For what is written in the background.
const SOON: Duration = Duration::from_secs(90);

/// From a moment on; everything before is the business of others.
fn since(moment: &str) -> String {
    format!("/api/audit_logs?startDate={moment}&endDate=2100-01-01T00:00:00Z&limit={PAGE}")
}

fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

/// This test's own entries, newest first. A page has a thousand; others may leave more than that meanwhile, and what they leave moves an entry to a later page,
/// so that it may be on two of them.
async fn entries(server: &Server, moment: &str, ids: &Ids) -> Vec<Value> {
    let (mut own, mut seen, mut offset) = (Vec::new(), BTreeSet::new(), 0);
    loop {
        let page = server.get(&format!("{}&offset={offset}", since(moment))).await.expect(200).json();
        let values = page["values"].as_array().expect("entries");
        for entry in values.iter().filter(|entry| entry["json_"]["objectId"].as_str().is_some_and(|id| id.ends_with(&ids.0))) {
            if seen.insert(entry["json_"]["id"].to_string()) {
                own.push(entry.clone());
            }
        }
        offset += values.len();
        if values.len() < PAGE {
            return own;
        }
    }
}

async fn each_change_leaves_one_entry(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    let actor_path = |what: &str| format!("/api/actors/{}/{what}", ids.of("actor"));
    let account_path = |what: &str| format!("/api/accounts/{}/{what}", ids.of("account"));
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).text();
    let changes = [
        ("/api/actors".to_owned(), actor(&ids.of("actor")).to_string(), "Actor", "actor"),
        (
            actor_path("associates"),
            json!({"actorAssociates": [{"id": ids.of("x"), "type": "SPOUSE"}, {"id": ids.of("y"), "type": "SPOUSE"}]}).to_string(),
            "Actor",
            "actor",
        ),
        (actor_path("exclusions"), r#"{"exclusion_type":"MONITORED"}"#.into(), "Actor", "actor"),
        (actor_path("riskAssessments"), r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"v"}]"#.into(), "Actor", "actor"),
        (actor_path("extendedInfo"), "{}".into(), "Actor", "actor"),
        (actor_path("risk_scores"), r#"{"as_of_date":"2024-01-01","final_score":1,"risk_rule_id":"r"}"#.into(), "Actor", "actor"),
        ("/api/accounts".into(), account(&ids.of("account")).to_string(), "Account", "account"),
        (account_path("balances"), r#"{"currency":"EUR","current":1}"#.into(), "Account", "account"),
        (account_path("actors"), json!({"actors": [{"id": ids.of("actor"), "role": "OWNER"}]}).to_string(), "Account", "account"),
        ("/api/v2/transactions".into(), payment.clone(), "Transaction", "payment"),
        ("/api/v2/transactions".into(), payment, "Transaction", "payment"),
        ("/api/channel_locations".into(), json!({"id": ids.of("place"), "type": "ATM", "address": {}}).to_string(), "ChannelLocation", "place"),
    ];
    let mut wanted: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (path, body, kind, id) in changes {
        server.send(server.posting(&path, body).header("x-request-id", ids.of("request"))).await.expect(200);
        *wanted.entry((kind.to_owned(), ids.of(id))).or_default() += 1;
    }
    server.delete(&account_path(&format!("actors/{}", ids.of("actor")))).await.expect(200);
    *wanted.entry(("Account".to_owned(), ids.of("account"))).or_default() += 1;
    // What can't be read is no change that was asked for.
    server.post("/api/actors", with(actor(&ids.of("actor")), json!({"type": "X"})).to_string()).await.expect(422);

    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for entry in entries(&server, &moment, &ids).await {
        let detail = &entry["json_"];
        let text = |name: &str| detail[name].as_str().unwrap_or_else(|| panic!("{name}: {detail}")).to_owned();
        *found.entry((text("objectType"), text("objectId"))).or_default() += 1;
        assert_eq!(
            (text("logType"), text("actionResult"), text("systemName"), text("userIP")),
            ("UPDATE".into(), "SUCCESS".into(), "amlgraph".into(), "127.0.0.1".into())
        );
        assert_eq!((&detail["params"]["userRole"], &detail["params"]["means"]), (&json!("ADMIN"), &json!("API_KEY")), "{detail}");
        assert!(
            !text("id").is_empty()
                && !text("action").is_empty()
                && !text("userId").is_empty()
                && !text("domain").is_empty()
                && detail["envFields"].is_object()
        );
        assert_eq!(entry["timestamp"], detail["timestamp"]);
    }
    assert_eq!(found, wanted);
}

async fn an_entry_says_what_was_replaced(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    let record = |name: &str| with(actor(&ids.of("actor")), json!({"name": name})).to_string();
    for name in ["first", "second"] {
        server.post("/api/actors", record(name)).await.expect(200);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let entries = entries(&server, &moment, &ids).await;
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["json_"]["oldValue"], json!(record("first")), "newest first: {entries:#?}");
    assert_eq!(entries[0]["json_"]["newValue"], json!(record("second")));
    assert!(entries[1]["json_"]["oldValue"].is_null());
    // What is of an older date is history, and replaces nothing.
    let older = with(actor(&ids.of("actor")), json!({"name": "older", "asOfDate": "2001-01-01"})).to_string();
    server.post("/api/actors", older).await.expect(200);
    let entries = self::entries(&server, &moment, &ids).await;
    assert_eq!((entries.len(), &entries[0]["json_"]["oldValue"]), (3, &Value::Null), "{entries:#?}");
}

/// What was said of a date that is past is not gone when it is corrected.
async fn an_older_version_that_is_corrected_is_kept(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    let record = |date: &str, name: &str| with(actor(&ids.of("actor")), json!({"asOfDate": date, "name": name})).to_string();
    for (date, name) in [("2024-06-01", "now"), ("2024-01-01", "A"), ("2024-01-01", "B"), ("2024-01-01", "B")] {
        server.post("/api/actors", record(date, name)).await.expect(200);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let entries = entries(&server, &moment, &ids).await;
    let values: Vec<_> = entries.iter().map(|entry| (entry["json_"]["oldValue"].clone(), entry["json_"]["newValue"].clone())).collect();
    let corrected = (json!(record("2024-01-01", "A")), json!(record("2024-01-01", "B")));
    assert_eq!(values, [(Value::Null, Value::Null), corrected, (Value::Null, Value::Null), (Value::Null, Value::Null)]);
    assert_eq!(server.get(&format!("/api/actors/{}", ids.of("actor"))).await.text, record("2024-06-01", "now"));
}

/// Those that have a value, and no others: what there is nothing to say of is absent.
async fn an_entry_has_the_fields_of_the_document(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    for name in ["first", "second"] {
        server.post("/api/actors", with(actor(&ids.of("actor")), json!({"name": name})).to_string()).await.expect(200);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let case = case_id();
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    let of_case = server.get(&format!("{}&caseId={case}", since(&moment))).await.expect(200).json()["values"][0].take();
    let always = [
        "action",
        "actionResult",
        "domain",
        "envFields",
        "id",
        "logType",
        "objectId",
        "objectType",
        "params",
        "systemName",
        "timestamp",
        "userAction",
    ];
    let of_somebody = ["newValue", "userIP", "userId"];
    for (entry, more) in [(&entries(&server, &moment, &ids).await[0], "oldValue"), (&of_case, "caseId")] {
        let fields: BTreeSet<&str> = entry["json_"].as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(fields, always.into_iter().chain(of_somebody).chain([more]).collect(), "{entry}");
        assert_eq!(entry.as_object().expect("an object").keys().collect::<Vec<_>>(), ["json_", "timestamp"]);
    }
}

/// Entries that are written in the background come a moment later.
async fn once_there_are(count: usize, server: &Server, moment: &str, ids: &Ids) -> Vec<Value> {
    let started = Instant::now();
    loop {
        let found = entries(server, moment, ids).await;
        if found.len() >= count {
            return found;
        }
        assert!(started.elapsed() < SOON, "there never were {count} entries: {found:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn reads_and_refusals_leave_entries(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    let (id, other) = (ids.of("actor"), ids.of("other"));
    for id in [&id, &other] {
        server.post("/api/actors", actor(id).to_string()).await.expect(200);
    }
    // A read of a record; one request that reads two; a write that is not possible; one that is not allowed.
    server.get(&format!("/api/actors/{id}")).await.expect(200);
    let both = json!({"query": format!(r#"{{ a: actor(id: "{id}") {{ name phones: identities(first: 1) {{ totalCount }} }} b: actor(id: "{other}") {{ id }} }}"#)});
    server.post("/graphql", both.to_string()).await.expect(200);
    server.delete(&format!("/api/accounts/{}/actors/{id}", ids.of("account"))).await.expect(404);
    let made = server.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let analyst = server.with_key(made["key"].as_str().expect("a key"));
    analyst.post("/api/actors", actor(&id).to_string()).await.expect(403);

    let entries = once_there_are(6, &server, &moment, &ids).await;
    let told: BTreeMap<(&str, &str, &str), usize> = entries.iter().fold(BTreeMap::new(), |mut told, entry| {
        let text = |name: &str| entry["json_"][name].as_str().unwrap_or_else(|| panic!("{name}: {entry}"));
        *told.entry((text("logType"), text("action"), text("actionResult"))).or_default() += 1;
        told
    });
    let wanted = BTreeMap::from([
        (("UPDATE", "actor.recorded", "SUCCESS"), 2),
        (("READ", "record.read", "SUCCESS"), 1),
        (("READ", "graph.explored", "SUCCESS"), 1),
        (("UPDATE", "account.actor.removed", "REFUSED"), 1),
        (("UPDATE", "ingest", "REFUSED"), 1),
    ]);
    assert_eq!(told, wanted, "{entries:#?}");
    let explored = entries.iter().find(|entry| entry["json_"]["action"] == "graph.explored").expect("it was counted");
    let named = [&explored["json_"]["objectId"], &explored["json_"]["notes"]].map(|text| text.as_str().expect("a text").to_owned());
    assert!(named.concat().contains(&id) && named.concat().contains(&other), "{named:?}");
    let refused = entries.iter().find(|entry| entry["json_"]["action"] == "ingest").expect("it was counted");
    assert_eq!(refused["json_"]["params"]["userRole"], "ANALYST");
}

/// Records are read by their ids, lists by what is in them.
async fn which_reads_leave_entries_is_a_setting(engine: Engine) {
    let ids = Ids::new();
    for (setting, wanted) in [("none", vec![]), ("records", vec!["Actor"]), ("all", vec!["Account", "Actor"])] {
        let server = Server::with(Store::of(engine), &[("AMLGRAPH_AUDIT__READS", setting)]);
        let (id, moment) = (ids.of(&format!("actor-{setting}")), now());
        server.post("/api/actors", actor(&id).to_string()).await.expect(200);
        let made = server.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
        let analyst = server.with_key(made["key"].as_str().expect("a key"));
        analyst.graphql("{ accounts(first: 1) { edges { node { id } } } }", json!({})).await;
        analyst.get(&format!("/api/actors/{id}")).await.expect(200);
        // A refusal always leaves one, and comes last.
        analyst.post("/api/actors", actor(&id).to_string()).await.expect(403);
        let mut read = Vec::new();
        eventually("what was refused is told", SOON, async || {
            let page = server.get(&since(&moment)).await.expect(200).json();
            let told = page["values"].as_array().expect("entries").iter().map(|entry| &entry["json_"]);
            told.filter(|entry| entry["userId"] == made["id"]).any(|entry| entry["actionResult"] == "REFUSED")
        })
        .await;
        let page = server.get(&since(&moment)).await.expect(200).json();
        for entry in page["values"].as_array().expect("entries").iter().map(|entry| &entry["json_"]) {
            if entry["userId"] == made["id"] && entry["logType"] == "READ" {
                read.push(entry["objectType"].as_str().expect("a kind").to_owned());
            }
        }
        read.sort();
        assert_eq!(read, wanted, "{setting}: {page:#}");
        server.stop();
    }
}

async fn sign_ins_leave_entries(engine: Engine) {
    // Of its own: in a store that is shared others sign in, and are refused, too.
    let (server, moment) = (Server::on(Store::private(engine)), now());
    let made = server.post("/admin/clients", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let (id, secret) = (made["client_id"].as_str().expect("an id"), made["client_secret"].as_str().expect("a secret"));
    let form = |secret: &str| [("grant_type", "client_credentials".to_owned()), ("client_id", id.to_owned()), ("client_secret", secret.to_owned())];
    let nobody = server.anonymous();
    let token = |secret: &str| nobody.send(nobody.request("POST", "/auth/token").form(&form(secret)));
    token(secret).await.expect(200);
    for _ in 0..3 {
        token("wrong").await.expect(401);
        server.with_key("nobody's key").get("/api/actors/x").await.expect(401);
    }
    let started = Instant::now();
    let found = loop {
        let page = server.get(&since(&moment)).await.expect(200).json();
        let found: Vec<Value> = page["values"].as_array().expect("entries").iter().map(|entry| entry["json_"].clone()).collect();
        let seen = |action: &str| found.iter().any(|detail| detail["action"] == action);
        if ["token.issued", "token.refused", "sign_in.refused"].into_iter().all(seen) {
            break found;
        }
        assert!(started.elapsed() < SOON, "{found:#?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let of = |action: &str| found.iter().find(|detail| detail["action"] == action).unwrap_or_else(|| panic!("{action}: {found:#?}"));
    let issued = of("token.issued");
    assert_eq!((&issued["objectId"], &issued["actionResult"], &issued["params"]["means"]), (&json!(id), &json!("SUCCESS"), &json!("CLIENT_SECRET")));
    for action in ["token.refused", "sign_in.refused"] {
        let refused = of(action);
        assert_eq!((&refused["actionResult"], &refused["userIP"]), (&json!("REFUSED"), &json!("127.0.0.1")), "{refused}");
        assert!(!refused.to_string().contains("nobody's key") && !refused.to_string().contains("wrong\""), "{refused}");
    }
}

/// Of what the store keeps no record beside, the entry has it.
async fn an_entry_says_what_was_said(engine: Engine) {
    let (server, ids, moment) = (Server::shared(engine), Ids::new(), now());
    let (actor, account) = (ids.of("actor"), ids.of("account"));
    let said = [
        (format!("/api/actors/{actor}/exclusions"), r#"{"exclusion_type":"NOT_MONITORED"}"#.to_owned()),
        (format!("/api/actors/{actor}/riskAssessments"), r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"v"}]"#.into()),
        (format!("/api/accounts/{account}/actors"), json!({"actors": [{"id": actor, "role": "OWNER"}]}).to_string()),
    ];
    for (path, body) in &said {
        server.post(path, body.clone()).await.expect(200);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    server.delete(&format!("/api/accounts/{account}/actors/{actor}")).await.expect(200);
    let entries = entries(&server, &moment, &ids).await;
    assert_eq!(entries[0]["json_"]["oldValue"], json!(json!({"actorId": actor}).to_string()));
    let told: Vec<&Value> = entries.iter().skip(1).rev().map(|entry| &entry["json_"]["newValue"]).collect();
    assert_eq!(told, said.iter().map(|(_, body)| json!(body)).collect::<Vec<_>>().iter().collect::<Vec<_>>());
}

async fn pages_do_not_overlap(engine: Engine) {
    let server = Server::on(Store::private(engine));
    // A Neo4j that has just started plans its statements for seconds.
    let first = actor("first").to_string();
    eventually("a first one is written", SOON, async || server.post("/api/actors", first.clone()).await.status == 200).await;
    // Both ends of a span belong to it: what was before this moment, and what comes, has none of it.
    tokio::time::sleep(Duration::from_millis(3)).await;
    let before = now();
    tokio::time::sleep(Duration::from_millis(3)).await;
    for number in 0..7 {
        server.post("/api/actors", actor(&format!("actor-{number}")).to_string()).await.expect(200);
    }
    let span = since(&before).replace(&format!("&limit={PAGE}"), "");
    let ids = |page: &Value| -> Vec<String> {
        page["values"].as_array().expect("entries").iter().map(|entry| entry["json_"]["objectId"].as_str().expect("an id").to_owned()).collect()
    };
    // A list that can't be counted within two seconds says how many there are at least. So long a cold Neo4j may plan the count.
    eventually("it is counted", SOON, async || server.get(&span).await.expect(200).json()["number_of_values"] == 7).await;
    let mut all = Vec::new();
    for offset in [0, 3, 6] {
        let page = server.get(&format!("{span}&limit=3&offset={offset}")).await.expect(200).json();
        assert_eq!((&page["limit"], &page["offset"], &page["number_of_values"]), (&json!(3), &json!(offset), &json!(7)));
        all.extend(ids(&page));
    }
    let newest_first: Vec<String> = (0..7).rev().map(|number| format!("actor-{number}")).collect();
    assert_eq!(all, newest_first);
    let default = server.get(&span).await.expect(200).json();
    assert_eq!((&default["limit"], &default["offset"]), (&json!(100), &json!(0)));
    for (filter, count) in [("&logType=ALL", 7), ("&logType=UPDATE", 7), ("&logType=READ", 0), ("&caseId=some-case", 0)] {
        let page = server.get(&format!("{span}{filter}")).await.expect(200).json();
        assert_eq!((ids(&page).len(), &page["number_of_values"]), (count, &json!(count)), "{filter}");
    }
    // Both ends belong to the span.
    let moment = default["values"][3]["timestamp"].as_str().expect("a moment");
    let page = server.get(&format!("/api/audit_logs?startDate={moment}&endDate={moment}")).await.expect(200).json();
    assert!(ids(&page).contains(&"actor-3".to_owned()), "{page}");
    let earlier = server.get(&format!("/api/audit_logs?startDate=2000-01-01T00:00:00Z&endDate={before}")).await.expect(200).json();
    assert!(ids(&earlier).iter().all(|id| !id.starts_with("actor-")), "{earlier}");
}

/// A list whose span has not ended grows at its front while two go through it.
async fn pages_depend_on_their_reader_alone(engine: Engine) {
    let server = Server::on(Store::private(engine));
    let first = actor("first").to_string();
    eventually("a first one is written", SOON, async || server.post("/api/actors", first.clone()).await.status == 200).await;
    let key = async |name: &str| {
        let made = server.post("/admin/keys", json!({"role": "ADMIN", "name": name}).to_string()).await.expect(201).json();
        server.with_key(made["key"].as_str().expect("a key"))
    };
    let (a, b) = (key("a").await, key("b").await);
    let write = async |numbers: std::ops::Range<usize>| {
        for number in numbers {
            server.post("/api/actors", actor(&format!("actor-{number:02}")).to_string()).await.expect(200);
        }
    };
    write(0..30).await;
    let page = async |api: &crate::support::Api, limit: usize, offset: usize| -> Vec<String> {
        let path =
            format!("/api/audit_logs?startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&logType=UPDATE&limit={limit}&offset={offset}");
        let page = api.get(&path).await.expect(200).json();
        page["values"].as_array().expect("entries").iter().map(|entry| entry["json_"]["objectId"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let actors = |numbers: std::ops::Range<usize>| numbers.rev().map(|number| format!("actor-{number:02}")).collect::<Vec<_>>();
    assert_eq!(page(&a, 10, 0).await, actors(20..30));
    write(30..35).await;
    // Of somebody who has read nothing before, a page is where it is now.
    assert_eq!(page(&b, 10, 10).await, actors(15..25));
    assert_eq!(page(&b, 10, 0).await, actors(25..35));
    assert_eq!(page(&a, 10, 10).await, actors(10..20), "its own next page goes on where it was");
    assert_eq!(page(&b, 10, 10).await, actors(15..25));
    // Who begins anew begins anew, in pages of another size, too.
    write(35..40).await;
    assert_eq!((page(&a, 5, 0).await, page(&a, 5, 5).await), (actors(35..40), actors(30..35)));
    assert_eq!(page(&a, 10, 10).await, actors(20..30));
}

async fn faults(engine: Engine) {
    let server = Server::shared(engine);
    let span = "/api/audit_logs?startDate=2024-01-02T00:00:00Z&endDate=2024-01-01T00:00:00Z";
    assert_eq!(server.get(span).await.expect(422).places(), ["endDate"]);
    assert_eq!(server.get("/api/audit_logs").await.expect(400).places(), ["endDate", "startDate"]);
    let unreadable = "/api/audit_logs?startDate=2024-01-02&endDate=x&logType=WRITE&limit=1001&offset=-1&user=x";
    for limit in ["0", "-1", "1001"] {
        let page = format!("/api/audit_logs?startDate=2024-01-01T00:00:00Z&endDate=2024-01-02T00:00:00Z&limit={limit}");
        assert_eq!(server.get(&page).await.expect(400).places(), ["limit"], "{limit}");
    }
    assert_eq!(server.get(unreadable).await.expect(400).places(), ["endDate", "limit", "logType", "offset", "startDate", "user"]);
}
