//! Users: made by an administrator, by a command, or at the first sight of a token that a trusted issuer has given them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::routing::get;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::support::fixtures::{actor, case_id};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, command, tests};

tests![both: a_user_is_made_read_changed_and_listed, a_user_who_was_named_before_becomes_one_in_place, usernames_are_unique, the_same_again_by_a_key,
    who_comes_with_a_token_becomes_a_user, a_disabled_user_is_refused, groups_give_roles, users_by_command;
    embedded: faults_of_a_user_are_told, users_are_for_administrators_to_make, an_issuer_is_named_in_full, tokens_of_others_are_refused,
    an_administrator_names_who_will_come; neo4j: a_user_who_is_shut_out_is_so_on_every_instance];

const USER: &str = "user { id nodeId name known username firstName lastName enabled groups createdAt }";

/// Runs a mutation; answers with its payload.
async fn mutate(api: &Api, mutation: &str, input: Value) -> Value {
    let kind = if mutation == "createUser" { "CreateUserInput" } else { "UpdateUserInput" };
    let query = format!("mutation($input: {kind}!) {{ {mutation}(input: $input) {{ {USER} userErrors {{ code message }} }} }}");
    api.graphql(&query, json!({"input": input})).await[mutation].take()
}

/// The user that a mutation has made or changed.
async fn changed(api: &Api, mutation: &str, input: Value) -> Value {
    let mut payload = mutate(api, mutation, input).await;
    assert_eq!(payload["userErrors"], json!([]), "{payload}");
    payload["user"].take()
}

fn id_of(user: &Value) -> String {
    user["id"].as_str().expect("an id").to_owned()
}

async fn a_user_is_made_read_changed_and_listed(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let input = json!({"username": ids.of("ada"), "firstName": "Ada", "lastName": "Byron", "groups": ["analysts", "first", "analysts"]});
    let before = chrono::Utc::now().timestamp_millis();
    let user = changed(&server, "createUser", input).await;
    let id = id_of(&user);
    assert!(uuid::Uuid::parse_str(&id).is_ok(), "{user}");
    assert_eq!((&user["name"], &user["known"], &user["enabled"]), (&json!("Ada Byron"), &json!(true), &json!(true)));
    let read = server.get(&format!("/api/users/{id}")).await.expect(200).json();
    let at = read["created_at"].as_i64().expect("whole milliseconds");
    assert!((before..=chrono::Utc::now().timestamp_millis()).contains(&at), "{read}");
    let wanted = json!({"user_id": id, "username": ids.of("ada"), "first_name": "Ada", "last_name": "Byron", "enabled": true, "created_at": at,
        "groups": ["analysts", "first"]});
    assert_eq!(read, wanted);
    // However it is written.
    assert_eq!(server.get(&format!("/api/users/{}", id.to_uppercase())).await.expect(200).json(), wanted);

    let user = changed(&server, "updateUser", json!({"userId": id, "username": ids.of("lovelace"), "groups": [], "enabled": false})).await;
    assert_eq!(
        (&user["username"], &user["firstName"], &user["enabled"], &user["groups"]),
        (&json!(ids.of("lovelace")), &json!("Ada"), &json!(false), &json!([]))
    );
    let listed = server.get("/api/users?limit=1000").await.expect(200).json();
    let mine = listed.as_array().expect("a list").iter().find(|user| user["user_id"] == json!(id)).expect("it is listed");
    assert_eq!(*mine, server.get(&format!("/api/users/{id}")).await.expect(200).json());
    assert_eq!((&mine["enabled"], &mine["groups"], &mine["created_at"]), (&json!(false), &json!([]), &json!(at)));
    let found = server.graphql("query($id: ID!, $node: ID!) { user(id: $id) { username } node(id: $node) { __typename id } users(first: 500) { edges { node { id } } } }",
        json!({"id": id, "node": user["nodeId"]})).await;
    assert_eq!((&found["user"]["username"], &found["node"]), (&json!(ids.of("lovelace")), &json!({"__typename": "User", "id": id})));
    assert!(found["users"]["edges"].as_array().expect("edges").iter().any(|edge| edge["node"]["id"] == json!(id)), "{found}");
    assert_eq!(server.get("/api/users?limit=1&offset=2147483647").await.expect(200).json(), json!([]));
    server.get(&format!("/api/users/{}", case_id())).await.expect(404);
    assert_eq!(server.get("/api/users/ada").await.expect(400).places(), ["id"]);
    assert_eq!(server.get("/api/users?limit=0&offset=-1&name=x").await.expect(400).places(), ["limit", "name", "offset"]);
}

