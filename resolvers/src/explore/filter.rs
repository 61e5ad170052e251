//! Which of a list: what callers say, as conditions of the table's filters.

use cypher::graph::{Condition, Link};
use cypher::{Value, map};
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::case::CaseType;
use graph_schema::channel_location::ChannelLocationType;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::date::{Date, Timestamp};
use graph_schema::delivery::DeliveryState;
use graph_schema::id::{ActorId, CaseId, Id, StepId, TagId, WebhookId, WorkflowId};
use graph_schema::observation::ObservationType;
use graph_schema::request_for_data::RequestStatus;
use graph_schema::transaction::{Channel, Direction, Method, TransactionStatus};
use graph_schema::workflow::StepState;

use crate::values::word;

/// A filter of a list; all of its parts must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ListFilter {
    #[default]
    All,
    /// Only what is known, or only what is not.
    Known(bool),
    /// Versions up to a date.
    AsOf(Date),
    /// Links as they were known at a moment.
    KnownAt(Timestamp),
    Transactions(TransactionFilter),
    Transfers(TransferFilter),
    Cases(CaseFilter),
    Locations(LocationFilter),
    Scores(ScoreFilter),
    ActorRisks(ActorRiskFilter),
    BulkItems(BulkItemFilter),
    /// Bulk requests under this `x-request-id`.
    BulkRequest(String),
    /// Only what this actor is.
    OfActor(ActorId),
    Observations(ObservationFilter),
    Feedback(FeedbackFilter),
    Signals(SignalFilter),
    ClearedMatches(ClearedMatchFilter),
    Properties(PropertyFilter),
    Requests(RequestFilter),
    Events(EventFilter),
    Deliveries(DeliveryFilter),
}

/// Which events; both ends are included.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventFilter {
    pub names: Option<Vec<String>>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// Which deliveries; both ends are included.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeliveryFilter {
    pub states: Option<Vec<DeliveryState>>,
    pub events: EventFilter,
    pub webhook: Option<WebhookId>,
    pub case: Option<CaseId>,
}

/// Which custom properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyFilter {
    pub entity: Option<PropertyEntity>,
    pub name: Option<String>,
}

/// Which requests for data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RequestFilter {
    pub overdue: Option<Overdue>,
    pub statuses: Option<Vec<RequestStatus>>,
    pub types: Option<Vec<String>>,
    pub case: Option<CaseId>,
    /// Not included.
    pub due_before: Option<Timestamp>,
}

/// Whether a request for data is open and was due by a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdue {
    By(Timestamp),
    NotBy(Timestamp),
}

/// Which transactions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransactionFilter {
    pub currency: Option<String>,
    /// In that currency.
    pub min_amount: Option<f64>,
    pub max_amount: Option<f64>,
    /// In the platform's default currency.
    pub min_standardized_amount: Option<f64>,
    pub max_standardized_amount: Option<f64>,
    /// Included.
    pub from: Option<Timestamp>,
    /// Not included.
    pub to: Option<Timestamp>,
    pub direction: Option<Direction>,
    pub statuses: Option<Vec<TransactionStatus>>,
    pub channels: Option<Vec<Channel>>,
    pub methods: Option<Vec<Method>>,
}

/// Which transfers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransferFilter {
    pub currency: Option<String>,
    /// In that currency.
    pub min_total: Option<f64>,
    /// In the platform's default currency.
    pub min_standardized_total: Option<f64>,
}

/// Which cases.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaseFilter {
    /// Whether somebody works on it.
    pub assigned: Option<bool>,
    /// This moment and the next three belong to the range.
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
    pub updated_from: Option<Timestamp>,
    pub updated_to: Option<Timestamp>,
    /// Each of them.
    pub all_tags: Option<Vec<TagId>>,
    /// At least one of them.
    pub any_tag: Option<Vec<TagId>>,
    pub types: Option<Vec<CaseType>>,
    pub workflows: Option<Vec<WorkflowId>>,
    pub states: Option<Vec<StepState>>,
    pub statuses: Option<Vec<String>>,
    /// As a workflow calls them; two workflows may have one of the same id.
    pub steps: Option<Vec<StepId>>,
}

