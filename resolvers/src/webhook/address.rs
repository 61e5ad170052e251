//! Which addresses a webhook may have. What an address leads to is looked at again whenever something is delivered.

use graph_schema::fault::{Fault, Unacceptable};
use graph_schema::given::{self, Given, Input};
use reqwest::Url;

use crate::Resolvers;
use crate::delivery::address::Reach;

/// Where the faults of an address are: the field's name.
const AT: &str = "url";

impl Resolvers {
    /// Reads a webhook, or a change of one. All faults are told at once: those of its address, too, which only the settings know, and whatever else is wrong.
    pub fn read_webhook<T: Input>(&self, body: &[u8]) -> Result<Given<T>, Unacceptable> {
        let url = url_of(body);
        let problems = url.map(|url| problems(&url, self.inner.settings.webhooks.reach)).unwrap_or_default();
        let more = problems.into_iter().map(|problem| Fault::new(AT, problem));
        match given::read::<T>(body) {
            Err(Unacceptable::Invalid(mut faults)) => {
                // What the schema says of an address that is none is enough.
                let is_told = faults.iter().any(|fault| fault.at == AT);
                faults.extend(more.filter(|_| !is_told));
                Err(Unacceptable::Invalid(faults))
            }
            Ok(given) => {
                let faults: Vec<Fault> = more.collect();
                if faults.is_empty() { Ok(given) } else { Err(Unacceptable::Invalid(faults)) }
            }
            unreadable => unreadable,
        }
    }
}

/// The address in a body, as it is written.
fn url_of(body: &[u8]) -> Option<String> {
    let tree: serde_json::Value = serde_json::from_slice(body).ok()?;
    tree.get(AT)?.as_str().map(str::to_owned)
}

/// All that is wrong with an address.
fn problems(text: &str, reach: Reach) -> Vec<String> {
    let mut problems = Vec::new();
    // By the text: `https:host` leads somewhere, too, but nobody means it.
    let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
    match reach {
        Reach::Anywhere if !begins("https://") && !begins("http://") => problems.push("must begin with https:// or http://".to_owned()),
        Reach::Internet if !begins("https://") => problems.push("must begin with https://".to_owned()),
        _ => {}
    }
    let Ok(url) = Url::parse(text) else {
        problems.push("must be an address that leads somewhere, such as https://desk.example.com/hooks".to_owned());
        return problems;
    };
    if !url.username().is_empty() || url.password().is_some() {
        problems.push("must not have a user or a password in it".to_owned());
    }
    if url.fragment().is_some() {
        problems.push("must not have a fragment (#…): it is never sent".to_owned());
    }
    if url.host_str().is_some_and(|host| !host.is_empty()) {
        problems.extend(reach.check_url(&url).err());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
