//! The audit log over GraphQL: what REST lists, by each filter and in both directions, for the roles that read it there, and field by field.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::case_work::{done, made};
use crate::support::fixtures::{account, actor, with};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: each_filter_finds_what_the_whole_log_has, changes_are_told_field_by_field, each_role_reads_what_it_reads_over_rest;
    embedded: reading_the_log_is_noted, filters_must_make_sense];

/// For what is written in the background, and for what a cold Neo4j plans first.
const SOON: Duration = Duration::from_secs(90);
/// Less than most filters find.
const PAGE: usize = 5;

const FIELDS: &str = "id nodeId at logType action outcome domain notes by { id name roles } credentialType ipAddress requestId objectType objectId caseId \
                      case { id } oldValue newValue";

/// The whole log as REST lists it, newest first.
async fn listed(api: &Api, more: &str) -> Vec<Value> {
    let page =
        api.get(&format!("/api/audit_logs?startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&limit=1000{more}")).await.expect(200).json();
    let values = page["values"].as_array().expect("entries");
    assert!(values.len() < 1000, "the log goes on");
    values.iter().map(|entry| entry["json_"].clone()).collect()
}

fn ids_of(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["id"].as_str().expect("an id")).collect()
}

const LIST: &str = "query($filter: AuditEntryFilter, $direction: SortDirection!, $first: Int, $after: String, $last: Int, $before: String) {
  auditEntries(filter: $filter, orderBy: {field: AT, direction: $direction}, first: $first, after: $after, last: $last, before: $before) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { id } } }";

/// A page, and how many there are in all.
async fn page(api: &Api, filter: &Value, direction: &str, arguments: Value) -> Value {
    let variables = with(json!({"filter": filter, "direction": direction}), arguments);
    api.graphql(LIST, variables).await["auditEntries"].take()
}

/// All ids, page by page, in the list's own order; `way` is `first` or `last`.
async fn all_pages(api: &Api, filter: &Value, direction: &str, way: &str) -> Vec<String> {
    let [cursor, place, more] = if way == "first" { ["after", "endCursor", "hasNextPage"] } else { ["before", "startCursor", "hasPreviousPage"] };
    let (mut found, mut from) = (Vec::<String>::new(), Value::Null);
    loop {
        let page = page(api, filter, direction, json!({way: PAGE, cursor: from})).await;
        let ids: Vec<String> = page["nodes"].as_array().expect("nodes").iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect();
        if way == "first" {
            found.extend(ids);
        } else {
            found.splice(0..0, ids);
        }
        if page["pageInfo"][more] == json!(false) {
            assert_eq!(page["totalCount"], json!(found.len()), "{filter}");
            return found;
        }
        from = page["pageInfo"][place].clone();
    }
}

fn millis(time: &Value) -> i64 {
    chrono::DateTime::parse_from_rfc3339(time.as_str().expect("a time")).expect("a time").timestamp_millis()
}

/// Whether an entry of REST passes a filter of GraphQL.
fn passes(filter: &Value, entry: &Value) -> bool {
    filter.as_object().into_iter().flatten().all(|(name, wanted)| {
        let field = match name.as_str() {
            "from" => return millis(&entry["timestamp"]) >= millis(wanted),
            "to" => return millis(&entry["timestamp"]) < millis(wanted),
            "principalIds" => "userId",
            "actions" => "action",
            "objectIds" => "objectId",
            "objectTypes" => "objectType",
            "caseIds" => "caseId",
            "logTypes" => "logType",
            "outcomes" => "actionResult",
            name => panic!("no filter {name}"),
        };
        wanted.as_array().expect("a list").contains(&entry[field])
    })
}

