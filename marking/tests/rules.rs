//! The built-in rules that are statements: their tests pass on both engines, and are enough.

use std::time::{Duration, Instant};

use cypher::{Bolt, BoltAddress, Engine};
use detection::{Fault, Marker, Pack, Rule, Search, lint, test};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use marking::{MarkStatement, ScenarioMarker, check};
use tokio::runtime::Runtime;

/// What all tests and their lint may take.
const SOON: Duration = Duration::from_secs(120);

fn main() {
    let trials = vec![
        Trial::test("statements_have_no_faults", || {
            let faults: Vec<String> = check(&pack()).iter().map(ToString::to_string).collect();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
            Ok(())
        }),
        Trial::test("the_statement_of_the_documentation_has_no_faults", || {
            let documentation = include_str!("../../docs/detection.md");
            let (_, behind) = documentation.split_once("```cypher\n// ").expect("a statement");
            let (text, _) = behind.split_once("```").expect("its end");
            let rule = Rule { search: Search::Statement(format!("// {text}")), ..pep() };
            assert!(MarkStatement::of(&rule).map_err(told).expect("no faults").is_some());
            Ok(())
        }),
        Trial::test("faults_of_a_statement_are_told_together", faults_are_told),
        Trial::test("their_tests_pass_and_are_enough", || {
            let began = Instant::now();
            let marker = ScenarioMarker::embedded().expect("a store");
            their_tests_pass(&marker);
            let faults: Vec<String> = lint(&pack(), &marker).rules.into_iter().flat_map(|rule| rule.faults).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
            assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
            Ok(())
        }),
        Trial::ignorable_test("their_tests_pass_on_neo4j", || -> Result<Completion, Failed> {
            if let Err(reason) = test_support::neo4j::available() {
                return Ok(Completion::ignored_with(reason));
            }
            let runtime = Runtime::new()?;
            let engine = runtime.block_on(neo4j());
            their_tests_pass(&ScenarioMarker::on(runtime, engine));
            Ok(Completion::Completed)
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A rule whose one pass is its window.
fn pep() -> Rule {
    let pack = pack();
    pack.rule("pep-counterparty").expect("it").rule.clone()
}

fn told(faults: Vec<Fault>) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

fn faults_are_told() -> Result<(), Failed> {
    let places = |rule: &Rule, text: &str| -> Vec<String> {
        let rule = Rule { search: Search::Statement(text.to_owned()), ..rule.clone() };
        MarkStatement::of(&rule).err().unwrap_or_default().into_iter().map(|fault| fault.place).collect()
    };
    let ends = "UNWIND $actors AS id MATCH (p:Actor {id: id})<-[:OWNED_BY]-(t:Transaction)";
    let header = "// Payments.\n// $actors: LIST<STRING>\n";
    let columns = "// returns: actor, anchor, transactions, measures\n";
    let answer = "RETURN p.id AS actor, p.id AS anchor, collect(t.id) AS transactions, {} AS measures";
    let right = format!("{header}{columns}{ends} {answer}");
    assert_eq!(places(&pep(), &right), Vec::<String>::new());
    let other_type = right
        .replace("LIST<STRING>\n", "LIST<STRING>\n// $from: STRING\n")
        .replace("(t:Transaction) ", "(t:Transaction) WITH p, t WHERE t.name > $from ");
    assert_eq!(places(&pep(), &other_type), ["$from"]);
    let unknown = right
        .replace("LIST<STRING>\n", "LIST<STRING>\n// $least: FLOAT\n")
        .replace("(t:Transaction) ", "(t:Transaction) WITH p, t WHERE t.amount > $least ");
    assert_eq!(places(&pep(), &unknown), ["$least"]);
    let no_measures = right.replace(", measures\n", "\n").replace(", {} AS measures", "");
    assert_eq!(places(&pep(), &no_measures), ["// returns"]);
    let ring = pack().rule("mule-ring").expect("it").rule.clone();
    assert_eq!(places(&ring, &right), ["$shared_by_at_most"]);
    assert!(!places(&pep(), &right.replace("MATCH", "CREATE")).is_empty());
    Ok(())
}

fn pack() -> Pack {
    let pack = Pack::built_in().unwrap_or_else(|faults| panic!("{faults}"));
    let pack = pack.only(|rule| matches!(rule.search, Search::Statement(_)));
    assert_eq!(pack.rules().len(), 5);
    pack
}

fn their_tests_pass(marker: &dyn Marker) {
    let results = test(&pack(), marker).rules.into_iter().flat_map(|rule| rule.tests);
    let failing: Vec<String> = results.filter(|test| !test.passes()).map(|test| format!("{}: {}", test.file, test.differences.join("; "))).collect();
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

/// The Neo4j that all tests share.
async fn neo4j() -> Engine {
    let server = test_support::neo4j::shared();
    let (url, user, password) = (server.bolt_url().to_owned(), server.user().to_owned(), server.password().to_owned());
    let engine = Engine::Bolt(Bolt::open(BoltAddress { url, user, password, database: None, connections: 4 }).expect("an address"));
    cypher::migrate(&engine).await.expect("it migrates");
    engine
}
