//! Categories and groups: things whose names are unique, a group's in its category.

use std::marker::PhantomData;

use cypher::statements::rows::{LockedSegment, PreparedSegment};
use cypher::{Key, Reading, Value, WriteStatement, map, statements};
use graph_schema::given::Given;
use graph_schema::id::{SegmentationCategoryId, SegmentationGroupId};
use graph_schema::segmentation::{CreateSegmentationCategory, CreateSegmentationGroup, SegmentationType, SegmentationUpdate};
use serde_json::json;

use super::By;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::unique_name::{NameSpace, Renaming};
use crate::values::{json_text, word};
use crate::{Answered, Caller, Conflict, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Create a Segmentation Category: answers with its `id`.
    #[boxed]
    pub async fn create_segmentation_category(
        &self,
        caller: &Caller,
        given: Given<CreateSegmentationCategory>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::List(Category::LABEL))?;
        let CreateSegmentationCategory { name, description } = given.value;
        let kind = [("type".into(), word(&SegmentationType::ComputedByCustomer))];
        let new = NewSegment { space: categories(), name: name.0, description, category: None, more: kind.into() };
        self.create_segment::<Category>(&permit, new, Once { key, body: &given.record }).await
    }

    /// Create a Segmentation Group: answers with its `id`.
    #[boxed]
    pub async fn create_segmentation_group(
        &self,
        caller: &Caller,
        given: Given<CreateSegmentationGroup>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::List(Group::LABEL))?;
        let CreateSegmentationGroup { category_id, name, description } = given.value;
        let category = [("categoryId".into(), category_id.as_str().into())];
        let new = NewSegment { space: groups_of(&category_id), name: name.0, description, category: Some(category_id), more: category.into() };
        self.create_segment::<Group>(&permit, new, Once { key, body: &given.record }).await
    }

    /// Update Segmentation Category: answers with its `id`.
    #[boxed]
    pub async fn update_segmentation_category(
        &self,
        caller: &Caller,
        id: &SegmentationCategoryId,
        given: Given<SegmentationUpdate>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One(Category::LABEL, id.as_str()))?;
        self.update_segment::<Category>(&permit, id.as_str(), categories(), given, key).await
    }

    /// Update a Group: answers with its `id`.
    #[boxed]
    pub async fn update_segmentation_group(
        &self,
        caller: &Caller,
        id: &SegmentationGroupId,
        given: Given<SegmentationUpdate>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One(Group::LABEL, id.as_str()))?;
        // A group belongs to its category for good.
        let category = self.inner.segmentation_group(&permit, id).await?.category_id;
        self.update_segment::<Group>(&permit, id.as_str(), groups_of(&category), given, key).await
    }

    async fn create_segment<S: Segment>(&self, permit: &Permit<'_>, new: NewSegment, once: Once<'_>) -> Result<Answered> {
        let inner = &self.inner;
        let id = inner.clock.id();
        let entry = inner.entry(permit, S::LABEL, &id, S::CREATED).with_new_value(once.body);
        let answer = answer(&id);
        let row = new.row(id, entry.at().millis(), &By::of(permit.caller()));
        inner.answer_new_once(permit, once, answer, &Amending::<Create<S>>::NEW, Write::new(row, entry)).await
    }

    async fn update_segment<S: Segment>(
        &self,
        permit: &Permit<'_>,
        id: &str,
        space: NameSpace,
        given: Given<SegmentationUpdate>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let inner = &self.inner;
        let entry = inner.entry(permit, S::LABEL, id, S::UPDATED).with_new_value(given.record.clone());
        let claim = given.value.name.as_deref().map(|name| space.id(name));
        let by = By::of(permit.caller());
        let row = SegmentChange { id: id.to_owned(), lock: claim.unwrap_or_else(|| id.to_owned()), space, update: given.value, by };
        inner.answer_once(permit, Once { key, body: &given.record }, answer(id), &Amending::<Update<S>>::NEW, Write::new(row, entry)).await
    }
}

fn answer(id: &str) -> String {
    format!(r#"{{"id":{}}}"#, json_text(id))
}

fn categories() -> NameSpace {
    NameSpace::of("segmentation-category")
}

fn groups_of(category: &SegmentationCategoryId) -> NameSpace {
    NameSpace::within("segmentation-group", category.as_str())
}

/// What a category and a group have of their own.
trait Segment: Send + Sync + 'static {
    const LABEL: &'static str;
    const KIND: ObjectKind;
    const CREATED: &'static str;
    const UPDATED: &'static str;
    const PREPARE: Reading<PreparedSegment>;
    const CREATE: WriteStatement;
    /// Its statement takes the thing's own id under this name.
    const ID: &'static str;
    const LOCK: Reading<LockedSegment>;
    const AMEND: WriteStatement;
}

struct Category;

impl Segment for Category {
    const LABEL: &'static str = "SegmentationCategory";
    const KIND: ObjectKind = ObjectKind::SegmentationCategory;
    const CREATED: &'static str = "segmentation_category.created";
    const UPDATED: &'static str = "segmentation_category.updated";
    const PREPARE: Reading<PreparedSegment> = statements::segmentation::PREPARE_CATEGORY;
    const CREATE: WriteStatement = statements::segmentation::CREATE_CATEGORY;
    const ID: &'static str = "category";
    const LOCK: Reading<LockedSegment> = statements::segmentation::LOCK_CATEGORY;
    const AMEND: WriteStatement = statements::segmentation::AMEND_CATEGORY;
}

struct Group;

