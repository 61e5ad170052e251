//! Add Transaction: takes a transaction, screens it when screening is configured, and says what came out.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use graph_schema::transaction::TransactionRecord;
use resolvers::Replayed;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, made},
    asked::{Asked, Authenticated},
    documented::Errors,
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, boolean},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Transaction",
    method: Method::Post,
    path: "/api/v2/transactions",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// By this header a retry is known.
const KEY: &str = "idempotency-key";
/// Says that the answer is that of the first request with this key.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Most characters of a key.
const MAX_KEY: usize = 255;

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct ScreenedTransaction {
    transaction_id: String,
    request_id: String,
    screening_results: Vec<ScreeningResult>,
}

/// What one provider said of a transaction.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct ScreeningResult {
    provider_name: String,
    /// Such as `MISS`.
    response: String,
}

/// Add Transaction.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_transaction",
    tag = "transactions",
    description = "Takes a transaction. An id that is known already is amended. Accounts and actors it names need not be known yet; its channel location must be.",
    params(
        ("blocking" = Option<bool>, Query, description = "`true` (default) waits for screening, `false` lets it go on"),
        ("operations" = Option<Vec<String>>, Query, description = "Screenings wanted, comma-separated: `FRAUD`, `SANCTIONS`", style = Form, explode = false),
        ("idempotency-key" = Option<String>, Header, description = "The same key and body within 24 hours get the first answer again", min_length = 1, max_length = 255),
    ),
    request_body = TransactionRecord,
    responses(
        (
            status = 200, description = "taken", body = ScreenedTransaction,
            headers(("idempotent-replayed" = Option<bool>, description = "`true` when the answer is that of the first request with this key")),
        ),
        (status = 409, description = "The first request with this idempotency key is still under way.", body = Errors),
    ),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: Asked) -> Answer {
    let ((), key, given) = (screening(asked.query()), idempotency_key(asked.headers()), asked.object::<TransactionRecord>()).together()?;
    let ingested = asked.resolvers.add_transaction(&caller, given, key).await?;
    let mut response = made(ingested.answer)?;
    if let Replayed::Yes = ingested.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Checks what is asked of screening. No provider is configured, so that there is nothing to wait for, and no result either way.
fn screening(mut query: Query) -> Result<(), Failure> {
    query.optional("blocking", boolean);
    query.list("operations", screening_operation);
    query.finish(Some(()))
}

fn screening_operation(name: &str) -> Result<(), String> {
    match name {
        "FRAUD" | "SANCTIONS" => Ok(()),
        _ => Err("must be FRAUD, SANCTIONS, or both with a comma between them".to_owned()),
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let mut keys = headers.get_all(KEY).iter();
    let Some(key) = keys.next() else {
        return Ok(None);
    };
    if keys.next().is_some() {
        return Err(Failure::unreadable(KEY, "must be given once"));
    }
    let bytes = key.as_bytes();
    let right = (1..=MAX_KEY).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic);
    match key.to_str() {
        Ok(text) if right => Ok(Some(text.to_owned())),
        _ => Err(Failure::unreadable(KEY, "must be 1 to 255 visible ASCII characters")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_1_to_255_visible_characters() {
        let key = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(KEY, HeaderValue::from_bytes(value.as_bytes()).unwrap());
            idempotency_key(&headers)
        };
        assert_eq!(idempotency_key(&HeaderMap::new()), Ok(None));
        for right in ["a", "!~", &"k".repeat(255)] {
            assert_eq!(key(right), Ok(Some(right.to_owned())));
        }
        for wrong in ["", "a b", "é", &"k".repeat(256)] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
        let mut twice = HeaderMap::new();
        twice.append(KEY, HeaderValue::from_static("a"));
        twice.append(KEY, HeaderValue::from_static("a"));
        assert!(idempotency_key(&twice).is_err());
    }

    #[test]
    fn what_is_asked_of_screening_must_make_sense() {
        for right in ["", "blocking=false", "blocking=true&operations=FRAUD,SANCTIONS", "operations=SANCTIONS"] {
            assert!(screening(Query::read(right)).is_ok(), "{right}");
        }
        for wrong in ["blocking=1", "operations=", "operations=fraud", "blocking=true&blocking=true", "x=1"] {
            assert!(screening(Query::read(wrong)).is_err(), "{wrong}");
        }
    }
}
