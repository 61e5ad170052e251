use std::net::Ipv4Addr;

use resolvers::Reach;
use url::Url;

fn check(url: &str) -> Result<(), String> {
    Reach::Internet.check_url(&Url::parse(url).unwrap_or_else(|error| panic!("{url}: {error}")))
}

#[test]
fn addresses_that_are_not_on_the_internet_are_refused_however_they_are_written() {
    let forbidden = [
        "http://127.0.0.1/",
        "http://127.8.9.1/",
        "http://localhost.:80@127.0.0.1/",
        "http://0.0.0.0/",
        "http://0/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://017700000001/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://100.64.0.1/",
        "http://100.100.100.200/",
        "http://198.18.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://192.0.2.1/",
        "http://[::]/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[::127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff02::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001::1]/",
        "http://[2001:db8::1]/",
        "http://１２７.0.0.1/",
    ];
    for url in forbidden {
        let problem = check(url).expect_err(url);
        assert!(problem.contains("no address on the internet"), "{url}: {problem}");
    }
}

#[test]
fn addresses_on_the_internet_and_names_are_let_through() {
    for url in [
        "https://93.184.216.34/",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/",
        "https://example.com/",
        "http://172.32.0.1/",
        "http://100.128.0.1/",
    ] {
        check(url).unwrap_or_else(|problem| panic!("{url}: {problem}"));
    }
    assert!(Reach::Anywhere.allows(Ipv4Addr::LOCALHOST.into()));
}
