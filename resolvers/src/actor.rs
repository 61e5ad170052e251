//! Operations on actors and their associates.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use cypher::statements::rows::RecordRow;
use cypher::{Key, Params, Reading, Value, map, statements};
use graph_schema::actor::ActorRecord;
use graph_schema::associate::{ActorAssociates, AssociateRecord};
use graph_schema::given::Given;
use graph_schema::id::ActorId;
use graph_schema::identity::{Identity, IdentityRules, visible};

use crate::derived_id::{digest_id, version_id};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{LockHint, Put, Rank, SameSubject, Write};
use crate::values::{distinct, identity_map, word};
use crate::versioned::{RECORD_ACTOR, VersionedRow};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Latest, ObjectKind, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Add Actor: stores the actor, or updates it; answers with the record as it was given.
    #[boxed]
    pub async fn add_actor(&self, caller: &Caller, given: Given<ActorRecord>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Actor", given.value.id.as_str()))?;
        let write = self.inner.actor_write(&permit, &given)?;
        self.inner.answer_once(&permit, Once { key, body: &given.record }, Arc::clone(&given.record), &RECORD_ACTOR, write).await
    }

    /// Get Actor: the present record as it was given. A placeholder is not found.
    #[boxed]
    pub async fn actor(&self, caller: &Caller, id: &ActorId) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Actor", id.as_str()))?;
        self.inner.record(&permit, statements::actor::READ, ObjectKind::Actor, id.as_str()).await
    }

    /// Add Actor Associates: links the associates to the actor; answers with what was given.
    #[boxed]
    pub async fn add_associates(
        &self,
        caller: &Caller,
        id: &ActorId,
        given: Given<ActorAssociates>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Actor", id.as_str()))?;
        let write = self.inner.associates_write(&permit, id, &given)?;
        self.inner.answer_once(&permit, Once { key, body: &given.record }, Arc::clone(&given.record), &ADD_ASSOCIATES, write).await
    }
}

/// In turn: what is kept of the one before is what that has stored.
pub(crate) static ADD_ASSOCIATES: Put = Put { same_subject: SameSubject::InTurn, ..Put::of(statements::associate::RECORD, Rank::Relation) };

impl Inner {
    pub(crate) fn actor_write(&self, permit: &Permit<'_>, given: &Given<ActorRecord>) -> Result<Write<VersionedRow>> {
        let actor = &given.value;
        self.not_to_come([("asOfDate", Some(actor.as_of_date), Latest::Tomorrow), ("dateOfBirth", actor.date_of_birth, Latest::Today)])?;
        let id = actor.id.as_str();
        let as_of = actor.as_of_date.to_string();
        let now = self.clock.now().millis();
        let caption = actor.caption();
        let region = actor.region();
        let entry = self.entry(permit, "Actor", id, "actor.recorded");
        let screening = self.screening_of(actor, &caption, entry.id(), now);
        let by = permit.caller().id.as_str();
        let mut props = props(actor, &caption, &given.record);
        props.push(("recordedAt".into(), now.into()));
        props.push(("recordedBy".into(), by.into()));
        if screening.is_none() {
            // What is not screened is not known: once actors are screened, the next record is.
            props.push(("screenedFacts".into(), Value::Null));
        }
        let rules = &self.identities;
        let mut locks = Vec::new();
        let mut identities = |label: &str, found: Vec<Identity>| {
            let found = distinct(found);
            locks.extend(found.iter().map(|identity| LockHint::of(label, &identity.id)));
            Value::List(found.iter().map(identity_map).collect())
        };
        let present = map([
            ("id", id.into()),
            ("kind", word(&actor.kind)),
            ("props", Value::Map(props)),
            ("screenings", Value::List(screening.into_iter().collect())),
            (
                "phones",
                identities(
                    "Phone",
                    actor.phones.iter().flatten().flat_map(|phone| rules.phone(phone.number.as_deref().unwrap_or_default(), region)).collect(),
                ),
            ),
            ("emails", identities("Email", actor.emails.iter().flatten().filter_map(|email| rules.email(email.address.as_deref()?)).collect())),
            ("addresses", identities("Address", actor.addresses.iter().flatten().filter_map(|address| rules.address(address)).collect())),
            ("governmentIds", identities("GovernmentId", actor.government_ids.iter().flatten().filter_map(|id| rules.government_id(id)).collect())),
            ("references", identities("Reference", actor.references.iter().flatten().filter_map(|reference| rules.reference(reference)).collect())),
        ]);
        let version = map([
            ("name", format!("{caption} as of {as_of}").into()),
            ("asOfDate", as_of.as_str().into()),
            ("recordedAt", now.into()),
            ("recordedBy", by.into()),
            ("record", (&*given.record).into()),
        ]);
        let version_id = version_id(id, &as_of);
        let row = VersionedRow {
            id: id.to_owned(),
            version: map([("id", id.into()), ("versionId", version_id.as_str().into()), ("version", version)]),
            version_id,
            as_of,
            record: given.record.to_string(),
            present,
            numbers: Vec::new(),
            only_first: false,
        };
        Ok(Write::new(row, entry).locking(locks))
    }

