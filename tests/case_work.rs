//! Closing cases and reopening them, whitelisting their observations, deciding about their transactions and actors, tags.

use serde_json::{Value, json};

use crate::support::case_work::{done, events, made, without_user, work};
use crate::support::fixtures::{Payment, case_id, with};
use crate::support::observations::{PAYMENTS, observation, paid, sent, taken};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: a_case_is_closed_with_what_came_out_and_reopened, a_workflow_of_its_own_words_is_closed_and_reopened, an_observation_is_whitelisted_once,
    a_transaction_is_blocked_and_released, only_transactions_of_the_case_are_decided_about,
    cases_are_tagged_placed_and_their_actors_decided; embedded: rules_of_inputs, who_may];

async fn a_case_is_closed_with_what_came_out_and_reopened(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let id = made(&server, json!({"metadata": {"m": 1}})).await;
    let stale = work(&server, "closeCase", json!({"caseId": id, "expectedVersion": 7})).await;
    assert_eq!((&stale["userErrors"][0]["code"], &stale["userErrors"][0]["current"]["version"]), (&json!("STALE"), &json!(1)), "{stale}");
    let open = work(&server, "reopenCase", json!({"caseId": id})).await;
    assert_eq!((&open["userErrors"][0]["code"], &open["case"]["version"]), (&json!("NOT_ALLOWED"), &json!(1)), "it is open: {open}");

    let close = json!({"caseId": id, "resolution": {"value": "fine"}, "dispositionNarrative": "Nothing found.", "closeReason": "FALSE_POSITIVE",
        "comment": "at last", "expectedVersion": 1, "idempotencyKey": ids.of("close")});
    for _ in 0..2 {
        assert_eq!(done(&server, "closeCase", close.clone()).await, 2, "the same key closes once");
    }
    let shown = server.get(&format!("/api/cases/{id}")).await.expect(200).json();
    assert_eq!((&shown["resolution"], &shown["narrative"]), (&json!({"value": "fine"}), &json!("Nothing found.")));
    let closed = work(&server, "closeCase", json!({"caseId": id})).await;
    assert_eq!(
        (&closed["userErrors"][0]["code"], &closed["userErrors"][0]["current"]["state"]),
        (&json!("NOT_ALLOWED"), &json!("CLOSED")),
        "{closed}"
    );

    assert_eq!(done(&server, "reopenCase", json!({"caseId": id, "comment": "not yet"})).await, 3);
    let query = "query($id: ID!) { case(id: $id) { closeReason narrative resolution step { stepId state } } }";
    let shown = server.graphql(query, json!({"id": id})).await["case"].take();
    let wanted = json!({"closeReason": "FALSE_POSITIVE", "narrative": "Nothing found.", "resolution": {"value": "fine"},
        "step": {"stepId": "to-do", "state": "OPEN"}});
    assert_eq!(shown, wanted, "what was said stays");
    // Closed again without a word, it has the resolution that is known, and no reason.
    done(&server, "closeCase", json!({"caseId": id})).await;

    let metadata = json!({"m": 1});
    let acted = |action: &str, comment: Value| json!({"id": id, "actionName": action, "comment": comment, "metadata": metadata});
    let moved = |from: &str, to: &str, action: &str| json!({"id": id, "workflowId": "default-analysis", "fromStepId": from, "toStepId": to, "actionName": action});
    let closed = |narrative: Value, comment: Value, reason: Value| json!({"id": id, "resolution": {"value": "fine"}, "dispositionNarrative": narrative, "comment": comment, "closeReason": reason, "metadata": metadata});
    let wanted = [
        ("case.created", json!({"id": id, "processId": "default-analysis", "metadata": metadata})),
        ("case.workflow.actioned", acted("CLOSE", json!("at last"))),
        ("case.workflow.transitioned", moved("to-do", "closed", "CLOSE")),
        ("case.closed", closed(json!("Nothing found."), json!("at last"), json!("FALSE_POSITIVE"))),
        ("case.workflow.actioned", acted("REOPEN", json!("not yet"))),
        ("case.workflow.transitioned", moved("closed", "to-do", "REOPEN")),
        ("case.workflow.actioned", acted("CLOSE", Value::Null)),
        ("case.workflow.transitioned", moved("to-do", "closed", "CLOSE")),
        ("case.closed", closed(Value::Null, Value::Null, Value::Null)),
    ];
    assert_eq!(without_user(events(&mut server, &id)), wanted.map(|(name, data)| (name.to_owned(), data)));
}

