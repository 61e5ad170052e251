//! A mutation that a document asks for in several places is carried out once.
//!
//! Fields of the same response key, in the operation and in its fragments, are one field whose selections are put together (specification, sections
//! 6.3.2 and 6.4.3). async-graphql 7.2 carries each of them out and merges what comes of it: of a query that is the same answer, of a mutation it is
//! the same thing done twice. So the roots of a mutation are put together in the document, before it is checked and run: the first that is wanted
//! stays where it is and gets what the others select, each part under the conditions that it stood under. What is in no such place is left alone,
//! and everything keeps its position, for errors.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::types::{
    Directive, ExecutableDocument, Field, FragmentDefinition, InlineFragment, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Pos, Positioned, Request, ServerError, Value as ConstValue, Variables};
use async_graphql_value::Value;

use crate::selection::{Fragments, Uses, agree, operation, operation_mut, operation_type};

/// The type of the schema's mutations.
const ROOT: &str = "Mutation";

type Items = Vec<Positioned<Selection>>;
type Conditions = Vec<Positioned<Directive>>;

/// Puts the request's mutations together, and answers with the document that is run instead, where there was something to do. The document has been
/// parsed, and is not endless; variables have their defaults.
pub fn merge(request: &mut Request) -> Result<Option<ExecutableDocument>, ServerError> {
    if operation_type(request) != Some(OperationType::Mutation) {
        return Ok(None);
    }
    let (name, variables) = (request.operation_name.clone(), request.variables.clone());
    let Ok(document) = request.parsed_query() else { return Ok(None) };
    let Some(found) = operation(document, name.as_deref()) else { return Ok(None) };
    let Some(items) = merged(&found.node, &document.fragments, &variables)? else { return Ok(None) };
    let mut rewritten = document.clone();
    if let Some(operation) = operation_mut(&mut rewritten, name.as_deref()) {
        operation.node.selection_set.node.items = items;
    }
    // A fragment whose only place was among the roots is there now.
    let (before, after) = (Uses::of(document).fragments, Uses::of(&rewritten).fragments);
    rewritten.fragments.retain(|name, _| after.contains(name) || !before.contains(name));
    request.set_parsed_query(rewritten.clone());
    Ok(Some(rewritten))
}

/// A root of the mutation, at one of its places.
struct Root {
    field: Positioned<Field>,
    /// What it stands under, from the outside to the inside.
    conditions: Vec<Conditions>,
    is_wanted: bool,
}

/// What becomes of a root.
enum Fate {
    /// It gets these, too.
    Gains(Items),
    /// Another has got what it selects.
    Goes,
    /// It selects nothing: it stays to be checked, and is not carried out.
    IsHidden,
}

/// The operation's selections, once those are together that belong together; none where there is nothing to do.
fn merged(operation: &OperationDefinition, fragments: &Fragments, variables: &Variables) -> Result<Option<Items>, ServerError> {
    let items = expanded(&operation.selection_set.node.items, fragments);
    let Found { roots, undecided } = Found::among(&items, variables);
    let mut by_key: HashMap<&Name, Vec<usize>> = HashMap::new();
    for (number, root) in roots.iter().enumerate() {
        by_key.entry(&root.field.node.response_key().node).or_default().push(number);
    }
    by_key.retain(|_, numbers| numbers.len() > 1);
    if let Some(directive) = &undecided {
        // The check that comes later has better words for most of these, and passes a few. Where a root could be carried out twice none is left to it.
        return if by_key.is_empty() { Ok(None) } else { Err(cannot_be_told(directive)) };
    }
    let mut fates = HashMap::new();
    for numbers in by_key.values() {
        for number in &numbers[1..] {
            agree(&roots[numbers[0]].field, &roots[*number].field)?;
        }
        settle(numbers, &roots, &mut fates);
    }
    if fates.is_empty() {
        return Ok(None);
    }
    Ok(Some(rebuilt(items, &mut 0, &mut fates)))
}

