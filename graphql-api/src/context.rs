//! The operations and the caller, as every field takes them from its context.

use async_graphql::{Context, Result};
use resolvers::{Caller, Resolvers};

/// The operations and the caller. A request without a caller is refused before.
pub(crate) fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}
