//! The types of a schema as far as the shape of a result depends on them: which fields lead to objects, and which may be null; and of which types the values are
//! that a document gives.
//!
//! They are read once from the schema's own text, because async-graphql keeps its registry to itself.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, FieldDefinition, InputValueDefinition, OperationType, SchemaDefinition, ServiceDocument, Type, TypeDefinition, TypeKind,
    TypeSystemDefinition,
};
use async_graphql::{Name, Positioned};

/// The types of a schema that have fields or stand for types that have, its input objects, and its directives.
#[derive(Default)]
pub struct Types {
    composites: HashMap<Name, Composite>,
    inputs: HashMap<Name, Inputs>,
    directives: HashMap<Name, Inputs>,
    /// Input objects of which a value has exactly one member (`@oneOf`).
    one_of: HashSet<Name>,
    /// Scalars and enums, those that every schema has among them.
    leaves: HashMap<Name, Leaf>,
    query: Option<Name>,
    mutation: Option<Name>,
    subscription: Option<Name>,
}

/// A type without fields or members.
pub enum Leaf {
    Int,
    Float,
    Text,
    Boolean,
    Id,
    /// A scalar of this schema.
    Scalar,
    /// The names of its values.
    Enum(HashSet<Name>),
}

/// An object type, an interface or a union.
pub struct Composite {
    pub name: Name,
    fields: HashMap<Name, FieldOf>,
    /// The interfaces and unions that it belongs to.
    part_of: Vec<Name>,
    /// The object types that an interface or a union stands for; none for an object type.
    pub possible: Option<Vec<Name>>,
}

type Inputs = Vec<Input>;

/// An argument of a field or a directive, or a member of an input object.
pub struct Input {
    pub name: Name,
    pub of_type: Type,
    pub has_default: bool,
    /// Whether it is an input object, or a list of them: no other can lead to one.
    pub is_object: bool,
}

struct FieldOf {
    of_type: Type,
    inputs: Inputs,
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
        let leaves = [("Int", Leaf::Int), ("Float", Leaf::Float), ("String", Leaf::Text), ("Boolean", Leaf::Boolean), ("ID", Leaf::Id)];
        let leaves = leaves.into_iter().map(|(name, leaf)| (Name::new(name), leaf)).collect();
        let mut types = Self { leaves, ..Self::default() };
        for definition in document.definitions {
            match definition {
                TypeSystemDefinition::Schema(schema) => {
                    let SchemaDefinition { query, mutation, subscription, .. } = schema.node;
                    let name = |root: Option<Positioned<Name>>| root.map(Positioned::into_inner);
                    (types.query, types.mutation, types.subscription) = (name(query), name(mutation), name(subscription));
                }
                TypeSystemDefinition::Type(definition) => types.add(definition.node),
                TypeSystemDefinition::Directive(definition) => {
                    types.directives.insert(definition.node.name.node, inputs(definition.node.arguments));
                }
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
            TypeKind::InputObject(object) => {
                if definition.directives.iter().any(|directive| directive.node.name.node == "oneOf") {
                    self.one_of.insert(name.clone());
                }
                self.inputs.insert(name, inputs(object.fields));
                return;
            }
            TypeKind::Scalar => {
                self.leaves.insert(name, Leaf::Scalar);
                return;
            }
            TypeKind::Enum(of) => {
                let values = of.values.into_iter().map(|value| value.node.value.node).collect();
                self.leaves.insert(name, Leaf::Enum(values));
                return;
            }
        };
        let field = |field: Positioned<FieldDefinition>| {
            let FieldDefinition { name, arguments, ty, .. } = field.node;
            (name.node, FieldOf { of_type: ty.node, inputs: inputs(arguments) })
        };
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
        self.mark_objects();
    }

