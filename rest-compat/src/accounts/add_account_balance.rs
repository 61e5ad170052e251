//! Add Account Balance: takes the balance of an account at the end of a day.

use graph_schema::account::{AccountBalance, AccountBalanceRecord};

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Account Balance",
    method: Method::Post,
    path: "/api/accounts/{id}/balances",
    success: 200,
    errors: &[422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Add Account Balance.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_account_balance",
    tag = "accounts",
    description = "Takes the balance of an account at the end of a day.",
    params(("id" = String, Path, description = "Id of the account", min_length = 1, max_length = 256)),
    request_body = AccountBalance,
    responses((status = 200, description = "the balance as it is stored", body = AccountBalanceRecord)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, id, given) = (asked.key_without_query(), asked.id("id"), asked.object::<AccountBalance>()).together()?;
    written(asked.resolvers.add_balance(&caller, &id, given, key).await?)
}
