//! Actors that have come or changed are screened (see [`crate::screening`]).

use std::time::Duration;

use super::{Job, JobContext, Next};
use crate::Result;
use crate::screening::Drained;

/// How long is waited for lists that are being loaded.
const LOADING: Duration = Duration::from_millis(500);

/// Screens some of the actors that wait. Nobody wakes it: writers of actors are many, and a look each second finds what they leave.
pub struct ActorScreenings;

impl Job for ActorScreenings {
    const NAME: &'static str = "actor-screenings";
    const LEASE: Duration = Duration::from_secs(30);

    async fn run(&self, context: &JobContext) -> Result<Next> {
        Ok(match context.resolvers.inner.screen_pending_actors().await? {
            Drained::Some => Next::AtOnce,
            Drained::All => Next::WhenWoken,
            Drained::ListsAreLoading => Next::InAMoment(LOADING),
        })
    }
}
