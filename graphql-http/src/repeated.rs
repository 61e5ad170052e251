//! One fault of a document, one error.
//!
//! async-graphql 7.2 judges a document by its rules, and works out its cost whatever the rules have found. An argument by which the cost goes is read for that once
//! more: where its value is wrong, the field gets a second error, which says less. A variable that is not defined, has a wrong default, or stands where those of
//! its type may not, may have a value nevertheless, which is judged, too. Such errors are left out. What the cost alone finds, as values of scalars of our own, stays.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use async_graphql::{Name, Pos, ServerError};
use async_graphql_value::Value;

/// How the rules begin what they say of a value.
const INVALID: &str = "Invalid value for argument ";

/// An argument of a field.
struct Argument<'a> {
    /// Where the field stands.
    field: Pos,
    /// Those of which its value is, or in which they are.
    variables: Vec<&'a Name>,
}

/// The errors of a document that is refused, each fault once, in their order.
pub fn each_once(document: &ExecutableDocument, errors: Vec<ServerError>) -> Vec<ServerError> {
    if errors.len() < 2 {
        return errors;
    }
    let arguments = arguments(document);
    let defaults: HashSet<&str> = errors.iter().filter_map(|error| wrong_default(&error.message)).collect();
    let with_default = arguments.values().flat_map(|argument| argument.variables.iter().map(move |name| (argument.field, name.to_string())));
    let mut of_variables: HashSet<(Pos, String)> = with_default.filter(|(_, name)| defaults.contains(name.as_str())).collect();
    let mut of_fields: HashSet<Pos> = of_variables.iter().map(|(field, _)| *field).collect();
    for error in errors.iter().filter(|error| !is_of_cost(&error.message)) {
        // Of several the last is where it shows: a variable that is not defined has the operation before its use.
        let Some(place) = error.locations.last() else { continue };
        let field = match arguments.get(place) {
            Some(argument) if is_of_value(&error.message) => argument.field,
            // What is missing has the place of the field.
            None if error.message.ends_with(" is required but not provided") => *place,
            _ => continue,
        };
        of_fields.insert(field);
        of_variables.extend(wrong_variable(&error.message).map(|name| (field, name.to_owned())));
    }
    let is_told = |error: &ServerError| {
        let Some(place) = error.locations.last() else { return false };
        if is_of_cost(&error.message) {
            return of_fields.contains(place);
        }
        let argument = arguments.get(place).filter(|_| error.message.starts_with(INVALID));
        argument.is_some_and(|argument| argument.variables.iter().any(|name| of_variables.contains(&(argument.field, name.to_string()))))
    };
    let mut seen = HashSet::new();
    let is_new = |error: &ServerError| seen.insert((error.message.clone(), error.locations.clone()));
    errors.into_iter().filter(|error| !is_told(error)).filter(is_new).collect()
}

/// Whether an error at an argument is about its value. One that there is not says nothing of the others of its field.
fn is_of_value(message: &str) -> bool {
    message.starts_with(INVALID) || wrong_variable(message).is_some()
}

/// The variable of which is said that it is not defined, or not of the type that it must be of.
fn wrong_variable(message: &str) -> Option<&str> {
    let (name, said) = message.strip_prefix("Variable \"$")?.split_once('"')?;
    [" is not defined", " of type \""].iter().any(|begin| said.starts_with(begin)).then_some(name)
}

/// The variable of which is said that its default is wrong; or something within the default, of which the name has the place.
fn wrong_default(message: &str) -> Option<&str> {
    let (place, _) = message.strip_prefix("Invalid default value for argument: \"")?.split_once('"')?;
    place.split('.').next()
}

/// Whether the work on the cost says it: a value can't be read, or a variable has none.
fn is_of_cost(message: &str) -> bool {
    ["Expected input type \"", "Failed to parse \""].iter().any(|begin| message.starts_with(begin)) || is_for_want_of_a_value(message)
}

/// Whether async-graphql could not work out a cost, because a variable has no value. A variable that is not defined is told of with a `$`.
pub fn is_for_want_of_a_value(message: &str) -> bool {
    let variable = message.strip_prefix("Variable ").and_then(|rest| rest.strip_suffix(" is not defined."));
    variable.is_some_and(|name| !name.contains('$'))
}

/// The arguments of all fields, by where their names stand.
fn arguments(document: &ExecutableDocument) -> HashMap<Pos, Argument<'_>> {
    let of_operations = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node);
    let of_fragments = document.fragments.values().map(|fragment| &fragment.node.selection_set.node);
    let mut left: Vec<&SelectionSet> = of_operations.chain(of_fragments).collect();
    let mut arguments = HashMap::new();
    while let Some(set) = left.pop() {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    for (name, value) in &field.node.arguments {
                        arguments.insert(name.pos, Argument { field: field.pos, variables: variables(&value.node) });
                    }
                    left.push(&field.node.selection_set.node);
                }
                Selection::InlineFragment(fragment) => left.push(&fragment.node.selection_set.node),
                Selection::FragmentSpread(_) => {}
            }
        }
    }
    arguments
}

