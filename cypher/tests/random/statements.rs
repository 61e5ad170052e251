//! Random statements inside what both engines answer alike.

use cypher::Value;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::graph::{Graph, LABELS, LINKS};

/// A clause, and the conditions behind it: any of these may be left out when a statement is made smaller.
#[derive(Clone)]
pub struct Clause {
    head: String,
    conditions: Vec<String>,
    tail: String,
}

/// A read: clauses, and the columns that are returned.
#[derive(Clone)]
pub struct Read {
    pub clauses: Vec<Clause>,
    columns: Vec<String>,
    distinct: bool,
    /// By all columns.
    pub ordered: bool,
    pub ids: Value,
}

impl Clause {
    fn new(head: impl Into<String>) -> Self {
        Self { head: head.into(), conditions: Vec::new(), tail: String::new() }
    }

    fn text(&self) -> String {
        let conditions = if self.conditions.is_empty() { String::new() } else { format!(" WHERE {}", self.conditions.join(" AND ")) };
        format!("{}{conditions}{}", self.head, self.tail)
    }
}

impl Read {
    pub fn text(&self) -> String {
        let clauses: Vec<String> = self.clauses.iter().map(Clause::text).collect();
        let columns: Vec<String> = self.columns.iter().enumerate().map(|(at, column)| format!("{column} AS c{at}")).collect();
        let order: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
        let order = if self.ordered { format!("\nORDER BY {}", order.join(", ")) } else { String::new() };
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        format!("{}\nRETURN {distinct}{}{order}", clauses.join("\n"), columns.join(", "))
    }

    /// The same with one part less, whichever: each of them may be no statement.
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        let mut push = |change: &dyn Fn(&mut Self)| {
            let mut other = self.clone();
            change(&mut other);
            smaller.push(other);
        };
        for at in 1..self.clauses.len() {
            push(&|other| drop(other.clauses.remove(at)));
        }
        for at in 0..self.clauses.len() {
            for condition in 0..self.clauses[at].conditions.len() {
                push(&|other| drop(other.clauses[at].conditions.remove(condition)));
            }
        }
        if self.columns.len() > 1 {
            for at in 0..self.columns.len() {
                push(&|other| drop(other.columns.remove(at)));
            }
        }
        if self.distinct {
            push(&|other| other.distinct = false);
        }
        if self.ordered {
            push(&|other| other.ordered = false);
        }
        smaller
    }
}

