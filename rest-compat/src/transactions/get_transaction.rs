//! Get Transaction: reads a transaction as it was given.

use graph_schema::transaction::TransactionRecord;

use crate::{
    answer::{Answer, verbatim},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get Transaction",
    method: Method::Get,
    path: "/api/v2/transactions/{id}",
    success: 200,
    errors: &[400, 404, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Get Transaction.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_transaction",
    tag = "transactions",
    description = "Reads a transaction as it was given.",
    params(("id" = String, Path, description = "Id of the transaction", min_length = 1, max_length = 256)),
    responses((status = 200, description = "the transaction", body = TransactionRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let ((), id) = (asked.no_query(), asked.id("id")).together()?;
    verbatim(asked.resolvers.transaction(&caller, &id).await?)
}
