//! Cases over REST: made, read and changed as the document says, with every fault told at once.

use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Answer, Api, Engine, Ids, Server, bulk, eventually, tests};

tests![both: a_case_is_made_with_defaults_and_read, a_case_is_made_of_everything, a_filing_begins_on_its_own_workflow, faults_of_a_create_request_are_told_at_once,
    the_same_request_makes_one_case, a_key_makes_one_case, an_update_appends_arrays_and_replaces_the_rest, updates_that_break_a_rule,
    the_earlier_form_links_communications, an_actor_is_added_with_its_record, custom_data_of_an_actor_has_at_most_10000_characters, ids_in_capitals_are_the_same, all_or_none_of_several_actors_are_updated, one_actor_is_updated,
    what_is_not_there_is_not_found, roles_decide_who_may];

const PATH: &str = "/api/cases";

/// Makes a case; answers with its path.
async fn made(api: &Api, body: &Value) -> String {
    let answer = api.post(PATH, body.to_string()).await.expect(200).json();
    format!("{PATH}/{}", answer["case_id"].as_str().expect("an id"))
}

async fn read(api: &Api, path: &str) -> Value {
    api.get(path).await.expect(200).json()
}

/// A retry of a request: the same, with the same key.
async fn keyed(api: &Api, key: &str, body: &str) -> Answer {
    api.send(api.posting(PATH, body).header("idempotency-key", key)).await
}

fn taken_without(mut case: Value, fields: &[&str]) -> Value {
    let object = case.as_object_mut().expect("an object");
    fields.iter().for_each(|field| drop(object.remove(*field)));
    case
}

async fn a_case_is_made_with_defaults_and_read(engine: Engine) {
    let server = Server::shared(engine);
    let path = made(&server, &json!({})).await;
    let case = read(&server, &path).await;
    assert_eq!(path, format!("{PATH}/{}", case["id"].as_str().expect("an id")));
    assert!(case["created_at"].is_string() && case["created_at"] == case["updated_at"], "{case}");
    let workflow = json!({"id": "default-analysis", "name": "Default analysis", "status": "TO_DO", "state": "OPEN", "type": "ANALYSIS",
        "step_id": "to-do", "version": 1});
    let wanted = json!({"workflow": workflow, "actors": [], "observations": [], "tags": [], "source": "API", "type": "ANALYSIS"});
    assert_eq!(taken_without(case, &["id", "created_at", "updated_at"]), wanted);
}

