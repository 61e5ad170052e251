use resolvers::Reach;
use resolvers::testing::webhook::address::problems;

#[test]
fn an_address_is_https_and_leads_outside_unless_a_setting_says_otherwise() {
    for (url, strictly, leniently) in [
        ("https://desk.example.com/hooks?tenant=1", 0, 0),
        ("https://desk.example.com:8443", 0, 0),
        ("http://desk.example.com", 1, 0),
        ("ftp://desk.example.com", 1, 1),
        ("https://user@desk.example.com", 1, 1),
        ("https://:pw@desk.example.com", 1, 1),
        ("https://desk.example.com/#part", 1, 1),
        ("https://127.0.0.1/", 1, 0),
        ("https://2130706433/", 1, 0),
        ("https://0x7f.1/", 1, 0),
        ("https://10.0.0.1/", 1, 0),
        ("https://169.254.169.254/latest", 1, 0),
        ("https://[::1]/", 1, 0),
        ("https://[::ffff:10.0.0.1]/", 1, 0),
        ("https://localhost:9000/", 1, 0),
        // All at once.
        ("http://user:pw@127.0.0.1/#x", 4, 2),
        ("mailto:ada@example.com", 1, 1),
        ("https:desk.example.com", 1, 1),
        ("HTTPS://desk.example.com", 0, 0),
        ("https://", 1, 1),
        ("https://desk.example.com:99999", 1, 1),
    ] {
        let told = [Reach::Internet, Reach::Anywhere].map(|reach| problems(url, reach).len());
        assert_eq!(told, [strictly, leniently], "{url}");
    }
}
