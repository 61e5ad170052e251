//! The sample is complete, exact and the same each time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The data rows behind each list, as their publisher counts them.
const ROWS: [(&str, usize); 7] = [
    ("actors", 1_957 + 967),
    ("accounts", 6_200 + 3_465),
    ("account_actors", 4_185 + 2_015 + 2_324 + 1_141),
    ("associates", 3_394 + 1_640 + 916 + 435),
    ("transactions", 37_861 + 42_069 + 8_481 + 8_398),
    ("devices", 1_464),
    ("sign_ins", 5_146),
];

/// Reading the tables is most of the work, and they are the same for every test.
static NETWORK: LazyLock<sample::Network> = LazyLock::new(|| sample::network().unwrap());

fn lines(list: &str) -> Vec<String> {
    NETWORK.lists().into_iter().find(|candidate| candidate.name == list).unwrap().lines.collect()
}

fn objects(list: &str) -> Vec<Value> {
    lines(list).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn texts(objects: &[Value], pointer: &str) -> BTreeSet<String> {
    objects.iter().map(|object| object.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
}

/// The source's tables, read by other means than the converter's.
fn table(name: &str) -> Vec<Vec<String>> {
    let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/finbench/snapshot.tar.gz")).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.path().unwrap().to_str() == Some(&format!("{name}.csv")) {
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            return text.lines().skip(1).map(|line| line.split('|').map(str::to_owned).collect()).collect();
        }
    }
    panic!("no table {name}");
}

#[test]
fn every_row_is_a_line() {
    let mut total = 0;
    for (list, (name, rows)) in NETWORK.lists().into_iter().zip(ROWS) {
        assert_eq!((list.name, list.length), (name, rows));
        assert_eq!(list.lines.count(), rows, "{name}");
        total += rows;
    }
    assert_eq!(total, 132_058);
}

#[test]
fn ids_are_unique() {
    for list in ["actors", "accounts", "transactions", "devices"] {
        let objects = objects(list);
        assert_eq!(texts(&objects, "/id").len(), objects.len(), "{list}");
    }
    let names = texts(&objects("accounts"), "/name");
    assert_eq!(names.len(), 9_665, "two accounts look the same");
}

#[test]
fn seventy_five_owners_have_no_record_and_nothing_else_is_unknown() {
    let actors = texts(&objects("actors"), "/id");
    let owners = texts(&objects("account_actors"), "/actor_id");
    let unknown: BTreeSet<_> = owners.difference(&actors).cloned().collect();
    assert_eq!(unknown.iter().filter(|id| id.starts_with("person-")).count(), 42);
    assert_eq!(unknown.iter().filter(|id| id.starts_with("company-")).count(), 33);
    let rows = objects("account_actors").iter().filter(|row| unknown.contains(row["actor_id"].as_str().unwrap())).count();
    assert_eq!(rows, 173);

    let transactions = objects("transactions");
    let associates = objects("associates");
    for (objects, pointer) in [(&transactions, "/account_owner_id"), (&associates, "/actor_id"), (&associates, "/actorAssociates/0/id")] {
        let named = texts(objects, pointer);
        let strangers: Vec<_> = named.iter().filter(|id| !actors.contains(*id) && !unknown.contains(*id)).collect();
        assert!(strangers.is_empty(), "{pointer}: {strangers:?}");
    }
    assert!(texts(&associates, "/actorAssociates/0/id").is_subset(&actors));

    let accounts = texts(&objects("accounts"), "/id");
    assert!(texts(&transactions, "/account_id").is_subset(&accounts));
    assert!(texts(&transactions, "/counterparty/account_info/id").is_subset(&accounts));
    let sign_ins = objects("sign_ins");
    assert!(texts(&sign_ins, "/account_id").is_subset(&accounts));
    assert!(texts(&sign_ins, "/device_id").is_subset(&texts(&objects("devices"), "/id")));
}

#[derive(Deserialize)]
struct Transaction<'a> {
    id: String,
    account_id: String,
    account_owner_id: String,
    #[serde(borrow)]
    amount: Amount<'a>,
    #[serde(borrow)]
    standardized_amount: &'a RawValue,
}

#[derive(Deserialize)]
struct Amount<'a> {
    #[serde(borrow)]
    value: &'a RawValue,
    currency: String,
}

