//! Observations: what detection has noticed about actors and their payments, as it is sent and as it is read.
//!
//! The single form takes what the stored one shows besides the documented request: title, transactions, actors, features and rules. Without them an
//! observation would name nothing that could be missing.

mod evidence;
mod handling;
mod read;

use std::collections::HashMap;

use async_graphql::{Enum, InputValueResult, Scalar, ScalarType, SimpleObject, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type, schema::SchemaType},
};

pub use evidence::EvidenceKind;
pub use handling::{HandlingKind, ObservationHandling};
pub use read::{MissingReference, ObservationStanding, ReferenceType, StoredObservation};

use crate::{
    actor::ReferenceRecord,
    date::{Date, EpochSeconds, Timestamp},
    fault::Fault,
    given::Input,
    id::{ActorId, ObservationId, TransactionId},
    identity::visible,
    json_object::JsonObject,
    json_text::JsonText,
    number::{Number, Plain},
};

/// By what kind of detection an observation was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ObservationType {
    /// An alert of a monitoring system. A case is never made while it is ingested.
    AlertAml,
    /// An alert of a monitoring system in the second form, with payments, features and rules.
    #[serde(rename = "ALERT_AML_V2")]
    #[graphql(name = "ALERT_AML_V2")]
    AlertAmlV2,
    /// An alert of rules. Findings of the service's own detection and screening have this type.
    AlertRule,
}

/// An observation as it is ingested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ObservationRecord {
    /// The id of the behaviour that was noticed. Findings of one rule have the same.
    #[schema(min_length = 1)]
    pub behavior_id: String,
    /// The name of that behaviour for people.
    pub behavior_name: String,
    /// Seconds since 1970, decimals allowed.
    pub date: EpochSeconds,
    /// The id of the observation in the sender's system: 1 to 256 characters. The same id again updates it.
    pub id: ObservationId,
    /// The kind of detection that made the observation.
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: ObservationType,
    /// A headline for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The payments it is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_ids: Option<Vec<TransactionId>>,
    /// Whom it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actors: Option<Vec<ObservationActor>>,
    /// Values that were measured, by group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Vec<ObservationFeatures>>,
    /// Rules that were evaluated, each with its outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<ObservationRule>>,
    /// The batch that made the observation, by the sender's id. For the service's own findings it is the id of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
    /// What the behaviour is, in sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior_description: Option<String>,
    /// The typology that the behaviour belongs to, such as structuring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxonomy_description: Option<String>,
    /// How urgent the observation is, in the sender's words. The service's own findings have `LOW`, `MEDIUM` or `HIGH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// The group of monitoring programmes that the behaviour belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program_group: Option<String>,
    /// A label of the sender's own for sorting observations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The version of the rule or model that made the observation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Below the line: noticed, but not to be worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub btl_flag: Option<bool>,
    /// The business day that the observation is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_date: Option<Date>,
    /// The beginning of the period that was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_date_start: Option<Timestamp>,
    /// The end of the period that was looked at; not before its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub business_date_end: Option<Timestamp>,
    /// The time at which detection made the observation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection_date: Option<Timestamp>,
    /// The path through the model's decision tree, a text for each node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_tree: Option<Vec<String>>,
    /// Names or texts of the rules behind the observation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Vec<String>>,
    /// From 0 to 1.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Number>,
    /// The place of the observation among those of its batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<Number>,
    /// Legal entities that have to do with it: ids of actors, or objects of the sender's own with such an `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub associated_legal_entity: Option<Vec<AssociatedLegalEntity>>,
    /// Experimental.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitter: Option<SubmitterRecord>,
    /// Fields of the sender's own, as a JSON object. The service keeps them unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// Technical attributes of the record, as a JSON object of the sender's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
    /// Ids of the observation in other systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    /// The originating system, by the sender's own identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<JsonObject>,
    /// Deprecated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_classification: Option<JsonObject>,
}

/// An actor that an observation is about. A request of its own carries an array of them, see [`crate::given::read_list`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "ObservationActorRecord")]
pub struct ObservationActor {
    /// The actor that the observation is about. Its record may come later.
    pub actor_id: ActorId,
    /// Whether it is mainly about them; `false`, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<bool>,
}

/// What detection has measured, by group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationFeatures {
    /// The heading under which the measures belong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The measures of the group with their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ObservationFeature>>,
}

/// Something that detection has measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationFeature {
    /// The name of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Any JSON value.
    #[schema(value_type = JsonText, required = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonText>,
}

/// A rule that was looked at, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "ObservationRuleRecord")]
pub struct ObservationRule {
    /// The id of the rule in the system that detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The rule's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The outcome of the rule, in the sender's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The score that the rule gave: a number, or a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Plain>,
    /// Seconds since 1970, decimals allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<EpochSeconds>,
    /// Fields of the sender's own on the rule's outcome, as a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    /// Conditions of the rule, each with whether it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<ObservationCondition>>,
}

