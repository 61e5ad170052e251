//! Who asks and what it may do, who has done something, nodes by their ids, and how cases are called.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::case_work::{done, made};
use crate::support::fixtures::{actor, case_id, with};
use crate::support::jobs::Shown;
use crate::support::observations::{observation, taken};
use crate::support::{Api, Engine, Ids, Server, Store, tests};
use crate::users::Issuer;

tests![both: each_role_is_told_who_it_is_and_what_it_may_do, a_client_is_told_when_its_token_expires, a_user_is_told_who_they_are,
        those_who_did_something_are_named_beside_their_ids, nodes_come_in_the_order_of_their_ids, a_case_is_called_by_its_rule_and_its_actor;
    embedded: the_service_itself_is_nobody, a_node_that_is_not_for_the_sender_is_null_with_an_error, principals_and_nodes_are_one_statement,
        nodes_are_beside_edges];

const ROLES: [&str; 5] = ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"];

/// What the roles allow, in the order of the schema: one row for each row of the table of rights.
const PERMISSIONS: [(&str, [bool; 5]); 28] = {
    const Y: bool = true;
    const N: bool = false;
    [
        ("SEND_RECORDS", [Y, N, N, N, Y]),
        ("READ_RECORDS", [Y, Y, Y, Y, Y]),
        ("CHANGE_CASES", [Y, Y, Y, N, Y]),
        ("WORK_ON_CASES", [N, Y, Y, N, Y]),
        ("EXPLORE", [N, Y, Y, Y, Y]),
        ("READ_PRINCIPALS", [Y, Y, Y, Y, Y]),
        ("CHANGE_SEGMENT_MEMBERS", [Y, Y, Y, N, Y]),
        ("SEND_DECISIONS", [Y, Y, Y, N, Y]),
        ("MAKE_DECISIONS", [N, Y, Y, N, Y]),
        ("READ_AUDIT_LOG", [N, N, Y, Y, Y]),
        ("READ_CASE_AUDIT_LOG", [N, Y, Y, Y, Y]),
        ("READ_RULES", [N, Y, Y, Y, Y]),
        ("START_DETECTION", [Y, N, Y, N, Y]),
        ("CALCULATE_RISK", [N, Y, Y, N, Y]),
        ("TUNE_RULES", [N, N, Y, N, Y]),
        ("PUBLISH_RULES", [N, N, Y, N, Y]),
        ("READ_WATCHLISTS", [N, Y, Y, Y, Y]),
        ("IMPORT_WATCHLISTS", [N, N, Y, N, Y]),
        ("SCREEN_ACTORS", [N, N, Y, N, Y]),
        ("FOLLOW_CHANGES", [N, N, N, N, Y]),
        ("FOLLOW_EVENTS", [Y, N, N, N, Y]),
        ("READ_JOBS", [N, N, Y, N, Y]),
        ("READ_OWN_JOBS", [Y, Y, Y, Y, Y]),
        ("CANCEL_JOBS", [N, N, Y, N, Y]),
        ("CANCEL_OWN_JOBS", [Y, Y, Y, Y, Y]),
        ("START_JOBS", [N, N, N, N, Y]),
        ("READ_WEBHOOKS", [N, N, N, N, Y]),
        ("ADMINISTER", [N, N, N, N, Y]),
    ]
};

const VIEWER: &str = "{ viewer { id name roles permissions credentialType expiresAt principal { id name kind user { id } } user { id name } } }";

/// What any of these roles allows.
fn permissions(roles: &[&str]) -> Value {
    let allows = |row: &[bool; 5]| ROLES.iter().zip(row).any(|(role, allowed)| *allowed && roles.contains(role));
    PERMISSIONS.iter().filter(|(_, row)| allows(row)).map(|(name, _)| *name).collect()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field}: {value}"))
}

/// A new key, and a caller who has it.
async fn keyed(server: &Server, role: &str, name: &str) -> (Value, Api) {
    let key = server.post("/admin/keys", json!({"role": role, "name": name}).to_string()).await.expect(201).json();
    let api = server.with_key(text(&key, "key"));
    (key, api)
}