async fn a_user_who_was_named_before_becomes_one_in_place(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, id) = (case_id(), case_id());
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    let assign =
        "mutation($input: AssignCaseInput!) { assignCase(input: $input) { userErrors { message } case { assignee { id known username } } } }";
    let assigned = server.graphql(assign, json!({"input": {"caseId": case, "userId": id}})).await;
    assert_eq!(assigned["assignCase"]["case"]["assignee"], json!({"id": id, "known": false, "username": null}));
    server.get(&format!("/api/users/{id}")).await.expect(404);
    let missing = mutate(&server, "updateUser", json!({"userId": id, "firstName": "Ada"})).await;
    assert_eq!(missing["userErrors"][0]["code"], json!("NOT_FOUND"), "{missing}");
    changed(&server, "createUser", json!({"userId": id, "username": ids.of("ada")})).await;
    let query = "query($id: ID!) { case(id: $id) { assignee { id known username cases { totalCount edges { node { id } } } } } }";
    let shown = server.graphql(query, json!({"id": case})).await;
    let wanted = json!({"id": id, "known": true, "username": ids.of("ada"), "cases": {"totalCount": 1, "edges": [{"node": {"id": case}}]}});
    assert_eq!(shown["case"]["assignee"], wanted);
    // Any id can still be named.
    let other = ids.of("somebody");
    let assigned = server.graphql(assign, json!({"input": {"caseId": case, "userId": other}})).await;
    assert_eq!(assigned["assignCase"]["case"]["assignee"], json!({"id": other, "known": false, "username": null}));
}

async fn usernames_are_unique(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (ada, bob) = (json!({"username": ids.of("ada")}), json!({"username": ids.of("bob")}));
    let first = id_of(&changed(&server, "createUser", ada.clone()).await);
    let second = id_of(&changed(&server, "createUser", bob).await);
    let taken = |payload: Value| assert_eq!((&payload["user"], &payload["userErrors"][0]["code"]), (&Value::Null, &json!("TAKEN")), "{payload}");
    taken(mutate(&server, "createUser", ada.clone()).await);
    taken(mutate(&server, "createUser", json!({"userId": first, "username": ids.of("new")})).await);
    taken(mutate(&server, "updateUser", json!({"userId": second, "username": ids.of("ada")})).await);
    changed(&server, "updateUser", json!({"userId": first, "username": ids.of("eve")})).await;
    changed(&server, "updateUser", json!({"userId": second, "username": ids.of("ada")})).await;
    taken(mutate(&server, "createUser", ada).await);
}

async fn the_same_again_by_a_key(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let input = json!({"username": ids.of("ada"), "idempotencyKey": ids.of("key")});
    let first = changed(&server, "createUser", input.clone()).await;
    assert_eq!(changed(&server, "createUser", input).await, first);
    let other = mutate(&server, "createUser", json!({"username": ids.of("bob"), "idempotencyKey": ids.of("key")})).await;
    let error = &other["userErrors"][0];
    assert_eq!(error["code"], json!("INVALID"), "{other}");
    assert!(error["message"].as_str().is_some_and(|message| message.starts_with("idempotencyKey: ")), "by the field's name: {other}");
}