async fn a_workflow_of_its_own_words_is_closed_and_reopened(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let step = |id: &str, state: &str| json!({"id": id, "label": id, "status": id.to_uppercase(), "state": state});
    let workflow = json!({"id": ids.of("words"), "name": "Words", "type": "ANALYSIS",
        "steps": [step("new", "OPEN"), step("looked-at", "OPEN"), step("done", "CLOSED"), step("dropped", "CLOSED")],
        "moves": [{"action": "LOOK", "from": "new", "to": "looked-at"}, {"action": "FINISH", "from": "looked-at", "to": "done"},
            {"action": "DROP", "from": "looked-at", "to": "dropped"}, {"action": "REVIVE", "from": "dropped", "to": "new"}]});
    let query = "mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }";
    server.graphql(query, json!({"input": {"workflow": workflow}})).await;
    let id = made(&server, json!({"workflow_id": ids.of("words")})).await;
    let code = async |field: &str, more: Value| work(&server, field, with(json!({"caseId": id}), more)).await["userErrors"][0].take();

    assert_eq!(code("closeCase", json!({})).await["code"], "NOT_ALLOWED", "nothing is closed from the first step");
    done(&server, "actOnCase", json!({"caseId": id, "action": "LOOK"})).await;
    let which = code("closeCase", json!({})).await;
    assert_eq!((&which["code"], &which["message"]), (&json!("INVALID"), &json!("action: must say by which of several actions: DROP, FINISH")));
    assert_eq!(code("closeCase", json!({"action": "LOOK"})).await["code"], "NOT_ALLOWED");
    done(&server, "closeCase", json!({"caseId": id, "action": "DROP", "closeReason": "no time"})).await;
    let shown = server.get(&format!("/api/cases/{id}")).await.expect(200).json();
    assert_eq!((&shown["workflow"]["step_id"], &shown["workflow"]["state"]), (&json!("dropped"), &json!("CLOSED")));
    done(&server, "reopenCase", json!({"caseId": id})).await;
    done(&server, "actOnCase", json!({"caseId": id, "action": "LOOK"})).await;
    done(&server, "closeCase", json!({"caseId": id, "action": "FINISH"})).await;
    assert_eq!(code("reopenCase", json!({})).await["code"], "NOT_ALLOWED", "no way leads back from there");
}

