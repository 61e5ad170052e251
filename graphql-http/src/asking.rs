//! What every field begins with: the operations and the caller from its context, the idempotency key from its input, and how many items a mutation acts on.

use async_graphql::{Context, Result};
// What fields wait for is boxed. A future holds the types of all that it waits for, and the compiler goes through them anew for each field that waits.
pub use async_recursion::async_recursion as boxed;
use resolvers::{Caller, Error, IdempotencyKey, Resolvers};

/// The operations and the caller. A request without a caller is refused before.
pub fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
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

/// The most items of a list that one mutation acts on.
const MOST_ITEMS: usize = 500;

/// Refuses a list of no items, or of more than one mutation acts on; `name` is its field of the input.
pub fn check_items(name: &str, items: usize) -> resolvers::Result<()> {
    if (1..=MOST_ITEMS).contains(&items) { Ok(()) } else { Err(Error::invalid(name, format!("must name 1 to {MOST_ITEMS}"))) }
}

/// The idempotency key of an item of a list: each item is a request of its own.
pub fn item_key(key: Option<&str>, at: usize) -> Option<String> {
    key.map(|key| format!("{key}/{at}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutation_acts_on_1_to_500_items() {
        let refusal = |items| match check_items("targets", items) {
            Err(Error::Invalid(faults)) => faults.first().map(ToString::to_string),
            _ => None,
        };
        let wrong = || Some("targets: must name 1 to 500".to_owned());
        assert_eq!([0, 1, 500, 501].map(refusal), [wrong(), None, None, wrong()]);
    }
}
