//! How far the change feed goes, for who works on it in the background.

use std::time::Duration;

use cypher::statements::change_feed as statements;
use cypher::statements::rows::ChangeFeedState;
use cypher::{Engine, Error, Params};

/// How long a look may take of who works on the feed in the background.
pub(crate) const LOOK: Duration = Duration::from_secs(5);
/// How often sets are looked for that have just got their positions, and the pause behind each look.
pub(crate) const LOOKS_FOR_SETS: usize = 10;
pub(crate) const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How far the feed goes.
pub(crate) async fn state(engine: &Engine) -> Result<ChangeFeedState, Error> {
    let rows = engine.read_as(statements::STATE, Params::none(), LOOK).await?;
    statements::STATE.first(rows)
}
