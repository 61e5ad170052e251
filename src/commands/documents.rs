//! `amlgraph documents DIR`: the list of trusted documents, made of the files of a folder for the setting `graphql.documents`; and the check of the list that
//! is set.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use graphql_http::GraphqlLimits;
use sha2::{Digest, Sha256};

use super::print;
use crate::cli::Documents;

/// The most files and folders that are looked at: a folder with more is the wrong one.
const MOST_ENTRIES: usize = 100_000;

/// Prints the list, or writes it to a file. There is none where a document has a fault: then all faults of all files are told.
pub async fn run(limits: GraphqlLimits, options: Documents) -> anyhow::Result<()> {
    let check = graphql_mutations::document_check(&limits);
    let (mut list, mut faults) = (BTreeMap::new(), Vec::new());
    for path in files(&options.dir)? {
        match text_of(&path, check.longest()) {
            Ok(text) => {
                faults.extend(check.faults(&text).await.iter().map(|fault| fault.told(&path.display())));
                list.insert(id_of(&text), text);
            }
            Err(problem) => faults.push(format!("{}: {problem}", path.display())),
        }
    }
    if !faults.is_empty() {
        faults.iter().for_each(|fault| eprintln!("{fault}"));
        bail!("the documents have faults, {} in all: there is no list", faults.len());
    }
    let text = serde_json::to_string_pretty(&list).context("the list")?;
    match options.output {
        Some(path) => {
            fs::write(&path, format!("{text}\n")).with_context(|| format!("writing {}", path.display()))?;
            eprintln!("{} documents in {}", list.len(), path.display());
        }
        None => print(&text),
    }
    Ok(())
}

/// Refuses a list of trusted documents of which one is not valid or beyond the limits; the error tells all that is wrong with each.
pub async fn check_listed(limits: &GraphqlLimits) -> anyhow::Result<()> {
    let check = graphql_mutations::document_check(limits);
    let mut faults = Vec::new();
    for (id, text) in limits.trusted.listed() {
        faults.extend(check.faults(text).await.iter().map(|fault| fault.told(&id)));
    }
    if !faults.is_empty() {
        bail!("settings: graphql.documents: {}", faults.join("; "));
    }
    Ok(())
}

/// The files `*.graphql` of a folder and of those within it, by their paths. Links to folders are not followed.
fn files(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut files, mut folders, mut seen) = (Vec::new(), vec![dir.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        let unreadable = || format!("reading {}", folder.display());
        for entry in fs::read_dir(&folder).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            seen += 1;
            if seen > MOST_ENTRIES {
                bail!("more than {MOST_ENTRIES} files and folders are in {}: name the folder of the documents", dir.display());
            }
            let path = entry.path();
            if entry.file_type().with_context(unreadable)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "graphql") {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        bail!("no file in {} ends with .graphql", dir.display());
    }
    files.sort();
    Ok(files)
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
