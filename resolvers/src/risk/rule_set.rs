//! The risk rules there are: those of the program or of the institution's folder, and those that people have added, each as it was switched and tuned.
//!
//! Of the live rules that score a type of actor the one counts that was switched live last; before anybody has switched one, that is the one whose file says
//! so, as a pack has one of them for each type; a rule that is added live is switched live by that. The others rest, and the one before counts again when the
//! last one is switched back. Rules in shadow run beside those that count. Versions of a rule are rules like others. Nothing of this is kept in the process: a run goes by what was said before its start.

use std::collections::BTreeMap;

use cypher::Params;
use cypher::statements::risk::{ADDED_RULES, TUNINGS};
use cypher::statements::rows::AddedRule;
use detection::Status;
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use risk::{ActorType, Pack, RiskRule};
use serde_json::json;

use super::rules::{RiskRules, is_version, says_the_same};
use crate::derived_id::digest_id;
use crate::detection::RulePart;
use crate::policy::{Action, Permit, Subject};
use crate::rule_adding::KnownVersion;
use crate::rule_tuning::{Tuning, not_there};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// The label under which risk rules are spoken of.
pub(super) const RISK_RULE: &str = "RiskRule";

/// Who has added a rule, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleAddition {
    pub at: Timestamp,
    pub by: String,
    pub by_name: String,
}

/// A version of a risk rule, as it was tuned.
#[derive(Debug, Clone)]
pub struct KnownRiskRule {
    /// With the weights that it was tuned to.
    pub rule: RiskRule,
    /// As its file says.
    pub written: RiskRule,
    /// Nothing for rules of the program or of a folder.
    pub added: Option<RuleAddition>,
    /// What its file says, or the latest tuning that says a status.
    pub status: Status,
    /// What it does in runs. No rule of risk is a challenger: whoever is in shadow runs beside all that are live.
    pub part: RulePart,
    /// How it was tuned, the latest first.
    pub tunings: Vec<Tuning>,
    /// When it was switched live (epoch milliseconds), and by which of all tunings.
    live_since: Option<(i64, usize)>,
}

/// The rule of each type of actor that one scores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiveRules(BTreeMap<ActorType, RiskRule>);

impl LiveRules {
    /// The rule that scores a type of actor. Somebody of whom nobody says what it is goes by whichever there is.
    pub fn of(&self, kind: Option<ActorType>) -> Option<&RiskRule> {
        match kind {
            Some(kind) => self.0.get(&kind),
            None => self.0.values().next(),
        }
    }

    /// The rules if this one were live: all damp as it does, as there is one network.
    pub fn with(&self, rule: &RiskRule) -> Self {
        let mut rules = self.clone();
        rules.0.extend(rule.scores.iter().map(|kind| (*kind, rule.clone())));
        rules.0.values_mut().for_each(|other| other.network.damping = rule.network.damping);
        rules
    }
}

/// All versions of all risk rules: by id, the highest version first.
#[derive(Debug, Clone)]
pub struct RiskRuleSet(pub Vec<KnownRiskRule>);

impl RiskRuleSet {
    /// Of the rules of a pack, rules that were added, and tunings in any order.
    pub fn new(rules: &RiskRules, added: Vec<AddedRule>, tunings: Vec<Tuning>) -> Result<Self> {
        let tunings = Tuning::in_order(tunings);
        let mut sources: Vec<(RiskRule, Option<RuleAddition>)> = rules.all().map(|rule| (rule.clone(), None)).collect();
        for row in added {
            let (rule, addition) = read_added(row)?;
            match sources.iter().position(|(own, _)| is_version(own, &rule)) {
                Some(place) if says_the_same(&sources[place].0, &rule) => {}
                // What an institution has added under a version stays that version, whatever a later program comes with.
                Some(place) if rules.are_built_in() => sources[place] = (rule, Some(addition)),
                Some(_) => return Err(Error::Misconfigured(twice(&rule))),
                None => sources.push((rule, Some(addition))),
            }
        }
        sources.sort_by(|(one, _), (other, _)| (&one.id, other.version).cmp(&(&other.id, one.version)));
        let rules = sources.into_iter().map(|(rule, added)| tuned(rule, added, &tunings)).collect::<Result<Vec<_>>>()?;
        let mut set = Self(rules);
        let live: Vec<String> = ActorType::ALL.into_iter().filter_map(|kind| set.live_of(kind)).map(RiskRule::key).collect();
        for known in &mut set.0 {
            known.part = match known.status {
                Status::Live if live.contains(&known.rule.key()) => RulePart::Live,
                Status::Shadow => RulePart::Shadow,
                Status::Live | Status::Off => RulePart::Resting,
            };
        }
        Ok(set)
    }

