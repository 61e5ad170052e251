//! Settings: built-in defaults, then `amlgraph.toml`, then `AMLGRAPH_*` variables, then flags.
//!
//! Each setting is read in one place ([`Settings::read`]), which names it, gives its default and says what it must look like. Whatever is
//! left over has a name nobody reads, and stops the start: a misspelt setting must not vanish. All faults are told at once.

mod cache;
pub mod duration;
mod reading;
mod screening;
mod secret;
mod size;
mod texts;

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use config::{Config, Environment, File};
use graphql_http::trusted::{Others, TrustedDocuments};
use graphql_http::{GraphqlLimits, LiveLimits, Switch};
use resolvers::detection::{BelowTheLine, CasesBy, DetectionSettings, FeedbackMeanings, OwnRules};
use resolvers::{
    AuditedReads, BandChanges, OutsideIssuer, RiskRules, RolesOfGroups, ScreeningSettings, VaultKey, WatchlistSettings, WebhookSettings,
};

pub use secret::Secret;
pub use texts::is_loopback;

use cache::Cache;
use reading::Reading;
use texts::{
    StoreAddress, address, admin_key, at_least_one, audited_reads, countries, documents, durations, filter, guesses, hard_to_guess, levels, list,
    not_blank, number, other_documents, own_rules, reach, risk_rules, roles, secure_url, switch, text, whole,
};

/// Where settings are looked for when no file is named.
const DEFAULT_FILE: &str = "amlgraph.toml";
/// Variables of the same prefix that are no settings: they tell the commands which server they talk to.
const CLIENT_VARIABLES: [&str; 2] = ["AMLGRAPH_URL", "AMLGRAPH_KEY"];
/// Variables of the tests.
const TEST_PREFIX: &str = "AMLGRAPH_TEST_";
/// How long it may take, at the most, until a content that is complete has its node; S3 dates it by the upload's beginning, and by a clock of its own.
const UNTIL_CLAIMED: Duration = Duration::from_secs(300);

/// Settings given as flags, and which file to read.
#[derive(Debug, Default)]
pub struct Flags {
    pub config: Option<PathBuf>,
    pub log: Option<String>,
    pub listen: Option<String>,
    pub database: Option<String>,
}

/// All settings.
#[derive(Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    pub database: Database,
    /// Bytes of what was read and is kept; with 0 nothing is.
    pub cache_bytes: usize,
    /// How old what is answered from there may be, as far as other instances have written.
    pub cache_staleness: Duration,
    pub admin_key: Option<Secret>,
    pub limits: Limits,
    pub graphql: GraphqlLimits,
    /// Connections for subscriptions.
    pub live: LiveLimits,
    pub token: Token,
    pub risk: RiskThresholds,
    /// The rules by which actors are scored.
    pub risk_rules: RiskRules,
    /// Whether a change of an actor's risk band is an observation.
    pub band_changes: BandChanges,
    /// Which reads leave an audit entry.
    pub audited_reads: AuditedReads,
    /// How long an item of a bulk request waits for what it names.
    pub defer_for: Duration,
    /// How long the sets of the change feed are kept.
    pub changes_kept_for: Duration,
    pub detection: DetectionSettings,
    /// Which feedback calls a finding right or wrong.
    pub feedback: FeedbackMeanings,
    /// Codes of countries of high risk.
    pub high_risk_countries: Vec<String>,
    /// The institution's own rules of detection.
    pub own_rules: OwnRules,
    /// How long a request for data may wait for its answer, where neither it nor its type says so.
    pub requests_due_within: Duration,
    /// Texts that identify nobody, besides those that are known.
    pub placeholders: Vec<String>,
    pub files: Files,
    pub webhooks: WebhookSettings,
    pub watchlists: WatchlistSettings,
    pub screening: ScreeningSettings,
    /// A filter as `tracing-subscriber` reads it.
    pub log: String,
}

