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

/// Refuses a list of which a document is not valid or beyond the limits; the error has all faults of all documents.
pub async fn check_listed(limits: &GraphqlLimits) -> anyhow::Result<()> {
    match graphql_mutations::document_check(limits).faults_of_list(&limits.trusted).await {
        faults if faults.is_empty() => Ok(()),
        faults => bail!("settings: graphql.documents:\n{}", faults.join("\n")),
    }
}
