//! Values that the rules of async-graphql 7.2 take, and no field does: what stands where an input object must stand, and sizes of pages that there are not.
//!
//! It shows when the field is carried out, and what the fields before it do is done by then; below a list it shows once for each item. So a request with such a
//! value is refused beforehand (specification, sections 5.6.1 and 6.1.2), in the words of the rules or of the field.
//!
//! Each field and each fragment of the document is looked at once. Of the values only those are read that can lead to an input object, or are a size.

use std::borrow::Cow;
use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;

use async_graphql::parser::types::{
    BaseType, ExecutableDocument, Field, FragmentDefinition, OperationDefinition, Selection, SelectionSet, Type, VariableDefinition,
};
use async_graphql::{Name, Positioned, ServerError, Value as ConstValue, Variables};
use async_graphql_value::Value;

use crate::page::{most_items, size_problem};
use crate::selection::operation;
use crate::types::{Composite, Input, Types};

/// The arguments and the defaults of variables whose value has something else where an input object must be, in their order: of each the first such place; and
/// those by which a page would have a size that there is not. Variables have their defaults. They count in the operation of this name alone, and one that has no value is as null.
pub fn misfits(types: &Types, document: &ExecutableDocument, name: Option<&str>, variables: &Variables) -> Vec<ServerError> {
    let wanted = operation(document, name);
    let mut known = Cow::Borrowed(variables);
    let mut errors = Vec::new();
    for (_, operation) in document.operations.iter() {
        for (definition, problem) in wrong_defaults(types, &operation.node) {
            errors.push(ServerError::new(format!("Invalid default value for argument: {problem}"), Some(definition.pos)));
            // Where it stands it is not told again.
            let VariableDefinition { name, default_value, .. } = &definition.node;
            if known.get(&name.node) == default_value.as_ref().map(|default| &default.node) {
                known.to_mut().remove(&name.node);
            }
        }
    }
    let unknown = Variables::default();
    let mut search = Search { types, document, variables: &known, seen: HashSet::new(), errors };
    if let Some(wanted) = wanted {
        search.operation(&wanted.node);
    }
    search.variables = &unknown;
    for (_, other) in document.operations.iter() {
        if !wanted.is_some_and(|wanted| std::ptr::eq(wanted, other)) {
            search.operation(&other.node);
        }
    }
    for (name, fragment) in &document.fragments {
        search.fragment(name, fragment);
    }
    let mut errors = search.errors;
    errors.sort_by_key(|error| error.locations.first().copied());
    errors
}

/// The variables of an operation whose default is wrong, and what is wrong with it.
fn wrong_defaults<'a>(types: &Types, operation: &'a OperationDefinition) -> Vec<(&'a Positioned<VariableDefinition>, String)> {
    let wrong = operation.variable_definitions.iter().filter_map(|definition| {
        let VariableDefinition { name, var_type, default_value, .. } = &definition.node;
        let place = Place { within: None, step: Step::Name(&name.node) };
        Some((definition, misfit(types, &default_value.as_ref()?.node, &var_type.node, &place)?))
    });
    wrong.collect()
}

struct Search<'a> {
    types: &'a Types,
    document: &'a ExecutableDocument,
    variables: &'a Variables,
    /// The fragments that were looked at.
    seen: HashSet<&'a Name>,
    errors: Vec<ServerError>,
}

impl<'a> Search<'a> {
    fn operation(&mut self, operation: &'a OperationDefinition) {
        self.set(&operation.selection_set.node, self.types.root(operation.ty));
    }

    fn fragment(&mut self, name: &'a Name, fragment: &'a Positioned<FragmentDefinition>) {
        if self.seen.insert(name) {
            self.set(&fragment.node.selection_set.node, self.types.named(&fragment.node.type_condition.node.on.node));
        }
    }

