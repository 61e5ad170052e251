//! Wrong credentials, counted by the address that they come from.
//!
//! Each address has a number of tries, which come back one after another within a minute. A try is taken before a credential is looked up, and given
//! back unless it is wrong. An address that has none left is told when to come again, and nothing is looked up for it.
//!
//! The counters of the addresses are bounded in number. Where there are more, those are kept that come most often (the cache's rule), so that an
//! address that guesses all the time is not forgotten for many that do it once.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use moka::sync::Cache;

/// Within this time all tries of an address come back.
const WINDOW: Duration = Duration::from_secs(60);
const MOST_ADDRESSES: u64 = 50_000;

/// Who is counted as one: an IPv4 address, or the network of an IPv6 address, of which one customer has a /64 for himself. `None`: it is not known.
type Source = Option<IpAddr>;

/// How many tries addresses have left.
pub(crate) struct Guesses {
    /// How many an address has in a minute.
    most: u32,
    by_source: Cache<Source, Arc<Mutex<Tries>>>,
}

/// What an address has left, and when that was so.
#[derive(Debug, Clone, Copy)]
struct Tries {
    left: f64,
    at: Instant,
}

/// A try that was taken. It is given back when it is dropped, unless it was found to be a wrong one: who could not be looked up has not guessed.
#[must_use]
pub(crate) struct Try {
    tries: Arc<Mutex<Tries>>,
    is_wrong: bool,
}

impl Try {
    /// It was a wrong one, and counts.
    pub fn count(mut self) {
        self.is_wrong = true;
    }
}

impl Drop for Try {
    fn drop(&mut self) {
        if !self.is_wrong {
            self.tries.lock().unwrap_or_else(PoisonError::into_inner).left += 1.0;
        }
    }
}

impl Guesses {
    /// So many in a minute.
    pub fn new(most: u32) -> Self {
        let by_source = Cache::builder().max_capacity(MOST_ADDRESSES).time_to_idle(WINDOW).build();
        Self { most, by_source }
    }

    /// Takes a try of an address; where it has none, says when it has one again.
    pub fn take(&self, ip: Option<IpAddr>) -> Result<Try, Duration> {
        self.take_at(ip, Instant::now())
    }

    fn take_at(&self, ip: Option<IpAddr>, now: Instant) -> Result<Try, Duration> {
        let most = f64::from(self.most);
        let tries = self.by_source.get_with(ip.map(network), || Arc::new(Mutex::new(Tries { left: most, at: now })));
        let mut counted = tries.lock().unwrap_or_else(PoisonError::into_inner);
        let a_second = most / WINDOW.as_secs_f64();
        counted.left = (counted.left + now.saturating_duration_since(counted.at).as_secs_f64() * a_second).min(most);
        counted.at = counted.at.max(now);
        if counted.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - counted.left) / a_second));
        }
        counted.left -= 1.0;
        drop(counted);
        Ok(Try { tries, is_wrong: false })
    }
}

/// The address that all of a source's own are counted as.
pub(crate) fn network(ip: IpAddr) -> IpAddr {
    const NETWORK: u128 = !(u64::MAX as u128);
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.into(),
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & NETWORK).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            (0..100).filter(|_| guesses.take_at(one, at(1_000)).is_ok_and(counts)).count(),
            60,
            "no more than that, however long it was quiet"
        );
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
}
