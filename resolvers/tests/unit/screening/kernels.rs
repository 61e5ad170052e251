use cypher::statements;
use cypher::statements::rows::PaymentRow;
use graph_schema::transaction::{Direction, TransactionRecord};
use resolvers::testing::screening::kernels::{MOST_FOUND, MOST_PAYMENTS, signs};
use resolvers::testing::screening::result::MatchReason;
use serde_json::json;

const HOUR: i64 = 60 * 60 * 1_000;
const NOW: i64 = 1_718_280_000_000;

fn row(id: &str, out: bool, other: &str, hours_ago: i64, units: i64) -> PaymentRow {
    let ends = if out { ("own", other) } else { (other, "own") };
    PaymentRow {
        id: id.to_owned(),
        account_id: "own".to_owned(),
        account_owner_id: None,
        from: Some(ends.0.to_owned()),
        to: Some(ends.1.to_owned()),
        created_at: NOW - hours_ago * HOUR,
        amount_units: units,
        amount_nanos: 0,
        standard_units: units,
        standard_nanos: 0,
        currency: "EUR".to_owned(),
        status: Some("COMPLETED".to_owned()),
        direction: if out { Direction::Outbound } else { Direction::Inbound },
        counted: Some(true),
        recorded_at: None,
        logical_time: None,
        excluded: None,
    }
}

fn shown(stored: &[PaymentRow]) -> Vec<String> {
    let record = json!({"id": "this", "account_id": "own", "account_owner_id": "me", "amount": {"value": 1, "currency": "EUR"},
        "standardized_amount": 1, "counterparty": {"object": "EMPTY"}, "created_at": NOW / 1_000, "direction": "OUTBOUND", "status": "COMPLETED"});
    let payment: TransactionRecord = serde_json::from_str(&record.to_string()).expect("a record");
    let name = |reason: MatchReason| reason.what.split(':').next().unwrap_or_default().to_owned();
    signs(&payment, stored).into_iter().map(name).collect()
}

/// So many payments to the same account, one every two days.
fn usual(count: i64) -> Vec<PaymentRow> {
    (0..count).map(|at| row(&format!("usual-{at}"), true, "landlord", 72 + 48 * at, 10)).collect()
}

#[test]
fn all_payments_of_an_account_are_found_or_told_to_be_too_many() {
    let text = statements::screening::PAYMENTS.statement().text;
    let limit = text.trim_end().rsplit(' ').next().expect("a last word").parse::<usize>();
    assert_eq!(limit, Ok(MOST_FOUND + 1));
    assert_eq!(i64::try_from(MOST_FOUND), Ok(2 * MOST_PAYMENTS), "as many sent as received");
}

#[test]
fn daily_life_shows_no_two_signs() {
    let mut stored = usual(8);
    stored.push(row("this", true, "landlord", 0, 10));
    assert_eq!(shown(&stored), Vec::<String>::new());
    stored.push(row("salary", false, "employer", 40, 3_000));
    assert_eq!(shown(&stored), Vec::<String>::new(), "little of the salary is paid on");
    let last = stored.len() - 2;
    stored[last] = row("this", true, "shop", 0, 10);
    assert_eq!(shown(&stored), ["new-counterparty"]);
}

#[test]
fn what_comes_in_and_goes_on_to_somebody_new_shows_two_signs() {
    let mut stored = usual(8);
    stored.extend([row("in", false, "victim", 3, 1_000), row("this", true, "stranger", 0, 950)]);
    assert_eq!(shown(&stored), ["pass-through", "new-counterparty"]);
    // Of a new account nothing is known.
    assert_eq!(shown(&stored[8..]), ["pass-through"]);
}

#[test]
fn a_burst_is_measured_by_what_is_usual() {
    let mut stored = usual(8);
    stored.extend((0..11).map(|at| row(&format!("burst-{at}"), true, "landlord", 1 + at, 10)));
    stored.push(row("this", true, "landlord", 0, 10));
    assert_eq!(shown(&stored), ["velocity"]);
    stored.extend((0..200).map(|at| row(&format!("busy-{at}"), true, "landlord", 30 + 3 * at, 10)));
    assert_eq!(shown(&stored), Vec::<String>::new(), "that is usual for a busy account");
}
