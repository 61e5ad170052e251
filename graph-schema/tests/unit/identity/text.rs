use graph_schema::identity::visible;
use graph_schema::testing::identity::text::{alphanumerics, caseless, folded, plain};
use proptest::prelude::*;

#[test]
fn spellings_of_one_text() {
    let table = [
        ("Hauptstraße", "HAUPTSTRASSE"),
        ("İSTANBUL", "istanbul"),
        ("ISPARTA", "ısparta"),
        ("Οδός Ερμού", "ΟΔΟΣ ΕΡΜΟΥ"),
        ("Mu\u{308}llerweg", "MÜLLERWEG"),
        ("ＡＢＣ１２", "abc12"),
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
        ("𝟎𝟏𝟗𝟘𝟡", "01909"),
        ("a\u{200b}b\u{feff}c\u{fe0f}", "abc"),
        ("e\u{200d}\u{301}", "é"),
    ];
    for (one, other) in table {
        assert_eq!(caseless(one), caseless(other), "{one} {other}");
    }
    assert_eq!(folded(" Acme,  Inc. "), "acme inc");
    assert_eq!(alphanumerics("de-89 ß"), "DE89SS");
    assert_eq!(alphanumerics("\u{5d8}\u{5bc}[\u{5b0}"), "\u{5d8}\u{5b0}\u{5bc}", "marks have one order, whatever stood between them");
}

#[test]
fn what_a_reader_sees() {
    for blank in ["", " ", "\u{a0}", "\u{200b}", "\u{200b} \u{2060}", "\u{feff}", "\u{3164}", "\u{2800}", "\u{ad}", "\t\n", "\u{e0020}"] {
        assert_eq!(visible(blank), None, "{blank:?}");
    }
    assert_eq!(visible(" Ann\u{200b}a "), Some("Ann\u{200b}a"));
    assert_eq!(visible("-"), Some("-"));
}

proptest! {
    #[test]
    fn a_normal_form_is_its_own(text in "\\PC{0,12}") {
        let forms: [fn(&str) -> String; 4] = [|text| plain(text).into_owned(), caseless, folded, alphanumerics];
        for form in forms {
            let once = form(&text);
            prop_assert_eq!(form(&once), once);
        }
    }
}