impl Segment for Group {
    const LABEL: &'static str = "SegmentationGroup";
    const KIND: ObjectKind = ObjectKind::SegmentationGroup;
    const CREATED: &'static str = "segmentation_group.created";
    const UPDATED: &'static str = "segmentation_group.updated";
    const PREPARE: Reading<PreparedSegment> = statements::segmentation::PREPARE_GROUP;
    const CREATE: WriteStatement = statements::segmentation::CREATE_GROUP;
    const ID: &'static str = "group";
    const LOCK: Reading<LockedSegment> = statements::segmentation::LOCK_GROUP;
    const AMEND: WriteStatement = statements::segmentation::AMEND_GROUP;
}

/// A category or group to be made, as it was asked for.
struct NewSegment {
    space: NameSpace,
    name: String,
    description: Option<String>,
    category: Option<SegmentationCategoryId>,
    more: Vec<(Key, Value)>,
}

impl NewSegment {
    fn row(self, id: String, at: i64, by: &By) -> NewRow {
        let mut props: Vec<(Key, Value)> = vec![
            ("name".into(), self.name.as_str().into()),
            ("description".into(), self.description.as_deref().into()),
            ("createdAt".into(), at.into()),
            ("changedAt".into(), at.into()),
            ("createdBy".into(), by.name.as_str().into()),
            ("createdById".into(), by.id.as_str().into()),
            ("changedBy".into(), by.name.as_str().into()),
            ("changedById".into(), by.id.as_str().into()),
        ];
        props.extend(self.more);
        NewRow { id, name_id: self.space.id(&self.name), category: self.category, props }
    }
}

/// The same with its id.
struct NewRow {
    id: String,
    name_id: String,
    category: Option<SegmentationCategoryId>,
    props: Vec<(Key, Value)>,
}

impl NewRow {
    fn category(&self) -> Value {
        self.category.as_ref().map(|id| id.as_str()).into()
    }
}

/// Makes a category or group, unless another has its name.
struct Create<S>(PhantomData<fn() -> S>);

impl<S: Segment> Amend for Create<S> {
    type Row = NewRow;
    type Locked = PreparedSegment;
    type Stored = PreparedSegment;
    type Answer = ();

    const LOCK: Reading<PreparedSegment> = S::PREPARE;
    const WRITE: WriteStatement = S::CREATE;
    const RANK: Rank = Rank::Administration;

    fn id(row: &NewRow) -> &str {
        &row.name_id
    }

    fn lock_row(row: &NewRow, write_id: &str) -> Value {
        map([("id", row.name_id.as_str().into()), ("category", row.category()), ("writeId", write_id.into())])
    }

    fn decide(row: &NewRow, prepared: Option<PreparedSegment>, _: Decision<'_>) -> Result<Amended<()>> {
        match prepared {
            Some(PreparedSegment { ready: false, .. }) => Err(Error::invalid("category_id", "there is no category with this id")),
            Some(PreparedSegment { holder: None, .. }) => {
                let [id, name_id] = [&row.id, &row.name_id].map(|id| id.as_str().into());
                Ok(Amended::by((), map([("id", id), ("nameId", name_id), ("category", row.category()), ("props", Value::Map(row.props.clone()))])))
            }
            // Another has it, or takes it in this very transaction.
            Some(_) | None => Err(Error::Conflict(Conflict::NameTaken)),
        }
    }
}

/// A category or group to be changed.
struct SegmentChange {
    id: String,
    /// The id of the name that is wanted, else its own: no two of a transaction may want the same name.
    lock: String,
    space: NameSpace,
    update: SegmentationUpdate,
    by: By,
}

/// Changes a category or group, unless another has the name that it is to have.
struct Update<S>(PhantomData<fn() -> S>);

impl<S: Segment> Amend for Update<S> {
    type Row = SegmentChange;
    type Locked = LockedSegment;
    type Stored = LockedSegment;
    type Answer = ();

    const LOCK: Reading<LockedSegment> = S::LOCK;
    const WRITE: WriteStatement = S::AMEND;
    const RANK: Rank = Rank::Administration;

    fn id(change: &SegmentChange) -> &str {
        &change.lock
    }

    fn lock_row(change: &SegmentChange, write_id: &str) -> Value {
        let names: Vec<&str> = change.update.name.iter().map(|_| change.lock.as_str()).collect();
        map([("id", change.lock.as_str().into()), (S::ID, change.id.as_str().into()), ("names", names.into()), ("writeId", write_id.into())])
    }

    fn decide(change: &SegmentChange, stored: Option<LockedSegment>, decision: Decision<'_>) -> Result<Amended<()>> {
        // Another takes the name in this very transaction.
        let stored = stored.ok_or(Error::Conflict(Conflict::NameTaken))?;
        let (Some(_), Some(name)) = (&stored.subject, &stored.name) else { return Err(Error::not_found(S::KIND, &change.id)) };
        let update = &change.update;
        let renaming = Renaming::decide(&change.space, stored.holder.as_deref(), &change.id, name, update.name.as_deref())?;
        let described = update.description.as_ref().filter(|description| stored.description != **description);
        if renaming.claimed.is_none() && described.is_none() {
            return Ok(Amended::nothing(()));
        }
        let mut props: Vec<(Key, Value)> = vec![
            ("changedAt".into(), decision.now.millis().into()),
            ("changedBy".into(), change.by.name.as_str().into()),
            ("changedById".into(), change.by.id.as_str().into()),
        ];
        props.extend(update.name.as_deref().map(|name| ("name".into(), name.into())));
        props.extend(described.map(|description| ("description".into(), description.as_deref().into())));
        let before = json!({"name": name, "description": stored.description}).to_string();
        Ok(Amended::by((), renaming.row(&change.id, props)).replacing(Some(before)))
    }
}
