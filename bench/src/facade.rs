//! The façade: `@neo4j/graphql` on GraphQL Yoga, which makes Cypher of GraphQL for the same database.
//!
//! Its packages are fetched once with npm into `<target>/facade/installed`, in the versions of `facade/package-lock.json`. As with the jars of Neo4j
//! one process at a time fetches (a file lock), into a folder that gets its name when it is complete.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};
use test_support::neo4j::Neo4j;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

const MANIFEST: &str = include_str!("../facade/package.json");
const LOCK: &str = include_str!("../facade/package-lock.json");
const SERVER: &str = include_str!("../facade/server.mjs");
const LOCK_NAME: &str = "package-lock.json";
const READY_WITHIN: Duration = Duration::from_secs(120);

/// Where the packages are.
pub struct Packages {
    folder: PathBuf,
}

/// A running façade; killed when dropped.
pub struct Facade {
    process: Child,
    pub address: SocketAddr,
}

impl Packages {
    /// The packages, after fetching them if that was never done, or if others were meant then.
    pub async fn fetched() -> Result<Self> {
        let above = test_support::target_folder().join("facade");
        let packages = Self { folder: above.join("installed") };
        fs::create_dir_all(&above).with_context(|| format!("making {}", above.display()))?;
        let lock = File::create(above.join("lock"))?;
        tokio::task::block_in_place(|| lock.lock()).context("waiting for another process that fetches the façade")?;
        if !packages.are_those_meant() {
            packages.fetch(&above).await?;
        }
        Ok(packages)
    }

    fn are_those_meant(&self) -> bool {
        fs::read_to_string(self.folder.join(LOCK_NAME)).is_ok_and(|lock| lock == LOCK)
    }

    async fn fetch(&self, above: &Path) -> Result<()> {
        crate::report::doing("fetching the façade's packages with npm (60 MB, once)");
        let work = tempfile::Builder::new().prefix("fetch-").tempdir_in(above)?;
        fs::write(work.path().join("package.json"), MANIFEST)?;
        fs::write(work.path().join(LOCK_NAME), LOCK)?;
        let mut npm = Command::new("npm");
        npm.args(["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(work.path()).stdin(Stdio::null());
        let output = npm.output().await.map_err(|error| cannot_run("npm", error))?;
        if !output.status.success() {
            bail!("npm could not fetch the façade: {}{}", text(&output.stdout), text(&output.stderr));
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        fs::rename(work.path(), &self.folder).with_context(|| format!("naming {}", self.folder.display()))
    }

    /// Starts the façade before a database and waits until it is ready.
    pub async fn serve(&self, server: &Neo4j) -> Result<Facade> {
        // Beside the packages, where it finds them.
        let program = self.folder.join("server.mjs");
        fs::write(&program, SERVER)?;
        let mut node = Command::new("node");
        node.arg(program).env("NODE_ENV", "production");
        node.env("NEO4J_URL", server.bolt_url()).env("NEO4J_USER", server.user()).env("NEO4J_PASSWORD", server.password());
        // It ends when its input does, and so with this process however that ends.
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = node.spawn().map_err(|error| cannot_run("node", error))?;
        let output = process.stdout.take().context("the façade has no output")?;
        let mut line = String::new();
        let read = timeout(READY_WITHIN, BufReader::new(output).read_line(&mut line)).await;
        read.map_err(|_| anyhow!("the façade was not ready after {READY_WITHIN:?}"))??;
        let port = line.trim().strip_prefix("ready ").and_then(|port| port.parse().ok());
        let port: u16 = port.with_context(|| format!("the façade did not start; it said {line:?}, and what stands above"))?;
        Ok(Facade { process, address: (Ipv4Addr::LOCALHOST, port).into() })
    }
}

impl Facade {
    /// The process id.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Ends it.
    pub async fn stop(mut self) -> Result<()> {
        self.process.kill().await.context("ending the façade")
    }
}

fn cannot_run(program: &str, error: std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => anyhow!(
            "{program} is not there: sections `facade` and `cache` compare with a program for Node.js; install Node.js 20 or later with npm, or name the other \
             sections with --only"
        ),
        _ => Error::new(error).context(format!("running {program}")),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_missing_program_is_told_in_words() {
        let told = super::cannot_run("npm", Error::from(ErrorKind::NotFound)).to_string();
        assert!(told.starts_with("npm is not there") && told.contains("--only"), "{told}");
    }
}