/// What a name stands for.
#[derive(Clone, PartialEq)]
enum Kind {
    Node(&'static str),
    Link,
    Value,
    List,
}

#[derive(Clone)]
struct Name {
    name: String,
    kind: Kind,
    /// Found by an `OPTIONAL MATCH` since the last `WITH`.
    just_sought: bool,
    absent: bool,
}

/// Writes one statement.
struct Writer {
    random: StdRng,
    names: Vec<Name>,
    made: usize,
}

const TEXTS: [&str; 5] = ["status", "state", "currency", "role", "channel"];
const NUMBERS: [&str; 6] = ["createdAt", "count", "first", "last", "position", "nowhere"];
const FRACTIONS: [&str; 2] = ["amount", "total"];

/// A read of its own for each seed.
pub fn read(seed: u64, graph: &Graph) -> Read {
    let mut writer = Writer { random: StdRng::seed_from_u64(seed), names: Vec::new(), made: 0 };
    let label = ["Actor", "Account", "Transaction", "Case", "Device", "Observation"].choose(&mut writer.random).copied().unwrap_or("Actor");
    let mut start = Clause::new(format!("UNWIND $ids AS id MATCH (n0:`{label}` {{id: id}})"));
    writer.name("n0", Kind::Node(label), false);
    for condition in ["NOT n0:Placeholder", "n0.status = 'A'", "n0.position IS NOT NULL"] {
        if writer.chance(10) {
            start.conditions.push(condition.to_owned());
        }
    }
    let mut clauses = vec![start];
    for _ in 0..writer.random.random_range(1..5) {
        let clause = match writer.random.random_range(0..10) {
            0..=3 => writer.hop("MATCH"),
            4 | 5 => writer.hop("OPTIONAL MATCH"),
            6 | 7 => Some(writer.with()),
            8 => writer.call(),
            _ => writer.unwind(),
        };
        clauses.extend(clause);
    }
    let (columns, distinct) = writer.columns();
    // A list comes in any order, and so would what is sorted by it.
    let ordered = writer.chance(40) && !columns.iter().any(|column| column.starts_with("collect"));
    let ids = Value::List(graph.ids(label).into_iter().map(Value::from).collect());
    Read { clauses, columns, distinct, ordered, ids }
}

impl Writer {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent, 100)
    }

    fn fresh(&mut self, letter: char) -> String {
        self.made += 1;
        format!("{letter}{}", self.made)
    }

    fn name(&mut self, name: &str, kind: Kind, sought: bool) {
        self.names.push(Name { name: name.to_owned(), kind, just_sought: sought, absent: sought });
    }

    fn pick(&mut self, wanted: impl Fn(&Name) -> bool) -> Option<Name> {
        let some: Vec<Name> = self.names.iter().filter(|name| wanted(name)).cloned().collect();
        some.choose(&mut self.random).cloned()
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        (*texts.choose(&mut self.random).expect("some")).to_owned()
    }

    /// A pattern from a node that is known: the pattern, and the names of its link and of its other end.
    fn pattern(&mut self) -> Option<(String, String, String, &'static str)> {
        let from = self.pick(|name| matches!(name.kind, Kind::Node(_)) && !name.absent)?;
        let Kind::Node(label) = from.kind else { return None };
        let fitting: Vec<_> = LINKS.iter().filter(|(one, _, other)| *one == label || *other == label).collect();
        let (one, kind, other) = *fitting.choose(&mut self.random).copied()?;
        let (link, node) = (self.fresh('r'), self.fresh('n'));
        let forward = if one == label && other == label { self.chance(50) } else { one == label };
        let (start, other) = (&from.name, if forward { other } else { one });
        let pattern =
            if forward { format!("({start})-[{link}:{kind}]->({node}:`{other}`)") } else { format!("({start})<-[{link}:{kind}]-({node}:`{other}`)") };
        Some((pattern, link, node, other))
    }

    fn hop(&mut self, word: &str) -> Option<Clause> {
        let (pattern, link, node, label) = self.pattern()?;
        let mut clause = Clause::new(format!("{word} {pattern}"));
        let is_sought = word == "OPTIONAL MATCH";
        self.name(&link, Kind::Link, is_sought);
        self.name(&node, Kind::Node(label), is_sought);
        for _ in 0..self.random.random_range(0..3) {
            clause.conditions.push(self.condition(&link, &node));
        }
        Some(clause)
    }

    fn condition(&mut self, link: &str, node: &str) -> String {
        let (text, number, sign) = (self.one_of(&TEXTS), self.one_of(&NUMBERS), self.one_of(&["<", "<=", ">", ">=", "=", "<>"]));
        let value = self.random.random_range(0..4);
        let other = self.pick(|name| matches!(name.kind, Kind::Node(_) | Kind::Link)).map_or(node.to_owned(), |name| name.name);
        match self.random.random_range(0..12) {
            0 => format!("{node}.{text} IN ['A', 'C']"),
            1 => format!("{node}.{number} {sign} {value}"),
            2 => format!("{link}.{number} {sign} {node}.{}", self.one_of(&NUMBERS)),
            3 => format!("{link}.{number} {sign} {other}.{}", self.one_of(&NUMBERS)),
            4 => format!("{node}.{text} {sign} {other}.{}", self.one_of(&TEXTS)),
            5 => format!("NOT {node}:Placeholder"),
            6 => format!("{link}.{text} = '{}'", self.one_of(&["A", "B"])),
            7 => format!("coalesce({node}.{number}, 7) {sign} {value}"),
            8 => format!("({node}.{number} {sign} {value} OR {link}.{text} = 'B')"),
            9 => format!("{node}.{} {sign} {value}.5", self.one_of(&FRACTIONS)),
            10 => format!("{node}.{number} IS {}NULL", self.one_of(&["", "NOT "])),
            _ => format!("{node}.{text} STARTS WITH '{}'", self.one_of(&["A", "B"])),
        }
    }

    /// An expression of what is known; a scalar.
    fn expression(&mut self) -> String {
        let (text, number) = (self.one_of(&TEXTS), self.one_of(&NUMBERS));
        let Some(name) = self.pick(|name| name.kind != Kind::List) else { return "1".to_owned() };
        let name_is_value = name.kind == Kind::Value;
        let name = name.name;
        if name_is_value {
            return match self.random.random_range(0..3) {
                0 => format!("{name} IS NULL"),
                1 => format!("coalesce({name}, 0)"),
                _ => name,
            };
        }
        match self.random.random_range(0..9) {
            0 => format!("{name}.{text}"),
            1 => format!("{name}.{number}"),
            2 => format!("{name}.{number} + 1"),
            3 => format!("{name}.{number} % 2 = 0"),
            4 => format!("CASE WHEN {name}.{number} > 1 THEN {name}.{text} ELSE 'none' END"),
            5 => format!("size([x IN [1, 2, 3] WHERE x > {name}.{number}])"),
            6 => format!("{name}.{text} + 'x'"),
            7 => format!("{name}.{} / 2", self.one_of(&FRACTIONS)),
            _ => format!("coalesce({name}.{number}, {name}.position)"),
        }
    }

    fn aggregate(&mut self) -> (String, Kind) {
        let expression = self.expression();
        let thing = self.pick(|name| matches!(name.kind, Kind::Node(_) | Kind::Link)).map_or("*".to_owned(), |name| name.name);
        let which = self.random.random_range(0..7);
        match which {
            0 => ("count(*)".to_owned(), Kind::Value),
            1 => (format!("count({thing})"), Kind::Value),
            2 if thing != "*" => (format!("count(DISTINCT {thing})"), Kind::Value),
            3 => (format!("collect({expression})"), Kind::List),
            4 => (format!("collect(DISTINCT {expression})"), Kind::List),
            5 => (format!("min({expression})"), Kind::Value),
            _ => (format!("max({expression})"), Kind::Value),
        }
    }

    fn with(&mut self) -> Clause {
        let mut kept: Vec<Name> = Vec::new();
        let names = self.names.clone();
        let aggregates = self.chance(50);
        for name in names {
            if self.chance(70) && !(aggregates && name.just_sought) {
                kept.push(Name { just_sought: false, ..name });
            }
        }
        let mut items: Vec<String> = kept.iter().map(|name| name.name.clone()).collect();
        for _ in 0..self.random.random_range(usize::from(items.is_empty() || aggregates)..3) {
            let (expression, kind) = if aggregates { self.aggregate() } else { (self.expression(), Kind::Value) };
            let name = self.fresh('v');
            items.push(format!("{expression} AS {name}"));
            kept.push(Name { name, kind, just_sought: false, absent: true });
        }
        let distinct = if !aggregates && self.chance(30) { "DISTINCT " } else { "" };
        let mut clause = Clause::new(format!("WITH {distinct}{}", items.join(", ")));
        // Rows that are equal in all that goes on are one as good as the other.
        if self.chance(25) && kept.iter().all(|name| name.kind != Kind::List) {
            let keys = kept.iter().map(|name| match name.kind {
                Kind::Node(_) => format!("{}.id", name.name),
                Kind::Link => format!("{}.uid", name.name),
                Kind::Value | Kind::List => name.name.clone(),
            });
            let keys: Vec<String> = keys.collect();
            clause.tail = format!(" ORDER BY {} LIMIT {}", keys.join(", "), self.random.random_range(1..6));
        }
        self.names = kept;
        clause
    }

    /// A sub-query that answers with one row.
    fn call(&mut self) -> Option<Clause> {
        let outside = self.names.clone();
        let (pattern, link, node, label) = self.pattern()?;
        let from = pattern[1..].split(')').next().unwrap_or_default().to_owned();
        self.names = vec![
            Name { name: link.clone(), kind: Kind::Link, just_sought: false, absent: false },
            Name { name: node.clone(), kind: Kind::Node(label), just_sought: false, absent: false },
        ];
        let conditions: Vec<String> = (0..self.random.random_range(0..3)).map(|_| self.condition(&link, &node)).collect();
        let conditions = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
        let inside = match self.random.random_range(0..3) {
            0 => (format!("WITH DISTINCT {node} RETURN count(*)"), Kind::Value),
            1 => (format!("RETURN count({link})"), Kind::Value),
            _ => (format!("RETURN collect([{node}.id, {link}.at])"), Kind::List),
        };
        let name = self.fresh('v');
        self.names = outside;
        self.name(&name, inside.1, false);
        Some(Clause::new(format!("CALL {{ WITH {from} MATCH {pattern}{conditions} {} AS {name} }}", inside.0)))
    }

    fn unwind(&mut self) -> Option<Clause> {
        let list = self.pick(|name| name.kind == Kind::List).map_or("[1, 2]".to_owned(), |name| name.name);
        let name = self.fresh('v');
        self.name(&name, Kind::Value, false);
        Some(Clause::new(format!("UNWIND {list} AS {name}")))
    }

    fn columns(&mut self) -> (Vec<String>, bool) {
        let mut columns = Vec::new();
        for _ in 0..self.random.random_range(1..4) {
            columns.push(self.expression());
        }
        let aggregates = self.chance(40) && !self.names.iter().any(|name| name.just_sought);
        if aggregates {
            for _ in 0..self.random.random_range(1..3) {
                let (aggregate, _) = self.aggregate();
                columns.push(aggregate);
            }
        } else {
            let nodes = self.names.iter().filter(|name| matches!(name.kind, Kind::Node(_))).map(|name| format!("{}.id", name.name));
            columns.extend(nodes);
            let lists = self.names.iter().filter(|name| name.kind == Kind::List).map(|name| format!("size({})", name.name));
            columns.extend(lists);
        }
        (columns, !aggregates && self.chance(30))
    }
}

