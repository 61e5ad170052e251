use resolvers::testing::audit::telling::source;

#[test]
fn addresses_of_one_network_are_one_stranger() {
    for (ip, wanted) in [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff::2", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::1", "2001:db8:0:2::/64"),
    ] {
        assert_eq!(source(Some(ip.parse().unwrap())), wanted, "{ip}");
    }
    assert_eq!(source(None), "unknown");
}
