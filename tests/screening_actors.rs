//! Screening of actors: when they come or change, and all of them when a list changes; each once, whatever dies.
//!
//! Each test has a store to itself: a server of another test would do its jobs with other settings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::support::bulk::{bulk_actor, taken};
use crate::support::fixtures::{actor, with};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Api, Engine, Ids, Server, Store, command, eventually, jobs, tests};
use crate::watchlists::{import, start};

tests![both: an_actor_is_screened_when_it_comes_or_changes_and_not_else, who_comes_before_the_first_list_is_screened_by_it,
    actors_that_come_in_bulk_are_screened, hits_about_an_actor_are_one_case_where_the_settings_say_so, a_changed_list_screens_all_actors_by_what_has_changed,
    a_service_is_told_of_the_actor_and_asked_again, actors_that_wait_survive_a_kill, a_kill_between_import_and_screening_loses_nothing,
    nothing_is_kept_where_actors_are_not_screened, who_changes_while_being_screened_is_screened_again, all_actors_are_screened_when_somebody_asks_for_it,
    a_screening_of_all_actors_goes_on_after_a_kill];

const LISTS: (&str, &str) = ("AMLGRAPH_SCREENING__SANCTIONS", "watchlists");
const ACTORS: (&str, &str) = ("AMLGRAPH_SCREENING__ACTORS", "SANCTIONS");
const PATIENCE: (&str, &str) = ("AMLGRAPH_SCREENING__TIMEOUT", "8s");
const REQUEST: (&str, &str) = ("AMLGRAPH_LIMITS__REQUEST_TIME", "20s");
const SECRETS: (&str, &str) = ("AMLGRAPH_SCREENING__SECRETS", "acme=whsec_c2NyZWVuaW5nLXRlc3RzLXNpZ24tcmVxdWVzdHM=");
/// Longer than the lease of a worker that was killed.
const SOON: Duration = Duration::from_secs(180);
pub const HEADER: &str = "id,schema,name,aliases,birth_date,countries\n";
pub const LIST: &str = "id,schema,name,aliases,birth_date,countries\nQ1,Person,Ada Quill,A. Quilla,1952-12-03,mt\nQ2,Person,Orsolo Vantrek,,,\n";

/// A server that screens actors by the lists in its store.
pub fn screening(engine: Engine, more: &[(&'static str, &str)]) -> Server {
    let settings: Vec<(&'static str, &str)> = [LISTS, ACTORS, PATIENCE, REQUEST].into_iter().chain(more.iter().copied()).collect();
    Server::with(Store::private(engine), &settings)
}

pub async fn send(api: &Api, id: &str, more: Value) {
    api.post("/api/actors", with(actor(id), more).to_string()).await.expect(200);
}

/// Screenings of an actor, the latest first.
pub async fn screenings(api: &Api, actor: &str) -> Vec<Value> {
    let query = "query($id: ID!) { actor(id: $id) { screenings(first: 20) { edges { node { id operation providerName response score reason listVersions cleared
        actor { id } transaction { id } observations(first: 10) { edges { node { id type title dataSource
        actors(first: 5) { edges { primary node { id } } } } } } } } } } }";
    let body = json!({"query": query, "variables": {"id": actor}}).to_string();
    let Ok(answer) = api.try_send(api.posting("/graphql", body)).await else { return Vec::new() };
    let edges = answer.json()["data"]["actor"]["screenings"]["edges"].take();
    edges.as_array().into_iter().flatten().map(|edge| edge["node"].clone()).collect()
}