async fn an_observation_is_whitelisted_once(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (known, named) = (ids.of("known"), ids.of("named"));
    taken(&server, with(observation(&known), json!({"metadata": {"k": 1}, "customData": {"d": [1.50]}}))).await;
    let id = made(&server, json!({"observation_ids": [known, named], "metadata": {"m": 1}})).await;
    let whitelist = |observation: &str, comment: Value| json!({"caseId": id, "observationId": observation, "comment": comment});
    for (observation, comment, version) in
        [(&known, json!("Salaries."), 2), (&known, json!("Again."), 2), (&known, Value::Null, 2), (&named, Value::Null, 3)]
    {
        assert_eq!(done(&server, "whitelistObservation", whitelist(observation, comment)).await, version);
    }
    let query = "query($case: ID!, $observation: ID!) {
        case(id: $case) { observations { edges { action node { id } } } observationActions { totalCount edges { node { action comment observation { id } } } } }
        observation(id: $observation) { actions { totalCount edges { node { action userId createdAt comment case { id } } } } } }";
    let shown = server.graphql(query, json!({"case": id, "observation": known})).await;
    let edge = |id: &str| json!({"action": "WHITELIST", "node": {"id": id}});
    assert_eq!(shown["case"]["observations"]["edges"], json!([edge(&known), edge(&named)]));
    // One whose record has not come is behind all others in each order, and first when it is turned round.
    let query = "query($case: ID!, $order: ObservationOrder, $after: String) {
        case(id: $case) { observations(first: 1, after: $after, orderBy: $order) { pageInfo { endCursor } nodes { id } } } }";
    let page = async |order: &Value, after: &Value| {
        server.graphql(query, json!({"case": id, "order": order, "after": after})).await["case"]["observations"].take()
    };
    for (order, wanted) in [
        (json!({"field": "SCORE"}), [&known, &named]),
        (json!({"field": "SCORE", "direction": "ASC"}), [&named, &known]),
        (json!({"field": "DATE", "direction": "ASC"}), [&named, &known]),
    ] {
        let first = page(&order, &Value::Null).await;
        let second = page(&order, &first["pageInfo"]["endCursor"]).await;
        assert_eq!([&first["nodes"][0]["id"], &second["nodes"][0]["id"]], [&json!(wanted[0]), &json!(wanted[1])], "{order}");
    }
    let action = |comment: Value, id: &str| json!({"node": {"action": "WHITELIST", "comment": comment, "observation": {"id": id}}});
    let wanted = json!({"totalCount": 2, "edges": [action(Value::Null, &named), action(json!("Salaries."), &known)]});
    assert_eq!(shown["case"]["observationActions"], wanted, "what was said first stays");
    let actions = &shown["observation"]["actions"];
    let node = &actions["edges"][0]["node"];
    assert_eq!((&actions["totalCount"], &node["comment"], &node["case"]["id"]), (&json!(1), &json!("Salaries."), &json!(id)));
    assert!(node["userId"].is_string() && node["createdAt"].is_string(), "{node}");

    let told = without_user(events(&mut server, &id));
    let actioned = |observation: &str, comment: Value, metadata: Value, custom_data: Value| {
        let data = json!({"id": id, "observationId": observation, "actionName": "WHITELIST", "comment": comment, "caseMetadata": {"m": 1},
            "observationMetadata": metadata, "observationCustomData": custom_data});
        ("case.observations.actioned".to_owned(), data)
    };
    let wanted =
        [actioned(&known, json!("Salaries."), json!({"k": 1}), json!({"d": [1.50]})), actioned(&named, Value::Null, Value::Null, Value::Null)];
    assert_eq!(told[1..], wanted);
    let query = format!(
        "MATCH (c:`Case` {{id: '{id}'}})-[:HAS_OBSERVATION_ACTION]->(a:ObservationAction)-[:TAKEN_ON]->(o:Observation {{id: '{known}'}})<-[r:RAISED_FROM]-(c)
         RETURN a.name AS name, a.comment AS comment, a.caseId AS case, r.action AS action"
    );
    assert_eq!(server.cypher(&query), [json!({"name": "WHITELIST", "comment": "Salaries.", "case": id, "action": "WHITELIST"})]);
}

/// A payment that an observation cites, and a case that was raised from that.
async fn case_with_a_payment(api: &Api, ids: &Ids) -> (String, String) {
    let payment = ids.of("cited");
    paid(api, &Payment::new(&payment, ids.of("payer"), ids.of("payee"))).await;
    taken(api, with(observation(&ids.of("o")), json!({"transactionIds": [payment, ids.of("awaited")]}))).await;
    (made(api, json!({"observation_ids": [ids.of("o")], "actors": [{"id": ids.of("person"), "type": "FOCAL"}]})).await, payment)
}