/// The same with fragments of the root's type where they are spread. Any other fragment is none that may stand here, and is refused later.
fn expanded(items: &[Positioned<Selection>], fragments: &Fragments) -> Items {
    let one = |item: &Positioned<Selection>| {
        let selection = match &item.node {
            Selection::FragmentSpread(spread) => match fragments.get(&spread.node.fragment_name.node) {
                Some(fragment) if fragment.node.type_condition.node.on.node == ROOT && fragment.node.directives.is_empty() => {
                    let FragmentDefinition { type_condition, selection_set, .. } = &fragment.node;
                    inline(
                        InlineFragment {
                            type_condition: Some(type_condition.clone()),
                            directives: spread.node.directives.clone(),
                            selection_set: selection_set.position_node(SelectionSet { items: expanded(&selection_set.node.items, fragments) }),
                        },
                        spread.pos,
                    )
                }
                _ => item.node.clone(),
            },
            Selection::InlineFragment(fragment) if is_of_root(&fragment.node) => {
                let set = &fragment.node.selection_set;
                let items = expanded(&set.node.items, fragments);
                inline(InlineFragment { selection_set: set.position_node(SelectionSet { items }), ..fragment.node.clone() }, fragment.pos)
            }
            other => other.clone(),
        };
        item.position_node(selection)
    };
    items.iter().map(one).collect()
}

fn inline(fragment: InlineFragment, pos: Pos) -> Selection {
    Selection::InlineFragment(Positioned::new(fragment, pos))
}

fn is_of_root(fragment: &InlineFragment) -> bool {
    fragment.type_condition.as_ref().is_none_or(|condition| condition.node.on.node == ROOT)
}

/// A directive by which it can't be told whether something is wanted. async-graphql does not look at those of `__typename`.
fn cannot_be_told(directive: &Positioned<Directive>) -> ServerError {
    let name = &directive.node.name.node;
    let condition = match directive.node.get_argument("if").map(|value| &value.node) {
        Some(Value::Variable(variable)) => format!("(if: ${variable})"),
        _ => String::new(),
    };
    let advice = "here stand @include and @skip, with `if` and a Boolean that is given";
    ServerError::new(format!("Directive \"@{name}{condition}\" says nothing that can be decided: {advice}."), Some(directive.pos))
}

/// The roots, in their order.
#[derive(Default)]
struct Found {
    roots: Vec<Root>,
    /// The first directive by which it can't be told whether a root is wanted.
    undecided: Option<Positioned<Directive>>,
}

impl Found {
    fn among(items: &[Positioned<Selection>], variables: &Variables) -> Self {
        let mut found = Self::default();
        found.find(items, variables, &mut Vec::new(), true);
        found
    }

    fn find(&mut self, items: &[Positioned<Selection>], variables: &Variables, around: &mut Vec<Conditions>, wanted: bool) {
        for item in items {
            let directives = item.node.directives();
            let is_wanted = wanted && self.is_wanted(directives, variables);
            around.push(directives.clone());
            match &item.node {
                Selection::Field(field) => self.roots.push(Root { field: field.clone(), conditions: around.clone(), is_wanted }),
                Selection::InlineFragment(fragment) if is_of_root(&fragment.node) => {
                    self.find(&fragment.node.selection_set.node.items, variables, around, is_wanted);
                }
                Selection::InlineFragment(_) | Selection::FragmentSpread(_) => {}
            }
            around.pop();
        }
    }

    fn is_wanted(&mut self, directives: &[Positioned<Directive>], variables: &Variables) -> bool {
        let mut all = true;
        for directive in directives {
            match holds(&directive.node, variables) {
                Some(holds) => all &= holds,
                None => {
                    self.undecided.get_or_insert_with(|| directive.clone());
                }
            }
        }
        all
    }
}

/// Whether what has this directive is wanted; none where that can't be told.
fn holds(directive: &Directive, variables: &Variables) -> Option<bool> {
    let wanted = match directive.name.node.as_str() {
        "include" => true,
        "skip" => false,
        _ => return None,
    };
    match &directive.get_argument("if")?.node {
        Value::Boolean(said) => Some(*said == wanted),
        Value::Variable(name) => match variables.get(name) {
            Some(ConstValue::Boolean(said)) => Some(*said == wanted),
            _ => None,
        },
        _ => None,
    }
}

