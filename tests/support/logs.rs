//! No log has a value of a record in it. What tests put into records is planted here, and the logs of all servers are searched for it when they end.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use aho_corasick::AhoCorasick;
use serde_json::Value;

/// What logs must not have.
static PLANTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Lines that have some of it.
static FOUND: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// A part of ids, names or numbers that records have.
pub fn plant(marker: &str) {
    PLANTED.lock().unwrap_or_else(PoisonError::into_inner).push(marker.to_owned());
}

/// Notes what a log has of all that was planted.
pub fn search(log: &str) {
    // Thousands of markers and lines: other tests plant on meanwhile.
    let planted = PLANTED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let markers = AhoCorasick::new(&planted).expect("texts to be found");
    let has_any = |line: &str| markers.is_match(line);
    let found = log.lines().filter(|line| has_any(line)).map(without_request_id).filter(|line| has_any(line));
    FOUND.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
}

/// The lines that were found.
pub fn values_found() -> Vec<String> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

/// A line without the one thing that a client chooses and every line has: by its own id it finds its request again. Nothing is left of that which says how
/// the program is set up: what tests set is no record.
fn without_request_id(line: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else { return line.to_owned() };
    if fields.get("message").is_some_and(|message| message == "settings") {
        return String::new();
    }
    fields.remove("request_id");
    if let Some(Value::Object(span)) = fields.get_mut("span") {
        span.remove("request_id");
    }
    Value::Object(fields).to_string()
}
