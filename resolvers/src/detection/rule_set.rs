//! The rules there are: those that the program comes with, those of the institution's folder, and those that people have added, each as it was tuned.
//!
//! Of the versions of one rule the highest live one counts. Versions above it that are in shadow are its challengers: they run beside it. Where none is live
//! the highest one in shadow runs by itself. All others rest. Nothing of this is kept in the process: a run reads what was added and tuned up to its start.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use cypher::Params;
use cypher::statements::detection::{ADDED_RULES, TUNINGS};
use cypher::statements::rows::AddedRule;
use detection::{Fault, LoadError, Pack, Quantity, Role, Rule, Settings, Status, Unit, Version, lint};
use graph_schema::date::Timestamp;
use graph_schema::detection::{DetectionBatch, ProcessType};
use serde::{Deserialize, Serialize};

use super::tuning::{Tuning, tuned};
use crate::policy::{Action, Permit, Subject};
use crate::rule_tuning::not_there;
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// The label under which rules are spoken of.
pub(super) const DETECTION_RULE: &str = "DetectionRule";

/// The rules that the program comes with. That they have no fault is what their tests show.
static BUILT_IN: LazyLock<Vec<Arc<Rule>>> = LazyLock::new(|| match Pack::built_in() {
    Ok(pack) => rules_of(&pack),
    Err(faults) => {
        tracing::error!(%faults, "the built-in rules can't be read: detection finds nothing");
        Vec::new()
    }
});

fn rules_of(pack: &Pack) -> Vec<Arc<Rule>> {
    pack.rules().iter().map(|packed| Arc::new(packed.rule.clone())).collect()
}

/// The rules of an institution's folder, free of faults. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct OwnRules(Arc<[Arc<Rule>]>);

impl OwnRules {
    /// Reads a folder as `detection/rules` is one, and runs the tests in it. The error has all faults, each with its file and place: what can't be read, tests
    /// that fail or are too few, and versions that the program comes with and that say otherwise there.
    pub fn load(folder: &Path) -> std::result::Result<Self, String> {
        let pack = Pack::load(folder).map_err(|error| match error {
            LoadError::Folder { path, source } => format!("{path} could not be read: {source}"),
            LoadError::Faults(faults) => in_one_line(&faults.0),
        })?;
        let faults: Vec<Fault> = pack.rules().iter().filter_map(|packed| overwriting(&packed.rule)).chain(lint_faults(&pack)).collect();
        if faults.is_empty() { Ok(Self(rules_of(&pack).into())) } else { Err(in_one_line(&faults)) }
    }
}

fn in_one_line(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
}

/// What is wrong with the tests of rules, and which of them fail.
pub(super) fn lint_faults(pack: &Pack) -> Vec<Fault> {
    let faults = marking::check(pack);
    if !faults.is_empty() {
        return faults;
    }
    match marking::with_marker(pack, |marker| lint(pack, marker)) {
        Ok(report) => report.rules.into_iter().flat_map(|rule| rule.faults).collect(),
        Err(error) => vec![Fault { file: String::new(), place: "tests".to_owned(), says: format!("no store could be opened for them: {error}") }],
    }
}

/// Says that a version is one that the program comes with, and says otherwise there. Whether it runs is no part of what a version says.
fn overwriting(rule: &Rule) -> Option<Fault> {
    let built_in = BUILT_IN.iter().find(|built_in| is_version(built_in, rule))?;
    (!says_the_same(built_in, rule)).then(|| overwritten(&rule.id, rule.version))
}

/// That a rule of a folder says otherwise than the version that the program comes with.
pub(crate) fn overwritten(id: &str, version: Version) -> Fault {
    Fault {
        file: format!("{id}/rule.toml"),
        place: "version".to_owned(),
        says: format!("{version} is a version that the program comes with, and says otherwise there; raise it"),
    }
}

fn is_version(one: &Rule, other: &Rule) -> bool {
    (&one.id, one.version) == (&other.id, other.version)
}