    pub(crate) fn associates_write(&self, permit: &Permit<'_>, id: &ActorId, given: &Given<ActorAssociates>) -> Result<Write<Value>> {
        let as_of = self.as_of(permit, "asOfDate", given.value.as_of_date)?;
        let items = given.value.actor_associates.iter().enumerate();
        let mut associates: Vec<Value> = items.map(|(at, associate)| associate_row(&self.identities, id, at, associate, &as_of)).collect();
        mark_last(&mut associates);
        let locks: Vec<LockHint> = associates.iter().filter_map(|row| Some(LockHint::of("Actor", row.get("id").as_text()?))).collect();
        let entry = self.entry(permit, "Actor", id.as_str(), "actor.associates.recorded").with_new_value(Arc::clone(&given.record));
        let row = map([("id", id.as_str().into()), ("at", entry.at().millis().into()), ("associates", Value::List(associates))]);
        Ok(Write::new(row, entry).locking(locks))
    }

    /// The record text of one thing, by a statement that takes `$ids`.
    pub(crate) async fn record(&self, permit: &Permit<'_>, reading: Reading<RecordRow>, kind: ObjectKind, id: &str) -> Result<Arc<str>> {
        let rows = self.lookups.rows(permit, reading, Params::none(), id).await?;
        rows.first().and_then(|row| row.record.clone()).ok_or_else(|| Error::not_found(kind, id))
    }
}

/// What an actor without a domicile has in the order of domiciles.
const BEHIND_ALL_CODES: &str = "~";
/// So many characters of a name decide its place. An index has no longer texts.
const DECISIVE: usize = 200;

/// What actors are in the order of names by, as the migration `0034_actor_lists` has it, too.
fn name_order(caption: &str) -> String {
    caption.to_lowercase().chars().take(DECISIVE).collect()
}