/// Which of the channel locations whose record has arrived.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocationFilter {
    pub kind: Option<ChannelLocationType>,
}

/// Which risk scores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreFilter {
    pub actors: Option<Vec<ActorId>>,
    pub data_source: Option<String>,
    pub risk_rule: Option<String>,
    /// Received later than this.
    pub ingested_after: Option<Timestamp>,
    /// Received earlier than this.
    pub ingested_before: Option<Timestamp>,
    pub newest: NewestEntry,
}

/// Which actors that have a risk score.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActorRiskFilter {
    /// At least one of them.
    pub bands: Option<Vec<String>>,
    /// Both are included.
    pub min_score: Option<f64>,
    pub max_score: Option<f64>,
}

/// Which items of bulk requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BulkItemFilter {
    pub list: Option<BulkList>,
    pub state: Option<BulkItemState>,
    /// What they are about, by its id.
    pub subject: Option<String>,
    /// Both moments belong to the range.
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// Whether a list of scores has all entries, or of each actor the newest alone of those that pass its filters: the one with the latest `as_of_date`,
/// of several the one that was received last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NewestEntry {
    Only,
    #[default]
    All,
}

/// Which observations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ObservationFilter {
    pub types: Option<Vec<ObservationType>>,
    pub behaviors: Option<Vec<String>>,
    /// Included.
    pub from: Option<Timestamp>,
    /// Not included.
    pub to: Option<Timestamp>,
    /// About this actor.
    pub actor: Option<ActorId>,
    /// About one of these actors.
    pub actors: Option<Vec<ActorId>>,
    /// Naming one of these rules, by id.
    pub rules: Option<Vec<String>>,
    /// Whether somebody has given feedback on it, acted on it, dismissed it or raised a case from it.
    pub handled: Option<bool>,
    pub priorities: Option<Vec<String>>,
    pub labels: Option<Vec<String>>,
    pub program_groups: Option<Vec<String>>,
    pub data_sources: Option<Vec<String>>,
    /// Descriptions of taxonomies.
    pub typologies: Option<Vec<String>>,
    /// From 0 to 1, included.
    pub min_score: Option<f64>,
    /// From 0 to 1, included.
    pub max_score: Option<f64>,
    pub below_the_line: Option<bool>,
    /// What its payments add up to, both ends included.
    pub min_standardized_total: Option<f64>,
    pub max_standardized_total: Option<f64>,
    /// The same of payments in one currency.
    pub min_total: Option<InCurrency>,
    pub max_total: Option<InCurrency>,
}

/// An amount in one currency.
#[derive(Debug, Clone, PartialEq)]
pub struct InCurrency {
    pub currency: String,
    pub amount: f64,
}

impl InCurrency {
    fn value(&self) -> Value {
        map([("currency", self.currency.as_str().into()), ("amount", self.amount.into())])
    }
}

/// Which feedback; both ends are included.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FeedbackFilter {
    pub from: Option<Timestamp>,
    pub to: Option<Timestamp>,
}

/// Which cleared matches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClearedMatchFilter {
    pub actor: Option<ActorId>,
    /// `LIST/ENTRY`.
    pub entry: Option<String>,
    /// Those that count at a moment.
    pub active_at: Option<Timestamp>,
    /// Those that no longer do.
    pub past_at: Option<Timestamp>,
}