/// Decides about the roots of one key.
fn settle(numbers: &[usize], roots: &[Root], fates: &mut HashMap<usize, Fate>) {
    let selects = |number: &usize| !roots[*number].field.node.selection_set.node.items.is_empty();
    let mut wanted = numbers.iter().copied().filter(|number| roots[*number].is_wanted);
    let Some(first) = wanted.next() else { return };
    let others: Vec<usize> = wanted.collect();
    if others.is_empty() {
        return;
    }
    if !selects(&first) && !others.iter().any(selects) {
        fates.extend(others.into_iter().map(|number| (number, Fate::IsHidden)));
        return;
    }
    let mut gained = Items::new();
    let mut whole = HashSet::from([place(&roots[first].field)]);
    for number in others.into_iter().filter(selects) {
        let Root { field, conditions, .. } = &roots[number];
        let items = field.node.selection_set.node.items.clone();
        if conditions.iter().any(|conditions| !conditions.is_empty()) {
            gained.push(under(conditions, items, field.pos));
        } else if whole.insert(place(field)) {
            // A fragment that is spread twice stands there once.
            gained.extend(items);
        }
        fates.insert(number, Fate::Goes);
    }
    fates.insert(first, Fate::Gains(gained));
}

/// Where a field stands in the document.
fn place(field: &Positioned<Field>) -> (usize, usize) {
    (field.pos.line, field.pos.column)
}

/// Selections under conditions.
fn under(conditions: &[Conditions], items: Items, pos: Pos) -> Positioned<Selection> {
    let innermost =
        inline(InlineFragment { type_condition: None, directives: Vec::new(), selection_set: Positioned::new(SelectionSet { items }, pos) }, pos);
    let wrapped = conditions.iter().rev().filter(|directives| !directives.is_empty()).fold(innermost, |inside, directives| {
        let selection_set = Positioned::new(SelectionSet { items: vec![Positioned::new(inside, pos)] }, pos);
        inline(InlineFragment { type_condition: None, directives: directives.clone(), selection_set }, pos)
    });
    Positioned::new(wrapped, pos)
}

/// The selections once all roots have met their fate; `number` counts them as [`Found::find`] did.
fn rebuilt(items: Items, number: &mut usize, fates: &mut HashMap<usize, Fate>) -> Items {
    let mut kept = Items::with_capacity(items.len());
    for mut item in items {
        match &mut item.node {
            Selection::Field(field) => {
                let fate = fates.remove(&*number);
                *number += 1;
                match fate {
                    Some(Fate::Goes) => continue,
                    Some(Fate::Gains(gained)) => field.node.selection_set.node.items.extend(gained),
                    Some(Fate::IsHidden) => item = hidden(item),
                    None => {}
                }
            }
            Selection::InlineFragment(fragment) if is_of_root(&fragment.node) => {
                let set = &mut fragment.node.selection_set.node.items;
                *set = rebuilt(std::mem::take(set), number, fates);
                if set.is_empty() {
                    continue;
                }
            }
            Selection::InlineFragment(_) | Selection::FragmentSpread(_) => {}
        }
        kept.push(item);
    }
    kept
}

/// A selection that is checked and never carried out.
fn hidden(item: Positioned<Selection>) -> Positioned<Selection> {
    let pos = item.pos;
    let argument = (Positioned::new(Name::new("if"), pos), Positioned::new(Value::Boolean(true), pos));
    let never = Directive { name: Positioned::new(Name::new("skip"), pos), arguments: vec![argument] };
    let selection_set = Positioned::new(SelectionSet { items: vec![item] }, pos);
    Positioned::new(inline(InlineFragment { type_condition: None, directives: vec![Positioned::new(never, pos)], selection_set }, pos), pos)
}

#[cfg(test)]
mod tests;
