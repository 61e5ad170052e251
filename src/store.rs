//! Opening the database that the settings name, bringing it up to date, and seeing that someone can get in.

mod own_key;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cypher::statements::rows::TotalRow;
use cypher::{Bolt, BoltAddress, Embedded, Engine, Params, Reading, statements};
use resolvers::{Clock, Error, FileSettings, FileStore, Placeholders, Resolvers, RiskBands, SystemClock, TokenSettings, WebhookSettings};

use crate::config::{FilePlace, Settings, Store};
use crate::private::{self, Whose};

/// A database that starts together with this program is waited for this long.
const PATIENCE: Duration = Duration::from_secs(60);
const BETWEEN_TRIES: Duration = Duration::from_secs(1);

/// The database, opened and brought up to date.
pub async fn open(settings: &Settings) -> anyhow::Result<Engine> {
    let engine = connect(settings).await?;
    migrate(&engine, settings).await?;
    if let Engine::Embedded(_) = engine {
        // Nobody else has it open: whoever left leases behind has died, and is not waited for.
        engine.write(statements::job::VOID, Params::none()).await.context("ending leases of before")?;
        engine.write(statements::job_instance::VOID, Params::none()).await.context("ending leases of before")?;
        let now = SystemClock.now().millis();
        engine.write(statements::delivery::VOID, Params::none().with("now", now)).await.context("ending leases of before")?;
    }
    Ok(engine)
}

/// The database as it is.
pub async fn connect(settings: &Settings) -> anyhow::Result<Engine> {
    let store = &settings.database.store;
    let opened = match store {
        Store::Embedded(folder) => {
            private::folder(folder, in_store).with_context(|| format!("the folder of the store, {}", folder.display()))?;
            Embedded::open(folder).await.map(Engine::Embedded)
        }
        Store::Bolt { url, user, password, name } => Bolt::open(BoltAddress {
            url: url.clone(),
            user: user.clone(),
            password: password.reveal().to_owned(),
            database: name.clone(),
            connections: settings.database.connections,
        })
        .map(Engine::Bolt),
    };
    opened.with_context(|| format!("opening {store}"))
}

/// Whose something is in the folder of an embedded store: the engine's graph, log and lock, the key of webhooks, and the files of cases unless they are set
/// to be elsewhere.
fn in_store(name: &str) -> Whose {
    match name {
        "files" => Whose::OursElsewhere,
        name if name.starts_with("graph.kgl") || name.starts_with(".kglite") || name.contains("webhooks.key") => Whose::Ours,
        _ => Whose::Others,
    }
}

/// Whose something is in the folder of files: each graph has one there, by an id.
fn in_files(name: &str) -> Whose {
    if uuid::Uuid::try_parse(name).is_ok() { Whose::Ours } else { Whose::Others }
}