/// A batch of writes: statements with their rows, and what to look at behind them.
#[derive(Clone)]
pub struct Writes {
    pub statements: Vec<(String, Vec<Value>)>,
}

/// Writes of their own for each seed.
pub fn writes(seed: u64, graph: &Graph) -> Writes {
    let mut random = StdRng::seed_from_u64(seed);
    let statements = (0..random.random_range(1..5)).map(|_| write(&mut random, graph)).collect();
    Writes { statements }
}

fn write(random: &mut StdRng, graph: &Graph) -> (String, Vec<Value>) {
    let (from, kind, to) = *LINKS.choose(random).expect("a link");
    let label = if random.random_bool(0.5) { from } else { *LABELS.choose(random).expect("a label") };
    let number = *NUMBERS.choose(random).expect("a property");
    let text = *TEXTS.choose(random).expect("a property");
    let head = "UNWIND $rows AS row";
    let ends = format!("{head} MATCH (a:`{from}` {{id: row.from}}) MATCH (b:`{to}` {{id: row.to}})");
    let one = format!("{head} MATCH (n:`{label}` {{id: row.id}})");
    let statement = match random.random_range(0..14) {
        0 => format!("{one} SET n.{number} = row.value, n.{text} = row.text"),
        1 => format!("{one} SET n += row.props"),
        2 => format!(
            "{head} MERGE (n:`{label}` {{id: row.new}}) ON CREATE SET n.name = row.text, n.{number} = row.value ON MATCH SET n.{text} = row.text"
        ),
        3 => format!("{one} SET n.{number} = coalesce(n.{number}, 0) + 1"),
        4 => format!("{ends} MERGE (a)-[r:{kind}]->(b) ON CREATE SET r.{number} = row.value SET r.{text} = row.text"),
        5 => format!("{ends} CREATE (a)-[r:{kind} {{{number}: row.value}}]->(b) SET r.{text} = row.text"),
        6 => format!("{head} MATCH (a:`{from}` {{id: row.from}})-[r:{kind}]->(b:`{to}`) WHERE r.{number} >= row.value DELETE r"),
        7 => format!("{one} REMOVE n.{number}, n:Placeholder"),
        8 => format!("{one} FOREACH (_ IN CASE WHEN n.{number} > 1 THEN [1] ELSE [] END | SET n:Placeholder)"),
        9 => format!("{one} OPTIONAL MATCH (n)-[r]->(x) WITH n, count(r) AS links SET n.{number} = links"),
        10 => {
            format!("{ends} OPTIONAL MATCH (a)-[r:{kind}]->(b) FOREACH (_ IN CASE WHEN r IS NULL THEN [1] ELSE [] END | CREATE (a)-[:{kind}]->(b))")
        }
        11 => format!("{one} DETACH DELETE n"),
        12 => format!("{one} WITH n, n.{number} AS before WHERE before >= row.value OR before IS NULL SET n.{number} = row.value")
            .replace("WITH n, ", "WITH n, row, "),
        _ => format!("{head} FOREACH (id IN row.ids | MERGE (x:`{label}` {{id: id}}) ON CREATE SET x.name = row.text SET x.{number} = row.value)"),
    };
    let rows = (0..random.random_range(1..5)).map(|at| row(random, graph, label, from, to, at)).collect();
    (statement, rows)
}

fn row(random: &mut StdRng, graph: &Graph, label: &str, from: &str, to: &str, at: usize) -> Value {
    let text: Value = (*["A", "B", "C"].choose(random).expect("a text")).into();
    let value = Value::Int(random.random_range(0..4));
    let new = if random.random_bool(0.5) { graph.id(random, label) } else { Value::from(format!("{}-new-{at}", graph.ids(label)[0])) };
    let props = cypher::map([("status", text.clone()), ("position", value.clone()), ("state", Value::Null)]);
    let ids = Value::List(vec![graph.id(random, label), new.clone()]);
    cypher::map([
        ("id", graph.id(random, label)),
        ("new", new),
        ("ids", ids),
        ("from", graph.id(random, from)),
        ("to", graph.id(random, to)),
        ("value", value),
        ("text", text),
        ("props", props),
    ])
}
