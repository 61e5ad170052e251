//! How far the change feed goes, for who works on it in the background.

use std::time::Duration;

use cypher::statements::change_feed as statements;
use cypher::statements::rows::ChangeFeedState;
use cypher::{Engine, Error, Params};

/// How long a look may take of who works on the feed in the background.
pub(super) const LOOK: Duration = Duration::from_secs(5);

/// How far the feed goes.
pub(super) async fn state(engine: &Engine) -> Result<ChangeFeedState, Error> {
    let rows = engine.read_as(statements::STATE, Params::none(), LOOK).await?;
    statements::STATE.first(rows)
}
