use crate::Value;
use crate::graph::{Condition, Link, Step, Visit, links, lists, nodes};
use crate::statements::{ALL, transaction};

use super::*;

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_write_touches_the_labels_and_types_that_it_names() {
    for (text, written) in [
        ("MATCH (a:Actor {id: $id}) RETURN a.id AS id // SET a:Known", Written::Nothing),
        ("UNWIND $rows AS row MERGE (a:Actor {id: row.id}) SET a += row.props", Written::These(set(&["Actor"]))),
        (
            "MATCH (t:Transaction)-[old:SENT|RECEIVED_BY|:AT]-(x) SET t.text = 'a:Word' DELETE old",
            Written::These(set(&["Transaction", "SENT", "RECEIVED_BY", "AT"])),
        ),
        ("MATCH (c:`Case` {id: $id}) SET c.n = {a: CASE WHEN c:Open THEN 1 END}.a", Written::These(set(&["Case", "Open"]))),
        ("MATCH (w:RemovedWebhook) DETACH DELETE w", Written::These(set(&["RemovedWebhook", "Webhook", "DETACH DELETE"]))),
        (
            "MATCH (a:Actor)-[old:SENT | RECEIVED_BY |\n HAS_ROLE]-( x:(Known | !Open)&Late) DELETE old",
            Written::These(set(&["Actor", "SENT", "RECEIVED_BY", "HAS_ROLE", "Known", "Open", "Late"])),
        ),
        ("MATCH (a:Actor) - [ r ] -> (b) DELETE r", Written::Anything),
        ("MATCH (a:Actor)-[r]->(b) DELETE r", Written::Anything),
        ("MATCH (n) SET n.x = 1", Written::Anything),
        ("CREATE (e:AuditEntry {id: $id}) CREATE (c:ChangeSet:Unsequenced {id: $id})", Written::These(set(&[]))),
        ("CREATE (e:Event:Pending {id: $id})<-[:TELLS]-(d:Delivery {id: $id})", Written::These(set(&["TELLS", "Delivery"]))),
    ] {
        assert_eq!(written_by(text), written, "{text}");
    }
}

/// A node that is made as a placeholder has no links by which anybody could have found it before.
#[test]
fn a_placeholder_is_written_where_a_node_that_was_there_becomes_or_was_one() {
    for (text, is_written) in [
        ("MERGE (a:Actor {id: $id})\nON CREATE SET a:Placeholder, a.name = 'x' SET a.x = 1", false),
        ("MERGE (a:Actor {id: $id}) ON MATCH SET a:Placeholder", true),
        ("FOREACH (id IN $ids | MERGE (a:Actor {id: id}) ON CREATE SET a.x = 1 SET a.y = 1, a:Placeholder)", true),
        ("MATCH (a:Actor {id: $id}) WHERE a:Placeholder SET a.x = 1", false),
        ("MATCH (a:Actor {id: $id}) SET a.x = 1 REMOVE a.y, a:Placeholder", true),
    ] {
        let expected: &[&str] = if is_written { &["Actor", PLACEHOLDER] } else { &["Actor"] };
        assert_eq!(written_by(text), Written::These(set(expected)), "{text}");
    }
}

#[test]
fn an_answer_depends_on_what_its_statement_names() {
    for (text, read) in [
        ("MATCH (a:Actor {id: $id}) RETURN NOT a:Placeholder AS known", Some(set(&["Actor"]))),
        ("MATCH (d:DeadLetter) RETURN d.id AS id", Some(set(&["DeadLetter", "BulkItem"]))),
        ("MATCH (a:Account {id: $id}) RETURN COUNT { (a)-[:SENT]->() } AS sent", Some(set(&["Account", "SENT", "DETACH DELETE"]))),
        (
            "MATCH (o:Observation) WHERE EXISTS { MATCH (o)-[:CITES]->(named) WHERE named:Placeholder } RETURN o.id AS id",
            Some(set(&["Observation", "CITES", "Placeholder", "DETACH DELETE"])),
        ),
        ("MATCH (a:Actor)-[:HAS_PHONE|HAS_EMAIL]->(b) RETURN b.name AS name", None),
        ("MATCH (a:Actor)-[r]->(b:Actor) RETURN b.name AS name", None),
        ("MATCH (a:Actor)-[:HAS_PHONE]->( b:Phone) RETURN b.name AS name", Some(set(&["Actor", "HAS_PHONE", "Phone"]))),
        // What has a label in one sub-query has none in another, unless that answers with it.
        ("CALL { MATCH (b:Phone) RETURN b.id AS x } MATCH (a:Actor)-[:HAS_PHONE]->(b) RETURN b.name AS name", None),
        ("MATCH (a:Actor) WHERE EXISTS { (a)-[:KNOWS]->(b:Actor) } MATCH (a)-[:HAS_PHONE]->(b) RETURN b.name AS name", None),
        ("CALL { MATCH (b:Phone) RETURN b } MATCH (a:Actor)-[:HAS_PHONE]->(b) RETURN b.name AS name", Some(set(&["Actor", "HAS_PHONE", "Phone"]))),
        ("RETURN 1 AS one", None),
        // Entries of the audit log come with every write, and with reads: nothing about them is kept.
        ("MATCH (a:Actor {id: $id}) MATCH (e:AuditEntry {id: a.id}) RETURN e.name AS name", None),
        ("MATCH (c:`Case` {id: $id}) RETURN COUNT { MATCH (e:Event {caseId: c.id}) } AS events", None),
    ] {
        assert_eq!(read_by(text), read, "{text}");
    }
}

