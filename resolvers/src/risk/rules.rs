//! The rules by which actors are scored: those that the program comes with, or those of the institution's folder in their place.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use detection::{Fault, LoadError};
use risk::{Pack, RiskRule, lint};

use crate::detection::overwritten;

/// The rules that the program comes with. That they have no fault is what their tests show.
static BUILT_IN: LazyLock<Arc<Pack>> = LazyLock::new(|| match Pack::built_in() {
    Ok(pack) => Arc::new(pack),
    Err(faults) => {
        tracing::error!(%faults, "the built-in risk rules can't be read: no actor is scored");
        Arc::default()
    }
});

/// Risk rules, free of faults. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RiskRules(Arc<Pack>);

impl Default for RiskRules {
    fn default() -> Self {
        Self(Arc::clone(&BUILT_IN))
    }
}

impl RiskRules {
    /// Reads a folder as `risk/rules` is one, and runs the tests in it. The error has all faults, each with its file and place: what can't be read, tests that fail,
    /// weights that no test tells from others, and versions that the program comes with and that say otherwise there.
    pub fn load(folder: &Path) -> Result<Self, String> {
        let pack = Pack::load(folder).map_err(|error| match error {
            LoadError::Folder { path, source } => format!("{path} could not be read: {source}"),
            LoadError::Faults(faults) => in_one_line(&faults.0),
        })?;
        let overwriting = pack.rules().iter().filter_map(|packed| overwriting(&packed.rule));
        let faults: Vec<Fault> = overwriting.chain(lint(&pack).rules.into_iter().flat_map(|rule| rule.faults)).collect();
        if faults.is_empty() { Ok(Self(Arc::new(pack))) } else { Err(in_one_line(&faults)) }
    }

    /// All of them, as their files say.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RiskRule> {
        self.0.rules().iter().map(|packed| &packed.rule)
    }

    /// Whether they are those that the program comes with.
    pub(crate) fn are_built_in(&self) -> bool {
        Arc::ptr_eq(&self.0, &BUILT_IN)
    }

    /// Those of a pack.
    pub(crate) fn of(pack: Pack) -> Self {
        Self(Arc::new(pack))
    }
}

/// Says that a version is one that the program comes with, and says otherwise there. Whether it runs is no part of what a version says.
pub fn overwriting(rule: &RiskRule) -> Option<Fault> {
    let built_in = BUILT_IN.rules().iter().map(|packed| &packed.rule).find(|built_in| is_version(built_in, rule))?;
    (!says_the_same(built_in, rule)).then(|| overwritten(&rule.id, rule.version))
}

pub(super) fn is_version(one: &RiskRule, other: &RiskRule) -> bool {
    (&one.id, one.version) == (&other.id, other.version)
}

pub(super) fn says_the_same(one: &RiskRule, other: &RiskRule) -> bool {
    RiskRule { status: other.status, ..one.clone() } == *other
}

fn in_one_line(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
}