/// Where the graph is.
#[derive(Debug)]
pub struct Database {
    pub store: Store,
    /// The most connections kept to Neo4j.
    pub connections: usize,
    /// The longest a read may take at the database.
    pub timeout: Duration,
}

/// One of the two engines.
#[derive(Debug, Clone, PartialEq)]
pub enum Store {
    /// In this process, in a folder.
    Embedded(PathBuf),
    /// Neo4j.
    Bolt { url: String, user: String, password: Secret, name: Option<String> },
}

/// What one request, and all of them together, may take up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a body.
    pub body: usize,
    pub body_time: Duration,
    /// Bytes that the bodies of all requests may take together.
    pub bodies: usize,
    /// Bytes of an answer with a page of a list.
    pub answer: usize,
    /// Bytes of a request's head.
    pub header: usize,
    pub header_time: Duration,
    /// Requests under way at once; a quarter of them one caller's.
    pub in_flight: usize,
    /// Requests besides that may wait for events; a quarter of them one caller's.
    pub event_polls: usize,
    /// Wrong credentials that an address may send a minute.
    pub guesses: u32,
    pub request_time: Duration,
    /// How long the upload of a file may take.
    pub upload_time: Duration,
}

/// The most levels a query may be allowed to have. A level is a future within futures, and all are on the stack of one thread: this many take a
/// quarter of its 2 MB, and nearly all of it in a build without optimisation.
const DEEPEST: usize = 40;

/// Access tokens.
#[derive(Debug)]
pub struct Token {
    /// Signs the tokens that are issued here; each process makes its own when it is not given.
    pub secret: Option<Secret>,
    /// An outside issuer that is trusted.
    pub outside: Option<OutsideIssuer>,
    /// What the groups of its users are here.
    pub groups: RolesOfGroups,
    /// Operations that take no API key: `METHOD /path` or the operation's name.
    pub jwt_only: Vec<String>,
}

/// Files of cases.
#[derive(Debug)]
pub struct Files {
    pub place: FilePlace,
    /// How long a content stays that no case has: what an upload leaves whose process died.
    pub unclaimed_for: Duration,
}

/// Where the contents of files are.
#[derive(Debug, Clone, PartialEq)]
pub enum FilePlace {
    Folder(PathBuf),
    /// A bucket of S3. Address and credentials are in the usual variables.
    S3 {
        bucket: String,
        prefix: String,
    },
}

/// From which final score a risk counts as medium, and as high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskThresholds {
    pub medium_from: f64,
    pub high_from: f64,
}

/// Reads the settings from this process's environment, the file and the flags. The error names everything that is wrong.
pub fn load(flags: &Flags) -> anyhow::Result<Settings> {
    load_from(flags, environment())
}

/// The same, of which the limits of GraphQL count alone: the list of documents that is set may not be there yet, and is not read.
pub fn graphql_limits_alone(flags: &Flags) -> anyhow::Result<GraphqlLimits> {
    let mut reading = given(flags, environment())?;
    reading.leave_out(&["graphql.documents", "graphql.other_documents"]);
    read(reading).map(|settings| settings.graphql)
}

fn load_from(flags: &Flags, variables: HashMap<String, String>) -> anyhow::Result<Settings> {
    read(given(flags, variables)?)
}

fn environment() -> HashMap<String, String> {
    std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
}

/// What all sources together give.
fn given(flags: &Flags, variables: HashMap<String, String>) -> anyhow::Result<Reading> {
    let file = match &flags.config {
        Some(path) => File::from(path.as_path()).format(config::FileFormat::Toml).required(true),
        None => File::new(DEFAULT_FILE, config::FileFormat::Toml).required(false),
    };
    let settings = variables.into_iter().filter(|(name, _)| !CLIENT_VARIABLES.contains(&name.as_str()) && !name.starts_with(TEST_PREFIX)).collect();
    // A variable that is set to nothing is what compose files make of an absent one.
    let environment = Environment::with_prefix("AMLGRAPH").prefix_separator("_").separator("__").ignore_empty(true).source(Some(settings));
    let merged = Config::builder()
        .add_source(file)
        .add_source(environment)
        .set_override_option("log", flags.log.clone())?
        .set_override_option("listen", flags.listen.clone())?
        .set_override_option("database.url", flags.database.clone())?
        .build()
        .context("settings")?;
    Reading::of(&merged)
}

