//! What is replaced or ended is kept: earlier versions of a payment, and roles, memberships, ownerships and associates as they were known at a moment. REST
//! shows the present.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::StreamExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::support::fixtures::{Other, Payment, account, actor, iban, with};
use crate::support::{Engine, Ids, Server, tests};

tests![both: a_replaced_payment_keeps_each_version, a_version_stays_where_it_was_when_its_payment_moves, links_are_shown_as_they_were_known,
    whatever_comes_each_moment_is_what_the_model_says];

/// How many sequences are tried, unless the environment says.
const SEQUENCES: u64 = 24;
const HOW_MANY: &str = "AMLGRAPH_TEST_HISTORIES";
/// So many go on side by side.
const AT_ONCE: usize = 6;
const STEPS: usize = 14;

/// A moment after all that was answered so far, and before all that is asked next.
async fn moment() -> DateTime<Utc> {
    tokio::time::sleep(Duration::from_millis(3)).await;
    let now = Utc::now();
    tokio::time::sleep(Duration::from_millis(3)).await;
    now
}

fn written(at: DateTime<Utc>) -> Value {
    json!(at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().and_then(|text| text.parse().ok()).expect("a time")
}

const VERSIONS: &str = "query($id: ID!) { transaction(id: $id) { amount sender { id } history(first: 50) { totalCount edges { node {
    amount currency status direction createdAt knownFrom knownUntil accountId ownerId senderId receiverId account { id } owner { id }
    record { id amount { value } } } } } } }";

async fn a_replaced_payment_keeps_each_version(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let of = |name: &str| ids.of(name);
    let payment = |from: &str, to: &str, amount: &str| Payment::new(of("payment"), of(from), of(to)).amount(amount);
    // Amounts, both ends, and how it was reported; the last says again what the second has said.
    let sent = [
        payment("a", "b", "10.00"),
        Payment { status: "PENDING", ..payment("a", "c", "20.50") },
        Payment { direction: "INBOUND", ..payment("b", "a", "30.00") },
        Payment { status: "PENDING", ..payment("a", "c", "20.50") },
    ];
    let began = moment().await;
    for (at, payment) in sent.iter().enumerate() {
        // Word for word again is no other version.
        for _ in 0..2 {
            server.post("/api/v2/transactions", payment.text()).await.expect(200);
        }
        moment().await;
        assert_eq!(server.get(&format!("/api/v2/transactions/{}", payment.id)).await.expect(200).text, payment.text(), "REST shows the present");
        let data = server.graphql(VERSIONS, json!({"id": payment.id})).await;
        let history = &data["transaction"]["history"];
        assert_eq!(data["transaction"]["amount"], json!(payment.amount.trim_end_matches('0').trim_end_matches('.')), "{data:#}");
        assert_eq!(history["totalCount"], json!(at), "{data:#}");
        let mut next = Utc::now();
        for (edge, former) in history["edges"].as_array().expect("edges").iter().zip(sent[..at].iter().rev()) {
            let version = &edge["node"];
            let (sender, receiver) = match former.direction {
                "INBOUND" => (of("a"), of("b")),
                _ => (former.account.clone(), if former.amount == "10.00" { of("b") } else { of("c") }),
            };
            for (field, wanted) in [
                ("currency", json!("EUR")),
                ("status", json!(former.status)),
                ("direction", json!(former.direction)),
                ("accountId", json!(former.account)),
                ("ownerId", json!(former.owner)),
                ("senderId", json!(sender)),
                ("receiverId", json!(receiver)),
                ("account", json!({"id": former.account})),
                ("owner", json!({"id": former.owner})),
            ] {
                assert_eq!(version[field], wanted, "{field}: {version:#}");
            }
            assert_eq!(version["amount"].as_str().and_then(|text| text.parse::<f64>().ok()), former.amount.parse().ok(), "{version:#}");
            assert_eq!(version["record"]["id"], json!(former.id));
            let (from, until) = (time(&version["knownFrom"]), time(&version["knownUntil"]));
            assert!(began <= from && from <= until && until <= next, "{history:#}");
            next = from;
        }
        let edges = history["edges"].as_array().expect("edges");
        assert!(edges.windows(2).all(|pair| pair[0]["node"]["knownFrom"] == pair[1]["node"]["knownUntil"]), "no moment is between two: {history:#}");
    }
    // A page at a time, from the latest to the first.
    let page = "query($id: ID!, $after: String) { transaction(id: $id) { history(first: 2, after: $after) {
        pageInfo { hasNextPage endCursor } edges { node { amount } } } } }";
    let first = server.graphql(page, json!({"id": of("payment")})).await["transaction"]["history"].take();
    let last = server.graphql(page, json!({"id": of("payment"), "after": first["pageInfo"]["endCursor"]})).await["transaction"]["history"].take();
    assert_eq!(first["edges"], json!([{"node": {"amount": "30"}}, {"node": {"amount": "20.5"}}]));
    assert_eq!((&last["edges"], &last["pageInfo"]["hasNextPage"]), (&json!([{"node": {"amount": "10"}}]), &json!(false)));
    // What each has changed is what differs from the one before it, which it leads to.
    let changed = "query($id: ID!) { transaction(id: $id) { changes { path }
        history(first: 9) { nodes { nodeId changes { path } previous { nodeId } } } } }";
    let present = server.graphql(changed, json!({"id": of("payment")})).await["transaction"].take();
    let versions = present["history"]["nodes"].as_array().expect("nodes");
    for (node, to) in [&present].into_iter().chain(versions).zip((0..sent.len()).rev()) {
        let wanted = to.checked_sub(1).map(|before| differing(&sent[before], &sent[to])).unwrap_or_default();
        let paths = node["changes"].as_array().expect("changes").iter().filter_map(|change| change["path"].as_str()?.split('/').nth(1));
        assert_eq!(paths.map(str::to_owned).collect::<BTreeSet<_>>(), wanted, "{to}: {present:#}");
    }
    assert!(versions.windows(2).all(|pair| pair[0]["previous"]["nodeId"] == pair[1]["nodeId"]), "{present:#}");
    assert_eq!(versions.last().expect("the first")["previous"], Value::Null);
    // To everything else a version is no payment.
    let counted = "query($id: ID!) { account(id: $id) { transactions { totalCount } } }";
    for (name, count) in [("a", 1), ("b", 0), ("c", 1)] {
        assert_eq!(server.graphql(counted, json!({"id": of(name)})).await["account"]["transactions"]["totalCount"], json!(count), "{name}");
    }
    versions_of_one_moment_have_an_order(&server, &of("fast")).await;
}

