//! What uploads leave behind that came to no end, because the process died or the database did not answer.

use std::time::{Duration, SystemTime};

use cypher::{Params, statements};
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use super::{FileStore, unavailable};
use crate::{Inner, Result};

/// Objects that are looked up at once.
const AT_ONCE: usize = 500;
const LOOKING_TAKES: Duration = Duration::from_secs(5);

/// Removes what no node names and is older than `age`; answers with how much it was.
pub(crate) async fn remove_stray(inner: &Inner, age: Duration) -> Result<usize> {
    let store = &inner.settings.files.store;
    let before = SystemTime::now() - age;
    let mut removed = remove_unfinished(store, before).await;
    let prefix = (!store.prefix.as_ref().is_empty()).then_some(&store.prefix);
    let old = store.objects.list(prefix).try_filter(|object| std::future::ready(SystemTime::from(object.last_modified) < before));
    let mut some = old.try_chunks(AT_ONCE);
    while let Some(objects) = some.next().await {
        let objects = objects.map_err(|error| unavailable(&error.1))?;
        removed += remove_unknown(inner, store, objects).await?;
    }
    Ok(removed)
}

async fn remove_unknown(inner: &Inner, store: &FileStore, objects: Vec<ObjectMeta>) -> Result<usize> {
    let id = |object: &ObjectMeta| object.location.filename().unwrap_or_default().to_owned();
    let ids: Vec<String> = objects.iter().map(id).collect();
    let params = Params::none().with("ids", ids.iter().map(String::as_str).collect::<Vec<_>>());
    let known = inner.engine.read_as(statements::file::KNOWN, params, LOOKING_TAKES).await?;
    let mut removed = 0;
    for object in &objects {
        if !known.iter().any(|file| file.id == id(object)) {
            store.objects.delete(&object.location).await.map_err(|error| unavailable(&error))?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// In a folder, what was being written when the process died: `ID#1`, which is no object.
async fn remove_unfinished(store: &FileStore, before: SystemTime) -> usize {
    let Some(folder) = &store.folder else { return 0 };
    let Ok(mut entries) = tokio::fs::read_dir(folder).await else { return 0 };
    let mut removed = 0;
    while let Ok(Some(entry)) = entries.next_entry().await {
        let is_unfinished = entry.file_name().to_string_lossy().contains('#');
        let is_old = async || entry.metadata().await.and_then(|metadata| metadata.modified()).is_ok_and(|at| at < before);
        if is_unfinished && is_old().await && tokio::fs::remove_file(entry.path()).await.is_ok() {
            removed += 1;
        }
    }
    removed
}
