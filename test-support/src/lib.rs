//! What tests and benchmarks need that is no part of the product: a real Neo4j server, without Docker.
//!
//! [`neo4j::available`] says whether there can be one here, [`neo4j::shared`] is the one that all tests of a process use, and
//! [`neo4j::Neo4j::start`] makes a private one that a test may stop, start again, kill or silence.

pub mod neo4j;

use std::env;
use std::path::{Path, PathBuf};

/// The build's target folder, where what is fetched once is kept: the one this program runs from, as cargo marks it; else where cargo puts it
/// by default.
pub fn target_folder() -> PathBuf {
    let marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    match env::current_exe() {
        Ok(program) if program.ancestors().any(|folder| marked(&folder)) => program.ancestors().find(marked).map(Path::to_owned).unwrap_or_default(),
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}