/// Records that come within a millisecond are known one after another all the same.
async fn versions_of_one_moment_have_an_order(server: &Server, id: &str) {
    let payments = (1..=8).map(|amount| Payment::new(id, format!("{id}-from"), format!("{id}-to")).amount(format!("{amount}.00")).text());
    for sent in futures::future::join_all(payments.map(|payment| server.post("/api/v2/transactions", payment))).await {
        sent.expect(200);
    }
    let query = "query($id: ID!) { transaction(id: $id) { recordedAt
        history(first: 9) { nodes { nodeId knownFrom knownUntil previous { nodeId } } } } }";
    let shown = server.graphql(query, json!({"id": id})).await["transaction"].take();
    let versions = shown["history"]["nodes"].as_array().expect("versions");
    assert_eq!(versions.len(), 7, "{shown:#}");
    let mut next = time(&shown["recordedAt"]);
    for version in versions {
        assert_eq!(time(&version["knownUntil"]), next, "{shown:#}");
        next = time(&version["knownFrom"]);
        assert!(next < time(&version["knownUntil"]), "{shown:#}");
    }
    assert!(versions.windows(2).all(|pair| pair[0]["previous"]["nodeId"] == pair[1]["nodeId"]), "{shown:#}");
}

/// The fields in which two records of a payment differ.
fn differing(one: &Payment, other: &Payment) -> BTreeSet<String> {
    let [one, other] = [one, other].map(|payment| serde_json::from_str::<Value>(&payment.text()).expect("JSON"));
    let fields = other.as_object().expect("an object").keys();
    fields.filter(|field| one[field.as_str()] != other[field.as_str()]).cloned().collect()
}

