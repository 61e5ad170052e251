//! Cases of bulk requests that are there already: what they gain, what they wait for, and what wakes them.

use std::time::Duration;

use futures::future::join_all;
use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::bulk::{SOON, arrived, bulk_payment, eventually_is, taken};
use crate::support::case_work::{done, made};
use crate::support::fixtures::{actor, case_id, with};
use crate::support::observations::observation;
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

tests![
    both: a_case_that_is_there_gains_what_it_has_not, a_case_that_is_there_waits_only_for_what_it_will_gain, type_and_workflow_of_a_case_stay,
    a_case_that_is_there_is_not_said_to_have_failed, what_waited_does_not_replace_what_was_said_after_it,
    whatever_brings_a_communication_wakes_who_waits_for_it, what_waited_does_not_replace_what_came_out,
    of_two_that_come_late_the_later_is_the_present, the_same_text_again_is_the_latest, a_newer_case_outlives_an_older_one_that_waited_too_long
];

const LINKED: &str = "query($id: ID!) { case(id: $id) { version metadata actors { edges { type node { id } } } observations { edges { node { id } } }
    communications { edges { node { id subject known } } } } }";

async fn shown(api: &Api, case: &str) -> Value {
    api.graphql(LINKED, json!({"id": case})).await["case"].take()
}

fn ids_of(page: &Value) -> Vec<String> {
    let id = |edge: &Value| edge["node"]["id"].as_str().expect("an id").to_owned();
    let mut ids: Vec<String> = page["edges"].as_array().expect("edges").iter().map(id).collect();
    ids.sort();
    ids
}