fn says_the_same(one: &Rule, other: &Rule) -> bool {
    Rule { status: other.status, ..one.clone() } == *other
}

/// Where a version of a rule comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleSource {
    /// The program comes with it.
    BuiltIn,
    /// It stands in the institution's folder.
    Folder,
    /// Somebody has added it.
    Added { at: Timestamp, by: String, by_name: String },
}

/// What a version of a rule does in runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RulePart {
    /// Its findings are recorded.
    Live,
    /// It runs beside a live version, and nothing that it finds is recorded.
    Challenger,
    /// It runs where no version is live, and nothing that it finds is recorded.
    Shadow,
    /// It does not run.
    Resting,
}

/// A version of a rule, as it was tuned.
#[derive(Debug, Clone)]
pub struct KnownRule {
    pub rule: Arc<Rule>,
    pub source: RuleSource,
    /// What its file says, or the latest tuning that says a status.
    pub status: Status,
    pub part: RulePart,
    /// Values of its parameters.
    pub settings: Settings,
    /// How it was tuned, the latest first.
    pub tunings: Vec<Tuning>,
}

/// All versions of all rules: by id, the highest version first.
#[derive(Debug, Clone, Default)]
pub struct RuleSet(Vec<KnownRule>);

impl RuleSet {
    /// Of rules of a folder, rules that were added, and tunings in any order.
    pub fn new(own: &OwnRules, added: Vec<AddedRule>, tunings: Vec<Tuning>) -> Result<Self> {
        let tunings = Tuning::in_order(tunings);
        let own: Vec<_> = own.0.iter().map(|rule| (Arc::clone(rule), RuleSource::Folder)).collect();
        let mut sources = own;
        for row in added {
            let (rule, source) = read_added(row)?;
            match sources.iter().find(|(own, _)| is_version(own, &rule)) {
                Some((own, _)) if says_the_same(own, &rule) => {}
                Some(_) => return Err(Error::Misconfigured(twice(&rule))),
                None => sources.push((rule, source)),
            }
        }
        for rule in BUILT_IN.iter() {
            // What an institution has released under a version stays that version, whatever a later program comes with.
            if !sources.iter().any(|(own, _)| is_version(own, rule)) {
                sources.push((Arc::clone(rule), RuleSource::BuiltIn));
            }
        }
        sources.sort_by(|(one, _), (other, _)| (&one.id, other.version).cmp(&(&other.id, one.version)));
        let known = |(rule, source): (Arc<Rule>, RuleSource)| -> Result<KnownRule> {
            let (status, settings, tunings) = tuned(&rule, &tunings)?;
            Ok(KnownRule { rule, source, status, part: RulePart::Resting, settings, tunings })
        };
        let mut rules = sources.into_iter().map(known).collect::<Result<Vec<_>>>()?;
        rules.chunk_by_mut(|one, other| one.rule.id == other.rule.id).for_each(give_parts);
        Ok(Self(rules))
    }

    /// All versions.
    pub fn all(&self) -> &[KnownRule] {
        &self.0
    }

