//! What providers have said of payments.

use async_graphql::connection::EmptyFields;
use async_graphql::{ID, Result};
use graph_schema::date::Timestamp;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use resolvers::explore::ScreeningSummary;

use super::object::{graph_node, object_with_links};
use super::transaction::TransactionNode;
use super::walk::Shown;

/// What one provider said of a payment, once.
#[derive(Clone)]
pub struct ScreeningNode(Shown<ScreeningSummary>);

graph_node!(ScreeningNode shows ScreeningSummary);

object_with_links! {
    /// What one provider said of a payment, once. A payment that is sent again is screened again.
    ScreeningNode as "Screening" {
        /// The screening's id: of the request that brought the payment, the operation and the provider.
        async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// The provider and its response.
        async fn name(&self) -> &str {
            self.0.at.name()
        }
    }
    shown {
        /// What the payment was screened for.
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
    }
    leads_to {
        /// The payment that was screened.
        transaction: TransactionNode;
    }
    observations {
        /// Observations of what was found, newest first unless `orderBy` or `order` says otherwise.
        observations: Observations, EmptyFields;
    }
}
