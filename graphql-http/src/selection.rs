//! Which fields a selection asks for, and what a document uses.

use std::collections::{HashMap, HashSet};

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{
    Directive, DocumentOperations, ExecutableDocument, Field, FragmentDefinition, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Request, ServerError, Value as ConstValue, Variables};
use async_graphql_value::Value;

use crate::asking::LeftOut;
use crate::types::Composite;

pub type Fragments = HashMap<Name, Positioned<FragmentDefinition>>;

/// Fields by their response keys, in the order of the request.
pub type Groups<'a> = IndexMap<&'a Name, Vec<&'a Positioned<Field>>>;

/// The operation that is carried out; others may stand beside it. None where the request does not say which.
pub fn operation<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a Positioned<OperationDefinition>> {
    match (&document.operations, name) {
        (DocumentOperations::Single(operation), _) => Some(operation),
        (DocumentOperations::Multiple(operations), Some(name)) => operations.get(name),
        (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => operations.values().next(),
        (DocumentOperations::Multiple(_), None) => None,
    }
}

/// The same, to be changed.
pub fn operation_mut<'a>(document: &'a mut ExecutableDocument, name: Option<&str>) -> Option<&'a mut Positioned<OperationDefinition>> {
    match (&mut document.operations, name) {
        (DocumentOperations::Single(operation), _) => Some(operation),
        (DocumentOperations::Multiple(operations), Some(name)) => operations.get_mut(name),
        (DocumentOperations::Multiple(operations), None) if operations.len() == 1 => operations.values_mut().next(),
        (DocumentOperations::Multiple(_), None) => None,
    }
}

/// The operation of a request that would be carried out. Its document has been parsed, or is now.
fn wanted(request: &mut Request) -> Option<&OperationDefinition> {
    let name = request.operation_name.clone();
    let document = request.parsed_query().ok()?;
    operation(document, name.as_deref()).map(|operation| &operation.node)
}

/// Whether a request reads, changes or subscribes. None where it does not say which of its operations is meant.
pub fn operation_type(request: &mut Request) -> Option<OperationType> {
    wanted(request).map(|operation| operation.ty)
}

/// Gives variables that are not given the values that the document says, null where they may be null. async-graphql does so for arguments, but not for
/// `@skip` and `@include`. Which are null because nobody says anything of them is kept for the fields ([`LeftOut`]). The errors are those of variables that
/// must have a value and have none: async-graphql notices it in the fields that use them, and carries out all others (specification, section 6.1.2).
pub fn take_variables(request: &mut Request) -> Result<(), Vec<ServerError>> {
    let definitions = wanted(request).map(|operation| operation.variable_definitions.clone()).unwrap_or_default();
    let (mut errors, mut left_out) = (Vec::new(), HashSet::new());
    for definition in definitions {
        let (name, of_type) = (definition.node.name.node.clone(), &definition.node.var_type.node);
        let problem = match (request.variables.get(&name), definition.node.default_value()) {
            (None, Some(default)) => {
                if definition.node.default_value.is_none() {
                    left_out.insert(name.clone());
                }
                request.variables.insert(name, default.clone());
                continue;
            }
            (None, None) => "is required and was not given",
            (Some(ConstValue::Null), _) if !of_type.nullable => "must not be null",
            (Some(_), _) => continue,
        };
        errors.push(ServerError::new(format!("Variable \"${name}\" of the type {of_type} {problem}."), Some(definition.pos)));
    }
    request.data.insert(LeftOut(left_out));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// CollectFields of the specification (section 6.3.2).
pub struct Collector<'a> {
    fragments: &'a Fragments,
    /// The variables that are `true`; conditions ask for nothing else.
    truths: HashSet<Name>,
}

impl<'a> Collector<'a> {
    /// The variables have their defaults.
    pub fn new(fragments: &'a Fragments, variables: &Variables) -> Self {
        let truths = variables.iter().filter(|(_, value)| matches!(value, ConstValue::Boolean(true)));
        Self { fragments, truths: truths.map(|(name, _)| name.clone()).collect() }
    }

