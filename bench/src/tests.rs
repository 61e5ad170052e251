//! What is compared is what it is said to be: statements by hand do what they should, and requests are those the service takes.

use std::collections::HashSet;
use std::time::Duration;

use cypher::{Embedded, Engine, Params, Row, Statement};
use graph_schema::actor::ActorRecord;
use graph_schema::case::{CreateCase, UpdateCase};
use graph_schema::given::{Input, read};
use graph_schema::money::Money;
use graph_schema::risk::RiskScore;
use graph_schema::transaction::TransactionRecord;
use graphql_http::trusted::TrustedDocuments;
use graphql_http::{GraphqlLimits, Switch};
use test_support::neo4j::Neo4j;

use crate::payments::network::Network;
use crate::payments::{Accounts, Flow, Links, Naming, Payment, Random, Whom};
use crate::sections::ingest::make_accounts;
use crate::sections::screens::screens;
use crate::{database, traffic};

const ALL: Accounts = Accounts::Hubs;

#[tokio::test]
async fn by_hand_on_the_embedded_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = Engine::Embedded(Embedded::open(folder.path()).await.expect("a store"));
    pays_by_number(&engine).await;
}

#[test]
fn by_hand_on_neo4j() {
    if let Err(reason) = test_support::neo4j::private_available() {
        eprintln!("left out: {reason}");
        return;
    }
    // One of its own: it counts what is in the store.
    let server = Neo4j::start().expect("a Neo4j");
    let engine = database::raw(&server, 1).expect("a connection");
    tokio::runtime::Runtime::new().expect("a runtime").block_on(pays_by_number(&engine));
}

/// A number leads to the account that has it; where nobody has it to one external account, however often it is paid.
async fn pays_by_number(engine: &Engine) {
    cypher::migrate(engine).await.expect("migrated");
    make_accounts(engine).await.expect("accounts");
    let nobody = ALL.count();
    let known = [Whom::Iban(3), Whom::NumberAtBank(3), Whom::Id(3)];
    let strange = [Whom::Iban(nobody + 3), Whom::Iban(nobody + 3), Whom::Iban(nobody + 4)];
    for links in [Links::Merged, Links::Created] {
        let found: Vec<String> = receivers(engine, &known, links).await;
        assert!(found.iter().all(|to| to == "hub-00003"), "{found:?}");
        let made = receivers(engine, &strange, links).await;
        assert!(made[0] == made[1] && made[0] != made[2] && made[0].starts_with("external:"), "{made:?}");
    }
    const EXTERNAL: Statement = Statement::new(
        "test/external",
        "MATCH (:Account {id: 'hub-00001'})-[r:TRANSFERRED_TO]->(x:ExternalAccount)-[l:IDENTIFIED_BY]->(i:AccountIdentifier)\n\
         RETURN l.source AS source, i.paid AS paid, r.count AS count ORDER BY count",
    );
    let rows = database::read(engine, EXTERNAL, Params::none()).await.expect("read");
    let counts: Vec<i64> = rows.iter().map(|row| row.get("count").as_int().expect("a count")).collect();
    assert_eq!(counts, [2, 4], "one account for each number, paid with both kinds of links");
    assert!(rows.iter().all(|row| row.get("source").as_text() == Some("PAYMENT") && row.get("paid").as_bool() == Some(true)));
}

/// Pays to each; answers with the accounts that have received.
async fn receivers(engine: &Engine, whom: &[Whom], links: Links) -> Vec<String> {
    const LEFT: Statement = Statement::new("test/left_behind", include_str!("../statements/left_behind.cypher"));
    let mut receivers = Vec::new();
    for whom in whom {
        let payment = Payment::between(ALL, 1, *whom, Money { units: 5, nanos: 0 });
        database::write(engine, payment.statement(links), payment.params()).await.expect("written");
        let rows: Vec<Row> = database::read(engine, LEFT, Params::none().with("id", payment.id())).await.expect("read");
        assert_eq!(rows.len(), 1, "{whom:?} with all its links, once");
        receivers.push(rows[0].get("to").as_text().expect("an account").to_owned());
    }
    receivers
}

#[test]
fn requests_are_records() {
    let random = &mut Random::new(1);
    let network = Network::of_the_sample().expect("the sample");
    for _ in 0..20 {
        for naming in [Naming::Id, Naming::Number] {
            let payment = Flow { accounts: Accounts::Spread, naming }.payment(random);
            takes::<TransactionRecord>(payment.record.as_bytes());
            takes::<TransactionRecord>(network.payment(naming, random).record.as_bytes());
        }
        takes::<ActorRecord>(body(&traffic::actor(random)));
        takes::<RiskScore>(body(&traffic::risk_score(random)));
        takes::<CreateCase>(body(&traffic::create_case(random).request));
        takes::<UpdateCase>(body(&traffic::update_case("a-case")));
        takes::<UpdateCase>(body(&traffic::update_case_as("a-request", "a-case")));
    }
}

#[test]
fn workers_of_neighbouring_seeds_draw_from_sequences_that_do_not_meet() {
    let draws = (5_000..5_064).flat_map(|seed| {
        let mut random = Random::new(seed);
        (0..1_000).map(move |_| random.below(u64::MAX))
    });
    assert_eq!(draws.collect::<HashSet<u64>>().len(), 64_000);
}

#[tokio::test]
async fn documents_of_screens_fit_the_schema() {
    // Those of the settings where they say nothing else.
    let limits = GraphqlLimits {
        depth: 24,
        complexity: 50_000,
        aliases: 30,
        tokens: 5_000,
        batch: 0,
        steps: 12,
        time: Duration::from_secs(8),
        introspection: Switch::Off,
        suggestions: Switch::Off,
        graphiql: Switch::Off,
        trusted: TrustedDocuments::default(),
    };
    let check = graphql_mutations::document_check(&limits);
    let mut documents = 0;
    for screen in screens() {
        for document in [Some(screen.present), screen.former].into_iter().flatten() {
            let faults = check.faults(document).await;
            let told: Vec<String> = faults.iter().map(|fault| fault.told(&screen.caption)).collect();
            assert!(told.is_empty(), "{told:?} in {document}");
            documents += 1;
        }
    }
    assert_eq!(documents, 23, "twelve screens, of which one has no former document");
}

fn takes<T: Input>(body: &[u8]) {
    if let Err(faults) = read::<T>(body) {
        panic!("{faults:?} in {}", String::from_utf8_lossy(body));
    }
}

fn body(request: &[u8]) -> &[u8] {
    let head = request.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    &request[head + 4..]
}