/// The payee is somebody else's account until the account with that number comes: the payment moves there. That is no other version, and what was known
/// before stays as it was known.
async fn a_version_stays_where_it_was_when_its_payment_moves(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let number = iban(&format!("{:018}", rand::random::<u64>() % 10_u64.pow(18)));
    let payment =
        |amount: &str| Payment { other: Other::Iban(number.clone()), ..Payment::new(ids.of("payment"), ids.of("payer"), "").amount(amount) };
    let query = "query($id: ID!) { transaction(id: $id) { receiver { id } history { edges { node { amount receiverId } } } } }";
    let shown = async || server.graphql(query, json!({"id": ids.of("payment")})).await["transaction"].take();
    for amount in ["1.00", "2.00"] {
        server.post("/api/v2/transactions", payment(amount).text()).await.expect(200);
    }
    let outside = shown().await["receiver"]["id"].take();
    assert!(outside.as_str().is_some_and(|id| id.starts_with("external:")), "{outside}");
    server.post("/api/accounts", with(account(&ids.of("payee")), json!({"iban": number})).to_string()).await.expect(200);
    server.post("/api/v2/transactions", payment("3.00").text()).await.expect(200);
    let payment = shown().await;
    assert_eq!(payment["receiver"]["id"], json!(ids.of("payee")), "{payment:#}");
    let edges = &payment["history"]["edges"];
    assert_eq!(edges[0]["node"], json!({"amount": "2", "receiverId": ids.of("payee")}), "it had moved: {edges:#}");
    assert_eq!(edges[1]["node"], json!({"amount": "1", "receiverId": outside}), "{edges:#}");
}

/// Everything that has a past, of an actor, an account, a group and the other actor, as it was known at a moment, or as it is.
const LINKS: &str = "query($actor: ID!, $other: ID!, $account: ID!, $group: ID!, $at: DateTime) {
    actor(id: $actor) {
      accounts(asOf: $at) { totalCount edges { role since until node { id } } }
      associates(asOf: $at) { totalCount edges { type ratio since until node { id } } }
      segmentationGroups(asOf: $at) { totalCount edges { since until node { id } } }
      ownedGroups(asOf: $at) { totalCount edges { since until node { id } } } }
    other: actor(id: $other) { associateOf(asOf: $at) { edges { type ratio since until node { id } } } }
    account(id: $account) { actors(asOf: $at) { edges { role since until node { id } } } }
    segmentationGroup(id: $group) {
      actors(asOf: $at) { edges { since until node { id } } }
      owners(asOf: $at) { edges { since until node { id } } } } }";

/// Takes the times of links out of an answer: each says that the link was there at the moment, and of the present that it goes on.
fn take_times(answer: &mut Value, at: Option<DateTime<Utc>>) {
    match answer {
        Value::Array(items) => items.iter_mut().for_each(|item| take_times(item, at)),
        Value::Object(fields) => {
            if let Some((since, until)) = fields.remove("since").zip(fields.remove("until")) {
                let goes_on = until.is_null();
                let is_there = at.map_or(goes_on, |at| time(&since) <= at && (goes_on || at < time(&until)));
                assert!(is_there && time(&since) <= Utc::now(), "from {since} until {until}, at {at:?}");
            }
            fields.values_mut().for_each(|value| take_times(value, at));
        }
        _ => {}
    }
}

/// An actor, its account and its group, and another actor.
struct Linked<'a> {
    server: &'a Server,
    ids: Ids,
    group: String,
}

/// What is there of its links: the model.
#[derive(Debug, Clone, Default, PartialEq)]
struct Links {
    roles: Vec<&'static str>,
    is_member: bool,
    is_owner: bool,
    investor: Option<f64>,
    guarantor: Option<f64>,
}

const ROLES: [&str; 2] = ["OWNER", "SIGNER"];

/// What changes them.
#[derive(Debug, Clone, Copy)]
enum Change {
    Give(&'static str),
    RemoveRoles,
    Join,
    Leave,
    Own,
    Disown,
    Invest(f64),
    Guarantee(f64),
}

impl<'a> Linked<'a> {
    async fn new(server: &'a Server) -> Self {
        let ids = Ids::new();
        for name in ["actor", "other"] {
            server.post("/api/actors", actor(&ids.of(name)).to_string()).await.expect(200);
        }
        server.post("/api/accounts", account(&ids.of("account")).to_string()).await.expect(200);
        let made = |path: &'static str, body: Value| async move { server.post(path, body.to_string()).await.expect(200).json()["id"].take() };
        let category = made("/api/segmentation/categories", json!({"name": ids.of("category")})).await;
        let group = made("/api/segmentation/groups", json!({"category_id": category, "name": ids.of("group")})).await;
        Self { server, group: group.as_str().expect("an id").to_owned(), ids }
    }

    fn of(&self, name: &str) -> String {
        self.ids.of(name)
    }

