//! Where variables may stand, by their types.
//!
//! async-graphql 7.2 has a rule for it, and never runs it (`findings/async_graphql_variable_positions.sh`). So the places of all variables are looked at here
//! (specification, section 5.8.5), of each operation in its fragments, too. Of what there is no such argument, member or type other rules tell. What is asked of the
//! schema itself is not looked at.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::types::{BaseType, Directive, ExecutableDocument, Field, Selection, SelectionSet, Type, VariableDefinition};
use async_graphql::{Name, Pos, Positioned, ServerError, Value as ConstValue};
use async_graphql_value::Value;

use crate::types::{Composite, Input, Types, innermost};
use crate::values::{Place, Step};

/// The variables that stand where those of their type may not, in the order of the places: each with its definition and the argument.
pub fn misplaced(types: &Types, document: &ExecutableDocument) -> Vec<ServerError> {
    let mut search = Search { types, document, definitions: HashMap::new(), seen: HashSet::new(), told: HashSet::new(), errors: Vec::new() };
    for (_, operation) in document.operations.iter() {
        let operation = &operation.node;
        if operation.variable_definitions.is_empty() {
            continue;
        }
        search.definitions = operation.variable_definitions.iter().map(|definition| (&definition.node.name.node, definition)).collect();
        search.seen.clear();
        search.directives(&operation.directives);
        search.set(&operation.selection_set.node, types.root(operation.ty));
    }
    let mut errors = search.errors;
    errors.sort_by_key(|error| error.locations.last().copied());
    errors
}

/// Defaults of lists of a type that there is not, at which async-graphql 7.2 panics. Nothing else is looked at in a document that has one.
pub fn unknown_types(types: &Types, document: &ExecutableDocument) -> Vec<ServerError> {
    let definitions = document.operations.iter().flat_map(|(_, operation)| &operation.node.variable_definitions);
    let with_default = definitions.filter(|definition| definition.node.default_value.is_some());
    let unknown = with_default.filter_map(|definition| {
        let of_type = &definition.node.var_type.node;
        let name = innermost(of_type);
        let is_unknown = matches!(of_type.base, BaseType::List(_)) && !types.is_known(name);
        is_unknown.then(|| ServerError::new(format!("Unknown type \"{name}\""), Some(definition.pos)))
    });
    unknown.collect()
}

struct Search<'a> {
    types: &'a Types,
    document: &'a ExecutableDocument,
    /// Those of the operation.
    definitions: HashMap<&'a Name, &'a Positioned<VariableDefinition>>,
    /// The fragments of the operation that were looked at.
    seen: HashSet<&'a Name>,
    /// Arguments and variables of which something is told. Once, in however many operations a fragment is: else there would be as many errors as both multiplied.
    told: HashSet<(Pos, &'a Name)>,
    errors: Vec<ServerError>,
}

impl<'a> Search<'a> {
    fn set(&mut self, set: &'a SelectionSet, of: Option<&'a Composite>) {
        let types = self.types;
        for selection in &set.items {
            self.directives(selection.node.directives());
            match &selection.node {
                Selection::Field(field) => self.field(&field.node, of),
                Selection::InlineFragment(fragment) => {
                    let on = match &fragment.node.type_condition {
                        Some(condition) => types.named(&condition.node.on.node),
                        None => of,
                    };
                    self.set(&fragment.node.selection_set.node, on);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some((name, fragment)) = self.document.fragments.get_key_value(&spread.node.fragment_name.node)
                        && self.seen.insert(name)
                    {
                        self.directives(&fragment.node.directives);
                        self.set(&fragment.node.selection_set.node, types.named(&fragment.node.type_condition.node.on.node));
                    }
                }
            }
        }
    }

    fn field(&mut self, field: &'a Field, of: Option<&'a Composite>) {
        let name = field.name.node.as_str();
        self.arguments(&field.arguments, of.map(|of| of.inputs(name)).unwrap_or_default());
        let below = of.and_then(|of| of.field(name)).and_then(|of_type| self.types.composite(of_type));
        self.set(&field.selection_set.node, below);
    }

    fn directives(&mut self, directives: &'a [Positioned<Directive>]) {
        let types = self.types;
        for directive in directives {
            self.arguments(&directive.node.arguments, types.directive(&directive.node.name.node));
        }
    }

    fn arguments(&mut self, arguments: &'a [(Positioned<Name>, Positioned<Value>)], inputs: &'a [Input]) {
        for (name, value) in arguments {
            if let Some(input) = inputs.iter().find(|input| input.name == name.node) {
                let place = Place { within: None, step: Step::Name(&name.node) };
                self.value(&value.node, &input.of_type, input.has_default, name.pos, &place);
            }
        }
    }

