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
pub fn problems(text: &str, reach: Reach) -> Vec<String> {
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
