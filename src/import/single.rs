//! What bulk requests have no list for, one request a line: associates by their documented operation; devices and sign-ins, for which there is none,
//! by GraphQL's mutations. Lines about one thing go one after the other, so that the last of them is the last word.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::bail;
use futures::{StreamExt, stream};
use graph_schema::bulk::BulkActorAssociates;
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::Unacceptable;
use graph_schema::given::read;
use reqwest::StatusCode;
use serde_json::json;

use super::server::{Answer, Server, may_pass};
use super::{Line, Outcome};

/// Requests under way at once: the server commits those that come together as one, and one after the other would be far slower.
pub(super) const AT_ONCE: usize = 64;

/// The lists of which each line is a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SingleList {
    Associates,
    Devices,
    SignIns,
}

/// A request that carries a line's record.
pub(super) struct Sending {
    /// What the line is about.
    about: String,
    path: Vec<String>,
    record: Arc<str>,
}

/// Lines as they were read.
pub(super) type ReadLines = Vec<Result<Sending, Unacceptable>>;

pub(super) fn read_lines(list: SingleList, lines: &[Line]) -> ReadLines {
    lines.iter().map(|line| sending(list, line.text.as_bytes())).collect()
}

impl Server {
    /// Sends lines that were read; the outcomes are in their order.
    pub(super) async fn send_one_by_one(&self, lines: ReadLines) -> anyhow::Result<Vec<Outcome>> {
        let mut outcomes = vec![Outcome::Accepted; lines.len()];
        let mut about: HashMap<String, Vec<(usize, Sending)>> = HashMap::new();
        for (at, read) in lines.into_iter().enumerate() {
            match read {
                Ok(sending) => about.entry(sending.about.clone()).or_default().push((at, sending)),
                Err(unacceptable) => outcomes[at] = Outcome::of_faults(&unacceptable),
            }
        }
        let mut sent = stream::iter(about.into_values().map(|one| self.send_in_turn(one))).buffer_unordered(AT_ONCE);
        while let Some(answered) = sent.next().await {
            for (at, outcome) in answered? {
                outcomes[at] = outcome;
            }
        }
        Ok(outcomes)
    }

    async fn send_in_turn(&self, sendings: Vec<(usize, Sending)>) -> anyhow::Result<Vec<(usize, Outcome)>> {
        let mut answered = Vec::with_capacity(sendings.len());
        for (at, sending) in sendings {
            let path: Vec<&str> = sending.path.iter().map(String::as_str).collect();
            answered.push((at, outcome(&self.post(&path, &sending.record, None).await?)?));
        }
        Ok(answered)
    }
}

/// The request that a line becomes.
fn sending(list: SingleList, line: &[u8]) -> Result<Sending, Unacceptable> {
    match list {
        SingleList::Associates => {
            let (actor, associates) = read::<BulkActorAssociates>(line)?.value.into_single();
            let path = ["api", "actors", actor.as_str(), "associates"].map(str::to_owned).to_vec();
            Ok(Sending { about: actor.to_string(), path, record: associates.record })
        }
        SingleList::Devices => {
            // Its names are the same in GraphQL.
            let given = read::<DeviceRecord>(line)?;
            Ok(mutation(given.value.id.to_string(), RECORD_DEVICES, json!(given.value)))
        }
        SingleList::SignIns => {
            let SignInRecord { device_id, account_id, at, ip_address } = read::<SignInRecord>(line)?.value;
            let about = format!("{device_id}\n{account_id}");
            let record = json!({ "deviceId": device_id, "accountId": account_id, "at": at, "ipAddress": ip_address });
            Ok(mutation(about, RECORD_SIGN_INS, record))
        }
    }
}

const RECORD_DEVICES: &str = "mutation($record: DeviceInput!) { recordDevices(devices: [$record]) }";
const RECORD_SIGN_INS: &str = "mutation($record: SignInInput!) { recordSignIns(signIns: [$record]) }";

fn mutation(about: String, document: &str, record: serde_json::Value) -> Sending {
    let body = json!({ "query": document, "variables": { "record": record } }).to_string();
    Sending { about, path: vec!["graphql".to_owned()], record: body.into() }
}

/// What an answer says of a line. One that says nothing of the line, but of us or of the server, is an error.
fn outcome(answer: &Answer) -> anyhow::Result<Outcome> {
    let errors = answer.errors();
    let status = answer.status;
    if status.is_success() && errors.is_empty() {
        return Ok(Outcome::Accepted);
    }
    let not_of_the_line = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND) || may_pass(status);
    if not_of_the_line || answer.codes().any(|code| matches!(code, "UNAVAILABLE" | "FORBIDDEN" | "TIME_LIMIT" | "INTERNAL")) {
        bail!("the server refused: {status} {}", errors.join("; "));
    }
    Ok(Outcome::Refused(if errors.is_empty() { vec![format!("answer: {status}")] } else { errors }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_the_documented_requests() {
        let path = |list, line: &str| sending(list, line.as_bytes()).expect("a good line").path.join("/");
        assert_eq!(path(SingleList::Associates, r#"{"actor_id":"a","actorAssociates":[]}"#), "api/actors/a/associates");
        assert_eq!(path(SingleList::Devices, r#"{"id":"d"}"#), "graphql");
        assert!(sending(SingleList::Devices, b"{").is_err());
    }
}