async fn a_case_that_is_there_gains_what_it_has_not(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let [a, b, c] = ["a", "b", "c"].map(|name| ids.of(name));
    for id in [&a, &b, &c] {
        server.post("/api/actors", actor(id).to_string()).await.expect(200);
    }
    for name in ["o1", "o2"] {
        server.post("/api/observations", observation(&ids.of(name)).to_string()).await.expect(200);
    }
    let case = made(&server, json!({"actors": [{"id": a}, {"id": b}], "observation_ids": [ids.of("o1")], "metadata": {"m": 1}})).await;
    server.patch(&format!("/api/cases/{case}/actors/{b}"), r#"{"c__risk": "high"}"#).await.expect(200);
    let letter = case_id();
    let body = json!({
        "communications": [{"id": letter, "type": "email", "subject": "Letter"}],
        "cases": [{"id": case, "actors": [{"id": a}, {"id": b, "type": "FOCAL"}, {"id": c}], "focal_actor_id": b, "observation_ids": [ids.of("o2"), ids.of("o1")],
            "communication_ids": [letter], "communications": [{"subject": "Own"}, {"communication_id": ids.of("told"), "subject": "Told"}],
            "metadata": {"m": 2}, "resolution": "done", "c__x": 1, "created_at": "2024-01-31T12:00:00Z"}]
    });
    taken(&server, &ids.of("first"), &body).await;
    eventually_is(&server, &case, "COMPLETED").await;
    let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    let actors = json!([{"id": b, "type": "FOCAL", "c__risk": "high"}, {"id": a, "type": "CONNECTION"}, {"id": c, "type": "CONNECTION"}]);
    assert_eq!((&read["actors"], &read["metadata"]), (&actors, &json!({"m": 2})), "what the case says of an actor goes along");
    assert_eq!((&read["resolution"], &read["c__x"], &read["created_at"]), (&json!("done"), &json!(1), &json!("2024-01-31T12:00:00Z")));
    assert_eq!(read["observations"], json!([{"id": ids.of("o1")}, {"id": ids.of("o2")}]));
    let graph = shown(&server, &case).await;
    let mut subjects: Vec<&str> =
        graph["communications"]["edges"].as_array().expect("edges").iter().filter_map(|edge| edge["node"]["subject"].as_str()).collect();
    subjects.sort_unstable();
    assert_eq!(subjects, ["Letter", "Own", "Told"]);
    assert_eq!(graph["version"], 3, "it is one change");
    // A communication without an id is another one when its words are others, and the same when they are the same, wherever it stands.
    let more = json!({"cases": [{"id": case, "communications": [{"subject": "More"}, {"subject": "Own"}]}]});
    taken(&server, &ids.of("second"), &more).await;
    let own = async || shown(&server, &case).await["communications"]["edges"].as_array().map(Vec::len) == Some(4);
    eventually("it has one more", SOON, own).await;
    assert_eq!(shown(&server, &case).await["version"], 4);
    taken(&server, &ids.of("third"), &more).await;
    taken(&server, &ids.of("last"), &json!({"cases": [{"id": case, "c__last": true}]})).await;
    eventually("the last is done", SOON, async || shown(&server, &case).await["version"] == 5).await;
}

async fn a_case_that_is_there_waits_only_for_what_it_will_gain(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    // Those that it has are placeholders: nobody has sent their records, and the case is not to wait for them.
    let (had, late) = (ids.of("had"), ids.of("late"));
    let observed = ids.of("observation");
    let case = made(&server, json!({"actors": [{"id": had}], "observation_ids": [observed]})).await;
    server.put(&format!("/api/cases/{case}"), json!({"communication_ids": [ids.of("m")]}).to_string()).await.expect(200);
    let item = json!({"id": case, "actors": [{"id": had, "type": "FOCAL"}], "observation_ids": [observed], "communication_ids": [ids.of("m")],
        "workflow_id": "default-analysis", "resolution": "now"});
    taken(&server, &ids.of("first"), &json!({"cases": [item.clone()]})).await;
    let status = eventually_is(&server, &case, "COMPLETED").await;
    assert_eq!(status["attempts"], 1, "{status}");
    let more = json!({"actors": [{"id": late}, {"id": had}], "observation_ids": [ids.of("o9"), observed], "resolution": "later"});
    taken(&server, &ids.of("second"), &json!({"cases": [with(item, more)]})).await;
    let status = eventually_is(&server, &case, "DEFERRED").await;
    let missing = &status["missing_relations"];
    assert_eq!((&missing["actors"], &missing["observations"]), (&json!([late]), &json!([ids.of("o9")])));
    assert_eq!((&missing["communications"], &missing["workflow"]), (&json!([]), &json!([])));
    server.post("/api/actors", actor(&late).to_string()).await.expect(200);
    server.post("/api/observations", observation(&ids.of("o9")).to_string()).await.expect(200);
    eventually_is(&server, &case, "COMPLETED").await;
    let graph = shown(&server, &case).await;
    let mut wanted = [vec![had, late], vec![observed, ids.of("o9")]];
    wanted.iter_mut().for_each(|ids| ids.sort());
    assert_eq!([ids_of(&graph["actors"]), ids_of(&graph["observations"])], wanted);
}

async fn type_and_workflow_of_a_case_stay(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = made(&server, json!({})).await;
    let item = json!({"id": case, "type": "FILING", "workflow_id": ids.of("none"), "resolution": "done"});
    taken(&server, &ids.of("wrong"), &json!({"cases": [item]})).await;
    eventually_is(&server, &case, "FAILED").await;
    let query = "query($id: ID!) { bulkItems(filter: {subject: $id}) { edges { node { state reasons } } } }";
    let items = server.graphql(query, json!({"id": case})).await;
    let faults = items["bulkItems"]["edges"][0]["node"]["reasons"].as_array().expect("faults").clone();
    let places: Vec<&str> = faults.iter().filter_map(|fault| fault.as_str()?.split(':').next()).collect();
    assert_eq!(places, ["type", "workflow_id"], "{faults:?}");
    let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&read["type"], read.get("resolution")), (&json!("ANALYSIS"), None), "nothing half done");
    assert_eq!(shown(&server, &case).await["version"], 1);
}

async fn a_case_that_is_there_is_not_said_to_have_failed(engine: Engine) {
    // Of its own: on a store that is shared the worker of another server, which waits for longer, may be the one that looks at it.
    let (server, ids) = (Server::with(crate::support::Store::private(engine), &[("AMLGRAPH_BULK__DEFER_FOR", "1s")]), Ids::new());
    let case = made(&server, json!({})).await;
    taken(&server, &ids.of("request"), &json!({"cases": [{"id": case, "actors": [{"id": ids.of("never")}]}]})).await;
    eventually_is(&server, &case, "FAILED").await;
    let query = "query($id: ID!) { case(id: $id) { version events { edges { node { name } } } } }";
    let wanted = json!({"version": 1, "events": {"edges": [{"node": {"name": "case.created"}}]}});
    assert_eq!(server.graphql(query, json!({"id": case})).await["case"], wanted, "a case that is there was not failed to be made");
}

