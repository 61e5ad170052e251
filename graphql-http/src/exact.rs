//! Results to the letter of the specification (October 2021).
//!
//! async-graphql 7.2 makes other results in places: an object of which no field is left is null, a field that fails is missing, null goes no further
//! than its field, and keys come in the order in which their fields are done. So it is worked out before a request is run what shape its result has
//! ([`Shape`], by section 6.3.2), and afterwards the result is given that shape (`completion.rs`, by section 6.4). A result that has it already is
//! looked at, once, and nothing in it moves.
//!
//! The shape does not tell an object of which nothing was asked from none, nor of which type an object is, and what has been run in two places is
//! hard to put together where one of them failed. A document that leads there is rewritten (`document.rs`): each field stands in it once, and asks for
//! its type's name where that is needed. What was sent is checked beforehand, because conditions and fragments are gone then.
//!
//! What is about the schema (`__schema`, `__type`) is left as it comes. A list is given up as a whole where async-graphql finds an error among its
//! items; it declares such items never null, so that the specification has it so, too.

mod completion;
mod document;
pub mod subscription;

use async_graphql::parser::types::{ExecutableDocument, Field, OperationType, SelectionSet, Type};
use async_graphql::{Executor, Name, Positioned, Request, Response, ServerError, Value, Variables};

use crate::document::Document;
use crate::selection::{Collector, agree, operation};
use crate::types::{Composite, Types};
use crate::values::misfits;
use crate::variable_types::{misplaced, unknown_types};

/// The schema that carries requests out, twice.
#[derive(Clone)]
pub struct Schemas<S> {
    /// Looks through a document by all rules before it runs it.
    pub strict: S,
    /// Takes it for valid (`ValidationMode::Fast`). The limits are the same.
    pub quick: S,
}

impl<S: Executor> Schemas<S> {
    /// All documents are looked through.
    pub fn strict(schema: &S) -> Self {
        Self { strict: schema.clone(), quick: schema.clone() }
    }
}

/// Carries out a request whose document is this one, and whose variables have their defaults. Refused where the document is not valid.
pub async fn execute<S: Executor>(schemas: &Schemas<S>, types: &Types, document: &Document, request: Request) -> Result<Response, Vec<ServerError>> {
    let (name, tree) = (request.operation_name.clone(), document.tree());
    let name = name.as_deref();
    let given = document.given(types, name, &request.variables);
    if given.as_ref().is_some_and(|given| document.is_valid(given))
        && let Some(exact) = Exact::of(tree, name, &request.variables, types)
        && exact.is_run_as_sent()
    {
        return run(&schemas.quick, exact, tree, request).await;
    }
    let unknown = unknown_types(types, tree);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let Some(exact) = Exact::of(tree, name, &request.variables, types) else {
        return Ok(schemas.strict.execute(request).await);
    };
    let faults = faults(types, tree, name, &request.variables);
    if exact.needs_rewriting || !faults.is_empty() {
        let mut check = Request::new("").variables(request.variables.clone());
        check.operation_name = request.operation_name.clone();
        check.set_parsed_query(Exact::unexecuted(tree, name));
        let mut refused = schemas.strict.execute(check).await.errors;
        refused.extend(faults);
        if !refused.is_empty() {
            return Err(refused);
        }
    }
    let given = given.filter(|_| exact.is_run_as_sent());
    let response = run(&schemas.strict, exact, tree, request).await?;
    if let Some(given) = given
        && !is_refusal(&response)
    {
        document.note_valid(given);
    }
    Ok(response)
}

/// Runs a document that is valid, or that the schema looks through; in its place another one where its result would else have another shape.
async fn run<S: Executor>(schema: &S, mut exact: Exact<'_>, tree: &ExecutableDocument, mut request: Request) -> Result<Response, Vec<ServerError>> {
    if exact.needs_rewriting {
        if let Some(conflict) = exact.conflict.take() {
            return Err(vec![conflict]);
        }
        let rewritten = exact.rewritten(tree, request.operation_name.as_deref(), &request.query);
        request.set_parsed_query(rewritten);
    }
    let mut response = schema.execute(request).await;
    exact.complete(&mut response);
    Ok(response)
}

