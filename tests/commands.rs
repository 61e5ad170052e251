//! Commands that need no server.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::fixtures::Payment;
use crate::support::{Engine, Ids, Server, Store, command, tests};

tests![both: a_query_only_reads, a_document_is_explained; embedded: statements_of_a_folder_are_checked,
    a_folder_of_documents_becomes_their_list, a_closed_output_is_no_failure];

async fn a_query_only_reads(engine: Engine) {
    let (store, ids) = (Store::of(engine), Ids::new());
    assert!(store.command(&["migrate"]).status().expect("the program runs").success());
    let (plain, create) = (store.command(&["query"]), format!("CREATE (n:Device {{id: '{}'}}) RETURN n.id AS id", ids.of("device")));
    let url = plain.get_envs().find(|(name, _)| *name == "AMLGRAPH_DATABASE__URL").and_then(|(_, url)| url?.to_str()).expect("an address").to_owned();
    // A cluster's address, too: there other reads go where writes go.
    for url in [url.clone(), url.replace("bolt://", "neo4j://")] {
        let output = store.command(&["query", &create]).env("AMLGRAPH_DATABASE__URL", &url).output().expect("the program runs");
        assert!(!output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stdout));
        let reading = store.command(&["query", "RETURN 1 AS one"]).env("AMLGRAPH_DATABASE__URL", &url).output().expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&reading.stdout), "{\"one\":1}\n", "{url}: {}", String::from_utf8_lossy(&reading.stderr));
    }
    let count = format!("MATCH (n:Device {{id: '{}'}}) RETURN count(n) AS count", ids.of("device"));
    assert_eq!(store.cypher(&count)[0]["count"], 0);
}

/// What is printed is what runs: with its parameters put in, it answers what the document asks.
async fn a_document_is_explained(engine: Engine) {
    let (store, ids) = (Store::of(engine), Ids::new());
    let server = Server::on(store.clone());
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"));
    server.post("/api/v2/transactions", payment.text()).await.expect(200);
    server.stop();
    let document =
        "query($id: ID!) { account(id: $id) { transferredTo(first: 2) { totalCount edges { node { id actors(first: 3) { edges { role } } } } } } }";
    let variables = format!("{{\"id\": \"{}\"}}", payment.account);
    let output = store.command(&["explain", document, "--variables", &variables]).output().expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let (params, statement) = printed.trim_end().split_once('\n').expect("parameters, and a statement");
    assert_eq!(params, format!(":params {{ids: ['{}'], l1: 2, l2: 3}}", payment.account));
    let statement = statement.replace("$ids", &format!("['{}']", payment.account)).replace("$l1", "2").replace("$l2", "3");
    let found = store.cypher(&statement);
    assert!(found[0]["found"].to_string().contains(&ids.of("payee")), "{found:?}");

    let wrong = store.command(&["explain", "{ nothing }"]).output().expect("the program runs");
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("nothing"), "{}", String::from_utf8_lossy(&wrong.stderr));
}

/// Without a store: every file is named, every fault of it, and the exit code says whether there is one.
async fn statements_of_a_folder_are_checked(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let check = || command(&["statements", "check", &folder.path().display().to_string()]).output().expect("the program runs");
    let empty = check();
    assert!(!empty.status.success() && String::from_utf8_lossy(&empty.stderr).contains("no file in it ends with .cypher"));
    write("right.cypher", "// An actor.\n// $id: STRING\n// returns: id\nMATCH (n:Actor {id: $id}) RETURN n.id AS id\n");
    let right = check();
    assert_eq!((right.status.code(), String::from_utf8_lossy(&right.stdout).as_ref()), (Some(0), "right.cypher: OK\n"));
    write("wrong.cypher", "// An actor.\n// $id: TEXT\n// returns: id\nMATCH (n:Aktor {id: $id}) SET n.status = 'x' RETURN n.id AS id\n");
    let wrong = check();
    let told = String::from_utf8_lossy(&wrong.stdout).into_owned();
    assert_eq!(wrong.status.code(), Some(1), "{told}");
    for wanted in ["right.cypher: OK", "wrong.cypher: line 2: \"TEXT\" is no type", "it changes the graph", "no label `Aktor`: `Actor`?"] {
        assert!(told.contains(wanted), "{told}");
    }
}

/// The list of a folder is what the server takes; one fault anywhere, and there is no list. What is no list stops the server.
async fn a_folder_of_documents_becomes_their_list(engine: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("deeper")).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let list = folder.path().join("list.json").display().to_string();
    let make = || command(&["documents", &folder.path().display().to_string(), "--output", &list]).output().expect("the program runs");
    let (plain, actor) = ("{ __typename }\n", "query Actor($id: ID!) { actor(id: $id) { name } }\n");
    write("plain.graphql", plain);
    write("deeper/actor.graphql", actor);
    write("README", "no document");
    let made = make();
    assert!(made.status.success() && made.stdout.is_empty(), "{}", String::from_utf8_lossy(&made.stderr));
    // As sha256sum has them.
    let wanted = json!({"0640deae2cb522593fef7d434e86062b36d6856ccdcc19310ad2e516ff4dd8d2": plain,
        "84e7fec8aae29b6aa0907d1dd3867aee5516423e36c8bc4bc625d3aa4d63d6ac": actor});
    let kept = fs::read_to_string(&list).expect("the list");
    assert_eq!(serde_json::from_str::<Value>(&kept).expect("JSON"), wanted);

    write("deeper/actor.graphql", "{\n  actor(id: \"a\") { misspelt }\n  nothing\n}\n");
    write("plain.graphql", "{ actor(");
    let refused = make();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && fs::read_to_string(&list).expect("the list") == kept, "{told}");
    for place in ["actor.graphql:2:20: Unknown field \"misspelt\"", "actor.graphql:3:3: Unknown field \"nothing\"", "plain.graphql:1:"] {
        assert!(told.contains(place), "{place}: {told}");
    }

    fs::write(&list, json!({"cafe": ["{ __typename }"]}).to_string()).expect("written");
    let mut serve = Store::of(engine).command(&["serve", "--listen", "127.0.0.1:0"]);
    let refused = serve.env("AMLGRAPH_GRAPHQL__DOCUMENTS", &list).output().expect("the program runs");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("graphql.documents"), "{told}");
}

/// As with `| head`: whoever reads the output goes away before all is written.
async fn a_closed_output_is_no_failure(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("written");
        folder.path().join(name).display().to_string()
    };
    let payments: String = (0..4_000).map(|number| format!("p{number},a{},b{},{number},10,EUR\n", number % 90, number % 70)).collect();
    let payments = write("payments.csv", &format!("id,from,to,at,amount,currency\n{payments}"));
    let list = write("list.csv", "id,schema,name\nQ1,Person,Sergey Lavrov\nQ2,Person,Petra Grey\n");
    let queries = write("queries.csv", "id,name\n1,Lavrov Sergey\n");
    let pairs = write("pairs.csv", "name1,name2\nSergey Lavrov,Lavrov Sergey\n");
    let table: [&[&str]; 5] = [
        &["detect", "features", &payments],
        &["detect", "run", &payments],
        &["screening", "score", &pairs],
        &["screening", "search", "--list", &list, &queries],
        &["screening", "validate", "--list", &list, "--each", "2"],
    ];
    for arguments in table {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !told.contains("amlgraph:"), "{arguments:?}: {told}");
    }
}
