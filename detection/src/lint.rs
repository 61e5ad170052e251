//! Tests of a pack, and whether they are enough.

use serde::Serialize;

use crate::dataset::Mark;
use crate::fault::Fault;
use crate::pack::{Pack, PackedRule};
use crate::quantity::Quantity;
use crate::rule::{Rule, Settings, Version};
use crate::scenario::{BoundarySide, Scenario, ScenarioKind};

/// The fewest positive tests of a rule, and the fewest look-alikes.
pub const FEWEST: usize = 3;

/// Who runs the statements of rules over the networks of their tests.
pub trait Marker {
    /// What a rule's statement marks in the network of a test, with these values of its parameters.
    fn marks(&self, rule: &Rule, scenario: &Scenario, settings: &Settings) -> Result<Vec<Mark>, MarkError>;
}

/// Marks that could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the statement could not be run: {0}")]
pub struct MarkError(pub String);

/// Nobody who could: tests of rules that are statements fail.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoMarker;

impl Marker for NoMarker {
    fn marks(&self, _: &Rule, _: &Scenario, _: &Settings) -> Result<Vec<Mark>, MarkError> {
        Err(MarkError("there is no database here".to_owned()))
    }
}

/// What one test showed. Tests of risk rules are of no kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult<K = ScenarioKind> {
    pub name: String,
    pub file: String,
    pub says: String,
    #[serde(flatten)]
    pub kind: K,
    /// How what was found differs from what should be; empty where the test passes.
    pub differences: Vec<String>,
}

impl<K> TestResult<K> {
    pub fn passes(&self) -> bool {
        self.differences.is_empty()
    }
}

/// The tests of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleTests<K = ScenarioKind> {
    pub rule: String,
    pub version: Version,
    pub tests: Vec<TestResult<K>>,
}

/// All tests of a pack, by rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestReport<K = ScenarioKind> {
    pub rules: Vec<RuleTests<K>>,
}

impl<K> TestReport<K> {
    pub fn passes(&self) -> bool {
        self.rules.iter().all(|rule| rule.tests.iter().all(TestResult::passes))
    }
}

/// A parameter moved by one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    pub parameter: String,
    /// The value that stood for the default.
    pub value: Quantity,
    /// The first test that shows the difference; `None` where none does.
    pub flips: Option<String>,
}

/// What a rule's tests cover, and what is wrong with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleLint {
    pub rule: String,
    pub version: Version,
    pub positive: usize,
    pub look_alikes: usize,
    pub boundaries: usize,
    pub moved: Vec<Moved>,
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
pub fn test(pack: &Pack, marker: &dyn Marker) -> TestReport {
    let rules = pack.rules().iter().map(|packed| RuleTests {
        rule: packed.rule.id.clone(),
        version: packed.rule.version,
        tests: packed.scenarios.iter().map(|scenario| result(packed, scenario, marker)).collect(),
    });
    TestReport { rules: rules.collect() }
}

fn result(packed: &PackedRule, scenario: &Scenario, marker: &dyn Marker) -> TestResult {
    let Scenario { name, file, says, kind, .. } = scenario.clone();
    TestResult { name, file, says, kind, differences: differences(packed, scenario, None, marker) }
}

fn differences(packed: &PackedRule, scenario: &Scenario, changed: Option<(&str, Quantity)>, marker: &dyn Marker) -> Vec<String> {
    match scenario.run(&packed.rule, changed, marker) {
        Ok(found) => scenario.differences(&found),
        Err(error) => vec![error.to_string()],
    }
}

/// Looks whether each rule has enough tests, whether they pass, and whether each parameter's step changes what one of them finds.
pub fn lint(pack: &Pack, marker: &dyn Marker) -> LintReport {
    LintReport { rules: pack.rules().iter().map(|packed| lint_rule(packed, marker)).collect() }
}

fn lint_rule(packed: &PackedRule, marker: &dyn Marker) -> RuleLint {
    let rule = &packed.rule;
    let count = |is_it: fn(&ScenarioKind) -> bool| packed.scenarios.iter().filter(|scenario| is_it(&scenario.kind)).count();
    let positive = count(|kind| *kind == ScenarioKind::Positive);
    let look_alikes = count(|kind| *kind == ScenarioKind::LookAlike);
    let boundaries = count(|kind| matches!(kind, ScenarioKind::Boundary { .. }));
    let mut faults = Vec::new();
    let file = format!("{}/rule.toml", rule.id);
    let mut fault = |place: &str, says: String| faults.push(Fault { file: file.clone(), place: place.to_owned(), says });
    for (kind, found) in [("positive tests", positive), ("look-alikes", look_alikes)] {
        if found < FEWEST {
            fault("", format!("has {found} {kind}; it must have {FEWEST} at least"));
        }
    }
    for name in rule.parameters.keys() {
        for (side, word) in [(BoundarySide::Fires, "fires"), (BoundarySide::Silent, "silent")] {
            let wanted = ScenarioKind::Boundary { parameter: name.clone(), side };
            if !packed.scenarios.iter().any(|scenario| scenario.kind == wanted) {
                fault(&format!("parameters.{name}"), format!("has no test of kind \"boundary\" with side = {word:?}; it must have one"));
            }
        }
    }
    let mut failing = Vec::new();
    for scenario in &packed.scenarios {
        let differences = differences(packed, scenario, None, marker);
        if !differences.is_empty() {
            failing.push(Fault { file: scenario.file.clone(), place: String::new(), says: differences.join("; ") });
        }
    }
    let moved = if failing.is_empty() { moved(packed, marker) } else { Vec::new() };
    for Moved { parameter, value, .. } in moved.iter().filter(|moved| moved.flips.is_none()) {
        fault(&format!("parameters.{parameter}"), format!("no test tells {value} from the default; one must"));
    }
    faults.extend(failing);
    faults.sort();
    RuleLint { rule: rule.id.clone(), version: rule.version, positive, look_alikes, boundaries, moved, faults }
}

/// Moves each parameter by one step, up and down where its range allows.
fn moved(packed: &PackedRule, marker: &dyn Marker) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (name, parameter) in &packed.rule.parameters {
        let values = [parameter.default.minus(parameter.step), parameter.default.plus(parameter.step)];
        for value in values.into_iter().filter(|value| (parameter.min..=parameter.max).contains(value)) {
            let is_boundary = |scenario: &&Scenario| matches!(&scenario.kind, ScenarioKind::Boundary { parameter, .. } if parameter == name);
            // Tests of the parameter itself first: they are to show it.
            let own = packed.scenarios.iter().filter(is_boundary);
            let others = packed.scenarios.iter().filter(|scenario| !is_boundary(scenario));
            let flips = own.chain(others).find(|scenario| !differences(packed, scenario, Some((name, value)), marker).is_empty());
            moved.push(Moved { parameter: name.clone(), value, flips: flips.map(|scenario| scenario.name.clone()) });
        }
    }
    moved
}
