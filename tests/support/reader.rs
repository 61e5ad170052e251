//! A reader of `GET /events` that keeps its position, as a program that asks for events would.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Api, eventually};

/// Far longer than a busy machine takes to give what was written its positions, and than a lease of who was killed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A reader that keeps its position, as a good client does.
pub struct Reader {
    pub after: String,
    /// Each with its position, as they came.
    pub events: Vec<Value>,
    /// The texts of the answers.
    pub texts: String,
}

impl Reader {
    /// Begins at the end of the feed.
    pub async fn from_now(api: &Api) -> Self {
        let answer = api.get("/events").await.expect(200).json();
        assert_eq!(answer["events"], json!([]), "what has happened before is not asked for");
        Self::behind(text(&answer["next"]))
    }

    pub fn behind(after: String) -> Self {
        Self { after, events: Vec::new(), texts: String::new() }
    }

    /// Reads a part; whether more may be read. An answer that does not come, as the service is away, is nothing.
    pub async fn read_on(&mut self, api: &Api, query: &str) -> bool {
        let request = api.request("GET", &format!("/events?after={}{query}", self.after));
        let Ok(answer) = api.try_send(request).await else { return false };
        if answer.status != 200 {
            assert!([500, 503].contains(&answer.status), "{answer:?}");
            return false;
        }
        let page = answer.json();
        let events = page["events"].as_array().expect("events").clone();
        let mut last = place(&self.after);
        for event in &events {
            let at = place(&text(&event["position"]));
            assert!(at > last, "positions go up: {} behind {}", event["position"], self.after);
            last = at;
        }
        let next = text(&page["next"]);
        assert!(place(&next) >= last, "{next} is behind all that was answered: {page}");
        self.after = next;
        self.texts += &answer.text;
        let more = page["more"] == true;
        let came = !events.is_empty();
        self.events.extend(events);
        more || came
    }

    /// Reads on until so many events of some cases have come.
    pub async fn read_until(&mut self, api: &Api, query: &str, cases: &[String], wanted: usize) {
        let reader = tokio::sync::Mutex::new(self);
        eventually("the events are in the feed", PATIENCE, async || {
            let mut reader = reader.lock().await;
            while reader.read_on(api, query).await {}
            reader.about(cases).len() >= wanted
        })
        .await;
    }

    /// Reads on to where the feed ends now. What was not answered, as there was too little time for it, is asked for again.
    pub async fn read_all(&mut self, api: &Api, query: &str) {
        let end = Self::from_now(api).await.after;
        let reader = tokio::sync::Mutex::new(self);
        eventually("the feed is read to its end", PATIENCE, async || {
            let mut reader = reader.lock().await;
            while reader.read_on(api, query).await {}
            place(&reader.after) >= place(&end)
        })
        .await;
    }

    /// The events of some cases, as they came.
    pub fn about(&self, cases: &[String]) -> Vec<&Value> {
        self.events.iter().filter(|event| cases.iter().any(|case| event["event"]["data"]["id"] == json!(case))).collect()
    }

    pub fn ids(&self) -> Vec<String> {
        self.events.iter().map(|event| text(&event["event"]["id"])).collect()
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}")).to_owned()
}

/// A position as a pair that sorts: the last set of which all is read, and how many events of the next one are.
pub fn place(position: &str) -> (i64, i64) {
    let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("a position: {position}"));
    match position.split_once('.') {
        None => (number(position), 0),
        Some((set, further)) => (number(set) - 1, number(further)),
    }
}
