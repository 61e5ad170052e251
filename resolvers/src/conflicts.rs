//! Work in the background that meets others at the same nodes is tried again at once, some times.

use cypher::Error;

/// How often, before whoever asked for it hears of the conflict.
const RETRIES: usize = 5;

/// What came of it, at the latest after the last try. What is tried is whole or not at all, so that it can be done anew.
pub(crate) async fn despite_conflicts<T, F>(mut attempt: impl FnMut() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let mut tried = 0;
    loop {
        match attempt().await {
            Err(error) if error.is_conflict() && tried < RETRIES => tried += 1,
            outcome => return outcome,
        }
    }
}
