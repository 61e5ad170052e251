use graph_schema::account::AccountRecord;
use graph_schema::given::read;
use graph_schema::identity::{Identity, IdentityRules, Placeholders};
use graph_schema::testing::identity::account_number::{MISSING_COUNTRIES, info_keys};
use graph_schema::testing::identity::text::alphanumerics;
use graph_schema::transaction::AccountInfoRecord;
use iban::Iban;
use proptest::prelude::*;
use serde_json::json;

fn ids(keys: &[Identity]) -> Vec<&str> {
    keys.iter().map(|key| key.id.as_str()).collect()
}

fn named(info: serde_json::Value) -> Vec<String> {
    let info: AccountInfoRecord = serde_json::from_value(info).unwrap();
    info_keys(&IdentityRules::default(), &info).into_iter().map(|key| key.id).collect()
}

fn iban(text: &str) -> Vec<String> {
    named(json!({"iban": text}))
}

fn number(bank: &str, number: &str) -> Vec<String> {
    named(json!({"bank_code": bank, "account_number": number}))
}

fn record(more: serde_json::Value) -> Vec<String> {
    let mut account = json!({"accountType": "CURRENT", "asOfDate": "2024-01-01", "id": "b"});
    account.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let account = read::<AccountRecord>(account.to_string().as_bytes()).unwrap().value;
    IdentityRules::default().account_keys(&account).into_iter().map(|key| key.id).collect()
}

#[test]
fn an_iban_is_the_number_inside_it() {
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
        assert_eq!(named(json!({"iban": written, "bank_code": bank, "account_number": in_bank})), [want], "{written} and {bank} {in_bank}");
        assert_eq!(record(json!({"iban": written})), [want]);
    }
    // Elsewhere an IBAN is more than bank code and number, and zeros may mean something.
    assert_eq!(iban("FR1420041010050500013M02606"), ["iban:FR1420041010050500013M02606"]);
    assert_eq!(iban("GB82WEST12345698765432"), ["iban:GB82WEST12345698765432"]);
    assert_eq!(number("370400440", "0532013000"), ["account:370400440:0532013000"]);
    assert_eq!(number("37040044", "00532013000"), ["account:37040044:00532013000"], "too long for a German one");
    assert_eq!(number("", "0532013000"), ["account::0532013000"]);
    let info = serde_json::from_value(json!({"iban": "DE89370400440532013000"})).unwrap();
    assert_eq!(info_keys(&IdentityRules::default(), &info)[0].name, "DE89 3704 0044 0532 0130 00", "what is read is the IBAN");
}

#[test]
fn an_iban_counts_only_with_its_countrys_length_and_check_digits() {
    for wrong in [
        "DE0237040044532013000",  // 21 characters, its check digits are right.
        "DE00370400440532013000", // Check digits.
        "AT0219043234573201",
        "DE89 3704 0044 0532 0130 0",
        "DE893704004405320130000",
        "XX89370400440532013000",
        "bad iban",
    ] {
        let bare = alphanumerics(wrong);
        assert_eq!(iban(wrong), [format!("iban:{bare}")], "{wrong}");
        assert_eq!(record(json!({"iban": wrong})), [format!("iban:{bare}")], "{wrong}");
    }
}

#[test]
fn spellings_of_an_iban() {
    let plain = iban("DE89370400440532013000");
    for spelt in [
        "IBAN DE89 3704 0044 0532 0130 00",
        "IBAN: DE89370400440532013000",
        "iban de89370400440532013000",
        "DE89-3704-0044-0532-0130-00",
        "DE89\u{200b}3704\u{a0}0044\u{ad}0532\u{feff}013000",
        "ＤＥ８９３７０４００４４０５３２０１３０００",
        "DE٨٩370400440532013000",
        " (DE89) 370400440532013000.",
    ] {
        assert_eq!(iban(spelt), plain, "{spelt}");
        assert_eq!(named(json!({"account_number": spelt, "bank_code": "12345678"})), plain, "{spelt}, in the field of another number");
        assert_eq!(record(json!({"accountNumber": spelt})), plain, "{spelt}");
    }
}

