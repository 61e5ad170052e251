//! Watchlists: lists of names to screen against, their versions, and their import.

use async_graphql::{Context, Enum, Error, ID, InputObject, Object, Result, SimpleObject};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use graph_schema::date::Timestamp;
use graphql_http::asking::{asking, boxed, key};
use graphql_http::page::{cost, page_in_time, page_info};
use graphql_http::refused::refused;
use graphql_http::user_error::path_of;
use resolvers::{ChangeKind, EntryPage, ImportWatchlistRequest, ListedEntry, ObjectKind, ShownEntry, ShownVersion, ShownWatchlist};

use super::connection::simple_connection;
use super::job::{JobPayload, payload};
use super::principal::{Principal, principal};

/// How the file of a list is written.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "resolvers::WatchlistFormat")]
pub enum WatchlistFormat {
    /// OpenSanctions' simple CSV, in which own lists are written, too.
    #[graphql(name = "SIMPLE_CSV")]
    Simple,
    /// FollowTheMoney's JSON lines: OpenSanctions' `entities.ftm.json`.
    #[graphql(name = "FTM_JSON")]
    Ftm,
    /// OFAC's `sdn.csv`.
    #[graphql(name = "OFAC_SDN_CSV")]
    SdnCsv,
    /// OFAC's `sdn.xml`.
    #[graphql(name = "OFAC_SDN_XML")]
    SdnXml,
    /// The consolidated list of the United Nations as XML.
    #[graphql(name = "UN_XML")]
    UnXml,
}

/// How a version of a list differs from the one before in an entry.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "ChangeKind")]
pub enum WatchlistChangeKind {
    /// It was not on the list.
    Added,
    /// It said something else.
    Changed,
    /// It is on the list no more.
    Ended,
}

/// All lists.
#[boxed]
pub async fn watchlists(context: &Context<'_>) -> Result<Vec<WatchlistNode>> {
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.watchlists(caller).await.map_err(refused)?.into_iter().map(WatchlistNode).collect())
}

/// The list of an id.
#[boxed]
pub async fn watchlist(context: &Context<'_>, id: &str) -> Result<Option<WatchlistNode>> {
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.watchlist(caller, id).await.map_err(refused)?.map(WatchlistNode))
}

/// A list of names to screen against, as its last import has it.
pub struct WatchlistNode(ShownWatchlist);

/// A list of names to screen against, as its last import has it. For those who explore the graph.
#[Object(name = "Watchlist")]
impl WatchlistNode {
    /// Made of its name: `OFAC SDN` has the id `ofac-sdn`.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The name that the last import gave the list.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The number of the version that counts.
    async fn version(&self) -> i64 {
        self.0.version
    }

    /// How the file was written that this version was read from, such as `UN_XML`.
    async fn format(&self) -> &str {
        &self.0.format
    }

    /// How many entries it has.
    async fn entry_count(&self) -> i64 {
        self.0.entries
    }

    /// When this version began to count.
    async fn imported_at(&self) -> Timestamp {
        self.0.imported_at
    }

    /// When the list was imported for the first time.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// Its versions, the newest first; all are kept.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn versions(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<WatchlistVersionConnection> {
        let (resolvers, caller) = asking(context)?;
        let (first, after) = place(first, after)?;
        let has_previous_page = after.is_some();
        let number = |text: String| text.parse::<i64>().map_err(|_| Error::new(NO_CURSOR));
        let page = resolvers.watchlist_versions(caller, &self.0.id, after.map(number).transpose()?, first).await.map_err(refused)?;
        let edge = |version: ShownVersion| WatchlistVersionEdge { cursor: cursor(&version.number.to_string()), node: WatchlistVersionNode(version) };
        let edges: Vec<WatchlistVersionEdge> = page.versions.into_iter().map(edge).collect();
        let page_info = page_info(has_previous_page, page.more, edges.iter().map(|edge| &edge.cursor));
        Ok(WatchlistVersionConnection { edges, page_info })
    }

    /// A version by its number, or the one that counts where no number is given; null where there is none.
    async fn version_by_number(&self, context: &Context<'_>, number: Option<i64>) -> Result<Option<WatchlistVersionNode>> {
        let (resolvers, caller) = asking(context)?;
        let number = number.unwrap_or(self.0.version);
        let page = resolvers.watchlist_versions(caller, &self.0.id, number.checked_add(1), 1).await.map_err(refused)?;
        Ok(page.versions.into_iter().find(|version| version.number == number).map(WatchlistVersionNode))
    }

    /// Its entries in the order of their ids, in a former version where one is given.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn entries(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        version: Option<i64>,
    ) -> Result<WatchlistEntryConnection> {
        let (resolvers, caller) = asking(context)?;
        let (first, after) = place(first, after)?;
        let has_previous_page = after.is_some();
        let page = resolvers.watchlist_entries(caller, &self.0.id, version, after, first).await.map_err(refused)?;
        Ok(WatchlistEntryConnection::of(page, has_previous_page))
    }
}

