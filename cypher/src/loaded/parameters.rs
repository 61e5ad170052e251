//! Parameters of statements that come as data: what is declared, and whether what is given is that.

use std::fmt;

use super::Fault;
use crate::rules::nearest;
use crate::{Params, Value};

/// A declared parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Without the `$`.
    pub name: String,
    pub kind: ParameterType,
    /// It is given, and may be null.
    pub may_be_null: bool,
    pub explanation: String,
}

/// What a parameter may be. The names are Cypher's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterType {
    Boolean,
    Integer,
    /// A whole number is taken, too, and becomes a fraction: 1 and 1.0 are not one value on both engines.
    Float,
    String,
    Map,
    ListOfBooleans,
    ListOfIntegers,
    ListOfFloats,
    ListOfStrings,
    ListOfMaps,
}

impl ParameterType {
    const NAMES: [(&str, Self); 10] = [
        ("BOOLEAN", Self::Boolean),
        ("INTEGER", Self::Integer),
        ("FLOAT", Self::Float),
        ("STRING", Self::String),
        ("MAP", Self::Map),
        ("LIST<BOOLEAN>", Self::ListOfBooleans),
        ("LIST<INTEGER>", Self::ListOfIntegers),
        ("LIST<FLOAT>", Self::ListOfFloats),
        ("LIST<STRING>", Self::ListOfStrings),
        ("LIST<MAP>", Self::ListOfMaps),
    ];

    /// Reads `STRING`, or `STRING?` of what may be null.
    pub(super) fn read(text: &str) -> Result<(Self, bool), String> {
        let name = text.strip_suffix('?').unwrap_or(text);
        let found = Self::NAMES.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, kind)| (kind, name.len() < text.len())).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            let inner = name.trim_start_matches("LIST<").trim_end_matches('>');
            let near = nearest(inner, names[..5].iter().copied()).map(|near| format!(" (`{}`?)", name.replace(inner, near))).unwrap_or_default();
            format!("{text:?} is no type{near}: {}; with `?` where it may be null", names.join(", "))
        })
    }

    /// What members of the list are; nothing of what is no list.
    fn member(self) -> Option<Self> {
        match self {
            Self::ListOfBooleans => Some(Self::Boolean),
            Self::ListOfIntegers => Some(Self::Integer),
            Self::ListOfFloats => Some(Self::Float),
            Self::ListOfStrings => Some(Self::String),
            Self::ListOfMaps => Some(Self::Map),
            Self::Boolean | Self::Integer | Self::Float | Self::String | Self::Map => None,
        }
    }

    /// The value as one of this type; where it is none, what is in the way.
    fn take(self, value: Value) -> Result<Value, String> {
        match (self, value) {
            (Self::Float, Value::Int(int)) => Ok(Value::Float(int as f64)),
            (Self::Boolean, value @ Value::Bool(_))
            | (Self::Integer, value @ Value::Int(_))
            | (Self::Float, value @ Value::Float(_))
            | (Self::String, value @ Value::Text(_))
            | (Self::Map, value @ Value::Map(_)) => Ok(value),
            (_, Value::List(items)) if let Some(member) = self.member() => {
                let taken = items.into_iter().enumerate().map(|(at, item)| member.take(item).map_err(|reason| format!("member {at}: {reason}")));
                Ok(Value::List(taken.collect::<Result<_, _>>()?))
            }
            (_, value) => Err(format!("it is {}, and not {self}", kind_of(&value))),
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.into_iter().find(|(_, kind)| kind == self).map_or("", |(name, _)| name);
        formatter.write_str(name)
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a BOOLEAN",
        Value::Int(_) => "an INTEGER",
        Value::Float(_) => "a FLOAT",
        Value::Text(_) => "a STRING",
        Value::List(_) => "a LIST",
        Value::Map(_) => "a MAP",
    }
}

/// What is given, if it is what is declared: each parameter once, of its type, and none besides.
pub(super) fn checked(declared: &[Parameter], given: Params) -> Result<Params, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut taken = Params::none();
    for (name, value) in given.0 {
        let Some(parameter) = declared.iter().find(|parameter| parameter.name == name) else {
            let near = nearest(&name, declared.iter().map(|parameter| parameter.name.as_str())).map(|near| format!(" (`${near}`?)"));
            faults.push(Fault::new(format!("${name}"), format!("the statement has no such parameter{}", near.unwrap_or_default())));
            continue;
        };
        if taken.0.iter().any(|(there, _)| *there == name) {
            faults.push(Fault::new(format!("${name}"), "it is given a second time"));
            continue;
        }
        let value = match value {
            Value::Null if parameter.may_be_null => Ok(Value::Null),
            value => parameter.kind.take(value),
        };
        match value {
            Ok(value) => taken.0.push((name, value)),
            Err(reason) => {
                faults.push(Fault::new(format!("${name}"), reason));
                taken.0.push((name, Value::Null));
            }
        }
    }
    for parameter in declared.iter().filter(|parameter| !taken.0.iter().any(|(name, _)| *name == parameter.name)) {
        faults.push(Fault::new(format!("${}", parameter.name), format!("it is missing, a {}", parameter.kind)));
    }
    if faults.is_empty() { Ok(taken) } else { Err(faults) }
}
