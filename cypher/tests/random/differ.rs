//! Random statements on both engines: the same answers, and the same graph behind the same writes.

use std::time::Duration;

use cypher::rules::{Rule, Terms, check};
use cypher::{Engine, Error, Params, Row, Statement, Value};

use super::graph::{Graph, LABELS, LINKS};
use super::statements::{self, Read, Writes};

/// How many statements there are to a graph.
const READS: u64 = 20;
const WRITES: u64 = 3;
const LIMIT: Duration = Duration::from_secs(30);

/// Both engines, and what was tried.
pub struct Both {
    embedded: Engine,
    neo4j: Engine,
    prefix: String,
    graphs: u32,
    asked: usize,
    refused: usize,
    found: usize,
}

impl Both {
    pub fn new(embedded: Engine, neo4j: Engine) -> Self {
        Self { embedded, neo4j, prefix: format!("{:x}-", rand::random::<u32>()), graphs: 0, asked: 0, refused: 0, found: 0 }
    }

    /// Tries so many statements from a seed on, and tells of the first that the engines differ in.
    ///
    /// # Panics
    /// When they do.
    pub async fn answer_alike(&mut self, seed: u64, cases: u64) {
        let mut case = 0;
        while case < cases {
            let graph = self.graph(seed + case).await;
            for at in 0..READS {
                let read = statements::read(seed + case + at, &graph);
                if let Some(difference) = self.differs(&read).await {
                    let (smallest, difference) = self.smallest(read, difference).await;
                    panic!("seed {}: the engines differ in\n{}\n{difference}", seed + case + at, smallest.text());
                }
            }
            for at in 0..WRITES {
                let number = seed + case + at;
                let graph = self.graph(number).await;
                let writes = statements::writes(number, &graph);
                if let Some(difference) = self.leave_otherwise(&graph, &writes).await {
                    let (smallest, difference) = self.fewest(number, writes, difference).await;
                    let said: Vec<String> = smallest.statements.iter().map(|(text, rows)| format!("{text}\n  {rows:?}")).collect();
                    panic!("seed {number}: the engines differ behind\n{}\n{difference}", said.join("\n"));
                }
            }
            case += READS + WRITES;
        }
        println!("{} statements, {} refused by the rules, {} with rows", self.asked, self.refused, self.found);
        assert!(self.found * 3 > self.asked, "most find nothing: {} of {}", self.found, self.asked);
        assert!(self.refused * 2 < self.asked, "most are refused: {} of {}", self.refused, self.asked);
    }

    /// The same graph in both, alone there.
    async fn graph(&mut self, seed: u64) -> Graph {
        self.graphs += 1;
        let graph = Graph::random(seed, &format!("{}{}-", self.prefix, self.graphs));
        tokio::join!(graph.write(&self.embedded), graph.write(&self.neo4j));
        graph
    }

    async fn differs(&mut self, read: &Read) -> Option<String> {
        let text = read.text();
        self.asked += 1;
        if !check(&text, Terms::READ_AS_DATA).is_empty() {
            self.refused += 1;
            return None;
        }
        let params = || Params::none().with("ids", read.ids.clone());
        let statement = Statement::new("test/random", text.leak());
        let (one, other) = tokio::join!(self.embedded.read(statement, params(), LIMIT), self.neo4j.read(statement, params(), LIMIT));
        let (one, other) = (answer(one, read.ordered), answer(other, read.ordered));
        self.found += usize::from(one.as_ref().is_ok_and(|rows| !rows.is_empty()));
        (one != other && !(one.is_err() && other.is_err())).then(|| format!("embedded: {one:?}\nneo4j:    {other:?}"))
    }

    async fn smallest(&mut self, read: Read, difference: String) -> (Read, String) {
        let (mut smallest, mut difference) = (read, difference);
        'smaller: loop {
            for candidate in smallest.smaller() {
                if let Some(still) = self.differs(&candidate).await.filter(|still| !still.contains("Err(")) {
                    (smallest, difference) = (candidate, still);
                    continue 'smaller;
                }
            }
            return (smallest, difference);
        }
    }

    /// What the graphs differ in behind writes.
    async fn leave_otherwise(&mut self, graph: &Graph, writes: &Writes) -> Option<String> {
        for (text, rows) in &writes.statements {
            self.asked += 1;
            // What can't be told from the text, the rows tell here: some are about one node.
            let broken = check(text, Terms::OWN);
            if !broken.is_empty() {
                assert!(broken.iter().all(|violation| violation.rule != Rule::Syntax), "{text}: {broken:?}");
                self.refused += 1;
                continue;
            }
            let statement = Statement::new("test/random", text.clone().leak());
            let params = || Params::rows(rows.clone());
            let (one, other) =
                tokio::join!(self.embedded.write_within(statement, params(), LIMIT), self.neo4j.write_within(statement, params(), LIMIT));
            if one.is_err() != other.is_err() {
                return Some(format!("embedded: {one:?}\nneo4j:    {other:?}"));
            }
            self.found += 1;
        }
        let (one, other) = tokio::join!(left(&self.embedded, graph), left(&self.neo4j, graph));
        let different = one.iter().zip(&other).find(|(one, other)| one != other);
        different.map(|(one, other)| format!("embedded: {one:?}\nneo4j:    {other:?}"))
    }

    async fn fewest(&mut self, seed: u64, writes: Writes, difference: String) -> (Writes, String) {
        let (mut fewest, mut difference) = (writes, difference);
        'fewer: loop {
            for candidate in fewer(&fewest) {
                let graph = self.graph(seed).await;
                // Rows have the ids of the graph that they were made for.
                let renamed = renamed(&candidate, &statements::writes(seed, &graph));
                if let Some(still) = self.leave_otherwise(&graph, &renamed).await {
                    (fewest, difference) = (renamed, still);
                    continue 'fewer;
                }
            }
            return (fewest, difference);
        }
    }
}

