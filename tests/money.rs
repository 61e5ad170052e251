//! The roll-ups: exact sums, whatever was sent, sent again, reported by both sides, or paid to a number before its account was known.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use rust_decimal::Decimal;
use serde_json::json;

use crate::support::bulk::{SOON, bulk_payment, taken};
use crate::support::fixtures::{NOON, Other, Payment, account, french_iban, iban, with};
use crate::support::ledger::{self, Known, decimal, to_the_billionth};
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

/// So often a request is sent that a busy machine puts off.
const TRIES: usize = 30;

tests![both: any_history_ends_in_exact_sums, numbers_that_are_named_together_are_one_accounts, an_iban_arrives_for_a_number_at_its_bank,
    a_number_of_an_accounts_own_never_leaves_it, refunds_are_summed_as_said, sums_are_exact_to_the_billionth, both_sides_of_a_payment_count_once, the_larger_side_counts_to_the_last_digit,
    an_amended_payment_takes_back_what_it_added, a_payment_to_oneself, an_account_takes_over_what_was_paid_to_its_number, each_currency_by_itself,
    a_sum_is_exact_past_64_bits];

async fn send(api: &Api, payment: &Payment) {
    api.post("/api/v2/transactions", payment.text()).await.expect(200);
}

/// Sends payments one after the other and checks the roll-ups; the last word on an id counts.
async fn send_and_check(api: &Api, payments: &[Payment]) {
    let mut last = BTreeMap::new();
    for payment in payments {
        send(api, payment).await;
        last.insert(payment.id.clone(), payment.clone());
    }
    ledger::check(api, last.values(), &Known::default()).await;
}

/// How many payments the roll-ups of an account say it has received.
async fn payments_received(api: &Api, account: &str) -> i64 {
    let data = api.graphql("query($id: ID!) { account(id: $id) { receivedFrom { edges { count } } } }", json!({"id": account})).await;
    let edges = data["account"]["receivedFrom"]["edges"].as_array().cloned().unwrap_or_default();
    edges.iter().map(|edge| edge["count"].as_i64().expect("a count")).sum()
}

/// The first total among the roll-ups of an account.
async fn total_sent(api: &Api, account: &str) -> Decimal {
    let data = api.graphql("query($id: ID!) { account(id: $id) { transferredTo { edges { total } } } }", json!({"id": account})).await;
    decimal(data["account"]["transferredTo"]["edges"][0]["total"].as_str().expect("a total"))
}

