//! Workflows and definitions of custom properties: set up by administrators over GraphQL, listed over REST, kept to wherever cases are changed.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Api, Engine, Ids, Server, Store, tests};

tests![both: workflows_are_listed_with_their_steps, an_administrator_adds_a_workflow_and_cases_go_through_it, faults_of_a_workflow_are_told_at_once,
    custom_properties_are_defined_and_listed, a_schema_is_kept_to_wherever_its_property_is_set, a_schema_must_be_one; embedded: a_page_has_two_hundred, who_may];

async fn case(api: &Api, body: Value) -> String {
    let made = api.post("/api/cases", body.to_string()).await.expect(200).json();
    made["case_id"].as_str().expect("an id").to_owned()
}

/// A workflow of three steps.
fn review(id: &str) -> Value {
    let step = |id: &str, state: &str| json!({"id": id, "label": format!("{id} label"), "status": id.to_uppercase(), "state": state});
    json!({"id": id, "name": format!("Review {id}"), "type": "ANALYSIS", "steps": [step("new", "OPEN"), step("review", "OPEN"), step("done", "CLOSED")],
        "moves": [{"action": "TAKE", "from": "new", "to": "review"}, {"action": "GIVE_BACK", "from": "review", "to": "new"},
            {"action": "CLOSE", "from": "review", "to": "done"}]})
}

const ADD: &str = "mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id nodeId name type version hidden createdAt
    steps { totalCount edges { node { id stepId label status state workflow { id } moves { edges { action node { stepId } } } } } } cases { totalCount } } }";

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("a time: {value}"))
}

async fn add(api: &Api, workflow: &Value) -> Value {
    api.graphql_in_time(ADD, json!({"input": {"workflow": workflow}})).await
}

async fn workflows_are_listed_with_their_steps(engine: Engine) {
    let server = Server::shared(engine);
    let listed = server.get("/api/workflows").await.expect(200).json();
    let found = listed.as_array().expect("an array").iter().find(|workflow| workflow["id"] == "default-analysis").expect("it is there");
    assert_eq!((&found["version"], &found["hidden"], &found["name"]), (&json!(1), &json!(false), &json!("Default analysis")));
    let steps: Vec<&str> = found["steps"].as_array().expect("steps").iter().map(|step| step["id"].as_str().expect("an id")).collect();
    assert_eq!(steps, ["to-do", "in-progress", "on-hold", "waiting-for-data", "closed"]);
    assert_eq!(found["steps"][1], json!({"id": "in-progress", "label": "In progress", "status": "IN_PROGRESS", "state": "OPEN"}));
    let ids = async |query: &str| -> Vec<String> {
        let listed = server.get(&format!("/api/workflows{query}")).await.expect(200).json();
        listed.as_array().expect("an array").iter().map(|workflow| workflow["id"].as_str().expect("an id").to_owned()).collect()
    };
    // Other tests add some meanwhile; these two are always there.
    let defaults = async |query: &str| -> Vec<String> {
        ids(query).await.into_iter().filter(|id| matches!(id.as_str(), "default-analysis" | "default-filing")).collect()
    };
    for (sort, first, last) in [("id", "default-analysis", "default-filing"), ("-name", "default-filing", "default-analysis")] {
        assert_eq!(defaults(&format!("?sort.by={sort}&limit=1000")).await, [first, last], "{sort}");
    }
    for sort in ["version", "hidden", "name", "hidden,-version,name"] {
        assert_eq!(defaults(&format!("?sort.by={sort}&limit=1000")).await.len(), 2, "{sort}");
    }
    assert_eq!((ids("?limit=1").await.len(), ids("?limit=1&offset=1").await.len(), ids("?offset=1000000").await.len()), (1, 1, 0));
    assert_eq!(server.get("/api/workflows?sort.by=steps&limit=0&x=1").await.expect(400).places(), ["limit", "sort.by", "x"]);
    let query = r#"{ workflow(id: "default-analysis") { type createdAt steps { totalCount edges { node { stepId } } } }
        workflows(first: 1) { totalCount } }"#;
    let shown = server.graphql(query, json!({})).await;
    assert_eq!((&shown["workflow"]["type"], &shown["workflow"]["steps"]["totalCount"]), (&json!("ANALYSIS"), &json!(5)));
    assert_eq!(shown["workflow"]["steps"]["edges"][4]["node"]["stepId"], "closed");
    assert_eq!(shown["workflow"]["createdAt"], Value::Null, "it came with the service");
}

