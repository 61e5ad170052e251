//! Who asks: an analyst with a token, and others with keys. What was asked is noted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::documents::{self, Document};
use crate::support::{Api, Engine, Ids, Server};
use crate::users::Issuer;

/// The roles, each with one that may not do what it may, where there is such.
const LESSER: [(&str, &str); 4] = [("ANALYST", "INGEST"), ("SUPERVISOR", "INGEST"), ("AUDITOR", "ANALYST"), ("ADMIN", "SUPERVISOR")];

/// A server with those who work on it.
pub struct Desk {
    pub engine: Engine,
    pub server: Server,
    pub ids: Ids,
    /// The id of the analyst, who is a user.
    pub ada: String,
    by_role: BTreeMap<&'static str, Api>,
    documents: BTreeMap<String, Document>,
    /// Names of the documents that were sent.
    sent: Mutex<BTreeSet<String>>,
}

impl Desk {
    pub async fn opened(engine: Engine, server: Server, issuer: &Issuer) -> Self {
        let ids = issuer.ids.clone();
        let claims = json!({"sub": ids.of("ada"), "preferred_username": ids.of("ada"), "name": format!("Ada {}", ids.of("Byron")), "given_name": "Ada",
            "family_name": ids.of("Byron"), "groups": [ids.of("analysts")]});
        let token = issuer.token(claims);
        let mut by_role = BTreeMap::from([("ANALYST", server.with_token(&token)), ("ADMIN", server.client())]);
        for role in ["INGEST", "SUPERVISOR", "AUDITOR"] {
            let made = server.post("/admin/keys", json!({"role": role, "name": ids.of(role)}).to_string()).await.expect(201).json();
            by_role.insert(role, server.with_key(text(&made["key"])));
        }
        let viewer = by_role["ANALYST"].graphql("{ viewer { id } }", json!({})).await;
        let ada = text(&viewer["viewer"]["id"]).to_owned();
        Self { engine, server, ids, ada, by_role, documents: documents::all(), sent: Mutex::default() }
    }

    /// Whether nobody else writes to the store.
    pub fn is_alone(&self) -> bool {
        self.engine == Engine::Embedded
    }

    pub fn by(&self, role: &str) -> &Api {
        &self.by_role[role]
    }

    /// Who the analyst is, as payloads and screens name her.
    pub fn who(&self) -> Value {
        json!({"id": self.ada, "name": format!("Ada {}", self.ids.of("Byron")), "kind": "USER"})
    }

    /// A page of REST.
    pub async fn rest(&self, path: &str) -> Value {
        self.server.get(path).await.expect(200).json()
    }

    /// A case of REST.
    pub async fn case(&self, id: &str) -> Value {
        self.rest(&format!("/api/cases/{id}")).await
    }

    fn document(&self, name: &str) -> &Document {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        self.documents.get(name).unwrap_or_else(|| panic!("docs/screens has no {name}"))
    }

    /// The answer to the one request of a screen. It costs what the guide says; a lesser role is refused.
    pub async fn screen(&self, name: &str, variables: Value) -> Value {
        let Document { text, role } = self.document(name);
        let (_, lesser) = LESSER.into_iter().find(|(of, _)| of == role).unwrap_or_else(|| panic!("{name}: no role {role}"));
        let refused = self.by(lesser).graphql_in_time(text, variables.clone()).await;
        let codes: Vec<&Value> = refused["errors"].as_array().expect("errors").iter().map(|error| &error["extensions"]["code"]).collect();
        assert!(codes.contains(&&json!("FORBIDDEN")), "{name} by {lesser}: {refused}");
        let (data, cost) = self.by(role).graphql_with_cost(text, variables).await;
        let told = documents::told();
        assert_eq!(told.get(name), Some(&(role.clone(), cost)), "{name}: the table of docs/graphql.md has its role and cost");
        data
    }

    /// The payload of a mutation, when nothing speaks against it.
    pub async fn act(&self, name: &str, input: Value) -> Value {
        let Document { text, role } = self.document(name);
        let mut data = self.by(role).graphql(text, json!({"input": input})).await;
        let payload = data.as_object_mut().and_then(|data| data.values_mut().next()).expect("a payload").take();
        assert_eq!(payload["userErrors"], json!([]), "{name} {input}: {payload}");
        payload
    }

    /// The results of a mutation of several things, when nothing speaks against any.
    pub async fn act_on_each(&self, name: &str, input: Value) -> Vec<Value> {
        let mut payload = self.act(name, input).await;
        let results: Vec<Value> = payload["results"].as_array_mut().expect("results").iter_mut().map(Value::take).collect();
        assert!(results.iter().all(|result| result["userErrors"] == json!([])), "{name}: {results:?}");
        results
    }

    /// Each document of the folder was sent, and the guide's table has each screen.
    pub fn has_sent_all(&self) {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(*sent, self.documents.keys().cloned().collect());
        let screens: BTreeSet<String> = sent.iter().filter(|name| name.starts_with(|first: char| first.is_ascii_digit())).cloned().collect();
        assert_eq!(documents::told().into_keys().collect::<BTreeSet<String>>(), screens);
    }
}

#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text: {value}"))
}

#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

/// A value of REST that has an id, as a screen has the node: with its `nodeId`.
pub fn as_node(kind: &str, of_rest: &Value) -> Value {
    let mut node = of_rest.clone();
    node["nodeId"] = json!(format!("{kind}:{}", text(&of_rest["id"])));
    node
}

/// A number, also one that is written as text.
#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_str().map_or_else(|| value.as_f64(), |text| text.parse().ok()).unwrap_or_else(|| panic!("a number: {value}"))
}

/// Two numbers are the same, but for the last of their digits.
#[track_caller]
pub fn assert_near(shown: &Value, wanted: f64) {
    assert!((number(shown) - wanted).abs() < 0.001, "{shown} and {wanted}");
}

/// The values of a field of each item.
pub fn each<'a>(items: &'a Value, field: &str) -> Vec<&'a Value> {
    list(items).iter().map(|item| &item[field]).collect()
}

/// The item whose field has this value.
#[track_caller]
pub fn having<'a>(items: &'a Value, field: &str, wanted: &str) -> &'a Value {
    list(items).iter().find(|item| item[field] == wanted).unwrap_or_else(|| panic!("{field} {wanted} in {items}"))
}

/// The fields of a value that another has, so that they can be compared.
pub fn only(value: &Value, like: &Value) -> Value {
    like.as_object().expect("an object").keys().map(|name| (name.clone(), value[name].clone())).collect::<serde_json::Map<_, _>>().into()
}