#[test]
fn amounts_are_the_source_s_own_text_and_owners_are_its_owners() {
    let mut payments = BTreeMap::new();
    for (name, prefix, from) in [
        ("AccountTransferAccount", "transfer", "account"),
        ("AccountWithdrawAccount", "withdraw", "account"),
        ("LoanDepositAccount", "deposit", "loan"),
        ("AccountRepayLoan", "repay", "account"),
    ] {
        for (index, row) in table(name).into_iter().enumerate() {
            payments.insert(format!("{prefix}-{}", index + 1), (format!("{from}-{}", row[0]), row[2].clone()));
        }
    }
    let mut owners = BTreeMap::new();
    for (name, party, holding) in [
        ("PersonOwnAccount", "person", "account"),
        ("CompanyOwnAccount", "company", "account"),
        ("PersonApplyLoan", "person", "loan"),
        ("CompanyApplyLoan", "company", "loan"),
    ] {
        for row in table(name) {
            owners.insert(format!("{holding}-{}", row[1]), format!("{party}-{}", row[0]));
        }
    }
    let lines = lines("transactions");
    assert_eq!(lines.len(), payments.len());
    for line in &lines {
        let transaction: Transaction = serde_json::from_str(line).unwrap();
        let (account, amount) = &payments[&transaction.id];
        assert_eq!(&transaction.account_id, account);
        assert_eq!(&transaction.account_owner_id, &owners[account]);
        assert_eq!(transaction.amount.value.get(), amount);
        assert_eq!(transaction.standardized_amount.get(), amount);
        assert_eq!(transaction.amount.currency, "USD");
    }
}

#[test]
fn one_line_of_each_list() {
    for (list, expected) in [
        (
            "actors",
            r#"{"id":"person-755","type":"INDIVIDUAL","as_of_date":"2020-01-01","name":"Bertrand","data_source":"LDBC FinBench","metadata":{"blocked":false}}"#,
        ),
        (
            "accounts",
            r#"{"id":"account-4613937818241074769","account_type":"CURRENT","as_of_date":"2020-01-09","name":"Foreign currency account 4613…074769","opened_date":"2020-01-09","data_source":"LDBC FinBench","status":"ACTIVE","metadata":{"source_type":"foreign currency"}}"#,
        ),
        ("account_actors", r#"{"account_id":"account-4613937818241074769","actor_id":"person-729","actor_role":"OWNER","as_of_date":"2020-01-09"}"#),
        (
            "associates",
            r#"{"actor_id":"company-598","as_of_date":"2020-04-14","actorAssociates":[{"id":"person-1049","name":"Pettitt","type":"INVESTOR","ratio":0.07095896109718776}]}"#,
        ),
        (
            "transactions",
            r#"{"id":"transfer-1","account_id":"account-28710447624489049","account_owner_id":"company-997","amount":{"value":544595.7886430753,"currency":"USD"},"counterparty":{"type":"ACCOUNT_INFO","account_info":{"id":"account-48413695994234887"}},"created_at":"2020-06-29T02:33:46.538Z","direction":"OUTBOUND","standardized_amount":544595.7886430753,"status":"COMPLETED"}"#,
        ),
        ("devices", r#"{"id":"medium-356","type":"PHONE","blocked":false,"metadata":{"created_at":"2020-01-01T13:44:29.852Z"}}"#),
        ("sign_ins", r#"{"device_id":"medium-4398046511163","account_id":"account-32932572275146813","at":"2020-05-03T12:48:47.305Z"}"#),
    ] {
        assert_eq!(lines(list)[0], expected, "{list}");
    }
    let last = lines("transactions").pop().unwrap();
    assert!(last.contains(r#""id":"repay-8398""#) && last.ends_with(r#""purpose":"PRINCIPAL_PAYMENT"}"#), "{last}");
}

#[test]
fn the_files_are_the_same_each_time() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in &folders {
        assert_eq!(sample::write(&folder.path().join("sample")).unwrap(), 132_058);
    }
    for (name, rows) in ROWS {
        let [first, second] =
            folders.each_ref().map(|folder| std::fs::read_to_string(folder.path().join("sample").join(name).with_extension("ndjson")).unwrap());
        assert_eq!(first.lines().count(), rows);
        assert!(first.ends_with('\n') && first == second, "{name}");
    }
}