fn read(mut reading: Reading) -> anyhow::Result<Settings> {
    let settings = Settings::read(&mut reading);
    let faults = reading.faults();
    if !faults.is_empty() {
        bail!("settings: {}", faults.join("; "));
    }
    Ok(settings)
}

/// Every setting's name and default, where it has one, as [`Settings::read`] asks for them.
#[cfg(test)]
fn names() -> Vec<(String, Option<String>)> {
    let mut reading = Reading::default();
    Settings::read(&mut reading);
    reading.asked
}

impl Settings {
    fn read(reading: &mut Reading) -> Self {
        let listen = reading.take("listen", "127.0.0.1:8080", address);
        let limits = Limits::read(reading);
        let files = Files::read(reading, &limits);
        let screening = screening::read(reading, limits.request_time);
        let database = Database::read(reading);
        let cache = Cache::read(reading, matches!(database.store, Store::Embedded(_)), database.store.is_cluster());
        Self {
            listen,
            database,
            cache_bytes: cache.bytes,
            cache_staleness: cache.staleness,
            admin_key: reading.take_optional("admin_key", admin_key),
            limits,
            graphql: graphql_limits(reading, listen),
            live: live_limits(reading),
            token: Token::read(reading),
            risk: RiskThresholds::read(reading),
            risk_rules: reading.take_optional("risk.rules", risk_rules).unwrap_or_default(),
            band_changes: reading.take("risk.band_changes", "none", |text| text.parse::<BandChanges>()),
            audited_reads: reading.take("audit.reads", "records", audited_reads),
            defer_for: reading.take("bulk.defer_for", "24h", duration::parse),
            changes_kept_for: reading.take("changes.keep_for", "7d", duration::parse_positive),
            detection: DetectionSettings {
                time_zone: reading.take("detection.time_zone", "UTC", DetectionSettings::time_zone),
                same_within: reading.take("payments.same_within", "24h", duration::parse),
                cases: reading.take("detection.cases", "none", |text| text.parse::<CasesBy>()),
                case_score: reading.take("detection.case_score", "0", DetectionSettings::score),
                below_the_line: BelowTheLine {
                    samples: reading.take("detection.below_the_line", "0", whole),
                    steps: reading.take("detection.below_the_line_steps", "1", at_least_one),
                },
            },
            feedback: reading.take("detection.feedback", "", FeedbackMeanings::parse),
            high_risk_countries: reading.take_optional("detection.high_risk_countries", countries).unwrap_or_else(detection::high_risk_countries),
            own_rules: reading.take_optional("detection.rules", own_rules).unwrap_or_default(),
            requests_due_within: reading.take("requests_for_data.due_within", "72h", duration::parse_positive),
            placeholders: reading.take("identities.placeholders", "", list),
            files,
            webhooks: webhooks(reading),
            watchlists: WatchlistSettings {
                upload: reading.take("lists.upload", "512MiB", size::parse),
                keep_uploads_for: reading.take("lists.keep_uploads_for", "24h", duration::parse_positive),
            },
            screening,
            log: reading.take("log", "info,neo4rs=warn", filter),
        }
    }

    /// These for a process that answers nobody: it keeps nothing, but where it has to tell those that do what it writes.
    pub fn only_telling(self) -> Self {
        let cache_bytes = if matches!(self.database.store, Store::Embedded(_)) { 0 } else { self.cache_bytes };
        Self { cache_bytes, ..self }
    }
}