/// What each of them says: `HIT own/1`.
pub async fn told(api: &Api, actor: &str) -> Vec<String> {
    let word = |screening: &Value| {
        let lists: Vec<&str> = screening["listVersions"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        format!("{} {}", screening["response"].as_str().unwrap_or_default(), lists.join(",")).trim_end().to_owned()
    };
    screenings(api, actor).await.iter().map(word).collect()
}

/// Waits until an actor has so many screenings.
pub async fn until_told(api: &Api, actor: &str, expected: &[&str]) {
    eventually(&format!("{actor} has {expected:?}"), SOON, async || told(api, actor).await == expected).await;
}

/// Observations of an actor.
pub async fn observed(api: &Api, actor: &str) -> Vec<String> {
    let query = "query($id: ID!) { actor(id: $id) { observations(first: 20) { edges { node { id } } } } }";
    let data = api.graphql(query, json!({"id": actor})).await;
    let edges = data["actor"]["observations"]["edges"].as_array().cloned().unwrap_or_default();
    edges.iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect()
}

/// The jobs that screen all actors, of the list `own` in a version.
async fn rescreenings(api: &Api, version: i64) -> Vec<Value> {
    let query = "{ jobs(first: 50, filter: {kinds: [\"actor-rescreening\"]}) { edges { node { status endedAt payload result } } } }";
    let body = json!({"query": query}).to_string();
    let Ok(answer) = api.try_send(api.posting("/graphql", body)).await else { return Vec::new() };
    let edges = answer.json()["data"]["jobs"]["edges"].take();
    let jobs = edges.as_array().into_iter().flatten().map(|edge| edge["node"].clone());
    jobs.filter(|job| job["payload"] == json!({"list": "own", "version": version})).collect()
}

/// Imports a version of the list `own`, and waits until all actors are screened by it; answers with what that has come to.
pub async fn listed(api: &Api, version: i64, file: &str) -> Value {
    let imported = import(api, "own", file).await;
    assert_eq!(imported["version"], version, "{imported}");
    rescreened(api, version).await
}

async fn rescreened(api: &Api, version: i64) -> Value {
    let have_ended = async || rescreenings(api, version).await.first().is_some_and(|job| !job["endedAt"].is_null());
    eventually("all actors are screened by the version", SOON, have_ended).await;
    let jobs = rescreenings(api, version).await;
    assert_eq!((jobs.len(), &jobs[0]["status"]), (1, &json!("DONE")), "one job for a version: {jobs:?}");
    jobs[0]["result"].clone()
}

async fn an_actor_is_screened_when_it_comes_or_changes_and_not_else(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let (ada, petra) = (ids.of("ada"), ids.of("petra"));
    listed(&server, 1, LIST).await;
    let first = json!({"name": "Ada Quill", "dateOfBirth": "1952-12-03"});
    send(&server, &ada, first.clone()).await;
    send(&server, &petra, json!({"name": "Petra Grey"})).await;
    until_told(&server, &ada, &["HIT own/1"]).await;
    until_told(&server, &petra, &["MISS own/1"]).await;
    let hit = &screenings(&server, &ada).await[0];
    assert_eq!((&hit["operation"], &hit["providerName"], &hit["actor"]["id"]), (&json!("SANCTIONS"), &json!("watchlists"), &json!(ada)));
    assert!(hit["transaction"].is_null() && hit["score"].as_f64().is_some_and(|score| score > 0.9), "{hit}");
    let observation = &hit["observations"]["edges"][0]["node"];
    assert_eq!((&observation["type"], &observation["dataSource"]), (&json!("ALERT_RULE"), &json!("Service - Screening")));
    assert_eq!(observation["actors"]["edges"], json!([{"primary": true, "node": {"id": ada}}]));
    // The same again, what says nothing of who somebody is, and what is history: none of it is screened.
    send(&server, &ada, first.clone()).await;
    send(&server, &ada, with(first.clone(), json!({"status": "ACTIVE", "emails": [{"address": "ada@example.org"}]}))).await;
    send(&server, &ada, with(first.clone(), json!({"asOfDate": "2024-02-01", "customData": {"segment": "retail"}}))).await;
    send(&server, &ada, with(first.clone(), json!({"asOfDate": "2020-01-01", "name": "Orsolo Vantrek"}))).await;
    // Whoever is named only has no record to be screened by.
    let associates = json!({"actorAssociates": [{"id": ids.of("named"), "name": "Ada Quill"}]});
    server.post(&format!("/api/actors/{petra}/associates"), associates.to_string()).await.expect(200);
    jobs::none_left(&server).await;
    assert_eq!(told(&server, &ada).await, ["HIT own/1"]);
    assert_eq!(told(&server, &ids.of("named")).await, Vec::<String>::new());
    // Each change of who somebody is, is screened, and what is found again is the same observation.
    for (at, change) in [json!({"nationality": "MT"}), json!({"gender": "FEMALE"}), json!({"displayName": "A. Quill"})].into_iter().enumerate() {
        send(&server, &ada, with(first.clone(), with(json!({"asOfDate": "2024-03-01"}), change))).await;
        let expected = vec!["HIT own/1"; at + 2];
        until_told(&server, &ada, &expected).await;
    }
    assert_eq!(observed(&server, &ada).await.len(), 1);
    send(&server, &ada, json!({"asOfDate": "2024-04-01", "name": "Somebody Else", "dateOfBirth": "1990-01-01"})).await;
    until_told(&server, &ada, &["MISS own/1", "HIT own/1", "HIT own/1", "HIT own/1", "HIT own/1"]).await;
    assert_eq!(observed(&server, &ada).await.len(), 1, "what was found stays");
    jobs::none_left(&server).await;
}

async fn who_comes_before_the_first_list_is_screened_by_it(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let ada = ids.of("ada");
    send(&server, &ada, json!({"name": "Ada Quill"})).await;
    until_told(&server, &ada, &["ERROR"]).await;
    let reason = screenings(&server, &ada).await[0]["reason"].take();
    assert!(reason.as_str().is_some_and(|reason| reason.contains("no watchlist")), "{reason}");
    let result = listed(&server, 1, LIST).await;
    assert_eq!(result, json!({"entries": 2, "actors": 1, "hits": 1, "cleared": 0}));
    assert_eq!(told(&server, &ada).await, ["HIT own/1", "ERROR"]);
    assert_eq!(observed(&server, &ada).await.len(), 1);
    jobs::none_left(&server).await;
}

async fn actors_that_come_in_bulk_are_screened(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    listed(&server, 1, LIST).await;
    // More than are screened together.
    let count = 250;
    let of = |at: usize| {
        let name = if at == 7 { "Ada Quill".to_owned() } else { format!("Petra Grey {at}") };
        with(bulk_actor(&ids.of(&format!("bulk-{at}"))), json!({"name": name}))
    };
    taken(&server, &ids.of("request"), &json!({"actors": (0..count).map(of).collect::<Vec<Value>>()})).await;
    for at in (0..count).rev() {
        let id = ids.of(&format!("bulk-{at}"));
        until_told(&server, &id, &[if at == 7 { "HIT own/1" } else { "MISS own/1" }]).await;
    }
    jobs::none_left(&server).await;
    assert_eq!(observed(&server, &ids.of("bulk-7")).await.len(), 1);
}

async fn hits_about_an_actor_are_one_case_where_the_settings_say_so(engine: Engine) {
    let (server, ids) = (screening(engine, &[("AMLGRAPH_SCREENING__CASES", "actor")]), Ids::new());
    let ada = ids.of("ada");
    listed(&server, 1, LIST).await;
    send(&server, &ada, json!({"name": "Ada Quill", "displayName": "Orsolo Vantrek"})).await;
    until_told(&server, &ada, &["HIT own/1"]).await;
    assert_eq!(observed(&server, &ada).await.len(), 2, "one for each entry");
    send(&server, &ada, json!({"name": "Ada Quill", "displayName": "Orsolo Vantrek", "asOfDate": "2024-02-01", "nationality": "MT"})).await;
    until_told(&server, &ada, &["HIT own/1", "HIT own/1"]).await;
    jobs::none_left(&server).await;
    let query = "query($id: ID!) { actor(id: $id) { cases(first: 5) { edges { node { id observations(first: 9) { totalCount } } } } } }";
    let data = server.graphql(query, json!({"id": ada})).await;
    let cases = data["actor"]["cases"]["edges"].as_array().expect("cases");
    assert_eq!((cases.len(), &cases[0]["node"]["observations"]["totalCount"]), (1, &json!(2)), "{data}");
}

async fn a_changed_list_screens_all_actors_by_what_has_changed(engine: Engine) {
    let (server, ids) = (screening(engine, &[]), Ids::new());
    let [ada, tamsin, petra] = ["ada", "tamsin", "petra"].map(|name| ids.of(name));
    assert_eq!(listed(&server, 1, LIST).await, json!({"entries": 2, "actors": 0, "hits": 0, "cleared": 0}));
    for (id, name) in [(&ada, "Ada Quill"), (&tamsin, "Tamsin Okereke"), (&petra, "Petra Grey")] {
        send(&server, id, json!({"name": name})).await;
        until_told(&server, id, &[if id == &ada { "HIT own/1" } else { "MISS own/1" }]).await;
    }
    // What was added, and nobody else.
    let second = format!("{LIST}Q3,Person,Tamsin Okereke,,,\n");
    assert_eq!(listed(&server, 2, &second).await, json!({"entries": 1, "actors": 3, "hits": 1, "cleared": 0}));
    assert_eq!(told(&server, &tamsin).await, ["HIT own/2", "MISS own/1"]);
    assert_eq!((told(&server, &ada).await, told(&server, &petra).await), (vec!["HIT own/1".to_owned()], vec!["MISS own/1".to_owned()]));
    assert_eq!(observed(&server, &tamsin).await.len(), 1);
    // What was changed: what is found again is the same observation.
    let third = second.replace("A. Quilla", "A. Quilla;Petra Grey");
    assert_eq!(listed(&server, 3, &third).await, json!({"entries": 1, "actors": 3, "hits": 2, "cleared": 0}));
    assert_eq!(told(&server, &ada).await, ["HIT own/3", "HIT own/1"]);
    assert_eq!(told(&server, &petra).await, ["HIT own/3", "MISS own/1"]);
    assert_eq!((observed(&server, &ada).await.len(), observed(&server, &petra).await.len()), (1, 1));
    // What is on the list no more: nobody is compared with it, and what was found stays.
    assert_eq!(
        listed(&server, 4, &format!("{HEADER}Q2,Person,Orsolo Vantrek,,,\n")).await,
        json!({"entries": 0, "actors": 0, "hits": 0, "cleared": 0})
    );
    assert_eq!((told(&server, &ada).await.len(), observed(&server, &ada).await.len()), (2, 1));
    // Who changes now is screened by the list as it is.
    send(&server, &ada, json!({"name": "Ada Quill", "asOfDate": "2024-02-01", "nationality": "MT"})).await;
    until_told(&server, &ada, &["MISS own/4", "HIT own/3", "HIT own/1"]).await;
    jobs::none_left(&server).await;
}

/// A server whose provider for sanctions is a service.
fn asking(engine: Engine, receiver: &Receiver) -> Server {
    let urls = format!("acme={}", receiver.url());
    let settings = [
        ("AMLGRAPH_SCREENING__SANCTIONS", "acme"),
        ACTORS,
        SECRETS,
        ("AMLGRAPH_SCREENING__ALLOW_PRIVATE", "true"),
        ("AMLGRAPH_SCREENING__PROVIDER_TIMEOUT", "10m"),
        ("AMLGRAPH_SCREENING__URLS", urls.as_str()),
    ];
    Server::with(Store::private(engine), &settings)
}

fn hit(id: &Value) -> Reply {
    Reply::Text(200, json!({"id": id, "response": "HIT", "matches": [{"id": "A-7", "name": "Listed", "score": 0.9}]}).to_string())
}

async fn a_service_is_told_of_the_actor_and_asked_again(engine: Engine) {
    let fails = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&fails);
    let receiver =
        Receiver::of_all(move |_, received| if flag.swap(false, Ordering::Relaxed) { Reply::Status(500) } else { hit(&received.body()["id"]) }).await;
    let (server, ids) = (asking(engine, &receiver), Ids::new());
    let ada = ids.of("ada");
    let record = with(
        actor(&ada),
        json!({"name": "Ada Quill", "displayName": "A. Quill", "nationality": "MT", "gender": "FEMALE",
        "governmentIds": [{"id": "ZX 100200", "type": "PASSPORT"}]}),
    );
    server.post("/api/actors", record.to_string()).await.expect(200);
    until_told(&server, &ada, &["HIT"]).await;
    let received = receiver.received();
    let bodies: Vec<Value> = received.iter().map(|received| received.body()).collect();
    assert_eq!((bodies.len(), &bodies[0]["id"]), (2, &bodies[1]["id"]), "what came to nothing is asked again, as the same screening");
    let party = json!({"role": "ACTOR", "name": "Ada Quill", "aliases": ["A. Quill"], "kind": "PERSON", "birthDates": [], "countries": ["mt"], "sex": "FEMALE",
        "identifiers": [{"kind": "PASSPORT", "number": "ZX100200"}]});
    assert_eq!((&bodies[0]["actor"], &bodies[0]["parties"], &bodies[0]["transaction"]), (&record, &json!([party]), &Value::Null));
    assert_eq!(observed(&server, &ada).await.len(), 1);
    jobs::none_left(&server).await;
}