async fn a_transaction_is_blocked_and_released(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (id, payment) = case_with_a_payment(&server, &ids).await;
    let decide = |decision: &str, comment: Value| json!({"caseId": id, "transactionId": payment, "decision": decision, "comment": comment});
    for (decision, comment, version) in
        [("BLOCK", json!("Wait."), 2), ("BLOCK", json!("The same."), 2), ("RELEASE", Value::Null, 3), ("BLOCK", json!("After all."), 4)]
    {
        assert_eq!(done(&server, "decideTransaction", decide(decision, comment)).await, version, "{decision}");
    }
    let query = "query($case: ID!, $payment: ID!) {
        case(id: $case) { decidedTransactions { totalCount edges { decision decidedBy decidedAt comment node { id amount } } }
            transactions { totalCount edges { observationIds decision comment node { id } } }
            large: transactions(filter: {minStandardizedAmount: 1e12}) { totalCount edges { node { id } } } }
        transaction(id: $payment) { decidedIn { totalCount edges { decision comment node { id version } } } } }";
    let shown = server.graphql(query, json!({"case": id, "payment": payment})).await;
    let edge = &shown["case"]["decidedTransactions"]["edges"][0];
    assert!(edge["decidedBy"].is_string() && edge["decidedAt"].is_string(), "{edge}");
    assert_eq!((&edge["decision"], &edge["comment"], &edge["node"]["id"]), (&json!("BLOCK"), &json!("After all."), &json!(payment)));
    let wanted = json!({"totalCount": 1, "edges": [{"decision": "BLOCK", "comment": "After all.", "node": {"id": id, "version": 4}}]});
    assert_eq!((&shown["transaction"]["decidedIn"], &shown["case"]["decidedTransactions"]["totalCount"]), (&wanted, &json!(1)));
    // The alert cites another one, which has not come and so is no payment yet.
    let wanted = json!({"observationIds": [ids.of("o")], "decision": "BLOCK", "comment": "After all.", "node": {"id": payment}});
    assert_eq!(shown["case"]["transactions"], json!({"totalCount": 1, "edges": [wanted]}));
    assert_eq!(shown["case"]["large"], json!({"totalCount": 0, "edges": []}));
    let path = format!("/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&caseId={id}&logType=UPDATE");
    let entries = server.get(&path).await.expect(200).json();
    let replaced: Vec<&Value> = entries["values"].as_array().expect("entries").iter().map(|entry| &entry["json_"]["oldValue"]).collect();
    let before = |decision: &str| Value::from(json!({"transactionId": payment, "decision": decision}).to_string());
    assert!(replaced.contains(&&before("BLOCK")) && replaced.contains(&&before("RELEASE")), "{replaced:?}");
    // The record of the payment comes again: what was decided stays.
    paid(&server, &Payment::new(&payment, ids.of("payer"), ids.of("payee")).amount("11.00")).await;

    let told = without_user(events(&mut server, &id));
    let data = |decision: &str| json!({"id": id, "transactionId": payment, "decision": decision});
    let wanted = ["BLOCK", "RELEASE", "BLOCK"].map(|decision| ("case.transaction.decision.updated".to_owned(), data(decision)));
    assert_eq!(told[1..], wanted);
    let query = format!(
        "MATCH (c:`Case` {{id: '{id}'}})-[r:DECIDED_ON]->(t:Transaction) RETURN t.id AS id, r.decision AS decision, r.comment AS comment, r.at > 0 AS dated"
    );
    assert_eq!(server.cypher(&query), [json!({"id": payment, "decision": "BLOCK", "comment": "After all.", "dated": true})]);

    for _ in 0..2 {
        let take_back = json!({"caseId": id, "transactionId": payment, "decision": null});
        assert_eq!(done(&server, "decideTransaction", take_back).await, 5, "once");
    }
    assert_eq!(server.cypher(&query), Vec::<Value>::new());
    let last = without_user(events(&mut server, &id)).pop();
    assert_eq!(last, Some(("case.transaction.decision.updated".to_owned(), json!({"id": id, "transactionId": payment, "decision": null}))));
}

async fn only_transactions_of_the_case_are_decided_about(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (cited, payment) = case_with_a_payment(&server, &ids).await;
    let party = Payment::new(ids.of("to-a-party"), ids.of("k"), "none");
    let counterparty = json!({"object": "INDIVIDUAL", "id": ids.of("party"), "metadata": {"identifiable_as_actor": "true"}});
    let mut record: Value = serde_json::from_str(&party.text()).expect("JSON");
    record["counterparty"] = counterparty;
    sent(&server, PAYMENTS, record.to_string()).await;
    let owner = made(&server, json!({"actors": [{"id": format!("owner-of-{}", ids.of("payer"))}]})).await;
    let counterparty = made(&server, json!({"actors": [{"id": ids.of("party"), "type": "FOCAL"}]})).await;
    let table = [
        (&cited, &payment, None),
        (&owner, &payment, None),
        (&counterparty, &party.id, None),
        (&counterparty, &payment, Some("INVALID")),
        (&owner, &party.id, Some("INVALID")),
        (&cited, &ids.of("awaited"), Some("INVALID")),
        (&cited, &ids.of("none"), Some("INVALID")),
    ];
    for (case, transaction, wanted) in table {
        let payload = work(&server, "decideTransaction", json!({"caseId": case, "transactionId": transaction, "decision": "BLOCK"})).await;
        assert_eq!(payload["userErrors"][0]["code"].as_str(), wanted, "{transaction}: {payload}");
        if wanted.is_some() {
            assert!(payload["userErrors"][0]["message"].as_str().is_some_and(|text| text.starts_with("transactionId: ")), "{payload}");
        }
    }
}