async fn faults_of_a_user_are_told(engine: Engine) {
    let server = Server::shared(engine);
    let input = json!({"userId": "ada", "username": " ", "firstName": "x".repeat(257), "groups": [""], "idempotencyKey": "k"});
    let payload = mutate(&server, "createUser", input).await;
    let told: Vec<&str> =
        payload["userErrors"].as_array().expect("errors").iter().filter_map(|error| error["message"].as_str()?.split(": ").next()).collect();
    assert_eq!(told, ["userId", "username", "firstName", "groups[0]"]);
    let payload = mutate(&server, "createUser", json!({"username": "ada", "subject": "ada"})).await;
    assert!(payload["userErrors"][0]["message"].as_str().is_some_and(|told| told.starts_with("subject: ")), "no issuer: {payload}");
}

async fn users_are_for_administrators_to_make(engine: Engine) {
    let server = Server::shared(engine);
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR"] {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        api.get("/api/users").await.expect(200);
        let query = "mutation { createUser(input: {username: \"x\"}) { user { id } } }";
        let answer = api.graphql_answer(query, json!({})).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{role}: {answer}");
    }
}

/// An issuer elsewhere. Its key signs tokens of tests and nothing else.
pub struct Issuer {
    url: String,
    pub ids: Ids,
}

const AUDIENCE: &str = "aml";
const SIGNING_KEY: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTqAwfKW5noP2HnavAXrVclTxQquyHlOA6FnPFtYJRwehRANCAASG5L2ruOVhtsU6\
                           +A7dlrny7pFLcE3iRCOUzDfDlGx25f58JFfQWfaJeM2xOxID9ClTPusJen+uZhjydEyFUYxr";

impl Issuer {
    pub async fn start() -> Self {
        let keys = json!({"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "one",
            "x": "huS9q7jlYbbFOvgO3Za58u6RS3BN4kQjlMw3w5RsduU", "y": "_nwkV9BZ9ol4zbE7EgP0KVM-6wl6f65mGPJ0TIVRjGs"}]});
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().route("/keys", get(move || async move { axum::Json(keys.clone()) }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, ids: Ids::new() }
    }

    /// A server of its own that trusts it.
    pub fn trusted(&self, store: Store) -> Server {
        let keys = format!("{}/keys", self.url);
        let groups = [("analysts", "ANALYST"), ("senders", "INGEST"), ("checkers", "AUDITOR"), ("all", "ADMIN")];
        let groups = groups.map(|(group, role)| format!("{}={role}", self.ids.of(group))).join(",");
        let settings = [
            ("AMLGRAPH_TOKEN__JWKS_URL", keys.as_str()),
            ("AMLGRAPH_TOKEN__ISSUER", &self.url),
            ("AMLGRAPH_TOKEN__AUDIENCE", AUDIENCE),
            ("AMLGRAPH_TOKEN__GROUPS", &groups),
        ];
        Server::with(store, &settings)
    }

    /// A token with these claims besides the usual ones; null takes one of those away.
    pub fn token(&self, claims: Value) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
        let mut all = json!({"iss": self.url, "aud": AUDIENCE, "exp": now + 600, "iat": now});
        all.as_object_mut().expect("an object").extend(claims.as_object().expect("an object").clone());
        all.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        let header = Header { kid: Some("one".to_owned()), ..Header::new(Algorithm::ES256) };
        let key = BASE64_STANDARD.decode(SIGNING_KEY).expect("base64");
        encode(&header, &all, &EncodingKey::from_ec_der(&key)).expect("it is signed")
    }
}

/// Asks by a token.
async fn by(server: &Server, token: &str, path: &str) -> Answer {
    let api = server.anonymous();
    api.send(api.request("GET", path).bearer_auth(token)).await
}

/// The user of a name, as it is listed.
async fn listed(server: &Server, username: &str) -> Option<Value> {
    let users = server.get("/api/users?limit=1000").await.expect(200).json();
    users.as_array().expect("a list").iter().find(|user| user["username"] == json!(username)).cloned()
}

