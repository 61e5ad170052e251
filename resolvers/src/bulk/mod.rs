//! Bulk requests: up to 1,000 records a list, taken at once and processed in the background (document, "Bulk ingestion").
//!
//! 1. `accept`: the request, checked whole before, becomes a `(:BulkRequest)` and a `(:BulkPart)` for each of its lists, in one transaction. Who
//!    sends it again under the same `x-request-id` adds nothing. Its items have their places in the order of acknowledgements from then on
//!    ([`crate::logical_time`]): of versions of one thing that order says which is the present, not the order in which they are written.
//! 2. `process`: the job `bulk` takes part after part, in the order in which they came, within a request in that of [`BulkList`]. Each item goes the
//!    way of its single operation, through the queue, behind what people and systems wait for.
//! 3. An item names its audit entry: so an entry that is there says that the item was written, and no crash writes it twice.
//! 4. `relations`: what waits for something that is not there becomes a `(:BulkItem:DeferredItem)`, and is tried again when that arrives, which `awaited`
//!    tells the job, or after a wait, for what arrives at another instance. What has waited for too long, or breaks a rule, is a
//!    `(:BulkItem:DeadLetter)`.
//!    What a revoked sender has waiting is `held` meanwhile.
//! 5. `status` shows how far all that is. After 30 days it is forgotten.

mod accept;
pub(crate) mod awaited;
mod held;
mod item;
mod process;
pub(crate) mod progress;
mod relations;
mod settle;
mod status;

use std::net::IpAddr;
use std::sync::Arc;

use cypher::statements::rows::SenderRow;
use graph_schema::bulk::BulkList;
use graph_schema::date::Timestamp;

pub(crate) use awaited::Awaited;
pub use progress::BulkListProgress;
pub(crate) use progress::{is_over, lists_left};
pub use status::DeadLetterQuery;
pub(crate) use status::forget_some;

use crate::logical_time::LogicalTime;
use crate::policy::{Caller, CredentialType, Identified, Role, Roles};

/// As large as a request may be, and a little for what is said around it.
const LARGEST_REQUEST: usize = 40 << 20;

/// The job that processes what was taken.
pub(crate) const JOB: &str = "bulk";

/// Who sent a request, as a caller again: what he sent is written in his name.
fn caller_of(sender: SenderRow) -> Arc<Caller> {
    let roles = sender.role.parse().unwrap_or_else(|_| Roles::from(Role::Ingest));
    let means = CredentialType::named(&sender.means).unwrap_or(CredentialType::System);
    let ip: Option<IpAddr> = sender.ip.and_then(|ip| ip.parse().ok());
    let sent_by = Identified { id: sender.id, name: sender.name, roles, means, expires_at: None, follows_groups: false, user: None };
    Arc::new(Caller::new(sent_by, ip, sender.request_id))
}

/// An item to be processed.
#[derive(Clone)]
struct Item {
    /// Names its audit entry as well.
    id: String,
    /// `transactions[17]`, with the id of what it is about.
    name: String,
    list: BulkList,
    /// The id of what it is about, of lists whose items may wait.
    subject: Option<String>,
    body: Arc<str>,
    /// How often it was tried before.
    attempts: i64,
    created_at: Timestamp,
    /// Its place among all that was acknowledged.
    time: LogicalTime,
    sender: Arc<Caller>,
    /// The case that it is about was there when it was looked at.
    case_is_there: bool,
}

impl Item {
    /// What it is about, by its list and id.
    fn about(&self) -> Option<(BulkList, String)> {
        self.subject.clone().map(|subject| (self.list, subject))
    }

    /// The case that it is to make.
    fn case(&self) -> Option<&str> {
        self.subject.as_deref().filter(|_| self.list == BulkList::Cases && !self.case_is_there)
    }
}

/// What became of an item.
enum Outcome {
    Completed,
    /// It names what is not there.
    Missing(Vec<graph_schema::bulk::MissingRelation>),
    /// An earlier item about the same thing waits.
    Behind,
    /// It could not be done now, for this reason.
    Later(String),
    /// It never can, for these reasons.
    Failed(Vec<String>),
    /// The same of a change of a case that is there, and stays as it is.
    Refused(Vec<String>),
}
