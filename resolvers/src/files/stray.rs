//! What uploads leave behind that came to no end, because the process died or the database did not answer.

use std::time::{Duration, SystemTime};

use cypher::{Params, statements};
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use super::own::is_file_id;
use super::{FileStore, unavailable};
use crate::{Inner, Result};

/// Objects that are looked up at once.
const AT_ONCE: usize = 500;
const LOOKING_TAKES: Duration = Duration::from_secs(5);

/// Removes what no node names and is older than `age`; answers with how much it was. Only what is this graph's own is looked at, and of that only
/// what is called as contents of files are.
pub(crate) async fn remove_stray(inner: &Inner, age: Duration) -> Result<usize> {
    let store = &inner.settings.files.store;
    let own = store.place(inner.own_files().await?);
    let before = SystemTime::now() - age;
    let mut removed = remove_unfinished(store, &own, before).await;
    let contents = store.objects.list(Some(&own)).try_filter(|object| std::future::ready(is_content(&object.location, &own)));
    let old = contents.try_filter(|object| std::future::ready(SystemTime::from(object.last_modified) < before));
    let mut some = old.try_chunks(AT_ONCE);
    while let Some(objects) = some.next().await {
        let objects = objects.map_err(|error| unavailable(&error.1))?;
        removed += remove_unknown(inner, store, objects).await?;
    }
    Ok(removed)
}

pub fn is_content(place: &Path, own: &Path) -> bool {
    place.parent().is_some_and(|parent| parent == *own) && place.filename().is_some_and(is_file_id)
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
async fn remove_unfinished(store: &FileStore, own: &Path, before: SystemTime) -> usize {
    let Some(folder) = &store.folder else { return 0 };
    let below: &str = own.as_ref();
    // It is not there before the first file.
    let Ok(mut entries) = tokio::fs::read_dir(folder.join(below)).await else { return 0 };
    let mut removed = 0;
    while let Ok(Some(entry)) = entries.next_entry().await {
        let is_old = async || entry.metadata().await.and_then(|metadata| metadata.modified()).is_ok_and(|at| at < before);
        if is_unfinished(&entry.file_name().to_string_lossy()) && is_old().await && tokio::fs::remove_file(entry.path()).await.is_ok() {
            removed += 1;
        }
    }
    removed
}

pub fn is_unfinished(name: &str) -> bool {
    name.split_once('#').is_some_and(|(id, number)| is_file_id(id) && number.bytes().all(|byte| byte.is_ascii_digit()))
}
