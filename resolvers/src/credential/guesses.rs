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
pub struct Guesses {
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
pub struct Try {
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

    pub fn take_at(&self, ip: Option<IpAddr>, now: Instant) -> Result<Try, Duration> {
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
