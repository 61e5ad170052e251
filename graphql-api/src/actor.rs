//! Actors: people and companies, what they hold, whom they have to do with, what they share.

mod filter;

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, ID, Result};
use graph_schema::actor::{ActorRecord, ActorStatus, ActorType};
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::{AssociateFields, CaseActorFields, IdentityFields, ObservationActorFields, RoleFields};
use graphql_service::flow::{FlowTotals, flow_totals};
use graphql_service::orders::CommunicationOrder;
use graphql_service::risk::{self, RiskFactor, RiskScoreEntry};
use resolvers::explore::ActorSummary;

use super::account::AccountNode;
use super::case::{CaseNode, CommunicationConnection, CommunicationFilterInput, RequestNode};
use super::connection::{Associates, NodeConnection};
use super::identity::{IdentityNode, SharedFields};
use super::object::{graph_node, object_with_links};
use super::observation::SignalNode;
use super::risk::{ExclusionNode, ExtendedInformationNode, RiskAssessmentConnection, RiskAssessmentFilterInput, RiskScoreNode};
use super::screening::{ClearedMatchNode, ScreeningConnection, ScreeningFilterInput};
use super::segmentation::GroupNode;
use super::user::MemberEdge;
use super::version::{ActorVersion, record};
use super::walk::Shown;
use crate::boxed;
pub use filter::{ActorFilterInput, AssociateFilterInput, of_order};

/// A person or a company; one that was only named so far has `known: false`.
#[derive(Clone)]
pub struct ActorNode(Shown<ActorSummary>);

graph_node!(ActorNode shows ActorSummary);

/// A page of associates.
pub type AssociateConnection = NodeConnection<ActorNode, AssociateFields, Associates>;

#[boxed]
async fn risk_history(context: &Context<'_>, actor: &ActorNode, first: i32) -> Result<Vec<RiskScoreEntry>> {
    risk::history(context, actor.0.at.id(), first).await
}

