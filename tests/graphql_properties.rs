//! What is stored can be reached in GraphQL, or `graphql_properties.tsv` says why not.
//!
//! Each line of that table is about a property of a label or of a type of links: the field of the schema that shows it, or a reason why none does. `*` is every
//! property of a label, or a property wherever it is. Somebody who stores something new adds a line; which lines are missing is seen in stores that other
//! tests have filled through the API ([`of_the_screens`], [`of_the_page`]), and in what the program has statements for. `seen` says in which of these stores
//! a property is, so that one that is written no more loses its line; `-` is for what none of them has.
//!
//! No test can see whether a field shows the property that a line names. So values of each kind of nodes are compared, where a field
//! shows them as they are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition};
use async_graphql::{Name, Positioned};
use chrono::DateTime;
use cypher::graph::{links, nodes};
use serde_json::{Map, Value, json};

use crate::support::{Api, Engine, Server, Store, tests};

tests![embedded: every_line_names_a_field_or_says_why_there_is_none, what_the_program_has_statements_for_has_a_line];

const TABLE: &str = include_str!("graphql_properties.tsv");

/// What stands for all properties that institutions define.
const CUSTOM: &str = "c__…";

/// What fields say in another way: the band of an order, whether a time is over, an enum in its own spelling, a sum of two parts, nothing where a time
/// is not known.
const OTHERWISE: [(&str, &str); 6] = [
    ("Case", "riskOrder"),
    ("RequestForData", "overdueAt"),
    ("CustomProperty", "entity"),
    ("Workflow", "createdAt"),
    ("Observation", "standardUnits"),
    ("Observation", "standardNanos"),
];

/// So many nodes of each label are compared with what GraphQL shows, those with the most properties; and others that have as many, up to the second number.
const COMPARED: usize = 5;
const MOST_COMPARED: usize = 50;
/// So many are asked for at a time.
const AT_ONCE: usize = 10;

/// Properties by what has them: a label, or a type of links.
type Stored = BTreeMap<String, BTreeSet<String>>;

struct Line {
    /// Of the file, the first being 1.
    at: usize,
    of: &'static str,
    property: &'static str,
    seen: &'static str,
    /// A type and its field.
    field: Option<(&'static str, &'static str)>,
    why: &'static str,
}

impl Line {
    fn read(at: usize, text: &'static str) -> Self {
        let (of, property, seen, field, why) = match text.split('\t').collect::<Vec<_>>()[..] {
            [of, property, seen, field] => (of, property, seen, field, ""),
            [of, property, seen, field, why] => (of, property, seen, field, why),
            _ => panic!("graphql_properties.tsv, line {at}: must have four columns with tabs between, and a fifth where no field is named: {text}"),
        };
        Self { at, of, property, seen, field: field.split_once('.'), why }
    }

    fn says(&self, what: &str) -> String {
        format!("graphql_properties.tsv, line {} ({} of {}): {what}", self.at, self.property, self.of)
    }
}

struct Table {
    lines: Vec<Line>,
    about: BTreeSet<(&'static str, &'static str)>,
}

impl Table {
    fn read() -> Self {
        let mut texts = TABLE.lines();
        assert_eq!(texts.next(), Some("of\tproperty\tseen\tfield\twhy not"), "graphql_properties.tsv, line 1");
        let lines: Vec<Line> = (2..).zip(texts).map(|(at, text)| Line::read(at, text)).collect();
        let about = lines.iter().map(|line| (line.of, line.property)).collect();
        Self { lines, about }
    }

    fn has(&self, of: &str, property: &str) -> bool {
        let property = if property.starts_with("c__") { CUSTOM } else { property };
        [(of, property), (of, "*"), ("*", property)].iter().any(|line| self.about.contains(line))
    }

    /// What is wrong when this is what a store has, which the table calls `place`.
    fn differences(&self, stored: &Stored, place: &str) -> Vec<String> {
        let all = stored.iter().flat_map(|(of, properties)| properties.iter().map(move |property| (of, property)));
        let unknown = all
            .filter(|(of, property)| !self.has(of, property))
            .map(|(of, property)| format!("{property} of {of} is stored: say in graphql_properties.tsv which field shows it, or why none does"));
        let has = |line: &&Line| stored.get(line.of).is_some_and(|properties| properties.contains(line.property));
        let gone = self.lines.iter().filter(|line| line.seen == place && !has(line));
        unknown.chain(gone.map(|line| line.says(&format!("is not stored any more where it was ({place})")))).collect()
    }

