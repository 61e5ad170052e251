//! The fields in which two values of an object differ.

use async_graphql::{Context, Result, SimpleObject};
use graph_schema::json_text::JsonText;
use graphql_http::{AnswerBudget, Large};
use resolvers::field_changes;

/// A field that differs between an old value and a new one.
#[derive(SimpleObject)]
pub struct FieldChange {
    /// Where it is, as a JSON Pointer (RFC 6901): `/legalEntity/type`. Empty where the values as a whole differ.
    path: String,
    /// What was there, as JSON, with the digits that it was sent with; null where nothing was. An array is shown as a whole.
    before: Option<String>,
    /// What is there since, likewise; null where nothing is.
    after: Option<String>,
}

impl Large for FieldChange {
    fn bytes(&self) -> usize {
        self.path.len() + self.before.bytes() + self.after.bytes()
    }
}

/// What differs between two values. A field that is null is as one that is not there.
pub fn changes(context: &Context<'_>, old: &str, new: &str) -> Result<Vec<FieldChange>> {
    // To compare them takes time, however little differs.
    AnswerBudget::take(context, old.len() + new.len())?;
    let text = |value: Option<JsonText>| value.filter(|value| !value.is_null()).map(|value| value.as_str().to_owned());
    let shown = |change: resolvers::FieldChange| FieldChange { path: change.path, before: text(change.before), after: text(change.after) };
    let says = |change: &FieldChange| change.before.is_some() || change.after.is_some();
    AnswerBudget::counted(context, field_changes(old, new).into_iter().map(shown).filter(says).collect())
}
