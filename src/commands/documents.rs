//! `amlgraph documents DIR`: the list of trusted documents, made of the files of a folder for the setting `graphql.documents`; and the check of the list that
//! is set.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use graphql_http::GraphqlLimits;

use super::output::Output;

/// Prints the list, or writes it to a file. The error has all faults of all documents.
pub async fn run(limits: &GraphqlLimits, dir: &Path, file: Option<&Path>) -> anyhow::Result<()> {
    let list = match graphql_mutations::document_check(limits).list_of(dir).await {
        Ok(list) => list,
        Err(faults) => bail!("there is no list of these documents:\n{}", faults.join("\n")),
    };
    let text = serde_json::to_string_pretty(&list).context("the list")? + "\n";
    if let Some(path) = file {
        fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        eprintln!("{} documents in {}", list.len(), path.display());
        return Ok(());
    }
    let mut output = Output::buffered();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("printing the list")
}

/// Warns of each fault of the documents of the list that is set. Such a document answers with its faults when it is asked; the others are not held up by it,
/// as a list may be older or newer than the schema.
pub async fn warn_of_listed(limits: &GraphqlLimits) {
    for fault in graphql_mutations::document_check(limits).faults_of_list(&limits.trusted).await {
        tracing::warn!("graphql.documents: {fault}");
    }
}
