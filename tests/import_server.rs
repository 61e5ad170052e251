//! `amlgraph import DIR --url URL`: lines go to a server in bulk, and the summary says what became of each.

use serde_json::{Value, json};

use crate::support::bulk::bulk_actor as actor;
use crate::support::fixtures::case_id;
use crate::support::import::{folder, to_server as import};
use crate::support::{Engine, Ids, Server, command, tests};

tests![both: lines_that_fail_or_wait_at_the_server_are_told, what_is_sent_again_adds_nothing; embedded: a_key_that_is_told_nothing,
    the_environment_names_the_server_unless_a_store_is_named];

async fn lines_that_fail_or_wait_at_the_server_are_told(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let observation = |id: &str, actor: &str| json!({"id": ids.of(id), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": "b", "actor_ids": [ids.of(actor)]});
    let message = case_id();
    let files = folder(&[
        // The second has a fault that is seen before it is sent, the third one that only the server sees.
        (
            "actors",
            vec![actor(&ids.of("ada")), json!({"id": ids.of("bea")}), {
                let mut future = actor(&ids.of("cleo"));
                future["as_of_date"] = json!("2999-01-01");
                future
            }],
        ),
        ("observations", vec![observation("seen", "ada"), observation("early", "nobody-yet")]),
        ("communications", vec![json!({"id": message, "type": "email", "subject": "Hello"})]),
        ("associates", vec![json!({"actor_id": ids.of("ada"), "actorAssociates": [{"id": ids.of("dora"), "type": "GUARANTOR"}]})]),
    ]);
    let (summary, output) = import(&files, &server, server.key());
    assert!(!output.status.success(), "{summary}");
    assert!(summary.starts_with("accepted 5\nfailed   2\nskipped  0\n"), "{summary}{}", String::from_utf8_lossy(&output.stderr));
    let waits = format!("waits for: ACTOR {} (observations.ndjson:2)", ids.of("nobody-yet"));
    for text in ["1 of those accepted wait at the server for what they name", &waits, "type: is required", "(actors.ndjson:2)", "(actors.ndjson:3)"] {
        assert!(summary.contains(text), "{text} in\n{summary}");
    }
    assert!(summary.contains("asOfDate: must not be after tomorrow") || summary.contains("as_of_date: must not be after tomorrow"), "{summary}");
    let query = "query($actor: ID!, $seen: ID!, $early: ID!, $message: ID!) { actor(id: $actor) { known associates { totalCount } }
        seen: observation(id: $seen) { known } early: observation(id: $early) { known } communication(id: $message) { known subject } }";
    let variables = json!({"actor": ids.of("ada"), "seen": ids.of("seen"), "early": ids.of("early"), "message": message});
    let wanted = json!({"actor": {"known": true, "associates": {"totalCount": 1}}, "seen": {"known": true}, "early": null,
        "communication": {"known": true, "subject": "Hello"}});
    assert_eq!(server.graphql(query, variables).await, wanted);
    assert!(!files.path().join(".amlgraph-import.json").exists(), "it has come to its end");
}

/// An import that died between the server's answer and its own note sends the same again under the same name.
async fn what_is_sent_again_adds_nothing(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let lines: Vec<Value> = (0..1_200).map(|number| actor(&ids.of(&format!("a{number}")))).collect();
    let files = folder(&[("actors", lines)]);
    let note = json!({&server.base: {"run": ids.0}}).to_string();
    for _ in 0..2 {
        std::fs::write(files.path().join(".amlgraph-import.json"), &note).expect("a file");
        let (summary, output) = import(&files, &server, server.key());
        assert!(output.status.success(), "{summary}{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(summary.trim(), "accepted 1200\nfailed   0\nskipped  0");
    }
    for (first, items) in [(1, 1_000), (1_001, 200)] {
        let query = "query($id: String!) { bulkRequests(requestId: $id) { totalCount edges { node { progress { items completed } } } } }";
        let data = server.graphql(query, json!({"id": format!("import-{}-actors-{first}", ids.0)})).await;
        let progress = json!([{"items": items, "completed": items}]);
        assert_eq!(data["bulkRequests"], json!({"totalCount": 1, "edges": [{"node": {"progress": progress}}]}));
    }
    // The file was changed under a run's name: the server takes nothing else under it.
    std::fs::write(files.path().join(".amlgraph-import.json"), &note).expect("a file");
    std::fs::write(files.path().join("actors.ndjson"), actor(&ids.of("other")).to_string()).expect("a file");
    let (_, output) = import(&files, &server, server.key());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("x-request-id: is the id of another request"), "{said}");
}

async fn a_key_that_is_told_nothing(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let key = server.post("/admin/keys", json!({"role": "INGEST"}).to_string()).await.expect(201).json();
    let files = folder(&[("actors", vec![actor(&ids.of("ada")), actor(&ids.of("bea"))])]);
    let (summary, output) = import(&files, &server, key["key"].as_str().expect("a key"));
    assert!(output.status.success(), "{summary}{}", String::from_utf8_lossy(&output.stderr));
    assert!(summary.starts_with("accepted 2\nfailed   0\nskipped  0\n  2 of those accepted are processed by the server"), "{summary}");
    crate::support::jobs::none_left(&server).await;
    server.get(&format!("/api/actors/{}", ids.of("bea"))).await.expect(200);
    let (_, output) = import(&files, &server, "no-key-of-this-server");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("the server refused: 401"), "{said}");
}

/// As for all commands that talk to a server.
async fn the_environment_names_the_server_unless_a_store_is_named(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let files = folder(&[("actors", vec![actor(&ids.of("ada"))])]);
    let path = files.path().to_str().expect("a path");
    let import = |arguments: &[&str], key: Option<&str>| {
        let mut command = command(&[&["import", path][..], arguments].concat());
        command.env("AMLGRAPH_URL", &server.base);
        if let Some(key) = key {
            command.env("AMLGRAPH_KEY", key);
        }
        let output = command.output().expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
    };
    let (ok, told) = import(&[], None);
    assert!(!ok && told.contains("--key (or AMLGRAPH_KEY) must be a key to"), "{told}");
    let store = tempfile::tempdir().expect("a folder");
    let (ok, told) = import(&["--database", &format!("embedded:{}", store.path().join("store").display())], None);
    assert!(ok && told.starts_with("accepted 1\n") && store.path().join("store").exists(), "{told}");
    server.get(&format!("/api/actors/{}", ids.of("ada"))).await.expect(404);
    let (ok, told) = import(&[], Some(server.key()));
    assert!(ok && told.starts_with("accepted 1\n"), "{told}");
    server.get(&format!("/api/actors/{}", ids.of("ada"))).await.expect(200);
}
