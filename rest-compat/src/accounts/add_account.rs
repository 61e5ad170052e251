//! Add Account: takes an account, new or known, and echoes it.

use graph_schema::account::AccountRecord;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Account",
    method: Method::Post,
    path: "/api/accounts",
    success: 200,
    errors: &[422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Account.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_account",
    tag = "accounts",
    description = "Takes an account. An id that is known already is updated; an older `asOfDate` than the stored one is kept as history.",
    request_body = AccountRecord,
    responses((status = 200, description = "the record as it was given", body = AccountRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<AccountRecord>()).together()?;
    written(asked.resolvers.add_account(&caller, given, key).await?)
}
