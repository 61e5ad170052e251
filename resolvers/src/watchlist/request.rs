//! Asking for an import.

use std::sync::Arc;

use cypher::{Params, statements};
use graph_schema::fault::Fault;

use super::import::ImportWatchlist;
use super::{WATCHLIST, upload};
use crate::jobs::Wanted;
use crate::policy::{Action, Subject};
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

pub use screening::list::Format as WatchlistFormat;

/// The most characters of a list's name.
const LONGEST_NAME: usize = 100;

/// What is to be imported.
#[derive(Debug, Clone)]
pub struct ImportWatchlistRequest {
    /// The list's name, by which its id is made; a list with that id gets a new version.
    pub name: String,
    /// The id of the upload.
    pub upload: String,
    /// The id of the upload of OFAC's `alt.csv`, beside `sdn.csv`.
    pub aliases: Option<String>,
    /// What the content must be; whatever it is where nothing is said.
    pub format: Option<WatchlistFormat>,
}

impl Resolvers {
    /// Starts the job that imports a list; answers with its id. The same files for the same list, while such a job has not ended, are that job.
    /// The same request under the same key is the same job, though that has ended.
    #[boxed]
    pub async fn start_importing_watchlist(&self, caller: &Caller, request: ImportWatchlistRequest, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let ImportWatchlistRequest { name, upload, aliases, format } = request;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let list = id_of(&name);
        let permit = inner.enter(caller, Action::ImportWatchlists, Subject::One(WATCHLIST, &list))?;
        let faults = faults(&name, &list);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let job = ImportWatchlist {
            list,
            name,
            format: format.map(|format| format.as_str().to_owned()),
            upload,
            aliases,
            by: caller.id.clone(),
            by_name: caller.name.clone(),
        };
        let (list, wanted) = (&job.list, job.uploads());
        let said = format!("{list}\n{}\n{format:?}", wanted.join("\n"));
        // Its files are there no more when an import has ended.
        if let Some(started) = inner.started_before::<ImportWatchlist>(&permit, Once { key: key.clone(), body: &said }).await? {
            return Ok(started);
        }
        let known = inner.read(&permit, statements::watchlist::READ_UPLOAD, Params::none().with("ids", wanted.clone())).await?;
        let unknown = wanted.iter().find(|id| !known.iter().any(|upload| upload.id == **id));
        if let Some(id) = unknown {
            return Err(Error::not_found(ObjectKind::WatchlistUpload, id));
        }
        let deduplication_key = Some(format!("{list}/{}", upload::content_of(&job, &known)));
        let wanted = Wanted { name: format!("Import of {}", job.name), deduplication_key, ..Wanted::default() };
        Ok(inner.start_job(&permit, &job, wanted, Once { key, body: &said }).await?.text)
    }
}

/// The id of a list: the letters and digits of its name in small letters, all else as hyphens.
pub fn id_of(name: &str) -> String {
    let spaced: String = name.to_lowercase().chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join("-")
}

pub fn faults(name: &str, list: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if list.is_empty() {
        faults.push(Fault::new("name", "must have a letter or a digit"));
    }
    if name.chars().count() > LONGEST_NAME {
        faults.push(Fault::new("name", format!("must have at most {LONGEST_NAME} characters")));
    }
    faults
}