async fn cases_are_tagged_placed_and_their_actors_decided(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (focal, other, urgent, tax) = (ids.of("focal"), ids.of("other"), ids.of("urgent"), ids.of("tax"));
    let id = made(&server, json!({"actors": [{"id": focal, "type": "FOCAL"}, {"id": other}]})).await;
    let tag = |id: &str, label: &str| json!({"id": id, "label": label});
    let steps = [
        ("tagCase", json!({"add": [tag(&urgent, "Urgent"), tag(&tax, "Tax")]}), 2),
        ("tagCase", json!({"add": [tag(&urgent, "Another name")]}), 2),
        ("tagCase", json!({"remove": [tax, ids.of("none")]}), 3),
        ("tagCase", json!({"remove": [tax]}), 3),
        ("setCaseJurisdiction", json!({"jurisdiction": "DE"}), 4),
        // By its name of before: the same, and nothing more to change.
        ("placeCase", json!({"jurisdiction": "DE"}), 4),
        ("setCaseActorFinding", json!({"actorId": focal, "decision": "CLEARED"}), 5),
        ("decideActor", json!({"actorId": focal, "decision": "CLEARED"}), 5),
        ("decideActor", json!({"actorId": other, "decision": "REPORTED"}), 6),
        ("setCaseActorFinding", json!({"actorId": other, "decision": null}), 7),
    ];
    for (field, input, version) in steps {
        assert_eq!(done(&server, field, with(json!({"caseId": id}), input.clone())).await, version, "{field} {input}");
    }
    let case = server.get(&format!("/api/cases/{id}")).await.expect(200).json();
    assert_eq!((&case["tags"], &case["jurisdiction"]), (&json!([tag(&urgent, "Urgent")]), &json!("DE")));
    let decisions: Vec<&Value> = case["actors"].as_array().expect("actors").iter().map(|actor| &actor["decision"]).collect();
    assert_eq!(decisions, [&json!("CLEARED"), &Value::Null]);
    let shown = server.graphql("query($id: ID!) { case(id: $id) { jurisdiction tags { id label } } }", json!({"id": id})).await;
    assert_eq!(shown["case"], json!({"jurisdiction": "DE", "tags": [tag(&urgent, "Urgent")]}));
    for (filter, wanted) in [(&urgent, 1), (&tax, 0)] {
        let listed = server.get(&format!("/api/cases?filter.tags.id.in[]={filter}")).await.expect(200).json();
        assert_eq!(listed.as_array().map(Vec::len), Some(wanted), "{filter}: {listed}");
    }
    // A case has at most a hundred tags, however they came.
    let many = |from: usize, count| (from..from + count).map(|at| tag(&ids.of(&format!("many-{at}")), "T")).collect::<Vec<_>>();
    let keyed = json!({"caseId": id, "add": many(0, 99), "idempotencyKey": ids.of("tags")});
    for _ in 0..2 {
        assert_eq!(done(&server, "tagCase", keyed.clone()).await, 8, "the same key tags once");
    }
    let refused = work(&server, "tagCase", json!({"caseId": id, "add": many(99, 1)})).await;
    assert_eq!(refused["userErrors"][0]["message"], "add: a case has at most 100 tags");
    assert_eq!(done(&server, "tagCase", json!({"caseId": id, "add": many(99, 1), "remove": [urgent]})).await, 9);
    let told: Vec<String> = events(&mut server, &id).into_iter().map(|event| event.0).collect();
    assert_eq!(told, [vec!["case.created"], vec!["case.updated"; 8]].concat());
}