async fn what_waited_does_not_replace_what_was_said_after_it(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (case, other, letter) = (made(&server, json!({})).await, made(&server, json!({})).await, case_id());
    let connection = json!({"actor": {"id": ids.of("a"), "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}, "type": "CONNECTION"});
    server.post(&format!("/api/cases/{case}/actors"), connection.to_string()).await.expect(200);
    let item = json!({"id": case, "c__x": 1, "c__only_here": 1, "metadata": {"m": 1}, "actors": [{"id": ids.of("a"), "type": "FOCAL"}],
        "observation_ids": [ids.of("late")], "communications": [{"communication_id": letter, "subject": "Old", "content": "only here"}]});
    taken(&server, &ids.of("request"), &json!({"cases": [item]})).await;
    let status = async || server.get(&format!("/api/bulk/cases/{case}/status")).await.expect(200).json()["status"].clone();
    eventually("it waits", SOON, async || status().await == "DEFERRED").await;
    server.patch(&format!("/api/cases/{case}"), r#"{"c__x":2}"#).await.expect(200);
    server.post(&format!("/api/cases/{case}/actors"), connection.to_string()).await.expect(200);
    let newer = json!({"id": letter, "type": "email", "sender_id": "s", "receiver_id": "r", "subject": "New"});
    server.post(&format!("/api/cases/{other}/communications"), newer.to_string()).await.expect(200);
    server.post("/api/observations", observation(&ids.of("late")).to_string()).await.expect(200);
    eventually("it is written", SOON, async || status().await == "COMPLETED").await;
    let query = "query($id: ID!) { case(id: $id) { customProperties metadata actors { edges { type } } observations { totalCount }
        communications { edges { node { subject content } } } } }";
    let found = server.graphql(query, json!({"id": case})).await["case"].clone();
    let custom = found["customProperties"].to_string();
    assert!(custom.contains(r#""c__x":2"#) && custom.contains(r#""c__only_here":1"#), "{custom}");
    assert_eq!(found["actors"]["edges"], json!([{"type": "CONNECTION"}]));
    assert_eq!(found["observations"]["totalCount"], 1);
    assert_eq!(found["communications"]["edges"], json!([{"node": {"subject": "New", "content": null}}]), "the newer one is of the whole");
    assert!(found["metadata"].to_string().contains('1'), "{found}");
}

/// Makes a case wait for an observation that does not come yet, in the order of the items.
async fn waits(server: &Server, ids: &Ids, case: &str, item: Value) {
    taken(server, &ids.of("waiting"), &json!({"cases": [with(item, json!({"id": case, "observation_ids": [ids.of("late")]}))]})).await;
    eventually_is(server, case, "DEFERRED").await;
}

async fn what_it_waits_for_comes(server: &Server, ids: &Ids) {
    server.post("/api/observations", observation(&ids.of("late")).to_string()).await.expect(200);
}

async fn what_waited_does_not_replace_what_came_out(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let case = made(&server, json!({})).await;
    waits(&server, &ids, &case, json!({"resolution": "from a file", "c__only_here": 1})).await;
    done(&server, "closeCase", json!({"caseId": case, "resolution": "TRUE_POSITIVE"})).await;
    what_it_waits_for_comes(&server, &ids).await;
    eventually_is(&server, &case, "COMPLETED").await;
    let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&read["resolution"], &read["c__only_here"]), (&json!("TRUE_POSITIVE"), &json!(1)), "{read}");
}

async fn of_two_that_come_late_the_later_is_the_present(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let case = case_id();
    let said = |at: u32| json!({"resolution": format!("r{at}"), "metadata": {"m": at}, "c__x": at, "actors": [{"id": ids.of("a")}]});
    server.post("/api/actors", actor(&ids.of("a")).to_string()).await.expect(200);
    waits(&server, &ids, &case, said(1)).await;
    taken(&server, &ids.of("second"), &json!({"cases": [with(said(2), json!({"id": case}))]})).await;
    let query = "query($id: ID!) { bulkItems(filter: {subject: $id, state: DEFERRED}) { totalCount } }";
    let waiting = async || server.graphql(query, json!({"id": case})).await["bulkItems"]["totalCount"].clone();
    eventually("both wait", SOON, async || waiting().await == 2).await;
    // It says nothing of what both say.
    made(&server, json!({"id": case})).await;
    what_it_waits_for_comes(&server, &ids).await;
    eventually("both are written", SOON, async || waiting().await == 0).await;
    let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&read["resolution"], &read["metadata"], &read["c__x"]), (&json!("r2"), &json!({"m": 2}), &json!(2)), "{read}");
}

