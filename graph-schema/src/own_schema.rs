//! JSON Schemas of somebody's own: they came over the network, so what they may cost is bounded before they are used.
//!
//! References lead to other parts of the same schema, and never back to where they came from: a value is then checked in bounded time, and nothing
//! is fetched from anywhere. Patterns run in time that is linear in the text.

use std::collections::{HashMap, HashSet};

use jsonschema::{PatternOptions, Validator, error::ValidationErrorKind};
use serde_json::Value;

use crate::{
    date::{Date, Timestamp},
    fault::Fault,
    input_schema::InputSchema,
    json_object::JsonObject,
    json_text::JsonText,
};

/// Most bytes of a schema.
pub(crate) const MAX_BYTES: usize = 64 << 10;
/// Most parts a schema may have once its references are followed.
const MAX_PARTS: usize = 10_000;
/// How deep it may go, references followed.
const MAX_DEPTH: usize = 100;
/// Most patterns, references followed.
const MAX_PATTERNS: usize = 200;
/// Most bytes that one pattern takes when it is compiled, and all of a schema together: a short text such as `(a{1000}){1000}` may take any number.
const PATTERN_BYTES: usize = 1 << 20;
const PATTERNS_BYTES: usize = 4 << 20;

/// A schema that may be used, compiled.
pub struct OwnSchema(InputSchema);

impl OwnSchema {
    /// Compiles a schema; the error says what is wrong with it. That takes a while, during which nothing else should have to wait on the same thread.
    pub fn compile(text: &JsonObject) -> Result<Self, String> {
        if text.as_str().len() > MAX_BYTES {
            return Err(format!("must be at most {MAX_BYTES} bytes"));
        }
        let schema: Value = serde_json::from_str(text.as_str()).map_err(|error| format!("must be JSON: {error}"))?;
        let mut bounds = Bounds { schema: &schema, open: HashSet::new(), known: HashMap::new() };
        let size = bounds.size_of(&schema, 0)?;
        let validator = compiled(&schema, PATTERN_BYTES.min(PATTERNS_BYTES / size.patterns.max(1)))?;
        Ok(Self(InputSchema::new(validator, schema)))
    }

    /// Adds a fault for everything in a value that breaks the schema; `at` is where the value stands.
    pub fn check(&self, value: &JsonText, at: &str, faults: &mut Vec<Fault>) {
        let mut found = Vec::new();
        self.0.check(&value.value(), &mut found);
        faults.extend(found.into_iter().map(|fault| fault.within(at)));
    }
}

/// `most`: bytes of each of its patterns.
fn compiled(schema: &Value, most: usize) -> Result<Validator, String> {
    jsonschema::meta::validate(schema).map_err(|error| {
        let at = error.instance_path().to_string();
        let place = if at.is_empty() { String::new() } else { format!("{at}: ") };
        format!("must be a JSON Schema: {place}{error}")
    })?;
    jsonschema::options()
        .with_pattern_options(PatternOptions::regex().size_limit(most).dfa_size_limit(most))
        .should_validate_formats(true)
        .with_format("date", |text: &str| Date::parse(text).is_some())
        .with_format("date-time", |text: &str| Timestamp::parse(text).is_some())
        .build(schema)
        .map_err(|error| match error.kind() {
            // It is well-formed, as its schema says.
            ValidationErrorKind::Format { .. } => {
                format!("must be a JSON Schema: {error} that is taken; it must do without looking around, and take at most {most} bytes compiled")
            }
            _ => format!("must be a JSON Schema: {error}"),
        })
}

/// How many patterns a field has.
fn patterns_of(name: &str, value: &Value) -> usize {
    match (name, value) {
        ("pattern", Value::String(_)) => 1,
        ("patternProperties", Value::Object(fields)) => fields.len(),
        _ => 0,
    }
}

/// What a schema would cost.
struct Bounds<'a> {
    schema: &'a Value,
    /// The parts that are being looked at, by their addresses.
    open: HashSet<*const Value>,
    /// How large those are that were looked at.
    known: HashMap<*const Value, Size>,
}

/// How large a part is, its references followed.
#[derive(Clone, Copy)]
struct Size {
    parts: usize,
    /// How many levels are below it.
    levels: usize,
    patterns: usize,
}

impl Size {
    /// Takes in what stands in it.
    fn hold(&mut self, inner: Size) {
        self.parts += inner.parts;
        self.levels = self.levels.max(inner.levels + 1);
        self.patterns += inner.patterns;
    }
}

impl<'a> Bounds<'a> {
    /// How large a part is that stands so deep.
    fn size_of(&mut self, part: &'a Value, depth: usize) -> Result<Size, String> {
        let known = self.known.get(&std::ptr::from_ref(part)).copied();
        if depth + known.map_or(0, |size| size.levels) > MAX_DEPTH {
            return Err(format!("must not be deeper than {MAX_DEPTH} levels, references followed"));
        }
        if let Some(known) = known {
            return Ok(known);
        }
        if !self.open.insert(std::ptr::from_ref(part)) {
            return Err("must not refer to itself".to_owned());
        }
        let mut size = Size { parts: 1, levels: 0, patterns: 0 };
        match part {
            Value::Object(fields) => {
                for (name, value) in fields {
                    size.patterns += patterns_of(name, value);
                    size.hold(self.size_of(value, depth + 1)?);
                    if let Some(place) = self.referred(name, value, depth)? {
                        size.hold(self.size_of(place, depth + 1)?);
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    size.hold(self.size_of(item, depth + 1)?);
                }
            }
            _ => {}
        }
        if size.parts > MAX_PARTS {
            return Err(format!("must have at most {MAX_PARTS} parts, references followed"));
        }
        if size.patterns > MAX_PATTERNS {
            return Err(format!("must have at most {MAX_PATTERNS} patterns, references followed"));
        }
        self.open.remove(&std::ptr::from_ref(part));
        self.known.insert(std::ptr::from_ref(part), size);
        Ok(size)
    }

    /// The part that a field refers to; refused is whatever could make a reference lead elsewhere than is looked here.
    fn referred(&self, name: &str, value: &'a Value, depth: usize) -> Result<Option<&'a Value>, String> {
        let Value::String(target) = value else { return Ok(None) };
        match name {
            "$ref" if target.contains('%') => Err(format!("$ref must not be percent-encoded; {target:?} has a %")),
            "$ref" => {
                let place = target.strip_prefix('#').filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
                let place = place.and_then(|pointer| self.schema.pointer(pointer));
                place.map(Some).ok_or_else(|| format!("$ref must lead to a part of this schema, such as #/$defs/name; {target:?} does not"))
            }
            "$dynamicRef" | "$recursiveRef" => Err(format!("{name} is not taken; use $ref")),
            "$id" | "id" if target.contains('#') || target.contains("://") => Err("$id is not taken: nothing is fetched from anywhere".to_owned()),
            // Below it, references would begin there.
            "$id" if depth > 0 => Err("$id is taken at the top only".to_owned()),
            "id" if depth > 0 && self.is_of_draft_4() => Err("id is taken at the top only".to_owned()),
            "$schema" if depth > 0 => Err("$schema is taken at the top only".to_owned()),
            _ => Ok(None),
        }
    }

    /// What is `$id` since was `id` then.
    fn is_of_draft_4(&self) -> bool {
        self.schema.get("$schema").and_then(Value::as_str).is_some_and(|version| version.contains("draft-04"))
    }
}