/// The answer to a document by a token, errors and all.
async fn by_token(server: &Server, token: &str, query: &str) -> Value {
    let api = server.anonymous();
    api.send(api.request("POST", "/graphql").bearer_auth(token).json(&json!({"query": query}))).await.expect(200).json()
}

async fn each_role_is_told_who_it_is_and_what_it_may_do(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for role in ROLES {
        let name = ids.of(role);
        let (key, api) = keyed(&server, role, &name).await;
        let viewer = api.graphql(VIEWER, json!({})).await["viewer"].take();
        let principal = json!({"id": key["id"], "name": name, "kind": "API_KEY", "user": null});
        let expected = json!({"id": key["id"], "name": name, "roles": [role], "permissions": permissions(&[role]), "credentialType": "API_KEY",
            "expiresAt": null, "principal": principal, "user": null});
        assert_eq!(viewer, expected);
        // As REST lists it, and lets it in.
        let keys = server.get("/admin/keys").await.expect(200).json();
        let listed = keys.as_array().expect("a list").iter().find(|listed| listed["id"] == viewer["id"]).expect("it is listed");
        assert_eq!((&listed["name"], &listed["role"]), (&viewer["name"], &viewer["roles"][0]));
        let times = "startDate=1970-01-01T00:00:00Z&endDate=1970-01-02T00:00:00Z";
        for (permission, method, path, body) in [
            ("SEND_RECORDS", "POST", "/api/actors".to_owned(), actor(&ids.of("actor"))),
            ("READ_RECORDS", "GET", "/api/users".to_owned(), Value::Null),
            ("CHANGE_CASES", "POST", "/api/cases".to_owned(), json!({})),
            ("READ_AUDIT_LOG", "GET", format!("/api/audit_logs?{times}"), Value::Null),
            ("READ_CASE_AUDIT_LOG", "GET", format!("/api/audit_logs?{times}&caseId={}", case_id()), Value::Null),
            ("ADMINISTER", "GET", "/admin/keys".to_owned(), Value::Null),
        ] {
            let request = if body.is_null() { api.request(method, &path) } else { api.request(method, &path).json(&body) };
            let is_let_in = api.send(request).await.status != 403;
            let is_told = viewer["permissions"].as_array().expect("a list").contains(&json!(permission));
            assert_eq!(is_let_in, is_told, "{role} {permission}");
        }
    }
}