    /// The versions of a rule, the highest first.
    pub fn versions(&self, id: &str) -> std::slice::Iter<'_, KnownRule> {
        let begin = self.0.partition_point(|known| known.rule.id.as_str() < id);
        let behind = self.0.partition_point(|known| known.rule.id.as_str() <= id);
        self.0[begin..behind].iter()
    }

    /// A version of a rule; without one, that which counts: the live one, else the one in shadow, else the highest.
    pub fn find(&self, id: &str, version: Option<&str>) -> Option<&KnownRule> {
        let mut versions = self.versions(id);
        match version {
            Some(version) => versions.find(|known| known.rule.version.to_string() == version),
            None => versions.min_by_key(|known| match known.part {
                RulePart::Live => 0,
                RulePart::Shadow => 1,
                RulePart::Challenger | RulePart::Resting => 2,
            }),
        }
    }

    /// That a rule, or of this one the version that is named, is not there.
    pub(super) fn not_there(&self, id: &str) -> graph_schema::fault::Fault {
        let versions: Vec<String> = self.versions(id).map(|known| known.rule.version.to_string()).collect();
        not_there(self.0.iter().map(|known| known.rule.id.as_str()), &versions)
    }

    /// The rules of a run: live ones, and those that run beside. There are none of actors' risks.
    pub fn of_run(&self, batch: &DetectionBatch) -> Rules {
        let is_meant = |known: &&KnownRule| known.part != RulePart::Resting && known.rule.is_for(&batch.line_of_business);
        match batch.process_type {
            ProcessType::Aml => Rules(self.0.iter().filter(is_meant).map(RunRule::of).collect()),
            ProcessType::Actor => Rules::default(),
        }
    }

    /// How much time before the end of a day is read: as much as any rule looks at that runs or that the program comes with, whoever is looked at, so that what
    /// one of them finds does not depend on which others are for that line of business.
    pub fn lookback(&self) -> Duration {
        let runs = self.0.iter().filter(|known| known.part != RulePart::Resting).map(|known| lookback_of(&known.rule, &known.settings));
        runs.chain(BUILT_IN.iter().map(|rule| lookback_of(rule, &Settings::of(rule)))).max().unwrap_or_default()
    }
}

/// Of the versions of one rule, the highest first.
fn give_parts(versions: &mut [KnownRule]) {
    let live = versions.iter().position(|known| known.status == Status::Live);
    let alone = versions.iter().position(|known| known.status == Status::Shadow);
    for (place, known) in versions.iter_mut().enumerate() {
        known.part = match (known.status, live) {
            (Status::Live, Some(live)) if live == place => RulePart::Live,
            (Status::Shadow, Some(live)) if place < live => RulePart::Challenger,
            (Status::Shadow, None) if alone == Some(place) => RulePart::Shadow,
            _ => RulePart::Resting,
        };
    }
}

fn twice(rule: &Rule) -> String {
    format!(
        "{}/rule.toml in the folder of detection.rules: version: {} was added by somebody, and says otherwise there; raise it",
        rule.id, rule.version
    )
}

/// A rule that was added was free of faults then; one that no longer can be read is a defect, and no run goes on without it.
fn read_added(row: AddedRule) -> Result<(Arc<Rule>, RuleSource)> {
    let AddedRule { id, rule_id, rule, added_at, added_by, added_by_name } = row;
    let pack = Pack::from_files([(format!("{rule_id}/rule.toml"), rule)]);
    let pack = pack.map_err(|faults| Error::Internal(format!("the rule {id}, which was added, is not readable any more: {faults}")))?;
    let packed = pack.rules().first().ok_or_else(|| Error::Internal(format!("the rule {id}, which was added, is empty")))?;
    Ok((Arc::new(packed.rule.clone()), RuleSource::Added { at: Timestamp(added_at), by: added_by, by_name: added_by_name }))
}

/// How much time a rule looks at with some settings: its windows stand one before the other, and behind them what it looks for in days, such as how long an
/// account was idle. Less than with its defaults it is never.
pub(super) fn lookback_of(rule: &Rule, settings: &Settings) -> Duration {
    let time = |unit, value: Quantity| match unit {
        Unit::Hours => value.as_hours(),
        Unit::Days => value.as_days(),
        _ => Duration::ZERO,
    };
    let of_role = |is_pass: bool| rule.parameters.iter().filter(move |(_, parameter)| (parameter.role == Role::Pass) == is_pass);
    let most = |name: &str, default: Quantity| settings.value(name).max(default);
    let passes: Duration = of_role(true).map(|(name, parameter)| time(parameter.unit, most(name, parameter.default))).sum();
    let full = |name: &str, default| rule.score.full.get(name).copied().unwrap_or(default);
    let thresholds = of_role(false).map(|(name, parameter)| time(parameter.unit, full(name, parameter.default).max(most(name, parameter.default))));
    passes + thresholds.max().unwrap_or_default()
}

