//! What a document costs, for those who ask.
//!
//! async-graphql keeps the number that it compares with its limit to itself, and tells it to extensions alone. With an extension each field of each answer
//! would go through it, whoever asks. So documents are judged by a schema of their own, which has the extension and carries nothing out. It is made when
//! somebody asks first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use async_graphql::async_trait::async_trait;
use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Executor, Name, Request, ServerError, ValidationResult, Value};

use crate::exact;
use crate::types::Types;

/// Under which name a request says that it asks for its cost, and an answer says it.
pub const COST: &str = "cost";

/// A schema that judges documents, of the same types as the one that answers. Cheap to clone; all clones share.
pub type Judge<S> = Arc<LazyLock<S, Box<dyn FnOnce() -> S + Send>>>;

/// A judge that is made so when it is needed; the schema has [`CountsCost`].
pub fn judge<S>(make: impl FnOnce() -> S + Send + 'static) -> Judge<S> {
    let make: Box<dyn FnOnce() -> S + Send> = Box::new(make);
    Arc::new(LazyLock::new(make))
}

/// What makes a schema a judge.
pub struct CountsCost;

impl ExtensionFactory for CountsCost {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for CountsCost {
    async fn validation(&self, context: &ExtensionContext<'_>, next: NextValidation<'_>) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(context).await?;
        if let Some(counted) = context.data_opt::<Counted>() {
            counted.0.fetch_max(result.complexity, Ordering::Relaxed);
        }
        Ok(result)
    }
}

/// The largest cost that was found; none where no document was valid.
#[derive(Clone, Default)]
struct Counted(Arc<AtomicUsize>);

/// Whether a request asks for its cost.
pub fn is_asked(request: &Request) -> bool {
    matches!(request.extensions.get(COST), Some(Value::Boolean(true)))
}

/// What a request with this document costs, and how much it may: the larger number where another document is run in its place, as each must keep the limit.
/// None of one that is not valid. Its variables have their defaults.
pub async fn of_request<S: Executor>(
    judge: &Judge<S>,
    types: &Types,
    document: &ExecutableDocument,
    request: &Request,
    limit: usize,
) -> Option<Value> {
    let counted = Counted::default();
    for judged in exact::judged(document, request, types) {
        let mut check = Request::new("").variables(request.variables.clone()).data(counted.clone());
        check.operation_name = request.operation_name.clone();
        check.set_parsed_query(judged);
        judge.execute(check).await;
    }
    let requested = counted.0.load(Ordering::Relaxed);
    let said = [("requested", requested), ("limit", limit)].into_iter().map(|(name, number)| (Name::new(name), Value::from(number)));
    (requested > 0).then(|| Value::Object(said.collect()))
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;
    use async_graphql::{EmptyMutation, Object, Schema, SimpleObject, Subscription, Variables};
    use futures::{Stream, stream};
    use serde_json::json;

    use super::*;
    use crate::selection::take_variables;

    struct Query;
    struct Events;

    #[derive(SimpleObject)]
    struct Item {
        number: usize,
    }

    #[Object]
    impl Query {
        #[graphql(complexity = "first * child_complexity + 1")]
        async fn items(&self, first: usize) -> Vec<Item> {
            vec![Item { number: first }]
        }
    }

    #[Subscription]
    impl Events {
        async fn news(&self) -> impl Stream<Item = Item> {
            stream::iter([Item { number: 1 }])
        }
    }

    #[tokio::test]
    async fn the_cost_is_that_of_all_that_is_asked() {
        let judge = judge(|| Schema::build(Query, EmptyMutation, Events).extension(CountsCost).finish());
        let types = Types::of(&judge.sdl());
        for (text, cost) in [
            ("query($n: Int!) { items(first: $n) { number } }", Some(8)),
            // What is left out counts, as it does against the limit.
            ("query($n: Int!) { items(first: $n) { number @skip(if: true) } }", Some(8)),
            ("query($n: Int!) { ...F ...F } fragment F on Query { items(first: $n) { number } }", Some(16)),
            ("subscription { news { number } }", Some(2)),
            ("query($n: Int!) { items(first: $n) { misspelt } }", None),
        ] {
            let mut request = Request::new(text).variables(Variables::from_json(json!({"n": 7})));
            take_variables(&mut request).expect("variables");
            let document = parse_query(text).expect("a document");
            let said = of_request(&judge, &types, &document, &request, 100).await.map(|said| said.into_json().expect("JSON"));
            assert_eq!(said, cost.map(|cost| json!({"requested": cost, "limit": 100})), "{text}");
        }
    }
}
