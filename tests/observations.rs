//! Observations: taken, read and linked as the document says, and followed through the graph.

use serde_json::{Value, json};

use crate::support::bulk;
use crate::support::fixtures::{NOON, Payment, actor, with};
use crate::support::observations::{PATH, observation, paid, read, taken};
use crate::support::{Answer, Engine, Ids, Server, Store, command, eventually, tests};

tests![both: an_observation_is_taken_and_read, everything_is_read_as_it_was_given, faults_are_told_at_once, the_same_id_again_is_an_update,
    a_folder_of_them_is_imported, actors_are_linked_to_an_observation, cases_are_created_from_observations_of_all_types_but_alert_aml,
    a_key_takes_one_observation, one_that_a_case_has_named_becomes_real_in_place, an_investigator_can_follow_it, graphql_shows_and_lists_them,
    roles_decide_who_may, what_somebody_else_has_said_of_an_actor_stays; embedded: a_score_is_from_0_to_1];

fn nothing_missing() -> Value {
    json!({"caseIds": [], "observationFailedFinalization": []})
}

async fn an_observation_is_taken_and_read(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("observation");
    assert_eq!(taken(&server, observation(&id)).await, nothing_missing());
    let mut stored = read(&server, &id).await;
    let mut text = |name: &str| stored.as_object_mut().expect("an object").remove(name).filter(Value::is_string).is_some();
    assert!(text("internalId") && text("ingestDate") && text("submitterInternalId"));
    assert_eq!(stored, with(observation(&id), json!({"actors": [], "finalized": true})));
    server.get(&format!("{PATH}/{}", ids.of("nothing"))).await.expect(404);
    server.get(&format!("{PATH}/{id}?x=1")).await.expect(400);
}

