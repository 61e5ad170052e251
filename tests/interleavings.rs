//! However versions of a record are sent, one after another (single, in bulk, by an import, waiting for what they name or not), and whatever is taken away
//! in between: the present is what a model of a few lines says.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

use crate::present_version::left;
use crate::support::fixtures::{account, actor, case_id, with};
use crate::support::observations::observation;
use crate::support::{Api, Engine, Ids, Server, Store, import, tests};

tests![both: the_present_is_what_the_model_says];

/// How many are tried, unless the environment says.
const INTERLEAVINGS: u64 = 200;
const HOW_MANY: &str = "AMLGRAPH_TEST_INTERLEAVINGS";
/// So many go on side by side: then there is always something in the queue.
const AT_ONCE: usize = 24;
const SOON: Duration = Duration::from_secs(300);
const DATES: [&str; 3] = ["2024-01-01", "2024-02-01", "2024-03-01"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Payment,
    Actor,
    Account,
    Role,
    Member,
    Observation,
    /// A field of a case.
    Field,
    Communication,
}

const KINDS: [Kind; 8] = [Kind::Payment, Kind::Actor, Kind::Account, Kind::Role, Kind::Member, Kind::Observation, Kind::Field, Kind::Communication];

impl Kind {
    fn is_dated(self) -> bool {
        matches!(self, Kind::Actor | Kind::Account | Kind::Role)
    }

    fn can_be_removed(self) -> bool {
        matches!(self, Kind::Role | Kind::Member)
    }

    fn can_wait(self) -> bool {
        matches!(self, Kind::Payment | Kind::Observation | Kind::Field | Kind::Communication)
    }
}

/// A version that was acknowledged, or a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    kind: Kind,
    version: u32,
    date: &'static str,
    /// It names what comes later.
    waits: bool,
    removes: bool,
}

impl Step {
    /// The list of a request that has it. A communication that waits is described by a case, which names what comes later.
    fn list(self) -> &'static str {
        match self.kind {
            Kind::Payment => "transactions",
            Kind::Actor => "actors",
            Kind::Account => "accounts",
            Kind::Role => "account_actors",
            Kind::Member => "actor_segmentation_groups",
            Kind::Observation => "observations",
            Kind::Communication if !self.waits => "communications",
            Kind::Field | Kind::Communication => "cases",
        }
    }

    /// Whether it stands behind the items of all other lists of its request, wherever that has its list.
    fn is_in_last_list(self) -> bool {
        self.list() == "cases"
    }
}

/// The model: of what was acknowledged of one thing, in that order, the present is the last of the latest date, unless everything was taken away after it.
fn present(acknowledged: &[Step]) -> Option<Step> {
    let last_removal = acknowledged.iter().rposition(|step| step.removes);
    let versions = acknowledged.iter().enumerate().filter(|(_, step)| !step.removes);
    let (at, latest) = versions.max_by_key(|(at, step)| (if step.kind.is_dated() { step.date } else { "" }, *at))?;
    last_removal.is_none_or(|removal| removal < at).then_some(*latest)
}

/// How a step is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Single,
    Bulk,
    Import,
}

/// One interleaving: things of its own, what was acknowledged of them, and what has not come yet.
struct Interleaving<'a> {
    server: &'a Server,
    ids: Ids,
    group: &'a str,
    case: String,
    /// The id of the communication.
    letter: String,
    acknowledged: Vec<Step>,
    /// The names of its bulk requests; the command gives its own names.
    requests: Vec<String>,
    /// Versions that wait, by their kind and number.
    awaited: Vec<(Kind, u32)>,
    random: StdRng,
}