fn webhooks(reading: &mut Reading) -> WebhookSettings {
    WebhookSettings {
        key: reading.take_optional("webhooks.key", |text| hard_to_guess(text).and_then(|_| VaultKey::parse(text).map_err(str::to_owned))),
        reach: reading.take("webhooks.allow_private", "false", reach),
        retry_schedule: reading.take("webhooks.retry_schedule", "5s,5m,30m,2h,5h,10h,14h,20h,24h", durations),
        timeout: reading.take("webhooks.timeout", "15s", duration::parse_positive),
        keep_for: reading.take("webhooks.keep_for", "30d", duration::parse_positive),
    }
}

impl Database {
    fn read(reading: &mut Reading) -> Self {
        let address = reading.take("database.url", "embedded:./data", StoreAddress::parse);
        let user = reading.take("database.user", "neo4j", text);
        let password = reading.take("database.password", "", |text| Ok(Secret::new(text)));
        let name = reading.take_optional("database.name", text);
        let store = match address {
            StoreAddress::Folder(folder) => Store::Embedded(folder),
            StoreAddress::Url(url) => Store::Bolt { url, user, password, name },
        };
        Self {
            store,
            connections: reading.take("database.connections", "16", at_least_one),
            timeout: reading.take("database.timeout", "5s", duration::parse_positive),
        }
    }
}

impl Limits {
    fn read(reading: &mut Reading) -> Self {
        let limits = Self {
            // The largest body documented is 32 MB; a little more, so that its own rule can say what is wrong.
            body: reading.take("limits.body", "33MiB", size::parse),
            body_time: reading.take("limits.body_time", "30s", duration::parse_positive),
            bodies: reading.take("limits.bodies", "256MiB", size::parse),
            answer: reading.take("limits.answer", "64MiB", size::parse),
            header: reading.take("limits.header", "16KiB", size::parse_of_a_head),
            header_time: reading.take("limits.header_time", "10s", duration::parse_positive),
            in_flight: reading.take("limits.in_flight", "512", at_least_one),
            event_polls: reading.take("limits.event_polls", "256", at_least_one),
            guesses: reading.take("limits.guesses", "300", guesses),
            request_time: reading.take("limits.request_time", "9s", duration::parse_positive),
            upload_time: reading.take("limits.upload_time", "5m", duration::parse_positive),
        };
        if limits.bodies / 2 < limits.body {
            // Half of it is what one caller may take.
            reading.fault("limits.bodies", "must be at least twice limits.body");
        }
        if limits.answer < limits.body {
            // What was sent can be read again.
            reading.fault("limits.answer", "must be at least limits.body");
        }
        limits
    }
}

/// What shows the schema to whoever looks for it is there for those who sit at this machine; elsewhere only where it is wanted.
fn graphql_limits(reading: &mut Reading, listen: SocketAddr) -> GraphqlLimits {
    let by_address = if listen.ip().is_loopback() { Switch::On } else { Switch::Off };
    let mut shown = |name| reading.take_optional(name, switch).unwrap_or(by_address);
    let (introspection, suggestions, graphiql) = (shown("graphql.introspection"), shown("graphql.suggestions"), shown("graphql.graphiql"));
    GraphqlLimits {
        depth: reading.take("graphql.depth", "24", levels),
        complexity: reading.take("graphql.complexity", "50000", at_least_one),
        aliases: reading.take("graphql.aliases", "30", at_least_one),
        tokens: reading.take("graphql.tokens", "5000", at_least_one),
        batch: reading.take("graphql.batch", "0", whole),
        steps: reading.take("graphql.steps", "12", whole),
        time: reading.take("graphql.time", "8s", duration::parse_positive),
        introspection,
        suggestions,
        graphiql,
        trusted: trusted_documents(reading),
    }
}

/// The documents that clients name by their ids.
fn trusted_documents(reading: &mut Reading) -> TrustedDocuments {
    let others = reading.take("graphql.other_documents", "taken", other_documents);
    if others == Others::Refused && !reading.has("graphql.documents") {
        reading.fault("graphql.other_documents", "refused needs the list of those that are taken, graphql.documents");
    }
    reading.take_optional("graphql.documents", |path| documents(path, others)).unwrap_or_default()
}

