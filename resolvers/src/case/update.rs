//! Changing a case: its resolution, its custom properties, its communications.

use cypher::statements::rows::{LockedCase, LockedCaseContents, SchemaRow};
use cypher::{Key, Reading, Value, WriteStatement, map, statements};
use graph_schema::case::{EarlierCaseUpdate, UpdateCase};
use graph_schema::custom_property::{CustomProperties, PropertyEntity};
use graph_schema::fault::Fault;
use graph_schema::given::Given;
use graph_schema::id::CaseId;
use graph_schema::json_object::with_fields_appended;
use graph_schema::json_text::JsonText;

use super::contents::StoredContents;
use super::custom::{self, Definitions};
use super::field_times::Said;
use super::row::{custom_props, earlier_communication};
use super::stored::{CaseChange, StoredCase, absent};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// The text that the document answers an update with.
pub(super) const OK: &str = "OK";

impl Resolvers {
    /// Update case: sets the resolution and custom properties; arrays are appended to. Answers `OK`.
    #[boxed]
    pub async fn update_case(&self, caller: &Caller, id: &CaseId, given: Given<UpdateCase>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", id.as_str()))?;
        let inner = &self.inner;
        let record = given.record.clone();
        let write = inner.case_update_write(&permit, id, given);
        inner.answer_once(&permit, Once { key, body: &record }, OK, &Amending::<AmendCase>::NEW, write).await
    }

    /// Update a Case (earlier form): links communications to it. Answers with `case_id` and the `communicationIds` that were named.
    #[boxed]
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
        let described: Vec<String> = given.value.communications.iter().flatten().map(|given| given.id.to_string()).collect();
        let mut write = Write::new(EarlierRow { id: id.clone(), given: given.value }, entry).locking(locks);
        for id in described {
            write = write.describing("Communication", &id);
        }
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
        let before = Changeable { resolution: &stored.resolution, custom_properties: &stored.custom_properties };
        let mut faults = Vec::new();
        let changed = before.after(given, &stored.definitions, &mut faults)?;
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let times = stored.times.with(Said::by(given, before), &decision);
        let change = CaseChange::of(&update.id, stored.counters).setting(times);
        if changed.is_empty() {
            return Ok(change.noted((), []));
        }
        let change = change.setting(changed).telling_of_an_update();
        Ok(change.amended((), &decision, []).replacing(Some(with_fields_appended("{}", &before.named_by(given)))))
    }
}

/// What systems may change of a case by an update, as it stands.
#[derive(Clone, Copy)]
pub(super) struct Changeable<'a> {
    pub resolution: &'a Option<JsonText>,
    pub custom_properties: &'a CustomProperties,
}

impl<'a> Changeable<'a> {
    /// The fields that an update changes; none, where all is so already. Arrays are appended to, what is null goes, all else is replaced.
    pub fn after(self, given: &UpdateCase, definitions: &[SchemaRow], faults: &mut Vec<Fault>) -> Result<Vec<(Key, Value)>> {
        let named = &given.custom_properties;
        let custom = self.custom_properties.followed_by(named);
        Definitions::of(definitions)?.check(&custom, named, "", faults);
        let resolution = match (self.resolution, &given.fields.resolution) {
            (_, Some(given)) if given.is_null() => None,
            (Some(before), Some(more)) => Some(before.followed_by(more)),
            (None, Some(first)) => Some(first.clone()),
            (before, None) => before.clone(),
        };
        let mut changed = Vec::new();
        if resolution != *self.resolution {
            changed.push(("resolution".into(), resolution.as_ref().map(|resolution| resolution.as_str()).into()));
        }
        if custom != *self.custom_properties {
            changed.extend(custom_props(&custom, named.names()));
        }
        Ok(changed)
    }

    /// What the fields that an update names are, as JSON texts.
    pub fn named_by(self, given: &UpdateCase) -> Vec<(&'a str, &'a str)> {
        let resolution = self.resolution.as_ref().filter(|_| given.fields.resolution.is_some()).map(|before| ("resolution", before.as_str()));
        let custom = self.custom_properties.iter().filter(|(name, _)| given.custom_properties.get(name).is_some());
        resolution.into_iter().chain(custom.map(|(name, value)| (name, value.as_str()))).collect()
    }
}

pub(super) struct EarlierRow {
    id: CaseId,
    given: EarlierCaseUpdate,
}

/// Links communications to a case, and describes them.
pub(super) struct AddCommunications;

impl Amend for AddCommunications {
    type Row = EarlierRow;
    type Locked = LockedCaseContents;
    type Stored = StoredContents;
    type Answer = ();

    const LOCK: Reading<LockedCaseContents> = statements::case::LOCK_CONTENTS;
    const WRITE: WriteStatement = statements::case::ADD_COMMUNICATIONS;
    const RANK: Rank = Rank::Case;

    fn id(update: &EarlierRow) -> &str {
        update.id.as_str()
    }

    fn lock_row(update: &EarlierRow, write_id: &str) -> Value {
        let ids = update.given.all_ids();
        let communications: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
        map([("id", Self::id(update).into()), ("writeId", write_id.into()), ("communications", communications.into())])
    }

    fn decide(update: &EarlierRow, stored: Option<StoredContents>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&update.id))?;
        let given = &update.given;
        let named = stored.not_linked(given.communication_ids.iter().flatten().map(|id| id.as_str()));
        let described = given.communications.iter().flatten();
        let described = described.map(|given| (given.id.as_str(), earlier_communication(given, stored.communications.get(given.id.as_str()))));
        let described = stored.communications.described(described, &decision);
        let changes_nothing = named.is_empty() && described.changes_nothing;
        let more = [("named", named.into()), ("described", Value::List(described.rows))];
        let change = CaseChange::of(&update.id, stored.counters);
        Ok(if changes_nothing { change.noted((), more) } else { change.telling_of_an_update().amended((), &decision, more) })
    }
}