async fn who_comes_with_a_token_becomes_a_user(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let ids = &issuer.ids;
    let claims = json!({"sub": ids.of("sub"), "preferred_username": ids.of("ada"), "name": "Ada Byron", "given_name": "Ada", "family_name": "Byron",
        "groups": [ids.of("analysts"), ids.of("others")]});
    let token = issuer.token(claims.clone());
    let first = futures::future::join_all((0..6).map(|_| by(&server, &token, "/api/users"))).await;
    first.into_iter().for_each(|answer| drop(answer.expect(200)));
    let user = listed(&server, &ids.of("ada")).await.expect("a user");
    assert_eq!((&user["first_name"], &user["last_name"], &user["enabled"]), (&json!("Ada"), &json!("Byron"), &json!(true)));
    assert_eq!(user["groups"], json!([ids.of("analysts"), ids.of("others")]));
    let id = user["user_id"].as_str().expect("an id");
    assert!(uuid::Uuid::parse_str(id).is_ok(), "{user}");
    // What they do is done by that user.
    let case = case_id();
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    let api = server.anonymous();
    let comment = json!({"query": format!("mutation {{ commentOnCase(input: {{caseId: \"{case}\", text: \"seen\"}}) {{ case {{ comments {{ edges {{ node {{ userId }} }} }} }} }} }}")});
    let answer = api.send(api.request("POST", "/graphql").bearer_auth(&token).json(&comment)).await.expect(200).json();
    assert_eq!(answer["data"]["commentOnCase"]["case"]["comments"]["edges"][0]["node"]["userId"], json!(id), "{answer}");
    // What the issuer says of their groups later counts from then on.
    let mut later = claims.clone();
    later["groups"] = json!([ids.of("analysts")]);
    by(&server, &issuer.token(later), "/api/users").await.expect(200);
    assert_eq!(listed(&server, &ids.of("ada")).await.expect("a user")["groups"], json!([ids.of("analysts")]));
    // Another of the same name is somebody else.
    by(&server, &issuer.token(json!({"sub": ids.of("other"), "preferred_username": ids.of("ada"), "role": "ANALYST"})), "/api/users")
        .await
        .expect(200);
    let users = server.get("/api/users?limit=1000").await.expect(200).json();
    let of_the_name: Vec<&str> = users
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|user| user["username"].as_str())
        .filter(|name| name.starts_with(&ids.of("ada")))
        .collect();
    assert_eq!(of_the_name.len(), 2, "{of_the_name:?}");
    assert!(of_the_name.contains(&ids.of("ada").as_str()));
    // Without a name they are called by their subject.
    by(&server, &issuer.token(json!({"sub": ids.of("bare"), "role": "INGEST"})), "/api/users").await.expect(200);
    assert_eq!(listed(&server, &ids.of("bare")).await.expect("a user")["groups"], json!([]));
}

async fn a_disabled_user_is_refused(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let name = issuer.ids.of("ada");
    let token = issuer.token(json!({"sub": name, "preferred_username": name, "role": "ANALYST"}));
    by(&server, &token, "/api/users").await.expect(200);
    let user = listed(&server, &name).await.expect("a user");
    changed(&server, "updateUser", json!({"userId": user["user_id"], "enabled": false})).await;
    let refused = by(&server, &token, "/api/users").await.expect(401);
    assert!(refused.errors()[0].contains("not enabled") && !refused.header("www-authenticate").is_empty(), "{refused:?}");
    assert_eq!(listed(&server, &name).await.expect("a user")["enabled"], json!(false), "coming again does not let them in");
    changed(&server, "updateUser", json!({"userId": user["user_id"], "enabled": true})).await;
    by(&server, &token, "/api/users").await.expect(200);
}

