//! What every field begins with: the operations, the caller and the present from its context, and the idempotency key from its input; and how a mutation acts
//! on the items of a list.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_graphql::{Context, InputType, MaybeUndefined, Name, Result, Value};
use async_graphql_value::Value as Written;
// What fields wait for is boxed. A future holds the types of all that it waits for, and the compiler goes through them anew for each field that waits.
pub use async_recursion::async_recursion as boxed;
use futures::{StreamExt, stream};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use resolvers::{Action, Caller, Error, IdempotencyKey, ListKeys, MOST_IN_LIST, Resolvers, reason_fault};

/// The operations and the caller. A request without a caller is refused before.
pub fn asking<'a>(context: &'a Context<'_>) -> Result<(&'a Resolvers, &'a Caller)> {
    Ok((context.data::<Resolvers>()?, context.data::<Caller>()?))
}

/// The present of one document, kept when it is first asked for.
#[derive(Default)]
pub struct DocumentTime(OnceLock<Timestamp>);

/// The present of a document, in whole seconds: all of its fields have the same, and who asks the same question within a second shares the answer. A
/// subscription goes on while time does, so that each of its events has a present of its own.
pub fn present(context: &Context<'_>) -> Result<Timestamp> {
    let (resolvers, _) = asking(context)?;
    let now = || Timestamp(resolvers.now().millis().div_euclid(1_000).saturating_mul(1_000));
    Ok(match context.data_opt::<DocumentTime>() {
        Some(DocumentTime(kept)) => *kept.get_or_init(now),
        None => now(),
    })
}

/// What the fields of one document have made for all rows. A subscription goes on while time does, so that its events share nothing.
#[derive(Default)]
pub struct DocumentMemo(Mutex<HashMap<PlaceAndKind, Arc<dyn Any + Send + Sync>>>);

/// A place in a document, what is done there, and the kind of nodes it is done with: one field may stand for nodes of several kinds.
pub type PlaceAndKind = (usize, &'static str, &'static str);

/// What is made once for a place in a document, however many rows a page has.
pub fn made_once<T: Any + Send + Sync>(context: &Context<'_>, at: PlaceAndKind, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
    let Some(DocumentMemo(made)) = context.data_opt::<DocumentMemo>() else { return make().map(Arc::new) };
    let known = made.lock().unwrap_or_else(PoisonError::into_inner).get(&at).cloned();
    if let Some(Ok(known)) = known.map(Arc::downcast) {
        return Ok(known);
    }
    let new = Arc::new(make()?);
    let kept: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(&new);
    made.lock().unwrap_or_else(PoisonError::into_inner).insert(at, kept);
    Ok(new)
}

/// The field of inputs that has their key.
const KEY: &str = "idempotencyKey";

/// The key of an input; refused as its field `idempotencyKey` where it can't be one, or was used otherwise.
pub fn key(text: Option<String>) -> std::result::Result<Option<IdempotencyKey>, Error> {
    let key = text.map(|text| IdempotencyKey::parse(&text)).transpose().map_err(|problem| Error::invalid(KEY, problem))?;
    Ok(key.map(|key| key.named(KEY)))
}

/// Does a piece of work under the key of an input, unless that is no key.
pub async fn with_key<T, F>(text: Option<String>, work: impl FnOnce(Option<IdempotencyKey>) -> F) -> resolvers::Result<T>
where
    F: Future<Output = resolvers::Result<T>>,
{
    under_key(key(text), work).await
}

/// The same under the key of an item of a list, which is one already.
pub async fn under_key<T, F>(key: resolvers::Result<Option<IdempotencyKey>>, work: impl FnOnce(Option<IdempotencyKey>) -> F) -> resolvers::Result<T>
where
    F: Future<Output = resolvers::Result<T>>,
{
    work(key?).await
}

/// What a field of an input says that takes the place of what was said before, with null for nothing. Whoever leaves it out may have forgotten it, so that is
/// refused: it would take something back.
pub fn stated<T>(context: &Context<'_>, name: &str, value: MaybeUndefined<T>) -> resolvers::Result<Option<T>> {
    match value {
        MaybeUndefined::Value(value) => Ok(Some(value)),
        MaybeUndefined::Null if !is_variable_left_out(context, name) => Ok(None),
        _ => Err(Error::invalid(name, "must be given: null takes back what was said before")),
    }
}

/// Variables that a request gives no value, and its document neither. They may be null, and are read so.
pub struct LeftOut(pub HashSet<Name>);

/// Whether a field of the argument `input` is such a variable: by the specification (section 3.10) it is as if the field were not there.
fn is_variable_left_out(context: &Context<'_>, field: &str) -> bool {
    let Some(Written::Object(fields)) = context.item.node.get_argument("input").map(|input| &input.node) else { return false };
    let Some(Written::Variable(name)) = fields.get(field) else { return false };
    context.data_opt::<LeftOut>().is_some_and(|left_out| left_out.0.contains(name))
}

/// So many items of a list are done at a time: what each of them says is kept while it is done.
const AT_A_TIME: usize = 32;

/// Refuses a list of no items, or of more than one mutation acts on; `name` is its field of the input.
pub fn check_items(name: &str, items: usize) -> resolvers::Result<()> {
    if (1..=MOST_IN_LIST).contains(&items) { Ok(()) } else { Err(Error::invalid(name, format!("must name 1 to {MOST_IN_LIST}"))) }
}

/// Refuses a reason that all items of a list have, once for all of them: each has a copy of it.
pub fn check_reason(reason: &str) -> resolvers::Result<()> {
    reason_fault(reason).map_or(Ok(()), |fault| Err(Error::Invalid(vec![fault])))
}

