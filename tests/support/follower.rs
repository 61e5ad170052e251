//! A reader of the change feed that keeps its place, as a service that follows it would.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Api, eventually};

/// Far longer than a busy machine takes to give what was changed its positions, and than a lease of who was killed.
const PATIENCE: Duration = Duration::from_secs(120);

const READ: &str = "query($after: ID, $first: Int!) { changes(after: $after, first: $first) {
    position last sets { position at eventIds changes { id action objectType objectId caseId userId requestId at notes } } } }";

/// Where a reader is, and what it has read: all that it would have written down.
#[derive(Default)]
pub struct Follower {
    /// The position of the last set.
    pub position: i64,
    /// Changes by the positions of their sets.
    pub read: BTreeMap<i64, Vec<Value>>,
    /// Ids of events in the order of their sets.
    pub events: Vec<String>,
}

impl Follower {
    /// Begins at the end of the feed.
    pub async fn from_now(api: &Api) -> Self {
        Self { position: last(api).await, ..Self::default() }
    }

    /// Reads a part; whether there was anything. A part that does not come, as the service is away, is nothing.
    pub async fn read_on(&mut self, api: &Api, first: usize) -> bool {
        let body = json!({"query": READ, "variables": {"after": self.position.to_string(), "first": first}});
        let Ok(answer) = api.try_send(api.posting("/graphql", body.to_string())).await else { return false };
        if answer.status != 200 || answer.json()["data"].is_null() {
            return false;
        }
        let page = answer.json()["data"]["changes"].take();
        let sets = page["sets"].as_array().expect("sets").clone();
        for set in &sets {
            let position = number(&set["position"]);
            assert_eq!(position, self.position + 1, "positions have no gap and come once");
            self.position = position;
            self.events.extend(set["eventIds"].as_array().expect("ids").iter().map(text));
            self.read.insert(position, set["changes"].as_array().expect("changes").clone());
        }
        assert_eq!(number(&page["position"]), self.position);
        assert!(number(&page["last"]) >= self.position);
        !sets.is_empty()
    }

    /// Reads on until a change of each of some objects has come.
    pub async fn read_until(&mut self, api: &Api, objects: &[String]) {
        let reader = tokio::sync::Mutex::new(self);
        eventually("the changes are in the feed", PATIENCE, async || {
            let mut reader = reader.lock().await;
            while reader.read_on(api, 200).await {}
            objects.iter().all(|object| reader.objects().contains(object))
        })
        .await;
    }

    /// Reads on to what is the last position now. A part that does not come, as the service has too little time for it, is asked for again.
    pub async fn read_all(&mut self, api: &Api) {
        let last = last(api).await;
        let reader = tokio::sync::Mutex::new(self);
        eventually("the feed is read to its end", PATIENCE, async || {
            let mut reader = reader.lock().await;
            while reader.read_on(api, 200).await {}
            reader.position >= last
        })
        .await;
    }

    /// All changes, in order.
    pub fn changes(&self) -> impl Iterator<Item = &Value> {
        self.read.values().flatten()
    }

    /// What was changed, in order.
    pub fn objects(&self) -> Vec<String> {
        self.changes().filter_map(|change| change["objectId"].as_str().map(str::to_owned)).collect()
    }
}

/// The last position that was given.
async fn last(api: &Api) -> i64 {
    let page = api.graphql("{ changes(first: 1) { last } }", json!({})).await;
    number(&page["changes"]["last"])
}

fn number(position: &Value) -> i64 {
    position.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("a position: {position}"))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