/// What REST lists of an entry, by the names that GraphQL has for it.
fn as_graphql(entry: &Value) -> Value {
    let params = &entry["params"];
    let roles: Vec<&str> = params["userRole"].as_str().into_iter().flat_map(|roles| roles.split(',')).collect();
    let by = if entry["userId"].is_null() { Value::Null } else { json!({"id": entry["userId"], "name": params["userName"], "roles": roles}) };
    let case = if entry["caseId"].is_null() { Value::Null } else { json!({"id": entry["caseId"]}) };
    json!({
        "id": entry["id"], "nodeId": format!("AuditEntry:{}", entry["id"].as_str().expect("an id")), "at": entry["timestamp"],
        "logType": entry["logType"], "action": entry["action"], "outcome": entry["actionResult"], "domain": entry["domain"], "notes": entry["notes"],
        "by": by, "credentialType": params["means"], "ipAddress": entry["userIP"], "requestId": params["requestId"],
        "objectType": entry["objectType"], "objectId": entry["objectId"], "caseId": entry["caseId"], "case": case,
        "oldValue": entry["oldValue"], "newValue": entry["newValue"],
    })
}

async fn key(server: &Api, role: &str) -> (String, Api) {
    let made = server.post("/admin/keys", json!({"role": role, "name": role}).to_string()).await.expect(201).json();
    (made["id"].as_str().expect("an id").to_owned(), server.with_key(made["key"].as_str().expect("a key")))
}

/// Acts of three callers on a store of its own: changes, reads and refusals, of objects of which two have one id, some of them in a case.
async fn acts(server: &Api) -> (String, String) {
    let first = actor("same").to_string();
    eventually("a first one is written", SOON, async || server.post("/api/actors", first.clone()).await.status == 200).await;
    let ((supervisor, works), (_, analyst)) = (key(server, "SUPERVISOR").await, key(server, "ANALYST").await);
    for name in ["a", "b", "c"] {
        server.post("/api/actors", with(actor("same"), json!({"name": name})).to_string()).await.expect(200);
        server.post("/api/accounts", account("same").to_string()).await.expect(200);
        server.post("/api/actors", actor(&format!("actor-{name}")).to_string()).await.expect(200);
    }
    let case = made(&works, json!({"actors": [{"id": "same"}]})).await;
    done(&works, "actOnCase", json!({"caseId": case, "action": "CLAIM"})).await;
    done(&works, "commentOnCase", json!({"caseId": case, "text": "Looks odd."})).await;
    for api in [server, &works, &analyst] {
        api.get("/api/actors/same").await.expect(200);
        api.get(&format!("/api/cases/{case}")).await.expect(200);
    }
    analyst.post("/api/actors", actor("same").to_string()).await.expect(403);
    server.delete("/api/accounts/same/actors/nobody").await.expect(404);
    // What is written in the background comes in the order of its requests.
    server.get("/api/actors/actor-a").await.expect(200);
    eventually("the last one is written", SOON, async || {
        let entries = listed(server, "").await;
        let count = |field: &str, value: &str| entries.iter().filter(|entry| entry[field] == value).count();
        count("action", "record.read") >= 7 && count("actionResult", "REFUSED") >= 2
    })
    .await;
    (supervisor, case)
}