/// A condition of a rule, and whether it held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationCondition {
    /// The id of the condition within its rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the condition held; null when the sender does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<bool>,
}

/// Who has handed an observation in, as the sender knows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "ObservationSubmitterRecord")]
pub struct SubmitterRecord {
    /// The submitter's id in the sender's system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The submitter's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The submitter's login name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

/// A legal entity as an observation names it: the id of an actor, or an object of the sender's own, whose `id` is that of an actor where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssociatedLegalEntity(JsonText);

impl AssociatedLegalEntity {
    /// The actor it is, if it says so.
    pub fn actor_id(&self) -> Option<ActorId> {
        let id = match self.0.value() {
            serde_json::Value::String(id) => id,
            serde_json::Value::Object(object) => object.get("id")?.as_str()?.to_owned(),
            _ => return None,
        };
        ActorId::parse(&id).ok()
    }
}

impl Serialize for AssociatedLegalEntity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AssociatedLegalEntity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonText::deserialize(deserializer).map(Self)
    }
}

/// A JSON value, as it is and not as text.
#[Scalar(name = "JSON", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8259")]
impl ScalarType for AssociatedLegalEntity {
    fn parse(value: Value) -> InputValueResult<Self> {
        <JsonText as ScalarType>::parse(value).map(Self).map_err(|error| error.propagate())
    }

    fn to_value(&self) -> Value {
        ScalarType::to_value(&self.0)
    }
}

impl utoipa::PartialSchema for AssociatedLegalEntity {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Object])).min_length(Some(1)).max_length(Some(256)).into()
    }
}

impl ToSchema for AssociatedLegalEntity {}

impl ObservationType {
    /// Whether a case may be made from an observation of this type as it comes in.
    pub fn may_raise_case(self) -> bool {
        self != Self::AlertAml
    }
}

impl ObservationRecord {
    /// One of which only what is required is known.
    pub fn new(id: ObservationId, kind: ObservationType, behavior_id: String, behavior_name: String, date: EpochSeconds) -> Self {
        Self {
            behavior_id,
            behavior_name,
            date,
            id,
            kind,
            title: None,
            transaction_ids: None,
            actors: None,
            features: None,
            rules: None,
            batch_id: None,
            behavior_description: None,
            taxonomy_description: None,
            priority: None,
            program_group: None,
            label: None,
            version: None,
            btl_flag: None,
            business_date: None,
            business_date_start: None,
            business_date_end: None,
            detection_date: None,
            decision_tree: None,
            rule: None,
            score: None,
            rank: None,
            associated_legal_entity: None,
            submitter: None,
            custom_data: None,
            metadata: None,
            references: None,
            data_source: None,
            classification: None,
            access_classification: None,
        }
    }

    /// What a human knows it by.
    pub fn caption(&self) -> &str {
        let said = [self.title.as_deref(), Some(self.behavior_name.as_str()), Some(self.behavior_id.as_str())];
        said.into_iter().flatten().find_map(visible).unwrap_or(self.id.as_str())
    }

    /// Actors that it says to be legal entities.
    pub fn legal_entities(&self) -> impl Iterator<Item = ActorId> {
        self.associated_legal_entity.iter().flatten().filter_map(AssociatedLegalEntity::actor_id)
    }
}

impl ObservationActor {
    pub fn is_primary(&self) -> bool {
        self.primary.unwrap_or_default()
    }
}

impl ObservationRule {
    /// What tells it from other rules; none for one that is not named at all.
    pub fn key(&self) -> Option<&str> {
        [&self.id, &self.name].into_iter().flatten().map(String::as_str).find(|text| visible(text).is_some())
    }
}

impl Input for ObservationRecord {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_actors("actors", self.actors.iter().flatten(), faults);
        if let (Some(start), Some(end)) = (self.business_date_start, self.business_date_end)
            && end < start
        {
            faults.push(Fault::new("businessDateEnd", "must not be before businessDateStart"));
        }
    }
}

impl Input for ObservationActor {}

/// An actor who is named twice is the same to the observation both times.
pub fn check_actors<'a>(at: &str, actors: impl Iterator<Item = &'a ObservationActor>, faults: &mut Vec<Fault>) {
    let mut said: HashMap<&ActorId, bool> = HashMap::new();
    for (index, actor) in actors.enumerate() {
        if *said.entry(&actor.actor_id).or_insert(actor.is_primary()) != actor.is_primary() {
            faults.push(Fault::new(format!("{at}[{index}].primary"), "must be the same wherever the actor is named"));
        }
    }
}
