//! Add Transaction: takes a transaction, screens it when screening is configured, and says what came out.

use graph_schema::transaction::TransactionRecord;
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, boolean},
    rest_request::{Authenticated, RestRequest},
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

/// A screening that can be wanted.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Screening {
    Fraud,
    Sanctions,
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
        ("operations" = Option<Vec<Screening>>, Query, description = "Screenings wanted, comma-separated: `FRAUD`, `SANCTIONS`", style = Form, explode = false),
    ),
    request_body = TransactionRecord,
    responses(
        (status = 200, description = "taken", body = ScreenedTransaction),
    ),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), key, given) = (screening(asked.query()), asked.idempotency_key(), asked.object::<TransactionRecord>()).together()?;
    written(asked.resolvers.add_transaction(&caller, given, key).await?)
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

#[cfg(test)]
mod tests {
    use super::*;

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
