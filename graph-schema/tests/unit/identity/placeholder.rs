use std::collections::HashSet;

use graph_schema::identity::Placeholders;
use graph_schema::testing::identity::placeholder::{HEADINGS, WORDS, is_email, is_id, is_masked, is_text, is_value, lines, spelling};

#[test]
fn what_says_nothing() {
    let placeholders = Placeholders::with(["Kein Eintrag", " "]);
    for text in [
        "N/A",
        " n/a ",
        "Unknown",
        "UNKNOWN",
        "none",
        "NOTPROVIDED",
        "Not  Provided",
        "-",
        "--",
        "XXXX",
        "0",
        "0000000000",
        "000-000 0000",
        "1111111",
        "9 9 9",
        "keine Angabe",
        "",
        " ",
        "\u{200b}",
        "kein eintrag",
        "Ｎ／Ａ",
        "٠٠٠٠",
    ] {
        assert!(is_value(&placeholders, text), "{text}");
    }
    for text in ["Anna", "11", "7", "0001", "1112", "Nonea", "AB1234", "Unknown Pleasures Ltd", "Na Yoon", "AAB", "AB111", "X1", "No 5"] {
        assert!(!is_value(&placeholders, text), "{text}");
    }
    for text in ["Na", "x", "0000", "1111", "Nil", "Blank", "kein", "", "Na Na", "No", "Test"] {
        assert!(!placeholders.is_name(text), "{text} may be somebody's");
    }
    for text in ["N/A", "unknown", "NOTPROVIDED", "-", "kein eintrag"] {
        assert!(placeholders.is_name(text), "{text}");
    }
    assert!(!is_value(&Placeholders::default(), "Kein Eintrag"));
}

#[test]
fn punctuation_does_not_count() {
    let placeholders = Placeholders::with(["siehe Akte"]);
    for text in [
        "NOT_PROVIDED",
        "NOT-PROVIDED",
        "NOTPROVIDED.",
        "notProvided",
        "none.",
        "N/A.",
        "N\\A",
        "N⁄A",
        "N∕A",
        "N|A",
        "n-a",
        "(unknown)",
        "[N/A]",
        "'N/A'",
        "\"N/A\"",
        "<none>",
        "{unknown}",
        "N/A N/A",
        "N/A, N/A",
        "unknown / unknown",
        "none/unknown",
        "not-available",
        "U N K N O W N",
        "n.o.n.e",
        "un-known",
        "#N/A",
        "***",
        "!!!",
        "¿?",
        "—",
        "siehe_akte",
        "SIEHE: AKTE!",
    ] {
        assert!(placeholders.is_name(text), "{text}");
        assert!(is_id(&placeholders, text), "{text}");
        assert!(is_text(&placeholders, text), "{text}");
        assert!(is_value(&placeholders, text), "{text}");
    }
    for text in
        ["<null>", "XXX-XX-XXXX", "x x x", "xX xX", "x", &"x".repeat(40), "IBAN N/A", "phone: none", "no. unknown", "AAAAAAA", "DE000000", "A999999"]
    {
        assert!(is_value(&placeholders, text), "{text}");
    }
}

#[test]
fn ids_of_records_are_not_only_long_ones() {
    let placeholders = Placeholders::default();
    for id in ["0", "1", "7", "11", "1111", "x", "a", "42", "d-1", "acc-x", "x0", "0x1", "party", "none-1", "00000001", "☺"] {
        assert!(!is_id(&placeholders, id), "{id}");
    }
    for id in [
        "00",
        "0000",
        "0000000000",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "00:00:00:00:00:00",
        "FF:FF:FF:FF:FF:FF",
        "null",
        "NULL",
        "(null)",
        "XXXX",
        "xx",
        "N/A",
        "unknown",
        "-",
        "999999999999999",
    ] {
        assert!(is_id(&placeholders, id), "{id}");
    }
}

#[test]
fn emails_that_nobody_reads() {
    let placeholders = Placeholders::default();
    for (local, domain) in [
        ("not-provided", "x.com"),
        ("no-email", "x.com"),
        ("no_email", "x.com"),
        ("noemail", "x.com"),
        ("n/a", "x.com"),
        ("unknown.unknown", "x.com"),
        ("xxxx", "x.com"),
        ("x", "x.com"),
        ("na", "na.com"),
        ("email", "email.com"),
        ("j***n", "x.com"),
        ("no-reply", "x.com"),
        ("000", "x.com"),
    ] {
        assert!(is_email(&placeholders, local, domain), "{local}@{domain}");
    }
    for (local, domain) in
        [("na", "example.com"), ("xx", "y.com"), ("info", "xxxlutz.de"), ("aaaa", "example.com"), ("no", "example.com"), ("anna", "none.com")]
    {
        assert!(!is_email(&placeholders, local, domain), "{local}@{domain}");
    }
}

#[test]
fn masked_numbers() {
    for number in ["****1234", "XXX-XX-1234", "xxxxxxxx1234", "12••34"] {
        assert!(is_masked(number), "{number}");
    }
    for number in ["*100#", "x12", "AXX12", "1234"] {
        assert!(!is_masked(number), "{number}");
    }
}

#[test]
fn every_line_is_one_text() {
    let all: Vec<String> = lines().map(|(line, _)| spelling(line)).collect();
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(all.len(), distinct.len(), "a line is there twice");
    assert!(all.len() > 150 && all.iter().all(|text| text.split(' ').count() <= WORDS));
    for (_, wanted) in HEADINGS {
        assert!(lines().any(|(_, kind)| kind == wanted), "{wanted:?}");
    }
}
