//! Countries of high risk: FATF's lists, as data of the repository.

/// `data/high_risk_countries.csv`: code, list, name.
const LISTED: &str = include_str!("../data/high_risk_countries.csv");

/// The day of FATF's lists.
pub const LISTED_ON: &str = "2026-06-19";

/// The codes of two letters of all countries on FATF's lists, in their order.
pub fn high_risk_countries() -> Vec<String> {
    let lines = LISTED.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut codes: Vec<String> = lines.filter_map(|line| Some(line.split_once(',')?.0.to_owned())).collect();
    codes.sort();
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_listed_once_by_codes_of_two_letters() {
        let codes = high_risk_countries();
        assert_eq!(codes.len(), 25);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
        assert!(codes.iter().all(|code| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())), "{codes:?}");
        assert!(["IR", "KP", "MM"].iter().all(|code| codes.iter().any(|listed| listed == code)));
    }
}