async fn groups_give_roles(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let ids = &issuer.ids;
    // What an analyst may read, what an auditor, and what an administrator; and whether they may send records.
    for (name, claims, statuses) in [
        ("analyst", json!({"groups": [ids.of("analysts")]}), [200, 403, 403, 403]),
        ("sender", json!({"groups": [ids.of("senders"), "unknown"]}), [403, 403, 403, 200]),
        ("both", json!({"groups": [ids.of("senders"), ids.of("analysts")]}), [200, 403, 403, 200]),
        ("checker", json!({"groups": [ids.of("checkers")]}), [200, 200, 403, 403]),
        ("three", json!({"groups": [ids.of("checkers"), ids.of("senders"), ids.of("analysts")]}), [200, 200, 403, 200]),
        ("admin", json!({"groups": [ids.of("analysts"), ids.of("all")]}), [200, 200, 200, 200]),
        ("by-role", json!({"groups": [ids.of("all")], "role": "ANALYST"}), [200, 403, 403, 403]),
        ("nobody", json!({"groups": ["unknown"]}), [401, 401, 401, 401]),
        ("nothing", json!({}), [401, 401, 401, 401]),
        ("king", json!({"role": "KING"}), [401, 401, 401, 401]),
    ] {
        let mut all = json!({"sub": ids.of(name)});
        all.as_object_mut().expect("an object").extend(claims.as_object().expect("an object").clone());
        let token = issuer.token(all);
        let log = "/api/audit_logs?startDate=1970-01-01T00:00:00Z&endDate=1970-01-02T00:00:00Z";
        let paths = [format!("{log}&caseId={}", ids.of("case")), log.to_owned(), "/admin/keys".to_owned()];
        for (path, status) in paths.into_iter().zip(statuses) {
            by(&server, &token, &path).await.expect(status);
        }
        let api = server.anonymous();
        let sent = api.send(api.request("POST", "/api/actors").bearer_auth(&token).json(&actor(&ids.of("actor")))).await;
        assert_eq!(sent.status, statuses[3], "{name}: {sent:?}");
        assert_eq!(listed(&server, &ids.of(name)).await.is_some(), statuses[0] != 401, "{name}: who may do nothing is no user");
    }
    // Where a token says nothing of groups, those count that an administrator has given.
    let token = issuer.token(json!({"sub": ids.of("given"), "role": "INGEST"}));
    by(&server, &token, "/admin/keys").await.expect(403);
    let user = listed(&server, &ids.of("given")).await.expect("a user");
    changed(&server, "updateUser", json!({"userId": user["user_id"], "groups": [ids.of("all")]})).await;
    by(&server, &issuer.token(json!({"sub": ids.of("given")})), "/admin/keys").await.expect(200);
}

async fn tokens_of_others_are_refused(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let good = json!({"sub": "ada", "role": "ANALYST"});
    by(&server, &issuer.token(good.clone()), "/api/users").await.expect(200);
    by(&server, &issuer.token(json!({"sub": "ada", "role": "ANALYST", "aud": ["other", AUDIENCE]})), "/api/users").await.expect(200);
    for (claim, value) in [
        ("iss", json!("https://elsewhere")),
        ("iss", Value::Null),
        ("aud", json!("other")),
        ("aud", Value::Null),
        ("exp", json!(1_000_000_000)),
        ("exp", Value::Null),
        ("sub", Value::Null),
        ("sub", json!(" ")),
    ] {
        let mut claims = good.clone();
        claims[claim] = value;
        by(&server, &issuer.token(claims.clone()), "/api/users").await.expect(401);
    }
    // Signed with what everybody knows.
    let header = Header { kid: Some("one".to_owned()), ..Header::new(Algorithm::HS256) };
    let forged = encode(
        &header,
        &json!({"iss": issuer.url, "aud": AUDIENCE, "sub": "ada", "exp": 4_000_000_000u64, "role": "ADMIN"}),
        &EncodingKey::from_secret(b"x"),
    );
    by(&server, &forged.expect("it is signed"), "/api/users").await.expect(401);
}

async fn an_administrator_names_who_will_come(engine: Engine) {
    let issuer = Issuer::start().await;
    let server = issuer.trusted(Store::of(engine));
    let input = json!({"username": "ada", "subject": "sub-1", "groups": [issuer.ids.of("analysts")]});
    let made = changed(&server, "createUser", input.clone()).await;
    assert_eq!(mutate(&server, "createUser", json!({"username": "other", "subject": "sub-1"})).await["userErrors"][0]["code"], json!("TAKEN"));
    by(&server, &issuer.token(json!({"sub": "sub-1", "preferred_username": "whatever"})), "/api/users").await.expect(200);
    let users = server.get("/api/users").await.expect(200).json();
    assert_eq!(users.as_array().map(Vec::len), Some(1), "{users}");
    assert_eq!((&users[0]["user_id"], &users[0]["username"]), (&made["id"], &json!("ada")));
}