/// Whether a document was refused and not run. What goes wrong in a field says in which.
pub fn is_refusal(response: &Response) -> bool {
    response.data == Value::Null && !response.errors.is_empty() && response.errors.iter().all(|error| error.path.is_empty())
}

/// What is wrong with the values and variables of a document that async-graphql takes. Variables have their defaults.
pub fn faults(types: &Types, document: &ExecutableDocument, name: Option<&str>, variables: &Variables) -> Vec<ServerError> {
    let mut faults = misfits(types, document, name, variables);
    faults.extend(misplaced(types, document));
    faults
}

/// The documents that have to be valid and within the limits for a request with this document to be carried out, each so that nothing of it is carried
/// out: the document itself, and what is run in its place; none where it can't be judged. Variables have their defaults.
pub fn judged(document: &ExecutableDocument, request: &Request, types: &Types) -> Vec<ExecutableDocument> {
    if !unknown_types(types, document).is_empty() {
        return Vec::new();
    }
    let name = request.operation_name.as_deref();
    let mut judged = vec![Exact::unexecuted(document, name)];
    let is_subscription = operation(document, name).is_some_and(|operation| operation.node.ty == OperationType::Subscription);
    if let Some(mut exact) = Exact::of(document, name, &request.variables, types)
        && (exact.needs_rewriting || is_subscription)
    {
        judged.push(Exact::unexecuted(&exact.rewritten(document, name, &request.query), name));
    }
    judged
}

/// Two fields of one response key that are not one field, though fragments or types lie between them: async-graphql takes such a document, and a request with it
/// is refused. Variables have their defaults.
pub fn conflict(document: &ExecutableDocument, name: Option<&str>, variables: &Variables, types: &Types) -> Option<ServerError> {
    Exact::of(document, name, variables, types)?.conflict
}

/// The document, so that it is judged and nothing of it is carried out. `name`: the operation that a request would name.
pub fn unexecuted(document: &ExecutableDocument, name: Option<&str>) -> ExecutableDocument {
    Exact::unexecuted(document, name)
}

/// What is known of a result before it is there.
struct Exact<'a> {
    root: Shape<'a>,
    needs_rewriting: bool,
    /// Two fields of one response key that are not one field.
    conflict: Option<ServerError>,
    /// By which key objects say their type, where the document was rewritten and does not ask for it.
    type_key: Option<Name>,
}

/// The fields of an object of a type, in the order of the request.
struct Shape<'a> {
    slots: Vec<Slot<'a>>,
}

/// A field of a result.
struct Slot<'a> {
    key: &'a Name,
    /// Where it stands in the document: at least once.
    fields: Vec<&'a Positioned<Field>>,
    /// None of fields that every type has, and of those that there are not.
    of_type: Option<&'a Type>,
    below: Below<'a>,
}

/// What is below a field, or below the items of its list.
enum Below<'a> {
    /// A value without fields of the schema.
    Value,
    Object(Shape<'a>),
    /// Objects of an interface or a union.
    AnyOf(Box<AnyOf<'a>>),
}

/// The shapes of objects of several types.
struct AnyOf<'a> {
    possible: &'a [Name],
    /// What is asked of each of them.
    of_each: Shape<'a>,
    /// Those of types of which more is asked.
    of_some: Vec<(&'a Name, Shape<'a>)>,
    /// By which key the document asks each for its type.
    type_key: Option<&'a Name>,
}

impl<'a> Exact<'a> {
    /// None where there is nothing to be carried out.
    fn of(document: &'a ExecutableDocument, name: Option<&str>, variables: &Variables, types: &'a Types) -> Option<Self> {
        let operation = operation(document, name)?;
        let root = types.root(operation.node.ty)?;
        let collector = Collector::new(&document.fragments, variables);
        let mut shaping = Shaping { collector, types, needs_rewriting: false, conflict: None };
        let root = shaping.shape(&[&operation.node.selection_set.node], root);
        let Shaping { needs_rewriting, conflict, .. } = shaping;
        Some(Self { root, needs_rewriting, conflict, type_key: None })
    }