    /// Tells arguments and members which of them are input objects.
    fn mark_objects(&mut self) {
        let known: HashSet<Name> = self.inputs.keys().cloned().collect();
        let of_fields = self.composites.values_mut().flat_map(|composite| composite.fields.values_mut());
        for input in of_fields.map(|field| &mut field.inputs).chain(self.inputs.values_mut()).flatten() {
            input.is_object = known.contains(innermost(&input.of_type));
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
    pub fn composite(&self, field: &Type) -> Option<&Composite> {
        self.named(innermost(field))
    }

    /// The members of an input object. None where the name is that of another type.
    pub fn input(&self, name: &Name) -> Option<&[Input]> {
        self.inputs.get(name).map(Vec::as_slice)
    }

    /// Whether a value of an input object has exactly one member.
    pub fn is_one_of(&self, name: &Name) -> bool {
        self.one_of.contains(name)
    }

    /// The scalar or the enum of this name.
    pub fn leaf(&self, name: &Name) -> Option<&Leaf> {
        self.leaves.get(name)
    }

    /// Whether values of the type of this name can be given.
    pub fn is_input(&self, name: &Name) -> bool {
        self.leaves.contains_key(name) || self.inputs.contains_key(name)
    }

    /// Whether there is a type of this name. Where the schema could not be read every name may be one.
    pub fn is_known(&self, name: &Name) -> bool {
        self.is_input(name) || self.composites.contains_key(name) || self.composites.is_empty()
    }

    /// The arguments of a directive. None of those that the schema does not write down.
    pub fn directive(&self, name: &Name) -> &[Input] {
        self.directives.get(name).map_or(&[], Vec::as_slice)
    }
}

fn inputs(definitions: Vec<Positioned<InputValueDefinition>>) -> Inputs {
    let input = |definition: Positioned<InputValueDefinition>| {
        let InputValueDefinition { name, ty, default_value, .. } = definition.node;
        Input { name: name.node, of_type: ty.node, has_default: default_value.is_some(), is_object: false }
    };
    definitions.into_iter().map(input).collect()
}

/// The name of a type without its lists and exclamation marks.
pub fn innermost(mut of_type: &Type) -> &Name {
    loop {
        match &of_type.base {
            BaseType::Named(name) => return name,
            BaseType::List(item) => of_type = item,
        }
    }
}

impl Composite {
    /// A field's type. None for a field that there is not, and for what every schema has: `__typename`, `__schema`, `__type`.
    pub fn field(&self, name: &str) -> Option<&Type> {
        self.fields.get(name).map(|field| &field.of_type)
    }

    /// The arguments of a field.
    pub fn inputs(&self, field: &str) -> &[Input] {
        self.fields.get(field).map_or(&[], |field| &field.inputs)
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
    fn input_objects_are_known_where_they_may_stand() {
        let types = Types::of(
            "input In { a: Int in: [In!] more: More! } input More { a: [Int] } enum Word { X } \
             type Start { a(a: Int, in: In, word: Word, all: [[More!]]!): Int b: Int } schema { query: Start }",
        );
        let told = |inputs: &[Input]| {
            let objects = inputs.iter().filter(|input| input.is_object);
            objects.map(|input| format!("{}: {}", input.name, input.of_type)).collect::<Vec<_>>()
        };
        let members = |name: &str| types.input(&Name::new(name)).map(told);
        assert_eq!(members("In"), Some(vec!["in: [In!]".to_owned(), "more: More!".to_owned()]));
        assert_eq!((members("More"), members("Word"), members("Start")), (Some(Vec::new()), None, None));
        let start = types.root(OperationType::Query).expect("a root");
        assert_eq!(told(start.inputs("a")), ["in: In", "all: [[More!]]!"]);
        assert!(start.inputs("b").is_empty() && start.inputs("c").is_empty());
    }

    #[test]
    fn arguments_and_members_are_known_with_their_defaults() {
        let types = Types::of(
            "directive @include(if: Boolean!) on FIELD input In { a: Int! = 3 b: [In!]! } type Start { a(a: Int! = 7, in: In, b: ID): Int } \
             schema { query: Start }",
        );
        let told = |inputs: &[Input]| {
            let each = inputs.iter().map(|input| format!("{}: {}{} ", input.name, input.of_type, if input.has_default { " =" } else { "" }));
            each.collect::<String>()
        };
        let start = types.root(OperationType::Query).expect("a root");
        assert_eq!(told(start.inputs("a")), "a: Int! = in: In b: ID ");
        assert_eq!(types.input(&Name::new("In")).map(told), Some("a: Int! = b: [In!]! ".to_owned()));
        let of_directive = |name: &str| told(types.directive(&Name::new(name)));
        assert_eq!((of_directive("include").as_str(), of_directive("skip").as_str()), ("if: Boolean! ", ""));
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