    /// The fields that selections ask for of an object of a type; of an interface, those that they ask for of each of its objects. Several selections
    /// are those of one response key.
    pub fn collect(&self, sets: &[&'a SelectionSet], of: &Composite) -> Groups<'a> {
        let (mut groups, mut visited) = (Groups::new(), HashSet::new());
        for set in sets {
            self.gather(set, of, &mut visited, &mut groups);
        }
        groups
    }

    fn gather(&self, set: &'a SelectionSet, of: &Composite, visited: &mut HashSet<&'a Name>, groups: &mut Groups<'a>) {
        for selection in &set.items {
            if !self.is_wanted(selection.node.directives()) {
                continue;
            }
            match &selection.node {
                Selection::Field(field) => groups.entry(&field.node.response_key().node).or_default().push(field),
                Selection::InlineFragment(fragment) => {
                    if fragment.node.type_condition.as_ref().is_none_or(|condition| of.satisfies(&condition.node.on.node)) {
                        self.gather(&fragment.node.selection_set.node, of, visited, groups);
                    }
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    if let Some(fragment) = self.fragments.get(name)
                        && visited.insert(name)
                        && of.satisfies(&fragment.node.type_condition.node.on.node)
                    {
                        self.gather(&fragment.node.selection_set.node, of, visited, groups);
                    }
                }
            }
        }
    }

    /// The types on which fragments are that stand in these selections, and not below their fields.
    pub fn fragment_types(&self, sets: &[&'a SelectionSet]) -> HashSet<&'a Name> {
        let (mut types, mut visited, mut left) = (HashSet::new(), HashSet::new(), sets.to_vec());
        while let Some(set) = left.pop() {
            for item in &set.items {
                match &item.node {
                    Selection::Field(_) => {}
                    Selection::InlineFragment(fragment) => {
                        types.extend(fragment.node.type_condition.as_ref().map(|condition| &condition.node.on.node));
                        left.push(&fragment.node.selection_set.node);
                    }
                    Selection::FragmentSpread(spread) => {
                        let name = &spread.node.fragment_name.node;
                        if let Some(fragment) = self.fragments.get(name)
                            && visited.insert(name)
                        {
                            types.insert(&fragment.node.type_condition.node.on.node);
                            left.push(&fragment.node.selection_set.node);
                        }
                    }
                }
            }
        }
        types
    }

    /// Whether all conditions hold. What is no Boolean counts as async-graphql counts it, which leaves the fields out: as `false`.
    fn is_wanted(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().all(|directive| {
            let wanted = match directive.node.name.node.as_str() {
                "include" => true,
                "skip" => false,
                _ => return true,
            };
            match directive.node.get_argument("if").map(|value| &value.node) {
                None => true,
                Some(Value::Boolean(said)) => *said == wanted,
                Some(Value::Variable(name)) => self.truths.contains(name) == wanted,
                Some(_) => !wanted,
            }
        })
    }
}

/// What has one response key must be one field with the same arguments (section 5.3.2). async-graphql looks at each type condition by itself.
pub fn agree(one: &Positioned<Field>, other: &Positioned<Field>) -> Result<(), ServerError> {
    let has_same =
        |(name, value): &(Positioned<Name>, Positioned<Value>)| other.node.get_argument(&name.node).is_some_and(|given| given.node == value.node);
    let problem = if one.node.name.node != other.node.name.node {
        format!("\"{}\" and \"{}\" are different fields", one.node.name.node, other.node.name.node)
    } else if one.node.arguments.len() != other.node.arguments.len() || !one.node.arguments.iter().all(has_same) {
        "they have differing arguments".to_owned()
    } else {
        return Ok(());
    };
    let advice = "Use different aliases on the fields to fetch both if this was intentional.";
    let mut error = ServerError::new(format!("Fields \"{}\" conflict because {problem}. {advice}", one.node.response_key().node), Some(one.pos));
    error.locations.push(other.pos);
    Err(error)
}

/// The fragments and variables that a document's operations use, with those that these fragments use.
#[derive(Default)]
pub struct Uses {
    pub fragments: HashSet<Name>,
    pub variables: HashSet<Name>,
}

impl Uses {
    pub fn of(document: &ExecutableDocument) -> Self {
        let mut uses = Self::default();
        let mut left: Vec<&SelectionSet> = document.operations.iter().map(|(_, operation)| &operation.node.selection_set.node).collect();
        while let Some(set) = left.pop() {
            for item in &set.items {
                for directive in item.node.directives() {
                    uses.add_variables(&directive.node.arguments);
                }
                match &item.node {
                    Selection::Field(field) => {
                        uses.add_variables(&field.node.arguments);
                        left.push(&field.node.selection_set.node);
                    }
                    Selection::InlineFragment(fragment) => left.push(&fragment.node.selection_set.node),
                    Selection::FragmentSpread(spread) => {
                        let name = &spread.node.fragment_name.node;
                        if uses.fragments.insert(name.clone()) {
                            left.extend(document.fragments.get(name).map(|fragment| &fragment.node.selection_set.node));
                        }
                    }
                }
            }
        }
        uses
    }

    fn add_variables(&mut self, arguments: &[(Positioned<Name>, Positioned<Value>)]) {
        let mut left: Vec<&Value> = arguments.iter().map(|(_, value)| &value.node).collect();
        while let Some(value) = left.pop() {
            match value {
                Value::Variable(name) => {
                    self.variables.insert(name.clone());
                }
                Value::List(items) => left.extend(items),
                Value::Object(fields) => left.extend(fields.values()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use async_graphql::parser::types::OperationType;
    use serde_json::json;

    use super::*;
    use crate::types::Types;

    const SDL: &str =
        "interface I { a: Int } type Start implements I { a: Int b: Int c: Start } type Other implements I { a: Int } schema { query: Start }";

    /// The keys, and in how many places each stands.
    fn collected(text: &str) -> String {
        let (document, types) = (parse_query(text).expect("a document"), Types::of(SDL));
        let collector = Collector::new(&document.fragments, &Variables::from_json(json!({"yes": true, "no": false, "text": "true"})));
        let (_, operation) = document.operations.iter().next().expect("an operation");
        let groups = collector.collect(&[&operation.node.selection_set.node], types.root(OperationType::Query).expect("a root"));
        groups.iter().map(|(key, fields)| format!("{key}{} ", fields.len())).collect()
    }

    #[test]
    fn fields_come_by_keys_in_the_order_of_the_request() {
        for (text, keys) in [
            ("{ b a b }", "b2 a1 "),
            ("{ x: a ... { b x: a } a }", "x2 b1 a1 "),
            ("{ ...F a ...F } fragment F on Start { b ...G } fragment G on I { a }", "b1 a2 "),
            ("{ ... on Other { a } ... on I { b: a } ... on Start { a } }", "b1 a1 "),
            ("{ a @skip(if: true) b @include(if: false) }", ""),
            ("{ a @skip(if: $yes) b @include(if: $yes) c @skip(if: $no) x: c @include(if: $no) }", "b1 c1 "),
            // Each of both must hold.
            ("{ a @skip(if: $no) @include(if: $no) b @skip(if: $yes) @include(if: $yes) c @skip(if: false) @include(if: true) }", "c1 "),
            ("{ ...F @skip(if: $yes) ...F } fragment F on Start { a }", "a1 "),
            // As async-graphql has it, where no check looks.
            ("{ __typename @include(if: $text) a @skip(if: $none) b @skip c @other }", "a1 b1 c1 "),
        ] {
            assert_eq!(collected(text), keys, "{text}");
        }
    }

    #[test]
    fn what_a_document_uses_is_found_through_its_fragments() {
        let text = "query($a: Int) { a(x: $a) ...F } fragment F on T { b(x: [{y: $b}]) @skip(if: $c) { ...G } } fragment G on T { d } fragment H on T { e(x: $e) }";
        let Uses { fragments, variables } = Uses::of(&parse_query(text).expect("a document"));
        let sorted = |names: HashSet<Name>| {
            let mut names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
            names.sort();
            names.concat()
        };
        assert_eq!((sorted(fragments).as_str(), sorted(variables).as_str()), ("FG", "abc"));
    }
}
