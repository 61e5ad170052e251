//! Sending lines by the bulk operation, up to 1,000 in a request, which the server takes as a whole and processes in the background.
//!
//! The id of a request follows from the import's run and the request's first line, so that one that is sent again adds nothing. What became of what was
//! taken is asked for by GraphQL, once all is sent; and while it is sent, so that never more than a few requests lie at the server unprocessed. Nobody
//! tells that to a key that may not look into the graph (role INGEST): for such a one, what was taken is all there is to know.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use graph_schema::bulk::{BulkList, MAX_ITEMS};
use graph_schema::days::Days;
use reqwest::StatusCode;
use resolvers::{Clock as _, SystemClock};
use serde_json::{Value, json};

use super::server::{Answer, Server};
use super::{Line, Outcome, Summary};

/// The most bytes of lines of one request, if it has more than one: the server takes 32 MB.
const MOST_BYTES: usize = 16 << 20;
/// Requests that were taken and may lie at the server unprocessed.
const AHEAD: usize = 8;
/// Between two looks how far the server is: at first, and later.
const LOOK: Duration = Duration::from_millis(50);
const LONGEST_LOOK: Duration = Duration::from_secs(1);
/// A server that has processed nothing for so long has no worker, and is not waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Items of a page.
const PAGE: usize = 200;

const PROGRESS: &str = "query($id: String!) { bulkRequests(first: 1, requestId: $id) { edges { node { progress { pending deferred failed } } } } }";
const TROUBLED: &str = "query($id: String!, $state: BulkItemState!, $first: Int!, $after: String) {
    bulkRequests(first: 1, requestId: $id) { edges { node { items(first: $first, after: $after, filter: {state: $state}) {
        pageInfo { hasNextPage endCursor } edges { node { name reasons missing { kind id } } } } } } } }";

/// A line that has passed its check, or why it has not.
type Checked = Result<Line, Outcome>;

/// The requests that the server has taken.
#[derive(Default)]
pub(super) struct Taken {
    requests: Vec<Request>,
    pace: Pace,
}

/// Whether the server gets on with what it has taken.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Pace {
    #[default]
    Going,
    /// It was waited for once, for as long as anybody waits.
    Stalled,
}

struct Request {
    id: String,
    list: BulkList,
    /// The number of each item's line.
    lines: Vec<u64>,
}

/// How far the server is with a request.
enum Progress {
    /// Items that it has not looked at, that wait for what they name, that have failed.
    Known { pending: i64, deferred: i64, failed: i64 },
    /// It does not tell this key.
    Untold,
}

pub(super) fn checked(list: BulkList, lines: Vec<Line>) -> Vec<Checked> {
    let days = Days::at(SystemClock.now());
    lines.into_iter().map(|line| list.check(&line.text, days).map(|()| line).map_err(|faults| Outcome::of_faults(&faults))).collect()
}