async fn the_same_text_again_is_the_latest(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let case = case_id();
    let item = json!({"cases": [{"id": case, "c__x": 1, "c__list": ["a"], "resolution": ["x"], "communications": [{"subject": "Own"}]}]});
    taken(&server, &ids.of("first"), &item).await;
    let x = async || {
        let answer = server.get(&format!("/api/cases/{case}")).await;
        if answer.status == 200 { answer.json()["c__x"].clone() } else { Value::Null }
    };
    eventually("it is made", SOON, async || x().await == 1).await;
    server.patch(&format!("/api/cases/{case}"), r#"{"c__x":2}"#).await.expect(200);
    taken(&server, &ids.of("again"), &item).await;
    eventually("it is said again", SOON, async || x().await == 1).await;
    assert_eq!(ids_of(&shown(&server, &case).await["communications"]).len(), 1, "what has no id is not doubled");
    let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&read["c__list"], &read["resolution"]), (&json!(["a"]), &json!(["x"])), "nor what arrays have");
}

async fn a_newer_case_outlives_an_older_one_that_waited_too_long(engine: Engine) {
    let server = Server::with(crate::support::Store::private(engine), &[("AMLGRAPH_BULK__DEFER_FOR", "1s")]);
    let (ids, case) = (Ids::new(), case_id());
    let cases = json!([{"id": case, "c__x": 1, "actors": [{"id": ids.of("never")}]}, {"id": case, "c__x": 2}]);
    let payments = json!([
        with(bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l")), json!({"channel_location_id": ids.of("never")})),
        bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l"))
    ]);
    taken(&server, &ids.of("request"), &json!({"cases": cases, "transactions": payments})).await;
    assert_eq!(arrived(&server, &format!("/api/cases/{case}")).await["c__x"], 2);
    arrived(&server, &format!("/api/v2/transactions/{}", ids.of("t"))).await;
}

/// At once, and not when its time has come: how long it would have waited it says itself.
async fn whatever_brings_a_communication_wakes_who_waits_for_it(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let other = made(&server, json!({})).await;
    let (server, ids, other) = (&server, &ids, &other);
    // Each of its own time, all at once.
    join_all(["POST", "PUT", "create", "bulk", "bulk-case"].map(|door| woken_by(server, ids, other, door))).await;
}

async fn woken_by(server: &Server, ids: &Ids, other: &str, door: &str) {
    let (case, letter) = (case_id(), case_id());
    taken(server, &ids.of(&format!("waits-for-{door}")), &json!({"cases": [{"id": case, "communication_ids": [letter]}]})).await;
    let status = async || server.get(&format!("/api/bulk/cases/{case}/status")).await.expect(200).json();
    // The next try is due 40 s after the fourth: however slow the machine, what comes meanwhile is what woke it.
    eventually("it was tried four times", Duration::from_secs(240), async || status().await["attempts"] == 4).await;
    let due = status().await["deferred_until"].clone();
    match door {
        "POST" => {
            let body = json!({"id": letter, "type": "email", "sender_id": "s", "receiver_id": "r", "subject": "Hello"});
            server.post(&format!("/api/cases/{other}/communications"), body.to_string()).await.expect(200);
        }
        "PUT" => {
            server.put(&format!("/api/cases/{other}"), json!({"communications": [{"id": letter}]}).to_string()).await.expect(200);
        }
        "create" => {
            made(server, json!({"communications": [{"communication_id": letter, "subject": "Hello"}]})).await;
        }
        "bulk" => {
            let body = json!({"communications": [{"id": letter, "type": "email", "subject": "Hello"}]});
            taken(server, &ids.of(door), &body).await;
        }
        _ => {
            let body = json!({"cases": [{"id": other, "communications": [{"communication_id": letter, "subject": "Hello"}]}]});
            taken(server, &ids.of(door), &body).await;
        }
    }
    let done = eventually_is(server, &case, "COMPLETED").await;
    let at = |value: &Value| Timestamp::parse(value.as_str().expect("a time")).expect("a time");
    assert!(at(&done["processed_at"]) < at(&due), "{door}: {done}, {due}");
}