async fn each_filter_finds_what_the_whole_log_has(engine: Engine) {
    let server = Server::on(Store::private(engine));
    let (supervisor, case) = acts(&server).await;
    let log = listed(&server, "").await;
    let administrator = log.iter().find(|entry| entry["action"] == "api_key.created").expect("a key was made")["userId"].clone();
    let (late, early) = (&log[4]["timestamp"], &log[log.len() - 4]["timestamp"]);
    let filters = [
        Value::Null,
        json!({}),
        json!({"principalIds": [supervisor]}),
        json!({"principalIds": [supervisor, administrator, supervisor]}),
        json!({"objectIds": ["same"]}),
        json!({"objectIds": ["same"], "objectTypes": ["Account"]}),
        json!({"objectIds": ["same", case, "nothing"]}),
        json!({"objectTypes": ["Account", "Case"]}),
        json!({"actions": ["actor.recorded"]}),
        json!({"actions": ["actor.recorded", "record.read", "case.commented"]}),
        json!({"caseIds": [case]}),
        json!({"caseIds": [case], "principalIds": [supervisor], "logTypes": ["UPDATE"]}),
        json!({"outcomes": ["REFUSED"]}),
        json!({"logTypes": ["READ"], "outcomes": ["SUCCESS"]}),
        json!({"from": early, "to": late}),
        json!({"from": early, "objectIds": ["same"], "actions": ["actor.recorded"]}),
        json!({"to": late, "principalIds": [administrator]}),
        json!({"objectIds": ["nothing"]}),
    ];
    for filter in &filters {
        let wanted: Vec<&str> = ids_of(&log).into_iter().zip(&log).filter(|(_, entry)| passes(filter, entry)).map(|(id, _)| id).collect();
        let turned: Vec<&str> = wanted.iter().rev().copied().collect();
        assert_eq!(all_pages(&server, filter, "DESC", "first").await, wanted, "{filter}");
        assert_eq!(all_pages(&server, filter, "DESC", "last").await, wanted, "{filter}, from its end");
        assert_eq!(all_pages(&server, filter, "ASC", "first").await, turned, "{filter}, oldest first");
    }
    let nodes =
        server.graphql(&format!("{{ auditEntries(first: 500) {{ nodes {{ {FIELDS} }} }} }}"), json!({})).await["auditEntries"]["nodes"].take();
    let wanted: Vec<Value> = log.iter().map(as_graphql).collect();
    assert_eq!(nodes.as_array().expect("nodes"), &wanted, "each field says what REST says");
    assert_eq!(ids_of(&listed(&server, "").await), ids_of(&log), "nothing came while it was read");
    let one = format!("query($id: ID!) {{ node(id: $id) {{ ... on AuditEntry {{ {FIELDS} }} }} }}");
    for entry in [&wanted[0], &wanted[wanted.len() - 1]] {
        assert_eq!(server.graphql(&one, json!({"id": entry["nodeId"]})).await["node"], *entry);
    }
}

/// The newest entry of an object that has a new value, with what differs.
async fn changes(api: &Api, object: &str, action: &str) -> Value {
    let query =
        "query($filter: AuditEntryFilter) { auditEntries(first: 1, filter: $filter) { nodes { oldValue newValue changes { path before after } } } }";
    let filter = json!({"objectIds": [object], "actions": [action], "logTypes": ["UPDATE"]});
    api.graphql(query, json!({"filter": filter})).await["auditEntries"]["nodes"][0].take()
}

