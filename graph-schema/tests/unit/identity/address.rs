use graph_schema::actor::AddressRecord;
use graph_schema::identity::IdentityRules;
use graph_schema::testing::identity::address::{ABBREVIATIONS, Abbreviations};
use proptest::prelude::*;
use serde_json::json;

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
        ("IT", "V.le Europa 5", "Viale Europa 5"),
        ("IT", "C.so Roma 5", "Corso Roma 5"),
        ("IT", "C.SO ROMA, N. 5", "corso Roma 5"),
        ("IT", "P.zza Navona 5", "Piazza Navona 5"),
        ("IT", "P.za Navona n° 5", "Piazza Navona 5"),
        ("IT", "L.go Augusto 5", "Largo Augusto 5"),
        ("ES", "Calle Mayor nº 5", "Calle Mayor 5"),
        ("ES", "Calle Mayor nº5", "C/ Mayor, 5"),
        ("ES", "Calle Mayor n.º 5", "Calle Mayor, 5"),
        ("ES", "C. Mayor núm. 5", "Calle Mayor 5"),
        ("ES", "P.º Castellana 5", "Paseo Castellana 5"),
        ("ES", "Pº Castellana 5", "Paseo Castellana 5"),
        ("PT", "Pr.ª Comércio 5", "Praça Comércio 5"),
        ("FR", "5 B.P. Voltaire", "5 BP Voltaire"),
        ("DE", "Hauptstr. Nr. 5", "Hauptstraße 5"),
        ("RU", "Ленина, д. 5", "Ленина 5"),
        ("RU", "ул. Ленина, д.5, кв. 3", "Ленина 5 квартира 3"),
        ("RU", "улица Ленина, дом № 5", "Ленина 5"),
        ("NO", "Storg. 5", "Storgata 5"),
        ("NO", "Storgt. 5", "Storgaten 5"),
        ("NO", "Strandv. 5", "Strandveien 5"),
        ("NO", "Strandvn. 5", "Strandvei 5"),
        ("DK", "Storg. 5", "Storgade 5"),
        ("DK", "Strandv. 5", "Strandvej 5"),
        ("DK", "Strandv.5", "Strandvej 5"),
        ("SE", "Storg. 5", "Storgatan 5"),
        ("SE", "Strandv. 5", "Strandvägen 5"),
        ("US", "J. F. Kennedy Blvd 5", "J.F. Kennedy Boulevard 5"),
        ("US", "JF Kennedy Blvd 5", "J F Kennedy Boulevard 5"),
    ] {
        assert_eq!(line(one, country), line(other, country), "{one} {other} {country}");
    }
    assert_ne!(line("Hauptstr. 5", "DE"), line("Hauptstr. 6", "DE"));
    assert_ne!(line("Kerkstr. 5", "NL"), line("Kerkstrasse 5", "DE"));
    assert_ne!(line("пр. Ленина 5", "RU"), line("Ленина 5", "RU"));
    assert_ne!(line("Strandv. 5", "DK"), line("Strandgade 5", "DK"));
    assert_ne!(line("Storg 5", "SE"), line("Storg. 5", "SE"), "a word of its own");
    assert_ne!(line("N Main St 5", "US"), line("Main St 5", "US"));
}

#[test]
fn a_box_at_a_post_office() {
    for country in ["", "US", "GB", "ES", "IT", "DE", "FR"] {
        for spelt in ["P.O. Box 5", "P. O. Box 5", "PO Box 5", "P.O.Box 5", "po-box 5", "Post Office Box 5", "POB 5", "P.O.B. 5"] {
            assert_eq!(line(spelt, country), line("PO Box 5", country), "{spelt} {country}");
        }
        assert_ne!(line("PO Box 5", country), line("PO Box 6", country));
    }
}

#[test]
fn without_a_street_it_is_nobodys() {
    let town = json!({"postcode": "10117", "city": "Berlin", "state": "BE", "country": "DE"});
    for lines in [
        "",
        "!!!",
        "ul.",
        "Str.",
        "N/A,",
        "(unknown)",
        "0",
        "0000",
        "Berlin",
        "10117 Berlin",
        "Berlin, DE",
        "Nr. 5",
        "5",
        "5 A",
        "Street",
        "Address",
        "Apt 5",
        "Nr.",
        "xxxx",
        "Straße unbekannt",
        "no address",
        "PO Box",
    ] {
        for (line1, line2) in [(lines, ""), ("", lines), (lines, "-")] {
            let mut address = town.clone();
            address["line1"] = json!(line1);
            address["line2"] = json!(line2);
            assert_eq!(key(address.clone()), None, "{address}");
            for more in [json!({}), json!({"country": "DE"}), json!({"postcode": "10117"})] {
                let mut alone = more;
                alone["line1"] = json!(line1);
                alone["line2"] = json!(line2);
                assert_eq!(key(alone.clone()), None, "{alone}: without a city, a name may be the city's");
            }
        }
    }
    for nothing in [json!({}), json!({"country": "LI"}), json!({"line1": "", "city": "Berlin"}), json!({"postcode": "10117"}), town] {
        assert_eq!(key(nothing.clone()), None, "{nothing}");
    }
    for known in [
        json!({"line1": "Hauptstr. 5"}),
        json!({"line1": "Rosenhof 5"}),
        json!({"line1": "北京市朝阳区建国路88号", "country": "CN"}),
        json!({"line1": "The Old Mill", "postcode": "BA1 1AA", "country": "GB"}),
        json!({"line1": "Rosenhof", "city": "Berlin"}),
        json!({"line2": "Hauptstr. 5", "city": "Berlin"}),
        json!({"line1": "Calle 5", "city": "Bogotá", "country": "CO"}),
        json!({"line1": "5th Street", "city": "New York", "country": "US"}),
        json!({"line1": "PO Box 5", "city": "Dubai", "country": "AE"}),
        json!({"line1": "Oberdorf 5", "city": "Oberdorf", "country": "CH"}),
        json!({"line1": "5", "postcode": "1012 AB", "city": "Amsterdam", "country": "NL"}),
        json!({"line1": "1-2-3", "city": "Minato", "country": "JP"}),
        json!({"line1": "北京路5号", "city": "北京", "country": "CN"}),
        json!({"line1": "The Old Mill", "city": "Bath", "country": "GB"}),
        json!({"line1": "Unter den Linden", "city": "Berlin"}),
    ] {
        assert!(key(known.clone()).is_some(), "{known}");
    }
    let windhoek = |country: &str| key(json!({"line1": "Main Street 5", "city": "Windhoek", "country": country}));
    assert_ne!(windhoek("NA"), windhoek("ZA"));
    assert_eq!(windhoek("NA").unwrap(), "main street 5 windhoek||na", "a country is no placeholder");
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
        let all = abbreviations.words.values().chain(abbreviations.endings.iter().map(|ending| &ending.long));
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
