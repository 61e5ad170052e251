use proptest::prelude::*;
use serde_json::json;

use super::*;

fn key(value: serde_json::Value) -> Option<String> {
    let address: AddressRecord = serde_json::from_value(value).unwrap();
    IdentityRules::default().address(&address).map(|identity| identity.id)
}

fn line(line: &str, country: &str) -> String {
    key(json!({"line1": line, "country": country})).unwrap()
}

#[test]
fn one_address_in_all_its_spellings() {
    let one = json!({"line1": "Unter den Linden 5", "postcode": "10117", "city": "Berlin", "country": "DE"});
    let other = json!({"type": "HOME", "line1": "unter  den LINDEN", "line2": "5,", "postcode": "10117", "city": "BERLIN.", "country": "de"});
    assert_eq!(key(one.clone()), key(other));
    let address: AddressRecord = serde_json::from_value(one).unwrap();
    assert_eq!(IdentityRules::default().address(&address).unwrap().name, "Unter den Linden 5, 10117 Berlin, DE");
    for (one, other) in [
        ("Hauptstraße 5", "HAUPTSTRASSE 5"),
        ("istiklal 5 istanbul", "İSTİKLAL 5 İSTANBUL"),
        ("Οδός Ερμού 5", "ΟΔΟΣ ΕΡΜΟΥ 5"),
        ("Müllerweg 1", "Mu\u{308}llerweg 1"),
        ("Ｍａｉｎ Ｓｔｒｅｅｔ ５", "main street 5"),
        ("Ann\u{200b}agasse 3", "Annagasse 3"),
    ] {
        for country in ["", "DE", "TR", "GR", "US"] {
            assert_eq!(line(one, country), line(other, country), "{one} {other} {country}");
        }
    }
}

#[test]
fn usual_abbreviations_of_its_country() {
    for (country, one, other) in [
        ("DE", "Hauptstr. 5", "Hauptstraße 5"),
        ("DE", "Lange Str. 5", "Lange Straße 5"),
        ("", "Hauptstr. 5", "HAUPTSTRASSE 5"),
        ("US", "5 Main St.", "5 Main Street"),
        ("US", "5 Fifth Ave", "5 Fifth Avenue"),
        ("GB", "1 High St", "1 High Street"),
        ("GB", "7 Church Rd.", "7 Church Road"),
        ("FR", "5 bd Voltaire", "5 boulevard Voltaire"),
        ("PL", "ul. Długa 5", "Długa 5"),
        ("NL", "Kerkstr. 5", "Kerkstraat 5"),
        ("ES", "C/ Mayor 5", "Calle Mayor 5"),
        ("TR", "Atatürk Cad. 5", "Atatürk Caddesi 5"),
        ("RU", "ул. Ленина 5", "улица Ленина 5"),
        ("IT", "Vle Europa 5", "Viale Europa 5"),
    ] {
        assert_eq!(line(one, country), line(other, country), "{one} {other} {country}");
    }
    assert_ne!(line("Hauptstr. 5", "DE"), line("Hauptstr. 6", "DE"));
    assert_ne!(line("Kerkstr. 5", "NL"), line("Kerkstrasse 5", "DE"));
}

#[test]
fn placeholders_are_nobodys_address() {
    for nothing in [
        json!({"line1": " - "}),
        json!({"line1": "N/A", "city": "unknown"}),
        json!({"line1": "NOTPROVIDED", "city": "Berlin", "country": "DE"}),
        json!({"line1": "unbekannt", "line2": "-", "postcode": "10117"}),
        json!({"line1": "\u{200b}"}),
    ] {
        assert_eq!(key(nothing.clone()), None, "{nothing}");
    }
    let plain = json!({"line1": "Main Street 5", "city": "Springfield"});
    let filled = json!({"line1": "Main Street 5", "line2": "N/A", "city": "Springfield", "state": "-"});
    assert_eq!(key(plain), key(filled));
    assert!(key(json!({"line1": "Main Street 5", "line2": "111"})) != key(json!({"line1": "Main Street 5", "line2": "222"})));
}

#[test]
fn an_abbreviation_leads_to_a_word_that_stays() {
    for (country, abbreviations) in Abbreviations::read(ABBREVIATIONS) {
        let all = abbreviations.words.values().chain(abbreviations.endings.iter().map(|(_, long)| long));
        for long in all {
            assert_eq!(abbreviations.written_out(long), *long, "{country}");
        }
    }
}

proptest! {
    #[test]
    fn case_and_marks_do_not_count(text in "[A-Za-zäöüßéçñøåΑ-Ωα-ω]{3,8}( [A-Za-zäöü]{2,8}){0,2} [1-9][0-9]?") {
        let plain = line(&text, "DE");
        prop_assert_eq!(line(&text.to_uppercase(), "DE"), plain.clone());
        prop_assert_eq!(line(&text.to_lowercase(), "DE"), plain.clone());
        prop_assert_eq!(line(&text.replace(' ', " ,\u{200b} "), "DE"), plain.clone());
        prop_assert_eq!(line(plain.split('|').next().unwrap_or_default(), "DE"), plain, "a key is a spelling of itself");
    }
}
