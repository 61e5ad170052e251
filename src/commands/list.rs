//! `amlgraph list …`: lists to screen against, of a running server.

use std::path::Path;

use anyhow::{Context, bail};
use futures::stream;
use http_body_util::StreamBody;
use hyper::body::{Bytes, Frame};
use reqwest::{Body, Method};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use super::credential::{answer, request};
use super::graphql::{asked_patiently, graphql, has_code, refused};
use super::job::awaited;
use super::print;
use crate::cli::{ImportList, Server, Watchlists};

const IMPORT: &str = "mutation($input: ImportWatchlistInput!) { importWatchlist(input: $input) { job { id } userErrors { message } } }";
const LISTS: &str = "{ watchlists { id name version format entryCount importedAt createdAt } }";
const VERSIONS: &str = "query($list: ID!, $first: Int!, $after: String) { watchlist(id: $list) { versions(first: $first, after: $after) {
    pageInfo { hasNextPage endCursor } edges { cursor node { id number publishedAt publishedByName jobId format sha256 entryCount added changed ended notes } } } } }";
const ENTRY: &str = "entryId name schema names birthDates countries sex identifiers { kind number }";
/// How an entry can differ, in the order in which it is told.
const KINDS: [&str; 3] = ["ADDED", "CHANGED", "ENDED"];
/// How many are asked for at once.
const PAGE: usize = 100;
/// So much of a file is sent at once.
const PART: usize = 256 << 10;

/// Carries out the command.
pub async fn run(command: Watchlists) -> anyhow::Result<()> {
    match command {
        Watchlists::Import(options) => import(options).await,
        Watchlists::Show { list: None, server, .. } => {
            let data = graphql(&server, LISTS, json!({})).await?;
            data["watchlists"].as_array().into_iter().flatten().for_each(|list| print(&list.to_string()));
            Ok(())
        }
        Watchlists::Show { list: Some(list), most, server } => show(&server, &list, most).await,
        Watchlists::Diff { list, version, after, page, server } => diff(&server, &list, version, (after.as_deref(), page.into())).await,
    }
}

async fn import(options: ImportList) -> anyhow::Result<()> {
    let ImportList { file, name, format, aliases, server } = options;
    let upload_id = upload(&server, &file).await?;
    let aliases = match &aliases {
        Some(aliases) => Some(upload(&server, aliases).await?),
        None => None,
    };
    let input = json!({"name": name, "uploadId": upload_id, "aliasesUploadId": aliases, "format": format});
    let data = graphql(&server, IMPORT, json!({"input": input})).await?;
    refused(&data["importWatchlist"]["userErrors"])?;
    let id = data["importWatchlist"]["job"]["id"].as_str().context("the server has started no job")?.to_owned();
    let job = awaited(&server, ("import", "watchlist-import", &id)).await?;
    if job["status"] != "DONE" {
        let reason = job["lastError"].as_str().unwrap_or("somebody has cancelled it");
        bail!("{} was not imported, and nothing has changed:\n{reason}", file.display());
    }
    print(&job["result"].to_string());
    Ok(())
}

/// Sends a file, and answers with the id that it has there.
async fn upload(server: &Server, path: &Path) -> anyhow::Result<String> {
    let file = File::open(path).await.with_context(|| format!("{}", path.display()))?;
    let parts = stream::try_unfold(file, |mut file| async move {
        let mut part = vec![0; PART];
        let read = file.read(&mut part).await?;
        part.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then(|| (Frame::data(Bytes::from(part)), file)))
    });
    let body = Body::wrap(StreamBody::new(parts));
    let sent = request(server, Method::POST, &["lists", "uploads"])?.header("content-type", "application/octet-stream").body(body);
    let text = answer(sent).await.with_context(|| format!("{}", path.display()))?;
    let taken: Value = serde_json::from_str(&text).context("reading the server's answer")?;
    Ok(taken["id"].as_str().context("the server's answer has no id")?.to_owned())
}