/// A label that is none of these would be an area of its own, which a write that names its nodes by another label does not touch.
#[test]
fn every_label_is_a_main_label_or_goes_with_one() {
    let is_label = |name: &&str| name.chars().any(|character| character.is_ascii_lowercase());
    let goes_with_one = |name: &str| name == PLACEHOLDER || FURTHER_LABELS.iter().any(|(further, _)| *further == name);
    for statement in ALL {
        let code = without_comments(statement.text);
        for name in names(&code).into_iter().filter(is_label) {
            assert!(MAIN_LABELS.contains(name) || goes_with_one(name), "{}: {name} is in no list of labels", statement.label);
        }
    }
    for (further, main) in FURTHER_LABELS {
        assert!(MAIN_LABELS.contains(main) && !MAIN_LABELS.contains(further), "{further}, {main}");
    }
    for node in nodes::ALL {
        assert!(MAIN_LABELS.contains(node.label), "{}", node.label);
    }
}

/// All names that clauses set, remove or delete, each with its place.
fn written_names(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for clause in ["SET", "REMOVE", "DELETE"] {
        for behind in words(code, clause).map(|at| at + clause.len()) {
            let (mut depth, mut is_first) = (0, true);
            for (at, character) in pattern_at(code, behind).char_indices() {
                if is_first && character != ' ' {
                    found.push((behind + at, name_at(code, behind + at)));
                    is_first = false;
                }
                match character {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth -= 1,
                    ',' if depth == 0 => is_first = true,
                    _ => {}
                }
            }
        }
    }
    found
}

/// What is set, removed or deleted has a label or a type in its statement, under its own name or that by which it was found.
#[test]
fn every_write_names_the_labels_of_its_nodes() {
    let mut writing = 0;
    for statement in ALL {
        match written_by(statement.text) {
            Written::Nothing => continue,
            Written::Anything => panic!("{}: what it writes is not known by its text", statement.label),
            // What nobody keeps is all that it writes, links that go with it aside.
            Written::These(names) if names.iter().all(|name| name == DETACHED) => {}
            Written::These(names) => assert!(names.iter().any(|name| MAIN_LABELS.contains(name.as_str())), "{}: {names:?}", statement.label),
        }
        writing += 1;
        let code = dense(&without_comments(statement.text));
        let blocks = blocks(&code);
        for (at, name) in written_names(&code) {
            let is_found = is_labelled(&code, &blocks, name, at) || code.contains(&format!("[{name}:"));
            // What was found under another name, which has its label there.
            let is_renamed = [format!("AS {name}"), format!("{name} IN")].iter().any(|part| words(&code, part).next().is_some());
            assert!(is_found || is_renamed, "{}: {name} in {}", statement.label, &code[at..code.len().min(at + 80)]);
        }
    }
    assert!(writing > 100, "{writing} statements write");
}

#[test]
fn what_a_payment_writes_is_what_walks_of_accounts_read() {
    let Written::These(written) = written_by(transaction::RECORD.statement().text) else { panic!("it writes known labels") };
    for name in ["Transaction", "Account", "SENT", "RECEIVED_BY", "TRANSFERRED_TO"] {
        assert!(written.contains(name), "{name}");
    }
    for name in ["HAS_ROLE", "Case", "AuditEntry", PLACEHOLDER] {
        assert!(!written.contains(name), "{name}: {written:?}");
    }
}

/// What is not known by its text is never kept, nor what is about the audit log or events: there are few of these.
#[test]
fn nearly_all_links_and_lists_are_known_by_their_texts() {
    let text = |step: Step| Visit { steps: vec![step], ..Visit::of(&nodes::ACTOR) }.compose().text;
    let whole = |link: &'static Link| link.whole(Visit { summary: true, ..Visit::of(link.to) });
    let unknown: Vec<&str> = links::ALL.iter().filter(|link| read_by(&text(whole(link))).is_none()).map(|link| link.name).collect();
    let wanted = [
        "Actor.identities",
        "Actor.sharesIdentityWith",
        "RiskScore.recordedBy",
        "ActorExclusion.recordedBy",
        "Account.identities",
        "Transaction.recordedBy",
        "TransactionVersion.recordedBy",
        "Case.title",
        "Observation.missingReferences",
        "Observation.handling",
        "Case.events",
        "Delivery.event",
    ];
    assert_eq!(unknown, wanted);
    for link in links::ALL.iter().filter(|link| !wanted.contains(&link.name)) {
        for step in filtered(whole(link)) {
            let text = text(step);
            assert!(read_by(&text).is_some(), "{}: {text}", link.name);
        }
    }
    for list in lists::ALL.iter().filter(|list| list.link.name != "Query.auditEntries") {
        for step in filtered(whole(&list.link)).chain([whole(&list.link)]) {
            let slice = step.slice.clone().expect("a slice");
            for composed in [list.compose_page(&step, &slice), list.compose_count(&step)] {
                let Some(read) = read_by(&composed.text) else { panic!("{}: {}", list.link.name, composed.text) };
                // An entry of either engine depends on what this text says.
                for other in composed.for_embedded.iter() {
                    assert!(read_by(other).is_some_and(|other| other.is_subset(&read)), "{}: {other}", list.link.name);
                }
            }
        }
    }
}

/// A step with each of its filters alone.
fn filtered(step: Step) -> impl Iterator<Item = Step> {
    let filters = step.link.filters.all().iter();
    filters.map(move |filter| Step { conditions: vec![Condition { filter, value: Value::Null }], ..step.clone() })
}