    /// Looks at a selection of a type. Of one that there is not, as of those that describe the schema, no field is known, but fragments may be.
    fn set(&mut self, set: &'a SelectionSet, of: Option<&'a Composite>) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => self.field(&field.node, of),
                Selection::InlineFragment(fragment) => {
                    let on = match &fragment.node.type_condition {
                        Some(condition) => self.types.named(&condition.node.on.node),
                        None => of,
                    };
                    self.set(&fragment.node.selection_set.node, on);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some((name, fragment)) = self.document.fragments.get_key_value(&spread.node.fragment_name.node) {
                        self.fragment(name, fragment);
                    }
                }
            }
        }
    }

    fn field(&mut self, field: &'a Field, of: Option<&'a Composite>) {
        let name = field.name.node.as_str();
        if !field.arguments.is_empty()
            && let Some(of) = of
        {
            self.arguments(field, of.inputs(name));
        }
        let set = &field.selection_set.node;
        if !set.items.is_empty() {
            let below = of.and_then(|of| of.field(name)).and_then(|of_type| self.types.composite(of_type));
            self.set(set, below);
        }
    }

    fn arguments(&mut self, field: &'a Field, inputs: &[Input]) {
        self.sizes(field, inputs);
        for Input { name, of_type, .. } in inputs.iter().filter(|input| input.is_object) {
            let Some((argument, value)) = field.arguments.iter().find(|(argument, _)| argument.node == *name) else { continue };
            let place = Place { within: None, step: Step::Name(name) };
            if let Some(problem) = misfit(self.types, &self.value(&value.node), of_type, &place) {
                self.errors.push(ServerError::new(format!("Invalid value for argument {problem}"), Some(argument.pos)));
            }
        }
    }

    /// Looks at the size of a page. What is no number the rules tell. A field whose size is never null, as that of the change feed, has other bounds and tells of
    /// them itself.
    fn sizes(&mut self, field: &'a Field, inputs: &[Input]) {
        let Some(most) = most_items(|name| inputs.iter().any(|input| input.name.as_str() == name)) else { return };
        let is_size =
            |name: &Name| matches!(name.as_str(), "first" | "last") && inputs.iter().any(|input| input.name == *name && input.of_type.nullable);
        for (argument, value) in field.arguments.iter().filter(|(argument, _)| is_size(&argument.node)) {
            if let ConstValue::Number(number) = &*self.value(&value.node)
                && number.as_i64().is_some_and(|size| !usize::try_from(size).is_ok_and(|size| size <= most))
            {
                self.errors.push(ServerError::new(size_problem(&argument.node, most), Some(argument.pos)));
            }
        }
    }

    /// A value with those of its variables.
    fn value(&self, written: &Value) -> Cow<'a, ConstValue> {
        let variables: &'a Variables = self.variables;
        let of_variable = |name: &Name| variables.get(name);
        if let Value::Variable(name) = written {
            return of_variable(name).map_or(Cow::Owned(ConstValue::Null), Cow::Borrowed);
        }
        let value = written.clone().into_const_with(|name| Ok::<_, Infallible>(of_variable(&name).cloned().unwrap_or(ConstValue::Null)));
        Cow::Owned(value.unwrap_or(ConstValue::Null))
    }
}

/// What is wrong with a value for a type. One item may stand for a list of it.
fn misfit(types: &Types, value: &ConstValue, of_type: &Type, place: &Place<'_>) -> Option<String> {
    match (&of_type.base, value) {
        (_, ConstValue::Null) => None,
        (BaseType::List(of_item), ConstValue::List(items)) => {
            let below = |at| Place { within: Some(place), step: Step::At(at) };
            items.iter().enumerate().find_map(|(at, item)| misfit(types, item, of_item, &below(at)))
        }
        (BaseType::List(of_item), item) => misfit(types, item, of_item, place),
        (BaseType::Named(name), ConstValue::Object(members)) => types.input(name)?.iter().filter(|member| member.is_object).find_map(|member| {
            let below = Place { within: Some(place), step: Step::Name(&member.name) };
            misfit(types, members.get(&member.name)?, &member.of_type, &below)
        }),
        (BaseType::Named(name), _) => {
            types.input(name)?;
            Some(format!("\"{place}\", expected type \"{name}\""))
        }
    }
}

/// Where a value is within an argument. It is written only where something is wrong.
pub struct Place<'a> {
    pub within: Option<&'a Place<'a>>,
    pub step: Step<'a>,
}

