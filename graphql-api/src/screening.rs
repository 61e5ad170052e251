//! What providers have said of payments and actors.

mod cleared;

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use graphql_service::filtering::not_too_many;
use resolvers::explore::{ListFilter, ScreeningFilter, ScreeningSummary};

use super::actor::ActorNode;
use super::connection::{NodeConnection, Screenings};
use super::object::{graph_node, object_with_links};
use super::transaction::TransactionNode;
use super::walk::Shown;

pub use cleared::{ClearedMatchFilterInput, ClearedMatchNode};

/// What one provider said of a payment or an actor, once.
#[derive(Clone)]
pub struct ScreeningNode(Shown<ScreeningSummary>);

graph_node!(ScreeningNode shows ScreeningSummary);

/// A page of screenings.
pub type ScreeningConnection = NodeConnection<ScreeningNode, EmptyFields, Screenings>;

object_with_links! {
    /// What one provider said of a payment or an actor, once. A payment that is sent again is screened again, and so is an actor of whom something else is said.
    ScreeningNode as "Screening" {
        /// The screening's id: of the request that brought the payment or the actor, or of the list's version, and of the operation and the provider.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("Screening:{}", self.0.at.id()))
        }

        /// The provider and its response.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// What the payment or the actor was screened for.
        operation: ScreeningOperation = |it| it.operation;
        /// The provider, as the configuration names it.
        provider_name: String = |it| it.provider_name.clone();
        /// What the provider said.
        response: ScreeningResponse = |it| it.response;
        /// When the provider said it.
        screened_at: Timestamp = |it| it.screened_at;
        /// The score of the best match, from 0 to 1; null where nothing was found, or the provider gives no score.
        score: Option<f64> = |it| it.score;
        /// Why the response is `ERROR` or `TIMEOUT`; null otherwise.
        reason: Option<String> = |it| it.reason.clone(), counted;
        /// The versions of watchlists that were searched, as `LIST/VERSION`; empty where the provider searches none.
        list_versions: Vec<String> = |it| it.list_versions.clone();
        /// Entries of watchlists that were found and left out, because somebody has cleared them of the party, as `LIST/ENTRY`.
        cleared: Vec<String> = |it| it.cleared.clone();
    }
    leads_to {
        /// The actor that was screened; null where it was a payment.
        actor: ActorNode;
        /// The payment that was screened; null where it was an actor.
        transaction: TransactionNode;
    }
    observations {
        /// Observations of what was found, newest first unless `orderBy` says otherwise.
        observations: Observations, EmptyFields;
    }
}

/// Which screenings. All that is given must hold.
#[derive(Default, InputObject)]
#[graphql(name = "ScreeningFilter")]
pub struct ScreeningFilterInput {
    /// With one of these responses.
    responses: Option<Vec<ScreeningResponse>>,
    /// For one of these operations.
    operations: Option<Vec<ScreeningOperation>>,
}

impl ScreeningFilterInput {
    /// The filter. A list that leaves nothing is a mistake.
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { responses, operations } = self;
        not_too_many("responses", responses.as_ref().map(Vec::len))?;
        not_too_many("operations", operations.as_ref().map(Vec::len))?;
        Ok(ListFilter::Screenings(ScreeningFilter { responses, operations }))
    }
}