/// Which suppressed signals; both days are included.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SignalFilter {
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl ListFilter {
    /// The one currency of what passes, where the filter names one: only within one are amounts compared as they are.
    pub fn currency(&self) -> Option<&str> {
        match self {
            Self::Transactions(filter) => filter.currency.as_deref(),
            Self::Transfers(filter) => filter.currency.as_deref(),
            _ => None,
        }
    }

    /// The conditions of a link or list that has such filters; those that it does not have are left out.
    pub fn conditions(&self, link: &Link) -> Vec<Condition> {
        let said = match self {
            Self::All => Vec::new(),
            Self::Known(known) => vec![("known", Value::from(*known))],
            Self::KnownAt(at) => vec![("knownAt", at.millis().into())],
            Self::AsOf(date) => vec![("asOf", Value::from(date.to_string()))],
            Self::Transactions(filter) => filter.said(),
            Self::Transfers(filter) => filter.said(),
            Self::Cases(filter) => filter.said(),
            Self::Locations(filter) => filter.said(),
            Self::Scores(filter) => filter.said(),
            Self::ActorRisks(filter) => filter.said(),
            Self::BulkItems(filter) => filter.said(),
            Self::BulkRequest(id) => vec![("requestId", id.as_str().into())],
            Self::OfActor(actor) => vec![("actor", Value::from(actor.as_str()))],
            Self::Observations(filter) => filter.said(),
            Self::Feedback(filter) => filter.said(),
            Self::Signals(filter) => filter.said(),
            Self::ClearedMatches(filter) => filter.said(),
            Self::Requests(filter) => filter.said(),
            Self::Events(filter) => filter.said(),
            Self::Deliveries(filter) => filter.said(),
            Self::Properties(filter) => {
                vec![("entity", filter.entity.map(PropertyEntity::as_str).into()), ("name", filter.name.as_deref().into())]
            }
        };
        let condition = |(name, value): (&str, Value)| link.filter(name).map(|filter| Condition { filter, value });
        said.into_iter().filter(|(_, value)| *value != Value::Null).filter_map(condition).collect()
    }
}

impl TransactionFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("currency", self.currency.as_deref().into()),
            ("minAmount", self.min_amount.into()),
            ("maxAmount", self.max_amount.into()),
            ("minStandardizedAmount", self.min_standardized_amount.into()),
            ("maxStandardizedAmount", self.max_standardized_amount.into()),
            ("from", self.from.map(Timestamp::millis).into()),
            ("to", self.to.map(Timestamp::millis).into()),
            ("direction", self.direction.as_ref().map(word).into()),
            ("status", words(self.statuses.as_ref())),
            ("channel", words(self.channels.as_ref())),
            ("method", words(self.methods.as_ref())),
        ]
    }
}

impl TransferFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("currency", self.currency.as_deref().into()),
            ("minTotal", self.min_total.into()),
            ("minStandardizedTotal", self.min_standardized_total.into()),
        ]
    }
}

impl CaseFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let millis = |at: Option<Timestamp>| Value::from(at.map(Timestamp::millis));
        vec![
            ("assigned", self.assigned.into()),
            ("createdFrom", millis(self.created_from)),
            ("createdTo", millis(self.created_to)),
            ("updatedFrom", millis(self.updated_from)),
            ("updatedTo", millis(self.updated_to)),
            ("allTags", ids(self.all_tags.as_ref())),
            ("anyTag", ids(self.any_tag.as_ref())),
            ("types", words(self.types.as_ref())),
            ("workflows", ids(self.workflows.as_ref())),
            ("states", words(self.states.as_ref())),
            ("statuses", words(self.statuses.as_ref())),
            ("steps", ids(self.steps.as_ref())),
        ]
    }
}

impl BulkItemFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("list", self.list.as_ref().map(word).into()),
            ("state", self.state.as_ref().map(word).into()),
            ("subject", self.subject.as_deref().into()),
            ("createdFrom", self.created_from.map(Timestamp::millis).into()),
            ("createdTo", self.created_to.map(Timestamp::millis).into()),
        ]
    }
}

impl LocationFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![("known", true.into()), ("kind", self.kind.as_ref().map(word).into())]
    }
}

impl ScoreFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let of_score = [
            ("dataSource", Value::from(self.data_source.as_deref())),
            ("riskRule", self.risk_rule.as_deref().into()),
            ("ingestedAfter", self.ingested_after.map(Timestamp::millis).into()),
            ("ingestedBefore", self.ingested_before.map(Timestamp::millis).into()),
        ];
        let newest = match self.newest {
            NewestEntry::Only => map(of_score.clone()),
            NewestEntry::All => Value::Null,
        };
        let more = [("actors", ids(self.actors.as_ref())), ("newestOf", newest)];
        of_score.into_iter().chain(more).collect()
    }
}

