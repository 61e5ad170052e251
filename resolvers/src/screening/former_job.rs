//! Jobs of the kind `screening`, by which payments were screened before they waited in nodes of their own ([`pending_payments`](super::pending_payments)).
//!
//! None is started any more. One that is still stored hands over its payments and ends: what providers have said is known by then, as screenings are the
//! same ones.

use graph_schema::screening::ScreeningOperation;
use serde::{Deserialize, Serialize};

use super::pending_payments::SubmittedPayment;
use crate::jobs::{JobKind, Running, Stopped};
use crate::policy::Permit;

/// Payments that are to be screened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScreenPayments {
    operations: Vec<ScreeningOperation>,
    payments: Vec<SubmittedPayment>,
}

/// How far such a job was says nothing that is not known otherwise.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reached {}

/// How many payments wait now.
#[derive(Debug, Default, Serialize)]
pub(crate) struct HandedOver {
    payments: usize,
}

impl JobKind for ScreenPayments {
    const KIND: &'static str = "screening";
    /// As they were: most are about one payment, and one that has failed often because a provider said nothing is no failed one.
    const AT_ONCE: usize = 32;
    const FAILURES: i64 = 16;
    type Checkpoint = Reached;
    type Result = HandedOver;

    async fn run(&self, _: Reached, running: &Running) -> std::result::Result<HandedOver, Stopped> {
        running.context().resolvers().inner.await_screening(&Permit::of_service(), &self.payments, &self.operations).await?;
        Ok(HandedOver { payments: self.payments.len() })
    }
}