/// One caller may have more than half of the connections: an application that signs in with one key opens one for each of its users.
fn live_limits(reading: &mut Reading) -> LiveLimits {
    LiveLimits {
        connections: reading.take("live.connections", "20000", at_least_one),
        connections_per_caller: reading.take("live.connections_per_caller", "12000", at_least_one),
        operations_per_connection: reading.take("live.operations_per_connection", "100", at_least_one),
        origins: reading.take("live.origins", "", LiveLimits::origins),
    }
}

impl Token {
    fn read(reading: &mut Reading) -> Self {
        let jwks_url = reading.take_optional("token.jwks_url", secure_url);
        let issuer = reading.take_optional("token.issuer", not_blank);
        let audience = reading.take_optional("token.audience", not_blank);
        let outside = match (jwks_url, issuer, audience) {
            (Some(jwks_url), Some(issuer), Some(audience)) => Some(OutsideIssuer { jwks_url, issuer, audience }),
            (None, None, None) => None,
            // A token that could be anybody's, for whatever service, must not come in.
            _ => {
                reading.fault("token.jwks_url", "goes with token.issuer and token.audience: all three, or none");
                None
            }
        };
        Self {
            secret: reading.take_optional("token.secret", hard_to_guess),
            outside,
            groups: RolesOfGroups(reading.take("token.groups", "", roles)),
            jwt_only: reading.take("token.jwt_only", "", list),
        }
    }
}

impl Files {
    fn read(reading: &mut Reading, limits: &Limits) -> Self {
        let files = Self {
            place: reading.take("files.url", "file:./data/files", FilePlace::parse),
            unclaimed_for: reading.take("files.unclaimed_for", "1h", duration::parse_positive),
        };
        if files.unclaimed_for < limits.upload_time + UNTIL_CLAIMED {
            // Else what somebody is just sending, or what waits to be written, would be taken for nobody's.
            reading.fault("files.unclaimed_for", "must be at least 5 minutes longer than limits.upload_time");
        }
        files
    }
}

impl FilePlace {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "must be file:FOLDER or s3://BUCKET, with /PREFIX if wanted".to_owned();
        if let Some(place) = text.strip_prefix("s3://") {
            let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
            return if bucket.is_empty() { Err(wrong()) } else { Ok(Self::S3 { bucket: bucket.into(), prefix: prefix.trim_matches('/').into() }) };
        }
        let folder = text.strip_prefix("file:").filter(|folder| !folder.is_empty()).ok_or_else(wrong)?;
        Ok(Self::Folder(folder.strip_prefix("//").unwrap_or(folder).into()))
    }
}

impl RiskThresholds {
    fn read(reading: &mut Reading) -> Self {
        let thresholds =
            Self { medium_from: reading.take("risk.medium_from", "50", number), high_from: reading.take("risk.high_from", "80", number) };
        if thresholds.high_from < thresholds.medium_from {
            reading.fault("risk.high_from", "must not be below risk.medium_from");
        }
        thresholds
    }
}

impl Store {
    /// What names this store, in messages and checkpoints: never its password.
    pub fn name(&self) -> String {
        match self {
            // The same folder by another path is the same store.
            Store::Embedded(folder) => format!("embedded:{}", folder.canonicalize().unwrap_or_else(|_| folder.clone()).display()),
            Store::Bolt { url, name, .. } => format!("{url}/{}", name.as_deref().unwrap_or_default()),
        }
    }

    /// Whether reads and writes may go to several members.
    fn is_cluster(&self) -> bool {
        matches!(self, Self::Bolt { url, .. } if url.starts_with("neo4j"))
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Store::Embedded(folder) => write!(f, "the embedded store in {}", folder.display()),
            Store::Bolt { url, .. } => write!(f, "Neo4j at {url}"),
        }
    }
}

#[cfg(test)]
mod tests;
