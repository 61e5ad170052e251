//! Each document is run on a schema whose events are known.

use std::time::Instant;

use async_graphql::parser::parse_query;
use async_graphql::{EmptyMutation, Error, ErrorExtensions, Object, Request, Schema, Subscription, Variables};
use futures::stream;
use serde_json::Value as Json;

use super::*;
use crate::exact::subscription::subscribe;
use crate::selection::take_variables;
use crate::settings::Switch;
use crate::trusted::TrustedDocuments;
use crate::types::Types;

struct Query;

#[Object]
impl Query {
    async fn nothing(&self) -> i32 {
        0
    }
}

struct Item(i32);

#[Object]
impl Item {
    async fn number(&self) -> i32 {
        self.0
    }

    async fn twice(&self) -> i32 {
        2 * self.0
    }

    /// Fails for the second of them.
    async fn odd(&self) -> async_graphql::Result<i32> {
        if self.0 % 2 == 0 { Err("it is even".into()) } else { Ok(self.0) }
    }

    async fn slow(&self) -> i32 {
        tokio::time::sleep(Duration::from_secs(3600)).await;
        self.0
    }

    async fn text(&self, context: &Context<'_>, length: usize) -> async_graphql::Result<String> {
        AnswerBudget::counted(context, "x".repeat(length))
    }
}

struct Events;

#[Subscription]
impl Events {
    /// The numbers from one on.
    async fn items(&self, context: &Context<'_>, #[graphql(default = 2)] many: i32) -> impl Stream<Item = Item> {
        in_time(context, stream::iter((1..=many).map(Item)))
    }

    async fn perhaps(&self) -> impl Stream<Item = Option<i32>> {
        stream::iter([None, Some(1)])
    }

    async fn refused(&self) -> async_graphql::Result<impl Stream<Item = i32>> {
        let refused = Error::new("not for you").extend_with(|_, extensions| extensions.set("code", "FORBIDDEN"));
        Err::<stream::Empty<i32>, _>(refused)
    }

    async fn broken(&self) -> impl Stream<Item = async_graphql::Result<i32>> {
        let gap = Error::new("some are missing").extend_with(|_, extensions| {
            extensions.set("code", "GAP");
            extensions.set("after", "3");
            extensions.set("resumesAfter", "9");
        });
        stream::iter([Ok(3), Err(gap), Ok(10)])
    }
}

fn limits() -> GraphqlLimits {
    GraphqlLimits {
        depth: 10,
        complexity: 1000,
        aliases: 10,
        tokens: 1000,
        batch: 0,
        steps: 0,
        time: Duration::from_millis(50),
        introspection: Switch::On,
        suggestions: Switch::Off,
        graphiql: Switch::Off,
        trusted: TrustedDocuments::default(),
    }
}

/// What a subscription tells, as text, to its end.
async fn told(text: &str, variables: Json) -> Vec<String> {
    let schema = Schema::new(Query, EmptyMutation, Events);
    let types = Types::of(&schema.sdl());
    let (limits, budget, clock) = (limits(), AnswerBudget::of(200), EventClock::default());
    let document = parse_query(text).expect("a document");
    let mut request = Request::new(text).variables(Variables::from_json(variables)).data(budget.clone()).data(clock.clone());
    let begun = take_variables(&mut request);
    let text_of = |told: &Told| match told {
        Told::Next(json) => String::from_utf8(json.clone()).expect("text"),
        Told::Failed(json) => format!("error {}", String::from_utf8(json.clone()).expect("text")),
        Told::Complete => "complete".to_owned(),
    };
    if let Err(errors) = begun {
        return vec![text_of(&Told::failed(&limits, errors))];
    }
    let mut results = match subscribe(&schema, &types, &document, request).await {
        Ok(subscribed) => Results::new(subscribed, &limits, budget, clock),
        Err(errors) => return vec![text_of(&Told::failed(&limits, errors))],
    };
    let mut all = Vec::new();
    loop {
        let told = results.next().await;
        all.push(text_of(&told));
        if !matches!(told, Told::Next(_)) {
            return all;
        }
    }
}

