//! Where deliveries may go.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

/// Whether a webhook may have this address, as far as the address itself says: the error says why not.
pub fn check_url(url: &Url, allow_private: bool) -> Result<(), String> {
    let host = url.host_str().unwrap_or_default();
    if allow_private {
        return Ok(());
    }
    let bare = host.trim_matches(['[', ']']);
    if bare.eq_ignore_ascii_case("localhost") || bare.to_ascii_lowercase().ends_with(".localhost") {
        return Err(refusal(host));
    }
    match bare.parse::<IpAddr>() {
        Ok(address) if !is_public(address) => Err(refusal(host)),
        _ => Ok(()),
    }
}

fn refusal(host: &str) -> String {
    format!("must not lead to {host}: nothing is delivered to loopback, private, link-local or reserved addresses")
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let special = address.is_private() || address.is_loopback() || address.is_link_local() || address.is_documentation();
    !special && first != 0 && !(first == 100 && (64..128).contains(&second)) && first < 224
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.to_ipv4_mapped() {
        Some(inside) => is_public_v4(inside),
        // Global unicast is 2000::/3.
        None => address.segments()[0] & 0xe000 == 0x2000,
    }
}
