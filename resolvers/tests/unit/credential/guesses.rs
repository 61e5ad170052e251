use std::net::IpAddr;
use std::time::{Duration, Instant};

use resolvers::testing::credential::guesses::{Guesses, Try};

fn ip(text: &str) -> Option<IpAddr> {
    Some(text.parse().unwrap())
}

fn counts(taken: Try) -> bool {
    taken.count();
    true
}

#[test]
fn an_address_has_so_many_tries_and_gets_them_back() {
    let (guesses, start) = (Guesses::new(60), Instant::now());
    let at = |seconds| start + Duration::from_secs(seconds);
    let (one, other) = (ip("192.0.2.1"), ip("192.0.2.2"));
    assert!((0..60).all(|_| guesses.take_at(one, start).is_ok_and(counts)));
    let wait = guesses.take_at(one, start).err().unwrap();
    assert_eq!(wait, Duration::from_secs(1));
    assert!(guesses.take_at(other, start).is_ok_and(counts), "another address has its own");
    assert!(guesses.take_at(None, start).is_ok_and(counts), "and so has one that is not known");
    assert!(guesses.take_at(one, at(1)).is_ok_and(counts));
    assert!(guesses.take_at(one, at(1)).is_err());
    assert_eq!((0..100).filter(|_| guesses.take_at(one, at(1_000)).is_ok_and(counts)).count(), 60, "no more than that, however long it was quiet");
}

#[test]
fn a_good_one_costs_nothing() {
    let (guesses, start) = (Guesses::new(2), Instant::now());
    for _ in 0..100 {
        drop(guesses.take_at(ip("192.0.2.1"), start).ok().unwrap());
    }
}

#[test]
fn addresses_of_one_network_are_one() {
    let guesses = Guesses::new(1);
    let start = Instant::now();
    for (first, second, same) in [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
        ("2001:db8:0:2::1", "2001:db8:0:3::1", false),
        ("192.0.2.7", "::ffff:192.0.2.7", true),
        ("192.0.2.8", "192.0.2.9", false),
    ] {
        assert!(guesses.take_at(ip(first), start).is_ok_and(counts), "{first}");
        assert_eq!(guesses.take_at(ip(second), start).is_err(), same, "{first} {second}");
    }
}