async fn a_page_has_two_hundred(engine: Engine) {
    let server = Server::on(Store::of(engine));
    // Two are there from the first.
    for number in 0..199 {
        let added = add(&server, &review(&format!("review-{number:03}"))).await;
        assert!(added["errors"].is_null(), "{added}");
    }
    let found = async |query: &str| -> Vec<String> {
        let listed = server.get(&format!("/api/workflows?sort.by=id{query}")).await.expect(200).json();
        listed.as_array().expect("an array").iter().map(|workflow| workflow["id"].as_str().expect("an id").to_owned()).collect()
    };
    let (first, second) = (found("").await, found("&offset=200").await);
    assert_eq!((first.len(), first[0].as_str(), second), (200, "default-analysis", vec!["review-198".to_owned()]));
    assert_eq!(found("&limit=1000").await.len(), 201);
}

async fn an_administrator_adds_a_workflow_and_cases_go_through_it(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("review");
    let added = add(&server, &review(&id)).await;
    assert!(added["errors"].is_null(), "{added}");
    let workflow = &added["data"]["addWorkflow"];
    assert_eq!((&workflow["id"], &workflow["version"], &workflow["hidden"]), (&json!(id), &json!(1), &json!(false)));
    assert!((Utc::now() - time(&workflow["createdAt"])).abs() < TimeDelta::minutes(5), "{workflow}");
    let steps = workflow["steps"]["edges"].as_array().expect("steps");
    let moves = |at: usize| {
        steps[at]["node"]["moves"]["edges"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|edge| json!([edge["action"], edge["node"]["stepId"]]))
            .collect::<Vec<_>>()
    };
    assert_eq!(steps.iter().map(|step| step["node"]["stepId"].as_str().expect("an id")).collect::<Vec<_>>(), ["new", "review", "done"]);
    assert_eq!(
        (moves(0), moves(1), moves(2)),
        (vec![json!(["TAKE", "review"])], vec![json!(["CLOSE", "done"]), json!(["GIVE_BACK", "new"])], vec![])
    );
    // Listed first, as it is the newest; the same again changes nothing, another of its id is refused.
    let listed = server.get("/api/workflows?limit=1000").await.expect(200).json();
    let found = listed.as_array().expect("an array").iter().find(|workflow| workflow["id"] == json!(id)).expect("it is listed");
    assert_eq!(found["steps"][1], json!({"id": "review", "label": "review label", "status": "REVIEW", "state": "OPEN"}));
    assert!(add(&server, &review(&id)).await["errors"].is_null());
    let mut other = review(&id);
    other["name"] = json!("Other");
    assert!(add(&server, &other).await["errors"][0]["message"].as_str().expect("a message").starts_with("id: "));
    // A case goes through it.
    let case = case(&server, json!({"workflow_id": id})).await;
    let acted =
        "mutation($input: ActOnCaseInput!) { actOnCase(input: $input) { userErrors { message } case { actions workflow { stepId state } } } }";
    for (action, step, state, actions) in [("TAKE", "review", "OPEN", json!(["CLOSE", "GIVE_BACK"])), ("CLOSE", "done", "CLOSED", json!([]))] {
        let data = server.graphql(acted, json!({"input": {"caseId": case, "action": action}})).await;
        let wanted = json!({"userErrors": [], "case": {"actions": actions, "workflow": {"stepId": step, "state": state}}});
        assert_eq!(data["actOnCase"], wanted, "{action}");
    }
    let query = "query($id: ID!) { workflow(id: $id) { cases { totalCount edges { node { id } } } } }";
    assert_eq!(server.graphql(query, json!({"id": id})).await["workflow"]["cases"], json!({"totalCount": 1, "edges": [{"node": {"id": case}}]}));
}

