//! What is said of a case again, in the same words, changes nothing: no version, no event. And what one part of it may be: null takes away what may
//! be absent, a workflow is for its type of cases, a user who is disabled gets none; an actor's record is what a system has sent.

use serde_json::{Value, json};

use crate::support::bulk;
use crate::support::case_work::{done, made, work};
use crate::support::fixtures::{Payment, actor, case_id, with};
use crate::support::observations::observation;
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

tests![both: the_same_again_changes_nothing, a_communication_that_was_said_otherwise_meanwhile_is_a_change, null_takes_away_what_may_be_absent,
    a_case_is_not_assigned_to_a_disabled_user, a_workflow_is_for_cases_of_its_type, an_observation_names_the_case_it_was_linked_to_last,
    what_a_system_records_meanwhile_is_kept];

/// The version of a case, and how many events have told of it.
async fn standing(api: &Api, case: &str) -> (i64, i64) {
    let shown = api.graphql("query($id: ID!) { case(id: $id) { version events { totalCount } } }", json!({"id": case})).await;
    let number = |value: &Value| value.as_i64().expect("a number");
    (number(&shown["case"]["version"]), number(&shown["case"]["events"]["totalCount"]))
}

/// Something that is done with a case: by REST, with method and path below it, or by a mutation.
enum Step {
    Rest(&'static str, String, String),
    Mutation(&'static str, Value),
}

impl Step {
    async fn make(&self, api: &Api, case: &str) {
        match self {
            Self::Rest(method, path, body) => {
                let request = api.request(method, path).header("content-type", "application/json").body(body.clone());
                api.send(request).await.expect(200);
            }
            Self::Mutation(field, input) => {
                done(api, field, with(json!({"caseId": case}), input.clone())).await;
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Rest(method, path, body) => format!("{method} {path} {body}"),
            Self::Mutation(field, input) => format!("{field} {input}"),
        }
    }
}

async fn the_same_again_changes_nothing(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, a, observed) = (case_id(), ids.of("a"), ids.of("observation"));
    server.post("/api/actors", actor(&a).to_string()).await.expect(200);
    server.post("/api/observations", with(observation(&observed), json!({"actors": [{"actorId": a}]})).to_string()).await.expect(200);
    server.post("/api/v2/transactions", Payment::new(ids.of("t"), ids.of("k"), ids.of("l")).text()).await.expect(200);
    let owner = format!("owner-of-{}", ids.of("k"));
    let create = json!({"id": case, "actors": [{"id": a}, {"id": owner}], "observation_ids": [observed], "communications": [{"subject": "own"}]});
    let (letter, note, named) = (case_id(), ids.of("note"), ids.of("named"));
    let letter = json!({"id": letter, "type": "email", "sender_id": a, "receiver_id": "bank", "subject": "Hello", "content": "…",
        "metadata": {"sender_identifiable_as_actor": true}, "custom_data": {"x": 1.0}});
    let path = format!("/api/cases/{case}");
    let rest = |method: &'static str, below: &str, body: Value| Step::Rest(method, format!("{path}{below}"), body.to_string());
    let steps = [
        Step::Rest("POST", "/api/cases".to_owned(), create.to_string()),
        rest("PATCH", "", json!({"resolution": {"value": "open"}, "c__text": "x", "c__number": 1.5})),
        rest("PATCH", "", json!({"resolution": null, "c__text": null})),
        rest("PUT", "", json!({"communication_ids": [named]})),
        rest("PUT", "", json!({"communications": [{"id": note, "subject": "Note", "sender_id": "s", "created_at": "2024-01-31T12:00:00Z"}]})),
        rest("PUT", "", json!({"communication_ids": [named], "communications": [{"id": note, "sent_at": "2024-01-31T12:00:00Z"}]})),
        rest("POST", "/communications", letter.clone()),
        rest(
            "POST",
            "/actors",
            json!({"actor": {"id": a, "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}, "type": "FOCAL", "custom_data": {"y": 2}}),
        ),
        rest("PATCH", "/actors", json!([{"actor_id": a, "properties": {"c__risk": "high"}}])),
        rest("PATCH", &format!("/actors/{a}"), json!({"c__risk": "low", "c__since": 2024})),
        rest("PATCH", &format!("/actors/{a}"), json!({"c__since": null})),
        Step::Mutation("assignCase", json!({"userId": ids.of("user")})),
        Step::Mutation("tagCase", json!({"add": [{"id": ids.of("tag"), "label": "Tag"}], "remove": ["none"]})),
        Step::Mutation("setCaseJurisdiction", json!({"jurisdiction": "DE"})),
        Step::Mutation("setCaseActorFinding", json!({"actorId": a, "decision": "suspicious"})),
        Step::Mutation("giveObservationFeedback", json!({"observationId": observed, "feedback": "TRUE_POSITIVE"})),
        Step::Mutation("whitelistObservation", json!({"observationId": observed, "comment": "known"})),
        Step::Mutation("decideTransaction", json!({"transactionId": ids.of("t"), "decision": "BLOCK", "comment": "wait"})),
        Step::Mutation("assignCase", json!({"userId": null})),
    ];
    for step in steps {
        step.make(&server, &case).await;
        let before = standing(&server, &case).await;
        step.make(&server, &case).await;
        assert_eq!(standing(&server, &case).await, before, "{}", step.name());
    }
    // However it is laid out.
    let before = standing(&server, &case).await;
    server.post(&format!("{path}/communications"), serde_json::to_string_pretty(&letter).expect("JSON")).await.expect(200);
    assert_eq!(standing(&server, &case).await, before);
    // In bulk: what it names is its own by now, and it is described in the same words.
    let again = with(create, json!({"communication_ids": [named, note], "c__number": 1.5}));
    bulk::taken(&server, &ids.of("again"), &json!({"cases": [again]})).await;
    bulk::eventually_is(&server, &case, "COMPLETED").await;
    assert_eq!(standing(&server, &case).await, before, "the list's case names what is there");
}

async fn a_communication_that_was_said_otherwise_meanwhile_is_a_change(engine: Engine) {
    let server = Server::shared(engine);
    let (case, id) = (made(&server, json!({})).await, case_id());
    let path = format!("/api/cases/{case}");
    let letter = json!({"id": id, "type": "email", "sender_id": "s", "receiver_id": "r", "subject": "Hello"}).to_string();
    let shown = async || {
        let query = "query($id: ID!) { communication(id: $id) { name subject senderId } }";
        server.graphql(query, json!({"id": id})).await["communication"].take()
    };
    server.post(&format!("{path}/communications"), &*letter).await.expect(200);
    server.put(&path, json!({"communications": [{"id": id, "sender_id": "somebody"}]}).to_string()).await.expect(200);
    assert_eq!(shown().await, json!({"name": "Hello", "subject": "Hello", "senderId": "somebody"}), "what is not said stays, its caption too");
    server.put(&path, json!({"communications": [{"id": id, "subject": "Other"}]}).to_string()).await.expect(200);
    assert_eq!(standing(&server, &case).await, (4, 4));
    server.post(&format!("{path}/communications"), &*letter).await.expect(200);
    assert_eq!(shown().await, json!({"name": "Hello", "subject": "Hello", "senderId": "s"}));
    assert_eq!(standing(&server, &case).await, (5, 5));
    // Another case has it when it is added there, too.
    let other = made(&server, json!({})).await;
    server.post(&format!("/api/cases/{other}/communications"), &*letter).await.expect(200);
    assert_eq!((standing(&server, &other).await, standing(&server, &case).await), ((2, 2), (5, 5)));
}

async fn null_takes_away_what_may_be_absent(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let a = ids.of("a");
    let case = made(&server, json!({"actors": [{"id": a}]})).await;
    let path = format!("/api/cases/{case}");
    server.patch(&path, r#"{"resolution": [1], "c__text": "x", "c__list": [1], "c__stays": true}"#).await.expect(200);
    server.patch(&format!("{path}/actors/{a}"), r#"{"c__risk": "high", "c__stays": 1}"#).await.expect(200);
    server.patch(&path, r#"{"resolution": null, "c__text": null, "c__list": null, "c__never": null}"#).await.expect(200);
    let properties = json!([{"actor_id": a, "properties": {"c__risk": null}}, {"actor_id": a, "properties": {"c__also": 2}}]);
    server.patch(&format!("{path}/actors"), properties.to_string()).await.expect(200);
    let shown = server.get(&path).await.expect(200).json();
    let names = |value: &Value| value.as_object().expect("an object").keys().filter(|name| name.starts_with("c__")).cloned().collect::<Vec<_>>();
    assert_eq!(
        (shown.get("resolution"), names(&shown), names(&shown["actors"][0])),
        (None, vec!["c__stays".into()], vec!["c__also".into(), "c__stays".into()])
    );
    // An array goes behind nothing.
    server.patch(&path, r#"{"c__list": [2]}"#).await.expect(200);
    assert_eq!(server.get(&path).await.expect(200).json()["c__list"], json!([2]));
    let query = format!("MATCH (c:`Case` {{id: '{case}'}})-[r:CONCERNS]->(:Actor) RETURN c.c__text AS text, c.c__stays AS stays, r.c__risk AS risk");
    assert_eq!(server.cypher(&query), [json!({"text": null, "stays": true, "risk": null})], "who looks at the graph sees it gone");
    // The description of a category may be absent, its name may not; nor may anything of a webhook.
    let category = json!({"name": ids.of("category"), "description": "old"});
    let id = server.post("/api/segmentation/categories", category.to_string()).await.expect(200).json()["id"].clone();
    let path = format!("/api/segmentation/categories/{}", id.as_str().expect("an id"));
    server.patch(&path, r#"{"description": null}"#).await.expect(200);
    assert_eq!(server.get(&path).await.expect(200).json().get("description"), None);
    assert_eq!(server.patch(&path, r#"{"name": null}"#).await.expect(400).places(), ["name"]);
    let webhook = json!({"name": ids.of("Desk"), "url": "https://desk.example.com/hooks", "events": []});
    let id = server.post("/api/webhooks", webhook.to_string()).await.expect(201).json()["id"].clone();
    let path = format!("/api/webhooks/{}", id.as_str().expect("an id"));
    let nothing = json!({"name": null, "url": null, "events": null, "status": null});
    assert_eq!(server.patch(&path, nothing.to_string()).await.expect(422).places(), ["events", "name", "status", "url"]);
    // In bulk, null is absent for a case that is new.
    let (new, body) = (case_id(), json!({"resolution": null, "c__none": null, "c__some": 1}));
    bulk::taken(&server, &ids.of("new"), &json!({"cases": [with(body, json!({"id": new}))]})).await;
    let shown = bulk::arrived(&server, &format!("/api/cases/{new}")).await;
    assert_eq!((shown.get("resolution"), shown.get("c__none"), &shown["c__some"]), (None, None, &json!(1)));
}

async fn a_case_is_not_assigned_to_a_disabled_user(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = made(&server, json!({})).await;
    let query = "mutation($input: CreateUserInput!) { createUser(input: $input) { user { id } userErrors { message } } }";
    let created = server.graphql(query, json!({"input": {"username": ids.of("user")}})).await;
    let user = created["createUser"]["user"]["id"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
    let enable = async |enabled: bool| {
        let query = "mutation($input: UpdateUserInput!) { updateUser(input: $input) { userErrors { message } } }";
        let updated = server.graphql(query, json!({"input": {"userId": user, "enabled": enabled}})).await;
        assert_eq!(updated["updateUser"]["userErrors"], json!([]), "{updated}");
    };
    enable(false).await;
    let refused = work(&server, "assignCase", json!({"caseId": case, "userId": user})).await;
    let error = &refused["userErrors"][0];
    assert_eq!(error["code"], "INVALID", "{refused}");
    assert!(error["message"].as_str().is_some_and(|text| text.starts_with("userId: ") && text.contains("disabled")), "{refused}");
    assert_eq!(standing(&server, &case).await, (1, 1));
    // Nor is one made for them.
    let alert = ids.of("alert");
    server.post("/api/observations", observation(&alert).to_string()).await.expect(200);
    let raise = "mutation($input: RaiseCaseInput!) { raiseCase(input: $input) { observations { id } userErrors { path code } } }";
    let raised = server.graphql(raise, json!({"input": {"observationIds": [alert], "assigneeId": user, "comment": "Yours"}})).await;
    let wanted = json!({"observations": [], "userErrors": [{"path": ["input", "assigneeId"], "code": "INVALID"}]});
    assert_eq!(raised["raiseCase"], wanted);
    let shown = server.graphql("query($id: ID!) { observation(id: $id) { handled } }", json!({"id": alert})).await;
    assert_eq!(shown["observation"]["handled"], json!(false));
    enable(true).await;
    assert_eq!(done(&server, "assignCase", json!({"caseId": case, "userId": user})).await, 2);
    // Who has it already keeps it, and it can be taken from them.
    enable(false).await;
    assert_eq!(done(&server, "assignCase", json!({"caseId": case, "userId": user})).await, 2);
    assert_eq!(done(&server, "assignCase", json!({"caseId": case, "userId": null})).await, 3);
}

async fn a_workflow_is_for_cases_of_its_type(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (kind, workflow) in [("ANALYSIS", "default-filing"), ("FILING", "default-analysis")] {
        let id = case_id();
        let wrong = json!({"id": id, "type": kind, "workflow_id": workflow});
        let refused = server.post("/api/cases", wrong.to_string()).await.expect(422);
        assert_eq!(refused.places(), ["workflow_id"]);
        assert!(refused.text.contains(&format!("cases of the type {kind}")), "{}", refused.text);
        server.get(&format!("/api/cases/{id}")).await.expect(404);
        bulk::taken(&server, &ids.of(kind), &json!({"cases": [wrong]})).await;
        bulk::eventually_is(&server, &id, "FAILED").await;
        server.get(&format!("/api/cases/{id}")).await.expect(404);
        // What was refused leaves the id free.
        server.post("/api/cases", json!({"id": id, "type": kind}).to_string()).await.expect(200);
    }
    let filing = json!({"workflow_id": "default-filing"});
    assert_eq!(server.post("/api/cases", filing.to_string()).await.expect(422).places(), ["workflow_id"], "without a type it is an analysis");
}

/// Whatever its date says, and whichever way it was linked.
async fn an_observation_names_the_case_it_was_linked_to_last(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let observed = ids.of("observation");
    server.post("/api/observations", observation(&observed).to_string()).await.expect(200);
    let named = async || server.get(&format!("/api/observations/{observed}")).await.expect(200).json()["caseId"].clone();
    assert_eq!(named().await, Value::Null);
    for date in ["2024-01-31T12:00:00Z", "2023-01-31T12:00:00Z", "2025-01-31T12:00:00Z"] {
        let case = made(&server, json!({"observation_ids": [observed], "created_at": date})).await;
        assert_eq!(named().await, json!(case), "{date}");
    }
    let older = made(&server, json!({"created_at": "2020-01-31T12:00:00Z"})).await;
    bulk::taken(&server, &ids.of("link"), &json!({"cases": [{"id": older, "observation_ids": [observed]}]})).await;
    bulk::eventually_is(&server, &older, "COMPLETED").await;
    assert_eq!(named().await, json!(older));
    let raised = server.post("/api/observations?create_case=true", observation(&observed).to_string()).await.expect(200).json();
    assert_eq!(named().await, raised["caseIds"][0]);
}

/// An analyst adds actors with records while a system sends their records: whichever comes first.
async fn what_a_system_records_meanwhile_is_kept(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let made_key = server.post("/admin/keys", json!({"role": "ANALYST"}).to_string()).await.expect(201).json();
    let api = server.with_key(made_key["key"].as_str().expect("a key"));
    let case = made(&server, json!({})).await;
    let both: Vec<String> = (0..20).map(|n| ids.of(&format!("both-{n}"))).collect();
    let of_analyst = |id: &String| json!({"record": {"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": "Guess"}});
    let adding = json!({"caseId": case, "actors": both.iter().map(of_analyst).collect::<Vec<_>>()});
    let sent = both.iter().map(|id| server.post("/api/actors", with(actor(id), json!({"name": "Known"})).to_string()));
    let (version, sent) = tokio::join!(done(&api, "addCaseActors", adding), futures::future::join_all(sent));
    assert_eq!(version, 2);
    for sent in sent {
        sent.expect(200);
    }
    let names = async |actors: &[String]| {
        let query = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Actor { name } } }";
        server.graphql(query, json!({"ids": actors.iter().map(|id| format!("Actor:{id}")).collect::<Vec<_>>()})).await["nodes"].take()
    };
    let known = json!(vec![json!({"name": "Known"}); 20]);
    assert_eq!(names(&both).await, known);
    // A bulk request that was taken before her is written behind her.
    let in_bulk: Vec<String> = (0..20).map(|n| ids.of(&format!("bulk-{n}"))).collect();
    let records: Vec<Value> = in_bulk.iter().map(|id| with(bulk::bulk_actor(id), json!({"name": "Known"}))).collect();
    bulk::taken(&server, &ids.of("records"), &json!({"actors": records})).await;
    let adding = json!({"caseId": case, "actors": in_bulk.iter().map(of_analyst).collect::<Vec<_>>()});
    assert_eq!(done(&api, "addCaseActors", adding).await, 3);
    eventually("what a system has sent is known", bulk::SOON, async || names(&in_bulk).await == known).await;
}