simple_connection! {
    /// A page of versions.
    WatchlistVersionConnection {
        /// The versions of this page with their cursors, the newest first.
        edges: WatchlistVersionEdge, nodes: WatchlistVersionNode
    }
}

/// A version in a page.
#[derive(SimpleObject)]
pub struct WatchlistVersionEdge {
    /// What `after` takes for the page behind it.
    cursor: String,
    /// The version itself.
    node: WatchlistVersionNode,
}

/// A version of a list: what an import has brought.
pub struct WatchlistVersionNode(ShownVersion);

/// A version of a list: what an import has brought.
#[Object(name = "WatchlistVersion")]
impl WatchlistVersionNode {
    /// The id of the version, unique across all lists.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// The first version is 1.
    async fn number(&self) -> i64 {
        self.0.number
    }

    /// When it began to count.
    async fn published_at(&self) -> Timestamp {
        self.0.published_at
    }

    /// Who has asked for the import: the id of a credential or user.
    #[graphql(deprecation = "Use `publishedByPrincipal`.")]
    async fn published_by(&self) -> &str {
        &self.0.published_by
    }

    /// The user, key or client that has asked for the import; null where the service has.
    async fn published_by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(&self.0.published_by)).await
    }

    /// What whoever asked for it was called then.
    async fn published_by_name(&self) -> &str {
        &self.0.published_by_name
    }

    /// The job that has imported it; jobs are kept for 30 days.
    async fn job_id(&self) -> ID {
        ID(self.0.job_id.clone())
    }

    /// How its file was written, such as `UN_XML`.
    async fn format(&self) -> &str {
        &self.0.format
    }

    /// Of its file, in hexadecimal digits. Of two files both, with `+` between them.
    async fn sha256(&self) -> &str {
        &self.0.sha256
    }

    /// How many entries the list has in it.
    async fn entry_count(&self) -> i64 {
        self.0.entries
    }

    /// How many entries were not in the version before.
    async fn added(&self) -> i64 {
        self.0.added
    }

    /// How many entries said something else in the version before.
    async fn changed(&self) -> i64 {
        self.0.changed
    }

    /// How many entries of the version before are no more.
    async fn ended(&self) -> i64 {
        self.0.ended
    }

    /// How many values of the file were not used, such as dates that are none.
    async fn notes(&self) -> i64 {
        self.0.notes
    }

    /// The entries in which it differs from the version before, in the order of their ids.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn changes(
        &self,
        context: &Context<'_>,
        kind: WatchlistChangeKind,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<WatchlistEntryConnection> {
        let (resolvers, caller) = asking(context)?;
        let (first, after) = place(first, after)?;
        let has_previous_page = after.is_some();
        let page = resolvers.watchlist_changes(caller, &self.0.list, (self.0.number, kind.into()), after, first).await.map_err(refused)?;
        Ok(WatchlistEntryConnection::of(page, has_previous_page))
    }
}

simple_connection! {
    /// A page of entries.
    WatchlistEntryConnection {
        /// The entries of this page with their cursors, in the order of their ids.
        edges: WatchlistEntryEdge, nodes: WatchlistEntry
    }
}

/// An entry in a page.
#[derive(SimpleObject)]
pub struct WatchlistEntryEdge {
    /// What `after` takes for the page behind it.
    cursor: String,
    /// The entry itself.
    node: WatchlistEntry,
    /// What it said in the version before, of an entry that a version has changed; else null.
    former: Option<WatchlistEntry>,
}

impl WatchlistEntryConnection {
    fn of(page: EntryPage, has_previous_page: bool) -> Self {
        let edge = |listed: ListedEntry| WatchlistEntryEdge {
            cursor: cursor(&listed.key),
            node: listed.entry.into(),
            former: listed.former.map(WatchlistEntry::from),
        };
        let edges: Vec<WatchlistEntryEdge> = page.entries.into_iter().map(edge).collect();
        let reached = page.reached.as_deref().map(cursor);
        let page_info = page_info(has_previous_page, page.more, edges.iter().map(|edge| &edge.cursor).chain(&reached));
        Self { edges, page_info }
    }
}

