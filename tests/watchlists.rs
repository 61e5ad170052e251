//! Watchlists: imported as versions, shown with what has changed. What is wrong, breaks off or is cancelled changes nothing.
//!
//! A server of a test keeps its files in a folder of its own, so that no other may do its imports: each test has a store to itself.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Api, Engine, Ids, Server, Store, command, eventually, jobs, tests};

tests![both: every_format_is_imported, a_new_version_says_what_has_changed, pages_have_each_entry_once, the_same_key_is_the_same_import, a_file_with_faults_changes_nothing, an_import_that_is_killed_goes_on,
    a_cancelled_import_leaves_nothing, who_may_import_and_read, uploads_have_their_bounds; embedded: the_command_imports_shows_and_compares];

/// Longer than the lease of a worker that was killed.
const SOON: Duration = Duration::from_secs(240);

const SIMPLE: &str =
    "id,schema,name,aliases,birth_date,countries,identifiers,gender\nQ1,Person,Ada Quill,A. Quill;Ada Quilla,1952;1952-12,mt,ZX 100200,female\n";
const FTM: &str = r#"{"id":"P1","schema":"Passport","properties":{"holder":["Q1"],"number":["ZX 100200"]}}
{"id":"Q1","schema":"Person","properties":{"name":["Ada Quill"],"alias":["A. Quill","Ada Quilla"],"birthDate":["1952","1952-12"],"country":["mt"],"gender":["female"]}}
"#;
const SDN: &str = "7,\"QUILL, Ada\",\"individual\",\"X\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1952; alt. DOB Dec 1952; nationality Malta; Gender Female; Passport ZX100200 (Malta).\"\n";
const ALT: &str = "7,1,\"aka\",\"A. Quill\",-0- \n7,2,\"aka\",\"Ada Quilla\",-0- \n";
const SDN_XML: &str = "<sdnList><sdnEntry><uid>7</uid><firstName>Ada</firstName><lastName>QUILL</lastName><sdnType>Individual</sdnType>\
    <idList><id><idType>Gender</idType><idNumber>Female</idNumber></id><id><idType>Passport</idType><idNumber>ZX 100200</idNumber></id></idList>\
    <akaList><aka><lastName>Ada Quilla</lastName></aka></akaList><nationalityList><nationality><country>Malta</country></nationality></nationalityList>\
    <dateOfBirthList><dateOfBirthItem><dateOfBirth>1952</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry></sdnList>";
const UN: &str = "<CONSOLIDATED_LIST><INDIVIDUAL><DATAID>7</DATAID><FIRST_NAME>Ada</FIRST_NAME><SECOND_NAME>Quill</SECOND_NAME><GENDER>Female</GENDER>\
    <NATIONALITY><VALUE>Malta</VALUE></NATIONALITY><INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Ada Quilla</ALIAS_NAME></INDIVIDUAL_ALIAS>\
    <INDIVIDUAL_DATE_OF_BIRTH><YEAR>1952</YEAR></INDIVIDUAL_DATE_OF_BIRTH>\
    <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>ZX 100200</NUMBER></INDIVIDUAL_DOCUMENT></INDIVIDUAL></CONSOLIDATED_LIST>";

const ENTRY: &str = "entryId name schema names birthDates countries sex identifiers { kind number } since until";

async fn upload(api: &Api, file: &str) -> String {
    let request = api.request("POST", "/lists/uploads").header("content-type", "application/octet-stream").body(file.to_owned());
    let taken = api.send(request).await.expect(201).json();
    assert_eq!(taken["size"], file.len(), "{taken}");
    taken["id"].as_str().expect("an id").to_owned()
}

/// What `importWatchlist` answers.
async fn ask(api: &Api, input: Value) -> Value {
    let mutation = "mutation($input: ImportWatchlistInput!) { importWatchlist(input: $input) { job { id kind } userErrors { path code message } } }";
    api.graphql(mutation, json!({"input": input})).await["importWatchlist"].take()
}

