//! How large a document is once its fragments are put where they are spread.
//!
//! A chain of fragments that spread each other twice is short as a text and endless as a tree, and async-graphql walks the tree. So it is
//! measured here without being walked: every fragment once.

use std::collections::HashMap;

use async_graphql::parser::types::{ExecutableDocument, Field, FragmentDefinition, Selection, SelectionSet};
use async_graphql::{Name, Positioned};

/// Selection sets within one another, those of fragments too: what walks them calls itself as often.
pub const SETS: usize = 128;

/// A selection set's size, with all that is in it.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Measure {
    pub fields: usize,
    pub aliases: usize,
    /// Fields within one another.
    pub depth: usize,
    /// Selection sets within one another.
    pub sets: usize,
    /// Lists within one another, should this be about the schema. See [`weight`].
    lists: usize,
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
    let operations = document.operations.iter().map(|(_, operation)| walk.set(&operation.node.selection_set.node, 0)).collect::<Result<_, _>>()?;
    Ok(Measured { operations, fragments })
}

struct Walk<'a> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    /// None: it is being measured.
    known: HashMap<&'a Name, Option<Measure>>,
}

impl<'a> Walk<'a> {
    fn set(&mut self, set: &'a SelectionSet, around: usize) -> Result<Measure, Fault> {
        if around >= SETS {
            return Err(Fault::TooDeep);
        }
        let mut sum = Measure::default();
        for selection in &set.items {
            let measure = match &selection.node {
                Selection::Field(field) => self.field(&field.node, around + 1)?,
                Selection::InlineFragment(fragment) => self.set(&fragment.node.selection_set.node, around + 1)?,
                Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node, around + 1)?,
            };
            sum = sum.beside(measure);
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
            aliases: within.aliases.saturating_add(usize::from(field.alias.is_some())),
            depth: within.depth + 1,
            lists: within.lists + weight(name),
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
        let measure = self.set(&fragment.node.selection_set.node, around)?;
        self.known.insert(name, Some(measure));
        Ok(measure)
    }
}

impl Measure {
    /// Both, one beside the other.
    fn beside(self, other: Self) -> Self {
        Self {
            fields: self.fields.saturating_add(other.fields),
            aliases: self.aliases.saturating_add(other.aliases),
            depth: self.depth.max(other.depth),
            sets: self.sets.max(other.sets),
            lists: self.lists.max(other.lists),
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
        assert_eq!((measured.fields, measured.schema_fields, measured.schema_lists), (11, 8, 4));
    }
}