    /// A version of a rule; without one, that which counts: the one that scores, else the one in shadow, else the highest.
    pub fn find(&self, id: &str, version: Option<&str>) -> Option<&KnownRiskRule> {
        let mut versions = self.0.iter().filter(|known| known.rule.id == id);
        match version {
            Some(version) => versions.find(|known| known.rule.version.to_string() == version),
            None => versions.min_by_key(|known| match known.part {
                RulePart::Live => 0,
                RulePart::Challenger | RulePart::Shadow => 1,
                RulePart::Resting => 2,
            }),
        }
    }

    /// The versions of a rule.
    pub fn versions(&self, id: &str) -> Vec<String> {
        self.0.iter().filter(|known| known.rule.id == id).map(|known| known.rule.version.to_string()).collect()
    }

    /// That a rule, or of this one the version that is named, is not there.
    pub fn not_there(&self, id: &str) -> Fault {
        not_there(self.0.iter().map(|known| known.rule.id.as_str()), &self.versions(id))
    }

    /// The rules that count.
    pub(crate) fn live(&self) -> LiveRules {
        LiveRules(ActorType::ALL.into_iter().filter_map(|kind| Some((kind, self.live_of(kind)?.clone()))).collect())
    }

    pub fn live_of(&self, kind: ActorType) -> Option<&RiskRule> {
        let live = self.0.iter().filter(|known| known.status == Status::Live && known.rule.is_for(kind));
        live.max_by_key(|known| known.live_since).map(|known| &known.rule)
    }

    /// Rules in shadow: they are evaluated, and nothing that they say is kept.
    pub fn shadows(&self) -> impl Iterator<Item = &RiskRule> {
        self.0.iter().filter(|known| known.part == RulePart::Shadow).map(|known| &known.rule)
    }

    /// The ids and versions of all that run.
    pub fn keys(&self) -> Vec<String> {
        self.0.iter().filter(|known| known.part != RulePart::Resting).map(|known| known.rule.key()).collect()
    }