/// Nobody has so much money; whoever tries it out is answered all the same.
async fn a_sum_is_exact_past_64_bits(engine: Engine) {
    // Half a unit: the nearest double is the number itself, so that JSON built here says the same.
    const AMOUNT: &str = "999999999999999.5";
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (from, to) = (ids.of("from"), ids.of("to"));
    let total = async || {
        let query = "query($id: ID!) { account(id: $id) { transferredTo { edges { count total } } } }";
        // Until the first of them is stored there is no account.
        let data = server.graphql(query, json!({"id": from})).await;
        let edge = &data["account"]["transferredTo"]["edges"][0];
        (edge["count"].as_u64().unwrap_or_default(), edge["total"].as_str().unwrap_or_default().to_owned())
    };
    // An amount in billionths, so many times.
    let sum = |payments: u64| {
        let nanos = 999_999_999_999_999_500_000_000_i128 * i128::from(payments);
        decimal(&format!("{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000))
    };
    let payments = |request: u64| -> Vec<serde_json::Value> {
        let payment = |at: u64| bulk_payment(&ids.of(&format!("t-{request}-{at}")), &from, &to);
        let large =
            |payment| with(payment, serde_json::from_str(&format!(r#"{{"amount": {{"value": {AMOUNT}, "currency": "EUR"}}}}"#)).expect("JSON"));
        (0..1_000).map(payment).map(large).collect()
    };
    for request in 0..10 {
        taken(&server, &ids.of(&format!("request-{request}")), &json!({"transactions": payments(request)})).await;
    }
    eventually("all are counted", Duration::from_secs(300), async || total().await.0 == 10_000).await;
    assert_eq!(decimal(&total().await.1), sum(10_000));
    let single = Payment::new(ids.of("single"), &*from, &*to).amount(AMOUNT);
    send(&server, &single).await;
    assert_eq!((total().await.0, decimal(&total().await.1)), (10_001, sum(10_001)));
    // The other side says it, too: nothing counts twice. And what is taken back is taken back.
    send(&server, &Payment { id: ids.of("other"), account: to.clone(), other: Other::Account(from.clone()), direction: "INBOUND", ..single.clone() })
        .await;
    assert_eq!(decimal(&total().await.1), sum(10_001));
    send(&server, &Payment { status: "CANCELLED", ..single }).await;
    assert_eq!((total().await.0, decimal(&total().await.1)), (10_000, sum(10_000)));
}

async fn sums_are_exact_to_the_billionth(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, &[&str], &str); 7] = [
        ("tenths that no binary fraction holds", &["0.1", "0.2", "0.3"], "0.6"),
        ("the same value in other words", &["1.50", "15e-1", "0.15E1", "1.5"], "6"),
        ("a thousand", &["1e3", "1000", "1.000e+3"], "3000"),
        ("billionths that carry over", &["0.999999999", "0.000000001", "2.000000001"], "3.000000001"),
        ("large and small", &["999999999999999", "0.000000001", "0.000000001"], "999999999999999.000000002"),
        ("half to even past the ninth decimal", &["0.0000000005", "0.0000000015", "0.0000000025"], "0.000000004"),
        ("nothing", &["0", "0.00"], "0"),
    ];
    for (what, amounts, wanted) in table {
        let ids = Ids::new();
        for (number, amount) in amounts.iter().enumerate() {
            let payment = Payment::new(ids.of(&format!("payment-{number}")), ids.of("payer"), ids.of("payee"));
            send(&server, &payment.amount(*amount)).await;
        }
        assert_eq!(total_sent(&server, &ids.of("payer")).await, decimal(wanted), "{what}");
        assert_eq!(amounts.iter().map(|amount| to_the_billionth(amount)).sum::<Decimal>(), decimal(wanted), "the table, {what}");
    }
}

async fn both_sides_of_a_payment_count_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (payer, payee) = (ids.of("payer"), ids.of("payee"));
    let sent = |number: u32| Payment::new(ids.of(&format!("sent-{number}")), &payer, &payee).amount("7.25");
    let received =
        |number: u32| Payment { direction: "INBOUND", ..Payment::new(ids.of(&format!("received-{number}")), &payee, &payer).amount("7.25") };
    let history = [sent(1), received(1), sent(2), received(2), sent(3)];
    send_and_check(&server, &history).await;
    assert_eq!(total_sent(&server, &payer).await, decimal("21.75"));
}

async fn the_larger_side_counts_to_the_last_digit(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (payer, payee) = (ids.of("payer"), ids.of("payee"));
    let sent = Payment::new(ids.of("sent"), &payer, &payee).amount("900000000000000.000000002");
    let received = Payment { direction: "INBOUND", ..Payment::new(ids.of("received"), &payee, &payer).amount("900000000000000.000000001") };
    send_and_check(&server, &[sent, received]).await;
}

type Amend = fn(Payment, &Ids) -> Payment;

async fn an_amended_payment_takes_back_what_it_added(engine: Engine) {
    let server = Server::shared(engine);
    let base = |ids: &Ids| Payment::new(ids.of("amended"), ids.of("payer"), ids.of("payee")).amount("100.10");
    let amendments: [(&str, Amend); 9] = [
        ("another amount", |payment, _| payment.amount("0.01")),
        ("cancelled", |payment, _| Payment { status: "CANCELLED", ..payment }),
        ("pending again", |payment, _| Payment { status: "PENDING", ..payment }),
        ("another payee", |payment, ids| Payment { other: Other::Account(ids.of("other")), ..payment }),
        ("nobody on the other side", |payment, _| Payment { other: Other::Nobody, ..payment }),
        ("another payer", |payment, ids| Payment { account: ids.of("other"), ..payment }),
        ("the other direction", |payment, _| Payment { direction: "INBOUND", ..payment }),
        ("another currency", |payment, _| Payment { currency: "USD", ..payment }),
        ("an earlier time", |payment, _| payment.at(NOON - 86_400)),
    ];
    for (what, amend) in amendments {
        let ids = Ids::new();
        let first = base(&ids);
        let amended = amend(first.clone(), &ids);
        let beside = Payment::new(ids.of("beside"), ids.of("payer"), ids.of("payee")).amount("1").at(NOON + 60);
        println!("{what}");
        // Alone, beside another payment of the same pair, and back again.
        send_and_check(&server, &[first.clone(), amended.clone()]).await;
        send_and_check(&server, &[first.clone(), beside.clone(), amended.clone()]).await;
        send_and_check(&server, &[beside, amended.clone(), amended, first.clone()]).await;
    }
}

async fn a_payment_to_oneself(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let own = ids.of("own");
    let out = Payment::new(ids.of("out"), &own, &own).amount("3");
    let back = Payment { direction: "INBOUND", ..Payment::new(ids.of("in"), &own, &own).amount("3") };
    send_and_check(&server, &[out.clone(), back, Payment::new(ids.of("more"), &own, &own).amount("4"), out.amount("5")]).await;
}

async fn each_currency_by_itself(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payment =
        |number: u32, currency| Payment { currency, ..Payment::new(ids.of(&format!("payment-{number}")), ids.of("payer"), ids.of("payee")) };
    send_and_check(&server, &[payment(1, "EUR"), payment(2, "USD"), payment(3, "EUR"), payment(4, "JPY")]).await;
}

async fn an_account_takes_over_what_was_paid_to_its_number(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (iban, bank, number) = (iban(&ids.digits(18)), ids.digits(8), ids.digits(10));
    let mut known = Known::default();
    let from = |name: &str, other: Other| Payment { other, ..Payment::new(ids.of(name), ids.of("payer"), "") };
    let by_number = || Other::Number { bank: bank.clone(), number: number.clone() };
    let mut payments = vec![
        from("to-iban", Other::Iban(iban.clone())).amount("1.1"),
        from("to-number", by_number()).amount("2.2"),
        Payment { direction: "INBOUND", ..from("from-iban", Other::Iban(iban.clone())).amount("3.3") },
        Payment { status: "PENDING", ..from("not-yet", Other::Iban(iban.clone())).amount("4.4") },
    ];
    for payment in &payments {
        send(&server, payment).await;
    }
    ledger::check(&server, &payments, &known).await;

    // IBANs are written with blanks, too.
    let written = iban.as_bytes().chunks(4).map(|part| String::from_utf8_lossy(part).into_owned()).collect::<Vec<_>>().join(" ");
    let payee = ids.of("payee");
    let record = with(account(&payee), json!({"iban": written, "bankCode": bank, "accountNumber": number}));
    server.post("/api/accounts", record.to_string()).await.expect(200);
    known.arrived(&payee, &iban, &bank, &number);
    ledger::check(&server, &payments, &known).await;
    for gone in [Other::Iban(iban.clone()), by_number()].map(|other| format!("external:{}", ledger::keys(&other)[0])) {
        let data = server.graphql("query($id: ID!) { account(id: $id) { id } }", json!({"id": gone})).await;
        assert!(data["account"].is_null(), "{gone} is the account now");
    }

    payments.push(from("later", by_number()).amount("5.5"));
    payments[3].status = "COMPLETED";
    for payment in &payments[3..] {
        send(&server, payment).await;
    }
    ledger::check(&server, &payments, &known).await;
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |order: Vec<usize>| (0..count).map(move |at| [&order[..at], &[last], &order[at..]].concat());
    orders(last).into_iter().flat_map(insert).collect()
}

/// Sends requests one after the other, or all at once.
async fn send_requests(api: &Api, requests: &[(&str, String)], at_once: bool) {
    // Who is told to come again comes again.
    let post = async |path: &str, text: &String| {
        for _ in 0..TRIES {
            let answer = api.post(path, text.clone()).await;
            if answer.status == 200 {
                return;
            }
            assert_eq!(answer.status, 503, "{answer:?}");
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        panic!("{path} never took {text}");
    };
    if at_once {
        futures::future::join_all(requests.iter().map(|(path, text)| post(path, text))).await;
        return;
    }
    for (path, text) in requests {
        post(path, text).await;
    }
}

async fn numbers_that_are_named_together_are_one_accounts(engine: Engine) {
    let server = Server::shared(engine);
    for order in orders(4) {
        for (arrives, at_once) in [(true, false), (false, false), (true, true)] {
            let ids = Ids::new();
            let (iban, bank, number) = (french_iban(&format!("10207{}", ids.digits(18))), ids.digits(8), ids.digits(10));
            let to = |name: &str, other: Other| Payment { other, ..Payment::new(ids.of(name), ids.of("payer"), "") };
            let payments = [
                to("by-number", Other::Number { bank: bank.clone(), number: number.clone() }).amount("1"),
                to("by-both", Other::Both { iban: iban.clone(), bank: bank.clone(), number: number.clone() }).amount("10"),
                Payment { direction: "INBOUND", ..to("by-iban", Other::Iban(iban.clone())).amount("100") },
            ];
            let mut requests: Vec<(&str, String)> = payments.iter().map(|payment| ("/api/v2/transactions", payment.text())).collect();
            let payee = ids.of("payee");
            requests.push(("/api/accounts", with(account(&payee), json!({"iban": iban})).to_string()));
            let requests: Vec<(&str, String)> = order.iter().filter(|at| arrives || **at < 3).map(|at| requests[*at].clone()).collect();
            send_requests(&server, &requests, at_once).await;
            let mut known = Known::default();
            // Without an account they are one external account's, which is called after the first of its numbers.
            let holder = if arrives { payee } else { format!("external:account:{bank}:{}", number.trim_start_matches('0')) };
            known.arrived(&holder, &iban, &bank, &number);
            println!("{order:?}, arrives: {arrives}, at once: {at_once}");
            ledger::check(&server, &payments, &known).await;
        }
    }
}

async fn an_iban_arrives_for_a_number_at_its_bank(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (bank, number) = (ids.digits(8), format!("00{}", ids.digits(8)));
    let iban = iban(&format!("{bank}{number}"));
    let to = |name: &str, other: Other| Payment { other, ..Payment::new(ids.of(name), ids.of("payer"), "") };
    let short = number.trim_start_matches('0').to_owned();
    let payments = [
        to("by-number", Other::Number { bank: bank.clone(), number: short.clone() }).amount("10"),
        to("by-both", Other::Both { iban: iban.clone(), bank: bank.clone(), number: short }).amount("1"),
    ];
    for payment in &payments {
        send(&server, payment).await;
    }
    let payee = ids.of("payee");
    server.post("/api/accounts", with(account(&payee), json!({"iban": iban})).to_string()).await.expect(200);
    let mut known = Known::default();
    known.arrived(&payee, &iban, &bank, &number);
    ledger::check(&server, &payments, &known).await;
    assert_eq!(total_sent(&server, &ids.of("payer")).await, decimal("11"));
}

async fn a_number_of_an_accounts_own_never_leaves_it(engine: Engine) {
    let server = Server::shared(engine);
    for order in orders(4) {
        let ids = Ids::new();
        let (iban, bank, number) = (french_iban(&format!("10207{}", ids.digits(18))), ids.digits(8), ids.digits(10));
        let to = |name: &str, other: Other| Payment { other, ..Payment::new(ids.of(name), ids.of("payer"), "") };
        let false_claim = Other::Both { iban: iban.clone(), bank: bank.clone(), number: number.clone() };
        let payments = [to("claim", false_claim), to("by-number", Other::Number { bank: bank.clone(), number: number.clone() }).amount("7")];
        let mut requests: Vec<(&str, String)> = payments.iter().map(|payment| ("/api/v2/transactions", payment.text())).collect();
        let (one, other) = (ids.of("one"), ids.of("other"));
        requests.push(("/api/accounts", with(account(&one), json!({"iban": iban})).to_string()));
        requests.push(("/api/accounts", with(account(&other), json!({"bankCode": bank, "accountNumber": number})).to_string()));
        let requests: Vec<(&str, String)> = order.iter().map(|at| requests[*at].clone()).collect();
        send_requests(&server, &requests, false).await;
        let mut known = Known::default();
        known.arrived(&one, &iban, "no bank", "no number");
        known.arrived(&other, "no iban", &bank, &number);
        println!("{order:?}");
        // What has gone to one of them by a false claim follows in the background.
        let totals = ledger::totals(&payments, &known);
        for account in [one, other] {
            let wanted: i64 = totals.iter().filter(|((_, to, _), _)| *to == account).map(|(_, total)| total.count).sum();
            let there = async || payments_received(&server, &account).await == wanted;
            eventually("payments follow their numbers", SOON, there).await;
        }
        ledger::check(&server, &payments, &known).await;
    }
}

async fn refunds_are_summed_as_said(engine: Engine) {
    let server = Server::shared(engine);
    // What the sender's side said, what the receiver's side said, and the larger sum of those that said something.
    let table: [(&[&str], &[&str], &str); 7] = [
        (&["-12.30"], &[], "-12.3"),
        (&[], &["-0.000000001"], "-0.000000001"),
        (&["-5", "2.5"], &[], "-2.5"),
        (&["-5"], &["-7"], "-5"),
        (&["-5"], &["3"], "3"),
        (&["1", "-0.000000002"], &["0.999999999"], "0.999999999"),
        (&["5", "-5"], &["-1"], "0"),
    ];
    for (sent, received, wanted) in table {
        let ids = Ids::new();
        let (payer, payee) = (ids.of("payer"), ids.of("payee"));
        let sent = sent.iter().enumerate().map(|(number, amount)| Payment::new(ids.of(&format!("sent-{number}")), &payer, &payee).amount(*amount));
        let received = received.iter().enumerate().map(|(number, amount)| {
            let payment = Payment::new(ids.of(&format!("received-{number}")), &payee, &payer);
            Payment { direction: "INBOUND", ..payment.amount(*amount) }
        });
        let history: Vec<Payment> = sent.chain(received).collect();
        send_and_check(&server, &history).await;
        assert_eq!(total_sent(&server, &payer).await, decimal(wanted), "{history:?}");
    }
}

/// One step of a history: a payment is sent (again), or an account arrives.
#[derive(Clone, Debug)]
enum Step {
    Send { payment: u8, account: u8, other: u8, by: u8, amount: String, facts: u8, at: u8 },
    Arrive(u8),
}

const ACCOUNTS: u8 = 4;

fn step() -> impl Strategy<Value = Step> {
    let amount = prop_oneof![
        (0..1_000_000_u32, 0..1_000_000_000_u32).prop_map(|(units, nanos)| format!("{units}.{nanos:09}")),
        (0..1_000_u32, 0..1_000_000_000_000_u64).prop_map(|(units, decimals)| format!("{units}.{decimals:012}")),
        (1..99_u32, -3..4_i32).prop_map(|(mantissa, exponent)| format!("{mantissa}.50e{exponent}")),
        Just("0.10".to_owned()),
    ];
    let send = (0..6_u8, 0..ACCOUNTS, 0..ACCOUNTS, 0..12_u8, amount, any::<u8>(), 0..10_u8)
        .prop_map(|(payment, account, other, by, amount, facts, at)| Step::Send { payment, account, other, by, amount, facts, at });
    prop_oneof![12 => send, 1 => (0..ACCOUNTS).prop_map(Step::Arrive)]
}

/// A world of few accounts, so that steps meet each other.
struct World {
    ids: Ids,
    known: Known,
    payments: BTreeMap<String, Payment>,
}

impl World {
    fn account(&self, number: u8) -> String {
        self.ids.of(&format!("account-{number}"))
    }

    /// IBAN, bank and number of an account.
    fn numbers(&self, number: u8) -> (String, String, String) {
        (iban(&format!("{number}{}", self.ids.digits(17))), self.ids.digits(8), format!("{number}{}", self.ids.digits(9)))
    }

    fn payment(&self, step: &Step) -> Option<Payment> {
        let Step::Send { payment, account, other, by, amount, facts, at } = step else { return None };
        let (iban, bank, number) = self.numbers(*other);
        let other = match by {
            0..6 => Other::Account(self.account(*other)),
            6..8 => Other::Iban(iban),
            8..10 => Other::Number { bank, number },
            10 => Other::Party(self.ids.of("party")),
            _ => Other::Nobody,
        };
        let status = ["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "PENDING", "CANCELLED", "FAILED", "COMPLETED"][usize::from(facts & 7)];
        Some(Payment {
            direction: if facts & 8 == 0 { "OUTBOUND" } else { "INBOUND" },
            currency: if facts & 48 == 0 { "USD" } else { "EUR" },
            status,
            other,
            ..Payment::new(self.ids.of(&format!("payment-{payment}")), self.account(*account), "").amount(amount).at(NOON + 3600 * i64::from(*at))
        })
    }

    async fn take(&mut self, api: &Api, step: &Step) {
        match step {
            Step::Arrive(which) => {
                let (id, (iban, bank, number)) = (self.account(*which), self.numbers(*which));
                let record = with(account(&id), json!({"iban": iban, "bankCode": bank, "accountNumber": number}));
                api.post("/api/accounts", record.to_string()).await.expect(200);
                self.known.arrived(&id, &iban, &bank, &number);
            }
            Step::Send { .. } => {
                let payment = self.payment(step).expect("a payment");
                send(api, &payment).await;
                self.payments.insert(payment.id.clone(), payment);
            }
        }
    }
}

async fn any_history_ends_in_exact_sums(engine: Engine) {
    let server = Server::shared(engine);
    let api = server.client();
    let runtime = tokio::runtime::Handle::current();
    // Histories are tried on a thread of their own: the runner blocks. A shorter history that fails, too, is looked for.
    let outcome = tokio::task::spawn_blocking(move || {
        let config = Config { cases: 12, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
        let mut runner =
            TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha));
        runner.run(&prop::collection::vec(step(), 1..32), |steps| {
            let api = api.clone();
            let tried = runtime.block_on(runtime.spawn(async move {
                let mut world = World { ids: Ids::new(), known: Known::default(), payments: BTreeMap::new() };
                for step in &steps {
                    world.take(&api, step).await;
                }
                ledger::check(&api, world.payments.values(), &world.known).await;
            }));
            tried.map_err(|error| TestCaseError::fail(error.to_string()))
        })
    });
    if let Err(failure) = outcome.await.expect("the runner ends") {
        panic!("{failure}");
    }
}