async fn actors_that_wait_survive_a_kill(engine: Engine) {
    let hangs = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&hangs);
    let receiver = Receiver::of_all(move |_, received| if flag.load(Ordering::Relaxed) { Reply::Hang } else { hit(&received.body()["id"]) }).await;
    let (mut server, ids) = (asking(engine, &receiver), Ids::new());
    let actors: Vec<String> = (0..12).map(|at| ids.of(&format!("actor-{at}"))).collect();
    for id in &actors {
        send(&server, id, json!({"name": "Ada Quill"})).await;
    }
    eventually("the provider is asked", SOON, async || receiver.count() >= 1).await;
    server.kill();
    hangs.store(false, Ordering::Relaxed);
    server.start_again();
    for id in &actors {
        until_told(&server, id, &["HIT"]).await;
    }
    jobs::none_left(&server).await;
    for id in &actors {
        assert_eq!((told(&server, id).await.len(), observed(&server, id).await.len()), (1, 1));
    }
    assert_eq!(receiver.distinct_ids(), actors.len(), "each screening has one id, however often it is asked");
    assert_eq!(server.cypher("MATCH (p:PendingScreening) RETURN p.id AS id"), Vec::<Value>::new());
}

async fn a_kill_between_import_and_screening_loses_nothing(engine: Engine) {
    // What was uploaded outlives the process, as the graph does.
    let files = tempfile::tempdir().expect("a folder");
    let url = format!("file:{}", files.path().display());
    let (mut server, ids) = (screening(engine, &[("AMLGRAPH_FILES__URL", &url)]), Ids::new());
    listed(&server, 1, LIST).await;
    let actors: Vec<String> = (0..60).map(|at| ids.of(&format!("actor-{at}"))).collect();
    for id in &actors {
        send(&server, id, json!({"name": "Tamsin Okereke"})).await;
    }
    for id in &actors {
        until_told(&server, id, &["MISS own/1"]).await;
    }
    start(&server, "own", &format!("{LIST}Q3,Person,Tamsin Okereke,,,\n")).await;
    // Killed where the job is there, then at whatever it is at.
    eventually("the version counts", SOON, async || !rescreenings(&server, 2).await.is_empty()).await;
    for _ in 0..3 {
        server.kill();
        server.start_again();
        // The job goes on once the lease of who was killed is over, or has ended.
        let goes_on = async || rescreenings(&server, 2).await.first().is_some_and(|job| job["status"] != "QUEUED");
        eventually("it goes on", SOON, goes_on).await;
    }
    let result = rescreened(&server, 2).await;
    assert_eq!(result, json!({"entries": 1, "actors": 60, "hits": 60, "cleared": 0}));
    jobs::none_left(&server).await;
    for id in &actors {
        assert_eq!(told(&server, id).await, ["HIT own/2", "MISS own/1"]);
        assert_eq!(observed(&server, id).await.len(), 1);
    }
}

