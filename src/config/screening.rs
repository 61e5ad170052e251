//! Who screens payments and actors. A provider is known by a name; `watchlists` and `kernels` are built in, and any other is a service at a URL, whose requests are
//! signed by a secret.

use std::time::Duration;

use ::screening::Scoring;
use graph_schema::screening::ScreeningOperation;
use resolvers::detection::CasesBy;
use resolvers::{ProviderKind, ProviderSecret, ProviderSettings, Reach, ScreeningSettings};

use super::reading::Reading;
use super::texts::{list, reach};
use super::{duration, size};

/// The built-in provider over the lists in the store.
const WATCHLISTS: &str = "watchlists";
/// The built-in provider by detection's kernels.
const KERNELS: &str = "kernels";
/// Characters of a name.
const LONGEST_NAME: usize = 64;

/// What a request takes besides, which waits until another has screened its payment and then does what that has left: the payment is stored, and results
/// are kept.
const BESIDES: Duration = Duration::from_secs(2);

/// What is said of HTTP providers, by their names.
struct Services {
    urls: Vec<(String, String)>,
    secrets: Vec<(String, ProviderSecret)>,
    timeout: Duration,
}

/// Reads all of it. `request_time` is how long a request may take.
pub(super) fn read(reading: &mut Reading, request_time: Duration) -> ScreeningSettings {
    let by_operation = [
        (ScreeningOperation::Fraud, "screening.fraud", reading.take("screening.fraud", "", names)),
        (ScreeningOperation::Sanctions, "screening.sanctions", reading.take("screening.sanctions", "", names)),
    ];
    let reach = reading.take("screening.allow_private", "false", reach);
    let services = Services {
        urls: reading.take("screening.urls", "", |text| urls(text, reach)),
        secrets: reading.take_optional("screening.secrets", secrets).unwrap_or_default(),
        timeout: reading.take("screening.provider_timeout", "5s", duration::parse_positive),
    };
    let providers = providers(reading, &by_operation, &services);
    let timeout = reading.take("screening.timeout", "1s", duration::parse_positive);
    if !providers.is_empty() && timeout.saturating_mul(2).saturating_add(BESIDES) >= request_time {
        reading.fault("screening.timeout", "must be so short that twice of it and 2s are less than limits.request_time");
    }
    ScreeningSettings {
        providers,
        timeout,
        cases: reading.take("screening.cases", "none", |text| text.parse::<CasesBy>()),
        bulk: reading.take("screening.bulk", "", operations),
        actors: reading.take("screening.actors", "", operations),
        clear_for: reading.take("screening.clear_for", "365d", duration::parse_positive),
        reach,
        memory: reading.take("screening.memory", "1GiB", size::parse),
        scoring: reading.take("screening.scoring", "standard", |text| text.parse::<Scoring>()),
    }
}

type ByOperation = (ScreeningOperation, &'static str, Vec<String>);

/// The providers in their order; a name that leads nowhere is a fault.
fn providers(reading: &mut Reading, by_operation: &[ByOperation], services: &Services) -> Vec<ProviderSettings> {
    let mut providers = Vec::new();
    for (operation, setting, names) in by_operation {
        for name in names {
            match services.kind(*operation, name) {
                Ok(kind) => providers.push(ProviderSettings { operation: *operation, name: name.clone(), kind }),
                Err(problem) => reading.fault(setting, &problem),
            }
        }
    }
    let is_named = |name: &String| by_operation.iter().any(|(_, _, names)| names.contains(name));
    for (setting, given) in [("screening.urls", services.urls_of()), ("screening.secrets", services.secrets_of())] {
        for name in given.into_iter().filter(|name| !is_named(name)) {
            reading.fault(setting, &format!("{name} is no provider of screening.fraud or screening.sanctions"));
        }
    }
    providers
}

impl Services {
    fn kind(&self, operation: ScreeningOperation, name: &str) -> Result<ProviderKind, String> {
        match (name, operation) {
            (WATCHLISTS, ScreeningOperation::Sanctions) => return Ok(ProviderKind::Watchlists),
            (KERNELS, ScreeningOperation::Fraud) => return Ok(ProviderKind::Kernels),
            (WATCHLISTS, _) => return Err(format!("{WATCHLISTS} screens for sanctions alone")),
            (KERNELS, _) => return Err(format!("{KERNELS} screens for fraud alone")),
            _ => {}
        }
        let url = self.urls.iter().find(|(named, _)| named == name).map(|(_, url)| url.clone());
        let secret = self.secrets.iter().find(|(named, _)| named == name).map(|(_, secret)| secret.clone());
        match (url, secret) {
            (Some(url), Some(secret)) => Ok(ProviderKind::Http { url, secret, timeout: self.timeout }),
            (None, _) => Err(format!("{name} has no URL in screening.urls")),
            (_, None) => Err(format!("{name} has no secret in screening.secrets")),
        }
    }

    fn urls_of(&self) -> Vec<String> {
        self.urls.iter().map(|(name, _)| name.clone()).collect()
    }

    fn secrets_of(&self) -> Vec<String> {
        self.secrets.iter().map(|(name, _)| name.clone()).collect()
    }
}

fn names(text: &str) -> Result<Vec<String>, String> {
    let names = list(text)?;
    for (at, name) in names.iter().enumerate() {
        check_name(name)?;
        if names[..at].contains(name) {
            return Err(format!("names {name} twice"));
        }
    }
    Ok(names)
}

fn check_name(name: &str) -> Result<(), String> {
    let is_right = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let right = (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_right);
    if right { Ok(()) } else { Err(format!("names of providers have letters, digits, - and _ alone, {LONGEST_NAME} at most")) }
}

/// `NAME=VALUE`, comma-separated. The error does not repeat values, which may be secrets.
fn named(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut named: Vec<(String, String)> = Vec::new();
    for item in list(text)? {
        let (name, value) = item.split_once('=').ok_or("must be NAME=VALUE, comma-separated")?;
        let (name, value) = (name.trim(), value.trim());
        check_name(name)?;
        if named.iter().any(|(known, _)| known == name) {
            return Err(format!("names {name} twice"));
        }
        named.push((name.to_owned(), value.to_owned()));
    }
    Ok(named)
}

fn urls(text: &str, reach: Reach) -> Result<Vec<(String, String)>, String> {
    let named = named(text)?;
    for (name, url) in &named {
        let parsed = reqwest::Url::parse(url).map_err(|error| format!("the URL of {name} can't be read: {error}"))?;
        reach.check_scheme(&parsed).and_then(|()| reach.check_url(&parsed)).map_err(|problem| format!("the URL of {name} {problem}"))?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(format!("the URL of {name} must not have a user or a password in it"));
        }
    }
    Ok(named)
}

fn secrets(text: &str) -> Result<Vec<(String, ProviderSecret)>, String> {
    let secret = |(name, text): (String, String)| match ProviderSecret::parse(&text) {
        Ok(secret) => Ok((name, secret)),
        Err(problem) => Err(format!("the secret of {name} {problem}")),
    };
    named(text)?.into_iter().map(secret).collect()
}

fn operations(text: &str) -> Result<Vec<ScreeningOperation>, String> {
    let named: Result<Vec<ScreeningOperation>, String> = list(text)?.iter().map(|name| ScreeningOperation::parse(name)).collect();
    named.map(ScreeningOperation::distinct)
}