object_with_links! {
    /// A person or a company; one that was only named so far has `known: false`.
    ActorNode as "Actor" {
        /// The actor's id, as it was ingested.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Actor:{}", self.0.at.id()))
        }

        /// What a human knows them by.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The record as it was given: the present one, or as it was known to be on a date.
        async fn record(&self, context: &Context<'_>, as_of: Option<Date>) -> Result<Option<ActorRecord>> {
            record(context, &self.0.at, as_of).await
        }

        /// What the last calculated risk score is made of; empty where none was calculated.
        #[graphql(complexity = 100)]
        async fn risk_factors(&self, context: &Context<'_>) -> Result<Vec<RiskFactor>> {
            risk::factors(context, self.0.at.id()).await
        }

        /// What came in and went out in a time, over all of their accounts: at most 100,000 payments are added up, for more ask for a shorter time.
        #[graphql(complexity = 500)]
        async fn flow_totals(
            &self,
            context: &Context<'_>,
            #[graphql(desc = "Payments that were made at this time or later.")] from: Timestamp,
            #[graphql(desc = "Payments that were made before this time.")] to: Timestamp,
        ) -> Result<FlowTotals> {
            flow_totals(context, self.0.at.id(), (from, to)).await
        }
    }
    shown {
        /// Whether their record has arrived; others have only named them so far when not.
        known: bool = |it| it.known;
        /// A person or a company.
        kind as "type": Option<ActorType> = |it| it.kind;
        /// The status as the actor's record gives it; null when the record gives none.
        status: Option<ActorStatus> = |it| it.status;
        /// ISO 3166-1 alpha-2.
        nationality: Option<String> = |it| it.nationality.clone();
        /// The country they live or are seated in, ISO 3166-1 alpha-2.
        domicile: Option<String> = |it| it.domicile.clone();
        /// The day of birth of a person; null when the record names none.
        date_of_birth: Option<Date> = |it| it.date_of_birth;
        /// The risk score that counts: the latest, or the one that overrides the others.
        risk_score: Option<f64> = |it| it.risk_score;
        /// The band of `riskScore`: `low_risk`, `medium_risk` or `high_risk`.
        risk_band: Option<String> = |it| it.risk_band.clone();
        /// The time at which the present record came; null where none has.
        recorded_at: Option<Timestamp> = |it| it.recorded_at;
    }
    principals {
        /// The user, key or client that sent the present record; null where none has come, and for what was stored before that was kept.
        recorded_by = |it| it.recorded_by.as_deref();
    }
    leads_to {
        /// The score that counts: the one that overrides the others while there is one, else the latest. Null where there is none.
        effective_risk_score: RiskScoreNode;
        /// The exclusion that counts: the one that was stored last. Null where there was none, that is, the actor is monitored as usual.
        exclusion: ExclusionNode;
        /// Balances and counts over all products, as of the latest date; null where none were sent.
        extended_information: ExtendedInformationNode;
    }
    first_of {
        /// The risk scores of the actor, the latest first.
        risk_history: Vec<RiskScoreEntry> = risk_history, "How many scores at most: 0 to 200; 10 when null."
            => deprecated "Use `riskScores`.";
    }
    links {
        /// All versions, the latest date first.
        history: ActorVersions, ActorVersion, EmptyFields;
        /// All risk scores, the latest first: by the date from which each is valid, then by when it came.
        risk_scores: RiskScores, RiskScoreNode, EmptyFields;
        /// All exclusions, the one that counts first.
        exclusions: ActorExclusions, ExclusionNode, EmptyFields;
        /// Balances and counts over all products, as of each date that was sent, the latest first.
        extended_information_history: ExtendedInformations, ExtendedInformationNode, EmptyFields;
        /// What identifies them: phones, emails, addresses, documents, references.
        identities: Identities, IdentityNode, IdentityFields;
        /// Other actors that share a phone, an email, an address, a document or a reference with them.
        shares_identity_with: Sharing, ActorNode, SharedFields;
        /// Cases that are about them or concern them.
        cases: ActorCases, CaseNode, CaseActorFields;
        /// Signals about them that were suppressed, the latest first.
        suppressed_signals: SuppressedSignals, SignalNode, EmptyFields;
        /// Requests for data that were answered by telling of them.
        answered_requests: RequestsForData, RequestNode, EmptyFields;
        /// Entries of watchlists that somebody has cleared them of, the latest first; those that count no more as well.
        cleared_matches: ClearedMatches, ClearedMatchNode, EmptyFields;
    }
    with_past {
        /// Accounts on which they have a role.
        accounts: RolesOfActor, AccountNode, RoleFields;
        /// Segmentation groups they are in; the one they came to last is first.
        segmentation_groups: ActorSegmentationGroups, GroupNode, MemberEdge;
        /// Segmentation groups they own.
        owned_groups: ActorSegmentationGroups, GroupNode, MemberEdge;
    }
    associates {
        /// Who is associated with them: their investors, guarantors, representatives, relatives.
        associates;
        /// With whom they are associated: in whom they invest, for whom they guarantee.
        associate_of;
    }
    payments {
        /// Payments that name them as the counterparty, by whoever reported them.
        involved_in;
        /// Payments that are theirs.
        transactions;
    }
    observations {
        /// Observations about them, newest first unless `orderBy` says otherwise.
        observations: ActorObservations, ObservationActorFields;
        /// Observations that they have to do with as a legal entity, newest first unless `orderBy` says otherwise.
        mentioned_in: Observations, EmptyFields;
    }
    filtered {
        /// What systems and people have said of their risk, the latest first.
        risk_assessments: RiskAssessmentFilterInput, RiskAssessmentConnection;
        /// What providers said of them when they were screened, the latest first.
        screenings: ScreeningFilterInput, ScreeningConnection;
    }
    ordered {
        /// What they wrote, or somebody wrote to them, as far as it says that they are actors: the latest first unless `orderBy` says otherwise.
        communications: CommunicationFilterInput, CommunicationOrder, CommunicationConnection;
    }
}
