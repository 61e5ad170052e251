//! Observations: what detection has noticed, about whom, of which payments, by which rules; what people think of it; and what was suppressed.

pub mod action;
mod evidence;
pub mod feedback;
mod filter;
mod signal;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::{ObservationActorFields, ObservationRuleFields};
use graph_schema::id::UserId;
use graph_schema::money::Money;
use graph_schema::observation::{HandlingKind, MissingReference, ObservationFeatures, ObservationHandling, ObservationRecord, ObservationType};
use graphql_service::principal::{Principal, principal};
use resolvers::explore::{NothingSaid, ObservationSummary};

use super::actor::ActorNode;
use super::connection::{NodeConnection, Observations, few};
use super::object::{graph_node, object_with_links};
use super::screening::{ScreeningConnection, ScreeningFilterInput};
use super::version::record;
use super::walk::Shown;

pub use action::ObservationActionNode;
pub use feedback::FeedbackNode;
pub use filter::{FeedbackFilterInput, ObservationFilterInput, SignalFilterInput};
pub use signal::SignalNode;

/// A page of observations.
pub type ObservationConnection = NodeConnection<ObservationNode, EmptyFields, Observations>;

/// Something that detection has noticed; one that was only named so far has `known: false`.
#[derive(Clone)]
pub struct ObservationNode(Shown<ObservationSummary>);

graph_node!(ObservationNode shows ObservationSummary);

object_with_links! {
    /// Something that detection has noticed; one that was only named so far has `known: false`.
    ObservationNode as "Observation" {
        /// The observation's id, as it was ingested.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Observation:{}", self.0.at.id()))
        }

        /// The title, else the behaviour's name or id, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// What it names and what has not arrived.
        async fn missing_references(&self, context: &Context<'_>) -> Result<Vec<MissingReference>> {
            few(context, self).await
        }

        /// The latest act by which it was handled; null while nobody has handled it.
        async fn handling(&self, context: &Context<'_>) -> Result<Option<Handling>> {
            Ok(few::<ObservationHandling>(context, self).await?.into_iter().next().map(Handling))
        }

        /// Values that were measured, by group.
        async fn features(&self, context: &Context<'_>) -> Result<Vec<ObservationFeatures>> {
            let record: Option<ObservationRecord> = record(context, &self.0.at, None).await?;
            Ok(record.and_then(|record| record.features).unwrap_or_default())
        }

        /// The record as it was given.
        async fn record(&self, context: &Context<'_>) -> Result<Option<ObservationRecord>> {
            record(context, &self.0.at, None).await
        }
    }
    shown {
        /// Whether its record has arrived; otherwise only others have named it.
        known: bool = |it| it.known;
        /// By what kind of detection it was made.
        kind as "type": Option<ObservationType> = |it| it.kind;
        /// A headline for people, as it was sent; null when none was.
        title: Option<String> = |it| it.title.clone(), counted;
        /// The behaviour that was noticed. For the service's own findings it is the id of the rule, with `@` and a group where one was monitored.
        behavior_id: Option<ID> = |it| it.behavior_id.clone().map(ID);
        /// The name of that behaviour for people.
        behavior_name: Option<String> = |it| it.behavior_name.clone();
        /// The time of the observation, as its sender gave it; null while its record has not come.
        date: Option<Timestamp> = |it| it.observed_at;
        /// From 0 to 1; the record has it as it was written.
        score: Option<f64> = |it| it.score;
        /// How the score came about, in a sentence; null unless the service's own detection made it.
        score_reason: Option<String> = |it| it.score_reason.clone();
        /// The priority as it was sent; null when none was.
        priority: Option<String> = |it| it.priority.clone();
        /// The label as it was sent; null when none was.
        label: Option<String> = |it| it.label.clone();
        /// The group of programmes as it was sent; null when none was.
        program_group: Option<String> = |it| it.program_group.clone();
        /// The business day that it is of; null when none was sent.
        business_date: Option<Date> = |it| it.business_date;
        /// The typology: the description of the taxonomy; null when none was sent.
        typology: Option<String> = |it| it.taxonomy_description.clone();
        /// Below the line: a sample that nobody has to work on.
        below_the_line: bool = |it| it.below_the_line;
        /// The originating system, by the sender's own identifier; null when none was sent.
        data_source: Option<String> = |it| it.data_source.clone();
        /// The batch that it is of, of the service's own detection the id of the run; null when none was sent.
        batch_id: Option<ID> = |it| it.batch_id.clone().map(ID);
        /// What its payments add up to in the platform's default currency: the larger of what outbound and inbound records say. 0 while none has come.
        standardized_total: Option<Money> = |it| it.standardized_total;
        /// The line of business of the run that made it; null unless the service's own detection did.
        line_of_business: Option<String> = |it| it.line_of_business.clone();
        /// The score from which its rule speaks; null unless the service's own detection made it, and where the rule has none.
        model_threshold: Option<f64> = |it| it.model_threshold;
        /// Whether somebody has given feedback on it, acted on it, dismissed it or raised a case from it.
        handled: bool = |it| it.handled;
        /// Whether everything it names has arrived.
        finalized: bool = |it| it.finalized;
        /// The service's own id of it.
        internal_id: Option<ID> = |it| it.internal_id.clone().map(ID);
        /// The id of the user, key or client whose request brought it, as REST has it; null for what was stored before that was kept.
        submitter_internal_id: Option<ID> = |it| it.submitted_by.clone().map(ID);
        /// When its record came.
        ingest_date: Option<Timestamp> = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client whose request brought it; null where the service made it, and for what was stored before that was kept.
        submitted_by = |it| it.submitted_by.as_deref();
    }
    first_of {
        /// The subgraph that it rests on: payments, accounts, actors, and what of them it needs. Null unless the service's own detection made it.
        evidence: Option<evidence::EvidenceNode> = evidence::evidence, "How many payments at most, the necessary ones first: 1 to 1000; 10 when null.";
    }
    links {
        /// Whom it is about: those first whom it is mainly about.
        actors: ObservationActors, ActorNode, ObservationActorFields;
        /// Legal entities that have to do with it.
        legal_entities: Actors, ActorNode, EmptyFields;
        /// Rules that were looked at, and what came of each.
        rules: ObservationRules, RuleNode, ObservationRuleFields;
        /// What people think of it in cases, the latest first. What somebody has said with a dismissal is in `handling`.
        feedback: Feedback, FeedbackNode, EmptyFields;
        /// What people did with it, the latest first.
        actions: ObservationActions, ObservationActionNode, EmptyFields;
    }
    payments {
        /// Payments that it is made of; those that have arrived.
        transactions;
    }
    cases {
        /// What was raised from it, newest first unless `orderBy` says otherwise.
        cases;
    }
    filtered {
        /// Screenings that have found it, the latest first.
        screenings: ScreeningFilterInput, ScreeningConnection;
    }
}

