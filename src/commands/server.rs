//! Talking to a running server as a client that has a key to it.
//!
//! The key goes to the address that was given and nowhere else: no redirect is followed, and what is not encrypted stays on this machine.

use anyhow::{Context, bail};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, StatusCode, Url};

use crate::config::is_loopback;

/// The address of a server, where a key may go to it.
pub fn address(url: &str) -> anyhow::Result<Url> {
    let parsed = Url::parse(url).with_context(|| format!("--url {url}"))?;
    match parsed.scheme() {
        "https" => Ok(parsed),
        "http" if is_loopback(&parsed) => Ok(parsed),
        "http" => bail!("--url {url}: a key is sent over https, or over http to this machine; give the server's https address"),
        _ => bail!("--url {url}: must be an http(s) address"),
    }
}

/// A client for such an address.
pub fn client(address: &Url) -> ClientBuilder {
    let client = Client::builder().redirect(Policy::none());
    // What goes to this machine needs no proxy, which would be told the key.
    if address.scheme() == "http" { client.no_proxy() } else { client }
}

/// What to do about an answer that leads elsewhere.
pub fn is_redirected(status: StatusCode) -> anyhow::Result<()> {
    if status.is_redirection() {
        bail!("the server answered with a redirect ({status}), which is not followed; give the address that it leads to as --url");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_over_https_or_stay_here() {
        for good in [
            "https://aml.example.com",
            "https://192.0.2.1:8443/base",
            "http://127.0.0.1:8080",
            "http://localhost:8080/",
            "http://[::1]:1",
            "HTTP://127.8.9.1",
        ] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in [
            "http://aml.example.com",
            "http://192.0.2.1",
            "http://10.0.0.1:8080",
            "http://0.0.0.0:8080",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://localhost@example.com",
            "http://[::2]",
            "ftp://127.0.0.1",
            "data:x",
            "127.0.0.1:8080",
        ] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
