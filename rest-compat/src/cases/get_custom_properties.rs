//! Retrieves a list of custom properties: those that are defined, with their schemas.

use graph_schema::custom_property::{CustomPropertyDefinition, PropertyEntity};
use resolvers::PropertyQuery;
use resolvers::explore::PropertyFilter;

use crate::{
    answer::{Answer, bounded_page},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, text},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Retrieves a list of custom properties",
    method: Method::Get,
    path: "/api/custom_properties",
    success: 200,
    errors: &[400, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// Retrieves a list of custom properties.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "get_custom_properties",
    tag = "cases",
    description = "Lists the custom properties that are defined, the newest first. All that is given must hold. A property that is not defined may be set all the same.",
    params(
        ("limit" = Option<i32>, Query, description = "Most items of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("offset" = Option<i32>, Query, description = "Items to pass over", minimum = 0),
        ("filter.entity" = Option<PropertyEntity>, Query, description = "What has it"),
        ("filter.name" = Option<String>, Query, description = "Its name"),
    ),
    responses((status = 200, description = "the definitions", body = Vec<CustomPropertyDefinition>)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let mut query = asked.query();
    let page = query.page(DEFAULT_LIMIT);
    let filter = PropertyFilter { entity: query.optional("filter.entity", entity), name: query.optional("filter.name", text) };
    let wanted = query.finish(Some(PropertyQuery { filter, page }))?;
    let found = asked.resolvers.custom_properties(&caller, wanted).await?;
    bounded_page(asked.resolvers.page_bytes(), found.len(), &found)
}

fn entity(value: &str) -> Result<PropertyEntity, String> {
    PropertyEntity::written(value).ok_or_else(|| "must be case or case.actor".to_owned())
}
