//! Add Transaction: takes a transaction, screens it when screening is configured, and says what came out.

use graph_schema::{
    screening::{ScreeningOperation, ScreeningResponse},
    transaction::TransactionRecord,
};
use resolvers::ScreeningRequest;
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
    /// `HIT`: something was found. `MISS`: nothing was. `ERROR`: the provider said nothing that can be used. `TIMEOUT`: it said nothing in time.
    response: ScreeningResponse,
}

/// Add Transaction.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_transaction",
    tag = "transactions",
    description = "Takes a transaction. An id that is known already is amended. Accounts and actors it names need not be known yet; its channel location must be.",
    params(
        ("blocking" = Option<bool>, Query, description = "`true` (default) waits for screening, for as long as is configured; `false` answers with an empty list, and screening goes on"),
        ("operations" = Option<Vec<ScreeningOperation>>, Query, description = "Screenings wanted, comma-separated: `FRAUD`, `SANCTIONS`. Without it nothing is screened; for an operation without a configured provider there is no result", style = Form, explode = false),
    ),
    request_body = TransactionRecord,
    responses(
        (status = 200, description = "taken", body = ScreenedTransaction),
    ),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (screening, key, given) = (screening(asked.query()), asked.idempotency_key(), asked.object::<TransactionRecord>()).together()?;
    written(asked.resolvers.add_transaction(&caller, given, screening, key).await?)
}

/// What is to be screened, and whether the sender waits for it, which it does unless it says otherwise.
fn screening(mut query: Query) -> Result<ScreeningRequest, Failure> {
    let blocking = query.optional("blocking", boolean).unwrap_or(true);
    let operations = ScreeningOperation::distinct(query.list("operations", ScreeningOperation::parse).unwrap_or_default());
    query.finish(Some(ScreeningRequest { operations, blocking }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_of_screening_must_make_sense() {
        let asked = |text: &str| screening(Query::read(text)).map(|request| (request.operations, request.blocking)).ok();
        assert_eq!(asked(""), Some((Vec::new(), true)));
        let both = vec![ScreeningOperation::Sanctions, ScreeningOperation::Fraud];
        assert_eq!(asked("blocking=false&operations=SANCTIONS,FRAUD,SANCTIONS"), Some((both, false)));
        for right in ["", "blocking=false", "blocking=true&operations=FRAUD,SANCTIONS", "operations=SANCTIONS"] {
            assert!(screening(Query::read(right)).is_ok(), "{right}");
        }
        for wrong in ["blocking=1", "operations=", "operations=fraud", "blocking=true&blocking=true", "x=1"] {
            assert!(screening(Query::read(wrong)).is_err(), "{wrong}");
        }
    }
}
