//! Matches that somebody has cleared: left out, and told to be, until either side changes, the time is over, or somebody ends it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::screening_actors::{HEADER, LIST, listed, observed, screening, screenings, send, told, until_told};
use crate::support::fixtures::{Other, Payment, with};
use crate::support::{Answer, Api, Engine, Ids, eventually, jobs, tests};

tests![both: a_cleared_actor_is_left_out_until_it_changes, behind_matches_that_are_cleared_the_next_one_is_told, a_changed_entry_is_told_again, who_ends_a_clearance_is_told_again,
    a_clearance_ends_with_its_time, hits_of_before_stay_open_and_are_told_with_their_entry, a_counterparty_is_cleared_in_all_payments, what_can_not_be_cleared_is_said];

const CLEAR: &str = "mutation($input: ClearMatchInput!) { clearMatch(input: $input) { clearedMatchId userErrors { code message } } }";
const UNCLEAR: &str = "mutation($input: UnclearMatchInput!) { unclearMatch(input: $input) { clearedMatchId userErrors { code message } } }";
const CLEARED: &str = "query($filter: ClearedMatchFilter) { clearedMatches(first: 20, filter: $filter) { totalCount edges { node { id entry entryName
    listVersion partyName active until reason clearedAt clearedBy clearedByName endedAt endedBy endedByName endReason actor { id } } } } }";

/// What `clearMatch` answers.
async fn ask(api: &Api, input: Value) -> Value {
    let input = with(json!({"reason": "another person"}), input);
    api.graphql(CLEAR, json!({"input": input})).await["clearMatch"].take()
}

/// Clears a match; answers with the clearance's id.
async fn clear(api: &Api, input: Value) -> String {
    let cleared = ask(api, input).await;
    cleared["clearedMatchId"].as_str().unwrap_or_else(|| panic!("{cleared}")).to_owned()
}

/// What `unclearMatch` answers.
async fn unclear(api: &Api, id: &str) -> Value {
    let input = json!({"clearedMatchId": id, "reason": "it is so after all"});
    api.graphql(UNCLEAR, json!({"input": input})).await["unclearMatch"].take()
}

/// Cleared matches, the latest first.
async fn cleared(api: &Api, filter: Value) -> Vec<Value> {
    let data = api.graphql(CLEARED, json!({"filter": filter})).await;
    let edges = data["clearedMatches"]["edges"].as_array().unwrap_or_else(|| panic!("{data}")).clone();
    assert_eq!(data["clearedMatches"]["totalCount"], edges.len(), "{data}");
    edges.into_iter().map(|edge| edge["node"].clone()).collect()
}

/// Sends an actor who is somebody else by one fact, and waits until that is screened, with this result on top of the others.
async fn sent(api: &Api, ids: &Ids, facts: Value, result: &str) {
    let before = told(api, &ids.of("ada")).await;
    let expected: Vec<&str> = std::iter::once(result).chain(before.iter().map(String::as_str)).collect();
    send(api, &ids.of("ada"), with(json!({"name": "Ada Quill"}), facts)).await;
    until_told(api, &ids.of("ada"), &expected).await;
}

/// Entries that the latest screening has left out.
async fn left_out(api: &Api, actor: &str) -> Value {
    screenings(api, actor).await[0]["cleared"].take()
}