async fn a_client_is_told_when_its_token_expires(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let name = ids.of("client");
    let client = server.post("/admin/clients", json!({"role": "AUDITOR", "name": name}).to_string()).await.expect(201).json();
    let form = [("grant_type", "client_credentials"), ("client_id", text(&client, "client_id")), ("client_secret", text(&client, "client_secret"))];
    let before = chrono::Utc::now().timestamp();
    let api = server.anonymous();
    let token = api.send(api.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    let after = chrono::Utc::now().timestamp();
    let answer = by_token(&server, text(&token, "access_token"), VIEWER).await;
    let viewer = &answer["data"]["viewer"];
    assert_eq!((&viewer["id"], &viewer["name"], &viewer["credentialType"]), (&client["client_id"], &json!(name), &json!("TOKEN")), "{answer}");
    assert_eq!((&viewer["roles"], &viewer["permissions"]), (&json!(["AUDITOR"]), &permissions(&["AUDITOR"])), "{answer}");
    assert_eq!(viewer["principal"], json!({"id": client["client_id"], "name": name, "kind": "CLIENT", "user": null}), "{answer}");
    assert_eq!(viewer["user"], Value::Null, "{answer}");
    let expires_at = chrono::DateTime::parse_from_rfc3339(text(viewer, "expiresAt")).expect("a time").timestamp();
    assert!((before + 900..=after + 900).contains(&expires_at), "{answer}");
}

async fn a_user_is_told_who_they_are(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let ids = &issuer.ids;
    let exp = chrono::Utc::now().timestamp() + 300;
    let claims = json!({"sub": ids.of("ada"), "preferred_username": ids.of("ada"), "name": "A. Byron", "given_name": "Ada", "family_name": "Byron",
        "groups": [ids.of("analysts"), ids.of("checkers")], "exp": exp});
    let query =
        "{ viewer { id name roles permissions credentialType expiresAt principal { name kind user { id } } user { id name username groups } } }";
    let token = issuer.token(claims);
    let answer = by_token(&server, &token, query).await;
    let viewer = &answer["data"]["viewer"];
    assert!(answer["errors"].is_null(), "{answer}");
    let both = ["ANALYST", "AUDITOR"];
    assert_eq!(
        (&viewer["roles"], &viewer["permissions"], &viewer["credentialType"]),
        (&json!(both), &permissions(&both), &json!("TOKEN")),
        "{answer}"
    );
    let expires_at = chrono::DateTime::parse_from_rfc3339(text(viewer, "expiresAt")).expect("a time").timestamp();
    // The claim `name` makes no second name of theirs.
    assert_eq!((&viewer["name"], expires_at), (&json!("Ada Byron"), exp), "{answer}");
    assert_eq!(viewer["principal"], json!({"name": "Ada Byron", "kind": "USER", "user": {"id": viewer["id"]}}), "{answer}");
    let user = server.get(&format!("/api/users/{}", text(viewer, "id"))).await.expect(200).json();
    let expected = json!({"id": user["user_id"], "name": "Ada Byron", "username": user["username"], "groups": user["groups"]});
    assert_eq!(viewer["user"], expected, "{answer}");
    let listed = server.graphql("{ users(first: 500) { nodes { id name } } }", json!({})).await["users"]["nodes"].take();
    assert!(listed.as_array().expect("nodes").contains(&json!({"id": viewer["id"], "name": "Ada Byron"})), "{listed}");
    // Another name is theirs everywhere, whatever their token says.
    let rename =
        format!("mutation {{ updateUser(input: {{userId: \"{}\", firstName: \"Augusta\"}}) {{ userErrors {{ message }} }} }}", text(viewer, "id"));
    assert_eq!(server.graphql(&rename, json!({})).await, json!({"updateUser": {"userErrors": []}}));
    let answer = by_token(&server, &token, "{ viewer { name principal { name } user { name } } }").await;
    let name = "Augusta Byron";
    assert_eq!(answer["data"]["viewer"], json!({"name": name, "principal": {"name": name}, "user": {"name": name}}), "{answer}");
    // Who may not explore is told who they are all the same.
    let claims = json!({"sub": ids.of("sender"), "preferred_username": ids.of("sender"), "role": "INGEST"});
    let answer = by_token(&server, &issuer.token(claims), "{ viewer { roles user { id name groups } } }").await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{answer}");
    let claims = json!({"sub": ids.of("sender"), "role": "INGEST"});
    let answer = by_token(&server, &issuer.token(claims), "{ viewer { id roles user { id name } } }").await;
    let viewer = &answer["data"]["viewer"];
    assert_eq!(viewer["user"], json!({"id": viewer["id"], "name": ids.of("sender")}), "{answer}");
}

/// Each object that has a `Principal` under a name, with that and the id beside it.
fn with_ids<'a>(value: &'a Value, principal: &str, id: &str, found: &mut Vec<(&'a Value, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get(principal).zip(fields.get(id)));
            fields.values().for_each(|value| with_ids(value, principal, id, found));
        }
        Value::Array(items) => items.iter().for_each(|value| with_ids(value, principal, id, found)),
        _ => {}
    }
}

