//! How far an import has come, noted beside its files in `.amlgraph-import.json`, for each target by itself.
//!
//! The note is replaced as a whole after each batch that the target has taken. What is sent twice is stored
//! once; only lines that change a case are known by the import's name, which stands here too: another import appends to its arrays once more.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::List;

const FILE: &str = ".amlgraph-import.json";

/// A place between two lines of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Bytes before it.
    pub offset: u64,
    /// Lines before it.
    pub line: u64,
}

/// How far an import to one target has come.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Note {
    /// What names it; by this a server knows what it was sent before.
    #[serde(default)]
    run: String,
    #[serde(flatten)]
    positions: BTreeMap<String, Position>,
}

impl Note {
    fn begin() -> Self {
        let mut run = uuid::Uuid::new_v4().simple().to_string();
        run.truncate(16);
        Self { run, positions: BTreeMap::new() }
    }
}

/// The notes about one target.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    target: String,
    notes: BTreeMap<String, Note>,
}

impl Checkpoint {
    /// The notes in a folder about a target; none when there are none, or none that can be read.
    pub fn read(folder: &Path, target: &str) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let notes = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).unwrap_or_else(|error| {
                tracing::warn!(%error, "the notes of an earlier import can't be read: everything is sent again");
                BTreeMap::new()
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let mut checkpoint = Self { path, target: target.to_owned(), notes };
        let note = checkpoint.notes.entry(checkpoint.target.clone()).or_default();
        if note.run.is_empty() {
            note.run = Note::begin().run;
        }
        Ok(checkpoint)
    }

    /// What names this import, from its first run to the one that ends it.
    pub fn run(&self) -> &str {
        self.notes.get(&self.target).map_or("", |note| &note.run)
    }

    /// Notes what names this import, before anything is sent under that name: whoever goes on after the first request sends it again under the same.
    pub fn begin(&self) -> anyhow::Result<()> {
        self.write()
    }

    /// Where a list goes on.
    pub fn position(&self, list: List) -> Position {
        self.notes.get(&self.target).and_then(|note| note.positions.get(list.name())).copied().unwrap_or_default()
    }

    /// Forgets what was noted about this target, and begins anew; written with the next note.
    pub fn forget(&mut self) {
        self.notes.insert(self.target.clone(), Note::begin());
    }

    /// Notes that the target has taken a list up to a position.
    pub fn reached(&mut self, list: List, position: Position) -> anyhow::Result<()> {
        self.notes.entry(self.target.clone()).or_insert_with(Note::begin).positions.insert(list.name().to_owned(), position);
        self.write()
    }

    /// Removes the notes about a target that has taken everything, so that another import begins again.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.notes.remove(&self.target);
        if !self.notes.is_empty() {
            return self.write();
        }
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error).with_context(|| self.path.display().to_string()),
            _ => Ok(()),
        }
    }

    fn write(&self) -> anyhow::Result<()> {
        let new = self.path.with_extension("json.new");
        let text = serde_json::to_vec_pretty(&self.notes).context("writing the notes of the import")?;
        write_for_us(&new, &text).and_then(|()| fs::rename(&new, &self.path)).with_context(|| self.path.display().to_string())
    }
}

/// Writes a file that is for this user alone: it says to which server what was sent.
fn write_for_us(path: &Path, text: &[u8]) -> io::Result<()> {
    // What a process has left that died here may be open to others.
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text)
}

#[cfg(test)]
mod tests;
