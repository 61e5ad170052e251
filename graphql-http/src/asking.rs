//! What every field begins with: the operations, the caller and the present from its context, and the idempotency key from its input.

use std::sync::OnceLock;

use async_graphql::{Context, Result};
// What fields wait for is boxed. A future holds the types of all that it waits for, and the compiler goes through them anew for each field that waits.
pub use async_recursion::async_recursion as boxed;
use graph_schema::date::Timestamp;
use resolvers::{Caller, Error, IdempotencyKey, Resolvers};

/// The operations and the caller. A request without a caller is refused before.
pub fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}

/// The present of one document, kept when it is first asked for.
#[derive(Default)]
pub struct DocumentTime(OnceLock<Timestamp>);

/// The present of a document, in whole seconds: all of its fields have the same, and who asks the same question within a second shares the answer. A
/// subscription goes on while time does, so that each of its events has a present of its own.
pub fn present(context: &Context<'_>) -> Result<Timestamp> {
    let (resolvers, _) = asking(context)?;
    let now = || Timestamp(resolvers.now().millis().div_euclid(1_000).saturating_mul(1_000));
    Ok(match context.data_opt::<DocumentTime>() {
        Some(DocumentTime(kept)) => *kept.get_or_init(now),
        None => now(),
    })
}

/// The key of an input; refused as its field `idempotencyKey` where it can't be one.
pub fn key(text: Option<String>) -> std::result::Result<Option<IdempotencyKey>, Error> {
    text.map(|text| IdempotencyKey::parse(&text)).transpose().map_err(|problem| Error::invalid("idempotencyKey", problem))
}

/// Does a piece of work under the key of an input, unless that is no key.
pub async fn with_key<T, F>(text: Option<String>, work: impl FnOnce(Option<IdempotencyKey>) -> F) -> resolvers::Result<T>
where
    F: Future<Output = resolvers::Result<T>>,
{
    work(key(text)?).await
}

/// The idempotency key of an item of a list: each item is a request of its own.
pub fn item_key(key: Option<&str>, at: usize) -> Option<String> {
    key.map(|key| format!("{key}/{at}"))
}
