//! One server: started, stopped, started again, killed, silenced.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{USER, jars};

/// Some 10 s of work, which took 40 s on two very busy cores.
const READY_WITHIN: Duration = Duration::from_secs(240);
const GONE_WITHIN: Duration = Duration::from_secs(120);
const EMPTY_WITHIN: Duration = Duration::from_secs(120);
/// Between choosing a free port and listening on it, another program can take it.
const TRIES: usize = 3;
const PASSWORD: &str = "test-password";

/// How large a server may be, and what it is good at.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Java heap in MiB.
    pub heap_mib: u32,
    /// Page cache in MiB.
    pub page_cache_mib: u32,
    /// What Java is tuned for.
    pub tuned_for: TunedFor,
}

/// What Java is tuned for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TunedFor {
    /// Ready in half the time, for tests: one quick compiler and a collector without threads of its own.
    Start,
    /// Java's defaults, as a server in production has them, for measurements.
    Throughput,
}

impl TunedFor {
    fn flags(self) -> &'static [&'static str] {
        match self {
            // With one compiler Java keeps 48 MB for compiled code, which the tests fill. Then it throws code away, compiles it
            // again, and answers a statement it has no room for with NoSuchMethodException (MethodHandle.linkToStatic).
            Self::Start => &["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC"],
            Self::Throughput => &[],
        }
    }
}

impl Default for Options {
    /// Enough for the tests: 512 MiB of heap, 64 MiB of page cache, quick to start.
    fn default() -> Self {
        Self { heap_mib: 512, page_cache_mib: 64, tuned_for: TunedFor::Start }
    }
}

/// A Neo4j server. One that was started here is gone, with its folder, when this value is dropped or the process ends.
pub struct Neo4j {
    url: String,
    user: String,
    password: String,
    /// None: somebody else's server, which is not ours to stop.
    own: Option<Own>,
}

struct Own {
    home: PathBuf,
    port: u16,
    options: Options,
    running: Mutex<Option<Running>>,
}

struct Running {
    process: Child,
    /// The server lives as long as this is open.
    input: ChildStdin,
    /// What it answers: "ready", and "empty" when it is emptied.
    answers: Receiver<String>,
    silenced: Option<Silence>,
}

/// A helper that wakes the stopped server when its own input ends: on resume, and also when the test process dies, for a
/// stopped server could not see that itself.
struct Silence {
    waker: Child,
}

impl Neo4j {
    /// Starts a private server with an empty store on a free port of the loopback address.
    pub fn start() -> Result<Self> {
        Self::start_with(Options::default())
    }

    /// The same with another size or tuning.
    pub fn start_with(options: Options) -> Result<Self> {
        let mut tried = 0;
        loop {
            tried += 1;
            match Self::start_once(options) {
                Err(error) if tried < TRIES && format!("{error:#}").contains("Address already in use") => {}
                outcome => return outcome,
            }
        }
    }

    fn start_once(options: Options) -> Result<Self> {
        let home = tempfile::Builder::new().prefix("amlgraph-neo4j-").tempdir().context("making a folder for Neo4j")?;
        let port = free_port()?;
        let running = launch(home.path(), port, options)?;
        let own = Own { home: home.keep(), port, options, running: Mutex::new(Some(running)) };
        Ok(Self { url: format!("bolt://127.0.0.1:{port}"), user: USER.to_owned(), password: PASSWORD.to_owned(), own: Some(own) })
    }

    /// Somebody else's server, as it is.
    pub(super) fn external(url: String, user: String, password: String) -> Self {
        Self { url, user, password, own: None }
    }

    /// Where drivers connect, such as `bolt://127.0.0.1:41234`; stays the same over [`Self::start_again`].
    pub fn bolt_url(&self) -> &str {
        &self.url
    }

    /// Who signs in.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The user's password.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// The server's folder: its store, its logs. None for an external server.
    pub fn home(&self) -> Option<&Path> {
        self.own.as_ref().map(|own| own.home.as_path())
    }

    /// The server's process id while it runs. None for an external server.
    pub fn process_id(&self) -> Option<u32> {
        self.own.as_ref()?.running().as_ref().map(|running| running.process.id())
    }

    /// Stops the server in order and waits until it is gone; its store stays. Does nothing when it is stopped.
    pub fn stop(&self) -> Result<()> {
        match self.own()?.running().take() {
            Some(running) => running.stop(),
            None => Ok(()),
        }
    }

    /// Ends the server at once, as a crash would; its store stays. Does nothing when it is stopped.
    pub fn kill(&self) -> Result<()> {
        match self.own()?.running().take() {
            Some(running) => running.kill(),
            None => Ok(()),
        }
    }

    /// Starts a stopped or killed server on the same port and store and waits until it answers. Does nothing when it runs.
    pub fn start_again(&self) -> Result<()> {
        let own = self.own()?;
        let mut running = own.running();
        if running.is_none() {
            *running = Some(launch(&own.home, own.port, own.options)?);
        }
        Ok(())
    }

    /// Makes the server silent: connections stay, the kernel accepts new ones, nothing is answered until [`Self::resume`].
    pub fn pause(&self) -> Result<()> {
        let mut running = self.own()?.running();
        let running = running.as_mut().context("Neo4j is stopped")?;
        if running.silenced.is_none() {
            running.silenced = Some(Silence::over(running.process.id())?);
        }
        Ok(())
    }

