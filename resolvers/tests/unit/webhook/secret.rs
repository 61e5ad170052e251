use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use resolvers::testing::webhook::secret::{Vault, WebhookSecret};
use resolvers::{Error, VaultKey};

fn vault() -> Vault {
    Vault::new(&VaultKey::random().unwrap())
}

#[test]
fn what_is_sealed_opens_again_for_its_webhook_alone() {
    let (vault, secret) = (vault(), WebhookSecret::random().unwrap());
    let sealed = vault.seal(&secret, "w").unwrap();
    assert_eq!(vault.open(&sealed, "w").unwrap(), secret);
    assert_ne!(sealed, vault.seal(&secret, "w").unwrap(), "no two look alike");
    let shown = secret.reveal();
    assert!(shown.starts_with("whsec_") && shown.len() == 6 + 44, "{shown}");
    assert!(!sealed.contains(&shown["whsec_".len()..]));
    assert!(matches!(vault.open(&sealed, "v"), Err(Error::Internal(_))), "it is another webhook's");
}

#[test]
fn another_key_is_told_from_a_damaged_text() {
    let (vault, secret) = (vault(), WebhookSecret::random().unwrap());
    let sealed = vault.seal(&secret, "w").unwrap();
    let Err(Error::Misconfigured(why)) = self::vault().open(&sealed, "w") else { panic!("another key opens nothing") };
    assert!(why.contains("AMLGRAPH_WEBHOOKS__KEY"), "{why}");
    let (head, text) = sealed.rsplit_once('.').unwrap();
    let mut bytes = BASE64_STANDARD.decode(text).unwrap();
    for at in 0..bytes.len() {
        bytes[at] ^= 1;
        let changed = format!("{head}.{}", BASE64_STANDARD.encode(&bytes));
        assert!(matches!(vault.open(&changed, "w"), Err(Error::Internal(_))), "byte {at}");
        bytes[at] ^= 1;
    }
    for wrong in ["", "v1", "v1.", "v2.a.b", &sealed[..30], &sealed[..sealed.len() - 8]] {
        assert!(vault.open(wrong, "w").is_err(), "{wrong}");
    }
}

#[test]
fn a_key_is_the_base64_of_32_bytes() {
    let key = VaultKey::random().unwrap();
    assert_eq!(VaultKey::parse(&format!(" {}\n", key.reveal())), Ok(key));
    for wrong in ["", "short", "AAAA", &"A".repeat(44), &BASE64_STANDARD.encode([7; 31]), &BASE64_STANDARD.encode([7; 33])] {
        assert!(VaultKey::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn nothing_of_a_secret_shows_by_accident() {
    let (secret, key) = (WebhookSecret::random().unwrap(), VaultKey::random().unwrap());
    assert_eq!(format!("{secret:?} {key:?}"), "[secret] [secret]");
}