    /// Makes a change, and makes it in the model, which says what the answer is.
    async fn make(&self, change: Change, links: &mut Links) {
        let roles = format!("/api/accounts/{}/actors", self.of("account"));
        let members = format!("/api/segmentation/groups/{}/actors", self.group);
        let owner = format!("/api/segmentation/groups/{}/owners/{}", self.group, self.of("actor"));
        let associates = format!("/api/actors/{}/associates", self.of("actor"));
        let associate = |kind: &str, ratio: f64| json!({"actorAssociates": [{"id": self.of("other"), "type": kind, "ratio": ratio}]});
        let (method, path, body, status) = match change {
            Change::Give(role) => {
                links.roles.extend((!links.roles.contains(&role)).then_some(role));
                links.roles.sort_unstable();
                ("POST", roles, json!({"actors": [{"id": self.of("actor"), "role": role}]}), 200)
            }
            Change::RemoveRoles => {
                let status = if std::mem::take(&mut links.roles).is_empty() { 404 } else { 200 };
                ("DELETE", format!("{roles}/{}", self.of("actor")), Value::Null, status)
            }
            Change::Join | Change::Leave => {
                links.is_member = matches!(change, Change::Join);
                (if links.is_member { "POST" } else { "DELETE" }, members, json!([self.of("actor")]), 200)
            }
            Change::Own => {
                links.is_owner = true;
                ("PUT", owner, Value::Null, 200)
            }
            Change::Disown => {
                let status = if std::mem::take(&mut links.is_owner) { 200 } else { 404 };
                ("DELETE", owner, Value::Null, status)
            }
            Change::Invest(ratio) => {
                links.investor = Some(ratio);
                ("POST", associates, associate("INVESTOR", ratio), 200)
            }
            Change::Guarantee(ratio) => {
                links.guarantor = Some(ratio);
                ("POST", associates, associate("GUARANTOR", ratio), 200)
            }
        };
        let request = match &body {
            Value::Null if method == "DELETE" => self.server.request(method, &path),
            Value::Null => self.server.sending(method, &path, ""),
            body => self.server.sending(method, &path, body.to_string()),
        };
        self.server.send(request).await.expect(status);
    }

    /// What GraphQL is to answer where the links are these.
    fn wanted(&self, links: &Links) -> Value {
        let edges = |edges: Vec<Value>| json!({"edges": edges});
        let counted = |edges: Vec<Value>| json!({"totalCount": edges.len(), "edges": edges});
        let with_role = |id: &str| links.roles.iter().map(|role| json!({"role": role, "node": {"id": self.of(id)}})).collect::<Vec<_>>();
        let associates = |id: &str| {
            let kinds = [("GUARANTOR", links.guarantor), ("INVESTOR", links.investor)];
            let edge = |(kind, ratio): (&str, Option<f64>)| Some(json!({"type": kind, "ratio": ratio?, "node": {"id": self.of(id)}}));
            kinds.into_iter().filter_map(edge).collect::<Vec<_>>()
        };
        let there = |is_there: bool, id: &str| is_there.then(|| json!({"node": {"id": id}})).into_iter().collect::<Vec<_>>();
        json!({
            "actor": {
                "accounts": counted(with_role("account")),
                "associates": counted(associates("other")),
                "segmentationGroups": counted(there(links.is_member, &self.group)),
                "ownedGroups": counted(there(links.is_owner, &self.group)),
            },
            "other": {"associateOf": edges(associates("actor"))},
            "account": {"actors": edges(with_role("actor"))},
            "segmentationGroup": {
                "actors": edges(there(links.is_member, &self.of("actor"))),
                "owners": edges(there(links.is_owner, &self.of("actor"))),
            },
        })
    }

    async fn links(&self, at: Option<DateTime<Utc>>) -> Value {
        let moment = at.map(written);
        let variables =
            json!({"actor": self.of("actor"), "other": self.of("other"), "account": self.of("account"), "group": self.group, "at": moment});
        let mut answer = self.server.graphql(LINKS, variables).await;
        take_times(&mut answer, at);
        answer
    }