    /// Whether the document itself is run, and asks nothing of the schema. What is run in its place is another one for other conditions, which the rules and the
    /// limits have not seen. Of arguments of the schema's own fields it is not known which variables may stand there.
    fn is_run_as_sent(&self) -> bool {
        let is_of_schema = |slot: &Slot<'_>| !slot.is_type_name() && slot.name().is_some_and(|name| name.starts_with("__"));
        !self.needs_rewriting && !self.root.slots.iter().any(is_of_schema)
    }
}

/// Makes shapes.
struct Shaping<'a> {
    collector: Collector<'a>,
    types: &'a Types,
    needs_rewriting: bool,
    conflict: Option<ServerError>,
}

impl<'a> Shaping<'a> {
    fn shape(&mut self, sets: &[&'a SelectionSet], of: &'a Composite) -> Shape<'a> {
        let groups = self.collector.collect(sets, of);
        Shape { slots: groups.into_iter().map(|(key, fields)| self.slot(key, fields, of)).collect() }
    }

    fn slot(&mut self, key: &'a Name, fields: Vec<&'a Positioned<Field>>, of: &'a Composite) -> Slot<'a> {
        self.see_repeated(&fields);
        let types = self.types;
        let of_type = fields.first().and_then(|field| of.field(&field.node.name.node));
        let below = match of_type.and_then(|of_type| types.composite(of_type)) {
            None => Below::Value,
            Some(composite) => {
                // MergeSelectionSets, section 6.4.3.
                let sets: Vec<&SelectionSet> = fields.iter().map(|field| &field.node.selection_set.node).collect();
                self.below(&sets, composite)
            }
        };
        Slot { key, fields, of_type, below }
    }

    fn below(&mut self, sets: &[&'a SelectionSet], of: &'a Composite) -> Below<'a> {
        let Some(possible) = &of.possible else {
            let shape = self.shape(sets, of);
            self.needs_rewriting |= shape.slots.is_empty();
            return Below::Object(shape);
        };
        let types = self.types;
        let of_each = self.shape(sets, of);
        let type_key = of_each.slots.iter().find(|slot| slot.is_type_name()).map(|slot| slot.key);
        self.needs_rewriting |= type_key.is_none();
        // There are many possible types, and few fragments.
        let fragment_types = self.collector.fragment_types(sets);
        let is_as_each = |one: &Composite| {
            let has_fragments = fragment_types.iter().any(|on| **on != of.name && one.satisfies(on));
            !has_fragments && of_each.slots.iter().all(|slot| slot.name().and_then(|name| one.field(name)) == slot.of_type)
        };
        let some = possible.iter().filter_map(|name| types.named(name)).filter(|one| !is_as_each(one));
        let of_some = some.map(|one| (&one.name, self.shape(sets, one))).collect();
        Below::AnyOf(Box::new(AnyOf { possible: possible.as_slice(), of_each, of_some, type_key }))
    }

    /// Of values that stand in several places the first is taken; what is selected below in several places must be put together.
    fn see_repeated(&mut self, fields: &[&'a Positioned<Field>]) {
        let Some((first, others @ [_, ..])) = fields.split_first() else { return };
        let conflict = others.iter().find_map(|other| agree(first, other).err());
        self.needs_rewriting |= conflict.is_some() || fields.iter().any(|field| !field.node.selection_set.node.items.is_empty());
        self.conflict = self.conflict.take().or(conflict);
    }
}

impl<'a> AnyOf<'a> {
    /// The shape of objects of a type.
    fn shape(&self, type_name: &str) -> &Shape<'a> {
        self.of_some.iter().find(|(name, _)| name.as_str() == type_name).map_or(&self.of_each, |(_, shape)| shape)
    }
}

impl<'a> Slot<'a> {
    /// The field's name.
    fn name(&self) -> Option<&'a Name> {
        self.fields.first().map(|field| &field.node.name.node)
    }

    fn is_type_name(&self) -> bool {
        self.name().is_some_and(|name| name == "__typename")
    }

    /// Whether it is a value of which nothing is selected.
    fn is_leaf(&self) -> bool {
        matches!(self.below, Below::Value) && self.fields.iter().all(|field| field.node.selection_set.node.items.is_empty())
    }

    /// Whether null may stand there.
    fn is_nullable(&self) -> bool {
        self.of_type.is_none_or(|of_type| of_type.nullable)
    }
}

#[cfg(test)]
mod tests;
