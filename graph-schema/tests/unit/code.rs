use graph_schema::code::{is_country, is_currency, is_nationality, is_transaction_currency};
use graph_schema::testing::code::{COUNTRIES, FORMER_COUNTRIES};

#[test]
fn all_assigned_codes_and_no_others() {
    assert_eq!(COUNTRIES.len(), 249 * 2);
    for code in ["DE", "US", "GB", "ZW", "AD", "SS", "XK"] {
        assert!(is_country(code) && is_nationality(code), "{code}");
    }
    for wrong in ["", "D", "de", "DEU", "UK", "EU", "ÄD", "xk"] {
        assert!(!is_country(wrong) && !is_nationality(wrong), "{wrong}");
    }
}

#[test]
fn one_may_be_of_a_country_that_is_no_more() {
    assert_eq!(FORMER_COUNTRIES.len(), 25 * 2);
    for former in FORMER_COUNTRIES.as_bytes().chunks(2) {
        let former = std::str::from_utf8(former).unwrap();
        assert!(is_nationality(former) && !is_country(former), "{former}");
    }
    for former in ["SU", "YU", "DD", "CS", "AN", "ZR"] {
        assert!(is_nationality(former), "{former}");
    }
}

#[test]
fn currencies_are_three_capital_letters_and_those_of_payments_more() {
    assert!(is_currency("EUR") && is_transaction_currency("EUR"));
    for wrong in ["eur", "EU", "", "E R", "É1R"] {
        assert!(!is_currency(wrong) && !is_transaction_currency(wrong), "{wrong}");
    }
    for token in ["USDT", "1INCH", "ABCDEFGHIJ12", "E1R"] {
        assert!(!is_currency(token) && is_transaction_currency(token), "{token}");
    }
    assert!(!is_transaction_currency("ABCDEFGHIJ123"));
}
