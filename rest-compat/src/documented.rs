//! The OpenAPI document, put together from the operations' own texts.
//!
//! What an operation's file says is its success; its errors are added here from the same statuses by which it answers,
//! so that the document can't say other than the service does.

mod examples;
mod parameters;

use graph_schema::audit::LogTypeFilter;
use utoipa::{
    Modify, OpenApi, ToSchema,
    openapi::{
        Content, ContentBuilder, InfoBuilder, LicenseBuilder, OpenApi as Document, OpenApiBuilder, Ref, RefOr, Required, Response, ResponseBuilder,
        SecurityRequirement,
        header::{Header, HeaderBuilder},
        path::{Operation as Text, Parameter, ParameterBuilder, ParameterIn, PathItem},
        schema::{ComponentsBuilder, ObjectBuilder, Schema, SchemaType, Type},
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    ADMIN_OPERATIONS, OPERATIONS, accounts, actors,
    answer::REPLAYED,
    audit, bulk, cases, channel_locations, credentials, detection, events, files, lists, observations,
    operation::{Credentials, ErrorBody, Method, Operation},
    reporting, requests_for_data,
    rest_request::KEY,
    segmentation, transactions, users, webhooks,
};

/// Version of the documented interface.
const VERSION: &str = "3.3";
const JSON: &str = "application/json";
/// Name of the security scheme of API keys, which is also the header's.
const API_KEY: &str = "x-api-key";
const BEARER: &str = "bearer";

/// What is wrong, one line for each fault: `<where>: <what is wrong, what would be right>`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Errors {
    errors: Vec<String>,
}

/// What is wrong.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Error {
    error: String,
}

/// What is wrong, as RFC 6749 says it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct OAuthError {
    error: String,
    error_description: String,
}

#[derive(OpenApi)]
// A schema that only a query refers to has to be named here.
#[openapi(components(schemas(Errors, Error, OAuthError, LogTypeFilter, graph_schema::screening::ScreeningOperation)), modifiers(&Schemes))]
struct Shared;

/// The two ways in.
struct Schemes;

impl Modify for Schemes {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_with(|| ComponentsBuilder::new().build());
        let key = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new(API_KEY)));
        components.add_security_scheme(API_KEY, key);
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    }
}

/// The OpenAPI document of every operation of this crate.
pub fn openapi() -> Document {
    let info = InfoBuilder::new()
        .title("AML Monitoring and Case Management Service API")
        .version(VERSION)
        .description(Some("Actors, accounts, transactions, observations and the cases about them, kept as a graph. The same graph is served over GraphQL at `/graphql`."))
        .license(Some(LicenseBuilder::new().name("Apache-2.0").build()))
        .build();
    let mut document = OpenApiBuilder::new().info(info).build();
    for part in [
        Shared::openapi(),
        actors::Documented::openapi(),
        accounts::Documented::openapi(),
        transactions::Documented::openapi(),
        channel_locations::Documented::openapi(),
        detection::Documented::openapi(),
        observations::Documented::openapi(),
        cases::Documented::openapi(),
        bulk::Documented::openapi(),
        reporting::Documented::openapi(),
        webhooks::Documented::openapi(),
        audit::Documented::openapi(),
        segmentation::Documented::openapi(),
        users::Documented::openapi(),
        credentials::Documented::openapi(),
        credentials::admin::Documented::openapi(),
        files::Documented::openapi(),
        lists::Documented::openapi(),
        events::Documented::openapi(),
        requests_for_data::Documented::openapi(),
    ] {
        document.merge(part);
    }
    let examples = examples::by_operation();
    for operation in OPERATIONS.iter().chain(ADMIN_OPERATIONS) {
        let text = document.paths.paths.get_mut(operation.path);
        if let Some(text) = text.and_then(|item| text_of(item, operation.method)) {
            complete(operation, text);
            // One operation may be at two paths.
            let example = examples.get(operation.name);
            if let Some(RefOr::T(body)) = &mut text.request_body {
                for content in body.content.values_mut() {
                    if let RefOr::T(content) = content {
                        not_null(content);
                        content.example = content.example.take().or_else(|| example.cloned());
                    }
                }
            }
        }
    }
    document
}

/// A body that may be left out is not `null` where it is there.
fn not_null(content: &mut Content) {
    let Some(RefOr::T(Schema::OneOf(either))) = &content.schema else { return };
    let is_null = |item: &&RefOr<Schema>| matches!(item, RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Null));
    let other = either.items.iter().find(|item| !is_null(item)).cloned();
    content.schema = other;
}

fn text_of(item: &mut PathItem, method: Method) -> Option<&mut Text> {
    let text = match method {
        Method::Get => &mut item.get,
        Method::Post => &mut item.post,
        Method::Put => &mut item.put,
        Method::Patch => &mut item.patch,
        Method::Delete => &mut item.delete,
    };
    text.as_mut()
}

/// Adds name, errors and credentials to what the operation says of itself.
fn complete(operation: &Operation, text: &mut Text) {
    text.summary = Some(operation.name.to_owned());
    let schema = match operation.error_body {
        ErrorBody::Errors => "Errors",
        ErrorBody::Error => "Error",
        ErrorBody::OAuth => "OAuthError",
    };
    if operation.takes_idempotency_key() {
        let (key, replayed) = idempotency();
        text.parameters.get_or_insert_default().push(key.into());
        if let Some(RefOr::T(success)) = text.responses.responses.get_mut(&operation.success.to_string()) {
            success.headers.insert(REPLAYED.to_owned(), replayed.into());
        }
    }
    for status in statuses(operation, text.request_body.is_some()) {
        let responses = &mut text.responses.responses;
        responses.entry(status.to_string()).or_insert_with(|| refusal(status, schema).into());
    }
    for parameter in text.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter {
            parameters::complete(parameter);
        }
    }
    for response in text.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            response.headers.insert(REQUEST_ID.to_owned(), request_id().into());
        }
    }
    text.security = Some(match operation.credentials {
        Credentials::None => Vec::new(),
        Credentials::Required => {
            let schemes = [API_KEY, BEARER];
            schemes.map(|scheme| SecurityRequirement::new(scheme, [""; 0])).into()
        }
    });
}

