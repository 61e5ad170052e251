//! Get All Channel Locations: lists the places at which transactions are made.

use graph_schema::channel_location::{ChannelLocationRecord, ChannelLocationType};
use resolvers::{ChannelLocationQuery, explore::LocationSort};
use utoipa::ToSchema;

use crate::{
    answer::{Answer, page_of_texts},
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, one_of},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Get All Channel Locations",
    method: Method::Get,
    path: "/api/channel_locations",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The document's default for this list.
const DEFAULT_LIMIT: i64 = 200;

/// The scalar fields of a channel location.
const SORTABLE: [(&str, LocationSort); 2] = [("id", LocationSort::Id), ("type", LocationSort::Type)];

/// The answer's shape; it is written from the records' texts.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct ChannelLocations {
    locations: Vec<ChannelLocationRecord>,
}

/// Get All Channel Locations.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_all_channel_locations",
    tag = "channel_locations",
    description = "Lists the places at which transactions are made, newest first unless sorted.",
    params(
        ("filter_type" = Option<ChannelLocationType>, Query, description = "Only places of this type"),
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 200 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
        ("sort_by" = Option<String>, Query, description = "Comma-separated fields, `id` and `type`; `-` before one for descending", pattern = "^-?(id|type)(,-?(id|type))*$"),
    ),
    responses((status = 200, description = "the channel locations, each as it was given", body = ChannelLocations)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let wanted = wanted(asked.query())?;
    let records = asked.resolvers.channel_locations(&caller, wanted).await?;
    page_of_texts(asked.resolvers.page_bytes(), &records, |array| format!(r#"{{"locations":{array}}}"#))
}

fn wanted(mut query: Query) -> Result<ChannelLocationQuery, Failure> {
    let kind = query.optional("filter_type", one_of::<ChannelLocationType>);
    let page = query.page(DEFAULT_LIMIT);
    let sort = query.sort("sort_by", &SORTABLE);
    query.finish(Some(ChannelLocationQuery { kind, page, sort }))
}
