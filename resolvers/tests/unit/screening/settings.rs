use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use resolvers::ProviderSecret;

#[test]
fn a_secret_is_base64_of_enough_bytes_and_is_not_shown() {
    let text = BASE64_STANDARD.encode([7; 32]);
    for right in [text.clone(), format!("whsec_{text}"), format!(" {text}\n")] {
        let secret = ProviderSecret::parse(&right).expect("a secret");
        assert_eq!(format!("{secret:?}"), "[secret]");
    }
    for wrong in [String::new(), "secret".to_owned(), BASE64_STANDARD.encode([7; 23]), BASE64_STANDARD.encode([7; 65])] {
        let problem = ProviderSecret::parse(&wrong).expect_err("too little");
        assert!(wrong.is_empty() || !problem.contains(&wrong));
    }
}
