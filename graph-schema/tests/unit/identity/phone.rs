use graph_schema::identity::IdentityRules;
use graph_schema::testing::identity::MAX_KEY_BYTES;
use graph_schema::testing::identity::phone::valid;
use proptest::prelude::*;

fn ids(number: &str, region: Option<&str>) -> Vec<String> {
    IdentityRules::default().phone(number, region).into_iter().map(|identity| identity.id).collect()
}

fn check(table: &[(&str, Option<&str>, &str)]) {
    for (number, region, want) in table {
        let want: Vec<&str> = want.split_whitespace().collect();
        assert_eq!(ids(number, *region), want, "{number} {region:?}");
    }
}

#[test]
fn a_number_in_all_its_spellings() {
    check(&[
        ("+49 30 901820", None, "+4930901820"),
        ("030/901820", Some("DE"), "+4930901820"),
        ("0049 (30) 90-18-20", Some("DE"), "+4930901820"),
        ("+49 (0)30 901820", None, "+4930901820"),
        ("++49 30 901820", None, "+4930901820"),
        ("+0049 30 901820", None, "+4930901820"),
        ("(+49) 30 901820", None, "+4930901820"),
        ("＋４９ ３０ ９０１８２０", None, "+4930901820"),
        ("tel:+49-30-901820", None, "+4930901820"),
        ("TEL:030-901820;phone-context=+49", None, "+4930901820"),
        ("(650) 253-0000", Some("US"), "+16502530000"),
        ("+1 650-253-0000", Some("DE"), "+16502530000"),
        ("06 1234 5678", Some("IT"), "+390612345678"),
        ("+39 06 1234 5678", Some("DE"), "+390612345678"),
        ("+999 12 34", None, "+9991234"),
    ]);
    assert_eq!(IdentityRules::default().phone("030 901820", Some("DE"))[0].name, "+49 30 901820");
}

#[test]
fn digits_of_every_script() {
    let saudi = "+966501234567";
    for number in ["+٩٦٦٥٠١٢٣٤٥٦٧", "+۹۶۶۵۰۱۲۳۴۵۶۷", "+९६६५०१२३४५६७", "٠٥٠١٢٣٤٥٦٧", "＋９６６５０１２３４５６７", "+𝟗𝟔𝟔𝟓𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕", "+๙๖๖๕๐๑๒๓๔๕๖๗"]
    {
        assert_eq!(ids(number, Some("SA")), [saudi], "{number}");
    }
}

#[test]
fn marks_that_nobody_sees_do_not_count() {
    for mark in [
        "\t", "\u{b7}", "\u{200c}", "\u{200d}", "\u{202a}", "\u{feff}", "\u{fe0d}", "\u{fe0f}", "\u{a0}", "\u{ad}", "\u{200b}", "\u{2060}",
        "\u{2011}", "\u{2212}",
    ] {
        assert_eq!(ids(&format!("030{mark}901820"), Some("DE")), ["+4930901820"], "{mark:?}");
        assert_eq!(ids(&format!("+49{mark}30{mark}901820"), None), ["+4930901820"], "{mark:?}");
    }
}

#[test]
fn letters_make_it_no_number() {
    assert_ne!(ids("+3367a829916", None), ids("+33672829916", None));
    assert_ne!(ids("anna.ek1@example.com", None), ids("bo1@example.org", None));
    assert_eq!(ids("1-800-FLOWERS", Some("US")), ["1 800 flowers"], "a text that people know a number by");
    assert_eq!(ids("1 800 Flowers", Some("US")), ["1 800 flowers"]);
}

