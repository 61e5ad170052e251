//! Which of several versions is the present: the latest `asOfDate` where there is one, then what was acknowledged last, single, in bulk or by an import,
//! whether it waited or not; and what was taken away does not come back.

use std::time::Duration;

use cypher::Params;
use serde_json::{Value, json};

use crate::support::bulk::{SOON, bulk_actor, bulk_payment, taken};
use crate::support::fixtures::{Payment, account, actor, with};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, jobs, stored, tests};

tests![
    both: a_newer_payment_that_waited_is_the_present, a_newer_observation_that_waited_is_the_present,
    what_lies_in_the_queue_does_not_replace_what_was_sent_later, the_same_record_again_is_the_latest,
    a_removed_role_does_not_come_back_with_what_is_older, who_was_taken_out_of_a_group_stays_out, a_late_file_does_not_replace_a_later_balance
];

/// So many others are processed before the last of a request.
const OTHERS: usize = 400;
/// A Neo4j of its own may be cold, and plans each statement of bulk first.
const DONE_WITHIN: Duration = Duration::from_secs(240);

async fn waiting(api: &Api, subject: &str) -> i64 {
    let query = "query($id: ID!) { bulkItems(filter: {subject: $id, state: DEFERRED}) { totalCount } }";
    api.graphql(query, json!({"id": subject})).await["bulkItems"]["totalCount"].as_i64().expect("a number")
}

async fn eventually_wait(api: &Api, subject: &str, items: i64) {
    eventually(&format!("{items} items about {subject} wait"), SOON, async || waiting(api, subject).await == items).await;
}

/// How many items of a request nobody has looked at yet, wait, or have failed.
pub async fn left(api: &Api, request: &str) -> i64 {
    let query = "query($id: String!) { bulkRequests(requestId: $id) { edges { node { progress { pending deferred failed } } } } }";
    let found = api.graphql(query, json!({"id": request})).await;
    let edges = found["bulkRequests"]["edges"].as_array().expect("a list").clone();
    let lists = edges.iter().flat_map(|edge| edge["node"]["progress"].as_array().expect("a list"));
    lists.flat_map(|list| ["pending", "deferred", "failed"].map(|what| list[what].as_i64().expect("a number"))).sum()
}

async fn done(api: &Api, request: &str) {
    eventually(&format!("{request} is done"), DONE_WITHIN, async || left(api, request).await == 0).await;
}

/// The present of a payment: its status, and the roll-ups of the account that paid.
async fn payment(api: &Api, ids: &Ids) -> Value {
    let shown = api.get(&format!("/api/v2/transactions/{}", ids.of("t"))).await.expect(200).json();
    let query = "query($id: ID!) { account(id: $id) { transferredTo { edges { count total } } } }";
    let paid = api.graphql(query, json!({"id": ids.of("k")})).await["account"]["transferredTo"]["edges"].take();
    json!([shown["status"], shown["channel_location_id"], paid])
}

fn version(ids: &Ids, status: &str, amount: u32) -> Value {
    let payment = bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l"));
    with(payment, json!({"status": status, "amount": {"value": amount, "currency": "EUR"}, "standardized_amount": amount}))
}

async fn location_arrives(api: &Api, id: &str) {
    api.post("/api/channel_locations", json!({"id": id, "type": "ATM", "address": {"city": "Berlin"}}).to_string()).await.expect(200);
}

async fn a_newer_payment_that_waited_is_the_present(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let first = with(version(&ids, "PENDING", 1), json!({"channel_location_id": ids.of("atm")}));
    taken(&server, &ids.of("r1"), &json!({"transactions": [first]})).await;
    eventually_wait(&server, &ids.of("t"), 1).await;
    taken(&server, &ids.of("r2"), &json!({"transactions": [version(&ids, "COMPLETED", 200)]})).await;
    eventually_wait(&server, &ids.of("t"), 2).await;
    location_arrives(&server, &ids.of("atm")).await;
    eventually_wait(&server, &ids.of("t"), 0).await;
    assert_eq!(payment(&server, &ids).await, json!(["COMPLETED", null, [{"count": 1, "total": "200"}]]));
}