    /// Looks at a value for a type. One object may stand for a list of it.
    fn value(&mut self, value: &'a Value, of_type: &'a Type, has_default: bool, at: Pos, place: &Place<'_>) {
        match (value, &of_type.base) {
            (Value::Variable(name), _) => self.variable(name, of_type, has_default, at, place),
            (Value::List(items), BaseType::List(of_item)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, of_item, false, at, &Place { within: Some(place), step: Step::At(index) });
                }
            }
            (Value::Object(members), _) => {
                let types = self.types;
                let inputs = types.input(innermost(of_type)).unwrap_or_default();
                for (name, member) in members {
                    if let Some(input) = inputs.iter().find(|input| input.name == *name) {
                        self.value(member, &input.of_type, input.has_default, at, &Place { within: Some(place), step: Step::Name(name) });
                    }
                }
            }
            _ => {}
        }
    }

    fn variable(&mut self, name: &'a Name, wanted: &Type, has_default: bool, at: Pos, place: &Place<'_>) {
        let Some(definition) = self.definitions.get(name).copied() else { return };
        let of_type = &definition.node.var_type.node;
        if !self.types.is_input(innermost(of_type)) || may_stand(&definition.node, wanted, has_default) || !self.told.insert((at, name)) {
            return;
        }
        let mut problem = format!(
            "Variable \"${name}\" of type \"{of_type}\" used in position \"{place}\" expecting type \"{wanted}\": define it as \"${name}: {wanted}\""
        );
        if bases_fit(&of_type.base, &wanted.base) {
            problem.push_str(", or give it a default");
        }
        let mut error = ServerError::new(problem, Some(definition.pos));
        error.locations.push(at);
        self.errors.push(error);
    }
}

/// IsVariableUsageAllowed. A default, of the variable or of the place, stands for null.
fn may_stand(definition: &VariableDefinition, wanted: &Type, has_default: bool) -> bool {
    let of_type = &definition.var_type.node;
    let is_replaced = || has_default || definition.default_value.as_ref().is_some_and(|default| default.node != ConstValue::Null);
    (wanted.nullable || !of_type.nullable || is_replaced()) && bases_fit(&of_type.base, &wanted.base)
}

