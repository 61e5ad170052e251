//! The bundled sample network, imported into an empty store: every row of its tables is there, counted by Cypher.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::graphql_screens::pages_are_those_of_the_tables;
use crate::support::{Engine, Server, Store, command, eventually, tests};

/// Its queries on the sample stand in blocks of this kind, each before its variables.
const GUIDE: &str = include_str!("../docs/graphql.md");
const ON_SAMPLE: &str = "\n```graphql sample\n";

tests![both: every_row_is_there_although_the_import_was_killed; embedded: files_that_cannot_be_imported_say_why,
    a_server_takes_every_list, the_last_line_is_the_last_word];

/// What is counted, how much of it there must be, and by what pattern it is found.
type Fact = (&'static str, i64, &'static str, &'static str);

/// What the tables have, and what each row became: a node, or a link between two. Together they are the 132,058 rows of the tables.
const ROWS: [Fact; 8] = [
    ("persons", 1_957, "MATCH (n:Actor) WHERE NOT n:Placeholder AND n.type = 'INDIVIDUAL'", "count(n)"),
    ("companies", 967, "MATCH (n:Actor) WHERE NOT n:Placeholder AND n.type = 'LEGAL_ENTITY'", "count(n)"),
    ("accounts and loans", 6_200 + 3_465, "MATCH (n:Account) WHERE NOT n:Placeholder", "count(n)"),
    ("who owns an account or applied for a loan", 4_185 + 2_015 + 2_324 + 1_141, "MATCH (:Actor)-[r:HAS_ROLE]->(:Account)", "count(r)"),
    ("who invests in whom or guarantees for whom", 3_394 + 1_640 + 916 + 435, "MATCH (:Actor)-[r:ASSOCIATED_WITH]->(:Actor)", "count(r)"),
    (
        "transfers, withdrawals, deposits, repayments",
        37_861 + 42_069 + 8_481 + 8_398,
        "MATCH (:Account)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(:Account)",
        "count(t)",
    ),
    ("media", 1_464, "MATCH (n:Device)", "count(n)"),
    ("sign-ins", 5_146, "MATCH (:Device)-[r:SIGNED_IN]->(:Account)", "count(r)"),
];

/// What must be so besides.
const FACTS: [Fact; 6] = [
    ("owners that no table has", 75, "MATCH (n:Actor:Placeholder)", "count(n)"),
    ("actors in all", 2_924 + 75, "MATCH (n:Actor)", "count(n)"),
    ("accounts that no table has", 0, "MATCH (n:Account:Placeholder)", "count(n)"),
    ("transactions in all", 96_809, "MATCH (n:Transaction)", "count(n)"),
    ("payments in roll-ups", 96_809, "MATCH (:Account)-[r:TRANSFERRED_TO]->(:Account)", "sum(r.count)"),
    ("roll-ups of nothing", 0, "MATCH (:Account)-[r:TRANSFERRED_TO]->(:Account) WHERE r.count = 0", "count(r)"),
];

async fn every_row_is_there_although_the_import_was_killed(engine: Engine) {
    assert_eq!(ROWS.iter().map(|(_, rows, ..)| rows).sum::<i64>(), 132_058);
    let (store, files) = (Store::private(engine), sample_files());
    let mut import = store.command(&["import", &path(&files)]).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().expect("the program runs");
    wait_for_payments(files.path(), &mut import);
    import.kill().expect("it runs");
    import.wait().expect("it ends");

    let output = store.command(&["import", &path(&files)]).output().expect("the program runs");
    let account = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{account}\n{}", String::from_utf8_lossy(&output.stderr));
    let [accepted, failed, skipped] = ["accepted", "failed", "skipped"].map(|word| number_after(&account, word));
    println!("{account}");
    assert_eq!((accepted + skipped, failed), (132_058, 0), "{account}");
    assert!(skipped > 22_000, "it went on where it was: {account}");
    assert!(!files.path().join(".amlgraph-import.json").exists(), "an import that is done leaves no notes");

    let wanted: BTreeMap<String, i64> = ROWS.iter().chain(&FACTS).map(|(what, wanted, ..)| ((*what).to_owned(), *wanted)).collect();
    let patterns: Vec<_> = ROWS.iter().chain(&FACTS).map(|(what, _, pattern, found)| (*what, *pattern, *found)).collect();
    assert_eq!(store.count(&patterns), wanted);
    the_printed_queries_give_answers(store, files.path()).await;
}

/// Kills are interesting while payments come in; everything before them is done by then.
fn wait_for_payments(files: &Path, import: &mut Child) {
    let started = Instant::now();
    loop {
        let notes = std::fs::read_to_string(files.join(".amlgraph-import.json")).unwrap_or_default();
        if notes.contains("transactions") {
            return;
        }
        assert!(import.try_wait().expect("a child").is_none(), "the import has ended");
        assert!(started.elapsed() < Duration::from_secs(600), "no payment was imported; the notes say {notes}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn number_after(text: &str, word: &str) -> i64 {
    let line = text.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_else(|| panic!("no {word} in {text}"));
    line.trim().parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// `serve --sample` prints three queries to paste. Over a store that is not empty it loads nothing and prints them all the same. The screens of analysts show
/// what is in the tables.
async fn the_printed_queries_give_answers(store: Store, files: &Path) {
    let server = Server::with(store, &[("", "--sample")]);
    // They come right behind the line that says it is ready.
    let is_query = |line: &&str| line.starts_with('{');
    eventually("the queries are printed", Duration::from_secs(60), async || server.printed().lines().filter(is_query).count() >= 3).await;
    let printed = server.printed();
    let queries: Vec<&str> = printed.lines().filter(is_query).collect();
    assert_eq!(queries.len(), 3, "{printed}");
    for query in queries {
        let data = server.graphql(query, json!({})).await;
        assert!(edges(&data) > 3, "{query}\nhas no interesting answer: {data:#}");
    }
    let recipes = GUIDE.split(ON_SAMPLE).skip(1);
    assert!(recipes.clone().count() >= 4, "the guide has queries on the sample");
    for recipe in recipes {
        let (query, behind) = recipe.split_once("\n```").expect("the end of the query");
        let (variables, _) = behind.trim_start().strip_prefix("```json\n").and_then(|text| text.split_once("\n```")).expect("its variables");
        let data = server.graphql(query, serde_json::from_str(variables).expect("JSON")).await;
        assert!(edges(&data) > 1, "{query}\nhas no interesting answer: {data:#}");
    }
    let counts =
        server.graphql("{ transactions { totalCount } actors(filter: {known: false}) { totalCount } devices { totalCount } }", json!({})).await;
    assert_eq!(counts, json!({"transactions": {"totalCount": 96_809}, "actors": {"totalCount": 75}, "devices": {"totalCount": 1_464}}));
    pages_are_those_of_the_tables(&server, files).await;
}

/// How many edges there are, at any depth.
fn edges(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(edges).sum(),
        Value::Object(fields) => {
            let own = fields.get("edges").and_then(Value::as_array).map_or(0, Vec::len);
            own + fields.values().map(edges).sum::<usize>()
        }
        _ => 0,
    }
}

fn sample_files() -> TempDir {
    let files = tempfile::tempdir().expect("a folder");
    let output = command(&["sample", &path(&files)]).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    files
}

fn path(folder: &TempDir) -> String {
    folder.path().display().to_string()
}

async fn files_that_cannot_be_imported_say_why(engine: Engine) {
    let (store, files) = (Store::of(engine), tempfile::tempdir().expect("a folder"));
    let import = || store.command(&["import", &path(&files)]).output().expect("the program runs");
    assert!(!import().status.success(), "an empty folder is a mistake");
    let large = json!({"id": "e", "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "custom_data": {"text": "x".repeat(6 << 20)}}).to_string();
    let lines = [
        r#"{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#,
        r#"{"id":"b","type":"ROBOT","as_of_date":"2024-01-01"}"#,
        r#"{"id":"c","type":"INDIVIDUAL","as_of_date":"2024-02-30","nationalty":"DE"}"#,
        "{",
        "",
        &large,
        r#"{"id":"d","type":"LEGAL_ENTITY","as_of_date":"2024-01-01"}"#,
    ];
    std::fs::write(files.path().join("actors.ndjson"), lines.join("\n")).expect("a file");
    let output = import();
    let account = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{account}");
    assert_eq!(["accepted", "failed", "skipped"].map(|word| number_after(&account, word)), [2, 4, 0], "{account}");
    let reasons = [
        ("type: ", "actors.ndjson:2"),
        ("as_of_date: ", "actors.ndjson:3"),
        ("nationalty: ", "actors.ndjson:3"),
        ("body: ", "actors.ndjson:4"),
        ("bytes to keep", "actors.ndjson:6"),
    ];
    for (reason, place) in reasons {
        assert!(account.lines().any(|line| line.contains(reason) && line.contains(place)), "{reason} {place} in\n{account}");
    }
    assert_eq!(store.count(&[("actors", "MATCH (n:Actor)", "count(n)")])["actors"], 2);
}

/// Lines of one record come in their order, over all batches, straight into a store and by way of a server.
async fn the_last_line_is_the_last_word(engine: Engine) {
    let files = tempfile::tempdir().expect("a folder");
    let line = |number: usize| format!(r#"{{"id":"actor-{}","type":"INDIVIDUAL","as_of_date":"2024-01-01","name":"{number}"}}"#, number % 3);
    let lines: Vec<String> = (0..1_500).map(line).collect();
    std::fs::write(files.path().join("actors.ndjson"), lines.join("\n")).expect("a file");
    let names = "query { a: actor(id: \"actor-0\") { name } b: actor(id: \"actor-1\") { name } c: actor(id: \"actor-2\") { name } }";
    let wanted = json!({"a": {"name": "1497"}, "b": {"name": "1498"}, "c": {"name": "1499"}});

    let store = Store::of(engine);
    let output = store.command(&["import", &path(&files)]).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(Server::on(store).graphql(names, json!({})).await, wanted);

    let server = Server::on(Store::of(engine));
    let output = command(&["import", &path(&files), "--url", &server.base, "--key", server.key()]).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(server.graphql(names, json!({})).await, wanted);
}

/// To a server the lists go in bulk, associates by their own operation, and what the document has no place for by GraphQL.
async fn a_server_takes_every_list(engine: Engine) {
    let (server, files) = (Server::on(Store::of(engine)), tempfile::tempdir().expect("a folder"));
    let lists = [
        ("actors", vec![r#"{"id":"ada","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#]),
        ("accounts", vec![r#"{"id":"account","account_type":"CURRENT","as_of_date":"2024-01-01"}"#]),
        ("account_actors", vec![r#"{"account_id":"account","actor_id":"ada","actor_role":"OWNER"}"#]),
        ("associates", vec![r#"{"actor_id":"ada","actorAssociates":[{"id":"bea","type":"GUARANTOR"}]}"#]),
        ("devices", vec![r#"{"id":"phone","type":"PHONE","blocked":true}"#, r#"{"type":"PHONE"}"#]),
        ("sign_ins", vec![r#"{"device_id":"phone","account_id":"account","at":"2024-06-01T12:00:00Z","ip_address":"10.0.0.1"}"#]),
    ];
    for (list, lines) in lists {
        std::fs::write(files.path().join(list).with_extension("ndjson"), lines.join("\n")).expect("a file");
    }
    let output = command(&["import", &path(&files), "--url", &server.base, "--key", server.key()]).output().expect("the program runs");
    let account = String::from_utf8_lossy(&output.stdout);
    assert_eq!(["accepted", "failed", "skipped"].map(|word| number_after(&account, word)), [6, 1, 0], "{account}");
    assert!(account.contains("id: ") && account.contains("devices.ndjson:2"), "{account}");
    let query = r#"{ actor(id: "ada") { associates { edges { node { id } } } accounts { edges { node { id devices { edges { count node { id blocked
        ipAddresses { edges { node { id } } } } } } } } } } }"#;
    let data = server.graphql(query, json!({})).await;
    assert_eq!(data["actor"]["associates"]["edges"][0]["node"]["id"], "bea");
    let device = json!({"count": 1, "node": {"id": "phone", "blocked": true, "ipAddresses": {"edges": [{"node": {"id": "10.0.0.1"}}]}}});
    assert_eq!(data["actor"]["accounts"]["edges"][0]["node"]["devices"]["edges"][0], device);
}