    /// Lines about a kind of nodes whose fields show the property as it is, each with the field and the type of its values.
    fn values_of<'a>(&'a self, kind: &str, schema: &'a Schema) -> Vec<(&'a Line, &'static str, &'a str)> {
        let of_kind = self.lines.iter().filter(|line| line.of == kind && !OTHERWISE.contains(&(line.of, line.property)));
        of_kind
            .filter_map(|line| {
                let (of, field) = line.field.filter(|(of, _)| *of == kind)?;
                let values = schema.fields.get(of)?.get(field)?.as_str();
                // Others are nodes and lists of parts.
                (!schema.fields.contains_key(values)).then_some((line, field, values))
            })
            .collect()
    }
}

/// The types of the schema that have fields.
struct Schema {
    /// The fields of each, with the types that they lead to.
    fields: BTreeMap<String, BTreeMap<String, String>>,
    /// Types that a question can come to, from `Query` on.
    reached: BTreeSet<String>,
}

impl Schema {
    fn read() -> Self {
        let document = parse_schema(include_str!("../docs/schema.graphql")).expect("the schema");
        let (mut fields, mut leads_to) = (BTreeMap::new(), BTreeMap::<String, BTreeSet<String>>::new());
        for definition in document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let name = definition.node.name.node.to_string();
            let of = match definition.node.kind {
                TypeKind::Object(object) => {
                    // Who comes to an interface comes to what implements it.
                    for interface in texts(&object.implements) {
                        leads_to.entry(interface).or_default().insert(name.clone());
                    }
                    types(&object.fields)
                }
                TypeKind::Interface(interface) => types(&interface.fields),
                TypeKind::Union(union) => {
                    leads_to.entry(name).or_default().extend(texts(&union.members));
                    continue;
                }
                _ => continue,
            };
            leads_to.entry(name.clone()).or_default().extend(of.values().cloned());
            fields.insert(name, of);
        }
        let (mut reached, mut next) = (BTreeSet::new(), vec!["Query".to_owned()]);
        while let Some(name) = next.pop() {
            if reached.insert(name.clone()) {
                next.extend(leads_to.get(&name).into_iter().flatten().cloned());
            }
        }
        Self { fields, reached }
    }

    fn has(&self, of: &str, field: &str) -> bool {
        self.reached.contains(of) && self.fields.get(of).is_some_and(|fields| fields.contains_key(field))
    }
}

fn texts(names: &[Positioned<Name>]) -> impl Iterator<Item = String> {
    names.iter().map(|name| name.node.to_string())
}

/// Fields with the types that they lead to.
fn types(fields: &[Positioned<FieldDefinition>]) -> BTreeMap<String, String> {
    fields.iter().map(|field| (field.node.name.node.to_string(), named(&field.node.ty.node).to_owned())).collect()
}