/// Starts an import; answers with the job's id.
pub async fn start(api: &Api, name: &str, file: &str) -> String {
    let started = ask(api, json!({"name": name, "uploadId": upload(api, file).await})).await;
    started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
}

async fn job(api: &Api, id: &str) -> Option<Value> {
    let body = json!({"query": "query($id: ID!) { job(id: $id) { status done total endedAt lastError result } }", "variables": {"id": id}});
    let answer = api.try_send(api.posting("/graphql", body.to_string())).await.ok()?;
    Some(answer.json()["data"]["job"].take())
}

async fn until_ended(api: &Api, id: &str) -> Value {
    eventually("the import ends", SOON, async || job(api, id).await.is_some_and(|job| !job["endedAt"].is_null())).await;
    job(api, id).await.expect("a job")
}

/// Imports a file; answers with what has come of it.
pub async fn import(api: &Api, name: &str, file: &str) -> Value {
    let ended = until_ended(api, &start(api, name, file).await).await;
    assert_eq!(ended["status"], "DONE", "{ended}");
    ended["result"].clone()
}

async fn list(api: &Api, id: &str) -> Value {
    let query = format!(
        "query($id: ID!) {{ watchlist(id: $id) {{ id name version format entryCount entries(first: 50) {{ edges {{ node {{ {ENTRY} }} }} }}
        versions {{ edges {{ node {{ number format entryCount added changed ended notes }} }} }} }} }}"
    );
    api.graphql(&query, json!({"id": id})).await["watchlist"].take()
}

/// Ids of entries by kind of change, with what changed ones said before.
async fn changes(api: &Api, id: &str, version: i64, kind: &str) -> Vec<(String, Value)> {
    let query = format!(
        "query($id: ID!, $version: Int) {{ watchlist(id: $id) {{ versionByNumber(number: $version) {{
        changes(kind: {kind}, first: 50) {{ edges {{ node {{ entryId }} former {{ names }} }} }} }} }} }}"
    );
    let data = api.graphql(&query, json!({"id": id, "version": version})).await;
    let edges = data["watchlist"]["versionByNumber"]["changes"]["edges"].as_array().unwrap_or_else(|| panic!("{data}")).clone();
    edges.iter().map(|edge| (edge["node"]["entryId"].as_str().expect("an id").to_owned(), edge["former"]["names"].clone())).collect()
}

/// A list of so many people whose names are its own.
fn people(count: usize, name: &str) -> String {
    let lines: String = (0..count).map(|n| format!("Q{n:06},Person,{name} Quill {n}\n")).collect();
    format!("id,schema,name\n{lines}")
}

/// Nodes of a list, whatever version they are of.
fn nodes(server: &mut Server, list: &str) -> Vec<Value> {
    server.cypher(&format!(
        "MATCH (e:WatchlistEntry) WHERE e.key > '{list}/' AND e.key < '{list}0' RETURN e.key AS key, e.since AS since, e.until AS until, e.endedIn AS endedIn ORDER BY e.id"
    ))
}

