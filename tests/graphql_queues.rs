//! Queues of cases: what a case says of its step, and each filter and order, page by page, against plain code over all cases that the test made.

use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::case_work::{done, made};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: filters_and_orders_are_those_of_plain_code; embedded: mine_needs_a_user];

const CASES: usize = 9;
const FIELDS: &str =
    "id createdAt stepSince dueAt overdue closedAt riskBand assignee { id } step { state stepId } focalActors { nodes { id } } createdBy { kind }";

/// All pages of three, in an order.
async fn pages(api: &Api, filter: &Value, order: &Value) -> Vec<String> {
    let query =
        "query($filter: CaseFilter, $orderBy: CaseOrder, $after: String) { cases(first: 3, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount pageInfo { hasNextPage endCursor } nodes { id } } }";
    let (mut ids, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut page = api.graphql(query, json!({"filter": filter, "orderBy": order, "after": after})).await["cases"].take();
        ids.extend(page["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].as_str().expect("an id").to_owned()));
        if page["pageInfo"]["hasNextPage"] == false {
            assert_eq!(page["totalCount"], json!(ids.len()), "{filter}");
            return ids;
        }
        after = page["pageInfo"]["endCursor"].take();
    }
}

fn time(value: &Value) -> Option<i64> {
    serde_json::from_value::<Option<Timestamp>>(value.clone()).expect("a time").map(|at| at.millis())
}

fn risk(case: &Value) -> i64 {
    ["low_risk", "medium_risk", "high_risk"].iter().zip(1..).find(|(band, _)| case["riskBand"] == **band).map_or(0, |(_, number)| number)
}

async fn filters_and_orders_are_those_of_plain_code(engine: Engine) {
    let server = Server::shared(engine);
    let ids = Ids::new();
    let flow = ids.of("flow");
    let step = |id: &str, state: &str, due: Value| json!({"id": id, "label": id, "status": id, "state": state, "dueWithinSeconds": due});
    let workflow = json!({"id": flow, "name": "Queues", "type": "ANALYSIS",
        "steps": [step("new", "OPEN", json!(3600)), step("soon", "OPEN", json!(60)), step("idle", "OPEN", Value::Null), step("done", "CLOSED", Value::Null)],
        "moves": [{"action": "HURRY", "from": "new", "to": "soon"}, {"action": "REST", "from": "new", "to": "idle"},
            {"action": "CLOSE", "from": "new", "to": "done"}, {"action": "CLOSE", "from": "soon", "to": "done"}, {"action": "CLOSE", "from": "idle", "to": "done"}]});
    server.graphql("mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }", json!({"input": {"workflow": workflow}})).await;
    let mut cases = Vec::new();
    for n in 0..CASES {
        let actors = json!([{"id": ids.of(&format!("actor-{}", n % 3)), "type": "FOCAL"}]);
        let id = made(&server, json!({"workflow_id": flow, "actors": actors})).await;
        if n % 2 == 0 {
            done(&server, "assignCase", json!({"caseId": id, "userId": ids.of(&format!("user-{}", n % 4))})).await;
        }
        if n % 4 != 0 {
            let action = ["", "HURRY", "REST", "CLOSE"][n % 4];
            done(&server, "actOnCase", json!({"caseId": id, "action": action})).await;
        }
        done(&server, "commentOnCase", json!({"caseId": id, "text": format!("Remark {} of Straße", ids.of(["one", "two"][n % 2]))})).await;
        cases.push(id);
    }
    // A score that comes later counts for the cases that are there; of two scores the later one.
    for (actor, score) in [("actor-0", 99), ("actor-1", 99), ("actor-1", 0)] {
        let day = format!("2024-01-0{}", 2 - score / 99);
        let body = json!({"as_of_date": day, "final_score": score, "risk_rule_id": "queues"});
        server.post(&format!("/api/actors/{}/risk_scores", ids.of(actor)), body.to_string()).await.expect(200);
    }
    let mut facts = Vec::new();
    for id in &cases {
        facts.push(server.graphql(&format!("query($id: ID!) {{ case(id: $id) {{ {FIELDS} }} }}"), json!({"id": id})).await["case"].take());
    }
    for (n, case) in facts.iter().enumerate() {
        let wait = [Some(3_600_000), Some(60_000), None, None][n % 4];
        let since = time(&case["stepSince"]).expect("a time");
        assert_eq!(time(&case["dueAt"]), wait.map(|wait| since + wait), "{case}");
        assert_eq!(time(&case["closedAt"]), (n % 4 == 3).then_some(since), "{case}");
        assert_eq!((&case["overdue"], &case["createdBy"]["kind"]), (&json!(false), &json!("API_KEY")), "{case}");
        assert_eq!(risk(case), [3, 1, 0][n % 3], "{case}");
        assert_eq!(case["focalActors"]["nodes"], json!([{"id": ids.of(&format!("actor-{}", n % 3))}]));
    }
    type Key = fn(&Value) -> i64;
    let orders: [(&str, Key); 4] = [
        ("DUE_AT", |case| time(&case["dueAt"]).unwrap_or(i64::MAX)),
        ("STEP_SINCE", |case| time(&case["stepSince"]).unwrap_or_default()),
        ("CLOSED_AT", |case| time(&case["closedAt"]).unwrap_or_default()),
        ("RISK", risk),
    ];
    let user = ids.of("user-0");
    let filters: [(Value, Box<dyn Fn(&Value) -> bool + Send + Sync>); 9] = [
        (json!({}), Box::new(|_| true)),
        (json!({"assigneeIds": [user]}), Box::new(move |case| case["assignee"]["id"] == user.as_str())),
        (json!({"assigned": false, "states": ["OPEN"]}), Box::new(|case| case["assignee"].is_null() && case["step"]["state"] == "OPEN")),
        (json!({"states": ["CLOSED"]}), Box::new(|case| case["step"]["state"] == "CLOSED")),
        (json!({"riskBands": ["high_risk", "low_risk"]}), Box::new(|case| risk(case) != 0)),
        (json!({"overdue": true}), Box::new(|case| case["overdue"] == true)),
        (json!({"dueFrom": "2020-01-01T00:00:00Z"}), Box::new(|case| !case["dueAt"].is_null())),
        (json!({"closedFrom": "2020-01-01T00:00:00Z"}), Box::new(|case| !case["closedAt"].is_null())),
        (json!({"stepIds": ["new", "idle"]}), Box::new(|case| case["step"]["stepId"] == "new" || case["step"]["stepId"] == "idle")),
    ];
    for (filter, holds) in &filters {
        let mut filter = filter.clone();
        filter["workflowIds"] = json!([flow]);
        for (field, key) in orders {
            // Equal cases come by what tells them apart, which the reverse order turns round: so the keys are compared, and the cases as a set.
            let by_id = |id: &String| facts.iter().find(|case| case["id"] == id.as_str()).expect("one of these");
            let found = pages(&server, &filter, &json!({"field": field, "direction": "ASC"})).await;
            let mut wanted: Vec<&Value> = facts.iter().filter(|case| holds(case)).collect();
            wanted.sort_by_key(|case| key(case));
            let keys: Vec<i64> = found.iter().map(|id| key(by_id(id))).collect();
            assert_eq!(keys, wanted.iter().map(|case| key(case)).collect::<Vec<i64>>(), "{field} {filter}");
            let mut turned = pages(&server, &filter, &json!({"field": field, "direction": "DESC"})).await;
            turned.reverse();
            assert_eq!(turned, found, "{field} {filter}");
            assert!(found.iter().all(|id| holds(by_id(id))), "{filter}");
        }
    }
    let id_order = json!({"field": "ID", "direction": "ASC"});
    for (filter, every, rest) in [
        (json!({"text": format!("REMARK {}", ids.of("two"))}), 2, 1),
        (json!({"focalActorIds": [ids.of("actor-2")]}), 3, 2),
        (json!({"actorIds": [ids.of("actor-1")]}), 3, 1),
    ] {
        let mut filter = filter.clone();
        filter["workflowIds"] = json!([flow]);
        let mut wanted: Vec<String> = (0..CASES).filter(|n| n % every == rest).map(|n| cases[n].clone()).collect();
        wanted.sort();
        assert_eq!(pages(&server, &filter, &id_order).await, wanted, "{filter}");
    }
}

async fn mine_needs_a_user(engine: Engine) {
    let server = Server::shared(engine);
    for query in ["{ cases(filter: {mine: true}) { nodes { id } } }", "{ requestsForData(filter: {mine: true}) { nodes { id } } }"] {
        let answer = server.graphql_answer(query, json!({})).await;
        assert!(
            answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("filter.mine: must be said with a token")),
            "{answer}"
        );
    }
}