async fn those_who_did_something_are_named_beside_their_ids(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let ids = &issuer.ids;
    let (key, analyst) = keyed(&server, "ANALYST", &ids.of("desk")).await;
    let token = issuer.token(json!({"sub": ids.of("ada"), "preferred_username": ids.of("ada"), "role": "ANALYST"}));
    let user = by_token(&server, &token, "{ viewer { id } }").await["data"]["viewer"]["id"].take();
    taken(&server, with(observation(&ids.of("observation")), json!({"actors": [{"actorId": ids.of("actor")}]}))).await;
    let case = made(&server, json!({"actors": [{"id": ids.of("actor")}], "observation_ids": [ids.of("observation")]})).await;
    for number in 0..4 {
        done(&analyst, "commentOnCase", json!({"caseId": case, "text": format!("{number}")})).await;
        let comment = format!("mutation {{ commentOnCase(input: {{caseId: \"{case}\", text: \"seen\"}}) {{ userErrors {{ message }} }} }}");
        assert!(by_token(&server, &token, &comment).await["errors"].is_null());
    }
    done(&analyst, "giveObservationFeedback", json!({"caseId": case, "observationId": ids.of("observation"), "feedback": "TRUE_POSITIVE"})).await;
    done(&analyst, "whitelistObservation", json!({"caseId": case, "observationId": ids.of("observation"), "comment": "known"})).await;

    let who = "{ id name kind user { id name username } }";
    let query = format!(
        "query($case: ID!) {{
           case(id: $case) {{
             comments(first: 50) {{ nodes {{ userId createdBy {who} }} }}
             feedback(first: 5) {{ nodes {{ userId createdBy {who} }} }}
             observationActions(first: 5) {{ nodes {{ userId createdBy {who} }} }}
             observations(first: 5) {{ nodes {{ handling {{ userId createdBy: by {who} }} }} }} }} }}"
    );
    let data = analyst.graphql(&query, json!({"case": case})).await;
    let mut found = Vec::new();
    with_ids(&data, "createdBy", "userId", &mut found);
    assert_eq!(found.len(), 8 + 1 + 1 + 1, "{data}");
    // By REST: who has which id.
    let mut known: BTreeMap<String, Value> = BTreeMap::new();
    for key in server.get("/admin/keys").await.expect(200).json().as_array().expect("a list") {
        known.insert(text(key, "id").to_owned(), json!({"id": key["id"], "name": key["name"], "kind": "API_KEY", "user": null}));
    }
    let shown = server.get(&format!("/api/users/{}", user.as_str().expect("an id"))).await.expect(200).json();
    let (id, name) = (&shown["user_id"], &shown["username"]);
    known.insert(
        user.as_str().expect("an id").to_owned(),
        json!({"id": id, "name": name, "kind": "USER", "user": {"id": id, "name": name, "username": name}}),
    );
    for (principal, id) in &found {
        assert_eq!(**principal, known[id.as_str().expect("an id")], "{data}");
    }
    let by_user = found.iter().filter(|(_, id)| **id == user).count();
    let by_key = found.iter().filter(|(_, id)| **id == key["id"]).count();
    assert_eq!((by_user, by_key), (4, 4 + 1 + 1 + 1), "{data}");
}

async fn the_service_itself_is_nobody(engine: Engine) {
    let (server, ids) = (Server::on(Store::of(engine)), Ids::new());
    let made = server.graphql("mutation { verifyTransfers(input: {}) { job { id } } }", json!({})).await;
    let id = made["verifyTransfers"]["job"]["id"].clone();
    let job = "query($id: ID!) { job(id: $id) { createdBy createdByName createdByPrincipal { id name kind } } }";
    let shown = server.graphql(job, json!({"id": id})).await["job"].take();
    let expected = json!({"id": shown["createdBy"], "name": shown["createdByName"], "kind": "API_KEY"});
    assert_eq!(shown["createdByPrincipal"], expected, "{shown}");
    // What a token's first sight makes is made by nobody who has a credential.
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    by_token(&server, &issuer.token(json!({"sub": ids.of("ada"), "role": "ANALYST"})), "{ viewer { id } }").await;
    let changes = "{ changes(first: 200) { sets { changes { action userId by { id } } } } }";
    let by_itself = |data: &Value| {
        let mut found = Vec::new();
        with_ids(data, "by", "userId", &mut found);
        found.iter().filter(|(by, id)| **id == json!("sign-in") && by.is_null()).count()
    };
    crate::support::eventually("a user who was made is in the change feed", std::time::Duration::from_secs(30), || async {
        by_itself(&server.graphql(changes, json!({})).await) > 0
    })
    .await;
}