    /// The links at every moment, and as they are.
    async fn check(&self, known: &[(DateTime<Utc>, Links)], said: &str) {
        for (at, links) in known {
            assert_eq!(self.links(Some(*at)).await, self.wanted(links), "at {at} of {known:#?}\n{said}");
        }
        let (_, last) = known.last().expect("a moment");
        assert_eq!(self.links(None).await, self.wanted(last), "the present: {said}");
        let members = self.server.get(&format!("/api/segmentation/groups/{}/actors", self.group)).await.expect(200).json();
        let ids = if last.is_member { json!([self.of("actor")]) } else { json!([]) };
        assert_eq!(members["actor_ids"], ids, "REST shows the present: {members}");
    }
}

async fn links_are_shown_as_they_were_known(engine: Engine) {
    use Change::{Disown, Give, Guarantee, Invest, Join, Leave, Own, RemoveRoles};
    let server = Server::shared(engine);
    let table: [(&str, &[Change]); 6] = [
        ("a role is removed and given again, twice", &[Give("OWNER"), RemoveRoles, Give("OWNER"), RemoveRoles, Give("OWNER")]),
        ("a role that is given again has not ended", &[Give("OWNER"), Give("OWNER"), Give("SIGNER"), RemoveRoles, RemoveRoles, Give("SIGNER")]),
        ("a membership is ended, and there again", &[Join, Join, Leave, Leave, Join]),
        ("an ownership is ended, and there again", &[Own, Own, Disown, Disown, Own, Disown]),
        ("an associate is replaced", &[Invest(0.25), Invest(0.25), Invest(0.5), Guarantee(0.5), Invest(0.25)]),
        ("all of them", &[Give("OWNER"), Join, Own, Invest(0.5), RemoveRoles, Leave, Disown, Invest(0.75)]),
    ];
    for (said, changes) in table {
        let linked = Linked::new(&server).await;
        let mut links = Links::default();
        let mut known = vec![(moment().await, links.clone())];
        for change in changes {
            linked.make(*change, &mut links).await;
            known.push((moment().await, links.clone()));
        }
        linked.check(&known, said).await;
    }
}

/// Random changes of everything that has a past.
async fn whatever_comes_each_moment_is_what_the_model_says(engine: Engine) {
    let server = Server::shared(engine);
    let count = std::env::var(HOW_MANY).ok().and_then(|text| text.parse().ok()).unwrap_or(SEQUENCES);
    let first = if std::env::var(HOW_MANY).is_ok() { rand::random::<u32>().into() } else { 0 };
    let runs = (first..first + count).map(|seed| random_sequence(&server, seed));
    futures::stream::iter(runs).buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
}

async fn random_sequence(server: &Server, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let linked = Linked::new(server).await;
    let (mut links, mut amount) = (Links::default(), None);
    let mut known = vec![(moment().await, links.clone())];
    let mut amounts = vec![(known[0].0, amount)];
    let mut said = format!("seed {seed}:");
    for _ in 0..STEPS {
        // Some come one right after another, and only what is there at the end of them is looked at.
        for _ in 0..random.random_range(1..=2) {
            if random.random_ratio(1, 4) {
                let value = random.random_range(1..=3_u32);
                amount = Some(value);
                let payment = Payment::new(linked.of("payment"), linked.of("account"), linked.of("payee")).amount(format!("{value}.00"));
                server.post("/api/v2/transactions", payment.text()).await.expect(200);
                said += &format!(" pay {value}");
                continue;
            }
            let ratio = [0.25, 0.5].choose(&mut random).copied().expect("one");
            let role = ROLES.choose(&mut random).copied().expect("one");
            let changes = [
                Change::Give(role),
                Change::RemoveRoles,
                Change::Join,
                Change::Leave,
                Change::Own,
                Change::Disown,
                Change::Invest(ratio),
                Change::Guarantee(ratio),
            ];
            let change = changes.choose(&mut random).copied().expect("one");
            said += &format!(" {change:?}");
            linked.make(change, &mut links).await;
        }
        let now = moment().await;
        known.push((now, links.clone()));
        amounts.push((now, amount));
    }
    linked.check(&known, &said).await;
    let data = server.graphql(VERSIONS, json!({"id": linked.of("payment")})).await;
    for (at, amount) in amounts {
        let wanted = amount.map(|amount| json!(amount.to_string())).unwrap_or_default();
        assert_eq!(amount_at(&data["transaction"], at, amount.is_some()), wanted, "at {at}: {said}\n{data:#}");
    }
}

/// What a payment's amount was known to be at a moment; `had_come`: whether it was there then.
fn amount_at(transaction: &Value, at: DateTime<Utc>, had_come: bool) -> Value {
    let versions = || transaction["history"]["edges"].as_array().into_iter().flatten().map(|edge| &edge["node"]);
    let at_that_time: Vec<&Value> = versions().filter(|version| time(&version["knownFrom"]) <= at && at < time(&version["knownUntil"])).collect();
    assert!(at_that_time.len() <= 1, "two at once: {transaction:#}");
    let is_behind_all = versions().all(|version| time(&version["knownUntil"]) <= at);
    match at_that_time.first() {
        Some(version) => version["amount"].clone(),
        None if is_behind_all && had_come => transaction["amount"].clone(),
        None => Value::Null,
    }
}
