//! What every field needs of its context.

use async_graphql::{Context, Result};
use resolvers::{Caller, Resolvers};

/// The operations and who asks; a request without a caller does not get here.
pub(crate) fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}