async fn rules_of_inputs(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, payment) = case_with_a_payment(&server, &ids).await;
    let long = "x".repeat(10_001);
    let many = |count| (0..count).map(|at| json!({"id": format!("t{at}"), "label": "T"})).collect::<Vec<_>>();
    let table = [
        ("commentOnCase", json!({"text": long}), "text: must be at most 10000 characters"),
        ("actOnCase", json!({"action": "CLAIM", "comment": long}), "comment: must be at most 10000 characters"),
        ("closeCase", json!({"dispositionNarrative": "x".repeat(100_001)}), "dispositionNarrative: must be at most 100000 characters"),
        ("closeCase", json!({"closeReason": "x".repeat(1_001)}), "closeReason: must be at most 1000 characters"),
        ("whitelistObservation", json!({"observationId": ids.of("o"), "comment": long}), "comment: must be at most 10000 characters"),
        ("whitelistObservation", json!({"observationId": "none"}), "observationId: the case was not raised from an observation with this id"),
        ("decideTransaction", json!({"transactionId": payment, "decision": "BLOCK", "comment": long}), "comment: must be at most 10000 characters"),
        ("tagCase", json!({"add": [{"id": "t", "label": " "}]}), "add[0].label: must not be empty"),
        ("tagCase", json!({"add": [{"id": "t", "label": "T"}], "remove": ["t"]}), "add[0].id: must not be removed as well"),
        ("tagCase", json!({"add": [{"id": "t", "label": "T"}, {"id": "t", "label": "U"}]}), "add[1].id: must not come twice"),
        ("tagCase", json!({"add": [{"id": "t", "label": "x".repeat(1_001)}]}), "add[0].label: must be at most 1000 characters"),
        ("tagCase", json!({"add": many(101)}), "add: must be at most 100 tags"),
        ("setCaseJurisdiction", json!({"jurisdiction": ""}), "jurisdiction: must not be empty"),
        ("setCaseActorFinding", json!({"actorId": ids.of("a"), "decision": " "}), "decision: must not be empty"),
        ("setCaseActorFinding", json!({"actorId": "none", "decision": "CLEARED"}), "actorId: must be the id of an actor of the case"),
    ];
    for (field, more, message) in table {
        let payload = work(&server, field, with(json!({"caseId": id}), more)).await;
        let error = &payload["userErrors"][0];
        assert_eq!((&error["code"], &error["message"]), (&json!("INVALID"), &json!(message)), "{field}");
        assert_eq!(payload["case"]["version"], 1, "{field}");
    }
    for (field, more) in [
        ("closeCase", json!({})),
        ("reopenCase", json!({})),
        ("whitelistObservation", json!({"observationId": ids.of("o")})),
        ("decideTransaction", json!({"transactionId": payment, "decision": "RELEASE"})),
        ("tagCase", json!({"add": [{"id": ids.of("t"), "label": "T"}]})),
        ("setCaseJurisdiction", json!({"jurisdiction": "DE"})),
        ("setCaseActorFinding", json!({"actorId": ids.of("a"), "decision": "CLEARED"})),
    ] {
        let stale = work(&server, field, with(json!({"caseId": id, "expectedVersion": 2}), more.clone())).await;
        assert_eq!((&stale["userErrors"][0]["code"], &stale["userErrors"][0]["current"]["version"]), (&json!("STALE"), &json!(1)), "{field}");
        let nowhere = work(&server, field, with(json!({"caseId": case_id()}), more.clone())).await;
        assert_eq!((&nowhere["userErrors"][0]["code"], &nowhere["case"]), (&json!("NOT_FOUND"), &Value::Null), "{field}");
        let key = work(&server, field, with(json!({"caseId": id, "idempotencyKey": ""}), more)).await;
        assert!(key["userErrors"][0]["message"].as_str().is_some_and(|text| text.starts_with("idempotencyKey: ")), "{field}: {key}");
    }
}

async fn who_may(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, payment) = case_with_a_payment(&server, &ids).await;
    for (role, allowed) in [("INGEST", false), ("ANALYST", true), ("SUPERVISOR", true), ("AUDITOR", false), ("ADMIN", true)] {
        let key = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(key["key"].as_str().expect("a key"));
        for (field, kind, more) in [
            ("whitelistObservation", "WhitelistObservationInput", json!({"observationId": ids.of("o")})),
            ("decideTransaction", "DecideTransactionInput", json!({"transactionId": payment, "decision": "BLOCK"})),
            ("tagCase", "TagCaseInput", json!({"add": [{"id": ids.of("t"), "label": "T"}]})),
            ("setCaseJurisdiction", "SetCaseJurisdictionInput", json!({"jurisdiction": "DE"})),
            ("setCaseActorFinding", "SetCaseActorFindingInput", json!({"actorId": ids.of("person"), "decision": role})),
            ("closeCase", "CloseCaseInput", json!({})),
            ("reopenCase", "ReopenCaseInput", json!({})),
        ] {
            let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ userErrors {{ code }} }} }}");
            let answer = api.graphql_answer(&query, json!({"input": with(json!({"caseId": id}), more)})).await;
            match allowed {
                true => assert_eq!(answer, json!({"data": {field: {"userErrors": []}}}), "{role} {field}"),
                false => assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role} {field}: {answer}"),
            }
        }
        if !allowed {
            let query = "mutation($input: DecideTransactionInput!) { decideTransaction(input: $input) { userErrors { code } } }";
            let answer = api.graphql_answer(query, json!({"input": {"caseId": id, "transactionId": payment}})).await;
            assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role}, whatever is left out: {answer}");
        }
    }
}
