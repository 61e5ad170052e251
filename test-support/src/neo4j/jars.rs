//! The server's jars: fetched once with Maven into `<target>/neo4j-5.26.24/lib`, 214 files of 116 MB.
//!
//! Several test processes may find them missing at the same moment, and any of them may be killed half-way. So one process at a time
//! fetches (a file lock), into a folder of its own, which gets its name when it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

const POM: &str = include_str!("../../neo4j/pom.xml");
const SERVER: &str = include_str!("../../neo4j/Neo4jServer.java");
const VERSION: &str = "5.26.24";

/// Whether the jars are there, so that no Maven is needed.
pub(super) fn present() -> bool {
    folder().join("lib").is_dir()
}

/// The folder of the jars, after fetching them if that was never done.
pub(super) fn fetched() -> Result<PathBuf> {
    let folder = folder();
    let lib = folder.join("lib");
    if lib.is_dir() {
        return Ok(lib);
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let lock = File::create(folder.join("lock"))?;
    lock.lock().context("waiting for another process that fetches the jars")?;
    if !lib.is_dir() {
        fetch(&folder, &lib)?;
    }
    Ok(lib)
}

fn fetch(folder: &Path, lib: &Path) -> Result<()> {
    eprintln!("fetching Neo4j {VERSION} for the tests (116 MB, once)");
    let work = tempfile::Builder::new().prefix("fetch-").tempdir_in(folder)?;
    let pom = work.path().join("pom.xml");
    fs::write(&pom, POM)?;
    let complete = work.path().join("lib");
    let output = Command::new("mvn")
        .args(["-q", "-B", "dependency:copy-dependencies"])
        .arg("-f")
        .arg(&pom)
        .arg(format!("-DoutputDirectory={}", complete.display()))
        .stdin(Stdio::null())
        .output()
        .context("running mvn")?;
    if !output.status.success() {
        bail!("mvn could not fetch Neo4j: {}{}", text(&output.stdout), text(&output.stderr));
    }
    fs::rename(&complete, lib).with_context(|| format!("naming {}", lib.display()))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// Writes the server's source into a server's own folder, so that it runs wherever the sources of this crate have gone.
pub(super) fn write_server(home: &Path) -> io::Result<PathBuf> {
    let path = home.join("Neo4jServer.java");
    fs::write(&path, SERVER)?;
    Ok(path)
}

fn folder() -> PathBuf {
    crate::target_folder().join(format!("neo4j-{VERSION}"))
}