async fn nodes_come_in_the_order_of_their_ids(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for name in ["b", "a", "c"] {
        server.post("/api/actors", with(actor(&ids.of(name)), json!({"name": name.to_uppercase()})).to_string()).await.expect(200);
    }
    let case = made(&server, json!({"actors": [{"id": ids.of("a")}]})).await;
    let named = |kind: &str, name: &str| format!("{kind}:{}", ids.of(name));
    let asked = [
        named("Actor", "c"),
        format!("Case:{case}"),
        named("Actor", "a"),
        named("Actor", "missing"),
        "nothing".to_owned(),
        named("Planet", "a"),
        "Actor:".to_owned(),
        "IpAddress:no-address".to_owned(),
        format!("Case:{}", case.to_uppercase()),
        named("Actor", "b"),
        named("Actor", "c"),
        "Workflow:default-analysis".to_owned(),
    ];
    let fields = "__typename id nodeId ... on Actor { name type cases(first: 3) { totalCount nodes { id } } } ... on Case { version actors(first: 3) { nodes { name } } }";
    let query = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ {fields} }} }}");
    let nodes = server.graphql(&query, json!({"ids": asked})).await["nodes"].take();
    let nodes = nodes.as_array().expect("a list");
    assert_eq!(nodes.len(), asked.len());
    for (place, (id, node)) in asked.iter().zip(nodes).enumerate() {
        if [3, 4, 5, 6, 7].contains(&place) {
            assert_eq!(*node, Value::Null, "{id}");
            continue;
        }
        let alone = server.graphql(&format!("query($id: ID!) {{ node(id: $id) {{ {fields} }} }}"), json!({"id": id})).await;
        assert_eq!(*node, alone["node"], "{id}");
        assert!(!node.is_null(), "{id}");
    }
    assert_eq!((&nodes[2]["name"], &nodes[2]["cases"]["nodes"][0]["id"]), (&json!("A"), &json!(case)));
    assert_eq!(server.graphql(&query, json!({"ids": []})).await, json!({"nodes": []}));
    let many: Vec<String> = (0..101).map(|number| format!("Actor:{number}")).collect();
    assert_eq!(server.graphql(&query, json!({"ids": &many[..100]})).await["nodes"].as_array().map(Vec::len), Some(100));
    let refused = server.graphql_answer(&query, json!({"ids": many})).await;
    assert_eq!(refused["errors"][0]["message"], json!("ids: must be at most 100"), "{refused}");
}