impl ActorRiskFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![("riskBands", self.bands.clone().into()), ("minRiskScore", self.min_score.into()), ("maxRiskScore", self.max_score.into())]
    }
}

impl ObservationFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("types", words(self.types.as_ref())),
            ("behaviors", self.behaviors.clone().into()),
            ("from", self.from.map(Timestamp::millis).into()),
            ("to", self.to.map(Timestamp::millis).into()),
            ("actor", self.actor.as_ref().map(|actor| actor.as_str()).into()),
            ("actors", ids(self.actors.as_ref())),
            ("rules", self.rules.clone().into()),
            ("handled", self.handled.into()),
            ("priorities", self.priorities.clone().into()),
            ("labels", self.labels.clone().into()),
            ("programGroups", self.program_groups.clone().into()),
            ("dataSources", self.data_sources.clone().into()),
            ("typologies", self.typologies.clone().into()),
            ("minScore", self.min_score.into()),
            ("maxScore", self.max_score.into()),
            ("belowTheLine", self.below_the_line.into()),
            ("minStandardizedTotal", self.min_standardized_total.into()),
            ("maxStandardizedTotal", self.max_standardized_total.into()),
            ("minTotalIn", self.min_total.as_ref().map(InCurrency::value).into()),
            ("maxTotalIn", self.max_total.as_ref().map(InCurrency::value).into()),
        ]
    }
}

impl EventFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("eventNames", self.names.clone().into()),
            ("createdFrom", self.created_from.map(Timestamp::millis).into()),
            ("createdTo", self.created_to.map(Timestamp::millis).into()),
        ]
    }
}

impl DeliveryFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let mut said = self.events.said();
        said.push(("states", words(self.states.as_ref())));
        said.push(("webhook", self.webhook.as_ref().map(|id| id.as_str()).into()));
        said.push(("ofCase", self.case.as_ref().map(|id| id.as_str()).into()));
        said
    }
}

impl FeedbackFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let to = Value::from(self.to.map(Timestamp::millis));
        vec![("givenFrom", self.from.map(Timestamp::millis).into()), ("givenTo", to.clone()), ("stoodAt", to)]
    }
}

impl RequestFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let overdue = match self.overdue {
            Some(Overdue::By(at)) => ("overdue", at.millis().into()),
            Some(Overdue::NotBy(at)) => ("notOverdue", at.millis().into()),
            None => ("overdue", Value::Null),
        };
        vec![
            overdue,
            ("statuses", words(self.statuses.as_ref())),
            ("types", self.types.clone().into()),
            ("case", self.case.as_ref().map(|case| case.as_str()).into()),
            ("dueBefore", self.due_before.map(Timestamp::millis).into()),
        ]
    }
}

impl ClearedMatchFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("actor", self.actor.as_ref().map(ActorId::as_str).into()),
            ("entry", self.entry.as_deref().into()),
            ("activeAt", self.active_at.map(Timestamp::millis).into()),
            ("pastAt", self.past_at.map(Timestamp::millis).into()),
        ]
    }
}

impl SignalFilter {
    fn said(&self) -> Vec<(&'static str, Value)> {
        let day = |date: Option<Date>| Value::from(date.map(|date| date.to_string()));
        vec![("reviewedFrom", day(self.from)), ("reviewedTo", day(self.to))]
    }
}

fn words<T: serde::Serialize>(list: Option<&Vec<T>>) -> Value {
    list.map(|items| Value::List(items.iter().map(word).collect())).unwrap_or_default()
}

fn ids<K>(list: Option<&Vec<Id<K>>>) -> Value {
    list.map(|ids| Value::List(ids.iter().map(|id| id.as_str().into()).collect())).unwrap_or_default()
}