async fn a_cleared_actor_is_left_out_until_it_changes(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    let id = clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    let shown = cleared(&server, json!({"actorId": ada, "active": true})).await;
    assert_eq!(shown.len(), 1, "{shown:?}");
    for (field, expected) in [
        ("id", json!(id)),
        ("entry", json!("own/Q1")),
        ("entryName", json!("Ada Quill")),
        ("listVersion", json!("own/1")),
        ("partyName", json!("Ada Quill")),
        ("active", json!(true)),
        ("reason", json!("another person")),
        ("endedAt", Value::Null),
        ("actor", json!({"id": ada})),
    ] {
        assert_eq!(shown[0][field], expected, "{field}: {shown:?}");
    }
    // Another fact is another party, as far as anybody knows: that is a new alert. As it was before it is the one that was cleared.
    sent(&server, &ids, json!({"nationality": "MT"}), "HIT own/1").await;
    assert_eq!((observed(&server, &ada).await.len(), left_out(&server, &ada).await), (2, json!([])));
    sent(&server, &ids, json!({}), "MISS own/1").await;
    assert_eq!(left_out(&server, &ada).await, json!(["own/Q1"]));
    // Other entries are told.
    sent(&server, &ids, json!({"displayName": "Orsolo Vantrek"}), "HIT own/1").await;
    clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    sent(&server, &ids, json!({"displayName": "Orsolo Vantrek"}), "HIT own/1").await;
    assert_eq!(left_out(&server, &ada).await, json!(["own/Q1"]));
    let query = "query($id: ID!) { actor(id: $id) { clearedMatches(first: 5) { totalCount edges { node { active endReason } } } } }";
    let data = server.graphql(query, json!({"id": ada})).await;
    let nodes = [json!({"node": {"active": true, "endReason": null}}), json!({"node": {"active": false, "endReason": "cleared again"}})];
    assert_eq!(data["actor"]["clearedMatches"], json!({"totalCount": 2, "edges": nodes}), "the later word counts, and each is kept");
    let query = "query($id: ID!) { clearedMatches(filter: {actorId: $id}, orderBy: {field: CLEARED_AT, direction: ASC}) { nodes { active } } }";
    let data = server.graphql(query, json!({"id": ada})).await;
    assert_eq!(data["clearedMatches"]["nodes"], json!([{"active": false}, {"active": true}]), "the first word first");
    jobs::none_left(&server).await;
}

async fn behind_matches_that_are_cleared_the_next_one_is_told(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let lines: String = (1..=6).map(|at| format!("Q{at},Person,Ada Quill,,,\n")).collect();
    listed(&server, 1, &format!("{HEADER}{lines}")).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    assert_eq!(observed(&server, &ids.of("ada")).await.len(), 5, "no more are told of a search");
    let entries: Vec<String> = (1..=5).map(|at| format!("own/Q{at}")).collect();
    for entry in &entries {
        clear(&server, json!({"actorId": ids.of("ada"), "entry": entry})).await;
    }
    sent(&server, &ids, json!({"nationality": "MT"}), "HIT own/1").await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    let last = &screenings(&server, &ids.of("ada")).await[0];
    assert_eq!((&last["cleared"], last["observations"]["edges"].as_array().map(Vec::len)), (&json!(entries), Some(1)));
    jobs::none_left(&server).await;
}

async fn a_changed_entry_is_told_again(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    let changed = LIST.replace("A. Quilla", "A. Quilla;Adina Quill");
    assert_eq!(listed(&server, 2, &changed).await, json!({"entries": 1, "actors": 1, "hits": 1, "cleared": 0}));
    assert_eq!((told(&server, &ada).await, observed(&server, &ada).await.len()), (vec!["HIT own/2".to_owned(), "HIT own/1".to_owned()], 2));
    // Cleared of what the entry says now, it is left out by a list that says the same of it.
    let id = clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    assert_eq!(cleared(&server, json!({"entry": "own/Q1", "active": true})).await[0]["listVersion"], "own/2");
    assert_eq!(listed(&server, 3, &format!("{changed}Q3,Person,Ada Quil,,,\n")).await, json!({"entries": 1, "actors": 1, "hits": 1, "cleared": 0}));
    assert_eq!(observed(&server, &ada).await.len(), 3, "a new entry was never cleared");
    let others: Vec<String> = cleared(&server, json!({"active": false})).await.iter().map(|shown| shown["id"].to_string()).collect();
    assert!(others.len() == 1 && !others[0].contains(&id), "{others:?}");
    jobs::none_left(&server).await;
}

async fn who_ends_a_clearance_is_told_again(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    let id = clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    let ended = unclear(&server, &id).await;
    assert_eq!(ended, json!({"clearedMatchId": id, "userErrors": []}));
    // Nobody has to send anything.
    until_told(&server, &ada, &["HIT own/1", "HIT own/1"]).await;
    assert_eq!(observed(&server, &ada).await.len(), 2, "what was cleared once is another alert");
    let shown = &cleared(&server, json!({"actorId": ada})).await[0];
    assert_eq!((&shown["active"], &shown["endReason"], shown["endedAt"].is_null()), (&json!(false), &json!("it is so after all"), false));
    let again = unclear(&server, &id).await;
    assert!(again["clearedMatchId"].is_null() && again["userErrors"][0]["code"] == "INVALID", "{again}");
    let log = server.get("/api/audit_logs?startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&logType=UPDATE&limit=1000").await.expect(200);
    assert!(["screening.cleared", "screening.uncleared"].iter().all(|action| log.text.contains(action)), "{log:?}");
    jobs::none_left(&server).await;
}

