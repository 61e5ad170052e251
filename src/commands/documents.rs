//! `amlgraph documents DIR`: the list of trusted documents, made of the files of a folder for the setting `graphql.documents`; and the check of the list that
//! is set.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use graphql_http::GraphqlLimits;

use super::output::Output;

/// The most faults of the list that is set of which the log tells.
const MOST_TOLD: usize = 100;

/// Prints the list, or writes it to a file. The error has all faults of all documents.
pub async fn run(limits: &GraphqlLimits, dir: &Path, file: Option<&Path>) -> anyhow::Result<()> {
    let list = match graphql_mutations::document_check(limits).list_of(dir).await {
        Ok(list) => list,
        Err(faults) => bail!("there is no list of these documents:\n{}", faults.join("\n")),
    };
    let text = serde_json::to_string_pretty(&list).context("the list")? + "\n";
    if let Some(path) = file {
        replace(path, &text).with_context(|| format!("writing {}", path.display()))?;
        eprintln!("{} documents in {}", list.len(), path.display());
        return Ok(());
    }
    let mut output = Output::buffered();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("printing the list")
}

/// Puts a text in the place of a file, so that a server which starts meanwhile finds the former list or this one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let unfinished = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| {
        // It may not have come so far.
        let _ = fs::remove_file(&unfinished);
    })
}

/// Warns of faults of the documents of the list that is set. Such a document answers with its faults when it is asked; the others are not held up by it,
/// as a list may be older or newer than the schema.
pub async fn warn_of_listed(limits: GraphqlLimits) {
    if limits.trusted.listed().next().is_none() {
        return;
    }
    let faults = graphql_mutations::document_check(&limits).faults_of_list(&limits.trusted).await;
    for fault in faults.iter().take(MOST_TOLD) {
        tracing::warn!("graphql.documents: {fault}");
    }
    if faults.len() > MOST_TOLD {
        tracing::warn!("graphql.documents: {} faults, of which these are the first {MOST_TOLD}", faults.len());
    }
}