pub enum Step<'a> {
    Name(&'a Name),
    At(usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(within) = self.within {
            write!(to, "{within}.")?;
        }
        match self.step {
            Step::Name(name) => write!(to, "{name}"),
            Step::At(at) => write!(to, "{at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use serde_json::json;

    use super::*;

    const SDL: &str = "input In { a: Int in: In all: [In!] free: JSON } scalar JSON interface Node { n(in: In): Int } \
                       type Item implements Node { n(in: In): Int } union Any = Item \
                       type Query { f(in: In, all: [In!], pairs: [[In]], free: JSON, a: Int): Int item(in: In): Item node: Node any: [Any!]! } \
                       type Mutation { m(in: In!): Int } schema { query: Query mutation: Mutation }";

    /// The places that are told of a document, of whose operations `A` is wanted.
    fn places(text: &str) -> Vec<String> {
        let variables = json!({"null": null, "text": "x", "object": {"in": {}}, "deep": {"all": [{}, {"in": [{}]}]}, "list": [{}], "wrong": [{}, 7]});
        let errors = misfits(&Types::of(SDL), &parse_query(text).expect("a document"), Some("A"), &Variables::from_json(variables));
        let place = |error: &ServerError| {
            let at = error.locations.first().expect("a place").column;
            let told = error.message.strip_prefix("Invalid value for argument \"").and_then(|rest| rest.strip_suffix("\", expected type \"In\""));
            format!("{at} {}", told.expect("the words of the rules"))
        };
        errors.iter().map(place).collect()
    }

    #[test]
    fn a_size_that_there_is_not_is_told_once_with_its_place() {
        let sdl = "type Item { items(first: Int, after: ID, last: Int, before: ID): [Item!]! since(after: ID, first: Int): Int top(first: Int): Int a: Int } \
                   type Query { items(first: Int, after: ID, last: Int, before: ID): [Item!]! changes(after: ID, first: Int! = 100): Int } \
                   schema { query: Query }";
        let told = |text: &str| {
            let variables = Variables::from_json(json!({"many": 501, "few": 5, "null": null}));
            let errors = misfits(&Types::of(sdl), &parse_query(text).expect("a document"), Some("A"), &variables);
            let one = |error: &ServerError| format!("{} {}", error.locations.first().expect("a place").column, error.message);
            errors.iter().map(one).collect::<Vec<_>>()
        };
        let wrong = |column: usize, name: &str, most: usize| format!("{column} {name}: must be 0 to {most}");
        for (text, wanted) in [
            ("{ items(first: 0) { a } b: items(last: 500) { since(first: 200) top(first: 900) } }", vec![]),
            ("{ changes(first: 201) b: changes(first: -1) }", vec![]),
            ("{ items(first: null) { a } b: items(first: true) { a } c: items(first: 1.5) { a } }", vec![]),
            ("{ items(first: 20) { items(first: -1) { a } } }", vec![wrong(28, "first", 500)]),
            ("{ items(last: 501) { since(first: 201) } }", vec![wrong(9, "last", 500), wrong(28, "first", 200)]),
            ("{ ...F ...F } fragment F on Query { items(first: 501) { a } }", vec![wrong(43, "first", 500)]),
            (
                "query A { items(first: $few) { items(first: $many) { a } } c: items(first: $null, last: $nothing) { a } }",
                vec![wrong(38, "first", 500)],
            ),
            ("query B { items(first: $many) { a } }", vec![]),
        ] {
            assert_eq!(told(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_default_that_is_no_input_object_is_told_where_it_is() {
        let told = |text: &str, variables: Variables| {
            let errors = misfits(&Types::of(SDL), &parse_query(text).expect("a document"), Some("A"), &variables);
            let one = |error: &ServerError| format!("{} {}", error.locations.first().expect("a place").column, error.message);
            errors.iter().map(one).collect::<Vec<_>>()
        };
        let wrong = |column: usize, place: &str| format!("{column} Invalid default value for argument: \"{place}\", expected type \"In\"");
        let seven = || Variables::from_json(json!({"d": 7}));
        for (text, wanted) in [
            (
                "query A($d: In = {}, $e: [In] = {in: {}}, $f: Int = \"x\", $g: JSON = 7, $h: In = null) { f(in: $d, all: $e, a: $f, free: $g) }",
                vec![],
            ),
            ("query A($d: In = 7) { f(in: $d) }", vec![wrong(9, "d")]),
            ("query A($d: [In!] = [{}, {in: 7}]) { f(all: $d) }", vec![wrong(9, "d.1.in")]),
            ("query A { f } query B($d: In = 7, $e: In = [7]) { f(in: $d) g: f(in: $e) }", vec![wrong(23, "d"), wrong(35, "e")]),
        ] {
            assert_eq!(told(text, Variables::default()), wanted, "{text}");
        }
        let text = "query A($d: In = 7) { f(in: $d) }";
        assert_eq!(told(text, seven()), [wrong(9, "d")], "where it stands it is not told again");
        let given = told(text, Variables::from_json(json!({"d": 8})));
        assert_eq!(given.len(), 2, "what is given is another fault: {given:?}");
    }

    #[test]
    fn what_is_no_input_object_is_told_with_its_place() {
        let table: [(&str, &[&str]); 35] = [
            ("{ f(in: {}) }", &[]),
            ("{ f(in: null, all: null) }", &[]),
            ("{ f(in: {in: null, all: {a: 1}}) }", &[]),
            ("{ f(all: {}) }", &[]),
            ("{ f(all: [{}, {}]) }", &[]),
            ("{ f(all: []) }", &[]),
            ("{ f(pairs: {}) }", &[]),
            ("{ f(pairs: [[{}, null], null, {}]) }", &[]),
            ("{ f(free: \"x\", in: {free: [1]}, a: 1) }", &[]),
            ("{ f(misspelt: 1) misspelt(in: 1) { f(in: 1) } __schema { types { name } } }", &[]),
            ("{ f(in: \"x\") }", &["5 in"]),
            ("{ f(in: 1) }", &["5 in"]),
            ("{ f(in: X) }", &["5 in"]),
            ("{ f(in: true) }", &["5 in"]),
            ("{ f(in: []) }", &["5 in"]),
            ("{ f(in: [{}]) }", &["5 in"]),
            ("{ f(all: \"x\") }", &["5 all"]),
            ("{ f(all: [{}, \"x\", 7]) }", &["5 all.1"]),
            ("{ f(all: [[{}]]) }", &["5 all.0"]),
            ("{ f(pairs: [[{}], [1]]) }", &["5 pairs.1.0"]),
            ("{ f(in: {in: {all: [{}, {in: 1}]}}) }", &["5 in.in.all.1.in"]),
            ("{ f(in: 1, all: 1) g: f(in: 1) }", &["5 in", "12 all", "25 in"]),
            ("{ item(in: 1) { n(in: 1) } }", &["8 in", "19 in"]),
            ("{ node { n(in: 1) ... { n(in: 2) } ... on Item { n(in: 3) } } }", &["12 in", "27 in", "52 in"]),
            ("{ any { ... on Item { n(in: 1) } } }", &["25 in"]),
            ("mutation { a: m(in: {}) b: m(in: 1) }", &["30 in"]),
            ("{ ...F ...F } fragment F on Query { f(in: 1) ...F }", &["39 in"]),
            ("query A { f(in: $null) g: f(in: $object) h: f(in: $nothing, all: $object) i: f(all: $list) }", &[]),
            ("query A { f(in: $text) }", &["13 in"]),
            ("query A { f(in: $list) }", &["13 in"]),
            ("query A { f(in: $deep) }", &["13 in.all.1.in"]),
            ("query A { f(all: $wrong) }", &["13 all.1"]),
            ("query A { f(in: {in: $text}, all: [$object, $list]) }", &["13 in.in", "30 all.1"]),
            // Variables are those of the operation that is wanted, in its fragments, too.
            ("query A { ...F } query B { f(in: $text) ...G item(in: 1) { n } } fragment F on Query { f(in: $text) }", &["51 in", "90 in"]),
            ("query A { a: f } query B { ...G } fragment G on Query { f(in: $text) g: f(in: 1) }", &["75 in"]),
        ];
        for (text, wanted) in table {
            assert_eq!(places(text), wanted, "{text}");
        }
    }
}