async fn a_newer_observation_that_waited_is_the_present(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    server.post("/api/actors", actor(&ids.of("a1")).to_string()).await.expect(200);
    let version = |behavior: &str, actors: &[&str]| {
        let actors: Vec<String> = actors.iter().map(|name| ids.of(name)).collect();
        json!({"id": ids.of("o"), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": behavior, "actor_ids": actors})
    };
    taken(&server, &ids.of("r"), &json!({"observations": [version("v1", &["a1"]), version("v2", &["a1", "a2"])]})).await;
    eventually_wait(&server, &ids.of("o"), 1).await;
    server.post("/api/actors", actor(&ids.of("a2")).to_string()).await.expect(200);
    eventually_wait(&server, &ids.of("o"), 0).await;
    let shown = server.get(&format!("/api/observations/{}", ids.of("o"))).await.expect(200).json();
    assert_eq!(shown["behaviorId"], json!("v2"));
    assert_eq!(shown["actors"], json!([{"actorId": ids.of("a1"), "primary": false}, {"actorId": ids.of("a2"), "primary": false}]));
}

/// A request of records of every kind, each behind many others in its list.
fn long_queue(ids: &Ids, group: &str) -> Value {
    let named = |what: &str, number: usize| ids.of(&format!("{what}-{number}"));
    let many = |last: Value, of: &dyn Fn(usize) -> Value| -> Value { (0..OTHERS).map(of).chain([last]).collect() };
    let bulk_account = |id: &str| json!({"id": id, "account_type": "CURRENT", "as_of_date": "2024-01-01", "name": "Old"});
    let role = |account: &str| json!({"account_id": account, "actor_id": ids.of("holder"), "actor_role": "OWNER", "as_of_date": "2024-01-01"});
    json!({
        "transactions": many(version(ids, "PENDING", 1), &|number| bulk_payment(&named("t", number), &named("k", number % 7), &ids.of("elsewhere"))),
        "actors": many(with(bulk_actor(&ids.of("a")), json!({"name": "Old"})), &|number| bulk_actor(&named("a", number))),
        "accounts": many(bulk_account(&ids.of("b")), &|number| bulk_account(&named("b", number))),
        "account_actors": many(role(&ids.of("c")), &|number| role(&named("c", number))),
        "actor_segmentation_groups": [{"actor_id": ids.of("holder"), "group_id": group}],
    })
}

async fn group_of(api: &Api, ids: &Ids) -> String {
    let category = api.post("/api/segmentation/categories", json!({"name": ids.of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": category["id"], "name": "group"}).to_string();
    api.post("/api/segmentation/groups", group).await.expect(200).json()["id"].as_str().expect("an id").to_owned()
}

async fn roles(api: &Api, account: &str) -> Value {
    let query = "query($id: ID!) { account(id: $id) { actors { edges { role asOfDate } } } }";
    api.graphql(query, json!({"id": account})).await["account"]["actors"]["edges"].take()
}

async fn members(api: &Api, group: &str) -> Value {
    api.get(&format!("/api/segmentation/groups/{group}/actors")).await.expect(200).json()["actor_ids"].take()
}

fn owner(ids: &Ids, as_of: &str) -> String {
    json!({"asOfDate": as_of, "actors": [{"id": ids.of("holder"), "role": "OWNER"}]}).to_string()
}

/// In a store of its own, in which nobody processes anything until the rest was sent.
async fn what_lies_in_the_queue_does_not_replace_what_was_sent_later(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    jobs::none_left(&server).await;
    stored::write(&mut server, "MATCH (j:Job {id: 'bulk'}) SET j.restUntil = 99999999999999", Params::none()).await;
    let (account_roles, group) = (format!("/api/accounts/{}/actors", ids.of("c")), group_of(&server, &ids).await);
    let members_path = format!("/api/segmentation/groups/{group}/actors");
    server.post("/api/actors", actor(&ids.of("holder")).to_string()).await.expect(200);
    server.post(&account_roles, owner(&ids, "2024-01-01")).await.expect(200);
    taken(&server, &ids.of("r"), &long_queue(&ids, &group)).await;
    let newer = Payment::new(ids.of("t"), ids.of("k"), ids.of("l")).amount("2");
    server.post("/api/v2/transactions", newer.text()).await.expect(200);
    server.post("/api/actors", with(actor(&ids.of("a")), json!({"name": "New"})).to_string()).await.expect(200);
    server.post("/api/accounts", with(account(&ids.of("b")), json!({"name": "New"})).to_string()).await.expect(200);
    server.delete(&format!("{account_roles}/{}", ids.of("holder"))).await.expect(200);
    server.send(server.sending("DELETE", &members_path, json!([ids.of("holder")]).to_string())).await.expect(200);
    assert!(left(&server, &ids.of("r")).await > 0, "all of it lies in the queue yet");
    stored::write(&mut server, "MATCH (j:Job {id: 'bulk'}) SET j.restUntil = 0", Params::none()).await;
    done(&server, &ids.of("r")).await;
    assert_eq!(payment(&server, &ids).await, json!(["COMPLETED", null, [{"count": 1, "total": "2"}]]));
    assert_eq!(server.get(&format!("/api/actors/{}", ids.of("a"))).await.expect(200).json()["name"], "New");
    let query = "query($id: ID!) { account(id: $id) { name history { edges { node { record { name } } } } } }";
    let shown = server.graphql(query, json!({"id": ids.of("b")})).await;
    assert_eq!(shown["account"], json!({"name": "New", "history": {"edges": [{"node": {"record": {"name": "New"}}}]}}));
    assert_eq!((roles(&server, &ids.of("c")).await, members(&server, &group).await), (json!([]), json!([])));
    let told = "MATCH (a:AuditEntry) WHERE a.objectId = '{id}' AND a.notes STARTS WITH 'superseded' RETURN a.newValue IS NOT NULL AS hasRecord";
    for id in ["t", "a", "b"] {
        assert_eq!(server.cypher(&told.replace("{id}", &ids.of(id))), [json!({"hasRecord": true})], "that {id} came is told all the same");
    }
}

async fn the_same_record_again_is_the_latest(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let first = Payment::new(ids.of("t"), ids.of("k"), ids.of("l")).amount("3");
    let named = |name: &str| with(actor(&ids.of("a")), json!({"name": name})).to_string();
    server.post("/api/v2/transactions", first.text()).await.expect(200);
    server.post("/api/actors", named("First")).await.expect(200);
    taken(&server, &ids.of("r"), &long_queue(&ids, "none")).await;
    server.post("/api/v2/transactions", first.text()).await.expect(200);
    server.post("/api/actors", named("First")).await.expect(200);
    eventually("all but the membership are done", DONE_WITHIN, async || left(&server, &ids.of("r")).await == 1).await;
    assert_eq!(payment(&server, &ids).await, json!(["COMPLETED", null, [{"count": 1, "total": "3"}]]));
    assert_eq!(server.get(&format!("/api/actors/{}", ids.of("a"))).await.expect(200).json()["name"], "First");
}

async fn a_removed_role_does_not_come_back_with_what_is_older(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (id, path) = (ids.of("account"), format!("/api/accounts/{}/actors", ids.of("account")));
    let remove = format!("{path}/{}", ids.of("holder"));
    let in_bulk = async |request: &str, as_of: &str| {
        let role = json!({"account_id": id, "actor_id": ids.of("holder"), "actor_role": "OWNER", "as_of_date": as_of});
        taken(&server, &ids.of(request), &json!({"account_actors": [role]})).await;
        done(&server, &ids.of(request)).await;
    };
    server.post(&path, owner(&ids, "2024-05-01")).await.expect(200);
    server.delete(&remove).await.expect(200);
    server.post(&path, owner(&ids, "2024-01-01")).await.expect(200);
    assert_eq!(roles(&server, &id).await, json!([]), "an older date");
    in_bulk("late", "2024-04-30").await;
    assert_eq!(roles(&server, &id).await, json!([]), "an older date in bulk");
    server.delete(&remove).await.expect(404);
    in_bulk("again", "2024-05-01").await;
    assert_eq!(roles(&server, &id).await, json!([{"role": "OWNER", "asOfDate": "2024-05-01"}]), "the same date");
    server.delete(&remove).await.expect(200);
    server.post(&path, owner(&ids, "2024-06-01")).await.expect(200);
    assert_eq!(roles(&server, &id).await, json!([{"role": "OWNER", "asOfDate": "2024-06-01"}]), "a later one");
    server.post(&path, owner(&ids, "2024-02-01")).await.expect(200);
    assert_eq!(roles(&server, &id).await, json!([{"role": "OWNER", "asOfDate": "2024-06-01"}]));
}

/// Also who was to come to it before he was known.
async fn who_was_taken_out_of_a_group_stays_out(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let group = group_of(&server, &ids).await;
    let path = format!("/api/segmentation/groups/{group}/actors");
    let late = ids.of("late");
    let join = json!({"actor_segmentation_groups": [{"actor_id": late, "group_id": group}]});
    taken(&server, &ids.of("r1"), &join).await;
    server.send(server.sending("DELETE", &path, json!([late]).to_string())).await.expect(200);
    server.post("/api/actors", actor(&late).to_string()).await.expect(200);
    done(&server, &ids.of("r1")).await;
    assert_eq!(members(&server, &group).await, json!([]));
    taken(&server, &ids.of("r2"), &join).await;
    eventually("it is a member", SOON, async || members(&server, &group).await == json!([late])).await;
}

async fn a_late_file_does_not_replace_a_later_balance(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let balance = |account: &str, current: usize| json!({"account_id": account, "currency": "EUR", "current": current, "as_of_date": "2024-01-31"});
    let mut balances: Vec<Value> = (0..OTHERS).map(|number| balance(&ids.of(&format!("k{}", number % 9)), number)).collect();
    balances.push(balance(&ids.of("k"), 1));
    taken(&server, &ids.of("r"), &json!({"account_balances": balances})).await;
    let single = json!({"currency": "EUR", "current": 2, "asOfDate": "2024-01-31"}).to_string();
    server.post(&format!("/api/accounts/{}/balances", ids.of("k")), single).await.expect(200);
    done(&server, &ids.of("r")).await;
    let mut current =
        |account: &str| server.cypher(&format!("MATCH (x:AccountBalance {{id: '{}@2024-01-31:EUR'}}) RETURN x.current AS current", ids.of(account)));
    assert_eq!(current("k"), [json!({"current": 2.0})]);
    assert_eq!(current("k0"), [json!({"current": 396.0})], "the last of several in one request");
}
