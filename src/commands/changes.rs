//! `amlgraph changes`: follows the change feed of a running server.

use std::time::Duration;

use serde_json::json;

use super::graphql::graphql;
use super::print;
use crate::cli::Changes;

const CHANGES: &str = "query($after: ID, $first: Int!) { changes(after: $after, first: $first) { position sets {
    position at eventIds changes { id action objectType objectId caseId userId requestId at } } } }";
/// How many sets are asked for at once.
const PART: usize = 200;
/// How long is waited where nothing has come.
const PAUSE: Duration = Duration::from_millis(200);

/// Prints one JSON object a set of changes, whose `position` is what `--after` takes to go on.
pub async fn run(options: Changes) -> anyhow::Result<()> {
    let mut after = json!(options.after);
    loop {
        let data = graphql(&options.server, CHANGES, json!({"after": after, "first": PART})).await?;
        let sets = data["changes"]["sets"].as_array().map_or(&[][..], Vec::as_slice);
        sets.iter().for_each(|set| print(&set.to_string()));
        after = data["changes"]["position"].clone();
        if sets.is_empty() {
            if !options.follow {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