    /// Takes all data out of the running server but for the marks of some migrations, whose schema stays. Without any the schema goes, too, and all plans
    /// with it. Nobody may be at work in it.
    pub fn empty(&self, migrations: &[&str]) -> Result<()> {
        let mut running = self.own()?.running();
        let running = running.as_mut().context("Neo4j is stopped")?;
        if running.silenced.is_some() {
            bail!("Neo4j is silenced");
        }
        writeln!(running.input, "{}", ["empty"].iter().chain(migrations).copied().collect::<Vec<_>>().join(" "))
            .context("telling Neo4j to be empty")?;
        match running.answers.recv_timeout(EMPTY_WITHIN) {
            Ok(answer) if answer == "empty" => Ok(()),
            Ok(answer) => bail!("Neo4j is {answer} instead of empty"),
            Err(error) => bail!("Neo4j is not empty: {error}"),
        }
    }

    /// Ends [`Self::pause`].
    pub fn resume(&self) -> Result<()> {
        let mut running = self.own()?.running();
        match running.as_mut().and_then(|running| running.silenced.take()) {
            Some(silence) => silence.end(),
            None => Ok(()),
        }
    }

    fn own(&self) -> Result<&Own> {
        self.own.as_ref().context("this Neo4j was not started here: it can't be stopped or silenced")
    }
}

impl Own {
    /// A test that panicked while it held the lock must not hide its own message behind another.
    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(running) = self.running().take() {
            // The store is thrown away, so there is nothing to close in order.
            let _ = running.kill();
        }
        let _ = fs::remove_dir_all(&self.home);
    }
}

impl Running {
    fn stop(mut self) -> Result<()> {
        self.wake()?;
        writeln!(self.input, "stop").context("telling Neo4j to stop")?;
        let deadline = Instant::now() + GONE_WITHIN;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                self.process.kill()?;
                self.process.wait()?;
                bail!("Neo4j had not stopped after {GONE_WITHIN:?}");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn kill(mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        self.wake()
    }

    fn wake(&mut self) -> Result<()> {
        self.silenced.take().map_or(Ok(()), Silence::end)
    }
}

impl Silence {
    fn over(process: u32) -> Result<Self> {
        let script = format!("kill -STOP {process} && echo silent; read -r _; kill -CONT {process} 2>/dev/null; true");
        let mut waker = Command::new("sh").args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("running sh")?;
        let mut said = String::new();
        if let Some(output) = waker.stdout.take() {
            BufReader::new(output).read_line(&mut said)?;
        }
        let silence = Self { waker };
        if said.trim() != "silent" {
            silence.end()?;
            bail!("Neo4j could not be paused");
        }
        Ok(silence)
    }

    fn end(mut self) -> Result<()> {
        drop(self.waker.stdin.take());
        self.waker.wait().context("waiting for sh")?;
        Ok(())
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port")?;
    Ok(listener.local_addr()?.port())
}

/// Starts the process and waits for its `ready`.
fn launch(home: &Path, port: u16, options: Options) -> Result<Running> {
    let jars = jars::fetched()?;
    let source = jars::write_server(home)?;
    let mut process = Command::new("java")
        .arg(format!("-Xmx{}m", options.heap_mib))
        .args(options.tuned_for.flags())
        .args(["java.nio", "java.io", "sun.nio.ch"].map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")))
        .arg("-cp")
        .arg(jars.join("*"))
        .arg(source)
        .arg(home)
        .arg(port.to_string())
        .arg(PASSWORD)
        .arg((u64::from(options.page_cache_mib) << 20).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("running java")?;
    let input = process.stdin.take().context("Neo4j has no input")?;
    let answers = answers(&mut process)?;
    let mut running = Running { process, input, answers, silenced: None };
    match wait_until_ready(&mut running) {
        Ok(()) => Ok(running),
        Err(error) => {
            running.kill()?;
            Err(error)
        }
    }
}

/// The lines that it prints. The pipe is read to its end, whether anybody listens or not.
fn answers(process: &mut Child) -> Result<Receiver<String>> {
    let output = process.stdout.take().context("Neo4j has no output")?;
    let (said, answers) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok).filter(|line| line == "ready" || line == "empty") {
            let _ = said.send(line);
        }
    });
    Ok(answers)
}

fn wait_until_ready(running: &mut Running) -> Result<()> {
    let mut errors = running.process.stderr.take().context("Neo4j has no error output")?;
    let complaint = thread::spawn(move || {
        let mut text = String::new();
        // What is not text is of no use in a message.
        let _ = errors.read_to_string(&mut text);
        text
    });
    match running.answers.recv_timeout(READY_WITHIN) {
        Ok(_) => Ok(()),
        Err(RecvTimeoutError::Timeout) => bail!("Neo4j was not ready after {READY_WITHIN:?}"),
        Err(RecvTimeoutError::Disconnected) => {
            let text = complaint.join().unwrap_or_default();
            bail!("Neo4j did not start: {}", text.lines().take(40).collect::<Vec<_>>().join("\n"))
        }
    }
}
