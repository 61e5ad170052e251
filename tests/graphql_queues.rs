//! Queues of cases: what a case says of its step, and each filter and order, page by page, against plain code over all cases that the test made.

use std::time::Duration;

use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::bulk::{bulk_actor, eventually_is, taken};
use crate::support::case_work::{done, made};
use crate::support::fixtures::{actor, with};
use crate::support::requests::{ask, asked, reject, schema};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, observations, tests};
use crate::users::Issuer;

tests![both: filters_and_orders_are_those_of_plain_code, what_is_done_with_a_case_moves_it_between_queues; embedded: mine_is_of_the_user_of_the_token];

const CASES: usize = 10;
const FIELDS: &str = "id createdAt stepSince dueAt overdue closedAt riskBand closeReason jurisdiction source assignee { id } step { state stepId }
    focalActors { nodes { id } } createdBy { id kind }";
/// What is due within a second is overdue by then, however busy the machine is.
const SOON: Duration = Duration::from_secs(60);

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

/// A step of a workflow, due within so many seconds.
fn step(id: &str, state: &str, due: Option<i64>) -> Value {
    json!({"id": id, "label": id, "status": id, "state": state, "dueWithinSeconds": due})
}

async fn workflow(api: &Api, id: &str, steps: Value, moves: Value) {
    let workflow = json!({"id": id, "name": "Queues", "type": "ANALYSIS", "steps": steps, "moves": moves});
    api.graphql("mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }", json!({"input": {"workflow": workflow}})).await;
}

/// Sends a score of an actor, as of a day of January 2024.
async fn scored(api: &Api, actor: &str, score: i64, day: i64) {
    let body = json!({"as_of_date": format!("2024-01-{day:02}"), "final_score": score, "risk_rule_id": "queues"});
    api.post(&format!("/api/actors/{actor}/risk_scores"), body.to_string()).await.expect(200);
}

fn risk(case: &Value) -> i64 {
    ["low_risk", "medium_risk", "high_risk"].iter().zip(1..).find(|(band, _)| case["riskBand"] == **band).map_or(0, |(_, number)| number)
}

/// Whether a filter keeps a case, by what the case says.
type Holds = Box<dyn Fn(&Value) -> bool + Send + Sync>;

