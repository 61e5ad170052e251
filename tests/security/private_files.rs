//! What the program keeps is for its user alone.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::support::bulk::bulk_actor;
use crate::support::fixtures::actor;
use crate::support::import::{folder, to_server};
use crate::support::{Engine, Server, Store, command, tests};

tests![embedded: store_and_files_are_for_their_user_alone, a_checkpoint_is_for_its_user_alone];

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

/// The modes of a folder, and of all that is in it: how many files there are, and what is open to others.
fn open_to_others(folder: &Path) -> (usize, Vec<String>) {
    let (mut files, mut open) = (0, Vec::new());
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        if mode(&path) != wanted {
            open.push(format!("{} {:o}", path.display(), mode(&path)));
        }
        match std::fs::read_dir(&path) {
            Ok(entries) => left.extend(entries.map(|entry| entry.expect("an entry").path())),
            Err(_) => files += 1,
        }
    }
    (files, open)
}

fn open_all(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            open_all(&path);
        } else {
            std::fs::set_permissions(path, Permissions::from_mode(0o644)).expect("it is ours");
        }
    }
    std::fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("it is ours");
}

async fn store_and_files_are_for_their_user_alone(engine: Engine) {
    let home = tempfile::tempdir().expect("a folder");
    let (store, files) = (home.path().join("new/store"), home.path().join("new/files"));
    let (store_url, files_url) = (format!("embedded:{}", store.display()), format!("file:{}", files.display()));
    let settings = [("AMLGRAPH_DATABASE__URL", store_url.as_str()), ("AMLGRAPH_FILES__URL", files_url.as_str())];
    let mut server = Server::with(Store::of(engine), &settings);
    server.post("/api/actors", actor("ada").to_string()).await.expect(200);
    let case = server.post("/api/cases", "{}").await.expect(200).json();
    let case = case["case_id"].as_str().expect("an id").to_owned();
    let body = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nwhat was found\r\n--b--\r\n";
    let uploading = server.request("POST", &format!("/api/cases/{case}/files")).header("content-type", "multipart/form-data; boundary=b").body(body);
    server.send(uploading).await.expect(200);
    for folder in [&store, &files] {
        let (count, open) = open_to_others(folder);
        assert!(count > 0 && open.is_empty(), "{open:?}");
    }
    server.stop();
    // As earlier versions left it.
    open_all(&store);
    open_all(&files);
    server.start_again();
    server.get("/api/actors/ada").await.expect(200);
    for folder in [&store, &files] {
        assert_eq!(open_to_others(folder).1, Vec::<String>::new());
    }
    server.stop();
}

async fn a_checkpoint_is_for_its_user_alone(engine: Engine) {
    let server = Server::shared(engine);
    let files = folder(&[("actors", vec![bulk_actor("ada")])]);
    // It stays where the import does not come to its end.
    let (summary, output) = to_server(&files, &server, "nobody's key");
    assert!(!output.status.success(), "{summary}");
    let note = files.path().join(".amlgraph-import.json");
    assert_eq!(mode(&note), 0o600);
    std::fs::remove_file(&note).expect("it is there");
    let store = tempfile::tempdir().expect("a folder");
    let broken = json!({"id": "no actor"});
    std::fs::write(files.path().join("actors.ndjson"), format!("{}\n{broken}\n", bulk_actor("ada"))).expect("a file");
    let url = format!("embedded:{}", store.path().join("store").display());
    let mut importing = command(&["import", files.path().to_str().expect("a path"), "--database", &url]);
    assert!(!importing.output().expect("the program runs").status.success());
    assert_eq!(open_to_others(&store.path().join("store")).1, Vec::<String>::new());
}
