use crate::graph::{Visit, links, lists, nodes};
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
        ("MATCH (a:Actor)-[r]->(b) DELETE r", Written::Anything),
        ("MATCH (n) SET n.x = 1", Written::Anything),
    ] {
        assert_eq!(written_by(text), written, "{text}");
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
        ("RETURN 1 AS one", None),
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

/// What is set, removed or deleted has a label or a type in its statement, under its own name or that by which it was found.
#[test]
fn every_write_names_the_labels_of_its_nodes() {
    let mut writing = 0;
    for statement in ALL {
        match written_by(statement.text) {
            Written::Nothing => continue,
            Written::Anything => panic!("{}: what it writes is not known by its text", statement.label),
            Written::These(names) => assert!(names.iter().any(|name| MAIN_LABELS.contains(name.as_str())), "{}: {names:?}", statement.label),
        }
        writing += 1;
        let code = without_comments(statement.text);
        for clause in ["SET ", "REMOVE ", "DELETE "] {
            for (at, _) in code.match_indices(clause) {
                let name = name_at(&code, at + clause.len());
                let is_found = code.contains(&format!("({name}:")) || code.contains(&format!("[{name}:"));
                // What was found under another name, which has its label there.
                let is_renamed =
                    code.contains(&format!(" AS {name}")) || code.contains(&format!("({name} IN ")) || code.contains(&format!("[{name} IN "));
                assert!(is_found || is_renamed, "{}: {clause}{name}", statement.label);
            }
        }
    }
    assert!(writing > 100, "{writing} statements write");
}

#[test]
fn what_a_payment_writes_is_what_walks_of_accounts_read() {
    let Written::These(written) = written_by(transaction::RECORD.statement().text) else { panic!("it writes known labels") };
    for name in ["Transaction", "Account", "SENT", "RECEIVED_BY", "TRANSFERRED_TO", "AuditEntry"] {
        assert!(written.contains(name), "{name}");
    }
    assert!(!written.contains("HAS_ROLE") && !written.contains("Case"), "{written:?}");
}

/// What is not known by its text is never kept: there are few of these.
#[test]
fn nearly_all_links_and_lists_are_known_by_their_texts() {
    let text = |link: &'static crate::graph::Link| {
        let step = link.whole(Visit { summary: true, ..Visit::of(link.to) });
        Visit { steps: vec![step], ..Visit::of(&nodes::ACTOR) }.compose().text
    };
    let unknown: Vec<&str> = links::ALL.iter().filter(|link| read_by(&text(link)).is_none()).map(|link| link.name).collect();
    let wanted =
        ["Actor.identities", "Actor.sharesIdentityWith", "Account.identities", "Case.title", "Observation.missingReferences", "Observation.handling"];
    assert_eq!(unknown, wanted);
    for list in lists::ALL {
        let step = list.link.whole(Visit { summary: true, ..Visit::of(list.link.to) });
        let slice = step.slice.clone().expect("a slice");
        for composed in [list.compose_page(&step, &slice), list.compose_count(&step)] {
            assert!(read_by(&composed.text).is_some(), "{}: {}", list.link.name, composed.text);
        }
    }
}