const TWO: [&str; 3] = [r#"{"data":{"items":{"number":1}}}"#, r#"{"data":{"items":{"number":2}}}"#, "complete"];

#[tokio::test]
async fn the_root_field_is_found_wherever_it_stands() {
    for text in [
        "subscription { items { number } }",
        "subscription { ...F } fragment F on Events { items { number } }",
        "subscription { ... on Events { ... { items { number } } } }",
        "subscription { items { number } ... { items { number } } }",
        "subscription ($no: Boolean = false) { items { number } perhaps @include(if: $no) }",
        "subscription ($yes: Boolean!) { items @include(if: $yes) { number } ...F @skip(if: $yes) } fragment F on Events { perhaps }",
    ] {
        assert_eq!(told(text, json!({"yes": true})).await, TWO, "{text}");
    }
    let merged = told("subscription { items(many: 1) { twice } items(many: 1) { number } }", json!({})).await;
    assert_eq!(merged, [r#"{"data":{"items":{"twice":2,"number":1}}}"#, "complete"]);
}

#[tokio::test]
async fn more_or_less_than_one_root_field_is_refused() {
    for (text, found) in [
        ("subscription { items { number } perhaps }", "only one top level field"),
        ("subscription { a: perhaps b: perhaps }", "only one top level field"),
        ("subscription { perhaps @skip(if: true) }", "conditions leave none"),
        ("subscription { __typename }", "must not select"),
        ("subscription { items(many: 1) { number } items(many: 2) { number } }", "conflict"),
        ("subscription { misspelt }", "misspelt"),
        ("subscription { items { misspelt } }", "misspelt"),
        ("subscription ($many: Int!) { items(many: $many) { number } }", "many"),
    ] {
        let told = told(text, json!({})).await;
        assert!(told.len() == 1 && told[0].starts_with("error [{") && told[0].contains(found), "{text}: {told:?}");
        assert!(told[0].contains(r#""code":"INVALID""#), "{text}: {told:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_begun_fails_and_completes_nothing() {
    let told = told("subscription { refused }", json!({})).await;
    assert!(told.len() == 1 && told[0].starts_with("error [{") && told[0].contains("FORBIDDEN"), "{told:?}");
}

#[tokio::test]
async fn each_result_is_that_of_the_specification() {
    // A field that fails takes its event along, and not the next.
    let odd = told("subscription { items(many: 3) { odd } }", json!({})).await;
    assert_eq!((odd.len(), odd[0].as_str(), odd[2].as_str()), (4, r#"{"data":{"items":{"odd":1}}}"#, r#"{"data":{"items":{"odd":3}}}"#));
    assert!(odd[1].starts_with(r#"{"data":null,"errors":[{"message":"it is even""#) && odd[1].contains(r#""path":["items","odd"]"#), "{odd:?}");
    assert_eq!(told("subscription { perhaps }", json!({})).await, [r#"{"data":{"perhaps":null}}"#, r#"{"data":{"perhaps":1}}"#, "complete"]);
    let empty = told("subscription { items(many: 1) { number @skip(if: true) } }", json!({})).await;
    assert_eq!(empty, [r#"{"data":{"items":{}}}"#, "complete"]);
}

#[tokio::test]
async fn a_gap_is_told_and_the_stream_goes_on() {
    let told = told("subscription { broken }", json!({})).await;
    assert_eq!((told.len(), told[0].as_str(), told[2].as_str()), (4, r#"{"data":{"broken":3}}"#, r#"{"data":{"broken":10}}"#));
    let gap: Json = serde_json::from_str(&told[1]).expect("JSON");
    let expected = json!({"after": "3", "resumesAfter": "9", "message": "some are missing"});
    assert_eq!(gap, json!({"data": null, "extensions": {"gap": expected}}));
}

#[tokio::test]
async fn each_event_has_the_whole_budget() {
    let told = told("subscription { items(many: 3) { text(length: 150) } }", json!({})).await;
    assert!(told.len() == 4 && told[..3].iter().all(|text| text.contains("xxx")), "{told:?}");
    let large = self::told("subscription { items(many: 1) { text(length: 201) } }", json!({})).await;
    assert!(large[0].contains("TOO_LARGE") && large[1] == "complete", "{large:?}");
}

#[tokio::test]
async fn an_event_whose_result_takes_too_long_ends_the_subscription() {
    let began = Instant::now();
    let told = told("subscription { items { slow } }", json!({})).await;
    assert!(told.len() == 1 && told[0].starts_with("error [{") && told[0].contains("TIME_LIMIT"), "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn waiting_for_an_event_is_not_counted() {
    let clock = EventClock::default();
    clock.begin();
    clock.clear();
    let waited = tokio::time::timeout(Duration::from_millis(30), clock.out_of_time(Duration::ZERO)).await;
    assert!(waited.is_err());
    clock.begin();
    clock.out_of_time(Duration::ZERO).await;
}