async fn changes_are_told_field_by_field(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = ids.of("actor");
    let record = |more: Value| with(actor(&id), more).to_string();
    let before = record(json!({"name": "Ann", "domicile": "DE", "customData": {"desk": {"floor": 1, "seat": "a"}}, "addresses": [{"city": "Bonn"}]}));
    let after = record(
        json!({"name": "Anna", "customData": {"desk": {"floor": 2, "seat": "a"}}, "addresses": [{"city": "Ulm"}, {"city": "Bonn"}], "gender": "FEMALE"}),
    );
    for record in [&before, &after] {
        server.post("/api/actors", record.clone()).await.expect(200);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let amended = changes(&server, &id, "actor.recorded").await;
    assert_eq!((&amended["oldValue"], &amended["newValue"]), (&json!(before), &json!(after)));
    let change = |path: &str, before: Value, after: Value| json!({"path": path, "before": before, "after": after});
    let wanted = [
        change("/addresses", json!([{"city": "Bonn"}]), json!([{"city": "Ulm"}, {"city": "Bonn"}])),
        change("/customData/desk/floor", json!(1), json!(2)),
        change("/domicile", json!("DE"), Value::Null),
        change("/name", json!("Ann"), json!("Anna")),
        change("/gender", Value::Null, json!("FEMALE")),
    ];
    assert_eq!(values(&amended["changes"]), json!(wanted), "{amended:#}");

    let case = made(&server, json!({})).await;
    assert_eq!(changes(&server, &case, "case.created").await["changes"], json!([]), "what is new replaces nothing");
    done(&server, "actOnCase", json!({"caseId": case, "action": "CLAIM"})).await;
    let moved = changes(&server, &case, "case.workflow.actioned").await;
    let wanted = [
        change("/stepId", json!("to-do"), json!("in-progress")),
        change("/actionName", Value::Null, json!("CLAIM")),
        change("/wanted", Value::Null, json!("ACT")),
    ];
    assert_eq!(values(&moved["changes"]), json!(wanted), "{moved:#}");
}

/// Changes with the values that their texts say.
fn values(changes: &Value) -> Value {
    let value = |text: &Value| text.as_str().map_or(Value::Null, |text| serde_json::from_str(text).expect("it is JSON"));
    let changes = changes.as_array().expect("a list").iter();
    changes.map(|change| json!({"path": change["path"], "before": value(&change["before"]), "after": value(&change["after"])})).collect()
}

async fn each_role_reads_what_it_reads_over_rest(engine: Engine) {
    let server = Server::shared(engine);
    let case = made(&server, json!({})).await;
    done(&server, "actOnCase", json!({"caseId": case, "action": "CLAIM"})).await;
    let of_case = "query($id: ID!) { auditEntries(filter: {caseIds: [$id], logTypes: [UPDATE]}) {
        totalCount nodes { id case { id } object { nodeId } changes { path } } } }";
    let all = "query($id: ID!) { auditEntries(first: 1, filter: {objectIds: [$id], logTypes: [UPDATE]}) { totalCount nodes { id } } }";
    let one = "query($id: ID!) { auditEntry(id: $id) { id action } }";
    let by_node = "query($id: ID!) { node(id: $id) { id } }";
    let entry = server.graphql(all, json!({"id": case})).await["auditEntries"]["nodes"][0]["id"].take();
    let node = json!({"id": format!("AuditEntry:{}", entry.as_str().expect("an id"))});
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"] {
        let (_, api) = key(&server, role).await;
        let spans = "/api/audit_logs?startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&limit=1";
        let over_rest = [api.get(spans).await.status, api.get(&format!("{spans}&caseId={case}")).await.status];
        let questions = [(all, json!({"id": case})), (one, json!({"id": entry})), (by_node, node.clone()), (of_case, json!({"id": case}))];
        for ((query, variables), status) in questions.into_iter().zip([over_rest[0], over_rest[0], over_rest[0], over_rest[1]]) {
            let answer = api.graphql_in_time(query, variables).await;
            let code = answer["errors"][0]["extensions"]["code"].as_str();
            assert_eq!(code, if status == 200 { None } else { Some("FORBIDDEN") }, "{role}: {query}: {answer}");
            assert_eq!(code.is_some(), !answer.to_string().contains(entry.as_str().expect("an id")), "{role}: {query}: {answer}");
        }
        if over_rest[1] == 200 {
            let shown = api.graphql(of_case, json!({"id": case})).await["auditEntries"].take();
            let listed = listed(&api, &format!("&caseId={case}&logType=UPDATE")).await;
            assert_eq!(ids_of(shown["nodes"].as_array().expect("nodes")), ids_of(&listed), "{role}");
            assert_eq!(shown["nodes"][0]["case"]["id"], json!(case), "{role}: {shown}");
            assert_eq!(shown["nodes"][0]["object"], json!({"nodeId": format!("Case:{case}")}), "{role}: {shown}");
        }
    }
    // What an entry is of is named to who may see it, where it is a node and there.
    let query =
        "query($id: ID!) { auditEntries(first: 1, filter: {objectIds: [$id], logTypes: [UPDATE]}) { nodes { objectType object { nodeId name } } } }";
    let told = async |api: &Api, id: &str| api.graphql(query, json!({"id": id})).await["auditEntries"]["nodes"][0].take();
    let ((credential, admin), (_, supervisor)) = (key(&server, "ADMIN").await, key(&server, "SUPERVISOR").await);
    let hook = json!({"name": "Desk", "url": "https://desk.example.com/hooks", "events": []});
    let hook = server.post("/api/webhooks", hook.to_string()).await.expect(201).json();
    let webhook = hook["id"].as_str().expect("an id");
    let shown = json!({"nodeId": format!("Webhook:{webhook}"), "name": "Desk"});
    assert_eq!(told(&admin, webhook).await, json!({"objectType": "Webhook", "object": shown}));
    assert_eq!(told(&supervisor, webhook).await, json!({"objectType": "Webhook", "object": null}), "administrators see webhooks");
    assert_eq!(told(&admin, credential.as_str()).await, json!({"objectType": "ApiKey", "object": null}), "a key is no node");
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
    assert_eq!(told(&admin, webhook).await, json!({"objectType": "Webhook", "object": null}), "it is gone");
}

