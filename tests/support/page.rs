//! Pages of documentation as tests read them: their fenced blocks, and their commands run as somebody does who has the program and a key.

use std::path::Path;
use std::process::Output;

use super::{Server, command};

/// The fenced blocks, in their order: of what kind each is, and what is in it.
pub fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push((kind, text.join("\n")));
    }
    blocks
}

/// Runs a script in a folder, up to the first command that fails, with the program in its path and the server and an administrator's key in its environment.
pub async fn run(server: &Server, folder: &Path, script: &str) -> Output {
    let program = command(&[]).get_program().to_owned();
    let programs = Path::new(&program).parent().expect("its folder").to_owned();
    tokio::process::Command::new("bash")
        .args(["-c", &format!("set -euo pipefail\n{script}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{}", programs.display(), std::env::var("PATH").expect("a path")))
        .env("AMLGRAPH_URL", &server.base)
        .env("AMLGRAPH_KEY", server.key())
        .output()
        .await
        .expect("bash runs")
}
