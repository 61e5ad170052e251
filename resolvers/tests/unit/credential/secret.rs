use proptest::prelude::*;
use resolvers::testing::credential::secret::{CHECKED, CLIENT, KEY, RANDOM, is_nonsense, secret};

#[test]
fn what_is_issued_is_no_nonsense_and_what_is_mistyped_is() {
    for prefix in [KEY, CLIENT] {
        let issued = secret(prefix).unwrap();
        assert_eq!(issued.len(), prefix.len() + RANDOM + CHECKED);
        assert!(!is_nonsense(prefix, &issued));
        for at in prefix.len()..issued.len() {
            let mut mistyped = issued.clone().into_bytes();
            mistyped[at] = if mistyped[at] == b'x' { b'y' } else { b'x' };
            assert!(is_nonsense(prefix, std::str::from_utf8(&mistyped).unwrap()), "{at}");
        }
    }
}

#[test]
fn secrets_of_before_and_chosen_ones_are_looked_for() {
    let before = format!("{KEY}{}", "k".repeat(RANDOM));
    for text in [before.as_str(), "an operator's own choice", "q8Zr3nV5tY7uI9oP1aS2dF4gH6jK8lM0xC1vB3nM5Q7="] {
        assert!(!is_nonsense(KEY, text), "{text}");
    }
    for text in ["", "x", "fifteen letters"] {
        assert!(is_nonsense(KEY, text), "{text}");
    }
}

proptest! {
    #[test]
    fn whatever_is_sent_is_looked_at(text in "\\PC{0,80}") {
        is_nonsense(KEY, &text);
        is_nonsense(KEY, &format!("{KEY}{text}"));
    }

    #[test]
    fn random_texts_of_the_right_length_are_nonsense(text in "[A-Za-z0-9_-]{49}") {
        let key = format!("{KEY}{text}");
        prop_assert!(is_nonsense(KEY, &key));
    }
}