/// As over REST: an entry that was named, and with the setting `all` also a list.
async fn reading_the_log_is_noted(engine: Engine) {
    for (setting, wanted) in [("records", json!([null, 1])), ("all", json!([1, 1]))] {
        let server = Server::with(Store::private(engine), &[("AMLGRAPH_AUDIT__READS", setting)]);
        server.post("/api/actors", actor("one").to_string()).await.expect(200);
        let (reader, api) = key(&server, "AUDITOR").await;
        let entry = api.graphql("{ auditEntries(first: 1, filter: {objectIds: [\"one\"]}) { totalCount nodes { id } } }", json!({})).await;
        let entry = entry["auditEntries"]["nodes"][0]["id"].clone();
        api.graphql("query($id: ID!) { auditEntry(id: $id) { action } }", json!({"id": entry})).await;
        let noted = async || {
            let entries = listed(&server, "&logType=READ").await;
            let of = |object: &Value| {
                let is_of_it = |of: &&Value| of["userId"] == json!(reader) && of["action"] == "audit_log.read" && of["objectId"] == *object;
                let count = entries.iter().filter(is_of_it).count();
                if count == 0 { Value::Null } else { json!(count) }
            };
            json!([of(&Value::Null), of(&entry)])
        };
        eventually("it is noted", SOON, async || noted().await == wanted).await;
    }
}

async fn filters_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    let long = "a".repeat(1_025);
    let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    let noon = "2024-01-01T12:00:00Z";
    for (filter, expected) in [
        (json!({"from": noon, "to": noon}), "filter.to: must be later than from"),
        (json!({"objectIds": []}), "filter.objectIds: must name at least one; leave it out for all"),
        (json!({"caseIds": []}), "filter.caseIds: must name at least one; leave it out for all"),
        (json!({"logTypes": []}), "filter.logTypes: must name at least one; leave it out for all"),
        (json!({"outcomes": []}), "filter.outcomes: must name at least one; leave it out for all"),
        (json!({"principalIds": many}), "filter.principalIds: must name at most 100"),
        (json!({"actions": [long]}), "filter.actions: must be of at most 1024 bytes each"),
    ] {
        let answer = server
            .graphql_answer("query($filter: AuditEntryFilter) { auditEntries(filter: $filter) { totalCount } }", json!({"filter": filter}))
            .await;
        assert_eq!(answer["errors"][0]["message"], json!(expected), "{filter}: {answer}");
    }
    let cursor = page(&server, &Value::Null, "DESC", json!({"first": 1})).await["pageInfo"]["endCursor"].take();
    let answer = server
        .graphql_answer(
            "query($after: String) { auditEntries(after: $after, orderBy: {field: AT, direction: ASC}) { nodes { id } } }",
            json!({"after": cursor}),
        )
        .await;
    assert_eq!(answer["errors"][0]["message"], json!("after: must be a cursor of this list in this order and direction"), "{answer}");
}