/// Clearing is about what comes: what was found before is dismissed by its own.
async fn hits_of_before_stay_open_and_are_told_with_their_entry(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    sent(&server, &ids, json!({"displayName": "Orsolo Vantrek"}), "HIT own/1").await;
    clear(&server, json!({"actorId": ada, "entry": "own/Q1"})).await;
    let query = "query($actor: ID!) { observations(first: 20, filter: {handled: false, actorIds: [$actor], dataSources: [\"Service - Screening\"]}) {
        nodes { id record { metadata } } } }";
    let open = async || server.graphql(query, json!({"actor": ada})).await["observations"]["nodes"].as_array().cloned().expect("observations");
    let entry = |observation: &Value| observation["record"]["metadata"]["entry"].as_str().expect("an entry").to_owned();
    let found = open().await;
    let mut entries: Vec<String> = found.iter().map(entry).collect();
    entries.sort();
    assert_eq!(entries, ["own/Q1", "own/Q2"], "{found:?}");
    let hits: Vec<&Value> = found.iter().filter(|observation| entry(observation) == "own/Q1").map(|observation| &observation["id"]).collect();
    let mutation = "mutation($input: DismissObservationsInput!) { dismissObservations(input: $input) { userErrors { message } } }";
    let dismissed = server.graphql(mutation, json!({"input": {"observationIds": hits, "reason": "another person"}})).await;
    assert_eq!(dismissed["dismissObservations"]["userErrors"], json!([]), "{dismissed}");
    assert_eq!(open().await.iter().map(entry).collect::<Vec<_>>(), ["own/Q2"]);
    jobs::none_left(&server).await;
}

