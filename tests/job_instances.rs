//! Jobs that somebody has asked for, as those see them who have. How workers share them is tested in `resolvers/tests/job_instances.rs`.

use std::process::Command;

use cypher::Params;
use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::bulk::{SOON, bulk_actor, bulk_payment, taken};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, jobs, stored, tests};
use crate::webhooks::made;

tests![both: a_bulk_request_is_a_job, what_is_left_of_a_cancelled_bulk_request_goes_to_the_dead_letters, who_may_see_and_cancel_what,
    all_missed_events_are_sent_by_a_job, pages_of_jobs_do_not_overlap, the_command_line_lists_and_cancels, the_command_line_follows_changes];

const JOB: &str =
    "id kind name status done total attempts payload createdBy createdByName startedAt endedAt lastError result cancelRequestedAt cancelledBy { id }";

async fn job(api: &Api, id: &str) -> Value {
    api.graphql(&format!("query($id: ID!) {{ job(id: $id) {{ {JOB} }} }}"), json!({"id": id})).await["job"].take()
}

async fn until_ended(api: &Api, id: &str) -> Value {
    eventually("the job ends", SOON, async || !job(api, id).await["endedAt"].is_null()).await;
    job(api, id).await
}

async fn cancel(api: &Api, id: &str) -> Value {
    let mutation = format!("mutation($input: CancelJobInput!) {{ cancelJob(input: $input) {{ job {{ {JOB} }} userErrors {{ code message }} }} }}");
    api.graphql(&mutation, json!({"input": {"jobId": id}})).await["cancelJob"].take()
}

/// The id of the job that a bulk request is.
async fn of_request(api: &Api, request: &str) -> String {
    let jobs = api.graphql("{ jobs(first: 200, filter: {kinds: [\"bulk\"]}) { edges { node { id payload } } } }", json!({})).await;
    let edges = jobs["jobs"]["edges"].as_array().expect("edges").clone();
    let found = edges.iter().find(|edge| edge["node"]["payload"]["requestId"] == json!(request)).unwrap_or_else(|| panic!("{request}: {edges:#?}"));
    found["node"]["id"].as_str().expect("an id").to_owned()
}

async fn a_bulk_request_is_a_job(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payments: Vec<Value> = (0..40).map(|n| bulk_payment(&ids.of(&format!("p{n}")), &ids.of("a"), &ids.of("b"))).collect();
    let body = json!({"actors": [bulk_actor(&ids.of("anna"))], "transactions": payments});
    taken(&server, &ids.of("request"), &body).await;
    let id = of_request(&server, &ids.of("request")).await;
    let ended = until_ended(&server, &id).await;
    assert_eq!((&ended["status"], &ended["done"], &ended["total"]), (&json!("DONE"), &json!(41), &json!(41)), "{ended}");
    assert_eq!((&ended["kind"], &ended["payload"]), (&json!("bulk"), &json!({"requestId": ids.of("request")})));
    assert!(ended["startedAt"].is_string() && ended["createdBy"].is_string() && ended["lastError"].is_null(), "{ended}");
    let again = cancel(&server, &id).await;
    assert_eq!((&again["job"]["status"], &again["userErrors"]), (&json!("DONE"), &json!([])), "what has ended stays as it is");
}

async fn what_is_left_of_a_cancelled_bulk_request_goes_to_the_dead_letters(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    jobs::none_left(&server).await;
    // Nobody works until it is cancelled.
    stored::write(&mut server, "MATCH (j:Job {id: 'bulk'}) SET j.restUntil = 99999999999999", Params::none()).await;
    let people: Vec<Value> = (0..30).map(|n| bulk_actor(&ids.of(&format!("p{n}")))).collect();
    taken(&server, &ids.of("request"), &json!({"actors": people})).await;
    let id = of_request(&server, &ids.of("request")).await;
    assert_eq!(job(&server, &id).await["status"], "QUEUED");
    let cancelled = cancel(&server, &id).await;
    assert_eq!((&cancelled["job"]["status"], &cancelled["userErrors"]), (&json!("QUEUED"), &json!([])), "its items are looked at first");
    assert!(cancelled["job"]["cancelRequestedAt"].is_string(), "{cancelled}");
    assert_eq!(cancelled["job"]["cancelledBy"]["id"], cancelled["job"]["createdBy"], "{cancelled}");
    stored::write(&mut server, "MATCH (j:Job {id: 'bulk'}) SET j.restUntil = 0", Params::none()).await;
    let failed = "{ bulkItems(first: 50, filter: {state: FAILED}) { totalCount edges { node { reasons } } } }";
    let failed = async || server.graphql(failed, json!({})).await["bulkItems"].take();
    eventually("all are dead letters", SOON, async || failed().await["totalCount"] == 30).await;
    assert!(failed().await["edges"][0]["node"]["reasons"].to_string().contains("cancelled"));
    let ended = until_ended(&server, &id).await;
    assert_eq!((&ended["status"], &ended["done"]), (&json!("CANCELLED"), &json!(30)), "{ended}");
    jobs::none_left(&server).await;
    let written = server.cypher("MATCH (n:Actor) RETURN count(n) AS count");
    assert_eq!(written[0]["count"], 0);
}

