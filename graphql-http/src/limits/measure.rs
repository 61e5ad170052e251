//! How large a document is once its fragments are put where they are spread.
//!
//! A chain of fragments that spread each other twice is short as a text and endless as a tree, and async-graphql walks the tree. So it is
//! measured here without being walked: every fragment once.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::types::{ExecutableDocument, Field, FragmentDefinition, OperationDefinition, Selection, SelectionSet};
use async_graphql::{Name, Positioned};

/// Selection sets within one another, those of fragments too: what walks them calls itself as often.
pub const SETS: usize = 128;

/// A selection set's size, with all that is in it.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Measure {
    pub fields: usize,
    /// Fields with another name, and those that stand in the same set before: either way a field is asked for again, and costs as much again.
    pub aliases: usize,
    /// The most directives in one place.
    pub directives: usize,
    /// Fields within one another.
    pub depth: usize,
    /// Selection sets within one another.
    pub sets: usize,
    /// Lists within one another, should this be about the schema. See [`weight`].
    lists: usize,
    /// How often the schema is asked for, and not one type of it by its name.
    pub schemas: usize,
    /// Fields that are about the schema.
    pub schema_fields: usize,
    /// Lists within one another, of those that are about the schema.
    pub schema_lists: usize,
}

/// The operations and the fragments of a document, each with all that it spreads.
pub struct Measured {
    pub operations: Vec<Measure>,
    pub fragments: Vec<Measure>,
}

/// Why a document can't be measured.
#[derive(Debug, PartialEq)]
pub enum Fault {
    TooDeep,
    /// This fragment spreads itself.
    Endless(Name),
}

/// Measures a document. Fragments that are spread and not there count nothing; they are refused later, with their name.
pub fn measure(document: &ExecutableDocument) -> Result<Measured, Fault> {
    let mut walk = Walk { fragments: &document.fragments, known: HashMap::new() };
    // Fragments that nothing spreads are walked by async-graphql all the same, before it says that it does not want them.
    let fragments = document.fragments.keys().map(|name| walk.fragment(name, 0)).collect::<Result<_, _>>()?;
    let operations = document.operations.iter().map(|(_, operation)| walk.operation(&operation.node)).collect::<Result<_, _>>()?;
    Ok(Measured { operations, fragments })
}

struct Walk<'a> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    /// None: it is being measured.
    known: HashMap<&'a Name, Option<Measure>>,
}

impl<'a> Walk<'a> {
    fn operation(&mut self, operation: &'a OperationDefinition) -> Result<Measure, Fault> {
        let measure = self.set(&operation.selection_set.node, 0)?;
        let of_variables = operation.variable_definitions.iter().map(|variable| variable.node.directives.len());
        Ok(of_variables.fold(measure.with_directives(operation.directives.len()), Measure::with_directives))
    }

    fn set(&mut self, set: &'a SelectionSet, around: usize) -> Result<Measure, Fault> {
        if around >= SETS {
            return Err(Fault::TooDeep);
        }
        let mut sum = Measure::default();
        let mut names = HashSet::new();
        for selection in &set.items {
            let measure = match &selection.node {
                Selection::Field(field) => {
                    let measure = self.field(&field.node, around + 1)?;
                    let again = field.node.alias.is_some() || !names.insert(&field.node.name.node);
                    Measure { aliases: measure.aliases.saturating_add(usize::from(again)), ..measure }
                }
                Selection::InlineFragment(fragment) => self.set(&fragment.node.selection_set.node, around + 1)?,
                Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, around + 1)?,
            };
            sum = sum.beside(measure.with_directives(selection.node.directives().len()));
        }
        Ok(Measure { sets: sum.sets + 1, ..sum })
    }

    fn field(&mut self, field: &'a Field, around: usize) -> Result<Measure, Fault> {
        let within = if field.selection_set.node.items.is_empty() { Measure::default() } else { self.set(&field.selection_set.node, around)? };
        let name = field.name.node.as_str();
        let fields = within.fields.saturating_add(1);
        let about_the_schema = matches!(name, "__schema" | "__type");
        Ok(Measure {
            fields,
            depth: within.depth + 1,
            lists: within.lists + weight(name),
            schemas: within.schemas.saturating_add(usize::from(name == "__schema")),
            schema_fields: if about_the_schema { fields } else { within.schema_fields },
            schema_lists: if about_the_schema { within.lists } else { within.schema_lists },
            ..within
        })
    }

    fn fragment(&mut self, name: &'a Name, around: usize) -> Result<Measure, Fault> {
        match self.known.get(name) {
            Some(Some(measure)) => return Ok(*measure),
            Some(None) => return Err(Fault::Endless(name.clone())),
            None => {}
        }
        let Some(fragment) = self.fragments.get(name) else { return Ok(Measure::default()) };
        self.known.insert(name, None);
        let measure = self.set(&fragment.node.selection_set.node, around)?.with_directives(fragment.node.directives.len());
        self.known.insert(name, Some(measure));
        Ok(measure)
    }
}

