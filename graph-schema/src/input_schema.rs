//! The schema of an input, compiled once, and what its errors say to the sender.
//!
//! The schema is the one that OpenAPI shows. For checking, its references are filled in and `null or X` becomes one
//! schema with two types: it accepts the same values, is faster, and says of a nested value what is wrong inside of it
//! instead of that neither branch fits.

use std::{
    any::TypeId,
    collections::{HashMap, HashSet},
    sync::{OnceLock, PoisonError, RwLock},
};

use jsonschema::{
    PatternOptions, ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind},
    paths::{Location, LocationSegment},
};
use serde_json::{Value, json};

use crate::{
    code,
    date::{self, Date, Timestamp},
    fault::{Fault, join},
    given::Input,
    id::{self, ID_PATTERN},
};

/// A compiled schema and the document it was compiled from.
pub(crate) struct InputSchema {
    validator: Validator,
    schema: Value,
}

impl InputSchema {
    /// A schema that was compiled elsewhere.
    pub(crate) fn new(validator: Validator, schema: Value) -> Self {
        Self { validator, schema }
    }

    /// The shape of `T`, compiled when first asked for and kept for the life of the process.
    pub(crate) fn of<T: Input>() -> &'static Self {
        static SHAPES: OnceLock<RwLock<HashMap<TypeId, &'static InputSchema>>> = OnceLock::new();
        let shapes = SHAPES.get_or_init(RwLock::default);
        let id = TypeId::of::<T>();
        // A poisoned lock only means that some thread panicked while it held it; the map is whole.
        let found = shapes.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
        if let Some(shape) = found {
            return shape;
        }
        let mut shapes = shapes.write().unwrap_or_else(PoisonError::into_inner);
        // Leaked once for each type: there are a handful, and they serve until the end.
        shapes.entry(id).or_insert_with(|| Box::leak(Box::new(Self::compile::<T>())))
    }

    /// Adds a fault for everything in `value` that breaks the schema.
    pub(crate) fn check(&self, value: &Value, faults: &mut Vec<Fault>) {
        if self.validator.is_valid(value) {
            return;
        }
        let errors: Vec<ValidationError<'_>> = self.validator.iter_errors(value).collect();
        // Where the type is wrong, nothing else said of the same value helps.
        let mistyped: HashSet<String> = errors
            .iter()
            .filter(|error| matches!(error.kind(), ValidationErrorKind::Type { .. }))
            .map(|error| error.instance_path().as_str().to_owned())
            .collect();
        for error in &errors {
            let is_type = matches!(error.kind(), ValidationErrorKind::Type { .. });
            if is_type || !mistyped.contains(error.instance_path().as_str()) {
                self.explain(error, faults);
            }
        }
    }

    fn compile<T: Input>() -> Self {
        let mut components = Vec::new();
        T::schemas(&mut components);
        let components: HashMap<String, Value> = components.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
        let schema = filled_in(&json!(T::schema()), &components);
        let validator = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .with_format("date", |text: &str| Date::parse(text).is_some())
            .with_format("date-time", |text: &str| Timestamp::parse(text).is_some())
            .with_format(code::COUNTRY_FORMAT, code::is_country)
            .with_format(code::NATIONALITY_FORMAT, code::is_nationality)
            .with_format(id::ACCOUNT_ID_FORMAT, id::is_account_id)
            .build(&schema)
            // The schemas are ours and fixed at compile time; a test compiles every one of them.
            .unwrap_or_else(|error| panic!("schema of {}: {error}", T::name()));
        Self { validator, schema }
    }

    fn explain(&self, error: &ValidationError<'_>, faults: &mut Vec<Fault>) {
        let at = path(error.instance_path());
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                faults.push(Fault::new(join(&at, name), "is required"));
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let known = self.known_names(error.schema_path());
                for name in unexpected {
                    let problem = match nearest(name, &known) {
                        Some(near) => format!("unknown field (did you mean \"{near}\"?)"),
                        None => "unknown field".to_owned(),
                    };
                    faults.push(Fault::new(join(&at, name), problem));
                }
            }
            kind => faults.push(Fault::new(at, problem(kind, error))),
        }
    }

    /// The names of the fields beside the `additionalProperties` that `location` points to.
    fn known_names(&self, location: &Location) -> Vec<&str> {
        location
            .as_str()
            .rsplit_once('/')
            .and_then(|(object, _)| self.schema.pointer(object))
            .and_then(|object| object.get("properties"))
            .and_then(Value::as_object)
            .map(|fields| fields.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }
}