async fn a_case_is_made_of_everything(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let id = case_id();
    let (focal, other, observation) = (ids.of("focal"), ids.of("other"), ids.of("observation"));
    let body = json!({
        "id": id, "type": "ANALYSIS", "workflow_id": "default-analysis", "created_at": "2024-01-31T12:00:00.5Z",
        "actors": [{"id": other}, {"id": focal, "type": "FOCAL"}, {"id": other, "type": "CONNECTION"}], "focal_actor_id": focal,
        "observation_ids": [observation, observation], "metadata": {"a": 1},
        "communications": [{"communication_type": "email", "communication_id": ids.of("mail"), "subject": "Hello", "content": "…", "metadata": {}, "custom_data": {"x": 1}}, {"subject": "no id"}],
    });
    let body = body.to_string().replace(r#"{"a":1}"#, r#"{"a": 1.10}"#);
    assert_eq!(server.post(PATH, body).await.expect(200).json(), json!({"case_id": id}));
    let answer = server.get(&format!("{PATH}/{id}")).await.expect(200);
    assert!(answer.text.contains(r#""metadata":{"a": 1.10}"#), "numbers stay as they were written: {}", answer.text);
    let case = answer.json();
    assert_eq!(case["created_at"], json!("2024-01-31T12:00:00.500Z"));
    assert_eq!(case["actors"], json!([{"id": focal, "type": "FOCAL"}, {"id": other, "type": "CONNECTION"}]));
    assert_eq!(case["observations"], json!([{"id": observation}]));
    // Whom it names is there as a placeholder until its record comes.
    server.get(&format!("/api/actors/{focal}")).await.expect(404);
    let query = format!(
        "MATCH (c:`Case` {{id: '{id}'}})-[r]->(x) WITH type(r) AS link, x ORDER BY link, x.id RETURN link, x.name AS name, 'Placeholder' IN labels(x) AS unknown"
    );
    let links: Vec<(String, String, bool)> = server
        .cypher(&query)
        .into_iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().expect("a text").to_owned();
            (text("link"), text("name"), row["unknown"].as_bool().expect("a truth value"))
        })
        .collect();
    let mut wanted = vec![
        ("AT_STEP".to_owned(), "To do".to_owned(), false),
        ("CONCERNS".to_owned(), other, true),
        ("FOCUSES_ON".to_owned(), focal, true),
        ("HAS_COMMUNICATION".to_owned(), "Hello".to_owned(), false),
        ("HAS_COMMUNICATION".to_owned(), "no id".to_owned(), false),
        ("RAISED_FROM".to_owned(), observation, true),
    ];
    let mut links = links;
    wanted.sort();
    links.sort();
    assert_eq!(links, wanted);
}

async fn a_filing_begins_on_its_own_workflow(engine: Engine) {
    let server = Server::shared(engine);
    let path = made(&server, &json!({"type": "FILING"})).await;
    let case = read(&server, &path).await;
    assert_eq!((&case["type"], &case["workflow"]["id"], &case["workflow"]["step_id"]), (&json!("FILING"), &json!("default-filing"), &json!("to-do")));
}

async fn faults_of_a_create_request_are_told_at_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let wrong =
        json!({"id": "1", "type": "ALERT", "created_at": 5, "actors": [{"type": "X"}], "observation_ids": "o", "c__x": 1, "comunications": []});
    let places = server.post(PATH, wrong.to_string()).await.expect(422).places();
    assert_eq!(places, ["actors[0].id", "actors[0].type", "c__x", "comunications", "created_at", "id", "observation_ids", "type"]);
    assert_eq!(server.post(PATH, "{").await.expect(422).places(), ["body"]);
    assert_eq!(server.post(PATH, json!({"workflow_id": ids.of("unknown")}).to_string()).await.expect(422).places(), ["workflow_id"]);
    let actors = |count: usize| json!({"actors": (0..count).map(|at| json!({"id": ids.of(&format!("actor-{at}"))})).collect::<Vec<_>>()}).to_string();
    assert_eq!(server.post(PATH, actors(1001)).await.expect(422).places(), ["actors"]);
    let most = server.post(PATH, actors(1000)).await.expect(200).json();
    let case = read(&server, &format!("{PATH}/{}", most["case_id"].as_str().expect("an id"))).await;
    assert_eq!(case["actors"].as_array().map(Vec::len), Some(1000));
    // Of what it is raised from, and of what was written, each is another lock.
    let observations: Vec<String> = (0..10_001).map(|at| ids.of(&format!("observation-{at}"))).collect();
    assert_eq!(server.post(PATH, json!({"observation_ids": observations}).to_string()).await.expect(413).places(), ["body"]);
    // What is refused leaves nothing: the id is still free.
    let id = case_id();
    server.post(PATH, json!({"id": id, "workflow_id": ids.of("unknown")}).to_string()).await.expect(422);
    server.get(&format!("{PATH}/{id}")).await.expect(404);
    made(&server, &json!({"id": id})).await;
}

async fn the_same_request_makes_one_case(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = case_id();
    let body = json!({"id": id, "actors": [{"id": ids.of("actor"), "type": "FOCAL"}]});
    let path = made(&server, &body).await;
    let before = read(&server, &path).await;
    for again in [body.to_string(), serde_json::to_string_pretty(&body).expect("JSON")] {
        assert_eq!(server.post(PATH, again).await.expect(200).json(), json!({"case_id": id}));
    }
    assert_eq!(read(&server, &path).await, before, "sent again it changes nothing");
    assert_eq!(server.post(PATH, json!({"id": id}).to_string()).await.expect(422).places(), ["id"]);
    // Many at once make one.
    let id = case_id();
    let body = json!({"id": id, "actors": [{"id": ids.of("actor")}]}).to_string();
    let answers = futures::future::join_all((0..8).map(|_| server.post(PATH, body.clone()))).await;
    answers.into_iter().for_each(|answer| drop(answer.expect(200)));
    let case = read(&server, &format!("{PATH}/{id}")).await;
    assert_eq!(case["actors"], json!([{"id": ids.of("actor"), "type": "CONNECTION"}]));
}

