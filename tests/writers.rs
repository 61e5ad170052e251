//! Many writers at once on the same few accounts: nothing is lost, nothing counts twice, and what is refused is refused alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::support::fixtures::{NOON, Other, Payment, account, iban, with};
use crate::support::ledger::{self, Known};
use crate::support::{Api, Engine, Ids, Server, Store, tests};

tests![both: sixty_four_writers_on_ten_hubs, a_bad_record_fails_alone, the_same_payment_from_all_sides, both_sides_report_a_pair_at_once;
    neo4j: two_instances_on_one_database, two_instances_pay_a_pair_at_once, a_pair_loses_its_only_payment_as_it_gets_another,
    an_account_arrives_as_its_number_is_paid];

const WRITERS: usize = 64;
const PAYMENTS: usize = 1_500;
/// A database on a busy machine may plan a statement for longer than a client is let wait.
const TRIES: usize = 20;

/// Payments among ten accounts; the numbers are arbitrary and always the same.
fn payments(ids: &Ids, count: usize) -> Vec<Payment> {
    let hub = |number: usize| ids.of(&format!("hub-{}", number % 10));
    let payment = |number: usize| {
        let amount = format!("{}.{:09}", number % 997, (number * 123_456_789) % 1_000_000_000);
        Payment::new(ids.of(&format!("payment-{number}")), hub(number * 7), hub(number * 3 + number / 10)).amount(amount).at(NOON + number as i64)
    };
    (0..count).map(payment).collect()
}

/// Sends all payments, each writer the next that nobody has taken; the servers take turns. Answers with the statuses.
async fn send_all(apis: Vec<Api>, payments: &[String]) -> Vec<u16> {
    let payments: Arc<[String]> = payments.into();
    let next = Arc::new(AtomicUsize::new(0));
    let writers = (0..WRITERS).map(|writer| {
        let (api, payments, next) = (apis[writer % apis.len()].clone(), Arc::clone(&payments), Arc::clone(&next));
        tokio::spawn(async move {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(payment) = payments.get(number) else { return done };
                done.push((number, send(&api, payment).await));
            }
        })
    });
    let mut statuses = vec![0; payments.len()];
    for writer in futures::future::join_all(writers).await {
        for (number, status) in writer.expect("a writer ends well") {
            statuses[number] = status;
        }
    }
    statuses
}

/// Sends a payment as a good client does: told to come again, it comes again, which is safe.
async fn send(api: &Api, payment: &str) -> u16 {
    for _ in 0..TRIES {
        let answer = api.post("/api/v2/transactions", payment).await;
        let Ok(wait) = answer.header("retry-after").parse() else { return answer.status };
        assert_eq!(answer.status, 503, "{answer:?}");
        tokio::time::sleep(Duration::from_secs(wait)).await;
    }
    503
}

fn texts(payments: &[Payment]) -> Vec<String> {
    payments.iter().map(Payment::text).collect()
}

async fn sixty_four_writers_on_ten_hubs(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let payments = payments(&ids, PAYMENTS);
    let statuses = send_all(vec![server.client()], &texts(&payments)).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), PAYMENTS);
    ledger::check(&server, &payments, &Known::default()).await;
}

/// Two payments between accounts that are known and had none before, each pair's sent at the same moment: it gets one roll-up, not two.
async fn two_instances_pay_a_pair_at_once(_: Engine) {
    let (one, other, ids) = (Server::on(Store::Shared), Server::on(Store::Shared), Ids::new());
    let pairs = 0..100;
    let name = |what: &str, number: usize| ids.of(&format!("{what}-{number}"));
    let known = pairs.clone().flat_map(|number| {
        ["payer", "payee"].map(|what| Payment::new(ids.of(&format!("known-{what}-{number}")), name(what, number), ids.of("elsewhere")))
    });
    let known: Vec<Payment> = known.collect();
    let paid = pairs.flat_map(|number| ["one", "other"].map(|what| Payment::new(name(what, number), name("payer", number), name("payee", number))));
    let paid: Vec<Payment> = paid.collect();
    for batch in [&known, &paid] {
        let statuses = send_all(vec![one.client(), other.client()], &texts(batch)).await;
        assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    }
    ledger::check(&one, &[known, paid].concat(), &Known::default()).await;
}

/// The sender's bank and the receiver's report different payments of a pair at the same moment, each naming the other side by its number.
async fn both_sides_report_a_pair_at_once(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let mut known = Known::default();
    let iban_of = |what: usize, number: usize| iban(&format!("37040044{what}{number:09}"));
    let mut payments = Vec::new();
    for number in 0..40 {
        let [payer, payee] = ["payer", "payee"].map(|what| ids.of(&format!("{what}-{number}")));
        for (what, id) in [&payer, &payee].into_iter().enumerate() {
            server.post("/api/accounts", with(account(id), json!({"iban": iban_of(what, number)})).to_string()).await.expect(200);
            known.arrived(id, &iban_of(what, number), "37040044", &format!("{what}{number:09}"));
        }
        let sent = Payment { other: Other::Iban(iban_of(1, number)), ..Payment::new(ids.of(&format!("sent-{number}")), payer.as_str(), "") };
        let received = Payment {
            other: Other::Iban(iban_of(0, number)),
            direction: "INBOUND",
            ..Payment::new(ids.of(&format!("received-{number}")), payee.as_str(), "")
        };
        payments.extend([sent, received]);
    }
    let statuses = send_all(vec![server.client()], &texts(&payments)).await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    ledger::check(&server, &payments, &known).await;
}