#[test]
fn words_alone_are_no_number() {
    for text in ["ex-directory", "ask reception", "same as above", "приёмная"] {
        assert_eq!(ids(text, Some("DE")), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn any_sign_may_stand_between_digits() {
    for sign in ["\u{2800}", "\u{7f}", "\u{1c}", "\u{fff9}", "\u{2219}", "\u{22c5}", "\u{2027}", "\u{30fb}", "|", "\\", ",", "•", "\u{200b}"] {
        let (local, whole) = (format!("030{sign}901820"), format!("+49{sign}30{sign}901820"));
        assert_eq!(ids(&local, Some("DE")), ["+4930901820"], "{local:?}");
        assert_eq!(ids(&whole, None), ["+4930901820"], "{whole:?}");
    }
    assert_eq!(ids("030 90••••", Some("DE")), Vec::<String>::new(), "what is kept back is nobody's");
}

#[test]
fn zeros_behind_a_code_are_nobodys() {
    for text in ["+49 0000000", "0049 0000000", "+49 30 0000000", "030 0000000"] {
        assert_eq!(ids(text, Some("DE")), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_group_too_many_is_an_extension() {
    for text in ["+1 650-253-0000-12", "+1 650 253 0000 12"] {
        assert_eq!(ids(text, Some("US")), ["+16502530000;ext=12", "+16502530000"], "{text}");
    }
    // Numbers of Poland and Ukraine, without the plus.
    for (spaced, region) in [("48 22 123 45 67", "FR"), ("380 50 123 45 67", "US")] {
        let whole: String = spaced.split(' ').collect();
        assert_eq!(ids(spaced, Some(region)), ids(&whole, Some(region)), "{spaced}");
        assert_eq!(ids(spaced, Some(region)).len(), 1, "{spaced}");
    }
    assert_eq!(ids("030 901820-12", Some("DE")), ["+493090182012"], "a number of a longer line");
}

#[test]
fn an_extension_is_part_of_the_identity_and_the_switchboard_a_second_one() {
    let both = "+4930901820;ext=12 +4930901820";
    for number in [
        "+49 30 901820 ext. 12",
        "+49 30 901820 x12",
        "+49 30 901820x12",
        "+49 30 901820 extension 12",
        "+49 30 901820 Durchwahl 12",
        "+49 30 901820 DW: 12",
        "+49 30 901820 #12",
        "+49 30 901820,12",
        "+49 30 901820 (ext. 12)",
        "+49-30-901820;ext=12",
        "tel:+49-30-901820;ext=12",
        "+49 30 901820 доб. 12",
        "+49 30 901820 ext. ١٢",
    ] {
        check(&[(number, None, both)]);
    }
    check(&[("+49 30 901820 ext. 34", None, "+4930901820;ext=34 +4930901820")]);
    let names: Vec<String> = IdentityRules::default().phone("030 901820 x 7", Some("DE")).into_iter().map(|identity| identity.name).collect();
    assert_eq!(names, ["+49 30 901820 ext. 7", "+49 30 901820"]);
}

#[test]
fn a_trunk_digit_that_is_the_numbers_first_too() {
    for (one, other) in [
        ("+7 812 345-67-89", "8 (812) 345-67-89"),
        ("+7 843 234-56-78", "8 843 234 56 78"),
        ("+7 831 234-56-78", "8 (831) 2345678"),
        ("+7 800 555-35-35", "8-800-555-35-35"),
        ("+7 495 123-45-67", "8 (495) 123-45-67"),
    ] {
        let written: String = one.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
        assert_eq!(ids(one, Some("RU")), [written.as_str()], "{one}");
        assert_eq!(ids(one, None), [written.as_str()], "{one}");
        assert_eq!(ids(other, Some("RU")), [written.as_str()], "{other}");
    }
}

#[test]
fn a_national_number_without_its_prefix_or_with_a_bare_code() {
    check(&[
        ("812 345-67-89", Some("RU"), "+78123456789"),
        ("8123456789", Some("RU"), "+78123456789"),
        ("800 555 35 35", Some("RU"), "+78005553535"),
        ("7 812 345 67 89", Some("RU"), "+78123456789"),
        ("7 800 555 35 35", Some("RU"), "+78005553535"),
        ("8 812 345 67 89", Some("RU"), "+78123456789"),
        ("495 123-45-67", Some("RU"), "+74951234567"),
        ("7 495 123-45-67", Some("RU"), "+74951234567"),
        ("843 234 56 78", Some("RU"), "+78432345678"),
        ("912 345 67 89", Some("RU"), "+79123456789"),
        ("44 20 7946 0958", Some("GB"), "+442079460958"),
        ("20 7946 0958", Some("GB"), "+442079460958"),
        ("1 650 253 0000", Some("US"), "+16502530000"),
    ]);
}

#[test]
fn digits_without_a_plan_are_their_countrys() {
    check(&[
        ("9018201", Some("DE"), "9018201;phone-context=DE"),
        ("901 82 01", Some("DE"), "9018201;phone-context=DE"),
        ("9018201", Some("FR"), "9018201;phone-context=FR"),
        ("9018201", None, ""),
        ("9018201 ext. 12", None, ""),
        ("901820190182", None, "901820190182"),
    ]);
}

#[test]
fn a_context_is_part_of_a_local_number() {
    check(&[
        ("tel:863-1234;phone-context=+1-914-555", None, "8631234;phone-context=+1914555"),
        ("tel:863-1234;phone-context=+1-212-555", Some("US"), "8631234;phone-context=+1212555"),
        ("tel:253-0000;phone-context=+1-650", Some("DE"), "+16502530000"),
        ("tel:8631234;phone-context=example.com", None, "8631234;phone-context=example.com"),
        ("tel:8631234;phone-context=other.org", Some("US"), "8631234;phone-context=other.org"),
        ("tel:863-1234;phone-context=Example.COM.", Some("DE"), "8631234;phone-context=example.com"),
        ("tel:7042;phone-context=example.com", None, "7042;phone-context=example.com"),
        ("tel:112;phone-context=example.com", None, ""),
        ("tel:110;phone-context=+49", None, ""),
        ("tel:+49-30-901820;phone-context=example.com", None, "+4930901820"),
        ("tel:+4930901820;ext=1-2", None, "+4930901820;ext=12 +4930901820"),
        ("tel:030-901820;ext=1.2;phone-context=+49", None, "+4930901820;ext=12 +4930901820"),
    ]);
}

#[test]
fn words_and_signs_before_an_extension() {
    let both = "+4930901820;ext=12 +4930901820";
    for behind in [
        "Nebenstelle 12",
        "Klappe 12",
        "Durchw. 12",
        "DW 12",
        "доп. 12",
        "доб.12",
        "вн. 12",
        "内線12",
        "内線 12",
        "内線番号 12",
        "分机12",
        "p12",
        "p. 12",
        "× 12",
        "×12",
        "ext #12",
        "x#12",
        "ext no. 12",
        "Ext. Nr. 12",
        "extension number 12",
        "(12)",
        "[12]",
        "/ 12",
        "(ext. 12)",
        "(DW 12)",
        "Apparat 12",
        "poste 12",
        "внутр. 12",
        "내선 12",
        ", ext. 12",
        "w12",
        "anknytning 12",
        "mellék: 12",
        "εσωτ. 12",
    ] {
        check(&[(&format!("+49 30 901820 {behind}"), None, both), (&format!("030 901820 {behind}"), Some("DE"), both)]);
    }
    // Groups that belong to the number, and no words before an extension.
    check(&[
        ("030 / 901820", Some("DE"), "+4930901820"),
        ("+49 30 / 901820", None, "+4930901820"),
        ("+49 (30) 901820", None, "+4930901820"),
        ("030 (901820)", Some("DE"), "+4930901820"),
        ("01 23 45 67 / 89", Some("FR"), "+33123456789"),
        ("650 253 / 0000", Some("US"), "+16502530000"),
        ("(650) (253) (0000)", Some("US"), "+16502530000"),
        ("+49 30 901820-12", None, "+493090182012"),
        ("030/901/820", Some("DE"), "+4930901820"),
    ]);
    assert_eq!(ids("+49 30 901820 no. 12", None), ["49 30 901820 no 12"], "a text");
}

#[test]
fn masked_and_endless_texts_are_nobodys() {
    for number in ["+49 170 ***** 12", "+49 170 xxx xx 12", "XXX-XXX-1234", "not-provided", "(none)"] {
        check(&[(number, Some("DE"), "")]);
    }
    assert_eq!(ids(&format!("+49 30 901820{}", " ".repeat(5000)), None), Vec::<String>::new());
}

/// When this fails the library takes a national prefix from the right end of the number: [`with_prefix_restored`] can go.
#[test]
fn the_library_takes_a_first_digit_for_a_trunk_prefix() {
    assert!(valid(None, "+78123456789").is_none());
    assert!(valid(None, "+7888123456789").is_some(), "it takes two");
}

#[test]
fn the_prefix_of_most_of_the_world_is_known_everywhere() {
    let london = "+442079460958";
    for region in [None, Some("US"), Some("DE"), Some("JP"), Some("AU"), Some("RU"), Some("XK")] {
        check(&[("0044 20 7946 0958", region, london)]);
    }
    check(&[("011 44 20 7946 0958", Some("US"), london), ("0011 44 20 7946 0958", Some("AU"), london), ("8~10 44 20 7946 0958", Some("RU"), london)]);
    check(&[("007 812 345-67-89", None, "+78123456789")]);
}

#[test]
fn digits_that_plans_no_longer_have() {
    for number in ["+52 55 1234 5678", "+52 1 55 1234 5678", "55 1234 5678", "044 55 1234 5678", "01 55 1234 5678"] {
        check(&[(number, Some("MX"), "+525512345678")]);
    }
    check(&[("+54 9 11 2345 6789", None, "+5491123456789"), ("011 15-2345-6789", Some("AR"), "+5491123456789")]);
}

#[test]
fn what_is_nobodys() {
    for number in [
        "110",
        "112",
        "911",
        "999",
        "116117",
        "+49 110",
        "123",
        "*100#",
        "0000000000",
        "+49 000 0000000",
        "1111111",
        "N/A",
        "-",
        "unknown",
        "",
        " ",
        "+",
        "+1 000 000 0000",
        "NOTPROVIDED",
        "٠٠٠٠٠٠٠",
    ] {
        for region in [None, Some("DE"), Some("US"), Some("GB")] {
            assert_eq!(ids(number, region), Vec::<String>::new(), "{number}");
        }
    }
}

proptest! {
    #[test]
    fn spellings_are_one(number in "30[1-9][0-9]{6}", seed in prop::collection::vec(0..8_usize, 12)) {
        const BETWEEN: [&str; 8] = ["", "", " ", "-", ".", "/", "\u{200d}", "\u{2011}"];
        let spelt: String = number.chars().zip(&seed).map(|(c, at)| format!("{c}{}", BETWEEN[*at])).collect();
        let plain = ids(&format!("+49{number}"), None);
        prop_assert_eq!(plain.len(), 1);
        prop_assert_eq!(&ids(&format!("+49 {spelt}"), None), &plain);
        prop_assert_eq!(&ids(&format!("0{spelt}"), Some("DE")), &plain);
        prop_assert_eq!(&ids(&format!("0049{spelt}"), None), &plain);
        prop_assert_eq!(&ids(&plain[0], None), &plain, "a key is a spelling of itself");
        let extended = ids(&format!("+49{spelt} ext {}", seed[0]), None);
        prop_assert_eq!(extended.last(), plain.last());
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,24}") {
        for identity in IdentityRules::default().phone(&text, Some("DE")) {
            prop_assert!(!identity.id.is_empty() && identity.id.len() <= MAX_KEY_BYTES);
        }
    }
}
