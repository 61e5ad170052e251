//! Results as the specification completes them (sections 6.4.3 and 6.4.4).

use std::collections::HashSet;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{BaseType, Type};
use async_graphql::{Name, PathSegment, Response, ServerError, Value};

use super::{Below, Exact, Shape};

/// The fields of an object.
type Fields = IndexMap<Name, Value>;

impl Exact<'_> {
    /// Gives a result its shape. A document that was refused has none.
    pub fn complete(&self, response: &mut Response) {
        let Response { data, errors, .. } = response;
        let was_run = errors.iter().any(|error| !error.path.is_empty()) || (errors.is_empty() && self.root.slots.is_empty());
        if matches!(data, Value::Null) && was_run {
            *data = Value::Object(Fields::new());
        }
        let Value::Object(fields) = data else { return };
        let mut completion = Completion { errors: &errors[..], type_key: self.type_key.as_ref(), path: Vec::new() };
        if !completion.fields(fields, &self.root) {
            *data = Value::Null;
        }
        one_by_path(errors);
    }
}

/// One error for each field (section 6.4.4), although a value that is asked for twice fails twice.
fn one_by_path(errors: &mut Vec<ServerError>) {
    if errors.len() > 1 {
        let mut seen = HashSet::new();
        errors.retain(|error| error.path.is_empty() || seen.insert(serde_json::to_string(&error.path).unwrap_or_default()));
    }
}

/// A result under way.
struct Completion<'e> {
    errors: &'e [ServerError],
    type_key: Option<&'e Name>,
    /// Where it is.
    path: Vec<Step<'e>>,
}

/// A step of a path, as [`PathSegment`] has it.
#[derive(Clone, Copy)]
enum Step<'e> {
    Field(&'e Name),
    Index(usize),
}

impl Step<'_> {
    fn is(&self, segment: &PathSegment) -> bool {
        match (self, segment) {
            (Step::Field(key), PathSegment::Field(name)) => key.as_str() == name,
            (Step::Index(number), PathSegment::Index(index)) => number == index,
            _ => false,
        }
    }
}

impl<'e> Completion<'e> {
    /// The fields of an object; whether it stands. It does not where null is in a field that is never null.
    fn fields(&mut self, fields: &mut Fields, shape: &'e Shape<'_>) -> bool {
        if !has_keys(fields, shape) && !take_keys(fields, shape) {
            return false;
        }
        for (value, slot) in fields.values_mut().zip(&shape.slots) {
            let (Some(of_type), Below::Object(_) | Below::AnyOf(_)) = (slot.of_type, &slot.below) else { continue };
            if !self.at(Step::Field(slot.key), value, of_type, &slot.below) {
                return false;
            }
        }
        true
    }

    fn at(&mut self, step: Step<'e>, value: &mut Value, of_type: &Type, below: &'e Below<'_>) -> bool {
        self.path.push(step);
        let stands = self.value(value, of_type, below);
        self.path.pop();
        stands
    }

    /// A value; whether it may stand there. Where it does not, null does, and if null may not stand there either, what is around it is null.
    fn value(&mut self, value: &mut Value, of_type: &Type, below: &'e Below<'_>) -> bool {
        if let (Value::Null, BaseType::Named(_), Below::Object(_)) = (&*value, &of_type.base, below)
            && self.is_of_failed_fields()
        {
            *value = Value::Object(Fields::new());
        }
        let stands = match (&mut *value, &of_type.base) {
            (Value::Null, _) => false,
            (Value::List(items), BaseType::List(of_item)) => {
                items.iter_mut().enumerate().all(|(number, item)| self.at(Step::Index(number), item, of_item, below))
            }
            (Value::Object(fields), BaseType::Named(_)) => self.object(fields, below),
            _ => true,
        };
        if !stands {
            *value = Value::Null;
        }
        stands || of_type.nullable
    }

    fn object(&mut self, fields: &mut Fields, below: &'e Below<'_>) -> bool {
        match below {
            Below::Value => true,
            Below::Object(shape) => self.fields(fields, shape),
            Below::AnyOf(any_of) => {
                let key = any_of.type_key.or(self.type_key);
                let Some(Value::String(type_name)) = key.and_then(|key| fields.get(key)) else { return true };
                let shape = any_of.shape(type_name);
                self.fields(fields, shape)
            }
        }
    }

    /// Whether null stands for an object all of whose fields have failed, and not for none: the errors are those of its fields.
    fn is_of_failed_fields(&self) -> bool {
        let below = |error: &ServerError| {
            let is_behind = error.path.len() > self.path.len() && self.path.iter().zip(&error.path).all(|(step, segment)| step.is(segment));
            is_behind && matches!(error.path[self.path.len()], PathSegment::Field(_))
        };
        self.errors.iter().any(below)
    }
}

/// Whether an object has its keys, in their order: as good as always, so that this is to cost little. Names of one document are mostly one in memory.
fn has_keys(fields: &Fields, shape: &Shape<'_>) -> bool {
    let is_same = |(key, expected): (&Name, &Name)| std::ptr::eq(key.as_str(), expected.as_str()) || key == expected;
    fields.len() == shape.slots.len() && fields.keys().zip(shape.slots.iter().map(|slot| slot.key)).all(is_same)
}

/// Gives an object its keys in their order, and no others. What has failed is null; false where it may not be.
fn take_keys(fields: &mut Fields, shape: &Shape<'_>) -> bool {
    let mut found = std::mem::take(fields);
    fields.reserve(shape.slots.len());
    let mut stands = true;
    for slot in &shape.slots {
        let value = found.swap_remove(slot.key);
        stands &= value.is_some() || slot.is_nullable();
        fields.insert(slot.key.clone(), value.unwrap_or_default());
    }
    stands
}