/// A trusted issuer without its name or the service's would let in whoever it has given a token for something else.
async fn an_issuer_is_named_in_full(engine: Engine) {
    for settings in [
        vec![("AMLGRAPH_TOKEN__JWKS_URL", "https://issuer.example/keys")],
        vec![("AMLGRAPH_TOKEN__JWKS_URL", "https://issuer.example/keys"), ("AMLGRAPH_TOKEN__ISSUER", "https://issuer.example")],
        vec![("AMLGRAPH_TOKEN__ISSUER", "https://issuer.example"), ("AMLGRAPH_TOKEN__AUDIENCE", "aml")],
        vec![
            ("AMLGRAPH_TOKEN__JWKS_URL", "http://issuer.example/keys"),
            ("AMLGRAPH_TOKEN__ISSUER", "https://issuer.example"),
            ("AMLGRAPH_TOKEN__AUDIENCE", "aml"),
        ],
        vec![("AMLGRAPH_TOKEN__GROUPS", "analysts=KING")],
    ] {
        let mut command = Store::of(engine).command(&["serve", "--listen", "127.0.0.1:0"]);
        command.envs(settings.iter().copied());
        let output = command.output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("AMLGRAPH_TOKEN__"), "{settings:?}: {said}");
    }
}

async fn users_by_command(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let run = |arguments: &[&str]| {
        let output = command(arguments).env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", server.key()).output().expect("the program runs");
        let lines: Vec<Value> =
            String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        if output.status.success() { Ok(lines) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    };
    let name = ids.of("ada");
    let made = run(&["user", "create", "--username", &name, "--first-name", "Ada", "--group", "a", "--group", "b"]).expect("it is made").remove(0);
    assert_eq!((&made["username"], &made["firstName"], &made["groups"]), (&json!(name), &json!("Ada"), &json!(["a", "b"])));
    let listed = || run(&["user", "list"]).expect("they are listed").into_iter().find(|user| user["user_id"] == made["id"]).expect("it is listed");
    assert_eq!(listed()["enabled"], json!(true));
    run(&["user", "disable", &id_of(&made)]).expect("it is shut out");
    assert_eq!(listed()["enabled"], json!(false));
    run(&["user", "enable", &id_of(&made)]).expect("it is let in");
    assert_eq!(listed()["enabled"], json!(true));
    for (arguments, complaint) in [
        (vec!["user", "create", "--username", &name], "unique"),
        (vec!["user", "create", "--username", " "], "username: "),
        (vec!["user", "create", "--username", "x", "--id", "x"], "userId: "),
        (vec!["user", "disable", "nobody"], "there is no user"),
        (vec!["user", "list", "--key", "nobody's key"], "401"),
    ] {
        let said = run(&arguments).expect_err("it is refused");
        assert!(said.contains(complaint), "{arguments:?}: {said}");
    }
}

async fn a_user_who_is_shut_out_is_so_on_every_instance(_: Engine) {
    let issuer = Issuer::start().await;
    let (one, other) = (issuer.trusted(Store::Shared), issuer.trusted(Store::Shared));
    let name = issuer.ids.of("ada");
    let token = issuer.token(json!({"sub": name, "role": "ANALYST"}));
    by(&other, &token, "/api/users").await.expect(200);
    let user = listed(&one, &name).await.expect("a user");
    changed(&one, "updateUser", json!({"userId": user["user_id"], "enabled": false})).await;
    // Whoever asks a second later, is shut out everywhere.
    tokio::time::sleep(Duration::from_secs(1)).await;
    by(&other, &token, "/api/users").await.expect(401);
}