async fn faults_of_a_workflow_are_told_at_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut wrong = review(&ids.of("wrong"));
    wrong["name"] = json!("");
    wrong["steps"][0]["state"] = json!("CLOSED");
    wrong["steps"][1]["id"] = json!("new");
    let answer = add(&server, &wrong).await;
    let message = answer["errors"][0]["message"].as_str().expect("a message");
    for at in ["name: ", "steps[0].state: ", "steps[1].id: ", "moves[0].to: ", "moves[1].from: ", "moves[2].from: "] {
        assert!(message.contains(at), "{at} in {message}");
    }
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID");
    let mut unreachable = review(&ids.of("wrong"));
    unreachable["moves"].as_array_mut().expect("moves").truncate(1);
    let answer = add(&server, &unreachable).await;
    assert!(answer["errors"][0]["message"].as_str().expect("a message").contains("steps[2]: can't be reached"), "{answer}");
    server.post("/api/cases", json!({"workflow_id": ids.of("wrong")}).to_string()).await.expect(422);
}

const DEFINE: &str = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { name entity schema } }";

async fn define(api: &Api, entity: &str, name: &str, schema: Value) -> Value {
    api.graphql_in_time(DEFINE, json!({"input": {"entity": entity, "name": name, "schema": schema}})).await
}

async fn custom_properties_are_defined_and_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let name = format!("c__{}", ids.of("level"));
    for (entity, written, schema) in [
        ("CASE", "case", json!({"type": "string"})),
        ("CASE_ACTOR", "case.actor", json!({"type": "integer"})),
        // Anew.
        ("CASE", "case", json!({"enum": ["low", "high"]})),
    ] {
        let defined = define(&server, entity, &name, schema.clone()).await;
        assert_eq!(defined["data"]["defineCustomProperty"], json!({"name": name, "entity": entity, "schema": schema}), "{defined}");
        let path = format!("/api/custom_properties?filter.name={name}&filter.entity={written}");
        assert_eq!(server.get(&path).await.expect(200).json(), json!([{"entity": written, "name": name, "schema": schema}]));
    }
    let both = server.get(&format!("/api/custom_properties?filter.name={name}")).await.expect(200).json();
    let entities: Vec<&str> = both.as_array().expect("an array").iter().map(|item| item["entity"].as_str().expect("text")).collect();
    assert_eq!(entities, ["case.actor", "case"], "the newest first");
    let one = server.get(&format!("/api/custom_properties?filter.name={name}&limit=1&offset=1")).await.expect(200).json();
    assert_eq!(one.as_array().map(Vec::len), Some(1));
    let wrong = server.get("/api/custom_properties?filter.entity=actor&limit=1001&filter.nam=x").await.expect(400);
    assert_eq!(wrong.places(), ["filter.entity", "filter.nam", "limit"]);
    let query = "{ customProperties(first: 1, entity: CASE_ACTOR) { totalCount edges { node { entity } } } }";
    let shown = server.graphql(query, json!({})).await;
    assert_eq!(shown["customProperties"]["edges"][0]["node"]["entity"], "CASE_ACTOR");
    // One was defined before the other, and anew behind it.
    let keys = ["case", "case.actor"].map(|written| format!("CustomProperty:{written}/{name}"));
    let query = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on CustomProperty { createdAt updatedAt updatedBy { id kind } } } }";
    let shown = server.graphql(query, json!({"ids": keys})).await["nodes"].take();
    let (anew, once) = (&shown[0], &shown[1]);
    let order = [&anew["createdAt"], &once["createdAt"], &anew["updatedAt"]].map(time);
    assert!(order.is_sorted() && order[0] < order[2] && once["updatedAt"] == once["createdAt"], "{shown}");
    assert_eq!((&anew["updatedBy"], &anew["updatedBy"]["kind"]), (&once["updatedBy"], &json!("API_KEY")), "{shown}");
}

