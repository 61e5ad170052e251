//! A folder of statements.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::labels::check_name;
use super::{Fault, LoadedStatement, MOST_BYTES};

/// How many statements a folder may have.
const MOST_FILES: usize = 500;
/// How many entries of whatever kind are looked at.
const MOST_ENTRIES: usize = 10_000;

/// A file that was read as a statement.
#[derive(Debug)]
pub struct CheckedFile {
    /// Its name in the folder.
    pub name: String,
    /// The statement, or all that is wrong with it.
    pub outcome: Result<LoadedStatement, Vec<Fault>>,
}

/// A folder that can't be read as one of statements.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{}: {error}", folder.display())]
    Unreadable { folder: PathBuf, error: io::Error },
    #[error("{}: no file in it ends with .cypher", .0.display())]
    Empty(PathBuf),
    #[error("{}: it has more than {MOST_FILES} statements, or more than {MOST_ENTRIES} entries", .0.display())]
    TooLarge(PathBuf),
}

/// Reads each `*.cypher` of a folder, in the order of their names. Folders inside are not looked into.
pub fn check_folder(folder: &Path) -> Result<Vec<CheckedFile>, FolderError> {
    let unreadable = |error| FolderError::Unreadable { folder: folder.to_owned(), error };
    let mut files = Vec::new();
    for (at, entry) in fs::read_dir(folder).map_err(unreadable)?.enumerate() {
        let path = entry.map_err(unreadable)?.path();
        files.extend(path.extension().is_some_and(|ending| ending == "cypher").then_some(path));
        if files.len() > MOST_FILES || at >= MOST_ENTRIES {
            return Err(FolderError::TooLarge(folder.to_owned()));
        }
    }
    if files.is_empty() {
        return Err(FolderError::Empty(folder.to_owned()));
    }
    files.sort();
    Ok(files.iter().map(|file| CheckedFile { name: name_of(file), outcome: read(file) }).collect())
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(file: &Path) -> Result<LoadedStatement, Vec<Fault>> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let named = check_name(&stem);
    let text = text_of(file).map_err(|fault| named.clone().err().into_iter().chain([fault]).collect::<Vec<_>>())?;
    let read = LoadedStatement::read(&stem, &text);
    match (named, read) {
        // Where the name alone is wrong the statement has said so.
        (Ok(()), read) | (Err(_), read @ Ok(_)) => read,
        (Err(fault), Err(mut faults)) => {
            if !faults.contains(&fault) {
                faults.insert(0, fault);
            }
            Err(faults)
        }
    }
}

/// The text of a file; of one that is too long no more than shows that it is.
fn text_of(file: &Path) -> Result<String, Fault> {
    let unreadable = |error: io::Error| Fault::new("the file", error.to_string());
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err(Fault::new("the file", "it is none, but a folder or something else"));
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|file| file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() > MOST_BYTES {
        return Err(Fault::new("the file", format!("it has more than {MOST_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| Fault::new("the file", format!("it is no UTF-8 from byte {} on", error.utf8_error().valid_up_to())))
}