#[test]
fn words_before_an_iban() {
    let plain = iban("DE89370400440532013000");
    for spelt in [
        "IBAN NO. DE89370400440532013000",
        "IBAN-Nr.: DE89 3704 0044 0532 0130 00",
        "IBAN number DE89370400440532013000",
        "IBAN Code: DE89370400440532013000",
        "IBAN-Nummer DE89370400440532013000",
        "IBAN nº DE89370400440532013000",
        "IBAN IBAN: DE89370400440532013000",
        "IBAN number IBAN DE89370400440532013000",
    ] {
        assert_eq!(iban(spelt), plain, "{spelt}");
        assert_eq!(number("", spelt), plain, "{spelt}");
    }
    let norwegian = ["iban:NO9386011117947"];
    for spelt in ["NO93 8601 1117 947", "IBAN NO93 8601 1117 947", "IBAN NO. NO93 8601 1117 947", "IBAN-Nr. NO9386011117947"] {
        assert_eq!(iban(spelt), norwegian, "{spelt}");
    }
    assert_eq!(iban("IBAN NO. DE88370400440532013000"), ["iban:NODE88370400440532013000"], "check digits");
}

#[test]
fn countries_that_the_library_does_not_know() {
    let right = with_check_digits("HN", "PISA00000000000000123124");
    assert_eq!(iban(&right), [format!("iban:{right}")]);
    assert_eq!(iban("HN88 CABF 0000 0000 0002 5000 5469"), ["iban:HN88CABF00000000000250005469"]);
    assert_eq!(iban(&format!("IBAN No. {right}")), [format!("iban:{right}")]);
    assert_eq!(number("CABF", "HN88CABF00000000000250005469"), ["iban:HN88CABF00000000000250005469"]);
    for (country, length) in MISSING_COUNTRIES {
        let unknown = with_check_digits(country, &"1234567890".repeat(3)[..length - 4]);
        assert!(unknown.parse::<Iban>().is_err(), "the library knows {country}: its line can go");
    }
    let short = with_check_digits("HN", "CABF0000000000025000546");
    assert_eq!(number("CABF", &short), [format!("account:CABF:{short}")], "a length of its own");
}

#[test]
fn a_text_without_end_costs_nothing() {
    let start = std::time::Instant::now();
    for text in ["IBAN".repeat(250_000), "IBANNO".repeat(200_000), "N/A ".repeat(250_000)] {
        assert_eq!(iban(&text), Vec::<String>::new());
        assert_eq!(number(&text, "1234567"), ["account::1234567"]);
        assert_eq!(number("37040044", &text), Vec::<String>::new());
    }
    // Looking through all of it anew for each letter would take hours.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn a_bank_by_its_bic() {
    let head = named(json!({"bic": "BSABESBB", "account_number": "0200051332"}));
    assert_eq!(head, ["account:BSABESBB:0200051332"]);
    for same in ["BSABESBBXXX", "bsab es bb xxx", "BSABESBB-XXX"] {
        assert_eq!(named(json!({"bic": same, "account_number": "0200051332"})), head, "{same}");
        assert_eq!(number(same, "0200051332"), head, "{same}");
    }
    assert_eq!(named(json!({"bic": "BSABESBB123", "account_number": "0200051332"})), ["account:BSABESBB123:0200051332"], "a branch is another");
    assert_eq!(number("37040044XXX", "1234"), ["account:37040044XXX:1234"], "no BIC");
    assert_eq!(number("ABNANL2AXXX", "417164300"), ["account:ABNA:417164300"]);
}

