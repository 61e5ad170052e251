//! Walks by way of the cache against the store: random walks that overlap, and random writes between them. Whatever was kept, a walk finds what the
//! store has.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cypher::graph::nodes::AccountSummary;
use cypher::graph::{Begin, Found, Slice, Step, Visit, Walk, link, nodes};
use cypher::{Embedded, Engine, Params, Statement, Value};
use queries::{ReadCache, Sharing, with_numbers};
use rand::{Rng, SeedableRng, rngs::StdRng};

const LIMIT: Duration = Duration::from_secs(10);
const ACCOUNTS: usize = 8;

/// As a payment that names both accounts.
const PAY: Statement = Statement::new(
    "transaction/record",
    "UNWIND $rows AS row MERGE (f:Account {id: row.account}) MERGE (s:Account {id: row.other})
     CREATE (f)-[:TRANSFERRED_TO {currency: row.currency, count: 1, total: row.total}]->(s)",
);
/// As a payment that names the payee by a number.
const PAY_NUMBER: Statement = Statement::new(
    "transaction/record_by_number",
    "UNWIND $rows AS row UNWIND row.numbers AS number MATCH (i:AccountIdentifier {id: number})<-[:IDENTIFIED_BY]-(s:Account)
     MERGE (f:Account {id: row.account})
     CREATE (f)-[:TRANSFERRED_TO {currency: row.currency, count: 1, total: row.total}]->(s)",
);
const MAKE: Statement = Statement::new(
    "test/make",
    "UNWIND $rows AS row MERGE (a:Account {id: row.id}) SET a.name = row.id, a.status = 'ACTIVE'
     MERGE (i:AccountIdentifier {id: row.number}) MERGE (a)-[:IDENTIFIED_BY]->(i)",
);
const RENAME: Statement =
    Statement::new("test/rename", "UNWIND $rows AS row MATCH (a:Account {id: row.id}) SET a.name = row.name, a.domicile = row.name");
const WITHDRAW: Statement = Statement::new(
    "test/withdraw",
    "UNWIND $rows AS row MATCH (f:Account {id: row.account})-[t:TRANSFERRED_TO]->(s:Account) WHERE s.id = row.other SET t.count = 0",
);

struct World {
    engine: Engine,
    cache: ReadCache,
    random: StdRng,
    /// Payments so far, and pieces that were read.
    payments: i64,
    pieces: usize,
    found_whole: usize,
}

impl World {
    /// Accounts without payments, and a cache of so many bytes.
    async fn of(folder: &Path, seed: u64, bytes: usize) -> Self {
        let engine = Engine::Embedded(Embedded::open(folder).await.expect("it opens"));
        // The embedded engine has no other process.
        let sharing = Sharing { process: String::new(), staleness: Duration::ZERO };
        let (engine, cache) = ReadCache::over(engine, bytes, &sharing);
        let cache = cache.expect("it has some bytes");
        for number in 0..ACCOUNTS {
            let (id, number) = (format!("account-{number}"), format!("number-account-{number}"));
            let row = cypher::map([("id", id.into()), ("number", number.into())]);
            engine.write(MAKE, Params::rows(vec![row])).await.expect("it is made");
        }
        Self { engine, cache, random: StdRng::seed_from_u64(seed), payments: 0, pieces: 0, found_whole: 0 }
    }

    fn account(&mut self) -> String {
        format!("account-{}", self.random.random_range(0..ACCOUNTS))
    }

    async fn write(&mut self) {
        let (from, to) = (self.account(), self.account());
        self.payments += 1;
        let currency = if self.random.random() { "EUR" } else { "USD" };
        let number = format!("number-{to}");
        let name = format!("name {}", self.payments);
        let row = cypher::map([
            ("account", from.clone().into()),
            ("other", to.into()),
            ("numbers", vec![number].into()),
            ("id", from.into()),
            ("name", name.into()),
            ("currency", currency.into()),
            ("total", (self.payments as f64).into()),
        ]);
        let without = |names: &[&str]| match &row {
            Value::Map(entries) => Value::Map(entries.iter().filter(|(name, _)| !names.contains(&&**name)).cloned().collect()),
            other => other.clone(),
        };
        let (statement, row) = match self.random.random_range(0..12) {
            0..5 => (PAY, without(&["numbers"])),
            // The payee is named by nothing but the number.
            5..10 => (PAY_NUMBER, without(&["other"])),
            10 => (RENAME, row),
            _ => (WITHDRAW, row),
        };
        self.engine.write(statement, Params::rows(vec![row])).await.expect("it is written");
    }