/// Prints the versions of a list.
async fn show(server: &Server, list: &str, most: usize) -> anyhow::Result<()> {
    let (mut left, mut after) = (most, Value::Null);
    while left > 0 {
        let data = graphql(server, VERSIONS, json!({"list": list, "first": left.min(PAGE), "after": after})).await?;
        let page = &known(&data, list)?["versions"];
        let edges = page["edges"].as_array().map_or(&[][..], Vec::as_slice);
        edges.iter().for_each(|edge| print(&edge["node"].to_string()));
        if page["pageInfo"]["hasNextPage"] != true {
            break;
        }
        left -= edges.len().min(left);
        after = page["pageInfo"]["endCursor"].clone();
    }
    Ok(())
}

fn known<'a>(data: &'a Value, list: &str) -> anyhow::Result<&'a Value> {
    if data["watchlist"].is_null() {
        bail!("there is no list {list}; `amlgraph list show` prints all");
    }
    Ok(&data["watchlist"])
}

/// Prints the entries in which a version differs from the one before, from a place on.
async fn diff(server: &Server, list: &str, mut version: Option<i64>, (after, mut size): (Option<&str>, usize)) -> anyhow::Result<()> {
    let (begin, mut behind) = after.map_or(Ok((0, Value::Null)), place)?;
    for kind in KINDS.into_iter().skip(begin) {
        loop {
            let data = changes(server, (list, version), (kind, &behind), &mut size).await.with_context(|| {
                let number = version.map(|number| format!(" --version {number}")).unwrap_or_default();
                let cursor = behind.as_str().unwrap_or_default();
                format!("not all was printed; `amlgraph list diff {list}{number} --after {kind}:{cursor}` goes on")
            })?;
            let found = &known(&data, list)?["versionByNumber"];
            if found.is_null() {
                bail!("the list {list} has no such version; `amlgraph list show {list}` prints all");
            }
            // What comes behind is of the same version, whatever is imported meanwhile.
            version = found["number"].as_i64();
            let page = &found["changes"];
            for edge in page["edges"].as_array().into_iter().flatten() {
                let after = edge["cursor"].as_str().map(|cursor| format!("{kind}:{cursor}"));
                let told = json!({"change": kind, "version": found["number"], "entry": edge["node"], "former": edge["former"], "after": after});
                print(&told.to_string());
            }
            if page["pageInfo"]["hasNextPage"] != true {
                break;
            }
            behind = page["pageInfo"]["endCursor"].clone();
        }
        behind = Value::Null;
    }
    Ok(())
}

/// The kind of changes and the cursor that a place names.
fn place(after: &str) -> anyhow::Result<(usize, Value)> {
    let named = after.split_once(':').and_then(|(kind, cursor)| {
        let cursor = if cursor.is_empty() { Value::Null } else { json!(cursor) };
        Some((KINDS.iter().position(|known| *known == kind)?, cursor))
    });
    named.with_context(|| format!("--after {after}: must be what a line of `amlgraph list diff` has as `after`"))
}

/// A page of changes; a smaller one, from now on, where it is too much for one answer.
async fn changes(server: &Server, (list, version): (&str, Option<i64>), (kind, behind): (&str, &Value), size: &mut usize) -> anyhow::Result<Value> {
    loop {
        let question = format!(
            "query($list: ID!, $number: Int, $after: String) {{ watchlist(id: $list) {{ versionByNumber(number: $number) {{ number
            changes(kind: {kind}, first: {size}, after: $after) {{ pageInfo {{ hasNextPage endCursor }} edges {{ cursor node {{ {ENTRY} }} former {{ {ENTRY} }} }} }} }} }} }}"
        );
        let mut answer = asked_patiently(server, &question, &json!({"list": list, "number": version, "after": behind})).await?;
        if *size > 1 && has_code(&answer["errors"], &["TOO_LARGE", "TOO_COMPLEX"]) {
            *size /= 2;
            continue;
        }
        refused(&answer["errors"])?;
        return Ok(answer["data"].take());
    }
}
