use crate::areas::{dense, unlabelled_nodes};
use crate::map;
use crate::scan::{name_at, without_comments, words};

use super::stripe::LONGEST_ID;
use super::*;

const RENAME: Statement = Statement::new("test/rename", "MATCH (a:Actor {id: $id}) SET a.name = 'x'");
const PAY: Statement =
    Statement::new("transaction/record", "UNWIND $rows AS row MERGE (a:Account {id: row.account}) CREATE (t:Transaction {id: row.id})<-[:SENT]-(a)");
const AMEND: Statement = Statement::new("test/amend", "MATCH (t:Transaction {id: $id})<-[s:SENT]-(a:Account) DELETE s");
const READ: Statement = Statement::new("test/read", "MATCH (a:Actor {id: $id}) RETURN a.name AS name");
const ACTORS: &str = "MATCH (n0:Actor {id: id}) RETURN n0.name AS name";
const SENT: &str = "MATCH (n0:Account {id: id})-[:SENT]->(n1:Transaction) RETURN n1.id AS id";
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(60);

fn writing(stamps: &Arc<Stamps>, statement: Statement, params: &Params) -> Writing {
    stamps.writing(statement, params).expect("it writes")
}

#[test]
fn an_answer_is_good_until_what_it_depends_on_is_touched() {
    let stamps = Arc::new(Stamps::new(LONG));
    let (actors, sent) = (stamps.areas_of(ACTORS).expect("areas"), stamps.areas_of(SENT).expect("areas"));
    let before = stamps.now();
    let is_good = |areas: &Areas| stamps.are_unchanged(areas, None, before);
    assert!(is_good(&actors) && is_good(&sent));
    let marks = writing(&stamps, RENAME, &Params::none()).mark();
    assert!(!is_good(&actors), "a write is under way");
    assert!(is_good(&sent), "it is about something else");
    drop(marks);
    assert!(!is_good(&actors), "it was read before");
    assert!(stamps.are_unchanged(&actors, None, stamps.now()), "it is read now");
    assert!(is_good(&sent));
    assert!(stamps.writing(READ, &Params::none()).is_none());
}

/// What was read while a write was under way may be from before it.
#[test]
fn what_was_read_during_a_write_is_not_good_after_it() {
    let stamps = Arc::new(Stamps::new(LONG));
    let actors = stamps.areas_of(ACTORS).expect("areas");
    let (one, other) = (writing(&stamps, RENAME, &Params::none()).mark(), writing(&stamps, RENAME, &Params::none()).mark());
    let during = stamps.now();
    one.settle();
    assert!(!stamps.are_unchanged(&actors, None, stamps.now()), "the other one is under way");
    drop(other);
    assert!(!stamps.are_unchanged(&actors, None, during));
    assert!(stamps.are_unchanged(&actors, None, stamps.now()));
}

/// What they make of ids that rows have, and of whoever has a number that is named.
const MADE_OF_IDS: [&str; 3] = ["from", "to", "fresh"];

/// Every node that they look for or make is named by an id of their parameters, or is the account of a number that is.
#[test]
fn statements_of_named_nodes_bind_no_others() {
    for label in OF_NAMED_NODES {
        let statement = crate::statements::ALL.iter().find(|statement| statement.label == label).expect("a statement");
        let code = dense(&without_comments(statement.text));
        assert_eq!(unlabelled_nodes(&code), std::collections::BTreeSet::new(), "{label}");
        let (mut named, mut of_numbers) = (0, 0);
        for (open, _) in code.match_indices('(') {
            let rest = &code[open + 1 + name_at(&code, open + 1).len()..];
            if !rest.starts_with(':') {
                continue;
            }
            let pattern = rest.split(')').next().expect("a part");
            match pattern.split_once("{id:") {
                Some((_, id)) => assert!(is_of_parameters(&code, id.split([',', '}']).next().expect("a part")), "{label}: ({pattern}"),
                None => {
                    assert!(code[..open].ends_with(":IDENTIFIED_BY|HINTED_BY]-"), "{label}: ({pattern})");
                    of_numbers += 1;
                }
            }
            named += 1;
        }
        assert!(named > 10 && (of_numbers > 0) == (label == "transaction/record_by_number"), "{label}: {named} nodes, {of_numbers} of numbers");
    }
}