/// A rule as it runs.
#[derive(Debug, Clone)]
pub struct RunRule {
    pub rule: Arc<Rule>,
    pub settings: Settings,
    pub part: RulePart,
}

impl RunRule {
    pub(super) fn of(known: &KnownRule) -> Self {
        Self { rule: Arc::clone(&known.rule), settings: known.settings.clone(), part: known.part }
    }

    /// The values of its parameters as texts, by name.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        self.settings.values().iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
    }
}

/// The rules of a run.
#[derive(Debug, Clone, Default)]
pub struct Rules(pub(super) Vec<RunRule>);

impl Rules {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The rules that a run began with, and their values: what it keeps of them, so that it goes on with the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Pinned {
    /// How much time before the end of its day it reads, in milliseconds.
    lookback: u64,
    rules: Vec<PinnedRule>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct PinnedRule {
    rule: String,
    version: String,
    part: RulePart,
    values: BTreeMap<String, Quantity>,
}

impl Pinned {
    pub fn of(set: &RuleSet, batch: &DetectionBatch) -> Self {
        let pinned = |RunRule { rule, settings, part }: RunRule| PinnedRule {
            rule: rule.id.clone(),
            version: rule.version.to_string(),
            part,
            values: settings.values().clone(),
        };
        let lookback = u64::try_from(set.lookback().as_millis()).unwrap_or(u64::MAX);
        Self { lookback, rules: set.of_run(batch).0.into_iter().map(pinned).collect() }
    }

    pub fn lookback(&self) -> Duration {
        Duration::from_millis(self.lookback)
    }

    /// The rules. The error says which is there no longer: a folder has another version now.
    pub fn rules(&self, set: &RuleSet) -> std::result::Result<Rules, String> {
        let rule = |PinnedRule { rule, version, part, values }: &PinnedRule| {
            let known = set.find(rule, Some(version)).map(|known| Arc::clone(&known.rule));
            let running = known.and_then(|rule| Some(RunRule { settings: Settings::with(&rule, values).ok()?, rule, part: *part }));
            running.ok_or_else(|| format!("the rule {rule} {version}, with which the run began, is not there any more: ask for the run again"))
        };
        Ok(Rules(self.rules.iter().map(rule).collect::<std::result::Result<_, _>>()?))
    }
}

impl Resolvers {
    /// All versions of all rules, as they are tuned now: by id, the highest version first.
    #[boxed]
    pub async fn detection_rules(&self, caller: &Caller) -> Result<Vec<KnownRule>> {
        let permit = self.inner.enter(caller, Action::ReadRules, Subject::List(DETECTION_RULE))?;
        Ok(self.inner.rule_set(&permit, i64::MAX).await?.0)
    }

    /// Whether the rules of the folders, those that were added and what they are tuned to fit together, those that score actors too.
    #[boxed]
    pub async fn check_rules(&self) -> Result<()> {
        let permit = Permit::of_service();
        self.inner.rule_set(&permit, i64::MAX).await?;
        self.inner.risk_rule_set(&permit, i64::MAX).await.map(|_| ())
    }
}

impl Inner {
    /// The rules, with what was added and tuned up to a moment (epoch milliseconds).
    pub(super) async fn rule_set(&self, permit: &Permit<'_>, known_up_to: i64) -> Result<RuleSet> {
        let known = || Params::none().with("knownUpTo", known_up_to);
        let added = self.read(permit, ADDED_RULES, known()).await?;
        let tunings = self.read(permit, TUNINGS, known()).await?;
        let tunings = tunings.into_iter().map(Tuning::read).collect::<Result<Vec<_>>>()?;
        RuleSet::new(&self.settings.own_rules, added, tunings)
    }

    /// Whether there is a rule of this id.
    pub(super) async fn is_rule(&self, permit: &Permit<'_>, id: &str) -> Result<bool> {
        if BUILT_IN.iter().chain(self.settings.own_rules.0.iter()).any(|rule| rule.id == id) {
            return Ok(true);
        }
        Ok(self.rule_set(permit, i64::MAX).await?.versions(id).next().is_some())
    }
}