#[test]
fn placeholders_name_no_account() {
    for nothing in
        ["XXXX", "N/A", "NOTPROVIDED", "unknown", "-", "0", "00000000", "1111111111", "IBAN", "DE00000000000000000000", "DE 0000", "\u{200b}"]
    {
        assert_eq!(iban(nothing), Vec::<String>::new(), "{nothing}");
    }
    for nothing in [
        "IBAN N/A",
        "IBAN: unknown",
        "IBAN no. none",
        "N/A IBAN",
        "NOT_PROVIDED",
        "(none)",
        "DE99999999999999999999",
        "DE99 9999 9999 9999 9999 99",
        "DE00000000000000000000",
        "XX0000",
        "DE89****3000",
        "XXXXXXXX1234",
        "DEXXXXXXXXXXXXXXXXXXXX",
        "DE00XXXXXXXXXXXXXXXXXX",
        "IBANIBAN",
        "N/A N/A",
    ] {
        assert_eq!(iban(nothing), Vec::<String>::new(), "{nothing}");
        assert_eq!(number("37040044", nothing), Vec::<String>::new(), "{nothing}");
    }
    let zeros = with_check_digits("DE", "000000000000000000");
    assert_eq!((iban(&zeros), number("", &zeros)), (Vec::new(), Vec::new()), "its check digits are right");
    for (written, want) in [("1200", "1200"), ("AB12", "AB12"), ("700", "700"), ("1", "1")] {
        assert_eq!(number("37040045X", written), [format!("account:37040045X:{want}")]);
    }
    for nothing in ["XXXX", "N/A", "NOTPROVIDED", "0000000000", "999999999", "-"] {
        assert_eq!(number("37040044", nothing), Vec::<String>::new(), "{nothing}");
    }
    assert_eq!(number("N/A", "1234567"), ["account::1234567"], "a bank that is not known");
    assert_eq!(record(json!({"iban": "XXXX", "accountNumber": "N/A"})), Vec::<String>::new());
    let rules = IdentityRules::new(Placeholders::with(["kein Konto"]));
    let info = serde_json::from_value(json!({"iban": "KEIN KONTO"})).unwrap();
    assert_eq!(ids(&info_keys(&rules, &info)), Vec::<&str>::new());
}

/// The country's letters count from A = 10 on; the check digits make the whole 1 modulo 97.
fn with_check_digits(country: &str, inner: &str) -> String {
    let value = |c: char| c.to_digit(36).unwrap_or_default().to_string();
    let digits: String = format!("{inner}{country}00").chars().map(value).collect();
    let rest = digits.bytes().fold(0_u32, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    format!("{country}{:02}{inner}", 98 - rest)
}

proptest! {
    #[test]
    fn marks_between_do_not_count(inner in "[0-9]{18}", marks in prop::collection::vec(0..8_usize, 22)) {
        const BETWEEN: [&str; 8] = ["", "", "", " ", "-", "\u{200b}", "\u{a0}", "."];
        let plain = with_check_digits("DE", &inner);
        let spelt: String = plain.to_lowercase().chars().zip(&marks).map(|(c, at)| format!("{c}{}", BETWEEN[*at])).collect();
        prop_assert_eq!(iban(&spelt), iban(&plain));
        prop_assert_eq!(iban(&spelt), number(&inner[..8], &inner[8..]).into_iter().chain(iban(&plain)).take(1).collect::<Vec<_>>());
    }

    #[test]
    fn one_of_another_length_is_nobody_elses(
        (country, length, inner) in prop_oneof![Just(("DE", 18)), Just(("AT", 16)), Just(("NL", 14))]
            .prop_flat_map(|(country, length)| (Just(country), Just(length), "[1-9]00[0-9]{16}")),
        cut in 1..6_usize,
    ) {
        let bank = if country == "NL" { "ABNA" } else { "" };
        let whole = format!("{bank}{}", &inner[..length - bank.len()]);
        let bank_digits = match country { "DE" => 8, "AT" => 5, _ => 4 };
        // Zeros before the number are dropped, so that only the length tells.
        let (code, account) = whole.split_at(bank_digits);
        let padded = format!("{code}{}{}", "0".repeat(cut), &account[cut..]);
        let short = with_check_digits(country, &format!("{code}{}", &account[cut..]));
        let right = with_check_digits(country, &padded);
        prop_assert_ne!(iban(&short), iban(&right));
        prop_assert_eq!(iban(&short), [format!("iban:{short}")]);
    }
    #[test]
    fn a_bank_and_its_head_office_are_one(bic in "[A-Z]{6}[A-Z0-9]{2}", branch in "[A-Z0-9]{3}", digits in "[1-9][0-9]{8}") {
        let head = named(json!({"bic": bic, "account_number": digits}));
        let spelt = format!("{} -xxx", bic.to_lowercase());
        prop_assert_eq!(&named(json!({"bic": format!("{bic}XXX"), "account_number": digits})), &head);
        prop_assert_eq!(&named(json!({"bic": spelt, "account_number": format!(" {digits} ")})), &head);
        let other = named(json!({"bic": format!("{bic}{branch}"), "account_number": digits}));
        prop_assert_eq!(other == head, branch == "XXX" || &bic[4..6] == "NL" || head.is_empty());
    }
}