    /// A walk along the money, to and fro.
    fn visit(&mut self, depth: usize) -> Visit {
        let mut visit = Visit { summary: self.random.random_bool(0.3), ..Visit::of(&nodes::ACCOUNT) };
        let steps = if depth == 0 { 0 } else { self.random.random_range(1..=3) };
        for _ in 0..steps {
            let field = if self.random.random() { "transferredTo" } else { "receivedFrom" };
            let link = link(&nodes::ACCOUNT, field).expect("a link");
            let counted: bool = self.random.random();
            let has_page = !counted || self.random.random_bool(0.8);
            let slice = Slice { page: link.usual_page(), limit: self.random.random_range(1..=3), begin: Begin::AtStart, until: None };
            let then = if has_page { self.visit(depth - 1) } else { Visit::of(&nodes::ACCOUNT) };
            visit.steps.push(Step { link, conditions: Vec::new(), slice: has_page.then_some(slice), counted, then });
        }
        visit
    }

    async fn read(&self, walk: &Walk, id: &str) -> Option<Arc<Found>> {
        let mut composed = walk.composed().clone();
        composed.params.0.push(("ids".into(), vec![id].into()));
        let rows = self.engine.read_composed("walk", composed, LIMIT).await.expect("it is read");
        rows.into_iter().next().map(|row| walk.visit().read(row).expect("as it was asked").1)
    }

    /// As the service does it.
    async fn by_cache(&mut self, walk: &Arc<Walk>, id: &str) -> Option<Arc<Found>> {
        let assembly = self.cache.look_up(walk, id);
        self.found_whole += usize::from(assembly.pieces().is_empty());
        self.pieces += assembly.pieces().len();
        let mut found = Vec::new();
        for piece in assembly.pieces() {
            let since = self.cache.now();
            let answer = self.read(&piece.walk, &piece.id).await;
            if let Some(answer) = &answer {
                self.cache.keep_walk(&piece.walk, answer, since);
            }
            found.push(answer);
        }
        assembly.put_together(&found)
    }
}