async fn nothing_is_kept_where_actors_are_not_screened(engine: Engine) {
    let (mut server, ids) = (Server::with(Store::private(engine), &[LISTS, PATIENCE, REQUEST]), Ids::new());
    import(&server, "own", LIST).await;
    send(&server, &ids.of("ada"), json!({"name": "Ada Quill"})).await;
    jobs::none_left(&server).await;
    assert_eq!(told(&server, &ids.of("ada")).await, Vec::<String>::new());
    assert_eq!(rescreenings(&server, 1).await, Vec::<Value>::new());
    let left =
        server.cypher("MATCH (a:Actor) WHERE a.screenedFacts IS NOT NULL RETURN a.id AS id UNION ALL MATCH (p:PendingScreening) RETURN p.id AS id");
    assert_eq!(left, Vec::<Value>::new());
    // Once actors are screened, who is sent again word for word is screened, once.
    server.stop();
    let server = Server::with(server.store.clone(), &[LISTS, ACTORS, PATIENCE, REQUEST]);
    for _ in 0..2 {
        send(&server, &ids.of("ada"), json!({"name": "Ada Quill"})).await;
        until_told(&server, &ids.of("ada"), &["HIT own/1"]).await;
        jobs::none_left(&server).await;
    }
    assert_eq!(told(&server, &ids.of("ada")).await, ["HIT own/1"]);
}

