//! What the text of a setting may be, and what it means; the error says what would be right.

use std::collections::HashSet;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use graphql_http::trusted::{Others, TrustedDocuments};
use resolvers::detection::OwnRules;
use resolvers::{AuditedReads, Reach, RiskRules, Role};

use super::{DEEPEST, Secret, Switch, duration};

/// What `database.url` may say.
pub(super) enum StoreAddress {
    Folder(PathBuf),
    Url(String),
}

impl StoreAddress {
    pub fn parse(text: &str) -> Result<Self, String> {
        if let Some(folder) = text.strip_prefix("embedded:") {
            return if folder.is_empty() { Err("embedded: needs a folder, e.g. embedded:./data".into()) } else { Ok(Self::Folder(folder.into())) };
        }
        match text.split_once("://") {
            Some((_, rest)) if rest.contains('@') => Err("user and password have their own settings, database.user and database.password".into()),
            Some(("bolt" | "bolt+s" | "neo4j" | "neo4j+s", rest)) if !rest.is_empty() => Ok(Self::Url(text.into())),
            _ => Err("must be embedded:FOLDER, bolt://HOST:PORT, bolt+s://…, neo4j://… or neo4j+s://…".into()),
        }
    }
}

pub(super) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(super) fn list(text: &str) -> Result<Vec<String>, String> {
    Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
}

/// Codes of countries; one at least.
pub(super) fn countries(text: &str) -> Result<Vec<String>, String> {
    let codes: Vec<String> = list(text)?.iter().map(|code| code.to_ascii_uppercase()).collect();
    let wrong: Vec<&str> = codes.iter().map(String::as_str).filter(|code| !graph_schema::code::is_country(code)).collect();
    match (codes.is_empty(), wrong.is_empty()) {
        (true, _) => Err("must be codes of countries with commas between them, such as IR,KP".to_owned()),
        (_, false) => Err(format!("must be codes of countries (ISO 3166-1): {} is none", wrong.join(", "))),
        _ => Ok(codes),
    }
}

pub(super) fn durations(text: &str) -> Result<Vec<Duration>, String> {
    text.split(',').map(|item| duration::parse(item.trim())).collect()
}

pub(super) fn audited_reads(text: &str) -> Result<AuditedReads, String> {
    match text {
        "none" => Ok(AuditedReads::None),
        "records" => Ok(AuditedReads::Records),
        "all" => Ok(AuditedReads::All),
        _ => Err("must be none, records or all".to_owned()),
    }
}

/// A folder of rules, all of which are read and tested: a batch that finds less than it was meant to is told of by nobody.
pub(super) fn own_rules(text: &str) -> Result<OwnRules, String> {
    OwnRules::load(Path::new(text)).map_err(|faults| format!("the rules in {text} can't be taken: {faults}"))
}

/// A folder of risk rules, all of which are read and tested.
pub(super) fn risk_rules(text: &str) -> Result<RiskRules, String> {
    RiskRules::load(Path::new(text)).map_err(|faults| format!("the risk rules in {text} can't be taken: {faults}"))
}

/// What becomes of documents of GraphQL that are not in the list.
pub(super) fn other_documents(text: &str) -> Result<Others, String> {
    match text {
        "taken" => Ok(Others::Taken),
        "refused" => Ok(Others::Refused),
        _ => Err(format!("\"{text}\" must be taken or refused")),
    }
}

/// A list of documents of GraphQL, in a file.
pub(super) fn documents(path: &str, others: Others) -> Result<TrustedDocuments, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("the list in {path} can't be read: {error}"))?;
    TrustedDocuments::read(&text, others).map_err(|problem| format!("the list in {path} can't be taken: {problem}"))
}

fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(format!("\"{text}\" must be true or false")),
    }
}

pub(super) fn reach(text: &str) -> Result<Reach, String> {
    flag(text).map(|anywhere| if anywhere { Reach::Anywhere } else { Reach::Internet })
}

pub(super) fn switch(text: &str) -> Result<Switch, String> {
    flag(text).map(|on| if on { Switch::On } else { Switch::Off }).map_err(|_| format!("\"{text}\" must be on or off"))
}

pub(super) fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("\"{text}\" must be a whole number"))
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("\"{text}\" must be a whole number above zero")),
    }
}

pub(super) fn levels(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=DEEPEST).contains(&number) => Ok(number),
        _ => Err(format!("\"{text}\" must be 1 to {DEEPEST}")),
    }
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("\"{text}\" must be a number")),
    }
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let found = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    found.ok_or_else(|| format!("\"{text}\" must be ADDRESS:PORT, e.g. 127.0.0.1:8080"))
}

/// An address from which nobody on the way can send something else.
pub(super) fn secure_url(text: &str) -> Result<String, String> {
    match reqwest::Url::parse(text) {
        Ok(url) if url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url)) => Ok(text.to_owned()),
        _ => Err("must be an https address, or an http one of this machine".into()),
    }
}

/// Whether an address is one of this machine.
pub fn is_loopback(url: &reqwest::Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
        None => false,
    }
}

pub(super) fn not_blank(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("must not be empty".into()) } else { Ok(text.to_owned()) }
}

/// `GROUP=ROLE`, comma-separated. A group's name may have a `=` itself, as those of a directory do.
pub(super) fn roles(text: &str) -> Result<Vec<(String, Role)>, String> {
    let known = Role::ALL.map(Role::as_str).join(", ");
    let wrong = |item: &str| format!("\"{item}\" must be GROUP=ROLE, e.g. aml-analysts=ANALYST, the role one of {known}");
    let role = |item: String| match item.rsplit_once('=') {
        Some((group, role)) if !group.trim().is_empty() => {
            role.trim().parse().map(|role| (group.trim().to_owned(), role)).map_err(|_: String| wrong(&item))
        }
        _ => Err(wrong(&item)),
    };
    list(text)?.into_iter().map(role).collect()
}

pub(super) fn filter(text: &str) -> Result<String, String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("\"{text}\": {error}; e.g. info, or info,cypher=debug")),
    }
}

/// So many characters are 32 bytes in base64.
const LEAST_CHARACTERS: usize = 43;
/// So many different ones are in nearly every text of that length that is random, and in none that somebody has typed in a hurry.
const LEAST_DIFFERENT: usize = 16;

/// A secret that could be guessed is no secret. The text is never repeated.
pub(super) fn hard_to_guess(text: &str) -> Result<Secret, String> {
    let different: HashSet<char> = text.chars().collect();
    if text.chars().count() < LEAST_CHARACTERS || different.len() < LEAST_DIFFERENT {
        return Err(format!(
            "could be guessed: must have at least {LEAST_CHARACTERS} characters, {LEAST_DIFFERENT} of them different; make one with: openssl rand -base64 32"
        ));
    }
    Ok(Secret::new(text))
}

/// The same of a key, which is sent in a header.
pub(super) fn admin_key(text: &str) -> Result<Secret, String> {
    let secret = hard_to_guess(text)?;
    if resolvers::can_be_key(text) {
        Ok(secret)
    } else {
        Err("can open nothing: must have visible ASCII characters alone, no blank at its ends, and not look like an issued key that was mistyped; make one with: openssl rand -base64 32"
            .to_owned())
    }
}

/// How often something may be done in vain.
pub(super) fn guesses(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("\"{text}\" must be a whole number above zero")),
    }
}