/// All that an answer says.
fn told(found: &Found) -> String {
    let summary = if found.has_summary() { format!("{:?}", found.summary::<AccountSummary>().expect("a summary")) } else { String::new() };
    let links = found.links.iter().map(|link| {
        let rows = link.rows.iter().map(|row| format!("{:?} {}", row.keys(), told(&row.node))).collect::<Vec<_>>();
        format!("{:?} {rows:?}", link.total)
    });
    format!("{} {} {summary} {:?}", found.id, found.name, links.collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_by_the_cache_finds_what_the_store_has() {
    for seed in 0..4 {
        let folder = tempfile::tempdir().expect("a folder");
        // So few bytes that some have to make room, in one of them.
        let mut world = World::of(folder.path(), seed, if seed == 0 { 30_000 } else { 1 << 20 }).await;
        for _ in 0..20 {
            world.write().await;
        }
        // Few, so that they overlap and come again.
        let mut visits = Vec::new();
        for depth in [1, 1, 2, 2, 3] {
            let visit = world.visit(depth);
            visits.push(visit);
        }
        for turn in 0..300 {
            let visit = visits[world.random.random_range(0..visits.len())].clone();
            let id = world.account();
            let plain = Walk::of(Arc::new(visit.clone()));
            let walk = Arc::new(Walk::of(Arc::new(with_numbers(&visit).expect("it is along payments"))));
            let by_cache = world.by_cache(&walk, &id).await.expect("it is there");
            let stored = world.read(&plain, &id).await.expect("it is there");
            assert_eq!(told(&by_cache), told(&stored), "seed {seed}, turn {turn}: {}", plain.text());
            if world.random.random_bool(0.25) {
                world.write().await;
            }
        }
        println!("seed {seed}: {} of 300 found whole, {} pieces read", world.found_whole, world.pieces);
        let least = if seed == 0 { 0 } else { 10 };
        assert!(world.found_whole > least && world.pieces > 20, "seed {seed}: nothing is ever kept, or all is");
        assert!(world.cache.look_up(&Arc::new(Walk::of(Arc::new(Visit::of(&nodes::ACCOUNT)))), "nobody").put_together(&[None]).is_none());
    }
}

/// What was kept and what is read behind a write are from two moments; so are two pieces of which it can't be told whether they have changed.
#[tokio::test(flavor = "multi_thread")]
async fn a_walk_is_from_one_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = World::of(folder.path(), 0, 1 << 20).await;
    for to in ["account-1", "account-2"] {
        let row = cypher::map([("account", "account-0".into()), ("other", to.into()), ("currency", "EUR".into()), ("total", 1.0_f64.into())]);
        world.engine.write(PAY, Params::rows(vec![row])).await.expect("it is paid");
    }
    let walk_of = |visit: &Visit| Arc::new(Walk::of(Arc::new(with_numbers(visit).unwrap_or_else(|| visit.clone()))));
    let page = |field: &str, then: Visit| {
        let link = link(&nodes::ACCOUNT, field).expect("a link");
        Visit { summary: true, steps: vec![link.whole(then)], ..Visit::of(&nodes::ACCOUNT) }
    };
    let account = || Visit::of(&nodes::ACCOUNT);
    let alone = walk_of(&Visit { summary: true, ..account() });
    let with_page = walk_of(&page("transferredTo", account()));
    for is_written in [false, true] {
        world.by_cache(&alone, "account-0").await.expect("it is there");
        let assembly = world.cache.look_up(&with_page, "account-0");
        let [piece] = assembly.pieces() else { panic!("the page alone is missing") };
        if is_written {
            let row = cypher::map([("id", "account-0".into()), ("name", "another".into())]);
            world.engine.write(RENAME, Params::rows(vec![row])).await.expect("it is renamed");
        }
        let found = world.read(&piece.walk, &piece.id).await;
        assert_eq!(assembly.put_together(&[found]).is_some(), !is_written, "written meanwhile: {is_written}");
    }
    world.by_cache(&with_page, "account-0").await;
    let to_unknown = page("identities", account()).steps;
    let beyond = walk_of(&page("transferredTo", Visit { steps: to_unknown, ..account() }));
    let assembly = world.cache.look_up(&beyond, "account-0");
    assert!(matches!(assembly.pieces(), [piece] if Arc::ptr_eq(&piece.walk, &beyond)), "the whole walk is asked");
}

/// Of the links of a node one is read again, or all: else there might be a statement for each subset of them. With too many kinds of pieces the whole walk
/// is read.
#[tokio::test(flavor = "multi_thread")]
async fn pieces_are_of_few_kinds() {
    let step = |field: &&str| {
        let link = link(&nodes::ACCOUNT, field).expect("a link");
        let slice = Slice { page: link.usual_page(), limit: 2, begin: Begin::AtStart, until: None };
        Step { link, conditions: Vec::new(), slice: Some(slice), counted: false, then: Visit::of(link.to) }
    };
    let account = |steps: Vec<Step>| Visit { steps, ..Visit::of(&nodes::ACCOUNT) };
    let walk_of = |visit: Visit| Arc::new(Walk::of(Arc::new(with_numbers(&visit).unwrap_or(visit))));
    let three = ["transferredTo", "receivedFrom", "sent"];
    let four = ["transferredTo", "receivedFrom", "sent", "received"];
    // Which links of each account are kept, as bits; how many pieces there are then, and of how many kinds.
    for (fields, states, pieces, kinds) in [
        (&three[..], [0b000, 0b001, 0b010, 0b011, 0b100, 0b101, 0b110, 0b111], 7, 4),
        (&four[..], [0b0000, 0b0111, 0b1011, 0b1101, 0b1110, 0b1111, 0b1111, 0b1111], 1, 1),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut world = World::of(folder.path(), 0, 1 << 20).await;
        for to in 0..ACCOUNTS {
            let to = format!("account-{to}");
            let row = cypher::map([("account", "account-0".into()), ("other", to.into()), ("currency", "EUR".into()), ("total", 1.0_f64.into())]);
            world.engine.write(PAY, Params::rows(vec![row])).await.expect("it is paid");
        }
        let paid = |then: Visit| walk_of(account(vec![link(&nodes::ACCOUNT, "transferredTo").expect("a link").whole(then)]));
        world.by_cache(&paid(account(Vec::new())), "account-0").await.expect("it is there");
        for (number, state) in states.iter().enumerate() {
            let is_kept = |(at, _): &(usize, &&str)| (state >> at) & 1 == 1;
            let kept = fields.iter().enumerate().filter(is_kept).map(|(_, field)| step(field)).collect();
            world.by_cache(&walk_of(account(kept)), &format!("account-{number}")).await.expect("it is there");
        }
        let walk = paid(account(fields.iter().map(step).collect()));
        let assembly = world.cache.look_up(&walk, "account-0");
        let (mut walks, mut found) = (Vec::new(), Vec::new());
        for piece in assembly.pieces() {
            if !walks.iter().any(|known| Arc::ptr_eq(known, &piece.walk)) {
                walks.push(Arc::clone(&piece.walk));
            }
            found.push(world.read(&piece.walk, &piece.id).await);
        }
        assert_eq!((found.len(), walks.len()), (pieces, kinds), "{fields:?}");
        assert_eq!(walks.iter().any(|piece| Arc::ptr_eq(piece, &walk)), kinds == 1, "{fields:?}: the whole walk");
        let by_cache = assembly.put_together(&found).expect("nothing was written");
        assert_eq!(told(&by_cache), told(&world.read(&walk, "account-0").await.expect("it is there")), "{fields:?}");
    }
}