/// The variables in a value.
fn variables(value: &Value) -> Vec<&Name> {
    let (mut left, mut variables) = (vec![value], Vec::new());
    while let Some(value) = left.pop() {
        match value {
            Value::Variable(name) => variables.push(name),
            Value::List(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            _ => {}
        }
    }
    variables
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use async_graphql::{EmptyMutation, EmptySubscription, InputObject, InputValueResult, Object, Request, Scalar, ScalarType, Schema, Variables};
    use serde_json::json;

    use super::*;
    use crate::document::Document;
    use crate::exact::{self, Schemas};
    use crate::selection::take_variables;
    use crate::types::Types;

    struct Query;

    /// A text of at most one character. The rules take any text.
    struct Short(String);

    #[Scalar]
    impl ScalarType for Short {
        fn parse(value: async_graphql::Value) -> InputValueResult<Self> {
            match value {
                async_graphql::Value::String(text) if text.len() < 2 => Ok(Self(text)),
                _ => Err("must be at most one character".into()),
            }
        }

        fn to_value(&self) -> async_graphql::Value {
            async_graphql::Value::String(self.0.clone())
        }
    }

    #[derive(InputObject)]
    struct Named {
        names: Vec<String>,
    }

    #[Object]
    impl Query {
        #[graphql(complexity = "first + child_complexity")]
        async fn items(&self, first: usize) -> usize {
            first
        }

        #[graphql(complexity = "input.names.len() + child_complexity")]
        async fn named(&self, input: Named) -> usize {
            input.names.len()
        }

        #[graphql(complexity = "text.0.len() + child_complexity")]
        async fn short(&self, text: Short) -> usize {
            text.0.len()
        }
    }

    #[tokio::test]
    async fn a_fault_is_told_once() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        let table: [(&str, &[&str]); 14] = [
            ("{ items(first: true) }", &["Invalid value for argument"]),
            ("{ items }", &["Field \"items\" argument \"first\""]),
            ("{ named(input: {}) }", &["Invalid value for argument"]),
            ("{ named(input: {names: 7}) }", &["Invalid value for argument"]),
            ("{ items(first: $n) }", &["Variable \"$n\""]),
            ("query($n: Int!) { items(first: $n) }", &["Invalid value for argument"]),
            ("query Q { items(first: $n) }", &["Variable \"$n\""]),
            // By itself async-graphql does not look where a variable may stand (findings/async_graphql_variable_positions.sh). At its value it does.
            ("query($n: String!) { items(first: $n) }", &["Invalid value for argument"]),
            ("query($d: Int = \"x\") { items(first: $d) }", &["Invalid default value for argument: \"d\""]),
            ("query($d: [String!] = [7]) { named(input: {names: $d}) }", &["Invalid default value for argument: \"d.0\""]),
            // Each of two faults.
            ("{ a: items(first: true) b: items(first: false) }", &["Invalid value", "Invalid value"]),
            ("{ ...F ...F } fragment F on Query { items(first: true) misspelt }", &["Invalid value", "Unknown field"]),
            // The cost alone finds it.
            ("{ short(text: \"ab\") misspelt }", &["Unknown field", "Failed to parse \"Short\": must be"]),
            ("{ short(text: \"ab\", misspelt: 1) }", &["Unknown argument", "Failed to parse \"Short\": must be"]),
        ];
        for (text, wanted) in table {
            let request = Request::new(text).variables(Variables::from_json(json!({"n": "x"})));
            let errors = each_once(&parse_query(text).expect("a document"), schema.execute(request).await.errors);
            let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            let are_told = wanted.iter().all(|wanted| told.iter().any(|told| told.starts_with(wanted)));
            assert!(are_told && told.len() == wanted.len(), "{text}: {told:?}");
        }
    }

    #[tokio::test]
    async fn what_is_no_input_object_is_told_once() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        let types = Types::of(&schema.sdl());
        let table: [(&str, &[&str]); 10] = [
            ("{ named(input: 7) }", &["Invalid value for argument"]),
            ("{ ...F ...F } fragment F on Query { named(input: []) }", &["Invalid value for argument"]),
            ("query($n: Named!) { named(input: $n) }", &["Invalid value for argument"]),
            ("query($d: Named! = 7) { named(input: $d) }", &["Invalid default value for argument: \"d\""]),
            (
                "query($d: Named = {names: 7}) { named(input: 7) items(first: $d) }",
                &["Invalid default", "Invalid value", "Variable \"$d\" of type \"Named\""],
            ),
            ("query($n: String!) { items(first: $n) }", &["Variable \"$n\" of type \"String!\""]),
            ("query($n: ID) { named(input: {names: [$n]}) }", &["Variable \"$n\" of type \"ID\" used in position \"input.names.0\""]),
            ("query($n: Named!) { a: named(input: $n) items(first: $n) }", &["Invalid value", "Variable \"$n\" of type \"Named!\""]),
            ("{ named(input: 7) items(first: true) misspelt }", &["Invalid value", "Invalid value", "Unknown field"]),
            ("{ named(input: $n) }", &["Variable \"$n\""]),
        ];
        for (text, wanted) in table {
            let document = Document::new(parse_query(text).expect("a document"));
            let mut request = Request::new(text).variables(Variables::from_json(json!({"n": "x"})));
            take_variables(&mut request).expect("variables");
            let errors = exact::execute(&Schemas::strict(&schema), &types, &document, request).await.expect_err("it is refused");
            let errors = each_once(document.tree(), errors);
            let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            let are_told = wanted.iter().all(|wanted| told.iter().any(|told| told.starts_with(wanted)));
            assert!(are_told && told.len() == wanted.len(), "{text}: {told:?}");
        }
    }
}
