//! Create Channel Location: takes a place at which transactions are made.

use graph_schema::channel_location::ChannelLocationRecord;

use crate::{
    answer::{Answer, written},
    fault::Together,
    operation::{Credentials, ErrorBody, Method, Operation},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Create Channel Location",
    method: Method::Post,
    path: "/api/channel_locations",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Create Channel Location.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "create_channel_location",
    tag = "channel_locations",
    description = "Takes a place at which transactions are made; one that is known already is updated.",
    request_body = ChannelLocationRecord,
    responses((status = 200, description = "an empty object", body = Object)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (key, given) = (asked.key_without_query(), asked.object::<ChannelLocationRecord>()).together()?;
    written(asked.resolvers.add_channel_location(&caller, given, key).await?)
}
