//! Cases: where they stand, whom they are about, what was said of them. What people do with them is in [`work`], [`moving`], [`decision`] and [`describing`].

mod communication;
pub mod edges;
mod file;
mod filter;
mod linked;
pub mod request;
pub mod workflow;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::case::{CaseRecord, CaseType, CaseWorkflowRecord, GatheredBy};
use graph_schema::custom_property::CustomProperties;
use graph_schema::date::Timestamp;
use graph_schema::edge::{CaseActorFields, CaseObservationFields, MoveFields};
use graph_schema::id::CaseId;
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use graphql_service::orders::{CommunicationOrder, DeliveryOrder, RequestForDataOrder, TransactionOrder};
use resolvers::explore::{CaseSummary, CaseTitlePart, nodes};

use super::actor::ActorNode;
use super::connection::{CaseTransactions, Cases, NodeConnection, few};
use super::object::{graph_node, object_with_links};
use super::observation::{FeedbackNode, ObservationActionNode};
use super::transaction::{TransactionFilterInput, TransactionNode};
use super::user::UserNode;
use super::walk::{At, Shown};
use super::webhook::{DeliveryConnection, DeliveryFilterInput, EventConnection, EventFilterInput};
use super::{asking, present, refused};
use crate::boxed;
use graphql_http::AnswerBudget;

pub use communication::{CommunicationConnection, CommunicationFilterInput, CommunicationNode};
pub use file::FileNode;
pub use filter::CaseFilterInput;
use filter::risk_band;
pub use linked::{CommentNode, DecisionEdge, StepNode, TagNode, TransactionInCase};
pub use request::RequestNode;
use request::{RequestConnection, RequestFilterInput};

/// A page of cases.
pub type CaseConnection = NodeConnection<CaseNode, EmptyFields, Cases>;

/// A page of the transactions of a case.
pub type CaseTransactionConnection = NodeConnection<TransactionNode, TransactionInCase, CaseTransactions>;

/// A case that is looked into, or to be reported.
#[derive(Clone)]
pub struct CaseNode(Shown<CaseSummary>);

graph_node!(CaseNode shows CaseSummary);

impl CaseNode {
    /// What Get Case shows. The loader reads it once for all fields that ask.
    async fn record(&self, context: &Context<'_>) -> Result<CaseRecord> {
        let (resolvers, caller) = asking(context)?;
        resolvers.case_reached(caller, &CaseId::new(self.0.at.id())).await.map_err(refused)
    }
}

/// At most so many.
#[boxed]
async fn earlier_cases(context: &Context<'_>, case: &CaseNode, first: i32) -> Result<Vec<CaseNode>> {
    let most = usize::try_from(first).ok().filter(|most| (1..=100).contains(most));
    let most = most.ok_or_else(|| async_graphql::Error::new("first: must be 1 to 100"))?;
    let (resolvers, caller) = asking(context)?;
    let earlier = resolvers.earlier_cases(caller, &CaseId::new(case.0.at.id()), most).await.map_err(refused)?;
    earlier.into_iter().map(|(id, name)| CaseNode::new(At::captioned(&nodes::CASE, id, name))).collect()
}

/// The title of a case, by what is linked to it, of which the first of each kind counts.
fn title(case: &At, parts: &[CaseTitlePart]) -> String {
    let first = |is_actor| parts.iter().find(|part| part.is_actor == is_actor).map(|part| part.name.as_str());
    // The caption of a case is its type and its id.
    let kind = || case.name().strip_suffix(case.id()).map_or(case.name(), str::trim_end);
    match (first(false), first(true)) {
        (None, None) => case.name().to_owned(),
        (Some(rule), None) => rule.to_owned(),
        (rule, Some(actor)) => format!("{}: {actor}", rule.unwrap_or_else(kind)),
    }
}