/// The schema with its references replaced by what they refer to. None of ours refers to itself.
fn filled_in(schema: &Value, components: &HashMap<String, Value>) -> Value {
    match schema {
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str).and_then(|name| components.get(name.rsplit('/').next().unwrap_or_default()));
            if let Some(target) = target {
                return filled_in(target, components);
            }
            let filled = object.iter().map(|(key, value)| (key.clone(), filled_in(value, components))).collect();
            without_null_branch(filled)
        }
        Value::Array(items) => items.iter().map(|item| filled_in(item, components)).collect(),
        other => other.clone(),
    }
}

/// `oneOf: [X, null]` as X with one more type. The same, because every other keyword of our schemas speaks of values
/// of X's type only; an enum needs `null` among its values.
fn without_null_branch(object: serde_json::Map<String, Value>) -> Value {
    let null = json!({"type": "null"});
    let other = match object.get("oneOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([other, branch] | [branch, other]) if *branch == null => other,
        _ => return Value::Object(object),
    };
    let mut merged = other.clone();
    match merged.get_mut("type") {
        Some(Value::Array(types)) => types.push(json!("null")),
        Some(one) => *one = json!([one.clone(), "null"]),
        None => return Value::Object(object),
    }
    if let Some(Value::Array(values)) = merged.get_mut("enum") {
        values.push(Value::Null);
    }
    merged
}

/// `/addresses/1/country` as `addresses[1].country`.
fn path(location: &Location) -> String {
    location.iter().fold(String::new(), |path, segment| match segment {
        LocationSegment::Property(name) => join(&path, &name),
        LocationSegment::Index(index) => format!("{path}[{index}]"),
    })
}

/// What is wrong with one value, and what would be right. The value itself is not repeated: it may be personal.
fn problem(kind: &ValidationErrorKind, error: &ValidationError<'_>) -> String {
    match kind {
        ValidationErrorKind::Type { kind } => {
            let given = type_name(error.instance());
            format!("must be {}, not {given}", wanted_types(kind))
        }
        ValidationErrorKind::Enum { options } => format!("must be one of {}", listed(options)),
        ValidationErrorKind::Format { format } => match format.as_str() {
            "date" => date::DATE_RULE.to_owned(),
            "date-time" => date::DATE_TIME_RULE.to_owned(),
            id::ACCOUNT_ID_FORMAT => id::ACCOUNT_ID_RULE.to_owned(),
            other => code::rule(other).map_or_else(|| format!("must be of the form {other}"), str::to_owned),
        },
        ValidationErrorKind::Pattern { pattern } if pattern == ID_PATTERN => "must not contain control characters".to_owned(),
        ValidationErrorKind::Pattern { pattern } => code::rule(pattern).map_or_else(|| format!("must match {pattern}"), str::to_owned),
        ValidationErrorKind::MinLength { limit: 1 } => "must not be empty".to_owned(),
        ValidationErrorKind::MaxLength { limit } => format!("must be at most {limit} characters"),
        ValidationErrorKind::Minimum { limit } | ValidationErrorKind::ExclusiveMaximum { limit } if date::is_epoch_end(limit) => {
            date::EPOCH_RULE.to_owned()
        }
        ValidationErrorKind::MaxItems { limit } => format!("must have at most {limit} items"),
        ValidationErrorKind::Minimum { limit } => format!("must be at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("must be at most {limit}"),
        _ => error.masked_with("the value").to_string(),
    }
}

/// `null` is allowed where a field may be left out, but nobody needs to be told to send it.
fn wanted_types(kind: &TypeKind) -> String {
    let names: Vec<String> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(set) => set.iter().map(|one| one.to_string()).collect(),
    };
    let wanted: Vec<&str> = names.iter().filter(|name| *name != "null").map(|name| with_article(name)).collect();
    wanted.join(" or ")
}

fn with_article(type_name: &str) -> &str {
    match type_name {
        "string" => "a string",
        "number" => "a number",
        "integer" => "an integer",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(number) if number.as_f64().is_some_and(|value| value.fract() != 0.0) => "a number with decimals",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn listed(options: &Value) -> String {
    let names: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    names.join(", ")
}

/// The known name that a misspelt one is most likely meant to be: the same but for case and underscores, or few
/// letters away.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = folded(name);
    let limit = (name.len() / 3).clamp(1, 3);
    known
        .iter()
        .map(|candidate| (distance(&name, &folded(candidate)), *candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// At most as much of a name as the longest field has, so that a long key costs nothing.
fn folded(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
}

/// Levenshtein's distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