/// AreTypesCompatible, whatever is to be null.
fn bases_fit(of_type: &BaseType, wanted: &BaseType) -> bool {
    match (of_type, wanted) {
        (BaseType::Named(name), BaseType::Named(wanted)) => name == wanted,
        (BaseType::List(item), BaseType::List(wanted)) => (wanted.nullable || !item.nullable) && bases_fit(&item.base, &wanted.base),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    /// That of the specification's examples, with input objects.
    const SDL: &str = "directive @include(if: Boolean!) on FIELD directive @skip(if: Boolean!) on FIELD \
                       input Complex { name: String! owner: Complex all: [Complex!] size: Int! = 5 flags: [Boolean!] } enum Word { X } \
                       interface Node { n(first: Int!): Int } type Item implements Node { n(first: Int!): Int item: Item } \
                       type Arguments { nonNullBooleanArgField(nonNullBooleanArg: Boolean!): Boolean booleanArgField(booleanArg: Boolean): Boolean \
                       optionalNonNullBooleanArgField(optionalBooleanArg: Boolean! = false): Boolean \
                       booleanListArgField(booleanListArg: [Boolean]!): [Boolean] nonNullBooleanListField(nonNullBooleanListArg: [Boolean!]!): Boolean \
                       complex(in: Complex, all: [Complex!], pairs: [[Int!]]): Int word(word: Word!): Int node(id: ID!): Node item: Item } \
                       type Mutation { m(in: Complex!): Int } schema { query: Arguments mutation: Mutation }";

    /// Columns of definitions and arguments, with what is told of them.
    fn told(text: &str) -> Vec<String> {
        let errors = misplaced(&Types::of(SDL), &parse_query(text).expect("a document"));
        let one = |error: &ServerError| {
            let columns: Vec<String> = error.locations.iter().map(|place| place.column.to_string()).collect();
            format!("{} {}", columns.join(" "), error.message)
        };
        errors.iter().map(one).collect()
    }

    #[test]
    fn variables_may_stand_where_the_specification_says() {
        for text in [
            // The examples of section 5.8.5.
            "query q($a: Boolean!) { booleanArgField(booleanArg: $a) nonNullBooleanArgField(nonNullBooleanArg: $a) }",
            "query q($a: [Boolean!]) { complex(in: {name: \"x\", flags: $a}) }",
            "query q($a: [Boolean!]!) { booleanListArgField(booleanListArg: $a) nonNullBooleanListField(nonNullBooleanListArg: $a) }",
            "query q($a: Boolean) { optionalNonNullBooleanArgField(optionalBooleanArg: $a) }",
            "query q($a: Boolean = true) { nonNullBooleanArgField(nonNullBooleanArg: $a) }",
            // Within values.
            "query q($a: String!, $b: Int, $c: Complex!, $d: Complex) { complex(in: {name: $a, size: $b, all: [$c], owner: $d}) }",
            "query q($a: Boolean!) { booleanListArgField(booleanListArg: [true, $a]) nonNullBooleanListField(nonNullBooleanListArg: [$a]) }",
            "query q($a: String!) { complex(all: {name: $a}) }",
            "query q($a: [Int!], $b: Int!) { complex(pairs: [$a, [$b]]) }",
            "query q($a: Word!) { word(word: $a) }",
            "query q($a: Boolean!) { item @include(if: $a) { n(first: 1) @skip(if: $a) } }",
            "mutation m($a: Complex!) { m(in: $a) }",
            // What other rules tell of, or nobody.
            "query q($a: Int) { misspelt(a: $a) item(misspelt: $a) { n(first: $nobody) } complex(in: {misspelt: $a}) @misspelt(if: $a) }",
            "query q($a: Misspelt, $b: Item) { word(word: $a) w: word(word: $b) }",
            "query q($a: String!) { __type(name: $a) { name } }",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_variable_that_may_not_stand_somewhere_is_told_with_both_places() {
        let one = |columns: &str, name: &str, of_type: &str, place: &str, wanted: &str, more: &str| {
            let told = format!("Variable \"${name}\" of type \"{of_type}\" used in position \"{place}\" expecting type \"{wanted}\"");
            format!("{columns} {told}: define it as \"${name}: {wanted}\"{more}")
        };
        let default = ", or give it a default";
        let table = [
            // The examples of section 5.8.5.
            ("query q($a: Int) { booleanArgField(booleanArg: $a) }", vec![one("9 36", "a", "Int", "booleanArg", "Boolean", "")]),
            ("query q($a: [Boolean]) { booleanArgField(booleanArg: $a) }", vec![one("9 42", "a", "[Boolean]", "booleanArg", "Boolean", "")]),
            (
                "query q($a: Boolean) { nonNullBooleanArgField(nonNullBooleanArg: $a) }",
                vec![one("9 47", "a", "Boolean", "nonNullBooleanArg", "Boolean!", default)],
            ),
            (
                "query q($a: Boolean = null) { nonNullBooleanArgField(nonNullBooleanArg: $a) }",
                vec![one("9 54", "a", "Boolean", "nonNullBooleanArg", "Boolean!", default)],
            ),
            (
                "query q($a: [Boolean]!) { nonNullBooleanListField(nonNullBooleanListArg: $a) }",
                vec![one("9 51", "a", "[Boolean]!", "nonNullBooleanListArg", "[Boolean!]!", "")],
            ),
            // Only a written value may stand for a list of it.
            (
                "query q($a: Boolean!) { booleanListArgField(booleanListArg: $a) }",
                vec![one("9 45", "a", "Boolean!", "booleanListArg", "[Boolean]!", "")],
            ),
            // Within values; a default of the argument says nothing of its items.
            ("query q($a: ID!) { complex(in: {name: $a}) }", vec![one("9 28", "a", "ID!", "in.name", "String!", "")]),
            ("query q($a: String) { complex(all: [{name: $a}]) }", vec![one("9 31", "a", "String", "all.0.name", "String!", default)]),
            ("query q($a: Int) { complex(pairs: [[1, $a]]) }", vec![one("9 28", "a", "Int", "pairs.0.1", "Int!", default)]),
            ("query q($a: Int!) { complex(pairs: [$a]) }", vec![one("9 29", "a", "Int!", "pairs.0", "[Int!]", "")]),
            ("mutation m($a: Complex) { m(in: $a) }", vec![one("12 29", "a", "Complex", "in", "Complex!", default)]),
            // In directives, and in fragments of each operation.
            ("query q($a: Boolean) { item { n(first: 1) @skip(if: $a) } }", vec![one("9 49", "a", "Boolean", "if", "Boolean!", default)]),
            ("query q($a: ID) { node(id: \"x\") { ... on Item { n(first: $a) } } }", vec![one("9 51", "a", "ID", "first", "Int!", "")]),
            (
                "query q($a: Int!) { ...F } query r($a: Int) { ...F } fragment F on Arguments { item { n(first: $a) } ...F }",
                vec![one("36 89", "a", "Int", "first", "Int!", default)],
            ),
            // Each, in the order of the places; what is told of one argument in two operations once.
            (
                "query q($a: Int, $b: Int) { item { n(first: $b) } word(word: $a) }",
                vec![one("18 38", "b", "Int", "first", "Int!", default), one("9 56", "a", "Int", "word", "Word!", "")],
            ),
        ];
        for (text, wanted) in table {
            assert_eq!(told(text), wanted, "{text}");
        }
        let two = "query q($a: Int) { ...F } query r($a: ID!) { ...F } fragment F on Arguments { item { n(first: $a) } }";
        assert_eq!(told(two).len(), 1, "{:?}", told(two));
    }

    #[test]
    fn defaults_of_lists_of_unknown_types_are_told() {
        let types = Types::of(SDL);
        for (text, is_told) in [
            ("query q($a: [Misspelt] = [1]) { item { n(first: 1) } }", true),
            ("query q($a: [[Misspelt!]]! = [[1]]) { item { n(first: 1) } }", true),
            ("query q($a: [Misspelt], $b: Misspelt = 1) { item { n(first: 1) } }", false),
            ("query q($a: [Int!] = [1], $b: [Word] = [X], $c: [Complex] = [], $d: [Item] = [1]) { item { n(first: 1) } }", false),
        ] {
            let told = unknown_types(&types, &parse_query(text).expect("a document"));
            assert_eq!(told.iter().any(|error| error.message == "Unknown type \"Misspelt\""), is_told, "{text}: {told:?}");
        }
    }
}