async fn two_instances_on_one_database(_: Engine) {
    let (one, other, ids) = (Server::on(Store::Shared), Server::on(Store::Shared), Ids::new());
    let mut payments = payments(&ids, 600);
    // Every fifth is sent again with another amount, through whichever instance comes next.
    let again: Vec<Payment> = payments.iter().step_by(5).map(|payment| payment.clone().amount("0.000000001")).collect();
    for batch in [texts(&payments), texts(&again)] {
        let statuses = send_all(vec![one.client(), other.client()], &batch).await;
        assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    }
    for (payment, again) in payments.iter_mut().step_by(5).zip(again) {
        *payment = again;
    }
    ledger::check(&one, &payments, &Known::default()).await;
    ledger::check(&other, &payments, &Known::default()).await;
}

/// What is sent at one moment, each by an instance of its own.
async fn at_once(apis: &[Api], requests: Vec<(&str, String)>) {
    let sent = requests.into_iter().enumerate().map(|(number, (path, text))| {
        let api = &apis[number % apis.len()];
        async move {
            for _ in 0..TRIES {
                let answer = api.post(path, text.clone()).await;
                if answer.status == 200 {
                    return;
                }
                assert_eq!(answer.status, 503, "{answer:?}");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            panic!("{path} never took {text}");
        }
    });
    futures::future::join_all(sent).await;
}

const PAYMENTS_PATH: &str = "/api/v2/transactions";

/// A roll-up that counts nothing any more must still be there for the payment that has found it and waits for its lock.
async fn a_pair_loses_its_only_payment_as_it_gets_another(_: Engine) {
    let (one, other, ids) = (Server::on(Store::Shared), Server::on(Store::Shared), Ids::new());
    let apis = [one.client(), other.client()];
    let payment =
        |name: &str, pair: usize| Payment::new(ids.of(&format!("{name}-{pair}")), ids.of(&format!("payer-{pair}")), ids.of(&format!("payee-{pair}")));
    for pair in 0..40 {
        let (first, second) = (payment("first", pair), payment("second", pair).at(NOON + 60));
        at_once(&apis, vec![(PAYMENTS_PATH, first.text())]).await;
        let cancelled = Payment { status: "CANCELLED", ..first };
        at_once(&apis, vec![(PAYMENTS_PATH, cancelled.text()), (PAYMENTS_PATH, second.text())]).await;
        ledger::check(&one, &[cancelled, second], &Known::default()).await;
    }
}

/// An account takes over what was paid to its number while more is paid to it, and while a payment to it turns out to be somebody else's.
async fn an_account_arrives_as_its_number_is_paid(_: Engine) {
    let (one, other, ids) = (Server::on(Store::Shared), Server::on(Store::Shared), Ids::new());
    let apis = [one.client(), other.client()];
    for round in 0..20 {
        let iban = iban(&ids.digits(16).chars().chain(format!("{round:02}").chars()).collect::<String>());
        let payment = |name: &str| {
            let payment = Payment::new(ids.of(&format!("{name}-{round}")), ids.of(&format!("payer-{round}")), "");
            Payment { other: Other::Iban(iban.clone()), ..payment }
        };
        let (first, second, third) = (payment("first"), payment("second"), payment("third").at(NOON + 60));
        at_once(&apis, vec![(PAYMENTS_PATH, first.text()), (PAYMENTS_PATH, second.text())]).await;
        let elsewhere = Payment { other: Other::Account(ids.of(&format!("elsewhere-{round}"))), ..second };
        let id = ids.of(&format!("arrived-{round}"));
        let record = with(account(&id), json!({"iban": iban})).to_string();
        at_once(&apis, vec![("/api/accounts", record), (PAYMENTS_PATH, elsewhere.text()), ("/api/v2/transactions", third.text())]).await;
        let mut known = Known::default();
        known.arrived(&id, &iban, "no bank", "no number");
        ledger::check(&one, &[first, elsewhere, third], &known).await;
    }
}

async fn a_bad_record_fails_alone(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payments = payments(&ids, 200);
    let unknown = json!({"channel_location_id": ids.of("nowhere")});
    let bad = |number: usize| number.is_multiple_of(10);
    let texts: Vec<String> =
        payments.iter().enumerate().map(|(number, payment)| if bad(number) { payment.text_with(unknown.clone()) } else { payment.text() }).collect();
    let statuses = send_all(vec![server.client()], &texts).await;
    for (number, status) in statuses.iter().enumerate() {
        assert_eq!(*status, if bad(number) { 400 } else { 200 }, "payment {number}");
    }
    let good: Vec<Payment> = payments.into_iter().enumerate().filter(|(number, _)| !bad(*number)).map(|(_, payment)| payment).collect();
    ledger::check(&server, &good, &Known::default()).await;
}

/// Three payments, each sent by all writers with amounts of their own: whichever came last counts, and only that.
async fn the_same_payment_from_all_sides(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let sent: Vec<Payment> =
        (0..240).map(|number| Payment { id: ids.of(&format!("payment-{}", number % 3)), ..payments(&ids, number + 1).remove(number) }).collect();
    let statuses = send_all(vec![server.client()], &texts(&sent)).await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let mut stored = BTreeMap::new();
    for id in sent.iter().map(|payment| payment.id.clone()).collect::<BTreeSet<_>>() {
        let record = server.get(&format!("/api/v2/transactions/{id}")).await.expect(200).text;
        let payment = sent.iter().find(|payment| payment.text() == record).unwrap_or_else(|| panic!("nobody sent {record}"));
        stored.insert(id, payment.clone());
    }
    let accounts: BTreeSet<String> = (0..10).map(|number| ids.of(&format!("hub-{number}"))).collect();
    assert_eq!(ledger::roll_ups(&server, &accounts).await, ledger::totals(stored.values(), &Known::default()));
}
