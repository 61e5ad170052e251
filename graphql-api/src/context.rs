//! The operations and the caller, as every field takes them from its context.

use async_graphql::{Context, Result};
// What fields wait for is boxed. A future holds the types of all that it waits for, and the compiler goes through them anew for each field that waits.
pub(crate) use async_recursion::async_recursion as boxed;
use resolvers::{Caller, Resolvers};

/// The operations and the caller. A request without a caller is refused before.
pub(crate) fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}