async fn every_format_is_imported(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    for (format, file) in [("SIMPLE_CSV", SIMPLE), ("FTM_JSON", FTM), ("OFAC_SDN_CSV", SDN), ("OFAC_SDN_XML", SDN_XML), ("UN_XML", UN)] {
        let name = ids.of(&format.to_lowercase().replace('_', "-"));
        let uploaded = upload(&server, file).await;
        let aliases = if file == SDN { Some(upload(&server, ALT).await) } else { None };
        let started = ask(&server, json!({"name": name, "uploadId": uploaded, "aliasesUploadId": aliases, "format": format})).await;
        let ended = until_ended(&server, started["job"]["id"].as_str().unwrap_or_else(|| panic!("{started}"))).await;
        assert_eq!((&ended["status"], &ended["result"]["added"]), (&json!("DONE"), &json!(1)), "{format}: {ended}");
        let shown = list(&server, &name).await;
        assert_eq!((&shown["version"], &shown["format"], &shown["entryCount"]), (&json!(1), &json!(format), &json!(1)), "{shown}");
        let entry = &shown["entries"]["edges"][0]["node"];
        assert_eq!((&entry["schema"], &entry["countries"], &entry["sex"]), (&json!("Person"), &json!(["mt"]), &json!("FEMALE")), "{format}: {entry}");
        assert!(entry["names"].as_array().is_some_and(|names| names.contains(&json!("Ada Quilla"))), "{format}: {entry}");
        assert_eq!(entry["birthDates"][0], "1952", "{format}: {entry}");
        assert_eq!(entry["identifiers"][0]["number"], "ZX100200", "{format}: {entry}");
    }
    for (upload, aliases, field) in [(upload(&server, SDN).await, "none", "aliasesUploadId"), ("none".to_owned(), "none", "uploadId")] {
        let unknown = ask(&server, json!({"name": ids.of("unknown"), "uploadId": upload, "aliasesUploadId": aliases})).await;
        assert_eq!(unknown["userErrors"][0]["path"], json!(["input", field]), "{unknown}");
    }
    let wrong = ask(&server, json!({"name": ids.of("wrong"), "uploadId": upload(&server, UN).await, "format": "FTM_JSON"})).await;
    let ended = until_ended(&server, wrong["job"]["id"].as_str().expect("a job")).await;
    assert!(ended["status"] == "FAILED" && ended["lastError"].to_string().contains("UN_XML by its content"), "{ended}");
}

async fn a_new_version_says_what_has_changed(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let name = ids.of("own");
    let first = "id,schema,name,aliases\nA,Person,Ada Quill,\nB,Person,Orsolo Vantrek,\nC,Vessel,Grey Pelican,\n";
    let result = import(&server, &name, first).await;
    assert_eq!((&result["version"], &result["added"], &result["published"]), (&json!(1), &json!(3), &json!(true)), "{result}");
    let second = "id,schema,name,aliases\nD,Person,Petra Vantrek,\nB,Person,Orsolo Vantrek,O. Vantrek\nA,Person,Ada Quill,\n";
    let result = import(&server, &name, second).await;
    let counts = ["version", "added", "changed", "ended", "unchanged"].map(|count| result[count].clone());
    assert_eq!(counts, [json!(2), json!(1), json!(1), json!(1), json!(1)], "{result}");
    assert_eq!(changes(&server, &name, 2, "ADDED").await, [("D".to_owned(), Value::Null)]);
    assert_eq!(changes(&server, &name, 2, "CHANGED").await, [("B".to_owned(), json!(["Orsolo Vantrek"]))]);
    assert_eq!(changes(&server, &name, 2, "ENDED").await, [("C".to_owned(), Value::Null)]);
    assert_eq!(changes(&server, &name, 1, "ADDED").await.len(), 3, "what the first version brought is still known");
    let shown = list(&server, &name).await;
    let names: Vec<&Value> = shown["entries"]["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]["entryId"]).collect();
    assert_eq!(names, ["A", "B", "D"]);
    let former = "query($id: ID!) { watchlist(id: $id) { entries(version: 1) { edges { node { entryId names } } } } }";
    let former = server.graphql(former, json!({"id": name})).await;
    assert_eq!(former["watchlist"]["entries"]["edges"].as_array().map(Vec::len), Some(3), "{former}");
    for version in [9, 3, 0, -1] {
        let query = "query($id: ID!, $version: Int) { watchlist(id: $id) { entries(version: $version) { edges { node { entryId } } } } }";
        let answer = server.graphql_answer(query, json!({"id": name, "version": version})).await;
        assert!(answer["errors"].to_string().contains("there are versions 1 to 2"), "{version}: {answer}");
        assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID", "{version}: {answer}");
    }
    // The same content again, in the same order or in another, is no version.
    for again in [second.to_owned(), second.replace("D,Person,Petra Vantrek,\n", "") + "D,Person,Petra  Vantrek,\n"] {
        let result = import(&server, &name, &again).await;
        assert_eq!((&result["version"], &result["published"], &result["entries"]), (&json!(2), &json!(false), &json!(3)), "{result}");
    }
    jobs::none_left(&server).await;
    assert_eq!(nodes(&mut server, &name).len(), 5, "what has not changed is not written again");
    let ended = format!("MATCH (e:EndedWatchlistEntry) WHERE e.key > '{name}/' AND e.key < '{name}0' RETURN e.endedAs AS endedAs ORDER BY e.endedAs");
    let ended = server.cypher(&ended);
    assert_eq!(ended.iter().map(|row| &row["endedAs"]).collect::<Vec<_>>(), ["CHANGED", "ENDED"]);
}

/// More states than are looked at in one go, of which half are another version's.
async fn pages_have_each_entry_once(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let (name, count) = (ids.of("own"), 1_500);
    import(&server, &name, &people(count, "Ada")).await;
    import(&server, &name, &people(count, "Petra")).await;
    for (version, first_name) in [(1, "Ada"), (2, "Petra")] {
        let query = "query($id: ID!, $version: Int, $after: String) { watchlist(id: $id) { entries(version: $version, first: 100, after: $after) {
            pageInfo { hasNextPage endCursor } edges { node { entryId name } } } } }";
        let (mut after, mut seen) = (Value::Null, Vec::new());
        loop {
            let page = server.graphql(query, json!({"id": name, "version": version, "after": after})).await["watchlist"]["entries"].take();
            for edge in page["edges"].as_array().expect("edges") {
                assert!(edge["node"]["name"].as_str().is_some_and(|name| name.starts_with(first_name)), "{edge}");
                seen.push(edge["node"]["entryId"].as_str().expect("an id").to_owned());
            }
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] != true {
                break;
            }
        }
        assert_eq!(seen, (0..count).map(|n| format!("Q{n:06}")).collect::<Vec<_>>(), "version {version}");
    }
}