/// Brings the database up to date; waits for one that does not answer yet.
async fn migrate(engine: &Engine, settings: &Settings) -> anyhow::Result<()> {
    let store = &settings.database.store;
    let started = Instant::now();
    loop {
        match resolvers::migrate(engine, settings.cache_bytes, settings.cache_staleness).await {
            Ok(()) => return Ok(()),
            // One that has just started may take longer than a statement may.
            Err(error) if (error.is_outage() || matches!(error, cypher::Error::TimeLimit { .. })) && started.elapsed() < PATIENCE => {
                tracing::warn!(%error, "the database does not answer yet");
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            Err(error) => return Err(error).with_context(|| format!("bringing {store} up to date")),
        }
    }
}

/// The operations over a database.
pub fn resolvers(engine: &Engine, settings: &Settings) -> anyhow::Result<Resolvers> {
    let risk = settings.risk;
    let token = &settings.token;
    let secret = token.secret.as_ref().map(|secret| secret.reveal().to_owned());
    let tokens = TokenSettings { secret, outside: token.outside.clone(), groups: token.groups.clone() };
    let settings = resolvers::Settings {
        read_limit: settings.database.timeout,
        risk_bands: RiskBands { medium_from: risk.medium_from, high_from: risk.high_from },
        tokens,
        guesses: settings.limits.guesses,
        audited_reads: settings.audited_reads,
        defer_for: settings.defer_for,
        changes_kept_for: settings.changes_kept_for,
        detection: settings.detection,
        feedback: settings.feedback.clone(),
        high_risk_countries: settings.high_risk_countries.clone(),
        own_rules: settings.own_rules.clone(),
        risk_rules: settings.risk_rules.clone(),
        band_changes: settings.band_changes,
        requests_due_within: settings.requests_due_within,
        placeholders: Placeholders::with(&settings.placeholders),
        page_bytes: settings.limits.answer,
        cache_bytes: settings.cache_bytes,
        cache_staleness: settings.cache_staleness,
        files: FileSettings { store: files(&settings.files.place)?, unclaimed_for: settings.files.unclaimed_for },
        webhooks: webhooks(settings)?,
        watchlists: settings.watchlists.clone(),
        screening: settings.screening.clone(),
    };
    Ok(Resolvers::new(engine.clone(), settings))
}

/// Sees that the rules of the folder, those that were added and what they are tuned to fit together: a run that stops at them is too late.
pub async fn check_rules(resolvers: &Resolvers) -> anyhow::Result<()> {
    match resolvers.check_rules().await {
        // No setting mends what stands in the store. Payments are taken meanwhile, and no run ends without the rule.
        Err(Error::Internal(text)) => {
            tracing::error!(error = resolvers::without_values(&text), "runs of detection fail: this program can't read a rule of the store");
            Ok(())
        }
        checked => checked.context("the rules of detection"),
    }
}

/// How webhooks are kept. The embedded store has a key of its own where the settings have none.
fn webhooks(settings: &Settings) -> anyhow::Result<WebhookSettings> {
    let mut webhooks = settings.webhooks.clone();
    if let (None, Store::Embedded(folder)) = (&webhooks.key, &settings.database.store) {
        webhooks.key = Some(own_key::of_store(folder)?);
    }
    Ok(webhooks)
}

/// Where the contents of files are kept.
fn files(place: &FilePlace) -> anyhow::Result<FileStore> {
    match place {
        FilePlace::Folder(folder) => private::folder(folder, in_files)
            .and_then(|()| FileStore::folder(folder))
            .with_context(|| format!("the folder of files, {}", folder.display())),
        FilePlace::S3 { bucket, prefix } => FileStore::s3(bucket, prefix).map_err(|error| anyhow::anyhow!("the bucket of files, {bucket}: {error}")),
    }
}

/// Whether nothing was recorded in the database yet.
pub async fn is_empty(engine: &Engine) -> anyhow::Result<bool> {
    Ok(count(engine, statements::migration::HOLDS_RECORDS).await? == 0)
}

async fn count(engine: &Engine, counting: Reading<TotalRow>) -> anyhow::Result<i64> {
    let rows = engine.read_as(counting, Params::none(), Duration::from_secs(5)).await.context("reading the store")?;
    Ok(counting.first(rows)?.total)
}

/// On a first start an API key is made (see [`Resolvers::first_key`]). Fails where that would leave a service open to a network with a key
/// that only a log has seen.
pub async fn check_first_key(engine: &Engine, settings: &Settings) -> anyhow::Result<()> {
    let first_start = count(engine, statements::credential::COUNT_KEYS).await? == 0;
    if first_start && settings.admin_key.is_none() && !settings.listen.ip().is_loopback() {
        bail!("{}", no_key_for(settings.listen));
    }
    Ok(())
}

fn no_key_for(listen: SocketAddr) -> String {
    format!(
        "the store has no API key yet, and {listen} can be reached from elsewhere: give the first administrator's key as AMLGRAPH_ADMIN_KEY, \
         or start once on a loopback address (--listen 127.0.0.1:8080), where one is made and shown"
    )
}