/// The node's scalars: everything of the record that is one; a list of words is a list. What is absent is null, so that an update removes it.
fn props(actor: &ActorRecord, caption: &str, record: &str) -> Vec<(Key, Value)> {
    let date = |date: Option<graph_schema::date::Date>| Value::from(date.map(|date| date.to_string()));
    let text = |text: &Option<String>| Value::from(text.as_deref());
    let legal = actor.legal_entity.as_ref();
    let sub_types = actor.sub_type.as_ref().map(|types| Value::List(types.iter().map(word).collect()));
    let fields = [
        ("name", caption.into()),
        ("type", word(&actor.kind)),
        ("asOfDate", actor.as_of_date.to_string().into()),
        ("record", record.into()),
        ("nameOrder", name_order(caption).into()),
        ("domicileOrder", actor.domicile.as_ref().map_or(BEHIND_ALL_CODES, |country| country.as_str()).into()),
        ("customerSince", date(actor.customer_since)),
        ("dataSource", text(&actor.data_source)),
        ("dateOfBirth", date(actor.date_of_birth)),
        ("displayName", text(&actor.display_name)),
        ("domicile", actor.domicile.as_ref().map(|country| country.as_str()).into()),
        ("firstName", text(&actor.first_name)),
        ("middleName", text(&actor.middle_name)),
        ("lastName", text(&actor.last_name)),
        ("fullName", text(&actor.name)),
        ("gender", actor.gender.as_ref().map(word).into()),
        ("ingestDate", actor.ingest_date.map(|at| at.millis()).into()),
        ("isActive", actor.is_active.into()),
        ("monitored", actor.monitored.as_ref().map(word).into()),
        ("nationality", actor.nationality.as_ref().map(|country| country.as_str()).into()),
        ("status", actor.status.as_ref().map(word).into()),
        ("subType", sub_types.unwrap_or_default()),
        ("taxResidency", text(&actor.tax_residency)),
        ("validationStatus", actor.validation_status.as_ref().map(word).into()),
        ("dateOfRegistration", date(legal.and_then(|legal| legal.date_of_registration))),
        ("legalEntityType", legal.and_then(|legal| legal.kind.as_deref()).into()),
        ("customData", actor.custom_data.as_ref().map(|data| data.as_str()).into()),
        ("metadata", actor.metadata.as_ref().map(|data| data.as_str()).into()),
    ];
    fields.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}

fn associate_row(rules: &IdentityRules, actor: &ActorId, at: usize, associate: &AssociateRecord, as_of: &str) -> Value {
    let references = distinct(associate.references.iter().flatten().filter_map(|reference| rules.reference(reference)).collect());
    let name = associate.name.as_deref().and_then(visible);
    let kind = associate.kind.as_deref().unwrap_or("ASSOCIATE");
    let id = match &associate.id {
        Some(id) => id.as_str().to_owned(),
        None => unnumbered_id(actor, at, associate, &references),
    };
    let caption = match (name, references.first(), &associate.id) {
        (Some(name), _, _) => name.to_owned(),
        (None, _, Some(id)) => id.to_string(),
        (None, Some(reference), None) => reference.name.clone(),
        (None, None, None) => format!("{kind} of {actor}"),
    };
    let captions = references.iter().map(|reference| reference.name.as_str().into()).collect();
    // Whoever has an id has a record of his own, whose references are the ones to link.
    let own = if associate.id.is_none() { references.iter().map(identity_map).collect() } else { Vec::new() };
    map([
        ("name", caption.into()),
        ("isNamed", name.is_some().into()),
        ("id", id.as_str().into()),
        ("type", kind.into()),
        ("ratio", associate.ratio.as_ref().map(|ratio| ratio.to_f64()).into()),
        ("dataSource", associate.data_source.as_deref().into()),
        ("isCustomer", associate.says_customer().into()),
        ("references", Value::List(captions)),
        ("ownReferences", Value::List(own)),
        ("asOfDate", as_of.into()),
    ])
}

/// Notes of each whether it is the last one of the same associate in the same part: what is said last counts.
fn mark_last(associates: &mut [Value]) {
    let mut seen = HashSet::new();
    for associate in associates.iter_mut().rev() {
        let named = |name| associate.get(name).as_text().map(str::to_owned);
        let is_last = seen.insert((named("id"), named("type")));
        if let Value::Map(fields) = associate {
            fields.push(("isLast".into(), is_last.into()));
        }
    }
}

/// The id of somebody who is only described gets it under this actor, because two people may share a name: by name and references, or where
/// there are neither by all else, and the place in the list.
fn unnumbered_id(actor: &ActorId, at: usize, associate: &AssociateRecord, references: &[Identity]) -> String {
    let name = associate.name.as_deref().unwrap_or_default().trim().to_lowercase();
    let mut parts = vec![actor.as_str(), name.as_str()];
    parts.extend(references.iter().map(|reference| reference.id.as_str()));
    let at = at.to_string();
    if parts.len() == 2 && name.is_empty() {
        parts.extend([associate.kind.as_deref().unwrap_or_default(), associate.data_source.as_deref().unwrap_or_default(), at.as_str()]);
    }
    digest_id("associate", &parts)
}