/// Without one statement, or one row.
fn fewer(writes: &Writes) -> Vec<Writes> {
    let mut fewer = Vec::new();
    for at in 0..writes.statements.len() {
        if writes.statements.len() > 1 {
            let mut other = writes.clone();
            other.statements.remove(at);
            fewer.push(other);
        }
        for row in 0..writes.statements[at].1.len() {
            let mut other = writes.clone();
            other.statements[at].1.remove(row);
            fewer.push(other);
        }
    }
    fewer
}

/// The same statements about the nodes of another graph of the same seed: whatever is text and begins as ids of the one do begins as those of the other.
fn renamed(writes: &Writes, fresh: &Writes) -> Writes {
    let new = first_id(fresh);
    let old = first_id(writes);
    let Some((old, new)) = old.zip(new) else { return writes.clone() };
    let statements = writes.statements.iter().map(|(text, rows)| (text.clone(), rows.iter().map(|row| with_prefix(row, &old, &new)).collect()));
    Writes { statements: statements.collect() }
}

/// What the ids of a graph begin with: run, number of the graph, seed.
fn first_id(writes: &Writes) -> Option<String> {
    let id = writes.statements.first()?.1.first()?.get("from").as_text()?;
    Some(id.splitn(4, '-').take(3).collect::<Vec<_>>().join("-"))
}

fn with_prefix(value: &Value, old: &str, new: &str) -> Value {
    match value {
        Value::Text(text) => Value::Text(text.strip_prefix(old).map_or_else(|| text.clone(), |rest| format!("{new}{rest}"))),
        Value::List(items) => Value::List(items.iter().map(|item| with_prefix(item, old, new)).collect()),
        Value::Map(entries) => Value::Map(entries.iter().map(|(key, value)| (key.clone(), with_prefix(value, old, new))).collect()),
        other => other.clone(),
    }
}

/// All nodes and links of a graph.
async fn left(engine: &Engine, graph: &Graph) -> Vec<String> {
    let mut all = Vec::new();
    let properties = |name: &str| {
        let of = ["name", "status", "state", "currency", "role", "channel", "createdAt", "count", "first", "last", "position", "nowhere"];
        of.map(|property| format!("{name}.{property}")).join(", ")
    };
    for label in LABELS {
        let text =
            format!("MATCH (n:`{label}`) WHERE n.id STARTS WITH $p RETURN n.id AS id, n:Placeholder AS placeholder, [{}] AS found", properties("n"));
        all.extend(rows(engine, text, graph).await);
    }
    for (from, kind, to) in LINKS {
        let text = format!(
            "MATCH (a:`{from}`)-[r:{kind}]->(b:`{to}`) WHERE a.id STARTS WITH $p AND b.id STARTS WITH $p RETURN a.id AS a, b.id AS b, [{}] AS found",
            properties("r").replace("r.name, ", "")
        );
        all.extend(rows(engine, text, graph).await.into_iter().map(|row| format!("{kind} {row}")));
    }
    all
}

async fn rows(engine: &Engine, text: String, graph: &Graph) -> Vec<String> {
    let params = Params::none().with("p", graph.prefix());
    let rows = engine.read(Statement::new("test/left", text.leak()), params, LIMIT).await;
    answer(rows, false).expect("it is read")
}

/// Rows as texts, their columns in one order; lists in them, which come in any order, sorted.
fn answer(rows: Result<Vec<Row>, Error>, ordered: bool) -> Result<Vec<String>, String> {
    let text = |Row(mut columns): Row| {
        columns.sort_by(|(one, _), (other, _)| one.cmp(other));
        format!("{:?}", columns.into_iter().map(|(_, value)| sorted(value)).collect::<Vec<_>>())
    };
    let mut rows: Vec<String> = rows.map_err(|error| error.to_string())?.into_iter().map(text).collect();
    if !ordered {
        rows.sort_unstable();
    }
    Ok(rows)
}

fn sorted(value: Value) -> Value {
    match value {
        Value::List(items) => {
            let mut items: Vec<Value> = items.into_iter().map(sorted).collect();
            items.sort_by_key(|item| format!("{item:?}"));
            Value::List(items)
        }
        other => other,
    }
}
