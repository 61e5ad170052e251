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
pub(crate) struct LiveRules(BTreeMap<ActorType, RiskRule>);

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
pub(crate) struct RiskRuleSet(Vec<KnownRiskRule>);

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
    pub fn live(&self) -> LiveRules {
        LiveRules(ActorType::ALL.into_iter().filter_map(|kind| Some((kind, self.live_of(kind)?.clone()))).collect())
    }

    fn live_of(&self, kind: ActorType) -> Option<&RiskRule> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: &str = include_str!("../../../risk/rules/standard/rule.toml");

    /// The rule that the program comes with, and another one in shadow that scores companies.
    fn rules() -> RiskRules {
        let line = |name: &str| STANDARD.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
        let other = STANDARD
            .replace(&line("id = "), "id = \"strict\"")
            .replace(&line("status = "), "status = \"shadow\"")
            .replace(&line("scores = "), "scores = [\"LEGAL_ENTITY\"]");
        let files = [("standard/rule.toml", STANDARD), ("strict/rule.toml", &other)];
        let pack = Pack::from_files(files.map(|(path, text)| (path.to_owned(), text.to_owned()))).expect("a pack");
        RiskRules::of(pack)
    }

    fn tuning(at: i64, rule: &str, status: Option<Status>, weights: &[(&str, Option<&str>)]) -> Tuning {
        let weight = |(name, weight): &(&str, Option<&str>)| ((*name).to_owned(), weight.map(|weight| weight.parse().expect("a number")));
        Tuning {
            id: format!("t{at}"),
            rule: rule.to_owned(),
            version: "1.0.0".to_owned(),
            versions: if status.is_some() { vec!["1.0.0".to_owned()] } else { Vec::new() },
            status,
            parameters: weights.iter().map(weight).collect(),
            reason: "tried".to_owned(),
            at: Timestamp(at),
            by: "key".to_owned(),
            by_name: "Key".to_owned(),
        }
    }

    fn set(tunings: Vec<Tuning>) -> RiskRuleSet {
        RiskRuleSet::new(&rules(), Vec::new(), tunings).expect("a set")
    }

    /// Switches in their order, which rule scores each type then, and what the two rules do.
    type Row<'a> = (&'a [(&'a str, Status)], [Option<&'a str>; 2], [RulePart; 2]);

    #[test]
    fn the_rule_that_was_switched_live_last_counts_and_the_one_before_counts_again() {
        use RulePart::{Live, Resting, Shadow};
        let (standard, strict) = (Some("standard"), Some("strict"));
        let table: [Row<'_>; 6] = [
            (&[], [standard, standard], [Live, Shadow]),
            (&[("strict", Status::Live)], [standard, strict], [Live, Live]),
            (&[("strict", Status::Live), ("strict", Status::Shadow)], [standard, standard], [Live, Shadow]),
            (&[("strict", Status::Live), ("standard", Status::Off)], [None, strict], [Resting, Live]),
            (&[("strict", Status::Live), ("standard", Status::Off), ("standard", Status::Live)], [standard, standard], [Live, Resting]),
            // Said again it is no later than it was.
            (
                &[("standard", Status::Off), ("standard", Status::Live), ("strict", Status::Live), ("standard", Status::Live)],
                [standard, strict],
                [Live, Live],
            ),
        ];
        for (switches, live, parts) in table {
            let said = switches.iter().zip(1..).map(|(&(rule, status), at)| tuning(at, rule, Some(status), &[]));
            let set = set(said.collect());
            assert_eq!(ActorType::ALL.map(|kind| set.live_of(kind).map(|rule| rule.id.as_str())), live, "{switches:?}");
            assert_eq!([0, 1].map(|at: usize| set.0[at].part), parts, "{switches:?}");
        }
    }

    #[test]
    fn the_latest_word_on_a_weight_counts_and_others_stay() {
        let tunings = vec![
            tuning(2, "standard", None, &[("domicile", None), ("industry", Some("16"))]),
            tuning(1, "standard", None, &[("domicile", Some("25")), ("assessments", Some("90"))]),
        ];
        let set = set(tunings);
        let known = set.find("standard", Some("1.0.0")).expect("a rule");
        let weight = |name: &str| known.rule.factors[name].weight.to_string();
        assert_eq!(["domicile", "industry", "assessments"].map(weight), ["20", "16", "90"]);
        assert_eq!(known.written.factors["assessments"].weight.to_string(), "100");
        assert_eq!(known.tunings.iter().map(|tuning| tuning.id.as_str()).collect::<Vec<_>>(), ["t2", "t1"]);
        assert!(set.find("standard", Some("2.0.0")).is_none() && set.find("other", None).is_none());
    }

    #[test]
    fn the_digest_stands_for_weights_and_for_what_runs() {
        let digest = |tunings| set(tunings).digest();
        let untuned = digest(Vec::new());
        assert_eq!(untuned, digest(vec![tuning(1, "standard", None, &[("domicile", Some("20"))])]));
        for tuning in [
            tuning(1, "standard", None, &[("domicile", Some("21"))]),
            tuning(1, "strict", None, &[("domicile", Some("21"))]),
            tuning(1, "strict", Some(Status::Off), &[]),
            tuning(1, "strict", Some(Status::Live), &[]),
        ] {
            assert_ne!(untuned, digest(vec![tuning.clone()]), "{tuning:?}");
        }
    }

    /// Two that were switched at the same moment may not fit together: whoever sees it can switch one back.
    #[test]
    fn rules_that_damp_otherwise_are_not_live_together_and_one_is_switched_back() {
        let mut set = set(vec![tuning(1, "strict", Some(Status::Live), &[])]);
        assert_eq!(set.fault(), None);
        set.0[1].rule.network.damping = "0.25".parse().expect("a number");
        assert!(set.fault().is_some_and(|fault| fault.contains("strict 1.0.0") && fault.contains("0.25")));
        let fault_after = |rule: &str, status| set.fault_after(rule, &["1.0.0".to_owned()], status);
        assert!(fault_after("strict", Status::Live).is_some());
        assert_eq!(fault_after("strict", Status::Shadow), None);
        assert_eq!(fault_after("standard", Status::Off), None);
    }

    /// A version of the rule that the program comes with, which somebody has added at a moment.
    fn added(version: &str, status: &str, at: i64) -> AddedRule {
        let line = |name: &str| STANDARD.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
        let rule = STANDARD.replace(&line("version = "), &format!("version = {version:?}"));
        let rule = rule.replace(&line("status = "), &format!("status = {status:?}"));
        let (added_by, added_by_name) = ("key".to_owned(), "Key".to_owned());
        AddedRule { id: format!("standard@{version}"), rule_id: "standard".to_owned(), rule, added_at: at, added_by, added_by_name }
    }

    #[test]
    fn a_version_that_is_added_live_counts_from_then_on_until_another_is_switched() {
        let versions = || vec![added("3.0.0", "off", 5), added("2.0.0", "live", 5)];
        let table = [
            (Vec::new(), "2.0.0"),
            // What was switched before it was added is earlier, whatever comes in between.
            (vec![tuning(3, "standard", Some(Status::Off), &[]), tuning(4, "standard", Some(Status::Live), &[])], "2.0.0"),
            (vec![tuning(6, "standard", Some(Status::Off), &[]), tuning(7, "standard", Some(Status::Live), &[])], "1.0.0"),
        ];
        for (tunings, expected) in table {
            let told = format!("{tunings:?}");
            let set = RiskRuleSet::new(&rules(), versions(), tunings).expect("a set");
            assert_eq!(set.versions("standard"), ["3.0.0", "2.0.0", "1.0.0"]);
            assert_eq!(set.live_of(ActorType::Individual).map(|rule| rule.version.to_string()).as_deref(), Some(expected), "{told}");
            assert_eq!(set.find("standard", None).map(|known| known.rule.version.to_string()).as_deref(), Some(expected), "{told}");
            assert_eq!(set.keys(), [format!("standard {expected}"), "strict 1.0.0".to_owned()], "{told}");
        }
    }

    #[test]
    fn what_is_added_is_told_from_what_stands_in_a_folder() {
        let set = RiskRuleSet::new(&rules(), vec![added("2.0.0", "off", 5)], Vec::new()).expect("a set");
        let version = |version: &str| set.find("standard", Some(version)).expect("a version").rule.clone();
        assert_eq!(set.beside(&version("2.0.0")), (KnownVersion::Added, 1));
        assert_eq!(set.beside(&version("1.0.0")), (KnownVersion::OfProgramOrFolder, 1));
        let mut damped = version("2.0.0");
        (damped.id, damped.scores, damped.network.damping) = ("third".to_owned(), vec![ActorType::LegalEntity], "0.25".parse().expect("a number"));
        assert_eq!((set.beside(&damped), set.fault_with(&damped)), ((KnownVersion::Absent, 1), None));
        damped.status = Status::Live;
        assert!(set.fault_with(&damped).is_some_and(|fault| fault.contains("third 2.0.0")));
        // The same is no fault, and what says otherwise under a version of the folder is one.
        assert!(RiskRuleSet::new(&rules(), vec![added("1.0.0", "off", 5)], Vec::new()).is_ok());
        let otherwise = AddedRule { rule: added("1.0.0", "live", 5).rule.replace("weight = 100", "weight = 90"), ..added("1.0.0", "live", 5) };
        let refused = RiskRuleSet::new(&rules(), vec![otherwise.clone()], Vec::new());
        assert!(matches!(refused, Err(Error::Misconfigured(told)) if told.contains("raise it")));
        // A later program's version of that name is not the institution's.
        let set = RiskRuleSet::new(&RiskRules::default(), vec![otherwise], Vec::new()).expect("a set");
        assert_eq!(set.find("standard", Some("1.0.0")).map(|known| known.rule.factors["assessments"].weight.to_string()).as_deref(), Some("90"));
    }

    #[test]
    fn a_tuning_that_no_longer_fits_is_told() {
        let unfit = RiskRuleSet::new(&rules(), Vec::new(), vec![tuning(1, "standard", None, &[("age", Some("1"))])]);
        assert!(matches!(unfit, Err(Error::Misconfigured(told)) if told.contains("standard 1.0.0") && told.contains("raise it")));
    }
}
