mod account_number;
mod address;
mod phone;
mod placeholder;
mod text;

use graph_schema::account::AccountRecord;
use graph_schema::actor::GovernmentIdRecord;
use graph_schema::given::read;
use graph_schema::id::ActorId;
use graph_schema::identity::{CounterpartyKey, Identity, IdentityRules, Placeholders, ip};
use graph_schema::testing::identity::MAX_KEY_BYTES;
use proptest::prelude::*;
use serde_json::json;

fn rules() -> IdentityRules {
    IdentityRules::default()
}

fn id(identity: Option<Identity>) -> String {
    identity.map(|identity| identity.id).unwrap_or_default()
}

#[test]
fn emails_in_all_their_spellings() {
    let table = [
        (" Jo.Doe@Example.COM ", "jo.doe@example.com"),
        ("jo@exämple.example", "jo@xn--exmple-cua.example"),
        ("jo@xn--exmple-cua.example", "jo@xn--exmple-cua.example"),
        ("JO@EXÄMPLE.EXAMPLE", "jo@xn--exmple-cua.example"),
        ("jo@exa\u{308}mple.example.", "jo@xn--exmple-cua.example"),
        ("jo@例え。テスト", "jo@xn--r8jz45g.xn--zckzah"),
        ("ｊｏ＠ｅｘａｍｐｌｅ．ｃｏｍ", "jo@example.com"),
        ("j\u{200b}o@example.com\u{feff}", "jo@example.com"),
        ("no address at all", ""),
        (" ", ""),
        ("N/A", ""),
        ("none@example.com", ""),
        ("noemail@noemail.com", ""),
        ("na@na.com", ""),
        ("unknown@bank.example", ""),
        ("null@bank.example", ""),
        ("Keine@bank.example", ""),
        ("missing@bank.example", ""),
        ("no email", ""),
        ("see file", ""),
        ("0000@example.com", ""),
        ("-", ""),
        ("not-provided@x.com", ""),
        ("no-email@x.com", ""),
        ("NOT_PROVIDED@x.com", ""),
        ("(none)", ""),
        ("jo@نامه\u{200c}ای.com", "jo@xn--mgba3gch31f060k.com"),
        ("jo@xn--mgba3gch31f060k.com", "jo@xn--mgba3gch31f060k.com"),
        ("jo＠نامه\u{200c}ای.com\u{200f}", "jo@xn--mgba3gch31f060k.com"),
        ("jo@نامهای.com", "jo@xn--mgba3gch31f.com"),
        ("jo@exa\u{200d}mple.com", "jo@example.com"),
        ("jo@exam\u{ad}ple.com", "jo@example.com"),
    ];
    for (address, want) in table {
        assert_eq!(id(rules().email(address)), want, "{address}");
    }
    assert_eq!(id(rules().email("na@example.com")), "na@example.com", "somebody's initials");
}

#[test]
fn documents_references_and_addresses_of_machines() {
    let document = |value| serde_json::from_value::<GovernmentIdRecord>(value).unwrap();
    let passport = document(json!({"type": "Passport", "id": "ab-12 34", "issuingAuthority": "de"}));
    assert_eq!(id(rules().government_id(&passport)), "PASSPORT|DE|AB1234");
    assert_eq!(rules().government_id(&document(json!({"type": "PASSPORT"}))), None);
    for nothing in ["N/A", "0000000", "-", "unknown", "XXXX", "999999999"] {
        assert_eq!(rules().government_id(&document(json!({"type": "PASSPORT", "id": nothing, "issuingAuthority": "DE"}))), None, "{nothing}");
    }
    let other_digits = document(json!({"type": "Passport", "id": "ＡＢ１２٣٤", "issuingAuthority": "de"}));
    assert_eq!(id(rules().government_id(&other_digits)), "PASSPORT|DE|AB1234");
    let crm = serde_json::from_value(json!({"systemName": "CRM", "id": " aB1 "})).unwrap();
    assert_eq!(id(rules().reference(&crm)), "crm|aB1");
    assert_eq!(rules().reference(&serde_json::from_value(json!({"systemName": "CRM", "id": "n/a"})).unwrap()), None);
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
    for nothing in [
        "unknown",
        "0.0.0.0",
        "::",
        "-",
        " ",
        "0",
        "00",
        "[::]",
        "::0",
        "::ffff:0.0.0.0",
        "000.000.000.000",
        "N/A.",
        "127.0.0.1",
        "::1",
        "255.255.255.255",
        "0.0.0.0:0",
    ] {
        assert_eq!(rules().ip(nothing), None, "{nothing}");
    }
    assert_eq!(id(rules().ip("1.1.1.1")), "1.1.1.1");
    assert_eq!(id(rules().ip("10.0.0.1")), "10.0.0.1");
    assert_eq!(rules().device("unknown"), None);
    for nothing in ["00000000-0000-0000-0000-000000000000", "0000", "null", "XXXX", "N/A.", "(unknown)"] {
        assert_eq!(rules().device(nothing), None, "{nothing}");
    }
    for device in ["d-1", "0", "7", "42", "x"] {
        assert_eq!(id(rules().device(device)), device);
    }
}

#[test]
fn long_keys_are_bounded_and_still_apart() {
    let one = rules().email(&format!("jo@{}", "ü".repeat(900))).unwrap();
    let other = rules().email(&format!("jo@{}x", "ü".repeat(900))).unwrap();
    assert!(one.id.len() <= MAX_KEY_BYTES && other.id.len() <= MAX_KEY_BYTES);
    assert_ne!(one.id, other.id);
    assert_eq!(rules().email(&format!("jo@{}", "ü".repeat(1001))), None, "no address, but a text");
}

