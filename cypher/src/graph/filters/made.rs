//! Values of filters that are made of several things.

use graph_schema::enum_name::EnumName;
use graph_schema::workflow::StepState;

use super::values::ToValue;
use crate::{Value, map};

/// The filters that a newest score has passed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestOf(Value);

impl NewestOf {
    pub(super) fn passing(filters: Value) -> Self {
        Self(filters)
    }
}

/// An amount in one currency.
#[derive(Debug, Clone, PartialEq)]
pub struct InCurrency {
    pub currency: String,
    pub amount: f64,
}

impl ToValue for InCurrency {
    fn to_value(&self) -> Value {
        map([("currency", self.currency.to_value()), ("amount", self.amount.to_value())])
    }
}

impl ToValue for NewestOf {
    fn to_value(&self) -> Value {
        self.0.clone()
    }
}

/// The queues of cases of these states that are assigned to these users; nobody has an empty id. As `parts/come_to_step.cypher` has them.
pub fn queues<'a>(states: &[StepState], assignees: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    assignees.into_iter().flat_map(|assignee| states.iter().map(move |state| format!("{}/{assignee}", state.text()))).collect()
}