impl Server {
    /// Sends lines that were checked; the outcomes are in their order.
    pub(super) async fn send_in_bulk(&self, list: BulkList, checked: Vec<Checked>) -> anyhow::Result<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(checked.len());
        let mut good = Vec::new();
        for (at, line) in checked.into_iter().enumerate() {
            match line {
                Ok(line) => {
                    good.push((at, line));
                    outcomes.push(Outcome::Accepted);
                }
                Err(outcome) => outcomes.push(outcome),
            }
        }
        for request in requests(good) {
            for (at, outcome) in self.send_request(list, request).await? {
                outcomes[at] = outcome;
            }
        }
        Ok(outcomes)
    }

    /// Sends one request; without those of its lines that the server finds fault with, though they have passed here.
    async fn send_request(&self, list: BulkList, mut lines: Vec<(usize, Line)>) -> anyhow::Result<Vec<(usize, Outcome)>> {
        self.wait_for_room().await?;
        let mut refused = Vec::new();
        while let Some((_, first)) = lines.first() {
            let id = format!("import-{}-{}-{}", self.run(), list.field(), first.number);
            let texts: Vec<&str> = lines.iter().map(|(_, line)| line.text.trim()).collect();
            let body = Arc::from(format!("{{\"{}\":[{}]}}", list.field(), texts.join(",")));
            let answer = self.post(&["api", "bulk"], &body, Some(&id)).await?;
            match answer.status {
                StatusCode::ACCEPTED => {
                    let lines = lines.iter().map(|(_, line)| line.number).collect();
                    self.taken().lock().await.requests.push(Request { id, list, lines });
                    break;
                }
                StatusCode::PAYLOAD_TOO_LARGE if lines.len() == 1 => {
                    refused.extend(lines.drain(..).map(|(at, _)| (at, Outcome::Refused(vec!["line: is larger than the server takes".to_owned()]))));
                }
                StatusCode::BAD_REQUEST => refused.extend(take_out(list, &mut lines, &answer)?),
                status => bail!("the server refused: {status} {}", answer.errors().join("; ")),
            }
        }
        Ok(refused)
    }

    /// Waits while many requests lie at the server.
    async fn wait_for_room(&self) -> anyhow::Result<()> {
        let Taken { requests, pace } = &mut *self.taken().lock().await;
        match requests.len().checked_sub(AHEAD).and_then(|at| requests.get(at)) {
            // One that is not processed any more is told of in the end.
            Some(request) => self.processed(&request.id, pace).await.map(drop),
            None => Ok(()),
        }
    }

    /// Learns what became of what was taken.
    pub(super) async fn settle(&self, summary: &mut Summary) -> anyhow::Result<()> {
        let Taken { requests, pace } = &mut *self.taken().lock().await;
        for request in &*requests {
            match self.processed(&request.id, pace).await? {
                Progress::Untold => summary.take_untold(request.lines.len() as u64),
                Progress::Known { pending, deferred, failed } => {
                    summary.leave_pending(u64::try_from(pending).unwrap_or_default());
                    for (state, items) in [("FAILED", failed), ("DEFERRED", deferred)] {
                        if items > 0 {
                            self.enter_troubled(request, state, summary).await?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// How far a request is when all of it was looked at, or when the server does not get on with it.
    async fn processed(&self, id: &str, pace: &mut Pace) -> anyhow::Result<Progress> {
        let (mut before, mut since, mut pause) = (None, Instant::now(), LOOK);
        loop {
            match self.progress(id).await? {
                Progress::Known { pending, deferred, failed } if pending > 0 => {
                    if before != Some(pending) {
                        (before, since) = (Some(pending), Instant::now());
                    }
                    if *pace == Pace::Stalled || since.elapsed() > PATIENCE {
                        *pace = Pace::Stalled;
                        return Ok(Progress::Known { pending, deferred, failed });
                    }
                }
                progress => {
                    *pace = Pace::Going;
                    return Ok(progress);
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_LOOK);
        }
    }

    async fn progress(&self, id: &str) -> anyhow::Result<Progress> {
        let Some(node) = self.ask(PROGRESS, json!({ "id": id })).await? else { return Ok(Progress::Untold) };
        let lists = node["progress"].as_array().into_iter().flatten();
        let sums = lists.fold([0; 3], |sums, list| {
            let add = |at: usize, field: &str| sums[at] + list[field].as_i64().unwrap_or_default();
            [add(0, "pending"), add(1, "deferred"), add(2, "failed")]
        });
        let [pending, deferred, failed] = sums;
        Ok(Progress::Known { pending, deferred, failed })
    }

    /// Enters the items of a request that have failed, or that wait.
    async fn enter_troubled(&self, request: &Request, state: &str, summary: &mut Summary) -> anyhow::Result<()> {
        let mut after = Value::Null;
        loop {
            let variables = json!({ "id": request.id, "state": state, "first": PAGE, "after": after });
            let Some(node) = self.ask(TROUBLED, variables).await? else { return Ok(()) };
            let items = &node["items"];
            for item in items["edges"].as_array().into_iter().flatten().map(|edge| &edge["node"]) {
                let line = item["name"].as_str().and_then(index_of).and_then(|index| request.lines.get(index));
                summary.enter_later(request.list.field(), line.copied().unwrap_or_default(), troubled(item, state));
            }
            if items["pageInfo"]["hasNextPage"] != json!(true) {
                return Ok(());
            }
            after = items["pageInfo"]["endCursor"].clone();
        }
    }

    /// Asks for a bulk request by GraphQL; nothing where the key may not ask.
    async fn ask(&self, query: &str, variables: Value) -> anyhow::Result<Option<Value>> {
        let body = Arc::from(json!({ "query": query, "variables": variables }).to_string());
        let mut answer = self.post(&["graphql"], &body, None).await?;
        if answer.codes().any(|code| code == "FORBIDDEN") {
            return Ok(None);
        }
        let errors = answer.errors();
        if !answer.status.is_success() || !errors.is_empty() {
            bail!("the server does not tell how far it is: {} {}", answer.status, errors.join("; "));
        }
        Ok(Some(answer.body["data"]["bulkRequests"]["edges"][0]["node"].take()))
    }
}

/// Lines in as few requests as they go in.
fn requests(lines: Vec<(usize, Line)>) -> Vec<Vec<(usize, Line)>> {
    let mut requests: Vec<Vec<(usize, Line)>> = Vec::new();
    let mut bytes = 0;
    for (at, line) in lines {
        bytes += line.text.len();
        match requests.last_mut() {
            Some(request) if request.len() < MAX_ITEMS && bytes <= MOST_BYTES => request.push((at, line)),
            _ => {
                bytes = line.text.len();
                requests.push(vec![(at, line)]);
            }
        }
    }
    requests
}

/// Takes those lines out with which the server finds fault: `actors[3].type: …`. An answer that names none is about all of it.
fn take_out(list: BulkList, lines: &mut Vec<(usize, Line)>, answer: &Answer) -> anyhow::Result<Vec<(usize, Outcome)>> {
    let mut faults: Vec<Vec<String>> = vec![Vec::new(); lines.len()];
    for error in answer.errors() {
        let of_item = error.strip_prefix(list.field()).and_then(index_of);
        match of_item.and_then(|index| faults.get_mut(index)) {
            Some(of_line) => of_line.push(error.split_once("].").map_or(error.as_str(), |(_, rest)| rest).to_owned()),
            None => bail!("the server refused: {} {error}", answer.status),
        }
    }
    if faults.iter().all(Vec::is_empty) {
        bail!("the server refused: {}", answer.status);
    }
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for ((at, line), faults) in lines.drain(..).zip(faults) {
        if faults.is_empty() {
            kept.push((at, line));
        } else {
            refused.push((at, Outcome::Refused(faults)));
        }
    }
    *lines = kept;
    Ok(refused)
}

/// The number in the first brackets: `cases[17] 0190a8f4-…`.
fn index_of(place: &str) -> Option<usize> {
    place.split_once('[')?.1.split_once(']')?.0.parse().ok()
}

/// What the server says of an item that has failed or waits.
fn troubled(item: &Value, state: &str) -> Outcome {
    let texts = |field: &str| item[field].as_array().cloned().unwrap_or_default();
    let reasons = texts("reasons").into_iter().filter_map(|reason| reason.as_str().map(str::to_owned));
    if state == "FAILED" {
        return Outcome::Refused(reasons.collect());
    }
    let text = |missing: &Value, field: &str| missing[field].as_str().unwrap_or_default().to_owned();
    let missing = texts("missing").into_iter().map(|missing| format!("waits for: {} {}", text(&missing, "kind"), text(&missing, "id")));
    // One that waits behind another about the same thing has a reason and nothing that it misses.
    Outcome::Waiting(missing.chain(reasons).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<(usize, Line)> {
        texts.iter().enumerate().map(|(at, text)| (at, Line { number: at as u64 + 1, text: (*text).to_owned() })).collect()
    }

    #[test]
    fn requests_are_bounded() {
        let many = vec!["{}"; 2_500];
        assert_eq!(requests(lines(&many)).iter().map(Vec::len).collect::<Vec<_>>(), [1_000, 1_000, 500]);
        let large = "x".repeat(9 << 20);
        assert_eq!(requests(lines(&["a", &large, &large, "b"])).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(requests(Vec::new()).len(), 0);
    }

    #[test]
    fn a_refusal_is_that_of_the_lines_it_names() {
        let errors = json!({ "errors": ["actors[1].type: must be one of A, B", "actors[1].id: is required", "actors[2]: must be an object"] });
        let mut kept = lines(&["a", "b", "c", "d"]);
        let refused = take_out(BulkList::Actors, &mut kept, &Answer { status: StatusCode::BAD_REQUEST, body: errors }).expect("it names lines");
        assert_eq!(kept.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 3]);
        let texts = |texts: &[&str]| Outcome::Refused(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(refused, [(1, texts(&["type: must be one of A, B", "id: is required"])), (2, texts(&["actors[2]: must be an object"]))]);
        for body in [json!({ "errors": ["x-request-id: is the id of another request"] }), json!({ "errors": ["actors[9].id: no such"] }), json!({})] {
            assert!(take_out(BulkList::Actors, &mut lines(&["a"]), &Answer { status: StatusCode::BAD_REQUEST, body }).is_err());
        }
    }

    #[test]
    fn items_say_what_they_wait_for() {
        let item = json!({ "name": "observations[17] o", "reasons": [], "missing": [{ "kind": "ACTOR", "id": "a" }] });
        assert_eq!(troubled(&item, "DEFERRED"), Outcome::Waiting(vec!["waits for: ACTOR a".to_owned()]));
        let item = json!({ "name": "cases[17] c", "reasons": ["behind another"], "missing": [] });
        assert_eq!(troubled(&item, "DEFERRED"), Outcome::Waiting(vec!["behind another".to_owned()]));
        assert_eq!(troubled(&item, "FAILED"), Outcome::Refused(vec!["behind another".to_owned()]));
        assert_eq!(index_of("observations[17] o"), Some(17));
    }
}