async fn the_same_key_is_the_same_import(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let input = json!({"name": ids.of("own"), "uploadId": upload(&server, SIMPLE).await, "idempotencyKey": ids.of("key")});
    let first = ask(&server, input.clone()).await;
    until_ended(&server, first["job"]["id"].as_str().unwrap_or_else(|| panic!("{first}"))).await;
    jobs::none_left(&server).await;
    // What was uploaded has gone.
    assert_eq!(ask(&server, input.clone()).await["job"]["id"], first["job"]["id"]);
    let mut other = input;
    other["name"] = json!(ids.of("other"));
    let refused = ask(&server, other).await;
    assert_eq!(refused["userErrors"][0]["code"], "INVALID", "{refused}");
}

async fn a_file_with_faults_changes_nothing(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let (name, never) = (ids.of("own"), ids.of("never"));
    import(&server, &name, "id,schema,name\nA,Person,Ada Quill\n").await;
    jobs::none_left(&server).await;
    let before = nodes(&mut server, &name);
    let wrong = "id,schema,name\nA,Person,Ada Quilla\n,Person,Nobody\nC,Person,\nD,Person\n";
    for name in [&name, &never] {
        let ended = until_ended(&server, &start(&server, name, wrong).await).await;
        let told = ended["lastError"].as_str().unwrap_or_default();
        assert_eq!(ended["status"], "FAILED", "{ended}");
        for fault in ["line 3, column `id`: is empty", "line 4, column `name`: is empty", "line 5: 2 fields where the header has 3"] {
            assert!(told.contains(fault), "{told}");
        }
    }
    let empty = until_ended(&server, &start(&server, &name, "id,schema,name\n").await).await;
    assert!(empty["lastError"].to_string().contains("has no entry"), "{empty}");
    jobs::none_left(&server).await;
    assert_eq!(nodes(&mut server, &name), before);
    assert_eq!(list(&server, &name).await["version"], 1);
    assert_eq!(list(&server, &never).await, Value::Null);
    let left = server.cypher(&format!("MATCH (l:Watchlist) WHERE l.id = '{never}' RETURN l.id AS id"));
    assert_eq!(left, Vec::<Value>::new());
}

