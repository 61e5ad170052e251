//! What of a store of files is this graph's own. A folder or a bucket may hold files of other graphs and whatever else; the contents of this graph's
//! files lie below a prefix that no other graph has, and what lies elsewhere is never touched.

use cypher::{Params, statements};
use graph_schema::id::FileId;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{Error, Inner, Result};

/// The prefix of this graph's own files, once it was read.
#[derive(Default)]
pub(crate) struct OwnPrefix(OnceCell<String>);

impl Inner {
    /// The prefix of this graph's own files. The process that needs it first makes it, for all.
    pub(crate) async fn own_files(&self) -> Result<&str> {
        let prefix = self.own_prefix.0.get_or_try_init(|| async {
            let params = Params::none().with("prefix", self.clock.id());
            let rows = self.engine.write_as(statements::file::OWN_STORE, params).await?;
            Ok::<String, Error>(statements::file::OWN_STORE.first(rows)?.prefix)
        });
        Ok(prefix.await?.as_str())
    }

    /// Under which key the content of a new file goes to the store.
    pub(crate) async fn key_of_file(&self, id: &FileId) -> Result<String> {
        Ok(format!("{}/{}", self.own_files().await?, id.as_str()))
    }
}

/// Whether a file may be called so, as the service makes their ids.
pub(super) fn is_file_id(name: &str) -> bool {
    Uuid::try_parse(name).is_ok_and(|id| id.to_string() == name)
}
