//! Documents that are run in the place of those that were sent.

use std::collections::HashMap;

use async_graphql::parser::types::{
    Directive, DocumentOperations, ExecutableDocument, Field, InlineFragment, OperationDefinition, Selection, SelectionSet, TypeCondition,
};
use async_graphql::{Name, Pos, Positioned};
use async_graphql_value::Value;

use super::{AnyOf, Below, Exact, Shape, Slot};
use crate::selection::{Uses, operation, operation_mut};

type Items = Vec<Positioned<Selection>>;

fn fragment(on: Option<&Name>, directives: Vec<Positioned<Directive>>, items: Items, pos: Pos) -> Positioned<Selection> {
    let type_condition = on.map(|on| Positioned::new(TypeCondition { on: Positioned::new(on.clone(), pos) }, pos));
    let fragment = InlineFragment { type_condition, directives, selection_set: Positioned::new(SelectionSet { items }, pos) };
    Positioned::new(Selection::InlineFragment(Positioned::new(fragment, pos)), pos)
}

impl Exact<'_> {
    /// The same document, to be checked and not carried out: async-graphql leaves out what is skipped once all of it was found to be valid.
    pub fn unexecuted(document: &ExecutableDocument, name: Option<&str>) -> ExecutableDocument {
        let mut document = document.clone();
        if let Some(operation) = operation_mut(&mut document, name) {
            let set = &mut operation.node.selection_set;
            let pos = set.pos;
            let argument = (Positioned::new(Name::new("if"), pos), Positioned::new(Value::Boolean(true), pos));
            let skip = Directive { name: Positioned::new(Name::new("skip"), pos), arguments: vec![argument] };
            let items = std::mem::take(&mut set.node.items);
            set.node.items = vec![fragment(None, vec![Positioned::new(skip, pos)], items, pos)];
        }
        document
    }

    /// The document in which each field stands once, each at its first position, and every object can be told from null. Nothing is left in it of
    /// what the operation does not use, as that would be refused.
    pub fn rewritten(&mut self, document: &ExecutableDocument, name: Option<&str>, text: &str) -> ExecutableDocument {
        let type_key = unused_key(text);
        let operations = match operation(document, name) {
            Some(operation) => self.operation(operation, &type_key, name),
            None => document.operations.clone(),
        };
        self.type_key = Some(type_key);
        let mut rewritten = ExecutableDocument { operations, fragments: document.fragments.clone() };
        // What is asked of the schema stays as it was, with its fragments.
        let uses = Uses::of(&rewritten);
        rewritten.fragments.retain(|name, _| uses.fragments.contains(name));
        if let Some(operation) = operation_mut(&mut rewritten, name) {
            operation.node.variable_definitions.retain(|definition| uses.variables.contains(&definition.node.name.node));
        }
        rewritten
    }

    fn operation(&self, operation: &Positioned<OperationDefinition>, type_key: &Name, name: Option<&str>) -> DocumentOperations {
        let set = &operation.node.selection_set;
        let items = self.root.items(type_key, set.pos);
        let definition = OperationDefinition {
            ty: operation.node.ty,
            variable_definitions: operation.node.variable_definitions.clone(),
            directives: operation.node.directives.clone(),
            selection_set: set.position_node(SelectionSet { items }),
        };
        let operation = operation.position_node(definition);
        match name {
            Some(name) => DocumentOperations::Multiple(HashMap::from([(Name::new(name), operation)])),
            None => DocumentOperations::Single(operation),
        }
    }
}

/// A response key that the document does not have.
fn unused_key(text: &str) -> Name {
    let mut key = "typename_".to_owned();
    while text.contains(&key) {
        key.push('_');
    }
    Name::new(key)
}

fn type_name(key: &Name, pos: Pos) -> Positioned<Selection> {
    let field = Field {
        alias: Some(Positioned::new(key.clone(), pos)),
        name: Positioned::new(Name::new("__typename"), pos),
        arguments: Vec::new(),
        directives: Vec::new(),
        selection_set: Positioned::new(SelectionSet::default(), pos),
    };
    Positioned::new(Selection::Field(Positioned::new(field, pos)), pos)
}

impl Shape<'_> {
    fn items(&self, type_key: &Name, pos: Pos) -> Items {
        if self.slots.is_empty() {
            return vec![type_name(type_key, pos)];
        }
        self.slots.iter().filter_map(|slot| slot.selection(type_key)).collect()
    }
}

impl AnyOf<'_> {
    /// Values that all objects are asked for stand before what depends on their types.
    fn items(&self, type_key: &Name, pos: Pos) -> Items {
        let of_each: Vec<&Slot<'_>> = self.of_each.slots.iter().filter(|slot| slot.is_leaf()).collect();
        let mut items: Items = of_each.iter().filter_map(|slot| slot.selection(type_key)).collect();
        if self.type_key.is_none() {
            items.push(type_name(type_key, pos));
        }
        for name in self.possible {
            let own = self.shape(name).slots.iter().filter(|slot| !of_each.iter().any(|each| each.key == slot.key));
            let own: Items = own.filter_map(|slot| slot.selection(type_key)).collect();
            if !own.is_empty() {
                items.push(fragment(Some(name), Vec::new(), own, pos));
            }
        }
        items
    }
}

impl Slot<'_> {
    fn selection(&self, type_key: &Name) -> Option<Positioned<Selection>> {
        let first = self.fields.first()?;
        let set = &first.node.selection_set;
        let items = match &self.below {
            Below::Value => self.fields.iter().flat_map(|field| field.node.selection_set.node.items.iter().cloned()).collect(),
            Below::Object(shape) => shape.items(type_key, set.pos),
            Below::AnyOf(any_of) => any_of.items(type_key, set.pos),
        };
        let field = Field {
            alias: first.node.alias.clone(),
            // A name of its own: by where it lies in memory a field is known, and the first may stand in a fragment that is spread elsewhere, too.
            name: first.node.name.position_node(Name::new(&first.node.name.node)),
            arguments: first.node.arguments.clone(),
            directives: Vec::new(),
            selection_set: set.position_node(SelectionSet { items }),
        };
        Some(first.position_node(Selection::Field(first.position_node(field))))
    }
}