async fn who_changes_while_being_screened_is_screened_again(engine: Engine) {
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let receiver = Receiver::of_all(move |before, received| match hit(&received.body()["id"]) {
        // The first one is held, so that its answer comes once the actor has changed.
        Reply::Text(code, text) if before == 0 => Reply::Held(Arc::clone(&held), code, text),
        reply => reply,
    })
    .await;
    let (mut server, ids) = (asking(engine, &receiver), Ids::new());
    let ada = ids.of("ada");
    send(&server, &ada, json!({"name": "Ada Quill"})).await;
    eventually("the provider is asked", SOON, async || receiver.count() == 1).await;
    send(&server, &ada, json!({"name": "Ada Vantrek", "asOfDate": "2024-02-01"})).await;
    assert_eq!(receiver.count(), 1, "it is screened in turn");
    gate.add_permits(1);
    until_told(&server, &ada, &["HIT", "HIT"]).await;
    jobs::none_left(&server).await;
    let names: Vec<Value> = receiver.received().iter().map(|received| received.body()["parties"][0]["name"].clone()).collect();
    assert_eq!(names, ["Ada Quill", "Ada Vantrek"], "each version of who somebody is, once");
    assert_eq!(observed(&server, &ada).await.len(), 1);
    assert_eq!(server.cypher("MATCH (p:PendingScreening) RETURN p.id AS id"), Vec::<Value>::new());
}

