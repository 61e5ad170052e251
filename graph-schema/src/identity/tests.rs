use serde_json::json;

use super::*;
use crate::given::read;

fn id(identity: Option<Identity>) -> String {
    identity.map(|identity| identity.id).unwrap_or_default()
}

#[test]
fn phones_in_all_their_spellings() {
    let table = [
        ("+49 30 901820", None, "+4930901820"),
        ("030/901820", Some("DE"), "+4930901820"),
        ("0049 (30) 90-18-20", Some("DE"), "+4930901820"),
        ("(650) 253-0000", Some("US"), "+16502530000"),
        ("+1 650-253-0000", Some("DE"), "+16502530000"),
        ("123", None, "123"),
        ("+999 12 34", None, "+9991234"),
        ("n/a", None, "n a"),
        ("  ", None, ""),
    ];
    for (number, region, want) in table {
        assert_eq!(id(phone(number, region)), want, "{number}");
    }
}

#[test]
fn emails_and_addresses() {
    assert_eq!(id(email(" Jo.Doe@Example.COM ")), "jo.doe@example.com");
    assert_eq!(email(" "), None);
    let read = |value: serde_json::Value| serde_json::from_value::<AddressRecord>(value).unwrap();
    let one = address(&read(json!({"line1": "Unter den Linden 5", "postcode": "10117", "city": "Berlin", "country": "DE"})));
    let other =
        address(&read(json!({"type": "HOME", "line1": "unter  den LINDEN", "line2": "5,", "postcode": "10117", "city": "BERLIN.", "country": "de"})));
    assert_eq!(one.as_ref().unwrap().name, "Unter den Linden 5, 10117 Berlin, DE");
    assert_eq!(id(one), id(other));
    assert_eq!(address(&read(json!({"type": "HOME", "line1": " - "}))), None);
}

#[test]
fn documents_references_and_addresses_of_machines() {
    let document = |value| serde_json::from_value::<GovernmentIdRecord>(value).unwrap();
    let passport = document(json!({"type": "Passport", "id": "ab-12 34", "issuingAuthority": "de"}));
    assert_eq!(id(government_id(&passport)), "PASSPORT|DE|AB1234");
    assert_eq!(government_id(&document(json!({"type": "PASSPORT"}))), None);
    let crm = serde_json::from_value(json!({"systemName": "CRM", "id": " aB1 "})).unwrap();
    assert_eq!(id(reference(&crm)), "crm|aB1");
    let table = [
        ("192.168.0.1 ", "192.168.0.1"),
        ("::ffff:192.168.0.1", "192.168.0.1"),
        ("[2001:DB8:0:0::1]", "2001:db8::1"),
        ("Unknown", "unknown"),
        ("", ""),
    ];
    for (text, want) in table {
        assert_eq!(id(ip(text)), want, "{text}");
    }
}

#[test]
fn long_keys_are_bounded_and_still_apart() {
    let one = email(&"ü".repeat(5000)).unwrap();
    let other = email(&format!("{}x", "ü".repeat(5000))).unwrap();
    assert!(one.id.len() <= MAX_KEY_BYTES && other.id.len() <= MAX_KEY_BYTES);
    assert_ne!(one.id, other.id);
}

fn keys(value: serde_json::Value) -> CounterpartyKey {
    counterparty_key(&serde_json::from_value(value).unwrap(), "a-1")
}

fn ids(key: CounterpartyKey) -> Vec<String> {
    match key {
        CounterpartyKey::None => Vec::new(),
        CounterpartyKey::Account(id) => vec![format!("id={id}")],
        CounterpartyKey::Keys(keys) => keys.into_iter().map(|key| key.id).collect(),
        CounterpartyKey::External(key) => vec![key.id],
    }
}

#[test]
fn a_counterparty_meets_the_account_it_describes() {
    let account = json!({"accountType": "CURRENT", "asOfDate": "2024-01-01", "id": "b", "bankCode": "500 105 17",
        "accountNumber": "5407-324931", "iban": "de44 5001 0517 5407 3249 31"});
    let account = read::<AccountRecord>(account.to_string().as_bytes()).unwrap().value;
    let of_account: Vec<String> = account_keys(&account).into_iter().map(|key| key.id).collect();
    assert_eq!(of_account, ["account:50010517:5407324931"]);
    let by_iban = keys(json!({"object": "INDIVIDUAL", "name": "Jo", "account_info": {"iban": "DE44500105175407324931"}}));
    assert_eq!(ids(by_iban), of_account);
    let by_number =
        keys(json!({"object": "ACCOUNT_INFO", "account_info": {"bank_code": "50010517", "bic": "INGDDEFF", "account_number": "5407324931"}}));
    assert_eq!(ids(by_number), ["account:50010517:5407324931", "account:INGDDEFF:5407324931"]);
}