async fn an_import_that_is_killed_goes_on(engine: Engine) {
    // What was uploaded outlives the process, as the graph does.
    let files = tempfile::tempdir().expect("a folder");
    let url = format!("file:{}", files.path().display());
    let (mut server, ids) = (Server::with(Store::private(engine), &[("AMLGRAPH_FILES__URL", &url)]), Ids::new());
    let (name, count) = (ids.of("own"), 6_000);
    import(&server, &name, &people(count, "Ada")).await;
    let id = start(&server, &name, &people(count, "Petra")).await;
    let reached = async |least: i64| job(&server, &id).await.is_some_and(|job| !job["endedAt"].is_null() || job["done"].as_i64() >= Some(least));
    eventually("it has staged something", SOON, async || reached(1_000).await).await;
    // Nobody sees half of it.
    let shown = list(&server, &name).await;
    assert!(shown["version"] == 2 || shown["entries"]["edges"][0]["node"]["name"] == "Ada Quill 0", "{shown}");
    server.kill();
    server.start_again();
    let ended = until_ended(&server, &id).await;
    assert_eq!((&ended["status"], &ended["result"]["changed"]), (&json!("DONE"), &json!(count)), "{ended}");
    let shown = list(&server, &name).await;
    assert_eq!((&shown["version"], &shown["entryCount"]), (&json!(2), &json!(count)), "{shown}");
    assert_eq!(shown["entries"]["edges"][0]["node"]["name"], "Petra Quill 0");
    jobs::none_left(&server).await;
    let twice = server.cypher("MATCH (e:WatchlistEntry) WHERE e.until IS NULL WITH e.key AS key, count(*) AS many WHERE many > 1 RETURN key");
    assert_eq!(twice, Vec::<Value>::new());
    assert_eq!(nodes(&mut server, &name).len(), 2 * count);
}

async fn a_cancelled_import_leaves_nothing(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let name = ids.of("own");
    import(&server, &name, &people(500, "Ada")).await;
    let id = start(&server, &name, &people(60_000, "Petra")).await;
    eventually("it has staged something", SOON, async || job(&server, &id).await.is_some_and(|job| job["done"].as_i64() >= Some(500))).await;
    let cancel = "mutation($input: CancelJobInput!) { cancelJob(input: $input) { userErrors { code } } }";
    server.graphql(cancel, json!({"input": {"jobId": id}})).await;
    let ended = until_ended(&server, &id).await;
    assert_eq!(ended["status"], "CANCELLED", "{ended}");
    jobs::none_left(&server).await;
    let left = nodes(&mut server, &name);
    assert_eq!(left.len(), 500);
    assert!(left.iter().all(|entry| entry["since"] == 1 && entry["until"].is_null() && entry["endedIn"].is_null()), "{left:?}");
    assert_eq!(list(&server, &name).await["version"], 1);
    assert_eq!(server.cypher("MATCH (u:WatchlistUpload) RETURN u.id AS id"), Vec::<Value>::new());
    let result = import(&server, &name, &people(2, "Petra")).await;
    assert_eq!((&result["version"], &result["changed"], &result["ended"]), (&json!(2), &json!(2), &json!(498)), "{result}");
}

