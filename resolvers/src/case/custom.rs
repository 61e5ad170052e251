//! Definitions of custom properties: who defined one has its schema enforced wherever the property is set.

use std::sync::{Arc, LazyLock};

use cypher::Error as DatabaseError;
use cypher::graph::nodes::PropertySummary;
use cypher::graph::{FoundRow, Mismatch, Visit, lists, nodes};
use cypher::statements::rows::{DatedSchemaRow, SchemaRow};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::custom_property::{CustomProperties, CustomPropertyDefinition, PropertyEntity, definition_id};
use graph_schema::fault::Fault;
use graph_schema::given::{Given, check};
use graph_schema::json_object::JsonObject;
use graph_schema::own_schema::OwnSchema;
use moka::sync::Cache;

use crate::explore::{ListFilter, PropertyFilter, Span};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, OffsetPage, Once, Resolvers, Result, beside, boxed};

/// How many schemas are kept compiled.
const MOST_COMPILED: u64 = 256;

/// The query of Retrieves a list of custom properties.
#[derive(Debug, Clone)]
pub struct PropertyQuery {
    pub filter: PropertyFilter,
    pub page: OffsetPage,
}

impl Resolvers {
    /// Retrieves a list of custom properties: those that are defined, the newest first.
    #[boxed]
    pub async fn custom_properties(&self, caller: &Caller, query: PropertyQuery) -> Result<Vec<CustomPropertyDefinition>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List("CustomProperty"))?;
        let list = &lists::CUSTOM_PROPERTIES;
        let then = Visit { summary: true, ..Visit::of(&nodes::CUSTOM_PROPERTY) };
        let span = Span { list, filter: ListFilter::Properties(query.filter), sort: Vec::new(), page: query.page, then };
        let rows = self.inner.span(&permit, span).await?;
        let items: std::result::Result<_, Mismatch> = rows.iter().map(definition).collect();
        items.map_err(|mismatch| DatabaseError::rejected(list.link.name, mismatch).into())
    }

    /// Defines a custom property, or defines it anew: from now on. What is stored stays as it is.
    #[boxed]
    pub async fn define_custom_property(&self, caller: &Caller, given: CustomPropertyDefinition, key: Option<IdempotencyKey>) -> Result<Answered> {
        let id = given.id();
        let permit = self.inner.enter(caller, Action::Administer, Subject::One("CustomProperty", &id))?;
        beside(|| check(&given))?;
        let given = Given::made(given).map_err(|error| Error::Internal(error.to_string()))?;
        let inner = &self.inner;
        let entry = inner.entry(&permit, "CustomProperty", &id, "custom_property.defined").with_new_value(given.record.clone());
        let body = given.record.clone();
        let write = Write::new(DefinedProperty { id, given: given.value, by: caller.id.clone() }, entry);
        inner.answer_once(&permit, Once { key, body: &body }, "", &Amending::<Define>::NEW, write).await
    }
}

fn definition(row: &FoundRow) -> std::result::Result<CustomPropertyDefinition, Mismatch> {
    let PropertySummary { entity, schema, .. } = row.node.summary()?;
    Ok(CustomPropertyDefinition { entity, name: row.node.name.to_string(), schema })
}

/// The ids of definitions of all the properties that are set.
pub(crate) fn ids<'a>(entity: PropertyEntity, set: impl IntoIterator<Item = &'a CustomProperties>) -> Vec<String> {
    let mut ids: Vec<String> = set.into_iter().flat_map(CustomProperties::iter).map(|(name, _)| definition_id(entity, name)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The schemas of those custom properties that a request sets, as far as they are defined.
#[derive(Default)]
pub(crate) struct Definitions(Vec<(String, Arc<OwnSchema>)>);

impl Inner {
    /// The definitions of custom properties by [`ids`].
    pub(crate) async fn definitions(&self, permit: &Permit<'_>, ids: Vec<String>) -> Result<Definitions> {
        if ids.is_empty() {
            return Ok(Definitions::default());
        }
        let params = Params::none().with("ids", ids.iter().map(String::as_str).collect::<Vec<_>>());
        let rows = self.read(permit, statements::custom_property::READ, params).await?;
        Definitions::of(&rows)
    }
}

/// Somebody's own schema by its text. Kept, because it is asked for while cases are locked, and for each of them.
pub(super) fn compiled(text: &str) -> std::result::Result<Arc<OwnSchema>, Arc<String>> {
    static COMPILED: LazyLock<Cache<String, Arc<OwnSchema>>> = LazyLock::new(|| Cache::new(MOST_COMPILED));
    let compile = || {
        let schema = JsonObject::parse(text).ok_or_else(|| "is no object".to_owned())?;
        OwnSchema::compile(&schema).map(Arc::new)
    };
    // Whoever comes while another compiles the same waits for that on his thread: beside, as he who compiles it.
    COMPILED.get(text).map_or_else(|| beside(|| COMPILED.try_get_with_by_ref(text, compile)), Ok)
}

impl Definitions {
    /// What was read of them.
    pub fn of(rows: &[SchemaRow]) -> Result<Self> {
        let compiled = rows.iter().map(|row| {
            let schema = compiled(&row.schema).map_err(|problem| Error::Internal(format!("the schema of a custom property: {problem}")))?;
            let name = row.id.split_once('/').map_or(row.id.as_str(), |(_, name)| name).to_owned();
            Ok((name, schema))
        });
        compiled.collect::<Result<_>>().map(Self)
    }

    /// Adds a fault for everything that breaks the schema of one of the properties that were set: `all` has what they are then, `at` stands before
    /// their names.
    pub fn check(&self, all: &CustomProperties, set: &CustomProperties, at: &str, faults: &mut Vec<Fault>) {
        for (name, schema) in &self.0 {
            if let (Some(value), true) = (all.get(name), set.get(name).is_some()) {
                schema.check(value, &format!("{at}{name}"), faults);
            }
        }
    }
}

struct DefinedProperty {
    id: String,
    given: CustomPropertyDefinition,
    by: String,
}

/// Keeps a definition in place of the one before.
struct Define;

impl Amend for Define {
    type Row = DefinedProperty;
    type Locked = DatedSchemaRow;
    type Stored = DatedSchemaRow;
    type Answer = ();

    const LOCK: Reading<DatedSchemaRow> = statements::custom_property::LOCK;
    const WRITE: WriteStatement = statements::custom_property::DEFINE;
    const RANK: Rank = Rank::Administration;

    fn id(row: &DefinedProperty) -> &str {
        &row.id
    }

    fn decide(row: &DefinedProperty, stored: Option<DatedSchemaRow>, decision: Decision<'_>) -> Result<Amended<()>> {
        let now = decision.now.millis();
        let props: Value = map([
            ("name", row.given.name.as_str().into()),
            ("entity", row.given.entity.as_str().into()),
            ("schema", row.given.schema.as_str().into()),
            ("createdAt", stored.as_ref().map_or(now, |stored| stored.created_at).into()),
            ("changedAt", now.into()),
            ("changedBy", row.by.as_str().into()),
        ]);
        let write = map([("id", row.id.as_str().into()), ("props", props)]);
        Ok(Amended::by((), write).replacing(stored.map(|stored| stored.schema)))
    }
}
