//! Subscriptions: an event shows its node as it is, a gap says where the stream goes on, and what can't be is refused before the first event. And the present of
//! a document, which events do not share.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_graphql::{Context, EmptyMutation, EmptySubscription, Object, Request, Response, Schema, Value};
use cypher::{Engine, Params, Statement};
use futures::StreamExt;
use futures::stream::BoxStream;
use graph_schema::date::Timestamp;
use graphql_api::live::Subscription;
use graphql_api::query::Query;
use graphql_api::user::user_of_principal;
use graphql_api::walk::StepsAtOnce;
use graphql_http::Types;
use graphql_http::asking::present;
use resolvers::{Caller, Clock, Resolvers, Settings};
use serde_json::json;
use tokio::time::timeout;

use crate::walks::embedded;

const LONG: Duration = Duration::from_secs(60);
/// A change of a case, as the first set of the feed.
const CHANGE: Statement = Statement::new(
    "test/change",
    "MERGE (c:`Case` {id: 'live-case'}) SET c.name = 'Analysis'
WITH c
MATCH (f:ChangeFeed {id: 'changes'})
SET f.position = 1
CREATE (a:AuditEntry {id: 'live-entry', name: 'Entry', timestamp: 7, action: 'case.assigned', objectType: 'Case', objectId: c.id, caseId: c.id,
  userId: 'ada', actionResult: 'SUCCESS'})
CREATE (s:ChangeSet {id: 'live-set', name: 'Change set', stamp: 1, createdAt: 7, entries: a.id, events: '', position: 1})",
);
/// More sets than anybody is told of one by one.
const FAR: Statement = Statement::new("test/far", "MATCH (f:ChangeFeed {id: 'changes'}) SET f.position = 60001");

/// A set whose only change is nowhere.
const LOST: Statement = Statement::new(
    "test/lost",
    "MATCH (f:ChangeFeed {id: 'changes'}) SET f.position = 1
CREATE (s:ChangeSet {id: 'lost-set', name: 'Change set', stamp: 1, createdAt: 7, entries: 'lost', events: '', position: 1})",
);

fn follow(engine: Engine, text: &str) -> BoxStream<'static, Response> {
    let resolvers = Resolvers::new(engine, Settings::default());
    let schema =
        Schema::build(Query::default(), EmptyMutation, Subscription).data(resolvers).data(StepsAtOnce(12)).data(user_of_principal()).finish();
    schema.execute_stream(Request::new(text).data(Caller::operator("test")))
}

async fn next(stream: &mut BoxStream<'static, Response>) -> Option<Response> {
    timeout(LONG, stream.next()).await.expect("it comes")
}

/// What the only error of a response says under a name.
fn said(response: &Response, name: &str) -> Option<Value> {
    let [error] = &response.errors[..] else { panic!("{:?}", response.errors) };
    error.extensions.as_ref().and_then(|extensions| extensions.get(name)).cloned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_shows_its_case_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = embedded(folder.path()).await;
    engine.write_within(CHANGE, Params::none(), LONG).await.expect("it is written");
    let mut stream = follow(engine, r#"subscription { changed: caseChanges(after: "0") { position action userId case { nodeId name } } }"#);
    let response = next(&mut stream).await.expect("an event");
    assert!(response.errors.is_empty(), "{:?}", response.errors);
    let case = json!({"nodeId": "Case:live-case", "name": "Analysis"});
    let event = json!({"changed": {"position": "1", "action": "case.assigned", "userId": "ada", "case": case}});
    assert_eq!(response.data.into_json().expect("an answer"), event);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gap_says_where_the_stream_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = embedded(folder.path()).await;
    engine.write_within(FAR, Params::none(), LONG).await.expect("it is written");
    let mut stream = follow(engine, r#"subscription { caseChanges(after: "1") { position } }"#);
    let gap = next(&mut stream).await.expect("a gap");
    assert_eq!(said(&gap, "code"), Some(Value::from("GAP")));
    assert_eq!((said(&gap, "after"), said(&gap, "resumesAfter")), (Some(Value::from("1")), Some(Value::from("60001"))));
    assert!(timeout(Duration::from_millis(500), stream.next()).await.is_err(), "and it goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_read_is_a_gap_and_holds_nothing_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = embedded(folder.path()).await;
    engine.write_within(LOST, Params::none(), LONG).await.expect("it is written");
    let mut stream = follow(engine, r#"subscription { caseChanges(after: "0") { position } }"#);
    let gap = next(&mut stream).await.expect("a gap");
    assert_eq!(said(&gap, "code"), Some(Value::from("GAP")));
    assert_eq!((said(&gap, "after"), said(&gap, "resumesAfter")), (Some(Value::from("0")), Some(Value::from("1"))));
    assert!(timeout(Duration::from_millis(500), stream.next()).await.is_err(), "and it goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_followed_is_refused_before_the_first_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = embedded(folder.path()).await;
    for (text, code) in [
        ("subscription { caseChanges(mine: true) { position } }", Some("INVALID")),
        (r#"subscription { caseChanges(after: "7") { position } }"#, Some("INVALID")),
        (r#"subscription { caseChanges(after: "x") { position } }"#, None),
        (r#"subscription { caseChanges(filter: {type: []}) { position } }"#, None),
        (r#"subscription { caseChanges(filter: {overdue: false}) { position } }"#, None),
        (r#"subscription { jobProgress(id: "nothing") { id } }"#, Some("NOT_FOUND")),
        (r#"subscription { bulkProgress(requestId: "nothing") { done } }"#, Some("INVALID")),
        (r#"subscription { deliveries(webhookId: "nothing") { waiting } }"#, Some("NOT_FOUND")),
    ] {
        let mut stream = follow(engine.clone(), text);
        let refused = next(&mut stream).await.expect("a refusal");
        assert_eq!(said(&refused, "code"), code.map(Value::from), "{text}: {:?}", refused.errors);
        assert!(next(&mut stream).await.is_none(), "{text}: nothing comes behind it");
    }
}

/// A clock that goes on by a minute each time that it is looked at.
struct Moving(AtomicI64);

impl Clock for Moving {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(60_000, Ordering::Relaxed))
    }
}

struct Times;

#[Object]
impl Times {
    async fn now(&self, context: &Context<'_>) -> async_graphql::Result<i64> {
        Ok(present(context)?.millis())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_fields_of_a_document_have_one_present() {
    let folder = tempfile::tempdir().expect("a folder");
    let resolvers = Resolvers::with_clock(embedded(folder.path()).await, Settings::default(), Arc::new(Moving(AtomicI64::new(1_999))));
    let schema = Schema::build(Times, EmptyMutation, EmptySubscription).data(resolvers).finish();
    let types = Types::of(&schema.sdl());
    let request = || Request::new("{ a: now b: now }").data(Caller::operator("test"));
    let shown = |response: Response| {
        assert!(response.errors.is_empty(), "{:?}", response.errors);
        let shown = response.data.into_json().expect("an answer");
        ["a", "b"].map(|field| shown[field].as_i64().expect("a time"))
    };
    let [first, second] =
        [graphql_http::execute(&schema, &types, request()).await, graphql_http::execute(&schema, &types, request()).await].map(shown);
    assert_eq!((first[0], second[0]), (first[1], second[1]), "fields of one document");
    assert!(second[0] > first[0] && first[0] % 1_000 == 0, "whole seconds, later in a later document: {first:?} {second:?}");
    let apart = shown(schema.execute(request()).await);
    assert!(apart[1] > apart[0], "what is no one document goes on while time does: {apart:?}");
}