/// The same of what else all items of a list say.
pub fn check_said(faults: impl IntoIterator<Item = Fault>) -> resolvers::Result<()> {
    let faults: Vec<Fault> = faults.into_iter().collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

/// The keys of the items of a list, each of which is a request of its own. `act` is what is done with each, and of what label it is. Refused where the key
/// was used with another input.
pub async fn list_keys<I: InputType>(
    (resolvers, caller): (&Resolvers, &Caller),
    act: (Action, &'static str),
    key_of_list: Option<&String>,
    input: &I,
) -> resolvers::Result<ListKeys> {
    let key = key(key_of_list.cloned())?;
    let request_text = if key.is_some() { request_text(input) } else { String::new() };
    resolvers.begin_list(caller, act, key, &request_text).await
}

/// All that an input says, as a text. A field that is null is as one that is not given: else a program that knows more fields would take the same list for
/// another one. The key is no part of what is said under it.
fn request_text<I: InputType>(input: &I) -> String {
    let mut said = without_nulls(input.to_value());
    if let Value::Object(fields) = &mut said {
        fields.shift_remove(KEY);
    }
    said.to_string()
}

/// Without the null fields of objects. Those of a JSON value go as well: the request of each item has them.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let given = fields.into_iter().filter(|(_, value)| *value != Value::Null);
            Value::Object(given.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// Does the items of a list, some at a time. Answers with what came of them, in their order; or with the first error, once all are done: none is cut short by
/// another.
pub async fn each_item<T>(items: impl IntoIterator<Item = impl Future<Output = Result<T>>>) -> Result<Vec<T>> {
    each_of(items, AT_A_TIME).await
}

/// The same of items that act on the things of these names. Where two items name one thing, all are done one after another: the first of them gets it.
pub async fn each_item_on<T>(
    names: impl IntoIterator<Item = impl Eq + Hash>,
    items: impl IntoIterator<Item = impl Future<Output = Result<T>>>,
) -> Result<Vec<T>> {
    let mut seen = HashSet::new();
    let all_differ = names.into_iter().all(|name| seen.insert(name));
    each_of(items, if all_differ { AT_A_TIME } else { 1 }).await
}

async fn each_of<T>(items: impl IntoIterator<Item = impl Future<Output = Result<T>>>, at_a_time: usize) -> Result<Vec<T>> {
    let outcomes: Vec<Result<T>> = stream::iter(items).buffered(at_a_time).collect().await;
    outcomes.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_graphql::InputObject;

    use super::*;

    #[test]
    fn a_mutation_acts_on_1_to_500_items() {
        let refusal = |items| match check_items("targets", items) {
            Err(Error::Invalid(faults)) => faults.first().map(ToString::to_string),
            _ => None,
        };
        let wrong = || Some("targets: must name 1 to 500".to_owned());
        assert_eq!([0, 1, 500, 501].map(refusal), [wrong(), None, None, wrong()]);
    }

    #[derive(InputObject)]
    struct Former {
        items: Vec<i32>,
        idempotency_key: Option<String>,
    }

    #[derive(InputObject)]
    struct Present {
        items: Vec<i32>,
        note: Option<String>,
        of_each: Option<Former>,
        idempotency_key: Option<String>,
    }

    #[test]
    fn a_field_that_is_not_given_makes_no_other_request() {
        let former = |items, key: &str| Former { items, idempotency_key: Some(key.to_owned()) };
        let present = |note, of_each| Present { items: vec![1, 2], note, of_each, idempotency_key: None };
        let text = request_text(&former(vec![1, 2], "a"));
        assert_eq!(text, request_text(&former(vec![1, 2], "b")), "the key is no part of it");
        assert_eq!(text, request_text(&present(None, None)), "nor is what another program knows besides");
        let others = [
            request_text(&former(vec![2, 1], "a")),
            request_text(&present(Some("n".to_owned()), None)),
            request_text(&present(None, Some(former(vec![], "a")))),
        ];
        assert!(others.iter().all(|other| *other != text), "{others:?}");
    }

    #[tokio::test]
    async fn an_error_of_one_item_cuts_no_other_short() {
        let done = AtomicUsize::new(0);
        let item = |at: usize| {
            let done = &done;
            async move {
                tokio::task::yield_now().await;
                if at == 0 {
                    return Err(async_graphql::Error::new("not now"));
                }
                done.fetch_add(1, Ordering::Relaxed);
                Ok(at)
            }
        };
        assert_eq!(each_item((0..100).map(item)).await.map_err(|error| error.message), Err("not now".to_owned()));
        assert_eq!(done.load(Ordering::Relaxed), 99);
        assert_eq!(each_item((1..100).map(item)).await.ok(), Some((1..100).collect::<Vec<usize>>()));
    }

    #[tokio::test]
    async fn items_on_one_thing_are_done_in_their_order() {
        let begun = AtomicUsize::new(0);
        let item = |at: usize| {
            let begun = &begun;
            async move {
                // The first takes longest.
                for _ in 0..10 - at {
                    tokio::task::yield_now().await;
                }
                Ok(begun.fetch_add(1, Ordering::Relaxed))
            }
        };
        let names = |last: &str| [(0..9).map(|at| at.to_string()).collect(), vec![last.to_owned()]].concat();
        assert_eq!(each_item_on(&names("0"), (0..10).map(item)).await.ok(), Some((0..10).collect::<Vec<usize>>()));
        begun.store(0, Ordering::Relaxed);
        assert_ne!(each_item_on(&names("9"), (0..10).map(item)).await.ok(), Some((0..10).collect::<Vec<usize>>()), "what differs is not held up");
    }
}
