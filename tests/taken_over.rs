//! An account arrives whose number many have paid before: their payments become its own in steps, which other writes pass and no crash undoes, and
//! whoever reads meanwhile finds every payment once.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt;
use rust_decimal::Decimal;
use serde_json::json;

use crate::support::fixtures::{NOON, Other, Payment, account, iban, with};
use crate::support::ledger::{self, Known, decimal};
use crate::support::{Api, Engine, Ids, Server, eventually, jobs, tests};

tests![both: payments_follow_a_number_in_steps, a_crash_in_between_loses_nothing];

const PAYERS: usize = 24;
/// More than are moved as the account arrives, and more than one step more.
const PAYMENTS: usize = 2_600;
/// More than there are steps: of so many looks one is beside none.
const STEPS: usize = 40;
/// So often something is sent that a busy machine puts off.
const TRIES: usize = 20;
const PATH: &str = "/api/v2/transactions";

/// Payments of some payers to one number, each of one euro, and of one payee of the other direction.
fn payments(ids: &Ids, iban: &str) -> Vec<Payment> {
    let payment = |number: usize| {
        let direction = if number.is_multiple_of(5) { "INBOUND" } else { "OUTBOUND" };
        let payment = Payment::new(ids.of(&format!("payment-{number}")), ids.of(&format!("payer-{}", number % PAYERS)), "");
        Payment { direction, other: Other::Iban(iban.to_owned()), ..payment.amount("1").at(NOON + number as i64) }
    };
    (0..PAYMENTS).map(payment).collect()
}

/// A database on a busy machine may plan a statement for longer than a client is let wait: told to come again, a good client comes again.
async fn send(api: &Api, path: &str, text: &str) {
    for _ in 0..TRIES {
        let answer = api.post(path, text).await;
        if answer.status == 200 {
            return;
        }
        assert_eq!(answer.status, 503, "{answer:?}");
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("never taken: {text}");
}

async fn send_all(api: &Api, payments: &[Payment]) {
    let sent = futures::stream::iter(payments.iter().map(Payment::text)).map(|text| async move { send(api, PATH, &text).await });
    sent.buffer_unordered(64).for_each(|()| async {}).await;
}

const EDGES: &str = "query($id: ID!) { account(id: $id) {
    transferredTo(first: 10) { edges { count total } } receivedFrom(first: 10) { edges { count total } } } }";

/// What a payer has sent and received in all, whoever has it now.
async fn sums(api: &Api, payer: &str) -> (i64, Decimal) {
    let account = &api.graphql(EDGES, json!({"id": payer})).await["account"];
    let edges = ["transferredTo", "receivedFrom"].into_iter().flat_map(|link| account[link]["edges"].as_array().expect("edges"));
    edges.fold((0, Decimal::ZERO), |(count, total), edge| {
        (count + edge["count"].as_i64().expect("a count"), total + decimal(edge["total"].as_str().expect("a total")))
    })
}

async fn payments_follow_a_number_in_steps(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let iban = iban(&ids.digits(18));
    let mut payments = payments(&ids, &iban);
    send_all(&server, &payments).await;
    let payee = ids.of("payee");
    send(&server, "/api/accounts", &with(account(&payee), json!({"iban": iban})).to_string()).await;

    // While the payments are on their way some change, some go, and more come.
    payments[PAYMENTS - 1].amount = "5".to_owned();
    payments[PAYMENTS - 2].status = "CANCELLED";
    payments.push(Payment { other: Other::Iban(iban.clone()), ..Payment::new(ids.of("later"), ids.of("payer-0"), "") });
    send_all(&server, &payments[PAYMENTS - 2..]).await;
    let mut wanted: BTreeMap<String, (i64, Decimal)> = BTreeMap::new();
    for payment in payments.iter().filter(|payment| payment.status == "COMPLETED") {
        let (count, total) = wanted.entry(payment.account.clone()).or_default();
        (*count, *total) = (*count + 1, *total + decimal(&payment.amount));
    }
    let external = format!("external:{}", ledger::keys(&Other::Iban(iban.clone()))[0]);
    let mut looks = 0;
    loop {
        let data = server.graphql("query($id: ID!) { account(id: $id) { id } }", json!({"id": external})).await;
        for (payer, wanted) in &wanted {
            // One who reads twice while a step is made may see a payment twice on a database that reads what is newest; looking again shows it once.
            let mut found = sums(&server, payer).await;
            for _ in 0..STEPS {
                if found == *wanted || engine == Engine::Embedded {
                    break;
                }
                found = sums(&server, payer).await;
            }
            assert_eq!(found, *wanted, "{payer}, look {looks}");
        }
        looks += 1;
        if data["account"].is_null() {
            break;
        }
        assert!(looks < 2_000, "it never ends");
    }
    println!("looked {looks} times");
    let mut known = Known::default();
    known.arrived(&payee, &iban, "no bank", "no number");
    ledger::check(&server, &payments, &known).await;
    jobs::none_left(&server).await;
}

async fn a_crash_in_between_loses_nothing(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let iban = iban(&ids.digits(18));
    let payments = payments(&ids, &iban);
    send_all(&server, &payments).await;
    let payee = ids.of("payee");
    send(&server, "/api/accounts", &with(account(&payee), json!({"iban": iban})).to_string()).await;
    for _ in 0..3 {
        server.kill();
        server.start_again();
    }
    let external = format!("external:{}", ledger::keys(&Other::Iban(iban.clone()))[0]);
    let is_gone = async || server.graphql("query($id: ID!) { account(id: $id) { id } }", json!({"id": external})).await["account"].is_null();
    // The lease of the one that was killed has to run out.
    eventually("all payments have followed", Duration::from_secs(300), is_gone).await;
    let mut known = Known::default();
    known.arrived(&payee, &iban, "no bank", "no number");
    ledger::check(&server, &payments, &known).await;
}