async fn who_may_see_and_cancel_what(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    taken(&server, &ids.of("request"), &json!({"actors": [bulk_actor(&ids.of("anna"))]})).await;
    let id = of_request(&server, &ids.of("request")).await;
    let of_role = async |role: &str| {
        let made = server.post("/admin/keys", json!({"role": role, "name": "jobs"}).to_string()).await.expect(201).json();
        server.with_key(made["key"].as_str().expect("a key"))
    };
    for role in ["INGEST", "ANALYST", "AUDITOR"] {
        let other = of_role(role).await;
        assert_eq!(job(&other, &id).await, Value::Null, "{role}: somebody else has started it");
        assert_eq!(other.graphql("{ jobs { edges { node { id } } } }", json!({})).await["jobs"]["edges"], json!([]), "{role}");
        assert_eq!(cancel(&other, &id).await["userErrors"][0]["code"], "NOT_FOUND", "{role}");
    }
    until_ended(&server, &id).await;
    let supervisor = of_role("SUPERVISOR").await;
    assert_eq!(job(&supervisor, &id).await["id"], json!(id));
    assert_eq!(cancel(&supervisor, &id).await["userErrors"], json!([]));
    assert_eq!(cancel(&server, "no-such-job").await["userErrors"][0]["code"], "NOT_FOUND");
    assert_eq!(job(&server, &id).await["id"], json!(id));
}

async fn all_missed_events_are_sent_by_a_job(engine: Engine) {
    let receiver = Receiver::of_all(|_, _| Reply::Status(200)).await;
    let server = Server::with(Store::private(engine), &[("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true")]);
    for _ in 0..30 {
        server.post("/api/cases", "{}").await.expect(200);
    }
    jobs::none_left(&server).await;
    let hook = made(&server, json!({"name": "late", "url": receiver.url(), "events": ["*"]})).await;
    let mutation = "mutation($input: ReplayAllEventsInput!) { replayAllEvents(input: $input) { job { id kind } userErrors { code } } }";
    let input = json!({"input": {"webhookId": hook["id"], "since": "2020-01-01T00:00:00Z"}});
    let started = server.graphql(mutation, input).await;
    let id = started["replayAllEvents"]["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let ended = until_ended(&server, &id).await;
    assert_eq!((&ended["status"], &ended["result"]), (&json!("DONE"), &json!({"replayed": 30})), "{ended}");
    eventually("they arrive", SOON, async || receiver.taken().len() >= 30).await;
    let nobody =
        server.graphql(mutation, json!({"input": {"webhookId": "00000000-0000-4000-8000-000000000000", "since": "2020-01-01T00:00:00Z"}})).await;
    let id = nobody["replayAllEvents"]["job"]["id"].as_str().unwrap_or_else(|| panic!("{nobody}")).to_owned();
    let failed = until_ended(&server, &id).await;
    assert!(failed["status"] == "FAILED" && failed["lastError"].is_string(), "{failed}");
}

async fn pages_of_jobs_do_not_overlap(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for number in 0..5 {
        taken(&server, &ids.of(&format!("request-{number}")), &json!({"actors": [bulk_actor(&ids.of(&format!("a{number}")))]})).await;
    }
    let query = "query($after: String) { jobs(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { id createdAt } } } }";
    let (mut after, mut seen) = (Value::Null, Vec::new());
    for _ in 0..3 {
        let page = server.graphql(query, json!({"after": after})).await["jobs"].take();
        seen.extend(page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"].clone()));
        after = page["pageInfo"]["endCursor"].clone();
    }
    // A time of a full second is written without a fraction.
    let times: Vec<Option<Timestamp>> = seen.iter().map(|job| Timestamp::parse(job["createdAt"].as_str().expect("a time"))).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");
    let once: std::collections::BTreeSet<&str> = seen.iter().map(|job| job["id"].as_str().expect("an id")).collect();
    assert_eq!(once.len(), seen.len());
    for (arguments, wrong) in [("first: 201", "first: must be"), ("first: -1", "first: must be"), ("after: \"x\"", "after: must be")] {
        let answer = server.graphql_answer(&format!("{{ jobs({arguments}) {{ edges {{ cursor }} }} }}"), json!({})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with(wrong)), "{answer}");
    }
}

fn at(server: &Server, mut command: Command) -> (bool, String, String) {
    let output = command.env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", server.key()).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

async fn the_command_line_lists_and_cancels(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    taken(&server, &ids.of("request"), &json!({"actors": [bulk_actor(&ids.of("anna"))]})).await;
    let id = of_request(&server, &ids.of("request")).await;
    until_ended(&server, &id).await;
    let (ok, printed, said) = at(&server, crate::support::command(&["jobs", "list", "--kind", "bulk", "--status", "DONE,RUNNING", "--most", "500"]));
    assert!(ok, "{said}");
    let listed: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).expect("a job is JSON")).collect();
    assert!(listed.iter().any(|job| job["id"] == json!(id) && job["status"] == "DONE"), "{printed}");
    let (ok, printed, said) = at(&server, crate::support::command(&["jobs", "cancel", &id]));
    assert!(ok && printed.contains(&id), "{printed}{said}");
    let (ok, _, said) = at(&server, crate::support::command(&["jobs", "cancel", "no-such-job"]));
    assert!(!ok && said.contains("no-such-job"), "{said}");
}

async fn the_command_line_follows_changes(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let last = server.graphql("{ changes(first: 1) { last } }", json!({})).await["changes"]["last"].as_str().expect("a position").to_owned();
    server.post("/api/actors", crate::support::fixtures::actor(&ids.of("anna")).to_string()).await.expect(200);
    eventually("it is printed", SOON, async || {
        let (ok, printed, said) = at(&server, crate::support::command(&["changes", "--after", &last]));
        assert!(ok, "{said}");
        printed.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()) && printed.contains(&ids.of("anna"))
    })
    .await;
}
