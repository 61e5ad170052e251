//! Changing a case: its resolution, its custom properties, its communications.

use cypher::statements::rows::LockedCase;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{EarlierCaseUpdate, UpdateCase};
use graph_schema::custom_property::PropertyEntity;
use graph_schema::given::Given;
use graph_schema::id::CaseId;
use graph_schema::json_object::with_fields_appended;

use super::custom::{self, Definitions};
use super::row::{custom_props, earlier_communication};
use super::stored::{CaseChange, StoredCase, absent};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result};

/// The text that the document answers an update with.
pub(super) const OK: &str = "OK";

impl Resolvers {
    /// Update case: sets the resolution and custom properties; arrays are appended to. Answers `OK`.
    pub async fn update_case(&self, caller: &Caller, id: &CaseId, given: Given<UpdateCase>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", id.as_str()))?;
        let inner = &self.inner;
        let record = given.record.clone();
        let write = inner.case_update_write(&permit, id, given);
        inner.answer_once(&permit, Once { key, body: &record }, OK, &Amending::<AmendCase>::NEW, write).await
    }

    /// Update a Case (earlier form): links communications to it. Answers with `case_id` and the `communicationIds` that were named.
    pub async fn update_case_earlier(
        &self,
        caller: &Caller,
        id: &CaseId,
        given: Given<EarlierCaseUpdate>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", id.as_str()))?;
        let inner = &self.inner;
        let ids = given.value.all_ids();
        let answer = serde_json::json!({"case_id": id, "communicationIds": ids}).to_string();
        let entry = inner.entry(&permit, "Case", id.as_str(), "case.communications.added").in_case(id.as_str()).with_new_value(given.record.clone());
        let record = given.record.clone();
        let locks: Vec<LockHint> = ids.iter().map(|id| LockHint::of("Communication", id.as_str())).collect();
        let write = Write::new(EarlierRow { id: id.clone(), given: given.value }, entry).locking(locks);
        inner.answer_once(&permit, Once { key, body: &record }, answer, &Amending::<AddCommunications>::NEW, write).await
    }
}

impl Inner {
    /// The write of a change of a case's resolution and custom properties.
    pub(super) fn case_update_write(&self, permit: &Permit<'_>, id: &CaseId, given: Given<UpdateCase>) -> Write<CaseUpdateRow> {
        let entry = self.entry(permit, "Case", id.as_str(), "case.updated").in_case(id.as_str()).with_new_value(given.record.clone());
        Write::new(CaseUpdateRow { id: id.clone(), given }, entry)
    }
}

pub(crate) struct CaseUpdateRow {
    id: CaseId,
    given: Given<UpdateCase>,
}

/// Sets resolution and custom properties.
pub(crate) struct AmendCase;

impl Amend for AmendCase {
    type Row = CaseUpdateRow;
    type Locked = LockedCase;
    type Stored = StoredCase;
    type Answer = ();

    const LOCK: Reading<LockedCase> = statements::case::LOCK;
    const WRITE: WriteStatement = statements::case::AMEND;
    const RANK: Rank = Rank::Case;

    fn id(update: &CaseUpdateRow) -> &str {
        update.id.as_str()
    }

    fn lock_row(update: &CaseUpdateRow, write_id: &str) -> Value {
        let properties = custom::ids(PropertyEntity::Case, [&update.given.value.custom_properties]);
        map([("id", update.id.as_str().into()), ("writeId", write_id.into()), ("properties", properties.into())])
    }

    fn size(update: &CaseUpdateRow) -> usize {
        1_000 + 2 * update.given.record.len()
    }

    fn decide(update: &CaseUpdateRow, stored: Option<StoredCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&update.id))?;
        let given = &update.given.value;
        let named = &given.custom_properties;
        let custom = stored.custom_properties.followed_by(named);
        let mut faults = Vec::new();
        Definitions::of(&stored.definitions)?.check(&custom, named, "", &mut faults);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let resolution = match (&stored.resolution, &given.fields.resolution) {
            (Some(before), Some(more)) => Some(before.followed_by(more)),
            (None, Some(first)) => Some(first.clone()),
            (before, None) => before.clone(),
        };
        if custom == stored.custom_properties && resolution == stored.resolution {
            return Ok(Amended::nothing(()));
        }
        let change = CaseChange::of(&update.id, stored.counters)
            .setting([("resolution", Value::from(resolution.as_ref().map(|resolution| resolution.as_str())))])
            .setting(custom_props(&custom, named))
            .telling_of_an_update();
        Ok(change.amended((), &decision, []).replacing(Some(before(&stored, given))))
    }
}

/// What the fields that an update names had been.
fn before(stored: &StoredCase, given: &UpdateCase) -> String {
    let resolution = stored.resolution.as_ref().filter(|_| given.fields.resolution.is_some()).map(|before| ("resolution", before.as_str()));
    let custom = given.custom_properties.iter().filter_map(|(name, _)| Some((name, stored.custom_properties.get(name)?.as_str())));
    with_fields_appended("{}", &resolution.into_iter().chain(custom).collect::<Vec<_>>())
}

pub(super) struct EarlierRow {
    id: CaseId,
    given: EarlierCaseUpdate,
}

/// Links communications to a case.
pub(super) struct AddCommunications;

impl Amend for AddCommunications {
    type Row = EarlierRow;
    type Locked = LockedCase;
    type Stored = StoredCase;
    type Answer = ();

    const LOCK: Reading<LockedCase> = statements::case::LOCK;
    const WRITE: WriteStatement = statements::case::ADD_COMMUNICATIONS;
    const RANK: Rank = Rank::Case;

    fn id(update: &EarlierRow) -> &str {
        update.id.as_str()
    }

    fn decide(update: &EarlierRow, stored: Option<StoredCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&update.id))?;
        let given = &update.given;
        if given.all_ids().is_empty() {
            return Ok(Amended::nothing(()));
        }
        let named: Vec<&str> = given.communication_ids.iter().flatten().map(|id| id.as_str()).collect();
        let described = given.communications.iter().flatten().map(earlier_communication).collect();
        let change = CaseChange::of(&update.id, stored.counters).telling_of_an_update();
        Ok(change.amended((), &decision, [("named", named.into()), ("described", Value::List(described))]))
    }
}
