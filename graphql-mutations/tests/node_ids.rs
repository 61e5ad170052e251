//! Documents of `docs` select `nodeId` wherever they lead to a node: without it a cache does not know which node an answer has, such as that of a mutation.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::types::{
    BaseType, ExecutableDocument, FragmentDefinition, OperationType, Selection, SelectionSet, TypeKind, TypeSystemDefinition,
};
use async_graphql::parser::{parse_query, parse_schema};

use crate::guide::{SCHEMA, recipes, screens};

#[test]
fn documents_select_the_node_id_of_each_node() {
    let types = Types::of_the_schema();
    for (query, _) in recipes().into_iter().chain(screens()) {
        let missing = types.without_node_id(&query);
        assert!(missing.is_empty(), "{query}\nno `nodeId` at {missing:?}");
    }
    let query = "{ cases { nodes { id ...Is step { ... on Node { nodeId } } assignee { ...Named } } } } fragment Is on Case { nodeId } fragment Named on User { name }";
    assert_eq!(types.without_node_id(query), ["cases.nodes.assignee"]);
    assert_eq!(types.without_node_id("{ nodes(ids: []) { ... on Actor { nodeId } } }"), ["nodes"], "of others there is none");
}

/// Where fields lead, and what is a node.
struct Types {
    fields: HashMap<String, HashMap<String, String>>,
    nodes: HashSet<String>,
}

impl Types {
    fn of_the_schema() -> Self {
        let mut types = Self { fields: HashMap::new(), nodes: HashSet::from(["Node".to_owned()]) };
        for definition in parse_schema(SCHEMA).expect("the schema").definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let name = definition.node.name.node.to_string();
            let (implements, fields) = match definition.node.kind {
                TypeKind::Object(of) => (of.implements, of.fields),
                TypeKind::Interface(of) => (of.implements, of.fields),
                _ => continue,
            };
            if implements.iter().any(|interface| interface.node.as_str() == "Node") {
                types.nodes.insert(name.clone());
            }
            let fields = fields.into_iter().map(|field| (field.node.name.node.to_string(), named(&field.node.ty.node.base).to_owned()));
            types.fields.insert(name, fields.collect());
        }
        types
    }

    /// The fields of a document, by the way to them, that lead to nodes of which `nodeId` is not selected.
    fn without_node_id(&self, query: &str) -> Vec<String> {
        let document = parse_query(query).expect("a document");
        let mut missing = Vec::new();
        for (_, operation) in document.operations.iter() {
            let root = match operation.node.ty {
                OperationType::Query => "Query",
                OperationType::Mutation => "Mutation",
                OperationType::Subscription => "Subscription",
            };
            self.look(&document, root, &operation.node.selection_set.node, "", &mut missing);
        }
        missing
    }

    fn look(&self, document: &ExecutableDocument, of: &str, set: &SelectionSet, way: &str, missing: &mut Vec<String>) {
        for item in &set.items {
            match &item.node {
                Selection::Field(field) => {
                    let (name, inner) = (field.node.name.node.as_str(), &field.node.selection_set.node);
                    let to = self.fields.get(of).and_then(|fields| fields.get(name));
                    let Some(to) = to.filter(|_| !inner.items.is_empty()) else { continue };
                    let way = if way.is_empty() { name.to_owned() } else { format!("{way}.{name}") };
                    if self.nodes.contains(to) && !selects_node_id(document, to, inner) {
                        missing.push(way.clone());
                    }
                    self.look(document, to, inner, &way, missing);
                }
                Selection::FragmentSpread(spread) => {
                    let fragment = fragment(document, spread.node.fragment_name.node.as_str());
                    self.look(document, fragment.type_condition.node.on.node.as_str(), &fragment.selection_set.node, way, missing);
                }
                Selection::InlineFragment(fragment) => {
                    let of = fragment.node.type_condition.as_ref().map_or(of, |condition| condition.node.on.node.as_str());
                    self.look(document, of, &fragment.node.selection_set.node, way, missing);
                }
            }
        }
    }
}

/// Whether each node of the type has its `nodeId` in the answer.
fn selects_node_id(document: &ExecutableDocument, of: &str, set: &SelectionSet) -> bool {
    let is_of_all = |condition: &str| condition == of || condition == "Node";
    set.items.iter().any(|item| match &item.node {
        Selection::Field(field) => field.node.name.node.as_str() == "nodeId" && field.node.alias.is_none(),
        Selection::FragmentSpread(spread) => {
            let fragment = fragment(document, spread.node.fragment_name.node.as_str());
            is_of_all(fragment.type_condition.node.on.node.as_str()) && selects_node_id(document, of, &fragment.selection_set.node)
        }
        Selection::InlineFragment(fragment) => {
            let condition = fragment.node.type_condition.as_ref().map_or(of, |condition| condition.node.on.node.as_str());
            is_of_all(condition) && selects_node_id(document, of, &fragment.node.selection_set.node)
        }
    })
}

fn fragment<'a>(document: &'a ExecutableDocument, name: &str) -> &'a FragmentDefinition {
    let found = document.fragments.iter().find(|(of, _)| of.as_str() == name);
    &found.unwrap_or_else(|| panic!("no fragment {name}")).1.node
}

/// The type that is in the lists.
fn named(base: &BaseType) -> &str {
    match base {
        BaseType::Named(name) => name.as_str(),
        BaseType::List(of) => named(&of.base),
    }
}