/// What they set of a node that was there before, they set of one whose id is among those of nodes that change: accounts that a payment moves money between
/// stay as they are.
#[test]
fn statements_of_named_nodes_change_no_others_themselves() {
    let mut nodes = 0;
    for label in OF_NAMED_NODES {
        let statement = crate::statements::ALL.iter().find(|statement| statement.label == label).expect("a statement");
        let code = dense(&without_comments(statement.text));
        assert!(!code.contains("REMOVE ") && !code.contains("DELETE "), "{label}");
        for at in words(&code, "SET").filter(|at| !code[..*at].trim_end().ends_with("ON CREATE")) {
            let clause = &code[at + "SET".len()..];
            let ends = ["FOREACH", "WITH", "SET", "MERGE", "CREATE", "OPTIONAL"].iter().filter_map(|word| words(clause, word).next());
            let clause = &clause[..ends.min().unwrap_or(clause.len())];
            let names = clause.match_indices(['.', ':']).map(|(end, _)| clause[..end].rsplit(|character: char| !character.is_alphanumeric()).next());
            for name in names.flatten().filter(|name| !name.is_empty()) {
                // The pattern that binds it is the last one before; what has none is a link, or of the parameters.
                let Some((open, _)) = code[..at].rmatch_indices(&format!("({name}:")).next() else { continue };
                let id = code[open..].split_once("{id:").and_then(|(_, id)| id.split([',', '}']).next()).expect("an id");
                // To a node that has the label already it is a lock.
                let is_lock = clause.trim_start().starts_with(&format!("{name}:Account"));
                let is_changed = id.rsplit_once('.').is_some_and(|(_, member)| OF_CHANGED.contains(&member));
                assert!(is_lock || is_changed, "{label}: {name} of {id} is changed: SET {clause}");
                nodes += 1;
            }
        }
    }
    assert!(nodes > 3, "{nodes}");
}

/// Whether what an id is compared with is one of the members that are known to be ids, or a text of the statement.
fn is_of_parameters(code: &str, id: &str) -> bool {
    let is_member = |path: &str| path.rsplit_once('.').is_some_and(|(_, member)| OF_IDS.contains(&member));
    let is_item = || {
        let (_, list) = code.split_once(&format!("({id} IN "))?;
        list.split('|').next().map(is_member)
    };
    id == "''" || is_member(id) || MADE_OF_IDS.contains(&id) || is_item().unwrap_or_default()
}

#[test]
fn a_payment_touches_the_accounts_that_it_names() {
    let stamps = Arc::new(Stamps::new(LONG));
    let areas = stamps.areas_of(SENT).expect("areas");
    let before = stamps.now();
    let devices = vec![map([("id", "device".into()), ("name", "a phone".into())])];
    let props = map([("name", "payee".into()), ("numbers", vec!["number"].into())]);
    let row = map([
        ("id", "payment".into()),
        ("account", "payer".into()),
        ("owner", "x".repeat(LONGEST_ID + 1).into()),
        ("devices", devices.into()),
        ("locations", vec!["branch"].into()),
        ("currency", "EUR".into()),
        ("props", props),
    ]);
    let payment = Params::none().with("batch", map([("rows", vec![row].into())]));
    let is_good = |about: Option<&[Stripe]>| stamps.are_unchanged(&areas, about, before);
    let stripes = |ids: &[&str]| ids.iter().map(|id| Stripe::of_links(id).expect("a stripe")).collect::<Vec<_>>();
    let nodes = |ids: &[&str]| ids.iter().map(|id| Stripe::of_node(id).expect("a stripe")).collect::<Vec<_>>();
    let ids = ["payer", "payment", "device", "branch", "number"];
    assert!(is_good(Some(&stripes(&ids))));
    let marks = writing(&stamps, PAY, &payment).mark();
    let check = || {
        assert!(is_good(Some(&stripes(&["other", "third"]))));
        assert!(is_good(Some(&stripes(&["payee", "EUR", "a phone"]))), "these are no ids");
        for id in ids {
            assert!(!is_good(Some(&stripes(&["other", id]))), "{id}");
        }
        assert!(is_good(Some(&nodes(&["payer", "branch"]))), "only their links are touched");
        for id in ["payment", "device", "number"] {
            assert!(!is_good(Some(&nodes(&[id]))), "{id}: it may be made or changed");
        }
        assert!(!is_good(None), "it may be about any account");
    };
    check();
    drop(marks);
    check();
    writing(&stamps, AMEND, &Params::none().with("id", "payment")).mark().settle();
    assert!(!is_good(Some(&stripes(&["other"]))), "it may be about any account");
    assert!(Stripe::of_links(&"x".repeat(LONGEST_ID + 1)).is_none());
}

#[tokio::test]
async fn what_may_still_be_made_stays_marked_for_a_time() {
    let stamps = Arc::new(Stamps::new(SHORT));
    let actors = stamps.areas_of(ACTORS).expect("areas");
    let mut marks = writing(&stamps, RENAME, &Params::none()).mark();
    marks.in_doubt();
    drop(marks);
    assert!(!stamps.are_unchanged(&actors, None, stamps.now()), "it may still be made");
    tokio::time::sleep(SHORT * 4).await;
    assert!(stamps.are_unchanged(&actors, None, stamps.now()));
    let mut settled = writing(&stamps, RENAME, &Params::none()).mark();
    settled.in_doubt();
    settled.settle();
    assert!(stamps.are_unchanged(&actors, None, stamps.now()), "it is known what became of it");
}