#[test]
fn an_iban_is_the_number_inside_it() {
    let named = |info: serde_json::Value| ids(keys(json!({"object": "ACCOUNT_INFO", "account_info": info})));
    let number = |bank: &str, number: &str| named(json!({"bank_code": bank, "account_number": number}));
    let iban = |iban: &str| named(json!({"iban": iban}));
    let table = [
        ("DE89370400440532013000", ("37040044", "0532013000"), "account:37040044:532013000"),
        ("DE89370400440532013000", ("370 400 44", "532013000"), "account:37040044:532013000"),
        ("AT611904300234573201", ("19043", "00234573201"), "account:19043:234573201"),
        ("AT611904300234573201", ("19043", "234573201"), "account:19043:234573201"),
        ("NL91ABNA0417164300", ("ABNA", "0417164300"), "account:ABNA:417164300"),
        ("nl91 abna 0417 1643 00", ("ABNANL2A", "417164300"), "account:ABNA:417164300"),
    ];
    for (written, (bank, in_bank), want) in table {
        assert_eq!(iban(written), [want], "{written}");
        assert_eq!(number(bank, in_bank), [want], "{bank} {in_bank}");
        let both = named(json!({"iban": written, "bank_code": bank, "account_number": in_bank}));
        assert_eq!(both, [want], "{written} and {bank} {in_bank}");
    }
    // Elsewhere an IBAN is more than bank code and number, and zeros may mean something.
    assert_eq!(iban("FR1420041010050500013M02606"), ["iban:FR1420041010050500013M02606"]);
    assert_eq!(iban("GB82WEST12345698765432"), ["iban:GB82WEST12345698765432"]);
    assert_eq!(iban("DE00370400440532013000"), ["iban:DE00370400440532013000"], "its check digits are wrong");
    assert_eq!(number("370400440", "0532013000"), ["account:370400440:0532013000"]);
    assert_eq!(number("37040044", "00532013000"), ["account:37040044:00532013000"], "too long for a German one");
    assert_eq!(number("", "0532013000"), ["account::0532013000"]);
    assert_eq!(number("37040044", "0000000000"), ["account:37040044:"]);
    let named = keys(json!({"object": "ACCOUNT_INFO", "account_info": {"iban": "DE89370400440532013000"}}));
    let CounterpartyKey::Keys(named) = named else { panic!("{named:?}") };
    assert_eq!(named[0].name, "DE89 3704 0044 0532 0130 00", "what is read is the IBAN");
}

#[test]
fn whom_counterparties_name() {
    let table = [
        (json!({"object": "EMPTY", "name": "Jo", "id": "x"}), vec![]),
        (json!({"object": "NAMED_ENTITY"}), vec![]),
        (json!({"object": "NAMED_ENTITY", "name": " - "}), vec![]),
        (json!({"object": "ACCOUNT_INFO", "id": "b"}), vec!["id=b"]),
        (json!({"object": "INDIVIDUAL", "id": "x", "account_info": {"id": "b", "iban": "i"}}), vec!["id=b"]),
        (json!({"object": "INDIVIDUAL", "account_info": {"iban": "bad iban"}}), vec!["iban:BADIBAN"]),
        (json!({"object": "INDIVIDUAL", "account_info": {"account_number": "0 1"}}), vec!["account::01"]),
        (json!({"object": "INDIVIDUAL", "id": "x", "account_info": {"bank_name": "B"}}), vec!["party:x"]),
        (json!({"object": "NAMED_ENTITY", "name": "ACME,  Inc."}), vec!["name:acme inc@a-1"]),
    ];
    for (counterparty, want) in table {
        assert_eq!(ids(keys(counterparty.clone())), want, "{counterparty}");
    }
}

#[test]
fn identified_actors() {
    let table = [
        (json!({"identifiable_as_actor": "true"}), Some("x")),
        (json!({"identifiable_as_actor": true}), Some("x")),
        (json!({"identifiable_as_actor": "false"}), None),
        (json!({"other": true}), None),
    ];
    for (metadata, want) in table {
        let counterparty = json!({"object": "INDIVIDUAL", "id": "x", "metadata": metadata});
        let counterparty = serde_json::from_value(counterparty).unwrap();
        let found = identified_actor(&counterparty);
        assert_eq!(found.as_ref().map(ActorId::as_str), want, "{metadata}");
    }
}
