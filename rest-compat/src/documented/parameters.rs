//! What holds for parameters of every operation, said once: an id has no control characters, nothing is empty, and what is absent is not sent as null.

use graph_schema::id::ID_PATTERN;
use utoipa::openapi::{
    RefOr, Schema,
    path::{Parameter, ParameterIn},
    schema::{ArrayItems, Object, SchemaType, Type},
};

/// Completes the schema of a parameter.
pub(super) fn complete(parameter: &mut Parameter) {
    let place = parameter.parameter_in.clone();
    match &mut parameter.schema {
        Some(RefOr::T(Schema::Object(object))) => value(object, &place),
        Some(RefOr::T(Schema::Array(array))) => {
            array.min_items.get_or_insert(1);
            if let ArrayItems::RefOrSchema(items) = &mut array.items
                && let RefOr::T(Schema::Object(object)) = &mut **items
            {
                value(object, &place);
                if is_of_ids(&parameter.name) {
                    object.pattern.get_or_insert_with(|| ID_PATTERN.to_owned());
                }
            }
        }
        _ => {}
    }
}

fn value(object: &mut Object, place: &ParameterIn) {
    if let SchemaType::Array(types) = &object.schema_type
        && let [one, Type::Null] | [Type::Null, one] = &types[..]
    {
        object.schema_type = SchemaType::Type(one.clone());
    }
    let is_text = object.schema_type == SchemaType::Type(Type::String) && object.format.is_none() && object.enum_values.is_none();
    if is_text {
        object.min_length.get_or_insert(1);
        if *place == ParameterIn::Path {
            object.pattern.get_or_insert_with(|| ID_PATTERN.to_owned());
        }
    }
}

/// Whether a list's items are ids, by its name: `filter.actor_ids.in[]`, `filter.workflow.id.in[]`.
fn is_of_ids(name: &str) -> bool {
    name.split('.').any(|part| part == "id" || part.ends_with("_id") || part.ends_with("_ids"))
}
