//! Operations on channel locations: branches and machines at which transactions are made.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use cypher::graph::{Visit, lists, nodes};
use cypher::statements::rows::LockedLocation;
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::channel_location::{ChannelLocationRecord, ChannelLocationType};
use graph_schema::given::Given;
use graph_schema::id::ChannelLocationId;

use crate::explore::{ListFilter, LocationFilter, LocationSort, SortDirection, Span};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, IdempotencyKey, Inner, OffsetPage, Once, Resolvers, Result, boxed};

/// Ids that were seen in the store. A location is never removed, so that what was true stays true.
#[derive(Default)]
pub(crate) struct Known(RwLock<HashSet<String>>);

/// The query of Get All Channel Locations.
#[derive(Debug, Clone)]
pub struct ChannelLocationQuery {
    pub kind: Option<ChannelLocationType>,
    pub page: OffsetPage,
    /// Newest first when empty.
    pub sort: Vec<(LocationSort, SortDirection)>,
}

impl Resolvers {
    /// Create Channel Location: stores it, or updates it.
    #[boxed]
    pub async fn add_channel_location(&self, caller: &Caller, given: Given<ChannelLocationRecord>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("ChannelLocation", given.value.id.as_str()))?;
        let location = &given.value;
        let id = location.id.as_str();
        let address = &location.address;
        let street = address.street.as_ref().map(|lines| lines.join(", "));
        let props = map([
            ("name", location.caption().into()),
            ("type", word(&location.kind)),
            ("street", street.into()),
            ("city", address.city.as_deref().into()),
            ("state", address.state.as_deref().into()),
            ("postalCode", address.postal_code.as_deref().into()),
            ("country", address.country.as_deref().into()),
            ("recordedAt", self.inner.clock.now().millis().into()),
            ("record", (&*given.record).into()),
        ]);
        let entry = self.inner.entry(&permit, "ChannelLocation", id, "channel_location.recorded").with_new_value(Arc::clone(&given.record));
        let row = LocationRow { id: location.id.clone(), props };
        let once = Once { key, body: &given.record };
        self.inner.answer_once(&permit, once, "{}", &Amending::<RecordLocation>::NEW, Write::new(row, entry)).await
    }

    /// Get All Channel Locations: records as they were given.
    #[boxed]
    pub async fn channel_locations(&self, caller: &Caller, query: ChannelLocationQuery) -> Result<Vec<Arc<str>>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("ChannelLocation"))?;
        let list = &lists::CHANNEL_LOCATIONS;
        let latest = [(LocationSort::Latest, SortDirection::Descending)];
        let sort = list.link.pages(if query.sort.is_empty() { latest.as_slice() } else { query.sort.as_slice() })?;
        let then = Visit { record: true, ..Visit::of(&nodes::CHANNEL_LOCATION) };
        let filter = ListFilter::Locations(LocationFilter { known: Some(true), kind: query.kind });
        let rows = self.inner.span(&permit, Span { list, filter, sort, page: query.page, then }).await?;
        Ok(rows.iter().filter_map(|row| row.node.record.clone()).collect())
    }
}

/// A location to be stored.
struct LocationRow {
    id: ChannelLocationId,
    props: Value,
}

/// Stores a location in place of what was said of it before.
struct RecordLocation;

impl Amend for RecordLocation {
    type Row = LocationRow;
    type Locked = LockedLocation;
    type Stored = LockedLocation;
    type Answer = ();

    const LOCK: Reading<LockedLocation> = statements::channel_location::LOCK;
    const WRITE: WriteStatement = statements::channel_location::RECORD;
    const RANK: Rank = Rank::Record;

    fn id(row: &LocationRow) -> &str {
        row.id.as_str()
    }

    fn decide(row: &LocationRow, stored: Option<LockedLocation>, _: Decision<'_>) -> Result<Amended<()>> {
        let write = map([("id", row.id.as_str().into()), ("props", row.props.clone())]);
        Ok(Amended::by((), write).replacing(stored.and_then(|stored| stored.record)))
    }
}

impl Inner {
    /// Whether a channel location was ingested.
    pub(crate) async fn knows_location(&self, permit: &Permit<'_>, id: &ChannelLocationId) -> Result<bool> {
        if self.known_locations.0.read().unwrap_or_else(PoisonError::into_inner).contains(id.as_str()) {
            return Ok(true);
        }
        let rows = self.lookups.rows(permit, statements::channel_location::KNOWN, Params::none(), id.as_str()).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        self.known_locations.0.write().unwrap_or_else(PoisonError::into_inner).insert(id.as_str().to_owned());
        Ok(true)
    }
}
