//! A real Neo4j 5.26 for tests, started from the jars that Maven Central holds.
//!
//! The server is a Java process of its own (`neo4j/Neo4jServer.java`) that lives as long as the pipe to its standard input is open. So it is
//! gone when the test process is gone, even after a `kill -9`, and takes its temporary folder along. The jars are fetched once
//! into the build's target folder ([`jars`]).
//!
//! Who has a server already sets `AMLGRAPH_TEST_NEO4J_URL` (with `AMLGRAPH_TEST_NEO4J_USER` and `AMLGRAPH_TEST_NEO4J_PASSWORD`): then
//! [`shared`] is that one. Private servers still need Java.

mod jars;
mod server;

use std::env;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

pub use server::{Neo4j, Options, TunedFor};

/// The user of every server that is started here.
pub const USER: &str = "neo4j";

/// The server that all tests of this process share, started at the first call (about 10 s) and gone with the process.
///
/// Tests keep apart by the ids they choose. Blocks: call it before an async runtime has to make progress, or from a thread that may wait.
///
/// # Panics
/// When the server can't be started; ask [`available`] first.
pub fn shared() -> &'static Neo4j {
    static SHARED: OnceLock<Neo4j> = OnceLock::new();
    SHARED.get_or_init(|| match external() {
        Some(server) => server,
        None => Neo4j::start().unwrap_or_else(|error| panic!("no Neo4j for the tests: {error:#}")),
    })
}

/// Whether [`shared`] can give a server here; otherwise the reason, to be shown beside the tests that are ignored for it.
///
/// Looks for the programs only: a first download may still fail.
///
/// # Panics
/// With `CI=true`, when there can be none: there, leaving tests out is a failure and not a choice.
pub fn available() -> Result<(), String> {
    let found = if env::var_os("AMLGRAPH_TEST_NEO4J_URL").is_some() { Ok(()) } else { can_start() };
    if let Err(reason) = &found {
        assert!(!is_ci(), "CI=true needs a Neo4j to test against: {reason}");
    }
    found
}

/// Whether [`Neo4j::start`] can start a private server here; otherwise the reason.
///
/// # Panics
/// With `CI=true`, like [`available`].
pub fn private_available() -> Result<(), String> {
    let found = can_start();
    if let Err(reason) = &found {
        assert!(!is_ci(), "CI=true needs a Neo4j to test against: {reason}");
    }
    found
}

fn is_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}

fn external() -> Option<Neo4j> {
    let url = env::var("AMLGRAPH_TEST_NEO4J_URL").ok()?;
    let user = env::var("AMLGRAPH_TEST_NEO4J_USER").unwrap_or_else(|_| USER.to_owned());
    let password = env::var("AMLGRAPH_TEST_NEO4J_PASSWORD").unwrap_or_default();
    Some(Neo4j::external(url, user, password))
}

/// Java 17 or later with its compiler (the server is run from source), and Maven unless the jars are there already.
fn can_start() -> Result<(), String> {
    static FOUND: OnceLock<Result<(), String>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            let hint = "and AMLGRAPH_TEST_NEO4J_URL is not set";
            let modules = output_of("java", "--list-modules").ok_or(format!("no Java 17 or later (java), {hint}"))?;
            let version = modules.lines().find_map(java_version).unwrap_or_default();
            if version < 17 {
                return Err(format!("Java is older than 17, {hint}"));
            }
            if !modules.contains("jdk.compiler@") {
                return Err(format!("Java has no compiler (a JDK is needed, not a JRE), {hint}"));
            }
            if !jars::present() && output_of("mvn", "--version").is_none() {
                return Err(format!("no Maven (mvn), {hint}"));
            }
            Ok(())
        })
        .clone()
}

/// `java.base@17.0.15` → 17.
fn java_version(module: &str) -> Option<u32> {
    module.strip_prefix("java.base@")?.split(['.', '-', '+']).next()?.parse().ok()
}

fn output_of(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_the_version_of_java() {
        assert_eq!(super::java_version("java.base@17.0.15"), Some(17));
        assert_eq!(super::java_version("java.base@21-ea"), Some(21));
        assert_eq!(super::java_version("jdk.compiler@17"), None);
    }
}