/// How an observation was handled.
pub struct Handling(ObservationHandling);

/// How an observation was handled.
#[Object(name = "ObservationHandling")]
impl Handling {
    /// The kind of the act.
    async fn kind(&self) -> HandlingKind {
        self.0.kind
    }

    /// The time of the act.
    async fn at(&self) -> Timestamp {
        self.0.at
    }

    /// The reason that was given; null when none was.
    async fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// The feedback that was given on it, by itself or with its dismissal; null when none was.
    async fn feedback(&self) -> Option<&str> {
        self.0.feedback.as_deref()
    }

    /// The id of the user or credential that did it; null where it is not kept.
    #[graphql(deprecation = "Use `by`.")]
    async fn user_id(&self) -> Option<&UserId> {
        self.0.user_id.as_ref()
    }

    /// The user, key or client that did it; null where the service did, and where it is not kept.
    async fn by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.user_id.as_ref().map(UserId::as_str)).await
    }
}

/// A rule of detection, as observations name it.
#[derive(Clone)]
pub struct RuleNode(Shown<NothingSaid>);

graph_node!(RuleNode shows NothingSaid);

object_with_links! {
    /// A rule of detection, as observations name it.
    RuleNode as "ObservationRule" {
        /// The id by which observations name the rule, else the name that they give it.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ObservationRule:{}", self.0.at.id()))
        }

        /// The rule's name, else its id.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    observations {
        /// Observations for which it was looked at, newest first unless `orderBy` says otherwise.
        observations: RuleObservations, ObservationRuleFields;
    }
}
