//! Logs have no value of a record, whatever goes wrong and however much is logged. (The logs of all servers of the suite are searched, too, when they end:
//! `support::logs`.)

use cypher::Params;
use serde_json::json;

use crate::support::bulk::{SOON, bulk_actor, bulk_payment, taken};
use crate::support::fixtures::{account, actor, case_id, iban, with};
use crate::support::logs::plant;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, files_in, stored, tests};

tests![both: no_value_is_in_a_log];

/// A rule of the store that no other record breaks: what the database says of it has the value in it.
const NO_TWINS: &str = "CREATE CONSTRAINT no_twins FOR (n:Actor) REQUIRE n.name IS UNIQUE";
/// What no statement of the service would store.
const DAMAGE: &str = "MATCH (n:Actor {id: $id}) SET n.name = [$name], n.record = $name, n.type = $name";

/// Uploads a text to a case of its own; answers with the file's id.
async fn uploaded(api: &Api, name: &str) -> String {
    let made = api.post("/api/cases", "{}").await.expect(200).json();
    let path = format!("/api/cases/{}/files", made["case_id"].as_str().expect("an id"));
    let body = format!("--of-tests\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\na text\r\n--of-tests--\r\n");
    let upload = api.request("POST", &path).header("content-type", "multipart/form-data; boundary=of-tests").body(body);
    let answer = api.send(upload).await.expect(200).json();
    answer["id"].as_str().expect("an id").to_owned()
}

async fn no_value_is_in_a_log(engine: Engine) {
    let ids = Ids::new();
    let files = tempfile::Builder::new().prefix("amlgraph-files-").tempdir().expect("a folder");
    let files_url = format!("file:{}", files.path().display());
    let mut server = Server::with(Store::cold(engine), &[("AMLGRAPH_LOG", "trace"), ("AMLGRAPH_FILES__URL", &files_url)]);
    let (name, number, phone) = (ids.of("Zebedee O'Marker \"Zeb\""), iban(&format!("37040044{}", ids.digits(10))), format!("+4670{}", ids.digits(7)));
    // The embedded engine's server is another process after each write beside it: the logs of all of them are searched.
    let planted = [ids.0.clone(), "Zebedee".to_owned(), "O'Marker".to_owned(), number.clone(), phone.clone()];
    planted.iter().for_each(|value| plant(value));
    let person = |id: &str| with(actor(&ids.of(id)), json!({"lastName": name, "name": name, "phones": [{"number": phone}]}));
    // What is taken, refused and asked in the usual ways.
    server.post("/api/actors", person("first").to_string()).await.expect(200);
    server.post("/api/accounts", with(account(&ids.of("account")), json!({"iban": number})).to_string()).await.expect(200);
    server.post("/api/actors", with(person("second"), json!({"type": name})).to_string()).await.expect(422);
    server.post("/api/actors", format!("{{\"id\": \"{}\"", ids.of("broken"))).await.expect(400);
    server.get(&format!("/api/actors/{}", ids.of("nobody"))).await.expect(404);
    server.with_key(&format!("{name}-{}", ids.0)).get("/api/risk_scores").await.expect(401);
    for query in ["query($id: ID!) { actor(id: $id) { name } }", "query($id: ID!) { actor(id: $id) { nam } }"] {
        server.graphql_answer(query, json!({"id": ids.of("first")})).await;
    }
    let payment = bulk_payment(&ids.of("payment"), &ids.of("account"), &ids.of("other"));
    let case = json!({"id": case_id(), "actors": [{"id": ids.of("late"), "type": "FOCAL"}], "c__who": name});
    taken(&server, "in-bulk", &json!({"actors": [bulk_actor(&ids.of("late"))], "transactions": [payment], "cases": [case]})).await;
    // A file whose content somebody has removed.
    let file = uploaded(&server, &format!("{}.txt", ids.of("evidence"))).await;
    plant(&file);
    let stored_at = files_in(files.path()).into_iter().find(|path| path.ends_with(&file)).expect("it is stored under its id");
    std::fs::remove_file(stored_at).expect("it is removed");
    server.get(&format!("/files/{file}")).await.expect(500);
    // What only the database refuses, one by one and in bulk, and what is stored wrongly.
    stored::write(&mut server, NO_TWINS, Params::none()).await;
    server.post("/api/actors", person("twin").to_string()).await.expect(500);
    let twins = ["twin-1", "twin-2"].map(|id| with(bulk_actor(&ids.of(id)), json!({"name": name})));
    taken(&server, "twins", &json!({"actors": twins})).await;
    let query = "{ bulkRequests(requestId: \"twins\") { edges { node { progress { failed } } } } }";
    eventually("the database has refused them", SOON, async || {
        server.graphql_answer(query, json!({})).await["data"]["bulkRequests"]["edges"][0]["node"]["progress"][0]["failed"] == 2
    })
    .await;
    let before = server.logged();
    stored::write(&mut server, DAMAGE, Params::none().with("id", ids.of("first")).with("name", name.as_str())).await;
    server.get(&format!("/api/actors/{}", ids.of("first"))).await;
    server.graphql_answer("query($id: ID!) { actor(id: $id) { name type phones } }", json!({"id": ids.of("first")})).await;
    server.graphql_answer("query($id: ID!) { actor(id: $id) { name type record } }", json!({"id": ids.of("first")})).await;
    let log = before + &server.logged();
    assert!(log.lines().count() > 10 && log.contains("ERROR"), "much was logged: {log}");
    for value in planted.into_iter().chain([file]) {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(&value)).collect();
        assert!(lines.is_empty(), "{value}: {lines:#?}");
    }
}