/// Somebody or something on a list, as some of its versions have it.
#[derive(SimpleObject)]
pub struct WatchlistEntry {
    /// Of the entry as it is here: another one where it says something else.
    id: ID,
    /// As the list has it.
    entry_id: String,
    /// The main name.
    name: String,
    /// What it is, as FollowTheMoney calls it: `Person`, `Vessel`.
    schema: String,
    /// All names, the main one first.
    names: Vec<String>,
    /// Dates, or as much of them as is known: `1952`, `1952-12`, `1952-12-03`.
    birth_dates: Vec<String>,
    /// Codes of ISO 3166 in small letters.
    countries: Vec<String>,
    /// `FEMALE`, `MALE`; null where the list does not say so.
    sex: Option<String>,
    /// Numbers that authorities gave.
    identifiers: Vec<WatchlistIdentifier>,
    /// The number of the version in which it came as it is here.
    since: i64,
    /// The number of the version from which on it is not as it is here; null while it is.
    until: Option<i64>,
}

/// A number that an authority gave.
#[derive(SimpleObject)]
pub struct WatchlistIdentifier {
    /// Such as `PASSPORT`; empty where the list does not say so.
    kind: String,
    /// Letters and digits alone, in capitals.
    number: String,
}

impl From<ShownEntry> for WatchlistEntry {
    fn from(entry: ShownEntry) -> Self {
        Self {
            id: ID(entry.id),
            entry_id: entry.entry_id,
            name: entry.name,
            schema: entry.schema,
            names: entry.names,
            birth_dates: entry.birth_dates,
            countries: entry.countries,
            sex: entry.sex,
            identifiers: entry.identifiers.into_iter().map(|(kind, number)| WatchlistIdentifier { kind, number }).collect(),
            since: entry.since,
            until: entry.until,
        }
    }
}

const NO_CURSOR: &str = "after: must be a cursor of this list";

fn cursor(place: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(place)
}

/// How many are asked for, and behind which place.
fn place(first: Option<i32>, after: Option<String>) -> Result<(usize, Option<String>)> {
    let (first, _) = page_in_time(first, None)?;
    let place = |cursor: String| {
        let text = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.ok_or_else(|| Error::new(NO_CURSOR))
    };
    Ok((first, after.map(place).transpose()?))
}

/// A list that is to be imported.
#[derive(InputObject)]
pub struct ImportWatchlistInput {
    /// What the list is called. A list with the same letters and digits in its name gets a new version; else it is a new list.
    name: String,
    /// The id of the file, as `POST /lists/uploads` has answered it.
    upload_id: ID,
    /// The same of OFAC's `alt.csv`, the other names beside its `sdn.csv`.
    aliases_upload_id: Option<ID>,
    /// How the file must be written; without it its content says so.
    format: Option<WatchlistFormat>,
    /// The same key and input again start nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct WatchlistMutation;

#[Object]
impl WatchlistMutation {
    /// Imports a list, or a new version of it, by a job of the kind `watchlist-import`. Until all of it is stored the version before counts; a file with
    /// faults changes nothing, and the job's `lastError` tells them, each with its line. The job's result is `version`, `published` (false where the file says
    /// what the list says already), `entries`, `added`, `changed`, `ended`, `unchanged`, `notes` (how many values were not used) and `noted` (the first 100 of
    /// these). The file is removed when the job has ended. For administrators and supervisors.
    async fn import_watchlist(&self, context: &Context<'_>, input: ImportWatchlistInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let ImportWatchlistInput { name, upload_id, aliases_upload_id, format, idempotency_key } = input;
        let beside = aliases_upload_id.clone().filter(|aliases| *aliases != upload_id);
        let request = ImportWatchlistRequest { name, upload: upload_id.0, aliases: aliases_upload_id.map(|id| id.0), format: format.map(Into::into) };
        let done = async { resolvers.start_importing_watchlist(caller, request, key(idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        let paths = match (&done, &beside) {
            (Err(resolvers::Error::NotFound { kind: ObjectKind::WatchlistUpload, id }), Some(aliases)) if *id == aliases.0 => {
                vec![path_of("aliasesUploadId")]
            }
            _ => Vec::new(),
        };
        Ok(payload(context, done).await?.with_paths(paths))
    }
}
