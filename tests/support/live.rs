//! Subscriptions: what tests ask for, who asks, and what the change feed says that there must be.

use serde_json::{Value, json};

use super::follower::Follower;
use super::reader::text;
use super::socket::Socket;
use super::{Api, Server};

/// Cases as they change: each event with its position, and with what the case is like then.
pub const CASE_CHANGES: &str = "subscription($id: ID, $mine: Boolean, $filter: CaseFilter, $after: ID) {
    caseChanges(id: $id, mine: $mine, filter: $filter, after: $after) {
        position at action userId requestId caseId
        case { id version type name workflow { stepId status state } }
    } }";
/// The same case, by a query.
pub const CASE: &str = "query($id: ID!) { case(id: $id) { id version type name workflow { stepId status state } } }";

/// The least of it: where the stream is.
pub const POSITIONS: &str = "subscription($id: ID, $after: ID) { caseChanges(id: $id, after: $after) { position } }";

/// The position of the last change that there is: what comes behind it comes from now on.
pub async fn now(api: &Api) -> String {
    let page = api.graphql("{ changes(first: 1) { last } }", json!({})).await;
    text(&page["changes"]["last"])
}

/// A key of a new caller, and its id.
pub async fn key(api: &Api, role: &str) -> (String, String) {
    let made = api.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
    (text(&made["key"]), text(&made["id"]))
}

/// A socket of the administrator, which is acknowledged.
pub async fn socket(server: &Server) -> Socket {
    Socket::signed_in(server, server.key()).await
}

/// The changes of cases that a follower of the feed has read, as their events have to tell them: position of the set, action, case. What was said again and
/// has changed nothing, as its entry notes, is no change.
pub fn of_cases(follower: &Follower, wanted: impl Fn(&str) -> bool) -> Vec<(i64, String, String)> {
    let changes = follower.read.iter().flat_map(|(position, changes)| changes.iter().map(move |change| (*position, change)));
    let made = changes.filter(|(_, change)| change["notes"].is_null());
    let of_case = made.filter_map(|(position, change)| Some((position, text(&change["action"]), change["caseId"].as_str()?.to_owned())));
    of_case.filter(|(_, _, case)| wanted(case)).collect()
}

/// An event as [`of_cases`] tells it.
pub fn told(event: &Value) -> (i64, String, String) {
    (set_of(&text(&event["position"])), text(&event["action"]), text(&event["caseId"]))
}

/// The set that a position is in.
fn set_of(position: &str) -> i64 {
    let set = position.split('.').next().unwrap_or_default();
    set.parse().unwrap_or_else(|_| panic!("a position: {position}"))
}
