//! The types of a schema as far as the shape of a result depends on them: which fields lead to objects, and which may be null.
//!
//! They are read once from the schema's own text, because async-graphql keeps its registry to itself.

use std::collections::HashMap;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, FieldDefinition, OperationType, SchemaDefinition, ServiceDocument, Type, TypeDefinition, TypeKind, TypeSystemDefinition,
};
use async_graphql::{Name, Positioned};

/// The types of a schema that have fields or stand for types that have.
#[derive(Default)]
pub struct Types {
    composites: HashMap<Name, Composite>,
    query: Option<Name>,
    mutation: Option<Name>,
    subscription: Option<Name>,
}

/// An object type, an interface or a union.
pub struct Composite {
    pub name: Name,
    fields: HashMap<Name, Type>,
    /// The interfaces and unions that it belongs to.
    part_of: Vec<Name>,
    /// The object types that an interface or a union stands for; none for an object type.
    pub possible: Option<Vec<Name>>,
}

impl Types {
    /// Reads a schema's text, as `Schema::sdl` writes it.
    pub fn of(sdl: &str) -> Self {
        match parse_schema(sdl) {
            Ok(document) => Self::read(document),
            Err(error) => {
                tracing::error!(%error, "the schema's own text cannot be parsed: results are left as they come");
                Self::default()
            }
        }
    }

    fn read(document: ServiceDocument) -> Self {
        let mut types = Self::default();
        for definition in document.definitions {
            match definition {
                TypeSystemDefinition::Schema(schema) => {
                    let SchemaDefinition { query, mutation, subscription, .. } = schema.node;
                    let name = |root: Option<Positioned<Name>>| root.map(Positioned::into_inner);
                    (types.query, types.mutation, types.subscription) = (name(query), name(mutation), name(subscription));
                }
                TypeSystemDefinition::Type(definition) => types.add(definition.node),
                TypeSystemDefinition::Directive(_) => {}
            }
        }
        types.link();
        types
    }

    fn add(&mut self, definition: TypeDefinition) {
        let name = definition.name.node;
        let (fields, part_of, possible) = match definition.kind {
            TypeKind::Object(object) => (object.fields, object.implements, None),
            TypeKind::Interface(interface) => (interface.fields, interface.implements, Some(Vec::new())),
            TypeKind::Union(union) => (Vec::new(), Vec::new(), Some(union.members)),
            TypeKind::Scalar | TypeKind::Enum(_) | TypeKind::InputObject(_) => return,
        };
        let field = |field: Positioned<FieldDefinition>| (field.node.name.node, field.node.ty.node);
        let names = |names: Vec<Positioned<Name>>| names.into_iter().map(Positioned::into_inner).collect();
        let composite =
            Composite { name: name.clone(), fields: fields.into_iter().map(field).collect(), part_of: names(part_of), possible: possible.map(names) };
        self.composites.insert(name, composite);
    }

    /// Tells interfaces which objects implement them, and members of which unions they are.
    fn link(&mut self) {
        let (mut implements, mut members) = (Vec::new(), Vec::new());
        for composite in self.composites.values() {
            match &composite.possible {
                None => implements.extend(composite.part_of.iter().map(|of| (of.clone(), composite.name.clone()))),
                Some(possible) => members.extend(possible.iter().map(|member| (member.clone(), composite.name.clone()))),
            }
        }
        implements.sort();
        for (interface, object) in implements {
            if let Some(Composite { possible: Some(possible), .. }) = self.composites.get_mut(&interface) {
                possible.push(object);
            }
        }
        for (member, union) in members {
            if let Some(composite) = self.composites.get_mut(&member) {
                composite.part_of.push(union);
            }
        }
    }

    /// The type at which operations of a kind begin.
    pub fn root(&self, operation: OperationType) -> Option<&Composite> {
        let name = match operation {
            OperationType::Query => self.query.as_ref(),
            OperationType::Mutation => self.mutation.as_ref(),
            OperationType::Subscription => self.subscription.as_ref(),
        };
        self.named(name?)
    }

    pub fn named(&self, name: &Name) -> Option<&Composite> {
        self.composites.get(name)
    }

    /// The type that has fields, of a field's type without its lists and exclamation marks; none for scalars and enums.
    pub fn composite(&self, mut field: &Type) -> Option<&Composite> {
        loop {
            match &field.base {
                BaseType::Named(name) => return self.named(name),
                BaseType::List(item) => field = item,
            }
        }
    }
}

impl Composite {
    /// A field's type. None for a field that there is not, and for what every schema has: `__typename`, `__schema`, `__type`.
    pub fn field(&self, name: &str) -> Option<&Type> {
        self.fields.get(name)
    }

    /// Whether a fragment with this condition applies (specification, section 6.3.2, DoesFragmentTypeApply). Of an interface or a union it says
    /// whether the fragment applies to each object that it stands for.
    pub fn satisfies(&self, condition: &Name) -> bool {
        self.name == *condition || self.part_of.contains(condition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDL: &str = "interface I { a: Int } type A implements I { a: Int! b: [[B!]!]! } type B { c: U d: Word } union U = A | B \
                       enum Word { X } input In { a: Int } type Start { a: A } type Later { a: A! } schema { query: Start subscription: Later }";

    #[test]
    fn interfaces_and_unions_stand_for_their_objects() {
        let types = Types::of(SDL);
        let named = |name: &str| types.named(&Name::new(name));
        let possible = |name: &str| named(name).and_then(|of| of.possible.clone());
        assert_eq!((possible("I"), possible("U"), possible("A")), (Some(vec![Name::new("A")]), Some(vec![Name::new("A"), Name::new("B")]), None));
        for (of, condition, satisfies) in
            [("A", "A", true), ("A", "I", true), ("A", "U", true), ("B", "I", false), ("B", "U", true), ("I", "A", false)]
        {
            assert_eq!(named(of).map(|of| of.satisfies(&Name::new(condition))), Some(satisfies), "{of} {condition}");
        }
        assert!(named("Word").is_none() && named("In").is_none());
    }

    #[test]
    fn fields_lead_to_types_through_lists() {
        let types = Types::of(SDL);
        let leads_to = |of: &str, field: &str| {
            let of_type = types.named(&Name::new(of)).and_then(|of| of.field(field))?;
            Some((of_type.nullable, types.composite(of_type).map(|to| to.name.to_string())))
        };
        assert_eq!(leads_to("A", "b"), Some((false, Some("B".to_owned()))));
        assert_eq!(leads_to("B", "c"), Some((true, Some("U".to_owned()))));
        assert_eq!(leads_to("B", "d"), Some((true, None)));
        assert_eq!(leads_to("B", "__typename"), None);
        let root = |operation| types.root(operation).map(|root| root.name.to_string());
        assert_eq!((root(OperationType::Query), root(OperationType::Mutation)), (Some("Start".to_owned()), None));
        assert_eq!(root(OperationType::Subscription), Some("Later".to_owned()));
    }
}