async fn a_clearance_ends_with_its_time(engine: Engine) {
    let (server, ids) = (screening(engine, &[("AMLGRAPH_SCREENING__CLEAR_FOR", "1h")]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    sent(&server, &ids, json!({}), "HIT own/1").await;
    let in_seconds = |seconds: i64| (chrono::Utc::now() + chrono::Duration::seconds(seconds)).to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    for until in [in_seconds(-1), in_seconds(2 * 60 * 60)] {
        let refused = ask(&server, json!({"actorId": ada, "entry": "own/Q1", "until": until})).await;
        assert!(refused["userErrors"][0]["message"].to_string().contains("until: must be later than now"), "{refused}");
    }
    clear(&server, json!({"actorId": ada, "entry": "own/Q1", "until": in_seconds(15)})).await;
    // When the time is over the actor is screened, and nobody has to send anything.
    until_told(&server, &ada, &["HIT own/1", "HIT own/1"]).await;
    assert_eq!(observed(&server, &ada).await.len(), 2);
    // Filters have a present of whole seconds.
    let over = json!({"actorId": ada, "active": false});
    eventually("its time is over", Duration::from_secs(10), async || !cleared(&server, over.clone()).await.is_empty()).await;
    let shown = &cleared(&server, over).await[0];
    assert_eq!((&shown["active"], &shown["endedAt"]), (&json!(false), &Value::Null));
    jobs::none_left(&server).await;
}

fn payment(ids: &Ids, id: &str, name: &str) -> String {
    let plain = Payment { other: Other::Nobody, ..Payment::new(ids.of(id), ids.of("payer"), "nobody") }.text();
    plain.replace(r#"{"object":"EMPTY"}"#, &json!({"object": "INDIVIDUAL", "name": name}).to_string())
}

/// What the lists say of a payment's counterparty.
async fn paid(api: &Api, text: String) -> Value {
    let answer: Answer = api.post("/api/v2/transactions?operations=SANCTIONS", text).await.expect(200);
    answer.json()["screening_results"][0]["response"].take()
}

async fn a_counterparty_is_cleared_in_all_payments(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    listed(&server, 1, LIST).await;
    let is_told = async || paid(&server, payment(&ids, "first", "Ada Quill")).await == "HIT";
    eventually("the list is loaded", Duration::from_secs(180), is_told).await;
    let id = clear(&server, json!({"transactionId": ids.of("first"), "entry": "own/Q1"})).await;
    for (payment_id, name, expected) in
        [("first", "Ada Quill", "MISS"), ("second", "ADA  Quill", "MISS"), ("third", "Ada Quilla", "HIT"), ("fourth", "Orsolo Vantrek", "HIT")]
    {
        assert_eq!(paid(&server, payment(&ids, payment_id, name)).await, expected, "{payment_id}");
    }
    let query =
        "query($id: ID!) { transaction(id: $id) { screenings(first: 1) { edges { node { response cleared } } } observations { totalCount } } }";
    let data = server.graphql(query, json!({"id": ids.of("second")})).await;
    let shown = json!({"screenings": {"edges": [{"node": {"response": "MISS", "cleared": ["own/Q1"]}}]}, "observations": {"totalCount": 0}});
    assert_eq!(data["transaction"], shown);
    let listed = &cleared(&server, json!({"entry": "own/Q1"})).await[0];
    assert_eq!((&listed["actor"], &listed["partyName"]), (&Value::Null, &json!("Ada Quill")));
    unclear(&server, &id).await;
    assert_eq!(paid(&server, payment(&ids, "second", "Ada Quill")).await, "HIT");
    jobs::none_left(&server).await;
}

async fn what_can_not_be_cleared_is_said(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    listed(&server, 1, LIST).await;
    send(&server, &ids.of("ada"), json!({"name": "Ada Quill"})).await;
    send(&server, &ids.of("nameless"), json!({})).await;
    server.post("/api/v2/transactions", payment(&ids, "unnamed", "N/A")).await.expect(200);
    for (input, code, problem) in [
        (json!({"actorId": ids.of("ada"), "entry": "own/Q9"}), "INVALID", "entry: must be an entry"),
        (json!({"actorId": ids.of("ada"), "entry": "own/Q1", "reason": " "}), "INVALID", "reason: must be"),
        (json!({"actorId": ids.of("nobody"), "entry": "own/Q1"}), "NOT_FOUND", "no actor"),
        (json!({"actorId": ids.of("nameless"), "entry": "own/Q1"}), "INVALID", "names somebody"),
        (json!({"transactionId": ids.of("nothing"), "entry": "own/Q1"}), "NOT_FOUND", "no transaction"),
        (json!({"transactionId": ids.of("unnamed"), "entry": "own/Q1"}), "INVALID", "names somebody"),
        (json!({"entry": "own/Q1"}), "INVALID", "either actorId or transactionId"),
        (json!({"actorId": ids.of("ada"), "transactionId": ids.of("unnamed"), "entry": "own/Q1"}), "INVALID", "either actorId or transactionId"),
    ] {
        let refused = ask(&server, input.clone()).await;
        assert!(refused["clearedMatchId"].is_null() && refused["userErrors"][0]["code"] == code, "{input}: {refused}");
        assert!(refused["userErrors"][0]["message"].as_str().is_some_and(|message| message.contains(problem)), "{input}: {refused}");
    }
    let missing = unclear(&server, &ids.of("nothing")).await;
    assert_eq!(missing["userErrors"][0]["code"], "NOT_FOUND", "{missing}");
    // One of a list that is refused does not stop the others; the same key again is the same clearance.
    let many =
        "mutation($input: ClearMatchesInput!) { clearMatches(input: $input) { results { clearedMatchId userErrors { code } } userErrors { code } } }";
    let targets = json!([{"actorId": ids.of("ada"), "entry": "own/Q1"}, {"actorId": ids.of("ada"), "entry": "own/Q9"}]);
    let input = json!({"targets": targets, "reason": "another person", "idempotencyKey": ids.of("key")});
    let first = server.graphql(many, json!({"input": input})).await;
    let results = &first["clearMatches"]["results"];
    assert!(results[0]["clearedMatchId"].is_string() && results[1]["userErrors"][0]["code"] == "INVALID", "{first}");
    assert_eq!(server.graphql(many, json!({"input": input})).await, first);
    assert_eq!(cleared(&server, json!({"actorId": ids.of("ada")})).await.len(), 1);
    jobs::none_left(&server).await;
}
