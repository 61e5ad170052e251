//! The list of trusted documents that the files of a folder are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use async_graphql::Executor;
use sha2::{Digest, Sha256};

use crate::check::DocumentCheck;

/// The most files and folders that are looked at: a folder with more is the wrong one.
const MOST_ENTRIES: usize = 100_000;

impl<S: Executor> DocumentCheck<S> {
    /// The list of the files `*.graphql` of a folder and of those within it: texts by ids. There is none where a document has a fault: then the error has all
    /// faults of all files.
    pub async fn list_of(&self, folder: &Path) -> Result<BTreeMap<String, String>, Vec<String>> {
        let (mut list, mut faults) = (BTreeMap::new(), Vec::new());
        for path in files(folder).map_err(|problem| vec![problem])? {
            match text_of(&path, self.longest()) {
                Ok(text) => {
                    faults.extend(self.faults(&text).await.iter().map(|fault| fault.told(&path.display())));
                    list.insert(id_of(&text), text);
                }
                Err(problem) => faults.push(format!("{}: {problem}", path.display())),
            }
        }
        if faults.is_empty() { Ok(list) } else { Err(faults) }
    }
}

/// The files, in the order of their paths. Links to folders are not followed.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut files, mut folders, mut seen) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(within) = folders.pop() {
        let unreadable = |error: std::io::Error| format!("{}: {error}", within.display());
        for entry in fs::read_dir(&within).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            seen += 1;
            if seen > MOST_ENTRIES {
                return Err(format!("{}: has more than {MOST_ENTRIES} files and folders; name the folder of the documents", folder.display()));
            }
            let path = entry.path();
            if entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "graphql") {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(format!("{}: no file in it ends with .graphql", folder.display())) } else { Ok(files) }
}

/// The text of a file, as it stands there. One that is longer than a document may be is not read.
fn text_of(path: &Path, longest: usize) -> Result<String, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if usize::try_from(size).is_ok_and(|size| size <= longest) {
        fs::read_to_string(path).map_err(|error| error.to_string())
    } else {
        Err(format!("the document is too long: at most {longest} bytes"))
    }
}

/// By which a document is named: the SHA-256 of its text, in small hexadecimal digits.
fn id_of(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