/// While a database is away, every write ends so.
#[tokio::test]
async fn writes_in_doubt_of_one_kind_share_their_marks() {
    let stamps = Arc::new(Stamps::new(SHORT));
    let areas = stamps.areas_of(SENT).expect("areas");
    let about = Stripe::of_links("other").expect("a stripe");
    let before = stamps.now();
    for number in 0..100 {
        let mut marks = writing(&stamps, PAY, &Params::none().with("id", format!("payment-{number}"))).mark();
        marks.in_doubt();
    }
    let sent = stamps.area("SENT".to_owned());
    assert_eq!((sent.any.marked.load(SeqCst), sent.whole.marked.load(SeqCst)), (1, 1));
    assert!(!stamps.are_unchanged(&areas, Some(&[about]), stamps.now()), "all accounts count as being changed");
    tokio::time::sleep(SHORT * 4).await;
    assert_eq!((sent.any.marked.load(SeqCst), sent.whole.marked.load(SeqCst)), (0, 0));
    assert!(stamps.are_unchanged(&areas, None, stamps.now()) && !stamps.are_unchanged(&areas, Some(&[about]), before));
}

#[test]
fn what_may_touch_anything_is_noticed_by_all() {
    let stamps = Arc::new(Stamps::new(LONG));
    let actors = stamps.areas_of(ACTORS).expect("areas");
    let before = stamps.now();
    drop(writing(&stamps, Statement::new("test/any", "MATCH (n {id: $id}) SET n.x = 1"), &Params::none()).mark());
    assert!(!stamps.are_unchanged(&actors, Some(&[]), before));
    assert!(stamps.areas_of("MATCH (a:Actor)-->(b) RETURN b.name AS name").is_none());
}

/// What a process is told of another's writes.
#[test]
fn a_note_makes_useless_what_was_read_before_it() {
    let (ours, theirs) = (Stamps::new(LONG), Arc::new(Stamps::with_journal(LONG)));
    let (actors, sent) = (ours.areas_of(ACTORS).expect("areas"), ours.areas_of(SENT).expect("areas"));
    let stripes = |ids: &[&str]| ids.iter().map(|id| Stripe::of_links(id).expect("a stripe")).collect::<Vec<_>>();
    let journal = theirs.journal().expect("a journal");
    let told = |before: Moment| {
        let text = journal.take().note.to_text(1);
        ours.apply(&Note::of_text(&text, 1).expect("a note"));
        before
    };
    let payment = || Params::none().with("rows", vec![map([("id", "payment".into()), ("account", "payer".into())])]);

    let marks = writing(&theirs, PAY, &payment()).mark();
    let before = told(ours.now());
    assert!(!ours.are_unchanged(&sent, Some(&stripes(&["payer"])), before), "it is under way");
    assert!(ours.are_unchanged(&sent, Some(&stripes(&["other"])), before), "it names another account");
    assert!(!ours.are_unchanged(&sent, None, before) && ours.are_unchanged(&actors, None, before));
    marks.settle();
    let before = told(ours.now());
    assert!(!ours.are_unchanged(&sent, Some(&stripes(&["payer"])), before), "it is over, and was read before that");
    assert!(ours.are_unchanged(&sent, Some(&stripes(&["payer"])), ours.now()));

    writing(&theirs, RENAME, &Params::none()).mark().settle();
    let before = told(ours.now());
    assert!(!ours.are_unchanged(&actors, Some(&stripes(&["other"])), before), "it may be any actor");
    assert!(ours.are_unchanged(&sent, None, before));
    assert!(journal.take().note.is_empty() && journal.written() == 2);
    let before = ours.now();
    ours.apply(&Note::anything());
    assert!(!ours.are_unchanged(&sent, Some(&[]), before));
}

/// A write in doubt is told of for as long as it may come about.
#[tokio::test]
async fn what_may_still_be_made_is_in_every_note() {
    let stamps = Arc::new(Stamps::with_journal(SHORT));
    let journal = stamps.journal().expect("a journal");
    let mut marks = writing(&stamps, RENAME, &Params::none()).mark();
    marks.in_doubt();
    drop(marks);
    assert_eq!(journal.written(), 1);
    for _ in 0..2 {
        assert!(journal.take().note.whole.contains("Actor"));
    }
    tokio::time::sleep(SHORT * 4).await;
    assert!(journal.take().note.whole.contains("Actor"), "it has come to its end");
    assert!(journal.take().note.is_empty());
}
