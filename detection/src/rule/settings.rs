//! The values of a rule's parameters in one run.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Parameter, Rule, Unit};
use crate::quantity::Quantity;

/// A value for each parameter of one rule, within the bounds of that rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, Quantity>);

/// A value that a rule does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidSetting {
    /// There is no such parameter; those that there are.
    Unknown {
        name: String,
        known: String,
    },
    OutOfRange {
        name: String,
        value: Quantity,
        min: Quantity,
        max: Quantity,
        unit: Unit,
    },
    /// It is no whole number of steps from the default.
    OffStep {
        name: String,
        value: Quantity,
        step: Quantity,
        default: Quantity,
    },
}

impl InvalidSetting {
    /// The name of the parameter.
    pub fn name(&self) -> &str {
        match self {
            Self::Unknown { name, .. } | Self::OutOfRange { name, .. } | Self::OffStep { name, .. } => name,
        }
    }

    /// What would be right, as it stands behind the name.
    pub fn must(&self) -> String {
        match self {
            Self::Unknown { known, .. } => format!("must be a parameter of the rule: {known}"),
            Self::OutOfRange { value, min, max, unit, .. } => format!("must be from {min} to {max} {}, not {value}", unit.word()),
            Self::OffStep { value, step, default, .. } => {
                format!("must be a whole number of steps of {step} from {default}, the default, not {value}")
            }
        }
    }
}

impl fmt::Display for InvalidSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.must())
    }
}

impl std::error::Error for InvalidSetting {}

impl Rule {
    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Result<&Parameter, InvalidSetting> {
        self.parameters.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
            InvalidSetting::Unknown { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Whether people may set or try a value: it is within the bounds of its parameter, and a whole number of steps from the default.
    pub fn check(&self, name: &str, value: Quantity) -> Result<(), InvalidSetting> {
        let parameter = self.within_bounds(name, value)?;
        if parameter.is_on_a_step(value) {
            return Ok(());
        }
        Err(InvalidSetting::OffStep { name: name.to_owned(), value, step: parameter.step, default: parameter.default })
    }

    /// The parameter, where the value is within its bounds.
    fn within_bounds(&self, name: &str, value: Quantity) -> Result<&Parameter, InvalidSetting> {
        let parameter = self.parameter(name)?;
        let (min, max, unit) = (parameter.min, parameter.max, parameter.unit);
        if (min..=max).contains(&value) { Ok(parameter) } else { Err(InvalidSetting::OutOfRange { name: name.to_owned(), value, min, max, unit }) }
    }
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

    /// Sets one value, which may lie between steps: so a bound is one wherever the steps fall.
    pub fn set(&mut self, rule: &Rule, name: &str, value: Quantity) -> Result<(), InvalidSetting> {
        rule.within_bounds(name, value)?;
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