object_with_links! {
    /// A case that is looked into, or to be reported.
    CaseNode as "Case" {
        /// The case's id.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Case:{}", self.0.at.id()))
        }

        /// The type and the id of the case, such as `Analysis` and a UUID, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// What people recognise it by: the rule of an observation that it was raised from, else its type, then an actor that it focuses on. The `name` where
        /// it has neither.
        async fn title(&self, context: &Context<'_>) -> Result<String> {
            Ok(title(&self.0.at, &few::<CaseTitlePart>(context, self).await?))
        }

        /// What `actOnCase` can do with it where it stands.
        async fn actions(&self, context: &Context<'_>) -> Result<Vec<String>> {
            let mut actions: Vec<String> = few::<MoveFields>(context, self).await?.into_iter().map(|said| said.action).collect();
            actions.dedup();
            Ok(actions)
        }

        /// Where it stands.
        async fn workflow(&self, context: &Context<'_>) -> Result<CaseWorkflowRecord> {
            Ok(self.record(context).await?.fields.workflow)
        }

        /// Attributes that the creator of the case gave it, as a JSON object; null when there are none.
        async fn metadata(&self, context: &Context<'_>) -> Result<Option<JsonObject>> {
            AnswerBudget::counted(context, self.record(context).await?.fields.metadata)
        }

        /// What came out: any JSON value.
        async fn resolution(&self, context: &Context<'_>) -> Result<Option<JsonText>> {
            AnswerBudget::counted(context, self.record(context).await?.fields.resolution)
        }

        /// By what way it came.
        async fn source(&self, context: &Context<'_>) -> Result<Option<String>> {
            AnswerBudget::counted(context, self.record(context).await?.fields.source)
        }

        /// Whether it is open, and was due already.
        async fn overdue(&self, context: &Context<'_>) -> Result<bool> {
            let now = present(context)?;
            Ok(self.0.summary(context).await?.due_at.is_some_and(|due_at| due_at < now))
        }

        /// The law under which the case falls, in the institution's own words; null while nobody has named it.
        async fn jurisdiction(&self, context: &Context<'_>) -> Result<Option<String>> {
            AnswerBudget::counted(context, self.record(context).await?.fields.jurisdiction)
        }

        /// What was written when it was closed.
        async fn narrative(&self, context: &Context<'_>) -> Result<Option<String>> {
            AnswerBudget::counted(context, self.record(context).await?.fields.narrative)
        }

        /// An object of `c__…`.
        async fn custom_properties(&self, context: &Context<'_>) -> Result<CustomProperties> {
            AnswerBudget::counted(context, self.record(context).await?.custom_properties)
        }
    }
    whole {
        /// Labels for finding and grouping cases.
        tags: TagNode;
    }
    shown {
        /// How often it has changed: what a mutation takes as `expectedVersion`.
        version: i64 = |it| it.version;
        /// Whether the case looks into something or reports it.
        kind as "type": CaseType = |it| it.kind;
        /// The time at which the case was made, as its creator gave it, else the time of its arrival.
        created_at: Timestamp = |it| it.created_at;
        /// The time at which the service came to have it.
        recorded_at: Timestamp = |it| it.recorded_at;
        /// By what its findings belong together, where detection gathers findings in it; null for every other case.
        gathered_by: Option<GatheredBy> = |it| it.gathered_by;
        /// The time of the last change.
        updated_at: Timestamp = |it| it.updated_at;
        /// Why it was closed last.
        close_reason: Option<String> = |it| it.close_reason.clone(), counted;
        /// The time at which it came to its step.
        step_since: Timestamp = |it| it.step_since;
        /// The time by which it is to leave its step, as the step says; null where it does not, and while the case is closed.
        due_at: Option<Timestamp> = |it| it.due_at;
        /// The time at which it was closed last; null while it is open, and where nobody knows any more.
        closed_at: Option<Timestamp> = |it| it.closed_at;
        /// The highest band of the actors that it focuses on: `low_risk`, `medium_risk` or `high_risk`; null where none has a score.
        risk_band: Option<&'static str> = |it| risk_band(it.risk);
    }
    principals {
        /// The user, key or client that made it; null where the service did, and where nobody knows any more.
        created_by = |it| it.created_by.as_deref();
    }
    leads_to {
        /// Who works on it.
        assignee: UserNode;
        /// The step of its workflow that it is on.
        step: StepNode;
        /// Of a filing the analysis that it came of; null where none was named, and for analyses.
        analysis_case: CaseNode;
    }
    first_of {
        /// Cases that were made before it, open or closed, and focus on an actor that it focuses on: the newest first.
        earlier_cases: Vec<CaseNode> = earlier_cases, "How many cases at most: 1 to 100; 10 when null.";
    }
    links {
        /// Whom it is about: those first that it focuses on.
        actors: CaseActors, ActorNode, CaseActorFields;
        /// The actors that it focuses on.
        focal_actors: Actors, ActorNode, EmptyFields;
        /// What was said of it, the oldest first.
        comments: CaseComments, CommentNode, EmptyFields;
        /// What was uploaded to it.
        files: Files, FileNode, EmptyFields;
        /// What people think of what it was raised from, the latest first.
        feedback: Feedback, FeedbackNode, EmptyFields;
        /// What people did with what it was raised from, the latest first.
        observation_actions: ObservationActions, ObservationActionNode, EmptyFields;
        /// Transactions that something was decided about, the latest decision first.
        decided_transactions: DecidedTransactions, TransactionNode, DecisionEdge;
    }
    cases {
        /// Filings that came of it, newest first unless `orderBy` says otherwise.
        filings;
    }
    observations {
        /// What it was raised from, and what was said of that last: the newest first unless `orderBy` says otherwise.
        observations: CaseObservations, CaseObservationFields;
    }
    filtered {
        /// What happened to it, as webhooks are told it, in that order.
        events: EventFilterInput, EventConnection;
    }
    ordered {
        /// What somebody wrote to somebody about it, the latest first unless `orderBy` says otherwise.
        communications: CommunicationFilterInput, CommunicationOrder, CommunicationConnection;
        /// Which webhooks were told what of it, the newest first unless `orderBy` says otherwise. For administrators.
        deliveries: DeliveryFilterInput, DeliveryOrder, DeliveryConnection;
        /// Data that systems were asked for, the newest first unless `orderBy` says otherwise.
        requests_for_data: RequestFilterInput, RequestForDataOrder, RequestConnection;
    }
    gone_through {
        /// Transactions about which one may decide in it, each once: those that its observations cite, and those whose owner or counterparty is one of its
        /// actors. The newest first unless `orderBy` says otherwise.
        transactions: TransactionFilterInput, TransactionOrder, CaseTransactionConnection;
    }
}
