//! What people set of the fields that systems send as well: custom properties and the resolution of a case.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::id::CaseId;
use graph_schema::json_text::JsonText;
use graphql_http::asking::{asking, with_key};
use resolvers::{SetCaseProperties, SetCaseResolution, SetProperty};

use super::work::{CasePayload, payload};

/// Sets custom properties of a case.
#[derive(InputObject)]
pub struct SetCasePropertiesInput {
    /// The case whose properties are set.
    case_id: CaseId,
    /// Properties, each name once, 200 at most. Others stay.
    properties: Vec<CustomPropertyInput>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A custom property to be set.
#[derive(InputObject)]
pub struct CustomPropertyInput {
    /// Name; begins with `c__`.
    name: String,
    /// Any JSON value, as far as the property's definition allows it. The property is cleared, when null.
    value: Option<JsonText>,
    /// Whether a list goes behind the list that is there. Else it takes its place.
    #[graphql(default)]
    append: bool,
}

impl CustomPropertyInput {
    /// The change as operations take it.
    pub fn into_change(self) -> SetProperty {
        SetProperty { name: self.name, value: self.value, append: self.append }
    }
}

/// Sets the resolution of a case.
#[derive(InputObject)]
pub struct SetCaseResolutionInput {
    /// The case whose resolution is set.
    case_id: CaseId,
    /// What came out: any JSON value. It takes the place of what was said before; none, when null.
    resolution: Option<JsonText>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct RevisingMutation;

#[Object]
impl RevisingMutation {
    /// Sets and clears custom properties of a case.
    async fn set_case_properties(&self, context: &Context<'_>, input: SetCasePropertiesInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let SetCasePropertiesInput { case_id: case, properties, expected_version, idempotency_key } = input;
        let properties = properties.into_iter().map(CustomPropertyInput::into_change).collect();
        let set = SetCaseProperties { case: case.clone(), properties, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.set_case_properties(caller, set, key)).await;
        payload(context, &case, done).await
    }

    /// Sets the resolution of a case without closing it.
    async fn set_case_resolution(&self, context: &Context<'_>, input: SetCaseResolutionInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let SetCaseResolutionInput { case_id: case, resolution, expected_version, idempotency_key } = input;
        let set = SetCaseResolution { case: case.clone(), resolution, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.set_case_resolution(caller, set, key)).await;
        payload(context, &case, done).await
    }
}