async fn a_key_makes_one_case(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let first = keyed(&server, &ids.of("key"), "{}").await.expect(200);
    let again = keyed(&server, &ids.of("key"), "{}").await.expect(200);
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
    assert_eq!(keyed(&server, &ids.of("key"), r#"{"type":"FILING"}"#).await.expect(422).places(), ["idempotency-key"]);
    let other = keyed(&server, &ids.of("other-key"), "{}").await.expect(200);
    assert_ne!(other.text, first.text);
}

async fn an_update_appends_arrays_and_replaces_the_rest(engine: Engine) {
    let (mut server, _) = (Server::start(engine), ());
    let path = made(&server, &json!({})).await;
    let update = async |body: &str| {
        let answer = server.patch(&path, body).await.expect(200);
        assert_eq!((answer.text.as_str(), answer.header("content-type")), ("OK", "text/plain; charset=utf-8"));
    };
    update(r#"{"resolution":"open","c__list":[1.0],"c__text":"x","c__number":1.50,"c__whole":7,"c__said":true,"c__object":{"a":1}}"#).await;
    update(r#"{"c__list":[ 2e1 , {"b":null}],"c__object":{"c":2},"c__text":"y"}"#).await;
    let text = server.get(&path).await.expect(200).text;
    for part in [r#""resolution":"open""#, r#""c__list":[1.0,2e1 , {"b":null}]"#, r#""c__object":{"c":2}"#, r#""c__text":"y""#, r#""c__number":1.50"#]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    // A resolution of any type; an array goes behind an array.
    for (given, wanted) in
        [(r#"{"value":1.0}"#, r#"{"value":1.0}"#), ("[1]", "[1]"), ("[2.0]", "[1,2.0]"), ("7", "7"), ("false", "false"), (r#""null""#, r#""null""#)]
    {
        update(&format!(r#"{{"resolution":{given}}}"#)).await;
        let text = server.get(&path).await.expect(200).text;
        assert!(text.contains(&format!(r#""resolution":{wanted}"#)), "{given}: {text}");
    }
    // Who looks at the graph sees scalars; what is none any more is gone from there.
    update(r#"{"c__said":[1]}"#).await;
    update("{}").await;
    let id = path.rsplit('/').next().expect("an id").to_owned();
    let query = format!(
        "MATCH (c:`Case` {{id: '{id}'}}) RETURN c.c__text AS text, c.c__number AS number, c.c__whole AS whole, c.c__said AS said, c.version AS version"
    );
    let shown = server.cypher(&query);
    // Made, changed twice, resolved six times, changed once; nothing is no change.
    assert_eq!(shown, [json!({"text": "y", "number": 1.5, "whole": 7, "said": null, "version": 10})]);
}

async fn updates_that_break_a_rule(engine: Engine) {
    let server = Server::shared(engine);
    let path = made(&server, &json!({})).await;
    let wrong = server.patch(&path, r#"{"resolutoin":1,"c__":1,"status":"CLOSED"}"#).await.expect(400);
    assert_eq!(wrong.places(), ["c__", "resolutoin", "status"]);
    assert!(wrong.text.contains(r#"did you mean \"resolution\"?"#), "{}", wrong.text);
    server.patch(&path, "[").await.expect(400);
    server.patch(&path, "[]").await.expect(400);
    server.patch(&format!("{path}?x=1"), "{}").await.expect(400);
    assert!(read(&server, &path).await["resolution"].is_null());
}

async fn the_earlier_form_links_communications(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let path = made(&server, &json!({})).await;
    let (named, told) = (ids.of("named"), ids.of("told"));
    let body = json!({"communication_ids": [named, told, named], "communications": [{"id": told, "created_at": "2024-01-31T00:00:00Z",
        "sent_at": "2024-01-31T00:00:01Z", "subject": "Hello", "sender_id": "somebody"}]});
    let id = path.rsplit('/').next().expect("an id").to_owned();
    for _ in 0..2 {
        let answer = server.put(&path, body.to_string()).await.expect(200).json();
        assert_eq!(answer, json!({"case_id": id, "communicationIds": [named, told]}));
    }
    let wrong = server.put(&path, r#"{"communication_ids":[""],"communications":[{"sent_at":1}],"c__x":1}"#).await.expect(422);
    assert_eq!(wrong.places(), ["c__x", "communication_ids[0]", "communications[0].id", "communications[0].sent_at"]);
    server.put(&path, "{").await.expect(422);
    let query = format!(
        "MATCH (:`Case` {{id: '{id}'}})-[r:HAS_COMMUNICATION]->(m) WITH m, count(r) AS links ORDER BY m.id RETURN m.name AS name, m.senderId AS sender, m.sentAt AS sent, links"
    );
    let wanted = [
        json!({"name": named, "sender": null, "sent": null, "links": 1}),
        json!({"name": "Hello", "sender": "somebody", "sent": 1_706_659_201_000_i64, "links": 1}),
    ];
    assert_eq!(server.cypher(&query), wanted);
}

fn bulk_actor(id: &str) -> Value {
    json!({"id": id, "type": "LEGAL_ENTITY", "as_of_date": "2024-01-31", "name": "A company"})
}

/// A UUID is the same however its letters are written (RFC 9562, section 4).
async fn ids_in_capitals_are_the_same(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, mail) = (case_id(), case_id());
    let made = server.post(PATH, json!({"id": id.to_uppercase()}).to_string()).await.expect(200).json();
    assert_eq!(made, json!({"case_id": id}));
    let again = server.post(PATH, json!({"id": id}).to_string()).await.expect(200).json();
    assert_eq!(again, made, "the same case, not another");
    let path = format!("{PATH}/{}", id.to_uppercase());
    assert_eq!(read(&server, &path).await["id"], json!(id));
    let message = |id: &str, subject: &str| json!({"id": id, "type": "email", "receiver_id": "r", "sender_id": "s", "subject": subject}).to_string();
    for (written, subject) in [(mail.to_uppercase(), "first"), (mail.clone(), "second")] {
        server.post(&format!("{path}/communications"), message(&written, subject)).await.expect(200);
    }
    let query = "query($id: ID!) { case(id: $id) { id communications { edges { node { id subject } } } } }";
    let shown = server.graphql(query, json!({"id": id.to_uppercase()})).await;
    assert_eq!(shown["case"], json!({"id": id, "communications": {"edges": [{"node": {"id": mail, "subject": "second"}}]}}));
    // In bulk: an id that is known is that case, and its resolution is written.
    bulk::taken(&server, &ids.of("request"), &json!({"cases": [{"id": id.to_uppercase(), "resolution": "done"}]})).await;
    bulk::eventually_is(&server, &id, "COMPLETED").await;
    eventually("the case is resolved", bulk::SOON, async || read(&server, &path).await["resolution"] == "done").await;
    let log = format!("/api/audit_logs?startDate=2024-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&limit=1&caseId={}", id.to_uppercase());
    assert_eq!(server.get(&log).await.expect(200).json()["values"].as_array().map(Vec::len), Some(1));
    // Ids that are no UUIDs are as they were given.
    let (actor, capitals) = (ids.of("actor"), ids.of("actor").to_uppercase());
    server.post(&format!("{path}/actors"), json!({"actor": bulk_actor(&actor)}).to_string()).await.expect(200);
    server.get(&format!("/api/actors/{capitals}")).await.expect(404);
}

async fn an_actor_is_added_with_its_record(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let path = made(&server, &json!({})).await;
    let actors = format!("{path}/actors");
    let id = ids.of("actor");
    let body = json!({"actor": bulk_actor(&id), "type": "FOCAL", "custom_data": {"a": 1}});
    for _ in 0..2 {
        assert_eq!(server.post(&actors, body.to_string()).await.expect(200).json(), json!({"id": id, "type": "FOCAL"}));
    }
    assert_eq!(server.get(&format!("/api/actors/{id}")).await.expect(200).json()["name"], json!("A company"));
    assert_eq!(read(&server, &path).await["actors"], json!([{"id": id, "type": "FOCAL"}]));
    let shown = server.graphql("query($id: ID!) { actor(id: $id) { cases { edges { customData } } } }", json!({"id": id})).await;
    assert_eq!(shown["actor"]["cases"]["edges"], json!([{"customData": {"a": 1}}]));
    // Its type is what was said last; what nothing was said of stays.
    server.patch(&format!("{actors}/{id}"), r#"{"c__x":1.0}"#).await.expect(200);
    server.post(&actors, json!({"actor": bulk_actor(&id)}).to_string()).await.expect(200);
    server.post(&actors, json!({"actor": bulk_actor(&id), "type": "CONNECTION"}).to_string()).await.expect(200);
    let text = server.get(&path).await.expect(200).text;
    assert!(text.contains(&format!(r#""actors":[{{"id":"{id}","type":"CONNECTION","c__x":1.0}}]"#)), "{text}");

    let wrong = json!({"actor": {"id": id, "asOfDate": "2024-01-31"}, "type": "X", "custom_data": [], "c__x": 1});
    let places = server.post(&actors, wrong.to_string()).await.expect(422).places();
    assert_eq!(places, ["actor.asOfDate", "actor.as_of_date", "actor.type", "c__x", "custom_data", "type"]);
    let late = json!({"actor": {"id": id, "type": "INDIVIDUAL", "as_of_date": "2204-01-31"}});
    assert_eq!(server.post(&actors, late.to_string()).await.expect(422).places(), ["actor.as_of_date"]);
    server.post(&actors, "{").await.expect(400);

    let answering = |rfd: &str| server.send(server.posting(&actors, body.to_string()).header("service-rfd-id", rfd));
    assert_eq!(answering("none").await.expect(400).places(), ["service-rfd-id"]);
    assert_eq!(answering(&case_id()).await.expect(422).places(), ["service-rfd-id"]);
    // Both or neither: there is no such case, and so no actor.
    let (nowhere, nobody) = (format!("{PATH}/{}/actors", case_id()), ids.of("nobody"));
    server.post(&nowhere, json!({"actor": bulk_actor(&nobody)}).to_string()).await.expect(404);
    server.get(&format!("/api/actors/{nobody}")).await.expect(404);
}

/// Of what is taken nothing is lost. No operation reads it.
async fn custom_data_of_an_actor_has_at_most_10000_characters(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let path = made(&server, &json!({})).await;
    // However it is laid out.
    let data = |count: usize| format!(r#"{{ "a" : "{}" }}"#, "x".repeat(count - r#"{"a":""}"#.len()));
    let body = |data: &str| json!({"actor": bulk_actor(&ids.of("actor"))}).to_string().replacen('{', &format!(r#"{{"custom_data":{data},"#), 1);
    assert_eq!(server.post(&format!("{path}/actors"), body(&data(10_001))).await.expect(422).places(), ["custom_data"]);
    assert_eq!(read(&server, &path).await["actors"], json!([]));
    server.post(&format!("{path}/actors"), body(&data(10_000))).await.expect(200);
    let rows = server.cypher(&format!("MATCH (:`Case`)-[r:CONCERNS]->(a:Actor {{id: '{}'}}) RETURN r.customData AS kept", ids.of("actor")));
    assert_eq!(rows, [json!({"kept": data(10_000)})]);
}

async fn all_or_none_of_several_actors_are_updated(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (a, b) = (ids.of("a"), ids.of("b"));
    let path = made(&server, &json!({"actors": [{"id": a}, {"id": b}]})).await;
    let actors = format!("{path}/actors");
    let list = json!([{"actor_id": a, "properties": {"c__l": [1], "c__s": "x"}}, {"actor_id": b, "properties": {"c__s": "y"}}, {"actor_id": a, "properties": {"c__l": [2]}}]);
    assert_eq!(server.patch(&actors, list.to_string()).await.expect(200).text, "OK");
    let wanted = json!([{"id": a, "type": "CONNECTION", "c__l": [1, 2], "c__s": "x"}, {"id": b, "type": "CONNECTION", "c__s": "y"}]);
    assert_eq!(read(&server, &path).await["actors"], wanted);
    let strange = json!([{"actor_id": a, "properties": {"c__s": "z"}}, {"actor_id": ids.of("strange"), "properties": {}}]);
    assert_eq!(server.patch(&actors, strange.to_string()).await.expect(400).places(), ["[1].actor_id"]);
    let wrong = json!([{"actor_id": a, "properties": {"risk": 1}, "x": 1}, {"properties": []}]);
    assert_eq!(
        server.patch(&actors, wrong.to_string()).await.expect(400).places(),
        ["[0].properties.risk", "[0].x", "[1].actor_id", "[1].properties"]
    );
    let many: Vec<Value> = (0..1001).map(|_| json!({"actor_id": a, "properties": {}})).collect();
    assert_eq!(server.patch(&actors, json!(many).to_string()).await.expect(400).places(), ["body"]);
    assert_eq!(read(&server, &path).await["actors"], wanted, "what is refused changes nothing");
}

async fn one_actor_is_updated(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("actor");
    let path = made(&server, &json!({"actors": [{"id": id, "type": "FOCAL"}]})).await;
    let actor = format!("{path}/actors/{id}");
    assert_eq!(server.patch(&actor, r#"{"c__a":1.0,"c__l":["x"]}"#).await.expect(200).text, "OK");
    server.patch(&actor, r#"{"c__l":["y"]}"#).await.expect(200);
    let text = server.get(&path).await.expect(200).text;
    assert!(text.contains(r#""type":"FOCAL","c__a":1.0,"c__l":["x","y"]"#), "{text}");
    assert_eq!(server.patch(&actor, r#"{"decision":"x","c__":1}"#).await.expect(400).places(), ["c__", "decision"]);
    server.patch(&format!("{path}/actors/{}", ids.of("strange")), r#"{"c__a":1}"#).await.expect(404);
}

async fn what_is_not_there_is_not_found(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let nowhere = format!("{PATH}/{}", case_id());
    server.get(&nowhere).await.expect(404);
    server.patch(&nowhere, r#"{"c__a":1}"#).await.expect(404);
    server.put(&nowhere, json!({"communication_ids": [ids.of("m")]}).to_string()).await.expect(404);
    server.patch(&format!("{nowhere}/actors"), json!([{"actor_id": "a", "properties": {"c__a": 1}}]).to_string()).await.expect(404);
    server.patch(&format!("{nowhere}/actors/a"), r#"{"c__a":1}"#).await.expect(404);
    let wrong = server.delete(&nowhere).await.expect(405);
    assert!(["GET", "PUT", "PATCH"].iter().all(|method| wrong.header("allow").contains(method)), "{}", wrong.header("allow"));
}

async fn roles_decide_who_may(engine: Engine) {
    let server = Server::shared(engine);
    let of_role = async |role: &str| {
        let key = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        server.with_key(key["key"].as_str().expect("a key"))
    };
    let mut last = None;
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "ADMIN"] {
        let api = of_role(role).await;
        let path = made(&api, &json!({})).await;
        api.patch(&path, r#"{"c__a":1}"#).await.expect(200);
        api.get(&path).await.expect(200);
        last = Some(path);
    }
    let (auditor, path) = (of_role("AUDITOR").await, last.expect("a case"));
    auditor.get(&path).await.expect(200);
    auditor.post(PATH, "{}").await.expect(403);
    auditor.patch(&path, r#"{"c__a":2}"#).await.expect(403);
    server.anonymous().get(&path).await.expect(401);
}