async fn a_node_that_is_not_for_the_sender_is_null_with_an_error(engine: Engine) {
    let (server, ids) = (Server::on(Store::of(engine)), Ids::new());
    server.post("/api/actors", actor(&ids.of("a")).to_string()).await.expect(200);
    let (_, analyst) = keyed(&server, "ANALYST", "desk").await;
    let asked = json!({"ids": [format!("Actor:{}", ids.of("a")), format!("Webhook:{}", case_id())]});
    let answer = analyst.graphql_answer("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", asked).await;
    assert_eq!(answer["data"]["nodes"], json!([{"id": ids.of("a")}, null]), "{answer}");
    let errors = answer["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 1, "{answer}");
    assert_eq!((&errors[0]["path"], &errors[0]["extensions"]["code"]), (&json!(["nodes", 1]), &json!("FORBIDDEN")), "{answer}");
}

/// How often a statement has run.
async fn ran(server: &Server, label: &str) -> f64 {
    Shown::now(server).await.statements().get(label).copied().unwrap_or_default()
}

async fn principals_and_nodes_are_one_statement(engine: Engine) {
    // What goes on in the background runs statements, too.
    let (server, ids) = (Server::with(Store::of(engine), &[("", "--no-worker")]), Ids::new());
    let (_, first) = keyed(&server, "ANALYST", "first").await;
    let (_, second) = keyed(&server, "SUPERVISOR", "second").await;
    let case = made(&server, json!({})).await;
    for _ in 0..25 {
        for api in [&first, &second] {
            done(api, "commentOnCase", json!({"caseId": case, "text": "seen"})).await;
        }
    }
    let before = ran(&server, "credential/principals").await;
    let query = "query($id: ID!) { case(id: $id) { comments(first: 50) { nodes { createdBy { name kind } } } } }";
    let data = server.graphql(query, json!({"id": case})).await;
    let names = data["case"]["comments"]["nodes"].as_array().expect("nodes").iter().map(|comment| &comment["createdBy"]["name"]);
    let of = |wanted: &str| names.clone().filter(|name| **name == json!(wanted)).count();
    assert_eq!((of("first"), of("second")), (25, 25), "{data}");
    assert_eq!(ran(&server, "credential/principals").await - before, 1.0);

    for number in 0..60 {
        server.post("/api/actors", actor(&ids.of(&format!("{number}"))).to_string()).await.expect(200);
    }
    let asked: Vec<String> = (0..60).map(|number| format!("Actor:{}", ids.of(&format!("{number}")))).collect();
    let before = ran(&server, "walk").await;
    let data = server.graphql("query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Actor { type } } }", json!({"ids": asked})).await;
    assert!(data["nodes"].as_array().expect("nodes").iter().all(|node| node["type"] == json!("INDIVIDUAL")), "{data}");
    assert_eq!(ran(&server, "walk").await - before, 1.0);
}

async fn nodes_are_beside_edges(engine: Engine) {
    let server = Server::on(Store::of(engine));
    server.graphql("mutation { verifyTransfers(input: {}) { job { id } } }", json!({})).await;
    let data = server.graphql("{ jobs(first: 5) { nodes { id } edges { node { id } } } }", json!({})).await;
    let nodes = data["jobs"]["nodes"].as_array().expect("nodes");
    let edges = data["jobs"]["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]);
    assert!(!nodes.is_empty() && nodes.iter().eq(edges), "{data}");
    let schema = include_str!("../docs/schema.graphql");
    let connections: Vec<&str> = schema.split("\ntype ").filter(|of| of.split(' ').next().is_some_and(|name| name.ends_with("Connection"))).collect();
    assert!(connections.len() > 50, "{}", connections.len());
    for connection in connections {
        let (fields, _) = connection.split_once("\n}").expect("fields");
        assert!(fields.contains("\n\tnodes: [") && fields.contains("\n\tedges: ["), "{fields}");
    }
}

async fn a_case_is_called_by_its_rule_and_its_actor(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for name in ["a", "b"] {
        server.post("/api/actors", with(actor(&ids.of(name)), json!({"name": format!("Actor {name}")})).to_string()).await.expect(200);
    }
    taken(&server, with(observation(&ids.of("observation")), json!({"actors": [{"actorId": ids.of("a")}]}))).await;
    let focal = |names: &[&str]| -> Value { names.iter().map(|name| json!({"id": ids.of(name), "type": "FOCAL"})).collect() };
    for (body, title) in [
        (json!({"actors": focal(&["b", "a"]), "observation_ids": [ids.of("observation")]}), "Structuring: Actor a".to_owned()),
        (json!({"observation_ids": [ids.of("observation")]}), "Structuring".to_owned()),
        (json!({"actors": focal(&["b"])}), "Analysis: Actor b".to_owned()),
        (json!({"actors": focal(&["c"])}), format!("Analysis: {}", ids.of("c"))),
        (json!({"actors": [{"id": ids.of("a"), "type": "CONNECTION"}]}), String::new()),
        (json!({}), String::new()),
    ] {
        let case = made(&server, body.clone()).await;
        let shown = server.graphql("query($id: ID!) { case(id: $id) { name title assignee { id } } }", json!({"id": case})).await["case"].take();
        let expected = if title.is_empty() { format!("Analysis {case}") } else { title };
        assert_eq!(shown["title"], json!(expected), "{body}: {shown}");
    }
}