impl Interleaving<'_> {
    fn of(&self, name: &str) -> String {
        self.ids.of(name)
    }

    /// Up to five versions of each, some sent again word for word, some removals, in any order.
    fn plan(&mut self) -> Vec<(Step, Way)> {
        let mut plan = Vec::new();
        for kind in KINDS {
            let versions = self.random.random_range(1..=5);
            let mut steps: Vec<Step> = Vec::new();
            for version in 1..=versions {
                let date = DATES[self.random.random_range(0..DATES.len())];
                steps.push(Step { kind, version, date, waits: kind.can_wait() && self.random.random_bool(0.3), removes: false });
                if self.random.random_bool(0.2) {
                    steps.push(*steps.choose(&mut self.random).expect("one"));
                }
                if kind.can_be_removed() && self.random.random_bool(0.4) {
                    steps.push(Step { kind, version, date, waits: false, removes: true });
                }
            }
            plan.extend(steps);
        }
        plan.shuffle(&mut self.random);
        plan.into_iter().map(|step| (step, self.way_of(step))).collect()
    }

    fn way_of(&mut self, step: Step) -> Way {
        match self.random.random_range(0..20) {
            _ if step.removes => Way::Single,
            _ if step.waits => Way::Bulk,
            0..10 => Way::Single,
            19 if self.random.random_bool(0.2) => Way::Import,
            _ => Way::Bulk,
        }
    }

    async fn run(&mut self) {
        for known in ["holder", "known"] {
            self.posted("/api/actors", actor(&self.of(known))).await;
        }
        self.posted("/api/cases", json!({"id": self.case})).await;
        let plan = self.plan();
        let mut left = &plan[..];
        while let Some((step, way)) = left.first() {
            let mut count = 1;
            match way {
                Way::Single => self.single(*step).await,
                Way::Import => self.import(*step).await,
                Way::Bulk => {
                    let most = self.random.random_range(1..=4);
                    count = left.iter().take(most).take_while(|(_, way)| *way == Way::Bulk).count();
                    self.bulk(&left[..count]).await;
                }
            }
            left = &left[count..];
            if self.random.random_bool(0.15) {
                self.something_arrives().await;
            }
            if self.random.random_bool(0.1) {
                tokio::time::sleep(Duration::from_millis(self.random.random_range(1..200))).await;
            }
        }
        while !self.awaited.is_empty() {
            self.something_arrives().await;
        }
    }

    /// Asks for a change, again where a busy database was too slow for it: by the same key, so that what was done after all is answered as such.
    async fn asked(&self, method: &str, path: &str, body: Value) -> u16 {
        let key = Ids::new().0;
        for _ in 0..10 {
            let request = match &body {
                Value::Null => self.server.request(method, path),
                body => self.server.sending(method, path, body.to_string()),
            };
            let status = self.server.send(request.header("idempotency-key", &key)).await.status;
            if ![409, 503].contains(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        503
    }

    async fn posted(&self, path: &str, body: Value) {
        assert_eq!(self.asked("POST", path, body).await, 200, "{path}");
    }

    async fn something_arrives(&mut self) {
        let Some(at) = (0..self.awaited.len()).collect::<Vec<_>>().choose(&mut self.random).copied() else { return };
        let (kind, version) = self.awaited.swap_remove(at);
        let id = self.of(&late(kind, version));
        match kind {
            Kind::Field | Kind::Communication => self.posted("/api/observations", observation(&id)).await,
            Kind::Payment => self.posted("/api/channel_locations", json!({"id": id, "type": "ATM", "address": {"city": "Berlin"}})).await,
            _ => self.posted("/api/actors", actor(&id)).await,
        }
    }

    async fn single(&mut self, step: Step) {
        let Step { kind, version, date, removes, .. } = step;
        let (name, of) = (format!("v{version}"), |name: &str| self.ids.of(name));
        let members = format!("/api/segmentation/groups/{}/actors", self.group);
        let roles = format!("/api/accounts/{}/actors", of("k"));
        match kind {
            Kind::Role if removes => {
                // Where there is none yet, nothing is removed.
                let status = self.asked("DELETE", &format!("{roles}/{}", of("holder")), Value::Null).await;
                assert!([200, 404].contains(&status), "{status}");
                if status == 404 {
                    return;
                }
            }
            Kind::Member if removes => {
                assert_eq!(self.asked("DELETE", &members, json!([of("holder")])).await, 200);
            }
            Kind::Payment => self.posted("/api/v2/transactions", payment(&self.ids, "object", json!(1_718_280_000), step)).await,
            Kind::Actor => self.posted("/api/actors", with(actor(&of("a")), json!({"asOfDate": date, "name": name}))).await,
            Kind::Account => self.posted("/api/accounts", with(account(&of("b")), json!({"asOfDate": date, "name": name}))).await,
            Kind::Role => self.posted(&roles, json!({"asOfDate": date, "actors": [{"id": of("holder"), "role": "OWNER"}]})).await,
            Kind::Member => self.posted(&members, json!([of("holder")])).await,
            Kind::Observation => {
                let body = json!({"id": of("o"), "type": "ALERT_RULE", "behaviorId": name, "behaviorName": "x", "date": 1_718_280_000,
                    "actors": [{"actorId": of("known")}]});
                self.posted("/api/observations", body).await;
            }
            Kind::Field => {
                let field = json!({"c__x": version});
                assert_eq!(self.asked("PATCH", &format!("/api/cases/{}", self.case), field).await, 200);
            }
            Kind::Communication => {
                let body = json!({"id": self.letter, "type": "email", "sender_id": "s", "receiver_id": "r", "subject": name});
                self.posted(&format!("/api/cases/{}/communications", self.case), body).await;
            }
        }
        self.acknowledged.push(step);
    }

    /// A version as an item of its list.
    fn item(&self, step: Step) -> Value {
        let Step { kind, version, date, waits, .. } = step;
        let (name, of) = (format!("v{version}"), |name: &str| self.ids.of(name));
        let late = waits.then(|| of(&late(kind, version)));
        match kind {
            Kind::Payment => payment(&self.ids, "type", json!("2024-06-13T12:00:00Z"), step),
            Kind::Actor => json!({"id": of("a"), "type": "INDIVIDUAL", "as_of_date": date, "name": name}),
            Kind::Account => json!({"id": of("b"), "account_type": "CURRENT", "as_of_date": date, "name": name}),
            Kind::Role => json!({"account_id": of("k"), "actor_id": of("holder"), "actor_role": "OWNER", "as_of_date": date}),
            Kind::Member => json!({"actor_id": of("holder"), "group_id": self.group}),
            Kind::Observation => {
                let actors: Vec<String> = [of("known")].into_iter().chain(late).collect();
                json!({"id": of("o"), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": name, "actor_ids": actors})
            }
            Kind::Field => json!({"id": self.case, "c__x": version, "observation_ids": late.into_iter().collect::<Vec<_>>()}),
            Kind::Communication if waits => {
                json!({"id": self.case, "communications": [{"communication_id": self.letter, "subject": name}], "observation_ids": [late]})
            }
            Kind::Communication => json!({"id": self.letter, "type": "email", "subject": name}),
        }
    }

    async fn bulk(&mut self, steps: &[(Step, Way)]) {
        let mut lists: Map<String, Value> = Map::new();
        for (step, _) in steps {
            let list = lists.entry(step.list()).or_insert_with(|| json!([]));
            list.as_array_mut().expect("an array").push(self.item(*step));
            if step.waits {
                self.awaited.push((step.kind, step.version));
            }
        }
        let request = self.of(&format!("r{}", self.requests.len()));
        let mut status = 0;
        for _ in 0..10 {
            let sending = self.server.posting("/api/bulk", Value::Object(lists.clone()).to_string()).header("x-request-id", &request);
            status = self.server.send(sending).await.status;
            if ![409, 503].contains(&status) {
                break;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(status, 202);
        self.requests.push(request);
        let mut taken: Vec<Step> = steps.iter().map(|(step, _)| *step).collect();
        taken.sort_by_key(|step| step.is_in_last_list());
        self.acknowledged.extend(taken);
    }

    /// By the command, which sends it in bulk and does not wait for what waits.
    async fn import(&mut self, step: Step) {
        let folder = import::folder(&[(step.list(), vec![self.item(step)])]);
        let (api, key) = (self.server.client(), self.server.key());
        let (summary, output) = tokio::task::spawn_blocking(move || import::to_server(&folder, &api, key)).await.expect("it ends");
        assert!(output.status.success(), "{summary}");
        self.acknowledged.push(step);
    }

    /// Forgets the requests that are done; whether all are, and what was imported waits no more behind what waited.
    async fn is_done(&mut self) -> bool {
        while let Some(request) = self.requests.last() {
            if left(self.server, request).await > 0 {
                return false;
            }
            self.requests.pop();
        }
        let waiting = "query($t: ID!, $o: ID!, $case: ID!) {
            t: bulkItems(filter: {subject: $t, state: DEFERRED}) { totalCount }
            o: bulkItems(filter: {subject: $o, state: DEFERRED}) { totalCount }
            case: bulkItems(filter: {subject: $case, state: DEFERRED}) { totalCount } }";
        let found = self.server.graphql(waiting, json!({"t": self.of("t"), "o": self.of("o"), "case": self.case})).await;
        ["t", "o", "case"].iter().all(|of| found[of]["totalCount"] == 0)
    }

    /// What the model says of a kind: its version, and what follows from that.
    fn wanted(&self, kind: Kind) -> Value {
        let steps: Vec<Step> = self.acknowledged.iter().copied().filter(|step| step.kind == kind).collect();
        let Some(step) = present(&steps) else { return Value::Null };
        let awaited = |step: &Step| self.of(&late(step.kind, step.version));
        let (name, late) = (format!("v{}", step.version), step.waits.then(|| awaited(&step)));
        match kind {
            Kind::Payment if is_counted(step) => json!([step.version, late, [{"count": 1, "total": step.version.to_string()}]]),
            Kind::Payment => json!([step.version, late, []]),
            Kind::Actor => json!([name, step.date]),
            Kind::Account => json!(name),
            Kind::Role => json!(step.date),
            Kind::Member => json!(true),
            Kind::Observation => {
                let mut actors: Vec<String> = [self.of("known")].into_iter().chain(late).collect();
                actors.sort();
                json!([name, actors])
            }
            // Whichever version is the present, what each has named is linked.
            Kind::Field => {
                let waited = self.acknowledged.iter().filter(|step| step.waits && matches!(step.kind, Kind::Field | Kind::Communication));
                let observations: BTreeSet<String> = waited.map(awaited).collect();
                json!([step.version, observations])
            }
            Kind::Communication => json!(name),
        }
    }

    async fn found(&self, kind: Kind) -> Value {
        let api: &Api = self.server;
        let (of, id) = (|name: &str| self.ids.of(name), |name: &str| json!({"id": self.ids.of(name)}));
        match kind {
            Kind::Payment => {
                let answer = api.get(&format!("/api/v2/transactions/{}", of("t"))).await;
                let shown = if answer.status == 404 { return Value::Null } else { answer.expect(200).json() };
                let paid = api.graphql("query($id: ID!) { account(id: $id) { transferredTo { edges { count total } } } }", id("payer")).await;
                let mut paid = paid["account"]["transferredTo"]["edges"].as_array().expect("a list").clone();
                paid.retain(|edge| edge["count"] != 0);
                json!([shown["amount"]["value"], shown["channel_location_id"], paid])
            }
            Kind::Actor => {
                let shown = api.get(&format!("/api/actors/{}", of("a"))).await.expect(200).json();
                json!([shown["name"], shown["asOfDate"]])
            }
            Kind::Account => {
                let shown = api.graphql("query($id: ID!) { account(id: $id) { name } }", id("b")).await;
                shown["account"]["name"].clone()
            }
            Kind::Role => {
                let shown = api.graphql("query($id: ID!) { account(id: $id) { actors { edges { asOfDate } } } }", id("k")).await;
                shown["account"]["actors"]["edges"][0]["asOfDate"].clone()
            }
            Kind::Member => {
                let query = "query($id: ID!) { actor(id: $id) { segmentationGroups { totalCount } } }";
                let shown = api.graphql(query, id("holder")).await;
                if shown["actor"]["segmentationGroups"]["totalCount"] == 0 { Value::Null } else { json!(true) }
            }
            Kind::Observation => {
                let shown = api.get(&format!("/api/observations/{}", of("o"))).await.expect(200).json();
                let actors: Vec<Value> = shown["actors"].as_array().expect("a list").iter().map(|actor| actor["actorId"].clone()).collect();
                json!([shown["behaviorId"], actors])
            }
            Kind::Field => {
                let shown = api.get(&format!("/api/cases/{}", self.case)).await.expect(200).json();
                let observations = shown["observations"].as_array().into_iter().flatten();
                let observations: BTreeSet<&str> = observations.filter_map(|observation| observation["id"].as_str()).collect();
                json!([shown["c__x"], observations])
            }
            Kind::Communication => {
                let shown = api.graphql("query($id: ID!) { communication(id: $id) { subject } }", json!({"id": self.letter})).await;
                shown["communication"]["subject"].clone()
            }
        }
    }
}

/// The name of what a version that waits names.
fn late(kind: Kind, version: u32) -> String {
    format!("late-{kind:?}-{version}")
}

/// Every third version is not completed, and counts for nothing.
fn is_counted(step: Step) -> bool {
    !step.version.is_multiple_of(3)
}

fn payment(ids: &Ids, object: &str, created_at: Value, step: Step) -> Value {
    let (value, status) = (step.version, if is_counted(step) { "COMPLETED" } else { "PENDING" });
    let mut payment = json!({"id": ids.of("t"), "account_id": ids.of("payer"), "account_owner_id": ids.of("owner"),
        "amount": {"value": value, "currency": "EUR"}, "standardized_amount": value, "counterparty": {object: "ACCOUNT_INFO", "id": ids.of("payee")},
        "created_at": created_at, "direction": "OUTBOUND", "status": status});
    if step.waits {
        payment["channel_location_id"] = json!(ids.of(&late(step.kind, value)));
    }
    payment
}

async fn group(server: &Server) -> String {
    let category = server.post("/api/segmentation/categories", json!({"name": Ids::new().of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": category["id"], "name": "group"}).to_string();
    server.post("/api/segmentation/groups", group).await.expect(200).json()["id"].as_str().expect("an id").to_owned()
}

async fn try_one(server: &Server, group: &str, seed: u64) -> Vec<String> {
    let (ids, random) = (Ids::new(), StdRng::seed_from_u64(seed));
    let mut run = Interleaving {
        server,
        ids,
        group,
        case: case_id(),
        letter: case_id(),
        acknowledged: Vec::new(),
        requests: Vec::new(),
        awaited: Vec::new(),
        random,
    };
    run.run().await;
    let started = Instant::now();
    while !run.is_done().await {
        assert!(started.elapsed() < SOON, "interleaving {seed} is not done: {:?}", run.acknowledged);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let mut wrong = Vec::new();
    for kind in KINDS {
        let (found, wanted) = (run.found(kind).await, run.wanted(kind));
        if found != wanted {
            let steps: Vec<&Step> = run.acknowledged.iter().filter(|step| step.kind == kind).collect();
            wrong.push(format!("interleaving {seed}: {found} instead of {wanted} after {steps:?}"));
        }
    }
    wrong
}

async fn the_present_is_what_the_model_says(engine: Engine) {
    // Of its own: nothing else waits in it.
    let server = Server::on(Store::private(engine));
    let group = group(&server).await;
    let count = std::env::var(HOW_MANY).map_or(INTERLEAVINGS, |count| count.parse().expect("a number"));
    let next = AtomicU64::new(0);
    let workers = (0..AT_ONCE).map(|_| async {
        let mut wrong = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= count {
                return wrong;
            }
            wrong.extend(try_one(&server, &group, seed).await);
        }
    });
    let tried = join_all(workers).await;
    let wrong: Vec<String> = tried.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
