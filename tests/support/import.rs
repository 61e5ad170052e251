//! Folders of `<list>.ndjson` files, and `amlgraph import` of them.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{Api, Server, Store, command};

/// A folder with a file of each list.
pub fn folder(lists: &[(&str, Vec<Value>)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (list, lines) in lists {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        std::fs::write(folder.path().join(list).with_extension("ndjson"), lines.join("\n")).expect("a file");
    }
    folder
}

/// Sends a folder to a server; answers with the summary, and how it ended.
pub fn to_server(folder: &TempDir, api: &Api, key: &str) -> (String, Output) {
    run(command(&["import", path(folder), "--url", &api.base, "--key", key]))
}

/// Writes a folder straight into a server's store. The embedded store can be open in one process only, so its server is stopped and started around it.
pub fn to_store(folder: &TempDir, server: &mut Server) -> (String, Output) {
    let alone = matches!(server.store, Store::Folder(_));
    if alone {
        server.stop();
    }
    let ended = run(server.store.command(&["import", path(folder)]));
    if alone {
        server.start_again();
    }
    ended
}

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().expect("a path")
}

fn run(mut command: Command) -> (String, Output) {
    let output = command.output().expect("the program runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output)
}