impl Measure {
    /// With so many directives at what was measured.
    fn with_directives(self, count: usize) -> Self {
        Self { directives: self.directives.max(count), ..self }
    }

    /// Both, one beside the other.
    fn beside(self, other: Self) -> Self {
        Self {
            fields: self.fields.saturating_add(other.fields),
            aliases: self.aliases.saturating_add(other.aliases),
            directives: self.directives.max(other.directives),
            depth: self.depth.max(other.depth),
            sets: self.sets.max(other.sets),
            lists: self.lists.max(other.lists),
            schemas: self.schemas.saturating_add(other.schemas),
            schema_fields: self.schema_fields.saturating_add(other.schema_fields),
            schema_lists: self.schema_lists.max(other.schema_lists),
        }
    }
}

/// What a list about the schema adds to those around it. Those that lead from a type to other types, and so to themselves, count double:
/// fields of the types of fields may be asked for of one type, and not of all.
fn weight(field: &str) -> usize {
    match field {
        "fields" | "inputFields" | "interfaces" | "possibleTypes" => 2,
        "types" | "directives" | "args" | "enumValues" => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    fn only(text: &str) -> Result<Measure, Fault> {
        measure(&parse_query(text).expect("a document")).map(|measured| measured.operations[0])
    }

    #[test]
    fn fragments_count_wherever_they_are_spread() {
        let measured = only("{ x: a { ...f } b { ...f ... { c } ...unknown } } fragment f on T { y: d { e } ...g } fragment g on T { z: h }");
        let expected = Measure { fields: 9, aliases: 5, depth: 3, sets: 4, ..Measure::default() };
        assert_eq!(measured, Ok(expected));
    }

    #[test]
    fn what_comes_again_counts_as_an_alias_does() {
        for (text, aliases) in [
            ("{ a b a { a } a { a } }", 2),
            ("{ x: a a x: a }", 2),
            // A set of its own: whoever asks for several types names some fields in each.
            ("{ a ... on A { a } ... on B { a } ...f ...f } fragment f on A { a }", 0),
        ] {
            assert_eq!(only(text).map(|measured| measured.aliases), Ok(aliases), "{text}");
        }
    }

    #[test]
    fn directives_are_counted_where_they_stand() {
        for text in [
            "{ a @x @x @y b @x }",
            "{ a { b @x @x @x } }",
            "query @x @x @x { a @x }",
            "query($v: ID @x @x @x) { a @x }",
            "{ a ... @x @x @x { b @x } }",
            "{ a ...f @x @x @x } fragment f on A { b @x }",
            "{ a ...f @x } fragment f on A @x @x @x { b @x }",
        ] {
            assert_eq!(only(text).map(|measured| measured.directives), Ok(3), "{text}");
        }
    }

    #[test]
    fn a_chain_that_doubles_is_measured_at_once() {
        let chain: String = (0..100).map(|number| format!("fragment f{number} on T {{ ...f{} ...f{} }} ", number + 1, number + 1)).collect();
        let measured = only(&format!("{{ ...f0 }} {chain} fragment f100 on T {{ a: b }}")).expect("a measure");
        assert_eq!((measured.fields, measured.aliases, measured.depth, measured.sets), (usize::MAX, usize::MAX, 1, 102));
        let long: String = (0..SETS).map(|number| format!("fragment f{number} on T {{ ...f{} }} ", number + 1)).collect();
        // Which it is depends on which fragment comes first.
        let found = only(&format!("{{ ...f0 }} {long} fragment f{SETS} on T {{ b }}"));
        assert!(found == Err(Fault::TooDeep) || found.is_ok_and(|measured| measured.sets > SETS));
    }

    #[test]
    fn a_circle_is_no_document() {
        let found = only("{ a } fragment f on T { a { ...g } } fragment g on T { ...f }");
        assert!(matches!(found, Err(Fault::Endless(_))), "{found:?}");
    }

    #[test]
    fn what_is_about_the_schema_is_told_apart() {
        let text = "{ fields { args { types } } __schema { ...s } }
            fragment s on __Schema { types { fields { args { name } } } directives { args { name } } }";
        let measured = only(text).expect("a measure");
        assert_eq!((measured.fields, measured.schemas, measured.schema_fields, measured.schema_lists), (11, 1, 8, 4));
        assert_eq!(only("{ __type(name: \"A\") { name } }").map(|measured| measured.schemas), Ok(0));
    }
}