    /// Stands for all that run, with their weights, and for whom each of them scores.
    pub fn digest(&self) -> String {
        let live = self.live().0.iter().map(|(kind, rule)| json!([kind, rule]).to_string()).collect::<Vec<_>>();
        let texts: Vec<String> = live.into_iter().chain(self.shadows().map(|rule| json!(rule).to_string())).collect();
        digest_id("rules", &texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Why those that are live can't be so together.
    pub fn fault(&self) -> Option<String> {
        let [one, other] = ActorType::ALL.map(|kind| self.live_of(kind));
        let (one, other) = one.zip(other)?;
        let (of_one, of_other) = (one.network.damping, other.network.damping);
        (of_one != of_other)
            .then(|| format!("damping: the live rules {} and {} have {of_one} and {of_other}, and there is one network", one.key(), other.key()))
    }

    /// The same if versions of a rule were switched to this.
    pub fn fault_after(&self, id: &str, versions: &[String], status: Status) -> Option<String> {
        let mut rules = self.clone();
        let is_meant = |known: &&mut KnownRiskRule| known.rule.id == id && versions.contains(&known.rule.version.to_string());
        for known in rules.0.iter_mut().filter(is_meant) {
            if status == Status::Live && known.status != Status::Live {
                known.live_since = Some(LAST);
            }
            known.status = status;
        }
        rules.fault()
    }

    /// The same if a rule were added.
    pub fn fault_with(&self, rule: &RiskRule) -> Option<String> {
        let mut rules = self.clone();
        let (live_since, written) = ((rule.status == Status::Live).then_some(LAST), rule.clone());
        let (status, part, rule, tunings) = (rule.status, RulePart::Resting, rule.clone(), Vec::new());
        rules.0.push(KnownRiskRule { rule, written, added: None, status, part, tunings, live_since });
        rules.fault()
    }

    /// What is known of a rule's version, and how many were added.
    pub fn beside(&self, rule: &RiskRule) -> (KnownVersion, usize) {
        let known = match self.0.iter().find(|known| is_version(&known.rule, rule)) {
            Some(known) if known.added.is_some() => KnownVersion::Added,
            Some(_) => KnownVersion::OfProgramOrFolder,
            None => KnownVersion::Absent,
        };
        (known, self.0.iter().filter(|known| known.added.is_some()).count())
    }
}

/// Behind all that has been switched.
const LAST: (i64, usize) = (i64::MAX, usize::MAX);

fn twice(rule: &RiskRule) -> String {
    format!("{}/rule.toml in the folder of risk.rules: version: {} was added by somebody, and says otherwise there; raise it", rule.id, rule.version)
}

/// A rule that was added was free of faults then; one that no longer can be read is a defect, and no run goes on without it.
fn read_added(row: AddedRule) -> Result<(RiskRule, RuleAddition)> {
    let AddedRule { id, rule_id, rule, added_at, added_by, added_by_name } = row;
    let pack = Pack::from_files([(format!("{rule_id}/rule.toml"), rule)]);
    let pack = pack.map_err(|faults| Error::Internal(format!("the risk rule {id}, which was added, is not readable any more: {faults}")))?;
    let packed = pack.rules().first().ok_or_else(|| Error::Internal(format!("the risk rule {id}, which was added, is empty")))?;
    Ok((packed.rule.clone(), RuleAddition { at: Timestamp(added_at), by: added_by, by_name: added_by_name }))
}

/// What tunings, the earliest first, have made of a rule.
fn tuned(written: RiskRule, added: Option<RuleAddition>, tunings: &[Tuning]) -> Result<KnownRiskRule> {
    let (mut rule, mut status, mut of_rule) = (written.clone(), written.status, Vec::new());
    let mut live_since = added.as_ref().filter(|_| status == Status::Live).map(|added| (added.at.millis(), 0));
    for (place, tuning) in tunings.iter().enumerate().filter(|(_, tuning)| tuning.is_of(&written.id, written.version)) {
        if let Some(switched) = tuning.switches(written.version) {
            if switched == Status::Live && status != Status::Live {
                live_since = Some((tuning.at.millis(), place));
            }
            status = switched;
        }
        if tuning.sets_values_of(written.version) {
            let default = |name: &String| written.factors.get(name).map(|factor| factor.weight);
            let weights = tuning.parameters.iter().map(|(name, weight)| (name.clone(), weight.or_else(|| default(name)).unwrap_or_default()));
            rule = rule.with_weights(&weights.collect()).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                let faults = faults.join("; ");
                Error::Misconfigured(format!(
                    "{} is not what it was when it was tuned ({faults}): a version is never changed; raise it",
                    written.key()
                ))
            })?;
        }
        of_rule.push(tuning.clone());
    }
    of_rule.reverse();
    Ok(KnownRiskRule { rule, written, added, status, part: RulePart::Resting, tunings: of_rule, live_since })
}

impl Resolvers {
    /// All versions of all risk rules, as they are tuned now: by id, the highest version first.
    #[boxed]
    pub async fn risk_rules(&self, caller: &Caller) -> Result<Vec<KnownRiskRule>> {
        let permit = self.inner.enter(caller, Action::ReadRules, Subject::List(RISK_RULE))?;
        Ok(self.inner.tuned_risk_rules(&permit, i64::MAX).await?.0)
    }
}

impl Inner {
    /// The risk rules, with what was added and said of them up to a moment (epoch milliseconds). An error where those that are live can't be so together.
    pub(crate) async fn risk_rule_set(&self, permit: &Permit<'_>, known_up_to: i64) -> Result<RiskRuleSet> {
        let set = self.tuned_risk_rules(permit, known_up_to).await?;
        match set.fault() {
            Some(fault) => Err(Error::Misconfigured(fault)),
            None => Ok(set),
        }
    }

    /// The same whether they can run together or not: for those who look at them, and who can switch them so that they can.
    pub(super) async fn tuned_risk_rules(&self, permit: &Permit<'_>, known_up_to: i64) -> Result<RiskRuleSet> {
        let known = || Params::none().with("knownUpTo", known_up_to);
        let added = self.read(permit, ADDED_RULES, known()).await?;
        let tunings = self.read(permit, TUNINGS, known()).await?;
        let tunings = tunings.into_iter().map(Tuning::read).collect::<Result<Vec<_>>>()?;
        RiskRuleSet::new(&self.settings.risk_rules, added, tunings)
    }
}