async fn who_may_import_and_read(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let name = ids.of("own");
    import(&server, &name, SIMPLE).await;
    for (role, reads, imports) in
        [("INGEST", false, false), ("ANALYST", true, false), ("SUPERVISOR", true, true), ("AUDITOR", true, false), ("ADMIN", true, true)]
    {
        let made = server.post("/admin/keys", json!({"role": role, "name": ids.of(role)}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        let answer = api.send(api.request("POST", "/lists/uploads").body(SIMPLE)).await;
        assert_eq!(answer.status, if imports { 201 } else { 403 }, "{role}: {answer:?}");
        let read = api.graphql_answer("query($id: ID!) { watchlist(id: $id) { version } }", json!({"id": name})).await;
        assert_eq!(read["errors"].is_null(), reads, "{role}: {read}");
        let mutation = "mutation($input: ImportWatchlistInput!) { importWatchlist(input: $input) { job { id } userErrors { code } } }";
        let asked = api.graphql_answer(mutation, json!({"input": {"name": name, "uploadId": "no-upload"}})).await;
        assert_eq!(asked["errors"].is_null(), imports, "{role}: {asked}");
        if imports {
            assert_eq!(asked["data"]["importWatchlist"]["userErrors"][0]["code"], "NOT_FOUND", "{role}: {asked}");
        }
    }
    let wrong = ask(&server, json!({"name": " — ", "uploadId": "no-upload"})).await;
    assert_eq!(wrong["userErrors"][0]["code"], "INVALID", "{wrong}");
}

async fn uploads_have_their_bounds(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LISTS__UPLOAD", "1KiB")]);
    let sent = async |media_type: &str, body: String| {
        server.send(server.request("POST", "/lists/uploads").header("content-type", media_type).body(body)).await.status
    };
    assert_eq!(sent("application/octet-stream", "x".repeat(1_025)).await, 413);
    assert_eq!(sent("application/octet-stream", String::new()).await, 400);
    assert_eq!(sent("multipart/form-data; boundary=x", "x".to_owned()).await, 415);
    assert_eq!(sent("text/csv", "x".repeat(1_024)).await, 201);
    let document = server.anonymous().get("/openapi.json").await.expect(200).json();
    let body = &document["paths"]["/lists/uploads"]["post"]["requestBody"]["content"]["application/octet-stream"]["schema"];
    assert_eq!((&body["type"], &body["format"]), (&json!("string"), &json!("binary")), "{body}");
}

async fn the_command_imports_shows_and_compares(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (folder, name) = (tempfile::tempdir().expect("a folder"), ids.of("own"));
    let file = folder.path().join("own.csv");
    let made = server.post("/admin/keys", json!({"role": "SUPERVISOR", "name": name}).to_string()).await.expect(201).json();
    let run = |arguments: &[&str]| {
        let mut command = command(&[&["list"][..], arguments].concat());
        let output = command.env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", made["key"].as_str().expect("a key")).output();
        let output = output.expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let path = file.display().to_string();
    for (text, version) in [("id,schema,name\nA,Person,Ada Quill\n", 1), ("id,schema,name\nA,Person,Ada Quilla\nB,Person,Petra Vantrek\n", 2)] {
        fs::write(&file, text).expect("written");
        let (done, out, told) = run(&["import", &path, "--name", &name]);
        assert!(done && told.contains("the import is the job "), "{told}");
        assert_eq!(serde_json::from_str::<Value>(&out).expect("JSON")["version"], version, "{out}");
    }
    let (done, out, told) = run(&["show", &name]);
    assert!(done && out.lines().count() == 2, "{out}{told}");
    let (done, out, told) = run(&["diff", &name]);
    assert!(done, "{told}");
    let changes: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(changes.iter().map(|change| &change["change"]).collect::<Vec<_>>(), ["ADDED", "CHANGED"]);
    assert_eq!(changes[1]["former"]["name"], "Ada Quill", "{out}");
    let (done, rest, told) = run(&["diff", &name, "--page", "1", "--after", changes[0]["after"].as_str().expect("a place")]);
    assert!(done && rest.lines().eq(out.lines().skip(1)), "{rest}{told}");
    let (done, _, told) = run(&["diff", &name, "--after", "x"]);
    assert!(!done && told.contains("--after x"), "{told}");
    let (done, _, told) = run(&["show", "--url", "http://127.0.0.1:9"]);
    assert!(!done && told.contains("no server answers at http://127.0.0.1:9"), "{told}");
    fs::write(&file, "id,schema,name\nA,Person,\n").expect("written");
    let (done, out, told) = run(&["import", &path, "--name", &name]);
    assert!(!done && out.is_empty() && told.contains("line 2, column `name`: is empty"), "{out}{told}");
    let (done, _, told) = run(&["diff", &name, "--version", "9"]);
    assert!(!done && told.contains("no such version"), "{told}");
}