/// The header under which a write can be sent again, and the one that says that it was.
fn idempotency() -> (Parameter, Header) {
    let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255)).pattern(Some("^[!-~]*$")).build();
    let key = ParameterBuilder::new()
        .name(KEY)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The same key and request within 24 hours get the first answer again."))
        .schema(Some(text))
        .build();
    let yes = ObjectBuilder::new().schema_type(Type::Boolean).build();
    let replayed =
        HeaderBuilder::new().schema(Some(yes)).description(Some("`true` when the answer is that of the first request with this key.")).build();
    (key, replayed)
}

/// By this header a request is found in the log.
const REQUEST_ID: &str = "x-request-id";

fn request_id() -> Header {
    let text = ObjectBuilder::new().schema_type(Type::String).build();
    HeaderBuilder::new()
        .schema(Some(text))
        .description(Some("The request's id: the one it came with, if it was well-formed, else a new one."))
        .build()
}

/// The errors that are listed, and those that come from around the operation.
fn statuses(operation: &Operation, takes_body: bool) -> Vec<u16> {
    let mut statuses = operation.errors.to_vec();
    statuses.push(503);
    if !operation.lists(400) && !operation.lists(422) {
        statuses.push(400);
    }
    if operation.credentials == Credentials::Required {
        statuses.extend([401, 403]);
    }
    // Credentials are looked at before anything else, wherever some are sent.
    statuses.push(429);
    if operation.takes_idempotency_key() {
        statuses.push(409);
    }
    if takes_body {
        statuses.extend([408, 413]);
    }
    if takes_body && operation.error_body != ErrorBody::OAuth {
        statuses.push(415);
    }
    statuses
}

fn refusal(status: u16, schema: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
    let response = ResponseBuilder::new().description(meaning(status)).content(JSON, content);
    let header = |kind| HeaderBuilder::new().schema(Some(ObjectBuilder::new().schema_type(kind).build())).build();
    match status {
        401 => response.header("WWW-Authenticate", header(Type::String)),
        429 | 503 => response.header("Retry-After", header(Type::Integer)),
        _ => response,
    }
    .build()
}

fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request can't be read, or breaks the schema or a rule where 422 is not listed.",
        401 => "Credentials are missing or wrong.",
        403 => "The credentials are right, but not for this.",
        404 => "There is no such thing.",
        408 => "The body did not come in time.",
        409 => "It is in conflict with something under way.",
        410 => "It is kept no more.",
        413 => "The body is larger than the service takes.",
        415 => "The body is of another media type.",
        422 => "The request reads well but breaks the schema or a rule.",
        429 => "Too many wrong credentials came from this address.",
        503 => "The service can't serve the request now.",
        _ => "The service failed; the body carries a request id, which the log has too.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_documented_with_its_statuses_and_no_other() {
        let mut document = openapi();
        assert_eq!(document.info.version, "3.3");
        for operation in OPERATIONS.iter().chain(ADMIN_OPERATIONS) {
            let item = document.paths.paths.get_mut(operation.path).unwrap();
            let text = text_of(item, operation.method).unwrap();
            let statuses: Vec<u16> = text.responses.responses.keys().map(|status| status.parse().unwrap()).collect();
            assert_eq!(text.summary.as_deref(), Some(operation.name));
            for status in operation.errors.iter().chain([&operation.success]) {
                assert!(statuses.contains(status), "{}: {status}", operation.name);
            }
            for status in statuses {
                let around = [400, 401, 403, 408, 409, 413, 415, 429, 503].contains(&status);
                let listed = operation.lists(status) || status == operation.success;
                assert!(around || listed, "{}: {status}", operation.name);
            }
        }
        let texts = document.paths.paths.values();
        let texts = texts.flat_map(|item| [&item.get, &item.post, &item.delete, &item.put, &item.patch]);
        assert_eq!(texts.flatten().count(), OPERATIONS.len() + ADMIN_OPERATIONS.len());
    }

    #[test]
    fn references_lead_somewhere() {
        let text = serde_json::to_value(openapi()).unwrap();
        let mut references = Vec::new();
        gather(&text, &mut references);
        assert!(!references.is_empty());
        for reference in references {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(text.pointer(pointer).is_some(), "{reference}");
        }
    }

    fn gather(value: &serde_json::Value, references: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => {
                let reference = object.get("$ref").and_then(|reference| reference.as_str());
                references.extend(reference.map(str::to_owned));
                object.values().for_each(|value| gather(value, references));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, references)),
            _ => {}
        }
    }

    #[test]
    fn callers_may_come_in_either_way_but_need_not_for_a_token() {
        let text = serde_json::to_value(openapi()).unwrap();
        let security = |path: &str| text["paths"][path]["post"]["security"].clone();
        let either = serde_json::json!([{ "x-api-key": [] }, { "bearer": [] }]);
        assert_eq!(security("/api/actors"), either);
        assert_eq!(security("/auth/token"), serde_json::json!([]));
        let schemes = &text["components"]["securitySchemes"];
        assert_eq!(schemes["x-api-key"]["name"], "x-api-key");
        assert_eq!(schemes["bearer"]["scheme"], "bearer");
    }
}
