//! Telling what changes nothing: at the end of a request, and when somebody is not let in.

use std::net::IpAddr;
use std::sync::Arc;

use cypher::Value;

use super::entry::{Entry, entry};
use super::gatherer::StrangerEntry;
use super::noted::Note;
use super::{Outcome, Stranger};
use crate::clock::Clock;
use crate::credential::network;
use crate::policy::{Caller, CredentialType, Identified, Origin};
use crate::{Inner, Resolvers, boxed};

impl Resolvers {
    /// Hands over what a request has read and was refused. Called once when it ends; waits while too much is waiting already.
    #[boxed]
    pub async fn request_ended(&self, caller: &Caller) {
        for note in caller.noted.take() {
            self.inner.gatherer.tell(self.inner.noted_entry(caller, &note)).await;
        }
    }

    /// Notes that credentials were refused: `means` is how somebody tried, `reason` why that was nobody.
    pub fn sign_in_refused(&self, means: CredentialType, ip: Option<IpAddr>, reason: &'static str) {
        self.inner.refuse_stranger("sign_in.refused", means, ip, reason);
    }
}

impl Inner {
    /// Notes that somebody unknown was refused.
    pub(crate) fn refuse_stranger(&self, action: &'static str, means: CredentialType, ip: Option<IpAddr>, reason: &'static str) {
        self.gatherer.refuse(Stranger { action, means: means.as_str(), from: source(ip), reason });
    }

    /// Tells that a client has got a token.
    pub(crate) async fn token_issued(&self, client: &Identified, origin: &Origin) {
        let entry = entry(Entry {
            id: &self.clock.id(),
            at: self.clock.now(),
            action: "token.issued",
            log_type: "UPDATE",
            object_type: "Client",
            object_id: Some(&client.id),
            case_id: None,
            user: Some((&client.id, &client.name, client.roles)),
            means: client.means.as_str(),
            ip: origin.ip.map(|ip| ip.to_string()),
            request_id: Some(&origin.request_id),
            notes: None,
            old: Value::Null,
            new: Value::Null,
            outcome: Outcome::Success,
        });
        self.gatherer.tell(entry).await;
    }

    fn noted_entry(&self, caller: &Caller, note: &Note) -> Value {
        entry(Entry {
            id: &self.clock.id(),
            at: self.clock.now(),
            action: note.action,
            log_type: if note.outcome == Outcome::Success { "READ" } else { "UPDATE" },
            object_type: note.object_type,
            object_id: note.object_id.as_deref(),
            case_id: note.object_id.as_deref().filter(|_| note.object_type == "Case"),
            user: Some((&caller.id, &caller.name, caller.roles)),
            means: caller.means.as_str(),
            ip: caller.ip.map(|ip| ip.to_string()),
            request_id: Some(&caller.request_id),
            notes: note.notes(),
            old: Value::Null,
            new: Value::Null,
            outcome: note.outcome,
        })
    }
}

/// Who is one stranger: an address, or an IPv6 network of which somebody has all addresses for himself.
pub fn source(ip: Option<IpAddr>) -> String {
    match ip.map(network) {
        None => "unknown".to_owned(),
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(network)) => format!("{network}/64"),
    }
}

/// How strangers are told: once for all that are alike since the last time.
pub fn stranger_entry(clock: Arc<dyn Clock>) -> StrangerEntry {
    Arc::new(move |stranger, times| {
        entry(Entry {
            id: &clock.id(),
            at: clock.now(),
            action: stranger.action,
            log_type: "UPDATE",
            object_type: "Credential",
            object_id: None,
            case_id: None,
            user: None,
            means: stranger.means,
            ip: Some(stranger.from.clone()),
            request_id: None,
            notes: Some(if times == 1 { stranger.reason.to_owned() } else { format!("{} ({times} times)", stranger.reason) }),
            old: Value::Null,
            new: Value::Null,
            outcome: Outcome::Refused,
        })
    })
}
