//! The service under test: the release binary that lies beside this one, started on a store of its own, with its defaults.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use test_support::neo4j::Neo4j;
use tokio::time::sleep;

use crate::http::{self, Connection};

/// The administrator's key of every store that is measured.
pub const KEY: &str = "key-of-the-benchmark-Zq7Xw2Lk9Vb4Nf6Rj1HsTy";
/// Loading the sample comes before ready.
const READY_WITHIN: Duration = Duration::from_secs(300);
const GONE_WITHIN: Duration = Duration::from_secs(60);

/// The store that a service is started on.
#[derive(Clone, Copy)]
pub enum Store<'a> {
    Neo4j(&'a Neo4j),
    /// In a folder.
    Embedded(&'a Path),
}

/// What is to be in the store when the service is ready.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Content {
    AsItIs,
    Sample,
}

/// A running service; killed when dropped.
pub struct Service {
    process: Child,
    pub address: SocketAddr,
    /// From starting the process until `/health/ready` said so.
    pub ready_after: Duration,
}

/// The program, and a folder for what it leaves behind.
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// The given binary, or the one beside this one. Fails when it is not there.
    pub fn found(given: Option<PathBuf>, folder: &Path) -> Result<Self> {
        let path = match given {
            // Commands run from another folder.
            Some(path) => std::path::absolute(path)?,
            None => std::env::current_exe()?.with_file_name(format!("amlgraph{}", std::env::consts::EXE_SUFFIX)),
        };
        if !path.is_file() {
            bail!("{} is not there: build the whole workspace first", path.display());
        }
        Ok(Self { path, folder: folder.to_owned() })
    }

    /// A command on a store, with the program's own defaults whatever the environment says.
    fn command(&self, store: Store<'_>) -> Result<Command> {
        let log = File::options().create(true).append(true).open(self.folder.join("amlgraph.log"))?;
        let mut command = Command::new(&self.path);
        // Run from a folder without a settings file, with a log that is written as in production.
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("AMLGRAPH_")) {
            command.env_remove(name);
        }
        match store {
            Store::Neo4j(server) => {
                command.env("AMLGRAPH_DATABASE__URL", server.bolt_url());
                command.env("AMLGRAPH_DATABASE__USER", server.user()).env("AMLGRAPH_DATABASE__PASSWORD", server.password());
            }
            Store::Embedded(folder) => {
                command.env("AMLGRAPH_DATABASE__URL", format!("embedded:{}", folder.display()));
            }
        }
        Ok(command)
    }

    /// Starts `amlgraph serve` and waits until it is ready.
    pub async fn serve(&self, store: Store<'_>, content: Content) -> Result<Service> {
        self.serve_with(store, content, &[]).await
    }

    /// The same with settings that are not the defaults: pairs of an environment variable and its value.
    pub async fn serve_with(&self, store: Store<'_>, content: Content, settings: &[(&str, &str)]) -> Result<Service> {
        self.serve_by(store, content, settings, &[]).await
    }

    /// The same with arguments of `amlgraph serve`.
    pub async fn serve_by(&self, store: Store<'_>, content: Content, settings: &[(&str, &str)], arguments: &[&str]) -> Result<Service> {
        let address = free_address()?;
        let mut command = self.command(store)?;
        command.envs(settings.iter().copied());
        command.arg("serve").args(arguments).env("AMLGRAPH_LISTEN", address.to_string()).env("AMLGRAPH_ADMIN_KEY", KEY);
        if content == Content::Sample {
            command.arg("--sample");
        }
        let started = Instant::now();
        let process = command.spawn().context("starting amlgraph")?;
        let mut service = Service { process, address, ready_after: Duration::ZERO };
        service.wait_until_ready(started).await.with_context(|| self.last_words())?;
        service.ready_after = started.elapsed();
        Ok(service)
    }

    /// Runs `amlgraph import` to its end and says how long that took, from start to end of the process.
    pub async fn import(&self, folder: &Path, store: Store<'_>) -> Result<Duration> {
        let started = Instant::now();
        let mut process = self.command(store)?.arg("import").arg(folder).spawn().context("starting amlgraph")?;
        let status = tokio::task::spawn_blocking(move || process.wait()).await??;
        if !status.success() {
            bail!("amlgraph import: {status}: {}", self.last_words());
        }
        Ok(started.elapsed())
    }

    /// What `amlgraph explain` prints of a document.
    pub async fn explain(&self, store: Store<'_>, document: &str, variables: &str) -> Result<String> {
        let mut command = self.command(store)?;
        command.args(["explain", "--variables", variables, document]).stdout(Stdio::piped());
        let output = tokio::task::spawn_blocking(move || command.output()).await??;
        if !output.status.success() {
            bail!("amlgraph explain: {}: {}", output.status, self.last_words());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    fn last_words(&self) -> String {
        let log = std::fs::read_to_string(self.folder.join("amlgraph.log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }
}

impl Service {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    async fn wait_until_ready(&mut self, started: Instant) -> Result<()> {
        let request = http::get("/health/ready");
        while started.elapsed() < READY_WITHIN {
            if let Some(status) = self.process.try_wait()? {
                bail!("amlgraph serve ended: {status}");
            }
            // Until it answers, connections are refused or closed.
            let asked = async { Connection::open(self.address).await?.send_for_success(&request).await.map(drop) };
            if matches!(tokio::time::timeout(Duration::from_secs(2), asked).await, Ok(Ok(()))) {
                return Ok(());
            }
            sleep(Duration::from_millis(3)).await;
        }
        bail!("amlgraph serve was not ready after {READY_WITHIN:?}")
    }

    /// Makes a key of a role.
    pub async fn key(&self, role: &str) -> Result<String> {
        let request = http::post("/admin/keys", KEY, &serde_json::json!({ "role": role }).to_string());
        let made: serde_json::Value = serde_json::from_slice(Connection::open(self.address).await?.send_for_success(&request).await?)?;
        Ok(made["key"].as_str().context("a key")?.to_owned())
    }

    /// Stops it in order and waits until it is gone.
    pub async fn stop(mut self) -> Result<()> {
        let told = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().context("running kill")?;
        if !told.success() {
            bail!("amlgraph could not be told to stop");
        }
        let deadline = Instant::now() + GONE_WITHIN;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                bail!("amlgraph had not stopped after {GONE_WITHIN:?}");
            }
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port")?;
    Ok(listener.local_addr()?)
}