fn named(field: &Type) -> &str {
    match &field.base {
        BaseType::Named(name) => name,
        BaseType::List(item) => named(item),
    }
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

async fn every_line_names_a_field_or_says_why_there_is_none(_: Engine) {
    let (table, schema) = (Table::read(), Schema::read());
    let (mut wrong, mut before) = (Vec::new(), BTreeSet::new());
    for line in &table.lines {
        if !before.insert((line.of, line.property)) {
            wrong.push(line.says("stands there twice"));
        }
        if !["screens", "page", "-"].contains(&line.seen) || ([line.of, line.property].contains(&"*") && line.seen != "-") {
            wrong.push(line.says("is seen in `screens` or in `page`, or is `-`, as everything with `*` is"));
        }
        match line.field {
            Some((of, field)) if !schema.has(of, field) => wrong.push(line.says(&format!("no question comes to a field {of}.{field}"))),
            Some(_) if line.why.is_empty() => {}
            None if !line.why.is_empty() => {}
            _ => wrong.push(line.says("names a field (`Type.field`), or has `-` and the reason, and not both")),
        }
        // A reason may say where the same is told.
        for word in line.why.split(|sign: char| !sign.is_alphanumeric() && sign != '.') {
            let named = word.split_once('.').filter(|(of, field)| of.starts_with(char::is_uppercase) && !field.is_empty());
            if let Some((of, field)) = named.filter(|(of, field)| !schema.has(of, field)) {
                wrong.push(line.says(&format!("the reason names {of}.{field}, to which no question comes")));
            }
        }
    }
    assert_none(&wrong);
}

async fn what_the_program_has_statements_for_has_a_line(_: Engine) {
    let (table, root) = (Table::read(), Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut wrong = Vec::new();
    for node in nodes::ALL {
        let read = node.summary.iter().flat_map(|column| behind("{b}.", column.text)).chain(node.record);
        wrong.extend(read.filter(|property| !table.has(node.label, property)).map(|property| format!("{property} of {} is read", node.label)));
    }
    for link in links::ALL {
        let said: Vec<&str> =
            link.pattern.split_once("[{r}:").and_then(|(_, rest)| rest.split(']').next()).into_iter().flat_map(|types| types.split('|')).collect();
        let read = link.edge.iter().flat_map(|column| behind("{r}.", column.text));
        let unknown = read.filter(|property| !said.is_empty() && !said.iter().any(|link| table.has(link, property)));
        wrong.extend(unknown.map(|property| format!("{property} of {said:?} is read")));
    }
    let mut statements = String::new();
    collect(&root.join("cypher/statements"), &mut statements);
    let of: BTreeSet<&str> = table.lines.iter().map(|line| line.of).collect();
    let labels: BTreeSet<&str> = statements.lines().filter(|line| !line.starts_with("//")).flat_map(labels).collect();
    assert!(labels.len() > 50, "{labels:?}");
    wrong.extend(labels.difference(&of).map(|label| format!("nodes are {label}")));
    let mut wrong: Vec<String> =
        wrong.iter().map(|what| format!("{what}: say in graphql_properties.tsv which field shows it, or why none does")).collect();

    // Of what no test's store has it is known at least whether the program has a word for it.
    let mut sources = statements;
    for folder in ["cypher/parts", "cypher/src", "graph-schema/src", "resolvers/src"] {
        collect(&root.join(folder), &mut sources);
    }
    let words: BTreeSet<&str> = sources.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
    for line in table.lines.iter().filter(|line| line.seen == "-") {
        let is_gone = [line.of, line.property.trim_end_matches('…')].into_iter().any(|word| word != "*" && !words.contains(word));
        if is_gone {
            wrong.push(line.says("the program has no word for it any more"));
        }
    }
    assert_none(&wrong);
}

/// The names that follow on each place of a mark in a text.
fn behind<'a>(mark: &'a str, text: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(mark).skip(1).filter_map(|rest| rest.split(|sign: char| !sign.is_alphanumeric()).next())
}

/// Labels in a line of a statement. Types of links have no small letters.
fn labels(line: &str) -> impl Iterator<Item = &str> {
    let named = line.split(':').skip(1).filter_map(|rest| rest.trim_start_matches('`').split(|sign: char| !sign.is_alphanumeric()).next());
    named.filter(|name| name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase))
}

/// The texts of all files of a folder and of those inside it.
fn collect(folder: &Path, texts: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, texts);
        } else {
            texts.push_str(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
            texts.push('\n');
        }
    }
}

/// What the sample has once the commands of `docs/graph.md` have run, as far as the table says that it is seen there. The server has stopped.
pub fn of_the_page(store: &Store) {
    let table = Table::read();
    let of: BTreeSet<&str> = table.lines.iter().filter(|line| line.seen == "page").map(|line| line.of).collect();
    let query = |of: &&str| {
        let pattern = if of.contains(char::is_lowercase) { format!("(n:{of})") } else { format!("()-[n:{of}]->()") };
        format!("MATCH {pattern} UNWIND keys(n) AS property RETURN DISTINCT '{of}' AS of, property")
    };
    let mut stored = Stored::new();
    for row in store.cypher(&of.iter().map(query).collect::<Vec<_>>().join(" UNION ALL ")) {
        let (Some(of), Some(property)) = (row["of"].as_str(), row["property"].as_str()) else { panic!("a property: {row}") };
        stored.entry(of.to_owned()).or_default().insert(property.to_owned());
    }
    assert_none(&table.differences(&stored, "page"));
}