async fn a_schema_is_kept_to_wherever_its_property_is_set(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (level, list) = (format!("c__{}", ids.of("level")), format!("c__{}", ids.of("list")));
    let object = json!({"type": "object", "properties": {"level": {"enum": ["low", "high"]}}, "required": ["level"], "additionalProperties": false});
    let bounded = json!({"type": "array", "items": {"type": "integer"}, "maxItems": 3});
    for entity in ["CASE", "CASE_ACTOR"] {
        for (name, schema) in [(&level, &object), (&list, &bounded)] {
            let defined = define(&server, entity, name, schema.clone()).await;
            assert!(defined["errors"].is_null(), "{defined}");
        }
    }
    let (first, second) = (ids.of("first"), ids.of("second"));
    let id = case(&server, json!({"actors": [{"id": first}, {"id": second}]})).await;
    let path = format!("/api/cases/{id}");
    let patch = async |path: &str, body: Value| server.patch(path, body.to_string()).await;
    // The case.
    let wrong = patch(&path, json!({&level: {"levle": 1}, &list: ["x"], "c__free": "anything"})).await.expect(400);
    assert_eq!(wrong.places(), [format!("{level}.level"), format!("{level}.levle"), format!("{list}[0]")]);
    assert!(server.get(&path).await.expect(200).json()["c__free"].is_null(), "nothing half stored");
    patch(&path, json!({&level: {"level": "low"}, &list: [1, 2], "c__free": "anything"})).await.expect(200);
    // What counts is what it is then: arrays are appended to.
    assert_eq!(patch(&path, json!({&list: [3, 4]})).await.expect(400).places(), std::slice::from_ref(&list));
    patch(&path, json!({&list: [3]})).await.expect(200);
    // One actor, and several at once.
    assert_eq!(patch(&format!("{path}/actors/{first}"), json!({&level: "low"})).await.expect(400).places(), std::slice::from_ref(&level));
    patch(&format!("{path}/actors/{first}"), json!({&level: {"level": "high"}})).await.expect(200);
    let several =
        json!([{"actor_id": second, "properties": {&level: {"level": "low"}}}, {"actor_id": first, "properties": {&list: [1.5], "c__x": 1}}]);
    let wrong = server.patch(&format!("{path}/actors"), several.to_string()).await.expect(400);
    assert_eq!(wrong.places(), [format!("[1].properties.{list}[0]")]);
    let read = server.get(&path).await.expect(200).json();
    let second_of =
        |read: &Value| read["actors"].as_array().expect("actors").iter().find(|actor| actor["id"] == json!(second)).cloned().expect("an actor");
    assert!(second_of(&read)[&level].is_null(), "nothing half stored: {read}");
    // Defined anew it is another rule; what is stored stays.
    let defined = define(&server, "CASE", &level, json!({})).await;
    assert!(defined["errors"].is_null(), "{defined}");
    patch(&path, json!({&level: "anything"})).await.expect(200);
}

async fn a_schema_must_be_one(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let name = format!("c__{}", ids.of("wrong"));
    for schema in [json!({"type": "nothing"}), json!({"$ref": "#"}), json!({"$ref": "https://example.com/x"}), json!({"pattern": "("})] {
        let answer = define(&server, "CASE", &name, schema.clone()).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("schema: ")), "{schema}: {answer}");
    }
    for wrong in ["level", "c__", "c__a\nb"] {
        let answer = define(&server, "CASE", wrong, json!({})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("name: ")), "{wrong:?}: {answer}");
    }
    assert_eq!(server.get(&format!("/api/custom_properties?filter.name={name}")).await.expect(200).json(), json!([]));
}

async fn who_may(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (role, reads) in [("INGEST", 200), ("ANALYST", 200), ("SUPERVISOR", 200), ("AUDITOR", 200), ("ADMIN", 200)] {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        assert_eq!(api.get("/api/workflows").await.status, reads, "{role}");
        assert_eq!(api.get("/api/custom_properties").await.status, reads, "{role}");
        let added = add(&api, &review(&ids.of(role))).await;
        let defined = define(&api, "CASE", &format!("c__{}", ids.of(role)), json!({})).await;
        for answer in [added, defined] {
            match role {
                "ADMIN" => assert!(answer["errors"].is_null(), "{answer}"),
                _ => assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role}: {answer}"),
            }
        }
    }
    server.get(&format!("/api/cases/{}", case_id())).await.expect(404);
}
