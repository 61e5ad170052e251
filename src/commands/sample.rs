//! `amlgraph sample DIR`: the bundled sample network as files that `amlgraph import` reads.

use std::path::Path;

/// Writes the files.
pub fn run(dir: &Path) -> anyhow::Result<()> {
    let lines = sample::write(dir)?;
    eprintln!("{lines} lines in {}", dir.display());
    Ok(())
}