async fn filters_and_orders_are_those_of_plain_code(engine: Engine) {
    let server = Server::shared(engine);
    let ids = Ids::new();
    let flow = ids.of("flow");
    let steps = json!([
        step("new", "OPEN", Some(3_600)),
        step("soon", "OPEN", Some(86_400)),
        step("idle", "OPEN", None),
        step("late", "OPEN", Some(1)),
        step("done", "CLOSED", None)
    ]);
    let way = |action: &str, from: &str, to: &str| json!({"action": action, "from": from, "to": to});
    let begin = [way("HURRY", "new", "soon"), way("REST", "new", "idle"), way("LINGER", "new", "late")];
    let moves = [&begin[..], &["new", "soon", "idle", "late"].map(|step| way("CLOSE", step, "done"))].concat();
    workflow(&server, &flow, steps, json!(moves)).await;
    let mut cases = Vec::new();
    for n in 0..CASES {
        let actors = json!([{"id": ids.of(&format!("actor-{}", n % 3)), "type": "FOCAL"}]);
        let id = made(&server, json!({"workflow_id": flow, "actors": actors})).await;
        if n % 2 == 0 {
            done(&server, "assignCase", json!({"caseId": id, "userId": ids.of(&format!("user-{}", n % 4))})).await;
        }
        let reason = ids.of(&format!("reason-{n}"));
        let (mutation, more) = match n % 5 {
            3 => ("closeCase", json!({"closeReason": reason})),
            step => ("actOnCase", json!({"action": (["", "HURRY", "REST", "", "LINGER"][step])})),
        };
        if n % 5 != 0 {
            done(&server, mutation, with(json!({"caseId": id}), more)).await;
        }
        if n % 3 == 1 {
            done(&server, "setCaseJurisdiction", json!({"caseId": id, "jurisdiction": ids.of("law")})).await;
        }
        done(&server, "commentOnCase", json!({"caseId": id, "text": format!("Remark {} of Straße", ids.of(["one", "two"][n % 2]))})).await;
        cases.push(id);
    }
    // A score that comes later counts for the cases that are there; of two scores the later one.
    for (actor, score, day) in [("actor-0", 99, 1), ("actor-1", 99, 1), ("actor-1", 0, 2)] {
        scored(&server, &ids.of(actor), score, day).await;
    }
    for id in cases.iter().skip(4).step_by(5) {
        let query = "query($id: ID!) { case(id: $id) { overdue } }";
        eventually("it is overdue", SOON, async || server.graphql(query, json!({"id": id})).await["case"]["overdue"] == true).await;
    }
    let mut facts = Vec::new();
    for id in &cases {
        facts.push(server.graphql(&format!("query($id: ID!) {{ case(id: $id) {{ {FIELDS} }} }}"), json!({"id": id})).await["case"].take());
    }
    for (n, case) in facts.iter().enumerate() {
        let wait = [Some(3_600_000), Some(86_400_000), None, None, Some(1_000)][n % 5];
        let since = time(&case["stepSince"]).expect("a time");
        assert_eq!(time(&case["dueAt"]), wait.map(|wait| since + wait), "{case}");
        assert_eq!(time(&case["closedAt"]), (n % 5 == 3).then_some(since), "{case}");
        assert_eq!((&case["overdue"], &case["createdBy"]["kind"]), (&json!(n % 5 == 4), &json!("API_KEY")), "{case}");
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
    let (of_user, of_user_overdue) = (user.clone(), user.clone());
    let filters: [(Value, Holds); 11] = [
        (json!({}), Box::new(|_| true)),
        (json!({"assigneeIds": [user]}), Box::new(move |case| case["assignee"]["id"] == of_user.as_str())),
        (json!({"assigned": false, "states": ["OPEN"]}), Box::new(|case| case["assignee"].is_null() && case["step"]["state"] == "OPEN")),
        (json!({"states": ["CLOSED"]}), Box::new(|case| case["step"]["state"] == "CLOSED")),
        (json!({"riskBands": ["high_risk", "low_risk"]}), Box::new(|case| risk(case) != 0)),
        (json!({"overdue": true}), Box::new(|case| case["overdue"] == true)),
        (json!({"overdue": true, "assigned": false}), Box::new(|case| case["overdue"] == true && case["assignee"].is_null())),
        (
            json!({"overdue": true, "assigneeIds": [user]}),
            Box::new(move |case| case["overdue"] == true && case["assignee"]["id"] == of_user_overdue.as_str()),
        ),
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
    let (due, closed) = (time(&facts[0]["dueAt"]).expect("a time") + 1, time(&facts[3]["closedAt"]).expect("a time") + 1);
    let (due_at, closed_at) = (Timestamp(due).to_string(), Timestamp(closed).to_string());
    let reason = facts[3]["closeReason"].clone();
    let others: [(Value, Holds); 11] = [
        (json!({"overdue": false}), Box::new(|case| case["overdue"] == false)),
        (json!({"dueFrom": due_at}), Box::new(move |case| time(&case["dueAt"]).is_some_and(|at| at >= due))),
        (json!({"dueTo": due_at}), Box::new(move |case| time(&case["dueAt"]).is_some_and(|at| at < due))),
        (json!({"closedFrom": closed_at}), Box::new(move |case| time(&case["closedAt"]).is_some_and(|at| at >= closed))),
        (json!({"closedTo": closed_at}), Box::new(move |case| time(&case["closedAt"]).is_some_and(|at| at < closed))),
        (json!({"createdByIds": [facts[0]["createdBy"]["id"]]}), Box::new(|_| true)),
        (json!({"createdByIds": [ids.of("nobody")]}), Box::new(|_| false)),
        (json!({"jurisdictions": [ids.of("law")]}), Box::new(|case| !case["jurisdiction"].is_null())),
        (json!({"sources": [facts[0]["source"]]}), Box::new(|_| true)),
        (json!({"sources": ["NONE"]}), Box::new(|_| false)),
        (json!({"closeReasons": [reason, "NONE"]}), Box::new(move |case| case["closeReason"] == reason)),
    ];
    for (filter, holds) in &others {
        let mut filter = filter.clone();
        filter["workflowIds"] = json!([flow]);
        let mut wanted: Vec<&str> = facts.iter().filter(|case| holds(case)).map(|case| case["id"].as_str().expect("an id")).collect();
        wanted.sort_unstable();
        assert_eq!(pages(&server, &filter, &id_order).await, wanted, "{filter}");
    }
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

/// A case as it stands, found in the one of four queues in which it is: of nobody or of the user, open or closed.
async fn standing(api: &Api, flow: &str, user: &str, case: &str) -> Value {
    let query = "query($id: ID!) { case(id: $id) { stepSince dueAt closedAt riskBand assignee { id } step { stepId state } } }";
    let shown = api.graphql(query, json!({"id": case})).await["case"].take();
    let order = json!({"field": "DUE_AT", "direction": "ASC"});
    for (filter, is_theirs) in
        [(json!({"assigned": false}), shown["assignee"].is_null()), (json!({"assigneeIds": [user]}), shown["assignee"]["id"] == user)]
    {
        for state in ["OPEN", "CLOSED"] {
            let mut filter = filter.clone();
            (filter["workflowIds"], filter["states"]) = (json!([flow]), json!([state]));
            let wanted = if is_theirs && shown["step"]["state"] == state { vec![case] } else { Vec::new() };
            assert_eq!(pages(api, &filter, &order).await, wanted, "{filter}: {shown}");
        }
    }
    let since = time(&shown["stepSince"]).expect("a time");
    let wait = [("new", 3_600_000), ("waiting-for-data", 86_400_000)].into_iter().find(|(step, _)| shown["step"]["stepId"] == *step);
    assert_eq!(time(&shown["dueAt"]), wait.map(|(_, wait)| since + wait), "{shown}");
    assert_eq!(time(&shown["closedAt"]), (shown["step"]["state"] == "CLOSED").then_some(since), "{shown}");
    let bands = json!({"workflowIds": [flow], "riskBands": [shown["riskBand"]]});
    assert_eq!(pages(api, &bands, &order).await, [case], "{shown}");
    // What is done next is done later.
    tokio::time::sleep(Duration::from_millis(5)).await;
    shown
}

async fn what_is_done_with_a_case_moves_it_between_queues(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (flow, user, kind) = (ids.of("flow"), ids.of("user"), schema(&server, &ids).await);
    let steps = json!([step("new", "OPEN", Some(3_600)), step("waiting-for-data", "OPEN", Some(86_400)), step("done", "CLOSED", None)]);
    let way = |action: &str, from: &str, to: &str| json!({"action": action, "from": from, "to": to});
    let closings = ["new", "waiting-for-data"].map(|step| way("CLOSE", step, "done"));
    let moves = [&closings[..], &[way("REQUEST_DATA", "new", "waiting-for-data"), way("REOPEN", "done", "new")]].concat();
    workflow(&server, &flow, steps, json!(moves)).await;
    let [high, medium, other] = ["high", "medium", "other"].map(|name| ids.of(name));
    scored(&server, &high, 99, 1).await;
    scored(&server, &medium, 60, 1).await;
    scored(&server, &other, 99, 1).await;
    let case = made(&server, json!({"workflow_id": flow, "actors": [{"id": high, "type": "FOCAL"}]})).await;
    let now = async || standing(&server, &flow, &user, &case).await;
    let since = |shown: &Value| time(&shown["stepSince"]).expect("a time");
    let made = now().await;
    assert_eq!((&made["riskBand"], &made["assignee"], &made["step"]["stepId"]), (&json!("high_risk"), &Value::Null, &json!("new")));
    done(&server, "assignCase", json!({"caseId": case, "userId": user})).await;
    let assigned = now().await;
    assert_eq!((&assigned["assignee"]["id"], since(&assigned)), (&json!(user), since(&made)), "it stays on its step");
    let requests = [asked(&server, &case, &kind).await, asked(&server, &case, &kind).await];
    let waiting = now().await;
    assert!(since(&waiting) > since(&made), "{waiting}");
    // Asked for more it stays where it is, and so it does until the last is rejected: then its time begins anew.
    let third = asked(&server, &case, &kind).await;
    assert_eq!(now().await, waiting);
    for request in &requests {
        reject(&server, request).await.expect(200);
        assert_eq!(now().await, waiting);
    }
    reject(&server, &third).await.expect(200);
    let back = now().await;
    assert_eq!(back["step"]["stepId"], "new");
    assert!(since(&back) > since(&waiting), "{back}");
    done(&server, "closeCase", json!({"caseId": case})).await;
    let closed = now().await;
    assert!(closed["step"]["state"] == "CLOSED" && since(&closed) > since(&back), "{closed}");
    done(&server, "reopenCase", json!({"caseId": case})).await;
    let opened = now().await;
    assert!(opened["step"]["state"] == "OPEN" && since(&opened) > since(&closed), "{opened}");
    done(&server, "assignCase", json!({"caseId": case, "userId": null})).await;
    let of_nobody = now().await;
    assert_eq!((&of_nobody["assignee"], since(&of_nobody)), (&Value::Null, since(&opened)));

    // Whom it focuses on, and how risky those are.
    let add = async |actor: &str, kind: &str| {
        let body = json!({"actor": bulk_actor(actor), "type": kind}).to_string();
        server.post(&format!("/api/cases/{case}/actors"), body).await.expect(200);
    };
    scored(&server, &high, 1, 2).await;
    assert_eq!(now().await["riskBand"], "low_risk", "a later score");
    add(&medium, "FOCAL").await;
    assert_eq!(now().await["riskBand"], "medium_risk", "one more actor");
    scored(&server, &medium, 70, 2).await;
    assert_eq!(now().await["riskBand"], "medium_risk", "another score of the same band");
    add(&medium, "CONNECTION").await;
    assert_eq!(now().await["riskBand"], "low_risk", "an actor that it only concerns");
    scored(&server, &medium, 90, 3).await;
    assert_eq!(now().await["riskBand"], "low_risk", "a score of an actor that it only concerns");
    server.post("/api/actors", actor(&other).to_string()).await.expect(200);
    taken(&server, &ids.of("bulk"), &json!({"cases": [{"id": case, "actors": [{"id": other, "type": "FOCAL"}]}]})).await;
    eventually_is(&server, &case, "COMPLETED").await;
    assert_eq!(now().await["riskBand"], "high_risk", "an actor of a bulk request");
}

/// Ids of a list's nodes, in order; asked by a token, or by the server's own key.
async fn listed(api: &Api, token: Option<&str>, field: &str) -> Vec<String> {
    let body = json!({"query": format!("{{ {field} {{ nodes {{ id }} }} }}")}).to_string();
    let request = match token {
        Some(token) => api.anonymous().posting("/graphql", body).bearer_auth(token),
        None => api.posting("/graphql", body),
    };
    let answer = api.send(request).await.expect(200).json();
    let name = field.split('(').next().expect("a name");
    let nodes = answer["data"][name]["nodes"].as_array().unwrap_or_else(|| panic!("{field}: {answer}"));
    let mut ids: Vec<String> = nodes.iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort_unstable();
    ids
}

async fn mine_is_of_the_user_of_the_token(engine: Engine) {
    let issuer = Issuer::start().await;
    let (server, ids) = (issuer.trusted(Store::of(engine)), &issuer.ids);
    for query in ["{ cases(filter: {mine: true}) { nodes { id } } }", "{ requestsForData(filter: {mine: true}) { nodes { id } } }"] {
        let message = refused(&server, query).await;
        assert!(message.starts_with("filter.mine: must be said with a token"), "{message}");
    }
    for arguments in ["overdue: true, filter: {overdue: false}", "filter: {overdue: true}, overdue: true"] {
        let message = refused(&server, &format!("{{ requestsForData({arguments}) {{ nodes {{ id }} }} }}")).await;
        assert!(message.ends_with("overdue: give overdue or filter.overdue, not both"), "{message}");
    }
    let token = issuer.token(json!({"sub": ids.of("sub"), "preferred_username": ids.of("ada"), "groups": [ids.of("analysts")]}));
    // Whoever comes for the first time is made a user.
    let anonymous = server.anonymous();
    anonymous.send(anonymous.request("GET", "/api/users").bearer_auth(&token)).await.expect(200);
    let users = server.get("/api/users?limit=1000").await.expect(200).json();
    let me = users.as_array().expect("a list").iter().find(|user| user["username"] == json!(ids.of("ada"))).expect("a user")["user_id"].clone();
    let kind = schema(&server, ids).await;
    let (mut cases, mut requests) = (Vec::new(), Vec::new());
    for (assignee, due_at) in
        [(me, "2100-01-01T00:00:00Z"), (json!(ids.of("somebody")), "2101-01-01T00:00:00Z"), (Value::Null, "2102-01-01T00:00:00Z")]
    {
        let case = made(&server, json!({})).await;
        if !assignee.is_null() {
            done(&server, "assignCase", json!({"caseId": case, "userId": assignee})).await;
        }
        let payload = ask(&server, &case, &kind, json!({"actor_id": "a"}), json!({"dueAt": due_at})).await;
        requests.push(payload["requestForData"]["id"].as_str().unwrap_or_else(|| panic!("{payload}")).to_owned());
        cases.push(case);
    }
    let somebody = ids.of("somebody");
    let (mine, of_both) = ("mine: true".to_owned(), format!("mine: true, assigneeIds: [\"{somebody}\"]"));
    for (field, filter, all, wanted) in [
        ("cases", mine.clone(), &cases, &[0][..]),
        ("cases", "mine: false".to_owned(), &cases, &[0, 1, 2][..]),
        ("cases", of_both, &cases, &[][..]),
        ("cases", format!("{mine}, states: [OPEN], overdue: false"), &cases, &[0][..]),
        ("requestsForData", mine, &requests, &[0][..]),
        ("requestsForData", "mine: false".to_owned(), &requests, &[0, 1, 2][..]),
        ("requestsForData", format!("caseAssigneeIds: [\"{somebody}\"]"), &requests, &[1][..]),
        ("requestsForData", "dueFrom: \"2101-01-01T00:00:00Z\"".to_owned(), &requests, &[1, 2][..]),
        ("requestsForData", "dueFrom: \"2101-01-01T00:00:00Z\", dueTo: \"2102-01-01T00:00:00Z\", overdue: false".to_owned(), &requests, &[1][..]),
    ] {
        let mut wanted: Vec<String> = wanted.iter().map(|n| all[*n].clone()).collect();
        wanted.sort_unstable();
        assert_eq!(listed(&server, Some(&token), &format!("{field}(filter: {{{filter}}})")).await, wanted, "{field}: {filter}");
    }
    // Fields of a document have one present, in whole seconds.
    let times = server.graphql("{ a: caseStatistics { asOf } b: observationStatistics { asOf } }", json!({})).await;
    let at = time(&times["a"]["asOf"]).expect("a time");
    assert_eq!((time(&times["b"]["asOf"]), at % 1_000), (Some(at), 0), "{times}");
    // What an observation names has come, or not.
    let [whole, awaiting] = ["whole", "awaiting"].map(|name| ids.of(name));
    observations::taken(&server, observations::observation(&whole)).await;
    observations::taken(&server, with(observations::observation(&awaiting), json!({"actors": [{"actorId": ids.of("a")}]}))).await;
    for (finalized, wanted) in [(true, &whole), (false, &awaiting)] {
        assert_eq!(listed(&server, None, &format!("observations(filter: {{finalized: {finalized}}})")).await, std::slice::from_ref(wanted));
    }
}

/// The message of a query that is refused.
async fn refused(api: &Api, query: &str) -> String {
    let answer = api.graphql_answer(query, json!({})).await;
    answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}