fn keys(value: serde_json::Value) -> CounterpartyKey {
    rules().counterparty_key(&serde_json::from_value(value).unwrap(), "a-1")
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
    let of_account: Vec<String> = rules().account_keys(&account).into_iter().map(|key| key.id).collect();
    assert_eq!(of_account, ["account:50010517:5407324931"]);
    let by_iban = keys(json!({"object": "INDIVIDUAL", "name": "Jo", "account_info": {"iban": "DE44500105175407324931"}}));
    assert_eq!(ids(by_iban), of_account);
    let by_number =
        keys(json!({"object": "ACCOUNT_INFO", "account_info": {"bank_code": "50010517", "bic": "INGDDEFF", "account_number": "5407324931"}}));
    assert_eq!(ids(by_number), ["account:50010517:5407324931", "account:INGDDEFF:5407324931"]);
}

#[test]
fn whom_counterparties_name() {
    let table = [
        (json!({"object": "EMPTY", "name": "Jo", "id": "x"}), vec![]),
        (json!({"object": "NAMED_ENTITY"}), vec![]),
        (json!({"object": "NAMED_ENTITY", "name": " - "}), vec![]),
        (json!({"object": "ACCOUNT_INFO", "id": "b"}), vec!["id=b"]),
        (json!({"object": "INDIVIDUAL", "id": "x", "account_info": {"id": "b"}}), vec!["id=b"]),
        (json!({"object": "INDIVIDUAL", "id": "x", "account_info": {"id": "b", "iban": "i"}}), vec!["iban:I", "id:b"]),
        (json!({"object": "ACCOUNT_INFO", "id": "b", "account_info": {"iban": "i"}}), vec!["iban:I", "id:b"]),
        (json!({"object": "ACCOUNT_INFO", "id": "b", "account_info": {"iban": "XXXX"}}), vec!["id=b"]),
        (json!({"object": "ACCOUNT_INFO", "id": "x", "metadata": {"identifiable_as_actor": "true"}}), vec!["party:x"]),
        (json!({"object": "ACCOUNT_INFO", "id": "x", "metadata": {"identifiable_as_actor": true}, "account_info": {"iban": "i"}}), vec!["iban:I"]),
        (json!({"object": "ACCOUNT_INFO", "id": "x", "metadata": {"identifiable_as_actor": "true"}, "account_info": {"id": "b"}}), vec!["id=b"]),
        (json!({"object": "NAMED_ENTITY", "id": "N/A", "name": "unknown"}), vec![]),
        (json!({"object": "NAMED_ENTITY", "name": "NOTPROVIDED"}), vec![]),
        (json!({"object": "ACCOUNT_INFO", "id": "0000000000"}), vec![]),
        (json!({"object": "ACCOUNT_INFO", "id": "NULL"}), vec![]),
        (json!({"object": "INDIVIDUAL", "id": "null", "account_info": {"id": "0000"}, "name": "Jo"}), vec!["name:jo@a-1"]),
        (json!({"object": "ACCOUNT_INFO", "id": "0"}), vec!["id=0"]),
        (json!({"object": "ACCOUNT_INFO", "id": "7"}), vec!["id=7"]),
        (json!({"object": "INDIVIDUAL", "account_info": {"id": "1"}}), vec!["id=1"]),
        (json!({"object": "INDIVIDUAL", "account_info": {"iban": "IBAN N/A", "account_number": "DE99999999999999999999"}}), vec![]),
        (json!({"object": "NAMED_ENTITY", "name": "\u{200b}"}), vec![]),
        (json!({"object": "NAMED_ENTITY", "name": "Na"}), vec!["name:na@a-1"]),
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
        let found = IdentityRules::default().identified_actor(&counterparty);
        assert_eq!(found.as_ref().map(ActorId::as_str), want, "{metadata}");
    }
    let added = IdentityRules::new(Placeholders::with(["siehe Akte"]));
    for (id, want) in [("unknown", false), ("N/A", false), ("0000", false), ("siehe-akte", false), ("7", true), ("0", true), ("anna", true)] {
        let counterparty = json!({"object": "INDIVIDUAL", "id": id, "metadata": {"identifiable_as_actor": "true"}});
        assert_eq!(added.identified_actor(&serde_json::from_value(counterparty).unwrap()).is_some(), want, "{id}");
    }
}

proptest! {
    #[test]
    fn spellings_of_an_email_are_one(local in "[a-z][a-z0-9.]{0,9}", domain in "[a-zäöüßéñ]{2,9}\\.example") {
        let address = format!("{local}@{domain}");
        let plain = rules().email(&address);
        let decomposed: String = domain.replace('ä', "a\u{308}").replace('ö', "o\u{308}").replace('ü', "u\u{308}");
        for spelt in [address.to_uppercase(), format!(" {address}. "), format!("{local}@{decomposed}"), format!("{local}\u{200b}@{domain}")] {
            // A capital ß is two letters, which in a domain are others.
            if !domain.contains('ß') || !spelt.contains("SS") {
                prop_assert_eq!(rules().email(&spelt).map(|email| email.id), plain.clone().map(|email| email.id), "{}", spelt);
            }
        }
        if let Some(plain) = plain {
            prop_assert_eq!(id(rules().email(&plain.id)), plain.id, "a key is a spelling of itself");
        }
    }
}
