//! Tests of a pack, and whether they are enough: each weight, moved by one step, must change what a test expects, and each rating must be one that a
//! test reaches.

use detection::{Fault, Quantity, Version};
use serde::Serialize;

use crate::pack::{Pack, PackedRule};
use crate::rule::{Factor, Ratings, RiskRule};
use crate::scenario::Scenario;

/// What tests of risk rules have of a kind: nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NoKind {}

/// What one test showed: how the score differs from what it should be.
pub type TestResult = detection::TestResult<NoKind>;
/// The tests of one rule.
pub type RuleTests = detection::RuleTests<NoKind>;
/// All tests of a pack, by rule.
pub type TestReport = detection::TestReport<NoKind>;

/// A weight moved by one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    pub factor: String,
    pub weight: Quantity,
    /// The first test that shows the difference; `None` where none does.
    pub flips: Option<String>,
}

/// A rating that no test reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreached {
    pub factor: String,
    /// The values or the band with the rating, as they stand in the rule.
    pub rating: String,
}

/// What a rule's tests cover, and what is wrong with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleLint {
    pub rule: String,
    pub version: Version,
    pub tests: usize,
    pub moved: Vec<Moved>,
    pub unreached: Vec<Unreached>,
    pub faults: Vec<Fault>,
}

/// All rules of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LintReport {
    pub rules: Vec<RuleLint>,
}

impl LintReport {
    pub fn passes(&self) -> bool {
        self.rules.iter().all(|rule| rule.faults.is_empty())
    }
}

/// Runs all tests of a pack.
pub fn test(pack: &Pack) -> TestReport {
    let result = |rule: &RiskRule, scenario: &Scenario| TestResult {
        name: scenario.name.clone(),
        file: scenario.file.clone(),
        says: scenario.says.clone(),
        kind: NoKind {},
        differences: scenario.differences(rule),
    };
    let rules = pack.rules().iter().map(|PackedRule { rule, scenarios }| RuleTests {
        rule: rule.id.clone(),
        version: rule.version,
        tests: scenarios.iter().map(|scenario| result(rule, scenario)).collect(),
    });
    TestReport { rules: rules.collect() }
}

/// Looks whether the tests of each rule pass and whether they are enough.
pub fn lint(pack: &Pack) -> LintReport {
    LintReport { rules: pack.rules().iter().map(lint_rule).collect() }
}

fn lint_rule(packed: &PackedRule) -> RuleLint {
    let PackedRule { rule, scenarios } = packed;
    let file = format!("{}/rule.toml", rule.id);
    let fault = |place: String, says: String| Fault { file: file.clone(), place, says };
    let failing: Vec<Fault> = scenarios
        .iter()
        .map(|scenario| (scenario, scenario.differences(rule)))
        .filter(|(_, differences)| !differences.is_empty())
        .map(|(scenario, differences)| Fault { file: scenario.file.clone(), place: String::new(), says: differences.join("; ") })
        .collect();
    let (moved, unreached) = if failing.is_empty() { (moved(rule, scenarios), unreached(rule, scenarios)) } else { (Vec::new(), Vec::new()) };
    let unmoved = moved.iter().filter(|moved| moved.flips.is_none());
    let mut faults: Vec<Fault> = unmoved
        .map(|Moved { factor, weight, .. }| fault(format!("factors.{factor}.weight"), format!("no test tells {weight} from the weight; one must")))
        .collect();
    faults.extend(
        unreached.iter().map(|Unreached { factor, rating }| fault(format!("factors.{factor}"), format!("no test reaches {rating}; one must"))),
    );
    faults.extend(failing);
    faults.sort();
    RuleLint { rule: rule.id.clone(), version: rule.version, tests: scenarios.len(), moved, unreached, faults }
}

/// Moves each weight by one step, up and down where something is left of it.
fn moved(rule: &RiskRule, scenarios: &[Scenario]) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (name, factor) in &rule.factors {
        let weights = [factor.weight.minus(factor.step), factor.weight.plus(factor.step)];
        for weight in weights.into_iter().filter(|weight| *weight > Quantity::ZERO) {
            let changed = rule.with_weight(name, weight);
            let flips = scenarios.iter().find(|scenario| !scenario.differences(&changed).is_empty());
            moved.push(Moved { factor: name.clone(), weight, flips: flips.map(|scenario| scenario.name.clone()) });
        }
    }
    moved
}

/// The ratings that decide in no test.
fn unreached(rule: &RiskRule, scenarios: &[Scenario]) -> Vec<Unreached> {
    let mut unreached = Vec::new();
    for (name, factor) in &rule.factors {
        for (rating, lowered) in with_one_lowered(factor) {
            let mut changed = rule.clone();
            changed.factors.insert(name.clone(), lowered);
            if scenarios.iter().all(|scenario| scenario.differences(&changed).is_empty()) {
                unreached.push(Unreached { factor: name.clone(), rating });
            }
        }
    }
    unreached
}

/// The factor with each of its ratings in turn halved: whoever reaches it contributes less then. A rating of zero can't be told from none.
fn with_one_lowered(factor: &Factor) -> Vec<(String, Factor)> {
    let halved = |rating: Quantity| rating.times(Quantity::share(Quantity::ONE, Quantity::count(2)));
    let with = |ratings: Ratings| Factor { ratings, ..factor.clone() };
    let mut lowered = Vec::new();
    match &factor.ratings {
        Ratings::Values { values, other } => {
            for (at, rated) in values.iter().enumerate().filter(|(_, rated)| rated.rating > Quantity::ZERO) {
                let mut values = values.clone();
                values[at].rating = halved(rated.rating);
                lowered.push((format!("the rating of {}", rated.any.join(", ")), with(Ratings::Values { values, other: *other })));
            }
        }
        Ratings::Bands(bands) => {
            for (at, band) in bands.iter().enumerate().filter(|(_, band)| band.rating > Quantity::ZERO) {
                let mut bands = bands.clone();
                bands[at].rating = halved(band.rating);
                lowered.push((format!("the band from {}", band.from), with(Ratings::Bands(bands))));
            }
        }
        Ratings::Full(full) => lowered.push((format!("what is between 0 and {full}"), with(Ratings::Full(full.plus(*full))))),
    }
    lowered
}