async fn everything_is_read_as_it_was_given(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    let given = json!({"id": id, "type": "ALERT_AML_V2", "behaviorId": "b", "behaviorName": "B", "date": NOON, "title": "Odd", "transactionIds": [of("t2"), of("t1")],
        "actors": [{"actorId": of("b")}, {"actorId": of("a"), "primary": true}], "features": [{"group": "g", "items": [{"name": "n", "value": [1, "x"]}]}],
        "rules": [{"id": of("rule"), "name": "Rule", "status": "HIT", "score": 7, "date": NOON, "custom_data": {"x": 1}, "conditions": [{"id": "c", "matched": true}]}],
        "batchId": "1", "behaviorDescription": "…", "taxonomyDescription": "…", "priority": "HIGH", "programGroup": "p", "label": "l", "version": "3",
        "btlFlag": false, "businessDate": "2024-06-13", "businessDateStart": "2024-06-12T00:00:00Z", "businessDateEnd": "2024-06-13T00:00:00Z",
        "detectionDate": "2024-06-13T01:00:00Z", "decisionTree": ["a", "b"], "rule": ["r"], "score": 0.5, "rank": 3,
        "associatedLegalEntity": [of("entity"), {"id": of("other"), "name": "Other"}], "submitter": {"id": "s", "displayName": "S", "username": "s"},
        "customData": {"x": 1}, "metadata": {"y": 2}, "references": [{"id": "r", "systemName": "crm"}], "dataSource": "d",
        "classification": {"c": 1}, "accessClassification": {"a": 1}});
    let text = given.to_string().replace(r#""score":0.5"#, r#""score":0.50"#).replace(r#"{"x":1}"#, r#"{"x": 1.10}"#);
    server.post(PATH, text).await.expect(200);
    let answer = server.get(&format!("{PATH}/{id}")).await.expect(200);
    for part in [r#""score":"0.50""#, r#""customData":{"x": 1.10}"#, r#""custom_data":{"x": 1.10}"#] {
        assert!(answer.text.contains(part), "{part} in {}", answer.text);
    }
    let stored = answer.json();
    for (name, value) in given.as_object().expect("an object") {
        if !["score", "actors", "customData", "rules"].contains(&name.as_str()) {
            assert_eq!(stored[name], *value, "{name}");
        }
    }
    assert_eq!(stored["actors"], json!([{"actorId": of("a"), "primary": true}, {"actorId": of("b"), "primary": false}]));
    assert_eq!(stored["finalized"], json!(false));
}

async fn faults_are_told_at_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let wrong = with(observation(&ids.of("o")), json!({"type": "ALERT", "date": "now", "score": -1, "trnsactionIds": [], "finalized": true}));
    let refused = server.post(PATH, wrong.to_string()).await.expect(422);
    assert_eq!(refused.places(), ["date", "finalized", "score", "trnsactionIds", "type"]);
    assert!(refused.text.contains(r#"did you mean \"transactionIds\"?"#), "{}", refused.text);
    assert_eq!(server.post(PATH, "{}").await.expect(422).places(), ["behaviorId", "behaviorName", "date", "id", "type"]);
    // One observation at a time; many go in bulk.
    server.post(PATH, json!([observation(&ids.of("o"))]).to_string()).await.expect(422);
    server.post(PATH, "{").await.expect(400);
    assert_eq!(server.post(&format!("{PATH}?create_case=yes&x=1"), "{}").await.expect(400).places().last().map(String::as_str), Some("x"));
    server.get(&format!("{PATH}/{}", ids.of("o"))).await.expect(404);
}

async fn a_score_is_from_0_to_1(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let scored = |score: &str| observation(&ids.of("o")).to_string().replacen('{', &format!(r#"{{"score":{score},"#), 1);
    for score in ["0", "1", "0.0", "1.000", "1e0"] {
        server.post(PATH, scored(score)).await.expect(200);
        assert_eq!(read(&server, &ids.of("o")).await["score"], json!(score), "as it was written");
    }
    for score in ["-0.0001", "1.0001", "\"1\""] {
        assert_eq!(server.post(PATH, scored(score)).await.expect(422).places(), ["score"], "{score}");
    }
}

async fn the_same_id_again_is_an_update(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    let rich = with(
        observation(&id),
        json!({"title": "First", "score": 0.5, "transactionIds": [of("t")], "actors": [{"actorId": of("a")}],
        "associatedLegalEntity": [of("e")], "rules": [{"id": of("r")}]}),
    );
    taken(&server, rich).await;
    let first = read(&server, &id).await;
    server.post(&format!("{PATH}/{id}/actors"), json!([{"actorId": of("added")}]).to_string()).await.expect(200);
    let poor = with(observation(&id), json!({"behaviorName": "Other", "actors": [{"actorId": of("b"), "primary": true}]}));
    taken(&server, poor.clone()).await;
    let second = read(&server, &id).await;
    assert_eq!(second["internalId"], first["internalId"]);
    assert_eq!((&second["title"], &second["score"], &second["behaviorName"]), (&Value::Null, &Value::Null, &json!("Other")));
    let wanted = json!([{"actorId": of("added"), "primary": false}, {"actorId": of("b"), "primary": true}]);
    assert_eq!(second["actors"], wanted, "who was linked apart from the record stays");
    // Sent again word for word it changes nothing.
    taken(&server, poor).await;
    assert_eq!(read(&server, &id).await, second);
    let query = format!("MATCH (o:Observation {{id: '{id}'}})-[r]->(x) WITH type(r) AS link, x.id AS id ORDER BY link, id RETURN link, id");
    let links = server.cypher(&query);
    let wanted = [json!({"link": "ABOUT", "id": of("added")}), json!({"link": "ABOUT", "id": of("b")})];
    assert_eq!(links, wanted, "nothing of the first is left");
    let shown = server.cypher(&format!("MATCH (o:Observation {{id: '{id}'}}) RETURN o.name AS name, o.score AS score, o.observedAt AS at"));
    assert_eq!(shown, [json!({"name": "Other", "score": null, "at": NOON * 1000})]);
}

/// By the names of the bulk lists: straight into a store, or to a server.
async fn a_folder_of_them_is_imported(engine: Engine) {
    let (ids, folder) = (Ids::new(), tempfile::tempdir().expect("a folder"));
    let line = |at: usize| {
        json!({"id": ids.of(&at.to_string()), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": "b", "title": "Odd",
            "transaction_ids": [ids.of("t")], "actor_ids": [ids.of("a")], "score": 0.5})
    };
    let lines: Vec<String> = (0..3).map(line).map(|line| line.to_string()).chain([r#"{"id":"x"}"#.to_owned()]).collect();
    let payment = json!({"id": ids.of("t"), "account_id": ids.of("k"), "account_owner_id": ids.of("a"), "amount": {"value": 1, "currency": "EUR"},
        "standardized_amount": 1, "counterparty": {"type": "EMPTY"}, "created_at": "2024-06-13T12:00:00Z", "direction": "OUTBOUND", "status": "COMPLETED"});
    let named = [
        ("observations", lines.join("\n")),
        ("actors", json!({"id": ids.of("a"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01"}).to_string()),
        ("transactions", payment.to_string()),
    ];
    for (list, text) in named {
        std::fs::write(folder.path().join(list).with_extension("ndjson"), text).expect("it is written");
    }
    let path = folder.path().to_str().expect("a path");
    let (server, output) = match engine {
        Engine::Embedded => {
            let store = Store::of(engine);
            let output = store.command(&["import", path]).output().expect("the program runs");
            (Server::on(store), output)
        }
        Engine::Neo4j => {
            let server = Server::start(engine);
            let output = command(&["import", path, "--url", &server.base, "--key", server.key()]).output().expect("the program runs");
            (server, output)
        }
    };
    let account = String::from_utf8_lossy(&output.stdout);
    assert!(account.contains("behavior_id: ") && account.contains("observations.ndjson:4"), "{account}");
    for at in 0..3 {
        let stored = read(&server, &ids.of(&at.to_string())).await;
        assert_eq!((&stored["title"], &stored["date"], &stored["finalized"]), (&json!("Odd"), &json!(NOON), &json!(true)));
        assert_eq!((&stored["transactionIds"], &stored["score"]), (&json!([ids.of("t")]), &json!("0.5")));
    }
}

async fn actors_are_linked_to_an_observation(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    let path = format!("{PATH}/{id}/actors");
    let link = async |body: Value| -> Answer { server.post(&path, body.to_string()).await };
    link(json!([{"actorId": of("a")}])).await.expect(404);
    server.get(&format!("{PATH}/{id}")).await.expect(404);
    taken(&server, with(observation(&id), json!({"actors": [{"actorId": of("a"), "primary": true}]}))).await;
    assert_eq!(link(json!([{"actorId": of("b"), "primary": true}, {"actorId": of("a")}])).await.expect(200).json(), json!({"status": "OK"}));
    let wanted = json!([{"actorId": of("a"), "primary": false}, {"actorId": of("b"), "primary": true}]);
    assert_eq!(read(&server, &id).await["actors"], wanted);
    link(json!([])).await.expect(200);
    assert_eq!(
        link(json!([{"actorId": 1, "x": 1}, {"primary": "no"}])).await.expect(400).places(),
        ["[0].actorId", "[0].x", "[1].actorId", "[1].primary"]
    );
    assert_eq!(link(json!([{"actorId": "a"}, {"actorId": "a", "primary": true}])).await.expect(400).places(), ["[1].primary"]);
    link(json!({"actorId": of("a")})).await.expect(400);
    assert_eq!(read(&server, &id).await["actors"], wanted, "what is refused changes nothing");
}

/// A record that does not say whether it is mainly about an actor takes nothing from who has said so.
async fn what_somebody_else_has_said_of_an_actor_stays(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    for name in ["a", "b"] {
        server.post("/api/actors", actor(&of(name)).to_string()).await.expect(200);
    }
    let in_bulk = async |request: &str, actors: &[&str]| {
        let actors: Vec<String> = actors.iter().map(|name| of(name)).collect();
        let item = json!({"id": id, "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": request, "actor_ids": actors});
        bulk::taken(&server, &of(request), &json!({"observations": [item]})).await;
        let is_stored = async || server.get(&format!("{PATH}/{id}")).await.json()["behaviorId"] == json!(request);
        eventually("it is recorded", bulk::SOON, is_stored).await;
    };
    let primary = async || {
        let actors = read(&server, &id).await["actors"].take();
        [of("a"), of("b")]
            .map(|id| actors.as_array().expect("a list").iter().find(|actor| actor["actorId"] == json!(id)).map(|actor| actor["primary"].clone()))
    };
    in_bulk("first", &["a"]).await;
    server.post(&format!("{PATH}/{id}/actors"), json!([{"actorId": of("b"), "primary": true}]).to_string()).await.expect(200);
    in_bulk("second", &["a", "b"]).await;
    assert_eq!(primary().await, [Some(json!(false)), Some(json!(true))]);
    taken(&server, with(observation(&id), json!({"actors": [{"actorId": of("a")}, {"actorId": of("b")}]}))).await;
    assert_eq!(primary().await, [Some(json!(false)), Some(json!(true))], "a single one");
    taken(&server, with(observation(&id), json!({"actors": [{"actorId": of("a")}, {"actorId": of("b"), "primary": false}]}))).await;
    assert_eq!(primary().await, [Some(json!(false)), Some(json!(false))], "the record says so");
}

async fn cases_are_created_from_observations_of_all_types_but_alert_aml(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    for kind in ["ALERT_AML", "ALERT_AML_V2", "ALERT_RULE"] {
        let (id, of) = (ids.of(kind), |name: &str| ids.of(&format!("{kind}-{name}")));
        let body = with(observation(&id), json!({"type": kind, "actors": [{"actorId": of("focal"), "primary": true}, {"actorId": of("other")}]}));
        let wanted = format!("{PATH}?create_case=true");
        let answer = server.post(&wanted, body.to_string()).await.expect(200).json();
        let Some(case) = answer["caseIds"].as_array().expect("a list").first().cloned() else {
            assert_eq!(kind, "ALERT_AML");
            assert_eq!(read(&server, &id).await["caseId"], Value::Null);
            continue;
        };
        assert_ne!(kind, "ALERT_AML");
        let case = case.as_str().expect("an id");
        let shown = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
        assert_eq!(shown["actors"], json!([{"id": of("focal"), "type": "FOCAL"}, {"id": of("other"), "type": "CONNECTION"}]));
        assert_eq!((&shown["observations"], &shown["type"]), (&json!([{"id": id}]), &json!("ANALYSIS")));
        assert_eq!(read(&server, &id).await["caseId"], json!(case));
        // Sent again, as it was or otherwise, it has its case already.
        for again in [body.clone(), with(body.clone(), json!({"title": "Other", "actors": [{"actorId": of("third")}]}))] {
            assert_eq!(server.post(&wanted, again.to_string()).await.expect(200).json()["caseIds"], json!([case]));
        }
        assert_eq!(server.get(&format!("/api/cases/{case}")).await.expect(200).json()["actors"], shown["actors"]);
        let events = server.cypher(&format!("MATCH (e:Event) WHERE e.caseId = '{case}' RETURN e.name AS name, e.sequence AS sequence"));
        assert_eq!(events, [json!({"name": "case.created", "sequence": 1})]);
        // It is a case as any other.
        server.patch(&format!("/api/cases/{case}"), r#"{"c__a":1}"#).await.expect(200);
    }
    let id = ids.of("without");
    for wanted in [PATH.to_owned(), format!("{PATH}?create_case=false")] {
        assert_eq!(server.post(&wanted, observation(&id).to_string()).await.expect(200).json(), nothing_missing());
    }
}

async fn a_key_takes_one_observation(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let body = with(observation(&ids.of("o")), json!({"transactionIds": [ids.of("t")]})).to_string();
    let sent = async |path: &str, body: &str| server.send(server.posting(path, body).header("idempotency-key", ids.of("key"))).await;
    let first = sent(PATH, &body).await.expect(200);
    paid(&server, &Payment::new(ids.of("t"), ids.of("payer"), ids.of("payee"))).await;
    let again = sent(PATH, &body).await.expect(200);
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
    assert_eq!(sent(&format!("{PATH}?create_case=true"), &body).await.expect(422).places(), ["idempotency-key"]);
}

async fn one_that_a_case_has_named_becomes_real_in_place(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("observation");
    let made = server.post("/api/cases", json!({"observation_ids": [id]}).to_string()).await.expect(200).json();
    server.get(&format!("{PATH}/{id}")).await.expect(404);
    let query =
        "query($id: ID!) { case(id: $id) { observations { edges { feedback node { id name known finalized type date record { behaviorId } } } } } }";
    let seen = async || server.graphql(query, json!({"id": made["case_id"]})).await["case"]["observations"]["edges"].take();
    let nothing = json!({"id": id, "name": id, "known": false, "finalized": false, "type": null, "date": null, "record": null});
    assert_eq!(seen().await, json!([{"feedback": null, "node": nothing}]));
    taken(&server, observation(&id)).await;
    let node = json!({"id": id, "name": "Structuring", "known": true, "finalized": true, "type": "ALERT_RULE", "date": "2024-06-13T12:00:00Z",
        "record": {"behaviorId": "structuring"}});
    assert_eq!(seen().await, json!([{"feedback": null, "node": node}]));
    assert_eq!(read(&server, &id).await["caseId"], made["case_id"]);
}

/// By the graph alone: payments, actors, rules and their conditions, features.
async fn an_investigator_can_follow_it(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (id, of) = (ids.of("observation"), |name: &str| ids.of(name));
    let rule = json!({"id": of("rule"), "name": "Many small payments", "status": "HIT", "score": "0.9", "date": NOON,
        "conditions": [{"id": "c1", "matched": true}, {"id": "c2", "matched": false}, {"id": "c3", "matched": true}]});
    let body = with(
        observation(&id),
        json!({"title": "Odd", "transactionIds": [of("t")], "actors": [{"actorId": of("a"), "primary": true}],
        "features": [{"group": "velocity", "items": [{"name": "count", "value": 12.50}]}], "rules": [rule, {"name": "Nameless"}, {}]}),
    );
    taken(&server, body).await;
    let query = format!(
        "MATCH (t:Transaction)<-[:CITES]-(o:Observation {{id: '{id}'}})-[:ABOUT]->(a:Actor) MATCH (o)-[m:MATCHED]->(r:ObservationRule) WHERE r.id = '{}'
         RETURN o.name AS name, o.features AS features, t.id AS payment, a.id AS actor, r.name AS rule, m.status AS status, m.score AS score,
         m.date AS date, m.matched AS matched, m.unmatched AS unmatched",
        of("rule")
    );
    let rows = server.cypher(&query.replace('\n', " "));
    let wanted = json!({"name": "Odd", "features": ["velocity / count = 12.5"], "payment": of("t"), "actor": of("a"), "rule": "Many small payments",
        "status": "HIT", "score": 0.9, "date": NOON * 1000, "matched": ["c1", "c3"], "unmatched": ["c2"]});
    assert_eq!(rows, [wanted]);
    let query =
        "query($id: ID!) { observation(id: $id) { rules { edges { status matched node { name observations { edges { score node { id } } } } } } } }";
    let rules = server.graphql(query, json!({"id": id})).await["observation"]["rules"]["edges"].take();
    let hit = json!({"status": "HIT", "matched": ["c1", "c3"], "node": {"name": "Many small payments", "observations": {"edges": [{"score": 0.9, "node": {"id": id}}]}}});
    assert!(rules.as_array().expect("rules").contains(&hit), "{rules}");
    assert_eq!(rules.as_array().map(Vec::len), Some(2), "one without any name is in the record alone");
}

async fn graphql_shows_and_lists_them(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let of = |name: &str| ids.of(name);
    // A behavior and a time of this test's own.
    let begin = ids.digits(8).parse::<i64>().expect("a number") * 10;
    let (who, payment) = (of("actor"), of("payment"));
    paid(&server, &Payment::new(&payment, of("payer"), of("payee"))).await;
    for n in 0..6_i64 {
        let (behavior, kind) = (if n % 2 == 0 { "x" } else { "y" }, if n % 3 == 0 { "ALERT_AML" } else { "ALERT_RULE" });
        let actors = if n < 4 { json!([{"actorId": who, "primary": n == 0}]) } else { json!([]) };
        // Two share a time.
        let more = json!({"behaviorId": of(behavior), "type": kind, "date": begin + n / 2, "actors": actors, "transactionIds": [payment],
            "associatedLegalEntity": [of("entity")]});
        taken(&server, with(observation(&of(&n.to_string())), more)).await;
    }
    let named = |list: &Value| -> Vec<String> {
        list["edges"]
            .as_array()
            .expect("edges")
            .iter()
            .map(|edge| edge["node"]["id"].as_str().expect("an id").replace(&format!("-{}", ids.0), ""))
            .collect()
    };
    let listed = async |filter: Value, direction: &str| {
        let own = with(json!({"behaviorIds": [of("x"), of("y")]}), filter);
        let query = "query($filter: ObservationFilter, $direction: SortDirection!) {
            observations(filter: $filter, orderBy: {field: DATE, direction: $direction}) { totalCount edges { node { id } } } }";
        let list = server.graphql(query, json!({"filter": own, "direction": direction})).await["observations"].take();
        let names = named(&list);
        assert_eq!(list["totalCount"], json!(names.len()));
        names
    };
    let at = |second: i64| graph_schema::date::Timestamp((begin + second) * 1000).to_string();
    let table = [
        (json!({}), "DESC", vec!["4", "5", "2", "3", "0", "1"]),
        (json!({}), "ASC", vec!["1", "0", "3", "2", "5", "4"]),
        (json!({"behaviorIds": [of("x")]}), "DESC", vec!["4", "2", "0"]),
        (json!({"types": ["ALERT_AML"]}), "DESC", vec!["3", "0"]),
        (json!({"from": at(1), "to": at(2)}), "DESC", vec!["2", "3"]),
        (json!({"actorIds": [who], "from": at(1)}), "DESC", vec!["2", "3"]),
    ];
    for (filter, direction, wanted) in table {
        assert_eq!(listed(filter.clone(), direction).await, wanted, "{filter} {direction}");
    }
    let query = "query($actor: ID!, $payment: ID!, $entity: ID!) {
        actor(id: $actor) { observations(first: 3, filter: {types: [ALERT_RULE]}) { edges { primary node { id } } } }
        transaction(id: $payment) { observations(last: 2) { totalCount edges { node { id } } } }
        entity: actor(id: $entity) { mentionedIn { totalCount } }
        first: observation(id: $payment) { id } }";
    let data = server.graphql(query, json!({"actor": who, "payment": payment, "entity": of("entity")})).await;
    assert_eq!(named(&data["actor"]["observations"]), ["2", "1"]);
    assert_eq!(named(&data["transaction"]["observations"]), ["0", "1"]);
    assert_eq!((&data["transaction"]["observations"]["totalCount"], &data["entity"]["mentionedIn"]["totalCount"]), (&json!(6), &json!(6)));
    assert_eq!(data["first"], Value::Null);
    let query = "query($id: ID!) { observation(id: $id) { actors { edges { primary node { id known } } } legalEntities { edges { node { id } } }
        transactions { edges { node { id } } } score record { type date actors { actorId primary } } } }";
    let one = server.graphql(query, json!({"id": of("0")})).await["observation"].take();
    let wanted = json!({"actors": {"edges": [{"primary": true, "node": {"id": who, "known": false}}]}, "legalEntities": {"edges": [{"node": {"id": of("entity")}}]},
        "transactions": {"edges": [{"node": {"id": payment}}]}, "score": null,
        "record": {"type": "ALERT_AML", "date": at(0), "actors": [{"actorId": who, "primary": true}]}});
    assert_eq!(one, wanted);
    for (filter, place) in [(r#"{types: []}"#, "filter.types"), (r#"{from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z"}"#, "filter.to")] {
        let answer = server.graphql_answer(&format!("{{ observations(filter: {filter}) {{ totalCount }} }}"), json!({})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with(place)), "{answer}");
    }
}

async fn roles_decide_who_may(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("observation");
    for (role, statuses) in [("INGEST", [200, 200, 200]), ("ANALYST", [403, 403, 200]), ("SUPERVISOR", [403, 403, 200]), ("AUDITOR", [403, 403, 200])]
    {
        let key = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(key["key"].as_str().expect("a key"));
        api.post(&format!("{PATH}?create_case=true"), observation(&id).to_string()).await.expect(statuses[0]);
        api.post(&format!("{PATH}/{id}/actors"), "[]").await.expect(statuses[1]);
        api.get(&format!("{PATH}/{id}")).await.expect(statuses[2]);
    }
}