/// All that an embedded store has once the screens of an analyst have been worked with, and that GraphQL shows the same values.
pub async fn of_the_screens(server: &mut Server) {
    let all = "MATCH (n) RETURN labels(n) AS of, properties(n) AS kept UNION ALL MATCH ()-[r]->() RETURN [type(r)] AS of, properties(r) AS kept";
    let rows = server.cypher(all);
    let (mut stored, mut found) = (Stored::new(), BTreeMap::<&str, Vec<&Map<String, Value>>>::new());
    for row in &rows {
        let (Some(of), Some(kept)) = (row["of"].as_array(), row["kept"].as_object()) else { panic!("a node or a link: {row}") };
        for of in of.iter().filter_map(Value::as_str) {
            stored.entry(of.to_owned()).or_default().extend(kept.keys().cloned());
            found.entry(of).or_default().push(kept);
        }
    }
    let table = Table::read();
    assert_none(&table.differences(&stored, "screens"));
    values_are_shown(server, &table, found).await;
}

async fn values_are_shown(api: &Api, table: &Table, found: BTreeMap<&str, Vec<&Map<String, Value>>>) {
    let schema = Schema::read();
    let (mut wrong, mut compared) = (Vec::new(), BTreeMap::<&str, usize>::new());
    for (kind, mut nodes) in found {
        let told = table.values_of(kind, &schema);
        if told.is_empty() || !schema.has(kind, "nodeId") {
            continue;
        }
        nodes.sort_by_key(|kept| Reverse(kept.len()));
        // Not some of those that are alike: which these are differs from run to run.
        let least = nodes.get(COMPARED - 1).map_or(0, |kept| kept.len());
        nodes.retain(|kept| kept.len() >= least);
        nodes.truncate(MOST_COMPARED);
        let fields: Vec<&str> = told.iter().map(|(_, field, _)| *field).collect();
        let query = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ ... on {kind} {{ {} }} }} }}", fields.join(" "));
        let mut shown: Vec<Value> = Vec::new();
        for some in nodes.chunks(AT_ONCE) {
            let ids: Vec<String> = some.iter().map(|kept| format!("{kind}:{}", kept["id"].as_str().expect("an id"))).collect();
            shown.extend(api.graphql(&query, json!({"ids": ids})).await["nodes"].as_array().expect("nodes").iter().cloned());
        }
        // What is hidden is null, such as a webhook that was removed.
        for (kept, shown) in nodes.iter().zip(&shown).filter(|(_, shown)| !shown.is_null()) {
            for (line, field, values) in &told {
                let Some(value) = kept.get(line.property) else { continue };
                *compared.entry(kind).or_default() += 1;
                if !is_same(values, value, &shown[*field]) {
                    wrong.push(line.says(&format!("{value} is stored, and {} is shown", shown[*field])));
                }
            }
        }
    }
    assert_none(&wrong);
    assert!(compared.len() > 25 && compared.values().sum::<usize>() > 400, "{compared:?}");
}

/// Whether a stored value is the one that a field of this type shows: times are milliseconds, JSON is text, and exact numbers are shown as texts.
fn is_same(values: &str, stored: &Value, shown: &Value) -> bool {
    let number = |value: &Value| value.as_str().map_or_else(|| value.as_f64(), |text| text.parse::<f64>().ok());
    match (values, stored) {
        ("DateTime", _) => {
            let at = shown.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok()).map(|at| at.timestamp_millis());
            at.is_some() && at == stored.as_i64()
        }
        ("JSON", Value::String(text)) => serde_json::from_str::<Value>(text).is_ok_and(|value| value == *shown),
        (_, Value::Number(_)) => number(shown).zip(number(stored)).is_some_and(|(shown, stored)| (shown - stored).abs() < 1e-6),
        _ => stored == shown,
    }
}