/// Starts the job that screens all actors; answers with its id.
async fn screen_all(api: &Api) -> String {
    let data = api.graphql("mutation { screenActors(input: {}) { job { id kind } userErrors { message } } }", json!({})).await;
    let payload = &data["screenActors"];
    assert_eq!((&payload["userErrors"], &payload["job"]["kind"]), (&json!([]), &json!("actor-batch-screening")), "{data}");
    payload["job"]["id"].as_str().expect("an id").to_owned()
}

async fn screened_all(api: &Api, id: &str) -> Value {
    let job = async || {
        let body = json!({"query": "query($id: ID!) { job(id: $id) { status endedAt result } }", "variables": {"id": id}}).to_string();
        let Ok(answer) = api.try_send(api.posting("/graphql", body)).await else { return Value::Null };
        answer.json()["data"]["job"].take()
    };
    eventually("all actors are screened", SOON, async || job().await["endedAt"].is_string()).await;
    let job = job().await;
    assert_eq!(job["status"], "DONE", "{job}");
    job["result"].clone()
}

async fn all_actors_are_screened_when_somebody_asks_for_it(engine: Engine) {
    let (server, ids) = (Server::with(Store::private(engine), &[LISTS, PATIENCE, REQUEST]), Ids::new());
    let [ada, tamsin, petra] = ["ada", "tamsin", "petra"].map(|name| ids.of(name));
    import(&server, "own", LIST).await;
    send(&server, &ada, json!({"name": "Ada Quill"})).await;
    send(&server, &petra, json!({"name": "Petra Grey"})).await;
    // Where no actor is screened there is nothing to ask for.
    let refused = server.graphql("mutation { screenActors(input: {}) { job { id } userErrors { path code } } }", json!({})).await;
    assert_eq!(refused["screenActors"], json!({"job": null, "userErrors": [{"path": [], "code": "INVALID"}]}));
    server.stop();
    let server = Server::with(server.store.clone(), &[LISTS, ACTORS, PATIENCE, REQUEST]);
    send(&server, &tamsin, json!({"name": "Orsolo Vantrek"})).await;
    until_told(&server, &tamsin, &["HIT own/1"]).await;
    assert_eq!(told(&server, &ada).await, Vec::<String>::new(), "it came before");
    let id = screen_all(&server).await;
    assert_eq!(screened_all(&server, &id).await, json!({"actors": 3, "hits": 2, "waiting": 0}));
    assert_eq!((told(&server, &ada).await, told(&server, &petra).await), (vec!["HIT own/1".to_owned()], vec!["MISS own/1".to_owned()]));
    assert_eq!(told(&server, &tamsin).await, ["HIT own/1", "HIT own/1"]);
    assert_eq!((observed(&server, &ada).await.len(), observed(&server, &tamsin).await.len()), (1, 1), "what is found again is the same observation");
    // What they are screened by is kept now: the same record again says nothing new, and another one does.
    send(&server, &ada, json!({"name": "Ada Quill"})).await;
    jobs::none_left(&server).await;
    assert_eq!(told(&server, &ada).await, ["HIT own/1"]);
    send(&server, &ada, json!({"name": "Ada Quill", "asOfDate": "2024-02-01", "nationality": "MT"})).await;
    until_told(&server, &ada, &["HIT own/1", "HIT own/1"]).await;
    // Of a record that came while actors were not screened nothing was kept; what was kept of the one before is not gone by.
    server.stop();
    let server = Server::with(server.store.clone(), &[LISTS, PATIENCE, REQUEST]);
    send(&server, &ada, json!({"name": "Petra Grey", "asOfDate": "2024-03-01"})).await;
    server.stop();
    let server = Server::with(server.store.clone(), &[LISTS, ACTORS, PATIENCE, REQUEST]);
    let made = server.post("/admin/keys", json!({"role": "SUPERVISOR", "name": ids.of("supervisor")}).to_string()).await.expect(201).json();
    let mut run = command(&["screening", "actors"]);
    let output = run.env("AMLGRAPH_URL", &server.base).env("AMLGRAPH_KEY", made["key"].as_str().expect("a key")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(result, json!({"actors": 3, "hits": 1, "waiting": 0}));
    assert_eq!(told(&server, &ada).await, ["MISS own/1", "HIT own/1", "HIT own/1"]);
    jobs::none_left(&server).await;
}

async fn a_screening_of_all_actors_goes_on_after_a_kill(engine: Engine) {
    let is_silent = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&is_silent);
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let receiver = Receiver::of_all(move |_, received| {
        let body = received.body();
        match (body["parties"][0]["name"].as_str(), hit(&body["id"])) {
            (Some("Held"), Reply::Text(code, text)) => Reply::Held(Arc::clone(&held), code, text),
            (Some("Silent"), _) if flag.load(Ordering::Relaxed) => Reply::Status(500),
            (_, reply) => reply,
        }
    })
    .await;
    let urls = format!("acme={}", receiver.url());
    let service = [
        ("AMLGRAPH_SCREENING__SANCTIONS", "acme"),
        SECRETS,
        ("AMLGRAPH_SCREENING__ALLOW_PRIVATE", "true"),
        // One that is held is answered, however slow the machine.
        ("AMLGRAPH_SCREENING__PROVIDER_TIMEOUT", "10m"),
        ("AMLGRAPH_SCREENING__URLS", urls.as_str()),
    ];
    let (server, ids) = (Server::with(Store::private(engine), &service), Ids::new());
    let actors: Vec<String> = (0..30).map(|at| ids.of(&format!("actor-{at}"))).collect();
    for (at, id) in actors.iter().enumerate() {
        let name = match at {
            3 => "Held",
            7 => "Silent",
            _ => "Ada Quill",
        };
        send(&server, id, json!({"name": name})).await;
    }
    server.stop();
    let settings: Vec<(&'static str, &str)> = service.into_iter().chain([ACTORS]).collect();
    let mut server = Server::with(server.store.clone(), &settings);
    let id = screen_all(&server).await;
    assert_eq!(screen_all(&server).await, id, "while it has not ended, that is the one");
    eventually("it is at it", SOON, async || receiver.count() >= actors.len() / 2).await;
    server.kill();
    gate.add_permits(1);
    server.start_again();
    assert_eq!(screened_all(&server, &id).await, json!({"actors": 30, "hits": 29, "waiting": 1}));
    is_silent.store(false, Ordering::Relaxed);
    for id in &actors {
        until_told(&server, id, &["HIT"]).await;
    }
    jobs::none_left(&server).await;
    for id in &actors {
        assert_eq!((told(&server, id).await.len(), observed(&server, id).await.len()), (1, 1));
    }
    assert_eq!(receiver.distinct_ids(), actors.len(), "each screening has one id, however often it is asked");
}
