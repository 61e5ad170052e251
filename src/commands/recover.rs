//! `amlgraph key recover`: an administrator's key for who runs the service and has lost all others. Whoever can open the store may have one, and the
//! audit log says that it was made.

use anyhow::Context;

use super::print;
use crate::cli::Recover;
use crate::config::Settings;
use crate::store;

/// Makes the key in the store and prints it as one JSON object, before the store is closed.
pub async fn run(settings: Settings, options: Recover) -> anyhow::Result<()> {
    let engine = store::open(&settings).await?;
    let resolvers = store::resolvers(&engine, &settings)?;
    let made = resolvers.recover_key(options.name).await.context("making the key");
    // The key is known nowhere else, and a store may not be closed well, as on a full disk.
    let shown = made.and_then(|made| serde_json::to_string(&made).context("showing the key")).map(|text| print(&text));
    resolvers.close().await;
    let closed = engine.close().await.context("closing the store");
    shown.and(closed)
}
