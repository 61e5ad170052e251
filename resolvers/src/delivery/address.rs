//! To which addresses nothing is delivered: a webhook's URL is somebody's text, and must not reach what only this machine and its neighbours can see.
//!
//! What counts is the address that is connected to. A URL with an address in it is refused when it is given and again each time it is used; a name is
//! resolved for each connection, and the connection goes to one of the addresses that were checked ([`Resolver`]), so that a name which resolves
//! to something else a moment later gains nothing. All other spellings of addresses (decimal, octal, hexadecimal, short) are addresses to the URL
//! parser already.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, LazyLock};

use futures::future::BoxFuture;
use ipnet::{Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// What is no host on the internet: the special-purpose registry of IPv4 (RFC 6890 and its successors), multicast and what is reserved.
const FORBIDDEN_V4: [&str; 16] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];

/// Of IPv6 only the addresses that are given out are hosts on the internet (RFC 4291, 2000::/3). That leaves out loopback, link-local, unique local,
/// multicast, and IPv4 addresses in IPv6 ones (mapped, compatible, translated).
const GIVEN_OUT_V6: &str = "2000::/3";
/// Of those: protocols (Teredo among them), documentation, 6to4 and the like. Tunnels carry an IPv4 address that could be anything.
const FORBIDDEN_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

static V4: LazyLock<Vec<Ipv4Net>> = LazyLock::new(|| FORBIDDEN_V4.iter().map(|net| net.parse().expect("a network")).collect());
static V6: LazyLock<(Ipv6Net, Vec<Ipv6Net>)> =
    LazyLock::new(|| (GIVEN_OUT_V6.parse().expect("a network"), FORBIDDEN_V6.iter().map(|net| net.parse().expect("a network")).collect()));

/// To which addresses may be delivered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// To hosts on the internet, by `https`.
    #[default]
    Internet,
    /// To any, also private ones and this machine's own, and by `http`.
    Anywhere,
}

impl Reach {
    /// Whether an address may be connected to.
    pub fn allows(self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::Anywhere, _) => true,
            (Self::Internet, IpAddr::V4(address)) => is_public_v4(address),
            (Self::Internet, IpAddr::V6(address)) => is_public_v6(address),
        }
    }

    /// Why nothing is delivered by a URL's scheme: one that was given while everything was allowed is not used when it no longer is.
    pub fn check_scheme(self, url: &Url) -> Result<(), String> {
        match (self, url.scheme()) {
            (_, "https") | (Self::Anywhere, "http") => Ok(()),
            _ => Err("must begin with https://".to_owned()),
        }
    }

    /// Why nothing is delivered to a URL, as far as its text says so.
    pub fn check_url(self, url: &Url) -> Result<(), String> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            // This machine by name, wherever names are looked up (RFC 6761, 6.3).
            Some(Host::Domain(name)) if self == Self::Internet && is_localhost(name) => {
                return Err(format!("must not lead to {name}: that is this machine"));
            }
            Some(Host::Domain(_)) => return Ok(()),
            None => return Err("must name a host".to_owned()),
        };
        if self.allows(address) { Ok(()) } else { Err(forbidden(address)) }
    }
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

fn forbidden(address: IpAddr) -> String {
    format!("must not lead to {address}: it is no address on the internet")
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !V4.iter().any(|net| net.contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let (given_out, forbidden) = &*V6;
    given_out.contains(&address) && !forbidden.iter().any(|net| net.contains(&address))
}

/// Finds the addresses of a name.
pub type Lookup = Arc<dyn Fn(String) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> + Send + Sync>;

/// Resolves names for connections, to allowed addresses only.
#[derive(Clone)]
pub struct Resolver {
    reach: Reach,
    lookup: Lookup,
}

impl Resolver {
    /// The machine's own.
    pub fn system(reach: Reach) -> Self {
        Self::with(reach, Arc::new(|name| Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })))
    }

    /// Another way to find addresses.
    pub fn with(reach: Reach, lookup: Lookup) -> Self {
        Self { reach, lookup }
    }
}

/// A name has an address that is not allowed.
#[derive(Debug, thiserror::Error)]
#[error("the name leads to {0}, which is no address on the internet")]
pub struct ForbiddenAddress(IpAddr);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { reach, lookup } = self.clone();
        Box::pin(async move {
            let found = lookup(name.as_str().to_owned()).await?;
            // A name with one address inside is not to be trusted with the others either.
            match found.iter().find(|address| !reach.allows(address.ip())) {
                Some(address) => Err(ForbiddenAddress(address.ip()).into()),
                None => Ok(Box::new(found.into_iter()) as Addrs),
            }
        })
    }
}
