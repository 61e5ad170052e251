//! The values of a rule's parameters in one run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Rule, Unit};
use crate::quantity::Quantity;

/// A value for each parameter of one rule, within the bounds of that rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, Quantity>);

/// A value that a rule does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSetting {
    #[error("there is no parameter {name:?}; the rule has {known}")]
    Unknown { name: String, known: String },
    #[error("{name} may be from {min} to {max} {}, not {value}", unit.word())]
    OutOfRange { name: String, value: Quantity, min: Quantity, max: Quantity, unit: Unit },
}

impl Settings {
    /// The defaults of a rule.
    pub fn of(rule: &Rule) -> Self {
        Self(rule.parameters.iter().map(|(name, parameter)| (name.clone(), parameter.default)).collect())
    }

    /// The defaults of a rule but for some values. All faults are told at once.
    pub fn with(rule: &Rule, values: &BTreeMap<String, Quantity>) -> Result<Self, Vec<InvalidSetting>> {
        let mut settings = Self::of(rule);
        let mut faults = Vec::new();
        for (name, &value) in values {
            match settings.set(rule, name, value) {
                Ok(()) => {}
                Err(fault) => faults.push(fault),
            }
        }
        if faults.is_empty() { Ok(settings) } else { Err(faults) }
    }

    /// Sets one value.
    pub fn set(&mut self, rule: &Rule, name: &str, value: Quantity) -> Result<(), InvalidSetting> {
        let Some(parameter) = rule.parameters.get(name) else {
            let known: Vec<&str> = rule.parameters.keys().map(String::as_str).collect();
            return Err(InvalidSetting::Unknown { name: name.to_owned(), known: known.join(", ") });
        };
        let (min, max, unit) = (parameter.min, parameter.max, parameter.unit);
        if value < min || value > max {
            return Err(InvalidSetting::OutOfRange { name: name.to_owned(), value, min, max, unit });
        }
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// The value of a parameter. A rule that was read names all that its search asks for; of others it is zero.
    pub fn value(&self, name: &str) -> Quantity {
        self.0.get(name).copied().unwrap_or_default()
    }

    pub fn values(&self) -> &BTreeMap<String, Quantity> {
        &self.0
    }
}
