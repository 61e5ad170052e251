//! Screening of all actors, when somebody asks for it.

use async_graphql::{Context, InputObject, Object, Result};
use graphql_http::asking::{asking, key};

use super::job::{JobPayload, payload};

/// A screening of all actors that is to begin.
#[derive(InputObject)]
pub struct ScreenActorsInput {
    /// The same key again starts nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct ScreeningMutation;

#[Object]
impl ScreeningMutation {
    /// Screens all actors against the whole watchlists, and by all other providers that screen actors, by a job of the kind `actor-batch-screening`: for
    /// actors whose records came before `screening.actors` was set, or before there was a provider. Results are in `Actor.screenings`. The job's result is
    /// `actors`, `hits` (of how many something was found) and `waiting` (of how many a provider has said nothing, so that it is asked again later). While such
    /// a job has not ended, that is the one. For administrators and supervisors.
    async fn screen_actors(&self, context: &Context<'_>, input: ScreenActorsInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let done = async { resolvers.start_screening_actors(caller, key(input.idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        payload(context, done).await
    }
}
