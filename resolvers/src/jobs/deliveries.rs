//! Deliveries go out (see [`crate::delivery`]).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Job, JobContext, Next, Sharing};
use crate::Result;
use crate::delivery::{self, Courier};

/// Lets the courier of this process take what is due. All workers do, beside each other: what they share is claimed lane by lane.
#[derive(Default)]
pub struct Deliveries {
    /// Made when there is something to deliver.
    courier: Mutex<Option<Courier>>,
}

impl Deliveries {
    fn courier(&self, context: &JobContext) -> Result<Courier> {
        let mut courier = self.courier.lock().unwrap_or_else(PoisonError::into_inner);
        match &*courier {
            Some(courier) => Ok(courier.clone()),
            None => Ok(courier.insert(Courier::new(&context.resolvers.inner)?).clone()),
        }
    }
}

impl Job for Deliveries {
    const NAME: &'static str = delivery::DELIVERIES_JOB;
    const LEASE: Duration = Duration::from_secs(10);
    const SHARING: Sharing = Sharing::AllWorkers;

    async fn run(&self, context: &JobContext) -> Result<Next> {
        self.courier(context)?.pump().await?;
        Ok(Next::WhenWoken)
    }

    async fn stop(&self) {
        let courier = self.courier.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(courier) = courier {
            courier.stop().await;
        }
    }
}
